//! Which program turns assembly text into an object, and how is it run so that it neither hangs nor leaves anything behind?

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::AsRawFd;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::memfd::{MFdFlags, memfd_create};

use super::template::nearest_mnemonic;
use crate::error::{Error, ErrorKind, Result};
use crate::record::text::{elide, inert};

/// How assembly text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// `add rax, rbx`: destination first.
    Intel,
    /// `add %rbx, %rax`: destination last.
    Att,
}

impl Syntax {
    /// The syntax that a text is in, by its registers and immediates: AT&T marks them.
    ///
    /// ```
    /// use fencepost::asm::Syntax;
    /// assert_eq!(Syntax::detect("imul rax, rbx"), Syntax::Intel);
    /// assert_eq!(Syntax::detect("imul %rbx, %rax"), Syntax::Att);
    /// ```
    pub fn detect(text: &str) -> Self {
        let marked = text.char_indices().any(|(at, mark)| {
            let next = text.get(at + mark.len_utf8()..).and_then(|rest| rest.chars().next());
            match mark {
                '%' => next.is_some_and(|next| next.is_ascii_alphabetic()),
                '$' => next.is_some_and(|next| next.is_ascii_alphanumeric() || next == '-'),
                _ => false,
            }
        });
        if marked { Self::Att } else { Self::Intel }
    }

    const fn directive(self) -> &'static str {
        match self {
            Self::Intel => ".intel_syntax noprefix\n",
            Self::Att => ".att_syntax prefix\n",
        }
    }

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Intel => "intel",
            Self::Att => "att",
        }
    }
}

/// An assembler that may take this long is stuck.
const LIMIT: Duration = Duration::from_secs(10);
/// The most that is read of what an assembler complains.
const MOST_COMPLAINTS: u64 = 64 * 1024;
/// The most bytes of an object.
const MOST_OBJECT: u64 = 16 * 1024 * 1024;

/// The names under which LLVM's assembler is installed.
const LLVM: [&str; 11] = [
    "llvm-mc",
    "llvm-mc-22",
    "llvm-mc-21",
    "llvm-mc-20",
    "llvm-mc-19",
    "llvm-mc-18",
    "llvm-mc-17",
    "llvm-mc-16",
    "llvm-mc-15",
    "llvm-mc-14",
    "llvm-mc-13",
];

/// Assembles `text` to an ELF object, with GNU `as` or, where there is none, `llvm-mc`.
///
/// # Errors
///
/// `CannotMeasure` where neither is installed, `Input` for what the assembler refuses, `Io` where it cannot be run.
pub(super) fn assemble(text: &str, syntax: Syntax) -> Result<Vec<u8>> {
    let source = format!("{}{text}\n", syntax.directive());
    match run_gnu(&source) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(not_run("as", error)),
        Ok(run) => return run.object(text),
    }
    for name in LLVM {
        match run_llvm(name, &source) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(not_run(name, error)),
            Ok(run) => return run.object(text),
        }
    }
    Err(Error::new(ErrorKind::CannotMeasure, "there is no assembler: neither as nor llvm-mc is in PATH")
        .because("text has to be turned into machine code")
        .remedy(
            "install binutils (Debian, Fedora, Arch: binutils; it comes with gcc) or llvm, or give machine code (--hex, --object) or a \
             template (imul r64, r64)",
        ))
}

fn not_run(name: &str, error: io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("the assembler {name} could not be run: {error}"))
        .remedy("run it by hand to see what it says, or give machine code with --hex")
        .caused_by(error)
}

/// What a run of an assembler left.
struct Run {
    name: &'static str,
    ended: Ended,
    object: Vec<u8>,
    complaints: String,
}

enum Ended {
    Well,
    Badly,
    Stuck,
}

impl Run {
    fn object(self, text: &str) -> Result<Vec<u8>> {
        match self.ended {
            Ended::Well => Ok(self.object),
            Ended::Stuck => Err(Error::new(
                ErrorKind::Input,
                format!("{} did not end within {} s", self.name, LIMIT.as_secs()),
            )
            .because("something in the text keeps it busy")
            .remedy("give less text")),
            Ended::Badly => Err(complaint(&self.complaints, text)),
        }
    }
}

/// GNU as takes no pipe for its output, so it gets memory that has a name while it runs, and none on disk.
fn run_gnu(source: &str) -> io::Result<Run> {
    let memory = memfd_create(c"fencepost", MFdFlags::empty()).map_err(io::Error::from)?;
    let mut memory = File::from(memory);
    let child = Command::new("as")
        .arg("--64")
        .arg("-o")
        .arg(format!("/proc/self/fd/{}", memory.as_raw_fd()))
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .env("LC_ALL", "C")
        .spawn()?;
    let (ended, _, complaints) = feed(child, source)?;
    let mut object = Vec::new();
    memory.seek(SeekFrom::Start(0))?;
    memory.take(MOST_OBJECT).read_to_end(&mut object)?;
    Ok(Run { name: "as", ended, object, complaints })
}

fn run_llvm(name: &'static str, source: &str) -> io::Result<Run> {
    let child = Command::new(name)
        .args(["-triple=x86_64", "-filetype=obj", "-o", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .env("LC_ALL", "C")
        .spawn()?;
    let (ended, object, complaints) = feed(child, source)?;
    Ok(Run { name, ended, object, complaints })
}

/// Writes to a child while its output is read, until it ends or its time is up.
fn feed(mut child: Child, source: &str) -> io::Result<(Ended, Vec<u8>, String)> {
    let stdin = child.stdin.take();
    let stdout = child.stdout.take();
    let stderr = child.stderr.take();
    thread::scope(|scope| {
        scope.spawn(move || {
            if let Some(mut stdin) = stdin {
                // An assembler that has gone says why itself.
                let _ = stdin.write_all(source.as_bytes());
            }
        });
        let output = scope.spawn(move || stdout.map(|out| drain(out, MOST_OBJECT)).unwrap_or_default());
        let complaints =
            scope.spawn(move || stderr.map(|err| drain(err, MOST_COMPLAINTS)).unwrap_or_default());
        let status = wait(&mut child);
        let output = output.join().unwrap_or_default();
        let complaints = complaints.join().unwrap_or_default();
        let ended = match status? {
            None => Ended::Stuck,
            Some(status) if status.success() => Ended::Well,
            Some(_) => Ended::Badly,
        };
        Ok((ended, output, String::from_utf8_lossy(&complaints).into_owned()))
    })
}

/// Keeps the first `most` bytes and reads on to the end, so that the writer never waits.
fn drain(mut from: impl Read, most: u64) -> Vec<u8> {
    let mut kept = Vec::new();
    let _ = from.by_ref().take(most).read_to_end(&mut kept);
    let _ = io::copy(&mut from, &mut io::sink());
    kept
}

fn wait(child: &mut Child) -> io::Result<Option<std::process::ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > LIMIT {
            let _ = child.kill();
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// The first complaint of an assembler, with the line of the text that it is about.
fn complaint(complaints: &str, text: &str) -> Error {
    let Some((line, message)) = complaints.lines().find_map(parse) else {
        let first = complaints.lines().next().unwrap_or("it says nothing");
        return Error::new(
            ErrorKind::Input,
            format!("the text cannot be assembled: {}", elide(&inert(first), 120)),
        );
    };
    // The first line is the directive that sets the syntax.
    let line = line.saturating_sub(1);
    let shown = text
        .lines()
        .nth(line.saturating_sub(1))
        .map(|line| elide(&inert(line.trim()), 80))
        .unwrap_or_default();
    let error = Error::new(ErrorKind::Input, format!("line {line} cannot be assembled: \"{shown}\""))
        .because(elide(&inert(message), 120));
    let unknown = message
        .split_once("no such instruction: `")
        .map(|(_, rest)| rest)
        .or_else(|| message.split_once("invalid instruction mnemonic '").map(|(_, rest)| rest))
        .and_then(|rest| rest.split(|one: char| one.is_whitespace() || one == '\'').next());
    let Some(unknown) = unknown else {
        return error.remedy("mend that line; --syntax intel or att says which way the operands are written");
    };
    let near = nearest_mnemonic(unknown).or_else(|| {
        // AT&T's letter for the size.
        let stem = unknown.strip_suffix(['b', 'w', 'l', 'q'])?;
        nearest_mnemonic(stem)
    });
    match near {
        Some(near) => error.remedy(format!("did you mean {near}?")),
        None => error.remedy("give an instruction of Intel's or AMD's manual"),
    }
}

/// Line and message of one line that an assembler wrote.
fn parse(line: &str) -> Option<(usize, &str)> {
    let rest = line.strip_prefix("{standard input}:").or_else(|| line.strip_prefix("<stdin>:"))?;
    let (number, rest) = rest.split_once(':')?;
    let number = number.parse().ok()?;
    let message = rest.split_once("rror: ").map(|(_, message)| message)?;
    Some((number, message.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_syntax_is_seen_by_its_marks() {
        assert_eq!(Syntax::detect("addq $5, (%rax)"), Syntax::Att);
        assert_eq!(Syntax::detect("nop"), Syntax::Intel);
        assert_eq!(Syntax::detect("add rax, 5 # 100 % sure"), Syntax::Intel);
        assert_eq!(Syntax::detect("%"), Syntax::Intel);
        assert_eq!(Syntax::detect("€%€"), Syntax::Intel);
    }

    #[test]
    fn complaints_of_both_assemblers_name_line_text_and_the_nearest() {
        let gnu = "{standard input}: Assembler messages:\n{standard input}:3: Error: no such instruction: `imull rax,rbx'\n";
        let said = complaint(gnu, "nop\nimull rax, rbx").to_string();
        assert!(
            said.contains("line 2")
                && said.contains("imull rax, rbx")
                && said.ends_with("did you mean imul?"),
            "{said}"
        );
        let llvm = "<stdin>:2:1: error: invalid instruction mnemonic 'adq'\nadq $1, %rax\n^~~\n";
        let said = complaint(llvm, "adq $1, %rax").to_string();
        assert!(said.contains("line 1") && said.contains("did you mean"), "{said}");
        assert!(complaint("", "").to_string().contains("says nothing"));
        assert!(complaint("{standard input}:99: Error: x", "").to_string().contains("line 98"));
    }
}
