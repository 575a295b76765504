//! How much memory may a working set take? What the kernel says is available, and what a control group leaves.

use crate::machine::{Files, SystemFiles};

/// Bytes that can be had without swapping: the least of `MemAvailable` (proc(5)) and what the control group leaves; `None` where neither is
/// known.
pub fn available_memory() -> Option<u64> {
    available_in(&SystemFiles)
}

fn available_in(files: &dyn Files) -> Option<u64> {
    let machine = files.read("/proc/meminfo").ok().and_then(|text| mem_available(&text));
    let group = group_left(files);
    match (machine, group) {
        (Some(machine), Some(group)) => Some(machine.min(group)),
        (one, other) => one.or(other),
    }
}

fn mem_available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

fn group_left(files: &dyn Files) -> Option<u64> {
    let groups = files.read("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let value = |name: &str| {
        let path = format!("/sys/fs/cgroup{}/{name}", path.trim_end_matches('/'));
        files.read(&path).ok()?.trim().parse::<u64>().ok()
    };
    Some(value("memory.max")?.saturating_sub(value("memory.current").unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Recording;

    #[test]
    fn the_tighter_limit_counts() {
        let files =
            Recording::default().with_file("/proc/meminfo", "MemTotal: 9 kB\nMemAvailable:  1024 kB\n");
        assert_eq!(available_in(&files), Some(1 << 20));
        let files = files
            .with_file("/proc/self/cgroup", "0::/a\n")
            .with_file("/sys/fs/cgroup/a/memory.max", "500000\n")
            .with_file("/sys/fs/cgroup/a/memory.current", "100000\n");
        assert_eq!(available_in(&files), Some(400_000));
        let files = files.with_file("/sys/fs/cgroup/a/memory.max", "max\n");
        assert_eq!(available_in(&files), Some(1 << 20));
        assert_eq!(available_in(&Recording::default()), None);
        assert_eq!(mem_available("MemAvailable: many kB"), None);
    }
}
