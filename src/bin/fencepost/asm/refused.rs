//! How is a block told of that was refused? In a sentence, and as an object with class, instruction and offset.

use fencepost::asm::{Refusal, listing_with_offsets};
use fencepost::error::{Error, ErrorKind, ExitStatus, Result};
use fencepost::output;
use fencepost::record::Record;
use serde_json::{Value, json};

use super::lab::Bench;

/// The instruction that a refusal is about, if it is known.
fn instruction(refusal: &Refusal, bytes: &[u8]) -> Option<String> {
    let at = refusal.offset?;
    listing_with_offsets(bytes).into_iter().find(|(offset, _)| *offset == at).map(|(_, text)| text)
}

/// The object for JSON.
pub(crate) fn object(refusal: &Refusal, bytes: &[u8]) -> Value {
    json!({
        "class": refusal.class.as_str(),
        "instruction": instruction(refusal, bytes),
        "offset": refusal.offset,
        "detail": refusal.detail,
    })
}

/// The same in words.
pub(crate) fn sentence(refusal: &Refusal, bytes: &[u8]) -> String {
    let class = refusal.class.as_str().replace('_', " ");
    let place = match (instruction(refusal, bytes), refusal.offset) {
        (Some(text), Some(offset)) => format!(" by \"{text}\" at offset {offset}"),
        (None, Some(offset)) => format!(" at offset {offset}"),
        _ => String::new(),
    };
    format!("{class}{place}: {}", refusal.detail)
}

/// Tells of it, and ends with the status for bad input.
pub(crate) fn conclude(
    bench: Option<&Bench>,
    bytes: &[u8],
    refusal: &Refusal,
    json: bool,
) -> Result<ExitStatus> {
    if json {
        let record = match bench {
            Some(bench) => bench.record(Vec::new(), false),
            None => Record::default(),
        };
        let mut value = serde_json::to_value(&record).unwrap_or_default();
        if let Value::Object(fields) = &mut value {
            fields.insert("error".to_owned(), object(refusal, bytes));
        }
        output::emit(&format!("{}\n", serde_json::to_string_pretty(&value).unwrap_or_default()))?;
    }
    Err(Error::new(ErrorKind::Input, format!("the block was refused, {}", sentence(refusal, bytes))))
}
