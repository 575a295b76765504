//! What came out, and what may be said of it? From a sampler's outcome to a result with its bounds, remarks and sentence.

use std::fmt;

use super::Lab;
use super::benchmark::Benchmark;
use crate::harness::{BarrierKind, ChainFault, Entry, UNROLL};
use crate::record::{self, Barrier, BenchmarkResult, CycleEstimate, Estimate, Kind, Samples, Verdict};
use crate::sampling::{Arm, Label, Outcome, Sample};
use crate::stats;
use crate::units::{Cycles, TicksPerCycle};

/// A result and the samples that it was made from.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// What is saved and shown.
    pub result: BenchmarkResult,
    /// All samples in order of time, with their labels.
    pub samples: Vec<Sample>,
    /// Where the function lies that was timed, if it can be decoded.
    pub entry: Option<Entry>,
}

impl fmt::Display for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&record::line(&self.result))
    }
}

/// A chain through a register that reads less than this many cycles a call is none: every instruction that is executed in
/// it takes one. Moves, zero idioms and on some cores additions of immediates are done while renaming.
const CHAIN_FLOOR: f64 = 0.9;
/// How far above the loop floor a result must be before it is more than the loop, as a share of the floor.
const FLOOR_MARGIN: f64 = 0.05;
/// How far below a physical floor a result may read before it is rejected: what the ruler may be off by.
const IMPOSSIBLE: f64 = 0.02;

impl Measurement {
    pub(super) fn conclude(
        lab: &Lab,
        benchmark: Benchmark<'_>,
        outcome: Outcome,
        core: usize,
        floor: Option<Cycles>,
        faults: &[ChainFault],
    ) -> Self {
        let Outcome { assessment, .. } = &outcome;
        let ops = benchmark.ops as f64;
        let per = |value: f64| value / ops;
        let claims = lab.claims_cycles();
        let hertz = lab.tsc_hertz();
        let mut verdict = assessment.verdict;
        let mut reason = assessment.reason.clone();
        let entry = benchmark.timed.entry();
        let mut notes = benchmark.notes;
        notes.extend(faults.iter().map(ToString::to_string));

        let resolution = if benchmark.kind == Kind::SingleShot {
            // The pair around nothing scatters by this much itself.
            let scatter = lab.fence.median - lab.fence.min + lab.fence.step;
            Some(scatter.to_cycles(TicksPerCycle(outcome.ticks_per_cycle)).get())
        } else {
            resolution(benchmark.kind, floor, lab.issue_width())
        };
        let below = assessment.cycles.is_some_and(|cycles| {
            cycles.hi <= 0.0 || resolution.is_some_and(|resolution| cycles.value < resolution)
        });
        if below {
            verdict = Verdict::BelowResolution;
            reason = Some(match benchmark.kind {
                Kind::SingleShot => "no more than what the fence pair around nothing scatters by".to_owned(),
                _ => "no more than what the loop around it costs".to_owned(),
            });
        }
        if let (Some(cycles), Some(instructions), Some(width)) =
            (&assessment.cycles, benchmark.instructions, lab.issue_width())
        {
            let least = instructions as f64 / f64::from(width);
            if cycles.hi < least * (1.0 - IMPOSSIBLE) && benchmark.kind != Kind::Latency {
                verdict = Verdict::Unstable;
                reason = Some(format!(
                    "{:.2} cycles for {instructions} instructions is less than a core that issues {width} a cycle can \
                     do: the clock or the count is wrong",
                    cycles.value
                ));
            }
        }
        notes.extend(trend_note(&outcome));
        if outcome.single && benchmark.kind != Kind::SingleShot {
            notes.push(
                "one operation outlasts a slice: gauge and ruler frame each sample only loosely, and interrupts fall into it"
                    .to_owned(),
            );
        }
        if benchmark.barrier == BarrierKind::Memory && benchmark.kind == Kind::Latency {
            notes.push(
                "the accumulator goes through memory from one operation to the next, which is part of the chain"
                    .to_owned(),
            );
        }
        if outcome.samples.len() >= 20 && benchmark.inputs.is_some_and(|inputs| inputs < 64) {
            let count = benchmark.inputs.unwrap_or(0);
            if count > 1 {
                notes.push(format!("{count} inputs are few: branch predictors may have learnt them"));
            }
        }

        let believed = believed(&outcome);
        let long = if outcome.single { Arm::Short } else { Arm::Long };
        let iterations = outcome.iterations as f64 * if outcome.single { 1.0 } else { 2.0 };
        let each = |samples: &[&Sample], of: fn(&Sample) -> f64, fixed: f64| -> Vec<f64> {
            samples
                .iter()
                .filter(|sample| sample.arm == long)
                .map(|sample| per((of(sample) - fixed) / iterations))
                .collect()
        };
        let all: Vec<&Sample> = outcome.samples.iter().collect();
        let modes = assessment.modes.filter(|_| claims).map(|modes| record::Modes {
            lower: per(modes.lower.value),
            upper: per(modes.upper.value),
            upper_share: modes.upper_share,
        });
        let cycles = assessment.cycles.filter(|_| claims).map(|cycles| {
            let values = each(&believed, |sample| sample.cycles, cycles.fixed);
            let spread = stats::spread(&values).ok();
            CycleEstimate {
                estimate: per(cycles.value),
                lo: per(cycles.lo),
                hi: per(cycles.hi),
                min: spread.map_or(f64::NAN, |spread| spread.min),
                median: spread.map_or(f64::NAN, |spread| spread.median),
                spread_pct: spread.map_or(f64::NAN, |spread| spread.spread_pct),
            }
        });
        let ticks = assessment.ticks.map_or_else(Estimate::default, |ticks| Estimate {
            estimate: per(ticks.value),
            lo: Some(per(ticks.lo)),
            hi: Some(per(ticks.hi)),
        });
        let ns = hertz.filter(|_| !lab.ticks_only).map(|hertz| {
            let in_ns = |ticks: f64| ticks * 1e9 / hertz;
            Estimate { estimate: in_ns(ticks.estimate), lo: ticks.lo.map(in_ns), hi: ticks.hi.map(in_ns) }
        });
        let third = |of: fn(&Sample) -> f64| stats::percentile(&each(&all, of, 0.0), 33.3).ok();
        let counts = assessment.counts;
        let mut result = BenchmarkResult {
            id: benchmark.id,
            kind: benchmark.kind,
            core: core as u64,
            ops: benchmark.ops,
            unroll: if benchmark.timed.granule() == UNROLL { UNROLL } else { 1 },
            slice_iterations: outcome.iterations,
            barrier: match benchmark.barrier {
                BarrierKind::Register => Barrier::Register,
                BarrierKind::Memory => Barrier::Memory,
            },
            inputs: benchmark.inputs.map(|inputs| inputs as u64),
            cycles,
            modes,
            ticks,
            ns,
            verdict,
            verdict_reason: reason,
            upper_bound: assessment.upper_bound,
            below_resolution: below,
            resolution_cycles: resolution.map(per),
            loop_floor_cycles: floor.map(|floor| per(floor.get())),
            percentile: lab.options.target_percentile,
            samples: Samples {
                total: counts.total as u64,
                clean: counts.clean as u64,
                contended: counts.contended as u64,
                drifted: counts.drifted as u64,
                interrupted: counts.interrupted as u64,
                migrated: counts.migrated as u64,
            },
            p33_raw_ticks: third(|sample| sample.ticks),
            p33_ungated_cycles: third(|sample| sample.cycles).filter(|_| claims),
            notes,
            elapsed_secs: outcome.spent.as_secs(),
            ..BenchmarkResult::default()
        };
        if result.kind == Kind::SingleShot {
            let raw: Vec<f64> = outcome.samples.iter().map(|sample| sample.ticks).collect();
            if let Ok(median) = stats::percentile(&raw, 50.0) {
                result.counters.insert("raw_median_ticks".to_owned(), median);
                result.counters.insert("overhead_median_ticks".to_owned(), lab.fence.median.get());
            }
        }
        result.sentence = record::sentence(&result);
        Self { result, samples: outcome.samples, entry }
    }

    /// The samples as a record keeps them.
    pub fn trace(&self) -> record::Trace {
        let points: Vec<record::TracePoint> = self
            .samples
            .iter()
            .map(|sample| record::TracePoint {
                label: match sample.label {
                    Label::Clean => 'c',
                    Label::Contended => 'b',
                    Label::Drifted => 'd',
                    Label::Interrupted => 'i',
                    Label::Migrated => 'm',
                },
                long: sample.arm == Arm::Long,
                cycles: sample.cycles,
                gauge: sample.gauge,
                rate: sample.ticks / sample.cycles,
            })
            .collect();
        record::Trace::new(&points)
    }

    /// The cost an operation in core cycles, where cycles may be claimed.
    pub fn cycles(&self) -> Option<Cycles> {
        self.result.cycles.as_ref().map(|cycles| Cycles(cycles.estimate))
    }

    /// What may be said of it.
    pub fn verdict(&self) -> Verdict {
        self.result.verdict
    }
}

/// The smallest cost of a call, in core cycles, that can be told from the loop around it.
fn resolution(kind: Kind, floor: Option<Cycles>, width: Option<u8>) -> Option<f64> {
    let floor = floor?.get();
    let margin = floor * (1.0 + FLOOR_MARGIN);
    Some(match kind {
        Kind::Latency => margin.max(CHAIN_FLOOR),
        // The loop's own loads fill ports and issue slots that one further instruction may find free or not: less than one
        // issue slot above the floor is nothing.
        Kind::ReciprocalThroughput => margin + 1.0 / f64::from(width.unwrap_or(4)),
        // Two places are written and read for every call; how they overlap with the routine is not the loop's alone.
        _ => margin + 1.0,
    })
}

/// The samples that the estimate's companions (least, median, spread) are taken from: the clean ones, or all where there
/// are none.
fn believed(outcome: &Outcome) -> Vec<&Sample> {
    let clean: Vec<&Sample> = outcome.samples.iter().filter(|sample| sample.label == Label::Clean).collect();
    if clean.is_empty() { outcome.samples.iter().collect() } else { clean }
}

/// What the clean samples' shape says of a trend with the sample index.
fn trend_note(outcome: &Outcome) -> Option<String> {
    let long = if outcome.single { Arm::Short } else { Arm::Long };
    let iterations = outcome.iterations as f64 * if outcome.single { 1.0 } else { 2.0 };
    let values: Vec<f64> = outcome
        .samples
        .iter()
        .filter(|sample| sample.label == Label::Clean && sample.arm == long)
        .map(|sample| sample.cycles / iterations)
        .collect();
    let trend = stats::trend(&values).filter(|trend| trend.significant && trend.relative.abs() > 0.01)?;
    Some(format!(
        "the cost {} by {:.1} % from the first to the last sample",
        if trend.relative > 0.0 { "rose" } else { "fell" },
        100.0 * trend.relative.abs()
    ))
}
