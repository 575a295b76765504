//! Does a saved record reach the disk whole or not at all?

use std::fs;

use fencepost::error::ErrorKind;
use fencepost::record::Record;

use super::sample;
use crate::common::Scratch;

#[test]
fn saving_replaces_in_one_step_and_leaves_nothing_behind() {
    let directory = Scratch::new("record-replace");
    let path = directory.join("run.json");
    fs::write(&path, "old").expect("an old file");
    sample().write_atomically(&path).expect("saved");
    let text = fs::read_to_string(&path).expect("the new file");
    assert!(text.ends_with("}\n"));
    assert_eq!(Record::from_json(&text).expect("readable"), sample());
    assert_eq!(fs::read_dir(directory.path()).expect("listing").count(), 1);
}

#[test]
fn a_save_that_fails_names_the_path_and_leaves_nothing_behind() {
    let directory = Scratch::new("record-refuse");
    let missing = directory.join("no/such/run.json");
    let error = sample().write_atomically(&missing).expect_err("no directory");
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(
        error.to_string().contains("run.json") && error.to_string().contains("create the directory"),
        "{error}"
    );

    let taken = directory.join("taken");
    fs::create_dir(&taken).expect("a directory");
    let error = sample().write_atomically(&taken).expect_err("a directory is in the way");
    assert!(error.to_string().contains("taken"), "{error}");
    assert_eq!(fs::read_dir(directory.path()).expect("listing").count(), 1, "the temporary file is gone");

    let error = sample().write_atomically("/").expect_err("no file name");
    assert_eq!(error.kind(), ErrorKind::Usage);
}

#[test]
fn writers_at_the_same_time_leave_one_whole_record() {
    let directory = Scratch::new("record-race");
    let path = directory.join("run.json");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..5 {
                    sample().write_atomically(&path).expect("saved");
                    Record::from_json(&fs::read_to_string(&path).expect("there")).expect("whole");
                }
            });
        }
    });
    assert_eq!(fs::read_dir(directory.path()).expect("listing").count(), 1);
}
