//! Do suites show sweeps of two candidates, factor experiments and event counts as they are registered? The binary of
//! `tests/explored/fixture.rs` is run as a user runs it; what has to be found there is known: chains of so many links.

mod common;

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;

use common::{alone, bench, measures, said, shown};
use fencepost::explore::{Cell, Cost, Level, SizeCost, effects, judge_sweep};
use fencepost::record::{Estimate, FactorsOutcome, Record, SweepOutcome, text};

/// The executable of the fixture.
fn fixture() -> &'static PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| bench("explored_fixture"))
}

fn run(which: &str, arguments: &[&str]) -> Output {
    Command::new(fixture())
        .args(arguments)
        .env("FENCEPOST_FIXTURE", which)
        .env_remove("COLUMNS")
        .output()
        .expect("the fixture runs")
}

const QUICK: [&str; 6] = ["--bench", "--quiet", "--min-secs", "0.05", "--max-secs", "0.4"];

/// Measures, and gives what is on standard output.
fn measured(which: &str, arguments: &[&str]) -> String {
    let _alone = alone();
    let output = run(which, &[&QUICK, arguments].concat());
    assert!(output.status.success(), "{arguments:?}: {}", said(&output));
    shown(&output)
}

/// What was measured; `None`, said aloud, where no cycles could be claimed this time.
fn record(which: &str, arguments: &[&str]) -> Option<Record> {
    let shown = measured(which, &[arguments, &["--format", "json"]].concat());
    let record = Record::from_json(&shown).expect("a record");
    // Several processes claim cycles where each of them does.
    let claimed = record.results.iter().all(|result| result.cycles.is_some());
    if !claimed {
        eprintln!("SKIPPED: the clock ruler did not hold this time: {:#?}", record.findings);
    }
    claimed.then_some(record)
}

/// Whether no result of the run is but an upper bound, so that what is known of the kernels must be found; said aloud where not.
fn was_alone(record: &Record) -> bool {
    let bounds = record.results.iter().filter(|result| result.upper_bound).count();
    if bounds > 0 {
        eprintln!("NOT JUDGED: the core was not alone for {bounds} of {} results", record.results.len());
    }
    bounds == 0
}

/// The verdict is what is known of the kernels; beside a competitor it may be that there is none.
fn assert_verdict(sweep: &SweepOutcome, record: &Record, known: &str) {
    let found = sweep.verdict.as_deref().expect("two candidates");
    assert!(found == known || (found == "unclear" && !was_alone(record)), "{sweep:#?}");
}

fn sweep<'r>(record: &'r Record, name: &str) -> &'r SweepOutcome {
    record.sweeps.iter().find(|sweep| sweep.name == name).unwrap_or_else(|| panic!("{name} was swept"))
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs())
}

/// Every number of `sweep` is that of the results that it names, and the verdict is what follows from its numbers alone.
fn follows_from_results(sweep: &SweepOutcome, record: &Record) {
    for point in &sweep.points {
        assert_eq!(point.results.len(), point.costs.len());
        for (id, cost) in point.results.iter().zip(&point.costs) {
            let result = record.results.iter().find(|result| result.id == *id).expect("it was measured");
            let cycles = result.cycles.as_ref().expect("cycles are claimed");
            let per = if sweep.per == "element" { point.elements.expect("elements") as f64 } else { 1.0 };
            assert!(near(cost.estimate, cycles.estimate / per), "{id}: {cost:?} and {cycles:?}");
            assert!(near(cost.hi.unwrap(), cycles.hi / per), "{id}: {cost:?} and {cycles:?}");
        }
    }
    let [a, b] = &sweep.candidates[..] else {
        assert!(sweep.verdict.is_none() && sweep.points.iter().all(|point| point.ratio.is_none()));
        return;
    };
    let cost =
        |of: &Estimate| Cost { value: of.estimate, lo: of.lo.expect("an end"), hi: of.hi.expect("an end") };
    let points: Vec<SizeCost> = sweep
        .points
        .iter()
        .map(|point| {
            let ratio = point.ratio.as_ref().expect("two costs");
            assert!(near(ratio.estimate, point.costs[1].estimate / point.costs[0].estimate));
            SizeCost {
                bytes: point.bytes.expect("bytes"),
                level: point.level.as_deref().and_then(Level::from_name),
                a: cost(&point.costs[0]),
                b: cost(&point.costs[1]),
            }
        })
        .collect();
    let verdict = judge_sweep(&points, a, b);
    assert_eq!(sweep.verdict.as_deref(), Some(verdict.cause.to_string().as_str()));
    assert_eq!(sweep.reasons, verdict.reasons);
}

#[test]
fn sweeps_of_two_candidates_tell_instructions_from_cache() {
    if !measures() {
        return;
    }
    let Some(record) = record("sweeps", &["--skip", "single", "--skip", "unweighed"]) else { return };
    assert_eq!(record.sweeps.len(), 2);
    for sweep in &record.sweeps {
        follows_from_results(sweep, &record);
    }
    let twice = sweep(&record, "twice");
    assert_eq!(twice.candidates, ["plain", "worked"]);
    assert_eq!((twice.unit.as_str(), twice.per.as_str()), ("cyc", "element"));
    let bytes: Vec<Option<u64>> = twice.points.iter().map(|point| point.bytes).collect();
    assert_eq!(bytes, [8u64 << 8, 8 << 10, 8 << 20, 8 << 40].map(Some), "sorted, each once");
    assert_eq!(twice.points[0].results, ["twice/plain/256", "twice/worked/256"]);
    assert_verdict(twice, &record, "instructions");
    let waits = sweep(&record, "inside/waits");
    assert_eq!(waits.points[0].results, ["inside/waits/near/256", "inside/waits/far/256"]);
    assert_verdict(waits, &record, "cache");
    if record.machine.caches.is_empty() {
        eprintln!("SKIPPED: CPUID names no cache, so levels have no names");
    } else {
        assert_eq!(twice.points[0].level.as_deref(), Some("L1"));
        assert_eq!(twice.points[3].level.as_deref(), Some("RAM"));
    }
    // The page that is made of the record says the same, and fits.
    for width in [60, 80, 132] {
        let page = text::render(&record, width);
        assert!(page.lines().all(|line| line.chars().count() <= width), "{page}");
        let told =
            |sweep: &SweepOutcome| format!("{}: {}.", sweep.name, sweep.verdict.as_deref().unwrap_or("-"));
        for words in [&told(twice), &told(waits), "2 KiB", "8192 GiB", "####"] {
            assert!(page.contains(words), "{words}: {page}");
        }
    }
}

#[test]
fn a_sweep_of_one_shows_cost_by_size_and_levels_where_bytes_are_told() {
    if !measures() {
        return;
    }
    let Some(record) = record("sweeps", &["single", "unweighed"]) else { return };
    assert_eq!(record.sweeps.len(), 2, "what was filtered out is no sweep");
    for sweep in &record.sweeps {
        follows_from_results(sweep, &record);
        assert!(sweep.candidates.is_empty() && sweep.reasons.is_empty());
    }
    let single = sweep(&record, "single");
    assert_eq!(single.per, "element");
    assert_eq!(single.points.iter().map(|point| point.bytes).collect::<Vec<_>>(), [Some(32), Some(64)]);
    let unweighed = sweep(&record, "unweighed");
    assert_eq!(unweighed.per, "operation");
    assert!(unweighed.points.iter().all(|point| point.bytes.is_none() && point.level.is_none()));
    let page = text::render(&record, 80);
    assert!(page.contains("single: cyc per element by working set"), "{page}");
    assert!(page.contains("unweighed: cyc per operation by size"), "{page}");
}

#[test]
fn half_of_a_pair_has_costs_and_no_verdict() {
    if !measures() {
        return;
    }
    let Some(record) = record("sweeps", &["twice/worked"]) else { return };
    let [sweep] = &record.sweeps[..] else { panic!("{:#?}", record.sweeps) };
    assert_eq!((sweep.verdict.as_deref(), sweep.reasons.len()), (None, 0));
    for point in &sweep.points {
        assert!(point.ratio.is_none());
        assert!(point.costs[0].estimate.is_nan() && point.costs[1].estimate > 0.0, "{point:#?}");
    }
    let page = text::render(&record, 80);
    assert!(!page.contains("NaN") && !page.contains(" ratio") && page.contains("####"), "{page}");
}

/// The effects of `outcome` follow from its cells, and those from the results that they name.
fn effects_follow(outcome: &FactorsOutcome, record: &Record) {
    let number = |factor: usize, level: &String| {
        outcome.factors[factor].levels.iter().position(|one| one == level).expect("a level")
    };
    let cells: Vec<Cell> = outcome
        .cells
        .iter()
        .map(|cell| {
            let result = record.results.iter().find(|one| one.id == cell.result).expect("it was measured");
            assert!(near(cell.cost.estimate, result.cycles.as_ref().expect("cycles").estimate));
            Cell {
                levels: cell.levels.iter().enumerate().map(|(at, level)| number(at, level)).collect(),
                cost: cell.cost.estimate,
                margin: (cell.cost.hi.unwrap() - cell.cost.lo.unwrap()) / 2.0,
            }
        })
        .collect();
    let names: Vec<&str> = outcome.factors.iter().map(|factor| factor.name.as_str()).collect();
    let counts: Vec<usize> = outcome.factors.iter().map(|factor| factor.levels.len()).collect();
    let found = effects(&names, &counts, &cells).expect("effects");
    let all = outcome.main.iter().chain(&outcome.interactions);
    let expected: Vec<_> = found.main.iter().chain(&found.interactions).collect();
    assert_eq!(all.clone().count(), expected.len());
    for (one, other) in all.zip(expected) {
        assert!(near(one.adds, other.adds) && near(one.lo, other.lo), "{one:?} and {other:?}");
    }
    assert_eq!(outcome.warnings, found.warnings);
}

#[test]
fn effects_of_known_chains_are_found() {
    if !measures() {
        return;
    }
    let Some(record) = record("factors", &[]) else { return };
    let [outcome] = &record.factors[..] else { panic!("{:#?}", record.factors) };
    effects_follow(outcome, &record);
    let results: Vec<&str> = outcome.cells.iter().map(|cell| cell.result.as_str()).collect();
    assert_eq!(results, ["links/0/left", "links/0/right", "links/1/left", "links/1/right"]);
    assert!(outcome.warnings.is_empty(), "{outcome:#?}");
    if record.results.iter().any(|result| result.upper_bound) {
        eprintln!("SKIPPED: the core was never alone, so nothing is known of how long three cycles are");
        return;
    }
    // Three cycles a link. How near it comes with time to measure, `benches/verdicts.rs` counts.
    for (effect, links) in outcome.main.iter().chain(&outcome.interactions).zip([45.0, 35.0, 30.0]) {
        assert!((effect.adds / (3.0 * links) - 1.0).abs() < 0.1, "{links} links: {effect:?}");
    }
    let page = text::render(&record, 80);
    assert!(page.contains("row 1: +13") && page.contains("beyond the sum of both"), "{page}");
}

#[test]
fn a_diagonal_is_warned_of_whether_registered_or_selected() {
    if !measures() {
        return;
    }
    for (which, arguments) in
        [("diagonal", &[][..]), ("factors", &["--exact", "links/0/left", "links/1/right"])]
    {
        let Some(record) = record(which, arguments) else { return };
        let [outcome] = &record.factors[..] else { panic!("{:#?}", record.factors) };
        effects_follow(outcome, &record);
        assert!(outcome.main.is_empty() && outcome.interactions.is_empty(), "{outcome:#?}");
        let page = text::render(&record, 80);
        assert!(page.contains("Only a diagonal was measured"), "{page}");
    }
}

#[test]
fn a_combination_that_cannot_be_made_leaves_the_others() {
    if !measures() {
        return;
    }
    let _alone = alone();
    let output = run("one fails", &[&QUICK[..], &["--format", "json"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(
        said(&output).contains("no such pair") && said(&output).contains("links/2/2"),
        "{}",
        said(&output)
    );
    let record = Record::from_json(&shown(&output)).expect("a record all the same");
    let [outcome] = &record.factors[..] else { panic!("{:#?}", record.factors) };
    effects_follow(outcome, &record);
    assert_eq!(outcome.cells.len(), 3);
    assert!(outcome.interactions.is_empty(), "{outcome:#?}");
    assert!(outcome.warnings.iter().any(|warning| warning.contains("3 of 4")), "{outcome:#?}");
}

#[test]
fn several_processes_give_one_sweep_and_one_experiment() {
    if !measures() {
        return;
    }
    let Some(record) = record("", &["--processes", "2", "twice", "links"]) else { return };
    assert_eq!((record.processes, record.sweeps.len(), record.factors.len()), (2, 1, 1));
    follows_from_results(&record.sweeps[0], &record);
    effects_follow(&record.factors[0], &record);
    assert_verdict(&record.sweeps[0], &record, "instructions");
}

#[test]
fn every_output_names_the_same_benchmarks() {
    let names = |text: &str| text.lines().map(str::to_owned).collect::<Vec<String>>();
    let listed = shown(&run("", &["--list", "--format", "terse"]));
    let ids: Vec<String> = names(&listed)
        .iter()
        .filter_map(|line| line.strip_suffix(": benchmark").map(str::to_owned))
        .collect();
    assert_eq!(ids.len(), 8 + 8 + 4 + 4, "{ids:?}");
    assert_eq!(ids[..2], ["twice/plain/256", "twice/worked/256"], "candidates of a size are neighbours");
    assert!(
        ids.iter().any(|id| id == "inside/waits/far/1048576") && ids.iter().any(|id| id == "links/1/left")
    );
    let json: Vec<String> =
        serde_json::from_str(&shown(&run("", &["--list", "--format", "json"]))).expect("JSON");
    assert_eq!(json, ids);
    // As `cargo test --benches` and `cargo nextest run` start it, without --bench: each runs once.
    for arguments in [&[][..], &["--mode", "once"], &["--test"]] {
        let output = run("", arguments);
        assert!(output.status.success(), "{arguments:?}: {}", said(&output));
        let shown = shown(&output);
        for id in &ids {
            assert!(shown.contains(&format!("{id} ... ok")), "{arguments:?}: {shown}");
        }
    }
    let once =
        Record::from_json(&shown(&run("", &["--mode", "once", "--format", "json"]))).expect("a record");
    assert_eq!(once.results.len(), ids.len());
    assert!(once.sweeps.is_empty() && once.factors.is_empty(), "nothing was measured");
}

#[test]
fn a_spreadsheet_has_one_row_a_result() {
    if !measures() {
        return;
    }
    let rows = measured("", &["--format", "csv", "twice", "links"]);
    let ids: Vec<&str> = rows.lines().skip(1).filter_map(|row| row.split(',').next()).collect();
    assert_eq!(ids.len(), 12, "{rows}");
    assert!(ids.contains(&"twice/worked/1024") && ids.contains(&"links/1/right"), "{rows}");
    let page = measured("", &["twice", "links"]);
    // A bound, where the core was not alone, may leave it unclear.
    let told =
        page.contains("twice: instructions.") || page.contains("<=") && page.contains("twice: unclear.");
    assert!(told && page.contains("row 1: +"), "{page}");
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
}

#[test]
fn what_makes_no_sweep_and_no_experiment_is_refused_with_what_to_do() {
    for (which, what, remedy) in [
        ("idle", "\"forgotten\"", ".measure("),
        ("idle at the end", "\"forgotten\"", ".measure("),
        ("no levels", "\"row\"", "at least two"),
        ("alike", "\"same\"", "at least two"),
        ("no elements", "\"empty\"", "at least one element"),
        ("no sizes", "\"empty\"", "at least one element"),
    ] {
        for arguments in [&["--list"][..], &["--bench"], &["--mode", "once"]] {
            let output = run(which, arguments);
            assert_eq!(output.status.code(), Some(1), "{which}: {}", said(&output));
            assert!(output.stdout.is_empty(), "{which}");
            assert!(
                said(&output).contains(what) && said(&output).contains(remedy),
                "{which}: {}",
                said(&output)
            );
        }
    }
}

/// Events are counted beside the timed runs, or it is said once why not: nanobench#106 and sightglass#61, of a suite.
#[test]
fn sightglass_61_events_are_counted_or_it_is_said_once_why_not() {
    if !measures() {
        return;
    }
    let Some(record) = record("faults", &["--counters"]) else { return };
    let whys: Vec<_> = record.findings.iter().filter(|finding| finding.id.starts_with("events")).collect();
    let uncounted = |event: &str| {
        let known: Vec<bool> = record
            .results
            .iter()
            .map(|result| result.events.as_ref().is_some_and(|events| events.per_op.get(event).is_some()))
            .collect();
        assert!(known.iter().all(|one| *one == known[0]), "{event} is counted of all or of none: {known:?}");
        !known[0]
    };
    for event in ["cycles", "instructions", "branch_misses", "page_faults", "task_clock_ns"] {
        let said = whys.iter().filter(|why| why.value.contains(event)).count();
        assert_eq!(said, usize::from(uncounted(event)), "{event}: {whys:#?}");
    }
    for why in &whys {
        assert!(why.value.contains("perf_event_open") && why.remedy.is_some(), "{why:#?}");
    }
    if uncounted("page_faults") {
        eprintln!("SKIPPED: {whys:#?}");
        return;
    }
    let per_op = |id: &str, event: &str| {
        let result = record.results.iter().find(|result| result.id == id).expect("it was measured");
        result.events.as_ref().expect("events").per_op[event]
    };
    let faults = per_op("fresh", "page_faults");
    assert!((250.0..270.0).contains(&faults), "{faults} page faults for 256 fresh pages");
    assert!(per_op("chain", "page_faults").abs() < 0.01);
    // Time is no less than the cycles say at the fastest clock that there is, and not what one interrupt made of it.
    let clock = |id: &str| per_op(id, "task_clock_ns");
    assert!(clock("fresh") > 1000.0 && (40.0..4000.0).contains(&clock("chain")), "{record:#?}");
    if uncounted("cycles") {
        assert_eq!(whys.iter().filter(|why| why.effect.contains("clock ruler")).count(), 1, "{whys:#?}");
    } else {
        let off = record.results[1].events.as_ref().and_then(|events| events.ruler_off_pct).expect("both");
        assert!(off.abs() < 5.0, "the ruler is off by {off} %");
    }
    let page = text::render(&record, 80);
    assert!(page.contains("page_faults 256") || page.contains("page_faults 257"), "{page}");
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    // Nothing is counted that was not asked for.
    let Some(plain) = self::record("faults", &["chain"]) else { return };
    assert!(plain.results[0].events.is_none() && !plain.findings.iter().any(|one| one.id == "events"));
}

#[test]
fn events_of_several_processes_are_those_of_the_typical_one() {
    if !measures() {
        return;
    }
    let Some(record) = record("faults", &["--counters", "--processes", "2", "fresh"]) else { return };
    let Some(events) = &record.results[0].events else { panic!("{:#?}", record.results) };
    let Some(faults) = events.per_op.get("page_faults") else {
        eprintln!("SKIPPED: page faults are not counted: {:#?}", record.findings);
        return;
    };
    assert!((250.0..270.0).contains(faults), "{faults} page faults for 256 fresh pages");
}
