//! How does a timed loop read? One instruction a line with its offset, and the remarks that belong to it.

#![forbid(unsafe_code)]

use super::att::att;
use super::timed::TimedCode;
use crate::record::text::inert;

/// The instructions of a turn in the order in which it runs them, each behind its offset in the function, `at_most` of them.
pub fn lines(timed: &TimedCode, at_most: usize) -> Vec<String> {
    let turn = &timed.trace.instructions;
    let shown = turn.get(..at_most.min(turn.len())).unwrap_or(turn);
    let written = shown.iter().zip(att(shown).into_iter().skip(1));
    written
        .map(|(instruction, line)| {
            let offset = instruction.ip().wrapping_sub(timed.code.address);
            format!("+{offset:#06x}  {}", line.replace('\t', " "))
        })
        .collect()
}

/// The loop of `timed` as text, a line an instruction, `at_most` lines of it.
pub fn listing(timed: &TimedCode, at_most: usize) -> String {
    let name = timed.code.symbol.as_deref().unwrap_or("a function without a symbol");
    let turn = timed.trace.instructions.len();
    let mut text = format!(
        "{}, loop at +{:#x}: {turn} instructions in a turn of {} operations\n",
        inert(name),
        timed.timed_loop.head.wrapping_sub(timed.code.address),
        timed.operations
    );
    for line in lines(timed, at_most) {
        text.push_str(&format!("  {line}\n"));
    }
    if turn > at_most {
        text.push_str(&format!("  ... {} more\n", turn - at_most));
    }
    if let Some(obstacle) = timed.trace.obstacle() {
        text.push_str(&format!("  not a straight line: {obstacle}\n"));
    }
    text
}
