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
    let step = gcd_step(&[pairs, singles].concat());
    let pairs = order::whole(&pairs);
    let single_read = singles.iter().copied().filter(|&ticks| ticks > 0).min().unwrap_or(0);
    FencePair {
        min: Ticks(pairs[0] as f64),
        median: Ticks(pairs[READINGS / 2] as f64),
        single_read: Ticks(single_read as f64),
        step,
    }
}

/// The steps that are looked for where differences have no common divisor, in ticks.
const STEPS: (f64, f64) = (6.0, 80.0);
/// Steps are tried this far apart, in ticks.
const GRAIN: f64 = 0.01;
/// Rounding moves a difference of two readings by less than this, in ticks.
const ROUNDING: f64 = 1.0;
/// A difference of more steps than this tells no step from its neighbours.
const FAR: f64 = 32.0;
/// This share of the differences has to be whole steps; the others were interrupted.
const WHOLE: f64 = 0.97;

/// The step behind a set of differences between readings: their common increment.
///
/// Where the counter is a slower clock times a ratio that is no whole number, the greatest common divisor is 1 although no
/// reading is better than the step: 24.5 ticks on Zen 3 gives differences of 24 and 25, 49, 73 and 74; 25.96 ticks on a Zen 4
/// gives 25, 26, 51 and 52, and now and then 1, as no two readings are the same. Then the step is the longest of which nearly
/// all differences are whole multiples, to the rounding.
pub fn gcd_step(differences: &[u64]) -> Ticks {
    let readings: Vec<u64> = differences.iter().copied().filter(|&ticks| ticks > 0).collect();
    let readings = order::whole(&readings);
    let mut levels: Vec<(f64, f64)> = Vec::new();
    for &ticks in &readings {
        match levels.last_mut() {
            Some((level, count)) if *level == ticks as f64 => *count += 1.0,
            _ => levels.push((ticks as f64, 1.0)),
        }
    }
    let divisor = readings.iter().copied().fold(0, gcd);
    if divisor > 1 || levels.len() < 4 {
        return Ticks(divisor.max(1) as f64);
    }
    let tried = ((STEPS.1 - STEPS.0) / GRAIN) as u32;
    let longest = (0..=tried).rev().find_map(|at| fitted(STEPS.0 + f64::from(at) * GRAIN, &levels));
    Ticks(longest.unwrap_or(1.0))
}

/// The step by least squares, if nearly all of the differences (each with its count) are whole multiples of about `step`.
fn fitted(step: f64, levels: &[(f64, f64)]) -> Option<f64> {
    let (mut whole, mut all, mut seen) = (0.0, 0.0, 0u64);
    let (mut product, mut square) = (0.0, 0.0);
    for &(ticks, count) in levels.iter().take_while(|(ticks, _)| *ticks <= FAR * step) {
        let steps = (ticks / step).round();
        all += count;
        if (ticks - steps * step).abs() <= ROUNDING {
            whole += count;
            seen |= 1 << steps as u32;
            (product, square) = (product + ticks * steps * count, square + steps * steps * count);
        }
    }
    // Of a counter that advances one by one, differences near two multiples would be chance.
    (whole >= WHOLE * all && (seen & !1).count_ones() >= 3).then(|| product / square)
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
    fn a_step_is_seen_where_no_two_readings_are_the_same() {
        // Read on a Zen 4 guest: single reads, then fenced pairs, and two that were interrupted.
        let counts =
            [(1, 1077), (25, 1071), (26, 17_797), (51, 5), (52, 15_075), (78, 4929), (333, 1), (4711, 1)];
        let readings: Vec<u64> =
            counts.iter().flat_map(|&(ticks, count)| std::iter::repeat_n(ticks, count)).collect();
        let step = gcd_step(&readings).get();
        assert!((step - 25.96).abs() < 0.1, "{step}");
    }

    #[test]
    fn the_pair_costs_something_and_no_less_than_nothing() {
        let cores = super::super::allowed_cores().unwrap();
        let pair = calibrate(&PinnedCore::pin(cores[0]).unwrap());
        assert!(pair.min.get() > 0.0 && pair.min.get() <= pair.median.get(), "{pair:?}");
        assert!(pair.step.get() >= 1.0, "{pair:?}");
    }
}
