//! How long does a load take, and how many bytes a second go by, for each size of what is worked on?

use super::borders::{Border, plateaus};
use super::chase::Chase;
use super::levels::{Level, Levels, bytes_text};
use super::pages::{PageSize, Pages};
use super::stream::{Stream, Traffic};
use crate::Lab;
use crate::error::{Error, ErrorKind, Result};
use crate::lab::{Benchmark, Measurement};
use crate::record::{Kind, Verdict};
use crate::sampling::Options;

/// Which sizes are measured, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct LadderOptions {
    /// The smallest working set, in bytes.
    pub min_bytes: u64,
    /// The largest working set, in bytes.
    pub max_bytes: u64,
    /// Fewer sizes: whole powers of two only, and no second ladder on 4 KiB pages.
    pub quick: bool,
    /// The pages to ask for.
    pub pages: PageSize,
    /// Whether bandwidth is measured, too.
    pub bandwidth: bool,
    /// Decides the order of the nodes.
    pub seed: u64,
}

impl Default for LadderOptions {
    fn default() -> Self {
        Self {
            min_bytes: 1 << 10,
            max_bytes: 256 << 20,
            quick: false,
            pages: PageSize::Huge,
            bandwidth: true,
            seed: 1,
        }
    }
}

impl LadderOptions {
    /// How long one size may take. Less exact than a benchmark: neighbouring sizes are compared with one another, and levels differ by
    /// factors.
    pub fn sampling(&self) -> Options {
        Options {
            target_precision_pct: 1.0,
            min_secs: if self.quick { 0.01 } else { 0.02 },
            max_secs: if self.quick { 0.06 } else { 0.12 },
            slice_usec: 20.0,
            seed: self.seed,
            ..Options::default()
        }
    }

    /// The sizes, smallest first: powers of two, and one and a half times those.
    ///
    /// # Errors
    ///
    /// `Usage` where the smallest is below 256 bytes, or the largest below the smallest or above 64 GiB.
    ///
    /// ```
    /// use fencepost::explore::LadderOptions;
    /// let options = LadderOptions { max_bytes: 4 << 10, ..LadderOptions::default() };
    /// assert_eq!(options.sizes()?, [1024, 1536, 2048, 3072, 4096]);
    /// # Ok::<(), fencepost::Error>(())
    /// ```
    pub fn sizes(&self) -> Result<Vec<u64>> {
        let (least, most) = (256, 64 << 30);
        if self.min_bytes < least || self.max_bytes < self.min_bytes || self.max_bytes > most {
            return Err(Error::new(
                ErrorKind::Usage,
                format!("working sets from {} to {} bytes", self.min_bytes, self.max_bytes),
            )
            .because("a ladder goes from a few lines up to what fits into memory")
            .remedy("give sizes from 256 bytes to 64 GiB, the smaller one first"));
        }
        let (smallest, largest) = (self.min_bytes, self.max_bytes);
        let steps =
            (8..37).flat_map(|power| [Some(1u64 << power), (!self.quick).then_some(3u64 << (power - 1))]);
        let sizes: Vec<u64> = steps.flatten().filter(|size| (smallest..=largest).contains(size)).collect();
        Ok(if sizes.is_empty() { vec![self.max_bytes / 64 * 64] } else { sizes })
    }
}

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

/// What the data say of one cache that CPUID names.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheFinding {
    /// Its level.
    pub level: u8,
    /// Its size by CPUID, in bytes.
    pub told: u64,
    /// The border that the data show there, in bytes; `None` where they show none.
    pub seen: Option<u64>,
    /// The two, in words.
    pub sentence: String,
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

/// How far a border may lie from a cache's size and still be its end.
const SAME_PLACE: f64 = 2.0;

/// By what the sizes differ, as a ratio of at least 1.
fn apart(border: &Border, bytes: u64) -> f64 {
    let ratio = border.bytes as f64 / bytes as f64;
    ratio.max(1.0 / ratio)
}

/// The cache that each border is the end of, by its number in `caches`: the pair that is closest together first.
fn matched(borders: &[Border], caches: &[(u8, u64)]) -> Vec<Option<usize>> {
    let mut found = vec![None; borders.len()];
    loop {
        let free = |at: usize| found[at].is_none();
        let taken = |cache: usize| found.contains(&Some(cache));
        let pairs = (0..borders.len()).filter(|at| free(*at)).flat_map(|at| {
            let left = (0..caches.len()).filter(|cache| !taken(*cache));
            left.map(move |cache| (apart(&borders[at], caches[cache].1), at, cache))
        });
        let closest =
            pairs.filter(|pair| pair.0 <= SAME_PLACE + 1e-9).min_by(|one, other| one.0.total_cmp(&other.0));
        let Some((_, at, cache)) = closest else { return found };
        found[at] = Some(cache);
    }
}

/// What the plateaus before, between and after `borders` are called: by the cache whose size a border is at, else by counting on.
/// `largest` is the largest size that was measured.
pub fn level_names(borders: &[Border], levels: &Levels, largest: u64) -> Vec<Level> {
    let caches = levels.caches();
    let last = caches.last().map(|(level, _)| *level);
    let mut names = Vec::with_capacity(borders.len() + 1);
    let mut next = 1u8;
    for told in matched(borders, caches) {
        let here = told.map(|cache| caches[cache].0).filter(|level| *level >= next).unwrap_or(next);
        names.push(if last.is_some_and(|last| here > last) { Level::Ram } else { Level::Cache(here) });
        next = here.saturating_add(1);
    }
    names.push(match caches.last() {
        // The last plateau is a cache where the sizes end inside of it.
        Some((level, bytes)) if next <= *level && largest <= *bytes => Level::Cache(next),
        Some(_) => Level::Ram,
        // Nothing is told: three levels of cache at the most, and one alone is the nearest.
        None if next == 1 => Level::Cache(1),
        None => Level::Ram,
    });
    names
}

/// What CPUID tells of each cache beside what `borders` show, nearest first.
pub fn cache_findings(borders: &[Border], levels: &Levels, largest: u64) -> Vec<CacheFinding> {
    let matched = matched(borders, levels.caches());
    levels
        .caches()
        .iter()
        .enumerate()
        .map(|(cache, (level, told))| {
            let seen = matched.iter().position(|of| *of == Some(cache)).map(|at| borders[at].bytes);
            let size = bytes_text(*told);
            let sentence = match seen {
                Some(seen) => format!("L{level}: CPUID says {size}, the data show its end at {}.", bytes_text(seen)),
                None if *told >= largest => format!(
                    "L{level}: CPUID says {size}; the largest set measured is {}, so its end was not looked for.",
                    bytes_text(largest)
                ),
                None => format!("L{level}: CPUID says {size}, the data show no end near it."),
            };
            CacheFinding { level: *level, told: *told, seen, sentence }
        })
        .collect()
}

fn notes(
    lab: &Lab,
    rungs: &[Rung],
    borders: &[Border],
    levels: &Levels,
    pages: PageSize,
    options: &LadderOptions,
) -> Vec<String> {
    let mut notes = contradictions(
        borders,
        levels,
        rungs.last().map_or(0, |rung| rung.bytes),
        lab.machine().hypervisor(),
        rungs.last().and_then(|rung| rung.ns),
    );
    match (pages, options.pages) {
        (PageSize::Huge, _) => notes.push(
            "Pages are 2 MiB (confirmed in /proc/self/smaps), so TLB misses have little part in these latencies; a hypervisor may back \
             them with 4 KiB pages of its own all the same."
                .to_owned(),
        ),
        (PageSize::Small, wanted) => notes.push(format!(
            "Pages are 4 KiB{}: from about 256 KiB on TLB misses are part of these latencies (64 to 96 entries in the first level), and from \
             about 8 MiB on page walks.",
            if wanted == PageSize::Huge { ", since huge ones could not be had" } else { "" }
        )),
    }
    if let Some(tlb) = tlb_note(rungs) {
        notes.push(tlb);
    }
    let contended = rungs.iter().filter(|rung| rung.verdict == Verdict::Contended).count();
    if contended > 0 {
        notes.push(format!(
            "{contended} of {} latencies were measured beside a busy sibling or neighbour: they are upper bounds.",
            rungs.len()
        ));
    }
    notes.push(
        "The gauge does not see neighbours on a shared cache or on the memory bus: what lies beyond L2 is what was left of them."
            .to_owned(),
    );
    notes
}

/// From which size on 4 KiB pages cost more.
fn tlb_note(rungs: &[Rung]) -> Option<String> {
    /// A rise that is more than noise and more than rounding.
    const DEARER: f64 = 1.15;
    let dearer = |rung: &Rung| {
        let (cycles, ..) = rung.cycles?;
        rung.small_pages.map(|small| small / cycles)
    };
    let both: Vec<(&Rung, f64)> = rungs.iter().filter_map(|rung| Some((rung, dearer(rung)?))).collect();
    let last = both.last()?;
    // The first of those from which on all are dearer but one at the most, so that one disturbed size does not decide.
    let from = (0..both.len())
        .find(|at| {
            both[*at].1 > DEARER && both[*at..].iter().filter(|(_, ratio)| *ratio <= DEARER).count() <= 1
        })
        .map(|at| both[at].0.bytes);
    Some(match from {
        Some(bytes) => format!(
            "TLB: on 4 KiB pages a load is dearer from {} on ({:.1} times as dear at {}).",
            bytes_text(bytes),
            last.1,
            bytes_text(last.0.bytes)
        ),
        None => "TLB: 4 KiB pages cost no more than 2 MiB pages at these sizes.".to_owned(),
    })
}

/// What of the told caches the data contradict, and what is not told at all.
fn contradictions(
    borders: &[Border],
    levels: &Levels,
    largest: u64,
    hypervisor: Option<&str>,
    last_ns: Option<f64>,
) -> Vec<String> {
    /// No cache is as far away as this, in nanoseconds.
    const MEMORY_NS: f64 = 80.0;
    let mut notes = Vec::new();
    let guest = hypervisor.map(|name| format!("this guest of {name}"));
    let who = guest.as_deref().unwrap_or("this machine");
    if levels.caches().is_empty() {
        notes.push(format!(
            "CPUID names no cache: {who} hides them; the levels are counted from the data alone."
        ));
        return notes;
    }
    let findings = cache_findings(borders, levels, largest);
    for finding in findings.iter().filter(|finding| finding.seen.is_none() && finding.told < largest) {
        notes.push(format!(
            "The data contradict what CPUID says of L{}: latency shows no end near {}, so {who} reports a cache that it does not have for \
             itself.",
            finding.level,
            bytes_text(finding.told)
        ));
    }
    let unmatched =
        borders.iter().filter(|border| !findings.iter().any(|finding| finding.seen == Some(border.bytes)));
    for border in unmatched {
        notes.push(format!(
            "Latency rises from {:.1} to {:.1} after {}, where CPUID names no cache: a share of a larger one, or one that {who} does not tell of.",
            border.before,
            border.after,
            bytes_text(border.bytes)
        ));
    }
    for border in borders.iter().filter(|border| border.bytes > 2 * border.flat_until) {
        notes.push(format!(
            "The rise after {} is gradual up to {}: memory is spread unevenly over the sets of that cache, or others use it, too.",
            bytes_text(border.flat_until),
            bytes_text(border.bytes)
        ));
    }
    let farthest = levels.caches().last().map_or(0, |(_, bytes)| *bytes);
    if let Some(ns) = last_ns.filter(|ns| *ns > MEMORY_NS && largest <= farthest) {
        notes.push(format!(
            "A set of {} would fit into the {} that CPUID names, yet a load takes {ns:.0} ns, as from main memory: {who} has the use of only a \
             part of that cache.",
            bytes_text(largest),
            bytes_text(farthest)
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Cache, CacheKind};

    fn levels(sizes: &[u64]) -> Levels {
        let caches: Vec<Cache> = sizes
            .iter()
            .zip(1u8..)
            .map(|(bytes, level)| Cache {
                level,
                kind: CacheKind::Unified,
                bytes: *bytes,
                line: 64,
                ways: None,
                shared_by: None,
            })
            .collect();
        Levels::from_caches(&caches)
    }

    fn border(bytes: u64) -> Border {
        Border { bytes, flat_until: bytes, before: 5.0, after: 15.0 }
    }

    fn names(borders: &[u64], told: &[u64], largest: u64) -> Vec<String> {
        let borders: Vec<Border> = borders.iter().map(|bytes| border(*bytes)).collect();
        level_names(&borders, &levels(told), largest).iter().map(ToString::to_string).collect()
    }

    const K: u64 = 1 << 10;
    const M: u64 = 1 << 20;

    #[test]
    fn plateaus_are_named_by_the_caches_whose_ends_they_are() {
        let told = [48 * K, 2 * M, 32 * M];
        assert_eq!(names(&[48 * K, 2 * M, 24 * M], &told, 256 * M), ["L1", "L2", "L3", "RAM"]);
        assert_eq!(names(&[48 * K, M], &told, 16 * M), ["L1", "L2", "L3"]);
        // A share of a large cache: the third plateau is still it.
        assert_eq!(
            names(&[48 * K, 2 * M, 24 * M], &[48 * K, 2 * M, 260 * M], 256 * M),
            ["L1", "L2", "L3", "RAM"]
        );
        // L1 was not looked at.
        assert_eq!(names(&[2 * M, 32 * M], &told, 256 * M), ["L2", "L3", "RAM"]);
        assert_eq!(names(&[32 * K, 512 * K], &[], 256 * M), ["L1", "L2", "RAM"]);
        assert_eq!(names(&[], &told, 16 * K), ["L1"]);
        assert_eq!(names(&[], &[], 16 * K), ["L1"]);
    }

    #[test]
    fn what_is_told_stands_beside_what_is_seen() {
        let found =
            cache_findings(&[border(48 * K), border(3 * M / 2)], &levels(&[48 * K, 2 * M, 32 * M]), 16 * M);
        assert_eq!(found[0].sentence, "L1: CPUID says 48 KiB, the data show its end at 48 KiB.");
        assert_eq!(found[1].seen, Some(3 * M / 2));
        assert!(found[2].sentence.contains("was not looked for"));
        let found = cache_findings(&[border(48 * K)], &levels(&[48 * K, 2 * M]), 16 * M);
        assert_eq!(found[1].sentence, "L2: CPUID says 2 MiB, the data show no end near it.");
    }

    #[test]
    fn hidden_and_contradicted_caches_are_named() {
        let said = |borders: &[u64], told: &[u64], ns| {
            let borders: Vec<Border> = borders.iter().map(|bytes| border(*bytes)).collect();
            contradictions(&borders, &levels(told), 256 * M, Some("KVM"), ns).join(" ")
        };
        assert!(said(&[32 * K, M], &[], None).contains("this guest of KVM hides them"));
        let share = said(&[48 * K, 2 * M, 24 * M], &[48 * K, 2 * M, 260 * M], Some(120.0));
        assert!(share.contains("after 24 MiB") && share.contains("only a part"), "{share}");
        assert!(said(&[32 * K, 8 * M], &[32 * K, 512 * K, 8 * M], None).contains("what CPUID says of L2"));
        assert_eq!(said(&[32 * K, M, 32 * M], &[32 * K, M, 32 * M], Some(100.0)), "");
    }

    #[test]
    fn sizes_that_make_no_ladder_are_refused() {
        let sizes =
            |min_bytes, max_bytes| LadderOptions { min_bytes, max_bytes, ..Default::default() }.sizes();
        for (least, most) in [(0, 10), (1024, 512), (1024, u64::MAX)] {
            assert_eq!(sizes(least, most).unwrap_err().kind(), ErrorKind::Usage);
        }
        assert_eq!(sizes(1000, 1010).unwrap(), [960]);
        assert_eq!(LadderOptions::default().sizes().unwrap().len(), 37);
    }
}
