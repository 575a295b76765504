//! Which of many series of runs scatter more than their fellows, and do too many?

use super::paired::Threshold;
use super::quantile::Sorted;
use crate::error::Result;

/// A series that scatters more than its fellows even without its slowest runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wide {
    /// Which series, as they were given.
    pub index: usize,
    /// The smallest run.
    pub lo: f64,
    /// The largest run that is left without the slowest.
    pub hi: f64,
    /// From `lo` to `hi`, in per cent of the median of all its runs.
    pub range_pct: f64,
}

/// How many series scatter; see [`series_spread`].
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesSpread {
    /// `(max - min) / median` of each series, in per cent.
    pub range_pct: Vec<f64>,
    /// A quarter of these are no wider.
    pub q1: f64,
    /// Three quarters are no wider.
    pub q3: f64,
    /// Tukey's outer fence, `q3 + 3 (q3 - q1)`.
    pub fence_pct: f64,
    /// Series wider than the fence without their slowest runs.
    pub wide: Vec<Wide>,
    /// Series whose full range meets the threshold.
    pub broad: usize,
}

impl SeriesSpread {
    /// Half of the series scatter past the threshold: it was the machine, not the benchmarks.
    pub fn machine_is_noisy(&self) -> bool {
        2 * self.broad >= self.range_pct.len()
    }
}

/// Which of many series of runs scatter more than the others, by Tukey's outer fence over the ranges of all of them. A series
/// is named only if it is still too wide without its `drop_slowest` slowest runs, which one hiccup explains. `broad` says from
/// where on a range counts as broad.
///
/// `None` with fewer than `min_series` series, or none: too few have no fence.
///
/// ```
/// use fencepost::stats::{Threshold, series_spread};
/// let mut series = vec![vec![10.0, 10.1, 10.0]; 20];
/// series[7] = vec![10.0, 20.0, 30.0];
/// let spread = series_spread(&series, 1, 20, Threshold { absolute: 1.0, pct: 10.0 })?.unwrap();
/// assert_eq!((spread.wide[0].index, spread.wide[0].hi, spread.broad), (7, 20.0, 1));
/// # Ok::<(), fencepost::Error>(())
/// ```
///
/// # Errors
///
/// `Usage` if a series has no run, or one that is NaN.
pub fn series_spread<S: AsRef<[f64]>>(
    series: &[S],
    drop_slowest: usize,
    min_series: usize,
    broad: Threshold,
) -> Result<Option<SeriesSpread>> {
    if series.len() < min_series.max(1) {
        return Ok(None);
    }
    let sorted: Vec<Sorted> = series.iter().map(|one| Sorted::new(one.as_ref())).collect::<Result<_>>()?;
    let range_pct: Vec<f64> =
        sorted.iter().map(|one| share_pct(one.max() - one.min(), one.median())).collect();
    let ranges = Sorted::new(&range_pct)?;
    let (q1, q3) = (ranges.percentile(25.0), ranges.percentile(75.0));
    let fence_pct = q3 + 3.0 * (q3 - q1);
    let mut wide = Vec::new();
    for (index, one) in sorted.iter().enumerate() {
        let runs = one.as_slice();
        let hi = runs[(runs.len() - 1).saturating_sub(drop_slowest)];
        // Of the same median as the ranges that made the fence, which may have no width.
        let range_pct = share_pct(hi - one.min(), one.median());
        if range_pct > fence_pct {
            wide.push(Wide { index, lo: one.min(), hi, range_pct });
        }
    }
    let broad =
        sorted.iter().zip(&range_pct).filter(|(one, pct)| broad.met_by(one.max() - one.min(), **pct)).count();
    Ok(Some(SeriesSpread { range_pct, q1, q3, fence_pct, wide, broad }))
}

/// A range in per cent of a location: 100 of a location of 0, which has no share, unless there is no range.
pub(super) fn share_pct(range: f64, location: f64) -> f64 {
    if range == 0.0 {
        0.0
    } else if location == 0.0 {
        100.0
    } else {
        range / location.abs() * 100.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BROAD: Threshold = Threshold { absolute: 1.0, pct: 10.0 };

    #[test]
    fn one_hiccup_names_no_series() {
        let mut series = vec![vec![10.0, 10.1, 10.0, 10.1]; 20];
        series[3] = vec![10.0, 10.1, 10.0, 99.0];
        let spread = series_spread(&series, 1, 20, BROAD).unwrap().unwrap();
        assert!(spread.wide.is_empty() && spread.broad == 1 && !spread.machine_is_noisy());
        assert_eq!(series_spread(&series, 0, 20, BROAD).unwrap().unwrap().wide[0].index, 3);
    }

    #[test]
    fn when_half_scatter_it_is_the_machine() {
        let mut series = vec![vec![10.0, 13.0]; 10];
        series.extend(vec![vec![10.0, 10.1]; 10]);
        assert!(series_spread(&series, 0, 2, BROAD).unwrap().unwrap().machine_is_noisy());
    }

    #[test]
    fn few_empty_and_zero_series_are_no_trouble() {
        assert_eq!(series_spread(&[[1.0]; 19], 1, 20, BROAD).unwrap(), None);
        assert_eq!(series_spread::<[f64; 1]>(&[], 1, 0, BROAD).unwrap(), None);
        assert!(series_spread(&[vec![1.0], vec![]], 1, 1, BROAD).is_err());
        let zeros = series_spread(&[[0.0, 0.0], [-1.0, 1.0]], 9, 1, BROAD).unwrap().unwrap();
        assert_eq!(zeros.range_pct, [0.0, 100.0]);
    }
}
