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
