//! Does what cannot be counted end with a clear error, and do the others run on?

use std::fs;
use std::process::Command;
use std::time::Instant;

use fencepost::record::Record;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::common::{Started, until};

use super::place::{Place, cause, counts, counts_of, fixture, said, shown};

#[test]
fn without_valgrind_the_package_is_named_and_the_exit_status_is_4() {
    let place = Place::new();
    let empty = place.path().join("bin");
    fs::create_dir(&empty).unwrap();
    let programs: [(&str, Command); 2] = [
        ("the suite", place.command(&["rounds"])),
        ("the example", {
            let mut command = Command::new(cause());
            command.env("CARGO_TARGET_DIR", place.path());
            command
        }),
    ];
    for (name, mut command) in programs {
        let output = command.env("PATH", &empty).output().expect("it runs");
        assert_eq!(output.status.code(), Some(4), "{name}: {}", said(&output));
        let told = said(&output);
        assert!(told.contains("no valgrind in PATH") && told.contains("apt-get install valgrind"), "{told}");
        assert_eq!(told.lines().count(), 1, "one sentence: {told}");
        assert!(shown(&output).is_empty());
    }
}

#[test]
fn a_valgrind_that_does_not_work_is_said_to() {
    let place = Place::new();
    let bin = place.path().join("bin");
    fs::create_dir(&bin).unwrap();
    let with = |script: &str| {
        crate::common::script(&bin, "valgrind", script);
        let output =
            place.command(&["rounds", "bit_mix/latency"]).env("PATH", &bin).output().expect("it runs");
        (output.status.code(), said(&output))
    };
    let (code, told) = with("exit 1");
    assert!(code == Some(4) && told.contains("does not tell its version"), "{told}");
    // One that says it is Valgrind, and counts nothing.
    let (code, told) = with("[ \"$1\" = --version ] && echo valgrind-9.9.9; exit 0");
    assert!(code == Some(1) && told.contains("was not counted to its end"), "{told}");
    assert!(told.contains("2 of 2 benchmarks failed"), "{told}");
    let (code, told) =
        with("[ \"$1\" = --version ] && echo valgrind-9.9.9 && exit 0; echo out of order >&2; exit 7");
    assert!(code == Some(1) && told.contains("exit status 7") && told.contains("out of order"), "{told}");
}

#[test]
fn what_panics_aborts_exits_or_hangs_is_named_with_its_log_and_the_others_run_on() {
    if !counts() {
        return;
    }
    let place = Place::new();
    // So long that what ends by itself does so on any machine: ten times what one of them takes on this one, now.
    let begun = Instant::now();
    place.told(&["rounds"]);
    let limit = (10.0 * begun.elapsed().as_secs_f64()).ceil().max(10.0).to_string();
    let selected = ["panics", "hangs", "aborts", "exits", "rounds", "many/29"];
    let output = place.run(&[&selected[..], &["--time-limit", &limit, "--format", "json"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let told = said(&output);
    let of = |id: &str| {
        told.lines()
            .find(|line| line.starts_with("error:") && line.contains(&format!("{id:?}")))
            .unwrap_or_else(|| panic!("{id}: {told}"))
    };
    let late = format!("did not end within {limit} s");
    for (id, words) in [
        ("fails/panics", &["the kernel's own words", "fails.panics"][..]),
        ("fails/hangs", &[&late, "--time-limit"]),
        ("fails/aborts", &["SIGABRT", "abort"]),
        ("fails/exits", &["was not counted to its end", "calls exit"]),
    ] {
        for word in words {
            assert!(of(id).contains(word), "{id}, {word}: {}", of(id));
        }
    }
    assert!(told.contains("4 of 6 benchmarks failed"), "{told}");
    let record = Record::from_json(&shown(&output)).expect("a record");
    assert!(!record.complete && record.results.len() == 2);
    assert_eq!(counts_of(&record, "rounds").instructions, 200.0);
}

#[test]
fn avx_512_is_refused_by_the_name_of_the_instruction() {
    if !counts() {
        return;
    }
    let place = Place::new();
    let output = place.run(&["avx512", "guarded", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let told = said(&output);
    let named = "vmovdqa32 zmm0,";
    if cfg!(feature = "predict") {
        // What the loop holds or always calls is found before anything runs.
        for id in ["fails/avx512/inside", "fails/avx512/called"] {
            let refused = format!("benchmark {id:?} cannot be counted: it executes \"{named}");
            assert!(told.contains(&refused), "{told}");
            assert!(!place.profiles(&id.replace('/', ".")).exists(), "{id} was not started");
        }
        assert!(told.contains("counted by 2 starts"), "{told}");
    }
    // What is called by a pointer is found by Valgrind.
    let hidden = told.lines().find(|line| line.contains("avx512/hidden")).expect("it failed, too");
    assert!(hidden.contains("Valgrind does not know the instruction"), "{hidden}");
    assert!(hidden.contains("(AVX-512)") && hidden.contains("62 f1 7d 48 6f 04 24"), "{hidden}");
    assert!(!cfg!(feature = "predict") || hidden.contains(named), "{hidden}");
    // And what asks the CPU first is counted, the way without it.
    let record = Record::from_json(&shown(&output)).expect("a record");
    assert!(counts_of(&record, "guarded").instructions >= 2000.0);
    assert_eq!(record.results.len(), 1);
}

#[test]
fn options_that_mean_nothing_are_refused_with_what_to_do() {
    let place = Place::new();
    for (arguments, words) in [
        (&["--jobs", "0"][..], &["--jobs is \"0\"", "at least 1"][..]),
        (&["--cache", "L1=3"], &["L1=3", "D1=32768,8,64"]),
        (&["--cache", "D1=32768,8,63"], &["powers of two"]),
        (&["--weights", "1,2"], &["three numbers"]),
        (&["--limit", "cycles=1%"], &["is none of instructions, l1, l2, ram, estimated, mispredictions"]),
        (&["--limit", "instructions=1"], &["neither a share nor a count"]),
        (&["--limit", "5%"], &["one of times", "instructions=1%"]),
        (&["--limit", "ram=1%,ram=2%"], &["limited twice"]),
        (&["--explain", "rounds", "rounts"], &["no benchmark named \"rounts\"", "did you mean \"rounds\"?"]),
        (&["--explain", "rounds"], &["--explain"]),
        (&["--time-limit", "0"], &["seconds above 0"]),
        (&["--time-limit", "soon"], &["seconds above 0"]),
        (&["--count-one", "0123456789abcdef"], &["no benchmark with the key"]),
        (&["--core", "0"], &["the mode is cachegrind", "--core"]),
        (&["--samples", "7"], &["the mode is cachegrind", "--samples"]),
    ] {
        let output = place.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", said(&output));
        assert!(words.iter().all(|word| said(&output).contains(word)), "{arguments:?}: {}", said(&output));
        assert!(shown(&output).is_empty(), "{arguments:?}");
    }
    // And options of counting say nothing where nothing is counted.
    for arguments in [&["--jobs", "2"][..], &["--branch-sim"], &["--annotate"], &["--limit", "ram=1%"]] {
        let output =
            Command::new(fixture()).arg("--bench").args(arguments).output().expect("the fixture runs");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(said(&output).contains("cachegrind"), "{arguments:?}: {}", said(&output));
    }
}

#[test]
fn a_directory_that_cannot_be_written_and_a_full_disk_are_errors() {
    if !counts() {
        return;
    }
    let place = Place::new();
    let file = place.path().join("file");
    fs::write(&file, "").unwrap();
    let output = place.command(&["rounds"]).env("CARGO_TARGET_DIR", &file).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said(&output).contains("cannot create") && said(&output).contains("CARGO_TARGET_DIR"),
        "{}",
        said(&output)
    );
    let full = fs::File::options().write(true).open("/dev/full").expect("/dev/full");
    let output = place.command(&["rounds"]).stdout(full).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
}

#[test]
fn whoever_reads_no_further_ends_it_quietly() {
    if !counts() {
        return;
    }
    let place = Place::new();
    let mut command = Command::new(cause());
    command.env("CARGO_TARGET_DIR", place.path());
    let mut child = Started::new(&mut command);
    drop(child.child().stdout.take());
    let output = child.ended();
    assert!(output.status.code().is_some(), "not by a signal");
    assert!(!said(&output).contains("panicked") && !said(&output).contains("error"), "{}", said(&output));
}

#[test]
fn an_interrupt_ends_what_runs_under_valgrind_too() {
    if !counts() {
        return;
    }
    let place = Place::new();
    let mut command = place.command(&["hangs", "rounds", "--jobs", "1", "--format", "json"]);
    let child = Started::new(&mut command);
    let log = place.profiles("fails.hangs").join("valgrind.log");
    until("it runs", || fs::metadata(&log).is_ok_and(|metadata| metadata.len() > 0));
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = child.ended();
    let record =
        Record::from_json(&shown(&output)).unwrap_or_else(|error| panic!("{error}: {}", said(&output)));
    assert!(!record.complete);
    // Nothing that was started is left: its number stands in the log.
    let text = fs::read_to_string(&log).unwrap();
    let number =
        text.split("==").nth(1).and_then(|number| number.parse::<i32>().ok()).expect("a process number");
    until("what was started is gone", || kill(Pid::from_raw(number), None).is_err());
}
