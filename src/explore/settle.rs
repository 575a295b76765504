//! What do the results of a run say of its sweeps and factor experiments? Worked out from the results, so that what several processes
//! measured counts.

use super::effects::{Cell, effects};
use super::levels::Level;
use super::outcome::{judged, named};
use super::sweep_verdict::{Cost, SizeCost, judge_sweep};
use crate::error::Result;
use crate::record::{
    BenchmarkResult, Estimate, FactorCell, FactorsOutcome, Record, SweepOutcome, SweepPoint,
};

/// Fills in what the results of `record` say of its sweeps and factor experiments, which name them, and leaves out what was not measured.
///
/// # Errors
///
/// As for [`effects`].
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
    let sized = |point: &SweepPoint| {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{CycleEstimate, FactorChange, FactorEffect, FactorLevels};

    fn result(id: &str, cycles: Option<f64>) -> BenchmarkResult {
        BenchmarkResult {
            id: id.to_owned(),
            cycles: cycles.map(|cycles| CycleEstimate {
                estimate: cycles,
                lo: 0.99 * cycles,
                hi: 1.01 * cycles,
                ..CycleEstimate::default()
            }),
            ticks: Estimate { estimate: 7.0, lo: Some(6.9), hi: Some(7.1) },
            ..BenchmarkResult::default()
        }
    }

    /// A sweep of `a` and `b` over one size in each level, that cost an element so much.
    fn swept(costs: &[(f64, f64)]) -> Record {
        let mut record = Record::default();
        let levels = ["L1", "L2", "L3", "RAM"];
        let mut points = Vec::new();
        for (at, (a, b)) in costs.iter().enumerate() {
            let (one, other) = (format!("sum/a/{at}"), format!("sum/b/{at}"));
            record.results.extend([result(&one, Some(100.0 * a)), result(&other, Some(100.0 * b))]);
            points.push(SweepPoint {
                size: at.to_string(),
                elements: Some(100),
                bytes: Some(1024 << (5 * at)),
                level: Some(levels[at].to_owned()),
                results: vec![one, other],
                ..SweepPoint::default()
            });
        }
        // In any order.
        points.reverse();
        record.sweeps = vec![SweepOutcome {
            name: "sum".to_owned(),
            candidates: vec!["a".to_owned(), "b".to_owned()],
            points,
            ..SweepOutcome::default()
        }];
        record
    }

    fn verdict(costs: &[(f64, f64)]) -> Option<String> {
        let mut record = swept(costs);
        settle(&mut record).unwrap();
        record.sweeps.remove(0).verdict
    }

    #[test]
    fn verdicts_are_those_of_the_costs_by_level() {
        assert_eq!(
            verdict(&[(1.0, 2.0), (1.1, 2.2), (1.2, 2.4), (1.5, 3.0)]).as_deref(),
            Some("instructions")
        );
        assert_eq!(verdict(&[(1.0, 1.0), (1.1, 2.2), (1.2, 6.0), (1.5, 20.0)]).as_deref(), Some("cache"));
        // Whichever of the two is the dearer one.
        assert_eq!(verdict(&[(1.0, 1.0), (2.2, 1.1), (6.0, 1.2), (20.0, 1.5)]).as_deref(), Some("cache"));
        assert_eq!(verdict(&[(1.0, 1.01), (1.1, 1.1), (3.0, 3.0), (9.0, 9.1)]).as_deref(), Some("same"));
        assert_eq!(verdict(&[(1.0, f64::NAN), (2.0, f64::NAN)]), None);
    }

    #[test]
    fn costs_are_per_element_smallest_first_and_ratios_span_both_intervals() {
        let mut record = swept(&[(1.0, 2.0), (1.0, 3.0)]);
        settle(&mut record).unwrap();
        let sweep = &record.sweeps[0];
        assert_eq!((sweep.unit.as_str(), sweep.per.as_str()), ("cyc", "element"));
        assert_eq!(sweep.points[0].bytes, Some(1024));
        assert!((sweep.points[1].costs[1].estimate - 3.0).abs() < 1e-12);
        let ratio = sweep.points[1].ratio.as_ref().unwrap();
        assert!(
            (ratio.estimate - 3.0).abs() < 1e-12 && (ratio.hi.unwrap() - 3.0 * 1.01 / 0.99).abs() < 1e-12
        );
        // Once more, by what a second process brought: nothing piles up.
        let before = record.sweeps.clone();
        settle(&mut record).unwrap();
        assert_eq!(record.sweeps, before);
    }

    #[test]
    fn one_result_without_cycles_makes_all_of_it_ticks() {
        let mut record = swept(&[(1.0, 2.0), (1.0, 3.0)]);
        record.results[0].cycles = None;
        settle(&mut record).unwrap();
        let sweep = &record.sweeps[0];
        assert_eq!(sweep.unit, "ticks");
        assert!(sweep.points.iter().flat_map(|point| &point.costs).all(|cost| cost.estimate == 0.07));
    }

    #[test]
    fn what_was_not_measured_is_left_out() {
        let mut record = swept(&[(1.0, 2.0), (1.0, 3.0)]);
        record.results.retain(|result| result.id == "sum/b/1");
        settle(&mut record).unwrap();
        let sweep = &record.sweeps[0];
        assert_eq!((sweep.points.len(), &sweep.verdict), (1, &None));
        assert!(sweep.points[0].costs[0].estimate.is_nan() && sweep.points[0].ratio.is_none());
        record.results.clear();
        settle(&mut record).unwrap();
        assert!(record.sweeps.is_empty());
    }

    #[test]
    fn effects_are_those_of_the_results() {
        let mut record = Record::default();
        let levels = ["0", "1"].map(str::to_owned);
        let factor = |name: &str| FactorLevels { name: name.to_owned(), levels: levels.to_vec() };
        let mut planned = FactorsOutcome {
            name: "links".to_owned(),
            factors: vec![factor("row"), factor("column")],
            ..FactorsOutcome::default()
        };
        for (row, column, cost) in [(0, 0, 60.0), (0, 1, 120.0), (1, 0, 150.0), (1, 1, 300.0)] {
            let id = format!("links/{row}/{column}");
            record.results.push(result(&id, Some(cost)));
            let levels = vec![levels[row].clone(), levels[column].clone()];
            planned.cells.push(FactorCell { levels, result: id, ..FactorCell::default() });
        }
        record.factors = vec![planned];
        settle(&mut record).unwrap();
        let found = &record.factors[0];
        let adds = |of: &[FactorEffect]| of.iter().map(|effect| effect.adds).collect::<Vec<_>>();
        assert_eq!(adds(&found.main), [135.0, 105.0]);
        assert_eq!(adds(&found.interactions), [90.0]);
        assert_eq!(found.main[0].of, [FactorChange { factor: "row".to_owned(), level: "1".to_owned() }]);
        assert!(found.warnings.is_empty() && found.unit == "cyc");
        // A corner that failed: no interaction, and it is said.
        record.results.pop();
        settle(&mut record).unwrap();
        let found = &record.factors[0];
        assert_eq!((found.cells.len(), found.interactions.len()), (3, 0));
        assert!(found.warnings.iter().any(|warning| warning.contains("3 of 4")), "{found:#?}");
        record.results.clear();
        settle(&mut record).unwrap();
        assert!(record.factors.is_empty());
    }
}
