//! What is known of a loop before it is measured, and what was learnt afterwards?

use super::estimate::{Arm, Estimate};
use super::options::Options;
use super::trust::Label;
use crate::record::Verdict;
use crate::units::{Nanos, Ticks};

/// What the sampler knows of one loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Iterations come in multiples of this while a slice holds many.
    pub granule: u64,
    /// The most iterations of one slice.
    pub most: u64,
}

/// What the sampler knows of the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bench {
    /// Ticks in a microsecond.
    pub ticks_per_usec: f64,
    /// What a fence pair costs around nothing.
    pub overhead: Ticks,
    /// The counter's step.
    pub step: Ticks,
    /// NOPs a cycle that a core of this design issues while it is alone, if published.
    pub published_nops: Option<f64>,
    /// NOPs a cycle that the gauge read on this core at its best so far; `None` before the first reading.
    pub seen_nops: Option<f64>,
}

/// One sample and what became of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// k or 2k iterations.
    pub arm: Arm,
    /// Ticks of the whole slice.
    pub ticks: f64,
    /// Core cycles of the whole slice.
    pub cycles: f64,
    /// Gauge beside it, in cycles: the slower of the two.
    pub gauge: f64,
    /// May it be believed?
    pub label: Label,
}

/// How many samples have each label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All samples.
    pub total: usize,
    /// Clean ones.
    pub clean: usize,
    /// Contended ones.
    pub contended: usize,
    /// Those with a clock that changed.
    pub drifted: usize,
    /// Those that were interrupted.
    pub interrupted: usize,
    /// Those that ended on another core.
    pub migrated: usize,
}

impl Counts {
    pub(super) fn of(samples: &[Sample]) -> Self {
        let mut counts = Counts { total: samples.len(), ..Counts::default() };
        for sample in samples {
            match sample.label {
                Label::Clean => counts.clean += 1,
                Label::Contended => counts.contended += 1,
                Label::Drifted => counts.drifted += 1,
                Label::Interrupted => counts.interrupted += 1,
                Label::Migrated => counts.migrated += 1,
            }
        }
        counts
    }
}

/// What the samples of one loop come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// The cost an iteration in core cycles, with its interval; `None` where there are too few samples for any.
    pub cycles: Option<Estimate>,
    /// The same samples in ticks.
    pub ticks: Option<Estimate>,
    /// How many samples have each label.
    pub counts: Counts,
    /// May it be said?
    pub verdict: Verdict,
    /// In words, why the verdict is not *converged*.
    pub reason: Option<String>,
    /// The estimate was made from contended samples and is an upper bound only.
    pub upper_bound: bool,
    /// The two modes, where whole slices cost one or the other; the estimate is then their average by share, and its
    /// interval spans both.
    pub modes: Option<Modes>,
}

impl Assessment {
    /// More samples would only tell again that there are two modes.
    pub(super) fn modes_are_precise(&self, options: &Options) -> bool {
        self.counts.clean >= 8 * options.min_samples
            && self.modes.is_some_and(|modes| {
                [modes.lower, modes.upper].iter().all(|mode| mode.width_pct() <= options.target_precision_pct)
            })
    }
}

/// Two costs between which a loop changes from slice to slice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Modes {
    /// The cheaper one, in core cycles an iteration.
    pub lower: Estimate,
    /// The dearer one.
    pub upper: Estimate,
    /// Share of the samples in the dearer one, 0 to 1.
    pub upper_share: f64,
}

/// All that was learnt of one loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Iterations of the short arm (k).
    pub iterations: u64,
    /// Whether slices of one length only were run, because a single iteration outlasts any slice.
    pub single: bool,
    /// All samples in order of time.
    pub samples: Vec<Sample>,
    /// What they come to.
    pub assessment: Assessment,
    /// Time spent on this loop.
    pub spent: Nanos,
    /// The gauge's best issue rate while it ran, NOPs a cycle.
    pub nops_per_cycle: Option<f64>,
    /// Ticks a core cycle while it ran: the median over the clean samples, or over all where none is.
    pub ticks_per_cycle: f64,
}

/// How far the sampler is, for whoever shows progress.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// Time since the start.
    pub elapsed: Nanos,
    /// The loops and what is known of each so far; `None` before its first look.
    pub assessments: &'a [Option<Assessment>],
    /// Which loops are done.
    pub done: &'a [bool],
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continue {
    /// Go on.
    Yes,
    /// Stop now with what there is.
    No,
}
