//! Which sweeps and factor experiments are registered? Their benchmarks stand with the others; what they say together is worked out
//! from the results.

use std::cell::{Cell, OnceCell};
use std::fmt::{self, Display};
use std::rc::Rc;

use super::registered::Registered;
use super::registry::{Facts, Idle, Suite};
use crate::error::{Error, ErrorKind, Result};
use crate::explore::{Factors, Levels, WorkingSet};
use crate::harness::WorkingSet as Inputs;
use crate::lab::Benchmark;
use crate::machine::Machine;
use crate::record::{FactorCell, FactorLevels, FactorsOutcome, Record, SweepOutcome, SweepPoint, inert};

/// What was registered together.
#[derive(Default)]
pub(super) struct Plans {
    sweeps: Vec<SweepPlan>,
    factors: Vec<FactorsOutcome>,
}

struct SweepPlan {
    name: String,
    candidates: Vec<String>,
    /// Each size with the ids of its results.
    sizes: Vec<(String, Vec<String>)>,
}

impl Plans {
    /// A sweep of `candidates` (none for one without a name), whose benchmarks have `ids`: all of a size stand together.
    pub(super) fn sweep(&mut self, name: String, candidates: &[&str], sizes: Vec<String>, ids: &[String]) {
        let each = candidates.len().max(1);
        let sizes = sizes.into_iter().zip(ids.chunks(each).map(<[String]>::to_vec)).collect();
        let candidates = candidates.iter().map(|name| (*name).to_owned()).collect();
        self.sweeps.push(SweepPlan { name, candidates, sizes });
    }

    /// Puts into `record` what its results say of all this; `facts` are theirs, in their order.
    ///
    /// # Errors
    ///
    /// As for [`crate::explore::effects`].
    pub(super) fn fill(self, record: &mut Record, facts: &[Facts<'_>], machine: &Machine) -> Result<()> {
        let levels = Levels::of(machine);
        let known = |id: &String| {
            record.results.iter().zip(facts).find(|(result, _)| result.id == *id).map(|(_, facts)| facts)
        };
        let sweeps = self.sweeps.into_iter().map(|plan| {
            let points = plan.sizes.into_iter().map(|(size, results)| {
                let facts = results.iter().find_map(known);
                let bytes = facts.and_then(|facts| {
                    let told = facts.working_set.as_ref().map(|told| told.get()).filter(|told| *told > 0);
                    told.or(facts.bytes)
                });
                SweepPoint {
                    size,
                    elements: facts.and_then(|facts| facts.elements),
                    bytes,
                    level: bytes.and_then(|bytes| levels.of_bytes(bytes)).map(|level| level.to_string()),
                    results,
                    ..SweepPoint::default()
                }
            });
            SweepOutcome {
                name: plan.name,
                candidates: plan.candidates,
                points: points.collect(),
                ..SweepOutcome::default()
            }
        });
        let sweeps = sweeps.collect();
        (record.sweeps, record.factors) = (sweeps, self.factors);
        crate::explore::settle(record)
    }
}

impl<'a> Suite<'a> {
    /// What an element costs two candidates, by size: named `name/candidate/elements`. Both get the very same input, which `make` makes
    /// of each number of elements; all sizes of both are interleaved with everything else. Each size is shown with the cache level that
    /// its bytes fit in, the ratio of the two costs is judged level by level, and the verdict says whether the dearer one is dearer by
    /// its instructions or by the cache: see [`judge_sweep`](crate::explore::judge_sweep).
    ///
    /// ```
    /// # let register = |s: &mut fencepost::suite::Suite<'_>| {
    /// s.sweep_pair(
    ///     "sum",
    ///     (7..23).map(|power| 1 << power),
    ///     |n| (0..n).collect::<Vec<u64>>(),
    ///     ("plain", |v: &Vec<u64>| v.iter().sum::<u64>()),
    ///     ("squares", |v: &Vec<u64>| v.iter().map(|x| x.wrapping_mul(*x)).sum::<u64>()),
    /// );
    /// # };
    /// ```
    pub fn sweep_pair<I, R, S, Make, F, G>(
        &mut self,
        name: impl Into<String>,
        elements: impl IntoIterator<Item = u64>,
        make: Make,
        (a, first): (&str, F),
        (b, second): (&str, G),
    ) -> Registered<'_, 'a>
    where
        I: WorkingSet + 'a,
        R: 'a,
        S: 'a,
        Make: FnOnce(u64) -> I + Clone + 'a,
        F: FnMut(&I) -> R + Clone + 'a,
        G: FnMut(&I) -> S + Clone + 'a,
    {
        let name = name.into();
        let mut sizes: Vec<u64> = elements.into_iter().collect();
        sizes = crate::order::whole(&sizes);
        sizes.dedup();
        let all = self.registered(());
        if sizes.first().is_none_or(|least| *least == 0) {
            let what = format!("sweep {:?} goes over {sizes:?} elements", inert(&name));
            all.suite.fail(
                Error::new(ErrorKind::Usage, what)
                    .because("costs are given per element")
                    .remedy("give sizes of at least one element"),
            );
        }
        let from = all.suite.count();
        for count in &sizes {
            let count = *count;
            let (shared, bytes) = (Rc::new(OnceCell::new()), Rc::new(Cell::new(0)));
            let facts =
                Facts { elements: Some(count), working_set: Some(Rc::clone(&bytes)), ..Facts::default() };
            // Whichever is made first makes the input for both.
            let input = move |make: Make| {
                let input: &Rc<Inputs<I>> = shared.get_or_init(|| {
                    let input = make(count);
                    bytes.set(input.bytes());
                    Rc::new(Inputs::shared(vec![Rc::new(input)]))
                });
                Rc::clone(input)
            };
            let (give, build, mut first) = (input.clone(), make.clone(), first.clone());
            all.suite.add(&format!("{name}/{a}/{count}"), facts.clone(), move |id| {
                Benchmark::throughput_over(id, &give(build), move |input: &I| first(input))
            });
            let (build, mut second) = (make.clone(), second.clone());
            all.suite.add(&format!("{name}/{b}/{count}"), facts, move |id| {
                Benchmark::throughput_over(id, &input(build), move |input: &I| second(input))
            });
        }
        let named: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        all.suite.plan_sweep(&name, &[a, b], named, from);
        all
    }

    /// A factorial experiment: every combination of the levels of all factors is measured, all interleaved, as `name/level/level`, and
    /// main effects and interactions are shown with their intervals. The first level of each factor is what the others are
    /// compared with.
    ///
    /// ```
    /// use fencepost::explore::{Arena, Placement};
    /// use fencepost::lab::Benchmark;
    /// # let register = |s: &mut fencepost::suite::Suite<'_>| {
    /// s.factors("walk")
    ///     .factor("nodes", [1_000u64, 100_000])
    ///     .factor("order", [Placement::Sequential, Placement::Shuffled(1)])
    ///     .measure(|nodes, order| {
    ///         let arena = Arena::new(0..nodes, order)?;
    ///         Ok(Benchmark::latency("", arena.first(), move |slot| arena.next(slot)))
    ///     });
    /// # };
    /// ```
    pub fn factors(&mut self, name: impl Into<String>) -> Experiment<'_, 'a, ()> {
        let name = name.into();
        self.no_kernel_is_idle();
        self.idle = Some(Idle {
            what: "experiment",
            name: name.clone(),
            remedy: "add .factor(name, levels) and .measure(...)",
        });
        Experiment { suite: self, plan: Factors::new(name.as_str()), name, values: () }
    }

    /// The benchmarks from number `from` on are a sweep.
    pub(super) fn plan_sweep(&mut self, name: &str, candidates: &[&str], sizes: Vec<String>, from: usize) {
        let ids: Vec<String> = self.since(from).iter().map(|entry| entry.id.clone()).collect();
        let name = self.named(name);
        self.plans.sweep(name, candidates, sizes, &ids);
    }
}

/// A factorial experiment that is being put together; see [`Suite::factors`]. It has up to four factors.
#[must_use = "an experiment is registered by .measure(...)"]
pub struct Experiment<'s, 'a, L> {
    suite: &'s mut Suite<'a>,
    name: String,
    plan: Factors,
    values: L,
}

impl<L> fmt::Debug for Experiment<'_, '_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Experiment").field(&self.plan).finish()
    }
}

impl<'s, 'a, L> Experiment<'s, 'a, L> {
    /// Leaves out a combination that makes no sense, by the numbers of its levels. What then cannot be told is said.
    pub fn without(mut self, levels: &[usize]) -> Self {
        self.plan = self.plan.without(levels);
        self
    }

    /// Registers one benchmark a combination.
    fn register<M>(self, make: impl Fn(&L, &[usize]) -> M) -> Registered<'s, 'a>
    where
        M: FnOnce() -> Result<Benchmark<'a>> + 'a,
    {
        let Self { suite, name, plan, values } = self;
        suite.idle = None;
        let combinations = plan.combinations().unwrap_or_else(|error| {
            suite.fail(error);
            Vec::new()
        });
        let factors: Vec<FactorLevels> = plan
            .factors()
            .iter()
            .map(|(name, levels)| FactorLevels { name: name.clone(), levels: levels.clone() })
            .collect();
        let mut cells = Vec::with_capacity(combinations.len());
        let mut all = suite.registered(());
        for numbers in combinations {
            let levels: Vec<String> =
                factors.iter().zip(&numbers).map(|(factor, at)| factor.levels[*at].clone()).collect();
            let one = make(&values, &numbers);
            let from = all.suite.count();
            all.add(&format!("{name}/{}", levels.join("/")), move |id| Ok(one()?.named(id)));
            let result = all.suite.since(from).first().map_or_else(String::new, |entry| entry.id.clone());
            cells.push(FactorCell { levels, result, ..FactorCell::default() });
        }
        let name = all.suite.named(&name);
        all.suite.plans.factors.push(FactorsOutcome { name, factors, cells, ..FactorsOutcome::default() });
        all
    }
}

/// `factor` with `$have` factors so far, and `measure` with those.
macro_rules! arity {
    (factor $($have:ident $at:tt),*) => {
        impl<'s, 'a, $($have),*> Experiment<'s, 'a, ($(Vec<$have>,)*)> {
            /// Adds a factor with its levels, the first being the one to compare with.
            pub fn factor<P: Display + Clone + 'a>(
                self,
                name: impl Into<String>,
                levels: impl IntoIterator<Item = P>,
            ) -> Experiment<'s, 'a, ($(Vec<$have>,)* Vec<P>,)> {
                let levels: Vec<P> = levels.into_iter().collect();
                Experiment {
                    suite: self.suite,
                    name: self.name,
                    plan: self.plan.factor(name, levels.iter().map(ToString::to_string)),
                    values: ($(self.values.$at,)* levels,),
                }
            }
        }
    };
    (measure $($have:ident $at:tt),*) => {
        impl<'s, 'a, $($have: Clone + 'a),*> Experiment<'s, 'a, ($(Vec<$have>,)*)> {
            /// Registers every combination, each measured by the benchmark that `make` makes of its levels, whose name is replaced.
            /// Nothing is made before it is selected.
            pub fn measure(
                self,
                make: impl FnOnce($($have),*) -> Result<Benchmark<'a>> + Clone + 'a,
            ) -> Registered<'s, 'a> {
                self.register(|values, numbers| {
                    let make = make.clone();
                    let levels = ($(values.$at[numbers[$at]].clone(),)*);
                    move || make($(levels.$at),*)
                })
            }
        }
    };
}

impl<'s, 'a> Experiment<'s, 'a, ()> {
    /// Adds a factor with its levels, the first being the one to compare with.
    pub fn factor<P: Display + Clone + 'a>(
        self,
        name: impl Into<String>,
        levels: impl IntoIterator<Item = P>,
    ) -> Experiment<'s, 'a, (Vec<P>,)> {
        let levels: Vec<P> = levels.into_iter().collect();
        let plan = self.plan.factor(name, levels.iter().map(ToString::to_string));
        Experiment { suite: self.suite, name: self.name, plan, values: (levels,) }
    }
}

arity!(factor A 0);
arity!(factor A 0, B 1);
arity!(factor A 0, B 1, C 2);
arity!(measure A 0);
arity!(measure A 0, B 1);
arity!(measure A 0, B 1, C 2);
arity!(measure A 0, B 1, C 2, D 3);
