//! How long until a load's value is there? A chain of loads: each one's address is the value of the one before.

use std::marker::PhantomData;

use super::pages::Pages;
use super::permutation::random_cycle;
use crate::error::{Error, ErrorKind, Result};
use crate::harness::{TimedLoop, UNROLL, barrier};
use crate::tsc::{Timed, fenced_start, fenced_stop};

/// Bytes from one node to the next: a line of every x86-64 CPU.
pub(super) const LINE: usize = 64;

/// A line that holds the address of the next.
#[repr(C, align(64))]
struct Node {
    next: *const Node,
}

/// A walk along one random cycle through all lines of a working set.
pub(super) struct Chase<'p> {
    at: *const Node,
    lines: u64,
    /// The walk reads this memory.
    pages: PhantomData<&'p mut Pages>,
}

impl<'p> Chase<'p> {
    /// The cycle, written into the first `bytes` bytes of `pages`.
    ///
    /// # Errors
    ///
    /// `Usage` where `bytes` is less than a line or more than there is.
    pub(super) fn new(pages: &'p mut Pages, bytes: u64, seed: u64) -> Result<Self> {
        let memory = pages.bytes_mut();
        let lines = u32::try_from(bytes / LINE as u64).unwrap_or(u32::MAX);
        if lines == 0 || bytes > memory.len() as u64 {
            return Err(Error::new(ErrorKind::Usage, format!("a working set is {bytes} bytes"))
                .because(format!("it has to hold a line of {LINE} bytes and fit into {} bytes", memory.len()))
                .remedy("give a size between the two"));
        }
        let start: *mut Node = memory.as_mut_ptr().cast();
        for (line, next) in random_cycle(lines, seed).into_iter().enumerate() {
            // SAFETY: `line` and `next` are below `lines`, whose lines lie inside `memory`; its start is aligned to 2 MiB, so each is
            // aligned for a Node, which is as long as a line. `pages` is borrowed exclusively while `self` lives.
            unsafe { start.add(line).write(Node { next: start.add(next as usize) }) };
        }
        Ok(Self { at: start, lines: u64::from(lines), pages: PhantomData })
    }

    /// Walks through the whole working set, so that what can lie in a cache does.
    pub(super) fn warm(&mut self) {
        self.run(self.lines);
    }
}

impl TimedLoop for Chase<'_> {
    fn run(&mut self, iterations: u64) -> Timed {
        // SAFETY: `at` is a node of the cycle that `new` wrote, in memory that is borrowed while `self` lives.
        let (timed, at) = unsafe { timed(self.at, iterations) };
        self.at = at;
        timed
    }
}

/// The function that is timed.
///
/// # Safety
///
/// - `at` points to a node of a closed cycle of nodes that live during the call.
#[inline(never)]
unsafe fn timed(at: *const Node, iterations: u64) -> (Timed, *const Node) {
    let turns = iterations / UNROLL;
    let rest = iterations % UNROLL;
    let mut at = barrier(at);
    let start = fenced_start();
    for _ in 0..turns {
        for _ in 0..UNROLL {
            // SAFETY: the caller vouches for the cycle, whose every node leads to another.
            at = barrier(unsafe { (*at).next });
        }
    }
    for _ in 0..rest {
        // SAFETY: as above.
        at = barrier(unsafe { (*at).next });
    }
    let at = barrier(at);
    let (stop, core) = fenced_stop();
    (Timed { start, stop, core }, at)
}

#[cfg(test)]
mod tests {
    use super::super::pages::PageSize;
    use super::*;

    #[test]
    fn a_walk_of_as_many_steps_as_lines_ends_where_it_began_and_not_before() {
        let mut pages = Pages::new(1 << 20, PageSize::Small).unwrap();
        for lines in [1u64, 2, 17, 1000] {
            let mut chase = Chase::new(&mut pages, lines * 64 + 5, 1).unwrap();
            let start = chase.at;
            for step in 1..=lines {
                chase.run(1);
                assert_eq!(chase.at == start, step == lines);
            }
            chase.warm();
            assert_eq!(chase.at, start);
        }
    }

    #[test]
    fn sets_that_do_not_fit_are_refused() {
        let mut pages = Pages::new(1 << 20, PageSize::Small).unwrap();
        for bytes in [0, 63, (2 << 20) + 64, u64::MAX] {
            assert_eq!(
                Chase::new(&mut pages, bytes, 1).err().map(|error| error.kind()),
                Some(ErrorKind::Usage)
            );
        }
    }
}
