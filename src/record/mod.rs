//! What is saved and shown? The result model, its JSON schema `fencepost/1` and its text rendering.
//!
//! A [`Record`] is one run: what was built, on which machine, how it was calibrated and what came out. It
//! is written with [`Record::to_json`] or [`Record::write_atomically`], read back with
//! [`Record::from_json`], and shown with [`text::render`]. Every field is described in `docs/schema.md`.
//!
//! Numbers are bare `f64` here because the record is the border to JSON: the unit is part of the field's
//! name (`tsc_hz`, `elapsed_secs`) or of the object that holds it (`cycles`, `ticks`, `ns`).

#[macro_use]
mod declare;

mod build;
mod cost;
mod digits;
mod inert;
mod json;
mod ladder;
mod model;
mod named;
mod read;
mod save;
mod scalar;
mod sentence;
mod table;
pub mod text;
mod trace;
mod words;

pub use json::SCHEMA;
pub use ladder::{Bandwidth, Border, Rung, ToldCache};
pub use model::{
    BenchmarkResult, Build, Cache, Calibration, Counts, CycleEstimate, Decoded, Estimate, Finding, FirstCall,
    Machine, Modes, PlacedSides, Placement, Placements, Prediction, Record, Resources, Ruler, Samples,
    Versus,
};
pub use named::Named;
pub use scalar::Scalar;
pub use sentence::{cost, cost_in_ns, line, overlap, sentence};
pub use trace::{Trace, TracePoint};
pub use words::{Barrier, CacheKind, Difference, Kind, PredictionVerdict, Schema, Severity, Verdict};

#[cfg(feature = "suite")]
pub(crate) use {
    cost::{Claim, Cost, Unit},
    digits::{Rounding, last_place, rounded, significant},
    inert::{columns, elide, inert, wrap},
    read::shown as brief,
    save::write_text,
    table::Table,
};
