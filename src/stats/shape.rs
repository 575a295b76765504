//! What shape have the samples? Their spread, whether they have two modes, whether they follow a trend.

use super::interval::effective_count;
use super::quantile::Sorted;
use super::series::share_pct;
use crate::error::Result;

/// How far samples lie apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The smallest.
    pub min: f64,
    /// The middle one.
    pub median: f64,
    /// The largest.
    pub max: f64,
    /// `(max - min) / median`, in per cent; 100 for a median of 0, unless all are equal.
    pub spread_pct: f64,
}

/// Minimum, median, maximum and spread.
///
/// # Errors
///
/// `Usage` if there are no samples, or if one is NaN.
pub fn spread(samples: &[f64]) -> Result<Spread> {
    let sorted = Sorted::new(samples)?;
    let (min, median, max) = (sorted.min(), sorted.median(), sorted.max());
    Ok(Spread { min, median, max, spread_pct: share_pct(max - min, median) })
}

/// Two values around which samples gather.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Modes {
    /// The median of the lower group.
    pub lower: f64,
    /// The median of the upper group.
    pub upper: f64,
    /// Share of the samples in the upper group, 0 to 1.
    pub upper_share: f64,
    /// A value between the groups.
    pub border: f64,
}

/// Fewer samples than this show no shape.
const FEWEST: usize = 50;
/// Each mode holds at least this share of the samples.
const SHARE: f64 = 0.1;
/// The modes' medians are more than this many spreads (middle half of the wider mode, as found in the samples) apart. Modes
/// that really are five apart are mostly found at that: the spread of a few samples is itself uncertain.
const APART: f64 = 3.5;
/// Nor are they closer than this share of the value: readings in steps may have no spread at all.
const APART_SHARE: f64 = 5e-3;
/// The middle fifth of the way between the modes holds at most this share of the samples, less one sample: of few, chance leaves
/// a gap more easily.
const BETWEEN: f64 = 0.05;

/// Two modes, if the samples have them: the split of the sorted samples that leaves the least sum of squares within its sides,
/// if both sides hold a tenth, lie well apart by their own spreads and leave the middle of the way between them all but empty.
///
/// Skewed noise with one mode leaves no gap and is not split: of normal, uniform, exponential and lognormal samples about one
/// set in 100 is at 50 samples, none in 1000 at 400. Modes five spreads apart, the smaller of 30 %, are found in more than 9
/// of 10 sets of 50 and nearly always from 100 samples on. `None` also for fewer than 50.
pub fn bimodality(samples: &[f64]) -> Option<Modes> {
    if samples.len() < FEWEST {
        return None;
    }
    let sorted = Sorted::new(samples).ok()?;
    let values = sorted.as_slice();
    let count = values.len();
    let least = (SHARE * count as f64).ceil() as usize;
    // Sums from the left about the overall median, so that squares of like numbers do not cancel.
    let center = sorted.median();
    let total: f64 = values.iter().map(|value| value - center).sum();
    let mut left = 0.0;
    let mut best = (0, f64::NEG_INFINITY);
    for split in 1..count {
        left += values[split - 1] - center;
        if split < least || count - split < least {
            continue;
        }
        // Minimising the squares within is maximising those between.
        let right = total - left;
        let between = left * left / split as f64 + right * right / (count - split) as f64;
        if between > best.1 {
            best = (split, between);
        }
    }
    let (split, _) = best;
    if split == 0 {
        return None;
    }
    let (lower, upper) = (Sorted::new(&values[..split]).ok()?, Sorted::new(&values[split..]).ok()?);
    let middle_half = |group: &Sorted| group.percentile(75.0) - group.percentile(25.0);
    let width = middle_half(&lower).max(middle_half(&upper));
    let (low, high) = (lower.median(), upper.median());
    let way = high - low;
    if way <= (APART * width).max(APART_SHARE * center.abs()) {
        return None;
    }
    let edge = 0.4 * way;
    let between = values.iter().filter(|&&value| value > low + edge && value < high - edge).count();
    (between as f64 <= BETWEEN * count as f64 - 1.0).then(|| Modes {
        lower: low,
        upper: high,
        upper_share: (count - split) as f64 / count as f64,
        border: (low + high) / 2.0,
    })
}

/// A steady change over the samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trend {
    /// Change from the first to the last sample, as a share of the median.
    pub relative: f64,
    /// Chance alone does not explain it (Mann-Kendall, 99.9 %).
    pub significant: bool,
}

/// The trend of samples in order of time: the Theil-Sen slope (median of the slopes of all pairs) over the whole length,
/// and the Mann-Kendall test of whether there is any, allowing for samples that resemble their neighbours. Long series are thinned to some hundred medians of neighbours, so the
/// cost does not grow with the square of their length. `None` for fewer than 20 samples.
pub fn trend(samples: &[f64]) -> Option<Trend> {
    const FEWEST: usize = 20;
    const MOST: usize = 200;
    /// The standard normal's two-sided 99.9 % point.
    const Z: f64 = 3.29;
    if samples.len() < FEWEST {
        return None;
    }
    let median = Sorted::new(samples).ok()?.median();
    let block = samples.len().div_ceil(MOST);
    let points: Vec<f64> =
        samples.chunks(block).filter_map(|chunk| Some(Sorted::new(chunk).ok()?.median())).collect();
    let count = points.len();
    let mut slopes = Vec::with_capacity(count * (count - 1) / 2);
    let mut score = 0.0;
    for (at, earlier) in points.iter().enumerate() {
        for (distance, later) in points[at + 1..].iter().enumerate() {
            let rise = later - earlier;
            slopes.push(rise / (distance + 1) as f64);
            score += if rise > 0.0 {
                1.0
            } else if rise < 0.0 {
                -1.0
            } else {
                0.0
            };
        }
    }
    let slope = Sorted::new(&slopes).ok()?.median();
    let n = count as f64;
    // What is left without the trend tells how far neighbours resemble each other by chance alone. The correlation of signs is
    // turned into that of ranks (as for normal noise), which is what the test counts.
    let level: Vec<f64> = points.iter().enumerate().map(|(at, point)| point - slope * at as f64).collect();
    let worth = effective_count(&level) / n;
    let correlation = (std::f64::consts::FRAC_PI_2 * (1.0 - worth) / (1.0 + worth)).sin();
    let resemblance = (1.0 + correlation) / (1.0 - correlation);
    let deviation = (n * (n - 1.0) * (2.0 * n + 5.0) / 18.0 * resemblance).sqrt();
    let relative = if median == 0.0 { 0.0 } else { slope * (n - 1.0) / median };
    Some(Trend { relative, significant: f64::abs(score) / deviation > Z })
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
    fn noise_with_one_mode_is_not_split() {
        type Noise = fn(&mut Rand64) -> f64;
        let kinds: [(&str, Noise); 4] = [
            ("normal", |random| 100.0 + normal(random)),
            ("uniform", |random| 100.0 + random.rand_float()),
            ("exponential", |random| 100.0 - (1.0 - random.rand_float()).ln()),
            ("lognormal", |random| 100.0 * (0.5 * normal(random)).exp()),
        ];
        for (name, noise) in kinds {
            let mut alarms = 0;
            for seed in 0..600u64 {
                let mut random = Rand64::new(u128::from(seed));
                let count = [50, 70, 100, 2000][seed as usize % 4];
                let samples: Vec<f64> = (0..count).map(|_| noise(&mut random)).collect();
                alarms += u32::from(bimodality(&samples).is_some());
            }
            assert!(alarms < 12, "{name}: {alarms} of 600 false alarms");
        }
    }

    #[test]
    fn two_modes_are_found_with_their_shares() {
        // Five times the middle half of normal noise, 1.349 standard deviations.
        const APART: f64 = 5.0 * 1.349;
        for (count, share) in [(50, 0.3), (200, 0.3), (200, 0.7), (2000, 0.5)] {
            let mut found = 0;
            for seed in 0..200u64 {
                let mut random = Rand64::new(u128::from(seed));
                let samples: Vec<f64> = (0..count)
                    .map(|_| {
                        100.0 + if random.rand_float() < share { APART } else { 0.0 } + normal(&mut random)
                    })
                    .collect();
                if let Some(modes) = bimodality(&samples) {
                    assert!((modes.lower - 100.0).abs() < 1.2, "{modes:?}");
                    assert!((modes.upper - 100.0 - APART).abs() < 1.2, "{modes:?}");
                    assert!((modes.upper_share - share).abs() < 0.25, "{modes:?}");
                    assert!(modes.border > modes.lower && modes.border < modes.upper);
                    found += 1;
                }
            }
            let least = if count < 100 { 175 } else { 195 };
            assert!(found >= least, "{found} of 200 with {count} samples, {share} of them slow");
        }
        let steps: Vec<f64> = (0..60).map(|at| if at % 3 == 0 { 26.0 } else { 24.0 }).collect();
        assert!(bimodality(&steps).is_some());
    }

    #[test]
    fn spreads_of_nothing_are_numbers() {
        assert_eq!(spread(&[0.0, 0.0]).unwrap().spread_pct, 0.0);
        assert_eq!(spread(&[-1.0, 0.0, 1.0]).unwrap().spread_pct, 100.0);
        assert_eq!(spread(&[9.0, 10.0, 13.0]).unwrap().spread_pct, 40.0);
    }

    #[test]
    fn few_equal_or_wild_samples_are_no_shape() {
        assert_eq!(bimodality(&[1.0, 2.0]), None);
        assert_eq!(bimodality(&[5.0; 100]), None);
        let mut wild = vec![5.0; 98];
        wild.extend([f64::INFINITY, 1e300]);
        assert_eq!(bimodality(&wild), None);
    }

    #[test]
    fn samples_that_resemble_their_neighbours_are_no_trend() {
        for count in [50, 150, 1000] {
            let mut alarms = 0;
            for seed in 0..500u64 {
                let mut random = Rand64::new(u128::from(seed));
                let mut value = normal(&mut random);
                let samples: Vec<f64> = (0..count)
                    .map(|_| {
                        value = 0.65 * value + 0.76 * normal(&mut random);
                        100.0 + value
                    })
                    .collect();
                alarms += u32::from(trend(&samples).unwrap().significant);
            }
            assert!(alarms < 20, "{alarms} of 500 false alarms with {count} samples");
        }
    }

    #[test]
    fn a_trend_is_found_and_noise_is_none() {
        let (mut found, mut alarms) = (0, 0);
        for seed in 0..300u64 {
            let mut random = Rand64::new(u128::from(seed));
            let count = [30, 300, 5000][seed as usize % 3];
            let level: Vec<f64> = (0..count).map(|_| 100.0 + normal(&mut random)).collect();
            alarms += u32::from(trend(&level).unwrap().significant);
            let rising: Vec<f64> = level
                .iter()
                .enumerate()
                .map(|(at, value)| value + 6.0 * at as f64 / f64::from(count))
                .collect();
            let trend = trend(&rising).unwrap();
            found += u32::from(trend.significant && (trend.relative - 0.06).abs() < 0.03);
        }
        assert!(alarms <= 3, "{alarms} of 300 false alarms");
        assert!(found >= 285, "{found} of 300");
    }
}
