//! What does an operation cost, by these samples, and how far does the number hold? Locations of the slices at k and at 2k
//! iterations, their difference, and its interval.

use crate::stats;

/// How many iterations, as a multiple of k, a slice ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arm {
    /// k iterations.
    Short,
    /// 2k iterations.
    Long,
}

/// A cost an iteration with its 95 % interval, in the unit of the samples that it was made from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The cost an iteration.
    pub value: f64,
    /// The lower end of the interval.
    pub lo: f64,
    /// The upper end of the interval.
    pub hi: f64,
    /// What a slice costs that runs no iteration: the part that has cancelled.
    pub fixed: f64,
}

impl Estimate {
    /// The interval's width in per cent of the value; infinite where the value is 0.
    pub fn width_pct(&self) -> f64 {
        if self.value == 0.0 { f64::INFINITY } else { 100.0 * (self.hi - self.lo) / self.value.abs() }
    }
}

/// What more samples cannot tell, as a share of the value: bursts too short to reach a gauge, and a clock that moves between
/// ruler and slice, shift every sample of a run alike. By the bench `truths`, chains of known length read within 0.1 % of it
/// where their intervals by sampling alone are five times narrower.
pub const SYSTEMATIC: f64 = 0.001;

/// How a set of samples is summed up in one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Location {
    /// A percentile, with its order-statistic interval.
    Percentile(f64),
    /// The least (best-of mode): no interval holds for it, so the value stands alone.
    Least,
}

/// The slope between the two arms: the median of the slopes at eleven percentiles around the target, each the difference of
/// that percentile in both arms.
///
/// Where slices of both lengths scatter alike, all of these are the same number. A state that adds a fixed cost to some slices (a vector
/// unit that wakes up) makes steps in both distributions, and where the steps lie at different percentiles, a single percentile
/// gives nonsense of either sign; the median of eleven does not. How far the middle half of them spreads becomes part of the
/// interval, which joins those of the two locations by MOVER (Zou and Donner, Statistics in Medicine 27, 2008), each widened for
/// samples that resemble their neighbours in time. Differencing locations, not pairs, keeps a contended short slice beside a
/// clean long one from deciding anything.
///
/// `step` is the counter's increment in the unit of the samples: a location among readings that come in steps may be off by
/// half of one, whatever their number, so the interval is widened by that, and by [`SYSTEMATIC`].
///
/// `None` with fewer than two samples in an arm.
pub fn slope(
    short: &[f64],
    long: &[f64],
    iterations: u64,
    step: f64,
    location: Location,
) -> Option<Estimate> {
    let (at_short, at_long) = (locate(short, location)?, locate(long, location)?);
    let difference = stats::difference(&at_long, &at_short);
    let (value, spread) = match location {
        Location::Least => (difference.estimate, (difference.estimate, difference.estimate)),
        Location::Percentile(target) => {
            let (short, long) = (stats::Sorted::new(short).ok()?, stats::Sorted::new(long).ok()?);
            let differences: Vec<f64> =
                around(target).map(|at| long.percentile(at) - short.percentile(at)).collect();
            let differences = stats::Sorted::new(&differences).ok()?;
            (differences.median(), (differences.percentile(25.0), differences.percentile(75.0)))
        }
    };
    let hidden = (step * std::f64::consts::FRAC_1_SQRT_2).hypot(SYSTEMATIC * value);
    let down = (difference.estimate - difference.lo).max(value - spread.0).hypot(hidden);
    let up = (difference.hi - difference.estimate).max(spread.1 - value).hypot(hidden);
    let per = iterations as f64;
    Some(Estimate {
        value: value / per,
        lo: (value - down) / per,
        hi: (value + up) / per,
        fixed: at_long.estimate - 2.0 * value,
    })
}

/// Whether the slope of the first half of the samples (in order of time) is that of the second: they do not differ by more than
/// `tolerance_pct` per cent *and* by more than chance explains (99.5 %). The slopes, not the slices: a core may change between
/// states that add a fixed cost, which cancels. Too few samples to halve are no sign of anything.
pub fn steady(short: &[f64], long: &[f64], iterations: u64, location: Location, tolerance_pct: f64) -> bool {
    /// From the two-sided 95 % of each interval to 99.5 %.
    const WIDER: f64 = 2.81 / stats::Z95;
    let (short, long) = (short.split_at(short.len() / 2), long.split_at(long.len() / 2));
    let first = slope(short.0, long.0, iterations, 0.0, location);
    let second = slope(short.1, long.1, iterations, 0.0, location);
    let (Some(first), Some(second)) = (first, second) else { return true };
    let difference = (first.value - second.value).abs();
    let chance = WIDER * ((first.hi - first.lo) / 2.0).hypot((second.hi - second.lo) / 2.0);
    difference <= chance || difference <= tolerance_pct / 100.0 * first.value.abs().max(second.value.abs())
}

/// Eleven percentiles, five apart, around the target.
fn around(target: f64) -> impl Iterator<Item = f64> {
    (-5..=5).map(move |step| (target + 5.0 * f64::from(step)).clamp(0.0, 100.0))
}

/// The location of slices of one length, less what the fence pair costs: for operations so long that the pair is nothing
/// beside them.
pub fn single(samples: &[f64], iterations: u64, overhead: f64, location: Location) -> Option<Estimate> {
    let located = locate(samples, location)?;
    let per = iterations as f64;
    let hidden = SYSTEMATIC * located.estimate;
    Some(Estimate {
        value: (located.estimate - overhead) / per,
        lo: (located.estimate - overhead - (located.estimate - located.lo).hypot(hidden)) / per,
        hi: (located.estimate - overhead + (located.hi - located.estimate).hypot(hidden)) / per,
        fixed: overhead,
    })
}

fn locate(samples: &[f64], location: Location) -> Option<stats::Interval> {
    match location {
        Location::Percentile(percentile) => {
            let effective = stats::effective_count(samples);
            stats::percentile_interval_for(samples, percentile, stats::Z95, effective).ok()
        }
        Location::Least => {
            let least = samples.iter().copied().fold(f64::INFINITY, f64::min);
            least.is_finite().then_some(stats::Interval { estimate: least, lo: least, hi: least })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slices whose fixed cost is one of three, in these shares; some noise of 0.1 %.
    fn slices(cycles: f64, iterations: f64, shares: [f64; 2], seed: u64) -> Vec<f64> {
        let mut random = oorandom::Rand64::new(u128::from(seed));
        (0..400)
            .map(|_| {
                let state = random.rand_float();
                let fixed = if state < shares[0] {
                    20.0
                } else if state < shares[1] {
                    1000.0
                } else {
                    1700.0
                };
                let work = cycles * iterations;
                work + fixed + work * 1e-3 * (random.rand_float() - 0.5)
            })
            .collect()
    }

    #[test]
    fn a_fixed_cost_that_comes_in_states_gives_no_wrong_slope_that_is_precise() {
        let mut worst: f64 = 0.0;
        for seed in 0..300 {
            // The states' shares differ between the arms, by chance alone or by more.
            let differ = 0.1 * (seed % 3) as f64;
            let short = slices(4.0, 6750.0, [0.15, 0.5 + differ / 2.0], seed);
            let long = slices(4.0, 13500.0, [0.15, 0.5 - differ / 2.0], seed + 1000);
            let estimate = slope(&short, &long, 6750, 2.0, Location::Percentile(50.0)).unwrap();
            let off = (estimate.value / 4.0 - 1.0).abs();
            worst = worst.max(off);
            assert!(off < 0.005 || estimate.width_pct() > 0.4, "seed {seed}: {estimate:?}");
        }
        assert!(worst < 0.03, "off by {worst}");
    }

    #[test]
    fn what_is_fixed_in_both_arms_cancels() {
        let short: Vec<f64> = (0..50).map(|at| 1000.0 + 77.0 + f64::from(at % 5)).collect();
        let long: Vec<f64> = (0..50).map(|at| 2000.0 + 77.0 + f64::from(at % 5)).collect();
        let estimate = slope(&short, &long, 100, 0.0, Location::Percentile(50.0)).unwrap();
        assert!((estimate.value - 10.0).abs() < 1e-9 && (estimate.fixed - 79.0).abs() < 1e-9, "{estimate:?}");
        let least = slope(&short, &long, 100, 0.0, Location::Least).unwrap();
        assert!((least.value - 10.0).abs() < 1e-9);
        assert_eq!(slope(&short[..1], &long, 100, 0.0, Location::Percentile(50.0)), None);
    }
}
