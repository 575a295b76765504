//! Do headlines and classes of differences agree with independently computed ones?

use fencepost::stats::{Threshold, shift};
use serde_json::Value;

#[test]
fn every_case_has_its_headline_and_class() {
    let all: Vec<Value> = serde_json::from_str(include_str!("data/stat_vectors.json")).expect("valid JSON");
    let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{value} is no number"));
    let runs = |value: &Value| -> Vec<f64> { value.as_array().expect("runs").iter().map(number).collect() };
    let mut cases = 0;
    for vector in all.iter().filter(|vector| vector["kind"] == "ab_hodges_lehmann") {
        let (id, input, expect) = (&vector["id"], &vector["input"], &vector["expect"]);
        // Nanoseconds are shown to one decimal: a difference below half of one is none.
        let found = shift(&runs(&input["before"]), &runs(&input["after"]), 0.05).expect("a difference");
        assert_eq!(found.headline("ns"), expect["headline"], "{id}");
        let [high, low] = ["hi", "lo"].map(|level| Threshold {
            absolute: number(&input["thresholds"][format!("{level}_ns")]),
            pct: number(&input["thresholds"][format!("{level}_pct")]),
        });
        assert_eq!(found.grade(high, low).as_str(), expect["cls"], "{id}");
        cases += 1;
    }
    assert_eq!(cases, 9);
}
