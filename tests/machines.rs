//! Are recorded machines described as what they are? Each recording under `tests/data/machines` stands for a kind of computer: CPUID
//! leaves and files as such a machine has them, written from published dumps and manuals or taken down.

use std::path::Path;

use fencepost::machine::{CoreType, Lfence, Machine, Recording};

struct Expected {
    file: &'static str,
    vendor: &'static str,
    family_model_stepping: (u8, u8, u8),
    microarchitecture: &'static str,
    product: &'static str,
    llvm: &'static str,
    width: Option<u8>,
    invariant: bool,
    rdtscp: bool,
    rdpru: bool,
    lfence: Lfence,
    /// By the most exact source, in MHz.
    tsc_mhz: Option<f64>,
    hypervisor: Option<&'static str>,
    /// Data caches in KiB, nearest first.
    data_kib: &'static [u64],
    /// Of CPU 0.
    siblings: &'static [usize],
    findings: &'static [&'static str],
}

const MACHINES: &[Expected] = &[
    Expected {
        file: "zen1",
        vendor: "AuthenticAMD",
        family_model_stepping: (0x17, 1, 1),
        microarchitecture: "Zen",
        product: "Zen",
        llvm: "znver1",
        width: Some(5),
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Unverified,
        tsc_mhz: None,
        hypervisor: None,
        data_kib: &[32, 512, 8192],
        siblings: &[8],
        findings: &["lfence", "smt", "governor", "turbo", "aslr"],
    },
    Expected {
        file: "zen2",
        vendor: "AuthenticAMD",
        family_model_stepping: (0x17, 0x71, 0),
        microarchitecture: "Zen 2",
        product: "Zen 2",
        llvm: "znver2",
        width: Some(5),
        invariant: true,
        rdtscp: true,
        rdpru: true,
        lfence: Lfence::Unverified,
        tsc_mhz: None,
        hypervisor: None,
        data_kib: &[32, 512, 16384],
        siblings: &[6],
        findings: &["lfence", "smt", "governor", "turbo", "aslr"],
    },
    Expected {
        file: "zen3",
        vendor: "AuthenticAMD",
        family_model_stepping: (0x19, 0x21, 2),
        microarchitecture: "Zen 3",
        product: "Vermeer or Cezanne",
        llvm: "znver3",
        width: Some(6),
        invariant: true,
        rdtscp: true,
        rdpru: true,
        lfence: Lfence::Reported,
        tsc_mhz: None,
        hypervisor: None,
        data_kib: &[32, 512, 32768],
        siblings: &[8],
        findings: &["smt", "aslr"],
    },
    Expected {
        file: "zen4",
        vendor: "AuthenticAMD",
        family_model_stepping: (0x19, 0x61, 2),
        microarchitecture: "Zen 4",
        product: "Raphael, Phoenix or Bergamo",
        llvm: "znver4",
        width: Some(6),
        invariant: true,
        rdtscp: true,
        rdpru: true,
        lfence: Lfence::Reported,
        tsc_mhz: None,
        hypervisor: None,
        data_kib: &[32, 1024, 32768],
        siblings: &[16],
        findings: &["smt", "governor", "turbo", "aslr"],
    },
    Expected {
        file: "zen5",
        vendor: "AuthenticAMD",
        family_model_stepping: (0x1a, 0x44, 0),
        microarchitecture: "Zen 5",
        product: "Zen 5",
        llvm: "znver5",
        width: None,
        invariant: true,
        rdtscp: true,
        rdpru: true,
        lfence: Lfence::Reported,
        tsc_mhz: None,
        hypervisor: None,
        data_kib: &[48, 1024, 32768],
        siblings: &[16],
        findings: &["smt", "governor", "turbo", "aslr"],
    },
    Expected {
        file: "skylake",
        vendor: "GenuineIntel",
        family_model_stepping: (6, 0x5e, 3),
        microarchitecture: "Skylake",
        product: "Skylake",
        llvm: "skylake",
        width: Some(4),
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Architectural,
        // The leaf leaves the crystal out: 24 MHz * 334 / 2.
        tsc_mhz: Some(4008.0),
        hypervisor: None,
        data_kib: &[32, 256, 8192],
        siblings: &[4],
        findings: &["smt", "governor", "frequency_limit", "turbo", "pmu", "aslr"],
    },
    Expected {
        file: "cascade-lake",
        vendor: "GenuineIntel",
        family_model_stepping: (6, 0x55, 7),
        microarchitecture: "Skylake",
        product: "Cascade Lake",
        llvm: "cascadelake",
        width: Some(4),
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Architectural,
        tsc_mhz: Some(2100.0),
        hypervisor: None,
        data_kib: &[32, 1024, 36608],
        siblings: &[48],
        findings: &["smt"],
    },
    Expected {
        file: "ice-lake-sp",
        vendor: "GenuineIntel",
        family_model_stepping: (6, 0x6a, 6),
        microarchitecture: "Sunny Cove",
        product: "Ice Lake-SP",
        llvm: "icelake-server",
        width: Some(5),
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Architectural,
        tsc_mhz: Some(2300.0),
        hypervisor: None,
        data_kib: &[48, 1280, 61440],
        siblings: &[80],
        findings: &["smt", "turbo", "aslr"],
    },
    Expected {
        file: "alder-lake-p",
        vendor: "GenuineIntel",
        family_model_stepping: (6, 0x97, 2),
        microarchitecture: "Golden Cove",
        product: "Alder Lake",
        llvm: "alderlake",
        width: Some(6),
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Architectural,
        tsc_mhz: Some(3609.6),
        hypervisor: None,
        data_kib: &[48, 1280, 25600],
        siblings: &[1],
        findings: &["smt", "hybrid", "governor", "turbo", "aslr"],
    },
    Expected {
        file: "alder-lake-e",
        vendor: "GenuineIntel",
        family_model_stepping: (6, 0x97, 2),
        microarchitecture: "Gracemont",
        product: "Alder Lake",
        llvm: "alderlake",
        width: None,
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Architectural,
        tsc_mhz: Some(3609.6),
        hypervisor: None,
        data_kib: &[32, 2048, 25600],
        siblings: &[1],
        findings: &["smt", "hybrid", "governor", "turbo", "aslr"],
    },
    Expected {
        file: "kvm-zen3",
        vendor: "AuthenticAMD",
        family_model_stepping: (0x19, 1, 1),
        microarchitecture: "Zen 3",
        product: "Milan",
        llvm: "znver3",
        width: Some(6),
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Unverified,
        tsc_mhz: None,
        hypervisor: Some("KVM"),
        data_kib: &[32, 512, 32768],
        siblings: &[],
        findings: &["lfence", "hypervisor", "pmu", "aslr"],
    },
    Expected {
        file: "kvm-emerald-rapids",
        vendor: "GenuineIntel",
        family_model_stepping: (6, 0xcf, 2),
        microarchitecture: "Raptor Cove",
        product: "Emerald Rapids",
        llvm: "emeraldrapids",
        width: Some(6),
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Architectural,
        tsc_mhz: None,
        hypervisor: Some("KVM"),
        data_kib: &[48, 2048, 266_240],
        siblings: &[],
        findings: &["hypervisor", "pmu", "aslr"],
    },
    Expected {
        file: "vmware-skylake-sp",
        vendor: "GenuineIntel",
        family_model_stepping: (6, 0x55, 4),
        microarchitecture: "Skylake",
        product: "Skylake-SP",
        llvm: "skylake-avx512",
        width: Some(4),
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Architectural,
        tsc_mhz: Some(2294.0),
        hypervisor: Some("VMware"),
        data_kib: &[32, 1024, 25344],
        siblings: &[],
        findings: &["hypervisor", "aslr"],
    },
    Expected {
        file: "hyperv-haswell-no-invariant-tsc",
        vendor: "GenuineIntel",
        family_model_stepping: (6, 0x3f, 2),
        microarchitecture: "Haswell",
        product: "Haswell",
        llvm: "haswell",
        width: Some(4),
        invariant: false,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Architectural,
        tsc_mhz: None,
        hypervisor: Some("Hyper-V"),
        data_kib: &[32, 256, 30720],
        siblings: &[],
        findings: &["tsc", "clocksource", "hypervisor", "pmu", "aslr"],
    },
    Expected {
        file: "core2",
        vendor: "GenuineIntel",
        family_model_stepping: (6, 0x0f, 0xb),
        microarchitecture: "Core",
        product: "Core 2",
        llvm: "core2",
        width: Some(4),
        invariant: false,
        rdtscp: false,
        rdpru: false,
        lfence: Lfence::Architectural,
        tsc_mhz: None,
        hypervisor: None,
        data_kib: &[32, 4096],
        siblings: &[],
        findings: &["tsc", "rdtscp", "clocksource", "governor", "aslr"],
    },
    Expected {
        file: "unknown",
        vendor: "CentaurHauls",
        family_model_stepping: (7, 0x3b, 0),
        microarchitecture: "family 0x7 model 0x3b",
        product: "",
        llvm: "",
        width: None,
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Unverified,
        tsc_mhz: None,
        hypervisor: None,
        data_kib: &[],
        siblings: &[],
        findings: &["lfence", "microarchitecture", "pmu"],
    },
];

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/machines"))
}

fn recorded(file: &str) -> Machine {
    let path = folder().join(format!("{file}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Recording::from_json(&text).unwrap_or_else(|error| panic!("{file}: {error}")).machine()
}

#[test]
fn every_recorded_machine_is_what_it_is() {
    for expected in MACHINES {
        let file = expected.file;
        let machine = recorded(file);
        let identity = machine.identity();
        assert_eq!(identity.vendor, expected.vendor, "{file}");
        let family_model_stepping = (identity.family, identity.model, identity.stepping);
        assert_eq!(family_model_stepping, expected.family_model_stepping, "{file}");
        assert!(!identity.brand.is_empty() && identity.brand.trim() == identity.brand, "{file}");
        assert_eq!(machine.name(), expected.microarchitecture, "{file}");
        let known = machine.microarchitecture();
        assert_eq!(known.map_or("", |known| known.product), expected.product, "{file}");
        assert_eq!(known.map_or("", |known| known.llvm), expected.llvm, "{file}");
        assert_eq!(machine.issue_width(), expected.width, "{file}");
        assert_eq!(machine.invariant_tsc().is_ok(), expected.invariant, "{file}");
        assert_eq!(machine.has_rdtscp(), expected.rdtscp, "{file}");
        assert_eq!(machine.has_rdpru(), expected.rdpru, "{file}");
        assert_eq!(machine.lfence(), expected.lfence, "{file}");
        let mhz = machine.tsc_frequencies().first().map(|source| source.hertz.get() / 1e6);
        assert_eq!(mhz, expected.tsc_mhz, "{file}");
        assert_eq!(machine.hypervisor(), expected.hypervisor, "{file}");
        let data: Vec<u64> = machine
            .caches()
            .iter()
            .filter(|cache| cache.kind != fencepost::machine::CacheKind::Instruction)
            .map(|cache| cache.bytes / 1024)
            .collect();
        assert_eq!(data, expected.data_kib, "{file}");
        assert!(machine.caches().iter().all(|cache| cache.line == 64), "{file}");
        assert_eq!(machine.host().siblings_of(0), expected.siblings, "{file}");
        let findings = machine.findings(0);
        let ids: Vec<&str> = findings.iter().map(|finding| finding.id).collect();
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        let mut wanted = expected.findings.to_vec();
        wanted.sort_unstable();
        assert_eq!(sorted, wanted, "{file}");
        assert!(findings.windows(2).all(|pair| pair[0].severity >= pair[1].severity), "{file}: {ids:?}");
    }
}

#[test]
fn every_recording_is_expected() {
    let mut files: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    files.sort();
    let mut expected: Vec<&str> = MACHINES.iter().map(|machine| machine.file).collect();
    expected.sort_unstable();
    assert_eq!(files, expected);
}

#[test]
fn hybrid_cores_are_told_apart() {
    let machine = recorded("alder-lake-p");
    assert!(machine.is_hybrid());
    assert_eq!(machine.core_type(0), Some(CoreType::Performance));
    assert_eq!(machine.core_type(17), Some(CoreType::Efficiency));
    assert_eq!(machine.core_type(99), None);
    assert!(!recorded("zen3").is_hybrid());
    assert_eq!(recorded("zen3").core_type(0), None);
}

#[test]
fn without_an_invariant_counter_the_refusal_says_what_to_do() {
    let guest = recorded("hyperv-haswell-no-invariant-tsc").invariant_tsc().unwrap_err();
    assert_eq!(guest.exit_status(), fencepost::ExitStatus::CannotMeasure);
    assert!(guest.to_string().contains("hypervisor") && guest.to_string().contains("ticks only"), "{guest}");
    let old = recorded("core2").invariant_tsc().unwrap_err();
    assert!(old.to_string().contains("made since"), "{old}");
}

#[test]
fn advice_fits_the_machine() {
    let remedies = |file: &str| -> Vec<String> {
        recorded(file).findings(0).into_iter().filter_map(|finding| finding.remedy).collect()
    };
    assert!(remedies("skylake").iter().any(|remedy| remedy.contains("intel_pstate/no_turbo")));
    assert!(remedies("zen2").iter().any(|remedy| remedy.contains("cpufreq/boost")));
    assert!(remedies("skylake").iter().any(|remedy| remedy.contains("perf_event_paranoid=1")));
    for guest in ["kvm-zen3", "kvm-emerald-rapids"] {
        assert!(!remedies(guest).iter().any(|remedy| remedy.contains("cpupower")), "{guest} has no cpufreq");
        assert!(
            !remedies(guest).iter().any(|remedy| remedy.contains("paranoid")),
            "{guest} has no PMU to permit"
        );
    }
}

#[test]
fn nonsense_describes_nothing_and_breaks_nothing() {
    let mut random = oorandom::Rand64::new(7);
    for _ in 0..300 {
        let mut recording = Recording::default();
        for leaf in (0..0x24).chain(0x4000_0000..0x4000_0012).chain(0x8000_0000..0x8000_0024) {
            for subleaf in 0..3 {
                let registers = std::array::from_fn(|_| random.rand_u64() as u32);
                recording = recording.with_leaf(leaf, subleaf, registers);
            }
        }
        let machine = recording.machine();
        let _ = (machine.findings(0), machine.findings(usize::MAX), machine.name());
    }
    let empty = Recording::default().machine();
    assert!(empty.invariant_tsc().is_err());
    assert_eq!(empty.caches(), []);
}
