//! Does a bench target behave as `cargo bench`, `cargo test --benches`, nextest, a shell and a spreadsheet expect? Its binary is
//! run as they run it.
#![cfg(feature = "suite")]

use fencepost::record::{Record, Verdict};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

mod common;
#[path = "suite/runs.rs"]
mod runs;

use common::{Scratch, Started, measures, said as stderr, until};
use runs::{command, run, stdout, told};

/// Measures something, quickly.
const QUICK: [&str; 6] = ["--bench", "--min-secs", "0.01", "--max-secs", "0.1", "--quiet"];

fn quick<'a>(more: &[&'a str]) -> Vec<&'a str> {
    QUICK.iter().copied().chain(more.iter().copied()).collect()
}

const NAMES: [&str; 7] =
    ["mix/latency", "mix/throughput", "group/one", "group/two", "sum/16", "sum/64", "=cmd,routine"];

#[test]
fn test_runners_are_told_names_and_nothing_else() {
    let lines: String = NAMES.iter().map(|name| format!("{name}: benchmark\n")).collect();
    assert_eq!(told("", &["--list", "--format", "terse"]), lines);
    assert_eq!(told("", &["--list", "--format", "terse", "--ignored"]), "");
    assert_eq!(told("", &["--list"]), format!("{lines}\n0 tests, 7 benchmarks\n"));
    assert_eq!(told("", &["--bench", "--list", "--format", "terse"]), lines, "cargo bench -- --list");
    let names: Vec<String> = serde_json::from_str(&told("", &["--list", "--format", "json"])).unwrap();
    assert_eq!(names, NAMES);
    assert_eq!(told("", &["--list", "--format", "csv", "cmd"]), "id\r\n\"'=cmd,routine\"\r\n");
}

#[test]
fn filters_select_by_part_and_by_whole_name() {
    let names = |arguments: &[&str]| -> Vec<String> {
        let all = [&["--list", "--format", "terse"], arguments].concat();
        told("", &all).lines().map(|line| line.trim_end_matches(": benchmark").to_owned()).collect()
    };
    assert_eq!(names(&["mix"]), ["mix/latency", "mix/throughput"]);
    assert_eq!(names(&["latency", "sum/6"]), ["mix/latency", "sum/64"]);
    assert_eq!(names(&["sum/16", "--exact"]), ["sum/16"]);
    assert_eq!(names(&["mix", "--skip", "throughput"]), ["mix/latency"]);
    assert!(names(&["nothing-of-this-name"]).is_empty());
}

#[test]
fn a_name_that_is_not_there_is_answered_with_the_nearest() {
    let output = run("", &["mix/latancy", "--exact"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("did you mean \"mix/latency\""), "{}", stderr(&output));
    // Another bench target may have what a filter means.
    let output = run("", &["grop"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("did you mean \"group\""), "{}", stderr(&output));
}

#[test]
fn without_bench_each_runs_once_and_nothing_is_measured() {
    let shown = told("", &[]);
    for name in NAMES {
        assert!(shown.contains(&format!("{name} ... ok\n")), "{shown}");
    }
    let shown = told("", &["sum/16", "--nocapture", "--exact"]);
    assert!(shown.contains("sum/16 ... ok") && !shown.contains("sum/64"), "{shown}");
    assert!(!told("", &["--bench", "--test"]).contains("cyc"), "cargo bench -- --test measures nothing");
    let record = Record::from_json(&told("", &["--format", "json"])).unwrap();
    assert_eq!(record.results.len(), NAMES.len());
    for result in &record.results {
        assert_eq!(
            (result.verdict, result.sentence.as_str()),
            (Verdict::MinimumsUnmet, "Nothing was measured.")
        );
        assert!(result.ticks.estimate.is_nan());
    }
}

#[test]
fn wrong_use_ends_with_1_and_a_sentence_and_prints_nothing() {
    let wrong: [(&[&str], &str); 7] = [
        (&["--bench", "--max-sec", "3"], "--max-secs"),
        (&["--bench", "--json"], "--json has no value"),
        (&["--seed", "3"], "--mode adaptive"),
        (&["--mode", "best-of", "--target-precision", "1"], "adaptive"),
        (&["--bench", "--min-secs", "3", "--max-secs", "2"], "minimum time is 3 s"),
        (&["--bench", "--core", "100000"], "100000"),
        if cfg!(feature = "placements") {
            (&["--bench", "--placements", "9"], "1 to 8")
        } else {
            (&["--bench", "--placements", "4"], "features = [\"placements\"]")
        },
    ];
    for (arguments, words) in wrong {
        let output = run("", arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        let said = stderr(&output);
        assert!(said.starts_with("error: ") && said.contains(words), "{arguments:?}: {said}");
    }
    let output = run("twice", &["--list"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("two benchmarks are named \"twice\""), "{}", stderr(&output));
}

#[test]
fn the_record_stands_alone_on_standard_output() {
    if !measures() {
        return;
    }
    let record = Record::from_json(&told("", &quick(&["--format", "json", "--seed", "7"]))).unwrap();
    assert!(record.complete);
    assert_eq!(record.results.iter().map(|result| result.id.as_str()).collect::<Vec<_>>(), NAMES);
    assert_eq!(serde_json::to_value(&record.settings).unwrap()["seed"], 7);
    assert_eq!(serde_json::to_value(&record.settings).unwrap()["mode"], "adaptive");
    let of = |id: &str| &record.results.iter().find(|result| result.id == id).unwrap().counters;
    assert_eq!(of("=cmd,routine")["answer"], 42.0);
    assert_eq!(of("sum/64")["elements"], 64.0);
    assert!(of("sum/64")["elements_per_sec"] > 1e6, "{:?}", of("sum/64"));
    let bound = |id: &str| record.results.iter().any(|result| result.id == id && result.upper_bound);
    match of("group/two").get("relative_pct") {
        Some(share) if bound("group/one") || bound("group/two") => {
            eprintln!("NOT JUDGED: {share} % of a bound")
        }
        Some(share) => assert!((130.0..400.0).contains(share), "two multiplications beside one: {share} %"),
        None => assert!(bound("group/one") && bound("group/two"), "no share is claimed of two bounds alone"),
    }
}

#[test]
fn text_keeps_its_width_and_has_no_escapes_but_those_asked_for() {
    if !measures() {
        return;
    }
    let shown = told(
        "",
        &quick(&["--verbose"])[..].iter().copied().filter(|one| *one != "--quiet").collect::<Vec<_>>(),
    );
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    assert!(!shown.contains('\x1b'));
    for words in ["per element", "relative to group/one", "counters", "settings", "elem/s"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(told("", &quick(&["mix/latency", "--color", "always"])).contains("\x1b["));
}

#[test]
fn files_are_written_and_one_that_cannot_be_keeps_nothing_from_the_others() {
    if !measures() {
        return;
    }
    let directory = Scratch::new("suite");
    let path = |name: &str| directory.join(name).to_str().unwrap().to_owned();
    let (json, csv, bmf) = (path("missing/out.json"), path("out.csv"), path("out.bmf"));
    let output = run("", &quick(&["--json", &json, "--csv", &csv, "--bmf", &bmf, "--format", "csv"]));
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("missing/out.json"), "{}", stderr(&output));
    let rows = std::fs::read_to_string(&csv).unwrap();
    assert_eq!(rows, stdout(&output));
    assert_eq!(rows.lines().count(), 1 + NAMES.len());
    assert!(rows.contains("\n\"'=cmd,routine\",routine,1,"), "{rows}");
    let metrics: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&bmf).unwrap()).unwrap();
    for measure in ["latency", "cycles"] {
        let metric = &metrics["mix/latency"][measure];
        let at = |name: &str| metric[name].as_f64().unwrap();
        assert!(at("lower_value") <= at("value") && at("value") <= at("upper_value"), "{metric}");
    }
    // A full disk under standard output.
    let mut full = command("", &quick(&["mix", "--csv", &csv]));
    std::fs::remove_file(&csv).unwrap();
    let full =
        full.stdout(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap()).output().unwrap();
    assert_eq!(full.status.code(), Some(1));
    assert!(stderr(&full).contains("standard output"), "{}", stderr(&full));
    assert!(std::fs::exists(&csv).unwrap());
}

#[test]
fn a_device_is_written_to_and_not_replaced() {
    if !measures() {
        return;
    }
    let shown = told("", &quick(&["mix/latency", "--csv", "/dev/stderr", "--json", "/dev/null"]));
    assert!(shown.contains("mix"), "{shown}");
    use std::os::unix::fs::FileTypeExt;
    assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    // A name of standard output, which is a file here, is written to as well.
    let directory = Scratch::new("suite");
    let file = directory.join("standard.out");
    let arguments = quick(&["mix/latency", "--format", "terse", "--csv", "/dev/stdout"]);
    let status = command("", &arguments).stdout(std::fs::File::create(&file).unwrap()).status().unwrap();
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(status.success() && written.contains("\r\nmix/latency,latency,1,"), "{written}");
    assert!(std::fs::symlink_metadata("/dev/stdout").unwrap().is_symlink());
}

#[test]
fn a_reader_that_has_gone_is_no_error() {
    let mut child = Started::new(&mut command("small", &["--list"]));
    drop(child.child().stdout.take());
    let output = child.ended();
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
}

#[test]
fn of_a_thousand_benchmarks_only_those_that_run_make_their_inputs() {
    let inputs = |which: &str, arguments: &[&str]| {
        let output = run(which, arguments);
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        let told = stderr(&output);
        let made = told.lines().find_map(|line| line.strip_prefix("inputs made: ")?.parse::<u32>().ok());
        (stdout(&output), made.unwrap_or_else(|| panic!("{told}")))
    };
    let (listed, made) = inputs("large", &["--list", "--format", "terse"]);
    assert_eq!((listed.lines().count(), made), (1000, 0));
    assert_eq!(inputs("large", &["large/7", "--exact"]).1, 1, "of one that runs");
    let ran = told("small", &[]);
    assert_eq!(ran.matches(" ... ok").count(), 1000);
}

#[test]
fn a_panic_fails_its_benchmark_and_no_other() {
    let output = run("panics", &[]);
    assert_eq!(output.status.code(), Some(1));
    let shown = stdout(&output);
    assert!(shown.contains("panics ... FAILED") && shown.contains("sound/after ... ok"), "{shown}");
    assert!(stderr(&output).contains("1 of 3 benchmarks failed: \"panics\""), "{}", stderr(&output));
    if measures() {
        let output = run("panics", &quick(&["--format", "json"]));
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("1 of 3 benchmarks failed: \"panics\""), "{}", stderr(&output));
        let record = Record::from_json(&stdout(&output)).unwrap();
        assert!(!record.complete);
        let ids: Vec<&str> = record.results.iter().map(|result| result.id.as_str()).collect();
        assert_eq!(ids, ["sound/before", "sound/after"]);
    }
}

#[test]
fn an_interrupt_ends_the_run_with_what_there_is() {
    if !measures() {
        return;
    }
    let begin = |more: &[&str]| {
        // For ever, as far as a test is concerned.
        let arguments =
            ["--bench", "--min-secs", "9000", "--max-secs", "9000", "--quiet", "--format", "json"];
        let place = Scratch::new("suite-endless");
        let calls = place.join("calls");
        let mut command = command("endless", &[&arguments, more].concat());
        let child = Started::new(command.env("FENCEPOST_FIXTURE_FILE", &calls));
        // It ran once, and so often when slices were planned: from then on it is measured.
        until("it is measured", || std::fs::metadata(&calls).is_ok_and(|calls| calls.len() > 40));
        kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
        let output = child.ended();
        (output.status.code(), stdout(&output))
    };
    for (more, expected) in [(&[][..], 0), (&["--strict"][..], 2)] {
        let (code, shown) = begin(more);
        assert_eq!(code, Some(expected), "{more:?}");
        let record = Record::from_json(&shown).unwrap();
        assert!(!record.complete);
        assert_eq!(record.results.len(), 2);
        assert!(record.results.iter().all(|result| result.samples.total > 0));
    }
}

#[test]
fn strict_tells_by_the_exit_status_what_did_not_converge() {
    if !measures() {
        return;
    }
    // An interval of nothing is reached by none.
    let never = ["mix/latency", "--target-precision", "0.0000001", "--min-samples", "100000"];
    assert_eq!(run("", &quick(&never)).status.code(), Some(0));
    assert_eq!(run("", &quick(&[&never[..], &["--strict"]].concat())).status.code(), Some(2));
}

#[test]
fn best_of_reports_the_least() {
    if !measures() {
        return;
    }
    let record =
        Record::from_json(&told("", &quick(&["mix/latency", "--mode", "best-of", "--format", "json"])))
            .unwrap();
    assert_eq!(record.results[0].percentile, 0.0);
    assert_eq!(serde_json::to_value(&record.settings).unwrap()["mode"], "best-of");
}
