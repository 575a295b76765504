//! How does this run stand beside a saved one, or beside its limits? Loaded before measuring, so that a wrong name costs no time.

use super::arguments::{Arguments, Format};
use super::run::say;
use super::terminal::page_width;
use crate::baseline::{Comparison, Limits, Options, Rule, Store, compare};
use crate::error::{Error, ExitStatus, Result};
use crate::output::emit;
use crate::record::{Record, inert};

/// The names of all saved runs, a line each.
pub(super) fn list() -> Result<ExitStatus> {
    let names = Store::find().list()?;
    if names.is_empty() {
        say("no baseline is saved yet: save one with --save-baseline NAME");
    }
    emit(&names.iter().map(|name| format!("{}\n", inert(name))).collect::<String>())?;
    Ok(ExitStatus::Done)
}

/// The saved run to compare with, of the benchmarks that are selected; and the name to save under is tried out.
pub(super) fn before(arguments: &Arguments) -> Result<Option<Record>> {
    let store = Store::find();
    if let Some(name) = &arguments.save_baseline {
        store.path(name)?;
    }
    let Some(name) = &arguments.baseline else { return Ok(None) };
    let mut record = store.load(name)?;
    record.results.retain(|result| arguments.selection.takes(&result.id));
    Ok(Some(record))
}

/// Saves and compares. What failed comes back, and whether a limit was passed.
pub(super) fn after(
    record: &Record,
    arguments: &Arguments,
    mut limits: Limits,
    old: Option<Record>,
) -> (Vec<Error>, ExitStatus) {
    let mut failures = Vec::new();
    if let Some(name) = &arguments.save_baseline {
        match Store::find().save(name, record) {
            Ok(path) if !arguments.quiet => {
                say(&format!("saved as baseline {name}: {}", inert(&path.to_string_lossy())))
            }
            Ok(_) => {}
            Err(error) => failures.push(error),
        }
    }
    if let Some(limit) = &arguments.limit {
        limits = limits.for_run(limit.clone());
    }
    let alone = old.is_none();
    if alone && limits.is_empty() {
        return (failures, ExitStatus::Done);
    }
    // Limits of the form <= need no other run.
    let nothing = || Record { results: Vec::new(), ..record.clone() };
    let options = Options { limits, ..Options::default() };
    match compare(&old.unwrap_or_else(nothing), record, &options) {
        Ok(comparison) => {
            failures.extend(show(&comparison, alone, arguments).err());
            (failures, comparison.exit_status())
        }
        Err(error) => {
            failures.push(error);
            (failures, ExitStatus::Done)
        }
    }
}

/// With the results where these are text for people, else on standard error.
fn show(comparison: &Comparison, alone: bool, arguments: &Arguments) -> Result<()> {
    if alone && comparison.regressions() == 0 {
        return Ok(());
    }
    let with = arguments
        .baseline
        .as_deref()
        .map_or("limits".to_owned(), |name| format!("against baseline {}", inert(name)));
    let text = format!("\n{with}\n{}", comparison.to_text(page_width()));
    if arguments.format == Format::Text {
        emit(&text)
    } else {
        say(text.trim_end());
        Ok(())
    }
}

/// Whether a limit can be passed without another run to compare with.
pub(super) fn needs_baseline(rules: &[Rule]) -> bool {
    rules.iter().any(|rule| !matches!(rule, Rule::AtMost(..)))
}
