//! What does a report show of benchmarks that were compared with one another? A table of ratios with a drawing of each interval.

use std::fmt::Write as _;

use plotters::prelude::{PathElement, Rectangle};
use plotters::style::Color as _;

use super::Run;
use super::escape;
use super::svg::{Ink, drawing};
use crate::record::{Difference, Record, Rounding, Versus, last_place, rounded};

/// The comparisons that a run made itself, in pairs.
pub(super) fn versus(page: &mut String, run: &Run<'_>, heading: &str) {
    let record = run.record;
    if record.comparisons.is_empty() {
        return;
    }
    let _ = write!(page, "<section>{heading}");
    page.push_str(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Comparisons in pairs\"><table class=\"versus\"><thead><tr>\
         <th scope=\"col\">benchmark</th><th scope=\"col\">against</th><th scope=\"col\" class=\"n\">ratio</th>\
         <th scope=\"col\" class=\"o\">interval</th><th scope=\"col\" class=\"o\">ratio and interval, 1 is the line</th>\
         <th scope=\"col\">difference</th><th scope=\"col\" class=\"o\">blocks</th></tr></thead><tbody>",
    );
    let reach = reach(record);
    for one in &record.comparisons {
        let _ = write!(
            page,
            "<tr><td><bdi>{}</bdi></td><td><bdi>{}</bdi></td><td class=\"n\">{}</td><td class=\"o w\">{}</td>\
             <td class=\"o mini\">{}</td><td class=\"w {}\">{}</td><td class=\"o w\">{} of {}{}</td></tr>",
            escape::text(&one.of),
            escape::text(&one.to),
            digits(one, one.ratio),
            interval(one),
            mini(one, reach),
            class(one.difference),
            one.difference,
            one.blocks,
            one.blocks_total,
            if one.clean { "" } else { ", contended" }
        );
    }
    page.push_str("</tbody></table></div>");
    for one in &record.comparisons {
        let _ = write!(page, "<p>{}</p>", escape::text(&one.sentence));
    }
    page.push_str("</section>");
}

/// The class that gives a difference its colour.
pub(super) fn class(difference: Difference) -> &'static str {
    if difference == Difference::Unclear { "cannot_tell" } else { difference.as_str() }
}

fn digits(one: &Versus, value: f64) -> String {
    let width = Some(one.hi - one.lo).filter(|width| width.is_finite() && *width > 0.0);
    if !value.is_finite() {
        return "-".to_owned();
    }
    rounded(value, last_place(value, width), Rounding::Nearest)
}

fn interval(one: &Versus) -> String {
    if !(one.lo.is_finite() && one.hi.is_finite()) {
        return "-".to_owned();
    }
    format!("{:.0} %: {} to {}", 100.0 * one.coverage, digits(one, one.lo), digits(one, one.hi))
}

/// How far the intervals of a record reach from 1, as a binary logarithm: all are drawn to one scale.
fn reach(record: &Record) -> f64 {
    let ends = record.comparisons.iter().flat_map(|one| [one.lo, one.hi, one.ratio]);
    let far = ends.filter(|end| end.is_finite() && *end > 0.0).map(|end| end.log2().abs());
    far.fold(0.05, f64::max).min(20.0) * 1.08
}

/// An interval with its estimate, and the line at 1.
fn mini(one: &Versus, reach: f64) -> String {
    if !(one.ratio.is_finite() && one.ratio > 0.0) {
        return String::new();
    }
    let (width, middle) = (150, 10);
    let x = |value: f64| {
        let share = value.max(f64::MIN_POSITIVE).log2() / reach;
        (f64::from(width) / 2.0 * (1.0 + share.clamp(-1.0, 1.0))).round() as i32
    };
    let ink = match one.difference {
        Difference::Faster => Ink::Clean,
        Difference::Slower => Ink::Contended,
        _ => Ink::Migrated,
    };
    let (lo, hi) =
        if one.lo.is_finite() && one.hi.is_finite() { (one.lo, one.hi) } else { (one.ratio, one.ratio) };
    drawing((width as u32, 20), "ratio and interval", |area| {
        area.draw(&PathElement::new(vec![(x(1.0), 0), (x(1.0), 20)], Ink::Axis.color().stroke_width(1)))?;
        area.draw(&Rectangle::new([(x(lo), middle - 1), (x(hi) + 1, middle + 2)], ink.color().filled()))?;
        let at = x(one.ratio);
        area.draw(&Rectangle::new([(at - 2, middle - 4), (at + 3, middle + 5)], ink.color().filled()))
    })
}
