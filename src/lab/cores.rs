//! Which core is the quietest? The gauge on every allowed core, in turns.

use super::hardware::gauge_cycles;
use crate::clock::Gauge;
use crate::error::Result;
use crate::machine::Machine;
use crate::order;
use crate::tsc::{FencePair, PinnedCore, calibrate};

/// What one core's gauge had to say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoreQuiet {
    /// The logical CPU.
    pub core: usize,
    /// Share of its gauges that were as good as its best, 0 to 1.
    pub quiet: f64,
}

/// More cores than this are not looked at: each costs some milliseconds, and on a large machine one of a sample is quiet.
const MOST: usize = 16;
/// Turns around the cores, so that a burst does not decide for or against one.
const TURNS: usize = 3;
/// Gauge readings a turn: a millisecond or so.
const READINGS: usize = 150;
/// As good as the best.
const TOLERANCE: f64 = 0.02;

/// The share of quiet gauges of each of `cores`, quietest first. Quiet is what the best of all cores of the same type reads:
/// held against its own best, a core that is never alone would look steady and so quiet.
pub(super) fn survey(cores: &[usize], machine: &Machine, gauge: Gauge) -> Result<Vec<CoreQuiet>> {
    let stride = cores.len().div_ceil(MOST).max(1);
    let chosen: Vec<usize> = cores.iter().copied().step_by(stride).collect();
    let Some(first) = chosen.first() else { return Ok(Vec::new()) };
    survey_from(&mut PinnedCore::pin(*first)?, &chosen, machine, gauge)
}

/// As [`survey`], by a thread that is pinned already; it is left on the last core that was looked at.
pub(super) fn survey_from(
    pinned: &mut PinnedCore,
    cores: &[usize],
    machine: &Machine,
    gauge: Gauge,
) -> Result<Vec<CoreQuiet>> {
    let mut gauges: Vec<Vec<f64>> = vec![Vec::with_capacity(TURNS * READINGS); cores.len()];
    for _ in 0..TURNS {
        for (core, gauges) in cores.iter().zip(&mut gauges) {
            pinned.move_to(*core)?;
            let FencePair { median, .. } = calibrate(pinned);
            gauges
                .extend((0..READINGS).map(|_| gauge_cycles(gauge, median)).filter(|gauge| gauge.is_finite()));
        }
    }
    let types: Vec<_> = cores.iter().map(|core| machine.core_type(*core)).collect();
    Ok(rank(cores, &types, gauges))
}

fn rank<T: PartialEq>(cores: &[usize], types: &[T], mut gauges: Vec<Vec<f64>>) -> Vec<CoreQuiet> {
    let best: Vec<f64> = gauges
        .iter_mut()
        .map(|gauges| {
            order::sort(gauges);
            // Not the very best: its ruler may have been spoilt by an interrupt.
            gauges.get(gauges.len() / 50).copied().unwrap_or(f64::INFINITY)
        })
        .collect();
    let ranked: Vec<CoreQuiet> = cores
        .iter()
        .zip(types)
        .zip(&gauges)
        .map(|((core, own), gauges)| {
            let alike = types.iter().zip(&best).filter(|(other, _)| *other == own);
            let best = alike.map(|(_, best)| *best).fold(f64::INFINITY, f64::min);
            let quiet = gauges.iter().filter(|gauge| **gauge <= best * (1.0 + TOLERANCE)).count();
            CoreQuiet { core: *core, quiet: quiet as f64 / gauges.len().max(1) as f64 }
        })
        .collect();
    order::by(ranked, &|one, other| other.quiet.total_cmp(&one.quiet))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_that_is_never_alone_is_not_taken_for_a_quiet_one() {
        let busy_but_steady = vec![9000.0; 450];
        let sometimes_quiet: Vec<f64> =
            (0..450).map(|at| if at % 10 == 0 { 6000.0 } else { 9500.0 }).collect();
        let ranked = rank(&[0, 1], &[None::<()>, None], vec![busy_but_steady, sometimes_quiet]);
        assert_eq!(ranked[0], CoreQuiet { core: 1, quiet: 0.1 });
        assert_eq!(ranked[1].quiet, 0.0);
    }

    #[test]
    fn cores_of_another_type_are_held_against_their_own_kind() {
        let performance: Vec<f64> = (0..450).map(|at| if at % 2 == 0 { 6000.0 } else { 9000.0 }).collect();
        let efficiency = vec![7200.0; 450];
        let ranked = rank(&[0, 8], &["P", "E"], vec![performance, efficiency]);
        assert_eq!((ranked[0].core, ranked[0].quiet), (8, 1.0));
        assert_eq!((ranked[1].core, ranked[1].quiet), (0, 0.5));
    }

    #[test]
    fn cores_without_a_reading_come_last() {
        let ranked = rank(&[0, 1], &[(), ()], vec![Vec::new(), vec![6000.0; 10]]);
        assert_eq!(ranked[0].core, 1);
    }
}
