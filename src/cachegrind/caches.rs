//! Which caches are simulated? Fixed ones, so that counts can be compared between machines; or others, on request.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind, Result};
use crate::record::brief;

/// One simulated cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheSize {
    /// Size in bytes.
    pub bytes: u64,
    /// Associativity.
    pub ways: u64,
    /// Line size in bytes.
    pub line: u64,
}

impl fmt::Display for CacheSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.bytes, self.ways, self.line)
    }
}

/// The caches that are simulated.
///
/// ```
/// use fencepost::cachegrind::Caches;
/// assert_eq!(Caches::default().to_string(), "I1=32768,8,64 D1=32768,8,64 LL=8388608,16,64");
/// let small: Caches = "D1=16384,4,64".parse()?;
/// assert_eq!(small.d1.bytes, 16384);
/// # Ok::<(), fencepost::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caches {
    /// Of instructions, first level.
    pub i1: CacheSize,
    /// Of data, first level.
    pub d1: CacheSize,
    /// The last level.
    pub ll: CacheSize,
}

impl Default for Caches {
    /// Those that iai takes, too.
    fn default() -> Self {
        let first = CacheSize { bytes: 32768, ways: 8, line: 64 };
        Self { i1: first, d1: first, ll: CacheSize { bytes: 8 << 20, ways: 16, line: 64 } }
    }
}

impl fmt::Display for Caches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "I1={} D1={} LL={}", self.i1, self.d1, self.ll)
    }
}

impl FromStr for Caches {
    type Err = Error;

    /// `I1=32768,8,64`, and the same of `D1` and `LL`, separated by spaces or semicolons; what is not named stays as it is.
    fn from_str(text: &str) -> Result<Self> {
        let refused = |why: String| {
            Error::new(ErrorKind::Usage, format!("\"{}\" names no caches", brief(text)))
                .because(why)
                .remedy("write for example D1=32768,8,64: size in bytes, ways, line size in bytes; or host")
        };
        let mut caches = Self::default();
        let mut parts = text.split([' ', ';']).filter(|part| !part.is_empty()).peekable();
        if parts.peek().is_none() {
            return Err(refused("it is empty".to_owned()));
        }
        for part in parts {
            let (name, size) =
                part.split_once('=').ok_or_else(|| refused(format!("\"{}\" has no =", brief(part))))?;
            let numbers: Vec<u64> = size.split(',').filter_map(|number| number.parse().ok()).collect();
            let [bytes, ways, line] = numbers[..] else {
                return Err(refused(format!("\"{}\" is not three numbers", brief(size))));
            };
            let size = simulable(bytes, ways, line).ok_or_else(|| {
                refused(format!(
                    "{bytes} bytes in {ways} ways of {line}-byte lines cannot be simulated: the number of sets and the line \
                     have to be powers of two, the line at least 16 bytes"
                ))
            })?;
            match name {
                "I1" => caches.i1 = size,
                "D1" => caches.d1 = size,
                "LL" => caches.ll = size,
                other => return Err(refused(format!("\"{}\" is not I1, D1 or LL", brief(other)))),
            }
        }
        Ok(caches)
    }
}

/// A cache as Valgrind takes one.
fn simulable(bytes: u64, ways: u64, line: u64) -> Option<CacheSize> {
    let set = ways.checked_mul(line).filter(|set| *set > 0)?;
    let sets = bytes / set;
    let whole = bytes.is_multiple_of(set) && sets.is_power_of_two() && line.is_power_of_two();
    (whole && line >= 16 && bytes <= 1 << 30).then_some(CacheSize { bytes, ways, line })
}

impl CacheSize {
    /// The nearest that can be simulated to a real cache: where its number of sets is no power of two, there are fewer sets and as
    /// many more ways. `None` where there is none.
    pub(crate) fn nearest(bytes: u64, ways: u64, line: u64) -> Option<Self> {
        let sets = bytes.checked_div(ways.checked_mul(line)?)?;
        let sets = 1u64 << sets.checked_ilog2()?;
        let ways = if sets * ways * line == bytes { ways } else { bytes / (sets * line) };
        simulable(sets.checked_mul(ways.checked_mul(line)?)?, ways, line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_that_cannot_be_simulated_are_refused() {
        for (text, why) in [
            ("", "empty"),
            ("D1", "no ="),
            ("D1=1,2", "three numbers"),
            ("L1=32768,8,64", "not I1"),
            ("D1=32768,8,63", "powers of two"),
            ("D1=32769,8,64", "powers of two"),
            ("D1=0,0,0", "powers of two"),
            ("D1=18446744073709551615,18446744073709551615,64", "powers of two"),
        ] {
            let error = text.parse::<Caches>().unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn odd_caches_are_simulated_as_near_as_can_be() {
        let nearest = CacheSize::nearest;
        assert_eq!(nearest(32768, 8, 64), Some(CacheSize { bytes: 32768, ways: 8, line: 64 }));
        assert_eq!(nearest(48 << 20, 12, 64), Some(CacheSize { bytes: 48 << 20, ways: 12, line: 64 }));
        assert_eq!(nearest(48 << 10, 8, 64), Some(CacheSize { bytes: 48 << 10, ways: 12, line: 64 }));
        assert_eq!(nearest(0, 8, 64), None);
        assert_eq!(nearest(100, 0, 0), None);
    }
}
