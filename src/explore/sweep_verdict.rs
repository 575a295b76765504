//! Is B dearer than A because of its instructions or because of the cache? What the ratio of their costs does from level to level.

use super::levels::{Level, bytes_text};

/// A cost with its interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// The estimate.
    pub value: f64,
    /// Lower end of its interval.
    pub lo: f64,
    /// Upper end of its interval.
    pub hi: f64,
}

impl Cost {
    /// A cost that is known exactly.
    pub fn exact(value: f64) -> Self {
        Self { value, lo: value, hi: value }
    }
}

/// What an element costs two candidates at one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeCost {
    /// The working set, in bytes.
    pub bytes: u64,
    /// The level that it lives in; `None` where no cache is known.
    pub level: Option<Level>,
    /// What an element costs the first candidate, in any unit.
    pub a: Cost,
    /// What it costs the second one, in the same unit.
    pub b: Cost,
}

impl SizeCost {
    /// B's cost over A's, and what the two intervals allow.
    pub fn ratio(&self) -> Cost {
        Cost { value: self.b.value / self.a.value, lo: self.b.lo / self.a.hi, hi: self.b.hi / self.a.lo }
    }
}

/// What makes the dearer one dearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepCause {
    /// Nothing: they cost the same at every size.
    Same,
    /// It executes more, or slower, instructions: dearer where all data are near, by a ratio that does not grow with the level.
    Instructions,
    /// It waits for data: the ratio grows from level to level.
    Cache,
    /// The sizes do not tell.
    Unclear,
}

/// `same`, `instructions`, `cache`, `unclear`.
impl std::fmt::Display for SweepCause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Same => "same",
            Self::Instructions => "instructions",
            Self::Cache => "cache",
            Self::Unclear => "unclear",
        })
    }
}

/// A verdict with its reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepVerdict {
    /// What makes the dearer one dearer.
    pub cause: SweepCause,
    /// B's cost over A's in the middle of each level's sizes, nearest level first.
    pub by_level: Vec<(String, Cost)>,
    /// Why, one sentence each.
    pub reasons: Vec<String>,
}

/// Costs that differ by less are the same.
const SAME: f64 = 0.03;
/// How much of itself a ratio must gain from the nearest level to another before it grows.
const GROWS: f64 = 1.25;
/// How much it may change and still be called flat.
const FLAT: f64 = 1.10;

/// Judges what `points`, one a size of growing sizes, say of two candidates called `a` and `b`.
///
/// ```
/// use fencepost::explore::{Cost, Level, SizeCost, SweepCause, judge_sweep};
/// let at = |bytes, level, a, b| SizeCost { bytes, level: Some(level), a: Cost::exact(a), b: Cost::exact(b) };
/// let points = [
///     at(16 << 10, Level::Cache(1), 0.25, 0.26),
///     at(512 << 10, Level::Cache(2), 0.26, 0.60),
///     at(64 << 20, Level::Ram, 0.80, 8.00),
/// ];
/// let verdict = judge_sweep(&points, "sum", "strided");
/// assert_eq!(verdict.cause, SweepCause::Cache);
/// println!("{}", verdict.reasons.join(" "));
/// ```
pub fn judge_sweep(points: &[SizeCost], a: &str, b: &str) -> SweepVerdict {
    let usable = |cost: &Cost| cost.value > 0.0 && cost.lo > 0.0 && cost.hi.is_finite() && cost.lo <= cost.hi;
    let kept: Vec<SizeCost> =
        points.iter().copied().filter(|point| usable(&point.a) && usable(&point.b)).collect();
    let mut reasons = Vec::new();
    if kept.len() < points.len() {
        reasons.push(format!(
            "{} of {} sizes have no cost to compare.",
            points.len() - kept.len(),
            points.len()
        ));
    }
    let groups = grouped(&kept);
    let by_level: Vec<(String, Cost)> =
        groups.iter().map(|(name, points)| (name.clone(), typical(points))).collect();
    let verdict = |cause, reasons| SweepVerdict { cause, by_level: by_level.clone(), reasons };
    let Some((near_name, near)) = by_level.first().cloned() else {
        reasons.push("There is no size at which both have a cost.".to_owned());
        return verdict(SweepCause::Unclear, reasons);
    };
    if by_level
        .iter()
        .all(|(_, ratio)| (ratio.value - 1.0).abs() <= SAME || (ratio.lo <= 1.0 && 1.0 <= ratio.hi))
    {
        reasons.push(format!("{b} and {a} cost the same at every level, within {:.0} %.", 100.0 * SAME));
        return verdict(SweepCause::Same, reasons);
    }
    // The question is asked of the one that is dearer on the whole.
    let mean: f64 = by_level.iter().map(|(_, ratio)| ratio.value.ln()).sum::<f64>() / by_level.len() as f64;
    let (dear, cheap, turned) = if mean >= 0.0 { (b, a, false) } else { (a, b, true) };
    let turn = |ratio: Cost| {
        if turned { Cost { value: 1.0 / ratio.value, lo: 1.0 / ratio.hi, hi: 1.0 / ratio.lo } } else { ratio }
    };
    let near = turn(near);
    let far = by_level[1..]
        .iter()
        .map(|(name, ratio)| (name, turn(*ratio)))
        .max_by(|one, other| one.1.value.total_cmp(&other.1.value));
    reasons.push(format!("In {near_name} {dear} costs {:.2} times what {cheap} does.", near.value));
    let Some((far_name, far)) = far else {
        reasons.push(format!(
            "All sizes live in {near_name} (up to {}): larger ones would show whether the ratio grows.",
            bytes_text(kept.last().map_or(0, |point| point.bytes))
        ));
        let told = near.lo > 1.0 + SAME;
        return verdict(if told { SweepCause::Instructions } else { SweepCause::Unclear }, reasons);
    };
    let growth = far.value / near.value;
    let grows = growth >= GROWS && far.lo > near.hi;
    // Of the excess at its largest, which part is there where all data are near, and which comes with the level?
    let excess_near = near.value.max(1.0).ln();
    if grows && growth.ln() >= excess_near {
        reasons.push(format!(
            "In {far_name} it is {:.2} times: the ratio grows {growth:.1} times with the level, so {dear} waits for data.",
            far.value
        ));
        if near.value > FLAT {
            reasons.push("Part of it, the ratio in the nearest level, is instructions.".to_owned());
        }
        return verdict(SweepCause::Cache, reasons);
    }
    if near.value > 1.0 + SAME && near.lo > 1.0 {
        let words = if grows {
            format!(
                "In {far_name} it is {:.2} times: the ratio also grows, yet the larger part is there where all data are near.",
                far.value
            )
        } else if far.value < near.value / FLAT {
            format!(
                "Farther out it is {:.2} times at most: both wait for data there, and the extra work is hidden behind that.",
                far.value
            )
        } else {
            format!(
                "In {far_name} it is {:.2} times: the ratio is flat, so {dear} executes more or dearer instructions.",
                far.value
            )
        };
        reasons.push(words);
        return verdict(SweepCause::Instructions, reasons);
    }
    reasons.push(format!(
        "In {far_name} it is {:.2} times: that neither grows clearly with the level nor stands where all data are near.",
        far.value
    ));
    verdict(SweepCause::Unclear, reasons)
}

/// The points by the level that they live in, nearest first; by thirds of the sizes where no level is known.
fn grouped(points: &[SizeCost]) -> Vec<(String, Vec<SizeCost>)> {
    let known = points.iter().all(|point| point.level.is_some());
    let mut groups: Vec<(String, Vec<SizeCost>)> = Vec::new();
    for (at, point) in points.iter().enumerate() {
        let name = match point.level {
            Some(level) if known => level.to_string(),
            _ => ["the smallest sizes", "the middle sizes", "the largest sizes"]
                [(3 * at / points.len()).min(2)]
            .to_owned(),
        };
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, group)) => group.push(*point),
            None => groups.push((name, vec![*point])),
        }
    }
    groups
}

/// The ratio in the middle of a level's sizes. What has just outgrown the level before is left out where there is more: part of it is
/// still found there.
fn typical(points: &[SizeCost]) -> Cost {
    let settled = if points.len() > 2 { &points[1..] } else { points };
    let middle = |of: fn(&Cost) -> f64| {
        let mut values: Vec<f64> = settled.iter().map(|point| of(&point.ratio())).collect();
        crate::order::sort(&mut values);
        values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
    };
    Cost { value: middle(|ratio| ratio.value), lo: middle(|ratio| ratio.lo), hi: middle(|ratio| ratio.hi) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVELS: [(u64, Level); 4] = [
        (48 << 10, Level::Cache(1)),
        (2 << 20, Level::Cache(2)),
        (32 << 20, Level::Cache(3)),
        (u64::MAX, Level::Ram),
    ];

    fn level(bytes: u64) -> Option<Level> {
        LEVELS.iter().find(|(size, _)| bytes <= *size).map(|(_, level)| *level)
    }

    /// Costs by level as given, with noise of `noise` and intervals of that width.
    fn made(a: [f64; 4], b: [f64; 4], noise: f64, seed: u64) -> Vec<SizeCost> {
        let mut random = oorandom::Rand64::new(u128::from(seed));
        let mut cost = |values: [f64; 4], level: Level| {
            let at = LEVELS.iter().position(|(_, known)| *known == level).unwrap();
            let value = values[at] * (1.0 + noise * (2.0 * random.rand_float() - 1.0));
            Cost { value, lo: value * (1.0 - noise), hi: value * (1.0 + noise) }
        };
        (10..28)
            .map(|power| {
                let bytes = 1u64 << power;
                let level = level(bytes).unwrap();
                SizeCost { bytes, level: Some(level), a: cost(a, level), b: cost(b, level) }
            })
            .collect()
    }

    #[test]
    fn known_causes_are_found_through_noise() {
        let sum = [0.25, 0.26, 0.4, 0.8];
        let cases = [
            ("twice the work everywhere", [0.5, 0.52, 0.8, 1.6], SweepCause::Instructions),
            ("more work that memory hides", [1.0, 1.0, 1.0, 1.0], SweepCause::Instructions),
            ("a stride", [0.27, 0.7, 2.0, 8.0], SweepCause::Cache),
            ("a stride that also decodes worse", [0.4, 0.9, 2.5, 8.0], SweepCause::Cache),
            ("the same", sum, SweepCause::Same),
            ("much more work and a little waiting", [2.5, 2.6, 4.0, 12.0], SweepCause::Instructions),
        ];
        for (what, b, cause) in cases {
            for seed in 0..50 {
                for noise in [0.0, 0.004, 0.02] {
                    let found = judge_sweep(&made(sum, b, noise, seed), "sum", "other");
                    assert_eq!(found.cause, cause, "{what}, seed {seed}, noise {noise}: {found:?}");
                    // Who is called A does not matter.
                    let turned = judge_sweep(&made(b, sum, noise, seed), "other", "sum");
                    assert_eq!(turned.cause, cause, "{what} turned, seed {seed}: {turned:?}");
                }
            }
        }
    }

    #[test]
    fn sizes_of_one_level_do_not_tell_of_the_cache() {
        let points: Vec<SizeCost> =
            made([1.0; 4], [2.0; 4], 0.01, 1).into_iter().filter(|point| point.bytes <= 32 << 10).collect();
        let found = judge_sweep(&points, "a", "b");
        assert_eq!(found.cause, SweepCause::Instructions);
        assert!(found.reasons.join(" ").contains("larger ones would show"), "{found:?}");
    }

    #[test]
    fn where_no_cache_is_known_the_sizes_themselves_are_grouped() {
        let points: Vec<SizeCost> = made([1.0, 1.0, 1.0, 1.0], [1.0, 2.0, 4.0, 9.0], 0.0, 1)
            .into_iter()
            .map(|point| SizeCost { level: None, ..point })
            .collect();
        let found = judge_sweep(&points, "a", "b");
        assert_eq!(found.cause, SweepCause::Cache, "{found:?}");
        assert_eq!(found.by_level[0].0, "the smallest sizes");
    }

    #[test]
    fn costs_that_are_none_are_left_out_and_said() {
        let mut points = made([1.0; 4], [2.0; 4], 0.0, 1);
        points[3].a = Cost::default();
        points[4].b = Cost::exact(f64::NAN);
        let found = judge_sweep(&points, "a", "b");
        assert_eq!(found.cause, SweepCause::Instructions);
        assert!(found.reasons[0].starts_with("2 of 18"), "{found:?}");
        assert_eq!(judge_sweep(&[], "a", "b").cause, SweepCause::Unclear);
    }
}
