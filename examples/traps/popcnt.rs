//! Population counts that would be independent of one another, but for where they go.

use std::arch::asm;

/// Eight population counts into one register, which none of them needs.
pub(crate) fn eight_into_one(x: u64) -> u64 {
    let found: u64;
    // SAFETY: the caller asks for POPCNT first; registers are declared.
    unsafe {
        asm!(
            "popcnt {d}, {s}", "popcnt {d}, {s}", "popcnt {d}, {s}", "popcnt {d}, {s}",
            "popcnt {d}, {s}", "popcnt {d}, {s}", "popcnt {d}, {s}", "popcnt {d}, {s}",
            d = out(reg) found, s = in(reg) x, options(pure, nomem, nostack),
        );
    }
    found
}
