//! What is to be measured? One loop, with what its numbers must be counted by and judged against.

use std::any::TypeId;
use std::fmt;
use std::rc::Rc;

use crate::error::{Error, ErrorKind, Result};
use crate::harness::{
    BarrierKind, Laid, Latency, Routine, SingleShot, Throughput, TimedLoop, WorkingSet, barrier_kind,
};
use crate::record::Kind;

/// One thing to measure: a loop with a name and a kind. Made by the harness constructors below, measured by
/// [`Lab::measure`](super::Lab::measure), several at once if they shall be interleaved.
pub struct Benchmark<'a> {
    pub(super) id: String,
    pub(super) kind: Kind,
    pub(super) timed: Box<dyn TimedLoop + 'a>,
    pub(super) floor: Option<Floor<'a>>,
    pub(super) ops: u64,
    pub(super) barrier: BarrierKind,
    pub(super) inputs: Option<usize>,
    pub(super) instructions: Option<u64>,
    pub(super) notes: Vec<String>,
}

/// The same harness around the identity.
pub(super) struct Floor<'a> {
    /// Loops of one kind over one type cost the same, so a lab measures each once.
    pub(super) key: (Kind, TypeId),
    pub(super) timed: Box<dyn TimedLoop + 'a>,
}

impl fmt::Debug for Benchmark<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Benchmark").field("id", &self.id).field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl<'a> Benchmark<'a> {
    /// The latency of `kernel`: the chain `acc = kernel(acc)` from `seed` on.
    ///
    /// Choose a seed whose chain stays among ordinary values: one that gets stuck is noticed and named.
    pub fn latency<T, F>(id: impl Into<String>, seed: T, kernel: F) -> Self
    where
        T: Clone + 'a,
        F: FnMut(T) -> T + 'a,
    {
        let floor = Floor {
            key: (Kind::Latency, typeid::of::<T>()),
            timed: Box::new(Latency::new(seed.clone(), |value: T| value)),
        };
        Self {
            barrier: barrier_kind::<T>(),
            floor: Some(floor),
            ..Self::bare(id, Kind::Latency, Box::new(Latency::new(seed, kernel)))
        }
    }

    /// The latency of a `kernel` whose output is not of its input's type: the chain `acc = link(kernel(acc))`. The link's
    /// own latency is part of the result, which says so.
    pub fn latency_linked<T, R, F, L>(id: impl Into<String>, seed: T, kernel: F, link: L) -> Self
    where
        T: Clone + 'a,
        R: 'a,
        F: FnMut(T) -> R + 'a,
        L: FnMut(R) -> T + 'a,
    {
        let floor = Floor {
            key: (Kind::Latency, typeid::of::<T>()),
            timed: Box::new(Latency::new(seed.clone(), |value: T| value)),
        };
        let mut benchmark = Self {
            barrier: barrier_kind::<T>(),
            floor: Some(floor),
            ..Self::bare(id, Kind::Latency, Box::new(Latency::linked(seed, kernel, link)))
        };
        benchmark
            .notes
            .push("the link from output to next input is part of the chain and of its latency".to_owned());
        benchmark
    }

    /// The reciprocal throughput of `kernel` over independent `inputs`, which are cycled.
    ///
    /// # Errors
    ///
    /// `Usage` when there are no inputs.
    pub fn throughput<I, R, F>(id: impl Into<String>, inputs: &[I], kernel: F) -> Result<Self>
    where
        I: Clone + 'a,
        R: 'a,
        F: FnMut(&I) -> R + 'a,
    {
        Self::throughput_over(id, &WorkingSet::new(inputs), kernel)
    }

    /// As [`throughput`](Self::throughput), over inputs that several benchmarks share: then where they lie in memory is the
    /// same for all and no part of a difference.
    ///
    /// ```
    /// use fencepost::harness::WorkingSet;
    /// use fencepost::lab::Benchmark;
    ///
    /// let values = WorkingSet::new(&[(0..512).collect::<Vec<u64>>()]);
    /// let sum = Benchmark::throughput_over("sum", &values, |v| v.iter().sum::<u64>())?;
    /// let xor = Benchmark::throughput_over("xor", &values, |v| v.iter().fold(0, |a, b| a ^ b))?;
    /// # Ok::<(), fencepost::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Usage` when there are no inputs.
    pub fn throughput_over<I, R, F>(
        id: impl Into<String>,
        inputs: &WorkingSet<I>,
        mut kernel: F,
    ) -> Result<Self>
    where
        I: 'a,
        R: 'a,
        F: FnMut(&I) -> R + 'a,
    {
        let id = id.into();
        let given = inputs.len();
        // By what the loop loads: a value and a pointer to one need not cost the same.
        let (loaded, timed, floor) = match inputs.laid() {
            Laid::Values(laid) => (
                typeid::of::<I>(),
                boxed(Throughput::over(Rc::clone(laid), given, kernel)),
                boxed(Throughput::over(Rc::clone(laid), given, |_: &I| ())),
            ),
            Laid::Shared(laid) => (
                typeid::of::<Rc<I>>(),
                boxed(Throughput::over(Rc::clone(laid), given, move |input: &Rc<I>| kernel(input))),
                boxed(Throughput::over(Rc::clone(laid), given, |_: &Rc<I>| ())),
            ),
        };
        let (timed, floor) = timed.zip(floor).ok_or_else(|| no_inputs(&id))?;
        let mut benchmark = Self {
            barrier: barrier_kind::<I>(),
            inputs: Some(given),
            floor: Some(Floor { key: (Kind::ReciprocalThroughput, loaded), timed: floor }),
            ..Self::bare(id, Kind::ReciprocalThroughput, timed)
        };
        if std::mem::needs_drop::<R>() {
            benchmark.notes.push("dropping the output is part of the operation".to_owned());
        }
        Ok(benchmark)
    }

    /// One call between a fence pair, on each of `inputs` in turn: kept to show why a single shot misleads.
    ///
    /// # Errors
    ///
    /// `Usage` when there are no inputs.
    pub fn single_shot<I, R, F>(id: impl Into<String>, inputs: &[I], kernel: F) -> Result<Self>
    where
        I: Clone + 'a,
        F: FnMut(&I) -> R + 'a,
    {
        let id = id.into();
        let timed = SingleShot::new(inputs, kernel).ok_or_else(|| no_inputs(&id))?;
        Ok(Self { inputs: Some(inputs.len()), ..Self::bare(id, Kind::SingleShot, Box::new(timed)) })
    }

    /// A routine whose input `setup` makes anew for each call, outside the timed region; what it returns is dropped outside, too.
    pub fn routine<S, R, Setup, F>(id: impl Into<String>, setup: Setup, routine: F) -> Self
    where
        S: 'a,
        R: 'a,
        Setup: FnMut() -> S + 'a,
        F: FnMut(S) -> R + 'a,
    {
        let floor = Floor {
            key: (Kind::Routine, TypeId::of::<()>()),
            timed: Box::new(Routine::new(|| 0u64, |value: u64| value)),
        };
        Self {
            barrier: BarrierKind::Memory,
            floor: Some(floor),
            ..Self::bare(id, Kind::Routine, Box::new(Routine::new(setup, routine)))
        }
    }

    /// A loop of the caller's own, for instance one written in assembly. It has no loop floor.
    pub fn custom(id: impl Into<String>, kind: Kind, timed: impl TimedLoop + 'a) -> Self {
        Self::bare(id, kind, Box::new(timed))
    }

    fn bare(id: impl Into<String>, kind: Kind, timed: Box<dyn TimedLoop + 'a>) -> Self {
        Self {
            id: id.into(),
            kind,
            timed,
            floor: None,
            ops: 1,
            barrier: BarrierKind::Register,
            inputs: None,
            instructions: None,
            notes: Vec::new(),
        }
    }

    /// Operations that one call of the kernel makes: results are divided by it.
    ///
    /// # Errors
    ///
    /// `Usage` when `ops` is 0.
    pub fn ops(mut self, ops: u64) -> Result<Self> {
        if ops == 0 {
            return Err(Error::new(
                ErrorKind::Usage,
                format!("benchmark {:?} makes 0 operations a call", self.id),
            )
            .because("a cost is divided by the number of operations")
            .remedy("give the number of operations that one call of the kernel makes, at least 1"));
        }
        self.ops = ops;
        Ok(self)
    }

    /// Instructions that one call of the kernel executes, if you know them: no result can be below what the core's issue width
    /// allows for as many, and one that is gets rejected.
    #[must_use]
    pub fn instructions(mut self, instructions: u64) -> Self {
        self.instructions = Some(instructions);
        self
    }

    /// The same under another name.
    #[must_use]
    pub fn named(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// The name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What is measured.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Calls and bytes that one operation asks of the allocator, untimed; `None` where [`Counting`](crate::alloc::Counting) is not installed, or
    /// where the loop is the caller's own.
    #[cfg(feature = "suite")]
    pub(crate) fn asked_per_op(&mut self) -> Option<(f64, f64)> {
        /// Enough for a mean over inputs that differ.
        const CALLS: u64 = 256;
        /// What takes longer is called once.
        const LONG: std::time::Duration = std::time::Duration::from_micros(500);
        let begun = std::time::Instant::now();
        let mut asked = crate::alloc::count_regions(|| {
            self.timed.run(1);
        })?;
        let mut calls = 1;
        if begun.elapsed() < LONG {
            calls = CALLS.min(self.timed.most()).max(1);
            asked = crate::alloc::count_regions(|| {
                self.timed.run(calls);
            })?;
        }
        let per_op = |count: u64| count as f64 / calls as f64 / self.ops as f64;
        Some((per_op(asked.allocations), per_op(asked.bytes)))
    }

    /// The loop and the same around the identity, where there is one: for those who run it otherwise.
    #[cfg(feature = "cachegrind")]
    pub(crate) fn loops(&mut self) -> (&mut dyn TimedLoop, Option<&mut dyn TimedLoop>) {
        (&mut *self.timed, self.floor.as_mut().map(|floor| &mut *floor.timed as &mut dyn TimedLoop))
    }

    /// How many independent inputs it goes through.
    #[cfg(feature = "cachegrind")]
    pub(crate) fn inputs(&self) -> Option<usize> {
        self.inputs
    }

    /// Runs one operation without measuring it: does it work at all? Needs no lab, and RDTSCP of the CPU.
    pub fn once(&mut self) {
        self.timed.run(1);
    }

    /// Runs `calls` calls of the kernel (as many of them as one slice can hold) without measuring them, for those who count events; gives
    /// how many operations that were.
    pub fn calls(&mut self, calls: u64) -> u64 {
        let calls = calls.min(self.timed.most());
        self.timed.run(calls);
        calls.saturating_mul(self.ops)
    }
}

fn boxed<'a>(timed: Option<impl TimedLoop + 'a>) -> Option<Box<dyn TimedLoop + 'a>> {
    timed.map(|timed| -> Box<dyn TimedLoop + 'a> { Box::new(timed) })
}

fn no_inputs(id: &str) -> Error {
    Error::new(ErrorKind::Usage, format!("benchmark {id:?} has no inputs"))
        .because("a throughput is measured over independent inputs, cycled")
        .remedy("give at least one input; a few hundred keep branch predictors from learning them")
}
