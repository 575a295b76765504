//! How many digits of a number does its interval support? Formatting that prints no others.

/// Finer digits than 0.001 are not printed, however narrow the interval.
const FINEST: i32 = -3;

/// Finer digits than these are not even printed of a number that has no others: it reads as 0 then.
const SMALLEST: i32 = -6;

/// From here on numbers are written with an exponent, so that no cell grows past its column.
const EXPONENT_FROM: f64 = 1e9;

/// To which side a number is rounded: bounds away from the claim, estimates to the nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    Nearest,
    Up,
    Down,
}

/// The power of ten of the first digit.
fn leading(value: f64) -> i32 {
    // No f64 lies outside; the clamp keeps the arithmetic on places from overflowing on infinity.
    if value == 0.0 { FINEST } else { value.abs().log10().floor().clamp(-400.0, 400.0) as i32 }
}

/// The power of ten of the last digit to print for `value`, known within an interval of `width`.
///
/// The last digit is the one that half the width reaches, as measurements are commonly written: 11.98 to 12.02 is
/// "12.00", 62 to 66 is "64". One digit is always printed. Without a width two digits are.
pub(crate) fn last_place(value: f64, width: Option<f64>) -> i32 {
    let first = leading(value);
    let supported = match width {
        Some(width) if width > 0.0 && width.is_finite() => ((width / 2.0).log10() + 1e-9).floor() as i32,
        Some(0.0) => FINEST,
        _ => first - 1,
    };
    supported.max(FINEST).min(first).max(SMALLEST)
}

/// Whether the interval leaves not even the first digit of `value` certain.
pub(crate) fn is_vague(value: f64, width: Option<f64>) -> bool {
    width.is_some_and(|width| (width.log10() - 1e-9).ceil() as i32 > leading(value))
}

/// The number down to the digit of 10^`place`, or of [`SMALLEST`].
pub(crate) fn rounded(value: f64, place: i32, rounding: Rounding) -> String {
    let large = value.abs() >= EXPONENT_FROM;
    let place = if large { place.max(leading(value) - 3) } else { place.max(SMALLEST) };
    // Whole tens are divided by and decimals multiplied with: powers of ten from 1 to 10^22 are exact.
    let scale = 10f64.powi(place.abs());
    let steps = if place > 0 { value / scale } else { value * scale };
    // What multiplying in binary adds is not reason enough to go up or down a whole step.
    let slack = steps.abs() * 1e-12;
    let steps = match rounding {
        Rounding::Nearest => steps.round(),
        Rounding::Up => (steps - slack).ceil(),
        Rounding::Down => (steps + slack).floor(),
    };
    let result = if place > 0 { steps * scale } else { steps / scale };
    if !result.is_finite() {
        return format!("{value:.0e}");
    }
    if large {
        let digits = usize::try_from(leading(result) - place).unwrap_or(0).min(4);
        return format!("{result:.digits$e}");
    }
    let decimals = usize::try_from(-place).unwrap_or(0);
    // "-0.0" says nothing that "0.0" does not.
    format!("{:.decimals$}", if result == 0.0 { 0.0 } else { result })
}

/// The number with `count` significant digits.
pub(crate) fn significant(value: f64, count: i32, rounding: Rounding) -> String {
    rounded(value, leading(value) + 1 - count, rounding)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: f64, width: f64) -> String {
        rounded(value, last_place(value, Some(width)), Rounding::Nearest)
    }

    #[test]
    fn the_interval_decides_the_digits() {
        assert_eq!(shown(12.0034, 0.04), "12.00");
        assert_eq!(shown(12.0034, 0.3), "12.0");
        assert_eq!(shown(63.8, 3.2), "64");
        assert_eq!(shown(0.2540, 0.0009), "0.254");
        assert_eq!(shown(1234.5, 300.0), "1200");
        assert_eq!(shown(37.0, 200.0), "40", "one digit is always there");
        assert_eq!(shown(12.0, 0.0), "12.000", "no digit below 0.001");
        assert_eq!(shown(2.5e12, 1e9), "2.500e12");
        assert!(is_vague(37.0, Some(200.0)) && !is_vague(37.0, Some(5.0)));
    }

    #[test]
    fn bounds_are_rounded_away_from_the_claim_but_not_by_binary_dust() {
        assert_eq!(rounded(0.3041, -2, Rounding::Up), "0.31");
        assert_eq!(rounded(0.07, -2, Rounding::Up), "0.07");
        assert_eq!(rounded(3.98, -1, Rounding::Down), "3.9");
        assert_eq!(significant(0.26, 1, Rounding::Up), "0.3");
        assert_eq!(significant(0.3, 1, Rounding::Up), "0.3");
        assert_eq!(significant(0.96, 1, Rounding::Up), "1.0");
    }

    #[test]
    fn no_finite_number_breaks_the_formatting() {
        for value in
            [f64::MAX, f64::MIN_POSITIVE, 5e-324, -f64::MAX, 0.0, -0.0, 1e22, 9.9999e8, 999_999_999.9]
        {
            for width in [0.0, 5e-324, 1.0, 1e300, f64::MAX] {
                for rounding in [Rounding::Nearest, Rounding::Up, Rounding::Down] {
                    let text = rounded(value, last_place(value, Some(width)), rounding);
                    let back: f64 = text.parse().expect("a number");
                    assert!(back.is_finite() || value.abs() == f64::MAX, "{value:e} {width:e}: {text}");
                }
            }
        }
    }
}
