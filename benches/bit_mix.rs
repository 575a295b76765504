//! The model of a bench target: a kernel, candidates beside one another, a routine with setup, and parameters.
//!
//! `cargo bench --bench bit_mix`; `cargo bench --bench bit_mix -- --help` lists what can be asked for.

/// The case study: two multiplications and three shift-xor pairs, each waiting for the one before it.
fn bit_mix(mut x: u64) -> u64 {
    x ^= x >> 33;
    x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^= x >> 33;
    x = x.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

/// The byte-wise hash FNV-1a of a number.
fn fnv(x: u64) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    x.to_le_bytes().into_iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

/// Inputs that have nothing to do with one another.
fn random(count: usize) -> Vec<u64> {
    let mut random = oorandom::Rand64::new(2026);
    (0..count).map(|_| random.rand_u64()).collect()
}

fn main() -> std::process::ExitCode {
    fencepost::suite(|s| {
        s.kernel("bit_mix", bit_mix).latency(42).throughput(|| random(1024));
        // Two hashes are not meant to give the same values; implementations of one thing are, and that is checked first.
        s.compare("hash")
            .candidate("fnv", fnv)
            .candidate("mix", bit_mix)
            .unchecked()
            .inputs(|| random(1024))
            .bytes(8);
        s.compare_latency("times nine")
            .candidate("multiply", |x: u64| x.wrapping_mul(9))
            .candidate("shift", |x| (x << 3).wrapping_add(x))
            .seed(42);
        s.parameters("sort", [16, 256], |s, count| {
            let sort = |mut values: Vec<u64>| {
                values.sort_unstable();
                values
            };
            s.routine("random", move || random(count), sort).elements(count as u64);
        });
        s.sweep("sum", [64, 1024, 16384], random, |values| values.iter().copied().fold(0, u64::wrapping_add))
            .bytes_by(|count| 8 * *count as u64);
    })
}
