//! What happens where the kernel refuses to pin? The program that is refused is this one, run again under a seccomp filter.

use std::process::Command;

use fencepost::{ErrorKind, ExitStatus, Lab};

const MARK: &str = "FENCEPOST_TEST_REFUSE_PINNING";

/// Makes `sched_setaffinity` fail with EPERM in this process, for good.
fn forbid_pinning() {
    use libc::{BPF_ABS, BPF_JEQ, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W};
    let statement = |code: u32, k: u32| libc::sock_filter { code: code as u16, jt: 0, jf: 0, k };
    let mut filter = [
        // The number of the system call is the first word of what the filter sees.
        statement(BPF_LD | BPF_W | BPF_ABS, 0),
        libc::sock_filter {
            code: (BPF_JMP | BPF_JEQ | BPF_K) as u16,
            jt: 0,
            jf: 1,
            k: libc::SYS_sched_setaffinity as u32,
        },
        statement(BPF_RET | BPF_K, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
        statement(BPF_RET | BPF_K, libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: the program and its filter live until the call returns, and the kernel copies them.
    unsafe {
        assert_eq!(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
        assert_eq!(libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program), 0);
    }
}

#[test]
fn a_refusal_to_pin_is_an_error_with_a_remedy() {
    if std::env::var_os(MARK).is_none() {
        let test = "a_refusal_to_pin_is_an_error_with_a_remedy";
        let output = Command::new(std::env::current_exe().unwrap())
            .args([test, "--exact", "--nocapture"])
            .env(MARK, "1")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && text.contains("refused as it should be"), "{text}");
        return;
    }
    forbid_pinning();
    let error = Lab::new().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CannotMeasure);
    assert_eq!(error.exit_status(), ExitStatus::CannotMeasure);
    let text = error.to_string();
    assert!(
        text.contains("cannot pin to core") && text.contains("EPERM") && text.contains("seccomp"),
        "{text}"
    );
    println!("refused as it should be: {text}");
}
