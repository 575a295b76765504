//! Where do results go? To standard output and into files; a place that fails keeps nothing from the others.

use std::path::Path;

use super::arguments::{Arguments, Format};
use super::run::{Measured, say};
use super::terminal::page_width;
use super::{bmf, csv, text};
use crate::error::{Error, Result};
use crate::output::emit;
use crate::record::write_text;

/// Writes everything that was asked for. `failures` are what had failed before.
///
/// # Errors
///
/// The first failure, after all places were tried; the others are said on standard error.
pub(super) fn write(measured: &Measured, arguments: &Arguments, mut failures: Vec<Error>) -> Result<()> {
    let record = &measured.record;
    let results = &record.results;
    let shown = match arguments.format {
        Format::Text => {
            let color = arguments.color.wanted(&std::io::stdout());
            text::page(measured, page_width(), arguments.verbose, color)
        }
        Format::Terse => text::terse(results),
        Format::Json => format!("{}\n", record.to_json_pretty()),
        Format::Csv => csv::rows(results),
    };
    failures.extend(emit(&shown).err());
    if let Some(path) = &arguments.json {
        failures.extend(record.write_atomically(path).err());
    }
    let mut file = |path: &Option<_>, text: &dyn Fn() -> String| {
        let path: Option<&Path> = path.as_deref();
        failures.extend(path.and_then(|path| write_text(path, &text()).err()));
    };
    file(&arguments.csv, &|| csv::rows(results));
    file(&arguments.bmf, &|| bmf::metrics(results));
    if let Some(directory) = &arguments.html {
        failures.extend(page(record, directory).err());
    }
    first_of(failures)
}

/// The report with plots, where this build can make one.
#[cfg(feature = "plots")]
fn page(record: &crate::record::Record, directory: &Path) -> Result<()> {
    crate::render::write(&[crate::render::Run { name: "this run".to_owned(), record }], directory).map(|_| ())
}

#[cfg(not(feature = "plots"))]
fn page(_: &crate::record::Record, directory: &Path) -> Result<()> {
    // Refused before anything is measured.
    let what =
        format!("--html {} needs the feature plots", crate::record::inert(&directory.to_string_lossy()));
    Err(Error::new(crate::error::ErrorKind::Usage, what))
}

/// The first failure as an error; the others are said on standard error.
pub(super) fn first_of(failures: Vec<Error>) -> Result<()> {
    let mut failures = failures.into_iter();
    let first = failures.next();
    for other in failures {
        say(&format!("error: {other}"));
    }
    first.map_or(Ok(()), Err)
}
