//! A suite for `tests/explored.rs` to run; FENCEPOST_FIXTURE says which. Costs are chains of known length, so that what is to be found is
//! known, and working sets are what the inputs claim, so that no size takes long.

use std::process::ExitCode;

use fencepost::barrier;
use fencepost::error::{Error, ErrorKind};
use fencepost::explore::Weighed;
use fencepost::lab::Benchmark;
use fencepost::suite::Suite;

/// So many dependent multiplications by an odd number.
fn chain(links: u64, mut x: u64) -> u64 {
    for _ in 0..links {
        x = barrier(x.wrapping_mul(barrier(0x9e37_79b9_7f4a_7c15)));
    }
    x
}

/// An input that claims to be so many elements of 8 bytes.
fn claims(elements: u64) -> Weighed<u64> {
    Weighed { value: elements, bytes: 8 * elements }
}

/// The first is in the nearest cache of every CPU, the last in none.
const SIZES: [u64; 4] = [1 << 8, 1 << 10, 1 << 20, 1 << 40];

fn sweeps(s: &mut Suite<'_>) {
    // Registered largest first; sizes are sorted and given once.
    let turned = SIZES.into_iter().rev().chain([1 << 10]);
    s.sweep_pair(
        "twice",
        turned,
        claims,
        ("plain", |_: &Weighed<u64>| chain(300, 7)),
        ("worked", |_| chain(600, 7)),
    );
    s.group("inside", |s| {
        s.sweep_pair(
            "waits",
            SIZES,
            claims,
            ("near", |_: &Weighed<u64>| chain(300, 7)),
            ("far", |of| chain(if of.value > 1 << 16 { 1500 } else { 300 }, 7)),
        );
    });
    s.sweep("single", [4u64, 8], |n| n, |n| chain(*n, 7)).elements_by(|n| *n).bytes_by(|n| 8 * *n);
    s.sweep("unweighed", [4u64, 8], |n| n, |n| chain(*n, 7));
}

/// In links: 45 and 35, and an interaction of 30.
fn factors(s: &mut Suite<'_>) {
    s.factors("links").factor("row", [0usize, 1]).factor("column", ["left", "right"]).measure(
        |row, column| {
            let links = [[20, 40], [50, 100]][row][usize::from(column == "right")];
            Ok(Benchmark::latency("replaced", 1u64, move |x| chain(links, x)))
        },
    );
}

fn main() -> ExitCode {
    let fixture = std::env::var("FENCEPOST_FIXTURE").unwrap_or_default();
    fencepost::suite(|s| match fixture.as_str() {
        "sweeps" => sweeps(s),
        "factors" => factors(s),
        "diagonal" => {
            s.factors("corner")
                .factor("row", [0, 1])
                .factor("column", [0, 1])
                .without(&[0, 1])
                .without(&[1, 0])
                .measure(|row, column| {
                    Ok(Benchmark::latency("", 1u64, move |x| chain(10 + row + column, x)))
                });
        }
        "one fails" => {
            s.factors("links").factor("row", [1u64, 2]).factor("column", [1u64, 2]).measure(|row, column| {
                if row * column == 4 {
                    return Err(Error::new(ErrorKind::Input, "no such pair").remedy("leave it out"));
                }
                Ok(Benchmark::latency("", 1u64, move |x| chain(10 * row * column, x)))
            });
        }
        "idle" => {
            s.factors("forgotten");
            s.latency("other", 1u64, |x| x);
        }
        "idle at the end" => drop(s.factors("forgotten").factor("row", [1, 2])),
        "no levels" => {
            s.factors("none")
                .factor("row", [0u64; 0])
                .measure(|links| Ok(Benchmark::latency("", 1u64, move |x| chain(links, x))));
        }
        "alike" => {
            s.factors("alike")
                .factor("row", ["same", "same"])
                .measure(|_| Ok(Benchmark::latency("", 1u64, |x| x)));
        }
        "no elements" => {
            s.sweep_pair("empty", [0, 8], claims, ("one", |_: &Weighed<u64>| 1), ("two", |_| 2));
        }
        "no sizes" => {
            s.sweep_pair("empty", [], claims, ("one", |_: &Weighed<u64>| 1), ("two", |_| 2));
        }
        // A mapping of 1 MiB is fresh at each call: 256 pages.
        "faults" => {
            s.routine(
                "fresh",
                || (),
                |()| {
                    let mut fresh = barrier(vec![0u8; 1 << 20]);
                    fresh.iter_mut().step_by(4096).for_each(|byte| *byte = barrier(1));
                    fresh
                },
            );
            s.latency("chain", 1u64, |x| chain(100, x));
        }
        _ => {
            sweeps(s);
            factors(s);
        }
    })
}
