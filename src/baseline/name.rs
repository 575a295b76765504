//! What may a baseline be called? A name that is one directory, and reads the same wherever it is printed.

use crate::error::{Error, ErrorKind, Result};
use crate::record::{brief, inert};

/// Longer names leave no room in a path, and none in a table.
const MAX_BYTES: usize = 100;

/// The name, if it may be one.
pub(super) fn checked(name: &str) -> Result<&str> {
    let why = if name.is_empty() {
        "it is empty"
    } else if name.len() > MAX_BYTES {
        "it is longer than 100 bytes"
    } else if name.contains(['/', '\\']) {
        "it holds a path separator, and a baseline is one directory"
    } else if inert(name) != name {
        "it holds control characters or invisible ones"
    } else if name.starts_with('.') {
        "it begins with a dot, and such names are fencepost's own"
    } else if name.trim() != name {
        "it begins or ends with white space"
    } else {
        return Ok(name);
    };
    Err(Error::new(ErrorKind::Usage, format!("\"{}\" cannot be the name of a baseline", brief(name)))
        .because(why)
        .remedy("give a name of letters, digits, '-' and '_', for example main"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_directory_that_prints_as_itself() {
        for good in ["main", "v1.2", "größe", "a b", "-", &"n".repeat(100)] {
            assert_eq!(checked(good).unwrap(), good);
        }
        let long = "n".repeat(101);
        for bad in [
            "",
            ".",
            "..",
            "...",
            ".lock",
            "a/b",
            "/a",
            "a\\b",
            "a\u{0}b",
            "a\nb",
            "\u{202e}a",
            " a",
            "a ",
            &long,
        ] {
            let error = checked(bad).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage);
            assert!(!error.to_string().contains(['\n', '\u{0}', '\u{202e}']), "{error}");
        }
    }
}
