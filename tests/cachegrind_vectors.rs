//! Do counts, their sums, differences and limits agree with independently computed figures?

use fencepost::baseline::Change;
use fencepost::cachegrind::{CountLimits, Event, Events, Format, MissShares, OutFile, Summary};
use fencepost::record::Counts;
use serde_json::Value;

/// The vectors of a kind, of which there have to be `count`.
fn vectors(kind: &str, count: usize) -> Vec<Value> {
    let all: Vec<Value> =
        serde_json::from_str(include_str!("data/cachegrind_vectors.json")).expect("valid JSON");
    let chosen: Vec<Value> = all.into_iter().filter(|vector| vector["kind"] == kind).collect();
    assert_eq!(chosen.len(), count, "vectors of kind {kind}");
    chosen
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

fn whole(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no whole number"))
}

/// What a file of Cachegrind with these lines says.
fn cachegrind(events: &Value, summary: &Value) -> Events {
    let head = "desc: I1 cache: 32768 B, 64 B, 8-way associative\ncmd: ./a\n";
    let lines = format!("{head}events: {}\nfl=a.rs\nfn=f\n1 1\nsummary: {}\n", text(events), text(summary));
    let file = OutFile::from_text(&lines).unwrap_or_else(|error| panic!("{lines}{error}"));
    assert_eq!(file.format, Format::Cachegrind);
    file.totals
}

/// What a file of Callgrind with these lines says: its summary stands in the head, its totals at the end.
fn callgrind(events: &Value, summary: &Value, totals: &Value) -> Events {
    let head = "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npositions: line\n";
    let lines = format!(
        "{head}events: {}\nsummary: {}\n\nfn=(1) f\n1 1\n\ntotals: {}\n",
        text(events),
        text(summary),
        text(totals)
    );
    let file = OutFile::from_text(&lines).unwrap_or_else(|error| panic!("{lines}{error}"));
    assert_eq!(file.format, Format::Callgrind);
    file.totals
}

/// Every figure that is expected, of those that a summary has.
fn compare(id: &Value, events: &Events, expect: &Value) -> usize {
    let summary = Summary::of(events);
    let shares = MissShares::of(events);
    let [l1_hit, ll_hit, ram_hit] = summary.hit_shares();
    let wholes = [
        ("instructions", summary.instructions),
        ("l1_hits", summary.l1),
        ("ll_hits", summary.l2),
        ("ram_hits", summary.ram),
        ("total_rw", summary.accesses),
        ("estimated_cycles", summary.estimated_cycles()),
    ];
    let shares = [
        ("i1_miss_pct", shares.i1),
        ("lli_miss_pct", shares.lli),
        ("d1_miss_pct", shares.d1),
        ("lld_miss_pct", shares.lld),
        ("ll_miss_pct", shares.ll),
        ("l1_hit_pct", l1_hit),
        ("ll_hit_pct", ll_hit),
        ("ram_hit_pct", ram_hit),
    ];
    let mut compared = 0;
    for (name, found) in wholes {
        if let Some(expected) = expect[name].as_u64() {
            assert_eq!(found, expected, "{id}: {name}");
            compared += 1;
        }
    }
    for (name, found) in shares {
        if let Some(expected) = expect[name].as_f64() {
            assert!((found - expected).abs() <= 1e-9 * expected, "{id}: {name} is {found}, not {expected}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn summaries_of_cachegrind_come_to_the_figures() {
    for vector in vectors("cachegrind_summary", 7) {
        let (id, input, expect) = (&vector["id"], &vector["input"], &vector["expect"]);
        let mut events = cachegrind(&input["events"], &input["summary"]);
        if !input["calibration"].is_null() {
            events = events.without(&cachegrind(&input["events"], &input["calibration"]));
        }
        let compared = compare(id, &events, expect);
        if expect["error_or_instructions_only"] == true {
            assert!(
                !events.has_caches() && compared == 1,
                "{id}: nothing is said of caches that were not simulated"
            );
        } else {
            assert!(events.has_caches() && compared == 14, "{id}: {compared}");
        }
    }
}

#[test]
fn totals_of_callgrind_are_taken_by_name_and_missing_ones_are_0() {
    for vector in vectors("callgrind_totals", 2) {
        let (id, input, expect) = (&vector["id"], &vector["input"], &vector["expect"]);
        let events = callgrind(&input["events"], &input["summary_line"], &input["totals"]);
        assert!(compare(id, &events, expect) > 0, "{id}");
        for event in Event::ALL {
            if let Some(expected) = expect[event.name()].as_u64() {
                assert!(events.has(event), "{id}: {}", event.name());
                assert_eq!(events.get(event), expected, "{id}: {}", event.name());
            }
        }
    }
}

#[test]
fn what_is_fixed_goes_with_the_difference() {
    for vector in vectors("callgrind_delta", 1) {
        let [short, long] = [0, 1].map(|at| {
            let total = Value::from(vector["input"]["totals"][at].to_string());
            callgrind(&Value::from("Ir"), &total, &total)
        });
        let delta = long.without(&short).get(Event::Ir);
        assert_eq!(delta, whole(&vector["expect"]["delta"]), "{}", vector["id"]);
    }
}

#[test]
fn estimated_cycles_are_weighted_accesses() {
    for vector in vectors("cycles", 2) {
        let of = |name: &str| whole(&vector["input"][name]);
        let summary = Summary { l1: of("l1"), l2: of("ll"), ram: of("ram"), ..Summary::default() };
        assert_eq!(summary.estimated_cycles(), whole(&vector["expect"]["cycles"]), "{}", vector["id"]);
    }
}

#[test]
fn differences_of_counts_have_the_digits_of_the_figures() {
    for vector in vectors("diff_format", 6) {
        let [old, new] = ["old", "new"].map(|side| whole(&vector["input"][side]) as f64);
        let (change, expect) = (Change { old, new }, &vector["expect"]);
        let found = [
            ("percent_7_digits", change.percent_text(7)),
            ("percent_6_digits", change.percent_text(6)),
            ("factor_6_digits", change.factor_text(6)),
        ];
        for (name, found) in found {
            match expect[name].as_str() {
                Some(expected) => assert_eq!(found, expected, "{}: {name}", vector["id"]),
                None => assert!(change.is_none(), "{}", vector["id"]),
            }
        }
    }
}

#[test]
fn limits_of_every_count_are_passed_where_the_figures_say() {
    for vector in vectors("regression_limit", 6) {
        let (id, input) = (&vector["id"], &vector["input"]);
        for name in ["instructions", "l1", "l2", "ram", "estimated", "mispredictions"] {
            let soft = input["soft_pct"].as_f64().map(|percent| format!("{name}={percent}%"));
            let hard = input["hard"].as_f64().map(|most| format!("{name}=<={most}"));
            let rules: Vec<String> = soft.into_iter().chain(hard).collect();
            let limits: CountLimits = rules.join(",").parse().unwrap_or_else(|error| panic!("{id}: {error}"));
            let counts = |value: f64| Counts {
                instructions: value,
                l1: value,
                l2: value,
                ram: value,
                estimated_cycles: value,
                mispredictions: Some(value),
                ..Counts::default()
            };
            let old = input["old"].as_f64().map(counts);
            let passed = limits.passed(old.as_ref(), &counts(whole(&input["new"]) as f64));
            assert_eq!(Value::from(!passed.is_empty()), vector["expect"]["regressed"], "{id}: {passed:?}");
            assert!(passed.iter().all(|sentence| sentence.starts_with(name)), "{id}: {passed:?}");
        }
    }
}
