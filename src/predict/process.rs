//! How is another program asked something without hanging, and without leaving it behind? Its input and both outputs are served at
//! once, it has a time limit, and it and what it started are killed and reaped.

#![forbid(unsafe_code)]

use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::error::{Error, ErrorKind, Result};

/// More output than this is not kept.
const MOST_BYTES: u64 = 64 << 20;

/// What a program said.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: ExitStatus,
    pub(super) out: String,
    pub(super) err: String,
}

/// A child with all that it started: killed and reaped when this goes, if it has not ended.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        if let Ok(group) = i32::try_from(self.0.id()) {
            // The group may be gone already, which is as well.
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs `command` on `input`, for `limit` at most.
pub(super) fn ask(mut command: Command, input: String, limit: Duration) -> Result<Answer> {
    let name = command.get_program().to_string_lossy().into_owned();
    let failed = |error: std::io::Error| {
        Error::new(ErrorKind::Io, format!("{name:?} could not be run: {error}"))
            .because("it is asked for the prediction")
            .remedy("install it, or name another one")
            .caused_by(error)
    };
    let deadline = Instant::now() + limit;
    let child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(failed)?;
    let mut child = Running(child);
    if let Some(mut stdin) = child.0.stdin.take() {
        std::thread::spawn(move || {
            // A program that does not want all of its input says so by its answer.
            let _ = stdin.write_all(input.as_bytes());
        });
    }
    let out = reader(child.0.stdout.take());
    let err = reader(child.0.stderr.take());
    let late = || {
        Error::new(ErrorKind::Input, format!("{name:?} did not end within {} s", limit.as_secs_f64()))
            .because("it was ended, and its prediction is missing")
            .remedy("give it less to look at, or name another one")
    };
    let left = || deadline.saturating_duration_since(Instant::now());
    let out = out.recv_timeout(left()).map_err(|_| late())?;
    let err = err.recv_timeout(left()).map_err(|_| late())?;
    if out.len().max(err.len()) as u64 >= MOST_BYTES {
        return Err(Error::new(
            ErrorKind::Input,
            format!("{name:?} wrote more than {} MB", MOST_BYTES >> 20),
        )
        .because("no answer is as long")
        .remedy("name another one"));
    }
    loop {
        if let Some(status) = child.0.try_wait().map_err(failed)? {
            return Ok(Answer { status, out, err });
        }
        if left().is_zero() {
            return Err(late());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn reader(source: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(source) = source {
            let _ = source.take(MOST_BYTES).read_to_end(&mut bytes);
        }
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receiver
}
