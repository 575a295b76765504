//! Do the commands in README and docs exist? Each `fencepost SUBCOMMAND --option` that they show is one that the binary knows.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use common::Scratch;

const PAGES: [&str; 6] =
    ["README.md", "docs/asm.md", "docs/ci.md", "docs/explore.md", "docs/report.md", "docs/schema.md"];

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a page")
}

fn fencepost(arguments: &[&str]) -> (Option<i32>, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_fencepost")).args(arguments).output().expect("fencepost runs");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What stands in code: fenced blocks line by line, and spans between backquotes.
fn code(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if inside {
            found.push(line.to_owned());
        } else {
            found.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    found
}

/// The words of each call of fencepost in a line, up to what ends a command in a shell.
fn calls(line: &str) -> Vec<Vec<String>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let begins = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| words.get(at)).copied().unwrap_or("$");
        words[at] == "fencepost" && ["$", "|", "&&", ";", "then", "run:", "-"].contains(&before)
    };
    (0..words.len())
        .filter(|at| begins(*at))
        .map(|at| {
            let rest = words[at + 1..].iter().map(|word| word.trim_end_matches(';').to_owned());
            rest.take_while(|word| !["|", "||", "&&", ">", "#"].contains(&word.as_str())).collect()
        })
        .collect()
}

#[test]
fn every_call_that_is_shown_is_one_that_works() {
    let mut helps: BTreeMap<String, String> = BTreeMap::new();
    let mut shown: BTreeMap<String, usize> = BTreeMap::new();
    for name in PAGES {
        for call in code(&page(name)).iter().flat_map(|line| calls(line)) {
            let Some(subcommand) = call.first().filter(|word| word.chars().all(char::is_alphabetic)) else {
                continue;
            };
            let help = helps.entry(subcommand.clone()).or_insert_with(|| {
                let (status, help) = fencepost(&[subcommand, "--help"]);
                assert_eq!(status, Some(0), "{name}: there is no {subcommand}, as in {call:?}");
                help
            });
            // What stands behind -- is for others.
            for option in call.iter().take_while(|word| *word != "--").filter(|word| word.starts_with("--")) {
                let option = option.split('=').next().unwrap_or(option);
                let known =
                    help.lines().flat_map(|line| line.split([' ', ',', '['])).any(|word| word == option);
                assert!(known, "{name}: {subcommand} has no {option}, as in {call:?}");
            }
            *shown.entry(subcommand.clone()).or_default() += 1;
        }
    }
    let (_, help) = fencepost(&["--help"]);
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    for name in names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        assert!(shown.contains_key(name), "neither README nor docs show `fencepost {name}`");
    }
}

#[test]
fn what_the_pages_link_to_is_there() {
    for name in
        ["README.md", "METHODOLOGY.md", "LIMITS.md", "CONTRIBUTING.md", "docs/report.md", "docs/asm.md"]
    {
        let text = page(name);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let folder = folder.parent().expect("a folder");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap_or(link);
            assert!(
                path.is_empty() || path.contains("://") || folder.join(path).exists(),
                "{name} links to {link}, which is not there"
            );
        }
    }
}

#[test]
fn output_that_is_shown_fits_80_columns() {
    for name in ["README.md", "docs/report.md"] {
        let mut text = false;
        for line in page(name).lines() {
            if line.starts_with("```") {
                text = line == "```text";
            } else if text {
                assert!(line.chars().count() <= 80, "{name}: {line}");
            }
        }
    }
}

#[test]
fn a_new_user_gets_along_in_an_empty_directory() {
    let folder = Scratch::new("new-user");
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .expect("fencepost runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), said)
    };
    let saved = fencepost::record::Record { complete: true, ..Default::default() };
    for name in ["old.json", "new.json", "run.json"] {
        fs::write(folder.join(name), saved.to_json()).expect("a file");
    }
    // What measures may end with 4, where this machine cannot: with its reason.
    let examples: [(&[&str], &str); 7] = [
        (&["doctor", "--secs", "0.1"], "machine"),
        (&["asm", "imul r64, r64"], "imul r64, r64"),
        (&["table", "--mnemonic", "imul"], "imul"),
        (&["ab", "--", "true", "--vs", "true"], "true"),
        (&["compare", "old.json", "new.json"], ""),
        (&["report", "run.json", "-o", "report"], "index.html"),
        (&["completions", "bash"], "fencepost"),
    ];
    for (arguments, expected) in examples {
        let (status, shown, said) = run(arguments);
        match status {
            Some(0) => assert!(shown.contains(expected), "{arguments:?}: {shown}"),
            Some(4) => {
                assert!(["doctor", "asm", "table"].contains(&arguments[0]), "{arguments:?}: {said}");
                assert!(!format!("{shown}{said}").trim().is_empty(), "{arguments:?} gives no reason");
            }
            other => panic!("{arguments:?} ended with {other:?}: {said}"),
        }
    }
    assert!(folder.join("report/index.html").is_file());
    // Nothing is left behind but what was asked for.
    let mut left: Vec<String> = fs::read_dir(folder.path())
        .expect("a directory")
        .map(|one| one.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    left.sort();
    assert_eq!(left, ["new.json", "old.json", "report", "run.json"]);
}
