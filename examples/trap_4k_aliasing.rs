//! The trap: a load whose address has the low 12 bits of an earlier store's. The CPU compares those alone at first, takes the load for one of the
//! same place, and lets it wait.
//!
//! `cargo run --release --example trap_4k_aliasing`

mod traps;

use std::arch::asm;
use std::process::ExitCode;

use fencepost::lab::Benchmark;

/// Copies 1 KiB, eight bytes at a time, each load a few stores behind the one whose low bits it shares, if `ahead` makes it so.
fn copy(from: usize, ahead: usize) {
    // SAFETY: the caller's memory holds 16 KiB from `from` on, and `ahead` is below 8 KiB.
    unsafe {
        asm!(
            "2:",
            "mov {t}, [{a}]",
            "mov [{a} + {ahead}], {t}",
            "mov {t}, [{a} + 8]",
            "mov [{a} + {ahead} + 8], {t}",
            "add {a}, 16",
            "cmp {a}, {end}",
            "jb 2b",
            a = inout(reg) from => _,
            end = in(reg) from + 1024,
            ahead = in(reg) ahead,
            t = out(reg) _,
            options(nostack),
        );
    }
}

fn main() -> ExitCode {
    traps::lesson("4 KiB aliasing: a load that looks like an earlier store's place.", |lab| {
        let mut memory = vec![0u64; 4096];
        // A line's beginning, so that no access crosses one.
        let start = (memory.as_mut_ptr() as usize).next_multiple_of(4096);
        let near = |ahead: usize| move |_: &u64| copy(start, ahead);
        let found = traps::measured(
            lab,
            vec![
                Benchmark::throughput("copy to 4096 + 32 bytes ahead", &[0u64], near(4096 + 32))?.ops(128)?,
                Benchmark::throughput("copy to 4096 + 2048 bytes ahead", &[0u64], near(4096 + 2048))?
                    .ops(128)?,
            ],
        )?;
        let text = traps::table(&found)
            + &traps::judged(&found[0], &found[1], 1.2, "low 12 bits alike against apart")?;
        memory[0] = 1;
        Ok(
            text + "Two buffers whose distance is a little more than a multiple of 4 KiB do this; shift one by half a page.\n"
        )
    })
}
