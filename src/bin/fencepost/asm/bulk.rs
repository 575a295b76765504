//! What does each block of a list cost? A CSV file of hex, one JSON object a block: a number or a refusal, none lost.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::path::Path;

use fencepost::asm::{Block, Job, Measured, default_fill, features, hex, measure};
use fencepost::error::{Error, ErrorKind, ExitStatus, Result};
use fencepost::record::text::{elide, inert};
use fencepost::record::{BenchmarkResult, Verdict};
use fencepost::sampling::Continue;
use serde_json::{Map, Value, json};

use super::lab::{Bench, Budget, Measuring, Pace};
use super::refused;

/// Blocks that are measured together: they see the same machine, and wait for one another's retries.
const TOGETHER: usize = 8;

/// Blocks a second that are aimed at. Quiet stretches take less time, which busy ones may use; results that were contended are measured a
/// second time.
const PACE: f64 = 40.0;

/// How often a block that did not converge is measured again while there is time in hand.
const AGAIN: usize = 2;

/// What a row of the file came to.
struct Row {
    at: usize,
    hex: String,
    bytes: Vec<u8>,
    outcome: Outcome,
}

enum Outcome {
    Waiting(Job),
    Done(Value),
}

/// Runs `--hex-file`.
///
/// # Errors
///
/// `Io` where the file cannot be read, `CannotMeasure` where this machine cannot; never for a block.
pub(super) fn run(path: &Path, measuring: &Measuring) -> Result<ExitStatus> {
    let shown = elide(&inert(&path.to_string_lossy()), 120);
    let file = File::open(path).map_err(|error| {
        Error::new(ErrorKind::Io, format!("\"{shown}\" cannot be read: {error}"))
            .remedy("check the path and its permissions")
            .caused_by(error)
    })?;
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(io::BufReader::new(file));
    let mut bench = Bench::new(measuring, Pace::Brisk)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut tally = Tally { shown: io::stderr().is_terminal(), ..Tally::default() };
    let mut rows: Vec<Row> = Vec::new();
    let mut record = csv::ByteRecord::new();
    let mut at = 0;
    loop {
        let more = reader.read_byte_record(&mut record).map_err(|error| {
            Error::new(ErrorKind::Io, format!("\"{shown}\" cannot be read on: {error}")).caused_by(error)
        })?;
        if more {
            let field = record.get(0).unwrap_or_default();
            let text = String::from_utf8_lossy(field).trim().to_owned();
            if at == 0 && is_heading(&text) {
                let _ = writeln!(
                    io::stderr().lock(),
                    "note: the first row, \"{}\", is taken for a heading",
                    inert(&text)
                );
                continue;
            }
            rows.push(row(at, text));
            at += 1;
        }
        let waiting = rows.iter().filter(|row| matches!(row.outcome, Outcome::Waiting(_))).count();
        if waiting >= TOGETHER || !more && !rows.is_empty() {
            bench.give_each(tally.budget.share(tally.all() + waiting, waiting))?;
            settle(&mut bench, &mut rows, &tally)?;
            for row in rows.drain(..) {
                if let Outcome::Done(value) = row.outcome {
                    tally.count(&value);
                    match writeln!(out, "{value}").and_then(|()| out.flush()) {
                        // A reader that has gone has what it wanted.
                        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                            return Ok(ExitStatus::Done);
                        }
                        Err(error) => {
                            return Err(Error::new(
                                ErrorKind::Io,
                                format!("standard output could not be written: {error}"),
                            )
                            .remedy("make room or choose another place, and run again")
                            .caused_by(error));
                        }
                        Ok(()) => {}
                    }
                }
            }
            tally.say();
        }
        if !more {
            break;
        }
    }
    tally.finish();
    let strict = measuring.strict && tally.converged < tally.numbers;
    Ok(if strict { ExitStatus::NotConverged } else { ExitStatus::Done })
}

fn is_heading(text: &str) -> bool {
    !text.is_empty()
        && text.len() < 40
        && text.chars().any(|one| one.is_ascii_alphabetic() && !one.is_ascii_hexdigit() && one != 'x')
}

fn row(at: usize, text: String) -> Row {
    let id = format!("{at}/loop");
    let (bytes, outcome) = match hex(&text) {
        Err(error) => {
            let value = json!({ "class": "undecodable", "instruction": null, "offset": null, "detail": error.to_string() });
            (Vec::new(), Outcome::Done(refused_row(at, &text, value)))
        }
        Ok(bytes) => {
            let checked = Block::decode(&bytes).and_then(|block| block.check(&features()).map(|()| block));
            let outcome = match checked {
                Err(refusal) => Outcome::Done(refused_row(at, &text, refused::object(&refusal, &bytes))),
                Ok(block) => Outcome::Waiting(Job::block(id, block.program(default_fill()))),
            };
            (bytes, outcome)
        }
    };
    Row { at, hex: text, bytes, outcome }
}

/// Measures what waits, and again what did not converge if the blocks so far were quicker than they had to be.
fn settle(bench: &mut Bench, rows: &mut [Row], tally: &Tally) -> Result<()> {
    let jobs: Vec<Job> = rows
        .iter()
        .filter_map(|row| match &row.outcome {
            Outcome::Waiting(job) => Some(job.clone()),
            Outcome::Done(_) => None,
        })
        .collect();
    let all = |bench: &mut Bench, jobs: Vec<Job>| {
        let (lab, engine) = bench.parts();
        measure(lab, engine, jobs, &mut |_| Continue::Yes)
    };
    let mut measured = all(bench, jobs.clone())?;
    for _ in 0..AGAIN {
        let again: Vec<usize> =
            (0..jobs.len()).filter(|at| measured.get(*at).is_some_and(wants_more)).collect();
        let share = tally.budget.share(tally.all() + jobs.len(), again.len());
        if again.is_empty() || !bench.gives_all(share) {
            break;
        }
        bench.give_each(share)?;
        let anew = all(bench, again.iter().filter_map(|at| jobs.get(*at).cloned()).collect())?;
        for (at, result) in again.into_iter().zip(anew) {
            if let (Some(slot), Ok(BenchmarkResult { verdict: Verdict::Converged, .. })) =
                (measured.get_mut(at), &result)
            {
                *slot = result;
            }
        }
    }
    let mut measured = measured.into_iter();
    for row in rows {
        if matches!(row.outcome, Outcome::Waiting(_)) {
            row.outcome = Outcome::Done(match measured.next() {
                Some(Ok(result)) => number_row(row.at, &row.hex, &result),
                Some(Err(refusal)) => refused_row(row.at, &row.hex, refused::object(&refusal, &row.bytes)),
                None => {
                    refused_row(row.at, &row.hex, json!({ "class": "trap", "detail": "it was not measured" }))
                }
            });
        }
    }
    Ok(())
}

/// Whether a machine that is quieter now could measure it better. Two costs in one run are what they are.
fn wants_more(measured: &Measured) -> bool {
    let verdict = measured.as_ref().map(|result| result.verdict);
    matches!(verdict, Ok(Verdict::Contended | Verdict::MinimumsUnmet | Verdict::Imprecise))
}

fn begun(at: usize, hex: &str) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("index".to_owned(), json!(at));
    fields.insert("hex".to_owned(), json!(hex));
    fields
}

fn refused_row(at: usize, hex: &str, error: Value) -> Value {
    let mut fields = begun(at, hex);
    fields.insert("error".to_owned(), error);
    Value::Object(fields)
}

fn number_row(at: usize, hex: &str, result: &BenchmarkResult) -> Value {
    let mut fields = begun(at, hex);
    let cycles = result.cycles.as_ref();
    fields.insert("cycles".to_owned(), json!(cycles.map(|one| one.estimate)));
    fields.insert("lo".to_owned(), json!(cycles.map(|one| one.lo)));
    fields.insert("hi".to_owned(), json!(cycles.map(|one| one.hi)));
    fields.insert("ticks".to_owned(), json!(result.ticks.estimate));
    fields.insert("verdict".to_owned(), json!(result.verdict.as_str()));
    fields.insert("upper_bound".to_owned(), json!(result.upper_bound));
    Value::Object(fields)
}

#[derive(Debug)]
struct Tally {
    shown: bool,
    budget: Budget,
    numbers: usize,
    converged: usize,
    refusals: std::collections::BTreeMap<String, usize>,
}

impl Default for Tally {
    fn default() -> Self {
        let budget = Budget::new(PACE, 0.0);
        Self { shown: false, budget, numbers: 0, converged: 0, refusals: Default::default() }
    }
}

impl Tally {
    fn count(&mut self, row: &Value) {
        match row.get("error").and_then(|error| error.get("class")).and_then(Value::as_str) {
            Some(class) => *self.refusals.entry(class.to_owned()).or_default() += 1,
            None => {
                self.numbers += 1;
                self.converged += usize::from(row["verdict"] == Verdict::Converged.as_str());
            }
        }
    }

    fn all(&self) -> usize {
        self.numbers + self.refusals.values().sum::<usize>()
    }

    fn rate(&self) -> f64 {
        self.all() as f64 / self.budget.elapsed_secs().max(1e-9)
    }

    fn say(&self) {
        if self.shown {
            let _ = write!(io::stderr().lock(), "\r\x1b[K{} blocks, {:.0} a second", self.all(), self.rate());
        }
    }

    fn finish(&self) {
        let clear = if self.shown { "\r\x1b[K" } else { "" };
        let refusals: Vec<String> = self
            .refusals
            .iter()
            .map(|(class, count)| format!("{count} {}", class.replace('_', " ")))
            .collect();
        let refusals =
            if refusals.is_empty() { String::new() } else { format!("; refused: {}", refusals.join(", ")) };
        let _ = writeln!(
            io::stderr().lock(),
            "{clear}{} blocks in {:.1} s ({:.0} a second): {} numbers, {} of them converged{refusals}",
            self.all(),
            self.budget.elapsed_secs(),
            self.rate(),
            self.numbers,
            self.converged
        );
    }
}
