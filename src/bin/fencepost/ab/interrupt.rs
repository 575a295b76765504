//! Has the user asked to stop? A flag that SIGINT, SIGTERM and SIGHUP set.

use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

static REQUESTED: AtomicBool = AtomicBool::new(false);

extern "C" fn request(_: libc::c_int) {
    REQUESTED.store(true, Ordering::Relaxed);
}

/// From now on the first such signal sets the flag, and the second one ends the process as usual. What the caller ignores
/// (`nohup`) stays ignored.
pub(crate) fn listen() {
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        let action = SigAction::new(SigHandler::Handler(request), SaFlags::SA_RESETHAND, SigSet::empty());
        // SAFETY: the handler does nothing but store to an atomic, which is allowed at any moment.
        let before = unsafe { sigaction(signal, &action) };
        if let Ok(before) = before
            && matches!(before.handler(), SigHandler::SigIgn)
        {
            // SAFETY: this puts back the disposition that the process was started with.
            let _ = unsafe { sigaction(signal, &before) };
        }
    }
}

/// Whether a signal has come.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
