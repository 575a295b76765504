//! Which working sets does a ladder have, and how long may each take?

use super::pages::PageSize;
use crate::error::{Error, ErrorKind, Result};
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

#[cfg(test)]
mod tests {
    use super::*;

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
