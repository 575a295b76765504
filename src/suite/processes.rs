//! How do several processes measure the same? One after the other: this program starts itself, reads what each has recorded, and
//! puts what differs between them into the intervals.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::arguments::Arguments;
use super::between::combine;
use super::interrupt::Interrupt;
use super::rates;
use super::registry::Entry;
use super::run::{Measured, limits, say};
use crate::error::{Error, ErrorKind, Result};
use crate::record::{Record, Scalar, brief, inert};

/// How often a process is looked after. It measures meanwhile, so this is rare.
const LOOK_EVERY: Duration = Duration::from_millis(25);
/// A terminal's Ctrl-C reaches every process by itself; after this one that is still there is asked.
const ASK_AFTER: Duration = Duration::from_millis(500);
/// After this it is ended.
const END_AFTER: Duration = Duration::from_secs(5);
/// What is kept of what a process says on standard error.
const MAX_SAID: u64 = 64 << 10;

/// Measures `entries` in so many processes.
pub(super) fn measure(
    entries: Vec<Entry<'_>>,
    arguments: &Arguments,
    given: &[OsString],
    processes: usize,
) -> Result<Measured> {
    let interrupt = Interrupt::listen();
    let program = std::env::current_exe().map_err(|error| {
        Error::new(ErrorKind::Io, format!("the path of this program is not known: {error}"))
            .because("--processes starts it anew for each process")
            .remedy("measure without --processes")
            .caused_by(error)
    })?;
    let mut records = Vec::new();
    let mut failures = Vec::new();
    for number in 1..=processes {
        if interrupt.asked() {
            break;
        }
        if !arguments.quiet {
            say(&format!("process {number} of {processes}"));
        }
        let seed = arguments.options.seed.wrapping_add(number as u64 - 1);
        let ended =
            Running::start(Command::new(&program).args(with_worker(given, seed)))?.wait(&interrupt)?;
        let record = Record::from_json(&String::from_utf8_lossy(&ended.printed)).ok();
        if !ended.status.success() && !interrupt.asked() {
            let error = ended.error(number, processes);
            let for_all =
                matches!(ended.status.code(), Some(1 | 4)) && record.is_none() && records.is_empty();
            if for_all {
                // Wrong use, or a machine that cannot measure: the others would say the same.
                return Err(error);
            }
            say(&format!("error: {error}"));
            failures.push(number.to_string());
        }
        records.extend(record);
    }
    let Some(mut record) = combine(&records, processes, arguments.options.target_precision_pct) else {
        return Err(Error::new(ErrorKind::Input, format!("none of {processes} processes gave a result"))
            .because("each ended before it had written its record")
            .remedy("see what each said above, or measure without --processes"));
    };
    record.settings.insert("processes".to_owned(), Scalar::from(processes as u64));
    record.settings.insert("seed".to_owned(), Scalar::from(arguments.options.seed));
    let mut groups = Vec::with_capacity(record.results.len());
    let mut counters = Vec::with_capacity(record.results.len());
    for result in &mut record.results {
        let entry = entries.iter().find(|entry| entry.id == result.id);
        if let Some(entry) = entry {
            rates::count(result, entry.facts.elements, entry.facts.bytes);
        }
        groups.push(entry.and_then(|entry| entry.relative_to));
        counters.push(entry.map_or_else(Vec::new, |entry| {
            entry.facts.counters.iter().map(|(name, _)| name.clone()).collect()
        }));
    }
    rates::relate(&mut record.results, &groups);
    // Which there are, the first process says; what they cost, all of them.
    #[cfg(feature = "explore")]
    crate::explore::settle(&mut record)?;
    let failure = (!failures.is_empty()).then(|| {
        Error::new(ErrorKind::Input, format!("{} of {processes} processes failed", failures.len()))
            .because(format!("number {}: what each said is above", failures.join(", ")))
            .remedy("the results are those of the others; mend what fails and run again")
    });
    let limits = limits(entries.iter().map(|entry| (entry.id.as_str(), &entry.facts)));
    Ok(Measured { record, groups, counters, limits, failure })
}

/// The same arguments for one of the processes: what it is goes before anything that is no option.
fn with_worker(given: &[OsString], seed: u64) -> Vec<OsString> {
    let options = given.iter().position(|argument| argument == "--").unwrap_or(given.len());
    let mut arguments = given.to_vec();
    arguments.insert(options, format!("--worker={seed}").into());
    arguments
}

/// A process that measures; it is ended when this is dropped.
struct Running {
    child: Child,
    printed: Option<JoinHandle<Vec<u8>>>,
    said: Option<JoinHandle<Vec<u8>>>,
}

/// What a process left.
struct Ended {
    status: ExitStatus,
    printed: Vec<u8>,
    said: Vec<u8>,
}

impl Running {
    fn start(command: &mut Command) -> Result<Self> {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| {
            let program = command.get_program().to_string_lossy().into_owned();
            Error::new(ErrorKind::Io, format!("{} could not be started: {error}", brief(&program)))
                .because("--processes starts this program anew for each process")
                .remedy("measure without --processes, or allow it to start processes")
                .caused_by(error)
        })?;
        let printed = child.stdout.take().map(|pipe| thread::spawn(|| all_of(pipe, u64::MAX)));
        let said = child.stderr.take().map(|pipe| thread::spawn(|| all_of(pipe, MAX_SAID)));
        Ok(Self { child, printed, said })
    }

    fn wait(mut self, interrupt: &Interrupt) -> Result<Ended> {
        let mut asked_at: Option<Instant> = None;
        let mut asked_it = false;
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) => {}
                Err(error) => {
                    return Err(Error::new(
                        ErrorKind::Io,
                        format!("a process could not be waited for: {error}"),
                    )
                    .because("its results cannot be had")
                    .remedy("run again")
                    .caused_by(error));
                }
            }
            if interrupt.asked() {
                let waited = asked_at.get_or_insert_with(Instant::now).elapsed();
                if waited >= ASK_AFTER && !asked_it {
                    asked_it = true;
                    self.signal(Signal::SIGTERM);
                }
                if waited >= END_AFTER {
                    self.signal(Signal::SIGKILL);
                }
            }
            thread::sleep(LOOK_EVERY);
        };
        let read =
            |pipe: Option<JoinHandle<Vec<u8>>>| pipe.and_then(|pipe| pipe.join().ok()).unwrap_or_default();
        Ok(Ended { status, printed: read(self.printed.take()), said: read(self.said.take()) })
    }

    fn signal(&self, signal: Signal) {
        // Gone already is what is wanted.
        let _ = i32::try_from(self.child.id()).map(|pid| kill(Pid::from_raw(pid), signal));
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Without effect on one that has ended and was waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads to the end, so that the other side is never held up, and keeps the first `most` bytes.
fn all_of(mut pipe: impl Read, most: u64) -> Vec<u8> {
    let mut kept = Vec::new();
    // What was read before an error is what there is.
    let _ = pipe.by_ref().take(most).read_to_end(&mut kept);
    let _ = std::io::copy(&mut pipe, &mut std::io::sink());
    kept
}

impl Ended {
    fn error(&self, number: usize, of: usize) -> Error {
        let how = match (self.status.code(), self.status.signal()) {
            (Some(code), _) => format!("exit status {code}"),
            (None, Some(signal)) => {
                let name =
                    Signal::try_from(signal).map_or_else(|_| signal.to_string(), |name| name.to_string());
                format!("ended by {name}")
            }
            (None, None) => "no exit status".to_owned(),
        };
        let said = String::from_utf8_lossy(&self.said);
        let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let told = lines.iter().find_map(|line| line.strip_prefix("error: ")).or(lines.last().copied());
        let kind = if self.status.code() == Some(4) { ErrorKind::CannotMeasure } else { ErrorKind::Input };
        Error::new(kind, format!("process {number} of {of} failed: {how}"))
            .because(
                told.map_or_else(|| "it said nothing".to_owned(), |told| format!("it said: {}", inert(told))),
            )
            .remedy("run it alone, without --processes, to see it fail")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    #[test]
    fn what_a_process_is_stands_before_what_is_no_option() {
        let given = strings(&["--bench", "one", "--", "--odd-name"]);
        assert_eq!(with_worker(&given, 7), strings(&["--bench", "one", "--worker=7", "--", "--odd-name"]));
        assert_eq!(with_worker(&strings(&["--bench"]), 1), strings(&["--bench", "--worker=1"]));
    }

    #[test]
    fn a_failure_is_named_by_what_it_said_and_how_it_ended() {
        let ended = Ended {
            status: ExitStatus::from_raw(9),
            printed: Vec::new(),
            said: b"note: something\nerror: the kernel \x1b[2J panicked\nmore\n".to_vec(),
        };
        let text = ended.error(2, 5).to_string();
        assert!(text.contains("process 2 of 5 failed: ended by SIGKILL"), "{text}");
        assert!(text.contains("the kernel \\u{1b}[2J panicked"), "{text}");
    }
}
