//! Every loop that is found in the timed functions of this repository's benches is a loop in the disassembly that objdump makes of the
//! same file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use fencepost::predict::{Code, Flow, Loop, TimedCode};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};

use crate::common;

/// All of them that a bench target is made of, the ones for tests included.
const BENCHES: [&str; 9] = [
    "bit_mix",
    "cachegrind_fixture",
    "comparisons",
    "explored_fixture",
    "placements_fixture",
    "suite_fixture",
    "suite_run_fixture",
    "truths",
    "verdicts",
];

/// Functions of a file that read the time stamp counter.
fn functions(file: &Path) -> Vec<Code> {
    let bytes = std::fs::read(file).unwrap();
    let object = object::File::parse(&*bytes).unwrap();
    let text = object.section_by_name(".text").unwrap();
    let (start, data) = (text.address(), text.data().unwrap());
    let mut found = BTreeMap::new();
    for symbol in object.symbols().filter(|one| one.kind() == SymbolKind::Text && one.size() > 0) {
        let Some(from) = symbol.address().checked_sub(start) else { continue };
        let to = from + symbol.size();
        let Some(code) = data.get(from as usize..to as usize) else { continue };
        if code.windows(2).any(|pair| pair == [0x0f, 0x31]) {
            let name = symbol.name().ok().map(str::to_owned);
            found.insert(
                symbol.address(),
                Code { address: symbol.address(), bytes: code.to_vec(), symbol: name },
            );
        }
    }
    found.into_values().collect()
}

/// Where control goes from each instruction, by objdump's text.
fn disassembled(file: &Path) -> BTreeMap<u64, Vec<u64>> {
    let output = Command::new("objdump").args(["-d", "-w", "--no-show-raw-insn"]).arg(file).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<(u64, String)> = text
        .lines()
        .filter_map(|line| {
            let (address, instruction) = line.trim_start().split_once(":\t")?;
            Some((u64::from_str_radix(address, 16).ok()?, instruction.to_owned()))
        })
        .collect();
    let mut edges = BTreeMap::new();
    for (at, (address, instruction)) in lines.iter().enumerate() {
        let mut words =
            instruction.split_whitespace().skip_while(|word| ["bnd", "notrack", "data16"].contains(word));
        let mnemonic = words.next().unwrap_or_default();
        let target = words.next().and_then(|word| u64::from_str_radix(word, 16).ok());
        let is_jump = mnemonic.starts_with('j') || mnemonic.starts_with("loop");
        let mut next = Vec::new();
        if is_jump {
            next.extend(target);
        }
        if !mnemonic.starts_with("jmp") && !mnemonic.starts_with("ret") {
            next.extend(lines.get(at + 1).map(|(next, _)| *next));
        }
        edges.insert(*address, next);
    }
    edges
}

/// The instructions of `body` that are reached from `head` by `edges`, without leaving it.
fn reached(head: u64, body: &BTreeSet<u64>, edges: impl Fn(u64) -> Vec<u64>) -> BTreeSet<u64> {
    let (mut found, mut open) = (BTreeSet::from([head]), vec![head]);
    while let Some(at) = open.pop() {
        for next in edges(at) {
            if body.contains(&next) && found.insert(next) {
                open.push(next);
            }
        }
    }
    found
}

fn is_a_loop(one: &Loop, edges: &BTreeMap<u64, Vec<u64>>) -> Result<(), String> {
    if let Some(foreign) = one.body.iter().find(|at| !edges.contains_key(at)) {
        return Err(format!("no instruction begins at {foreign:#x}"));
    }
    for closing in &one.closing {
        if !edges[closing].contains(&one.head) {
            return Err(format!("{closing:#x} does not lead to {:#x}", one.head));
        }
    }
    let mut before: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for at in &one.body {
        for next in &edges[at] {
            before.entry(*next).or_default().push(*at);
        }
    }
    let forth = reached(one.head, &one.body, |at| edges[&at].clone());
    let back = reached(one.head, &one.body, |at| before.get(&at).cloned().unwrap_or_default());
    match one.body.iter().find(|at| !forth.contains(at) || !back.contains(at)) {
        Some(apart) => Err(format!("{apart:#x} is in no round from {:#x}", one.head)),
        None if one.closing.is_empty() => Err("nothing closes it".to_owned()),
        None => Ok(()),
    }
}

#[test]
fn every_loop_of_all_benches_is_one_by_objdump_too() {
    if !common::has("objdump") {
        return;
    }
    let programs = common::benches(&BENCHES);
    assert_eq!(programs.len(), BENCHES.len(), "{programs:?}");
    let (mut timed, mut loops, mut inner) = (0, 0, 0);
    for program in programs {
        let edges = disassembled(&program);
        let mut here = 0;
        for code in functions(&program) {
            let (address, symbol) = (code.address, code.symbol.clone());
            let Some(flow) = Flow::of_region(&code) else { continue };
            let found = flow.loops();
            for one in &found {
                if let Err(why) = is_a_loop(one, &edges) {
                    panic!("{program:?}, {symbol:?} at {address:#x}: {why}\n{one:x?}");
                }
            }
            let outer = flow.outermost();
            inner += found.len() - outer.len();
            loops += found.len();
            if !flow.closing.is_empty() && !outer.is_empty() {
                // What is timed is no loop inside of another.
                let decoded = TimedCode::of(code, 1, &|_| None).unwrap();
                assert!(outer.contains(&decoded.timed_loop), "{program:?}, {symbol:?}");
                here += 1;
            }
        }
        assert!(here > 0, "{program:?} has no timed loop");
        timed += here;
    }
    eprintln!("{timed} timed functions with {loops} loops, {inner} of them inside of others");
    assert!(timed > 50 && inner > 20, "{timed} {inner}");
}
