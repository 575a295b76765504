//! Programs that are no llvm-mca: they crash, hang, or print garbage, and are answered by an error and left dead.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use fencepost::predict::{Block, LlvmMca, Model};

/// A script that answers as llvm-mca does up to the question itself; it goes when this does.
struct Fake(PathBuf);

impl Fake {
    fn new(name: &str, version: &str, answer: &str) -> Self {
        let path = std::env::temp_dir().join(format!("fencepost-fake-{}-{name}", std::process::id()));
        let script = format!(
            "#!/bin/sh\ncase \"$*\" in\n--version) {version};;\n*help*) echo '  znver3 - Select the znver3 processor.' >&2;;\n*) \
             {answer};;\nesac\n"
        );
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        Self(path)
    }

    fn ask(&self) -> fencepost::Result<f64> {
        let model = LlvmMca::find(Some(&self.0), Some("znver3"), None)?;
        let block = Block { name: "block".into(), lines: vec!["imulq %rcx, %rax".into()] };
        model.predict(&block).map(|forecast| forecast.cycles)
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

const VERSION: &str = "echo 'LLVM version 14.0.6'";

#[test]
fn one_that_crashes_or_talks_nonsense_is_an_error() {
    for (name, answer, word) in [
        ("crash", "kill -SEGV $$", "signal"),
        ("status", "exit 3", "exit status"),
        ("garbage", "head -c 100000 /dev/zero", "JSON"),
        ("other", "echo '{\"CodeRegions\": [{}]}'", "JSON"),
        ("complains", "echo '<stdin>:1:1: error: invalid' >&2; echo '{}'", "invalid"),
        ("silent", ":", "JSON"),
    ] {
        let error = Fake::new(name, VERSION, answer).ask().expect_err(name).to_string();
        assert!(error.contains(word), "{name}: {error}");
    }
    let error = Fake::new("unknown", "echo hello", ":").ask().unwrap_err().to_string();
    assert!(error.contains("states no LLVM version"), "{error}");
    let nothing = LlvmMca::find(Some("/nowhere/llvm-mca".as_ref()), None, None).unwrap_err().to_string();
    assert!(nothing.contains("could not be run"), "{nothing}");
}

#[test]
fn one_that_hangs_is_ended_with_what_it_started() {
    // A number of its own, for others may run the same test.
    let secs = 40_000 + std::process::id();
    let fake = Fake::new("hang", VERSION, &format!("sleep {secs} & sleep {secs}"));
    let started = Instant::now();
    let error = fake.ask().unwrap_err().to_string();
    assert!(error.contains("did not end within"), "{error}");
    assert!(started.elapsed() < Duration::from_secs(60));
    let left =
        fs::read_dir("/proc").unwrap().filter_map(|entry| fs::read(entry.ok()?.path().join("cmdline")).ok());
    let child = format!("sleep\0{secs}");
    assert!(!left.into_iter().any(|line| line.starts_with(child.as_bytes())), "its child is still there");
}

#[test]
fn a_cpu_that_is_not_known_is_refused() {
    let fake = Fake::new("cpu", VERSION, ":");
    let error = LlvmMca::find(Some(&fake.0), Some("z80"), None).unwrap_err().to_string();
    assert!(error.contains("\"z80\""), "{error}");
}
