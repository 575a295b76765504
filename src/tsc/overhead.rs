//! What does a fence pair cost around nothing, and in which steps does the counter advance?

use super::pinned::PinnedCore;
use super::read::{fenced_start, fenced_stop, unfenced};
use crate::order;
use crate::units::Ticks;

/// What reading this counter costs, measured around nothing on a pinned core. The fixed cost cancels in every
/// slope; it is reported so that single-shot readings can be judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FencePair {
    /// The least that a fence pair around nothing was seen to cost.
    pub min: Ticks,
    /// The median: what a single reading carries as a rule.
    pub median: Ticks,
    /// The least between two bare RDTSC in a row.
    pub single_read: Ticks,
    /// The smallest increment in which the counter was seen to advance. One reading cannot be better than this.
    pub step: Ticks,
}

/// Measures [`FencePair`] by some thousand readings (well under a millisecond on a quiet core).
pub fn calibrate(_on: &PinnedCore) -> FencePair {
    const READINGS: usize = 4096;
    let mut pairs = [0u64; READINGS];
    for pair in &mut pairs {
        let start = fenced_start();
        let (stop, _) = fenced_stop();
        *pair = stop.0.saturating_sub(start.0);
    }
    let mut singles = [0u64; READINGS];
    let mut last = unfenced();
    for single in &mut singles {
        let now = unfenced();
        *single = now.0.saturating_sub(last.0);
        last = now;
    }
    let step = gcd_step(&pairs).min(gcd_step(&singles));
    let pairs = order::whole(&pairs);
    let single_read = singles.iter().copied().filter(|&ticks| ticks > 0).min().unwrap_or(0);
    FencePair {
        min: Ticks(pairs[0] as f64),
        median: Ticks(pairs[READINGS / 2] as f64),
        single_read: Ticks(single_read as f64),
        step,
    }
}

/// The step behind a set of differences between readings: their common increment.
///
/// Where the counter is a slower clock times a ratio that is no whole number (24.5 ticks on Zen 3: differences of
/// 24 and 25, 49, 73 and 74, ...), the greatest common divisor is 1 although no reading is better than 24.5
/// ticks; then the least gap between distinct differences that are at least two apart is the step.
pub fn gcd_step(differences: &[u64]) -> Ticks {
    let mut distinct: Vec<u64> = order::whole(differences);
    distinct.retain(|&ticks| ticks > 0);
    distinct.dedup();
    let divisor = distinct.iter().copied().fold(0, gcd);
    if divisor > 1 || distinct.len() < 4 {
        return Ticks(divisor.max(1) as f64);
    }
    // Neighbours one apart are one level seen through rounding; levels are what lies further apart.
    let mut levels: Vec<f64> = Vec::new();
    let mut run = vec![distinct[0]];
    for &value in &distinct[1..] {
        if value - run[run.len() - 1] <= 1 {
            run.push(value);
        } else {
            levels.push(run.iter().sum::<u64>() as f64 / run.len() as f64);
            run = vec![value];
        }
    }
    levels.push(run.iter().sum::<u64>() as f64 / run.len() as f64);
    // Two levels or fewer, or a run longer than rounding can make: the counter does advance one by one.
    if levels.len() < 3 {
        return Ticks(1.0);
    }
    let mut gaps: Vec<f64> = levels.windows(2).map(|pair| pair[1] - pair[0]).collect();
    order::sort(&mut gaps);
    let least = gaps[0];
    // A step shows as the gap that most levels keep; scattered readings of a fine counter have no such gap.
    let alike = gaps.iter().filter(|&&gap| (gap / least - (gap / least).round()).abs() < 0.1).count();
    if alike * 4 >= gaps.len() * 3 && least > 2.5 { Ticks(least) } else { Ticks(1.0) }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_step_is_the_common_divisor() {
        assert_eq!(gcd_step(&[54, 56, 60, 48, 3398]), Ticks(2.0));
        assert_eq!(gcd_step(&[36, 72, 108]), Ticks(36.0));
    }

    #[test]
    fn a_step_that_is_no_whole_number_is_seen_through_its_rounding() {
        // A counter that advances by 24.5 ticks, read as whole numbers.
        let readings: Vec<u64> = (2u64..40).flat_map(|n| [n * 49 / 2, (n * 49).div_ceil(2)]).collect();
        let step = gcd_step(&readings).get();
        assert!((step - 24.5).abs() < 0.6, "{step}");
    }

    #[test]
    fn a_counter_that_advances_one_by_one_has_a_step_of_one() {
        assert_eq!(gcd_step(&(40..90).collect::<Vec<_>>()), Ticks(1.0));
        assert_eq!(gcd_step(&[41, 44, 48, 51, 57, 60, 71]), Ticks(1.0));
        assert_eq!(gcd_step(&[]), Ticks(1.0));
    }

    #[test]
    fn the_pair_costs_something_and_no_less_than_nothing() {
        let cores = super::super::allowed_cores().unwrap();
        let pair = calibrate(&PinnedCore::pin(cores[0]).unwrap());
        assert!(pair.min.get() > 0.0 && pair.min.get() <= pair.median.get(), "{pair:?}");
        assert!(pair.step.get() >= 1.0, "{pair:?}");
    }
}
