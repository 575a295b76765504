//! How did one process run? It is started in a group of its own, timed, drained, limited in time, and its usage is read.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, Read};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use fencepost::error::{Error, ErrorKind, Result};
use fencepost::record::text;
use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;

use super::interrupt;

/// What becomes of the standard output of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stdout {
    /// It is kept.
    Keep,
    /// It goes nowhere.
    Discard,
    /// It goes where ours goes, and so does standard error.
    Inherit,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    /// By itself, with this status.
    Exit(i32),
    /// By this signal.
    Signal(i32),
    /// It took longer than it was given, and was killed.
    TimedOut(Duration),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit(code) => write!(f, "exit status {code}"),
            Self::Signal(number) => match Signal::try_from(*number) {
                Ok(signal) => write!(f, "killed by signal {number} ({signal})"),
                Err(_) => write!(f, "killed by signal {number}"),
            },
            Self::TimedOut(limit) => write!(f, "not done within {} s", limit.as_secs_f64()),
        }
    }
}

/// What the kernel counted of a process and those of its children that it waited for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    pub(crate) user: Duration,
    pub(crate) system: Duration,
    pub(crate) max_rss_bytes: u64,
    pub(crate) major_faults: u64,
    pub(crate) minor_faults: u64,
    pub(crate) voluntary_switches: u64,
    pub(crate) involuntary_switches: u64,
}

/// A process that has ended.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) end: End,
    /// From just before the start to the end.
    pub(crate) elapsed: Duration,
    pub(crate) usage: Usage,
    /// What it printed, if that was to be kept.
    pub(crate) stdout: Vec<u8>,
    /// The end of what it said on standard error.
    pub(crate) stderr: String,
}

/// No record is longer; what comes after it is read and dropped.
const MOST_STDOUT: usize = 64 << 20;
const MOST_STDERR: usize = 2048;
/// How long output may stay open after its process and the process's group are gone.
const DRAIN: Duration = Duration::from_secs(2);
/// How often it is looked whether to stop. The end of a process is noticed at once.
const LOOK: Duration = Duration::from_millis(50);

/// Runs a program to its end; `None` if the user asked to stop first. It reads nothing, and whatever of its process group is
/// left when it ends is killed.
///
/// # Errors
///
/// `Usage` if it cannot be started, `Io` if it cannot be waited for or its output does not end with it.
pub(crate) fn run(
    program: &OsStr,
    args: &[OsString],
    stdout: Stdout,
    timeout: Duration,
) -> Result<Option<Finished>> {
    // Children that end sooner than it is looked again would never see it.
    if interrupt::requested() {
        return Ok(None);
    }
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).process_group(0);
    match stdout {
        Stdout::Keep => command.stdout(Stdio::piped()).stderr(Stdio::piped()),
        Stdout::Discard => command.stdout(Stdio::null()).stderr(Stdio::piped()),
        Stdout::Inherit => command.stdout(Stdio::inherit()).stderr(Stdio::inherit()),
    };
    let start = Instant::now();
    let mut child = command.spawn().map_err(|error| not_started(program, error))?;
    let pid = i32::try_from(child.id()).map_err(|_| lost(program, "its number is too large"))?;
    let pid = Pid::from_raw(pid);
    let out = child.stdout.take().map(|pipe| drain(pipe, Keep::Head(MOST_STDOUT)));
    let err = child.stderr.take().map(|pipe| drain(pipe, Keep::Tail(MOST_STDERR)));
    let ended = watch(pid);

    let mut stopped = None;
    let end = loop {
        match ended.recv_timeout(LOOK) {
            Ok(Ok(end)) => break end,
            Ok(Err(error)) => return Err(lost(program, &error.to_string())),
            Err(RecvTimeoutError::Disconnected) => return Err(lost(program, "nobody waits for it")),
            Err(RecvTimeoutError::Timeout) => {}
        }
        // Until it is reaped its number, and its group's, belong to nobody else.
        if stopped.is_none() && interrupt::requested() {
            stopped = Some(None);
            let _ = killpg(pid, Signal::SIGKILL);
        } else if stopped.is_none() && start.elapsed() >= timeout {
            stopped = Some(Some(End::TimedOut(timeout)));
            let _ = killpg(pid, Signal::SIGKILL);
        }
    };
    let _ = killpg(pid, Signal::SIGKILL);
    let (status, usage) = reap(pid).map_err(|error| lost(program, &error.to_string()))?;
    let end_of = |stopped| match stopped {
        Some(Some(end)) => end,
        _ if libc::WIFSIGNALED(status) => End::Signal(libc::WTERMSIG(status)),
        _ => End::Exit(libc::WEXITSTATUS(status)),
    };
    if stopped == Some(None) {
        return Ok(None);
    }
    let collect = |pipe: Option<Receiver<Vec<u8>>>| match pipe.map(|pipe| pipe.recv_timeout(DRAIN)) {
        None => Ok(Vec::new()),
        Some(Ok(bytes)) => Ok(bytes),
        Some(Err(_)) => {
            Err(Error::new(ErrorKind::Io, format!("the output of {} does not end", shown(program)))
                .because("a process that it started has left its group and still holds it open")
                .remedy("let it wait for what it starts"))
        }
    };
    Ok(Some(Finished {
        end: end_of(stopped),
        elapsed: end.saturating_duration_since(start),
        usage,
        stdout: collect(out)?,
        stderr: String::from_utf8_lossy(&collect(err)?).trim().to_owned(),
    }))
}

/// The program as messages name it.
pub(crate) fn shown(program: &OsStr) -> String {
    format!("\"{}\"", text::inert(&program.to_string_lossy()))
}

/// Tells when the process has ended, and leaves it to be reaped.
fn watch(pid: Pid) -> Receiver<nix::Result<Instant>> {
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || {
        let outcome = loop {
            match waitid(Id::Pid(pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT) {
                Err(Errno::EINTR) => {}
                Err(error) => break Err(error),
                Ok(_) => break Ok(Instant::now()),
            }
        };
        // Whoever does not listen any more has failed for another reason.
        let _ = sender.send(outcome);
    });
    ended
}

fn reap(pid: Pid) -> io::Result<(libc::c_int, Usage)> {
    let mut status = 0;
    // SAFETY: rusage consists of integers alone, for which all bits 0 are a value.
    let mut raw: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to locals of the type that the call writes, and it keeps neither.
        if unsafe { libc::wait4(pid.as_raw(), &raw mut status, 0, &raw mut raw) } == pid.as_raw() {
            break;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    let count = |value: libc::c_long| u64::try_from(value).unwrap_or(0);
    let time = |value: libc::timeval| {
        Duration::from_secs(count(value.tv_sec)) + Duration::from_micros(count(value.tv_usec))
    };
    let usage = Usage {
        user: time(raw.ru_utime),
        system: time(raw.ru_stime),
        // Linux counts it in KiB: getrusage(2).
        max_rss_bytes: count(raw.ru_maxrss).saturating_mul(1024),
        major_faults: count(raw.ru_majflt),
        minor_faults: count(raw.ru_minflt),
        voluntary_switches: count(raw.ru_nvcsw),
        involuntary_switches: count(raw.ru_nivcsw),
    };
    Ok((status, usage))
}

#[derive(Clone, Copy)]
enum Keep {
    Head(usize),
    Tail(usize),
}

/// Reads a pipe to its end in a thread of its own, so that a child that fills one is never stuck while another is read.
fn drain(mut pipe: impl Read + Send + 'static, keep: Keep) -> Receiver<Vec<u8>> {
    let (sender, drained) = mpsc::channel();
    thread::spawn(move || {
        let mut kept = Vec::new();
        let mut buffer = [0; 1 << 14];
        loop {
            match pipe.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => {
                    let read = buffer.get(..count).unwrap_or_default();
                    match keep {
                        // One byte more than the most, so that the reader sees that it was too much.
                        Keep::Head(most) => {
                            let room = (most + 1).saturating_sub(kept.len()).min(count);
                            kept.extend_from_slice(read.get(..room).unwrap_or_default());
                        }
                        Keep::Tail(most) => {
                            kept.extend_from_slice(read);
                            kept.drain(..kept.len().saturating_sub(most));
                        }
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        let _ = sender.send(kept);
    });
    drained
}

fn not_started(program: &OsStr, error: io::Error) -> Error {
    let (why, remedy) = match error.kind() {
        io::ErrorKind::NotFound => {
            ("there is no such program".to_owned(), "give its path, or a name that is found in PATH")
        }
        io::ErrorKind::PermissionDenied => (
            "it is no program that may be executed".to_owned(),
            "give an executable file; chmod +x makes it one",
        ),
        _ => (error.to_string(), "see whether it runs by itself"),
    };
    Error::new(ErrorKind::Usage, format!("{} cannot be started", shown(program)))
        .because(why)
        .remedy(remedy)
        .caused_by(error)
}

fn lost(program: &OsStr, why: &str) -> Error {
    Error::new(ErrorKind::Io, format!("the end of {} cannot be waited for", shown(program)))
        .because(why)
        .remedy("run again")
}
