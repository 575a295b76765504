//! Does any machine, whatever its CPUID and its files say, make the description panic or come back changed?

#![no_main]

use std::sync::LazyLock;

use fencepost::machine::Recording;
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

/// Machines to begin with: two kinds of core, bare metal, two hypervisors.
static MACHINES: LazyLock<Vec<(Recording, Value)>> = LazyLock::new(|| {
    let texts = [
        include_str!("../../tests/data/machines/alder-lake-p.json"),
        include_str!("../../tests/data/machines/zen3.json"),
        include_str!("../../tests/data/machines/kvm-zen3.json"),
        include_str!("../../tests/data/machines/vmware-skylake-sp.json"),
    ];
    let recorded = |text| {
        let value = serde_json::from_str(text).expect("a recorded machine is JSON");
        (Recording::from_json(text).expect("a recorded machine is a recording"), value)
    };
    texts.into_iter().map(recorded).collect()
});

/// A recorded machine with as many other answers as the input has bytes for.
fn mutant(input: &mut Unstructured<'_>) -> Result<Recording> {
    let (mut recording, names) = input.choose(&MACHINES).cloned()?;
    let keys = |part: &str| -> Vec<String> {
        names[part].as_object().map(|entries| entries.keys().cloned().collect()).unwrap_or_default()
    };
    let (leaves, files) = (keys("cpuid"), keys("files"));
    let hex = |text: &str| u32::from_str_radix(text.trim_start_matches("0x"), 16).unwrap_or_default();
    while !input.is_empty() {
        recording = if input.arbitrary()? {
            let (leaf, subleaf) = input.choose(&leaves)?.split_once(':').unwrap_or_default();
            let subleaf = hex(subleaf).wrapping_add(input.int_in_range(0..=2)?);
            recording.with_leaf(hex(leaf), subleaf, input.arbitrary()?)
        } else {
            recording.with_file(input.choose(&files)?, &odd_file(input)?)
        };
    }
    Ok(recording)
}

/// What a small file of the kernel may say, or a broken one.
fn odd_file(input: &mut Unstructured<'_>) -> Result<String> {
    const PARTS: [&str; 14] = [
        "0",
        "7",
        "63",
        "65535",
        "18446744073709551616",
        "-",
        ",",
        " ",
        "\n",
        "K",
        "cpu",
        "Y",
        "\u{1b}[2J",
        "é",
    ];
    let mut text = String::new();
    for _ in 0..input.int_in_range(0..=6)? {
        text.push_str(input.choose(&PARTS)?);
    }
    Ok(text)
}

/// Asks the machine all that there is to ask.
fn describe(recording: &Recording) {
    let machine = recording.machine();
    let _ = (machine.identity(), machine.microarchitecture(), machine.name(), machine.issue_width());
    let _ = (machine.imul_latency(), machine.has_rdtscp(), machine.has_rdpru(), machine.lfence());
    let _ = (machine.hypervisor(), machine.is_guest(), machine.is_hybrid(), machine.host());
    if let Err(error) = machine.invariant_tsc() {
        assert!(error.to_string().contains("invariant"), "{error}");
    }
    for frequency in machine.tsc_frequencies() {
        let hertz = frequency.hertz.0;
        assert!(hertz.is_finite() && hertz > 0.0, "{} says {hertz} Hz", frequency.source);
    }
    assert!(machine.caches().is_sorted_by_key(|cache| cache.level), "{:?}", machine.caches());
    let online = &machine.host().online;
    for cpu in online.iter().copied().take(4).chain([usize::MAX]) {
        let _ = (machine.core_type(cpu), machine.steal(cpu), machine.host().policy(cpu));
        assert!(!machine.host().siblings_of(cpu).contains(&cpu), "CPU {cpu} is its own sibling");
        for finding in machine.findings(cpu) {
            assert!(
                !finding.id.is_empty() && !finding.effect.is_empty(),
                "a finding says what it is: {finding:?}"
            );
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    // A leading zero begins no JSON: what follows are other answers of a machine, else it is the text of one.
    let recording = match bytes.split_first() {
        Some((0, edits)) => mutant(&mut Unstructured::new(edits)).ok(),
        _ => Recording::from_json(&String::from_utf8_lossy(bytes)).ok(),
    };
    let Some(recording) = recording else { return };
    let written = recording.to_json();
    match Recording::from_json(&written) {
        Ok(back) => assert_eq!(back, recording, "a recording changed on its way through JSON"),
        Err(error) => panic!("own output is refused: {error}\n{written}"),
    }
    describe(&recording);
});
