//! What do the parts of a count come to? What is fixed and what the loop costs is taken off, and what looks wrong is said.

use std::path::PathBuf;
use std::time::Duration;

use super::child::{Label, Part};
use super::events::{Event, Events};
use super::summary::{Summary, Weights};
use crate::record::{Counts, FirstCall, Kind, Named};

/// The parts of one benchmark.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// Of `once`.
    label: Option<Label>,
    pub(super) creator: Option<String>,
    /// `once` is a process without the work, and `twice` one with it.
    pub(super) calibrated: bool,
    /// Memory and string routines of the C library that were gone through.
    pub(super) routines: Vec<String>,
    first: Events,
    /// One call and two after warming; absent where `once` and `twice` are these.
    single: Option<Events>,
    pair: Option<Events>,
    once: Option<Events>,
    twice: Option<Events>,
    floor_first: Events,
    floor_pair: Option<Events>,
    floor_once: Events,
    floor_twice: Events,
}

/// A benchmark that was counted.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) kind: Kind,
    pub(crate) ops: u64,
    pub(crate) counts: Counts,
    pub(crate) notes: Vec<String>,
    pub(crate) elapsed: Duration,
    /// The file that is kept.
    pub(crate) profile: PathBuf,
}

impl Parts {
    pub(super) fn add(&mut self, label: Label, events: Events) {
        match label.part {
            Part::First => self.first = events,
            Part::Single => self.single = Some(events),
            Part::Pair => self.pair = Some(events),
            Part::Once => (self.label, self.once) = (Some(label), Some(events)),
            Part::Twice => self.twice = Some(events),
            Part::FloorFirst => self.floor_first = events,
            Part::FloorPair => self.floor_pair = Some(events),
            Part::FloorOnce => self.floor_once = events,
            Part::FloorTwice => self.floor_twice = events,
        }
    }

    pub(super) fn are_whole(&self) -> bool {
        self.once.is_some() && self.twice.is_some()
    }

    pub(super) fn outcome(&self, weights: Option<&Weights>, profile: PathBuf, elapsed: Duration) -> Outcome {
        let (kind, ops, calls) =
            self.label.map_or((Kind::Loop, 1, 1), |label| (label.kind, label.ops, label.calls));
        // What is fixed goes with the difference of two lengths, what each turn of the loop costs with the empty loop's.
        let gross = self.twice.unwrap_or_default().without(&self.once.unwrap_or_default());
        let net = gross.without(&self.floor_twice.without(&self.floor_once));
        let operations = calls.saturating_mul(ops).max(1);
        let summary = Summary::of(&net);
        let per_op = |count: u64| count as f64 / operations as f64;
        let branches = net.has_branches();
        let first = (!self.calibrated).then(|| {
            let summary = Summary::of(&self.first_call());
            FirstCall {
                instructions: summary.instructions,
                l1: summary.l1,
                l2: summary.l2,
                ram: summary.ram,
                estimated_cycles: summary.estimated_cycles(),
            }
        });
        let counts = Counts {
            tool: self.creator.clone().unwrap_or_default(),
            instructions: per_op(summary.instructions),
            l1: per_op(summary.l1),
            l2: per_op(summary.l2),
            ram: per_op(summary.ram),
            estimated_cycles: per_op(summary.estimated_cycles()),
            weighted_cycles: weights.map(|weights| summary.weighted(weights) / operations as f64),
            branches: branches.then(|| per_op(net.branches())),
            mispredictions: branches.then(|| per_op(net.mispredictions())),
            operations,
            in_all: net.iter().map(|(event, count)| (event.name(), count)).collect::<Named<u64>>(),
            taken_off: gross.get(Event::Ir).saturating_sub(net.get(Event::Ir)),
            first,
        };
        Outcome { kind, ops, counts, notes: self.notes(&net), elapsed, profile }
    }

    /// The first call without the harness around it. What the program does is what one call more makes of it when warm, without what
    /// that costs the empty harness, and what the first call did beyond a warm one. What the caches make of it is taken as it came,
    /// without the empty harness's first call.
    fn first_call(&self) -> Events {
        let single = self.single.or(self.once).unwrap_or_default();
        let pair = self.pair.or(self.twice).unwrap_or_default();
        let floor_pair = self.floor_pair.unwrap_or(self.floor_twice);
        let net = self.first.iter().map(|(event, first)| {
            let count = |events: &Events| i128::from(events.get(event));
            let floor = count(&self.floor_first);
            let left = if event.is_own() {
                let beyond = i128::from(first) - count(&single);
                beyond + (count(&pair) - count(&single)) - (count(&floor_pair) - floor)
            } else {
                i128::from(first) - floor
            };
            (event, u64::try_from(left.max(0)).unwrap_or(u64::MAX))
        });
        net.collect()
    }

    fn notes(&self, net: &Events) -> Vec<String> {
        let mut notes = Vec::new();
        let Some(label) = self.label else { return notes };
        let (calls, instructions) = (label.calls.max(1), net.get(Event::Ir));
        if instructions < calls {
            notes.push(format!(
                "{instructions} instructions of {calls} {}: there is nothing in the region but the harness; if the kernel is to \
                 do something, the compiler has moved it out or away: return its result, and give its inputs from outside",
                if calls == 1 { "call" } else { "calls" }
            ));
        } else if !self.calibrated {
            let half = self.once.unwrap_or_default().without(&self.floor_once).get(Event::Ir) as f64;
            let other = instructions as f64;
            if (half - other).abs() > 0.05 * half.max(other) + 100.0 {
                let [half, other] = [half, other].map(|all| all / calls as f64);
                notes.push(format!(
                    "{calls} calls took {half:.2} instructions each, and as many more took {other:.2}: the work is not the same \
                     from call to call"
                ));
            }
        }
        if self.calibrated && label.kind == Kind::Routine {
            notes.push("counted as a whole process: setup and drop are part of the count".to_owned());
        }
        if !self.routines.is_empty() {
            notes.push(format!(
                "it goes through {} of the C library, chosen for the CPU that Valgrind shows: on the machine another variant may run, \
                 and what it counts may differ several times over",
                self.routines.join(", ")
            ));
        }
        if let Some(inputs) = label.inputs.filter(|inputs| *inputs > calls) {
            notes.push(format!("a call is long, so that {calls} of {inputs} inputs were gone through"));
        }
        if label.whole {
            notes.push("the loop is the caller's own: all that its run does was counted".to_owned());
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(instructions: u64, misses: u64) -> Events {
        Events::from([
            (Event::Ir, instructions),
            (Event::I1mr, 0),
            (Event::ILmr, 0),
            (Event::Dr, 10 * misses),
            (Event::D1mr, misses),
            (Event::DLmr, 0),
        ])
    }

    fn outcome(twice: u64) -> Outcome {
        let label =
            Label { part: Part::Once, calls: 10, ops: 2, inputs: None, kind: Kind::Latency, whole: false };
        let mut parts = Parts::default();
        let of = [
            (Part::First, events(77, 5)),
            (Part::Single, events(71, 0)),
            (Part::Pair, events(84, 0)),
            (Part::Once, events(150, 1)),
            (Part::Twice, events(twice, 2)),
            (Part::FloorFirst, events(50, 0)),
            (Part::FloorPair, events(51, 0)),
            (Part::FloorOnce, events(50, 0)),
            (Part::FloorTwice, events(60, 0)),
        ];
        for (part, events) in of {
            parts.add(Label { part, ..label }, events);
        }
        assert!(parts.are_whole());
        parts.outcome(Some(&Weights { l1: 2.0, l2: 10.0, ram: 100.0 }), PathBuf::new(), Duration::ZERO)
    }

    #[test]
    fn what_is_fixed_and_what_the_loop_costs_is_taken_off() {
        let Outcome { counts, notes, .. } = outcome(270);
        // 120 more in 10 more calls, of which the loop makes 10; an operation is half a call.
        assert_eq!((counts.instructions, counts.operations, counts.taken_off), (5.5, 20, 10));
        assert_eq!((counts.l2, counts.l1), (1.0 / 20.0, (110.0 + 10.0 - 1.0) / 20.0));
        assert_eq!(counts.estimated_cycles, (119.0 + 5.0) / 20.0);
        assert_eq!(counts.weighted_cycles, Some((238.0 + 10.0) / 20.0));
        // One call more is 13 instructions, of which the harness makes 1; and the first did 6 that a warm one does not.
        assert_eq!(counts.first.map(|first| first.instructions), Some(13 - 1 + 6));
        assert_eq!(counts.branches, None);
        assert!(notes.is_empty(), "{notes:?}");
    }

    #[test]
    fn a_region_without_work_and_work_that_grows_are_named() {
        let empty = outcome(160);
        assert_eq!(empty.counts.instructions, 0.0);
        assert!(empty.notes[0].starts_with("0 instructions of 10 calls"), "{:?}", empty.notes);
        let grows = outcome(2000);
        assert!(grows.notes[0].contains("not the same from call to call"), "{:?}", grows.notes);
    }
}
