//! By how much may a count grow? Limits by count, for runs where no clock can be trusted.

use std::fmt;
use std::str::FromStr;

use super::text::figure;
use crate::baseline::{Rule, Standing};
use crate::error::{Error, ErrorKind, Result};
use crate::record::{Counts, brief};

/// A count that can be shown, compared and limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Instructions.
    Instructions,
    /// Hits of the first level.
    L1,
    /// Hits of the last level.
    L2,
    /// Accesses to memory.
    Ram,
    /// Estimated cycles.
    Estimated,
    /// Branches mispredicted.
    Mispredictions,
}

impl Figure {
    /// All of them, as they are shown.
    pub const ALL: [Figure; 6] = [
        Figure::Instructions,
        Figure::L1,
        Figure::L2,
        Figure::Ram,
        Figure::Estimated,
        Figure::Mispredictions,
    ];

    /// Its name in a limit.
    pub const fn name(self) -> &'static str {
        match self {
            Figure::Instructions => "instructions",
            Figure::L1 => "l1",
            Figure::L2 => "l2",
            Figure::Ram => "ram",
            Figure::Estimated => "estimated",
            Figure::Mispredictions => "mispredictions",
        }
    }

    /// It in these counts, per operation; `None` where it was not counted.
    pub fn of(self, counts: &Counts) -> Option<f64> {
        match self {
            Figure::Instructions => Some(counts.instructions),
            Figure::L1 => Some(counts.l1),
            Figure::L2 => Some(counts.l2),
            Figure::Ram => Some(counts.ram),
            Figure::Estimated => Some(counts.estimated_cycles),
            Figure::Mispredictions => counts.mispredictions,
        }
    }
}

/// Limits of counts.
///
/// ```
/// use fencepost::cachegrind::CountLimits;
/// use fencepost::record::Counts;
/// let limits: CountLimits = "instructions=5%,estimated=<=300".parse()?;
/// let counts = |instructions, estimated_cycles| Counts { instructions, estimated_cycles, ..Counts::default() };
/// assert!(limits.passed(Some(&counts(100.0, 200.0)), &counts(105.0, 300.0)).is_empty()); // at the limit is not past it
/// assert_eq!(limits.passed(Some(&counts(100.0, 200.0)), &counts(106.0, 301.0)).len(), 2);
/// # Ok::<(), fencepost::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CountLimits {
    rules: Vec<(Figure, CountRule)>,
}

/// One rule.
#[derive(Clone, Copy, Debug, PartialEq)]
enum CountRule {
    /// Growth in per cent.
    Growth(f64),
    /// The count itself.
    AtMost(f64),
}

impl CountRule {
    fn is_passed(self, old: Option<f64>, new: f64) -> bool {
        match self {
            CountRule::Growth(percent) => Rule::Growth(percent).check_exact(old, new) == Standing::Past,
            CountRule::AtMost(most) => new > most,
        }
    }
}

impl fmt::Display for CountRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CountRule::Growth(percent) => write!(f, "{percent} %"),
            CountRule::AtMost(most) => write!(f, "at most {most}"),
        }
    }
}

impl CountLimits {
    /// Whether a text means limits of counts, not of times.
    pub(crate) fn is_meant(text: &str) -> bool {
        let names =
            |part: &str| part.split_once('=').is_some_and(|(name, _)| !name.trim().ends_with(['<', '>']));
        text.split(',').any(names)
    }

    /// What is past its limit, as sentences. Without old counts growth is not checked.
    pub fn passed(&self, old: Option<&Counts>, new: &Counts) -> Vec<String> {
        let rules = self.rules.iter().filter_map(|(of, rule)| {
            let now = of.of(new)?;
            let before = old.and_then(|old| of.of(old));
            let was = before.map_or_else(String::new, |before| format!("{} before, ", figure(before)));
            let sentence = format!("{} {was}{} now: past the limit of {rule}", of.name(), figure(now));
            rule.is_passed(before, now).then_some(sentence)
        });
        rules.collect()
    }

    /// Whether growth is limited, so that something to compare with is needed.
    pub fn needs_old(&self) -> bool {
        self.rules.iter().any(|(_, rule)| matches!(rule, CountRule::Growth(_)))
    }
}

impl FromStr for CountLimits {
    type Err = Error;

    /// `instructions=1%`, `estimated=<=5000`, several with commas.
    fn from_str(text: &str) -> Result<Self> {
        let refused = |why: String| {
            Error::new(ErrorKind::Usage, format!("\"{}\" is no limit of counts", brief(text)))
                .because(why)
                .remedy("write for example instructions=1%,estimated=2% or instructions=<=5000")
        };
        let mut limits = Self::default();
        for part in text.split(',') {
            let (name, amount) =
                part.split_once('=').ok_or_else(|| refused(format!("\"{}\" names no count", brief(part))))?;
            let (name, amount) = (name.trim(), amount.trim());
            let of = Figure::ALL.into_iter().find(|figure| figure.name() == name).ok_or_else(|| {
                refused(format!(
                    "\"{}\" is none of {}",
                    brief(name),
                    Figure::ALL.map(Figure::name).join(", ")
                ))
            })?;
            let number = |digits: &str| digits.trim().parse().ok().filter(|number: &f64| number.is_finite());
            let rule = match (amount.strip_prefix("<="), amount.strip_suffix('%')) {
                (Some(most), None) => number(most).map(CountRule::AtMost),
                (None, Some(percent)) => number(percent).map(CountRule::Growth),
                _ => None,
            };
            let rule =
                rule.ok_or_else(|| refused(format!("\"{}\" is neither a share nor a count", brief(amount))))?;
            let twice = |(other, before): &(Figure, CountRule)| {
                *other == of && std::mem::discriminant(before) == std::mem::discriminant(&rule)
            };
            if limits.rules.iter().any(twice) {
                return Err(refused(format!("{name} is limited twice")));
            }
            limits.rules.push((of, rule));
        }
        Ok(limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_counts_and_of_times_are_told_apart() {
        assert!(CountLimits::is_meant("instructions=1%"));
        assert!(CountLimits::is_meant("5%,ram=<=3"));
        assert!(!CountLimits::is_meant("5%,<=120cyc"));
        assert!(!CountLimits::is_meant("5%"));
    }

    #[test]
    fn what_is_no_limit_is_refused_by_name() {
        for (text, why) in [
            ("", "names no count"),
            ("cycles=1%", "is none of instructions"),
            ("ram=1", "neither"),
            ("ram=<=5%", "neither"),
            ("ram=inf%", "neither"),
            ("ram=1%,ram=2%", "twice"),
            ("ram=1%,", "names no count"),
        ] {
            let error = text.parse::<CountLimits>().unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
