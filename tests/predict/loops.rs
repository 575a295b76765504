//! Every loop that is found is a loop in the disassembly that objdump makes of the same program.

use std::collections::BTreeSet;
use std::process::Command;

use fencepost::harness::{Latency, Throughput, TimedLoop};

use crate::{bit_mix, decoded};

/// Jumps of this program, as (from, to), by objdump.
fn jumps() -> BTreeSet<(u64, u64)> {
    let program = std::env::current_exe().unwrap();
    let output = Command::new("objdump").args(["-d", "--no-show-raw-insn"]).arg(program).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let jump = |line: &str| {
        let (address, instruction) = line.trim_start().split_once(":\t")?;
        let mut words = instruction.split_whitespace();
        let mnemonic = words.next()?;
        let target = words.next().filter(|_| mnemonic.starts_with('j'))?;
        Some((u64::from_str_radix(address, 16).ok()?, u64::from_str_radix(target, 16).ok()?))
    };
    text.lines().filter_map(jump).collect()
}

/// Where this program lies in memory.
fn bias() -> u64 {
    let program = std::env::current_exe().unwrap();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let line = maps.lines().find(|line| line.ends_with(program.to_str().unwrap())).unwrap();
    u64::from_str_radix(line.split_once('-').unwrap().0, 16).unwrap()
}

#[test]
fn every_loop_is_one_by_objdump_too() {
    if !crate::common::has("objdump") {
        return;
    }
    let jumps = jumps();
    let bias = bias();
    let inputs: Vec<u64> = (0..1000).collect();
    let floats: Vec<f64> = (1..500).map(f64::from).collect();
    let mut state = 0u64;
    let loops: Vec<Box<dyn TimedLoop>> = vec![
        Box::new(Latency::new(42u64, bit_mix)),
        Box::new(Latency::new(1.5f64, |x| x * 1.25 + 0.5)),
        Box::new(Latency::new(String::from("x"), |x| x)),
        Box::new(Latency::new(9u64, |x| (0..x % 7).fold(x, |sum, one| sum ^ one.wrapping_mul(sum)))),
        Box::new(Throughput::new(&inputs, |&x: &u64| bit_mix(x)).unwrap()),
        Box::new(Throughput::new(&floats, |x: &f64| x.sqrt()).unwrap()),
        Box::new(
            Throughput::new(&inputs, move |x: &u64| {
                state += x;
                vec![state]
            })
            .unwrap(),
        ),
    ];
    for (at, one) in loops.iter().enumerate() {
        let timed = decoded(one.as_ref());
        let found = timed.flow.loops();
        assert!(!found.is_empty(), "{at}");
        for one in found {
            for closing in &one.closing {
                let pair = (closing - bias, one.head - bias);
                // A loop may also be closed by falling into its head, from below a jump to it.
                let falls =
                    timed.flow.instructions.get(closing).is_some_and(|last| last.next_ip() == one.head);
                assert!(falls || jumps.contains(&pair), "{at}: no jump {:#x} to {:#x}", pair.0, pair.1);
            }
        }
    }
}
