//! How is the comparison of two builds shown? As text, Markdown, JSON or CSV.

use std::fmt::Write as _;

use fencepost::error::{Error, ErrorKind, Result};
use fencepost::record::text::{self, Table};
use serde_json::{Value, json};

use super::benches::{Comparison, Findings, Runs, Unit, findings};
use super::figures::{csv_field, decimals, fixed, markdown, markdown_row, signed};
use super::order::Side;
use super::{Format, Plan, Report};

const WIDTH: usize = 80;

/// The report on `runs`.
///
/// # Errors
///
/// `Usage` if there is nothing to compare.
pub(crate) fn report(runs: &Runs, plan: &Plan, format: Format) -> Result<Report> {
    let findings = findings(runs, plan.limit)?;
    if findings.comparisons.is_empty()
        && findings.only.before.is_empty()
        && findings.only.after.is_empty()
        && !runs.interrupted
    {
        return Err(Error::new(ErrorKind::Usage, "neither build has a benchmark that is asked for")
            .because("nothing can be compared")
            .remedy("give a filter that is part of a name; --list of the bench binary shows them"));
    }
    let text = match format {
        Format::Text => as_text(runs, &findings, plan),
        Format::Markdown => as_markdown(runs, &findings, plan),
        Format::Json => as_json(runs, &findings, plan),
        Format::Csv => as_csv(&findings),
    };
    let past_limit = findings.comparisons.iter().any(|one| one.past_limit == Some(true));
    Ok(Report { text, past_limit, undone: undone(runs, &findings, plan) })
}

fn undone(runs: &Runs, findings: &Findings, plan: &Plan) -> Option<Error> {
    let missing = runs.missing(plan);
    if runs.interrupted {
        return Some(
            Error::new(ErrorKind::Input, format!("stopped with {missing} of {} runs to go", 2 * plan.rounds))
                .because("a signal asked for it")
                .remedy("take what was compared as a hint, or run again"),
        );
    }
    if missing > 0 {
        return Some(
            Error::new(ErrorKind::Input, format!("{missing} of {} runs are missing", 2 * plan.rounds))
                .because("they gave no complete record, however often they were tried")
                .remedy("see the report for why, and run that bench binary alone"),
        );
    }
    let limit = plan.limit?;
    let unjudged = findings.comparisons.iter().filter(|one| one.past_limit.is_none()).count();
    (unjudged > 0).then(|| {
        Error::new(ErrorKind::Usage, format!("--limit {limit} cannot be judged of {unjudged} benchmarks"))
            .because("they have no figure in its unit")
            .remedy("give the limit in %")
    })
}

/// What a row of a table says, cell by cell.
struct Cells {
    before: String,
    after: String,
    difference: String,
    agree: String,
    spread: String,
    ratio: String,
    verdict: String,
}

fn cells(one: &Comparison) -> Cells {
    const NOTHING: &str = "-";
    let compared = &one.compared;
    let widths = Side::BOTH.map(|side| {
        let runs = || one.runs.of(side).iter().flatten().copied();
        runs().fold(f64::NEG_INFINITY, f64::max) - runs().fold(f64::INFINITY, f64::min)
    });
    let digits = decimals(compared.shift.median_before, widths[0].max(widths[1]));
    let cost = |side: Side, median: f64| one.below.of(side).clone().unwrap_or_else(|| fixed(median, digits));
    let shown_unless = |hidden: bool, text: String| if hidden { NOTHING.to_owned() } else { text };
    let ratio = compared.ratio.as_ref().filter(|_| one.has_ratio());
    Cells {
        before: cost(Side::Before, compared.shift.median_before),
        after: cost(Side::After, compared.shift.median_after),
        difference: shown_unless(one.is_below(), signed(compared.shift.delta, digits)),
        agree: shown_unless(one.is_below(), compared.agreement()),
        spread: fixed(compared.spread_pct.before.max(compared.spread_pct.after), 1),
        ratio: ratio.map_or_else(
            || NOTHING.to_owned(),
            |ratio| {
                let digits = decimals(ratio.ratio.estimate, ratio.ratio.width()).max(2);
                fixed(ratio.ratio.estimate, digits)
            },
        ),
        verdict: one.verdict(),
    }
}

/// The benchmarks by unit, most of them in cycles.
fn by_unit(findings: &Findings) -> Vec<(Unit, Vec<&Comparison>)> {
    [Unit::Cycles, Unit::Ticks, Unit::Nanos]
        .into_iter()
        .map(|unit| (unit, findings.comparisons.iter().filter(|one| one.unit == unit).collect::<Vec<_>>()))
        .filter(|(_, of_unit)| !of_unit.is_empty())
        .collect()
}

/// What the table has no room for: of all that differ, the whole difference; of all that did not settle, how many runs.
fn sentences(findings: &Findings) -> Vec<String> {
    let mut sentences = Vec::new();
    for one in &findings.comparisons {
        if one.compared.differs() && !one.is_below() {
            let ratio = one.compared.ratio_phrase().filter(|_| one.has_ratio());
            sentences.push(format!(
                "{}: {}{}",
                one.id,
                one.compared.shift.headline(one.unit.name()),
                ratio.map_or_else(String::new, |ratio| format!(", {ratio}"))
            ));
        }
        for side in Side::BOTH {
            if let Some((verdict, count)) = one.unsettled.of(side) {
                let all = one.runs.of(side).iter().flatten().count();
                sentences.push(format!("{}: {verdict} in {count} of {all} runs {}", one.id, side.name()));
            }
        }
    }
    sentences
}

fn head(runs: &Runs, plan: &Plan) -> Vec<String> {
    let mut head: Vec<String> = Side::BOTH
        .iter()
        .map(|side| {
            let there = runs.records.of(*side).iter().flatten().count();
            let program = runs.programs.of(*side).to_string_lossy();
            format!("{:<7} {program}, {there} of {} runs", side.name(), plan.rounds)
        })
        .collect();
    let order: String =
        runs.firsts.iter().map(|first| if *first == Side::Before { "AB " } else { "BA " }).collect();
    head.push(format!("order   {}(seed {})", elided_order(&order), plan.seed));
    head
}

/// The first rounds of an order tell how it goes on.
fn elided_order(order: &str) -> String {
    const SHOWN: usize = 12 * 3;
    match order.get(..SHOWN) {
        Some(start) if order.len() > SHOWN => format!("{start}... "),
        _ => order.to_owned(),
    }
}

fn as_text(runs: &Runs, findings: &Findings, plan: &Plan) -> String {
    let mut page = String::new();
    let paragraph = |page: &mut String, text: &str, indent: &str| {
        for (at, line) in text::wrap(&text::inert(text), WIDTH - indent.len()).iter().enumerate() {
            let _ = writeln!(page, "{}{line}", if at == 0 { "" } else { indent });
        }
    };
    if runs.interrupted {
        paragraph(&mut page, "INCOMPLETE: the comparison was stopped; only the runs below were made.", "  ");
        page.push('\n');
    }
    for line in head(runs, plan) {
        // Not wrapped by words: the columns of the head stay.
        let _ = writeln!(page, "{}", text::elide(&text::inert(&line), WIDTH));
    }
    for (unit, of_unit) in by_unit(findings) {
        let unit = unit.name();
        let table = Table {
            head: vec![
                ("benchmark", ""),
                ("before", unit),
                ("after", unit),
                ("difference", unit),
                ("agree", ""),
                ("spread", "%"),
                ("ratio", ""),
                ("verdict", ""),
            ],
            rows: of_unit
                .iter()
                .map(|one| {
                    let cells = cells(one);
                    vec![
                        text::inert(&one.id),
                        cells.before,
                        cells.after,
                        cells.difference,
                        cells.agree,
                        cells.spread,
                        cells.ratio,
                        cells.verdict,
                    ]
                })
                .collect(),
        };
        page.push('\n');
        for line in table.lines(WIDTH) {
            let _ = writeln!(page, "{line}");
        }
    }
    let mut blocks = vec![sentences(findings)];
    blocks.push(
        Side::BOTH
            .iter()
            .flat_map(|side| {
                findings.only.of(*side).iter().map(move |id| format!("only {}: {id}", side.name()))
            })
            .collect(),
    );
    let incomplete = runs.incomplete.iter().map(|run| format!("incomplete: {run}"));
    blocks.push(incomplete.chain(findings.notes.iter().map(|note| format!("note: {note}"))).collect());
    for block in blocks.iter().filter(|block| !block.is_empty()) {
        page.push('\n');
        for line in block {
            paragraph(&mut page, line, "  ");
        }
    }
    page
}

fn as_markdown(runs: &Runs, findings: &Findings, plan: &Plan) -> String {
    let mut page = String::new();
    if runs.interrupted {
        page.push_str("**INCOMPLETE**: the comparison was stopped; only the runs below were made.\n\n");
    }
    for line in head(runs, plan) {
        let _ = writeln!(page, "- {}", markdown(&line));
    }
    for (unit, of_unit) in by_unit(findings) {
        let unit = unit.name();
        page.push('\n');
        let head = [
            "benchmark".to_owned(),
            format!("before ({unit})"),
            format!("after ({unit})"),
            format!("difference ({unit})"),
            "agree".to_owned(),
            "spread (%)".to_owned(),
            "ratio".to_owned(),
            "verdict".to_owned(),
        ];
        page.push_str(&markdown_row(&head));
        page.push_str("|---|--:|--:|--:|--:|--:|--:|---|\n");
        for one in of_unit {
            let cells = cells(one);
            page.push_str(&markdown_row(&[
                markdown(&one.id),
                markdown(&cells.before),
                markdown(&cells.after),
                cells.difference,
                cells.agree,
                cells.spread,
                cells.ratio,
                cells.verdict,
            ]));
        }
    }
    let mut remarks = sentences(findings);
    for side in Side::BOTH {
        remarks.extend(findings.only.of(side).iter().map(|id| format!("only {}: {id}", side.name())));
    }
    remarks.extend(runs.incomplete.iter().map(|run| format!("incomplete: {run}")));
    remarks.extend(findings.notes.iter().map(|note| format!("note: {note}")));
    if !remarks.is_empty() {
        page.push('\n');
    }
    for remark in remarks {
        let _ = writeln!(page, "- {}", markdown(&remark));
    }
    page
}

fn as_json(runs: &Runs, findings: &Findings, plan: &Plan) -> String {
    let benchmarks: Vec<Value> = findings.comparisons.iter().map(benchmark_json).collect();
    let side = |side: Side| {
        json!({
            "program": runs.programs.of(side).to_string_lossy(),
            "runs": runs.records.of(side).iter().flatten().count(),
        })
    };
    let report = json!({
        "schema": "fencepost-ab/1",
        "compared": "benches",
        "complete": !runs.interrupted && runs.missing(plan) == 0,
        "rounds": plan.rounds,
        "seed": plan.seed,
        "first": runs.firsts.iter().map(|side| side.name()).collect::<Vec<_>>(),
        "limit": plan.limit.map(|limit| limit.to_string()),
        "before": side(Side::Before),
        "after": side(Side::After),
        "benchmarks": benchmarks,
        "only_before": findings.only.before,
        "only_after": findings.only.after,
        "incomplete": runs.incomplete,
        "notes": findings.notes,
    });
    format!("{report}\n")
}

fn benchmark_json(one: &Comparison) -> Value {
    let compared = &one.compared;
    let ratio = compared.ratio.filter(|_| one.has_ratio());
    let unsettled = |side: Side| one.unsettled.of(side).map_or(0, |(_, count)| count);
    json!({
        "id": one.id,
        "kind": one.kind.as_str(),
        "unit": one.unit.name(),
        "before": one.runs.before,
        "after": one.runs.after,
        "median_before": compared.shift.median_before,
        "median_after": compared.shift.median_after,
        "difference": compared.shift.delta,
        "difference_pct": compared.shift.pct,
        "agreeing": compared.shift.agreeing,
        "pairs": compared.shift.pairs,
        "chance": compared.chance,
        "spread_before_pct": compared.spread_pct.before,
        "spread_after_pct": compared.spread_pct.after,
        "ratio": ratio.map(|ratio| ratio.ratio.estimate),
        "ratio_lo": ratio.map(|ratio| ratio.ratio.lo),
        "ratio_hi": ratio.map(|ratio| ratio.ratio.hi),
        "ratio_coverage": ratio.map(|ratio| ratio.coverage),
        "headline": compared.shift.headline(one.unit.name()),
        "class": compared.grade.as_str(),
        "verdict": if one.is_below() { "below resolution" } else { compared.verdict() },
        "below_resolution_before": one.below.before.is_some(),
        "below_resolution_after": one.below.after.is_some(),
        "unsettled_before": unsettled(Side::Before),
        "unsettled_after": unsettled(Side::After),
        "past_limit": one.past_limit,
    })
}

fn as_csv(findings: &Findings) -> String {
    let mut page = String::from(
        "id,kind,unit,median_before,median_after,difference,difference_pct,agreeing,pairs,chance,spread_before_pct,\
         spread_after_pct,ratio,ratio_lo,ratio_hi,ratio_coverage,class,verdict,past_limit\n",
    );
    for one in &findings.comparisons {
        let value = benchmark_json(one);
        let columns = [
            "id",
            "kind",
            "unit",
            "median_before",
            "median_after",
            "difference",
            "difference_pct",
            "agreeing",
            "pairs",
            "chance",
            "spread_before_pct",
            "spread_after_pct",
            "ratio",
            "ratio_lo",
            "ratio_hi",
            "ratio_coverage",
            "class",
            "verdict",
            "past_limit",
        ];
        let fields: Vec<String> = columns.iter().map(|column| json_field(&value[*column])).collect();
        let _ = writeln!(page, "{}", fields.join(","));
    }
    for side in Side::BOTH {
        for id in findings.only.of(side) {
            // The verdict is the last column but one.
            let _ = writeln!(page, "{}{}only {},", csv_field(id), ",".repeat(17), side.name());
        }
    }
    page
}

/// A JSON value as one field of a CSV line; null is empty.
pub(crate) fn json_field(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => csv_field(text),
        other => other.to_string(),
    }
}
