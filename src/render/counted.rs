//! What does a report show of counts under Valgrind? Per operation, of the first call, in all, and of what the estimate consists.

use std::fmt::Write as _;

use plotters::prelude::Rectangle;
use plotters::style::Color as _;

use super::escape;
use super::sections::swatch;
use super::svg::{Ink, drawing};
use crate::record::{BenchmarkResult, Counts};

/// Whether a result was counted and not timed.
pub(super) fn is_counted(result: &BenchmarkResult) -> bool {
    result.counts.is_some() && result.cycles.is_none() && !result.ticks.estimate.is_finite()
}

/// A count: whole ones without decimals, fractions with three at the most.
pub(super) fn figure(value: f64) -> String {
    if !value.is_finite() {
        return "-".to_owned();
    }
    if value.fract() == 0.0 || value.abs() >= 1e6 {
        return format!("{value:.0}");
    }
    if value.abs() < 0.0005 {
        return format!("{value:.1e}");
    }
    format!("{value:.3}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The figures of a row, with their names.
pub(super) fn columns(counts: &Counts) -> [(&'static str, f64); 5] {
    [
        ("instr", counts.instructions),
        ("L1", counts.l1),
        ("L2", counts.l2),
        ("RAM", counts.ram),
        ("est. cyc", counts.estimated_cycles),
    ]
}

/// Everything that was counted of a benchmark.
pub(super) fn counted(page: &mut String, counts: &Counts) {
    let mut head = String::from("<th scope=\"col\"></th>");
    let mut each = String::from("<th scope=\"row\">an operation</th>");
    for (name, value) in columns(counts) {
        let _ = write!(head, "<th scope=\"col\" class=\"n\">{name}</th>");
        let _ = write!(each, "<td class=\"n\">{}</td>", figure(value));
    }
    let more = [
        ("weighted", counts.weighted_cycles),
        ("branches", counts.branches),
        ("mispredicted", counts.mispredictions),
    ];
    let mut rest = String::new();
    for (name, value) in more.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        // Not counted of the first call.
        rest.push_str("<td class=\"n\">-</td>");
        let _ = write!(head, "<th scope=\"col\" class=\"n\">{name}</th>");
        let _ = write!(each, "<td class=\"n\">{}</td>", figure(value));
    }
    let first = counts.first.as_ref().map_or_else(String::new, |first| {
        let values = [first.instructions, first.l1, first.l2, first.ram, first.estimated_cycles];
        let cells = values.map(|value| format!("<td class=\"n\">{value}</td>")).concat();
        format!("<tr><th scope=\"row\">the first call, caches cold</th>{cells}{rest}</tr>")
    });
    let _ = write!(
        page,
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Counts\"><table class=\"fit\"><thead><tr>{head}</tr></thead>\
         <tbody><tr>{each}</tr>{first}</tbody></table></div>"
    );
    let parts = [
        (Ink::Clean, "L1 hits", counts.l1),
        (Ink::Gauge, "last-level hits, 5 each", 5.0 * counts.l2),
        (Ink::Floor, "memory, 35 each", 35.0 * counts.ram),
    ];
    let legend = parts.map(|(ink, name, value)| format!("{}{name}: {}", swatch(ink), figure(value)));
    let svg = stacked(parts.map(|(ink, _, value)| (ink, value)));
    if !svg.is_empty() {
        let _ = write!(
            page,
            "<figure class=\"bar1\">{svg}<figcaption>Of what the estimated cycles of an operation consist; {}</figcaption></figure>",
            legend.join(", ")
        );
    }
    let events: Vec<String> = counts
        .in_all
        .iter()
        .filter(|(_, count)| **count > 0)
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    let _ = write!(
        page,
        "<p class=\"dim\">Counted by {} over {} operations, {} instructions of loop and call taken off. In all: {}.</p>",
        escape::text(&counts.tool),
        counts.operations,
        counts.taken_off,
        escape::text(&if events.is_empty() { "nothing".to_owned() } else { events.join(", ") })
    );
}

/// Parts beside one another, as long as their share.
fn stacked(parts: [(Ink, f64); 3]) -> String {
    let known = parts.map(|(ink, value)| (ink, if value.is_finite() { value.max(0.0) } else { 0.0 }));
    let whole: f64 = known.iter().map(|(_, value)| value).sum();
    if whole <= 0.0 {
        return String::new();
    }
    drawing((340, 18), "Parts of the estimated cycles", |area| {
        let (mut before, width) = (0.0, 340.0);
        let x = |sum: f64| (width * sum / whole).round() as i32;
        for (ink, value) in known.into_iter().filter(|(_, value)| *value > 0.0) {
            area.draw(&Rectangle::new(
                [(x(before), 2), (x(before + value).max(x(before) + 1), 16)],
                ink.color().filled(),
            ))?;
            before += value;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_the_digits_that_they_need() {
        assert_eq!(
            [12.0, 12.0625, 0.00012, f64::NAN, 26_214_766.0].map(figure),
            ["12", "12.062", "1.2e-4", "-", "26214766"]
        );
    }

    #[test]
    fn parts_are_drawn_by_their_share() {
        assert_eq!(stacked([(Ink::Clean, f64::NAN), (Ink::Gauge, 0.0), (Ink::Floor, -1.0)]), "");
        let svg = stacked([(Ink::Clean, 30.0), (Ink::Gauge, 10.0), (Ink::Floor, 0.0)]);
        assert!(svg.contains("width=\"255\"") && svg.contains("width=\"85\""), "{svg}");
        assert_eq!(svg.matches("<rect").count(), 2);
    }
}
