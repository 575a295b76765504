//! The fixture, built once and run as others run it.
#![allow(dead_code, reason = "each test file uses its part")]

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::common::{bench, said};

/// The executable of `tests/suite/fixture.rs`.
pub(crate) fn fixture() -> &'static PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| bench("suite_fixture"))
}

pub(crate) fn command(which: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(fixture());
    command.args(arguments).env("FENCEPOST_FIXTURE", which).env_remove("COLUMNS");
    command
}

pub(crate) fn run(which: &str, arguments: &[&str]) -> Output {
    command(which, arguments).output().expect("the fixture runs")
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Runs it well, and gives its standard output.
pub(crate) fn told(which: &str, arguments: &[&str]) -> String {
    let output = run(which, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", said(&output));
    stdout(&output)
}
