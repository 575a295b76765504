//! fencepost tells you how many core clock cycles a piece of code costs, as latency and as reciprocal
//! throughput, on any x86-64 Linux machine, and says how far the number can be trusted.

pub mod error;
pub mod machine;
pub mod record;
pub mod stats;
pub mod units;
