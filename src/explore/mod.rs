//! Why is it slow? The memory ladder, size sweeps, memory layout as a variable, and factor experiments.
//!
//! | question | item |
//! |---|---|
//! | how long does a load take, and how many bytes a second, by working set? | [`ladder`] |
//! | does the layout of the same nodes matter? | [`Arena`] |
//! | is B dearer than A because of its instructions or because of the cache? | [`judge_sweep`], [`Sweep`] |
//! | which of these choices matters, and do they depend on one another? | [`Factors`] |

mod arena;
mod borders;
mod chase;
mod effects;
mod factors;
mod ladder;
mod ladder_json;
mod ladder_levels;
mod ladder_notes;
mod ladder_options;
mod ladder_text;
mod levels;
mod memory;
mod outcome;
mod pages;
mod permutation;
#[cfg(feature = "suite")]
mod settle;
mod smaps;
mod stream;
mod sweep;
mod sweep_verdict;

pub use arena::{Arena, Line, Placement};
pub use borders::{Border, Plateau, plateaus};
pub use effects::{Cell, Effect, Effects, effects};
pub use factors::{Choice, FactorOutcome, Factors};
pub use ladder::{Bandwidth, Ladder, Rung, ladder};
pub use ladder_levels::{CacheFinding, cache_findings, level_names};
pub use ladder_options::LadderOptions;
pub use levels::{Level, Levels, bytes_text};
pub use memory::available_memory;
pub use pages::{PageSize, Pages};
pub use permutation::{random_cycle, shuffled};
#[cfg(feature = "suite")]
pub(crate) use settle::settle;
pub use smaps::{HugeShare, huge_share};
pub use stream::Traffic;
pub use sweep::{Sweep, Swept, Weighed, WorkingSet};
pub use sweep_verdict::{Cost, SizeCost, SweepCause, SweepVerdict, judge_sweep};
