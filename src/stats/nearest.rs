//! Which sample stands for an estimate? The one whose companions (counters taken with it) are shown beside it.

/// The index of the sample that is nearest to `estimate`, the first of several; `None` if there is none that is a number.
///
/// Counters of single samples are shown beside a percentile, which need not be a sample: those of the nearest one are
/// what really happened together, and an average is not.
///
/// ```
/// use fencepost::stats::nearest_sample;
/// assert_eq!(nearest_sample(&[10.0, 15.0, 20.0, 25.0], 19.0), Some(2));
/// assert_eq!(nearest_sample(&[10.0, 20.0], 15.0), Some(0));
/// assert_eq!(nearest_sample(&[], 15.0), None);
/// ```
pub fn nearest_sample(samples: &[f64], estimate: f64) -> Option<usize> {
    let distances = samples.iter().map(|sample| (sample - estimate).abs()).enumerate();
    let known = distances.filter(|(_, distance)| !distance.is_nan());
    known.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(index, _)| index)
}
