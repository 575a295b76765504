//! Is the loop what the harness meant? The work is in it, a latency chain closes through all of its operations, a throughput loop has
//! no chain, and the harness brought no barrier and no detour through the stack.

#![forbid(unsafe_code)]

use std::collections::BTreeSet;

use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};

use super::chains::{Chain, chains};
use super::timed::TimedCode;
use crate::record::{Barrier, Kind};

/// Instructions a turn that a chain of loop control may have.
const CONTROL: usize = 2;

/// The finding that nothing is there to be timed.
pub(super) const NO_WORK: &str =
    "the timed loop holds loop control and loads only: the kernel is the identity, or was optimized away";

/// What is wrong with a timed loop of this kind, in words; nothing where nothing is.
pub fn check(timed: &TimedCode, kind: Kind, barrier: Barrier) -> Vec<String> {
    let turn = timed.trace.straight();
    let operations = timed.operations;
    let rings = chains(&turn);
    let works = has_work(&turn, &rings, operations);
    let mut findings = Vec::new();
    if !works {
        findings.push(NO_WORK.to_owned());
    }
    if timed.trace.obstacle().is_none() && works {
        findings.extend(chain_finding(&rings, kind, operations));
    }
    findings.extend(barriers(&turn));
    if barrier == Barrier::Register {
        findings.extend(detours(&turn, operations));
    }
    findings
}

/// Whether a turn executes more than counting, comparing, jumping and copying: an instruction for every second operation at least.
fn has_work(turn: &[Instruction], rings: &[Chain], operations: u64) -> bool {
    let control: BTreeSet<usize> =
        rings.iter().filter(|ring| ring.length <= CONTROL).flat_map(|ring| ring.members.clone()).collect();
    let work = turn.iter().enumerate().filter(|(at, instruction)| {
        instruction.flow_control() == FlowControl::Next && !is_copy(instruction) && !control.contains(at)
    });
    2 * work.count() as u64 >= operations
}

/// A load or a move into a register, or what leaves nothing behind but flags.
fn is_copy(instruction: &Instruction) -> bool {
    let moves = matches!(
        instruction.mnemonic(),
        Mnemonic::Mov
            | Mnemonic::Movzx
            | Mnemonic::Movsd
            | Mnemonic::Movss
            | Mnemonic::Movups
            | Mnemonic::Movaps
            | Mnemonic::Vmovsd
            | Mnemonic::Vmovss
            | Mnemonic::Vmovups
            | Mnemonic::Vmovaps
    ) && instruction.op_kind(0) == OpKind::Register;
    moves || matches!(instruction.mnemonic(), Mnemonic::Nop | Mnemonic::Cmp | Mnemonic::Test | Mnemonic::Lea)
}

fn chain_finding(rings: &[Chain], kind: Kind, operations: u64) -> Option<String> {
    let long: Vec<&Chain> = rings.iter().filter(|ring| ring.length > CONTROL).collect();
    let operations = usize::try_from(operations).unwrap_or(usize::MAX);
    match kind {
        Kind::Latency => {
            let Some(longest) = long.first() else {
                return Some(
                    "no chain goes from turn to turn: operations do not wait for one another, and the cost is no latency"
                        .to_owned(),
                );
            };
            if longest.length < operations {
                return Some(format!(
                    "the chain is half dependent: of {operations} operations in a turn it passes {} instructions, so that \
                     operations overlap and the cost is less than their latency",
                    longest.length
                ));
            }
            let rival = long.get(1).filter(|rival| 2 * rival.members.len() > longest.members.len());
            rival.map(|rival| {
                format!(
                    "the chain is half dependent: two chains of {} and {} instructions go from turn to turn beside each \
                     other, so that operations overlap and the cost is less than their latency",
                    longest.length, rival.length
                )
            })
        }
        Kind::ReciprocalThroughput => long.first().map(|longest| {
            format!(
                "the operations are dependent: a chain of {} instructions goes from turn to turn of {operations} operations, \
                 so that the cost is no throughput of independent operations",
                longest.length
            )
        }),
        _ => None,
    }
}

fn barriers(turn: &[Instruction]) -> Option<String> {
    let is_barrier = |instruction: &&Instruction| {
        instruction.has_lock_prefix()
            || matches!(
                instruction.mnemonic(),
                Mnemonic::Mfence
                    | Mnemonic::Lfence
                    | Mnemonic::Sfence
                    | Mnemonic::Cpuid
                    | Mnemonic::Serialize
            )
    };
    let count = turn.iter().filter(is_barrier).count();
    (count > 0).then(|| {
        format!("{count} locked or fencing instructions run in a turn, which order everything around them")
    })
}

/// Writes to the stack in every operation, though the value passes in a register.
fn detours(turn: &[Instruction], operations: u64) -> Option<String> {
    let mut factory = InstructionInfoFactory::new();
    let stored: usize = turn
        .iter()
        .map(|instruction| {
            let memory = factory.info(instruction).used_memory();
            let writes = memory.iter().filter(|used| {
                used.base() == Register::RSP && matches!(used.access(), OpAccess::Write | OpAccess::ReadWrite)
            });
            writes.count()
        })
        .sum();
    (stored as u64 >= operations.max(2))
        .then(|| format!("{stored} writes go to the stack in a turn of {operations} operations: values do not stay in registers"))
}
