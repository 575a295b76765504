//! How is a difference said in one short line? `15.2+11.1ns (+73.0%; 24/25 agree)`.

use super::paired::{Grade, Shift};

/// A share of fewer display steps than this would mostly show rounding: one step of 20 is already 5 %.
const STEPS_FOR_A_SHARE: f64 = 20.0;
/// One decimal is shown.
const STEP: f64 = 0.1;

impl Shift {
    /// The median before, the difference with its sign, and in parentheses the share of the median before and how many pairs
    /// agree. The share is left out where the median before is below 2, where one decimal does not support it, and the
    /// agreement where it is unanimous.
    ///
    /// ```
    /// use fencepost::stats::shift;
    /// let found = shift(&[14.9, 15.0, 15.2, 15.2, 15.4], &[26.3, 26.3, 15.3, 26.3, 26.3], 0.05)?;
    /// assert_eq!(found.headline("ns"), "15.2+11.1ns (+73.0%; 24/25 agree)");
    /// # Ok::<(), fencepost::Error>(())
    /// ```
    pub fn headline(&self, unit: &str) -> String {
        let mut remarks = Vec::new();
        if self.median_before.abs() >= STEPS_FOR_A_SHARE * STEP {
            remarks.push(format!("{}%", signed(self.pct)));
        }
        if self.agreeing != self.pairs {
            remarks.push(format!("{}/{} agree", self.agreeing, self.pairs));
        }
        let figures = format!("{:.1}{}{unit}", self.median_before, signed(self.delta));
        if remarks.is_empty() { figures } else { format!("{figures} ({})", remarks.join("; ")) }
    }
}

/// One decimal with its sign; what rounds to 0 is `+0.0`.
fn signed(value: f64) -> String {
    let shown = format!("{value:+.1}");
    if shown == "-0.0" { "+0.0".to_owned() } else { shown }
}

impl Grade {
    /// As reports spell it: `win-hi-pri`, `win-lo-pri`, `below-threshold`, `loss-lo-pri` or `loss-hi-pri`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WinHigh => "win-hi-pri",
            Self::WinLow => "win-lo-pri",
            Self::BelowThreshold => "below-threshold",
            Self::LossLow => "loss-lo-pri",
            Self::LossHigh => "loss-hi-pri",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::paired::shift;

    #[test]
    fn nothing_reads_as_minus_nothing() {
        assert_eq!(shift(&[10.0], &[9.96], 0.0).unwrap().headline("cyc"), "10.0+0.0cyc (-0.4%)");
        assert_eq!(shift(&[1.0, 1.0], &[0.5, 1.5], 0.1).unwrap().headline("cyc"), "1.0+0.0cyc (0/4 agree)");
    }
}
