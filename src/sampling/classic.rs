//! What would Folly's adaptive mode say? Its rule on raw time: slices of one length, the empty loop and the time-outs for setup
//! subtracted, looks every 150 ms, done when stable and precise. No gate and no slope: kept so that both can be compared in one
//! run, and as the reference that the rule of [`run`](super::run) was derived from.
//!
//! Two things differ from the original. Minimums that are not met when the time is up are said (*minimums unmet*) instead of
//! passed over, and iteration counts saturate instead of overflowing.

use super::options::Options;
use crate::error::Result;
use crate::record::Verdict;
use crate::stats::{Z95, percentile_interval, precision_budget, recalibrate, split_half};

/// What a slice took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Took {
    /// Time, in nanoseconds.
    pub ns: u64,
    /// Operations that it really made.
    pub iterations: u64,
    /// Time-outs that were taken in it.
    pub suspensions: u64,
}

/// The loops that are timed.
pub trait ClassicTimer {
    /// Times the empty loop.
    fn baseline(&mut self, iterations: u64) -> Took;
    /// Times `iterations` time-outs around nothing.
    fn suspender(&mut self, iterations: u64) -> Took;
    /// Times benchmark `index`.
    fn benchmark(&mut self, index: usize, iterations: u64) -> Took;
}

/// What became of one benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassicOutcome {
    /// Nanoseconds an operation of each slice, baseline and time-outs subtracted, never below 0.
    pub samples: Vec<f64>,
    /// Time spent in its slices, in nanoseconds.
    pub elapsed_ns: u64,
    /// Iterations of its last slice's successor.
    pub iterations: u64,
    /// The target percentile (best-of mode: the least) of the samples; NaN without any.
    pub estimate_ns: f64,
    /// The halves agree.
    pub stable: bool,
    /// The interval is narrow enough.
    pub precise: bool,
    /// Samples and time reached their minimums.
    pub minimums_met: bool,
    /// Its time was up.
    pub timed_out: bool,
    /// What may be said of it.
    pub verdict: Verdict,
}

/// A whole run.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassicRun {
    /// What decided the order of the slices.
    pub seed: u64,
    /// Rounds over all benchmarks.
    pub rounds: u64,
    /// Looks at the results.
    pub checks: u64,
    /// Slices of the empty loop.
    pub baseline_samples: u64,
    /// Slices of time-outs.
    pub suspender_samples: u64,
    /// Time spent in slices, in nanoseconds.
    pub total_ns: u64,
    /// The benchmarks, as they were given.
    pub outcomes: Vec<ClassicOutcome>,
}

/// The empty loop is measured again every so many rounds: it is cheap and steady.
const BASELINE_EVERY: u64 = 8;
/// So is the time-out, which is neither.
const SUSPENDER_EVERY: u64 = 2;
/// Time in slices between two looks.
const LOOK_EVERY_NS: u64 = 150_000_000;
/// No interval is asked to be narrower than this, in nanoseconds.
const FLOOR_NS: f64 = 0.01;

#[derive(Default)]
struct Series {
    iterations: u64,
    samples: Vec<f64>,
    elapsed_ns: u64,
    done: bool,
    timed_out: bool,
}

impl Series {
    fn new() -> Self {
        Self { iterations: 1, ..Self::default() }
    }

    /// Takes a slice in; `subtract` is what an operation of it owes to the harness.
    fn add(&mut self, took: Took, subtract: f64, options: &Options, total_ns: &mut u64) -> f64 {
        let each = took.ns as f64 / took.iterations.max(1) as f64;
        self.samples.push((each - subtract).max(0.0));
        self.elapsed_ns = self.elapsed_ns.saturating_add(took.ns);
        *total_ns = total_ns.saturating_add(took.ns);
        // The cast saturates; a slice of a thousand seconds is refused before.
        let target_ns = (options.slice_usec * 1e3) as u64;
        self.iterations = recalibrate(self.iterations, target_ns, took.ns);
        each
    }

    fn stable(&self, options: &Options) -> bool {
        split_half(&self.samples, options.target_percentile, options.target_precision_pct)
            .is_ok_and(|halves| halves.stable)
    }

    fn precise(&self, options: &Options) -> bool {
        percentile_interval(&self.samples, options.target_percentile, Z95).is_ok_and(|interval| {
            interval.width() <= precision_budget(interval.estimate, options.target_precision_pct, FLOOR_NS)
        })
    }

    fn minimums_met(&self, options: &Options) -> bool {
        self.samples.len() >= options.min_samples && self.elapsed_ns as f64 >= options.min_secs * 1e9
    }

    fn look(&mut self, options: &Options) {
        if self.elapsed_ns as f64 >= options.max_secs * 1e9 {
            (self.done, self.timed_out) = (true, true);
        } else if self.minimums_met(options) {
            self.done = options.best_of || (self.stable(options) && self.precise(options));
        }
    }

    fn conclude(self, options: &Options) -> ClassicOutcome {
        let percentile = if options.best_of { 0.0 } else { options.target_percentile };
        let (stable, precise) = (self.stable(options), self.precise(options));
        let minimums_met = self.minimums_met(options);
        let verdict = if !minimums_met {
            Verdict::MinimumsUnmet
        } else if options.best_of {
            Verdict::Converged
        } else if !stable {
            Verdict::Unstable
        } else if !precise {
            Verdict::Imprecise
        } else {
            Verdict::Converged
        };
        ClassicOutcome {
            estimate_ns: crate::stats::percentile(&self.samples, percentile).unwrap_or(f64::NAN),
            elapsed_ns: self.elapsed_ns,
            iterations: self.iterations,
            stable,
            precise,
            minimums_met,
            timed_out: self.timed_out,
            verdict,
            samples: self.samples,
        }
    }
}

/// Runs `count` benchmarks, interleaved in seeded random order, until each is done or its time is up.
///
/// In every round each benchmark that is not done gets one slice. The empty loop is timed anew every 8th round and the time-out
/// every 2nd. After each 150 ms of slices there is a look: done is what has reached its maximum time, or has its minimums, agrees
/// between its halves and has an interval narrow enough.
///
/// ```
/// use fencepost::sampling::{ClassicTimer, Options, Took, run_classic};
/// /// A benchmark of 5 ns around an empty loop of 1 ns.
/// struct Simulated;
/// impl ClassicTimer for Simulated {
///     fn baseline(&mut self, iterations: u64) -> Took {
///         Took { ns: iterations, iterations, suspensions: 0 }
///     }
///     fn suspender(&mut self, iterations: u64) -> Took {
///         Took { ns: 35 * iterations, iterations, suspensions: 0 }
///     }
///     fn benchmark(&mut self, _index: usize, iterations: u64) -> Took {
///         Took { ns: 5 * iterations, iterations, suspensions: 0 }
///     }
/// }
/// let run = run_classic(&mut Simulated, 1, &Options::folly())?;
/// assert_eq!(run.outcomes[0].estimate_ns, 4.0);
/// assert_eq!(run.outcomes[0].verdict.as_str(), "converged");
/// # Ok::<(), fencepost::Error>(())
/// ```
///
/// # Errors
///
/// As for [`Options::validate`].
pub fn run_classic<T: ClassicTimer>(timer: &mut T, count: usize, options: &Options) -> Result<ClassicRun> {
    options.validate()?;
    let mut random = oorandom::Rand64::new(u128::from(options.seed));
    let mut benchmarks: Vec<Series> = (0..count).map(|_| Series::new()).collect();
    let (mut baseline, mut suspender) = (Series::new(), Series::new());
    let (mut baseline_ns, mut suspender_ns) = (0.0, 0.0);
    let (mut rounds, mut checks, mut total_ns, mut last_look) = (0, 0, 0, 0);
    let mut order: Vec<usize> = (0..count).collect();
    while benchmarks.iter().any(|one| !one.done) {
        if rounds % BASELINE_EVERY == 0 {
            let took = timer.baseline(baseline.iterations);
            baseline_ns = baseline.add(took, 0.0, options, &mut total_ns);
        }
        if rounds % SUSPENDER_EVERY == 0 {
            let took = timer.suspender(suspender.iterations);
            suspender_ns = suspender.add(took, 0.0, options, &mut total_ns);
        }
        for last in (1..order.len()).rev() {
            let other = random.rand_range(0..last as u64 + 1) as usize;
            order.swap(last, other);
        }
        for &index in &order {
            let one = &mut benchmarks[index];
            if !one.done {
                let took = timer.benchmark(index, one.iterations);
                let suspended = took.suspensions as f64 / took.iterations.max(1) as f64 * suspender_ns;
                one.add(took, baseline_ns + suspended, options, &mut total_ns);
                // More iterations there are not: its clock stands, and its time would never be up.
                if took.ns == 0 && one.iterations == u64::MAX {
                    (one.done, one.timed_out) = (true, true);
                }
            }
        }
        rounds += 1;
        if total_ns - last_look >= LOOK_EVERY_NS {
            last_look = total_ns;
            checks += 1;
            for one in benchmarks.iter_mut().filter(|one| !one.done) {
                one.look(options);
            }
        }
    }
    Ok(ClassicRun {
        seed: options.seed,
        rounds,
        checks,
        baseline_samples: baseline.samples.len() as u64,
        suspender_samples: suspender.samples.len() as u64,
        total_ns,
        outcomes: benchmarks.into_iter().map(|one| one.conclude(options)).collect(),
    })
}
