//! How does the sampler reach the real machine? Its timer: loops, ruler and gauge on the pinned core.

use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};

use crate::clock::{CycleSource, Gauge, ruler};
use crate::harness::TimedLoop;
use crate::machine::Machine;
use crate::sampling::{Probe, Slice, Timer};
use crate::tsc::PinnedCore;
use crate::units::{Nanos, Ticks};

/// This machine, one pinned core of it.
pub(super) struct Hardware<'a, 'b> {
    loops: Vec<&'a mut (dyn TimedLoop + 'b)>,
    source: &'a mut dyn CycleSource,
    gauge: Gauge,
    core: &'a PinnedCore,
    start: Instant,
    steal: Option<Steal<'a>>,
}

/// The hypervisor's account of this core, looked at now and then: the kernel counts it in hundredths of a second.
struct Steal<'a> {
    machine: &'a Machine,
    last: (Instant, u64),
}

/// How often the stolen time is looked at. Reading it takes some ten microseconds.
const STEAL_EVERY_SECS: f64 = 0.1;

impl<'a, 'b> Hardware<'a, 'b> {
    pub(super) fn new(
        loops: Vec<&'a mut (dyn TimedLoop + 'b)>,
        source: &'a mut dyn CycleSource,
        gauge: Gauge,
        core: &'a PinnedCore,
        machine: &'a Machine,
    ) -> Self {
        let start = Instant::now();
        let steal = machine
            .is_guest()
            .then(|| machine.steal(core.core()))
            .flatten()
            .map(|jiffies| Steal { machine, last: (start, jiffies) });
        Self { loops, source, gauge, core, start, steal }
    }
}

fn involuntary_switches() -> i64 {
    getrusage(UsageWho::RUSAGE_THREAD).map_or(0, |usage| usage.involuntary_context_switches())
}

impl Timer for Hardware<'_, '_> {
    fn now(&mut self) -> Nanos {
        Nanos(self.start.elapsed().as_nanos() as f64)
    }

    fn probe(&mut self) -> Probe {
        Probe { rate: ruler(), gauge: self.gauge.read() }
    }

    fn slice(&mut self, index: usize, iterations: u64) -> Slice {
        let switches = involuntary_switches();
        let before = self.source.read();
        let timed = self.loops[index].run(iterations);
        let after = self.source.read();
        let counted = match (before, after) {
            (Some(before), Some(after)) => Some(after.wrapping_sub(before) as f64),
            _ => None,
        };
        Slice {
            ticks: timed.ticks(),
            counted,
            migrated: timed.core as usize != self.core.core(),
            switched: involuntary_switches() != switches,
        }
    }

    fn stolen(&mut self) -> Option<f64> {
        let steal = self.steal.as_mut()?;
        let elapsed = steal.last.0.elapsed().as_secs_f64();
        if elapsed < STEAL_EVERY_SECS {
            return None;
        }
        let jiffies = steal.machine.steal(self.core.core())?;
        let stolen = jiffies.saturating_sub(steal.last.1) as f64 / JIFFIES_PER_SEC;
        steal.last = (Instant::now(), jiffies);
        Some(stolen / elapsed)
    }
}

/// `USER_HZ`: what `/proc/stat` counts in, 100 on every x86-64 Linux.
const JIFFIES_PER_SEC: f64 = 100.0;

/// What one gauge reading took on the current core, in core cycles by the ruler beside it.
pub(super) fn gauge_cycles(gauge: Gauge, overhead: Ticks) -> f64 {
    let rate = ruler();
    (gauge.read() - overhead).to_cycles(rate).get()
}
