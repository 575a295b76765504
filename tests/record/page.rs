//! Does the page of a record fit its width, show no more than is known, and stay inert?

use fencepost::record::{
    BenchmarkResult, CycleEstimate, Estimate, Finding, Kind, Record, Severity, Verdict, text,
};

use super::odd::odd_record;
use super::sample;

fn result(id: &str, kind: Kind, verdict: Verdict, (estimate, lo, hi): (f64, f64, f64)) -> BenchmarkResult {
    BenchmarkResult {
        id: id.into(),
        kind,
        verdict,
        cycles: Some(CycleEstimate { estimate, lo, hi, ..Default::default() }),
        ticks: Estimate { estimate: estimate * 0.82, lo: None, hi: None },
        ns: Some(Estimate { estimate: estimate / 2.97, lo: None, hi: None }),
        ..Default::default()
    }
}

/// A record with each sort of row that the text has.
fn shown() -> Record {
    let mut record = sample();
    record.results[0].verdict_reason = None;
    record.results[0].modes = None;
    let throughput = Kind::ReciprocalThroughput;
    record.results.extend([
        BenchmarkResult {
            sentence:
                "Calls that do not wait for each other take 3.0 core cycles each, so about 4 of them are in \
                       flight at once."
                    .into(),
            ..result("bit_mix/throughput", throughput, Verdict::Converged, (3.01, 3.005, 3.013))
        },
        result("add/latency", Kind::Latency, Verdict::Converged, (1.0, 0.9996, 1.0004)),
        BenchmarkResult {
            upper_bound: true,
            verdict_reason: Some("no quiet moment came in 1.5 s".into()),
            ..result("add/throughput", throughput, Verdict::Contended, (0.303, 0.300, 0.3051))
        },
        result("identity/latency", Kind::Latency, Verdict::Imprecise, (1.31, 0.4, 2.9)),
        BenchmarkResult {
            below_resolution: true,
            resolution_cycles: Some(0.26),
            ..result("identity/throughput", throughput, Verdict::BelowResolution, (0.004, -0.1, 0.1))
        },
        result(
            "sort of a thousand shuffled numbers",
            Kind::Routine,
            Verdict::Converged,
            (41234.0, 41100.0, 41390.0),
        ),
        BenchmarkResult {
            cycles: None,
            ns: None,
            ticks: Estimate { estimate: 73.5, lo: Some(49.0), hi: Some(98.0) },
            ..result("bit_mix/once", Kind::SingleShot, Verdict::MinimumsUnmet, (0.0, 0.0, 0.0))
        },
    ]);
    record
}

const PAGE_80: &str = r#"
machine  AMD EPYC Processor, Zen 3, llvm znver3, under KVM
core     1, type P
cycles   clock ruler (imul 3.00 cyc, agrees), 0.8225 ticks per cycle, 2.97 GHz
TSC      2445.4 MHz +- 2 ppm, step 24.5 ticks, fence pair 49 ticks

benchmark  latency cyc  rthroughput cyc  overlap  verdict
bit_mix          12.00            3.010     3.99  converged
add              1.000         <= 0.306  >= 3.27  rthroughput contended
identity            ~1        < 0.3 cyc        -  latency imprecise, rthroughput
                                                  below resolution

benchmark                              kind       cost      time  verdict
sort of a thou...ffled numbers      routine  41200 cyc  13880 ns  converged
bit_mix/once                    single shot  ~70 ticks         -  minimums unmet

by place         offsets  least cyc  median cyc  most cyc  spread
bit_mix/latency   1 of 1      12.00       12.00     12.00  0 %

comparison  ratio   from     to  against
hash/mix    0.250  0.240  0.260  hash/fnv: faster

bit_mix/latency: A call that waits for the one before it takes 12.0 core
  cycles here.
  note: The loop is aligned to 64 bytes.
bit_mix/throughput: Calls that do not wait for each other take 3.0 core cycles
  each, so about 4 of them are in flight at once.
add/throughput:
  contended: no quiet moment came in 1.5 s
hash/mix costs 0.25 times what hash/fnv costs.

findings
  warning: governor is powersave: the clock may change within a run; to mend
    it: cpupower frequency-set -g performance
"#;

const PAGE_60: &str = r#"
machine  AMD EPYC Processor, Zen 3, llvm znver3, under KVM
core     1, type P
cycles   clock ruler (imul 3.00 cyc, agrees), 0.8225 ticks
         per cycle, 2.97 GHz
TSC      2445.4 MHz +- 2 ppm, step 24.5 ticks, fence pair 49
         ticks

benchmark  latency  rthroughput  overlap  verdict
               cyc          cyc
bit_mix      12.00        3.010     3.99  converged
add          1.000     <= 0.306  >= 3.27  rthroughput
                                          contended
identity        ~1    < 0.3 cyc        -  latency imprecise,
                                          rthroughput below
                                          resolution

benchmark                    kind       cost  verdict
sort of a... numbers      routine  41200 cyc  converged
bit_mix/once          single shot  ~70 ticks  minimums unmet

by place         offsets  least  median   most  spread
                            cyc     cyc    cyc
bit_mix/latency   1 of 1  12.00   12.00  12.00  0 %

comparison  ratio   from     to  against
hash/mix    0.250  0.240  0.260  hash/fnv: faster

bit_mix/latency: A call that waits for the one before it
  takes 12.0 core cycles here.
  note: The loop is aligned to 64 bytes.
bit_mix/throughput: Calls that do not wait for each other
  take 3.0 core cycles each, so about 4 of them are in
  flight at once.
add/throughput:
  contended: no quiet moment came in 1.5 s
hash/mix costs 0.25 times what hash/fnv costs.

findings
  warning: governor is powersave: the clock may change
    within a run; to mend it: cpupower frequency-set -g
    performance
"#;

#[test]
fn a_page_of_80_columns() {
    assert_eq!(format!("\n{}", text::render(&shown(), 80)), PAGE_80);
}

#[test]
fn a_page_of_60_columns() {
    assert_eq!(format!("\n{}", text::render(&shown(), 60)), PAGE_60);
}

/// As a terminal counts, for the characters that these tests use.
fn columns(line: &str) -> usize {
    line.chars().map(|c| if matches!(c, '漢' | '😀') { 2 } else { 1 }).sum()
}

#[test]
fn hostile_text_stays_inert_and_within_the_width() {
    let hostile = "\u{1b}]0;owned\u{7}\u{1b}[2J\r\n\u{202e}evil\u{2066}\u{200b}\u{9b}31m\0";
    let mut record = sample();
    record.machine.brand = hostile.into();
    record.machine.microarchitecture = Some(hostile.into());
    record.machine.hypervisor = Some(hostile.into());
    record.calibration.cycle_source = Some(hostile.into());
    record.calibration.core_type = Some(hostile.into());
    record.findings[0] = Finding {
        id: hostile.into(),
        severity: Severity::Serious,
        value: hostile.into(),
        effect: hostile.into(),
        remedy: Some(hostile.into()),
    };
    record.results[0].id = format!("{}/{hostile}", hostile.repeat(20));
    record.results[0].sentence = hostile.into();
    record.results[0].verdict_reason = Some(hostile.into());
    record.results[0].notes = vec![hostile.into()];
    for width in [0, 60, 80, 133] {
        let page = text::render(&record, width);
        for line in page.lines() {
            assert!(line.len() <= width.max(text::MIN_WIDTH), "{width}: {line}");
        }
        let bad: Vec<char> = page.chars().filter(|c| *c != '\n' && !(' '..='~').contains(c)).collect();
        assert!(bad.is_empty(), "{bad:?}");
        assert!(page.contains("\\u{1b}]0;owned"), "shown, not dropped");
    }
}

#[test]
fn no_record_breaks_the_width_or_prints_a_control_character() {
    for seed in 0..700 {
        let record = odd_record(&mut oorandom::Rand64::new(seed));
        for width in [60, 80, 200] {
            let page = text::render(&record, width);
            for line in page.lines() {
                assert!(columns(line) <= width, "seed {seed}, width {width}:\n{line}\n{page}");
                assert!(!line.chars().any(char::is_control), "seed {seed}: {line:?}");
            }
        }
    }
}

#[test]
fn every_elided_name_is_shown_in_full_with_its_sentence() {
    let id = format!("{}/latency", "a_module::with_a_long_path::".repeat(4));
    let mut record = sample();
    record.results[0].id = id.clone();
    let page = text::render(&record, 80);
    assert!(page.contains("..."), "{page}");
    let joined: String = page.lines().map(str::trim).collect();
    assert!(joined.contains(&id), "{page}");
}

#[test]
fn results_that_do_not_pair_have_a_row_each() {
    let latency = |id: &str| result(id, Kind::Latency, Verdict::Converged, (4.0, 3.99, 4.01));
    let throughput =
        |id: &str| result(id, Kind::ReciprocalThroughput, Verdict::Converged, (1.0, 0.999, 1.001));
    let rows = |results: Vec<BenchmarkResult>| text::render(&Record { results, ..sample() }, 80);
    let page = rows(vec![latency("a/latency"), throughput("b/throughput")]);
    assert!(!page.contains("overlap") && page.contains("rthroughput"), "{page}");
    let page = rows(vec![latency("a/x"), latency("a/y"), throughput("a/z")]);
    assert!(!page.contains("overlap"), "two latencies of one stem are not guessed about: {page}");
    let ticks_only = BenchmarkResult { cycles: None, ..throughput("a/throughput") };
    let page = rows(vec![latency("a/latency"), ticks_only.clone()]);
    assert!(!page.contains("overlap"), "ticks and cycles have no ratio: {page}");
    let page = rows(vec![BenchmarkResult { cycles: None, ..latency("a/latency") }, ticks_only]);
    assert!(page.contains("latency ticks") && page.contains("rthroughput ticks"), "{page}");
}
