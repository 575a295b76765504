//! The fixture, built once, and a target directory of each test's own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use fencepost::record::{BenchmarkResult, Counts, Record};

/// The executable of the fixture.
pub(crate) fn fixture() -> &'static PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| built(&["test", "--no-run", "--bench", "cachegrind_fixture"], "cachegrind_fixture"))
}

/// The executable of the example that explains.
pub(crate) fn cause() -> &'static PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| built(&["build", "--example", "cause"], "cause"))
}

fn built(what: &[&str], name: &str) -> PathBuf {
    let this = std::env::current_exe().expect("the path of this test");
    let target = this.ancestors().nth(3).expect("target/profile/deps/test");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(what).args(["--message-format", "json", "--features"]);
    // With what this test was built with, so that nothing is built twice.
    cargo.arg(if cfg!(feature = "cli") {
        "cli"
    } else if cfg!(feature = "predict") {
        "cachegrind,predict"
    } else {
        "cachegrind"
    });
    cargo.arg("--manifest-path").arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    cargo.arg("--target-dir").arg(target).env_remove("CARGO_TARGET_DIR");
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    let built = cargo.stderr(Stdio::inherit()).output().expect("cargo runs");
    assert!(built.status.success(), "{name} does not build");
    String::from_utf8_lossy(&built.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .expect("cargo says where it is")
}

/// Whether Valgrind is here; said aloud where not.
pub(crate) fn counts() -> bool {
    tool("valgrind")
}

/// Whether a program is here; said aloud where not.
pub(crate) fn tool(name: &str) -> bool {
    // Some of them end with 1 after they have told their version.
    let found = Command::new(name).arg("--version").output().is_ok();
    if !found {
        let required = std::env::var_os("FENCEPOST_REQUIRE_TOOLS").is_some_and(|value| value == "1");
        assert!(!required, "{name} is missing, and FENCEPOST_REQUIRE_TOOLS=1");
        eprintln!("SKIPPED: there is no {name} here");
    }
    found
}

/// A target directory of one test's own.
pub(crate) struct Place(PathBuf);

impl Place {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("fencepost-counted-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Where the profiles of a benchmark are.
    pub(crate) fn profiles(&self, directory: &str) -> PathBuf {
        self.0.join("fencepost/cachegrind/cachegrind_fixture").join(directory)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(fixture());
        command.args(["--bench", "--mode", "cachegrind"]).args(arguments);
        command.env("CARGO_TARGET_DIR", &self.0).env_remove("COLUMNS");
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

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub(crate) fn shown(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

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
