//! Do the statistics agree with independently computed figures? The cases for Folly's rules, figure by figure.

use std::collections::BTreeMap;

use fencepost::sampling::{ClassicTimer, Options, Took, run_classic};
use fencepost::stats::{self, Grade, Threshold};
use serde_json::Value;

fn vectors(kind: &str) -> Vec<Value> {
    let all: Vec<Value> = serde_json::from_str(include_str!("data/stat_vectors.json")).expect("valid JSON");
    let chosen: Vec<Value> = all.into_iter().filter(|vector| vector["kind"] == kind).collect();
    assert!(!chosen.is_empty(), "no vector of kind {kind}");
    chosen
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn whole(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no whole number"))
}

/// A list, a range `"1..20"`, or two halves of `[value, count]`.
fn samples(value: &Value) -> Vec<f64> {
    if let Some(range) = value.as_str() {
        let (from, to) = range.split_once("..").expect("a range");
        let (from, to): (u32, u32) = (from.parse().unwrap(), to.parse().unwrap());
        return (from..=to).map(f64::from).collect();
    }
    if let Some(list) = value.as_array() {
        return list.iter().map(number).collect();
    }
    ["first", "second"]
        .iter()
        .flat_map(|half| vec![number(&value[half][0]); whole(&value[half][1]) as usize])
        .collect()
}

fn same(id: &Value, field: &str, found: f64, expected: &Value) {
    let expected = number(expected);
    let tolerance = 1e-9 * expected.abs().max(1e-9);
    assert!((found - expected).abs() <= tolerance, "{id}: {field} is {found}, not {expected}");
}

#[test]
fn percentiles() {
    for Vector { id, input, expect } in parts("percentile") {
        let found = stats::percentile(&samples(&input["samples"]), number(&input["pct"])).unwrap();
        same(&id, "value", found, &expect["value"]);
    }
}

struct Vector {
    id: Value,
    input: Value,
    expect: Value,
}

fn parts(kind: &str) -> Vec<Vector> {
    vectors(kind)
        .into_iter()
        .map(|mut vector| Vector {
            id: vector["id"].take(),
            input: vector["input"].take(),
            expect: vector["expect"].take(),
        })
        .collect()
}

#[test]
fn percentile_intervals() {
    for Vector { id, input, expect } in parts("percentile_ci") {
        let samples = samples(&input["samples"]);
        assert_eq!(samples.len() as u64, whole(&expect["n"]));
        let found = stats::percentile_interval(&samples, number(&input["pct"]), number(&input["z"])).unwrap();
        same(&id, "estimate", found.estimate, &expect["estimate"]);
        same(&id, "lo", found.lo, &expect["lo"]);
        same(&id, "hi", found.hi, &expect["hi"]);
        for (end, at) in [(found.lo, "lo_pct"), (found.hi, "hi_pct")] {
            let there = stats::percentile(&samples, number(&expect[at])).unwrap();
            assert!((there - end).abs() <= 1e-9 * end.abs(), "{id}: {at} is at {there}, not {end}");
        }
        same(&id, "width", found.width(), &expect["width"]);
        same(&id, "rel_width_pct", found.width_pct(), &expect["rel_width_pct"]);
    }
}

#[test]
fn precision_budgets() {
    for Vector { id, input, expect } in parts("precision_budget_ns") {
        let found = stats::precision_budget(
            number(&input["estimate_ns"]),
            number(&input["target_pct"]),
            number(&input["floor_ns"]),
        );
        same(&id, "budget_ns", found, &expect["budget_ns"]);
    }
}

#[test]
fn split_half_stability() {
    for Vector { id, input, expect } in parts("split_half_stability") {
        let samples = samples(&input["samples"]);
        let found = stats::split_half(&samples, number(&input["pct"]), number(&input["target_pct"])).unwrap();
        for (name, half) in [("first", found.first), ("second", found.second)] {
            same(&id, name, half.estimate, &expect[name]["estimate"]);
            same(&id, name, half.lo, &expect[name]["lo"]);
            same(&id, name, half.hi, &expect[name]["hi"]);
        }
        same(&id, "epsilon_ns", found.epsilon, &expect["epsilon_ns"]);
        assert_eq!(found.stable, expect["stable"], "{id}");
    }
}

#[test]
fn iteration_counts() {
    for Vector { id, input, expect } in parts("recalibrate") {
        let found =
            stats::recalibrate(whole(&input["iters"]), whole(&input["target_ns"]), whole(&input["dur_ns"]));
        assert_eq!(found, whole(&expect["iters"]), "{id}");
    }
}

#[test]
fn errors() {
    for Vector { id, input, expect } in parts("error") {
        assert_eq!(expect["error"], true);
        let samples = samples(&input["samples"]);
        let refused = match input["op"].as_str() {
            None => stats::percentile(&samples, number(&input["pct"])).is_err(),
            Some("ci") => stats::percentile_interval(&samples, 50.0, stats::Z95).is_err(),
            Some("stability") => stats::split_half(&samples, 50.0, 0.4).is_err(),
            Some(other) => panic!("{id}: no operation {other}"),
        };
        assert!(refused, "{id}");
    }
}

#[test]
fn best_of_and_geometric_mean() {
    for Vector { id, input, expect } in parts("best_of") {
        let found = stats::least(&samples(&input["trials_ns_per_iter"])).unwrap();
        same(&id, "value", found, &expect["value"]);
    }
    for Vector { id, input, expect } in parts("geomean_p25_p75") {
        let found = stats::geometric_mean_of_middle(&samples(&input["sorted_trials"])).unwrap();
        same(&id, "value", found, &expect["value"]);
    }
}

#[test]
fn differences_of_unpaired_runs() {
    // The cases are in nanoseconds, shown to one decimal: a difference below half of one is no difference.
    const RESOLUTION: f64 = 0.05;
    for Vector { id, input, expect } in parts("ab_hodges_lehmann") {
        let found = stats::shift(&samples(&input["before"]), &samples(&input["after"]), RESOLUTION).unwrap();
        same(&id, "median_before", found.median_before, &expect["median_before"]);
        same(&id, "median_after", found.median_after, &expect["median_after"]);
        same(&id, "hl_delta", found.delta, &expect["hl_delta"]);
        same(&id, "pct", found.pct, &expect["pct"]);
        assert_eq!(found.agreeing, whole(&expect["agreeing"]), "{id}: agreeing");
        assert_eq!(found.pairs, whole(&expect["total"]), "{id}: pairs");
        let [high, low] = ["hi", "lo"].map(|level| Threshold {
            absolute: number(&input["thresholds"][format!("{level}_ns")]),
            pct: number(&input["thresholds"][format!("{level}_pct")]),
        });
        let grade = match found.grade(high, low) {
            Grade::WinHigh => "win-hi-pri",
            Grade::WinLow => "win-lo-pri",
            Grade::BelowThreshold => "below-threshold",
            Grade::LossLow => "loss-lo-pri",
            Grade::LossHigh => "loss-hi-pri",
        };
        assert_eq!(grade, expect["cls"], "{id}: grade");
    }
}

#[test]
fn spread_of_many_series() {
    for Vector { id, input, expect } in parts("ab_spread") {
        let series: Vec<Vec<f64>> = input["series"].as_array().expect("series").iter().map(samples).collect();
        let broad = Threshold { absolute: 1.0, pct: 10.0 };
        let (drop, least) = (whole(&input["drop_slowest"]) as usize, whole(&input["min_series"]) as usize);
        let found = stats::series_spread(&series, drop, least, broad).unwrap().expect("enough series");
        let ranges = expect["full_range_pct"].as_array().expect("ranges");
        assert_eq!(found.range_pct.len(), ranges.len());
        for (found, expected) in found.range_pct.iter().zip(ranges) {
            same(&id, "range", *found, expected);
        }
        same(&id, "q1", found.q1, &expect["q1"]);
        same(&id, "q3", found.q3, &expect["q3"]);
        same(&id, "fence", found.fence_pct, &expect["outer_fence_pct"]);
        assert_eq!(found.broad as u64, whole(&expect["broad_count"]), "{id}: broad");
        assert_eq!(found.range_pct.len() as u64, whole(&expect["broad_of"]), "{id}: series");
        assert!(!found.machine_is_noisy());
        let flagged: Vec<usize> = found.wide.iter().map(|wide| wide.index).collect();
        let first = &found.wide[0];
        assert_eq!(flagged, [0, 2, 3]);
        assert_eq!(
            expect["flagged"],
            format!(
                "series {} (retained {}..{} = {:.1}% of median), series {} and {}",
                first.index, first.lo, first.hi, first.range_pct, flagged[1], flagged[2]
            )
        );
        assert!(stats::series_spread(&series[1..], drop, least, broad).unwrap().is_none());
    }
}

/// One loop under the injected clock.
#[derive(Clone, Copy)]
enum Loop {
    /// Nanoseconds an iteration, and time-outs an iteration.
    Each(u64, u64),
    /// Nanoseconds a call, whatever it is asked for, and the iterations that even and odd calls claim to have made.
    Call(u64, [u64; 2]),
}

struct FakeClock {
    baseline: Loop,
    suspender: Loop,
    benchmarks: Vec<Loop>,
    calls: BTreeMap<usize, usize>,
}

impl FakeClock {
    fn time(&mut self, key: usize, timed: Loop, iterations: u64) -> Took {
        let call = self.calls.entry(key).or_insert(0);
        let parity = *call % 2;
        *call += 1;
        match timed {
            Loop::Each(ns, suspensions) => {
                Took { ns: ns * iterations, iterations, suspensions: suspensions * iterations }
            }
            Loop::Call(ns, claims) => Took { ns, iterations: claims[parity], suspensions: 0 },
        }
    }
}

impl ClassicTimer for FakeClock {
    fn baseline(&mut self, iterations: u64) -> Took {
        self.time(usize::MAX, self.baseline, iterations)
    }
    fn suspender(&mut self, iterations: u64) -> Took {
        self.time(usize::MAX - 1, self.suspender, iterations)
    }
    fn benchmark(&mut self, index: usize, iterations: u64) -> Took {
        self.time(index, self.benchmarks[index], iterations)
    }
}

/// The loops that the cases describe in words: baseline, suspender, benchmarks.
fn loops(id: &str) -> (Loop, Loop, Vec<Loop>) {
    use Loop::{Call, Each};
    const MS: u64 = 1_000_000;
    match id {
        "sim_single_15" => (Each(10, 0), Each(10, 0), vec![Each(15, 0)]),
        "sim_two_12_20" => (Each(10, 0), Each(10, 0), vec![Each(12, 0), Each(20, 0)]),
        "sim_clamp" => (Each(20, 0), Each(10, 0), vec![Each(15, 0)]),
        "sim_near_zero" => (Each(50 * MS, 0), Each(10, 0), vec![Each(50 * MS, 0)]),
        "sim_alternating_timeout" => {
            (Call(50 * MS, [5_000_000; 2]), Each(10, 0), vec![Call(50 * MS, [2_500_000, 1_250_000])])
        }
        "sim_min_secs" => (Each(50 * MS, 0), Each(10, 0), vec![Each(60 * MS, 0)]),
        "sim_suspender" => (Each(10, 0), Each(35, 0), vec![Each(50, 1)]),
        "sim_suspender_clamp" => (Each(10, 0), Each(100, 0), vec![Each(30, 1)]),
        "sim_defaults_5ns" => (Each(1, 0), Each(35, 0), vec![Each(5, 0)]),
        other => panic!("no loops for {other}"),
    }
}

#[test]
fn the_adaptive_loop_under_an_injected_clock() {
    for Vector { id, input, expect } in parts("adaptive_loop_fake_clock") {
        let given = &input["options"];
        let options = Options {
            slice_usec: number(&given["slice_us"]),
            target_percentile: number(&given["pct"]),
            target_precision_pct: number(&given["precision"]),
            min_samples: whole(&given["min_samples"]) as usize,
            min_secs: number(&given["min_secs"]),
            max_secs: number(&given["max_secs"]),
            ..Options::folly()
        };
        let (baseline, suspender, benchmarks) = loops(id.as_str().expect("an id"));
        // The order is random and must not matter.
        for seed in 0..3 {
            let options = Options { seed, ..options.clone() };
            let mut clock =
                FakeClock { baseline, suspender, benchmarks: benchmarks.clone(), calls: BTreeMap::new() };
            let run = run_classic(&mut clock, benchmarks.len(), &options).unwrap();
            assert_eq!(run.seed, seed);
            assert_eq!(run.rounds, whole(&expect["rounds"]), "{id}: rounds");
            assert_eq!(run.checks, whole(&expect["checks"]), "{id}: checks");
            assert_eq!(run.baseline_samples, whole(&expect["baseline_samples"]), "{id}: baseline samples");
            assert_eq!(run.suspender_samples, whole(&expect["suspender_samples"]), "{id}: suspender samples");
            assert_eq!(run.total_ns, whole(&expect["total_ns"]), "{id}: total");
            let expected = expect["benches"].as_array().expect("benches");
            assert_eq!(run.outcomes.len(), expected.len());
            for (outcome, expected) in run.outcomes.iter().zip(expected) {
                assert_eq!(outcome.samples.len() as u64, whole(&expected["samples"]), "{id}: samples");
                assert_eq!(outcome.elapsed_ns, whole(&expected["elapsed_ns"]), "{id}: elapsed");
                assert_eq!(outcome.iterations, whole(&expected["iters_final"]), "{id}: iterations");
                same(&id, "estimate_ns", outcome.estimate_ns, &expected["estimate_ns"]);
                assert_eq!(outcome.stable, expected["stable"], "{id}: stable");
                assert_eq!(outcome.precise, expected["precise"], "{id}: precise");
                assert_eq!(outcome.minimums_met, expected["minimums_met"], "{id}: minimums");
                assert_eq!(outcome.timed_out, expected["timed_out"], "{id}: timed out");
                assert_eq!(outcome.verdict.as_str(), expected["status"], "{id}: status");
            }
        }
    }
}

#[test]
fn minimums_that_are_not_met_when_the_time_is_up_are_said() {
    let options = Options { min_samples: 1000, ..Options::folly() };
    let mut clock = FakeClock {
        baseline: Loop::Each(1, 0),
        suspender: Loop::Each(10, 0),
        benchmarks: vec![Loop::Each(50_000_000, 0)],
        calls: BTreeMap::new(),
    };
    let run = run_classic(&mut clock, 1, &options).unwrap();
    assert_eq!(run.outcomes[0].verdict.as_str(), "minimums_unmet");
    assert!(run.outcomes[0].timed_out);
}

#[test]
fn best_of_mode_reports_the_least() {
    let options = Options { best_of: true, ..Options::folly() };
    let mut clock = FakeClock {
        baseline: Loop::Each(0, 0),
        suspender: Loop::Each(10, 0),
        benchmarks: vec![Loop::Call(1_000_000, [100_000, 80_000])],
        calls: BTreeMap::new(),
    };
    let run = run_classic(&mut clock, 1, &options).unwrap();
    assert_eq!(run.outcomes[0].estimate_ns, 10.0);
}

#[test]
fn loops_that_never_take_time_end() {
    let mut clock = FakeClock {
        baseline: Loop::Each(0, 0),
        suspender: Loop::Each(0, 0),
        benchmarks: vec![Loop::Each(0, 0), Loop::Call(1_000_000, [0, 0])],
        calls: BTreeMap::new(),
    };
    let run = run_classic(&mut clock, 2, &Options::folly()).unwrap();
    assert_eq!(run.outcomes[0].verdict.as_str(), "minimums_unmet");
    assert_eq!(run.outcomes[0].iterations, u64::MAX);
    // Without a single operation made there is nothing to divide by, and no panic.
    assert_eq!(run.outcomes[1].estimate_ns, 1e6);
    let run = run_classic(&mut clock, 0, &Options::folly()).unwrap();
    assert_eq!((run.rounds, run.outcomes.len()), (0, 0));
}

#[test]
fn a_target_that_is_never_reached_ends_at_the_time_limit() {
    // The median of two speeds that take turns lies between them, and so does no narrow interval.
    let options = Options { target_percentile: 50.0, ..Options::folly() };
    let mut clock = FakeClock {
        baseline: Loop::Each(0, 0),
        suspender: Loop::Each(10, 0),
        benchmarks: vec![Loop::Call(1_000_000, [100_000, 80_000])],
        calls: BTreeMap::new(),
    };
    let run = run_classic(&mut clock, 1, &options).unwrap();
    assert_eq!((run.outcomes[0].verdict.as_str(), run.outcomes[0].timed_out), ("imprecise", true));
    // Looks come every 150 ms of everything that is timed.
    assert!((1_000_000_000..1_150_000_000).contains(&run.outcomes[0].elapsed_ns));
}

#[test]
fn a_step_in_the_middle_of_a_run_is_unstable() {
    struct Step(u64);
    impl ClassicTimer for Step {
        fn baseline(&mut self, iterations: u64) -> Took {
            Took { ns: 0, iterations, suspensions: 0 }
        }
        fn suspender(&mut self, iterations: u64) -> Took {
            Took { ns: 0, iterations, suspensions: 0 }
        }
        fn benchmark(&mut self, _: usize, _: u64) -> Took {
            self.0 += 1;
            Took { ns: 10_000_000, iterations: if self.0 < 50 { 1000 } else { 500 }, suspensions: 0 }
        }
    }
    let options = Options { min_secs: 0.9, ..Options::folly() };
    let run = run_classic(&mut Step(0), 1, &options).unwrap();
    assert_eq!(run.outcomes[0].verdict.as_str(), "unstable");
    assert!(!run.outcomes[0].stable && run.outcomes[0].minimums_met);
}

#[test]
fn the_order_is_the_seeds_and_every_benchmark_gets_its_turn() {
    struct Log(Vec<usize>);
    impl ClassicTimer for Log {
        fn baseline(&mut self, iterations: u64) -> Took {
            Took { ns: 1000, iterations, suspensions: 0 }
        }
        fn suspender(&mut self, iterations: u64) -> Took {
            Took { ns: 1000, iterations, suspensions: 0 }
        }
        fn benchmark(&mut self, index: usize, iterations: u64) -> Took {
            self.0.push(index);
            Took { ns: 1_000_000, iterations, suspensions: 0 }
        }
    }
    let order = |seed: u64| {
        let mut log = Log(Vec::new());
        run_classic(&mut log, 4, &Options { seed, ..Options::folly() }).unwrap();
        log.0
    };
    assert_eq!(order(7), order(7));
    assert_ne!(order(7), order(8));
    for round in order(7).chunks(4) {
        let mut round = round.to_vec();
        round.sort_unstable();
        assert_eq!(round, [0, 1, 2, 3]);
    }
}

#[test]
fn options_that_cannot_be_met_start_nothing() {
    let mut clock = FakeClock {
        baseline: Loop::Each(1, 0),
        suspender: Loop::Each(1, 0),
        benchmarks: vec![Loop::Each(1, 0)],
        calls: BTreeMap::new(),
    };
    let options = Options { max_secs: f64::NAN, ..Options::folly() };
    assert!(run_classic(&mut clock, 1, &options).unwrap_err().to_string().contains("NaN"));
    assert!(clock.calls.is_empty());
}
