//! What does each instruction read and write, and which chain of dependences is carried from one repetition to the next?

use std::collections::HashMap;
use std::fmt;

use iced_x86::{
    Decoder, DecoderOptions, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register,
    RflagsBits,
};

/// Where a value can be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// A register, as its widest form.
    Register(Register),
    /// One flag.
    Flag(u32),
    /// Memory at base, index and displacement.
    Memory(Register, Register, u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Register(register) if register.is_zmm() => write!(f, "xmm{}", register.number()),
            Self::Register(register) => f.write_str(&format!("{register:?}").to_ascii_lowercase()),
            Self::Flag(flag) => f.write_str(match *flag {
                RflagsBits::CF => "CF",
                RflagsBits::ZF => "ZF",
                RflagsBits::SF => "SF",
                RflagsBits::OF => "OF",
                RflagsBits::PF => "PF",
                RflagsBits::AF => "AF",
                _ => "flags",
            }),
            Self::Memory(..) => f.write_str("memory"),
        }
    }
}

/// The flags that arithmetic uses.
pub(super) const FLAGS: [u32; 6] =
    [RflagsBits::ZF, RflagsBits::CF, RflagsBits::SF, RflagsBits::OF, RflagsBits::PF, RflagsBits::AF];

/// Some of an instruction's results, what they are made from, and how many links that is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Edge {
    pub(super) reads: Vec<Place>,
    pub(super) writes: Vec<Place>,
    pub(super) weight: u32,
}

/// The effect of one instruction: everything that it writes is made from everything that it reads.
pub(super) fn effect(instruction: &Instruction, factory: &mut InstructionInfoFactory) -> Edge {
    let mut edge = Edge { weight: 1, ..Edge::default() };
    let breaks = breaks_dependence(instruction);
    let info = factory.info(instruction);
    for used in info.used_registers() {
        let register = used.register();
        if register.is_segment_register() || register.is_ip() {
            continue;
        }
        let place = Place::Register(full(register));
        let (reads, writes) = access(used.access());
        // A write to 8 or 16 bits of a general register leaves the others as they are.
        let merges = writes && register.is_gpr() && register.size() < 4;
        if (reads || merges) && !breaks {
            edge.reads.push(place);
        }
        if writes {
            edge.writes.push(place);
        }
    }
    for used in info.used_memory() {
        let place = Place::Memory(used.base(), used.index(), used.displacement());
        let (reads, writes) = access(used.access());
        if reads {
            edge.reads.push(place);
        }
        if writes {
            edge.writes.push(place);
        }
    }
    for flag in FLAGS {
        if instruction.rflags_read() & flag != 0 {
            edge.reads.push(Place::Flag(flag));
        }
        if instruction.rflags_written() & flag != 0 {
            edge.writes.push(Place::Flag(flag));
        }
    }
    edge
}

/// What an instruction leaves in flags that no longer depends on anything: constants and nonsense.
pub(super) fn cut_flags(instruction: &Instruction) -> Edge {
    let cut = instruction.rflags_cleared() | instruction.rflags_set() | instruction.rflags_undefined();
    let writes = FLAGS.iter().filter(|flag| cut & **flag != 0).map(|flag| Place::Flag(*flag)).collect();
    Edge { reads: Vec::new(), writes, weight: 0 }
}

/// The widest register of which this is a part.
pub(super) fn full(register: Register) -> Register {
    register.full_register()
}

/// Whether an access reads and whether it writes. What is written only at times keeps its old value at others.
pub(super) const fn access(access: OpAccess) -> (bool, bool) {
    match access {
        OpAccess::Read | OpAccess::CondRead => (true, false),
        OpAccess::Write => (false, true),
        OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
        _ => (false, false),
    }
}

/// Instructions whose result is the same whatever their one register holds, beyond those that the decoder knows.
fn breaks_dependence(instruction: &Instruction) -> bool {
    use Mnemonic as M;
    let compares = matches!(
        instruction.mnemonic(),
        M::Pcmpeqb
            | M::Pcmpeqw
            | M::Pcmpeqd
            | M::Pcmpeqq
            | M::Vpcmpeqb
            | M::Vpcmpeqw
            | M::Vpcmpeqd
            | M::Vpcmpeqq
            | M::Pcmpgtb
            | M::Pcmpgtw
            | M::Pcmpgtd
            | M::Pcmpgtq
            | M::Vpcmpgtb
            | M::Vpcmpgtw
            | M::Vpcmpgtd
            | M::Vpcmpgtq
    );
    let count = instruction.op_count();
    compares
        && (0..count).all(|at| instruction.op_kind(at) == OpKind::Register)
        && (1..count).all(|at| instruction.op_register(at) == instruction.op_register(count - 1))
        && (count > 2 || instruction.op_register(0) == instruction.op_register(count - 1))
}

/// The instructions in these bytes; what does not decode ends it.
pub(super) fn decode(bytes: &[u8]) -> Vec<Instruction> {
    Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE)
        .into_iter()
        .take_while(|one| !one.is_invalid())
        .collect()
}

/// The effects of a block, one list of edges an instruction.
pub(super) fn effects(instructions: &[Instruction]) -> Vec<Vec<Edge>> {
    let mut factory = InstructionInfoFactory::new();
    instructions.iter().map(|one| vec![cut_flags(one), effect(one, &mut factory)]).collect()
}

/// A chain that each repetition of a block hands to the next.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Carried {
    /// Links that one repetition adds, on average.
    pub(super) growth: f64,
    /// The places through which it goes from one repetition to the next.
    pub(super) through: Vec<Place>,
}

/// Repetitions in which the longest chain shows itself, and those that are counted then.
const SETTLE: usize = 24;
const COUNTED: usize = 48;

/// The chain with the most links that a block hands from repetition to repetition; `None` if there is none.
pub(super) fn carried(steps: &[Vec<Edge>]) -> Option<Carried> {
    let mut depth: HashMap<Place, u64> = HashMap::new();
    let mut origin: HashMap<Place, Place> = HashMap::new();
    let mut settled = 0;
    for repetition in 0..SETTLE + COUNTED {
        if repetition == SETTLE {
            settled = depth.values().copied().max().unwrap_or(0);
        }
        // Where each place's deepest value came from, among the places as they were when the repetition began.
        origin.clear();
        for edges in steps {
            let after: Vec<(u64, Option<Place>)> = edges
                .iter()
                .map(|edge| {
                    let deepest = edge
                        .reads
                        .iter()
                        .map(|place| (depth.get(place).copied().unwrap_or(0), *place))
                        .max_by_key(|(depth, _)| *depth);
                    match deepest {
                        Some((depth, place)) => (
                            depth + u64::from(edge.weight),
                            Some(origin.get(&place).copied().unwrap_or(place)),
                        ),
                        None => (0, None),
                    }
                })
                .collect();
            for (edge, (value, from)) in edges.iter().zip(after) {
                for place in &edge.writes {
                    depth.insert(*place, value);
                    match from {
                        Some(from) => drop(origin.insert(*place, from)),
                        None => drop(origin.insert(*place, *place)),
                    }
                }
            }
        }
    }
    let (deepest, end) =
        depth.iter().map(|(place, depth)| (*depth, *place)).max_by_key(|(depth, _)| *depth)?;
    let growth = (deepest - settled) as f64 / COUNTED as f64;
    if growth <= 0.0 {
        return None;
    }
    let mut through = Vec::new();
    let mut at = end;
    while !through.contains(&at) && through.len() < 64 {
        through.push(at);
        at = origin.get(&at).copied().unwrap_or(at);
    }
    // What comes before the place that was met again leads into the cycle and is not of it.
    let first = through.iter().position(|place| *place == at).unwrap_or(0);
    Some(Carried { growth, through: through.split_off(first) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(bytes: &[u8]) -> Option<f64> {
        carried(&effects(&decode(bytes))).map(|carried| carried.growth)
    }

    #[test]
    fn chains_are_counted_in_links_a_repetition() {
        // imul rax, rbx
        assert_eq!(growth(&[0x48, 0x0f, 0xaf, 0xc3]), Some(1.0));
        // imul rax, rbx; imul rbx, rax
        assert_eq!(growth(&[0x48, 0x0f, 0xaf, 0xc3, 0x48, 0x0f, 0xaf, 0xd8]), Some(2.0));
        // add rax, rbx; add rcx, rbx: two chains of one link
        assert_eq!(growth(&[0x48, 0x01, 0xd8, 0x48, 0x01, 0xd9]), Some(1.0));
        // popcnt rax, rbx: none
        assert_eq!(growth(&[0xf3, 0x48, 0x0f, 0xb8, 0xc3]), None);
        // xor eax, eax; add rax, rbx: cut anew each time
        assert_eq!(growth(&[0x31, 0xc0, 0x48, 0x01, 0xd8]), None);
        // cmp rax, rbx: flags that nobody reads
        assert_eq!(growth(&[0x48, 0x39, 0xd8]), None);
        // adc eax, ebx; one link through the carry or the register
        assert_eq!(growth(&[0x11, 0xd8]), Some(1.0));
        // mov [rsp-8], rax; mov rax, [rsp-8]: through memory
        assert_eq!(growth(&[0x48, 0x89, 0x44, 0x24, 0xf8, 0x48, 0x8b, 0x44, 0x24, 0xf8]), Some(2.0));
        // pcmpeqd xmm0, xmm0
        assert_eq!(growth(&[0x66, 0x0f, 0x76, 0xc0]), None);
        // mov al, bl keeps the rest of rax
        assert_eq!(growth(&[0x88, 0xd8]), Some(1.0));
    }

    #[test]
    fn the_link_is_named() {
        // lea rcx, [rax+rbx]; imul rax, rcx
        let chain =
            carried(&effects(&decode(&[0x48, 0x8d, 0x0c, 0x18, 0x48, 0x0f, 0xaf, 0xc1]))).expect("a chain");
        assert_eq!(chain.through, [Place::Register(Register::RAX)]);
        assert_eq!(chain.growth, 2.0);
    }
}
