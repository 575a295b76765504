//! Are recorded machines described as what they are? Each recording under `tests/data/machines` stands for a kind of computer.
//!
//! The CPUID leaves of the Ryzens, of `skylake`, `cascade-lake`, `core2`, `hyperv-ice-lake-d` and both `alder-lake`s are those of
//! published dumps of the CPUs that the brand strings name; `kvm-emerald-rapids` and `kvm-granite-rapids-as-rocket-lake` were taken
//! down whole. The other leaves, and all other files, are written as manuals and the kernel's documentation have them.

use std::path::Path;

use fencepost::machine::{CoreType, Lfence, Machine, Recording, parse_cpu_list, parse_steal};
use proptest::prelude::*;

struct Expected {
    file: &'static str,
    vendor: &'static str,
    brand: &'static str,
    family_model_stepping: (u8, u8, u8),
    microarchitecture: &'static str,
    product: &'static str,
    llvm: &'static str,
    llvm_older: Option<&'static str>,
    width: Option<u8>,
    imul: Option<u8>,
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
        brand: "AMD Ryzen 7 1800X Eight-Core Processor",
        family_model_stepping: (0x17, 1, 1),
        microarchitecture: "Zen",
        product: "Naples or Summit Ridge",
        llvm: "znver1",
        llvm_older: None,
        width: Some(5),
        imul: None,
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Unverified,
        tsc_mhz: None,
        hypervisor: None,
        data_kib: &[32, 512, 8192],
        siblings: &[1],
        findings: &["lfence", "smt", "governor", "turbo", "aslr"],
    },
    Expected {
        file: "zen2",
        vendor: "AuthenticAMD",
        brand: "AMD Ryzen 5 3600X 6-Core Processor",
        family_model_stepping: (0x17, 0x71, 0),
        microarchitecture: "Zen 2",
        product: "Matisse",
        llvm: "znver2",
        llvm_older: None,
        width: Some(5),
        imul: Some(3),
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
        brand: "AMD Ryzen 9 5950X 16-Core Processor",
        family_model_stepping: (0x19, 0x21, 0),
        microarchitecture: "Zen 3",
        product: "Vermeer",
        llvm: "znver3",
        llvm_older: None,
        width: Some(6),
        imul: Some(3),
        invariant: true,
        rdtscp: true,
        rdpru: true,
        lfence: Lfence::Reported,
        tsc_mhz: None,
        hypervisor: None,
        data_kib: &[32, 512, 32768],
        siblings: &[16],
        findings: &["smt", "aslr"],
    },
    Expected {
        file: "zen4",
        vendor: "AuthenticAMD",
        brand: "AMD Ryzen 7 7700X 8-Core Processor",
        family_model_stepping: (0x19, 0x61, 2),
        microarchitecture: "Zen 4",
        product: "Raphael or Dragon Range",
        llvm: "znver4",
        llvm_older: None,
        width: Some(6),
        imul: Some(3),
        invariant: true,
        rdtscp: true,
        rdpru: true,
        lfence: Lfence::Reported,
        tsc_mhz: None,
        hypervisor: None,
        data_kib: &[32, 1024, 32768],
        siblings: &[8],
        findings: &["smt", "governor", "turbo", "aslr"],
    },
    Expected {
        file: "zen5",
        vendor: "AuthenticAMD",
        brand: "AMD Ryzen 9 9950X 16-Core Processor",
        family_model_stepping: (0x1a, 0x44, 0),
        microarchitecture: "Zen 5",
        product: "Granite Ridge",
        llvm: "znver5",
        llvm_older: Some("znver4"),
        width: None,
        imul: Some(3),
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
        brand: "Intel(R) Core(TM) i5-6600K CPU @ 3.50GHz",
        family_model_stepping: (6, 0x5e, 3),
        microarchitecture: "Skylake",
        product: "Skylake",
        llvm: "skylake",
        llvm_older: None,
        width: Some(4),
        imul: Some(3),
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Architectural,
        // The leaf leaves the crystal out: 24 MHz * 292 / 2.
        tsc_mhz: Some(3504.0),
        hypervisor: None,
        data_kib: &[32, 256, 6144],
        siblings: &[],
        findings: &["governor", "frequency_limit", "turbo", "pmu", "aslr"],
    },
    Expected {
        file: "cascade-lake",
        vendor: "GenuineIntel",
        brand: "Intel(R) Xeon(R) Gold 6252 CPU @ 2.10GHz",
        family_model_stepping: (6, 0x55, 7),
        microarchitecture: "Skylake",
        product: "Cascade Lake",
        llvm: "cascadelake",
        llvm_older: None,
        width: Some(4),
        imul: Some(3),
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
        brand: "Intel(R) Xeon(R) Platinum 8380 CPU @ 2.30GHz",
        family_model_stepping: (6, 0x6a, 6),
        microarchitecture: "Sunny Cove",
        product: "Ice Lake-SP",
        llvm: "icelake-server",
        llvm_older: None,
        width: Some(5),
        imul: Some(3),
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Architectural,
        tsc_mhz: Some(2300.0),
        hypervisor: None,
        data_kib: &[48, 1280, 61440],
        siblings: &[80],
        findings: &["smt", "turbo", "aslr", "clocksource", "rdpmc"],
    },
    Expected {
        file: "alder-lake-p",
        vendor: "GenuineIntel",
        brand: "12th Gen Intel(R) Core(TM) i9-12900K",
        family_model_stepping: (6, 0x97, 2),
        microarchitecture: "Golden Cove",
        product: "Alder Lake",
        llvm: "alderlake",
        llvm_older: None,
        width: Some(6),
        imul: Some(3),
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Architectural,
        tsc_mhz: Some(3187.2),
        hypervisor: None,
        data_kib: &[48, 1280, 30720],
        siblings: &[1],
        findings: &["smt", "hybrid", "governor", "turbo", "aslr"],
    },
    Expected {
        file: "alder-lake-e",
        vendor: "GenuineIntel",
        brand: "12th Gen Intel(R) Core(TM) i9-12900K",
        family_model_stepping: (6, 0x97, 2),
        microarchitecture: "Gracemont",
        product: "Alder Lake",
        llvm: "gracemont",
        llvm_older: Some("alderlake"),
        width: None,
        imul: Some(5),
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Architectural,
        tsc_mhz: Some(3187.2),
        hypervisor: None,
        data_kib: &[32, 2048, 30720],
        siblings: &[1],
        findings: &["smt", "hybrid", "governor", "turbo", "aslr"],
    },
    Expected {
        file: "kvm-zen3",
        vendor: "AuthenticAMD",
        brand: "AMD EPYC Processor",
        family_model_stepping: (0x19, 1, 1),
        microarchitecture: "Zen 3",
        product: "Milan or Chagall",
        llvm: "znver3",
        llvm_older: None,
        width: Some(6),
        imul: Some(3),
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Unverified,
        tsc_mhz: None,
        hypervisor: Some("KVM"),
        data_kib: &[32, 512, 32768],
        siblings: &[],
        findings: &["lfence", "hypervisor", "steal_since_boot", "pmu", "aslr"],
    },
    Expected {
        file: "kvm-emerald-rapids",
        vendor: "GenuineIntel",
        brand: "Intel(R) Xeon(R) Processor",
        family_model_stepping: (6, 0xcf, 2),
        microarchitecture: "Raptor Cove",
        product: "Emerald Rapids",
        llvm: "emeraldrapids",
        llvm_older: Some("sapphirerapids"),
        width: Some(6),
        imul: Some(3),
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Architectural,
        tsc_mhz: None,
        hypervisor: Some("KVM"),
        data_kib: &[48, 2048, 266_240],
        siblings: &[],
        findings: &["hypervisor", "steal_since_boot", "pmu", "aslr"],
    },
    // A guest of Granite Rapids that is told Rocket Lake's model number.
    Expected {
        file: "kvm-granite-rapids-as-rocket-lake",
        vendor: "GenuineIntel",
        brand: "Intel(R) Xeon(R) Processor",
        family_model_stepping: (6, 0xa7, 1),
        microarchitecture: "Redwood Cove or later",
        product: "not told by its model number",
        llvm: "graniterapids",
        llvm_older: Some("sapphirerapids"),
        width: None,
        imul: Some(3),
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Architectural,
        tsc_mhz: None,
        hypervisor: Some("KVM"),
        data_kib: &[48, 2048, 491_520],
        siblings: &[],
        findings: &["hypervisor", "model", "steal_since_boot", "pmu", "aslr"],
    },
    Expected {
        file: "vmware-skylake-sp",
        vendor: "GenuineIntel",
        brand: "Intel(R) Xeon(R) Gold 6140 CPU @ 2.30GHz",
        family_model_stepping: (6, 0x55, 4),
        microarchitecture: "Skylake",
        product: "Skylake-SP",
        llvm: "skylake-avx512",
        llvm_older: None,
        width: Some(4),
        imul: Some(3),
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
        file: "hyperv-ice-lake-d",
        vendor: "GenuineIntel",
        brand: "Intel(R) Xeon(R) D-1718T CPU @ 2.60GHz",
        family_model_stepping: (6, 0x6c, 1),
        microarchitecture: "Sunny Cove",
        product: "Ice Lake-D",
        llvm: "icelake-server",
        llvm_older: None,
        width: Some(5),
        imul: Some(3),
        invariant: true,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Architectural,
        // The hypervisor's largest leaf is 4000_000Ch: 25 MHz * 208 / 2.
        tsc_mhz: Some(2600.0),
        hypervisor: Some("Hyper-V"),
        data_kib: &[48, 1280, 10240],
        siblings: &[1],
        findings: &["smt", "hypervisor", "pmu", "aslr"],
    },
    Expected {
        file: "hyperv-haswell-no-invariant-tsc",
        vendor: "GenuineIntel",
        brand: "Intel(R) Xeon(R) CPU E5-2673 v3 @ 2.40GHz",
        family_model_stepping: (6, 0x3f, 2),
        microarchitecture: "Haswell",
        product: "Haswell-E",
        llvm: "haswell",
        llvm_older: None,
        width: Some(4),
        imul: Some(3),
        invariant: false,
        rdtscp: true,
        rdpru: false,
        lfence: Lfence::Architectural,
        tsc_mhz: None,
        hypervisor: Some("Hyper-V"),
        data_kib: &[32, 256, 30720],
        siblings: &[],
        findings: &["tsc", "hypervisor", "pmu", "aslr"],
    },
    Expected {
        file: "core2",
        vendor: "GenuineIntel",
        brand: "Intel(R) Core(TM)2 Quad CPU    Q6600  @ 2.40GHz",
        family_model_stepping: (6, 0x0f, 0xb),
        microarchitecture: "Core",
        product: "Core 2 (65 nm)",
        llvm: "core2",
        llvm_older: None,
        width: Some(4),
        imul: Some(5),
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
        brand: "ZHAOXIN KaiXian KX-6640MA@2.2+GHz",
        family_model_stepping: (7, 0x3b, 0),
        microarchitecture: "family 0x7 model 0x3b",
        product: "",
        llvm: "",
        llvm_older: None,
        width: None,
        imul: None,
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

fn recording(file: &str) -> Recording {
    let path = folder().join(format!("{file}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Recording::from_json(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn recorded(file: &str) -> Machine {
    recording(file).machine()
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
        assert_eq!(identity.brand, expected.brand, "{file}");
        assert_eq!(machine.name(), expected.microarchitecture, "{file}");
        let known = machine.microarchitecture();
        assert_eq!(known.map_or("", |known| known.product), expected.product, "{file}");
        assert_eq!(known.map_or("", |known| known.llvm), expected.llvm, "{file}");
        assert_eq!(known.and_then(|known| known.llvm_older), expected.llvm_older, "{file}");
        assert_eq!(machine.issue_width(), expected.width, "{file}");
        assert_eq!(machine.imul_latency(), expected.imul, "{file}");
        assert!(machine.has_tsc(), "{file}");
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
    let performance = recorded("alder-lake-p");
    assert!(performance.is_hybrid());
    assert_eq!(performance.core_type(0), Some(CoreType::Performance));
    assert_eq!(performance.core_type(17), Some(CoreType::Efficiency));
    assert_eq!(performance.core_type(99), None);
    assert!(!recorded("zen3").is_hybrid());
    assert_eq!(recorded("zen3").core_type(0), None);

    // The same computer, described from its other kind of core.
    let current = |file: &str| CoreType::of_current_core(&recording(file));
    assert_eq!(current("alder-lake-p"), Some(CoreType::Performance));
    assert_eq!(current("alder-lake-e"), Some(CoreType::Efficiency));
    assert_eq!(current("zen3"), None);
    // A Core 2 answers a leaf that it does not have with its last one.
    assert_eq!(current("core2"), None);
}

#[test]
fn caches_are_told_with_their_ways_and_sharers() {
    let caches = |file: &str| -> Vec<String> {
        recorded(file)
            .caches()
            .iter()
            .map(|cache| format!("{cache} /{}", cache.shared_by.map_or(0, u32::from)))
            .collect()
    };
    assert_eq!(
        caches("zen5"),
        ["L1d 48 KiB 12-way /2", "L1i 32 KiB 8-way /2", "L2 1024 KiB 16-way /2", "L3 32768 KiB 16-way /16"]
    );
    assert_eq!(
        caches("alder-lake-e"),
        ["L1d 32 KiB 8-way /2", "L1i 64 KiB 8-way /2", "L2 2048 KiB 16-way /8", "L3 30720 KiB 12-way /128"]
    );
    assert_eq!(caches("core2"), ["L1d 32 KiB 8-way /1", "L1i 32 KiB 8-way /1", "L2 4096 KiB 16-way /2"]);
}

#[test]
fn clock_policy_and_surroundings_are_read() {
    let skylake = recorded("skylake");
    let policy = skylake.host().policy(3).expect("it has cpufreq");
    assert_eq!(
        (policy.governor.as_deref(), policy.driver.as_deref()),
        (Some("powersave"), Some("intel_pstate"))
    );
    assert_eq!((policy.least_khz, policy.most_khz), (Some(800_000), Some(3_900_000)));
    assert_eq!((policy.floor_khz, policy.limit_khz), (Some(800_000), Some(3_000_000)));
    assert_eq!(skylake.host().huge_pages.as_deref(), Some("madvise"));
    assert_eq!(recorded("alder-lake-p").host().policy(20).and_then(|one| one.base_khz), Some(2_400_000));
    assert_eq!(recorded("alder-lake-p").host().pmu_device, Some("cpu_core"));

    let guest = recorded("kvm-zen3");
    assert_eq!(guest.host().policy(0), None);
    assert_eq!(guest.host().pmu_device, None);
    let stolen: Vec<_> = guest.host().stolen.iter().map(|(cpu, steal)| (*cpu, steal.stolen)).collect();
    assert_eq!(stolen, [(0, 2480), (1, 2640)]);
}

#[test]
fn fingerprints_tell_the_recorded_machines_apart() {
    let prints: Vec<_> = MACHINES.iter().map(|expected| recorded(expected.file).fingerprint()).collect();
    for (index, print) in prints.iter().enumerate() {
        assert!(!prints[..index].contains(print), "{print:?}");
    }
    let value = |file: &str, name: &str| {
        let print = recorded(file).fingerprint();
        print.into_iter().find(|(one, _)| *one == name).map(|(_, value)| value).unwrap_or_default()
    };
    assert_eq!(value("zen3", "cpu"), "0x19/0x21/0x0");
    assert_eq!(value("zen3", "hypervisor"), "none");
    assert_eq!(value("zen3", "cpus"), "32");
    assert_eq!(value("kvm-emerald-rapids", "kernel"), "6.18.44");
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
    assert!(remedies("ice-lake-sp").iter().any(|remedy| remedy.contains("echo tsc | sudo tee")));
    assert!(remedies("ice-lake-sp").iter().any(|remedy| remedy.contains("devices/cpu/rdpmc")));
    assert!(
        !remedies("core2").iter().any(|remedy| remedy.contains("echo tsc")),
        "the kernel gave its TSC up"
    );
    for guest in ["kvm-zen3", "kvm-emerald-rapids", "hyperv-ice-lake-d", "vmware-skylake-sp"] {
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

/// A list as the kernel writes it.
fn written(cpus: &[usize]) -> String {
    let runs = cpus.chunk_by(|one, next| one + 1 == *next).map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        run => run.iter().map(ToString::to_string).collect(),
    });
    runs.collect::<Vec<_>>().join(",")
}

proptest! {
    #[test]
    fn cpu_lists_come_back_as_they_were_written(cpus in prop::collection::btree_set(0_usize..8192, 0..200)) {
        let cpus: Vec<usize> = cpus.into_iter().collect();
        prop_assert_eq!(parse_cpu_list(&written(&cpus)), Some(cpus));
    }

    #[test]
    fn no_text_breaks_a_parser(text in "[-0-9, \nacpu#]{0,40}|\\PC{0,40}") {
        let sorted = parse_cpu_list(&text).is_none_or(|cpus| cpus.is_sorted_by(|one, next| one < next));
        prop_assert!(sorted, "{:?}", text);
        let _ = (parse_steal(&text, 0), parse_steal(&format!("cpu0 {text}"), 0));
    }

    #[test]
    fn recordings_come_back_from_json_as_they_were(
        leaves in prop::collection::vec((any::<u32>(), any::<u32>(), any::<[u32; 4]>()), 0..20),
        files in prop::collection::vec(("/[a-z/]{1,20}", any::<String>()), 0..10),
    ) {
        let mut recording = Recording::default();
        for (leaf, subleaf, registers) in leaves {
            recording = recording.with_leaf(leaf, subleaf, registers);
        }
        for (path, text) in &files {
            recording = recording.with_file(path, text);
        }
        prop_assert_eq!(Recording::from_json(&recording.to_json()).ok(), Some(recording));
    }

    #[test]
    fn a_damaged_recording_is_an_error_and_no_panic(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut text = recording("kvm-zen3").to_json().into_bytes();
        let at = at.index(text.len());
        text[at] = byte;
        if let Ok(read) = Recording::from_json(&String::from_utf8_lossy(&text)) {
            let _ = read.machine().findings(0);
        }
        text.truncate(at);
        let cut = Recording::from_json(&String::from_utf8_lossy(&text));
        prop_assert_eq!(cut.err().map(|error| error.kind()), Some(fencepost::error::ErrorKind::Input));
    }

    #[test]
    fn a_file_of_garbage_describes_a_machine_all_the_same(which in any::<prop::sample::Index>(), text in any::<String>()) {
        let whole = recording("alder-lake-p");
        let json: serde_json::Value = serde_json::from_str(&whole.to_json()).expect("it is JSON");
        let paths: Vec<&String> = json["files"].as_object().expect("it has files").keys().collect();
        let machine = whole.clone().with_file(paths[which.index(paths.len())], &text).machine();
        prop_assert_eq!(machine.name(), "Golden Cove");
        let _ = (machine.findings(0), machine.findings(23), machine.fingerprint());
    }
}
