//! What does this assembly cost? The subcommand `asm`: text, templates, object code and hex, measured in a sandbox.

use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;

use clap::ValueEnum;
use fencepost::asm::{
    Block, Breadth, Job, Refusal, Syntax, Template, assemble, features, function, hex, jobs, measure,
    measure_form, utf8,
};
use fencepost::error::{Error, ErrorKind, ExitStatus, Result};
use fencepost::output;
use fencepost::record::text::{elide, inert, render, wrap};
use fencepost::record::{BenchmarkResult, Verdict};

mod bulk;
pub(crate) mod lab;
pub(crate) mod refused;

use lab::{Bench, Measuring};

/// Measure an instruction, a snippet or a basic block, in a sandbox
///
/// Examples:
///
///   fencepost asm 'imul r64, r64'              a template: latency and throughput
///
///   fencepost asm 'imul rax, rbx; add rax, 5'  a block: cycles when repeated
///
///   fencepost asm --latency 'popcnt rax, rax'  a block whose chain must close
///
///   fencepost asm --hex 480fafc3
///
///   fencepost asm --object target/release/deps/kernel.o --symbol mix
///
///   fencepost asm --hex-file blocks.csv > results.jsonl
///
/// Operands of a template are r8 r16 r32 r64 mm xmm ymm zmm k imm8 imm16 imm32
/// imm64 [m64] [m128] and so on, or named ones as cl, and for lea [m] or its parts
/// as [base+index*8+disp8]. The tool allots registers, so that a chain shows latency
/// and rotating registers show throughput.
///
/// A block of given registers is repeated as it is, unrolled to about 500
/// instructions and looped; its cost is cycles a repetition.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "Exit status: 0 done; 1 wrong use, or a block that was refused; 2 not converged\nunder --strict; 4 cannot measure here."
)]
pub(crate) struct Args {
    /// A template, or instructions separated by ; or new lines
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<std::ffi::OsString>,
    /// Read the text from a file; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "text")]
    file: Option<PathBuf>,
    /// Take machine code out of an ELF file
    #[arg(long, value_name = "FILE", requires = "symbol", conflicts_with_all = ["text", "file"])]
    object: Option<PathBuf>,
    /// The function to take, or a part of its name that no other has
    #[arg(long, value_name = "NAME", requires = "object")]
    symbol: Option<String>,
    /// Machine code as hex digits
    #[arg(long, value_name = "DIGITS", conflicts_with_all = ["text", "file", "object"])]
    hex: Option<String>,
    /// Measure every block of a CSV file (first column: hex) as JSON Lines
    #[arg(long, value_name = "CSV", conflicts_with_all = ["text", "file", "object", "hex"])]
    hex_file: Option<PathBuf>,
    /// How the text is written [default: as it looks]
    #[arg(long, value_name = "SYNTAX")]
    syntax: Option<TextSyntax>,
    /// Require that repetitions wait for one another, and name the link
    #[arg(long, conflicts_with = "hex_file")]
    latency: bool,
    /// Print the record as JSON (schema fencepost/1)
    #[arg(long)]
    json: bool,
    /// Show what would be timed, and stop
    #[arg(long, conflicts_with_all = ["json", "hex_file"])]
    list: bool,
    #[command(flatten)]
    measuring: Measuring,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TextSyntax {
    /// Destination first: add rax, rbx
    Intel,
    /// Destination last: add %rbx, %rax
    Att,
}

impl From<TextSyntax> for Syntax {
    fn from(syntax: TextSyntax) -> Self {
        match syntax {
            TextSyntax::Intel => Self::Intel,
            TextSyntax::Att => Self::Att,
        }
    }
}

/// What was given.
enum Given {
    Template(Template),
    /// A name for it, and machine code.
    Code(String, Vec<u8>),
}

/// The longest name of a block in ids.
const LONGEST_NAME: usize = 56;
/// More of a file than this is not read.
const MOST_READ: u64 = 512 * 1024 * 1024;

/// Runs the subcommand.
///
/// # Errors
///
/// `Usage` and `Input` for what cannot be read or was refused, `CannotMeasure` where this machine cannot.
pub(crate) fn run(args: Args) -> Result<ExitStatus> {
    if let Some(path) = &args.hex_file {
        return bulk::run(path, &args.measuring);
    }
    let given = given(&args)?;
    match given {
        Given::Template(template) => {
            if args.latency {
                return Err(Error::new(
                    ErrorKind::Usage,
                    format!("--latency with the template \"{template}\""),
                )
                .because("a template gets its latency by every pair of operands anyway")
                .remedy("leave it out, or give registers"));
            }
            run_template(&template, &args)
        }
        Given::Code(name, bytes) => run_block(&name, &bytes, &args),
    }
}

fn given(args: &Args) -> Result<Given> {
    if let Some(digits) = &args.hex {
        let bytes = hex(digits)?;
        return Ok(Given::Code(block_name(&bytes), bytes));
    }
    if let (Some(path), Some(symbol)) = (&args.object, &args.symbol) {
        let bytes = function(&read(path)?, symbol)?;
        return Ok(Given::Code(inert(symbol), bytes));
    }
    let text = match (&args.text, &args.file) {
        (Some(text), _) => utf8(std::os::unix::ffi::OsStrExt::as_bytes(text.as_os_str()).to_vec())?,
        (None, Some(path)) => utf8(read(path)?)?,
        (None, None) => {
            return Err(Error::new(ErrorKind::Usage, "there is nothing to measure")
                .because("neither text nor --file, --object, --hex or --hex-file is given")
                .remedy("give an instruction, for example: fencepost asm 'imul r64, r64'"));
        }
    };
    if let Some(template) = Template::parse(&text) {
        return Ok(Given::Template(template));
    }
    let bytes = assemble(&text, args.syntax.map(Syntax::from))?;
    // The file's name says more than its first line.
    let name = match &args.file {
        Some(path) if path.as_os_str() != "-" => {
            inert(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy())
        }
        _ => block_name(&bytes),
    };
    Ok(Given::Code(name, bytes))
}

fn read(path: &std::path::Path) -> Result<Vec<u8>> {
    let shown = elide(&inert(&path.to_string_lossy()), 120);
    let mut bytes = Vec::new();
    let read = if path.as_os_str() == "-" {
        io::stdin().lock().take(MOST_READ + 1).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(MOST_READ + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| {
        Error::new(ErrorKind::Io, format!("\"{shown}\" cannot be read: {error}"))
            .remedy("check the path and its permissions")
            .caused_by(error)
    })?;
    if bytes.len() as u64 > MOST_READ {
        return Err(Error::new(
            ErrorKind::Input,
            format!("\"{shown}\" has more than {} MB", MOST_READ >> 20),
        )
        .remedy("give the part that matters"));
    }
    Ok(bytes)
}

/// The instructions of a block on one line.
fn block_name(bytes: &[u8]) -> String {
    elide(&fencepost::asm::listing(bytes).join("; "), LONGEST_NAME)
}

fn run_template(template: &Template, args: &Args) -> Result<ExitStatus> {
    let features = features();
    let form = template.form(&features)?;
    let jobs = jobs(&form, &features, Breadth::Everything);
    if args.list {
        return list(&jobs);
    }
    let mut bench = Bench::new(&args.measuring, lab::Pace::Careful)?;
    let (lab, engine) = bench.parts();
    let progress = lab::Ticker::new(jobs.len());
    let outcomes = measure_form(lab, engine, &form, &features, jobs, &mut |now| progress.observe(now))?;
    drop(progress);
    let mut results = Vec::new();
    let mut refusals = Vec::new();
    for (job, outcome) in outcomes {
        match outcome {
            Ok(result) => results.push(result),
            Err(refusal) => refusals.push((job, refusal)),
        }
    }
    // A pair that the CPU refuses is one that the tool chose badly; the rest stands.
    if let (true, Some((job, refusal))) = (results.is_empty(), refusals.first()) {
        return refuse(&bench, &job.program.body, refusal, args.json);
    }
    for (job, refusal) in &refusals {
        let said = refused::sentence(refusal, &job.program.body);
        let _ = writeln!(io::stderr().lock(), "note: {} was not measured: {said}", job.id);
    }
    report(&bench, results, refusals.is_empty(), args)
}

fn run_block(name: &str, bytes: &[u8], args: &Args) -> Result<ExitStatus> {
    let checked = Block::decode(bytes).and_then(|block| block.check(&features()).map(|()| block));
    let block = match checked {
        Ok(block) => block,
        Err(refusal) => return refused::conclude(None, bytes, &refusal, args.json),
    };
    let mut job = Job::block(format!("{name}/loop"), block.program(fencepost::asm::default_fill()));
    let link = block.link();
    if args.latency {
        let Some(link) = &link else {
            return Err(Error::new(ErrorKind::Usage, format!("the chain of \"{name}\" does not close"))
                .because("no register hands a result from one repetition to the next, so there is no latency to be had")
                .remedy("let the last result be an operand of the first instruction, or leave --latency out"));
        };
        job.kind = fencepost::record::Kind::Latency;
        job.id = format!("{name}/latency[{}]", link.through);
        job.notes.push(format!(
            "each repetition waits for the one before it through {}{}: a chain of {}",
            link.through,
            if link.by_memory { ", by way of memory" } else { "" },
            counted(link.instructions)
        ));
    } else {
        job.notes.push(match &link {
            Some(link) => format!(
                "cycles a repetition when the block is repeated, unrolled to about 500 instructions and looped; the longest chain from \
                 one repetition to the next goes through {} ({})",
                link.through,
                counted(link.instructions)
            ),
            None => "cycles a repetition when the block is repeated, unrolled to about 500 instructions and looped; no repetition waits \
                     for the one before it"
                .to_owned(),
        });
    }
    if args.list {
        return list(&[job]);
    }
    let mut bench = Bench::new(&args.measuring, lab::Pace::Careful)?;
    let (lab, engine) = bench.parts();
    let progress = lab::Ticker::new(1);
    let outcome = measure(lab, engine, vec![job], &mut |now| progress.observe(now))?.pop();
    drop(progress);
    match outcome {
        Some(Ok(result)) => report(&bench, vec![result], true, args),
        Some(Err(refusal)) => refuse(&bench, bytes, &refusal, args.json),
        None => Err(Error::new(ErrorKind::CannotMeasure, "nothing was measured")),
    }
}

fn counted(instructions: f64) -> String {
    let number =
        if instructions.fract() == 0.0 { format!("{instructions:.0}") } else { format!("{instructions:.2}") };
    format!("{number} instruction{}", if instructions == 1.0 { "" } else { "s" })
}

fn refuse(bench: &Bench, bytes: &[u8], refusal: &Refusal, json: bool) -> Result<ExitStatus> {
    refused::conclude(Some(bench), bytes, refusal, json)
}

fn report(bench: &Bench, results: Vec<BenchmarkResult>, complete: bool, args: &Args) -> Result<ExitStatus> {
    let converged =
        |result: &BenchmarkResult| matches!(result.verdict, Verdict::Converged | Verdict::BelowResolution);
    let status = if args.measuring.strict && !results.iter().all(converged) {
        ExitStatus::NotConverged
    } else {
        ExitStatus::Done
    };
    let record = bench.record(results, complete);
    if args.json {
        output::emit(&format!("{}\n", record.to_json_pretty()))?;
    } else {
        output::emit(&render(&record, 80))?;
    }
    Ok(status)
}

/// Shows the programs as they would be timed.
fn list(jobs: &[Job]) -> Result<ExitStatus> {
    let mut text = String::new();
    for job in jobs {
        for line in wrap(&job.id, 80) {
            text.push_str(&line);
            text.push('\n');
        }
        for note in &job.notes {
            for line in wrap(note, 76) {
                text.push_str(&format!("  {line}\n"));
            }
        }
        for line in fencepost::asm::listing(&job.program.body) {
            text.push_str(&format!("      {line}\n"));
        }
        text.push('\n');
    }
    output::emit(&text).map(|()| ExitStatus::Done)
}
