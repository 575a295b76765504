//! How many ticks does one core cycle last right now? A dependency chain whose length in core cycles is known.
//!
//! A chain of `add r64, r64` between distinct registers takes one cycle a link on every x86-64 core (Agner
//! Fog, instruction tables; uops.info). An immediate would not do: Golden Cove adds small immediates while
//! renaming, five of them a cycle. `imul r64, r64` takes three on Intel since Nehalem and on Zen 2 and later, and
//! serves as the cross-check: two chains of different kind must agree on what a cycle is.

use std::arch::asm;
use std::time::Duration;

use crate::order;
use crate::tsc::{Timed, fenced_start, fenced_stop};
use crate::units::TicksPerCycle;

use super::gauge::Gauge;

/// Links of the unrolled body: long, so that the closing branch and loop buffers do not matter.
const BODY: u64 = 512;
/// Rounds of the short and of the long chain; what is fixed cancels in their difference.
const SHORT: u64 = 1;
const LONG: u64 = 17;

/// One reading of the ruler: ticks per core cycle over some 8,000 cycles (a few microseconds).
///
/// An interrupt inside it gives a wrong value of either sign; callers hold several readings against each other.
#[inline]
pub fn ruler() -> TicksPerCycle {
    let short = add_chain(SHORT).ticks().get();
    let long = add_chain(LONG).ticks().get();
    TicksPerCycle((long - short) / ((LONG - SHORT) * BODY) as f64)
}

/// What the cross-check of the ruler found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RulerCheck {
    /// Cycles a link of the add chain: 1 by definition while the ruler is the only source; what the counter said
    /// where there is one.
    pub add: f64,
    /// Cycles a link of the imul chain, by the ruler.
    pub imul: f64,
    /// Whether the imul chain reads what is published for this CPU within the tolerance. If not, no core cycles are claimed.
    pub agrees: bool,
}

/// How far the imul chain may be off before the ruler is not believed. A core on which the chains are not what they are
/// taken for is off by a third or more; a busy sibling delays single additions and moves the ratio by two per cent.
const TOLERANCE: f64 = 0.04;

/// Measures both chains side by side, many times, and takes the median ratio of the tenth of the readings that stood beside
/// the best gauges. `published` is the latency of this CPU's multiply, if known; else any whole number of cycles from 3 to 6, as
/// x86-64 cores have, will do. Where they disagree it is tried again, a little later: what disturbs is over by then, and a core
/// whose chains are others stays off.
pub fn check(published: Option<u8>, gauge: Gauge) -> RulerCheck {
    const TRIES: usize = 5;
    const PAUSE: Duration = Duration::from_millis(10);
    let mut found = check_once(published, gauge);
    for _ in 1..TRIES {
        if found.agrees {
            break;
        }
        std::thread::sleep(PAUSE);
        found = check_once(published, gauge);
    }
    found
}

fn check_once(published: Option<u8>, gauge: Gauge) -> RulerCheck {
    const READINGS: usize = 400;
    let mut readings = Vec::with_capacity(READINGS);
    let mut gauge_before = gauge.read();
    for _ in 0..READINGS {
        let before = ruler().0;
        let imul = imul_link();
        let after = ruler().0;
        let gauge_after = gauge.read();
        readings.push(Reading { before, imul, after, gauge: gauge_before.max(gauge_after).get() });
        gauge_before = gauge_after;
    }
    conclude(&readings, published)
}

/// An imul chain between two rulers, and the slower of the two gauges around them, all in ticks.
#[derive(Clone, Copy)]
struct Reading {
    before: f64,
    imul: f64,
    after: f64,
    gauge: f64,
}

fn conclude(readings: &[Reading], published: Option<u8>) -> RulerCheck {
    /// Rulers that differ by more were interrupted; so was one that is that far from what most say.
    const ALIKE: f64 = 0.02;
    const USUAL: f64 = 0.25;
    let mut rates: Vec<f64> = readings.iter().map(|one| one.before).filter(|rate| rate.is_finite()).collect();
    order::sort(&mut rates);
    let usual = rates.get(rates.len() / 2).copied().unwrap_or(f64::NAN);
    let near = |one: f64, other: f64, most: f64| (one / other - 1.0).abs() <= most;
    let mut sound: Vec<&Reading> = readings
        .iter()
        .filter(|one| near(one.before, one.after, ALIKE) && near(one.before, usual, USUAL))
        .collect();
    // In ticks, not in cycles: a gauge must not look good because its ruler was interrupted.
    sound = order::by(sound, &|one, other| one.gauge.total_cmp(&other.gauge));
    let best = sound.len().div_ceil(10).max(5).min(sound.len());
    let mut ratios: Vec<f64> =
        sound[..best].iter().map(|one| one.imul / ((one.before + one.after) / 2.0)).collect();
    order::sort(&mut ratios);
    let imul = ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN);
    let expected = published.map_or_else(|| imul.round().clamp(3.0, 6.0), f64::from);
    RulerCheck { add: 1.0, imul, agrees: near(imul, expected, TOLERANCE) }
}

/// Ticks a link of the imul chain.
fn imul_link() -> f64 {
    let short = imul_chain(1).ticks().get();
    let long = imul_chain(9).ticks().get();
    (long - short) / (8 * IMUL_BODY) as f64
}

const IMUL_BODY: u64 = 256;

/// `rounds * BODY` dependent additions between a fence pair.
#[inline(never)]
pub(super) fn add_chain(rounds: u64) -> Timed {
    let start = fenced_start();
    // SAFETY: the loop writes only the two declared registers and the flags, reads a third, touches no memory and
    // no stack, and ends because `rounds` is at least 1 at every call in this file.
    unsafe {
        asm!(
            ".p2align 6",
            "2:",
            ".rept 512",
            "add {chain}, {addend}",
            ".endr",
            "dec {rounds}",
            "jnz 2b",
            rounds = inout(reg) rounds.max(1) => _,
            chain = inout(reg) 1u64 => _,
            addend = in(reg) 3u64,
            options(nomem, nostack),
        );
    }
    let (stop, core) = fenced_stop();
    Timed { start, stop, core }
}

/// `rounds * IMUL_BODY` dependent multiplications between a fence pair.
#[inline(never)]
fn imul_chain(rounds: u64) -> Timed {
    let start = fenced_start();
    // SAFETY: as for `add_chain`.
    unsafe {
        asm!(
            ".p2align 6",
            "2:",
            ".rept 256",
            "imul {chain}, {factor}",
            ".endr",
            "dec {rounds}",
            "jnz 2b",
            rounds = inout(reg) rounds.max(1) => _,
            chain = inout(reg) 3u64 => _,
            factor = in(reg) 5u64,
            options(nomem, nostack),
        );
    }
    let (stop, core) = fenced_stop();
    Timed { start, stop, core }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tenth of the readings is quiet, at `imul` cycles a link; the others read 5 % short.
    fn readings(imul: f64) -> Vec<Reading> {
        let reading = |gauge, imul| Reading { before: 0.8, imul: 0.8 * imul, after: 0.8, gauge };
        (0..400).map(|at| if at % 10 == 0 { reading(4800.0, imul) } else { reading(7200.0, 2.85) }).collect()
    }

    #[test]
    fn contended_readings_do_not_decide_and_a_wrong_ruler_is_found_out() {
        let check = conclude(&readings(3.001), Some(3));
        assert!(check.agrees && (check.imul - 3.001).abs() < 1e-9, "{check:?}");
        assert!(!conclude(&readings(4.0), Some(3)).agrees);
        assert!(!conclude(&readings(f64::NAN), Some(3)).agrees);
        assert!(!conclude(&[], Some(3)).agrees);
        assert!(conclude(&readings(4.99), None).agrees);
        assert!(!conclude(&readings(4.5), None).agrees && !conclude(&readings(15.0), None).agrees);
    }

    #[test]
    fn interrupted_rulers_do_not_decide_either() {
        let mut readings = readings(3.0);
        for (at, one) in readings.iter_mut().enumerate() {
            match at % 7 {
                // One ruler, both rulers, the chain itself and a gauge: each interrupted for some microseconds.
                0 => one.after *= 5.0,
                1 => (one.before, one.after) = (4.0, 4.01),
                2 => one.imul *= 4.0,
                3 => one.gauge *= 3.0,
                _ => {}
            }
        }
        let check = conclude(&readings, Some(3));
        assert!(check.agrees && (check.imul - 3.0).abs() < 1e-9, "{check:?}");
    }

    #[test]
    fn a_reading_is_a_rate_that_a_core_can_have() {
        let mut rates: Vec<f64> = (0..101).map(|_| ruler().0).collect();
        order::sort(&mut rates);
        // From a counter a fifth as fast as the core to one five times as fast.
        assert!(rates[50] > 0.2 && rates[50] < 5.0, "{rates:?}");
    }
}
