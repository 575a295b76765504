//! What is asked of a static model, and what does it answer?

#![forbid(unsafe_code)]

use crate::error::Result;

/// Instructions that a model is asked about: one turn of a loop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// What it is called in messages.
    pub name: String,
    /// The instructions in AT&T syntax, one a line.
    pub lines: Vec<String>,
}

/// What a model says of a block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forecast {
    /// Core cycles that a turn takes when many follow one another.
    pub cycles: f64,
    /// Instructions in a turn.
    pub instructions: u64,
    /// Micro-operations in a turn, where the model counts them.
    pub uops: Option<f64>,
    /// What bounds it, by the model's own account.
    pub bottleneck: Option<String>,
    /// Instructions that the model does not know, though it answers.
    pub unmodelled: Vec<String>,
    /// What must be known of the answer: the CPU is not the one that was asked for, for instance.
    pub remarks: Vec<String>,
}

/// A program that predicts cycles from instructions.
pub trait Model: std::fmt::Debug {
    /// Its name: `llvm-mca`.
    fn name(&self) -> &str;

    /// Its version.
    fn version(&self) -> &str;

    /// The CPU that it models, as it calls it.
    fn cpu(&self) -> &str;

    /// What it says of `block`.
    ///
    /// # Errors
    ///
    /// `Io` where it cannot be run; `Input` where it ends badly, takes too long, or says what cannot be understood.
    fn predict(&self, block: &Block) -> Result<Forecast>;
}
