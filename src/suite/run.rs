//! How does a suite go from arguments to an exit status? Select, make, measure, conclude, write.

use std::ffi::OsString;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::arguments::{Arguments, Format};
use super::interrupt::Interrupt;
use super::options::{Mode, help};
use super::outputs;
use super::progress::Observer;
use super::registry::{Entry, Facts, Suite};
use super::{once, rates};
use crate::Lab;
use crate::error::{Error, ErrorKind, ExitStatus, Result};
use crate::lab::Benchmark;
use crate::output::emit;
use crate::record::{BenchmarkResult, Record, Scalar, Verdict, inert};

/// Runs what `register` registers as `arguments` ask.
pub(super) fn run<'a>(
    register: impl FnOnce(&mut Suite<'a>),
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<ExitStatus> {
    let arguments = Arguments::read(arguments)?;
    if arguments.help {
        return emit(&help()).map(|()| ExitStatus::Done);
    }
    if arguments.version {
        let version = env!("CARGO_PKG_VERSION");
        return emit(&format!("fencepost {version}\n")).map(|()| ExitStatus::Done);
    }
    let mut suite = Suite::default();
    register(&mut suite);
    let mut entries = suite.finish()?;
    let ids: Vec<&str> = entries.iter().map(|entry| entry.id.as_str()).collect();
    if let Some(remark) = arguments.selection.check(&ids)? {
        say(&format!("note: {remark}"));
    }
    entries.retain(|entry| arguments.selection.takes(&entry.id));
    if arguments.list {
        return emit(&list(&entries, arguments.format)).map(|()| ExitStatus::Done);
    }
    if arguments.mode() == Mode::Once {
        return once::run(entries, &arguments);
    }
    if entries.is_empty() && arguments.format == Format::Text {
        return emit("no benchmark is selected\n").map(|()| ExitStatus::Done);
    }
    let measured = measure(entries, &arguments)?;
    conclude(measured, &arguments)
}

/// A line on standard error. Where that is gone, so is whom it was for.
pub(super) fn say(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

fn list(entries: &[Entry<'_>], format: Format) -> String {
    let names = entries.iter().map(|entry| entry.id.as_str());
    match format {
        Format::Text | Format::Terse => {
            let mut text: String = names.map(|name| format!("{name}: benchmark\n")).collect();
            if format == Format::Text {
                text.push_str(&format!("\n0 tests, {} benchmarks\n", entries.len()));
            }
            text
        }
        Format::Json => format!("{}\n", serde_json::Value::from(names.collect::<Vec<_>>())),
        Format::Csv => super::csv::names(names),
    }
}

/// Results that have been measured and counted, and which relative groups there are.
pub(super) struct Measured {
    pub(super) record: Record,
    /// The relative group of each result, numbered.
    pub(super) groups: Vec<Option<usize>>,
    /// The names of the user's own counters of each result, in their order.
    pub(super) counters: Vec<Vec<String>>,
    /// What to say of those that failed.
    pub(super) failure: Option<Error>,
}

/// A panic of the user's code as an error that names what ran.
pub(super) fn guarded<T>(what: &str, run: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        Err(Error::new(ErrorKind::Input, format!("{what} panicked"))
            .because("the panic's own message is above")
            .remedy("mend the benchmark, or leave it out with --skip"))
    })
}

fn measure(entries: Vec<Entry<'_>>, arguments: &Arguments) -> Result<Measured> {
    let interrupt = Interrupt::listen();
    let asked_for = entries.len();
    let mut benchmarks: Vec<Benchmark<'_>> = Vec::with_capacity(asked_for);
    let mut facts: Vec<Facts<'_>> = Vec::with_capacity(asked_for);
    let mut groups = Vec::with_capacity(asked_for);
    let mut failed = Vec::new();
    for entry in entries {
        let id = entry.id.clone();
        match tried(entry) {
            Ok((benchmark, own, group)) => {
                benchmarks.push(benchmark);
                facts.push(own);
                groups.push(group);
            }
            Err(error) => {
                say(&format!("error: {error}"));
                failed.push(id);
            }
        }
    }
    let mut builder = Lab::builder().options(arguments.options.clone());
    if let Some(core) = arguments.core {
        builder = builder.core(core);
    }
    let mut lab = builder.build()?;
    let ids = benchmarks.iter().map(|benchmark| benchmark.id().to_owned()).collect();
    let mut observer = Observer::new(ids, arguments, &interrupt);
    let measured =
        guarded("a benchmark", || lab.measure_with(benchmarks, &mut |progress| observer.look(progress)));
    let complete = !observer.ended_early() && failed.is_empty();
    drop(observer);
    let mut measurements = measured?;
    let keeps_samples = arguments.samples || arguments.html.is_some();
    for (measurement, facts) in measurements.iter_mut().zip(&facts) {
        if keeps_samples {
            measurement.result.trace = Some(measurement.trace());
        }
        let result = &mut measurement.result;
        if arguments.mode() == Mode::BestOf {
            result.percentile = 0.0;
        }
        rates::count(result, facts.elements, facts.bytes);
        let own = facts.counters.iter().map(|(name, counter)| (name.clone(), counter.value()));
        result.counters.extend(own);
    }
    let mut record = lab.record(&measurements, complete);
    rates::relate(&mut record.results, &groups);
    record.settings.insert("mode".to_owned(), Scalar::from(arguments.mode().name()));
    let counters =
        facts.iter().map(|facts| facts.counters.iter().map(|(name, _)| name.clone()).collect()).collect();
    Ok(Measured { record, groups, counters, failure: failure(&failed, asked_for) })
}

/// The benchmark, after it has run once: what panics at once is known by its name and keeps nothing from the others.
pub(super) fn tried<'a>(entry: Entry<'a>) -> Result<(Benchmark<'a>, Facts<'a>, Option<usize>)> {
    guarded(&format!("benchmark {:?}", inert(&entry.id)), || {
        let (mut benchmark, facts, group) = entry.make()?;
        benchmark.once();
        Ok((benchmark, facts, group))
    })
}

/// What to say of benchmarks that did not run, if there are any.
pub(super) fn failure(failed: &[String], asked_for: usize) -> Option<Error> {
    let names: Vec<String> = failed.iter().map(|id| format!("{:?}", inert(id))).collect();
    (!failed.is_empty()).then(|| {
        Error::new(ErrorKind::Input, format!("{} of {} failed", failed.len(), count(asked_for)))
            .because(names.join(", "))
            .remedy("mend them, or leave them out with --skip")
    })
}

/// So many benchmarks.
pub(super) fn count(benchmarks: usize) -> String {
    if benchmarks == 1 { "1 benchmark".to_owned() } else { format!("{benchmarks} benchmarks") }
}

/// Writes everything, and says how the program ends.
fn conclude(mut measured: Measured, arguments: &Arguments) -> Result<ExitStatus> {
    let failures: Vec<Error> = measured.failure.take().into_iter().collect();
    outputs::write(&measured, arguments, failures)?;
    let record = &measured.record;
    let open = !record.complete || record.results.iter().any(|result| !is_conclusive(result));
    Ok(if arguments.strict && open { ExitStatus::NotConverged } else { ExitStatus::Done })
}

/// It converged, or is known to be too small to be told from nothing.
fn is_conclusive(result: &BenchmarkResult) -> bool {
    matches!(result.verdict, Verdict::Converged | Verdict::BelowResolution)
}
