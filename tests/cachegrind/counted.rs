//! Are the counts exact, the same every time, and of the region alone?

use std::process::{Child, Command, Stdio};
use std::time::Instant;

use fencepost::record::Record;

use super::place::{Place, all_counts, cause, counts, counts_of, one, said, shown};

/// A process that computes until it is dropped.
struct Busy(Child);

impl Busy {
    fn new() -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", "while :; do :; done"]).stdin(Stdio::null());
        Self(shell.spawn().expect("a shell"))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn two_runs_are_identical_to_the_last_digit_on_a_busy_machine_and_whatever_the_number_of_jobs() {
    if !counts() {
        return;
    }
    let selected = ["bit_mix", "fib", "setup", "sum", "copy", "alloc", "--branch-sim"];
    let quiet = Place::new();
    let first = quiet.record(&selected);
    let load = [Busy::new(), Busy::new(), Busy::new()];
    // Another directory, whose path is longer, one at a time, and among others.
    let there = Place::new();
    let busy = there.record(&[&selected[..], &["empty", "rounds", "--jobs", "1"]].concat());
    drop(load);
    let busy = Record {
        results: busy
            .results
            .into_iter()
            .filter(|result| first.results.iter().any(|one| one.id == result.id))
            .collect(),
        ..busy
    };
    assert_eq!(first.results.len(), 10);
    assert_eq!(all_counts(&first), all_counts(&busy));
    // And in the same place again.
    assert_eq!(all_counts(&first), all_counts(&quiet.record(&selected)));
}

#[test]
fn an_empty_body_counts_0_of_everything_in_every_harness() {
    if !counts() {
        return;
    }
    let place = Place::new();
    let record = place.record(&["empty"]);
    assert_eq!(record.results.len(), 4);
    for (id, counts) in all_counts(&record) {
        assert_eq!((counts.instructions, counts.l1, counts.l2, counts.ram), (0.0, 0.0, 0.0, 0.0), "{id}");
        assert!(counts.in_all.iter().all(|(_, count)| *count == 0), "{id}: {:?}", counts.in_all);
        assert_eq!(counts.first.as_ref().map(|first| first.instructions), Some(0), "{id}");
        assert!(counts.taken_off > 0, "{id}: loop and call are known");
    }
}

#[test]
fn known_instructions_are_counted_exactly_by_both_tools() {
    if !counts() {
        return;
    }
    let place = Place::new();
    let by_requests = place.record(&["rounds", "bit_mix/latency", "fib"]);
    let counts = counts_of(&by_requests, "rounds");
    // 1000 rounds of two instructions are a call, and a tenth of it is an operation.
    assert_eq!((counts.instructions, counts.operations % 10), (200.0, 0));
    assert_eq!(counts.first.as_ref().map(|first| first.instructions), Some(2000));
    assert!(counts.tool.starts_with("callgrind-"), "{}", counts.tool);
    // Five shifts and exclusive ors of three instructions less two moves, two multiplications.
    assert_eq!(counts_of(&by_requests, "bit_mix/latency").instructions, 11.0);

    let calibrated = place.record(&["rounds", "fib/long", "--calibrate"]);
    let other = counts_of(&calibrated, "rounds");
    assert_eq!(other.instructions, 200.0);
    assert!(other.tool.starts_with("cachegrind-"), "{}", other.tool);
    assert_eq!(other.first, None, "a first call is not counted by itself");
    // Setup is part of it there: some instructions of 26 million and more.
    let [here, there] = [&by_requests, &calibrated].map(|record| counts_of(record, "fib/long").instructions);
    assert!((here - there).abs() < 20.0, "{here} {there}");
    assert!(one(&calibrated, "fib/long").notes.iter().any(|note| note.contains("setup and drop")));
}

#[test]
fn the_first_call_is_a_call() {
    if !counts() {
        return;
    }
    let record = Place::new().record(&["bit_mix", "fib/short", "sum"]);
    for (id, counts) in all_counts(&record) {
        let first = counts.first.as_ref().expect("a first call").instructions as f64;
        // In a loop of its own, not unrolled: some instructions are shared by fewer or more.
        assert!((first - counts.instructions).abs() <= 12.0, "{id}: {first} and {}", counts.instructions);
    }
    let cold = counts_of(&record, "fib/short");
    assert!(cold.ram == 0.0 && cold.first.as_ref().is_some_and(|first| first.ram > 0), "{cold:?}");
}

#[test]
fn setup_and_drop_are_left_out() {
    if !counts() {
        return;
    }
    let record = Place::new().record(&["setup/large"]);
    let counts = counts_of(&record, "setup/large");
    assert!(counts.instructions < 20.0, "100 000 stores are setup: {}", counts.instructions);
}

#[test]
fn figures_follow_from_the_events() {
    if !counts() {
        return;
    }
    let record = Place::new().record(&["copy", "setup", "--branch-sim", "--weights", "4,12.5,300"]);
    for (id, counts) in all_counts(&record) {
        let event = |name: &str| *counts.in_all.get(name).unwrap_or_else(|| panic!("{id} has {name}")) as f64;
        let all = counts.operations as f64;
        let ram = event("ILmr") + event("DLmr") + event("DLmw");
        let l2 = event("I1mr") + event("D1mr") + event("D1mw") - ram;
        let l1 = event("Ir") + event("Dr") + event("Dw") - l2 - ram;
        let found = [counts.instructions, counts.l1, counts.l2, counts.ram, counts.estimated_cycles];
        let expected = [event("Ir"), l1, l2, ram, l1 + 5.0 * l2 + 35.0 * ram].map(|sum| sum / all);
        assert_eq!(found, expected, "{id}");
        let weighted = counts.weighted_cycles.expect("weights were given");
        assert!((weighted - (4.0 * l1 + 12.5 * l2 + 300.0 * ram) / all).abs() < 1e-9 * weighted, "{id}");
        let mispredicted = (event("Bcm") + event("Bim")) / all;
        assert_eq!(counts.mispredictions, Some(mispredicted), "{id}");
        assert_eq!(counts.branches, Some((event("Bc") + event("Bi")) / all), "{id}");
    }
}

#[test]
fn branches_are_null_unless_they_were_simulated_and_no_time_is_claimed() {
    if !counts() {
        return;
    }
    let record = Place::new().record(&["fib/short"]);
    let result = one(&record, "fib/short");
    let counts = counts_of(&record, "fib/short");
    assert_eq!((counts.branches, counts.mispredictions, counts.weighted_cycles), (None, None, None));
    assert!(result.cycles.is_none() && result.ns.is_none() && result.ticks.estimate.is_nan());
    assert!(result.sentence.contains("instructions under callgrind-"), "{}", result.sentence);
    assert_eq!(record.settings.get("mode").map(ToString::to_string).as_deref(), Some("cachegrind"));
}

#[test]
fn caches_are_those_that_are_asked_for() {
    if !counts() {
        return;
    }
    let place = Place::new();
    let fixed = counts_of(&place.record(&["copy"]), "copy").clone();
    let large = counts_of(&place.record(&["copy", "--cache", "D1=65536,16,64"]), "copy").clone();
    let tiny = counts_of(&place.record(&["copy", "--cache", "D1=1024,1,64 LL=8192,1,64"]), "copy").clone();
    assert!(fixed.ram < 1.0 && tiny.ram > 50.0, "{} {}", fixed.ram, tiny.ram);
    assert!(large.l2 <= fixed.l2, "{} {}", large.l2, fixed.l2);
    assert_eq!(fixed.instructions, tiny.instructions, "what is executed does not depend on the caches");
    let text = place.told(&["copy", "--cache", "D1=65536,16,64"]);
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(joined.contains("D1=65536,16,64 LL=8388608,16,64"), "{text}");
    let output = place.run(&["copy", "--cache", "host"]);
    // Where a cache of the machine is not known, that is said.
    assert!(matches!(output.status.code(), Some(0 | 4)), "{}", said(&output));
}

/// gungraun#377: the same work under two names had clearly different counts, because the name lay on the heap.
#[test]
fn gungraun_377_the_length_of_a_name_is_not_counted() {
    if !counts() {
        return;
    }
    let record = Place::new().record(&["alloc"]);
    let [(short, one), (long, other)] = all_counts(&record)[..] else { panic!("two are counted") };
    assert!(short.len() + 40 < long.len());
    assert_eq!(one, other);
}

/// fixlang#623: memcpy under the simulator is not the one that runs on the machine, by up to nine times.
#[test]
fn fixlang_623_routines_of_the_library_are_named() {
    if !counts() {
        return;
    }
    let record = Place::new().record(&["copy", "bit_mix/latency"]);
    let notes = &one(&record, "copy").notes;
    let named = notes.iter().any(|note| note.contains("mem") && note.contains("of the C library"));
    assert!(named, "{notes:?}");
    assert!(one(&record, "bit_mix/latency").notes.is_empty());
}

#[test]
fn a_region_without_the_work_is_reported() {
    if !counts() {
        return;
    }
    let record = Place::new().record(&["empty/latency", "claims/nothing", "rounds"]);
    let nothing = |id: &str| one(&record, id).notes.iter().any(|note| note.contains("nothing in the region"));
    assert!(nothing("empty/latency") && nothing("claims/nothing") && !nothing("rounds"));
    let claimed = &one(&record, "claims/nothing").notes;
    assert!(claimed.iter().any(|note| note.contains("says that there are 50")), "{claimed:?}");
}

#[test]
fn thirty_benchmarks_take_thirty_starts() {
    if !counts() {
        return;
    }
    let place = Place::new();
    let begun = Instant::now();
    let output = place.run(&["many", "--jobs", "2", "--format", "json"]);
    assert!(output.status.success(), "{}", said(&output));
    let told = said(&output);
    assert!(told.contains("30 benchmarks counted by 30 starts of Valgrind"), "{told}");
    println!("30 benchmarks in {:.1} s: {}", begun.elapsed().as_secs_f64(), told.trim());
    let record = Record::from_json(&shown(&output)).expect("a record");
    for number in 0..30u32 {
        let id = format!("many/{number:02}");
        // Two instructions a round, and the way there: the same for all.
        let expected = counts_of(&record, "many/00").instructions + f64::from(2 * number);
        assert_eq!(counts_of(&record, &id).instructions, expected, "{id}");
    }
}

#[test]
fn causes_are_told_and_the_example_checks_its_own_claims() {
    if !counts() {
        return;
    }
    let place = Place::new();
    let output =
        Command::new(cause()).env("CARGO_TARGET_DIR", place.path()).output().expect("the example runs");
    assert!(output.status.success(), "{}", said(&output));
    let text = shown(&output);
    for verdict in [
        "stack/vec against stack/deque: instructions.",
        "walk/sequential against walk/shuffled: memory.",
        "filter/sorted against filter/shuffled: branches.",
    ] {
        assert!(text.contains(verdict), "{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");

    let explained = place.told(&["--explain", "sum/fold/throughput", "sum/twice/throughput"]);
    let joined = explained.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        joined.contains("sum/fold/throughput against sum/twice/throughput: instructions."),
        "{explained}"
    );
    // Of the candidates of a comparison it is told without being asked, too.
    assert!(place.told(&["sum"]).contains("against sum/twice/throughput"));
}

#[test]
fn weights_of_this_machine_are_shown_beside_the_fixed_ones() {
    if !counts() {
        return;
    }
    let output = Place::new().run(&["rounds", "--weights", "host"]);
    match output.status.code() {
        Some(0) => {
            let (text, told) = (shown(&output), said(&output));
            assert!(text.contains("est. cyc") && text.contains("weighted"), "{text}");
            assert!(told.contains("by pointer chase on core") && told.contains("RAM"), "{told}");
        }
        Some(4) => eprintln!("SKIPPED: latencies cannot be measured here: {}", said(&output)),
        other => panic!("{other:?}: {}", said(&output)),
    }
}
