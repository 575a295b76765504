//! By how much does a count differ? In per cent and as a factor, with as many digits as are asked for.

use std::fmt;

/// A count that was `old` and is `new`. For counts without scatter, such as instructions under a simulator.
///
/// ```
/// use fencepost::baseline::Change;
/// assert_eq!(Change { old: 376.0, new: 551.0 }.to_string(), "+46.5426 %, 1.46543 times as many");
/// assert_eq!(Change { old: 264.0, new: 264.0 }.to_string(), "no change");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// What it was.
    pub old: f64,
    /// What it is.
    pub new: f64,
}

/// Significant digits in the text.
const DIGITS: usize = 6;

impl Change {
    /// Nothing changed.
    pub fn is_none(&self) -> bool {
        self.old == self.new
    }

    /// The change in per cent of the old count; infinite if that was 0 and the new one is not.
    pub fn percent(&self) -> f64 {
        if self.is_none() { 0.0 } else { (self.new - self.old) / self.old.abs() * 100.0 }
    }

    /// How many times the smaller count goes into the larger one: positive where it grew, negative where it fell, infinite
    /// where one of them is 0. Counts are never negative.
    pub fn factor(&self) -> f64 {
        if self.is_none() {
            1.0
        } else if self.new > self.old {
            self.new / self.old
        } else {
            -(self.old / self.new)
        }
    }

    /// [`percent`](Self::percent) with its sign and this many significant digits, but never fewer than the whole ones:
    /// `+46.5426`, `-100.000`, `+inf`.
    pub fn percent_text(&self, digits: usize) -> String {
        signed(self.percent(), digits)
    }

    /// [`factor`](Self::factor) written in the same way.
    pub fn factor_text(&self, digits: usize) -> String {
        signed(self.factor(), digits)
    }
}

/// `-66.6667 %, 3.00000 times as few`, or `no change`.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.write_str("no change");
        }
        let factor = self.factor();
        let times = signed(factor.abs(), DIGITS);
        let times = times.trim_start_matches('+');
        let direction = if factor > 0.0 { "many" } else { "few" };
        write!(f, "{} %", self.percent_text(DIGITS))?;
        if factor.is_finite() { write!(f, ", {times} times as {direction}") } else { Ok(()) }
    }
}

fn signed(value: f64, digits: usize) -> String {
    let whole = value.abs().max(1.0).log10().floor();
    // An infinite value has no digits; the cast saturates.
    let decimals = digits.saturating_sub(1).saturating_sub(whole as usize);
    format!("{value:+.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_says_what_it_can_of_any_change() {
        let text = |old, new| Change { old, new }.to_string();
        assert_eq!(text(3.0, 1.0), "-66.6667 %, 3.00000 times as few");
        assert_eq!(text(0.0, 1.0), "+inf %");
        assert_eq!(text(2000.0, 0.0), "-100.000 %");
        assert_eq!(text(0.0, 0.0), "no change");
        assert_eq!(text(1000.0, 1001.0), "+0.10000 %, 1.00100 times as many");
    }
}
