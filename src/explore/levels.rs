//! In which cache does a working set fit? By what CPUID says of this core's caches.

use crate::machine::{Cache, CacheKind, Machine};

/// A level of the memory hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The cache of this level, 1 being nearest.
    Cache(u8),
    /// Main memory.
    Ram,
}

/// `L1`, `L2`, `RAM`.
impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cache(level) => f.pad(&format!("L{level}")),
            Self::Ram => f.pad("RAM"),
        }
    }
}

impl Level {
    /// The level that is called so, if there is one.
    ///
    /// ```
    /// use fencepost::explore::Level;
    /// assert_eq!(Level::from_name("L2"), Some(Level::Cache(2)));
    /// assert_eq!(Level::from_name("RAM"), Some(Level::Ram));
    /// assert_eq!(Level::from_name("disk"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "RAM" => Some(Self::Ram),
            _ => name.strip_prefix('L')?.parse().ok().map(Self::Cache),
        }
    }
}

/// The caches that hold data, nearest first, with their sizes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// Level and size in bytes, sizes growing.
    caches: Vec<(u8, u64)>,
}

impl Levels {
    /// What CPUID (or the kernel) says of this machine. Empty where both are silent.
    pub fn of(machine: &Machine) -> Self {
        Self::from_caches(machine.caches())
    }

    /// The data and unified ones of `caches`. One that is no larger than a nearer one is left out: nothing lives in it alone.
    ///
    /// ```
    /// use fencepost::explore::{Level, Levels};
    /// use fencepost::machine::{Cache, CacheKind};
    /// let l1 = Cache { level: 1, kind: CacheKind::Data, bytes: 32 << 10, line: 64, ways: None, shared_by: None };
    /// let levels = Levels::from_caches(&[l1]);
    /// assert_eq!(levels.of_bytes(32 << 10), Some(Level::Cache(1)));
    /// assert_eq!(levels.of_bytes(33 << 10), Some(Level::Ram));
    /// assert_eq!(Levels::default().of_bytes(1), None);
    /// ```
    pub fn from_caches(caches: &[Cache]) -> Self {
        let mut kept: Vec<(u8, u64)> = Vec::new();
        for cache in caches.iter().filter(|cache| cache.kind != CacheKind::Instruction) {
            if kept.iter().all(|(level, bytes)| *level < cache.level && *bytes < cache.bytes) {
                kept.push((cache.level, cache.bytes));
            }
        }
        Self { caches: kept }
    }

    /// Level and size in bytes of each, nearest first.
    pub fn caches(&self) -> &[(u8, u64)] {
        &self.caches
    }

    /// The nearest level that a working set of `bytes` fits in; `None` where no cache is known.
    pub fn of_bytes(&self, bytes: u64) -> Option<Level> {
        if self.caches.is_empty() {
            return None;
        }
        let fits = self.caches.iter().find(|(_, size)| bytes <= *size);
        Some(fits.map_or(Level::Ram, |(level, _)| Level::Cache(*level)))
    }
}

/// A size as one reads it: `48 KiB`, `1.5 MiB`, `100 B`.
///
/// ```
/// use fencepost::explore::bytes_text;
/// assert_eq!(bytes_text(1536), "1.5 KiB");
/// assert_eq!(bytes_text(48 << 10), "48 KiB");
/// assert_eq!(bytes_text(100), "100 B");
/// ```
pub fn bytes_text(bytes: u64) -> String {
    crate::record::size_text(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(level: u8, kind: CacheKind, bytes: u64) -> Cache {
        Cache { level, kind, bytes, line: 64, ways: None, shared_by: None }
    }

    #[test]
    fn a_set_lives_in_the_nearest_cache_that_it_fits_in() {
        let levels = Levels::from_caches(&[
            cache(1, CacheKind::Data, 48 << 10),
            cache(1, CacheKind::Instruction, 32 << 10),
            cache(2, CacheKind::Unified, 2 << 20),
            cache(3, CacheKind::Unified, 60 << 20),
        ]);
        let named: Vec<String> = [1, 48 << 10, 49 << 10, 2 << 20, 60 << 20, 61 << 20]
            .iter()
            .filter_map(|bytes| levels.of_bytes(*bytes))
            .map(|level| level.to_string())
            .collect();
        assert_eq!(named, ["L1", "L1", "L2", "L2", "L3", "RAM"]);
    }

    #[test]
    fn a_cache_that_is_smaller_than_a_nearer_one_is_no_level() {
        let levels = Levels::from_caches(&[
            cache(1, CacheKind::Data, 64 << 10),
            cache(2, CacheKind::Unified, 32 << 10),
        ]);
        assert_eq!(levels.caches(), [(1, 64 << 10)]);
    }
}
