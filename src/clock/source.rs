//! Whose cycles are these? The sources of core cycles behind one trait, chosen in the order of trust.

use super::counters::{PerfCycles, Rdpru};
use super::ruler::add_chain;
use crate::order;

/// A source of core cycles.
pub trait CycleSource {
    /// Its name, as every result carries it.
    fn name(&self) -> &'static str;

    /// A running count of core cycles, if this source counts; a source that does not (the ruler) gives `None`, and its
    /// cycles come from ticks and the ruler beside the slice. Only differences mean anything.
    fn read(&mut self) -> Option<u64>;
}

/// The source that is always there: no counter, but ticks divided by the ruler's ticks per cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClockRuler;

impl CycleSource for ClockRuler {
    fn name(&self) -> &'static str {
        "clock ruler"
    }

    fn read(&mut self) -> Option<u64> {
        None
    }
}

/// What became of each source that was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceReport {
    /// The source's name.
    pub name: &'static str,
    /// Cycles a link of the ruler's add chain by that counter, where it could be read.
    pub add: Option<f64>,
    /// Why it was not taken; `None` for the one that was.
    pub refused: Option<String>,
}

/// How far a counter may be off the ruler's definition of a cycle before it is not believed.
const TOLERANCE: f64 = 0.01;

/// The most trusted source that can be read here and that agrees with the ruler: RDPMC on this thread's user
/// cycles, then RDPRU (`rdpru` says whether this CPU has it), then the ruler alone.
pub fn choose(rdpru: bool) -> (Box<dyn CycleSource>, Vec<SourceReport>) {
    let mut reports = Vec::new();
    match PerfCycles::open() {
        Ok(perf) => {
            if let Some(source) = believed(Box::new(perf), &mut reports) {
                return (source, reports);
            }
        }
        Err(error) => reports.push(SourceReport {
            name: "RDPMC (perf cycles:u)",
            add: None,
            refused: Some(error.to_string()),
        }),
    }
    if rdpru {
        // SAFETY: `rdpru` is what CPUID said of this CPU, and this thread is pinned.
        let source = Box::new(unsafe { Rdpru::new_unchecked() });
        if let Some(source) = believed(source, &mut reports) {
            return (source, reports);
        }
    }
    reports.push(SourceReport { name: ClockRuler.name(), add: Some(1.0), refused: None });
    (Box::new(ClockRuler), reports)
}

fn believed(
    mut source: Box<dyn CycleSource>,
    reports: &mut Vec<SourceReport>,
) -> Option<Box<dyn CycleSource>> {
    let name = source.name();
    let add = cross_check(source.as_mut(), |rounds| {
        add_chain(rounds);
    });
    let refused = match add {
        None => Some("the counter could not be read".to_owned()),
        Some(add) if (add - 1.0).abs() > TOLERANCE => {
            Some(format!("it counts {add:.3} cycles for an addition that takes 1"))
        }
        Some(_) => None,
    };
    let taken = refused.is_none();
    reports.push(SourceReport { name, add, refused });
    taken.then_some(source)
}

/// Cycles a link that `source` counts over add chains run by `chain` (512 links a round): the median of many slopes.
pub fn cross_check(source: &mut dyn CycleSource, mut chain: impl FnMut(u64)) -> Option<f64> {
    const SLOPES: usize = 31;
    let mut count = |rounds: u64, source: &mut dyn CycleSource| {
        let before = source.read()?;
        chain(rounds);
        Some(source.read()?.wrapping_sub(before) as f64)
    };
    let mut slopes = Vec::with_capacity(SLOPES);
    for _ in 0..SLOPES {
        let short = count(1, source)?;
        let long = count(17, source)?;
        slopes.push((long - short) / (16.0 * 512.0));
    }
    order::sort(&mut slopes);
    Some(slopes[SLOPES / 2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    /// A counter that advances with the chain, by a factor and with a fixed cost of each read.
    struct Fake {
        count: Rc<Cell<u64>>,
    }

    impl CycleSource for Fake {
        fn name(&self) -> &'static str {
            "fake"
        }
        fn read(&mut self) -> Option<u64> {
            self.count.set(self.count.get().wrapping_add(37));
            Some(self.count.get())
        }
    }

    fn slope_with(cycles_per_link: u64, start: u64) -> f64 {
        let count = Rc::new(Cell::new(start));
        let mut fake = Fake { count: count.clone() };
        cross_check(&mut fake, |rounds| count.set(count.get().wrapping_add(rounds * 512 * cycles_per_link)))
            .unwrap()
    }

    #[test]
    fn the_fixed_cost_of_reading_a_counter_cancels() {
        assert_eq!(slope_with(1, 0), 1.0);
        assert_eq!(slope_with(2, 0), 2.0);
    }

    #[test]
    fn a_counter_that_wraps_is_still_right() {
        assert_eq!(slope_with(1, u64::MAX - 10_000), 1.0);
    }

    #[test]
    fn a_source_without_a_counter_has_nothing_to_check() {
        assert_eq!(cross_check(&mut ClockRuler, |_| {}), None);
    }
}
