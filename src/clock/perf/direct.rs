//! How often does an event happen in a region too short for system calls? RDPMC on the event's page.

use super::event::Event;
use crate::clock::PerfCycles;
use crate::error::{Error, ErrorKind, Result};

/// A hardware event of this thread in user mode that is read without entering the kernel: some thirty cycles a reading.
#[derive(Debug)]
pub struct Direct {
    event: Event,
    page: PerfCycles,
}

impl Direct {
    /// Opens `event` for reading by RDPMC.
    ///
    /// # Errors
    ///
    /// - `Usage` for one of the kernel's own events: no instruction reads those.
    /// - `CannotMeasure`, with the errno, where there is no PMU, it is not permitted, or user mode may not read it.
    pub fn open(event: Event) -> Result<Self> {
        if event.is_software() {
            return Err(Error::new(ErrorKind::Usage, format!("{event} cannot be read by RDPMC"))
                .because("the kernel counts it, not the PMU")
                .remedy("count it with Counters"));
        }
        let (kind, config) = event.code();
        PerfCycles::open_event(kind, config).map(|page| Self { event, page })
    }

    /// The event.
    pub fn event(&self) -> Event {
        self.event
    }

    /// A running count, of which only differences mean anything; `None` while the event is on no counter.
    #[inline]
    pub fn read(&self) -> Option<u64> {
        self.page.count()
    }
}
