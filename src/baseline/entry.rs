//! Which way did one benchmark go, how surely, and is it past its limit?

use super::ends::Ends;
use super::limit::{LimitUnit, Rule, Standing};
use super::limits::Limits;
use super::sentence;
use crate::record::{self, BenchmarkResult, Claim, Cost, Unit, Verdict};

/// Which way a benchmark went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Movement {
    /// The interval of the ratio holds 1, and is narrow enough to say so.
    NoDifference,
    /// All of it is below 1.
    Faster,
    /// All of it is above 1.
    Slower,
    /// The numbers do not allow an answer.
    CannotTell,
}

impl Movement {
    /// As JSON spells it, with underscores.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoDifference => "no_difference",
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::CannotTell => "cannot_tell",
        }
    }

    /// As text spells it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NoDifference => "no difference",
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::CannotTell => "cannot tell",
        }
    }
}

/// A benchmark that both records have.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// The cost in the older record, as it may be shown, with its unit.
    pub old: String,
    /// The cost in the newer record, likewise.
    pub new: String,
    /// New cost over old cost; absent where a side is below resolution or missing, and where both are bounds.
    pub ratio: Option<Ends>,
    /// New cost minus old cost in core cycles an operation; absent likewise, and where there are only ticks.
    pub difference_cycles: Option<Ends>,
    /// Which way it went.
    pub movement: Movement,
    /// Why it cannot be told.
    pub reason: Option<String>,
    /// Where it stands to its limit.
    pub standing: Standing,
    /// The rules of the limit that gave `standing`.
    pub rules: Vec<Rule>,
    /// What may be said of it.
    pub sentence: String,
}

/// A benchmark that one record has alone.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Alone {
    /// Its id.
    pub id: String,
    /// Its cost as it may be shown, with its unit.
    pub cost: String,
    /// Where a new one stands to a limit of its cost itself; the other limits need an old cost.
    pub standing: Standing,
    /// The rules that gave `standing`.
    pub rules: Vec<Rule>,
}

/// An interval of a ratio whose upper end is more than this times its lower one is too wide to call its ends the same.
const TOO_WIDE: f64 = 1.1;

impl Entry {
    /// Both results compared, with intervals that allow for `allowance` (a share) between processes.
    pub(super) fn new(old: &BenchmarkResult, new: &BenchmarkResult, limits: &Limits, allowance: f64) -> Self {
        let pair = Pair::new(old, new, allowance);
        let (movement, reason) = match pair.movement() {
            Ok(movement) => (movement, None),
            Err(reason) => (Movement::CannotTell, Some(reason)),
        };
        let shown = pair.costs.as_ref().filter(|joined| joined.has_ratio());
        let in_cycles = shown.filter(|joined| joined.unit == Unit::Cycles);
        let (standing, rules) = limits
            .of(&new.id)
            .map_or_else(Default::default, |limit| worst(limit.rules(), |rule| pair.standing(rule)));
        let mut entry = Self {
            id: new.id.clone(),
            old: record::cost(old),
            new: record::cost(new),
            ratio: shown.map(|joined| joined.ratio),
            difference_cycles: in_cycles.map(|joined| joined.difference),
            movement,
            reason,
            standing,
            rules,
            sentence: String::new(),
        };
        entry.sentence = sentence::of(&entry);
        entry
    }
}

impl Alone {
    /// A result without another side; `limits` where it is new.
    pub(super) fn new(result: &BenchmarkResult, limits: Option<&Limits>) -> Self {
        let limit = limits.and_then(|limits| limits.of(&result.id));
        let (standing, rules) = limit
            .map_or_else(Default::default, |limit| worst(limit.rules(), |rule| Self::of_cost(result, rule)));
        Self { id: result.id.clone(), cost: record::cost(result), standing, rules }
    }
}

/// Both costs in one unit and what they say together.
struct Joined {
    ratio: Ends,
    difference: Ends,
    unit: Unit,
    claims: [Claim; 2],
}

impl Joined {
    fn of(old: &Cost, new: &Cost, allowance: f64) -> Option<Self> {
        let (before, after) = (Ends::of(old), Ends::of(new));
        (old.unit() == new.unit()).then(|| Self {
            ratio: Ends::ratio(&before, &after, allowance),
            difference: Ends::difference(&before, &after, allowance),
            unit: new.unit(),
            claims: [old.claim(), new.claim()],
        })
    }

    /// Whether a ratio may be shown: none below resolution, and none of two bounds.
    fn has_ratio(&self) -> bool {
        !self.claims.contains(&Claim::Below) && self.claims != [Claim::AtMost; 2]
    }

    fn both_below(&self) -> bool {
        self.claims == [Claim::Below; 2]
    }
}

/// Two results under one id.
struct Pair<'r> {
    old: &'r BenchmarkResult,
    new: &'r BenchmarkResult,
    /// In core cycles, or in ticks; absent where they measure different things or have no unit in common.
    costs: Option<Joined>,
    nanos: Option<Joined>,
}

impl<'r> Pair<'r> {
    fn new(old: &'r BenchmarkResult, new: &'r BenchmarkResult, allowance: f64) -> Self {
        let join = |costs: [Option<Cost>; 2]| match costs {
            [Some(before), Some(after)] if old.kind == new.kind => Joined::of(&before, &after, allowance),
            _ => None,
        };
        let costs = join([old, new].map(Cost::of));
        Self { old, new, costs, nanos: join([old, new].map(Cost::nanos)) }
    }

    /// Which way it went, or why that cannot be told.
    fn movement(&self) -> Result<Movement, String> {
        let Self { old, new, .. } = self;
        if old.kind != new.kind {
            return Err(format!(
                "the baseline is of kind {} and the new result of kind {}",
                old.kind, new.kind
            ));
        }
        let Some(joined) = &self.costs else {
            let missing = [old, new].iter().any(|side| Cost::of(side).is_none());
            return Err(if missing { "a side has no number" } else { "a side has only ticks" }.to_owned());
        };
        let doubts = [("the baseline", doubt(old)), ("the new result", doubt(new))];
        let doubts: Vec<String> =
            doubts.into_iter().filter_map(|(side, why)| Some(format!("{side} is {}", why?))).collect();
        let Ends { estimate, lo, hi } = joined.ratio;
        if !doubts.is_empty() {
            Err(doubts.join(" and "))
        } else if joined.both_below() {
            Ok(Movement::NoDifference)
        } else if lo > 1.0 {
            Ok(Movement::Slower)
        } else if hi < 1.0 {
            Ok(Movement::Faster)
        } else if joined.claims.contains(&Claim::Below) {
            Err("a side is below resolution".to_owned())
        } else if estimate.is_none() {
            Err("a side is only an upper bound, as its core was not alone".to_owned())
        } else if !joined.ratio.is_closed() {
            Err("a side has no interval".to_owned())
        } else if hi / lo > TOO_WIDE {
            Err("the intervals are too wide".to_owned())
        } else {
            Ok(Movement::NoDifference)
        }
    }

    fn standing(&self, rule: &Rule) -> Standing {
        let in_unit = |unit| match unit {
            LimitUnit::Cycles => self.costs.as_ref().filter(|joined| joined.unit == Unit::Cycles),
            LimitUnit::Nanos => self.nanos.as_ref(),
        };
        let checked = match rule {
            // The cost itself is that of the new side, whatever the old one was.
            Rule::AtMost(..) => return Alone::of_cost(self.new, rule),
            // Nothing has not grown.
            Rule::Growth(_) if self.costs.as_ref().is_some_and(Joined::both_below) => Some(Standing::Within),
            Rule::Growth(_) => self.costs.as_ref().map(|joined| {
                let pct = |ratio: f64| (ratio - 1.0) * 100.0;
                let Ends { estimate, lo, hi } = joined.ratio;
                rule.check(&Ends { estimate: estimate.map(pct), lo: pct(lo), hi: pct(hi) })
            }),
            Rule::Increase(_, unit) => in_unit(*unit).map(|joined| rule.check(&joined.difference)),
        };
        let standing = checked.unwrap_or(Standing::Unchecked);
        let sure = doubt(self.old).is_none() && doubt(self.new).is_none();
        if sure { standing } else { standing.min(Standing::MayBePast) }
    }
}

impl Alone {
    /// Where one result stands to a limit of its cost itself. A result in doubt is past none for sure.
    fn of_cost(result: &BenchmarkResult, rule: &Rule) -> Standing {
        let cost = match rule {
            Rule::AtMost(_, LimitUnit::Cycles) => Cost::of(result).filter(|cost| cost.unit() == Unit::Cycles),
            Rule::AtMost(_, LimitUnit::Nanos) => Cost::nanos(result),
            _ => None,
        };
        let standing = cost.map_or(Standing::Unchecked, |cost| rule.check(&Ends::of(&cost)));
        if doubt(result).is_none() { standing } else { standing.min(Standing::MayBePast) }
    }
}

/// The worst standing and the rules that gave it.
fn worst(rules: &[Rule], check: impl Fn(&Rule) -> Standing) -> (Standing, Vec<Rule>) {
    let checked: Vec<(Standing, Rule)> = rules.iter().map(|rule| (check(rule), *rule)).collect();
    let worst = checked.iter().map(|(standing, _)| *standing).max().unwrap_or_default();
    (worst, checked.into_iter().filter(|(standing, _)| *standing == worst).map(|(_, rule)| rule).collect())
}

/// Why the interval of a result cannot be taken at its word. A bound is one whatever the verdict.
fn doubt(result: &BenchmarkResult) -> Option<&'static str> {
    match result.verdict {
        _ if result.upper_bound => None,
        Verdict::Converged | Verdict::Imprecise | Verdict::BelowResolution => None,
        Verdict::Unstable => Some("unstable"),
        Verdict::Contended => Some("contended"),
        Verdict::MinimumsUnmet => Some("of too few samples"),
    }
}
