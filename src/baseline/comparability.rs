//! What besides the code differs between two records? Machine, core, build, clock and settings, each with both values.

use std::fmt;

use crate::order;
use crate::record::Named;
use crate::record::{Build, Calibration, Machine, Record, Scalar, inert};

/// How much a difference matters to a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Weight {
    /// The comparison may be one of this rather than of the code: it is made, and this is said.
    Warn,
    /// The comparison would be one of this: it is not made.
    Refuse,
}

impl Weight {
    /// As JSON spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warn => "warn",
            Self::Refuse => "refuse",
        }
    }
}

/// Something in which two records differ besides their results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs, for example `microarchitecture`.
    pub name: String,
    /// What the older record says.
    pub old: String,
    /// What the newer record says.
    pub new: String,
    /// How much it matters.
    pub weight: Weight,
}

/// `kernel differs: 6.1.0 in the baseline, 6.8.0 now`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, old, new, .. } = self;
        write!(f, "{} differs: {} in the baseline, {} now", inert(name), inert(old), inert(new))
    }
}

/// What a side says that says nothing.
const UNKNOWN: &str = "not recorded";

/// Settings that decide what an estimate means, with what holds where a record does not name them.
const SETTINGS: [(&str, &str); 5] = [
    ("target_percentile", ""),
    ("mode", "adaptive"),
    ("best_of", "false"),
    ("placements", "1"),
    ("processes", "1"),
];

/// Everything that differs between two records and bears on comparing their results; what refuses a comparison comes first.
///
/// Refused: another schema, vendor, microarchitecture or core type; ticks against core cycles; a debug build against a
/// release build. All else warns: model, brand, hypervisor, kernel and whatever else the machine's fingerprint holds, source of
/// the cycles, optimization level, compiler, flags, target and its features, version of fencepost, a run that was cut short,
/// and the settings on which the estimate depends (percentile, mode, placements, processes).
///
/// ```
/// use fencepost::baseline::{Weight, comparability};
/// use fencepost::record::{Build, Record};
/// let built = |profile: &str| Record {
///     build: Build { profile: profile.into(), ..Default::default() },
///     ..Default::default()
/// };
/// let differences = comparability(&built("release"), &built("debug"));
/// assert_eq!(differences[0].to_string(), "build profile differs: release in the baseline, debug now");
/// assert_eq!(differences[0].weight, Weight::Refuse);
/// ```
pub fn comparability(old: &Record, new: &Record) -> Vec<Difference> {
    let mut found = Found(Vec::new());
    found.decides("schema", old.schema.as_str(), new.schema.as_str());
    machine(&mut found, &old.machine, &new.machine);
    clock(&mut found, &old.calibration, &new.calibration);
    build(&mut found, &old.build, &new.build);
    for (name, default) in SETTINGS {
        let [old, new] = [old, new].map(|record| match record.settings.get(name) {
            None | Some(Scalar::Null) => default.to_owned(),
            Some(value) => value.to_string(),
        });
        found.warns(name, &old, &new);
    }
    let extent = |record: &Record| if record.complete { "the whole run" } else { "a run that was cut short" };
    found.warns("extent", extent(old), extent(new));
    let Found(differences) = found;
    order::by(differences, &|one, other| other.weight.cmp(&one.weight))
}

struct Found(Vec<Difference>);

impl Found {
    /// What refuses a comparison if both sides say it and differ. Where one says nothing, nothing says that they differ.
    fn decides(&mut self, name: &str, old: &str, new: &str) {
        let known = !old.is_empty() && !new.is_empty();
        self.push(name, old, new, if known { Weight::Refuse } else { Weight::Warn });
    }

    fn warns(&mut self, name: &str, old: &str, new: &str) {
        self.push(name, old, new, Weight::Warn);
    }

    fn push(&mut self, name: &str, old: &str, new: &str, weight: Weight) {
        if old != new {
            let said = |text: &str| if text.is_empty() { UNKNOWN.to_owned() } else { text.to_owned() };
            self.0.push(Difference { name: name.to_owned(), old: said(old), new: said(new), weight });
        }
    }
}

fn machine(found: &mut Found, old: &Machine, new: &Machine) {
    let (old, new) = (fingerprint(old), fingerprint(new));
    let names: Named<()> = old.keys().chain(new.keys()).map(|name| (name.to_owned(), ())).collect();
    for name in names.keys() {
        let [old, new] = [&old, &new].map(|side| side.get(name).map_or("", String::as_str));
        match name {
            "vendor" | "microarchitecture" => found.decides(name, old, new),
            _ => found.warns(name, old, new),
        }
    }
}

/// The machine's fingerprint; what it leaves out is taken from the fields that say the same.
fn fingerprint(machine: &Machine) -> Named<String> {
    let fields = [
        ("vendor", machine.vendor.clone()),
        ("cpu", format!("{:#x}/{:#x}/{:#x}", machine.family, machine.model, machine.stepping)),
        ("brand", machine.brand.clone()),
        ("microarchitecture", machine.microarchitecture.clone().unwrap_or_default()),
        ("hypervisor", machine.hypervisor.clone().unwrap_or_else(|| "none".to_owned())),
        ("kernel", machine.kernel.clone()),
        ("cpus", machine.cpus.to_string()),
    ];
    let mut all = Named::from(fields);
    all.extend(machine.fingerprint.iter().map(|(name, value)| (name.to_owned(), value.clone())));
    all
}

fn clock(found: &mut Found, old: &Calibration, new: &Calibration) {
    let name = |source: &Option<String>| source.clone().unwrap_or_else(|| "none, ticks only".to_owned());
    let (before, after) = (name(&old.cycle_source), name(&new.cycle_source));
    if old.cycle_source.is_some() == new.cycle_source.is_some() {
        found.warns("cycle source", &before, &after);
    } else {
        found.decides("cycle source", &before, &after);
    }
    // An E core is another machine than the P core beside it.
    let kind = |kind: &Option<String>| kind.clone().unwrap_or_default();
    found.decides("core type", &kind(&old.core_type), &kind(&new.core_type));
}

fn build(found: &mut Found, old: &Build, new: &Build) {
    found.decides("build profile", &old.profile, &new.profile);
    found.warns("opt-level", &old.opt_level, &new.opt_level);
    found.warns("rustc", &old.rustc, &new.rustc);
    let none_if_empty = |text: &str| if text.is_empty() { "none".to_owned() } else { text.to_owned() };
    found.warns("flags", &none_if_empty(&old.flags), &none_if_empty(&new.flags));
    found.warns("target", &old.target, &new.target);
    found.warns("fencepost", &old.fencepost, &new.fencepost);
    // Of two long lists only what one of them has alone.
    let set = |list: &str| -> Named<()> {
        let parts = list.split(',').map(str::trim).filter(|one| !one.is_empty());
        parts.map(|one| (one.to_owned(), ())).collect()
    };
    let (old, new) = (set(&old.target_features), set(&new.target_features));
    let alone = |this: &Named<()>, other: &Named<()>| {
        let alone: Vec<&str> = this.keys().filter(|name| !other.contains_key(name)).collect();
        if alone.is_empty() { "none more".to_owned() } else { alone.join(",") }
    };
    found.warns("target features", &alone(&old, &new), &alone(&new, &old));
}
