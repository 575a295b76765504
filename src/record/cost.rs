//! What number may be shown for a cost? An estimate, a bound, or nothing, with the digits that it supports.

use super::digits::{Rounding, is_vague, last_place, rounded, significant};
use super::model::{BenchmarkResult, Estimate};
use super::words::Verdict;

/// The unit of a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Cycles,
    Ticks,
    Nanos,
}

impl Unit {
    /// As it is written behind a number and in a head.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Cycles => "cyc",
            Self::Ticks => "ticks",
            Self::Nanos => "ns",
        }
    }
}

/// How a number relates to the true cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// It is the cost.
    Equal,
    /// The cost is this or less.
    AtMost,
    /// The cost is less than this, and how much less cannot be told.
    Below,
}

/// A cost that may be shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cost {
    unit: Unit,
    claim: Claim,
    /// The estimate, or the bound of a claim that is not `Equal`.
    value: f64,
    /// The interval around it, if one is known.
    interval: Option<(f64, f64)>,
    /// The two costs between which whole slices change.
    modes: Option<(f64, f64)>,
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

impl Cost {
    /// In core cycles where they may be claimed, else in ticks; `None` if there is no number at all.
    pub(crate) fn of(result: &BenchmarkResult) -> Option<Self> {
        match &result.cycles {
            Some(cycles) if cycles.estimate.is_finite() => {
                let interval = finite(cycles.lo).zip(finite(cycles.hi));
                let floors = [result.resolution_cycles, result.loop_floor_cycles];
                let cost = Self::claimed(result, Unit::Cycles, cycles.estimate, interval, floors);
                let modes = result.modes.as_ref().filter(|_| cost.claim == Claim::Equal);
                Some(Self { modes: modes.map(|modes| (modes.lower, modes.upper)), ..cost })
            }
            _ => Self::from_estimate(result, Unit::Ticks, &result.ticks),
        }
    }

    /// In nanoseconds.
    pub(crate) fn nanos(result: &BenchmarkResult) -> Option<Self> {
        let ns = result.ns.as_ref()?;
        let mut cost = Self::from_estimate(result, Unit::Nanos, ns)?;
        if cost.interval.is_none() && cost.claim == Claim::Equal {
            // The conversion is a factor: the relative width of the main cost holds here as well.
            let main = Self::of(result)?;
            let factor = cost.value / main.value;
            cost.interval =
                main.interval.map(|(lo, hi)| (lo * factor, hi * factor)).filter(|_| factor.is_finite());
        }
        Some(cost)
    }

    fn from_estimate(result: &BenchmarkResult, unit: Unit, from: &Estimate) -> Option<Self> {
        let estimate = finite(from.estimate)?;
        let interval = from.lo.and_then(finite).zip(from.hi.and_then(finite));
        Some(Self::claimed(result, unit, estimate, interval, [None; 2]))
    }

    fn claimed(
        result: &BenchmarkResult,
        unit: Unit,
        estimate: f64,
        interval: Option<(f64, f64)>,
        floors: [Option<f64>; 2],
    ) -> Self {
        let interval = interval.map(|(lo, hi)| (lo.min(estimate), hi.max(estimate)));
        let top = interval.map_or(estimate, |(_, hi)| hi);
        let [resolution, _] = floors;
        let below = result.below_resolution
            || result.verdict == Verdict::BelowResolution
            || estimate <= 0.0
            || resolution.is_some_and(|resolution| estimate < resolution);
        if below {
            let bound = floors.into_iter().flatten().filter_map(finite).fold(top, f64::max);
            Self { unit, claim: Claim::Below, value: bound, interval: None, modes: None }
        } else if result.upper_bound {
            Self { unit, claim: Claim::AtMost, value: top, interval, modes: None }
        } else {
            Self { unit, claim: Claim::Equal, value: estimate, interval, modes: None }
        }
    }

    /// How the number relates to the true cost.
    #[cfg(feature = "suite")]
    pub(crate) fn claim(&self) -> Claim {
        self.claim
    }

    /// The estimate, or the bound of a claim that is not `Equal`.
    #[cfg(feature = "suite")]
    pub(crate) fn value(&self) -> f64 {
        self.value
    }

    /// The ends of the interval around an estimate.
    #[cfg(feature = "suite")]
    pub(crate) fn ends(&self) -> Option<(f64, f64)> {
        self.interval
    }

    /// The unit of the number.
    pub(crate) fn unit(&self) -> Unit {
        self.unit
    }

    /// As a cell under a head that states the unit. Only what is below resolution states it itself.
    pub(crate) fn bare(&self) -> String {
        let width = self.interval.map(|(lo, hi)| hi - lo);
        let place = last_place(self.value, width);
        if let Some((lower, upper)) = self.modes {
            let digits = |value| significant(value, 3, Rounding::Nearest);
            return format!("{} or {}", digits(lower), digits(upper));
        }
        match self.claim {
            Claim::Below if self.value > 0.0 => {
                format!("< {} {}", significant(self.value, 1, Rounding::Up), self.unit.name())
            }
            Claim::Below => "unresolved".to_owned(),
            Claim::AtMost => format!("<= {}", rounded(self.value, place, Rounding::Up)),
            Claim::Equal => {
                let vague = if is_vague(self.value, width) { "~" } else { "" };
                format!("{vague}{}", rounded(self.value, place, Rounding::Nearest))
            }
        }
    }

    /// As a cell that states its unit.
    pub(crate) fn with_unit(&self) -> String {
        match self.claim {
            Claim::Below => self.bare(),
            Claim::AtMost | Claim::Equal => format!("{} {}", self.bare(), self.unit.name()),
        }
    }

    /// Whether only a bound near nothing can be stated.
    pub(crate) fn is_below(&self) -> bool {
        self.claim == Claim::Below
    }

    /// The interval, rounded outwards; `None` for bounds.
    pub(crate) fn interval_with_unit(&self) -> Option<String> {
        (self.claim == Claim::Equal && self.modes.is_none() && self.interval.is_some())
            .then(|| format!("95 %: {}", self.range()))
    }

    /// The ends of the interval and the unit, or the number alone where there is none.
    pub(crate) fn range(&self) -> String {
        let Some((lo, hi)) = self.interval else { return self.with_unit() };
        let place = last_place(self.value, Some(hi - lo));
        let (lo, hi) = (rounded(lo, place, Rounding::Down), rounded(hi, place, Rounding::Up));
        format!("{lo} to {hi} {}", self.unit.name())
    }

    /// Latency over reciprocal throughput: how many operations are in flight. `None` where a side is below
    /// resolution, where both are bounds, or where the units differ.
    pub(crate) fn overlap(latency: &Self, throughput: &Self) -> Option<String> {
        if latency.unit != throughput.unit || throughput.value <= 0.0 {
            return None;
        }
        let (sign, rounding) = match (latency.claim, throughput.claim) {
            (Claim::Equal, Claim::Equal) => ("", Rounding::Nearest),
            (Claim::AtMost, Claim::Equal) => ("<= ", Rounding::Up),
            (Claim::Equal, Claim::AtMost) => (">= ", Rounding::Down),
            _ => return None,
        };
        // A bound of the ratio takes the unfavourable end of the side that is an estimate.
        let top = |cost: &Self| cost.interval.map_or(cost.value, |(_, hi)| hi);
        let bottom = |cost: &Self| cost.interval.map_or(cost.value, |(lo, _)| lo);
        let ratio = match rounding {
            Rounding::Nearest => latency.value / throughput.value,
            Rounding::Up => latency.value / bottom(throughput),
            Rounding::Down => bottom(latency) / throughput.value,
        };
        let ends = latency.interval.zip(throughput.interval);
        let width = ends.map(|_| top(latency) / bottom(throughput) - bottom(latency) / top(throughput));
        if !ratio.is_finite()
            || ratio <= 0.0
            || width.is_some_and(|width| !(width >= 0.0 && width.is_finite()))
        {
            return None;
        }
        let vague = if sign.is_empty() && is_vague(ratio, width) { "~" } else { "" };
        Some(format!("{sign}{vague}{}", rounded(ratio, last_place(ratio, width), rounding)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::CycleEstimate;
    use super::*;

    fn result(estimate: f64, lo: f64, hi: f64) -> BenchmarkResult {
        let cycles = CycleEstimate { estimate, lo, hi, ..Default::default() };
        BenchmarkResult { cycles: Some(cycles), verdict: Verdict::Converged, ..Default::default() }
    }

    fn cell(result: &BenchmarkResult) -> String {
        Cost::of(result).expect("a cost").bare()
    }

    #[test]
    fn nothing_is_shown_below_the_resolution() {
        let mut small = result(0.004, -0.2, 0.21);
        small.resolution_cycles = Some(0.25);
        assert_eq!(cell(&small), "< 0.3 cyc", "by its resolution, although no flag is set");
        assert_eq!(cell(&result(-0.1, -0.3, 0.07)), "< 0.07 cyc", "a cost is never negative");
        assert_eq!(cell(&result(-0.1, -0.3, -0.02)), "unresolved");
        let flagged = BenchmarkResult { below_resolution: true, ..result(0.2, 0.19, 0.21) };
        let flagged = BenchmarkResult { loop_floor_cycles: Some(0.251), ..flagged };
        assert_eq!(cell(&flagged), "< 0.3 cyc", "the loop floor is a bound too");
    }

    #[test]
    fn two_modes_are_both_shown() {
        let modes = super::super::model::Modes { lower: 2.1661, upper: 2.688, upper_share: 0.45 };
        let mut two = result(2.4, 2.16, 2.69);
        two.modes = Some(modes);
        assert_eq!(cell(&two), "2.17 or 2.69");
        two.upper_bound = true;
        assert_eq!(cell(&two), "<= 2.7");
    }

    #[test]
    fn an_upper_bound_is_rounded_up() {
        let bound = BenchmarkResult { upper_bound: true, ..result(0.303, 0.301, 0.3051) };
        assert_eq!(cell(&bound), "<= 0.306");
    }

    #[test]
    fn the_overlap_is_left_out_or_bounded_as_its_sides_are() {
        let cost = |result: &BenchmarkResult| Cost::of(result).expect("a cost");
        let latency = cost(&result(12.0, 11.99, 12.01));
        let throughput = result(3.0, 2.99, 3.01);
        assert_eq!(Cost::overlap(&latency, &cost(&throughput)).as_deref(), Some("4.00"));
        let bound = BenchmarkResult { upper_bound: true, ..throughput.clone() };
        assert_eq!(Cost::overlap(&latency, &cost(&bound)).as_deref(), Some(">= 3.98"));
        assert_eq!(Cost::overlap(&cost(&bound), &cost(&bound)), None);
        let below = BenchmarkResult { below_resolution: true, ..throughput };
        assert_eq!(Cost::overlap(&latency, &cost(&below)), None);
    }
}
