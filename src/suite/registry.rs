//! What is registered? Names, what each is counted by, and how to make it; nothing is made before it is selected.

use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::rc::Rc;

use super::inputs::{Counter, Inputs};
use crate::error::{Error, ErrorKind, Result};
use crate::harness::TimedLoop;
use crate::lab::Benchmark;
use crate::record::{Kind, inert};

/// Makes a benchmark of the name that it is given.
type Make<'a> = Box<dyn FnOnce(&str) -> Result<Benchmark<'a>> + 'a>;

/// A registered benchmark.
pub(super) struct Entry<'a> {
    pub(super) id: String,
    /// The relative group that it stands in, numbered.
    pub(super) relative_to: Option<usize>,
    pub(super) facts: Facts<'a>,
    make: Make<'a>,
}

/// What is known of a benchmark besides its loop.
#[derive(Clone, Default)]
pub(super) struct Facts<'a> {
    ops: Option<u64>,
    instructions: Option<u64>,
    pub(super) elements: Option<u64>,
    pub(super) bytes: Option<u64>,
    pub(super) counters: Vec<(String, Rc<dyn Counter + 'a>)>,
}

impl<'a> Entry<'a> {
    /// Makes the benchmark; what is left is what its result has to be counted by.
    pub(super) fn make(self) -> Result<(Benchmark<'a>, Facts<'a>, Option<usize>)> {
        let mut benchmark = (self.make)(&self.id)?;
        if let Some(ops) = self.facts.ops {
            benchmark = benchmark.ops(ops)?;
        }
        if let Some(instructions) = self.facts.instructions {
            benchmark = benchmark.instructions(instructions);
        }
        Ok((benchmark, self.facts, self.relative_to))
    }
}

/// Names in a result's counters that are not the user's.
pub(super) const RESERVED: [&str; 9] = [
    "elements",
    "bytes",
    "elements_per_sec",
    "bytes_per_sec",
    "cycles_per_element",
    "cycles_per_byte",
    "relative_pct",
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
        let registered = self.registered(Kernel { name: name.clone(), kernel, of: PhantomData });
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
                // Shared, so that filling a turn of the loop does not multiply the memory that is gone through.
                let input = Rc::new(make(value));
                Benchmark::throughput(id, &[input], move |input: &Rc<I>| kernel(input))
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
        let first = self.entries.len();
        Registered { suite: self, first, facts: Facts::default(), what }
    }

    fn no_kernel_is_idle(&mut self) {
        if let Some(name) = self.idle.take() {
            self.fail(
                Error::new(ErrorKind::Usage, format!("kernel {:?} is not measured", inert(&name)))
                    .because("nothing was asked of it")
                    .remedy("add .latency(seed), .throughput(inputs) or both"),
            );
        }
    }

    fn fail(&mut self, error: Error) {
        self.failed.get_or_insert(error);
    }

    /// What was registered, if all of it can be.
    pub(super) fn finish(mut self) -> Result<Vec<Entry<'a>>> {
        self.no_kernel_is_idle();
        if let Some(error) = self.failed {
            return Err(error);
        }
        let mut ids: Vec<&str> = self.entries.iter().map(|entry| entry.id.as_str()).collect();
        ids.sort_unstable();
        if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::new(
                ErrorKind::Usage,
                format!("two benchmarks are named {:?}", inert(pair[0])),
            )
            .because("results, filters and saved runs tell benchmarks apart by their names")
            .remedy("give each its own name, or put one of them into a group"));
        }
        Ok(self.entries)
    }
}

/// What has just been registered, for saying more about it.
pub struct Registered<'s, 'a, K = ()> {
    suite: &'s mut Suite<'a>,
    first: usize,
    facts: Facts<'a>,
    what: K,
}

impl<K> fmt::Debug for Registered<'_, '_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Registered").field(&self.suite).finish()
    }
}

/// A function of one value, for [`Suite::kernel`].
pub struct Kernel<T, R, F> {
    name: String,
    kernel: F,
    of: PhantomData<fn(T) -> R>,
}

/// The values of a [`Suite::sweep`].
pub struct Sweep<P> {
    values: Vec<P>,
}

impl<'a, K> Registered<'_, 'a, K> {
    fn add(&mut self, name: &str, make: impl FnOnce(&str) -> Result<Benchmark<'a>> + 'a) {
        let parts = self.suite.prefix.iter().map(String::as_str).chain([name]);
        let id = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/");
        if id.is_empty() || id.chars().any(char::is_control) || id.trim() != id {
            self.suite.fail(
                Error::new(ErrorKind::Usage, format!("a benchmark is named {:?}", inert(&id)))
                    .because("names are listed one a line and given as arguments")
                    .remedy("give it a name without control characters and without blanks around it"),
            );
        }
        self.suite.idle = None;
        let relative_to = self.suite.relative_to;
        self.suite.entries.push(Entry { id, relative_to, facts: self.facts.clone(), make: Box::new(make) });
    }

    fn note(mut self, note: impl Fn(&mut Facts<'a>)) -> Self {
        // For what comes later in this chain of calls, and for what came before.
        note(&mut self.facts);
        for entry in self.suite.entries.iter_mut().skip(self.first) {
            note(&mut entry.facts);
        }
        self
    }

    fn at_least_one(&mut self, what: &str, count: u64) {
        if count == 0 {
            let id = self.suite.entries.last().map_or("", |entry| entry.id.as_str());
            let error = Error::new(ErrorKind::Usage, format!("benchmark {:?} has 0 {what}", inert(id)))
                .because("a cost is divided by their number")
                .remedy(format!("give the {what} of one operation, at least 1"));
            self.suite.fail(error);
        }
    }

    /// Operations that one call makes: costs are given per operation.
    pub fn ops(mut self, ops: u64) -> Self {
        self.at_least_one("operations", ops);
        self.note(|facts| facts.ops = Some(ops))
    }

    /// Instructions that one call executes, if you know them: a result that no core can reach is then rejected.
    pub fn instructions(self, instructions: u64) -> Self {
        self.note(|facts| facts.instructions = Some(instructions))
    }

    /// Elements that one operation works on: costs are also shown per element, and elements a second.
    pub fn elements(mut self, elements: u64) -> Self {
        self.at_least_one("elements", elements);
        self.note(|facts| facts.elements = Some(elements))
    }

    /// Bytes that one operation works on: costs are also shown per byte, and bytes a second.
    pub fn bytes(mut self, bytes: u64) -> Self {
        self.at_least_one("bytes", bytes);
        self.note(|facts| facts.bytes = Some(bytes))
    }

    /// A number of your own that is shown and saved with the result: a value, or a function that is asked for it once, after the run.
    pub fn counter(self, name: impl Into<String>, counter: impl Counter + 'a) -> Self {
        let name = name.into();
        if RESERVED.contains(&name.as_str()) {
            let error = Error::new(ErrorKind::Usage, format!("a counter is named {name:?}"))
                .because("fencepost's own numbers have that name")
                .remedy("give it another one");
            self.suite.fail(error);
        }
        let counter: Rc<dyn Counter + 'a> = Rc::new(counter);
        self.note(|facts| facts.counters.push((name.clone(), Rc::clone(&counter))))
    }
}

impl<'a, T: 'a, R: 'a, F: FnMut(T) -> R + Clone + 'a> Registered<'_, 'a, Kernel<T, R, F>> {
    fn way(mut self, way: &str, make: impl FnOnce(&str, F) -> Result<Benchmark<'a>> + 'a) -> Self {
        let kernel = self.what.kernel.clone();
        let name = format!("{}/{way}", self.what.name);
        self.add(&name, move |id| make(id, kernel));
        self
    }

    /// Measures `name/latency` for a kernel whose output is not of its input's type: the chain `acc = link(kernel(acc))`. The
    /// link's own latency is part of the result, which says so.
    pub fn latency_linked(self, seed: T, link: impl FnMut(R) -> T + 'a) -> Self
    where
        T: Clone,
    {
        self.way("latency", move |id, kernel| Ok(Benchmark::latency_linked(id, seed, kernel, link)))
    }

    /// Measures `name/throughput`: the reciprocal throughput over independent `inputs`, which are cycled. Each is
    /// cloned for its call: for inputs whose clone costs something, use [`Suite::throughput`].
    pub fn throughput(self, inputs: impl Inputs<Item = T> + 'a) -> Self
    where
        T: Clone,
    {
        self.way("throughput", move |id, mut kernel| {
            Benchmark::throughput(id, &inputs.inputs(), move |input: &T| kernel(input.clone()))
        })
    }

    /// Measures `name/single_shot`: one call between a fence pair, kept to show why that misleads.
    pub fn single_shot(self, inputs: impl Inputs<Item = T> + 'a) -> Self
    where
        T: Clone,
    {
        self.way("single_shot", move |id, mut kernel| {
            Benchmark::single_shot(id, &inputs.inputs(), move |input: &T| kernel(input.clone()))
        })
    }
}

impl<'a, T: Clone + 'a, F: FnMut(T) -> T + Clone + 'a> Registered<'_, 'a, Kernel<T, T, F>> {
    /// Measures `name/latency`: the chain `acc = kernel(acc)` from `seed` on. Choose a seed whose chain stays among ordinary
    /// values.
    pub fn latency(self, seed: T) -> Self {
        self.way("latency", move |id, kernel| Ok(Benchmark::latency(id, seed, kernel)))
    }
}

impl<P> Registered<'_, '_, Sweep<P>> {
    fn each(mut self, what: &str, count: impl Fn(&P) -> u64, set: impl Fn(&mut Facts<'_>, u64)) -> Self {
        let counts: Vec<u64> = self.what.values.iter().map(count).collect();
        for count in &counts {
            self.at_least_one(what, *count);
        }
        for (entry, count) in self.suite.entries.iter_mut().skip(self.first).zip(counts) {
            set(&mut entry.facts, count);
        }
        self
    }

    /// [`elements`](Self::elements) by value.
    pub fn elements_by(self, elements: impl Fn(&P) -> u64) -> Self {
        self.each("elements", elements, |facts, count| facts.elements = Some(count))
    }

    /// [`bytes`](Self::bytes) by value.
    pub fn bytes_by(self, bytes: impl Fn(&P) -> u64) -> Self {
        self.each("bytes", bytes, |facts, count| facts.bytes = Some(count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn ids<'a>(register: impl FnOnce(&mut Suite<'a>)) -> Result<Vec<String>> {
        let mut suite = Suite::default();
        register(&mut suite);
        Ok(suite.finish()?.into_iter().map(|entry| entry.id).collect())
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
        let entries = suite.finish().unwrap();
        assert_eq!(made.get(), 0);
        for entry in entries {
            entry.make().unwrap().0.once();
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
        let facts: Vec<Facts<'_>> = suite.finish().unwrap().into_iter().map(|entry| entry.facts).collect();
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
