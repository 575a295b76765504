//! What does an access cost on this machine, by where it hits? A chase through pointers, each of which waits for the one before it.

use super::run::say;
use crate::Lab;
use crate::cachegrind::{CacheSize, Caches, Weights};
use crate::error::{Error, ErrorKind, Result};
use crate::lab::Benchmark;
use crate::machine::{Cache, CacheKind, Machine};
use crate::sampling::Options;

/// The caches of this machine, as far as they can be simulated.
pub(super) fn host_caches() -> Result<Caches> {
    let machine = Machine::detect();
    let last = machine.caches().iter().map(|cache| cache.level).max().unwrap_or(0);
    let of = |wanted: &dyn Fn(&Cache) -> bool| {
        let cache = machine.caches().iter().find(|cache| wanted(cache))?;
        CacheSize::nearest(cache.bytes, cache.ways?.into(), cache.line.into())
    };
    let i1 = of(&|cache| cache.level == 1 && cache.kind != CacheKind::Data);
    let d1 = of(&|cache| cache.level == 1 && cache.kind != CacheKind::Instruction);
    let ll = of(&|cache| cache.level == last && last > 1);
    match (i1, d1, ll) {
        (Some(i1), Some(d1), Some(ll)) => Ok(Caches { i1, d1, ll }),
        _ => Err(Error::new(ErrorKind::CannotMeasure, "the caches of this machine cannot be simulated")
            .because("size, ways or lines of one of them are not known")
            .remedy("give them: --cache 'I1=32768,8,64 D1=32768,8,64 LL=8388608,16,64'")),
    }
}

/// The latencies of L1, of the last level, and of memory, in core cycles, measured here and now; and a sentence with those of all
/// levels.
pub(super) fn host_weights() -> Result<(Weights, String)> {
    let unknown = |what: String, why: &str| {
        let error = Error::new(ErrorKind::CannotMeasure, what).because(why);
        error.remedy("give weights yourself, such as --weights 4,12,300")
    };
    let options = Options { min_secs: 0.05, max_secs: 0.6, target_precision_pct: 5.0, ..Options::default() };
    let mut lab = Lab::builder().notices(say).options(options).build()?;
    let size = |level: u8| {
        let of_level = lab.machine().caches().iter().filter(|cache| cache.level == level);
        of_level.filter(|cache| cache.kind != CacheKind::Instruction).map(|cache| cache.bytes).max()
    };
    let levels: Vec<u64> = (1..=4).map_while(size).collect();
    let last = levels.last().copied().ok_or_else(|| {
        unknown("the caches of this machine are not known".to_owned(), "weights are measured in each of them")
    })?;
    let mut places: Vec<(String, u64)> = Vec::new();
    for (at, bytes) in levels.iter().enumerate() {
        // More than the level before holds, and a part of this one, which may be shared.
        let before = at.checked_sub(1).and_then(|before| levels.get(before)).copied().unwrap_or(0);
        places.push((format!("L{}", at + 1), (4 * before).max(bytes / 16).min(bytes / 2)));
    }
    places.push(("RAM".to_owned(), last.saturating_mul(4).clamp(64 << 20, 256 << 20)));
    let mut found = Vec::new();
    for (name, bytes) in &places {
        let chase = chain(usize::try_from(*bytes).unwrap_or(usize::MAX));
        let kernel = move |at: usize| chase.get(at).copied().unwrap_or(0);
        let measured = lab.measure(vec![Benchmark::latency(name.clone(), 0usize, kernel)])?;
        let cycles = measured.first().and_then(|one| one.result.cycles.as_ref());
        let cycles = cycles.map(|cycles| cycles.estimate).filter(|cycles| cycles.is_finite());
        found.push(cycles.ok_or_else(|| {
            unknown(
                format!("the latency of {name} could not be measured in core cycles"),
                "the clock ruler did not hold",
            )
        })?);
    }
    let each: Vec<String> =
        places.iter().zip(&found).map(|((name, _), cycles)| format!("{name} {cycles:.1}")).collect();
    let sentence = format!(
        "latencies here, by pointer chase on core {}: {} cyc; weights: the first, the last cache, RAM",
        lab.core(),
        each.join(", ")
    );
    let of = |at: usize| found.get(at).copied().unwrap_or(f64::NAN);
    Ok((Weights { l1: of(0), l2: of(levels.len().saturating_sub(1)), ram: of(levels.len()) }, sentence))
}

/// Words in a line.
const STEP: usize = 8;

/// Lines of which each holds the place of the next, in one random cycle through all of them (Sattolo).
fn chain(bytes: usize) -> Vec<usize> {
    let lines = (bytes / (STEP * size_of::<usize>())).max(2);
    let mut order: Vec<usize> = (0..lines).collect();
    let mut random = oorandom::Rand64::new(1);
    for at in (1..lines).rev() {
        order.swap(at, usize::try_from(random.rand_range(0..at as u64)).unwrap_or(0));
    }
    let mut chain = vec![0; lines * STEP];
    for (line, next) in order.into_iter().enumerate() {
        chain[line * STEP] = next * STEP;
    }
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chain_goes_through_every_line_once() {
        let chain = chain(64 * 1000);
        let visited = std::iter::successors(Some(chain[0]), |at| Some(chain[*at])).take_while(|at| *at != 0);
        assert_eq!(visited.count(), 999);
    }
}
