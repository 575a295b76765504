//! How do samples fit a record? As a few lines of text a benchmark, thinned out where there are many.

use std::fmt::Write as _;

/// More samples than this are thinned out evenly: a plot shows no more.
const MOST: usize = 1000;

record! {
    /// Samples in order of time, a value for each in every field.
    ///
    /// Numbers are separated by spaces: as arrays they would take three times the room and a line each.
    pub struct Trace {
        /// Of so many samples each one is kept.
        pub every: u64,
        /// Trust labels, a letter a sample: `c` clean, `b` contended (the sibling was busy), `d` drifted, `i` interrupted, `m` migrated.
        pub labels: String,
        /// `1` for a slice of `slice_iterations` and `2` for one of twice as many.
        pub arms: String,
        /// Core cycles of the whole slice.
        pub cycles: String,
        /// The slower of the two gauges beside it, in core cycles.
        pub gauges: String,
        /// Ticks a core cycle beside it.
        pub rates: String,
    }
}

/// One sample of a [`Trace`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TracePoint {
    /// Trust label, as [`Trace::labels`] has it.
    pub label: char,
    /// A slice of twice the iterations.
    pub long: bool,
    /// Core cycles of the whole slice.
    pub cycles: f64,
    /// The slower of the two gauges beside it, in core cycles.
    pub gauge: f64,
    /// Ticks a core cycle beside it.
    pub rate: f64,
}

impl Trace {
    /// These samples, thinned out to a thousand.
    ///
    /// ```
    /// use fencepost::record::{Trace, TracePoint};
    /// let point = TracePoint { label: 'c', long: true, cycles: 30000.28, gauge: 6001.0, rate: 0.8 };
    /// let trace = Trace::new(&[point; 2500]);
    /// assert_eq!((trace.every, trace.points().len()), (3, 834));
    /// assert_eq!(trace.points()[0], TracePoint { cycles: 30000.3, ..point });
    /// ```
    pub fn new(points: &[TracePoint]) -> Self {
        let every = points.len().div_ceil(MOST).max(1);
        let mut trace = Self { every: every as u64, ..Self::default() };
        for point in points.iter().step_by(every) {
            trace.labels.push(point.label);
            trace.arms.push(if point.long { '2' } else { '1' });
            // Writing to a string does not fail.
            let _ = write!(trace.cycles, "{:.1} ", point.cycles);
            let _ = write!(trace.gauges, "{:.0} ", point.gauge);
            let _ = write!(trace.rates, "{:.4} ", point.rate);
        }
        for text in [&mut trace.cycles, &mut trace.gauges, &mut trace.rates] {
            text.truncate(text.trim_end().len());
        }
        trace
    }

    /// The samples. Where the fields are of different length, as many as the shortest has; what is no number reads as NaN.
    pub fn points(&self) -> Vec<TracePoint> {
        fn numbers(text: &str) -> impl Iterator<Item = f64> {
            text.split_ascii_whitespace().map(|one| one.parse().unwrap_or(f64::NAN))
        }
        let letters = self.labels.chars().zip(self.arms.chars());
        let values = numbers(&self.cycles).zip(numbers(&self.gauges)).zip(numbers(&self.rates));
        letters
            .zip(values)
            .map(|((label, arm), ((cycles, gauge), rate))| TracePoint {
                label,
                long: arm == '2',
                cycles,
                gauge,
                rate,
            })
            .collect()
    }
}
