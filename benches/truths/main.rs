//! Is fencepost right? Instructions whose cost is published, measured here and set beside the published figure; and what two simpler
//! methods would have said in the same run.
//!
//! `cargo bench --bench truths` prints the table, `-- --json` the record. Without `--bench` (under `cargo test --benches`) every loop runs
//! once.

mod kernels;
mod published;

use std::fmt::Write;
use std::process::ExitCode;

use fencepost::lab::{Benchmark, Measurement};
use fencepost::record::{self, Kind, Verdict};
use fencepost::sampling::Options;
use fencepost::{Error, ErrorKind, ExitStatus, Lab, Result, output};
use kernels::{AsmLoop, Truth, truths};

const HELP: &str = "\
Instructions with published costs, measured here.

usage: cargo bench --bench truths [-- OPTIONS] [FILTER]...

  --json      print the record (schema fencepost/1) and nothing else
  --core N    measure on logical CPU N (default: the quietest)
  --help      print this text

Exit status 3 if a result that calls itself converged is off by more than 1 %
(latency; FMA 1.5 %) or 2 % (reciprocal throughput).
";

fn main() -> ExitCode {
    output::finish(run())
}

struct Arguments {
    json: bool,
    bench: bool,
    help: bool,
    core: Option<usize>,
    /// Parts of names; any selects.
    filters: Vec<String>,
}

fn arguments() -> Result<Arguments> {
    let wrong =
        |what: String| Error::new(ErrorKind::Usage, what).remedy("see cargo bench --bench truths -- --help");
    let mut parsed = Arguments { json: false, bench: false, help: false, core: None, filters: Vec::new() };
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--json" => parsed.json = true,
            "--bench" => parsed.bench = true,
            "--help" | "-h" => parsed.help = true,
            "--core" => {
                let value = given.next().ok_or_else(|| wrong("--core needs a number".to_owned()))?;
                let core = value.parse().map_err(|_| wrong(format!("--core {value:?} is no number")))?;
                parsed.core = Some(core);
            }
            filter if !filter.starts_with('-') => parsed.filters.push(filter.to_owned()),
            other => return Err(wrong(format!("there is no option {other:?}"))),
        }
    }
    Ok(parsed)
}

fn kind(truth: &Truth) -> Kind {
    match truth.kind {
        kernels::Kind::Latency => Kind::Latency,
        kernels::Kind::Throughput => Kind::ReciprocalThroughput,
    }
}

fn id(truth: &Truth) -> String {
    let name = match truth.kind {
        kernels::Kind::Latency => "latency",
        kernels::Kind::Throughput => "throughput",
    };
    format!("{}/{name}", format!("{} {}", truth.instruction, truth.operands).trim())
}

fn benchmark(truth: &Truth) -> Result<Benchmark<'static>> {
    let benchmark = Benchmark::custom(id(truth), kind(truth), AsmLoop(truth.run)).ops(truth.instructions)?;
    Ok(benchmark.instructions(truth.instructions))
}

fn run() -> Result<ExitStatus> {
    let arguments = arguments()?;
    if arguments.help {
        output::emit(HELP)?;
        return Ok(ExitStatus::Done);
    }
    let mut truths = truths();
    if !arguments.filters.is_empty() {
        truths.retain(|truth| arguments.filters.iter().any(|filter| id(truth).contains(filter)));
        if truths.is_empty() {
            // Another bench target of the same `cargo bench` may have what the filter means.
            return Ok(ExitStatus::Done);
        }
    }
    if !arguments.bench && !arguments.json {
        for truth in &truths {
            fencepost::harness::TimedLoop::run(&mut AsmLoop(truth.run), 1);
        }
        output::emit(&format!(
            "{} loops ran once; cargo bench --bench truths measures them\n",
            truths.len()
        ))?;
        return Ok(ExitStatus::Done);
    }
    let builder = Lab::builder().options(Options { max_secs: 3.0, ..Options::default() });
    let mut lab = match arguments.core {
        Some(core) => builder.core(core).build()?,
        None => builder.build()?,
    };
    let core = lab.machine().name();
    let benchmarks = truths.iter().map(benchmark).collect::<Result<Vec<_>>>()?;
    let mut measured = lab.measure(benchmarks)?;
    let mut rows = Vec::new();
    for (truth, one) in truths.iter().zip(&mut measured) {
        let published = match truth.kind {
            kernels::Kind::Latency => published::latency(&core, truth.instruction),
            kernels::Kind::Throughput => published::throughput(&core, truth.instruction),
        };
        rows.push(judge(truth, one, published));
    }
    let record = lab.record(&measured, true);
    let text =
        if arguments.json { record.to_json_pretty() + "\n" } else { table(&core, &record, &rows, &measured) };
    output::emit(&text)?;
    let wrong = rows.iter().any(|row| row.wrong);
    Ok(if wrong { ExitStatus::Regression } else { ExitStatus::Done })
}

struct Row {
    published: Option<f64>,
    error_pct: Option<f64>,
    wrong: bool,
}

fn judge(truth: &Truth, one: &mut Measurement, published: Option<f64>) -> Row {
    let error_pct = published.zip(one.cycles()).map(|(truth, cycles)| 100.0 * (cycles.get() / truth - 1.0));
    let allowed = match truth.kind {
        kernels::Kind::Throughput => 2.0,
        kernels::Kind::Latency if truth.fma => 1.5,
        kernels::Kind::Latency => 1.0,
    };
    let wrong = one.verdict() == Verdict::Converged && error_pct.is_some_and(|error| error.abs() > allowed);
    if let (Some(published), Some(error)) = (published, error_pct) {
        one.result.counters.insert("published_cycles".to_owned(), published);
        one.result.counters.insert("error_pct".to_owned(), error);
    }
    Row { published, error_pct, wrong }
}

fn table(core: &str, record: &record::Record, rows: &[Row], measured: &[Measurement]) -> String {
    let mut text = String::new();
    let mut say = |line: String| {
        let _ = writeln!(text, "{}", line.trim_end());
    };
    let calibration = &record.calibration;
    say(format!(
        "{core}, CPU {}, {} by {}",
        calibration.core,
        calibration.ticks_per_cycle.map_or_else(String::new, |rate| format!("{rate:.3} ticks per cycle")),
        calibration.cycle_source.as_deref().unwrap_or("no source: no cycles are claimed"),
    ));
    say("\"p33\" is what the 33.3th percentile of the same slices says without the gate: of".to_owned());
    say("ticks taken for cycles, and of core cycles.".to_owned());
    say(String::new());
    say(format!(
        "{:<19} {:>9} {:>9} {:>7}  {:<10} {:>5} {:>6} {:>6}",
        "", "published", "measured", "error", "", "clean", "p33", "p33"
    ));
    say(format!(
        "{:<19} {:>9} {:>9} {:>7}  {:<10} {:>5} {:>6} {:>6}",
        "latency", "cyc", "cyc", "%", "verdict", "%", "ticks", "cyc"
    ));
    let mut last = Kind::Latency;
    for (row, one) in rows.iter().zip(measured) {
        let result = &one.result;
        if result.kind != last {
            last = result.kind;
            say(String::new());
            say("reciprocal throughput".to_owned());
        }
        let (name, _) = result.id.rsplit_once('/').unwrap_or((&result.id, ""));
        let cell = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
        };
        let bound = if result.upper_bound { "<=" } else { "" };
        let measured = result.cycles.as_ref().map(|cycles| {
            format!("{bound}{:.3}", if result.upper_bound { cycles.hi } else { cycles.estimate })
        });
        let share = 100.0 * result.samples.clean as f64 / result.samples.total.max(1) as f64;
        say(format!(
            "{name:<19} {:>9} {:>9} {:>7}  {:<10} {share:>5.1} {:>6} {:>6}{}",
            cell(row.published, 3),
            measured.unwrap_or_else(|| "-".to_owned()),
            cell(row.error_pct, 2),
            result.verdict.to_string(),
            cell(result.p33_raw_ticks, 3),
            cell(result.p33_ungated_cycles, 3),
            if row.wrong { "  WRONG" } else { "" },
        ));
    }
    text
}
