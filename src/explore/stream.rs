//! How many bytes a second can be read, written or copied? Streaming loops over a working set.

use std::arch::asm;
use std::marker::PhantomData;

use super::pages::Pages;
use crate::error::{Error, ErrorKind, Result};
use crate::harness::TimedLoop;
use crate::tsc::{Timed, fenced_start, fenced_stop};

/// What a streaming loop does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traffic {
    /// Loads, whose values nobody waits for.
    Read,
    /// Plain stores, which first fetch the line that they write to.
    Write,
    /// Loads of one half of the working set, stored to the other half; a byte copied counts once.
    Copy,
}

impl Traffic {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Copy];
}

impl std::fmt::Display for Traffic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Copy => "copy",
        })
    }
}

/// Bytes that one turn of the innermost loop goes through.
const TURN: usize = 128;
/// Bytes of one operation at the most: large enough that the loop around it counts for little, small enough for short slices.
const BLOCK: usize = 4096;

/// Streams through a working set, one block an operation, from the end back to its start.
pub(super) struct Stream<'p> {
    start: *mut u8,
    /// Bytes that are gone through: of a copy the half that is read.
    span: usize,
    block: usize,
    at: usize,
    traffic: Traffic,
    wide: bool,
    /// The loops read and write this memory.
    pages: PhantomData<&'p mut Pages>,
}

impl<'p> Stream<'p> {
    /// A stream over the first `bytes` bytes of `pages`, in 256-bit accesses where the CPU has AVX, else in 128-bit ones.
    ///
    /// # Errors
    ///
    /// `Usage` where `bytes` is less than 256 or more than there is.
    pub(super) fn new(pages: &'p mut Pages, bytes: u64, traffic: Traffic) -> Result<Self> {
        let memory = pages.bytes_mut();
        let share = if traffic == Traffic::Copy { 2 } else { 1 };
        let wanted = usize::try_from(bytes).unwrap_or(usize::MAX);
        let part = wanted / share;
        let block = BLOCK.min(part / TURN * TURN);
        if block == 0 || wanted > memory.len() {
            return Err(Error::new(ErrorKind::Usage, format!("a working set is {bytes} bytes"))
                .because(format!("it has to hold {} bytes and fit into {}", TURN * share, memory.len()))
                .remedy("give a size between the two"));
        }
        Ok(Self {
            start: memory.as_mut_ptr(),
            span: part / block * block,
            block,
            at: 0,
            traffic,
            wide: std::arch::is_x86_feature_detected!("avx"),
            pages: PhantomData,
        })
    }

    /// Bytes that one operation goes through.
    pub(super) fn block(&self) -> u64 {
        self.block as u64
    }

    /// Goes through the whole working set once.
    pub(super) fn warm(&mut self) {
        self.run((self.span / self.block) as u64);
    }
}

impl TimedLoop for Stream<'_> {
    fn run(&mut self, iterations: u64) -> Timed {
        // SAFETY: `new` made sure that `span` bytes (twice that for a copy) lie in memory that is borrowed while `self` lives, that
        // `block` divides `span` and TURN divides `block`; `at` is a multiple of `block` below `span`. AVX was asked of the CPU.
        unsafe {
            match (self.traffic, self.wide) {
                (Traffic::Read, true) => timed(self, iterations, |at, end, _| read_wide(at, end)),
                (Traffic::Read, false) => timed(self, iterations, |at, end, _| read(at, end)),
                (Traffic::Write, true) => timed(self, iterations, |at, end, _| write_wide(at, end)),
                (Traffic::Write, false) => timed(self, iterations, |at, end, _| write(at, end)),
                (Traffic::Copy, true) => timed(self, iterations, |at, end, ahead| copy_wide(at, end, ahead)),
                (Traffic::Copy, false) => timed(self, iterations, |at, end, ahead| copy(at, end, ahead)),
            }
        }
    }

    fn granule(&self) -> u64 {
        1
    }
}

/// The function that is timed. `body` gets the start and the end of a block, and how far ahead the other half lies.
///
/// # Safety
///
/// - The stream's memory lives, and its block divides its span.
#[inline(never)]
unsafe fn timed(stream: &mut Stream<'_>, iterations: u64, body: impl Fn(*mut u8, *mut u8, usize)) -> Timed {
    let (start, span, block) = (stream.start, stream.span, stream.block);
    let mut at = stream.at;
    let begin = fenced_start();
    for _ in 0..iterations {
        // SAFETY: `at` is a multiple of `block` below `span`, so the block lies inside the memory.
        unsafe { body(start.add(at), start.add(at + block), span) };
        at += block;
        if at >= span {
            at = 0;
        }
    }
    let (stop, core) = fenced_stop();
    stream.at = at;
    if stream.wide {
        // SAFETY: AVX was asked of the CPU. Zeroes the upper halves, so that 128-bit code after this pays nothing for them.
        unsafe {
            asm!("vzeroupper", out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _, options(nostack))
        };
    }
    Timed { start: begin, stop, core }
}

/// A loop over `at..end` in turns of 128 bytes. Each instruction gets its own register of four.
macro_rules! streaming {
    ($(#[$doc:meta])* $name:ident, ($($extra:ident),*), [$($line:literal),* $(,)?]) => {
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// - `at..end` (and as much `ahead` of it for a copy) is memory that may be written, a multiple of 128 bytes; a wide one needs AVX.
        #[inline(always)]
        unsafe fn $name(at: *mut u8, end: *mut u8 $(, $extra: usize)*) {
            // SAFETY: the caller vouches for memory and CPU; registers are declared, and the compiler is told that memory changes by
            // the absence of `nomem`.
            unsafe {
                asm!(
                    "2:",
                    $($line,)*
                    "add {at}, 128",
                    "cmp {at}, {end}",
                    "jb 2b",
                    at = inout(reg) at => _,
                    end = in(reg) end,
                    $($extra = in(reg) $extra,)*
                    out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                    options(nostack),
                );
            }
        }
    };
}

streaming!(
    /// 256-bit loads.
    read_wide, (), [
    "vmovups ymm0, [{at}]",
    "vmovups ymm1, [{at} + 32]",
    "vmovups ymm2, [{at} + 64]",
    "vmovups ymm3, [{at} + 96]",
]);
streaming!(
    /// 128-bit loads.
    read, (), [
    "movups xmm0, [{at}]",
    "movups xmm1, [{at} + 16]",
    "movups xmm2, [{at} + 32]",
    "movups xmm3, [{at} + 48]",
    "movups xmm0, [{at} + 64]",
    "movups xmm1, [{at} + 80]",
    "movups xmm2, [{at} + 96]",
    "movups xmm3, [{at} + 112]",
]);
streaming!(
    /// 256-bit stores.
    write_wide, (), [
    "vmovups [{at}], ymm0",
    "vmovups [{at} + 32], ymm0",
    "vmovups [{at} + 64], ymm0",
    "vmovups [{at} + 96], ymm0",
]);
streaming!(
    /// 128-bit stores.
    write, (), [
    "movups [{at}], xmm0",
    "movups [{at} + 16], xmm0",
    "movups [{at} + 32], xmm0",
    "movups [{at} + 48], xmm0",
    "movups [{at} + 64], xmm0",
    "movups [{at} + 80], xmm0",
    "movups [{at} + 96], xmm0",
    "movups [{at} + 112], xmm0",
]);
streaming!(
    /// 256-bit loads and stores.
    copy_wide, (ahead), [
    "vmovups ymm0, [{at}]",
    "vmovups ymm1, [{at} + 32]",
    "vmovups [{at} + {ahead}], ymm0",
    "vmovups [{at} + {ahead} + 32], ymm1",
    "vmovups ymm2, [{at} + 64]",
    "vmovups ymm3, [{at} + 96]",
    "vmovups [{at} + {ahead} + 64], ymm2",
    "vmovups [{at} + {ahead} + 96], ymm3",
]);
streaming!(
    /// 128-bit loads and stores.
    copy, (ahead), [
    "movups xmm0, [{at}]",
    "movups xmm1, [{at} + 16]",
    "movups xmm2, [{at} + 32]",
    "movups xmm3, [{at} + 48]",
    "movups [{at} + {ahead}], xmm0",
    "movups [{at} + {ahead} + 16], xmm1",
    "movups [{at} + {ahead} + 32], xmm2",
    "movups [{at} + {ahead} + 48], xmm3",
    "movups xmm0, [{at} + 64]",
    "movups xmm1, [{at} + 80]",
    "movups xmm2, [{at} + 96]",
    "movups xmm3, [{at} + 112]",
    "movups [{at} + {ahead} + 64], xmm0",
    "movups [{at} + {ahead} + 80], xmm1",
    "movups [{at} + {ahead} + 96], xmm2",
    "movups [{at} + {ahead} + 112], xmm3",
]);

#[cfg(test)]
mod tests {
    use super::super::pages::PageSize;
    use super::*;

    #[test]
    fn a_copy_copies_one_half_to_the_other_and_nothing_else() {
        for wide in [false, std::arch::is_x86_feature_detected!("avx")] {
            let mut pages = Pages::new(1 << 20, PageSize::Small).unwrap();
            for (at, byte) in pages.bytes_mut().iter_mut().enumerate() {
                *byte = (at / 7) as u8;
            }
            let before = pages.bytes_mut().to_vec();
            let mut stream = Stream::new(&mut pages, 65536, Traffic::Copy).unwrap();
            stream.wide = wide;
            assert_eq!((stream.span, stream.block), (32768, 4096));
            stream.warm();
            assert_eq!(stream.at, 0);
            let after = pages.bytes_mut();
            assert_eq!(after[32768..65536], before[..32768]);
            assert_eq!(after[..32768], before[..32768]);
            assert_eq!(after[65536..], before[65536..]);
        }
    }

    #[test]
    fn a_read_changes_nothing_and_a_write_stays_inside() {
        for wide in [false, std::arch::is_x86_feature_detected!("avx")] {
            let mut pages = Pages::new(1 << 20, PageSize::Small).unwrap();
            pages.bytes_mut().fill(0xa5);
            for traffic in [Traffic::Read, Traffic::Write] {
                let mut stream = Stream::new(&mut pages, 1024, traffic).unwrap();
                stream.wide = wide;
                stream.warm();
                let touched = pages.bytes_mut().iter().skip(1024).filter(|byte| **byte != 0xa5).count();
                assert_eq!(touched, 0, "{traffic}");
                if traffic == Traffic::Read {
                    assert!(pages.bytes_mut().iter().all(|byte| *byte == 0xa5));
                }
            }
        }
    }

    #[test]
    fn sets_that_do_not_fit_are_refused() {
        let mut pages = Pages::new(1 << 20, PageSize::Small).unwrap();
        for bytes in [0, 127, (2 << 20) + 1, u64::MAX] {
            assert!(Stream::new(&mut pages, bytes, Traffic::Read).is_err());
        }
        assert!(Stream::new(&mut pages, 128, Traffic::Copy).is_err());
    }
}
