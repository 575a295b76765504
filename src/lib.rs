//! fencepost tells you how many **core clock cycles** a piece of code costs, as **latency** and as **reciprocal throughput**, on any
//! x86-64 Linux machine, with or without performance counters, quiet or noisy, and says how far the number can be trusted.
//!
//! # Five minutes
//!
//! A [`Lab`] checks the time stamp counter, picks the quietest core, pins this thread to it and calibrates. Then it measures:
//!
//! ```
//! use fencepost::{Lab, barrier};
//!
//! fn bit_mix(mut x: u64) -> u64 {
//!     x ^= x >> 33;
//!     x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
//!     x ^= x >> 33;
//!     x = x.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
//!     x ^ (x >> 33)
//! }
//!
//! # fn main() -> fencepost::Result<()> {
//! let mut lab = match Lab::new() {
//!     Ok(lab) => lab,
//!     Err(error) => {
//!         eprintln!("{error}"); // what failed, why it matters, what to do now
//!         return Ok(());
//!     }
//! };
//!
//! // How long until a result is there? Each call waits for the one before it.
//! let latency = lab.latency(42u64, bit_mix)?;
//! println!("{latency}"); // bit_mix/latency  12.00 cyc (95 %: 11.98 to 12.02 cyc)  4.14 ns  converged
//!
//! // How many results a second? Calls do not wait for one another.
//! let inputs: Vec<u64> = (0..1024).map(|x| x * 0x9e37_79b9).collect();
//! let throughput = lab.throughput(&inputs, |&x| bit_mix(x))?;
//! println!("{throughput}");
//! println!("{}", throughput.result.sentence);
//! # Ok(())
//! # }
//! ```
//!
//! Several things at once are measured interleaved, so that they see the same machine: [`Lab::measure`] with
//! [`lab::Benchmark`]s. [`Lab::record`] gives everything that a result depends on, as JSON or as text.
//!
//! # Which number answers which question
//!
//! | question | number |
//! |---|---|
//! | how long until a result that I wait for is there? | latency |
//! | how many results a second, when there is enough to do? | 1 / reciprocal throughput |
//! | how many calls are in flight at once? | overlap: latency / reciprocal throughput |
//! | what did one call between two `rdtsc` take? | nothing that you should use: see [`Lab::single_shot`] |
//!
//! # Where to read on
//!
//! How a number comes about is in `METHODOLOGY.md`, where it can mislead in `LIMITS.md`, the record's fields in `docs/schema.md`.
//! The rooms of this crate, in the order in which they may use one another: [`units`], [`error`], [`stats`], [`machine`], [`record`],
//! [`tsc`], [`clock`], [`harness`], [`sampling`], [`lab`], `baseline`, `suite`, and behind features `asm`, `predict`, `render`.

pub mod alloc;
#[cfg(feature = "asm")]
pub mod asm;
#[cfg(feature = "suite")]
pub mod baseline;
#[cfg(feature = "cachegrind")]
pub mod cachegrind;
pub mod clock;
pub mod error;
#[cfg(feature = "explore")]
pub mod explore;
pub mod harness;
pub mod lab;
pub mod machine;
mod order;
pub mod output;
#[cfg(feature = "predict")]
pub mod predict;
pub mod record;
#[cfg(feature = "plots")]
pub mod render;
pub mod sampling;
pub mod stats;
#[cfg(feature = "suite")]
pub mod suite;
pub mod tsc;
pub mod units;

pub use error::{Error, ErrorKind, ExitStatus, Result};
pub use harness::barrier;
pub use lab::Lab;
#[cfg(feature = "suite")]
pub use suite::suite;

/// Compiles and runs the code blocks of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
