//! Why does one cost more than the other? Told from counts: more instructions, more misses, or more branches mispredicted.

use std::fmt;

use super::text::figure;
use crate::record::Counts;

/// What makes the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The counts of instructions differ, those of misses do not.
    Instructions,
    /// Misses differ.
    Memory,
    /// Mispredicted branches differ.
    Branches,
    /// Two of them differ, or all.
    Mixed,
    /// Nothing that is counted differs.
    Nothing,
}

impl Cause {
    /// As one word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Cause::Instructions => "instructions",
            Cause::Memory => "memory",
            Cause::Branches => "branches",
            Cause::Mixed => "mixed",
            Cause::Nothing => "nothing",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a mispredicted branch is taken to cost in estimated cycles: 15 to 20 on cores since 2010 (Agner Fog, *The
/// microarchitecture of Intel, AMD and VIA CPUs*).
const MISPREDICTION: f64 = 15.0;
/// A share of the difference that is worth naming.
const NAMED: f64 = 0.2;
/// Costs that differ by less are the same.
const SAME: f64 = 0.01;

/// Why two results differ.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// What makes the difference.
    pub cause: Cause,
    /// Estimated cycles that the second one takes more than the first by instructions and hits of the first level.
    pub work: f64,
    /// By misses.
    pub memory: f64,
    /// By mispredicted branches; `None` where they were not simulated.
    pub branches: Option<f64>,
    /// The cause, the figures that say so, and how it will scale.
    pub sentence: String,
}

/// Says why `b` does not cost what `a` does; each with its name.
///
/// ```
/// use fencepost::cachegrind::{Cause, explain};
/// use fencepost::record::Counts;
/// let counts = |instructions, ram| Counts { instructions, l1: 1.4 * instructions, ram, ..Counts::default() };
/// assert_eq!(explain(("a", &counts(100.0, 0.0)), ("b", &counts(100.0, 8.0))).cause, Cause::Memory);
/// ```
pub fn explain(a: (&str, &Counts), b: (&str, &Counts)) -> Explanation {
    let ((a_name, a), (b_name, b)) = (a, b);
    let misses = |counts: &Counts| 5.0 * counts.l2 + 35.0 * counts.ram;
    let mispredicted = |counts: &Counts| counts.mispredictions.map(|count| count * MISPREDICTION);
    let work = b.l1 - a.l1;
    let memory = misses(b) - misses(a);
    let branches = mispredicted(a).zip(mispredicted(b)).map(|(a, b)| b - a);
    let shares = [
        (Cause::Instructions, work.abs()),
        (Cause::Memory, memory.abs()),
        (Cause::Branches, branches.map_or(0.0, f64::abs)),
    ];
    let all: f64 = shares.iter().map(|(_, share)| share).sum();
    let cost = |counts: &Counts| counts.l1 + misses(counts) + mispredicted(counts).unwrap_or(0.0);
    let named: Vec<Cause> =
        shares.into_iter().filter(|(_, share)| *share > NAMED * all).map(|(cause, _)| cause).collect();
    let cause = match named[..] {
        _ if all <= SAME * cost(a).min(cost(b)) => Cause::Nothing,
        [one] => one,
        _ => Cause::Mixed,
    };
    let figures = |name: &str, a: f64, b: f64| format!("{name} {} and {}", figure(a), figure(b));
    let mut said = vec![
        figures("instructions", a.instructions, b.instructions),
        figures("misses of the first level", a.l2 + a.ram, b.l2 + b.ram),
        figures("of the last level", a.ram, b.ram),
    ];
    match (a.mispredictions, b.mispredictions) {
        (Some(a), Some(b)) => said.push(figures("branches mispredicted", a, b)),
        _ => said.push("branches not simulated (--branch-sim)".to_owned()),
    }
    let sentence = format!(
        "{a_name} against {b_name}: {cause}. Per operation: {}. {}.",
        said.join(", "),
        scaling(cause)
    );
    Explanation { cause, work, memory, branches, sentence }
}

/// How such a difference will scale, and what helps.
fn scaling(cause: Cause) -> &'static str {
    match cause {
        Cause::Instructions => {
            "It is the work itself: the ratio stays as the size grows, and fewer or wider instructions are what helps"
        }
        Cause::Memory => {
            "It is where the data lies: the ratio grows with the size, with each level of the cache that no longer holds it; order, \
             layout and smaller data are what helps"
        }
        Cause::Branches => {
            "It is what cannot be foreseen: the ratio stays as the size grows and goes with the order of the data; sorted data, or \
             code without the branch, is what helps"
        }
        Cause::Mixed => "More than one thing differs: change one at a time",
        Cause::Nothing => {
            "If their times differ, it is by what is not counted: dependencies, ports, alignment, prefetching"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(instructions: f64, l2: f64, ram: f64, mispredictions: Option<f64>) -> Counts {
        let l1 = instructions * 1.5;
        Counts { instructions, l1, l2, ram, mispredictions, ..Counts::default() }
    }

    fn cause(a: Counts, b: Counts) -> Cause {
        let there = explain(("a", &a), ("b", &b));
        let back = explain(("b", &b), ("a", &a));
        assert_eq!(there.cause, back.cause, "the order does not matter");
        assert!(there.sentence.contains(there.cause.as_str()));
        there.cause
    }

    #[test]
    fn the_cause_is_what_differs() {
        let some = Some(0.01);
        assert_eq!(cause(counts(100.0, 1.0, 0.1, some), counts(150.0, 1.0, 0.1, some)), Cause::Instructions);
        assert_eq!(cause(counts(100.0, 1.0, 0.1, some), counts(101.0, 60.0, 2.0, some)), Cause::Memory);
        assert_eq!(cause(counts(100.0, 1.0, 0.1, some), counts(100.0, 1.0, 0.1, Some(5.0))), Cause::Branches);
        assert_eq!(cause(counts(100.0, 1.0, 0.1, some), counts(160.0, 20.0, 0.1, some)), Cause::Mixed);
        assert_eq!(cause(counts(100.0, 1.0, 0.1, some), counts(100.0, 1.0, 0.1, some)), Cause::Nothing);
        assert_eq!(cause(counts(0.0, 0.0, 0.0, None), counts(0.0, 0.0, 0.0, None)), Cause::Nothing);
        assert_eq!(cause(counts(0.0, 0.0, 0.0, None), counts(9.0, 0.0, 0.0, None)), Cause::Instructions);
    }
}
