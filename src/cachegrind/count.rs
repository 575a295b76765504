//! How are benchmarks counted? One start of Valgrind for each, as many side by side as are wanted.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::caches::Caches;
use super::child::{Label, Part, Task};
use super::outfile::OutFile;
use super::parts::{Outcome, Parts};
use super::place::{self, CACHEGRIND, CACHEGRIND_EMPTY, CALLGRIND};
use super::process::{self, Ended, Watch};
use super::routines::library_routines;
use super::summary::Weights;
use super::valgrind::{How, Tool, Valgrind};
use crate::error::{Error, ErrorKind, Result};
use crate::record::inert;

/// What is to be counted, and how.
pub(crate) struct Plan<'p> {
    pub(crate) valgrind: &'p Valgrind,
    /// The bench program, which is started anew for each benchmark.
    pub(crate) program: &'p Path,
    pub(crate) ids: &'p [String],
    /// How a process is told what it is.
    pub(crate) arguments: &'p (dyn Fn(&str, Task) -> Vec<OsString> + Sync),
    /// Whether the run is to stop.
    pub(crate) stop: &'p (dyn Fn() -> bool + Sync),
    pub(crate) caches: Caches,
    /// Whether branches are predicted, too.
    pub(crate) branches: bool,
    /// By cachegrind, and what an empty process counts taken off: two starts a benchmark.
    pub(crate) calibrate: bool,
    /// Whether addresses may be randomized.
    pub(crate) allow_aslr: bool,
    /// How many at a time.
    pub(crate) jobs: usize,
    /// What is given up after so long.
    pub(crate) limit: Duration,
    /// Weights beside 1, 5 and 35.
    pub(crate) weights: Option<Weights>,
}

/// What came of them.
#[derive(Debug)]
pub(crate) struct Tally {
    /// Each with its name, in their order.
    pub(crate) counted: Vec<(String, Result<Outcome>)>,
    /// How often Valgrind was started.
    pub(crate) starts: usize,
    pub(crate) elapsed: Duration,
    /// Not all were counted, because the run was stopped.
    pub(crate) stopped: bool,
    /// Why addresses could not be fixed.
    pub(crate) aslr: Option<String>,
}

impl Plan<'_> {
    /// Counts all of them.
    pub(crate) fn count(&self) -> Tally {
        let begun = Instant::now();
        let (next, starts) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let found = Mutex::new(Vec::new());
        let aslr = Mutex::new(None);
        thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, self.ids.len().max(1)) {
                scope.spawn(|| {
                    // Of this thread and what it starts; it ends with the run.
                    if !self.allow_aslr
                        && let Some(why) = process::fix_addresses()
                    {
                        *aslr.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
                    }
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(id) = self.ids.get(at).filter(|_| !(self.stop)()) else { break };
                        let outcome = match self.one(id, &starts) {
                            Ok(outcome) => Ok(outcome),
                            Err(Ended::Failed(error)) => Err(error),
                            Err(Ended::Stopped) => break,
                        };
                        found.lock().unwrap_or_else(PoisonError::into_inner).push((at, id.clone(), outcome));
                    }
                });
            }
        });
        let mut found: Vec<(usize, String, Result<Outcome>)> =
            found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|(at, ..)| *at);
        Tally {
            stopped: found.len() < self.ids.len(),
            counted: found.into_iter().map(|(_, id, outcome)| (id, outcome)).collect(),
            starts: starts.into_inner(),
            elapsed: begun.elapsed(),
            aslr: aslr.into_inner().unwrap_or_else(PoisonError::into_inner),
        }
    }

    fn one(&self, id: &str, starts: &AtomicUsize) -> std::result::Result<Outcome, Ended> {
        let begun = Instant::now();
        let directory = place::profiles(self.program).join(place::safe_name(id));
        let names: &[&str] = if self.calibrate { &[CACHEGRIND, CACHEGRIND_EMPTY] } else { &[CALLGRIND] };
        place::make_ready(&directory, names)?;
        let counted = if self.calibrate {
            self.calibrated(id, &directory, starts)
        } else {
            self.by_requests(id, &directory, starts)
        };
        let removed = place::remove_parts(&directory);
        let (parts, profile) = counted?;
        removed?;
        Ok(parts.outcome(self.weights.as_ref(), profile, begun.elapsed()))
    }

    fn start(
        &self,
        id: &str,
        (task, tool): (Task, Tool),
        (directory, out): (&Path, &str),
        starts: &AtomicUsize,
    ) -> std::result::Result<(), Ended> {
        starts.fetch_add(1, Ordering::Relaxed);
        let how = How { tool, caches: &self.caches, branches: self.branches };
        let arguments = (self.arguments)(id, task);
        let command = self.valgrind.command(&how, (directory, out), self.program, &arguments);
        process::run(command, id, directory, &Watch { limit: self.limit, stop: self.stop })
    }

    fn by_requests(
        &self,
        id: &str,
        directory: &Path,
        starts: &AtomicUsize,
    ) -> std::result::Result<(Parts, PathBuf), Ended> {
        self.start(id, (Task::Parts, Tool::Callgrind), (directory, CALLGRIND), starts)?;
        let mut parts = Parts::default();
        let profile = directory.join(CALLGRIND);
        for path in place::parts(directory)? {
            let file = OutFile::read(&path)?;
            let Some(label) = file.trigger.as_deref().and_then(Label::parse) else { continue };
            parts.creator = file.creator;
            parts.add(label, file.totals);
            if label.part == Part::Once {
                fs::rename(&path, &profile).map_err(|error| place::refused("rename", &path, error))?;
            }
        }
        if !parts.are_whole() {
            return Err(unfinished(id, directory).into());
        }
        parts.routines = library_routines(&profile);
        Ok((parts, profile))
    }

    fn calibrated(
        &self,
        id: &str,
        directory: &Path,
        starts: &AtomicUsize,
    ) -> std::result::Result<(Parts, PathBuf), Ended> {
        self.start(id, (Task::EMPTY, Tool::Cachegrind), (directory, CACHEGRIND_EMPTY), starts)?;
        self.start(id, (Task::BODY, Tool::Cachegrind), (directory, CACHEGRIND), starts)?;
        let profile = directory.join(CACHEGRIND);
        let body = OutFile::read(&profile)?;
        let empty = OutFile::read(&directory.join(CACHEGRIND_EMPTY))?;
        let output = directory.join(place::OUTPUT);
        let said = fs::read(&output).map_err(|error| place::refused("read", &output, error))?;
        let said = String::from_utf8_lossy(&said);
        let label = said.lines().rev().find_map(Label::parse).ok_or_else(|| unfinished(id, directory))?;
        let creator = Some(format!("cachegrind-{}", self.valgrind.version()));
        let mut parts = Parts::default();
        (parts.creator, parts.calibrated) = (creator, true);
        parts.add(Label { part: Part::Once, ..label }, empty.totals);
        parts.add(Label { part: Part::Twice, ..label }, body.totals);
        Ok((parts, profile))
    }
}

fn unfinished(id: &str, directory: &Path) -> Error {
    Error::new(ErrorKind::Input, format!("benchmark {:?} was not counted to its end", inert(id)))
        .because(format!(
            "its process ended early, without an error; the logs are in {}",
            inert(&directory.to_string_lossy())
        ))
        .remedy("see whether it calls exit, and leave it out with --skip if it has to")
}
