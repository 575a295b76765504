//! A suite for `tests/placements.rs` to run: a kernel whose cost is decided by where it lies, and kernels that lie anywhere.

use std::arch::asm;
use std::process::ExitCode;

use fencepost::harness::TimedLoop;
use fencepost::record::Kind;
use fencepost::tsc::{Timed, fenced_start, fenced_stop};

/// One multiplication, and as many times two more as its own address divided by 16 says, modulo 4: it is 64 bytes long, so that all copies of
/// it in an unrolled loop lie alike.
#[inline(always)]
fn by_address(mut x: u64) -> u64 {
    // SAFETY: register instructions, and jumps inside of the block.
    unsafe {
        asm!(
            "2:",
            "lea {t}, [rip + 2b]",
            "test {t:l}, 16",
            "jz 3f",
            ".rept 2",
            "imul {x}, {x}",
            ".endr",
            "3:",
            "test {t:l}, 32",
            "jz 4f",
            ".rept 4",
            "imul {x}, {x}",
            ".endr",
            "4:",
            "imul {x}, {x}",
            ".skip 64 - (. - 2b), 0x90",
            x = inout(reg) x,
            t = out(reg) _,
            options(nomem, nostack),
        );
    }
    x
}

/// A loop of eight bytes, a hundred turns: its closing jump ends a line of 32 bytes at one of four starts. 64 bytes long, as above.
#[inline(always)]
fn small_loop(x: u64) -> u64 {
    let mut turns = x;
    // SAFETY: register instructions, and a jump inside of the block.
    unsafe {
        asm!(
            "2:",
            "mov {turns:e}, 100",
            ".p2align 3, 0x90",
            "3:",
            "sub {turns}, 1",
            "nop",
            "nop",
            "jnz 3b",
            ".skip 64 - (. - 2b), 0x90",
            turns = inout(reg) turns,
            options(nomem, nostack),
        );
    }
    turns
}

fn mix(x: u64) -> u64 {
    (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd)
}

#[inline(never)]
fn called(x: u64) -> u64 {
    fencepost::barrier(mix(fencepost::barrier(x)))
}

/// A loop of one's own, which knows nothing of places.
struct Own;

impl TimedLoop for Own {
    fn run(&mut self, iterations: u64) -> Timed {
        let mut x = 3u64;
        let start = fenced_start();
        for _ in 0..iterations {
            x = fencepost::barrier(mix(x));
        }
        let (stop, core) = fenced_stop();
        fencepost::barrier(x);
        Timed { start, stop, core }
    }
}

fn main() -> ExitCode {
    let fixture = std::env::var("FENCEPOST_FIXTURE").unwrap_or_default();
    fencepost::suite(|s| match fixture.as_str() {
        "compared" => {
            s.compare_latency("by address")
                .candidate("one", by_address)
                .candidate("other", |x| by_address(x))
                .unchecked()
                .seed(3);
            s.compare_latency("plain")
                .candidate("one", mix)
                .candidate("two", |x| mix(mix(x)))
                .unchecked()
                .seed(3);
        }
        _ => {
            s.latency("by address", 3u64, by_address);
            s.kernel("mix", mix).latency(42).throughput(|| (0..512).collect());
            s.routine("routine", || 3u64, mix);
            s.latency("called", 42u64, called);
            s.latency("small loop", 1u64, small_loop).ops(100);
            s.custom("own", Kind::Loop, || Own);
            s.single_shot("single", [1u64, 2], |x| mix(*x));
        }
    })
}
