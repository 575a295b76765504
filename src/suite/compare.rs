//! Which of these does the same thing at less cost? Candidates that are first checked for giving the same results, and then
//! measured side by side.

use std::cell::LazyCell;
use std::fmt::{self, Debug};
use std::rc::Rc;

use super::inputs::Inputs;
use super::registered::Registered;
use super::registry::Suite;
use crate::error::{Error, ErrorKind, Result};
use crate::harness::WorkingSet;
use crate::lab::Benchmark;
use crate::record::inert;

/// Whether two results are the same.
type Same<R> = Box<dyn Fn(&R, &R) -> bool>;
/// Calls a candidate.
type Call<'a, T, R> = Box<dyn FnMut(T) -> R + 'a>;
/// Makes the benchmark of a candidate, of the name and the inputs or the seed that it is given.
type Make<'a, I> = Box<dyn FnOnce(&str, I) -> Result<Benchmark<'a>> + 'a>;

/// A comparison of reciprocal throughputs that is being put together; see [`Suite::compare`].
#[must_use = "a comparison is registered by .inputs(...)"]
pub struct Compare<'s, 'a, T, R> {
    candidates: Candidates<'s, 'a, T, R, WorkingSet<T>>,
}

/// A comparison of latencies that is being put together; see [`Suite::compare_latency`].
#[must_use = "a comparison is registered by .seed(...)"]
pub struct CompareLatency<'s, 'a, T> {
    candidates: Candidates<'s, 'a, T, T, T>,
}

struct Candidates<'s, 'a, T, R, I> {
    suite: &'s mut Suite<'a>,
    name: String,
    all: Vec<Candidate<'a, T, R, I>>,
    same: Option<Same<R>>,
}

struct Candidate<'a, T, R, I> {
    name: String,
    call: Call<'a, T, R>,
    make: Make<'a, I>,
}

/// What is checked before the candidates of a comparison are measured.
pub(super) struct Check<'a> {
    /// The comparison, numbered.
    pub(super) group: usize,
    pub(super) check: Box<dyn FnOnce() -> Result<()> + 'a>,
}

impl<T, R> Debug for Compare<'_, '_, T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Compare").field(&self.candidates.name).finish()
    }
}

impl<T> Debug for CompareLatency<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CompareLatency").field(&self.candidates.name).finish()
    }
}

impl<'a> Suite<'a> {
    /// Candidates for the same job, compared in pairs. First each is called with each of the inputs: if two disagree, the input
    /// and both results are shown, and none of them is measured. Then the reciprocal throughput of each is measured, as
    /// `name/candidate/throughput`, and each but the first is compared with the first, side by side: see
    /// [`Lab::compare`](crate::Lab::compare).
    ///
    /// ```
    /// # let register = |s: &mut fencepost::suite::Suite<'_>| {
    /// s.compare("average")
    ///     .candidate("wide", |(a, b): (u32, u32)| ((u64::from(a) + u64::from(b)) / 2) as u32)
    ///     .candidate("bits", |(a, b)| (a & b) + ((a ^ b) >> 1))
    ///     .inputs(vec![(0, 0), (7, u32::MAX), (u32::MAX, u32::MAX)]);
    /// # };
    /// ```
    pub fn compare<T, R>(&mut self, name: impl Into<String>) -> Compare<'_, 'a, T, R>
    where
        T: Clone + Debug + 'a,
        R: PartialEq + Debug + 'a,
    {
        Compare { candidates: self.candidates(name.into()) }
    }

    /// As [`compare`](Self::compare), of latencies: the chains `acc = candidate(acc)` from one seed on, named
    /// `name/candidate/latency`. The candidates have to agree on the first hundred values of the first one's chain.
    ///
    /// ```
    /// # let register = |s: &mut fencepost::suite::Suite<'_>| {
    /// s.compare_latency("times nine")
    ///     .candidate("multiply", |x: u64| x.wrapping_mul(9))
    ///     .candidate("shift", |x| (x << 3).wrapping_add(x))
    ///     .seed(42);
    /// # };
    /// ```
    pub fn compare_latency<T>(&mut self, name: impl Into<String>) -> CompareLatency<'_, 'a, T>
    where
        T: Clone + PartialEq + Debug + 'a,
    {
        CompareLatency { candidates: self.candidates(name.into()) }
    }

    fn candidates<T, R: PartialEq + 'a, I>(&mut self, name: String) -> Candidates<'_, 'a, T, R, I> {
        self.no_kernel_is_idle();
        Candidates { suite: self, name, all: Vec::new(), same: Some(Box::new(|one, other| one == other)) }
    }
}

impl<'s, 'a, T: Clone + Debug + 'a, R: Debug + 'a> Compare<'s, 'a, T, R> {
    /// Adds a candidate. The others are compared with the first. Inputs are cloned for their calls: where that costs something, let
    /// them be references or `Rc`s.
    pub fn candidate<F>(mut self, name: impl Into<String>, candidate: F) -> Self
    where
        F: FnMut(T) -> R + Clone + 'a,
    {
        let mut kernel = candidate.clone();
        self.candidates.all.push(Candidate {
            name: name.into(),
            call: Box::new(candidate),
            make: Box::new(move |id, inputs: WorkingSet<T>| {
                Benchmark::throughput_over(id, &inputs, move |input: &T| kernel(input.clone()))
            }),
        });
        self
    }

    /// Results agree where `same` says so; for results that are no more than close, or whose representation may differ.
    pub fn agree_by(mut self, same: impl Fn(&R, &R) -> bool + 'static) -> Self {
        self.candidates.same = Some(Box::new(same));
        self
    }

    /// The candidates are not meant to give the same results.
    pub fn unchecked(mut self) -> Self {
        self.candidates.same = None;
        self
    }

    /// Registers the comparison on `inputs`.
    pub fn inputs(self, inputs: impl Inputs<Item = T> + 'a) -> Registered<'s, 'a> {
        // Made once, and only when somebody needs them.
        let made = Rc::new(LazyCell::new(move || WorkingSet::new(&inputs.inputs())));
        let for_check = Rc::clone(&made);
        let name = self.candidates.name.clone();
        self.candidates.register(
            "throughput",
            Rc::new(move || WorkingSet::clone(&made)),
            move |calls, same| agree(&name, calls, same, for_check.given().cloned()),
        )
    }
}

impl<'s, 'a, T: Clone + Debug + 'a> CompareLatency<'s, 'a, T> {
    /// Adds a candidate. The others are compared with the first.
    pub fn candidate<F>(mut self, name: impl Into<String>, candidate: F) -> Self
    where
        F: FnMut(T) -> T + Clone + 'a,
    {
        let kernel = candidate.clone();
        self.candidates.all.push(Candidate {
            name: name.into(),
            call: Box::new(candidate),
            make: Box::new(move |id, seed: T| Ok(Benchmark::latency(id, seed, kernel))),
        });
        self
    }

    /// Results agree where `same` says so.
    pub fn agree_by(mut self, same: impl Fn(&T, &T) -> bool + 'static) -> Self {
        self.candidates.same = Some(Box::new(same));
        self
    }

    /// The candidates are not meant to give the same results.
    pub fn unchecked(mut self) -> Self {
        self.candidates.same = None;
        self
    }

    /// Registers the comparison of the chains from `seed` on.
    pub fn seed(self, seed: T) -> Registered<'s, 'a> {
        const STEPS: usize = 100;
        let first = seed.clone();
        let name = self.candidates.name.clone();
        self.candidates.register("latency", Rc::new(move || seed.clone()), move |mut calls, same| {
            let Some((_, call)) = calls.first_mut() else { return Ok(()) };
            let values: Vec<T> =
                std::iter::successors(Some(first), |last| Some(call(last.clone()))).take(STEPS).collect();
            agree(&name, calls, same, values.into_iter())
        })
    }
}

/// The candidates' names and functions.
type Calls<'a, T, R> = Vec<(String, Call<'a, T, R>)>;

impl<'s, 'a, T: 'a, R: 'a, I: 'a> Candidates<'s, 'a, T, R, I> {
    fn register(
        self,
        way: &str,
        input: Rc<dyn Fn() -> I + 'a>,
        check: impl FnOnce(Calls<'a, T, R>, Same<R>) -> Result<()> + 'a,
    ) -> Registered<'s, 'a> {
        let Self { suite, name, all, same } = self;
        if all.len() < 2 {
            suite.fail(
                Error::new(
                    ErrorKind::Usage,
                    format!("comparison {:?} has {} candidates", inert(&name), all.len()),
                )
                .because("a comparison has two sides")
                .remedy("add at least two with .candidate(name, function)"),
            );
        }
        let outer = suite.begin_comparison();
        let mut calls = Vec::with_capacity(all.len());
        let mut registered = Registered::new(suite, ());
        for candidate in all {
            let Candidate { name: own, call, make } = candidate;
            let input = Rc::clone(&input);
            registered.add(&format!("{name}/{own}/{way}"), move |id| make(id, input()));
            calls.push((own, call));
        }
        let check =
            same.map(|same| -> Box<dyn FnOnce() -> Result<()> + 'a> { Box::new(move || check(calls, same)) });
        registered.suite.end_comparison(outer, check);
        registered
    }
}

/// Calls all candidates with each of `inputs`.
fn agree<T: Clone + Debug, R: Debug>(
    name: &str,
    mut calls: Calls<'_, T, R>,
    same: Same<R>,
    inputs: impl Iterator<Item = T>,
) -> Result<()> {
    let Some(((first, reference), others)) = calls.split_first_mut() else { return Ok(()) };
    for (at, input) in inputs.enumerate() {
        let expected = reference(input.clone());
        for (other, call) in &mut *others {
            let found = call(input.clone());
            if !same(&expected, &found) {
                return Err(disagreement(
                    name,
                    at,
                    &format!("{input:?}"),
                    (first, &format!("{expected:?}")),
                    (other, &format!("{found:?}")),
                ));
            }
        }
    }
    Ok(())
}

fn disagreement(name: &str, at: usize, input: &str, one: (&str, &str), other: (&str, &str)) -> Error {
    let shown = |text: &str| crate::record::brief(text);
    let [name, one_name, other_name] = [name, one.0, other.0].map(inert);
    Error::new(ErrorKind::Input, format!("the candidates of comparison {name:?} disagree and are not measured"))
        .because(format!(
            "of input {at}, {}, {one_name} makes {} and {other_name} makes {}",
            shown(input),
            shown(one.1),
            shown(other.1)
        ))
        .remedy("mend the wrong one; or say what agrees with .agree_by(...), or that nothing has to with .unchecked()")
}
