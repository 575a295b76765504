//! Does docs/schema.md describe what is written, and nothing else?

use std::collections::BTreeSet;
use std::fs;

use fencepost::record::{Barrier, CacheKind, Difference, Kind, Severity, Verdict};
use serde_json::Value;

use super::sample;

/// Every path to a field, maps with keys of the user's choice as `*`, elements of arrays as `[]`.
fn paths(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    const MAPS: [&str; 5] = [
        "settings",
        "machine.fingerprint",
        "results[].counters",
        "results[].counts.in_all",
        "results[].events.per_op",
    ];
    match value {
        Value::Object(fields) => {
            for (key, field) in fields {
                let key = if MAPS.contains(&at) { "*" } else { key };
                let path = if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") };
                paths(field, &path, found);
                found.insert(path);
            }
        }
        Value::Array(elements) => {
            elements.iter().for_each(|element| paths(element, &format!("{at}[]"), found))
        }
        _ => {}
    }
}

#[test]
fn the_schema_document_and_the_record_have_the_same_fields() {
    let mut written = BTreeSet::new();
    paths(&serde_json::to_value(sample()).expect("a value"), "", &mut written);
    let document =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/schema.md")).expect("the document");
    let mut documented = BTreeSet::new();
    for row in document.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [path, _type, _unit, meaning, since] = cells[..] else { panic!("five columns in {row}") };
        assert!(!meaning.is_empty() && since.ends_with('1'), "{row}");
        assert!(documented.insert(path.trim_matches('`').to_owned()), "twice: {path}");
    }
    let missing: Vec<_> = written.difference(&documented).collect();
    let surplus: Vec<_> = documented.difference(&written).collect();
    assert!(
        missing.is_empty() && surplus.is_empty(),
        "not documented: {missing:?}; not written: {surplus:?}"
    );
    for words in [
        Kind::ALL.iter().map(|word| word.as_str()).collect::<Vec<_>>(),
        Verdict::ALL.iter().map(|word| word.as_str()).collect(),
        Barrier::ALL.iter().map(|word| word.as_str()).collect(),
        Severity::ALL.iter().map(|word| word.as_str()).collect(),
        CacheKind::ALL.iter().map(|word| word.as_str()).collect(),
        Difference::ALL.iter().map(|word| word.as_str()).collect(),
    ] {
        for word in words {
            assert!(document.contains(&format!("`{word}`")), "the word {word} is documented");
        }
    }
}
