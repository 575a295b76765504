//! Where do baselines live, and how are they never lost? One directory a name, written in one step, never over a damaged one.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::lock::Lock;
use super::name::checked;
use super::place::target_directory;
use crate::error::{Error, ErrorKind, Result};
use crate::order;
use crate::record::{Record, inert};

/// The file in a baseline's directory.
const FILE: &str = "record.json";

/// What waits longer than this for another process to save a few kilobytes waits for something that hangs.
const PATIENCE: Duration = Duration::from_secs(10);

/// More than this is not read: no record is as large.
const MAX_BYTES: u64 = (64 << 20) + 1;

/// The baselines of one project: `fencepost/baselines/NAME/record.json` under its target directory.
///
/// Any number of processes may use a store at once. Reading takes no lock, for a baseline is replaced in one step; writing
/// waits for other writers, but not for ever.
///
/// ```
/// use fencepost::baseline::Store;
/// use fencepost::record::Record;
/// # let directory = std::env::temp_dir().join(format!("fencepost-doc-{}", std::process::id()));
/// let store = Store::open(&directory);
/// store.save("main", &Record { complete: true, ..Default::default() })?;
/// assert_eq!(store.list()?, ["main"]);
/// assert!(store.load("main")?.complete);
/// assert!(store.load("mian").unwrap_err().to_string().contains("main"));
/// # std::fs::remove_dir_all(directory).unwrap();
/// # Ok::<(), fencepost::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Store {
    directory: PathBuf,
    patience: Duration,
}

/// What to do with a baseline that is there and cannot be read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Damaged {
    Keep,
    Replace,
}

impl Store {
    /// The store under `target_directory`. Nothing is created before the first baseline is saved.
    pub fn open(target_directory: impl AsRef<Path>) -> Self {
        let directory = target_directory.as_ref().join("fencepost").join("baselines");
        Self { directory, patience: PATIENCE }
    }

    /// The store under the [target directory](target_directory) of the running bench.
    pub fn find() -> Self {
        Self::open(target_directory())
    }

    /// How long to wait for another process that is writing; 10 s unless set.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The file of a baseline, whether it exists or not.
    ///
    /// # Errors
    ///
    /// `Usage` for a name that cannot be one: empty, longer than 100 bytes, with a path separator, with control or
    /// invisible characters, with a dot in front or with white space at an end.
    pub fn path(&self, name: &str) -> Result<PathBuf> {
        Ok(self.directory.join(checked(name)?).join(FILE))
    }

    /// Saves `record` as the baseline `name`, in place of the one that has the name; gives the file's path.
    ///
    /// The record is written beside, brought to the disk and renamed: whatever happens, the old baseline or the new one is
    /// there.
    ///
    /// # Errors
    ///
    /// `Usage` for a name that cannot be one, and for a record of a run that was cut short where the baseline that is
    /// there is complete. `Input` where the baseline that is there is damaged or of another schema: it is left as it is
    /// (see [`replace_damaged`](Self::replace_damaged)). `Io` where the system refuses (read-only directory, full disk), or
    /// where another process holds the store for too long, which is then named.
    pub fn save(&self, name: &str, record: &Record) -> Result<PathBuf> {
        self.write(name, record, Damaged::Keep)
    }

    /// As [`save`](Self::save), but a baseline that is damaged or of another schema is replaced too.
    ///
    /// # Errors
    ///
    /// As [`save`](Self::save), without `Input`.
    pub fn replace_damaged(&self, name: &str, record: &Record) -> Result<PathBuf> {
        self.write(name, record, Damaged::Replace)
    }

    fn write(&self, name: &str, record: &Record, damaged: Damaged) -> Result<PathBuf> {
        let path = self.path(name)?;
        let directory = self.directory.join(name);
        fs::create_dir_all(&self.directory).map_err(|error| refused("create", &self.directory, error))?;
        let _lock = Lock::take(&self.directory, self.patience)?;
        match read(name, &path) {
            Ok(Some(old)) if old.complete && !record.complete => {
                let what = format!("the run was cut short and is not saved as baseline \"{name}\"");
                return Err(Error::new(ErrorKind::Usage, what)
                    .because("the baseline of this name is complete and would be lost")
                    .remedy("run again to the end, or save under another name"));
            }
            Ok(_) => {}
            Err(error) if damaged == Damaged::Replace && error.kind() == ErrorKind::Input => {}
            Err(error) => {
                let what = format!("baseline \"{name}\" is not overwritten: {error}");
                return Err(Error::new(error.kind(), what).caused_by(error));
            }
        }
        // Only under the lock: a writer that fails removes the directory that it made.
        fs::create_dir_all(&directory).map_err(|error| refused("create", &directory, error))?;
        sweep(&directory);
        let written = record.write_atomically(&path);
        if written.is_err() {
            // A directory that was made for nothing; one that holds a baseline is not empty and stays.
            let _ = fs::remove_dir(&directory);
        }
        written.map(|()| path)
    }

    /// The baseline `name`.
    ///
    /// # Errors
    ///
    /// `Usage` for a name that cannot be one or that no baseline has (those that exist are named), `Input` for a baseline
    /// that is damaged or of another schema (its path is named), `Io` where the system refuses.
    pub fn load(&self, name: &str) -> Result<Record> {
        let path = self.path(name)?;
        if let Some(record) = read(name, &path)? {
            return Ok(record);
        }
        let known = self.list().unwrap_or_default();
        let known = if known.is_empty() {
            format!("there are none in \"{}\"", shown(&self.directory))
        } else {
            format!("those that exist are: {}", known.join(", "))
        };
        Err(Error::new(ErrorKind::Usage, format!("there is no baseline \"{name}\""))
            .because(known)
            .remedy(format!("save one first with --save-baseline {name}")))
    }

    /// The names of the baselines, sorted. Those that are damaged are listed as well: loading one says so.
    ///
    /// # Errors
    ///
    /// `Io` where the directory cannot be read. A directory that does not exist holds none.
    pub fn list(&self) -> Result<Vec<String>> {
        let entries = match fs::read_dir(&self.directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(refused("list", &self.directory, error)),
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| refused("list", &self.directory, error))?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if checked(&name).is_ok() && entry.path().join(FILE).symlink_metadata().is_ok() {
                names.push(name);
            }
        }
        Ok(order::by(names, &|one, other| one.cmp(other)))
    }
}

/// Removes what writers that were killed left behind. Under the lock no other writer is at work here.
fn sweep(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(".fencepost.") && name.ends_with(".tmp") {
            // What cannot be removed only takes room.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The record in a file; `None` if there is no such file.
fn read(name: &str, path: &Path) -> Result<Option<Record>> {
    let damaged = |error: Error| {
        let what = format!("baseline \"{name}\" in \"{}\" cannot be read", shown(path));
        Error::new(ErrorKind::Input, what)
            .because(error.to_string())
            .remedy("move that file away or mend it, then save the baseline again")
            .caused_by(error)
    };
    match path.metadata() {
        // Opening a pipe waits for its writer, and a device may have no end.
        Ok(metadata) if !metadata.is_file() => {
            return Err(damaged(Error::new(ErrorKind::Input, "it is no regular file")));
        }
        Ok(_) => {}
        // A link into nowhere is not the absence of a baseline.
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.symlink_metadata().is_err() => {
            return Ok(None);
        }
        Err(error) => return Err(refused("read", path, error)),
    }
    let mut bytes = Vec::new();
    fs::File::open(path)
        .and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes))
        .map_err(|error| refused("read", path, error))?;
    let record = match std::str::from_utf8(&bytes) {
        Ok(text) => Record::from_json(text),
        Err(error) => {
            Err(Error::new(ErrorKind::Input, "the record is no UTF-8 text").because(error.to_string()))
        }
    };
    record.map(Some).map_err(damaged)
}

fn shown(path: &Path) -> String {
    inert(&path.to_string_lossy())
}

/// The error of a system that refuses to `verb` the `path`.
pub(super) fn refused(verb: &str, path: &Path, error: io::Error) -> Error {
    let remedy = match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "set CARGO_TARGET_DIR to a directory that you may write to"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room on that disk",
        _ => "move away what is in the way, or set CARGO_TARGET_DIR to another directory",
    };
    Error::new(ErrorKind::Io, format!("cannot {verb} \"{}\"", shown(path)))
        .because(error.to_string())
        .remedy(remedy)
        .caused_by(error)
}
