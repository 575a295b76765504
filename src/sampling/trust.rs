//! May this sample be believed? Labels from what stood beside a slice, never from the slice's own time: to choose samples by
//! their outcome would be the very bias that they are meant to remove.

use std::fmt;

use super::timer::{Probe, Slice};
use crate::clock::{GAUGE_NOPS, nops_per_cycle, outruns};
use crate::order;
use crate::units::{Cycles, Ticks, TicksPerCycle};

/// The trust label of one sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// Nothing beside it speaks against it.
    Clean,
    /// A neighbouring gauge was slow: a sibling hyperthread had issue slots.
    Contended,
    /// The two neighbouring rulers disagree: the clock changed under the slice.
    Drifted,
    /// The thread was switched out, or the hypervisor took the core.
    Interrupted,
    /// The slice ended on another core.
    Migrated,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Label::Clean => "clean",
            Label::Contended => "contended",
            Label::Drifted => "drifted",
            Label::Interrupted => "interrupted",
            Label::Migrated => "migrated",
        })
    }
}

/// How slow a gauge may be against the best one before its slice counts as contended.
pub const GAUGE_TOLERANCE: f64 = 0.02;
/// How far two neighbouring rulers may disagree, the counter's step apart.
const DRIFT_TOLERANCE: f64 = 0.01;
/// How much slower the best gauge after one kernel may be than the best of all, and still be taken as what that kernel
/// leaves behind (256-bit kernels on Zen 3: 5 %) and not as contention.
const AFTERMATH: f64 = 0.08;
/// How far the best gauge may be from a whole number of issue slots a cycle before it cannot have been a quiet one.
const WIDTH_TOLERANCE: f64 = 0.035;
/// Readings on each side that smooth a ruler: five span some 150 microseconds.
const SMOOTHING: usize = 2;

/// The probes of a run, made comparable: rates smoothed, gauges in core cycles.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    raw: Vec<f64>,
    rates: Vec<f64>,
    gauges: Vec<f64>,
}

impl Frame {
    /// Smooths the rulers by a running mean without the extremes, which forgets a reading that an interrupt has spoilt and
    /// averages out the counter's step, and turns gauges (less `overhead`) into core cycles.
    pub fn new(probes: &[Probe], overhead: Ticks) -> Self {
        let raw: Vec<f64> = probes.iter().map(|probe| probe.rate.0).collect();
        let mut window = Vec::with_capacity(2 * SMOOTHING + 1);
        let rates: Vec<f64> = (0..raw.len())
            .map(|at| {
                window.clear();
                window.extend_from_slice(
                    &raw[at.saturating_sub(SMOOTHING)..(at + SMOOTHING + 1).min(raw.len())],
                );
                trimmed_mean(&mut window)
            })
            .collect();
        let gauges = probes
            .iter()
            .zip(&rates)
            .map(|(probe, rate)| (probe.gauge - overhead).to_cycles(TicksPerCycle(*rate)).get())
            .collect();
        Self { raw, rates, gauges }
    }

    /// Ticks per cycle around the slice that follows probe `at`.
    pub fn rate(&self, at: usize) -> TicksPerCycle {
        TicksPerCycle((self.rates[at] + self.rates[at + 1]) / 2.0)
    }

    /// The two rulers around the slice disagree by more than the clock's slow movement and the counter's step explain.
    pub fn drifted(&self, at: usize, step: Ticks) -> bool {
        /// Cycles that a ruler spans; each of its two readings is off by up to a step.
        const RULER_CYCLES: f64 = 8192.0;
        let (before, after) = (self.raw[at], self.raw[at + 1]);
        let quantum = 4.0 * step.get() / (RULER_CYCLES * self.rates[at]);
        // Also against the neighbourhood: two rulers spoilt alike would agree with one another.
        let around = self.rate(at).0;
        let off = |one: f64, other: f64| (one / other - 1.0).abs() > DRIFT_TOLERANCE + quantum;
        off(before, after) || off(before, around) || off(after, around)
    }

    /// The slower of the two gauges around the slice that follows probe `at`, in core cycles.
    pub fn gauge(&self, at: usize) -> Cycles {
        Cycles(self.gauges[at].max(self.gauges[at + 1]))
    }

    /// All gauges in core cycles, in order of time.
    pub fn gauges(&self) -> &[f64] {
        &self.gauges
    }
}

/// The mean without the smallest and the largest (of three or more).
fn trimmed_mean(values: &mut [f64]) -> f64 {
    order::sort(values);
    let kept = if values.len() < 3 { &values[..] } else { &values[1..values.len() - 1] };
    kept.iter().sum::<f64>() / kept.len() as f64
}

/// What the best gauge of a run has to reach, in NOPs a cycle, to have been a quiet one. A sibling that takes every second issue slot all
/// the time leaves gauges that are steady, and a whole number of slots: only what is known from elsewhere tells them from quiet ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Alone {
    /// What is published of the design; counts for nothing on a core that was seen to [outrun](outruns) it.
    pub published: Option<f64>,
    /// The best on this core so far.
    pub seen: Option<f64>,
}

/// What a quiet gauge reads on this core, learnt while measuring.
#[derive(Clone, Debug, PartialEq)]
pub struct Quiet {
    /// The best of all gauges.
    best: f64,
    /// The best gauge after each loop, where that loop leaves the core in a state that slows the gauge.
    after: Vec<f64>,
    /// Why no gauge of this run can have been a quiet one.
    doubt: Option<String>,
}

impl Quiet {
    /// Learns from the gauges of a run. `after[i]` is the loop whose slice came before gauge `i`; `alone` what the gauge has to reach.
    /// `None` while there are too few gauges to tell.
    pub fn learn(frame: &Frame, after: &[Option<usize>], loops: usize, alone: Alone) -> Option<Self> {
        let mut all: Vec<f64> = frame.gauges.iter().copied().filter(|gauge| gauge.is_finite()).collect();
        let best = lowest_cluster(&mut all)?;
        let after = (0..loops)
            .map(|index| {
                let mut own: Vec<f64> = frame
                    .gauges
                    .iter()
                    .zip(after)
                    .filter(|(gauge, after)| gauge.is_finite() && **after == Some(index))
                    .map(|(gauge, _)| *gauge)
                    .collect();
                match lowest_cluster(&mut own) {
                    Some(own) if own > best && own <= best * (1.0 + AFTERMATH) => own,
                    _ => best,
                }
            })
            .collect();
        let rate = nops_per_cycle(Cycles(best));
        let fastest = alone.seen.map_or(rate, |seen| seen.max(rate));
        let doubt = match alone {
            Alone { published: Some(nops), .. } if !outruns(fastest, nops) => (rate < nops * (1.0 - WIDTH_TOLERANCE)).then(|| {
                format!("the best gauge issued {rate:.2} NOPs a cycle, and this core issues {nops:.0} when it is alone")
            }),
            Alone { seen: Some(nops), .. } if rate < nops * (1.0 - AFTERMATH) => Some(format!(
                "the best gauge issued {rate:.2} NOPs a cycle, and this core issued {nops:.2} earlier in this run"
            )),
            Alone { .. } => {
                let whole = (rate - WIDTH_TOLERANCE * rate).ceil();
                (rate < whole * (1.0 - WIDTH_TOLERANCE)).then(|| {
                    format!(
                        "the best gauge issued {rate:.2} NOPs a cycle, and a core that is alone issues a whole number"
                    )
                })
            }
        };
        Some(Self { best, after, doubt })
    }

    /// The issue rate of the best gauge, in NOPs a core cycle.
    pub fn nops_per_cycle(&self) -> f64 {
        nops_per_cycle(Cycles(self.best))
    }

    /// Why no gauge of this run can have been a quiet one; `None` if the best one is what a core that is alone reads.
    pub fn doubt(&self) -> Option<&str> {
        self.doubt.as_deref()
    }

    /// Whether the gauge at `at`, which came after the slice of `after`, is that of a core that is not alone.
    fn contended(&self, gauge: f64, after: Option<usize>, allowance: f64) -> bool {
        let quiet = after.and_then(|index| self.after.get(index)).copied().unwrap_or(self.best);
        gauge.is_nan() || gauge > quiet.max(self.best) * (1.0 + GAUGE_TOLERANCE + allowance)
    }
}

/// The lowest value that is not alone: at least `max(3, n/200)` others lie within 1 % above it. A single gauge whose ruler an
/// interrupt has spoilt reads too low and must not become the standard.
fn lowest_cluster(gauges: &mut [f64]) -> Option<f64> {
    const WIDTH: f64 = 1.01;
    order::sort(gauges);
    let company = (gauges.len() / 200).max(3);
    gauges.windows(company + 1).find(|run| run[company] <= run[0] * WIDTH).map(|run| run[company / 2])
}

/// Labels one slice by what stands beside it. `probe` is the number of the probe before it.
pub fn label(
    slice: &Slice,
    frame: &Frame,
    quiet: &Quiet,
    probe: usize,
    after: &[Option<usize>],
    step: Ticks,
) -> Label {
    // A gauge reading is good to a step of the counter at each end.
    let allowance = 2.0 * step.get() / (GAUGE_NOPS as f64 / quiet.nops_per_cycle() * frame.rates[probe]);
    if slice.migrated {
        Label::Migrated
    } else if slice.switched {
        Label::Interrupted
    } else if slice.counted.is_none() && frame.drifted(probe, step) {
        Label::Drifted
    } else if quiet.doubt.is_some()
        || (probe..=probe + 1).any(|at| quiet.contended(frame.gauges[at], after[at], allowance))
    {
        Label::Contended
    } else {
        Label::Clean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIX: Alone = Alone { published: Some(6.0), seen: None };

    fn probes(gauges: &[f64]) -> Vec<Probe> {
        gauges
            .iter()
            .map(|&gauge| Probe { rate: TicksPerCycle(0.8), gauge: Ticks(gauge * 0.8 + 50.0) })
            .collect()
    }

    fn slice() -> Slice {
        Slice { ticks: Ticks(1e4), counted: None, migrated: false, switched: false }
    }

    /// Gauges of a six-wide core of which every tenth is quiet.
    fn busy_core() -> Vec<f64> {
        (0..200)
            .map(|i| if i % 10 < 2 { 6000.0 + (i % 7) as f64 } else { 9000.0 + 13.0 * i as f64 })
            .collect()
    }

    #[test]
    fn a_slice_is_clean_only_between_two_quiet_gauges() {
        let frame = Frame::new(&probes(&busy_core()), Ticks(50.0));
        let after = vec![Some(0); 200];
        let quiet = Quiet::learn(&frame, &after, 1, SIX).unwrap();
        assert!((quiet.nops_per_cycle() - 6.0).abs() < 0.05);
        let labels: Vec<Label> =
            (0..199).map(|at| label(&slice(), &frame, &quiet, at, &after, Ticks(2.0))).collect();
        for (at, found) in labels.iter().enumerate() {
            let expected = if at % 10 == 0 { Label::Clean } else { Label::Contended };
            assert_eq!(*found, expected, "slice {at}");
        }
    }

    #[test]
    fn one_gauge_that_reads_too_low_does_not_become_the_standard() {
        let mut gauges = busy_core();
        gauges[57] = 3000.0;
        let frame = Frame::new(&probes(&gauges), Ticks(50.0));
        let quiet = Quiet::learn(&frame, &[None; 200], 0, SIX).unwrap();
        assert!((quiet.nops_per_cycle() - 6.0).abs() < 0.05);
    }

    #[test]
    fn a_core_that_was_never_quiet_is_found_out_by_its_width() {
        let gauges: Vec<f64> = (0..200).map(|i| 6550.0 + (i % 5) as f64).collect();
        let frame = Frame::new(&probes(&gauges), Ticks(50.0));
        let after = vec![None; 200];
        for alone in [SIX, Alone::default()] {
            let quiet = Quiet::learn(&frame, &after, 0, alone).unwrap();
            assert!(quiet.doubt().is_some(), "{alone:?}");
            assert_eq!(label(&slice(), &frame, &quiet, 3, &after, Ticks(2.0)), Label::Contended);
        }
    }

    #[test]
    fn a_sibling_that_leaves_every_second_slot_is_found_out_by_what_is_known_of_the_core() {
        // Six a cycle, as a narrower core issues when it is alone: steady, and a whole number.
        let frame = Frame::new(&probes(&[6000.0; 200]), Ticks(50.0));
        let after = vec![Some(0); 200];
        let doubt = |alone| Quiet::learn(&frame, &after, 1, alone).unwrap().doubt().map(str::to_owned);
        assert_eq!(doubt(Alone::default()), None);
        assert_eq!(doubt(Alone { seen: Some(6.3), ..Alone::default() }), None);
        let published = doubt(Alone { published: Some(12.0), seen: Some(6.0) }).unwrap();
        assert!(published.contains("issues 12 when"), "{published}");
        let seen = doubt(Alone { published: None, seen: Some(11.9) }).unwrap();
        assert!(seen.contains("issued 11.90 earlier"), "{seen}");
    }

    #[test]
    fn a_core_that_is_faster_than_its_model_number_says_is_held_to_what_it_was_seen_to_do() {
        let after = vec![Some(0); 200];
        let doubt = |cycles: f64, alone| {
            let frame = Frame::new(&probes(&[cycles; 200]), Ticks(50.0));
            Quiet::learn(&frame, &after, 1, alone).unwrap().doubt().map(str::to_owned)
        };
        let four = |seen| Alone { published: Some(4.0), seen };
        assert_eq!(doubt(6000.0, four(None)), None);
        assert_eq!(doubt(6000.0, four(Some(6.0))), None);
        // Two thirds of it are what the named design would do alone, and three are less.
        assert_eq!(doubt(9000.0, four(Some(4.0))), None);
        for cycles in [9000.0, 12000.0] {
            let found = doubt(cycles, four(Some(6.0))).unwrap();
            assert!(found.contains("issued 6.00 earlier"), "{found}");
        }
    }

    #[test]
    fn a_kernel_that_slows_the_gauge_after_it_is_not_contention() {
        let gauges: Vec<f64> = (0..200).map(|i| if i % 2 == 0 { 6000.0 } else { 6300.0 }).collect();
        let after: Vec<Option<usize>> = (0..200).map(|i| Some(i % 2)).collect();
        let frame = Frame::new(&probes(&gauges), Ticks(50.0));
        let quiet = Quiet::learn(&frame, &after, 2, SIX).unwrap();
        assert_eq!(label(&slice(), &frame, &quiet, 10, &after, Ticks(2.0)), Label::Clean);
        let unknown = vec![None; 200];
        assert_eq!(label(&slice(), &frame, &quiet, 10, &unknown, Ticks(2.0)), Label::Contended);
    }

    #[test]
    fn a_clock_that_changes_under_the_slice_is_seen_and_one_that_creeps_is_not() {
        let mut jump = probes(&[6000.0; 40]);
        for probe in &mut jump[20..] {
            probe.rate = TicksPerCycle(0.7);
            probe.gauge = Ticks(6000.0 * 0.7 + 50.0);
        }
        let frame = Frame::new(&jump, Ticks(50.0));
        assert!(frame.drifted(19, Ticks(2.0)));
        assert!(!frame.drifted(10, Ticks(2.0)) && !frame.drifted(30, Ticks(2.0)));
        assert!((frame.rate(10).0 - 0.8).abs() < 1e-9);
        assert!((frame.rate(30).0 - 0.7).abs() < 1e-9);
    }

    #[test]
    fn switches_and_migrations_come_before_everything_else() {
        let frame = Frame::new(&probes(&[6000.0; 10]), Ticks(50.0));
        let after = vec![None; 10];
        let quiet = Quiet::learn(&frame, &after, 0, SIX).unwrap();
        let switched = Slice { switched: true, ..slice() };
        assert_eq!(label(&switched, &frame, &quiet, 3, &after, Ticks(2.0)), Label::Interrupted);
        let migrated = Slice { migrated: true, ..switched };
        assert_eq!(label(&migrated, &frame, &quiet, 3, &after, Ticks(2.0)), Label::Migrated);
    }
}
