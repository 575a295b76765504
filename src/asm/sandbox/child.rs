//! What does the child do? It shuts itself in, and then calls the code whenever the parent asks. Nothing here allocates, panics or uses
//! thread-local storage: after a fork, and with the heap gone, none of that works.

use std::arch::{asm, global_asm};
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::blob::PAGE;
use super::memory::{Control, Region, SCRATCH, STACK, STACK_REACH};

/// Pages that may be mapped onto the scratch pages.
pub(super) const MOST_PAGES: u32 = 4096;
/// No page below is mapped: what goes there means a null pointer.
pub(super) const LOWEST: u64 = 1 << 16;
pub(super) const HIGHEST: u64 = 0x7fff_ffff_0000;

/// What of the kernel the child may use after it has shut itself in.
pub(super) const ALLOWED: [i64; 3] = [libc::SYS_futex, libc::SYS_mmap, libc::SYS_exit_group];

// The one instruction from which system calls pass. Seven arguments by the C convention: the number and six.
global_asm!(
    ".pushsection .text.fencepost_sandbox,\"ax\",@progbits",
    ".p2align 4",
    ".hidden fencepost_sandbox_call",
    ".globl fencepost_sandbox_call",
    "fencepost_sandbox_call:",
    "mov rax, rdi",
    "mov rdi, rsi",
    "mov rsi, rdx",
    "mov rdx, rcx",
    "mov r10, r8",
    "mov r8, r9",
    "mov r9, [rsp + 8]",
    "syscall",
    ".hidden fencepost_sandbox_returns",
    ".globl fencepost_sandbox_returns",
    "fencepost_sandbox_returns:",
    "ret",
    ".popsection",
);

unsafe extern "C" {
    fn fencepost_sandbox_call(
        number: i64,
        a: usize,
        b: usize,
        c: usize,
        d: usize,
        e: usize,
        f: usize,
    ) -> isize;
    static fencepost_sandbox_returns: u8;
}

/// The address that the filter knows our calls by.
pub(super) fn call_returns_to() -> u64 {
    (&raw const fencepost_sandbox_returns) as u64
}

/// The base of this thread's thread-local storage, into which the kernel writes (rseq).
pub(super) fn thread_pointer() -> u64 {
    let base: u64;
    // SAFETY: the x86-64 ABI keeps the thread pointer at FS:0, which is readable.
    unsafe { asm!("mov {}, fs:0", out(reg) base, options(nostack, preserves_flags, readonly, pure)) };
    base
}

/// The control page and the code's range for the signal handler. Not 0, so that it lies in the data section, which comes from the file and
/// stays mapped.
static CONTROL: AtomicUsize = AtomicUsize::new(1);
static CODE: [AtomicUsize; 2] = [AtomicUsize::new(1), AtomicUsize::new(1)];

/// # Safety
///
/// Only in a process that has just been forked and has no other thread; `region` is the parent's, furnished, with `ranges` and
/// `filter` written into its control page.
pub(super) unsafe fn main(region: &Region) -> ! {
    let control = region.control();
    CONTROL.store(std::ptr::from_ref(control) as usize, Ordering::Relaxed);
    CODE[0].store(region.code() as usize, Ordering::Relaxed);
    CODE[1].store(region.range().1 as usize, Ordering::Relaxed);
    // SAFETY: system calls on this process alone, with constants and with memory that stays mapped.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::getppid() as u32 != control.parent.load(Ordering::Relaxed) {
            libc::_exit(2); // The parent ended before it could end us.
        }
        libc::prctl(libc::PR_SET_DUMPABLE, 0);
        limit(libc::RLIMIT_CORE, 0);
        limit(libc::RLIMIT_FSIZE, 0);
        limit(libc::RLIMIT_NPROC, 0);
        limit(libc::RLIMIT_DATA, 0);
        limit(libc::RLIMIT_CPU, 60);
        // The scratch page is descriptor 0, and there is no other.
        libc::dup2(region.scratch(), 0);
        if libc::syscall(libc::SYS_close_range, 1u32, u32::MAX, 0u32) != 0 {
            for descriptor in 1..4096 {
                libc::close(descriptor);
            }
        }
        handlers(region);
    }
    let word = control.word.load(Ordering::Relaxed);
    let view = region.view();
    for range in &control.ranges {
        let [start, length] = [&range[0], &range[1]].map(|part| part.load(Ordering::Relaxed) as usize);
        if length != 0 {
            call(libc::SYS_munmap, [start, length, 0, 0, 0, 0]);
        }
    }
    let filter = libc::sock_fprog {
        len: control.filter_length.load(Ordering::Relaxed) as u16,
        filter: std::ptr::from_ref(&control.filter).cast_mut().cast(),
    };
    let filter = std::ptr::from_ref(&filter) as usize;
    call(libc::SYS_prctl, [libc::PR_SET_NO_NEW_PRIVS as usize, 1, 0, 0, 0, 0]);
    const SECCOMP_MODE_FILTER: usize = 2;
    if call(libc::SYS_prctl, [libc::PR_SET_SECCOMP as usize, SECCOMP_MODE_FILTER, filter, 0, 0, 0]) != 0 {
        leave();
    }
    let mut served = 0;
    loop {
        let request = control.request.load(Ordering::Acquire);
        if request == served {
            let futex = std::ptr::from_ref(&control.request) as usize;
            call(libc::SYS_futex, [futex, libc::FUTEX_WAIT as usize, served as usize, 0, 0, 0]);
            continue;
        }
        served = request;
        let entry = control.entry.load(Ordering::Relaxed) as usize;
        // SAFETY: the parent gives the address of one of the blob's functions, which keep to the C convention, whatever the
        // program in them does, or end by a signal.
        let function: extern "C" fn(u64) = unsafe { std::mem::transmute(entry) };
        for turns in [control.warm.load(Ordering::Relaxed), control.turns.load(Ordering::Relaxed)] {
            if turns > 0 {
                refill(view, word);
                function(turns);
            }
        }
        answer(control, request);
    }
}

fn call(number: i64, arguments: [usize; 6]) -> isize {
    let [a, b, c, d, e, f] = arguments;
    // SAFETY: a system call by the C convention; what it does to this process is its callers' matter, and all of them are above
    // or below.
    unsafe { fencepost_sandbox_call(number, a, b, c, d, e, f) }
}

fn answer(control: &Control, request: u32) {
    control.done.store(request, Ordering::Release);
    let futex = std::ptr::from_ref(&control.done) as usize;
    call(libc::SYS_futex, [futex, libc::FUTEX_WAKE as usize, 1, 0, 0, 0]);
}

fn leave() -> ! {
    loop {
        call(libc::SYS_exit_group, [1, 0, 0, 0, 0, 0]);
    }
}

fn refill(view: *mut u64, word: u64) {
    for at in 0..SCRATCH / 8 {
        // SAFETY: `view` is the scratch pages as eight-byte words, mapped and writable.
        unsafe { view.wrapping_add(at).write_volatile(word) };
    }
}

/// # Safety
///
/// As for [`main`].
unsafe fn limit(what: libc::__rlimit_resource_t, most: u64) {
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: a pointer to a value that lives through the call.
    unsafe { libc::setrlimit(what, &raw const limit) };
}

/// # Safety
///
/// As for [`main`].
unsafe fn handlers(region: &Region) {
    let (stack, length) = region.signal_stack();
    let stack = libc::stack_t { ss_sp: stack, ss_flags: 0, ss_size: length };
    // SAFETY: the stack is mapped for as long as this process lives; the handler has the signature that SA_SIGINFO asks for.
    unsafe {
        libc::sigaltstack(&raw const stack, std::ptr::null_mut());
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_signal as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
        for signal in [
            libc::SIGSEGV,
            libc::SIGBUS,
            libc::SIGILL,
            libc::SIGFPE,
            libc::SIGTRAP,
            libc::SIGSYS,
            libc::SIGABRT,
        ] {
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
}

/// Maps the page that is missing and goes on, or reports what happened and ends.
extern "C" fn on_signal(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // The program may have asked for alignment checks, which Rust code does not keep to.
    // SAFETY: writes the flags alone, and nothing below RSP that is in use: without `nostack` the compiler keeps the red zone free.
    unsafe { asm!("pushfq", "and dword ptr [rsp], 0xfffbffff", "popfq") };
    let control = CONTROL.load(Ordering::Relaxed) as *const Control;
    // SAFETY: set in `main` before any handler was, to a page that stays mapped.
    let control = unsafe { &*control };
    // SAFETY: the kernel gives both for a handler with SA_SIGINFO, and they live as long as it runs.
    let (code, registers) = unsafe {
        let context = &*context.cast::<libc::ucontext_t>();
        ((*info).si_code, &context.uc_mcontext.gregs)
    };
    let register = |at: c_int| registers.get(at as usize).copied().unwrap_or(0) as u64;
    let (ip, error) = (register(libc::REG_RIP), register(libc::REG_ERR));
    let address = register(libc::REG_CR2);
    const SEGV_MAPERR: c_int = 1;
    const FETCH: u64 = 1 << 4;
    let page = address & !(PAGE as u64 - 1);
    let code_range = CODE[0].load(Ordering::Relaxed) as u64..CODE[1].load(Ordering::Relaxed) as u64;
    if signal == libc::SIGSEGV
        && code == SEGV_MAPERR
        && error & FETCH == 0
        && code_range.contains(&ip)
        && (LOWEST..HIGHEST).contains(&page)
        && control.pages.fetch_add(1, Ordering::Relaxed) < MOST_PAGES
    {
        let writable = (libc::PROT_READ | libc::PROT_WRITE) as usize;
        let flags = (libc::MAP_SHARED | libc::MAP_FIXED_NOREPLACE) as usize;
        let offset = if page.abs_diff(STACK) < STACK_REACH { PAGE } else { 0 };
        let mapped = call(libc::SYS_mmap, [page as usize, PAGE, writable, flags, 0, offset]);
        if mapped as u64 == page {
            return;
        }
    }
    control.code.store(code, Ordering::Relaxed);
    control.trap.store(register(libc::REG_TRAPNO), Ordering::Relaxed);
    control.error.store(error, Ordering::Relaxed);
    control.address.store(address, Ordering::Relaxed);
    control.ip.store(ip, Ordering::Relaxed);
    const BY_NUMBER: [c_int; 16] = [
        libc::REG_RAX,
        libc::REG_RCX,
        libc::REG_RDX,
        libc::REG_RBX,
        libc::REG_RSP,
        libc::REG_RBP,
        libc::REG_RSI,
        libc::REG_RDI,
        libc::REG_R8,
        libc::REG_R9,
        libc::REG_R10,
        libc::REG_R11,
        libc::REG_R12,
        libc::REG_R13,
        libc::REG_R14,
        libc::REG_R15,
    ];
    for (kept, at) in control.registers.iter().zip(BY_NUMBER) {
        kept.store(register(at), Ordering::Relaxed);
    }
    control.signal.store(signal, Ordering::Release);
    answer(control, control.request.load(Ordering::Relaxed));
    leave();
}
