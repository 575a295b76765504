//! Programs that are no llvm-mca: they crash, hang, or print garbage, and are answered by an error and left dead.

use fencepost::predict::{Block, LlvmMca, Model};

use crate::common::{Fake, gone, number};

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
