//! Which words name the operands of a form? `r64`, `xmm`, `imm8`, `[m64]`, `cl`: read and written.

use std::{fmt, iter};

use iced_x86::{Mnemonic, OpCodeInfo, OpCodeOperandKind, Register};

/// A class of registers that an instruction may be given any of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// 8-bit general registers.
    R8,
    /// 16-bit general registers.
    R16,
    /// 32-bit general registers.
    R32,
    /// 64-bit general registers.
    R64,
    /// MMX registers.
    Mm,
    /// 128-bit vector registers.
    Xmm,
    /// 256-bit vector registers.
    Ymm,
    /// 512-bit vector registers.
    Zmm,
    /// Mask registers.
    K,
}

/// A register file: values stay inside it without an instruction that crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum File {
    /// General registers.
    General,
    /// Vector registers.
    Vector,
    /// MMX registers.
    Mmx,
    /// Mask registers.
    Mask,
}

impl Class {
    const ALL: [(Self, &'static str); 9] = [
        (Self::R8, "r8"),
        (Self::R16, "r16"),
        (Self::R32, "r32"),
        (Self::R64, "r64"),
        (Self::Mm, "mm"),
        (Self::Xmm, "xmm"),
        (Self::Ymm, "ymm"),
        (Self::Zmm, "zmm"),
        (Self::K, "k"),
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(class, _)| *class == self).map_or("?", |(_, word)| word)
    }

    /// The file that its registers belong to.
    pub const fn file(self) -> File {
        match self {
            Self::R8 | Self::R16 | Self::R32 | Self::R64 => File::General,
            Self::Mm => File::Mmx,
            Self::Xmm | Self::Ymm | Self::Zmm => File::Vector,
            Self::K => File::Mask,
        }
    }

    /// Its register with this number in its file; numbers past the last stay at the last.
    pub fn register(self, number: usize) -> Register {
        let (first, most) = match self {
            // Numbers 4 to 7 are SPL, BPL, SIL and DIL, which come after AH to BH in the list of registers.
            Self::R8 if number >= 4 => (Register::SPL, 11),
            Self::R8 => (Register::AL, 3),
            Self::R16 => (Register::AX, 15),
            Self::R32 => (Register::EAX, 15),
            Self::R64 => (Register::RAX, 15),
            Self::Mm => (Register::MM0, 7),
            Self::Xmm => (Register::XMM0, 15),
            Self::Ymm => (Register::YMM0, 15),
            Self::Zmm => (Register::ZMM0, 15),
            Self::K => (Register::K0, 7),
        };
        let number = if self == Self::R8 && number >= 4 { number - 4 } else { number };
        let at = first as usize + number.min(most);
        Register::values().nth(at).unwrap_or(first)
    }

    /// The class that a register belongs to, if it is one of those that are allotted here.
    pub fn of(register: Register) -> Option<Self> {
        Some(match register {
            _ if register.is_gpr8() => Self::R8,
            _ if register.is_gpr16() => Self::R16,
            _ if register.is_gpr32() => Self::R32,
            _ if register.is_gpr64() => Self::R64,
            _ if register.is_mm() => Self::Mm,
            _ if register.is_xmm() => Self::Xmm,
            _ if register.is_ymm() => Self::Ymm,
            _ if register.is_zmm() => Self::Zmm,
            _ if register.is_k() => Self::K,
            _ => return None,
        })
    }
}

/// What an operand of a form may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// Any register of a class.
    Register(Class),
    /// This register and no other.
    Fixed(Register),
    /// An immediate of so many bits.
    Immediate(u16),
    /// The constant 1 that a shift's short form has.
    One,
    /// Memory of so many bits; 0 where the instruction does not access it (`lea`) or its size varies.
    Memory(u16),
    /// Memory at a vector of addresses; the index is of this class.
    Gather(Class, u16),
    /// An address that is computed and not accessed, of more parts than a base (`lea`).
    Address(Address),
}

/// The parts of an address that is computed: cores take longer for some than for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// Whether there is a base register.
    pub base: bool,
    /// What the index register is multiplied by: 1, 2, 4 or 8.
    pub scale: u8,
    /// Whether a displacement of 8 bits is added.
    pub displacement: bool,
}

impl Address {
    /// Those that an encoding tells apart; an index that is not multiplied is a base when there is no other.
    fn all() -> impl Iterator<Item = Self> {
        let with_base = [false, true]
            .into_iter()
            .flat_map(|displacement| [1, 2, 4, 8].map(|scale| Self { base: true, scale, displacement }));
        with_base.chain([2, 4, 8].map(|scale| Self { base: false, scale, displacement: false }))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.base { "[base+index" } else { "[index" })?;
        if self.scale > 1 {
            write!(f, "*{}", self.scale)?;
        }
        f.write_str(if self.displacement { "+disp8]" } else { "]" })
    }
}

impl Operand {
    /// Whether it is memory.
    pub const fn is_memory(self) -> bool {
        matches!(self, Self::Memory(_) | Self::Gather(..) | Self::Address(_))
    }

    /// What an operand word says; `None` for a word that is none. `imm` alone is any immediate, as 0 bits.
    ///
    /// ```
    /// use fencepost::asm::{Class, Operand};
    /// assert_eq!(Operand::parse("r64"), Some(Operand::Register(Class::R64)));
    /// assert_eq!(Operand::parse("[m64]"), Some(Operand::Memory(64)));
    /// assert_eq!(Operand::parse("rax").map(|word| word.to_string()).as_deref(), Some("rax"));
    /// assert_eq!(Operand::parse("42"), None);
    /// ```
    pub fn parse(word: &str) -> Option<Self> {
        let word = word.trim().to_ascii_lowercase();
        if let Some((class, _)) = Class::ALL.iter().find(|(_, name)| *name == word) {
            return Some(Self::Register(*class));
        }
        if let Some(bits) = word.strip_prefix("imm") {
            return match bits {
                "" => Some(Self::Immediate(0)),
                "8" | "16" | "32" | "64" => bits.parse().ok().map(Self::Immediate),
                _ => None,
            };
        }
        if word == "1" {
            return Some(Self::One);
        }
        if let Some(address) = Address::all().find(|address| address.to_string() == word.replace(' ', "")) {
            return Some(Self::Address(address));
        }
        let inner = word.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(&word).trim();
        if let Some(bits) = inner.strip_prefix("vm") {
            let (bits, class) = match bits.split_at_checked(2)? {
                (bits, "x") => (bits, Class::Xmm),
                (bits, "y") => (bits, Class::Ymm),
                (bits, "z") => (bits, Class::Zmm),
                _ => return None,
            };
            return bits
                .parse()
                .ok()
                .filter(|bits| matches!(bits, 32 | 64))
                .map(|bits| Self::Gather(class, bits));
        }
        if let Some(bits) = inner.strip_prefix('m').filter(|_| !inner.starts_with("mm")) {
            return match bits {
                "" => Some(Self::Memory(0)),
                _ if bits.bytes().all(|byte| byte.is_ascii_digit()) => {
                    bits.parse().ok().filter(|bits| *bits <= 8192).map(Self::Memory)
                }
                _ => None,
            };
        }
        FIXED.iter().find(|(_, name)| *name == word).map(|(register, _)| Self::Fixed(*register))
    }

    /// What one position of an opcode may hold: the alternatives; none for what forms leave out (branches, far
    /// pointers, segment, control and other system registers, string operands).
    pub(super) fn alternatives(kind: OpCodeOperandKind, info: &OpCodeInfo) -> Vec<Self> {
        use OpCodeOperandKind as K;
        let bits = u16::try_from(info.memory_size().size() * 8).unwrap_or(0);
        let memory = Self::Memory(bits);
        let register = Self::Register;
        match kind {
            K::mem if info.mnemonic() == Mnemonic::Lea => {
                iter::once(memory).chain(Address::all().map(Self::Address)).collect()
            }
            K::mem => vec![memory],
            K::mem_vsib32x => vec![Self::Gather(Class::Xmm, 32)],
            K::mem_vsib64x => vec![Self::Gather(Class::Xmm, 64)],
            K::mem_vsib32y => vec![Self::Gather(Class::Ymm, 32)],
            K::mem_vsib64y => vec![Self::Gather(Class::Ymm, 64)],
            K::mem_vsib32z => vec![Self::Gather(Class::Zmm, 32)],
            K::mem_vsib64z => vec![Self::Gather(Class::Zmm, 64)],
            K::r8_or_mem => vec![register(Class::R8), memory],
            K::r16_or_mem => vec![register(Class::R16), memory],
            K::r32_or_mem => vec![register(Class::R32), memory],
            K::r64_or_mem => vec![register(Class::R64), memory],
            K::mm_or_mem => vec![register(Class::Mm), memory],
            K::xmm_or_mem => vec![register(Class::Xmm), memory],
            K::ymm_or_mem => vec![register(Class::Ymm), memory],
            K::zmm_or_mem => vec![register(Class::Zmm), memory],
            K::k_or_mem => vec![register(Class::K), memory],
            K::r8_reg | K::r8_opcode => vec![register(Class::R8)],
            K::r16_reg | K::r16_rm | K::r16_opcode => vec![register(Class::R16)],
            K::r32_reg | K::r32_rm | K::r32_opcode | K::r32_vvvv => vec![register(Class::R32)],
            K::r64_reg | K::r64_rm | K::r64_opcode | K::r64_vvvv => vec![register(Class::R64)],
            K::k_reg | K::k_rm | K::k_vvvv => vec![register(Class::K)],
            K::mm_reg | K::mm_rm => vec![register(Class::Mm)],
            K::xmm_reg | K::xmm_rm | K::xmm_vvvv | K::xmm_is4 => vec![register(Class::Xmm)],
            K::ymm_reg | K::ymm_rm | K::ymm_vvvv | K::ymm_is4 => vec![register(Class::Ymm)],
            K::zmm_reg | K::zmm_rm | K::zmm_vvvv => vec![register(Class::Zmm)],
            K::al => vec![Self::Fixed(Register::AL)],
            K::cl => vec![Self::Fixed(Register::CL)],
            K::ax => vec![Self::Fixed(Register::AX)],
            K::eax => vec![Self::Fixed(Register::EAX)],
            K::rax => vec![Self::Fixed(Register::RAX)],
            K::imm8 | K::imm8sex16 | K::imm8sex32 | K::imm8sex64 => vec![Self::Immediate(8)],
            K::imm8_const_1 => vec![Self::One],
            K::imm16 => vec![Self::Immediate(16)],
            K::imm32 | K::imm32sex64 => vec![Self::Immediate(32)],
            K::imm64 => vec![Self::Immediate(64)],
            _ => Vec::new(),
        }
    }
}

/// Registers that forms name.
const FIXED: [(Register, &str); 10] = [
    (Register::AL, "al"),
    (Register::CL, "cl"),
    (Register::AX, "ax"),
    (Register::DX, "dx"),
    (Register::EAX, "eax"),
    (Register::RAX, "rax"),
    (Register::ECX, "ecx"),
    (Register::RCX, "rcx"),
    (Register::EDX, "edx"),
    (Register::RDX, "rdx"),
];

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Register(class) => f.write_str(class.word()),
            Self::Fixed(register) => {
                f.write_str(FIXED.iter().find(|(one, _)| one == register).map_or("?", |(_, word)| word))
            }
            Self::Immediate(0) => f.write_str("imm"),
            Self::Immediate(bits) => write!(f, "imm{bits}"),
            Self::One => f.write_str("1"),
            Self::Memory(0) => f.write_str("[m]"),
            Self::Memory(bits) => write!(f, "[m{bits}]"),
            Self::Gather(class, bits) => {
                let letter = match class {
                    Class::Ymm => 'y',
                    Class::Zmm => 'z',
                    _ => 'x',
                };
                write!(f, "[vm{bits}{letter}]")
            }
            Self::Address(address) => address.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_reads_back() {
        let words = "r8 r16 r32 r64 mm xmm ymm zmm k imm8 imm16 imm32 imm64 imm 1 [m] [m64] [m512] [base+index] [index*2] \
                     [base+index*8+disp8] [vm32x] [vm64z] cl al rax";
        for word in words.split(' ') {
            assert_eq!(Operand::parse(word).map(|one| one.to_string()).as_deref(), Some(word));
        }
        for word in [
            "",
            "[",
            "[]",
            "m64x",
            "vm",
            "vm3",
            "imm7",
            "rbx",
            "0",
            "[rax]",
            "[base]",
            "[index*3]",
            "[index+disp8]",
            "base+index",
            "mm9",
            "vm€x",
            "m99999",
        ] {
            assert_eq!(Operand::parse(word), None, "{word:?}");
        }
    }

    #[test]
    fn registers_keep_their_number_in_every_class() {
        for (class, _) in Class::ALL {
            for number in 0..8 {
                let register = class.register(number);
                assert_eq!(Class::of(register), Some(class), "{register:?}");
                let expected = if class == Class::R8 && number >= 4 { number + 4 } else { number };
                assert_eq!(register.number(), expected, "{register:?}");
            }
        }
        assert_eq!(Class::R8.register(15), Register::R15L);
        assert_eq!(Class::R8.register(6), Register::SIL);
    }
}
