//! How do sweeps and factor experiments stand in a record? With names instead of numbers, and with their verdicts.

use super::effects::{Effect, Effects};
use super::sweep_verdict::SweepVerdict;
use crate::record::{
    Estimate, FactorCell, FactorChange, FactorEffect, FactorLevels, FactorsOutcome, SweepOutcome,
};

/// The sweep with its verdict.
pub(super) fn judged(mut sweep: SweepOutcome, verdict: &SweepVerdict) -> SweepOutcome {
    sweep.verdict = Some(verdict.cause.to_string());
    sweep.reasons = verdict.reasons.clone();
    sweep
}

/// What an experiment found, with names instead of numbers. A cell is the id of its result, its levels by number, and its cost.
pub(super) fn named(
    name: &str,
    unit: &str,
    factors: &[(String, Vec<String>)],
    cells: impl Iterator<Item = (String, Vec<usize>, Estimate)>,
    found: &Effects,
) -> FactorsOutcome {
    let level = |factor: usize, level: usize| factors[factor].1[level].clone();
    let effect = |effect: &Effect| FactorEffect {
        of: effect
            .of
            .iter()
            .map(|(factor, to)| FactorChange {
                factor: factors[*factor].0.clone(),
                level: level(*factor, *to),
            })
            .collect(),
        adds: effect.adds,
        lo: effect.lo,
        hi: effect.hi,
        factor: effect.factor,
        settings: effect.settings as u64,
    };
    FactorsOutcome {
        name: name.to_owned(),
        unit: unit.to_owned(),
        factors: factors
            .iter()
            .map(|(name, levels)| FactorLevels { name: name.clone(), levels: levels.clone() })
            .collect(),
        cells: cells
            .map(|(result, levels, cost)| FactorCell {
                levels: levels.iter().enumerate().map(|(factor, at)| level(factor, *at)).collect(),
                result,
                cost,
            })
            .collect(),
        main: found.main.iter().map(effect).collect(),
        interactions: found.interactions.iter().map(effect).collect(),
        warnings: found.warnings.clone(),
    }
}
