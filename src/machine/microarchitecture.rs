//! Which core design is this? By vendor, family, model and stepping, with what is published of each.
//!
//! Models are those of the Linux kernel's `intel-family.h` and `amd.c` and of LLVM's `Host.cpp`; widths and multiply latencies those of
//! Agner Fog's microarchitecture manual and instruction tables, of uops.info and of the vendors' optimization guides.

/// A core design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Microarchitecture {
    /// The core's name: Zen 3, Golden Cove.
    pub name: &'static str,
    /// The product line, where the same core has several: Sapphire Rapids, Alder Lake.
    pub product: &'static str,
    /// What LLVM calls it (`-mcpu`).
    pub llvm: &'static str,
    /// NOPs that it issues in a cycle while it is alone, if known.
    pub width: Option<u8>,
    /// Latency of `imul r64, r64` in cycles, if known.
    pub imul: Option<u8>,
}

const fn core(
    name: &'static str,
    product: &'static str,
    llvm: &'static str,
    width: u8,
    imul: u8,
) -> Microarchitecture {
    Microarchitecture { name, product, llvm, width: Some(width), imul: Some(imul) }
}

/// A core of which one of the figures is not known for certain: how many NOPs it issues was not measured, and a wrong width would
/// call every moment contended.
const fn partly_known(
    name: &'static str,
    product: &'static str,
    llvm: &'static str,
    width: Option<u8>,
    imul: Option<u8>,
) -> Microarchitecture {
    Microarchitecture { name, product, llvm, width, imul }
}

/// Intel's models of family 6.
const INTEL: &[(&[u8], Microarchitecture)] = &[
    (&[0x0f, 0x16, 0x17, 0x1d], core("Core", "Core 2", "core2", 4, 5)),
    (&[0x1a, 0x1e, 0x1f, 0x2e], core("Nehalem", "Nehalem", "nehalem", 4, 3)),
    (&[0x25, 0x2c, 0x2f], core("Westmere", "Westmere", "westmere", 4, 3)),
    (&[0x2a, 0x2d], core("Sandy Bridge", "Sandy Bridge", "sandybridge", 4, 3)),
    (&[0x3a, 0x3e], core("Ivy Bridge", "Ivy Bridge", "ivybridge", 4, 3)),
    (&[0x3c, 0x3f, 0x45, 0x46], core("Haswell", "Haswell", "haswell", 4, 3)),
    (&[0x3d, 0x47, 0x4f, 0x56], core("Broadwell", "Broadwell", "broadwell", 4, 3)),
    (&[0x4e, 0x5e], core("Skylake", "Skylake", "skylake", 4, 3)),
    (&[0x8e, 0x9e], core("Skylake", "Kaby Lake or Coffee Lake", "skylake", 4, 3)),
    (&[0xa5, 0xa6], core("Skylake", "Comet Lake", "skylake", 4, 3)),
    (&[0x66], core("Palm Cove", "Cannon Lake", "cannonlake", 4, 3)),
    (&[0x7d, 0x7e], core("Sunny Cove", "Ice Lake client", "icelake-client", 5, 3)),
    (&[0x6a, 0x6c], core("Sunny Cove", "Ice Lake-SP", "icelake-server", 5, 3)),
    (&[0x8c, 0x8d], core("Willow Cove", "Tiger Lake", "tigerlake", 5, 3)),
    (&[0xa7], core("Cypress Cove", "Rocket Lake", "rocketlake", 5, 3)),
    (&[0x97, 0x9a], core("Golden Cove", "Alder Lake", "alderlake", 6, 3)),
    (&[0xb7, 0xba, 0xbf], core("Raptor Cove", "Raptor Lake", "raptorlake", 6, 3)),
    (&[0x8f], core("Golden Cove", "Sapphire Rapids", "sapphirerapids", 6, 3)),
    (&[0xcf], core("Raptor Cove", "Emerald Rapids", "emeraldrapids", 6, 3)),
    (&[0xaa, 0xac], core("Redwood Cove", "Meteor Lake", "meteorlake", 6, 3)),
    (&[0xad, 0xae], core("Redwood Cove", "Granite Rapids", "graniterapids", 6, 3)),
    (&[0xc5, 0xc6, 0xb5], partly_known("Lion Cove", "Arrow Lake", "arrowlake", None, Some(3))),
    (&[0xbd], partly_known("Lion Cove", "Lunar Lake", "lunarlake", None, Some(3))),
    (&[0xbe], partly_known("Gracemont", "Alder Lake-N", "gracemont", None, Some(5))),
    (&[0xaf], partly_known("Crestmont", "Sierra Forest", "sierraforest", None, None)),
    (
        &[0x37, 0x4a, 0x4c, 0x4d, 0x5a, 0x5d],
        partly_known("Silvermont", "Silvermont", "silvermont", None, Some(5)),
    ),
    (&[0x5c, 0x5f], partly_known("Goldmont", "Goldmont", "goldmont", None, Some(5))),
    (&[0x7a], partly_known("Goldmont Plus", "Goldmont Plus", "goldmont-plus", None, Some(5))),
    (&[0x86, 0x96, 0x9c], partly_known("Tremont", "Tremont", "tremont", None, Some(5))),
];

/// The efficient core of hybrid parts, by the performance core's models.
const INTEL_EFFICIENT: &[(&[u8], Microarchitecture)] = &[
    (&[0x97, 0x9a], partly_known("Gracemont", "Alder Lake", "alderlake", None, Some(5))),
    (&[0xb7, 0xba, 0xbf], partly_known("Gracemont", "Raptor Lake", "raptorlake", None, Some(5))),
    (&[0xaa, 0xac], partly_known("Crestmont", "Meteor Lake", "meteorlake", None, None)),
    (&[0xc5, 0xc6, 0xb5], partly_known("Skymont", "Arrow Lake", "arrowlake", None, None)),
    (&[0xbd], partly_known("Skymont", "Lunar Lake", "lunarlake", None, None)),
];

/// AMD's and Hygon's models: family, first and last model.
const AMD: &[(u8, u8, u8, Microarchitecture)] = &[
    (0x10, 0x00, 0xff, partly_known("K10", "K10", "amdfam10", None, Some(4))),
    (0x15, 0x00, 0x0f, partly_known("Bulldozer", "Bulldozer", "bdver1", None, Some(6))),
    (0x15, 0x10, 0x2f, partly_known("Piledriver", "Piledriver", "bdver2", None, Some(6))),
    (0x15, 0x30, 0x5f, partly_known("Steamroller", "Steamroller", "bdver3", None, Some(6))),
    (0x15, 0x60, 0x7f, partly_known("Excavator", "Excavator", "bdver4", None, Some(6))),
    (0x17, 0x08, 0x08, core("Zen+", "Pinnacle Ridge", "znver1", 5, 3)),
    (0x17, 0x18, 0x18, core("Zen+", "Picasso", "znver1", 5, 3)),
    (0x17, 0x00, 0x2f, core("Zen", "Zen", "znver1", 5, 3)),
    (0x17, 0x30, 0xff, core("Zen 2", "Zen 2", "znver2", 5, 3)),
    (0x18, 0x00, 0xff, core("Zen", "Hygon Dhyana", "znver1", 5, 3)),
    (0x19, 0x00, 0x0f, core("Zen 3", "Milan", "znver3", 6, 3)),
    (0x19, 0x20, 0x5f, core("Zen 3", "Vermeer or Cezanne", "znver3", 6, 3)),
    (0x19, 0x10, 0x1f, core("Zen 4", "Genoa", "znver4", 6, 3)),
    (0x19, 0x60, 0xaf, core("Zen 4", "Raphael, Phoenix or Bergamo", "znver4", 6, 3)),
    (0x1a, 0x00, 0xff, partly_known("Zen 5", "Zen 5", "znver5", None, Some(3))),
];

/// Skylake's server part changed its name with its stepping.
const SERVER_SKYLAKE: u8 = 0x55;

/// The design of a core, if known. `efficient` says that it is the efficient core of a hybrid part.
pub(super) fn look_up(
    vendor: &str,
    family: u8,
    model: u8,
    stepping: u8,
    efficient: bool,
) -> Option<Microarchitecture> {
    let of = |table: &[(&[u8], Microarchitecture)]| {
        table.iter().find(|(models, _)| models.contains(&model)).map(|(_, found)| *found)
    };
    match vendor {
        "GenuineIntel" if family == 6 && model == SERVER_SKYLAKE => Some(match stepping {
            0..=4 => core("Skylake", "Skylake-SP", "skylake-avx512", 4, 3),
            5..=9 => core("Skylake", "Cascade Lake", "cascadelake", 4, 3),
            _ => core("Skylake", "Cooper Lake", "cooperlake", 4, 3),
        }),
        "GenuineIntel" if family == 6 && efficient => of(INTEL_EFFICIENT),
        "GenuineIntel" if family == 6 => of(INTEL),
        "AuthenticAMD" | "HygonGenuine" => AMD
            .iter()
            .find(|(of_family, first, last, _)| *of_family == family && (*first..=*last).contains(&model))
            .map(|(.., found)| *found),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_reached_and_says_something_possible() {
        for (models, row) in INTEL {
            for model in *models {
                assert_eq!(look_up("GenuineIntel", 6, *model, 1, false), Some(*row), "{model:#x}");
            }
        }
        for (models, row) in INTEL_EFFICIENT {
            for model in *models {
                assert_eq!(look_up("GenuineIntel", 6, *model, 1, true), Some(*row), "{model:#x}");
            }
        }
        for (family, first, last, row) in AMD {
            for vendor in ["AuthenticAMD", "HygonGenuine"] {
                assert_eq!(look_up(vendor, *family, *last, 0, false), Some(*row), "{family:#x} {last:#x}");
                assert!(first <= last);
            }
        }
        let rows = INTEL.iter().chain(INTEL_EFFICIENT).map(|(_, row)| row);
        for row in rows.chain(AMD.iter().map(|(.., row)| row)) {
            assert!(row.width.is_none_or(|width| (4..=6).contains(&width)), "{row:?}");
            assert!(row.imul.is_none_or(|imul| (3..=6).contains(&imul)), "{row:?}");
            assert!(!row.llvm.contains(' ') && row.llvm == row.llvm.to_lowercase(), "{row:?}");
        }
    }

    #[test]
    fn steppings_tell_the_server_skylakes_apart() {
        let product = |stepping| look_up("GenuineIntel", 6, 0x55, stepping, false).unwrap().product;
        assert_eq!((product(4), product(7), product(11)), ("Skylake-SP", "Cascade Lake", "Cooper Lake"));
    }

    #[test]
    fn what_is_not_known_is_not_guessed() {
        assert_eq!(look_up("GenuineIntel", 6, 0xfe, 0, false), None);
        assert_eq!(look_up("GenuineIntel", 15, 4, 0, false), None);
        assert_eq!(look_up("CentaurHauls", 7, 0x3b, 0, false), None);
        assert_eq!(look_up("", 0, 0, 0, false), None);
    }
}
