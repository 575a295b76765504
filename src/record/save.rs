//! How does a record reach the disk so that no reader ever sees half of it?

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use super::model::Record;
use super::read::shown;
use crate::error::{Error, ErrorKind, Result};

/// Tells apart the temporary files of one process.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A file of the same name can only be left over from a dead process of our number; a few are skipped.
const ATTEMPTS: u32 = 16;

impl Record {
    /// Writes the record as indented JSON to `path`, replacing what is there, in one step: a reader finds
    /// the old file or the new one, even after a power failure.
    ///
    /// It is written to a temporary file in the same directory, brought to the disk and renamed. A symbolic
    /// link at `path` is replaced by a file. The directory has to exist.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] if `path` names no file, [`ErrorKind::Io`] if the system refuses; both name the
    /// path, and nothing is left behind.
    pub fn write_atomically(&self, path: impl AsRef<Path>) -> Result<()> {
        write_text(path.as_ref(), &format!("{}\n", self.to_json_pretty()))
    }
}

/// As [`Record::write_atomically`], for any text. What is there and is no file, a pipe or a device, is written to as it
/// is: replacing it would take it away from everybody else.
pub(crate) fn write_text(path: &Path, text: &str) -> Result<()> {
    if path.file_name().is_none() {
        return Err(Error::new(ErrorKind::Usage, format!("cannot save results as {}", quoted(path)))
            .because("that path names no file")
            .remedy("give a path that ends in a file name"));
    }
    if is_no_file(path) {
        let written =
            OpenOptions::new().append(true).open(path).and_then(|mut file| file.write_all(text.as_bytes()));
        return match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(refused("write", path, error)),
            _ => Ok(()),
        };
    }
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let (temporary, mut file) =
        create_beside(directory).map_err(|error| refused("create a file beside", path, error))?;
    let written = (|| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        drop(file);
        fs::rename(&temporary, path)
    })();
    if let Err(error) = written {
        // The first failure is the one to report; a leftover that cannot be removed changes nothing.
        let _ = fs::remove_file(&temporary);
        return Err(refused("write", path, error));
    }
    // The rename has happened; where a file system cannot sync a directory there is no more to do.
    let _ = File::open(directory).and_then(|directory| directory.sync_all());
    Ok(())
}

/// Whether something other than a file is at `path`, or another name of an open one.
fn is_no_file(path: &Path) -> bool {
    let names_open =
        ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"].iter().any(|name| path.starts_with(name));
    names_open || fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn create_beside(directory: &Path) -> io::Result<(PathBuf, File)> {
    let mut failure = None;
    for _ in 0..ATTEMPTS {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        // Without the target's name: a name of the greatest length would leave no room for more.
        let candidate = directory.join(format!(".fencepost.{}.{number}.tmp", process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&candidate) {
            Ok(file) => return Ok((candidate, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => failure = Some(error),
            Err(error) => return Err(error),
        }
    }
    Err(failure.unwrap_or_else(|| io::ErrorKind::AlreadyExists.into()))
}

fn quoted(path: &Path) -> String {
    format!("\"{}\"", shown(&path.to_string_lossy()))
}

fn refused(verb: &str, path: &Path, error: io::Error) -> Error {
    let remedy = match error.kind() {
        io::ErrorKind::NotFound => "create the directory first",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "give a path in a directory that you may write to"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room on that disk",
        _ => "give another path",
    };
    Error::new(ErrorKind::Io, format!("cannot {verb} {}", quoted(path)))
        .because(error.to_string())
        .remedy(remedy)
        .caused_by(error)
}
