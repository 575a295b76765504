//! What do two whole commands cost, run by run?

use std::ffi::OsString;

use fencepost::error::{Error, ErrorKind, Result};
use fencepost::record::text;

use super::child::{self, End, Finished, Stdout, shown};
use super::order::{Both, Side, order};
use super::{Plan, Progress};

/// All runs of both commands.
pub(crate) struct Runs {
    pub(crate) commands: Both<Vec<OsString>>,
    /// One a round, as long as there were any.
    pub(crate) runs: Both<Vec<Finished>>,
    /// Who went first, a round.
    pub(crate) firsts: Vec<Side>,
    /// The user stopped it.
    pub(crate) interrupted: bool,
}

impl Runs {
    /// The command as it was given.
    pub(crate) fn command(&self, side: Side) -> String {
        let words: Vec<String> =
            self.commands.of(side).iter().map(|word| quoted(&word.to_string_lossy())).collect();
        words.join(" ")
    }
}

/// Runs both commands as planned.
///
/// # Errors
///
/// `Usage` if one cannot be started, or fails and `allow_failure` is not given.
pub(crate) fn collect(
    commands: Both<Vec<OsString>>,
    stdout: Stdout,
    allow_failure: bool,
    plan: &Plan,
) -> Result<Runs> {
    let mut runs = Runs { commands, runs: Both::default(), firsts: Vec::new(), interrupted: false };
    let progress = Progress::new();
    let shows = stdout != Stdout::Inherit;
    let warmups = (0..plan.warmup).map(|_| (true, Side::Before));
    let rounds = order(plan.rounds, plan.seed).into_iter().map(|first| (false, first));
    for (number, (warmup, first)) in warmups.chain(rounds).enumerate() {
        let mut pair = Vec::with_capacity(2);
        for side in [first, first.other()] {
            if shows {
                let (what, at) = if warmup { ("warm-up", number) } else { ("round", number - plan.warmup) };
                progress.say(&format!("{what} {}, {}", at + 1, side.name()));
            }
            let Some((program, args)) = runs.commands.of(side).split_first() else { continue };
            let Some(finished) = child::run(program, args, stdout, plan.timeout)? else {
                runs.interrupted = true;
                return Ok(runs);
            };
            if finished.end != End::Exit(0) && !allow_failure {
                drop(progress);
                return Err(failed(&runs, side, &finished));
            }
            pair.push((side, finished));
        }
        // Half a round is not kept: the runs stay pairs.
        if !warmup {
            for (side, finished) in pair {
                runs.runs.of_mut(side).push(finished);
            }
            runs.firsts.push(first);
        }
    }
    Ok(runs)
}

fn failed(runs: &Runs, side: Side, finished: &Finished) -> Error {
    let Some(program) = runs.commands.of(side).first() else {
        return Error::new(ErrorKind::Usage, "a command has no words");
    };
    let said = finished.stderr.lines().rev().find(|line| !line.trim().is_empty());
    let said = said.map_or_else(String::new, |line| format!(", and it said: {}", text::inert(line)));
    let what = format!("{} ({}) failed: {}{said}", shown(program), side.name(), finished.end);
    let remedy = match finished.end {
        End::TimedOut(_) => "give more with --timeout, or a smaller task",
        End::Exit(_) | End::Signal(_) => "mend it, or give --allow-failure to count its exit statuses",
    };
    Error::new(ErrorKind::Usage, what)
        .because("a run that fails does not do the work that is compared")
        .remedy(remedy)
}

/// A word as a shell would need it, for reading alone.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+%@^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
