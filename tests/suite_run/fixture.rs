//! A suite for `tests/suite_run.rs` to run; FENCEPOST_FIXTURE says which.

use std::process::ExitCode;

use fencepost::barrier;
use fencepost::suite::Suite;

#[global_allocator]
static GLOBAL: fencepost::alloc::Counting = fencepost::alloc::Counting::new();

fn mix(x: u64) -> u64 {
    (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd)
}

/// A chain through all elements.
fn chain(values: &[u64]) -> u64 {
    values.iter().fold(1, |all, value| barrier((all ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

fn register(s: &mut Suite<'_>, number: usize) {
    match number {
        0 => drop(s.latency("mix", 42u64, mix)),
        1 => drop(s.latency("mix twice", 42u64, |x| mix(mix(x)))),
        2 => drop(s.latency("square root", 2.5f64, |x| x.sqrt() + 1.0)),
        3 => drop(s.throughput("division", || (1..500u64).collect(), |x| barrier(u64::MAX) / x)),
        4 => drop(s.routine(
            "sort",
            || (0..64u32).rev().collect::<Vec<_>>(),
            |mut list| {
                list.sort_unstable();
                list
            },
        )),
        _ => drop(s.latency("add", 1.5f64, |x| x + 0.25)),
    }
}

fn main() -> ExitCode {
    let fixture = std::env::var("FENCEPOST_FIXTURE").unwrap_or_default();
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(1u64);
    fencepost::suite(|s| match fixture.as_str() {
        "order" => (0..6).for_each(|number| register(s, number)),
        "reversed" => (0..6).rev().for_each(|number| register(s, number)),
        "elements" => {
            s.sweep("chain", [1000u64, 2000], |n| (0..n).collect::<Vec<u64>>(), |list| chain(list))
                .elements_by(|n| *n);
        }
        "allocates" => {
            s.routine("nothing", || (), |()| 3);
            s.routine("in setup alone", || vec![1u8; 100], |list| list);
            s.routine("one", || (), |()| Box::new([1u64; 4]));
            s.routine(
                "grows",
                || (),
                |()| {
                    let mut list: Vec<u8> = barrier(Vec::with_capacity(10));
                    list.reserve_exact(barrier(20));
                    list
                },
            );
            s.latency("chain", 1u64, |x| x + *barrier(Box::new(3u64)));
            s.throughput(
                "every second",
                || (0..64u64).collect(),
                |x| (x % 2 == 0).then(|| barrier(Box::new(*x))),
            );
            s.routine(
                "in threads",
                || (),
                |()| std::thread::spawn(|| barrier(vec![1u8; 1 << 20])).join().map(|list| list.len()).ok(),
            );
        }
        "many" => {
            for at in 0..number("FENCEPOST_FIXTURE_COUNT") {
                s.latency(format!("many/{at}"), 1u64, move |x| x.wrapping_mul(at | 3));
            }
        }
        "fails once" => {
            s.routine(
                "fails once",
                || (),
                |()| {
                    let file = std::env::var("FENCEPOST_FIXTURE_FILE").unwrap_or_default();
                    if std::fs::OpenOptions::new().write(true).create_new(true).open(file).is_ok() {
                        std::process::abort();
                    }
                },
            );
            s.latency("mix", 42u64, mix);
        }
        "panics" => {
            s.routine("panics", || (), |()| assert!(std::process::id() == 0, "by intent"));
            s.latency("mix", 42u64, mix);
        }
        _ => {
            s.latency("mix", 42u64, mix);
        }
    })
}
