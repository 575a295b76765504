//! Are baselines never lost, and do comparisons claim no more than they may?
#![cfg(feature = "suite")]

use fencepost::record::{
    BenchmarkResult, Build, Calibration, CycleEstimate, Estimate, Kind, Machine, Record, Scalar, Verdict,
};

mod common;
#[path = "baseline/compared.rs"]
mod compared;
#[path = "baseline/shown.rs"]
mod shown;
#[path = "baseline/stored.rs"]
mod stored;

/// A run on some machine with these results.
fn run(results: Vec<BenchmarkResult>) -> Record {
    Record {
        complete: true,
        build: Build {
            fencepost: "0.1.0".into(),
            target: "x86_64-unknown-linux-gnu".into(),
            rustc: "rustc 1.88.0".into(),
            profile: "release".into(),
            opt_level: "3".into(),
            flags: String::new(),
            target_features: "fxsr,sse,sse2".into(),
        },
        machine: Machine {
            vendor: "AuthenticAMD".into(),
            microarchitecture: Some("Zen 3".into()),
            kernel: "6.1.0".into(),
            ..Default::default()
        },
        calibration: Calibration { cycle_source: Some("clock ruler".into()), ..Default::default() },
        settings: [
            ("target_percentile".to_owned(), Scalar::from(50.0)),
            ("mode".to_owned(), Scalar::from("adaptive")),
        ]
        .into(),
        results,
        ..Default::default()
    }
}

/// A converged latency with an interval of this many per cent to both sides.
fn cost(id: &str, cycles: f64, half_width_pct: f64) -> BenchmarkResult {
    let (down, up) = (1.0 - half_width_pct / 100.0, 1.0 + half_width_pct / 100.0);
    BenchmarkResult {
        id: id.into(),
        kind: Kind::Latency,
        verdict: Verdict::Converged,
        cycles: Some(CycleEstimate {
            estimate: cycles,
            lo: cycles * down,
            hi: cycles * up,
            ..Default::default()
        }),
        ticks: Estimate {
            estimate: cycles * 0.8,
            lo: Some(cycles * 0.8 * down),
            hi: Some(cycles * 0.8 * up),
        },
        ns: Some(Estimate {
            estimate: cycles / 3.0,
            lo: Some(cycles / 3.0 * down),
            hi: Some(cycles / 3.0 * up),
        }),
        ..Default::default()
    }
}
