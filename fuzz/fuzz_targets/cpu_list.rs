//! Is a kernel's CPU list read as what it says, and nothing else taken for one?

#![no_main]

use fencepost::machine::parse_cpu_list;
use libfuzzer_sys::fuzz_target;

/// A list of more ranges than this is only slow.
const LONGEST: usize = 256;

fuzz_target!(|bytes: &[u8]| {
    let bytes = &bytes[..bytes.len().min(LONGEST)];
    let text = String::from_utf8_lossy(bytes);
    let Some(cpus) = parse_cpu_list(&text) else { return };
    assert!(cpus.is_sorted_by(|one, next| one < next), "{text:?} is not in ascending order: {cpus:?}");
    // Every number of a range is named by its ends, so the ends that the text has are in the list.
    for end in text.split([',', '-']).filter_map(|number| number.trim().parse::<usize>().ok()) {
        assert!(cpus.binary_search(&end).is_ok(), "{text:?} names {end}");
    }
    // Written as the kernel does, it reads the same.
    let written = cpus.chunk_by(|one, next| one + 1 == *next).map(|run| match run {
        [one] => one.to_string(),
        run => format!("{}-{}", run[0], run[run.len() - 1]),
    });
    let written = written.collect::<Vec<_>>().join(",");
    assert_eq!(parse_cpu_list(&format!("{written}\n")), Some(cpus), "{text:?} written as {written:?}");
});
