//! Memory of which page size? Anonymous memory that is touched, and in huge pages where they can be had.

use std::io;
use std::ptr::{self, NonNull};

use super::smaps::huge_share;
use crate::error::{Error, ErrorKind, Result};

/// The size of the pages behind some memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageSize {
    /// 4 KiB.
    Small,
    /// 2 MiB, as `/proc/self/smaps` confirmed.
    Huge,
}

impl std::fmt::Display for PageSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Small => "4 KiB",
            Self::Huge => "2 MiB",
        })
    }
}

const HUGE: usize = 2 << 20;

/// Anonymous memory whose every page has been written, aligned to 2 MiB.
#[derive(Debug)]
pub struct Pages {
    mapped: NonNull<u8>,
    mapped_bytes: usize,
    start: NonNull<u8>,
    bytes: usize,
    size: PageSize,
}

impl Pages {
    /// At least `bytes` bytes, in pages of 2 MiB where `wanted` says so and the kernel gives them, else of 4 KiB; what came of it
    /// is read from `/proc/self/smaps`.
    ///
    /// # Errors
    ///
    /// `CannotMeasure` where the kernel does not give the memory.
    pub fn new(bytes: usize, wanted: PageSize) -> Result<Self> {
        let whole = bytes.max(1).checked_next_multiple_of(HUGE);
        let (Some(bytes), Some(mapped_bytes)) = (whole, whole.and_then(|whole| whole.checked_add(HUGE)))
        else {
            return Err(refused(bytes, &io::Error::from_raw_os_error(libc::ENOMEM)));
        };
        // SAFETY: a fresh private anonymous mapping at an address of the kernel's choice.
        let mapped = unsafe {
            libc::mmap(
                ptr::null_mut(),
                mapped_bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        let mapped = match NonNull::new(mapped.cast::<u8>()) {
            Some(mapped) if mapped.as_ptr().cast() != libc::MAP_FAILED => mapped,
            _ => return Err(refused(bytes, &io::Error::last_os_error())),
        };
        let skip = mapped.as_ptr().align_offset(HUGE).min(HUGE);
        // SAFETY: `skip` is at most HUGE, and the mapping is HUGE longer than what is used of it.
        let start = unsafe { mapped.add(skip) };
        let mut pages = Self { mapped, mapped_bytes, start, bytes, size: PageSize::Small };
        let advice = match wanted {
            PageSize::Huge => libc::MADV_HUGEPAGE,
            PageSize::Small => libc::MADV_NOHUGEPAGE,
        };
        // SAFETY: the span lies inside the mapping just made; both are advice on how to back it and change no content. A kernel
        // without huge pages refuses, and then the pages are small.
        unsafe { libc::madvise(start.as_ptr().cast(), bytes, advice) };
        pages.touch();
        let smaps = std::fs::read_to_string("/proc/self/smaps").unwrap_or_default();
        let share = huge_share(&smaps, start.as_ptr() as u64, bytes as u64);
        if share.is_some_and(|share| share.is_huge()) {
            pages.size = PageSize::Huge;
        }
        Ok(pages)
    }

    /// Writes to every page, so that none is mapped while something is timed.
    fn touch(&mut self) {
        for page in self.bytes_mut().chunks_mut(4096) {
            if let Some(first) = page.first_mut() {
                // SAFETY: a reference to one byte. Volatile, since writing a zero over a zero is otherwise nothing.
                unsafe { ptr::write_volatile(first, 1) };
            }
        }
    }

    /// The size of the pages that the memory lies in.
    pub fn size(&self) -> PageSize {
        self.size
    }

    /// The memory.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: the span lies inside the mapping, which lives as long as `self` and is initialized (with zeros) by the kernel; the
        // borrow of `self` is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.bytes) }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `new` with this length, and nothing borrows it any more.
        unsafe { libc::munmap(self.mapped.as_ptr().cast(), self.mapped_bytes) };
    }
}

fn refused(bytes: usize, error: &io::Error) -> Error {
    Error::new(ErrorKind::CannotMeasure, format!("{bytes} bytes of memory could not be had: {error}"))
        .because("a working set of that size has to lie somewhere")
        .remedy("ask for less, for example --max-bytes 16M")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_aligned_and_small_where_small_is_asked_for() {
        let mut pages = Pages::new(100_000, PageSize::Small).unwrap();
        assert_eq!(pages.size(), PageSize::Small);
        let bytes = pages.bytes_mut();
        assert_eq!((bytes.as_ptr() as usize % HUGE, bytes.len()), (0, HUGE));
        assert!(bytes.chunks(4096).all(|page| page[0] == 1));
    }

    #[test]
    fn huge_pages_are_claimed_only_where_the_kernel_confirms_them() {
        let enabled =
            std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
        let pages = Pages::new(8 << 20, PageSize::Huge).unwrap();
        if !enabled.contains("[madvise]") && !enabled.contains("[always]") {
            assert_eq!(pages.size(), PageSize::Small);
        }
    }

    #[test]
    fn more_than_there_is_is_refused() {
        let error = Pages::new(usize::MAX / 2, PageSize::Small).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::CannotMeasure);
        assert!(Pages::new(usize::MAX, PageSize::Small).is_err());
    }
}
