//! Who goes first in each round? Alternately, so that neither side profits from what the other leaves behind.

/// One of the two that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Before,
    After,
}

impl Side {
    pub(crate) const BOTH: [Self; 2] = [Self::Before, Self::After];

    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Before => Self::After,
            Self::After => Self::Before,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }
}

/// Two values, one a side.
#[derive(Clone, Debug, Default)]
pub(crate) struct Both<T> {
    pub(crate) before: T,
    pub(crate) after: T,
}

impl<T> Both<T> {
    pub(crate) fn of(&self, side: Side) -> &T {
        match side {
            Side::Before => &self.before,
            Side::After => &self.after,
        }
    }

    pub(crate) fn of_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Before => &mut self.before,
            Side::After => &mut self.after,
        }
    }
}

/// Who goes first in each round: pairs of rounds run as ABBA or BAAB, by the seed.
pub(crate) fn order(rounds: usize, seed: u64) -> Vec<Side> {
    let mut random = oorandom::Rand64::new(u128::from(seed));
    let mut firsts = Vec::with_capacity(rounds);
    while firsts.len() < rounds {
        let first = if random.rand_range(0..2) == 0 { Side::Before } else { Side::After };
        firsts.extend([first, first.other()]);
    }
    firsts.truncate(rounds);
    firsts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_goes_first_equally_often_and_as_the_seed_says() {
        for seed in 0..50 {
            let firsts = order(40, seed);
            assert_eq!(firsts.iter().filter(|side| **side == Side::Before).count(), 20);
            assert_eq!(firsts, order(40, seed));
        }
        assert!((0..50).any(|seed| order(40, seed) != order(40, seed + 1)));
        assert_eq!(order(5, 0).len(), 5);
    }
}
