//! Does any record break the page: panic, a line that is too wide, a character that steers the terminal?

#![no_main]

use fencepost::record::{Record, text};
use fencepost_fuzz::{Edits, mutant};
use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use unicode_width::UnicodeWidthChar;

/// Columns as a terminal counts them: never more than two a character, although two Khmer signs that stand
/// for a sequence are given the width of the sequence by the table.
fn columns(line: &str) -> usize {
    line.chars().map(|c| if matches!(c, '\u{17a4}' | '\u{17d8}') { 1 } else { c.width().unwrap_or(0) }).sum()
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = Unstructured::new(bytes);
    let width = match input.arbitrary::<u16>() {
        Ok(0) => usize::MAX,
        Ok(width) => usize::from(width) % 300,
        Err(_) => 0,
    };
    let Ok(record) = Record::from_json(&mutant(&mut input, Edits::KeepTypes).to_string()) else { return };
    let page = text::render(&record, width);
    assert!(page.ends_with('\n'), "a page ends its last line");
    for line in page.lines() {
        let (taken, room) = (columns(line), width.max(text::MIN_WIDTH));
        assert!(taken <= room, "{taken} columns where {room} are allowed:\n{line}\n{page}");
        assert!(!line.chars().any(char::is_control), "a control character reaches the terminal: {line:?}");
    }
});
