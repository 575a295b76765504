//! Does `fencepost asm` and `fencepost table` measure what it is given, and refuse the rest in a sentence?

use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::OsStringExt as _;
use std::process::{Command, Stdio};

use common::{Scratch, Started, alone, has, measures};
use serde_json::Value;

mod common;
#[path = "asm_cli/truths.rs"]
mod truths;

/// What came out, and the exit status; a run that hangs fails the test.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

fn fencepost(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.args(args).stdin(Stdio::null());
    command
}

fn ran_with(mut command: Command, input: &[u8]) -> Ran {
    // Two CPUs may be two threads of one core, and who keeps only the multiplier busy is not seen by a gauge of issue width.
    let _alone = alone();
    let mut child = Started::new(command.stdin(Stdio::piped()));
    let mut stdin = child.child().stdin.take().expect("piped");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.ended();
    writer.join().expect("it wrote");
    let told = |bytes| String::from_utf8(bytes).expect("what is written is text");
    Ran { code: output.status.code(), out: told(output.stdout), err: told(output.stderr) }
}

fn ran(args: &[&str]) -> Ran {
    ran_with(fencepost(args), b"")
}

/// A directory of one test's own, whose paths are words of a command.
struct Files(Scratch);

impl Files {
    fn new(name: &str) -> Self {
        Self(Scratch::new(name))
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        self.0.save(name, content).to_string_lossy().into_owned()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

fn assert_error(ran: &Ran, parts: &[&str], what: &str) {
    assert_eq!(ran.code, Some(1), "{what}: {} {}", ran.out, ran.err);
    assert!(ran.err.starts_with("error: "), "{what}: {}", ran.err);
    for part in parts {
        assert!(ran.err.contains(part), "{what}: no {part:?} in {}", ran.err);
    }
}

#[test]
fn text_that_is_none_is_refused_in_a_sentence() {
    let scratch = Files::new("asm-text");
    for text in ["", " ", "\n\n", ";;", "# nothing", "// nothing"] {
        assert_error(&ran(&["asm", text]), &["no instruction"], text);
    }
    assert_error(&ran(&["asm"]), &["nothing to measure"], "no argument");
    let mut command = fencepost(&["asm"]);
    command.arg(std::ffi::OsString::from_vec(b"nop\xff".to_vec()));
    assert_error(&ran_with(command, b""), &["byte 3", "UTF-8"], "an argument that is no text");
    assert_error(
        &ran(&["asm", "--file", &scratch.file("bytes", b"\x80nop")]),
        &["byte 0", "UTF-8"],
        "a file that is no text",
    );
    assert_error(&ran(&["asm", "--file", &scratch.file("nul", b"nop\0")]), &["NUL"], "a NUL");
    assert_error(&ran(&["asm", "--file", &scratch.path("none")]), &["none"], "no file");
    assert_error(&ran_with(fencepost(&["asm", "--file", "-"]), b""), &["no instruction"], "empty input");
}

#[test]
fn text_without_end_is_refused_before_it_is_assembled() {
    let scratch = Files::new("asm-long");
    let long = scratch.file("long", "nop\n".repeat(10 << 18));
    assert_error(&ran(&["asm", "--file", &long]), &["10485760 bytes", "1048576"], "10 MB");
    if has("as") {
        let longest = scratch.file("longest", "nop\n".repeat(1 << 18));
        assert_error(&ran(&["asm", "--file", &longest]), &["too long", "262144 bytes"], "1 MB");
        assert_error(
            &ran(&["asm", "--file", &scratch.file("line", "a".repeat(1 << 20))]),
            &["line 1"],
            "one word",
        );
    }
}

#[test]
fn directives_and_symbols_stay_outside() {
    for (text, part) in [
        (".incbin \"/etc/passwd\"", ".incbin"),
        (".include \"/etc/passwd\"", ".include"),
        ("nop; .rept 1000000; nop; .endr", ".rept"),
        (".macro x", ".macro"),
        ("x = 5", "defines a symbol"),
        (".set x, 5", ".set"),
        (".space 1000000000", ".space"),
        ("l: .fill 9", ".fill"),
    ] {
        assert_error(&ran(&["asm", text]), &[part], text);
    }
    if has("as") {
        assert_error(&ran(&["asm", "call memcpy"]), &["memcpy", "does not define"], "a call");
        assert_error(&ran(&["asm", "mov rax, rxx"]), &["rxx"], "a register that is none");
    }
}

#[test]
fn what_the_assembler_does_not_know_is_answered_with_the_nearest() {
    if !has("as") {
        return;
    }
    assert_error(
        &ran(&["asm", "nop\nimull rax, rbx"]),
        &["line 2", "imull rax, rbx", "did you mean imul?"],
        "Intel",
    );
    assert_error(&ran(&["asm", "popcn %rax, %rbx"]), &["line 1", "did you mean popcnt?"], "AT&T");
    assert_error(&ran(&["asm", "add rax"]), &["line 1"], "an operand is missing");
    assert_error(&ran(&["asm", "add rax, rbx", "--syntax", "att"]), &["line 1"], "told wrongly");
    assert_error(&ran(&["asm", "imulq r64, r64"]), &["imul"], "a template");
    assert_error(&ran(&["asm", "imul r64, xmm"]), &["it is there as", "imul r64, r64"], "other operands");
}

#[test]
fn without_an_assembler_text_says_what_to_install_and_the_rest_works() {
    let scratch = Files::new("asm-path");
    let with_path = |args: &[&str]| {
        let mut command = fencepost(args);
        command.env("PATH", scratch.0.path());
        ran_with(command, b"")
    };
    let text = with_path(&["asm", "imul rax, rbx"]);
    assert_eq!(text.code, Some(4), "{}", text.err);
    assert!(text.err.contains("binutils") && text.err.contains("--hex"), "{}", text.err);
    for args in [["asm", "--list", "--hex", "480fafc3"].as_slice(), &["asm", "--list", "imul r64, r64"]] {
        let ran = with_path(args);
        assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.err);
        assert!(ran.out.contains("imul"), "{}", ran.out);
    }
}

#[test]
fn hex_that_is_none_says_where() {
    assert_error(&ran(&["asm", "--hex", "48zz"]), &["character 3"], "no digit");
    assert_error(&ran(&["asm", "--hex", "480"]), &["odd"], "half a byte");
    assert_error(&ran(&["asm", "--hex", ""]), &["undecodable"], "nothing");
    assert_error(&ran(&["asm", "--hex", "9048"]), &["undecodable", "offset 1"], "cut off");
    assert_error(&ran(&["asm", "--hex", "06"]), &["undecodable"], "not in 64 bits");
}

#[test]
fn blocks_that_must_not_run_are_refused_with_class_instruction_and_offset() {
    for (hex, class, offset, instruction) in [
        ("900f05", "system_call", 1, "syscall"),
        ("cd80", "system_call", 0, "int"),
        ("0f34", "system_call", 0, "sysenter"),
        ("f4", "privileged", 0, "hlt"),
        ("fa", "privileged", 0, "cli"),
        ("0f30", "privileged", 0, "wrmsr"),
        ("ec", "privileged", 0, "in"),
        ("0f0b", "illegal_instruction", 0, "ud2"),
        ("4801d8c3", "jump_out", 3, "ret"),
        ("ffe0", "jump_out", 0, "jmp"),
        ("c7f800000000", "jump_out", 0, "xbegin"),
        ("c4e3f169c230", "unsupported", 0, "vfmaddpd"),
    ] {
        let ran = ran(&["asm", "--json", "--hex", hex]);
        assert_error(&ran, &[instruction], hex);
        let json: Value = serde_json::from_str(&ran.out).expect("JSON alone");
        let error = &json["error"];
        assert_eq!(error["class"], class, "{hex}");
        assert_eq!(error["offset"], offset, "{hex}");
        assert!(error["instruction"].as_str().is_some_and(|text| text.starts_with(instruction)), "{error}");
        assert_eq!(json["results"], serde_json::json!([]), "{hex}");
    }
}

#[test]
fn functions_of_objects_are_found_by_name() {
    if !has("as") {
        return;
    }
    let scratch = Files::new("asm-object");
    let source = scratch.file(
        "f.s",
        ".globl one\n.type one,@function\none: imul %rbx, %rax\n ret\n.size one,.-one\n\
         .globl other\n.type other,@function\nother: call memcpy\n ret\n.size other,.-other\n\
         .globl one_more\n.type one_more,@function\none_more: nop\n ret\n.size one_more,.-one_more\n",
    );
    let object = scratch.path("f.o");
    assert!(Command::new("as").args(["-o", &object, &source]).status().expect("as").success());
    let function = |symbol: &str| ran(&["asm", "--list", "--object", &object, "--symbol", symbol]);
    let found = function("one");
    assert_eq!(found.code, Some(0), "{}", found.err);
    assert!(found.out.contains("imul rax, rbx") && !found.out.contains("ret"), "{}", found.out);
    assert!(function("more").out.contains("nop"), "a part of a name is enough");
    assert_error(&function("other"), &["memcpy", "link"], "a call");
    assert_error(&function("third"), &["third", "one_more"], "no such function");
    assert_error(&function("o"), &["3 functions"], "several");
    let text = scratch.file("text", "no object");
    assert_error(&ran(&["asm", "--object", &text, "--symbol", "x"]), &["ELF"], "no object");
    let half = scratch.file("half", &fs::read(&object).expect("read")[..100]);
    assert_error(&ran(&["asm", "--object", &half, "--symbol", "one"]), &["object"], "half an object");
}

#[test]
fn a_latency_needs_a_chain() {
    let ran = ran(&["asm", "--latency", "--hex", "4839d8"]);
    assert_error(&ran, &["does not close"], "cmp");
}

#[test]
fn the_table_names_its_forms_and_answers_filters() {
    let all = ran(&["table", "--list", "--mnemonic", "imul,popcnt"]);
    assert_eq!(all.code, Some(0), "{}", all.err);
    assert!(
        all.out.lines().any(|line| line == "imul r64, r64") && all.out.contains("left out"),
        "{}",
        all.out
    );
    assert!(!all.out.contains("add "));
    let few = ran(&["table", "--list", "--match", "^imul r64, r64$"]);
    assert!(few.out.contains("\n1 forms\n"), "{}", few.out);
    assert_error(&ran(&["table", "--mnemonic", "imull"]), &["did you mean imul?"], "a mnemonic");
    assert_error(&ran(&["table", "--extension", "avx9"]), &["avx9", "sse2"], "an extension");
    assert_error(&ran(&["table", "--match", "zzz"]), &["--list"], "nothing");
    let scratch = Files::new("asm-table");
    assert_error(
        &ran(&["table", "--mnemonic", "nop", "--out", &scratch.path("x.txt")]),
        &[".jsonl"],
        "a name",
    );
    let foreign = scratch.file("x.jsonl", "{\"a\":1}\n");
    assert_error(&ran(&["table", "--mnemonic", "nop", "--out", &foreign]), &["line 1"], "another file");
    assert_eq!(fs::read_to_string(&foreign).expect("it is there"), "{\"a\":1}\n", "it is left alone");
    assert_error(&ran(&["table", "--check", &scratch.path("none")]), &["none"], "no file");
    assert_error(&ran(&["table", "--check", &foreign]), &["column"], "no table");
}

#[test]
fn published_values_of_another_design_are_compared_where_that_is_asked_for() {
    if !measures() {
        return;
    }
    let scratch = Files::new("asm-uarch");
    let head = "instruction,operands,uarch,latency_cycles,rthroughput_cycles,source\n";
    let path = scratch.file(
        "x.csv",
        format!("{head}imul,\"r64,r64\",No Such Lake,77,55,s\nimul,\"r64,r64\",Elsewhere,5,5,s\n"),
    );
    let check = |more: &[&str]| ran(&[&["table", "--mnemonic", "imul", "--check", &path], more].concat());
    let nobody = check(&["--uarch", "Nowhere"]);
    assert_error(&nobody, &["Nowhere", "Elsewhere, No Such Lake"], "a design that has no row");
    assert_error(&ran(&["table", "--uarch", "Elsewhere"]), &["--check"], "nothing to compare with");
    let told = check(&["--uarch", "no such lake"]);
    assert_eq!(told.code, Some(0), "{}", told.err);
    let words: Vec<&str> = told.out.split_whitespace().collect();
    assert!(told.out.contains("of which 1 are for no such lake"), "{}", told.out);
    assert!(words.join(" ").contains("published 77 cyc (No Such Lake, line 2)"), "{}", told.out);
    // Where no row is this core's, the page says whose they are and what to do.
    let own = check(&[]);
    if own.code == Some(0) {
        assert!(own.out.contains("Elsewhere, No Such Lake; --uarch"), "{}", own.out);
    } else {
        assert_error(&own, &["--uarch"], "a core that is not known");
    }
}

#[test]
fn what_a_table_could_not_measure_is_measured_again_where_that_is_asked_for() {
    if !measures() {
        return;
    }
    let scratch = Files::new("asm-retry");
    let path = scratch.path("table.jsonl");
    let table = |more: &[&str]| {
        let ran =
            ran(&[&["table", "--mnemonic", "popcnt", "--max-secs", "0.03", "--out", &path], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        fs::read_to_string(&path).expect("lines")
    };
    let whole = table(&[]);
    assert_eq!(table(&[]), whole, "what is there is not measured again");
    // One that the machine could not measure, whatever it could.
    let (first, rest) = whole.split_once('\n').expect("lines");
    let (converged, contended) = ("\"verdict\":\"converged\"", "\"verdict\":\"contended\"");
    let whole = format!("{}\n{rest}", first.replace(converged, contended));
    fs::write(&path, &whole).expect("written");
    let forms = |lines: &str, chosen: &dyn Fn(&Value) -> bool| -> Vec<String> {
        let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        lines.filter(chosen).map(|line| line["form"].as_str().expect("a form").to_owned()).collect()
    };
    let settled = |one: &Value| one["verdict"] == "converged" || one["verdict"] == "below_resolution";
    let unsettled = forms(&whole, &|line| !line["results"].as_array().expect("results").iter().all(settled));
    assert!(!unsettled.is_empty());
    let after = table(&["--retry"]);
    let added = after.strip_prefix(&whole).expect("what was there is left alone");
    assert_eq!(forms(added, &|_| true), unsettled);
    let refused = ran(&["table", "--mnemonic", "popcnt", "--out", &scratch.path("x.csv"), "--retry"]);
    assert_error(&refused, &[".jsonl"], "CSV");
    assert!(!std::path::Path::new(&scratch.path("x.csv")).exists());
    assert_error(&ran(&["table", "--mnemonic", "popcnt", "--retry"]), &["--out"], "no file");
}

#[test]
fn help_and_lists_fit_eighty_columns() {
    for args in [
        ["asm", "--help"].as_slice(),
        &["table", "--help"],
        &["asm", "--list", "vfmadd231ps ymm, ymm, ymm"],
        &["asm", "--list", "div r64"],
    ] {
        let ran = ran(args);
        assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.err);
        for line in ran.out.lines() {
            assert!(line.chars().count() <= 80, "{args:?}: {line}");
        }
    }
}

/// Nothing of ours is left in the directory for temporary files, nor anywhere that a test could see.
#[test]
fn no_file_is_left_behind() {
    let scratch = Files::new("asm-left");
    let mut command = fencepost(&["asm", "--list", "imul rax, rbx"]);
    command.env("TMPDIR", scratch.0.path()).current_dir(scratch.0.path());
    if has("as") {
        assert_eq!(ran_with(command, b"").code, Some(0));
    }
    assert_eq!(fs::read_dir(scratch.0.path()).expect("it is there").count(), 0);
}
