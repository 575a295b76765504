//! What did sweeps, factor experiments and event counters find? Their part of schema `fencepost/1`.

use super::model::Estimate;
use super::named::Named;

record! {
    /// Costs by the size of what is worked on.
    pub struct SweepOutcome {
        /// Its name.
        pub name: String,
        /// The unit of its costs: `cyc` (core cycles) or `ticks`.
        pub unit: String,
        /// What the costs are of: `element` or `operation`.
        pub per: String,
        /// The names of the candidates, in the order of `points[].costs`; empty where there is but one, without a name.
        pub candidates: Vec<String>,
        /// One entry a size, smallest working set first.
        pub points: Vec<SweepPoint>,
        /// What makes the dearer of two candidates dearer: `same`, `instructions`, `cache` or `unclear`; absent where there are not two.
        pub verdict: Option<String>,
        /// Why, one sentence each.
        pub reasons: Vec<String>,
    }
}

record! {
    /// One size of a sweep.
    pub struct SweepPoint {
        /// The size as it was given.
        pub size: String,
        /// Elements that one operation works on; absent if not known.
        pub elements: Option<u64>,
        /// Bytes that are gone through; absent if not known.
        pub bytes: Option<u64>,
        /// The nearest cache that these fit in, `L1` and so on, or `RAM`; absent if not known.
        pub level: Option<String>,
        /// The ids of the results that the costs are from.
        pub results: Vec<String>,
        /// The cost to each candidate; its estimate is NaN where it was not measured.
        pub costs: Vec<Estimate>,
        /// The second candidate's cost over the first one's; absent where there are not two costs.
        pub ratio: Option<Estimate>,
    }
}

record! {
    /// A factorial experiment.
    pub struct FactorsOutcome {
        /// Its name.
        pub name: String,
        /// The unit of its costs: `cyc` (core cycles) or `ticks`.
        pub unit: String,
        /// The factors with their levels; effects are against the first level of each.
        pub factors: Vec<FactorLevels>,
        /// One entry a combination that was measured.
        pub cells: Vec<FactorCell>,
        /// What each factor's further levels add, in the mean over the other factors.
        pub main: Vec<FactorEffect>,
        /// What two changes add beyond the sum of each.
        pub interactions: Vec<FactorEffect>,
        /// What the experiment cannot tell, and why.
        pub warnings: Vec<String>,
    }
}

record! {
    /// A factor.
    pub struct FactorLevels {
        /// Its name.
        pub name: String,
        /// Its levels.
        pub levels: Vec<String>,
    }
}

record! {
    /// One combination of levels.
    pub struct FactorCell {
        /// The level of each factor, in their order.
        pub levels: Vec<String>,
        /// The id of the result that the cost is from.
        pub result: String,
        /// What an operation costs.
        pub cost: Estimate,
    }
}

record! {
    /// What changes with one choice, or with two beyond what each changes alone.
    pub struct FactorEffect {
        /// The changes: one for a main effect, two for an interaction.
        pub of: Vec<FactorChange>,
        /// What they add to the cost.
        pub adds: f64,
        /// Lower end of its interval.
        pub lo: f64,
        /// Upper end of its interval.
        pub hi: f64,
        /// By what they multiply the cost, in the geometric mean; absent where a cost is not above 0.
        pub factor: Option<f64>,
        /// Over how many settings of the other factors this is the mean.
        pub settings: u64,
    }
}

record! {
    /// A factor and the level that it is changed to.
    pub struct FactorChange {
        /// The factor.
        pub factor: String,
        /// The level.
        pub level: String,
    }
}

record! {
    /// Events that were counted over a benchmark, in runs of their own beside those that were timed.
    pub struct Events {
        /// How many of each happen in an operation, with loop control, and with a routine's setup and drop, by name: `cycles`, `instructions`, `page_faults` and so on.
        pub per_op: Named<f64>,
        /// Instructions a core cycle, both counted; absent where either is not.
        pub ipc: Option<f64>,
        /// What that means on this core; absent like `ipc`.
        pub reading: Option<String>,
        /// By how much the cost in core cycles that was timed differs from the cycles that were counted, in per cent of these; absent
        /// where either is not known.
        pub ruler_off_pct: Option<f64>,
        /// Remarks: events that were scaled up, or never on the PMU.
        pub notes: Vec<String>,
    }
}

impl Estimate {
    /// The ends of its interval; where there are none, the estimate itself.
    pub(crate) fn ends(&self) -> (f64, f64) {
        (self.lo.unwrap_or(self.estimate), self.hi.unwrap_or(self.estimate))
    }
}
