//! Where do a scheduling model and the CPU part? Ten kernels, each measured and predicted from the very loop that ran.
//!
//! `cargo run --release --features predict --example models`

#[path = "traps/popcnt.rs"]
mod popcnt;
mod traps;

use std::arch::asm;
use std::fmt::Write as _;
use std::process::ExitCode;

use fencepost::lab::{Benchmark, Measurement};
use fencepost::predict::Predictor;
use fencepost::record::{PredictionVerdict, cost};
use fencepost::{Error, ErrorKind, Lab, Result};

/// FNV-1a, a byte an operation: an exclusive or and a multiplication that wait for each other.
fn fnv1a(hash: u64) -> u64 {
    (hash ^ 0x5a).wrapping_mul(0x100_0000_01b3)
}

/// Four products added to one sum.
fn dot_scalar(mut sum: f64, a: &[f64; 16], b: &[f64; 16]) -> f64 {
    // SAFETY: reads the first four of each array; SSE2 is part of x86-64.
    unsafe {
        asm!(
            "movsd {t}, [{a}]", "mulsd {t}, [{b}]", "addsd {s}, {t}",
            "movsd {t}, [{a} + 8]", "mulsd {t}, [{b} + 8]", "addsd {s}, {t}",
            "movsd {t}, [{a} + 16]", "mulsd {t}, [{b} + 16]", "addsd {s}, {t}",
            "movsd {t}, [{a} + 24]", "mulsd {t}, [{b} + 24]", "addsd {s}, {t}",
            a = in(reg) a, b = in(reg) b, s = inout(xmm_reg) sum, t = out(xmm_reg) _,
            options(pure, readonly, nostack),
        );
    }
    sum
}

/// Sixteen products added to four sums side by side, whose first is handed on.
fn dot_256(mut sum: f64, a: &[f64; 16], b: &[f64; 16]) -> f64 {
    // SAFETY: reads the arrays; the caller asks for FMA first. Nobody relies on the upper halves of registers here.
    unsafe {
        asm!(
            "vmovupd ymm1, [{a}]", "vfmadd231pd ymm0, ymm1, [{b}]",
            "vmovupd ymm1, [{a} + 32]", "vfmadd231pd ymm0, ymm1, [{b} + 32]",
            "vmovupd ymm1, [{a} + 64]", "vfmadd231pd ymm0, ymm1, [{b} + 64]",
            "vmovupd ymm1, [{a} + 96]", "vfmadd231pd ymm0, ymm1, [{b} + 96]",
            a = in(reg) a, b = in(reg) b, inout("xmm0") sum, out("xmm1") _,
            options(pure, readonly, nostack),
        );
    }
    sum
}

/// Eight population counts into two registers, each set to zero before.
fn count_into_cleared(x: u64) -> u64 {
    let found: u64;
    // SAFETY: the caller asks for POPCNT first; registers are declared.
    unsafe {
        asm!(
            "xor {c:e}, {c:e}", "popcnt {c}, {s}", "xor {d:e}, {d:e}", "popcnt {d}, {s}",
            "xor {c:e}, {c:e}", "popcnt {c}, {s}", "xor {d:e}, {d:e}", "popcnt {d}, {s}",
            "xor {c:e}, {c:e}", "popcnt {c}, {s}", "xor {d:e}, {d:e}", "popcnt {d}, {s}",
            "xor {c:e}, {c:e}", "popcnt {c}, {s}", "xor {d:e}, {d:e}", "popcnt {d}, {s}",
            c = out(reg) _, d = out(reg) found, s = in(reg) x, options(pure, nomem, nostack),
        );
    }
    found
}

/// The pointer that is where `at` points.
fn chase(mut at: usize) -> usize {
    // SAFETY: the pointer is that of a place that holds a pointer to itself.
    unsafe { asm!("mov {p}, [{p}]", p = inout(reg) at, options(pure, readonly, nostack)) };
    at
}

/// Five words from below the stack pointer, which ends where it was.
fn five_pops() -> u64 {
    let last: u64;
    // SAFETY: without `nostack` what is below the stack pointer is nobody's; what is there is read and not used.
    unsafe {
        asm!(
            "sub rsp, 40", "pop {a}", "pop {a}", "pop {a}", "pop {a}", "pop {b}",
            a = out(reg) _, b = out(reg) last,
        );
    }
    last
}

const TERMS: [f64; 8] = [0.11, -0.07, 0.05, -0.03, 0.02, -0.013, 0.011, 0.5];

/// A polynomial of degree seven, each step of which waits for the one before.
fn horner(x: f64) -> f64 {
    let [a, b, c, d, e, f, g, h] = TERMS;
    ((((((a * x + b) * x + c) * x + d) * x + e) * x + f) * x + g) * x + h
}

/// The same in pairs, which do not wait for one another.
fn estrin(x: f64) -> f64 {
    let [a, b, c, d, e, f, g, h] = TERMS;
    let square = x * x;
    let high = (a * x + b) * square + (c * x + d);
    let low = (e * x + f) * square + (g * x + h);
    high * (square * square) + low
}

/// A kernel, and what is known of where models miss it.
struct Told {
    what: &'static str,
    why: &'static str,
}

const TOLD: [Told; 10] = [
    Told {
        what: "an exclusive or (1) and a multiplication (3): 4 cycles a byte",
        why: "both are modelled well",
    },
    Told {
        what: "four dependent additions of doubles",
        why: "loads and products are beside the chain, which is additions alone",
    },
    Told {
        what: "four dependent fused multiply-adds of 4 doubles",
        why: "the sum enters at the accumulator: models that let it wait for the load as well are too slow",
    },
    Told {
        what: "eight counts into one register",
        why: "Sandy Bridge to Skylake wait for the old value of the destination, which few models know",
    },
    Told {
        what: "eight counts into cleared registers",
        why: "a cleared register costs no execution, only a place in the front end",
    },
    Told {
        what: "a load whose address is the last load's value",
        why: "models of Zen have a fixed load latency of 5 where simple addresses take 4; Intel's fast path differs likewise",
    },
    Told {
        what: "a subtraction from the stack pointer, five pops",
        why: "the stack engine adds to the stack pointer before execution; models make each pop wait for the last",
    },
    Told {
        what: "seven multiplications and additions in one chain",
        why: "latencies add up, which is what models know best",
    },
    Told {
        what: "the same polynomial in pairs",
        why: "units and chain are near each other, and ports are picked differently",
    },
    Told {
        what: "a division of doubles that waits for the last",
        why: "the time of a divider depends on values and design, and models have one number",
    },
];

fn main() -> ExitCode {
    traps::lesson("Measured and predicted, from the same loop.", tell)
}

fn tell(lab: &mut Lab) -> Result<String> {
    if !std::arch::is_x86_feature_detected!("popcnt") || !std::arch::is_x86_feature_detected!("fma") {
        return Ok("This CPU has no POPCNT or no FMA.\n".to_owned());
    }
    let (a, b) = ([0.25f64; 16], [0.5f64; 16]);
    let mut place = Box::new(0usize);
    *place = &raw const *place as usize;
    let start = *place;
    let inputs: Vec<u64> = (0..256).map(|x| x * 0x9e37_79b9).collect();
    let mut found = traps::measured(
        lab,
        vec![
            Benchmark::latency("FNV-1a", 0xcbf2_9ce4_8422_2325, fnv1a),
            Benchmark::latency("dot product, scalar", 0.0, |sum| dot_scalar(sum, &a, &b)).ops(4)?,
            Benchmark::latency("dot product, 256-bit", 0.0, |sum| dot_256(sum, &a, &b)).ops(4)?,
            Benchmark::throughput("popcnt into one register", &inputs, |x| popcnt::eight_into_one(*x))?
                .ops(8)?,
            Benchmark::throughput("popcnt into cleared ones", &inputs, |x| count_into_cleared(*x))?.ops(8)?,
            Benchmark::latency("pointer chase", start, chase),
            Benchmark::throughput("five pops", &inputs, |_| five_pops())?,
            Benchmark::latency("polynomial by Horner", 0.5, horner),
            Benchmark::latency("polynomial by Estrin", 0.5, estrin),
            Benchmark::latency("division chain", 1.5f64, |x| 2.0 / x),
        ],
    )?;
    let (predictor, mut text) = match Predictor::installed(lab.machine()) {
        Ok(predictor) => (predictor, String::new()),
        Err(error) if error.kind() == ErrorKind::Io => {
            (Predictor::without_model(), format!("not predicted: {error}\n"))
        }
        Err(error) => return Err(error),
    };
    let mut model = None;
    for (one, told) in found.iter_mut().zip(&TOLD) {
        lab.predict(one, &predictor)?;
        checked(one)?;
        row(&mut text, one, told);
        model = one
            .result
            .prediction
            .as_ref()
            .map(|said| format!("{} {}, {}", said.model, said.version, said.cpu));
    }
    if let Some(model) = model {
        let _ = writeln!(text, "\nThe model: {model}; cycles an operation.");
    }
    Ok(text
        + &cleared(&found[3], &found[4])?
        + &traps::judged(&found[7], &found[8], 1.2, "Horner against Estrin")?)
}

/// What it costs not to clear the destination of a POPCNT. Where there is no false dependence clearing costs its place in the front end,
/// which is half of the instructions: it cannot be twice as dear.
fn cleared(one: &Measurement, cleared: &Measurement) -> Result<String> {
    const LEAST: f64 = 0.45;
    let cycles = |one: &Measurement| one.cycles().map_or(f64::NAN, |cycles| cycles.get());
    let ratio = cycles(one) / cycles(cleared);
    let told = format!("one register against cleared ones: {ratio:.2} times as dear");
    if one.result.upper_bound || cleared.result.upper_bound {
        return Ok(format!("\n{told}, not judged: the core was never alone.\n"));
    }
    if ratio.is_nan() || ratio < LEAST {
        return Err(Error::new(ErrorKind::CannotMeasure, told)
            .because("clearing a register adds no more than as many instructions, so something disturbed the measurement")
            .remedy("run again; tell us the CPU if it stays"));
    }
    Ok(match ratio {
        1.2.. => format!("\n{told}: this CPU waits for the old value of the destination.\n"),
        _ => format!("\n{told}: no false dependence here, and clearing costs places in the front end.\n"),
    })
}

fn row(text: &mut String, one: &Measurement, told: &Told) {
    let result = &one.result;
    let prediction = result.prediction.as_ref();
    let predicted = prediction
        .and_then(|said| said.cycles)
        .map_or_else(|| "-".to_owned(), |cycles| format!("{cycles:.2} cyc"));
    let verdict = prediction.map_or_else(String::new, |said| said.verdict.to_string());
    let _ = writeln!(
        text,
        "\n{:<26} measured {:>13}, predicted {predicted:>9}  {verdict}",
        result.id,
        cost(result)
    );
    let mut lines = vec![told.what.to_owned()];
    if let Some(said) = prediction.filter(|said| said.verdict != PredictionVerdict::Agrees) {
        lines.extend(said.reason.clone());
        lines.push(format!("known: {}", told.why));
    }
    for line in lines.iter().flat_map(|line| fencepost::record::text::wrap(line, 76)) {
        let _ = writeln!(text, "    {line}");
    }
}

/// The loop is the kernel's in a straight line, and whoever disagrees says why.
fn checked(one: &Measurement) -> Result<()> {
    let result = &one.result;
    let failed = |what: String| {
        Err(Error::new(ErrorKind::CannotMeasure, format!("{}: {what}", result.id))
            .because("each kernel here is a straight line that is timed as it is written")
            .remedy("build with --release; tell us the compiler and the CPU if it stays"))
    };
    let Some(decoded) = &result.decoded else { return failed("its loop was not decoded".to_owned()) };
    if let Some(obstacle) = &decoded.obstacle {
        return failed(format!("no straight line: {obstacle}"));
    }
    if decoded.instructions * result.ops as f64 <= 1.0 {
        return failed(format!("only {:.2} instructions an operation", decoded.instructions));
    }
    let Some(said) = &result.prediction else { return Ok(()) };
    if said.cycles.is_none_or(|cycles| cycles <= 0.0) {
        return failed("the model says nothing".to_owned());
    }
    if said.verdict == PredictionVerdict::Disagrees && said.reason.is_none() {
        return failed("the model disagrees without a reason".to_owned());
    }
    if result.id == "FNV-1a" && said.model == "llvm-mca" && said.cpu.starts_with("znver") {
        let cycles = said.cycles.unwrap_or_default();
        if (cycles - 4.0).abs() > 0.1 {
            return failed(format!("the model says {cycles:.2} cycles a byte, where it has 1 and 3"));
        }
    }
    Ok(())
}
