//! What do these samples say? Pure functions over numbers: quantiles and their intervals, stability, shape.
//!
//! Nothing here knows of clocks or machines, and nothing keeps state. Samples are `f64` in whatever unit the caller has;
//! results are in the same unit. None may be NaN, and functions that need some samples say how many.

#![forbid(unsafe_code)]

mod chance;
mod headline;
mod interval;
mod nearest;
mod paired;
mod quantile;
mod series;
mod shape;
mod slices;
mod stability;

pub use chance::{chance, least_chance};
pub use interval::{
    Interval, Z95, difference, effective_count, percentile_interval, percentile_interval_for,
};
pub use nearest::nearest_sample;
pub use paired::{Grade, PairedRatio, Shift, Threshold, paired_ratio, shift};
pub use quantile::{Sorted, geometric_mean_of_middle, least, median_absolute_deviation, percentile};
pub use series::{SeriesSpread, Wide, series_spread};
pub use shape::{Modes, Spread, Trend, bimodality, spread, trend};
pub use slices::recalibrate;
pub use stability::{Drift, SplitHalf, drift_between_halves, precision_budget, split_half};
