//! Does the binary explain itself? Help of every subcommand, completions that a shell takes, and a manual page that man shows.

mod common;

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use common::Scratch;

fn fencepost(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fencepost")).args(arguments).output().expect("fencepost runs")
}

fn told(arguments: &[&str]) -> String {
    let output = fencepost(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Whether a tool is there; where it is not, the test says so, or fails where tools are required.
fn there_is(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|folder| folder.join(tool).is_file());
    let required = std::env::var_os("FENCEPOST_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    // Nobody has every shell; bash and man are what is asked for.
    assert!(found || !required || !["bash", "man"].contains(&tool), "{tool} is required");
    if !found {
        eprintln!("SKIPPED: {tool} is not installed");
    }
    found
}

/// The subcommands that help names, but help itself.
fn subcommands() -> Vec<String> {
    let help = told(&["--help"]);
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    // A description that goes on stands farther right.
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    let names: Vec<String> = names.map(str::to_owned).collect();
    assert!(names.len() >= 10, "{help}");
    names
}

/// The long options that a subcommand's help lists, each with its line and description.
fn listed(help: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in help.lines().skip_while(|line| *line != "Options:").skip(1) {
        if !line.is_empty() && !line.starts_with(' ') {
            break;
        }
        if line.starts_with("  -") || line.starts_with("      --") {
            let name = line.split([' ', ',', '=', '[']).find(|word| word.starts_with("--"));
            found.push((name.expect("a long option").to_owned(), String::new()));
        }
        if let Some((_, text)) = found.last_mut() {
            text.push_str(line.trim());
            text.push(' ');
        }
    }
    assert!(!found.is_empty(), "{help}");
    found
}

fn options(help: &str) -> Vec<String> {
    listed(help).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn every_help_fits_80_columns_and_says_what_is_needed() {
    let long = told(&["--help"]);
    assert!(long.lines().all(|line| line.chars().count() <= 80), "{long}");
    assert!(long.contains("Exit status: 0 done; 1 wrong use"), "{long}");
    for name in subcommands() {
        for how in ["--help", "-h"] {
            let help = told(&[&name, how]);
            let wide: Vec<&str> = help.lines().filter(|line| line.chars().count() > 80).collect();
            assert!(wide.is_empty(), "{name} {how}: {wide:#?}");
            assert!(help.contains(&format!("Usage: fencepost {name}")), "{help}");
        }
        let help = told(&[&name, "--help"]);
        assert!(help.contains("Example"), "{name} --help has no example:\n{help}");
        assert!(help.contains(&format!("fencepost {name}")), "{help}");
        assert!(help.contains("Exit status: 0 "), "{name} --help does not say how it ends:\n{help}");
    }
}

#[test]
fn every_value_says_what_it_is_unless_given() {
    for name in subcommands() {
        let help = told(&[&name, "--help"]);
        for (option, said) in listed(&help) {
            let quantity = ["<SECS>", "<S>", "<SIZE>", "<PCT>", "<N>", "<CPU>"];
            if !quantity.iter().any(|value| said.contains(value)) {
                continue;
            }
            let states = ["[default: ", "unless", "instead of", "without it"];
            assert!(states.iter().any(|word| said.contains(word)), "{name} {option} has no default: {said}");
        }
    }
}

#[test]
fn bash_completes_subcommands_options_and_values() {
    if !there_is("bash") {
        return;
    }
    let script = told(&["completions", "bash"]);
    let complete = |words: &[&str]| -> Vec<String> {
        let (current, before) = words.split_last().expect("words");
        let previous = before.last().copied().unwrap_or_default();
        let asked = format!(
            "{script}\nCOMP_WORDS=({}); COMP_CWORD={}; _fencepost fencepost '{current}' '{previous}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
            words.len() - 1
        );
        let output =
            Command::new("bash").args(["--norc", "--noprofile", "-c", &asked]).output().expect("bash runs");
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
    };
    assert_eq!(complete(&["fencepost", "doc"]), ["doctor"]);
    assert_eq!(complete(&["fencepost", "rep"]), ["report"]);
    let all = complete(&["fencepost", ""]);
    for name in subcommands() {
        assert!(all.contains(&name), "{name} is not among {all:?}");
        let offered = complete(&["fencepost", &name, "--"]);
        for option in options(&told(&[&name, "--help"])) {
            assert!(offered.contains(&option), "{name}: {option} is not among {offered:?}");
        }
    }
    assert_eq!(complete(&["fencepost", "completions", "ba"]), ["bash"]);
    assert!(complete(&["fencepost", "compare", "--format", ""]).contains(&"markdown".to_owned()));
}

#[test]
fn every_shell_that_is_installed_takes_its_completions() {
    let checks = [("bash", &["-n"][..]), ("zsh", &["-n"]), ("fish", &["-n"]), ("elvish", &["-compileonly"])];
    for (shell, arguments) in checks {
        let script = told(&["completions", shell]);
        assert!(script.contains("fencepost") && script.contains("doctor"), "{shell}");
        if !there_is(shell) {
            continue;
        }
        let scratch = Scratch::new("help");
        let path = scratch.save("completions", &script);
        let output = Command::new(shell).args(arguments).arg(&path).output().expect("the shell runs");
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{shell}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    assert!(told(&["completions", "powershell"]).contains("fencepost"));
    assert_eq!(fencepost(&["completions", "cmd.exe"]).status.code(), Some(1));
}

/// A page as man shows it on a screen of 80 columns, and what the formatter warns of.
fn shown(page: &str) -> (String, String) {
    let scratch = Scratch::new("man");
    let path = scratch.save("page.1", page);
    let output = Command::new("man")
        .args(["--warnings=w", "-P", "cat", "-l"])
        .arg(&path)
        .env("MANWIDTH", "80")
        .env("MAN_KEEP_FORMATTING", "0")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .expect("man runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut plain = String::from_utf8_lossy(&output.stdout).into_owned();
    // Bold is a letter over itself where formatting is kept.
    while let Some(at) = plain.find('\u{8}') {
        let before = plain.get(..at).and_then(|text| text.chars().last()).map_or(0, char::len_utf8);
        plain.replace_range(at - before..=at, "");
    }
    (plain, String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn man_shows_every_subcommand_with_its_options() {
    if !there_is("man") {
        return;
    }
    let (page, warnings) = shown(&told(&["man"]));
    assert_eq!(warnings, "");
    // Hyphenation breaks words, and soft hyphens and line ends are not what is looked for.
    let words = |page: &str| page.split_whitespace().collect::<Vec<_>>().join(" ").replace(['‐', '−'], "-");
    let all = words(&page);
    for name in subcommands() {
        assert!(
            all.contains(&format!("fencepost-{name}")) || all.contains(&format!("fencepost {name}")),
            "{page}"
        );
        let (own, warnings) = shown(&told(&["man", &name]));
        assert_eq!(warnings, "", "{name}");
        assert!(own.lines().all(|line| line.chars().count() <= 80), "{own}");
        let own = words(&own);
        for option in options(&told(&[&name, "--help"])) {
            assert!(own.contains(&option), "{option} is not in the page of {name}:\n{own}");
            assert!(all.contains(&option), "{option} of {name} is not in the whole page");
        }
    }
    let output = fencepost(&["man", "\u{1b}[31mnone\u{202e}"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("there is no subcommand") && !said.contains(['\u{1b}', '\u{202e}']), "{said}");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    for arguments in [&["man"][..], &["--help"], &["completions", "zsh"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fencepost"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .stdin(Stdio::null())
            .spawn()
            .expect("fencepost runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    // Standard input is not read where nothing asks for it.
    let mut child = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .arg("man")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("fencepost runs");
    let _ = child.stdin.take().map(|mut pipe| pipe.write_all(b"x"));
    assert!(child.wait().expect("it ends").success());
}
