//! Does it measure this very machine rightly? What holds on any: chains read their length, nothing reads below nothing, and what
//! calls itself converged is right. No absolute time is asserted.

mod common;

use std::arch::asm;
use std::panic::{AssertUnwindSafe, catch_unwind};

use common::alone;
use fencepost::lab::{Benchmark, Measurement};
use fencepost::record::{Kind, Verdict};
use fencepost::sampling::Options;
use fencepost::tsc::allowed_cores;
use fencepost::{ErrorKind, Lab};

/// A lab with time enough for a busy machine; `None`, said aloud, where this machine cannot measure cycles at all.
fn lab() -> Option<Lab> {
    match Lab::builder().options(Options { max_secs: 5.0, ..Options::default() }).build() {
        Ok(lab) if lab.cycle_source().is_some() => Some(lab),
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

/// Within `percent` of `expected`; or honestly not converged, then within three times that; or a bound, then not below.
fn assert_near(measured: &Measurement, expected: f64, percent: f64) {
    let cycles = measured.cycles().expect("cycles").get();
    if measured.result.upper_bound {
        assert!(cycles >= expected * (1.0 - percent / 100.0), "{measured} bounds {expected}");
        return;
    }
    let off = 100.0 * (cycles / expected - 1.0).abs();
    let allowed = if measured.verdict() == Verdict::Converged { percent } else { 3.0 * percent };
    assert!(off <= allowed, "{measured}: {off:.2} % off {expected}, {:#?}", measured.result);
}

/// `N` dependent additions.
fn additions<const N: u32>(mut x: u64) -> u64 {
    // SAFETY: additions of registers.
    unsafe {
        asm!(
            ".rept {n}",
            "add {x}, {c}",
            ".endr",
            n = const N,
            x = inout(reg) x,
            c = in(reg) 3u64,
            options(pure, nomem, nostack)
        );
    }
    x
}

/// `N` dependent multiplications.
fn multiplications<const N: u32>(mut x: u64) -> u64 {
    // SAFETY: multiplications of registers.
    unsafe {
        asm!(
            ".rept {n}",
            "imul {x}, {c}",
            ".endr",
            n = const N,
            x = inout(reg) x,
            c = in(reg) 5u64,
            options(pure, nomem, nostack)
        );
    }
    x
}

/// `ROUNDS` times 100 dependent additions in a loop of its own.
fn long<const ROUNDS: u64>(mut x: u64) -> u64 {
    // SAFETY: additions of registers, in a loop that ends after ROUNDS rounds.
    unsafe {
        asm!(
            "2:",
            ".rept 100",
            "add {x}, {c}",
            ".endr",
            "dec {rounds}",
            "jnz 2b",
            rounds = inout(reg) ROUNDS => _,
            x = inout(reg) x,
            c = in(reg) 3u64,
            options(nomem, nostack)
        );
    }
    x
}

#[test]
fn a_chain_of_additions_reads_its_length() {
    let _alone = alone();
    let Some(mut lab) = lab() else { return };
    let measured = lab
        .measure(vec![
            Benchmark::latency("1", 1u64, additions::<1>),
            Benchmark::latency("2", 1u64, additions::<2>),
            Benchmark::latency("4", 1u64, additions::<4>),
            Benchmark::latency("8", 1u64, additions::<8>),
            Benchmark::latency("50", 1u64, additions::<50>),
        ])
        .unwrap();
    for (one, length) in measured.iter().zip([1.0, 2.0, 4.0, 8.0, 50.0]) {
        assert_near(one, length, 1.0);
        assert!(!one.result.below_resolution, "{one}");
    }
}

#[test]
fn an_empty_kernel_and_a_constant_are_below_resolution_in_every_harness() {
    let _alone = alone();
    let Some(mut lab) = lab() else { return };
    let inputs: Vec<u64> = (0..1000).collect();
    let floats: Vec<f64> = (1..500).map(f64::from).collect();
    let measured = lab
        .measure(vec![
            Benchmark::latency("identity/latency", 42u64, |x| x),
            Benchmark::latency("constant/latency", 42u64, |_| 7),
            Benchmark::latency("float identity/latency", 1.5f64, |x| x),
            Benchmark::latency("float constant/latency", 1.5f64, |_| 2.5),
            Benchmark::throughput("identity/throughput", &inputs, |&x| x).unwrap(),
            Benchmark::throughput("constant/throughput", &inputs, |_| 7u64).unwrap(),
            Benchmark::throughput("nothing/throughput", &inputs, |_| ()).unwrap(),
            Benchmark::throughput("float identity/throughput", &floats, |&x| x).unwrap(),
            Benchmark::routine("nothing/routine", || 42u64, |x| x),
        ])
        .unwrap();
    for one in &measured {
        // On a core that is never alone the floor and the kernel saw different neighbours: then it is said to be a bound.
        if one.result.upper_bound && !one.result.below_resolution {
            eprintln!("{one}: a bound only, the core was never alone");
            continue;
        }
        assert!(one.result.below_resolution, "{one}: {:#?}", one.result);
        assert_eq!(one.verdict(), Verdict::BelowResolution, "{one}");
    }
}

#[test]
fn a_kernel_twice_as_long_reads_twice() {
    let _alone = alone();
    let Some(mut lab) = lab() else { return };
    let inputs: Vec<u64> = (0..512).map(|x| 2 * x + 1).collect();
    let measured = lab
        .measure(vec![
            Benchmark::latency("once/latency", 3u64, multiplications::<4>),
            Benchmark::latency("twice/latency", 3u64, multiplications::<8>),
            // No longer chains: sixteen fill the 24 places of a Zen scheduler before the next chain gets in, and cost 18.
            Benchmark::throughput("once/throughput", &inputs, |&x| multiplications::<4>(x)).unwrap(),
            Benchmark::throughput("twice/throughput", &inputs, |&x| multiplications::<8>(x)).unwrap(),
        ])
        .unwrap();
    let cycles: Vec<f64> = measured.iter().map(|one| one.cycles().unwrap().get()).collect();
    assert!((cycles[1] / cycles[0] - 2.0).abs() < 0.04, "latency {cycles:?}");
    // A bound read on a busy core is no measurement; two clean ones must be in proportion.
    if measured[2..].iter().all(|one| one.verdict() == Verdict::Converged) {
        assert!((cycles[3] / cycles[2] - 2.0).abs() < 0.06, "throughput {cycles:?}");
    }
    assert!(cycles[2] < cycles[0] * 1.05, "throughput is no higher than latency: {cycles:?}");
}

#[test]
fn a_floating_point_chain_stays_in_its_registers() {
    let _alone = alone();
    let Some(mut lab) = lab() else { return };
    let factor = fencepost::barrier(1.000_000_1f64);
    let measured = lab
        .measure(vec![
            Benchmark::latency("one", 1.5f64, |x| x * factor),
            Benchmark::latency("four", 1.5f64, |x| x * factor * factor * factor * factor),
        ])
        .unwrap();
    let (one, four) = (measured[0].cycles().unwrap().get(), measured[1].cycles().unwrap().get());
    assert!((four / one - 4.0).abs() < 0.12, "{one} and {four}: no crossing to a general register");
}

#[test]
fn nan_infinity_and_subnormals_are_measured_and_named() {
    let _alone = alone();
    let Some(mut lab) = lab() else { return };
    let inputs = [f64::NAN, 1.0, 1e-310, 2.0];
    let measured = lab
        .measure(vec![
            Benchmark::latency("nan", f64::NAN, |x| x * 1.5),
            Benchmark::latency("infinite", 1e300f64, |x| x * 2.0),
            Benchmark::latency("subnormal", 1e-310f64, |x| x * 0.999_999),
            Benchmark::latency("sqrt", 2.0f64, f64::sqrt),
            Benchmark::latency("zero product", 6u64, |x| x.wrapping_mul(2)),
            Benchmark::throughput("mixed", &inputs, |x| x * 1.5).unwrap(),
        ])
        .unwrap();
    for (one, word) in
        measured.iter().zip(["NaN", "infinite", "subnormal", "stuck at 1.0", "stuck at 0", "NaN"])
    {
        assert!(one.result.ticks.estimate.is_finite(), "{one}");
        assert!(one.result.notes.iter().any(|note| note.contains(word)), "{one}: {:?}", one.result.notes);
    }
}

#[test]
fn a_kernel_that_outlasts_a_slice_is_measured_and_said() {
    let _alone = alone();
    let Some(mut lab) = lab() else { return };
    let measured = lab
        .measure(vec![
            Benchmark::latency("20000", 1u64, long::<200>),
            Benchmark::latency("20000000", 1u64, long::<200_000>),
        ])
        .unwrap();
    assert_near(&measured[0], 20_000.0, 2.0);
    assert_near(&measured[1], 20_000_000.0, 4.0);
    assert!(measured[1].result.notes.iter().any(|note| note.contains("outlasts a slice")));
}

#[test]
fn setup_and_drop_are_outside_of_a_routine() {
    let _alone = alone();
    let Some(mut lab) = lab() else { return };
    let expensive = || (0..2000u64).map(|x| x ^ 0x5555).collect::<Vec<u64>>();
    let measured = lab
        .measure(vec![
            Benchmark::routine("plain", || 3u64, additions::<100>),
            Benchmark::routine("with expensive setup and drop", expensive, |made| {
                (additions::<100>(3), made)
            }),
        ])
        .unwrap();
    let (plain, setup) = (measured[0].cycles().unwrap().get(), measured[1].cycles().unwrap().get());
    // The second moves 24 bytes more and meets colder caches; its setup alone costs thousands of cycles.
    assert!(setup < plain + 150.0, "{plain} and {setup}");
}

#[test]
fn a_panic_in_a_kernel_passes_through_and_the_affinity_comes_back() {
    let _alone = alone();
    let before = allowed_cores().unwrap();
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut lab = Lab::new().unwrap();
        let mut calls = 0;
        let _ = lab.latency(1u64, |x| {
            calls += 1;
            assert!(calls < 100, "the kernel's own panic");
            x
        });
    }));
    let message = result.unwrap_err();
    let message = message.downcast_ref::<&str>().copied().unwrap_or_default();
    assert_eq!(message, "the kernel's own panic");
    assert_eq!(allowed_cores().unwrap(), before);
}

#[test]
fn wrong_use_is_refused_with_a_sentence() {
    let _alone = alone();
    let none: [u64; 0] = [];
    let error = Benchmark::throughput("sum", &none, |&x| x).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.to_string().contains("\"sum\" has no inputs"), "{error}");
    let error = Benchmark::latency("nothing", 1u64, |x| x).ops(0).unwrap_err();
    assert!(error.to_string().contains("0 operations a call"), "{error}");
    let error = Lab::builder().core(4095).build().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    let error = Lab::builder()
        .options(Options { target_precision_pct: 0.0, ..Options::default() })
        .build()
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    let error = Lab::builder()
        .options(Options { min_secs: 2.0, max_secs: 1.0, ..Options::default() })
        .build()
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    let mut lab = Lab::new().unwrap();
    let twice = vec![Benchmark::latency("same", 1u64, |x| x), Benchmark::latency("same", 1u64, |x| x)];
    assert_eq!(lab.measure(twice).unwrap_err().kind(), ErrorKind::Usage);
    assert_eq!(lab.measure(Vec::new()).unwrap().len(), 0);
}

#[test]
fn a_record_of_a_run_says_all_that_it_depends_on() {
    let _alone = alone();
    let Some(mut lab) = lab() else { return };
    let measured = lab.measure(vec![Benchmark::latency("add", 1u64, additions::<5>)]).unwrap();
    let record = lab.record(&measured, true);
    let back = fencepost::record::Record::from_json(&record.to_json()).unwrap();
    assert_eq!(back.results[0].kind, Kind::Latency);
    assert_eq!(back.calibration.core as usize, lab.core());
    assert!(back.calibration.tsc_hz > 1e8);
    let samples = &back.results[0].samples;
    assert_eq!(
        samples.total,
        samples.clean + samples.contended + samples.drifted + samples.interrupted + samples.migrated
    );
    assert!(back.settings.contains_key("seed"));
}

fn recorded(name: &str) -> fencepost::machine::Machine {
    let path = format!("{}/tests/data/machines/{name}.json", env!("CARGO_MANIFEST_DIR"));
    fencepost::machine::Recording::from_json(&std::fs::read_to_string(path).unwrap()).unwrap().machine()
}

#[test]
fn without_an_invariant_counter_nothing_but_ticks_is_claimed() {
    let _alone = alone();
    let no_invariant = || Lab::builder().machine(recorded("hyperv-haswell-no-invariant-tsc"));
    let error = no_invariant().build().unwrap_err();
    assert_eq!(error.exit_status(), fencepost::ExitStatus::CannotMeasure);
    assert!(error.to_string().contains("ticks only"), "{error}");

    let mut lab = no_invariant().ticks_only().build().unwrap();
    assert_eq!(lab.cycle_source(), None);
    let measured = lab.latency(1u64, additions::<8>).unwrap();
    assert!(measured.cycles().is_none() && measured.result.ns.is_none());
    assert!(measured.result.ticks.estimate > 0.0);
    let record = lab.record(&[measured], true);
    assert_eq!(record.calibration.ticks_per_cycle, None);
    assert!(fencepost::record::text::render(&record, 80).contains("ticks"));

    let error = Lab::builder().machine(recorded("core2")).ticks_only().build().unwrap_err();
    assert!(error.to_string().contains("RDTSCP"), "{error}");
}
