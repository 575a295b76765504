//! Which instructions can run between the fences, and which of them form loops? Control is followed from the opening fence; a closing
//! RDTSCP ends every path.

#![forbid(unsafe_code)]

use std::collections::{BTreeMap, BTreeSet};

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic};

use super::own_code::Code;

/// More instructions than this are not followed.
const MOST_INSTRUCTIONS: usize = 20_000;

/// What can run from one address on.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// Where control was followed from.
    pub start: u64,
    /// The instructions that can be reached, by address.
    pub instructions: BTreeMap<u64, Instruction>,
    /// Addresses of closing RDTSCPs that were reached.
    pub closing: Vec<u64>,
    /// Where a path left the code, or could not be followed: an indirect jump, bytes that are no instruction.
    pub lost: BTreeSet<u64>,
}

/// A natural loop: every instruction from which its head is reached again without leaving it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The address of its first instruction.
    pub head: u64,
    /// The addresses of the jumps back to its head.
    pub closing: BTreeSet<u64>,
    /// The addresses of all of its instructions.
    pub body: BTreeSet<u64>,
}

impl Loop {
    /// Whether all of `other` is inside.
    pub fn encloses(&self, other: &Loop) -> bool {
        self.head != other.head && self.body.contains(&other.head) && other.body.is_subset(&self.body)
    }
}

impl Flow {
    /// Everything between the opening fence (`rdtsc; lfence`) of the function `code` and its closing `rdtscp`; `None` where there is
    /// no opening fence.
    pub fn of_region(code: &Code) -> Option<Self> {
        let before =
            Self::follow(code, code.address, |instruction| instruction.mnemonic() == Mnemonic::Rdtsc);
        let opening = *before.closing.first()?;
        let fence = decode(code, decode(code, opening)?.next_ip())?;
        let start = if fence.mnemonic() == Mnemonic::Lfence { fence.next_ip() } else { fence.ip() };
        Some(Self::follow(code, start, |instruction| instruction.mnemonic() == Mnemonic::Rdtscp))
    }

    /// Everything that can run from `start` on, to instructions that end a path.
    pub fn follow(code: &Code, start: u64, ends: impl Fn(&Instruction) -> bool) -> Self {
        let mut flow = Self { start, ..Self::default() };
        let mut open = vec![start];
        while let Some(address) = open.pop() {
            if flow.instructions.contains_key(&address) || flow.closing.contains(&address) {
                continue;
            }
            let known = flow.instructions.len() < MOST_INSTRUCTIONS;
            let Some(instruction) = decode(code, address).filter(|_| known) else {
                flow.lost.insert(address);
                continue;
            };
            if ends(&instruction) {
                flow.closing.push(address);
                continue;
            }
            if instruction.flow_control() == FlowControl::IndirectBranch {
                flow.lost.insert(address);
            }
            open.extend(successors(&instruction));
            flow.instructions.insert(address, instruction);
        }
        flow
    }

    /// The loops, by the address of their head. Those of one head are one loop.
    pub fn loops(&self) -> Vec<Loop> {
        let mut before: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for (address, instruction) in &self.instructions {
            for next in successors(instruction) {
                before.entry(next).or_default().push(*address);
            }
        }
        let mut loops: BTreeMap<u64, Loop> = BTreeMap::new();
        for (from, head) in self.back_edges() {
            let mut body = BTreeSet::from([head]);
            let mut open = vec![from];
            while let Some(address) = open.pop() {
                if body.insert(address) {
                    open.extend(before.get(&address).into_iter().flatten());
                }
            }
            let found = loops.entry(head).or_insert_with(|| Loop {
                head,
                closing: BTreeSet::new(),
                body: BTreeSet::new(),
            });
            found.closing.insert(from);
            found.body.extend(body);
        }
        loops.into_values().collect()
    }

    /// Edges to an instruction that is on the path to their origin, found depth first.
    fn back_edges(&self) -> Vec<(u64, u64)> {
        let mut edges = Vec::new();
        let mut done = BTreeSet::new();
        let mut path = BTreeSet::new();
        let mut open: Vec<(u64, std::vec::IntoIter<u64>)> = Vec::new();
        let enter = |address: u64| {
            let next = self.instructions.get(&address).map(successors).unwrap_or_default();
            (address, next.into_iter())
        };
        if self.instructions.contains_key(&self.start) {
            path.insert(self.start);
            open.push(enter(self.start));
        }
        while let Some((address, next)) = open.last_mut() {
            let address = *address;
            match next.next() {
                None => {
                    path.remove(&address);
                    done.insert(address);
                    open.pop();
                }
                Some(to) if path.contains(&to) => edges.push((address, to)),
                Some(to) if !done.contains(&to) && self.instructions.contains_key(&to) => {
                    path.insert(to);
                    open.push(enter(to));
                }
                Some(_) => {}
            }
        }
        edges
    }

    /// The loops that no other encloses.
    pub fn outermost(&self) -> Vec<Loop> {
        let loops = self.loops();
        loops.iter().filter(|one| !loops.iter().any(|other| other.encloses(one))).cloned().collect()
    }
}

/// The instruction at `address`, if all of it is inside of `code` and it is one.
pub(super) fn decode(code: &Code, address: u64) -> Option<Instruction> {
    let bytes = code.from(address);
    if bytes.is_empty() {
        return None;
    }
    let instruction = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode();
    (!instruction.is_invalid()).then_some(instruction)
}

/// Where control goes from here, the likelier way first: a call comes back.
fn successors(instruction: &Instruction) -> Vec<u64> {
    match instruction.flow_control() {
        FlowControl::Next | FlowControl::Call | FlowControl::IndirectCall | FlowControl::XbeginXabortXend => {
            vec![instruction.next_ip()]
        }
        FlowControl::ConditionalBranch => vec![instruction.next_ip(), instruction.near_branch_target()],
        FlowControl::UnconditionalBranch => vec![instruction.near_branch_target()],
        FlowControl::IndirectBranch
        | FlowControl::Return
        | FlowControl::Interrupt
        | FlowControl::Exception => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(in crate::predict) fn code(bytes: &[u8]) -> Code {
        Code { address: 0x1000, bytes: bytes.to_vec(), symbol: None }
    }

    /// `lfence; rdtsc; lfence; 1: imul rax, rcx; dec rdx; jnz 1b; rdtscp; lfence; ret`.
    const TIMED: &[u8] = &[
        0x0f, 0xae, 0xe8, 0x0f, 0x31, 0x0f, 0xae, 0xe8, 0x48, 0x0f, 0xaf, 0xc1, 0x48, 0xff, 0xca, 0x75, 0xf7,
        0x0f, 0x01, 0xf9, 0x0f, 0xae, 0xe8, 0xc3,
    ];

    #[test]
    fn the_region_lies_between_the_fences_and_its_loop_is_found() {
        let flow = Flow::of_region(&code(TIMED)).unwrap();
        assert_eq!((flow.start, flow.instructions.len()), (0x1008, 3));
        assert_eq!(flow.closing, [0x1011]);
        let loops = flow.loops();
        assert_eq!(loops.len(), 1);
        assert_eq!((loops[0].head, loops[0].body.len()), (0x1008, 3));
        assert_eq!(loops[0].closing, BTreeSet::from([0x100f]));
    }

    #[test]
    fn code_without_a_fence_or_cut_off_gives_no_region_or_a_lost_path() {
        assert!(Flow::of_region(&code(&[0x90, 0xc3])).is_none());
        assert!(Flow::of_region(&code(&[])).is_none());
        let cut = Flow::of_region(&code(&TIMED[..16])).unwrap();
        assert!(cut.closing.is_empty());
        assert_eq!(cut.lost, BTreeSet::from([0x100f]), "the jump is cut in two");
    }

    #[test]
    fn an_inner_loop_is_enclosed_by_the_outer_one() {
        // 1: mov ecx, 16; 2: imul rax, rdx; dec ecx; jnz 2b; dec rsi; jnz 1b; ret
        let bytes = [
            0xb9, 16, 0, 0, 0, 0x48, 0x0f, 0xaf, 0xc2, 0xff, 0xc9, 0x75, 0xf8, 0x48, 0xff, 0xce, 0x75, 0xee,
            0xc3,
        ];
        let flow = Flow::follow(&code(&bytes), 0x1000, |_| false);
        let loops = flow.loops();
        assert_eq!(loops.len(), 2);
        let outer = flow.outermost();
        assert_eq!(outer.len(), 1);
        assert_eq!((outer[0].head, outer[0].body.len()), (0x1000, 6));
        assert!(outer[0].encloses(&loops[1]));
    }
}
