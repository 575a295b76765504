//! How often does an event happen in one operation of a benchmark? The slope over two lengths, so that what is fixed cancels.

use std::time::{Duration, Instant};

use super::counters::{Counters, Reading};
use super::event::Event;
use crate::order;

/// Events in one operation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PerOperation {
    /// Events and how many there are in an operation.
    pub counts: Vec<(Event, f64)>,
    /// What to know of them.
    pub notes: Vec<String>,
}

impl PerOperation {
    /// How often `event` happens in an operation, if it was counted.
    pub fn get(&self, event: Event) -> Option<f64> {
        self.counts.iter().find(|(known, _)| *known == event).map(|(_, count)| *count)
    }

    /// Instructions a cycle.
    pub fn ipc(&self) -> Option<f64> {
        let cycles = self.get(Event::Cycles).filter(|cycles| *cycles > 0.0)?;
        Some(self.get(Event::Instructions)? / cycles)
    }
}

/// So many pairs of runs are counted, and the middle one is believed: an interrupt falls into one of them.
const ROUNDS: usize = 5;
/// No further round begins after this: whatever runs so long is not moved by an interrupt.
const ROUNDS_WITHIN: Duration = Duration::from_millis(100);

/// Counts over `calls` and twice as many calls, and gives the difference by operation: the median over up to five such pairs, event by event, and
/// 0 where noise makes it less. `run` makes as many calls as it is told, or as many as it can, and returns how many operations that were (see
/// [`Benchmark::calls`](crate::lab::Benchmark::calls)). It is run once before: what costs only at first (page faults, a cache that fills) is
/// not of an operation.
pub fn per_operation(counters: &mut Counters, calls: u64, mut run: impl FnMut(u64) -> u64) -> PerOperation {
    run(calls);
    let began = Instant::now();
    let mut rounds = Vec::with_capacity(ROUNDS);
    while rounds.len() < ROUNDS && (rounds.is_empty() || began.elapsed() < ROUNDS_WITHIN) {
        let mut operations = [0u64; 2];
        let readings = [1u64, 2].map(|times| {
            counters.count(|| operations[times as usize - 1] = run(calls.saturating_mul(times)))
        });
        rounds.push(slope(&readings, operations));
    }
    median(&rounds)
}

/// The middle of `rounds`, event by event.
fn median(rounds: &[PerOperation]) -> PerOperation {
    let Some(first) = rounds.first() else { return PerOperation::default() };
    let mut notes = first.notes.clone();
    for note in rounds.iter().flat_map(|round| &round.notes) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    let counts = first.counts.iter().map(|(event, _)| {
        let mut values: Vec<f64> = rounds.iter().filter_map(|round| round.get(*event)).collect();
        order::sort(&mut values);
        (*event, values[values.len() / 2].max(0.0))
    });
    PerOperation { counts: counts.collect(), notes }
}

/// What one operation adds, by readings over two numbers of operations; where the two are the same, their mean.
fn slope([short, long]: &[Reading; 2], [few, many]: [u64; 2]) -> PerOperation {
    let mut notes = short.notes.clone();
    notes.extend(long.notes.iter().filter(|note| !short.notes.contains(note)).cloned());
    let counts = short.counts.iter().filter_map(|(event, count)| {
        let (low, high) = (count.value, long.get(*event)?);
        let value = if many > few {
            (high - low) / (many - few) as f64
        } else {
            (low + high) / (few + many).max(1) as f64
        };
        Some((*event, value))
    });
    PerOperation { counts: counts.collect(), notes }
}

#[cfg(test)]
mod tests {
    use super::super::group::Count;
    use super::*;

    fn reading(instructions: f64, cycles: f64) -> Reading {
        let whole = |value| Count { value, share: 1.0 };
        Reading {
            counts: vec![(Event::Instructions, whole(instructions)), (Event::Cycles, whole(cycles))],
            notes: vec!["shared".to_owned()],
        }
    }

    #[test]
    fn what_is_fixed_cancels() {
        let found = slope(&[reading(1100.0, 600.0), reading(2100.0, 1100.0)], [100, 200]);
        assert_eq!((found.get(Event::Instructions), found.get(Event::Cycles)), (Some(10.0), Some(5.0)));
        assert_eq!(found.ipc(), Some(2.0));
        assert_eq!(found.notes, ["shared"]);
    }

    #[test]
    fn one_disturbed_round_decides_nothing_and_no_count_is_negative() {
        let round = |instructions, cycles| PerOperation {
            counts: vec![(Event::Instructions, instructions), (Event::Cycles, cycles)],
            notes: vec!["scaled".to_owned()],
        };
        let found = median(&[round(10.0, 5.0), round(-9e9, -0.2), round(10.1, -0.1)]);
        assert_eq!((found.get(Event::Instructions), found.get(Event::Cycles)), (Some(10.0), Some(0.0)));
        assert_eq!(found.notes, ["scaled"]);
        assert_eq!(median(&[]), PerOperation::default());
    }

    #[test]
    fn loops_that_cannot_be_longer_give_their_mean() {
        let found = slope(&[reading(10.0, 5.0), reading(12.0, 5.0)], [1, 1]);
        assert_eq!(found.get(Event::Instructions), Some(11.0));
    }
}
