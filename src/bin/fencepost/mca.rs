//! What does a model say of an assembly file, and what does this CPU? The subcommand `mca`: each region, measured beside predicted.

use std::io::Read as _;
use std::path::PathBuf;

use fencepost::asm::{self, Block as Code, Job, Syntax};
use fencepost::error::{Error, ErrorKind, ExitStatus, Result};
use fencepost::output;
use fencepost::predict::source::{MOST_BYTES, Region, regions};
use fencepost::predict::{Block, Forecast, Model};
use fencepost::record::Verdict;
use fencepost::record::text::{Table, inert};

use crate::asked::Asked;
use crate::asm::lab::{Bench, Measuring, Pace, Ticker};

/// Set a model's prediction of each region of an assembly file beside its cost here
///
/// Examples:
///
///   fencepost mca kernel.s
///
///   fencepost mca --limit 10 --mcpu znver3 kernel.s
///
///   rustc -O --crate-type lib --emit asm=- lib.rs | fencepost mca -
///
/// Regions are those between LLVM-MCA-BEGIN and LLVM-MCA-END, named or not. A file
/// without them, as a compiler writes it with -S, is taken whole: the innermost loops
/// of its functions, and the bodies of functions that have none.
///
/// A region is measured where all that it refers to is in it; one with a call, with data
/// by its symbol or with a way out is predicted only, with the reason. One whose way
/// depends on data is refused with the line.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "Exit status: 0 done; 1 wrong use, or a region that was refused; 2 not converged under --strict; 3 a prediction further from the measurement than --limit; 4 cannot measure here."
)]
pub(crate) struct Args {
    /// Assembly, in AT&T syntax until it says .intel_syntax; - is standard input
    #[arg(value_name = "FILE.s")]
    file: PathBuf,
    #[command(flatten)]
    asked: Asked,
    /// Predict only
    #[arg(long)]
    no_measure: bool,
    /// Exit with status 3 where a prediction is further from the measurement than so many per cent; without it any distance will do
    #[arg(long, value_name = "PCT", value_parser = percent)]
    limit: Option<f64>,
    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    measuring: Measuring,
}

fn percent(text: &str) -> std::result::Result<f64, String> {
    let value: f64 =
        text.trim_end_matches('%').trim().parse().map_err(|_| "not a number of per cent".to_owned())?;
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err("not a number of per cent, 0 or more".to_owned())
    }
}

/// What came of one region.
struct Row {
    region: Region,
    forecast: Option<Forecast>,
    measured: Option<f64>,
    /// What may be said of the measurement.
    verdict: Option<Verdict>,
    /// Why something is missing.
    remark: Option<String>,
}

impl Row {
    /// How far the prediction is from the measurement, in per cent of the latter.
    fn off(&self) -> Option<f64> {
        let (forecast, measured) = (self.forecast.as_ref()?, self.measured?);
        if forecast.is_partial() {
            return None;
        }
        Some(100.0 * (forecast.cycles / measured - 1.0))
    }
}

/// Runs the subcommand.
///
/// # Errors
///
/// `Input` and `Usage` for what cannot be read or predicted, `Io` where the model is not installed.
pub(crate) fn run(args: Args) -> Result<ExitStatus> {
    let regions = regions(&read(&args.file)?)?;
    let model = args.asked.find()?;
    let mut rows: Vec<Row> = regions
        .into_iter()
        .map(|region| Row {
            forecast: None,
            measured: None,
            verdict: None,
            remark: region.refused.clone(),
            region,
        })
        .collect();
    let blocks: Vec<Block> = rows
        .iter()
        .filter(|row| row.remark.is_none())
        .map(|row| Block { name: row.region.name.clone(), lines: row.region.source(usize::MAX) })
        .collect();
    let asked = rows.iter_mut().filter(|row| row.remark.is_none());
    for (row, answer) in asked.zip(model.predict_all(&blocks)) {
        match answer {
            Ok(forecast) => row.forecast = Some(forecast),
            Err(error) => row.remark = Some(error.to_string()),
        }
    }
    if args.no_measure {
        // What holds for a prediction alone holds here, too.
        for row in rows.iter_mut().filter(|row| row.forecast.is_some()) {
            row.remark.clone_from(&row.region.predicted_only);
        }
    } else {
        measure(&mut rows, &args)?;
    }
    output::emit(&if args.json {
        json(&rows, model.as_ref())
    } else if args.csv {
        csv(&rows)?
    } else {
        text(&rows, model.as_ref())
    })?;
    let limit = args.limit.unwrap_or(f64::INFINITY);
    let strict = args.measuring.strict;
    Ok(if rows.iter().any(|row| row.forecast.is_none()) {
        ExitStatus::Usage
    } else if rows.iter().filter_map(Row::off).any(|off| off.abs() > limit) {
        ExitStatus::Regression
    } else if strict && rows.iter().filter_map(|row| row.verdict).any(|verdict| !is_done(verdict)) {
        ExitStatus::NotConverged
    } else {
        ExitStatus::Done
    })
}

fn read(file: &std::path::Path) -> Result<String> {
    let failed = |error: std::io::Error| {
        Error::new(ErrorKind::Io, format!("{file:?} cannot be read: {error}"))
            .because("its regions are looked at")
            .remedy("give a file of assembly text, or - for standard input")
    };
    let mut bytes = Vec::new();
    let most = MOST_BYTES as u64 + 1;
    if file.as_os_str() == "-" {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes).map_err(failed)?;
    } else {
        std::fs::File::open(file).map_err(failed)?.take(most).read_to_end(&mut bytes).map_err(failed)?;
    }
    let no_text = |at: usize, byte: u8| {
        Error::new(ErrorKind::Input, format!("byte {at} of {file:?} is {byte:#04x}: it is no text"))
            .because("regions are read from assembly text")
            .remedy("give what a compiler writes with -S, or measure machine code by fencepost asm --object")
    };
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err(no_text(at, 0));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        no_text(at, error.as_bytes().get(at).copied().unwrap_or_default())
    })
}

/// The closing jump is left out of what is measured: the sandbox has a loop of its own.
fn job(at: usize, region: &Region) -> std::result::Result<Job, String> {
    let count = region.lines.len() - usize::from(region.is_loop);
    let text: String = region.source(count).iter().map(|line| format!("{line}\n")).collect();
    let bytes = asm::assemble(&text, Some(Syntax::Att)).map_err(|error| error.what().to_owned())?;
    let block = Code::decode(&bytes).and_then(|block| block.check(&asm::features()).map(|()| block));
    let block = block.map_err(|refusal| refusal.detail)?;
    Ok(Job::block(format!("{at}/loop"), block.program(asm::default_fill())))
}

fn measure(rows: &mut [Row], args: &Args) -> Result<()> {
    let mut jobs = Vec::new();
    let mut places = Vec::new();
    for (at, row) in rows.iter_mut().enumerate().filter(|(_, row)| row.forecast.is_some()) {
        let possible = row.region.predicted_only.clone().map_or_else(|| job(at, &row.region), Err);
        match possible {
            Ok(job) => {
                jobs.push(job);
                places.push(at);
            }
            Err(why) => row.remark = Some(format!("not measured: {why}")),
        }
    }
    if jobs.is_empty() {
        return Ok(());
    }
    let mut bench = Bench::new(&args.measuring, Pace::Careful)?;
    let (lab, engine) = bench.parts();
    let ticker = Ticker::new(jobs.len());
    let outcomes = asm::measure(lab, engine, jobs, &mut |progress| ticker.observe(progress))?;
    for (at, outcome) in places.into_iter().zip(outcomes) {
        match outcome {
            Ok(result) => {
                let verdict = result.verdict;
                rows[at].measured = result.cycles.map(|cycles| cycles.estimate);
                rows[at].verdict = Some(verdict);
                if !is_done(verdict) {
                    let what = if rows[at].measured.is_some() { "measured, and" } else { "not measured:" };
                    rows[at].remark = Some(format!("{what} {verdict}"));
                }
            }
            Err(refusal) => rows[at].remark = Some(format!("not measured: {}", refusal.detail)),
        }
    }
    Ok(())
}

/// Whether more time would say no more.
fn is_done(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Converged | Verdict::BelowResolution)
}

fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"))
}

fn text(rows: &[Row], model: &dyn Model) -> String {
    let head = vec![
        ("region", ""),
        ("instr", ""),
        ("measured", "cyc"),
        ("predicted", "cyc"),
        ("off", "%"),
        ("bound by", ""),
    ];
    let cells = rows.iter().map(|row| {
        vec![
            inert(&row.region.name),
            row.region.lines.len().to_string(),
            figure(row.measured),
            figure(row.forecast.as_ref().map(|forecast| forecast.cycles)),
            row.off().map_or_else(|| "-".to_owned(), |off| format!("{off:+.1}")),
            row.forecast
                .as_ref()
                .and_then(|forecast| forecast.bottleneck.clone())
                .unwrap_or_else(|| "-".to_owned()),
        ]
    });
    let table = Table { head, rows: cells.collect() };
    let mut page =
        format!("{} {}, {}; cycles a turn\n\n", model.name(), inert(model.version()), inert(model.cpu()));
    for line in table.lines(80) {
        page.push_str(&format!("{line}\n"));
    }
    let mut remarks: Vec<String> = Vec::new();
    for row in rows {
        let name = inert(&row.region.name);
        remarks.extend(row.remark.iter().map(|remark| format!("{name}: {}", inert(remark))));
        if let Some(forecast) = &row.forecast {
            remarks.extend(
                forecast.unmodelled.iter().map(|line| format!("{name}: not modelled: {}", inert(line))),
            );
            if forecast.is_partial() {
                remarks
                    .push(format!("{name}: not compared: the model counts what it does not know as nothing"));
            }
            remarks.extend(forecast.remarks.iter().cloned());
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    for line in remarks.iter().filter(|remark| seen.insert(remark.as_str())) {
        for part in fencepost::record::text::wrap(line, 80) {
            page.push_str(&format!("{part}\n"));
        }
    }
    page
}

fn json(rows: &[Row], model: &dyn Model) -> String {
    let regions: Vec<serde_json::Value> = rows
        .iter()
        .map(|row| {
            serde_json::json!({
                "region": row.region.name,
                "instructions": row.region.lines.len(),
                "is_loop": row.region.is_loop,
                "measured_cycles": row.measured,
                "verdict": row.verdict.map(Verdict::as_str),
                "predicted_cycles": row.forecast.as_ref().map(|forecast| forecast.cycles),
                "uops": row.forecast.as_ref().and_then(|forecast| forecast.uops),
                "bottleneck": row.forecast.as_ref().and_then(|forecast| forecast.bottleneck.clone()),
                "unmodelled": row.forecast.as_ref().map(|forecast| forecast.unmodelled.clone()).unwrap_or_default(),
                "off_pct": row.off(),
                "remark": row.remark,
            })
        })
        .collect();
    let all = serde_json::json!({
        "model": model.name(), "version": model.version(), "cpu": model.cpu(), "regions": regions,
    });
    format!("{all:#}\n")
}

fn csv(rows: &[Row]) -> Result<String> {
    let failed =
        |error: String| Error::new(ErrorKind::Io, format!("the table could not be written: {error}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    let head =
        ["region", "instructions", "measured_cycles", "predicted_cycles", "off_pct", "bottleneck", "remark"];
    writer.write_record(head).map_err(|error| failed(error.to_string()))?;
    for row in rows {
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let forecast = row.forecast.as_ref();
        writer
            .write_record([
                inert(&row.region.name),
                row.region.lines.len().to_string(),
                number(row.measured),
                number(forecast.map(|forecast| forecast.cycles)),
                number(row.off()),
                forecast.and_then(|forecast| forecast.bottleneck.clone()).unwrap_or_default(),
                row.remark.as_deref().map(inert).unwrap_or_default(),
            ])
            .map_err(|error| failed(error.to_string()))?;
    }
    let bytes = writer.into_inner().map_err(|error| failed(error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
