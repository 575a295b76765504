//! How many ticks pass between two points of a program? Fenced reads of the time stamp counter on one
//! pinned core, and what is known of that counter: its frequency, its step, its overhead.
//!
//! Nothing here speaks of core cycles: a tick is one increment of the counter, whatever the core's clock
//! does. Turning one into the other is the room [`clock`](crate::clock).

mod frequency;
mod overhead;
mod pinned;
mod read;

pub use frequency::{Frequency, FrequencyMeter};
pub use overhead::{FencePair, calibrate, gcd_step};
pub use pinned::{PinnedCore, allowed_cores};
pub use read::{Stamp, Timed, fenced_start, fenced_stop, unfenced};
