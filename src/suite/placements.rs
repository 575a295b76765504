//! What does a benchmark cost over several starts of its timed loop? One result, whose interval spans them.

use super::arguments::Arguments;
use crate::error::{Error, ErrorKind, Result};
use crate::harness::PLACES;
#[cfg(feature = "placements")]
use crate::lab::{Measurement, Placed, Start};
use crate::order;
use crate::record::{BenchmarkResult, Placement, Placements};
#[cfg(feature = "placements")]
use crate::record::{CycleEstimate, Estimate, Verdict, inert, sentence};
use crate::stats;

/// Whether this build can start its loops at as many places as were asked for.
///
/// # Errors
///
/// `Usage` where it cannot, or nothing can.
pub(super) fn check(arguments: &Arguments) -> Result<()> {
    /// As many as there are with the feature.
    const MOST: usize = 8;
    let Some(places) = arguments.placements else { return Ok(()) };
    let wrong = |what: &str| Error::new(ErrorKind::Usage, format!("--placements is {places}")).because(what);
    if places == 0 {
        return Err(wrong("the loop has to start somewhere").remedy("give the number of places, 1 to 8"));
    }
    if places > MOST {
        return Err(wrong("the harness is compiled for 8 places, eight bytes apart")
            .remedy("give the number of places, 1 to 8"));
    }
    if places > 1 && PLACES == 0 {
        return Err(Error::new(
            ErrorKind::Usage,
            format!("--placements {places} needs the feature placements"),
        )
        .because("this bench binary was built without it: it compiles each timed loop once for each place")
        .remedy("add features = [\"placements\"] to fencepost in Cargo.toml, or leave --placements out"));
    }
    Ok(())
}

/// One measurement of those of one benchmark at several places; `starts` says where each was. The measurement is that of the place whose cost
/// is nearest to the median, and its interval spans those of all.
#[cfg(feature = "placements")]
pub(super) fn together(
    id: &str,
    each: Vec<Measurement>,
    starts: &[Start],
    precision_pct: f64,
) -> Option<Measurement> {
    let results: Vec<&BenchmarkResult> = each.iter().map(|one| &one.result).collect();
    let elapsed_secs = results.iter().map(|one| one.elapsed_secs).sum();
    let offsets: Vec<Option<u64>> = starts.iter().map(|start| start.offset).collect();
    let placements = over(&results, &offsets);
    let mut remarks = remarks(starts, placements.as_ref());
    let places = each.len();
    let typical = placements.as_ref().map_or(0, |all| {
        let off = |at: usize| (all.each[at].estimate - all.median).abs();
        (0..places).min_by(|one, other| off(*one).total_cmp(&off(*other))).unwrap_or(0)
    });
    // What is too small to be told from nothing at one place is measured at another only by what the place adds.
    let nothing = results.iter().position(|one| one.below_resolution);
    let nothing = nothing.filter(|_| 2 * results.iter().filter(|one| one.below_resolution).count() >= places);
    let spans = placements.is_some() && places > 1;
    let ticks = spanning(results.iter().map(|one| &one.ticks));
    let ns = results.iter().map(|one| one.ns.as_ref()).collect::<Option<Vec<_>>>();
    let ns = ns.and_then(|all| spanning(all.into_iter()));
    let open: Vec<(Verdict, Option<String>)> = results
        .iter()
        .filter(|one| one.verdict != Verdict::Converged)
        .map(|one| (one.verdict, one.verdict_reason.clone()))
        .collect();
    let upper_bound = results.iter().any(|one| one.upper_bound);
    let mut chosen = each.into_iter().nth(nothing.unwrap_or(typical))?;
    let result = &mut chosen.result;
    result.id = id.to_owned();
    result.elapsed_secs = elapsed_secs;
    if spans && nothing.is_none() {
        if let (Some(cycles), Some(all)) = (&mut result.cycles, &placements) {
            let (lo, hi) = ends(all);
            *cycles = CycleEstimate { estimate: all.median, lo, hi, ..cycles.clone() };
        }
        if let Some(ticks) = ticks {
            result.ticks = ticks;
        }
        if ns.is_some() {
            result.ns = ns;
        }
        // Two modes at one place are part of what the places span.
        result.modes = None;
        result.upper_bound = upper_bound;
        let depends = placements.as_ref().filter(|all| depends(all) && all.spread_pct > precision_pct);
        // An interval that is too wide says less than places that cost something else.
        let worst = open.iter().find(|(verdict, _)| *verdict != Verdict::Imprecise).or(open.first());
        (result.verdict, result.verdict_reason) = match (worst, depends) {
            (Some((verdict, reason)), depends)
                if 2 * open.len() > places && (depends.is_none() || *verdict != Verdict::Imprecise) =>
            {
                let reason = reason.as_deref().unwrap_or("it did not converge");
                (*verdict, Some(format!("at {} of {places} places: {reason}", open.len())))
            }
            (_, Some(all)) => {
                let reason = format!(
                    "the cost depends on where the loop starts: it differs by {:.2} % over {places} places",
                    all.spread_pct
                );
                (Verdict::Imprecise, Some(reason))
            }
            // A minority is known by its wide intervals, which are in this one.
            _ => (Verdict::Converged, None),
        };
        result.sentence = sentence(result);
    }
    result.placements = placements.filter(|_| spans);
    result.notes.append(&mut remarks);
    Some(chosen)
}

/// Each benchmark at its places: where they are, and the benchmarks in one row.
#[cfg(feature = "placements")]
pub(super) fn split(all: Vec<Vec<Placed<'_>>>) -> (Vec<Vec<Start>>, Vec<crate::lab::Benchmark<'_>>) {
    let mut starts = Vec::with_capacity(all.len());
    let mut benchmarks = Vec::new();
    for placed in all {
        let (benchmark, start): (Vec<_>, Vec<_>) =
            placed.into_iter().map(|one| (one.benchmark, one.start)).unzip();
        starts.push(start);
        benchmarks.extend(benchmark);
    }
    (starts, benchmarks)
}

/// What was measured at the places whose loops start at `offsets`; `None` where some place gave nothing.
#[cfg(feature = "placements")]
fn over(results: &[&BenchmarkResult], offsets: &[Option<u64>]) -> Option<Placements> {
    let in_cycles = results.iter().all(|one| one.cycles.is_some());
    let placement = |(result, offset): (&&BenchmarkResult, &Option<u64>)| {
        let (estimate, lo, hi) = match &result.cycles {
            Some(cycles) if in_cycles => (cycles.estimate, cycles.lo, cycles.hi),
            // An estimate without an interval is none: the run was cut short before there was one.
            _ => (result.ticks.estimate, result.ticks.lo?, result.ticks.hi?),
        };
        Some(Placement { offset: *offset, estimate, lo, hi, verdict: result.verdict })
    };
    summed(results.iter().zip(offsets).map(placement).collect::<Option<Vec<_>>>()?)
}

/// With what they say together.
fn summed(each: Vec<Placement>) -> Option<Placements> {
    let spread = stats::spread(&each.iter().map(|one| one.estimate).collect::<Vec<_>>()).ok()?;
    let mut offsets: Vec<u64> = each.iter().filter_map(|one| one.offset).collect();
    offsets = order::whole(&offsets);
    offsets.dedup();
    Some(Placements {
        distinct: offsets.len() as u64,
        min: spread.min,
        median: spread.median,
        max: spread.max,
        spread_pct: spread.spread_pct,
        each,
    })
}

/// The placements that several processes measured: each by the median over them. The offsets are the same in all.
pub(super) fn across(each: &[&BenchmarkResult]) -> Option<Placements> {
    let all: Vec<&Placements> = each.iter().filter_map(|one| one.placements.as_ref()).collect();
    let first = all.first()?;
    let middle = |at: usize, of: fn(&Placement) -> f64| {
        let values: Vec<f64> = all.iter().filter_map(|one| one.each.get(at)).map(of).collect();
        Some(stats::spread(&values).ok()?.median)
    };
    let each = (0..first.each.len()).map(|at| {
        Some(Placement {
            estimate: middle(at, |one| one.estimate)?,
            lo: middle(at, |one| one.lo)?,
            hi: middle(at, |one| one.hi)?,
            ..first.each[at].clone()
        })
    });
    summed(each.collect::<Option<Vec<_>>>()?)
}

/// Whether the intervals of some two places have nothing in common.
#[cfg(feature = "placements")]
fn depends(all: &Placements) -> bool {
    let highest = all.each.iter().map(|one| one.lo).fold(f64::NEG_INFINITY, f64::max);
    highest > all.each.iter().map(|one| one.hi).fold(f64::INFINITY, f64::min)
}

/// The ends of all intervals.
#[cfg(feature = "placements")]
fn ends(all: &Placements) -> (f64, f64) {
    let lo = all.each.iter().map(|one| one.lo).fold(f64::INFINITY, f64::min);
    (lo, all.each.iter().map(|one| one.hi).fold(f64::NEG_INFINITY, f64::max))
}

/// The median of estimates, from the least lower end to the greatest upper one.
#[cfg(feature = "placements")]
fn spanning<'e>(all: impl Iterator<Item = &'e Estimate> + Clone) -> Option<Estimate> {
    let values: Vec<f64> = all.clone().map(|one| one.estimate).collect();
    let median = stats::spread(&values).ok()?.median;
    let lo = all.clone().map(|one| one.lo.unwrap_or(one.estimate)).fold(f64::INFINITY, f64::min);
    let hi = all.map(|one| one.hi.unwrap_or(one.estimate)).fold(f64::NEG_INFINITY, f64::max);
    Some(Estimate { estimate: median, lo: Some(lo), hi: Some(hi) })
}

/// What has to be known of the places that were had.
#[cfg(feature = "placements")]
fn remarks(starts: &[Start], placements: Option<&Placements>) -> Vec<String> {
    let mut remarks = Vec::new();
    if let [Start { missing: Some(missing), .. }] = starts {
        return vec![format!("measured where it lies: {missing}")];
    }
    let mut offsets: Vec<u64> = starts.iter().filter_map(|start| start.offset).collect();
    offsets = order::whole(&offsets);
    offsets.dedup();
    let places = starts.len();
    match &offsets[..] {
        [] => remarks.push(format!(
            "where the loop starts is not known, so nothing is said of its place: {}",
            starts.iter().find_map(|start| start.missing.as_deref()).unwrap_or("it was not found")
        )),
        [only] => remarks.push(format!(
            "all {places} places start the loop at the same offset, {only} modulo 64: nothing is said of others"
        )),
        _ => {
            let differs = placements.map_or_else(String::new, |all| {
                if all.each.iter().any(|one| one.verdict == Verdict::BelowResolution) {
                    return String::new();
                }
                let within = if depends(all) { "" } else { ", which is within its intervals" };
                format!(": the cost differs by {:.2} %{within}", all.spread_pct)
            });
            let names: Vec<String> = offsets.iter().map(u64::to_string).collect();
            remarks.push(format!("loop started at {} modulo 64{differs}", names.join(", ")));
            if offsets.len() < places {
                remarks.push(format!(
                    "{places} places have {} different offsets: the compiler aligned the loop",
                    offsets.len()
                ));
            }
        }
    }
    let mut calls: Vec<&str> = starts.iter().flat_map(|start| &start.calls).map(String::as_str).collect();
    calls = order::by(calls, &|one, other| one.cmp(other));
    calls.dedup();
    if let Some(first) = calls.first() {
        let more = if calls.len() > 1 { format!(" and {} more", calls.len() - 1) } else { String::new() };
        remarks
            .push(format!("the loop calls {}{more}, which lies where it lies at every place", inert(first)));
    }
    remarks
}

#[cfg(all(test, feature = "placements"))]
mod tests {
    use super::*;
    use crate::record::Samples;

    fn measured(cost: f64, half: f64, verdict: Verdict) -> Measurement {
        let cycles = CycleEstimate { estimate: cost, lo: cost - half, hi: cost + half, ..Default::default() };
        let result = BenchmarkResult {
            id: "one at place".to_owned(),
            cycles: Some(cycles),
            ticks: Estimate { estimate: cost, lo: None, hi: None },
            verdict,
            verdict_reason: (verdict != Verdict::Converged).then(|| "too wide".to_owned()),
            below_resolution: verdict == Verdict::BelowResolution,
            samples: Samples { total: 10, clean: 9, contended: 1, ..Samples::default() },
            ..BenchmarkResult::default()
        };
        Measurement { result, samples: Vec::new(), entry: None }
    }

    fn of(each: &[(f64, f64, Verdict)], offsets: &[u64]) -> BenchmarkResult {
        let each = each.iter().map(|(cost, half, verdict)| measured(*cost, *half, *verdict)).collect();
        let starts: Vec<Start> =
            offsets.iter().map(|offset| Start { offset: Some(*offset), ..Start::default() }).collect();
        together("one", each, &starts, 0.4).unwrap().result
    }

    const GOOD: Verdict = Verdict::Converged;

    #[test]
    fn the_interval_spans_the_places_and_a_cost_that_depends_on_them_is_said_to() {
        let result = of(&[(10.0, 0.01, GOOD), (13.0, 0.02, GOOD), (10.1, 0.01, GOOD)], &[0, 16, 32]);
        let cycles = result.cycles.as_ref().unwrap();
        assert_eq!((cycles.lo, cycles.estimate, cycles.hi), (9.99, 10.1, 13.02));
        assert_eq!((result.id.as_str(), result.verdict), ("one", Verdict::Imprecise));
        assert!(
            result
                .verdict_reason
                .unwrap()
                .contains("depends on where the loop starts: it differs by 29.70 %")
        );
        let all = result.placements.unwrap();
        assert_eq!((all.distinct, all.min, all.median, all.max), (3, 10.0, 10.1, 13.0));
        // That holds also where one of them is not known as well as it should be.
        let result = of(&[(10.0, 0.1, Verdict::Imprecise), (13.0, 0.1, Verdict::Imprecise)], &[0, 16]);
        assert!(result.verdict_reason.unwrap().contains("depends"));
    }

    #[test]
    fn what_differs_by_chance_is_not_called_a_matter_of_place() {
        let result = of(&[(10.0, 0.03, GOOD), (10.05, 0.03, GOOD)], &[0, 16]);
        assert_eq!((result.verdict, result.verdict_reason), (GOOD, None));
        assert!(result.notes[0].contains("0, 16 modulo 64: the cost differs by 0.50 %, which is within"));
        let result = of(&[(10.0, 0.3, Verdict::Unstable), (10.2, 0.3, Verdict::Unstable)], &[0, 16]);
        assert_eq!(result.verdict, Verdict::Unstable);
        assert!(result.verdict_reason.unwrap().contains("at 2 of 2 places: too wide"));
    }

    #[test]
    fn one_offset_for_all_places_is_no_spread_and_that_is_said() {
        let result = of(&[(10.0, 0.03, GOOD), (10.0, 0.03, GOOD)], &[16, 16]);
        assert_eq!(result.placements.unwrap().distinct, 1);
        assert!(result.notes[0].contains("the same offset, 16 modulo 64: nothing is said of others"));
        let result = of(&[(10.0, 0.03, GOOD); 4], &[0, 32, 0, 32]);
        assert!(result.notes[1].contains("4 places have 2 different offsets"), "{:?}", result.notes);
    }

    #[test]
    fn what_was_cut_short_has_no_figure_for_any_place() {
        let mut each: Vec<Measurement> =
            (0..2).map(|_| measured(10.0, 0.1, Verdict::MinimumsUnmet)).collect();
        each[1].result.cycles = None;
        let starts = [0, 16].map(|offset| Start { offset: Some(offset), ..Start::default() });
        let result = together("one", each, &starts, 0.4).unwrap().result;
        assert_eq!((result.placements, result.verdict), (None, Verdict::MinimumsUnmet));
        assert_eq!(result.notes, ["loop started at 0, 16 modulo 64"]);
    }

    #[test]
    fn nothing_has_no_figure_at_any_place() {
        let nothing = (0.1, 0.1, Verdict::BelowResolution);
        let result = of(&[nothing, nothing, (1.0, 0.1, GOOD)], &[0, 16, 32]);
        assert_eq!((result.verdict, result.below_resolution), (Verdict::BelowResolution, true));
        assert_eq!(result.notes, ["loop started at 0, 16, 32 modulo 64"]);
    }
}
