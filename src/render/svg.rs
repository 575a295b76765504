//! How does a plot become a few hundred bytes of SVG? Plotters draws it, and what a style sheet can say is taken out.

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
    format!("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{label}\">{}", size.0, size.1, smaller(body))
}

/// Takes out what is the same everywhere, and makes classes of colours.
fn smaller(body: &str) -> String {
    let mut out = String::with_capacity(body.len() / 2);
    for line in body.lines() {
        let mut rest = line.trim();
        // An attribute's text holds no quote: plotters escapes them.
        while let Some((before, name, value, after)) = attribute(rest) {
            out.push_str(before);
            match name {
                "opacity" | "font-family" | "font-size" | "stroke-width" => {}
                "fill" | "stroke" if value == "none" => {}
                "fill" | "stroke" => {
                    let ink = value.strip_prefix("#0000").and_then(|hex| u8::from_str_radix(hex, 16).ok());
                    let kind = if name == "fill" { 'f' } else { 's' };
                    // Text has one colour, which it inherits.
                    if let Some(ink) = ink.filter(|ink| *ink != Ink::Axis as u8 || kind == 's') {
                        out.push_str(&format!(" class=\"{kind}{ink}\""));
                    }
                }
                _ => out.push_str(&format!(" {name}=\"{}\"", value.trim_end())),
            }
            rest = after;
        }
        out.push_str(rest);
    }
    out
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
    use plotters::prelude::Rectangle;
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
}
