//! Which CPUs does a list name that the kernel writes as `0-3,8,10-11`?

use crate::order;

/// The CPUs of a kernel list, in ascending order; `None` where the text is no such list. Empty text is the empty list.
///
/// ```
/// use fencepost::machine::parse_cpu_list;
/// assert_eq!(parse_cpu_list("0-2,8\n"), Some(vec![0, 1, 2, 8]));
/// assert_eq!(parse_cpu_list("3-1"), None);
/// ```
pub fn parse_cpu_list(text: &str) -> Option<Vec<usize>> {
    /// More than any Linux kernel can have (NR_CPUS is at most 8192 on x86-64).
    const MOST: usize = 1 << 16;
    let text = text.trim();
    if text.is_empty() {
        return Some(Vec::new());
    }
    let mut cpus = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        if first > last || last >= MOST {
            return None;
        }
        cpus.extend((first as u64)..=(last as u64));
        // Before overlapping parts can add up to more than there can be.
        if cpus.len() > MOST {
            cpus = order::whole(&cpus);
            cpus.dedup();
        }
    }
    cpus = order::whole(&cpus);
    cpus.dedup();
    Some(cpus.into_iter().map(|cpu| cpu as usize).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_nonsense_is_not() {
        assert_eq!(parse_cpu_list(""), Some(vec![]));
        assert_eq!(parse_cpu_list("5"), Some(vec![5]));
        assert_eq!(parse_cpu_list("10-11,0-1,1"), Some(vec![0, 1, 10, 11]));
        for nonsense in ["a", "1-", "-1", "1,,2", "0-99999999999999999999", "0-999999", "1;2", "٣"] {
            assert_eq!(parse_cpu_list(nonsense), None, "{nonsense:?}");
        }
    }
}
