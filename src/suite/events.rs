//! Which events happen in each benchmark? Counted in runs of their own, before the timed ones, where `--counters` asks for it.

use std::time::{Duration, Instant};

use super::registry::Made;
use crate::clock::perf::{Counters, Event, PerOperation, Refusal, ipc_reading, per_operation};
use crate::lab::Benchmark;
use crate::machine::Machine;
use crate::record::{BenchmarkResult, Events, Finding, Severity};

/// A run that is counted takes so long at least: what starting and stopping the counters adds is then no part of it.
const LONG_ENOUGH: Duration = Duration::from_millis(2);
/// Most calls in one run, however cheap.
const MOST_CALLS: u64 = 1 << 24;

/// Counts every event that can be had in each of `made`, until `stop`; with what cannot be had, once for each reason.
pub(super) fn count(
    made: &mut [Made<'_>],
    machine: &Machine,
    stop: &dyn Fn() -> bool,
) -> (Vec<Option<Events>>, Vec<Refusal>) {
    let (mut counters, refused) = Counters::open(&Event::ALL, machine);
    let mut counted = Vec::with_capacity(made.len());
    let any = counters.events().next().is_some();
    for one in made {
        let wanted = any && !stop();
        counted.push(wanted.then(|| events(&one_benchmark(&mut counters, &mut one.benchmark), machine)));
    }
    (counted, refused)
}

fn one_benchmark(counters: &mut Counters, benchmark: &mut Benchmark<'_>) -> PerOperation {
    let calls = long_enough(|calls| {
        let began = Instant::now();
        (benchmark.calls(calls), began.elapsed())
    });
    per_operation(counters, calls, |calls| benchmark.calls(calls))
}

/// How many calls take [`LONG_ENOUGH`]; of a loop that cannot make so many, half of what it can. `run` gives how many operations it made, and
/// how long they took.
fn long_enough(mut run: impl FnMut(u64) -> (u64, Duration)) -> u64 {
    let mut last = 0;
    let mut calls = 1;
    while calls < MOST_CALLS {
        let (operations, took) = run(calls);
        // Twice, since the first call of all and one that was interrupted take longer.
        if took >= LONG_ENOUGH && run(calls).1 >= LONG_ENOUGH {
            break;
        }
        // One that cannot run longer at a time says so by doing no more.
        if operations == last {
            return (calls / 4).max(1);
        }
        last = operations;
        calls *= 2;
    }
    calls
}

fn events(found: &PerOperation, machine: &Machine) -> Events {
    let ipc = found.ipc();
    Events {
        per_op: found.counts.iter().map(|(event, count)| (event.name(), *count)).collect(),
        ipc,
        reading: ipc.map(|ipc| ipc_reading(ipc, machine.issue_width())),
        ruler_off_pct: None,
        notes: found.notes.clone(),
    }
}

/// Gives `result` what was counted of it, and sets what the ruler says beside the cycle counter.
pub(super) fn give(result: &mut BenchmarkResult, events: Option<Events>) {
    let timed = result.cycles.as_ref().filter(|_| !result.below_resolution).map(|cycles| cycles.estimate);
    result.events = events.map(|mut events| {
        events.ruler_off_pct = timed
            .zip(events.per_op.get("cycles").copied().filter(|counted| *counted > 0.0))
            .map(|(timed, counted)| 100.0 * (timed / counted - 1.0))
            .filter(|off| off.is_finite());
        events
    });
}

/// What cannot be counted, as findings; they say more than what is known of the PMU without having asked.
pub(super) fn refusals(findings: &mut Vec<Finding>, refused: &[Refusal]) {
    if refused.iter().any(|refusal| refusal.events.contains(&Event::Cycles)) {
        findings.retain(|finding| finding.id != "pmu");
    }
    findings.extend(refused.iter().enumerate().map(|(at, refusal)| {
        Finding {
            id: if at == 0 { "events".to_owned() } else { format!("events_{}", at + 1) },
            severity: Severity::Warning,
            value: refusal.reason(),
            effect: if refusal.events.contains(&Event::Cycles) {
                "those events are not shown; core cycles come from the clock ruler"
            } else {
                "those events are not shown"
            }
            .to_owned(),
            remedy: Some(refusal.remedy()),
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::CycleEstimate;

    #[test]
    fn runs_that_are_counted_are_long_and_one_slow_call_does_not_make_them_so() {
        let micros = Duration::from_micros;
        assert_eq!(long_enough(|calls| (calls, micros(10 * calls))), 256);
        let mut first = true;
        let slow_once =
            |calls| (calls, if std::mem::take(&mut first) { micros(9_000) } else { micros(calls) });
        assert_eq!(long_enough(slow_once), 2048);
        // 64 and 100 at the most: the longer of the two runs is as long as can be.
        assert_eq!(long_enough(|calls| (calls.min(64), micros(1))), 32);
        assert_eq!(long_enough(|calls| (calls.min(100), micros(1))), 64);
        assert_eq!(long_enough(|_| (1, micros(1))), 1);
        assert_eq!(long_enough(|calls| (calls, micros(0))), MOST_CALLS);
        assert_eq!(long_enough(|_| (1, micros(5_000_000))), 1);
    }

    #[test]
    fn the_ruler_is_set_beside_a_cycle_counter() {
        let mut result = BenchmarkResult {
            cycles: Some(CycleEstimate { estimate: 12.06, ..CycleEstimate::default() }),
            ..BenchmarkResult::default()
        };
        let counted = |cycles: f64| Some(Events { per_op: [("cycles", cycles)].into(), ..Events::default() });
        give(&mut result, counted(12.0));
        assert!((result.events.as_ref().unwrap().ruler_off_pct.unwrap() - 0.5).abs() < 1e-9);
        give(&mut result, counted(0.0));
        assert_eq!(result.events.as_ref().unwrap().ruler_off_pct, None);
        result.cycles = None;
        give(&mut result, counted(12.0));
        assert_eq!(result.events.as_ref().unwrap().ruler_off_pct, None);
        give(&mut result, None);
        assert_eq!(result.events, None);
    }

    #[test]
    fn a_refusal_of_cycles_replaces_what_was_supposed_of_the_pmu() {
        let refusal = |events: Vec<Event>| Refusal {
            events,
            errno: Some(2),
            paranoid: Some(2),
            hypervisor: Some("KVM".to_owned()),
            message: "No such file or directory (os error 2)".to_owned(),
        };
        let supposed = || vec![Finding { id: "pmu".to_owned(), ..Finding::default() }];
        let mut findings = supposed();
        refusals(
            &mut findings,
            &[refusal(vec![Event::Cycles, Event::Branches]), refusal(vec![Event::LlcMisses])],
        );
        let ids: Vec<&str> = findings.iter().map(|finding| finding.id.as_str()).collect();
        assert_eq!(ids, ["events", "events_2"]);
        let first = &findings[0];
        for word in ["cycles, branches", "os error 2", "perf_event_paranoid 2", "guest of KVM"] {
            assert!(first.value.contains(word), "{word}: {first:?}");
        }
        assert!(
            first.effect.contains("clock ruler")
                && first.remedy.as_deref().is_some_and(|what| what.contains("pmu=on"))
        );
        let mut findings = supposed();
        refusals(&mut findings, &[refusal(vec![Event::LlcMisses])]);
        assert_eq!(findings.len(), 2, "the PMU is there; one event is not");
    }
}
