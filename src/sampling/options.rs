//! When is a result done? The options of the adaptive rule, checked before anything is measured.

use crate::error::{Error, ErrorKind, Result};

/// Target, minimums, limits and seed. The options are those of Folly's adaptive benchmark mode and mean the same.
///
/// Two defaults differ from Folly's, because samples here are gated by what stands beside them (see [`Options::folly`]):
/// the percentile is the median, since on clean samples a lower one is a bias and no protection, and slices are of 10
/// microseconds, so that one fits between two interrupts and into a quiet moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The percentile of the samples that is reported, 0 to 100.
    pub target_percentile: f64,
    /// A result is precise when its 95 % interval is no wider than this share of it, in per cent.
    pub target_precision_pct: f64,
    /// Fewer clean samples (of each slice length) than this are never enough.
    pub min_samples: usize,
    /// Each benchmark is measured for this long at least, in seconds.
    pub min_secs: f64,
    /// Each benchmark is given up after this long, in seconds.
    pub max_secs: f64,
    /// How long the shorter slice takes, in microseconds.
    pub slice_usec: f64,
    /// Decides the order of slices; recorded with the results.
    pub seed: u64,
    /// Report the least sample instead of a percentile, after the minimums are met (best-of mode).
    pub best_of: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            target_percentile: 50.0,
            target_precision_pct: 0.4,
            min_samples: 20,
            min_secs: 0.1,
            max_secs: 1.0,
            slice_usec: 10.0,
            seed: 1,
            best_of: false,
        }
    }
}

impl Options {
    /// Folly's own defaults: percentile 33.3, 0.4 %, 20 samples, 0.1 s to 1 s, slices of 1 ms.
    pub fn folly() -> Self {
        Self { target_percentile: 33.3, slice_usec: 1000.0, ..Self::default() }
    }

    /// Whether these options can be met.
    ///
    /// # Errors
    ///
    /// `Usage`, with the option and its value, for a percentile outside of 0 to 100, a precision, slice or sample count of 0
    /// or less, times that are negative or not finite, and a minimum above its maximum.
    ///
    /// ```
    /// use fencepost::sampling::Options;
    /// let error = Options { target_precision_pct: 0.0, ..Options::default() }.validate().unwrap_err();
    /// assert!(error.to_string().starts_with("target precision is 0 %"));
    /// ```
    pub fn validate(&self) -> Result<()> {
        let wrong = |what: String| Error::new(ErrorKind::Usage, what);
        if !(0.0..=100.0).contains(&self.target_percentile) {
            return Err(wrong(format!("target percentile is {}", self.target_percentile))
                .because("a percentile is a share of the samples")
                .remedy("give one from 0 to 100, for example 50"));
        }
        if !(self.target_precision_pct > 0.0 && self.target_precision_pct.is_finite()) {
            return Err(wrong(format!("target precision is {} %", self.target_precision_pct))
                .because("no interval is ever that narrow, so no result would be done")
                .remedy("give a precision above 0, for example 0.4"));
        }
        if self.min_samples == 0 {
            return Err(wrong("minimum of samples is 0".to_owned())
                .because("nothing can be said of no samples")
                .remedy("give at least 1; below 20 the intervals are rough"));
        }
        for (name, secs) in [("minimum", self.min_secs), ("maximum", self.max_secs)] {
            if !(secs >= 0.0 && secs.is_finite()) {
                return Err(wrong(format!("{name} time is {secs} s"))
                    .because("a time limit must be a finite span")
                    .remedy("give seconds of 0 or more, for example 1"));
            }
        }
        if self.max_secs <= 0.0 {
            return Err(wrong(format!("maximum time is {} s", self.max_secs))
                .because("nothing can be measured in no time")
                .remedy("give a maximum above 0, for example 1"));
        }
        if self.min_secs > self.max_secs {
            return Err(wrong(format!(
                "minimum time is {} s and maximum time is {} s",
                self.min_secs, self.max_secs
            ))
            .because("each benchmark would be given up before its minimum is reached")
            .remedy("raise the maximum or lower the minimum"));
        }
        if !(self.slice_usec > 0.0 && self.slice_usec <= 1e6) {
            return Err(wrong(format!("slice length is {} microseconds", self.slice_usec))
                .because("a slice has to hold at least one reading and fit into the run")
                .remedy("give a length above 0 and up to 1000000, for example 10"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(options: Options, words: &str) {
        let error = options.validate().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert!(error.to_string().contains(words), "{error} lacks {words:?}");
    }

    #[test]
    fn the_defaults_can_be_met() {
        Options::default().validate().unwrap();
        Options::folly().validate().unwrap();
        let folly = Options::folly();
        assert_eq!((folly.target_percentile, folly.target_precision_pct), (33.3, 0.4));
        assert_eq!((folly.min_samples, folly.min_secs, folly.max_secs), (20, 0.1, 1.0));
    }

    #[test]
    fn what_cannot_be_met_is_refused_with_its_value() {
        let default = Options::default;
        refused(Options { target_percentile: 101.0, ..default() }, "target percentile is 101");
        refused(Options { target_percentile: f64::NAN, ..default() }, "target percentile is NaN");
        refused(Options { target_precision_pct: -1.0, ..default() }, "target precision is -1 %");
        refused(Options { target_precision_pct: f64::INFINITY, ..default() }, "target precision is inf %");
        refused(Options { min_samples: 0, ..default() }, "minimum of samples is 0");
        refused(Options { min_secs: -0.1, ..default() }, "minimum time is -0.1 s");
        refused(Options { max_secs: f64::NAN, ..default() }, "maximum time is NaN s");
        refused(Options { min_secs: 0.0, max_secs: 0.0, ..default() }, "maximum time is 0 s");
        refused(
            Options { min_secs: 3.0, max_secs: 2.0, ..default() },
            "minimum time is 3 s and maximum time is 2 s",
        );
        refused(Options { slice_usec: 0.0, ..default() }, "slice length is 0 microseconds");
        refused(Options { slice_usec: 1e12, ..default() }, "slice length is 1000000000000");
    }
}
