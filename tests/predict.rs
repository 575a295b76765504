//! Is what is decoded what ran, are half-dependent loops caught, and does a model that misbehaves do no harm?

#[path = "predict/benches.rs"]
mod benches;
mod common;
#[path = "predict/fakes.rs"]
mod fakes;
#[path = "predict/loops.rs"]
mod loops;

use std::hint::black_box;

use fencepost::harness::{Latency, Throughput, TimedLoop};
use fencepost::predict::{Block, Code, Flow, LlvmMca, Model, TimedCode, att, check, listing};
use fencepost::record::{Barrier, Kind};
use iced_x86::Mnemonic;
use proptest::prelude::*;

pub(crate) fn bit_mix(mut x: u64) -> u64 {
    x ^= x >> 33;
    x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^= x >> 33;
    x = x.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

pub(crate) fn decoded(timed: &dyn TimedLoop) -> TimedCode {
    TimedCode::decode(timed.entry().expect("a loop to decode")).unwrap()
}

fn mca(cpu: &str) -> Option<LlvmMca> {
    common::has("llvm-mca").then(|| LlvmMca::find(None, Some(cpu), None).unwrap())
}

fn cycles(model: &LlvmMca, timed: &TimedCode) -> f64 {
    let block = Block { name: "block".into(), lines: att(&timed.trace.straight()) };
    model.predict(&block).unwrap().cycles / timed.operations as f64
}

#[test]
fn bit_mix_is_sixteen_times_eight_instructions_and_twelve_cycles_on_zen_3() {
    let timed = decoded(&Latency::new(42u64, bit_mix));
    assert_eq!((timed.operations, timed.trace.obstacle()), (16, None), "{}", listing(&timed, 200));
    assert_eq!(check(&timed, Kind::Latency, Barrier::Register), [""; 0], "{}", listing(&timed, 200));
    // Three copies, three shifts, three exclusive ors, two multiplications, and a sixteenth of the loop's control.
    assert!((8.0..12.0).contains(&timed.instructions()), "{}", listing(&timed, 200));
    let all = timed.trace.straight();
    let count = |kinds: &[Mnemonic]| all.iter().filter(|one| kinds.contains(&one.mnemonic())).count();
    let work = [count(&[Mnemonic::Shr]), count(&[Mnemonic::Xor]), count(&[Mnemonic::Imul])];
    assert_eq!(work, [3 * 16, 3 * 16, 2 * 16], "{}", listing(&timed, 300));
    let control = all.len() - work.iter().sum::<usize>() - count(&[Mnemonic::Mov]);
    assert!(control <= 16, "{control} of no use: {}", listing(&timed, 300));
    assert_eq!(timed.instructions(), all.len() as f64 / 16.0);
    let Some(model) = mca("znver3") else { return };
    let predicted = cycles(&model, &timed);
    assert!((predicted - 12.0).abs() < 0.12, "{predicted}");
}

#[test]
fn a_throughput_loop_has_no_chain_and_is_predicted_below_its_latency() {
    let inputs: Vec<u64> = (0..1024).collect();
    let timed = decoded(&Throughput::new(&inputs, |&x: &u64| bit_mix(x)).unwrap());
    assert_eq!(timed.trace.obstacle(), None, "{}", listing(&timed, 300));
    assert_eq!(
        check(&timed, Kind::ReciprocalThroughput, Barrier::Register),
        [""; 0],
        "{}",
        listing(&timed, 300)
    );
    let Some(model) = mca("znver3") else { return };
    let predicted = cycles(&model, &timed);
    assert!((1.5..4.0).contains(&predicted), "{predicted}");
}

#[test]
fn loops_without_work_are_named() {
    let timed = decoded(&Latency::new(42u64, |x: u64| x));
    assert!(check(&timed, Kind::Latency, Barrier::Register)[0].contains("loop control"));
    let inputs: Vec<u64> = (0..1024).collect();
    let timed = decoded(&Throughput::new(&inputs, |_: &u64| ()).unwrap());
    assert!(check(&timed, Kind::ReciprocalThroughput, Barrier::Register)[0].contains("loop control"));
}

#[test]
fn half_dependent_inputs_are_caught() {
    // Two accumulators that take turns: each operation waits for the one before the last.
    let timed = decoded(&Latency::new((1u64, 2u64), |(one, other)| (other, bit_mix(one))));
    let memory = check(&timed, Kind::Latency, Barrier::Memory);
    let mut one = 1u64;
    let mut other = 2u64;
    let timed = decoded(&Latency::new(7u64, move |_: u64| {
        one = fencepost::barrier(bit_mix(one));
        std::mem::swap(&mut one, &mut other);
        one
    }));
    let state = check(&timed, Kind::Latency, Barrier::Register);
    assert!(
        memory.iter().chain(&state).any(|finding| finding.contains("dependent")),
        "{memory:?} {state:?}\n{}",
        listing(&timed, 400)
    );
    // A latency harness that is fed a constant.
    let timed = decoded(&Latency::new(7u64, |_: u64| bit_mix(black_box(5))));
    let constant = check(&timed, Kind::Latency, Barrier::Register);
    assert!(constant.iter().any(|finding| finding.contains("no chain")), "{constant:?}");
    // Inputs that are independent and a state that is not.
    let mut state = 0u64;
    let inputs: Vec<u64> = (0..1024).collect();
    let timed = decoded(
        &Throughput::new(&inputs, move |&x: &u64| {
            state = bit_mix(state ^ x);
            state
        })
        .unwrap(),
    );
    let chained = check(&timed, Kind::ReciprocalThroughput, Barrier::Register);
    assert!(
        chained.iter().any(|finding| finding.contains("are dependent")),
        "{chained:?}\n{}",
        listing(&timed, 400)
    );
}

#[inline(never)]
fn leaf(x: u64) -> u64 {
    black_box(()); // nothing that could be inlined
    x.wrapping_mul(3) ^ 5
}

#[test]
fn a_leaf_that_is_not_inlined_is_named_and_followed() {
    let timed = decoded(&Latency::new(42u64, |x: u64| leaf(x)));
    assert_eq!(timed.trace.obstacle(), None, "{}", listing(&timed, 100));
    assert_eq!(timed.callees().len(), 1);
    assert!(timed.trace.calls.iter().all(|(_, followed)| *followed));
    assert!(timed.callees()[0].contains("leaf"), "{:?}", timed.callees());
    assert_eq!(check(&timed, Kind::Latency, Barrier::Register), [""; 0]);
}

/// The throughput loop of a sum over slices as rustc made it: sixteen sums in a turn, each vectorized, with a rest that is entered at
/// two places, and a loop for the turns that are left.
const SUM_OF_SLICES: &[u8] = include_bytes!("data/predict/sum_of_slices.bin");

#[test]
fn the_loop_of_whole_turns_is_taken_though_its_inner_loops_have_two_entries() {
    let code = Code { address: 0x40_0000, bytes: SUM_OF_SLICES.to_vec(), symbol: None };
    let timed = TimedCode::of(code, 16, &|_| None).unwrap();
    assert_eq!(timed.timed_loop.head, 0x40_0076, "{}", listing(&timed, 50));
    let inner = timed.flow.inside(&timed.timed_loop);
    assert_eq!(inner.len(), 32, "a vector loop and a rest for each sum");
    assert!(inner.iter().all(|one| [4, 7].contains(&one.body.len())), "{inner:?}");
    let turn = &timed.trace.instructions;
    let sums = turn.iter().filter(|one| one.mnemonic() == iced_x86::Mnemonic::Add).count();
    assert!(sums >= 16, "{sums}");
    let obstacle = timed.trace.obstacle().unwrap();
    // One loop for what is left of each slice; the last slice's guard is a jump back.
    assert_eq!(timed.trace.inner.len(), 16, "{obstacle}");
    assert_eq!(timed.trace.inner.last(), Some(&0x40_0a70));
    assert!(obstacle.contains("inner loops at +0x110, +0x1b0, +0x250"), "{obstacle}");
}

proptest! {
    #[test]
    fn nothing_is_read_past_the_function(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        open in any::<bool>(),
        address in prop::sample::select(vec![0, 0x1000, u64::MAX - 1000]),
    ) {
        let mut code = Code { address, ..Code::default() };
        if open {
            code.bytes.extend([0x0f, 0x31, 0x0f, 0xae, 0xe8]);
        }
        code.bytes.extend(bytes);
        let end = code.end();
        let flow = Flow::follow(&code, address, |_| false);
        for (at, instruction) in &flow.instructions {
            prop_assert!(code.holds(*at) && instruction.next_ip() <= end);
        }
        for one in flow.loops() {
            prop_assert!(one.body.iter().all(|at| flow.instructions.contains_key(at)));
            prop_assert!(one.body.contains(&one.head) && one.closing.is_subset(&one.body));
        }
        if let Ok(timed) = TimedCode::of(code, 16, &|_| None) {
            check(&timed, Kind::Latency, Barrier::Register);
            listing(&timed, 50);
        }
    }
}
