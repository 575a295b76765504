//! What does the process do that runs under Valgrind? It runs one benchmark, and around it the same harness with nothing in it, and
//! has each count written to a file of its own.

use std::ffi::CString;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};

use super::requests::{dump, is_under_valgrind, toggle_collect, zero};
use crate::alloc::framed;
use crate::error::{Error, ErrorKind, Result};
use crate::harness::{SingleShot, TimedLoop};
use crate::lab::Benchmark;
use crate::record::Kind;

/// What a count is of. The name is part of the label of its dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The first call in the process, with caches and predictors as the start of the program left them.
    First,
    /// One call, after warming.
    Single,
    /// Two calls.
    Pair,
    /// Some calls.
    Once,
    /// Twice as many.
    Twice,
    /// The harness with nothing in it, as `First`.
    FloorFirst,
    /// As `Pair`.
    FloorPair,
    /// As `Once`.
    FloorOnce,
    /// As `Twice`.
    FloorTwice,
}

impl Part {
    const ALL: [Part; 9] = [
        Part::First,
        Part::Single,
        Part::Pair,
        Part::Once,
        Part::Twice,
        Part::FloorFirst,
        Part::FloorPair,
        Part::FloorOnce,
        Part::FloorTwice,
    ];

    fn name(self) -> &'static str {
        match self {
            Part::First => "first",
            Part::Single => "single",
            Part::Pair => "pair",
            Part::Once => "once",
            Part::Twice => "twice",
            Part::FloorFirst => "floor-first",
            Part::FloorPair => "floor-pair",
            Part::FloorOnce => "floor-once",
            Part::FloorTwice => "floor-twice",
        }
    }
}

/// What the process that is counted tells the one that started it, as the label of a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) part: Part,
    pub(super) calls: u64,
    pub(super) ops: u64,
    pub(super) inputs: Option<u64>,
    pub(super) kind: Kind,
    /// The whole slice was counted, because the loop shows no region.
    pub(super) whole: bool,
}

impl Label {
    pub(super) fn text(&self) -> String {
        let Label { part, calls, ops, inputs, kind, whole } = self;
        let inputs = inputs.map_or_else(|| "-".to_owned(), |inputs| inputs.to_string());
        format!("fencepost/1 {} {calls} {ops} {inputs} {} {whole}", part.name(), kind.as_str())
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let ["fencepost/1", part, calls, ops, inputs, kind, whole] = words[..] else { return None };
        Some(Label {
            part: Part::ALL.into_iter().find(|known| known.name() == part)?,
            calls: calls.parse().ok()?,
            ops: ops.parse().ok().filter(|ops| *ops > 0)?,
            inputs: if inputs == "-" { None } else { Some(inputs.parse().ok()?) },
            kind: Kind::from_word(kind)?,
            whole: whole.parse().ok()?,
        })
    }
}

/// What a process is to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// All parts, by client requests to callgrind.
    Parts,
    /// Each loop so many times as long: the benchmark's and the empty one.
    Times {
        /// The benchmark's.
        body: u8,
        /// The empty one.
        floor: u8,
    },
}

impl Task {
    /// The process in which the benchmark goes on for longer.
    pub(super) const BODY: Task = Task::Times { body: 2, floor: 1 };
    /// The process in which the empty loop does.
    pub(super) const EMPTY: Task = Task::Times { body: 1, floor: 2 };

    /// The word of the hidden argument. Reading it takes as many instructions for either of two processes whose counts are subtracted.
    pub(crate) fn word(self) -> String {
        match self {
            Task::Parts => "parts".to_owned(),
            Task::Times { body, floor } => format!("times-{body}{floor}"),
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        let digits = match word.strip_prefix("times-") {
            None => return (word == "parts").then_some(Task::Parts),
            Some(digits) => digits.as_bytes(),
        };
        let &[body, floor] = digits else { return None };
        Some(Task::Times { body: body.wrapping_sub(b'0') & 3, floor: floor.wrapping_sub(b'0') & 3 })
    }
}

/// Instructions that a count may go on for: some tenths of a second under Valgrind.
const BUDGET: u64 = 2_000_000;
/// Calls of something short.
const CALLS: u64 = 1024;

/// Runs `benchmark` as `task` says. What is counted ends up in Valgrind's files.
pub(crate) fn count_here(benchmark: &mut Benchmark<'_>, ops: u64, task: Task) -> Result<()> {
    if !is_under_valgrind() {
        return Err(Error::new(
            ErrorKind::Usage,
            "this process is to be counted and does not run under Valgrind",
        )
        .because("the argument that says so is for the process that --mode cachegrind starts")
        .remedy("give --mode cachegrind instead"));
    }
    // Gone with the one that started it. Where that is not to be had, it looks after us all the same.
    let _ = nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL);
    let kind = benchmark.kind();
    let inputs = benchmark.inputs().map(|inputs| inputs as u64);
    let mut alone = (kind == Kind::SingleShot).then(|| SingleShot::new(&[0u64], |_: &u64| ())).flatten();
    let (body, floor) = benchmark.loops();
    let floor = floor.or(alone.as_mut().map(|alone| alone as &mut dyn TimedLoop));
    let label = Label { part: Part::First, calls: 1, ops, inputs, kind, whole: false };
    match task {
        Task::Parts => parts(body, floor, label),
        Task::Times { body: of_body, floor: of_floor } => {
            calibrated((body, of_body), (floor, of_floor), label);
            Ok(())
        }
    }
}

fn parts(body: &mut dyn TimedLoop, floor: Option<&mut dyn TimedLoop>, first: Label) -> Result<()> {
    zero();
    let regions = framed(toggle_collect, || run(body, 1));
    let mut label = Label { whole: regions == 0, ..first };
    if label.whole {
        counted(body, 1, true);
    }
    write(&label)?;
    let spent = counted_instructions(1)?;
    let most = floor.as_ref().map_or(u64::MAX, |floor| floor.most()).min(body.most());
    label.calls = calls(spent, body.granule(), most, label.inputs);
    let once = |body: &mut dyn TimedLoop, part: Part, calls: u64| {
        counted(body, calls, label.whole);
        write(&Label { part, calls, ..label })
    };
    // Where a single call is all there is to count, it and a pair are what is counted below.
    let is_short = label.calls > 1;
    if is_short {
        run(body, label.calls.saturating_mul(2));
        once(body, Part::Single, 1)?;
        once(body, Part::Pair, 2)?;
    }
    once(body, Part::Once, label.calls)?;
    once(body, Part::Twice, label.calls.saturating_mul(2))?;
    if let Some(floor) = floor {
        once(floor, Part::FloorFirst, 1)?;
        run(floor, label.calls.saturating_mul(2));
        if is_short {
            once(floor, Part::FloorPair, 2)?;
        }
        once(floor, Part::FloorOnce, label.calls)?;
        once(floor, Part::FloorTwice, label.calls.saturating_mul(2))?;
    }
    Ok(())
}

/// How often to call something of which one call executed `spent` instructions, so that twice as many still fit.
fn calls(spent: u64, granule: u64, most: u64, inputs: Option<u64>) -> u64 {
    let all = inputs.map_or(1, |inputs| common_multiple(inputs, granule));
    // One that makes a single call at a time is called as often as is wanted.
    let fits = if most <= 1 { u64::MAX } else { most / 2 };
    let calls = CALLS.max(all).min(BUDGET / spent.max(1)).min(fits).max(1);
    let step = if calls >= all && all > 1 { all } else { granule.max(1) };
    if calls >= step { calls / step * step } else { calls }
}

/// The least common multiple of how many inputs there are and a granule that is a power of two.
fn common_multiple(inputs: u64, granule: u64) -> u64 {
    let (inputs, granule) = (inputs.max(1), granule.max(1));
    inputs.saturating_mul(granule >> inputs.trailing_zeros().min(granule.trailing_zeros()))
}

fn run(body: &mut dyn TimedLoop, calls: u64) {
    if body.most() <= 1 {
        (0..calls).for_each(|_| {
            body.run(1);
        });
    } else {
        body.run(calls);
    }
}

fn counted(body: &mut dyn TimedLoop, calls: u64, whole: bool) {
    if whole {
        toggle_collect();
        run(body, calls);
        toggle_collect();
    } else {
        framed(toggle_collect, || run(body, calls));
    }
}

/// Has what was collected written under this label.
fn write(label: &Label) -> Result<()> {
    let text = CString::new(label.text()).map_err(|_| {
        Error::new(ErrorKind::Input, "a dump's label holds a zero").because("its end could not be told")
    })?;
    dump(&text);
    Ok(())
}

/// The instructions in the dump of this number. Standard input is the directory of the dumps: so neither the arguments nor the
/// environment, whose lengths move the stack, hold its path.
fn counted_instructions(dump: u32) -> Result<u64> {
    let path = format!("/proc/self/fd/0/{}.{dump}", super::place::CALLGRIND);
    let mut end = [0u8; 512];
    let read = File::open(&path).and_then(|mut file| {
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(length.saturating_sub(end.len() as u64)))?;
        file.read(&mut end)
    });
    let told = |error: Error| {
        error
            .because("it decides how often the benchmark is called")
            .remedy("run it again; if this stays, count with --calibrate")
    };
    let read = read.map_err(|error| {
        told(
            Error::new(ErrorKind::Io, format!("the first count could not be read: {error}")).caused_by(error),
        )
    })?;
    let text = String::from_utf8_lossy(end.get(..read).unwrap_or_default());
    let totals = text.lines().rev().find_map(|line| line.strip_prefix("totals:"));
    totals
        .and_then(|counts| counts.split_whitespace().next()?.parse().ok())
        .ok_or_else(|| told(Error::new(ErrorKind::Input, "the first count has no totals")))
}

/// Calls of what is calibrated, for which nothing is known of the cost of one.
fn calibrated_calls(granule: u64, most: u64, inputs: Option<u64>) -> u64 {
    const MOST: u64 = 4096;
    let all = inputs.map_or(1, |inputs| common_multiple(inputs, granule));
    let calls = if all <= MOST { all.max(granule) } else { granule };
    calls.min(if most <= 1 { u64::MAX } else { most / 2 }).max(1)
}

/// Two processes that differ in one thing: which of two loops, the benchmark's or the empty one, goes on for twice as long.
fn calibrated(
    (body, of_body): (&mut dyn TimedLoop, u8),
    (floor, of_floor): (Option<&mut dyn TimedLoop>, u8),
    label: Label,
) {
    let most = floor.as_ref().map_or(u64::MAX, |floor| floor.most()).min(body.most());
    let calls = calibrated_calls(body.granule(), most, label.inputs);
    run(body, calls);
    run(body, calls.saturating_mul(of_body.into()));
    if let Some(floor) = floor {
        run(floor, calls);
        run(floor, calls.saturating_mul(of_floor.into()));
    }
    // For whoever reads the two files: what the difference is to be divided by.
    println!("\n{}", Label { calls, ..label }.text());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_come_back_as_they_were_written() {
        let label = Label {
            part: Part::FloorTwice,
            calls: 2048,
            ops: 3,
            inputs: Some(1000),
            kind: Kind::ReciprocalThroughput,
            whole: false,
        };
        assert_eq!(Label::parse(&label.text()), Some(label));
        let label = Label { inputs: None, kind: Kind::Loop, whole: true, part: Part::First, ..label };
        assert_eq!(Label::parse(&label.text()), Some(label));
        for foreign in ["", "first", "fencepost/1 first 1 0 - loop true", "fencepost/2 first 1 1 - loop true"]
        {
            assert_eq!(Label::parse(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn tasks_come_back_as_they_were_written() {
        for task in [Task::Parts, Task::BODY, Task::EMPTY] {
            assert_eq!(Task::from_word(&task.word()), Some(task));
        }
        assert_eq!(Task::BODY.word().len(), Task::EMPTY.word().len());
        assert!(["", "part", "times-", "times-123"].iter().all(|word| Task::from_word(word).is_none()));
    }

    #[test]
    fn short_calls_are_made_often_and_long_ones_once() {
        assert_eq!(calls(60, 16, u64::MAX, None), 1024);
        assert_eq!(calls(26_000_000, 16, u64::MAX, None), 1);
        assert_eq!(calls(60, 16, u64::MAX, Some(1000)), 2000, "every input as often");
        assert_eq!(calls(60, 16, u64::MAX, Some(5)), 1024 / 80 * 80);
        assert_eq!(calls(100_000, 16, u64::MAX, Some(1000)), 16, "no more than a whole turn fits");
        assert_eq!(calls(60, 1, 64, None), 32, "and twice as many fit in a batch");
        assert_eq!(calls(60, 1, 1, Some(3)), 1023);
        assert_eq!(calls(0, 0, 0, Some(0)), 1024);
        assert_eq!(calls(u64::MAX, u64::MAX, u64::MAX, Some(u64::MAX)), 1);
    }
}
