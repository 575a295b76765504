//! How would this machine behave? A simulated one, seeded, for testing what decides and believes: bursts of contention, a clock that
//! wanders and jumps, interrupts, a counter that advances in steps, kernels with two modes or a trend.
//!
//! Its truth is known, which no real machine's is: tests hold estimates and intervals against it.

use super::timer::{Probe, Slice, Timer};
use crate::clock::GAUGE_NOPS;
use crate::units::{Nanos, Ticks, TicksPerCycle};

/// How the simulated machine behaves.
#[derive(Clone, Debug, PartialEq)]
pub struct Behaviour {
    /// Ticks a microsecond.
    pub ticks_per_usec: f64,
    /// Increment in which the counter advances, in ticks.
    pub step: f64,
    /// Ticks a core cycle, on average.
    pub rate: f64,
    /// How far the rate wanders over some ten milliseconds, as a share.
    pub wander: f64,
    /// Sudden changes of the clock by up to 8 %, a second.
    pub jumps_per_sec: f64,
    /// Share of the time in which a sibling competes.
    pub contended: f64,
    /// How long a burst of competition lasts on average, in microseconds.
    pub burst_usec: f64,
    /// Interrupts a second, each of 1 to 9 microseconds.
    pub interrupts_per_sec: f64,
    /// Times a second that the thread is switched out, for 1 to 4 ms.
    pub switches_per_sec: f64,
    /// NOPs a cycle that the core issues while it is alone.
    pub width: f64,
    /// Standard deviation of what a fence pair adds, in ticks.
    pub fence_noise: f64,
}

impl Default for Behaviour {
    /// A quiet machine with a fine counter.
    fn default() -> Self {
        Self {
            ticks_per_usec: 2300.0,
            step: 2.0,
            rate: 0.77,
            wander: 0.002,
            jumps_per_sec: 0.0,
            contended: 0.0,
            burst_usec: 150.0,
            interrupts_per_sec: 250.0,
            switches_per_sec: 0.0,
            width: 6.0,
            fence_noise: 4.0,
        }
    }
}

/// A loop whose cost is known.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedLoop {
    /// Core cycles an iteration.
    pub cycles: Cost,
    /// How much of the gauge's slowdown it suffers under competition: 0 for a chain, 1 for what wants every issue slot.
    pub sensitivity: f64,
    /// How much slower the gauge is right after it (256-bit kernels on some cores), as a share.
    pub aftermath: f64,
}

/// What an iteration costs.
#[derive(Clone, Debug, PartialEq)]
pub enum Cost {
    /// Always the same.
    Constant(f64),
    /// Each slice is in one of two modes; `share` is that of the second.
    Bimodal {
        /// Cycles in the first mode.
        first: f64,
        /// Cycles in the second mode.
        second: f64,
        /// Share of slices in the second.
        share: f64,
    },
    /// Grows from slice to slice.
    Trending {
        /// Cycles at first.
        start: f64,
        /// Share added over a thousand slices.
        per_thousand: f64,
    },
    /// Grows with the time that has passed on the machine, whatever runs.
    Slowing {
        /// Cycles at first.
        start: f64,
        /// Share added over a second.
        per_sec: f64,
    },
}

/// A machine that follows a [`Behaviour`].
#[derive(Clone, Debug)]
pub struct SimulatedMachine {
    behaviour: Behaviour,
    loops: Vec<SimulatedLoop>,
    slices: Vec<u64>,
    random: oorandom::Rand64,
    /// Ticks since the start.
    time: f64,
    /// Slowdown of what wants every issue slot: 1 while alone.
    slowdown: f64,
    burst_ends: f64,
    next_interrupt: f64,
    next_switch: f64,
    next_jump: f64,
    jumped: f64,
    walk: f64,
    aftermath: f64,
    switched: bool,
}

const OVERHEAD: f64 = 50.0;

impl SimulatedMachine {
    /// A machine that behaves like `behaviour`, differently for each `seed`.
    pub fn new(behaviour: Behaviour, loops: Vec<SimulatedLoop>, seed: u64) -> Self {
        let mut machine = Self {
            slices: vec![0; loops.len()],
            behaviour,
            loops,
            random: oorandom::Rand64::new(u128::from(seed) ^ 0x5eed_f00d),
            time: 1e6,
            slowdown: 1.0,
            burst_ends: 0.0,
            next_interrupt: 0.0,
            next_switch: 0.0,
            next_jump: 0.0,
            jumped: 1.0,
            walk: 0.0,
            aftermath: 0.0,
            switched: false,
        };
        let second = machine.behaviour.ticks_per_usec * 1e6;
        machine.next_interrupt = machine.after(second / machine.behaviour.interrupts_per_sec);
        machine.next_switch = machine.after(second / machine.behaviour.switches_per_sec);
        machine.next_jump = machine.after(second / machine.behaviour.jumps_per_sec);
        machine
    }

    /// What a fence pair costs around nothing.
    pub fn overhead(&self) -> Ticks {
        Ticks(OVERHEAD)
    }

    /// The true cycles an iteration of a constant loop.
    pub fn truth(&self, index: usize) -> Option<f64> {
        match self.loops.get(index)?.cycles {
            Cost::Constant(cycles) => Some(cycles),
            _ => None,
        }
    }

    fn uniform(&mut self) -> f64 {
        self.random.rand_float()
    }

    /// The moment after an exponentially distributed wait; never, for an infinite mean.
    fn after(&mut self, mean: f64) -> f64 {
        if mean.is_finite() { self.time - mean * (1.0 - self.uniform()).ln() } else { f64::INFINITY }
    }

    fn normal(&mut self) -> f64 {
        let (one, two) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * one.ln()).sqrt() * (std::f64::consts::TAU * two).cos()
    }

    fn rate(&self) -> f64 {
        let slow = (self.time / (self.behaviour.ticks_per_usec * 9e3)).sin();
        self.behaviour.rate * self.jumped * (1.0 + self.behaviour.wander * slow + self.walk)
    }

    /// Lets `cycles` of work pass, slowed by `sensitivity` to competition, through whatever happens meanwhile.
    fn work(&mut self, cycles: f64, sensitivity: f64) {
        let mut left = cycles;
        while left > 0.0 {
            self.events();
            let ticks_per_cycle = self.rate() * (1.0 + sensitivity * (self.slowdown - 1.0));
            let next = self.burst_ends.min(self.next_interrupt).min(self.next_switch).min(self.next_jump);
            let until = (next - self.time) / ticks_per_cycle;
            if left <= until {
                self.time += left * ticks_per_cycle;
                left = 0.0;
            } else {
                self.time = next;
                left -= until.max(0.0);
            }
        }
    }

    fn events(&mut self) {
        let usec = self.behaviour.ticks_per_usec;
        if self.time >= self.burst_ends {
            // Alternates between bursts and quiet in such a way that the shares come out right.
            let busy = self.slowdown > 1.0;
            let share = self.behaviour.contended;
            let (next_busy, mean) = if share <= 0.0 {
                (false, f64::INFINITY)
            } else if share >= 1.0 {
                (true, self.behaviour.burst_usec)
            } else if busy {
                (false, self.behaviour.burst_usec * (1.0 - share) / share)
            } else {
                (true, self.behaviour.burst_usec)
            };
            self.slowdown = if next_busy { 1.15 + 1.1 * self.uniform() } else { 1.0 };
            self.burst_ends = self.after(mean * usec);
        }
        if self.time >= self.next_interrupt {
            self.time += (1.0 + 8.0 * self.uniform()) * usec;
            self.next_interrupt = self.after(usec * 1e6 / self.behaviour.interrupts_per_sec);
        }
        if self.time >= self.next_switch {
            self.time += (1.0 + 3.0 * self.uniform()) * 1e3 * usec;
            self.next_switch = self.after(usec * 1e6 / self.behaviour.switches_per_sec);
            self.switched = true;
        }
        if self.time >= self.next_jump {
            self.jumped = 0.92 + 0.16 * self.uniform();
            self.next_jump = self.after(usec * 1e6 / self.behaviour.jumps_per_sec);
        }
    }

    /// The counter as it reads now.
    fn read(&self) -> f64 {
        (self.time / self.behaviour.step).floor() * self.behaviour.step
    }

    /// `cycles` of work between a fence pair, in ticks as the counter tells them.
    fn timed(&mut self, cycles: f64, sensitivity: f64) -> f64 {
        let start = self.read();
        self.time += OVERHEAD + (self.normal() * self.behaviour.fence_noise).max(-OVERHEAD / 2.0);
        self.work(cycles, sensitivity);
        let ticks = self.read() - start;
        // What lies between two timed regions.
        self.time += 40.0 + 20.0 * self.uniform();
        ticks
    }
}

impl Timer for SimulatedMachine {
    fn now(&mut self) -> Nanos {
        Nanos(self.time / self.behaviour.ticks_per_usec * 1e3)
    }

    fn probe(&mut self) -> Probe {
        self.walk = (self.walk + self.normal() * self.behaviour.wander * 0.02) * 0.995;
        let short = self.timed(512.0, 0.01);
        let long = self.timed(17.0 * 512.0, 0.01);
        let nops = GAUGE_NOPS as f64 / self.behaviour.width * (1.0 + self.aftermath);
        let gauge = Ticks(self.timed(nops, 1.0));
        Probe { rate: TicksPerCycle((long - short) / 8192.0), gauge }
    }

    fn slice(&mut self, index: usize, iterations: u64) -> Slice {
        self.switched = false;
        let SimulatedLoop { cycles, sensitivity, aftermath } = self.loops[index].clone();
        self.slices[index] += 1;
        let each = match cycles {
            Cost::Constant(cycles) => cycles,
            Cost::Bimodal { first, second, share } => {
                if self.uniform() < share {
                    second
                } else {
                    first
                }
            }
            Cost::Trending { start, per_thousand } => {
                start * (1.0 + per_thousand * self.slices[index] as f64 / 1000.0)
            }
            Cost::Slowing { start, per_sec } => {
                start * (1.0 + per_sec * self.time / self.behaviour.ticks_per_usec / 1e6)
            }
        };
        // Entering and leaving the loop costs some cycles that no iteration count changes.
        let ticks = self.timed(each * iterations as f64 + 18.0, sensitivity);
        self.aftermath = aftermath;
        Slice { ticks: Ticks(ticks), counted: None, migrated: false, switched: self.switched }
    }
}
