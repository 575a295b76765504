//! Can this machine measure, and what disturbs it? The subcommand `doctor`: one screen, with the command that mends each finding.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fencepost::error::{Error, ErrorKind, ExitStatus, Result};
use fencepost::machine::{self, Machine, Recording};
use fencepost::record::{Build, Finding, Record, Severity};
use fencepost::render::page_width;
use fencepost::{Lab, output};
use serde_json::json;

mod figures;
mod screen;

use figures::Figures;

/// Can this machine measure, what disturbs it by how much, and what mends it
///
/// Examples:
///
///   fencepost doctor
///
///   fencepost doctor --json > machine.json
///
/// Watches the quietest core for a second, so it should run alone.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "Exit status: 0 this machine can measure; 1 wrong use; 4 it cannot, and the reason is on the first line."
)]
pub(crate) struct Args {
    /// Print a record (schema fencepost/1) with findings and, as `doctor`, the figures of this second
    #[arg(long)]
    json: bool,
    /// Look at logical CPU N instead of the quietest
    #[arg(long, value_name = "N")]
    core: Option<usize>,
    /// Seconds to watch
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = seconds)]
    secs: f64,
    /// Describe the machine that --capture took down, without figures of this one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["core", "capture"])]
    machine: Option<PathBuf>,
    /// Print what CPUID and the kernel say of this machine, for --machine and for reports of errors
    #[arg(long, conflicts_with = "json")]
    capture: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    let secs: f64 = text.parse().map_err(|_| "seconds are a number".to_owned())?;
    if (0.05..=60.0).contains(&secs) { Ok(secs) } else { Err("between 0.05 and 60 seconds".to_owned()) }
}

/// What the doctor has to say.
struct Report {
    record: Record,
    /// Absent where nothing could be measured, or was to be.
    figures: Option<Figures>,
    /// Why nothing can be measured here.
    refusal: Option<Error>,
}

/// Runs the subcommand.
///
/// # Errors
///
/// `Usage` for a core that this process may not use, `Input` for a file that is no recorded machine. That the machine cannot
/// measure is no error but what is reported.
pub(crate) fn run(args: Args) -> Result<ExitStatus> {
    if args.capture {
        return output::emit(&format!("{}\n", Recording::capture().to_json())).map(|()| ExitStatus::Done);
    }
    let report = match &args.machine {
        Some(file) => recorded(&recording(file)?),
        None => examine(&args)?,
    };
    let text = if args.json { report.to_json() } else { screen::page(&report, page_width()) };
    output::emit(&text)?;
    Ok(report.refusal.as_ref().map_or(ExitStatus::Done, Error::exit_status))
}

fn recording(file: &Path) -> Result<Machine> {
    let text = fs::read_to_string(file).map_err(|error| {
        Error::new(ErrorKind::Io, format!("{} cannot be read: {error}", crate::files::shown(file)))
            .remedy("give a file that fencepost doctor --capture wrote")
            .caused_by(error)
    })?;
    Ok(Recording::from_json(&text)?.machine())
}

fn examine(args: &Args) -> Result<Report> {
    let mut builder = Lab::builder();
    if let Some(core) = args.core {
        builder = builder.core(core);
    }
    let lab = match builder.build() {
        Ok(lab) => lab,
        Err(error) if error.kind() == ErrorKind::CannotMeasure => {
            let machine = Machine::detect();
            let cpu = args.core.or(machine.host().online.first().copied()).unwrap_or(0);
            return Ok(Report { record: described(&machine, cpu), figures: None, refusal: Some(error) });
        }
        Err(error) => return Err(error),
    };
    let calibration = lab.record(&[], true).calibration;
    let figures = Figures::watch(&lab, &calibration, Duration::from_secs_f64(args.secs));
    // After watching: the frequency is known better, and stolen time has been counted.
    let mut record = lab.record(&[], true);
    record.calibration.gauge_nops_per_cycle = Some(figures.nops_per_cycle);
    for finding in &mut record.findings {
        if let Some(now) = figures.effect_of(&finding.id, &record.calibration) {
            finding.effect = format!("{}; now: {now}", finding.effect);
        }
    }
    record.findings.extend(figures.findings());
    record.findings.sort_by_key(|finding| rank(finding.severity));
    Ok(Report { record, figures: Some(figures), refusal: None })
}

/// A machine that is only described: as good as its description can tell.
fn recorded(machine: &Machine) -> Report {
    let cpu = machine.host().online.first().copied().unwrap_or(0);
    let refusal = machine.invariant_tsc().err().or_else(|| {
        (!machine.has_rdtscp()).then(|| {
            Error::new(ErrorKind::CannotMeasure, "this CPU does not show RDTSCP")
                .because("it closes every timed region and tells the core that the region ended on")
        })
    });
    Report { record: described(machine, cpu), figures: None, refusal }
}

fn described(machine: &Machine, cpu: usize) -> Record {
    let mut record = Record {
        build: Build::current(),
        machine: machine.into(),
        findings: machine
            .findings(cpu)
            .into_iter()
            .map(|finding| Finding {
                id: finding.id.to_owned(),
                severity: match finding.severity {
                    machine::Severity::Note => Severity::Note,
                    machine::Severity::Warning => Severity::Warning,
                    machine::Severity::Serious => Severity::Serious,
                },
                value: finding.value,
                effect: finding.effect,
                remedy: finding.remedy,
            })
            .collect(),
        ..Record::default()
    };
    let calibration = &mut record.calibration;
    calibration.core = cpu as u64;
    calibration.lfence = machine.lfence().to_string();
    calibration.tsc_hz = f64::NAN;
    calibration.tsc_step_ticks = f64::NAN;
    calibration.fence_overhead_ticks = f64::NAN;
    calibration.fence_overhead_median_ticks = f64::NAN;
    if let Some(told) = machine.tsc_frequencies().first() {
        calibration.tsc_hz = told.hertz.get();
        told.source.clone_into(&mut calibration.tsc_hz_source);
    }
    calibration.issue_width = machine.issue_width().map(u64::from);
    record
}

fn rank(severity: Severity) -> u8 {
    match severity {
        Severity::Serious => 0,
        Severity::Warning => 1,
        _ => 2,
    }
}

impl Report {
    /// The record with one field more, which readers of records pass over.
    fn to_json(&self) -> String {
        let mut value = serde_json::to_value(&self.record).unwrap_or_default();
        if let Some(fields) = value.as_object_mut() {
            fields.insert(
                "doctor".to_owned(),
                json!({
                    "can_measure": self.refusal.is_none(),
                    "reason": self.refusal.as_ref().map(ToString::to_string),
                    "now": self.figures.as_ref().map(Figures::to_json),
                }),
            );
        }
        format!("{value:#}\n")
    }
}
