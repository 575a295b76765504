//! The trap: a load that needs the bytes of two earlier stores. One store is forwarded to the load; two are not, and the load waits until both are
//! in the cache.
//!
//! `cargo run --release --example trap_store_forwarding`

mod traps;

use std::arch::asm;
use std::process::ExitCode;

use fencepost::lab::Benchmark;

/// Stores `x` and loads it again, with so many NOPs between the two.
fn forwarded<const BETWEEN: usize>(place: usize, x: u64) -> u64 {
    let loaded: u64;
    // SAFETY: `place` is the address of an array that outlives the measurement, 16 bytes before its end.
    unsafe {
        asm!("mov [{p} + 8], {x}", ".rept {n}", "nop", ".endr", "mov {y}, [{p} + 8]",
             p = in(reg) place, x = in(reg) x, y = out(reg) loaded, n = const BETWEEN,
             options(nostack, preserves_flags));
    }
    loaded
}

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
        // Where the load waits a little, some CPUs are done earlier: the cost is a curve.
        let chain = |between: usize, link: fn(usize, u64) -> u64| {
            Benchmark::latency(format!("{between} NOPs between"), 1u64, move |x| link(whole, x))
        };
        let curve = traps::measured(
            lab,
            vec![
                chain(0, forwarded::<0>),
                chain(4, forwarded::<4>),
                chain(8, forwarded::<8>),
                chain(16, forwarded::<16>),
                chain(32, forwarded::<32>),
            ],
        )?;
        // Both are alive until here.
        let _ = (one, two);
        let costs = || curve.iter().filter_map(|one| Some((one.cycles()?.get(), one.result.id.as_str())));
        let least = costs().min_by(|one, other| one.0.total_cmp(&other.0));
        let curve = "\nStored and loaded again, by what stands between\n".to_owned() + &traps::table(&curve);
        let text = text
            + &curve
            + &least.map_or_else(String::new, |(cycles, id)| {
                format!("The least is {cycles:.1} cycles, with {id}.\n")
            });
        Ok(
            text + "A forwarded value costs 0 to 5 cycles; one that must be put together from two stores costs a dozen or more.\n"
        )
    })
}
