//! Which memory and string routines of the C library does what was counted go through? They choose their variant by the CPU that they
//! see, which under Valgrind is another.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

/// How the names of such routines begin, underscores left out.
const ROUTINES: [&str; 14] = [
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "memchr",
    "memrchr",
    "memmem",
    "bcmp",
    "strlen",
    "strcmp",
    "strncmp",
    "strchr",
    "strcpy",
    "rawmemchr",
];

/// Their names in a profile of callgrind, such as `__memcpy_avx_unaligned_erms`; none where it cannot be read.
pub(super) fn library_routines(profile: &Path) -> Vec<String> {
    let Ok(file) = File::open(profile) else { return Vec::new() };
    let lines = BufReader::new(file).split(b'\n').map_while(Result::ok);
    let found: BTreeSet<String> = lines.filter_map(|line| routine(&String::from_utf8_lossy(&line))).collect();
    found.into_iter().collect()
}

/// The routine that a line of a profile names.
fn routine(line: &str) -> Option<String> {
    let named = line.strip_prefix("fn=(").or_else(|| line.strip_prefix("cfn=("))?;
    let (_, name) = named.split_once(") ")?;
    // Versions stand behind the name: memcpy@@GLIBC_2.14.
    let name = name.split('@').next()?.trim();
    let is_c = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let plain = name.trim_start_matches('_');
    (is_c && ROUTINES.iter().any(|known| plain.starts_with(known))).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routines_are_told_from_what_is_only_called_alike() {
        assert_eq!(
            routine("cfn=(1028) __memcpy_avx_unaligned_erms").as_deref(),
            Some("__memcpy_avx_unaligned_erms")
        );
        assert_eq!(routine("fn=(3) memset@@GLIBC_2.2.5").as_deref(), Some("memset"));
        for other in
            ["fn=(1028)", "fn=(7) memchr::memchr::fallback", "fn=(8) malloc", "fl=(2) memcpy.c", "0 12"]
        {
            assert_eq!(routine(other), None, "{other}");
        }
        assert!(library_routines(Path::new("/nowhere")).is_empty());
    }
}
