//! Which state does a program start from? Registers, memory and flags, set by code that runs before each slice.

use iced_x86::{Code, Instruction, Mnemonic, Register};

use super::super::super::form::{Form, Value, encode};
use super::super::super::operand::{Class, File, Operand};
use super::super::{BASE, Operands, SCRATCH, SCRATCH_BYTES, general, is_division};
use super::Draft;

impl Draft<'_> {
    /// Code that gives all registers and the memory in use their values.
    pub(super) fn setup(&self) -> Option<Vec<u8>> {
        let mut code = Vec::new();
        let mut push = |opcode: Code, values: &[Value]| -> Option<()> {
            code.extend(encode(opcode, values)?.1);
            Some(())
        };
        let rax = Value::Register(Register::RAX);
        let load = |bits: u64| [rax, Value::Immediate(bits as i64)];
        let bits = elements(self.form);
        let instructions = self.instructions();
        for number in used(&instructions, File::Vector) {
            let value = if self.ones.contains(&number) {
                u64::MAX
            } else if self.zeros.contains(&number) {
                0
            } else {
                bits
            };
            push(Code::Mov_r64_imm64, &load(value))?;
            let [xmm, ymm, zmm] =
                [Class::Xmm, Class::Ymm, Class::Zmm].map(|class| Value::Register(class.register(number)));
            push(Code::Movq_xmm_rm64, &[xmm, rax])?;
            if self.features.has(iced_x86::CpuidFeature::AVX512F) {
                push(Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64, &[zmm, xmm])?;
            } else if self.features.has(iced_x86::CpuidFeature::AVX2) {
                push(Code::VEX_Vpbroadcastq_ymm_xmmm64, &[ymm, xmm])?;
            } else {
                push(Code::Punpcklqdq_xmm_xmmm128, &[xmm, xmm])?;
            }
        }
        if self.is_legacy() && self.features.has(iced_x86::CpuidFeature::AVX) {
            // Upper halves that are in use make old vector code wait for them.
            push(Code::VEX_Vzeroupper, &[])?;
        }
        for number in used(&instructions, File::Mask) {
            push(Code::Mov_r64_imm64, &load(u64::MAX))?;
            push(
                Code::VEX_Kmovw_kr_r32,
                &[Value::Register(Class::K.register(number)), Value::Register(Register::EAX)],
            )?;
        }
        for number in used(&instructions, File::Mmx) {
            push(Code::Mov_r64_imm64, &load(GENERAL))?;
            push(Code::Movq_mm_rm64, &[Value::Register(Class::Mm.register(number)), rax])?;
        }
        if self.uses_memory {
            push(Code::Mov_r64_imm64, &[Value::Register(BASE), Value::Immediate(SCRATCH as i64)])?;
            let word =
                match self.form.operands.iter().any(
                    |operand| matches!(operand, Operand::Register(class) if class.file() == File::Vector),
                ) {
                    _ if self.points_to_itself => SCRATCH,
                    true => bits,
                    false if is_division(self.form) => self.divisors(),
                    false => GENERAL,
                };
            push(Code::Mov_r64_imm64, &load(word))?;
            push(
                Code::Mov_r32_imm32,
                &[Value::Register(Register::ECX), Value::Immediate(i64::from(SCRATCH_BYTES))],
            )?;
            // mov [r14+rcx-8], rax; sub ecx, 8; jnz back to the mov
            code.extend([0x49, 0x89, 0x44, 0x0e, 0xf8, 0x83, 0xe9, 0x08, 0x75, 0xf6]);
        }
        let mut push = |opcode: Code, values: &[Value]| -> Option<()> {
            code.extend(encode(opcode, values)?.1);
            Some(())
        };
        for number in (0..14).filter(|number| *number != 4) {
            let register = general(number);
            let value = self
                .special
                .iter()
                .rev()
                .find(|(one, _)| *one == register)
                .map_or(GENERAL, |(_, value)| *value);
            push(Code::Mov_r64_imm64, &[Value::Register(register), Value::Immediate(value as i64)])?;
        }
        if !self.uses_memory {
            push(Code::Mov_r64_imm64, &[Value::Register(BASE), Value::Immediate(GENERAL as i64)])?;
        }
        // Flags that depend on nothing old.
        push(Code::Test_rm64_r64, &[rax, rax])?;
        Some(code)
    }

    /// Divisors of the size of this division, side by side.
    fn divisors(&self) -> u64 {
        let divisor = self.division().2;
        match self.form.operands.first() {
            Some(Operand::Memory(8)) => divisor * 0x0101_0101_0101_0101,
            Some(Operand::Memory(16)) => divisor * 0x0001_0001_0001_0001,
            Some(Operand::Memory(32)) => divisor * 0x0000_0001_0000_0001,
            _ => divisor,
        }
    }

    /// Low half of the dividend, high half, and divisor, for the size of this division. For one of 8 bits the dividend is AX.
    pub(in crate::asm) fn division(&self) -> (u64, u64, u64) {
        let bits = self
            .form
            .operands
            .iter()
            .find_map(|operand| match operand {
                Operand::Register(class) => Some(match class {
                    Class::R8 => 8,
                    Class::R16 => 16,
                    Class::R32 => 32,
                    _ => 64,
                }),
                Operand::Memory(bits) => Some(u32::from(*bits)),
                _ => None,
            })
            .unwrap_or(64)
            .clamp(8, 64);
        let signed = self.form.code.mnemonic() == Mnemonic::Idiv;
        let top = |value: u64| value >> (64 - bits);
        let (low, high, divisor) = match (self.operands, signed) {
            (Operands::Same, false) => (0xfedc_ba98_7654_3210, 0, 0x8123_4567_89ab_cdef),
            (Operands::Same, true) => (0x7edc_ba98_7654_3210, 0, 0x4123_4567_89ab_cdef),
            (Operands::Zero, _) => (0, 0, 0x4123_4567_89ab_cdef),
            (_, false) => (0x7654_3210_7654_3210, 0xfd00_0000_1234_5678, 0xfedc_ba98_7654_3211),
            (_, true) => (0x7654_3210_7654_3210, 0x1edc_ba98_7654_3210, 0x7edc_ba98_7654_3211),
        };
        let (low, high, divisor) = (top(low), top(high), top(divisor));
        if bits == 8 { (high << 8 | low, 0, divisor) } else { (low, high, divisor) }
    }
}

/// What general registers start from: odd, with a shift count of 9.
const GENERAL: u64 = 0x0123_4567_89ab_cd49;

/// What each 64 bits of a vector register start from: floating-point numbers a little above 1, with many digits, so that long chains of
/// products and quotients stay among normal numbers.
fn elements(form: &Form) -> u64 {
    let name = form.mnemonic();
    let narrow = |bits: u32| u64::from(bits) << 32 | u64::from(bits);
    match name.get(name.len().saturating_sub(2)..) {
        Some("ps" | "ss") => narrow(0x3f80_0353),
        Some("pd" | "sd") => 0x3ff0_0000_5a82_7999,
        Some("ph" | "sh") => narrow(0x3c01_3c01),
        // A number in every width, as an integer without regularity.
        _ => 0x3ff8_3c00_3f80_3c01,
    }
}

/// The numbers of the registers of a file that instructions use.
fn used(instructions: &[Instruction], file: File) -> Vec<usize> {
    let mut factory = iced_x86::InstructionInfoFactory::new();
    let mut numbers: Vec<usize> = instructions
        .iter()
        .flat_map(|instruction| {
            factory.info(instruction).used_registers().iter().map(|used| used.register()).collect::<Vec<_>>()
        })
        .filter(|register| Class::of(*register).is_some_and(|class| class.file() == file))
        .map(|register| register.number())
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
