//! What about this machine affects a measurement, how, and what mends it? No advice that does not apply.

use super::{CoreType, Lfence, Machine};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know; the numbers allow for it.
    Note,
    /// Numbers may be affected.
    Warning,
    /// Numbers are affected, or cannot be had.
    Serious,
}

/// Something about the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Stable name.
    pub id: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What was found.
    pub value: String,
    /// What it does to a measurement.
    pub effect: String,
    /// The command that mends it; `None` if nothing here can.
    pub remedy: Option<String>,
}

fn finding(id: &'static str, severity: Severity, value: impl Into<String>, effect: &str) -> Finding {
    Finding { id, severity, value: value.into(), effect: effect.to_owned(), remedy: None }
}

impl Finding {
    fn mended_by(mut self, command: impl Into<String>) -> Self {
        self.remedy = Some(command.into());
        self
    }
}

/// All findings for measuring on `cpu`, the worst first.
pub(super) fn all(machine: &Machine, cpu: usize) -> Vec<Finding> {
    let mut found: Vec<Finding> = counter(machine)
        .into_iter()
        .chain(core(machine, cpu))
        .chain(clock(machine, cpu))
        .chain(surroundings(machine))
        .collect();
    found.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    found
}

fn counter(machine: &Machine) -> Vec<Finding> {
    let mut found = Vec::new();
    if let Err(error) = machine.invariant_tsc() {
        found.push(finding("tsc", Severity::Serious, "not invariant", &error.to_string()));
    }
    if !machine.has_rdtscp() {
        found.push(finding(
            "rdtscp",
            Severity::Serious,
            "missing",
            "no timed region can be closed, and no core be told",
        ));
    }
    if machine.lfence() == Lfence::Unverified {
        found.push(finding(
            "lfence",
            Severity::Warning,
            machine.lfence().to_string(),
            "the borders of timed regions may be blurred by what the core has in flight; slopes cancel most of it",
        ));
    }
    if machine.microarchitecture().is_none() {
        found.push(finding(
            "microarchitecture",
            Severity::Note,
            machine.name(),
            "this core design is not known here: its issue width is learnt and not checked, and no published figure applies",
        ));
    }
    found
}

fn core(machine: &Machine, cpu: usize) -> Vec<Finding> {
    let host = machine.host();
    let mut found = Vec::new();
    let siblings = host.siblings_of(cpu);
    if let Some(sibling) = siblings.first() {
        let names: Vec<String> = siblings.iter().map(ToString::to_string).collect();
        found.push(
            finding(
                "smt",
                Severity::Note,
                format!("CPU {cpu} shares its core with CPU {}", names.join(", ")),
                "work there takes issue slots; slices that meet it are labelled contended and left out",
            )
            .mended_by(format!("echo 0 | sudo tee /sys/devices/system/cpu/cpu{sibling}/online")),
        );
    }
    if let Some(kind) = machine.core_type(cpu) {
        let (other, mine) = match kind {
            CoreType::Performance => ("efficiency", "a performance core"),
            CoreType::Efficiency => ("performance", "an efficiency core"),
        };
        found.push(finding(
            "hybrid",
            Severity::Note,
            format!("CPU {cpu} is {mine}"),
            &format!("results hold for this type of core; {other} cores are other machines"),
        ));
    }
    found
}

fn clock(machine: &Machine, cpu: usize) -> Vec<Finding> {
    let host = machine.host();
    let mut found = Vec::new();
    if let Some(policy) = host.policy(cpu) {
        if let Some(governor) = policy.governor.as_deref().filter(|governor| *governor != "performance") {
            found.push(
                finding(
                    "governor",
                    Severity::Note,
                    governor,
                    "the clock changes with load; cycles allow for it, nanoseconds hold for the clock of this run",
                )
                .mended_by("sudo cpupower frequency-set -g performance"),
            );
        }
        if let (Some(limit), Some(most)) = (policy.limit_khz, policy.most_khz)
            && limit < most
        {
            found.push(
                finding(
                    "frequency_limit",
                    Severity::Note,
                    format!("{} of {} MHz", limit / 1000, most / 1000),
                    "nanoseconds are those of a core that is held back",
                )
                .mended_by(format!("sudo cpupower frequency-set -u {most}")),
            );
        }
    }
    if host.turbo == Some(true) {
        let switch = match host.policy(cpu).and_then(|policy| policy.driver.as_deref()) {
            Some(driver) if driver.starts_with("intel") => {
                "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
            }
            _ => "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost",
        };
        found.push(
            finding(
                "turbo",
                Severity::Note,
                "on",
                "the clock depends on heat and on other cores; cycles allow for it, nanoseconds do not",
            )
            .mended_by(switch),
        );
    }
    if let Some(source) = host.clocksource.as_deref().filter(|source| !matches!(*source, "tsc" | "kvm-clock"))
    {
        found.push(finding(
            "clocksource",
            Severity::Warning,
            source,
            "the kernel does not trust the TSC, or its clock is slow to read: the TSC's frequency is known less well",
        ));
    }
    found
}

fn surroundings(machine: &Machine) -> Vec<Finding> {
    let host = machine.host();
    let mut found = Vec::new();
    if let Some(name) = machine.hypervisor() {
        found.push(finding(
            "hypervisor",
            Severity::Warning,
            name,
            "neighbours share the core, its caches and the memory bus unseen, and the caches that CPUID tells may not \
             be the real ones; the gauge sees competition for issue slots, nothing here sees that for L3 and memory",
        ));
    }
    let paranoid = host.perf_paranoid;
    if !host.pmu {
        let effect = "core cycles come from the clock ruler, not from a counter";
        let value = if machine.is_guest() { "none: the hypervisor does not pass one on" } else { "none" };
        found.push(finding("pmu", Severity::Note, value, effect));
    } else if paranoid.is_some_and(|level| level > 2) {
        found.push(
            finding(
                "pmu",
                Severity::Note,
                format!("not permitted (perf_event_paranoid is {})", paranoid.unwrap_or_default()),
                "core cycles come from the clock ruler, not from a counter",
            )
            .mended_by("sudo sysctl kernel.perf_event_paranoid=1"),
        );
    }
    if host.aslr.is_some_and(|level| level > 0) {
        found.push(
            finding(
                "aslr",
                Severity::Note,
                "on",
                "code and data lie elsewhere in each process, so layout effects differ from run to run",
            )
            .mended_by("setarch -R COMMAND"),
        );
    }
    found
}
