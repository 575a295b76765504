//! What does one turn of the timed loop consist of? From the function's address to its loop and what that loop executes.

#![forbid(unsafe_code)]

use super::flow::{Flow, Loop};
use super::own_code::{Code, name_at, own_code};
use super::trace::{Trace, trace};
use crate::error::{Error, ErrorKind, Result};
use crate::harness::Entry;

/// The timed loop of a function, decoded.
#[derive(Clone, Debug)]
pub struct TimedCode {
    /// The function.
    pub code: Code,
    /// What runs between its fences.
    pub flow: Flow,
    /// The loop that is timed.
    pub timed_loop: Loop,
    /// One turn of it.
    pub trace: Trace,
    /// Operations that a turn makes.
    pub operations: u64,
}

impl TimedCode {
    /// Decodes the function at `entry`, to its closing fence.
    ///
    /// # Errors
    ///
    /// `CannotMeasure` where it cannot be read, has no fence pair, or has no loop between its fences.
    pub fn decode(entry: Entry) -> Result<Self> {
        Self::of(own_code(entry.address)?, entry.operations, &|address| own_code(address).ok())
    }

    /// The same of code that is given, with what calls go to.
    ///
    /// # Errors
    ///
    /// As for [`decode`](Self::decode).
    pub fn of(code: Code, operations: u64, callee: &dyn Fn(u64) -> Option<Code>) -> Result<Self> {
        let missing = |what: &str| {
            Error::new(
                ErrorKind::CannotMeasure,
                format!("the timed function at {:#x} has no {what}", code.address),
            )
            .because("its loop is looked for between the fences")
            .remedy("build with optimization, and leave the harness's function as the compiler made it")
        };
        let flow = Flow::of_region(&code).ok_or_else(|| missing("opening fence"))?;
        if flow.closing.is_empty() {
            return Err(missing("closing fence that can be reached"));
        }
        // Two loops lie between the fences of a harness: that of whole turns, which is longer, and that of the rest.
        let timed_loop = flow
            .outermost()
            .into_iter()
            .max_by_key(|one| (one.body.len(), std::cmp::Reverse(one.head)))
            .ok_or_else(|| missing("loop between its fences"))?;
        let trace = Trace { base: code.address, ..trace(&flow, &timed_loop, callee) };
        let times = trace.counter_step.map_or(1, |step| step.unsigned_abs().clamp(1, 64));
        Ok(Self { code, flow, timed_loop, trace, operations: operations.max(1) * times })
    }

    /// The functions that the loop calls, by name where the symbols tell it, else by address.
    pub fn callees(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .trace
            .calls
            .iter()
            .map(|(address, _)| name_at(*address).unwrap_or_else(|| format!("{address:#x}")))
            .collect();
        names.sort();
        names.dedup();
        names
    }

    /// Instructions in one operation, loop control included.
    pub fn instructions(&self) -> f64 {
        self.trace.instructions.len() as f64 / self.operations as f64
    }
}
