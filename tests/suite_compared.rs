//! Are candidates checked before they are compared, and is a run held against a saved one as it should be? A bench target is run as
//! its users run it.
#![cfg(feature = "suite")]

use std::path::{Path, PathBuf};
use std::process::Output;

use fencepost::record::{Difference, Record};

mod common;
#[path = "suite/runs.rs"]
mod runs;

use common::{Scratch, measures, said as stderr};
use runs::{command, run, stdout};

/// A target directory of its own, removed at the end.
struct Target(Scratch);

impl Target {
    fn new(name: &str) -> Self {
        Self(Scratch::new(name))
    }

    fn run(&self, which: &str, arguments: &[&str]) -> Output {
        let mut quick = vec!["--bench", "--min-secs", "0.02", "--max-secs", "0.3"];
        quick.extend(arguments);
        command(which, &quick).env("CARGO_TARGET_DIR", self.0.path()).output().expect("the fixture runs")
    }

    /// A run that is past its limit, and before it, if asked for, one of the quick fixture. Where a neighbour competes all the time
    /// there are but upper bounds, and nothing is surely past a limit: then it is tried again, and given up aloud.
    fn past(&self, first: &[&str], which: &str, arguments: &[&str]) -> Option<Output> {
        for _ in 0..8 {
            if !first.is_empty() {
                self.run("quick", first);
            }
            let output = self.run(which, arguments);
            match code(&output) {
                Some(3) => return Some(output),
                Some(0) => {}
                other => panic!("{other:?}: {}{}", stdout(&output), stderr(&output)),
            }
            let unsure = ["contended", "may be", "imprecise", "unstable"];
            let said = format!("{}{}", stdout(&output), stderr(&output));
            assert!(unsure.iter().any(|word| said.contains(word)), "{said}");
        }
        eprintln!("SKIPPED: in eight runs there was no quiet moment");
        None
    }

    fn baseline(&self, name: &str) -> PathBuf {
        self.0.join("fencepost/baselines").join(name).join("record.json")
    }
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn change(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).expect("a baseline");
    assert!(text.contains(from), "{text}");
    std::fs::write(path, text.replace(from, to)).expect("a changed baseline");
}

#[test]
fn candidates_are_compared_with_the_first() {
    if !measures() {
        return;
    }
    let output = run("compared", &["--bench", "--min-secs", "0.03", "--max-secs", "0.5", "--format", "json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let record = Record::from_json(&stdout(&output)).expect("a record");
    let pairs: Vec<(&str, &str)> =
        record.comparisons.iter().map(|one| (one.of.as_str(), one.to.as_str())).collect();
    assert_eq!(
        pairs,
        [
            ("agree/shift/throughput", "agree/divide/throughput"),
            ("agree/multiply/throughput", "agree/divide/throughput"),
            ("chain/two/latency", "chain/one/latency"),
        ]
    );
    for one in &record.comparisons {
        assert!(one.lo <= one.ratio && one.ratio <= one.hi, "{one:?}");
        assert!(one.sentence.contains(&one.of) && one.sentence.ends_with('.'), "{one:?}");
    }
    // The same function; a neighbour may keep it from being told, but never makes it another.
    let chain = &record.comparisons[2];
    assert!(matches!(chain.difference, Difference::None | Difference::Unclear), "{chain:?}");
}

#[test]
fn a_filter_that_leaves_one_candidate_leaves_nothing_to_compare() {
    if !measures() {
        return;
    }
    let output = run("compared", &["--bench", "--max-secs", "0.2", "--format", "json", "agree/shift"]);
    let record = Record::from_json(&stdout(&output)).expect("a record");
    assert_eq!((record.results.len(), record.comparisons.len()), (1, 0), "{}", stderr(&output));
}

#[test]
fn candidates_that_disagree_are_named_with_the_input_and_not_measured() {
    let output = run("disagreeing", &[]);
    let said = stderr(&output);
    assert_eq!(code(&output), Some(1), "{said}");
    for part in
        ["comparison \"average\"", "(4294967295, 1)", "2147483648", "0", "wide", "input 2", "unchecked"]
    {
        assert!(said.contains(part), "{said} lacks {part:?}");
    }
    let shown = stdout(&output);
    assert!(shown.contains("average/wide/throughput ... FAILED"), "{shown}");
    for sound in ["close/one", "close/other", "different/up", "different/down"] {
        assert!(shown.contains(&format!("{sound}/throughput ... ok")), "{shown}");
    }
    // What is not selected is not checked.
    assert_eq!(code(&run("disagreeing", &["close"])), Some(0));
}

#[test]
fn a_comparison_has_two_sides() {
    let output = run("alone", &["--list"]);
    assert_eq!(code(&output), Some(1));
    assert!(stderr(&output).contains("\"alone\" has 1 candidates"), "{}", stderr(&output));
}

#[test]
fn a_run_is_saved_and_a_slower_one_is_past_its_limit() {
    if !measures() {
        return;
    }
    let target = Target::new("saved");
    let output = target.run("quick", &["--save-baseline", "main"]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    let before = std::fs::read_to_string(target.baseline("main")).expect("the baseline");
    Record::from_json(&before).expect("a record");

    let output = target.run("quick", &["--list-baselines"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (Some(0), "main\n"));

    let output = target.run("quick", &["--baseline", "main", "--limit", "40%"]);
    assert_eq!(code(&output), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains("against baseline main"), "{}", stdout(&output));

    // Three multiplications where there was one.
    let Some(output) =
        target.past(&["--save-baseline", "main"], "slow", &["--baseline", "main", "--limit", "40%", "chain"])
    else {
        return;
    };
    assert!(stdout(&output).contains("slower"), "{}", stdout(&output));
    // What the filter leaves out is not missed.
    assert!(!stdout(&output).contains("\nother"), "{}", stdout(&output));

    // The record stays alone on standard output, and the baseline as it was.
    let before = std::fs::read_to_string(target.baseline("main")).expect("the baseline");
    let Some(output) =
        target.past(&[], "slow", &["--baseline", "main", "--limit", "40%", "--format", "json"])
    else {
        return;
    };
    Record::from_json(&stdout(&output)).expect("a record");
    assert!(stderr(&output).contains("slower"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(target.baseline("main")).expect("the baseline"), before);
}

#[test]
fn a_cost_can_be_limited_without_a_baseline() {
    if !measures() {
        return;
    }
    let target = Target::new("limited");
    target.past(&[], "quick", &["--limit", "<=0.5cyc", "chain"]);
    // Its own limit comes before the run's.
    let output = target.run("quick", &["--limit", "<=0.5cyc", "other"]);
    assert_eq!(code(&output), Some(0), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn a_baseline_that_cannot_serve_is_named_before_anything_is_measured() {
    let target = Target::new("unfit");
    for (arguments, words) in [
        (&["--baseline", "never"][..], &["no baseline \"never\"", "--save-baseline"][..]),
        (&["--save-baseline", "../up"], &["../up"]),
        (&["--limit", "5%"], &["--limit 5 %", "--baseline"]),
        (&["--limit", "5 parsecs"], &["5 parsecs"]),
    ] {
        let output = target.run("quick", arguments);
        assert_eq!(code(&output), Some(1), "{arguments:?}");
        assert_eq!(stdout(&output), "", "{arguments:?}");
        for word in words {
            assert!(stderr(&output).contains(word), "{arguments:?}: {}", stderr(&output));
        }
    }
}

#[test]
fn a_target_directory_that_takes_nothing_loses_no_result() {
    if !measures() {
        return;
    }
    let target = Target::new("refusing");
    let file = target.0.join("file");
    std::fs::write(&file, "in the way").expect("a file");
    let closed = target.0.join("closed");
    std::fs::create_dir(&closed).expect("a directory");
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o555);
    std::fs::set_permissions(&closed, permissions).expect("read-only");
    let mut refusing = vec![file.join("below"), PathBuf::from("/proc/fencepost")];
    // Root may write there whatever its mode is.
    if std::fs::write(closed.join("tried"), "").is_err() {
        refusing.push(closed);
    }
    for directory in refusing {
        let csv = target.0.join("out.csv");
        let arguments =
            ["--bench", "--min-secs", "0.02", "--max-secs", "0.3", "--save-baseline", "main", "--csv"];
        let arguments = [&arguments[..], &[csv.to_str().expect("UTF-8")]].concat();
        let output = command("quick", &arguments)
            .env("CARGO_TARGET_DIR", &directory)
            .output()
            .expect("the fixture runs");
        let said = stderr(&output);
        assert_eq!(code(&output), Some(1), "{directory:?}: {said}");
        assert!(stdout(&output).contains("chain"), "the results are shown: {}", stdout(&output));
        for words in ["error: cannot ", directory.to_str().expect("UTF-8"), "CARGO_TARGET_DIR"] {
            assert!(said.contains(words), "{words}: {said}");
        }
        assert!(std::fs::read_to_string(&csv).expect("the rows").contains("\r\nchain,"));
        std::fs::remove_file(&csv).expect("the rows");
    }
}

#[test]
fn damage_and_other_machines_are_told_and_nothing_is_lost() {
    if !measures() {
        return;
    }
    let target = Target::new("damaged");
    assert_eq!(code(&target.run("quick", &["--save-baseline", "main"])), Some(0));
    let path = target.baseline("main");
    let whole = std::fs::read_to_string(&path).expect("the baseline");

    change(&path, "\"vendor\": \"", "\"vendor\": \"Other");
    let output = target.run("quick", &["--baseline", "main"]);
    assert_eq!(code(&output), Some(1));
    assert!(stderr(&output).contains("vendor"), "{}", stderr(&output));
    assert!(stdout(&output).contains("chain"), "the results are shown: {}", stdout(&output));

    std::fs::write(&path, &whole[..whole.len() / 2]).expect("a baseline cut in half");
    let output = target.run("quick", &["--baseline", "main"]);
    assert_eq!(code(&output), Some(1));
    assert!(
        stderr(&output).contains("record.json") && stderr(&output).contains("ends early"),
        "{}",
        stderr(&output)
    );
    let output = target.run("quick", &["--save-baseline", "main"]);
    assert_eq!(code(&output), Some(1), "a damaged one is not overwritten silently");
    assert_eq!(std::fs::read_to_string(&path).expect("still there").len(), whole.len() / 2);
}
