//! What does the sandbox run, and what does it say when it may not? The one thing that the front (text, bytes, templates) and the
//! sandbox share.

/// Machine code to be timed: a body that is repeated, and the state that it starts from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// Position-independent code that is run once before every slice, outside the timed region: what sets registers and
    /// memory up beyond `fill`.
    pub setup: Vec<u8>,
    /// One repetition of the block, position-independent.
    pub body: Vec<u8>,
    /// Instructions in one repetition: the sandbox unrolls to about 500 of them.
    pub instructions: usize,
    /// What one repetition counts as: the cost is per operation.
    pub operations: u64,
    /// What registers and memory hold before every slice.
    pub fill: Fill,
    /// The block keeps its loop count nowhere: a general register that neither `setup` nor `body` reads or writes, as its
    /// encoding number (0 for RAX to 15 for R15). `None` where all are used; then the count is kept in memory.
    pub spare: Option<u8>,
}

/// Defined values that registers and memory start from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fill {
    /// Every 32-bit word of general registers (address registers excepted) and of memory.
    pub word: u32,
    /// Every element of the vector registers, as a double.
    pub double: f64,
}

/// Why a block was not measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RefusalClass {
    /// No instruction, or only bytes that do not form one.
    Undecodable,
    /// The CPU raised #UD: an instruction that it does not have, or may not run here.
    IllegalInstruction,
    /// The CPU raised #DE.
    DivisionFault,
    /// An access that the sandbox cannot map: non-canonical, kernel half, or too many pages.
    SegmentViolation,
    /// An access that must be aligned and was not.
    Misaligned,
    /// It did not end in time.
    EndlessLoop,
    /// It asked the operating system for something.
    SystemCall,
    /// An instruction of the kernel's.
    Privileged,
    /// The stack pointer left the stack that it was given, or came back moved.
    StackAbuse,
    /// Control left the block.
    JumpOut,
    /// A write to code.
    SelfModifying,
    /// An instruction set that this CPU or kernel does not have or enable.
    Unsupported,
    /// Larger than what can be measured.
    TooLong,
    /// A floating-point or other exception that is none of these.
    Trap,
}

impl RefusalClass {
    /// The word for it in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Undecodable => "undecodable",
            Self::IllegalInstruction => "illegal_instruction",
            Self::DivisionFault => "division_fault",
            Self::SegmentViolation => "segment_violation",
            Self::Misaligned => "misaligned",
            Self::EndlessLoop => "endless_loop",
            Self::SystemCall => "system_call",
            Self::Privileged => "privileged",
            Self::StackAbuse => "stack_abuse",
            Self::JumpOut => "jump_out",
            Self::SelfModifying => "self_modifying",
            Self::Unsupported => "unsupported",
            Self::TooLong => "too_long",
            Self::Trap => "trap",
        }
    }
}

/// A block that was not measured, and where it failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Which kind of failure.
    pub class: RefusalClass,
    /// Offset of the instruction in the body, in bytes, where it is known.
    pub offset: Option<usize>,
    /// What happened, with its values: an address, a signal, a limit.
    pub detail: String,
}
