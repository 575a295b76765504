//! What benches share that count how often something is right, each run in a process of its own.
#![allow(dead_code, reason = "each bench uses its part")]

use std::hint::black_box;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};

/// What was asked for.
pub(crate) struct Asked {
    arguments: Vec<String>,
    own: PathBuf,
}

impl Asked {
    /// The exit status instead, where this process is one of those that are started: the run itself, or a neighbour of it.
    pub(crate) fn new(once: impl FnOnce() -> fencepost::Result<()>) -> Result<Self, ExitCode> {
        let Ok(own) = std::env::current_exe() else { return Err(ExitCode::FAILURE) };
        let asked = Self { arguments: std::env::args().skip(1).collect(), own };
        if asked.has("--neighbour") {
            busy();
        }
        if !asked.has("--child") {
            return Ok(asked);
        }
        Err(match once() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::from(4)
            }
        })
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.arguments.iter().any(|one| one == name)
    }

    /// How many runs: `usual` unless told, and one where this is no more than a test.
    pub(crate) fn runs(&self, usual: u32) -> u32 {
        let told = self.arguments.iter().find_map(|one| one.parse().ok());
        told.unwrap_or(if self.has("--bench") { usual } else { 1 })
    }

    /// What a run has printed; the exit status instead where it failed, or where this machine cannot measure, which it has said.
    pub(crate) fn run(&self) -> Result<String, ExitCode> {
        let Ok(output) = Command::new(&self.own).arg("--child").stderr(Stdio::inherit()).output() else {
            return Err(ExitCode::FAILURE);
        };
        if output.status.code() == Some(4) {
            return Err(ExitCode::SUCCESS);
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// A process on every core that computes until the value goes.
    pub(crate) fn neighbours(&self) -> Neighbours {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let start = || Command::new(&self.own).arg("--neighbour").stdout(Stdio::null()).spawn().ok();
        Neighbours((0..cores).filter_map(|_| start()).collect())
    }
}

pub(crate) struct Neighbours(Vec<Child>);

impl Drop for Neighbours {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Computes until its parent ends it.
fn busy() -> ! {
    let mut x = 1u64;
    loop {
        for _ in 0..1_000_000 {
            x = black_box((x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd));
        }
        // Whoever has lost its parent is given to process 1.
        if std::os::unix::process::parent_id() == 1 {
            std::process::exit(0);
        }
    }
}
