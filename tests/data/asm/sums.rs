#![crate_type = "lib"]

#[unsafe(no_mangle)]
pub fn sum(values: &[u64]) -> u64 {
    values.iter().sum()
}

#[unsafe(no_mangle)]
pub fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[unsafe(no_mangle)]
pub fn gather(from: &[u32], at: &[usize]) -> u32 {
    at.iter().map(|at| from[*at]).fold(0, u32::wrapping_add)
}

#[unsafe(no_mangle)]
pub fn collatz(mut x: u64) -> u32 {
    let mut steps = 0;
    while x != 1 {
        x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
        steps += 1;
    }
    steps
}
