//! From what can inputs and counters come? From values at hand, or from functions that are called only when they are needed.

/// Where independent inputs come from.
///
/// Give a function (`inputs`, `|| random_u64s(1000)`) where they take time or memory: it is called only if the
/// benchmark is selected. A `Vec`, a slice or an array is there already, whether it is needed or not.
pub trait Inputs {
    /// One input.
    type Item;

    /// The inputs.
    fn inputs(self) -> Vec<Self::Item>;
}

impl<I> Inputs for Vec<I> {
    type Item = I;

    fn inputs(self) -> Vec<I> {
        self
    }
}

impl<I: Clone> Inputs for &[I] {
    type Item = I;

    fn inputs(self) -> Vec<I> {
        self.to_vec()
    }
}

impl<I: Clone> Inputs for &Vec<I> {
    type Item = I;

    fn inputs(self) -> Vec<I> {
        self.clone()
    }
}

impl<I, const N: usize> Inputs for [I; N] {
    type Item = I;

    fn inputs(self) -> Vec<I> {
        Vec::from(self)
    }
}

impl<F: FnOnce() -> Vec<I>, I> Inputs for F {
    type Item = I;

    fn inputs(self) -> Vec<I> {
        self()
    }
}

/// What a user's counter says: a number, or a function that is asked for it once, after the run.
pub trait Counter {
    /// The number.
    fn value(&self) -> f64;
}

impl Counter for f64 {
    fn value(&self) -> f64 {
        *self
    }
}

impl<F: Fn() -> f64> Counter for F {
    fn value(&self) -> f64 {
        self()
    }
}
