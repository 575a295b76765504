//! Does `fencepost doctor` say whether a machine can measure, on one screen, and what mends what it found?

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::Scratch;
use fencepost::record::Record;

fn doctor(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .arg("doctor")
        .args(arguments)
        .env_remove("COLUMNS")
        .output()
        .expect("fencepost runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn fits_a_screen(page: &str) {
    assert!(page.lines().count() <= 60, "{} lines:\n{page}", page.lines().count());
    // What may not be broken, a command to be copied, is wrapped all the same.
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
}

#[test]
fn this_machine_fits_one_screen_with_figures_or_the_reason_why_not() {
    let output = doctor(&["--secs", "0.2"]);
    let page = text(&output.stdout);
    fits_a_screen(&page);
    match output.status.code() {
        Some(0) => {
            for word in ["can measure", "counter", "fence pair", "gauge", "NOPs a cycle", "interrupts"] {
                assert!(page.contains(word), "{word} is not in\n{page}");
            }
        }
        Some(4) => assert!(page.contains("CANNOT MEASURE HERE: "), "{page}"),
        other => panic!("{other:?}: {}", text(&output.stderr)),
    }
}

#[test]
fn json_is_a_record_with_findings_and_figures() {
    let output = doctor(&["--json", "--secs", "0.1"]);
    let shown = text(&output.stdout);
    let record = Record::from_json(&shown).expect("a record");
    let value: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
    assert!(value["findings"].is_array());
    if output.status.code() == Some(0) {
        assert_eq!(value["doctor"]["can_measure"], true);
        let now = &value["doctor"]["now"];
        let quiet = now["gauge_quiet_share"].as_f64().expect("a share");
        assert!((0.0..=1.0).contains(&quiet), "{quiet}");
        assert!(record.calibration.tsc_hz > 1e6, "{}", record.calibration.tsc_hz);
        // Each finding that a second can tell of has a figure.
        for finding in record.findings.iter().filter(|one| ["smt", "hypervisor", "turbo"].contains(&&*one.id))
        {
            assert!(finding.effect.contains("; now: "), "{finding:?}");
        }
    }
}

fn machines() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/machines");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("recorded machines").map(|entry| entry.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    assert!(files.len() >= 5, "{files:?}");
    files
}

#[test]
fn every_recorded_machine_fits_a_screen_and_those_that_cannot_measure_end_with_4() {
    let mut refused = 0;
    for path in machines() {
        let output = doctor(&["--machine", path.to_str().expect("UTF-8")]);
        let page = text(&output.stdout);
        fits_a_screen(&page);
        match output.status.code() {
            Some(0) => assert!(page.contains("can measure"), "{path:?}\n{page}"),
            Some(4) => {
                refused += 1;
                assert!(page.starts_with("CANNOT MEASURE HERE: "), "{path:?}\n{page}");
                let output = doctor(&["--json", "--machine", path.to_str().expect("UTF-8")]);
                let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
                assert_eq!(value["doctor"]["can_measure"], false);
                assert!(value["doctor"]["reason"].is_string());
                assert_eq!(output.status.code(), Some(4));
            }
            other => panic!("{path:?}: {other:?}: {}", text(&output.stderr)),
        }
    }
    assert!(refused > 0, "a machine without an invariant counter is among them");
}

#[test]
fn a_machine_that_was_captured_is_described_again() {
    let captured = text(&doctor(&["--capture"]).stdout);
    let scratch = Scratch::new("doctor");
    let path = scratch.save("machine.json", &captured);
    let output = doctor(&["--machine", path.to_str().expect("UTF-8")]);
    fs::write(&path, &captured[..captured.len() / 2]).expect("a file");
    let damaged = doctor(&["--machine", path.to_str().expect("UTF-8")]);
    assert!(text(&output.stdout).contains("machine"), "{}", text(&output.stderr));
    assert_eq!(damaged.status.code(), Some(1));
    assert!(text(&damaged.stderr).contains("no recorded machine"), "{}", text(&damaged.stderr));
    assert_eq!(doctor(&["--core", "99999"]).status.code(), Some(1));
    assert_eq!(doctor(&["--secs", "-1"]).status.code(), Some(1));
}
