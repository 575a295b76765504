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
    let program = match OutFile::read(path)?.format {
        Format::Cachegrind => "cg_annotate",
        Format::Callgrind => "callgrind_annotate",
    };
    let ran = Command::new(program)
        .args(["--show=Ir", "--threshold=100", "--auto=yes", "--context=0"])
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

fn lines(text: &str, most: usize) -> Vec<String> {
    text.lines().take(most).map(str::to_owned).collect()
}
