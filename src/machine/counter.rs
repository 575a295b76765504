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
    pub(super) present: bool,
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
        hypervisor: Option<&str>,
    ) -> Self {
        let extended = cpuid.leaf(0x8000_0000, 0)[0];
        let lfence = match identity.vendor.as_str() {
            "GenuineIntel" => Lfence::Architectural,
            _ if extended >= 0x8000_0021 && cpuid.leaf(0x8000_0021, 0)[0] & (1 << 2) != 0 => Lfence::Reported,
            _ => Lfence::Unverified,
        };
        Self {
            present: id.get_feature_info().is_some_and(|features| features.has_tsc()),
            invariant: id.get_advanced_power_mgmt_info().is_some_and(|power| power.has_invariant_tsc()),
            rdtscp: id
                .get_extended_processor_and_feature_identifiers()
                .is_some_and(|features| features.has_rdtscp()),
            // Register 1 is APERF.
            rdpru: id
                .get_processor_capacity_feature_info()
                .is_some_and(|features| features.has_rdpru() && features.max_rdpru_id() >= 1),
            lfence,
            frequencies: frequencies(cpuid, identity, hypervisor),
        }
    }

    pub(super) fn invariant(&self, guest: bool) -> Result<InvariantTsc> {
        if self.present && self.invariant {
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
fn frequencies(cpuid: &dyn Cpuid, identity: &Identity, hypervisor: Option<&str>) -> Vec<TscFrequencySource> {
    let intel = identity.vendor == "GenuineIntel";
    let largest = cpuid.leaf(0, 0)[0];
    let base = if intel && largest >= 0x16 { f64::from(cpuid.leaf(0x16, 0)[0] & 0xffff) * 1e6 } else { 0.0 };
    let mut found = Vec::new();
    let mut add = |source, hertz: f64| {
        if hertz.is_finite() && hertz > 0.0 {
            found.push(TscFrequencySource { source, hertz: Hertz(hertz) });
        }
    };
    if intel && largest >= 0x15 {
        let [denominator, numerator, crystal, _] = cpuid.leaf(0x15, 0);
        if denominator != 0 && numerator != 0 {
            let ratio = f64::from(numerator) / f64::from(denominator);
            let crystal =
                if crystal == 0 { untold_crystal(identity, ratio, base) } else { f64::from(crystal) };
            add("CPUID 15h", crystal * ratio);
        }
    }
    if hypervisor.is_some_and(|name| TELL_THE_FREQUENCY.contains(&name)) {
        let [most, ..] = cpuid.leaf(0x4000_0000, 0);
        if (0x4000_0010..0x4001_0000).contains(&most) {
            add("CPUID 40000010h", f64::from(cpuid.leaf(0x4000_0010, 0)[0]) * 1e3);
        }
    }
    add("CPUID 16h (base)", base);
    found
}

/// Hypervisors whose leaf 4000_0010h has the counter's frequency in kHz in EAX: VMware proposed it, KVM and ACRN (the kernel's
/// `virt/acrn/cpuid`) follow. That of others is reserved or means something else.
const TELL_THE_FREQUENCY: &[&str] = &["VMware", "KVM", "ACRN"];

/// The crystal where leaf 15h leaves it out; 0 where no manual tells it.
///
/// Intel SDM volume 3, "Time-Stamp Counter" and "Determining the Processor Base Frequency": 24 MHz on client Skylake and Kaby Lake
/// (and those that share their models), 19.2 MHz on Goldmont. Linux has 25 MHz for Denverton.
fn untold_crystal(identity: &Identity, ratio: f64, base: f64) -> f64 {
    match (identity.family, identity.model) {
        (6, 0x4e | 0x5e | 0x8e | 0x9e | 0xa5 | 0xa6) => 24e6,
        (6, 0x5c) => 19.2e6,
        (6, 0x5f) => 25e6,
        // One model for two crystals: 25 MHz on Xeon Scalable, 24 MHz on Xeon W and Core X. The wrong one is off by 4 %, and the
        // counter runs within 1 % of the base frequency.
        (6, 0x55) if base > 0.0 => [24e6, 25e6]
            .into_iter()
            .find(|crystal| (crystal * ratio / base - 1.0).abs() < 0.01)
            .unwrap_or(0.0),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Recording;
    use super::*;

    fn intel(model: u8) -> Identity {
        Identity { vendor: "GenuineIntel".to_owned(), family: 6, model, ..Identity::default() }
    }

    fn megahertz(
        recording: &Recording,
        identity: &Identity,
        hypervisor: Option<&str>,
    ) -> Vec<(&'static str, f64)> {
        let told = frequencies(recording, identity, hypervisor);
        told.iter().map(|one| (one.source, one.hertz.get() / 1e6)).collect()
    }

    #[test]
    fn a_crystal_that_is_left_out_is_taken_from_the_manual() {
        let told = |ratio: u32, base: u32| {
            Recording::default()
                .with_leaf(0, 0, [0x16, 0, 0, 0])
                .with_leaf(0x15, 0, [2, ratio, 0, 0])
                .with_leaf(0x16, 0, [base, base, 100, 0])
        };
        let exact = |recording: &Recording, model| megahertz(recording, &intel(model), None)[0];
        assert_eq!(exact(&told(292, 3500), 0x5e), ("CPUID 15h", 3504.0));
        // Xeon Gold 6252: 25 MHz. Core i9-7900X: 24 MHz, the same model.
        assert_eq!(exact(&told(168, 2100), 0x55), ("CPUID 15h", 2100.0));
        assert_eq!(exact(&told(276, 3300), 0x55), ("CPUID 15h", 3312.0));
        // Neither fits, or no manual tells.
        assert_eq!(exact(&told(168, 3000), 0x55), ("CPUID 16h (base)", 3000.0));
        assert_eq!(exact(&told(168, 2100), 0x6a), ("CPUID 16h (base)", 2100.0));
    }

    #[test]
    fn leaves_past_the_largest_are_not_asked() {
        // Real CPUs answer with the last leaf that they have.
        let short = Recording::default()
            .with_leaf(0, 0, [0xa, 0, 0, 0])
            .with_leaf(0x15, 0, [2, 168, 25_000_000, 0])
            .with_leaf(0x16, 0, [2100, 2100, 100, 0]);
        assert_eq!(megahertz(&short, &intel(0x55), None), []);
    }

    #[test]
    fn the_hypervisor_is_believed_only_where_it_is_known_to_tell() {
        let told = Recording::default().with_leaf(0x4000_0000, 0, [0x4000_0010, 0, 0, 0]).with_leaf(
            0x4000_0010,
            0,
            [2_445_406, 0, 0, 0],
        );
        let by = |hypervisor| megahertz(&told, &Identity::default(), hypervisor);
        assert_eq!(by(Some("KVM")), [("CPUID 40000010h", 2445.406)]);
        assert_eq!(by(Some("VMware")), [("CPUID 40000010h", 2445.406)]);
        assert_eq!(by(Some("Hyper-V")), []);
        assert_eq!(by(None), []);
        let short = told.with_leaf(0x4000_0000, 0, [0x4000_0001, 0, 0, 0]);
        assert_eq!(megahertz(&short, &Identity::default(), Some("KVM")), []);
    }
}
