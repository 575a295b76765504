//! Does a model agree with the measurement? Within the interval, or within 5 %; where it does not, with the reason that is known.

#![forbid(unsafe_code)]

use super::model::{Forecast, Model};
use crate::record::{BenchmarkResult, Prediction, PredictionVerdict};

/// How far apart the two may be beyond the interval, as a share of the measured cost.
const TOLERANCE: f64 = 0.05;

/// What `model` says of `result`, an operation of which is one of `operations` in the block.
pub fn compare(
    model: &dyn Model,
    forecast: &Forecast,
    operations: u64,
    result: &BenchmarkResult,
) -> Prediction {
    let each = operations.max(1) as f64;
    let predicted = forecast.cycles / each / result.ops.max(1) as f64;
    let per_op = |count: f64| count / each / result.ops.max(1) as f64;
    let mut reasons = Vec::new();
    let verdict = match &result.cycles {
        None => {
            reasons.push("no core cycles may be claimed to compare with".to_owned());
            PredictionVerdict::NotCompared
        }
        Some(_) if result.below_resolution => {
            reasons.push("the cost is below resolution".to_owned());
            PredictionVerdict::NotCompared
        }
        // It is what the other instructions take.
        Some(_) if forecast.is_partial() => {
            reasons.push("the model leaves a part of the turn out".to_owned());
            PredictionVerdict::NotCompared
        }
        Some(cycles) => {
            let margin = TOLERANCE * cycles.estimate.abs();
            let above = predicted <= cycles.hi.max(cycles.estimate + margin);
            let below = predicted >= cycles.lo.min(cycles.estimate - margin);
            if above && (below || (result.upper_bound && predicted >= 0.0)) {
                if !below {
                    reasons.push("the measured cost is an upper bound".to_owned());
                }
                PredictionVerdict::Agrees
            } else {
                let share = 100.0 * (predicted / cycles.estimate - 1.0);
                let side = if share > 0.0 { "more" } else { "less" };
                reasons.push(format!("the model says {:.0} % {side}", share.abs()));
                if let Some(bottleneck) = &forecast.bottleneck {
                    reasons.push(format!("bound by {bottleneck} in the model"));
                }
                PredictionVerdict::Disagrees
            }
        }
    };
    if verdict != PredictionVerdict::Agrees {
        reasons.extend(forecast.remarks.iter().cloned());
    }
    if !forecast.unmodelled.is_empty() {
        let stand_in = match forecast.stand_in {
            Some(cycles) => format!("with the placeholder of {cycles} cycles"),
            None => "counted as nothing".to_owned(),
        };
        reasons.push(format!("not modelled, {stand_in}: {}", forecast.unmodelled.join("; ")));
    }
    Prediction {
        model: model.name().to_owned(),
        version: model.version().to_owned(),
        cpu: model.cpu().to_owned(),
        cycles: Some(predicted),
        instructions: Some(per_op(forecast.instructions as f64)),
        uops: forecast.uops.map(per_op),
        bottleneck: forecast.bottleneck.clone(),
        verdict,
        reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::Block;
    use super::*;
    use crate::error::Result;
    use crate::record::CycleEstimate;

    #[derive(Debug)]
    struct Told(Forecast);

    impl Model for Told {
        fn name(&self) -> &str {
            "told"
        }

        fn version(&self) -> &str {
            "1"
        }

        fn cpu(&self) -> &str {
            "z80"
        }

        fn predict(&self, _: &Block) -> Result<Forecast> {
            Ok(self.0.clone())
        }
    }

    fn said(forecast: Forecast) -> Prediction {
        let cycles =
            CycleEstimate { estimate: 3.0, lo: 2.9, hi: 3.1, min: 2.9, median: 3.0, spread_pct: 1.0 };
        let result = BenchmarkResult { cycles: Some(cycles), ops: 1, ..BenchmarkResult::default() };
        compare(&Told(forecast.clone()), &forecast, 1, &result)
    }

    #[test]
    fn what_counts_an_instruction_as_nothing_is_not_compared_however_near_it_comes() {
        let whole = Forecast { cycles: 3.0, ..Forecast::default() };
        assert_eq!(said(whole.clone()).verdict, PredictionVerdict::Agrees);
        let partial = Forecast { unmodelled: vec!["frobq %rax".into()], ..whole };
        let answer = said(partial.clone());
        assert_eq!(answer.verdict, PredictionVerdict::NotCompared);
        let reason = answer.reason.unwrap();
        assert!(reason.contains("leaves a part") && reason.contains("counted as nothing: frobq"), "{reason}");
        // A placeholder is the model's word, and can be far off.
        let stand_in = Forecast { cycles: 103.0, stand_in: Some(100.0), ..partial };
        let answer = said(stand_in);
        assert_eq!(answer.verdict, PredictionVerdict::Disagrees);
        assert!(answer.reason.unwrap().contains("placeholder of 100 cycles"));
    }
}
