//! `fencepost audit` from outside: what it claims, what it holds back and in which order, by a model that is told what to say and by the
//! real one.

mod common;
#[path = "mca/fake.rs"]
mod fake;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use common::{Fake, Scratch, alone, has, text};
use fake::knowing;
use fencepost::machine::Machine;

/// A machine that is shared may keep a measurement from converging: then it is asked again, so many times.
const TRIES: usize = 4;

fn run(arguments: &[&str]) -> Output {
    let _alone = alone();
    Command::new(env!("CARGO_BIN_EXE_fencepost")).arg("audit").args(arguments).output().unwrap()
}

/// A claim of the CSV.
#[derive(Clone, Debug)]
struct Claim {
    form: String,
    what: String,
    model: f64,
    hardware: f64,
    factor: f64,
    published: Option<f64>,
    id: String,
}

impl Claim {
    fn is_latency(&self) -> bool {
        self.what.starts_with("latency")
    }
}

/// The claims, and whether something was not measured well enough to be judged.
fn claims(arguments: &[&str]) -> (Vec<Claim>, bool) {
    let output = run(&[arguments, &["--csv", "--strict"]].concat());
    let lost = match output.status.code() {
        Some(0) => false,
        Some(2) => true,
        Some(4) => {
            eprintln!("this machine could not measure: {}", text(&output.stderr));
            return (Vec::new(), true);
        }
        other => panic!("{other:?}: {output:?}"),
    };
    let mut reader = csv::Reader::from_reader(&output.stdout[..]);
    let head = reader.headers().unwrap().clone();
    let column = |name: &str| head.iter().position(|one| one == name).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let found = rows
        .iter()
        .map(|row| Claim {
            form: row[column("form")].to_owned(),
            what: row[column("what")].to_owned(),
            model: row[column("model_cycles")].parse().unwrap(),
            hardware: row[column("hardware_cycles")].parse().unwrap(),
            factor: row[column("factor")].parse().unwrap(),
            published: row[column("published_cycles")].parse().ok(),
            id: row[column("id")].to_owned(),
        })
        .collect();
    (found, lost)
}

/// The claims, asked for again where one of those that have to be there is missing because something could not be judged. `None`, said
/// aloud, where that stays so.
fn claims_with(arguments: &[&str], wanted: &[&str]) -> Option<Vec<Claim>> {
    for _ in 0..TRIES {
        let (found, lost) = claims(arguments);
        if !lost || wanted.iter().all(|id| found.iter().any(|one| one.id == *id)) {
            return Some(found);
        }
    }
    eprintln!("NOT JUDGED: in {TRIES} tries {wanted:?} were not measured well enough on this machine now");
    None
}

const IMUL: &str = "^imul r64, r64$";
const LATENCY: &str = "imul r64, r64/latency[op1->op1]";
const RATE: &str = "imul r64, r64/reciprocal_throughput";

const PUBLISHED: &str = "instruction,operands,uarch,latency_cycles,rthroughput_cycles,source\n";

#[test]
fn what_differs_is_claimed_and_what_agrees_is_not() {
    // The fake has one time for an instruction, so that a latency of 3 is a throughput of 3 as well.
    let fake = knowing("imul=3");
    let Some(found) = claims_with(&["--match", IMUL, "--mcpu", "znver3", "--llvm-mca", fake.name()], &[RATE])
    else {
        return;
    };
    assert_eq!(found.len(), 1, "{found:?}");
    let rate = &found[0];
    assert_eq!((rate.id.as_str(), rate.what.as_str(), rate.published), (RATE, "rthroughput", None));
    assert!((rate.model - 3.0).abs() < 0.01, "{rate:?}");
    // One multiplier, whatever the CPU.
    assert!((0.9..1.3).contains(&rate.hardware), "{rate:?}");
    assert!((rate.factor - rate.model / rate.hardware).abs() < 0.01, "{rate:?}");
}

#[test]
fn the_largest_factor_stands_first() {
    let fake = knowing("imul=9 popcnt=40");
    let program = fake.name();
    let arguments =
        ["--mnemonic", "imul,popcnt", "--match", "r64, r64", "--mcpu", "znver3", "--llvm-mca", program];
    let Some(found) = claims_with(&arguments, &[LATENCY, RATE, "popcnt r64, r64/reciprocal_throughput"])
    else {
        return;
    };
    assert!(found.len() >= 3, "{found:?}");
    assert!(found.windows(2).all(|pair| pair[0].factor >= pair[1].factor - 0.011), "{found:?}");
    assert!(found[0].form.starts_with("popcnt"), "{found:?}");
}

#[test]
fn a_published_value_that_contradicts_holds_a_claim_back_and_one_that_agrees_is_told() {
    let Some(here) = Machine::detect().microarchitecture() else { return };
    let fake = knowing("imul=9");
    let program = fake.name();
    let arguments = ["--match", IMUL, "--mcpu", "znver3", "--llvm-mca", program];
    let Some(plain) = claims_with(&arguments, &[LATENCY, RATE]) else { return };
    assert_eq!(plain.len(), 2, "{plain:?}");
    let rate = plain.iter().find(|one| one.id == RATE).unwrap().hardware;
    // Published as the model has it for the latency, and as this CPU has it for the throughput.
    let scratch = Scratch::new("audit");
    let file =
        scratch.save("check.csv", format!("{PUBLISHED}imul,\"r64,r64\",{},9.0,{rate},test\n", here.name));
    let mut with = arguments.to_vec();
    with.extend(["--check", file.to_str().unwrap()]);
    let Some(found) = claims_with(&with, &[RATE]) else { return };
    let output = run(&with);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].id.as_str(), found[0].published), (RATE, Some(rate)));
    let page = text(&output.stdout);
    if !page.contains("not converge") && !page.contains("not confirmed") {
        assert!(page.contains("contradicted by published values"), "{page}");
        assert!(page.contains("published 9 cyc"), "{page}");
    }
}

#[test]
fn text_fits_the_terminal_and_markdown_is_a_table_with_what_a_report_needs() {
    let fake = knowing("imul=9 popcnt=40");
    let program = fake.name();
    let arguments = ["--mnemonic", "imul", "--mcpu", "znver3", "--llvm-mca", program, "--max-secs", "0.05"];
    let page = text(&run(&arguments).stdout);
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    assert!(page.contains("llvm-mca 14.0.6, znver3") && page.contains("costs of"), "{page}");
    let mut markdown = arguments.to_vec();
    markdown.push("--markdown");
    let page = text(&run(&markdown).stdout);
    for word in ["# llvm-mca 14.0.6, znver3", "Hardware: ", "same machine code", "| form | what | model |"] {
        assert!(page.contains(word), "{word}: {page}");
    }
    for row in page.lines().filter(|line| line.starts_with('|')) {
        assert_eq!(row.matches('|').count(), 9, "{row}");
    }
    let other = Machine::detect().microarchitecture().is_some_and(|here| here.llvm != "znver3");
    assert_eq!(page.contains("a difference may be one of the two cores"), other, "{page}");
}

#[test]
fn bad_input_and_models_that_do_not_answer_are_errors_before_anything_is_measured() {
    let fake = knowing("");
    let program = fake.name();
    for (arguments, word) in [
        (vec!["--mnemonic", "imull"], "did you mean imul"),
        (vec!["--extension", "avx9"], "avx9"),
        (vec!["--match", "zzz"], "no form"),
        (vec!["--mcpu", "z80"], "z80"),
        (vec!["--check", "/nowhere/x.csv"], "/nowhere/x.csv"),
        (vec!["--csv", "--markdown"], "cannot be used with"),
    ] {
        let mut all = arguments.clone();
        all.extend(["--llvm-mca", program]);
        let output = run(&all);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(text(&output.stderr).contains(word), "{arguments:?}: {}", text(&output.stderr));
    }
    for (name, answer, word) in [
        ("crashes", "kill -SEGV $$", "signal"),
        ("garbage", "head -c 1000 /dev/urandom", "does not answer"),
        ("refuses", "echo '<stdin>:2:1: error: invalid instruction' >&2; exit 1", "invalid instruction"),
    ] {
        let fake = Fake::llvm_mca(answer);
        let program = fake.name();
        let output = run(&["--match", IMUL, "--mcpu", "znver3", "--llvm-mca", program]);
        let said = text(&output.stderr).replace('\n', " ");
        assert_eq!(output.status.code(), Some(1), "{name}: {said}");
        assert!(said.contains(word) && output.stdout.is_empty(), "{name}: {said}");
    }
    let none = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(["audit", "--match", IMUL])
        .env("PATH", "/nowhere")
        .output()
        .unwrap();
    assert_eq!(none.status.code(), Some(1));
    assert!(text(&none.stderr).contains("apt install llvm"), "{}", text(&none.stderr));
}

/// The file of an audit.
struct Kept(#[allow(dead_code, reason = "it goes with it")] Scratch, PathBuf);

impl Kept {
    fn new() -> Self {
        let scratch = Scratch::new("kept");
        let path = scratch.join("audit.jsonl");
        Self(scratch, path)
    }

    fn path(&self) -> &str {
        self.1.to_str().unwrap()
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.1).unwrap_or_default()
    }

    /// Forms of which the first pass has a converged result that is no bound.
    fn surely_measured(&self) -> Vec<String> {
        let lines = self.text();
        let lines = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let is_sure = |one: &serde_json::Value| one["verdict"] == "converged" && one["upper_bound"] != true;
        lines
            .filter(|line| line["pass"] == 1 && line["results"].as_array().unwrap().iter().any(is_sure))
            .map(|line| line["form"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Form and pass of each line.
    fn rows(&self) -> Vec<(String, u64)> {
        let row = |line: &str| {
            let line: serde_json::Value =
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            (line["form"].as_str().unwrap().to_owned(), line["pass"].as_u64().unwrap())
        };
        self.text().lines().map(row).collect()
    }
}

#[test]
fn an_audit_that_was_cut_short_goes_on_and_ends_with_the_same_rows() {
    // The real costs are far from this, so that each form is in doubt and measured again.
    let fake = knowing("imul=40");
    let program = fake.name();
    let kept = Kept::new();
    let arguments =
        ["--mnemonic", "imul", "--mcpu", "znver3", "--llvm-mca", program, "--csv", "--max-secs", "0.03"];
    let arguments = [&arguments[..], &["--out", kept.path()]].concat();
    let forms = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(["table", "--list", "--mnemonic", "imul"])
        .output()
        .unwrap();
    let forms: Vec<String> =
        text(&forms.stdout).lines().take_while(|line| !line.is_empty()).map(str::to_owned).collect();
    assert!(forms.len() >= 10, "{forms:?}");
    // Twice: among the first measurements, and among the second ones.
    for lines in [3, forms.len() + 2] {
        let _alone = alone();
        let mut child = Command::new(env!("CARGO_BIN_EXE_fencepost"))
            .arg("audit")
            .args(&arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while kept.text().lines().count() < lines {
            if let Some(status) = child.try_wait().unwrap() {
                assert!(status.success() && lines > forms.len(), "{status}, {:?}", kept.rows());
                eprintln!("NOT JUDGED: nothing was in doubt, so no second measurement could be cut short");
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let whole = kept.text();
    let mut cut = whole.clone();
    cut.push_str("{\"form\":\"imul r64, r");
    std::fs::write(kept.path(), cut).unwrap();
    let ended = run(&arguments);
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    let all = kept.text();
    assert!(all.starts_with(&whole), "what was there is left alone");
    let of_pass = |pass: u64| -> Vec<String> {
        kept.rows().into_iter().filter(|row| row.1 == pass).map(|row| row.0).collect()
    };
    assert_eq!(of_pass(1), forms, "each form once, in the order of the table");
    let second = of_pass(2);
    assert!(second.iter().all(|form| forms.contains(form)), "{second:?}");
    // All that was measured well enough is in doubt, which on a busy machine may be little.
    let sure = kept.surely_measured();
    assert!(sure.iter().all(|form| second.contains(form)), "{sure:?} and {second:?}");
    let mut once = second.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), second.len(), "{second:?}");
    // Once more: nothing is left to measure, and the answer is the same.
    let again = run(&arguments);
    assert_eq!(text(&again.stdout), text(&ended.stdout));
    assert_eq!(kept.text(), all);
    assert!(text(&again.stderr).starts_with("0 measurements of forms in "), "{again:?}");
    // Another model is asked about what was measured: one that has these costs right has nothing to be claimed.
    let right = knowing("imul=3");
    let mut other = arguments.clone();
    other[5] = right.name();
    let other = run(&other);
    let latencies =
        |output: &Output| text(&output.stdout).lines().filter(|line| line.contains("latency")).count();
    // Most are three cycles, if they were measured.
    let (claims, claims_of_other) = (latencies(&ended), latencies(&other));
    assert!(claims_of_other <= claims && (claims < forms.len() / 2 || claims_of_other < claims), "{other:?}");
    assert!(text(&other.stderr).starts_with("0 measurements of forms in "), "{other:?}");
}

#[test]
fn what_did_not_converge_is_measured_again_where_that_is_asked_for() {
    let fake = knowing("imul=3");
    let kept = Kept::new();
    let program = fake.name();
    let arguments = ["--mnemonic", "imul", "--mcpu", "znver3", "--llvm-mca", program, "--max-secs", "0.03"];
    let arguments = [&arguments[..], &["--out", kept.path()]].concat();
    assert_eq!(run(&arguments).status.code(), Some(0));
    // One that the machine could not measure, whatever it could.
    let converged = "\"verdict\":\"converged\"";
    let (first, rest) =
        kept.text().split_once('\n').map(|(one, rest)| (one.to_owned(), rest.to_owned())).unwrap();
    let whole = format!("{}\n{rest}", first.replace(converged, "\"verdict\":\"contended\""));
    std::fs::write(kept.path(), &whole).unwrap();
    let lines = whole.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let settled =
        |one: &serde_json::Value| one["verdict"] == "converged" || one["verdict"] == "below_resolution";
    let unsettled: Vec<String> = lines
        .filter(|line| line["pass"] == 1 && !line["results"].as_array().unwrap().iter().all(settled))
        .map(|line| line["form"].as_str().unwrap().to_owned())
        .collect();
    assert!(!unsettled.is_empty());
    assert_eq!(run(&arguments).status.code(), Some(0));
    let untouched = kept.rows().into_iter().filter(|row| row.1 == 1).count();
    assert_eq!(
        untouched,
        whole.lines().filter(|line| line.contains("\"pass\":1")).count(),
        "none without being asked"
    );
    let before = kept.text();
    assert_eq!(run(&[&arguments[..], &["--retry"]].concat()).status.code(), Some(0));
    let added = kept.text().strip_prefix(&before).expect("what was there is left alone").to_owned();
    let again: Vec<String> = added
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|line| line["pass"] == 1)
        .map(|line| line["form"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(again, unsettled);
    let alone = run(&["--retry"]);
    assert_eq!(alone.status.code(), Some(1), "a file is needed: {alone:?}");
}

#[test]
fn files_of_others_are_refused_and_left_alone() {
    let fake = knowing("imul=3");
    let program = fake.name();
    let arguments = ["--match", IMUL, "--mcpu", "znver3", "--llvm-mca", program, "--max-secs", "0.03"];
    let own = Kept::new();
    assert_eq!(run(&[&arguments[..], &["--out", own.path()]].concat()).status.code(), Some(0));
    let line = own.text().lines().next().unwrap().to_owned();
    let cpu = format!("\"cpu\":{}", serde_json::json!(Machine::detect().name()));
    assert!(line.contains(&cpu), "{line}");
    let kept = Kept::new();
    for (name, content, word) in [
        ("no JSON", "hello\n".to_owned(), "line 1 of"),
        (
            "a table",
            "{\"form\":\"imul r64, r64\",\"rthroughput_cycles\":1.0,\"results\":[]}\n".to_owned(),
            "no line of fencepost audit",
        ),
        ("another CPU", format!("{line}\n{}\n", line.replace(&cpu, "\"cpu\":\"Z80\"")), "another CPU, Z80"),
        ("cut code", format!("{}\n", line.replace("\"code\":\"", "\"code\":\"4")), "line 1 of"),
    ] {
        std::fs::write(kept.path(), &content).unwrap();
        let output = run(&[&arguments[..], &["--out", kept.path()]].concat());
        let said = text(&output.stderr).replace('\n', " ");
        assert_eq!(output.status.code(), Some(1), "{name}: {said}");
        assert!(said.contains(word) && output.stdout.is_empty(), "{name}: {said}");
        assert_eq!(kept.text(), content, "{name}");
    }
    let output = run(&[&arguments[..], &["--out", "audit.csv"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("does not end in .jsonl"), "{output:?}");
    let table = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(["table", "--match", IMUL, "--out", own.path()])
        .output()
        .unwrap();
    assert_eq!(table.status.code(), Some(1));
    assert!(text(&table.stderr).contains("no line of fencepost table"), "{table:?}");
}

/// Differences of llvm-mca 14 for Zen 3 from what is published for Zen 3, which hold on Zen 4 as well: form, latency or not, what the
/// model has. (An LEA of a scaled index is another, and no form of the table.)
const KNOWN: [(&str, bool, f64); 5] = [
    ("vfmadd231pd xmm, xmm, xmm", false, 1.0),
    ("mul r64", false, 3.0),
    ("setb r8", false, 1.0),
    ("mov r64, [m64]", true, 5.0),
    ("div r64", false, 17.0),
];

#[test]
fn known_errors_of_llvm_mca_for_zen_3_are_found_on_zen_3_and_4() {
    let design = Machine::detect().microarchitecture().map(|here| here.name);
    if !matches!(design, Some("Zen 3" | "Zen 4")) {
        eprintln!("SKIPPED: this core is neither Zen 3 nor Zen 4");
        return;
    }
    if !has("llvm-mca") {
        return;
    }
    let version = Command::new("llvm-mca").arg("--version").output().unwrap();
    if !text(&version.stdout).contains("LLVM version 14.") {
        eprintln!("SKIPPED: these are known of llvm-mca 14, and this is another");
        return;
    }
    let mut missing = Vec::new();
    for (form, is_latency, model) in KNOWN {
        let pattern = format!("^{form}$");
        let arguments = ["--match", &pattern, "--mcpu", "znver3"];
        let is_it = |one: &&Claim| {
            one.form == form && one.is_latency() == is_latency && (one.model - model).abs() < 0.1
        };
        let mut judged = false;
        let found = (0..TRIES).any(|_| {
            let (found, lost) = claims(&arguments);
            judged |= !lost;
            found.iter().any(|one| is_it(&one))
        });
        if !found && judged {
            missing.push(form);
        } else if !found {
            eprintln!("NOT JUDGED: in {TRIES} tries {form} was not measured well enough on this machine now");
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}
