//! How do sweeps, factor experiments and counted events read? Tables, plots of a bar a line, and sentences.

use super::digits::{Rounding, last_place, rounded, significant};
use super::explored::{Events, FactorEffect, FactorsOutcome, SweepOutcome, SweepPoint};
use super::inert::{elide, inert, wrap};
use super::model::{BenchmarkResult, Estimate};
use super::table::Table;

const NOTHING: &str = "-";
/// Fewer cells than this make no bar worth drawing.
const BAR_AT_LEAST: usize = 8;
const BAR_AT_MOST: usize = 40;

/// A size as one reads it: `48 KiB`, `1.5 MiB`, `100 B`.
pub(crate) fn size_text(bytes: u64) -> String {
    let (scale, unit) = match bytes {
        0..1024 => return format!("{bytes} B"),
        1024..0x10_0000 => (1024.0, "KiB"),
        0x10_0000..0x4000_0000 => (1024.0 * 1024.0, "MiB"),
        _ => (1024.0 * 1024.0 * 1024.0, "GiB"),
    };
    let value = bytes as f64 / scale;
    let digits = usize::from((value * 10.0).round() % 10.0 != 0.0);
    format!("{value:.digits$} {unit}")
}

/// The number with the digits that its interval supports.
fn figure(of: &Estimate) -> String {
    if !of.estimate.is_finite() {
        return NOTHING.to_owned();
    }
    let (lo, hi) = of.ends();
    rounded(of.estimate, last_place(of.estimate, Some((hi - lo).abs())), Rounding::Nearest)
}

impl SweepOutcome {
    /// Cost by size, the ratio of two candidates, a plot and the verdict, in lines of `width` columns at the most.
    ///
    /// The bars are as long as the ratio where there are two candidates, else as the cost; the longest is the largest.
    pub fn lines(&self, width: usize) -> Vec<String> {
        let two = self.points.iter().any(|point| point.ratio.is_some());
        let told = !self.points.is_empty() && self.points.iter().all(|point| point.bytes.is_some());
        let name = inert(&self.name);
        let mut lines = wrap(
            &format!(
                "{name}: {} per {} by {}",
                inert(&self.unit),
                inert(&self.per),
                if told { "working set" } else { "size" }
            ),
            width,
        );
        let height = |point: &SweepPoint| {
            // Of a pair of which one was filtered out, the other.
            let of = if two { point.ratio.as_slice() } else { &point.costs };
            of.iter().map(|of| of.estimate).find(|of| of.is_finite() && *of > 0.0).unwrap_or(0.0)
        };
        let size = |point: &SweepPoint| match point.bytes.filter(|_| told) {
            Some(bytes) => size_text(bytes),
            None => elide(&inert(&point.size), 16),
        };
        let mut head = vec![if told { "bytes" } else { "size" }.to_owned()];
        if told {
            head.push("level".to_owned());
        }
        let names: Vec<String> = match &self.candidates[..] {
            [] => vec!["cost".to_owned()],
            some => some.iter().map(|one| elide(&inert(one), 14)).collect(),
        };
        head.extend(names.iter().cloned());
        if two {
            head.push("ratio".to_owned());
        }
        let mut rows = vec![head];
        for point in &self.points {
            let mut row = vec![size(point)];
            if told {
                row.push(point.level.as_deref().map_or_else(|| NOTHING.to_owned(), inert));
            }
            row.extend(
                (0..names.len()).map(|at| point.costs.get(at).map_or_else(|| NOTHING.to_owned(), figure)),
            );
            if two {
                row.push(point.ratio.as_ref().map_or_else(|| NOTHING.to_owned(), figure));
            }
            rows.push(row);
        }
        let widths: Vec<usize> = (0..rows[0].len())
            .map(|at| rows.iter().map(|row| super::inert::columns(&row[at])).max().unwrap_or(0))
            .collect();
        let taken: usize = widths.iter().map(|width| width + 2).sum();
        let room = width.saturating_sub(taken).min(BAR_AT_MOST);
        let most = self.points.iter().map(height).fold(0.0, f64::max);
        for (at, row) in rows.iter().enumerate() {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                let padding = " ".repeat(width.saturating_sub(super::inert::columns(cell)));
                line.push_str(&format!("{padding}{cell}  "));
            }
            if let Some(point) = at.checked_sub(1).and_then(|at| self.points.get(at))
                && room >= BAR_AT_LEAST
                && most > 0.0
            {
                line.push_str(&"#".repeat((room as f64 * height(point) / most).round() as usize));
            }
            let line = line.trim_end();
            // Names of candidates are short enough for the narrowest page; this is for sizes that are not.
            lines.push(elide(line, width));
        }
        if let Some(verdict) = &self.verdict {
            let words = format!("{name}: {}. {}", inert(verdict), inert(&self.reasons.join(" ")));
            lines.extend(wrap(&words, width));
        }
        lines
    }
}

impl FactorsOutcome {
    /// Costs, effects and warnings, in lines of `width` columns at the most.
    pub fn lines(&self, width: usize) -> Vec<String> {
        let mut lines = wrap(&format!("{}: {} combinations", inert(&self.name), self.cells.len()), width);
        let rows = self.cells.iter().map(|cell| {
            let named: Vec<String> = self
                .factors
                .iter()
                .zip(&cell.levels)
                .map(|(factor, level)| format!("{} {}", inert(&factor.name), inert(level)))
                .collect();
            vec![String::new(), format!("{} {}", figure(&cell.cost), inert(&self.unit)), named.join(", ")]
        });
        let table = Table { head: vec![("", ""), ("cost", ""), ("combination", "")], rows: rows.collect() };
        lines.extend(table.lines(width));
        if self.main.len() + self.interactions.len() > 0 {
            lines.extend(wrap("effects, against the first level of each factor", width));
        }
        let room = width.saturating_sub(2);
        for effect in self.main.iter().chain(&self.interactions) {
            lines.extend(wrap(&self.sentence(effect), room).iter().map(|line| format!("  {line}")));
        }
        for warning in &self.warnings {
            lines.extend(wrap(&format!("Warning: {}", inert(warning)), width));
        }
        lines
    }

    /// An effect in words.
    pub fn sentence(&self, effect: &FactorEffect) -> String {
        let changes: Vec<String> = effect
            .of
            .iter()
            .map(|change| format!("{} {}", inert(&change.factor), inert(&change.level)))
            .collect();
        let kind = if effect.of.len() > 1 { " beyond the sum of both" } else { "" };
        let told = if effect.is_told() { "" } else { ": not told from nothing" };
        let place = last_place(effect.adds, Some((effect.hi - effect.lo).abs()));
        let signed = |value: f64, rounding| {
            let sign = if value > 0.0 { "+" } else { "" };
            format!("{sign}{}", rounded(value, place, rounding))
        };
        format!(
            "{}: {} {} ({} to {}){kind}{told}",
            changes.join(" and "),
            signed(effect.adds, Rounding::Nearest),
            inert(&self.unit),
            signed(effect.lo, Rounding::Down),
            signed(effect.hi, Rounding::Up)
        )
    }
}

impl FactorEffect {
    /// The interval does not hold 0.
    pub fn is_told(&self) -> bool {
        self.lo > 0.0 || self.hi < 0.0
    }
}

impl Events {
    /// Each event with its count an operation.
    fn row(&self) -> String {
        /// Less than this many an operation is what the two runs differ by anyway.
        const NONE: f64 = 5e-4;
        let counts = self.per_op.iter().map(|(name, count)| {
            let count = if count.abs() < NONE {
                "0".to_owned()
            } else if count.is_finite() {
                significant(*count, 3, Rounding::Nearest)
            } else {
                NOTHING.to_owned()
            };
            format!("{} {count}", inert(name))
        });
        counts.collect::<Vec<_>>().join(", ")
    }
}

/// What was counted of each result, and what it means.
pub(super) fn events(results: &[BenchmarkResult]) -> (Table, Vec<String>) {
    let mut rows = Vec::new();
    let mut remarks = Vec::new();
    for result in results {
        let Some(events) = &result.events else { continue };
        if !events.per_op.is_empty() {
            rows.push(vec![inert(&result.id), events.row()]);
        }
        let id = inert(&result.id);
        remarks.extend(events.reading.iter().map(|reading| format!("{id}: {}", inert(reading))));
        remarks.extend(
            events
                .ruler_off_pct
                .iter()
                .map(|off| format!("{id}: timed, it costs {off:+.2} % against the cycles that were counted")),
        );
        remarks.extend(events.notes.iter().map(|note| format!("{id}: {}", inert(note))));
    }
    (Table { head: vec![("benchmark", ""), ("events an operation", "")], rows }, remarks)
}

#[cfg(test)]
mod tests {
    use super::super::explored::{FactorCell, FactorChange, FactorLevels};
    use super::super::inert::columns;
    use super::*;

    fn about(estimate: f64) -> Estimate {
        Estimate { estimate, lo: Some(estimate * 0.99), hi: Some(estimate * 1.01) }
    }

    fn point(bytes: Option<u64>, costs: &[f64]) -> SweepPoint {
        SweepPoint {
            size: "a size with a long name".to_owned(),
            bytes,
            level: bytes.map(|_| "L1".to_owned()),
            costs: costs.iter().map(|cost| about(*cost)).collect(),
            ratio: (costs.len() == 2).then(|| about(costs[1] / costs[0])),
            ..SweepPoint::default()
        }
    }

    #[test]
    fn a_sweep_has_bars_by_ratio_and_fits_its_page() {
        let sweep = SweepOutcome {
            name: "sum\x1b".to_owned(),
            unit: "cyc".to_owned(),
            per: "element".to_owned(),
            candidates: vec!["plain".to_owned(), "a candidate with a name that is too long".to_owned()],
            points: vec![
                point(Some(1024), &[1.0, 2.0]),
                point(Some(3 << 20), &[1.5, 12.0]),
                point(Some(5), &[f64::NAN, 1.0]),
            ],
            verdict: Some("cache".to_owned()),
            reasons: vec!["It waits.".to_owned(); 12],
        };
        for width in [60, 80, 200] {
            let lines = sweep.lines(width);
            assert!(lines.iter().all(|line| columns(line) <= width && !line.contains('\x1b')), "{lines:#?}");
            let bar = |word: &str| {
                lines.iter().find(|line| line.contains(word)).map(|line| line.matches('#').count()).unwrap()
            };
            assert!(
                bar("3 MiB") >= 4 * bar("1 KiB") - 2 && bar("1 KiB") > 0 && bar("5 B") == 0,
                "{lines:#?}"
            );
            assert!(lines.iter().any(|line| line.contains("cache. It waits.")));
        }
    }

    #[test]
    fn one_candidate_without_bytes_is_shown_by_size() {
        let sweep = SweepOutcome {
            points: vec![point(None, &[1.0]), point(None, &[4.0])],
            ..SweepOutcome::default()
        };
        let lines = sweep.lines(80);
        assert!(
            lines[1].contains("size") && lines[1].contains("cost") && !lines[1].contains("level"),
            "{lines:#?}"
        );
        assert!(lines[3].matches('#').count() >= 4 * lines[2].matches('#').count() - 2, "{lines:#?}");
        assert!(SweepOutcome::default().lines(80).len() >= 2);
    }

    #[test]
    fn effects_are_sentences_and_what_is_not_told_says_so() {
        let change = |factor: &str| FactorChange { factor: factor.to_owned(), level: "two".to_owned() };
        let effect = |of: Vec<FactorChange>, adds: f64, half: f64| FactorEffect {
            of,
            adds,
            lo: adds - half,
            hi: adds + half,
            factor: None,
            settings: 2,
        };
        let outcome = FactorsOutcome {
            name: "walk".to_owned(),
            unit: "cyc".to_owned(),
            factors: vec![FactorLevels {
                name: "row".to_owned(),
                levels: vec!["one".to_owned(), "two".to_owned()],
            }],
            cells: vec![FactorCell {
                levels: vec!["one".to_owned()],
                result: "walk/one".to_owned(),
                cost: about(12.0),
            }],
            main: vec![effect(vec![change("row")], 135.0, 0.5)],
            interactions: vec![effect(vec![change("row"), change("column")], -0.2, 0.5)],
            warnings: vec!["Only a diagonal was measured.".to_owned()],
        };
        // What is broken over two lines is one sentence all the same.
        let text = outcome.lines(80).join("\n").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("row two: +135.0 cyc (+134.5 to +135.5)"), "{text}");
        assert!(text.contains("beyond the sum of both: not told from nothing"), "{text}");
        assert!(text.contains("Warning: Only a diagonal") && text.contains("row one"), "{text}");
    }

    #[test]
    fn counts_that_are_noise_are_nothing() {
        let events =
            Events { per_op: [("instructions", 11.5), ("page_faults", -1e-5)].into(), ..Events::default() };
        assert_eq!(events.row(), "instructions 11.5, page_faults 0");
    }
}
