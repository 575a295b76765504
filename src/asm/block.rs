//! What is in this machine code, instruction by instruction, and is there a reason not to run it at all?

use iced_x86::{
    Decoder, DecoderError, DecoderOptions, FlowControl, Formatter, Instruction, IntelFormatter, Mnemonic,
};

use super::effects::{Place, carried, effects};
use super::features::Features;
use super::program::{Fill, Program, Refusal, RefusalClass};

/// The most bytes of one block.
pub const MOST_BYTES: usize = 64 * 1024;

/// One instruction of a block.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Where it begins.
    pub offset: usize,
    /// Its bytes.
    pub length: usize,
    /// In Intel's syntax.
    pub text: String,
}

/// Machine code that was decoded.
#[derive(Clone, Debug)]
pub struct Block {
    bytes: Vec<u8>,
    instructions: Vec<Instruction>,
}

/// What registers and memory hold when a block begins: small numbers in general registers, so that those that are used as addresses can be
/// mapped, and numbers a little above 1 in vector registers, in every width.
pub fn default_fill() -> Fill {
    Fill { word: 0x1234_5600, double: f64::from_bits(0x3ff8_3c00_3f80_3c01) }
}

/// A chain that each repetition of a block hands to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The registers that carry it, `rax` or `xmm1, rcx`.
    pub through: String,
    /// Instructions on it in one repetition, on average.
    pub instructions: f64,
    /// It goes through memory somewhere.
    pub by_memory: bool,
}

impl Block {
    /// The block that these bytes are.
    ///
    /// # Errors
    ///
    /// `Undecodable` for no bytes, for bytes that are no instruction (with the offset) and for a last instruction that is cut off;
    /// `TooLong` above [`MOST_BYTES`].
    ///
    /// ```
    /// use fencepost::asm::Block;
    /// let block = Block::decode(&[0x48, 0x01, 0xd8]).unwrap();
    /// assert_eq!(block.list()[0].text, "add rax, rbx");
    /// assert_eq!(Block::decode(&[0x48]).unwrap_err().offset, Some(0));
    /// ```
    pub fn decode(bytes: &[u8]) -> Result<Self, Refusal> {
        let refuse = |class, offset, detail: String| Refusal { class, offset, detail };
        if bytes.is_empty() {
            return Err(refuse(RefusalClass::Undecodable, None, "there is no instruction".to_owned()));
        }
        if bytes.len() > MOST_BYTES {
            let detail = format!("{} bytes are more than the {MOST_BYTES} of a block", bytes.len());
            return Err(refuse(RefusalClass::TooLong, None, detail));
        }
        let mut decoder = Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE);
        let mut instructions = Vec::new();
        while decoder.can_decode() {
            let offset = decoder.position();
            let instruction = decoder.decode();
            if instruction.is_invalid() {
                let rest = bytes.get(offset..).unwrap_or_default();
                let shown: Vec<String> = rest.iter().take(15).map(|byte| format!("{byte:02x}")).collect();
                let why = match decoder.last_error() {
                    DecoderError::NoMoreBytes => "are the beginning of an instruction whose end is missing",
                    _ => "are no instruction",
                };
                let detail = format!("the bytes {} {why}", shown.join(" "));
                return Err(refuse(RefusalClass::Undecodable, Some(offset), detail));
            }
            instructions.push(instruction);
        }
        Ok(Self { bytes: bytes.to_vec(), instructions })
    }

    /// Its machine code.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many instructions it has.
    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Whether it has none; a block that was decoded has some.
    pub fn is_empty(&self) -> bool {
        self.instructions.is_empty()
    }

    /// Its instructions with their offsets.
    pub fn list(&self) -> Vec<Listed> {
        self.instructions
            .iter()
            .map(|one| Listed { offset: offset(one), length: one.len(), text: text_of(one) })
            .collect()
    }

    /// The text of the instruction at an offset, if one begins there.
    pub fn text_at(&self, at: usize) -> Option<String> {
        self.instructions.iter().find(|one| offset(one) == at).map(text_of)
    }

    /// What is known beforehand to be refused: instructions of the kernel's, system calls, control that leaves the block, and
    /// instruction sets that this CPU does not have.
    ///
    /// # Errors
    ///
    /// The first such instruction, by class and offset.
    pub fn check(&self, features: &Features) -> Result<(), Refusal> {
        self.instructions.iter().try_for_each(|one| check_one(one, features))
    }

    /// The block as a program for the sandbox, which repeats it; its cost is that of one repetition.
    pub fn program(&self, fill: Fill) -> Program {
        Program {
            setup: Vec::new(),
            body: self.bytes.clone(),
            instructions: self.instructions.len(),
            operations: 1,
            fill,
            spare: self.spare(),
        }
    }

    /// The longest chain that each repetition hands to the next; `None` if no register does.
    pub fn link(&self) -> Option<Link> {
        let chain = carried(&effects(&self.instructions))?;
        let by_memory = chain.through.iter().any(|place| matches!(place, Place::Memory(..)));
        Some(Link { through: super::kit::in_words(&chain.through), instructions: chain.growth, by_memory })
    }

    /// The fewest issue slots that a repetition takes on any core: an instruction each, but none for a NOP, which some fuse with a
    /// neighbour. `None` if there is a branch, which may be fused as well.
    pub fn issue_slots(&self) -> Option<usize> {
        self.instructions.iter().try_fold(0, |slots, one| {
            let takes_one = one.mnemonic() != Mnemonic::Nop;
            (one.flow_control() == FlowControl::Next).then_some(slots + usize::from(takes_one))
        })
    }

    /// A general register that no instruction reads or writes, for the loop count.
    fn spare(&self) -> Option<u8> {
        let mut factory = iced_x86::InstructionInfoFactory::new();
        let mut used = [false; 16];
        for instruction in &self.instructions {
            for register in factory.info(instruction).used_registers() {
                let register = register.register();
                if register.is_gpr()
                    && let Some(place) = used.get_mut(register.full_register().number())
                {
                    *place = true;
                }
            }
        }
        // RSP is the stack's.
        (0..16u8)
            .rev()
            .find(|number| *number != 4 && !used.get(usize::from(*number)).copied().unwrap_or(true))
    }
}

fn offset(instruction: &Instruction) -> usize {
    usize::try_from(instruction.ip()).unwrap_or(0)
}

fn check_one(instruction: &Instruction, features: &Features) -> Result<(), Refusal> {
    let refuse = |class, detail: &str| {
        Err(Refusal { class, offset: Some(offset(instruction)), detail: detail.to_owned() })
    };
    match instruction.mnemonic() {
        Mnemonic::Syscall | Mnemonic::Sysenter | Mnemonic::Int => {
            return refuse(
                RefusalClass::SystemCall,
                "a block must not ask the operating system for anything",
            );
        }
        Mnemonic::Ud0 | Mnemonic::Ud1 | Mnemonic::Ud2 => {
            return refuse(RefusalClass::IllegalInstruction, "it raises #UD by definition");
        }
        Mnemonic::Int1 | Mnemonic::Int3 | Mnemonic::Into => {
            return refuse(RefusalClass::Trap, "it raises a debug exception by definition");
        }
        Mnemonic::Xbegin | Mnemonic::Xabort | Mnemonic::Xend => {
            return refuse(RefusalClass::JumpOut, "a transaction that aborts goes on at another place");
        }
        _ => {}
    }
    let info = instruction.code().op_code();
    if instruction.is_privileged() || info.is_input_output() || !info.cpl3() || info.must_be_cpl0() {
        return refuse(RefusalClass::Privileged, "only the kernel may execute it");
    }
    match instruction.flow_control() {
        FlowControl::Return | FlowControl::Call | FlowControl::IndirectCall | FlowControl::IndirectBranch => {
            return refuse(
                RefusalClass::JumpOut,
                "control goes to where an address says, outside of the block",
            );
        }
        FlowControl::Interrupt | FlowControl::Exception => {
            return refuse(RefusalClass::Trap, "it raises an exception by definition");
        }
        _ => {}
    }
    if let Some(feature) = features.missing(instruction.code()) {
        let detail =
            format!("it belongs to {feature:?}, which this CPU does not have or the kernel does not enable");
        return refuse(RefusalClass::Unsupported, &detail);
    }
    Ok(())
}

/// An instruction in Intel's syntax.
pub(super) fn text_of(instruction: &Instruction) -> String {
    let mut formatter = IntelFormatter::new();
    let options = formatter.options_mut();
    options.set_space_after_operand_separator(true);
    options.set_hex_prefix("0x");
    options.set_hex_suffix("");
    let mut text = String::new();
    formatter.format(instruction, &mut text);
    text
}

#[cfg(test)]
mod tests {
    use super::super::features::features;
    use super::*;

    fn refused(bytes: &[u8]) -> (RefusalClass, Option<usize>) {
        let block = Block::decode(bytes).expect("it decodes");
        let refusal = block.check(&features()).expect_err("it is refused");
        (refusal.class, refusal.offset)
    }

    #[test]
    fn what_is_refused_before_it_runs_is_named_by_class_and_place() {
        assert_eq!(refused(&[0x90, 0x0f, 0x05]), (RefusalClass::SystemCall, Some(1)));
        assert_eq!(refused(&[0xcd, 0x80]), (RefusalClass::SystemCall, Some(0)));
        assert_eq!(refused(&[0xf4]), (RefusalClass::Privileged, Some(0)));
        assert_eq!(refused(&[0x0f, 0x30]), (RefusalClass::Privileged, Some(0)));
        assert_eq!(refused(&[0x0f, 0x0b]), (RefusalClass::IllegalInstruction, Some(0)));
        assert_eq!(refused(&[0xcc]), (RefusalClass::Trap, Some(0)));
        assert_eq!(refused(&[0xc3]), (RefusalClass::JumpOut, Some(0)));
        assert_eq!(refused(&[0xff, 0xe0]), (RefusalClass::JumpOut, Some(0)));
        // vfmaddpd xmm0, xmm1, xmm2, xmm3 of FMA4, which no CPU of Intel has and no AMD since Zen
        let fma4 = [0xc4, 0xe3, 0xf1, 0x69, 0xc2, 0x30];
        assert_eq!(refused(&fma4), (RefusalClass::Unsupported, Some(0)));
    }

    #[test]
    fn bytes_that_end_too_soon_or_are_nothing_say_where() {
        assert_eq!(Block::decode(&[]).expect_err("empty").class, RefusalClass::Undecodable);
        let cut = Block::decode(&[0x90, 0x48, 0x01]).expect_err("cut off");
        assert_eq!(cut.offset, Some(1));
        assert!(cut.detail.contains("end is missing"), "{}", cut.detail);
        assert_eq!(Block::decode(&[0x06]).expect_err("not in 64 bits").offset, Some(0));
        assert_eq!(
            Block::decode(&vec![0x90; MOST_BYTES + 1]).expect_err("long").class,
            RefusalClass::TooLong
        );
        // Prefixes alone, and more than 15 bytes.
        assert!(Block::decode(&[0x66, 0xf3, 0x48]).is_err());
        assert!(Block::decode(&[0x66; 15]).is_err());
        assert!(Block::decode(&[&[0x66; 15][..], &[0x90]].concat()).is_err());
    }

    #[test]
    fn the_spare_register_is_used_by_nobody() {
        let block =
            Block::decode(&[0x4d, 0x01, 0xff, 0x45, 0x31, 0xf6]).expect("add r15, r15; xor r14d, r14d");
        assert_eq!(block.program(Fill::default()).spare, Some(13));
    }

    #[test]
    fn what_may_be_fused_takes_no_issue_slot_for_certain() {
        let slots = |bytes: &[u8]| Block::decode(bytes).expect("it decodes").issue_slots();
        assert_eq!(slots(&[0x48, 0x01, 0xd8, 0x48, 0x01, 0xd8]), Some(2));
        // cmp edx, 1; two-byte NOP; nop dword [rax]; NOP; pause
        assert_eq!(slots(&[0x83, 0xfa, 1, 0x66, 0x90, 0x0f, 0x1f, 0, 0x90, 0xf3, 0x90]), Some(2));
        // test eax, eax; je to the end
        assert_eq!(slots(&[0x85, 0xc0, 0x74, 0]), None);
    }

    #[test]
    fn the_link_of_a_block_is_named() {
        let link = |bytes: &[u8]| Block::decode(bytes).expect("it decodes").link();
        let chain = link(&[0x48, 0x0f, 0xaf, 0xc3]).expect("imul rax, rbx");
        assert_eq!((chain.through.as_str(), chain.instructions), ("rax", 1.0));
        assert_eq!(link(&[0x48, 0x39, 0xd8]), None);
    }
}
