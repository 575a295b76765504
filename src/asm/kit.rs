//! Of which pieces are measuring programs put together? Registers by role, operands and their values; the draft that they go into.

use iced_x86::{Mnemonic, Register};

use super::effects::{Place, decode};
pub(super) use super::form::BASE;
use super::form::{Form, Value, address, immediate};
use super::operand::{Class, File, Operand};
use super::ports::{Port, Ports};

mod draft;

pub(super) use draft::Draft;

/// Where programs keep their memory: any canonical address will do, for the sandbox maps what is touched.
pub(super) const SCRATCH: u64 = 0x1_2345_0000;
/// Bytes of it that are filled.
const SCRATCH_BYTES: u32 = 2048;
/// The register that no program uses.
const SPARE: u8 = 15;

/// Distance between two memory operands: none overlap, and neighbours lie in one line and in different banks of the cache, as in code that
/// walks through an array.
pub(super) fn stride(form: &Form) -> i32 {
    let bits = form.operands.iter().find_map(|operand| match operand {
        Operand::Memory(bits) => Some(*bits),
        _ => None,
    });
    match bits {
        Some(bits @ 1..=512) => i32::from((bits / 8).next_power_of_two()),
        _ => 64,
    }
}

/// Registers of one file, in the order in which roles get them; taken from the front for chains, from the back for the rest.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    numbers: Vec<usize>,
}

impl Pool {
    pub(super) fn new(file: File, fixed: &[Register]) -> Self {
        let of_file = |register: &&Register| Class::of(**register).is_some_and(|class| class.file() == file);
        let used: Vec<usize> = fixed.iter().filter(of_file).map(|register| register.number()).collect();
        let order: Vec<usize> = match file {
            // RSP is the stack's, R14 the address, R15 spare.
            File::General => vec![3, 6, 7, 8, 9, 10, 11, 5, 0, 1, 2, 12, 13],
            File::Vector => (0..16).collect(),
            File::Mmx => (0..8).collect(),
            // K0 means no mask where it masks.
            File::Mask => (1..8).collect(),
        };
        Self { numbers: order.into_iter().filter(|number| !used.contains(number)).collect() }
    }

    pub(super) fn left(&self) -> usize {
        self.numbers.len()
    }

    pub(super) fn front(&mut self) -> Option<usize> {
        (!self.numbers.is_empty()).then(|| self.numbers.remove(0))
    }

    pub(super) fn remove(&mut self, number: usize) {
        self.numbers.retain(|one| *one != number);
    }

    pub(super) fn back(&mut self) -> Option<usize> {
        self.numbers.pop()
    }
}

/// The pools of all files.
#[derive(Clone, Debug)]
pub(super) struct Pools([Pool; 4]);

impl Pools {
    pub(super) fn new(fixed: &[Register]) -> Self {
        Self([File::General, File::Vector, File::Mmx, File::Mask].map(|file| Pool::new(file, fixed)))
    }

    pub(super) fn of(&mut self, file: File) -> &mut Pool {
        let [general, vector, mmx, mask] = &mut self.0;
        match file {
            File::General => general,
            File::Vector => vector,
            File::Mmx => mmx,
            File::Mask => mask,
        }
    }
}

/// A register of a file by number, as the widest or a narrower class.
pub(super) fn general(number: usize) -> Register {
    Class::R64.register(number)
}

/// The dividend and divisor that divisions get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operands {
    /// Whatever the constants are.
    Any,
    /// A division whose quotient fills its register: the slow one, where speed depends on values.
    Full,
    /// A dividend as long as the divisor: a small quotient.
    Same,
    /// A dividend of 0.
    Zero,
}

impl Operands {
    /// The word for it in ids; none for [`Any`](Self::Any).
    pub const fn word(self) -> Option<&'static str> {
        match self {
            Self::Any => None,
            Self::Full => Some("full"),
            Self::Same => Some("short quotient"),
            Self::Zero => Some("dividend 0"),
        }
    }

    /// Those that a form is measured with, the slow ones first.
    pub fn of(form: &Form) -> &'static [Self] {
        if is_division(form) { &[Self::Full, Self::Same, Self::Zero] } else { &[Self::Any] }
    }
}

/// A bit test in memory, whose register says how far from its address it goes.
pub(super) fn is_far_bit_test(form: &Form) -> bool {
    matches!(form.code.mnemonic(), Mnemonic::Bt | Mnemonic::Bts | Mnemonic::Btr | Mnemonic::Btc)
        && form.operands.iter().any(|operand| operand.is_memory())
}

/// An integer division, which faults when its quotient does not fit.
pub(super) fn is_division(form: &Form) -> bool {
    matches!(form.code.mnemonic(), Mnemonic::Div | Mnemonic::Idiv)
}

/// The value of an operand that is not a register of the tool's choice.
pub(super) fn constant_value(operand: Operand, displacement: i32, index: Register) -> Value {
    match operand {
        Operand::Fixed(register) => Value::Register(register),
        Operand::Memory(_) | Operand::Gather(..) | Operand::Address(_) => {
            address(operand, index, displacement)
        }
        other => Value::Immediate(immediate(other)),
    }
}

/// Implicit registers, beside those in `except`, that are read and written, so that each operation would wait for the one before it.
pub(super) fn carriers(ports: &Ports, except: &[Port]) -> Vec<Register> {
    ports
        .fixed
        .iter()
        .copied()
        .filter(|register| {
            let port = Port::Implicit(*register);
            ports.reads(port) && ports.writes(port) && !except.contains(&port)
        })
        .collect()
}

/// What the places of a program are called in a sentence.
pub(super) fn in_words(places: &[Place]) -> String {
    places.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The same with the offset of each.
pub fn listing_with_offsets(bytes: &[u8]) -> Vec<(usize, String)> {
    decode(bytes)
        .iter()
        .map(|one| (usize::try_from(one.ip()).unwrap_or(0), super::block::text_of(one)))
        .collect()
}

/// The instructions of machine code as text, in Intel's syntax.
///
/// ```
/// assert_eq!(fencepost::asm::listing(&[0x48, 0x0f, 0xaf, 0xc3]), ["imul rax, rbx"]);
/// ```
pub fn listing(bytes: &[u8]) -> Vec<String> {
    decode(bytes).iter().map(super::block::text_of).collect()
}
