//! Which caches does a core use, and how large are they?

use std::fmt;

use raw_cpuid::{CacheType, CpuId, CpuIdReader};

use super::sources::{Files, number, text};
use crate::order;

/// What a cache holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheKind {
    /// Data alone.
    Data,
    /// Instructions alone.
    Instruction,
    /// Both.
    Unified,
}

/// One cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    /// 1 is nearest to the core.
    pub level: u8,
    /// What it holds.
    pub kind: CacheKind,
    /// Size in bytes.
    pub bytes: u64,
    /// Line size in bytes.
    pub line: u32,
    /// Associativity; `None` if not known.
    pub ways: Option<u32>,
    /// Logical CPUs that share it at the most; `None` if not known.
    pub shared_by: Option<u32>,
}

/// Level, kind, size and ways: `L1d 48 KiB 12-way`.
impl fmt::Display for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            CacheKind::Data => "d",
            CacheKind::Instruction => "i",
            CacheKind::Unified => "",
        };
        write!(f, "L{}{kind} ", self.level)?;
        match self.bytes {
            bytes if bytes % 1024 == 0 => write!(f, "{} KiB", bytes / 1024)?,
            bytes => write!(f, "{bytes} B")?,
        }
        self.ways.map_or(Ok(()), |ways| write!(f, " {ways}-way"))
    }
}

/// By CPUID 4 (Intel) or 8000_001Dh (AMD), which `raw-cpuid` reads as one; by sysfs where CPUID is silent.
pub(super) fn read<R: CpuIdReader>(id: &CpuId<R>, files: &dyn Files) -> Vec<Cache> {
    let mut caches: Vec<Cache> = id
        .get_cache_parameters()
        .into_iter()
        .flatten()
        .filter_map(|cache| {
            let kind = match cache.cache_type() {
                CacheType::Data => CacheKind::Data,
                CacheType::Instruction => CacheKind::Instruction,
                CacheType::Unified => CacheKind::Unified,
                _ => return None,
            };
            let product = [
                cache.associativity(),
                cache.physical_line_partitions(),
                cache.coherency_line_size(),
                cache.sets(),
            ];
            Some(Cache {
                level: cache.level(),
                kind,
                bytes: product.iter().fold(1, |bytes: u64, part| bytes.saturating_mul(*part as u64)),
                line: cache.coherency_line_size() as u32,
                ways: Some(cache.associativity() as u32),
                shared_by: Some(cache.max_cores_for_cache() as u32),
            })
        })
        // A broken hypervisor may never end its list.
        .take(16)
        .collect();
    if caches.is_empty() {
        caches = (0..16).map_while(|index| from_sysfs(files, index)).flatten().collect();
    }
    let rank = |cache: &Cache| (cache.level, cache.kind == CacheKind::Instruction);
    order::by(caches, &|one, other| rank(one).cmp(&rank(other)))
}

/// `None` where there is no such index; an inner `None` where its files make no sense.
fn from_sysfs(files: &dyn Files, index: usize) -> Option<Option<Cache>> {
    let path = |name: &str| format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}");
    let level: u8 = number(files, &path("level"))?;
    let kind = match text(files, &path("type"))?.as_str() {
        "Data" => CacheKind::Data,
        "Instruction" => CacheKind::Instruction,
        _ => CacheKind::Unified,
    };
    let bytes = text(files, &path("size")).and_then(|size| match size.strip_suffix('K') {
        Some(kibibytes) => kibibytes.parse::<u64>().ok()?.checked_mul(1024),
        None => size.parse().ok(),
    });
    Some(bytes.map(|bytes| {
        Cache {
            level,
            kind,
            bytes,
            line: number(files, &path("coherency_line_size")).unwrap_or(64),
            ways: number(files, &path("ways_of_associativity")),
            shared_by: text(files, &path("shared_cpu_list"))
                .and_then(|list| super::parse_cpu_list(&list))
                .map(|cpus| cpus.len() as u32),
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::super::Recording;
    use super::*;

    fn sysfs(index: usize, level: &str, kind: &str, size: &str) -> Recording {
        let path = |name: &str| format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}");
        Recording::default()
            .with_file(&path("level"), level)
            .with_file(&path("type"), kind)
            .with_file(&path("size"), size)
            .with_file(&path("coherency_line_size"), "64\n")
            .with_file(&path("ways_of_associativity"), "8\n")
            .with_file(&path("shared_cpu_list"), "0,4\n")
    }

    #[test]
    fn where_cpuid_is_silent_the_kernel_is_asked() {
        let found = sysfs(0, "1\n", "Data\n", "32K\n").machine();
        let expected = Cache {
            level: 1,
            kind: CacheKind::Data,
            bytes: 32 << 10,
            line: 64,
            ways: Some(8),
            shared_by: Some(2),
        };
        assert_eq!(found.caches(), [expected]);
        assert_eq!(expected.to_string(), "L1d 32 KiB 8-way");
    }

    #[test]
    fn caches_that_make_no_sense_are_left_out() {
        for (level, kind, size) in [
            ("one", "Data", "32K"),
            ("1", "", "32K"),
            ("1", "Data", "much"),
            ("1", "Data", "99999999999999999999K"),
        ] {
            assert_eq!(sysfs(0, level, kind, size).machine().caches(), [], "{level} {kind} {size}");
        }
    }
}
