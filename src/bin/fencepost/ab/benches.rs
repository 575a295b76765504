//! What do two builds of a bench binary report, round by round? Runs that are incomplete are tried again, and named.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use fencepost::error::{Error, ErrorKind, Result};
use fencepost::record::{self, BenchmarkResult, Build, Kind, Record, Verdict, text};
use fencepost::stats::{self, Threshold};

use super::child::{self, End, Stdout, shown};
use super::compare::{Compared, Thresholds};
use super::limit::Limit;
use super::order::{Both, Side, order};
use super::{Plan, Progress};

/// How often a run that gives no complete record is started again.
const RETRIES: usize = 2;
/// Fewer series than this have no fellows to be compared with.
const FEWEST_SERIES: usize = 20;

/// All runs of both builds.
pub(crate) struct Runs {
    pub(crate) programs: Both<PathBuf>,
    /// One a round; `None` where there was no complete one.
    pub(crate) records: Both<Vec<Option<Record>>>,
    /// Who went first, a round.
    pub(crate) firsts: Vec<Side>,
    /// Runs that were started again or are missing, in words.
    pub(crate) incomplete: Vec<String>,
    /// The user stopped it.
    pub(crate) interrupted: bool,
}

impl Runs {
    /// Runs that are missing although they were tried, or were not come to.
    pub(crate) fn missing(&self, plan: &Plan) -> usize {
        let there = |side| self.records.of(side).iter().flatten().count();
        2 * plan.rounds - there(Side::Before) - there(Side::After)
    }
}

/// Runs both builds as planned.
///
/// # Errors
///
/// `Usage` if a build cannot be started or its first run never gives a complete record, `CannotMeasure` if it says so.
pub(crate) fn collect(
    programs: &Both<PathBuf>,
    filters: &[OsString],
    extra: &[OsString],
    plan: &Plan,
) -> Result<Runs> {
    let mut args: Vec<OsString> = ["--bench", "--format", "json"].map(OsString::from).to_vec();
    args.extend_from_slice(extra);
    args.extend_from_slice(filters);
    let mut runs = Runs {
        programs: programs.clone(),
        records: Both::default(),
        firsts: Vec::new(),
        incomplete: Vec::new(),
        interrupted: false,
    };
    let progress = Progress::new();
    for warmup in 1..=plan.warmup {
        for side in Side::BOTH {
            progress.say(&format!("warm-up {warmup} of {}, {}", plan.warmup, side.name()));
            if run_once(programs.of(side), &args, plan)?.is_stop() {
                runs.interrupted = true;
                return Ok(runs);
            }
        }
    }
    for (round, first) in order(plan.rounds, plan.seed).into_iter().enumerate() {
        for side in [first, first.other()] {
            progress.say(&format!("round {} of {}, {}", round + 1, plan.rounds, side.name()));
            let Some(record) = tried(side, round, &args, plan, &mut runs)? else {
                runs.interrupted = true;
                return Ok(runs);
            };
            runs.records.of_mut(side).push(record);
        }
        runs.firsts.push(first);
    }
    Ok(runs)
}

/// One run with its retries: the record, or none of it; nothing at all if the user stopped it.
fn tried(
    side: Side,
    round: usize,
    args: &[OsString],
    plan: &Plan,
    runs: &mut Runs,
) -> Result<Option<Option<Record>>> {
    let program = runs.programs.of(side).clone();
    let mut reason = String::new();
    for attempt in 0..=RETRIES {
        match run_once(&program, args, plan)? {
            Attempt::Stopped => return Ok(None),
            Attempt::Complete(record) => {
                if attempt > 0 {
                    let times = if attempt == 1 { "once".to_owned() } else { format!("{attempt} times") };
                    runs.incomplete.push(format!(
                        "{}, round {}: run again {times}: {reason}",
                        side.name(),
                        round + 1
                    ));
                }
                return Ok(Some(Some(*record)));
            }
            Attempt::Failed(why) => reason = why,
        }
    }
    if runs.records.of(side).iter().flatten().next().is_none() {
        return Err(Error::new(
            ErrorKind::Input,
            format!(
                "{} ({}) gives no record in {} runs",
                shown(program.as_os_str()),
                side.name(),
                RETRIES + 1
            ),
        )
        .because(reason)
        .remedy(
            "give a bench binary of fencepost (cargo bench --no-run names it), and run it alone with --bench",
        ));
    }
    runs.incomplete.push(format!(
        "{}, round {}: missing after {} runs: {reason}",
        side.name(),
        round + 1,
        RETRIES + 1
    ));
    Ok(Some(None))
}

enum Attempt {
    Complete(Box<Record>),
    Failed(String),
    Stopped,
}

impl Attempt {
    fn is_stop(&self) -> bool {
        matches!(self, Self::Stopped)
    }
}

fn run_once(program: &Path, args: &[OsString], plan: &Plan) -> Result<Attempt> {
    let Some(finished) = child::run(program.as_os_str(), args, Stdout::Keep, plan.timeout)? else {
        return Ok(Attempt::Stopped);
    };
    if finished.end == End::Exit(4) {
        let said = text::inert(last_line(&finished.stderr));
        return Err(Error::new(
            ErrorKind::CannotMeasure,
            format!("{} cannot measure", shown(program.as_os_str())),
        )
        .because(if said.is_empty() { "it ended with exit status 4".to_owned() } else { said })
        .remedy("run it alone to see more"));
    }
    // Not converged under --strict, or a regression past a limit of its own, is measured all the same.
    if !matches!(finished.end, End::Exit(0 | 2 | 3)) {
        let said = last_line(&finished.stderr);
        let said = if said.is_empty() { String::new() } else { format!(": {}", text::inert(said)) };
        return Ok(Attempt::Failed(format!("{}{said}", finished.end)));
    }
    Ok(match std::str::from_utf8(&finished.stdout).map(Record::from_json) {
        Err(_) => Attempt::Failed("what it printed is no UTF-8".to_owned()),
        Ok(Err(error)) => Attempt::Failed(error.to_string()),
        Ok(Ok(record)) if !record.complete => Attempt::Failed("its record is marked incomplete".to_owned()),
        Ok(Ok(record)) => Attempt::Complete(Box::new(record)),
    })
}

fn last_line(text: &str) -> &str {
    text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default()
}

/// In what a benchmark is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unit {
    Cycles,
    Ticks,
    Nanos,
}

impl Unit {
    const ALL: [Self; 3] = [Self::Cycles, Self::Ticks, Self::Nanos];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Cycles => "cyc",
            Self::Ticks => "ticks",
            Self::Nanos => "ns",
        }
    }

    fn of(self, result: &BenchmarkResult) -> Option<f64> {
        match self {
            Self::Cycles => result.cycles.as_ref().map(|cycles| cycles.estimate),
            Self::Ticks => Some(result.ticks.estimate),
            Self::Nanos => result.ns.as_ref().map(|ns| ns.estimate),
        }
        .filter(|value| value.is_finite())
    }
}

/// One benchmark that both builds have.
pub(crate) struct Comparison {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    pub(crate) unit: Unit,
    /// One a round, in `unit`.
    pub(crate) runs: Both<Vec<Option<f64>>>,
    pub(crate) compared: Compared,
    /// What a side may be shown as where its cost is below resolution.
    pub(crate) below: Both<Option<String>>,
    /// Runs that did not converge, with the verdict of the first of them.
    pub(crate) unsettled: Both<Option<(Verdict, usize)>>,
    /// Whether it is slower than the limit beyond chance; `None` if there is no limit or no figure in its unit.
    pub(crate) past_limit: Option<bool>,
}

impl Comparison {
    /// Both sides are too cheap to be told from nothing.
    pub(crate) fn is_below(&self) -> bool {
        self.below.before.is_some() && self.below.after.is_some()
    }

    /// A ratio needs two numbers.
    pub(crate) fn has_ratio(&self) -> bool {
        self.below.before.is_none() && self.below.after.is_none() && self.compared.ratio.is_some()
    }

    /// What may be said of it.
    pub(crate) fn verdict(&self) -> String {
        match (self.is_below(), self.past_limit) {
            (true, _) => "below resolution".to_owned(),
            (false, Some(true)) => format!("{}, past limit", self.compared.verdict()),
            (false, _) => self.compared.verdict().to_owned(),
        }
    }
}

/// Everything that the runs say.
pub(crate) struct Findings {
    pub(crate) comparisons: Vec<Comparison>,
    pub(crate) only: Both<Vec<String>>,
    pub(crate) notes: Vec<String>,
}

type ByRound<'r> = Vec<Option<&'r BenchmarkResult>>;

/// Compares the benchmarks that both builds have, in the order of the first record.
///
/// # Errors
///
/// None that finite numbers give.
pub(crate) fn findings(runs: &Runs, limit: Option<Limit>) -> Result<Findings> {
    let (ids, before) = by_id(&runs.records.before);
    let (ids_after, after) = by_id(&runs.records.after);
    let mut comparisons = Vec::new();
    let mut notes = Vec::new();
    for id in &ids {
        let (Some(first), Some(second)) = (before.get(id), after.get(id)) else { continue };
        let sides = Both { before: first.clone(), after: second.clone() };
        match compare(id, &sides, limit)? {
            Some(comparison) => comparisons.push(comparison),
            None => notes.push(format!("{id}: no unit in which both builds have a cost")),
        }
        for side in Side::BOTH {
            let there = sides.of(side).iter().flatten().count();
            let all = runs.records.of(side).iter().flatten().count();
            if there < all {
                notes.push(format!("{id}: in {there} of {all} runs {} alone", side.name()));
            }
        }
    }
    let only = |ids: &[&str], other: &BTreeMap<&str, ByRound<'_>>| -> Vec<String> {
        ids.iter().filter(|id| !other.contains_key(**id)).map(|id| (*id).to_owned()).collect()
    };
    notes.extend(build_notes(&runs.records));
    notes.extend(spread_notes(&comparisons)?);
    Ok(Findings {
        comparisons,
        only: Both { before: only(&ids, &after), after: only(&ids_after, &before) },
        notes,
    })
}

/// The results of each benchmark by round, and the names in the order in which they first come.
fn by_id(records: &[Option<Record>]) -> (Vec<&str>, BTreeMap<&str, ByRound<'_>>) {
    let mut ids = Vec::new();
    let mut by_id: BTreeMap<&str, ByRound<'_>> = BTreeMap::new();
    for (round, record) in records.iter().enumerate() {
        for result in record.iter().flat_map(|record| &record.results) {
            let rounds = by_id.entry(&result.id).or_insert_with(|| {
                ids.push(result.id.as_str());
                vec![None; records.len()]
            });
            if let Some(place) = rounds.get_mut(round) {
                place.get_or_insert(result);
            }
        }
    }
    (ids, by_id)
}

fn compare(id: &str, sides: &Both<ByRound<'_>>, limit: Option<Limit>) -> Result<Option<Comparison>> {
    let Some(unit) = Unit::ALL.into_iter().find(|unit| {
        Side::BOTH.iter().all(|side| sides.of(*side).iter().flatten().all(|result| unit.of(result).is_some()))
    }) else {
        return Ok(None);
    };
    let values = |unit: Unit| {
        let side = |results: &ByRound<'_>| -> Vec<Option<f64>> {
            results.iter().map(|result| result.and_then(|result| unit.of(result))).collect()
        };
        Both { before: side(&sides.before), after: side(&sides.after) }
    };
    let runs = values(unit);
    let compared = Compared::of(&runs, Thresholds::from(1.0))?;
    let below = Both { before: below(&sides.before), after: below(&sides.after) };
    let hidden = below.before.is_some() && below.after.is_some();
    let past_limit = match limit {
        None => None,
        Some(_) if hidden => Some(false),
        Some(Limit::Percent(limit)) => Some(compared.slower_by_more_than(limit, |shift| shift.pct)),
        Some(Limit::Cycles(limit)) => {
            (unit == Unit::Cycles).then(|| compared.slower_by_more_than(limit, |shift| shift.delta))
        }
        Some(Limit::Nanos(limit)) => Compared::of(&values(Unit::Nanos), Thresholds::from(1.0))
            .ok()
            .map(|compared| compared.slower_by_more_than(limit, |shift| shift.delta)),
    };
    let kind = sides.before.iter().flatten().next().map_or(Kind::default(), |result| result.kind);
    Ok(Some(Comparison {
        id: id.to_owned(),
        kind,
        unit,
        runs,
        compared,
        below,
        unsettled: Both { before: unsettled(&sides.before), after: unsettled(&sides.after) },
        past_limit,
    }))
}

/// The bound that is shown instead of a number where most runs are below resolution.
fn below(results: &ByRound<'_>) -> Option<String> {
    let below: Vec<&BenchmarkResult> =
        results.iter().flatten().copied().filter(|result| result.below_resolution).collect();
    let count = results.iter().flatten().count();
    below.last().filter(|_| 2 * below.len() > count).map(|result| record::cost(result))
}

fn unsettled(results: &ByRound<'_>) -> Option<(Verdict, usize)> {
    let mut found = results
        .iter()
        .flatten()
        .map(|result| result.verdict)
        .filter(|verdict| !matches!(verdict, Verdict::Converged | Verdict::BelowResolution));
    found.next().map(|first| (first, found.count() + 1))
}

/// In what the builds differ beside the code: that may be what is compared.
fn build_notes(records: &Both<Vec<Option<Record>>>) -> Vec<String> {
    let first = |side| records.of(side).iter().flatten().next();
    let (Some(before), Some(after)) = (first(Side::Before), first(Side::After)) else { return Vec::new() };
    type Field = (&'static str, fn(&Build) -> &str);
    let fields: [Field; 7] = [
        ("fencepost", |build| &build.fencepost),
        ("target", |build| &build.target),
        ("rustc", |build| &build.rustc),
        ("profile", |build| &build.profile),
        ("opt-level", |build| &build.opt_level),
        ("flags", |build| &build.flags),
        ("target features", |build| &build.target_features),
    ];
    let mut notes: Vec<String> = fields
        .iter()
        .map(|(name, field)| (name, field(&before.build), field(&after.build)))
        .filter(|(_, before, after)| before != after)
        .map(|(name, before, after)| {
            format!("the builds differ in {name}: \"{before}\" before, \"{after}\" after")
        })
        .collect();
    for (side, record) in [(Side::Before, before), (Side::After, after)] {
        if record.build.profile == "debug" {
            notes.push(format!("the build {} is a debug build, which is not what users run", side.name()));
        }
    }
    if before.machine.fingerprint != after.machine.fingerprint {
        notes.push("the records' machine fingerprints differ".to_owned());
    }
    notes
}

/// Benchmarks that scatter more than their fellows from run to run, and machines that let all of them scatter.
fn spread_notes(comparisons: &[Comparison]) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let mut series: Vec<Vec<f64>> = Vec::new();
    for comparison in comparisons.iter().filter(|comparison| !comparison.is_below()) {
        for side in Side::BOTH {
            names.push(format!("{}, {}", comparison.id, side.name()));
            series.push(comparison.runs.of(side).iter().flatten().copied().collect());
        }
    }
    let broad = Threshold { absolute: 1.0, pct: 10.0 };
    let Some(spread) = stats::series_spread(&series, 1, FEWEST_SERIES, broad)? else { return Ok(Vec::new()) };
    let mut notes: Vec<String> = spread
        .wide
        .iter()
        .filter_map(|wide| Some((names.get(wide.index)?, wide.range_pct)))
        .map(|(name, pct)| format!("{name}: scatters by {pct:.1} % between runs, far more than the others"))
        .collect();
    if spread.machine_is_noisy() {
        notes.push(format!(
            "{} of {} series scatter by 10 % and more between runs: the machine is not quiet",
            spread.broad,
            series.len()
        ));
    }
    Ok(notes)
}
