//! Does a baseline come back whole, whatever happens while it is saved?

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use fencepost::baseline::Store;
use fencepost::error::ErrorKind;
use fencepost::record::Record;
use nix::fcntl::{Flock, FlockArg};

use crate::common::Scratch;

use super::{cost, run};

/// A directory with a store in it.
struct Place(Scratch);

impl Place {
    fn new(name: &str) -> Self {
        Self(Scratch::new(name))
    }

    fn store(&self) -> Store {
        Store::open(self.0.path())
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

fn sample(cycles: f64) -> Record {
    run(vec![cost("mix/latency", cycles, 0.1)])
}

fn files(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a directory");
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn baselines_come_back_as_they_were_saved_and_are_listed() {
    let scratch = Place::new("roundtrip");
    let store = scratch.store();
    assert_eq!(store.list().unwrap(), Vec::<String>::new());
    assert!(files(scratch.0.path()).is_empty(), "asking creates nothing");
    let path = store.save("main", &sample(12.0)).unwrap();
    assert_eq!(path, scratch.join("fencepost/baselines/main/record.json"));
    store.save("größe", &sample(13.0)).unwrap();
    store.save("main", &sample(14.0)).unwrap();
    assert_eq!(store.list().unwrap(), ["größe", "main"]);
    assert_eq!(store.load("main").unwrap(), sample(14.0));
    assert_eq!(files(path.parent().unwrap()), ["record.json"]);
}

#[test]
fn a_baseline_that_is_not_there_is_answered_with_those_that_are() {
    let scratch = Place::new("missing");
    let store = scratch.store();
    let error = store.load("main").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.to_string().contains("there are none"), "{error}");
    store.save("other", &sample(12.0)).unwrap();
    assert!(store.load("main").unwrap_err().to_string().contains("other"));
}

#[test]
fn no_name_leads_out_of_the_store() {
    let scratch = Place::new("names");
    let store = scratch.store();
    for name in ["", ".", "..", "../x", "/x", "a/b", ".lock", "a\u{0}", "a\u{1b}[31m", &"n".repeat(101)] {
        for error in [store.save(name, &sample(1.0)).map(drop), store.load(name).map(drop)] {
            assert_eq!(error.unwrap_err().kind(), ErrorKind::Usage, "{name:?}");
        }
    }
    assert!(files(scratch.0.path()).is_empty());
}

#[test]
fn a_damaged_baseline_is_named_and_only_replaced_when_told_so() {
    let scratch = Place::new("damaged");
    let store = scratch.store();
    let path = store.save("main", &sample(12.0)).unwrap();
    let whole = fs::read_to_string(&path).unwrap();
    let half: &str = whole.get(..whole.len() / 2).unwrap();
    let other_schema = whole.replace("fencepost/1", "fencepost/2");
    let damages: [&[u8]; 5] = [half.as_bytes(), b"", b"[]", other_schema.as_bytes(), b"\xff\xfe{}"];
    for damage in damages {
        fs::write(&path, damage).unwrap();
        let load = store.load("main").unwrap_err();
        let save = store.save("main", &sample(13.0)).unwrap_err();
        for error in [load, save] {
            assert_eq!(error.kind(), ErrorKind::Input);
            let said = error.to_string();
            assert!(said.contains(path.to_str().unwrap()) && said.contains("move that file away"), "{said}");
        }
        assert_eq!(fs::read(&path).unwrap(), damage, "left as it was");
        assert_eq!(store.list().unwrap(), ["main"]);
    }
    store.replace_damaged("main", &sample(13.0)).unwrap();
    assert_eq!(store.load("main").unwrap(), sample(13.0));

    fs::write(&path, half).unwrap();
    assert!(store.load("main").unwrap_err().to_string().contains("ends early"));
    fs::write(&path, other_schema).unwrap();
    assert!(store.load("main").unwrap_err().to_string().contains("fencepost/2"));
}

#[test]
fn what_is_in_the_way_of_a_baseline_is_neither_taken_for_one_nor_removed() {
    let scratch = Place::new("in-the-way");
    let store = scratch.store();
    let path = store.path("main").unwrap();
    fs::create_dir_all(&path).unwrap();
    assert!(store.load("main").unwrap_err().to_string().contains("no regular file"));
    assert_eq!(store.save("main", &sample(1.0)).unwrap_err().kind(), ErrorKind::Input);
    assert!(path.is_dir());

    let dangling = store.path("dangling").unwrap();
    fs::create_dir_all(dangling.parent().unwrap()).unwrap();
    symlink("/nowhere/at/all", &dangling).unwrap();
    assert_eq!(store.save("dangling", &sample(1.0)).unwrap_err().kind(), ErrorKind::Io);
    assert!(dangling.symlink_metadata().is_ok());

    let endless = store.path("endless").unwrap();
    fs::create_dir_all(endless.parent().unwrap()).unwrap();
    symlink("/dev/zero", &endless).unwrap();
    assert_eq!(store.load("endless").unwrap_err().kind(), ErrorKind::Input);

    let file = Place::new("file-in-the-way");
    fs::write(file.0.join("fencepost"), "mine").unwrap();
    let error = file.store().save("main", &sample(1.0)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert_eq!(fs::read_to_string(file.0.join("fencepost")).unwrap(), "mine");
}

#[test]
fn a_run_that_was_cut_short_does_not_replace_a_whole_one() {
    let scratch = Place::new("cut-short");
    let store = scratch.store();
    let cut = Record { complete: false, ..sample(13.0) };
    store.save("main", &cut).unwrap();
    store.save("main", &sample(12.0)).unwrap();
    let error = store.save("main", &cut).unwrap_err();
    assert!(error.to_string().contains("cut short"), "{error}");
    assert_eq!(store.load("main").unwrap(), sample(12.0));
}

#[test]
fn what_a_killed_writer_left_is_swept_up_by_the_next() {
    let scratch = Place::new("sweep");
    let store = scratch.store();
    let path = store.save("main", &sample(12.0)).unwrap();
    fs::write(path.with_file_name(".fencepost.1.0.tmp"), "half").unwrap();
    fs::write(path.with_file_name("notes.txt"), "mine").unwrap();
    store.save("main", &sample(13.0)).unwrap();
    assert_eq!(files(path.parent().unwrap()), ["notes.txt", "record.json"]);
}

/// What a test that is run again as a child process saves to; each child gives its own number.
const CHILD: &str = "FENCEPOST_TEST_BASELINE_CHILD";

#[test]
fn processes_and_threads_that_save_at_once_leave_one_whole_baseline() {
    if let Some(told) = std::env::var_os(CHILD) {
        let store = Store::open(told);
        for round in 0..20 {
            let cycles = f64::from(std::process::id()) + f64::from(round) / 100.0;
            store.save("main", &sample(cycles)).expect("saved by a child");
        }
        return;
    }
    let scratch = Place::new("at-once");
    let store = scratch.store();
    store.save("main", &sample(1.0)).unwrap();
    let children: Vec<_> = (0..3)
        .map(|_| {
            Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "stored::processes_and_threads_that_save_at_once_leave_one_whole_baseline"])
                .env(CHILD, scratch.0.path())
                .stdout(Stdio::null())
                .spawn()
                .expect("a child")
        })
        .collect();
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let store = &store;
            scope.spawn(move || {
                for _ in 0..20 {
                    store.save("main", &sample(2.0 + f64::from(thread))).expect("saved by a thread");
                    store.load("main").expect("whole at every moment");
                }
            });
        }
    });
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    store.load("main").unwrap();
    assert_eq!(files(store.path("main").unwrap().parent().unwrap()), ["record.json"]);
}

#[test]
fn who_holds_the_store_too_long_is_named() {
    let scratch = Place::new("held");
    let store = scratch.store().patience(Duration::from_millis(60));
    store.save("main", &sample(12.0)).unwrap();
    let lock = scratch.join("fencepost/baselines/.lock");
    let file = fs::OpenOptions::new().read(true).write(true).open(&lock).unwrap();
    let held = Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|(_, errno)| errno).unwrap();
    // That this ends at all shows that patience does: the lock is held until after it.
    let error = store.save("main", &sample(13.0)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    // The note is this process's own, of the save before.
    assert!(error.to_string().contains(&format!("process {}", std::process::id())), "{error}");
    assert_eq!(store.load("main").unwrap(), sample(12.0), "reading needs no lock");

    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| scratch.store().save("main", &sample(14.0)));
        std::thread::sleep(Duration::from_millis(50));
        drop(held);
        waiting.join().unwrap().expect("saved after the wait");
    });
    assert_eq!(store.load("main").unwrap(), sample(14.0));
}

#[test]
fn a_directory_that_may_not_be_written_is_named_and_the_old_baseline_stays() {
    let scratch = Place::new("read-only");
    let store = scratch.store();
    let path = store.save("main", &sample(12.0)).unwrap();
    // Nobody, root included, writes into the directories of /proc.
    let error = Store::open("/proc").save("main", &sample(13.0)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().contains("/proc/fencepost"), "{error}");

    let directory = path.parent().unwrap();
    fs::set_permissions(directory, fs::Permissions::from_mode(0o555)).unwrap();
    let bound = fs::write(directory.join("probe"), "").is_err();
    let outcome = store.save("main", &sample(13.0));
    fs::set_permissions(directory, fs::Permissions::from_mode(0o755)).unwrap();
    if !bound {
        eprintln!("SKIPPED: the permissions of a directory, which do not bind this user");
        return;
    }
    let error = outcome.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().contains("may write"), "{error}");
    assert_eq!(store.load("main").unwrap(), sample(12.0));
}

/// A small or read-only file system, where this process may mount one; said loudly where it may not.
struct Mounted(PathBuf);

impl Mounted {
    fn tmpfs(at: &Path, options: &str) -> Option<Self> {
        let status =
            Command::new("mount").args(["-t", "tmpfs", "-o", options, "fencepost-test"]).arg(at).status();
        if !status.is_ok_and(|status| status.success()) {
            eprintln!("SKIPPED: this process may not mount a file system");
            return None;
        }
        Some(Self(at.to_owned()))
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_and_a_read_only_one_lose_nothing() {
    let scratch = Place::new("full");
    let Some(mounted) = Mounted::tmpfs(scratch.0.path(), "size=256k") else { return };
    let store = scratch.store();
    let path = store.save("main", &sample(12.0)).unwrap();
    // Written in vain until nothing fits any more.
    let filler = scratch.join("filler");
    assert!(fs::write(&filler, vec![0; 1 << 20]).is_err());
    for name in ["main", "other"] {
        let error = store.save(name, &sample(13.0)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.to_string().contains("make room"), "{error}");
    }
    assert_eq!(store.load("main").unwrap(), sample(12.0));
    assert_eq!(files(path.parent().unwrap()), ["record.json"]);
    assert_eq!(store.list().unwrap(), ["main"]);
    assert_eq!(
        files(&scratch.join("fencepost/baselines")),
        [".lock", "main"],
        "nothing is left of the other"
    );
    fs::remove_file(&filler).unwrap();
    store.save("main", &sample(14.0)).unwrap();

    let status = Command::new("mount").args(["-o", "remount,ro"]).arg(&mounted.0).status().unwrap();
    assert!(status.success());
    let error = store.save("main", &sample(15.0)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().contains("may write"), "{error}");
    assert_eq!(store.load("main").unwrap(), sample(14.0), "reading needs no lock");
}
