//! Are runs compared with the last one and with baselines, and limits kept?

use std::fs;
use std::path::Path;

use fencepost::record::Record;

use super::place::{Place, counts, counts_of, said, shown};

/// Changes a count in the record of the last run, as if the code had been another then.
fn pretend(counts: &Path, factor: f64) {
    let mut record = Record::from_json(&fs::read_to_string(counts).unwrap()).expect("a record");
    for result in &mut record.results {
        let counts = result.counts.as_mut().expect("counts");
        counts.instructions = (counts.instructions * factor).round();
        counts.estimated_cycles = (counts.estimated_cycles * factor).round();
    }
    record.write_atomically(counts).unwrap();
}

#[test]
fn the_last_run_is_compared_with_and_limits_of_growth_end_with_3() {
    if !counts() {
        return;
    }
    let place = Place::new();
    let first = place.run(&["fib/short", "--limit", "instructions=1%"]);
    assert_eq!(first.status.code(), Some(0), "{}", said(&first));
    assert!(said(&first).contains("no run to compare with yet"), "{}", said(&first));
    assert!(!shown(&first).contains("against"), "{}", shown(&first));

    let same = place.run(&["fib/short", "--limit", "instructions=0%,estimated=0%"]);
    assert_eq!(same.status.code(), Some(0), "{}", said(&same));
    assert!(shown(&same).contains("no change"), "{}", shown(&same));

    pretend(&place.profiles("fib.short").join("counts.json"), 0.5);
    let grown = place.run(&["fib/short", "--limit", "instructions=99%,estimated=101%"]);
    assert_eq!(grown.status.code(), Some(3), "{}", said(&grown));
    let text = shown(&grown);
    assert!(text.contains("instructions +") && text.contains("%, x"), "{text}");
    assert!(text.contains("past the limit of 99 %") && !text.contains("past the limit of 101 %"), "{text}");

    // That run is the last one now, so nothing has changed since.
    assert!(place.told(&["fib/short"]).contains("no change"));
}

#[test]
fn a_count_itself_can_be_limited_and_every_format_ends_with_3() {
    if !counts() {
        return;
    }
    let place = Place::new();
    let at = place.run(&["rounds", "--limit", "instructions=<=200"]);
    assert_eq!(at.status.code(), Some(0), "at the limit is not past it: {}", said(&at));
    for format in ["text", "terse", "csv", "json"] {
        let past = place.run(&["rounds", "--limit", "instructions=<=199.5,ram=<=0", "--format", format]);
        assert_eq!(past.status.code(), Some(3), "{format}: {}", said(&past));
        let both = shown(&past) + &said(&past);
        assert!(
            both.contains("rounds: instructions 200 before, 200 now: past the limit of at most 199.5"),
            "{both}"
        );
        if format == "json" {
            let record = Record::from_json(&shown(&past)).expect("a record alone on standard output");
            assert_eq!(counts_of(&record, "rounds").instructions, 200.0);
        }
    }
}

#[test]
fn named_baselines_are_kept_and_compared_with() {
    if !counts() {
        return;
    }
    let place = Place::new();
    let missing = place.run(&["rounds", "--baseline", "nowhere"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(said(&missing).contains("nowhere"), "{}", said(&missing));

    let saved = place.run(&["rounds", "fib/short", "--save-baseline", "before"]);
    assert!(saved.status.success() && said(&saved).contains("saved as baseline before"), "{}", said(&saved));
    // The last run is another now, and is not what is asked for.
    pretend(&place.profiles("rounds").join("counts.json"), 0.5);
    let compared =
        place.run(&["rounds", "bit_mix/latency", "--baseline", "before", "--limit", "instructions=0%"]);
    assert_eq!(compared.status.code(), Some(0), "{}", said(&compared));
    let text = shown(&compared);
    assert!(text.contains("against baseline before") && text.contains("no change"), "{text}");
    assert!(text.contains("new"), "bit_mix is not in it: {text}");

    let other = place.told(&["rounds", "--baseline", "before", "--cache", "D1=1024,1,64"]);
    assert!(other.contains("counted with other settings"), "{other}");
}

#[test]
fn what_was_counted_otherwise_is_not_compared() {
    if !counts() {
        return;
    }
    let place = Place::new();
    place.told(&["rounds"]);
    for other in [&["--branch-sim"][..], &["--cache", "D1=1024,1,64"], &["--calibrate"]] {
        let output = place.run(&[&["rounds"], other].concat());
        assert!(output.status.success() && said(&output).contains("so not compared: 1"), "{}", said(&output));
        assert!(!shown(&output).contains("against"), "{}", shown(&output));
    }
    fs::write(place.profiles("rounds").join("counts.json"), "no record").unwrap();
    let output = place.run(&["rounds"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("the last counts of rounds cannot be read"), "{}", said(&output));
}

#[test]
fn every_format_has_the_counts() {
    if !counts() {
        return;
    }
    let place = Place::new();
    let [json, csv, bmf] = ["a.json", "a.csv", "a.bmf"].map(|name| place.path().join(name));
    let files = [("--json", &json), ("--csv", &csv), ("--bmf", &bmf)];
    let mut arguments = vec!["rounds", "--format", "terse", "--quiet"];
    for (option, path) in &files {
        arguments.extend([*option, path.to_str().expect("UTF-8")]);
    }
    let output = place.run(&arguments);
    assert!(output.status.success() && said(&output).is_empty(), "{}", said(&output));
    assert!(shown(&output).starts_with("rounds  200 instr  200."), "{}", shown(&output));
    let record = Record::from_json(&fs::read_to_string(&json).unwrap()).expect("a record");
    assert_eq!(counts_of(&record, "rounds").instructions, 200.0);
    let csv = fs::read_to_string(&csv).unwrap();
    let (head, row) = csv.split_once('\n').expect("two lines");
    let at = head.split(',').position(|name| name == "instructions").expect("a column");
    assert!(csv.contains("rounds") && row.contains(",200"), "{at}: {csv}");
    let bmf: serde_json::Value = serde_json::from_str(&fs::read_to_string(&bmf).unwrap()).expect("JSON");
    assert_eq!(bmf["rounds"]["instructions"]["value"], 200.0, "{bmf}");
    for width in ["40", "80", "200"] {
        let output =
            place.command(&["bit_mix", "--branch-sim", "--verbose"]).env("COLUMNS", width).output().unwrap();
        let widest = shown(&output).lines().map(|line| line.chars().count()).max().unwrap_or_default();
        assert!(output.status.success() && widest <= 80.max(width.parse().unwrap()), "{width}: {widest}");
    }
}

#[test]
fn profiles_are_kept_with_the_last_ones_beside_them_and_can_be_annotated() {
    if !counts() {
        return;
    }
    let place = Place::new();
    place.told(&["fib/short"]);
    place.told(&["fib/short"]);
    let directory = place.profiles("fib.short");
    for name in ["callgrind.out", "callgrind.out.old", "counts.json"] {
        assert!(directory.join(name).is_file(), "{name}");
    }
    let left = fs::read_dir(&directory).unwrap().count();
    assert_eq!(left, 5, "and the two logs: nothing of the run is left over");
    place.told(&["fib/short", "--calibrate"]);
    assert!(directory.join("cachegrind.out").is_file() && directory.join("cachegrind.empty.out").is_file());

    if crate::common::has("callgrind_annotate") {
        let text = place.told(&["fib/short", "--annotate"]);
        assert!(text.contains("hottest lines of fib/short") && text.contains("fixture.rs:"), "{text}");
        assert!(text.contains("fibonacci(n - 1) + fibonacci(n - 2)"), "{text}");
        assert!(text.contains("profile: ") && text.contains("callgrind.out"), "{text}");
        // What has no source is told by its function.
        let text = place.told(&["copy", "--annotate"]);
        assert!(text.contains("malloc") || text.contains("mem"), "{text}");
    }
    if crate::common::has("cg_annotate") {
        let text = place.told(&["fib/long", "--annotate", "--calibrate"]);
        assert!(text.contains("fixture.rs:") && text.contains("cachegrind.out"), "{text}");
    }
}
