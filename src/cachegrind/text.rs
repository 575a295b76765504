//! How do counts read? As tables of whole numbers and fractions, with the change since another run.

use super::Event;
use super::limits::Figure;
use crate::baseline::Change;
use crate::record::{BenchmarkResult, Counts, Record, Table, inert};

/// A count as text: whole ones without decimals, fractions with three at the most, and what is smaller with two digits.
///
/// ```
/// use fencepost::cachegrind::figure;
/// assert_eq!(figure(26_214_766.0), "26214766");
/// assert_eq!(figure(12.0625), "12.062");
/// assert_eq!(figure(0.00012), "1.2e-4");
/// ```
pub fn figure(value: f64) -> String {
    if value.fract() == 0.0 {
        format!("{value:.0}")
    } else if value.abs() < 0.0005 {
        format!("{value:.1e}")
    } else {
        let text = format!("{value:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

const NOTHING: &str = "-";

/// The counts per operation of all results that have some.
pub(crate) fn counted(results: &[BenchmarkResult]) -> Table {
    let branches = counts(results).any(|(_, counts)| counts.mispredictions.is_some());
    let weighted = counts(results).any(|(_, counts)| counts.weighted_cycles.is_some());
    let known = |value: Option<f64>| value.map_or_else(|| NOTHING.to_owned(), figure);
    let mut head = vec![("benchmark", ""), ("instr", ""), ("L1", ""), ("L2", ""), ("RAM", "")];
    head.extend(branches.then_some(("mispred", "")));
    head.push(("est. cyc", ""));
    head.extend(weighted.then_some(("weighted", "")));
    let rows = counts(results).map(|(id, counts)| {
        let mut row = vec![inert(id)];
        row.extend([counts.instructions, counts.l1, counts.l2, counts.ram].map(figure));
        row.extend(branches.then(|| known(counts.mispredictions)));
        row.push(figure(counts.estimated_cycles));
        row.extend(weighted.then(|| known(counts.weighted_cycles)));
        row
    });
    Table { head, rows: rows.collect() }
}

/// The first call of each in its process.
pub(crate) fn first_calls(results: &[BenchmarkResult]) -> Table {
    let head = vec![("benchmark", ""), ("instr", ""), ("L1", ""), ("L2", ""), ("RAM", ""), ("est. cyc", "")];
    let rows = counts(results).filter_map(|(id, counts)| {
        let first = counts.first.as_ref()?;
        let figures = [first.instructions, first.l1, first.l2, first.ram, first.estimated_cycles];
        Some(std::iter::once(inert(id)).chain(figures.map(|figure| figure.to_string())).collect())
    });
    Table { head, rows: rows.collect() }
}

/// All events of all operations that were counted.
pub(crate) fn in_all(results: &[BenchmarkResult]) -> Table {
    let head = vec![("benchmark", ""), ("operations", ""), ("loop instr off", ""), ("events in all", "")];
    let rows = counts(results).map(|(id, counts)| {
        let events: Vec<String> = Event::ALL
            .into_iter()
            .filter_map(|event| {
                Some((event.name(), counts.in_all.get(event.name()).filter(|count| **count > 0)?))
            })
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        let events = if events.is_empty() { "none".to_owned() } else { events.join(", ") };
        vec![inert(id), counts.operations.to_string(), counts.taken_off.to_string(), events]
    });
    Table { head, rows: rows.collect() }
}

/// What has changed since `old`: a line for each count that has, and one for each benchmark in which none has.
pub(crate) fn changes(old: &Record, new: &[BenchmarkResult]) -> Table {
    let head = vec![("benchmark", ""), ("was", ""), ("is", ""), ("change", "")];
    let mut rows = Vec::new();
    for (id, now) in counts(new) {
        let before = counts(&old.results).find(|(other, _)| *other == id);
        let Some((_, before)) = before else {
            rows.push(vec![inert(id), NOTHING.to_owned(), NOTHING.to_owned(), "new".to_owned()]);
            continue;
        };
        let rows_before = rows.len();
        for of in Figure::ALL {
            let Some((old, new)) = of.of(before).zip(of.of(now)) else { continue };
            let change = Change { old, new };
            if !change.is_none() {
                rows.push(vec![
                    inert(id),
                    figure(old),
                    figure(new),
                    format!("{} {}", of.name(), in_words(&change)),
                ]);
            }
        }
        if rows.len() == rows_before {
            let instructions = figure(now.instructions);
            rows.push(vec![inert(id), instructions.clone(), instructions, "no change".to_owned()]);
        }
    }
    Table { head, rows }
}

/// `+46.5426 %, x1.46543`.
fn in_words(change: &Change) -> String {
    let percent = change.percent_text(6);
    if !change.factor().is_finite() {
        return format!("{percent} %");
    }
    let factor = change.factor_text(6);
    match factor.strip_prefix('-') {
        Some(fewer) => format!("{percent} %, /{fewer}"),
        None => format!("{percent} %, x{}", factor.trim_start_matches('+')),
    }
}

fn counts(results: &[BenchmarkResult]) -> impl Iterator<Item = (&str, &Counts)> {
    results.iter().filter_map(|result| Some((result.id.as_str(), result.counts.as_ref()?)))
}

/// What counts license one to say.
pub(crate) fn sentence(counts: &Counts) -> String {
    format!(
        "An operation executes {} instructions under {}, which are estimated at {} cycles; how many of them a core runs at once, and \
         what it fetches ahead, is not simulated.",
        figure(counts.instructions),
        inert(&counts.tool),
        figure(counts.estimated_cycles)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(id: &str, instructions: f64) -> BenchmarkResult {
        let counts = Counts { instructions, l1: 2.0 * instructions, ..Counts::default() };
        BenchmarkResult { id: id.to_owned(), counts: Some(counts), ..BenchmarkResult::default() }
    }

    #[test]
    fn changes_are_told_by_count_and_what_did_not_change_in_one_line() {
        let old = Record { results: vec![result("a", 376.0), result("b", 5.0)], ..Record::default() };
        let table = changes(&old, &[result("a", 551.0), result("b", 5.0), result("c", 1.0)]);
        let last: Vec<&str> = table.rows.iter().map(|row| row[3].as_str()).collect();
        assert_eq!(
            last,
            ["instructions +46.5426 %, x1.46543", "l1 +46.5426 %, x1.46543", "no change", "new"]
        );
        assert_eq!(in_words(&Change { old: 3.0, new: 1.0 }), "-66.6667 %, /3.00000");
        assert_eq!(in_words(&Change { old: 0.0, new: 1.0 }), "+inf %");
    }

    #[test]
    fn figures_are_short_and_lose_no_whole_number() {
        let figures =
            [(0.0, "0"), (9.5, "9.5"), (1e15, "1000000000000000"), (0.0627, "0.063"), (1e-9, "1.0e-9")];
        for (value, text) in figures {
            assert_eq!(figure(value), text);
        }
    }
}
