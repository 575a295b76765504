//! What does the model say of each program? Every program is asked about once, many at a time.

use std::collections::{BTreeMap, BTreeSet};

use fencepost::error::{Error, Result};
use fencepost::predict::{Block, Forecast, Model, att};
use iced_x86::{Decoder, DecoderOptions, Instruction};

/// Answers by the programs' bytes.
pub(super) struct Questions<'m> {
    model: &'m dyn Model,
    answers: BTreeMap<Vec<u8>, std::result::Result<Forecast, String>>,
    /// The first answer that there was none.
    failed: Option<Error>,
}

impl<'m> Questions<'m> {
    /// # Errors
    ///
    /// The model's own where it has no answer for the simplest instruction.
    pub(super) fn new(model: &'m dyn Model) -> Result<Self> {
        model.predict(&Block { name: "nop".to_owned(), lines: vec!["nop".to_owned()] })?;
        Ok(Self { model, answers: BTreeMap::new(), failed: None })
    }

    /// Asks about those of `programs` that are not known yet, each with its name.
    pub(super) fn ask<'p>(&mut self, programs: impl Iterator<Item = (&'p str, &'p [u8])>) {
        let mut bodies = BTreeSet::new();
        let mut blocks = Vec::new();
        let mut asked = Vec::new();
        for (name, body) in programs {
            if self.answers.contains_key(body) || !bodies.insert(body) {
                continue;
            }
            // The first line is the label that jumps would go to.
            let lines = att(&instructions(body)).into_iter().skip(1).collect();
            blocks.push(Block { name: name.to_owned(), lines });
            asked.push(body.to_vec());
        }
        let answers = self.model.predict_all(&blocks);
        for (body, answer) in asked.into_iter().zip(answers) {
            let answer = match answer {
                Ok(forecast) => Ok(forecast),
                Err(error) => {
                    let said = error.to_string();
                    self.failed.get_or_insert(error);
                    Err(said)
                }
            };
            self.answers.insert(body, answer);
        }
    }

    /// Why there was no answer, the first time.
    pub(super) fn failed(&mut self) -> Option<Error> {
        self.failed.take()
    }

    /// Whether the model predicts the program.
    pub(super) fn knows(&self, body: &[u8]) -> bool {
        self.forecast(body).is_some()
    }

    pub(super) fn forecast(&self, body: &[u8]) -> Option<&Forecast> {
        self.answers.get(body)?.as_ref().ok()
    }

    /// Why it does not.
    pub(super) fn refusal(&self, body: &[u8]) -> Option<&str> {
        self.answers.get(body)?.as_ref().err().map(String::as_str)
    }

    /// What it says of all of its answers: that its CPU is another one, for instance.
    pub(super) fn remarks(&self) -> Vec<String> {
        let all: BTreeSet<&String> = self.answers.values().flatten().flat_map(|one| &one.remarks).collect();
        all.into_iter().cloned().collect()
    }
}

/// The instructions of a program's body.
pub(super) fn instructions(body: &[u8]) -> Vec<Instruction> {
    Decoder::with_ip(64, body, 0, DecoderOptions::NONE).into_iter().collect()
}
