//! What to run next? Interleaved slices framed by probes, until each result is precise and stable on
//! clean samples, or its time is up.

use super::estimate::Arm;
use super::judge::{Case, judge};
use super::options::Options;
use super::outcome::{Assessment, Bench, Continue, Outcome, Plan, Progress, Sample};
use super::timer::{Probe, Slice, Timer};
use super::trust::{Alone, Frame, Label, Quiet, label};
use crate::order;
use crate::record::Verdict;
use crate::units::Nanos;

/// A loop whose single iteration takes longer than this many slices gets slices of one length only.
const SINGLE_ARM_FROM: f64 = 50.0;
/// Slices' worth of time that a trial may take before it is not repeated.
const LONGEST_TRIAL: f64 = 100.0;
/// Slices of one length that are run whatever the clock says.
const FEWEST: usize = 2;
/// Share of stolen time from which the samples of that span are not believed.
const STOLEN: f64 = 0.2;
/// How often whoever observes is asked between two looks.
const WORD_EVERY: Nanos = Nanos(1e8);

/// One slice, and where it stands among the probes.
pub(super) struct Raw {
    arm: Arm,
    pub(super) slice: Slice,
    pub(super) probe: usize,
    span: usize,
}

pub(super) struct Track {
    pub(super) iterations: u64,
    warm: u64,
    single: bool,
    raw: Vec<Raw>,
    spent: Nanos,
}

/// Runs all loops, interleaved in seeded random order, until each is done. `observe` is called at every look and every
/// tenth of a second between two slices, never inside a timed region.
///
/// The order of slices depends on `options.seed` and on when each loop is done, on nothing else.
pub fn run<T: Timer>(
    timer: &mut T,
    plans: &[Plan],
    options: &Options,
    bench: &Bench,
    observe: &mut dyn FnMut(&Progress<'_>) -> Continue,
) -> Vec<Outcome> {
    let mut sampler = Sampler::new(timer, bench, options);
    let start = sampler.timer.now();
    sampler.probe(None);
    let mut tracks: Vec<Track> =
        plans.iter().enumerate().map(|(index, plan)| sampler.plan(index, plan)).collect();
    if plans.len() > 1 {
        // Many loops lie between two slices of one: long enough for a core to put its wide vector units to sleep.
        for track in &mut tracks {
            track.warm = if track.single { 0 } else { track.iterations };
        }
    }
    let mut done = vec![false; tracks.len()];
    let mut assessments: Vec<Option<Assessment>> = vec![None; tracks.len()];
    let (mut next_look, mut next_word) = (Nanos(0.0), WORD_EVERY);
    'run: while done.contains(&false) {
        for (index, arm) in sampler.round(&tracks, &done) {
            sampler.sample(index, arm, &mut tracks[index]);
            // Looks become rare and rounds can be long: whoever waits or wants to end the run is asked in between.
            let elapsed = sampler.timer.now() - start;
            if elapsed >= next_word {
                next_word = elapsed + WORD_EVERY;
                let progress = Progress { elapsed, assessments: &assessments, done: &done };
                if observe(&progress) == Continue::No {
                    break 'run;
                }
            }
        }
        let elapsed = sampler.timer.now() - start;
        if elapsed < next_look {
            continue;
        }
        next_look = elapsed * 1.15 + Nanos(4e6);
        let (frame, quiet) = sampler.learn(tracks.len());
        for (index, track) in tracks.iter().enumerate() {
            if done[index] {
                continue;
            }
            let (_, assessment) = sampler.assess(track, &frame, quiet.as_ref());
            let spent = track.spent.as_secs();
            let settled = assessment.verdict == Verdict::Converged || assessment.modes_are_precise(options);
            let enough = spent >= options.min_secs && settled;
            let late = spent >= options.max_secs && track.raw.len() >= FEWEST;
            done[index] = enough || late;
            assessments[index] = Some(assessment);
        }
        let progress = Progress { elapsed, assessments: &assessments, done: &done };
        if observe(&progress) == Continue::No {
            break;
        }
    }
    let (frame, quiet) = sampler.learn(tracks.len());
    tracks
        .into_iter()
        .map(|track| {
            let (samples, assessment) = sampler.assess(&track, &frame, quiet.as_ref());
            let ratio = |sample: &Sample| sample.ticks / sample.cycles;
            let clean = samples.iter().filter(|sample| sample.label == Label::Clean);
            let mut rates: Vec<f64> = clean.map(ratio).collect();
            if rates.is_empty() {
                rates = samples.iter().map(ratio).collect();
            }
            order::sort(&mut rates);
            Outcome {
                iterations: track.iterations,
                single: track.single,
                samples,
                assessment,
                spent: track.spent,
                nops_per_cycle: quiet.as_ref().map(Quiet::nops_per_cycle),
                ticks_per_cycle: rates.get(rates.len() / 2).copied().unwrap_or(f64::NAN),
            }
        })
        .collect()
}

/// Slices and the probes between them, as they are taken.
pub(super) struct Sampler<'a, T> {
    pub(super) timer: &'a mut T,
    pub(super) bench: Bench,
    options: &'a Options,
    probes: Vec<Probe>,
    /// The loop whose slice came before each probe.
    after: Vec<Option<usize>>,
    /// Spans between two looks at the stolen time, and whether too much of each was stolen.
    stolen: Vec<bool>,
    random: oorandom::Rand64,
}

impl<'a, T: Timer> Sampler<'a, T> {
    pub(super) fn new(timer: &'a mut T, bench: &Bench, options: &'a Options) -> Self {
        Self {
            timer,
            bench: *bench,
            options,
            probes: Vec::new(),
            after: Vec::new(),
            stolen: vec![false],
            random: oorandom::Rand64::new(u128::from(options.seed)),
        }
    }

    pub(super) fn probe(&mut self, after: Option<usize>) {
        let probe = self.timer.probe();
        self.probes.push(probe);
        self.after.push(after);
    }

    /// Chooses k so that the short slice takes about as long as the options say.
    pub(super) fn plan(&mut self, index: usize, plan: &Plan) -> Track {
        let target = self.options.slice_usec * self.bench.ticks_per_usec;
        let begun = self.timer.now();
        let mut cost = |iterations: u64| {
            let mut least = f64::INFINITY;
            for _ in 0..3 {
                let ticks = (self.timer.slice(index, iterations).ticks - self.bench.overhead).get();
                least = least.min(ticks);
                if ticks > LONGEST_TRIAL * target {
                    break;
                }
            }
            least.max(1.0)
        };
        let most = (plan.most / 2).max(1);
        let mut alone = cost(1);
        if alone > LONGEST_TRIAL * target {
            // A first call may make what later ones find.
            alone = alone.min(cost(1));
        }
        let whole_granule = plan.granule.clamp(1, most);
        let (mut granule, mut ticks) = (1, alone);
        // One iteration reads a step or two of the counter: a granule is judged by its own time, unless that would take too long.
        if alone * whole_granule as f64 <= LONGEST_TRIAL * target {
            let together = cost(whole_granule);
            if together <= target {
                (granule, ticks) = (whole_granule, together);
            }
        }
        let mut iterations = granule;
        while ticks < target / 2.0 && iterations < most {
            let factor = (target / ticks).clamp(2.0, 64.0);
            iterations = whole(iterations as f64 * factor, granule, most);
            ticks = cost(iterations);
        }
        iterations = whole(iterations as f64 * target / ticks, granule, most);
        let single = plan.most == 1 || alone > SINGLE_ARM_FROM * target;
        let warm =
            if single { 0 } else { whole(iterations as f64 / 4.0, granule.min(iterations), iterations) };
        Track { iterations, warm, single, raw: Vec::new(), spent: self.timer.now() - begun }
    }

    /// The slices of one round: both arms of every loop that is not done, in random order.
    fn round(&mut self, tracks: &[Track], done: &[bool]) -> Vec<(usize, Arm)> {
        let mut order = Vec::with_capacity(2 * tracks.len());
        for (index, track) in tracks.iter().enumerate().filter(|(index, _)| !done[*index]) {
            order.push((index, Arm::Short));
            if !track.single {
                order.push((index, Arm::Long));
            }
        }
        self.shuffle(&mut order);
        order
    }

    pub(super) fn shuffle<I>(&mut self, order: &mut [I]) {
        for last in (1..order.len()).rev() {
            let other = self.random.rand_range(0..last as u64 + 1) as usize;
            order.swap(last, other);
        }
    }

    fn sample(&mut self, index: usize, arm: Arm, track: &mut Track) {
        let begun = self.timer.now();
        let iterations = match arm {
            Arm::Short => track.iterations,
            Arm::Long => track.iterations.saturating_mul(2),
        };
        let raw = self.warm_slice(index, track.warm, iterations);
        track.raw.push(Raw { arm, ..raw });
        track.spent += self.timer.now() - begun;
    }

    /// A slice directly after one of the same loop, so that all that it uses is awake.
    pub(super) fn slice(&mut self, index: usize, iterations: u64) -> Raw {
        self.warm_slice(index, if iterations > 1 { iterations } else { 0 }, iterations)
    }

    fn warm_slice(&mut self, index: usize, warm: u64, iterations: u64) -> Raw {
        if warm > 0 {
            self.timer.slice(index, warm);
        }
        let slice = self.timer.slice(index, iterations);
        let probe = self.probes.len() - 1;
        self.probe(Some(index));
        let raw = Raw { arm: Arm::Short, slice, probe, span: self.stolen.len() - 1 };
        if let Some(share) = self.timer.stolen() {
            if let Some(last) = self.stolen.last_mut() {
                *last = share > STOLEN;
            }
            self.stolen.push(false);
        }
        raw
    }

    pub(super) fn learn(&self, loops: usize) -> (Frame, Option<Quiet>) {
        let frame = Frame::new(&self.probes, self.bench.overhead);
        let quiet = Quiet::learn(
            &frame,
            &self.after,
            loops,
            Alone { published: self.bench.published_nops, seen: self.bench.seen_nops },
        );
        (frame, quiet)
    }

    pub(super) fn label(&self, raw: &Raw, frame: &Frame, quiet: Option<&Quiet>) -> Label {
        match quiet {
            Some(_) if self.stolen[raw.span] && !raw.slice.migrated => Label::Interrupted,
            Some(quiet) => label(&raw.slice, frame, quiet, raw.probe, &self.after, self.bench.step),
            // Too few gauges to know what a quiet one reads.
            None => Label::Contended,
        }
    }

    fn assess(&self, track: &Track, frame: &Frame, quiet: Option<&Quiet>) -> (Vec<Sample>, Assessment) {
        let samples: Vec<Sample> = track
            .raw
            .iter()
            .map(|raw| {
                let label = self.label(raw, frame, quiet);
                let rate = frame.rate(raw.probe);
                let cycles = raw.slice.counted.unwrap_or_else(|| raw.slice.ticks.to_cycles(rate).get());
                let gauge = frame.gauge(raw.probe).get();
                Sample { arm: raw.arm, ticks: raw.slice.ticks.get(), cycles, gauge, label }
            })
            .collect();
        let case = Case { iterations: track.iterations, single: track.single, spent: track.spent };
        let doubt = quiet.and_then(Quiet::doubt);
        let assessment = judge(&case, &samples, self.options, &self.bench, doubt);
        (samples, assessment)
    }
}

/// `value` as a multiple of `granule` from one granule to `most`.
pub(super) fn whole(value: f64, granule: u64, most: u64) -> u64 {
    let granule = granule.max(1);
    let turns = (value / granule as f64).round().clamp(1.0, u64::MAX as f64 / 4.0 / granule as f64);
    // The cast saturates, and the clamp keeps twice the result representable.
    (turns as u64)
        .saturating_mul(granule)
        .min((most / granule).max(1).saturating_mul(granule))
        .min(most.max(1))
}
