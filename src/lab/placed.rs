//! What does a benchmark cost where its loop starts elsewhere? One loop, started at several places, each measured as a benchmark of its own.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use super::Benchmark;
use super::benchmark::Floor;
use crate::harness::{ChainFault, Entry, PLACES, TimedLoop};
use crate::predict::TimedCode;
use crate::tsc::Timed;

/// A benchmark at one of the places of its loop.
#[derive(Debug)]
pub struct Placed<'a> {
    /// The benchmark, whose loop starts there.
    pub benchmark: Benchmark<'a>,
    /// Where.
    pub start: Start,
}

/// Where a timed loop starts, as it is decoded from memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Start {
    /// Its address modulo 64; `None` where it was not found.
    pub offset: Option<u64>,
    /// The functions that it calls, which lie where they lie whatever the place of the loop.
    pub calls: Vec<String>,
    /// Why it was not found.
    pub missing: Option<String>,
}

impl Start {
    fn of(timed: &dyn TimedLoop) -> Self {
        let Some(address) = timed.address() else {
            return Self {
                missing: Some("it has no loop that fencepost could start elsewhere".to_owned()),
                ..Self::default()
            };
        };
        match TimedCode::decode(Entry { address, operations: 1 }) {
            Ok(code) => {
                Self { offset: Some(code.timed_loop.head % 64), calls: code.callees(), missing: None }
            }
            Err(error) => Self { missing: Some(error.to_string()), ..Self::default() },
        }
    }
}

impl<'a> Benchmark<'a> {
    /// This benchmark with its loop started at each of `places` places (at most [`PLACES`]), to be measured beside one another; of a loop
    /// that has no places only itself.
    ///
    /// The kernel, its inputs and its state are shared: a chain goes on from place to place.
    ///
    /// ```
    /// use fencepost::lab::Benchmark;
    /// let benchmark = Benchmark::latency("multiply", 42u64, |x: u64| x.wrapping_mul(3));
    /// let offsets: Vec<_> = benchmark.at_places(4).iter().map(|one| one.start.offset).collect();
    /// assert_eq!(offsets.len(), 4);
    /// assert!(offsets.windows(2).all(|two| two[0] != two[1]), "{offsets:?}");
    /// ```
    pub fn at_places(self, places: usize) -> Vec<Placed<'a>> {
        let places = places.min(PLACES).min(self.timed.places());
        if places == 0 {
            let start = Start::of(self.timed.as_ref());
            return vec![Placed { benchmark: self, start }];
        }
        let Self { id, kind, timed, floor, ops, barrier, inputs, instructions, notes } = self;
        let shared = Rc::new(RefCell::new(timed));
        let floor = floor.map(|floor| (floor.key, Rc::new(RefCell::new(floor.timed))));
        let at = |place: usize| {
            let timed = AtPlace { shared: Rc::clone(&shared), place };
            let start = Start::of(&timed);
            let floor = floor.as_ref().map(|(key, timed)| Floor {
                key: *key,
                timed: Box::new(AtPlace { shared: Rc::clone(timed), place: 0 }),
            });
            let benchmark = Benchmark {
                id: format!("{id} at place {place} of {places}"),
                kind,
                timed: Box::new(timed),
                floor,
                ops,
                barrier,
                inputs,
                instructions,
                notes: notes.clone(),
            };
            Placed { benchmark, start }
        };
        (1..=places).map(at).collect()
    }
}

/// A loop that others start elsewhere.
pub(super) struct AtPlace<R> {
    pub(super) shared: R,
    pub(super) place: usize,
}

impl<'l, R, L> AtPlace<R>
where
    R: Deref<Target = RefCell<L>>,
    L: DerefMut<Target = dyn TimedLoop + 'l>,
{
    fn there<T>(&self, act: impl FnOnce(&mut (dyn TimedLoop + 'l)) -> T) -> T {
        let mut shared = self.shared.borrow_mut();
        shared.start_at(self.place);
        act(&mut **shared)
    }
}

impl<'l, R, L> TimedLoop for AtPlace<R>
where
    R: Deref<Target = RefCell<L>>,
    L: DerefMut<Target = dyn TimedLoop + 'l>,
{
    fn run(&mut self, iterations: u64) -> Timed {
        self.there(|timed| timed.run(iterations))
    }

    fn granule(&self) -> u64 {
        self.there(|timed| timed.granule())
    }

    fn most(&self) -> u64 {
        self.there(|timed| timed.most())
    }

    fn entry(&self) -> Option<Entry> {
        self.there(|timed| timed.entry())
    }

    fn address(&self) -> Option<u64> {
        self.there(|timed| timed.address())
    }

    fn faults(&mut self) -> Vec<ChainFault> {
        self.there(|timed| timed.faults())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tsc::{fenced_start, fenced_stop};

    /// The offsets had, and that none is missing.
    fn offsets(benchmark: Benchmark<'_>, places: usize) -> Vec<u64> {
        let placed = benchmark.at_places(places);
        placed.iter().map(|one| one.start.offset.unwrap_or_else(|| panic!("{:?}", one.start))).collect()
    }

    #[test]
    fn the_offsets_that_are_had_are_distinct_and_those_that_were_meant() {
        let mix = |x: u64| (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        let inputs: Vec<u64> = (0..100).collect();
        let of = |kind: usize| match kind {
            0 => Benchmark::latency("latency", 42u64, mix),
            1 => Benchmark::throughput("throughput", &inputs, move |x| mix(*x)).unwrap(),
            _ => Benchmark::routine("routine", || 3u64, mix),
        };
        for kind in 0..3 {
            let found = offsets(of(kind), 4);
            let mut turned: Vec<u64> = found.iter().map(|at| (at + 64 - found[0]) % 64).collect();
            assert_eq!(turned, [0, 32, 16, 48], "{found:?}");
            // The same loop, moved on; where the compiler aligns it to 16 bytes, eight places have four offsets.
            turned = offsets(of(kind), 8);
            turned.sort_unstable();
            turned.dedup();
            assert!([4, 8].contains(&turned.len()), "{turned:?}");
        }
        assert_eq!(of(0).at_places(100).len(), PLACES);
    }

    #[test]
    fn all_places_run_the_same_loop() {
        let mut calls = 0u64;
        let mut placed = Benchmark::latency("count", 0u64, |x| {
            calls += 1;
            x + 1
        })
        .at_places(3);
        for one in &mut placed {
            one.benchmark.calls(17);
        }
        drop(placed);
        assert_eq!(calls, 51);
    }

    #[test]
    fn a_loop_of_ones_own_is_measured_where_it_lies_and_that_is_said() {
        struct Own;
        impl TimedLoop for Own {
            fn run(&mut self, _: u64) -> Timed {
                let start = fenced_start();
                let (stop, core) = fenced_stop();
                Timed { start, stop, core }
            }
        }
        let placed = Benchmark::custom("own", crate::record::Kind::Loop, Own).at_places(4);
        assert_eq!((placed.len(), placed[0].benchmark.id()), (1, "own"));
        assert!(placed[0].start.missing.is_some() && placed[0].start.offset.is_none());
    }
}
