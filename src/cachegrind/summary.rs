//! What do the counts come to? Where accesses hit, and what that is estimated to cost.

use super::events::{Event, Events};

/// What an access is taken to cost in cycles, by where it hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// In the first level; each instruction is one such access.
    pub l1: f64,
    /// In the last level that is simulated.
    pub l2: f64,
    /// In memory.
    pub ram: f64,
}

impl Default for Weights {
    /// 1, 5 and 35: those of iai, after Itamar Turner-Trauring's *Reliable benchmarks with Cachegrind* (2020).
    fn default() -> Self {
        Self { l1: 1.0, l2: 5.0, ram: 35.0 }
    }
}

/// Accesses by where they hit. An instruction that is executed is an access, as well as each datum that is read or written.
///
/// ```
/// use fencepost::cachegrind::{Event, Events, Summary};
/// let counts = Events::from([
///     (Event::Ir, 32), (Event::Dr, 14), (Event::Dw, 16),
///     (Event::I1mr, 2), (Event::D1mr, 0), (Event::D1mw, 1),
///     (Event::ILmr, 2), (Event::DLmr, 0), (Event::DLmw, 0),
/// ]);
/// let summary = Summary::of(&counts);
/// assert_eq!((summary.l1, summary.l2, summary.ram), (59, 1, 2));
/// assert_eq!(summary.estimated_cycles(), 134);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Instructions executed.
    pub instructions: u64,
    /// Accesses that hit the first level.
    pub l1: u64,
    /// Accesses that missed the first level and hit the last one.
    pub l2: u64,
    /// Accesses that went to memory.
    pub ram: u64,
    /// Accesses in all.
    pub accesses: u64,
}

impl Summary {
    /// RAM = ILmr + DLmr + DLmw; L2 = I1mr + D1mr + D1mw - RAM; L1 = Ir + Dr + Dw - L2 - RAM. Nothing falls below 0 or wraps.
    pub fn of(events: &Events) -> Self {
        let sum =
            |all: [Event; 3]| all.into_iter().fold(0u64, |sum, one| sum.saturating_add(events.get(one)));
        let accesses = sum([Event::Ir, Event::Dr, Event::Dw]);
        let ram = sum([Event::ILmr, Event::DLmr, Event::DLmw]);
        let l2 = sum([Event::I1mr, Event::D1mr, Event::D1mw]).saturating_sub(ram);
        let l1 = accesses.saturating_sub(ram.saturating_add(l2));
        Self { instructions: events.get(Event::Ir), l1, l2, ram, accesses }
    }

    /// L1 + 5 L2 + 35 RAM, as far as 64 bits go.
    pub fn estimated_cycles(&self) -> u64 {
        self.l1.saturating_add(self.l2.saturating_mul(5)).saturating_add(self.ram.saturating_mul(35))
    }

    /// The same by other weights.
    pub fn weighted(&self, weights: &Weights) -> f64 {
        self.l1 as f64 * weights.l1 + self.l2 as f64 * weights.l2 + self.ram as f64 * weights.ram
    }

    /// The shares of the accesses that hit the first level, the last level and memory, in per cent.
    pub fn hit_shares(&self) -> [f64; 3] {
        [self.l1, self.l2, self.ram].map(|hits| percent_of(hits, self.accesses))
    }
}

/// `part` of `whole` in per cent; 0 of nothing.
fn percent_of(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 * 100.0 }
}

/// Shares of misses in per cent, as Valgrind prints them at the end of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MissShares {
    /// Of the instructions, those that missed the first level.
    pub i1: f64,
    /// Of the instructions, those that missed the last level.
    pub lli: f64,
    /// Of the data accesses, those that missed the first level.
    pub d1: f64,
    /// Of the data accesses, those that missed the last level.
    pub lld: f64,
    /// Of all accesses, those that missed the last level.
    pub ll: f64,
}

impl MissShares {
    /// The shares in these counts.
    pub fn of(events: &Events) -> Self {
        let sum = |all: &[Event]| all.iter().fold(0u64, |sum, one| sum.saturating_add(events.get(*one)));
        let (instructions, data) = (sum(&[Event::Ir]), sum(&[Event::Dr, Event::Dw]));
        let last = sum(&[Event::ILmr, Event::DLmr, Event::DLmw]);
        Self {
            i1: percent_of(sum(&[Event::I1mr]), instructions),
            lli: percent_of(sum(&[Event::ILmr]), instructions),
            d1: percent_of(sum(&[Event::D1mr, Event::D1mw]), data),
            lld: percent_of(sum(&[Event::DLmr, Event::DLmw]), data),
            ll: percent_of(last, instructions.saturating_add(data)),
        }
    }
}
