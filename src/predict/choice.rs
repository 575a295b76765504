//! Which model is asked, and where is it? What the options of a bench and of the command say, in one place.

#![forbid(unsafe_code)]

use std::path::PathBuf;

use super::llvm_mca::LlvmMca;
use super::model::Model;
use super::osaca::Osaca;
use crate::error::{Error, ErrorKind, Result};
use crate::machine::Microarchitecture;
use crate::record::text::inert;

/// The models that there are.
pub const MODELS: [&str; 2] = ["llvm-mca", "osaca"];

/// A model as it is asked for; by default the newest llvm-mca on `PATH` for this CPU.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// One of [`MODELS`].
    pub model: Option<String>,
    /// Where llvm-mca is: asks for it.
    pub llvm_mca: Option<PathBuf>,
    /// Where OSACA is: asks for it.
    pub osaca: Option<PathBuf>,
    /// The CPU that is modelled, as the model calls it.
    pub cpu: Option<String>,
}

impl Choice {
    /// Whether all is left to what is installed: then a model that is missing is no error of the user's.
    pub fn is_open(&self) -> bool {
        self.llvm_mca.is_none() && self.osaca.is_none() && self.cpu.is_none()
    }

    /// The model, for `design` where no CPU is named.
    ///
    /// # Errors
    ///
    /// `Usage` for a model that is not known and for two at once; as for [`LlvmMca::find`] and [`Osaca::find`].
    pub fn find(&self, design: Option<&Microarchitecture>) -> Result<Box<dyn Model>> {
        let by_path = match (&self.llvm_mca, &self.osaca) {
            (Some(_), None) => Some("llvm-mca"),
            (None, Some(_)) => Some("osaca"),
            (None, None) => None,
            (Some(_), Some(_)) => {
                return Err(two_at_once("--llvm-mca and --osaca are both given".to_owned()));
            }
        };
        let name = self.model.as_deref().or(by_path).unwrap_or("llvm-mca");
        if by_path.is_some_and(|by_path| by_path != name) {
            return Err(two_at_once(format!("--model {} is given with a path of the other", inert(name))));
        }
        let cpu = self.cpu.as_deref();
        match name {
            "llvm-mca" => Ok(Box::new(LlvmMca::find(self.llvm_mca.as_deref(), cpu, design)?)),
            "osaca" => Ok(Box::new(Osaca::find(self.osaca.as_deref(), cpu, design)?)),
            other => Err(Error::new(ErrorKind::Usage, format!("no model is called {:?}", inert(other)))
                .remedy(format!("give one of these: {}", MODELS.join(", ")))),
        }
    }
}

fn two_at_once(what: String) -> Error {
    Error::new(ErrorKind::Usage, what).because("one model is asked").remedy("leave one of them out")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_models_at_once_and_none_that_is_known_are_refused() {
        let path = || Some(PathBuf::from("/nowhere/model"));
        for (choice, word) in [
            (Choice { llvm_mca: path(), osaca: path(), ..Choice::default() }, "both given"),
            (Choice { model: Some("osaca".into()), llvm_mca: path(), ..Choice::default() }, "the other"),
            (Choice { model: Some("uica".into()), ..Choice::default() }, "\"uica\""),
            (Choice { osaca: path(), ..Choice::default() }, "could not be run"),
        ] {
            let error = choice.find(None).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
