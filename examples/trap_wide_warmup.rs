//! The trap: the first 256-bit instructions after a while without any. Some CPUs put the upper half of their vector units to sleep, and run at a
//! fraction of their speed until it is awake.
//!
//! `cargo run --release --example trap_wide_warmup`

mod traps;

use std::arch::asm;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use fencepost::tsc::{fenced_start, fenced_stop};

/// Ticks of 256 dependent 256-bit additions.
fn wide() -> f64 {
    let start = fenced_start();
    // SAFETY: the lesson asks for AVX first; registers are declared.
    unsafe {
        asm!(
            "vxorps ymm0, ymm0, ymm0",
            "2:",
            "vaddps ymm0, ymm0, ymm0", "vaddps ymm0, ymm0, ymm0", "vaddps ymm0, ymm0, ymm0", "vaddps ymm0, ymm0, ymm0",
            "vaddps ymm0, ymm0, ymm0", "vaddps ymm0, ymm0, ymm0", "vaddps ymm0, ymm0, ymm0", "vaddps ymm0, ymm0, ymm0",
            "dec {n:e}",
            "jnz 2b",
            "vzeroupper",
            n = inout(reg) 32u64 => _, out("xmm0") _, options(nomem, nostack),
        );
    }
    let (stop, _) = fenced_stop();
    stop.since(start).get()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> ExitCode {
    traps::lesson("256-bit instructions after a while without.", |_| {
        if !std::arch::is_x86_feature_detected!("avx") {
            return Ok("This CPU has no 256-bit instructions.\n".to_owned());
        }
        let (mut first, mut steady) = (Vec::new(), Vec::new());
        for _ in 0..100 {
            let idle = Instant::now();
            while idle.elapsed() < Duration::from_millis(5) {
                std::hint::spin_loop();
            }
            first.push(wide());
            // Long enough for any core to wake: some 100 microseconds.
            for _ in 0..300 {
                wide();
            }
            steady.push(median((0..9).map(|_| wide()).collect()));
        }
        let (first, steady) = (median(first), median(steady));
        let text = format!("  first 256 additions: {first:.0} ticks; once awake: {steady:.0} ticks\n");
        Ok(text
            + &traps::compared(first, steady, 1.3, false, "the first against later ones")?
            + "A harness has to run the same kernel directly before each slice that it times; this one does.\n")
    })
}
