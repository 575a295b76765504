//! How does a suite go from arguments to an exit status? Select, make, measure, conclude, write.

use std::ffi::OsString;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::arguments::{Arguments, Format};
use super::compare::Check;
use super::interrupt::Interrupt;
use super::options::{Mode, help};
#[cfg(feature = "placements")]
use super::placements;
use super::progress::Observer;
use super::registry::{Entry, Facts, Made, Registry, Suite};
use super::{baselines, once, outputs, processes, rates, versus};
use crate::Lab;
use crate::baseline::Limits;
use crate::error::{Error, ErrorKind, ExitStatus, Result};
use crate::lab::Benchmark;
use crate::output::emit;
use crate::record::{BenchmarkResult, Record, Scalar, Verdict, inert};

/// Runs what `register` registers as `arguments` ask.
pub(super) fn run<'a>(
    register: impl FnOnce(&mut Suite<'a>),
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<ExitStatus> {
    let given: Vec<OsString> = arguments.into_iter().collect();
    let arguments = Arguments::read(given.iter().cloned())?;
    if arguments.help {
        return emit(&help()).map(|()| ExitStatus::Done);
    }
    if arguments.version {
        let version = env!("CARGO_PKG_VERSION");
        return emit(&format!("fencepost {version}\n")).map(|()| ExitStatus::Done);
    }
    if arguments.list_baselines {
        return baselines::list();
    }
    let mut suite = Suite::default();
    register(&mut suite);
    let Registry { mut entries, checks } = suite.finish()?;
    let ids: Vec<&str> = entries.iter().map(|entry| entry.id.as_str()).collect();
    if let Some(remark) = arguments.selection.check(&ids)? {
        say(&format!("note: {remark}"));
    }
    entries.retain(|entry| arguments.selection.takes(&entry.id));
    if arguments.list {
        return emit(&list(&entries, arguments.format)).map(|()| ExitStatus::Done);
    }
    #[cfg(feature = "cachegrind")]
    if arguments.mode() == Mode::Cachegrind {
        return super::counting::run(entries, checks, &arguments);
    }
    if arguments.mode() == Mode::Once {
        return once::run(entries, checks, &arguments);
    }
    if entries.is_empty() && arguments.format == Format::Text {
        return emit("no benchmark is selected\n").map(|()| ExitStatus::Done);
    }
    let baseline = baselines::before(&arguments)?;
    let measured = match arguments.processes {
        Some(processes @ 2..) => processes::measure(entries, &arguments, &given, processes)?,
        _ => measure(entries, checks, &arguments)?,
    };
    conclude(measured, &arguments, baseline)
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
    /// The limits that the benchmarks have of their own.
    pub(super) limits: Limits,
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

fn measure<'a>(
    mut entries: Vec<Entry<'a>>,
    checks: Vec<Check<'a>>,
    arguments: &Arguments,
) -> Result<Measured> {
    let interrupt = Interrupt::listen();
    let asked_for = entries.len();
    let mut failed = versus::check(&mut entries, checks);
    let mut made: Vec<Made<'_>> = Vec::with_capacity(asked_for);
    for entry in entries {
        let id = entry.id.clone();
        match tried(entry) {
            Ok(one) => made.push(one),
            Err(error) => {
                say(&format!("error: {error}"));
                failed.push(id);
            }
        }
    }
    let asked: Vec<_> = made.iter_mut().map(|one| one.benchmark.asked_per_op()).collect();
    let mut builder = Lab::builder().notices(say).options(arguments.options.clone());
    if let Some(core) = arguments.core {
        builder = builder.core(core);
    }
    let mut lab = builder.build()?;
    let ids: Vec<String> = made.iter().map(|one| one.benchmark.id().to_owned()).collect();
    let places = arguments.placements.unwrap_or(1);
    let mut observer = Observer::new(ids.clone(), arguments, &interrupt);
    let comparisons =
        guarded("a comparison", || versus::compare(&mut lab, &mut made, places, &mut observer))?;
    let mut facts = Vec::with_capacity(made.len());
    let mut groups = Vec::with_capacity(made.len());
    let mut benchmarks: Vec<Benchmark<'_>> = Vec::with_capacity(made.len());
    for one in made {
        facts.push(one.facts);
        groups.push(one.relative_to);
        benchmarks.push(one.benchmark);
    }
    #[cfg(feature = "placements")]
    let starts = (places > 1).then(|| {
        let (starts, all) =
            placements::split(benchmarks.drain(..).map(|one| one.at_places(places)).collect());
        benchmarks = all;
        observer.watch(benchmarks.iter().map(|one| one.id().to_owned()).collect());
        starts
    });
    let measured =
        guarded("a benchmark", || lab.measure_with(benchmarks, &mut |progress| observer.look(progress)));
    let complete = !observer.ended_early() && failed.is_empty();
    drop(observer);
    let mut measurements = measured?;
    #[cfg(feature = "placements")]
    if let Some(starts) = starts {
        let mut each = measurements.into_iter();
        let all = starts.iter().zip(&ids).map(|(starts, id)| {
            let of_one = each.by_ref().take(starts.len()).collect();
            placements::together(id, of_one, starts, arguments.options.target_precision_pct)
        });
        measurements = all.flatten().collect();
    }
    let keeps_samples = arguments.samples || arguments.html.is_some();
    for ((measurement, facts), asked) in measurements.iter_mut().zip(&facts).zip(asked) {
        if keeps_samples {
            measurement.result.trace = Some(measurement.trace());
        }
        let result = &mut measurement.result;
        if let Some((allocations, bytes)) = asked {
            result.counters.insert("allocations".to_owned(), allocations);
            result.counters.insert("allocated_bytes".to_owned(), bytes);
        }
        if arguments.mode() == Mode::BestOf {
            result.percentile = 0.0;
        }
        rates::count(result, facts.elements, facts.bytes);
        let own = facts.counters.iter().map(|(name, counter)| (name.clone(), counter.value()));
        result.counters.extend(own);
    }
    #[cfg(feature = "predict")]
    super::predictions::add(&lab, &mut measurements, arguments)?;
    let mut record = lab.record(&measurements, complete);
    record.comparisons = comparisons;
    rates::relate(&mut record.results, &groups);
    record.settings.insert("mode".to_owned(), Scalar::from(arguments.mode().name()));
    if places > 1 {
        record.settings.insert("placements".to_owned(), Scalar::from(places as u64));
    }
    let counters =
        facts.iter().map(|facts| facts.counters.iter().map(|(name, _)| name.clone()).collect()).collect();
    let own = record.results.iter().zip(&facts).map(|(result, facts)| (result.id.as_str(), facts));
    let limits = limits(own);
    Ok(Measured { record, groups, counters, limits, failure: failure(&failed, asked_for) })
}

/// The limits that benchmarks have of their own.
pub(super) fn limits<'f, 'a: 'f>(of: impl Iterator<Item = (&'f str, &'f Facts<'a>)>) -> Limits {
    of.fold(Limits::default(), |limits, (id, facts)| match &facts.limit {
        Some(limit) => limits.for_benchmark(id, limit.clone()),
        None => limits,
    })
}

/// The benchmark, after it has run once: what panics at once is known by its name and keeps nothing from the others.
pub(super) fn tried(entry: Entry<'_>) -> Result<Made<'_>> {
    guarded(&format!("benchmark {:?}", inert(&entry.id)), || {
        let mut made = entry.make()?;
        made.benchmark.once();
        Ok(made)
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
fn conclude(mut measured: Measured, arguments: &Arguments, baseline: Option<Record>) -> Result<ExitStatus> {
    let failures: Vec<Error> = measured.failure.take().into_iter().collect();
    let written = outputs::write(&measured, arguments, failures);
    let record = &measured.record;
    // What one of several processes measured is judged with what the others did.
    let (failures, standing) = if arguments.is_worker() {
        (Vec::new(), ExitStatus::Done)
    } else {
        baselines::after(record, arguments, measured.limits, baseline)
    };
    outputs::first_of(written.err().into_iter().chain(failures).collect())?;
    if standing != ExitStatus::Done {
        return Ok(standing);
    }
    let open = !record.complete || record.results.iter().any(|result| !is_conclusive(result));
    Ok(if arguments.strict && open { ExitStatus::NotConverged } else { ExitStatus::Done })
}

/// It converged, or is known to be too small to be told from nothing.
fn is_conclusive(result: &BenchmarkResult) -> bool {
    matches!(result.verdict, Verdict::Converged | Verdict::BelowResolution)
}
