//! What was meant by an option that there is not? One of a feature, of another harness, or a slip.

use super::super::nearest::nearest;
use super::super::options::{Section, all};
use super::{SEE_HELP, wrong};
use crate::error::Error;
use crate::record::inert;

/// Options that are there with a feature only, and the feature.
pub(super) const OF_FEATURES: &[(&str, &[&str])] = &[
    ("predict", &["mca", "mcpu", "llvm-mca", "show-loop"]),
    (
        "cachegrind",
        &[
            "jobs",
            "cache",
            "branch-sim",
            "weights",
            "explain",
            "annotate",
            "calibrate",
            "allow-aslr",
            "time-limit",
        ],
    ),
];

/// What other harnesses call an option, and what comes nearest to it here.
pub(super) const ELSEWHERE: &[(&str, &str)] = &[
    ("measurement-time", "max-secs"),
    ("max-time", "max-secs"),
    ("min-time", "min-secs"),
    ("sample-size", "min-samples"),
    ("sample-count", "min-samples"),
    ("output-format", "format"),
    ("noplot", "quiet"),
    ("load-baseline", "baseline"),
    ("noise-threshold", "limit"),
];

pub(super) fn needs(what: &str, feature: &str) -> Error {
    wrong(format!("{what} needs the feature {feature}"))
        .because("this bench binary was built without it")
        .remedy(format!("add features = [\"{feature}\"] to fencepost in Cargo.toml"))
}

pub(super) fn no_option(name: &str) -> Error {
    if let Some((feature, _)) = OF_FEATURES.iter().find(|(_, options)| options.contains(&name)) {
        return needs(&format!("--{name}"), feature);
    }
    if let Some((_, here)) = ELSEWHERE.iter().find(|(elsewhere, _)| *elsewhere == name) {
        return wrong(format!("there is no option \"--{name}\""))
            .because("it is another harness's")
            .remedy(format!("what comes nearest is --{here}; {SEE_HELP}"));
    }
    let known = all().filter(|spec| spec.section != Section::Ignored).map(|spec| spec.long);
    wrong(format!("there is no option \"--{}\"", inert(name))).remedy(match nearest(name, known) {
        Some(meant) => format!("did you mean --{meant}? {SEE_HELP}"),
        None => SEE_HELP.to_owned(),
    })
}
