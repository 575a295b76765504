//! Are Valgrind's files read right, from 3.19 to 3.25, and bad ones refused?
//!
//! `callgrind-3.19-recorded.out` was written by Valgrind (paths changed). The others are of one small program that never ran, written by
//! hand after the formats as they are documented and as the sources of 3.19 to 3.25 print them: cachegrind's caches are named even
//! where none were simulated up to 3.20, and no longer from 3.21 on.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;

use fencepost::ErrorKind;
use fencepost::cachegrind::{Event, Format, OutFile};

use super::place::Place;

fn recorded() -> Vec<(String, PathBuf)> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/valgrind");
    let mut found: Vec<(String, PathBuf)> = fs::read_dir(directory)
        .expect("the recorded files")
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().expect("UTF-8"), entry.path()))
        .collect();
    found.sort();
    found
}

const COUNTS: [(Event, u64); 13] = [
    (Event::Ir, 5431),
    (Event::I1mr, 4),
    (Event::ILmr, 4),
    (Event::Dr, 1132),
    (Event::D1mr, 134),
    (Event::DLmr, 61),
    (Event::Dw, 634),
    (Event::D1mw, 72),
    (Event::DLmw, 31),
    (Event::Bc, 1001),
    (Event::Bcm, 32),
    (Event::Bi, 1),
    (Event::Bim, 1),
];

#[test]
fn files_of_3_19_to_3_25_have_their_counts() {
    let files = recorded();
    for version in 19..=25 {
        for tool in ["cachegrind", "callgrind"] {
            assert!(
                files.iter().any(|(name, _)| *name == format!("{tool}-3.{version}.out")),
                "{tool} {version}"
            );
        }
    }
    for (name, path) in &files {
        let file = OutFile::read(path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let is_callgrind = name.starts_with("callgrind");
        assert_eq!(file.format, if is_callgrind { Format::Callgrind } else { Format::Cachegrind }, "{name}");
        assert_eq!(file.creator.is_some(), is_callgrind, "{name}: {:?}", file.creator);
        if name.contains("recorded") {
            assert_eq!(file.totals.get(Event::Ir), 1_921_394, "{name}");
            assert_eq!((file.totals.get(Event::Dw), file.totals.get(Event::DLmw)), (21, 0), "{name}");
            assert!(
                file.trigger.as_deref().is_some_and(|text| text.starts_with("fencepost/1 once")),
                "{name}"
            );
            continue;
        }
        let caches = !name.contains("no-caches");
        assert_eq!(file.totals.has_caches(), caches, "{name}");
        for (event, count) in COUNTS {
            let branch = matches!(event, Event::Bc | Event::Bcm | Event::Bi | Event::Bim);
            let there = event == Event::Ir || (caches && !branch) || (branch && file.totals.has_branches());
            assert_eq!(file.totals.has(event), there, "{name}: {}", event.name());
            assert_eq!(file.totals.get(event), if there { count } else { 0 }, "{name}: {}", event.name());
        }
    }
    let with_branches =
        files.iter().filter(|(_, path)| OutFile::read(path).unwrap().totals.has_branches()).count();
    assert_eq!(with_branches, 6, "of both tools, in 3.20, 3.22 and 3.24");
}

#[test]
fn a_file_that_was_cut_anywhere_is_refused() {
    for (name, path) in recorded() {
        let text = fs::read_to_string(&path).unwrap();
        let whole = OutFile::from_text(&text).unwrap();
        for length in 0..text.len() {
            let error = match OutFile::from_text(&text[..length]) {
                Ok(file) => panic!("{name}, cut to {length} bytes, is {file:?} and not {whole:?}"),
                Err(error) => error,
            };
            assert_eq!(error.kind(), ErrorKind::Input);
            let told = error.to_string();
            let says_why = ["empty", "events:", "cut short", "names no event", "no counts"];
            assert!(says_why.iter().any(|why| told.contains(why)), "{name}, {length}: {told}");
        }
    }
}

#[test]
fn files_that_are_none_are_refused_with_the_reason() {
    let head = "cmd: ./a\nevents: Ir Dr\nfn=main\n1 5 2\n";
    for (text, why) in [
        (String::new(), "it is empty"),
        ("\n\n\n".to_owned(), "no line begins with \"events:\""),
        ("{\"schema\": \"fencepost/1\"}\n".to_owned(), "no line begins with \"events:\""),
        ("<!doctype html>\n<p>404\n".to_owned(), "no line begins with \"events:\""),
        ("\u{0}\u{1}ELF\n\u{fffd}\u{fffd}".to_owned(), "no line begins with \"events:\""),
        ("events: Cycles L1\nsummary: 1 2\n".to_owned(), "names no event Ir"),
        ("events: Ir Dr Ir\nsummary: 1 2 3\n".to_owned(), "named twice"),
        ("summary: 1 2\nevents: Ir Dr\n".to_owned(), "before the line that names the events"),
        (format!("{head}summary: 5 2 1\n"), "more counts than the 2 events"),
        (format!("{head}summary: 5 -2\n"), "\"-2\" is no count"),
        (format!("{head}summary: 5 2.5\n"), "\"2.5\" is no count"),
        (format!("{head}summary: 18446744073709551616\n"), "no count of up to 64 bits"),
        (format!("{head}summary:\n"), "there are no counts"),
        (format!("{head}events: Ir Dw\nsummary: 1 2\n"), "a second time"),
        (format!("{head}totals"), "cut short"),
        (format!("positions: line\n{head}summary: 5 2\n"), "the line \"totals:\""),
    ] {
        let error = OutFile::from_text(&text).expect_err(&text);
        assert_eq!(error.kind(), ErrorKind::Input, "{text}");
        assert!(error.to_string().contains(why), "{text}: {error}");
    }
    let most = OutFile::from_text(&format!("{head}summary: 18446744073709551615 0x10\n")).expect("64 bits");
    assert_eq!((most.totals.get(Event::Ir), most.totals.get(Event::Dr)), (u64::MAX, 16));
}

/// Bytes that this thread has read so far; `None`, said aloud, where the kernel does not tell.
fn bytes_read() -> Option<u64> {
    let told = fs::read_to_string("/proc/thread-self/io").unwrap_or_default();
    let read = told.lines().find_map(|line| line.strip_prefix("rchar: ")?.parse().ok());
    if read.is_none() {
        eprintln!("SKIPPED: this kernel does not count what a thread reads");
    }
    read
}

#[test]
fn huge_files_are_read_line_by_line_and_no_further_than_they_are_any_good() {
    let place = Place::new();
    let path = place.path().join("huge.out");
    // A line that does not end, of 10 GiB without a byte on the disk.
    File::create(&path).unwrap().set_len(10 << 30).unwrap();
    let before = bytes_read();
    let told = OutFile::read(&path).expect_err("zeros").to_string();
    let read = bytes_read().zip(before).map(|(after, before)| after - before);
    assert!(read.is_none_or(|read| read < 16 << 20), "{read:?} bytes were read");
    assert!(told.contains("huge.out holds no counts") && told.contains("longer than 1 MiB"), "{told}");

    // Many lines are read one by one.
    let mut file = std::io::BufWriter::new(File::create(&path).unwrap());
    file.write_all(b"cmd: ./a\nevents: Ir Dr\nfl=a\nfn=f\n").unwrap();
    for line in 0..2_000_000u32 {
        writeln!(file, "{line} 18446744073709551615 1").unwrap();
    }
    file.write_all(b"summary: 7 8\n").unwrap();
    drop(file);
    assert_eq!(OutFile::read(&path).expect("a long file").totals.get(Event::Dr), 8);
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let place = Place::new();
    let missing = OutFile::read(&place.path().join("none.out")).expect_err("missing");
    assert_eq!(missing.kind(), ErrorKind::Io);
    assert!(missing.to_string().contains("none.out could not be read"), "{missing}");
    let directory = OutFile::read(place.path()).expect_err("a directory");
    assert_eq!(directory.kind(), ErrorKind::Io, "{directory}");
}
