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
        let (lo, hi) = placements.as_ref().map_or((f64::NAN, f64::NAN), ends);
        let middle = placements.as_ref().map_or(f64::NAN, |all| all.median);
        let width_pct = 100.0 * (hi - lo) / middle;
        (result.verdict, result.verdict_reason) = if let Some((verdict, reason)) = open.first() {
            let reason = reason.as_deref().unwrap_or("it did not converge");
            (*verdict, Some(format!("at {} of {places} places: {reason}", open.len())))
        } else if width_pct > precision_pct {
            let reason = format!(
                "the interval over {places} places is {width_pct:.2} % wide, not {precision_pct} %: the cost depends on \
                 where the loop starts"
            );
            (Verdict::Imprecise, Some(reason))
        } else {
            (Verdict::Converged, None)
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
            _ => {
                let ticks = &result.ticks;
                (ticks.estimate, ticks.lo.unwrap_or(ticks.estimate), ticks.hi.unwrap_or(ticks.estimate))
            }
        };
        Placement { offset: *offset, estimate, lo, hi, verdict: result.verdict }
    };
    summed(results.iter().zip(offsets).map(placement).collect())
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
                format!(": the cost differs by {:.2} %", all.spread_pct)
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
