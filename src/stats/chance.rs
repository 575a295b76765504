//! How likely would chance alone order two sets of runs so one-sidedly? The rank-sum test of Wilcoxon, Mann and Whitney.

use super::quantile::Sorted;
use crate::error::Result;

/// Up to so many runs a side the distribution is counted out; every count is then exact in an `f64`.
const EXACT_UP_TO: usize = 25;

/// The probability, 0 to 1, that two sets of runs of the same thing are ordered at least as one-sidedly as these, in either
/// direction. Only the order of the runs counts, so nothing is assumed of their distribution. Ties count against a difference.
///
/// Up to 25 runs a side it is exact (Mann and Whitney, Annals of Mathematical Statistics 18, 1947), else the normal
/// approximation with continuity correction.
///
/// ```
/// use fencepost::stats::chance;
/// // Five runs before are all below five runs after: 2 of the 252 orders are so one-sided.
/// let p = chance(&[1.0, 2.0, 3.0, 4.0, 5.0], &[6.0, 7.0, 8.0, 9.0, 10.0])?;
/// assert!((p - 2.0 / 252.0).abs() < 1e-12);
/// # Ok::<(), fencepost::Error>(())
/// ```
///
/// # Errors
///
/// `Usage` if a side has no runs, or one that is NaN.
pub fn chance(before: &[f64], after: &[f64]) -> Result<f64> {
    let (before, after) = (Sorted::new(before)?, Sorted::new(after)?);
    let (before, after) = (before.as_slice(), after.as_slice());
    // Of all pairs: where after is strictly above, and where strictly below.
    let (mut above, mut below) = (0u64, 0u64);
    for value in before {
        above += (after.len() - after.partition_point(|after| after <= value)) as u64;
        below += after.partition_point(|after| after < value) as u64;
    }
    let pairs = before.len() as u64 * after.len() as u64;
    let contradicting = pairs - above.max(below);
    if 2 * contradicting >= pairs {
        return Ok(1.0);
    }
    let tail = if before.len().max(after.len()) <= EXACT_UP_TO {
        exact_tail(before.len(), after.len(), contradicting)
    } else {
        normal_tail(before.len() as f64, after.len() as f64, contradicting as f64)
    };
    Ok((2.0 * tail).min(1.0))
}

/// The least that [`chance`] can give for so many runs a side: that of unanimous runs.
///
/// ```
/// assert!((fencepost::stats::least_chance(3, 3) - 0.1).abs() < 1e-12);
/// ```
pub fn least_chance(before: usize, after: usize) -> f64 {
    if before.max(after) <= EXACT_UP_TO {
        (2.0 * exact_tail(before, after, 0)).min(1.0)
    } else {
        (2.0 * normal_tail(before as f64, after as f64, 0.0)).min(1.0)
    }
}

/// P(U <= u) for `n` and `m` runs: the coefficients of the Gaussian binomial, made factor by factor.
fn exact_tail(n: usize, m: usize, u: u64) -> f64 {
    let mut orders = vec![0.0f64; n * m + 1];
    orders[0] = 1.0;
    for i in 1..=n {
        // Times (1 - q^(m + i)), from the top so that each factor is used once ...
        for at in (m + i..orders.len()).rev() {
            orders[at] -= orders[at - m - i];
        }
        // ... and divided by (1 - q^i).
        for at in i..orders.len() {
            orders[at] += orders[at - i];
        }
    }
    let all: f64 = orders.iter().sum();
    let tail: f64 = orders.iter().take(u as usize + 1).sum();
    tail / all
}

fn normal_tail(n: f64, m: f64, u: f64) -> f64 {
    let deviation = (n * m * (n + m + 1.0) / 12.0).sqrt();
    let z = (n * m / 2.0 - u - 0.5) / deviation;
    // Abramowitz and Stegun, 26.2.17: right to 7.5e-8.
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let series = t
        * (0.319_381_53
            + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    let upper = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt() * series;
    if z < 0.0 { 1.0 - upper } else { upper }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oorandom::Rand64;

    #[test]
    fn the_critical_values_are_those_of_the_tables() {
        // Two-sided 5 %: the largest U that is significant, as in any table of the Mann-Whitney test.
        for (n, m, critical) in [(4, 4, 0), (5, 5, 2), (8, 6, 8), (10, 10, 23), (20, 20, 127)] {
            assert!(2.0 * exact_tail(n, m, critical) <= 0.05, "{n} {m}");
            assert!(2.0 * exact_tail(n, m, critical + 1) > 0.05, "{n} {m}");
        }
    }

    #[test]
    fn the_approximation_meets_the_count() {
        for u in [200, 230, 260] {
            let (exact, normal) = (exact_tail(25, 25, u), normal_tail(25.0, 25.0, u as f64));
            assert!((exact - normal).abs() < 0.002, "{u}: {exact} {normal}");
        }
        assert!(least_chance(26, 26) < 1e-8);
        assert!((least_chance(1, 1) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn like_runs_are_told_apart_as_seldom_as_promised() {
        for count in [5, 12, 40] {
            let mut told = 0;
            for seed in 0..2000u64 {
                let mut random = Rand64::new(u128::from(seed));
                let mut draw =
                    || -> Vec<f64> { (0..count).map(|_| -(1.0 - random.rand_float()).ln()).collect() };
                told += u32::from(chance(&draw(), &draw()).unwrap() < 0.05);
            }
            assert!((40..=125).contains(&told), "{count} runs: {told} of 2000");
        }
    }

    #[test]
    fn equal_runs_never_differ() {
        assert_eq!(chance(&[3.0; 9], &[3.0; 9]).unwrap(), 1.0);
        assert!(chance(&[], &[1.0]).is_err());
    }
}
