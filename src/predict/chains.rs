//! What waits for what from one turn of a loop to the next? The dependences of a turn by registers, flags and memory, and the rings that
//! they form.

#![forbid(unsafe_code)]

use std::collections::{BTreeMap, BTreeSet, HashMap};

use iced_x86::{Instruction, InstructionInfo, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};

/// Instructions that wait for one another from turn to turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Their places in the turn.
    pub members: Vec<usize>,
    /// Executed instructions on the longest way through a turn: register moves count nothing.
    pub length: usize,
}

/// What an instruction reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Register(Register),
    /// One bit of the flags.
    Flag(u32),
    /// An operand in memory, by what forms its address and which writes those registers are from.
    Memory {
        base: (Register, usize),
        index: (Register, usize),
        scale: u32,
        displacement: u64,
    },
}

/// Turns that are looked at: what is so from the second to the third is so from then on.
const TURNS: usize = 3;

/// The rings of dependence in a loop whose turn is `turn`, longest first.
pub fn chains(turn: &[Instruction]) -> Vec<Chain> {
    let edges = dependences(turn);
    let mut found: Vec<Chain> = rings(turn.len(), &edges)
        .into_iter()
        .map(|members| Chain { length: length(turn, &members, &edges), members })
        .collect();
    found.sort_by(|one, other| (other.length, &one.members).cmp(&(one.length, &other.members)));
    found
}

/// (what is waited for, who waits, whether it is of the turn before).
fn dependences(turn: &[Instruction]) -> BTreeSet<(usize, usize, bool)> {
    let mut factory = InstructionInfoFactory::new();
    let mut last: HashMap<Place, usize> = HashMap::new();
    let mut edges = BTreeSet::new();
    for at in 0..turn.len() * TURNS {
        let instruction = &turn[at % turn.len()];
        let (reads, writes) = accesses(instruction, factory.info(instruction), &last);
        for place in reads {
            let Some(&writer) = last.get(&place) else { continue };
            let turns = at / turn.len() - writer / turn.len();
            // A place that is written once is not carried: the write of the turn before is waited for at most.
            if at / turn.len() + 1 == TURNS && turns <= 1 {
                edges.insert((writer % turn.len(), at % turn.len(), turns == 1));
            }
        }
        for place in writes {
            last.insert(place, at);
        }
    }
    edges
}

fn accesses(
    instruction: &Instruction,
    info: &InstructionInfo,
    last: &HashMap<Place, usize>,
) -> (Vec<Place>, Vec<Place>) {
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    for used in info.used_registers() {
        let full = used.register().full_register();
        if full == Register::RIP || full == Register::None || full.is_segment_register() {
            continue;
        }
        let place = Place::Register(full);
        let (read, write) = both(used.access());
        // The rest of a general register is kept when a part of it is written.
        let merges = write && full.is_gpr64() && used.register().size() < 4;
        if read || merges {
            reads.push(place);
        }
        if write {
            writes.push(place);
        }
    }
    for bit in 0..12 {
        let mask = 1 << bit;
        if instruction.rflags_read() & mask != 0 {
            reads.push(Place::Flag(mask));
        }
        if instruction.rflags_modified() & mask != 0 {
            writes.push(Place::Flag(mask));
        }
    }
    let version = |register: Register| {
        let full = register.full_register();
        // 0 for what was there at the start.
        (full, last.get(&Place::Register(full)).map_or(0, |at| at + 1))
    };
    for used in info.used_memory() {
        let place = Place::Memory {
            base: version(used.base()),
            index: version(used.index()),
            scale: used.scale(),
            displacement: used.displacement(),
        };
        let (read, write) = both(used.access());
        if read {
            reads.push(place);
        }
        if write {
            writes.push(place);
        }
    }
    (reads, writes)
}

fn both(access: OpAccess) -> (bool, bool) {
    match access {
        OpAccess::Read | OpAccess::CondRead => (true, false),
        OpAccess::Write => (false, true),
        OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
        _ => (false, false),
    }
}

/// Sets of instructions each of which waits for all others (strongly connected components with an edge inside).
fn rings(count: usize, edges: &BTreeSet<(usize, usize, bool)>) -> Vec<Vec<usize>> {
    let mut after = vec![Vec::new(); count];
    let mut before = vec![Vec::new(); count];
    for (from, to, _) in edges {
        after[*from].push(*to);
        before[*to].push(*from);
    }
    // Kosaraju: in the order in which they end forward, what reaches each backward.
    let mut order = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    for start in 0..count {
        let mut open = vec![(start, 0)];
        while let Some((node, next)) = open.pop() {
            if next == 0 {
                if seen[node] {
                    continue;
                }
                seen[node] = true;
            }
            match after[node].get(next) {
                Some(to) => {
                    open.push((node, next + 1));
                    open.push((*to, 0));
                }
                None => order.push(node),
            }
        }
    }
    let mut taken = vec![false; count];
    let mut found = Vec::new();
    for start in order.into_iter().rev() {
        let mut members = Vec::new();
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            if !taken[node] {
                taken[node] = true;
                members.push(node);
                open.extend(&before[node]);
            }
        }
        let loops = members.len() > 1 || after[start].contains(&start);
        if loops && !members.is_empty() {
            members.sort_unstable();
            found.push(members);
        }
    }
    found
}

/// What the longest way grows by in a turn.
fn length(turn: &[Instruction], members: &[usize], edges: &BTreeSet<(usize, usize, bool)>) -> usize {
    const LONG: usize = 6;
    let inside: BTreeSet<usize> = members.iter().copied().collect();
    let mut sources: BTreeMap<usize, Vec<(usize, bool)>> = BTreeMap::new();
    for (from, to, carried) in edges {
        if inside.contains(from) && inside.contains(to) {
            sources.entry(*to).or_default().push((*from, *carried));
        }
    }
    let mut depth: BTreeMap<usize, usize> = BTreeMap::new();
    let mut most = Vec::new();
    for _ in 0..LONG {
        let earlier = depth.clone();
        for at in members {
            let waits = sources.get(at).into_iter().flatten();
            let longest = waits
                .map(|(from, carried)| {
                    if *carried { &earlier } else { &depth }.get(from).copied().unwrap_or(0)
                })
                .max()
                .unwrap_or(0);
            depth.insert(*at, longest + usize::from(!is_move(&turn[*at])));
        }
        most.push(depth.values().copied().max().unwrap_or(0));
    }
    (most[LONG - 1] - most[LONG / 2 - 1]) / (LONG / 2)
}

/// A copy from register to register, which renaming does.
fn is_move(instruction: &Instruction) -> bool {
    matches!(
        instruction.mnemonic(),
        Mnemonic::Mov
            | Mnemonic::Movaps
            | Mnemonic::Movapd
            | Mnemonic::Movdqa
            | Mnemonic::Movups
            | Mnemonic::Vmovaps
            | Mnemonic::Vmovapd
            | Mnemonic::Vmovdqa
            | Mnemonic::Vmovups
    ) && instruction.op_kind(0) == OpKind::Register
        && instruction.op_kind(1) == OpKind::Register
}

#[cfg(test)]
mod tests {
    use super::*;
    use iced_x86::{Decoder, DecoderOptions};

    fn turn(bytes: &[u8]) -> Vec<Instruction> {
        Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE).into_iter().collect()
    }

    #[test]
    fn a_chain_through_a_register_is_one_ring_of_its_length() {
        // imul rax, rcx; imul rax, rcx; dec rdx; jnz
        let found =
            chains(&turn(&[0x48, 0x0f, 0xaf, 0xc1, 0x48, 0x0f, 0xaf, 0xc1, 0x48, 0xff, 0xca, 0x75, 0xf3]));
        assert_eq!(found.len(), 2);
        assert_eq!(found[0], Chain { members: vec![0, 1], length: 2 });
        assert_eq!(found[1], Chain { members: vec![2], length: 1 });
    }

    #[test]
    fn two_chains_by_turns_are_two_rings() {
        // imul rax, rcx; imul rbx, rcx; imul rax, rcx; imul rbx, rcx
        let found = chains(&turn(&[
            0x48, 0x0f, 0xaf, 0xc1, 0x48, 0x0f, 0xaf, 0xd9, 0x48, 0x0f, 0xaf, 0xc1, 0x48, 0x0f, 0xaf, 0xd9,
        ]));
        assert_eq!(
            found.iter().map(|chain| chain.members.clone()).collect::<Vec<_>>(),
            [vec![0, 2], vec![1, 3]]
        );
    }

    #[test]
    fn a_chain_through_memory_is_found_and_a_cleared_register_ends_one() {
        // mov rax, [rsp+8]; inc rax; mov [rsp+8], rax
        let found = chains(&turn(&[0x48, 0x8b, 0x44, 0x24, 8, 0x48, 0xff, 0xc0, 0x48, 0x89, 0x44, 0x24, 8]));
        assert_eq!((found.len(), found[0].length), (1, 3));
        // xor eax, eax; imul rax, rcx
        assert_eq!(chains(&turn(&[0x31, 0xc0, 0x48, 0x0f, 0xaf, 0xc1])), []);
    }
}
