//! How long does a load take, and how many bytes a second go by, for each size of what is worked on?

use super::borders::{Border, plateaus};
use super::chase::Chase;
use super::ladder_levels::{CacheFinding, cache_findings, level_names};
use super::ladder_notes::notes;
use super::ladder_options::LadderOptions;
use super::levels::{Level, Levels};
use super::pages::{PageSize, Pages};
use super::stream::{Stream, Traffic};
use crate::Lab;
use crate::error::{Error, ErrorKind, Result};
use crate::lab::{Benchmark, Measurement};
use crate::record::{Kind, Verdict};

/// What a load costs in a working set of one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    /// The working set.
    pub bytes: u64,
    /// Load-to-use latency in core cycles with its interval; `None` where no cycles may be claimed.
    pub cycles: Option<(f64, f64, f64)>,
    /// The same in nanoseconds; `None` where the counter's frequency is not known.
    pub ns: Option<f64>,
    /// The same in ticks.
    pub ticks: f64,
    /// What may be said of it.
    pub verdict: Verdict,
    /// On 4 KiB pages, in core cycles; where the others are huge pages and both were measured.
    pub small_pages: Option<f64>,
    /// The level that the data place it in.
    pub level: Level,
}

/// How fast a working set of one size streams by.
#[derive(Clone, Debug, PartialEq)]
pub struct Bandwidth {
    /// The working set.
    pub bytes: u64,
    /// What is done with it.
    pub traffic: Traffic,
    /// Bytes a core cycle; `None` where no cycles may be claimed.
    pub per_cycle: Option<f64>,
    /// 10^9 bytes a second; `None` where the counter's frequency is not known.
    pub gigabytes_per_sec: Option<f64>,
    /// What may be said of it.
    pub verdict: Verdict,
}

/// A measured ladder.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// Latencies, smallest working set first.
    pub rungs: Vec<Rung>,
    /// Bandwidths, smallest working set first.
    pub bandwidth: Vec<Bandwidth>,
    /// Where the data show a level's end.
    pub borders: Vec<Border>,
    /// What CPUID tells beside what the data show, nearest cache first.
    pub caches: Vec<CacheFinding>,
    /// The pages that the working sets lay in.
    pub pages: PageSize,
    /// Remarks for the reader.
    pub notes: Vec<String>,
}

/// Measures the ladder on `lab`, whose options should be [`LadderOptions::sampling`]; `progress` is told the share that is done.
///
/// One size after the other: interleaved ones would throw each other out of the caches. Before each, its whole set is gone through.
///
/// # Errors
///
/// `Usage` for sizes that make no ladder, `CannotMeasure` where the memory cannot be had.
pub fn ladder(lab: &mut Lab, options: &LadderOptions, progress: &mut dyn FnMut(f64)) -> Result<Ladder> {
    let sizes = options.sizes()?;
    let largest = sizes.iter().copied().max().unwrap_or(0);
    let mut pages = Pages::new(usize::try_from(largest).unwrap_or(usize::MAX), options.pages)?;
    let size = pages.size();
    let doubled: Vec<u64> = sizes.iter().copied().filter(|bytes| bytes.is_power_of_two()).collect();
    let second: &[u64] = if size == PageSize::Huge && !options.quick { &doubled } else { &[] };
    let streamed: &[u64] = if options.bandwidth { &doubled } else { &[] };
    // Time goes with the number of sizes and with the bytes that are gone through.
    let whole = (sizes.len() + second.len() + 3 * streamed.len()) as f64;
    let mut done = 0.0;
    let mut step = |progress: &mut dyn FnMut(f64)| {
        done += 1.0;
        progress(done / whole);
    };
    let mut rungs = Vec::with_capacity(sizes.len());
    for bytes in &sizes {
        rungs.push(rung(latency(lab, &mut pages, *bytes, options.seed)?, *bytes));
        step(progress);
    }
    let mut bandwidth = Vec::new();
    for bytes in streamed {
        for traffic in Traffic::ALL {
            bandwidth.push(stream(lab, &mut pages, *bytes, traffic)?);
            step(progress);
        }
    }
    drop(pages);
    if let Some(most) = second.last() {
        let mut pages = Pages::new(usize::try_from(*most).unwrap_or(usize::MAX), PageSize::Small)?;
        for bytes in second {
            let measured = rung(latency(lab, &mut pages, *bytes, options.seed)?, *bytes);
            if let Some(rung) = rungs.iter_mut().find(|rung| rung.bytes == *bytes) {
                rung.small_pages = measured.cycles.map(|(cycles, ..)| cycles);
            }
            step(progress);
        }
    }
    let levels = Levels::of(lab.machine());
    let costs: Vec<f64> =
        rungs.iter().map(|rung| rung.cycles.map_or(rung.ticks, |(cycles, ..)| cycles)).collect();
    let (found, borders) = plateaus(&sizes, &costs);
    let names = level_names(&borders, &levels, largest);
    for (plateau, level) in found.iter().zip(&names) {
        for rung in rungs.iter_mut().take(plateau.last + 1).skip(plateau.first) {
            rung.level = *level;
        }
    }
    // Inside a rise, the border decides.
    for (border, pair) in borders.iter().zip(names.windows(2)) {
        for rung in &mut rungs {
            if rung.level == pair[0] && rung.bytes > border.bytes {
                rung.level = pair[1];
            } else if rung.level == pair[1] && rung.bytes <= border.bytes {
                rung.level = pair[0];
            }
        }
    }
    let caches = cache_findings(&borders, &levels, largest);
    let notes = notes(lab, &rungs, &borders, &levels, size, options);
    Ok(Ladder { rungs, bandwidth, borders, caches, pages: size, notes })
}

fn latency(lab: &mut Lab, pages: &mut Pages, bytes: u64, seed: u64) -> Result<Measurement> {
    let mut chase = Chase::new(pages, bytes, seed)?;
    chase.warm();
    one(lab, Benchmark::custom(format!("ladder/latency/{bytes}"), Kind::Latency, chase))
}

fn stream(lab: &mut Lab, pages: &mut Pages, bytes: u64, traffic: Traffic) -> Result<Bandwidth> {
    let mut stream = Stream::new(pages, bytes, traffic)?;
    stream.warm();
    let block = stream.block() as f64;
    let id = format!("ladder/{traffic}/{bytes}");
    let measured = one(lab, Benchmark::custom(id, Kind::ReciprocalThroughput, stream))?;
    let result = &measured.result;
    Ok(Bandwidth {
        bytes,
        traffic,
        per_cycle: result
            .cycles
            .as_ref()
            .map(|cycles| block / cycles.estimate)
            .filter(|rate| rate.is_finite()),
        gigabytes_per_sec: result.ns.as_ref().map(|ns| block / ns.estimate).filter(|rate| rate.is_finite()),
        verdict: result.verdict,
    })
}

fn one(lab: &mut Lab, benchmark: Benchmark<'_>) -> Result<Measurement> {
    lab.measure(vec![benchmark])?.pop().ok_or_else(|| {
        Error::new(ErrorKind::CannotMeasure, "a working set was not measured").remedy("run again")
    })
}

fn rung(measured: Measurement, bytes: u64) -> Rung {
    let result = measured.result;
    Rung {
        bytes,
        cycles: result.cycles.as_ref().map(|cycles| (cycles.estimate, cycles.lo, cycles.hi)),
        ns: result.ns.as_ref().map(|ns| ns.estimate),
        ticks: result.ticks.estimate,
        verdict: result.verdict,
        small_pages: None,
        level: Level::Ram,
    }
}
