//! Which events are there? Their names, and what perf_event_open(2) calls them.

use perf_event_open_sys::bindings as sys;

/// Something that can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Event {
    /// Core cycles.
    Cycles,
    /// Instructions retired.
    Instructions,
    /// Branch instructions retired.
    Branches,
    /// Branches that were mispredicted.
    BranchMisses,
    /// Loads that missed the first-level data cache.
    L1dMisses,
    /// Accesses that missed the last-level cache.
    LlcMisses,
    /// Cycles in which the front end delivered nothing.
    FrontendStalls,
    /// Cycles in which the back end took nothing.
    BackendStalls,
    /// Page faults, minor and major.
    PageFaults,
    /// Context switches.
    ContextSwitches,
    /// Moves to another CPU.
    Migrations,
    /// Nanoseconds on a CPU.
    TaskClock,
}

impl Event {
    /// All events, hardware first.
    pub const ALL: [Self; 12] = [
        Self::Cycles,
        Self::Instructions,
        Self::Branches,
        Self::BranchMisses,
        Self::L1dMisses,
        Self::LlcMisses,
        Self::FrontendStalls,
        Self::BackendStalls,
        Self::PageFaults,
        Self::ContextSwitches,
        Self::Migrations,
        Self::TaskClock,
    ];

    /// Its name, as results carry it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cycles => "cycles",
            Self::Instructions => "instructions",
            Self::Branches => "branches",
            Self::BranchMisses => "branch_misses",
            Self::L1dMisses => "l1d_misses",
            Self::LlcMisses => "llc_misses",
            Self::FrontendStalls => "frontend_stalls",
            Self::BackendStalls => "backend_stalls",
            Self::PageFaults => "page_faults",
            Self::ContextSwitches => "context_switches",
            Self::Migrations => "migrations",
            Self::TaskClock => "task_clock_ns",
        }
    }

    /// The kernel counts it itself; it needs no PMU.
    pub const fn is_software(self) -> bool {
        matches!(self, Self::PageFaults | Self::ContextSwitches | Self::Migrations | Self::TaskClock)
    }

    /// Type and configuration for perf_event_open(2).
    pub(super) fn code(self) -> (u32, u64) {
        // "Hardware cache": id, operation << 8, result << 16.
        let cache = |id: u32| {
            let (read, miss) = (sys::PERF_COUNT_HW_CACHE_OP_READ, sys::PERF_COUNT_HW_CACHE_RESULT_MISS);
            (sys::PERF_TYPE_HW_CACHE, u64::from(id) | u64::from(read) << 8 | u64::from(miss) << 16)
        };
        let hardware = |id: u32| (sys::PERF_TYPE_HARDWARE, u64::from(id));
        let software = |id: u32| (sys::PERF_TYPE_SOFTWARE, u64::from(id));
        match self {
            Self::Cycles => hardware(sys::PERF_COUNT_HW_CPU_CYCLES),
            Self::Instructions => hardware(sys::PERF_COUNT_HW_INSTRUCTIONS),
            Self::Branches => hardware(sys::PERF_COUNT_HW_BRANCH_INSTRUCTIONS),
            Self::BranchMisses => hardware(sys::PERF_COUNT_HW_BRANCH_MISSES),
            Self::L1dMisses => cache(sys::PERF_COUNT_HW_CACHE_L1D),
            Self::LlcMisses => hardware(sys::PERF_COUNT_HW_CACHE_MISSES),
            Self::FrontendStalls => hardware(sys::PERF_COUNT_HW_STALLED_CYCLES_FRONTEND),
            Self::BackendStalls => hardware(sys::PERF_COUNT_HW_STALLED_CYCLES_BACKEND),
            Self::PageFaults => software(sys::PERF_COUNT_SW_PAGE_FAULTS),
            Self::ContextSwitches => software(sys::PERF_COUNT_SW_CONTEXT_SWITCHES),
            Self::Migrations => software(sys::PERF_COUNT_SW_CPU_MIGRATIONS),
            Self::TaskClock => software(sys::PERF_COUNT_SW_TASK_CLOCK),
        }
    }

    /// The group that it is counted in: no more events in one than a PMU with four counters has room for beside its fixed ones.
    pub(super) const fn group(self) -> usize {
        match self {
            Self::Cycles | Self::Instructions | Self::Branches | Self::BranchMisses => 0,
            Self::L1dMisses | Self::LlcMisses => 1,
            Self::FrontendStalls | Self::BackendStalls => 2,
            Self::PageFaults | Self::ContextSwitches | Self::Migrations => 3,
            // Alone: after the first reset Linux misreads a task clock that another event leads.
            Self::TaskClock => 4,
        }
    }
}

impl std::fmt::Display for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_manual_page_and_differ() {
        assert_eq!(Event::Cycles.code(), (0, 0));
        assert_eq!(Event::Instructions.code(), (0, 1));
        // PERF_TYPE_HW_CACHE, L1D | READ << 8 | MISS << 16.
        assert_eq!(Event::L1dMisses.code(), (3, 0x1_0000));
        assert_eq!(Event::PageFaults.code(), (1, 2));
        for (at, event) in Event::ALL.iter().enumerate() {
            assert!(
                Event::ALL[..at]
                    .iter()
                    .all(|other| other.code() != event.code() && other.name() != event.name())
            );
            assert_eq!(event.is_software(), event.code().0 == 1);
        }
    }

    #[test]
    fn no_group_needs_more_than_four_counters() {
        for group in 0..5 {
            let events: Vec<_> = Event::ALL.iter().filter(|event| event.group() == group).collect();
            assert!((1..=4).contains(&events.len()));
            assert!(events.iter().all(|event| event.is_software() == (group >= 3)));
        }
    }
}
