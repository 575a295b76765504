//! What is this computer? CPU and core design, time stamp counter, caches, topology, hypervisor, governor, counters; and what each
//! of these does to a measurement.
//!
//! Everything comes in through [`Cpuid`] and [`Files`], so a [`Recording`] of another machine is described like this one.

mod caches;
mod counter;
mod cpu_list;
mod disguise;
mod findings;
mod host;
mod microarchitecture;
mod recording;
mod sources;
mod steal;

pub use caches::{Cache, CacheKind};
pub use counter::{InvariantTsc, Lfence, TscFrequencySource};
pub use cpu_list::parse_cpu_list;
pub use disguise::Misnamed;
pub use findings::{Finding, Severity};
pub use host::{ClockPolicy, CoreType, Host};
pub use microarchitecture::Microarchitecture;
pub use recording::Recording;
pub use sources::{Cpuid, Files, NativeCpuid, SystemFiles};
pub use steal::{Steal, parse_steal};

use raw_cpuid::CpuId;

use crate::error::Result;
use counter::Counter;
use sources::Reader;

/// Who made this CPU, and which one it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// `GenuineIntel`, `AuthenticAMD`, ...; empty if CPUID does not say.
    pub vendor: String,
    /// Family, the extended family included.
    pub family: u8,
    /// Model, the extended model included.
    pub model: u8,
    /// Stepping.
    pub stepping: u8,
    /// The brand string without the spaces around it; empty if there is none.
    pub brand: String,
}

/// A computer, described.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    identity: Identity,
    microarchitecture: Option<Microarchitecture>,
    misnamed: Option<Misnamed>,
    counter: Counter,
    caches: Vec<Cache>,
    hypervisor: Option<String>,
    hybrid: bool,
    host: Host,
}

impl Machine {
    /// This computer, described from the core that the thread is on. Facts that cannot be had are left out; nothing fails.
    ///
    /// ```
    /// let machine = fencepost::machine::Machine::detect();
    /// println!("{} ({})", machine.identity().brand, machine.name());
    /// ```
    pub fn detect() -> Self {
        Self::from_sources(&NativeCpuid, &SystemFiles)
    }

    /// The computer that these sources describe.
    pub fn from_sources(cpuid: &dyn Cpuid, files: &dyn Files) -> Self {
        let id = CpuId::with_cpuid_reader(Reader(cpuid));
        let vendor = id.get_vendor_info().map_or_else(String::new, |vendor| vendor.as_str().to_owned());
        let feature = id.get_feature_info();
        let identity = Identity {
            family: feature.as_ref().map_or(0, family),
            model: feature.as_ref().map_or(0, |feature| feature.model_id()),
            stepping: feature.as_ref().map_or(0, |feature| feature.stepping_id()),
            brand: id
                .get_processor_brand_string()
                .map_or_else(String::new, |brand| brand.as_str().trim().to_owned()),
            vendor,
        };
        let efficient = CoreType::of_current_core(cpuid) == Some(CoreType::Efficiency);
        let hypervisor = hypervisor(&id, cpuid, feature.as_ref().is_some_and(|one| one.has_hypervisor()));
        let Identity { family, model, stepping, .. } = identity;
        let named = microarchitecture::look_up(&identity.vendor, family, model, stepping, efficient);
        let disguise = named.and_then(|named| disguise::uncover(&named, &identity.vendor, cpuid));
        Self {
            microarchitecture: disguise.map_or(named, |(_, least)| least),
            misnamed: disguise.map(|(misnamed, _)| misnamed),
            counter: Counter::read(&id, cpuid, &identity, hypervisor.as_deref()),
            caches: caches::read(&id, files),
            host: Host::read(files),
            identity,
            hypervisor,
            hybrid: host::is_hybrid(cpuid),
        }
    }

    /// Who made the CPU, and which one it is.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The core design, if it is a known one. Where [`misnamed`](Self::misnamed) says that the model number is another core's, the
    /// oldest design that it can be ("Golden Cove or later"), if its instruction sets tell.
    pub fn microarchitecture(&self) -> Option<Microarchitecture> {
        self.microarchitecture
    }

    /// That the model number is not this core's, as in guests whose hypervisor hides the model: what says so.
    ///
    /// ```
    /// if let Some(wrong) = fencepost::machine::Machine::detect().misnamed() {
    ///     println!("said to be {}, but has {}", wrong.named, wrong.has);
    /// }
    /// ```
    pub fn misnamed(&self) -> Option<Misnamed> {
        self.misnamed
    }

    /// The core design's name, or family and model where it is not known.
    pub fn name(&self) -> String {
        let Identity { family, model, .. } = self.identity;
        self.microarchitecture
            .map_or_else(|| format!("family {family:#x} model {model:#x}"), |known| known.name.to_owned())
    }

    /// Instructions that a core of this design issues in a cycle, where nothing fuses two of them, if known. On a hybrid machine that
    /// of the core that this was read on.
    pub fn issue_width(&self) -> Option<u8> {
        self.microarchitecture.and_then(|known| known.width)
    }

    /// NOPs that a core of this design issues in a cycle while it is alone, at the least, if known: what the gauge is held against. More than
    /// [`issue_width`](Self::issue_width) where NOPs are fused in pairs (Zen 4).
    pub fn nops_per_cycle(&self) -> Option<u8> {
        self.microarchitecture.and_then(|known| known.nops)
    }

    /// The published latency of `imul r64, r64` on this design, in cycles, if known.
    pub fn imul_latency(&self) -> Option<u8> {
        self.microarchitecture.and_then(|known| known.imul)
    }

    /// Proof that the time stamp counter ticks at one rate whatever the core's clock does.
    ///
    /// # Errors
    ///
    /// `CannotMeasure`, with what to do, where CPUID does not say so.
    pub fn invariant_tsc(&self) -> Result<InvariantTsc> {
        self.counter.invariant(self.is_guest())
    }

    /// There is a time stamp counter.
    pub fn has_tsc(&self) -> bool {
        self.counter.present
    }

    /// RDTSCP is there.
    pub fn has_rdtscp(&self) -> bool {
        self.counter.rdtscp
    }

    /// RDPRU is there and reads APERF.
    pub fn has_rdpru(&self) -> bool {
        self.counter.rdpru
    }

    /// How LFENCE is known to wait for what came before it.
    pub fn lfence(&self) -> Lfence {
        self.counter.lfence
    }

    /// What CPUID says of the counter's frequency, by source, the most exact first. Empty on AMD without a hypervisor that tells.
    pub fn tsc_frequencies(&self) -> &[TscFrequencySource] {
        &self.counter.frequencies
    }

    /// The caches that one core uses, nearest first.
    pub fn caches(&self) -> &[Cache] {
        &self.caches
    }

    /// The hypervisor's name; `None` on bare metal.
    pub fn hypervisor(&self) -> Option<&str> {
        self.hypervisor.as_deref()
    }

    /// A hypervisor runs below.
    pub fn is_guest(&self) -> bool {
        self.hypervisor.is_some()
    }

    /// Performance and efficiency cores in one package.
    pub fn is_hybrid(&self) -> bool {
        self.hybrid
    }

    /// The type of logical CPU `cpu`, where there are several.
    pub fn core_type(&self, cpu: usize) -> Option<CoreType> {
        self.host.core_type(cpu)
    }

    /// What the operating system says of the machine.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// Time stolen from logical CPU `cpu` by the hypervisor since boot, in hundredths of a second, as it is now on the running
    /// machine, whatever machine this describes; `None` if there is no such CPU.
    pub fn steal(&self, cpu: usize) -> Option<u64> {
        parse_steal(&SystemFiles.read("/proc/stat").ok()?, cpu).map(|steal| steal.stolen)
    }

    /// What a record keeps to tell one machine from another, as names and values. Two runs whose fingerprints differ were made on
    /// machines that may differ in cost.
    ///
    /// ```
    /// let fingerprint = fencepost::machine::Machine::detect().fingerprint();
    /// assert!(fingerprint.iter().any(|(name, value)| *name == "vendor" && !value.is_empty()));
    /// ```
    pub fn fingerprint(&self) -> Vec<(&'static str, String)> {
        let Identity { vendor, family, model, stepping, brand } = &self.identity;
        let caches: Vec<String> = self.caches.iter().map(ToString::to_string).collect();
        vec![
            ("vendor", vendor.clone()),
            ("cpu", format!("{family:#x}/{model:#x}/{stepping:#x}")),
            ("brand", brand.clone()),
            ("microarchitecture", self.name()),
            ("hypervisor", self.hypervisor.clone().unwrap_or_else(|| "none".to_owned())),
            ("caches", caches.join(", ")),
            ("kernel", self.host.kernel.clone().unwrap_or_default()),
            ("cpus", self.host.online.len().to_string()),
        ]
    }

    /// What about this machine affects a measurement on logical CPU `cpu`, the worst first.
    pub fn findings(&self, cpu: usize) -> Vec<Finding> {
        findings::all(self, cpu)
    }
}

/// Family, with the extended family where the base is 15 (Intel SDM volume 2, CPUID). Nonsense from a broken source saturates.
fn family(feature: &raw_cpuid::FeatureInfo) -> u8 {
    match feature.base_family_id() {
        0xf => feature.extended_family_id().saturating_add(0xf),
        base => base,
    }
}

/// The hypervisor's name by CPUID 4000_0000h, where leaf 1 ECX[31] says that there is one.
fn hypervisor<R: raw_cpuid::CpuIdReader>(id: &CpuId<R>, cpuid: &dyn Cpuid, present: bool) -> Option<String> {
    use raw_cpuid::Hypervisor;
    if !present {
        return None;
    }
    Some(match id.get_hypervisor_info().map(|info| info.identify()) {
        Some(Hypervisor::KVM) => "KVM".to_owned(),
        Some(Hypervisor::Xen) => "Xen".to_owned(),
        Some(Hypervisor::VMware) => "VMware".to_owned(),
        Some(Hypervisor::HyperV) => "Hyper-V".to_owned(),
        Some(Hypervisor::QEMU) => "QEMU (TCG)".to_owned(),
        Some(Hypervisor::Bhyve) => "bhyve".to_owned(),
        Some(Hypervisor::QNX) => "QNX".to_owned(),
        Some(Hypervisor::ACRN) => "ACRN".to_owned(),
        _ => {
            let [_, ebx, ecx, edx] = cpuid.leaf(0x4000_0000, 0);
            let bytes: Vec<u8> = [ebx, ecx, edx].iter().flat_map(|word| word.to_le_bytes()).collect();
            let name: String =
                bytes.iter().filter(|byte| byte.is_ascii_graphic()).map(|byte| char::from(*byte)).collect();
            if name.is_empty() { "unknown hypervisor".to_owned() } else { name }
        }
    })
}
