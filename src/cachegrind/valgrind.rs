//! Which Valgrind is there, and how is it called so that it counts the same today and tomorrow?

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::caches::Caches;
use super::place;
use crate::error::{Error, ErrorKind, Result};
use crate::record::brief;

/// The tool of Valgrind that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    /// Collects the region alone, told by client requests; in every version.
    Callgrind,
    /// Counts whole processes.
    Cachegrind,
}

impl Tool {
    const fn name(self) -> &'static str {
        match self {
            Tool::Callgrind => "callgrind",
            Tool::Cachegrind => "cachegrind",
        }
    }
}

/// A Valgrind that is installed.
#[derive(Clone, Debug)]
pub(crate) struct Valgrind {
    program: PathBuf,
    version: String,
}

/// How a process is counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct How<'h> {
    pub(super) tool: Tool,
    pub(super) caches: &'h Caches,
    pub(super) branches: bool,
}

impl Valgrind {
    /// The one in `PATH`.
    ///
    /// # Errors
    ///
    /// `CannotMeasure` where there is none, or it does not start.
    pub(crate) fn find() -> Result<Self> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let program = std::env::split_paths(&path)
            .map(|directory| directory.join("valgrind"))
            .find(|file| file.is_file())
            .ok_or_else(|| {
                Error::new(ErrorKind::CannotMeasure, "there is no valgrind in PATH")
                    .because("instructions are counted under it")
                    .remedy(
                        "install the package valgrind (apt-get install valgrind, dnf install valgrind, pacman -S valgrind)",
                    )
            })?;
        let asked = Command::new(&program).arg("--version").stdin(Stdio::null()).output();
        let version = asked.ok().filter(|asked| asked.status.success()).and_then(|asked| {
            let text = String::from_utf8_lossy(&asked.stdout);
            text.lines().find_map(|line| line.trim().strip_prefix("valgrind-")).map(str::to_owned)
        });
        let version = version.ok_or_else(|| {
            Error::new(
                ErrorKind::CannotMeasure,
                format!("{} does not tell its version", brief(&program.to_string_lossy())),
            )
            .because("instructions are counted under Valgrind")
            .remedy("install it anew: on Debian and Ubuntu, apt-get install --reinstall valgrind")
        })?;
        Ok(Self { program, version })
    }

    /// `3.19.0`.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Counts `program` with `arguments` into the file `out` in `directory`.
    pub(super) fn command(
        &self,
        how: &How<'_>,
        (directory, out): (&Path, &str),
        program: &Path,
        arguments: &[OsString],
    ) -> Command {
        let mut command = Command::new(&self.program);
        // What libraries need to be found, and of ours nothing else.
        let kept = ["VALGRIND_LIB", "LD_LIBRARY_PATH"].map(|name| (name, std::env::var_os(name)));
        command.env_clear().env("LC_ALL", "C");
        command.envs(kept.into_iter().filter_map(|(name, value)| Some((name, value?))));
        command.env("FENCEPOST_FILL", fill(program, arguments));
        // No options from files or the environment.
        command.arg("--command-line-only=yes").arg(format!("--tool={}", how.tool.name()));
        // Off unless asked for, since 3.21.
        command
            .arg("--cache-sim=yes")
            .arg(format!("--branch-sim={}", if how.branches { "yes" } else { "no" }));
        let Caches { i1, d1, ll } = how.caches;
        command.arg(format!("--I1={i1}")).arg(format!("--D1={d1}")).arg(format!("--LL={ll}"));
        // No pipes in /tmp that a killed run would leave.
        command.arg("--vgdb=no").arg(escaped("--log-file=", &directory.join(place::LOG)));
        if how.tool == Tool::Callgrind {
            command.arg("--collect-atstart=no");
        }
        command.arg(escaped(&format!("--{}-out-file=", how.tool.name()), &directory.join(out)));
        command.arg(program).args(arguments);
        command
    }
}

/// An option with a path, in which `%` would mean something to Valgrind.
fn escaped(option: &str, path: &Path) -> OsString {
    let mut text = option.as_bytes().to_vec();
    for byte in path.as_os_str().as_bytes() {
        text.push(*byte);
        if *byte == b'%' {
            text.push(b'%');
        }
    }
    OsString::from_vec(text)
}

/// As many bytes as make all that lies on the stack before `main` equally long, wherever the program lies: where the stack begins
/// decides which of its lines fall into one set of the cache.
fn fill(program: &Path, arguments: &[OsString]) -> OsString {
    const PAGE: usize = 4096;
    let length = |text: &OsStr| text.as_bytes().len();
    // The path stands there as the first argument and as the name of what is executed.
    let taken = 2 * length(program.as_os_str()) + arguments.iter().map(|text| length(text)).sum::<usize>();
    OsString::from_vec(vec![b'.'; PAGE - taken % PAGE])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stack_is_filled_up_to_the_same_length() {
        let length = |path: &str, arguments: &[&str]| {
            let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
            let taken = 2 * path.len() + arguments.iter().map(|text| text.len()).sum::<usize>();
            (taken + fill(Path::new(path), &arguments).len()) % 4096
        };
        assert_eq!(length("/a", &["x"]), length("/a/longer/path", &["xyz", ""]));
    }

    #[test]
    fn paths_mean_nothing_to_valgrind() {
        assert_eq!(escaped("--log-file=", Path::new("/a%p/b")), OsString::from("--log-file=/a%%p/b"));
    }
}
