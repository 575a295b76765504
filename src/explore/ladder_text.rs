//! How does a ladder read as text? A table with a plot in it, the borders, and the remarks, within 80 columns.

use std::fmt::Write as _;

use super::ladder::{Bandwidth, Ladder, Rung};
use super::levels::bytes_text;
use super::stream::Traffic;
use crate::record::Verdict;

const WIDTH: usize = 80;

impl Ladder {
    /// The ladder as text of lines of 80 columns at the most.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let small = self.rungs.iter().any(|rung| rung.small_pages.is_some());
        let claims = self.rungs.iter().any(|rung| rung.cycles.is_some());
        let _ = writeln!(
            text,
            "load-to-use latency by working set (random cycle of lines, {} pages)",
            self.pages
        );
        let unit = if claims { "cyc" } else { "ticks" };
        let mut head = format!("{:>9}  {:<5} {unit:>8} {:>8}", "bytes", "level", "ns");
        if small {
            let _ = write!(head, " {:>8}", "cyc 4K");
        }
        let _ = writeln!(text, "{head}");
        let room = WIDTH - head.len() - 4;
        let costs: Vec<f64> = self.rungs.iter().map(cost).collect();
        let most = costs.iter().copied().filter(|cost| cost.is_finite()).fold(1.0, f64::max);
        for (rung, cost) in self.rungs.iter().zip(&costs) {
            let mut line = format!(
                "{:>9}  {:<5} {:>8} {:>8}",
                bytes_text(rung.bytes),
                rung.level.to_string(),
                figure(Some(*cost)),
                figure(rung.ns)
            );
            if small {
                let _ = write!(line, " {:>8}", figure(rung.small_pages));
            }
            let mark = if rung.verdict == Verdict::Contended { "<=" } else { "  " };
            let _ = writeln!(text, "{line} {mark} {}", bar(*cost, most, room.saturating_sub(1)));
        }
        text.push_str("(the bars are logarithmic; <= marks an upper bound)\n");
        if !self.bandwidth.is_empty() {
            self.bandwidth_text(&mut text);
        }
        text.push('\n');
        for cache in &self.caches {
            paragraph(&mut text, &cache.sentence);
        }
        for note in &self.notes {
            paragraph(&mut text, note);
        }
        text
    }

    fn bandwidth_text(&self, text: &mut String) {
        text.push_str("\nbandwidth by working set\n");
        let _ = writeln!(text, "{:>9}  {:>20}  {:>20}  {:>20}", "bytes", "read", "write", "copy");
        let _ = writeln!(
            text,
            "{:>9}  {:>10} {:>9}  {:>10} {:>9}  {:>10} {:>9}",
            "", "B/cyc", "GB/s", "B/cyc", "GB/s", "B/cyc", "GB/s"
        );
        let mut sizes: Vec<u64> = self.bandwidth.iter().map(|one| one.bytes).collect();
        sizes.dedup();
        for bytes in sizes {
            let mut line = format!("{:>9}", bytes_text(bytes));
            for traffic in Traffic::ALL {
                let one: Option<&Bandwidth> =
                    self.bandwidth.iter().find(|one| one.bytes == bytes && one.traffic == traffic);
                let _ = write!(
                    line,
                    "  {:>10} {:>9}",
                    figure(one.and_then(|one| one.per_cycle)),
                    figure(one.and_then(|one| one.gigabytes_per_sec))
                );
            }
            let _ = writeln!(text, "{line}");
        }
        text.push_str("(one core; plain stores; a byte copied counts once)\n");
    }
}

fn cost(rung: &Rung) -> f64 {
    rung.cycles.map_or(rung.ticks, |(cycles, ..)| cycles)
}

/// Three digits or so, which is what a ladder's precision supports.
fn figure(value: Option<f64>) -> String {
    match value.filter(|value| value.is_finite()) {
        None => "-".to_owned(),
        Some(value) if value < 10.0 => format!("{value:.2}"),
        Some(value) if value < 100.0 => format!("{value:.1}"),
        Some(value) => format!("{value:.0}"),
    }
}

fn bar(cost: f64, most: f64, room: usize) -> String {
    if cost.is_nan() || cost <= 0.0 || most <= 1.0 {
        return String::new();
    }
    let share = ((1.0 + cost).ln() / (1.0 + most).ln()).clamp(0.0, 1.0);
    "#".repeat(((share * room as f64).round() as usize).max(1))
}

/// `words`, wrapped.
fn paragraph(text: &mut String, words: &str) {
    let mut column = 0;
    for word in words.split_whitespace() {
        let long = word.chars().count();
        if column > 0 && column + 1 + long > WIDTH {
            text.push_str("\n  ");
            column = 2;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += long;
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::super::levels::Level;
    use super::super::pages::PageSize;
    use super::*;

    #[test]
    fn every_line_fits_whatever_the_numbers_are() {
        let rung = |bytes, cycles: f64, small_pages| Rung {
            bytes,
            cycles: Some((cycles, cycles, cycles)),
            ns: Some(cycles / 3.0),
            ticks: cycles,
            verdict: Verdict::Contended,
            small_pages,
            level: Level::Cache(1),
        };
        let one = |bytes, traffic| Bandwidth {
            bytes,
            traffic,
            per_cycle: Some(64.0),
            gigabytes_per_sec: Some(123_456.0),
            verdict: Verdict::Converged,
        };
        let mut ladder = Ladder {
            rungs: vec![rung(1024, 5.0, Some(5.0)), rung(3 << 40, 1e6, None), rung(1536, f64::NAN, None)],
            bandwidth: Traffic::ALL.map(|traffic| one(1 << 20, traffic)).to_vec(),
            borders: Vec::new(),
            caches: Vec::new(),
            pages: PageSize::Huge,
            notes: vec!["a word and ".repeat(30)],
        };
        let text = ladder.to_text();
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.contains("1.5 KiB") && text.contains("3072 GiB"), "{text}");
        ladder.rungs.clear();
        ladder.bandwidth.clear();
        assert!(ladder.to_text().lines().all(|line| line.chars().count() <= WIDTH));
    }
}
