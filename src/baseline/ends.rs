//! Between which ends does a ratio or a difference of two costs lie? Both sides' intervals joined, bounds kept as bounds.

use crate::record::{Claim, Cost};
use crate::stats::{Interval, difference};

/// What is known of a number: an estimate, if there is one, and the ends between which it lies. An end that is not known is
/// infinite (or 0, of a cost or a ratio).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// The estimate; absent where bounds are all there is.
    pub estimate: Option<f64>,
    /// The lower end.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
}

impl Ends {
    /// What a cost says of itself.
    pub(super) fn of(cost: &Cost) -> Self {
        let value = cost.value();
        match cost.claim() {
            Claim::Equal => {
                let (lo, hi) = cost.ends().unwrap_or((0.0, f64::INFINITY));
                Self { estimate: Some(value), lo: lo.max(0.0), hi }
            }
            Claim::AtMost => Self { estimate: None, lo: 0.0, hi: value },
            // What lies below resolution may be nothing at all.
            Claim::Below => {
                Self { estimate: None, lo: 0.0, hi: if value > 0.0 { value } else { f64::INFINITY } }
            }
        }
    }

    /// Whether both ends are known, for a quantity that is above 0.
    pub(super) fn is_closed(&self) -> bool {
        self.lo > 0.0 && self.hi.is_finite()
    }

    fn interval(&self) -> Option<Interval> {
        self.estimate.map(|estimate| Interval { estimate, lo: self.lo, hi: self.hi })
    }

    /// `new / old`. Of two estimates the interval is MOVER's on logarithms, widened by `allowance` (a share: 0.01 is 1 %) in the
    /// same way; with a bound on a side the ends are the worst cases.
    pub(super) fn ratio(old: &Self, new: &Self, allowance: f64) -> Self {
        let slack = allowance.max(0.0).ln_1p();
        if let (Some(old), Some(new)) = (old.interval(), new.interval()) {
            let logs = |of: Interval| Interval { estimate: of.estimate.ln(), lo: of.lo.ln(), hi: of.hi.ln() };
            let log = widened(difference(&logs(new), &logs(old)), slack);
            return Self { estimate: Some(log.estimate.exp()), lo: log.lo.exp(), hi: log.hi.exp() };
        }
        let slack = slack.exp();
        Self { estimate: None, lo: new.lo / old.hi / slack, hi: new.hi / old.lo * slack }
    }

    /// `new - old`, in their unit, widened likewise by a share of the larger of the two.
    pub(super) fn difference(old: &Self, new: &Self, allowance: f64) -> Self {
        let slack = |size: f64| if size.is_finite() { size * allowance.max(0.0) } else { 0.0 };
        if let (Some(old), Some(new)) = (old.interval(), new.interval()) {
            let joined = widened(difference(&new, &old), slack(old.estimate.max(new.estimate)));
            return Self { estimate: Some(joined.estimate), lo: joined.lo, hi: joined.hi };
        }
        let (lo, hi) = (new.lo - old.hi, new.hi - old.lo);
        Self { estimate: None, lo: lo - slack(old.hi.max(new.lo)), hi: hi + slack(new.hi.max(old.lo)) }
    }
}

fn widened(of: Interval, slack: f64) -> Interval {
    let lo = of.estimate - (of.estimate - of.lo).hypot(slack);
    Interval { lo, hi: of.estimate + (of.hi - of.estimate).hypot(slack), ..of }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(estimate: f64, share: f64) -> Ends {
        Ends { estimate: Some(estimate), lo: estimate * (1.0 - share), hi: estimate * (1.0 + share) }
    }

    #[test]
    fn the_ratio_of_two_equal_costs_holds_one_and_is_wider_than_either() {
        let ratio = Ends::ratio(&known(12.0, 0.01), &known(12.0, 0.01), 0.0);
        assert_eq!(ratio.estimate, Some(1.0));
        let expected = ((1.01f64.ln()).hypot(-(0.99f64.ln()))).exp();
        assert!((ratio.hi - expected).abs() < 1e-12 && ratio.lo < 0.9865, "{ratio:?}");
        let allowed = Ends::ratio(&known(12.0, 0.0), &known(12.0, 0.0), 0.02);
        assert!((allowed.hi - 1.02).abs() < 1e-12, "{allowed:?}");
    }

    #[test]
    fn a_bound_leaves_one_end_open() {
        let bound = Ends { estimate: None, lo: 0.0, hi: 10.0 };
        let slower = Ends::ratio(&bound, &known(20.0, 0.1), 0.0);
        assert_eq!((slower.estimate, slower.lo, slower.hi), (None, 1.8, f64::INFINITY));
        let faster = Ends::ratio(&known(20.0, 0.1), &bound, 0.0);
        assert_eq!((faster.lo, faster.hi), (0.0, 10.0 / 18.0));
    }

    #[test]
    fn an_interval_that_reaches_nothing_or_is_not_known_makes_no_nan() {
        let open = Ends { estimate: Some(5.0), lo: 0.0, hi: f64::INFINITY };
        let ratio = Ends::ratio(&open, &open, 0.01);
        assert_eq!((ratio.lo, ratio.hi), (0.0, f64::INFINITY));
        let difference = Ends::difference(&open, &known(5.0, 0.0), 0.0);
        assert_eq!((difference.lo, difference.hi), (f64::NEG_INFINITY, 5.0));
    }
}
