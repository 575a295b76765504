//! What has to be timed to know a form's latencies and reciprocal throughputs?

use super::chain::{Chain, chain_of_same_register, chains};
use super::features::Features;
use super::form::Form;
use super::kit::Operands;
use super::program::Program;
use super::rate::{Rate, has_idiom, rate, rate_of_same_register, rate_to_one_destination};
use crate::record::Kind;

/// How much of a form is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// The default pair of operands, reciprocal throughput, idioms: a line of a table.
    Line,
    /// Every pair through which a chain closes, and the special forms.
    Everything,
}

/// One thing to time.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The name of its result.
    pub id: String,
    /// Latency, reciprocal throughput or loop.
    pub kind: Kind,
    /// What is run.
    pub program: Program,
    /// Cycles an operation to take off, for helpers in a latency chain.
    pub taken_off: f64,
    /// What remains is an upper bound, since helpers may take longer than what is taken off.
    pub is_bound: bool,
    /// What the reader should know.
    pub notes: Vec<String>,
    /// Links of a chain that an operation of a throughput program hands on, on average.
    pub carried: f64,
}

impl Job {
    /// A chain through a form.
    pub fn latency(form: &Form, chain: Chain) -> Self {
        Self {
            id: format!("{form}/latency[{}]", chain.label),
            kind: Kind::Latency,
            program: chain.program,
            taken_off: chain.helper_cycles,
            is_bound: !chain.exact,
            notes: vec![chain.how],
            carried: 0.0,
        }
    }

    /// Independent instructions of a form.
    pub fn rthroughput(form: &Form, rate: Rate) -> Self {
        let label = rate.label.map(|label| format!("[{label}]")).unwrap_or_default();
        Self {
            id: format!("{form}/reciprocal_throughput{label}"),
            kind: Kind::ReciprocalThroughput,
            program: rate.program,
            taken_off: 0.0,
            is_bound: false,
            notes: vec![rate.how],
            carried: rate.carried,
        }
    }

    /// A block that is repeated as it is.
    pub fn block(id: String, program: Program) -> Self {
        Self {
            id,
            kind: Kind::Loop,
            program,
            taken_off: 0.0,
            is_bound: false,
            notes: Vec::new(),
            carried: 0.0,
        }
    }
}

/// The jobs of a form: latencies first, the default pair before the others.
pub fn jobs(form: &Form, features: &Features, breadth: Breadth) -> Vec<Job> {
    let mut jobs = Vec::new();
    let values = Operands::of(form);
    for operands in values {
        let mut chains = chains(form, features, *operands, 0);
        if breadth == Breadth::Line {
            chains.truncate(1);
        }
        jobs.extend(chains.into_iter().map(|chain| Job::latency(form, chain)));
        if breadth == Breadth::Line {
            // The slow values say what a table says.
            break;
        }
    }
    for operands in values {
        jobs.extend(rate(form, features, *operands).map(|rate| Job::rthroughput(form, rate)));
    }
    if breadth == Breadth::Everything {
        jobs.extend(chain_of_same_register(form, features).map(|chain| Job::latency(form, chain)));
        jobs.extend(rate_to_one_destination(form, features).map(|rate| Job::rthroughput(form, rate)));
    }
    if breadth == Breadth::Everything || has_idiom(form) {
        jobs.extend(rate_of_same_register(form, features).map(|rate| Job::rthroughput(form, rate)));
    }
    jobs
}

/// The chain of a latency that its form's reciprocal throughput hides, with so many one-cycle instructions more in it.
pub(super) fn uncovered(form: &Form, features: &Features, id: &str, fillers: usize) -> Option<Job> {
    Operands::of(form)
        .iter()
        .flat_map(|operands| chains(form, features, *operands, fillers))
        .map(|chain| Job::latency(form, chain))
        .find(|job| job.id == id)
}

#[cfg(test)]
mod tests {
    use super::super::features::features;
    use super::super::form::Catalogue;
    use super::*;

    fn ids(name: &str, breadth: Breadth) -> Vec<String> {
        let features = features();
        let form = Catalogue::with_stores(&features).forms.into_iter().find(|form| form.to_string() == name);
        jobs(&form.expect("a form"), &features, breadth).into_iter().map(|job| job.id).collect()
    }

    #[test]
    fn a_line_is_short_and_everything_is_all() {
        assert_eq!(
            ids("imul r64, r64", Breadth::Line),
            ["imul r64, r64/latency[op1->op1]", "imul r64, r64/reciprocal_throughput"]
        );
        let all = ids("imul r64, r64", Breadth::Everything);
        assert!(all.contains(&"imul r64, r64/latency[op2->op1]".to_owned()), "{all:?}");
        assert!(all.contains(&"imul r64, r64/reciprocal_throughput[same register]".to_owned()), "{all:?}");
        assert!(ids("xor r64, r64", Breadth::Line).iter().any(|id| id.ends_with("[same register]")));
        assert_eq!(ids("nop", Breadth::Line), ["nop/reciprocal_throughput"]);
        assert!(ids("div r64", Breadth::Line).iter().any(|id| id.ends_with("[dividend 0]")));
    }

    #[test]
    fn names_of_results_are_told_apart_and_have_one_slash() {
        let features = features();
        for form in Catalogue::with_stores(&features).forms {
            let mut ids: Vec<String> =
                jobs(&form, &features, Breadth::Everything).into_iter().map(|job| job.id).collect();
            assert!(ids.iter().all(|id| id.matches('/').count() == 1), "{ids:?}");
            let count = ids.len();
            ids.sort();
            ids.dedup();
            assert_eq!(ids.len(), count, "{form}");
        }
    }

    #[test]
    fn a_hidden_latency_has_a_chain_that_uncovers_it() {
        let features = features();
        let forms = Catalogue::with_stores(&features).forms;
        let Some(form) = forms.iter().find(|form| form.to_string() == "vpgatherdd xmm, [vm32x], xmm") else {
            return;
        };
        let plain = jobs(form, &features, Breadth::Everything);
        let hidden = plain
            .iter()
            .find(|job| job.id.ends_with("latency[op1->op1]"))
            .expect("a chain through the destination");
        let longer = uncovered(form, &features, &hidden.id, 6).expect("fillers");
        assert!(longer.program.instructions > hidden.program.instructions && longer.taken_off == 6.0);
    }
}
