//! Does the sandbox hold? Hostile programs go straight to it, past all that would have refused them before: each is refused by its class or
//! measured, and nothing is left of it.

mod common;

use std::path::Path;

use common::alone;
use fencepost::asm::{Engine, Fill, Prepared, Program, Refusal, RefusalClass as Class, Sandbox};
use fencepost::{Lab, lab::Benchmark, record::Kind};

fn bytes(hex: &str) -> Vec<u8> {
    let hex: String = hex.split_whitespace().collect();
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex")).collect()
}

fn program(body: Vec<u8>) -> Program {
    Program {
        body,
        instructions: 1,
        operations: 1,
        fill: Fill { word: 0x1234_5600, double: 1.5 },
        ..Program::default()
    }
}

/// Runs it as a measurement would, and more often.
fn verdict(body: Vec<u8>) -> Result<(), Refusal> {
    let sandbox = Sandbox::new().expect("a sandbox");
    let mut prepared: Box<dyn Prepared> = sandbox.prepare(&program(body), 0).expect("a child")?;
    for iterations in [1, prepared.granule(), 20 * prepared.granule(), 7] {
        let timed = prepared.run(iterations);
        assert!(timed.ticks().get() > 0.0);
    }
    prepared.failed().map_or(Ok(()), Err)
}

/// What may become of a program.
enum Expected {
    /// One of these classes.
    Refused(&'static [Class]),
    /// A number.
    Measured,
    /// Either: by the CPU or the kernel.
    Any,
}
use Expected::{Any, Measured, Refused};

const CORPUS: &[(&str, &str, Expected)] = &[
    ("fork by syscall", "b8 39000000 0f05", Refused(&[Class::SystemCall])),
    ("execve by syscall", "b8 3b000000 0f05", Refused(&[Class::SystemCall])),
    ("exit by syscall", "b8 e7000000 0f05", Refused(&[Class::SystemCall])),
    ("futex, which the child itself may", "b8 ca000000 0f05", Refused(&[Class::SystemCall])),
    ("mmap, which the child itself may", "b8 09000000 0f05", Refused(&[Class::SystemCall])),
    ("x32 system call", "b8 39000040 0f05", Refused(&[Class::SystemCall])),
    (
        "fork by int 0x80",
        "b8 02000000 cd80",
        Refused(&[Class::SystemCall, Class::SegmentViolation, Class::Privileged]),
    ),
    (
        "sysenter",
        "0f34",
        Refused(&[Class::SystemCall, Class::IllegalInstruction, Class::JumpOut, Class::Privileged]),
    ),
    ("hlt", "f4", Refused(&[Class::Privileged])),
    ("cli", "fa", Refused(&[Class::Privileged])),
    ("sti", "fb", Refused(&[Class::Privileged])),
    ("wrmsr", "0f30", Refused(&[Class::Privileged])),
    ("rdmsr", "0f32", Refused(&[Class::Privileged])),
    ("mov cr3, rax", "0f22d8", Refused(&[Class::Privileged])),
    ("mov rax, dr0", "0f21c0", Refused(&[Class::Privileged])),
    ("lgdt [rax]", "0f0110", Refused(&[Class::Privileged, Class::SegmentViolation, Class::Misaligned])),
    ("invlpg [rax]", "0f0138", Refused(&[Class::Privileged, Class::SegmentViolation, Class::Misaligned])),
    ("in al, dx", "ec", Refused(&[Class::Privileged])),
    ("out dx, al", "ee", Refused(&[Class::Privileged])),
    ("iretq", "48cf", Refused(&[Class::Privileged, Class::JumpOut, Class::SegmentViolation])),
    ("ud2", "0f0b", Refused(&[Class::IllegalInstruction])),
    ("ud1 eax, eax", "0fb9c0", Refused(&[Class::IllegalInstruction])),
    ("int3", "cc", Refused(&[Class::Trap])),
    ("int1", "f1", Refused(&[Class::Trap])),
    ("int 3, the long form", "cd03", Refused(&[Class::Trap, Class::Privileged, Class::SegmentViolation])),
    ("trap flag", "9c 81 0c24 00010000 9d", Refused(&[Class::Trap])),
    ("alignment checks", "9c 81 0c24 00000400 9d 48 8b 40 01", Refused(&[Class::Misaligned])),
    ("direction flag left on", "fd", Measured),
    ("divide by zero", "31c9 48f7f1", Refused(&[Class::DivisionFault])),
    ("quotient too large", "48c7c2ffffffff 48f7f1", Refused(&[Class::DivisionFault])),
    ("endless jump", "ebfe", Refused(&[Class::EndlessLoop])),
    ("endless loop of two", "90 ebfd", Refused(&[Class::EndlessLoop])),
    ("jump far ahead", "e9 00000010", Refused(&[Class::JumpOut, Class::SegmentViolation])),
    ("jump far back", "e9 000000f0", Refused(&[Class::JumpOut, Class::SegmentViolation])),
    ("jump to 0", "31c0 ffe0", Refused(&[Class::JumpOut])),
    ("call through a register", "ffd0", Refused(&[Class::JumpOut])),
    ("return to nowhere", "c3", Refused(&[Class::JumpOut])),
    ("far return", "cb", Refused(&[Class::JumpOut, Class::Privileged, Class::SegmentViolation, Class::Trap])),
    (
        "rep movs over everything",
        "48c7c1ffffffff f3a4",
        Refused(&[Class::SegmentViolation, Class::EndlessLoop]),
    ),
    ("rep stos from 0 on", "31ff 48c7c1ffffffff f3aa", Refused(&[Class::SegmentViolation])),
    ("read at 0", "31c0 488b00", Refused(&[Class::SegmentViolation])),
    ("read in the kernel's half", "48b80000000000f0ffff 488b00", Refused(&[Class::SegmentViolation])),
    ("no canonical address", "48b80000000000000080 488b00", Refused(&[Class::SegmentViolation])),
    (
        "vsyscall page",
        "48b8000060ffffffffff ffd0",
        Refused(&[Class::JumpOut, Class::SystemCall, Class::SegmentViolation]),
    ),
    ("aligned move off by one", "0f28 40 01", Refused(&[Class::Misaligned])),
    ("stack at 0", "31e4 50", Refused(&[Class::StackAbuse])),
    ("stack in the kernel's half", "48bc0000000000f0ffff 50", Refused(&[Class::StackAbuse])),
    ("no canonical stack", "48bc0000000000000080 50", Refused(&[Class::StackAbuse])),
    ("stack pivot onto data", "4889c4 50 58", Measured),
    ("push alone", "50", Measured),
    ("write to its own code", "488d05f9ffffff c60090", Refused(&[Class::SelfModifying])),
    ("huge displacement", "488b80ffffff7f", Measured),
    ("displacement below 0", "488b80000000c0", Any),
    ("15 bytes", "6666666666666666 0f1f8400 00000000", Any),
    ("16 bytes", "66666666666666666666 0f1f840000000000", Any),
    ("prefixes alone", "666666f2f32e36", Any),
    ("truncated", "48b8 0102", Any),
    ("lock on nothing", "f0 90", Refused(&[Class::IllegalInstruction])),
    ("xbegin", "c7f8 00000000", Any),
    ("xabort", "c6f8 00", Any),
    ("rdpmc", "0f33", Any),
    ("rdtsc", "0f31", Measured),
    ("cpuid", "0fa2", Measured),
    ("wrfsbase", "f3480faed0", Any),
    ("wrgsbase", "f3480faed8", Any),
    ("mov fs, eax", "8ee0", Any),
    ("mov ss, eax", "8ed0", Any),
    ("wrpkru", "31c031c931d2 0f01ef", Any),
    ("change MXCSR", "c70424 00000000 0fae1424", Any),
    ("change the x87 control word", "c70424 00000000 d92c24 d9ee d9e8 def1", Any),
    ("fill the x87 stack", "d9e8", Measured),
    ("mwait", "0f01c9", Any),
    ("umwait", "f20faef0", Any),
    ("enclu", "0f01d7", Any),
    ("syscall number from memory", "8b00 0f05", Refused(&[Class::SystemCall])),
];

fn entries(directory: &str) -> usize {
    std::fs::read_dir(directory).map_or(0, Iterator::count)
}

fn children() -> String {
    let path = format!("/proc/self/task/{}/children", nix::unistd::gettid());
    std::fs::read_to_string(path).unwrap_or_default()
}

fn mappings() -> usize {
    std::fs::read_to_string("/proc/self/maps").map_or(0, |maps| {
        maps.lines().filter(|line| line.contains("rwxp") || line.contains("fencepost-scratch")).count()
    })
}

#[test]
fn hostile_programs_are_refused_or_measured_and_nothing_is_left_of_them() {
    let _alone = alone();
    assert!(CORPUS.len() >= 40);
    let before = (entries("/proc/self/fd"), mappings());
    let mut wrong = Vec::new();
    for (name, hex, expected) in CORPUS {
        let found = verdict(bytes(hex));
        let right = match (expected, &found) {
            (Refused(classes), Err(refusal)) => classes.contains(&refusal.class),
            (Measured, Ok(())) | (Any, _) => true,
            _ => false,
        };
        if !right {
            wrong.push(format!("{name}: {found:?}"));
        }
        if let Err(refusal) = &found {
            assert!(!refusal.detail.is_empty(), "{name}");
        }
        assert_eq!(children(), "", "{name} left a process");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((entries("/proc/self/fd"), mappings()), before, "descriptors and mappings");
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    let _alone = alone();
    assert_eq!(verdict(Vec::new()).unwrap_err().class, Class::Undecodable);
    assert_eq!(verdict(vec![0x90; 1 << 20]).unwrap_err().class, Class::TooLong);
    verdict(vec![0x90; 200_000]).expect("a long one");
}

#[test]
fn random_bytes_never_reach_the_parent() {
    let _alone = alone();
    let mut random = oorandom::Rand64::new(20_261_201);
    for _ in 0..150 {
        let length = 1 + random.rand_range(0..24) as usize;
        let body: Vec<u8> = (0..length).map(|_| random.rand_u64() as u8).collect();
        // Whatever becomes of it; that this goes on is what is tested.
        let _ = verdict(body);
    }
    assert_eq!(children(), "");
}

#[test]
fn a_child_can_write_no_file_and_outlives_nobody() {
    let _alone = alone();
    // open("x", O_CREAT | O_WRONLY) with the name on the stack.
    let open = "6a78 4889e7 be41000000 ba a4010000 b802000000 0f05";
    assert_eq!(verdict(bytes(open)).unwrap_err().class, Class::SystemCall);
    assert!(!Path::new("x").exists());
    let sandbox = Sandbox::new().unwrap();
    let prepared = sandbox.prepare(&program(bytes("90")), 0).unwrap().unwrap();
    assert_ne!(children(), "", "a child while it is prepared");
    drop(prepared);
    assert_eq!(children(), "");
}

/// A loop of the sandbox for a lab.
struct Sandboxed(Box<dyn Prepared>);

impl fencepost::harness::TimedLoop for Sandboxed {
    fn run(&mut self, iterations: u64) -> fencepost::tsc::Timed {
        self.0.run(iterations)
    }

    fn granule(&self) -> u64 {
        self.0.granule()
    }
}

#[test]
fn chains_cost_what_is_published_on_any_core() {
    let _alone = alone();
    let Ok(mut lab) = Lab::new() else {
        eprintln!("SKIPPED: this machine cannot measure");
        return;
    };
    if lab.cycle_source().is_none() {
        eprintln!("SKIPPED: no core cycles can be claimed on this machine");
        return;
    }
    let sandbox = Sandbox::new().unwrap();
    // Additions between two registers, and imul of one: as the ruler's, but unrolled and looped by the sandbox.
    for (name, hex, instructions, published, spare) in [
        ("add rax, rbx; add rbx, rax", "4801d8 4801c3", 2, 2.0, Some(15)),
        ("imul rax, rax", "480fafc0", 1, 3.0, Some(15)),
        ("imul rax, rax with the count in memory", "480fafc0", 1, 3.0, None),
        ("four imul in a row", "480fafc0 480fafc0 480fafc0 480fafc0", 4, 12.0, Some(15)),
    ] {
        let program = Program { instructions, spare, ..program(bytes(hex)) };
        let prepared = sandbox.prepare(&program, lab.core()).unwrap().unwrap();
        let benchmark = Benchmark::custom(name, Kind::Loop, Sandboxed(prepared));
        let found = lab.measure(vec![benchmark]).unwrap().remove(0);
        let cycles = found.cycles().expect("cycles").get();
        let clean =
            !found.result.upper_bound && found.result.verdict == fencepost::record::Verdict::Converged;
        if clean {
            assert!((cycles / published - 1.0).abs() < 0.03, "{found}");
        } else {
            eprintln!("no quiet moment: {found}");
        }
    }
}
