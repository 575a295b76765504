//! How do saved runs become a page? The subcommand `report`: one HTML file that needs nothing else.

use std::path::PathBuf;

use fencepost::error::{ExitStatus, Result};
use fencepost::output;
use fencepost::record::text::inert;
use fencepost::render::{self, Run};

use crate::files;

/// Make one HTML file with tables and plots of saved runs
///
/// Examples:
///
///   cargo bench -- --samples --json run.json
///   fencepost report run.json -o report
///
///   fencepost report before.json after.json -o report
///
/// Files are what `--json FILE` of a bench binary or `fencepost ladder --json` saved; plots of samples need `--samples` there. Of several
/// files the first is what the others are compared with.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "Exit status: 0 done; 1 wrong use, or a file that is no record."
)]
pub(crate) struct Args {
    /// Saved runs; - is standard input
    #[arg(value_name = "RESULTS", required = true)]
    results: Vec<PathBuf>,
    /// Directory that index.html is written to; it is made if it is missing
    #[arg(short, long, value_name = "DIR", default_value = "fencepost-report")]
    output: PathBuf,
}

/// Runs the subcommand.
///
/// # Errors
///
/// `Io` and `Input` for files that are no records, `Io` where the page cannot be written.
pub(crate) fn run(args: Args) -> Result<ExitStatus> {
    let mut records = Vec::with_capacity(args.results.len());
    for path in &args.results {
        records.push((files::shown(path), files::record(path)?));
    }
    let runs: Vec<Run<'_>> =
        records.iter().map(|(name, record)| Run { name: name.clone(), record }).collect();
    let path = render::write(&runs, &args.output)?;
    output::emit(&format!("{}\n", inert(&path.to_string_lossy()))).map(|()| ExitStatus::Done)
}
