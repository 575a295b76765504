//! What does the sampler need of a machine? Slices, the probes beside them, and a clock; nothing else, so that a simulated
//! machine can stand in for a real one.

use crate::units::{Nanos, Ticks, TicksPerCycle};

/// A machine on which numbered loops can be timed.
pub trait Timer {
    /// Wall-clock time since some fixed moment; never runs backwards.
    fn now(&mut self) -> Nanos;

    /// Reads the clock ruler and then the contention gauge, as they are right now.
    fn probe(&mut self) -> Probe;

    /// Times `iterations` operations of loop `index`.
    fn slice(&mut self, index: usize, iterations: u64) -> Slice;

    /// Share of the wall-clock time, since the last call, in which the hypervisor ran something else (0 to 1); `None`
    /// until enough time has passed to tell.
    fn stolen(&mut self) -> Option<f64> {
        None
    }
}

/// What stands between two slices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// The clock ruler: ticks per core cycle.
    pub rate: TicksPerCycle,
    /// The contention gauge, its fence pair's overhead included.
    pub gauge: Ticks,
}

/// One timed slice as the machine saw it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    /// Ticks between the fence pair.
    pub ticks: Ticks,
    /// Core cycles by a counter, where the machine has one; its fixed cost cancels in the slope.
    pub counted: Option<f64>,
    /// The slice ended on another core than the pinned one.
    pub migrated: bool,
    /// The thread was switched out against its will while the slice ran.
    pub switched: bool,
}
