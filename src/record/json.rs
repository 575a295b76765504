//! How does a record become JSON text and come back? Versions, damage and size are checked here.

use std::io;

use serde::Serialize as _;
use serde_json::Value;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use super::model::Record;
use super::read::{Path, Read, shown};
use super::words::Schema;
use crate::error::{Error, ErrorKind, Result};

/// The schema that this fencepost writes and reads.
pub const SCHEMA: &str = Schema::V1.as_str();

/// Larger text is not a record: one of ten thousand results has about 12 MB.
const MAX_BYTES: usize = 64 << 20;

const MEASURE_AGAIN: &str = "give a file that fencepost wrote, or measure again";

impl Record {
    /// The record as JSON on one line. Numbers that are not finite become null, so it is always valid JSON.
    pub fn to_json(&self) -> String {
        written(self, Layout::Line)
    }

    /// The record as indented JSON, for files that people read.
    pub fn to_json_pretty(&self) -> String {
        written(self, Layout::Pretty(PrettyFormatter::new()))
    }

    /// Reads a record. Fields that this version does not know are ignored.
    ///
    /// # Errors
    /// [`ErrorKind::Input`] for text that is no JSON or ends early (with line and column), for a record of
    /// another schema version (named), for a field of the wrong type or a missing one (with its path), and
    /// for text of more than 64 MiB.
    ///
    /// ```
    /// let error = fencepost::record::Record::from_json(r#"{"schema":"fencepost/2"}"#).unwrap_err();
    /// assert!(error.to_string().contains("fencepost/2"));
    /// ```
    pub fn from_json(text: &str) -> Result<Self> {
        if text.len() > MAX_BYTES {
            let what = format!("a record of {} bytes is longer than {MAX_BYTES}", text.len());
            return Err(Error::new(ErrorKind::Input, what)
                .because("no run writes so much, and reading it would take all memory")
                .remedy(MEASURE_AGAIN));
        }
        let value: Value = serde_json::from_str(text).map_err(|error| not_json(text, error))?;
        check_schema(&value)?;
        Self::read(&value, &Path::Root).map_err(|error| {
            error
                .because(format!("the record does not follow its schema, {SCHEMA} (docs/schema.md)"))
                .remedy(MEASURE_AGAIN)
        })
    }
}

/// How JSON is laid out. One type for both ways, so that all that is written is compiled once.
enum Layout {
    Line,
    Pretty(PrettyFormatter<'static>),
}

macro_rules! laid_out {
    ($($name:ident($($argument:ident: $type:ty)?)),*) => {
        $(fn $name<W: io::Write + ?Sized>(&mut self, writer: &mut W $(, $argument: $type)?) -> io::Result<()> {
            match self {
                Self::Line => CompactFormatter.$name(writer $(, $argument)?),
                Self::Pretty(pretty) => pretty.$name(writer $(, $argument)?),
            }
        })*
    };
}

impl Formatter for Layout {
    laid_out!(
        begin_array(), end_array(), begin_array_value(first: bool), end_array_value(),
        begin_object(), end_object(), begin_object_key(first: bool), begin_object_value(), end_object_value()
    );
}

fn written(record: &Record, layout: Layout) -> String {
    let mut text = Vec::new();
    // Writing to memory fails only on map keys that are no strings, and all of ours are strings.
    let done = record.serialize(&mut Serializer::with_formatter(&mut text, layout));
    done.ok().and_then(|()| String::from_utf8(text).ok()).unwrap_or_default()
}

fn not_json(text: &str, error: serde_json::Error) -> Error {
    let (line, column, reason) = (error.line(), error.column(), error.to_string());
    let failed = if text.trim().is_empty() {
        Error::new(ErrorKind::Input, "the record is empty").because("nothing was written, or not yet")
    } else if error.is_eof() {
        Error::new(ErrorKind::Input, format!("the record ends early, at line {line}, column {column}"))
            .because("it was cut off while it was written or copied")
    } else {
        Error::new(ErrorKind::Input, format!("the record is no JSON at line {line}, column {column}"))
            .because(shown(reason.split(" at line ").next().unwrap_or_default()))
    };
    failed.remedy(MEASURE_AGAIN).caused_by(error)
}

fn check_schema(value: &Value) -> Result<()> {
    let Some(found) = value.as_object().map(|object| object.get("schema")) else {
        return Ok(()); // Not an object: the reader says so.
    };
    let (what, remedy) = match found {
        Some(Value::String(schema)) if schema == SCHEMA => return Ok(()),
        Some(Value::String(schema)) if schema.starts_with("fencepost/") => (
            format!("the record has schema \"{}\"", shown(schema)),
            "read it with the fencepost that wrote it, or measure again with this one",
        ),
        Some(Value::String(schema)) => {
            (format!("the record has schema \"{}\"", shown(schema)), MEASURE_AGAIN)
        }
        Some(_) => ("the record has a schema that is no string".to_owned(), MEASURE_AGAIN),
        None => ("the record has no field \"schema\"".to_owned(), MEASURE_AGAIN),
    };
    let version = env!("CARGO_PKG_VERSION");
    Err(Error::new(ErrorKind::Input, what)
        .because(format!("fencepost {version} reads \"{SCHEMA}\" alone"))
        .remedy(remedy))
}
