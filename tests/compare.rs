//! Does `fencepost compare` say what changed between saved runs, in each form, and end as it should?

mod common;

use std::path::Path;
use std::process::{Command, Output};

use common::Scratch;
use fencepost::record::{BenchmarkResult, CycleEstimate, Record, Verdict};

fn cost(id: &str, cycles: f64) -> BenchmarkResult {
    BenchmarkResult {
        id: id.to_owned(),
        verdict: Verdict::Converged,
        cycles: Some(CycleEstimate {
            estimate: cycles,
            lo: cycles * 0.999,
            hi: cycles * 1.001,
            ..CycleEstimate::default()
        }),
        ..BenchmarkResult::default()
    }
}

fn run(results: Vec<BenchmarkResult>) -> Record {
    Record { complete: true, results, ..Record::default() }
}

fn compare(arguments: &[&Path], options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .arg("compare")
        .args(options)
        .args(arguments)
        .env_remove("COLUMNS")
        .output()
        .expect("fencepost runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

const HOSTILE: &str = "=cmd|'<script>alert(1)</script>\u{1b}[31m\u{202e}gnp";

#[test]
fn each_form_has_the_ratio_and_a_limit_that_is_passed_ends_with_3() {
    let scratch = Scratch::new("compare-forms");
    let old = scratch.save("old.json", run(vec![cost("mix", 10.0), cost(HOSTILE, 4.0)]).to_json());
    let new = scratch.save("new.json", run(vec![cost("mix", 12.0), cost(HOSTILE, 4.0)]).to_json());
    let files = [old.as_path(), new.as_path()];
    for (format, expected) in [
        ("text", "slower, REGRESSION"),
        ("markdown", "| mix | 10.00 cyc | 12.00 cyc | 1.20"),
        ("json", "\"schema\":\"fencepost-comparison/1\""),
        ("csv", ",mix,10.00 cyc,12.00 cyc,1."),
    ] {
        let output = compare(&files, &["--limit", "5%", "--format", format]);
        let shown = text(&output.stdout);
        assert_eq!(output.status.code(), Some(3), "{format}: {}", text(&output.stderr));
        assert!(shown.contains(expected), "{format} lacks {expected}:\n{shown}");
        assert!(!shown.contains('\u{1b}') && format == "json" || !shown.contains('\u{202e}'), "{shown}");
        if format == "csv" {
            assert!(shown.contains("'=cmd"), "a formula is defused:\n{shown}");
        }
        if format == "text" {
            assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
        }
        if format == "markdown" {
            assert!(!shown.contains("<script>"), "{shown}");
        }
    }
    assert_eq!(compare(&files, &[]).status.code(), Some(0), "without a limit nothing is past one");
}

#[test]
fn several_files_are_compared_with_the_first_or_shown_side_by_side() {
    let scratch = Scratch::new("compare-several");
    let save = |name: &str, cycles| scratch.save(name, run(vec![cost("mix", cycles)]).to_json());
    let (one, two, three) = (save("1.json", 10.0), save("2.json", 10.0), save("3.json", 20.0));
    let files = [one.as_path(), two.as_path(), three.as_path()];
    let output = compare(&files, &["--format", "json", "--limit", "5%"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let verdicts: Vec<_> =
        value.as_array().expect("an array").iter().map(|one| one["results"][0]["verdict"].clone()).collect();
    assert_eq!(verdicts, ["no_difference", "slower"]);
    assert_eq!(output.status.code(), Some(3));

    let mut elsewhere = run(vec![cost("mix", 30.0), cost("alone", 1.0)]);
    elsewhere.machine.vendor = "GenuineIntel".to_owned();
    elsewhere.machine.microarchitecture = Some("Golden Cove".to_owned());
    let mut here = run(vec![cost("mix", 10.0)]);
    here.machine.vendor = "AuthenticAMD".to_owned();
    here.machine.microarchitecture = Some("Zen 3".to_owned());
    let (here, elsewhere) =
        (scratch.save("here.json", here.to_json()), scratch.save("else.json", elsewhere.to_json()));
    let files = [here.as_path(), elsewhere.as_path()];
    let refused = compare(&files, &[]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("microarchitecture differs"), "{}", text(&refused.stderr));
    for format in ["text", "markdown", "json", "csv"] {
        let output = compare(&files, &["--side-by-side", "--format", format]);
        let shown = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(shown.contains("30.00 cyc") && shown.contains("alone"), "{format}:\n{shown}");
    }
}

#[test]
fn what_is_no_record_is_refused_in_a_sentence() {
    let scratch = Scratch::new("compare-refused");
    let good = scratch.save("good.json", run(vec![cost("mix", 10.0)]).to_json());
    let whole = run(vec![cost("mix", 10.0)]).to_json();
    for (name, content, words) in [
        ("newer.json", whole.replace("fencepost/1", "fencepost/2"), "fencepost/2"),
        ("older.json", whole.replace("fencepost/1", "fencepost/0"), "fencepost/0"),
        ("cut.json", whole[..whole.len() / 2].to_owned(), "ends early"),
        ("foreign.json", r#"{"context":{},"benchmarks":[]}"#.to_owned(), "no field \"schema\""),
        ("empty.json", String::new(), "empty"),
    ] {
        let bad = scratch.save(name, &content);
        let output = compare(&[&good, &bad], &[]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {said}");
        assert!(said.contains(name) && said.contains(words) && !said.contains("panicked"), "{name}: {said}");
        assert!(output.stdout.is_empty());
    }
    let output = compare(&[&good, Path::new("nowhere.json")], &[]);
    assert!(text(&output.stderr).contains("nowhere.json cannot be read"), "{}", text(&output.stderr));
    assert_eq!(compare(&[&good, &good], &["--limit", "much"]).status.code(), Some(1));
}
