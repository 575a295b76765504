//! Which loops are timed? One file a harness: a chain for latency, independent inputs for reciprocal throughput, one
//! call for the single shot, a batch for routines with setup; and the barrier that the compiler cannot see through.
//!
//! Each harness is a [`TimedLoop`]: whoever decides what to run next knows only that it can run some iterations
//! between one fence pair, and how they must be counted.

mod barrier;
mod chain;
mod latency;
mod place;
mod routine;
mod single_shot;
mod throughput;

pub use barrier::{BarrierKind, barrier, barrier_kind, consume};
pub use chain::ChainFault;
pub use latency::Latency;
pub use place::PLACES;
pub use routine::Routine;
pub use single_shot::SingleShot;
pub(crate) use throughput::Laid;
pub use throughput::{Throughput, WorkingSet};

use crate::tsc::Timed;

/// Operations that one turn of an unrolled timed loop makes, so that loop control is a sixteenth of what it would be.
pub const UNROLL: u64 = 16;

/// Where the function lies that holds a timed loop between its fences, and what a turn of that loop makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The address of its first instruction.
    pub address: u64,
    /// Operations that a turn of the loop makes, as it was written.
    pub operations: u64,
}

/// A loop that can be timed: `iterations` operations between one fence pair.
pub trait TimedLoop {
    /// Runs `iterations` operations between one fence pair. What is not the operation (setup, drop) happens outside of it.
    fn run(&mut self, iterations: u64) -> Timed;

    /// The number that iterations must be a multiple of, so that every slice has the same loop around it: a short
    /// kernel is timed in turns of [`UNROLL`].
    fn granule(&self) -> u64 {
        UNROLL
    }

    /// The most iterations that one slice can hold (a routine's batch has to fit in memory).
    fn most(&self) -> u64 {
        u64::MAX
    }

    /// The function that is timed, for those who decode it; `None` where there is no loop in it that stands for its cost.
    fn entry(&self) -> Option<Entry> {
        None
    }

    /// At how many places the loop can be started besides the one where the compiler put it: [`PLACES`] for the harnesses of this room, 0
    /// for a loop that knows nothing of places.
    fn places(&self) -> usize {
        0
    }

    /// Starts the loop at `place` from now on, of 1 to [`places`](Self::places); at 0, and where there is no such place, where the compiler put it.
    fn start_at(&mut self, _place: usize) {}

    /// Where the function lies whose loop is timed, at the place in force, for those who look where its loop starts.
    fn address(&self) -> Option<u64> {
        self.entry().map(|entry| entry.address)
    }

    /// What the harness noticed in the values that went through it, after running: see [`ChainFault`].
    fn faults(&mut self) -> Vec<ChainFault> {
        Vec::new()
    }
}
