//! Which memory do parent and child share? One region with the code, its data, the control page and the signal stack, each between guards,
//! and the scratch pages.

use std::ffi::c_void;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64};

use super::blob::{Blob, MXCSR, OWN_MXCSR, PAGE, slot};
use crate::asm::program::Fill;
use crate::error::{Error, ErrorKind, Result};

const GUARD: usize = 16 * PAGE;
/// Where RSP starts from: far from everything, so that a program that moves it with every repetition finds a page wherever it goes.
pub(super) const STACK: u64 = 0x10_0000_0000 + PAGE as u64 / 2;
/// Pages so near to it are mapped onto the second scratch page, so that stack and data do not meet in one.
pub(super) const STACK_REACH: u64 = 1 << 30;
/// The scratch pages: the data's and the stack's.
pub(super) const SCRATCH: usize = 2 * PAGE;
const SIGNAL_STACK: usize = 16 * PAGE;
/// Ranges to unmap and filter instructions that the control pages have room for.
const RANGES: usize = 512;
const FILTER: usize = 64;
const CONTROL: usize = size_of::<Control>().next_multiple_of(PAGE);

/// What parent and child tell each other. All fields may change at any time, by a hostile program as well.
#[repr(C)]
pub(super) struct Control {
    /// Counts the parent's requests, and what the child has done of them; both are futexes.
    pub(super) request: AtomicU32,
    pub(super) done: AtomicU32,
    /// The function to call, and its turns before and in the timed slice.
    pub(super) entry: AtomicU64,
    pub(super) warm: AtomicU64,
    pub(super) turns: AtomicU64,
    /// The signal that ended it, 0 if none did.
    pub(super) signal: AtomicI32,
    pub(super) code: AtomicI32,
    pub(super) trap: AtomicU64,
    pub(super) error: AtomicU64,
    pub(super) address: AtomicU64,
    pub(super) ip: AtomicU64,
    /// General registers by encoding number.
    pub(super) registers: [AtomicU64; 16],
    /// Pages that were mapped onto the scratch page.
    pub(super) pages: AtomicU32,
    /// What the child has to know; written before the fork.
    pub(super) parent: AtomicU32,
    pub(super) word: AtomicU64,
    pub(super) ranges: [[AtomicU64; 2]; RANGES],
    pub(super) filter: [AtomicU64; FILTER],
    pub(super) filter_length: AtomicU32,
}

/// The shared region, and the scratch pages.
pub(super) struct Region {
    base: NonNull<u8>,
    length: usize,
    code_length: usize,
    data: usize,
    control: usize,
    signal_stack: usize,
    view: usize,
    scratch: OwnedFd,
}

// SAFETY: the mapping belongs to this value alone; what parent and child share in it is atomic or volatile.
unsafe impl Send for Region {}

fn refused(what: &str) -> Error {
    let error = std::io::Error::last_os_error();
    Error::new(ErrorKind::Io, format!("{what}: {error}"))
        .because("the sandbox runs code in memory of its own")
        .remedy("free memory, or raise the limits of this process (ulimit -a)")
        .caused_by(error)
}

impl Region {
    /// Maps everything, writes the code and the state that it starts from, and makes the code executable.
    pub(super) fn new(blob: &Blob, fill: &Fill) -> Result<Self> {
        let data = GUARD + blob.data;
        let control = data + PAGE + GUARD;
        let signal_stack = control + CONTROL + GUARD;
        let view = signal_stack + SIGNAL_STACK + GUARD;
        let length = view + SCRATCH + GUARD;
        // SAFETY: a new mapping at an address of the kernel's choice; nothing else is touched.
        let base = unsafe {
            let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            libc::mmap(std::ptr::null_mut(), length, libc::PROT_NONE, flags, -1, 0)
        };
        let base = match NonNull::new(base.cast::<u8>()) {
            Some(base) if base.as_ptr().cast() != libc::MAP_FAILED => base,
            _ => return Err(refused("no memory for the sandbox")),
        };
        // SAFETY: a name and flags; the descriptor that comes back is nobody else's.
        let scratch = unsafe { libc::memfd_create(c"fencepost-scratch".as_ptr(), libc::MFD_CLOEXEC) };
        if scratch < 0 {
            let error = refused("no scratch page for the sandbox");
            // SAFETY: the mapping was made above and nobody has it yet.
            unsafe { libc::munmap(base.as_ptr().cast(), length) };
            return Err(error);
        }
        // SAFETY: as above.
        let scratch = unsafe { OwnedFd::from_raw_fd(scratch) };
        let code_length = blob.code.len().next_multiple_of(PAGE);
        let region = Self { base, length, code_length, data, control, signal_stack, view, scratch };
        region.furnish(blob, fill)?;
        Ok(region)
    }

    fn furnish(&self, blob: &Blob, fill: &Fill) -> Result<()> {
        // SAFETY: the descriptor is open and ours.
        if unsafe { libc::ftruncate(self.scratch.as_raw_fd(), SCRATCH as i64) } != 0 {
            return Err(refused("no scratch page for the sandbox"));
        }
        let writable = libc::PROT_READ | libc::PROT_WRITE;
        for (offset, length) in [
            (GUARD, self.code_length),
            (self.data, PAGE),
            (self.control, CONTROL),
            (self.signal_stack, SIGNAL_STACK),
        ] {
            self.protect(offset, length, writable)?;
        }
        // SAFETY: the pages at `view` lie in the region, and nobody has used them yet.
        let view = unsafe {
            let flags = libc::MAP_SHARED | libc::MAP_FIXED;
            libc::mmap(self.at(self.view), SCRATCH, writable, flags, self.scratch.as_raw_fd(), 0)
        };
        if view == libc::MAP_FAILED {
            return Err(refused("no scratch page for the sandbox"));
        }
        // What follows the code is INT3, so that running off it is noticed.
        // SAFETY: `code_length` bytes from GUARD on were made writable above, and the code is no longer than that.
        unsafe {
            let code = self.at(GUARD).cast::<u8>();
            std::ptr::write_bytes(code, 0xcc, self.code_length);
            std::ptr::copy_nonoverlapping(blob.code.as_ptr(), code, blob.code.len());
        }
        let word = u64::from(fill.word);
        self.set(slot::STACK, STACK);
        self.set(slot::WORD, word);
        self.set(slot::DOUBLE, fill.double.to_bits());
        self.set(slot::MASK, u64::MAX);
        self.set(slot::MXCSR, u64::from(OWN_MXCSR) << 32 | u64::from(MXCSR));
        self.protect(GUARD, self.code_length, libc::PROT_READ | libc::PROT_EXEC)
    }

    fn at(&self, offset: usize) -> *mut c_void {
        self.base.as_ptr().wrapping_add(offset).cast()
    }

    fn protect(&self, offset: usize, length: usize, how: i32) -> Result<()> {
        // SAFETY: the range lies in the region, which is ours.
        if unsafe { libc::mprotect(self.at(offset), length, how) } == 0 {
            Ok(())
        } else {
            Err(refused("the sandbox's memory cannot be protected"))
        }
    }

    /// Writes a word at an offset of the region that is writable.
    fn put(&self, offset: usize, value: u64) {
        debug_assert!(offset.is_multiple_of(8) && offset + 8 <= self.length);
        // SAFETY: callers give offsets in pages that were made writable, and aligned.
        unsafe { self.at(offset).cast::<u64>().write_volatile(value) }
    }

    fn set(&self, slot: usize, value: u64) {
        self.put(self.data + slot, value);
    }

    /// What stands in a slot of the data page.
    pub(super) fn slot(&self, slot: usize) -> u64 {
        // SAFETY: slots are aligned and in the data page, which stays mapped and readable.
        unsafe { self.at(self.data + slot).cast::<u64>().read_volatile() }
    }

    /// The control page.
    pub(super) fn control(&self) -> &Control {
        // SAFETY: the pages at `control` are as large as a Control, stay mapped as long as `self`, and start as zeros, which
        // every field may be; all fields are atomic, so that the child may write them meanwhile.
        unsafe { &*self.at(self.control).cast::<Control>() }
    }

    /// The address of the code.
    pub(super) fn code(&self) -> u64 {
        self.at(GUARD) as u64
    }

    /// Code, and the guards around it.
    pub(super) fn is_code(&self, address: u64) -> bool {
        (self.code()..self.code() + self.code_length as u64).contains(&address)
    }

    /// All of it, for who must not unmap it.
    pub(super) fn range(&self) -> (u64, u64) {
        (self.base.as_ptr() as u64, self.at(self.length) as u64)
    }

    /// The stack for signal handlers, and its length.
    pub(super) fn signal_stack(&self) -> (*mut c_void, usize) {
        (self.at(self.signal_stack), SIGNAL_STACK)
    }

    /// The scratch pages as the child refills them.
    pub(super) fn view(&self) -> *mut u64 {
        self.at(self.view).cast()
    }

    pub(super) fn scratch(&self) -> i32 {
        self.scratch.as_raw_fd()
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's, and no reference into it outlives `self`.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.length) };
    }
}
