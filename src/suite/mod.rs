//! What does `cargo bench` run? A registry of benchmarks, the arguments that select and measure them, and what is written of
//! the results.
//!
//! A bench target with `harness = false` hands its benchmarks to [`suite`]:
//!
//! ```
//! fn bit_mix(mut x: u64) -> u64 {
//!     x ^= x >> 33;
//!     x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
//!     x ^ (x >> 33)
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     fencepost::suite(|s| {
//!         // Latency: acc = bit_mix(acc). Reciprocal throughput: over inputs that do not wait for one another.
//!         s.kernel("bit_mix", bit_mix).latency(42).throughput(|| (0..1000).map(|x| x * 0x9e37_79b9).collect());
//!         // Setup and the drop of what is returned stay outside of the timed region.
//!         s.routine("sort", || (0..100u32).rev().collect::<Vec<_>>(), |mut v| { v.sort(); v }).elements(100);
//!         // One for each size, named sum/16 and so on, with the cost per byte and bytes a second.
//!         s.sweep("sum", [16, 256], |n| vec![1u64; n], |v| v.iter().sum::<u64>()).bytes_by(|n| 8 * *n as u64);
//!         // Shown relative to the first of the group.
//!         s.relative("multiply", |s| {
//!             s.kernel("wrapping", |x: u64| x.wrapping_mul(3)).latency(1);
//!             s.kernel("shift", |x: u64| (x << 1).wrapping_add(x)).latency(1);
//!         });
//!     })
//! }
//! ```
//!
//! `cargo bench` measures all of them, interleaved in seeded random order until each is done; `cargo bench -- bit_mix` those with
//! `bit_mix` in their names; `cargo bench -- --help` lists the options with their defaults. Without `--bench`, that is under
//! `cargo test --benches` and `cargo nextest run`, each runs once to see that it works. Other harnesses' options on the command
//! line of `cargo bench` reach the library's own tests, too: put `bench = false` under `[lib]`.
//!
//! # What a run writes
//!
//! Results go to standard output, all else to standard error. `--format json` and `--json FILE` give the
//! [`Record`](crate::record::Record). A result's `counters` hold the user's own and, where elements or bytes were given,
//! `elements`, `elements_per_sec`, `cycles_per_element` and the same of bytes; in a [`relative`](Suite::relative) group
//! `relative_pct`. What is below resolution has none of those. Where the bench target sets [`alloc::Counting`](crate::alloc::Counting)
//! as its global allocator, `allocations` and `allocated_bytes` are what one operation asks for. `--bmf FILE` writes `latency` (nanoseconds an operation, also
//! of a reciprocal throughput) and `cycles` of each result; what is below resolution is left out.
//!
//! # Several places
//!
//! `--placements N` starts each timed loop at N offsets modulo 64 and needs the feature `placements`, since each loop is compiled once for each of
//! them. The cost is then the median over places, its interval spans them, `placements` of a result holds each with the offset that was read
//! back, and a comparison calls a difference only what is one at all of them.
//!
//! # When a run ends early
//!
//! Ctrl-C (or SIGTERM) ends the run at the next look between slices. What there is gets written, and the record says
//! `"complete": false`. The exit status is 0, or 2 with `--strict`, as for a result that did not converge. A second one kills.
//!
//! Before anything is measured, each benchmark runs once. One that panics is named and left out, the others are measured, and the
//! exit status is 1. One that panics only later ends the run.
//!
//! # Exit status
//!
//! See [`ExitStatus`](crate::ExitStatus). A name given with `--exact` that there is not is wrong use (1); a filter that selects
//! nothing is not, since another bench target may have what it means: it is remarked on standard error.

mod arguments;
mod baselines;
mod between;
mod bmf;
mod compare;
#[cfg(feature = "cachegrind")]
mod counting;
#[cfg(feature = "cachegrind")]
mod counting_arguments;
#[cfg(all(feature = "cachegrind", feature = "predict"))]
mod counting_code;
#[cfg(feature = "cachegrind")]
mod counting_report;
#[cfg(feature = "cachegrind")]
mod counting_weights;
mod csv;
mod inputs;
mod interrupt;
mod nearest;
mod once;
mod options;
mod outputs;
mod placements;
#[cfg(feature = "predict")]
mod predictions;
mod processes;
mod progress;
mod rates;
mod registered;
mod registry;
mod run;
mod select;
pub(crate) mod terminal;
mod text;
mod usage;
mod versus;

pub use compare::{Compare, CompareLatency};
pub use inputs::{Counter, Inputs};
pub use registered::{Kernel, Registered, Sweep};
pub use registry::Suite;

use std::process::ExitCode;

use crate::output;

/// Measures what `register` registers, as the command line asks. For the `main` of a bench target with `harness = false`.
///
/// Closures may borrow what lives until this returns.
///
/// ```
/// fn main() -> std::process::ExitCode {
///     fencepost::suite(|s| {
///         s.latency("increment twice", 0u64, |x| (x + 1).rotate_left(1));
///     })
/// }
/// ```
pub fn suite<'a>(register: impl FnOnce(&mut Suite<'a>)) -> ExitCode {
    output::finish(run::run(register, std::env::args_os().skip(1)))
}
