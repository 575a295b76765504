//! What does the run take of the machine? Memory, page faults and context switches of this process, as the kernel counts them.

use nix::sys::resource::{Usage, UsageWho, getrusage};

use crate::record::Resources;

/// The account when the run began.
#[derive(Debug)]
pub(super) struct Account(Option<Usage>);

impl Account {
    pub(super) fn open() -> Self {
        Self(getrusage(UsageWho::RUSAGE_SELF).ok())
    }

    /// What was used since; `None` where the kernel does not tell.
    pub(super) fn since(&self) -> Option<Resources> {
        let before = self.0.as_ref()?;
        let now = getrusage(UsageWho::RUSAGE_SELF).ok()?;
        let count = |of: fn(&Usage) -> i64| u64::try_from(of(&now) - of(before)).unwrap_or(0);
        Some(Resources {
            // In KiB (getrusage(2)).
            max_rss_bytes: u64::try_from(now.max_rss()).unwrap_or(0).saturating_mul(1024),
            minor_faults: count(|usage| usage.minor_page_faults()),
            major_faults: count(|usage| usage.major_page_faults()),
            voluntary_switches: count(|usage| usage.voluntary_context_switches()),
            involuntary_switches: count(|usage| usage.involuntary_context_switches()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_are_touched_are_counted_as_faults() {
        let account = Account::open();
        let pages = 512;
        let touched: Vec<u8> = std::hint::black_box(vec![1; pages * 4096]);
        let used = account.since().expect("Linux tells");
        // Huge pages make it fewer.
        assert!(used.minor_faults >= 1, "{used:?}");
        assert!(used.max_rss_bytes as usize >= touched.len(), "{used:?}");
    }
}
