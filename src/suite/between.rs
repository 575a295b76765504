//! What do several processes say together? One result a benchmark, whose interval spans what differs between processes.
//!
//! The interval of one process says how well that process knows its own cost. The next one may lie elsewhere in memory and cost
//! something else (METHODOLOGY.md, "Several processes").

use super::placements;
use crate::lab::judged;
use crate::order;
use crate::record::{
    BenchmarkResult, CycleEstimate, Estimate, Finding, PlacedSides, Record, Resources, Samples, Verdict,
    Versus, sentence,
};
use crate::stats::{self, Interval};

/// Two-sided 95 % points of Student's distribution for 1 to 4 degrees of freedom.
const STUDENT: [f64; 4] = [12.706, 4.303, 3.182, 2.776];
/// From so many processes on the order statistics alone give a 95 % interval for the median.
const BY_ORDER_FROM: usize = 6;

/// The median over processes with a 95 % interval, from each one's estimate and 95 % interval; `None` without a finite one.
///
/// From six on the interval is that of the median by order statistics, which assumes no distribution. Below that it is
/// `t(n - 1) * c * s / sqrt(n)` around the median, with the standard deviation `s` of the estimates and the median's
/// `c = sqrt(pi / 2)` (1 for two, whose median is their mean). It is never less than what the processes' own intervals
/// leave open: `sqrt(mean(half width^2) / n)`.
pub(super) fn between(each: &[Interval]) -> Option<Interval> {
    let each: Vec<&Interval> = each.iter().filter(|one| one.estimate.is_finite()).collect();
    let mut values: Vec<f64> = each.iter().map(|one| one.estimate).collect();
    order::sort(&mut values);
    let estimate = stats::percentile(&values, 50.0).ok()?;
    let count = values.len();
    let (lo, hi) = match count {
        1 => (estimate, estimate),
        BY_ORDER_FROM.. => {
            let rank = rank(count);
            (values[rank], values[count - 1 - rank])
        }
        _ => {
            let n = count as f64;
            let mean = values.iter().sum::<f64>() / n;
            let deviation =
                (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
            let of_median = if count == 2 { 1.0 } else { std::f64::consts::FRAC_PI_2.sqrt() };
            let half = STUDENT[count - 2] * of_median * deviation / n.sqrt();
            (estimate - half, estimate + half)
        }
    };
    let halves: Vec<f64> = each
        .iter()
        .map(|one| one.width() / 2.0)
        .filter(|half| half.is_finite())
        .map(|half| half * half)
        .collect();
    let within = (halves.iter().sum::<f64>() / halves.len().max(1) as f64 / count as f64).sqrt();
    // A cost is not negative, however little is known of it.
    Some(Interval { estimate, lo: lo.min(estimate - within).max(0.0), hi: hi.max(estimate + within) })
}

/// The highest rank, from 0, whose value and its mirror image enclose the median with 95 % at least.
fn rank(count: usize) -> usize {
    let mut outside = 0.0;
    // C(count, below) / 2^count, for one side.
    let mut term = 0.5f64.powi(i32::try_from(count).unwrap_or(i32::MAX));
    for below in 0..count / 2 {
        outside += 2.0 * term;
        if outside > 0.05 {
            return below.saturating_sub(1);
        }
        term *= (count - below) as f64 / (below + 1) as f64;
    }
    (count / 2).saturating_sub(1)
}

/// One record of what several processes recorded; `asked` is how many there should have been. `None` without a record.
pub(super) fn combine(records: &[Record], asked: usize, precision_pct: f64) -> Option<Record> {
    let mut record = records.first()?.clone();
    record.complete = records.len() == asked && records.iter().all(|one| one.complete);
    record.processes = records.len() as u64;
    record.resources = records.iter().filter_map(|one| one.resources.clone()).reduce(add);
    record.findings = findings(records);
    let mut ids: Vec<&str> = Vec::new();
    for result in records.iter().flat_map(|one| &one.results) {
        if !ids.contains(&result.id.as_str()) {
            ids.push(&result.id);
        }
    }
    record.results = ids
        .into_iter()
        .filter_map(|id| {
            let of_each = records.iter().filter_map(|one| one.results.iter().find(|result| result.id == id));
            result(&of_each.collect::<Vec<_>>(), precision_pct)
        })
        .collect();
    record.comparisons = comparisons(records);
    Some(record)
}

/// Each comparison of the first process, by all that made it.
fn comparisons(records: &[Record]) -> Vec<Versus> {
    let Some(first) = records.first() else { return Vec::new() };
    let all = first.comparisons.iter().map(|one| {
        let same = records.iter().flat_map(|record| &record.comparisons);
        let each: Vec<&Versus> = same.filter(|other| other.of == one.of && other.to == one.to).collect();
        let ratios: Vec<Interval> =
            each.iter().map(|one| Interval { estimate: one.ratio, lo: one.lo, hi: one.hi }).collect();
        let mut together = one.clone();
        if let Some(ratio) = between(&ratios) {
            (together.ratio, together.lo, together.hi) = (ratio.estimate, ratio.lo, ratio.hi);
            together.coverage = together.coverage.min(0.95);
        }
        together.blocks = each.iter().map(|one| one.blocks).sum();
        together.blocks_total = each.iter().map(|one| one.blocks_total).sum();
        together.clean = each.iter().all(|one| one.clean);
        let placed = each.iter().filter_map(|one| one.placements.clone());
        together.placements = placed.reduce(|one, other| PlacedSides {
            of_spread_pct: one.of_spread_pct.max(other.of_spread_pct),
            to_spread_pct: one.to_spread_pct.max(other.to_spread_pct),
            ..one
        });
        judged(together)
    });
    all.collect()
}

fn add(one: Resources, other: Resources) -> Resources {
    Resources {
        max_rss_bytes: one.max_rss_bytes.max(other.max_rss_bytes),
        minor_faults: one.minor_faults.saturating_add(other.minor_faults),
        major_faults: one.major_faults.saturating_add(other.major_faults),
        voluntary_switches: one.voluntary_switches.saturating_add(other.voluntary_switches),
        involuntary_switches: one.involuntary_switches.saturating_add(other.involuntary_switches),
    }
}

/// Each finding once, as the first process that had it saw it.
fn findings(records: &[Record]) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for finding in records.iter().flat_map(|one| &one.findings) {
        if !found.iter().any(|known| known.id == finding.id) {
            found.push(finding.clone());
        }
    }
    found
}

/// One benchmark, by all processes that have it.
fn result(each: &[&BenchmarkResult], precision_pct: f64) -> Option<BenchmarkResult> {
    // By the gauge's word, not by the result's: what was contended is left out where half or more was not.
    let alone: Vec<&BenchmarkResult> = each.iter().copied().filter(|one| !one.upper_bound).collect();
    let used = if 2 * alone.len() >= each.len() { &alone[..] } else { each };
    let nothing: Vec<&BenchmarkResult> = used.iter().copied().filter(|one| one.below_resolution).collect();
    if 2 * nothing.len() >= used.len() {
        return nothing.first().map(|one| summed((*one).clone(), each));
    }
    let used: Vec<&BenchmarkResult> = used.iter().copied().filter(|one| !one.below_resolution).collect();
    let ticks = between(&of(&used, |one| Some(interval(&one.ticks))));
    let cycles = between(&of(&used, |one| {
        let cycles = one.cycles.as_ref()?;
        Some(Interval { estimate: cycles.estimate, lo: cycles.lo, hi: cycles.hi })
    }));
    let ns = between(&of(&used, |one| one.ns.as_ref().map(interval)));
    let cost =
        |one: &BenchmarkResult| one.cycles.as_ref().map_or(one.ticks.estimate, |cycles| cycles.estimate);
    let together = cycles.or(ticks)?;
    let typical = used.iter().min_by(|one, other| {
        let off = |of: &BenchmarkResult| (cost(of) - together.estimate).abs();
        off(one).total_cmp(&off(other))
    })?;
    let mut all = summed((*typical).clone(), each);
    if let (Some(own), Some(cycles)) = (&mut all.cycles, cycles) {
        let spreads = || used.iter().filter_map(|one| one.cycles.as_ref());
        let min = spreads().map(|one| one.min).fold(f64::INFINITY, f64::min);
        let max = spreads().map(|one| one.min + one.spread_pct / 100.0 * one.median).fold(0.0, f64::max);
        let spread_pct = (max - min) / own.median * 100.0;
        *own = CycleEstimate {
            estimate: cycles.estimate,
            lo: cycles.lo,
            hi: cycles.hi,
            min,
            median: own.median,
            spread_pct,
        };
    }
    let estimate = |of: Interval| Estimate { estimate: of.estimate, lo: Some(of.lo), hi: Some(of.hi) };
    if let Some(ticks) = ticks {
        all.ticks = estimate(ticks);
    }
    all.ns = ns.map(estimate);
    let costs: Vec<f64> = used.iter().map(|one| cost(one)).collect();
    let spread = stats::spread(&costs).ok().map_or(0.0, |spread| spread.spread_pct);
    all.counters.insert("processes_spread_pct".to_owned(), spread);
    all.notes.push(format!("over {} processes, whose results differ by {spread:.2} % at most", used.len()));
    all.placements = placements::across(&used);
    judge(&mut all, &used, &together, spread, precision_pct);
    all.sentence = sentence(&all);
    Some(all)
}

fn judge(
    all: &mut BenchmarkResult,
    used: &[&BenchmarkResult],
    together: &Interval,
    spread: f64,
    precision_pct: f64,
) {
    all.upper_bound = used.iter().all(|one| one.upper_bound);
    let open: Vec<&&BenchmarkResult> = used.iter().filter(|one| one.verdict != Verdict::Converged).collect();
    // A minority is known by its wide intervals, which are in this one.
    if let Some(first) = open.first().filter(|_| 2 * open.len() > used.len()) {
        let reason = first.verdict_reason.as_deref().unwrap_or("it did not converge");
        all.verdict = first.verdict;
        all.verdict_reason = Some(format!("in {} of {} processes: {reason}", open.len(), used.len()));
    } else if together.width_pct() > precision_pct {
        all.verdict = Verdict::Imprecise;
        all.verdict_reason = Some(format!(
            "the interval over {} processes, which differ by {spread:.2} %, is {:.2} % wide, not {precision_pct} %",
            used.len(),
            together.width_pct(),
        ));
    } else {
        all.verdict = Verdict::Converged;
        all.verdict_reason = None;
    }
}

fn of(each: &[&BenchmarkResult], what: impl Fn(&BenchmarkResult) -> Option<Interval>) -> Vec<Interval> {
    each.iter().filter_map(|one| what(one)).collect()
}

fn interval(of: &Estimate) -> Interval {
    Interval { estimate: of.estimate, lo: of.lo.unwrap_or(of.estimate), hi: of.hi.unwrap_or(of.estimate) }
}

/// With the samples and the time of all.
fn summed(mut one: BenchmarkResult, each: &[&BenchmarkResult]) -> BenchmarkResult {
    let sum = |of: fn(&Samples) -> u64| each.iter().map(|one| of(&one.samples)).fold(0, u64::saturating_add);
    one.samples = Samples {
        total: sum(|of| of.total),
        clean: sum(|of| of.clean),
        contended: sum(|of| of.contended),
        drifted: sum(|of| of.drifted),
        interrupted: sum(|of| of.interrupted),
        migrated: sum(|of| of.migrated),
    };
    one.elapsed_secs = each.iter().map(|one| one.elapsed_secs).sum();
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(estimate: f64, half: f64) -> Interval {
        Interval { estimate, lo: estimate - half, hi: estimate + half }
    }

    fn record(cost: f64, half: f64) -> Record {
        let result = BenchmarkResult {
            id: "one".to_owned(),
            cycles: Some(CycleEstimate {
                estimate: cost,
                lo: cost - half,
                hi: cost + half,
                min: cost,
                median: cost,
                spread_pct: 1.0,
            }),
            ticks: Estimate { estimate: cost / 2.0, lo: None, hi: None },
            verdict: Verdict::Converged,
            samples: Samples { total: 10, clean: 9, contended: 1, ..Samples::default() },
            ..BenchmarkResult::default()
        };
        Record { complete: true, results: vec![result], ..Record::default() }
    }

    #[test]
    fn what_differs_between_processes_widens_the_interval() {
        // Each knows its own cost to a tenth of a per cent, and they differ by five.
        let records: Vec<Record> = [10.0, 10.5, 10.1, 10.4, 10.2].map(|cost| record(cost, 0.005)).into();
        let all = combine(&records, 5, 0.4).unwrap();
        let result = &all.results[0];
        let cycles = result.cycles.as_ref().unwrap();
        assert!(all.complete && all.processes == 5);
        assert_eq!(cycles.estimate, 10.2);
        // t(4) * sqrt(pi / 2) * s / sqrt(5) = 2.776 * 1.2533 * 0.20736 / 2.23607 = 0.3226, computed apart.
        assert!((cycles.hi - 10.5226).abs() < 1e-3 && (cycles.lo - 9.8774).abs() < 1e-3, "{cycles:?}");
        assert_eq!(result.verdict, Verdict::Imprecise);
        assert_eq!((result.samples.total, result.samples.clean), (50, 45));
        let spread = result.counters["processes_spread_pct"];
        assert!((spread - 100.0 * 0.5 / 10.2).abs() < 1e-9, "{spread}");
        assert!(result.sentence.contains("10."), "{}", result.sentence);
    }

    #[test]
    fn processes_that_agree_leave_what_each_left_open() {
        let together = between(&[around(12.0, 0.1); 4]).unwrap();
        assert_eq!(together.estimate, 12.0);
        assert!((together.hi - 12.05).abs() < 1e-12, "0.1 / sqrt(4): {together:?}");
        assert_eq!(between(&[around(3.0, 0.5)]), Some(around(3.0, 0.5)), "one process is itself");
        assert_eq!(between(&[]), None);
    }

    #[test]
    fn from_six_on_the_order_statistics_decide() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(|value| around(value, 0.0));
        assert_eq!(between(&values), Some(Interval { estimate: 3.5, lo: 1.0, hi: 6.0 }));
        // The published ranks of the 95 % interval of a median, from 1: 2 of 9, 6 of 20, 18 of 50.
        assert_eq!([9, 20, 50].map(|count| rank(count) + 1), [2, 6, 18]);
    }

    #[test]
    fn a_contended_minority_is_left_out_by_the_gauges_word() {
        let mut records: Vec<Record> = [10.0, 10.0, 14.0].map(|cost| record(cost, 0.01)).into();
        records[2].results[0].upper_bound = true;
        records[2].results[0].verdict = Verdict::Contended;
        let all = combine(&records, 4, 0.4).unwrap();
        assert!(!all.complete, "one of four is missing");
        assert_eq!(all.results[0].verdict, Verdict::Converged);
        assert_eq!(all.results[0].cycles.as_ref().unwrap().estimate, 10.0);
    }

    #[test]
    fn nothing_stays_nothing() {
        let mut records: Vec<Record> = vec![record(0.1, 0.1), record(0.1, 0.1)];
        for one in &mut records {
            one.results[0].below_resolution = true;
            one.results[0].verdict = Verdict::BelowResolution;
        }
        assert_eq!(combine(&records, 2, 0.4).unwrap().results[0].verdict, Verdict::BelowResolution);
    }
}
