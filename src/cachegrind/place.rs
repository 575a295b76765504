//! Where do the profiles of a benchmark lie? One directory a benchmark under the target directory, with the last run's as `.old`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::baseline::target_directory;
use crate::error::{Error, ErrorKind, Result};
use crate::record::inert;

/// What callgrind writes, and of which the dumps have numbers behind it.
pub(super) const CALLGRIND: &str = "callgrind.out";
/// What cachegrind writes.
pub(super) const CACHEGRIND: &str = "cachegrind.out";
/// Of the process that had the harness around nothing.
pub(super) const CACHEGRIND_EMPTY: &str = "cachegrind.empty.out";
/// What Valgrind says of the run.
pub(super) const LOG: &str = "valgrind.log";
/// What the benchmark printed.
pub(super) const OUTPUT: &str = "output.log";

/// The directory for the profiles of a bench target.
pub fn profiles(program: &Path) -> PathBuf {
    target_directory().join("fencepost").join("cachegrind").join(target_name(program))
}

/// The bench target's name: the file's without the hash that Cargo puts behind it.
fn target_name(program: &Path) -> String {
    let name = program.file_stem().unwrap_or_default().to_string_lossy();
    let stem = match name.rsplit_once('-') {
        Some((stem, hash)) if hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => stem,
        _ => &name,
    };
    safe_name(stem)
}

/// A directory name for an id: letters, digits, `_` and `-` stay, slashes become `.`, all else `_`. Where that could make two ids the
/// same, or the name is too long, a hash of the id follows.
///
/// ```
/// use fencepost::cachegrind::safe_name;
/// assert_eq!(safe_name("bit_mix/latency"), "bit_mix.latency");
/// assert!(safe_name("../x").starts_with("____x-"));
/// ```
pub fn safe_name(id: &str) -> String {
    const LONGEST: usize = 100;
    let stays = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let plain = !id.is_empty()
        && id.len() <= LONGEST
        && id.chars().all(|c| c == '/' || stays(c))
        && !id.starts_with(['/', '-'])
        && !id.ends_with('/')
        && !id.contains("//");
    if plain {
        return id.replace('/', ".");
    }
    let readable: String = id.chars().take(LONGEST).map(|c| if stays(c) { c } else { '_' }).collect();
    format!("_{readable}-{}", key(id))
}

/// What stands for an id where its length must not matter: 16 hexadecimal digits.
pub(crate) fn key(id: &str) -> String {
    format!("{:016x}", hash(id))
}

/// FNV-1a, the same for ever: names must not change with the compiler.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// An error of this directory.
pub(super) fn refused(what: &str, path: &Path, error: io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("cannot {what} {}: {error}", inert(&path.to_string_lossy())))
        .because("the profiles of counted runs are kept there")
        .remedy("make room or change its permissions, or set CARGO_TARGET_DIR to another place")
        .caused_by(error)
}

/// Makes the directory ready for a run: what the last run left under `names` becomes `.old`, and unfinished files go.
pub(super) fn make_ready(directory: &Path, names: &[&str]) -> Result<()> {
    fs::create_dir_all(directory).map_err(|error| refused("create", directory, error))?;
    for name in names {
        let path = directory.join(name);
        if path.exists() {
            let old = directory.join(format!("{name}.old"));
            fs::rename(&path, &old).map_err(|error| refused("rename", &path, error))?;
        }
    }
    remove_parts(directory)
}

/// Removes numbered dumps, which are of one run only.
pub(super) fn remove_parts(directory: &Path) -> Result<()> {
    for path in parts(directory)? {
        fs::remove_file(&path).map_err(|error| refused("remove", &path, error))?;
    }
    Ok(())
}

/// The numbered dumps, in order.
pub(super) fn parts(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(directory).map_err(|error| refused("list", directory, error))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| refused("list", directory, error))?.path();
        let number = path
            .file_name()
            .and_then(|name| name.to_str())
            .and_then(|name| name.strip_prefix(CALLGRIND)?.strip_prefix('.')?.parse::<u32>().ok());
        found.extend(number.map(|number| (number, path)));
    }
    found.sort_unstable();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_readable_apart_and_inside_their_directory() {
        let odd =
            ["", ".", "..", "../x", "a b", "a_b", "a//b", "a/b", "/", "-x", "größe", "a\u{0}", "a.b", "x/.."];
        let long = "n".repeat(5000);
        let mut names: Vec<String> = odd.iter().map(|id| safe_name(id)).collect();
        names.push(safe_name(&long));
        names.push(safe_name(&format!("{long}m")));
        for name in &names {
            assert!(!name.is_empty() && name.len() < 128 && !name.starts_with(['.', '-']), "{name}");
            assert!(
                name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte)),
                "{name}"
            );
        }
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn the_hash_behind_a_bench_target_is_taken_off() {
        assert_eq!(target_name(Path::new("/t/release/deps/bit_mix-0123456789abcdef")), "bit_mix");
        assert_eq!(target_name(Path::new("/t/my-bench")), "my-bench");
    }
}
