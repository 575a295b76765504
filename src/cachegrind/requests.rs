//! How does a program talk to the Valgrind that it runs under? By client requests: an instruction sequence that does nothing on a
//! CPU, and that Valgrind recognizes (Valgrind manual 3.1; callgrind manual, client requests).

use std::arch::asm;
use std::ffi::CStr;

/// The base of a tool's own requests: two letters in the upper half.
const fn base(tool: [u8; 2]) -> u64 {
    (tool[0] as u64) << 24 | (tool[1] as u64) << 16
}

const RUNNING_ON_VALGRIND: u64 = 0x1001;
const CALLGRIND: u64 = base(*b"CT");
const ZERO_STATS: u64 = CALLGRIND + 1;
const TOGGLE_COLLECT: u64 = CALLGRIND + 2;
const DUMP_STATS_AT: u64 = CALLGRIND + 3;

/// Makes a request with one argument; gives `default` on a CPU.
///
/// # Safety
///
/// `argument` has to be what `code` asks for: Valgrind reads memory through it where it is an address.
#[inline(always)]
unsafe fn request(code: u64, argument: u64, default: u64) -> u64 {
    let block: [u64; 6] = [code, argument, 0, 0, 0, 0];
    let answer;
    // SAFETY: the four rotations of RDI sum to 128 bits and the exchange is of RBX with itself, so on a CPU only the flags change,
    // which are declared. Valgrind reads the six words at RAX, which are alive, and writes RDX. `nomem` is left out: memory has to
    // be as the program says when Valgrind looks at it.
    unsafe {
        asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") block.as_ptr(),
            inout("rdx") default => answer,
            options(nostack),
        );
    }
    answer
}

/// Whether this program runs under Valgrind.
pub(super) fn is_under_valgrind() -> bool {
    // SAFETY: takes no argument.
    unsafe { request(RUNNING_ON_VALGRIND, 0, 0) != 0 }
}

/// Begins to collect, or ends to. Without effect under other tools than callgrind.
#[inline(never)]
pub(super) fn toggle_collect() {
    // SAFETY: takes no argument.
    unsafe { request(TOGGLE_COLLECT, 0, 0) };
}

/// Forgets what was collected.
pub(super) fn zero() {
    // SAFETY: takes no argument.
    unsafe { request(ZERO_STATS, 0, 0) };
}

/// Writes what was collected to a file of its own, which names `label`, and forgets it.
pub(super) fn dump(label: &CStr) {
    // SAFETY: the argument is the address of a text that ends with a zero.
    unsafe { request(DUMP_STATS_AT, label.as_ptr() as u64, 0) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_a_cpu_requests_do_nothing() {
        assert!(!is_under_valgrind());
        toggle_collect();
        zero();
        dump(c"label");
        // SAFETY: a code that no tool knows takes no argument.
        assert_eq!(unsafe { request(base(*b"??"), 0, 77) }, 77);
    }
}
