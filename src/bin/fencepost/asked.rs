//! Which model do `mca` and `audit` ask? The options that they share.

use std::path::PathBuf;

use fencepost::error::Result;
use fencepost::machine::Machine;
use fencepost::predict::{Choice, MODELS, Model};

/// The model that is asked.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Asked {
    /// The model to ask
    #[arg(long, value_name = "NAME", value_parser = MODELS, default_value = MODELS[0])]
    model: String,
    /// The CPU to model [default: this one]
    #[arg(long, value_name = "NAME")]
    mcpu: Option<String>,
    /// The llvm-mca to ask [default: the newest on PATH]
    #[arg(long, value_name = "PATH", conflicts_with = "osaca")]
    llvm_mca: Option<PathBuf>,
    /// The OSACA to ask [default: the first on PATH]
    #[arg(long, value_name = "PATH")]
    osaca: Option<PathBuf>,
}

impl Asked {
    /// # Errors
    ///
    /// As for [`Choice::find`].
    pub(crate) fn find(&self) -> Result<Box<dyn Model>> {
        // Who names the path of one means that one.
        let is_named = self.model != MODELS[0] || self.osaca.is_none();
        let choice = Choice {
            model: is_named.then(|| self.model.clone()),
            llvm_mca: self.llvm_mca.clone(),
            osaca: self.osaca.clone(),
            cpu: self.mcpu.clone(),
        };
        choice.find(Machine::detect().microarchitecture().as_ref())
    }
}
