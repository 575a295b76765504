//! Is the core ours alone at this moment? A kernel bound by nothing but issue slots: it slows down as soon
//! as a sibling hyperthread takes some.
//!
//! A dependency chain hardly notices a busy sibling, because it leaves most issue slots empty; a kernel that wants
//! them all reads half speed or worse. So the gauge tells what a chain cannot.

use std::arch::asm;

use super::ruler::ruler;
use crate::order;
use crate::tsc::{fenced_start, fenced_stop};
use crate::units::{Cycles, Ticks};

/// NOPs in one reading of the gauge.
pub const GAUGE_NOPS: u64 = BODY * ROUNDS;

/// NOPs of the unrolled body. A taken branch ends an issue group on many cores, which costs up to a cycle a round: 1 % of
/// a round of 480 NOPs at six a cycle.
const BODY: u64 = 480;
const ROUNDS: u64 = 75;

/// How long the gauge's NOPs are. Which of them a core issues at its full width, and steadily, differs: so many one-byte NOPs
/// fit no micro-op cache of Skylake or Ice Lake (18 micro-ops for 32 bytes of code); of four-byte ones Ice Lake may deliver only
/// four a cycle (its lines hold six, and eight lie in 32 bytes); and two-byte ones change between 6 and 5.7 a cycle on
/// Raptor Cove from one reading to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gauge {
    /// `66 90`.
    TwoBytes,
    /// `0F 1F 40 00`.
    FourBytes,
}

macro_rules! nops {
    ($name:ident, $bytes:literal) => {
        #[inline(never)]
        fn $name() -> Ticks {
            let start = fenced_start();
            // SAFETY: the loop writes one declared register and the flags, touches no memory (a NOP's operand is not read)
            // and no stack, and ends after ROUNDS rounds.
            unsafe {
                asm!(
                    ".p2align 6",
                    "2:",
                    ".rept 480",
                    $bytes,
                    ".endr",
                    "dec {rounds}",
                    "jnz 2b",
                    rounds = inout(reg) ROUNDS => _,
                    options(nomem, nostack),
                );
            }
            let (stop, _) = fenced_stop();
            stop.since(start)
        }
    };
}

nops!(two_bytes, ".byte 0x66, 0x90");
nops!(four_bytes, ".byte 0x0f, 0x1f, 0x40, 0x00");

impl Gauge {
    /// One reading, the fence pair's overhead included: about 6,000 core cycles (two microseconds) on a core that issues
    /// six a cycle.
    #[inline]
    pub fn read(self) -> Ticks {
        match self {
            Gauge::TwoBytes => two_bytes(),
            Gauge::FourBytes => four_bytes(),
        }
    }

    /// The one that reads its best most often on the current core, and the NOPs a cycle that it read then. Goes on for some tens of
    /// milliseconds until one of them has shown its best often enough; `alone` is what a core of this design issues while it is
    /// alone, in NOPs a cycle, if known.
    pub fn choose(alone: Option<u8>) -> (Self, f64) {
        const READINGS: usize = 50;
        const ROUNDS: usize = 60;
        const ENOUGH: usize = 30;
        let mut both = [const { Vec::new() }; 2];
        for _ in 0..ROUNDS {
            for _ in 0..READINGS {
                for (readings, gauge) in both.iter_mut().zip([Gauge::TwoBytes, Gauge::FourBytes]) {
                    readings.push(gauge.read() / Ticks(ruler().0));
                }
            }
            let near = near_the_best(&both, alone);
            if near[0].max(near[1]) >= ENOUGH {
                break;
            }
        }
        let near = near_the_best(&both, alone);
        // Where neither was ever at its best, the one that is steadier where both were compared.
        let (chosen, readings) =
            if near[0] > near[1] { (Gauge::TwoBytes, &both[0]) } else { (Gauge::FourBytes, &both[1]) };
        (chosen, nops_per_cycle(Cycles(low(readings))))
    }
}

/// Whether a core that issued `seen` NOPs a cycle is none of a design that issues `published`. Designs differ by a sixth at the least;
/// a reading whose ruler was disturbed does not come near that.
///
/// ```
/// use fencepost::clock::outruns;
/// assert!(outruns(6.0, 5.0) && !outruns(6.1, 6.0));
/// ```
pub fn outruns(seen: f64, published: f64) -> bool {
    seen > 1.1 * published
}

/// How many readings of each (in core cycles) are near the best: what a core that is `alone` takes, or else (also where it
/// cannot be of that design) the best of both.
fn near_the_best(both: &[Vec<f64>; 2], alone: Option<u8>) -> [usize; 2] {
    const NEAR: f64 = 1.025;
    const TOO_GOOD: f64 = 0.97;
    let seen = low(&both[0]).min(low(&both[1]));
    let best = match alone.map(f64::from) {
        Some(nops) if !outruns(nops_per_cycle(Cycles(seen)), nops) => GAUGE_NOPS as f64 / nops,
        _ => seen,
    };
    [0, 1].map(|at| {
        both[at].iter().filter(|reading| (best * TOO_GOOD..=best * NEAR).contains(*reading)).count()
    })
}

/// The best of these readings, but not the very least, whose ruler an interrupt may have spoilt.
fn low(readings: &[f64]) -> f64 {
    let mut sorted = readings.to_vec();
    order::sort(&mut sorted);
    sorted.get(sorted.len() / 50).copied().unwrap_or(f64::INFINITY)
}

/// The issue rate that a gauge reading of `cycles` (overhead taken off) stands for, in NOPs a core cycle.
///
/// ```
/// use fencepost::clock::{GAUGE_NOPS, nops_per_cycle};
/// use fencepost::units::Cycles;
/// assert_eq!(nops_per_cycle(Cycles(GAUGE_NOPS as f64 / 6.0)), 6.0);
/// ```
pub fn nops_per_cycle(cycles: Cycles) -> f64 {
    GAUGE_NOPS as f64 / cycles.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gauge_that_is_at_its_best_more_often_is_chosen() {
        let changing: Vec<f64> = (0..150).map(|at| if at % 3 == 0 { 6000.0 } else { 6300.0 }).collect();
        let steady: Vec<f64> = (0..150).map(|at| if at % 10 == 0 { 9000.0 } else { 6010.0 }).collect();
        let narrow = vec![9000.0; 150];
        for alone in [None, Some(6)] {
            assert_eq!(near_the_best(&[changing.clone(), steady.clone()], alone), [50, 135]);
            assert_eq!(near_the_best(&[changing.clone(), narrow.clone()], alone), [50, 0]);
        }
        assert_eq!(near_the_best(&[Vec::new(), Vec::new()], None), [0, 0]);
        // Six a cycle are more than a core that issues four can do: it is another one.
        assert_eq!(near_the_best(&[changing.clone(), steady.clone()], Some(4)), [50, 135]);
        // With the rate known, what is steady but slow is not taken for the best.
        assert_eq!(near_the_best(&[vec![6350.0; 99], vec![8000.0; 99]], Some(6)), [0, 0]);
    }
}
