//! Which digits and which unit does a number get in a report?

/// Decimals that a number supports which is known within an interval of `width`: down to the digit that half the width
/// reaches. At most three, and none past the fifth digit.
pub(crate) fn decimals(value: f64, width: f64) -> usize {
    let place = |value: f64| value.abs().log10().floor();
    let supported = if width > 0.0 { -place(width / 2.0) } else { 3.0 };
    let fitting = if value == 0.0 { 3.0 } else { 4.0 - place(value) };
    // Casts saturate, and one of NaN gives 0.
    supported.min(fitting).clamp(0.0, 3.0) as usize
}

/// A number without the minus that rounding to 0 may leave.
pub(crate) fn fixed(value: f64, digits: usize) -> String {
    let shown = format!("{value:.digits$}");
    if shown.starts_with('-') && !shown.contains(|c: char| ('1'..='9').contains(&c)) {
        shown.trim_start_matches('-').to_owned()
    } else {
        shown
    }
}

/// As [`fixed`], with its sign; a difference of 0 has `+`.
pub(crate) fn signed(value: f64, digits: usize) -> String {
    let shown = fixed(value, digits);
    if shown.starts_with('-') { shown } else { format!("+{shown}") }
}

/// The unit in which spans of this many nanoseconds are read best, and the nanoseconds in it.
pub(crate) fn time_unit(ns: f64) -> (&'static str, f64) {
    match ns.abs() {
        ns if ns < 1e3 => ("ns", 1.0),
        ns if ns < 1e6 => ("us", 1e3),
        ns if ns < 1e9 => ("ms", 1e6),
        _ => ("s", 1e9),
    }
}

/// One field of a CSV line, quoted where it has to be (RFC 4180).
pub(crate) fn csv_field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Text from outside as one cell or phrase of Markdown: it neither steers a terminal nor becomes markup.
pub(crate) fn markdown(text: &str) -> String {
    let mut shown = String::new();
    for c in fencepost::record::text::inert(text).chars() {
        if matches!(c, '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '&' | '#' | '~' | '!') {
            shown.push('\\');
        }
        shown.push(c);
    }
    shown
}

/// One line of a Markdown table, of cells that are escaped.
pub(crate) fn markdown_row<S: AsRef<str>>(cells: &[S]) -> String {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_decides_the_decimals() {
        assert_eq!(decimals(12.003, 0.04), 2);
        assert_eq!(decimals(12.003, 3.0), 0);
        assert_eq!(decimals(123_456.0, 0.0), 0);
        assert_eq!(decimals(0.25, 0.0), 3);
        assert_eq!(decimals(f64::NAN, f64::NAN), 3);
    }

    #[test]
    fn signs_are_shown_where_there_is_something() {
        assert_eq!(
            (fixed(-0.004, 2), signed(-0.004, 2), signed(-0.4, 1)),
            ("0.00".into(), "+0.00".into(), "-0.4".into())
        );
    }

    #[test]
    fn names_neither_break_tables_nor_fields() {
        assert_eq!(csv_field("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(markdown("a|b_\x1b"), "a\\|b\\_\\\\u{1b}");
    }
}
