//! Can this time stamp counter be trusted, and what does CPUID know of it?

use std::fmt;

use raw_cpuid::{CpuId, CpuIdReader};

use super::Identity;
use super::sources::Cpuid;
use crate::error::{Error, ErrorKind, Result};
use crate::units::Hertz;

/// Proof that the time stamp counter is invariant: it ticks at one rate in all power states. Only
/// [`Machine::invariant_tsc`](super::Machine::invariant_tsc) makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvariantTsc {
    _private: (),
}

/// How LFENCE is known to wait until all earlier instructions have completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lfence {
    /// It always does (Intel SDM volume 2, LFENCE).
    Architectural,
    /// The CPU says so (AMD: CPUID 8000_0021h EAX bit 2).
    Reported,
    /// The CPU does not say. On AMD before Zen 2 it depends on a bit that Linux sets since 4.15 (MSR C001_1029h, bit 1).
    Unverified,
}

impl fmt::Display for Lfence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lfence::Architectural => "serializing by architecture",
            Lfence::Reported => "reported as serializing",
            Lfence::Unverified => "not known to be serializing",
        })
    }
}

/// A frequency of the counter, and where CPUID has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TscFrequencySource {
    /// The leaf.
    pub source: &'static str,
    /// The frequency.
    pub hertz: Hertz,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Counter {
    invariant: bool,
    pub(super) rdtscp: bool,
    pub(super) rdpru: bool,
    pub(super) lfence: Lfence,
    pub(super) frequencies: Vec<TscFrequencySource>,
}

impl Counter {
    pub(super) fn read<R: CpuIdReader>(
        id: &CpuId<R>,
        cpuid: &dyn Cpuid,
        identity: &Identity,
        guest: bool,
    ) -> Self {
        let extended = cpuid.leaf(0x8000_0000, 0)[0];
        let lfence = match identity.vendor.as_str() {
            "GenuineIntel" => Lfence::Architectural,
            _ if extended >= 0x8000_0021 && cpuid.leaf(0x8000_0021, 0)[0] & (1 << 2) != 0 => Lfence::Reported,
            _ => Lfence::Unverified,
        };
        Self {
            invariant: id.get_advanced_power_mgmt_info().is_some_and(|power| power.has_invariant_tsc()),
            rdtscp: id
                .get_extended_processor_and_feature_identifiers()
                .is_some_and(|features| features.has_rdtscp()),
            // Register 1 is APERF.
            rdpru: id
                .get_processor_capacity_feature_info()
                .is_some_and(|features| features.has_rdpru() && features.max_rdpru_id() >= 1),
            lfence,
            frequencies: frequencies(cpuid, identity, guest),
        }
    }

    pub(super) fn invariant(&self, guest: bool) -> Result<InvariantTsc> {
        if self.invariant {
            return Ok(InvariantTsc { _private: () });
        }
        let error = Error::new(
            ErrorKind::CannotMeasure,
            "this CPU does not report an invariant time stamp counter (CPUID 8000_0007h EDX bit 8)",
        )
        .because("its ticks may change their length or stop while the core changes its clock or sleeps");
        Err(if guest {
            error.remedy(
                "let the hypervisor pass the bit through (for QEMU: -cpu host,migratable=no,+invtsc), or ask for ticks only",
            )
        } else {
            error.remedy("measure on a CPU made since about 2008, or ask for ticks only")
        })
    }
}

/// The counter's frequency by leaf 15h, by the hypervisor's timing leaf, and by the base frequency of leaf 16h.
fn frequencies(cpuid: &dyn Cpuid, identity: &Identity, guest: bool) -> Vec<TscFrequencySource> {
    let largest = cpuid.leaf(0, 0)[0];
    let mut found = Vec::new();
    let mut add = |source, hertz: f64| {
        if hertz.is_finite() && hertz > 0.0 {
            found.push(TscFrequencySource { source, hertz: Hertz(hertz) });
        }
    };
    if identity.vendor == "GenuineIntel" && largest >= 0x15 {
        let [denominator, numerator, crystal, _] = cpuid.leaf(0x15, 0);
        let crystal = match (crystal, identity.model) {
            // Intel SDM volume 3, "Time-Stamp Counter": the crystal of client Skylake and Kaby Lake is 24 MHz, of Goldmont
            // 19.2 MHz, of Skylake servers 25 MHz, where the leaf leaves it out.
            (0, 0x4e | 0x5e | 0x8e | 0x9e | 0xa5 | 0xa6) => 24e6,
            (0, 0x5c | 0x7a) => 19.2e6,
            (0, 0x55) => 25e6,
            (crystal, _) => f64::from(crystal),
        };
        if denominator != 0 && numerator != 0 {
            add("CPUID 15h", crystal * f64::from(numerator) / f64::from(denominator));
        }
    }
    if guest {
        let [most, ..] = cpuid.leaf(0x4000_0000, 0);
        // VMware's proposal, which KVM and others follow: EAX in kHz.
        if (0x4000_0010..0x4001_0000).contains(&most) {
            add("CPUID 40000010h", f64::from(cpuid.leaf(0x4000_0010, 0)[0]) * 1e3);
        }
    }
    if identity.vendor == "GenuineIntel" && largest >= 0x16 {
        add("CPUID 16h (base)", f64::from(cpuid.leaf(0x16, 0)[0] & 0xffff) * 1e6);
    }
    found
}
