//! A suite for `tests/suite.rs` to run: with FENCEPOST_FIXTURE it is a large one, a wrong one, or one that panics.

use std::process::ExitCode;

fn main() -> ExitCode {
    let fixture = std::env::var("FENCEPOST_FIXTURE").unwrap_or_default();
    fencepost::suite(|s| match fixture.as_str() {
        "large" => {
            for number in 0..1000u64 {
                // Allocated 1,000 times these would be 8 GB.
                s.throughput(format!("large/{number}"), || vec![1u64; 1 << 20], |x| x + 1);
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
            s.routine("sleeps", || (), |()| std::thread::sleep(std::time::Duration::from_millis(20)));
            s.latency("multiply", 1u64, |x| x.wrapping_mul(0x9e37_79b9_7f4a_7c15));
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
