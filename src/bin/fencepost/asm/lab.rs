//! What do `asm` and `table` measure with? A lab on one core, the sandbox, and options from the command line.

use std::cell::Cell;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::Instant;

use fencepost::Lab;
use fencepost::asm::{Engine, Sandbox};
use fencepost::error::Result;
use fencepost::record::{BenchmarkResult, Record};
use fencepost::sampling::{Continue, Options, Progress};

/// How results are measured.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Measuring {
    /// Measure on this logical CPU [default: the quietest]
    #[arg(long, value_name = "N")]
    core: Option<usize>,
    /// A result is done when its interval is this narrow, in per cent of it [default: 0.4; for tables and files of blocks 1]
    #[arg(long, value_name = "PCT")]
    precision: Option<f64>,
    /// Seconds that each result is given at the most [default: 1; for tables 0.06, for long ones and files of blocks less where some 40 a second would not be reached]
    #[arg(long, value_name = "SECS")]
    max_secs: Option<f64>,
    /// Seed of the order in which slices are run
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Exit with status 2 where a result did not converge
    #[arg(long)]
    pub(crate) strict: bool,
}

/// How much time results get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// A few results, each as good as it can be.
    Careful,
    /// Thousands of them.
    Brisk,
}

impl Measuring {
    /// How narrow an interval is to be at this pace, in per cent.
    pub(crate) fn precision_pct(&self, pace: Pace) -> f64 {
        self.options(pace).target_precision_pct
    }

    fn options(&self, pace: Pace) -> Options {
        let base = match pace {
            Pace::Careful => Options { min_secs: 0.05, ..Options::default() },
            Pace::Brisk => Options {
                target_precision_pct: 1.0,
                min_samples: 20,
                min_secs: 0.002,
                max_secs: 0.06,
                ..Options::default()
            },
        };
        let max_secs = self.max_secs.unwrap_or(base.max_secs);
        Options {
            target_precision_pct: self.precision.unwrap_or(base.target_precision_pct),
            min_secs: base.min_secs.min(max_secs),
            max_secs,
            seed: self.seed,
            ..base
        }
    }
}

/// A lab and the sandbox.
pub(crate) struct Bench {
    lab: Lab,
    engine: Sandbox,
    /// Seconds that a result may be given at the most; `None` where the user said how many it gets.
    most: Option<f64>,
}

impl Bench {
    /// # Errors
    ///
    /// As for `Lab::builder`, and where no sandbox can be had.
    pub(crate) fn new(measuring: &Measuring, pace: Pace) -> Result<Self> {
        let options = measuring.options(pace);
        let builder = |core: Option<usize>| {
            let builder = Lab::builder().options(options.clone());
            match core {
                Some(core) => builder.core(core),
                None => builder,
            }
        };
        let mut lab = builder(measuring.core).build()?;
        if pace == Pace::Brisk && measuring.core.is_none() {
            // Looking for a quieter core again and again would take longer than the results do.
            let core = lab.core();
            drop(lab);
            lab = builder(Some(core)).build()?;
        }
        Ok(Self {
            lab,
            engine: Sandbox::new()?,
            most: measuring.max_secs.is_none().then_some(options.max_secs),
        })
    }

    /// Gives each result `secs` from now on, but no more than what was asked for and no less than what some samples take.
    ///
    /// # Errors
    ///
    /// As for `Lab::set_options`; none while the limits are what they were made from.
    pub(crate) fn give_each(&mut self, secs: f64) -> Result<()> {
        const LEAST: f64 = 0.006;
        let Some(most) = self.most else { return Ok(()) };
        let max_secs = secs.clamp(LEAST.min(most), most);
        self.lab.set_options(Options { max_secs, ..self.lab.options().clone() })
    }

    /// Whether `secs` are as much as a result may be given; never where the user said how much each gets.
    pub(crate) fn gives_all(&self, secs: f64) -> bool {
        self.most.is_some_and(|most| secs >= most)
    }

    pub(crate) fn parts(&mut self) -> (&mut Lab, &dyn Engine) {
        (&mut self.lab, &self.engine)
    }

    /// The record of these results.
    pub(crate) fn record(&self, results: Vec<BenchmarkResult>, complete: bool) -> Record {
        Record { results, ..self.lab.record(&[], complete) }
    }
}

/// What time there is for each of many results, so that so many things a second are done whatever the neighbours do: what is quickly
/// measured leaves more to what is not.
#[derive(Debug)]
pub(crate) struct Budget {
    /// Things a second over all.
    rate: f64,
    /// Seconds that may be spent beyond that.
    ahead: f64,
    start: Instant,
}

impl Budget {
    pub(crate) fn new(rate: f64, ahead: f64) -> Self {
        Self { rate, ahead, start: Instant::now() }
    }

    /// Seconds that each of the next `results` may take, by which `things` will be done in all.
    pub(crate) fn share(&self, things: usize, results: usize) -> f64 {
        // What was contended is measured a second time.
        const TIMES: f64 = 2.0;
        let due = self.ahead + things as f64 / self.rate;
        (due - self.start.elapsed().as_secs_f64()) / (TIMES * results.max(1) as f64)
    }

    pub(crate) fn elapsed_secs(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

/// How many results are done, in a line on standard error if that is a terminal.
pub(crate) struct Ticker {
    total: usize,
    shown: bool,
    last: Cell<Option<Instant>>,
}

impl Ticker {
    pub(crate) fn new(total: usize) -> Self {
        Self { total, shown: io::stderr().is_terminal(), last: Cell::new(None) }
    }

    pub(crate) fn observe(&self, progress: &Progress<'_>) -> Continue {
        let due = self.last.get().is_none_or(|last| last.elapsed().as_millis() > 100);
        if self.shown && due {
            self.last.set(Some(Instant::now()));
            let done = progress.done.iter().filter(|done| **done).count();
            let _ = write!(
                io::stderr().lock(),
                "\r\x1b[K{done} of {} results, {:.1} s",
                self.total,
                progress.elapsed.as_secs()
            );
        }
        Continue::Yes
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }
}
