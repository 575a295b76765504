//! What does an element cost as there are more of them? Two candidates on the same inputs of growing size, with the level each size lives in.

use std::rc::Rc;

use super::arena::Arena;
use super::levels::Levels;
use super::outcome::judged;
use super::sweep_verdict::{Cost, SizeCost, SweepVerdict, judge_sweep};
use crate::Lab;
use crate::error::{Error, ErrorKind, Result};
use crate::harness::WorkingSet as Inputs;
use crate::lab::{Benchmark, Measurement};
use crate::record::{Estimate, SweepOutcome, SweepPoint};

/// Something that knows how many bytes are gone through when all of it is.
pub trait WorkingSet {
    /// The bytes.
    fn bytes(&self) -> u64;
}

impl<T> WorkingSet for Vec<T> {
    fn bytes(&self) -> u64 {
        size_of_val(self.as_slice()) as u64
    }
}

impl<T> WorkingSet for Box<[T]> {
    fn bytes(&self) -> u64 {
        size_of_val::<[T]>(self) as u64
    }
}

impl<T> WorkingSet for Arena<T> {
    fn bytes(&self) -> u64 {
        Arena::bytes(self)
    }
}

impl WorkingSet for String {
    fn bytes(&self) -> u64 {
        self.len() as u64
    }
}

impl<A: WorkingSet, B: WorkingSet> WorkingSet for (A, B) {
    fn bytes(&self) -> u64 {
        self.0.bytes().saturating_add(self.1.bytes())
    }
}

/// A value and the bytes that are gone through with it, for what cannot tell by itself.
#[derive(Clone, Debug)]
pub struct Weighed<T> {
    /// The value.
    pub value: T,
    /// The bytes.
    pub bytes: u64,
}

impl<T> WorkingSet for Weighed<T> {
    fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Two candidates to be swept over sizes.
///
/// ```no_run
/// use fencepost::{Lab, explore::Sweep};
/// # fn main() -> fencepost::Result<()> {
/// let mut lab = Lab::new()?;
/// let swept = Sweep::new("sum", (10..24).map(|power| 1 << power)).measure(
///     &mut lab,
///     |elements| vec![1u64; elements as usize],
///     ("plain", |v: &Vec<u64>| v.iter().sum::<u64>()),
///     ("mixed", |v: &Vec<u64>| v.iter().map(|x| x.wrapping_mul(*x) ^ (x >> 7)).sum::<u64>()),
/// )?;
/// print!("{}", swept.to_text());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Sweep {
    name: String,
    elements: Vec<u64>,
}

/// What a sweep found.
#[derive(Clone, Debug)]
pub struct Swept {
    /// Its name.
    pub name: String,
    /// The names of the two candidates.
    pub candidates: [String; 2],
    /// The numbers of elements, smallest first.
    pub elements: Vec<u64>,
    /// What an element costs, by size.
    pub points: Vec<SizeCost>,
    /// `cyc`, or `ticks` where no cycles may be claimed.
    pub unit: &'static str,
    /// What makes the dearer one dearer.
    pub verdict: SweepVerdict,
    /// All results, candidate by candidate at each size.
    pub measurements: Vec<Measurement>,
}

impl Sweep {
    /// A sweep over these numbers of elements.
    pub fn new(name: impl Into<String>, elements: impl IntoIterator<Item = u64>) -> Self {
        Self { name: name.into(), elements: elements.into_iter().collect() }
    }

    /// Measures both candidates at every size, all interleaved in random order. Both get the very same input; a call goes through all of
    /// it, and one goes before each timed slice, so that what fits into a cache lies there.
    ///
    /// # Errors
    ///
    /// `Usage` without sizes, with one of no elements, or with candidates of the same name; else as for [`Lab::measure`].
    pub fn measure<I, R, S>(
        &self,
        lab: &mut Lab,
        mut setup: impl FnMut(u64) -> I,
        (a, first): (&str, impl FnMut(&I) -> R + Clone),
        (b, second): (&str, impl FnMut(&I) -> S + Clone),
    ) -> Result<Swept>
    where
        I: WorkingSet,
    {
        if self.elements.is_empty() || self.elements.contains(&0) || a == b {
            return Err(Error::new(
                ErrorKind::Usage,
                format!("sweep {:?} of {a:?} and {b:?} over {:?} elements", self.name, self.elements),
            )
            .because("costs are given per element and told apart by size and name")
            .remedy("give sizes of at least one element and two different names"));
        }
        let mut elements = crate::order::whole(&self.elements);
        elements.dedup();
        let mut sizes = Vec::with_capacity(elements.len());
        let mut benchmarks = Vec::with_capacity(2 * elements.len());
        for count in &elements {
            let input = setup(*count);
            sizes.push(input.bytes());
            let input = Inputs::shared(vec![Rc::new(input)]);
            let (mut first, mut second) = (first.clone(), second.clone());
            let id = |candidate: &str| format!("{}/{candidate}/{count}", self.name);
            let one = Benchmark::throughput_over(id(a), &input, move |input: &I| first(input))?;
            benchmarks.push(one.ops(*count)?);
            let other = Benchmark::throughput_over(id(b), &input, move |input: &I| second(input))?;
            benchmarks.push(other.ops(*count)?);
        }
        let levels = Levels::of(lab.machine());
        let measurements = lab.measure(benchmarks)?;
        let claims = measurements.iter().all(|one| one.result.cycles.is_some());
        let cost = |one: &Measurement| match &one.result.cycles {
            Some(cycles) if claims => Cost { value: cycles.estimate, lo: cycles.lo, hi: cycles.hi },
            _ => {
                let ticks = &one.result.ticks;
                let value = ticks.estimate;
                Cost { value, lo: ticks.lo.unwrap_or(value), hi: ticks.hi.unwrap_or(value) }
            }
        };
        let points: Vec<SizeCost> = measurements
            .chunks_exact(2)
            .zip(&sizes)
            .map(|(pair, bytes)| SizeCost {
                bytes: *bytes,
                level: levels.of_bytes(*bytes),
                a: cost(&pair[0]),
                b: cost(&pair[1]),
            })
            .collect();
        Ok(Swept {
            name: self.name.clone(),
            candidates: [a.to_owned(), b.to_owned()],
            verdict: judge_sweep(&points, a, b),
            elements,
            points,
            unit: if claims { "cyc" } else { "ticks" },
            measurements,
        })
    }
}

impl Swept {
    /// What it found, as records hold it.
    pub fn outcome(&self) -> SweepOutcome {
        let estimate = |cost: Cost| Estimate { estimate: cost.value, lo: Some(cost.lo), hi: Some(cost.hi) };
        let points = self.points.iter().zip(&self.elements).enumerate();
        judged(
            SweepOutcome {
                name: self.name.clone(),
                unit: self.unit.to_owned(),
                per: "element".to_owned(),
                candidates: self.candidates.to_vec(),
                points: points
                    .map(|(at, (point, elements))| SweepPoint {
                        size: elements.to_string(),
                        elements: Some(*elements),
                        bytes: Some(point.bytes),
                        level: point.level.map(|level| level.to_string()),
                        results: [0, 1]
                            .iter()
                            .filter_map(|which| self.measurements.get(2 * at + which))
                            .map(|one| one.result.id.clone())
                            .collect(),
                        costs: vec![estimate(point.a), estimate(point.b)],
                        ratio: Some(estimate(point.ratio())),
                    })
                    .collect(),
                ..SweepOutcome::default()
            },
            &self.verdict,
        )
    }

    /// Cost an element by size, the ratio with its plot, and the verdict, in lines of 80 columns at the most.
    pub fn to_text(&self) -> String {
        self.outcome().lines(80).iter().map(|line| format!("{line}\n")).collect()
    }
}
