//! The trap: the same input again and again. Random branches cost a misprediction each second time, until the predictor has learnt the input, which
//! it never does with data that come once.
//!
//! `cargo run --release --example trap_branches`

mod traps;

use std::arch::asm;
use std::process::ExitCode;
use std::rc::Rc;

use fencepost::lab::Benchmark;

const BITS: usize = 1024;
const MASKS: u64 = 256;

/// Counts what is not 0, by a branch each.
fn count(mask: &[u8]) -> u64 {
    let mut found = 0u64;
    for byte in mask {
        // SAFETY: registers alone. In assembly, since a compiler makes an addition without a branch of it.
        unsafe {
            asm!("test {b}, {b}", "jz 2f", "inc {n}", "2:", b = in(reg_byte) *byte, n = inout(reg) found, options(nomem, nostack));
        }
    }
    found
}

fn mask(seed: u64) -> Rc<Vec<u8>> {
    let mut random = oorandom::Rand64::new(u128::from(seed));
    Rc::new((0..BITS).map(|_| (random.rand_u64() >> 63) as u8).collect())
}

fn main() -> ExitCode {
    traps::lesson("Branches that were learnt from a repeated input.", |lab| {
        let fresh: Vec<Rc<Vec<u8>>> = (0..MASKS).map(mask).collect();
        let found = traps::measured(
            lab,
            vec![
                Benchmark::throughput("256 random masks in turn", &fresh, |mask| count(mask))?
                    .ops(BITS as u64)?,
                Benchmark::throughput("one random mask, repeated", &fresh[..1], |mask| count(mask))?
                    .ops(BITS as u64)?,
            ],
        )?;
        Ok(traps::table(&found)
            + &traps::judged(&found[0], &found[1], 1.5, "fresh masks against a repeated one")?
            + "The repeated figure is the best case: quote it only for data that do repeat.\n")
    })
}
