//! How many core cycles are in these ticks, and was the core ours alone? The clock ruler and the contention
//! gauge that frame every slice, and the cycle counters that are preferred where a process may read them.

mod counters;
mod gauge;
mod page;
#[cfg(feature = "counters")]
pub mod perf;
mod ruler;
mod source;

pub use counters::{PerfCycles, Rdpru};
pub use gauge::{GAUGE_NOPS, Gauge, nops_per_cycle, outruns};
pub use ruler::{RulerCheck, check, ruler};
pub use source::{ClockRuler, CycleSource, SourceReport, choose, cross_check};
