//! What is the value of an option? Text, a number, a path or one of a few words, or else why not.

use std::ffi::OsString;
use std::path::PathBuf;

use super::super::nearest::nearest;
use super::super::options::Spec;
use super::{SEE_HELP, wrong};
use crate::error::{Error, Result};
use crate::record::inert;

pub(super) fn value_of(parser: &mut lexopt::Parser, spec: &Spec, name: &str) -> Result<OsString> {
    let missing = || {
        wrong(format!("--{} has no value", spec.long))
            .because(if name.is_empty() {
                "it takes one".to_owned()
            } else {
                format!("it takes one, {name}")
            })
            .remedy(SEE_HELP)
    };
    if let Some(attached) = parser.optional_value() {
        return Ok(attached);
    }
    let value = parser.value().map_err(|_| missing())?;
    // The next option is no value; one that begins so can be attached with `=`.
    if value.to_string_lossy().starts_with("--") { Err(missing()) } else { Ok(value) }
}

pub(super) fn no_word(spec: &Spec, word: &str, words: &[&str]) -> Error {
    let valid = words.join(", ");
    wrong(format!("--{} is {:?}", spec.long, inert(word))).because(format!("it is one of {valid}")).remedy(
        match nearest(word, words.iter().copied()) {
            Some(meant) => format!("did you mean {meant}?"),
            None => format!("give one of them, or {SEE_HELP}"),
        },
    )
}

pub(super) fn one_of<T: Copy>(spec: &Spec, value: OsString, words: &[(&str, T)]) -> Result<T> {
    let word = text(spec.long, value)?;
    let found = words.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
    found.ok_or_else(|| no_word(spec, &word, &words.iter().map(|(name, _)| *name).collect::<Vec<_>>()))
}

pub(super) fn text(what: &str, value: OsString) -> Result<String> {
    value.into_string().map_err(|value| {
        wrong(format!("{what} is {value:?}"))
            .because("it is no UTF-8 text, and all names here are")
            .remedy("give text in UTF-8")
    })
}

pub(super) fn number<T: std::str::FromStr>(spec: &Spec, value: OsString) -> Result<T> {
    let value = text(spec.long, value)?;
    let (digits, kind) = match spec.long {
        "core" => (value.as_str(), "the number of a logical CPU, or auto"),
        "seed" => (value.as_str(), "a whole number, 0 or more"),
        "min-samples" | "processes" | "placements" => (value.as_str(), "a whole number, 1 or more"),
        "target-precision" => (value.trim_end_matches('%'), "a number of per cent"),
        _ => (value.as_str(), "a number"),
    };
    digits.trim().parse().map_err(|_| {
        wrong(format!("--{} is {:?}", spec.long, inert(&value)))
            .because(format!("it takes {kind}"))
            .remedy(SEE_HELP)
    })
}

pub(super) fn path(spec: &Spec, value: OsString) -> Result<PathBuf> {
    if value.is_empty() {
        return Err(wrong(format!("--{} names no file", spec.long))
            .because("its value is empty")
            .remedy("give a path that ends in a file name"));
    }
    Ok(PathBuf::from(value))
}
