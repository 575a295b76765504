//! What differs between two records, and may they be compared? The whole of a comparison and its exit status.

use super::comparability::{Difference, Weight, comparability};
use super::entry::{Alone, Entry};
use super::limit::Standing;
use super::limits::Limits;
use crate::error::{Error, ErrorKind, ExitStatus, Result};
use crate::order;
use crate::record::{BenchmarkResult, Record, Scalar};

/// What a comparison goes by.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// What is too slow.
    pub limits: Limits,
    /// What the same code may differ by from one process to the next, in per cent: where the loop and the data lie in memory
    /// differs, and no interval from within a process knows of it. Every interval of a comparison is widened by it, unless both
    /// records were measured in several processes (setting `processes`), which have it in their intervals already.
    pub between_processes_pct: f64,
}

impl Default for Options {
    /// No limits, and 1 % between processes.
    fn default() -> Self {
        Self { limits: Limits::default(), between_processes_pct: 1.0 }
    }
}

/// What two records say together.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// What differs besides the results; none of these refuses the comparison.
    pub differences: Vec<Difference>,
    /// Benchmarks in both, in the newer record's order.
    pub entries: Vec<Entry>,
    /// Benchmarks in the older record alone.
    pub only_old: Vec<Alone>,
    /// Benchmarks in the newer record alone.
    pub only_new: Vec<Alone>,
    /// The part of every interval that allows for another process, in per cent; 0 if it is in the measurements already.
    pub between_processes_pct: f64,
    /// Remarks for the reader.
    pub notes: Vec<String>,
}

impl Comparison {
    /// How many results are past a limit.
    pub fn regressions(&self) -> usize {
        let entries = self.entries.iter().map(|entry| entry.standing);
        let new = self.only_new.iter().map(|alone| alone.standing);
        entries.chain(new).filter(|standing| *standing == Standing::Past).count()
    }

    /// [`ExitStatus::Regression`] if a result is past its limit, else [`ExitStatus::Done`].
    pub fn exit_status(&self) -> ExitStatus {
        if self.regressions() > 0 { ExitStatus::Regression } else { ExitStatus::Done }
    }
}

/// Compares the results of two records, benchmark by benchmark (ids that a record has several times: in their order).
///
/// The ratio is new over old; its interval joins both sides' (MOVER, Zou and Donner 2008, on logarithms) and the allowance for
/// another process ([`Options::between_processes_pct`]). A whole interval on one side of 1 is *faster* or *slower*; one that
/// holds 1 and is no wider than 10 % is *no difference*. What cannot be told has a reason. A result is past its limit only where
/// its whole interval is: where the estimate is past it and the interval reaches back, it *may be*, which fails nothing.
///
/// # Errors
///
/// `Input` where the records differ in something that refuses a comparison (see [`comparability`]); each such thing is named.
pub fn compare(old: &Record, new: &Record, options: &Options) -> Result<Comparison> {
    let differences = comparability(old, new);
    let refusing: Vec<String> = differences
        .iter()
        .filter(|difference| difference.weight == Weight::Refuse)
        .map(ToString::to_string)
        .collect();
    if !refusing.is_empty() {
        return Err(Error::new(ErrorKind::Input, "these records cannot be compared")
            .because(refusing.join("; "))
            .remedy("save a baseline with this build on this machine, and compare with that"));
    }
    let given = options.between_processes_pct;
    let allowed = given.is_finite() && given > 0.0 && !(several_processes(old) && several_processes(new));
    let pct = if allowed { given } else { 0.0 };
    let mut comparison = Comparison { differences, between_processes_pct: pct, ..Comparison::default() };

    let before = Keyed::new(&old.results);
    let after = Keyed::new(&new.results);
    for (key, result) in &after.all {
        match before.find(key) {
            Some(old) => comparison.entries.push(Entry::new(old, result, &options.limits, pct / 100.0)),
            None => comparison.only_new.push(Alone::new(result, Some(&options.limits))),
        }
    }
    let gone = before.all.iter().filter(|(key, _)| after.find(key).is_none());
    comparison.only_old = gone.map(|(_, result)| Alone::new(result, None)).collect();

    let ids: Vec<&str> = old.results.iter().chain(&new.results).map(|result| result.id.as_str()).collect();
    for unused in options.limits.unused(&ids) {
        comparison.notes.push(format!("a limit is set for \"{unused}\", which is in neither record"));
    }
    Ok(comparison)
}

fn several_processes(record: &Record) -> bool {
    matches!(record.settings.get("processes"), Some(Scalar::Unsigned(processes)) if *processes > 1)
}

/// A result's id, and how often the id came before.
type Key<'r> = (&'r str, usize);

/// Results by key, in their own order and in that of their keys.
struct Keyed<'r> {
    all: Vec<(Key<'r>, &'r BenchmarkResult)>,
    order: Vec<usize>,
}

impl<'r> Keyed<'r> {
    fn new(results: &'r [BenchmarkResult]) -> Self {
        let order = order::indices(results.len(), &mut |one, other| results[one].id.cmp(&results[other].id));
        let mut counts = vec![0; results.len()];
        for pair in order.windows(2) {
            if results[pair[0]].id == results[pair[1]].id {
                counts[pair[1]] = counts[pair[0]] + 1;
            }
        }
        let all = results.iter().zip(counts).map(|(result, count)| ((result.id.as_str(), count), result));
        Self { all: all.collect(), order }
    }

    fn find(&self, key: &Key<'_>) -> Option<&'r BenchmarkResult> {
        let at = self.order.binary_search_by(|at| self.all[*at].0.cmp(key)).ok()?;
        Some(self.all[self.order[at]].1)
    }
}
