//! What does the operating system say of this machine? Topology, clock policy, counters and kernel, from /proc and /sys.

use std::fmt;

use super::cpu_list::parse_cpu_list;
use super::sources::{Cpuid, Files, number, text};
use super::steal::{Steal, parse_steal};

/// The type of a core in a hybrid package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CoreType {
    /// A performance core.
    Performance,
    /// An efficiency core.
    Efficiency,
}

impl CoreType {
    /// The type of the core that `cpuid` answers from, by leaf 1Ah (Intel SDM volume 2, CPUID); `None` on a machine that has but one
    /// type, and for a type that is not known. With [`NativeCpuid`](super::NativeCpuid) that is the core that the thread is on:
    /// pin the thread first.
    ///
    /// ```
    /// use fencepost::machine::{CoreType, NativeCpuid};
    /// println!("{:?}", CoreType::of_current_core(&NativeCpuid));
    /// ```
    pub fn of_current_core(cpuid: &dyn Cpuid) -> Option<Self> {
        if !is_hybrid(cpuid) || cpuid.leaf(0, 0)[0] < 0x1a {
            return None;
        }
        match cpuid.leaf(0x1a, 0)[0] >> 24 {
            0x20 => Some(CoreType::Efficiency),
            0x40 => Some(CoreType::Performance),
            _ => None,
        }
    }
}

/// Performance and efficiency cores in one package: CPUID 7 EDX[15].
pub(super) fn is_hybrid(cpuid: &dyn Cpuid) -> bool {
    cpuid.leaf(0, 0)[0] >= 7 && cpuid.leaf(7, 0)[3] & (1 << 15) != 0
}

impl fmt::Display for CoreType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CoreType::Performance => "P",
            CoreType::Efficiency => "E",
        })
    }
}

/// What one logical CPU may clock at, and by whose decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClockPolicy {
    /// Scaling governor: `performance`, `powersave`, ...
    pub governor: Option<String>,
    /// Scaling driver: `intel_pstate`, `amd-pstate`, `acpi-cpufreq`, ...
    pub driver: Option<String>,
    /// The least it is allowed now, in kHz.
    pub floor_khz: Option<u64>,
    /// The most it is allowed now, in kHz.
    pub limit_khz: Option<u64>,
    /// The least it can, in kHz.
    pub least_khz: Option<u64>,
    /// The most it can, in kHz.
    pub most_khz: Option<u64>,
    /// Its base frequency, in kHz.
    pub base_khz: Option<u64>,
}

/// What /proc and /sys say. Each is `None` where the file is missing or makes no sense.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// Logical CPUs that are online.
    pub online: Vec<usize>,
    /// SMT siblings of each online CPU, itself included.
    pub siblings: Vec<(usize, Vec<usize>)>,
    /// Performance cores of a hybrid package.
    pub performance: Vec<usize>,
    /// Efficiency cores of a hybrid package.
    pub efficiency: Vec<usize>,
    /// CPUs kept free of other work (`isolcpus`).
    pub isolated: Vec<usize>,
    /// Clock policy of each online CPU that has one.
    pub policies: Vec<(usize, ClockPolicy)>,
    /// Whether turbo is allowed.
    pub turbo: Option<bool>,
    /// The file that says so, and that switches it.
    pub turbo_switch: Option<&'static str>,
    /// `/proc/sys/kernel/perf_event_paranoid`.
    pub perf_paranoid: Option<i32>,
    /// The kernel shows a core PMU.
    pub pmu: bool,
    /// Its name below `/sys/bus/event_source/devices`: `cpu`, or `cpu_core` on a hybrid machine.
    pub pmu_device: Option<&'static str>,
    /// `/sys/bus/event_source/devices/cpu*/rdpmc`: 0 never, 1 for the process's own events, 2 always.
    pub rdpmc: Option<u8>,
    /// Address space layout randomization: 0 off, 1 partly, 2 fully.
    pub aslr: Option<u8>,
    /// What the kernel keeps time with.
    pub clocksource: Option<String>,
    /// What it could keep time with.
    pub clocksources: Vec<String>,
    /// Transparent huge pages: `always`, `madvise` or `never`.
    pub huge_pages: Option<String>,
    /// Stolen time of each online CPU since boot, as it was when this was read.
    pub stolen: Vec<(usize, Steal)>,
    /// The kernel's release.
    pub kernel: Option<String>,
    /// The machine's product name.
    pub product: Option<String>,
}

/// The core's counters by the name of their device; on a hybrid machine those of its two types of cores.
const PMUS: [&str; 3] = ["cpu", "cpu_core", "cpu_atom"];

/// On larger machines only so many CPUs are looked at one by one: each costs several files.
const MOST: usize = 64;

impl Host {
    pub(super) fn read(files: &dyn Files) -> Self {
        let cpus = |path: &str| text(files, path).and_then(|list| parse_cpu_list(&list)).unwrap_or_default();
        let online = cpus("/sys/devices/system/cpu/online");
        let siblings = online
            .iter()
            .take(MOST)
            .map(|cpu| {
                (*cpu, cpus(&format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")))
            })
            .filter(|(_, siblings)| !siblings.is_empty())
            .collect();
        let policies = online
            .iter()
            .take(MOST)
            .map(|cpu| (*cpu, ClockPolicy::read(files, *cpu)))
            .filter(|(_, policy)| *policy != ClockPolicy::default())
            .collect();
        let stat = files.read("/proc/stat").unwrap_or_default();
        let stolen = online
            .iter()
            .take(MOST)
            .filter_map(|cpu| parse_steal(&stat, *cpu).map(|steal| (*cpu, steal)))
            .collect();
        let pmu_device = PMUS
            .into_iter()
            .find(|name| files.read(&format!("/sys/bus/event_source/devices/{name}/type")).is_ok());
        let turbo = turbo(files);
        Self {
            stolen,
            siblings,
            policies,
            performance: cpus("/sys/devices/cpu_core/cpus"),
            efficiency: cpus("/sys/devices/cpu_atom/cpus"),
            isolated: cpus("/sys/devices/system/cpu/isolated"),
            turbo: turbo.map(|(on, _)| on),
            turbo_switch: turbo.map(|(_, file)| file),
            perf_paranoid: number(files, "/proc/sys/kernel/perf_event_paranoid"),
            pmu: pmu_device.is_some(),
            pmu_device,
            rdpmc: pmu_device
                .and_then(|name| number(files, &format!("/sys/bus/event_source/devices/{name}/rdpmc"))),
            aslr: number(files, "/proc/sys/kernel/randomize_va_space"),
            clocksource: text(files, "/sys/devices/system/clocksource/clocksource0/current_clocksource"),
            clocksources: text(files, "/sys/devices/system/clocksource/clocksource0/available_clocksource")
                .map(|list| list.split_whitespace().map(str::to_owned).collect())
                .unwrap_or_default(),
            huge_pages: text(files, "/sys/kernel/mm/transparent_hugepage/enabled")
                .and_then(|list| chosen(&list)),
            kernel: text(files, "/proc/sys/kernel/osrelease"),
            product: text(files, "/sys/devices/virtual/dmi/id/product_name"),
            online,
        }
    }

    /// The type of logical CPU `cpu`, where there are several.
    pub fn core_type(&self, cpu: usize) -> Option<CoreType> {
        if self.performance.contains(&cpu) && !self.efficiency.is_empty() {
            Some(CoreType::Performance)
        } else if self.efficiency.contains(&cpu) && !self.performance.is_empty() {
            Some(CoreType::Efficiency)
        } else {
            None
        }
    }

    /// The other logical CPUs on the same core as `cpu`.
    pub fn siblings_of(&self, cpu: usize) -> Vec<usize> {
        self.siblings
            .iter()
            .find(|(one, _)| *one == cpu)
            .map(|(_, siblings)| siblings.iter().copied().filter(|other| *other != cpu).collect())
            .unwrap_or_default()
    }

    /// The clock policy of `cpu`.
    pub fn policy(&self, cpu: usize) -> Option<&ClockPolicy> {
        self.policies.iter().find(|(one, _)| *one == cpu).map(|(_, policy)| policy)
    }
}

impl ClockPolicy {
    fn read(files: &dyn Files, cpu: usize) -> Self {
        let path = |name: &str| format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/{name}");
        Self {
            governor: text(files, &path("scaling_governor")),
            driver: text(files, &path("scaling_driver")),
            floor_khz: number(files, &path("scaling_min_freq")),
            limit_khz: number(files, &path("scaling_max_freq")),
            least_khz: number(files, &path("cpuinfo_min_freq")),
            most_khz: number(files, &path("cpuinfo_max_freq")),
            base_khz: number(files, &path("base_frequency")),
        }
    }
}

/// Whether turbo is on, and the file that says so.
fn turbo(files: &dyn Files) -> Option<(bool, &'static str)> {
    const NO_TURBO: &str = "/sys/devices/system/cpu/intel_pstate/no_turbo";
    const BOOST: &str = "/sys/devices/system/cpu/cpufreq/boost";
    let flag = |file| number::<u8>(files, file).map(|value| value != 0);
    flag(NO_TURBO).map(|off| (!off, NO_TURBO)).or_else(|| flag(BOOST).map(|on| (on, BOOST)))
}

/// The word in brackets, by which the kernel marks a choice: `always [madvise] never`.
fn chosen(list: &str) -> Option<String> {
    let word = list.split_whitespace().find_map(|word| word.strip_prefix('[')?.strip_suffix(']'))?;
    (!word.is_empty()).then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::Recording;
    use super::*;

    #[test]
    fn the_core_type_is_told_only_where_there_are_several() {
        let core = |largest, hybrid: bool, kind: u32| {
            let recording = Recording::default()
                .with_leaf(0, 0, [largest, 0, 0, 0])
                .with_leaf(7, 0, [0, 0, 0, u32::from(hybrid) << 15])
                .with_leaf(0x1a, 0, [kind << 24 | 1, 0, 0, 0]);
            CoreType::of_current_core(&recording)
        };
        assert_eq!(core(0x20, true, 0x40), Some(CoreType::Performance));
        assert_eq!(core(0x20, true, 0x20), Some(CoreType::Efficiency));
        assert_eq!(core(0x20, true, 0x10), None);
        assert_eq!(core(0x20, false, 0x20), None);
        assert_eq!(core(0x16, true, 0x20), None);
        assert_eq!(core(0, true, 0x20), None);
    }

    #[test]
    fn turbo_is_told_with_the_file_that_switches_it() {
        let told = |path: &str, value: &str| {
            let host = Host::read(&Recording::default().with_file(path, value));
            (host.turbo, host.turbo_switch.map(|file| file == path))
        };
        assert_eq!(told("/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n"), (Some(true), Some(true)));
        assert_eq!(told("/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n"), (Some(false), Some(true)));
        assert_eq!(told("/sys/devices/system/cpu/cpufreq/boost", "1\n"), (Some(true), Some(true)));
        assert_eq!(told("/sys/devices/system/cpu/cpufreq/boost", "maybe\n"), (None, None));
    }

    #[test]
    fn the_kernels_choice_is_the_word_in_brackets() {
        assert_eq!(chosen("always [madvise] never").as_deref(), Some("madvise"));
        assert_eq!((chosen("always"), chosen("[]"), chosen("")), (None, None, None));
    }

    #[test]
    fn garbage_in_files_is_left_out() {
        let files = Recording::default()
            .with_file("/sys/devices/system/cpu/online", "zero to three")
            .with_file("/proc/sys/kernel/perf_event_paranoid", "\u{0}\u{1}")
            .with_file("/proc/sys/kernel/randomize_va_space", "99999");
        assert_eq!(Host::read(&files), Host::default());
    }
}
