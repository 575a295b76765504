//! fencepost tells you how many core clock cycles a piece of code costs, as latency and as reciprocal
//! throughput, on any x86-64 Linux machine, and says how far the number can be trusted.

pub mod clock;
pub mod error;
pub mod harness;
pub mod machine;
pub mod record;
pub mod stats;
pub mod tsc;
pub mod units;

pub use error::{Error, ErrorKind, ExitStatus, Result};
pub use harness::barrier;
