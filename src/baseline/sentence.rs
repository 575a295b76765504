//! What does a comparison license one to say of a benchmark? One sentence, and one more about its limit.

use super::ends::Ends;
use super::entry::{Entry, Movement};
use super::limit::{Rule, Standing};
use crate::record::{Rounding, last_place, rounded};

/// The sentences of an entry whose other fields are filled in.
pub(super) fn of(entry: &Entry) -> String {
    let costs = format!("{} in the baseline and {} now", entry.old, entry.new);
    let times = entry.ratio.as_ref().map_or_else(String::new, |ratio| format!(", {}", times(ratio)));
    let mut said = match entry.movement {
        Movement::Slower => format!("Slower: {costs}{times}."),
        Movement::Faster => format!("Faster: {costs}{times}."),
        Movement::NoDifference if entry.ratio.is_none() => {
            format!("No difference can be measured: {costs}, and neither can be told from nothing.")
        }
        Movement::NoDifference => format!("No difference can be told: {costs}{times}."),
        Movement::CannotTell => {
            let reason = entry.reason.as_deref().unwrap_or("the numbers do not allow it");
            format!("It cannot be told which is faster, because {reason}: {costs}{times}.")
        }
    };
    if let Some(limit) = limit(entry.standing, &entry.rules) {
        said.push_str(&format!(" {limit}"));
    }
    said
}

/// The sentence about the limit; none where there is nothing to say.
pub(super) fn limit(standing: Standing, rules: &[Rule]) -> Option<String> {
    let rules: Vec<String> = rules.iter().map(ToString::to_string).collect();
    let rules = rules.join(" and of ");
    match standing {
        Standing::Unlimited | Standing::Within => None,
        Standing::Unchecked => Some(format!("There is no number to check the limit of {rules} with.")),
        Standing::MayBePast => {
            Some(format!("This may be a regression: it is not sure to be past the limit of {rules}."))
        }
        Standing::Past => Some(format!("This is a regression past the limit of {rules}.")),
    }
}

/// A ratio in words, with its interval.
fn times(ratio: &Ends) -> String {
    let interval = interval(ratio).map_or_else(String::new, |interval| format!(" (95 %: {interval})"));
    format!("{} times as much{interval}", cell(ratio))
}

/// The ends of a ratio of two estimates, rounded outwards.
pub(super) fn interval(ratio: &Ends) -> Option<String> {
    let place = last_place(ratio.estimate.filter(|_| ratio.is_closed())?, Some(ratio.hi - ratio.lo));
    let (lo, hi) = (rounded(ratio.lo, place, Rounding::Down), rounded(ratio.hi, place, Rounding::Up));
    Some(format!("{lo} to {hi}"))
}

/// A ratio as a cell of a table, in no more digits than its interval supports: `1.020`, `<= 0.9`, `~1.1`.
pub(super) fn cell(ratio: &Ends) -> String {
    // A bound is given to the percent.
    let bound = |sign: &str, value: f64, rounding| {
        format!("{sign} {}", rounded(value, last_place(value, Some(value * 0.02)), rounding))
    };
    match ratio.estimate {
        Some(estimate) if ratio.is_closed() => {
            let place = last_place(estimate, Some(ratio.hi - ratio.lo));
            rounded(estimate, place, Rounding::Nearest)
        }
        Some(estimate) => format!("~{}", rounded(estimate, last_place(estimate, None), Rounding::Nearest)),
        None if ratio.hi.is_finite() => bound("<=", ratio.hi, Rounding::Up),
        None if ratio.lo > 0.0 => bound(">=", ratio.lo, Rounding::Down),
        None => "-".to_owned(),
    }
}
