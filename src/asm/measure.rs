//! How does a program become a number? The lab times it like any kernel; what helpers cost is taken off.

use super::block::Block;
use super::features::Features;
use super::form::Form;
use super::jobs::{Job, uncovered};
use super::program::{Program, Refusal};
use crate::error::Result;
use crate::harness::TimedLoop;
use crate::lab::{Benchmark, Lab};
use crate::record::{BenchmarkResult, Kind, Verdict};
use crate::sampling::{Continue, Progress};

/// Makes loops that can be timed of programs, without danger to this process.
///
/// An iteration of such a loop is one repetition of the program's body. `run` may be given any number of them, also one that is no
/// multiple of its granule: it has to run exactly as many (entering the unrolled body in its middle, for instance), or the
/// difference of two lengths is not what it is divided by. The setup code runs before each slice, outside of its timed region.
pub trait Engine {
    /// A loop around `program` that a lab on logical CPU `core` may time.
    ///
    /// # Errors
    ///
    /// The outer error where nothing can be run here at all, the inner where this program is refused.
    fn prepare(
        &self,
        program: &Program,
        core: usize,
    ) -> Result<std::result::Result<Box<dyn Prepared>, Refusal>>;
}

/// A loop that was made of a program, and what became of it.
pub trait Prepared: TimedLoop {
    /// Why its numbers mean nothing, if it failed while it was timed.
    fn failed(&self) -> Option<Refusal>;
}

/// What became of a job.
pub type Measured = std::result::Result<BenchmarkResult, Refusal>;

/// Times `jobs`, interleaved; `observe` may end the run early.
///
/// # Errors
///
/// As for [`Lab::measure`], and where the engine cannot run anything.
pub fn measure(
    lab: &mut Lab,
    engine: &dyn Engine,
    jobs: Vec<Job>,
    observe: &mut dyn FnMut(&Progress<'_>) -> Continue,
) -> Result<Vec<Measured>> {
    lab.use_ruler_alone();
    let mut outcomes: Vec<Option<Measured>> = Vec::with_capacity(jobs.len());
    let mut benchmarks = Vec::new();
    let failures: std::rc::Rc<std::cell::RefCell<Vec<Option<Refusal>>>> =
        std::rc::Rc::new(std::cell::RefCell::new(vec![None; jobs.len()]));
    for (at, job) in jobs.iter().enumerate() {
        match engine.prepare(&job.program, lab.core())? {
            Err(refusal) => outcomes.push(Some(Err(refusal))),
            Ok(prepared) => {
                outcomes.push(None);
                let watched = Watched { prepared, at, failures: failures.clone() };
                let mut benchmark = Benchmark::custom(job.id.clone(), job.kind, watched)
                    .ops(job.program.operations.max(1))?;
                let slots = Block::decode(&job.program.body).ok().and_then(|body| body.issue_slots());
                if let Some(slots) = slots {
                    benchmark = benchmark.instructions(slots as u64);
                }
                benchmarks.push(benchmark);
            }
        }
    }
    let mut measured = if benchmarks.is_empty() {
        Vec::new().into_iter()
    } else {
        lab.measure_with(benchmarks, observe)?.into_iter()
    };
    let failures = failures.borrow();
    Ok(jobs
        .iter()
        .zip(outcomes)
        .enumerate()
        .map(|(at, (job, outcome))| {
            outcome.unwrap_or_else(|| {
                let result = measured.next().map(|one| one.result).unwrap_or_default();
                match failures.get(at).and_then(Clone::clone) {
                    Some(refusal) => Err(refusal),
                    None => Ok(conclude(result, job)),
                }
            })
        })
        .collect())
}

/// A loop that tells of its failure when it is dropped, for the lab owns it meanwhile.
struct Watched {
    prepared: Box<dyn Prepared>,
    at: usize,
    failures: std::rc::Rc<std::cell::RefCell<Vec<Option<Refusal>>>>,
}

impl TimedLoop for Watched {
    fn run(&mut self, iterations: u64) -> crate::tsc::Timed {
        self.prepared.run(iterations)
    }

    fn granule(&self) -> u64 {
        self.prepared.granule()
    }

    fn most(&self) -> u64 {
        self.prepared.most()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if let Some(refusal) = self.prepared.failed()
            && let Ok(mut failures) = self.failures.try_borrow_mut()
            && let Some(place) = failures.get_mut(self.at)
        {
            *place = Some(refusal);
        }
    }
}

/// Takes the helpers off, and says what the result is.
fn conclude(mut result: BenchmarkResult, job: &Job) -> BenchmarkResult {
    result.notes.extend(job.notes.iter().cloned());
    take_off(&mut result, job.taken_off);
    if job.is_bound && !result.upper_bound {
        result.upper_bound = true;
        let cost = crate::record::cost(&result).replace("<= ", "");
        result.sentence = format!(
            "From operand to result it takes at most {cost}: helpers close the chain, and what they take beyond a cycle each is not known."
        );
    } else {
        result.sentence = crate::record::sentence(&result);
    }
    result
}

/// Takes `cycles` an operation off every cost of `result`.
fn take_off(result: &mut BenchmarkResult, cycles: f64) {
    if cycles == 0.0 {
        return;
    }
    let Some(estimate) = &mut result.cycles else {
        result.upper_bound = true;
        result.notes.push("without core cycles nothing can be taken off for the helpers".to_owned());
        return;
    };
    let whole = estimate.estimate;
    let spread = estimate.spread_pct * estimate.median;
    for value in
        [&mut estimate.estimate, &mut estimate.lo, &mut estimate.hi, &mut estimate.min, &mut estimate.median]
    {
        *value = (*value - cycles).max(0.0);
    }
    if estimate.median > 0.0 {
        estimate.spread_pct = spread / estimate.median;
    }
    // Ticks and nanoseconds by the same part.
    let part = if whole > 0.0 { cycles / whole } else { 0.0 };
    let ticks = result.ticks.estimate * part;
    let off = |value: &mut f64, by: f64| *value = (*value - by).max(0.0);
    off(&mut result.ticks.estimate, ticks);
    for end in [&mut result.ticks.lo, &mut result.ticks.hi].into_iter().flatten() {
        off(end, ticks);
    }
    if let Some(ns) = &mut result.ns {
        let by = ns.estimate * part;
        off(&mut ns.estimate, by);
        for end in [&mut ns.lo, &mut ns.hi].into_iter().flatten() {
            off(end, by);
        }
    }
    if let Some(modes) = &mut result.modes {
        off(&mut modes.lower, cycles);
        off(&mut modes.upper, cycles);
    }
    result.p33_raw_ticks = None;
    result.p33_ungated_cycles = None;
}

/// From this reciprocal throughput on a latency can be hidden by it.
const HIDES_FROM: f64 = 1.5;
/// How near the two are then.
const NEAR: f64 = 0.03;

/// Measures all jobs of a form, and once more with more in the chain where a latency is no longer than the reciprocal throughput, for
/// then the units are what it waits for and not its operand.
///
/// # Errors
///
/// As for [`measure`].
pub fn measure_form(
    lab: &mut Lab,
    engine: &dyn Engine,
    form: &Form,
    features: &Features,
    jobs: Vec<Job>,
    observe: &mut dyn FnMut(&Progress<'_>) -> Continue,
) -> Result<Vec<(Job, Measured)>> {
    let mut outcomes: Vec<(Job, Measured)> =
        jobs.iter().cloned().zip(measure(lab, engine, jobs.clone(), observe)?).collect();
    let cost = |outcome: &Measured| {
        outcome.as_ref().ok().and_then(|result| result.cycles.as_ref()).map(|cycles| cycles.estimate)
    };
    let rthroughput = outcomes
        .iter()
        .filter(|(job, _)| job.kind == Kind::ReciprocalThroughput && !job.id.ends_with(']'))
        .find_map(|(_, outcome)| cost(outcome));
    remark(&mut outcomes, rthroughput);
    let Some(rthroughput) = rthroughput.filter(|cycles| (HIDES_FROM..1000.0).contains(cycles)) else {
        return Ok(outcomes);
    };
    // An even number of the same bitwise operation leaves the value as it was.
    let fillers = (rthroughput.ceil() as usize + 3) / 2 * 2;
    let hidden: Vec<(usize, Job)> = outcomes
        .iter()
        .enumerate()
        .filter(|(_, (job, outcome))| {
            job.kind == Kind::Latency
                && cost(outcome).is_some_and(|latency| latency + job.taken_off <= rthroughput * (1.0 + NEAR))
        })
        .filter_map(|(at, (job, _))| Some((at, uncovered(form, features, &job.id, fillers)?)))
        .collect();
    let again = measure(lab, engine, hidden.iter().map(|(_, job)| job.clone()).collect(), observe)?;
    for ((at, job), outcome) in hidden.into_iter().zip(again) {
        let Some((_, before)) = outcomes.get(at) else { continue };
        let (Some(long), Ok(mut result)) = (cost(before), outcome) else { continue };
        let Some(short) = result.cycles.as_ref().map(|cycles| cycles.estimate) else { continue };
        if short < long && matches!(result.verdict, Verdict::Converged | Verdict::Imprecise) {
            result.notes.push(format!(
                "repeated without them it takes {long:.2} cycles, which is its reciprocal throughput and no latency"
            ));
            if let Some(place) = outcomes.get_mut(at) {
                *place = (job, Ok(result));
            }
        }
    }
    // What is still no longer than the units take is no more than a bound.
    for (job, outcome) in &mut outcomes {
        let hidden = job.kind == Kind::Latency
            && !job.notes.iter().any(|note| note.contains("one-cycle instructions"))
            && cost(outcome).is_some_and(|latency| latency + job.taken_off <= rthroughput * (1.0 + NEAR));
        if let (true, Ok(result)) = (hidden, outcome) {
            if !result.upper_bound {
                result
                    .notes
                    .push("no more than its reciprocal throughput: the latency may be shorter".to_owned());
            }
            result.upper_bound = true;
            let shown = crate::record::cost(result).replace("<= ", "");
            result.sentence = format!(
                "From operand to result it takes at most {shown}: as much as its units take, which may hide a shorter latency."
            );
        }
    }
    Ok(outcomes)
}

/// Says what follows from two results together: a false dependence, and chains that a throughput may be bound by.
fn remark(outcomes: &mut [(Job, Measured)], rthroughput: Option<f64>) {
    let Some(rthroughput) = rthroughput else { return };
    let latency = outcomes
        .iter()
        .filter(|(job, _)| job.kind == Kind::Latency && !job.is_bound)
        .find_map(|(_, outcome)| outcome.as_ref().ok()?.cycles.as_ref().map(|cycles| cycles.estimate));
    for (job, outcome) in outcomes {
        let Ok(result) = outcome else { continue };
        let Some(cycles) = result.cycles.as_ref().map(|cycles| cycles.estimate) else { continue };
        if job.id.ends_with("[one destination]") && cycles > rthroughput * (1.0 + FALSE_DEPENDENCE) {
            result.notes.push(format!(
                "{cycles:.2} cycles beside {rthroughput:.2} with other destinations: a false dependence on the destination"
            ));
        }
        let bound = latency.map(|latency| latency * job.carried).filter(|bound| *bound > 0.0);
        if let (Kind::ReciprocalThroughput, Some(bound)) = (job.kind, bound)
            && cycles <= bound * (1.0 + NEAR)
        {
            result.notes.push(format!(
                "its own chains alone take {bound:.2} cycles: with more registers it may be less"
            ));
        }
    }
}

/// From this much more on, another destination makes a difference.
const FALSE_DEPENDENCE: f64 = 0.1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{CycleEstimate, Estimate};

    fn result() -> BenchmarkResult {
        BenchmarkResult {
            kind: Kind::Latency,
            verdict: Verdict::Converged,
            cycles: Some(CycleEstimate {
                estimate: 8.0,
                lo: 7.9,
                hi: 8.1,
                min: 7.8,
                median: 8.0,
                spread_pct: 5.0,
            }),
            ticks: Estimate { estimate: 4.0, lo: Some(3.9), hi: Some(4.1) },
            ns: Some(Estimate { estimate: 2.0, lo: None, hi: Some(2.1) }),
            ..BenchmarkResult::default()
        }
    }

    fn job(taken_off: f64, is_bound: bool) -> Job {
        Job { taken_off, is_bound, ..Job::block("x/latency".into(), Program::default()) }
    }

    #[test]
    fn helpers_are_taken_off_all_units_alike() {
        let less = conclude(result(), &job(2.0, false));
        let cycles = less.cycles.expect("cycles");
        assert_eq!((cycles.estimate, cycles.hi), (6.0, 6.1 + 8.1 - 6.1 - 2.0));
        assert_eq!(less.ticks.estimate, 3.0);
        assert_eq!(less.ns.map(|ns| ns.estimate), Some(1.5));
        assert!(!less.upper_bound);
        assert!((cycles.spread_pct - 5.0 * 8.0 / 6.0).abs() < 1e-9);
    }

    #[test]
    fn a_bound_says_that_it_is_one() {
        let bound = conclude(result(), &job(1.0, true));
        assert!(bound.upper_bound && bound.sentence.contains("at most 7"), "{}", bound.sentence);
        assert!(!bound.sentence.contains("<="), "{}", bound.sentence);
    }

    #[test]
    fn more_than_there_is_cannot_be_taken_off() {
        let none = conclude(result(), &job(9.0, true));
        assert_eq!(none.cycles.map(|cycles| cycles.estimate), Some(0.0));
    }
}
