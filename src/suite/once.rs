//! Does each benchmark work? Each runs once, unmeasured, as test runners want it.

use super::arguments::{Arguments, Format};
use super::compare::Check;
use super::registry::Entry;
use super::run::{Measured, count, failure, say, tried};
use super::{outputs, versus};
use crate::baseline::Limits;
use crate::error::{Error, ErrorKind, ExitStatus, Result};
use crate::lab::machine_record;
use crate::machine::Machine;
use crate::output::emit;
use crate::record::{self, BenchmarkResult, Calibration, Estimate, Record, Scalar};

/// Runs each once. A panic fails its benchmark and no other.
pub(super) fn run<'a>(
    mut entries: Vec<Entry<'a>>,
    checks: Vec<Check<'a>>,
    arguments: &Arguments,
) -> Result<ExitStatus> {
    let machine = Machine::detect();
    if !machine.has_rdtscp() {
        return Err(Error::new(ErrorKind::CannotMeasure, "this CPU does not show RDTSCP")
            .because("every timed region is closed by it, also where nothing is measured")
            .remedy(
                "in a virtual machine, choose a CPU model that passes rdtscp through (for QEMU: -cpu host)",
            ));
    }
    let shown = matches!(arguments.format, Format::Text | Format::Terse);
    if arguments.format == Format::Text && !arguments.quiet {
        emit(&format!("running {} once; to measure, give --bench\n", count(entries.len())))?;
    }
    let asked_for = entries.len();
    let mut failed = versus::check(&mut entries, checks);
    let mut results = Vec::with_capacity(asked_for);
    for id in &failed {
        if shown {
            emit(&format!("{id} ... FAILED\n"))?;
        }
        results.push(unmeasured(id, "its comparison's candidates disagree"));
    }
    for entry in entries {
        let mut result = unmeasured(&entry.id, "ran once, unmeasured");
        let ran = tried(entry).map(|made| made.benchmark.kind());
        let word = match ran {
            Ok(kind) => {
                result.kind = kind;
                "ok"
            }
            Err(error) => {
                say(&format!("error: {error}"));
                result.notes = vec![error.to_string()];
                failed.push(result.id.clone());
                "FAILED"
            }
        };
        if shown {
            emit(&format!("{} ... {word}\n", result.id))?;
        }
        results.push(result);
    }
    let record = Record {
        complete: failed.is_empty(),
        build: record::Build::current(),
        machine: machine_record(&machine),
        calibration: uncalibrated(),
        settings: [("mode".to_owned(), Scalar::from(arguments.mode().name()))].into(),
        results,
        ..Record::default()
    };
    let blank = vec![None; record.results.len()];
    let failure = failure(&failed, asked_for);
    let measured = Measured {
        counters: vec![Vec::new(); blank.len()],
        groups: blank,
        limits: Limits::default(),
        failure: None,
        record,
    };
    let mut failures: Vec<Error> = failure.into_iter().collect();
    if !shown {
        return outputs::write(&measured, arguments, failures).map(|()| ExitStatus::Done);
    }
    failures.extend(arguments.json.as_ref().and_then(|path| measured.record.write_atomically(path).err()));
    outputs::first_of(failures).map(|()| ExitStatus::Done)
}

/// What is known of counter and clock where nothing is timed.
pub(super) fn uncalibrated() -> Calibration {
    Calibration {
        tsc_hz: f64::NAN,
        tsc_hz_source: "not measured".to_owned(),
        tsc_step_ticks: f64::NAN,
        fence_overhead_ticks: f64::NAN,
        fence_overhead_median_ticks: f64::NAN,
        ..Calibration::default()
    }
}

/// A result without a number, and why it has none.
fn unmeasured(id: &str, note: &str) -> BenchmarkResult {
    let mut result = BenchmarkResult {
        id: id.to_owned(),
        ticks: Estimate { estimate: f64::NAN, ..Estimate::default() },
        notes: vec![note.to_owned()],
        ..BenchmarkResult::default()
    };
    result.sentence = record::sentence(&result);
    result
}
