//! What do the timed loops consist of, and what does a model say of them? Asked for by `--mca` and `--show-loop`.

use super::arguments::Arguments;
use super::run::say;
use crate::Lab;
use crate::error::{ErrorKind, Result};
use crate::lab::Measurement;
use crate::predict::{Choice, Predictor, listing};
use crate::record::inert;

/// Lines of a loop that are shown.
const MOST_LINES: usize = 200;

/// Adds to each measurement what its loop and the model say. Where no model is installed that is said once.
///
/// # Errors
///
/// `Usage` for a CPU that the model does not know, and where a model that was named by its path cannot be asked.
pub(super) fn add(lab: &Lab, measurements: &mut [Measurement], arguments: &Arguments) -> Result<()> {
    if !arguments.mca && !arguments.show_loop {
        return Ok(());
    }
    let predictor = if arguments.mca {
        let design = lab.machine().microarchitecture();
        let choice = Choice {
            model: arguments.model.clone(),
            llvm_mca: arguments.llvm_mca.clone(),
            osaca: arguments.osaca.clone(),
            cpu: arguments.mcpu.clone(),
        };
        match choice.find(design.as_ref()) {
            Ok(model) => Predictor::of(model),
            Err(error) if choice.is_open() && error.kind() == ErrorKind::Io => {
                say(&format!("note: {error}"));
                Predictor::without_model()
            }
            Err(error) => return Err(error),
        }
    } else {
        Predictor::without_model()
    };
    for measurement in measurements {
        match lab.predict(measurement, &predictor) {
            Ok(Some(timed)) if arguments.show_loop => {
                say(&format!("{}: {}", inert(&measurement.result.id), listing(&timed, MOST_LINES)));
            }
            Ok(_) => {}
            Err(error) => {
                say(&format!("note: {}: {error}", inert(&measurement.result.id)));
                measurement.result.notes.push(format!("there is no prediction: {error}"));
            }
        }
    }
    Ok(())
}
