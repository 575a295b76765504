//! The lesson: why is one slower than the other? Three pairs, and what their counts say: instructions, memory, branches.
//!
//! `cargo run --release --features cachegrind --example cause` counts them under Valgrind, tells why, and checks its own claims. With
//! arguments it is a suite like any other: `-- --mode cachegrind --explain walk/sequential walk/shuffled`.

use std::collections::VecDeque;
use std::hint::black_box;
use std::process::{Command, ExitCode, Stdio};
use std::rc::Rc;

use fencepost::cachegrind::{Cause, explain};
use fencepost::record::Record;
use fencepost::record::text::wrap;
use fencepost::suite::Suite;
use fencepost::{Error, ErrorKind, ExitStatus, Result, output};

/// Values that are pushed on a stack, and taken off again.
const DEPTH: u64 = 1000;
/// Nodes of the arena, 8 bytes each: twice what the simulated last level holds.
const NODES: u32 = 1 << 21;
/// Values that are filtered.
const VALUES: usize = 4096;

fn vec_stack(depth: u64) -> u64 {
    let mut stack = Vec::with_capacity(depth as usize);
    (0..depth).for_each(|value| stack.push(black_box(value)));
    std::iter::from_fn(|| stack.pop()).fold(0, |sum, value| sum ^ value)
}

fn deque_stack(depth: u64) -> u64 {
    let mut stack = VecDeque::with_capacity(depth as usize);
    (0..depth).for_each(|value| stack.push_back(black_box(value)));
    std::iter::from_fn(|| stack.pop_back()).fold(0, |sum, value| sum ^ value)
}

#[derive(Clone, Copy)]
struct Node {
    next: u32,
    value: u32,
}

/// Each node leads to the next place, or to one far away: `step` is 1, or the factor of a generator that visits every place.
fn arena(step: u32) -> Vec<Node> {
    let far = |place: u32| place.wrapping_mul(step).wrapping_add(1) % NODES;
    (0..NODES).map(|place| Node { next: far(place), value: place }).collect()
}

fn walk(arena: &[Node]) -> u32 {
    let (mut place, mut sum) = (0, 0u32);
    for _ in 0..NODES {
        let node = arena[place as usize];
        (place, sum) = (node.next, sum.wrapping_add(node.value));
    }
    sum
}

fn values() -> Vec<u8> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..VALUES).map(|_| next()).collect()
}

fn sorted() -> Vec<u8> {
    let mut values = values();
    values.sort_unstable();
    values
}

fn filtered(values: &[u8]) -> u64 {
    let mut sum = 0;
    for value in values {
        if *value >= 128 {
            // The barrier keeps this a branch.
            sum = black_box(sum + u64::from(*value));
        }
    }
    sum
}

fn register(s: &mut Suite<'_>) {
    s.throughput("stack/vec", vec![DEPTH], |depth| vec_stack(*depth)).ops(DEPTH);
    s.throughput("stack/deque", vec![DEPTH], |depth| deque_stack(*depth)).ops(DEPTH);
    for (name, step) in [("walk/sequential", 1), ("walk/shuffled", 0x9e37_79b5)] {
        s.throughput(name, move || vec![Rc::new(arena(step))], |arena| walk(arena)).ops(NODES.into());
    }
    s.throughput("filter/sorted", || vec![Rc::new(sorted())], |values| filtered(values)).ops(VALUES as u64);
    s.throughput("filter/shuffled", || vec![Rc::new(values())], |values| filtered(values)).ops(VALUES as u64);
}

/// What is claimed of each pair.
const CLAIMS: [(&str, &str, Cause); 3] = [
    ("stack/vec", "stack/deque", Cause::Instructions),
    ("walk/sequential", "walk/shuffled", Cause::Memory),
    ("filter/sorted", "filter/shuffled", Cause::Branches),
];

fn main() -> ExitCode {
    if std::env::args_os().len() > 1 { fencepost::suite(register) } else { output::finish(lesson()) }
}

/// Counts all of them in processes of their own, and tells what came out.
fn lesson() -> Result<ExitStatus> {
    let failed = |what: String| {
        Error::new(ErrorKind::Input, what)
            .because("the lesson is told by its counts")
            .remedy("see what --mode cachegrind says above")
    };
    let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
    let counted = Command::new(program)
        .args(["--mode", "cachegrind", "--branch-sim", "--format", "json"])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| failed(error.to_string()))?;
    match counted.status.code() {
        Some(0) => {}
        Some(4) => return Ok(ExitStatus::CannotMeasure),
        _ => return Err(failed(format!("the pairs were not counted: {}", counted.status))),
    }
    let record = Record::from_json(&String::from_utf8_lossy(&counted.stdout))?;
    let counts = |id: &str| {
        let result = record.results.iter().find(|result| result.id == id);
        result
            .and_then(|result| result.counts.as_ref())
            .ok_or_else(|| failed(format!("{id} was not counted")))
    };
    let mut wrong = Vec::new();
    for (a, b, cause) in CLAIMS {
        let told = explain((a, counts(a)?), (b, counts(b)?));
        output::emit(&format!("{}\n\n", wrap(&told.sentence, 80).join("\n")))?;
        if told.cause != cause {
            wrong.push(format!("{a} against {b} is {}, not {cause}", told.cause));
        }
    }
    if wrong.is_empty() { Ok(ExitStatus::Done) } else { Err(failed(wrong.join("; "))) }
}
