//! Is another fencepost measuring on this core? Each holds its core while it lives; the others take another one, or wait.
//!
//! A claim is an advisory lock on a file named after the core, in a directory of this user. The system ends it with the process,
//! however that ends, so nothing stale is ever waited for. All labs of one process share its claims, and a child shares those of
//! its ancestors: whoever starts a measuring child has asked for it. A process that holds a core never waits for another one, so
//! that no two can wait for one another.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{Read as _, Seek as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use nix::unistd::getppid;

use crate::record::{Finding, Severity};

/// How long to sleep between two attempts.
const AGAIN: Duration = Duration::from_millis(20);
/// A wait that is over sooner is not worth a word: whoever starts looks at all cores for some milliseconds.
const SILENT: Duration = Duration::from_millis(400);
/// No note of a holder is longer.
const MAX_NOTE: u64 = 20;

type Held = BTreeMap<(PathBuf, usize), Weak<Flock<File>>>;

/// What this process holds.
static HELD: Mutex<Held> = Mutex::new(BTreeMap::new());

/// One core, held against other processes while this lives.
#[derive(Debug)]
pub(super) struct Claim {
    pub(super) core: usize,
    /// `None` where there is no place to lock, where an ancestor holds the core, or where it is shared.
    _file: Option<Arc<Flock<File>>>,
    /// Who measures there too.
    beside: Option<Holder>,
}

/// Another process that measures.
#[derive(Clone, Debug)]
struct Holder(Option<u32>);

/// What the wait for a core is like.
#[derive(Clone, Debug)]
pub(super) struct Patience {
    /// No wait is longer; then the core is shared.
    pub(super) limit: Duration,
    /// Told why nothing happens.
    pub(super) notice: fn(&str),
}

impl Default for Patience {
    fn default() -> Self {
        Self { limit: Duration::from_secs(120), notice: to_standard_error }
    }
}

/// Where standard error is gone, so is whom it was for.
fn to_standard_error(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some(pid) = self.0 else { return f.write_str("another fencepost") };
        match fs::read_to_string(format!("/proc/{pid}/comm")) {
            Ok(name) => write!(f, "process {pid} ({})", name.trim_end().escape_debug()),
            Err(_) => write!(f, "process {pid}"),
        }
    }
}

impl Claim {
    fn free(core: usize) -> Self {
        Self { core, _file: None, beside: None }
    }

    /// That the core could not be had alone, if so.
    pub(super) fn finding(&self) -> Option<Finding> {
        let beside = self.beside.as_ref()?;
        Some(Finding {
            id: "core_shared".to_owned(),
            severity: Severity::Warning,
            value: format!("{beside} is measuring on CPU {}, too", self.core),
            effect: "the two interrupt one another, and neither has its caches to itself".to_owned(),
            remedy: Some("run one after the other, or give each its own --core".to_owned()),
        })
    }
}

/// The directory of this user's locks, made where it is missing; `None` where there is none to be had that is ours alone.
fn directory() -> Option<PathBuf> {
    let user = fs::metadata("/proc/self").ok()?.uid();
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_absolute());
    let directory = match runtime {
        Some(runtime) => runtime.join("fencepost"),
        None => std::env::temp_dir().join(format!("fencepost-{user}")),
    };
    // Fails where it is there already.
    let _ = DirBuilder::new().mode(0o700).create(&directory);
    let found = fs::symlink_metadata(&directory).ok()?;
    (found.is_dir() && found.uid() == user).then_some(directory)
}

/// The core, unless another process holds it.
fn attempt(directory: Option<&Path>, core: usize) -> Result<Claim, Holder> {
    let Some(directory) = directory else { return Ok(Claim::free(core)) };
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (directory.to_owned(), core);
    if let Some(file) = held.get(&key).and_then(Weak::upgrade) {
        return Ok(Claim { _file: Some(file), ..Claim::free(core) });
    }
    let path = directory.join(format!("core-{core}.lock"));
    let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    // Without a lock's file (a full disk, a read-only one) there is nothing to agree by.
    let Ok(file) = opened else { return Ok(Claim::free(core)) };
    match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
        Ok(mut file) => {
            // The number is for those who wait; without one the lock holds all the same.
            let _ = file
                .set_len(0)
                .and_then(|()| file.rewind())
                .and_then(|()| file.write_all(std::process::id().to_string().as_bytes()));
            let file = Arc::new(file);
            held.retain(|_, file| file.strong_count() > 0);
            held.insert(key, Arc::downgrade(&file));
            Ok(Claim { _file: Some(file), ..Claim::free(core) })
        }
        Err((mut file, Errno::EAGAIN | Errno::EINTR)) => {
            let mut note = String::new();
            let _ = (&mut file).take(MAX_NOTE).read_to_string(&mut note);
            let holder = Holder(note.trim().parse().ok());
            if holder.0.is_some_and(is_ancestor) { Ok(Claim::free(core)) } else { Err(holder) }
        }
        // A file system without locks.
        Err(_) => Ok(Claim::free(core)),
    }
}

/// Whether this process descends from that one.
fn is_ancestor(pid: u32) -> bool {
    const DEEPEST: usize = 64;
    let mut at = u32::try_from(getppid().as_raw()).unwrap_or(0);
    for _ in 0..DEEPEST {
        if at == pid {
            return true;
        }
        if at <= 1 {
            return false;
        }
        // `pid (name) state ppid`, and the name may hold anything.
        let stat = fs::read_to_string(format!("/proc/{at}/stat")).unwrap_or_default();
        let parent = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1)?.parse().ok());
        at = parent.unwrap_or(0);
    }
    false
}

fn holds_any(directory: Option<&Path>) -> bool {
    let held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    held.iter().any(|((place, _), file)| Some(place.as_path()) == directory && file.strong_count() > 0)
}

/// Claims `core`, and waits for it as long as `patience` says. Then, or where this process holds another core, it is shared.
pub(super) fn one(core: usize, patience: &Patience) -> Claim {
    one_in(directory().as_deref(), core, patience)
}

fn one_in(directory: Option<&Path>, core: usize, patience: &Patience) -> Claim {
    wait(directory, patience, &format!("core {core}"), || attempt(directory, core))
        .unwrap_or_else(|holder| Claim { beside: Some(holder), ..Claim::free(core) })
}

/// Claims of all of `cores` that no other process measures on: keep one. Where none is free, waits for the first that is.
/// After that, all are shared.
pub(super) fn any(cores: &[usize], patience: &Patience) -> Vec<Claim> {
    any_in(directory().as_deref(), cores, patience)
}

fn any_in(directory: Option<&Path>, cores: &[usize], patience: &Patience) -> Vec<Claim> {
    let attempt_all = || {
        let (mut free, mut taken) = (Vec::new(), Vec::new());
        for core in cores {
            match attempt(directory, *core) {
                Ok(claim) => free.push(claim),
                Err(holder) => taken.push((*core, holder)),
            }
        }
        match taken.into_iter().next() {
            Some((_, holder)) if free.is_empty() => Err(holder),
            first => Ok((free, first)),
        }
    };
    match wait(directory, patience, "every core", attempt_all) {
        Ok((free, None)) => free,
        Ok((free, Some((core, holder)))) => {
            (patience.notice)(&format!("note: {holder} is measuring on core {core}; another core is taken"));
            free
        }
        Err(holder) => {
            cores.iter().map(|core| Claim { beside: Some(holder.clone()), ..Claim::free(*core) }).collect()
        }
    }
}

/// Claims of those of `cores` that are free at this moment.
pub(super) fn free_now(cores: &[usize]) -> Vec<Claim> {
    let directory = directory();
    cores.iter().filter_map(|core| attempt(directory.as_deref(), *core).ok()).collect()
}

fn wait<T>(
    directory: Option<&Path>,
    patience: &Patience,
    what: &str,
    mut attempt: impl FnMut() -> Result<T, Holder>,
) -> Result<T, Holder> {
    let start = Instant::now();
    let mut said = false;
    loop {
        let holder = match attempt() {
            Ok(got) => {
                if said {
                    let secs = start.elapsed().as_secs_f64();
                    (patience.notice)(&format!("note: it became free after {secs:.1} s"));
                }
                return Ok(got);
            }
            Err(holder) => holder,
        };
        let waited = start.elapsed();
        // Two threads of this process can miss one another's claim by a moment, which is no reason to share.
        let own = holder.0 == Some(std::process::id());
        if waited >= patience.limit || (holds_any(directory) && !own) {
            (patience.notice)(&format!(
                "note: {what} is being measured on by {holder}; after {:.1} s this run measures beside it",
                waited.as_secs_f64()
            ));
            return Err(holder);
        }
        if !said && waited >= SILENT {
            said = true;
            (patience.notice)(&format!(
                "note: {what} is being measured on by {holder}; waiting, at most {:.0} s",
                patience.limit.as_secs_f64()
            ));
        }
        thread::sleep(AGAIN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory of this test's own.
    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("fencepost-claim-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        /// The core as another process would hold it.
        fn held(&self, core: usize, by: u32) -> Flock<File> {
            let mut file = File::create(self.0.join(format!("core-{core}.lock"))).unwrap();
            file.write_all(by.to_string().as_bytes()).unwrap();
            Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|(_, errno)| errno).unwrap()
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    fn patience(millis: u64) -> Patience {
        Patience { limit: Duration::from_millis(millis), notice: |_| {} }
    }

    /// No process has this number.
    const NOBODY: u32 = u32::MAX - 7;

    #[test]
    fn a_core_that_another_holds_is_left_to_it() {
        let place = Place::new("other");
        let _other = place.held(0, NOBODY);
        let claims = any_in(Some(&place.0), &[0, 1, 2], &patience(0));
        assert_eq!(claims.iter().map(|claim| claim.core).collect::<Vec<_>>(), [1, 2]);
        assert!(claims.iter().all(|claim| claim.finding().is_none() && claim._file.is_some()));
    }

    #[test]
    fn a_wait_ends_when_the_core_is_free_and_at_its_limit() {
        let place = Place::new("wait");
        let other = place.held(0, NOBODY);
        let shared = one_in(Some(&place.0), 0, &patience(50));
        let finding = shared.finding().expect("shared");
        assert!(finding.value.contains(&format!("process {NOBODY} is measuring on CPU 0")), "{finding:?}");
        let all = any_in(Some(&place.0), &[0], &patience(0));
        assert!(all.len() == 1 && all[0].finding().is_some());
        let path = place.0.clone();
        let waiting = thread::spawn(move || one_in(Some(&path), 0, &patience(20_000)).finding().is_none());
        thread::sleep(Duration::from_millis(60));
        drop(other);
        assert!(waiting.join().unwrap(), "had alone");
    }

    #[test]
    fn labs_of_one_process_share_and_the_last_one_lets_go() {
        let place = Place::new("own");
        let first = one_in(Some(&place.0), 3, &patience(0));
        let second = one_in(Some(&place.0), 3, &patience(0));
        assert!(first.finding().is_none() && second.finding().is_none());
        drop(first);
        assert_eq!(fs::read_to_string(place.0.join("core-3.lock")).unwrap(), std::process::id().to_string());
        let probe = || {
            let file = OpenOptions::new().read(true).open(place.0.join("core-3.lock")).unwrap();
            Flock::lock(file, FlockArg::LockExclusiveNonblock).is_ok()
        };
        assert!(!probe(), "held by the second");
        drop(second);
        assert!(probe(), "free");
    }

    #[test]
    fn who_holds_a_core_waits_for_no_other() {
        let place = Place::new("hold");
        let _other = place.held(1, NOBODY);
        let _mine = one_in(Some(&place.0), 0, &patience(0));
        let begun = Instant::now();
        assert!(one_in(Some(&place.0), 1, &patience(60_000)).finding().is_some());
        assert!(begun.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn what_an_ancestor_holds_its_child_may_use() {
        let place = Place::new("ancestor");
        let parent = u32::try_from(getppid().as_raw()).unwrap();
        let _held = place.held(0, parent);
        assert!(attempt(Some(&place.0), 0).is_ok());
        assert!(!is_ancestor(std::process::id()) && !is_ancestor(NOBODY));
    }

    #[test]
    fn without_a_place_for_locks_cores_are_used_as_ever() {
        assert!(attempt(None, 0).is_ok());
        assert!(attempt(Some(Path::new("/nowhere/at/all")), 0).is_ok());
    }
}
