//! What about this machine affects a measurement, how, and what mends it? No advice that does not apply.

use super::{CoreType, Lfence, Machine, Misnamed};
use crate::order;

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
    let mut found = counter(machine);
    found.extend(core(machine, cpu));
    found.extend(clock(machine, cpu));
    found.extend(surroundings(machine, cpu));
    order::by(found, &|one, other| other.severity.cmp(&one.severity))
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
    if let Some(Misnamed { named, has }) = machine.misnamed() {
        let effect = match machine.microarchitecture() {
            Some(least) => format!(
                "the model number is another core's: this is taken for {}, whose issue width is learnt and not checked, and \
                 whose predictions and published figures may be of an older core",
                least.name
            ),
            None => "the model number is another core's, and which one this is cannot be told: its issue width is learnt and \
                     not checked, and no published figure applies"
                .to_owned(),
        };
        let value = format!("{:#x} ({named}), which has no {has}", machine.identity().model);
        found.push(finding("model", Severity::Warning, value, &effect));
    } else if machine.microarchitecture().is_none() {
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

/// Clock sources that read the TSC: those of KVM and Hyper-V scale it by what the hypervisor tells.
const READ_THE_TSC: [&str; 3] = ["tsc", "kvm-clock", "hyperv_clocksource_tsc_page"];

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
        let turbo = finding(
            "turbo",
            Severity::Note,
            "on",
            "the clock depends on heat and on other cores; cycles allow for it, nanoseconds do not",
        );
        // One file says that it is off, the other that it is on.
        found.push(match host.turbo_switch {
            Some(file) if file.ends_with("no_turbo") => turbo.mended_by(format!("echo 1 | sudo tee {file}")),
            Some(file) => turbo.mended_by(format!("echo 0 | sudo tee {file}")),
            None => turbo,
        });
    }
    if let Some(source) = host.clocksource.as_deref().filter(|source| !READ_THE_TSC.contains(source)) {
        let slow = finding(
            "clocksource",
            Severity::Warning,
            source,
            "the kernel does not trust the TSC, or its clock is slow to read: the TSC's frequency is known less well",
        );
        let offered = host.clocksources.iter().any(|one| one == "tsc");
        found.push(if offered {
            slow.mended_by(
                "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource",
            )
        } else {
            slow
        });
    }
    found
}

fn surroundings(machine: &Machine, cpu: usize) -> Vec<Finding> {
    let host = machine.host();
    let mut found = Vec::new();
    if let Some(name) = machine.hypervisor() {
        found.push(finding(
            "hypervisor",
            Severity::Warning,
            name,
            "neighbours share the core, its caches and the memory bus unseen, the TSC may be scaled, and the caches that CPUID tells \
             may not be the real ones; the gauge sees competition for issue slots, nothing here sees that for L3 and memory",
        ));
    }
    if let Some((_, steal)) = host.stolen.iter().find(|(one, steal)| *one == cpu && steal.stolen > 0) {
        found.push(finding(
            "steal_since_boot",
            Severity::Note,
            format!("{:.2} % of the time of CPU {cpu}", 100.0 * steal.share()),
            "the hypervisor runs others on this CPU: what it interrupts is far off and left out, and runs take longer",
        ));
    }
    found.extend(counters(machine));
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

/// What stands between this process and the core's own counters.
fn counters(machine: &Machine) -> Option<Finding> {
    const EFFECT: &str = "core cycles come from the clock ruler, not from a counter";
    let host = machine.host();
    let Some(device) = host.pmu_device else {
        let value = if machine.is_guest() { "none: the hypervisor does not pass one on" } else { "none" };
        return Some(finding("pmu", Severity::Note, value, EFFECT));
    };
    // Up to 2, a process may count its own time in user space. Debian and Android have levels above (perf_event_open(2)).
    if let Some(level) = host.perf_paranoid.filter(|level| *level > 2) {
        let value = format!("not permitted (perf_event_paranoid is {level})");
        let refused = finding("pmu", Severity::Note, value, EFFECT);
        return Some(refused.mended_by("sudo sysctl kernel.perf_event_paranoid=1"));
    }
    // Without RDPMC each read of the counter is a system call.
    (host.rdpmc == Some(0)).then(|| {
        finding(
            "rdpmc",
            Severity::Note,
            "not permitted",
            "the cycle counter cannot be read beside each slice, so core cycles come from the clock ruler",
        )
        .mended_by(format!("echo 1 | sudo tee /sys/bus/event_source/devices/{device}/rdpmc"))
    })
}
