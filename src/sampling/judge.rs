//! What may be said of these samples? Estimate, interval and verdict of one loop, from its labelled samples.

use super::estimate::{Arm, Location, single, slope, steady};
use super::options::Options;
use super::outcome::{Assessment, Bench, Counts, Modes, Sample};
use super::trust::Label;
use crate::order;
use crate::record::Verdict;
use crate::stats;
use crate::units::Nanos;

/// An interval this narrow (in cycles an iteration) is precise, whatever its share of the value.
const PRECISE_ENOUGH: f64 = 0.005;
/// What a contended estimate may be off by besides its interval: the ruler's own chain is slowed a little by a sibling.
const CONTENDED_SLACK: f64 = 0.015;

/// How the samples were taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    /// Iterations of the short arm.
    pub(super) iterations: u64,
    /// Slices of one length only.
    pub(super) single: bool,
    /// Time spent.
    pub(super) spent: Nanos,
}

/// What these samples of one loop come to. `doubt` says why no gauge of the run can have been a quiet one.
pub(super) fn judge(
    case: &Case,
    samples: &[Sample],
    options: &Options,
    bench: &Bench,
    doubt: Option<&str>,
) -> Assessment {
    let counts = Counts::of(samples);
    let location =
        if options.best_of { Location::Least } else { Location::Percentile(options.target_percentile) };
    let clean: Vec<&Sample> = samples.iter().filter(|sample| sample.label == Label::Clean).collect();
    let arms = |from: &[&Sample]| {
        let of = |arm: Arm| from.iter().filter(|sample| sample.arm == arm).count();
        if case.single { of(Arm::Short) } else { of(Arm::Short).min(of(Arm::Long)) }
    };
    let enough = arms(&clean) >= options.min_samples;
    // Without enough clean samples: the third that stood beside the best gauges, of all that ran undisturbed otherwise.
    let fallback;
    let chosen: &[&Sample] = if enough || (arms(&clean) >= 3 && counts.clean * 2 > counts.total) {
        &clean
    } else {
        fallback = least_contended(samples, options.min_samples);
        &fallback
    };
    let (overhead, step) = (bench.overhead.get(), bench.step.get());
    let pick = |arm: Arm, of: fn(&Sample) -> f64| -> Vec<f64> {
        chosen.iter().filter(|sample| sample.arm == arm).map(|sample| of(sample)).collect()
    };
    let estimate = |of: fn(&Sample) -> f64, overhead: f64, step: f64| {
        if case.single {
            single(&pick(Arm::Short, of), case.iterations, overhead, location)
        } else {
            slope(&pick(Arm::Short, of), &pick(Arm::Long, of), case.iterations, step, location)
        }
    };
    let in_cycles = |sample: &Sample| sample.cycles;
    let rate = chosen.first().map_or(1.0, |sample| sample.ticks / sample.cycles);
    let mut cycles = estimate(in_cycles, overhead / rate, step / rate);
    let modes = if case.single || options.best_of {
        None
    } else {
        two_modes(
            &pick(Arm::Short, in_cycles),
            &pick(Arm::Long, in_cycles),
            case.iterations,
            step / rate,
            location,
            options.target_precision_pct,
        )
    };
    if let (Some(cycles), Some(Modes { lower, upper, upper_share })) = (&mut cycles, modes) {
        cycles.value = lower.value + upper_share * (upper.value - lower.value);
        (cycles.lo, cycles.hi) = (lower.lo, upper.hi);
    }
    let ticks = estimate(|sample| sample.ticks, overhead, step);
    let contended = !enough && counts.clean * 2 <= counts.total;
    if let Some(cycles) = &mut cycles
        && contended
    {
        cycles.lo *= 1.0 - CONTENDED_SLACK;
        cycles.hi *= 1.0 + CONTENDED_SLACK;
    }
    let width = cycles.map_or(f64::INFINITY, |cycles| cycles.hi - cycles.lo);
    let precise = options.best_of
        || width <= PRECISE_ENOUGH
        || cycles.is_some_and(|cycles| cycles.width_pct() <= options.target_precision_pct);
    let tolerance = options.target_precision_pct;
    let stable = if options.best_of {
        true
    } else if case.single {
        stats::drift_between_halves(&pick(Arm::Short, in_cycles), options.target_percentile, tolerance)
            .is_ok_and(|drift| drift.stable)
    } else {
        let (short, long) = (pick(Arm::Short, in_cycles), pick(Arm::Long, in_cycles));
        steady(&short, &long, case.iterations, location, tolerance)
    };
    let width = cycles.map_or(f64::INFINITY, |cycles| cycles.width_pct());
    let (verdict, reason) = if !enough && contended {
        let why = doubt.map_or_else(
            || {
                format!(
                    "{} of {} samples were clean, and {} of each length are needed",
                    counts.clean, counts.total, options.min_samples
                )
            },
            str::to_owned,
        );
        let mostly = counts.contended * 2 >= counts.total;
        (if mostly { Verdict::Contended } else { Verdict::MinimumsUnmet }, Some(why))
    } else if !enough {
        let why =
            format!("{} clean samples of each length, of {} asked for", arms(&clean), options.min_samples);
        (Verdict::MinimumsUnmet, Some(why))
    } else if let Some(Modes { lower, upper, upper_share }) = modes {
        let why = format!(
            "whole slices cost one of two: {:.0} % of them {:.3} cycles a call and {:.0} % {:.3}",
            100.0 * (1.0 - upper_share),
            lower.value,
            100.0 * upper_share,
            upper.value
        );
        (Verdict::Unstable, Some(why))
    } else if !stable {
        (Verdict::Unstable, Some("the first and the second half of the samples disagree".to_owned()))
    } else if !precise {
        let why = format!("the interval spans {width:.2} %, of {} % asked for", options.target_precision_pct);
        (Verdict::Imprecise, Some(why))
    } else if case.spent.as_secs() < options.min_secs {
        let why = format!("measured for {:.3} s of at least {} s", case.spent.as_secs(), options.min_secs);
        (Verdict::MinimumsUnmet, Some(why))
    } else {
        (Verdict::Converged, None)
    };
    Assessment { cycles, ticks, counts, verdict, reason, upper_bound: contended, modes }
}

/// The slopes of both modes, where the slices of both lengths fall into two and their slopes are `apart_pct` per cent apart or more:
/// a fixed cost that only some slices have makes two modes of slices, but not of the cost.
fn two_modes(
    short: &[f64],
    long: &[f64],
    iterations: u64,
    step: f64,
    location: Location,
    apart_pct: f64,
) -> Option<Modes> {
    let (in_short, in_long) = (stats::bimodality(short)?, stats::bimodality(long)?);
    let side = |values: &[f64], border: f64, upper: bool| -> Vec<f64> {
        values.iter().copied().filter(|&value| (value > border) == upper).collect()
    };
    let mode = |upper: bool| {
        let short = side(short, in_short.border, upper);
        let long = side(long, in_long.border, upper);
        slope(&short, &long, iterations, step, location)
    };
    let (lower, upper) = (mode(false)?, mode(true)?);
    let upper_share = (in_short.upper_share + in_long.upper_share) / 2.0;
    let apart = upper.value > lower.value * (1.0 + apart_pct / 100.0);
    apart.then_some(Modes { lower, upper, upper_share })
}

/// The third of the undisturbed samples whose gauges were best, but no fewer than `fewest` of each arm where there are as
/// many. The choice looks at the gauges alone.
fn least_contended(samples: &[Sample], fewest: usize) -> Vec<&Sample> {
    let mut chosen = Vec::new();
    for arm in [Arm::Short, Arm::Long] {
        let mut ranked: Vec<(usize, &Sample)> =
            samples.iter().enumerate().filter(|(_, sample)| sample.arm == arm).collect();
        let undisturbed = ranked
            .iter()
            .filter(|(_, sample)| matches!(sample.label, Label::Clean | Label::Contended))
            .count();
        if undisturbed >= fewest.min(ranked.len()) {
            ranked.retain(|(_, sample)| matches!(sample.label, Label::Clean | Label::Contended));
        }
        ranked = order::by(ranked, &|(_, one), (_, other)| one.gauge.total_cmp(&other.gauge));
        ranked.truncate((ranked.len() / 3).max(fewest));
        chosen.extend(ranked);
    }
    order::by(chosen, &|(one, _), (other, _)| one.cmp(other)).into_iter().map(|(_, sample)| sample).collect()
}
