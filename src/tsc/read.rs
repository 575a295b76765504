//! Which instructions read the counter, and what does each fence around them order?

use std::arch::asm;

use crate::units::Ticks;

/// One reading of the time stamp counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp(pub u64);

impl Stamp {
    /// Ticks from an earlier reading to this one; 0 if `earlier` is later, which an invariant counter
    /// read on one core never shows.
    #[inline]
    pub fn since(self, earlier: Stamp) -> Ticks {
        Ticks(self.0.saturating_sub(earlier.0) as f64)
    }
}

/// A timed region: the fence pair's two readings and the core that the second one was made on.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    /// The reading before the region.
    pub start: Stamp,
    /// The reading after the region.
    pub stop: Stamp,
    /// The logical CPU on which the region ended, as RDTSCP told it.
    pub core: u32,
}

impl Timed {
    /// Ticks between the two readings, the fence pair's overhead included.
    #[inline]
    pub fn ticks(&self) -> Ticks {
        self.stop.since(self.start)
    }
}

/// Opens a timed region: `lfence; rdtsc; lfence`.
///
/// The first LFENCE waits until everything before it has completed, so that earlier work is not charged to
/// the region. The second keeps the region's instructions from starting before the counter is read. (Intel
/// SDM volume 2, RDTSC and LFENCE; AMD64 APM volume 3, LFENCE, where it is dispatch-serializing.)
///
/// On a CPU whose LFENCE does not serialize, the readings are still readings, but the region's borders
/// are blurred by what the core has in flight; `machine` says which kind this CPU is.
#[inline(always)]
pub fn fenced_start() -> Stamp {
    let (low, high): (u32, u32);
    // SAFETY: LFENCE and RDTSC exist on every x86-64 CPU, touch no memory and only write EDX:EAX, which are
    // declared. `nomem` is left out on purpose: the compiler must not move memory accesses across the
    // borders of the region. RDTSC may be forbidden by prctl(PR_SET_TSC), which kills the process by a
    // signal and cannot break memory safety.
    unsafe {
        asm!(
            "lfence",
            "rdtsc",
            "lfence",
            out("eax") low,
            out("edx") high,
            options(nostack, preserves_flags),
        );
    }
    Stamp(u64::from(high) << 32 | u64::from(low))
}

/// Closes a timed region: `rdtscp; lfence`. Gives the reading and the logical CPU.
///
/// RDTSCP waits until all earlier instructions have executed, so the region's work is inside; the LFENCE
/// keeps later instructions from starting before the counter is read. Linux puts the CPU number into the
/// low 12 bits of `IA32_TSC_AUX` and the NUMA node above them.
#[inline(always)]
pub fn fenced_stop() -> (Stamp, u32) {
    let (low, high, aux): (u32, u32, u32);
    // SAFETY: as for `fenced_start`; RDTSCP also writes ECX, which is declared. Whoever times holds an
    // `InvariantTsc` or has asked `machine`, which both refuse CPUs without RDTSCP.
    unsafe {
        asm!(
            "rdtscp",
            "lfence",
            out("eax") low,
            out("edx") high,
            out("ecx") aux,
            options(nostack, preserves_flags),
        );
    }
    (Stamp(u64::from(high) << 32 | u64::from(low)), aux & 0xfff)
}

/// One bare RDTSC without a fence: what much code on the web uses. It orders nothing; here it serves to find
/// the counter's step and to be compared with the fenced pair.
#[inline(always)]
pub fn unfenced() -> Stamp {
    let (low, high): (u32, u32);
    // SAFETY: RDTSC writes EDX:EAX only, which are declared, and touches no memory.
    unsafe {
        asm!("rdtsc", out("eax") low, out("edx") high, options(nomem, nostack, preserves_flags));
    }
    Stamp(u64::from(high) << 32 | u64::from(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_on_one_thread_do_not_run_backwards() {
        for _ in 0..10_000 {
            let start = fenced_start();
            let (stop, _) = fenced_stop();
            assert!(stop >= start, "{start:?} then {stop:?}");
        }
    }

    #[test]
    fn a_later_start_gives_zero_and_not_a_huge_span() {
        assert_eq!(Stamp(5).since(Stamp(9)), Ticks(0.0));
    }
}
