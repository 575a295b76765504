//! The trap: numbers near zero. On many CPUs an operation on a subnormal number is finished by microcode, at the cost of a hundred others.
//!
//! `cargo run --release --example trap_subnormals`

mod traps;

use std::process::ExitCode;

use fencepost::lab::Benchmark;

fn main() -> ExitCode {
    traps::lesson("Subnormal numbers: the same multiplication, other values.", |lab| {
        let normal: Vec<f64> = (1..=256).map(|x| f64::from(x) * 1.25).collect();
        let subnormal: Vec<f64> = (1..=256).map(|x| f64::from(x) * 1.25e-310).collect();
        let found = traps::measured(
            lab,
            vec![
                Benchmark::throughput("x * 0.3, x subnormal", &subnormal, |x| x * 0.3)?,
                Benchmark::throughput("x * 0.3, x normal", &normal, |x| x * 0.3)?,
            ],
        )?;
        Ok(traps::table(&found)
            + &traps::judged(&found[0], &found[1], 1.5, "subnormal against normal")?
            + "Data that decay under repetition get there by themselves: reset them, or flush to zero.\n")
    })
}
