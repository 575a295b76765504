//! How can code that nobody has vouched for be timed? In a child process that can do nothing but compute: under a system call filter,
//! with resource limits, guarded by the parent's clock, its results in shared memory.
//!
//! # What is closed, and what is not
//!
//! The child is forked for one program and ends with it. After the fork it allocates nothing, closes every file but the
//! scratch pages', and unmaps the parent's heap and everything else that it does not run on. Then a filter lets system calls through
//! only from one instruction of ours (and the return from a signal); any other, the 32-bit kind included, ends it. It cannot open, write, fork,
//! send or signal. Code pages are readable and executable, never writable at the same time. Every page that the code touches and
//! that is not there is mapped onto **one** scratch page (around the stack onto another), 4,096 of them at most, so that addresses
//! need no setup; two that agree in their low twelve bits are the same memory. The parent waits with a limit by the child's own processor time, kills, and reaps.
//!
//! Code that sets out to may overwrite the shared page with the readings: it can forge its own number, and nothing else.
//!
//! # What the code starts from
//!
//! General registers and memory hold [`Fill::word`](super::Fill), one in each eight bytes, vector registers
//! [`Fill::double`](super::Fill) in each element, mask registers ones; RSP is far from all other
//! memory, and may move with every repetition. MXCSR masks all exceptions and
//! treats subnormals as zero, in operands and results; the x87 stack is empty. That is set anew before every slice.

mod blob;
mod child;
mod filter;
mod memory;
mod parent;
mod verdict;

use super::measure::{Engine, Prepared};
use super::program::{Program, Refusal, RefusalClass};
use crate::error::Result;
use crate::harness::TimedLoop;
use crate::tsc::{Stamp, Timed};
use blob::Blob;
use parent::{Child, Reading};

/// The most bytes of one repetition, and of its setup.
const MOST_BYTES: usize = 256 << 10;

/// Runs programs in children of this process; see the module.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sandbox(());

impl Sandbox {
    /// A place to run programs in.
    ///
    /// # Errors
    ///
    /// `CannotMeasure` where the kernel has no system call filter.
    pub fn new() -> Result<Self> {
        filter::supported()?;
        Ok(Self(()))
    }
}

impl Engine for Sandbox {
    fn prepare(
        &self,
        program: &Program,
        _core: usize,
    ) -> Result<std::result::Result<Box<dyn Prepared>, Refusal>> {
        if program.body.is_empty() || program.instructions == 0 {
            return Ok(Err(Refusal {
                class: RefusalClass::Undecodable,
                offset: None,
                detail: "there is no instruction".to_owned(),
            }));
        }
        if program.body.len() > MOST_BYTES || program.setup.len() > MOST_BYTES {
            return Ok(Err(Refusal {
                class: RefusalClass::TooLong,
                offset: None,
                detail: format!(
                    "it has {} bytes, and {MOST_BYTES} can be measured",
                    program.body.len().max(program.setup.len())
                ),
            }));
        }
        let blob = Blob::new(program);
        let mut child = Child::start(&blob, program)?;
        // Once with its warm caches still to come: most of what is refused is refused here.
        if let Err(refusal) = child.trial()? {
            return Ok(Err(refusal));
        }
        Ok(Ok(Box::new(Loop { child, unroll: blob.unroll, failed: None })))
    }
}

/// The loop around a program, as the parent sees it.
struct Loop {
    child: Child,
    unroll: u64,
    failed: Option<Refusal>,
}

impl TimedLoop for Loop {
    fn run(&mut self, iterations: u64) -> Timed {
        /// What a failed loop reads: so long that whoever waits for it to become long enough stops at once.
        const FAILED: Reading = Reading { start: 0, stop: 1 << 50, core: 0 };
        if self.failed.is_none() {
            let unrolled = iterations.is_multiple_of(self.unroll);
            let turns = if unrolled { iterations / self.unroll } else { iterations };
            match self.child.run(turns.max(1), unrolled) {
                Ok(reading) => return timed(reading),
                Err(refusal) => self.failed = Some(refusal),
            }
        }
        timed(FAILED)
    }

    fn granule(&self) -> u64 {
        self.unroll
    }
}

impl Prepared for Loop {
    fn failed(&self) -> Option<Refusal> {
        self.failed.clone()
    }
}

fn timed(reading: Reading) -> Timed {
    Timed { start: Stamp(reading.start), stop: Stamp(reading.stop), core: reading.core & 0xfff }
}
