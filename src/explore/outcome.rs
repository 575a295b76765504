//! How do sweeps and factor experiments get into a record? By the results of the run, so that what several processes measured counts.

use super::effects::{Cell, Effect, Effects, effects};
use super::levels::Level;
use super::sweep_verdict::{Cost, SizeCost, SweepVerdict, judge_sweep};
use crate::error::Result;
use crate::record::{
    BenchmarkResult, Estimate, FactorCell, FactorChange, FactorEffect, FactorLevels, FactorsOutcome, Record,
    SweepOutcome,
};

/// Fills in what the results of `record` say of its sweeps and factor experiments, which name them, and leaves out what was not measured.
///
/// # Errors
///
/// As for [`effects`].
#[cfg(feature = "suite")]
pub(crate) fn settle(record: &mut Record) -> Result<()> {
    let results = &record.results;
    record.sweeps.iter_mut().for_each(|sweep| settle_sweep(sweep, results));
    record.sweeps.retain(|sweep| !sweep.points.is_empty());
    for factors in &mut record.factors {
        *factors = settled(factors, results)?;
    }
    record.factors.retain(|factors| !factors.cells.is_empty());
    Ok(())
}

fn of<'r>(results: &'r [BenchmarkResult], id: &str) -> Option<&'r BenchmarkResult> {
    results.iter().find(|result| result.id == id)
}

/// The cost of `result` in core cycles or else ticks, divided by `count`.
fn cost(result: Option<&BenchmarkResult>, in_cycles: bool, count: u64) -> Estimate {
    let per = |value: f64| value / count as f64;
    let Some(result) = result else { return Estimate { estimate: f64::NAN, ..Estimate::default() } };
    match &result.cycles {
        Some(cycles) if in_cycles => {
            Estimate { estimate: per(cycles.estimate), lo: Some(per(cycles.lo)), hi: Some(per(cycles.hi)) }
        }
        _ => Estimate {
            estimate: per(result.ticks.estimate),
            lo: result.ticks.lo.map(per),
            hi: result.ticks.hi.map(per),
        },
    }
}

/// Whether all of `ids` that were measured have a cost in core cycles.
fn in_cycles<'i>(mut ids: impl Iterator<Item = &'i String>, results: &[BenchmarkResult]) -> bool {
    ids.all(|id| of(results, id).is_none_or(|result| result.cycles.is_some()))
}

fn unit(in_cycles: bool) -> String {
    if in_cycles { "cyc" } else { "ticks" }.to_owned()
}

#[cfg(feature = "suite")]
fn settle_sweep(sweep: &mut SweepOutcome, results: &[BenchmarkResult]) {
    sweep.points.retain(|point| point.results.iter().any(|id| of(results, id).is_some()));
    let claims = in_cycles(sweep.points.iter().flat_map(|point| &point.results), results);
    let by_element = sweep.points.iter().all(|point| point.elements.is_some());
    sweep.unit = unit(claims);
    sweep.per = if by_element { "element" } else { "operation" }.to_owned();
    for point in &mut sweep.points {
        let count = if by_element { point.elements.unwrap_or(1) } else { 1 };
        point.costs = point.results.iter().map(|id| cost(of(results, id), claims, count)).collect();
        point.ratio = None;
    }
    if sweep.points.iter().all(|point| point.bytes.is_some()) {
        sweep.points.sort_by_key(|point| point.bytes);
    }
    let [a, b] = &sweep.candidates[..] else { return };
    let sized = |point: &crate::record::SweepPoint| {
        let [a, b] = &point.costs[..] else { return None };
        let cost = |of: &Estimate| {
            let (lo, hi) = of.ends();
            Cost { value: of.estimate, lo, hi }
        };
        let level = point.level.as_deref().and_then(Level::from_name);
        Some(SizeCost { bytes: point.bytes.unwrap_or(0), level, a: cost(a), b: cost(b) })
    };
    let points: Vec<SizeCost> = sweep.points.iter().filter_map(sized).collect();
    for (point, sized) in sweep.points.iter_mut().zip(&points) {
        let ratio = sized.ratio();
        point.ratio = ratio.value.is_finite().then_some(Estimate {
            estimate: ratio.value,
            lo: Some(ratio.lo),
            hi: Some(ratio.hi),
        });
    }
    // What was filtered out leaves nothing to compare.
    if sweep.points.iter().any(|point| point.ratio.is_some()) {
        let verdict = judge_sweep(&points, a, b);
        *sweep = judged(std::mem::take(sweep), &verdict);
    }
}

/// The sweep with its verdict.
pub(super) fn judged(mut sweep: SweepOutcome, verdict: &SweepVerdict) -> SweepOutcome {
    sweep.verdict = Some(verdict.cause.to_string());
    sweep.reasons = verdict.reasons.clone();
    sweep
}

#[cfg(feature = "suite")]
fn settled(planned: &FactorsOutcome, results: &[BenchmarkResult]) -> Result<FactorsOutcome> {
    let factors: Vec<(String, Vec<String>)> =
        planned.factors.iter().map(|factor| (factor.name.clone(), factor.levels.clone())).collect();
    let claims = in_cycles(planned.cells.iter().map(|cell| &cell.result), results);
    let numbers = |cell: &FactorCell| -> Vec<usize> {
        let places = factors.iter().zip(&cell.levels);
        places.filter_map(|((_, levels), level)| levels.iter().position(|one| one == level)).collect()
    };
    let cells: Vec<(String, Vec<usize>, Estimate)> = planned
        .cells
        .iter()
        .filter_map(|cell| Some((cell, of(results, &cell.result)?)))
        .map(|(cell, result)| (cell.result.clone(), numbers(cell), cost(Some(result), claims, 1)))
        .collect();
    let measured: Vec<Cell> = cells
        .iter()
        .map(|(_, levels, cost)| {
            let (lo, hi) = cost.ends();
            Cell { levels: levels.clone(), cost: cost.estimate, margin: (hi - lo).abs() / 2.0 }
        })
        .collect();
    let names: Vec<&str> = factors.iter().map(|(name, _)| name.as_str()).collect();
    let counts: Vec<usize> = factors.iter().map(|(_, levels)| levels.len()).collect();
    let found = effects(&names, &counts, &measured)?;
    Ok(named(&planned.name, &unit(claims), &factors, cells.into_iter(), &found))
}

/// What an experiment found, with names instead of numbers. A cell is the id of its result, its levels by number, and its cost.
pub(super) fn named(
    name: &str,
    unit: &str,
    factors: &[(String, Vec<String>)],
    cells: impl Iterator<Item = (String, Vec<usize>, Estimate)>,
    found: &Effects,
) -> FactorsOutcome {
    let level = |factor: usize, level: usize| factors[factor].1[level].clone();
    let effect = |effect: &Effect| FactorEffect {
        of: effect
            .of
            .iter()
            .map(|(factor, to)| FactorChange {
                factor: factors[*factor].0.clone(),
                level: level(*factor, *to),
            })
            .collect(),
        adds: effect.adds,
        lo: effect.lo,
        hi: effect.hi,
        factor: effect.factor,
        settings: effect.settings as u64,
    };
    FactorsOutcome {
        name: name.to_owned(),
        unit: unit.to_owned(),
        factors: factors
            .iter()
            .map(|(name, levels)| FactorLevels { name: name.clone(), levels: levels.clone() })
            .collect(),
        cells: cells
            .map(|(result, levels, cost)| FactorCell {
                levels: levels.iter().enumerate().map(|(factor, at)| level(factor, *at)).collect(),
                result,
                cost,
            })
            .collect(),
        main: found.main.iter().map(effect).collect(),
        interactions: found.interactions.iter().map(effect).collect(),
        warnings: found.warnings.clone(),
    }
}
