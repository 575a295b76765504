//! A suite for tests to count: bodies of known length, bodies that do nothing, and some that fail.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;

fn bit_mix(mut x: u64) -> u64 {
    x ^= x >> 33;
    x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^= x >> 33;
    x = x.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

fn fibonacci(n: u64) -> u64 {
    match n {
        0 | 1 => 1,
        n => fibonacci(n - 1) + fibonacci(n - 2),
    }
}

/// As many rounds of a loop of exactly two instructions.
fn rounds(mut n: u64) -> u64 {
    // SAFETY: counts a register down to 0.
    unsafe { std::arch::asm!("2:", "sub {0}, 1", "jnz 2b", inout(reg) n, options(nomem, nostack)) };
    n
}

/// An AVX-512 instruction: on a CPU a load from where the stack points, or a fault; Valgrind refuses it.
macro_rules! avx512 {
    () => {
        // SAFETY: reads 64 bytes of the stack into a register that nobody uses.
        unsafe { std::arch::asm!(".byte 0x62, 0xf1, 0x7d, 0x48, 0x6f, 0x04, 0x24", out("xmm0") _) }
    };
}

#[inline(never)]
fn wide(x: u64) -> u64 {
    avx512!();
    x
}

/// As those do who care: nobody without AVX-512 gets there, and so not under Valgrind.
#[inline(never)]
fn guarded(x: u64) -> u64 {
    if is_x86_feature_detected!("avx512f") { wide(x) } else { rounds(x) }
}

fn main() -> ExitCode {
    fencepost::suite(|s| {
        s.group("empty", |s| {
            s.latency("latency", 0u64, |x| x);
            s.throughput("throughput", || (0..1000u64).collect::<Vec<_>>(), |_: &u64| ());
            s.single_shot("single_shot", vec![1u64], |_: &u64| ());
            s.routine("routine", || 7u64, |x| x);
        });
        s.kernel("bit_mix", bit_mix).latency(42).throughput(|| (0..1000).collect());
        s.throughput("rounds", vec![1000u64], |n| rounds(*n)).ops(10);
        s.routine("fib/short", || 10, |n: u64| fibonacci(black_box(n)));
        s.routine("fib/long", || 30, |n: u64| fibonacci(black_box(n)));
        s.routine("setup/large", || black_box(vec![1u64; 100_000]), |v| v);
        s.throughput("copy", || vec![vec![7u8; 4096]], |bytes: &Vec<u8>| bytes.clone());
        // The same work under names of other lengths.
        for name in ["boxed", "boxed under a name that is a good deal longer than the other one"] {
            s.group("alloc", |s| {
                s.routine(name, || [7u8; 27], |bytes| Box::new(black_box(bytes)));
            });
        }
        s.throughput("guarded", vec![1000u64], |x| guarded(*x));
        s.throughput("claims/nothing", vec![1u64], |x| *x).instructions(50);
        s.group("many", |s| {
            for number in 0..30u64 {
                s.throughput(format!("{number:02}"), vec![1 + number], |n| rounds(*n));
            }
        });
        s.group("fails", |s| {
            s.latency("panics", 1u64, |x| if x > 0 { panic!("the kernel's own words") } else { x });
            s.routine("hangs", || (), |()| std::thread::sleep(Duration::from_secs(1000)));
            s.routine("aborts", || (), |()| std::process::abort());
            s.routine("exits", || (), |()| std::process::exit(0));
            s.throughput("avx512/inside", vec![1u64], |x| {
                avx512!();
                *x
            });
            s.throughput("avx512/called", vec![1u64], |x| wide(*x));
            s.routine("avx512/hidden", || (), |()| black_box(wide as fn(u64) -> u64)(1));
        });
        s.compare("sum")
            .candidate("fold", |n: u64| (0..n).fold(0u64, |sum, x| black_box(sum + x)))
            .candidate("twice", |n: u64| (0..n).fold(0u64, |sum, x| black_box(black_box(sum) + x)))
            .inputs(vec![100u64]);
    })
}
