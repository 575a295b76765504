//! Which machine code is timed? The loop around a program, and the code that sets its state and reads the counter, as bytes.

use super::super::program::Program;

/// About so many instructions make one turn of the unrolled loop, and no more bytes than this.
const TURN_INSTRUCTIONS: usize = 500;
const TURN_BYTES: usize = 16 << 10;

/// Where the code's own variables stand in the data page, in bytes.
pub(super) mod slot {
    pub(in super::super) const TURNS: usize = 0;
    pub(in super::super) const SAVED_RSP: usize = 8;
    pub(in super::super) const SAVED_RAX: usize = 16;
    pub(in super::super) const SAVED_RDX: usize = 24;
    pub(in super::super) const START: usize = 32;
    pub(in super::super) const STOP: usize = 40;
    pub(in super::super) const CORE: usize = 48;
    pub(in super::super) const STACK: usize = 64;
    pub(in super::super) const WORD: usize = 72;
    pub(in super::super) const DOUBLE: usize = 80;
    pub(in super::super) const MASK: usize = 88;
    pub(in super::super) const MXCSR: usize = 96;
    pub(in super::super) const OWN_MXCSR: usize = 100;
}

/// All exceptions masked, subnormal operands and results taken as zero.
pub(super) const MXCSR: u32 = 0x9fc0;
/// What Rust code expects.
pub(super) const OWN_MXCSR: u32 = 0x1f80;

/// Position-independent code but for its distance to the data page.
#[derive(Debug)]
pub(super) struct Blob {
    /// The code, from the start of a page on.
    pub(super) code: Vec<u8>,
    /// Repetitions in one turn of the unrolled loop.
    pub(super) unroll: u64,
    /// The two functions: one repetition a turn, and `unroll`.
    pub(super) entries: [Entry; 2],
    /// From the code's start to the data page.
    pub(super) data: usize,
}

/// Where one of the functions and its parts stand, in bytes from the code's start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) start: usize,
    pub(super) setup: usize,
    pub(super) body: usize,
    pub(super) end: usize,
}

pub(super) const PAGE: usize = 4096;

struct Features {
    avx: bool,
    avx512f: bool,
    avx512bw: bool,
}

impl Blob {
    pub(super) fn new(program: &Program) -> Self {
        let features = Features {
            avx: is_x86_feature_detected!("avx"),
            avx512f: is_x86_feature_detected!("avx512f"),
            avx512bw: is_x86_feature_detected!("avx512bw"),
        };
        let by_count = (TURN_INSTRUCTIONS / program.instructions.max(1)).max(1);
        let unroll = by_count.min((TURN_BYTES / program.body.len().max(1)).max(1));
        // A first pass finds the length; the second knows how far the data is. Every displacement has 32 bits.
        let (code, _) = both(program, unroll, 0, &features);
        // A page between them, so that no write comes near code that is executed.
        let data = (code.len().next_multiple_of(PAGE)) + 16 * PAGE;
        let (code, entries) = both(program, unroll, data, &features);
        Self { code, unroll: unroll as u64, entries, data }
    }

    /// Where in the program this address of the code lies.
    pub(super) fn place(&self, at: usize, body: usize) -> Place {
        for entry in self.entries {
            if (entry.body..entry.end).contains(&at) {
                return Place::Body((at - entry.body) % body.max(1));
            }
            if (entry.setup..entry.body).contains(&at) {
                return Place::Setup;
            }
        }
        Place::Elsewhere
    }
}

/// Where the instruction pointer was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In a repetition, at this offset.
    Body(usize),
    /// In the setup or the code around it.
    Setup,
    /// Outside of what was to be run.
    Elsewhere,
}

fn both(program: &Program, unroll: usize, data: usize, features: &Features) -> (Vec<u8>, [Entry; 2]) {
    let mut code = Code { bytes: Vec::new(), data };
    let one = code.function(program, 1, features);
    code.align();
    let many = code.function(program, unroll, features);
    (code.bytes, [one, many])
}

struct Code {
    bytes: Vec<u8>,
    data: usize,
}

const RAX: u8 = 0;
const RCX: u8 = 1;
const RDX: u8 = 2;
const RSP: u8 = 4;

impl Code {
    fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// An instruction whose memory operand is a slot, relative to RIP.
    fn slot(&mut self, opcode: &[u8], register: u8, slot: usize) {
        self.raw(opcode);
        self.raw(&[(register & 7) << 3 | 0b101]);
        let next = self.bytes.len() + 4;
        let displacement = (self.data + slot) as i64 - next as i64;
        self.raw(&(displacement as i32).to_le_bytes());
    }

    fn store(&mut self, register: u8, slot: usize) {
        self.slot(&[0x48 | (register >> 3) << 2, 0x89], register, slot);
    }

    fn load(&mut self, register: u8, slot: usize) {
        self.slot(&[0x48 | (register >> 3) << 2, 0x8b], register, slot);
    }

    fn align(&mut self) {
        while !self.bytes.len().is_multiple_of(64) {
            let rest = 64 - self.bytes.len() % 64;
            // Long NOPs: what stands before the loop is executed.
            match rest {
                1 => self.raw(&[0x90]),
                2 => self.raw(&[0x66, 0x90]),
                3 => self.raw(&[0x0f, 0x1f, 0x00]),
                _ => self.raw(&[0x0f, 0x1f, 0x40, 0x00]),
            }
        }
    }

    /// `extern "C" fn(turns: u64)`: sets the state, times `turns` of `unroll` repetitions, and leaves the readings in the data page.
    fn function(&mut self, program: &Program, unroll: usize, features: &Features) -> Entry {
        let start = self.bytes.len();
        // push rbx, rbp, r12 to r15
        self.raw(&[0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57]);
        self.store(RSP, slot::SAVED_RSP);
        self.store(7, slot::TURNS);
        self.raw(&[0xdb, 0xe3]); // fninit
        self.slot(&[0x0f, 0xae], 2, slot::MXCSR); // ldmxcsr
        self.vectors(features);
        self.load(RSP, slot::STACK);
        for register in (0..16).filter(|register| *register != RSP) {
            self.load(register, slot::WORD);
        }
        let setup = self.bytes.len();
        self.raw(&program.setup);
        self.store(RAX, slot::SAVED_RAX);
        self.store(RDX, slot::SAVED_RDX);
        self.raw(&[0x0f, 0xae, 0xe8, 0x0f, 0x31, 0x0f, 0xae, 0xe8]); // lfence; rdtsc; lfence
        self.joined();
        self.store(RAX, slot::START);
        self.load(RAX, slot::SAVED_RAX);
        self.load(RDX, slot::SAVED_RDX);
        if let Some(spare) = program.spare {
            self.load(spare, slot::TURNS);
        }
        self.align();
        // Defined flags.
        self.raw(&[0x48, 0x85, 0xe4]); // test rsp, rsp
        let body = self.bytes.len();
        for _ in 0..unroll {
            self.raw(&program.body);
        }
        let end = self.bytes.len();
        match program.spare {
            Some(spare) => self.raw(&[0x48 | spare >> 3, 0xff, 0xc8 | spare & 7]), // dec
            None => self.slot(&[0x48, 0xff], 1, slot::TURNS),
        }
        let distance = body as i64 - (self.bytes.len() as i64 + 6);
        self.raw(&[0x0f, 0x85]); // jnz
        self.raw(&(distance as i32).to_le_bytes());
        self.raw(&[0x0f, 0x01, 0xf9, 0x0f, 0xae, 0xe8]); // rdtscp; lfence
        self.joined();
        self.store(RAX, slot::STOP);
        self.store(RCX, slot::CORE);
        self.load(RSP, slot::SAVED_RSP);
        // pushfq; and dword [rsp], all but AC, NT, DF, TF; popfq
        self.raw(&[0x9c, 0x81, 0x24, 0x24, 0xff, 0xba, 0xfb, 0xff, 0x9d]);
        self.raw(&[0xdb, 0xe3]); // fninit
        self.slot(&[0x0f, 0xae], 2, slot::OWN_MXCSR);
        if features.avx {
            self.raw(&[0xc5, 0xf8, 0x77]); // vzeroupper
        }
        // pop r15 to r12, rbp, rbx; ret
        self.raw(&[0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c, 0x5d, 0x5b, 0xc3]);
        Entry { start, setup, body, end }
    }

    /// RAX := RDX:RAX.
    fn joined(&mut self) {
        self.raw(&[0x48, 0xc1, 0xe2, 0x20, 0x48, 0x09, 0xd0]); // shl rdx, 32; or rax, rdx
    }

    /// Every element of every vector register := the double, as wide as they are; masks := ones.
    fn vectors(&mut self, features: &Features) {
        for register in 0..if features.avx512f { 32 } else { 16u8 } {
            if features.avx512f {
                // vbroadcastsd zmm, qword [slot]
                let high =
                    u8::from(register & 8 == 0) << 7 | 0x60 | u8::from(register & 16 == 0) << 4 | 0b010;
                self.slot(&[0x62, high, 0xfd, 0x48, 0x19], register, slot::DOUBLE);
            } else if features.avx {
                // vbroadcastsd ymm, qword [slot]
                let high = if register < 8 { 0xe2 } else { 0x62 };
                self.slot(&[0xc4, high, 0x7d, 0x19], register, slot::DOUBLE);
            } else if register < 8 {
                self.slot(&[0xf2, 0x0f, 0x12], register, slot::DOUBLE); // movddup
            } else {
                self.slot(&[0xf2, 0x44, 0x0f, 0x12], register, slot::DOUBLE);
            }
        }
        if features.avx512f {
            for mask in 0..8 {
                if features.avx512bw {
                    self.slot(&[0xc4, 0xe1, 0xf8, 0x90], mask, slot::MASK); // kmovq
                } else {
                    self.slot(&[0xc5, 0xf8, 0x90], mask, slot::MASK); // kmovw
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use iced_x86::{Decoder, DecoderOptions, Mnemonic};

    fn program(body: &[u8], instructions: usize, spare: Option<u8>) -> Program {
        Program { body: body.to_vec(), instructions, operations: 1, spare, ..Program::default() }
    }

    #[test]
    fn all_of_it_decodes_and_the_branch_leads_to_the_first_repetition() {
        for spare in [None, Some(3), Some(15)] {
            let blob = Blob::new(&program(&[0x48, 0x01, 0xd8], 1, spare));
            assert_eq!(blob.unroll, 500);
            let mut decoder = Decoder::with_ip(64, &blob.code, 0, DecoderOptions::NONE);
            let mut branches = Vec::new();
            for instruction in &mut decoder {
                assert!(!instruction.is_invalid(), "at {:#x}", instruction.ip());
                if instruction.is_ip_rel_memory_operand() {
                    let at = instruction.ip_rel_memory_address() as usize;
                    assert!((blob.data..blob.data + 128).contains(&at), "{at:#x}");
                }
                if instruction.mnemonic() == Mnemonic::Jne {
                    branches.push(instruction.near_branch_target() as usize);
                }
            }
            assert_eq!(branches, blob.entries.map(|entry| entry.body));
        }
    }

    #[test]
    fn a_turn_is_bounded_in_instructions_and_bytes() {
        let unroll =
            |bytes: usize, instructions| Blob::new(&program(&vec![0x90; bytes], instructions, None)).unroll;
        assert_eq!(unroll(3, 3), 166);
        assert_eq!(unroll(1000, 700), 1);
        assert_eq!(unroll(10_000, 10), 1);
        assert_eq!(unroll(1000, 10), 16);
    }

    #[test]
    fn an_address_is_found_in_its_repetition() {
        let blob = Blob::new(&program(&[0x48, 0x01, 0xd8], 1, None));
        let many = blob.entries[1];
        assert_eq!(blob.place(many.body + 3 * 7 + 1, 3), Place::Body(1));
        assert_eq!(blob.place(many.setup, 3), Place::Setup);
        assert_eq!(blob.place(many.end, 3), Place::Elsewhere);
    }
}
