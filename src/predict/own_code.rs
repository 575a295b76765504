//! Which bytes are a function of this very process? Those from its entry to the end of its symbol, or of what is mapped there.
//!
//! They are read through `/proc/self/mem`: the kernel checks each address, so a wrong one is an error and no fault.

#![forbid(unsafe_code)]

use std::fs::{File, read_to_string};
use std::os::unix::fs::FileExt;

use super::symbols::Symbols;
use crate::error::{Error, ErrorKind, Result};

/// More than this is not read of a function whose end is not known.
const MOST_BYTES: u64 = 64 << 10;

/// The bytes of one function, and where they lie.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Code {
    /// The address of the first byte.
    pub address: u64,
    /// The bytes, to the end of the function where that is known.
    pub bytes: Vec<u8>,
    /// The function's name, where the program's symbols tell it.
    pub symbol: Option<String>,
}

impl Code {
    /// The address behind the last byte.
    pub fn end(&self) -> u64 {
        self.address.saturating_add(self.bytes.len() as u64)
    }

    /// Whether `address` is one of these bytes.
    pub fn holds(&self, address: u64) -> bool {
        (self.address..self.end()).contains(&address)
    }

    /// The bytes from `address` on; none where it lies outside.
    pub fn from(&self, address: u64) -> &[u8] {
        address
            .checked_sub(self.address)
            .and_then(|at| usize::try_from(at).ok())
            .and_then(|at| self.bytes.get(at..))
            .unwrap_or_default()
    }
}

/// The code of this process that begins at `entry`: to the end of its symbol where one is known, else to the end of what is mapped
/// there, and never more than 64 KiB.
///
/// # Errors
///
/// `CannotMeasure` where nothing executable is mapped at `entry` or `/proc` cannot be read.
pub fn own_code(entry: u64) -> Result<Code> {
    let unreadable = |error: std::io::Error| {
        Error::new(ErrorKind::CannotMeasure, format!("the code at {entry:#x} cannot be read: {error}"))
            .because("without it there is no telling what was timed")
            .remedy("run where /proc is mounted and /proc/self/mem may be read")
            .caused_by(error)
    };
    let maps = read_to_string("/proc/self/maps").map_err(unreadable)?;
    let map = maps.lines().filter_map(Mapping::read).find(|map| map.start <= entry && entry < map.end);
    let map = map.filter(|map| map.executable).ok_or_else(|| {
        Error::new(ErrorKind::CannotMeasure, format!("no code is mapped at {entry:#x}"))
            .because("what was timed is decoded from its address")
            .remedy("give the address of a function of this process")
    })?;
    let symbol = Symbols::own().at(entry.wrapping_sub(map.bias()), &map.path);
    let size = symbol.as_ref().map_or(MOST_BYTES, |symbol| symbol.size).min(MOST_BYTES);
    let length = size.min(map.end - entry);
    let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
    let memory = File::open("/proc/self/mem").map_err(unreadable)?;
    memory.read_exact_at(&mut bytes, entry).map_err(unreadable)?;
    Ok(Code { address: entry, bytes, symbol: symbol.map(|symbol| symbol.name) })
}

/// The name of the function that begins at `entry`, where the program's symbols tell it.
pub(super) fn name_at(entry: u64) -> Option<String> {
    let maps = read_to_string("/proc/self/maps").ok()?;
    let map = maps
        .lines()
        .filter_map(Mapping::read)
        .find(|map| map.start <= entry && entry < map.end && map.executable)?;
    Some(Symbols::own().at(entry.wrapping_sub(map.bias()), &map.path)?.name)
}

/// The pointer that lies at `address` of this process.
pub(super) fn pointer_at(address: u64) -> Option<u64> {
    let mut bytes = [0; 8];
    File::open("/proc/self/mem").ok()?.read_exact_at(&mut bytes, address).ok()?;
    Some(u64::from_le_bytes(bytes))
}

/// One line of `/proc/self/maps`.
struct Mapping {
    start: u64,
    end: u64,
    executable: bool,
    offset: u64,
    path: String,
}

impl Mapping {
    /// `start-end perms offset device inode path`, see proc(5).
    fn read(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let permissions = words.next()?;
        let offset = words.next()?;
        let hex = |digits: &str| u64::from_str_radix(digits, 16).ok();
        Some(Self {
            start: hex(start)?,
            end: hex(end)?,
            executable: permissions.as_bytes().get(2) == Some(&b'x'),
            offset: hex(offset)?,
            path: words.nth(2).unwrap_or_default().to_owned(),
        })
    }

    /// What has to be taken off an address to come to its offset in the file.
    fn bias(&self) -> u64 {
        self.start.wrapping_sub(self.offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[inline(never)]
    fn something(x: u64) -> u64 {
        std::hint::black_box(x) * 3
    }

    #[test]
    fn a_function_is_read_from_its_entry() {
        let entry = something as fn(u64) -> u64 as usize as u64;
        let code = own_code(entry).unwrap();
        assert_eq!(code.address, entry);
        assert!(!code.bytes.is_empty() && code.bytes.len() <= 64 << 10);
        assert_eq!(code.from(entry).len(), code.bytes.len());
        assert!(code.from(entry - 1).is_empty() && code.from(code.end()).is_empty());
        if let Some(symbol) = &code.symbol {
            assert!(symbol.contains("something"), "{symbol}");
            assert!(code.bytes.len() < 4096, "a symbol bounds it");
        }
    }

    #[test]
    fn data_and_nothing_are_refused() {
        let data = 5u64;
        for entry in [0, 1, u64::MAX, &raw const data as u64] {
            assert_eq!(own_code(entry).unwrap_err().kind(), ErrorKind::CannotMeasure, "{entry:#x}");
        }
    }
}
