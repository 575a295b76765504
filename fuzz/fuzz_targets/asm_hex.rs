//! Does any text or machine code break what stands before the sandbox: hex, decoding, checks, chains, templates?

#![no_main]

use fencepost::asm::{Block, Fill, Template, features, hex, listing};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // As machine code.
    match Block::decode(bytes) {
        Ok(block) => {
            let list = block.list();
            assert_eq!(list.len(), block.len());
            assert_eq!(list.iter().map(|one| one.length).sum::<usize>(), bytes.len(), "all of it is listed");
            assert_eq!(list.len(), listing(bytes).len());
            if let Err(refusal) = block.check(&features()) {
                let offset = refusal.offset.expect("a static refusal says where");
                assert!(block.text_at(offset).is_some(), "an instruction begins at {offset}");
            }
            // What costs more than its input is long is no fuzzing.
            if block.len() <= 256 {
                let _ = block.link();
            }
            let program = block.program(Fill::default());
            assert_eq!(program.body, bytes);
            assert!(program.spare.is_none_or(|spare| spare < 16 && spare != 4));
        }
        Err(refusal) => {
            assert!(refusal.offset.is_none_or(|offset| offset < bytes.len()));
            assert!(!refusal.detail.is_empty());
        }
    }
    // As text.
    let text = String::from_utf8_lossy(bytes);
    if let Ok(code) = hex(&text) {
        let digits: String = code.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex(&digits).ok(), Some(code), "digits read back");
    }
    if let Some(template) = Template::parse(&text) {
        let shown = template.to_string();
        assert_eq!(Template::parse(&shown), Some(template), "{shown}");
    }
});
