//! What is counted by both: a short and a long recursion, compiled once.

/// Not inlined, so that both harnesses call the very same instructions.
#[inline(never)]
pub fn fibonacci(n: u64) -> u64 {
    match n {
        0 | 1 => 1,
        n => fibonacci(n - 1) + fibonacci(n - 2),
    }
}
