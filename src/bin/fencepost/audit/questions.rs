//! What does the model say of each program? Every program is asked about once, many at a time.

use std::collections::{BTreeMap, BTreeSet};

use fencepost::asm::Job;
use fencepost::error::Result;
use fencepost::predict::{Block, Forecast, Model, att};
use iced_x86::{Decoder, DecoderOptions, Instruction};

/// Answers by the programs' bytes.
pub(super) struct Questions<'m> {
    model: &'m dyn Model,
    answers: BTreeMap<Vec<u8>, std::result::Result<Forecast, String>>,
}

impl<'m> Questions<'m> {
    pub(super) fn new(model: &'m dyn Model) -> Self {
        Self { model, answers: BTreeMap::new() }
    }

    /// Asks about the programs of `jobs` that are not known yet.
    ///
    /// # Errors
    ///
    /// The model's own where it answers nothing at all.
    pub(super) fn ask<'j>(&mut self, jobs: impl Iterator<Item = &'j Job>) -> Result<()> {
        let mut bodies = BTreeSet::new();
        let mut blocks = Vec::new();
        let mut asked = Vec::new();
        for job in jobs {
            let body = &job.program.body;
            if self.answers.contains_key(body) || !bodies.insert(body.clone()) {
                continue;
            }
            // The first line is the label that jumps would go to.
            let lines = att(&instructions(body)).into_iter().skip(1).collect();
            blocks.push(Block { name: job.id.clone(), lines });
            asked.push(body.clone());
        }
        let mut failed = None;
        let answers = self.model.predict_all(&blocks);
        for (body, answer) in asked.into_iter().zip(answers) {
            let answer = match answer {
                Ok(forecast) => Ok(forecast),
                Err(error) => {
                    let said = error.to_string();
                    failed.get_or_insert(error);
                    Err(said)
                }
            };
            self.answers.insert(body, answer);
        }
        match failed {
            Some(error) if self.answers.values().all(std::result::Result::is_err) => Err(error),
            _ => Ok(()),
        }
    }

    /// Whether the model predicts the program of `job`.
    pub(super) fn knows(&self, job: &Job) -> bool {
        self.forecast(job).is_some()
    }

    pub(super) fn forecast(&self, job: &Job) -> Option<&Forecast> {
        self.answers.get(&job.program.body)?.as_ref().ok()
    }

    /// Why it does not.
    pub(super) fn refusal(&self, job: &Job) -> Option<&str> {
        self.answers.get(&job.program.body)?.as_ref().err().map(String::as_str)
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
