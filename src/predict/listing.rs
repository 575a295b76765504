//! How does a timed loop read? One instruction a line with its offset, and the remarks that belong to it.

#![forbid(unsafe_code)]

use super::att::att;
use super::timed::TimedCode;
use crate::record::text::inert;

/// The loop of `timed` as text, a line an instruction in the order in which a turn runs them, `at most` lines of it.
pub fn listing(timed: &TimedCode, at_most: usize) -> String {
    let name = timed.code.symbol.as_deref().unwrap_or("a function without a symbol");
    let turn = &timed.trace.instructions;
    let mut text = format!(
        "{}, loop at +{:#x}: {} instructions in a turn of {} operations\n",
        inert(name),
        timed.timed_loop.head.wrapping_sub(timed.code.address),
        turn.len(),
        timed.operations
    );
    for (instruction, line) in turn.iter().zip(att(turn).into_iter().skip(1)).take(at_most) {
        let offset = instruction.ip().wrapping_sub(timed.code.address);
        let line = line.replace('\t', " ");
        text.push_str(&format!("  +{offset:#06x}  {line}\n"));
    }
    if turn.len() > at_most {
        text.push_str(&format!("  ... {} more\n", turn.len() - at_most));
    }
    if let Some(obstacle) = timed.trace.obstacle() {
        text.push_str(&format!("  not a straight line: {obstacle}\n"));
    }
    text
}
