//! Kernels whose causes of cost are known: for tests, and for `benches/verdicts.rs`, which counts how often they are found.

use fencepost::barrier;

pub(crate) fn plain(values: &[u64]) -> u64 {
    let mut sum = 0u64;
    for value in values {
        sum = barrier(sum.wrapping_add(*value));
    }
    sum
}

/// The same sum, with arithmetic that each addition waits for.
pub(crate) fn worked(values: &[u64]) -> u64 {
    let mut sum = 0u64;
    for value in values {
        sum = barrier(sum.wrapping_add(*value).wrapping_mul(3).wrapping_mul(5));
    }
    sum
}

/// The same sum, a line at a time over and over.
pub(crate) fn strided(values: &[u64]) -> u64 {
    const STEP: usize = 16;
    let mut sum = 0u64;
    for first in 0..STEP.min(values.len()) {
        let mut at = first;
        while let Some(value) = values.get(at) {
            sum = barrier(sum.wrapping_add(*value));
            at += STEP;
        }
    }
    sum
}

/// A chain of so many dependent multiplications by an odd number: three cycles each on every core that the clock ruler holds on.
pub(crate) fn chain(links: u32) -> impl FnMut(u64) -> u64 {
    move |mut x| {
        for _ in 0..links {
            x = barrier(x.wrapping_mul(barrier(0x9e37_79b9_7f4a_7c15)));
        }
        x
    }
}

/// Links of a chain for each row and column of a 2x2 experiment.
pub(crate) const LINKS: [[u32; 2]; 2] = [[20, 40], [50, 100]];
/// What those add, in links: the main effects of row and column, and their interaction.
pub(crate) const EFFECTS: [f64; 3] = [45.0, 35.0, 30.0];
/// Core cycles a link.
pub(crate) const LINK: f64 = 3.0;
