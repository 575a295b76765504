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

/// The slope between the two arms. Differencing locations, not pairs, keeps a contended short slice beside a clean long one
/// from giving nonsense of either sign. The interval joins those of the two locations by MOVER (Zou and Donner,
/// Statistics in Medicine 27, 2008), each widened for samples that resemble their neighbours in time.
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
    let (short, long) = (locate(short, location)?, locate(long, location)?);
    let difference = stats::difference(&long, &short);
    let hidden = (step * std::f64::consts::FRAC_1_SQRT_2).hypot(SYSTEMATIC * difference.estimate);
    let per = iterations as f64;
    Some(Estimate {
        value: difference.estimate / per,
        lo: (difference.estimate - (difference.estimate - difference.lo).hypot(hidden)) / per,
        hi: (difference.estimate + (difference.hi - difference.estimate).hypot(hidden)) / per,
        fixed: 2.0 * short.estimate - long.estimate,
    })
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
