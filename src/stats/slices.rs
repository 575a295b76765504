//! How many iterations shall the next slice have?

/// The iteration count that brings the next slice nearer to `target_ns`, given that the last one of `iterations` took
/// `took_ns`. It never falls: a slice that took too long may have been interrupted. Folly's rule: below 11 ns, which cannot be
/// divided by sensibly, it doubles.
///
/// Saturates at `u64::MAX` instead of overflowing.
///
/// ```
/// use fencepost::stats::recalibrate;
/// assert_eq!(recalibrate(1, 1_000_000, 500), 2000);
/// assert_eq!(recalibrate(4, 1_000_000, 5), 8);
/// assert_eq!(recalibrate(1000, 1_000_000, 2_000_000), 1000);
/// ```
pub fn recalibrate(iterations: u64, target_ns: u64, took_ns: u64) -> u64 {
    if took_ns <= 10 {
        return iterations.saturating_mul(2);
    }
    let needed = u128::from(iterations) * u128::from(target_ns);
    let candidate = needed.div_ceil(u128::from(took_ns));
    u64::try_from(candidate).unwrap_or(u64::MAX).max(iterations).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_saturate() {
        assert_eq!(recalibrate(u64::MAX, 1_000_000, 5), u64::MAX);
        assert_eq!(recalibrate(u64::MAX, u64::MAX, 11), u64::MAX);
        assert_eq!(recalibrate(0, 1_000_000, 100), 1);
    }
}
