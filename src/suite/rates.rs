//! What does an element cost, how many come in a second, and how does a result compare with the first of its group?

use crate::record::{BenchmarkResult, Estimate, Kind, Rounding, Verdict, last_place, overlap, rounded};

/// Adds what follows from the elements and bytes of one operation to the result's counters.
pub(super) fn count(result: &mut BenchmarkResult, elements: Option<u64>, bytes: Option<u64>) {
    for (count, name, per_sec, cycles_per) in [
        (elements, "elements", "elements_per_sec", "cycles_per_element"),
        (bytes, "bytes", "bytes_per_sec", "cycles_per_byte"),
    ] {
        let Some(count) = count else { continue };
        let count = count as f64;
        result.counters.insert(name.to_owned(), count);
        if is_below(result) {
            continue;
        }
        if let Some(cycles) = &result.cycles {
            result.counters.insert(cycles_per.to_owned(), cycles.estimate / count);
        }
        if let Some(ns) = result.ns.as_ref().filter(|ns| ns.estimate > 0.0) {
            result.counters.insert(per_sec.to_owned(), count * 1e9 / ns.estimate);
        }
    }
}

/// Adds `relative_pct` to every result that stands in a group with another of its kind before it.
pub(super) fn relate(results: &mut [BenchmarkResult], groups: &[Option<usize>]) {
    let mut found = Vec::new();
    for (at, first) in related(results, groups) {
        let (result, first) = (&results[at], &results[first]);
        let share = match (&result.cycles, &first.cycles) {
            (Some(cycles), Some(of)) => cycles.estimate / of.estimate,
            _ => result.ticks.estimate / first.ticks.estimate,
        };
        // Left out where a side is below resolution or both are bounds.
        if share.is_finite() && overlap(result, first).is_some() {
            found.push((at, 100.0 * share));
        }
    }
    for (at, share) in found {
        results[at].counters.insert("relative_pct".to_owned(), share);
    }
}

/// Each result of a relative group with the first one of its kind there, itself included.
pub(super) fn related(results: &[BenchmarkResult], groups: &[Option<usize>]) -> Vec<(usize, usize)> {
    let mut firsts: Vec<((usize, Kind), usize)> = Vec::new();
    let mut pairs = Vec::new();
    for (at, (result, group)) in results.iter().zip(groups).enumerate() {
        let Some(group) = *group else { continue };
        let key = (group, result.kind);
        let known = firsts.iter().rev().find(|(known, _)| *known == key).map(|(_, first)| *first);
        let first = known.unwrap_or_else(|| {
            firsts.push((key, at));
            at
        });
        pairs.push((at, first));
    }
    pairs
}

/// The cost of `result` in per cent of `first`'s, in the digits that both support.
pub(super) fn share(result: &BenchmarkResult, first: &BenchmarkResult) -> Option<String> {
    overlap(&scaled(result, 100.0), first).map(|share| format!("{share} %"))
}

/// The result with all its costs multiplied: per element for instance.
pub(super) fn scaled(result: &BenchmarkResult, factor: f64) -> BenchmarkResult {
    let mut result = result.clone();
    if let Some(cycles) = &mut result.cycles {
        for value in
            [&mut cycles.estimate, &mut cycles.lo, &mut cycles.hi, &mut cycles.min, &mut cycles.median]
        {
            *value *= factor;
        }
    }
    if let Some(modes) = &mut result.modes {
        modes.lower *= factor;
        modes.upper *= factor;
    }
    let scale = |estimate: &mut Estimate| {
        estimate.estimate *= factor;
        estimate.lo = estimate.lo.map(|lo| lo * factor);
        estimate.hi = estimate.hi.map(|hi| hi * factor);
    };
    scale(&mut result.ticks);
    result.ns.as_mut().map(scale);
    result.resolution_cycles = result.resolution_cycles.map(|cycles| cycles * factor);
    result.loop_floor_cycles = result.loop_floor_cycles.map(|cycles| cycles * factor);
    result
}

/// How many of `unit` a second, of `count` in one operation: `2.10 Gelem/s`. `None` where the time is not known.
pub(super) fn rate(result: &BenchmarkResult, count: f64, unit: &str) -> Option<String> {
    let ns = result.ns.as_ref().filter(|ns| ns.estimate > 0.0 && !is_below(result))?;
    let a_second = |ns: f64| count * 1e9 / ns;
    let interval = ns.lo.zip(ns.hi).filter(|(lo, hi)| *lo > 0.0 && hi.is_finite());
    // A cost that is an upper bound makes a rate that is a lower one.
    let bound = result.upper_bound;
    let value = a_second(interval.filter(|_| bound).map_or(ns.estimate, |(_, hi)| hi));
    let (scale, prefix) = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")]
        .into_iter()
        .find(|(scale, _)| value >= *scale)
        .unwrap_or((1.0, ""));
    let width = interval.map(|(lo, hi)| (a_second(lo) - a_second(hi)) / scale);
    let value = value / scale;
    let rounding = if bound { Rounding::Down } else { Rounding::Nearest };
    let sign = if bound { ">= " } else { "" };
    Some(format!("{sign}{} {prefix}{unit}/s", rounded(value, last_place(value, width), rounding)))
}

fn is_below(result: &BenchmarkResult) -> bool {
    result.below_resolution || result.verdict == Verdict::BelowResolution
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::CycleEstimate;

    fn result(kind: Kind, cycles: f64) -> BenchmarkResult {
        BenchmarkResult {
            kind,
            cycles: Some(CycleEstimate {
                estimate: cycles,
                lo: cycles * 0.999,
                hi: cycles * 1.001,
                ..Default::default()
            }),
            ns: Some(Estimate {
                estimate: cycles / 2.0,
                lo: Some(cycles * 0.4995),
                hi: Some(cycles * 0.5005),
            }),
            verdict: Verdict::Converged,
            ..Default::default()
        }
    }

    #[test]
    fn costs_and_rates_are_counted_by_elements_and_bytes() {
        let mut sum = result(Kind::ReciprocalThroughput, 100.0);
        count(&mut sum, Some(50), Some(400));
        assert_eq!(sum.counters["cycles_per_element"], 2.0);
        assert_eq!(sum.counters["elements_per_sec"], 1e9);
        assert_eq!(sum.counters["bytes_per_sec"], 8e9);
        assert_eq!(rate(&sum, 50.0, "elem").as_deref(), Some("1.000 Gelem/s"));
        assert_eq!(rate(&sum, 1.0, "elem").as_deref(), Some("20.00 Melem/s"));
        assert_eq!(rate(&result(Kind::Routine, 2e6), 1.0, "elem").as_deref(), Some("1.000 kelem/s"));
    }

    #[test]
    fn no_rate_is_claimed_of_what_is_below_resolution_and_bounds_stay_bounds() {
        let mut below = BenchmarkResult { below_resolution: true, ..result(Kind::Latency, 0.1) };
        count(&mut below, Some(4), None);
        assert_eq!(below.counters.keys().collect::<Vec<_>>(), ["elements"]);
        assert_eq!(rate(&below, 4.0, "elem"), None);
        let bound = BenchmarkResult { upper_bound: true, ..result(Kind::Latency, 100.0) };
        assert_eq!(rate(&bound, 50.0, "elem").as_deref(), Some(">= 999 Melem/s"));
    }

    #[test]
    fn results_are_related_to_the_first_of_their_kind_and_group() {
        let mut results = [
            result(Kind::Latency, 10.0),
            result(Kind::ReciprocalThroughput, 4.0),
            result(Kind::Latency, 5.0),
            result(Kind::ReciprocalThroughput, 6.0),
            result(Kind::Latency, 99.0),
        ];
        let groups = [Some(1), Some(1), Some(1), Some(1), None];
        assert_eq!(related(&results, &groups), [(0, 0), (1, 1), (2, 0), (3, 1)]);
        assert_eq!(share(&results[2], &results[0]).as_deref(), Some("50.0 %"));
        relate(&mut results, &groups);
        assert_eq!(results[2].counters["relative_pct"], 50.0);
        assert_eq!(results[3].counters["relative_pct"], 150.0);
        assert!(results[4].counters.is_empty());
    }

    #[test]
    fn a_share_of_what_is_below_resolution_is_left_out() {
        let mut results = [
            BenchmarkResult { below_resolution: true, ..result(Kind::Latency, 0.1) },
            result(Kind::Latency, 5.0),
        ];
        assert_eq!(share(&results[1], &results[0]), None);
        relate(&mut results, &[Some(1), Some(1)]);
        assert!(results[1].counters.is_empty());
    }
}
