//! Which registers hold a known value, or a known distance from what they held at the start of a turn? As far as it takes to count the
//! rounds of a loop with a constant number of them.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;

use iced_x86::{
    ConditionCode, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register, RflagsBits,
};

/// A value as far as it is known: a register's value at the start, if it depends on one, and what was added to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    from: Option<Register>,
    offset: u64,
}

impl Value {
    const fn constant(offset: u64) -> Self {
        Self { from: None, offset }
    }
}

/// The flags that loops are closed by.
#[derive(Clone, Copy, Debug, Default)]
struct Flags {
    zero: Option<bool>,
    carry: Option<bool>,
    sign: Option<bool>,
    overflow: Option<bool>,
}

/// What is known at one point of a turn.
#[derive(Debug, Default)]
pub(super) struct Constants {
    /// `None` for what is not known; a register that is not in it holds what it held at the start.
    registers: BTreeMap<Register, Option<Value>>,
    flags: Flags,
    /// The register that the last instruction that set the zero flag counted in.
    counter: Option<Register>,
}

impl Constants {
    fn get(&self, register: Register) -> Option<Value> {
        let full = register.full_register();
        if !full.is_gpr64() {
            return None;
        }
        let value =
            self.registers.get(&full).copied().unwrap_or(Some(Value { from: Some(full), offset: 0 }))?;
        match register.size() {
            8 => Some(value),
            // A counter that is added to in 32 bits is followed as if it did not wrap.
            4 => Some(if value.from.is_none() { Value::constant(value.offset & 0xffff_ffff) } else { value }),
            _ => None,
        }
    }

    fn operand(&self, instruction: &Instruction, operand: u32) -> Option<Value> {
        match instruction.op_kind(operand) {
            OpKind::Register => self.get(instruction.op_register(operand)),
            OpKind::Immediate8
            | OpKind::Immediate8to32
            | OpKind::Immediate8to64
            | OpKind::Immediate32
            | OpKind::Immediate32to64
            | OpKind::Immediate64 => Some(Value::constant(instruction.immediate(operand))),
            _ => None,
        }
    }

    /// By how much the register that the loop is counted in has moved since the start of the turn.
    pub(super) fn counter_step(&self) -> Option<i64> {
        let register = self.counter?;
        let value = self.registers.get(&register).copied().flatten()?;
        (value.from == Some(register)).then_some(value.offset.cast_signed())
    }

    /// Takes one instruction into account.
    pub(super) fn step(&mut self, instruction: &Instruction, info: &mut InstructionInfoFactory) {
        let (value, flags) = self.evaluate(instruction);
        let modified = instruction.rflags_modified();
        if modified & RflagsBits::ZF != 0 {
            self.counter = (instruction.op_count() > 0 && instruction.op_kind(0) == OpKind::Register)
                .then(|| instruction.op_register(0).full_register())
                .filter(|register| register.is_gpr64());
        }
        for (bit, flag, new) in [
            (RflagsBits::ZF, &mut self.flags.zero, flags.zero),
            (RflagsBits::CF, &mut self.flags.carry, flags.carry),
            (RflagsBits::SF, &mut self.flags.sign, flags.sign),
            (RflagsBits::OF, &mut self.flags.overflow, flags.overflow),
        ] {
            if modified & bit != 0 {
                *flag = new;
            }
        }
        for used in info.info(instruction).used_registers() {
            let writes = matches!(
                used.access(),
                OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite
            );
            if writes {
                self.registers.insert(used.register().full_register(), None);
            }
        }
        if let Some(value) = value {
            let register = instruction.op_register(0);
            let value = match register.size() {
                8 => Some(value),
                4 if value.from.is_none() => Some(Value::constant(value.offset & 0xffff_ffff)),
                4 => Some(value),
                _ => None,
            };
            self.registers.insert(register.full_register(), value);
        }
    }

    /// What the first operand, a register, holds afterwards, and the flags.
    fn evaluate(&self, instruction: &Instruction) -> (Option<Value>, Flags) {
        let nothing = (None, Flags::default());
        if instruction.op_count() == 0 || instruction.op_kind(0) != OpKind::Register {
            return nothing;
        }
        let bits = 8 * instruction.op_register(0).size() as u32;
        if bits != 32 && bits != 64 {
            return nothing;
        }
        let left = self.operand(instruction, 0);
        let right = || if instruction.op_count() > 1 { self.operand(instruction, 1) } else { None };
        let is_cleared = instruction.op_count() == 2
            && instruction.op_kind(1) == OpKind::Register
            && instruction.op_register(0) == instruction.op_register(1);
        match instruction.mnemonic() {
            Mnemonic::Mov => (right(), Flags::default()),
            Mnemonic::Xor | Mnemonic::Sub if is_cleared => {
                (Some(Value::constant(0)), of_difference(0, 0, bits))
            }
            Mnemonic::Add => match (left, right()) {
                (Some(a), Some(b)) => (sum(a, b), of_sum(a, b, bits)),
                _ => nothing,
            },
            Mnemonic::Sub => match (left, right()) {
                (Some(a), Some(b)) => (difference(a, b), between(a, b, bits)),
                _ => nothing,
            },
            Mnemonic::Inc | Mnemonic::Dec => {
                let Some(a) = left else { return nothing };
                let one = Value::constant(1);
                if instruction.mnemonic() == Mnemonic::Inc {
                    (sum(a, one), of_sum(a, one, bits))
                } else {
                    (difference(a, one), between(a, one, bits))
                }
            }
            Mnemonic::Cmp => match (left, right()) {
                (Some(a), Some(b)) => (None, between(a, b, bits)),
                _ => nothing,
            },
            Mnemonic::Test if is_cleared => match left {
                Some(Value { from: None, offset }) => (None, of_difference(offset, 0, bits)),
                _ => nothing,
            },
            Mnemonic::Lea if instruction.memory_index() == Register::None => {
                let base = instruction.memory_base();
                let offset = Value::constant(instruction.memory_displacement64());
                let base = if base == Register::None { Some(Value::constant(0)) } else { self.get(base) };
                (base.and_then(|base| sum(base, offset)), Flags::default())
            }
            _ => nothing,
        }
    }

    /// Whether a conditional jump is taken, where that is known.
    pub(super) fn taken(&self, jump: &Instruction) -> Option<bool> {
        let Flags { zero, carry, sign, overflow } = self.flags;
        let less = || Some(sign? != overflow?);
        match jump.condition_code() {
            ConditionCode::e => zero,
            ConditionCode::ne => zero.map(|zero| !zero),
            ConditionCode::b => carry,
            ConditionCode::ae => carry.map(|carry| !carry),
            ConditionCode::be => Some(carry? || zero?),
            ConditionCode::a => Some(!(carry? || zero?)),
            ConditionCode::s => sign,
            ConditionCode::ns => sign.map(|sign| !sign),
            ConditionCode::o => overflow,
            ConditionCode::no => overflow.map(|overflow| !overflow),
            ConditionCode::l => less(),
            ConditionCode::ge => less().map(|less| !less),
            ConditionCode::le => Some(less()? || zero?),
            ConditionCode::g => Some(!(less()? || zero?)),
            _ => None,
        }
    }
}

fn sum(a: Value, b: Value) -> Option<Value> {
    let from = match (a.from, b.from) {
        (from, None) | (None, from) => from,
        _ => return None,
    };
    Some(Value { from, offset: a.offset.wrapping_add(b.offset) })
}

fn difference(a: Value, b: Value) -> Option<Value> {
    let from = match (a.from, b.from) {
        (from, None) => from,
        (one, other) if one == other => None,
        _ => return None,
    };
    Some(Value { from, offset: a.offset.wrapping_sub(b.offset) })
}

fn cut(value: u64, bits: u32) -> u64 {
    if bits == 64 { value } else { value & 0xffff_ffff }
}

fn is_negative(value: u64, bits: u32) -> bool {
    value >> (bits - 1) & 1 == 1
}

fn of_sum(a: Value, b: Value, bits: u32) -> Flags {
    if a.from.is_some() || b.from.is_some() {
        return Flags::default();
    }
    let (a, b) = (cut(a.offset, bits), cut(b.offset, bits));
    let full = u128::from(a) + u128::from(b);
    let result = cut(a.wrapping_add(b), bits);
    let signs = (is_negative(a, bits), is_negative(b, bits), is_negative(result, bits));
    Flags {
        zero: Some(result == 0),
        carry: Some(full >> bits != 0),
        sign: Some(signs.2),
        overflow: Some(signs.0 == signs.1 && signs.0 != signs.2),
    }
}

/// The flags of `a - b`: of two values that move together, only whether they are equal is certain.
fn between(a: Value, b: Value, bits: u32) -> Flags {
    if a.from != b.from {
        return Flags::default();
    }
    let flags = of_difference(a.offset, b.offset, bits);
    if a.from.is_none() { flags } else { Flags { zero: flags.zero, ..Flags::default() } }
}

fn of_difference(a: u64, b: u64, bits: u32) -> Flags {
    let (a, b) = (cut(a, bits), cut(b, bits));
    let result = cut(a.wrapping_sub(b), bits);
    let signs = (is_negative(a, bits), is_negative(b, bits), is_negative(result, bits));
    Flags {
        zero: Some(result == 0),
        carry: Some(a < b),
        sign: Some(signs.2),
        overflow: Some(signs.0 != signs.1 && signs.0 != signs.2),
    }
}
