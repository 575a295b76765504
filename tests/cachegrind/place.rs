//! The fixture, built once, and a target directory of each test's own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::common::{self, Scratch, has};
use fencepost::record::{BenchmarkResult, Counts, Record};

/// The executable of the fixture.
pub(crate) fn fixture() -> &'static PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| common::bench("cachegrind_fixture"))
}

/// The executable of the example that explains.
pub(crate) fn cause() -> &'static PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| common::example("cause"))
}

/// Whether Valgrind is here; said aloud where not.
pub(crate) fn counts() -> bool {
    has("valgrind")
}

/// A target directory of one test's own.
pub(crate) struct Place(Scratch);

impl Place {
    pub(crate) fn new() -> Self {
        Self(Scratch::new("counted"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Where the profiles of a benchmark are.
    pub(crate) fn profiles(&self, directory: &str) -> PathBuf {
        self.0.join("fencepost/cachegrind/cachegrind_fixture").join(directory)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(fixture());
        command.args(["--bench", "--mode", "cachegrind"]).args(arguments);
        command.env("CARGO_TARGET_DIR", self.0.path()).env_remove("COLUMNS");
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the fixture runs")
    }

    /// The standard output of a run that goes well.
    pub(crate) fn told(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", said(&output));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// The record of a run that goes well.
    pub(crate) fn record(&self, arguments: &[&str]) -> Record {
        let text = self.told(&[arguments, &["--format", "json"]].concat());
        Record::from_json(&text).expect("a record on standard output")
    }
}

pub(crate) use crate::common::{said, shown};

pub(crate) fn one<'r>(record: &'r Record, id: &str) -> &'r BenchmarkResult {
    record.results.iter().find(|result| result.id == id).unwrap_or_else(|| panic!("{id} was counted"))
}

pub(crate) fn counts_of<'r>(record: &'r Record, id: &str) -> &'r Counts {
    one(record, id).counts.as_ref().unwrap_or_else(|| panic!("{id} has counts"))
}

/// What two runs have to have in common to the last digit.
pub(crate) fn all_counts(record: &Record) -> Vec<(&str, &Counts)> {
    record
        .results
        .iter()
        .map(|result| (result.id.as_str(), result.counts.as_ref().expect("counts")))
        .collect()
}
