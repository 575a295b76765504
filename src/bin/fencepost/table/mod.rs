//! What do instructions cost on this machine? The subcommand `table`.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use fencepost::asm::{Breadth, Catalogue, Form, features, jobs, measure_form};
use fencepost::error::{Error, ErrorKind, ExitStatus, Result};
use fencepost::output;
use fencepost::record::text::{elide, wrap};
use fencepost::record::{BenchmarkResult, cost};
use fencepost::sampling::Continue;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

pub(crate) mod check;
pub(crate) mod filter;
mod rows;

use crate::asm::lab::{Bench, Budget, Measuring, Pace};
use crate::kept::{is_settled, or_older};
pub(crate) use filter::Wanted;
use rows::{Row, TableFile};

/// Results a second of a long table, whatever the neighbours do: more than twenty forms.
const PACE: f64 = 48.0;
/// Seconds that a short one may take beyond that.
const AHEAD_SECS: f64 = 2.0;

/// Measure latency and reciprocal throughput of the forms that this CPU has
///
/// Examples:
///
///   fencepost table --mnemonic imul,add,popcnt
///
///   fencepost table --extension avx2 --out avx2.jsonl     goes on where it stopped
///
///   fencepost table --match '^vfmadd*ymm' --json
///
///   fencepost table --check uops.csv                      against published values
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "Exit status: 0 done; 1 wrong use or bad input; 2 not converged under --strict;\n4 cannot measure here."
)]
pub(crate) struct Args {
    #[command(flatten)]
    wanted: Wanted,
    /// Every pair of operands, not one latency a form
    #[arg(long)]
    all_pairs: bool,
    /// Name the forms and count what is left out, and stop
    #[arg(long)]
    list: bool,
    /// Write lines to .jsonl or .csv, and go on where it stopped
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "check"])]
    out: Option<PathBuf>,
    /// Measure again what a .jsonl of --out has, but not converged
    #[arg(long, requires = "out")]
    retry: bool,
    /// Print the record as JSON (schema fencepost/1)
    #[arg(long, conflicts_with = "list")]
    json: bool,
    /// Compare with published values (a CSV file, see docs/asm.md)
    #[arg(long, value_name = "CSV", conflicts_with = "list")]
    check: Option<PathBuf>,
    /// With --check: the rows of this design, whatever core this is
    #[arg(long, value_name = "NAME", requires = "check")]
    uarch: Option<String>,
    #[command(flatten)]
    measuring: Measuring,
}

/// Runs the subcommand.
///
/// # Errors
///
/// `Usage` and `Input` for filters and files that cannot be used, `CannotMeasure` where this machine cannot.
pub(crate) fn run(args: Args) -> Result<ExitStatus> {
    let features = features();
    // Published values speak of stores as well.
    let catalogue = args.wanted.catalogue(&features, args.check.is_some());
    let forms = args.wanted.forms(&catalogue)?;
    if args.list {
        return list(&forms, &catalogue);
    }
    if let Some(path) = &args.check {
        return check::run(path, args.uarch.as_deref(), &forms, &args.measuring, args.json);
    }
    if forms.is_empty() {
        return Err(filter::nothing());
    }
    measure(&forms, &catalogue, &args)
}

fn list(forms: &[Form], catalogue: &Catalogue) -> Result<ExitStatus> {
    let mut text: String = forms.iter().map(|form| format!("{form}\n")).collect();
    text.push_str(&format!("\n{} forms\n", forms.len()));
    text.push_str(&left_out(catalogue));
    output::emit(&text).map(|()| ExitStatus::Done)
}

fn left_out(catalogue: &Catalogue) -> String {
    catalogue.left_out.iter().map(|(reason, count)| format!("left out: {count:>5}  {reason}\n")).collect()
}

fn measure(forms: &[Form], catalogue: &Catalogue, args: &Args) -> Result<ExitStatus> {
    let is_csv = |path: &Path| path.extension().is_some_and(|end| end == "csv");
    if args.retry && args.out.as_deref().is_some_and(is_csv) {
        return Err(Error::new(ErrorKind::Usage, "--retry was given with a --out that ends in .csv")
            .because("results are read back from JSON lines alone")
            .remedy("give --out FILE.jsonl"));
    }
    let mut kept = args.out.as_deref().map(TableFile::open).transpose()?;
    let mut bench = Bench::new(&args.measuring, Pace::Brisk)?;
    let features = features();
    let breadth = if args.all_pairs { Breadth::Everything } else { Breadth::Line };
    let bar = Bar::new(forms.len());
    let budget = Budget::new(PACE, AHEAD_SECS);
    let shows_lines = !args.json && args.out.is_none();
    if shows_lines {
        output::emit(&format!("{}\n", line("form", "latency", "rthroughput", "verdict")))?;
    }
    let mut all: Vec<BenchmarkResult> = Vec::new();
    let (mut measured, mut refused, mut strict) = (0usize, 0usize, false);
    let mut results = 0;
    for form in forms {
        let name = form.to_string();
        let older = match kept.as_mut().and_then(|kept| kept.known.remove(&name)) {
            Some(older) if args.retry && !older.iter().all(is_settled) => older,
            Some(results) => {
                all.extend(results);
                bar.step(&name);
                continue;
            }
            None => Vec::new(),
        };
        let jobs = jobs(form, &features, breadth);
        results += jobs.len();
        bench.give_each(budget.share(results, jobs.len()))?;
        let (lab, engine) = bench.parts();
        let outcomes = measure_form(lab, engine, form, &features, jobs, &mut |_| Continue::Yes)?;
        let mut row = Row::new(form, outcomes);
        or_older(&mut row.results, older);
        measured += 1;
        refused += usize::from(row.results.is_empty());
        strict |= row.results.iter().any(|result| !is_settled(result));
        if let Some(kept) = &mut kept {
            kept.add(&row)?;
        }
        if shows_lines {
            bar.suspend(|| output::emit(&text(&row, args.all_pairs)))?;
        }
        all.extend(row.results);
        bar.step(&name);
    }
    bar.finish();
    let secs = budget.elapsed_secs();
    let summary = format!(
        "{measured} forms in {secs:.1} s ({:.0} a second){}{}\n",
        measured as f64 / secs.max(1e-9),
        if refused > 0 { format!(", {refused} of them refused") } else { String::new() },
        if measured < forms.len() {
            format!("; {} were there", forms.len() - measured)
        } else {
            String::new()
        },
    );
    if args.json {
        output::emit(&format!("{}\n", bench.record(all, true).to_json_pretty()))?;
    }
    // What was measured goes to standard output, what is said of it beside it.
    let mut stderr = io::stderr().lock();
    let _ = write!(stderr, "{summary}");
    if forms.len() == catalogue.forms.len() {
        let _ = write!(stderr, "{}", left_out(catalogue));
    }
    Ok(if args.measuring.strict && strict { ExitStatus::NotConverged } else { ExitStatus::Done })
}

/// The columns of a line: 34 for the form, 13 for each cost, the rest for the verdict.
fn line(form: &str, latency: &str, rthroughput: &str, verdict: &str) -> String {
    format!("{:<38} {latency:>12} {rthroughput:>12}  {verdict}", elide(form, 38)).trim_end().to_owned()
}

/// The lines of a form.
fn text(row: &Row, all_pairs: bool) -> String {
    let shown = |result: Option<&BenchmarkResult>| result.map_or_else(|| "-".to_owned(), cost);
    let verdict = |results: &[Option<&BenchmarkResult>]| {
        let mut words: Vec<String> = results
            .iter()
            .flatten()
            .filter(|result| !is_settled(result))
            .map(|result| result.verdict.to_string())
            .collect();
        words.dedup();
        if words.is_empty() { "converged".to_owned() } else { words.join(", ") }
    };
    let mut lines = String::new();
    if row.results.is_empty() {
        let class = row.error.as_ref().and_then(|error| error.get("class")).and_then(|class| class.as_str());
        lines.push_str(&line(
            &row.form,
            "-",
            "-",
            &format!("refused: {}", class.unwrap_or("not measured").replace('_', " ")),
        ));
        lines.push('\n');
        return lines;
    }
    let (latency, rthroughput) = (row.latency(), row.rthroughput());
    lines.push_str(&line(&row.form, &shown(latency), &shown(rthroughput), &verdict(&[latency, rthroughput])));
    lines.push('\n');
    let listed = |result: &&BenchmarkResult| {
        let first = [latency, rthroughput].into_iter().flatten().any(|one| one.id == result.id);
        !first || all_pairs && result.kind == fencepost::record::Kind::Latency
    };
    for result in row.results.iter().filter(listed) {
        let label = rows::label(&result.id).unwrap_or_default();
        let is_latency = result.kind == fencepost::record::Kind::Latency;
        let (left, right) =
            if is_latency { (cost(result), String::new()) } else { (String::new(), cost(result)) };
        lines.push_str(&line(&format!("  [{label}]"), &left, &right, &verdict(&[Some(result)])));
        lines.push('\n');
    }
    lines
}

/// Paragraphs of at most 80 columns.
pub(crate) fn paragraph(text: &str, first: &str, rest: &str) -> String {
    wrap(text, 80 - first.len().max(rest.len()))
        .iter()
        .enumerate()
        .map(|(at, line)| format!("{}{line}\n", if at == 0 { first } else { rest }))
        .collect()
}

/// The progress bar, on standard error if that is a terminal.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    pub(crate) fn new(total: usize) -> Self {
        let bar = ProgressBar::new(total as u64);
        // It is drawn between measurements alone, never by a thread of its own.
        if !io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {eta} {msg}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    pub(crate) fn step(&self, name: &str) {
        self.0.set_message(elide(name, 30));
        self.0.inc(1);
    }

    fn suspend<R>(&self, write: impl FnOnce() -> R) -> R {
        self.0.suspend(write)
    }

    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}
