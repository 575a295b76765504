//! Do differences, limits, rates and picked counters agree with independently computed figures?
#![cfg(feature = "suite")]

use fencepost::baseline::{Change, LimitUnit, Rule, Standing, per_second, picoseconds, relative_pct, scaled};
use fencepost::record::{BenchmarkResult, Estimate, Named, Record};
use fencepost::stats;
use fencepost::units::Nanos;
use serde_json::Value;

/// The vectors of a kind, of which there have to be `count`.
fn vectors(kind: &str, count: usize) -> Vec<Value> {
    let all: Vec<Value> =
        serde_json::from_str(include_str!("data/baseline_vectors.json")).expect("valid JSON");
    let chosen: Vec<Value> = all.into_iter().filter(|vector| vector["kind"] == kind).collect();
    assert_eq!(chosen.len(), count, "vectors of kind {kind}");
    chosen
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(number).collect()
}

#[test]
fn differences_have_the_digits_of_the_figures() {
    for vector in vectors("diff_format", 6) {
        let change = Change { old: number(&vector["input"]["old"]), new: number(&vector["input"]["new"]) };
        let expect = &vector["expect"];
        let figures = [
            ("percent_7_digits", change.percent_text(7)),
            ("percent_6_digits", change.percent_text(6)),
            ("factor_6_digits", change.factor_text(6)),
        ];
        for (name, found) in figures {
            match expect[name].as_str() {
                Some(expected) => assert_eq!(found, expected, "{}: {name}", vector["id"]),
                None => assert!(change.is_none() && change.to_string() == "no change", "{}", vector["id"]),
            }
        }
    }
}

#[test]
fn limits_are_passed_where_the_figures_say() {
    for vector in vectors("regression_limit", 6) {
        let input = &vector["input"];
        let soft = input["soft_pct"].as_f64().map(Rule::Growth);
        let hard = input["hard"].as_f64().map(|most| Rule::AtMost(most, LimitUnit::Cycles));
        let rules: Vec<Rule> = soft.into_iter().chain(hard).collect();
        assert!(!rules.is_empty(), "{}", vector["id"]);
        let (old, new) = (input["old"].as_f64(), number(&input["new"]));
        let past = rules.iter().any(|rule| rule.check_exact(old, new) == Standing::Past);
        assert_eq!(Value::from(past), vector["expect"]["regressed"], "{}", vector["id"]);
    }
}

/// `283.29M` or `283.29 MHz` as a number: `scale` of the letter behind it.
fn read_scaled(text: &str) -> f64 {
    let end = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let power = match rest.chars().next().filter(|_| rest != "s") {
        Some('f') => -15,
        Some('p') => -12,
        Some('n') => -9,
        Some('u') => -6,
        Some('m') => -3,
        Some('k' | 'K') => 3,
        Some('M') => 6,
        Some('G') => 9,
        _ => 0,
    };
    digits.trim().parse::<f64>().unwrap_or_else(|_| panic!("{text} holds no number")) * 10f64.powi(power)
}

fn same(id: &Value, found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{id}: {found}, not {expected}");
}

#[test]
fn tables_of_relative_benchmarks_have_the_figures() {
    for vector in vectors("folly_table_row", 5) {
        let (id, input, expect) = (&vector["id"], &vector["input"], &vector["expect"]);
        let cost = Nanos(number(&input["ns"]));
        let baseline = input["baseline_ns"].as_f64().map(Nanos);

        let time = scaled(cost.as_secs(), "s");
        same(id, read_scaled(&time), read_scaled(expect["time"].as_str().expect("a time")));

        let rate = per_second(cost).get();
        match expect["per_second"].as_str().expect("a rate") {
            "Infinity" => assert_eq!(scaled(rate, "Hz"), "infinite", "{id}"),
            expected => same(id, read_scaled(&scaled(rate, "Hz")), read_scaled(expected)),
        }

        let relative = baseline.and_then(|baseline| relative_pct(baseline, cost));
        match expect["relative"].as_str() {
            // In as many decimals as the figure has.
            Some(expected) => {
                let decimals = expected.split_once('.').map_or(0, |(_, decimals)| decimals.len());
                assert_eq!(format!("{:.decimals$}", relative.expect("a share")), expected, "{id}");
            }
            None => assert_eq!(relative, None, "{id}"),
        }
    }
}

#[test]
fn counters_are_those_of_the_sample_that_stands_for_the_estimate() {
    for vector in vectors("counter_pick", 1) {
        let (input, expect) = (&vector["input"], &vector["expect"]);
        let samples = numbers(&input["samples"]);
        let estimate = stats::percentile(&samples, number(&input["pct"])).expect("samples");
        assert_eq!(estimate, number(&expect["estimate"]), "{}", vector["id"]);
        let picked = stats::nearest_sample(&samples, estimate).expect("samples");
        assert_eq!(numbers(&input["counters"])[picked], number(&expect["counter"]), "{}", vector["id"]);
    }
}

#[test]
fn times_are_given_in_picoseconds_by_name() {
    for vector in vectors("folly_json", 1) {
        let results = vector["input"]["results"].as_array().expect("results").iter().map(|pair| {
            let ns = Estimate { estimate: number(&pair[1]), ..Default::default() };
            BenchmarkResult {
                id: pair[0].as_str().expect("a name").to_owned(),
                ns: Some(ns),
                ..Default::default()
            }
        });
        let mut record = Record { results: results.collect(), ..Default::default() };
        record.results.push(BenchmarkResult { id: "no time".into(), ..Default::default() });
        let expected: Named<f64> = vector["expect"]["picoseconds"]
            .as_object()
            .expect("an object")
            .iter()
            .map(|(name, value)| (name.clone(), number(value)))
            .collect();
        assert_eq!(picoseconds(&record), expected, "{}", vector["id"]);
    }
}
