//! What does llvm-mca say? It is run on two numbers of iterations, so that what it costs to begin cancels, and its JSON is read.

#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::llvm_cpu;
use super::model::{Block, Forecast, Model};
use super::process::{Answer, ask};
use crate::error::{Error, ErrorKind, Result};
use crate::machine::Microarchitecture;
use crate::record::text::inert;

/// What one question may take.
const LIMIT: Duration = Duration::from_secs(20);
/// Latency that stands for "not modelled".
const PLACEHOLDER: u64 = 100;
/// The newest version whose name is looked for.
const NEWEST: u32 = 40;

/// llvm-mca, of one version, for one CPU.
#[derive(Clone, Debug)]
pub struct LlvmMca {
    program: PathBuf,
    version: String,
    cpu: String,
    remark: Option<String>,
}

impl LlvmMca {
    /// The newest that is installed, or the one at `program`; for the CPU `mcpu`, or for `design`.
    ///
    /// # Errors
    ///
    /// `Io` where none is installed, `Input` where it does not answer as llvm-mca does, `Usage` where it does not know `mcpu`.
    pub fn find(
        program: Option<&Path>,
        mcpu: Option<&str>,
        design: Option<&Microarchitecture>,
    ) -> Result<Self> {
        let (program, version) = match program {
            Some(program) => (program.to_owned(), version_of(program)?),
            None => installed().ok_or_else(|| {
                Error::new(ErrorKind::Io, "no llvm-mca is installed")
                    .because("it is asked for the prediction")
                    .remedy("install the package llvm (apt install llvm), or give --llvm-mca PATH")
            })?,
        };
        let mut command = Command::new(&program);
        command.arg("-mcpu=help");
        let known = ask(command, String::new(), LIMIT)?;
        let known: Vec<String> = (known.err.lines().chain(known.out.lines()))
            .take_while(|line| !line.starts_with("Available features"))
            .filter_map(|line| Some(line.split_once(" - Select the ")?.0.trim().to_owned()))
            .collect();
        if known.is_empty() {
            return Err(garbage(&program, "it lists no CPUs"));
        }
        let (cpu, remark) = match mcpu {
            Some(name) if known.iter().any(|one| one == name) => (name.to_owned(), None),
            Some(name) => {
                return Err(Error::new(
                    ErrorKind::Usage,
                    format!("llvm-mca {version} knows no CPU {:?}", inert(name)),
                )
                .because("it would silently model another one")
                .remedy(format!("give one that {} -mcpu=help lists", program.display())));
            }
            None => llvm_cpu::name(design, &known),
        };
        Ok(Self { program, version, cpu, remark })
    }

    /// Cycles, and the rest of what one run says.
    fn run(&self, block: &Block, iterations: u64) -> Result<Run> {
        let mut command = Command::new(&self.program);
        command.args(["-mtriple=x86_64-unknown-linux-gnu", "-json"]);
        command.args([format!("-mcpu={}", self.cpu), format!("-iterations={iterations}")]);
        let mut text = block.lines.join("\n");
        text.push('\n');
        let answer = ask(command, text, LIMIT)?;
        // It leaves out what it cannot read, and ends well.
        let complaint = answer.err.lines().find(|line| line.contains("error:"));
        if complaint.is_some() || !answer.status.success() {
            return Err(self.refused(block, &answer, complaint));
        }
        let run = serde_json::from_str(&answer.out).ok().and_then(|value| Run::read(&value));
        let run = run
            .ok_or_else(|| garbage(&self.program, "its answer is no JSON that llvm-mca 13 or later gives"))?;
        if run.iterations != iterations {
            return Err(garbage(&self.program, "it ran another number of iterations than it was told"));
        }
        Ok(run)
    }

    fn refused(&self, block: &Block, answer: &Answer, complaint: Option<&str>) -> Error {
        let said = complaint
            .or_else(|| answer.err.lines().next())
            .map_or_else(|| format!("it ended with {} and said nothing", answer.status), inert);
        Error::new(
            ErrorKind::Input,
            format!("llvm-mca {} did not predict {:?}", self.version, inert(&block.name)),
        )
        .because(said)
        .remedy(
            "mend the instruction, give a CPU that has it by --mcpu, or another llvm-mca by --llvm-mca PATH",
        )
    }
}

impl Model for LlvmMca {
    fn name(&self) -> &str {
        "llvm-mca"
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn cpu(&self) -> &str {
        &self.cpu
    }

    fn predict(&self, block: &Block) -> Result<Forecast> {
        let iterations = (20_000 / block.lines.len().max(1) as u64).clamp(10, 200);
        let short = self.run(block, iterations)?;
        let long = self.run(block, 2 * iterations)?;
        let cycles = long.cycles.saturating_sub(short.cycles) as f64 / iterations as f64;
        let mut remarks: Vec<String> = self.remark.clone().into_iter().collect();
        if !short.ports.is_empty() {
            remarks.push(format!("the model's ports are named {}", short.ports));
        }
        Ok(Forecast {
            cycles,
            instructions: short.instructions / iterations,
            uops: Some(short.uops as f64 / iterations as f64),
            bottleneck: Some(short.bottleneck(cycles, iterations)),
            unmodelled: short.unmodelled,
            remarks,
        })
    }
}

/// What is read of one run.
struct Run {
    iterations: u64,
    cycles: u64,
    instructions: u64,
    uops: u64,
    width: f64,
    /// The resource that is used the most, and for how many cycles a turn.
    busiest: Option<(String, f64)>,
    unmodelled: Vec<String>,
    /// What the names of all ports begin with.
    ports: String,
}

impl Run {
    fn read(value: &Value) -> Option<Self> {
        let region = value.get("CodeRegions")?.get(0)?;
        let summary = region.get("SummaryView")?;
        let number = |name: &str| summary.get(name)?.as_u64();
        let names: Vec<&str> =
            value.get("TargetInfo")?.get("Resources")?.as_array()?.iter().filter_map(Value::as_str).collect();
        let texts: Vec<&str> =
            region.get("Instructions")?.as_array()?.iter().filter_map(Value::as_str).collect();
        let pressures = region.get("ResourcePressureView")?.get("ResourcePressureInfo")?.as_array()?;
        let mut busiest: Option<(String, f64)> = None;
        for one in pressures {
            // The row behind the last instruction is the sum.
            if one.get("InstructionIndex")?.as_u64()? != texts.len() as u64 {
                continue;
            }
            let usage = one.get("ResourceUsage")?.as_f64()?;
            let at = usize::try_from(one.get("ResourceIndex")?.as_u64()?).ok()?;
            if busiest.as_ref().is_none_or(|(_, most)| usage > *most) {
                busiest = Some(((*names.get(at)?).to_owned(), usage));
            }
        }
        let infos = region.get("InstructionInfoView")?.get("InstructionList")?.as_array()?;
        let unmodelled = infos
            .iter()
            .zip(&texts)
            .filter(|(info, _)| info.get("Latency").and_then(Value::as_u64) == Some(PLACEHOLDER))
            .map(|(_, text)| text.replace('\t', " "))
            .collect();
        Some(Self {
            iterations: number("Iterations")?,
            cycles: number("TotalCycles")?,
            instructions: number("Instructions")?,
            uops: number("TotaluOps")?,
            width: summary.get("DispatchWidth")?.as_f64()?,
            busiest,
            unmodelled,
            ports: common_start(&names),
        })
    }

    /// What the cycles of a turn are nearest to: what dispatch or the busiest resource allows, or else what waits for what.
    fn bottleneck(&self, cycles: f64, iterations: u64) -> String {
        const NEAR: f64 = 1.05;
        let uops = self.uops as f64 / iterations.max(1) as f64;
        if let Some((name, usage)) = &self.busiest
            && cycles <= usage * NEAR
        {
            return format!("resource {name}");
        }
        if self.width > 0.0 && cycles <= uops / self.width * NEAR {
            return format!("dispatch of {} a cycle", self.width);
        }
        "dependencies".to_owned()
    }
}

fn common_start(names: &[&str]) -> String {
    let Some(first) = names.first() else { return String::new() };
    let mut length = first.char_indices().map(|(at, _)| at).chain([first.len()]);
    let longest = length.rfind(|at| names.iter().all(|name| name.starts_with(&first[..*at]))).unwrap_or(0);
    first[..longest].trim_end_matches("Port").to_owned()
}

fn garbage(program: &Path, why: &str) -> Error {
    Error::new(ErrorKind::Input, format!("{program:?} does not answer as llvm-mca does"))
        .because(why.to_owned())
        .remedy("name another one by --llvm-mca PATH")
}

fn version_of(program: &Path) -> Result<String> {
    let mut command = Command::new(program);
    command.arg("--version");
    let answer = ask(command, String::new(), LIMIT)?;
    let version = answer.out.lines().find_map(|line| {
        let (_, version) = line.split_once("LLVM version ")?;
        Some(version.split_whitespace().next()?.to_owned())
    });
    version.ok_or_else(|| garbage(program, "it states no LLVM version"))
}

/// The newest on `PATH`.
fn installed() -> Option<(PathBuf, String)> {
    let path = std::env::var_os("PATH")?;
    let names =
        std::iter::once("llvm-mca".to_owned()).chain((9..=NEWEST).map(|number| format!("llvm-mca-{number}")));
    let names: Vec<String> = names.collect();
    let found =
        std::env::split_paths(&path).flat_map(|folder| names.iter().map(move |name| folder.join(name)));
    found
        .filter(|program| program.is_file())
        .filter_map(|program| {
            let version = version_of(&program).ok()?;
            let major: u32 = version.split('.').next()?.parse().ok()?;
            Some((major, program, version))
        })
        // The first of those that are equally new.
        .reduce(|best, one| if one.0 > best.0 { one } else { best })
        .map(|(_, program, version)| (program, version))
}
