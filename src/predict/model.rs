//! What is asked of a static model, and what does it answer?

#![forbid(unsafe_code)]

use super::source::Syntax;
use crate::error::Result;

/// Instructions that a model is asked about: one turn of a loop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// What it is called in messages.
    pub name: String,
    /// The instructions in AT&T syntax, one a line; those in Intel's stand between the lines `.intel_syntax noprefix` and
    /// `.att_syntax prefix`.
    pub lines: Vec<String>,
}

impl Block {
    /// The lines that are instructions: neither labels nor directives.
    pub fn instructions(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| line.trim()).filter(|line| !line.ends_with(':') && !is_syntax(line))
    }

    /// All but the labels.
    pub(super) fn without_labels(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| line.trim()).filter(|line| !line.ends_with(':'))
    }

    /// The syntax that all of it is in, if it is one.
    pub(super) fn syntax(&self) -> Option<Syntax> {
        let directive = |line: &str, syntax: Syntax| line == syntax.directive();
        let mut changes = self.without_labels().filter(|line| is_syntax(line));
        match (changes.next(), changes.next(), changes.next()) {
            (None, ..) => Some(Syntax::Att),
            (Some(first), Some(second), None)
                if directive(first, Syntax::Intel)
                    && directive(second, Syntax::Att)
                    && self.without_labels().next() == Some(first)
                    && self.without_labels().last() == Some(second) =>
            {
                Some(Syntax::Intel)
            }
            _ => None,
        }
    }
}

/// Whether a line goes over to another syntax.
fn is_syntax(line: &str) -> bool {
    [Syntax::Att, Syntax::Intel].iter().any(|syntax| line == syntax.directive())
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
    /// The latency in cycles that stands for each of them; `None` where they count as nothing.
    pub stand_in: Option<f64>,
    /// What the model's tables say of each instruction, where it shows them; labels are left out.
    pub each: Vec<Tabled>,
    /// What must be known of the answer: the CPU is not the one that was asked for, for instance.
    pub remarks: Vec<String>,
}

impl Forecast {
    /// Whether instructions of the block count as nothing, since the model does not know them: then `cycles` is not the block's.
    pub fn is_partial(&self) -> bool {
        self.stand_in.is_none() && !self.unmodelled.is_empty()
    }
}

/// What a model's tables say of one instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tabled {
    /// Cycles from its operands to its result.
    pub latency: f64,
    /// Cycles an instruction when they are independent, as far as its own resources go.
    pub rthroughput: f64,
    /// Micro-operations, where the model counts them.
    pub uops: Option<f64>,
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

    /// What it says of each of `blocks`: the same as one by one, for models that can be asked about many at once in less time.
    fn predict_all(&self, blocks: &[Block]) -> Vec<Result<Forecast>> {
        blocks.iter().map(|block| self.predict(block)).collect()
    }
}

impl Model for Box<dyn Model> {
    fn name(&self) -> &str {
        self.as_ref().name()
    }

    fn version(&self) -> &str {
        self.as_ref().version()
    }

    fn cpu(&self) -> &str {
        self.as_ref().cpu()
    }

    fn predict(&self, block: &Block) -> Result<Forecast> {
        self.as_ref().predict(block)
    }

    fn predict_all(&self, blocks: &[Block]) -> Vec<Result<Forecast>> {
        self.as_ref().predict_all(blocks)
    }
}
