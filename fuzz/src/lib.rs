//! What does a record look like after a few edits? Mutants of a sample, for the targets that want records
//! and not only bytes.

use std::sync::LazyLock;

use fencepost::record::{Kind, Record, Severity, Verdict};
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use serde_json::Value;

/// How far an edit may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edits {
    /// Values change and mostly keep their type: most mutants are records.
    KeepTypes,
    /// Fields also go missing or get another type: the reader has to refuse many of them.
    Any,
}

/// A record with every field filled in.
static SAMPLE: LazyLock<Value> = LazyLock::new(|| {
    let text = include_str!("../seeds/record_json/full.json");
    if let Err(error) = Record::from_json(text) {
        panic!("seeds/record_json/full.json lags behind the schema: {error}");
    }
    serde_json::from_str(text).expect("what is read as a record is JSON")
});

/// Where the sample's leaves are, as JSON pointers; the schema's name is left alone.
static LEAVES: LazyLock<Vec<String>> = LazyLock::new(|| {
    fn walk(value: &Value, path: String, leaves: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                fields.iter().for_each(|(name, field)| walk(field, format!("{path}/{name}"), leaves));
            }
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(at, item)| walk(item, format!("{path}/{at}"), leaves));
            }
            _ if path != "/schema" => leaves.push(path),
            _ => {}
        }
    }
    let mut leaves = Vec::new();
    walk(&SAMPLE, String::new(), &mut leaves);
    leaves
});

/// The sample with as many edits as the input has bytes for.
pub fn mutant(input: &mut Unstructured<'_>, edits: Edits) -> Value {
    let mut value = SAMPLE.clone();
    // Running out of bytes in the middle of an edit leaves that one out.
    let _ = mutate(&mut value, input, edits);
    value
}

fn mutate(value: &mut Value, input: &mut Unstructured<'_>, edits: Edits) -> Result<()> {
    while !input.is_empty() {
        let path = input.choose(&LEAVES)?;
        if edits == Edits::Any && input.ratio(1, 4)? {
            damage(value, path, input)?;
            continue;
        }
        // Gone, where an earlier edit damaged what held it.
        let Some(leaf) = value.pointer_mut(path) else { continue };
        let name = path.rsplit('/').next().unwrap_or_default();
        if matches!(name, "kind" | "verdict" | "severity" | "barrier") {
            mutate_word(name, leaf, input)?;
        } else if input.int_in_range(0..=31)? == 31 {
            *leaf = Value::Null;
        } else {
            mutate_leaf(leaf, input)?;
        }
    }
    Ok(())
}

/// Takes the leaf away, or gives it or what holds it another type.
fn damage(value: &mut Value, path: &str, input: &mut Unstructured<'_>) -> Result<()> {
    let Some((parent, name)) = path.rsplit_once('/') else { return Ok(()) };
    let other = match input.int_in_range(0..=6)? {
        0 => Value::from(-1),
        1 => Value::from(u64::MAX),
        2 => Value::from(1e300),
        3 => Value::from(odd_text(input)?),
        4 => Value::Array(vec![Value::Null]),
        5 => serde_json::json!({ "": false }),
        _ => Value::Bool(true),
    };
    match (input.int_in_range(0..=3)?, value.pointer_mut(parent)) {
        (0, Some(Value::Object(fields))) => drop(fields.remove(name)),
        (1, Some(Value::Object(fields))) => drop(fields.insert(odd_text(input)?, other)),
        (2, Some(holder)) if !parent.is_empty() => *holder = other,
        _ => {
            if let Some(leaf) = value.pointer_mut(path) {
                *leaf = other;
            }
        }
    }
    Ok(())
}

/// Words come from fixed lists, and any other word is refused: choose among those of the list.
fn mutate_word(name: &str, leaf: &mut Value, input: &mut Unstructured<'_>) -> Result<()> {
    let words: Vec<&str> = match name {
        "verdict" => Verdict::ALL.iter().map(|word| word.as_str()).collect(),
        "severity" => Severity::ALL.iter().map(|word| word.as_str()).collect(),
        // Caches have kinds as well, from another list.
        "kind" if Kind::ALL.iter().any(|kind| *leaf == kind.as_str()) => {
            Kind::ALL.iter().map(|word| word.as_str()).collect()
        }
        _ => return Ok(()),
    };
    *leaf = Value::from(*input.choose(&words)?);
    Ok(())
}

fn mutate_leaf(leaf: &mut Value, input: &mut Unstructured<'_>) -> Result<()> {
    match leaf {
        Value::String(text) => match input.int_in_range(0..=2)? {
            0 => *text = odd_text(input)?,
            1 => text.push_str(&odd_text(input)?),
            _ => *text = odd_text(input)?.repeat(input.int_in_range(0..=40)?),
        },
        Value::Number(number) if number.is_f64() => {
            *leaf = match input.int_in_range(0..=2)? {
                0 => Value::from(f64::from_bits(input.arbitrary()?)),
                1 => Value::from(f64::from(input.arbitrary::<i16>()?) / 256.0),
                _ => Value::from(10_f64.powi(input.int_in_range(-40..=40)?)),
            };
        }
        Value::Number(_) => *leaf = Value::from(input.arbitrary::<u32>()?),
        Value::Bool(flag) => *flag = !*flag,
        _ => {}
    }
    Ok(())
}

/// Characters of the planes that scripts live in, those that break pages more often than chance would have it.
fn odd_text(input: &mut Unstructured<'_>) -> Result<String> {
    const ODD: [char; 16] = [
        '\n', '\r', '\t', '\0', '\u{1b}', '\u{9b}', '\u{202e}', '\u{2028}', '\u{feff}', '\u{301}', '漢',
        '😀', '/', ' ', 'a', '\\',
    ];
    let mut text = String::new();
    for _ in 0..input.int_in_range(0..=24)? {
        text.push(if input.arbitrary()? {
            *input.choose(&ODD)?
        } else {
            char::from_u32(input.int_in_range(0..=0x1_ffff)?).unwrap_or(char::REPLACEMENT_CHARACTER)
        });
    }
    Ok(text)
}
