//! What to run next and what to believe: interleaving, trust labels, convergence. The machine comes in through a trait, so that
//! all of it is tested on a simulated one, without a clock.

mod classic;
mod estimate;
mod judge;
mod options;
mod outcome;
mod run;
pub mod simulated;
mod timer;
mod trust;
mod versus;

pub use classic::{ClassicOutcome, ClassicRun, ClassicTimer, Took, run_classic};
pub use estimate::{Arm, Estimate, Location, SYSTEMATIC, single, slope, steady};
pub use options::Options;
pub use outcome::{Assessment, Bench, Continue, Counts, Modes, Outcome, Plan, Progress, Sample};
pub use run::run;
pub use timer::{Probe, Slice, Timer};
pub use trust::{Alone, Frame, GAUGE_TOLERANCE, Label, Quiet, label};
pub use versus::{Ratio, Versus, compare};
