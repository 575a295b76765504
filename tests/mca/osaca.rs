//! OSACA in llvm-mca's place: a fake that answers as it does or misbehaves, and the real one where it is installed.

use std::path::Path;

use serde_json::Value;

use crate::common::{Fake, text};
use crate::{region, run};

fn osaca(answer: &str) -> Fake {
    Fake::doing("echo 'osaca 0.7.1'", "echo 'Define architecture (SNB, SPR, ZEN3, ZEN4).'", answer)
}

const CHAIN: &[u8] = b"# LLVM-MCA-BEGIN chain\n	imulq	%rax, %rax\n	frobq	%rax\n# LLVM-MCA-END\n";

/// A report of two lines, the second of which it does not know.
const REPORT: &str = "cat >/dev/null; printf 'Kernel:\\n- Flags: []\\n  Latency: 3.0\\n  Throughput: 1.0\\n- Flags: [lt_unknown]\\n  Latency: 0.0\\n  \
     Throughput: 0.0\\nSummary:\\n  LCD: 3.0\\n  PortPressure: {P0: 1.0, P1:\\n      0.5}\\n'";

#[test]
fn its_report_is_read_and_what_it_does_not_know_is_said() {
    let fake = osaca(REPORT);
    let output = run(&["-", "--json", "--no-measure", "--osaca", fake.name(), "--mcpu", "znver3"], CHAIN);
    let all: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    let names = [&all["model"], &all["version"], &all["cpu"]].map(|one| one.as_str().unwrap());
    assert_eq!(names, ["osaca", "0.7.1", "ZEN3"]);
    let chain = region(&all, "chain");
    assert_eq!(
        (chain["predicted_cycles"].as_f64(), chain["bottleneck"].as_str()),
        (Some(3.0), Some("dependencies"))
    );
    assert_eq!(chain["unmodelled"][0], "frobq %rax");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_prediction_that_leaves_instructions_out_is_not_compared() {
    // A multiplication alone would be off by more than the limit.
    let input = b"# LLVM-MCA-BEGIN chain\n	imulq	%rax, %rax\n	imulq	%rax, %rax\n# LLVM-MCA-END\n";
    let fake = osaca(REPORT);
    let arguments = ["-", "--limit", "10", "--max-secs", "0.05", "--osaca", fake.name(), "--mcpu", "ZEN3"];
    let output = run(&arguments, input);
    let page = text(&output.stdout);
    assert!(page.contains("not compared: the model counts what it does not know"), "{page}");
    let line = page.lines().find(|line| line.starts_with("chain")).unwrap();
    assert_eq!(line.split_whitespace().nth(4), Some("-"), "{page}");
    assert_eq!(output.status.code(), Some(0), "{page}");
}

#[test]
fn it_is_told_the_syntax_and_refuses_a_mixture() {
    let echo = "case \"$*\" in *'--syntax INTEL'*) ;; *) exit 7;; esac; grep -q syntax && exit 8; "
        .to_owned()
        + &REPORT[16..];
    let fake = osaca(&echo);
    let arguments = ["-", "--json", "--no-measure", "--osaca", fake.name(), "--mcpu", "ZEN3"];
    let intel = "	.intel_syntax noprefix\n	imul	rax, rcx\n	frob	rax\n";
    let output = run(&arguments, intel.as_bytes());
    let all: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    assert_eq!(all["regions"][0]["predicted_cycles"], 3.0, "{all}");
    let output = run(&arguments, format!("{intel}	.att_syntax\n	nop\n").as_bytes());
    let said = text(&output.stdout);
    assert!(output.status.code() == Some(1) && said.contains("AT&T and in Intel syntax"), "{said}");
}

#[test]
fn one_that_misbehaves_or_does_not_know_the_cpu_is_an_error() {
    for (name, answer, word) in [
        ("crashes", "kill -SEGV $$", "signal"),
        (
            "raises",
            "echo 'Traceback' >&2; echo 'ValueError: no such thing' >&2; exit 1",
            "ValueError: no such thing",
        ),
        ("garbage", "head -c 10000 /dev/urandom", "does not answer"),
        ("floods", "cat /dev/zero", "wrote more than 64 MB"),
        ("silent", ":", "no summary"),
    ] {
        let fake = osaca(answer);
        let output = run(&["-", "--no-measure", "--osaca", fake.name(), "--mcpu", "ZEN4"], CHAIN);
        let said = format!("{}{}", text(&output.stdout), text(&output.stderr)).replace('\n', " ");
        assert_eq!(output.status.code(), Some(1), "{name}: {said}");
        assert!(said.contains(word), "{name}: {said}");
    }
    let fake = osaca(REPORT);
    let output = run(&["-", "--osaca", fake.name(), "--mcpu", "z80"], CHAIN);
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("ZEN3, SPR, SNB"), "{said}");
}

#[test]
fn the_real_one_is_asked_where_it_is_installed() {
    let found = std::env::var_os("PATH").and_then(|path| {
        std::env::split_paths(&path).map(|folder| folder.join("osaca")).find(|one| one.is_file())
    });
    let Some(program) = found else {
        // No package of a distribution has it, so that it is not required where tools are.
        eprintln!("SKIPPED: osaca is not installed");
        return;
    };
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/asm/dot_gcc_O2.s");
    let output = run(
        &[
            file.to_str().unwrap(),
            "--json",
            "--no-measure",
            "--osaca",
            program.to_str().unwrap(),
            "--mcpu",
            "SKX",
        ],
        b"",
    );
    let all: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    // A chain of additions of doubles: four cycles each on Skylake.
    let dot = region(&all, "dot:.L3");
    assert_eq!(dot["predicted_cycles"], 4.0, "{dot}");
    assert_eq!(dot["bottleneck"], "dependencies");
}
