//! What does llvm-mca say? It is run on two numbers of iterations, so that what it costs to begin cancels, and its JSON is read.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::llvm_cpu;
use super::model::{Block, Forecast, Model, Tabled};
use super::process::{Answer, ask};
use super::source::Syntax;
use crate::error::{Error, ErrorKind, Result};
use crate::machine::Microarchitecture;
use crate::record::text::inert;

/// What one question may take.
const LIMIT: Duration = Duration::from_secs(20);
/// Latency that stands for "not modelled".
const PLACEHOLDER: u64 = 100;
/// The newest version whose name is looked for.
const NEWEST: u32 = 40;

/// Asks about blocks: an answer for each, or the complaint.
type Asked<'a, T> = dyn Fn(&[&Block]) -> Result<std::result::Result<Vec<T>, Answer>> + 'a;

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

    /// What one run says of `blocks`, in their order; where it complains, its answer.
    fn run(&self, blocks: &[&Block], iterations: u64) -> Result<std::result::Result<Vec<Run>, Answer>> {
        let mut command = Command::new(&self.program);
        command.args(["-mtriple=x86_64-unknown-linux-gnu", "-json"]);
        command.args([format!("-mcpu={}", self.cpu), format!("-iterations={iterations}")]);
        // Its answer names instructions as they were given, where that is the same for all.
        if blocks.iter().all(|block| block.syntax() == Some(Syntax::Intel)) {
            command.arg("-output-asm-variant=1");
        }
        let answer = ask(command, question(blocks), LIMIT)?;
        // It leaves out what it cannot read, and may end well.
        if complaint(&answer).is_some() || !answer.status.success() {
            return Ok(Err(answer));
        }
        let runs = serde_json::from_str(&answer.out).ok().and_then(|value| Run::read(&value));
        let runs = runs
            .ok_or_else(|| garbage(&self.program, "its answer is no JSON that llvm-mca 13 or later gives"))?;
        if runs.len() != blocks.len() {
            return Err(garbage(
                &self.program,
                "it answered for another number of blocks than it was asked about",
            ));
        }
        if runs.iter().any(|run| run.iterations != iterations) {
            return Err(garbage(&self.program, "it ran another number of iterations than it was told"));
        }
        Ok(Ok(runs))
    }

    /// Answers for `blocks`, all of which are run so many times.
    fn answers(&self, blocks: &[&Block], iterations: u64) -> Vec<Result<Forecast>> {
        let ask = |blocks: &[&Block]| {
            let short = match self.run(blocks, iterations)? {
                Ok(short) => short,
                Err(answer) => return Ok(Err(answer)),
            };
            let long = self.run(blocks, 2 * iterations)?;
            Ok(long.map(|long| {
                let both = short.into_iter().zip(long);
                both.map(|(short, long)| self.forecast(short, &long, iterations)).collect()
            }))
        };
        if let [_] = blocks {
            return self.each(blocks, &ask);
        }
        // It stops at the first block that it refuses, having run all before: single turns find out sooner which those are.
        let tried = self.each(blocks, &|blocks| self.run(blocks, 1));
        let taken: Vec<&Block> =
            blocks.iter().zip(&tried).filter(|(_, one)| one.is_ok()).map(|(block, _)| *block).collect();
        let mut answers = self.each(&taken, &ask).into_iter();
        let missing = || Err(garbage(&self.program, "it left a block out"));
        tried
            .into_iter()
            .map(|one| match one {
                Ok(_) => answers.next().unwrap_or_else(missing),
                Err(error) => Err(error),
            })
            .collect()
    }

    /// What `ask`, which gives an answer for each of its blocks or llvm-mca's complaint, has for `blocks`. Those that are complained of
    /// are left out, and the others asked about again.
    fn each<T>(&self, blocks: &[&Block], ask: &Asked<'_, T>) -> Vec<Result<T>> {
        let started = Instant::now();
        let answer = match ask(blocks) {
            Ok(Ok(answers)) => return answers.into_iter().map(Ok).collect(),
            Ok(Err(answer)) => Ok(answer),
            Err(error) => Err(error),
        };
        match (blocks, answer) {
            ([], _) => Vec::new(),
            ([block], Ok(answer)) => vec![Err(self.refused(block, &answer))],
            ([_], Err(error)) => vec![Err(error)],
            (_, Err(error)) if started.elapsed() > LIMIT / 2 => {
                blocks.iter().map(|_| Err(Error::new(error.kind(), error.to_string()))).collect()
            }
            // One block may be at fault, but what fails for another one alone is not asked again for each.
            (_, Err(error)) => match self.each(&blocks[..1], ask).pop() {
                Some(Ok(first)) => {
                    let rest = &blocks[1..];
                    let (one, other) = rest.split_at(rest.len() / 2);
                    let mut all = vec![Ok(first)];
                    all.extend(self.each(one, ask));
                    all.extend(self.each(other, ask));
                    all
                }
                _ => blocks.iter().map(|_| Err(Error::new(error.kind(), error.to_string()))).collect(),
            },
            (_, Ok(answer)) => {
                let bad = complaints(&answer, blocks);
                if bad.is_empty() || bad.len() == blocks.len() {
                    let (one, other) = blocks.split_at(blocks.len() / 2);
                    let mut all = self.each(one, ask);
                    all.extend(self.each(other, ask));
                    return all;
                }
                let good: Vec<&Block> = blocks
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| !bad.contains_key(at))
                    .map(|(_, block)| *block)
                    .collect();
                let mut others = self.each(&good, ask).into_iter();
                blocks
                    .iter()
                    .enumerate()
                    .filter_map(|(at, block)| match bad.get(&at) {
                        Some(said) => Some(Err(self.refusal(block, said.clone()))),
                        None => others.next(),
                    })
                    .collect()
            }
        }
    }

    fn forecast(&self, short: Run, long: &Run, iterations: u64) -> Forecast {
        let cycles = long.cycles.saturating_sub(short.cycles) as f64 / iterations as f64;
        let mut remarks: Vec<String> = self.remark.clone().into_iter().collect();
        if !short.ports.is_empty() {
            remarks.push(format!("the model's ports are named {}", short.ports));
        }
        Forecast {
            cycles,
            instructions: short.instructions / iterations,
            uops: Some(short.uops as f64 / iterations as f64),
            bottleneck: Some(short.bottleneck(cycles, iterations)),
            unmodelled: short.unmodelled,
            stand_in: Some(PLACEHOLDER as f64),
            each: short.each,
            remarks,
        }
    }

    fn refused(&self, block: &Block, answer: &Answer) -> Error {
        let said = complaint(answer)
            .or_else(|| answer.err.lines().next().map(str::to_owned))
            .map_or_else(|| format!("it ended with {} and said nothing", answer.status), |said| inert(&said));
        self.refusal(block, said)
    }

    fn refusal(&self, block: &Block, said: String) -> Error {
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

/// `blocks` as the regions of one file: a line before and one behind the instructions of each.
fn question(blocks: &[&Block]) -> String {
    let mut text = String::new();
    for (at, block) in blocks.iter().enumerate() {
        text.push_str(&format!("# LLVM-MCA-BEGIN r{at}\n"));
        // The label of its beginning is the same in all blocks, and jumps need none.
        for line in block.without_labels() {
            text.push_str(line);
            text.push('\n');
        }
        text.push_str(&format!("# LLVM-MCA-END r{at}\n"));
    }
    text
}

/// Which block of a question the line, counted from 1, is of.
fn block_at(blocks: &[&Block], line: usize) -> Option<usize> {
    let mut end = 0;
    blocks.iter().position(|block| {
        end += block.without_labels().count() + 2;
        line <= end
    })
}

/// The line that a message of the assembler's is about.
fn line_of(message: &str) -> Option<usize> {
    let (place, rest) = message.split_once(": error:").or_else(|| message.split_once(": warning:"))?;
    let _ = rest;
    place.rsplit(':').nth(1)?.parse().ok()
}

/// The first thing that it complains about, with the instruction where it names one in a note.
fn complaint(answer: &Answer) -> Option<String> {
    let mut lines = answer.err.lines().skip_while(|line| !line.contains("error:"));
    let error = lines.next()?.trim();
    let note = lines.next().and_then(|line| line.trim().strip_prefix("note: instruction:"));
    Some(match note {
        Some(instruction) => format!("{error} {}", instruction.trim().replace('\t', " ")),
        None => error.to_owned(),
    })
}

/// What is said of which block: by the line that a message names, or by the text of the instruction that could not be modelled.
fn complaints(answer: &Answer, blocks: &[&Block]) -> BTreeMap<usize, String> {
    let plain = |text: &str| text.chars().filter(|one| !one.is_whitespace()).collect::<String>();
    let mut said = BTreeMap::new();
    for line in answer.err.lines() {
        if let Some(at) = line_of(line).and_then(|line| block_at(blocks, line)) {
            said.entry(at).or_insert_with(|| inert(line.trim_start_matches("<stdin>:")));
        } else if let Some(instruction) = line.trim().strip_prefix("note: instruction:") {
            let instruction = instruction.trim();
            let same = |block: &&Block| block.instructions().any(|line| plain(line) == plain(instruction));
            for (at, _) in blocks.iter().enumerate().filter(|(_, block)| same(block)) {
                let shown = inert(&instruction.replace('\t', " "));
                said.entry(at).or_insert_with(|| format!("{shown} is an unsupported instruction"));
            }
        }
    }
    said
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
        match self.predict_all(std::slice::from_ref(block)).pop() {
            Some(answer) => answer,
            None => Err(garbage(&self.program, "it answered nothing")),
        }
    }

    fn predict_all(&self, blocks: &[Block]) -> Vec<Result<Forecast>> {
        let mut parts: Vec<(Vec<usize>, u64)> = Vec::new();
        for (lengths, iterations) in ITERATIONS {
            let places: Vec<usize> = (0..blocks.len())
                .filter(|at| lengths.contains(&blocks[*at].instructions().count()))
                .collect();
            let of_these = chunks(&places, |at| blocks[at].lines.len());
            parts.extend(of_these.into_iter().map(|places| (places.to_vec(), iterations)));
        }
        // One process for each CPU that this thread may use: nothing is measured meanwhile.
        let next = AtomicUsize::new(0);
        let work = || {
            let mut said = Vec::new();
            while let Some((places, iterations)) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
                let asked: Vec<&Block> = places.iter().map(|at| &blocks[*at]).collect();
                said.extend(places.iter().copied().zip(self.answers(&asked, *iterations)));
            }
            said
        };
        let threads = thread::available_parallelism().map_or(1, usize::from).min(parts.len());
        let said = thread::scope(|scope| {
            let others: Vec<_> =
                (1..threads).filter_map(|_| thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
            let mut said = work();
            said.extend(others.into_iter().filter_map(|one| one.join().ok()).flatten());
            said
        });
        let mut answers: Vec<Option<Result<Forecast>>> = blocks.iter().map(|_| None).collect();
        for (at, answer) in said {
            answers[at] = Some(answer);
        }
        answers
            .into_iter()
            .map(|answer| answer.unwrap_or_else(|| Err(garbage(&self.program, "it left a block out"))))
            .collect()
    }
}

/// `places` in parts of a size that is answered well within the time limit.
fn chunks(places: &[usize], lines: impl Fn(usize) -> usize) -> Vec<&[usize]> {
    const MOST: usize = 1000;
    let mut parts = Vec::new();
    let (mut from, mut sum) = (0, 0);
    for (to, place) in places.iter().enumerate() {
        if to > from && sum + lines(*place) > MOST {
            parts.push(&places[from..to]);
            (from, sum) = (to, 0);
        }
        sum += lines(*place);
    }
    if from < places.len() {
        parts.push(&places[from..]);
    }
    parts
}

/// So many turns of blocks of so many instructions. With fewer, the queues of some loops are still being filled in the second half: a
/// call of a function with spills around it takes a hundred turns to settle.
const ITERATIONS: [(std::ops::RangeInclusive<usize>, u64); 3] =
    [(0..=100, 200), (101..=400, 50), (401..=usize::MAX, 10)];

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
    each: Vec<Tabled>,
    /// What the names of all ports begin with.
    ports: String,
}

impl Run {
    fn read(value: &Value) -> Option<Vec<Self>> {
        let names: Vec<&str> =
            value.get("TargetInfo")?.get("Resources")?.as_array()?.iter().filter_map(Value::as_str).collect();
        let regions = value.get("CodeRegions")?.as_array()?;
        regions.iter().map(|region| Self::of_region(region, &names)).collect()
    }

    fn of_region(region: &Value, names: &[&str]) -> Option<Self> {
        let summary = region.get("SummaryView")?;
        let number = |name: &str| summary.get(name)?.as_u64();
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
        let each = infos
            .iter()
            .map(|info| {
                Some(Tabled {
                    latency: info.get("Latency")?.as_f64()?,
                    rthroughput: info.get("RThroughput")?.as_f64()?,
                    uops: info.get("NumMicroOpcodes").and_then(Value::as_f64),
                })
            })
            .collect::<Option<_>>()?;
        Some(Self {
            iterations: number("Iterations")?,
            cycles: number("TotalCycles")?,
            instructions: number("Instructions")?,
            uops: number("TotaluOps")?,
            width: summary.get("DispatchWidth")?.as_f64()?,
            busiest,
            unmodelled,
            each,
            ports: common_start(names),
        })
    }

    /// What the cycles of a turn are nearest to: what dispatch or the busiest resource allows, or else what waits for what.
    fn bottleneck(&self, cycles: f64, iterations: u64) -> String {
        const NEAR: f64 = 1.05;
        let uops = self.uops as f64 / iterations.max(1) as f64;
        if let Some((name, usage)) = &self.busiest
            && cycles <= usage * NEAR
        {
            return format!("resource {}", name.trim_end_matches(|one: char| one.is_control() || one == '.'));
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
