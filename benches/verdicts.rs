//! How often is a known cause found, and how near does a known effect come? Counts it, each run in a process of its own: two sums over
//! 1 KiB to 64 MiB, one with extra arithmetic and one with a stride, and a 2x2 experiment of chains of known length.
//!
//! `cargo bench --features explore --bench verdicts -- [RUNS]`: 20 runs were asked for when this was designed; 3 unless told, of 8 s
//! each. Exit status 3 where a verdict is another one, or an effect is off by more than 2 % in a run that had its core to itself.

use std::process::ExitCode;

use fencepost::explore::{Factors, Sweep, Swept};
use fencepost::lab::Benchmark;
use fencepost::sampling::Options;
use fencepost::{Lab, Result};

mod common;
#[path = "../tests/explore/known.rs"]
mod known;

use common::Asked;
use known::{EFFECTS, LINK, LINKS, chain, plain, strided, worked};

const WANTED: [(&str, &str); 2] = [("worked", "instructions"), ("strided", "cache")];
/// An effect may be off by so many per cent.
const NEAR_PCT: f64 = 2.0;

fn lab(max_secs: f64) -> Result<Lab> {
    let options =
        Options { max_secs, min_secs: max_secs / 4.0, target_precision_pct: 1.0, ..Options::default() };
    Lab::builder().options(options).build()
}

/// One run: a line for each of the two verdicts, with the ratios by level, and a line for the effects.
fn once() -> Result<()> {
    let mut sweeping = lab(0.1)?;
    let sweep = Sweep::new("sum", (7..=23).step_by(2).map(|power| 1u64 << power));
    let setup = |elements: u64| (0..elements).collect::<Vec<u64>>();
    let first = ("plain", |v: &Vec<u64>| plain(v));
    let told = |name: &str, found: &Swept| {
        let ratios =
            found.verdict.by_level.iter().map(|(level, ratio)| format!("{level} {:.2}", ratio.value));
        let upper = found.measurements.iter().filter(|one| one.result.upper_bound).count();
        println!("{name},{},{upper},{}", found.verdict.cause, ratios.collect::<Vec<_>>().join(" "));
    };
    told("worked", &sweep.measure(&mut sweeping, setup, first, ("worked", |v: &Vec<u64>| worked(v)))?);
    told("strided", &sweep.measure(&mut sweeping, setup, first, ("strided", |v: &Vec<u64>| strided(v)))?);
    drop(sweeping);
    let experiment =
        Factors::new("chain").factor("row", ["first", "second"]).factor("column", ["first", "second"]);
    let found = experiment.measure(&mut lab(0.5)?, |choice| {
        let [row, column] = choice.numbers() else { unreachable!("two factors") };
        Ok(Benchmark::latency("", 1u64, chain(LINKS[*row][*column])))
    })?;
    let effects = found.effects.main.iter().chain(&found.effects.interactions);
    let off: Vec<String> = effects
        .zip(EFFECTS)
        .map(|(effect, links)| (100.0 * (effect.adds / (LINK * links) - 1.0)).to_string())
        .collect();
    let upper = found.measurements.iter().filter(|one| one.result.upper_bound).count();
    println!("effects,{},{upper},{}", found.unit, off.join(","));
    Ok(())
}

fn main() -> ExitCode {
    let asked = match Asked::new(once) {
        Ok(asked) => asked,
        Err(status) => return status,
    };
    let runs = asked.runs(3);
    let mut right = [0u32; 2];
    let (mut near, mut alone, mut worst) = (0u32, 0u32, [0.0f64; EFFECTS.len()]);
    for run in 1..=runs {
        let printed = match asked.run() {
            Ok(printed) => printed,
            Err(status) => return status,
        };
        for line in printed.lines() {
            println!("{run},{line}");
            let cells: Vec<&str> = line.split(',').collect();
            if let Some(at) = WANTED.iter().position(|(name, _)| Some(name) == cells.first()) {
                right[at] += u32::from(cells.get(1) == Some(&WANTED[at].1));
            }
            // What was measured beside a competitor is an upper bound, and says so; where no cycles are claimed nothing is known.
            if cells.first() == Some(&"effects") && cells[1..3] == ["cyc", "0"] {
                let off: Vec<f64> = cells[3..].iter().filter_map(|cell| cell.parse().ok()).collect();
                alone += 1;
                near += u32::from(off.len() == worst.len() && off.iter().all(|off| off.abs() <= NEAR_PCT));
                worst.iter_mut().zip(off).for_each(|(worst, off)| *worst = worst.max(off.abs()));
            }
        }
    }
    for ((name, cause), right) in WANTED.iter().zip(right) {
        println!("{name:8} {cause:13} {right}/{runs}");
    }
    println!(
        "effects  within {NEAR_PCT} %  {near}/{alone} (largest: row {:.2} %, column {:.2} %, interaction {:.2} %); {} beside a competitor",
        worst[0],
        worst[1],
        worst[2],
        runs - alone
    );
    if right.iter().all(|right| *right == runs) && near == alone {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(3)
    }
}
