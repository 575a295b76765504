//! Two commands as a whole.

use super::*;

#[test]
fn the_slower_command_is_found_and_figures_have_units() {
    let ran = ab(&["--rounds", "5", "--", "sleep", "0.01", "--vs", "sleep", "0.3"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("slower: +") && ran.out.contains("25/25 agree"), "{}", ran.out);
    for name in [
        "mean",
        "median",
        "min",
        "max",
        "user",
        "system",
        "max RSS",
        "minor faults",
        "major faults",
        "voluntary switches",
        "involuntary switches",
        "exits",
    ] {
        assert!(ran.out.lines().any(|line| line.starts_with(name)), "{name} is missing: {}", ran.out);
    }
    assert!(ran.out.lines().all(|line| line.chars().count() <= 80), "{}", ran.out);
}

#[test]
fn figures_are_those_of_the_command_alone() {
    let place = Scratch::new("ab-figures");
    // 64 MiB that are touched, and some 50 ms of work.
    let busy = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done";
    let memory = script(&place, "memory", "dd if=/dev/zero of=/dev/null bs=64M count=1 2>/dev/null");
    let ran = ab(&["--rounds", "3", "--format", "json", "--", &memory, "--vs", "sh", "-c", busy]);
    let json = json(&ran);
    assert_eq!((json["compared"].as_str(), json["complete"].as_bool()), (Some("commands"), Some(true)));
    let figure =
        |side: &str, name: &str| json[side][name].as_f64().unwrap_or_else(|| panic!("{side} {name}: {json}"));
    assert!((60e6..200e6).contains(&figure("before", "max_rss_bytes")), "{json}");
    assert!(figure("before", "minor_faults") > 100.0, "{json}");
    assert!(figure("after", "user_ns") > 5e6, "{json}");
    assert!(figure("after", "max_rss_bytes") < 30e6, "{json}");
    for side in ["before", "after"] {
        assert!(figure(side, "min_ns") <= figure(side, "median_ns"));
        assert!(figure(side, "median_ns") <= figure(side, "max_ns"));
        assert_eq!(json[side]["times_ns"].as_array().map(Vec::len), Some(3));
        assert_eq!(json[side]["exits"]["exit status 0"].as_u64(), Some(3));
    }
    assert_eq!(json["before"]["command"][0].as_str(), Some(memory.as_str()));
}

#[test]
fn the_order_alternates_and_is_the_seeds() {
    let place = Scratch::new("ab-order");
    let log = place.join("log");
    let say = |word: &str| format!("echo {word} >> '{}'", log.display());
    let (one, two) = (say("A"), say("B"));
    let order = |seed: &str| {
        let _ = fs::remove_file(&log);
        let args = [
            "--rounds", "6", "--warmup", "0", "--seed", seed, "--", "sh", "-c", &one, "--vs", "sh", "-c",
            &two,
        ];
        assert_eq!(ab(&args).code, Some(0));
        fs::read_to_string(&log).expect("kept").split_whitespace().collect::<String>()
    };
    let first = order("1");
    assert_eq!(first, order("1"));
    assert!((2..12).any(|seed| order(&seed.to_string()) != first));
    for four in first.as_bytes().chunks(4) {
        assert!(four == b"ABBA" || four == b"BAAB", "{first}");
    }
}

#[test]
fn no_shell_reads_the_words() {
    let ran = ab(&[
        "--rounds",
        "1",
        "--format",
        "csv",
        "--",
        "test",
        "$HOME; a\"b",
        "=",
        "$HOME; a\"b",
        "--vs",
        "true",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("'$HOME; a\"\"b'"), "{}", ran.out);
}

#[test]
fn a_command_that_fails_is_named_with_its_status() {
    for (words, said) in [
        (
            &["sh", "-c", "echo 'it is\x1b broken' >&2; exit 3"][..],
            "\"sh\" (after) failed: exit status 3, and it said: it is\\u{1b} broken",
        ),
        (&["sh", "-c", "kill -TERM $$"][..], "\"sh\" (after) failed: killed by signal 15 (SIGTERM)"),
        (&["no-such-command"][..], "\"no-such-command\" cannot be started: there is no such program"),
        (&["/etc/passwd"][..], "\"/etc/passwd\" cannot be started: it is no program that may be executed"),
    ] {
        let ran = ab(&[&["--rounds", "2", "--", "true", "--vs"][..], words].concat());
        assert_eq!(ran.code, Some(1));
        assert!(ran.err.contains(said), "{}", ran.err);
        assert_eq!(ran.out, "");
    }
    let args =
        ["--rounds", "4", "--allow-failure", "--format", "json", "--", "true", "--vs", "sh", "-c", "exit 3"];
    let counted = ab(&args);
    assert_eq!(counted.code, Some(0), "{}", counted.err);
    assert_eq!(json(&counted)["after"]["exits"]["exit status 3"].as_u64(), Some(4));
}

#[test]
fn a_command_past_its_time_is_killed_with_all_that_it_started() {
    let sleeper = format!("sleep {}", number());
    let hangs = format!("{sleeper} & {sleeper}");
    let ran = ab(&["--timeout", "0.3", "--", "sh", "-c", &hangs, "--vs", "true"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("not done within 0.3 s"), "{}", ran.err);
    gone(&sleeper);
    // And what a command leaves behind when it ends by itself holds nothing up.
    let sleeper = format!("sleep {}", number());
    let leaves = format!("{sleeper} & exit 0");
    let ran = ab(&["--rounds", "2", "--", "sh", "-c", &leaves, "--vs", "true"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    gone(&sleeper);
}

/// Starts it, sends SIGINT when `now` holds, and gives back what came out.
fn interrupted(args: &[&str], what: &str, now: impl FnMut() -> bool) -> Ran {
    let started = Started::new(&mut fencepost(args));
    until(what, now);
    let pid = started.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
    came_of(started)
}

#[test]
fn a_signal_stops_the_commands_too_and_what_there_is_is_said() {
    let place = Scratch::new("ab-signal");
    let log = place.join("log");
    let calls = || fs::read_to_string(&log).unwrap_or_default().lines().count();
    // The second command of two does its work three times, and then hangs.
    let sleeper = format!("sleep {}", number());
    let log_it = format!("echo x >> '{}'", log.display());
    let hangs = format!("{log_it}; [ $(wc -l < '{}') -le 3 ] || {sleeper}", log.display());
    let arguments = ["--rounds", "100", "--warmup", "0", "--", "true", "--vs", "sh", "-c", &hangs];
    let ran = interrupted(&arguments, "it sleeps", || common::runs(&sleeper));
    let said = |ran: &Ran, of: &str| {
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.out.starts_with("INCOMPLETE"), "{}", ran.out);
        assert!(ran.err.contains(of), "{}", ran.err);
    };
    said(&ran, "of 100 rounds");
    gone(&sleeper);
    // And between two commands that end at once.
    fs::remove_file(&log).expect("written");
    let arguments = ["--rounds", "10000", "--warmup", "0", "--", "true", "--vs", "sh", "-c", &log_it];
    said(&interrupted(&arguments, "it goes on", || calls() > 20), "of 10000 rounds");
    // And in the first of all.
    let sleeper = number();
    let none = interrupted(&["--", "sleep", &sleeper, "--vs", "true"], "it sleeps", || {
        common::runs(&format!("sleep {sleeper}"))
    });
    assert_eq!((none.code, none.out.as_str()), (Some(1), ""));
    assert!(none.err.contains("stopped after 0 of 10 rounds"), "{}", none.err);
    gone(&sleeper);
}

#[test]
fn output_is_dropped_or_let_through() {
    let echo = ["--", "echo", "from-the-command", "--vs", "true"];
    let dropped = ab(&[&["--rounds", "1"][..], &echo].concat());
    assert_eq!(dropped.out.matches("from-the-command").count(), 1, "in the head alone: {}", dropped.out);
    let shown = ab(&[&["--rounds", "1", "--warmup", "0", "--output", "inherit"][..], &echo].concat());
    assert_eq!(shown.out.matches("from-the-command").count(), 2, "{}", shown.out);
    let mixed = ab(&[&["--output", "inherit", "--format", "json"][..], &echo].concat());
    assert_eq!(mixed.code, Some(1));
    assert!(mixed.err.contains("stand in the middle"), "{}", mixed.err);
}

#[test]
fn the_limit_is_for_time() {
    let slow = ["--", "sleep", "0.01", "--vs", "sleep", "0.3"];
    let code = |limit: &str| ab(&[&["--rounds", "5", "--limit", limit][..], &slow].concat()).code;
    assert_eq!((code("50%"), code("10ms"), code("1s"), code("2cyc")), (Some(3), Some(3), Some(0), Some(1)));
}

#[test]
fn wrong_use_is_status_1_with_what_to_do() {
    for (args, said) in [
        (&[][..], "no two things to compare"),
        (&["--", "true"][..], "-- CMD... --vs CMD..."),
        (&["--", "true", "--vs"][..], "-- CMD... --vs CMD..."),
        (&["--", "a", "--vs", "b", "--vs", "c"][..], "more than one --vs"),
        (&["stray", "--", "a", "--vs", "b"][..], "\"stray\" stands alone"),
        (&["--before", "x"][..], "--after <BIN>"),
        (&["--limit", "5", "--", "a", "--vs", "b"][..], "it has no unit"),
        (&["--rounds", "0", "--", "a", "--vs", "b"][..], "0 is not in 1..=10000"),
        (&["--timeout", "0", "--", "a", "--vs", "b"][..], "a number of seconds above 0"),
        (&["--foramt", "json"][..], "--format"),
        (&["--before", "x", "--after", "y", "--allow-failure"][..], "are for commands"),
    ] {
        let ran = ab(args);
        assert_eq!(ran.code, Some(1), "{args:?}");
        assert!(ran.err.contains(said), "{args:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{args:?}");
    }
}

#[test]
fn help_begins_with_examples() {
    let ran = ab(&["--help"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let (example, usage) =
        (ran.out.find("fencepost ab --before").expect("an example"), ran.out.find("Usage:"));
    assert!(usage.expect("usage") > example, "{}", ran.out);
    for said in ["[default: 5", "Seconds", "Exit status"] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
}
