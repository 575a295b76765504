//! Is the core ours alone at this moment? A kernel bound by nothing but issue slots: it slows down as soon
//! as a sibling hyperthread takes some.
//!
//! A dependency chain hardly notices a busy sibling, because it leaves most issue slots empty; a kernel that wants
//! them all reads half speed or worse. So the gauge tells what a chain cannot.

use std::arch::asm;

use crate::tsc::{fenced_start, fenced_stop};
use crate::units::{Cycles, Ticks};

/// NOPs in one reading of the gauge.
pub const GAUGE_NOPS: u64 = BODY * ROUNDS;

/// NOPs of the unrolled body. A taken branch ends an issue group on many cores, which costs up to a cycle a round: 1 % of
/// a round of 480 NOPs at six a cycle.
const BODY: u64 = 480;
const ROUNDS: u64 = 75;

/// One reading of the gauge, the fence pair's overhead included: about 6,000 core cycles (two microseconds) on
/// a core that issues six a cycle.
///
/// The NOPs are two bytes long (`66 90`): so many one-byte NOPs do not fit the micro-op cache of Skylake and Ice
/// Lake, whose lines hold at most 18 micro-ops for 32 bytes of code, and the decoders would be measured instead.
#[inline(never)]
pub fn gauge() -> Ticks {
    let start = fenced_start();
    // SAFETY: the loop writes one declared register and the flags, touches no memory and no stack, and ends
    // after ROUNDS rounds.
    unsafe {
        asm!(
            ".p2align 6",
            "2:",
            ".rept 480",
            ".byte 0x66, 0x90",
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
