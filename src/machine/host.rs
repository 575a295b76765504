//! What does the operating system say of this machine? Topology, clock policy, counters and kernel, from /proc and /sys.

use std::fmt;

use super::cpu_list::parse_cpu_list;
use super::sources::{Files, number, text};

/// The type of a core in a hybrid package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CoreType {
    /// A performance core.
    Performance,
    /// An efficiency core.
    Efficiency,
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
    /// The most it is allowed now, in kHz.
    pub limit_khz: Option<u64>,
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
    /// `/proc/sys/kernel/perf_event_paranoid`.
    pub perf_paranoid: Option<i32>,
    /// The kernel shows a core PMU.
    pub pmu: bool,
    /// `/sys/bus/event_source/devices/cpu*/rdpmc`: 0 never, 1 for the process's own events, 2 always.
    pub rdpmc: Option<u8>,
    /// Address space layout randomization: 0 off, 1 partly, 2 fully.
    pub aslr: Option<u8>,
    /// What the kernel keeps time with.
    pub clocksource: Option<String>,
    /// The kernel's release.
    pub kernel: Option<String>,
    /// The machine's product name.
    pub product: Option<String>,
}

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
        let pmus = ["cpu", "cpu_core", "cpu_atom"];
        let pmu = |name: &&str| files.read(&format!("/sys/bus/event_source/devices/{name}/type")).is_ok();
        Self {
            siblings,
            policies,
            performance: cpus("/sys/devices/cpu_core/cpus"),
            efficiency: cpus("/sys/devices/cpu_atom/cpus"),
            isolated: cpus("/sys/devices/system/cpu/isolated"),
            turbo: turbo(files),
            perf_paranoid: number(files, "/proc/sys/kernel/perf_event_paranoid"),
            pmu: pmus.iter().any(pmu),
            rdpmc: pmus
                .iter()
                .find_map(|name| number(files, &format!("/sys/bus/event_source/devices/{name}/rdpmc"))),
            aslr: number(files, "/proc/sys/kernel/randomize_va_space"),
            clocksource: text(files, "/sys/devices/system/clocksource/clocksource0/current_clocksource"),
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
            limit_khz: number(files, &path("scaling_max_freq")),
            most_khz: number(files, &path("cpuinfo_max_freq")),
            base_khz: number(files, &path("base_frequency")),
        }
    }
}

fn turbo(files: &dyn Files) -> Option<bool> {
    let off: Option<u8> = number(files, "/sys/devices/system/cpu/intel_pstate/no_turbo");
    off.map(|off| off == 0)
        .or_else(|| number::<u8>(files, "/sys/devices/system/cpu/cpufreq/boost").map(|boost| boost != 0))
}

/// The eighth number after the CPU's name in /proc/stat (proc(5)): time in involuntary wait, in hundredths of a second.
pub(super) fn steal(files: &dyn Files, cpu: usize) -> Option<u64> {
    let stat = files.read("/proc/stat").ok()?;
    let name = format!("cpu{cpu}");
    let line = stat.lines().find(|line| line.split_whitespace().next() == Some(&name))?;
    line.split_whitespace().nth(8)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::Recording;
    use super::*;

    #[test]
    fn steal_is_read_from_the_right_column_and_cpu() {
        let stat =
            "cpu  1 2 3 4 5 6 7 88 0 0\ncpu1 1 2 3 4 5 6 7 80 0 0\ncpu11 1 2 3 4 5 6 7 8 0 0\nintr 5\n";
        let files = Recording::default().with_file("/proc/stat", stat);
        assert_eq!(steal(&files, 1), Some(80));
        assert_eq!(steal(&files, 11), Some(8));
        assert_eq!(steal(&files, 0), None);
        assert_eq!(steal(&Recording::default().with_file("/proc/stat", "cpu0 1 2"), 0), None);
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
