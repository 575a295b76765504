//! Which value lies at this share of the samples?

use crate::error::{Error, ErrorKind, Result};
use crate::order;

/// Samples in ascending order, at least one, none of them NaN.
#[derive(Clone, Debug, PartialEq)]
pub struct Sorted(Vec<f64>);

impl Sorted {
    /// Sorts a copy of `samples`.
    ///
    /// # Errors
    ///
    /// `Usage` if there are none, or if one is NaN (which no order places).
    pub fn new(samples: &[f64]) -> Result<Self> {
        if samples.is_empty() {
            return Err(Error::new(ErrorKind::Usage, "no samples were given")
                .because("nothing has no percentile")
                .remedy("measure at least one sample"));
        }
        if let Some(at) = samples.iter().position(|sample| sample.is_nan()) {
            return Err(Error::new(ErrorKind::Usage, format!("sample {at} is NaN"))
                .because("no order places it among the others")
                .remedy("leave out what was not measured"));
        }
        let mut sorted = samples.to_vec();
        order::sort(&mut sorted);
        Ok(Self(sorted))
    }

    /// The samples.
    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }

    /// The value at `percentile` (0 to 100, clamped), by linear interpolation between the neighbours of position
    /// `(n - 1) * percentile / 100`.
    ///
    /// ```
    /// use fencepost::stats::Sorted;
    /// let samples = Sorted::new(&[30.0, 10.0, 50.0, 20.0, 40.0])?;
    /// assert_eq!(samples.percentile(50.0), 30.0);
    /// assert_eq!(samples.percentile(12.5), 15.0);
    /// # Ok::<(), fencepost::Error>(())
    /// ```
    pub fn percentile(&self, percentile: f64) -> f64 {
        let last = self.0.len() - 1;
        let position = last as f64 * percentile.clamp(0.0, 100.0) / 100.0;
        // A NaN percentile comes out of the clamp as NaN and of the cast as 0: the least, not a panic.
        let below = (position.floor() as usize).min(last);
        let above = (position.ceil() as usize).min(last);
        let share = (position - below as f64).max(0.0);
        let (low, high) = (self.0[below], self.0[above]);
        let way = high - low;
        if low == high {
            low
        } else if way.is_finite() {
            // In this form each step rounds in one direction only, so that a higher percentile is never a lower value.
            (low + way * share).min(high)
        } else {
            low * (1.0 - share) + high * share
        }
    }

    /// The smallest sample.
    pub fn min(&self) -> f64 {
        self.0[0]
    }

    /// The largest sample.
    pub fn max(&self) -> f64 {
        self.0[self.0.len() - 1]
    }

    /// The value in the middle.
    pub fn median(&self) -> f64 {
        self.percentile(50.0)
    }
}

/// The value at `percentile` of unsorted samples; see [`Sorted::percentile`].
///
/// # Errors
///
/// As for [`Sorted::new`].
pub fn percentile(samples: &[f64], percentile: f64) -> Result<f64> {
    Ok(Sorted::new(samples)?.percentile(percentile))
}

/// The least of the samples: what best-of mode reports.
///
/// # Errors
///
/// As for [`Sorted::new`].
pub fn least(samples: &[f64]) -> Result<f64> {
    Ok(Sorted::new(samples)?.min())
}

/// The median distance of the samples from their median: a spread that half of them may spoil. Not scaled to a standard
/// deviation (for normal noise it is 0.6745 of one).
///
/// ```
/// use fencepost::stats::median_absolute_deviation;
/// assert_eq!(median_absolute_deviation(&[10.0, 12.0, 9.0, 11.0, 900.0])?, 1.0);
/// # Ok::<(), fencepost::Error>(())
/// ```
///
/// # Errors
///
/// As for [`Sorted::new`]; also when the median is infinite.
pub fn median_absolute_deviation(samples: &[f64]) -> Result<f64> {
    let median = Sorted::new(samples)?.median();
    let distances: Vec<f64> = samples.iter().map(|sample| (sample - median).abs()).collect();
    percentile(&distances, 50.0)
}

/// The geometric mean of the middle half: of the sorted samples from position n/4 up to 3n/4. Folly's best-of mode uses it to
/// estimate a trial.
///
/// # Errors
///
/// As for [`Sorted::new`]; also when a sample of the middle half is not above 0.
pub fn geometric_mean_of_middle(samples: &[f64]) -> Result<f64> {
    let sorted = Sorted::new(samples)?;
    let count = sorted.0.len();
    let from = count / 4;
    let to = (3 * count / 4).max(from + 1);
    let middle = &sorted.0[from..to];
    if let Some(value) = middle.iter().find(|value| **value <= 0.0) {
        return Err(Error::new(ErrorKind::Usage, format!("a sample is {value}"))
            .because("a geometric mean has no meaning for it")
            .remedy("use the median instead"));
    }
    let logs: f64 = middle.iter().map(|value| value.ln()).sum();
    Ok((logs / middle.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_and_nan_are_refused_with_a_sentence() {
        assert!(percentile(&[], 50.0).unwrap_err().to_string().contains("no samples"));
        assert!(percentile(&[1.0, f64::NAN], 50.0).unwrap_err().to_string().contains("sample 1 is NaN"));
    }

    #[test]
    fn percentiles_beyond_the_ends_are_the_ends() {
        let sorted = Sorted::new(&[2.0, 1.0, 3.0]).unwrap();
        assert_eq!((sorted.percentile(-5.0), sorted.percentile(120.0)), (1.0, 3.0));
        assert_eq!(sorted.percentile(f64::NAN), 1.0);
        assert_eq!(Sorted::new(&[f64::INFINITY]).unwrap().percentile(50.0), f64::INFINITY);
    }

    #[test]
    fn one_sample_is_its_own_middle() {
        assert!((geometric_mean_of_middle(&[7.0]).unwrap() - 7.0).abs() < 1e-12);
        assert!(geometric_mean_of_middle(&[0.0, 0.0]).is_err());
    }
}
