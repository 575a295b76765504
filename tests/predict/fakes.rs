//! Programs that are no llvm-mca: they crash, hang, or print garbage, and are answered by an error and left dead.

use fencepost::predict::{Block, LlvmMca, Model};

use crate::common::{Fake, gone, has, number};

fn ask(fake: &Fake) -> fencepost::Result<f64> {
    let model = LlvmMca::find(Some(fake.path()), Some("znver3"), None)?;
    let block = Block { name: "block".into(), lines: vec!["imulq %rcx, %rax".into()] };
    model.predict(&block).map(|forecast| forecast.cycles)
}

#[test]
fn one_that_crashes_or_talks_nonsense_is_an_error() {
    for (answer, word) in [
        ("kill -SEGV $$", "signal"),
        ("exit 3", "exit status"),
        ("head -c 100000 /dev/zero", "JSON"),
        ("echo '{\"CodeRegions\": [{}]}'", "JSON"),
        ("echo '<stdin>:1:1: error: invalid' >&2; echo '{}'", "invalid"),
        (":", "JSON"),
    ] {
        let error = ask(&Fake::llvm_mca(answer)).expect_err(answer).to_string();
        assert!(error.contains(word), "{answer}: {error}");
    }
    let error = ask(&Fake::doing("echo hello", ":", ":")).unwrap_err().to_string();
    assert!(error.contains("states no LLVM version"), "{error}");
    let nothing = LlvmMca::find(Some("/nowhere/llvm-mca".as_ref()), None, None).unwrap_err().to_string();
    assert!(nothing.contains("could not be run"), "{nothing}");
}

#[test]
fn one_that_hangs_is_ended_with_what_it_started() {
    // That this ends at all shows that it is not waited for: it would sleep for ever.
    let sleeper = format!("sleep {}", number());
    let fake = Fake::llvm_mca(&format!("{sleeper} & {sleeper}"));
    let error = ask(&fake).unwrap_err().to_string();
    assert!(error.contains("did not end within"), "{error}");
    gone(&sleeper);
}

#[test]
fn a_cpu_that_is_not_known_is_refused() {
    let fake = Fake::llvm_mca(":");
    let error = LlvmMca::find(Some(fake.path()), Some("z80"), None).unwrap_err().to_string();
    assert!(error.contains("\"z80\""), "{error}");
}

#[test]
fn what_is_refused_is_found_by_single_turns_and_spoils_no_other_answer() {
    if !has("llvm-mca") {
        return;
    }
    let fake = Fake::doing(
        "llvm-mca --version",
        "llvm-mca -mcpu=help",
        "echo \"$*\" >> \"$0.asked\"; exec llvm-mca \"$@\"",
    );
    let model = LlvmMca::find(Some(fake.path()), Some("znver3"), None).expect("the real one");
    let blocks: Vec<Block> = (0..30)
        .map(|at| {
            // Zen 3 has no AVX-512.
            let line = if at % 3 == 2 {
                format!("vaddpd %zmm{at}, %zmm1, %zmm2")
            } else {
                "imulq %rax, %rax".into()
            };
            Block { name: format!("block {at}"), lines: vec![line; 1 + at % 3] }
        })
        .collect();
    for (at, answer) in model.predict_all(&blocks).iter().enumerate() {
        match answer {
            Ok(forecast) => {
                assert!((forecast.cycles - 3.0 * (1 + at % 3) as f64).abs() < 0.01 && at % 3 != 2)
            }
            Err(error) => {
                assert!(at % 3 == 2 && error.to_string().contains(&format!("\"block {at}\"")), "{error}")
            }
        }
    }
    let asked = std::fs::read_to_string(format!("{}.asked", fake.name())).expect("what it was asked");
    let long =
        asked.lines().filter(|line| !line.contains("-iterations=1 ") && !line.ends_with("-iterations=1"));
    assert_eq!(long.count(), 2, "two lengths, and neither of them twice:\n{asked}");
}
