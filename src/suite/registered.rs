//! What more can be said of what was just registered? How a kernel is measured, and what its costs are counted by.

use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

use super::inputs::{Counter, Inputs};
use super::registry::{Facts, RESERVED, Suite};
use crate::baseline::Limit;
use crate::error::{Error, ErrorKind, Result};
use crate::lab::Benchmark;
use crate::record::inert;

/// What has just been registered, for saying more about it.
pub struct Registered<'s, 'a, K = ()> {
    pub(super) suite: &'s mut Suite<'a>,
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

impl<T, R, F> Kernel<T, R, F> {
    pub(super) fn new(name: String, kernel: F) -> Self {
        Self { name, kernel, of: PhantomData }
    }
}

/// The values of a [`Suite::sweep`].
pub struct Sweep<P> {
    pub(super) values: Vec<P>,
}

impl<'s, 'a, K> Registered<'s, 'a, K> {
    pub(super) fn new(suite: &'s mut Suite<'a>, what: K) -> Self {
        Self { first: suite.count(), suite, facts: Facts::default(), what }
    }

    pub(super) fn add(&mut self, name: &str, make: impl FnOnce(&str) -> Result<Benchmark<'a>> + 'a) {
        self.suite.add(name, self.facts.clone(), make);
    }

    fn note(mut self, note: impl Fn(&mut Facts<'a>)) -> Self {
        // For what comes later in this chain of calls, and for what came before.
        note(&mut self.facts);
        for entry in self.suite.since(self.first) {
            note(&mut entry.facts);
        }
        self
    }

    fn at_least_one(&mut self, what: &str, count: u64) {
        if count == 0 {
            let id = self.suite.since(self.first).last().map_or("", |entry| entry.id.as_str()).to_owned();
            let error = Error::new(ErrorKind::Usage, format!("benchmark {:?} has 0 {what}", inert(&id)))
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

    /// What this benchmark may not pass, instead of the run's `--limit`: `5%`, `2cyc` or `0.5ns` more than in the baseline, or a
    /// cost: `<=120cyc`. See [`Limit`]. Limits of a change say nothing in a run without `--baseline`.
    pub fn limit(self, limit: &str) -> Self {
        match limit.parse::<Limit>() {
            Ok(limit) => self.note(|facts| facts.limit = Some(limit.clone())),
            Err(error) => {
                self.suite.fail(error);
                self
            }
        }
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
        for (entry, count) in self.suite.since(self.first).iter_mut().zip(counts) {
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
