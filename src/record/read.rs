//! How is a typed field read from a JSON value, with errors that name the path to it?

use std::fmt;

use serde_json::{Map, Value};

use super::inert::{elide, inert};
use crate::error::{Error, ErrorKind, Result};

/// The way from the record's root to a value, kept as a chain on the stack so that reading what is right
/// costs no allocation.
pub(crate) enum Path<'a> {
    /// The record itself.
    Root,
    /// A field or key of an object.
    Key(&'a Path<'a>, &'a str),
    /// An element of an array.
    Index(&'a Path<'a>, usize),
}

/// As one would write it in a query: `results[3].cycles.lo`.
impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Index(parent, index) => write!(f, "{parent}[{index}]"),
            Self::Key(parent, key) => {
                let plain = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                match (plain, parent) {
                    (true, Path::Root) => f.write_str(key),
                    (true, _) => write!(f, "{parent}.{key}"),
                    (false, _) => write!(f, "{parent}[\"{}\"]", shown(key)),
                }
            }
        }
    }
}

/// A type that can be read from a JSON value.
pub(crate) trait Read: Sized {
    /// What the value has to be, for messages: "a number".
    const EXPECTED: &'static str;

    /// Reads the value that lies at `at`.
    fn read(value: &Value, at: &Path<'_>) -> Result<Self>;

    /// What a missing field reads as, for types that can say "absent".
    fn absent() -> Option<Self> {
        None
    }
}

/// Text from the input, made safe to print and short.
pub(crate) fn shown(text: &str) -> String {
    // The prefix bounds the work on a hostile megabyte of text.
    elide(&inert(&text.chars().take(200).collect::<String>()), 60)
}

fn found(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn mismatch(at: &Path<'_>, expected: &str, value: &Value) -> Error {
    let place = if matches!(at, Path::Root) { "the record".to_owned() } else { at.to_string() };
    Error::new(ErrorKind::Input, format!("{place}: expected {expected}, found {}", found(value)))
}

/// The error of a string that is none of the words that may stand at `at`.
pub(crate) fn unknown_word(at: &Path<'_>, word: &str, valid: &[&str]) -> Error {
    Error::new(
        ErrorKind::Input,
        format!("{at}: expected one of {}, found \"{}\"", valid.join(", "), shown(word)),
    )
}

/// The fields of an object, or an error.
pub(crate) fn object<'v>(value: &'v Value, at: &Path<'_>) -> Result<&'v Map<String, Value>> {
    value.as_object().ok_or_else(|| mismatch(at, "an object", value))
}

/// A string, or an error.
pub(crate) fn string<'v>(value: &'v Value, at: &Path<'_>) -> Result<&'v str> {
    value.as_str().ok_or_else(|| mismatch(at, "a string", value))
}

/// The field `name` of an object; where it is missing the default, else what the type calls absent.
pub(crate) fn field<T: Read>(
    object: &Map<String, Value>,
    at: &Path<'_>,
    name: &str,
    default: Option<fn() -> T>,
) -> Result<T> {
    let at = Path::Key(at, name);
    match object.get(name) {
        Some(value) => T::read(value, &at),
        None => default.map(|make| make()).or_else(T::absent).ok_or_else(|| {
            Error::new(ErrorKind::Input, format!("{at}: expected {}, found no such field", T::EXPECTED))
        }),
    }
}

/// JSON has no NaN and no infinity: they are written as null, and null comes back as NaN.
impl Read for f64 {
    const EXPECTED: &'static str = "a number";

    fn read(value: &Value, at: &Path<'_>) -> Result<Self> {
        match value {
            Value::Null => Ok(f64::NAN),
            _ => value.as_f64().ok_or_else(|| mismatch(at, Self::EXPECTED, value)),
        }
    }
}

impl Read for u64 {
    const EXPECTED: &'static str = "a whole number, 0 or above";

    fn read(value: &Value, at: &Path<'_>) -> Result<Self> {
        value.as_u64().ok_or_else(|| match value {
            Value::Number(number) => {
                Error::new(ErrorKind::Input, format!("{at}: expected {}, found {number}", Self::EXPECTED))
            }
            _ => mismatch(at, Self::EXPECTED, value),
        })
    }
}

impl Read for bool {
    const EXPECTED: &'static str = "a boolean";

    fn read(value: &Value, at: &Path<'_>) -> Result<Self> {
        value.as_bool().ok_or_else(|| mismatch(at, Self::EXPECTED, value))
    }
}

impl Read for String {
    const EXPECTED: &'static str = "a string";

    fn read(value: &Value, at: &Path<'_>) -> Result<Self> {
        string(value, at).map(str::to_owned)
    }
}

/// Missing and null are both `None`; so is a number that was not finite when it was written.
impl<T: Read> Read for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;

    fn read(value: &Value, at: &Path<'_>) -> Result<Self> {
        match value {
            Value::Null => Ok(None),
            _ => T::read(value, at).map(Some),
        }
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Read> Read for Vec<T> {
    const EXPECTED: &'static str = "an array";

    fn read(value: &Value, at: &Path<'_>) -> Result<Self> {
        let elements = value.as_array().ok_or_else(|| mismatch(at, Self::EXPECTED, value))?;
        elements
            .iter()
            .enumerate()
            .map(|(index, element)| T::read(element, &Path::Index(at, index)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_like_a_query_and_shows_odd_keys_inert() {
        let results = Path::Key(&Path::Root, "results");
        let third = Path::Index(&results, 3);
        let cycles = Path::Key(&third, "cycles");
        assert_eq!(Path::Key(&cycles, "lo").to_string(), "results[3].cycles.lo");
        assert_eq!(
            Path::Key(&results, "a b\u{1b}[2J").to_string(),
            "results[\"a b\\u{1b}[2J\"]",
            "keys that are no identifiers are quoted and escaped"
        );
    }

    #[test]
    fn whole_numbers_are_not_rounded_into_being() {
        let at = Path::Key(&Path::Root, "cpus");
        assert_eq!(u64::read(&Value::from(u64::MAX), &at).ok(), Some(u64::MAX));
        for bad in [Value::from(-1), Value::from(1.5)] {
            let message = u64::read(&bad, &at).expect_err("not a u64").to_string();
            assert_eq!(message, format!("cpus: expected a whole number, 0 or above, found {bad}"));
        }
    }
}
