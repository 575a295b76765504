//! What does code cost where no clock can be trusted? Deterministic counts under Valgrind, and cycles estimated from them.
//!
//! `cargo bench -- --mode cachegrind` counts each benchmark of a [`suite`](crate::suite()) in one start of Valgrind: instructions,
//! accesses by the level of the cache that they hit, and on request branches. There are no statistics, for there is no scatter: two
//! runs of the same binary are the same to the last digit, on a busy machine too.
//!
//! # How a count comes about
//!
//! The bench program starts itself under Valgrind's callgrind, once a benchmark. There the benchmark is made, and called once: that is
//! the *first* call, with cold caches. After warming, `k` calls are collected and then `2k`, and the same of the harness around
//! nothing. The difference of the lengths takes off what is fixed, that of the two harnesses what each turn of the loop costs; what
//! is left is divided by `k`. Setup and teardown lie outside of what is collected, by client requests that the harness makes around
//! its timed region. How large `k` is follows from the instructions of the first call, so it does not depend on time either.
//!
//! # What it is not
//!
//! A model of two caches and one predictor, with one cost for each access: no execution out of order, no prefetcher, no
//! store forwarding, no memory bus. Use it to see that something changed, and what; use a clock to see by how many cycles.

mod annotate;
mod caches;
mod cause;
mod child;
mod count;
mod events;
mod limits;
mod outfile;
mod parts;
mod place;
mod process;
mod requests;
mod routines;
mod summary;
mod text;
mod valgrind;

pub use caches::{CacheSize, Caches};
pub use cause::{Cause, Explanation, explain};
pub use events::{Event, Events};
pub use limits::{CountLimits, Figure};
pub use outfile::{Format, OutFile};
pub use place::{profiles, safe_name};
pub use summary::{MissShares, Summary, Weights};
pub use text::figure;

pub(crate) use annotate::hottest;
pub(crate) use child::{Task, count_here};
pub(crate) use count::{Plan, Tally};
pub(crate) use parts::Outcome;
pub(crate) use place::key;
pub(crate) use text::{changes, counted, first_calls, in_all, sentence};
pub(crate) use valgrind::Valgrind;
