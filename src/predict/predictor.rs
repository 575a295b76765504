//! How does a result come to its prediction? Decode, check, ask each model, compare.

#![forbid(unsafe_code)]

use super::att::att;
use super::chains::chains;
use super::checks::{NO_WORK, check};
use super::listing::lines;
use super::llvm_mca::LlvmMca;
use super::model::{Block, Model};
use super::timed::TimedCode;
use super::verdict::compare;
use crate::error::Result;
use crate::harness::Entry;
use crate::machine::Machine;
use crate::record::{BenchmarkResult, Decoded, Prediction, PredictionVerdict};

/// Lines of a loop that are kept.
const MOST_LINES: usize = 200;

/// A model to be asked, or none: decoding and checks need none.
#[derive(Debug, Default)]
pub struct Predictor {
    model: Option<Box<dyn Model>>,
}

impl Predictor {
    /// Decodes and checks only.
    pub fn without_model() -> Self {
        Self::default()
    }

    /// Asks `model`.
    pub fn of(model: impl Model + 'static) -> Self {
        Self { model: Some(Box::new(model)) }
    }

    /// Asks the newest llvm-mca that is installed, for the CPU of `machine`.
    ///
    /// # Errors
    ///
    /// As for [`LlvmMca::find`].
    pub fn installed(machine: &Machine) -> Result<Self> {
        let design = machine.microarchitecture();
        Ok(Self::of(LlvmMca::find(None, None, design.as_ref())?))
    }

    /// Adds to `result` what was decoded at `entry`, what is wrong with it, and what the model says.
    ///
    /// # Errors
    ///
    /// As for [`TimedCode::decode`] and [`Model::predict`].
    pub fn add(&self, result: &mut BenchmarkResult, entry: Entry) -> Result<TimedCode> {
        let mut timed = TimedCode::decode(entry)?;
        // A cost that was measured is that of more than loop control: then this is not the loop that cost it.
        let is_elsewhere =
            !result.below_resolution && (timed.trace.instructions.len() as u64) < timed.operations;
        if is_elsewhere && timed.trace.broken.is_none() {
            timed.trace.broken =
                Some("the loop that was found is not the one that costs the time".to_owned());
        }
        let instructions = timed.instructions() / result.ops.max(1) as f64;
        let cycles = result.cycles.as_ref().map(|cycles| cycles.estimate).filter(|cycles| *cycles > 0.0);
        let obstacle = timed.trace.obstacle();
        let mut findings = if is_elsewhere { Vec::new() } else { check(&timed, result.kind, result.barrier) };
        if !result.below_resolution {
            // What costs more than the loop around nothing is no nothing, whatever instructions it is made of.
            findings.retain(|finding| finding != NO_WORK);
        }
        result.decoded = Some(Decoded {
            instructions,
            ipc: cycles
                .filter(|_| obstacle.is_none() && !result.below_resolution)
                .map(|cycles| instructions / cycles),
            operations: timed.operations,
            placement: timed.timed_loop.head % 64,
            symbol: timed.code.symbol.clone(),
            calls: timed.callees(),
            findings,
            listing: lines(&timed, MOST_LINES),
            chain: longest_chain(&timed),
            obstacle: obstacle.clone(),
        });
        if let Some(model) = &self.model {
            result.prediction = Some(match obstacle {
                Some(obstacle) => Prediction {
                    model: model.name().to_owned(),
                    version: model.version().to_owned(),
                    cpu: model.cpu().to_owned(),
                    verdict: PredictionVerdict::NotCompared,
                    reason: Some(format!("one turn of the loop is no straight line: {obstacle}")),
                    ..Prediction::default()
                },
                None => {
                    let block = Block { name: result.id.clone(), lines: att(&timed.trace.straight()) };
                    compare(model.as_ref(), &model.predict(&block)?, timed.operations, result)
                }
            });
        }
        Ok(timed)
    }
}

/// Of the instructions that are kept, those on the longest chain from turn to turn.
fn longest_chain(timed: &TimedCode) -> Vec<u64> {
    let places = timed.trace.straight_places();
    let longest = chains(&timed.trace.straight()).into_iter().next();
    let members = longest.map(|chain| chain.members).unwrap_or_default();
    let members = members.into_iter().filter_map(|at| places.get(at).copied());
    members.take_while(|at| *at < MOST_LINES).map(|at| at as u64).collect()
}
