//! What to run next and what to believe: interleaved slices framed by probes, until each result is precise and stable on
//! clean samples, or its time is up.

use super::estimate::{Arm, Estimate, Location, single, slope, steady};
use super::options::Options;
use super::timer::{Probe, Slice, Timer};
use super::trust::{Frame, Label, Quiet, label};
use crate::record::Verdict;
use crate::stats;
use crate::units::{Nanos, Ticks};

/// What the sampler knows of one loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Iterations come in multiples of this while a slice holds many.
    pub granule: u64,
    /// The most iterations of one slice.
    pub most: u64,
}

/// What the sampler knows of the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bench {
    /// Ticks in a microsecond.
    pub ticks_per_usec: f64,
    /// What a fence pair costs around nothing.
    pub overhead: Ticks,
    /// The counter's step.
    pub step: Ticks,
    /// The core's published issue width, if known.
    pub width: Option<f64>,
}

/// One sample and what became of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// k or 2k iterations.
    pub arm: Arm,
    /// Ticks of the whole slice.
    pub ticks: f64,
    /// Core cycles of the whole slice.
    pub cycles: f64,
    /// Gauge beside it, in cycles: the slower of the two.
    pub gauge: f64,
    /// May it be believed?
    pub label: Label,
}

/// How many samples have each label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All samples.
    pub total: usize,
    /// Clean ones.
    pub clean: usize,
    /// Contended ones.
    pub contended: usize,
    /// Those with a clock that changed.
    pub drifted: usize,
    /// Those that were interrupted.
    pub interrupted: usize,
    /// Those that ended on another core.
    pub migrated: usize,
}

impl Counts {
    fn of(samples: &[Sample]) -> Self {
        let mut counts = Counts { total: samples.len(), ..Counts::default() };
        for sample in samples {
            match sample.label {
                Label::Clean => counts.clean += 1,
                Label::Contended => counts.contended += 1,
                Label::Drifted => counts.drifted += 1,
                Label::Interrupted => counts.interrupted += 1,
                Label::Migrated => counts.migrated += 1,
            }
        }
        counts
    }
}

/// What the samples of one loop come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// The cost an iteration in core cycles, with its interval; `None` where there are too few samples for any.
    pub cycles: Option<Estimate>,
    /// The same samples in ticks.
    pub ticks: Option<Estimate>,
    /// How many samples have each label.
    pub counts: Counts,
    /// May it be said?
    pub verdict: Verdict,
    /// In words, why the verdict is not *converged*.
    pub reason: Option<String>,
    /// The estimate was made from contended samples and is an upper bound only.
    pub upper_bound: bool,
    /// The two modes, where whole slices cost one or the other; the estimate is then their average by share, and its
    /// interval spans both.
    pub modes: Option<Modes>,
}

impl Assessment {
    /// More samples would only tell again that there are two modes.
    fn modes_are_precise(&self, options: &Options) -> bool {
        self.counts.clean >= 8 * options.min_samples
            && self.modes.is_some_and(|modes| {
                [modes.lower, modes.upper].iter().all(|mode| mode.width_pct() <= options.target_precision_pct)
            })
    }
}

/// Two costs between which a loop changes from slice to slice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Modes {
    /// The cheaper one, in core cycles an iteration.
    pub lower: Estimate,
    /// The dearer one.
    pub upper: Estimate,
    /// Share of the samples in the dearer one, 0 to 1.
    pub upper_share: f64,
}

/// All that was learnt of one loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Iterations of the short arm (k).
    pub iterations: u64,
    /// Whether slices of one length only were run, because a single iteration outlasts any slice.
    pub single: bool,
    /// All samples in order of time.
    pub samples: Vec<Sample>,
    /// What they come to.
    pub assessment: Assessment,
    /// Time spent on this loop.
    pub spent: Nanos,
    /// The gauge's best issue rate while it ran, NOPs a cycle.
    pub nops_per_cycle: Option<f64>,
    /// Ticks a core cycle while it ran: the median over the clean samples, or over all where none is.
    pub ticks_per_cycle: f64,
}

/// How far the sampler is, for whoever shows progress.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// Time since the start.
    pub elapsed: Nanos,
    /// The loops and what is known of each so far; `None` before its first look.
    pub assessments: &'a [Option<Assessment>],
    /// Which loops are done.
    pub done: &'a [bool],
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continue {
    /// Go on.
    Yes,
    /// Stop now with what there is.
    No,
}

/// A loop whose single iteration takes longer than this many slices gets slices of one length only.
const SINGLE_ARM_FROM: f64 = 50.0;
/// Slices of one length that are run whatever the clock says.
const FEWEST: usize = 2;
/// An interval this narrow (in cycles an iteration) is precise, whatever its share of the value.
const PRECISE_ENOUGH: f64 = 0.005;
/// Share of stolen time from which the samples of that span are not believed.
const STOLEN: f64 = 0.2;
/// What a contended estimate may be off by besides its interval: the ruler's own chain is slowed a little by a sibling.
const CONTENDED_SLACK: f64 = 0.015;

struct Raw {
    arm: Arm,
    slice: Slice,
    probe: usize,
    span: usize,
}

struct Track {
    iterations: u64,
    warm: u64,
    single: bool,
    raw: Vec<Raw>,
    spent: Nanos,
}

/// Runs all loops, interleaved in seeded random order, until each is done. `observe` is called at every look, which is
/// never inside a timed region.
///
/// The order of slices depends on `options.seed` and on when each loop is done, on nothing else.
pub fn run<T: Timer>(
    timer: &mut T,
    plans: &[Plan],
    options: &Options,
    bench: &Bench,
    observe: &mut dyn FnMut(&Progress<'_>) -> Continue,
) -> Vec<Outcome> {
    let mut sampler = Sampler {
        timer,
        bench: *bench,
        options,
        probes: Vec::new(),
        after: Vec::new(),
        stolen: vec![false],
        random: oorandom::Rand64::new(u128::from(options.seed)),
    };
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
    let mut next_look = Nanos(0.0);
    while done.contains(&false) {
        for (index, arm) in sampler.round(&tracks, &done) {
            sampler.sample(index, arm, &mut tracks[index]);
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
            rates.sort_by(f64::total_cmp);
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

struct Sampler<'a, T> {
    timer: &'a mut T,
    bench: Bench,
    options: &'a Options,
    probes: Vec<Probe>,
    /// The loop whose slice came before each probe.
    after: Vec<Option<usize>>,
    /// Spans between two looks at the stolen time, and whether too much of each was stolen.
    stolen: Vec<bool>,
    random: oorandom::Rand64,
}

impl<T: Timer> Sampler<'_, T> {
    fn probe(&mut self, after: Option<usize>) {
        let probe = self.timer.probe();
        self.probes.push(probe);
        self.after.push(after);
    }

    /// Chooses k so that the short slice takes about as long as the options say.
    fn plan(&mut self, index: usize, plan: &Plan) -> Track {
        let target = self.options.slice_usec * self.bench.ticks_per_usec;
        let begun = self.timer.now();
        let mut cost = |iterations: u64| {
            let mut least = f64::INFINITY;
            for _ in 0..3 {
                let ticks = (self.timer.slice(index, iterations).ticks - self.bench.overhead).get();
                least = least.min(ticks);
                if ticks > 100.0 * target {
                    break;
                }
            }
            least.max(1.0)
        };
        let most = (plan.most / 2).max(1);
        let alone = cost(1);
        let granule = if alone * plan.granule as f64 > target { 1 } else { plan.granule.clamp(1, most) };
        let mut iterations = granule;
        let mut ticks = cost(iterations);
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
        for last in (1..order.len()).rev() {
            let other = self.random.rand_range(0..last as u64 + 1) as usize;
            order.swap(last, other);
        }
        order
    }

    fn sample(&mut self, index: usize, arm: Arm, track: &mut Track) {
        let begun = self.timer.now();
        let iterations = match arm {
            Arm::Short => track.iterations,
            Arm::Long => track.iterations.saturating_mul(2),
        };
        if track.warm > 0 {
            self.timer.slice(index, track.warm);
        }
        let slice = self.timer.slice(index, iterations);
        let probe = self.probes.len() - 1;
        self.probe(Some(index));
        track.raw.push(Raw { arm, slice, probe, span: self.stolen.len() - 1 });
        if let Some(share) = self.timer.stolen() {
            if let Some(last) = self.stolen.last_mut() {
                *last = share > STOLEN;
            }
            self.stolen.push(false);
        }
        track.spent += self.timer.now() - begun;
    }

    fn learn(&self, loops: usize) -> (Frame, Option<Quiet>) {
        let frame = Frame::new(&self.probes, self.bench.overhead);
        let quiet = Quiet::learn(&frame, &self.after, loops, self.bench.width);
        (frame, quiet)
    }

    fn assess(&self, track: &Track, frame: &Frame, quiet: Option<&Quiet>) -> (Vec<Sample>, Assessment) {
        let samples: Vec<Sample> = track
            .raw
            .iter()
            .map(|raw| {
                let label = match quiet {
                    Some(_) if self.stolen[raw.span] && !raw.slice.migrated => Label::Interrupted,
                    Some(quiet) => label(&raw.slice, frame, quiet, raw.probe, &self.after, self.bench.step),
                    // Too few gauges to know what a quiet one reads.
                    None => Label::Contended,
                };
                let rate = frame.rate(raw.probe);
                let cycles = raw.slice.counted.unwrap_or_else(|| raw.slice.ticks.to_cycles(rate).get());
                let gauge = frame.gauge(raw.probe).get();
                Sample { arm: raw.arm, ticks: raw.slice.ticks.get(), cycles, gauge, label }
            })
            .collect();
        let assessment = self.judge(track, &samples, quiet);
        (samples, assessment)
    }

    fn judge(&self, track: &Track, samples: &[Sample], quiet: Option<&Quiet>) -> Assessment {
        let counts = Counts::of(samples);
        let options = self.options;
        let location =
            if options.best_of { Location::Least } else { Location::Percentile(options.target_percentile) };
        let clean: Vec<&Sample> = samples.iter().filter(|sample| sample.label == Label::Clean).collect();
        let arms = |from: &[&Sample]| {
            let of = |arm: Arm| from.iter().filter(|sample| sample.arm == arm).count();
            if track.single { of(Arm::Short) } else { of(Arm::Short).min(of(Arm::Long)) }
        };
        let enough = arms(&clean) >= options.min_samples;
        // Without enough clean samples: the third that stood beside the best gauges, of all that ran undisturbed otherwise.
        let fallback;
        let chosen: &[&Sample] = if enough || (arms(&clean) >= 3 && counts.clean * 2 > counts.total) {
            &clean
        } else {
            fallback = least_contended(samples, options.min_samples);
            &fallback
        };
        let (overhead, step) = (self.bench.overhead.get(), self.bench.step.get());
        let pick = |arm: Arm, of: fn(&Sample) -> f64| -> Vec<f64> {
            chosen.iter().filter(|sample| sample.arm == arm).map(|sample| of(sample)).collect()
        };
        let estimate = |of: fn(&Sample) -> f64, overhead: f64, step: f64| {
            if track.single {
                single(&pick(Arm::Short, of), track.iterations, overhead, location)
            } else {
                slope(&pick(Arm::Short, of), &pick(Arm::Long, of), track.iterations, step, location)
            }
        };
        let in_cycles = |sample: &Sample| sample.cycles;
        let rate = chosen.first().map_or(1.0, |sample| sample.ticks / sample.cycles);
        let mut cycles = estimate(in_cycles, overhead / rate, step / rate);
        let modes = if track.single || options.best_of {
            None
        } else {
            two_modes(
                &pick(Arm::Short, in_cycles),
                &pick(Arm::Long, in_cycles),
                track.iterations,
                step / rate,
                location,
                options.target_precision_pct,
            )
        };
        if let (Some(cycles), Some(Modes { lower, upper, upper_share })) = (&mut cycles, modes) {
            cycles.value = lower.value + upper_share * (upper.value - lower.value);
            (cycles.lo, cycles.hi) = (lower.lo, upper.hi);
        }
        let ticks = estimate(|sample| sample.ticks, overhead, step);
        let contended = !enough && counts.clean * 2 <= counts.total;
        if let Some(cycles) = &mut cycles
            && contended
        {
            cycles.lo *= 1.0 - CONTENDED_SLACK;
            cycles.hi *= 1.0 + CONTENDED_SLACK;
        }
        let width = cycles.map_or(f64::INFINITY, |cycles| cycles.hi - cycles.lo);
        let precise = options.best_of
            || width <= PRECISE_ENOUGH
            || cycles.is_some_and(|cycles| cycles.width_pct() <= options.target_precision_pct);
        let tolerance = options.target_precision_pct;
        let stable = if options.best_of {
            true
        } else if track.single {
            stats::drift_between_halves(&pick(Arm::Short, in_cycles), options.target_percentile, tolerance)
                .is_ok_and(|drift| drift.stable)
        } else {
            let (short, long) = (pick(Arm::Short, in_cycles), pick(Arm::Long, in_cycles));
            steady(&short, &long, track.iterations, location, tolerance)
        };
        let width = cycles.map_or(f64::INFINITY, |cycles| cycles.width_pct());
        let (verdict, reason) = if !enough && contended {
            let why = quiet.and_then(Quiet::doubt).map_or_else(
                || {
                    format!(
                        "{} of {} samples were clean, and {} of each length are needed",
                        counts.clean, counts.total, options.min_samples
                    )
                },
                str::to_owned,
            );
            let mostly = counts.contended * 2 >= counts.total;
            (if mostly { Verdict::Contended } else { Verdict::MinimumsUnmet }, Some(why))
        } else if !enough {
            let why = format!(
                "{} clean samples of each length, of {} asked for",
                arms(&clean),
                options.min_samples
            );
            (Verdict::MinimumsUnmet, Some(why))
        } else if let Some(Modes { lower, upper, upper_share }) = modes {
            let why = format!(
                "whole slices cost one of two: {:.0} % of them {:.3} cycles a call and {:.0} % {:.3}",
                100.0 * (1.0 - upper_share),
                lower.value,
                100.0 * upper_share,
                upper.value
            );
            (Verdict::Unstable, Some(why))
        } else if !stable {
            (Verdict::Unstable, Some("the first and the second half of the samples disagree".to_owned()))
        } else if !precise {
            let why =
                format!("the interval spans {width:.2} %, of {} % asked for", options.target_precision_pct);
            (Verdict::Imprecise, Some(why))
        } else if track.spent.as_secs() < options.min_secs {
            let why =
                format!("measured for {:.3} s of at least {} s", track.spent.as_secs(), options.min_secs);
            (Verdict::MinimumsUnmet, Some(why))
        } else {
            (Verdict::Converged, None)
        };
        Assessment { cycles, ticks, counts, verdict, reason, upper_bound: contended, modes }
    }
}

/// The slopes of both modes, where the slices of both lengths fall into two and their slopes are `apart_pct` per cent apart or more:
/// a fixed cost that only some slices have makes two modes of slices, but not of the cost.
fn two_modes(
    short: &[f64],
    long: &[f64],
    iterations: u64,
    step: f64,
    location: Location,
    apart_pct: f64,
) -> Option<Modes> {
    let (in_short, in_long) = (stats::bimodality(short)?, stats::bimodality(long)?);
    let side = |values: &[f64], border: f64, upper: bool| -> Vec<f64> {
        values.iter().copied().filter(|&value| (value > border) == upper).collect()
    };
    let mode = |upper: bool| {
        let short = side(short, in_short.border, upper);
        let long = side(long, in_long.border, upper);
        slope(&short, &long, iterations, step, location)
    };
    let (lower, upper) = (mode(false)?, mode(true)?);
    let upper_share = (in_short.upper_share + in_long.upper_share) / 2.0;
    let apart = upper.value > lower.value * (1.0 + apart_pct / 100.0);
    apart.then_some(Modes { lower, upper, upper_share })
}

/// The third of the undisturbed samples whose gauges were best, but no fewer than `fewest` of each arm where there are as
/// many. The choice looks at the gauges alone.
fn least_contended(samples: &[Sample], fewest: usize) -> Vec<&Sample> {
    let mut chosen = Vec::new();
    for arm in [Arm::Short, Arm::Long] {
        let mut ranked: Vec<(usize, &Sample)> =
            samples.iter().enumerate().filter(|(_, sample)| sample.arm == arm).collect();
        let undisturbed = ranked
            .iter()
            .filter(|(_, sample)| matches!(sample.label, Label::Clean | Label::Contended))
            .count();
        if undisturbed >= fewest.min(ranked.len()) {
            ranked.retain(|(_, sample)| matches!(sample.label, Label::Clean | Label::Contended));
        }
        ranked.sort_by(|(_, one), (_, other)| one.gauge.total_cmp(&other.gauge));
        ranked.truncate((ranked.len() / 3).max(fewest));
        chosen.extend(ranked);
    }
    chosen.sort_by_key(|(at, _)| *at);
    chosen.into_iter().map(|(_, sample)| sample).collect()
}

/// `value` as a multiple of `granule` from one granule to `most`.
fn whole(value: f64, granule: u64, most: u64) -> u64 {
    let granule = granule.max(1);
    let turns = (value / granule as f64).round().clamp(1.0, u64::MAX as f64 / 4.0 / granule as f64);
    // The cast saturates, and the clamp keeps twice the result representable.
    (turns as u64)
        .saturating_mul(granule)
        .min((most / granule).max(1).saturating_mul(granule))
        .min(most.max(1))
}
