//! How is a lab made? Checks, the choice of a core, calibration; and what a lab tells of itself in a record.

use std::time::Duration;

use super::Lab;
use super::claim::{self, Patience};
use super::cores::survey;
use super::usage::Account;
use crate::clock::{Gauge, check, choose};
use crate::error::{Error, ErrorKind, Result};
use crate::machine::{self, CacheKind, Machine};
use crate::order;
use crate::record::Named;
use crate::record::{self, Scalar, Severity};
use crate::sampling::Options;
use crate::tsc::{FrequencyMeter, PinnedCore, allowed_cores, calibrate};

/// Choices for a lab before it is made.
#[derive(Clone, Debug, Default)]
pub struct LabBuilder {
    core: Option<usize>,
    options: Options,
    ticks_only: bool,
    machine: Option<Machine>,
    patience: Patience,
}

impl LabBuilder {
    /// Takes this computer for what `machine` says instead of asking it: for replaying a recorded one.
    #[must_use]
    pub fn machine(mut self, machine: Machine) -> Self {
        self.machine = Some(machine);
        self
    }

    /// Measures on logical CPU `core` instead of the quietest.
    #[must_use]
    pub fn core(mut self, core: usize) -> Self {
        self.core = Some(core);
        self
    }

    /// Waits at most `limit` (two minutes unless said otherwise) for a core on which another fencepost of this user is measuring;
    /// then it measures beside it, and a finding says so. Labs of one process do not wait for one another.
    #[must_use]
    pub fn wait_for_core(mut self, limit: Duration) -> Self {
        self.patience.limit = limit;
        self
    }

    /// Where it is said that another fencepost has a core, and that its end is waited for: standard error unless given.
    #[must_use]
    pub fn notices(mut self, notice: fn(&str)) -> Self {
        self.patience.notice = notice;
        self
    }

    /// When a result is done: target percentile and precision, minimums, time limits, slice length, seed.
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Measures ticks where no more can be had: without an invariant TSC this is the only way, and then no nanoseconds and no core
    /// cycles are claimed.
    #[must_use]
    pub fn ticks_only(mut self) -> Self {
        self.ticks_only = true;
        self
    }

    /// Checks the machine, pins this thread and calibrates: some tens of milliseconds.
    ///
    /// # Errors
    ///
    /// - `Usage` for options that contradict each other and for a core that this thread may not use.
    /// - `CannotMeasure` without an invariant TSC (unless [`ticks_only`](Self::ticks_only)), without RDTSCP, or where
    ///   pinning is refused.
    pub fn build(self) -> Result<Lab> {
        self.options.validate()?;
        let account = Account::open();
        let machine = self.machine.unwrap_or_else(Machine::detect);
        if !self.ticks_only {
            machine.invariant_tsc()?;
        }
        if !machine.has_rdtscp() {
            return Err(Error::new(ErrorKind::CannotMeasure, "this CPU does not show RDTSCP")
                .because("it closes every timed region and tells the core that the region ended on")
                .remedy("in a virtual machine, choose a CPU model that passes rdtscp through (for QEMU: -cpu host)"));
        }
        let meter = FrequencyMeter::start();
        let (core, claim, survey) = match self.core {
            // What cannot be pinned to is not waited for.
            Some(core) => (PinnedCore::pin(core)?, claim::one(core, &self.patience), Vec::new()),
            None => {
                let claims = claim::any(&allowed_cores()?, &self.patience);
                let free: Vec<usize> = claims.iter().map(|claim| claim.core).collect();
                let survey = survey(&free, &machine, Gauge::FourBytes)?;
                let quietest = survey
                    .first()
                    .and_then(|first| claims.into_iter().find(|claim| claim.core == first.core));
                let claim = quietest.ok_or_else(|| {
                    Error::new(ErrorKind::CannotMeasure, "this thread may run on no core")
                        .remedy("check the affinity mask and the cpuset of this process")
                })?;
                (PinnedCore::pin(claim.core)?, claim, survey)
            }
        };
        let fence = calibrate(&core);
        let (gauge, seen) = Gauge::choose(machine.nops_per_cycle());
        let ruler = check(machine.imul_latency(), gauge);
        let (source, sources) = choose(machine.has_rdpru());
        let steal_before = machine.steal(core.core());
        Ok(Lab {
            machine,
            steal_before,
            core,
            claim,
            survey,
            source,
            sources,
            gauge,
            ruler,
            fence,
            meter,
            options: self.options,
            ticks_only: self.ticks_only,
            floors: Vec::new(),
            ticks_per_cycle: Vec::new(),
            nops_per_cycle: Some(seen).filter(|nops| *nops > 0.0),
            account,
        })
    }
}

/// The options in force, by name.
pub(super) fn settings(options: &Options) -> Named<Scalar> {
    Named::from([
        ("target_percentile", Scalar::from(options.target_percentile)),
        ("target_precision_pct", Scalar::from(options.target_precision_pct)),
        ("min_samples", Scalar::from(options.min_samples as u64)),
        ("min_secs", Scalar::from(options.min_secs)),
        ("max_secs", Scalar::from(options.max_secs)),
        ("slice_usec", Scalar::from(options.slice_usec)),
        ("seed", Scalar::from(options.seed)),
    ])
}

/// The machine as a record keeps it.
pub(crate) fn machine_record(machine: &Machine) -> record::Machine {
    let identity = machine.identity();
    let host = machine.host();
    let caches = machine.caches().iter().map(|cache| record::Cache {
        level: cache.level.into(),
        kind: match cache.kind {
            CacheKind::Data => record::CacheKind::Data,
            CacheKind::Instruction => record::CacheKind::Instruction,
            CacheKind::Unified => record::CacheKind::Unified,
        },
        size_bytes: cache.bytes,
        line_bytes: cache.line.into(),
        ways: cache.ways.map(u64::from),
        shared_by_cpus: cache.shared_by.map(u64::from),
    });
    let known = machine.microarchitecture();
    record::Machine {
        vendor: identity.vendor.clone(),
        brand: identity.brand.clone(),
        family: identity.family.into(),
        model: identity.model.into(),
        stepping: identity.stepping.into(),
        microarchitecture: known.map(|known| known.name.to_owned()),
        llvm_cpu: known.map(|known| known.llvm.to_owned()),
        hypervisor: machine.hypervisor().map(str::to_owned),
        product: known.map(|known| known.product.to_owned()),
        kernel: host.kernel.clone().unwrap_or_default(),
        cpus: host.online.len() as u64,
        caches: caches.collect(),
        fingerprint: machine
            .fingerprint()
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    }
}

/// The machine as a record keeps it, also where no lab can be made.
impl From<&Machine> for record::Machine {
    fn from(machine: &Machine) -> Self {
        machine_record(machine)
    }
}

/// What affects the numbers of this lab: the machine's findings, its calibration's, and the build's, the worst first.
pub(super) fn findings(lab: &Lab) -> Vec<record::Finding> {
    let mut found: Vec<record::Finding> = lab
        .machine
        .findings(lab.core())
        .into_iter()
        .map(|finding| record::Finding {
            id: finding.id.to_owned(),
            severity: match finding.severity {
                machine::Severity::Note => Severity::Note,
                machine::Severity::Warning => Severity::Warning,
                machine::Severity::Serious => Severity::Serious,
            },
            value: finding.value,
            effect: finding.effect,
            remedy: finding.remedy,
        })
        .collect();
    found.extend(lab.claim.finding());
    found.extend(ruler_finding(lab));
    found.extend(lab.width_finding());
    found.extend(steal_finding(lab));
    found.extend(frequency_finding(lab));
    found.extend(lab.sources.iter().filter_map(|source| {
        // A counter that is there and was not believed is worth a word; one that is not there has its own finding.
        let refused = source.refused.as_ref().filter(|_| source.add.is_some())?;
        Some(record::Finding {
            id: "cycle_counter".to_owned(),
            severity: Severity::Warning,
            value: format!("{} is not used", source.name),
            effect: refused.clone(),
            remedy: None,
        })
    }));
    if record::Build::current().opt_level == "0" {
        found.push(record::Finding {
            id: "build".to_owned(),
            severity: Severity::Serious,
            value: "not optimized".to_owned(),
            effect:
                "what is measured is not the code that you will run, and calls of the harness are part of it"
                    .to_owned(),
            remedy: Some("build with --release, or set opt-level in the profile".to_owned()),
        });
    }
    let rank = |severity: &Severity| match severity {
        Severity::Serious => 0,
        Severity::Warning => 1,
        _ => 2,
    };
    order::by(found, &|one, other| rank(&one.severity).cmp(&rank(&other.severity)))
}

fn ruler_finding(lab: &Lab) -> Option<record::Finding> {
    (!lab.ruler.agrees).then(|| record::Finding {
        id: "ruler".to_owned(),
        severity: Severity::Serious,
        value: format!("a chain of multiplications reads {:.3} cycles a link", lab.ruler.imul),
        effect:
            "the two chains of the clock ruler disagree on what a cycle is, so no core cycles are claimed"
                .to_owned(),
        remedy: Some("run again on a quieter core, or tell us the CPU if it stays".to_owned()),
    })
}

/// Time that the hypervisor gave to others while this lab lived.
fn steal_finding(lab: &Lab) -> Option<record::Finding> {
    let stolen =
        lab.machine.steal(lab.core())?.checked_sub(lab.steal_before?).filter(|stolen| *stolen > 0)?;
    Some(record::Finding {
        id: "steal".to_owned(),
        severity: Severity::Warning,
        value: format!("{} ms taken from CPU {} by the hypervisor", 10 * stolen, lab.core()),
        effect: "slices that were interrupted by it are far off; those of spans with a fifth of it or more are left out".to_owned(),
        remedy: None,
    })
}

/// The measured frequency against what CPUID says.
fn frequency_finding(lab: &Lab) -> Option<record::Finding> {
    /// CPUID rounds to a megahertz at best, and a hypervisor may scale the counter.
    const TOLERANCE: f64 = 1e-3;
    let measured = lab.meter.read()?.hertz.get();
    let told = lab.machine.tsc_frequencies().first()?;
    let off = measured / told.hertz.get() - 1.0;
    (off.abs() > TOLERANCE).then(|| record::Finding {
        id: "tsc_frequency".to_owned(),
        severity: Severity::Warning,
        value: format!(
            "{:.2} MHz measured, {:.2} MHz by {}",
            measured / 1e6,
            told.hertz.get() / 1e6,
            told.source
        ),
        effect: "nanoseconds follow the measured value".to_owned(),
        remedy: None,
    })
}
