//! Which core design is this? By vendor, family, model and stepping, with what is published of each.
//!
//! Models are those of the Linux kernel's `intel-family.h` and `amd.c`; LLVM's names those of its `Host.cpp` and of
//! `llvm-mca -mcpu=help`; widths and multiply latencies those of Agner Fog's microarchitecture manual and instruction tables, of
//! uops.info and of the vendors' optimization guides. A figure on which these disagree, or that none of them measured, is left out.

/// A core design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Microarchitecture {
    /// The core's name: Zen 3, Golden Cove.
    pub name: &'static str,
    /// The product line, where the same core has several: Sapphire Rapids, Alder Lake.
    pub product: &'static str,
    /// What LLVM calls it (`-mcpu`), in its newest versions.
    pub llvm: &'static str,
    /// An older name, for an LLVM that does not know [`llvm`](Self::llvm): of a core that LLVM schedules, or scheduled until lately,
    /// by the same model.
    pub llvm_older: Option<&'static str>,
    /// Instructions that it issues in a cycle, where nothing fuses two of them, if known.
    pub width: Option<u8>,
    /// NOPs that it issues in a cycle while it is alone, at the least, if known: its width, or twice that where they are fused in pairs.
    pub nops: Option<u8>,
    /// Latency of `imul r64, r64` in cycles, if known.
    pub imul: Option<u8>,
}

pub(super) const fn core(name: &'static str, product: &'static str, llvm: &'static str) -> Microarchitecture {
    Microarchitecture { name, product, llvm, llvm_older: None, width: None, nops: None, imul: None }
}

impl Microarchitecture {
    /// Only where it was measured or is beyond doubt: a wrong width would call every moment contended.
    const fn issues(mut self, width: u8) -> Self {
        self.width = Some(width);
        self.nops = Some(width);
        self
    }

    /// It or a successor, which may issue more: what the gauge has to reach, and no bound.
    pub(super) const fn at_least(mut self, nops: u8) -> Self {
        self.nops = Some(nops);
        self
    }

    /// Two NOPs take one place (Zen 4: 12 a cycle through 6 places, measured here; chipsandcheese.com, "AMD's Zen 4 Part 1", has
    /// the same).
    const fn fuses_nops(mut self) -> Self {
        if let Some(width) = self.width {
            self.nops = Some(2 * width);
        }
        self
    }

    pub(super) const fn multiplies_in(mut self, cycles: u8) -> Self {
        self.imul = Some(cycles);
        self
    }

    pub(super) const fn once(mut self, llvm: &'static str) -> Self {
        self.llvm_older = Some(llvm);
        self
    }
}

/// The efficient core of a hybrid part has the models of the performance core beside it: CPUID 1Ah tells the two apart.
const P_CORE: bool = false;
const E_CORE: bool = true;

type IntelRow = (u8, &'static [u8], bool, Microarchitecture);

/// Intel's models: family, models, which core of a hybrid part.
const INTEL: &[IntelRow] = &[
    (6, &[0x0f, 0x16], P_CORE, core("Core", "Core 2 (65 nm)", "core2").issues(4).multiplies_in(5)),
    (6, &[0x17, 0x1d], P_CORE, core("Penryn", "Core 2 (45 nm)", "penryn").issues(4).multiplies_in(5)),
    (6, &[0x1a, 0x1e, 0x1f, 0x2e], P_CORE, core("Nehalem", "Nehalem", "nehalem").issues(4).multiplies_in(3)),
    (6, &[0x25, 0x2c, 0x2f], P_CORE, core("Westmere", "Westmere", "westmere").issues(4).multiplies_in(3)),
    (6, &[0x2a], P_CORE, core("Sandy Bridge", "Sandy Bridge", "sandybridge").issues(4).multiplies_in(3)),
    (6, &[0x2d], P_CORE, core("Sandy Bridge", "Sandy Bridge-E", "sandybridge").issues(4).multiplies_in(3)),
    (6, &[0x3a], P_CORE, core("Ivy Bridge", "Ivy Bridge", "ivybridge").issues(4).multiplies_in(3)),
    (6, &[0x3e], P_CORE, core("Ivy Bridge", "Ivy Bridge-E", "ivybridge").issues(4).multiplies_in(3)),
    (6, &[0x3c, 0x45, 0x46], P_CORE, core("Haswell", "Haswell", "haswell").issues(4).multiplies_in(3)),
    (6, &[0x3f], P_CORE, core("Haswell", "Haswell-E", "haswell").issues(4).multiplies_in(3)),
    (6, &[0x3d, 0x47], P_CORE, core("Broadwell", "Broadwell", "broadwell").issues(4).multiplies_in(3)),
    (6, &[0x4f, 0x56], P_CORE, core("Broadwell", "Broadwell-E", "broadwell").issues(4).multiplies_in(3)),
    (6, &[0x4e, 0x5e], P_CORE, core("Skylake", "Skylake", "skylake").issues(4).multiplies_in(3)),
    (
        6,
        &[0x8e, 0x9e],
        P_CORE,
        core("Skylake", "Kaby Lake or Coffee Lake", "skylake").issues(4).multiplies_in(3),
    ),
    (6, &[0xa5, 0xa6], P_CORE, core("Skylake", "Comet Lake", "skylake").issues(4).multiplies_in(3)),
    (6, &[0x66], P_CORE, core("Palm Cove", "Cannon Lake", "cannonlake").issues(4).multiplies_in(3)),
    (
        6,
        &[0x7d, 0x7e],
        P_CORE,
        core("Sunny Cove", "Ice Lake client", "icelake-client").issues(5).multiplies_in(3),
    ),
    (6, &[0x9d], P_CORE, core("Sunny Cove", "Ice Lake NNPI", "icelake-client").issues(5).multiplies_in(3)),
    (6, &[0x6a], P_CORE, core("Sunny Cove", "Ice Lake-SP", "icelake-server").issues(5).multiplies_in(3)),
    (6, &[0x6c], P_CORE, core("Sunny Cove", "Ice Lake-D", "icelake-server").issues(5).multiplies_in(3)),
    (6, &[0x8a], P_CORE, core("Sunny Cove", "Lakefield", "icelake-client").issues(5).multiplies_in(3)),
    (6, &[0x8a], E_CORE, core("Tremont", "Lakefield", "tremont").multiplies_in(5)),
    (6, &[0x8c, 0x8d], P_CORE, core("Willow Cove", "Tiger Lake", "tigerlake").issues(5).multiplies_in(3)),
    (6, &[0xa7], P_CORE, core("Cypress Cove", "Rocket Lake", "rocketlake").issues(5).multiplies_in(3)),
    (6, &[0x97, 0x9a], P_CORE, core("Golden Cove", "Alder Lake", "alderlake").issues(6).multiplies_in(3)),
    (
        6,
        &[0x97, 0x9a],
        E_CORE,
        core("Gracemont", "Alder Lake", "gracemont").once("alderlake").multiplies_in(5),
    ),
    (6, &[0xbe], P_CORE, core("Gracemont", "Alder Lake-N", "gracemont").once("alderlake").multiplies_in(5)),
    (
        6,
        &[0xb7, 0xba, 0xbf],
        P_CORE,
        core("Raptor Cove", "Raptor Lake", "raptorlake").once("alderlake").issues(6).multiplies_in(3),
    ),
    (
        6,
        &[0xb7, 0xba, 0xbf],
        E_CORE,
        core("Gracemont", "Raptor Lake", "gracemont").once("alderlake").multiplies_in(5),
    ),
    (
        6,
        &[0xd7],
        P_CORE,
        core("Raptor Cove", "Bartlett Lake", "raptorlake").once("alderlake").issues(6).multiplies_in(3),
    ),
    (6, &[0x8f], P_CORE, core("Golden Cove", "Sapphire Rapids", "sapphirerapids").issues(6).multiplies_in(3)),
    (
        6,
        &[0xcf],
        P_CORE,
        core("Raptor Cove", "Emerald Rapids", "emeraldrapids")
            .once("sapphirerapids")
            .issues(6)
            .multiplies_in(3),
    ),
    (
        6,
        &[0xaa, 0xac],
        P_CORE,
        core("Redwood Cove", "Meteor Lake", "meteorlake").once("alderlake").issues(6).multiplies_in(3),
    ),
    (6, &[0xaa, 0xac], E_CORE, core("Crestmont", "Meteor Lake", "meteorlake").once("alderlake")),
    // Arrow Lake-U has the cores of Meteor Lake: Linux counts their events alike (`intel_pmu_init`).
    (
        6,
        &[0xb5],
        P_CORE,
        core("Redwood Cove", "Arrow Lake-U", "meteorlake").once("alderlake").issues(6).multiplies_in(3),
    ),
    (6, &[0xb5], E_CORE, core("Crestmont", "Arrow Lake-U", "meteorlake").once("alderlake")),
    (
        6,
        &[0xad],
        P_CORE,
        core("Redwood Cove", "Granite Rapids", "graniterapids")
            .once("sapphirerapids")
            .issues(6)
            .multiplies_in(3),
    ),
    (
        6,
        &[0xae],
        P_CORE,
        core("Redwood Cove", "Granite Rapids-D", "graniterapids-d")
            .once("sapphirerapids")
            .issues(6)
            .multiplies_in(3),
    ),
    (6, &[0xc5], P_CORE, core("Lion Cove", "Arrow Lake-H", "arrowlake").once("alderlake").multiplies_in(3)),
    (6, &[0xc5], E_CORE, core("Skymont", "Arrow Lake-H", "arrowlake").once("alderlake")),
    (6, &[0xc6], P_CORE, core("Lion Cove", "Arrow Lake-S", "arrowlake-s").once("alderlake").multiplies_in(3)),
    (6, &[0xc6], E_CORE, core("Skymont", "Arrow Lake-S", "arrowlake-s").once("alderlake")),
    (6, &[0xbd], P_CORE, core("Lion Cove", "Lunar Lake", "lunarlake").once("alderlake").multiplies_in(3)),
    (6, &[0xbd], E_CORE, core("Skymont", "Lunar Lake", "lunarlake").once("alderlake")),
    (6, &[0xcc, 0xe5], P_CORE, core("Cougar Cove", "Panther Lake", "pantherlake").once("alderlake")),
    (6, &[0xcc, 0xe5], E_CORE, core("Darkmont", "Panther Lake", "pantherlake").once("alderlake")),
    (19, &[0x01], P_CORE, core("Panther Cove", "Diamond Rapids", "diamondrapids").once("sapphirerapids")),
    (6, &[0x57], P_CORE, core("Knights Landing", "Knights Landing", "knl")),
    (6, &[0x85], P_CORE, core("Knights Mill", "Knights Mill", "knm")),
    (6, &[0x1c, 0x26, 0x27, 0x35, 0x36], P_CORE, core("Bonnell", "Atom (45 and 32 nm)", "bonnell")),
    (
        6,
        &[0x37, 0x4a, 0x4d, 0x5a, 0x5d],
        P_CORE,
        core("Silvermont", "Silvermont", "silvermont").multiplies_in(5),
    ),
    (6, &[0x4c], P_CORE, core("Airmont", "Airmont", "silvermont").multiplies_in(5)),
    (6, &[0x5c], P_CORE, core("Goldmont", "Apollo Lake", "goldmont").multiplies_in(5)),
    (6, &[0x5f], P_CORE, core("Goldmont", "Denverton", "goldmont").multiplies_in(5)),
    (6, &[0x7a], P_CORE, core("Goldmont Plus", "Gemini Lake", "goldmont-plus").multiplies_in(5)),
    (6, &[0x86, 0x96, 0x9c], P_CORE, core("Tremont", "Tremont", "tremont").multiplies_in(5)),
    (6, &[0xaf], P_CORE, core("Crestmont", "Sierra Forest", "sierraforest").once("alderlake")),
    (6, &[0xb6], P_CORE, core("Crestmont", "Grand Ridge", "grandridge").once("alderlake")),
    (6, &[0xdd], P_CORE, core("Darkmont", "Clearwater Forest", "clearwaterforest").once("alderlake")),
];

/// Skylake's server part changed its name with its stepping, and nothing else that CPUID 1 tells: first and last stepping.
const SERVER_SKYLAKE: (u8, u8) = (6, 0x55);
const SERVER_SKYLAKES: &[(u8, u8, Microarchitecture)] = &[
    (0, 4, core("Skylake", "Skylake-SP", "skylake-avx512").issues(4).multiplies_in(3)),
    (5, 9, core("Skylake", "Cascade Lake", "cascadelake").issues(4).multiplies_in(3)),
    (10, 15, core("Skylake", "Cooper Lake", "cooperlake").issues(4).multiplies_in(3)),
];

/// AMD's and Hygon's models: family, first and last model; the first row that fits is meant.
const AMD: &[(u8, u8, u8, Microarchitecture)] = &[
    (0x0f, 0x00, 0xff, core("K8", "K8", "k8")),
    (0x10, 0x00, 0xff, core("K10", "K10", "amdfam10").multiplies_in(4)),
    (0x12, 0x00, 0xff, core("K10", "Llano", "amdfam10").multiplies_in(4)),
    (0x14, 0x00, 0xff, core("Bobcat", "Bobcat", "btver1")),
    (0x15, 0x02, 0x02, core("Piledriver", "Vishera or Abu Dhabi", "bdver2").multiplies_in(6)),
    (0x15, 0x00, 0x0f, core("Bulldozer", "Bulldozer", "bdver1").multiplies_in(6)),
    (0x15, 0x10, 0x1f, core("Piledriver", "Trinity or Richland", "bdver2").multiplies_in(6)),
    (0x15, 0x30, 0x3f, core("Steamroller", "Kaveri", "bdver3")),
    (0x15, 0x60, 0x7f, core("Excavator", "Carrizo, Bristol Ridge or Stoney Ridge", "bdver4")),
    (0x16, 0x00, 0x2f, core("Jaguar", "Kabini", "btver2").multiplies_in(6)),
    (0x16, 0x30, 0xff, core("Puma", "Beema or Mullins", "btver2").multiplies_in(6)),
    // The multiply latency of the first Zen is told as 3 by some and as 4 by others (LLVM's model among them).
    (0x17, 0x08, 0x08, core("Zen+", "Pinnacle Ridge", "znver1").issues(5)),
    (0x17, 0x18, 0x18, core("Zen+", "Picasso", "znver1").issues(5)),
    (0x17, 0x00, 0x0f, core("Zen", "Naples or Summit Ridge", "znver1").issues(5)),
    (0x17, 0x10, 0x2f, core("Zen", "Raven Ridge or Dali", "znver1").issues(5)),
    (0x17, 0x30, 0x3f, core("Zen 2", "Rome or Castle Peak", "znver2").issues(5).multiplies_in(3)),
    (0x17, 0x70, 0x7f, core("Zen 2", "Matisse", "znver2").issues(5).multiplies_in(3)),
    (0x17, 0x40, 0xaf, core("Zen 2", "Renoir, Van Gogh or Mendocino", "znver2").issues(5).multiplies_in(3)),
    (0x18, 0x00, 0xff, core("Zen", "Hygon Dhyana", "znver1").issues(5)),
    (0x19, 0x00, 0x0f, core("Zen 3", "Milan or Chagall", "znver3").issues(6).multiplies_in(3)),
    (0x19, 0x20, 0x2f, core("Zen 3", "Vermeer", "znver3").issues(6).multiplies_in(3)),
    (0x19, 0x40, 0x4f, core("Zen 3+", "Rembrandt", "znver3").issues(6).multiplies_in(3)),
    (0x19, 0x30, 0x5f, core("Zen 3", "Cezanne or Barcelo", "znver3").issues(6).multiplies_in(3)),
    (
        0x19,
        0x10,
        0x1f,
        core("Zen 4", "Genoa or Storm Peak", "znver4").issues(6).fuses_nops().multiplies_in(3),
    ),
    (
        0x19,
        0x60,
        0x6f,
        core("Zen 4", "Raphael or Dragon Range", "znver4").issues(6).fuses_nops().multiplies_in(3),
    ),
    (
        0x19,
        0x70,
        0x7f,
        core("Zen 4", "Phoenix or Hawk Point", "znver4").issues(6).fuses_nops().multiplies_in(3),
    ),
    (0x19, 0xa0, 0xaf, core("Zen 4c", "Bergamo or Siena", "znver4").issues(6).fuses_nops().multiplies_in(3)),
    (0x1a, 0x00, 0x0f, core("Zen 5", "Turin", "znver5").once("znver4").multiplies_in(3)),
    (0x1a, 0x10, 0x1f, core("Zen 5c", "Turin Dense", "znver5").once("znver4").multiplies_in(3)),
    (0x1a, 0x40, 0x4f, core("Zen 5", "Granite Ridge", "znver5").once("znver4").multiplies_in(3)),
    (0x1a, 0x20, 0x2f, core("Zen 5", "Strix Point", "znver5").once("znver4").multiplies_in(3)),
    (
        0x1a,
        0x60,
        0x7f,
        core("Zen 5", "Krackan Point or Strix Halo", "znver5").once("znver4").multiplies_in(3),
    ),
];

/// The design of a core, if known. `efficient` says that it is the efficient core of a hybrid part.
pub(super) fn look_up(
    vendor: &str,
    family: u8,
    model: u8,
    stepping: u8,
    efficient: bool,
) -> Option<Microarchitecture> {
    match vendor {
        "GenuineIntel" if (family, model) == SERVER_SKYLAKE => SERVER_SKYLAKES
            .iter()
            .find(|(first, last, _)| (*first..=*last).contains(&stepping))
            .map(|(.., found)| *found),
        "GenuineIntel" => INTEL
            .iter()
            .find(|(of, models, core, _)| *of == family && *core == efficient && models.contains(&model))
            .map(|(.., found)| *found),
        "AuthenticAMD" | "HygonGenuine" => AMD
            .iter()
            .find(|(of, first, last, _)| *of == family && (*first..=*last).contains(&model))
            .map(|(.., found)| *found),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_reached_and_says_something_possible() {
        let mut rows = Vec::new();
        for (family, models, efficient, row) in INTEL {
            for model in *models {
                assert_eq!(
                    look_up("GenuineIntel", *family, *model, 1, *efficient),
                    Some(*row),
                    "{family} {model:#x}"
                );
            }
            rows.push(row);
        }
        for (family, first, last, row) in AMD {
            assert!(first <= last, "{family:#x} {first:#x}");
            let reached = (*first..=*last)
                .any(|model| look_up("AuthenticAMD", *family, model, 0, false).as_ref() == Some(row));
            assert!(reached, "{family:#x} {first:#x}: an earlier row hides it");
            rows.push(row);
        }
        for (first, last, row) in SERVER_SKYLAKES {
            for stepping in *first..=*last {
                assert_eq!(look_up("GenuineIntel", 6, 0x55, stepping, false), Some(*row));
            }
            rows.push(row);
        }
        for row in rows {
            assert!(row.width.is_none_or(|width| (4..=6).contains(&width)), "{row:?}");
            let places = row.width.into_iter().flat_map(|width| [width, 2 * width]);
            assert!(row.nops.is_none_or(|nops| places.clone().any(|one| one == nops)), "{row:?}");
            assert!(row.imul.is_none_or(|imul| (3..=6).contains(&imul)), "{row:?}");
            assert!(!row.name.is_empty() && !row.product.is_empty(), "{row:?}");
            let llvm = [Some(row.llvm), row.llvm_older];
            for name in llvm.into_iter().flatten() {
                let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
                assert!(!name.is_empty() && name.bytes().all(plain), "{row:?}");
            }
            assert_ne!(row.llvm_older, Some(row.llvm), "{row:?}");
        }
    }

    #[test]
    fn models_of_which_the_vendors_changed_the_core_within_a_family_are_told_apart() {
        let amd =
            |family, model| look_up("AuthenticAMD", family, model, 0, false).map(|one| (one.name, one.llvm));
        assert_eq!(amd(0x15, 0x01), Some(("Bulldozer", "bdver1")));
        assert_eq!(amd(0x15, 0x02), Some(("Piledriver", "bdver2")));
        assert_eq!(amd(0x17, 0x08), Some(("Zen+", "znver1")));
        assert_eq!(amd(0x17, 0x11), Some(("Zen", "znver1")));
        assert_eq!(amd(0x17, 0x71), Some(("Zen 2", "znver2")));
        assert_eq!(amd(0x19, 0x01), Some(("Zen 3", "znver3")));
        assert_eq!(amd(0x19, 0x11), Some(("Zen 4", "znver4")));
        assert_eq!(amd(0x19, 0x44), Some(("Zen 3+", "znver3")));
        assert_eq!(amd(0x19, 0x50), Some(("Zen 3", "znver3")));
        assert_eq!(amd(0x1a, 0x44), Some(("Zen 5", "znver5")));
        // Linux takes these for Zen 6.
        assert_eq!((amd(0x1a, 0x50), amd(0x1a, 0x90), amd(0x1a, 0xc0)), (None, None, None));
    }

    #[test]
    fn steppings_tell_the_server_skylakes_apart() {
        let product = |stepping| look_up("GenuineIntel", 6, 0x55, stepping, false).map(|one| one.product);
        assert_eq!(product(4), Some("Skylake-SP"));
        assert_eq!(product(7), Some("Cascade Lake"));
        assert_eq!(product(11), Some("Cooper Lake"));
    }

    #[test]
    fn the_cores_of_a_hybrid_part_are_told_apart() {
        let name = |model, efficient| look_up("GenuineIntel", 6, model, 2, efficient).map(|one| one.name);
        assert_eq!((name(0x97, false), name(0x97, true)), (Some("Golden Cove"), Some("Gracemont")));
        assert_eq!((name(0xb5, false), name(0xb5, true)), (Some("Redwood Cove"), Some("Crestmont")));
        assert_eq!((name(0xc6, false), name(0xc6, true)), (Some("Lion Cove"), Some("Skymont")));
        // Not hybrid: there is no efficient core to be had.
        assert_eq!((name(0x8f, false), name(0x8f, true)), (Some("Golden Cove"), None));
    }

    #[test]
    fn what_is_not_known_is_not_guessed() {
        assert_eq!(look_up("GenuineIntel", 6, 0xfe, 0, false), None);
        assert_eq!(look_up("GenuineIntel", 15, 4, 0, false), None);
        assert_eq!(look_up("GenuineIntel", 6, 0x55, 16, false), None);
        assert_eq!(look_up("CentaurHauls", 7, 0x3b, 0, false), None);
        assert_eq!(look_up("", 0, 0, 0, false), None);
    }
}
