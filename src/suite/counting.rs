//! How is a suite counted under Valgrind? This program starts itself once a benchmark, puts the counts together and compares them.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::time::Duration;

use super::arguments::Arguments;
use super::compare::Check;
use super::counting_arguments::Given;
use super::counting_report::{self, Report};
use super::counting_weights::{host_caches, host_weights};
use super::interrupt::Interrupt;
use super::nearest::nearest;
use super::options::Mode;
use super::registry::{Entry, Facts};
use super::run::{count, failure, guarded, say};
use super::{baselines, once, versus};
use crate::cachegrind::{self, Caches, Outcome, Plan, Tally, Task, Valgrind, Weights};
use crate::error::{Error, ErrorKind, ExitStatus, Result};
use crate::lab::machine_record;
use crate::machine::Machine;
use crate::output::emit;
use crate::record::{self, BenchmarkResult, Estimate, Named, Record, Scalar, inert};

/// What a benchmark may take unless more is given.
const TIME_LIMIT: Duration = Duration::from_secs(300);

/// Counts `entries`; in a process that is counted itself, runs the one that it is for.
pub(super) fn run<'a>(
    mut entries: Vec<Entry<'a>>,
    checks: Vec<Check<'a>>,
    arguments: &Arguments,
) -> Result<ExitStatus> {
    let asked = &arguments.counting;
    if let Some((id, task)) = asked.counted_here() {
        return run_here(entries, id, task);
    }
    if let Some((a, b)) = &asked.explain {
        known(&entries, a)?;
        known(&entries, b)?;
        entries.retain(|entry| entry.id == *a || entry.id == *b);
    }
    if entries.is_empty() {
        return emit("no benchmark is selected\n").map(|()| ExitStatus::Done);
    }
    let interrupt = Interrupt::listen();
    let valgrind = Valgrind::find()?;
    let program = std::env::current_exe().map_err(|error| {
        Error::new(ErrorKind::Io, format!("the path of this program is not known: {error}"))
            .because("it starts itself under Valgrind")
            .remedy("give the bench program by its path")
            .caused_by(error)
    })?;
    let baseline = baselines::before(arguments)?;
    let asked_for = entries.len();
    let mut failed = versus::check(&mut entries, checks);
    let known = Known::of(entries, &mut failed);
    let ids: Vec<String> = known.iter().map(|one| one.id.clone()).collect();
    let plan = Plan {
        valgrind: &valgrind,
        program: &program,
        ids: &ids,
        arguments: &told,
        stop: &|| interrupt.asked(),
        caches: match asked.cache {
            None => Caches::default(),
            Some(Given::This(caches)) => caches,
            Some(Given::Host) => host_caches()?,
        },
        // A cause is told by branches, too.
        branches: asked.branch_sim
            || asked.explain.is_some()
            || known.iter().any(|one| one.compared_in.is_some()),
        calibrate: asked.calibrate,
        allow_aslr: asked.allow_aslr,
        jobs: asked.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZeroUsize::get)),
        limit: asked.time_limit.unwrap_or(TIME_LIMIT),
        weights: weights(asked.weights)?,
    };
    let settings = settings(&plan);
    let last = counting_report::last_run(&program, &ids, &settings);
    let Tally { counted, starts, elapsed, stopped, aslr } = plan.count();
    if let Some(why) = aslr {
        say(&format!(
            "note: addresses stay randomized, for the system refuses to fix them ({why}): misses may differ by a few from run to \
             run; in a container, allow personality(2)"
        ));
    }
    let (mut results, mut outcomes) = (Vec::new(), Vec::new());
    for (id, outcome) in counted {
        match outcome {
            Ok(outcome) => {
                let one = known.iter().find(|one| one.id == id);
                results.push(result(id, &outcome, one));
                outcomes.push(outcome);
            }
            Err(error) => {
                say(&format!("error: {error}"));
                failed.push(id);
            }
        }
    }
    if !arguments.quiet {
        say(&format!(
            "{} counted by {starts} {} of Valgrind {}, {} at a time, in {:.1} s",
            count(results.len()),
            if starts == 1 { "start" } else { "starts" },
            valgrind.version(),
            plan.jobs.min(ids.len()).max(1),
            elapsed.as_secs_f64()
        ));
    }
    let record = Record {
        complete: failed.is_empty() && !stopped,
        build: record::Build::current(),
        machine: machine_record(&Machine::detect()),
        calibration: once::uncalibrated(),
        settings,
        results,
        ..Record::default()
    };
    let report = Report {
        record: &record,
        outcomes: &outcomes,
        groups: known.iter().map(|one| (one.id.as_str(), one.compared_in)).collect(),
        last: last.as_ref(),
        baseline: baseline.as_ref(),
    };
    report.conclude(arguments, failure(&failed, asked_for))
}

/// What a process that is counted is told: of equal length whatever the benchmark is called, for what the name takes of the heap
/// would show in the allocator's work.
fn told(id: &str, task: Task) -> Vec<OsString> {
    let mode = format!("--mode={}", Mode::Cachegrind.name());
    let one = format!("--count-one={}", cachegrind::key(id));
    [mode, one, format!("--count-task={}", task.word())].map(OsString::from).to_vec()
}

/// Runs the one that this process was started for.
fn run_here(mut entries: Vec<Entry<'_>>, key: &str, task: Task) -> Result<ExitStatus> {
    let at = entries.iter().position(|entry| cachegrind::key(&entry.id) == key).ok_or_else(|| {
        Error::new(ErrorKind::Usage, format!("there is no benchmark with the key {:?}", inert(key)))
            .because("the argument that names it is for the process that --mode cachegrind starts")
            .remedy("give --mode cachegrind alone, with the name of the benchmark")
    })?;
    // All the others and the name stay until the end, so that what the heap looks like depends neither on the one nor on the other.
    let mut entry = entries.swap_remove(at);
    let _name = std::mem::replace(&mut entry.id, key.to_owned());
    guarded("the benchmark", || {
        let ops = entry.facts.ops.unwrap_or(1);
        cachegrind::count_here(&mut entry.make()?.benchmark, ops, task)
    })?;
    Ok(ExitStatus::Done)
}

/// What is known of a benchmark before it is counted.
struct Known<'a> {
    id: String,
    compared_in: Option<usize>,
    facts: Facts<'a>,
    /// Instructions of one call in its native loop, where that is a straight line that could be decoded.
    decoded: Option<f64>,
}

impl<'a> Known<'a> {
    /// Of each of `entries` that can be counted; the names of the others are added to `failed`.
    fn of(entries: Vec<Entry<'a>>, failed: &mut Vec<String>) -> Vec<Self> {
        let mut known = Vec::with_capacity(entries.len());
        for entry in entries {
            let (id, compared_in, facts) = (entry.id.clone(), entry.compared_in, entry.facts.clone());
            match decoded(entry) {
                Ok(decoded) => known.push(Known { id, compared_in, facts, decoded }),
                Err(error) => {
                    say(&format!("error: {error}"));
                    failed.push(id);
                }
            }
        }
        known
    }
}

#[cfg(feature = "predict")]
use super::counting_code::instructions_of_a_call as decoded;

/// Without a decoder nothing is known.
#[cfg(not(feature = "predict"))]
fn decoded(_: Entry<'_>) -> Result<Option<f64>> {
    Ok(None)
}

/// Refuses a name that there is not.
fn known(entries: &[Entry<'_>], id: &str) -> Result<()> {
    if entries.iter().any(|entry| entry.id == id) {
        return Ok(());
    }
    let error = Error::new(ErrorKind::Usage, format!("there is no benchmark named {:?}", inert(id)))
        .because("a whole name is wanted");
    Err(match nearest(id, entries.iter().map(|entry| entry.id.as_str())) {
        Some(meant) => error.remedy(format!("did you mean {:?}? --list prints all names", inert(meant))),
        None => error.remedy("--list prints all names"),
    })
}

fn weights(asked: Option<Given<Weights>>) -> Result<Option<Weights>> {
    match asked {
        None => Ok(None),
        Some(Given::This(weights)) => Ok(Some(weights)),
        Some(Given::Host) => {
            let (weights, sentence) = host_weights()?;
            say(&sentence);
            Ok(Some(weights))
        }
    }
}

/// What counts depend on, besides the program.
fn settings(plan: &Plan<'_>) -> Named<Scalar> {
    let mut settings = Named::from(
        [
            ("mode", Scalar::from(Mode::Cachegrind.name())),
            ("valgrind", Scalar::from(plan.valgrind.version())),
            ("caches", Scalar::from(plan.caches.to_string().as_str())),
            ("tool", Scalar::from(if plan.calibrate { "cachegrind, calibrated" } else { "callgrind" })),
            ("branch_sim", Scalar::from(plan.branches)),
            ("allow_aslr", Scalar::from(plan.allow_aslr)),
        ]
        .map(|(name, value)| (name.to_owned(), value)),
    );
    if let Some(Weights { l1, l2, ram }) = plan.weights {
        settings.insert("weights", Scalar::from(format!("L1 {l1} L2 {l2} RAM {ram}").as_str()));
    }
    settings
}

fn result(id: String, outcome: &Outcome, known: Option<&Known<'_>>) -> BenchmarkResult {
    let mut notes = outcome.notes.clone();
    let per_call = outcome.counts.instructions * outcome.ops as f64;
    if let Some(told) = known.and_then(|known| known.facts.instructions)
        && per_call < told as f64
    {
        notes.push(format!(
            "{} instructions a call, and the benchmark says that there are {told}: not all of the work is in the region",
            cachegrind::figure(per_call)
        ));
    }
    // Of whole turns, with what the loop costs; one may be part of a turn.
    let calls = outcome.counts.operations as f64 / outcome.ops as f64;
    let with_loop = per_call + outcome.counts.taken_off as f64 / calls;
    if let Some(decoded) = known.and_then(|known| known.decoded)
        && with_loop < 0.9 * decoded - 1.0
    {
        notes.push(format!(
            "{} instructions a call were counted with the loop, and the loop as it is decoded holds {}: not all of the work was counted",
            cachegrind::figure(with_loop),
            cachegrind::figure(decoded)
        ));
    }
    BenchmarkResult {
        id,
        kind: outcome.kind,
        ops: outcome.ops,
        ticks: Estimate { estimate: f64::NAN, ..Estimate::default() },
        verdict_reason: Some("counted, not timed".to_owned()),
        counts: Some(outcome.counts.clone()),
        notes,
        elapsed_secs: outcome.elapsed.as_secs_f64(),
        sentence: cachegrind::sentence(&outcome.counts),
        ..BenchmarkResult::default()
    }
}
