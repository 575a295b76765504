//! Is one loop cheaper than another? Slices of one iteration count in mirrored random order, compared block by block.

use super::estimate::SYSTEMATIC;
use super::options::Options;
use super::outcome::{Bench, Continue, Plan};
use super::run::{Raw, Sampler, whole};
use super::timer::Timer;
use super::trust::{Frame, Label, Quiet};
use crate::stats::{Interval, Sorted, paired_ratio};
use crate::units::Nanos;

/// How sure an interval is of holding the ratio, at least.
const CONFIDENCE: f64 = 0.99;
/// Blocks below which nothing is said.
const FEWEST: usize = 20;
/// Neighbouring blocks are not independent; so many groups of them nearly are.
const GROUPS: usize = 64;

/// What several loops cost beside one another.
#[derive(Clone, Debug, PartialEq)]
pub struct Versus {
    /// Iterations of every slice.
    pub iterations: u64,
    /// Time that it took.
    pub spent: Nanos,
    /// Each loop but the first against the first, in their order; `None` where there were too few blocks.
    pub ratios: Vec<Option<Ratio>>,
}

/// The cost of one loop over that of another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The median over blocks, with its interval.
    pub ratio: Interval,
    /// How often such an interval holds the true median at least, 0 to 1.
    pub coverage: f64,
    /// Blocks that it rests on. A block is two slices of each loop, in an order and then in its mirror image, so that a clock
    /// or a neighbour that drifts evenly falls out of its ratio.
    pub blocks: usize,
    /// Blocks in all.
    pub of: usize,
    /// All of those blocks are clean. If not, too few were, and contended ones had to be taken.
    pub clean: bool,
}

/// Times `plans`, interleaved, until the ratio of each to the first is as precise as `options` ask, or the time is up. `observe`
/// is called at every look, never inside a timed region.
///
/// Which blocks are believed is decided by the gauges and rulers beside the slices, never by the slices' own times.
pub fn compare<T: Timer>(
    timer: &mut T,
    plans: &[Plan],
    options: &Options,
    bench: &Bench,
    observe: &mut dyn FnMut(Nanos) -> Continue,
) -> Versus {
    let mut sampler = Sampler::new(timer, bench, options);
    let start = sampler.timer.now();
    sampler.probe(None);
    let chosen: Vec<u64> =
        plans.iter().enumerate().map(|(index, plan)| sampler.plan(index, plan).iterations).collect();
    let iterations = shared(&chosen, plans);
    let mut blocks: Vec<Vec<(usize, Raw)>> = Vec::new();
    let mut next_look = Nanos(0.0);
    loop {
        blocks.push(sampler.block(plans.len(), iterations));
        let elapsed = sampler.timer.now() - start;
        let late = elapsed.as_secs() >= options.max_secs * plans.len() as f64 && blocks.len() >= FEWEST;
        if elapsed < next_look && !late {
            continue;
        }
        next_look = elapsed * 1.15 + Nanos(4e6);
        let ratios = sampler.ratios(&blocks, plans.len());
        let precise = |ratio: &Option<Ratio>| {
            ratio.is_some_and(|one| {
                // What is systematic is no matter of more samples.
                one.ratio.width_pct() - 200.0 * SYSTEMATIC <= options.target_precision_pct
            })
        };
        let enough = elapsed.as_secs() >= options.min_secs && blocks.len() >= GROUPS;
        if late || (enough && ratios.iter().all(precise)) || observe(elapsed) == Continue::No {
            return Versus { iterations, spent: elapsed, ratios };
        }
    }
}

/// One iteration count for all: so many that the slowest is not much longer than a slice, but that the fastest does not
/// vanish beside it.
fn shared(chosen: &[u64], plans: &[Plan]) -> u64 {
    let least = chosen.iter().copied().min().unwrap_or(1);
    let most = chosen.iter().copied().max().unwrap_or(1);
    let granule = plans.iter().map(|plan| plan.granule).max().unwrap_or(1);
    let cap = plans.iter().map(|plan| plan.most).min().unwrap_or(1);
    whole(least.max(most / 8) as f64, if least < granule { 1 } else { granule }, cap)
}

impl<T: Timer> Sampler<'_, T> {
    /// Two slices of each loop: in random order, and mirrored.
    fn block(&mut self, loops: usize, iterations: u64) -> Vec<(usize, Raw)> {
        let mut order: Vec<usize> = (0..loops).collect();
        self.shuffle(&mut order);
        let mirrored: Vec<usize> = order.iter().rev().copied().collect();
        order.extend(mirrored);
        order.into_iter().map(|index| (index, self.slice(index, iterations))).collect()
    }

    fn ratios(&self, blocks: &[Vec<(usize, Raw)>], loops: usize) -> Vec<Option<Ratio>> {
        let (frame, quiet) = self.learn(loops);
        let costs: Vec<Vec<Cost>> =
            blocks.iter().map(|block| self.costs(block, loops, &frame, quiet.as_ref())).collect();
        (1..loops).map(|index| ratio(&costs, index)).collect()
    }

    /// What each loop cost in this block.
    fn costs(&self, block: &[(usize, Raw)], loops: usize, frame: &Frame, quiet: Option<&Quiet>) -> Vec<Cost> {
        let mut costs = vec![Cost { log: 0.0, trust: Trust::Clean }; loops];
        for (index, raw) in block {
            let cost = &mut costs[*index];
            let cycles = (raw.slice.ticks - self.bench.overhead).to_cycles(frame.rate(raw.probe)).get();
            cost.log += raw.slice.counted.unwrap_or(cycles).max(f64::MIN_POSITIVE).ln() / 2.0;
            cost.trust = cost.trust.max(match self.label(raw, frame, quiet) {
                Label::Clean => Trust::Clean,
                Label::Contended => Trust::Contended,
                Label::Drifted | Label::Interrupted | Label::Migrated => Trust::Disturbed,
            });
        }
        costs
    }
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Cost {
    log: f64,
    trust: Trust,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Trust {
    Clean,
    Contended,
    Disturbed,
}

/// Loop `index` against the first.
fn ratio(blocks: &[Vec<Cost>], index: usize) -> Option<Ratio> {
    let logs = |worst: Trust| -> Vec<f64> {
        let pairs = blocks.iter().map(|block| (block[0], block[index]));
        let pairs = pairs.filter(|(one, other)| one.trust <= worst && other.trust <= worst);
        pairs.map(|(one, other)| other.log - one.log).filter(|log| log.is_finite()).collect()
    };
    let mut used = logs(Trust::Clean);
    let clean = used.len() >= FEWEST;
    for worst in [Trust::Contended, Trust::Disturbed] {
        if used.len() < FEWEST {
            used = logs(worst);
        }
    }
    let (ratio, coverage) = interval(&used)?;
    Some(Ratio { ratio, coverage, blocks: used.len(), of: blocks.len(), clean })
}

/// The median of ratios given as logarithms in the order of time, and its interval: the sign test's over groups of neighbours,
/// and the systematic part of a clock and of a loop's place in memory.
fn interval(logs: &[f64]) -> Option<(Interval, f64)> {
    if logs.len() < FEWEST {
        return None;
    }
    let size = logs.len().div_ceil(GROUPS);
    let middles: Vec<f64> = logs
        .chunks(size)
        // The last group may be short, and scatter more than the others.
        .filter(|group| 2 * group.len() >= size)
        .filter_map(|group| Some(Sorted::new(group).ok()?.median().exp()))
        .collect();
    let found = paired_ratio(&vec![1.0; middles.len()], &middles, CONFIDENCE).ok()?;
    let estimate = Sorted::new(logs).ok()?.median().exp();
    let down = (estimate - found.ratio.lo).max(0.0) + SYSTEMATIC * estimate;
    let up = (found.ratio.hi - estimate).max(0.0) + SYSTEMATIC * estimate;
    Some((Interval { estimate, lo: estimate - down, hi: estimate + up }, found.coverage))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_iteration_count_fits_the_slowest_and_keeps_the_fastest_in_sight() {
        let plan = |granule| Plan { granule, most: 1 << 40 };
        assert_eq!(shared(&[160, 320], &[plan(16), plan(16)]), 160);
        assert_eq!(shared(&[16, 3200], &[plan(16), plan(16)]), 400);
        assert_eq!(shared(&[1, 3], &[plan(1), plan(16)]), 1);
        assert_eq!(shared(&[1000, 1000], &[Plan { granule: 1, most: 64 }, plan(1)]), 64);
    }

    #[test]
    fn an_outlier_in_each_group_moves_nothing() {
        let logs: Vec<f64> = (0..640).map(|at| if at % 10 == 3 { 5.0 } else { 0.02 }).collect();
        let (found, coverage) = interval(&logs).unwrap();
        assert!((found.estimate - 0.02_f64.exp()).abs() < 1e-12 && coverage >= CONFIDENCE, "{found:?}");
        assert!(found.width_pct() < 0.3, "{found:?}");
        assert!(interval(&logs[..FEWEST - 1]).is_none());
    }
}
