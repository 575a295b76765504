//! Of which pieces are measuring programs put together? Registers by role, helper instructions, and the state that a program starts from.

use iced_x86::{Code, EncodingKind, Instruction, Mnemonic, Register};

use super::effects::{Place, decode, full};
use super::features::Features;
use super::form::{Form, Value, encode, immediate};
use super::operand::{Class, File, Operand};
use super::ports::{Port, Ports};
use super::program::{Fill, Program};

/// Where programs keep their memory: any canonical address will do, for the sandbox maps what is touched.
pub(super) const SCRATCH: u64 = 0x1_2345_0000;
/// Bytes of it that are filled.
const SCRATCH_BYTES: u32 = 2048;
/// The register with its address, and the one that no program uses.
pub(super) const BASE: Register = Register::R14;
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

/// A program under construction.
#[derive(Clone, Debug)]
pub(super) struct Draft<'f> {
    pub(super) form: &'f Form,
    features: &'f Features,
    operands: Operands,
    body: Vec<(Instruction, Vec<u8>)>,
    /// Which instructions of the body are what is measured.
    pub(super) targets: Vec<usize>,
    uses_memory: bool,
    points_to_itself: bool,
    /// General registers that start from another value than the rest.
    special: Vec<(Register, u64)>,
    /// Vector registers that start as all ones, and as zero.
    ones: Vec<usize>,
    zeros: Vec<usize>,
}

impl<'f> Draft<'f> {
    pub(super) fn new(form: &'f Form, features: &'f Features, operands: Operands) -> Self {
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

    pub(super) fn target(&mut self, values: &[Value]) -> Option<()> {
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
    pub(super) fn couple(&mut self, to: Register, from: Register) -> Option<()> {
        let values = [to, from].map(|one| Value::Register(general(full(one).number())));
        self.helper(Code::Xor_r64_rm64, &values)?;
        self.helper(Code::Xor_r64_rm64, &values)
    }

    /// Gives `register` the value of `constant`, but not before what it was is there: `and` with the 0 in `zero`, and `or`, 2 cycles.
    pub(super) fn restore(&mut self, register: Register, zero: Register, constant: Register) -> Option<()> {
        let [register, zero, constant] =
            [register, zero, constant].map(|one| Value::Register(general(full(one).number())));
        self.helper(Code::And_r64_rm64, &[register, zero])?;
        self.helper(Code::Or_r64_rm64, &[register, constant])
    }

    /// The same for vector registers.
    pub(super) fn couple_vectors(&mut self, to: usize, from: usize) -> Option<()> {
        for _ in 0..2 {
            self.link_vectors(to, from)?;
        }
        Some(())
    }

    /// One bitwise operation from a vector register to another that keeps its own part: 1 cycle.
    pub(super) fn link_vectors(&mut self, to: usize, from: usize) -> Option<()> {
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
    pub(super) fn link_general(&mut self, to: usize, from: usize) -> Option<()> {
        self.helper(Code::Xor_r64_rm64, &[Value::Register(general(to)), Value::Register(general(from))])
    }

    /// Gives `to` the value of `from` without waiting for what `to` was.
    pub(super) fn copy(&mut self, to: Register, from: Register) -> Option<()> {
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
    pub(super) fn reset_flags(&mut self, constant: Register) -> Option<()> {
        let constant = Value::Register(general(constant.number()));
        self.helper(Code::Test_rm64_r64, &[constant, constant])
    }

    /// Moves what is in `from`, a register of `file`, into the general register `to`.
    pub(super) fn move_to_general(&mut self, file: File, to: usize, from: usize) -> Option<()> {
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
    pub(super) fn move_from_general(&mut self, file: File, to: usize, from: usize) -> Option<()> {
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
    pub(super) fn move_from_flags(&mut self, to: usize, constant: usize, flags: u32) -> Option<&'static str> {
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
    pub(super) fn set_flags_from(&mut self, from: usize, constant: usize) -> Option<()> {
        self.helper(Code::Cmp_r64_rm64, &[Value::Register(general(from)), Value::Register(general(constant))])
    }

    /// Loads what a store of `class` left at the base address, into the register that it came from.
    pub(super) fn reload(&mut self, class: Class, number: usize) -> Option<()> {
        let memory = Value::Memory { base: BASE, index: Register::None, displacement: 0 };
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
    pub(super) fn start_operands(&mut self, values: &[Value]) {
        let start = match values {
            [Value::Register(divisor), ..] if is_division(self.form) => Some((*divisor, self.division().2)),
            [_, Value::Register(bit)] if is_far_bit_test(self.form) => Some((*bit, 9)),
            _ => None,
        };
        if let Some((register, value)) = start {
            self.start_with(register, value);
        }
    }

    pub(super) fn start_with(&mut self, register: Register, value: u64) {
        self.special.push((general(full(register).number()), value));
    }

    pub(super) fn start_as_ones(&mut self, vector: usize) {
        self.ones.push(vector);
    }

    pub(super) fn start_as_zero(&mut self, vector: usize) {
        self.zeros.push(vector);
    }

    pub(super) fn memory_points_to_itself(&mut self) {
        self.points_to_itself = true;
    }

    /// Vector code of before AVX, which must not be mixed with later.
    pub(super) fn is_legacy(&self) -> bool {
        self.form.code.op_code().encoding() == EncodingKind::Legacy
    }

    pub(super) fn instructions(&self) -> Vec<Instruction> {
        self.body.iter().map(|(instruction, _)| *instruction).collect()
    }

    /// The program: the body, counted as `operations`, and the state that it starts from.
    pub(super) fn finish(self, operations: u64) -> Option<Program> {
        let setup = self.setup()?;
        let instructions = self.body.len();
        let body: Vec<u8> = self.body.into_iter().flat_map(|(_, bytes)| bytes).collect();
        Some(Program { setup, body, instructions, operations, fill: Fill::default(), spare: Some(SPARE) })
    }

    /// Code that gives all registers and the memory in use their values.
    fn setup(&self) -> Option<Vec<u8>> {
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
    pub(super) fn division(&self) -> (u64, u64, u64) {
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
pub(super) const GENERAL: u64 = 0x0123_4567_89ab_cd49;

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

/// The value of an operand that is not a register of the tool's choice.
pub(super) fn constant_value(operand: Operand, displacement: i32, index: Register) -> Value {
    match operand {
        Operand::Fixed(register) => Value::Register(register),
        Operand::Memory(_) => Value::Memory { base: BASE, index: Register::None, displacement },
        Operand::Gather(..) => Value::Memory { base: BASE, index, displacement },
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
