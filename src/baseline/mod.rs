//! Is it faster or slower than it was? Saved baselines, what makes two records comparable, and their comparison.
//!
//! A [`Store`] keeps baselines under the target directory; [`comparability`] says what differs around two records, and
//! [`compare`] what differs between their results, with the sentence that each difference licenses and the limits that
//! it is past.
//!
//! ```
//! use fencepost::baseline::{Options, compare};
//! use fencepost::record::{BenchmarkResult, CycleEstimate, Record, Verdict};
//! let run = |cost: f64| Record {
//!     complete: true,
//!     results: vec![BenchmarkResult {
//!         id: "mix/latency".into(),
//!         verdict: Verdict::Converged,
//!         cycles: Some(CycleEstimate { estimate: cost, lo: cost * 0.999, hi: cost * 1.001, ..Default::default() }),
//!         ..Default::default()
//!     }],
//!     ..Default::default()
//! };
//! let mut options = Options::default();
//! options.limits = options.limits.for_run("5%".parse()?);
//! let comparison = compare(&run(12.0), &run(14.0), &options)?;
//! assert_eq!(comparison.exit_status() as u8, 3);
//! # Ok::<(), fencepost::Error>(())
//! ```

#![forbid(unsafe_code)]

mod change;
mod comparability;
mod compare;
mod ends;
mod entry;
mod limit;
mod limits;
mod lock;
mod name;
mod place;
mod rates;
mod render;
mod sentence;
mod store;

pub use change::Change;
pub use comparability::{Difference, Weight, comparability};
pub use compare::{Comparison, Options, compare};
pub use ends::Ends;
pub use entry::{Alone, Entry, Movement};
pub use limit::{LimitUnit, Rule, Standing};
pub use limits::{Limit, Limits};
pub use place::target_directory;
pub use rates::{per_second, picoseconds, relative_pct, scaled};
pub use store::Store;
