//! `fencepost mca` from outside: regions and whole files, real compiler output, limits, bad input, and models that misbehave.

mod common;
#[path = "mca/fake.rs"]
mod fake;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use common::{Fake, LIMIT, Scratch, gone, has, number, text};
use fake::knowing;
use fencepost::predict::source::regions;
use serde_json::Value;

fn run(arguments: &[&str], input: &[u8]) -> Output {
    let started = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .arg("mca")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Whoever refuses the arguments reads nothing.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    assert!(started.elapsed() < LIMIT, "{arguments:?}: {:?}", started.elapsed());
    output
}

/// The JSON of a run with a fake model, and the exit status.
fn asked(fake: &Fake, more: &[&str], input: &str) -> (Value, Option<i32>) {
    let mut arguments = vec!["-", "--json", "--mcpu", "znver3", "--llvm-mca", fake.name()];
    arguments.extend(more);
    let output = run(&arguments, input.as_bytes());
    let value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    (value, output.status.code())
}

fn region<'v>(all: &'v Value, name: &str) -> &'v Value {
    let found = all["regions"].as_array().unwrap().iter().find(|region| region["region"] == name);
    found.unwrap_or_else(|| panic!("no region {name}: {all}"))
}

fn compiled() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/asm");
    let mut all: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "s"))
        .collect();
    all.sort();
    for (compiler, least) in [("gcc", 8), ("gxx", 2), ("rustc", 2), ("clang", 12)] {
        let count = all.iter().filter(|path| path.to_str().unwrap().contains(compiler)).count();
        assert!(count >= least, "{compiler}: {all:?}");
    }
    all
}

/// A compiler output by its name.
fn output_of(name: &str) -> PathBuf {
    compiled().into_iter().find(|path| path.file_stem().unwrap() == name).unwrap()
}

/// The regions of a compiler output, predicted for Zen 3 and, if so, measured.
fn of_compiled(path: &Path, more: &[&str]) -> Vec<Value> {
    let mut arguments = vec![path.to_str().unwrap(), "--json", "--mcpu", "znver3"];
    arguments.extend(more);
    let output = run(&arguments, b"");
    let all: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    all["regions"].as_array().unwrap().clone()
}

const REGIONS: &str = "\
f:
	# LLVM-MCA-BEGIN outer
	imulq %rcx, %rax
	# LLVM-MCA-BEGIN inner
	addq $1, %rax
	# LLVM-MCA-END inner
	# LLVM-MCA-END outer
	nop
	# LLVM-MCA-BEGIN
.L2:
	popcntq %rdi, %rdi
	decq %rsi
	jne .L2
	# LLVM-MCA-END
	ret
";

#[test]
fn regions_named_unnamed_and_nested_are_predicted_in_their_order() {
    let fake = knowing("imul=3 popcnt=2");
    let (all, code) = asked(&fake, &["--no-measure"], REGIONS);
    let found: Vec<(&str, f64, bool)> = all["regions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["region"].as_str().unwrap(),
                one["predicted_cycles"].as_f64().unwrap(),
                one["is_loop"].as_bool().unwrap(),
            )
        })
        .collect();
    assert_eq!(found, [("outer", 4.0, false), ("inner", 1.0, false), ("line 9", 4.0, true)]);
    assert_eq!(
        (code, all["model"].as_str(), all["cpu"].as_str()),
        (Some(0), Some("llvm-mca"), Some("znver3"))
    );
}

#[test]
fn a_whole_file_gives_its_loops_and_straight_functions() {
    let fake = knowing("imul=3");
    let input = "	.text\n	.globl	f\nf:\n	endbr64\n	imulq	%rdi, %rdi\n	movq	%rdi, %rax\n	ret\ng:\n.L1:\n	imulq	%rdi, %rdi\n\
                 	decq	%rsi\n	jne	.L1\n	ret\n	.section	.rodata\nnames:\n	.string	\"a;b:c # d\"\n";
    let (all, code) = asked(&fake, &["--no-measure"], input);
    assert_eq!(all["regions"].as_array().unwrap().len(), 2, "{all}");
    assert_eq!(region(&all, "f")["predicted_cycles"], 4.0);
    assert_eq!(region(&all, "g:.L1")["predicted_cycles"], 5.0);
    assert_eq!(code, Some(0));
}

#[test]
fn what_refers_to_symbols_is_predicted_only_and_says_so() {
    let fake = knowing("call=1");
    let input = "f:\n.L1:\n	movss	table(%rip), %xmm0\n	decq	%rsi\n	jne	.L1\n	ret\n\
                 g:\n.L2:\n	call	sin@PLT\n	decq	%rbx\n	jne	.L2\n	ret\n\
                 h:\n.L3:\n	cmpq	%rax, (%rdi)\n	je	.L4\n	addq	$8, %rdi\n	jmp	.L3\n.L4:\n	ret\n";
    let (all, code) = asked(&fake, &["--max-secs", "0.05"], input);
    for (name, word) in
        [("f:.L1", "table"), ("g:.L2", "line 9: it calls sin@PLT"), ("h:.L3", "line 16: it may leave")]
    {
        let one = region(&all, name);
        let remark = one["remark"].as_str().unwrap_or_default();
        assert!(remark.starts_with("not measured") && remark.contains(word), "{name}: {remark}");
        assert!(one["predicted_cycles"].is_f64() && one["measured_cycles"].is_null(), "{one}");
    }
    assert_eq!(code, Some(0), "predicted only is no failure");
}

#[test]
fn both_syntaxes_may_stand_in_a_region_and_long_comments_beside_them() {
    let fake = knowing("imul=3");
    let input = "/* of two\n hands */\nf:\n.L1:\n	addq	%rcx, %rax\n	.intel_syntax noprefix\n	imul	rax, rcx\n	.att_syntax\n	decq	%rdx\n\
                 	jne	.L1\n	ret\n";
    // The fake takes a directive for an instruction of one cycle.
    let (all, code) = asked(&fake, &["--no-measure"], input);
    let one = region(&all, "f:.L1");
    assert_eq!(
        (one["instructions"].as_u64(), one["predicted_cycles"].as_f64()),
        (Some(4), Some(8.0)),
        "{all}"
    );
    assert_eq!(code, Some(0));
    if !has("llvm-mca") || !has("as") {
        return;
    }
    let output = run(&["-", "--json", "--mcpu", "znver3", "--max-secs", "0.05"], input.as_bytes());
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    let one = region(&all, "f:.L1");
    // The chain by RAX: an addition and a multiplication.
    let predicted = one["predicted_cycles"].as_f64().unwrap();
    assert!((predicted - 4.0).abs() < 0.05, "{one}");
    assert!(one["measured_cycles"].as_f64().is_none_or(|measured| measured > 3.5), "{one}");
    assert!(one["verdict"].is_string(), "{one}");
}

#[test]
fn results_that_did_not_converge_say_so_and_strict_sees_them() {
    if !has("as") {
        return;
    }
    let fake = knowing("imul=3");
    let input = "	imulq	%rax, %rax\n";
    // A precision that no clock has.
    let hasty = ["--max-secs", "0.01", "--precision", "0.000001"];
    let (all, code) = asked(&fake, &hasty, input);
    let one = &all["regions"][0];
    let verdict = one["verdict"].as_str().unwrap();
    assert!(verdict != "converged" && one["remark"].as_str().unwrap().contains("measured"), "{one}");
    assert_eq!(code, Some(0));
    let strict = [&hasty[..], &["--strict"]].concat();
    assert_eq!(asked(&fake, &strict, input).1, Some(2));
}

#[test]
fn a_way_that_depends_on_data_is_refused_with_its_line() {
    let fake = knowing("");
    let input = "f:\n.L1:\n	testq	%rax, %rsi\n	je	.L2\n	incq	%rax\n.L2:\n	decq	%rcx\n	jne	.L1\n	ret\n\
                 g:\n	incq	%rax\n	ret\n";
    let (all, code) = asked(&fake, &["--no-measure"], input);
    assert!(region(&all, "f:.L1")["remark"].as_str().unwrap().contains("line 4"), "{all}");
    assert_eq!(region(&all, "g")["predicted_cycles"], 1.0);
    assert_eq!(code, Some(1));
    let marked =
        "# LLVM-MCA-BEGIN x\n	testq	%rax, %rsi\n	je	.L2\n	incq	%rax\n.L2:\n	decq	%rcx\n# LLVM-MCA-END\n";
    let (all, code) = asked(&fake, &["--no-measure"], marked);
    assert!(region(&all, "x")["remark"].as_str().unwrap().contains("line 3"), "{all}");
    assert_eq!(code, Some(1));
}

#[test]
fn compiler_output_goes_through() {
    let mut straight = 0;
    for path in compiled() {
        let found = regions(&fs::read_to_string(&path).unwrap()).unwrap();
        for one in &found {
            // Only loops that decide by their data have no prediction.
            let branches = ["words", "collatz"].iter().any(|name| one.name.contains(name));
            assert!(one.refused.is_none() || branches, "{path:?}: {one:?}");
            straight += usize::from(one.refused.is_none() && one.predicted_only.is_none());
        }
    }
    assert!(straight >= 20, "{straight}");
    if !has("llvm-mca") {
        return;
    }
    let (mut predicted, mut unknown) = (0, Vec::new());
    for path in compiled() {
        for one in of_compiled(&path, &["--no-measure"]) {
            match one["predicted_cycles"].as_f64() {
                Some(cycles) => {
                    assert!(cycles > 0.0 && cycles < 1000.0, "{path:?}: {one}");
                    predicted += 1;
                }
                None => unknown.push(one["region"].as_str().unwrap().to_owned()),
            }
        }
    }
    assert!(predicted >= 70, "{predicted}");
    assert!(unknown.iter().all(|name| name.contains("words") || name.contains("collatz")), "{unknown:?}");
    // An exclusive or and a multiplication a byte; four bytes a turn where the loop is unrolled.
    for (name, loop_of, cycles) in
        [("hashes_gcc_O2", "fnv1a:.L3", 4.0), ("hashes_clang_O2", "fnv1a:.LBB0_9", 16.0)]
    {
        let all = of_compiled(&output_of(name), &["--no-measure"]);
        let found = all.iter().find(|one| one["region"] == loop_of).unwrap();
        let fnv = found["predicted_cycles"].as_f64().unwrap();
        assert!((fnv - cycles).abs() < 0.05, "{name}: {fnv}");
    }
}

#[test]
fn the_same_code_in_intel_syntax_is_predicted_the_same() {
    if !has("llvm-mca") {
        return;
    }
    for (intel, att) in [
        ("dot_clang_O3_intel", "dot_clang_O2"),
        ("walks_clang_O3_intel", "walks_clang_O2"),
        ("walks_gcc_O2_intel", "walks_gcc_O2"),
    ] {
        let [intel, att] = [intel, att].map(|name| of_compiled(&output_of(name), &["--no-measure"]));
        let of = |all: &[Value]| -> Vec<[Value; 4]> {
            let parts = ["region", "instructions", "predicted_cycles", "bottleneck"];
            all.iter().map(|one| parts.map(|part| one[part].clone())).collect()
        };
        assert_eq!(of(&intel), of(&att));
        assert!(intel.iter().any(|one| one["predicted_cycles"].is_f64()), "{intel:?}");
    }
}

#[test]
fn an_lea_of_a_scaled_index_is_a_known_error_of_llvm_mca_for_zen_3() {
    let design = fencepost::machine::Machine::detect().microarchitecture().map(|here| here.name);
    if !matches!(design, Some("Zen 3" | "Zen 4")) {
        eprintln!("SKIPPED: this core is neither Zen 3 nor Zen 4");
        return;
    }
    if !has("llvm-mca") || !has("as") {
        return;
    }
    let input = b"	leaq	(%rbx,%rbx,8), %rbx\n";
    let output = run(&["-", "--json", "--mcpu", "znver3"], input);
    let all: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    if !all["version"].as_str().unwrap().starts_with("14.") {
        eprintln!("SKIPPED: this is known of llvm-mca 14, and this is another");
        return;
    }
    let one = &all["regions"][0];
    assert!((one["predicted_cycles"].as_f64().unwrap() - 2.0).abs() < 0.05, "{one}");
    if one["verdict"] == "converged" {
        let measured = one["measured_cycles"].as_f64().unwrap();
        assert!((measured - 1.0).abs() < 0.05, "{one}");
    } else {
        eprintln!("SKIPPED: it was not measured well enough: {one}");
    }
}

#[test]
fn each_region_of_compiler_output_is_measured_or_says_why_not() {
    if !has("llvm-mca") || !has("as") {
        return;
    }
    let mut measured = 0;
    // By each compiler, in both syntaxes.
    for name in [
        "dot_clang_O3_intel",
        "dot_clang_O3_znver3",
        "hashes_clang_O3_debug",
        "matrix_clang_O2_intel",
        "polynomial_clangxx_O2",
        "polynomial_gxx_O3",
        "sums_rustc_O",
        "tables_clang_O3_intel",
        "tables_gcc_O3_intel",
        "walks_clang_O2",
        "walks_gcc_O2_intel",
    ] {
        for one in of_compiled(&output_of(name), &["--max-secs", "0.02"]) {
            let remark = one["remark"].as_str().unwrap_or_default();
            let reasons = ["calls", "may leave", "which it does not define", "belongs to"];
            let is_known = if one["predicted_cycles"].is_null() {
                remark.contains("its way depends on data")
            } else {
                one["verdict"].is_string()
                    || remark.starts_with("not measured")
                        && reasons.iter().any(|reason| remark.contains(reason))
            };
            assert!(is_known, "{name}: {one}");
            measured += usize::from(one["verdict"].is_string());
        }
    }
    assert!(measured >= 15, "{measured}");
}

#[test]
fn measured_and_predicted_stand_beside_each_other_and_a_limit_holds() {
    if !has("as") {
        return;
    }
    let input = "# LLVM-MCA-BEGIN chain\n	imulq	%rax, %rax\n	imulq	%rax, %rax\n# LLVM-MCA-END\n";
    let right = knowing("imul=3");
    let (all, code) = asked(&right, &["--limit", "50%"], input);
    let measured = region(&all, "chain")["measured_cycles"].as_f64();
    let Some(measured) = measured else {
        panic!("not measured: {all}");
    };
    // Two multiplications that wait for each other; a machine that is shared may add something, but takes nothing off.
    assert!(measured > 5.5, "{measured}");
    let off = region(&all, "chain")["off_pct"].as_f64().unwrap();
    assert!((off - 100.0 * (6.0 / measured - 1.0)).abs() < 1e-6, "{off}");
    assert_eq!(code, Some(if off.abs() > 50.0 { 3 } else { 0 }));
    let wrong = knowing("imul=300");
    let (all, code) = asked(&wrong, &["--limit", "50%"], input);
    assert_eq!(code, Some(3), "{all}");
    // Without a limit nothing fails.
    assert_eq!(asked(&wrong, &[], input).1, Some(0));
}

#[test]
fn csv_has_a_line_a_region_and_text_fits_the_terminal() {
    let fake = knowing("imul=3");
    let program = fake.name();
    let output = run(&["-", "--csv", "--no-measure", "--llvm-mca", program], REGIONS.as_bytes());
    let mut reader = csv::Reader::from_reader(&output.stdout[..]);
    assert_eq!(reader.headers().unwrap().get(3), Some("predicted_cycles"));
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 3);
    assert_eq!((rows[0].get(0), rows[0].get(3)), (Some("outer"), Some("4")));
    let output = run(&["-", "--no-measure", "--llvm-mca", program], REGIONS.as_bytes());
    let page = text(&output.stdout);
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    // The fake knows no other CPU than this, and says so where it is another one.
    assert!(page.contains("llvm-mca 14.0.6"), "{page}");
    let both = run(&["-", "--csv", "--json", "--llvm-mca", program], REGIONS.as_bytes());
    assert_eq!(both.status.code(), Some(1));
}

#[test]
fn bad_input_is_answered_in_a_sentence() {
    let fake = knowing("");
    let program = fake.name();
    let many: String = (0..250_000).map(|at| format!("f{at}:\n	incq	%rax	# of many\n	ret\n")).collect();
    let long = format!("f:\n{}	ret\n", "	incq	%rax # on\n".repeat(900_000));
    assert!(many.len() > 5 << 20 && long.len() > 10 << 20);
    let huge = "	nop\n".repeat(4 << 20);
    for (name, input, word) in [
        ("empty", &b""[..], "no instructions"),
        ("comments", b"# nothing\n\n	.text\n", "no instructions"),
        ("binary", b"\x7fELF\x02\x01\x01\0\0\0", "is no text"),
        ("not UTF-8", b"nop\n\xff\xfe\n", "byte 4"),
        ("unclosed", b"# LLVM-MCA-BEGIN a\nnop\n", "line 1"),
        ("unopened", b"nop\n# LLVM-MCA-END\n", "line 2"),
        ("twice", b"# LLVM-MCA-BEGIN a\n# LLVM-MCA-BEGIN a\nnop\n", "line 2"),
        ("many functions", many.as_bytes(), "250000 regions"),
        ("too long", huge.as_bytes(), "more than"),
    ] {
        let output = run(&["-", "--no-measure", "--llvm-mca", program], input);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {said}");
        assert!(said.contains(word), "{name}: {said}");
        assert!(output.stdout.is_empty() && !said.contains("panicked"), "{name}: {said}");
    }
    // One function of 10 MB is refused as a region, with the reason.
    let output = run(&["-", "--no-measure", "--llvm-mca", program], long.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("900000 instructions are more than"), "{}", text(&output.stdout));
    let missing = run(&["/nowhere/x.s", "--llvm-mca", program], b"");
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).contains("/nowhere/x.s"));
    let folder = run(&["/tmp", "--llvm-mca", program], b"");
    assert_eq!(folder.status.code(), Some(1));
    for arguments in [["--mcpu", "z80"], ["--limit", "many"], ["--model", "uica"], ["--core", "99999"]] {
        let mut all = vec!["-", "--llvm-mca", program];
        all.extend(arguments);
        let output = run(&all, b"	imulq	%rax, %rax\n");
        assert!(matches!(output.status.code(), Some(1 | 4)), "{arguments:?}");
        assert!(text(&output.stderr).contains(arguments[1]), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn models_that_misbehave_do_no_harm() {
    let input = b"# LLVM-MCA-BEGIN a\n	nop\n# LLVM-MCA-END\n# LLVM-MCA-BEGIN b\n	nop\n# LLVM-MCA-END\n";
    let sleeper = format!("sleep {}", number());
    let hangs = format!("{sleeper} & {sleeper}");
    for (answer, word) in [
        ("kill -SEGV $$", "signal"),
        ("exit 3", "exit status: 3"),
        ("head -c 100000 /dev/urandom", "does not answer"),
        ("cat /dev/zero", "wrote more than 64 MB"),
        ("echo 'error: found an unsupported instruction in the input' >&2; exit 1", "unsupported"),
        ("echo '{\"CodeRegions\": []}'", "does not answer"),
        (&hangs, "did not end within"),
    ] {
        let fake = Fake::llvm_mca(answer);
        let output = run(&["-", "--llvm-mca", fake.name()], input);
        let said = format!("{}{}", text(&output.stdout), text(&output.stderr)).replace('\n', " ");
        assert_eq!(output.status.code(), Some(1), "{answer}: {said}");
        assert!(said.contains(word), "{answer}: {said}");
    }
    gone(&sleeper);
    let none = run(&["-", "--llvm-mca", "/nowhere/llvm-mca"], input);
    assert_eq!(none.status.code(), Some(1));
    assert!(text(&none.stderr).contains("could not be run"), "{}", text(&none.stderr));
    let scratch = Scratch::new("mca");
    for (model, package) in [("llvm-mca", "apt install llvm"), ("osaca", "pip install osaca")] {
        let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
            .args(["mca", "-", "--model", model])
            .env("PATH", "/nowhere")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        // An empty file is refused first: give one that is not.
        assert_eq!(output.status.code(), Some(1));
        let file = scratch.save(&format!("{model}.s"), "	nop\n");
        let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
            .args(["mca", file.to_str().unwrap(), "--model", model])
            .env("PATH", "/nowhere")
            .output()
            .unwrap();
        assert!(text(&output.stderr).contains(package), "{}", text(&output.stderr));
    }
}

#[test]
fn one_bad_region_does_not_spoil_the_others() {
    if !has("llvm-mca") {
        return;
    }
    let input = "# LLVM-MCA-BEGIN a\n	imulq	%rax, %rax\n# LLVM-MCA-END\n# LLVM-MCA-BEGIN b\n	frobq	%rax\n# LLVM-MCA-END\n\
                 # LLVM-MCA-BEGIN c\n	vaddpd	%zmm0, %zmm1, %zmm2\n# LLVM-MCA-END\n# LLVM-MCA-BEGIN d\n	imulq	%rax, %rax\n\
                 # LLVM-MCA-END\n";
    let output = run(&["-", "--no-measure", "--json", "--mcpu", "znver3"], input.as_bytes());
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    for name in ["a", "d"] {
        let cycles = region(&all, name)["predicted_cycles"].as_f64().unwrap();
        assert!((cycles - 3.0).abs() < 0.05, "{name}: {cycles}");
    }
    assert!(region(&all, "b")["remark"].as_str().unwrap().contains("frobq"), "{all}");
    // What Zen 3 does not have, LLVM does not model for it.
    assert!(region(&all, "c")["remark"].as_str().unwrap().contains("unsupported"), "{all}");
}

#[path = "mca/osaca.rs"]
mod osaca;
