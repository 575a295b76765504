//! What does this instruction, snippet or basic block cost? Assembly text, templates, object code and bytes, measured in a
//! sandboxed child process by the sampling room, as any kernel is.

mod assembler;
mod block;
mod chain;
mod effects;
mod features;
mod form;
mod jobs;
mod kit;
mod measure;
mod object_file;
mod operand;
mod ports;
mod program;
#[cfg(test)]
mod properties;
mod rate;
mod reference;
mod sandbox;
mod source;
mod template;

pub use assembler::Syntax;
pub use block::{Block, Link, Listed, MOST_BYTES, default_fill};
pub use chain::{Chain, chain_of_same_register, chains};
pub use features::{Features, features};
pub use form::{Catalogue, Form, LeftOut};
pub use jobs::{Breadth, Job, jobs};
pub use kit::{Operands, listing, listing_with_offsets};
pub use measure::{Engine, Measured, Prepared, measure, measure_form};
pub use object_file::function;
pub use operand::{Address, Class, File, Operand};
pub use program::{Fill, Program, Refusal, RefusalClass};
pub use rate::{Rate, has_idiom, rate, rate_of_same_register, rate_to_one_destination};
pub use reference::{
    Aspect, Kinship, Meant, Published, form_of, kinship, latency_agrees, published, rthroughput_agrees,
};
pub use sandbox::Sandbox;
pub use source::{MOST_TEXT, assemble, hex, utf8};
pub use template::{Template, canonical_mnemonic, nearest_mnemonic};
