//! Does `fencepost ab` compare what it is given, name what fails, and never hang?

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};

use common::{Scratch, Started, gone, number, shown, until};
use fencepost::record::{BenchmarkResult, CycleEstimate, Estimate, Record, Verdict};
use serde_json::Value;

#[path = "ab/commands.rs"]
mod commands;
mod common;

fn fencepost(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.arg("ab").args(args).stdin(Stdio::null());
    command
}

/// What came out, and the exit status; a run that hangs fails the test.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

fn ran(mut command: Command) -> Ran {
    came_of(Started::new(&mut command))
}

fn came_of(started: Started) -> Ran {
    let output = started.ended();
    Ran { code: output.status.code(), out: shown(&output), err: common::said(&output) }
}

fn ab(args: &[&str]) -> Ran {
    ran(fencepost(args))
}

/// A script in `place`, as a word of a command.
fn script(place: &Scratch, name: &str, body: &str) -> String {
    common::script(place.path(), name, body).to_str().expect("UTF-8").to_owned()
}

fn cycles(id: &str, estimate: f64) -> BenchmarkResult {
    BenchmarkResult {
        id: id.into(),
        cycles: Some(CycleEstimate { estimate, lo: estimate, hi: estimate, ..Default::default() }),
        ticks: Estimate { estimate: estimate / 2.0, ..Default::default() },
        ns: Some(Estimate { estimate: estimate / 4.0, ..Default::default() }),
        verdict: Verdict::Converged,
        ..Default::default()
    }
}

fn record(results: Vec<BenchmarkResult>) -> String {
    Record { complete: true, results, ..Default::default() }.to_json()
}

/// A bench binary that prints the next of `outputs` at each run and begins again after the last; it keeps its arguments in
/// `NAME.args`.
fn bench(place: &Scratch, name: &str, outputs: &[String]) -> String {
    for (at, output) in outputs.iter().enumerate() {
        fs::write(place.join(format!("{name}.{at}")), output).expect("written");
    }
    fs::write(place.join(format!("{name}.count")), "0").expect("written");
    let stem = place.join(name);
    let stem = stem.display();
    script(
        place,
        name,
        &format!(
            "echo \"$@\" >> '{stem}.args'\nn=$(cat '{stem}.count')\necho $(((n + 1) % {})) > '{stem}.count'\ncat '{stem}'.$n",
            outputs.len()
        ),
    )
}

/// Five runs around `center`.
fn around(id: &str, center: f64) -> Vec<String> {
    [0.0, 0.01, -0.01, 0.02, -0.02].iter().map(|off| record(vec![cycles(id, center + off)])).collect()
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", ran.out, ran.err))
}

#[test]
fn a_slower_build_is_found_and_said_in_every_format() {
    let place = Scratch::new("ab-slower");
    let (old, new) = (
        bench(&place, "old", &around("mix/latency", 12.0)),
        bench(&place, "new", &around("mix/latency", 13.0)),
    );
    let text = ab(&["--before", &old, "--after", &new, "mix", "other"]);
    assert_eq!(text.code, Some(0), "{}", text.err);
    assert_eq!(text.err, "");
    let row = text.out.lines().find(|line| line.starts_with("mix/latency  ")).expect("a row");
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(
        cells,
        ["mix/latency", "12.00", "13.00", "+1.00", "25/25", "0.3", "1.083", "slower"],
        "{}",
        text.out
    );
    assert!(text.out.contains("mix/latency: 12.0+1.0cyc (+8.3%), after/before 1.083"), "{}", text.out);
    assert!(text.out.lines().all(|line| line.chars().count() <= 80), "{}", text.out);
    let args = fs::read_to_string(place.join("old.args")).expect("kept");
    assert_eq!(args.lines().collect::<Vec<_>>(), ["--bench --format json mix other"; 5]);

    let json = json(&ab(&["--before", &old, "--after", &new, "--format", "json"]));
    assert_eq!((&json["schema"], &json["complete"]), (&"fencepost-ab/1".into(), &true.into()));
    let one = &json["benchmarks"][0];
    assert_eq!((one["id"].as_str(), one["unit"].as_str()), (Some("mix/latency"), Some("cyc")));
    assert_eq!((one["agreeing"].as_u64(), one["pairs"].as_u64()), (Some(25), Some(25)));
    assert_eq!((one["verdict"].as_str(), one["class"].as_str()), (Some("slower"), Some("loss-lo-pri")));
    assert!((one["difference"].as_f64().expect("a number") - 1.0).abs() < 1e-9);
    assert_eq!(one["ratio_coverage"].as_f64(), Some(0.9375));
    assert_eq!(one["before"].as_array().map(Vec::len), Some(5));

    let csv = ab(&["--before", &old, "--after", &new, "--format", "csv"]).out;
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0].split(',').count(), lines[1].split(',').count());
    assert!(lines[1].starts_with("mix/latency,latency,cyc,12.0,13.0,"), "{csv}");

    let markdown = ab(&["--before", &old, "--after", &new, "--format", "markdown"]).out;
    assert!(
        markdown.contains("| mix/latency | 12.00 | 13.00 | +1.00 | 25/25 | 0.3 | 1.083 | slower |"),
        "{markdown}"
    );
}

#[test]
fn the_limit_is_past_only_beyond_it_and_beyond_chance() {
    let place = Scratch::new("ab-limit");
    let old = bench(&place, "old", &around("mix", 12.0));
    let new = bench(&place, "new", &around("mix", 13.0));
    // Half of the runs are as before: its median is far off, and its order is chance.
    let mixed: Vec<String> =
        [12.1, 11.9, 30.0, 12.05, 29.0].iter().map(|cost| record(vec![cycles("mix", *cost)])).collect();
    let mixed = bench(&place, "mixed", &mixed);
    let code = |before: &str, after: &str, limit: &str| {
        ab(&["--before", before, "--after", after, "--limit", limit]).code
    };
    assert_eq!(code(&old, &new, "5%"), Some(3));
    assert_eq!(code(&old, &new, "10%"), Some(0));
    assert_eq!(code(&old, &new, "0.9cyc"), Some(3));
    assert_eq!(code(&old, &new, "1.1cyc"), Some(0));
    assert_eq!(code(&old, &new, "0.2ns"), Some(3), "a cycle is a quarter of a nanosecond here");
    assert_eq!(code(&old, &new, "0.3ns"), Some(0));
    assert_eq!(code(&new, &old, "0%"), Some(0), "faster is no regression");
    assert_eq!(code(&old, &mixed, "0%"), Some(0), "what chance orders is none");
    let few = ab(&["--before", &old, "--after", &new, "--limit", "5%", "--rounds", "3"]);
    assert_eq!(few.code, Some(1));
    assert!(few.err.contains("--rounds 4 or more"), "{}", few.err);
    let text = ab(&["--before", &old, "--after", &new, "--limit", "5%"]);
    assert!(text.out.contains("past limit"), "{}", text.out);
}

#[test]
fn ticks_and_nanoseconds_stand_in_where_cycles_are_not_claimed() {
    let place = Scratch::new("ab-units");
    let results = |cost: f64| {
        let ticks = BenchmarkResult { cycles: None, ..cycles("ticks", cost) };
        let ns = BenchmarkResult {
            cycles: None,
            ticks: Estimate { estimate: f64::NAN, ..Default::default() },
            ..cycles("ns", cost)
        };
        vec![record(vec![ticks, ns])]
    };
    let (old, new) = (bench(&place, "old", &results(40.0)), bench(&place, "new", &results(48.0)));
    let ran = ab(&["--before", &old, "--after", &new, "--format", "json", "--limit", "1cyc"]);
    let json = json(&ran);
    let units: BTreeMap<&str, (&str, f64)> = json["benchmarks"]
        .as_array()
        .expect("benchmarks")
        .iter()
        .map(|one| {
            let id = one["id"].as_str().expect("an id");
            (id, (one["unit"].as_str().expect("a unit"), one["difference"].as_f64().expect("a number")))
        })
        .collect();
    assert_eq!(units, BTreeMap::from([("ns", ("ns", 2.0)), ("ticks", ("ticks", 4.0))]));
    assert_eq!(ran.code, Some(1), "a limit in cycles cannot be judged");
    assert!(ran.err.contains("cannot be judged of 2 benchmarks"), "{}", ran.err);
}

#[test]
fn what_only_one_build_has_is_listed() {
    let place = Scratch::new("ab-only");
    let old = bench(&place, "old", &[record(vec![cycles("both", 5.0), cycles("gone", 5.0)])]);
    let new = bench(&place, "new", &[record(vec![cycles("new\x1b[31m", 5.0), cycles("both", 5.0)])]);
    let text = ab(&["--before", &old, "--after", &new]);
    assert_eq!(text.code, Some(0));
    assert!(text.out.contains("\nonly before: gone\n"), "{}", text.out);
    assert!(text.out.contains("\nonly after: new\\u{1b}[31m\n"), "{}", text.out);
    assert!(text.out.contains("no difference"), "{}", text.out);
    assert!(!text.out.contains('\x1b'));
    let json = json(&ab(&["--before", &old, "--after", &new, "--format", "json"]));
    assert_eq!(
        (json["only_before"][0].as_str(), json["only_after"][0].as_str()),
        (Some("gone"), Some("new\x1b[31m"))
    );
    let csv = ab(&["--before", &old, "--after", &new, "--format", "csv"]).out;
    let columns: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(columns, [columns[0]; 4], "{csv}");
}

#[test]
fn incomplete_runs_are_tried_again_and_named() {
    let place = Scratch::new("ab-again");
    let steady = bench(&place, "steady", &around("mix", 12.0));
    let mut outputs = around("mix", 12.0);
    outputs.insert(1, Record { complete: false, ..Default::default() }.to_json());
    outputs.insert(3, outputs[2][..outputs[2].len() / 2].to_owned());
    let shaky = bench(&place, "shaky", &outputs);
    let ran = ab(&["--before", &steady, "--after", &shaky]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("incomplete: after, round 2: run again once: its record is marked incomplete"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("incomplete: after, round 3: run again once: the record ends early"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("shaky, 5 of 5 runs"), "{}", ran.out);

    // The first is good, all others are not.
    let count = place.join("once.count");
    let good = place.join("good.json");
    fs::write(&good, record(vec![cycles("mix", 12.0)])).expect("written");
    let once = script(
        &place,
        "once",
        &format!(
            "echo x >> '{0}'\nif [ $(wc -l < '{0}') = 1 ]; then cat '{1}'; else echo broken >&2; exit 7; fi",
            count.display(),
            good.display()
        ),
    );
    let ran = ab(&["--before", &once, "--after", &steady, "--rounds", "2"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("1 of 4 runs are missing"), "{}", ran.err);
    let flat = ran.out.replace("\n  ", " ");
    assert!(flat.contains("before, round 2: missing after 3 runs: exit status 7: broken"), "{}", ran.out);
    assert!(
        fs::read_to_string(&count).expect("kept").lines().count() == 4,
        "one good run and three bad ones"
    );
}

#[test]
fn a_build_that_is_no_bench_binary_is_an_error_with_its_reason() {
    let place = Scratch::new("ab-none");
    let good = bench(&place, "good", &around("mix", 12.0));
    let refusal = |body: &str, name: &str| {
        let bad = script(&place, name, body);
        ab(&["--before", &good, "--after", &bad, "--timeout", "60"])
    };
    let silent = refusal("true", "silent");
    assert_eq!(silent.code, Some(1));
    assert!(silent.err.contains("gives no record in 3 runs: the record is empty"), "{}", silent.err);
    let killed = refusal("kill -11 $$", "killed");
    assert!(killed.err.contains("killed by signal 11 (SIGSEGV)"), "{}", killed.err);
    let cannot = refusal("echo 'error: no invariant TSC' >&2; exit 4", "cannot");
    assert_eq!(cannot.code, Some(4));
    assert!(cannot.err.contains("no invariant TSC"), "{}", cannot.err);
    let missing = ab(&["--before", &good, "--after", "/nowhere/at/all"]);
    assert_eq!(missing.code, Some(1));
    assert!(
        missing.err.contains("\"/nowhere/at/all\" cannot be started: there is no such program"),
        "{}",
        missing.err
    );
    let empty = bench(&place, "empty", &[record(vec![])]);
    let nothing = ab(&["--before", &empty, "--after", &empty, "nosuch"]);
    assert_eq!(nothing.code, Some(1));
    assert!(nothing.err.contains("neither build has a benchmark"), "{}", nothing.err);
}

#[test]
fn a_build_that_hangs_or_floods_both_outputs_holds_nothing_up() {
    let place = Scratch::new("ab-hang");
    let good = bench(&place, "good", &around("mix", 12.0));
    let sleeper = format!("sleep {}", number());
    let hangs = script(&place, "hangs", &format!("{sleeper} & {sleeper}"));
    // That it ends at all shows that it is not waited for: it would sleep for ever.
    let ran = ab(&["--before", &good, "--after", &hangs, "--timeout", "2"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("not done within 2 s"), "{}", ran.err);
    gone(&sleeper);

    // More than a pipe holds, on standard error first.
    let record_file = place.join("record.json");
    fs::write(&record_file, record(vec![cycles(&"n".repeat(300_000), 12.0)])).expect("written");
    let floods = script(
        &place,
        "floods",
        &format!("head -c 300000 /dev/zero | tr '\\0' e >&2\ncat '{}'", record_file.display()),
    );
    let ran = ab(&["--before", &floods, "--after", &floods, "--rounds", "2"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn costs_below_resolution_have_no_ratio_and_no_difference() {
    let place = Scratch::new("ab-below");
    let below = |cost: f64| {
        let result = BenchmarkResult {
            verdict: Verdict::BelowResolution,
            below_resolution: true,
            resolution_cycles: Some(0.25),
            ..cycles("tiny", cost)
        };
        record(vec![result])
    };
    let (old, new) = (bench(&place, "old", &[below(0.01)]), bench(&place, "new", &[below(0.04)]));
    let ran = ab(&["--before", &old, "--after", &new, "--limit", "5%"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("< 0.3 cyc"), "{}", ran.out);
    assert!(
        ran.out.contains("below") && !ran.out.contains("0.04") && !ran.out.contains("4.0"),
        "{}",
        ran.out
    );
}

#[test]
fn what_did_not_settle_and_builds_that_are_not_alike_are_said() {
    let place = Scratch::new("ab-notes");
    let unsettled = BenchmarkResult { verdict: Verdict::Unstable, ..cycles("mix", 12.0) };
    let mut other = Record { complete: true, results: vec![unsettled], ..Default::default() };
    other.build.rustc = "rustc 1.99.0".into();
    other.build.profile = "debug".into();
    let old = bench(&place, "old", &around("mix", 12.0));
    let new = bench(&place, "new", &[other.to_json()]);
    let ran = ab(&["--before", &old, "--after", &new]);
    assert!(ran.out.contains("mix: unstable in 5 of 5 runs after"), "{}", ran.out);
    assert!(ran.out.contains("the builds differ in rustc"), "{}", ran.out);
    assert!(ran.out.contains("the build after is a debug build"), "{}", ran.out);
}

#[test]
fn names_as_long_as_they_like_fit_the_line() {
    let place = Scratch::new("ab-wide");
    let name = "a::very::long::".repeat(20);
    let runs = |center: f64| {
        let odd = BenchmarkResult { verdict: Verdict::Unstable, ..cycles(&format!("{name}|x"), center) };
        vec![record(vec![odd])]
    };
    let old = bench(&place, "old", &runs(123_456.7));
    let new = bench(&place, "new", &runs(234_567.8));
    let ran = ab(&["--before", &old, "--after", &new, "--limit", "5%"]);
    assert_eq!(ran.code, Some(3));
    for line in ran.out.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let markdown = ab(&["--before", &old, "--after", &new, "--format", "markdown"]).out;
    assert!(markdown.contains("\\|x |"), "{markdown}");
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let place = Scratch::new("ab-pipe");
    let old = bench(&place, "old", &around("mix", 12.0));
    let mut command = fencepost(&["--before", &old, "--after", &old]);
    let mut started = Started::new(&mut command);
    drop(started.child().stdout.take());
    let ran = came_of(started);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

#[test]
fn arguments_for_the_bench_binaries_reach_both() {
    let place = Scratch::new("ab-extra");
    let old = bench(&place, "old", &around("mix", 12.0));
    let new = bench(&place, "new", &around("mix", 12.0));
    let ran = ab(&[
        "--before",
        &old,
        "--after",
        &new,
        "--rounds",
        "1",
        "--warmup",
        "1",
        "mix",
        "--",
        "--max-secs",
        "0.5",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for name in ["old.args", "new.args"] {
        let args = fs::read_to_string(place.join(name)).expect("kept");
        assert_eq!(args.lines().collect::<Vec<_>>(), ["--bench --format json --max-secs 0.5 mix"; 2]);
    }
}
