//! Does what must hold of the statistics for any samples hold? And does none of them panic, whatever it is given?

use fencepost::stats::{
    self, Interval, Sorted, Threshold, bimodality, difference, drift_between_halves, effective_count,
    geometric_mean_of_middle, median_absolute_deviation, paired_ratio, percentile, percentile_interval,
    percentile_interval_for, precision_budget, recalibrate, series_spread, shift, split_half, spread, trend,
};
use proptest::collection::vec;
use proptest::num::f64::ANY;
use proptest::prelude::*;

/// Timings as they come: positive, of any size, often equal.
fn timings(least: usize) -> impl Strategy<Value = Vec<f64>> {
    let one = prop_oneof![0.001..1e9, (1u32..50).prop_map(|steps| f64::from(steps) * 24.5)];
    vec(one, least..120)
}

fn interval() -> impl Strategy<Value = Interval> {
    (-1e6..1e6f64, 0.0..1e3f64, 0.0..1e3f64).prop_map(|(estimate, down, up)| Interval {
        estimate,
        lo: estimate - down,
        hi: estimate + up,
    })
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1e-9)
}

proptest! {
    #[test]
    fn percentiles_rise_and_lie_among_the_samples(
        samples in timings(1), one in 0.0..=100.0f64, other in 0.0..=100.0f64,
    ) {
        let sorted = Sorted::new(&samples).unwrap();
        let (low, high) = (sorted.percentile(one.min(other)), sorted.percentile(one.max(other)));
        prop_assert!(low <= high * (1.0 + 1e-15));
        prop_assert!(sorted.min() <= low * (1.0 + 1e-15) && high <= sorted.max() * (1.0 + 1e-15));
    }

    #[test]
    fn the_order_of_the_samples_and_their_unit_do_not_matter_to_a_percentile(
        samples in timings(1), pct in 0.0..=100.0f64, unit in 1e-3..1e3f64,
    ) {
        let value = percentile(&samples, pct).unwrap();
        let reversed: Vec<f64> = samples.iter().rev().copied().collect();
        prop_assert_eq!(value, percentile(&reversed, pct).unwrap());
        let scaled: Vec<f64> = samples.iter().map(|sample| sample * unit).collect();
        prop_assert!(close(value * unit, percentile(&scaled, pct).unwrap()));
    }

    #[test]
    fn intervals_hold_their_estimate_and_widen_with_doubt(
        samples in timings(2), pct in 0.0..=100.0f64, z in 0.0..4.0f64, share in 0.05..1.0f64,
    ) {
        let narrow = percentile_interval(&samples, pct, z).unwrap();
        prop_assert!(narrow.lo <= narrow.estimate && narrow.estimate <= narrow.hi);
        let effective = samples.len() as f64 * share;
        for wide in [
            percentile_interval(&samples, pct, z + 0.5).unwrap(),
            percentile_interval_for(&samples, pct, z, effective).unwrap(),
        ] {
            prop_assert!(wide.lo <= narrow.lo && narrow.hi <= wide.hi);
            prop_assert_eq!(wide.estimate, narrow.estimate);
        }
    }

    #[test]
    fn no_samples_are_worth_more_than_their_number(samples in timings(1)) {
        let worth = effective_count(&samples);
        prop_assert!(worth > 0.0 && worth <= samples.len() as f64);
    }

    #[test]
    fn a_difference_turned_round_is_the_difference_turned_round(one in interval(), other in interval()) {
        let (there, back) = (difference(&one, &other), difference(&other, &one));
        prop_assert!(there.lo <= there.estimate && there.estimate <= there.hi);
        prop_assert_eq!((there.lo, there.estimate, there.hi), (-back.hi, -back.estimate, -back.lo));
        // Never wider than with both errors at their worst at once, never narrower than either alone.
        prop_assert!(there.width() <= (one.width() + other.width()) * (1.0 + 1e-9) + 1e-9);
        prop_assert!(there.width() >= one.width().max(other.width()) * (1.0 - 1e-9) - 1e-9);
    }

    #[test]
    fn a_recalibrated_slice_is_as_long_as_wanted_and_no_longer(
        iterations in 1u64..1 << 40, target in 1u64..1 << 40, took in 11u64..1 << 40,
    ) {
        let next = recalibrate(iterations, target, took);
        prop_assert!(next >= iterations);
        // In the time of the last slice's iterations, by whole numbers.
        let expected = |count: u64| u128::from(count) * u128::from(took);
        let wanted = u128::from(target) * u128::from(iterations);
        prop_assert!(expected(next) >= wanted);
        prop_assert!(next == iterations || expected(next - 1) < wanted);
    }

    #[test]
    fn counts_never_overflow(iterations: u64, target: u64, took: u64) {
        prop_assert!(recalibrate(iterations, target, took) >= iterations);
    }

    #[test]
    fn a_shift_follows_what_is_added(before in timings(1), by in -1e3..1e3f64) {
        let after: Vec<f64> = before.iter().map(|value| value + by).collect();
        let found = shift(&before, &after, 0.0).unwrap();
        let most = before.iter().copied().fold(1.0, f64::max);
        prop_assert!((found.delta - by).abs() <= 1e-12 * most);
        prop_assert!(found.agreeing <= found.pairs);
    }

    #[test]
    fn a_shift_turned_round_is_the_shift_turned_round(
        before in timings(1), after in timings(1), resolution in 0.0..10.0f64,
    ) {
        let (there, back) =
            (shift(&before, &after, resolution).unwrap(), shift(&after, &before, resolution).unwrap());
        prop_assert_eq!((there.delta, there.agreeing), (-back.delta, back.agreeing));
    }

    #[test]
    fn paired_ratios_reach_what_they_claim(
        pairs in vec((0.001..1e6f64, 0.001..1e6f64), 1..80), confidence in 0.5..0.999f64,
    ) {
        let (before, after): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let found = paired_ratio(&before, &after, confidence).unwrap();
        let ratio = found.ratio;
        prop_assert!(ratio.lo <= ratio.estimate && ratio.estimate <= ratio.hi);
        prop_assert!(found.coverage >= confidence || found.ranks == (1, found.pairs));
        prop_assert!(found.ranks.0 <= found.ranks.1 && found.ranks.0 + found.ranks.1 == found.pairs + 1);
    }

    #[test]
    fn modes_share_all_samples(samples in vec(prop_oneof![99.0..101.0f64, 120.0..123.0f64], 50..300)) {
        if let Some(modes) = bimodality(&samples) {
            let above = samples.iter().filter(|&&sample| sample > modes.border).count() as f64;
            prop_assert!(close(modes.upper_share, above / samples.len() as f64));
            prop_assert!((0.1..=0.9).contains(&modes.upper_share));
        }
    }

    #[test]
    fn nothing_panics_whatever_it_is_given(
        samples in vec(ANY, 0..130), others in vec(ANY, 0..130), one in ANY, other in ANY, drop in 0usize..9,
    ) {
        let _ = percentile(&samples, one);
        let _ = percentile_interval_for(&samples, one, other, one);
        let _ = (geometric_mean_of_middle(&samples), median_absolute_deviation(&samples), stats::least(&samples));
        let _ = (split_half(&samples, one, other), drift_between_halves(&samples, one, other));
        let _ = (spread(&samples), bimodality(&samples), trend(&samples), effective_count(&samples));
        let _ = (shift(&samples, &others, one), precision_budget(one, other, one));
        let _ = paired_ratio(&samples, &others, one.abs().fract());
        let _ = series_spread(&[&samples, &others], drop, 1, Threshold { absolute: one, pct: other });
    }

    #[test]
    fn finite_samples_of_any_size_give_no_panic_either(
        samples in vec(-f64::MAX..f64::MAX, 1..130), others in vec(-f64::MAX..f64::MAX, 1..130),
    ) {
        let found = shift(&samples, &others, 0.0).unwrap();
        prop_assert_eq!(found.pairs, samples.len() as u64 * others.len() as u64);
        let _ = (bimodality(&samples), trend(&samples), drift_between_halves(&samples, 50.0, 0.4));
        prop_assert!(spread(&samples).is_ok());
    }
}
