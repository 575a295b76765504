//! How does the parent hold the child? It forks it, asks for slices, waits with a limit, and ends and reaps it in every case.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;

use super::blob::{Blob, Entry, slot};
use super::child::{self, ALLOWED};
use super::filter;
use super::memory::Region;
use super::verdict::{Fault, refusal};
use crate::asm::program::{Program, Refusal, RefusalClass};
use crate::error::{Error, ErrorKind, Result};

/// Processor time of the child after which one call of it is endless, and time by the clock.
const MOST_BUSY: Duration = Duration::from_millis(100);
const MOST_WAIT: Duration = Duration::from_secs(10);
/// How long the parent sleeps before it looks whether the child is still there.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// A child process with one program.
pub(super) struct Child {
    region: Region,
    pid: Pid,
    reaped: bool,
    entries: [Entry; 2],
    blob: Blob,
    body: Vec<u8>,
    served: u32,
    /// What one turn of each function has taken at most.
    per_turn: [Duration; 2],
}

/// What one slice read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) start: u64,
    pub(super) stop: u64,
    pub(super) core: u32,
}

impl Child {
    /// Forks it.
    pub(super) fn start(blob: &Blob, program: &Program) -> Result<Self> {
        let region = Region::new(blob, &program.fill)?;
        let control = region.control();
        control.parent.store(std::process::id(), Ordering::Relaxed);
        control.word.store(u64::from(program.fill.word), Ordering::Relaxed);
        for (kept, (start, end)) in control.ranges.iter().zip(unneeded(&region)) {
            kept[0].store(start, Ordering::Relaxed);
            kept[1].store(end - start, Ordering::Relaxed);
        }
        let filter = filter::program(child::call_returns_to(), &ALLOWED);
        for (kept, one) in control.filter.iter().zip(&filter) {
            let bits = u64::from(one.code)
                | u64::from(one.jt) << 16
                | u64::from(one.jf) << 24
                | u64::from(one.k) << 32;
            kept.store(bits, Ordering::Relaxed);
        }
        control.filter_length.store(filter.len() as u32, Ordering::Relaxed);
        // SAFETY: in the child only `child::main` runs, which allocates nothing and takes no lock.
        let pid = unsafe {
            let pid = libc::fork();
            if pid == 0 {
                child::main(&region);
            }
            pid
        };
        if pid < 0 {
            let error = std::io::Error::last_os_error();
            return Err(Error::new(ErrorKind::CannotMeasure, format!("no child process: {error}"))
                .because("code that nobody has vouched for runs in a process of its own")
                .remedy("raise the number of processes that are allowed (ulimit -u), or free memory")
                .caused_by(error));
        }
        Ok(Self {
            region,
            pid: Pid::from_raw(pid),
            reaped: false,
            entries: blob.entries,
            blob: Blob { code: Vec::new(), ..*blob },
            body: program.body.clone(),
            served: 0,
            per_turn: [Duration::ZERO; 2],
        })
    }

    /// Runs both functions once: what is refused in them is refused here.
    pub(super) fn trial(&mut self) -> Result<std::result::Result<(), Refusal>> {
        let tried = self.run(1, false).and_then(|_| self.run(1, true));
        Ok(tried.map(|_| ()))
    }

    /// One slice of `turns` of the unrolled loop or of the other, after as many unmeasured: another process ran before, and where the kernel
    /// has no address space number left for this one, or the CPU none, that has emptied the TLBs. A stack that moves on meets every page
    /// again, and pushes whose pages were not warm cost 0.64 cycles and not 0.52.
    pub(super) fn run(&mut self, turns: u64, unrolled: bool) -> std::result::Result<Reading, Refusal> {
        let control = self.region.control();
        let entry = self.entries[usize::from(unrolled)].start as u64;
        control.entry.store(self.region.code() + entry, Ordering::Relaxed);
        let warm = if turns > 1 { turns } else { 0 };
        control.warm.store(warm, Ordering::Relaxed);
        control.turns.store(turns, Ordering::Relaxed);
        let request = self.served.wrapping_add(1);
        let busy_before = self.busy();
        let all_turns = u32::try_from(turns + warm).unwrap_or(u32::MAX);
        let foreseen = self.per_turn[usize::from(unrolled)].saturating_mul(all_turns);
        let most_busy = MOST_BUSY + 4 * foreseen;
        control.request.store(request, Ordering::Release);
        wake(&control.request);
        let begun = Instant::now();
        while control.done.load(Ordering::Acquire) != request {
            sleep_on(&control.done, self.served);
            if control.done.load(Ordering::Acquire) == request || begun.elapsed() < LOOK_EVERY {
                continue;
            }
            if let Ok(status @ (WaitStatus::Exited(..) | WaitStatus::Signaled(..))) =
                waitpid(self.pid, Some(WaitPidFlag::WNOHANG))
            {
                self.reaped = true;
                return Err(gone(status));
            }
            let busy = self.busy().zip(busy_before).map(|(now, before)| now.saturating_sub(before));
            if busy.is_some_and(|busy| busy > most_busy) || begun.elapsed() > MOST_WAIT + 20 * foreseen {
                self.end();
                return Err(Refusal {
                    class: RefusalClass::EndlessLoop,
                    offset: None,
                    detail: format!("{turns} turns did not end within {} ms", most_busy.as_millis()),
                });
            }
        }
        self.served = request;
        if let Some((now, before)) = self.busy().zip(busy_before) {
            let per_turn = &mut self.per_turn[usize::from(unrolled)];
            *per_turn = (*per_turn).max(now.saturating_sub(before) / all_turns.max(1));
        }
        let control = self.region.control();
        if control.signal.load(Ordering::Acquire) != 0 {
            self.end();
            return Err(refusal(&Fault::of(&self.region), &self.region, &self.blob, &self.body));
        }
        let (start, stop) = (self.region.slot(slot::START), self.region.slot(slot::STOP));
        if stop <= start {
            self.end();
            return Err(Refusal {
                class: RefusalClass::SelfModifying,
                offset: None,
                detail: "the readings of the counter were overwritten".to_owned(),
            });
        }
        Ok(Reading { start, stop, core: self.region.slot(slot::CORE) as u32 })
    }

    /// Processor time of the child so far.
    fn busy(&self) -> Option<Duration> {
        let clock = clock_getcpuclockid(self.pid).ok()?;
        clock_gettime(clock).ok().map(Duration::from)
    }

    fn end(&mut self) {
        if self.reaped {
            return;
        }
        self.reaped = true;
        // Gone already is what is wanted.
        let _ = kill(self.pid, Signal::SIGKILL);
        while waitpid(self.pid, None) == Err(Errno::EINTR) {}
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.end();
    }
}

/// Of a child that ended without a word.
fn gone(status: WaitStatus) -> Refusal {
    let (class, how) = match status {
        WaitStatus::Signaled(_, Signal::SIGSYS, _) => {
            (RefusalClass::SystemCall, "by the system call filter".to_owned())
        }
        WaitStatus::Signaled(_, Signal::SIGXCPU, _) => {
            (RefusalClass::EndlessLoop, "by its time limit".to_owned())
        }
        WaitStatus::Signaled(_, signal, _) => (RefusalClass::Trap, format!("by {signal}")),
        _ => (RefusalClass::JumpOut, "by itself".to_owned()),
    };
    Refusal { class, offset: None, detail: format!("its process was ended {how}") }
}

/// Mappings that the child does not run on: all but files, the kernel's own, its stack, its thread's storage, and the region.
fn unneeded(region: &Region) -> Vec<(u64, u64)> {
    let here = 0u8;
    let kept = [(&raw const here) as u64, child::thread_pointer()];
    let (low, high) = region.range();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mut file_ends_at = 0;
    let ranges = maps.lines().filter_map(|line| {
        let mut parts = line.split_whitespace();
        let (start, end) = parts.next()?.split_once('-')?;
        let path = parts.nth(4).unwrap_or_default();
        let (start, end) = (u64::from_str_radix(start, 16).ok()?, u64::from_str_radix(end, 16).ok()?);
        // The zeroed data of an executable follows on what came from its file, without a name.
        let is_file = path.starts_with('/') || (path.is_empty() && start == file_ends_at);
        file_ends_at = if is_file { end } else { 0 };
        let is_needed = is_file
            || path.starts_with("[v")
            || kept.iter().any(|address| (start..end).contains(address))
            || (start < high && low < end);
        (!is_needed).then_some((start, end))
    });
    ranges.collect()
}

fn wake(futex: &AtomicU32) {
    // SAFETY: a futex in memory that lives through the call.
    unsafe { libc::syscall(libc::SYS_futex, futex.as_ptr(), libc::FUTEX_WAKE, 1) };
}

/// Until it is no longer `value`, or somebody wakes us, or some time has passed.
fn sleep_on(futex: &AtomicU32, value: u32) {
    let limit = libc::timespec { tv_sec: 0, tv_nsec: LOOK_EVERY.as_nanos() as i64 };
    // SAFETY: as above, with a time that lives through the call.
    unsafe { libc::syscall(libc::SYS_futex, futex.as_ptr(), libc::FUTEX_WAIT, value, &raw const limit) };
}
