//! Why can an event not be counted, and what mends it? One sentence for each reason.

use std::fmt;
use std::io;

use super::event::Event;

/// Events that could not be opened, all for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The events.
    pub events: Vec<Event>,
    /// The error's number (errno), if the kernel gave one.
    pub errno: Option<i32>,
    /// `/proc/sys/kernel/perf_event_paranoid`, if it can be read.
    pub paranoid: Option<i32>,
    /// The hypervisor's name, if there is one.
    pub hypervisor: Option<String>,
    /// What the operating system calls the error.
    pub message: String,
}

impl Refusal {
    pub(super) fn new(
        event: Event,
        error: &io::Error,
        paranoid: Option<i32>,
        hypervisor: Option<&str>,
    ) -> Self {
        Self {
            events: vec![event],
            errno: error.raw_os_error(),
            paranoid,
            hypervisor: hypervisor.map(str::to_owned),
            message: error.to_string(),
        }
    }

    /// The PMU is not there, as opposed to not permitted.
    pub fn is_absent(&self) -> bool {
        matches!(
            self.errno,
            Some(libc::ENOENT | libc::ENODEV | libc::EOPNOTSUPP | libc::ENOSYS | libc::EINVAL)
        )
    }

    /// The command or change that mends it.
    pub fn remedy(&self) -> String {
        if !self.is_absent() {
            return match self.paranoid {
                Some(level) if level > 2 || self.errno == Some(libc::EACCES) => {
                    "sudo sysctl kernel.perf_event_paranoid=1".to_owned()
                }
                _ => "give this program CAP_PERFMON, or take perf_event_open off the container's seccomp filter".to_owned(),
            };
        }
        match &self.hypervisor {
            Some(name) => format!(
                "{name} does not show the PMU to this guest: ask for a virtual PMU (QEMU: -cpu host,pmu=on) or measure on bare metal"
            ),
            None => "this CPU or kernel has no such event".to_owned(),
        }
    }
}

impl Refusal {
    /// What is not counted and why: events, errno, paranoid level, hypervisor.
    pub fn reason(&self) -> String {
        let names: Vec<&str> = self.events.iter().map(|event| event.name()).collect();
        let mut reason = format!("not counted: {} (perf_event_open: {}", names.join(", "), self.message);
        // The system's message usually holds the number already.
        if let Some(errno) = self.errno.filter(|errno| !self.message.contains(&format!("os error {errno}"))) {
            reason.push_str(&format!(", errno {errno}"));
        }
        if let Some(level) = self.paranoid {
            reason.push_str(&format!(", perf_event_paranoid {level}"));
        }
        reason.push_str(&match &self.hypervisor {
            Some(name) => format!(", in a guest of {name})"),
            None => ", no hypervisor)".to_owned(),
        });
        reason
    }
}

/// Events, errno, paranoid level, hypervisor, and what to do.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.reason(), self.remedy())?;
        if self.events.contains(&Event::Cycles) {
            f.write_str("; core cycles come from the clock ruler meanwhile")?;
        }
        Ok(())
    }
}

/// Adds a refusal to those for the same reason, so that each is said once.
pub(super) fn add(refusals: &mut Vec<Refusal>, refusal: Refusal) {
    match refusals.iter_mut().find(|known| known.errno == refusal.errno && known.message == refusal.message) {
        Some(known) => known.events.extend(refusal.events),
        None => refusals.push(refusal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(errno: i32, paranoid: Option<i32>, hypervisor: Option<&str>) -> Refusal {
        Refusal::new(Event::Cycles, &io::Error::from_raw_os_error(errno), paranoid, hypervisor)
    }

    #[test]
    fn a_guest_without_a_pmu_is_told_apart_from_a_forbidden_one() {
        let absent = refusal(libc::ENOENT, Some(2), Some("KVM"));
        assert!(absent.is_absent());
        let text = absent.to_string();
        for word in ["cycles", "os error 2", "perf_event_paranoid 2", "KVM", "pmu=on", "clock ruler"] {
            assert!(text.contains(word), "{word} is not in {text}");
        }
        let forbidden = refusal(libc::EACCES, Some(4), None).to_string();
        assert!(forbidden.contains("os error 13") && forbidden.contains("sudo sysctl"), "{forbidden}");
        assert!(!forbidden.contains("guest"));
        assert!(refusal(libc::EPERM, Some(1), None).to_string().contains("CAP_PERFMON"));
    }

    #[test]
    fn each_reason_is_said_once() {
        let mut all = Vec::new();
        for event in Event::ALL {
            add(&mut all, Refusal { events: vec![event], ..refusal(libc::ENOENT, None, None) });
        }
        add(&mut all, refusal(libc::EACCES, None, None));
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].events.len(), Event::ALL.len());
    }
}
