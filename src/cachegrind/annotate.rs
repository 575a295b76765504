//! Which lines are the hottest? Asked of the program that comes with Valgrind for the profile at hand.

use std::path::Path;
use std::process::{Command, Stdio};

use super::outfile::{Format, OutFile};
use crate::error::{Error, ErrorKind, Result};
use crate::record::{brief, inert};

/// The `most` hottest lines of the profile at `path`, hottest first, as `cg_annotate` or `callgrind_annotate` tells them.
///
/// # Errors
///
/// `Input` where the file is no profile, `CannotMeasure` where the program is not there or fails.
pub(crate) fn hottest(path: &Path, most: usize) -> Result<Vec<String>> {
    let (program, whole): (_, &[&str]) = match OutFile::read(path)?.format {
        Format::Cachegrind => ("cg_annotate", &[]),
        // What calls the loop counts as all of it, and would leave the rest out.
        Format::Callgrind => ("callgrind_annotate", &["--threshold=100"]),
    };
    let ran = Command::new(program)
        .args(["--show=Ir", "--auto=yes"])
        .args(whole)
        .arg(path)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| {
            Error::new(ErrorKind::CannotMeasure, format!("{program} could not be started: {error}"))
                .because("it tells the hottest lines of a profile")
                .remedy("install it: it comes with the package valgrind, and needs perl, or python 3 from 3.21 on")
                .caused_by(error)
        })?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("nothing");
        return Err(Error::new(ErrorKind::CannotMeasure, format!("{program} failed: {}", ran.status))
            .because(format!("it said: {}", brief(said)))
            .remedy(format!("run {program} {} to see it fail", inert(&path.to_string_lossy()))));
    }
    Ok(lines(&String::from_utf8_lossy(&ran.stdout), most))
}

/// The lines of annotated sources with the most instructions, and the functions of which there is no source.
fn lines(text: &str, most: usize) -> Vec<String> {
    // Since 3.21 cg_annotate has other words.
    const SOURCES: [&str; 2] = ["Auto-annotated source: ", "Annotated source file: "];
    let mut file = None;
    let mut number = 0u64;
    let mut sources = Vec::new();
    let mut found: Vec<(u64, String)> = Vec::new();
    let mut functions: Vec<(u64, &str, &str)> = Vec::new();
    for line in text.lines() {
        if let Some((_, name)) = SOURCES.iter().find_map(|source| line.split_once(source)) {
            file = Some(name.trim());
            sources.extend(file);
        } else if let Some(rest) = line.trim_start_matches("-- ").strip_prefix("line ") {
            number = rest.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0);
        } else if let Some((count, share, what)) = counted(line) {
            match file {
                Some(file) => found.push((count, format!("{share}  {}:{number}  {what}", shortened(file)))),
                None => functions.push((count, share, what)),
            }
            number += 1;
        } else if !line.trim_start().starts_with("--") {
            number += 1;
        }
    }
    // What calls the loop counts as all of it, and tells nothing; the loop itself is never quite all.
    let total = functions.iter().map(|(count, ..)| *count).max().unwrap_or(0);
    let without_source = functions.into_iter().filter(|(_, _, what)| {
        !sources.iter().any(|source| what.strip_prefix(source).is_some_and(|rest| rest.starts_with(':')))
    });
    found.extend(without_source.map(|(count, share, what)| {
        let what = what.split_once(" [").map_or(what, |(function, _object)| function);
        (count, format!("{share}  {}", shortened(what)))
    }));
    found.retain(|(count, _)| *count < total);
    found.sort_by(|(one, _), (other, _)| other.cmp(one));
    found.into_iter().take(most).map(|(count, what)| format!("{count:>12} {what}")).collect()
}

/// A path of Rust's own library without where it was built.
fn shortened(path: &str) -> &str {
    let own = path.strip_prefix("/rustc/").and_then(|rest| rest.split_once('/'));
    own.map_or(path, |(_commit, rest)| rest)
}

/// A line that begins with a count and its share: both, and what stands behind.
fn counted(line: &str) -> Option<(u64, &str, &str)> {
    let line = line.trim_start();
    let (count, rest) = line.split_once(' ')?;
    let count = count.replace(',', "").parse().ok()?;
    let (share, what) = rest.trim_start().strip_prefix('(')?.split_once(')')?;
    let (share, what) = (share.trim(), what.trim());
    let is_line = share.ends_with('%') && !what.starts_with("=>") && !what.contains("events annotated");
    is_line.then_some((count, share, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLD: &str = "\
Profile data file 'x' (creator: callgrind-3.19.0)
Ir
727,699 (100.0%)  PROGRAM TOTALS

727,699 (100.0%)  ???:main [/a]
400,000 (54.97%)  ./string/memcpy.S:__memcpy_avx [/usr/lib/libc.so.6]
204,800 (28.14%)  src/a.rs:f [/a]
  9,000 ( 1.24%)  /rustc/59807616e1/library/core/src/cmp.rs:f
-- Auto-annotated source: src/a.rs
Ir

-- line 61 ----------------------------------------
      .              let before = 1;
204,800 (28.14%)      .candidate(sum)
  1,024 ( 0.14%)      after
727,600 (99.9%)  => src/a.rs:f (1x)
-- line 62 ----------------------------------------
";

    #[test]
    fn the_hottest_come_first_with_their_line_or_their_function() {
        assert_eq!(
            lines(TOLD, 10),
            [
                "      400000 54.97%  ./string/memcpy.S:__memcpy_avx",
                "      204800 28.14%  src/a.rs:62  .candidate(sum)",
                "        9000 1.24%  library/core/src/cmp.rs:f",
                "        1024 0.14%  src/a.rs:63  after",
            ]
        );
        assert_eq!(lines(TOLD, 1).len(), 1);
        let without = TOLD.split("-- Auto").next().unwrap();
        assert_eq!(lines(without, 2)[1], "      204800 28.14%  src/a.rs:f");
        // The words of 3.21 and later.
        let newer = TOLD.replace("Auto-annotated source: ", "Annotated source file: ");
        assert_eq!(lines(&newer, 10), lines(TOLD, 10));
        assert!(lines("", 10).is_empty());
    }
}
