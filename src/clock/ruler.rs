//! How many ticks does one core cycle last right now? A dependency chain whose length in core cycles is known.
//!
//! A chain of `add r64, r64` between distinct registers takes one cycle a link on every x86-64 core (Agner
//! Fog, instruction tables; uops.info). An immediate would not do: Golden Cove adds small immediates while
//! renaming, five of them a cycle. `imul r64, r64` takes three on Intel since Nehalem and on all Zen, and
//! serves as the cross-check: two chains of different kind must agree on what a cycle is.

use std::arch::asm;

use crate::tsc::{Timed, fenced_start, fenced_stop};
use crate::units::TicksPerCycle;

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

/// How far the imul chain may be off before the ruler is not believed. The two chains run a few microseconds
/// apart, and the clock of a shared machine moves by half a per cent meanwhile.
const TOLERANCE: f64 = 0.02;

/// Measures both chains side by side, many times, and compares the medians; repeats while they disagree, since
/// a burst of interrupts can spoil one round. `imul_latency` is the published latency of this CPU's multiply.
pub fn check(imul_latency: f64) -> RulerCheck {
    const ROUNDS: usize = 4;
    const PAIRS: usize = 61;
    let mut nearest = RulerCheck { add: 1.0, imul: f64::NAN, agrees: false };
    for _ in 0..ROUNDS {
        let mut ratios = [0.0; PAIRS];
        for ratio in &mut ratios {
            let before = ruler().0;
            let imul = imul_link();
            let after = ruler().0;
            *ratio = imul / ((before + after) / 2.0);
        }
        ratios.sort_by(f64::total_cmp);
        let imul = ratios[PAIRS / 2];
        let off = |imul: f64| (imul / imul_latency - 1.0).abs();
        if nearest.imul.is_nan() || off(imul) < off(nearest.imul) {
            nearest = RulerCheck { add: 1.0, imul, agrees: off(imul) <= TOLERANCE };
        }
        if nearest.agrees {
            break;
        }
    }
    nearest
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
