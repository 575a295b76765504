//! fencepost tells you how many core clock cycles a piece of code costs, as latency and as reciprocal
//! throughput, on any x86-64 Linux machine, and says how far the number can be trusted.

pub mod clock;
pub mod error;
pub mod harness;
pub mod lab;
pub mod machine;
pub mod output;
pub mod record;
pub mod sampling;
pub mod stats;
pub mod tsc;
pub mod units;

pub use error::{Error, ErrorKind, ExitStatus, Result};
pub use harness::barrier;
pub use lab::Lab;
