//! When is slower too slow? One rule of a limit, and where a change stands to it.

use std::fmt;

use super::ends::Ends;

/// The unit of an absolute limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LimitUnit {
    /// Core cycles an operation, `cyc`.
    Cycles,
    /// Nanoseconds an operation, `ns`.
    Nanos,
}

impl LimitUnit {
    /// As it is written behind a number.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cycles => "cyc",
            Self::Nanos => "ns",
        }
    }
}

/// One condition that a change must not be past. Exactly at the limit is not past it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// Growth in per cent of the old cost: `5%`. A negative one limits how far a number may fall, for counters of which more
    /// is better.
    Growth(f64),
    /// Growth by so much: `2cyc`, `0.5ns`.
    Increase(f64, LimitUnit),
    /// The new cost itself, whatever the old one was: `<=120cyc`.
    AtMost(f64, LimitUnit),
}

/// Where a change stands to a limit, from good to bad.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// No limit was set.
    #[default]
    Unlimited,
    /// Within it, by the estimate.
    Within,
    /// There is no number that it could be checked with.
    Unchecked,
    /// The estimate is past it, its interval reaches back: it may be a regression, which is said and fails nothing.
    MayBePast,
    /// Past it with the whole interval: a regression.
    Past,
}

impl Standing {
    /// As JSON spells it, with underscores.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unlimited => "unlimited",
            Self::Within => "within",
            Self::Unchecked => "unchecked",
            Self::MayBePast => "may_be_past",
            Self::Past => "past",
        }
    }
}

impl Rule {
    /// Where two exact numbers stand, counts for instance, in the rule's own unit. Without an old number growth cannot be
    /// checked.
    ///
    /// ```
    /// use fencepost::baseline::{Rule, Standing};
    /// assert_eq!(Rule::Growth(5.0).check_exact(Some(100.0), 105.0), Standing::Within);
    /// assert_eq!(Rule::Growth(5.0).check_exact(Some(100.0), 106.0), Standing::Past);
    /// assert_eq!(Rule::Growth(5.0).check_exact(None, 1e9), Standing::Unchecked);
    /// ```
    pub fn check_exact(&self, old: Option<f64>, new: f64) -> Standing {
        let exact = |value: f64| Ends { estimate: Some(value), lo: value, hi: value };
        match (self, old) {
            (Self::AtMost(..), _) => self.check(&exact(new)),
            (_, None) => Standing::Unchecked,
            (Self::Growth(_), Some(old)) if old == new => self.check(&exact(0.0)),
            (Self::Growth(_), Some(old)) => self.check(&exact((new - old) / old * 100.0)),
            (Self::Increase(..), Some(old)) => self.check(&exact(new - old)),
        }
    }

    /// Where a quantity stands: growth in per cent, increase or cost, as the rule asks for.
    pub(super) fn check(&self, of: &Ends) -> Standing {
        let (Self::Growth(limit) | Self::Increase(limit, _) | Self::AtMost(limit, _)) = *self;
        // A limit below 0 is passed downwards: both are mirrored.
        let (limit, lo, hi, estimate) = if limit < 0.0 {
            (-limit, -of.hi, -of.lo, of.estimate.map(|estimate| -estimate))
        } else {
            (limit, of.lo, of.hi, of.estimate)
        };
        if lo > limit {
            Standing::Past
        } else if estimate.unwrap_or(hi) > limit {
            Standing::MayBePast
        } else {
            Standing::Within
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Growth(limit) => write!(f, "{limit} %"),
            Self::Increase(limit, unit) => write!(f, "{limit} {}", unit.as_str()),
            Self::AtMost(limit, unit) => write!(f, "at most {limit} {}", unit.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_interval_is_past_a_limit() {
        let growth = |estimate, lo, hi| Rule::Growth(5.0).check(&Ends { estimate, lo, hi });
        assert_eq!(growth(Some(7.0), 5.1, 9.0), Standing::Past);
        assert_eq!(growth(Some(7.0), 4.9, 9.0), Standing::MayBePast);
        assert_eq!(growth(Some(4.0), 3.0, 9.0), Standing::Within);
        assert_eq!(growth(None, -100.0, 9.0), Standing::MayBePast);
        assert_eq!(growth(None, 6.0, f64::INFINITY), Standing::Past);
        let fall = |estimate, lo, hi| Rule::Growth(-5.0).check(&Ends { estimate: Some(estimate), lo, hi });
        assert_eq!(fall(-7.0, -8.0, -6.0), Standing::Past);
        assert_eq!(fall(-4.0, -4.5, -3.0), Standing::Within);
    }
}
