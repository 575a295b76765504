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
//! # Can it be trusted?
//!
//! Every number has an interval, a [`Verdict`](record::Verdict) and the count of samples that were believed and not. What about the machine
//! affects them is in the findings, each with its effect and what mends it:
//!
//! ```no_run
//! use fencepost::{Lab, record::Verdict};
//!
//! # fn main() -> fencepost::Result<()> {
//! let mut lab = Lab::new()?;
//! let measured = lab.latency(42u64, |x: u64| x.rotate_left(7) ^ 1)?;
//! let result = &measured.result;
//! match (&result.verdict, &result.cycles) {
//!     (Verdict::Converged, Some(cycles)) => println!("{:.2} cycles", cycles.estimate),
//!     (Verdict::Converged, None) => println!("{:.2} ticks: no cycles may be claimed", result.ticks.estimate),
//!     (other, _) => println!("{other}: {}", result.verdict_reason.as_deref().unwrap_or("")),
//! }
//! println!("{} of {} samples were clean", result.samples.clean, result.samples.total);
//! let record = lab.record(&[measured], true);
//! for finding in &record.findings {
//!     println!("{} {}: {}", finding.severity, finding.id, finding.effect);
//! }
//! record.write_atomically("run.json")?; // for `fencepost compare`, `fencepost report`, and you
//! # Ok(())
//! # }
//! ```
//!
//! # Which of two is faster?
//!
//! Two estimates of one run differ by more than their intervals where the clock or a neighbour moved between them. [`Lab::compare`] measures
//! in pairs, and its ratio has an interval of its own:
//!
//! ```no_run
//! use fencepost::{Lab, lab::Benchmark, sampling::Continue};
//!
//! # fn main() -> fencepost::Result<()> {
//! let mut lab = Lab::new()?;
//! let mut multiply = Benchmark::latency("multiply", 42u64, |x| x.wrapping_mul(9));
//! let mut shift = Benchmark::latency("shift", 42u64, |x| (x << 3).wrapping_add(x));
//! for one in lab.compare(&mut [&mut multiply, &mut shift], &mut |_| Continue::Yes)? {
//!     println!("{}", one.sentence);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Several things that are not compared are measured interleaved, so that they see the same machine: [`Lab::measure`] with
//! [`lab::Benchmark`]s.
//!
//! # In `cargo bench`
//!
//! A file in `benches/`, with `harness = false` under its `[[bench]]`. `cargo bench -- --help` lists what can be asked for: filters, baselines and
//! limits, JSON and CSV, several processes, a report.
//!
#![cfg_attr(feature = "suite", doc = "```no_run")]
#![cfg_attr(not(feature = "suite"), doc = "```ignore")]
//! fn main() -> std::process::ExitCode {
//!     fencepost::suite(|s| {
//!         let mix = |x: u64| (x ^ (x >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
//!         s.kernel("mix", mix).latency(42).throughput(|| (0..1000).collect::<Vec<u64>>());
//!         s.routine("sort", || (0..256u64).rev().collect::<Vec<_>>(), |mut v| {
//!             v.sort_unstable();
//!             v
//!         });
//!     })
//! }
//! ```
//!
//! # Which number answers which question
//!
//! | question | number |
//! |---|---|
//! | how long until a result that I wait for is there? | latency |
//! | how many results a second, when there is enough to do? | 1 / reciprocal throughput |
//! | how many calls are in flight at once? | overlap: latency / reciprocal throughput |
//! | which is faster, and by how much? | the ratio of [`Lab::compare`], with its interval |
//! | what did one call between two `rdtsc` take? | nothing that you should use: see [`Lab::single_shot`] |
//!
//! # Where to read on
//!
//! How a number comes about is in `METHODOLOGY.md`, where it can mislead in `LIMITS.md`, the record's fields in `docs/schema.md`.
//! The rooms of this crate, in the order in which they may use one another: [`units`], [`error`], [`stats`], [`machine`], [`record`],
//! [`tsc`], [`clock`], [`harness`], [`sampling`], [`lab`], `baseline`, `suite`, and behind features `asm`, `predict`, `render`. The binary `fencepost` (feature `cli`) measures instructions and machine code,
//! looks at the machine, and compares and shows saved runs: `fencepost --help`.

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

/// Compiles and runs the code blocks of the README and of the pages beside it.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../docs/asm.md")]
    struct Asm;
    #[doc = include_str!("../docs/ci.md")]
    struct Ci;
    #[doc = include_str!("../docs/explore.md")]
    struct Explore;
    #[doc = include_str!("../docs/report.md")]
    struct Report;
}
