//! Is the report one file that shows what was measured, to a browser and to a reader, and stays small?

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

use fencepost::record::{
    BenchmarkResult, CycleEstimate, Estimate, Finding, Kind, Record, Samples, Trace, TracePoint, Verdict,
};

#[path = "report/browser.rs"]
mod browser;
#[path = "report/driven.rs"]
mod driven;

/// A directory that goes when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("fencepost-report-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a directory");
        Self(path)
    }

    fn save(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).expect("a file");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Names that would do something if they were not shown inert.
const HOSTILE: [&str; 6] = [
    "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">",
    "\u{1b}[31mred\u{1b}[0m\u{202e}gnp.exe",
    "' onmouseover='alert(1)",
    "=cmd|' /C calc'!A0",
    "مرحبا/latency",
    "😀🏴\u{200d}☠️ & co",
];

/// A result of `cycles` with so many samples, of which each tenth is contended and each fiftieth interrupted.
fn result(id: &str, kind: Kind, cycles: f64, samples: usize) -> BenchmarkResult {
    let mut random = 12345u64;
    let points: Vec<TracePoint> = (0..samples)
        .map(|at| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let noise = (random >> 40) as f64 / (1u64 << 24) as f64 - 0.5;
            let label = match at {
                at if at % 50 == 7 => 'i',
                at if at % 10 == 3 => 'b',
                _ => 'c',
            };
            let long = at % 2 == 0;
            let slow = if label == 'c' { 1.0 } else { 1.2 };
            TracePoint {
                label,
                long,
                cycles: cycles * if long { 2000.0 } else { 1000.0 } * (slow + 0.004 * noise) + 60.0,
                gauge: 6000.0 * slow + 10.0 * noise,
                rate: 0.82 + 0.001 * noise,
            }
        })
        .collect();
    let count = |label| points.iter().filter(|point| point.label == label).count() as u64;
    let mut result = BenchmarkResult {
        id: id.to_owned(),
        kind,
        verdict: Verdict::Converged,
        slice_iterations: 1000,
        percentile: 50.0,
        cycles: Some(CycleEstimate {
            estimate: cycles,
            lo: cycles * 0.999,
            hi: cycles * 1.001,
            min: cycles * 0.99,
            median: cycles,
            spread_pct: 1.5,
        }),
        ticks: Estimate { estimate: cycles * 0.82, lo: None, hi: None },
        ns: Some(Estimate { estimate: cycles / 3.0, lo: None, hi: None }),
        loop_floor_cycles: Some(1.0),
        samples: Samples {
            total: samples as u64,
            clean: count('c'),
            contended: count('b'),
            interrupted: count('i'),
            ..Samples::default()
        },
        ..BenchmarkResult::default()
    };
    result.trace = (samples > 0).then(|| Trace::new(&points));
    result.sentence = fencepost::record::sentence(&result);
    result
}

fn record(results: Vec<BenchmarkResult>) -> Record {
    let mut record = Record { complete: true, results, ..Record::default() };
    record.machine.brand = "Some CPU".to_owned();
    record.machine.microarchitecture = Some("Zen 3".to_owned());
    record.findings.push(Finding {
        id: "governor".to_owned(),
        value: "powersave".to_owned(),
        effect: "the clock <changes>".to_owned(),
        remedy: Some("sudo cpupower frequency-set -g performance".to_owned()),
        ..Finding::default()
    });
    record
}

fn usual() -> Record {
    let mut results = vec![
        result("mix/latency", Kind::Latency, 12.0, 400),
        result("mix/throughput", Kind::ReciprocalThroughput, 3.0, 400),
        result("sum", Kind::Routine, 120.0, 0),
    ];
    results.extend(HOSTILE.iter().enumerate().map(|(at, id)| result(id, Kind::Latency, 4.0 + at as f64, 40)));
    results.push(result(&"long".repeat(125), Kind::Latency, 9.0, 40));
    if let Some(first) = results.first_mut() {
        first.counters.insert("predicted_cycles".to_owned(), 12.03);
        first.notes.push("a <b>note</b>".to_owned());
    }
    record(results)
}

fn report(files: &[&Path], to: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .arg("report")
        .args(files)
        .arg("-o")
        .arg(to)
        .output()
        .expect("fencepost runs")
}

fn page(scratch: &Scratch, records: &[Record]) -> (PathBuf, String) {
    let files: Vec<PathBuf> = records
        .iter()
        .enumerate()
        .map(|(at, record)| scratch.save(&format!("run{at}.json"), &record.to_json_pretty()))
        .collect();
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let to = scratch.0.join("report");
    let output = report(&files, &to);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let path = to.join("index.html");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), path.to_str().expect("UTF-8"));
    let html = fs::read_to_string(&path).expect("a page");
    (path, html)
}

#[test]
fn the_page_is_one_file_in_which_names_are_inert() {
    let scratch = Scratch::new("inert");
    let (_, html) = page(&scratch, &[usual()]);
    for forbidden in
        ["<script>document", "<img", "onmouseover='", "<b>note", "\u{1b}", "\u{202e}", "\u{200d}"]
    {
        assert!(!html.contains(forbidden), "{forbidden:?} is in the page");
    }
    for outside in ["http://", "https://", "@import", "url("] {
        assert!(!html.contains(outside), "{outside} is in the page");
    }
    for expected in [
        "&lt;script&gt;document",
        "a &lt;b&gt;note&lt;/b&gt;",
        "Distribution of samples by cost",
        "Timeline of cost, gauge, clock",
        "Estimate and interval by number of samples",
        "Latency beside reciprocal throughput",
        "Its samples were not saved",
        "40 contended",
        "sudo cpupower frequency-set -g performance",
        "Some CPU",
        "overlap",
    ] {
        assert!(html.contains(expected), "{expected} is not in the page");
    }
}

#[test]
fn a_second_run_is_compared_with_the_first_and_another_machine_stands_beside_it() {
    let scratch = Scratch::new("compared");
    let old =
        record(vec![result("mix/latency", Kind::Latency, 12.0, 100), result("sum", Kind::Routine, 50.0, 0)]);
    let new =
        record(vec![result("mix/latency", Kind::Latency, 14.0, 100), result("new", Kind::Routine, 50.0, 0)]);
    let (_, html) = page(&scratch, &[old.clone(), new.clone()]);
    for expected in ["[2] / [1]", "Slower: 12.00 cyc in the baseline and 14.00 cyc now", "1 slower"] {
        assert!(html.contains(expected), "{expected} is not in the page");
    }
    let mut elsewhere = new;
    elsewhere.machine.microarchitecture = Some("Golden Cove".to_owned());
    let (_, html) = page(&scratch, &[old, elsewhere]);
    assert!(html.contains("not compared") && html.contains("microarchitecture differs"), "{html}");
}

#[test]
fn odd_records_become_pages_and_what_is_none_a_sentence() {
    let scratch = Scratch::new("odd");
    let (_, html) = page(&scratch, &[Record::default()]);
    assert!(html.contains("no results") && html.contains("cut short"));
    let mut odd = usual();
    for (at, result) in odd.results.iter_mut().enumerate() {
        if let Some(trace) = &mut result.trace {
            let junk = ["", "x", "1e308 -1e308 NaN inf", "-5 -5 -5"];
            trace.cycles = junk.get(at % junk.len()).copied().unwrap_or_default().to_owned();
            trace.gauges = "0 0 0 0 nonsense".to_owned();
            trace.labels.insert(0, '漢');
        }
        result.slice_iterations = if at % 2 == 0 { 0 } else { u64::MAX };
        result.ops = 0;
        result.percentile = f64::NAN;
    }
    page(&scratch, &[odd]);
    let whole = usual().to_json();
    for (name, content, words) in [
        ("newer.json", whole.replace("fencepost/1", "fencepost/2"), "fencepost/2"),
        ("cut.json", whole.chars().take(300).collect(), "ends early"),
        ("foreign.json", "{\"a\":1}".to_owned(), "no field"),
    ] {
        let bad = scratch.save(name, &content);
        let output = report(&[&bad], &scratch.0.join("none"));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(name) && said.contains(words) && !said.contains("panicked"), "{said}");
    }
    assert!(!scratch.0.join("none").exists(), "nothing is written for what cannot be read");
}

#[test]
fn a_thousand_benchmarks_of_a_thousand_samples_stay_small() {
    let scratch = Scratch::new("large");
    let results = (0..500).flat_map(|at| {
        let cost = 2.0 + f64::from(at % 37);
        [
            result(&format!("group{at}/latency"), Kind::Latency, cost, 1000),
            result(&format!("group{at}/throughput"), Kind::ReciprocalThroughput, cost / 3.0, 1000),
        ]
    });
    let file = scratch.save("run.json", &record(results.collect()).to_json());
    let to = scratch.0.join("report");
    let start = Instant::now();
    let output = report(&[&file], &to);
    println!("1000 benchmarks of 1000 samples: {:.2} s", start.elapsed().as_secs_f64());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let size = fs::metadata(to.join("index.html")).expect("a page").len();
    println!("{size} bytes");
    assert!(size < 5_000_000, "{size} bytes");
}
