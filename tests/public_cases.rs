//! Is right what other harnesses' users saw wrong? Each test is a published case, named by the tracker that it comes from.
//! docs/public_cases.md lists them all, with the tests elsewhere that hold others. Ratios only, no absolute time is asserted.

mod common;

use std::collections::BTreeMap;
use std::hint::spin_loop;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use common::alone;
use fencepost::lab::{Benchmark, Measurement};
use fencepost::record::{self, Verdict};
use fencepost::sampling::Options;
use fencepost::{Lab, barrier};

/// What the cases come to, in order; `None`, said aloud, where this machine cannot measure cycles.
fn measured(benchmarks: Vec<Benchmark<'_>>) -> Option<Vec<Measurement>> {
    let _alone = alone();
    let options = Options { max_secs: 1.0, ..Options::default() };
    let lab = Lab::builder().options(options).build();
    match lab {
        Ok(mut lab) if lab.cycle_source().is_some() => {
            Some(lab.measure(benchmarks).expect("names are unique"))
        }
        Ok(_) => {
            eprintln!("SKIPPED: no core cycles can be claimed on this machine");
            None
        }
        Err(error) => {
            eprintln!("SKIPPED: {error}");
            None
        }
    }
}

fn cycles(one: &Measurement) -> f64 {
    one.cycles().expect("cycles are claimed").get()
}

/// No more than nothing: below resolution, or, on a core that is never alone, a bound that is said to be one.
fn assert_nothing(one: &Measurement) {
    let result = &one.result;
    if result.upper_bound && !result.below_resolution {
        eprintln!("{one}: a bound only, the core was never alone");
        return;
    }
    assert_eq!(one.verdict(), Verdict::BelowResolution, "{one}: {result:#?}");
    let shown = record::cost(result);
    assert!(shown.starts_with('<'), "a bound is shown, not a number: {shown}");
}

/// Whether both may be compared: neither is a mere bound.
fn are_comparable(of: &[&Measurement]) -> bool {
    let bound = of.iter().find(|one| one.result.upper_bound);
    if let Some(bound) = bound {
        eprintln!("{bound}: a bound only, the core was never alone; the ratio is not judged");
    }
    bound.is_none()
}

/// Whether it calls itself converged, so that it has to be right; said aloud where not.
fn is_sure(one: &Measurement) -> bool {
    let sure = one.verdict() == Verdict::Converged && !one.result.upper_bound;
    if !sure {
        eprintln!("NOT JUDGED: {one} is {}", one.verdict());
    }
    sure
}

fn inputs(count: u64) -> Vec<u64> {
    (1..=count).map(|x| x.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
}

/// Two multiplications in a chain, and inlined wherever it is called.
#[inline(always)]
fn hash(x: u64) -> u64 {
    (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(7).wrapping_mul(0xc4ce_b9fe_1a85_ec53)
}

#[inline(never)]
fn hash_called(x: u64) -> u64 {
    hash(x)
}

fn spin(duration: Duration) {
    let begun = Instant::now();
    while begun.elapsed() < duration {
        spin_loop();
    }
}

#[test]
fn criterion_375_a_barrier_around_nothing_costs_nothing() {
    let of = inputs(1000);
    let Some(found) = measured(vec![
        Benchmark::latency("bare", 1.5f64, |_| 2.5),
        Benchmark::latency("barrier", 1.5f64, |_| barrier(2.5)),
        Benchmark::throughput("bare throughput", &of, |_| 2.5f64).unwrap(),
        Benchmark::throughput("barrier throughput", &of, |_| barrier(2.5f64)).unwrap(),
    ]) else {
        return;
    };
    found.iter().for_each(assert_nothing);
}

#[test]
fn criterion_258_an_empty_routine_with_setup_is_charged_no_clock() {
    let Some(found) = measured(vec![Benchmark::routine("empty", || 5u64, |x| x)]) else { return };
    assert_nothing(&found[0]);
    assert!(found[0].result.loop_floor_cycles.is_some(), "what the harness costs is said apart");
}

#[test]
fn criterion_290_an_addition_is_one_cycle_by_every_way_that_chains_it() {
    let step = barrier(3u64);
    let Some(found) = measured(vec![
        Benchmark::latency("latency", 1u64, |x: u64| x.wrapping_add(step)),
        Benchmark::latency_linked("linked", 1u64, |x: u64| x.wrapping_add(step), |x| x),
        Benchmark::latency("16 in a call", 1u64, |mut x: u64| {
            for _ in 0..16 {
                x = barrier(x.wrapping_add(step));
            }
            x
        })
        .ops(16)
        .unwrap(),
        Benchmark::routine("one in a routine", || 1u64, |x| x.wrapping_add(step)),
    ]) else {
        return;
    };
    for one in &found[..3] {
        assert!(cycles(one) > 0.8, "{one}");
        assert!(cycles(one) < 1.2 || !is_sure(one), "{one}");
    }
    let routine = &found[3];
    let bound = routine.result.loop_floor_cycles.unwrap_or(0.0) + 2.0;
    assert!(
        routine.result.below_resolution || cycles(routine) < bound || routine.result.upper_bound,
        "{routine}"
    );
}

#[test]
fn divan_35_inputs_that_own_memory_are_not_dropped_inside() {
    let heavy = || (0..50u64).map(|key| (key, key)).collect::<BTreeMap<u64, u64>>();
    let maps: Vec<BTreeMap<u64, u64>> = (0..16).map(|_| heavy()).collect();
    let Some(found) = measured(vec![
        Benchmark::throughput("by reference", &maps, |_| 7u64).unwrap(),
        Benchmark::routine("given back", heavy, |map| map),
        Benchmark::routine("dropped by the routine", heavy, drop),
    ]) else {
        return;
    };
    // Dropping fifty entries takes hundreds of cycles. (What is passed by address need not be told from nothing in every build.)
    assert!(cycles(&found[0]) < 10.0, "{}", found[0]);
    // A move of three words, whatever they own.
    assert!(cycles(&found[1]) * 10.0 < cycles(&found[2]), "{} and {}", found[1], found[2]);
}

#[test]
fn benchmarkdotnet_601_two_constants_have_no_ratio() {
    struct Point {
        x: u64,
    }
    let of = inputs(100);
    let Some(found) = measured(vec![
        Benchmark::throughput("field", &of, |_| Point { x: 12 }.x).unwrap(),
        Benchmark::throughput("constant", &of, |_| 12u64).unwrap(),
    ]) else {
        return;
    };
    found.iter().for_each(assert_nothing);
    assert_eq!(record::overlap(&found[0].result, &found[1].result), None, "no ratio of two nothings");
}

#[test]
fn benchmarkdotnet_1802_one_instruction_has_an_interval_that_ends_at_nothing() {
    let of = inputs(1000);
    let Some(found) = measured(vec![Benchmark::throughput("one", &of, |x| *x == 12).unwrap()]) else {
        return;
    };
    let result = &found[0].result;
    let interval = result.cycles.as_ref().expect("cycles");
    assert!(interval.lo >= 0.0 && interval.lo <= interval.hi, "{result:#?}");
    if !result.below_resolution {
        assert!(interval.estimate >= result.resolution_cycles.unwrap_or(0.0), "{result:#?}");
    }
}

#[test]
fn criterion_566_an_exponential_algorithm_is_not_folded_away() {
    fn recursive(n: u64) -> u64 {
        if n < 2 { n } else { recursive(n - 1) + recursive(n - 2) }
    }
    fn iterative(n: u64) -> u64 {
        (0..n).fold((0u64, 1u64), |(a, b), _| (b, a + b)).0
    }
    assert_eq!(recursive(20), iterative(20));
    let Some(found) = measured(vec![
        Benchmark::throughput("recursive", &[20], |n| recursive(*n)).unwrap(),
        Benchmark::throughput("iterative", &[20], |n| iterative(*n)).unwrap(),
    ]) else {
        return;
    };
    assert!(cycles(&found[0]) > 50.0 * cycles(&found[1]), "{} and {}", found[0], found[1]);
}

#[test]
fn criterion_607_a_call_is_not_moved_out_of_the_loop() {
    let of = inputs(1000);
    let one = [42u64];
    let Some(found) = measured(vec![
        Benchmark::throughput("inlined", &of, |x| hash(*x)).unwrap(),
        Benchmark::throughput("inlined, one input", &one, |x| hash(*x)).unwrap(),
        Benchmark::throughput("called", &of, |x| hash_called(*x)).unwrap(),
        Benchmark::latency("chain", 42u64, hash),
    ]) else {
        return;
    };
    for one in &found[..2] {
        // No core multiplies 64-bit numbers more often than once a cycle, and there are two.
        assert!(cycles(one) > 1.9, "{one}");
        assert!(cycles(one) <= 1.1 * cycles(&found[2]) || !are_comparable(&[one]), "{one} and {}", found[2]);
    }
    assert!(cycles(&found[3]) > 6.0, "two multiplications wait for one another: {}", found[3]);
}

#[test]
fn benchmarktools_205_a_folded_exponential_is_no_measurement() {
    let of: Vec<f64> = (1..200).map(|x| f64::from(x) / 100.0).collect();
    let Some(found) = measured(vec![
        Benchmark::throughput("literal", &of, |_| 1f64.exp()).unwrap(),
        Benchmark::throughput("argument", &of, |x| x.exp()).unwrap(),
    ]) else {
        return;
    };
    // Where the compiler folds it, which is its right, it reads as nothing; where not, as much as the other.
    if cycles(&found[0]) * 2.0 < cycles(&found[1]) {
        assert_nothing(&found[0]);
    }
    assert!(!found[1].result.below_resolution && cycles(&found[1]) > 4.0, "{}", found[1]);
}

#[test]
fn googlebenchmark_1340_a_sink_does_not_copy_what_is_large() {
    let large = vec![[1u64; 1 << 15]];
    let Some(found) = measured(vec![
        Benchmark::throughput("by reference", &large, std::ptr::from_ref).unwrap(),
        Benchmark::throughput("through a barrier", &large, |large| barrier(large)[7] != 0).unwrap(),
    ]) else {
        return;
    };
    for one in &found {
        // 32,768 words are not copied in a few cycles.
        assert!(cycles(one) < 100.0, "{one}");
    }
}

#[test]
fn googlebenchmark_797_and_1674_and_divan_55_untimed_work_does_not_reach_the_result() {
    let push = |mut list: Vec<*const u8>| {
        for at in 0..16usize {
            list.push(barrier(std::ptr::without_provenance(at)));
        }
        list
    };
    struct SlowToDrop(Vec<*const u8>);
    impl Drop for SlowToDrop {
        fn drop(&mut self) {
            if !self.0.is_empty() {
                spin(Duration::from_micros(20));
            }
        }
    }
    let Some(found) = measured(vec![
        Benchmark::routine("plain", || Vec::with_capacity(16), push),
        Benchmark::routine(
            "long setup",
            || {
                spin(Duration::from_micros(50));
                Vec::with_capacity(16)
            },
            push,
        ),
        Benchmark::routine(
            "long setup and drop",
            || {
                spin(Duration::from_micros(20));
                Vec::with_capacity(16)
            },
            |list| SlowToDrop(push(list)),
        ),
    ]) else {
        return;
    };
    let plain = cycles(&found[0]);
    for one in &found[1..] {
        // Without a quiet moment there is but an upper bound.
        if one.result.upper_bound || one.result.verdict == Verdict::MinimumsUnmet {
            continue;
        }
        // A microsecond of it would be ten times the whole. Idle caches and predictors between batches are worth some cycles.
        assert!(cycles(one) < 2.0 * plain + 60.0, "{one} beside {}", found[0]);
    }
}

#[test]
fn googlebenchmark_1469_what_contains_more_work_is_not_faster() {
    let of: Vec<Vec<u64>> = (0..16).map(|seed| inputs(200 + seed % 2)).collect();
    let generate = |list: &Vec<u64>| list.iter().map(|x| hash(*x)).fold(0, u64::wrapping_add);
    let both = |list: &Vec<u64>| {
        let sum = list.iter().map(|x| hash(*x)).fold(0, u64::wrapping_add);
        list.iter().fold(sum, |all, x| barrier(all ^ x))
    };
    for reversed in [false, true] {
        let mut benchmarks = vec![
            Benchmark::throughput("part", &of, generate).unwrap(),
            Benchmark::throughput("whole", &of, both).unwrap(),
        ];
        if reversed {
            benchmarks.reverse();
        }
        let Some(found) = measured(benchmarks) else { return };
        let of = |id: &str| found.iter().find(|one| one.result.id == id).map(cycles).unwrap();
        assert!(of("whole") > of("part") || !are_comparable(&[&found[0], &found[1]]), "{found:?}");
    }
}

/// 512 bytes at a shift behind a multiple of 128 in each, and always equally far apart modulo 4 KiB: where the heap puts two
/// buffers decides whether loads meet stores that look like theirs.
#[repr(align(4096))]
struct Buffers {
    from: [u8; 1024],
    to: [u8; 1024],
}

#[test]
fn fastlanes_168_aligned_buffers_cost_the_same_and_a_shift_is_named() {
    let copy = |name: String, shift: usize| {
        let mut pair = Box::new(Buffers { from: [7; 1024], to: [0; 1024] });
        Benchmark::latency(name, 1u64, move |x: u64| {
            let Buffers { from, to } = &mut *pair;
            to[shift..shift + 512].copy_from_slice(&barrier(&*from)[shift..shift + 512]);
            x.wrapping_add(u64::from(barrier(&*to)[shift])).rotate_left(3)
        })
    };
    let all = [("aligned", 0), ("aligned again", 0), ("by 16", 16), ("by 33", 33)];
    let Some(found) =
        measured(all.iter().map(|(name, shift)| copy(format!("copy/{name}"), *shift)).collect())
    else {
        return;
    };
    found.iter().for_each(|one| println!("{one}"));
    let [one, again, others @ ..] = &found[..] else { panic!("four of them") };
    if !are_comparable(&found.iter().collect::<Vec<_>>()) {
        return;
    }
    // Other buffers, aligned alike: no change.
    let ratio = cycles(again) / cycles(one);
    assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
    // What lies across lines is not cheaper, and each has its own name and number.
    for shifted in others {
        assert!(cycles(shifted) > cycles(one) * 0.93, "{shifted} beside {one}");
    }
}

#[test]
fn sel4bench_87_and_smhasher_16_ticks_are_not_called_cycles() {
    let _alone = alone();
    let Ok(mut lab) = Lab::new() else {
        eprintln!("SKIPPED: this machine cannot measure");
        return;
    };
    let step = barrier(3u64);
    // So few that the compiler unrolls them: a loop of its own would end with a misprediction.
    let chain = |mut x: u64| {
        for _ in 0..16 {
            x = barrier(x.wrapping_add(step));
        }
        x
    };
    let found = lab.measure(vec![Benchmark::latency("16 additions", 1u64, chain)]).unwrap();
    let record = lab.record(&found, true);
    let result = &record.results[0];
    let (Some(cycles), Some(rate)) = (&result.cycles, record.calibration.ticks_per_cycle) else {
        eprintln!("SKIPPED: no core cycles can be claimed on this machine");
        return;
    };
    assert!((cycles.estimate / 16.0 - 1.0).abs() < 0.02 || !is_sure(&found[0]), "{cycles:?}");
    let off = result.ticks.estimate / cycles.estimate / rate - 1.0;
    assert!(off.abs() < 0.05 || !is_sure(&found[0]), "ticks are cycles times the rate that is shown: {off}");
    assert!(record::line(result).contains(" cyc"), "{}", record::line(result));
}

#[test]
fn benchmarkdotnet_1308_a_cost_that_rises_while_it_is_measured_is_said() {
    let mut rounds = 0u64;
    let growing = |mut x: u64| {
        rounds += 1;
        for _ in 0..20 + rounds / 20_000 {
            x = barrier(x.wrapping_add(3));
        }
        x
    };
    let Some(found) = measured(vec![Benchmark::latency("growing", 1u64, growing)]) else { return };
    let result = &found[0].result;
    let said = result.notes.iter().any(|note| note.contains("rose by"));
    assert!(said || result.verdict != Verdict::Converged, "{result:#?}");
}

#[test]
fn lzbench_29_page_faults_are_counted_beside_the_result() {
    const BYTES: usize = 1 << 20;
    let _alone = alone();
    let Ok(mut lab) = Lab::builder().options(Options { max_secs: 1.0, ..Options::default() }).build() else {
        eprintln!("SKIPPED: this machine cannot measure");
        return;
    };
    let source = vec![1u8; BYTES];
    // What the routine makes itself is fresh memory for each call: it is larger than what the allocator keeps.
    let mut touched = vec![0u8; BYTES];
    let warm = lab
        .measure(vec![Benchmark::routine("touched", || (), |()| touched.copy_from_slice(&source))])
        .unwrap();
    let before = lab.record(&warm, true).resources.expect("Linux tells").minor_faults;
    let fresh = lab
        .measure(vec![Benchmark::routine(
            "fresh",
            || (),
            |()| {
                let mut copy = Vec::with_capacity(64 * BYTES);
                copy.extend_from_slice(&source);
                copy.len()
            },
        )])
        .unwrap();
    let after = lab.record(&fresh, true).resources.expect("Linux tells").minor_faults;
    assert!(after - before > 50, "{before} and {after} page faults");
    let ticks = |of: &[Measurement]| of[0].result.ticks.estimate;
    assert!(ticks(&fresh) > ticks(&warm), "{} and {}", fresh[0], warm[0]);
}

#[test]
fn kajit_68_a_slow_first_call_does_not_decide_the_slices() {
    static FIRST: OnceLock<u64> = OnceLock::new();
    let slow_once = |x: u64| {
        let step = FIRST.get_or_init(|| {
            spin(Duration::from_millis(10));
            3
        });
        x.wrapping_add(*step)
    };
    let Some(found) = measured(vec![Benchmark::latency("slow once", 1u64, slow_once)]) else { return };
    let result = &found[0].result;
    let ticks = result.ticks.estimate * result.slice_iterations as f64;
    assert!(ticks > 1000.0, "a slice is {ticks} ticks");
    assert!(cycles(&found[0]) < 50.0, "{}", found[0]);
}

#[test]
fn nanobench_106_without_counters_one_finding_says_why() {
    let _alone = alone();
    let Ok(mut lab) = Lab::new() else {
        eprintln!("SKIPPED: this machine cannot measure");
        return;
    };
    let found = lab.latency(1u64, |x: u64| x.wrapping_mul(3)).unwrap();
    let record = lab.record(&[found], true);
    let reasons =
        record.findings.iter().filter(|finding| finding.effect.contains("come from the clock ruler")).count();
    let Some(source) = record.calibration.cycle_source.as_deref() else {
        eprintln!("SKIPPED: no cycles are claimed here: {:#?}", record.findings);
        return;
    };
    let by_ruler = source == "clock ruler";
    assert_eq!(reasons, usize::from(by_ruler), "said once, where it is so: {:#?}", record.findings);
}

#[test]
fn basebenchmarks_241_a_learnt_pattern_is_not_the_cost_of_a_fresh_one() {
    const BITS: usize = 2000;
    fn count(bits: &[bool]) -> u64 {
        let mut found = 0u64;
        for bit in bits {
            // A branch, which the barrier keeps from becoming an addition.
            if *bit {
                found = barrier(found + 1);
            }
        }
        found
    }
    let mut state = 1u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 63 == 1
    };
    let same: Vec<bool> = (0..BITS).map(|_| random()).collect();
    let Some(found) = measured(vec![
        Benchmark::routine("repeated", || (), |()| count(&same)),
        Benchmark::routine(
            "fresh",
            move || (0..BITS).map(|_| random()).collect::<Vec<bool>>(),
            |bits| (count(&bits), bits),
        ),
    ]) else {
        return;
    };
    if are_comparable(&[&found[0], &found[1]]) {
        assert!(cycles(&found[1]) > 1.2 * cycles(&found[0]), "{} and {}", found[0], found[1]);
    }
}
