//! Does a comparison read well as text, Markdown and JSON, whatever names it holds?

use fencepost::baseline::{Comparison, Options, compare};
use fencepost::record::text::columns;
use fencepost::record::{BenchmarkResult, Verdict};
use serde_json::Value;

use super::compared::compared;
use super::{cost, run};

fn mixed() -> Comparison {
    let bound = BenchmarkResult { upper_bound: true, verdict: Verdict::Contended, ..cost("load", 9.0, 1.0) };
    compared(
        vec![
            cost("mix/latency", 12.0, 0.1),
            cost("sum", 100.0, 0.1),
            cost("load", 5.0, 1.0),
            cost("gone", 2.0, 1.0),
        ],
        vec![cost("mix/latency", 12.0, 0.1), cost("sum", 110.0, 0.1), bound, cost("fresh", 3.0, 1.0)],
        "5%",
    )
}

#[test]
fn text_has_the_table_the_sentences_the_lone_ones_and_the_sum() {
    let text = mixed().to_text(80);
    for expected in [
        "No difference can be told: 12.00 cyc in the baseline and 12.00 cyc now",
        "slower, REGRESSION",
        "past the limit of 5 %",
        "cannot tell, maybe past limit",
        "only in the baseline\n  gone: 2.00 cyc",
        "only now\n  fresh: 3.00 cyc",
        "In sum: 1 no difference, 1 slower, 1 cannot tell; 1 regression past its limit.",
        "allow 1 %",
    ] {
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let wanted = expected.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(&wanted), "{wanted} is not in\n{text}");
    }
    assert!(text.ends_with('\n') && !text.ends_with("\n\n"));
}

#[test]
fn names_are_inert_and_no_line_is_too_wide() {
    let hostile = "a\u{1b}[31m|<b>\n`x`\u{202e}".to_owned() + &"n".repeat(150);
    let mut new = run(vec![cost(&hostile, 12.0, 0.1), cost(&format!("{hostile}2"), 1.0, 0.1)]);
    new.machine.kernel = "6.8\u{1b}[2J".into();
    let old = run(vec![cost(&hostile, 10.0, 0.1)]);
    let comparison = compare(&old, &new, &Options::default()).expect("comparable");
    for width in [0, 60, 80, 200] {
        let text = comparison.to_text(width);
        let widest = text.lines().map(columns).max().expect("lines");
        assert!(widest <= width.max(60), "{widest} columns of {width}:\n{text}");
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
    }
    let markdown = comparison.to_markdown();
    assert!(!markdown.contains(['\u{1b}', '\u{202e}']) && !markdown.contains("<b>"), "{markdown}");
    let row = markdown.lines().find(|line| line.starts_with("| a")).expect("a row");
    assert_eq!(row.replace("\\|", "").matches('|').count(), 7, "{row}");
}

#[test]
fn json_holds_all_of_it_and_nothing_that_is_no_json() {
    let json: Value = serde_json::from_str(&mixed().to_json()).expect("valid JSON");
    assert_eq!(json["schema"], "fencepost-comparison/1");
    assert_eq!((&json["exit_status"], &json["regressions"]), (&Value::from(3), &Value::from(1)));
    let results = json["results"].as_array().expect("results");
    assert_eq!(results.len(), 3);
    let (same, slower, bound) = (&results[0], &results[1], &results[2]);
    assert_eq!((&same["verdict"], &same["limit"]), (&Value::from("no_difference"), &Value::from("within")));
    assert_eq!((&slower["verdict"], &slower["limit"]), (&Value::from("slower"), &Value::from("past")));
    assert_eq!(slower["limit_rules"], serde_json::json!(["5 %"]));
    let ratio = slower["ratio"]["estimate"].as_f64().expect("a ratio");
    assert!((ratio - 1.1).abs() < 1e-9, "{ratio}");
    assert_eq!((&bound["ratio"]["estimate"], &bound["ratio"]["lo"]), (&Value::Null, &Value::from(0.0)));
    assert_eq!(json["only_old"][0]["id"], "gone");
    assert_eq!(json["only_new"][0]["id"], "fresh");
}

#[test]
fn nothing_to_compare_is_said() {
    let nothing = compared(Vec::new(), Vec::new(), "");
    assert_eq!(nothing.to_text(80), "In sum: nothing to compare.\n");
    assert_eq!(nothing.to_markdown(), "In sum: nothing to compare.\n");
}
