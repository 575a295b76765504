//! What does Bencher take? Its metric format: a name, measures, and of each a value with its bounds.

use serde_json::{Map, Value, json};

use crate::record::{BenchmarkResult, Verdict};

/// Results in the Bencher metric format: `latency` in nanoseconds, the unit that Bencher gives to that word, and `cycles`. What is
/// below resolution has no number that could be tracked, and is left out.
///
/// Format: <https://bencher.dev/docs/reference/bencher-metric-format/>.
pub(super) fn metrics(results: &[BenchmarkResult]) -> String {
    let mut all = Map::new();
    for result in results {
        if result.below_resolution || result.verdict == Verdict::BelowResolution {
            continue;
        }
        let mut measures = Map::new();
        if let Some(ns) = &result.ns {
            add(&mut measures, "latency", ns.estimate, ns.lo, ns.hi);
        }
        if let Some(cycles) = &result.cycles {
            add(&mut measures, "cycles", cycles.estimate, Some(cycles.lo), Some(cycles.hi));
        }
        if let Some(counts) = &result.counts {
            let figures = [
                ("instructions", counts.instructions),
                ("l1-hits", counts.l1),
                ("l2-hits", counts.l2),
                ("ram-hits", counts.ram),
                ("estimated-cycles", counts.estimated_cycles),
            ];
            for (name, value) in figures {
                add(&mut measures, name, value, None, None);
            }
        }
        if !measures.is_empty() {
            all.insert(result.id.clone(), Value::Object(measures));
        }
    }
    format!("{:#}\n", Value::Object(all))
}

fn add(measures: &mut Map<String, Value>, name: &str, value: f64, lo: Option<f64>, hi: Option<f64>) {
    if value.is_finite() {
        let mut metric = json!({ "value": value });
        for (name, bound) in [("lower_value", lo), ("upper_value", hi)] {
            if let Some(bound) = bound.filter(|bound| bound.is_finite()) {
                metric[name] = json!(bound);
            }
        }
        measures.insert(name.to_owned(), metric);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{CycleEstimate, Estimate};

    #[test]
    fn each_result_has_its_measures_with_bounds() {
        let cycles = CycleEstimate { estimate: 12.0, lo: 11.9, hi: 12.1, ..Default::default() };
        let one = BenchmarkResult {
            id: "bit_mix/latency".to_owned(),
            cycles: Some(cycles.clone()),
            ns: Some(Estimate { estimate: 4.0, lo: Some(3.9), hi: None }),
            verdict: Verdict::Converged,
            ..Default::default()
        };
        let below = BenchmarkResult { id: "nothing".to_owned(), below_resolution: true, ..one.clone() };
        let unknown = BenchmarkResult { id: "unknown".to_owned(), ..Default::default() };
        let found: Value = serde_json::from_str(&metrics(&[one, below, unknown])).unwrap();
        let expected = json!({ "bit_mix/latency": {
            "latency": { "value": 4.0, "lower_value": 3.9 },
            "cycles": { "value": 12.0, "lower_value": 11.9, "upper_value": 12.1 },
        }});
        assert_eq!(found, expected);
    }
}
