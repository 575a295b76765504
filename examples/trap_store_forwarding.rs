//! The trap: a load that needs the bytes of two earlier stores. One store is forwarded to the load; two are not, and the load waits until both are
//! in the cache.
//!
//! `cargo run --release --example trap_store_forwarding`

mod traps;

use std::arch::asm;
use std::process::ExitCode;

use fencepost::lab::Benchmark;

fn main() -> ExitCode {
    traps::lesson("Store forwarding: what a load takes from a store that is not in the cache yet.", |lab| {
        let mut one = [0u64; 8];
        let mut two = [0u64; 8];
        let (whole, halves) = (one.as_mut_ptr() as usize, two.as_mut_ptr() as usize);
        let found = traps::measured(
            lab,
            vec![
                Benchmark::latency("stored whole, loaded whole", 1u64, move |x| {
                    let loaded: u64;
                    // SAFETY: `whole` is the address of an array that outlives the measurement.
                    unsafe {
                        asm!("mov [{p} + 8], {x}", "mov {y}, [{p} + 8]", p = in(reg) whole, x = in(reg) x, y = out(reg) loaded,
                             options(nostack, preserves_flags));
                    }
                    loaded
                }),
                Benchmark::latency("stored in halves, loaded whole", 1u64, move |x| {
                    let loaded: u64;
                    // SAFETY: `halves` is the address of an array that outlives the measurement.
                    unsafe {
                        asm!("mov [{p} + 8], {x:e}", "mov [{p} + 12], {x:e}", "mov {y}, [{p} + 8]",
                             p = in(reg) halves, x = in(reg) x, y = out(reg) loaded, options(nostack, preserves_flags));
                    }
                    loaded
                }),
            ],
        )?;
        let text = traps::table(&found) + &traps::judged(&found[1], &found[0], 1.5, "halves against whole")?;
        // Both are alive until here.
        let _ = (one, two);
        Ok(
            text + "A forwarded value costs 0 to 5 cycles; one that must be put together from two stores costs a dozen or more.\n"
        )
    })
}
