//! How do results read in a spreadsheet? A head, then a row a result, by RFC 4180, with nothing that a spreadsheet would run.

use crate::record::Named;
use crate::record::{BenchmarkResult, CycleEstimate, Estimate};

const COLUMNS: [&str; 32] = [
    "id",
    "kind",
    "ops",
    "inputs",
    "cycles",
    "cycles_lo",
    "cycles_hi",
    "cycles_min",
    "cycles_median",
    "spread_pct",
    "ticks",
    "ticks_lo",
    "ticks_hi",
    "ns",
    "ns_lo",
    "ns_hi",
    "verdict",
    "verdict_reason",
    "upper_bound",
    "below_resolution",
    "resolution_cycles",
    "loop_floor_cycles",
    "samples",
    "clean",
    "contended",
    "drifted",
    "interrupted",
    "elapsed_secs",
    "placements_distinct",
    "placements_min",
    "placements_median",
    "placements_max",
];

/// One row a result; after the fixed columns, one column for each counter that any of them has. A number that is not known is empty.
pub(super) fn rows(results: &[BenchmarkResult]) -> String {
    let counters: Named<()> =
        results.iter().flat_map(|result| result.counters.keys().map(|name| (name.to_owned(), ()))).collect();
    let mut text = String::new();
    row(&mut text, COLUMNS.iter().map(|name| (*name).to_owned()).chain(counters.keys().map(cell)));
    for result in results {
        let counted = counters.keys().map(|name| number(result.counters.get(name).copied()));
        row(&mut text, cells(result).into_iter().chain(counted));
    }
    text
}

/// The names alone.
pub(super) fn names<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut text = String::from("id\r\n");
    for name in names {
        row(&mut text, std::iter::once(cell(name)));
    }
    text
}

fn cells(result: &BenchmarkResult) -> [String; 32] {
    let cycles = |of: fn(&CycleEstimate) -> f64| number(result.cycles.as_ref().map(of));
    let ns = |of: fn(&Estimate) -> Option<f64>| number(result.ns.as_ref().and_then(of));
    let samples = &result.samples;
    let placements = result.placements.as_ref();
    [
        cell(&result.id),
        result.kind.as_str().to_owned(),
        result.ops.to_string(),
        result.inputs.map_or_else(String::new, |inputs| inputs.to_string()),
        cycles(|cycles| cycles.estimate),
        cycles(|cycles| cycles.lo),
        cycles(|cycles| cycles.hi),
        cycles(|cycles| cycles.min),
        cycles(|cycles| cycles.median),
        cycles(|cycles| cycles.spread_pct),
        number(Some(result.ticks.estimate)),
        number(result.ticks.lo),
        number(result.ticks.hi),
        ns(|ns| Some(ns.estimate)),
        ns(|ns| ns.lo),
        ns(|ns| ns.hi),
        result.verdict.as_str().to_owned(),
        cell(result.verdict_reason.as_deref().unwrap_or_default()),
        result.upper_bound.to_string(),
        result.below_resolution.to_string(),
        number(result.resolution_cycles),
        number(result.loop_floor_cycles),
        samples.total.to_string(),
        samples.clean.to_string(),
        samples.contended.to_string(),
        samples.drifted.to_string(),
        samples.interrupted.to_string(),
        number(Some(result.elapsed_secs)),
        placements.map_or_else(String::new, |all| all.distinct.to_string()),
        number(placements.map(|all| all.min)),
        number(placements.map(|all| all.median)),
        number(placements.map(|all| all.max)),
    ]
}

fn row(text: &mut String, cells: impl Iterator<Item = String>) {
    text.push_str(&cells.collect::<Vec<_>>().join(","));
    text.push_str("\r\n");
}

fn number(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or_else(String::new, |value| value.to_string())
}

/// A text as a cell. One that a spreadsheet would take for a formula begins with a quote instead.
fn cell(text: &str) -> String {
    let runs = text.trim_start().starts_with(['=', '+', '-', '@']) || text.starts_with(['\t', '\r', '\n']);
    let text = if runs { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\n', '\r', ';']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_quoted_and_formulas_are_defused() {
        assert_eq!(cell("bit_mix/latency"), "bit_mix/latency");
        assert_eq!(cell("a \"b\", c"), "\"a \"\"b\"\", c\"");
        assert_eq!(cell("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
        assert_eq!(cell("@SUM(1,2)"), "\"'@SUM(1,2)\"");
        assert_eq!((cell("-1").as_str(), cell("+1").as_str()), ("'-1", "'+1"));
        assert_eq!(cell(" =1"), "' =1");
    }

    #[test]
    fn every_row_has_every_column_and_numbers_stay_numbers() {
        let mut one = BenchmarkResult { id: "one".to_owned(), ..Default::default() };
        one.cycles = Some(CycleEstimate { estimate: -0.25, lo: f64::NAN, ..Default::default() });
        one.counters.insert("=hits".to_owned(), 3.5);
        let two = BenchmarkResult { id: "two".to_owned(), ..Default::default() };
        let text = rows(&[one, two]);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| line.len() == COLUMNS.len() + 1), "{text}");
        let at = |name: &str| COLUMNS.iter().position(|column| *column == name).unwrap();
        assert_eq!((lines[1][at("cycles")], lines[1][at("cycles_lo")]), ("-0.25", ""));
        assert_eq!(lines[2][at("cycles")], "");
        assert_eq!([lines[0][32], lines[1][32], lines[2][32]], ["'=hits", "3.5", ""]);
    }
}
