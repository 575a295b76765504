//! What changed from one saved run to the next? The subcommand `compare`: records against the first of them, or side by side.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::ValueEnum;
use fencepost::baseline::{Comparison, Limit, Options, compare};
use fencepost::error::{Error, ErrorKind, ExitStatus, Result};
use fencepost::output;
use fencepost::record::text::{columns, elide, inert};
use fencepost::record::{Record, cost};
use serde_json::{Value, json};

use crate::files;
use fencepost::render::page_width;

/// Compare saved runs: ratios with their intervals, and what each licenses one to say
///
/// Examples:
///
///   fencepost compare before.json after.json
///
///   fencepost compare --limit 5% --format markdown main.json branch.json
///
///   fencepost compare --side-by-side laptop.json server.json
///
/// Files are what `--json FILE` of a bench binary saved. Every further file is compared with the first.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "Exit status: 0 done; 1 wrong use, or a file that is no record or cannot be compared; 3 a result is past --limit \
                  with its whole interval."
)]
pub(crate) struct Args {
    /// The older run; - is standard input
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The newer run, or several
    #[arg(value_name = "NEW", required = true)]
    new: Vec<PathBuf>,
    /// Exit with status 3 where a result is slower by more than this: 5%, 2cyc, 0.5ns, <=120cyc, or several with commas
    #[arg(long, value_name = "LIMIT", conflicts_with = "side_by_side")]
    limit: Option<Limit>,
    /// Per cent that the same code may differ by from one process to the next
    #[arg(long, value_name = "PCT", default_value_t = 1.0)]
    between_processes: f64,
    /// Form of the comparison
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Show the costs beside one another and judge nothing: for runs of different machines
    #[arg(long)]
    side_by_side: bool,
}

/// The form of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table and sentences
    Text,
    /// Tables for an issue or a pull request
    Markdown,
    /// One object, schema fencepost-comparison/1; of several comparisons an array
    Json,
    /// One line a benchmark
    Csv,
}

/// Runs the subcommand.
///
/// # Errors
///
/// `Io` and `Input` for files that are no records, `Input` where two must not be compared.
pub(crate) fn run(args: Args) -> Result<ExitStatus> {
    if !(0.0..=1000.0).contains(&args.between_processes) {
        return Err(Error::new(
            ErrorKind::Usage,
            format!("--between-processes is {} %", args.between_processes),
        )
        .because("it widens every interval")
        .remedy("give a share from 0 to 1000, for example 1"));
    }
    let paths: Vec<&PathBuf> = std::iter::once(&args.old).chain(&args.new).collect();
    let mut sides = Vec::with_capacity(paths.len());
    for path in paths {
        sides.push(Side { name: files::shown(path), record: files::record(path)? });
    }
    if args.side_by_side {
        return output::emit(&beside(&sides, args.format)?).map(|()| ExitStatus::Done);
    }
    let mut options = Options::default();
    options.between_processes_pct = args.between_processes;
    if let Some(limit) = args.limit {
        options.limits = options.limits.for_run(limit);
    }
    let Some((old, new)) = sides.split_first() else { return Ok(ExitStatus::Done) };
    let mut compared = Vec::with_capacity(new.len());
    for side in new {
        let comparison = compare(&old.record, &side.record, &options).map_err(|error| {
            Error::new(
                ErrorKind::Input,
                format!("{} and {}: {error}, or give --side-by-side", old.name, side.name),
            )
            .caused_by(error)
        })?;
        compared.push((side.name.as_str(), comparison));
    }
    output::emit(&shown(&old.name, &compared, args.format)?)?;
    let past = compared.iter().any(|(_, comparison)| comparison.regressions() > 0);
    Ok(if past { ExitStatus::Regression } else { ExitStatus::Done })
}

struct Side {
    name: String,
    record: Record,
}

fn shown(old: &str, compared: &[(&str, Comparison)], format: Format) -> Result<String> {
    let several = compared.len() > 1;
    let mut text = String::new();
    match format {
        Format::Text => {
            for (name, comparison) in compared {
                if several {
                    text.push_str(&format!("{old} -> {name}\n\n"));
                }
                text.push_str(&comparison.to_text(page_width()));
                if several {
                    text.push('\n');
                }
            }
        }
        Format::Markdown => {
            for (name, comparison) in compared {
                if several {
                    text.push_str(&format!("### {} → {}\n\n", markdown(old), markdown(name)));
                }
                text.push_str(&comparison.to_markdown());
                if several {
                    text.push('\n');
                }
            }
        }
        Format::Json => match compared {
            [(_, only)] => text = only.to_json(),
            _ => {
                let all: Vec<String> = compared.iter().map(|(_, one)| one.to_json()).collect();
                text = format!("[{}]", all.join(",\n"));
            }
        },
        Format::Csv => text = rows(compared)?,
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

/// A line a benchmark and newer file. Numbers that are not known are empty.
fn rows(compared: &[(&str, Comparison)]) -> Result<String> {
    let head = [
        "file",
        "id",
        "old",
        "new",
        "ratio",
        "ratio_lo",
        "ratio_hi",
        "difference_cycles",
        "verdict",
        "limit",
        "reason",
    ];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    let number = |value: Option<f64>| {
        value.filter(|value| value.is_finite()).map_or_else(String::new, |value| value.to_string())
    };
    for (name, comparison) in compared {
        for entry in &comparison.entries {
            let ratio = entry.ratio.as_ref();
            lines.push(vec![
                defused(name),
                defused(&entry.id),
                entry.old.clone(),
                entry.new.clone(),
                number(ratio.and_then(|ratio| ratio.estimate)),
                number(ratio.map(|ratio| ratio.lo)),
                number(ratio.map(|ratio| ratio.hi)),
                number(entry.difference_cycles.as_ref().and_then(|ends| ends.estimate)),
                entry.movement.as_str().to_owned(),
                entry.standing.as_str().to_owned(),
                defused(entry.reason.as_deref().unwrap_or_default()),
            ]);
        }
        let alone = |which: &str, id: &str, old: &str, new: &str| {
            let mut line = vec![String::new(); head.len()];
            for (at, text) in [(0, defused(name)), (1, defused(id)), (2, old.to_owned()), (3, new.to_owned())]
            {
                if let Some(cell) = line.get_mut(at) {
                    *cell = text;
                }
            }
            if let Some(cell) = line.get_mut(8) {
                *cell = which.to_owned();
            }
            line
        };
        lines.extend(comparison.only_old.iter().map(|one| alone("only_old", &one.id, &one.cost, "")));
        lines.extend(comparison.only_new.iter().map(|one| alone("only_new", &one.id, "", &one.cost)));
    }
    csv_text(&lines)
}

fn csv_text(lines: &[Vec<String>]) -> Result<String> {
    let unwritten = |why: String| Error::new(ErrorKind::Io, format!("the rows could not be made: {why}"));
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).flexible(true).from_writer(Vec::new());
    for line in lines {
        writer.write_record(line).map_err(|error| unwritten(error.to_string()))?;
    }
    let bytes = writer.into_inner().map_err(|error| unwritten(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| unwritten(error.to_string()))
}

/// A text that no spreadsheet takes for a formula: one that it would begins with a quote instead.
fn defused(text: &str) -> String {
    let text = inert(text);
    if text.trim_start().starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text }
}

/// Without effect in a table of Markdown.
fn markdown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in inert(text).chars() {
        match c {
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '&' => shown.push_str("&amp;"),
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '!' | '~' | '#' | '@' => shown.extend(['\\', c]),
            c => shown.push(c),
        }
    }
    shown
}

/// Every benchmark's cost in every file, in the order in which they first come.
fn beside(sides: &[Side], format: Format) -> Result<String> {
    let mut order: Vec<&str> = Vec::new();
    let mut costs: BTreeMap<&str, Vec<Option<String>>> = BTreeMap::new();
    for (at, side) in sides.iter().enumerate() {
        for result in &side.record.results {
            let cells = costs.entry(&result.id).or_insert_with(|| {
                order.push(&result.id);
                vec![None; sides.len()]
            });
            // Of an id that comes twice, the first.
            if let Some(cell) = cells.get_mut(at) {
                cell.get_or_insert_with(|| cost(result));
            }
        }
    }
    let machine = |side: &Side| {
        let machine = &side.record.machine;
        let design = machine.microarchitecture.as_deref().unwrap_or("design not known");
        let hypervisor =
            machine.hypervisor.as_deref().map_or_else(String::new, |name| format!(", under {}", inert(name)));
        format!("{} ({}{hypervisor})", inert(&machine.brand), inert(design))
    };
    let cells = |id: &str| -> Vec<String> {
        let row = costs.get(id).map(Vec::as_slice).unwrap_or_default();
        row.iter().map(|cell| cell.clone().unwrap_or_else(|| "-".to_owned())).collect()
    };
    Ok(match format {
        Format::Json => {
            let sides: Vec<Value> = sides
                .iter()
                .map(|side| json!({"file": side.name, "machine": side.record.machine.fingerprint}))
                .collect();
            let results: Vec<Value> =
                order.iter().map(|id| json!({"id": id, "costs": costs.get(id)})).collect();
            format!("{}\n", json!({"schema": "fencepost-side-by-side/1", "sides": sides, "results": results}))
        }
        Format::Csv => {
            let mut lines = vec![
                std::iter::once("id".to_owned())
                    .chain(sides.iter().map(|side| defused(&side.name)))
                    .collect(),
            ];
            lines.extend(
                order.iter().map(|id| std::iter::once(defused(id)).chain(cells(id)).collect::<Vec<_>>()),
            );
            csv_text(&lines)?
        }
        Format::Markdown => {
            let mut text = String::new();
            for side in sides {
                text.push_str(&format!("- {}: {}\n", markdown(&side.name), markdown(&machine(side))));
            }
            let names: Vec<String> = sides.iter().map(|side| markdown(&side.name)).collect();
            text.push_str(&format!(
                "\n| benchmark | {} |\n|---|{}\n",
                names.join(" | "),
                "---:|".repeat(sides.len())
            ));
            for id in &order {
                text.push_str(&format!("| {} | {} |\n", markdown(id), cells(id).join(" | ")));
            }
            text
        }
        Format::Text => {
            let mut text = String::new();
            for (at, side) in sides.iter().enumerate() {
                text.push_str(&elide(
                    &format!("[{}] {}: {}", at + 1, side.name, machine(side)),
                    page_width(),
                ));
                text.push('\n');
            }
            text.push('\n');
            let heads: Vec<String> = (1..=sides.len()).map(|at| format!("[{at}]")).collect();
            let rows: Vec<Vec<String>> = order.iter().map(|id| cells(id)).collect();
            let widths: Vec<usize> = heads
                .iter()
                .enumerate()
                .map(|(at, head)| {
                    let cells = rows.iter().filter_map(|row| row.get(at)).map(|cell| columns(cell));
                    cells.max().unwrap_or(0).max(columns(head))
                })
                .collect();
            let taken: usize = widths.iter().map(|width| width + 2).sum();
            let ids: Vec<String> = order.iter().map(|id| inert(id)).collect();
            let longest = ids.iter().map(|id| columns(id)).max().unwrap_or(0);
            let room = longest.min(page_width().saturating_sub(taken)).max(9);
            let mut line = |first: &str, cells: &[String]| {
                let first = elide(first, room);
                text.push_str(&first);
                text.push_str(&" ".repeat(room.saturating_sub(columns(&first))));
                for (cell, width) in cells.iter().zip(&widths) {
                    text.push_str(&" ".repeat(width.saturating_sub(columns(cell)) + 2));
                    text.push_str(cell);
                }
                text.push('\n');
            };
            line("benchmark", &heads);
            for (id, row) in ids.iter().zip(&rows) {
                line(id, row);
            }
            text
        }
    })
}
