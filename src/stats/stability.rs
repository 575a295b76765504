//! Do the samples stay where they are? Comparisons of the first half with the second.

use super::interval::{
    Interval, Z95, difference, effective_count, percentile_interval, percentile_interval_for,
};
use crate::error::{Error, ErrorKind, Result};

/// How wide an interval may be, in nanoseconds: `target_pct` of the estimate, but no less than `floor_ns`, below which no
/// clock tells.
///
/// ```
/// use fencepost::stats::precision_budget;
/// assert_eq!(precision_budget(100.0, 0.4, 0.01), 0.4);
/// assert_eq!(precision_budget(0.1, 0.4, 0.01), 0.01);
/// ```
pub fn precision_budget(estimate_ns: f64, target_pct: f64, floor_ns: f64) -> f64 {
    (estimate_ns * target_pct / 100.0).max(floor_ns)
}

/// Folly's split-half test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplitHalf {
    /// The first half's percentile and interval.
    pub first: Interval,
    /// The second half's.
    pub second: Interval,
    /// The tolerance that was added to the intervals.
    pub epsilon: f64,
    /// Each half's estimate lies in the other's interval, give or take epsilon.
    pub stable: bool,
}

/// Compares the percentile of the first half of `samples` (in order of time) with that of the second. Stable is what lies in
/// each other's 95 % interval, widened by half of `target_pct` of the smaller estimate, or 0.001 if that is more.
///
/// As a rule for looking again and again it wastes time: on clean noise a single look fails in 22 to 24 of 100 cases. See
/// [`drift_between_halves`].
///
/// # Errors
///
/// `Usage` with fewer than four samples, or if one is NaN.
pub fn split_half(samples: &[f64], percentile: f64, target_pct: f64) -> Result<SplitHalf> {
    /// A picosecond, for samples in nanoseconds: below what any clock tells.
    const LEAST: f64 = 0.001;
    let (first, second) = halves(samples)?;
    let first = percentile_interval(first, percentile, Z95)?;
    let second = percentile_interval(second, percentile, Z95)?;
    let epsilon = LEAST.max(target_pct / 100.0 * 0.5 * first.estimate.min(second.estimate));
    let within = |one: &Interval, other: &Interval| {
        one.estimate >= other.lo - epsilon && one.estimate <= other.hi + epsilon
    };
    Ok(SplitHalf { first, second, epsilon, stable: within(&first, &second) && within(&second, &first) })
}

/// The difference between the halves of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// Second half less first half, with an interval of 99.5 %.
    pub difference: Interval,
    /// Nothing speaks for a drift beyond the tolerance.
    pub stable: bool,
}

/// Whether the percentile of the second half of `samples` (in order of time) differs from that of the first by more than
/// `tolerance_pct` per cent *and* by more than chance explains: the 99.5 % interval of the difference excludes 0. A single look
/// at clean noise fails in less than one of 100 cases, and at noise whose samples resemble their neighbours in less than two,
/// which makes it fit for looking again and again.
///
/// Halves that are worth fewer than nine independent samples have no interval of 99.5 %, and are called stable: nothing
/// speaks against it yet.
///
/// # Errors
///
/// `Usage` with fewer than four samples, or if one is NaN.
pub fn drift_between_halves(samples: &[f64], percentile: f64, tolerance_pct: f64) -> Result<Drift> {
    /// The standard normal's two-sided 99.5 % point.
    const Z: f64 = 2.81;
    let (first, second) = halves(samples)?;
    /// From the least to the greatest of nine is an interval of `1 - 2^-8` for the median.
    const FEWEST: f64 = 9.0;
    let worth = [first, second].map(effective_count);
    let first = percentile_interval_for(first, percentile, Z, worth[0])?;
    let second = percentile_interval_for(second, percentile, Z, worth[1])?;
    let difference = difference(&second, &first);
    let few = worth.iter().any(|worth| *worth < FEWEST);
    let tolerance = tolerance_pct / 100.0 * first.estimate.abs().max(second.estimate.abs());
    let chance = difference.lo <= 0.0 && difference.hi >= 0.0;
    Ok(Drift { difference, stable: few || chance || difference.estimate.abs() <= tolerance })
}

fn halves(samples: &[f64]) -> Result<(&[f64], &[f64])> {
    if samples.len() < 4 {
        return Err(Error::new(
            ErrorKind::Usage,
            format!("stability was asked for of {} samples", samples.len()),
        )
        .because("each half needs two samples to show how it scatters")
        .remedy("measure at least four samples"));
    }
    Ok(samples.split_at(samples.len() / 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oorandom::Rand64;

    /// Skewed noise around 100, as timings have.
    fn noise(random: &mut Rand64, count: usize) -> Vec<f64> {
        (0..count).map(|_| 100.0 - (1.0 - random.rand_float()).ln()).collect()
    }

    #[test]
    fn clean_noise_is_stable_where_the_split_half_test_often_fails() {
        let (mut alarms, mut split_alarms) = (0, 0);
        for seed in 0..1000u64 {
            let samples = noise(&mut Rand64::new(u128::from(seed)), 40 + (seed as usize % 400));
            alarms += u32::from(!drift_between_halves(&samples, 50.0, 0.0).unwrap().stable);
            split_alarms += u32::from(!split_half(&samples, 50.0, 0.0).unwrap().stable);
        }
        assert!(alarms < 20, "{alarms} of 1000 false alarms");
        assert!(
            split_alarms > 100,
            "{split_alarms} of 1000: the split-half test is as bad as it is said to be"
        );
    }

    #[test]
    fn few_samples_and_samples_like_their_neighbours_are_no_drift() {
        for count in [4, 8, 12, 20, 30, 60, 200] {
            for correlation in [0.0f64, 0.65] {
                let mut alarms = 0;
                for seed in 0..1000u64 {
                    let mut random = Rand64::new(u128::from(seed));
                    let mut normal = move || {
                        let (one, two) = (1.0 - random.rand_float(), random.rand_float());
                        (-2.0 * one.ln()).sqrt() * (std::f64::consts::TAU * two).cos()
                    };
                    let mut value = normal();
                    let samples: Vec<f64> = (0..count)
                        .map(|_| {
                            value = correlation * value + (1.0 - correlation * correlation).sqrt() * normal();
                            100.0 + value
                        })
                        .collect();
                    alarms += u32::from(!drift_between_halves(&samples, 50.0, 0.0).unwrap().stable);
                }
                assert!(alarms < 20, "{alarms} of 1000 with {count} samples, correlation {correlation}");
            }
        }
    }

    #[test]
    fn a_step_is_found_in_as_few_as_twenty_samples() {
        let samples: Vec<f64> =
            (0..20).map(|at| if at < 10 { 100.0 } else { 102.0 } + f64::from(at * 7 % 5) / 10.0).collect();
        assert!(!drift_between_halves(&samples, 50.0, 0.4).unwrap().stable);
        assert!(drift_between_halves(&samples, 50.0, 3.0).unwrap().stable);
    }

    #[test]
    fn a_drift_of_one_per_cent_is_found() {
        let mut found = 0;
        for seed in 0..200u64 {
            let mut samples = noise(&mut Rand64::new(u128::from(seed)), 200);
            for (at, sample) in samples.iter_mut().enumerate() {
                *sample += at as f64 / 100.0;
            }
            found += u32::from(!drift_between_halves(&samples, 50.0, 0.4).unwrap().stable);
        }
        assert!(found >= 190, "{found} of 200");
    }

    #[test]
    fn three_samples_have_no_halves() {
        assert!(split_half(&[1.0, 2.0, 3.0], 50.0, 0.4).is_err());
        assert!(drift_between_halves(&[1.0, 2.0, 3.0], 50.0, 0.4).is_err());
    }
}
