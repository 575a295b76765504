//! What do these samples say? Pure functions over numbers: quantiles and their intervals, stability, shape.
//!
//! Nothing here knows of clocks or machines, and nothing keeps state. Samples are `f64` in whatever unit the caller has;
//! results are in the same unit. None may be NaN, and functions that need some samples say how many.

mod interval;
mod quantile;
mod shape;
mod slices;
mod stability;

pub use interval::{
    Interval, Z95, difference, effective_count, percentile_interval, percentile_interval_for,
};
pub use quantile::{Sorted, geometric_mean_of_middle, least, percentile};
pub use shape::{Modes, Spread, Trend, bimodality, spread, trend};
pub use slices::recalibrate;
pub use stability::{Drift, SplitHalf, drift_between_halves, precision_budget, split_half};
