//! How much of this memory lies in huge pages? What `/proc/self/smaps` says of the mapping that an address is in.

/// What the kernel says of the mappings that a span touches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HugeShare {
    /// Bytes that are resident.
    pub resident: u64,
    /// Bytes of them in transparent huge pages.
    pub huge: u64,
}

impl HugeShare {
    /// Nearly all that is resident is in huge pages. Mappings are merged with their neighbours, whose few small pages count along.
    pub fn is_huge(self) -> bool {
        self.huge > 0 && self.huge >= self.resident - self.resident / 10
    }
}

/// Sums `Rss:` and `AnonHugePages:` of every mapping in `smaps` (proc(5)) that overlaps the `bytes` bytes at `address`; `None` where there
/// is none, or where its lines make no sense.
///
/// ```
/// let smaps = "7f0000000000-7f0000400000 rw-p 00000000 00:00 0\nRss:  4096 kB\nAnonHugePages:  4096 kB\n";
/// let share = fencepost::explore::huge_share(smaps, 0x7f00_0000_0000, 4 << 20).unwrap();
/// assert_eq!((share.resident, share.huge), (4 << 20, 4 << 20));
/// assert!(share.is_huge());
/// ```
pub fn huge_share(smaps: &str, address: u64, bytes: u64) -> Option<HugeShare> {
    let end = address.checked_add(bytes)?;
    let mut share = HugeShare::default();
    let (mut inside, mut found) = (false, false);
    for line in smaps.lines() {
        if let Some((start, stop)) = span(line) {
            inside = start < end && address < stop;
            found |= inside;
        } else if inside {
            for (name, sum) in [("Rss:", &mut share.resident), ("AnonHugePages:", &mut share.huge)] {
                if let Some(rest) = line.strip_prefix(name) {
                    let kibibytes: u64 = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
                    *sum = sum.checked_add(kibibytes.checked_mul(1024)?)?;
                }
            }
        }
    }
    found.then_some(share)
}

/// The span of a mapping, where `line` is the first one of a mapping.
fn span(line: &str) -> Option<(u64, u64)> {
    let (start, stop) = line.split(' ').next()?.split_once('-')?;
    Some((u64::from_str_radix(start, 16).ok()?, u64::from_str_radix(stop, 16).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMAPS: &str = "\
55d000000000-55d000001000 r--p 00000000 08:01 123    /usr/bin/x
Size:                  4 kB
Rss:                   4 kB
AnonHugePages:         0 kB
VmFlags: rd mr
7f1000000000-7f1000800000 rw-p 00000000 00:00 0
Size:               8192 kB
Rss:                8192 kB
AnonHugePages:      6144 kB
VmFlags: rd wr
7f1000800000-7f1000a00000 rw-p 00000000 00:00 0
Rss:                2048 kB
AnonHugePages:      2048 kB
";

    #[test]
    fn only_mappings_that_the_span_touches_count() {
        let first = huge_share(SMAPS, 0x7f10_0000_0000, 0x80_0000).unwrap();
        assert_eq!((first.resident, first.huge), (8192 << 10, 6144 << 10));
        assert!(!first.is_huge());
        let both = huge_share(SMAPS, 0x7f10_007f_f000, 0x2000).unwrap();
        assert_eq!(both.huge, 8192 << 10);
        assert!(huge_share(SMAPS, 0x7f10_0080_0000, 1).unwrap().is_huge());
        assert_eq!(huge_share(SMAPS, 0x1000, 1), None);
        assert!(!huge_share(SMAPS, 0x55d0_0000_0000, 1).unwrap().is_huge());
    }

    #[test]
    fn nonsense_is_no_claim() {
        assert_eq!(huge_share("", 0, 1), None);
        assert_eq!(huge_share("1000-2000 rw-p\nRss: many kB\n", 0x1000, 1), None);
        assert_eq!(huge_share("1000-2000 rw-p\nRss: 99999999999999999999 kB\n", 0x1000, 1), None);
        assert_eq!(huge_share(SMAPS, u64::MAX, 2), None);
    }
}
