//! What does a result license one to say? One sentence, no more than its verdict allows.

use super::cost::Cost;
use super::inert::inert;
use super::model::BenchmarkResult;
use super::words::{Kind, Verdict};

/// The sentence for `result`, by its kind, its numbers and its verdict.
pub fn sentence(result: &BenchmarkResult) -> String {
    let Some(cost) = Cost::of(result) else {
        return "Nothing was measured.".to_owned();
    };
    let number = cost.with_unit();
    if cost.is_below() {
        return match result.kind {
            Kind::Latency => {
                format!(
                    "{number}: no chain of dependent instructions through it can be told from the loop around it."
                )
            }
            Kind::SingleShot => {
                format!(
                    "{number}: one call cannot be told from what the fence pair around nothing scatters by."
                )
            }
            _ => format!("{number}: nothing can be told from the loop around it."),
        };
    }
    let claim = match result.kind {
        Kind::Latency => format!("An operation that waits for the one before it takes {number}"),
        Kind::ReciprocalThroughput => {
            format!("Operations that do not wait for one another take {number} each")
        }
        Kind::SingleShot => {
            format!("One call between a fence pair reads {number} more than the pair around nothing")
        }
        Kind::Routine => {
            format!("One call of the routine takes {number}, its setup and the drop of its output left out")
        }
        Kind::Loop => format!("One iteration of the loop takes {number}"),
    };
    let interval = cost.interval_with_unit().map_or_else(String::new, |interval| format!(" ({interval})"));
    match result.verdict {
        _ if result.upper_bound => format!(
            "{}: the core was not alone while it was measured, and alone it can only be faster.",
            claim.replace("<= ", "at most ")
        ),
        Verdict::Converged | Verdict::BelowResolution if result.kind == Kind::SingleShot => {
            format!(
                "{claim}{interval}: the pair drains the pipeline, so this is neither latency nor throughput."
            )
        }
        Verdict::Converged | Verdict::BelowResolution => {
            let of = result.samples.total;
            format!("{claim}{interval}, by {} clean of {of} samples.", result.samples.clean)
        }
        Verdict::Unstable if result.modes.is_some() => {
            let upper = result.modes.as_ref().map_or(0.0, |modes| 100.0 * modes.upper_share);
            format!(
                "{claim}, by turns: {:.0} % of the slices the one and {upper:.0} % the other.",
                100.0 - upper
            )
        }
        Verdict::Unstable => {
            format!("{claim}{interval} as far as can be said: its samples do not agree with one another.")
        }
        Verdict::Imprecise => format!("{claim}, but no more exactly than {}.", cost.range()),
        Verdict::Contended | Verdict::MinimumsUnmet => {
            format!("{claim}{interval} in the few samples that there are: take it as a hint.")
        }
    }
}

/// The cost of `result` with its unit, in no more digits than its interval supports; `nothing` if none was measured.
pub fn cost(result: &BenchmarkResult) -> String {
    Cost::of(result).map_or_else(|| "nothing".to_owned(), |cost| cost.with_unit())
}

/// As [`cost`], in nanoseconds.
pub fn cost_in_ns(result: &BenchmarkResult) -> String {
    Cost::nanos(result).map_or_else(|| "nothing".to_owned(), |cost| cost.with_unit())
}

/// Latency over reciprocal throughput: how many operations are in flight at once. `None` where a side is below resolution or
/// both are bounds.
pub fn overlap(latency: &BenchmarkResult, throughput: &BenchmarkResult) -> Option<String> {
    Cost::overlap(&Cost::of(latency)?, &Cost::of(throughput)?)
}

/// One line for a terminal: id, cost, interval, time, verdict.
pub fn line(result: &BenchmarkResult) -> String {
    let mut line = inert(&result.id);
    match Cost::of(result) {
        None => line.push_str("  nothing measured"),
        Some(cost) => {
            line.push_str("  ");
            line.push_str(&cost.with_unit());
            if let Some(interval) = cost.interval_with_unit().filter(|_| !cost.is_below()) {
                line.push_str(&format!(" ({interval})"));
            }
            if let Some(nanos) = Cost::nanos(result) {
                line.push_str("  ");
                line.push_str(&nanos.with_unit());
            }
        }
    }
    line.push_str("  ");
    line.push_str(&result.verdict.to_string());
    line
}

#[cfg(test)]
mod tests {
    use super::super::model::{CycleEstimate, Samples};
    use super::*;

    fn result(kind: Kind, verdict: Verdict) -> BenchmarkResult {
        let cycles = CycleEstimate { estimate: 12.0, lo: 11.99, hi: 12.02, ..Default::default() };
        let samples = Samples { total: 400, clean: 120, contended: 280, ..Default::default() };
        BenchmarkResult {
            id: "bit_mix/latency".into(),
            kind,
            verdict,
            cycles: Some(cycles),
            samples,
            ..Default::default()
        }
    }

    #[test]
    fn a_converged_result_is_stated_with_its_interval_and_its_samples() {
        assert_eq!(
            sentence(&result(Kind::Latency, Verdict::Converged)),
            "An operation that waits for the one before it takes 12.00 cyc (95 %: 11.99 to 12.02 cyc), by 120 clean of \
             400 samples."
        );
    }

    #[test]
    fn a_contended_result_is_no_more_than_a_bound() {
        let bound =
            BenchmarkResult { upper_bound: true, ..result(Kind::ReciprocalThroughput, Verdict::Contended) };
        let said = sentence(&bound);
        assert!(said.contains("take at most 12.02 cyc each"), "{said}");
    }

    #[test]
    fn what_is_below_resolution_is_not_given_a_number_below_it() {
        let below = BenchmarkResult {
            below_resolution: true,
            resolution_cycles: Some(0.9),
            cycles: Some(CycleEstimate { estimate: 0.06, lo: 0.05, hi: 0.07, ..Default::default() }),
            ..result(Kind::Latency, Verdict::BelowResolution)
        };
        let said = sentence(&below);
        assert!(said.starts_with("< 0.9 cyc") && !said.contains("0.06"), "{said}");
    }

    #[test]
    fn every_kind_and_verdict_has_a_sentence_that_ends() {
        for kind in Kind::ALL {
            for verdict in Verdict::ALL {
                let said = sentence(&result(*kind, *verdict));
                assert!(said.ends_with('.') && said.contains(" cyc"), "{said}");
            }
        }
    }

    #[test]
    fn two_modes_are_stated_with_their_shares() {
        let modes = super::super::model::Modes { lower: 2.15, upper: 2.56, upper_share: 0.4 };
        let two =
            BenchmarkResult { modes: Some(modes), ..result(Kind::ReciprocalThroughput, Verdict::Unstable) };
        let said = sentence(&two);
        assert!(
            said.contains("take 2.15 or 2.56 cyc each, by turns: 60 % of the slices the one and 40 %"),
            "{said}"
        );
    }

    #[test]
    fn one_line_names_the_result_its_cost_and_its_verdict() {
        assert_eq!(
            line(&result(Kind::Latency, Verdict::Converged)),
            "bit_mix/latency  12.00 cyc (95 %: 11.99 to 12.02 cyc)  converged"
        );
    }
}
