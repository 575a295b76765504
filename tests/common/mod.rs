//! What test files share: tools, fixtures that are built once, directories of a test's own, turns at the core, and waiting for what has
//! to happen, however slow and busy the machine is.
#![allow(dead_code, reason = "each test file uses its part")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use fencepost::Lab;

/// Nothing that works takes as long, however slow and busy the machine is.
pub(crate) const LIMIT: Duration = Duration::from_secs(300);

/// Whether a program is in PATH. One that is missing is said aloud, and is a failure where tools are required.
pub(crate) fn has(tool: &str) -> bool {
    let there = is_installed(tool);
    if !there {
        let required = std::env::var_os("FENCEPOST_REQUIRE_TOOLS").is_some_and(|value| value == "1");
        assert!(!required, "{tool} is missing, and FENCEPOST_REQUIRE_TOOLS=1");
        eprintln!("SKIPPED: {tool} is not installed");
    }
    there
}

pub(crate) fn is_installed(tool: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(tool).is_file()))
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a program wrote on standard error.
pub(crate) fn said(output: &Output) -> String {
    text(&output.stderr)
}

/// What a program wrote on standard output.
pub(crate) fn shown(output: &Output) -> String {
    text(&output.stdout)
}

/// Tests of one program run side by side, and would compete for the cores that they measure.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether this machine can measure core cycles; said aloud where not.
pub(crate) fn measures() -> bool {
    let found = Lab::new().map(|lab| lab.cycle_source().is_some());
    if !matches!(found, Ok(true)) {
        eprintln!("SKIPPED: no core cycles can be claimed on this machine: {found:?}");
    }
    matches!(found, Ok(true))
}

/// A directory of one test's own; it goes with the value, also where the test fails.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("fencepost-{name}-{}", number()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// A path in it, where there need be nothing.
    pub(crate) fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn save(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, content).expect("a file");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The features that this test was built with: with others everything would be built once more.
fn features() -> String {
    let all = [
        ("default", cfg!(feature = "default")),
        ("suite", cfg!(feature = "suite")),
        ("asm", cfg!(feature = "asm")),
        ("predict", cfg!(feature = "predict")),
        ("explore", cfg!(feature = "explore")),
        ("placements", cfg!(feature = "placements")),
        ("counters", cfg!(feature = "counters")),
        ("plots", cfg!(feature = "plots")),
        ("cachegrind", cfg!(feature = "cachegrind")),
        ("cli", cfg!(feature = "cli")),
    ];
    let chosen = all.iter().filter(|(_, is_on)| *is_on).map(|(name, _)| *name);
    chosen.collect::<Vec<_>>().join(",")
}

/// The executables of so many targets, by `what` Cargo is to do and the kind of target, built as this test was.
fn built(what: &[&str], kind: &str, names: &[&str]) -> Vec<PathBuf> {
    let this = std::env::current_exe().expect("the path of this test");
    let profile = this.ancestors().nth(2).expect("target/profile/deps/test");
    let target = profile.parent().expect("target/profile/deps/test");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(what).args(["--message-format", "json", "--no-default-features", "--features", &features()]);
    for name in names {
        cargo.args([kind, name]);
    }
    cargo.arg("--manifest-path").arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    cargo.arg("--target-dir").arg(target).env_remove("CARGO_TARGET_DIR");
    if !profile.ends_with("debug") {
        cargo.arg("--release");
    }
    let built = cargo.stderr(Stdio::inherit()).output().expect("cargo runs");
    assert!(built.status.success(), "{names:?} do not build");
    String::from_utf8_lossy(&built.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| names.iter().any(|name| message["target"]["name"] == *name))
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .collect()
}

/// The executables of bench targets.
pub(crate) fn benches(names: &[&str]) -> Vec<PathBuf> {
    built(&["test", "--no-run"], "--bench", names)
}

/// The executable of one bench target.
pub(crate) fn bench(name: &str) -> PathBuf {
    benches(&[name]).pop().expect("cargo says where it is")
}

pub(crate) fn example(name: &str) -> PathBuf {
    built(&["build"], "--example", &[name]).pop().expect("cargo says where it is")
}

/// Digits that no other test and no other test process has: for names of files, and for how long a process sleeps that is to be found
/// again by it. As seconds it is for ever.
pub(crate) fn number() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    format!("9{:08}{:03}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Waits until something holds; `what` is told where it does not.
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < LIMIT, "{what}: not within {LIMIT:?}");
        sleep(Duration::from_millis(5));
    }
}

/// The numbers of the processes whose arguments, with a space between them, are such. One that was killed has none any more.
fn with_arguments(are_such: impl Fn(&str) -> bool) -> Vec<i32> {
    let processes = fs::read_dir("/proc").expect("/proc").flatten();
    processes
        .filter_map(|entry| {
            let id = entry.file_name().to_str()?.parse().ok()?;
            let line = text(&fs::read(entry.path().join("cmdline")).ok()?).replace('\0', " ");
            are_such(line.trim_end()).then_some(id)
        })
        .collect()
}

/// Whether a process was called by these words and no others.
pub(crate) fn runs(words: &str) -> bool {
    !with_arguments(|line| line == words).is_empty()
}

/// How many processes have this among their arguments.
pub(crate) fn count(argument: &str) -> usize {
    with_arguments(|line| line.split(' ').any(|one| one == argument)).len()
}

/// Waits until no process has these words in a row among its arguments: the kill of a group returns before its members are gone. What
/// is still there after that fails the test, and is ended.
pub(crate) fn gone(words: &str) {
    const ENOUGH: Duration = Duration::from_secs(60);
    let begun = Instant::now();
    loop {
        let left = with_arguments(|line| line.contains(words));
        if left.is_empty() {
            return;
        }
        if begun.elapsed() > ENOUGH {
            end_all(words);
            panic!("{words:?} is still there after {ENOUGH:?}, as {left:?}");
        }
        sleep(Duration::from_millis(5));
    }
}

/// Ends every process that has these words in a row among its arguments.
pub(crate) fn end_all(words: &str) {
    for id in with_arguments(|line| line.contains(words)) {
        let _ = Command::new("kill").args(["-9", &id.to_string()]).status();
    }
}

/// A child that is ended with the value, also where the test fails before that.
pub(crate) struct Started(Option<Child>);

impl Started {
    /// Starts it with both outputs piped.
    pub(crate) fn new(command: &mut Command) -> Self {
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        Self(Some(child.expect("it starts")))
    }

    pub(crate) fn child(&mut self) -> &mut Child {
        self.0.as_mut().expect("it was not waited for")
    }

    pub(crate) fn id(&self) -> u32 {
        self.0.as_ref().expect("it was not waited for").id()
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child().try_wait().expect("a child of ours").is_none()
    }

    /// What it has written when it ended. One that hangs fails the test.
    pub(crate) fn ended(mut self) -> Output {
        let child = self.child();
        let pipes: [Option<Box<dyn std::io::Read + Send>>; 2] = [
            child.stdout.take().map(|pipe| Box::new(pipe) as _),
            child.stderr.take().map(|pipe| Box::new(pipe) as _),
        ];
        let readers = pipes.map(|pipe| {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                if let Some(mut pipe) = pipe {
                    pipe.read_to_end(&mut bytes).expect("it can be read");
                }
                bytes
            })
        });
        until("it ends", || !self.is_running());
        let status = self.child().wait().expect("a child of ours");
        self.0 = None;
        let [stdout, stderr] = readers.map(|reader| reader.join().expect("it was read"));
        Output { status, stdout, stderr }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A shell script in `place`. A process of its own writes it: were the file open for writing here while another test forks, it could not be
/// executed.
pub(crate) fn script(place: &Path, name: &str, body: &str) -> PathBuf {
    let path = place.join(name);
    let mut writer = Command::new("/bin/sh")
        .args(["-c", "/bin/cat > \"$1\" && /bin/chmod +x \"$1\"", "sh"])
        .arg(&path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("sh");
    let text = format!("#!/bin/sh\n{body}\n");
    writer.stdin.take().expect("piped").write_all(text.as_bytes()).expect("written");
    assert!(writer.wait().expect("sh").success());
    path
}

/// A script in the place of a program that is asked for its version, for what it knows, and then something; it goes with the value.
pub(crate) struct Fake(Scratch, PathBuf);

impl Fake {
    /// What it does in each of the three cases, in a shell.
    pub(crate) fn doing(version: &str, help: &str, answer: &str) -> Self {
        let scratch = Scratch::new("fake");
        let body =
            format!("case \"$*\" in\n--version) {version}\n;;\n*help*) {help}\n;;\n*) {answer}\n;;\nesac");
        let path = script(scratch.path(), "program", &body);
        Self(scratch, path)
    }

    /// One that calls itself llvm-mca 14 and knows one CPU.
    pub(crate) fn llvm_mca(answer: &str) -> Self {
        Self::doing(
            "echo 'LLVM version 14.0.6'",
            "echo '  znver3 - Select the znver3 processor.' >&2",
            answer,
        )
    }

    pub(crate) fn path(&self) -> &Path {
        &self.1
    }

    pub(crate) fn name(&self) -> &str {
        self.1.to_str().expect("UTF-8")
    }
}
