//! How is a measuring program written down? The instructions that are measured, helpers between them, and what both start from.

use iced_x86::{Code, EncodingKind, Instruction, Register};

use super::super::effects::full;
use super::super::features::Features;
use super::super::form::{Form, Value, encode};
use super::super::operand::{Class, File};
use super::super::program::{Fill, Program};
use super::{BASE, Operands, SPARE, general, is_division, is_far_bit_test};

mod start;

/// A program under construction.
#[derive(Clone, Debug)]
pub(in crate::asm) struct Draft<'f> {
    pub(in crate::asm) form: &'f Form,
    features: &'f Features,
    operands: Operands,
    body: Vec<(Instruction, Vec<u8>)>,
    /// Which instructions of the body are what is measured.
    pub(in crate::asm) targets: Vec<usize>,
    uses_memory: bool,
    points_to_itself: bool,
    /// General registers that start from another value than the rest.
    special: Vec<(Register, u64)>,
    /// Vector registers that start as all ones, and as zero.
    ones: Vec<usize>,
    zeros: Vec<usize>,
}

impl<'f> Draft<'f> {
    pub(in crate::asm) fn new(form: &'f Form, features: &'f Features, operands: Operands) -> Self {
        Self {
            form,
            features,
            operands,
            body: Vec::new(),
            targets: Vec::new(),
            uses_memory: form.operands.iter().any(|operand| operand.is_memory()),
            points_to_itself: false,
            special: Vec::new(),
            ones: Vec::new(),
            zeros: Vec::new(),
        }
    }

    pub(in crate::asm) fn target(&mut self, values: &[Value]) -> Option<()> {
        let made = self.form.encode(values)?;
        self.targets.push(self.body.len());
        self.body.push(made);
        Some(())
    }

    fn helper(&mut self, code: Code, values: &[Value]) -> Option<()> {
        self.body.push(encode(code, values)?);
        Some(())
    }

    /// `xor`s twice: `to` waits for `from` and keeps its value, in 2 cycles on every core.
    pub(in crate::asm) fn couple(&mut self, to: Register, from: Register) -> Option<()> {
        let values = [to, from].map(|one| Value::Register(general(full(one).number())));
        self.helper(Code::Xor_r64_rm64, &values)?;
        self.helper(Code::Xor_r64_rm64, &values)
    }

    /// Gives `register` the value of `constant`, but not before what it was is there: `and` with the 0 in `zero`, and `or`, 2 cycles.
    pub(in crate::asm) fn restore(
        &mut self,
        register: Register,
        zero: Register,
        constant: Register,
    ) -> Option<()> {
        let [register, zero, constant] =
            [register, zero, constant].map(|one| Value::Register(general(full(one).number())));
        self.helper(Code::And_r64_rm64, &[register, zero])?;
        self.helper(Code::Or_r64_rm64, &[register, constant])
    }

    /// The same for vector registers.
    pub(in crate::asm) fn couple_vectors(&mut self, to: usize, from: usize) -> Option<()> {
        for _ in 0..2 {
            self.link_vectors(to, from)?;
        }
        Some(())
    }

    /// One bitwise operation from a vector register to another that keeps its own part: 1 cycle.
    pub(in crate::asm) fn link_vectors(&mut self, to: usize, from: usize) -> Option<()> {
        let (to, from) = (Class::Xmm.register(to), Class::Xmm.register(from));
        if self.is_legacy() {
            self.helper(Code::Pxor_xmm_xmmm128, &[Value::Register(to), Value::Register(from)])
        } else {
            // All of the register has to depend on it, not the lower half alone.
            let [to, from] = [to, from].map(|one| Value::Register(Class::Ymm.register(one.number())));
            let code = if self.features.has(iced_x86::CpuidFeature::AVX2) {
                Code::VEX_Vpxor_ymm_ymm_ymmm256
            } else {
                Code::VEX_Vxorps_ymm_ymm_ymmm256
            };
            self.helper(code, &[to, to, from])
        }
    }

    /// A bitwise operation inside a general register's chain: 1 cycle.
    pub(in crate::asm) fn link_general(&mut self, to: usize, from: usize) -> Option<()> {
        self.helper(Code::Xor_r64_rm64, &[Value::Register(general(to)), Value::Register(general(from))])
    }

    /// Gives `to` the value of `from` without waiting for what `to` was.
    pub(in crate::asm) fn copy(&mut self, to: Register, from: Register) -> Option<()> {
        let class = Class::of(to)?;
        let code = match class.file() {
            File::General => Code::Mov_r64_rm64,
            File::Vector if self.is_legacy() => Code::Movdqa_xmm_xmmm128,
            File::Vector if class == Class::Zmm && self.features.has(iced_x86::CpuidFeature::AVX512F) => {
                Code::EVEX_Vmovdqa64_zmm_k1z_zmmm512
            }
            File::Vector => Code::VEX_Vmovdqa_ymm_ymmm256,
            File::Mask => Code::VEX_Kmovw_kr_km16,
            File::Mmx => Code::Movq_mm_mmm64,
        };
        let as_operand = |register: Register| match code {
            Code::Mov_r64_rm64 => Class::R64.register(full(register).number()),
            Code::Movdqa_xmm_xmmm128 => Class::Xmm.register(register.number()),
            Code::VEX_Vmovdqa_ymm_ymmm256 => Class::Ymm.register(register.number()),
            _ => register,
        };
        self.helper(code, &[Value::Register(as_operand(to)), Value::Register(as_operand(from))])
    }

    /// Sets the flags from constants.
    pub(in crate::asm) fn reset_flags(&mut self, constant: Register) -> Option<()> {
        let constant = Value::Register(general(constant.number()));
        self.helper(Code::Test_rm64_r64, &[constant, constant])
    }

    /// Moves what is in `from`, a register of `file`, into the general register `to`.
    pub(in crate::asm) fn move_to_general(&mut self, file: File, to: usize, from: usize) -> Option<()> {
        let to = Value::Register(general(to));
        match file {
            File::General => None,
            File::Vector => {
                let code = if self.is_legacy() { Code::Movq_rm64_xmm } else { Code::VEX_Vmovq_rm64_xmm };
                self.helper(code, &[to, Value::Register(Class::Xmm.register(from))])
            }
            File::Mmx => self.helper(Code::Movq_rm64_mm, &[to, Value::Register(Class::Mm.register(from))]),
            File::Mask if self.features.has(iced_x86::CpuidFeature::AVX512BW) => {
                self.helper(Code::VEX_Kmovq_r64_kr, &[to, Value::Register(Class::K.register(from))])
            }
            File::Mask => None,
        }
    }

    /// Moves the general register `from` into `to`, a register of `file`.
    pub(in crate::asm) fn move_from_general(&mut self, file: File, to: usize, from: usize) -> Option<()> {
        let from = Value::Register(general(from));
        match file {
            File::General => None,
            File::Vector => {
                let code = if self.is_legacy() { Code::Movq_xmm_rm64 } else { Code::VEX_Vmovq_xmm_rm64 };
                self.helper(code, &[Value::Register(Class::Xmm.register(to)), from])
            }
            File::Mmx => self.helper(Code::Movq_mm_rm64, &[Value::Register(Class::Mm.register(to)), from]),
            File::Mask if self.features.has(iced_x86::CpuidFeature::AVX512BW) => {
                self.helper(Code::VEX_Kmovq_kr_r64, &[Value::Register(Class::K.register(to)), from])
            }
            File::Mask => None,
        }
    }

    /// Makes `to` wait for the flags that the form writes: a conditional move by one of them. Names the move.
    pub(in crate::asm) fn move_from_flags(
        &mut self,
        to: usize,
        constant: usize,
        flags: u32,
    ) -> Option<&'static str> {
        use iced_x86::RflagsBits as F;
        let (code, name) = [
            (F::CF, Code::Cmovb_r64_rm64, "cmovb"),
            (F::ZF, Code::Cmove_r64_rm64, "cmove"),
            (F::SF, Code::Cmovs_r64_rm64, "cmovs"),
            (F::OF, Code::Cmovo_r64_rm64, "cmovo"),
            (F::PF, Code::Cmovp_r64_rm64, "cmovp"),
        ]
        .into_iter()
        .find(|(flag, ..)| flags & flag != 0)
        .map(|(_, code, name)| (code, name))?;
        self.helper(code, &[Value::Register(general(to)), Value::Register(general(constant))])?;
        Some(name)
    }

    /// Makes the flags wait for `from`.
    pub(in crate::asm) fn set_flags_from(&mut self, from: usize, constant: usize) -> Option<()> {
        self.helper(Code::Cmp_r64_rm64, &[Value::Register(general(from)), Value::Register(general(constant))])
    }

    /// Loads what a store of `class` left at the base address, into the register that it came from.
    pub(in crate::asm) fn reload(&mut self, class: Class, number: usize) -> Option<()> {
        let memory = Value::Memory { base: BASE, index: Register::None, scale: 1, displacement: 0 };
        let register = |class: Class| Value::Register(class.register(number));
        match class {
            Class::R64 => self.helper(Code::Mov_r64_rm64, &[register(Class::R64), memory]),
            Class::R32 => self.helper(Code::Mov_r32_rm32, &[register(Class::R32), memory]),
            Class::R16 => self.helper(Code::Movzx_r32_rm16, &[register(Class::R32), memory]),
            Class::R8 => self.helper(Code::Movzx_r32_rm8, &[register(Class::R32), memory]),
            Class::Mm => self.helper(Code::Movq_mm_mmm64, &[register(Class::Mm), memory]),
            Class::Xmm if self.is_legacy() => {
                self.helper(Code::Movups_xmm_xmmm128, &[register(Class::Xmm), memory])
            }
            Class::Xmm => self.helper(Code::VEX_Vmovups_xmm_xmmm128, &[register(Class::Xmm), memory]),
            Class::Ymm => self.helper(Code::VEX_Vmovups_ymm_ymmm256, &[register(Class::Ymm), memory]),
            Class::Zmm => self.helper(Code::EVEX_Vmovups_zmm_k1z_zmmm512, &[register(Class::Zmm), memory]),
            Class::K => self.helper(Code::VEX_Kmovq_kr_km64, &[register(Class::K), memory]),
        }
    }

    /// Gives the operands those values without which the instruction faults.
    pub(in crate::asm) fn start_operands(&mut self, values: &[Value]) {
        let start = match values {
            [Value::Register(divisor), ..] if is_division(self.form) => Some((*divisor, self.division().2)),
            [_, Value::Register(bit)] if is_far_bit_test(self.form) => Some((*bit, 9)),
            _ => None,
        };
        if let Some((register, value)) = start {
            self.start_with(register, value);
        }
    }

    pub(in crate::asm) fn start_with(&mut self, register: Register, value: u64) {
        self.special.push((general(full(register).number()), value));
    }

    pub(in crate::asm) fn start_as_ones(&mut self, vector: usize) {
        self.ones.push(vector);
    }

    pub(in crate::asm) fn start_as_zero(&mut self, vector: usize) {
        self.zeros.push(vector);
    }

    pub(in crate::asm) fn memory_points_to_itself(&mut self) {
        self.points_to_itself = true;
    }

    /// Vector code of before AVX, which must not be mixed with later.
    pub(in crate::asm) fn is_legacy(&self) -> bool {
        self.form.code.op_code().encoding() == EncodingKind::Legacy
    }

    pub(in crate::asm) fn instructions(&self) -> Vec<Instruction> {
        self.body.iter().map(|(instruction, _)| *instruction).collect()
    }

    /// The program: the body, counted as `operations`, and the state that it starts from.
    pub(in crate::asm) fn finish(self, operations: u64) -> Option<Program> {
        let setup = self.setup()?;
        let instructions = self.body.len();
        let body: Vec<u8> = self.body.into_iter().flat_map(|(_, bytes)| bytes).collect();
        Some(Program { setup, body, instructions, operations, fill: Fill::default(), spare: Some(SPARE) })
    }
}
