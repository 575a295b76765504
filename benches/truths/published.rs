//! What do others say that these instructions cost? Published figures, by core design.
//!
//! From the InstLatx64 dumps of each core (github.com/InstLatx64/InstLatx64 at 087af2c), for Golden Cove and Raptor Cove also OSACA's
//! `spr.yml` (github.com/RRZE-HPC/OSACA at e00d5f6); NOPs by Agner Fog's and uops.info's issue widths. Two corrections were made
//! to the dumps: some ran on a clock that is a little off (Golden Cove reads 2.98 for 3, 0.498 for 0.5), so figures within 1.5 % of
//! a whole number of cycles, or of one over a whole number of ports, stand as that; and additions are given by the number of
//! ports that take them, which some dumps miss by a tenth.

/// Cycles: latencies of add, imul, shr, popcnt, addsd, mulsd, 256-bit FMA, pshufb and L1 load; then reciprocal throughputs of add, imul,
/// shr, popcnt, 256-bit FMA, load, store and nop.
struct Row {
    cores: &'static [&'static str],
    latency: [f64; 9],
    throughput: [f64; 8],
}

const ROWS: &[Row] = &[
    Row {
        cores: &["Zen 2"],
        latency: [1.0, 3.0, 1.0, 1.0, 3.0, 3.0, 5.0, 1.0, 4.0],
        throughput: [0.25, 1.0, 0.25, 0.25, 0.5, 0.5, 1.0, 0.2],
    },
    Row {
        cores: &["Zen 3"],
        latency: [1.0, 3.0, 1.0, 1.0, 3.0, 3.0, 4.0, 1.0, 4.0],
        throughput: [0.25, 1.0, 0.5, 0.25, 0.5, 1.0 / 3.0, 0.5, 1.0 / 6.0],
    },
    Row {
        cores: &["Zen 4"],
        latency: [1.0, 3.0, 1.0, 1.0, 3.0, 3.0, 4.0, 2.0, 4.0],
        throughput: [0.25, 1.0, 0.5, 0.25, 0.5, 1.0 / 3.0, 0.5, 1.0 / 6.0],
    },
    Row {
        cores: &["Zen 5"],
        latency: [1.0, 3.0, 1.0, 1.0, 2.0, 3.0, 4.0, 2.0, 4.0],
        throughput: [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 0.192, 0.5, 0.25, 0.5, 0.125],
    },
    Row {
        cores: &["Skylake"],
        latency: [1.0, 3.0, 1.0, 3.0, 4.0, 4.0, 4.0, 1.0, 4.0],
        throughput: [0.25, 1.0, 0.5, 1.0, 0.5, 0.5, 1.0, 0.25],
    },
    Row {
        cores: &["Sunny Cove", "Willow Cove", "Cypress Cove"],
        latency: [1.0, 3.0, 1.0, 3.0, 4.0, 4.0, 4.0, 1.0, 5.0],
        throughput: [0.25, 1.0, 0.5, 1.0, 0.5, 0.5, 0.5, 0.2],
    },
    Row {
        cores: &["Golden Cove", "Raptor Cove"],
        latency: [1.0, 3.0, 1.0, 3.0, 2.0, 4.0, 4.0, 1.0, 5.0],
        throughput: [0.2, 1.0, 0.5, 1.0, 0.5, 1.0 / 3.0, 0.5, 1.0 / 6.0],
    },
];

const LATENCIES: [&str; 9] =
    ["add", "imul", "shr", "popcnt", "addsd", "mulsd", "vfmadd", "pshufb", "mov load"];
const THROUGHPUTS: [&str; 8] = ["add", "imul", "shr", "popcnt", "vfmadd", "mov load", "mov store", "nop"];

fn row(core: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.cores.contains(&core))
}

/// The published latency on this core, in cycles.
pub(crate) fn latency(core: &str, instruction: &str) -> Option<f64> {
    let at = LATENCIES.iter().position(|name| *name == instruction)?;
    row(core).map(|row| row.latency[at])
}

/// The published reciprocal throughput on this core, in cycles.
pub(crate) fn throughput(core: &str, instruction: &str) -> Option<f64> {
    let at = THROUGHPUTS.iter().position(|name| *name == instruction)?;
    row(core).map(|row| row.throughput[at])
}
