//! How does a run read? The record's own page, and below it what a suite knows besides: costs per element, relative costs, counters.

use super::rates::{rate, related, scaled, share};
use super::run::Measured;
use super::terminal::Style;
use crate::order;
use crate::record::{
    self, BenchmarkResult, Placement, Rounding, Table, Verdict, inert, significant, text, wrap,
};

const NOTHING: &str = "-";

/// The page of a run, at most `width` columns wide.
pub(super) fn page(measured: &Measured, width: usize, verbose: bool, color: bool) -> String {
    let results = &measured.record.results;
    let mut page = text::render(&measured.record, width);
    for line in remarks_on_loops(results).iter().flat_map(|remark| wrap(remark, width.max(text::MIN_WIDTH))) {
        page.push_str(&line);
        page.push('\n');
    }
    let mut add = |title: &str, table: Table| {
        if !table.rows.is_empty() {
            page.push_str(&format!("\n{title}\n"));
            for line in table.lines(width.max(text::MIN_WIDTH)) {
                page.push_str(&line);
                page.push('\n');
            }
        }
    };
    add("the timed loops and the model", predictions(results));
    for (key, unit, name) in [("elements", "elem", "element"), ("bytes", "B", "byte")] {
        add(&format!("per {name}"), per_unit(results, key, unit));
    }
    add("asked of the allocator per operation", super::usage::allocations(results));
    let pairs = related(results, &measured.groups);
    for first in 0..results.len() {
        let members: Vec<usize> = pairs.iter().filter(|pair| pair.1 == first).map(|pair| pair.0).collect();
        if members.len() > 1 {
            add(&format!("relative to {}", inert(&results[first].id)), relative(results, first, &members));
        }
    }
    add("counters", counters(measured));
    if verbose {
        add("how the results came about", details(results));
        add("by the start of the loop", by_start(results));
        add("resources of the run", super::usage::resources(&measured.record));
        add("settings", settings(measured));
    }
    if color { painted(&page) } else { page }
}

/// One line a result.
pub(super) fn terse(results: &[BenchmarkResult]) -> String {
    results.iter().map(|result| format!("{}\n", record::line(result))).collect()
}

/// What was found in the timed loops, and why a model and a measurement differ.
fn remarks_on_loops(results: &[BenchmarkResult]) -> Vec<String> {
    let mut remarks = Vec::new();
    for result in results {
        let id = inert(&result.id);
        let findings = result.decoded.iter().flat_map(|decoded| &decoded.findings);
        remarks.extend(findings.map(|finding| format!("{id}: {}", inert(finding))));
        let reason =
            result.prediction.as_ref().and_then(|prediction| Some((prediction, prediction.reason.as_ref()?)));
        if let Some((prediction, reason)) = reason {
            let model = format!("{} {} {}", prediction.model, prediction.version, prediction.cpu);
            remarks.push(format!("{id}: {}: {}: {}", inert(&model), prediction.verdict, inert(reason)));
        }
    }
    remarks
}

fn predictions(results: &[BenchmarkResult]) -> Table {
    let head = vec![
        ("benchmark", ""),
        ("instr", "per op"),
        ("IPC", ""),
        ("measured", ""),
        ("predicted", "cyc"),
        ("uops", ""),
        ("verdict", ""),
    ];
    let figure = |value: Option<f64>| value.map_or_else(|| NOTHING.to_owned(), |value| format!("{value:.2}"));
    let rows = results.iter().filter_map(|result| {
        let decoded = result.decoded.as_ref()?;
        let prediction = result.prediction.as_ref();
        Some(vec![
            inert(&result.id),
            // One round of an inner loop is less than a turn executes.
            figure(Some(decoded.instructions).filter(|_| decoded.obstacle.is_none())),
            figure(decoded.ipc),
            record::cost(result),
            figure(prediction.and_then(|prediction| prediction.cycles)),
            figure(prediction.and_then(|prediction| prediction.uops)),
            prediction.map_or_else(|| NOTHING.to_owned(), |prediction| prediction.verdict.to_string()),
        ])
    });
    Table { head, rows: rows.collect() }
}

fn per_unit(results: &[BenchmarkResult], key: &str, unit: &str) -> Table {
    let head = vec![("benchmark", ""), ("count", ""), ("per op", ""), ("each", ""), ("rate", "")];
    let rows = results.iter().filter_map(|result| {
        let count = *result.counters.get(key)?;
        Some(vec![
            inert(&result.id),
            format!("{count} {unit}"),
            record::cost(result),
            record::cost(&scaled(result, 1.0 / count)),
            rate(result, count, unit).unwrap_or_else(|| NOTHING.to_owned()),
        ])
    });
    Table { head, rows: rows.collect() }
}

fn relative(results: &[BenchmarkResult], first: usize, members: &[usize]) -> Table {
    let head = vec![("benchmark", ""), ("cost", ""), ("relative cost", ""), ("verdict", "")];
    let rows = members.iter().map(|&at| {
        let share = if at == first {
            Some("100 %".to_owned()).filter(|_| !results[at].below_resolution)
        } else {
            share(&results[at], &results[first])
        };
        vec![
            inert(&results[at].id),
            record::cost(&results[at]),
            share.unwrap_or_else(|| NOTHING.to_owned()),
            results[at].verdict.to_string(),
        ]
    });
    Table { head, rows: rows.collect() }
}

fn counters(measured: &Measured) -> Table {
    let head = vec![("benchmark", ""), ("value", ""), ("counter", "")];
    let mut rows = Vec::new();
    for (result, names) in measured.record.results.iter().zip(&measured.counters) {
        for name in names {
            let value = result.counters.get(name).copied().unwrap_or(f64::NAN);
            rows.push(vec![inert(&result.id), value.to_string(), inert(name)]);
        }
    }
    Table { head, rows }
}

fn details(results: &[BenchmarkResult]) -> Table {
    let head = vec![
        ("benchmark", ""),
        ("min", "cyc"),
        ("median", "cyc"),
        ("spread", "%"),
        ("floor", "cyc"),
        ("slice", "calls"),
        ("clean", ""),
        ("time", "s"),
    ];
    let figure = |value: Option<f64>| {
        value.filter(|value| value.is_finite()).map_or_else(
            || NOTHING.to_owned(),
            |value| if value == 0.0 { "0".to_owned() } else { significant(value, 3, Rounding::Nearest) },
        )
    };
    let rows = results.iter().map(|result| {
        let cycles = result.cycles.as_ref();
        vec![
            inert(&result.id),
            figure(cycles.map(|cycles| cycles.min)),
            figure(cycles.map(|cycles| cycles.median)),
            figure(cycles.map(|cycles| cycles.spread_pct)),
            figure(result.loop_floor_cycles),
            result.slice_iterations.to_string(),
            format!("{} of {}", result.samples.clean, result.samples.total),
            format!("{:.2}", result.elapsed_secs),
        ]
    });
    Table { head, rows: rows.collect() }
}

/// Each place of each loop.
fn by_start(results: &[BenchmarkResult]) -> Table {
    let head = vec![("benchmark", ""), ("modulo 64", ""), ("from", ""), ("to", ""), ("verdict", "")];
    let rows = results.iter().filter_map(|result| Some((result, result.placements.as_ref()?)));
    let rows = rows.flat_map(|(result, all)| {
        let unit = if result.cycles.is_some() { "cyc" } else { "ticks" };
        let figure = move |value: f64| format!("{} {unit}", significant(value, 4, Rounding::Nearest));
        let places =
            order::by(all.each.iter().collect(), &|one: &&Placement, other| one.offset.cmp(&other.offset));
        places.into_iter().map(move |one| {
            let (from, to) = if one.verdict == Verdict::BelowResolution {
                (NOTHING.to_owned(), NOTHING.to_owned())
            } else {
                (figure(one.lo), figure(one.hi))
            };
            let offset = one.offset.map_or_else(|| NOTHING.to_owned(), |offset| offset.to_string());
            vec![inert(&result.id), offset, from, to, one.verdict.to_string()]
        })
    });
    Table { head, rows: rows.collect() }
}

fn settings(measured: &Measured) -> Table {
    let rows = measured.record.settings.iter().map(|(name, value)| {
        let value = serde_json::to_string(value).unwrap_or_default();
        vec![inert(name), inert(value.trim_matches('"'))]
    });
    Table { head: vec![("setting", ""), ("value", "")], rows: rows.collect() }
}

/// The page with its verdicts in colour where they end a line, and what is incomplete in red.
fn painted(page: &str) -> String {
    /// What stands before a verdict in a table: a gap, or the side of a pair.
    const ENDINGS: [&str; 3] = ["  ", "  latency ", "rthroughput "];
    let mut text = String::with_capacity(page.len() * 2);
    for line in page.lines() {
        let verdict = Verdict::ALL.iter().find(|verdict| {
            line.strip_suffix(verdict.to_string().as_str())
                .is_some_and(|before| ENDINGS.iter().any(|ending| before.ends_with(ending)))
        });
        if line.starts_with("INCOMPLETE") {
            text.push_str(&Style::Red.paint(line, true));
        } else if let Some(verdict) = verdict {
            let word = verdict.to_string();
            let style = if *verdict == Verdict::Converged { Style::Green } else { Style::Yellow };
            text.push_str(line.strip_suffix(&word).unwrap_or(line));
            text.push_str(&style.paint(&word, true));
        } else {
            text.push_str(line);
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::Limits;
    use crate::record::{CycleEstimate, Estimate, Kind, Record};

    fn measured() -> Measured {
        let result = |id: &str, cycles: f64| BenchmarkResult {
            id: id.to_owned(),
            kind: Kind::Routine,
            cycles: Some(CycleEstimate {
                estimate: cycles,
                lo: cycles * 0.999,
                hi: cycles * 1.001,
                ..Default::default()
            }),
            ns: Some(Estimate {
                estimate: cycles / 2.0,
                lo: Some(cycles * 0.4995),
                hi: Some(cycles * 0.5005),
            }),
            verdict: Verdict::Converged,
            ..Default::default()
        };
        let mut results = vec![result("sum/slow", 100.0), result("sum/fast", 50.0)];
        for result in &mut results {
            super::super::rates::count(result, Some(50), None);
            result.counters.insert("hits\x1b".to_owned(), 3.0);
        }
        Measured {
            record: Record { complete: true, results, ..Record::default() },
            groups: vec![Some(1), Some(1)],
            counters: vec![vec!["hits\x1b".to_owned()]; 2],
            limits: Limits::default(),
            failure: None,
        }
    }

    #[test]
    fn a_page_has_costs_per_element_relative_costs_and_counters() {
        let page = page(&measured(), 80, true, false);
        let row = |words: &[&str]| page.lines().any(|line| words.iter().all(|word| line.contains(word)));
        assert!(row(&["sum/slow", "50 elem", "100.0 cyc", "2.000 cyc", "1.000 Gelem/s"]), "{page}");
        assert!(page.contains("relative to sum/slow\n"), "{page}");
        assert!(row(&["sum/fast", "50.00 cyc", "50.0 %", "converged"]), "{page}");
        assert!(row(&["sum/fast", "3", "hits\\u{1b}"]), "{page}");
        assert!(page.lines().all(|line| record::columns(line) <= 80), "{page}");
        assert!(!page.contains('\x1b'));
    }

    #[test]
    fn colour_adds_nothing_but_escapes() {
        let plain = page(&measured(), 80, false, false);
        let mut coloured = page(&measured(), 80, false, true);
        assert!(coloured.contains("\x1b[32mconverged\x1b[0m"), "{coloured}");
        for escape in ["\x1b[32m", "\x1b[33m", "\x1b[31m", "\x1b[0m"] {
            coloured = coloured.replace(escape, "");
        }
        assert_eq!(coloured, plain);
    }
}
