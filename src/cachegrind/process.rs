//! How does a process under Valgrind end: well, by itself with a message, by a signal, or because it took too long?

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::personality::{self, Persona};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use super::place;
use crate::error::{Error, ErrorKind};
use crate::record::{elide, inert};

/// How often is looked whether it has ended.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Lines of a log that are shown.
const SHOWN: usize = 6;
/// What is read of the end of a log.
const TAIL: u64 = 16 << 10;

/// What is asked while a process runs.
pub(super) struct Watch<'w> {
    pub(super) limit: Duration,
    pub(super) stop: &'w (dyn Fn() -> bool + Sync),
}

/// Why there is no count.
pub(super) enum Ended {
    /// The run was asked to stop.
    Stopped,
    /// What went wrong.
    Failed(Error),
}

impl From<Error> for Ended {
    fn from(error: Error) -> Self {
        Ended::Failed(error)
    }
}

/// Randomization of addresses off for what this thread starts, until the thread ends; says why where it cannot be.
pub(super) fn fix_addresses() -> Option<String> {
    let set = personality::get().and_then(|now| personality::set(now | Persona::ADDR_NO_RANDOMIZE));
    set.err().map(|error| error.to_string())
}

/// A process and what it may have started; ended with us.
struct Group(Child);

impl Group {
    fn kill(&mut self) {
        if let Ok(id) = i32::try_from(self.0.id()) {
            let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // One that has ended and was waited for is not touched: its number may be another's.
        if matches!(self.0.try_wait(), Ok(None)) {
            self.kill();
        }
    }
}

/// Runs `command`, whose logs go to `directory`, to its end.
pub(super) fn run(
    mut command: Command,
    id: &str,
    directory: &Path,
    watch: &Watch<'_>,
) -> std::result::Result<(), Ended> {
    let output = directory.join(place::OUTPUT);
    let log = directory.join(place::LOG);
    let _ = fs::remove_file(&log);
    let file = File::create(&output).map_err(|error| place::refused("write", &output, error))?;
    let both = file.try_clone().map_err(|error| place::refused("write", &output, error))?;
    // Its standard input is the directory in which its dumps appear.
    let dumps = File::open(directory).map_err(|error| place::refused("open", directory, error))?;
    command.stdin(Stdio::from(dumps)).stdout(Stdio::from(file)).stderr(Stdio::from(both)).process_group(0);
    let child = command.spawn().map_err(|error| {
        Error::new(ErrorKind::CannotMeasure, format!("valgrind could not be started: {error}"))
            .because("instructions are counted under it")
            .remedy("see whether valgrind --version works")
            .caused_by(error)
    })?;
    let mut group = Group(child);
    let begun = Instant::now();
    let status = loop {
        let looked = group.0.try_wait().map_err(|error| {
            Error::new(ErrorKind::Io, format!("benchmark {:?} cannot be waited for: {error}", inert(id)))
                .because("how it ended is not known")
                .remedy("run it again")
                .caused_by(error)
        })?;
        if let Some(status) = looked {
            break status;
        }
        if (watch.stop)() {
            group.kill();
            return Err(Ended::Stopped);
        }
        if begun.elapsed() > watch.limit {
            group.kill();
            let limit = watch.limit.as_secs_f64();
            return Err(Error::new(
                ErrorKind::Input,
                format!("benchmark {:?} did not end within {limit} s", inert(id)),
            )
            .because(format!(
                "it hangs, or is that slow under Valgrind, where all takes 20 to 100 times as long; {}",
                said(directory)
            ))
            .remedy("give it less to do, or more time with --time-limit S, or leave it out with --skip")
            .into());
        }
        thread::sleep(LOOK_EVERY);
    };
    if status.success() { Ok(()) } else { Err(failed(id, status, directory).into()) }
}

fn failed(id: &str, status: ExitStatus, directory: &Path) -> Error {
    let how = match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => {
            Signal::try_from(signal).map_or_else(|_| format!("signal {signal}"), |signal| signal.to_string())
        }
        (None, None) => "no exit status".to_owned(),
    };
    let error =
        Error::new(ErrorKind::Input, format!("benchmark {:?} failed under Valgrind: {how}", inert(id)));
    match unsupported(&directory.join(place::LOG)) {
        Some(instruction) => error
            .because(format!("Valgrind does not know the instruction {instruction}; {}", said(directory)))
            .remedy(
                "build without it, for an older CPU (-C target-cpu), or leave the benchmark out with --skip",
            ),
        None => error.because(said(directory)).remedy("mend it, or leave it out with --skip"),
    }
}

/// The end of what the benchmark printed and of what Valgrind said, and where the rest is.
fn said(directory: &Path) -> String {
    let mut said = String::new();
    // What it printed last, and what Valgrind saw first.
    for (who, name, first) in [("it", place::OUTPUT, false), ("Valgrind", place::LOG, true)] {
        let text = tail(&directory.join(name));
        let lines: Vec<String> =
            text.lines().filter_map(telling).map(|line| elide(&inert(line), 200)).collect();
        let from = if first { 0 } else { lines.len().saturating_sub(SHOWN) };
        let shown: Vec<&str> = lines.iter().skip(from).take(SHOWN).map(String::as_str).collect();
        if !shown.is_empty() {
            said.push_str(&format!("{who} said: {}; ", shown.join(" | ")));
        }
    }
    format!("{said}the logs are in {}", inert(&directory.to_string_lossy()))
}

/// A line of a log without the process number that Valgrind puts before it, if it is not one of those that it always prints.
fn telling(line: &str) -> Option<&str> {
    const ALWAYS: [&str; 10] = [
        // Of the program that is counted: what is said of its end is said by the one that counts.
        "note: run with `RUST_BACKTRACE",
        "error: the benchmark panicked",
        "Copyright",
        "Using Valgrind",
        "Command:",
        "Parent PID:",
        "For interactive",
        "Callgrind,",
        "Cachegrind,",
        "warning: ",
    ];
    const TALLIES: [&str; 5] = ["refs:", "misses:", "rate:", "Events    :", "Collected :"];
    let line = line.trim();
    let text = match line.get(..2) {
        Some("==" | "--") => line.get(2..)?.split_once(['=', '-'])?.1.trim_start_matches(['=', '-']).trim(),
        _ => line,
    };
    let is_usual = ALWAYS.iter().any(|always| text.starts_with(always))
        || TALLIES.iter().any(|tally| text.contains(tally));
    (!text.is_empty() && !is_usual).then_some(text)
}

fn tail(path: &Path) -> String {
    let read = File::open(path).and_then(|mut file| {
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
        let mut bytes = Vec::new();
        file.take(TAIL).read_to_end(&mut bytes)?;
        Ok(bytes)
    });
    String::from_utf8_lossy(&read.unwrap_or_default()).into_owned()
}

/// The instruction that Valgrind could not translate, if its log names one.
fn unsupported(log: &Path) -> Option<String> {
    let text = tail(log);
    let line = text.lines().find(|line| line.contains("unhandled instruction bytes:"))?;
    let (_, bytes) = line.split_once("bytes:")?;
    let bytes: Vec<u8> = bytes
        .split_whitespace()
        .map_while(|byte| u8::from_str_radix(byte.trim_start_matches("0x"), 16).ok())
        .collect();
    (!bytes.is_empty()).then(|| named(&bytes))
}

/// An instruction as text, where this build can decode one, and its bytes.
fn named(bytes: &[u8]) -> String {
    let set = if bytes.first() == Some(&0x62) { " (AVX-512)" } else { "" };
    let hex = |bytes: &[u8]| {
        let each: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        each.join(" ")
    };
    match decoded(bytes) {
        Some((text, length)) => {
            format!("{text:?}{set}, bytes {}", hex(bytes.get(..length).unwrap_or(bytes)))
        }
        None => format!("with the bytes {}{set}", hex(bytes)),
    }
}

/// An instruction as text, and of how many bytes it is.
#[cfg(feature = "predict")]
fn decoded(bytes: &[u8]) -> Option<(String, usize)> {
    use iced_x86::Formatter as _;
    let instruction = iced_x86::Decoder::new(64, bytes, iced_x86::DecoderOptions::NONE).decode();
    let mut text = String::new();
    iced_x86::IntelFormatter::new().format(&instruction, &mut text);
    (!instruction.is_invalid()).then_some((text, instruction.len()))
}

#[cfg(not(feature = "predict"))]
fn decoded(_: &[u8]) -> Option<(String, usize)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_that_is_not_known_is_named() {
        let log = std::env::temp_dir().join(format!("fencepost-unsupported-{}", std::process::id()));
        let text = "vex amd64->IR: unhandled instruction bytes: 0x62 0xF1 0x7D 0x48 0x6F 0x7 0xC5 0xF8\n";
        fs::write(&log, text).unwrap();
        let named = unsupported(&log).unwrap();
        fs::remove_file(&log).unwrap();
        assert!(named.contains("(AVX-512)") && named.contains("62 f1 7d 48"), "{named}");
        if cfg!(feature = "predict") {
            assert!(named.contains("vmovdqa32 zmm0,") && named.ends_with("6f 07"), "{named}");
        }
        assert_eq!(unsupported(Path::new("/nowhere")), None);
    }

    #[test]
    fn lines_that_say_nothing_are_left_out() {
        assert_eq!(telling("==123== Command: ./a"), None);
        assert_eq!(telling("==123=="), None);
        assert_eq!(telling("==123== LL misses:  3  (3 rd + 0 wr)"), None);
        assert_eq!(telling("==123== Process terminating"), Some("Process terminating"));
        assert_eq!(telling("--123-- WARNING: odd"), Some("WARNING: odd"));
        assert_eq!(telling("thread 'main' panicked"), Some("thread 'main' panicked"));
        assert_eq!(telling("=="), None);
    }
}
