//! The sandbox, as an engine.

use super::measure::{Engine, Prepared};
use super::program::{Program, Refusal};
use crate::error::{Error, ErrorKind, Result};

/// The sandbox.
#[derive(Debug)]
pub struct Sandbox(());

impl Sandbox {
    /// # Errors
    ///
    /// Where none can be had.
    pub fn new() -> Result<Self> {
        Ok(Self(()))
    }
}

impl Engine for Sandbox {
    fn prepare(&self, _: &Program, _: usize) -> Result<std::result::Result<Box<dyn Prepared>, Refusal>> {
        Err(Error::new(ErrorKind::CannotMeasure, "no sandbox"))
    }
}
