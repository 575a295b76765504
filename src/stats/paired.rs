//! Is one thing faster than the other? Two sets of runs by their pairwise differences, and runs made in pairs by their ratios.

use super::interval::Interval;
use super::quantile::Sorted;
use crate::error::{Error, ErrorKind, Result};

/// By how much two sets of runs differ that were not made in pairs; see [`shift`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// The middle of the runs before.
    pub median_before: f64,
    /// The middle of the runs after.
    pub median_after: f64,
    /// The Hodges-Lehmann difference, after less before: the median of the differences of all pairs.
    pub delta: f64,
    /// The difference in per cent of the median before; 0 where that is 0.
    pub pct: f64,
    /// Pairs whose difference does not contradict `delta`.
    pub agreeing: u64,
    /// Pairs in all.
    pub pairs: u64,
}

/// A difference counts only where it is at least this large both ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// In the unit of the samples.
    pub absolute: f64,
    /// In per cent of what it is compared with.
    pub pct: f64,
}

impl Threshold {
    /// Whether a change is large enough, to one decimal: what is shown as meeting the threshold does.
    pub fn met_by(&self, change: f64, pct: f64) -> bool {
        let tenths = |value: f64| (value.abs() * 10.0).round();
        tenths(change) >= tenths(self.absolute) && tenths(pct) >= tenths(self.pct)
    }
}

/// How much attention a difference deserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grade {
    /// Faster, past the high threshold.
    WinHigh,
    /// Faster, past the low threshold alone.
    WinLow,
    /// Past neither.
    BelowThreshold,
    /// Slower, past the low threshold alone.
    LossLow,
    /// Slower, past the high threshold.
    LossHigh,
}

impl Shift {
    /// Which of two thresholds the difference passes, and in which direction.
    pub fn grade(&self, high: Threshold, low: Threshold) -> Grade {
        match (high.met_by(self.delta, self.pct), low.met_by(self.delta, self.pct), self.delta) {
            (true, _, delta) if delta < 0.0 => Grade::WinHigh,
            (true, _, delta) if delta > 0.0 => Grade::LossHigh,
            (_, true, delta) if delta < 0.0 => Grade::WinLow,
            (_, true, delta) if delta > 0.0 => Grade::LossLow,
            _ => Grade::BelowThreshold,
        }
    }
}

/// The Hodges-Lehmann difference of two sets of runs, which need not be equally many: the median of `after - before` over all
/// pairs. It is as robust as a median and uses the samples better; the difference of the medians can be far off it.
///
/// `resolution` is the least difference that means anything, in the unit of the samples. A pair *agrees* with the
/// difference unless it differs by that much the other way; with a difference that is itself below the resolution, only
/// pairs below it agree.
///
/// Takes time in proportion to `n + m`, not to the number of pairs.
///
/// ```
/// use fencepost::stats::shift;
/// let shift = shift(&[10.0, 100.0, 1000.0], &[1010.0, 150.0, 1200.0], 0.05)?;
/// assert_eq!((shift.delta, shift.agreeing, shift.pairs), (200.0, 8, 9));
/// # Ok::<(), fencepost::Error>(())
/// ```
///
/// # Errors
///
/// `Usage` if a side has no samples, or one that is not finite, or if the resolution is negative or NaN.
pub fn shift(before: &[f64], after: &[f64], resolution: f64) -> Result<Shift> {
    finite(before, "before")?;
    finite(after, "after")?;
    if resolution.is_nan() || resolution < 0.0 {
        return Err(Error::new(ErrorKind::Usage, format!("the resolution is {resolution}"))
            .because("no difference can be compared with it")
            .remedy("give 0 or more, in the unit of the samples"));
    }
    let (before, after) = (Sorted::new(before)?, Sorted::new(after)?);
    let pairs = Pairs { before: before.as_slice(), after: after.as_slice() };
    let count = pairs.count();
    let middle = pairs.nth(count.div_ceil(2));
    let delta = if count % 2 == 1 { middle } else { f64::midpoint(middle, pairs.nth(count / 2 + 1)) };
    // A difference of exactly 0 has no direction, however fine the resolution.
    let least = resolution.max(f64::from_bits(1));
    let rising = count - pairs.at_most(least.next_down());
    let falling = pairs.at_most(-least);
    let agreeing = if delta >= least {
        count - falling
    } else if delta <= -least {
        count - rising
    } else {
        count - rising - falling
    };
    let median_before = before.median();
    Ok(Shift {
        median_before,
        median_after: after.median(),
        delta,
        pct: if median_before == 0.0 { 0.0 } else { delta / median_before.abs() * 100.0 },
        agreeing,
        pairs: count,
    })
}

/// All differences of two sorted sets, without making them.
struct Pairs<'a> {
    before: &'a [f64],
    after: &'a [f64],
}

impl Pairs<'_> {
    fn count(&self) -> u64 {
        self.before.len() as u64 * self.after.len() as u64
    }

    /// How many differences are no larger than `limit`. Along the sorted sets the border only moves one way.
    fn at_most(&self, limit: f64) -> u64 {
        let mut below = 0;
        let mut count = 0;
        for before in self.before {
            while self.after.get(below).is_some_and(|after| after - before <= limit) {
                below += 1;
            }
            count += below as u64;
        }
        count
    }

    /// The difference of this rank, from 1, by bisecting the ordered floats: exact, in 64 steps.
    fn nth(&self, rank: u64) -> f64 {
        let (mut low, mut high) = (place(f64::NEG_INFINITY), place(f64::INFINITY));
        while low < high {
            let middle = low + (high - low) / 2;
            if self.at_most(at_place(middle)) >= rank {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        // Not -0.0, which would print its sign.
        at_place(low) + 0.0
    }
}

const SIGN: u64 = 1 << 63;

/// Where a float stands among all floats.
fn place(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

fn at_place(place: u64) -> f64 {
    f64::from_bits(if place & SIGN == 0 { !place } else { place & !SIGN })
}

/// The ratio of runs that were made in pairs; see [`paired_ratio`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedRatio {
    /// The median of `after / before` over the pairs, with its interval.
    pub ratio: Interval,
    /// How often such an interval holds the true median at least, 0 to 1. Never below what was asked for, except with so few
    /// pairs that even the least and the greatest ratio do not reach it.
    pub coverage: f64,
    /// The ranks, from 1, of the ratios that are the interval's ends.
    pub ranks: (usize, usize),
    /// Pairs.
    pub pairs: usize,
}

impl PairedRatio {
    /// Whether a ratio of 1 is outside of the interval.
    pub fn differs(&self) -> bool {
        self.ratio.lo > 1.0 || self.ratio.hi < 1.0
    }
}

/// The median ratio of runs made in pairs, with an interval that assumes nothing of their distribution but that pairs are
/// independent: the ends are order statistics whose ranks come from the exact binomial distribution (the sign test turned
/// round). Taken of logarithms, so that `before` and `after` can change places.
///
/// `confidence` is the coverage wanted, 0 to 1; the next one that ranks can give is used, and given back.
///
/// ```
/// use fencepost::stats::paired_ratio;
/// let before = [10.0, 20.0, 40.0, 10.0, 20.0, 40.0, 10.0, 20.0];
/// let after = before.map(|ns| ns * 1.1);
/// let found = paired_ratio(&before, &after, 0.95)?;
/// assert!((found.ratio.estimate - 1.1).abs() < 1e-12 && found.differs());
/// assert_eq!(found.ranks, (1, 8));
/// assert_eq!(found.coverage, 1.0 - 2.0 / 256.0);
/// # Ok::<(), fencepost::Error>(())
/// ```
///
/// # Errors
///
/// `Usage` if the sides are not equally many, if there is no pair, if a sample is not above 0 or not finite, or if the
/// confidence is not between 0 and 1.
pub fn paired_ratio(before: &[f64], after: &[f64], confidence: f64) -> Result<PairedRatio> {
    if before.len() != after.len() {
        return Err(Error::new(
            ErrorKind::Usage,
            format!("{} runs before are to be paired with {} after", before.len(), after.len()),
        )
        .because("each needs its partner")
        .remedy("leave out what was measured on one side only, or compare them unpaired"));
    }
    if !(confidence > 0.0 && confidence < 1.0) {
        return Err(Error::new(ErrorKind::Usage, format!("the confidence is {confidence}"))
            .because("an interval holds the true value with a probability between 0 and 1")
            .remedy("give a share, for example 0.95"));
    }
    for (side, name) in [(before, "before"), (after, "after")] {
        finite(side, name)?;
        if let Some(at) = side.iter().position(|&value| value <= 0.0) {
            return Err(Error::new(ErrorKind::Usage, format!("run {at} {name} is {}", side[at]))
                .because("a ratio has no meaning for it")
                .remedy("leave out the pair, or compare differences"));
        }
    }
    let logs: Vec<f64> = before.iter().zip(after).map(|(before, after)| after.ln() - before.ln()).collect();
    let sorted = Sorted::new(&logs)?;
    let logs = sorted.as_slice();
    let (rank, coverage) = sign_test_rank(logs.len(), confidence);
    let upper = logs.len() + 1 - rank;
    Ok(PairedRatio {
        ratio: Interval {
            estimate: sorted.median().exp(),
            lo: logs[rank - 1].exp(),
            hi: logs[upper - 1].exp(),
        },
        coverage,
        ranks: (rank, upper),
        pairs: logs.len(),
    })
}

/// The largest rank k, from 1 up to the middle, for which the k-th smallest and the k-th largest of `count` samples enclose
/// the median with at least `confidence`, and the coverage of these two; rank 1 if none does.
fn sign_test_rank(count: usize, confidence: f64) -> (usize, f64) {
    let n = count as f64;
    // In logarithms: half to the power of a thousand is no float.
    let mut log_term = -n * std::f64::consts::LN_2;
    let mut tail = log_term.exp();
    let mut chosen = (1, 1.0 - 2.0 * tail);
    for k in 2..=count.div_ceil(2) {
        let drawn = (k - 1) as f64;
        log_term += ((n - drawn + 1.0) / drawn).ln();
        tail += log_term.exp();
        let coverage = 1.0 - 2.0 * tail;
        if coverage < confidence {
            break;
        }
        chosen = (k, coverage);
    }
    // One sample encloses nothing; rounding must not make that negative.
    (chosen.0, chosen.1.max(0.0))
}

fn finite(samples: &[f64], side: &str) -> Result<()> {
    match samples.iter().position(|sample| !sample.is_finite()) {
        None => Ok(()),
        Some(at) => Err(Error::new(ErrorKind::Usage, format!("run {at} {side} is {}", samples[at]))
            .because("it cannot be compared with another")
            .remedy("leave out what was not measured")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::quantile::percentile;
    use super::*;
    use oorandom::Rand64;

    #[test]
    fn the_median_of_all_pairs_is_found_without_making_them() {
        for seed in 0..200u64 {
            let mut random = Rand64::new(u128::from(seed));
            let mut draw = |most: u64| -> Vec<f64> {
                let count = random.rand_range(1..most);
                // In steps, so that many differences are equal.
                (0..count).map(|_| (random.rand_float() * 30.0).floor() / 4.0 - 3.0).collect()
            };
            let (before, after) = (draw(30), draw(20));
            let all: Vec<f64> = before.iter().flat_map(|b| after.iter().map(move |a| a - b)).collect();
            let found = shift(&before, &after, 0.6).unwrap();
            assert_eq!(found.delta, percentile(&all, 50.0).unwrap());
            let rising = all.iter().filter(|&&d| d >= 0.6).count();
            let falling = all.iter().filter(|&&d| d <= -0.6).count();
            let against = match found.delta {
                delta if delta >= 0.6 => falling,
                delta if delta <= -0.6 => rising,
                _ => rising + falling,
            };
            assert_eq!((found.agreeing, found.pairs), ((all.len() - against) as u64, all.len() as u64));
        }
    }

    #[test]
    fn ten_thousand_by_ten_thousand_take_no_time() {
        let before: Vec<f64> = (0..10_000).map(|at| f64::from(at * 7919 % 10_000)).collect();
        let after: Vec<f64> = before.iter().map(|value| value + 5.0).collect();
        assert_eq!(shift(&before, &after, 0.0).unwrap().delta, 5.0);
    }

    #[test]
    fn ranks_are_those_of_the_tables_of_the_sign_test() {
        // Conover, Practical Nonparametric Statistics, and any table of the binomial distribution.
        for (count, rank, coverage) in
            [(1, 1, 0.0), (5, 1, 0.9375), (6, 1, 0.96875), (10, 2, 0.978_515_625), (20, 6, 0.958_610_534)]
        {
            let found = sign_test_rank(count, 0.95);
            assert_eq!(found.0, rank, "{count} pairs");
            assert!((found.1 - coverage).abs() < 1e-9, "{count} pairs: {found:?}");
        }
        // By the normal approximation, where half to the power of n is no float any more.
        let (rank, coverage) = sign_test_rank(10_000, 0.95);
        assert!((4900..=4904).contains(&rank) && (0.95..0.952).contains(&coverage), "{rank} {coverage}");
    }

    #[test]
    fn like_things_differ_as_seldom_as_promised_even_when_skewed() {
        for count in [12, 40] {
            let mut differing = 0;
            for seed in 0..1000u64 {
                let mut random = Rand64::new(u128::from(seed));
                let mut draw = || -> Vec<f64> {
                    (0..count).map(|_| 10.0 - 3.0 * (1.0 - random.rand_float()).ln()).collect()
                };
                differing += u32::from(paired_ratio(&draw(), &draw(), 0.95).unwrap().differs());
            }
            assert!(differing <= 60, "{count} pairs: {differing} of 1000");
        }
    }

    #[test]
    fn sides_can_change_places() {
        let (before, after) = ([1.0, 2.0, 3.0, 5.0, 8.0], [2.0, 3.0, 3.0, 9.0, 7.0]);
        let (one, other) =
            (paired_ratio(&before, &after, 0.9).unwrap(), paired_ratio(&after, &before, 0.9).unwrap());
        assert!((one.ratio.estimate * other.ratio.estimate - 1.0).abs() < 1e-12);
        assert!((one.ratio.lo * other.ratio.hi - 1.0).abs() < 1e-12);
        let (one, other) = (shift(&before, &after, 0.0).unwrap(), shift(&after, &before, 0.0).unwrap());
        assert_eq!((one.delta, one.agreeing), (-other.delta, other.agreeing));
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        let said = |result: Result<PairedRatio>| result.unwrap_err().to_string();
        assert!(said(paired_ratio(&[1.0], &[1.0, 2.0], 0.95)).contains("1 runs before"));
        assert!(said(paired_ratio(&[1.0, 0.0], &[1.0, 2.0], 0.95)).contains("run 1 before is 0"));
        assert!(said(paired_ratio(&[1.0], &[f64::NAN], 0.95)).contains("run 0 after is NaN"));
        assert!(said(paired_ratio(&[1.0], &[1.0], 95.0)).contains("confidence is 95"));
        assert!(said(paired_ratio(&[], &[], 0.95)).contains("no samples"));
        assert!(shift(&[], &[1.0], 0.0).unwrap_err().to_string().contains("no samples"));
        assert!(shift(&[1.0], &[f64::INFINITY], 0.0).unwrap_err().to_string().contains("run 0 after is inf"));
        assert!(shift(&[1.0], &[1.0], f64::NAN).unwrap_err().to_string().contains("resolution is NaN"));
    }

    #[test]
    fn a_difference_has_to_pass_a_threshold_both_ways() {
        let high = Threshold { absolute: 1.0, pct: 10.0 };
        let low = Threshold { absolute: 0.5, pct: 5.0 };
        let grade = |after: f64| shift(&[10.0], &[after], 0.05).unwrap().grade(high, low);
        assert_eq!(grade(11.0), Grade::LossHigh);
        assert_eq!(grade(10.6), Grade::LossLow);
        assert_eq!(grade(10.0), Grade::BelowThreshold);
        assert_eq!(grade(9.4), Grade::WinLow);
        assert_eq!(grade(8.0), Grade::WinHigh);
        assert_eq!(shift(&[1000.0], &[1002.0], 0.05).unwrap().grade(high, low), Grade::BelowThreshold);
    }
}
