//! Is this the core that its model number names? A hypervisor may tell guests another number; instruction sets that the named design
//! never had give it away, and say which design is the oldest that it can be.
//!
//! Which designs have an instruction set is told by Intel's Architecture Instruction Set Extensions reference and by LLVM's
//! `X86TargetParser.cpp`.

use super::microarchitecture::{Microarchitecture, core};
use super::sources::Cpuid;

/// A model number that is not this core's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misnamed {
    /// The design that the model number names.
    pub named: &'static str,
    /// An instruction set that CPUID has and that design has not.
    pub has: &'static str,
}

/// An instruction set, and what came with it.
struct Since {
    name: &'static str,
    /// Leaf, subleaf, register (0 EAX, 1 EBX, 2 ECX, 3 EDX), bit.
    place: (u32, u32, usize, u32),
    /// Designs, or products where they differ, that have this one and may have those further down, and none of those further up.
    designs: &'static [&'static str],
    /// What is known of a core that has this one, if anything is: its successors are like it in that.
    least: Option<Microarchitecture>,
}

const UNTOLD: &str = "not told by its model number";

const fn since(
    name: &'static str,
    place: (u32, u32, usize, u32),
    designs: &'static [&'static str],
    least: Option<Microarchitecture>,
) -> Since {
    Since { name, place, designs, least }
}

/// Newest first.
const INTEL: &[Since] = &[
    since(
        "AVX10",
        (7, 1, 3, 19),
        &["Granite Rapids", "Granite Rapids-D", "Diamond Rapids"],
        Some(
            core("Redwood Cove or later", UNTOLD, "graniterapids")
                .once("sapphirerapids")
                .at_least(6)
                .multiplies_in(3),
        ),
    ),
    since(
        "AMX-TILE",
        (7, 0, 3, 24),
        &["Sapphire Rapids", "Emerald Rapids"],
        Some(core("Golden Cove or later", UNTOLD, "sapphirerapids").at_least(6).multiplies_in(3)),
    ),
    since(
        "AVX-VNNI",
        (7, 1, 0, 4),
        &[
            "Golden Cove",
            "Raptor Cove",
            "Redwood Cove",
            "Lion Cove",
            "Cougar Cove",
            "Gracemont",
            "Crestmont",
            "Skymont",
            "Darkmont",
        ],
        None,
    ),
    since(
        "AVX512_VBMI2",
        (7, 0, 2, 6),
        &["Sunny Cove", "Willow Cove", "Cypress Cove"],
        Some(core("Sunny Cove or later", UNTOLD, "icelake-server").at_least(5).multiplies_in(3)),
    ),
    since(
        "AVX512BW",
        (7, 0, 1, 30),
        &["Skylake-SP", "Cascade Lake", "Cooper Lake", "Palm Cove"],
        Some(core("Skylake-SP or later", UNTOLD, "skylake-avx512").at_least(4).multiplies_in(3)),
    ),
    since(
        "AVX2",
        (7, 0, 1, 5),
        &["Haswell", "Broadwell", "Skylake", "Knights Landing", "Knights Mill"],
        None,
    ),
    since("AVX", (1, 0, 2, 28), &["Sandy Bridge", "Ivy Bridge"], None),
];

const AMD: &[Since] = &[
    since(
        "AVX-VNNI",
        (7, 1, 0, 4),
        &["Zen 5", "Zen 5c"],
        Some(core("Zen 5 or later", UNTOLD, "znver5").once("znver4").multiplies_in(3)),
    ),
    since(
        "AVX512BW",
        (7, 0, 1, 30),
        &["Zen 4", "Zen 4c"],
        Some(core("Zen 4 or later", UNTOLD, "znver4").multiplies_in(3)),
    ),
    since(
        "VAES",
        (7, 0, 2, 9),
        &["Zen 3", "Zen 3+"],
        Some(core("Zen 3 or later", UNTOLD, "znver3").at_least(6).multiplies_in(3)),
    ),
    since("AVX2", (7, 0, 1, 5), &["Zen", "Zen+", "Zen 2", "Excavator"], None),
    since("AVX", (1, 0, 2, 28), &["Bulldozer", "Piledriver", "Steamroller", "Jaguar", "Puma"], None),
];

/// What is wrong with `named`, and what the core is as far as can be told; `None` where nothing speaks against it. Absent instruction
/// sets never do: hypervisors hide them as they like.
pub(super) fn uncover(
    named: &Microarchitecture,
    vendor: &str,
    cpuid: &dyn Cpuid,
) -> Option<(Misnamed, Option<Microarchitecture>)> {
    let ages = match vendor {
        "GenuineIntel" => INTEL,
        "AuthenticAMD" => AMD,
        _ => return None,
    };
    let is_named = |age: &Since| age.designs.contains(&named.name) || age.designs.contains(&named.product);
    ages.iter()
        .take_while(|age| !is_named(age))
        .find(|age| has(cpuid, age.place))
        .map(|age| (Misnamed { named: named.name, has: age.name }, age.least))
}

fn has(cpuid: &dyn Cpuid, (leaf, subleaf, register, bit): (u32, u32, usize, u32)) -> bool {
    let told = |leaf, subleaf| cpuid.leaf(leaf, subleaf);
    let is_there = leaf <= told(0, 0)[0] && subleaf <= if leaf == 7 { told(7, 0)[0] } else { 0 };
    is_there && told(leaf, subleaf)[register] >> bit & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::super::Recording;
    use super::super::microarchitecture::look_up;
    use super::*;

    const VENDORS: [(&str, &[Since]); 2] = [("GenuineIntel", INTEL), ("AuthenticAMD", AMD)];

    /// CPUID of a core that has these instruction sets, and no others.
    fn having<'a>(sets: impl IntoIterator<Item = &'a Since>) -> Recording {
        let mut leaves = [((0, 0), [7, 0, 0, 0]), ((1, 0), [0; 4]), ((7, 0), [1, 0, 0, 0]), ((7, 1), [0; 4])];
        for Since { place: (leaf, subleaf, register, bit), .. } in sets {
            for (_, registers) in leaves.iter_mut().filter(|(at, _)| *at == (*leaf, *subleaf)) {
                registers[*register] |= 1 << bit;
            }
        }
        leaves.into_iter().fold(Recording::default(), |all, ((leaf, subleaf), registers)| {
            all.with_leaf(leaf, subleaf, registers)
        })
    }

    /// All designs of a vendor.
    fn designs(vendor: &str) -> Vec<Microarchitecture> {
        let mut found = Vec::new();
        for family in 0..0x20 {
            for (model, stepping) in (0..=255).flat_map(|model| [(model, 0), (model, 7), (model, 11)]) {
                for efficient in [false, true] {
                    found.extend(look_up(vendor, family, model, stepping, efficient));
                }
            }
        }
        found
    }

    fn age_of(ages: &[Since], design: &Microarchitecture) -> Option<usize> {
        ages.iter()
            .position(|age| age.designs.contains(&design.name) || age.designs.contains(&design.product))
    }

    #[test]
    fn what_is_listed_is_known_and_listed_once() {
        for (vendor, ages) in VENDORS {
            let known = designs(vendor);
            let listed: Vec<&str> = ages.iter().flat_map(|age| age.designs.iter().copied()).collect();
            for name in &listed {
                assert!(known.iter().any(|one| one.name == *name || one.product == *name), "{name}");
                assert_eq!(listed.iter().filter(|one| *one == name).count(), 1, "{name}");
            }
            // What has AVX is found in some line: its own instruction sets must not speak against it.
            for name in known.iter().filter(|one| one.width.is_some()).map(|one| one.name) {
                let before_avx = ["Core", "Penryn", "Nehalem", "Westmere"].contains(&name);
                let found =
                    known.iter().filter(|one| one.name == name).all(|one| age_of(ages, one).is_some());
                assert_eq!(found, !before_avx, "{name}");
            }
        }
    }

    #[test]
    fn a_core_with_what_its_design_has_is_believed_and_one_with_more_is_not() {
        for (vendor, ages) in VENDORS {
            for design in designs(vendor) {
                let age = age_of(ages, &design).unwrap_or(ages.len());
                assert_eq!(uncover(&design, vendor, &having(&ages[age..])), None, "{design:?}");
                assert_eq!(uncover(&design, vendor, &having([])), None, "{design:?}");
                for newer in &ages[..age] {
                    let found = uncover(&design, vendor, &having([newer]));
                    let misnamed = Misnamed { named: design.name, has: newer.name };
                    assert_eq!(found, Some((misnamed, newer.least)), "{design:?}");
                }
                if age > 0 {
                    let (newest, least) = uncover(&design, vendor, &having(ages)).unwrap();
                    assert_eq!((newest.has, least), (ages[0].name, ages[0].least), "{design:?}");
                }
            }
        }
    }

    #[test]
    fn what_may_be_a_successor_claims_no_width() {
        for least in VENDORS.iter().flat_map(|(_, ages)| ages.iter().filter_map(|age| age.least)) {
            assert_eq!(least.width, None, "{least:?}");
            assert!(least.name.ends_with(" or later") && least.imul == Some(3), "{least:?}");
        }
    }

    #[test]
    fn leaves_that_are_not_there_say_nothing() {
        let named = look_up("GenuineIntel", 6, 0x3f, 2, false).unwrap();
        let all = having(INTEL);
        assert!(uncover(&named, "GenuineIntel", &all).is_some());
        // Beyond the last leaf Intel's cores repeat another one.
        let short = all.clone().with_leaf(0, 0, [4, 0, 0, 0]).with_leaf(1, 0, [0; 4]);
        assert_eq!(uncover(&named, "GenuineIntel", &short), None);
        let no_subleaf = having([&INTEL[0], &INTEL[2]]).with_leaf(7, 0, [0; 4]);
        assert_eq!(uncover(&named, "GenuineIntel", &no_subleaf), None);
        assert_eq!(uncover(&named, "HygonGenuine", &all), None);
    }
}
