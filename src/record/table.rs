//! How are rows aligned so that they fit a width? The first column is elided, the last one wrapped.

use super::inert::{columns, elide, wrap};

const GAP: &str = "  ";

/// The last column is not made narrower than this: the longest word of a verdict.
const LAST_AT_LEAST: usize = 10;

/// With so much room in the last column a head on one line is worth more than a verdict on one line.
const LAST_COMFORTABLE: usize = 24;

/// Rows under a head, aligned so that they fit a width. The first and the last column hold text, those between them
/// right-aligned cells. Cells are shown as they are: make text from outside [`inert`](super::text::inert) first.
///
/// ```
/// use fencepost::record::text::Table;
/// let table = Table {
///     head: vec![("benchmark", ""), ("latency", "cyc"), ("verdict", "")],
///     rows: vec![vec!["bit_mix".to_owned(), "12.0".to_owned(), "converged".to_owned()]],
/// };
/// assert_eq!(table.lines(80), ["benchmark  latency cyc  verdict", "bit_mix           12.0  converged"]);
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    /// The head in two parts, name and unit: on one line where there is room, else on two.
    pub head: Vec<(&'static str, &'static str)>,
    /// As many cells as the head has.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// The table's lines, each at most `width` columns.
    pub fn lines(&self, width: usize) -> Vec<String> {
        let one_line: Vec<String> = self.head.iter().map(|(name, unit)| joined(name, unit)).collect();
        let names: Vec<String> = self.head.iter().map(|(name, _)| (*name).to_owned()).collect();
        let units: Vec<String> = self.head.iter().map(|(_, unit)| (*unit).to_owned()).collect();
        let has_units = self.head.iter().any(|(_, unit)| !unit.is_empty());
        let mut natural = self.widths(&[&one_line]);
        if let Some(last) = natural.last_mut() {
            *last = (*last).min(LAST_COMFORTABLE);
        }
        let heads: Vec<&[String]> =
            if !has_units || total(&natural) <= width { vec![&one_line] } else { vec![&names, &units] };
        let widths = fitted(self.widths(&heads), width);
        let mut lines: Vec<String> = heads.iter().flat_map(|head| row_lines(head, &widths)).collect();
        lines.extend(self.rows.iter().flat_map(|row| row_lines(row, &widths)));
        lines
    }

    /// What each column takes if nothing is elided or wrapped.
    fn widths(&self, heads: &[&[String]]) -> Vec<usize> {
        let mut widths = vec![0; self.head.len()];
        let heads = heads.iter().copied();
        for row in heads.chain(self.rows.iter().map(Vec::as_slice)) {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = columns(cell).max(*width);
            }
        }
        widths
    }
}

fn joined(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} {unit}") }
}

/// What columns of these widths take together, gaps included.
fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1)
}

/// Takes from the first column and from the last one what the table is too wide.
fn fitted(mut widths: Vec<usize>, width: usize) -> Vec<usize> {
    let mut excess = total(&widths).saturating_sub(width);
    // First the name down to half of what the two may have, then the last column, then the name again.
    if let [first, .., last] = widths.as_mut_slice() {
        let room = (*first + *last).saturating_sub(excess);
        let mut take = |column: &mut usize, at_least: usize| {
            let taken = column.saturating_sub(at_least).min(excess);
            *column -= taken;
            excess -= taken;
        };
        take(first, room / 2);
        take(last, LAST_AT_LEAST);
        take(first, 1);
    }
    widths
}

fn row_lines(row: &[String], widths: &[usize]) -> Vec<String> {
    let last = row.len().saturating_sub(1);
    let mut line = String::new();
    let mut below = Vec::new();
    for (index, (cell, &width)) in row.iter().zip(widths).enumerate() {
        if index > 0 {
            line.push_str(GAP);
        }
        if index == last && index > 0 {
            let indent = " ".repeat(columns(&line));
            let mut wrapped = wrap(cell, width).into_iter();
            line.push_str(&wrapped.next().unwrap_or_default());
            below.extend(wrapped.map(|rest| format!("{indent}{rest}")));
        } else {
            let cell = if index == 0 { elide(cell, width) } else { cell.clone() };
            let padding = " ".repeat(width.saturating_sub(columns(&cell)));
            line.extend(if index == 0 { [cell, padding] } else { [padding, cell] });
        }
    }
    line.truncate(line.trim_end().len());
    let mut lines = vec![line];
    lines.append(&mut below);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str, verdict: &str) -> Table {
        Table {
            head: vec![("benchmark", ""), ("latency", "cyc"), ("verdict", "")],
            rows: vec![vec![name.to_owned(), "12.0".to_owned(), verdict.to_owned()]],
        }
    }

    #[test]
    fn a_head_takes_a_second_line_only_where_one_does_not_fit() {
        assert_eq!(
            table("bit_mix", "converged").lines(33),
            ["benchmark  latency cyc  verdict", "bit_mix           12.0  converged"]
        );
        assert_eq!(
            table("bit_mix", "converged").lines(32),
            ["benchmark  latency  verdict", "               cyc", "bit_mix       12.0  converged"]
        );
    }

    #[test]
    fn long_names_and_long_last_cells_share_what_room_there_is() {
        let lines = table(&"n".repeat(50), "latency contended, rthroughput below resolution").lines(40);
        assert!(lines.iter().all(|line| columns(line) <= 40), "{lines:#?}");
        assert!(lines.iter().any(|line| line.contains("nnn...nnn")), "{lines:#?}");
        assert!(lines.concat().contains("resolution"), "{lines:#?}");
    }
}
