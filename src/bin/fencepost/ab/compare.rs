//! By how much do the runs of the two sides differ, and may that be said?

use fencepost::error::Result;
use fencepost::stats::{self, Grade, PairedRatio, Shift, Threshold};

use super::order::Both;

/// A difference that chance alone would order so one-sidedly more often than this is none.
pub(crate) const SIGNIFICANT: f64 = 0.05;
/// The coverage that is asked for of the interval of the ratio; few pairs may reach less, and say so.
const COVERAGE: f64 = 0.95;

/// From where on a difference deserves much attention, and some.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thresholds {
    pub(crate) high: Threshold,
    pub(crate) low: Threshold,
}

impl Thresholds {
    /// 10 % and 5 % of the side before, and in its unit as many as given and half of it.
    pub(crate) const fn from(absolute: f64) -> Self {
        Self {
            high: Threshold { absolute, pct: 10.0 },
            low: Threshold { absolute: absolute / 2.0, pct: 5.0 },
        }
    }
}

/// What the runs of both sides say.
#[derive(Clone, Debug)]
pub(crate) struct Compared {
    pub(crate) shift: Shift,
    pub(crate) grade: Grade,
    /// How often chance alone orders runs so one-sidedly.
    pub(crate) chance: f64,
    /// After over before in the rounds that have both; `None` where a run is 0 or no round has both.
    pub(crate) ratio: Option<PairedRatio>,
    /// From the least to the greatest run, in per cent of the median.
    pub(crate) spread_pct: Both<f64>,
}

impl Compared {
    /// Compares runs, one a round and side; `None` stands for a run that is missing.
    ///
    /// # Errors
    ///
    /// `Usage` if a side has no run at all, or one that is not finite.
    pub(crate) fn of(runs: &Both<Vec<Option<f64>>>, thresholds: Thresholds) -> Result<Self> {
        let there = |runs: &[Option<f64>]| -> Vec<f64> { runs.iter().flatten().copied().collect() };
        let (before, after) = (there(&runs.before), there(&runs.after));
        let shift = stats::shift(&before, &after, 0.0)?;
        let (first, second): (Vec<f64>, Vec<f64>) =
            runs.before.iter().zip(&runs.after).filter_map(|(before, after)| before.zip(*after)).unzip();
        Ok(Self {
            grade: shift.grade(thresholds.high, thresholds.low),
            shift,
            chance: stats::chance(&before, &after)?,
            ratio: stats::paired_ratio(&first, &second, COVERAGE).ok(),
            spread_pct: Both { before: spread(&before)?, after: spread(&after)? },
        })
    }

    /// Whether more than chance tells the sides apart.
    pub(crate) fn differs(&self) -> bool {
        self.chance < SIGNIFICANT && self.shift.delta != 0.0
    }

    /// What may be said: `slower`, `faster` or `no difference`.
    pub(crate) fn verdict(&self) -> &'static str {
        match (self.differs(), self.shift.delta > 0.0) {
            (false, _) => "no difference",
            (true, true) => "slower",
            (true, false) => "faster",
        }
    }

    /// Whether the side after is slower by more than `limit` of what `measure` takes from the difference, beyond chance.
    pub(crate) fn slower_by_more_than(&self, limit: f64, measure: fn(&Shift) -> f64) -> bool {
        self.differs() && measure(&self.shift) > limit
    }

    /// The agreement as text: `24/25`.
    pub(crate) fn agreement(&self) -> String {
        format!("{}/{}", self.shift.agreeing, self.shift.pairs)
    }

    /// The ratio with its interval as a phrase.
    pub(crate) fn ratio_phrase(&self) -> Option<String> {
        let PairedRatio { ratio, coverage, pairs, .. } = self.ratio?;
        let digits = super::figures::decimals(ratio.estimate, ratio.width()).max(2);
        Some(format!(
            "after/before {:.digits$}, {:.digits$} to {:.digits$} (median of {pairs} pairs, {:.1} % interval)",
            ratio.estimate,
            ratio.lo,
            ratio.hi,
            coverage * 100.0
        ))
    }
}

fn spread(runs: &[f64]) -> Result<f64> {
    let spread = stats::spread(runs)?;
    // A median of 0 has no share; without any range there is nothing to have a share of.
    Ok(if spread.max == spread.min { 0.0 } else { spread.spread_pct.abs() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(before: &[f64], after: &[f64]) -> Compared {
        let runs = |side: &[f64]| side.iter().copied().map(Some).collect();
        Compared::of(&Both { before: runs(before), after: runs(after) }, Thresholds::from(1.0)).unwrap()
    }

    #[test]
    fn unanimous_runs_differ_once_they_are_many_enough() {
        let three = compared(&[10.0, 10.1, 10.2], &[20.0, 20.1, 20.2]);
        assert_eq!((three.verdict(), three.grade), ("no difference", Grade::LossHigh));
        let five = compared(&[10.0, 10.1, 10.2, 10.0, 10.1], &[20.0, 20.1, 20.2, 20.0, 20.1]);
        assert_eq!((five.verdict(), five.agreement().as_str()), ("slower", "25/25"));
        assert!(five.slower_by_more_than(5.0, |shift| shift.pct));
        let back = compared(&[20.0; 5], &[10.0; 5]);
        assert_eq!(back.verdict(), "faster");
        assert!(!back.slower_by_more_than(5.0, |shift| shift.pct));
    }

    #[test]
    fn a_missing_run_takes_its_partner_out_of_the_pairs_alone() {
        let runs =
            Both { before: vec![Some(1.0), None, Some(2.0)], after: vec![Some(2.0), Some(9.0), Some(4.0)] };
        let compared = Compared::of(&runs, Thresholds::from(1.0)).unwrap();
        assert_eq!((compared.shift.pairs, compared.ratio.unwrap().pairs), (6, 2));
        assert!((compared.ratio.unwrap().ratio.estimate - 2.0).abs() < 1e-12);
    }

    #[test]
    fn zero_has_no_ratio() {
        assert!(compared(&[0.0, 0.0], &[1.0, 1.0]).ratio.is_none());
    }
}
