//! How does a record look in a browser? One HTML file with its plots, from saved runs alone.
//!
//! The file needs nothing else: no network, no fonts, no library; a content security policy in it forbids them. Names and all
//! other text from records is escaped, with control characters and bidirectional marks shown as what they are.

#![forbid(unsafe_code)]

mod counted;
mod escape;
mod explored;
mod ladder;
mod loops;
mod page;
mod plots;
mod sections;
mod sizes;
mod svg;
mod versus;

pub use page::html;

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, Result};
use crate::record::{Record, write_text};

/// A record and the name that it is shown under.
#[derive(Clone, Debug)]
pub struct Run<'r> {
    /// For example the name of its file.
    pub name: String,
    /// What was measured.
    pub record: &'r Record,
}

/// Writes the report of `runs` to `index.html` in `directory`, which is made if it is missing; gives the file's path.
///
/// # Errors
///
/// `Io` where the directory cannot be made or the file cannot be written.
pub fn write(runs: &[Run<'_>], directory: &Path) -> Result<PathBuf> {
    fs::create_dir_all(directory).map_err(|error| {
        let name = crate::record::brief(&directory.to_string_lossy());
        Error::new(ErrorKind::Io, format!("cannot make the directory \"{name}\""))
            .because(error.to_string())
            .remedy("give a directory that you may write to")
            .caused_by(error)
    })?;
    let path = directory.join("index.html");
    write_text(&path, &html(runs))?;
    Ok(path)
}

/// Columns for a page on standard output: what COLUMNS says, else what the terminal says, else 80.
pub fn page_width() -> usize {
    crate::suite::terminal::page_width()
}
