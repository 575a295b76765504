//! The fixture, built once and run as others run it.
#![allow(dead_code, reason = "each test file uses its part")]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use fencepost::Lab;

/// The executable of `tests/suite/fixture.rs`, built once.
pub(crate) fn fixture() -> &'static PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let this = std::env::current_exe().expect("the path of this test");
        let target = this.ancestors().nth(3).expect("target/profile/deps/test");
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args([
            "test",
            "--no-run",
            "--bench",
            "suite_fixture",
            "--message-format",
            "json",
            "--manifest-path",
        ]);
        cargo.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).arg("--target-dir").arg(target);
        if !cfg!(debug_assertions) {
            cargo.arg("--release");
        }
        let built = cargo.stderr(Stdio::inherit()).output().expect("cargo runs");
        assert!(built.status.success(), "the fixture does not build");
        String::from_utf8_lossy(&built.stdout)
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .filter(|message| message["target"]["name"] == "suite_fixture")
            .find_map(|message| message["executable"].as_str().map(PathBuf::from))
            .expect("cargo says where the fixture is")
    })
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

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs it well, and gives its standard output.
pub(crate) fn told(which: &str, arguments: &[&str]) -> String {
    let output = run(which, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

/// Whether this machine can measure core cycles; said aloud where not.
pub(crate) fn measures() -> bool {
    let found = Lab::new().map(|lab| lab.cycle_source().is_some());
    if !matches!(found, Ok(true)) {
        eprintln!("SKIPPED: no core cycles can be claimed on this machine: {found:?}");
    }
    matches!(found, Ok(true))
}
