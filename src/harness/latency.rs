//! How long from input ready to output ready? The chain `acc = f(acc)`: no operation can start before the last one
//! has ended.

use super::barrier::barrier;
use super::chain::{ChainFault, Number, chain_faults};
use super::place::{PLACES, at_place, moved_on};
use super::{Entry, TimedLoop, UNROLL};
use crate::alloc::region;
use crate::tsc::{Timed, fenced_start, fenced_stop};

/// A dependency chain through a kernel. The accumulator goes on from slice to slice, so that the chain sees many values.
#[derive(Debug)]
pub struct Latency<T, F> {
    kernel: F,
    seed: T,
    accumulator: Option<T>,
    slow: bool,
    place: usize,
}

impl<T: Clone, F: FnMut(T) -> T> Latency<T, F> {
    /// The chain `acc = kernel(acc)` from `seed` on.
    pub fn new(seed: T, kernel: F) -> Self {
        Self { kernel, seed, accumulator: None, slow: false, place: 0 }
    }
}

impl<T: Clone> Latency<T, ()> {
    /// The chain `acc = link(kernel(acc))`, for a kernel whose output is not of its input's type. The link is part of the
    /// chain, so its latency is part of what is measured: keep it to one cheap operation and say so.
    pub fn linked<R>(
        seed: T,
        mut kernel: impl FnMut(T) -> R,
        mut link: impl FnMut(R) -> T,
    ) -> Latency<T, impl FnMut(T) -> T> {
        Latency::new(seed, move |value| link(barrier(kernel(value))))
    }
}

impl<T, F: FnMut(T) -> T> Latency<T, F> {
    fn function(&self) -> fn(&mut F, T, u64) -> (Timed, T) {
        at_place!(self.place, timed, T, F)
    }
}

impl<T: Clone, F: FnMut(T) -> T> TimedLoop for Latency<T, F> {
    fn run(&mut self, iterations: u64) -> Timed {
        // Gone only if the kernel panicked in an earlier slice and the caller went on.
        let accumulator = self.accumulator.take().unwrap_or_else(|| self.seed.clone());
        let function = self.function();
        let (timed, accumulator) = region(|| function(&mut self.kernel, accumulator, iterations));
        self.accumulator = Some(accumulator);
        self.slow = timed.ticks().get() > 1e6 * iterations.max(1) as f64;
        timed
    }

    fn entry(&self) -> Option<Entry> {
        Some(Entry { address: self.function() as usize as u64, operations: UNROLL })
    }

    fn places(&self) -> usize {
        PLACES
    }

    fn start_at(&mut self, place: usize) {
        self.place = place;
    }

    fn faults(&mut self) -> Vec<ChainFault> {
        /// Enough for a chain to be caught in what it will be caught in, and soon done.
        const STEPS: usize = 512;
        let mut value = self.accumulator.take().unwrap_or_else(|| self.seed.clone());
        if self.slow || Number::of(&value).is_none() {
            self.accumulator = Some(value);
            return Vec::new();
        }
        let mut values = Vec::with_capacity(STEPS);
        for _ in 0..STEPS {
            value = barrier((self.kernel)(value));
            values.extend(Number::of(&value));
        }
        self.accumulator = Some(value);
        chain_faults(&values)
    }
}

/// The function that is timed: everything between the fences is the chain and its loop control.
#[inline(never)]
fn timed<T, F: FnMut(T) -> T, const PLACE: usize>(kernel: &mut F, seed: T, iterations: u64) -> (Timed, T) {
    let turns = iterations / UNROLL;
    let rest = iterations % UNROLL;
    let mut accumulator = barrier(seed);
    moved_on::<PLACE>();
    let start = fenced_start();
    for _ in 0..turns {
        for _ in 0..UNROLL {
            accumulator = barrier(kernel(accumulator));
        }
    }
    for _ in 0..rest {
        accumulator = barrier(kernel(accumulator));
    }
    let accumulator = barrier(accumulator);
    let (stop, core) = fenced_stop();
    (Timed { start, stop, core }, accumulator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chain_makes_exactly_the_iterations_that_it_is_told() {
        for iterations in [0, 1, 15, 16, 17, 1000] {
            let mut chain = Latency::new(0u64, |count| count + 1);
            chain.run(iterations);
            chain.run(3);
            assert_eq!(chain.accumulator, Some(iterations + 3));
        }
    }

    #[test]
    fn a_link_turns_the_output_into_the_next_input() {
        let mut chain = Latency::linked(1u32, |x| f64::from(x) * 2.0, |y| y as u32);
        chain.run(5);
        assert_eq!(chain.accumulator, Some(32));
    }

    #[test]
    fn a_kernel_that_panicked_can_be_run_again_from_its_seed() {
        let mut calls = 0;
        let mut chain = Latency::new(7u64, |x| {
            calls += 1;
            assert_ne!(calls, 2, "the second call fails");
            x
        });
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| chain.run(4)));
        assert!(result.is_err());
        chain.run(1);
        assert_eq!(chain.accumulator, Some(7));
    }
}
