//! What is each plateau of a ladder called, and what does CPUID say of the caches that its borders show?

use super::borders::Border;
use super::levels::{Level, Levels, bytes_text};

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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::machine::{Cache, CacheKind};

    pub(in crate::explore) fn levels(sizes: &[u64]) -> Levels {
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

    pub(in crate::explore) fn border(bytes: u64) -> Border {
        Border { bytes, flat_until: bytes, before: 5.0, after: 15.0 }
    }

    fn names(borders: &[u64], told: &[u64], largest: u64) -> Vec<String> {
        let borders: Vec<Border> = borders.iter().map(|bytes| border(*bytes)).collect();
        level_names(&borders, &levels(told), largest).iter().map(ToString::to_string).collect()
    }

    pub(in crate::explore) const K: u64 = 1 << 10;
    pub(in crate::explore) const M: u64 = 1 << 20;

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
}
