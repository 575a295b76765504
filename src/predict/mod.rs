//! What was really timed, and what does a static model say of it? The very function that ran is decoded from memory to its closing
//! fence, its loop is found and checked, and llvm-mca or OSACA is asked about the same instructions.
//!
//! ```no_run
//! # fn main() -> fencepost::Result<()> {
//! use fencepost::predict::Predictor;
//! let mut lab = fencepost::Lab::new()?;
//! let mut measured = lab.latency(42u64, |x: u64| x.wrapping_mul(0x9e37_79b9_7f4a_7c15))?;
//! let predictor = Predictor::installed(lab.machine())?;
//! lab.predict(&mut measured, &predictor)?;
//! println!("{measured}");
//! if let Some(prediction) = &measured.result.prediction {
//!     println!("{} says {:?} cycles: {}", prediction.model, prediction.cycles, prediction.verdict);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Nothing here executes what it decodes, and nothing is read past the function: the bytes come as a slice of known length, by
//! way of `/proc/self/mem`, so that a wrong bound is an error and no fault.

mod att;
mod chains;
mod checks;
mod choice;
mod constants;
mod flow;
mod listing;
mod llvm_cpu;
mod llvm_mca;
mod model;
mod osaca;
mod own_code;
mod predictor;
mod process;
pub mod source;
mod symbols;
mod timed;
mod trace;
mod verdict;

pub use att::att;
pub use chains::{Chain, chains};
pub use checks::check;
pub use choice::{Choice, MODELS};
pub use flow::{Flow, Loop};
pub use listing::{lines, listing};
pub use llvm_mca::LlvmMca;
pub use model::{Block, Forecast, Model, Tabled};
pub use osaca::Osaca;
pub use own_code::{Code, own_code};
pub use predictor::Predictor;
pub use timed::TimedCode;
pub use trace::{Trace, trace};
pub use verdict::compare;
