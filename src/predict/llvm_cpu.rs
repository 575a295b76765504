//! What does this LLVM call a CPU that it may be too old to know? The nearest older design that it knows, and what to say of it.

#![forbid(unsafe_code)]

use crate::machine::Microarchitecture;

/// From newer to older, one line a family of designs.
const LINES: &[&[&str]] = &[
    &["znver6", "znver5", "znver4", "znver3", "znver2", "znver1"],
    &[
        "diamondrapids",
        "graniterapids-d",
        "graniterapids",
        "emeraldrapids",
        "sapphirerapids",
        "icelake-server",
        "cascadelake",
        "skylake-avx512",
    ],
    &[
        "pantherlake",
        "lunarlake",
        "arrowlake-s",
        "arrowlake",
        "meteorlake",
        "raptorlake",
        "alderlake",
        "tigerlake",
        "icelake-client",
        "skylake",
        "broadwell",
        "haswell",
        "sandybridge",
    ],
    &[
        "clearwaterforest",
        "grandridge",
        "sierraforest",
        "gracemont",
        "tremont",
        "goldmont-plus",
        "goldmont",
        "silvermont",
    ],
];

/// The name for `design` among those that are `known`, and a remark where it is not the CPU's own.
pub(super) fn name(design: Option<&Microarchitecture>, known: &[String]) -> (String, Option<String>) {
    let knows = |name: &str| known.iter().any(|one| one == name);
    let Some(design) = design else {
        return (
            "x86-64".to_owned(),
            Some("this CPU's LLVM name is not known: the model is that of a generic x86-64".to_owned()),
        );
    };
    if knows(design.llvm) {
        return (design.llvm.to_owned(), None);
    }
    let older = design.llvm_older.filter(|name| knows(name));
    let in_line = || {
        let line = LINES.iter().find(|line| line.contains(&design.llvm))?;
        line.iter().skip_while(|name| **name != design.llvm).find(|name| knows(name)).copied()
    };
    let chosen = older.or_else(in_line).unwrap_or("x86-64");
    let remark = format!("this LLVM does not know {}: the model is that of {chosen}", design.llvm);
    (chosen.to_owned(), Some(remark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design(llvm: &'static str, llvm_older: Option<&'static str>) -> Microarchitecture {
        Microarchitecture { name: "", product: "", llvm, llvm_older, width: None, nops: None, imul: None }
    }

    #[test]
    fn the_nearest_that_is_known_is_taken_and_said() {
        let known = ["znver3", "sapphirerapids", "skylake"].map(str::to_owned);
        assert_eq!(name(Some(&design("znver3", None)), &known), ("znver3".to_owned(), None));
        let (chosen, remark) = name(Some(&design("znver5", Some("znver4"))), &known);
        assert_eq!(chosen, "znver3");
        assert!(remark.unwrap().contains("does not know znver5"));
        assert_eq!(name(Some(&design("emeraldrapids", Some("sapphirerapids"))), &known).0, "sapphirerapids");
        assert_eq!(name(Some(&design("k8", None)), &known).0, "x86-64");
        assert!(name(None, &known).1.is_some());
    }
}
