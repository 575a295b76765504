//! How much memory does an operation ask for? A global allocator that counts, for bench targets that set it.
//!
//! ```
//! #[global_allocator]
//! static GLOBAL: fencepost::alloc::Counting = fencepost::alloc::Counting::new();
//!
//! # fn main() {
//! let (text, asked) = fencepost::alloc::count(|| String::from("some text"));
//! assert_eq!(asked, Some(fencepost::alloc::Asked { allocations: 1, bytes: text.len() as u64 }));
//! # }
//! ```
//!
//! With that line in a bench target each result of its suite has the counters `allocations` and `allocated_bytes`, per operation.
//! They are counted in a pass of their own before anything is timed. While code is timed nothing is counted; each call of the
//! allocator then costs one load and one branch that is not taken, which is why it has to be asked for.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// A global allocator that counts what is asked of the one behind it, while it is told to.
#[derive(Debug, Default)]
pub struct Counting<A = System>(A);

impl Counting {
    /// Before the system's allocator.
    pub const fn new() -> Self {
        Self(System)
    }
}

impl<A> Counting<A> {
    /// Before an allocator of your own.
    ///
    /// ```
    /// use fencepost::alloc::Counting;
    /// #[global_allocator]
    /// static GLOBAL: Counting<std::alloc::System> = Counting::before(std::alloc::System);
    /// # fn main() {}
    /// ```
    pub const fn before(allocator: A) -> Self {
        Self(allocator)
    }
}

/// What was asked of the allocator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Calls that asked for memory or for more of it.
    pub allocations: u64,
    /// Bytes that they asked for: of a block that grew, by how much.
    pub bytes: u64,
}

static COUNTING: AtomicBool = AtomicBool::new(false);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
/// One count at a time.
static PASS: Mutex<()> = Mutex::new(());

thread_local! {
    /// This thread counts what its regions ask for, and how many regions there were.
    static ARMED: Cell<Option<u64>> = const { Cell::new(None) };
}

#[inline]
fn note(bytes: usize) {
    if COUNTING.load(Relaxed) {
        ALLOCATIONS.fetch_add(1, Relaxed);
        BYTES.fetch_add(bytes as u64, Relaxed);
    }
}

// SAFETY: every call is passed on as it came, so the allocator behind keeps or breaks the contract, not this one. Counting touches
// atomics only and neither allocates nor unwinds.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Counting<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { self.0.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { self.0.dealloc(block, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { self.0.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size.saturating_sub(layout.size()));
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { self.0.realloc(block, layout, size) }
    }
}

/// Counts while it lives, also where a panic ends it.
struct Count;

impl Count {
    fn start() -> Self {
        COUNTING.store(true, Relaxed);
        Self
    }
}

impl Drop for Count {
    fn drop(&mut self) {
        COUNTING.store(false, Relaxed);
    }
}

/// Not armed any more, also where a panic ends the pass.
struct Disarm;

impl Drop for Disarm {
    fn drop(&mut self) {
        ARMED.set(None);
    }
}

fn counted<T>(run: impl FnOnce() -> T) -> (T, Asked) {
    ALLOCATIONS.store(0, Relaxed);
    BYTES.store(0, Relaxed);
    let value = run();
    (value, Asked { allocations: ALLOCATIONS.load(Relaxed), bytes: BYTES.load(Relaxed) })
}

/// Whether [`Counting`] is the global allocator of this program. Call it under `PASS`.
fn is_installed() -> bool {
    let ((), asked) = counted(|| {
        let _count = Count::start();
        drop(std::hint::black_box(Box::new(std::hint::black_box(0u64))));
    });
    asked.allocations > 0
}

/// What all threads ask for while `run` runs; `None` where [`Counting`] is not the global allocator. Counts inside a count wait
/// for nothing and are not possible: they give `None`, too.
pub fn count<T>(run: impl FnOnce() -> T) -> (T, Option<Asked>) {
    if ARMED.get().is_some() {
        return (run(), None);
    }
    let _pass = PASS.lock().unwrap_or_else(PoisonError::into_inner);
    if !is_installed() {
        return (run(), None);
    }
    ARMED.set(Some(0));
    let _disarm = Disarm;
    let (value, asked) = counted(|| {
        let _count = Count::start();
        run()
    });
    (value, Some(asked))
}

/// What is asked for inside the regions that `run` goes through, and by that alone; `None` where nothing was counted.
#[cfg(any(feature = "suite", test))]
pub(crate) fn count_regions(run: impl FnOnce()) -> Option<Asked> {
    if ARMED.get().is_some() {
        return None;
    }
    let _pass = PASS.lock().unwrap_or_else(PoisonError::into_inner);
    if !is_installed() {
        return None;
    }
    ARMED.set(Some(0));
    let _disarm = Disarm;
    let ((), asked) = counted(run);
    ARMED.get().filter(|regions| *regions > 0).map(|_| asked)
}

/// What is called at each border of a region, and how many regions there were.
#[cfg(feature = "cachegrind")]
type Frame = (fn(), u64);

#[cfg(feature = "cachegrind")]
thread_local! {
    /// What stands around each region of this thread instead, and how many regions there were.
    static FRAME: Cell<Option<Frame>> = const { Cell::new(None) };
}

/// Calls `border` where a region of this thread begins and where it ends, while `run` runs; gives how many regions there were.
#[cfg(feature = "cachegrind")]
pub(crate) fn framed(border: fn(), run: impl FnOnce()) -> u64 {
    FRAME.set(Some((border, 0)));
    run();
    FRAME.take().map_or(0, |(_, regions)| regions)
}

/// Runs a timed region. In a counting pass, and in no other, what it asks for is counted; all of this lies outside of the fences.
#[inline]
pub(crate) fn region<T>(run: impl FnOnce() -> T) -> T {
    #[cfg(feature = "cachegrind")]
    if let Some((border, regions)) = FRAME.get() {
        FRAME.set(Some((border, regions + 1)));
        border();
        let value = run();
        border();
        return value;
    }
    let Some(regions) = ARMED.get() else { return run() };
    ARMED.set(Some(regions + 1));
    let _count = Count::start();
    run()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_it_is_not_installed_nothing_is_claimed() {
        assert_eq!(count(|| vec![1u8; 100].len()), (100, None));
        assert_eq!(count_regions(|| ()), None);
    }

    #[test]
    fn calls_are_passed_on_and_counted_only_when_told_to() {
        let allocator = Counting::new();
        let layout = Layout::array::<u64>(4).unwrap();
        let _pass = PASS.lock().unwrap_or_else(PoisonError::into_inner);
        let both = || {
            // SAFETY: the layout has a size, and every block is given back with the layout that it has.
            unsafe {
                let block = allocator.alloc(layout);
                block.write(7);
                let block = allocator.realloc(block, layout, 64);
                assert_eq!(block.read(), 7);
                allocator.dealloc(block, Layout::array::<u64>(8).unwrap());
                let zeroed = allocator.alloc_zeroed(layout);
                assert_eq!(zeroed.read(), 0);
                allocator.dealloc(zeroed, layout);
            }
        };
        assert_eq!(counted(both).1, Asked::default());
        let ((), asked) = counted(|| {
            let _count = Count::start();
            both();
        });
        assert_eq!(asked, Asked { allocations: 3, bytes: 32 + 32 + 32 });
    }
}
