//! From where does everything known of a machine come? CPUID, and files below /proc and /sys, both behind traits, so that recorded
//! machines answer in place of real ones.

use std::io;

use raw_cpuid::{CpuIdReader, CpuIdReaderNative, CpuIdResult};

/// Where CPUID answers come from. The crate `raw-cpuid` reads whatever implements its own trait; this is that trait's
/// object-safe shape.
pub trait Cpuid {
    /// The registers EAX, EBX, ECX and EDX for this leaf and subleaf; zeros for one that is not there.
    fn leaf(&self, leaf: u32, subleaf: u32) -> [u32; 4];
}

/// The CPU that this thread runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct NativeCpuid;

impl Cpuid for NativeCpuid {
    fn leaf(&self, leaf: u32, subleaf: u32) -> [u32; 4] {
        let CpuIdResult { eax, ebx, ecx, edx } = CpuIdReaderNative.cpuid2(leaf, subleaf);
        [eax, ebx, ecx, edx]
    }
}

/// Hands a [`Cpuid`] to `raw-cpuid`.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a>(pub(super) &'a dyn Cpuid);

impl CpuIdReader for Reader<'_> {
    fn cpuid2(&self, leaf: u32, subleaf: u32) -> CpuIdResult {
        let [eax, ebx, mut ecx, edx] = self.0.leaf(leaf, subleaf);
        if matches!(leaf, 4 | 0x8000_001d) {
            // The number of sets less one, to which `raw-cpuid` adds one unchecked.
            ecx = ecx.min(u32::MAX - 1);
        }
        CpuIdResult { eax, ebx, ecx, edx }
    }
}

/// Where the text of files below /proc and /sys comes from.
pub trait Files {
    /// The text of the file at this absolute path.
    ///
    /// # Errors
    ///
    /// `NotFound` if there is none, and whatever else the system says.
    fn read(&self, path: &str) -> io::Result<String>;
}

/// The files of the running system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemFiles;

impl Files for SystemFiles {
    fn read(&self, path: &str) -> io::Result<String> {
        std::fs::read_to_string(path)
    }
}

/// The text of a file without the white space around it; `None` where it cannot be read or is empty.
pub(super) fn text(files: &dyn Files, path: &str) -> Option<String> {
    let text = files.read(path).ok()?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// A file that holds one number.
pub(super) fn number<T: std::str::FromStr>(files: &dyn Files, path: &str) -> Option<T> {
    text(files, path)?.parse().ok()
}
