//! What was asked for of `--mode cachegrind`? Its own options, read and checked.

use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::time::Duration;

use super::options::Mode;
use crate::cachegrind::{Caches, CountLimits, Task, Weights};
use crate::error::{Error, ErrorKind, Result};
use crate::record::inert;

/// Something that is given, or that of the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Given<T> {
    /// This.
    This(T),
    /// What this machine has.
    Host,
}

/// The options of counting.
#[derive(Debug, Default)]
pub(super) struct CountingArguments {
    pub(super) jobs: Option<usize>,
    pub(super) cache: Option<Given<Caches>>,
    pub(super) branch_sim: bool,
    pub(super) weights: Option<Given<Weights>>,
    /// The two that are to be explained.
    pub(super) explain: Option<(String, String)>,
    pub(super) annotate: bool,
    pub(super) calibrate: bool,
    pub(super) allow_aslr: bool,
    pub(super) time_limit: Option<Duration>,
    pub(super) limits: Option<CountLimits>,
    /// This process is one that is counted: the name of what it runs.
    one: Option<String>,
    task: Option<Task>,
    first: Option<String>,
}

const NAMES: [&str; 11] = [
    "jobs",
    "cache",
    "branch-sim",
    "weights",
    "explain",
    "annotate",
    "calibrate",
    "allow-aslr",
    "time-limit",
    "count-one",
    "count-task",
];

fn refused(name: &str, value: &str, why: &str, remedy: &str) -> Error {
    Error::new(ErrorKind::Usage, format!("--{name} is {:?}", inert(value))).because(why).remedy(remedy)
}

impl CountingArguments {
    /// Whether it is one of these options.
    pub(super) fn knows(&self, name: &str) -> bool {
        NAMES.contains(&name)
    }

    /// Whether a limit is one of counts.
    pub(super) fn is_limit(&self, value: &OsStr) -> bool {
        value.to_str().is_some_and(CountLimits::is_meant)
    }

    /// The first value of an option that has two.
    pub(super) fn explain_first(&mut self, value: String) {
        self.first = Some(value);
    }

    /// Takes an option that [`knows`](Self::knows) knows, or a limit.
    pub(super) fn take(&mut self, name: &str, value: String) -> Result<()> {
        match name {
            "limit" => self.limits = Some(value.parse()?),
            "jobs" => {
                let jobs = value.parse::<NonZeroUsize>().map_err(|_| {
                    refused(name, &value, "so many are counted at a time", "give a whole number, at least 1")
                })?;
                self.jobs = Some(jobs.get());
            }
            "cache" if value == "host" => self.cache = Some(Given::Host),
            "cache" => self.cache = Some(Given::This(value.parse()?)),
            "branch-sim" => self.branch_sim = true,
            "weights" if value == "host" => self.weights = Some(Given::Host),
            "weights" => self.weights = Some(Given::This(weights(name, &value)?)),
            "explain" => self.explain = self.first.take().map(|first| (first, value)),
            "annotate" => self.annotate = true,
            "calibrate" => self.calibrate = true,
            "allow-aslr" => self.allow_aslr = true,
            "time-limit" => {
                let seconds = value.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
                let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                self.time_limit = Some(limit.ok_or_else(|| {
                    refused(name, &value, "it takes a number of seconds above 0", "give for example 60")
                })?);
            }
            "count-one" => self.one = Some(value),
            "count-task" => {
                let why = "it is for the process that is counted";
                let task = Task::from_word(&value);
                self.task =
                    Some(task.ok_or_else(|| refused(name, &value, why, "give --mode cachegrind alone"))?);
            }
            _ => {}
        }
        Ok(())
    }

    /// What this process is to run and to be counted at, if it is one that is counted.
    pub(super) fn counted_here(&self) -> Option<(&str, Task)> {
        Some((self.one.as_deref()?, self.task.unwrap_or(Task::Parts)))
    }

    /// What no option can tell alone.
    pub(super) fn check(&self, mode: Mode, limits_times: bool) -> Result<()> {
        let counts = mode == Mode::Cachegrind;
        if counts && limits_times {
            return Err(Error::new(ErrorKind::Usage, "--limit is one of times")
                .because("mode cachegrind counts and times nothing")
                .remedy("say which count is limited, such as instructions=1%,estimated=2%"));
        }
        if !counts && self.limits.is_some() {
            return Err(Error::new(ErrorKind::Usage, "--limit is one of counts")
                .because(format!("mode {} counts nothing", mode.name()))
                .remedy("give --mode cachegrind, or a limit of times such as 5%"));
        }
        Ok(())
    }
}

fn weights(name: &str, value: &str) -> Result<Weights> {
    let numbers: Option<Vec<f64>> = value.split(',').map(|number| number.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[l1, l2, ram]) if [l1, l2, ram].iter().all(|weight| weight.is_finite() && *weight >= 0.0) => {
            Ok(Weights { l1, l2, ram })
        }
        _ => {
            let why = "it takes what an access to L1, L2 and RAM costs";
            Err(refused(name, value, why, "give three numbers, such as 4,12,300, or host"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_three_numbers() {
        assert_eq!(weights("weights", "4, 12,300").unwrap(), Weights { l1: 4.0, l2: 12.0, ram: 300.0 });
        for odd in ["", "1,2", "1,2,3,4", "1,2,x", "1,-2,3", "1,2,inf"] {
            assert!(weights("weights", odd).unwrap_err().to_string().contains("three numbers"), "{odd}");
        }
    }
}
