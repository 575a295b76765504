//! What does OSACA say? It adds up the port pressure of a block and looks for its longest loop-carried dependency; the larger of the two
//! bounds a turn.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::llvm_cpu;
use super::model::{Block, Forecast, Model, Tabled};
use super::process::{Answer, ask};
use super::source::Syntax;
use crate::error::{Error, ErrorKind, Result};
use crate::machine::Microarchitecture;
use crate::record::text::inert;

/// What one question may take: Python has to start, and a long block has many paths.
const LIMIT: Duration = Duration::from_secs(60);
/// The seconds that it may look for loop-carried dependencies.
const PATHS: &str = "20";

/// LLVM's names of designs and OSACA's, newest first of each family.
const ARCHITECTURES: [(&str, &str); 13] = [
    ("znver4", "ZEN4"),
    ("znver3", "ZEN3"),
    ("znver2", "ZEN2"),
    ("znver1", "ZEN1"),
    ("sapphirerapids", "SPR"),
    ("icelake-server", "ICX"),
    ("icelake-client", "ICL"),
    ("cascadelake", "CSX"),
    ("skylake-avx512", "SKX"),
    ("broadwell", "BDW"),
    ("haswell", "HSW"),
    ("ivybridge", "IVB"),
    ("sandybridge", "SNB"),
];

/// OSACA, of one version, for one CPU.
#[derive(Clone, Debug)]
pub struct Osaca {
    program: PathBuf,
    version: String,
    arch: String,
    remark: Option<String>,
}

impl Osaca {
    /// The one at `program`, or the first on `PATH`; for the CPU `arch` by OSACA's name or LLVM's, or for `design`.
    ///
    /// # Errors
    ///
    /// `Io` where none is installed, `Input` where it does not answer as OSACA does, `Usage` where it does not model that CPU.
    pub fn find(
        program: Option<&Path>,
        arch: Option<&str>,
        design: Option<&Microarchitecture>,
    ) -> Result<Self> {
        let program = match program {
            Some(program) => program.to_owned(),
            None => on_path().ok_or_else(|| {
                Error::new(ErrorKind::Io, "no OSACA is installed")
                    .because("it is asked for the prediction")
                    .remedy("install the Python package osaca (pip install osaca), or give --osaca PATH")
            })?,
        };
        let told = |argument: &str| {
            let mut command = Command::new(&program);
            command.arg(argument);
            ask(command, String::new(), LIMIT)
        };
        let version = told("--version")?;
        let version = version.out.lines().find_map(|line| {
            let version = line.trim().strip_prefix("osaca ")?;
            version.starts_with(|one: char| one.is_ascii_digit()).then(|| version.trim().to_owned())
        });
        let version = version.ok_or_else(|| garbage(&program, "it states no version of OSACA"))?;
        let help = told("--help")?;
        let known: Vec<&(&str, &str)> = ARCHITECTURES
            .iter()
            .filter(|(_, arch)| {
                help.out.split(|one: char| !one.is_ascii_alphanumeric()).any(|word| word == *arch)
            })
            .collect();
        if known.is_empty() {
            return Err(garbage(&program, "it lists no architectures"));
        }
        let unknown = |what: String| {
            let names: Vec<&str> = known.iter().map(|(_, arch)| *arch).collect();
            Error::new(ErrorKind::Usage, what)
                .because("it has no data for that design")
                .remedy(format!("give one of these by --mcpu: {}", names.join(", ")))
        };
        let (arch, remark) = match arch {
            Some(name) => {
                let same = |one: &&&(&str, &str)| one.0 == name || one.1.eq_ignore_ascii_case(name);
                let found = known
                    .iter()
                    .find(same)
                    .ok_or_else(|| unknown(format!("OSACA {version} models no CPU {:?}", inert(name))))?;
                (found.1, None)
            }
            None => {
                let names: Vec<String> = known.iter().map(|(llvm, _)| (*llvm).to_owned()).collect();
                let (chosen, _) = llvm_cpu::name(design, &names);
                let found = known.iter().find(|(llvm, _)| *llvm == chosen);
                let here = design.map_or("this CPU", |design| design.llvm);
                let found =
                    found.ok_or_else(|| unknown(format!("OSACA {version} models nothing near {here}")))?;
                let remark = (design.map(|design| design.llvm) != Some(found.0))
                    .then(|| format!("this OSACA has no data for {here}: the model is that of {}", found.1));
                (found.1, remark)
            }
        };
        Ok(Self { program, version, arch: arch.to_owned(), remark })
    }

    fn refused(&self, block: &Block, answer: &Answer) -> Error {
        // A traceback ends with what it is about.
        let said = answer.err.lines().rfind(|line| !line.trim().is_empty());
        let said = said.map_or_else(|| format!("it ended with {} and said nothing", answer.status), inert);
        Error::new(
            ErrorKind::Input,
            format!("OSACA {} did not predict {:?}", self.version, inert(&block.name)),
        )
        .because(said)
        .remedy("mend the instruction, or ask another model by --model llvm-mca")
    }
}

impl Model for Osaca {
    fn name(&self) -> &str {
        "osaca"
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn cpu(&self) -> &str {
        &self.arch
    }

    fn predict(&self, block: &Block) -> Result<Forecast> {
        let lines: Vec<&str> = block.instructions().collect();
        if lines.is_empty() {
            return Err(Error::new(
                ErrorKind::Input,
                format!("{:?} has no instructions", inert(&block.name)),
            )
            .remedy("give a block with some"));
        }
        let syntax = match block.syntax() {
            Some(Syntax::Att) => "ATT",
            Some(Syntax::Intel) => "INTEL",
            None => {
                return Err(Error::new(
                    ErrorKind::Input,
                    format!("{:?} is in AT&T and in Intel syntax", inert(&block.name)),
                )
                .because("OSACA reads one of them at a time")
                .remedy("ask another model by --model llvm-mca"));
            }
        };
        let mut command = Command::new(&self.program);
        command.args(["--arch", &self.arch, "--syntax", syntax, "--ignore-unknown"]);
        command.args(["--lcd-timeout", PATHS, "--lines", &format!("1-{}", lines.len())]);
        command.args(["--out", "/dev/null", "--yaml-out", "/dev/stdout", "-"]);
        let answer = ask(command, format!("{}\n", lines.join("\n")), LIMIT)?;
        if !answer.status.success() {
            return Err(self.refused(block, &answer));
        }
        let report =
            Report::read(&answer.out).filter(|report| report.each.len() == lines.len()).ok_or_else(|| {
                garbage(&self.program, "its report has no summary, or other lines than it was given")
            })?;
        let (port, pressure) =
            report.ports.iter().fold(
                ("", 0.0),
                |most, (port, pressure)| if *pressure > most.1 { (port, *pressure) } else { most },
            );
        let unmodelled =
            report.unknown.iter().filter_map(|line| Some((*lines.get(*line)?).replace('\t', " "))).collect();
        Ok(Forecast {
            cycles: report.carried.max(pressure),
            instructions: lines.len() as u64,
            uops: None,
            bottleneck: Some(if report.carried >= pressure {
                "dependencies".to_owned()
            } else {
                format!("port {port}")
            }),
            unmodelled,
            stand_in: None,
            each: report.each,
            remarks: self.remark.clone().into_iter().collect(),
        })
    }
}

/// What is read of its report in YAML: a few plain values, whose lines begin with their names.
#[derive(Debug, Default)]
struct Report {
    /// The longest loop-carried dependency, in cycles.
    carried: f64,
    ports: BTreeMap<String, f64>,
    each: Vec<Tabled>,
    /// Places of the instructions for which there are no data.
    unknown: Vec<usize>,
}

impl Report {
    fn read(text: &str) -> Option<Self> {
        let mut report = Self::default();
        let (mut section, mut carried) = ("", None);
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            if let Some((name, _)) = line.split_once(':').filter(|(name, _)| is_name(name)) {
                section = name;
            }
            if section == "Kernel" && line.starts_with("- ") {
                report.each.push(Tabled::default());
            }
            let Some((name, value)) = line.get(2..).and_then(|field| field.split_once(':')) else { continue };
            if !line.starts_with("  ") && !line.starts_with("- ") || !is_name(name) {
                continue;
            }
            // What does not fit on a line goes on further to the right.
            let mut value = value.trim().to_owned();
            while let Some(more) = lines.next_if(|more| more.starts_with("    ")) {
                value.push(' ');
                value.push_str(more.trim());
            }
            let number = || value.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
            match (section, name) {
                ("Kernel", "Flags") if value.contains("_unknown") => {
                    report.unknown.push(report.each.len().checked_sub(1)?);
                }
                ("Kernel", "Latency") => report.each.last_mut()?.latency = number()?,
                ("Kernel", "Throughput") => report.each.last_mut()?.rthroughput = number()?,
                ("Summary", "LCD") => carried = number(),
                ("Summary", "PortPressure") => {
                    let inside = value.strip_prefix('{')?.strip_suffix('}')?;
                    for pair in inside.split(',') {
                        let (port, pressure) = pair.split_once(':')?;
                        let port = port.trim().trim_matches(['\'', '"']).to_owned();
                        report.ports.insert(port, pressure.trim().parse().ok()?);
                    }
                }
                _ => {}
            }
        }
        report.carried = carried?;
        (!report.ports.is_empty()).then_some(report)
    }
}

/// The name of a field as the report has them.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn garbage(program: &Path, why: &str) -> Error {
    Error::new(ErrorKind::Input, format!("{program:?} does not answer as OSACA does"))
        .because(why.to_owned())
        .remedy("name another one by --osaca PATH")
}

fn on_path() -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join("osaca"))
        .find(|program| program.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "Header: {Architecture: zen4, FileName: <stdin>, Timestamp: '2026-01-01 00:00:00',\n  Version: 0.7.1}\n\
        Kernel:\n- Comment: null\n  Flags: [lt_unknown,\n    tp_unknown]\n  Latency: 0.0\n  Line: imulq %rcx, %rax\n  Operands:\n  - &id002 \
        !!python/object:x {_destination:\n      false, Latency: 9}\n  Throughput: 0.0\n- Comment: null\n  Flags: []\n  Latency: 1.0\n  \
        Line: addq $8, %rdi\n  Throughput: 0.25\nSummary:\n  CriticalPath: 2.0\n  LCD: 1.0\n  PortPressure: {'0': 0.5, 1D: 0.0, '3':\n      \
        1.25, '4': 0.0}\nTarget:\n  Name: ZEN4\nWarnings: [UnknownInstrWarning]\n";

    #[test]
    fn a_report_is_read_in_spite_of_its_line_breaks() {
        let report = Report::read(REPORT).unwrap();
        assert_eq!((report.carried, report.unknown), (1.0, vec![0]));
        assert_eq!(report.ports["3"], 1.25);
        assert_eq!(report.each.len(), 2);
        assert_eq!(report.each[1], Tabled { latency: 1.0, rthroughput: 0.25, uops: None });
    }

    #[test]
    fn what_is_cut_off_or_something_else_is_no_report() {
        let summary = REPORT.find("Summary").unwrap();
        for text in ["", "hello", "Summary:\n  LCD: soon\n", &REPORT[..summary], "Kernel:\n  Latency: 1.0\n"]
        {
            assert!(Report::read(text).is_none(), "{text:?}");
        }
    }
}
