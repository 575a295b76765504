//! How are limits written, and which one holds for which benchmark?

use std::fmt;
use std::str::FromStr;

use super::limit::{LimitUnit, Rule};
use crate::error::{Error, ErrorKind, Result};
use crate::record::{Named, brief};

/// A limit: one rule or several, each of which holds on its own.
///
/// ```
/// use fencepost::baseline::{Limit, LimitUnit, Rule};
/// let limit: Limit = "10%, 2cyc".parse()?;
/// assert_eq!(limit.rules(), [Rule::Growth(10.0), Rule::Increase(2.0, LimitUnit::Cycles)]);
/// assert!("5 parsecs".parse::<Limit>().unwrap_err().to_string().contains("5 parsecs"));
/// # Ok::<(), fencepost::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    rules: Vec<Rule>,
}

impl Limit {
    /// The rules, in the order in which they were written.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }
}

/// The rules, separated by commas.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules: Vec<String> = self.rules.iter().map(ToString::to_string).collect();
        f.write_str(&rules.join(", "))
    }
}

impl FromStr for Limit {
    type Err = Error;

    /// Rules separated by commas: `5%`, `2cyc`, `0.5ns`, `<=120cyc`; spaces do not matter.
    fn from_str(text: &str) -> Result<Self> {
        let rules: Result<Vec<Rule>> = text.split(',').map(|part| rule(text, part.trim())).collect();
        let rules = rules?;
        let kind = |rule: &Rule| match rule {
            Rule::Growth(limit) => (0, *limit < 0.0, None),
            Rule::Increase(_, unit) => (1, false, Some(*unit)),
            Rule::AtMost(_, unit) => (2, false, Some(*unit)),
        };
        for (at, one) in rules.iter().enumerate() {
            if rules.iter().take(at).any(|other| kind(other) == kind(one)) {
                return Err(refused(
                    text,
                    format!("it limits the same thing twice, the second time by {one}"),
                ));
            }
        }
        Ok(Self { rules })
    }
}

fn rule(whole: &str, part: &str) -> Result<Rule> {
    let (capped, amount) = match part.strip_prefix("<=") {
        Some(rest) => (true, rest.trim_start()),
        None => (false, part),
    };
    let digits = amount.trim_end_matches(|c: char| c.is_alphabetic() || c == '%').trim_end();
    let unit = amount.strip_prefix(digits).unwrap_or("").trim_start();
    let quoted = brief(part);
    let refuse = |why: String| Err(refused(whole, why));
    if part.is_empty() {
        return refuse("a part of it is empty".to_owned());
    }
    if digits.is_empty() {
        return refuse(format!("\"{quoted}\" holds no number"));
    }
    let Some(number) = digits.parse().ok().filter(|number: &f64| number.is_finite()) else {
        return refuse(format!("\"{}\" is no number", brief(digits)));
    };
    let unit = match unit {
        "%" => None,
        "cyc" => Some(LimitUnit::Cycles),
        "ns" => Some(LimitUnit::Nanos),
        "" => return refuse(format!("\"{quoted}\" has no unit")),
        other => return refuse(format!("\"{}\" is no unit of a limit", brief(other))),
    };
    match (capped, unit) {
        (false, None) => Ok(Rule::Growth(number)),
        (_, Some(_)) if number < 0.0 => refuse(format!("\"{quoted}\" is below 0")),
        (false, Some(unit)) => Ok(Rule::Increase(number, unit)),
        (true, Some(unit)) => Ok(Rule::AtMost(number, unit)),
        (true, None) => refuse(format!("\"{quoted}\" is a share, and a cost at most has cyc or ns")),
    }
}

fn refused(text: &str, why: String) -> Error {
    Error::new(ErrorKind::Usage, format!("\"{}\" is no limit", brief(text)))
        .because(why)
        .remedy("write for example 5%, 2cyc, 0.5ns, 10%,2cyc or <=120cyc")
}

/// The limits of a run: one for all of it, others for single benchmarks or whole groups.
///
/// ```
/// use fencepost::baseline::Limits;
/// let limits = Limits::default().for_run("5%".parse()?).for_benchmark("hash", "10%".parse()?);
/// assert_eq!(limits.of("hash/fnv/latency").unwrap().to_string(), "10 %");
/// assert_eq!(limits.of("hashes").unwrap().to_string(), "5 %");
/// # Ok::<(), fencepost::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    run: Option<Limit>,
    by_id: Named<Limit>,
}

impl Limits {
    /// With this limit for every benchmark that has none of its own.
    #[must_use]
    pub fn for_run(mut self, limit: Limit) -> Self {
        self.run = Some(limit);
        self
    }

    /// With this limit for the benchmark `id`, and for those whose ids go on behind it with a `/`.
    #[must_use]
    pub fn for_benchmark(mut self, id: impl Into<String>, limit: Limit) -> Self {
        self.by_id.insert(id.into(), limit);
        self
    }

    /// No limit at all.
    pub fn is_empty(&self) -> bool {
        self.run.is_none() && self.by_id.is_empty()
    }

    /// The limit of a benchmark: its own, else that of the nearest group around it, else the run's.
    pub fn of(&self, id: &str) -> Option<&Limit> {
        around(id).find_map(|part| self.by_id.get(part)).or(self.run.as_ref())
    }

    /// The ids with a limit of their own that none of `ids` is or lies in.
    pub(super) fn unused<'l>(&'l self, ids: &[&str]) -> Vec<&'l str> {
        let used = |limited: &str| ids.iter().any(|id| around(id).any(|part| part == limited));
        self.by_id.keys().filter(|limited| !used(limited)).collect()
    }
}

/// The id and the groups around it, nearest first.
fn around(id: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(id), |part| part.rsplit_once('/').map(|(group, _)| group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_read_as_they_are_written() {
        let rules = |text: &str| text.parse::<Limit>().unwrap().rules().to_vec();
        assert_eq!(rules("5%"), [Rule::Growth(5.0)]);
        assert_eq!(rules(" 0.5 ns "), [Rule::Increase(0.5, LimitUnit::Nanos)]);
        assert_eq!(rules("<= 120cyc,-5%"), [Rule::AtMost(120.0, LimitUnit::Cycles), Rule::Growth(-5.0)]);
        assert_eq!("10%,2cyc".parse::<Limit>().unwrap().to_string(), "10 %, 2 cyc");
    }

    #[test]
    fn what_is_no_limit_is_refused_by_name() {
        for (text, why) in [
            ("", "empty"),
            ("5", "no unit"),
            ("5%%", "is no unit"),
            ("5%,", "empty"),
            ("cyc", "no number"),
            ("infns", "no number"),
            ("1e999cyc", "no number"),
            ("1..2ns", "no number"),
            ("-2cyc", "below 0"),
            ("5ticks", "is no unit"),
            ("5%,6%", "twice"),
            ("<=5%", "is a share"),
            ("5 \u{1b}[31m%", "no number"),
        ] {
            let error = text.parse::<Limit>().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage);
            let said = error.to_string();
            assert!(said.contains(why) && said.contains("is no limit"), "{text}: {said}");
            assert!(!said.contains('\u{1b}'), "{said}");
        }
    }
}
