//! In which order are places visited? Seeded permutations, and cycles that go through every place once.

/// The numbers below `count` in random order, the same for the same seed (Fisher and Yates).
///
/// ```
/// let mut order = fencepost::explore::shuffled(100, 7);
/// assert_eq!(order, fencepost::explore::shuffled(100, 7));
/// order.sort_unstable();
/// assert_eq!(order, (0..100).collect::<Vec<usize>>());
/// ```
pub fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut random = oorandom::Rand64::new(u128::from(seed));
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        let other = random.rand_range(0..last as u64 + 1) as usize;
        order.swap(last, other);
    }
    order
}

/// For each place below `count` its successor on one random cycle through all of them (Sattolo's algorithm): a plain shuffle
/// falls into several cycles, and a walk would stay in one of them, often a short one.
///
/// ```
/// let next = fencepost::explore::random_cycle(1000, 1);
/// let (mut at, mut steps) = (0, 0);
/// loop {
///     at = next[at as usize];
///     steps += 1;
///     if at == 0 { break }
/// }
/// assert_eq!(steps, 1000);
/// ```
pub fn random_cycle(count: u32, seed: u64) -> Vec<u32> {
    let mut random = oorandom::Rand64::new(u128::from(seed));
    let mut next: Vec<u32> = (0..count).collect();
    for last in (1..next.len()).rev() {
        let other = random.rand_range(0..last as u64) as usize;
        next.swap(last, other);
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_cycle_has_no_shorter_one_in_it() {
        for count in [1u32, 2, 3, 16, 999] {
            for seed in 0..20 {
                let next = random_cycle(count, seed);
                let mut at = 0u32;
                for step in 1..=count {
                    at = next[at as usize];
                    assert_eq!(at == 0, step == count, "{count} places, seed {seed}, step {step}");
                }
            }
        }
        assert!(random_cycle(0, 1).is_empty());
    }

    #[test]
    fn cycles_differ_by_seed() {
        assert_ne!(random_cycle(100, 1), random_cycle(100, 2));
        assert_ne!(shuffled(100, 1), shuffled(100, 2));
    }
}
