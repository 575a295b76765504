//! Does the ladder find this machine's caches, and do sweeps and factor experiments find causes that are known? Ratios, no absolute times.
#![cfg(feature = "cli")]

mod common;

use std::process::{Command, Output, Stdio};

use common::alone;
use fencepost::Lab;
use fencepost::explore::{Arena, Factors, Line, Placement, Sweep, SweepCause, Swept};
use fencepost::lab::Benchmark;
use fencepost::record::Record;
use fencepost::sampling::Options;

#[path = "explore/known.rs"]
mod known;

use known::{EFFECTS, LINK, LINKS, chain, plain, strided, worked};

/// A lab, or `None`, said aloud, where no cycles can be claimed.
fn lab(max_secs: f64) -> Option<Lab> {
    let options =
        Options { max_secs, min_secs: max_secs / 4.0, target_precision_pct: 1.0, ..Options::default() };
    match Lab::builder().options(options).build() {
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

fn ladder(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .arg("ladder")
        .args(arguments)
        .output()
        .expect("fencepost runs")
}

#[test]
fn the_ladder_rises_from_the_published_latency_and_is_a_record() {
    let _alone = alone();
    let output = ladder(&["--quick", "--json", "--max-bytes", "16M"]);
    let shown = String::from_utf8(output.stdout).expect("UTF-8");
    if output.status.code() == Some(4) {
        eprintln!("SKIPPED: {}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    Record::from_json(&shown).expect("readers of records can read it");
    let value: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
    let rungs = value["ladder"].as_array().expect("a ladder");
    let bytes: Vec<u64> = rungs.iter().filter_map(|rung| rung["bytes"].as_u64()).collect();
    assert_eq!(bytes.len(), rungs.len());
    assert!(bytes.windows(2).all(|pair| pair[0] < pair[1]), "smallest first: {bytes:?}");
    assert!(rungs.iter().all(|rung| rung["level"].is_string()));
    let cost = |at: usize| rungs[at]["cycles"].as_f64().or(rungs[at]["ticks"].as_f64()).expect("a cost");
    assert!(cost(rungs.len() - 1) > 1.5 * cost(0), "16 MiB is no dearer than 1 KiB");
    // Load-to-use latency of a simple address: 4 on Intel to Cascade Lake and on all Zen, 5 since Ice Lake; 3 on Efficiency cores.
    // A number that calls itself converged is right. Beside a competitor it is an upper bound and says so; not even that is below the truth.
    for rung in rungs.iter().take(4) {
        let Some(cycles) = rung["cycles"].as_f64() else { continue };
        assert!(cycles > 2.9, "{cycles} cycles from L1 are less than any core takes");
        if rung["verdict"] == "converged" {
            let nearest = cycles.round();
            let right = (3.0..=5.0).contains(&nearest) && (cycles - nearest).abs() < 0.1;
            assert!(right, "{cycles} cycles from L1 and called converged");
        } else {
            eprintln!("not judged: {cycles} cycles from L1, {}", rung["verdict"]);
        }
    }
    assert_eq!(rungs[0]["level"], "L1");
    assert!(value["bandwidth"].as_array().is_some_and(|all| all.len() == 3 * rungs.len()));
    assert!(value["notes"].as_array().is_some_and(|notes| !notes.is_empty()));
}

#[test]
fn the_page_fits_80_columns_and_a_reader_that_leaves_is_no_error() {
    let _alone = alone();
    let output = ladder(&["--quick", "--max-bytes", "64K", "--pages", "small"]);
    let page = String::from_utf8(output.stdout).expect("UTF-8");
    if output.status.code() != Some(4) {
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
        assert!(page.contains("4 KiB pages") && page.contains("CPUID"), "{page}");
    }
    let mut gone = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(["ladder", "--quick", "--max-bytes", "4K", "--no-bandwidth"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("fencepost runs");
    drop(gone.stdout.take());
    let ended = gone.wait_with_output().expect("it ends");
    assert!(matches!(ended.status.code(), Some(0 | 4)), "{ended:?}");
    assert!(
        ended.stderr.is_empty() || ended.status.code() == Some(4),
        "{}",
        String::from_utf8_lossy(&ended.stderr)
    );
}

#[test]
fn sizes_that_make_no_ladder_are_refused_with_what_to_do() {
    for arguments in [
        &["--max-bytes", "64"][..],
        &["--max-bytes", "lots"],
        &["--min-bytes", "2M", "--max-bytes", "1M"],
        &["--max-bytes", "60G", "--min-bytes", "0"],
        &["--core", "99999"],
    ] {
        let output = ladder(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn layout_alone_makes_the_same_list_dear() {
    let _alone = alone();
    let Some(mut lab) = lab(0.3) else { return };
    let mut walk = |placement: Placement| {
        // 4 MiB: more than most L2 caches hold, less than memory takes long for.
        let arena = Arena::new((0..1u64 << 15).map(Line), placement).expect("nodes");
        let name = placement.to_string();
        let benchmark = Benchmark::latency(name, arena.first(), move |slot| arena.next(slot));
        lab.measure(vec![benchmark])
            .expect("one benchmark")
            .pop()
            .expect("a result")
            .cycles()
            .expect("cycles")
            .get()
    };
    let (sequential, reverse, shuffled) =
        (walk(Placement::Sequential), walk(Placement::Reverse), walk(Placement::Shuffled(1)));
    assert!(shuffled > 1.5 * sequential, "shuffled {shuffled}, sequential {sequential}");
    assert!(reverse < shuffled, "reverse {reverse}, shuffled {shuffled}");
}

/// The cause is what is known of the kernels; beside a competitor it may be that none is told, but never another one.
fn assert_cause(found: &Swept, known: SweepCause) {
    let bounds = found.measurements.iter().filter(|one| one.result.upper_bound).count();
    if bounds > 0 && found.verdict.cause == SweepCause::Unclear {
        eprintln!("NOT JUDGED: the core was not alone for {bounds} of {} results", found.measurements.len());
        return;
    }
    assert_eq!(found.verdict.cause, known, "{}", found.to_text());
}

#[test]
fn extra_arithmetic_is_instructions_and_a_stride_is_cache() {
    let _alone = alone();
    let Some(mut lab) = lab(0.1) else { return };
    let sizes: Vec<u64> = (7..=23).step_by(2).map(|power| 1 << power).collect();
    let setup = |elements: u64| (0..elements).collect::<Vec<u64>>();
    let sweep = Sweep::new("sum", sizes);
    let found = sweep
        .measure(&mut lab, setup, ("plain", |v: &Vec<u64>| plain(v)), ("worked", |v: &Vec<u64>| worked(v)))
        .expect("a sweep");
    assert_cause(&found, SweepCause::Instructions);
    let found = sweep
        .measure(&mut lab, setup, ("plain", |v: &Vec<u64>| plain(v)), ("strided", |v: &Vec<u64>| strided(v)))
        .expect("a sweep");
    assert_cause(&found, SweepCause::Cache);
    assert!(found.to_text().lines().all(|line| line.chars().count() <= 80), "{}", found.to_text());
}

#[test]
fn known_effects_of_a_two_by_two_experiment_are_found_within_2_percent() {
    let _alone = alone();
    let Some(mut lab) = lab(0.5) else { return };
    let experiment =
        Factors::new("chain").factor("row", ["first", "second"]).factor("column", ["first", "second"]);
    let found = experiment
        .measure(&mut lab, |choice| {
            let [row, column] = choice.numbers() else { unreachable!("two factors") };
            Ok(Benchmark::latency("", 1u64, chain(LINKS[*row][*column])))
        })
        .expect("an experiment");
    if found.measurements.iter().any(|one| one.result.upper_bound) {
        eprintln!("SKIPPED: the core was never alone");
        return;
    }
    let text = found.to_text();
    let told = found.effects.main.iter().chain(&found.effects.interactions);
    for (effect, links) in told.zip(EFFECTS) {
        assert!((effect.adds / (LINK * links) - 1.0).abs() < 0.02, "{links} links: {text}");
    }
    assert!(found.effects.warnings.is_empty(), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let diagonal = experiment.without(&[0, 1]).without(&[1, 0]);
    let found =
        diagonal.measure(&mut lab, |_| Ok(Benchmark::latency("", 1u64, chain(4)))).expect("two cells");
    assert!(found.to_text().contains("Only a diagonal was measured"), "{}", found.to_text());
}

/// Lessons that were built beside this test end well, also where their reader leaves.
#[test]
fn lessons_on_traps_end_well() {
    let _alone = alone();
    let this = std::env::current_exe().expect("the path of this test");
    let examples = this.ancestors().nth(2).expect("target/profile/deps/test").join("examples");
    let names = ["popcnt", "store_forwarding", "4k_aliasing", "subnormals", "unaligned"];
    for name in names {
        let path = examples.join(format!("trap_{name}"));
        if !path.exists() {
            eprintln!("SKIPPED: {} is not built; cargo test --examples builds it", path.display());
            continue;
        }
        let mut child = Command::new(&path)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the lesson runs");
        if name == "popcnt" {
            drop(child.stdout.take());
        }
        let ended = child.wait_with_output().expect("it ends");
        assert_eq!(ended.status.code(), Some(0), "{name}: {}", String::from_utf8_lossy(&ended.stderr));
        let shown = String::from_utf8_lossy(&ended.stdout);
        let not_here = shown.contains("not shown here");
        // A range and not one number.
        assert!(name != "store_forwarding" || not_here || shown.contains("The least is"), "{shown}");
        assert!(name == "popcnt" || ended.stdout.split(|byte| *byte == b'\n').count() > 3, "{name}");
    }
}

/// Sorted and shuffled input of one parser: both are named, and the gap has an interval.
#[test]
fn breakwater_12_the_order_of_inputs_is_a_factor_with_an_effect() {
    const COMMANDS: usize = 1 << 14;
    /// A parser of commands: a branch on what each is, which the assembly keeps from becoming an addition.
    fn parse(commands: &[u8]) -> u64 {
        let mut pixels = 0u64;
        for command in commands {
            // SAFETY: registers alone.
            unsafe {
                std::arch::asm!(
                    "cmp {c}, 128", "jb 2f", "add {n}, 3", "2:",
                    c = in(reg_byte) *command, n = inout(reg) pixels, options(pure, nomem, nostack),
                );
            }
        }
        pixels
    }
    let _alone = alone();
    let Some(mut lab) = lab(0.3) else { return };
    let mut state = 7u64;
    let mut shuffled: Vec<u8> = Vec::with_capacity(COMMANDS);
    for _ in 0..COMMANDS {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        shuffled.push((state >> 56) as u8);
    }
    let mut sorted = shuffled.clone();
    sorted.sort_unstable();
    let inputs = [std::rc::Rc::new(sorted), std::rc::Rc::new(shuffled)];
    let found = Factors::new("parse")
        .factor("order", ["sorted", "shuffled"])
        .measure(&mut lab, |choice| {
            let input = std::rc::Rc::clone(&inputs[choice.numbers()[0]]);
            Benchmark::throughput("", &[input], |commands: &std::rc::Rc<Vec<u8>>| parse(commands))
        })
        .expect("an experiment");
    let text = found.to_text();
    assert!(text.contains("order sorted") && text.contains("order shuffled"), "{text}");
    if found.measurements.iter().any(|one| one.result.upper_bound) {
        eprintln!("SKIPPED: the core was never alone");
        return;
    }
    let effect = &found.effects.main[0];
    assert!(effect.is_told() && effect.factor.is_some_and(|factor| factor > 1.2), "{text}");
}
