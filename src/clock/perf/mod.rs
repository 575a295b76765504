//! Which events happen while this runs? Cycles, instructions, branches, misses and stalls of the PMU, and the kernel's own events where
//! there is no PMU.
//!
//! Events are opened in groups small enough to be on the PMU together, and one group is counted at a time, so that nothing is scaled unless
//! somebody else uses the PMU, too; what is scaled says so. Hardware events are of this thread in user mode. What cannot be opened is
//! told once for each reason, with errno, paranoid level, hypervisor and what to do.
//!
//! ```
//! use fencepost::clock::perf::{Counters, Event};
//! use fencepost::machine::Machine;
//!
//! let (mut counters, refused) = Counters::open(&Event::ALL, &Machine::detect());
//! for refusal in &refused {
//!     println!("{refusal}"); // once, and the program goes on
//! }
//! let reading = counters.count(|| drop(std::hint::black_box(vec![1u8; 1 << 20])));
//! for (event, count) in &reading.counts {
//!     println!("{event}: {}", count.value);
//! }
//! if let Some(ipc) = reading.ipc() {
//!     println!("{ipc:.2} instructions a cycle");
//! }
//! ```

mod counters;
mod direct;
mod event;
mod group;
mod ipc;
mod kernel;
mod per_op;
mod refusal;

pub use counters::{Counters, Reading};
pub use direct::Direct;
pub use event::Event;
pub use group::Count;
pub use ipc::ipc_reading;
pub use per_op::{PerOperation, per_operation};
pub use refusal::Refusal;
