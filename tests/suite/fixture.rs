//! A suite for `tests/suite.rs` to run: with FENCEPOST_FIXTURE it is a large one, a wrong one, or one that panics.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering};

/// How often the inputs of a benchmark were made, told at the end.
static MADE: AtomicU32 = AtomicU32::new(0);

fn main() -> ExitCode {
    let fixture = std::env::var("FENCEPOST_FIXTURE").unwrap_or_default();
    let code = suite(&fixture);
    if fixture == "large" {
        let _ = writeln!(std::io::stderr(), "inputs made: {}", MADE.load(Ordering::Relaxed));
    }
    code
}

fn suite(fixture: &str) -> ExitCode {
    fencepost::suite(|s| match fixture {
        "large" => {
            for number in 0..1000u64 {
                // Allocated 1,000 times these would be 8 GB.
                let inputs = || {
                    MADE.fetch_add(1, Ordering::Relaxed);
                    vec![1u64; 1 << 20]
                };
                s.throughput(format!("large/{number}"), inputs, |x| x + 1);
            }
        }
        "small" => {
            for number in 0..1000u64 {
                s.kernel(format!("small/{number}"), move |x: u64| x.wrapping_mul(number | 3)).latency(1);
            }
        }
        "twice" => {
            s.latency("twice", 1u64, |x| x);
            s.latency("twice", 2u64, |x| x);
        }
        "panics" => {
            s.latency("sound/before", 1u64, |x| x.wrapping_mul(3));
            s.routine("panics", || (), |()| assert!(std::process::id() == 0, "by intent"));
            s.latency("sound/after", 1u64, |x| x.wrapping_mul(5));
        }
        "endless" => {
            // Each call leaves a byte, by which it is known from outside how far the run is.
            let path = std::env::var("FENCEPOST_FIXTURE_FILE").unwrap_or_default();
            let mut calls =
                OpenOptions::new().create(true).append(true).open(path).expect("a file for calls");
            s.routine(
                "sleeps",
                || (),
                move |()| {
                    calls.write_all(b".").expect("a byte");
                    std::thread::sleep(std::time::Duration::from_millis(20));
                },
            );
            s.latency("multiply", 1u64, |x| x.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        }
        "compared" => {
            s.compare("agree")
                .candidate("divide", |x: u64| x / 2)
                .candidate("shift", |x| x >> 1)
                .candidate("multiply", |x| (u128::from(x) * (1 << 63) >> 64) as u64)
                .inputs(|| (0..500).map(|x: u64| x.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect());
            s.compare_latency("chain")
                .candidate("one", |x: u64| x.wrapping_mul(0x9e37_79b9_7f4a_7c15))
                .candidate("two", |x| x.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(64))
                .seed(42);
        }
        "disagreeing" => {
            s.compare("average")
                .candidate("wide", |(a, b): (u32, u32)| ((u64::from(a) + u64::from(b)) / 2) as u32)
                .candidate("wraps", |(a, b)| a.wrapping_add(b) / 2)
                .inputs(vec![(0, 0), (7, 9), (u32::MAX, 1)]);
            s.compare("close")
                .candidate("one", |x: f64| x * 0.1)
                .candidate("other", |x| x / 10.0)
                .agree_by(|one, other| (one - other).abs() <= 1e-12 * one.abs())
                .inputs([1.0, 3.0, 1e9]);
            s.compare("different")
                .candidate("up", |x: u64| x + 1)
                .candidate("down", |x| x / 3)
                .unchecked()
                .inputs([7]);
        }
        "alone" => {
            s.compare("alone").candidate("only", |x: u64| x).inputs([7]);
        }
        "slow" | "quick" => {
            let mix = |x: u64| x.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            if fixture == "slow" {
                s.latency("chain", 42u64, move |x| mix(mix(mix(x) ^ x) ^ x));
            } else {
                s.latency("chain", 42u64, move |x| mix(x) | 1);
            }
            s.latency("other", 43u64, mix).limit("<=1000cyc");
        }
        _ => {
            let mix = |x: u64| (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
            s.kernel("mix", mix).latency(42).throughput(|| (0..1000).collect());
            s.relative("group", |s| {
                s.latency("one", 1u64, |x| x.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                s.latency("two", 1u64, |x| {
                    x.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xff51_afd7_ed55_8ccd) ^ (x >> 3)
                });
            });
            s.sweep("sum", [16, 64], |n| vec![1u64; n], |v| v.iter().sum::<u64>()).elements_by(|n| *n as u64);
            s.routine("=cmd,routine", || vec![3u32, 1, 2], |v| v).counter("answer", || 42.0);
        }
    })
}
