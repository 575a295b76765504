//! Does a run hold its own against its surroundings? Another run on its core, several processes, the order of registration, signals, a
//! full disk, and memory. The binary of `tests/suite_run/fixture.rs` is run as a user runs it.
#![cfg(feature = "suite")]

mod common;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::{MutexGuard, OnceLock};
use std::thread::sleep;
use std::time::Duration;

use common::{Scratch, Started, alone, bench, measures, number, said, until};
use fencepost::record::{BenchmarkResult, Record, Verdict};
use fencepost::tsc::allowed_cores;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// The executable of the fixture.
fn fixture() -> &'static PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| bench("suite_run_fixture"))
}

/// A directory of one test's own, in which its runs also look for one another; tests that hold one run one after the other.
struct Place(Scratch, #[expect(dead_code, reason = "held")] MutexGuard<'static, ()>);

impl Place {
    fn new() -> Self {
        let alone = alone();
        fixture();
        Self(Scratch::new("run"), alone)
    }

    fn command(&self, which: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(fixture());
        command.args(arguments).env("FENCEPOST_FIXTURE", which).env("XDG_RUNTIME_DIR", self.0.path());
        command.env("FENCEPOST_FIXTURE_FILE", self.0.join("failed")).env_remove("COLUMNS");
        command
    }

    fn run(&self, which: &str, arguments: &[&str]) -> Output {
        self.command(which, arguments).output().expect("the fixture runs")
    }

    fn start(&self, which: &str, arguments: &[&str]) -> Started {
        Started::new(&mut self.command(which, arguments))
    }

    /// Waits until the process holds the core, from when on it measures on it.
    fn until_held(&self, core: usize, by: u32) {
        let path = self.0.join(format!("fencepost/core-{core}.lock"));
        let holds = || fs::read_to_string(&path).is_ok_and(|holder| holder == by.to_string());
        until("it holds its core", holds);
    }

    /// The record of a run that went well.
    fn record(&self, which: &str, arguments: &[&str]) -> Record {
        let output = self.run(which, &[arguments, &["--format", "json"]].concat());
        assert!(output.status.success(), "{arguments:?}: {}", said(&output));
        recorded(&output)
    }
}

fn recorded(output: &Output) -> Record {
    Record::from_json(&String::from_utf8_lossy(&output.stdout)).expect("a record on standard output")
}

fn one<'r>(record: &'r Record, id: &str) -> &'r BenchmarkResult {
    record.results.iter().find(|result| result.id == id).unwrap_or_else(|| panic!("{id} was measured"))
}

fn signal(child: &Started, signal: Signal) {
    kill(Pid::from_raw(child.id() as i32), signal).unwrap();
}

/// Whether a result may be judged; said aloud where not.
fn is_sure(result: &BenchmarkResult) -> bool {
    let sure = result.verdict == Verdict::Converged && !result.upper_bound && result.cycles.is_some();
    if !sure {
        eprintln!("NOT JUDGED: {} is {} on this machine now", result.id, result.verdict);
    }
    sure
}

const QUICK: [&str; 6] = ["--bench", "--quiet", "--min-secs", "0.01", "--max-secs", "0.1"];

fn quick<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&QUICK[..], more].concat()
}

/// Seconds that no test waits for.
const FOR_EVER: &str = "9000";

/// Lasts as many seconds.
fn lasting<'a>(secs: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["--bench", "--quiet", "--min-secs", secs, "--max-secs", secs], more].concat()
}

#[test]
fn two_runs_do_not_measure_on_one_core() {
    if !measures() {
        return;
    }
    let place = Place::new();
    let cores = allowed_cores().unwrap();
    let core = cores[0].to_string();
    let first = place.start("", &lasting(FOR_EVER, &["--core", &core, "--format", "json"]));
    place.until_held(cores[0], first.id());
    let mut second = place.start("", &quick(&["--core", &core, "--format", "json"]));
    if cores.len() > 1 {
        let other = place.run("", &quick(&["--format", "json"]));
        assert_ne!(recorded(&other).calibration.core, cores[0] as u64, "another core is taken");
        assert!(said(&other).contains("another core is taken"), "{}", said(&other));
    }
    // Longer than a wait that is not worth a word.
    sleep(Duration::from_secs(2));
    assert!(second.is_running(), "it did not wait");
    let number = first.id();
    signal(&first, Signal::SIGINT);
    let (first, second) = (first.ended(), second.ended());
    assert!(second.status.success() && first.status.success());
    let note = format!("note: core {core} is being measured on by process {number} (");
    assert!(said(&second).contains(&note), "{}", said(&second));
    assert!(said(&second).contains("note: it became free after"), "{}", said(&second));
    assert!(recorded(&second).findings.iter().all(|finding| finding.id != "core_shared"));
}

#[test]
fn a_run_that_was_killed_holds_no_core() {
    if !measures() {
        return;
    }
    let place = Place::new();
    let cores = allowed_cores().unwrap();
    let core = cores[0].to_string();
    let killed = place.start("", &lasting(FOR_EVER, &["--core", &core]));
    place.until_held(cores[0], killed.id());
    signal(&killed, Signal::SIGKILL);
    killed.ended();
    let next = place.run("", &quick(&["--core", &core]));
    assert_eq!((next.status.code(), said(&next).as_str()), (Some(0), ""));
}

#[test]
fn allocations_are_those_of_the_operation_alone() {
    if !measures() {
        return;
    }
    let place = Place::new();
    let record = place.record("allocates", &quick(&[]));
    let asked = |id: &str| {
        let counters = &one(&record, id).counters;
        (counters["allocations"], counters["allocated_bytes"])
    };
    assert_eq!(asked("nothing"), (0.0, 0.0));
    assert_eq!(asked("in setup alone"), (0.0, 0.0));
    assert_eq!(asked("one"), (1.0, 32.0));
    assert_eq!(asked("grows"), (2.0, 20.0));
    assert_eq!(asked("chain"), (1.0, 8.0));
    assert_eq!(asked("every second"), (0.5, 4.0));
    let (calls, bytes) = asked("in threads");
    assert!(calls > 1.0 && bytes >= f64::from(1 << 20), "{calls} and {bytes}");
    let page = place.run("allocates", &quick(&["--exact", "one"]));
    let page = String::from_utf8_lossy(&page.stdout).into_owned();
    assert!(page.contains("asked of the allocator per operation") && page.contains("32 B"), "{page}");
}

#[test]
fn the_record_and_the_verbose_page_say_what_the_run_took() {
    if !measures() {
        return;
    }
    let place = Place::new();
    let used = place.record("", &quick(&[])).resources.expect("Linux tells");
    assert!(used.max_rss_bytes > 1 << 20 && used.minor_faults > 0, "{used:?}");
    let arguments = ["--bench", "--verbose", "--min-secs", "0.01", "--max-secs", "0.1"];
    let page = place.run("", &arguments);
    let page = String::from_utf8_lossy(&page.stdout).into_owned();
    assert!(page.contains("resources of the run") && page.contains("MiB"), "{page}");
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
}

#[test]
fn the_order_of_registration_changes_no_result() {
    if !measures() {
        return;
    }
    let place = Place::new();
    let arguments = ["--bench", "--quiet", "--max-secs", "0.3"];
    let forward = place.record("order", &arguments);
    let backward = place.record("reversed", &arguments);
    let ids: Vec<&str> = forward.results.iter().map(|result| result.id.as_str()).collect();
    let reversed: Vec<&str> = backward.results.iter().rev().map(|result| result.id.as_str()).collect();
    assert_eq!(ids, reversed);
    let mut compared = 0;
    for id in ids {
        let (one, other) = (one(&forward, id), one(&backward, id));
        // Without an agreeing ruler there are ticks alone, which the finding says.
        let sure = [one, other].map(is_sure) == [true; 2];
        let Some((a, b)) = one.cycles.as_ref().zip(other.cycles.as_ref()).filter(|_| sure) else { continue };
        compared += 1;
        // Intervals of two processes, which say nothing of what differs between processes: a per cent is left for that.
        let apart = (a.lo - b.hi).max(b.lo - a.hi) / a.estimate;
        assert!(apart < 0.01, "{id}: {a:?} and {b:?}");
    }
    eprintln!("{compared} of 6 results compared");
}

#[test]
fn twice_the_elements_at_twice_the_cost_cost_the_same_each() {
    if !measures() {
        return;
    }
    let place = Place::new();
    let record = place.record("elements", &["--bench", "--quiet", "--max-secs", "0.5"]);
    let [Some(twice), Some(once)] = ["chain/2000", "chain/1000"].map(|id| {
        let result = one(&record, id);
        let each = result.counters.get("cycles_per_element").copied();
        each.filter(|_| is_sure(result))
    }) else {
        return;
    };
    assert!((twice / once - 1.0).abs() < 0.05, "{twice} and {once}");
}

#[test]
fn several_processes_give_one_interval_that_spans_them() {
    if !measures() {
        return;
    }
    let place = Place::new();
    let output =
        place.run("order", &["--bench", "--processes", "3", "--max-secs", "0.1", "--format", "json"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("process 3 of 3\n"), "{}", said(&output));
    let record = recorded(&output);
    assert!(record.complete && record.processes == 3);
    let settings = serde_json::to_value(&record.settings).unwrap();
    assert_eq!((&settings["processes"], &settings["mode"]), (&3.into(), &"adaptive".into()));
    let ids: Vec<&str> = record.results.iter().map(|result| result.id.as_str()).collect();
    assert_eq!(ids, ["mix", "mix twice", "square root", "division", "sort", "add"]);
    for result in &record.results {
        // Without an agreeing ruler in each of them there are ticks alone.
        let Some(cycles) = &result.cycles else { continue };
        assert!(cycles.lo <= cycles.estimate && cycles.estimate <= cycles.hi, "{cycles:?}");
        // With two degrees of freedom the interval is 5.39 standard deviations of the mean to each side: wider than the range
        // from the least to the greatest of three, of which none is further from the median than the spread.
        let spread = result.counters["processes_spread_pct"] / 100.0 * cycles.estimate;
        assert!(cycles.hi - cycles.lo >= spread * 0.99 || cycles.lo == 0.0, "{result:#?}");
    }
}

#[test]
fn a_process_that_fails_is_named_and_the_others_count() {
    if !measures() {
        return;
    }
    let place = Place::new();
    let output = place.run("fails once", &quick(&["--processes", "3", "--format", "json"]));
    assert_eq!(output.status.code(), Some(1));
    let told = said(&output);
    assert!(told.contains("process 1 of 3 failed: ended by SIGABRT"), "{told}");
    assert!(told.contains("1 of 3 processes failed"), "{told}");
    let record = recorded(&output);
    assert_eq!((record.complete, record.processes, record.results.len()), (false, 2, 2));

    // What fails in every process alike is said once, by the first one, where it leaves nothing.
    let output = place.run("", &quick(&["--processes", "3", "--core", "100000"]));
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("core 100000 cannot be used"), "{}", said(&output));
    // A benchmark that panics is left out by each, as without processes.
    let output = place.run("panics", &quick(&["--processes", "2", "--format", "json"]));
    assert_eq!(output.status.code(), Some(1));
    let record = recorded(&output);
    assert_eq!((record.complete, record.results.len()), (false, 1));
    let output = place.run("", &quick(&["--processes", "0"]));
    assert!(
        output.status.code() == Some(1) && said(&output).contains("--processes is 0"),
        "{}",
        said(&output)
    );
}

#[test]
fn an_interrupt_ends_all_processes_with_what_there_is() {
    if !measures() {
        return;
    }
    let place = Place::new();
    // The number by which workers are found is the seed.
    let seed = number();
    let child =
        place.start("", &lasting(FOR_EVER, &["--processes", "3", "--seed", &seed, "--format", "json"]));
    let worker = format!("--worker={seed}");
    let workers = || common::count(&worker);
    // One that holds a core has all that it needs to have a result.
    let holds = || {
        let locks = fs::read_dir(place.0.join("fencepost")).into_iter().flatten().flatten();
        locks.filter_map(|lock| fs::read_to_string(lock.path()).ok()).any(|holder| !holder.is_empty())
    };
    until("a worker measures", || workers() == 1 && holds());
    signal(&child, Signal::SIGINT);
    let output = child.ended();
    assert_eq!((output.status.code(), workers()), (Some(0), 0), "{}", said(&output));
    let record = recorded(&output);
    assert_eq!((record.complete, record.results.len()), (false, 1));
}

#[test]
fn a_run_that_was_stopped_goes_on_and_is_right() {
    if !measures() {
        return;
    }
    let place = Place::new();
    let plain = place.record("order", &["--bench", "--quiet", "--max-secs", "0.5", "mix", "--exact"]);
    let arguments =
        ["--bench", "--quiet", "--min-secs", "1", "--max-secs", "1.5", "mix", "--exact", "--format", "json"];
    let child = place.start("order", &arguments);
    let cores = allowed_cores().unwrap();
    until("it holds a core", || {
        let lock = |core: &usize| place.0.join(format!("fencepost/core-{core}.lock"));
        let holder = child.id().to_string();
        cores.iter().any(|core| fs::read_to_string(lock(core)).is_ok_and(|holds| holds == holder))
    });
    for _ in 0..3 {
        sleep(Duration::from_millis(250));
        signal(&child, Signal::SIGSTOP);
        sleep(Duration::from_millis(200));
        signal(&child, Signal::SIGCONT);
    }
    let output = child.ended();
    assert!(output.status.success(), "{}", said(&output));
    let record = recorded(&output);
    assert!(record.complete);
    let (stopped, plain) = (one(&record, "mix"), one(&plain, "mix"));
    if [stopped, plain].map(is_sure) != [true; 2] {
        return;
    }
    let ratio = stopped.cycles.as_ref().unwrap().estimate / plain.cycles.as_ref().unwrap().estimate;
    assert!((ratio - 1.0).abs() < 0.03, "{ratio}: {stopped:#?}");
}

#[test]
fn a_full_disk_and_a_place_that_takes_nothing_lose_no_other_output() {
    if !measures() {
        return;
    }
    let place = Place::new();
    let csv = place.0.join("out.csv");
    let csv = csv.to_str().unwrap();
    // Root may write everywhere but here.
    for refusing in ["/dev/full", "/proc/fencepost/out.json", "/sys/kernel/fencepost.json"] {
        let output = place.run("", &quick(&["--json", refusing, "--csv", csv, "--format", "terse"]));
        assert_eq!(output.status.code(), Some(1), "{refusing}");
        assert!(
            said(&output).starts_with("error: ") && said(&output).contains(refusing),
            "{}",
            said(&output)
        );
        assert!(String::from_utf8_lossy(&output.stdout).contains("mix"));
        assert!(fs::read_to_string(csv).unwrap().contains("\r\nmix,"), "{refusing}");
        fs::remove_file(csv).unwrap();
    }
    let json = place.0.join("out.json");
    let output = place
        .run("", &quick(&["--csv", "/dev/full", "--bmf", "/dev/full/x", "--json", json.to_str().unwrap()]));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(said(&output).matches("error: ").count(), 2, "{}", said(&output));
    assert!(Record::from_json(&fs::read_to_string(json).unwrap()).unwrap().complete);
}

#[test]
fn memory_grows_with_samples_and_no_faster() {
    if !measures() {
        return;
    }
    const COUNT: u64 = 6;
    let place = Place::new();
    // Samples, and KiB.
    let used = |count: u64, secs: f64| {
        let (count, secs) = (count.to_string(), secs.to_string());
        let arguments = lasting(&secs, &["--format", "json"]);
        let mut command = place.command("many", &arguments);
        let output = command.env("FENCEPOST_FIXTURE_COUNT", count).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        let record = recorded(&output);
        let samples: u64 = record.results.iter().map(|result| result.samples.total).sum();
        (samples as f64, record.resources.expect("Linux tells").max_rss_bytes as f64 / 1024.0)
    };
    let (few, short) = used(COUNT, 0.1);
    for (count, secs) in [(COUNT, 0.25), (COUNT, 0.55), (3 * COUNT, 0.1)] {
        let (samples, kib) = used(count, secs);
        println!("{count} benchmarks of {secs} s: {samples} samples and {kib} KiB, of {few} and {short}");
        // A sample is some numbers, in vectors of which one may just have been doubled, beside what judging it takes.
        assert!(kib - short < 1.0 * (samples - few).max(0.0) + 4096.0, "{samples} samples, {kib} KiB");
    }
}
