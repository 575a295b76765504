//! Which instructions read a true core cycle counter from user mode? RDPMC on a perf event, and AMD's RDPRU.

use std::arch::asm;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::{Ordering, compiler_fence};

use perf_event_open_sys as sys;

use super::page::{self, EventPage};
use super::source::CycleSource;
use crate::error::{Error, ErrorKind, Result};

/// Core cycles by RDPRU of APERF: Zen 2 and later, where the kernel and the hypervisor leave it on.
///
/// APERF counts the core's clock while the core is not halted, in user and kernel mode alike (AMD64 APM
/// volume 3, RDPRU).
#[derive(Debug)]
pub struct Rdpru {
    _private: (),
}

impl Rdpru {
    /// The source, where CPUID 8000_0008h EBX bit 4 says that the instruction exists and its highest register
    /// (EDX bits 31:16) covers APERF.
    ///
    /// # Safety
    ///
    /// - The CPU that every later read runs on must have RDPRU with APERF (`machine` tells): elsewhere the
    ///   instruction raises SIGILL.
    pub unsafe fn new_unchecked() -> Self {
        Self { _private: () }
    }
}

impl CycleSource for Rdpru {
    fn name(&self) -> &'static str {
        "RDPRU (APERF)"
    }

    #[inline]
    fn read(&mut self) -> Option<u64> {
        let (low, high): (u32, u32);
        // SAFETY: RDPRU (0F 01 FD) with ECX = 1 reads APERF into EDX:EAX and touches nothing else; the caller of
        // `new_unchecked` vouched that it exists. LFENCE orders the read behind what came before.
        unsafe {
            asm!(
                "lfence",
                ".byte 0x0f, 0x01, 0xfd",
                in("ecx") 1u32,
                out("eax") low,
                out("edx") high,
                options(nostack, preserves_flags),
            );
        }
        Some(u64::from(high) << 32 | u64::from(low))
    }
}

/// Core cycles of this thread in user mode, by RDPMC on a `perf_event` whose page is mapped.
///
/// The page is read by the kernel's own protocol (`perf_event_open(2)`, "rdpmc"): repeat while the sequence
/// count changes, extend the counter by its width, add the offset.
#[derive(Debug)]
pub struct PerfCycles {
    page: Mapped,
    _event: OwnedFd,
}

/// The page of an event, mapped.
#[derive(Debug)]
struct Mapped {
    page: NonNull<sys::bindings::perf_event_mmap_page>,
    bytes: usize,
}

impl PerfCycles {
    /// Opens the event "core cycles, this thread, user mode" and maps its page.
    ///
    /// # Errors
    ///
    /// `CannotMeasure` with the errno where there is no PMU (ENOENT, ENODEV: usual in a guest), where it is not permitted
    /// (EACCES, EPERM: see `/proc/sys/kernel/perf_event_paranoid`), or where user mode may not read it.
    pub fn open() -> Result<Self> {
        Self::open_event(sys::bindings::PERF_TYPE_HARDWARE, sys::bindings::PERF_COUNT_HW_CPU_CYCLES.into())
    }

    /// The same for another event of the PMU.
    pub(super) fn open_event(kind: u32, config: u64) -> Result<Self> {
        let mut attributes = sys::bindings::perf_event_attr {
            type_: kind,
            size: size_of::<sys::bindings::perf_event_attr>() as u32,
            config,
            ..Default::default()
        };
        attributes.set_exclude_kernel(1);
        attributes.set_exclude_hv(1);
        attributes.set_pinned(1);
        // SAFETY: the attributes live on the stack for the whole call and carry their own size; pid 0 and cpu -1 mean
        // this thread on any CPU; no group; the only flag is close-on-exec.
        let event = unsafe {
            sys::perf_event_open(&mut attributes, 0, -1, -1, sys::bindings::PERF_FLAG_FD_CLOEXEC.into())
        };
        if event < 0 {
            return Err(refused(&io::Error::last_os_error()));
        }
        // SAFETY: the call returned a new descriptor that nothing else owns.
        let event = unsafe { OwnedFd::from_raw_fd(event) };
        let bytes = page_size();
        // SAFETY: a fresh shared mapping of one page of the event, at an address of the kernel's choice.
        let page = unsafe {
            libc::mmap(ptr::null_mut(), bytes, libc::PROT_READ, libc::MAP_SHARED, event.as_raw_fd(), 0)
        };
        if page == libc::MAP_FAILED {
            return Err(refused(&io::Error::last_os_error()));
        }
        let Some(page) = NonNull::new(page.cast()) else {
            return Err(refused(&io::Error::other("the kernel mapped the event at address 0")));
        };
        let cycles = Self { page: Mapped { page, bytes }, _event: event };
        // A first read shows whether user mode may: the capability bit is in the page.
        if cycles.count().is_none() {
            return Err(refused(&io::Error::other("the event's page does not allow RDPMC from user mode")));
        }
        Ok(cycles)
    }
}

fn page_size() -> usize {
    // SAFETY: sysconf has no preconditions.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}

fn refused(error: &io::Error) -> Error {
    Error::new(ErrorKind::CannotMeasure, format!("no cycle counter by perf_event_open: {error}"))
        .because("core cycles then come from the clock ruler")
        .remedy("on your own machine: sudo sysctl kernel.perf_event_paranoid=1")
}

impl CycleSource for PerfCycles {
    fn name(&self) -> &'static str {
        "RDPMC (perf cycles:u)"
    }

    #[inline]
    fn read(&mut self) -> Option<u64> {
        self.count()
    }
}

impl PerfCycles {
    /// The count as it is now.
    #[inline]
    pub(super) fn count(&self) -> Option<u64> {
        page::count(&self.page)
    }
}

impl Mapped {
    fn fields(&self) -> *const sys::bindings::perf_event_mmap_page {
        self.page.as_ptr()
    }
}

// The kernel changes the page only while this thread is not running, but it may stop us between any two reads: hence volatile reads,
// which the compiler keeps in order, and a fence on it beside the reads of the sequence count.
impl EventPage for Mapped {
    #[inline(always)]
    fn sequence(&self) -> u32 {
        compiler_fence(Ordering::SeqCst);
        // SAFETY: the page stays mapped while `self` lives.
        let sequence = unsafe { ptr::read_volatile(&raw const (*self.fields()).lock) };
        compiler_fence(Ordering::SeqCst);
        sequence
    }

    #[inline(always)]
    fn capabilities(&self) -> u64 {
        // SAFETY: as above; the field is an integer whichever way the union is looked at.
        unsafe { ptr::read_volatile(&raw const (*self.fields()).__bindgen_anon_1.capabilities) }
    }

    #[inline(always)]
    fn index(&self) -> u32 {
        // SAFETY: as above.
        unsafe { ptr::read_volatile(&raw const (*self.fields()).index) }
    }

    #[inline(always)]
    fn offset(&self) -> i64 {
        // SAFETY: as above.
        unsafe { ptr::read_volatile(&raw const (*self.fields()).offset) }
    }

    #[inline(always)]
    fn width(&self) -> u16 {
        // SAFETY: as above.
        unsafe { ptr::read_volatile(&raw const (*self.fields()).pmc_width) }
    }

    #[inline(always)]
    fn counter(&self, number: u32) -> u64 {
        // SAFETY: only `page::count` calls this, with an index that the page calls valid beside a capability bit that says user mode may.
        unsafe { rdpmc(number) }
    }
}

/// # Safety
///
/// - `counter` must be one that the kernel has enabled for user mode on this CPU: elsewhere RDPMC raises SIGSEGV.
#[inline(always)]
unsafe fn rdpmc(counter: u32) -> u64 {
    let (low, high): (u32, u32);
    // SAFETY: RDPMC writes EDX:EAX, which are declared; the caller owes a valid counter. LFENCE orders the read behind
    // what came before.
    unsafe {
        asm!(
            "lfence",
            "rdpmc",
            in("ecx") counter,
            out("eax") low,
            out("edx") high,
            options(nostack, preserves_flags),
        );
    }
    u64::from(high) << 32 | u64::from(low)
}

impl Drop for Mapped {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `open_event` with this length and nothing else refers to it.
        unsafe {
            libc::munmap(self.page.as_ptr().cast(), self.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_event_says_why_and_a_granted_one_counts_upwards() {
        match PerfCycles::open() {
            Ok(mut cycles) => {
                let before = cycles.read().unwrap();
                super::super::ruler();
                let after = cycles.read().unwrap();
                assert!(after > before, "{before} then {after}");
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::CannotMeasure);
                assert!(error.to_string().contains("perf_event"), "{error}");
            }
        }
    }
}
