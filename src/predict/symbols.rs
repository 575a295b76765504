//! Which function lies at an offset of the running program? By the symbol table of `/proc/self/exe`, read once.

#![forbid(unsafe_code)]

use std::path::Path;
use std::sync::OnceLock;

use object::{Object, ObjectSegment, ObjectSymbol, SymbolKind};

/// A function by name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Symbol {
    pub(super) name: String,
    /// Bytes from the address that was asked for to the function's end.
    pub(super) size: u64,
}

/// Functions by their offset in the file.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    path: String,
    /// (offset, size, name), by offset.
    functions: Vec<(u64, u64, String)>,
}

impl Symbols {
    /// Those of the running program; none where it was stripped or cannot be read.
    pub(super) fn own() -> &'static Self {
        static OWN: OnceLock<Symbols> = OnceLock::new();
        OWN.get_or_init(|| Self::read(Path::new("/proc/self/exe")).unwrap_or_default())
    }

    fn read(path: &Path) -> Option<Self> {
        let name = std::fs::read_link(path).ok()?.to_string_lossy().into_owned();
        let bytes = std::fs::read(path).ok()?;
        let file = object::File::parse(&*bytes).ok()?;
        let segments: Vec<(u64, u64, u64)> = file
            .segments()
            .map(|segment| (segment.address(), segment.size(), segment.file_range().0))
            .collect();
        let offset = |address: u64| {
            let (start, _, offset) =
                segments.iter().find(|(start, size, _)| address >= *start && address - start < *size)?;
            Some(address - start + offset)
        };
        let mut functions: Vec<(u64, u64, String)> = file
            .symbols()
            .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0)
            .filter_map(|symbol| {
                Some((offset(symbol.address())?, symbol.size(), symbol.name().ok()?.to_owned()))
            })
            .collect();
        functions.sort();
        Some(Self { path: name, functions })
    }

    /// The function that holds `offset` of the file `path`.
    pub(super) fn at(&self, offset: u64, path: &str) -> Option<Symbol> {
        if self.path != path {
            return None;
        }
        let after = self.functions.partition_point(|(start, ..)| *start <= offset);
        let (start, size, name) = self.functions.get(after.checked_sub(1)?)?;
        let inside = offset - start;
        (inside < *size).then(|| Symbol { name: plain(name), size: size - inside })
    }
}

/// A mangled name as it was written, without its hash; anything else as it is.
///
/// Rust's older mangling is that of C++ for nested names: `_ZN` , a length and so many characters for each part, `E`.
pub(super) fn plain(name: &str) -> String {
    let parts = || {
        let mut rest = name.strip_prefix("_ZN")?;
        let mut parts: Vec<&str> = Vec::new();
        while !rest.starts_with('E') {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let length: usize = rest.get(..digits)?.parse().ok()?;
            parts.push(rest.get(digits..digits + length)?);
            rest = rest.get(digits + length..)?;
        }
        let is_hash = |part: &&str| {
            part.len() == 17
                && part.starts_with('h')
                && part[1..].bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        if parts.last().is_some_and(is_hash) {
            parts.pop();
        }
        Some(parts.join("::"))
    };
    let Some(joined) = parts().filter(|joined| !joined.is_empty()) else { return name.to_owned() };
    let escapes = [
        ("$LT$", "<"),
        ("$GT$", ">"),
        ("$LP$", "("),
        ("$RP$", ")"),
        ("$RF$", "&"),
        ("$BP$", "*"),
        ("$C$", ","),
        ("$u20$", " "),
        ("$u7b$", "{"),
        ("$u7d$", "}"),
        ("..", "::"),
    ];
    escapes.iter().fold(joined, |text, (escape, meant)| text.replace(escape, meant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_mangling_and_their_hash() {
        assert_eq!(
            plain("_ZN9fencepost7harness7latency5timed17h0123456789abcdefE"),
            "fencepost::harness::latency::timed"
        );
        assert_eq!(plain("_ZN4main28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE"), "main::_{{closure}}");
        for odd in ["memcpy", "_ZN", "_ZN9fence", "_ZN99999999999999999999x", "_ZNE", "_ZN3\u{e9}\u{e9}E", ""]
        {
            assert_eq!(plain(odd), odd);
        }
    }

    #[test]
    fn what_lies_in_no_function_has_no_name() {
        let symbols =
            Symbols { path: "p".into(), functions: vec![(16, 4, "one".into()), (32, 8, "two".into())] };
        assert_eq!(symbols.at(15, "p"), None);
        assert_eq!(symbols.at(18, "p"), Some(Symbol { name: "one".into(), size: 2 }));
        assert_eq!(symbols.at(20, "p"), None);
        assert_eq!(symbols.at(39, "p").unwrap().size, 1);
        assert_eq!(symbols.at(40, "p"), None);
        assert_eq!(symbols.at(32, "another"), None);
    }
}
