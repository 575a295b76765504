//! What do the samples of one benchmark look like? Distribution, timeline, convergence, and latency beside throughput.

use plotters::prelude::{ChartBuilder, LabelAreaPosition, LineSeries, Polygon, Rectangle, Text};
use plotters::style::{Color as _, FontDesc, FontFamily, FontStyle, ShapeStyle, TextStyle};

use super::svg::{Area, Drawn, Ink, drawing};
use crate::record::{BenchmarkResult, TracePoint};
use crate::sampling::{self, Location};
use crate::stats;

/// How finely plots are drawn: a report of many benchmarks draws less of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grain {
    /// Bins of a distribution.
    pub(super) bins: usize,
    /// Columns of a timeline.
    pub(super) columns: usize,
    /// Looks of a convergence.
    pub(super) looks: usize,
    /// Lines of a loop.
    pub(super) lines: usize,
}

impl Grain {
    /// So that a report of `benchmarks` stays small enough for a browser.
    pub(super) fn of(benchmarks: usize) -> Self {
        if benchmarks <= 200 {
            Self { bins: 60, columns: 120, looks: 14, lines: 200 }
        } else {
            Self { bins: 24, columns: 28, looks: 6, lines: 24 }
        }
    }
}

const WIDTH: u32 = 340;
const LABELS: [char; 5] = ['c', 'b', 'd', 'i', 'm'];

fn label_style() -> TextStyle<'static> {
    const COLOR: plotters::style::RGBColor = Ink::Axis.color();
    TextStyle::from(FontDesc::new(FontFamily::SansSerif, 11.0, FontStyle::Normal)).color(&COLOR)
}

fn line(ink: Ink) -> ShapeStyle {
    ink.color().stroke_width(1)
}

/// A range that holds the values with some room; none where they cannot be drawn.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values.filter(|value| value.is_finite() && value.abs() < 1e15) {
        lo = lo.min(value);
        hi = hi.max(value);
    }
    if lo > hi {
        return None;
    }
    let room = ((hi - lo) * 0.06).max(hi.abs().max(lo.abs()) * 1e-3).max(1e-6);
    Some((lo - room, hi + room))
}

/// As many digits as tell the marks of an axis apart.
fn number(value: f64, span: f64) -> String {
    let digits = (1.0 - span.abs().max(1e-12).log10().floor()).clamp(0.0, 5.0) as usize;
    format!("{value:.digits$}")
}

/// The sample's cost an operation, what is fixed in the slice included.
fn each(result: &BenchmarkResult, point: &TracePoint) -> f64 {
    let iterations = result.slice_iterations.max(1) as f64 * if point.long { 2.0 } else { 1.0 };
    point.cycles / iterations / result.ops.max(1) as f64
}

/// Where most samples lie: what is far off is drawn at the edge.
fn usual(values: &[f64]) -> Option<(f64, f64)> {
    let finite: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    let at = |percent| stats::percentile(&finite, percent).ok();
    let (low, median, high) = (at(1.0)?, at(50.0)?, at(97.0)?);
    range([low, high.min(median * 3.0)].into_iter())
}

/// How many samples cost how much, the discarded ones on top in the colour of their reason.
pub(super) fn distribution(result: &BenchmarkResult, points: &[TracePoint], grain: Grain) -> String {
    let longest = points.iter().any(|point| point.long);
    let points: Vec<&TracePoint> = points.iter().filter(|point| point.long == longest).collect();
    let costs: Vec<f64> = points.iter().map(|point| each(result, point)).collect();
    let Some((lo, hi)) = usual(&costs) else { return String::new() };
    let bins = grain.bins;
    let mut counts = vec![[0usize; LABELS.len()]; bins];
    for (point, cost) in points.iter().zip(&costs) {
        let at = ((cost - lo) / (hi - lo) * bins as f64).clamp(0.0, bins as f64 - 1.0);
        // NaN casts to 0, and the clamp keeps the rest inside.
        let label = LABELS.iter().position(|label| *label == point.label).unwrap_or(3);
        if let Some(count) = counts.get_mut(at as usize).and_then(|bin| bin.get_mut(label)) {
            *count += 1;
        }
    }
    let most = counts.iter().map(|bin| bin.iter().sum::<usize>()).max().unwrap_or(1).max(1) as f64;
    drawing((WIDTH, 150), "Distribution of samples by cost", |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(4)
            .margin_right(14)
            .set_label_area_size(LabelAreaPosition::Left, 34)
            .set_label_area_size(LabelAreaPosition::Bottom, 20)
            .build_cartesian_2d(lo..hi, 0.0..most * 1.08)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .x_labels(4)
            .y_labels(3)
            .x_label_formatter(&|value| number(*value, hi - lo))
            .y_label_formatter(&|value| format!("{value:.0}"))
            .label_style(label_style())
            .axis_style(line(Ink::Axis))
            .draw()?;
        let width = (hi - lo) / bins as f64;
        // From the top of the stack down, each in front of what is above it.
        for (label, letter) in LABELS.iter().enumerate().rev() {
            if counts.iter().all(|bin| bin.get(label) == Some(&0)) {
                continue;
            }
            let heights = counts.iter().map(|bin| bin.iter().take(label + 1).sum::<usize>() as f64);
            let steps = heights.enumerate().flat_map(|(at, height)| {
                let left = lo + at as f64 * width;
                [(left, height), (left + width, height)]
            });
            let mut corners = straight(steps);
            corners.extend([(hi, 0.0), (lo, 0.0)]);
            chart.draw_series([Polygon::new(corners, Ink::of_label(*letter).color().filled())])?;
        }
        Ok(())
    })
}

/// The corners of a line of steps, without those that lie on a straight piece.
fn straight(steps: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut corners: Vec<(f64, f64)> = Vec::new();
    for step in steps {
        if let [.., before, last] = corners[..]
            && before.1 == last.1
            && last.1 == step.1
        {
            corners.pop();
        }
        corners.push(step);
    }
    corners
}

/// Cost, gauge and clock from sample to sample, and beneath them which share was discarded and why.
pub(super) fn timeline(result: &BenchmarkResult, points: &[TracePoint], grain: Grain) -> String {
    let columns: Vec<&[TracePoint]> = points.chunks(points.len().div_ceil(grain.columns).max(1)).collect();
    if columns.len() < 2 {
        return String::new();
    }
    let median = |values: Vec<f64>| {
        let finite: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        stats::percentile(&finite, 50.0).ok()
    };
    let over = |of: &dyn Fn(&TracePoint) -> f64, clean_only: bool| -> Vec<(f64, f64)> {
        let columns = columns.iter().enumerate();
        columns
            .filter_map(|(at, column)| {
                let kept = column.iter().filter(|point| !clean_only || point.label == 'c');
                Some((at as f64, median(kept.map(of).collect())?))
            })
            .collect()
    };
    let best = points.iter().map(|point| point.gauge).filter(|gauge| gauge.is_finite());
    let best = best.fold(f64::INFINITY, f64::min);
    let rows = [
        ("cyc/op", over(&|point| each(result, point), true), Ink::Clean),
        ("gauge %", over(&|point| 100.0 * (point.gauge / best - 1.0), false), Ink::Gauge),
        ("ticks/cyc", over(&|point| point.rate, false), Ink::Clock),
    ];
    let end = columns.len() as f64;
    drawing((WIDTH, 224), "Timeline of cost, gauge, clock and discarded samples", |area| {
        let (above, labels) = area.split_vertically(206);
        for (part, (name, values, ink)) in above.split_evenly((3, 1)).iter().zip(rows) {
            let own = range(values.iter().map(|(_, value)| *value));
            let Some((lo, hi)) = own else { continue };
            let mut chart = ChartBuilder::on(part)
                .margin(4)
                .margin_right(14)
                .set_label_area_size(LabelAreaPosition::Left, 44)
                .set_label_area_size(LabelAreaPosition::Bottom, 0)
                .build_cartesian_2d(0.0..end, lo..hi)?;
            chart
                .configure_mesh()
                .disable_mesh()
                .disable_x_axis()
                .y_labels(5)
                .y_label_formatter(&|value| number(*value, hi - lo))
                .label_style(label_style())
                .axis_style(line(Ink::Axis))
                .draw()?;
            chart.draw_series(LineSeries::new(
                values.into_iter().map(|(x, y)| (x, y.clamp(lo, hi))),
                line(ink),
            ))?;
            part.draw(&Text::new(name, (50, 1), label_style()))?;
        }
        strip(&labels, &columns)
    })
}

/// The share of each label in each column, stacked.
fn strip(area: &Area<'_>, columns: &[&[TracePoint]]) -> Drawn {
    let (left, right, height) = (48.0, f64::from(WIDTH) - 14.0, 14.0);
    let x = |at: usize| (left + (right - left) * at as f64 / columns.len() as f64) as i32;
    for (label, letter) in LABELS.iter().enumerate().rev() {
        if columns.iter().all(|column| column.iter().all(|point| point.label != *letter)) {
            continue;
        }
        let known = LABELS.get(..=label).unwrap_or_default();
        let outline = straight(columns.iter().enumerate().flat_map(|(at, column)| {
            let count = column.iter().filter(|point| known.contains(&point.label)).count();
            let y = (height * (1.0 - count as f64 / column.len() as f64)).round();
            [(f64::from(x(at)), y), (f64::from(x(at + 1)), y)]
        }));
        let mut corners: Vec<(i32, i32)> = outline.into_iter().map(|(x, y)| (x as i32, y as i32)).collect();
        corners.extend([(x(columns.len()), height as i32), (x(0), height as i32)]);
        area.draw(&Polygon::new(corners, Ink::of_label(*letter).color().filled()))?;
    }
    Ok(())
}

/// What the result would have been after fewer samples, with its interval.
pub(super) fn convergence(result: &BenchmarkResult, points: &[TracePoint], grain: Grain) -> String {
    let clean: Vec<&TracePoint> = points.iter().filter(|point| point.label == 'c').collect();
    let used: Vec<&TracePoint> = if clean.len() < 8 { points.iter().collect() } else { clean };
    let ops = result.ops.max(1) as f64;
    let percentile = if result.percentile > 0.0 { result.percentile.min(100.0) } else { 50.0 };
    let mut looks: Vec<(f64, sampling::Estimate)> = Vec::new();
    for look in 0..grain.looks {
        // Each look sees as many times more as the last.
        let share = 2f64.powf(look as f64 - grain.looks as f64 + 1.0).max(0.01);
        let seen = ((used.len() as f64 * share) as usize).clamp(1, used.len().max(1));
        let arm = |long: bool| -> Vec<f64> {
            let seen = used.iter().take(seen);
            seen.filter(|point| point.long == long)
                .map(|point| point.cycles)
                .filter(|one| one.is_finite())
                .collect()
        };
        let (short, long) = (arm(false), arm(true));
        let location = Location::Percentile(percentile);
        let estimate = if long.is_empty() {
            sampling::single(&short, result.slice_iterations.max(1), 0.0, location)
        } else {
            sampling::slope(&short, &long, result.slice_iterations.max(1), 0.0, location)
        };
        let seen = seen as f64;
        if let Some(estimate) = estimate.filter(|_| looks.last().is_none_or(|(last, _)| *last < seen)) {
            looks.push((seen, estimate));
        }
    }
    let Some(((first, _), (last, _))) = looks.first().zip(looks.last()) else { return String::new() };
    let (first, last) = (first.log2(), last.log2());
    let late = looks.iter().skip(looks.len().saturating_sub(5));
    let span = range(late.flat_map(|(_, one)| [one.lo / ops, one.hi / ops]));
    let Some((lo, hi)) = span.filter(|_| first < last) else { return String::new() };
    let within = |value: f64| (value / ops).clamp(lo, hi);
    let path = |of: fn(&sampling::Estimate) -> f64| -> Vec<(f64, f64)> {
        looks.iter().map(|(seen, one)| (seen.log2(), within(of(one)))).collect()
    };
    drawing((WIDTH, 150), "Estimate and interval by number of samples", |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(4)
            .margin_right(14)
            .set_label_area_size(LabelAreaPosition::Left, 44)
            .set_label_area_size(LabelAreaPosition::Bottom, 20)
            .build_cartesian_2d(first..last, lo..hi)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .x_labels(5)
            .y_labels(6)
            .x_label_formatter(&|value| format!("{:.0}", value.exp2()))
            .y_label_formatter(&|value| number(*value, hi - lo))
            .label_style(label_style())
            .axis_style(line(Ink::Axis))
            .draw()?;
        let mut band = path(|one| one.hi);
        band.extend(path(|one| one.lo).into_iter().rev());
        chart.draw_series([Polygon::new(band, Ink::Band.color().filled())])?;
        chart.draw_series(LineSeries::new(path(|one| one.value), line(Ink::Mark)))?;
        Ok(())
    })
}

/// A cost to be drawn beside others, in core cycles.
pub(super) struct Bar {
    pub(super) name: &'static str,
    pub(super) cost: f64,
    /// The cost as it is written beside the bar.
    pub(super) shown: String,
    /// The loop floor, where it was measured.
    pub(super) floor: Option<f64>,
    /// What a model predicts, where one was asked.
    pub(super) predicted: Option<f64>,
}

/// Costs as bars from 0, with the loop floor and what a model predicts as marks.
pub(super) fn bars(bars: &[Bar]) -> String {
    let all = bars.iter().flat_map(|bar| [Some(bar.cost), bar.floor, bar.predicted]).flatten();
    let Some((_, most)) = range(all) else { return String::new() };
    if most <= 0.0 {
        return String::new();
    }
    let height = 10 + 34 * bars.len() as u32;
    drawing((WIDTH, height), "Costs with loop floor and prediction", |area| {
        let (left, right) = (74.0, f64::from(WIDTH) - 84.0);
        let x = |value: f64| (left + (right - left) * (value / most).clamp(0.0, 1.0)) as i32;
        for (at, bar) in bars.iter().enumerate() {
            let top = 6 + 34 * at as i32;
            if !bar.cost.is_finite() {
                continue;
            }
            area.draw(&Text::new(bar.name, (2, top + 6), label_style()))?;
            area.draw(&Rectangle::new(
                [(x(0.0), top), (x(bar.cost), top + 22)],
                Ink::Clean.color().filled(),
            ))?;
            // Behind the bar and behind the marks, so that nothing lies on it.
            let marks = [(bar.floor, Ink::Floor), (bar.predicted, Ink::Prediction)];
            let known = marks.iter().filter_map(|(value, _)| *value).filter(|value| value.is_finite());
            let end = known.map(|value| x(value) + 2).fold(x(bar.cost.max(0.0)), i32::max);
            area.draw(&Text::new(bar.shown.as_str(), (end + 4, top + 6), label_style()))?;
            for (value, ink) in marks {
                if let Some(value) = value.filter(|value| value.is_finite()) {
                    area.draw(&Rectangle::new(
                        [(x(value) - 1, top - 4), (x(value) + 2, top + 27)],
                        ink.color().filled(),
                    ))?;
                }
            }
        }
        Ok(())
    })
}
