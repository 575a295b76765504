//! Which system calls may the child make? Those of one instruction of ours, and the return from a signal.

use crate::error::{Error, ErrorKind, Result};

/// Offsets in `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const POINTER_LOW: u32 = 8;
const POINTER_HIGH: u32 = 12;

const AUDIT_ARCH_X86_64: u32 = 0xc000_003e;
const RET_ALLOW: u32 = 0x7fff_0000;
/// A SIGSYS, which the child's handler reports.
const RET_TRAP: u32 = 0x0003_0000;
const RET_KILL: u32 = 0x8000_0000;

/// The filter for a child whose own calls return to `pointer`; an array of classic BPF instructions.
///
/// The architecture is checked first: `int 0x80` and `sysenter` use the 32-bit numbers, under which the same number is another
/// call. A number with the x32 bit is none of those that are allowed.
pub(super) fn program(pointer: u64, allowed: &[i64]) -> Vec<libc::sock_filter> {
    let load = |offset: u32| instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, offset);
    let equal = |value: u32, yes: u8, no: u8| {
        instruction(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, yes, no, value)
    };
    let give = |value: u32| instruction(libc::BPF_RET | libc::BPF_K, 0, 0, value);
    let mut filter = vec![load(ARCHITECTURE), equal(AUDIT_ARCH_X86_64, 1, 0), give(RET_TRAP), load(NUMBER)];
    // From wherever the C library keeps the end of signal handlers.
    filter.extend([equal(libc::SYS_rt_sigreturn as u32, 0, 1), give(RET_ALLOW)]);
    filter.extend([load(POINTER_LOW), equal(pointer as u32, 1, 0), give(RET_TRAP)]);
    filter.extend([load(POINTER_HIGH), equal((pointer >> 32) as u32, 1, 0), give(RET_TRAP)]);
    filter.push(load(NUMBER));
    for number in allowed {
        filter.extend([equal(*number as u32, 0, 1), give(RET_ALLOW)]);
    }
    filter.push(give(RET_KILL));
    filter
}

fn instruction(code: u32, jt: u8, jf: u8, k: u32) -> libc::sock_filter {
    libc::sock_filter { code: code as u16, jt, jf, k }
}

/// # Errors
///
/// `CannotMeasure` where the kernel has no seccomp filters.
pub(super) fn supported() -> Result<()> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    if status.is_empty() || status.lines().any(|line| line.starts_with("Seccomp:")) {
        return Ok(());
    }
    Err(Error::new(ErrorKind::CannotMeasure, "this kernel has no seccomp")
        .because("code that nobody has vouched for runs only under a system call filter")
        .remedy("use a kernel built with CONFIG_SECCOMP_FILTER, as those of all distributions are"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the filter says, by a small machine for the instructions that it is made of.
    fn verdict(filter: &[libc::sock_filter], number: u32, architecture: u32, pointer: u64) -> u32 {
        let word = |offset: u32| match offset {
            NUMBER => number,
            ARCHITECTURE => architecture,
            POINTER_LOW => pointer as u32,
            POINTER_HIGH => (pointer >> 32) as u32,
            _ => panic!("offset {offset}"),
        };
        let (mut at, mut accumulator) = (0, 0);
        loop {
            let one = filter[at];
            at += 1;
            match u32::from(one.code) & 7 {
                libc::BPF_LD => accumulator = word(one.k),
                libc::BPF_JMP => at += usize::from(if accumulator == one.k { one.jt } else { one.jf }),
                libc::BPF_RET => return one.k,
                code => panic!("class {code}"),
            }
        }
    }

    #[test]
    fn only_our_own_calls_pass() {
        const OURS: u64 = 0x5555_1234_5678;
        let allowed = [libc::SYS_futex, libc::SYS_mmap];
        let filter = program(OURS, &allowed);
        let asked =
            |number: i64, architecture, pointer| verdict(&filter, number as u32, architecture, pointer);
        assert_eq!(asked(libc::SYS_futex, AUDIT_ARCH_X86_64, OURS), RET_ALLOW);
        assert_eq!(asked(libc::SYS_rt_sigreturn, AUDIT_ARCH_X86_64, 7), RET_ALLOW);
        assert_eq!(asked(libc::SYS_futex, AUDIT_ARCH_X86_64, OURS + 1), RET_TRAP);
        assert_eq!(asked(libc::SYS_futex, AUDIT_ARCH_X86_64, OURS ^ 1 << 40), RET_TRAP);
        assert_eq!(asked(libc::SYS_fork, AUDIT_ARCH_X86_64, OURS), RET_KILL);
        // i386, where 202 is not futex but getgid; and x32.
        assert_eq!(asked(libc::SYS_futex, 0x4000_0003, OURS), RET_TRAP);
        assert_eq!(asked(libc::SYS_futex | 0x4000_0000, AUDIT_ARCH_X86_64, OURS), RET_KILL);
    }
}
