//! The trap: independent population counts into one register. Where the CPU waits for the old value of the destination, which it does not
//! need, they run one after the other.
//!
//! `cargo run --release --example trap_popcnt`

#[path = "traps/popcnt.rs"]
mod popcnt;
mod traps;

use std::arch::asm;
use std::process::ExitCode;

use fencepost::lab::Benchmark;

fn eight_registers(x: u64) -> u64 {
    let found: u64;
    // SAFETY: the lesson asks for POPCNT first; registers are declared.
    unsafe {
        asm!(
            "popcnt {a}, {s}", "popcnt {b}, {s}", "popcnt {c}, {s}", "popcnt {d}, {s}",
            "popcnt {e}, {s}", "popcnt {f}, {s}", "popcnt {g}, {s}", "popcnt {h}, {s}",
            a = out(reg) _, b = out(reg) _, c = out(reg) _, d = out(reg) _,
            e = out(reg) _, f = out(reg) _, g = out(reg) _, h = out(reg) found,
            s = in(reg) x, options(pure, nomem, nostack),
        );
    }
    found
}

fn main() -> ExitCode {
    traps::lesson("The false dependency of POPCNT on its destination.", |lab| {
        if !std::arch::is_x86_feature_detected!("popcnt") {
            return Ok("This CPU has no POPCNT.\n".to_owned());
        }
        let inputs: Vec<u64> = (0..256).map(|x| x * 0x9e37_79b9).collect();
        let found = traps::measured(
            lab,
            vec![
                Benchmark::throughput("into one register", &inputs, |x| popcnt::eight_into_one(*x))?
                    .ops(8)?,
                Benchmark::throughput("into eight registers", &inputs, |x| eight_registers(*x))?.ops(8)?,
            ],
        )?;
        let what = "one destination against eight";
        Ok(traps::table(&found)
            + &traps::judged(&found[0], &found[1], 1.5, what)?
            + "Sandy Bridge to Skylake wait three cycles for the old value; a compiler breaks that by an XOR.\n")
    })
}
