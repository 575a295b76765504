//! Does a comparison say which way it went only where the numbers allow it, and refuse what is not comparable?

use fencepost::baseline::{Comparison, Limit, Movement, Options, Standing, Weight, comparability, compare};
use fencepost::error::{ErrorKind, ExitStatus};
use fencepost::record::{BenchmarkResult, Kind, Record, Scalar, Verdict};

use super::{cost, run};

pub(super) fn compared(old: Vec<BenchmarkResult>, new: Vec<BenchmarkResult>, limit: &str) -> Comparison {
    let mut options = Options::default();
    if !limit.is_empty() {
        options.limits = options.limits.for_run(limit.parse().expect("a limit"));
    }
    compare(&run(old), &run(new), &options).expect("comparable")
}

/// One benchmark against another under the same id.
fn one(old: BenchmarkResult, new: BenchmarkResult, limit: &str) -> (Movement, Standing, String) {
    let comparison = compared(vec![old], vec![new], limit);
    let entry = comparison.entries.first().expect("an entry");
    (entry.movement, entry.standing, entry.sentence.clone())
}

fn refused(change: impl Fn(&mut Record)) -> String {
    let old = run(vec![cost("a", 12.0, 0.1)]);
    let mut new = old.clone();
    change(&mut new);
    let error = compare(&old, &new, &Options::default()).expect_err("not comparable");
    assert_eq!(error.kind(), ErrorKind::Input);
    error.to_string()
}

fn warned(change: impl Fn(&mut Record)) -> Vec<String> {
    let old = run(vec![cost("a", 12.0, 0.1)]);
    let mut new = old.clone();
    change(&mut new);
    let differences = compare(&old, &new, &Options::default()).expect("comparable").differences;
    assert!(differences.iter().all(|difference| difference.weight == Weight::Warn));
    differences.iter().map(ToString::to_string).collect()
}

#[test]
fn a_record_is_comparable_with_itself() {
    let record = run(Vec::new());
    assert_eq!(comparability(&record, &record), []);
}

#[test]
fn another_kind_of_machine_clock_or_build_is_refused_with_both_values() {
    let said = refused(|new| new.machine.microarchitecture = Some("Zen 4".into()));
    assert!(said.contains("microarchitecture differs: Zen 3 in the baseline, Zen 4 now"), "{said}");
    let said = refused(|new| new.machine.vendor = "GenuineIntel".into());
    assert!(said.contains("AuthenticAMD") && said.contains("GenuineIntel"), "{said}");
    let said = refused(|new| {
        new.machine.fingerprint.insert("microarchitecture", "Golden Cove".into());
    });
    assert!(said.contains("Golden Cove"), "{said}");
    let said = refused(|new| new.calibration.cycle_source = None);
    assert!(said.contains("clock ruler") && said.contains("ticks only"), "{said}");
    let said = refused(|new| {
        new.build.profile = "debug".into();
        new.machine.microarchitecture = Some("Zen 4".into());
    });
    assert!(said.contains("release in the baseline, debug now") && said.contains("Zen 4"), "{said}");

    let mut performance = run(Vec::new());
    performance.calibration.core_type = Some("P".into());
    let mut efficiency = performance.clone();
    efficiency.calibration.core_type = Some("E".into());
    assert!(compare(&performance, &efficiency, &Options::default()).is_err());
}

#[test]
fn lesser_differences_warn_with_both_values() {
    let said = warned(|new| new.machine.kernel = "6.8.0".into());
    assert_eq!(said, ["kernel differs: 6.1.0 in the baseline, 6.8.0 now"]);
    let said = warned(|new| new.build.flags = "-C target-cpu=native".into());
    assert_eq!(said, ["flags differs: none in the baseline, -C target-cpu=native now"]);
    let said = warned(|new| new.build.target_features = "fxsr,sse,avx2".into());
    assert_eq!(said, ["target features differs: sse2 in the baseline, avx2 now"]);
    let said = warned(|new| new.machine.microarchitecture = None);
    assert_eq!(said, ["microarchitecture differs: Zen 3 in the baseline, not recorded now"]);
    let said = warned(|new| {
        new.settings.insert("target_percentile", Scalar::from(33.3));
        new.settings.insert("seed", Scalar::from(7_u64));
    });
    assert_eq!(said, ["target_percentile differs: 50 in the baseline, 33.3 now"], "a seed does not matter");
    let said = warned(|new| new.complete = false);
    assert!(said[0].contains("cut short"), "{said:?}");
    let changes: [fn(&mut Record); 8] = [
        |new| new.build.opt_level = "s".into(),
        |new| new.build.rustc = "rustc 1.90.0".into(),
        |new| new.build.fencepost = "0.2.0".into(),
        |new| new.machine.brand = "other".into(),
        |new| new.machine.model = 7,
        |new| new.machine.hypervisor = Some("KVM".into()),
        |new| new.calibration.cycle_source = Some("rdpmc".into()),
        |new| drop(new.settings.insert("mode", Scalar::from("best-of"))),
    ];
    for (index, change) in changes.into_iter().enumerate() {
        assert_eq!(warned(change).len(), 1, "change {index}");
    }
}

#[test]
fn the_whole_interval_decides_which_way_it_went() {
    let of = |old, new, width| one(cost("a", old, width), cost("a", new, width), "").0;
    assert_eq!(of(12.0, 12.0, 0.2), Movement::NoDifference);
    assert_eq!(of(12.0, 12.06, 0.2), Movement::NoDifference, "within what processes may differ by");
    assert_eq!(of(12.0, 12.24, 0.2), Movement::Slower);
    assert_eq!(of(12.24, 12.0, 0.2), Movement::Faster);
    assert_eq!(of(12.0, 12.24, 2.0), Movement::NoDifference);
    assert_eq!(of(12.0, 12.24, 8.0), Movement::CannotTell, "too wide to call it the same");
}

#[test]
fn a_ratio_joins_both_intervals_and_several_processes_need_no_allowance() {
    let mut records = [run(vec![cost("a", 100.0, 1.0)]), run(vec![cost("a", 103.0, 1.0)])];
    let ratio = |records: &[Record; 2]| {
        let comparison = compare(&records[0], &records[1], &Options::default()).expect("comparable");
        (comparison.entries[0].ratio.expect("a ratio"), comparison.between_processes_pct)
    };
    let (with, allowance) = ratio(&records);
    assert_eq!(allowance, 1.0);
    for record in &mut records {
        record.settings.insert("processes", Scalar::from(5_u64));
    }
    let (without, allowance) = ratio(&records);
    assert_eq!(allowance, 0.0);
    // 1 % on both sides join to the root of 2.
    assert!((without.hi - 1.03 * 1.0142).abs() < 1e-3, "{without:?}");
    assert!((with.hi - 1.03 * 1.0174).abs() < 1e-3 && with.lo < without.lo, "{with:?}");
}

#[test]
fn what_is_below_resolution_has_no_ratio() {
    let below = |cycles| BenchmarkResult {
        below_resolution: true,
        verdict: Verdict::BelowResolution,
        ..cost("a", cycles, 5.0)
    };
    let both = compared(vec![below(0.004)], vec![below(0.06)], "5%,1cyc");
    assert_eq!(both.entries[0].ratio, None);
    assert_eq!(both.entries[0].movement, Movement::NoDifference, "15 times nothing is nothing");
    assert_eq!(both.entries[0].standing, Standing::Within);
    assert_eq!(both.exit_status(), ExitStatus::Done);

    let grown = compared(vec![below(0.2)], vec![cost("a", 5.0, 1.0)], "5%");
    assert_eq!((grown.entries[0].ratio, grown.entries[0].difference_cycles), (None, None));
    assert_eq!(grown.entries[0].movement, Movement::Slower);
    assert_eq!(grown.exit_status(), ExitStatus::Regression, "at least 4.7 cycles came from nowhere");
}

#[test]
fn upper_bounds_stay_bounds() {
    let bound =
        |cycles| BenchmarkResult { upper_bound: true, verdict: Verdict::Contended, ..cost("a", cycles, 1.0) };
    let (movement, standing, said) = one(cost("a", 10.0, 1.0), bound(15.0), "5%");
    assert_eq!((movement, standing), (Movement::CannotTell, Standing::MayBePast), "{said}");
    assert!(said.contains("<= 1.5") && said.contains("not alone"), "{said}");
    assert_eq!(one(cost("a", 10.0, 1.0), bound(8.0), "").0, Movement::Faster);
    let (movement, standing, said) = one(bound(10.0), cost("a", 15.0, 1.0), "5%");
    assert_eq!((movement, standing), (Movement::Slower, Standing::Past), "{said}");
    assert!(said.contains(">= 1.4"), "{said}");
    let both = compared(vec![bound(10.0)], vec![bound(30.0)], "");
    assert_eq!((both.entries[0].ratio, both.entries[0].movement), (None, Movement::CannotTell));
}

#[test]
fn results_that_are_not_trusted_move_nothing_and_fail_nothing() {
    for verdict in [Verdict::Unstable, Verdict::MinimumsUnmet, Verdict::Contended] {
        let doubtful = BenchmarkResult { verdict, ..cost("a", 24.0, 0.1) };
        let (movement, standing, said) = one(cost("a", 12.0, 0.1), doubtful, "5%,2cyc,<=20cyc");
        assert_eq!((movement, standing), (Movement::CannotTell, Standing::MayBePast), "{verdict}: {said}");
        assert!(said.contains("because the new result is"), "{said}");
    }
}

#[test]
fn numbers_that_are_missing_or_of_another_kind_are_named() {
    let nothing = BenchmarkResult {
        cycles: None,
        ticks: fencepost::record::Estimate { estimate: f64::NAN, ..Default::default() },
        ns: None,
        ..cost("a", 12.0, 0.1)
    };
    let (movement, standing, said) = one(cost("a", 12.0, 0.1), nothing, "5%");
    assert_eq!((movement, standing), (Movement::CannotTell, Standing::Unchecked));
    assert!(said.contains("no number"), "{said}");
    let ticks = BenchmarkResult { cycles: None, ..cost("a", 12.0, 0.1) };
    let (movement, _, said) = one(cost("a", 12.0, 0.1), ticks.clone(), "");
    assert_eq!(movement, Movement::CannotTell);
    assert!(said.contains("only ticks"), "{said}");
    assert_eq!(one(ticks.clone(), ticks, "").0, Movement::NoDifference);
    let kind = BenchmarkResult { kind: Kind::Routine, ..cost("a", 24.0, 0.1) };
    let (movement, standing, said) = one(cost("a", 12.0, 0.1), kind, "5%");
    assert_eq!((movement, standing), (Movement::CannotTell, Standing::Unchecked));
    assert!(said.contains("kind latency") && said.contains("kind routine"), "{said}");
}

#[test]
fn limits_hold_by_share_by_cycles_by_time_and_by_cost() {
    let standing = |new, width, limit| one(cost("a", 100.0, 0.1), cost("a", new, width), limit).1;
    assert_eq!(standing(110.0, 0.1, ""), Standing::Unlimited);
    assert_eq!(standing(104.0, 0.1, "5%"), Standing::Within);
    assert_eq!(standing(105.5, 0.1, "5%"), Standing::MayBePast, "not past it with the whole interval");
    assert_eq!(standing(110.0, 0.1, "5%"), Standing::Past);
    assert_eq!(standing(110.0, 8.0, "5%"), Standing::MayBePast);
    assert_eq!(standing(110.0, 0.1, "8cyc"), Standing::Past);
    assert_eq!(standing(110.0, 0.1, "11cyc"), Standing::Within);
    assert_eq!(standing(110.0, 0.1, "2ns"), Standing::Past, "10 cycles are 3.3 ns here");
    assert_eq!(standing(110.0, 0.1, "4ns"), Standing::Within);
    assert_eq!(standing(110.0, 0.1, "20%,8cyc"), Standing::Past, "each rule holds on its own");
    assert_eq!(standing(110.0, 0.1, "<=109cyc"), Standing::Past);
    assert_eq!(standing(110.0, 0.1, "<=111cyc"), Standing::Within);
    assert_eq!(standing(50.0, 0.1, "5%,1cyc,1ns"), Standing::Within, "faster is never a regression");
}

#[test]
fn a_benchmark_has_its_own_limit_or_its_groups_and_unused_ones_are_named() {
    let limit = |text: &str| text.parse::<Limit>().expect("a limit");
    let mut options = Options::default();
    options.limits = options
        .limits
        .for_run(limit("5%"))
        .for_benchmark("hash", limit("50%"))
        .for_benchmark("hash/fnv", limit("1%"))
        .for_benchmark("hsah", limit("1%"));
    let ids = ["hash/mix/latency", "hash/fnv/latency", "sum/latency", "hashes/latency"];
    let all = |factor: f64| run(ids.map(|id| cost(id, 100.0 * factor, 0.1)).to_vec());
    let comparison = compare(&all(1.0), &all(1.2), &options).expect("comparable");
    let standings: Vec<Standing> = comparison.entries.iter().map(|entry| entry.standing).collect();
    assert_eq!(standings, [Standing::Within, Standing::Past, Standing::Past, Standing::Past]);
    assert_eq!((comparison.regressions(), comparison.exit_status()), (3, ExitStatus::Regression));
    assert!(comparison.notes.iter().any(|note| note.contains("\"hsah\"")), "{:?}", comparison.notes);
}

#[test]
fn what_one_side_has_alone_is_listed_and_held_to_a_limit_of_cost() {
    let old = vec![cost("kept", 12.0, 0.1), cost("gone", 3.0, 0.1), cost("twice", 1.0, 0.1)];
    let new = vec![
        cost("new", 130.0, 0.1),
        cost("kept", 12.0, 0.1),
        cost("twice", 1.0, 0.1),
        cost("twice", 9.0, 0.1),
    ];
    let comparison = compared(old, new, "5%,<=120cyc");
    let ids = |alone: &[fencepost::baseline::Alone]| -> Vec<String> {
        alone.iter().map(|alone| alone.id.clone()).collect()
    };
    assert_eq!(
        comparison.entries.iter().map(|entry| entry.id.as_str()).collect::<Vec<_>>(),
        ["kept", "twice"]
    );
    assert_eq!(ids(&comparison.only_old), ["gone"]);
    assert_eq!(ids(&comparison.only_new), ["new", "twice"]);
    assert_eq!(comparison.only_new[0].standing, Standing::Past);
    assert_eq!(comparison.only_old[0].standing, Standing::Unlimited);
    assert_eq!(comparison.exit_status(), ExitStatus::Regression);
}

#[test]
fn no_numbers_break_a_comparison() {
    let odd = [0.0, -1.0, 1e-300, 1e300, f64::MAX, f64::INFINITY, f64::NAN, 12.0];
    for old in odd {
        for new in odd {
            for width in [0.0, 1.0, 1000.0, f64::INFINITY, f64::NAN] {
                let comparison =
                    compared(vec![cost("a", old, width)], vec![cost("a", new, width)], "5%,2cyc,1ns,<=3cyc");
                let entry = &comparison.entries[0];
                for ends in entry.ratio.iter().chain(&entry.difference_cycles) {
                    assert!(ends.lo <= ends.hi, "{old} {new} {width}: {ends:?}");
                    let inside = |estimate| ends.lo <= estimate && estimate <= ends.hi;
                    assert!(ends.estimate.is_none_or(inside), "{old} {new} {width}: {ends:?}");
                }
                assert!(!comparison.to_text(80).contains("NaN"), "{}", comparison.to_text(80));
            }
        }
    }
}
