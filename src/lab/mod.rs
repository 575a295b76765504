//! What does this code cost? The one-call API: a lab checks the counter, picks a quiet core, pins, calibrates, and measures.
//!
//! ```no_run
//! # fn main() -> fencepost::Result<()> {
//! let mut lab = fencepost::Lab::new()?;
//! let latency = lab.latency(42u64, |x: u64| x.wrapping_mul(0x9e37_79b9_7f4a_7c15))?;
//! println!("{latency}");
//! # Ok(())
//! # }
//! ```

mod benchmark;
mod builder;
mod claim;
mod cores;
mod hardware;
mod measurement;
#[cfg(feature = "placements")]
mod placed;
mod usage;
mod versus;
mod width;

pub use benchmark::Benchmark;
pub use builder::LabBuilder;
pub use cores::CoreQuiet;
pub use measurement::Measurement;
#[cfg(feature = "placements")]
pub use placed::{Placed, Start};

#[cfg(feature = "suite")]
pub(crate) use builder::machine_record;
#[cfg(feature = "suite")]
pub(crate) use versus::judged;

use std::any::TypeId;

use crate::clock::{CycleSource, Gauge, RulerCheck, SourceReport};
use crate::error::{Error, ErrorKind, Result};
use crate::harness::TimedLoop;
use crate::machine::Machine;
use crate::order;
use crate::record::{self, Kind};
use crate::sampling::{self, Continue, Options, Plan, Progress};
use crate::tsc::{FencePair, FrequencyMeter, PinnedCore, calibrate};
use crate::units::{Cycles, Nanos};
use hardware::Hardware;

/// A calibrated place to measure in: one pinned core of this machine, with everything that its results depend on.
///
/// The thread stays pinned while the lab lives. It cannot be sent to another thread.
pub struct Lab {
    machine: Machine,
    steal_before: Option<u64>,
    core: PinnedCore,
    claim: claim::Claim,
    survey: Vec<CoreQuiet>,
    source: Box<dyn CycleSource>,
    sources: Vec<SourceReport>,
    gauge: Gauge,
    ruler: RulerCheck,
    fence: FencePair,
    meter: FrequencyMeter,
    options: Options,
    ticks_only: bool,
    floors: Vec<((Kind, TypeId), Option<f64>)>,
    ticks_per_cycle: Vec<f64>,
    nops_per_cycle: Option<f64>,
    account: usage::Account,
}

impl std::fmt::Debug for Lab {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lab")
            .field("core", &self.core)
            .field("source", &self.source.name())
            .field("ruler", &self.ruler)
            .finish_non_exhaustive()
    }
}

impl Lab {
    /// A lab on the quietest core that this thread may use, with default options.
    ///
    /// # Errors
    ///
    /// `CannotMeasure` without an invariant TSC, without RDTSCP, or where pinning is refused.
    pub fn new() -> Result<Self> {
        Self::builder().build()
    }

    /// A lab with a core or options of your choice.
    pub fn builder() -> LabBuilder {
        LabBuilder::default()
    }

    /// The latency of `kernel`: the chain `acc = kernel(acc)` from `seed` on.
    ///
    /// # Errors
    ///
    /// As for [`measure`](Self::measure).
    pub fn latency<T: Clone, F: FnMut(T) -> T>(&mut self, seed: T, kernel: F) -> Result<Measurement> {
        let id = format!("{}/latency", short_name::<F>());
        self.measure_one(Benchmark::latency(id, seed, kernel))
    }

    /// The reciprocal throughput of `kernel` over independent `inputs`.
    ///
    /// # Errors
    ///
    /// `Usage` when there are no inputs; else as for [`measure`](Self::measure).
    pub fn throughput<I: Clone, R, F: FnMut(&I) -> R>(
        &mut self,
        inputs: &[I],
        kernel: F,
    ) -> Result<Measurement> {
        let id = format!("{}/throughput", short_name::<F>());
        self.measure_one(Benchmark::throughput(id, inputs, kernel)?)
    }

    /// One call between a fence pair, on each of `inputs` in turn.
    ///
    /// # Errors
    ///
    /// `Usage` when there are no inputs; else as for [`measure`](Self::measure).
    pub fn single_shot<I: Clone, R, F: FnMut(&I) -> R>(
        &mut self,
        inputs: &[I],
        kernel: F,
    ) -> Result<Measurement> {
        let id = format!("{}/single_shot", short_name::<F>());
        self.measure_one(Benchmark::single_shot(id, inputs, kernel)?)
    }

    /// A routine whose input `setup` makes anew for each call, outside the timed region.
    ///
    /// # Errors
    ///
    /// As for [`measure`](Self::measure).
    pub fn routine<S, R>(
        &mut self,
        setup: impl FnMut() -> S,
        routine: impl FnMut(S) -> R,
    ) -> Result<Measurement> {
        self.measure_one(Benchmark::routine("routine", setup, routine))
    }

    fn measure_one(&mut self, benchmark: Benchmark<'_>) -> Result<Measurement> {
        self.measure(vec![benchmark])?.pop().ok_or_else(|| {
            Error::new(ErrorKind::Usage, "nothing was measured").remedy("give at least one benchmark")
        })
    }

    /// Measures all of `benchmarks`, interleaved in seeded random order until each is done. A panic in a kernel passes
    /// through; the thread's affinity comes back when the lab is dropped.
    ///
    /// # Errors
    ///
    /// `Usage` when two benchmarks have the same name.
    pub fn measure(&mut self, benchmarks: Vec<Benchmark<'_>>) -> Result<Vec<Measurement>> {
        self.measure_with(benchmarks, &mut |_| Continue::Yes)
    }

    /// As [`measure`](Self::measure); `observe` is called now and then, never inside a timed region, and may end the
    /// run early.
    ///
    /// # Errors
    ///
    /// As for [`measure`](Self::measure).
    pub fn measure_with(
        &mut self,
        mut benchmarks: Vec<Benchmark<'_>>,
        observe: &mut dyn FnMut(&Progress<'_>) -> Continue,
    ) -> Result<Vec<Measurement>> {
        let ids: Vec<&str> = benchmarks.iter().map(Benchmark::id).collect();
        if let Some((one, _)) = order::twin(&ids) {
            return Err(Error::new(ErrorKind::Usage, format!("two benchmarks are named {:?}", ids[one]))
                .because("results are told apart by their names")
                .remedy("give each its own name"));
        }
        self.measure_floors(&mut benchmarks);
        let options = self.options.clone();
        let (mut ended, mut elapsed) = (false, Nanos(0.0));
        let mut outcomes = self.run_all(&mut benchmarks, &options, &mut |progress| {
            elapsed = progress.elapsed;
            let answer = observe(progress);
            ended = answer == Continue::No;
            answer
        });
        let mut cores = vec![self.core(); outcomes.len()];
        if !ended && self.look_for_quiet(&outcomes)? {
            let core = self.core();
            let again: Vec<usize> = (0..outcomes.len()).filter(|at| is_contended(&outcomes[*at])).collect();
            let mut repeated: Vec<&mut Benchmark<'_>> = benchmarks
                .iter_mut()
                .enumerate()
                .filter(|(at, _)| again.contains(at))
                .map(|(_, benchmark)| benchmark)
                .collect();
            // Whoever observes is told of all benchmarks, as before, of which the others are done.
            let mut known: Vec<_> = outcomes.iter().map(|outcome| Some(outcome.assessment.clone())).collect();
            let mut done = vec![true; outcomes.len()];
            let repeats = self.run_all(&mut repeated, &options, &mut |part| {
                for (at, (assessment, is_done)) in again.iter().zip(part.assessments.iter().zip(part.done)) {
                    known[*at].clone_from(assessment);
                    done[*at] = *is_done;
                }
                observe(&Progress { elapsed: elapsed + part.elapsed, assessments: &known, done: &done })
            });
            for (at, repeat) in again.into_iter().zip(repeats) {
                // By the gauge's word, not by the result's.
                if repeat.assessment.counts.clean > outcomes[at].assessment.counts.clean {
                    (outcomes[at], cores[at]) = (repeat, core);
                }
            }
        }
        let mut measurements = Vec::with_capacity(benchmarks.len());
        for ((mut benchmark, outcome), core) in benchmarks.into_iter().zip(outcomes).zip(cores) {
            self.ticks_per_cycle.push(outcome.ticks_per_cycle);
            let floor = benchmark
                .floor
                .as_ref()
                .and_then(|floor| self.floors.iter().find(|(key, _)| *key == floor.key)?.1)
                .map(Cycles);
            let faults = benchmark.timed.faults();
            measurements.push(Measurement::conclude(self, benchmark, outcome, core, floor, &faults));
        }
        Ok(measurements)
    }

    fn run_all<'b>(
        &mut self,
        benchmarks: &mut [impl std::borrow::BorrowMut<Benchmark<'b>>],
        options: &Options,
        observe: &mut dyn FnMut(&Progress<'_>) -> Continue,
    ) -> Vec<sampling::Outcome> {
        let plans: Vec<Plan> = benchmarks.iter().map(|one| plan(one.borrow().timed.as_ref())).collect();
        let mut loops: Vec<&mut (dyn TimedLoop + 'b)> = Vec::with_capacity(benchmarks.len());
        for benchmark in benchmarks {
            loops.push(benchmark.borrow_mut().timed.as_mut());
        }
        self.run(loops, &plans, options, observe)
    }

    /// Where results came out contended: chooses the gauge anew, in case it was chosen at a bad moment, and, if the core was not
    /// given, surveys the cores again and moves to another if that is clearly quieter. Says whether anything changed.
    fn look_for_quiet(&mut self, outcomes: &[sampling::Outcome]) -> Result<bool> {
        /// A move is worth it from this many times the quiet moments on.
        const CLEARLY: f64 = 1.5;
        if !outcomes.iter().any(is_contended) {
            return Ok(false);
        }
        let (gauge, seen) = Gauge::choose(self.machine.nops_per_cycle());
        let changed = gauge != self.gauge;
        if changed {
            // Another gauge may have another best.
            (self.gauge, self.nops_per_cycle) = (gauge, None);
        }
        self.nops_per_cycle = better(self.nops_per_cycle, Some(seen));
        if self.survey.len() < 2 {
            return Ok(changed);
        }
        let here = self.core();
        let (survey, claims) = self.survey_again()?;
        let quiet = |core: usize| survey.iter().find(|one| one.core == core).map_or(0.0, |one| one.quiet);
        let Some(best) = survey.first().copied() else { return Ok(changed) };
        let moves = best.core != here && best.quiet > CLEARLY * quiet(here);
        self.survey = survey;
        if moves {
            self.core.move_to(best.core)?;
            // And so may another core.
            self.nops_per_cycle = None;
            if let Some(claim) = claims.into_iter().find(|claim| claim.core == best.core) {
                self.claim = claim;
            }
            self.fence = calibrate(&self.core);
            self.steal_before = self.machine.steal(best.core);
        }
        Ok(moves || changed)
    }

    /// The survey needs every core, and this thread is pinned to one: it is let go and pinned again meanwhile.
    /// Cores on which another process has begun to measure are left alone.
    fn survey_again(&mut self) -> Result<(Vec<CoreQuiet>, Vec<claim::Claim>)> {
        let here = self.core();
        let cores: Vec<usize> = self.survey.iter().map(|one| one.core).collect();
        let claims = claim::free_now(&cores);
        let free = |core: &usize| *core == here || claims.iter().any(|claim| claim.core == *core);
        let cores: Vec<usize> = cores.into_iter().filter(free).collect();
        let surveyed = cores::survey_from(&mut self.core, &cores, &self.machine, self.gauge);
        self.core.move_to(here)?;
        Ok((surveyed?, claims))
    }

    fn run<'a, 'b: 'a>(
        &mut self,
        loops: Vec<&'a mut (dyn TimedLoop + 'b)>,
        plans: &[Plan],
        options: &Options,
        observe: &mut dyn FnMut(&Progress<'_>) -> Continue,
    ) -> Vec<sampling::Outcome> {
        let bench = self.bench();
        let mut hardware = Hardware::new(loops, self.source.as_mut(), self.gauge, &self.core, &self.machine);
        let outcomes = sampling::run(&mut hardware, plans, options, &bench, observe);
        for outcome in &outcomes {
            self.nops_per_cycle = better(self.nops_per_cycle, outcome.nops_per_cycle);
        }
        outcomes
    }

    fn bench(&self) -> sampling::Bench {
        sampling::Bench {
            ticks_per_usec: self.tsc_hertz().unwrap_or(1e9) / 1e6,
            overhead: self.fence.median,
            step: self.fence.step,
            published_nops: self.machine.nops_per_cycle().map(f64::from),
            seen_nops: self.nops_per_cycle,
        }
    }

    /// Measures the identity in each kind of loop that is new to this lab: less exactly than a benchmark, since nothing is
    /// subtracted from anything; it only bounds what can be told from nothing.
    fn measure_floors(&mut self, benchmarks: &mut [Benchmark<'_>]) {
        let mut keys: Vec<(Kind, TypeId)> = Vec::new();
        let mut loops: Vec<&mut (dyn TimedLoop + '_)> = Vec::new();
        for floor in benchmarks.iter_mut().filter_map(|benchmark| benchmark.floor.as_mut()) {
            if !self.floors.iter().any(|(key, _)| *key == floor.key) && !keys.contains(&floor.key) {
                keys.push(floor.key);
                loops.push(floor.timed.as_mut());
            }
        }
        if keys.is_empty() {
            return;
        }
        let plans: Vec<Plan> = loops.iter().map(|one| plan(&**one)).collect();
        let options = Options {
            target_precision_pct: 3.0,
            min_secs: 0.01,
            max_secs: 0.3,
            best_of: false,
            ..self.options.clone()
        };
        let outcomes = self.run(loops, &plans, &options, &mut |_| Continue::Yes);
        for (key, outcome) in keys.into_iter().zip(outcomes) {
            let floor = outcome.assessment.cycles.map(|cycles| cycles.value.max(0.0));
            self.floors.push((key, floor));
        }
    }

    /// Takes core cycles from the ruler only: where the timed code runs in another process, whose cycles no counter here counts.
    #[cfg(feature = "asm")]
    pub(crate) fn use_ruler_alone(&mut self) {
        self.source = Box::new(crate::clock::ClockRuler);
    }

    /// This computer.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The logical CPU that is measured on.
    pub fn core(&self) -> usize {
        self.core.core()
    }

    /// How quiet each core was that was looked at, quietest first; empty if the core was given.
    pub fn survey(&self) -> &[CoreQuiet] {
        &self.survey
    }

    /// What a fence pair costs around nothing on this core.
    pub fn fence_pair(&self) -> FencePair {
        self.fence
    }

    /// What the cross-check of the clock ruler found.
    pub fn ruler(&self) -> RulerCheck {
        self.ruler
    }

    /// Where core cycles come from; `None` where none may be claimed.
    pub fn cycle_source(&self) -> Option<&'static str> {
        self.claims_cycles().then(|| self.source.name())
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Other options from now on, as for thousands of results that share a time.
    ///
    /// # Errors
    ///
    /// `Usage` for options that contradict each other; those in force stay.
    pub fn set_options(&mut self, options: Options) -> Result<()> {
        options.validate()?;
        self.options = options;
        Ok(())
    }

    /// Decodes the loop that was timed for `measurement`, checks it, and sets what the model of `predictor` says beside the
    /// measured cost: fills `decoded` and `prediction` of the result. Does nothing for loops that cannot be decoded.
    ///
    /// # Errors
    ///
    /// `CannotMeasure` where the loop is not found; `Io` or `Input` where the model does not answer.
    #[cfg(feature = "predict")]
    pub fn predict(
        &self,
        measurement: &mut Measurement,
        predictor: &crate::predict::Predictor,
    ) -> Result<Option<crate::predict::TimedCode>> {
        let Some(entry) = measurement.entry else { return Ok(None) };
        predictor.add(&mut measurement.result, entry).map(Some)
    }

    fn claims_cycles(&self) -> bool {
        !self.ticks_only && self.ruler.agrees
    }

    fn tsc_hertz(&self) -> Option<f64> {
        self.meter.read().map(|frequency| frequency.hertz.get())
    }

    /// Everything about this lab and `measurements` as a record, to be saved or shown. `complete` says whether all that was
    /// asked for was measured.
    pub fn record(&self, measurements: &[Measurement], complete: bool) -> record::Record {
        record::Record {
            complete,
            build: record::Build::current(),
            machine: builder::machine_record(&self.machine),
            calibration: self.calibration(),
            settings: builder::settings(&self.options),
            findings: builder::findings(self),
            resources: self.account.since(),
            results: measurements.iter().map(|one| one.result.clone()).collect(),
            ..record::Record::default()
        }
    }

    fn calibration(&self) -> record::Calibration {
        let frequency = self.meter.read();
        let claims = self.claims_cycles();
        let mut rates: Vec<f64> =
            self.ticks_per_cycle.iter().copied().filter(|rate| rate.is_finite()).collect();
        order::sort(&mut rates);
        let rate = rates.get(rates.len() / 2).copied().unwrap_or_else(|| crate::clock::ruler().0);
        record::Calibration {
            tsc_hz: frequency.map_or(f64::NAN, |frequency| frequency.hertz.get()),
            tsc_hz_error_ppm: frequency.map(|frequency| frequency.error_ppm),
            tsc_hz_source: "measured against CLOCK_MONOTONIC_RAW".to_owned(),
            tsc_step_ticks: self.fence.step.get(),
            fence_overhead_ticks: self.fence.min.get(),
            fence_overhead_median_ticks: self.fence.median.get(),
            lfence: self.machine.lfence().to_string(),
            ticks_per_cycle: claims.then_some(rate),
            cycle_source: self.cycle_source().map(str::to_owned),
            ruler: Some(record::Ruler {
                add: self.ruler.add,
                imul: self.ruler.imul,
                agrees: self.ruler.agrees,
            }),
            gauge_nops_per_cycle: self.nops_per_cycle,
            issue_width: self.issue_width().map(u64::from),
            core: self.core.core() as u64,
            core_type: self.machine.core_type(self.core.core()).map(|kind| kind.to_string()),
        }
    }
}

/// The greater of two rates of which either may be missing.
fn better(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.max(other)),
        (one, other) => one.or(other),
    }
}

/// Too few of its samples were clean, for the core was shared.
fn is_contended(outcome: &sampling::Outcome) -> bool {
    outcome.assessment.verdict == record::Verdict::Contended
}

fn plan(timed: &(dyn TimedLoop + '_)) -> Plan {
    Plan { granule: timed.granule(), most: timed.most() }
}

/// The last part of a function's path: `bit_mix` of `crate::kernels::bit_mix`; `kernel` for a closure.
fn short_name<F>() -> &'static str {
    let name = std::any::type_name::<F>();
    match name.rsplit("::").next() {
        Some(last) if !last.contains(['{', '<', '>', '(']) && !last.is_empty() => last,
        _ => "kernel",
    }
}
