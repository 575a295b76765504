//! What is registered? Names, what each is counted by, and how to make it; nothing is made before it is selected.

use std::fmt::{self, Display};
use std::rc::Rc;

use super::compare::Check;
use super::inputs::{Counter, Inputs};
use super::registered::{Kernel, Registered, Sweep};
use crate::baseline::Limit;
use crate::error::{Error, ErrorKind, Result};
use crate::harness::TimedLoop;
use crate::harness::WorkingSet;
use crate::lab::Benchmark;
use crate::order;
use crate::record::{Kind, inert};

/// Makes a benchmark of the name that it is given.
type Make<'a> = Box<dyn FnOnce(&str) -> Result<Benchmark<'a>> + 'a>;

/// A registered benchmark.
pub(super) struct Entry<'a> {
    pub(super) id: String,
    /// The relative group that it stands in, numbered.
    pub(super) relative_to: Option<usize>,
    /// The comparison that it is a candidate of, numbered.
    pub(super) compared_in: Option<usize>,
    pub(super) facts: Facts<'a>,
    make: Make<'a>,
}

/// A benchmark that is ready to be measured.
pub(super) struct Made<'a> {
    pub(super) benchmark: Benchmark<'a>,
    pub(super) facts: Facts<'a>,
    pub(super) relative_to: Option<usize>,
    pub(super) compared_in: Option<usize>,
}

/// All that was registered.
pub(super) struct Registry<'a> {
    pub(super) entries: Vec<Entry<'a>>,
    /// What has to hold before the candidates of a comparison are measured.
    pub(super) checks: Vec<Check<'a>>,
}

/// What is known of a benchmark besides its loop.
#[derive(Clone, Default)]
pub(super) struct Facts<'a> {
    pub(super) ops: Option<u64>,
    pub(super) instructions: Option<u64>,
    pub(super) elements: Option<u64>,
    pub(super) bytes: Option<u64>,
    pub(super) limit: Option<Limit>,
    pub(super) counters: Vec<(String, Rc<dyn Counter + 'a>)>,
}

impl<'a> Entry<'a> {
    /// Makes the benchmark.
    pub(super) fn make(self) -> Result<Made<'a>> {
        let mut benchmark = (self.make)(&self.id)?;
        if let Some(ops) = self.facts.ops {
            benchmark = benchmark.ops(ops)?;
        }
        if let Some(instructions) = self.facts.instructions {
            benchmark = benchmark.instructions(instructions);
        }
        let Self { facts, relative_to, compared_in, .. } = self;
        Ok(Made { benchmark, facts, relative_to, compared_in })
    }
}

/// Names in a result's counters that are not the user's.
pub(super) const RESERVED: [&str; 12] = [
    "elements",
    "bytes",
    "elements_per_sec",
    "bytes_per_sec",
    "cycles_per_element",
    "cycles_per_byte",
    "relative_pct",
    "allocations",
    "processes_spread_pct",
    "allocated_bytes",
    "raw_median_ticks",
    "overhead_median_ticks",
];

/// The benchmarks of a bench target, in the order in which they are named. See [`suite`](super::suite).
///
/// Nothing is run or allocated when a benchmark is registered: `--list` and filters cost next to nothing, whatever the
/// inputs of the others are. Names must be unique.
#[derive(Default)]
pub struct Suite<'a> {
    entries: Vec<Entry<'a>>,
    prefix: Vec<String>,
    relative_to: Option<usize>,
    groups: usize,
    compared_in: Option<usize>,
    checks: Vec<Check<'a>>,
    /// A kernel for which nothing has been asked yet.
    idle: Option<String>,
    /// The first thing that was wrong.
    failed: Option<Error>,
}

impl fmt::Debug for Suite<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entries.iter().map(|entry| &entry.id)).finish()
    }
}

impl<'a> Suite<'a> {
    /// A function of one value, to be measured in the ways that are asked of what this returns: as latency, as
    /// reciprocal throughput, or both. The results are named `name/latency` and so on.
    ///
    /// ```
    /// # let register = |s: &mut fencepost::suite::Suite<'_>| {
    /// s.kernel("multiply", |x: u64| x.wrapping_mul(0x9e37_79b9)).latency(42).throughput(|| (0..1000).collect());
    /// # };
    /// ```
    pub fn kernel<T, R, F>(
        &mut self,
        name: impl Into<String>,
        kernel: F,
    ) -> Registered<'_, 'a, Kernel<T, R, F>>
    where
        F: FnMut(T) -> R + Clone + 'a,
    {
        let name = name.into();
        let registered = self.registered(Kernel::new(name.clone(), kernel));
        registered.suite.idle = Some(name);
        registered
    }

    /// The latency of `kernel`: the chain `acc = kernel(acc)` from `seed` on.
    pub fn latency<T, F>(&mut self, name: impl Into<String>, seed: T, kernel: F) -> Registered<'_, 'a>
    where
        T: Clone + 'a,
        F: FnMut(T) -> T + 'a,
    {
        self.one(&name.into(), move |id| Ok(Benchmark::latency(id, seed, kernel)))
    }

    /// The reciprocal throughput of `kernel` over independent `inputs`, which are cycled.
    pub fn throughput<N, R, F>(&mut self, name: impl Into<String>, inputs: N, kernel: F) -> Registered<'_, 'a>
    where
        N: Inputs + 'a,
        N::Item: Clone + 'a,
        R: 'a,
        F: FnMut(&N::Item) -> R + 'a,
    {
        self.one(&name.into(), move |id| Benchmark::throughput(id, &inputs.inputs(), kernel))
    }

    /// One call between a fence pair, on each of `inputs` in turn: kept to show why a single shot misleads.
    pub fn single_shot<N, R, F>(
        &mut self,
        name: impl Into<String>,
        inputs: N,
        kernel: F,
    ) -> Registered<'_, 'a>
    where
        N: Inputs + 'a,
        N::Item: Clone + 'a,
        R: 'a,
        F: FnMut(&N::Item) -> R + 'a,
    {
        self.one(&name.into(), move |id| Benchmark::single_shot(id, &inputs.inputs(), kernel))
    }

    /// A routine whose input `setup` makes anew for each call, outside the timed region; what it returns is dropped
    /// outside, too. What it takes and does not return, it drops inside.
    pub fn routine<S, R, Setup, F>(
        &mut self,
        name: impl Into<String>,
        setup: Setup,
        routine: F,
    ) -> Registered<'_, 'a>
    where
        S: 'a,
        R: 'a,
        Setup: FnMut() -> S + 'a,
        F: FnMut(S) -> R + 'a,
    {
        self.one(&name.into(), move |id| Ok(Benchmark::routine(id, setup, routine)))
    }

    /// A loop of your own, for instance one written in assembly, that `make` makes. It has no loop floor.
    pub fn custom<L>(
        &mut self,
        name: impl Into<String>,
        kind: Kind,
        make: impl FnOnce() -> L + 'a,
    ) -> Registered<'_, 'a>
    where
        L: TimedLoop + 'a,
    {
        self.one(&name.into(), move |id| Ok(Benchmark::custom(id, kind, make())))
    }

    /// The reciprocal throughput of `kernel` on what `make` makes of each of `values`; named `name/value`.
    ///
    /// ```
    /// # let register = |s: &mut fencepost::suite::Suite<'_>| {
    /// s.sweep("sum", [16, 256, 4096], |n| vec![1u64; n], |v| v.iter().sum::<u64>()).elements_by(|n| *n as u64);
    /// # };
    /// ```
    pub fn sweep<P, I, R, Make, F>(
        &mut self,
        name: impl Into<String>,
        values: impl IntoIterator<Item = P>,
        make: Make,
        kernel: F,
    ) -> Registered<'_, 'a, Sweep<P>>
    where
        P: Display + Clone + 'a,
        I: 'a,
        R: 'a,
        Make: FnOnce(P) -> I + Clone + 'a,
        F: FnMut(&I) -> R + Clone + 'a,
    {
        let name = name.into();
        let values: Vec<P> = values.into_iter().collect();
        let mut all = self.registered(Sweep { values: values.clone() });
        for value in values {
            let (make, mut kernel) = (make.clone(), kernel.clone());
            let path = format!("{name}/{value}");
            all.add(&path, move |id| {
                let input = WorkingSet::shared(vec![Rc::new(make(value))]);
                Benchmark::throughput_over(id, &input, move |input: &I| kernel(input))
            });
        }
        all
    }

    /// Registers the same for each of `values`, under the name `name/value`.
    ///
    /// ```
    /// # let register = |s: &mut fencepost::suite::Suite<'_>| {
    /// s.parameters("sort", [16, 256], |s, n| {
    ///     s.routine("reversed", move || (0..n).rev().collect::<Vec<u32>>(), |mut v| { v.sort(); v }).elements(n.into());
    /// });
    /// # };
    /// ```
    pub fn parameters<P: Display>(
        &mut self,
        name: impl Into<String>,
        values: impl IntoIterator<Item = P>,
        mut register: impl FnMut(&mut Self, P),
    ) {
        self.prefix.push(name.into());
        for value in values {
            self.prefix.push(value.to_string());
            register(self, value);
            self.prefix.pop();
        }
        self.prefix.pop();
    }

    /// Puts `name/` before the names of all that is registered inside.
    pub fn group(&mut self, name: impl Into<String>, register: impl FnOnce(&mut Self)) {
        self.prefix.push(name.into());
        register(self);
        self.prefix.pop();
    }

    /// A [`group`](Self::group) whose results are also shown relative to the first one of the same kind in it, in per cent of
    /// its cost: 50 % is half as dear. A share is left out where a side is below resolution.
    pub fn relative(&mut self, name: impl Into<String>, register: impl FnOnce(&mut Self)) {
        self.groups += 1;
        let outer = self.relative_to.replace(self.groups);
        self.group(name, register);
        self.relative_to = outer;
    }

    fn one(
        &mut self,
        name: &str,
        make: impl FnOnce(&str) -> Result<Benchmark<'a>> + 'a,
    ) -> Registered<'_, 'a> {
        let mut one = self.registered(());
        one.add(name, make);
        one
    }

    fn registered<K>(&mut self, what: K) -> Registered<'_, 'a, K> {
        self.no_kernel_is_idle();
        Registered::new(self, what)
    }

    pub(super) fn no_kernel_is_idle(&mut self) {
        if let Some(name) = self.idle.take() {
            self.fail(
                Error::new(ErrorKind::Usage, format!("kernel {:?} is not measured", inert(&name)))
                    .because("nothing was asked of it")
                    .remedy("add .latency(seed), .throughput(inputs) or both"),
            );
        }
    }

    /// All that is added from here on is a candidate of one comparison. What comes back is to be given to
    /// [`end_comparison`](Self::end_comparison).
    pub(super) fn begin_comparison(&mut self) -> Option<usize> {
        self.groups += 1;
        self.compared_in.replace(self.groups)
    }

    /// The comparison has all its candidates; `check` says whether they may be measured.
    pub(super) fn end_comparison(
        &mut self,
        outer: Option<usize>,
        check: Option<Box<dyn FnOnce() -> Result<()> + 'a>>,
    ) {
        let group = std::mem::replace(&mut self.compared_in, outer);
        self.checks.extend(group.zip(check).map(|(group, check)| Check { group, check }));
    }

    /// Notes that something is wrong; the first such thing is reported, and nothing is run.
    pub(super) fn fail(&mut self, error: Error) {
        self.failed.get_or_insert(error);
    }

    /// How many benchmarks there are.
    pub(super) fn count(&self) -> usize {
        self.entries.len()
    }

    /// The benchmarks from number `first` on.
    pub(super) fn since(&mut self, first: usize) -> &mut [Entry<'a>] {
        self.entries.get_mut(first..).unwrap_or_default()
    }

    /// Adds one of this name in the present group.
    pub(super) fn add(
        &mut self,
        name: &str,
        facts: Facts<'a>,
        make: impl FnOnce(&str) -> Result<Benchmark<'a>> + 'a,
    ) {
        let parts = self.prefix.iter().map(String::as_str).chain([name]);
        let id = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/");
        if id.is_empty() || id.chars().any(char::is_control) || id.trim() != id {
            self.fail(
                Error::new(ErrorKind::Usage, format!("a benchmark is named {:?}", inert(&id)))
                    .because("names are listed one a line and given as arguments")
                    .remedy("give it a name without control characters and without blanks around it"),
            );
        }
        self.idle = None;
        self.entries.push(Entry {
            id,
            relative_to: self.relative_to,
            compared_in: self.compared_in,
            facts,
            make: Box::new(make),
        });
    }

    /// What was registered, if all of it can be.
    pub(super) fn finish(mut self) -> Result<Registry<'a>> {
        self.no_kernel_is_idle();
        if let Some(error) = self.failed {
            return Err(error);
        }
        let ids: Vec<&str> = self.entries.iter().map(|entry| entry.id.as_str()).collect();
        if let Some((one, _)) = order::twin(&ids) {
            return Err(Error::new(
                ErrorKind::Usage,
                format!("two benchmarks are named {:?}", inert(ids[one])),
            )
            .because("results, filters and saved runs tell benchmarks apart by their names")
            .remedy("give each its own name, or put one of them into a group"));
        }
        Ok(Registry { entries: self.entries, checks: self.checks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn ids<'a>(register: impl FnOnce(&mut Suite<'a>)) -> Result<Vec<String>> {
        let mut suite = Suite::default();
        register(&mut suite);
        Ok(suite.finish()?.entries.into_iter().map(|entry| entry.id).collect())
    }

    #[test]
    fn names_are_made_of_groups_values_and_ways() {
        let found = ids(|s| {
            s.kernel("mix", |x: u64| x ^ 1).latency(1).throughput(vec![1, 2]).single_shot([1]);
            s.kernel("length", |x: u64| x as u32).latency_linked(1, u64::from);
            s.group("vectors", |s| {
                s.parameters("sum", [16u64, 32], |s, n| {
                    s.routine("", move || vec![1; n as usize], |v: Vec<u64>| v.len()).elements(n);
                });
            });
            s.sweep("sweep", [1, 2], |n| vec![0u8; n], |v| v.len());
        });
        let expected = [
            "mix/latency",
            "mix/throughput",
            "mix/single_shot",
            "length/latency",
            "vectors/sum/16",
            "vectors/sum/32",
            "sweep/1",
            "sweep/2",
        ];
        assert_eq!(found.unwrap(), expected);
    }

    #[test]
    fn nothing_is_made_before_it_is_selected() {
        let made = Cell::new(0);
        let make = || {
            made.set(made.get() + 1);
            vec![1u64, 2, 3]
        };
        let mut suite = Suite::default();
        suite.throughput("one", make, |x| x + 1);
        suite.routine("two", make, |v| v.len());
        suite.kernel("three", |x: u64| x).throughput(make);
        suite.sweep("four", [1], |_| make(), |v| v.len());
        let entries = suite.finish().unwrap().entries;
        assert_eq!(made.get(), 0);
        for entry in entries {
            entry.make().unwrap().benchmark.once();
        }
        assert_eq!(made.get(), 4);
    }

    #[test]
    fn names_that_cannot_be_told_apart_or_listed_are_refused() {
        let twice = ids(|s| {
            s.latency("same", 1u64, |x| x);
            s.latency("same", 2u64, |x| x);
        });
        assert!(twice.unwrap_err().to_string().contains("\"same\""));
        for name in ["", "two\nlines", " blank"] {
            let odd = ids(|s| {
                s.latency(name, 1u64, |x| x);
            });
            assert_eq!(odd.unwrap_err().kind(), ErrorKind::Usage, "{name:?}");
        }
    }

    #[test]
    fn facts_hold_for_the_whole_chain_of_calls() {
        let mut suite = Suite::default();
        suite.kernel("one", |x: u64| x).latency(1).bytes(8).throughput([1]).counter("mine", || 3.0);
        suite.sweep("two", [4usize, 5], |n| n, |n| *n).elements_by(|n| *n as u64);
        let facts: Vec<Facts<'_>> =
            suite.finish().unwrap().entries.into_iter().map(|entry| entry.facts).collect();
        assert_eq!(facts.iter().map(|facts| facts.bytes).collect::<Vec<_>>(), [Some(8), Some(8), None, None]);
        assert_eq!(
            facts.iter().map(|facts| facts.elements).collect::<Vec<_>>(),
            [None, None, Some(4), Some(5)]
        );
        assert!(facts[..2].iter().all(|facts| facts.counters[0].1.value() == 3.0));
    }

    #[test]
    fn a_kernel_of_which_nothing_is_asked_is_an_error() {
        let idle = ids(|s| {
            s.kernel("forgotten", |x: u64| x);
            s.latency("other", 1u64, |x| x);
        });
        assert!(idle.unwrap_err().to_string().contains("\"forgotten\""));
    }

    #[test]
    fn what_costs_would_be_divided_by_must_not_be_nothing() {
        let none = ids(|s| {
            s.latency("empty", 1u64, |x| x).elements(0);
        });
        assert!(none.unwrap_err().to_string().contains("\"empty\" has 0 elements"));
        let reserved = ids(|s| {
            s.latency("named", 1u64, |x| x).counter("bytes", 1.0);
        });
        assert!(reserved.unwrap_err().to_string().contains("\"bytes\""));
    }
}
