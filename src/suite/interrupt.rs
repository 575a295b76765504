//! Was the run interrupted? The first Ctrl-C (or SIGTERM) asks it to end with what there is, the second one kills.

use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

static ASKED: AtomicBool = AtomicBool::new(false);

extern "C" fn note(_: i32) {
    ASKED.store(true, Ordering::Relaxed);
}

/// The handlers, while this lives; then the ones from before.
pub(super) struct Interrupt {
    before: Vec<(Signal, SigAction)>,
}

impl Interrupt {
    /// Listens from now on. Where the system refuses a handler, a signal does what it always did.
    pub(super) fn listen() -> Self {
        ASKED.store(false, Ordering::Relaxed);
        // Reset by the first signal, so that the second one finds the default and kills.
        let flags = SaFlags::SA_RESTART | SaFlags::SA_RESETHAND;
        let action = SigAction::new(SigHandler::Handler(note), flags, SigSet::empty());
        let before = [Signal::SIGINT, Signal::SIGTERM].into_iter().filter_map(|signal| {
            // SAFETY: the handler stores to an atomic, which is allowed at any moment.
            let before = unsafe { sigaction(signal, &action) }.ok()?;
            if matches!(before.handler(), SigHandler::SigIgn) {
                // Whoever started us (nohup, a shell's background job) wants it ignored.
                // SAFETY: gives back what the system just gave.
                let _ = unsafe { sigaction(signal, &before) };
                return None;
            }
            Some((signal, before))
        });
        Self { before: before.collect() }
    }

    /// Whether the run shall end.
    pub(super) fn asked(&self) -> bool {
        ASKED.load(Ordering::Relaxed)
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        for (signal, action) in &self.before {
            // SAFETY: gives back what was there before `listen`.
            let _ = unsafe { sigaction(*signal, action) };
        }
    }
}
