//! What does something cost as its working set grows? One plot over a logarithmic axis of bytes, for ladders and for sweeps.

use plotters::prelude::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color as _, FontDesc, FontFamily, FontStyle, TextStyle};

use super::svg::{Area, Drawn, Ink, drawing};

/// What is drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct Sizes<'a> {
    /// What a screen reader says; it must be escaped.
    pub(super) label: &'a str,
    /// The unit of the values, at the upper end of their axis.
    pub(super) unit: &'a str,
    /// One line each.
    pub(super) series: Vec<Series>,
    /// Sizes at which something ends, with their names: caches as they are told of.
    pub(super) told: Vec<(u64, String)>,
    /// Sizes at which the data show an end.
    pub(super) seen: Vec<u64>,
}

/// A line of the plot.
#[derive(Clone, Debug)]
pub(super) struct Series {
    pub(super) ink: Ink,
    pub(super) points: Vec<Point>,
}

/// A value at a size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) bytes: u64,
    pub(super) value: f64,
    /// The ends of its interval, where one is known.
    pub(super) ends: Option<(f64, f64)>,
}

const WIDTH: i32 = 340;
const HEIGHT: i32 = 216;
const LEFT: i32 = 40;
const RIGHT: i32 = WIDTH - 14;
/// Two rows of names stand above the plot.
const TOP: i32 = 32;
const BOTTOM: i32 = HEIGHT - 20;
/// What a character takes at the most, so that names are not laid on one another.
const CHARACTER: i32 = 7;

/// A size as an axis says it: `48K`, `1.5M`.
pub(super) fn short(bytes: u64) -> String {
    let (scale, unit) = match bytes {
        0..1024 => (1u64, "B"),
        1024..0x10_0000 => (1 << 10, "K"),
        0x10_0000..0x4000_0000 => (1 << 20, "M"),
        _ => (1 << 30, "G"),
    };
    let value = bytes as f64 / scale as f64;
    let digits = usize::from((value * 10.0).round() % 10.0 != 0.0);
    format!("{value:.digits$}{unit}")
}

/// A logarithmic axis: from one value to another, onto pixels.
#[derive(Clone, Copy)]
struct Axis {
    first: f64,
    last: f64,
    from: i32,
    to: i32,
}

impl Axis {
    /// `None` where there is nothing above 0 to be drawn. A single value gets room around it.
    fn over(values: impl Iterator<Item = f64>, from: i32, to: i32) -> Option<Self> {
        let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite() && *value > 0.0) {
            first = first.min(value.log2());
            last = last.max(value.log2());
        }
        if first > last {
            return None;
        }
        let room = if last - first < 1e-3 { 0.5 } else { 0.0 };
        Some(Self { first: first - room, last: last + room, from, to })
    }

    /// With more room at both ends, as a share.
    fn wider(self, share: f64) -> Self {
        let room = (self.last - self.first) * share;
        Self { first: self.first - room, last: self.last + room, ..self }
    }

    fn at(self, value: f64) -> i32 {
        let share = (value.max(f64::MIN_POSITIVE).log2() - self.first) / (self.last - self.first);
        self.from + (f64::from(self.to - self.from) * share.clamp(0.0, 1.0)).round() as i32
    }

    fn holds(self, value: f64) -> bool {
        value > 0.0 && (self.first - 1e-9..=self.last + 1e-9).contains(&value.log2())
    }

    /// Powers of two that stand apart, six at the most.
    fn sizes(self) -> Vec<u64> {
        let step = ((self.last - self.first) / 5.0).ceil().max(1.0) as u32;
        let powers = (0..=63u32).filter(|power| power.is_multiple_of(step)).map(|power| 1u64 << power);
        powers.filter(|size| self.holds(*size as f64)).collect()
    }

    /// Round values that stand apart, seven at the most: of each decade 1, 2 and 5, 1 and 3, or 1 alone.
    fn values(self) -> Vec<f64> {
        const ROUND: [&[f64]; 4] =
            [&[1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0], &[1.0, 2.0, 5.0], &[1.0, 3.0], &[1.0]];
        let all = ROUND.map(|of| -> Vec<f64> {
            let decades = (-9..=15).flat_map(|power| of.iter().map(move |one| one * 10f64.powi(power)));
            decades.filter(|value| self.holds(*value)).collect()
        });
        let [.., fewest] = &all;
        all.iter().find(|values| values.len() <= 7).unwrap_or(fewest).clone()
    }
}

fn text(h: HPos, v: VPos) -> TextStyle<'static> {
    const COLOR: plotters::style::RGBColor = Ink::Axis.color();
    TextStyle::from(FontDesc::new(FontFamily::SansSerif, 11.0, FontStyle::Normal))
        .color(&COLOR)
        .pos(Pos::new(h, v))
}

/// The plot, or nothing where there is nothing to draw.
pub(super) fn plot(sizes: &Sizes<'_>) -> String {
    let points = || {
        let drawn = |point: &&Point| point.bytes > 0 && point.value.is_finite() && point.value > 0.0;
        sizes.series.iter().flat_map(|one| &one.points).filter(drawn)
    };
    let Some(x) = Axis::over(points().map(|point| point.bytes as f64), LEFT + 6, RIGHT - 6) else {
        return String::new();
    };
    let Some(y) = Axis::over(points().map(|point| point.value), BOTTOM, TOP) else { return String::new() };
    let y = y.wider(0.06);
    drawing((WIDTH as u32, HEIGHT as u32), sizes.label, |area| {
        limits(area, sizes, x)?;
        axes(area, sizes, x, y)?;
        for one in &sizes.series {
            line(area, one, x, y)?;
        }
        Ok(())
    })
}

fn axes(area: &Area<'_>, sizes: &Sizes<'_>, x: Axis, y: Axis) -> Drawn {
    let style = Ink::Axis.color().stroke_width(1);
    area.draw(&PathElement::new(vec![(LEFT, TOP), (LEFT, BOTTOM), (RIGHT, BOTTOM)], style))?;
    for size in x.sizes() {
        let at = x.at(size as f64);
        area.draw(&PathElement::new(vec![(at, BOTTOM), (at, BOTTOM + 4)], style))?;
        area.draw(&Text::new(short(size), (at, BOTTOM + 7), text(HPos::Center, VPos::Top)))?;
    }
    for value in y.values() {
        let at = y.at(value);
        area.draw(&PathElement::new(vec![(LEFT - 4, at), (LEFT, at)], style))?;
        area.draw(&Text::new(value_text(value), (LEFT - 7, at), text(HPos::Right, VPos::Center)))?;
    }
    area.draw(&Text::new(sizes.unit.to_owned(), (2, 2), text(HPos::Left, VPos::Top)))
}

/// A round value as an axis says it.
fn value_text(value: f64) -> String {
    let digits = (1.0 - value.log10().floor()).clamp(0.0, 6.0) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// The ends that are seen as bands, those that are told of as dashed lines in front, with their names above.
fn limits(area: &Area<'_>, sizes: &Sizes<'_>, x: Axis) -> Drawn {
    for seen in sizes.seen.iter().filter(|seen| x.holds(**seen as f64)) {
        let at = x.at(*seen as f64);
        area.draw(&Rectangle::new([(at - 3, TOP), (at + 4, BOTTOM)], Ink::Band.color().filled()))?;
    }
    // Names begin at their line, or end there where the plot does, in the first of two rows that has room.
    let mut taken = [i32::MIN; 2];
    for (told, name) in sizes.told.iter().filter(|(told, _)| x.holds(*told as f64)) {
        let at = x.at(*told as f64);
        area.draw(&PathElement::new(vec![(at, TOP - 4), (at, BOTTOM)], Ink::Told.color().stroke_width(1)))?;
        let width = name.chars().count() as i32 * CHARACTER;
        let left = at.min(WIDTH - 2 - width).max(LEFT);
        if let Some((row, end)) = taken.iter_mut().enumerate().find(|(_, end)| **end < left) {
            *end = left + width;
            area.draw(&Text::new(name.clone(), (left, 2 + 13 * row as i32), text(HPos::Left, VPos::Top)))?;
        }
    }
    Ok(())
}

fn line(area: &Area<'_>, series: &Series, x: Axis, y: Axis) -> Drawn {
    let color = series.ink.color();
    let place = |point: &Point, value: f64| (x.at(point.bytes as f64), y.at(value));
    let drawn: Vec<&Point> = series
        .points
        .iter()
        .filter(|point| point.bytes > 0 && point.value.is_finite() && point.value > 0.0)
        .collect();
    for (point, (lo, hi)) in drawn.iter().filter_map(|point| Some((point, point.ends?))) {
        let ends = [lo, hi].map(|end| place(point, end));
        // What is narrower than the mark is hidden by it.
        if ends.iter().all(|(_, at)| (at - place(point, point.value).1).abs() <= 3) {
            continue;
        }
        let [(at, from), (_, to)] = ends;
        area.draw(&Polygon::new(
            vec![(at - 1, from), (at + 1, from), (at + 1, to), (at - 1, to)],
            color.filled(),
        ))?;
    }
    let path: Vec<(i32, i32)> = drawn.iter().map(|point| place(point, point.value)).collect();
    for at in &path {
        area.draw(&Circle::new(*at, 2, color.filled()))?;
    }
    area.draw(&PathElement::new(path, color.stroke_width(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(values: &[(u64, f64)]) -> Series {
        let point = |(bytes, value): &(u64, f64)| Point { bytes: *bytes, value: *value, ends: None };
        Series { ink: Ink::Clock, points: values.iter().map(point).collect() }
    }

    #[test]
    fn a_plot_names_sizes_values_and_ends() {
        let sizes = Sizes {
            label: "a ladder",
            unit: "cyc",
            series: vec![series(&[(1 << 10, 5.0), (32 << 10, 5.0), (1 << 20, 16.0), (64 << 20, 400.0)])],
            told: vec![(48 << 10, "L1 48K".into()), (2 << 20, "L2 2M".into()), (1 << 40, "L9 1024G".into())],
            seen: vec![48 << 10],
        };
        let svg = plot(&sizes);
        for expected in
            ["a ladder", ">cyc<", ">4K<", ">64K<", ">16M<", ">100<", ">L1 48K<", ">L2 2M<", "<circle"]
        {
            assert!(svg.replace(['\n'], "").contains(expected), "{expected} is not in {svg}");
        }
        assert!(!svg.contains("L9"), "what lies outside is not drawn: {svg}");
    }

    #[test]
    fn what_cannot_be_drawn_is_left_out() {
        assert_eq!(plot(&Sizes::default()), "");
        let odd = [(0, 1.0), (64, f64::NAN), (128, -1.0), (256, f64::INFINITY)];
        assert_eq!(plot(&Sizes { series: vec![series(&odd)], ..Sizes::default() }), "");
        let one = plot(&Sizes { series: vec![series(&[(u64::MAX, 1e-300)])], ..Sizes::default() });
        assert!(one.contains("<circle"), "{one}");
        assert_eq!(one.matches("<circle").count(), 1);
    }

    #[test]
    fn axes_have_a_few_round_marks() {
        for (lo, hi) in [(4.0, 5.2), (5.0, 400.0), (0.25, 0.26), (1.0, 1e6), (3.0, 3.0)] {
            let axis = Axis::over([lo, hi].into_iter(), 0, 100).expect("an axis").wider(0.06);
            let values = axis.values();
            assert!((1..=8).contains(&values.len()), "{lo} to {hi}: {values:?}");
        }
        assert_eq!([1023, 1024, 48 << 10, 3 << 19, 5 << 30].map(short), ["1023B", "1K", "48K", "1.5M", "5G"]);
        assert_eq!([0.25, 1.0, 1.5, 20.0, 500.0].map(value_text), ["0.25", "1", "1.5", "20", "500"]);
    }
}
