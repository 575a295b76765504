//! How does a saved record get from a file or standard input into a program? With a sentence where it is none.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use fencepost::error::{Error, ErrorKind, Result};
use fencepost::record::Record;
use fencepost::record::text::{elide, inert};

/// Longer files are no records; reading stops there, whatever the file is.
const MOST_BYTES: u64 = (64 << 20) + 1;

/// The record in the file at `path`, or on standard input for `-`.
///
/// # Errors
///
/// `Io` where it cannot be read and `Input` where it is no record that this fencepost reads; both name the file.
pub(crate) fn record(path: &Path) -> Result<Record> {
    let name = shown(path);
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().take(MOST_BYTES).read_to_end(&mut bytes)
    } else {
        fs::File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes))
    };
    read.map_err(|error| {
        Error::new(ErrorKind::Io, format!("{name} cannot be read"))
            .because(error.to_string())
            .remedy("give a file that was saved with --json, or - for standard input")
            .caused_by(error)
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        Error::new(ErrorKind::Input, format!("{name} is no text"))
            .because("a record is JSON in UTF-8")
            .remedy("give a file that was saved with --json")
            .caused_by(error)
    })?;
    Record::from_json(&text)
        .map_err(|error| Error::new(ErrorKind::Input, format!("{name}: {error}")).caused_by(error))
}

/// A path as it may be shown.
pub(crate) fn shown(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".to_owned();
    }
    elide(&inert(&path.to_string_lossy()), 60)
}
