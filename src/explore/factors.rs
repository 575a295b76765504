//! How is a factorial experiment run? Every combination of the factors' levels, all interleaved.

use super::effects::{Cell, Effects, effects};
use super::outcome::named;
use crate::Lab;
use crate::error::{Error, ErrorKind, Result};
use crate::lab::{Benchmark, Measurement};
use crate::record::{Estimate, FactorsOutcome};

/// Factors and their levels. The first level of each is what the others are compared with.
///
/// ```no_run
/// use fencepost::{Lab, explore::{Arena, Factors, Placement}, lab::Benchmark};
/// # fn main() -> fencepost::Result<()> {
/// let mut lab = Lab::new()?;
/// let walk = Factors::new("walk").factor("nodes", ["1000", "100000"]).factor("order", ["sequential", "shuffled"]);
/// let found = walk.measure(&mut lab, |choice| {
///     let nodes: u64 = if choice.level("nodes") == Some("1000") { 1_000 } else { 100_000 };
///     let order = if choice.level("order") == Some("shuffled") { Placement::Shuffled(1) } else { Placement::Sequential };
///     let arena = Arena::new(0..nodes, order)?;
///     Ok(Benchmark::latency("", arena.first(), move |slot| arena.next(slot)))
/// })?;
/// print!("{}", found.to_text());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Factors {
    name: String,
    factors: Vec<(String, Vec<String>)>,
    left_out: Vec<Vec<usize>>,
}

/// One combination of levels.
#[derive(Clone, Debug)]
pub struct Choice<'f> {
    factors: &'f [(String, Vec<String>)],
    levels: Vec<usize>,
}

impl Choice<'_> {
    /// The level of the factor of this name; `None` if there is no such factor.
    pub fn level(&self, factor: &str) -> Option<&str> {
        let at = self.factors.iter().position(|(name, _)| name == factor)?;
        self.factors[at].1.get(self.levels[at]).map(String::as_str)
    }

    /// The number of the level of each factor, from 0 on, in the order of the factors.
    pub fn numbers(&self) -> &[usize] {
        &self.levels
    }
}

/// What an experiment found.
#[derive(Clone, Debug)]
pub struct FactorOutcome {
    /// Its name.
    pub name: String,
    /// Factors and their levels.
    pub factors: Vec<(String, Vec<String>)>,
    /// What each combination costs.
    pub cells: Vec<Cell>,
    /// `cyc`, or `ticks` where no cycles may be claimed.
    pub unit: &'static str,
    /// Main effects, interactions, warnings.
    pub effects: Effects,
    /// All results, in the order of the cells.
    pub measurements: Vec<Measurement>,
}

/// More combinations than this would take hours.
const MOST_CELLS: usize = 1024;

impl Factors {
    /// An experiment without factors yet.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), factors: Vec::new(), left_out: Vec::new() }
    }

    /// Adds a factor with its levels, the first being the one to compare with.
    #[must_use]
    pub fn factor<L: Into<String>>(
        mut self,
        name: impl Into<String>,
        levels: impl IntoIterator<Item = L>,
    ) -> Self {
        self.factors.push((name.into(), levels.into_iter().map(Into::into).collect()));
        self
    }

    /// Leaves out a combination that makes no sense, by the numbers of its levels. What then cannot be told is said.
    #[must_use]
    pub fn without(mut self, levels: &[usize]) -> Self {
        self.left_out.push(levels.to_vec());
        self
    }

    /// The factors and their levels.
    pub fn factors(&self) -> &[(String, Vec<String>)] {
        &self.factors
    }

    /// Every combination, the last factor changing first.
    ///
    /// # Errors
    ///
    /// `Usage` for no factor, one of fewer than two levels, two of the same name, or more than 1024 combinations.
    pub fn combinations(&self) -> Result<Vec<Vec<usize>>> {
        let wrong = |what: String| {
            Err(Error::new(ErrorKind::Usage, what)
                .because("an effect is the difference between levels of one factor")
                .remedy("give at least one factor, each a name of its own and at least two different levels"))
        };
        if self.factors.is_empty() {
            return wrong(format!("experiment {:?} has no factor", self.name));
        }
        for (at, (name, levels)) in self.factors.iter().enumerate() {
            let twice = self.factors[..at].iter().any(|(other, _)| other == name);
            let alike = levels.iter().enumerate().any(|(at, level)| levels[..at].contains(level));
            if levels.len() < 2 || twice || alike {
                return wrong(format!("factor {name:?} has levels {levels:?}"));
            }
        }
        let whole =
            self.factors.iter().try_fold(1usize, |product, (_, levels)| product.checked_mul(levels.len()));
        if whole.is_none_or(|whole| whole > MOST_CELLS) {
            return wrong(format!("experiment {:?} has more than {MOST_CELLS} combinations", self.name));
        }
        let mut all = vec![Vec::new()];
        for (_, levels) in &self.factors {
            all = all
                .iter()
                .flat_map(|begun: &Vec<usize>| {
                    (0..levels.len()).map(move |level| [begun.as_slice(), &[level]].concat())
                })
                .collect();
        }
        all.retain(|levels| !self.left_out.contains(levels));
        Ok(all)
    }

    /// Measures every combination, all interleaved, each by the benchmark that `make` gives for it. Its name is replaced by the
    /// combination's.
    ///
    /// # Errors
    ///
    /// `Usage` as for [`combinations`](Self::combinations) and [`effects`]; what `make` returns; else as for [`Lab::measure`].
    pub fn measure<'a>(
        &self,
        lab: &mut Lab,
        mut make: impl FnMut(&Choice<'_>) -> Result<Benchmark<'a>>,
    ) -> Result<FactorOutcome> {
        let combinations = self.combinations()?;
        let mut benchmarks = Vec::with_capacity(combinations.len());
        for levels in &combinations {
            let choice = Choice { factors: &self.factors, levels: levels.clone() };
            let named: Vec<&str> =
                self.factors.iter().zip(levels).map(|((_, names), level)| names[*level].as_str()).collect();
            benchmarks.push(make(&choice)?.named(format!("{}/{}", self.name, named.join("/"))));
        }
        let measurements = lab.measure(benchmarks)?;
        let claims = measurements.iter().all(|one| one.result.cycles.is_some());
        let cells: Vec<Cell> = measurements
            .iter()
            .zip(combinations)
            .map(|(one, levels)| match &one.result.cycles {
                Some(cycles) if claims => {
                    Cell { levels, cost: cycles.estimate, margin: (cycles.hi - cycles.lo).abs() / 2.0 }
                }
                _ => {
                    let ticks = &one.result.ticks;
                    let width = ticks.lo.zip(ticks.hi).map_or(0.0, |(lo, hi)| (hi - lo).abs());
                    Cell { levels, cost: ticks.estimate, margin: width / 2.0 }
                }
            })
            .collect();
        let names: Vec<&str> = self.factors.iter().map(|(name, _)| name.as_str()).collect();
        let counts: Vec<usize> = self.factors.iter().map(|(_, levels)| levels.len()).collect();
        Ok(FactorOutcome {
            name: self.name.clone(),
            effects: effects(&names, &counts, &cells)?,
            factors: self.factors.clone(),
            cells,
            unit: if claims { "cyc" } else { "ticks" },
            measurements,
        })
    }
}

impl FactorOutcome {
    /// What it found, as records hold it.
    pub fn outcome(&self) -> FactorsOutcome {
        let cells = self.cells.iter().zip(&self.measurements).map(|(cell, one)| {
            let (lo, hi) = (cell.cost - cell.margin, cell.cost + cell.margin);
            let cost = Estimate { estimate: cell.cost, lo: Some(lo), hi: Some(hi) };
            (one.result.id.clone(), cell.levels.clone(), cost)
        });
        named(&self.name, self.unit, &self.factors, cells, &self.effects)
    }

    /// Costs, effects and warnings in lines of 80 columns at the most.
    pub fn to_text(&self) -> String {
        self.outcome().lines(80).iter().map(|line| format!("{line}\n")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_comes_once() {
        let factors = Factors::new("x").factor("a", ["1", "2", "3"]).factor("b", ["1", "2"]);
        let all = factors.combinations().unwrap();
        assert_eq!(all, [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]);
        assert_eq!(factors.without(&[1, 1]).combinations().unwrap().len(), 5);
    }

    #[test]
    fn experiments_that_tell_nothing_are_refused() {
        let none: [&str; 0] = [];
        for factors in [
            Factors::new("x"),
            Factors::new("x").factor("a", none),
            Factors::new("x").factor("a", ["1"]),
            Factors::new("x").factor("a", ["1", "1"]),
            Factors::new("x").factor("a", ["1", "2"]).factor("a", ["1", "2"]),
            (0..11).fold(Factors::new("x"), |all, at| all.factor(at.to_string(), ["1", "2"])),
        ] {
            assert_eq!(factors.combinations().unwrap_err().kind(), ErrorKind::Usage, "{factors:?}");
        }
    }
}
