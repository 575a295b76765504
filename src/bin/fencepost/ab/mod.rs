//! Which of two is faster? The subcommand `ab`: two builds of a bench binary, or two commands, in alternating order.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;
use fencepost::error::{Error, ErrorKind, ExitStatus, Result};
use fencepost::{output, stats};

mod benches;
mod benches_report;
mod child;
mod commands;
mod commands_report;
mod compare;
mod figures;
mod interrupt;
mod limit;
mod order;

use limit::Limit;
use order::Both;

/// Compare two builds of a bench binary, or two commands, run in alternating order
///
/// Examples:
///
///   fencepost ab --before old/bench --after new/bench bit_mix
///
///   fencepost ab --limit 5% --before old/bench --after new/bench -- --max-secs 0.5
///
///   fencepost ab --rounds 20 -- gzip -k1f data --vs zstd -1fk data
///
/// Two bench binaries of fencepost are run as BIN --bench --format json FILTER..., several rounds, and compared benchmark by
/// benchmark in core cycles. Two commands are run without a shell and compared as a whole: time, memory, faults, switches.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    override_usage = "fencepost ab [OPTIONS] --before BIN --after BIN [FILTER]... [-- BENCH-ARG...]\n       \
                      fencepost ab [OPTIONS] -- CMD [ARG]... --vs CMD [ARG]...",
    after_help = "Exit status: 0 done; 1 wrong use, or a run failed for good; 3 slower than --limit; 4 a bench binary cannot \
                  measure here."
)]
pub(crate) struct Args {
    /// The bench binary built before the change
    #[arg(long, value_name = "BIN", requires = "after")]
    before: Option<PathBuf>,
    /// The bench binary built after the change
    #[arg(long, value_name = "BIN", requires = "before")]
    after: Option<PathBuf>,
    /// Rounds; each runs both sides once [default: 5 for bench binaries, 10 for commands]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: Option<u32>,
    /// Runs of each side before the first round, whose results are dropped [default: 0 for bench binaries, 1 for commands]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    warmup: Option<u32>,
    /// Seed of the order in which the sides go first
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Exit with status 3 where the side after is slower by more than this, beyond chance: 5%, 2cyc, 300ns, 10us, 3ms or 1s
    #[arg(long, value_name = "LIMIT")]
    limit: Option<Limit>,
    /// Form of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Seconds that a single run may take before it is killed
    #[arg(long, value_name = "SECS", default_value = "600", value_parser = seconds)]
    timeout: Duration,
    /// Where the output of commands goes
    #[arg(long, value_name = "WHERE", default_value = "discard")]
    output: Output,
    /// Go on when a command fails, and count its exit statuses
    #[arg(long)]
    allow_failure: bool,
    /// Benchmarks whose names contain one of these
    #[arg(value_name = "FILTER")]
    filters: Vec<OsString>,
    /// Two commands with --vs between them; or, with --before, arguments for both bench binaries
    #[arg(last = true, value_name = "CMD")]
    rest: Vec<OsString>,
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Lines of at most 80 columns
    Text,
    /// Tables for an issue or a pull request
    Markdown,
    /// One object, schema fencepost-ab/1
    Json,
    /// One line a benchmark, or one a side
    Csv,
}

/// Where the output of commands goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// Nowhere; the end of standard error is shown when a command fails
    Discard,
    /// Where the output of fencepost goes
    Inherit,
}

/// Settings that both ways of comparing share.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) rounds: usize,
    pub(crate) warmup: usize,
    pub(crate) seed: u64,
    pub(crate) limit: Option<Limit>,
    pub(crate) timeout: Duration,
}

/// A report, and what it means for the exit status.
pub(crate) struct Report {
    pub(crate) text: String,
    /// Something is slower than the limit, beyond chance.
    pub(crate) past_limit: bool,
    /// Something that was asked for is missing, in a sentence.
    pub(crate) undone: Option<Error>,
}

/// Runs the subcommand.
///
/// # Errors
///
/// `Usage` for arguments that contradict each other and for programs that cannot be started or fail, `CannotMeasure` where a
/// bench binary says so.
pub(crate) fn run(args: Args) -> Result<ExitStatus> {
    let is_benches = args.before.is_some();
    let plan = Plan {
        rounds: args.rounds.unwrap_or(if is_benches { 5 } else { 10 }) as usize,
        warmup: args.warmup.unwrap_or(u32::from(!is_benches)) as usize,
        seed: args.seed,
        limit: args.limit,
        timeout: args.timeout,
    };
    if let (Some(limit), true) = (plan.limit, unanimous_chance(plan.rounds) >= compare::SIGNIFICANT) {
        return Err(Error::new(
            ErrorKind::Usage,
            format!("--limit {limit} cannot be judged in --rounds {}", plan.rounds),
        )
        .because(format!(
            "even runs that all agree come about by chance in {:.0} % of cases",
            100.0 * unanimous_chance(plan.rounds)
        ))
        .remedy("give --rounds 4 or more"));
    }
    let report = match (args.before, args.after) {
        (Some(before), Some(after)) => {
            if args.allow_failure || args.output != Output::Discard {
                return Err(Error::new(ErrorKind::Usage, "--allow-failure and --output are for commands")
                    .because("of a bench binary the record on standard output is what counts")
                    .remedy("leave them out"));
            }
            interrupt::listen();
            let programs = Both { before: here(before), after: here(after) };
            let runs = benches::collect(&programs, &args.filters, &args.rest, &plan)?;
            benches_report::report(&runs, &plan, args.format)?
        }
        _ => {
            let commands = two_commands(&args.filters, &args.rest)?;
            if args.output == Output::Inherit && matches!(args.format, Format::Json | Format::Csv) {
                return Err(Error::new(ErrorKind::Usage, "--output inherit with --format json or csv")
                    .because("what the commands print would stand in the middle of it")
                    .remedy("use --format text, or leave --output out"));
            }
            if let Some(limit @ Limit::Cycles(_)) = plan.limit {
                return Err(Error::new(ErrorKind::Usage, format!("--limit {limit} for commands"))
                    .because("commands are timed as a whole, by the clock")
                    .remedy("give a limit in % or in ms"));
            }
            let stdout = match args.output {
                Output::Discard => child::Stdout::Discard,
                Output::Inherit => child::Stdout::Inherit,
            };
            interrupt::listen();
            let runs = commands::collect(commands, stdout, args.allow_failure, &plan)?;
            commands_report::report(&runs, &plan, args.format)?
        }
    };
    output::emit(&report.text)?;
    match (report.past_limit, report.undone) {
        // A regression that was found stays one when something else is missing.
        (true, undone) => {
            if let Some(error) = undone {
                let _ = writeln!(io::stderr().lock(), "error: {error}");
            }
            Ok(ExitStatus::Regression)
        }
        (false, Some(error)) => Err(error),
        (false, None) => Ok(ExitStatus::Done),
    }
}

/// How often runs of the same thing agree by chance in all of their pairs.
fn unanimous_chance(rounds: usize) -> f64 {
    stats::least_chance(rounds, rounds)
}

/// A bare name is a file here, and no program of PATH.
fn here(path: PathBuf) -> PathBuf {
    if path.components().count() == 1 && path.is_relative() { Path::new(".").join(path) } else { path }
}

/// The words of the two commands.
fn two_commands(filters: &[OsString], rest: &[OsString]) -> Result<Both<Vec<OsString>>> {
    const FORM: &str =
        "give two builds with --before BIN --after BIN, or two commands as -- CMD... --vs CMD...";
    if let Some(filter) = filters.first() {
        return Err(Error::new(ErrorKind::Usage, format!("{} stands alone", child::shown(filter)))
            .because("a filter needs bench binaries, and commands stand behind --")
            .remedy(FORM));
    }
    let mut parts = rest.split(|word| word == "--vs");
    match (parts.next(), parts.next(), parts.next()) {
        (Some(before @ [_, ..]), Some(after @ [_, ..]), None) => {
            Ok(Both { before: before.to_vec(), after: after.to_vec() })
        }
        (_, _, Some(_)) => Err(Error::new(ErrorKind::Usage, "there is more than one --vs")
            .because("two commands are compared, and --vs stands between them")
            .remedy("put a command that has a --vs of its own into a script")),
        _ => Err(Error::new(ErrorKind::Usage, "there are no two things to compare")
            .because("one is measured against the other")
            .remedy(FORM)),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .filter(|secs| *secs > 0.0)
        .and_then(|secs| Duration::try_from_secs_f64(secs).ok())
        .ok_or_else(|| "it needs a number of seconds above 0, for example 30".to_owned())
}

/// Where the work stands, in a line on standard error if that is a terminal. Written between runs alone.
pub(crate) struct Progress {
    shown: bool,
}

impl Progress {
    pub(crate) fn new() -> Self {
        Self { shown: io::stderr().is_terminal() }
    }

    pub(crate) fn say(&self, what: &str) {
        if self.shown {
            let _ = write!(io::stderr().lock(), "\r\x1b[K{what}");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.say("");
    }
}
