//! Does each benchmark work? Each runs once, unmeasured, as test runners want it.

use super::arguments::{Arguments, Format};
use super::outputs;
use super::registry::Entry;
use super::run::{Measured, count, failure, say, tried};
use crate::error::{Error, ErrorKind, ExitStatus, Result};
use crate::lab::machine_record;
use crate::machine::Machine;
use crate::output::emit;
use crate::record::{self, BenchmarkResult, Calibration, Estimate, Record, Scalar};

/// Runs each once. A panic fails its benchmark and no other.
pub(super) fn run(entries: Vec<Entry<'_>>, arguments: &Arguments) -> Result<ExitStatus> {
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
    let mut failed: Vec<String> = Vec::new();
    let mut results = Vec::with_capacity(entries.len());
    for entry in entries {
        let mut result = BenchmarkResult {
            id: entry.id.clone(),
            ticks: Estimate { estimate: f64::NAN, ..Estimate::default() },
            ..BenchmarkResult::default()
        };
        result.sentence = record::sentence(&result);
        let ran = tried(entry).map(|(benchmark, ..)| benchmark.kind());
        let word = match ran {
            Ok(kind) => {
                result.kind = kind;
                result.notes.push("ran once, unmeasured".to_owned());
                "ok"
            }
            Err(error) => {
                say(&format!("error: {error}"));
                result.notes.push(error.to_string());
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
        calibration: Calibration {
            tsc_hz: f64::NAN,
            tsc_hz_source: "not measured".to_owned(),
            tsc_step_ticks: f64::NAN,
            fence_overhead_ticks: f64::NAN,
            fence_overhead_median_ticks: f64::NAN,
            ..Calibration::default()
        },
        settings: [("mode".to_owned(), Scalar::from(arguments.mode().name()))].into(),
        results,
        ..Record::default()
    };
    let blank = vec![None; record.results.len()];
    let failure = failure(&failed, record.results.len());
    let measured = Measured { counters: vec![Vec::new(); blank.len()], groups: blank, failure: None, record };
    let mut failures: Vec<Error> = failure.into_iter().collect();
    if !shown {
        return outputs::write(&measured, arguments, failures).map(|()| ExitStatus::Done);
    }
    failures.extend(arguments.json.as_ref().and_then(|path| measured.record.write_atomically(path).err()));
    outputs::first_of(failures).map(|()| ExitStatus::Done)
}
