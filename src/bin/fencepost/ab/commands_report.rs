//! How is the comparison of two commands shown? As text, Markdown, JSON or CSV.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use fencepost::error::{Error, ErrorKind, Result};
use fencepost::record::text::{self, Table};
use fencepost::stats;
use nix::sys::resource::{UsageWho, getrusage};
use serde_json::{Value, json};

use super::benches_report::json_field;
use super::child::{End, Finished};
use super::commands::Runs;
use super::compare::{Compared, Thresholds};
use super::figures::{decimals, fixed, markdown, markdown_row, signed, time_unit};
use super::limit::Limit;
use super::order::{Both, Side};
use super::{Format, Plan, Report};

const WIDTH: usize = 80;

/// One side in figures: times in nanoseconds; of what is counted a run, the median.
struct Summary {
    mean: f64,
    median: f64,
    min: f64,
    max: f64,
    user: f64,
    system: f64,
    max_rss_bytes: f64,
    minor_faults: f64,
    major_faults: f64,
    voluntary_switches: f64,
    involuntary_switches: f64,
    ends: BTreeMap<End, usize>,
}

fn nanos(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e9
}

fn summary(runs: &[Finished]) -> Result<Summary> {
    let each = |of: fn(&Finished) -> f64| -> Vec<f64> { runs.iter().map(of).collect() };
    let middle = |of: fn(&Finished) -> f64| stats::percentile(&each(of), 50.0);
    let times = each(|run| nanos(run.elapsed));
    let spread = stats::spread(&times)?;
    let mut ends = BTreeMap::new();
    for run in runs {
        *ends.entry(run.end).or_insert(0) += 1;
    }
    Ok(Summary {
        mean: times.iter().sum::<f64>() / times.len() as f64,
        median: spread.median,
        min: spread.min,
        max: spread.max,
        user: middle(|run| nanos(run.usage.user))?,
        system: middle(|run| nanos(run.usage.system))?,
        // The most that it ever needed.
        max_rss_bytes: each(|run| run.usage.max_rss_bytes as f64).into_iter().fold(0.0, f64::max),
        minor_faults: middle(|run| run.usage.minor_faults as f64)?,
        major_faults: middle(|run| run.usage.major_faults as f64)?,
        voluntary_switches: middle(|run| run.usage.voluntary_switches as f64)?,
        involuntary_switches: middle(|run| run.usage.involuntary_switches as f64)?,
        ends,
    })
}

/// Everything that a report says.
struct Page<'r> {
    runs: &'r Runs,
    plan: &'r Plan,
    summaries: Both<Summary>,
    compared: Compared,
    past_limit: bool,
    notes: Vec<String>,
}

/// The report on `runs`.
///
/// # Errors
///
/// `Usage` if not a single round was finished.
pub(crate) fn report(runs: &Runs, plan: &Plan, format: Format) -> Result<Report> {
    let done = runs.firsts.len();
    let stopped = || {
        Error::new(ErrorKind::Input, format!("stopped after {done} of {} rounds", plan.rounds))
            .because("a signal asked for it")
            .remedy("take what was compared as a hint, or run again")
    };
    if done == 0 {
        return Err(stopped());
    }
    let times = |side: Side| runs.runs.of(side).iter().map(|run| Some(nanos(run.elapsed))).collect();
    let times = Both { before: times(Side::Before), after: times(Side::After) };
    // A millisecond is much of a whole command.
    let compared = Compared::of(&times, Thresholds::from(1e6))?;
    let past_limit = match plan.limit {
        Some(Limit::Percent(limit)) => compared.slower_by_more_than(limit, |shift| shift.pct),
        Some(Limit::Nanos(limit)) => compared.slower_by_more_than(limit, |shift| shift.delta),
        Some(Limit::Cycles(_)) | None => false,
    };
    let summaries = Both { before: summary(&runs.runs.before)?, after: summary(&runs.runs.after)? };
    let notes = notes(&summaries);
    let page = Page { runs, plan, summaries, compared, past_limit, notes };
    let text = match format {
        Format::Text => page.as_text(),
        Format::Markdown => page.as_markdown(),
        Format::Json => page.as_json(),
        Format::Csv => page.as_csv(),
    };
    Ok(Report { text, past_limit, undone: runs.interrupted.then(stopped) })
}

fn notes(summaries: &Both<Summary>) -> Vec<String> {
    let mut notes = Vec::new();
    // What a process held before it became the command counts for the command: getrusage(2) of Linux.
    let own = getrusage(UsageWho::RUSAGE_SELF).map_or(0, |usage| usage.max_rss()) as f64 * 1024.0;
    let most = summaries.before.max_rss_bytes.min(summaries.after.max_rss_bytes);
    if most <= own * 1.05 {
        notes.push(format!(
            "max RSS reads no lower than that of fencepost itself, {:.1} MiB, from which commands are started",
            own / f64::from(1 << 20)
        ));
    }
    if summaries.before.median.min(summaries.after.median) < 5e6 {
        notes.push("of commands that take less than 5 ms, starting the process is a good part".to_owned());
    }
    notes
}

impl Page<'_> {
    /// Name, before and after of every figure.
    fn rows(&self) -> Vec<[String; 3]> {
        let both = [&self.summaries.before, &self.summaries.after];
        let (unit, scale) =
            time_unit(self.compared.shift.median_before.max(self.compared.shift.median_after));
        let time = |name: &str, of: fn(&Summary) -> f64| {
            let cells = both.map(|summary| {
                let width = (summary.max - summary.min) / scale;
                let value = of(summary) / scale;
                format!("{} {unit}", fixed(value, decimals(summary.median / scale, width).max(1)))
            });
            let [before, after] = cells;
            [name.to_owned(), before, after]
        };
        let count = |name: &str, of: fn(&Summary) -> f64| {
            let [before, after] = both.map(|summary| {
                let value = of(summary);
                fixed(value, usize::from(value.fract() != 0.0))
            });
            [name.to_owned(), before, after]
        };
        let [rss_before, rss_after] =
            both.map(|summary| format!("{:.1} MiB", summary.max_rss_bytes / f64::from(1 << 20)));
        let [ends_before, ends_after] = both.map(ends);
        vec![
            time("mean", |summary| summary.mean),
            time("median", |summary| summary.median),
            time("min", |summary| summary.min),
            time("max", |summary| summary.max),
            time("user (median)", |summary| summary.user),
            time("system (median)", |summary| summary.system),
            ["max RSS".to_owned(), rss_before, rss_after],
            count("minor faults (median)", |summary| summary.minor_faults),
            count("major faults (median)", |summary| summary.major_faults),
            count("voluntary switches (median)", |summary| summary.voluntary_switches),
            count("involuntary switches (median)", |summary| summary.involuntary_switches),
            ["exits".to_owned(), ends_before, ends_after],
        ]
    }

    /// What may be said.
    fn sentences(&self) -> Vec<String> {
        let shift = &self.compared.shift;
        let (unit, scale) = time_unit(shift.median_before.max(shift.median_after));
        let width = self.compared.spread_pct.before.max(self.compared.spread_pct.after) / 100.0
            * shift.median_before.abs()
            / scale;
        let digits = decimals(shift.median_before / scale, width).max(1);
        let mut sentences = vec![format!(
            "{}: {} {unit} ({} %; {} agree)",
            self.compared.verdict(),
            signed(shift.delta / scale, digits),
            signed(shift.pct, 1),
            self.compared.agreement()
        )];
        sentences.extend(self.compared.ratio_phrase());
        sentences.push(format!(
            "spread between runs: {:.1} % before, {:.1} % after",
            self.compared.spread_pct.before, self.compared.spread_pct.after
        ));
        if let Some(limit) = self.plan.limit {
            sentences
                .push(format!("{} the limit of {limit}", if self.past_limit { "past" } else { "not past" }));
        }
        sentences
    }

    fn head(&self) -> Vec<String> {
        let mut head: Vec<String> = Side::BOTH
            .iter()
            .map(|side| format!("{:<7} {}", side.name(), self.runs.command(*side)))
            .collect();
        head.push(format!(
            "rounds  {} of {}, alternating order (seed {}), after {} of warm-up",
            self.runs.firsts.len(),
            self.plan.rounds,
            self.plan.seed,
            self.plan.warmup
        ));
        head
    }

    fn as_text(&self) -> String {
        let mut page = String::new();
        if self.runs.interrupted {
            page.push_str("INCOMPLETE: the comparison was stopped; only these rounds were made.\n\n");
        }
        for line in self.head() {
            let _ = writeln!(page, "{}", text::elide(&text::inert(&line), WIDTH));
        }
        page.push('\n');
        // An empty last column: the one before it is aligned to the right, as numbers are.
        let table = Table {
            head: vec![("per run", ""), ("before", ""), ("after", ""), ("", "")],
            rows: self
                .rows()
                .into_iter()
                .map(|[name, before, after]| {
                    vec![name, text::elide(&before, 24), text::elide(&after, 24), String::new()]
                })
                .collect(),
        };
        for line in table.lines(WIDTH) {
            let _ = writeln!(page, "{line}");
        }
        page.push('\n');
        for line in self.sentences().into_iter().chain(self.notes.iter().map(|note| format!("note: {note}")))
        {
            for (at, line) in text::wrap(&line, WIDTH - 2).iter().enumerate() {
                let _ = writeln!(page, "{}{line}", if at == 0 { "" } else { "  " });
            }
        }
        page
    }

    fn as_markdown(&self) -> String {
        let mut page = String::new();
        if self.runs.interrupted {
            page.push_str("**INCOMPLETE**: the comparison was stopped; only these rounds were made.\n\n");
        }
        for line in self.head() {
            let _ = writeln!(page, "- {}", markdown(&line));
        }
        page.push('\n');
        page.push_str(&markdown_row(&["per run", "before", "after"]));
        page.push_str("|---|--:|--:|\n");
        for row in self.rows() {
            page.push_str(&markdown_row(&row.map(|cell| markdown(&cell))));
        }
        page.push('\n');
        for line in self.sentences().iter().chain(&self.notes) {
            let _ = writeln!(page, "- {}", markdown(line));
        }
        page
    }

    fn side_json(&self, side: Side) -> Value {
        let summary = self.summaries.of(side);
        let runs = self.runs.runs.of(side);
        let exits: serde_json::Map<String, Value> =
            summary.ends.iter().map(|(end, count)| (end.to_string(), json!(count))).collect();
        json!({
            "side": side.name(),
            "command": self.runs.commands.of(side).iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>(),
            "runs": runs.len(),
            "times_ns": runs.iter().map(|run| nanos(run.elapsed)).collect::<Vec<_>>(),
            "mean_ns": summary.mean,
            "median_ns": summary.median,
            "min_ns": summary.min,
            "max_ns": summary.max,
            "spread_pct": self.compared.spread_pct.of(side),
            "user_ns": summary.user,
            "system_ns": summary.system,
            "max_rss_bytes": summary.max_rss_bytes,
            "minor_faults": summary.minor_faults,
            "major_faults": summary.major_faults,
            "voluntary_switches": summary.voluntary_switches,
            "involuntary_switches": summary.involuntary_switches,
            "exits": exits,
        })
    }

    fn as_json(&self) -> String {
        let shift = &self.compared.shift;
        let ratio = self.compared.ratio;
        let report = json!({
            "schema": "fencepost-ab/1",
            "compared": "commands",
            "complete": !self.runs.interrupted,
            "rounds": self.plan.rounds,
            "warmup": self.plan.warmup,
            "seed": self.plan.seed,
            "first": self.runs.firsts.iter().map(|side| side.name()).collect::<Vec<_>>(),
            "limit": self.plan.limit.map(|limit| limit.to_string()),
            "before": self.side_json(Side::Before),
            "after": self.side_json(Side::After),
            "difference_ns": shift.delta,
            "difference_pct": shift.pct,
            "agreeing": shift.agreeing,
            "pairs": shift.pairs,
            "chance": self.compared.chance,
            "ratio": ratio.map(|ratio| ratio.ratio.estimate),
            "ratio_lo": ratio.map(|ratio| ratio.ratio.lo),
            "ratio_hi": ratio.map(|ratio| ratio.ratio.hi),
            "ratio_coverage": ratio.map(|ratio| ratio.coverage),
            "class": self.compared.grade.as_str(),
            "verdict": self.compared.verdict(),
            "past_limit": self.plan.limit.map(|_| self.past_limit),
            "notes": self.notes,
        });
        format!("{report}\n")
    }

    fn as_csv(&self) -> String {
        const COLUMNS: [&str; 14] = [
            "side",
            "runs",
            "mean_ns",
            "median_ns",
            "min_ns",
            "max_ns",
            "spread_pct",
            "user_ns",
            "system_ns",
            "max_rss_bytes",
            "minor_faults",
            "major_faults",
            "voluntary_switches",
            "involuntary_switches",
        ];
        let mut page = format!("{},exits,command\n", COLUMNS.join(","));
        for side in Side::BOTH {
            let value = self.side_json(side);
            let mut fields: Vec<String> = COLUMNS.iter().map(|column| json_field(&value[*column])).collect();
            fields.push(super::figures::csv_field(&ends(self.summaries.of(side))));
            fields.push(super::figures::csv_field(&self.runs.command(side)));
            let _ = writeln!(page, "{}", fields.join(","));
        }
        page
    }
}

/// How the runs ended and how many of them did so.
fn ends(summary: &Summary) -> String {
    let all: Vec<String> = summary
        .ends
        .iter()
        .map(|(end, count)| match end {
            End::Exit(code) => format!("{count} x {code}"),
            End::Signal(number) => format!("{count} x signal {number}"),
            End::TimedOut(_) => format!("{count} x time-out"),
        })
        .collect();
    all.join(", ")
}
