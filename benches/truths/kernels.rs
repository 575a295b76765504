//! Which instructions are measured? Loops of one instruction each, between a fence pair, written in assembly so that nothing
//! but the instruction and the closing branch is in them.

use std::arch::asm;

use fencepost::harness::TimedLoop;
use fencepost::tsc::{Timed, fenced_start, fenced_stop};

/// A loop that runs `iterations` times over [`Truth::instructions`] copies of its instruction.
pub(crate) struct AsmLoop(pub(crate) unsafe fn(u64) -> Timed);

impl TimedLoop for AsmLoop {
    fn run(&mut self, iterations: u64) -> Timed {
        // SAFETY: `truths` lists a loop only where this CPU has its instructions.
        unsafe { (self.0)(iterations.max(1)) }
    }

    fn granule(&self) -> u64 {
        1
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Latency,
    Throughput,
}

/// One instruction with what is needed to measure it and to look it up.
pub(crate) struct Truth {
    /// As in the published table.
    pub(crate) instruction: &'static str,
    /// As in the published table.
    pub(crate) operands: &'static str,
    pub(crate) kind: Kind,
    /// Copies in one iteration.
    pub(crate) instructions: u64,
    /// Of these, how many wait for one another (latency) or do not (throughput: the same).
    pub(crate) run: unsafe fn(u64) -> Timed,
    /// Needs AVX and FMA.
    pub(crate) fma: bool,
}

/// `$copies` copies of `$body` (of `$each` instructions) in a loop of `iterations`.
macro_rules! timed {
    ($(#[$attribute:meta])* $name:ident: $copies:literal x [$($body:literal),+ $(,)?], $($operands:tt)*) => {
        /// # Safety
        ///
        /// - The CPU must have the instructions of the body.
        $(#[$attribute])*
        #[inline(never)]
        unsafe fn $name(iterations: u64) -> Timed {
            let start = fenced_start();
            // SAFETY: the loop ends when `iterations`, at least 1, has been counted down; it writes only the registers and
            // the memory that its operands declare, and the flags.
            unsafe {
                asm!(
                    ".p2align 6",
                    "2:",
                    concat!(".rept ", $copies),
                    $($body,)+
                    ".endr",
                    "dec {iterations}",
                    "jnz 2b",
                    iterations = inout(reg) iterations => _,
                    $($operands)*
                    options(nostack),
                );
            }
            let (stop, core) = fenced_stop();
            Timed { start, stop, core }
        }
    };
}

timed!(add_latency: "256" x ["add {x}, {c}"], x = inout(reg) 1u64 => _, c = in(reg) 3u64,);
timed!(imul_latency: "128" x ["imul {x}, {c}"], x = inout(reg) 3u64 => _, c = in(reg) 5u64,);
timed!(popcnt_latency: "128" x ["popcnt {x}, {x}"], x = inout(reg) 0xffff_u64 => _,);
timed!(shr_latency: "256" x ["shr {x}, 1"], x = inout(reg) u64::MAX => _,);
timed!(addsd_latency: "128" x ["addsd {x}, {c}"], x = inout(xmm_reg) 1.5f64 => _, c = in(xmm_reg) 1e-9f64,);
timed!(mulsd_latency: "128" x ["mulsd {x}, {c}"], x = inout(xmm_reg) 1.5f64 => _, c = in(xmm_reg) 1.0f64,);
timed!(pshufb_latency: "256" x ["pshufb {x}, {c}"],
    x = inout(xmm_reg) ORDER => _, c = in(xmm_reg) ORDER,);
timed!(
    #[target_feature(enable = "avx,fma")]
    fma_latency: "128" x ["vfmadd213ps ymm0, ymm1, ymm2"],
    inout("ymm0") ONES => _, in("ymm1") ONES, in("ymm2") SMALL,
);

/// A pointer chase in L1: the place holds its own address.
#[inline(never)]
unsafe fn load_latency(iterations: u64) -> Timed {
    let mut place: *const u8 = std::ptr::null();
    let own: *mut *const u8 = &raw mut place;
    place = own.cast();
    let start = fenced_start();
    // SAFETY: every load reads `place`, which holds its own address and outlives the loop.
    unsafe {
        asm!(
            ".p2align 6",
            "2:",
            ".rept 128",
            "mov {x}, [{x}]",
            ".endr",
            "dec {iterations}",
            "jnz 2b",
            iterations = inout(reg) iterations => _,
            x = inout(reg) place => _,
            options(nostack, readonly),
        );
    }
    let (stop, core) = fenced_stop();
    Timed { start, stop, core }
}

timed!(add_throughput: "32" x [
        "add rax, {c}", "add rcx, {c}", "add rdx, {c}", "add rsi, {c}", "add rdi, {c}",
        "add r8, {c}", "add r9, {c}", "add r10, {c}", "add r11, {c}", "add r12, {c}",
    ],
    c = in(reg) 3u64, out("rax") _, out("rcx") _, out("rdx") _, out("rsi") _, out("rdi") _,
    out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _,);
timed!(imul_throughput: "32" x [
        "imul rcx, {c}", "imul rdx, {c}", "imul rsi, {c}", "imul rdi, {c}",
        "imul r8, {c}", "imul r9, {c}", "imul r10, {c}", "imul r11, {c}",
    ],
    c = in(reg) 3u64, out("rcx") _, out("rdx") _, out("rsi") _, out("rdi") _,
    out("r8") _, out("r9") _, out("r10") _, out("r11") _,);
timed!(shr_throughput: "32" x [
        "shr rcx, 3", "shr rdx, 3", "shr rsi, 3", "shr rdi, 3", "shr r8, 3", "shr r9, 3", "shr r10, 3", "shr r11, 3",
    ],
    out("rcx") _, out("rdx") _, out("rsi") _, out("rdi") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _,);
timed!(popcnt_throughput: "32" x [
        "popcnt rcx, rcx", "popcnt rdx, rdx", "popcnt rsi, rsi", "popcnt rdi, rdi",
        "popcnt r8, r8", "popcnt r9, r9", "popcnt r10, r10", "popcnt r11, r11",
    ],
    out("rcx") _, out("rdx") _, out("rsi") _, out("rdi") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _,);
timed!(
    #[target_feature(enable = "avx,fma")]
    fma_throughput: "20" x [
        "vfmadd213ps ymm0, ymm12, ymm13", "vfmadd213ps ymm1, ymm12, ymm13", "vfmadd213ps ymm2, ymm12, ymm13",
        "vfmadd213ps ymm3, ymm12, ymm13", "vfmadd213ps ymm4, ymm12, ymm13", "vfmadd213ps ymm5, ymm12, ymm13",
        "vfmadd213ps ymm6, ymm12, ymm13", "vfmadd213ps ymm7, ymm12, ymm13", "vfmadd213ps ymm8, ymm12, ymm13",
        "vfmadd213ps ymm9, ymm12, ymm13", "vfmadd213ps ymm10, ymm12, ymm13", "vfmadd213ps ymm11, ymm12, ymm13",
    ],
    inout("ymm0") ONES => _, inout("ymm1") ONES => _, inout("ymm2") ONES => _, inout("ymm3") ONES => _,
    inout("ymm4") ONES => _, inout("ymm5") ONES => _, inout("ymm6") ONES => _, inout("ymm7") ONES => _,
    inout("ymm8") ONES => _, inout("ymm9") ONES => _, inout("ymm10") ONES => _, inout("ymm11") ONES => _,
    in("ymm12") ONES, in("ymm13") SMALL,
);
// Four bytes long: see `fencepost::clock::Gauge` for what the length does.
timed!(nop_throughput: "480" x [".byte 0x0f, 0x1f, 0x40, 0x00"],);

/// Eight neighbouring places, so that loads and stores do not wait for one another.
#[repr(align(64))]
struct Line([u64; 8]);

#[inline(never)]
unsafe fn load_throughput(iterations: u64) -> Timed {
    let line = Line([1; 8]);
    let start = fenced_start();
    // SAFETY: every load reads one of the eight places of `line`.
    unsafe {
        asm!(
            ".p2align 6",
            "2:",
            ".rept 32",
            "mov rcx, [{p}]", "mov rdx, [{p} + 8]", "mov rsi, [{p} + 16]", "mov rdi, [{p} + 24]",
            "mov r8, [{p} + 32]", "mov r9, [{p} + 40]", "mov r10, [{p} + 48]", "mov r11, [{p} + 56]",
            ".endr",
            "dec {iterations}",
            "jnz 2b",
            iterations = inout(reg) iterations => _,
            p = in(reg) line.0.as_ptr(),
            out("rcx") _, out("rdx") _, out("rsi") _, out("rdi") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _,
            options(nostack, readonly),
        );
    }
    let (stop, core) = fenced_stop();
    Timed { start, stop, core }
}

#[inline(never)]
unsafe fn store_throughput(iterations: u64) -> Timed {
    let mut line = Line([1; 8]);
    let start = fenced_start();
    // SAFETY: every store writes one of the eight places of `line`.
    unsafe {
        asm!(
            ".p2align 6",
            "2:",
            ".rept 32",
            "mov [{p}], {x}", "mov [{p} + 8], {x}", "mov [{p} + 16], {x}", "mov [{p} + 24], {x}",
            "mov [{p} + 32], {x}", "mov [{p} + 40], {x}", "mov [{p} + 48], {x}", "mov [{p} + 56], {x}",
            ".endr",
            "dec {iterations}",
            "jnz 2b",
            iterations = inout(reg) iterations => _,
            p = in(reg) line.0.as_mut_ptr(),
            x = in(reg) 7u64,
            options(nostack),
        );
    }
    let (stop, core) = fenced_stop();
    Timed { start, stop, core }
}

use std::arch::x86_64::{__m128i, __m256};

// SAFETY: plain bits of the same size, of types without invalid values.
const ORDER: __m128i =
    unsafe { std::mem::transmute([0u8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]) };
// SAFETY: as above.
const ONES: __m256 = unsafe { std::mem::transmute([1.0f32; 8]) };
// SAFETY: as above.
const SMALL: __m256 = unsafe { std::mem::transmute([1e-6f32; 8]) };

/// The loops, where this CPU has their instructions.
pub(crate) fn truths() -> Vec<Truth> {
    use Kind::{Latency, Throughput};
    let have_fma = is_x86_feature_detected!("avx") && is_x86_feature_detected!("fma");
    let have_popcnt = is_x86_feature_detected!("popcnt");
    let have_ssse3 = is_x86_feature_detected!("ssse3");
    let plain = |instruction, operands, kind, instructions, run: unsafe fn(u64) -> Timed| Truth {
        instruction,
        operands,
        kind,
        instructions,
        run,
        fma: false,
    };
    let mut truths = vec![
        plain("add", "r64,r64", Latency, 256, add_latency),
        plain("imul", "r64,r64", Latency, 128, imul_latency),
        plain("shr", "r64,imm8", Latency, 256, shr_latency),
        plain("popcnt", "r64,r64", Latency, 128, popcnt_latency),
        plain("addsd", "xmm,xmm", Latency, 128, addsd_latency),
        plain("mulsd", "xmm,xmm", Latency, 128, mulsd_latency),
        Truth { fma: true, ..plain("vfmadd", "ymm,ymm,ymm", Latency, 128, fma_latency) },
        plain("pshufb", "xmm,xmm", Latency, 256, pshufb_latency),
        plain("mov load", "r64,[m64]", Latency, 128, load_latency),
        plain("add", "r64,r64", Throughput, 320, add_throughput),
        plain("imul", "r64,r64", Throughput, 256, imul_throughput),
        plain("shr", "r64,imm8", Throughput, 256, shr_throughput),
        plain("popcnt", "r64,r64", Throughput, 256, popcnt_throughput),
        Truth { fma: true, ..plain("vfmadd", "ymm,ymm,ymm", Throughput, 240, fma_throughput) },
        plain("mov load", "r64,[m64]", Throughput, 256, load_throughput),
        plain("mov store", "[m64],r64", Throughput, 256, store_throughput),
        plain("nop", "", Throughput, 480, nop_throughput),
    ];
    truths.retain(|truth| {
        let missing = (truth.fma && !have_fma)
            || (truth.instruction == "popcnt" && !have_popcnt)
            || (truth.instruction == "pshufb" && !have_ssse3);
        if missing {
            eprintln!("skipped: this CPU has no {}", truth.instruction);
        }
        !missing
    });
    truths
}
