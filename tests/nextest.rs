//! Do `cargo nextest list` and `cargo nextest run` work on a project that has a library and a fencepost bench? On a generated one,
//! without a network.
#![cfg(feature = "suite")]

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use common::Scratch;

/// The generated project; it is removed at the end, and what was built of it is kept where Cargo wants a test's files.
struct Project(Scratch);

impl Project {
    fn new() -> Self {
        let root = Scratch::new("nextest");
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("inside of the project")).unwrap();
            fs::write(path, text).unwrap();
        };
        let fencepost = env!("CARGO_MANIFEST_DIR");
        write(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"generated\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\nbench = false\n\n\
                 [dev-dependencies]\nfencepost = {{ path = {fencepost:?} }}\n\n\
                 [[bench]]\nname = \"kernels\"\nharness = false\n\n[profile.dev]\ndebug = false\n\n[workspace]\n"
            ),
        );
        // The versions that are here already: nothing has to be fetched.
        fs::copy(Path::new(fencepost).join("Cargo.lock"), root.join("Cargo.lock")).unwrap();
        write(
            "src/lib.rs",
            "pub fn mix(x: u64) -> u64 {\n    (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd)\n}\n\n\
             #[cfg(test)]\nmod tests {\n    #[test]\n    fn mixes() {\n        assert_ne!(super::mix(1), 1);\n    }\n}\n",
        );
        write(
            "benches/kernels.rs",
            "fn main() -> std::process::ExitCode {\n    fencepost::suite(|s| {\n        \
             s.kernel(\"mix\", generated::mix).latency(42).throughput(|| (0..100).collect());\n        \
             s.group(\"odd names\", |s| {\n            \
             s.routine(\"a routine's\", || vec![3, 1, 2], |mut list| {\n                list.sort();\n                \
             list\n            });\n        });\n        \
             if std::env::var_os(\"GENERATED_FAILS\").is_some() {\n            \
             s.routine(\"fails\", || (), |()| panic!(\"by intent\"));\n        }\n    })\n}\n",
        );
        Self(root)
    }

    fn nextest(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("cargo");
        command
            .arg("nextest")
            .args(arguments)
            .args(["--offline", "--all-targets"])
            .current_dir(self.0.path());
        command.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("nextest"));
        command.env("CARGO_TERM_COLOR", "never").env_remove("RUSTFLAGS");
        // As a user calls it, and not as a test of nextest's own.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("NEXTEST"))
        {
            command.env_remove(name);
        }
        command
    }
}

/// Whether there is a cargo-nextest; without one it is said aloud, and is a failure where tools are required.
fn nextest_is_there() -> bool {
    let found = Command::new("cargo").args(["nextest", "--version"]).output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("SKIPPED: cargo-nextest is not installed (cargo install cargo-nextest --locked)");
        assert!(std::env::var_os("FENCEPOST_REQUIRE_TOOLS").is_none(), "cargo-nextest is required");
    }
    found
}

fn all(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn nextest_lists_and_runs_benchmarks_beside_tests() {
    if !nextest_is_there() {
        return;
    }
    let project = Project::new();
    let listed = project.nextest(&["list"]).output().expect("cargo runs");
    let text = all(&listed);
    assert!(listed.status.success(), "{text}");
    let names = ["mix/latency", "mix/throughput", "odd names/a routine's", "tests::mixes"];
    for name in names {
        assert!(String::from_utf8_lossy(&listed.stdout).contains(name), "{name}: {text}");
    }

    let ran = project.nextest(&["run"]).output().expect("cargo runs");
    let text = all(&ran);
    assert!(ran.status.success(), "{text}");
    assert!(text.contains("4 tests run: 4 passed"), "{text}");
    for name in names {
        assert!(text.lines().any(|line| line.contains("PASS") && line.ends_with(name)), "{name}: {text}");
    }

    let one = project.nextest(&["run", "mix/latency"]).output().expect("cargo runs");
    assert!(all(&one).contains("1 test run: 1 passed"), "{}", all(&one));

    let failed =
        project.nextest(&["run", "--no-fail-fast"]).env("GENERATED_FAILS", "1").output().expect("cargo runs");
    let text = all(&failed);
    assert!(!failed.status.success() && text.contains("5 tests run: 4 passed, 1 failed"), "{text}");
    assert!(text.contains("by intent"), "the panic's own message is shown: {text}");
}
