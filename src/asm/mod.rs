//! What does this instruction, snippet or basic block cost? Assembly text, templates, object code and bytes, measured in a
//! sandboxed child process by the sampling room, as any kernel is.

mod program;

pub use program::{Fill, Program, Refusal, RefusalClass};
