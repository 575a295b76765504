//! What does this instruction, snippet or basic block cost? Assembly text, templates, object code and bytes, measured in a
//! sandboxed child process by the sampling room, as any kernel is.

mod features;
mod form;
mod operand;
mod program;
mod template;

pub use features::{Features, features};
pub use form::{Catalogue, Form, LeftOut};
pub use operand::{Class, File, Operand};
pub use program::{Fill, Program, Refusal, RefusalClass};
pub use template::Template;
