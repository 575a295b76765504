//! Where is the target directory of the project that is being measured?

use std::env;
use std::path::{Path, PathBuf};

/// The target directory: `CARGO_TARGET_DIR` if it is set, else the one that holds the running executable, else `target`
/// under the current directory. It need not exist.
///
/// A relative `CARGO_TARGET_DIR` is relative to where Cargo was called, which a bench does not know: where the running
/// executable lies in a target directory that ends like it, that one is meant.
pub fn target_directory() -> PathBuf {
    let told = env::var_os("CARGO_TARGET_DIR").filter(|told| !told.is_empty()).map(PathBuf::from);
    chosen(told.as_deref(), env::current_exe().ok().as_deref())
}

fn chosen(told: Option<&Path>, executable: Option<&Path>) -> PathBuf {
    let around = executable.and_then(around);
    match (told, around) {
        (Some(told), Some(around)) if told.is_relative() && around.ends_with(clean(told)) => around,
        (Some(told), _) => told.to_owned(),
        (None, Some(around)) => around,
        (None, None) => PathBuf::from("target"),
    }
}

/// Without the leading `./`, which no path ends with.
fn clean(path: &Path) -> &Path {
    path.strip_prefix(".").unwrap_or(path)
}

/// The directory that Cargo marked as a cache around an executable, else the one in which `PROFILE/deps` is.
fn around(executable: &Path) -> Option<PathBuf> {
    let marked = executable.ancestors().skip(1).find(|ancestor| ancestor.join("CACHEDIR.TAG").is_file());
    let marked = marked.filter(|marked| executable.strip_prefix(marked).is_ok_and(is_build_path));
    let by_name = || {
        let deps = executable.parent().filter(|parent| parent.ends_with("deps"))?;
        deps.parent()?.parent()
    };
    marked.or_else(by_name).map(Path::to_owned)
}

/// Whether Cargo puts executables there: `PROFILE/NAME` at least, and no deeper than `TRIPLE/PROFILE/deps/NAME`. A mark far
/// above is some other cache's.
fn is_build_path(inside: &Path) -> bool {
    (2..=4).contains(&inside.components().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_comes_first_then_the_executable_then_the_current_directory() {
        let exe = Path::new("/nowhere/p/build/out/release/deps/bit_mix-0a1b");
        let chosen = |told: Option<&str>, exe| super::chosen(told.map(Path::new), exe);
        assert_eq!(chosen(Some("/t"), Some(exe)), Path::new("/t"));
        assert_eq!(chosen(None, Some(exe)), Path::new("/nowhere/p/build/out"));
        assert_eq!(chosen(Some("./build/out"), Some(exe)), Path::new("/nowhere/p/build/out"));
        assert_eq!(chosen(Some("elsewhere"), Some(exe)), Path::new("elsewhere"));
        assert_eq!(chosen(None, Some(Path::new("/usr/bin/tool"))), Path::new("target"));
        assert_eq!(chosen(None, None), Path::new("target"));
    }

    #[test]
    fn this_test_runs_out_of_a_target_directory() {
        let exe = env::current_exe().unwrap();
        let around = around(&exe).expect("Cargo built this test");
        assert!(exe.starts_with(&around) && exe.parent().unwrap().parent().unwrap().starts_with(&around));
    }
}
