//! What does a report show of sweeps and factor experiments? A plot of cost by working set, and what the page of text says.

use std::fmt::Write as _;

use super::Run;
use super::escape;
use super::sections::swatch;
use super::sizes::{Point, Series, Sizes, plot};
use super::svg::Ink;
use crate::record::{Record, SweepOutcome};

/// Columns of the text.
const WIDTH: usize = 80;
const INKS: [Ink; 2] = [Ink::Clean, Ink::Floor];

/// The sweeps and factor experiments of a run, if it has any.
pub(super) fn explored(page: &mut String, run: &Run<'_>, heading: &str) {
    if !is_explored(run.record) {
        return;
    }
    let _ = write!(page, "<section>{heading}");
    for sweep in &run.record.sweeps {
        figure(page, sweep);
        lines(page, &sweep.lines(WIDTH));
    }
    for factors in &run.record.factors {
        lines(page, &factors.lines(WIDTH));
    }
    page.push_str("</section>");
}

/// Whether there is something to show.
pub(super) fn is_explored(record: &Record) -> bool {
    !record.sweeps.is_empty() || !record.factors.is_empty()
}

fn lines(page: &mut String, lines: &[String]) {
    let escaped: Vec<String> = lines.iter().map(|line| escape::text(line)).collect();
    let _ = write!(page, "<pre tabindex=\"0\">{}</pre>", escaped.join("\n"));
}

fn figure(page: &mut String, sweep: &SweepOutcome) {
    let name = escape::text(&sweep.name);
    let label = format!("Cost by working set of {name}");
    let series = INKS.iter().enumerate().map(|(at, ink)| {
        let points = sweep.points.iter().filter_map(|point| {
            let cost = point.costs.get(at)?;
            Some(Point { bytes: point.bytes?, value: cost.estimate, ends: cost.lo.zip(cost.hi) })
        });
        Series { ink: *ink, points: points.collect() }
    });
    let svg = plot(&Sizes {
        label: &label,
        unit: if sweep.unit == "cyc" { "cyc" } else { "ticks" },
        series: series.collect(),
        ..Sizes::default()
    });
    if svg.is_empty() {
        return;
    }
    let legend: Vec<String> = sweep
        .candidates
        .iter()
        .zip(INKS)
        .map(|(name, ink)| format!("{}<bdi>{}</bdi>", swatch(ink), escape::text(name)))
        .collect();
    let _ = write!(
        page,
        "<div class=\"plots\"><figure>{svg}<figcaption>{label} per {}, both logarithmic{}{}</figcaption></figure></div>",
        escape::text(&sweep.per),
        if legend.is_empty() { "" } else { "; " },
        legend.join(", ")
    );
}
