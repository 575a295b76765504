//! Which instructions can run between the fences, and which of them form loops? Control is followed from the opening fence; a closing
//! RDTSCP ends every path.

#![forbid(unsafe_code)]

use std::collections::{BTreeMap, BTreeSet};

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic};

use super::own_code::Code;

/// More instructions than this are not followed.
const MOST_INSTRUCTIONS: usize = 20_000;
/// Loops inside of so many others are not told apart.
const MOST_NESTED: usize = 64;

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

/// A loop: instructions from each of which all others are reached without leaving it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The address at which it is entered.
    pub head: u64,
    /// The addresses of the instructions that lead back to its head.
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

    /// The loops, longer ones first, so that an outer one stands before those inside of it.
    ///
    /// A loop is a strongly connected part of the code: compilers also enter loops in their middle, at several places, and such a
    /// loop has no head that dominates it. Its head is where it is entered from outside; of several such places the one that most
    /// jumps inside of the loop lead to. Without the edges to its head, what is still strongly connected is an inner loop.
    pub fn loops(&self) -> Vec<Loop> {
        let graph = Graph::of(self);
        let mut found = Vec::new();
        let mut open = vec![(graph.all(), 0)];
        let mut cut = BTreeSet::new();
        while let Some((among, depth)) = open.pop() {
            for inside in graph.strongly_connected(&among, &cut) {
                let Some(head) = graph.head(&inside) else { continue };
                let address = |at: &usize| graph.addresses[*at];
                found.push(Loop {
                    head: address(&head),
                    closing: graph.before[head]
                        .iter()
                        .filter(|at| inside.contains(at))
                        .map(address)
                        .collect(),
                    body: inside.iter().map(address).collect(),
                });
                cut.insert(head);
                if depth < MOST_NESTED {
                    open.push((inside, depth + 1));
                }
            }
        }
        // An outer loop is longer than those inside of it.
        crate::order::by(found, &|one: &Loop, other: &Loop| {
            (other.body.len(), one.head).cmp(&(one.body.len(), other.head))
        })
    }

    /// The loops inside of `outer`, the outer ones of them before theirs.
    pub fn inside(&self, outer: &Loop) -> Vec<Loop> {
        self.loops().into_iter().filter(|one| outer.encloses(one)).collect()
    }

    /// The loops that no other encloses.
    pub fn outermost(&self) -> Vec<Loop> {
        let loops = self.loops();
        loops.iter().filter(|one| !loops.iter().any(|other| other.encloses(one))).cloned().collect()
    }
}

/// Where control goes among the instructions of a flow, by their places in the order of addresses.
struct Graph {
    addresses: Vec<u64>,
    after: Vec<Vec<usize>>,
    before: Vec<Vec<usize>>,
    start: Option<usize>,
}

impl Graph {
    fn of(flow: &Flow) -> Self {
        let addresses: Vec<u64> = flow.instructions.keys().copied().collect();
        let place = |address: u64| addresses.binary_search(&address).ok();
        let after: Vec<Vec<usize>> = flow
            .instructions
            .values()
            .map(|instruction| successors(instruction).into_iter().filter_map(place).collect())
            .collect();
        let mut before = vec![Vec::new(); addresses.len()];
        for (from, next) in after.iter().enumerate() {
            for to in next {
                before[*to].push(from);
            }
        }
        Self { start: place(flow.start), addresses, after, before }
    }

    fn all(&self) -> BTreeSet<usize> {
        (0..self.addresses.len()).collect()
    }

    /// The place of `inside` that is entered from outside; `None` for a part without one.
    fn head(&self, inside: &BTreeSet<usize>) -> Option<usize> {
        let is_entered = |at: &usize| {
            self.start == Some(*at) || self.before[*at].iter().any(|from| !inside.contains(from))
        };
        let returns = |at: usize| self.before[at].iter().filter(|from| inside.contains(from)).count();
        inside.iter().copied().filter(is_entered).max_by_key(|at| (returns(*at), std::cmp::Reverse(*at)))
    }

    /// The strongly connected parts of `among` that hold an edge, edges to `cut` left out: Tarjan's algorithm, without recursion.
    fn strongly_connected(&self, among: &BTreeSet<usize>, cut: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
        const UNSEEN: usize = usize::MAX;
        let mut is_among = vec![false; self.addresses.len()];
        for at in among {
            is_among[*at] = true;
        }
        let next = |at: usize, nth: usize| {
            self.after[at].iter().copied().filter(|to| is_among[*to] && !cut.contains(to)).nth(nth)
        };
        let mut number = vec![UNSEEN; self.addresses.len()];
        let mut lowest = vec![UNSEEN; self.addresses.len()];
        let mut is_open = vec![false; self.addresses.len()];
        let (mut count, mut stack, mut parts) = (0, Vec::new(), Vec::new());
        for root in among.iter().copied() {
            if number[root] != UNSEEN {
                continue;
            }
            let mut path = vec![(root, 0)];
            while let Some((at, nth)) = path.last_mut() {
                let at = *at;
                if *nth == 0 && number[at] == UNSEEN {
                    (number[at], lowest[at], is_open[at]) = (count, count, true);
                    count += 1;
                    stack.push(at);
                }
                if let Some(to) = next(at, *nth) {
                    *nth += 1;
                    if number[to] == UNSEEN {
                        path.push((to, 0));
                    } else if is_open[to] {
                        lowest[at] = lowest[at].min(number[to]);
                    }
                    continue;
                }
                path.pop();
                if let Some((from, _)) = path.last() {
                    lowest[*from] = lowest[*from].min(lowest[at]);
                }
                if lowest[at] == number[at] {
                    let from = stack.iter().rposition(|one| *one == at).unwrap_or_default();
                    let part = stack.split_off(from);
                    for one in &part {
                        is_open[*one] = false;
                    }
                    let repeats = self.after[at].contains(&at) && !cut.contains(&at);
                    if part.len() > 1 || repeats {
                        parts.push(part.into_iter().collect());
                    }
                }
            }
        }
        parts
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

    /// What compilers make of a sum in a loop: `xor ecx, ecx; jmp 2f; 1: xor r8d, r8d; inc rcx; 2: mov r9, [rax+8*rcx]; test r9, r9;
    /// jz 4f; lea rdi, [rax+r9]; jmp 5f; 4: add r8, [rdi]; 5: inc r9; cmp r10, r9; jne 4b; cmp rcx, rsi; jne 1b; ret`. The outer loop
    /// is entered in its middle, the inner one at two places.
    const ROTATED: &[u8] = &[
        0x31, 0xc9, 0xeb, 0x06, 0x45, 0x31, 0xc0, 0x48, 0xff, 0xc1, 0x4c, 0x8b, 0x0c, 0xc8, 0x4d, 0x85, 0xc9,
        0x74, 0x06, 0x4a, 0x8d, 0x3c, 0x08, 0xeb, 0x03, 0x4c, 0x03, 0x07, 0x49, 0xff, 0xc1, 0x4d, 0x39, 0xca,
        0x75, 0xf5, 0x48, 0x39, 0xf1, 0x75, 0xdb, 0xc3,
    ];

    #[test]
    fn a_loop_that_is_entered_in_its_middle_and_one_with_two_entries_are_whole() {
        let flow = Flow::follow(&code(ROTATED), 0x1000, |_| false);
        let found: Vec<(u64, usize, Vec<u64>)> = flow
            .loops()
            .into_iter()
            .map(|one| (one.head, one.body.len(), one.closing.into_iter().collect()))
            .collect();
        assert_eq!(found, [(0x100a, 13, vec![0x1007]), (0x1019, 4, vec![0x1022])]);
        let outer = flow.outermost();
        assert_eq!((outer.len(), outer[0].head), (1, 0x100a));
        assert_eq!(flow.inside(&outer[0]).len(), 1);
        assert!(!outer[0].body.contains(&0x1000) && !outer[0].body.contains(&0x1029));
    }

    #[test]
    fn one_instruction_that_jumps_to_itself_is_a_loop_and_many_nested_ones_end() {
        // 1: loop 1b; ret
        let flow = Flow::follow(&code(&[0xe2, 0xfe, 0xc3]), 0x1000, |_| false);
        assert_eq!(flow.loops().len(), 1);
        assert_eq!(flow.loops()[0].closing, BTreeSet::from([0x1000]));
        // A thousand NOPs, and as many jumps back to each of them: loops in loops.
        let mut bytes = vec![0x90; 1000];
        for nth in 0..1000i32 {
            let from = 1000 + 6 * nth;
            bytes.extend([0x0f, 0x85]);
            bytes.extend((999 - nth - (from + 6)).to_le_bytes());
        }
        bytes.push(0xc3);
        let flow = Flow::follow(&code(&bytes), 0x1000, |_| false);
        let loops = flow.loops();
        assert_eq!(loops.len(), MOST_NESTED + 1);
        assert!(loops.windows(2).all(|pair| pair[0].encloses(&pair[1])));
    }
}
