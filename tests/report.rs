//! Is the report one file that shows what was measured, to a browser and to a reader, and stays small?

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

use fencepost::record::{
    Bandwidth, BenchmarkResult, Border, Counts, CycleEstimate, Decoded, Difference, Estimate, FactorChange,
    FactorEffect, FactorsOutcome, Finding, FirstCall, Kind, Named, Prediction, PredictionVerdict, Record,
    Rung, Samples, SweepOutcome, SweepPoint, ToldCache, Trace, TracePoint, Verdict, Versus,
};

#[path = "report/browser.rs"]
mod browser;
mod common;
#[path = "report/driven.rs"]
mod driven;

use common::Scratch;

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
            // Neither length is without discarded slices.
            let long = (at / 2 + at) % 2 == 0;
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
        first.notes.push("a <b>note</b>".to_owned());
        first.decoded = Some(Decoded {
            instructions: 4.5,
            ipc: Some(0.375),
            operations: 2,
            placement: 32,
            symbol: Some("timed::<T>".to_owned()),
            calls: vec!["mem<cpy>".to_owned()],
            findings: vec!["a <i>finding</i>".to_owned()],
            listing: [
                "movq %rax, %rcx",
                "imulq %rbx, %rax",
                "addq $1, %rdx",
                "imulq %rbx, %rax",
                "subq $1, %rdi",
                "jne .L<s>",
            ]
            .iter()
            .enumerate()
            .map(|(at, line)| format!("+{:#06x}  {line}", 4 * at))
            .collect(),
            chain: vec![1, 3],
            obstacle: None,
        });
        first.prediction = Some(Prediction {
            model: "llvm-mca".to_owned(),
            version: "14.0.6".to_owned(),
            cpu: "znver3".to_owned(),
            cycles: Some(13.5),
            instructions: Some(4.5),
            uops: Some(5.0),
            bottleneck: Some("register <dependencies>".to_owned()),
            verdict: PredictionVerdict::Disagrees,
            reason: Some("the model has no <renaming>".to_owned()),
        });
    }
    let mut record = record(results);
    record.comparisons = vec![versus("mix/latency", HOSTILE[0], 0.5), versus(HOSTILE[1], "sum", 1.75)];
    record
}

/// A thousand benchmarks of a thousand samples.
fn thousand() -> Record {
    let results = (0..500).flat_map(|at| {
        let cost = 2.0 + f64::from(at % 37);
        [
            result(&format!("group{at}/latency"), Kind::Latency, cost, 1000),
            result(&format!("group{at}/throughput"), Kind::ReciprocalThroughput, cost / 3.0, 1000),
        ]
    });
    record(results.collect())
}

/// Two that were compared in pairs.
fn versus(of: &str, to: &str, ratio: f64) -> Versus {
    Versus {
        of: of.to_owned(),
        to: to.to_owned(),
        ratio,
        lo: ratio * 0.98,
        hi: ratio * 1.02,
        coverage: 0.99,
        blocks: 60,
        blocks_total: 64,
        clean: true,
        placements: None,
        difference: if ratio < 1.0 { Difference::Faster } else { Difference::Slower },
        sentence: format!("{of} costs {ratio} times what {to} costs."),
    }
}

/// A run that measured a ladder and nothing else.
fn ladder() -> Record {
    let mut record = record(Vec::new());
    let sizes = (10..=26).map(|power| 1u64 << power);
    record.ladder = sizes
        .clone()
        .map(|bytes| {
            let (level, cycles) = match bytes {
                0..=0x8000 => ("L1", 4.0),
                0x8001..=0x8_0000 => ("L2", 14.0),
                0x8_0001..=0x200_0000 => ("L3", 50.0),
                _ => ("RAM", 300.0),
            };
            Rung {
                bytes,
                cycles: Some(cycles),
                cycles_lo: Some(cycles * 0.9),
                cycles_hi: Some(cycles * 1.2),
                ns: Some(cycles / 3.0),
                ticks: cycles * 0.8,
                level: level.to_owned(),
                verdict: Verdict::Converged,
                cycles_4k_pages: Some(cycles * 1.1),
            }
        })
        .collect();
    let bandwidth = |bytes| {
        ["read", "write", "copy"].map(|traffic| Bandwidth {
            bytes,
            traffic: traffic.to_owned(),
            bytes_per_cycle: Some(64.0 - (bytes as f64).log2()),
            gigabytes_per_sec: Some(100.0),
            verdict: Verdict::Converged,
        })
    };
    record.bandwidth = sizes.flat_map(bandwidth).collect();
    let border = |bytes| Border { bytes, flat_until_bytes: bytes, before: 1.0, after: 2.0 };
    record.borders = vec![border(0x8000), border(0x8_0000), border(0x200_0000)];
    let told = |level, told_bytes, sentence: &str| ToldCache {
        level,
        told_bytes,
        seen_bytes: Some(told_bytes),
        sentence: sentence.to_owned(),
    };
    record.told_caches = vec![
        told(1, 0x8000, "L1: CPUID says <32 KiB>."),
        told(2, 0x8_0000, "L2: it agrees."),
        told(3, 0x200_0000, "L3: it agrees."),
    ];
    record.pages = Some("2 MiB<b>".to_owned());
    record.notes = vec!["A \u{1b}[31mremark\u{202e}.".to_owned()];
    record
}

/// A run that counted under Valgrind and timed nothing.
fn counted(instructions: f64) -> Record {
    let counts = Counts {
        tool: "callgrind<3.19>".to_owned(),
        instructions,
        l1: instructions + 2.0,
        l2: 1.0,
        ram: 0.5,
        estimated_cycles: instructions + 24.5,
        weighted_cycles: None,
        branches: Some(2.0),
        mispredictions: Some(0.25),
        operations: 1024,
        in_all: Named::from([("Ir", 12_800), ("Dw", 0)]),
        taken_off: 256,
        first: Some(FirstCall { instructions: 99, l1: 98, l2: 1, ram: 3, estimated_cycles: 208 }),
    };
    let one = |id: &str, counts: Counts| BenchmarkResult {
        id: id.to_owned(),
        ticks: Estimate { estimate: f64::NAN, lo: None, hi: None },
        verdict_reason: Some("counted, not timed".to_owned()),
        sentence: format!("{} instructions an operation.", counts.instructions),
        counts: Some(counts),
        ..BenchmarkResult::default()
    };
    let other = Counts { instructions: 7.0, ..counts.clone() };
    record(vec![one("mix/latency", counts), one("other", other)])
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
        .map(|(at, record)| scratch.save(&format!("run{at}.json"), record.to_json_pretty()))
        .collect();
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let to = scratch.join("report");
    let output = report(&files, &to);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let path = to.join("index.html");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), path.to_str().expect("UTF-8"));
    let html = fs::read_to_string(&path).expect("a page");
    (path, html)
}

#[test]
fn the_page_is_one_file_in_which_names_are_inert() {
    let scratch = Scratch::new("report-inert");
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
    let scratch = Scratch::new("report-compared");
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
fn loops_predictions_and_comparisons_are_shown_and_inert() {
    let scratch = Scratch::new("report-loops");
    let (_, html) = page(&scratch, &[usual()]);
    for expected in [
        "+0x0004  imulq %rbx, %rax</b>",
        "jne .L&lt;s&gt;",
        "timed::&lt;T&gt;",
        "mem&lt;cpy&gt;",
        "a &lt;i&gt;finding&lt;/i&gt;",
        "... 3 more",
        "13.50 cyc by llvm-mca 14.0.6 for znver3: disagrees, the model has no &lt;renaming&gt;",
        "bound by register &lt;dependencies&gt;",
        "Compared in pairs",
        "99 %: 0.49 to 0.51",
        "60 of 64",
    ] {
        assert!(html.contains(expected), "{expected} is not in the page");
    }
    for absent in ["jne .L<s>", "<i>finding", "timed::<T>", "Memory ladder", "est. cyc"] {
        assert!(!html.contains(absent), "{absent} is in the page");
    }
}

#[test]
fn sweeps_and_factor_experiments_are_shown_with_their_verdicts() {
    let about = |estimate: f64| Estimate { estimate, lo: Some(0.99 * estimate), hi: Some(1.01 * estimate) };
    let mut record = usual();
    let point = |(bytes, ratio): (u64, f64)| SweepPoint {
        bytes: Some(bytes),
        level: Some("L1".to_owned()),
        costs: vec![about(1.0), about(ratio)],
        ratio: Some(about(ratio)),
        ..SweepPoint::default()
    };
    record.sweeps = vec![SweepOutcome {
        name: "sum<s>".to_owned(),
        unit: "cyc".to_owned(),
        per: "element".to_owned(),
        candidates: vec!["plain".to_owned(), "<b>strided".to_owned()],
        points: [(1 << 10, 1.0), (1 << 20, 4.0), (1 << 26, 16.0)].map(point).into(),
        verdict: Some("cache".to_owned()),
        reasons: vec!["It waits.".to_owned()],
    }];
    record.factors = vec![FactorsOutcome {
        name: "walk".to_owned(),
        unit: "cyc".to_owned(),
        main: vec![FactorEffect {
            of: vec![FactorChange { factor: "order".to_owned(), level: "shuffled".to_owned() }],
            adds: 8.0,
            lo: 7.5,
            hi: 8.5,
            ..FactorEffect::default()
        }],
        warnings: vec!["1 of 2 combinations.".to_owned()],
        ..FactorsOutcome::default()
    }];
    let scratch = Scratch::new("report-explored");
    let (_, html) = page(&scratch, &[record, usual()]);
    for expected in [
        "id=\"explored\"",
        "Cost by working set of sum&lt;s&gt; per element",
        "<bdi>&lt;b&gt;strided</bdi>",
        "sum&lt;s&gt;: cache. It waits.",
        "order shuffled: +8.0 cyc",
        "Warning: 1 of 2 combinations.",
    ] {
        assert!(html.contains(expected), "{expected} is not in the page");
    }
    let (_, html) = page(&scratch, &[usual()]);
    assert!(!html.contains("id=\"explored\""), "there is nothing to show");
}

#[test]
fn a_ladder_alone_is_a_page_and_so_is_one_beside_results() {
    let scratch = Scratch::new("report-ladder");
    let (_, html) = page(&scratch, &[ladder()]);
    for expected in [
        "Memory ladder",
        "Load-to-use latency by working set",
        "Bandwidth by working set",
        "L1 32K",
        "L2 512K",
        "L3 32M",
        "L1: CPUID says &lt;32 KiB&gt;.",
        "on 2 MiB&lt;b&gt; pages",
        "A \\u{1b}[31mremark\\u{202e}.",
        "<td class=\"n\">300</td>",
    ] {
        assert!(html.contains(expected), "{expected} is not in the page");
    }
    assert!(
        !html.contains("There are no results") && !html.contains("id=\"sum\""),
        "there is no empty table"
    );
    let (_, html) = page(&scratch, &[usual(), ladder()]);
    assert!(html.contains("id=\"sum\"") && html.contains("Load-to-use latency"));
    // No ladder is too odd to be left out in silence or to break the page.
    let mut odd = ladder();
    odd.ladder.truncate(1);
    odd.borders = vec![Border { bytes: 0, flat_until_bytes: u64::MAX, before: f64::NAN, after: -1.0 }];
    odd.bandwidth.iter_mut().for_each(|one| one.bytes_per_cycle = Some(f64::NAN));
    for rung in &mut odd.ladder {
        (rung.bytes, rung.cycles, rung.ticks) = (u64::MAX, None, f64::NAN);
    }
    let (_, html) = page(&scratch, &[odd]);
    assert!(html.contains("Memory ladder") && html.contains("The figures"));
}

#[test]
fn counts_stand_where_times_would_and_are_compared_exactly() {
    let scratch = Scratch::new("report-counts");
    let (_, html) = page(&scratch, &[counted(12.5)]);
    for expected in [
        "12.5 instr",
        ">est. cyc<",
        "the first call, caches cold",
        "Counted by callgrind&lt;3.19&gt; over 1024 operations, 256 instructions of loop and call taken off. In all: Ir 12800.",
        "mispredicted",
        "memory, 35 each: 17.5",
        "counted, not timed",
    ] {
        assert!(html.contains(expected), "{expected} is not in the page");
    }
    for absent in ["samples were not saved", "minimums unmet", "NaN ticks", "<span>-</span>"] {
        assert!(!html.contains(absent), "{absent} is in the page");
    }
    let (_, html) = page(&scratch, &[counted(12.5), counted(15.0)]);
    assert!(html.contains("1.2000 more") && html.contains("1.0000 the same"), "{html}");
}

#[test]
fn odd_records_become_pages_and_what_is_none_a_sentence() {
    let scratch = Scratch::new("report-odd");
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
        if let Some(decoded) = &mut result.decoded {
            decoded.chain = vec![u64::MAX, 3, 99];
            decoded.instructions = f64::INFINITY;
            decoded.operations = u64::MAX;
        }
    }
    for one in &mut odd.comparisons {
        (one.ratio, one.lo, one.hi, one.coverage) = (f64::NAN, -1.0, 1e308, f64::NAN);
    }
    page(&scratch, &[odd]);
    let whole = usual().to_json();
    for (name, content, words) in [
        ("newer.json", whole.replace("fencepost/1", "fencepost/2"), "fencepost/2"),
        ("older.json", whole.replace("fencepost/1", "fencepost/0"), "fencepost/0"),
        (
            "damaged.json",
            whole.replacen("\"ladder\":[]", "\"ladder\":[{\"bytes\":-1}]", 1),
            "ladder[0].bytes",
        ),
        ("criterion.json", "{\"mean\":{\"point_estimate\":1.5}}".to_owned(), "no field"),
        ("cut.json", whole.chars().take(300).collect(), "ends early"),
        ("foreign.json", "{\"a\":1}".to_owned(), "no field"),
    ] {
        let bad = scratch.save(name, &content);
        let output = report(&[&bad], &scratch.join("none"));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(name) && said.contains(words) && !said.contains("panicked"), "{said}");
    }
    assert!(!scratch.join("none").exists(), "nothing is written for what cannot be read");
}

#[test]
fn a_thousand_benchmarks_of_a_thousand_samples_stay_small() {
    let scratch = Scratch::new("report-large");
    let file = scratch.save("run.json", thousand().to_json());
    let to = scratch.join("report");
    let start = Instant::now();
    let output = report(&[&file], &to);
    println!("1000 benchmarks of 1000 samples: {:.2} s", start.elapsed().as_secs_f64());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let size = fs::metadata(to.join("index.html")).expect("a page").len();
    println!("{size} bytes");
    assert!(size < 5_000_000, "{size} bytes");
}
