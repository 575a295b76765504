//! What do the lessons on traps share? A lab of short measurements, a comparison with its check, and an end that fits every machine.

use std::process::ExitCode;

use fencepost::lab::{Benchmark, Measurement};
use fencepost::sampling::Options;
use fencepost::{Error, ErrorKind, ExitStatus, Lab, Result, output};

/// Runs a lesson. Where this machine cannot measure, a sentence says so and that is all: the lesson is not what failed.
pub(crate) fn lesson(title: &str, tell: impl FnOnce(&mut Lab) -> Result<String>) -> ExitCode {
    let options = Options { max_secs: 0.5, target_precision_pct: 1.0, ..Options::default() };
    let told = match Lab::builder().options(options).build() {
        Err(error) if error.kind() == ErrorKind::CannotMeasure => Ok(format!("not shown here: {error}\n")),
        Err(error) => Err(error),
        Ok(lab) if lab.cycle_source().is_none() => {
            Ok("not shown here: the clock ruler does not hold, so no core cycles can be claimed\n".to_owned())
        }
        Ok(mut lab) => {
            let name = lab.machine().name();
            tell(&mut lab).map(|text| format!("on {name}, core {}\n{text}", lab.core()))
        }
    };
    output::finish(
        told.and_then(|text| output::emit(&format!("{title}\n\n{text}"))).map(|()| ExitStatus::Done),
    )
}

/// Measures all of `benchmarks`, interleaved.
#[allow(dead_code, reason = "not every lesson has benchmarks")]
pub(crate) fn measured(lab: &mut Lab, benchmarks: Vec<Benchmark<'_>>) -> Result<Vec<Measurement>> {
    lab.measure(benchmarks)
}

/// Costs as a table.
#[allow(dead_code, reason = "not every lesson needs it")]
pub(crate) fn table(measurements: &[Measurement]) -> String {
    measurements
        .iter()
        .map(|one| format!("  {:<34} {:>16}\n", one.result.id, fencepost::record::cost(&one.result)))
        .collect()
}

/// What the slow case costs against the fast one, in words, checked: it must not be cheaper, whatever the CPU. From `shown` times on the CPU shows
/// the trap.
pub(crate) fn compared(slow: f64, fast: f64, shown: f64, bounds: bool, what: &str) -> Result<String> {
    /// What two measurements of one thing may differ by here.
    const SLACK: f64 = 0.85;
    let ratio = slow / fast;
    if bounds {
        return Ok(format!("\n{what}: {ratio:.2} times as dear, not judged: the core was never alone.\n"));
    }
    if ratio.is_nan() || ratio < SLACK {
        return Err(Error::new(ErrorKind::CannotMeasure, format!("{what}: {ratio:.2} times as dear"))
            .because("no x86-64 CPU makes it cheaper, so something disturbed the measurement or the lesson is wrong")
            .remedy("run again; tell us the CPU if it stays"));
    }
    Ok(if ratio >= shown {
        format!("\n{what}: {ratio:.2} times as dear.\n")
    } else {
        format!("\n{what}: {ratio:.2} times as dear. This CPU does not show it.\n")
    })
}

/// As [`compared`], of two measurements.
#[allow(dead_code, reason = "not every lesson has two")]
pub(crate) fn judged(slow: &Measurement, fast: &Measurement, shown: f64, what: &str) -> Result<String> {
    let cycles = |one: &Measurement| one.cycles().map_or(f64::NAN, |cycles| cycles.get());
    let bounds = slow.result.upper_bound || fast.result.upper_bound;
    compared(cycles(slow), cycles(fast), shown, bounds, what)
}
