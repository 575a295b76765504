//! The trap: a load that lies in two cache lines, or in two pages.
//!
//! `cargo run --release --example trap_unaligned`

mod traps;

use std::arch::asm;
use std::process::ExitCode;

use fencepost::lab::Benchmark;

/// Eight loads of eight bytes from one address.
fn loads(address: usize) -> u64 {
    let value: u64;
    // SAFETY: the caller's memory holds the eight bytes at `address`.
    unsafe {
        asm!(
            "mov {v}, [{a}]", "mov {w}, [{a}]", "mov {v}, [{a}]", "mov {w}, [{a}]",
            "mov {v}, [{a}]", "mov {w}, [{a}]", "mov {w}, [{a}]", "mov {v}, [{a}]",
            a = in(reg) address, v = out(reg) value, w = out(reg) _, options(readonly, nostack, preserves_flags),
        );
    }
    value
}

fn main() -> ExitCode {
    traps::lesson("Loads across a line and across a page.", |lab| {
        let memory = vec![1u8; 16384];
        let page = (memory.as_ptr() as usize).next_multiple_of(4096) + 4096;
        let one = |name: &str, address: usize| {
            Benchmark::throughput(name, &[address], |address| loads(*address))?.ops(8)
        };
        let found = traps::measured(
            lab,
            vec![
                one("aligned", page)?,
                one("unaligned inside a line", page + 3)?,
                one("across a line", page + 60)?,
                one("across a page", page + 4092)?,
            ],
        )?;
        let mut text = traps::table(&found);
        text += &traps::judged(&found[1], &found[0], 1.2, "unaligned inside a line against aligned")?;
        text += &traps::judged(&found[2], &found[0], 1.2, "across a line against aligned")?;
        text += &traps::judged(&found[3], &found[0], 1.2, "across a page against aligned")?;
        drop(memory);
        Ok(text)
    })
}
