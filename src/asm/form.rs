//! Which forms of instructions are there to be measured? One opcode with a class for each operand, and machine code made of it.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use iced_x86::{
    Code, CpuidFeature, Decoder, DecoderOptions, Encoder, EncodingKind, FlowControl, Instruction, Mnemonic,
    OpAccess, OpCodeOperandKind, OpKind, Register,
};

use super::features::Features;
use super::operand::{Class, Operand};

/// One form of an instruction: `imul r64, r64`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The opcode.
    pub code: Code,
    /// What each operand may be.
    pub operands: Vec<Operand>,
}

/// What stands in the place of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Register(Register),
    Immediate(i64),
    Memory { base: Register, index: Register, scale: u32, displacement: i32 },
}

/// Why a form is not in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeftOut {
    /// Another form of the same name is measured: a second encoding of the same operation.
    SameName,
    /// A feature of other CPUs.
    NotHere,
    /// Control leaves it: branches, calls, interrupts, transactions.
    ControlFlow,
    /// For the kernel, or for other modes than user code in 64 bits.
    NotInUserMode,
    /// Its operands are fixed places (strings, segments, system registers) or need a mask.
    OtherOperands,
    /// It writes memory: measured when asked for by name.
    Store,
    /// It moves the stack pointer.
    Stack,
    /// It works on the x87 stack, or saves and restores state.
    X87OrState,
    /// It has effects outside of the core, or none that can be timed: ports, random numbers, cache lines, waiting.
    OutsideEffects,
}

impl LeftOut {
    /// In words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SameName => "a second encoding of a form that is measured",
            Self::NotHere => "not on this CPU",
            Self::ControlFlow => "branches, calls, interrupts and transactions",
            Self::NotInUserMode => "not in user mode of 64 bits",
            Self::OtherOperands => "string, segment, system or mandatory mask operands",
            Self::Store => "write memory (measured when asked for as a template)",
            Self::Stack => "move the stack pointer",
            Self::X87OrState => "x87 stack, or saved state",
            Self::OutsideEffects => "effects outside of the core",
        }
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// All forms that can be measured, and how many opcodes with operands were left out for which reason.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// The forms, in the decoder's order of opcodes.
    pub forms: Vec<Form>,
    /// What was left out.
    pub left_out: BTreeMap<LeftOut, usize>,
}

impl Catalogue {
    /// Every register form, immediate form and simple load form that a CPU with these features runs in user mode.
    pub fn new(features: &Features) -> Self {
        Self::build(features, false)
    }

    /// The same and what writes memory.
    pub fn with_stores(features: &Features) -> Self {
        Self::build(features, true)
    }

    fn build(features: &Features, stores: bool) -> Self {
        let mut catalogue = Self::default();
        let mut names = HashSet::new();
        // The shorter encoding of a name comes first, whatever the order of opcodes.
        for encoding in [
            EncodingKind::Legacy,
            EncodingKind::VEX,
            EncodingKind::XOP,
            EncodingKind::D3NOW,
            EncodingKind::EVEX,
        ] {
            for code in Code::values().filter(|code| code.op_code().encoding() == encoding) {
                if !code.op_code().is_instruction() {
                    continue;
                }
                for (form, reason) in forms_of(code, features) {
                    let reason = reason
                        .or_else(|| (!stores && form.writes_memory()).then_some(LeftOut::Store))
                        .or_else(|| (!names.insert(form.to_string())).then_some(LeftOut::SameName));
                    match reason {
                        Some(reason) => *catalogue.left_out.entry(reason).or_default() += 1,
                        None => catalogue.forms.push(form),
                    }
                }
            }
        }
        catalogue
    }
}

/// The forms of one opcode, with the reason why each is not measured, if so.
fn forms_of(code: Code, features: &Features) -> Vec<(Form, Option<LeftOut>)> {
    let info = code.op_code();
    let alternatives: Vec<Vec<Operand>> =
        info.op_kinds().iter().map(|kind| Operand::alternatives(*kind, info)).collect();
    let general = excluded(code, features);
    if alternatives.iter().any(Vec::is_empty) {
        let reason = general.unwrap_or(LeftOut::OtherOperands);
        return vec![(Form { code, operands: Vec::new() }, Some(reason))];
    }
    let mut all: Vec<Vec<Operand>> = vec![Vec::new()];
    for choices in alternatives {
        all = all
            .into_iter()
            .flat_map(|begun| {
                choices.iter().map(move |choice| {
                    let mut longer = begun.clone();
                    longer.push(*choice);
                    longer
                })
            })
            .collect();
    }
    all.into_iter()
        .map(|operands| {
            let form = Form { code, operands };
            let reason = general.or_else(|| form.sample().is_none().then_some(LeftOut::OtherOperands));
            (form, reason)
        })
        .collect()
}

/// Why an opcode is not measured in any form.
fn excluded(code: Code, features: &Features) -> Option<LeftOut> {
    use CpuidFeature as F;
    let info = code.op_code();
    let system = [
        F::SMX,
        F::SVM,
        F::VMX,
        F::SGX1,
        F::SEV_ES,
        F::SEV_SNP,
        F::TDX,
        F::UINTR,
        F::CET_SS,
        F::CET_IBT,
        F::MONITOR,
        F::MONITORX,
        F::INVPCID,
        F::PCONFIG,
        F::KL,
        F::WIDE_KL,
        F::AESKLE,
        F::UDBG,
        F::LKGS,
        F::FRED,
        F::MSR,
        F::PKU,
        F::FSGSBASE,
        F::ENQCMD,
        F::PTWRITE,
        F::WAITPKG,
        F::HRESET,
    ];
    let codes = code.cpuid_features();
    // Readable in user mode wherever this program can measure at all.
    let reads_clock = matches!(code.mnemonic(), Mnemonic::Rdtsc | Mnemonic::Rdtscp | Mnemonic::Rdpru);
    if reads_clock {
        return features.missing(code).is_some().then_some(LeftOut::NotHere);
    }
    if !info.mode64()
        || !info.cpl3()
        || info.is_privileged()
        || info.may_require_cpl0()
        || info.must_be_cpl0()
    {
        return Some(LeftOut::NotInUserMode);
    }
    let mut instruction = Instruction::default();
    instruction.set_code(code);
    if instruction.flow_control() != FlowControl::Next || info.is_input_output() {
        return Some(LeftOut::ControlFlow);
    }
    if codes.iter().any(|feature| system.contains(feature)) {
        return Some(LeftOut::NotInUserMode);
    }
    // AMX needs a permission from the kernel and a tile configuration.
    if codes.iter().any(|feature| format!("{feature:?}").starts_with("AMX")) {
        return Some(LeftOut::OtherOperands);
    }
    if features.missing(code).is_some() {
        return Some(LeftOut::NotHere);
    }
    let mnemonic = code.mnemonic();
    if info.is_stack_instruction() || matches!(mnemonic, Mnemonic::Enter | Mnemonic::Leave) {
        return Some(LeftOut::Stack);
    }
    if info.is_save_restore()
        || info.fwait()
        || codes.iter().any(|one| matches!(one, F::FPU | F::FPU287 | F::FPU387))
    {
        return Some(LeftOut::X87OrState);
    }
    let outside = [
        F::RDRAND,
        F::RDSEED,
        F::CLFSH,
        F::CLFLUSHOPT,
        F::CLWB,
        F::CLDEMOTE,
        F::CLZERO,
        F::RTM,
        F::TSXLDTRK,
        F::MOVDIRI,
        F::MOVDIR64B,
        F::RDPMC,
        F::PREFETCHITI,
        F::LWP,
        F::MCOMMIT,
    ];
    let by_name = [
        Mnemonic::Cpuid,
        Mnemonic::Xgetbv,
        Mnemonic::Sldt,
        Mnemonic::Str,
        Mnemonic::Smsw,
        Mnemonic::Verr,
        Mnemonic::Verw,
        Mnemonic::Lar,
        Mnemonic::Lsl,
        Mnemonic::Sgdt,
        Mnemonic::Sidt,
        Mnemonic::Std,
        Mnemonic::Ldmxcsr,
        Mnemonic::Vldmxcsr,
        Mnemonic::Stmxcsr,
        Mnemonic::Vstmxcsr,
        Mnemonic::Xlatb,
        Mnemonic::Pause,
        Mnemonic::Umov,
        Mnemonic::Reservednop,
        Mnemonic::Vzeroall,
        Mnemonic::Vzeroupper,
        Mnemonic::Xend,
        Mnemonic::Xtest,
        Mnemonic::Ud0,
        Mnemonic::Ud1,
        Mnemonic::Ud2,
    ];
    let outside = codes.iter().any(|feature| outside.contains(feature)) || by_name.contains(&mnemonic);
    if outside && !matches!(mnemonic, Mnemonic::Cpuid) {
        return Some(LeftOut::OutsideEffects);
    }
    if mnemonic == Mnemonic::Sal {
        return Some(LeftOut::SameName);
    }
    let far = [Mnemonic::Lds, Mnemonic::Les, Mnemonic::Lfs, Mnemonic::Lgs, Mnemonic::Lss];
    if info.is_reserved_nop() || info.require_op_mask_register() || far.contains(&mnemonic) {
        return Some(LeftOut::OtherOperands);
    }
    None
}

impl Form {
    /// The mnemonic in lower case.
    pub fn mnemonic(&self) -> String {
        format!("{:?}", self.code.mnemonic()).to_ascii_lowercase()
    }

    /// Whether it writes memory.
    pub fn writes_memory(&self) -> bool {
        self.memory_access().is_some_and(|access| {
            matches!(
                access,
                OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite
            )
        })
    }

    /// How it accesses its memory operand, if it has one.
    pub fn memory_access(&self) -> Option<OpAccess> {
        let at = self.operands.iter().position(|operand| operand.is_memory())?;
        let sample = self.sample()?;
        let mut factory = iced_x86::InstructionInfoFactory::new();
        Some(factory.info(&sample).op_access(u32::try_from(at).ok()?))
    }

    /// The names of the instruction sets that it needs.
    pub fn extensions(&self) -> Vec<String> {
        self.code.cpuid_features().iter().map(|feature| format!("{feature:?}")).collect()
    }

    /// An instruction of this form, with any registers that differ from one another.
    pub(super) fn sample(&self) -> Option<Instruction> {
        // No instruction uses one of these on its own account.
        let mut next = [8, 9, 10, 11, 12, 13, 7].into_iter();
        let mut next_small = 1..8;
        let mut values = Vec::with_capacity(self.operands.len());
        for operand in &self.operands {
            values.push(match operand {
                Operand::Register(class @ (Class::Mm | Class::K)) => {
                    Value::Register(class.register(next_small.next()?))
                }
                Operand::Register(class) => Value::Register(class.register(next.next()?)),
                Operand::Fixed(register) => Value::Register(*register),
                Operand::Immediate(_) => Value::Immediate(immediate(*operand)),
                Operand::One => Value::Immediate(1),
                Operand::Memory(_) => address(*operand, Register::None, 0),
                Operand::Gather(class, _) => address(*operand, class.register(next.next()?), 0),
                Operand::Address(_) => address(*operand, Class::R64.register(next.next()?), 0),
            });
        }
        let (instruction, _) = self.encode(&values)?;
        Some(instruction)
    }

    /// The instruction with these operands, and its bytes; `None` where it cannot be encoded or decodes to something else.
    pub(super) fn encode(&self, values: &[Value]) -> Option<(Instruction, Vec<u8>)> {
        encode(self.code, values)
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.mnemonic())?;
        for (at, operand) in self.operands.iter().enumerate() {
            write!(f, "{}{operand}", if at == 0 { " " } else { ", " })?;
        }
        Ok(())
    }
}

/// The register with the address of memory operands.
pub(super) const BASE: Register = Register::R14;
/// The displacement of addresses that are computed: without one, LEA only copies a base, which Zen 4 does while it renames (and Golden Cove
/// whatever the displacement, if it is small).
pub(super) const LEA_DISPLACEMENT: i32 = 8;

/// A memory operand; `index` and `displacement` where its parts leave them open.
pub(super) fn address(operand: Operand, index: Register, displacement: i32) -> Value {
    match operand {
        Operand::Address(parts) => Value::Memory {
            base: if parts.base { BASE } else { Register::None },
            index,
            scale: u32::from(parts.scale),
            displacement: if parts.displacement { LEA_DISPLACEMENT } else { 0 },
        },
        _ => Value::Memory { base: BASE, index, scale: 1, displacement },
    }
}

/// The immediate that an operand gets: nothing that a core could do away with, and legal as a shift count, a lane and a rounding mode.
pub(super) fn immediate(operand: Operand) -> i64 {
    match operand {
        Operand::One => 1,
        Operand::Immediate(16) => 0x1234,
        Operand::Immediate(32) => 0x0123_4567,
        Operand::Immediate(64) => 0x0123_4567_89ab_cdef,
        _ => 4,
    }
}

/// Encodes, and makes sure that the bytes decode to the same opcode.
pub(super) fn encode(code: Code, values: &[Value]) -> Option<(Instruction, Vec<u8>)> {
    let mut instruction = Instruction::default();
    instruction.set_code(code);
    for (at, value) in values.iter().enumerate() {
        let at = u32::try_from(at).ok()?;
        match *value {
            Value::Register(register) => {
                instruction.try_set_op_kind(at, OpKind::Register).ok()?;
                instruction.try_set_op_register(at, register).ok()?;
            }
            Value::Immediate(immediate) => {
                instruction
                    .try_set_op_kind(at, immediate_kind(code.op_code().try_op_kind(at).ok()?)?)
                    .ok()?;
                instruction.try_set_immediate_i64(at, immediate).ok()?;
            }
            Value::Memory { base, index, scale, displacement } => {
                instruction.try_set_op_kind(at, OpKind::Memory).ok()?;
                instruction.set_memory_base(base);
                instruction.set_memory_index(index);
                instruction.set_memory_index_scale(scale);
                instruction.set_memory_displacement64(i64::from(displacement) as u64);
                // An index alone is encoded with a displacement of 32 bits whatever it is.
                let alone = base == Register::None && index != Register::None;
                instruction.set_memory_displ_size(if alone { 8 } else { u32::from(displacement != 0) });
            }
        }
    }
    let mut encoder = Encoder::new(64);
    encoder.encode(&instruction, 0).ok()?;
    let bytes = encoder.take_buffer();
    let decoded = Decoder::with_ip(64, &bytes, 0, DecoderOptions::NONE).decode();
    // One opcode has two names where operands are all registers; what counts is that it is that operation.
    (!decoded.is_invalid() && decoded.len() == bytes.len() && decoded.mnemonic() == instruction.mnemonic())
        .then_some((decoded, bytes))
}

fn immediate_kind(kind: OpCodeOperandKind) -> Option<OpKind> {
    use OpCodeOperandKind as K;
    Some(match kind {
        K::imm8 | K::imm8_const_1 => OpKind::Immediate8,
        K::imm8sex16 => OpKind::Immediate8to16,
        K::imm8sex32 => OpKind::Immediate8to32,
        K::imm8sex64 => OpKind::Immediate8to64,
        K::imm16 => OpKind::Immediate16,
        K::imm32 => OpKind::Immediate32,
        K::imm32sex64 => OpKind::Immediate32to64,
        K::imm64 => OpKind::Immediate64,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::features::features;
    use super::*;

    #[test]
    fn the_catalogue_has_the_forms_that_everybody_asks_for() {
        let catalogue = Catalogue::with_stores(&features());
        let names: HashSet<String> = catalogue.forms.iter().map(ToString::to_string).collect();
        for name in [
            "imul r64, r64",
            "add r64, imm8",
            "add r64, imm32",
            "mov r64, [m64]",
            "mov [m64], r64",
            "div r32",
            "shl r64, cl",
            "cmovne r64, r64",
            "pshufb xmm, xmm",
            "lea r64, [m]",
            "lea r32, [base+index]",
            "lea r64, [base+index*8+disp8]",
            "lea r64, [index*4]",
            "setb r8",
            "shld r64, r64, imm8",
            "lfence",
            "rdtsc",
            "movsx r64, r8",
            "xchg r64, r64",
            "movq xmm, r64",
            "nop",
        ] {
            assert!(names.contains(name), "{name}");
        }
        for name in ["jmp", "syscall", "hlt", "in", "push", "rdpmc", "ret", "xbegin", "rdrand", "fadd"] {
            assert!(!names.iter().any(|one| one.split(' ').next() == Some(name)), "{name}");
        }
        assert_eq!(names.len(), catalogue.forms.len(), "a name is there once");
    }

    #[test]
    fn every_form_encodes_to_its_own_operation() {
        for form in Catalogue::with_stores(&features()).forms {
            let sample = form.sample().expect("it was encoded before");
            assert_eq!(sample.mnemonic(), form.code.mnemonic(), "{form}");
        }
    }
}
