//! Are the instruction truths right that measuring tools are known to have got wrong? Costs are judged where the verdict is converged,
//! by ratios that hold on every core, or by what is published of this one.

use std::collections::BTreeMap;

use fencepost::machine::Machine;
use fencepost::record::{BenchmarkResult, Record, Verdict};

use super::{Files, Ran, ran};

/// The results of a run by what follows the last `/` of their ids; `None` where this machine cannot measure.
fn results(text: &str) -> Option<BTreeMap<String, BenchmarkResult>> {
    let ran: Ran = ran(&["asm", "--json", "--max-secs", "0.4", text]);
    if ran.code == Some(4) {
        eprintln!("SKIPPED: this machine cannot measure: {}", ran.err);
        return None;
    }
    assert_eq!(ran.code, Some(0), "{text}: {}", ran.err);
    let record = Record::from_json(&ran.out).expect("a record");
    Some(
        record
            .results
            .into_iter()
            .map(|result| (result.id.rsplit('/').next().unwrap_or_default().to_owned(), result))
            .collect(),
    )
}

/// Results of two runs, without those in which they contradict each other: another guest's thread on the same core can want the very
/// unit that is measured, which no gauge of issue slots sees.
fn measured(text: &str) -> Option<BTreeMap<String, BenchmarkResult>> {
    let (mut one, other) = (results(text)?, results(text)?);
    for (name, result) in &mut one {
        let costs =
            [Some(&*result), other.get(name)].map(|one| one?.cycles.as_ref().map(|cycles| cycles.estimate));
        if let [Some(first), Some(second)] = costs
            && (first / second - 1.0).abs() > 0.05
        {
            eprintln!("NOT JUDGED: {text}/{name} is {first} cycles in one run and {second} in the next");
            result.verdict = Verdict::Contended;
        }
    }
    Some(one)
}

/// A cost that may be judged.
fn cycles(results: &BTreeMap<String, BenchmarkResult>, name: &str) -> Option<f64> {
    let result = results.get(name).unwrap_or_else(|| panic!("no {name} among {:?}", results.keys()));
    if result.verdict != Verdict::Converged {
        eprintln!("SKIPPED: {} is {}", result.id, result.verdict);
        return None;
    }
    result.cycles.as_ref().map(|cycles| cycles.estimate)
}

fn assert_near(found: Option<f64>, expected: f64, share: f64, what: &str) {
    if let Some(found) = found {
        assert!((found / expected - 1.0).abs() <= share, "{what}: {found} and not {expected}");
    }
}

fn is(names: &[&str]) -> bool {
    Machine::detect().microarchitecture().is_some_and(|here| names.contains(&here.name))
}

const GOLDEN_COVE: [&str; 2] = ["Golden Cove", "Raptor Cove"];
const ZEN_3: [&str; 2] = ["Zen 3", "Zen 3+"];

#[test]
fn zero_idioms_cost_no_unit_and_have_no_latency() {
    let Some(results) = measured("xor r64, r64") else { return };
    assert!(!results.keys().any(|name| name == "latency[same register]"), "{:?}", results.keys());
    let same = cycles(&results, "reciprocal_throughput[same register]");
    let different = cycles(&results, "reciprocal_throughput");
    if let (Some(same), Some(width)) = (same, Machine::detect().issue_width()) {
        assert!(same <= 1.25 / f64::from(width), "{same} is more than the width of {width} takes");
    }
    if let (Some(same), Some(different)) = (same, different) {
        assert!(same < 0.95 * different, "{same} beside {different}");
    }
}

#[test]
fn a_zero_idiom_of_vectors_waits_for_nothing() {
    let Some(results) = measured("pxor xmm, xmm") else { return };
    assert!(!results.keys().any(|name| name == "latency[same register]"), "{:?}", results.keys());
    let same = cycles(&results, "reciprocal_throughput[same register]");
    let different = cycles(&results, "reciprocal_throughput");
    if let (Some(same), Some(different)) = (same, different) {
        // Zen keeps a unit for it (0.25 cycles, as with different registers), Golden Cove needs none; neither makes it a chain.
        assert!(same < 1.05 * different, "{same} beside {different}");
        if is(&GOLDEN_COVE) {
            assert!(same < 0.95 * different, "{same} beside {different}");
        }
    }
}

#[test]
fn sign_extension_takes_a_cycle() {
    let Some(results) = measured("movsx r64, r8") else { return };
    assert_near(cycles(&results, "latency[op2->op1]"), 1.0, 0.05, "movsx between two registers");
}

#[test]
fn flags_alone_have_no_latency_but_a_bound() {
    let Some(results) = measured("cmp r64, r64") else { return };
    let latencies: Vec<_> = results.iter().filter(|(name, _)| name.starts_with("latency")).collect();
    assert!(!latencies.is_empty());
    for (name, result) in latencies {
        assert!(result.upper_bound && result.sentence.contains("at most"), "{name}: {}", result.sentence);
    }
}

#[test]
fn a_rotate_in_disguise_is_listed_apart() {
    let Some(results) = measured("shld r64, r64, imm8") else { return };
    let different = cycles(&results, "latency[op1->op1]");
    let same = cycles(&results, "latency[same register]");
    if is(&GOLDEN_COVE) {
        assert_near(different, 3.0, 0.05, "different registers");
        assert_near(same, 1.0, 0.1, "the same register");
    }
}

#[test]
fn a_gather_through_its_destination_is_not_its_throughput() {
    let Some(results) = measured("vpgatherdd xmm, [vm32x], xmm") else { return };
    let rthroughput = cycles(&results, "reciprocal_throughput");
    let through = cycles(&results, "latency[op1->op1]");
    if let (true, Some(rthroughput), Some(through)) = (is(&GOLDEN_COVE), rthroughput, through) {
        assert!(through < 0.8 * rthroughput, "{through} beside {rthroughput}");
        assert_near(Some(through), 1.0, 0.25, "through the destination");
    }
}

#[test]
fn a_false_dependence_would_be_seen() {
    let Some(results) = measured("popcnt r64, r64") else { return };
    let rotating = cycles(&results, "reciprocal_throughput");
    let one = cycles(&results, "reciprocal_throughput[one destination]");
    if is(&GOLDEN_COVE) || is(&ZEN_3) {
        // Neither has the false dependence of Sandy Bridge to Skylake.
        if let (Some(rotating), Some(one)) = (rotating, one) {
            assert!((one / rotating - 1.0).abs() < 0.1, "{one} beside {rotating}");
        }
    }
    if is(&ZEN_3) {
        assert_near(rotating, 0.25, 0.06, "on Zen 3");
    }
    if is(&GOLDEN_COVE) {
        assert_near(rotating, 1.0, 0.05, "on Golden Cove");
    }
}

#[test]
fn multiplication_is_three_cycles_everywhere() {
    let Some(results) = measured("imul r64, r64") else { return };
    if Machine::detect().imul_latency() == Some(3) {
        assert_near(cycles(&results, "latency[op1->op1]"), 3.0, 0.05, "from itself");
        assert_near(cycles(&results, "latency[op2->op1]"), 3.0, 0.05, "from the other");
        assert_near(cycles(&results, "reciprocal_throughput"), 1.0, 0.05, "throughput");
    }
}

#[test]
fn a_shift_by_cl_has_one_latency_whatever_made_the_count() {
    // The count by a move of 64 bits, and by one of 32: on some cores the two differ, and then both are said.
    for text in ["mov rcx, 0x100000003; shlx rax, rax, rcx", "mov ecx, 3; shlx rax, rax, rcx"] {
        let Some(results) = measured(text) else { return };
        let found = cycles(&results, "loop");
        if is(&ZEN_3) {
            assert_near(found, 1.0, 0.06, text);
        }
    }
}

#[test]
fn comparisons_with_an_immediate_are_told_with_the_size_of_the_code() {
    let Some(results) = measured("cmp eax, 100000") else { return };
    let result = results.get("loop").expect("a loop");
    assert!(result.notes.iter().any(|note| note.contains("500 instructions")), "{:?}", result.notes);
}

#[test]
fn sums_of_blocks_are_the_sums_of_their_chains() {
    let Some(results) = measured("imul rax, rbx; add rax, rcx; imul rax, rdx") else { return };
    assert_near(cycles(&results, "loop"), 7.0, 0.05, "3 + 1 + 3");
}

/// Without a displacement LEA is a copy of its base, which Zen 4 makes while it renames.
#[test]
fn an_address_takes_a_cycle_to_add() {
    // Golden Cove adds small constants while it renames.
    if !is(&["Zen 2", "Zen 3", "Zen 3+", "Zen 4", "Zen 4c", "Skylake", "Ice Lake", "Sunny Cove"]) {
        return;
    }
    for text in ["lea r64, [m]", "lea r32, [m]"] {
        let Some(results) = measured(text) else { return };
        assert_near(cycles(&results, "latency[address->op1]"), 1.0, 0.05, text);
    }
}

/// Among many blocks each runs in a process of its own, and a switch between them may have emptied the TLBs that a stack that moves on
/// needs: `push` cost 0.64 cycles for 0.52 then.
#[test]
fn pushes_cost_the_same_alone_and_in_company() {
    const PUSH: &str = "push 0x3f";
    let alone: Vec<f64> =
        (0..5).filter_map(|_| results(PUSH)).filter_map(|found| cycles(&found, "loop")).collect();
    let least = alone.iter().copied().fold(f64::INFINITY, f64::min);
    if alone.len() < 3 || alone.iter().any(|cost| *cost > 1.04 * least) {
        eprintln!("SKIPPED: {PUSH} takes {alone:?} cycles here");
        return;
    }
    let files = Files::new("asm-company");
    let ran = ran(&["asm", "--hex-file", &files.file("pushes.csv", "6a3f\n".repeat(80))]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let rows = ran.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a row"));
    let mut company: Vec<f64> =
        rows.filter(|row| row["verdict"] == "converged").filter_map(|row| row["cycles"].as_f64()).collect();
    company.sort_by(f64::total_cmp);
    if company.len() < 20 {
        eprintln!("SKIPPED: {} of 80 blocks converged", company.len());
        return;
    }
    assert_near(company.get(company.len() / 2).copied(), least, 0.08, "in company");
}
