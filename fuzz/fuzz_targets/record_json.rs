//! Does any text make the reader of records panic, and does what it accepts come back as it was written?

#![no_main]

use fencepost::record::Record;
use fencepost_fuzz::{Edits, mutant};
use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;

/// The bytes as text; after a leading zero, which begins no JSON, they are edits of a sample instead. Edits get
/// behind the parser, which turns down almost everything that flipping bytes makes of a record.
fn text_from(bytes: &[u8]) -> String {
    match bytes.split_first() {
        Some((0, edits)) => mutant(&mut Unstructured::new(edits), Edits::Any).to_string(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

fuzz_target!(|bytes: &[u8]| {
    let text = text_from(bytes);
    let record = match Record::from_json(&text) {
        Ok(record) => record,
        Err(error) => {
            let said = error.to_string();
            assert!(!said.is_empty() && said.len() < 4096, "an error says what failed, briefly: {said}");
            return;
        }
    };
    // Records with NaN are not equal to themselves, so what is compared is what was written.
    for written in [record.to_json(), record.to_json_pretty()] {
        let back = match Record::from_json(&written) {
            Ok(back) => back,
            Err(error) => panic!("own output is refused: {error}\n{written}"),
        };
        assert_eq!(back.to_json(), record.to_json(), "a record changed on its way through JSON");
    }
});
