//! What did that machine answer? CPUID leaves and files of a machine, taken down once and replayed anywhere.

use std::cell::RefCell;
use std::io;

use serde_json::{Map, Value};

use super::Machine;
use super::sources::{Cpuid, Files, NativeCpuid, SystemFiles};
use crate::error::{Error, ErrorKind, Result};

/// A recorded machine: the CPUID answers and the files that describe it.
///
/// As JSON: `{"cpuid": {"0x1:0x0": ["0xc06f2", ...]}, "files": {"/proc/...": "text"}}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// In order of their keys, as the files, each once.
    leaves: Vec<((u32, u32), [u32; 4])>,
    files: Vec<(String, String)>,
}

impl Cpuid for Recording {
    fn leaf(&self, leaf: u32, subleaf: u32) -> [u32; 4] {
        self.leaves
            .iter()
            .find(|(key, _)| *key == (leaf, subleaf))
            .map(|(_, answer)| *answer)
            .unwrap_or_default()
    }
}

impl Files for Recording {
    fn read(&self, path: &str) -> io::Result<String> {
        self.files
            .iter()
            .find(|(own, _)| own == path)
            .map(|(_, text)| text.clone())
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// Remembers what passes through.
struct Tap {
    recording: RefCell<Recording>,
}

impl Cpuid for Tap {
    fn leaf(&self, leaf: u32, subleaf: u32) -> [u32; 4] {
        let answer = NativeCpuid.leaf(leaf, subleaf);
        put(&mut self.recording.borrow_mut().leaves, (leaf, subleaf), answer);
        answer
    }
}

impl Files for Tap {
    fn read(&self, path: &str) -> io::Result<String> {
        let mut text = SystemFiles.read(path)?;
        if path == "/proc/stat" {
            // Of some hundred kilobytes on a large machine, most of them counts of interrupts, only these lines are looked at.
            text =
                text.lines().filter(|line| line.starts_with("cpu")).map(|line| format!("{line}\n")).collect();
        }
        put(&mut self.recording.borrow_mut().files, path.to_owned(), text.clone());
        Ok(text)
    }
}

impl Recording {
    /// Takes down this machine: every leaf and file that describing it asks for, and no other.
    pub fn capture() -> Self {
        let tap = Tap { recording: RefCell::default() };
        let _ = Machine::from_sources(&tap, &tap);
        tap.recording.into_inner()
    }

    /// Adds or replaces a CPUID answer.
    #[must_use]
    pub fn with_leaf(mut self, leaf: u32, subleaf: u32, registers: [u32; 4]) -> Self {
        put(&mut self.leaves, (leaf, subleaf), registers);
        self
    }

    /// Adds or replaces a file.
    #[must_use]
    pub fn with_file(mut self, path: &str, text: &str) -> Self {
        put(&mut self.files, path.to_owned(), text.to_owned());
        self
    }

    /// The machine that was recorded.
    pub fn machine(&self) -> Machine {
        Machine::from_sources(self, self)
    }

    /// As JSON.
    pub fn to_json(&self) -> String {
        let leaves: Map<String, Value> = self
            .leaves
            .iter()
            .map(|((leaf, subleaf), registers)| {
                (
                    format!("{leaf:#x}:{subleaf:#x}"),
                    registers.map(|value| Value::from(format!("{value:#x}"))).to_vec().into(),
                )
            })
            .collect();
        let files: Map<String, Value> =
            self.files.iter().map(|(path, text)| (path.clone(), Value::from(text.as_str()))).collect();
        Value::from(Map::from_iter([("cpuid".to_owned(), leaves.into()), ("files".to_owned(), files.into())]))
            .to_string()
    }

    /// From JSON.
    ///
    /// # Errors
    ///
    /// `Input`, with the place, where the text is no recording.
    pub fn from_json(text: &str) -> Result<Self> {
        let damaged = |what: String| {
            Error::new(ErrorKind::Input, format!("this is no recorded machine: {what}"))
                .remedy("take it down again with Recording::capture, or mend the entry")
        };
        let value: Value =
            serde_json::from_str(text).map_err(|error| damaged(error.to_string()).caused_by(error))?;
        let part = |name: &str| {
            value.get(name).and_then(Value::as_object).ok_or_else(|| damaged(format!("{name} is no object")))
        };
        let mut recording = Self::default();
        for (name, registers) in part("cpuid")? {
            let key = name.split_once(':').and_then(|(leaf, subleaf)| Some((hex(leaf)?, hex(subleaf)?)));
            let key =
                key.ok_or_else(|| damaged(format!("cpuid entry {name:?} is not leaf:subleaf in hex")))?;
            let registers: Option<Vec<u32>> = registers
                .as_array()
                .map(|list| list.iter().filter_map(|one| one.as_str().and_then(hex)).collect());
            let registers = registers
                .and_then(|list| <[u32; 4]>::try_from(list).ok())
                .ok_or_else(|| damaged(format!("cpuid entry {name:?} has not four registers in hex")))?;
            put(&mut recording.leaves, key, registers);
        }
        for (path, text) in part("files")? {
            let text = text.as_str().ok_or_else(|| damaged(format!("file {path:?} is no text")))?;
            put(&mut recording.files, path.clone(), text.to_owned());
        }
        Ok(recording)
    }
}

/// Keeps `entries` in the order of their keys, each once.
fn put<K: Ord, T>(entries: &mut Vec<(K, T)>, key: K, value: T) {
    let at = entries.iter().position(|(own, _)| *own >= key).unwrap_or(entries.len());
    match entries.get_mut(at) {
        Some(same) if same.0 == key => same.1 = value,
        _ => entries.insert(at, (key, value)),
    }
}

fn hex(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_the_same_when_it_is_replayed() {
        let recording = Recording::capture();
        let back = Recording::from_json(&recording.to_json()).unwrap();
        assert_eq!(back, recording);
        let (live, replayed) = (Machine::detect(), back.machine());
        assert_eq!(live.identity(), replayed.identity());
        assert_eq!(live.caches(), replayed.caches());
        assert_eq!(live.microarchitecture(), replayed.microarchitecture());
    }

    #[test]
    fn damage_is_named() {
        for (text, words) in [
            ("", "EOF"),
            ("[]", "cpuid is no object"),
            (r#"{"cpuid":{"1":["0x1","0x2","0x3","0x4"]},"files":{}}"#, "\"1\" is not leaf:subleaf"),
            (r#"{"cpuid":{"0x1:0x0":["0x1"]},"files":{}}"#, "has not four registers"),
            (r#"{"cpuid":{},"files":{"/proc/stat":3}}"#, "is no text"),
        ] {
            let error = Recording::from_json(text).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Input);
            assert!(error.to_string().contains(words), "{error} lacks {words:?}");
        }
    }
}
