//! How does a plot become a few hundred bytes of SVG? Plotters draws it, and what a style sheet can say is taken out.

use std::fmt::Write as _;

use plotters::coord::Shift;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::{DrawingArea, IntoDrawingArea as _, RGBColor, SVGBackend};

/// What a mark stands for; the style sheet gives it a colour for light and dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Axis = 1,
    Clean,
    Contended,
    Drifted,
    Interrupted,
    Migrated,
    Gauge,
    Clock,
    Band,
    Mark,
    Floor,
    Prediction,
    Told,
}

impl Ink {
    /// A colour that no screen sees: it only carries the number to the style sheet.
    pub(super) const fn color(self) -> RGBColor {
        RGBColor(0, 0, self as u8)
    }

    /// The ink of a trust label.
    pub(super) fn of_label(label: char) -> Self {
        match label {
            'c' => Self::Clean,
            'b' => Self::Contended,
            'd' => Self::Drifted,
            'm' => Self::Migrated,
            _ => Self::Interrupted,
        }
    }
}

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(super) type Drawn = std::result::Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// The drawing as an `svg` element, or nothing where plotters refuses. `label` is what a screen reader says; it must be escaped.
pub(super) fn drawing(size: (u32, u32), label: &str, draw: impl FnOnce(&Area<'_>) -> Drawn) -> String {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        if draw(&area).and_then(|()| area.present()).is_err() {
            return String::new();
        }
    }
    let body = text.split_once('\n').map_or("", |(_, body)| body);
    format!(
        "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{label}\">{}",
        size.0,
        size.1,
        smaller(body)
    )
}

/// Takes out what is the same everywhere, makes classes of colours, and one path with relative steps of each line.
fn smaller(body: &str) -> String {
    let mut out = String::with_capacity(body.len() / 2);
    let mut axes = String::new();
    for line in body.lines() {
        let line = line.trim();
        if line == "</svg>" {
            if !axes.is_empty() {
                let _ = write!(out, "<path class=\"s{}\" d=\"{axes}\"/>", Ink::Axis as u8);
            }
            out.push_str(line);
        } else if let Some(points) = value_of(line, "points") {
            let path = steps(points);
            let (kind, end) = if line.starts_with("<polygon") { ('f', "z") } else { ('s', "") };
            let ink = value_of(line, if kind == 'f' { "fill" } else { "stroke" }).and_then(ink).unwrap_or(0);
            if kind == 's' && ink == Ink::Axis as u8 {
                axes.push_str(&path);
            } else {
                let _ = write!(out, "<path class=\"{kind}{ink}\" d=\"{path}{end}\"/>");
            }
        } else if let (true, Some(x), Some(y)) =
            (line.starts_with("<text"), value_of(line, "x"), value_of(line, "y"))
        {
            // The style sheet places them as these anchors and offsets would.
            let class = match value_of(line, "text-anchor") {
                Some("end") => " class=\"e\"",
                Some("middle") => " class=\"m\"",
                _ => "",
            };
            let _ = write!(out, "<text x=\"{x}\" y=\"{y}\"{class}>");
        } else {
            mark(&mut out, line);
        }
    }
    out
}

/// A rectangle or text: its attributes without those that a style sheet has.
fn mark(out: &mut String, line: &str) {
    let mut rest = line;
    // An attribute's text holds no quote: plotters escapes them.
    while let Some((before, name, value, after)) = attribute(rest) {
        out.push_str(before);
        match name {
            "opacity" | "stroke-width" => {}
            "fill" | "stroke" if value == "none" => {}
            "fill" | "stroke" => {
                if let Some(ink) = ink(value) {
                    let kind = if name == "fill" { 'f' } else { 's' };
                    let _ = write!(out, " class=\"{kind}{ink}\"");
                }
            }
            _ => {
                let _ = write!(out, " {name}=\"{value}\"");
            }
        }
        rest = after;
    }
    out.push_str(rest);
}

fn ink(color: &str) -> Option<u8> {
    color.strip_prefix("#0000").and_then(|hex| u8::from_str_radix(hex, 16).ok())
}

/// Points as a path: a move, then relative steps, which are short.
fn steps(points: &str) -> String {
    let mut path = String::new();
    let mut last: Option<(i64, i64)> = None;
    for point in points.split_whitespace() {
        let Some((Ok(x), Ok(y))) = point.split_once(',').map(|(x, y)| (x.parse::<i64>(), y.parse::<i64>()))
        else {
            continue;
        };
        // Writing to a string does not fail.
        let _ = match last.map(|(before, above)| (x - before, y - above)) {
            None => write!(path, "M{x} {y}"),
            Some((0, 0)) => Ok(()),
            Some((right, 0)) => write!(path, "h{right}"),
            Some((0, down)) => write!(path, "v{down}"),
            Some((right, down)) if down < 0 => write!(path, "l{right}{down}"),
            Some((right, down)) => write!(path, "l{right} {down}"),
        };
        last = Some((x, y));
    }
    path
}

fn value_of<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let mut rest = line;
    while let Some((_, found, value, after)) = attribute(rest) {
        if found == name {
            return Some(value);
        }
        rest = after;
    }
    None
}

/// The text up to the next attribute, its name, its value, and what follows.
fn attribute(text: &str) -> Option<(&str, &str, &str, &str)> {
    if !text.starts_with('<') && !text.starts_with(' ') {
        return None;
    }
    let (head, rest) = text.split_once("=\"")?;
    let (value, after) = rest.split_once('"')?;
    let (before, name) = head.rsplit_once(' ')?;
    Some((before, name, value, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plotters::prelude::{Polygon, Rectangle};
    use plotters::style::Color as _;

    #[test]
    fn colours_become_classes_and_the_rest_is_taken_out() {
        let svg = drawing((30, 20), "a mark", |area| {
            area.draw(&Rectangle::new([(1, 2), (11, 12)], Ink::Contended.color().filled()))
        });
        assert_eq!(
            svg,
            "<svg viewBox=\"0 0 30 20\" role=\"img\" aria-label=\"a mark\">\
             <rect x=\"1\" y=\"2\" width=\"10\" height=\"10\" class=\"f3\"/></svg>"
        );
    }

    #[test]
    fn lines_become_short_paths() {
        let corners = vec![(1, 9), (1, 2), (5, 2), (5, 9), (8, 7)];
        let svg =
            drawing((30, 20), "", |area| area.draw(&Polygon::new(corners, Ink::Clean.color().filled())));
        assert!(svg.ends_with("<path class=\"f2\" d=\"M1 9v-7h4v7l3-2z\"/></svg>"), "{svg}");
    }
}
