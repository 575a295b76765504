//! Which core does this thread run on, and is it held there?

use std::marker::PhantomData;

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

use crate::error::{Error, ErrorKind, Result};
use crate::order;

/// Proof that this thread is bound to one logical CPU: the affinity was set and read back. The thread's
/// earlier affinity comes back when it is dropped, also while a panic unwinds. It cannot be sent to
/// another thread, because affinity belongs to the thread that set it.
#[derive(Debug)]
pub struct PinnedCore {
    core: usize,
    before: CpuSet,
    not_send: PhantomData<*const ()>,
}

/// The logical CPUs that this thread may run on, in ascending order.
///
/// # Errors
///
/// `CannotMeasure` when the kernel does not tell (a sandbox that forbids `sched_getaffinity`).
pub fn allowed_cores() -> Result<Vec<usize>> {
    let cores = core_affinity::get_core_ids().ok_or_else(|| {
        Error::new(ErrorKind::CannotMeasure, "the kernel did not tell which cores this thread may run on")
            .because("without its affinity a thread cannot be held on one core")
            .remedy("allow the system call sched_getaffinity in this sandbox")
    })?;
    let ids: Vec<usize> = cores.into_iter().map(|core| core.id).collect();
    Ok(order::by(ids, &|one, other| one.cmp(other)))
}

impl PinnedCore {
    /// Binds this thread to logical CPU `core` and reads the affinity back.
    ///
    /// # Errors
    ///
    /// `Usage` when `core` is not among the CPUs that this thread may use (it does not exist, is offline, or a
    /// cpuset or `taskset` excludes it); `CannotMeasure` when the kernel refuses to pin.
    ///
    /// ```
    /// use fencepost::tsc::{PinnedCore, allowed_cores};
    /// let before = allowed_cores()?;
    /// {
    ///     let pinned = PinnedCore::pin(before[0])?;
    ///     assert_eq!(allowed_cores()?, [pinned.core()]);
    /// }
    /// assert_eq!(allowed_cores()?, before);
    /// # Ok::<(), fencepost::Error>(())
    /// ```
    pub fn pin(core: usize) -> Result<Self> {
        let this_thread = Pid::from_raw(0);
        let allowed = allowed_cores()?;
        if !allowed.contains(&core) {
            return Err(Error::new(
                ErrorKind::Usage,
                format!("core {core} cannot be used: this thread may run on {}", list(&allowed)),
            )
            .because("the core does not exist, is offline, or a cpuset or taskset excludes it")
            .remedy("choose one of those, or leave the choice to fencepost with --core auto"));
        }
        let before =
            sched_getaffinity(this_thread).map_err(|errno| refused(core, "sched_getaffinity", errno))?;
        // From here on the drop restores what was there, whatever comes of binding.
        let mut pinned = Self { core, before, not_send: PhantomData };
        pinned.bind(core)?;
        Ok(pinned)
    }

    /// Binds to another logical CPU instead, of those that the thread might use before it was pinned.
    ///
    /// # Errors
    ///
    /// As for [`pin`](Self::pin); the thread then stays bound as it was, as far as the kernel lets it.
    pub fn move_to(&mut self, core: usize) -> Result<()> {
        if !self.before.is_set(core).unwrap_or(false) {
            return Err(Error::new(ErrorKind::Usage, format!("core {core} cannot be used"))
                .because("it was not among the cores of this thread when it was pinned")
                .remedy("choose one of those"));
        }
        self.bind(core)
    }

    fn bind(&mut self, core: usize) -> Result<()> {
        let this_thread = Pid::from_raw(0);
        let mut only = CpuSet::new();
        only.set(core).map_err(|errno| refused(core, "CPU_SET", errno))?;
        sched_setaffinity(this_thread, &only).map_err(|errno| refused(core, "sched_setaffinity", errno))?;
        let now =
            sched_getaffinity(this_thread).map_err(|errno| refused(core, "sched_getaffinity", errno))?;
        if now != only {
            return Err(Error::new(
                ErrorKind::CannotMeasure,
                format!("core {core} was set as this thread's only core, but another set was read back"),
            )
            .because("something else (a cpuset, an emulator) decides where this thread runs")
            .remedy("run outside that control, or choose a core that it leaves to you"));
        }
        self.core = core;
        Ok(())
    }

    /// The logical CPU that this thread is held on.
    pub fn core(&self) -> usize {
        self.core
    }
}

impl Drop for PinnedCore {
    fn drop(&mut self) {
        // Nothing useful can be done where the kernel now refuses what it allowed before.
        let _ = sched_setaffinity(Pid::from_raw(0), &self.before);
    }
}

fn refused(core: usize, doing: &str, errno: nix::Error) -> Error {
    Error::new(ErrorKind::CannotMeasure, format!("cannot pin to core {core}: {doing} failed ({errno})"))
        .because("a thread that the scheduler moves reads different counters and caches")
        .remedy("allow sched_setaffinity and sched_getaffinity for this process (container seccomp profile)")
        .caused_by(errno)
}

/// Cores as people write them: `0-3,8`.
fn list(cores: &[usize]) -> String {
    let mut text = String::new();
    let mut rest = cores;
    while let Some((&first, _)) = rest.split_first() {
        let run = rest.iter().zip(first..).take_while(|(core, expected)| **core == *expected).count();
        if !text.is_empty() {
            text.push(',');
        }
        text.push_str(&first.to_string());
        if run > 1 {
            text.push_str(&format!("-{}", first + run - 1));
        }
        rest = &rest[run..];
    }
    if text.is_empty() { "no core".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_listed_as_people_write_them() {
        assert_eq!(list(&[0, 1, 2, 3, 8, 10, 11]), "0-3,8,10-11");
        assert_eq!(list(&[5]), "5");
        assert_eq!(list(&[]), "no core");
    }

    #[test]
    fn a_core_that_does_not_exist_is_refused_with_the_cores_that_do() {
        let error = PinnedCore::pin(100_000).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert!(error.to_string().contains("core 100000 cannot be used: this thread may run on"), "{error}");
    }

    #[test]
    fn a_pinned_thread_can_be_moved_and_still_comes_back() {
        let before = allowed_cores().unwrap();
        {
            let mut pinned = PinnedCore::pin(before[0]).unwrap();
            let last = before[before.len() - 1];
            pinned.move_to(last).unwrap();
            assert_eq!((pinned.core(), allowed_cores().unwrap()), (last, vec![last]));
            assert!(pinned.move_to(100_000).is_err());
            assert_eq!(allowed_cores().unwrap(), [last]);
        }
        assert_eq!(allowed_cores().unwrap(), before);
    }

    #[test]
    fn the_affinity_comes_back_after_a_panic() {
        let before = allowed_cores().unwrap();
        let result = std::panic::catch_unwind(|| {
            let _pinned = PinnedCore::pin(allowed_cores().unwrap()[0]).unwrap();
            panic!("a kernel that panics");
        });
        assert!(result.is_err());
        assert_eq!(allowed_cores().unwrap(), before);
    }
}
