//! How far does a location hold? Intervals by order statistics, which assume no distribution, and of the difference of two.

use super::quantile::Sorted;
use crate::error::{Error, ErrorKind, Result};

/// The standard normal's two-sided 95 % point.
pub const Z95: f64 = 1.96;

/// An estimate with its interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub estimate: f64,
    /// The lower end.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
}

impl Interval {
    /// From end to end.
    pub fn width(&self) -> f64 {
        self.hi - self.lo
    }

    /// The width in per cent of the estimate's magnitude; 100 for an estimate of 0, which has no share.
    pub fn width_pct(&self) -> f64 {
        if self.estimate == 0.0 { 100.0 } else { self.width() / self.estimate.abs() * 100.0 }
    }
}

/// A percentile with its order-statistic interval: the position of the p-quantile among n sorted samples is
/// `(n - 1) p`, with standard error `sqrt(n p (1 - p))` by the binomial distribution; the ends are the percentiles `z` of these
/// away (normal approximation; Folly's adaptive mode uses the same).
///
/// ```
/// use fencepost::stats::{Z95, percentile_interval};
/// let samples: Vec<f64> = (1..=100).map(f64::from).collect();
/// let median = percentile_interval(&samples, 50.0, Z95)?;
/// assert_eq!((median.lo, median.estimate, median.hi), (40.7, 50.5, 60.3));
/// # Ok::<(), fencepost::Error>(())
/// ```
///
/// # Errors
///
/// `Usage` with fewer than two samples, or if one is NaN.
pub fn percentile_interval(samples: &[f64], percentile: f64, z: f64) -> Result<Interval> {
    percentile_interval_for(samples, percentile, z, samples.len() as f64)
}

/// As [`percentile_interval`], for samples that are worth only as much as `effective` independent ones.
///
/// # Errors
///
/// As for [`percentile_interval`].
pub fn percentile_interval_for(samples: &[f64], percentile: f64, z: f64, effective: f64) -> Result<Interval> {
    let count = samples.len();
    if count < 2 {
        return Err(Error::new(ErrorKind::Usage, format!("an interval was asked for of {count} samples"))
            .because("fewer than two do not show how they scatter")
            .remedy("measure at least two samples"));
    }
    let sorted = Sorted::new(samples)?;
    let share = percentile.clamp(0.0, 100.0) / 100.0;
    let count = count as f64;
    let effective = effective.clamp(1.0, count);
    // In positions: n of them, each worth effective / n of an independent one.
    let error = (count * share * (1.0 - share) * (count / effective)).sqrt();
    let position = (count - 1.0) * share;
    let at = |position: f64| sorted.percentile((position / (count - 1.0) * 100.0).clamp(0.0, 100.0));
    Ok(Interval {
        estimate: sorted.percentile(percentile),
        lo: at(position - z * error),
        hi: at(position + z * error),
    })
}

/// How many independent samples these are worth, which come in order of time and may resemble their neighbours:
/// `n (1 - r) / (1 + r)`, with r the autocorrelation at lag 1 of being above or below the median. Signs, not values, so that
/// a single wild sample does not decide. Never more than n; r counts from 0 to 0.95.
pub fn effective_count(samples: &[f64]) -> f64 {
    let count = samples.len() as f64;
    if samples.len() < 4 {
        return count;
    }
    let Ok(sorted) = Sorted::new(samples) else { return count };
    let median = sorted.median();
    // 0 for what is on the median: readings in steps are often equal.
    let signs: Vec<f64> = samples
        .iter()
        .map(|sample| match sample.total_cmp(&median) {
            std::cmp::Ordering::Less => -1.0,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Greater => 1.0,
        })
        .collect();
    let mean = signs.iter().sum::<f64>() / count;
    let variance: f64 = signs.iter().map(|sign| (sign - mean).powi(2)).sum();
    if variance == 0.0 {
        return count;
    }
    let covariance: f64 = signs.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    let correlation = (covariance / variance).clamp(0.0, 0.95);
    count * (1.0 - correlation) / (1.0 + correlation)
}

/// The difference `minuend - subtrahend` of two independent estimates, with its interval by MOVER (Zou and Donner,
/// Statistics in Medicine 27, 2008): the distances to the ends that matter are added like the sides of a right triangle,
/// which keeps the asymmetry of both.
///
/// ```
/// use fencepost::stats::{Interval, difference};
/// let long = Interval { estimate: 20.0, lo: 17.0, hi: 24.0 };
/// let short = Interval { estimate: 10.0, lo: 7.0, hi: 14.0 };
/// assert_eq!(difference(&long, &short), Interval { estimate: 10.0, lo: 5.0, hi: 15.0 });
/// ```
pub fn difference(minuend: &Interval, subtrahend: &Interval) -> Interval {
    let estimate = minuend.estimate - subtrahend.estimate;
    let down = (minuend.estimate - minuend.lo).hypot(subtrahend.hi - subtrahend.estimate);
    let up = (minuend.hi - minuend.estimate).hypot(subtrahend.estimate - subtrahend.lo);
    Interval { estimate, lo: estimate - down, hi: estimate + up }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oorandom::Rand64;

    fn normal(random: &mut Rand64) -> f64 {
        let (one, two) = (1.0 - random.rand_float(), random.rand_float());
        (-2.0 * one.ln()).sqrt() * (std::f64::consts::TAU * two).cos()
    }

    #[test]
    fn one_sample_has_no_interval() {
        assert!(percentile_interval(&[42.0], 50.0, Z95).unwrap_err().to_string().contains("1 samples"));
    }

    #[test]
    fn intervals_of_independent_and_of_resembling_samples_cover_the_median() {
        for correlation in [0.0, 0.6] {
            let mut covered = 0;
            for seed in 0..500u64 {
                let mut random = Rand64::new(u128::from(seed));
                let mut value = normal(&mut random);
                let samples: Vec<f64> = (0..300)
                    .map(|_| {
                        let scale = (1.0f64 - correlation * correlation).sqrt();
                        value = correlation * value + scale * normal(&mut random);
                        value
                    })
                    .collect();
                let effective = effective_count(&samples);
                let interval = percentile_interval_for(&samples, 50.0, Z95, effective).unwrap();
                covered += u32::from(interval.lo <= 0.0 && 0.0 <= interval.hi);
            }
            assert!(covered >= 460, "correlation {correlation}: {covered} of 500");
        }
    }

    #[test]
    fn resembling_samples_are_worth_less_and_none_are_worth_more() {
        let steady: Vec<f64> = (0..100).map(|at| f64::from(at / 10 % 2)).collect();
        assert!(effective_count(&steady) < 30.0);
        let alternating: Vec<f64> = (0..100).map(|at| f64::from(at % 2)).collect();
        assert_eq!(effective_count(&alternating), 100.0);
        assert_eq!(effective_count(&[5.0; 50]), 50.0);
        assert_eq!(effective_count(&[]), 0.0);
    }
}
