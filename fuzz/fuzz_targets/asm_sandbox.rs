//! Does any machine code get out of the sandbox, or keep it waiting? Straight to the child, past all checks that stand before it.

#![no_main]

use fencepost::asm::{Engine, Fill, Program, Sandbox};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let program = Program {
        body: bytes.to_vec(),
        instructions: 1 + bytes.len() / 4,
        operations: 1,
        fill: Fill { word: 0x1234_5600, double: 1.5 },
        ..Program::default()
    };
    let prepared =
        Sandbox::new().and_then(|sandbox| sandbox.prepare(&program, 0)).expect("a child can be had");
    match prepared {
        Err(refusal) => {
            assert!(refusal.offset.is_none_or(|offset| offset < bytes.len()), "{refusal:?}");
            assert!(!refusal.detail.is_empty());
        }
        Ok(mut prepared) => {
            let timed = prepared.run(prepared.granule());
            assert!(timed.ticks().get() > 0.0);
            drop(prepared);
        }
    }
    let own = format!("/proc/self/task/{}/children", std::process::id());
    assert_eq!(std::fs::read_to_string(own).unwrap_or_default(), "", "no child is left");
});
