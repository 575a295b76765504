//! Is a difference between the model and the measurement one that may be claimed?

use std::cmp::Ordering;
use std::collections::BTreeMap;

use fencepost::asm::{Form, Operands};
use fencepost::record::{CycleEstimate, Kind, Verdict};

use super::measured::Measurement;
use super::questions::{Questions, instructions};

/// How far apart the two are at least, as a share of the measured cost and in cycles.
const TOLERANCE: (f64, f64) = (0.05, 0.05);
/// Below this many cycles a cost is not told from nothing: factors are of no less.
const LEAST: f64 = 0.1;

/// What the model and this CPU say differently.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Difference {
    pub(super) model: f64,
    pub(super) hardware: CycleEstimate,
    /// What the model's table says of the instruction itself, where it shows it.
    pub(super) tabled: Option<f64>,
    /// The measured cost is an upper bound, which the model exceeds.
    pub(super) is_bound: bool,
    /// How it was measured, in words.
    pub(super) how: String,
}

impl Difference {
    /// The larger by the smaller, 1 or more.
    pub(super) fn factor(&self) -> f64 {
        let (model, hardware) = (self.model.max(LEAST), self.hardware.estimate.max(LEAST));
        (model / hardware).max(hardware / model)
    }

    pub(super) fn cycles(&self) -> f64 {
        (self.model - self.hardware.estimate).abs()
    }

    fn is_above(&self) -> bool {
        self.model > self.hardware.estimate
    }

    /// Whether a second measurement says the same.
    pub(super) fn confirmed(&self, second: &Self) -> bool {
        let apart = (self.hardware.estimate - second.hardware.estimate).abs();
        self.is_above() == second.is_above() && apart <= margin(second.hardware.estimate)
    }
}

/// What became of one cost of a form.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Judgement {
    Agrees,
    Differs(Difference),
    /// The measured cost is an upper bound, and the model is below it.
    WithinBound,
    NotConverged,
    /// The model has no data for an instruction of the program.
    NotModelled,
    /// It did not answer for this program.
    NotPredicted,
    /// It differs for some values of the operands, and not for others.
    ByValue,
    /// The model has the helpers that close the chain differently, so that nothing is known of the form.
    Helpers,
}

/// A difference that is claimed.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub(super) form: String,
    pub(super) extension: String,
    pub(super) id: String,
    pub(super) difference: Difference,
    pub(super) published: Option<f64>,
}

impl Claim {
    /// `latency op1->op1`.
    pub(super) fn what(&self) -> String {
        let (_, what) = self.id.rsplit_once('/').unwrap_or_default();
        what.replace("reciprocal_throughput", "rthroughput").replace('[', " ").replace(']', "")
    }
}

/// By the factor, then by cycles, then by name.
pub(super) fn in_order(claims: Vec<Claim>) -> Vec<Claim> {
    let mut keyed: Vec<(i64, i64, String, Claim)> = claims
        .into_iter()
        .map(|claim| {
            // To a hundredth: noise decides no order.
            let hundredths = |value: f64| -(100.0 * value).round() as i64;
            let difference = &claim.difference;
            (hundredths(difference.factor()), hundredths(difference.cycles()), claim.id.clone(), claim)
        })
        .collect();
    keyed.sort_by(|one, other| match (one.0, one.1).cmp(&(other.0, other.1)) {
        Ordering::Equal => one.2.cmp(&other.2),
        order => order,
    });
    keyed.into_iter().map(|(.., claim)| claim).collect()
}

/// What was not claimed, and why.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) forms: usize,
    pub(super) agree: usize,
    pub(super) within_bound: usize,
    pub(super) not_converged: usize,
    /// Costs that differed, and whose second measurement did not converge.
    pub(super) differ_once: usize,
    /// Costs that differed, and did so otherwise or no more the second time.
    pub(super) unconfirmed: usize,
    pub(super) by_value: usize,
    pub(super) helpers: usize,
    pub(super) not_predicted: usize,
    /// Forms of which nothing could be run here.
    pub(super) not_run: usize,
    /// Forms that the model has no data for.
    pub(super) not_modelled: Vec<String>,
    /// Forms for which it gives no answer, and what it says of the first.
    pub(super) silent: Vec<String>,
    pub(super) first_refusal: Option<String>,
    /// Differences that published values contradict.
    pub(super) contradicted: Vec<String>,
}

impl Counts {
    pub(super) fn add(&mut self, form: &Form, judgement: &Judgement) {
        match judgement {
            Judgement::Agrees => self.agree += 1,
            Judgement::Differs(_) => {}
            Judgement::WithinBound => self.within_bound += 1,
            Judgement::NotConverged => self.not_converged += 1,
            Judgement::NotPredicted => self.not_predicted += 1,
            Judgement::ByValue => self.by_value += 1,
            Judgement::Helpers => self.helpers += 1,
            Judgement::NotModelled => {
                let name = form.to_string();
                if self.not_modelled.last() != Some(&name) {
                    self.not_modelled.push(name);
                }
            }
        }
    }

    pub(super) fn silent(&mut self, form: &Form, why: Option<&str>) {
        self.silent.push(form.to_string());
        if let (None, Some(why)) = (&self.first_refusal, why) {
            self.first_refusal = Some(why.to_owned());
        }
    }
}

/// What is to be said of each cost of `form`, by the ids of the results.
pub(super) fn judge(
    form: &Form,
    measurements: &[Measurement],
    questions: &Questions<'_>,
) -> BTreeMap<String, Judgement> {
    let mut all: BTreeMap<String, Judgement> =
        measurements.iter().map(|it| (it.result.id.clone(), one(form, it, questions))).collect();
    if Operands::of(form).len() > 1 {
        by_value(&mut all);
    }
    all
}

fn margin(cycles: f64) -> f64 {
    (TOLERANCE.0 * cycles).max(TOLERANCE.1)
}

fn one(form: &Form, measurement: &Measurement, questions: &Questions<'_>) -> Judgement {
    let result = &measurement.result;
    let Some(forecast) = questions.forecast(&measurement.body) else { return Judgement::NotPredicted };
    if !forecast.unmodelled.is_empty() {
        return Judgement::NotModelled;
    }
    let Some(hardware) = result.cycles.clone().filter(|_| result.verdict == Verdict::Converged) else {
        return Judgement::NotConverged;
    };
    let model = (forecast.cycles / measurement.operations.max(1) as f64 - measurement.taken_off).max(0.0);
    let name = form.mnemonic();
    let at = instructions(&measurement.body).iter().position(|instruction| {
        instruction.code() == form.code
            || format!("{:?}", instruction.mnemonic()).to_ascii_lowercase() == name
    });
    let tabled = at.and_then(|at| forecast.each.get(at)).map(|one| match result.kind {
        Kind::Latency => one.latency,
        _ => one.rthroughput,
    });
    // Helpers cost the model what it thinks of them: only where its own table explains the rest is the rest the form's.
    if measurement.taken_off > 0.0 && tabled.is_none_or(|tabled| (tabled - model).abs() > margin(tabled)) {
        return Judgement::Helpers;
    }
    let near = margin(hardware.estimate);
    let is_low = model < hardware.lo.min(hardware.estimate - near);
    let is_high = model > hardware.hi.max(hardware.estimate + near);
    if is_low && result.upper_bound {
        return Judgement::WithinBound;
    }
    if !is_low && !is_high {
        return Judgement::Agrees;
    }
    Judgement::Differs(Difference {
        model,
        hardware,
        tabled,
        is_bound: result.upper_bound,
        how: measurement.how.clone(),
    })
}

/// A model has one answer for all values of a division's operands: it differs where it is outside of what all of them take, and then
/// from the nearest.
fn by_value(all: &mut BTreeMap<String, Judgement>) {
    let key = |id: &str| {
        let (_, what) = id.rsplit_once('/').unwrap_or_default();
        what.split(['[', ';', ']']).take(if what.starts_with("latency") { 2 } else { 1 }).collect::<String>()
    };
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for id in all.keys() {
        groups.entry(key(id)).or_default().push(id.clone());
    }
    for ids in groups.into_values() {
        let differences: Vec<(&String, &Difference)> = ids
            .iter()
            .filter_map(|id| match all.get(id) {
                Some(Judgement::Differs(difference)) => Some((id, difference)),
                _ => None,
            })
            .collect();
        let is_outside = differences.len() == ids.len()
            && differences.iter().all(|(_, one)| one.is_above() == differences[0].1.is_above());
        let nearest = differences
            .iter()
            .min_by(|(_, one), (_, other)| one.cycles().total_cmp(&other.cycles()))
            .map(|(id, _)| (*id).clone())
            .filter(|_| is_outside);
        for id in ids {
            if nearest.as_ref() != Some(&id) && matches!(all.get(&id), Some(Judgement::Differs(_))) {
                all.insert(id, Judgement::ByValue);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(model: f64, hardware: f64) -> Difference {
        let hardware = CycleEstimate {
            estimate: hardware,
            lo: hardware,
            hi: hardware,
            min: hardware,
            median: hardware,
            spread_pct: 0.0,
        };
        Difference { model, hardware, tabled: None, is_bound: false, how: String::new() }
    }

    fn differs(model: f64, hardware: f64) -> Judgement {
        Judgement::Differs(difference(model, hardware))
    }

    #[test]
    fn the_largest_factor_comes_first_whichever_way_then_the_most_cycles() {
        let claim = |id: &str, model: f64, hardware: f64| Claim {
            form: String::new(),
            extension: String::new(),
            id: id.to_owned(),
            difference: difference(model, hardware),
            published: None,
        };
        let claims = vec![
            claim("a/latency", 5.0, 4.0),
            claim("b/latency", 1.0, 0.5),
            claim("c/latency", 4.0, 8.0),
            claim("d/latency", 3.0, 1.0),
            claim("e/latency", 1.0, 0.0),
        ];
        let order: Vec<String> = in_order(claims).into_iter().map(|claim| claim.id).collect();
        assert_eq!(order, ["e/latency", "d/latency", "c/latency", "b/latency", "a/latency"]);
    }

    #[test]
    fn a_second_measurement_confirms_what_is_near_and_on_the_same_side() {
        assert!(difference(5.0, 4.0).confirmed(&difference(5.0, 4.02)));
        assert!(!difference(5.0, 4.0).confirmed(&difference(5.0, 4.5)));
        assert!(!difference(5.0, 4.9).confirmed(&difference(5.0, 5.1)));
    }

    #[test]
    fn one_answer_for_all_values_differs_only_outside_of_all_of_them() {
        let ids = ["x/latency[a->b; full]", "x/latency[a->b; dividend 0]", "x/reciprocal_throughput[full]"];
        let mut inside: BTreeMap<String, Judgement> = [
            (ids[0].to_owned(), differs(15.0, 18.0)),
            (ids[1].to_owned(), differs(15.0, 10.0)),
            (ids[2].to_owned(), differs(15.0, 7.0)),
        ]
        .into();
        by_value(&mut inside);
        assert_eq!((&inside[ids[0]], &inside[ids[1]]), (&Judgement::ByValue, &Judgement::ByValue));
        assert!(matches!(inside[ids[2]], Judgement::Differs(_)), "it is a group of its own");
        let mut outside: BTreeMap<String, Judgement> =
            [(ids[0].to_owned(), differs(35.0, 18.0)), (ids[1].to_owned(), differs(35.0, 10.0))].into();
        by_value(&mut outside);
        assert_eq!(outside[ids[0]], differs(35.0, 18.0));
        assert_eq!(outside[ids[1]], Judgement::ByValue);
    }
}
