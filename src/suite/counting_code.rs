//! What will be counted, as far as its code tells before it runs: instructions that Valgrind does not know, and how many a call has.

use std::collections::{BTreeMap, BTreeSet};

use iced_x86::{EncodingKind, FlowControl, Formatter as _, Instruction, IntelFormatter};

use super::registry::Entry;
use super::run::guarded;
use crate::error::{Error, ErrorKind, Result};
use crate::predict::{Code, Flow, TimedCode, own_code};
use crate::record::{brief, inert};

/// More functions than this are not looked into.
const MOST_FUNCTIONS: usize = 64;

/// Instructions of one call in the native loop, where that is a straight line; the benchmark is made to find its code.
///
/// # Errors
///
/// `CannotMeasure` where each call executes a function that holds an AVX-512 instruction, which Valgrind does not know.
pub(super) fn instructions_of_a_call(entry: Entry<'_>) -> Result<Option<f64>> {
    let id = entry.id.clone();
    // One that fails here fails under Valgrind, too, where it is said how.
    let timed = guarded("", || Ok(entry.make()?.benchmark.loops().0.entry()));
    let Some(timed) = timed.ok().flatten().and_then(|entry| TimedCode::decode(entry).ok()) else {
        return Ok(None);
    };
    match unknown_in(&timed) {
        None => Ok(timed.trace.obstacle().is_none().then(|| timed.instructions())),
        Some(Found { instruction, function }) => {
            let mut text = String::new();
            IntelFormatter::new().format(&instruction, &mut text);
            Err(Error::new(
                ErrorKind::CannotMeasure,
                format!("benchmark {:?} cannot be counted: it executes {text:?} (AVX-512)", inert(&id)),
            )
            .because(format!(
                "Valgrind does not know AVX-512; the instruction is at {:#x}, in {}",
                instruction.ip(),
                function.map_or_else(|| "a function without a name".to_owned(), |name| brief(&name))
            ))
            .remedy(
                "build without it, for an older CPU (-C target-cpu), or leave the benchmark out with --skip",
            ))
        }
    }
}

/// An instruction that Valgrind does not know.
struct Found {
    instruction: Instruction,
    function: Option<String>,
}

/// Looked for in the timed function, and in those that each turn of its loop calls. What is called on a condition may be chosen by what
/// the CPU can do, which under Valgrind is less, so it is left to the run.
fn unknown_in(timed: &TimedCode) -> Option<Found> {
    let body: BTreeMap<u64, Instruction> = timed
        .flow
        .instructions
        .iter()
        .filter(|(address, _)| timed.timed_loop.body.contains(address))
        .map(|(address, instruction)| (*address, *instruction))
        .collect();
    if let Some(found) = first_unknown(&timed.flow.instructions, &timed.code) {
        return Some(found);
    }
    let ends = |instruction: &Instruction| timed.timed_loop.closing.contains(&instruction.ip());
    let mut waiting = always_called(&body, timed.timed_loop.head, &timed.code, ends);
    let mut seen = BTreeSet::new();
    while let Some(address) = waiting.pop() {
        if seen.len() >= MOST_FUNCTIONS || !seen.insert(address) {
            continue;
        }
        let Ok(code) = own_code(address) else { continue };
        let flow = Flow::follow(&code, address, |_| false);
        if let Some(found) = first_unknown(&flow.instructions, &code) {
            return Some(found);
        }
        let ends = |instruction: &Instruction| instruction.flow_control() == FlowControl::Return;
        waiting.extend(always_called(&flow.instructions, address, &code, ends));
    }
    None
}

fn first_unknown(instructions: &BTreeMap<u64, Instruction>, code: &Code) -> Option<Found> {
    let found =
        instructions.values().find(|instruction| instruction.code().encoding() == EncodingKind::EVEX)?;
    Some(Found { instruction: *found, function: code.symbol.clone() })
}

/// Where every path from `start` to an end calls, or jumps out of the code to.
fn always_called(
    instructions: &BTreeMap<u64, Instruction>,
    start: u64,
    code: &Code,
    ends: impl Fn(&Instruction) -> bool,
) -> Vec<u64> {
    let target = |instruction: &Instruction| {
        let target = instruction.near_branch_target();
        match instruction.flow_control() {
            FlowControl::Call => Some(target),
            FlowControl::UnconditionalBranch if !code.holds(target) => Some(target),
            _ => None,
        }
    };
    let calls = instructions.values().filter_map(|call| Some((call.ip(), target(call)?)));
    calls.filter(|(at, _)| !passes(instructions, start, *at, &ends)).map(|(_, target)| target).collect()
}

/// Whether an end is reached from `start` without the instruction at `avoided`.
fn passes(
    instructions: &BTreeMap<u64, Instruction>,
    start: u64,
    avoided: u64,
    ends: impl Fn(&Instruction) -> bool,
) -> bool {
    let mut seen = BTreeSet::new();
    let mut waiting = vec![start];
    while let Some(address) = waiting.pop() {
        let Some(instruction) = instructions.get(&address) else { continue };
        if address == avoided || !seen.insert(address) {
            continue;
        }
        if ends(instruction) {
            return true;
        }
        match instruction.flow_control() {
            FlowControl::UnconditionalBranch => {
                let target = instruction.near_branch_target();
                if !instructions.contains_key(&target) {
                    // Out of the code: an end of another kind.
                    return true;
                }
                waiting.push(target);
            }
            FlowControl::ConditionalBranch => {
                waiting.extend([instruction.near_branch_target(), instruction.next_ip()]);
            }
            FlowControl::Return | FlowControl::Exception => {}
            // A switch may go anywhere.
            FlowControl::IndirectBranch => return true,
            _ => waiting.push(instruction.next_ip()),
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `bytes` at 0x1000, decoded, and what each path through them calls.
    fn called(bytes: &[u8]) -> Vec<u64> {
        let code = Code { address: 0x1000, bytes: bytes.to_vec(), symbol: None };
        let flow = Flow::follow(&code, code.address, |_| false);
        let ends = |instruction: &Instruction| instruction.flow_control() == FlowControl::Return;
        always_called(&flow.instructions, code.address, &code, ends)
    }

    #[test]
    fn only_what_every_path_calls_is_always_called() {
        // call 0x2000; ret
        assert_eq!(called(&[0xe8, 0xfb, 0x0f, 0, 0, 0xc3]), [0x2000]);
        // je over it; call 0x2000; ret
        assert!(called(&[0x74, 5, 0xe8, 0xf9, 0x0f, 0, 0, 0xc3]).is_empty());
        // je 0x1008; call 0x2000; ret; 0x1008: call 0x2000; ret
        let either = [0x74, 6, 0xe8, 0xf9, 0x0f, 0, 0, 0xc3, 0xe8, 0xf3, 0x0f, 0, 0, 0xc3];
        assert!(called(&either).is_empty(), "each is avoided by the other");
        // jmp 0x2000, out of the code
        assert_eq!(called(&[0xe9, 0xfb, 0x0f, 0, 0]), [0x2000]);
    }
}
