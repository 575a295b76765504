//! What does this machine do to a measurement right now? A second of rulers and gauges on the core that would be measured on.

use std::time::{Duration, Instant};

use fencepost::Lab;
use fencepost::clock::{GAUGE_NOPS, Gauge, nops_per_cycle, outruns, ruler};
use fencepost::record::{Calibration, Finding};
use fencepost::stats;
use fencepost::units::{Cycles, TicksPerCycle};
use serde_json::{Value, json};

/// Readings further than this from what most around them say were interrupted.
const SPOILT: f64 = 0.1;
/// How far above the best gauge one may read and still be a quiet one: as in a measurement.
const QUIET: f64 = 0.02;
/// A clock is read as the median of so many rulers in a row: some milliseconds.
const WINDOW: usize = 400;

/// What was seen while watching.
#[derive(Clone, Debug)]
pub(super) struct Figures {
    /// How long was watched, in seconds.
    pub(super) secs: f64,
    /// The core's clock in MHz: least, median and most of the windows; absent where no core cycles may be claimed.
    pub(super) clock_mhz: Option<[f64; 3]>,
    /// NOPs a core cycle of the best gauge.
    pub(super) nops_per_cycle: f64,
    /// Share of the gauges that were as good as what a core that is alone reads, 0 to 1.
    pub(super) quiet: f64,
    /// How much longer the median gauge took than a quiet one, in per cent.
    pub(super) slowed_pct: f64,
    /// Interruptions of a ruler, counted up to a whole second.
    pub(super) interrupts_per_sec: f64,
    /// Share of the wall-clock time that the hypervisor took, 0 to 1; absent where the kernel does not tell.
    pub(super) stolen: Option<f64>,
    /// Each core and its share of quiet gauges in a short look, quietest first.
    pub(super) survey: Vec<(usize, f64)>,
}

impl Figures {
    /// Watches the lab's core for `span`. Nothing else should run on this thread meanwhile.
    pub(super) fn watch(lab: &Lab, calibration: &Calibration, span: Duration) -> Self {
        let published = lab.machine().nops_per_cycle();
        let (gauge, seen) = Gauge::choose(published);
        let published = published.filter(|nops| !outruns(seen, f64::from(*nops)));
        let overhead = lab.fence_pair().median;
        let steal_before = lab.machine().steal(lab.core());
        let mut rates = Vec::with_capacity(200_000);
        let mut gauges = Vec::with_capacity(200_000);
        let start = Instant::now();
        while start.elapsed() < span {
            rates.push(ruler().0);
            gauges.push(gauge.read() - overhead);
        }
        let secs = start.elapsed().as_secs_f64();
        let stolen = lab.machine().steal(lab.core()).zip(steal_before).map(|(after, before)| {
            // Hundredths of a second.
            (after.saturating_sub(before) as f64 / 100.0 / secs).min(1.0)
        });

        let mut clocks = Vec::new();
        let mut cycles = Vec::with_capacity(gauges.len());
        let mut spoilt = 0;
        for (rates, gauges) in rates.chunks(WINDOW).zip(gauges.chunks(WINDOW)) {
            let Ok(rate) = stats::percentile(rates, 50.0) else { continue };
            if rates.len() == WINDOW {
                clocks.push(rate);
            }
            spoilt += rates.iter().filter(|one| (*one / rate - 1.0).abs() > SPOILT).count();
            cycles.extend(gauges.iter().map(|gauge| gauge.to_cycles(TicksPerCycle(rate)).get()));
        }
        let best = stats::percentile(&cycles, 2.0).unwrap_or(f64::NAN);
        let alone = published.map_or(best, |nops| GAUGE_NOPS as f64 / f64::from(nops));
        let quiet = cycles.iter().filter(|one| **one <= alone * (1.0 + QUIET)).count();
        let usual = stats::percentile(&cycles, 50.0).unwrap_or(f64::NAN);
        let at = |percent| stats::percentile(&clocks, percent).ok();
        let clock_mhz = (calibration.cycle_source.is_some() && calibration.tsc_hz.is_finite())
            .then(|| Some([at(100.0)?, at(50.0)?, at(0.0)?].map(|rate| calibration.tsc_hz / rate / 1e6)))
            .flatten();
        Self {
            secs,
            clock_mhz,
            nops_per_cycle: nops_per_cycle(Cycles(best)),
            quiet: quiet as f64 / cycles.len().max(1) as f64,
            slowed_pct: (100.0 * (usual / alone - 1.0)).max(0.0),
            interrupts_per_sec: spoilt as f64 / secs,
            stolen,
            survey: lab.survey().iter().map(|one| (one.core, one.quiet)).collect(),
        }
    }

    /// How far the clock moved while it was watched, in per cent of its median.
    pub(super) fn movement_pct(&self) -> Option<f64> {
        self.clock_mhz.map(|[least, median, most]| 100.0 * (most - least) / median)
    }

    /// What the finding of this name did to the machine while it was watched, in figures; `None` where its effect cannot be
    /// seen from within one process and second.
    pub(super) fn effect_of(&self, id: &str, calibration: &Calibration) -> Option<String> {
        let quiet = format!(
            "{:.0} % of the gauges were quiet, the median one was slowed by {:.1} %",
            100.0 * self.quiet,
            self.slowed_pct
        );
        let stolen = self.stolen.map(|stolen| format!("{:.1} % of this second was stolen", 100.0 * stolen));
        let clock = self.clock_mhz.zip(self.movement_pct()).map(|([least, _, most], movement)| {
            format!("the core ran at {least:.0} to {most:.0} MHz ({movement:.1} % apart)")
        });
        match id {
            "smt" => Some(quiet),
            "hypervisor" => Some(match stolen {
                Some(stolen) => format!("{stolen}; {quiet}"),
                None => quiet,
            }),
            "steal" | "steal_since_boot" => stolen,
            "governor" | "turbo" | "frequency_limit" => clock,
            "hybrid" | "microarchitecture" | "model" => {
                Some(format!("the gauge issued {:.2} NOPs a cycle at best", self.nops_per_cycle))
            }
            "pmu" | "rdpmc" | "cycle_counter" | "ruler" => calibration
                .ruler
                .as_ref()
                .map(|ruler| format!("the ruler's multiplication reads {:.3} cycles", ruler.imul)),
            "lfence" => Some(format!(
                "a fence pair around nothing takes {:.0} to {:.0} ticks",
                calibration.fence_overhead_ticks, calibration.fence_overhead_median_ticks
            )),
            "clocksource" | "tsc_frequency" => calibration
                .tsc_hz_error_ppm
                .map(|error| format!("{:.2} MHz, good to {error:.0} ppm", calibration.tsc_hz / 1e6)),
            _ => None,
        }
    }

    /// What the second itself showed that is worth a word.
    pub(super) fn findings(&self) -> Vec<Finding> {
        use fencepost::record::Severity::{Serious, Warning};
        let mut found = Vec::new();
        let mut add = |id: &str, severity, value: String, effect: &str, remedy: Option<&str>| {
            found.push(Finding {
                id: id.to_owned(),
                severity,
                value,
                effect: effect.to_owned(),
                remedy: remedy.map(str::to_owned),
            });
        };
        if self.quiet < 0.2 {
            let severity = if self.quiet < 0.01 { Serious } else { Warning };
            add(
                "quiet",
                severity,
                format!("the core was alone for {:.0} % of a second", 100.0 * self.quiet),
                "few samples can be believed, so runs take their longest, and without any a result is an upper bound",
                Some("end what runs beside, measure again later, or give --max-secs more time"),
            );
        }
        if let Some(movement) = self.movement_pct().filter(|movement| *movement > 2.0) {
            add(
                "clock",
                Warning,
                format!("moved by {movement:.1} % within a second"),
                "cycles allow for it, as the ruler stands beside every slice; nanoseconds hold for the clock of the run",
                // The finding on the governor has the command, where there is one to set.
                None,
            );
        }
        if self.stolen.is_some_and(|stolen| stolen > 0.02) {
            add(
                "steal_now",
                Warning,
                format!("{:.1} % of a second", 100.0 * self.stolen.unwrap_or(0.0)),
                "slices that the hypervisor interrupts are left out, and runs take longer",
                Some("take a machine with cores of its own, or measure at another hour"),
            );
        }
        found
    }

    /// As JSON; units are in the names.
    pub(super) fn to_json(&self) -> Value {
        let clock = self
            .clock_mhz
            .map(|[least, median, most]| json!({"least": least, "median": median, "most": most}));
        let survey: Vec<Value> =
            self.survey.iter().map(|(core, quiet)| json!({"core": core, "quiet_share": quiet})).collect();
        json!({
            "watched_secs": self.secs,
            "clock_mhz": clock,
            "clock_movement_pct": self.movement_pct(),
            "gauge_nops_per_cycle": self.nops_per_cycle,
            "gauge_quiet_share": self.quiet,
            "gauge_slowed_pct": self.slowed_pct,
            "interrupts_per_sec": self.interrupts_per_sec,
            "stolen_share": self.stolen,
            "cores": survey,
        })
    }
}
