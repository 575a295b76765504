//! How often is a comparison right? Counts it: a function against itself, and against itself with one more dependent addition in
//! a chain of 50, each run in a process of its own at default settings.
//!
//! `cargo bench --bench comparisons -- [RUNS] [--busy]`: 200 runs were asked for when this was designed; 10 unless told. `--busy` keeps
//! another process computing on every core meanwhile. Exit status 3 where fewer than 98 % of the like are found alike, or
//! fewer than 95 % of the differences are found with the right sign and an interval that covers 1.02.

mod common;

use std::process::ExitCode;

use common::Asked;
use fencepost::harness::WorkingSet;
use fencepost::lab::Benchmark;
use fencepost::record::{Difference, Versus};
use fencepost::sampling::Continue;
use fencepost::{Lab, barrier};

/// One addition, opaque, so that several are not summed up.
#[inline(always)]
fn add(x: u64) -> u64 {
    barrier(x.wrapping_add(0x9e37_79b9_7f4a_7c15))
}

/// Ten additions, each waiting for the one before it: written out, since the end of a loop so short is not always foreseen.
#[inline(always)]
fn ten(x: u64) -> u64 {
    add(add(add(add(add(add(add(add(add(add(x))))))))))
}

fn fifty(x: u64) -> u64 {
    ten(ten(ten(ten(ten(x)))))
}

fn fifty_one(x: u64) -> u64 {
    add(fifty(x))
}

fn bit_mix(mut x: u64) -> u64 {
    x ^= x >> 33;
    x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^= x >> 33;
    x = x.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

fn random(count: usize) -> Vec<u64> {
    let mut random = oorandom::Rand64::new(7);
    (0..count).map(|_| random.rand_u64()).collect()
}

fn pair<'a>(lab: &mut Lab, mut one: Benchmark<'a>, mut other: Benchmark<'a>) -> fencepost::Result<Versus> {
    let mut found = lab.compare(&mut [&mut one, &mut other], &mut |_| Continue::Yes)?;
    Ok(found.remove(0))
}

/// One run: a line for each comparison.
fn once() -> fencepost::Result<()> {
    let mut lab = Lab::new()?;
    let chain = |name: &str| Benchmark::latency(name, 42u64, fifty);
    // As a suite does it: the candidates of a comparison go through the same memory.
    let (numbers, values) = (WorkingSet::new(&random(1024)), WorkingSet::new(&[random(512)]));
    let mix = |name: &str| Benchmark::throughput_over(name, &numbers, |x| bit_mix(*x));
    let sum = |name: &str| Benchmark::throughput_over(name, &values, |v| v.iter().fold(0, |a: u64, b| a ^ b));
    for (name, found) in [
        ("chain A/A", pair(&mut lab, chain("a"), chain("b"))?),
        ("throughput A/A", pair(&mut lab, mix("a")?, mix("b")?)?),
        ("sum A/A", pair(&mut lab, sum("a")?, sum("b")?)?),
        ("chain A/B", pair(&mut lab, chain("a"), Benchmark::latency("b", 42u64, fifty_one))?),
    ] {
        println!(
            "{name},{},{},{},{},{},{}",
            found.difference.as_str(),
            found.ratio,
            found.lo,
            found.hi,
            found.clean,
            found.blocks
        );
    }
    Ok(())
}

#[derive(Default)]
struct Tally {
    runs: u32,
    right: u32,
    contended: u32,
    ratios: Vec<f64>,
    widest: f64,
    wrong: Vec<String>,
}

fn main() -> ExitCode {
    let asked = match Asked::new(once) {
        Ok(asked) => asked,
        Err(status) => return status,
    };
    let runs = asked.runs(10);
    let _neighbours = asked.has("--busy").then(|| asked.neighbours());

    let names = ["chain A/A", "throughput A/A", "sum A/A", "chain A/B"];
    let mut tallies: Vec<Tally> = names.iter().map(|_| Tally::default()).collect();
    for _ in 0..runs {
        let printed = match asked.run() {
            Ok(printed) => printed,
            Err(status) => return status,
        };
        for line in printed.lines() {
            let cells: Vec<&str> = line.split(',').collect();
            let Some(at) = names.iter().position(|name| Some(name) == cells.first()) else { continue };
            let number = |at: usize| cells.get(at).and_then(|cell| cell.parse().ok()).unwrap_or(f64::NAN);
            let (ratio, lo, hi) = (number(2), number(3), number(4));
            let wanted = if at == 3 { Difference::Slower } else { Difference::None };
            let right = cells[1] == wanted.as_str() && (at != 3 || (lo <= 1.02 && 1.02 <= hi));
            let tally = &mut tallies[at];
            tally.runs += 1;
            tally.right += u32::from(right);
            tally.contended += u32::from(cells[5] == "false");
            tally.ratios.push(ratio);
            tally.widest = tally.widest.max(hi - lo);
            if !right {
                tally.wrong.push(line.to_owned());
            }
        }
    }
    println!(
        "{:16} {:>6} {:>9} {:>10} {:>10} {:>10}",
        "comparison", "right", "contended", "least", "greatest", "widest"
    );
    let mut short = false;
    for (at, (name, tally)) in names.iter().zip(&tallies).enumerate() {
        let least = tally.ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = tally.ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        println!(
            "{name:16} {:>6} {:>9} {least:>10.5} {greatest:>10.5} {:>10.5}",
            format!("{}/{}", tally.right, tally.runs),
            tally.contended,
            tally.widest
        );
        for line in &tally.wrong {
            println!("  {line}");
        }
        let needed = if at == 3 { 0.95 } else { 0.98 };
        short |= f64::from(tally.right) < needed * f64::from(tally.runs);
    }
    // A few runs are no rate.
    if short && runs >= 50 { ExitCode::from(3) } else { ExitCode::SUCCESS }
}
