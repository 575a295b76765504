//! Who is writing into the store? One process at a time, and the others can say whom they wait for.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};

use super::store::refused;
use crate::error::{Error, ErrorKind, Result};
use crate::record::brief;

/// The lock's file in the store. Baselines cannot begin with a dot, so none is called so.
const FILE: &str = ".lock";

/// How long to sleep between two attempts.
const AGAIN: Duration = Duration::from_millis(10);

/// No note of a holder is longer.
const MAX_NOTE: u64 = 300;

/// The right to write, until it is dropped. The system ends it with the process, however that ends.
pub(super) struct Lock {
    held: Option<Flock<File>>,
}

impl Lock {
    /// Waits at most `patience` for the lock of `directory`.
    pub(super) fn take(directory: &Path, patience: Duration) -> Result<Self> {
        let path = directory.join(FILE);
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = opened.map_err(|error| refused("open the lock", &path, error))?;
        let start = Instant::now();
        loop {
            match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
                Ok(mut held) => {
                    // The note is for those who wait; without one (on a full disk) the lock holds all the same.
                    let _ = note(&mut held);
                    return Ok(Self { held: Some(held) });
                }
                Err((back, Errno::EAGAIN | Errno::EINTR)) => file = back,
                Err((_, errno)) => return Err(refused("lock", &path, io::Error::from(errno))),
            }
            if start.elapsed() >= patience {
                let what = format!(
                    "the baselines are locked by {}, and {:.1} s of waiting did not change that",
                    holder(&mut file),
                    patience.as_secs_f64()
                );
                return Err(Error::new(ErrorKind::Io, what)
                    .because("two writers at once would overwrite one another's baseline")
                    .remedy("let it end, or end it, and save again"));
            }
            thread::sleep(AGAIN);
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let Some(held) = self.held.take() else { return };
        if let Err((held, _)) = held.unlock() {
            // Its own drop would panic; the system ends the lock with the process.
            std::mem::forget(held);
        }
    }
}

fn note(file: &mut File) -> io::Result<()> {
    let program = std::env::current_exe().ok();
    let program = program.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy());
    file.set_len(0)?;
    file.rewind()?;
    write!(file, "process {} ({})", std::process::id(), program.as_deref().unwrap_or("unknown"))
}

fn holder(file: &mut File) -> String {
    let mut note = Vec::new();
    let read = file.rewind().and_then(|()| file.take(MAX_NOTE).read_to_end(&mut note));
    match String::from_utf8_lossy(&note).trim() {
        note if read.is_ok() && !note.is_empty() => brief(note),
        _ => "another process".to_owned(),
    }
}
