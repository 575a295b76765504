//! What is said of the counts? Tables, what has changed, why candidates differ, which limits are passed; and what is kept.

use std::path::{Path, PathBuf};

use super::arguments::{Arguments, Format};
use super::outputs::first_of;
use super::run::say;
use super::terminal::page_width;
use super::{bmf, csv};
use crate::baseline::Store;
use crate::cachegrind::{self, Figure, Outcome, explain, figure, hottest, profiles, safe_name};
use crate::error::{Error, ExitStatus, Result};
use crate::output::emit;
use crate::record::text::MIN_WIDTH;
use crate::record::{BenchmarkResult, Counts, Named, Record, Scalar, Table, elide, inert, wrap, write_text};

/// The file in a benchmark's directory that has its counts.
const COUNTS: &str = "counts.json";
/// Lines that `--annotate` shows of each benchmark.
const HOTTEST: usize = 10;

/// A run that was counted, and what it is set beside.
pub(super) struct Report<'r> {
    pub(super) record: &'r Record,
    /// Of each result.
    pub(super) outcomes: &'r [Outcome],
    /// The comparison that each benchmark is a candidate of.
    pub(super) groups: Vec<(&'r str, Option<usize>)>,
    /// The last run that was counted in the same way.
    pub(super) last: Option<&'r Record>,
    /// The run that was saved under the name that was given.
    pub(super) baseline: Option<&'r Record>,
}

/// The counts of the last run, of those that were counted with the same settings; of others it is said that they were not.
pub(super) fn last_run(program: &Path, ids: &[String], settings: &Named<Scalar>) -> Option<Record> {
    let mut last = Record { settings: settings.clone(), ..Record::default() };
    let mut otherwise = 0;
    for id in ids {
        let path = profiles(program).join(safe_name(id)).join(COUNTS);
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        match Record::from_json(&text) {
            Ok(record) if counted_alike(&record.settings, settings) => last.results.extend(record.results),
            Ok(_) => otherwise += 1,
            Err(error) => say(&format!("note: the last counts of {} cannot be read: {error}", inert(id))),
        }
    }
    if otherwise > 0 {
        say(&format!(
            "note: last counted with other settings (caches, branches, tool or Valgrind), and so not compared: {otherwise} of \
             these"
        ));
    }
    (!last.results.is_empty()).then_some(last)
}

/// Whether counts with these settings can be compared; weights change no count.
fn counted_alike(one: &Named<Scalar>, other: &Named<Scalar>) -> bool {
    let decide = ["mode", "valgrind", "caches", "tool", "branch_sim"];
    decide.into_iter().all(|name| one.get(name) == other.get(name))
}

impl Report<'_> {
    /// Writes everything, keeps the counts, and says how the program ends.
    pub(super) fn conclude(&self, arguments: &Arguments, failure: Option<Error>) -> Result<ExitStatus> {
        let results = &self.record.results;
        let mut failures: Vec<Error> = failure.into_iter().collect();
        for (result, outcome) in results.iter().zip(self.outcomes) {
            let alone = Record { results: vec![result.clone()], ..self.record.clone() };
            failures.extend(alone.write_atomically(outcome.profile.with_file_name(COUNTS)).err());
        }
        let old = self.old(arguments);
        let shown = match arguments.format {
            Format::Text => self.page(arguments, old.as_ref()),
            Format::Terse => results.iter().map(terse).collect(),
            Format::Json => format!("{}\n", self.record.to_json_pretty()),
            Format::Csv => csv::rows(&with_counters(results)),
        };
        failures.extend(emit(&shown).err());
        if let Some(path) = &arguments.json {
            failures.extend(self.record.write_atomically(path).err());
        }
        let files: [(&Option<PathBuf>, &dyn Fn() -> String); 2] = [
            (&arguments.csv, &|| csv::rows(&with_counters(results))),
            (&arguments.bmf, &|| bmf::metrics(results)),
        ];
        for (path, text) in files {
            failures.extend(path.as_ref().and_then(|path| write_text(path, &text()).err()));
        }
        if arguments.counting.annotate {
            for (result, outcome) in results.iter().zip(self.outcomes) {
                let told = annotated(result, outcome).and_then(|text| beside(arguments.format, &text));
                failures.extend(told.err());
            }
        }
        if let Some(name) = &arguments.save_baseline {
            match Store::find().save(name, self.record) {
                Ok(path) if !arguments.quiet => {
                    say(&format!("saved as baseline {name}: {}", inert(&path.to_string_lossy())));
                }
                Ok(_) => {}
                Err(error) => failures.push(error),
            }
        }
        let passed = self.passed(arguments, old.as_ref().map(|(record, _)| *record));
        if !passed.is_empty() {
            failures.extend(beside(arguments.format, &format!("\n{}\n", passed.join("\n"))).err());
        }
        first_of(failures)?;
        Ok(if passed.is_empty() { ExitStatus::Done } else { ExitStatus::Regression })
    }

    /// What this run is compared with, and what that is called.
    fn old(&self, arguments: &Arguments) -> Option<(&Record, String)> {
        match (self.baseline, &arguments.baseline) {
            (Some(record), Some(name)) => Some((record, format!("against baseline {}", inert(name)))),
            _ => self.last.map(|record| (record, "against the last run".to_owned())),
        }
    }

    fn page(&self, arguments: &Arguments, old: Option<&(&Record, String)>) -> String {
        let results = &self.record.results;
        let width = page_width().max(MIN_WIDTH);
        let mut page = String::new();
        let mut add = |title: &str, table: Table| {
            if !table.rows.is_empty() {
                let gap = if page.is_empty() { "" } else { "\n" };
                page.push_str(&format!("{gap}{title}\n{}\n", table.lines(width).join("\n")));
            }
        };
        add("counted per operation, loop and call taken off", cachegrind::counted(results));
        if arguments.verbose {
            add("the first call in its process, caches cold", cachegrind::first_calls(results));
            add("in all", cachegrind::in_all(results));
        }
        if let Some((old, title)) = old {
            add(title, cachegrind::changes(old, results));
        }
        let mut paragraphs = self.explanations(arguments);
        for result in results {
            paragraphs
                .extend(result.notes.iter().map(|note| format!("{}: {}", inert(&result.id), inert(note))));
        }
        paragraphs.extend(self.doubts().map(str::to_owned));
        if (arguments.verbose || arguments.counting.cache.is_some())
            && let Some(Scalar::Text(caches)) = self.record.settings.get("caches")
        {
            paragraphs.push(format!("Simulated caches, in bytes, ways and bytes a line: {caches}."));
        }
        if arguments.verbose {
            paragraphs.push(LIMITS.to_owned());
        }
        for paragraph in paragraphs {
            page.push_str(&format!("\n{}\n", wrap(&paragraph, width).join("\n")));
        }
        page
    }

    /// What must be known of a baseline that was not counted as this run was.
    fn doubts(&self) -> Option<&'static str> {
        let old = self.baseline.filter(|old| !counted_alike(&old.settings, &self.record.settings))?;
        Some(if old.results.iter().any(|result| result.counts.is_some()) {
            "The baseline was counted with other settings (caches, branches, tool or Valgrind): part of a change may be theirs."
        } else {
            "The baseline holds no counts: it was timed."
        })
    }

    /// Why those that were asked about differ, and the candidates of each comparison from its first.
    fn explanations(&self, arguments: &Arguments) -> Vec<String> {
        let pairs: Vec<(&str, &str)> = match &arguments.counting.explain {
            Some((a, b)) => vec![(a, b)],
            None => self
                .groups
                .iter()
                .filter_map(|(id, group)| {
                    let group = (*group)?;
                    let (first, _) = self.groups.iter().find(|(_, other)| *other == Some(group))?;
                    (first != id).then_some((*first, *id))
                })
                .collect(),
        };
        let both = pairs.into_iter().filter_map(|(a, b)| Some(((a, self.counts(a)?), (b, self.counts(b)?))));
        both.map(|(a, b)| explain((&inert(a.0), a.1), (&inert(b.0), b.1)).sentence).collect()
    }

    fn counts(&self, id: &str) -> Option<&Counts> {
        self.record.results.iter().find(|result| result.id == id)?.counts.as_ref()
    }

    /// The limits that are passed, as sentences.
    fn passed(&self, arguments: &Arguments, old: Option<&Record>) -> Vec<String> {
        let Some(limits) = &arguments.counting.limits else { return Vec::new() };
        if old.is_none() && limits.needs_old() {
            say("note: there is no run to compare with yet, so that growth is not checked");
        }
        let mut passed = Vec::new();
        for result in &self.record.results {
            let Some(counts) = &result.counts else { continue };
            let before = old.and_then(|old| old.results.iter().find(|before| before.id == result.id));
            let sentences = limits.passed(before.and_then(|before| before.counts.as_ref()), counts);
            passed.extend(sentences.into_iter().map(|sentence| format!("{}: {sentence}", inert(&result.id))));
        }
        passed
    }
}

/// With the results where these are text for people, else on standard error.
fn beside(format: Format, text: &str) -> Result<()> {
    if format == Format::Text {
        return emit(text);
    }
    say(text.trim());
    Ok(())
}

fn annotated(result: &BenchmarkResult, outcome: &Outcome) -> Result<String> {
    let width = page_width().max(MIN_WIDTH);
    let mut text = format!("\nhottest lines of {}\n", inert(&result.id));
    for line in hottest(&outcome.profile, HOTTEST)? {
        text.push_str(&format!("{}\n", elide(&inert(&line), width)));
    }
    text.push_str(&format!("profile: {}\n", inert(&outcome.profile.to_string_lossy())));
    Ok(text)
}

/// Where simulation misleads.
const LIMITS: &str = "What is simulated is two levels of cache and, where asked for, two branch predictors: no execution out of \
                      order, no prefetcher, no store forwarding. Valgrind shows programs a CPU of its own, without AVX-512 and \
                      others: memcpy, memset and whatever else chooses by CPUID may take another path than on the machine.";

fn terse(result: &BenchmarkResult) -> String {
    result.counts.as_ref().map_or_else(String::new, |counts| {
        let figures = [
            ("instr", counts.instructions),
            ("L1", counts.l1),
            ("L2", counts.l2),
            ("RAM", counts.ram),
            ("est. cyc", counts.estimated_cycles),
        ];
        let figures = figures.map(|(name, value)| format!("{} {name}", figure(value)));
        format!("{}  {}\n", inert(&result.id), figures.join("  "))
    })
}

/// With the counts among the counters, which is where a spreadsheet finds them.
fn with_counters(results: &[BenchmarkResult]) -> Vec<BenchmarkResult> {
    let mut results = results.to_vec();
    for result in &mut results {
        let Some(counts) = &result.counts else { continue };
        let figures = Figure::ALL.into_iter().filter_map(|of| Some((of.name(), of.of(counts)?)));
        result.counters.extend(figures.map(|(name, value)| (name.to_owned(), value)));
    }
    results
}
