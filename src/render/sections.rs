//! What does a report say of one benchmark, one machine, one comparison? The pieces of the page.

use std::fmt::Write as _;

use super::Run;
use super::counted::{self, is_counted};
use super::escape;
use super::loops;
use super::page::{Line, Report};
use super::plots;
use super::svg::Ink;
use super::versus;
use crate::baseline::{Entry, Standing, comparability};
use crate::record::{
    BenchmarkResult, Cost, Kind, Rounding, Samples, cost, cost_in_ns, last_place, overlap, rounded,
};

/// The row of a benchmark in the summary.
pub(super) fn row(page: &mut String, report: &Report<'_>, at: usize, line: &Line<'_>) {
    let shown: Vec<&BenchmarkResult> = line.results.iter().flatten().copied().collect();
    let Some(newest) = shown.last() else { return };
    let id = escape::text(line.id);
    let _ = write!(
        page,
        "<tr data-i=\"b{at}\"><td><a href=\"#b{at}\"><bdi>{id}</bdi></a></td><td class=\"o\">{}</td>",
        newest.kind
    );
    for (at, result) in line.results.iter().enumerate() {
        let class = if at + 1 < line.results.len() { "o " } else { "" };
        match result {
            // The column says already what is counted.
            Some(result) if report.runs.len() == 1 && report.is_counted() => {
                number(page, sortable(result), &counted::figure(sortable(result)), class);
            }
            Some(result) => number(page, sortable(result), &shown_cost(result), class),
            None => number(page, f64::NAN, "-", class),
        }
    }
    if report.runs.len() > 1 {
        let first = line.results.first().copied().flatten();
        for (comparison, later) in report.compared.iter().zip(line.results.iter().skip(1)) {
            let counts = |result: Option<&BenchmarkResult>| result.and_then(|one| one.counts.clone());
            if let (Some(before), Some(now)) = (counts(first), counts(*later)) {
                change(page, before.instructions, now.instructions);
                continue;
            }
            match comparison.as_ref().ok().and_then(|one| entry_of(&one.entries, report, at, line)) {
                Some(entry) => {
                    let ratio = entry.ratio.as_ref().and_then(|ratio| ratio.estimate);
                    let limit = if entry.standing == Standing::Past { ", regression" } else { "" };
                    let text = ratio.map_or_else(|| "-".to_owned(), |ratio| ratio_text(ratio, entry));
                    let _ = write!(
                        page,
                        "<td class=\"w {}\" data-v=\"{}\">{text} {}{limit}</td>",
                        entry.movement.as_str(),
                        ratio.unwrap_or(f64::NAN),
                        entry.movement.words()
                    );
                }
                None => number(page, f64::NAN, "-", ""),
            }
        }
    } else if report.is_counted() {
        let counts = newest.counts.as_ref().map(counted::columns).unwrap_or_default();
        // The instructions stand under cost already.
        for (_, value) in counts.into_iter().skip(1) {
            number(page, value, &counted::figure(value), "o ");
        }
    } else {
        let interval = Cost::of(newest).and_then(|cost| cost.interval_with_unit());
        let _ = write!(page, "<td class=\"o w\">{}</td>", escape::text(interval.as_deref().unwrap_or("-")));
        number(page, newest.ns.as_ref().map_or(f64::NAN, |ns| ns.estimate), &cost_in_ns(newest), "o ");
        let clean = 100.0 * newest.samples.clean as f64 / newest.samples.total.max(1) as f64;
        number(page, clean, &format!("{clean:.0} %"), "o ");
    }
    if is_counted(newest) {
        page.push_str("<td class=\"w\">counted</td></tr>");
    } else {
        let _ = write!(page, "<td class=\"w {}\">{}</td></tr>", newest.verdict.as_str(), newest.verdict);
    }
}

/// A cost, or the instructions of what was counted and not timed.
fn shown_cost(result: &BenchmarkResult) -> String {
    match &result.counts {
        Some(counts) if is_counted(result) => format!("{} instr", counted::figure(counts.instructions)),
        _ => cost(result),
    }
}

/// Counts are exact: any difference is one.
fn change(page: &mut String, before: f64, now: f64) {
    let ratio = now / before;
    let (class, word) = match now.partial_cmp(&before) {
        Some(std::cmp::Ordering::Less) => ("faster", "fewer"),
        Some(std::cmp::Ordering::Greater) => ("slower", "more"),
        Some(std::cmp::Ordering::Equal) => ("no_difference", "the same"),
        None => ("cannot_tell", "cannot be told"),
    };
    let shown = if ratio.is_finite() { format!("{ratio:.4}") } else { "-".to_owned() };
    let _ = write!(page, "<td class=\"w {class}\" data-v=\"{ratio}\">{shown} {word}</td>");
}

fn sortable(result: &BenchmarkResult) -> f64 {
    if let Some(counts) = result.counts.as_ref().filter(|_| is_counted(result)) {
        return counts.instructions;
    }
    result.cycles.as_ref().map_or(result.ticks.estimate, |cycles| cycles.estimate)
}

fn number(page: &mut String, value: f64, text: &str, class: &str) {
    let _ = write!(page, "<td class=\"{class}n\" data-v=\"{value}\">{}</td>", escape::text(text));
}

fn ratio_text(ratio: f64, entry: &Entry) -> String {
    let width = entry.ratio.as_ref().map(|ends| ends.hi - ends.lo).filter(|width| width.is_finite());
    rounded(ratio, last_place(ratio, width), Rounding::Nearest)
}

/// The entry of a line: of an id that comes several times, the one that is as many lines down.
fn entry_of<'c>(entries: &'c [Entry], report: &Report<'_>, at: usize, line: &Line<'_>) -> Option<&'c Entry> {
    let before = report.lines.get(..at)?.iter().filter(|other| other.id == line.id).count();
    entries.iter().filter(|entry| entry.id == line.id).nth(before)
}

/// Everything about one benchmark, closed at first.
pub(super) fn benchmark(page: &mut String, report: &Report<'_>, at: usize, line: &Line<'_>) {
    let Some(newest) = line.results.iter().rev().flatten().next() else { return };
    let _ = write!(
        page,
        "<details id=\"b{at}\"><summary><bdi>{}</bdi><span>{}</span></summary>",
        escape::text(line.id),
        escape::text(&shown_cost(newest))
    );
    for comparison in report.compared.iter().flatten().filter(|_| !is_counted(newest)) {
        if let Some(entry) = entry_of(&comparison.entries, report, at, line) {
            let _ = write!(
                page,
                "<p class=\"{}\">{}</p>",
                entry.movement.as_str(),
                escape::text(&entry.sentence)
            );
        }
    }
    for (run, result) in line.results.iter().enumerate() {
        let Some(result) = result else { continue };
        if report.runs.len() > 1 {
            let _ = write!(page, "<p><b>[{}]</b></p>", run + 1);
        }
        one(page, report, run, result);
    }
    page.push_str("</details>");
}

fn one(page: &mut String, report: &Report<'_>, run: usize, result: &BenchmarkResult) {
    let _ = write!(page, "<p>{}</p>", escape::text(&result.sentence));
    let comparisons = report.runs.get(run).map(|run| run.record.comparisons.as_slice()).unwrap_or_default();
    for one in comparisons.iter().filter(|one| one.of == result.id) {
        let class = versus::class(one.difference);
        let _ = write!(page, "<p class=\"{class}\">{}</p>", escape::text(&one.sentence));
    }
    if let Some(counts) = &result.counts {
        counted::counted(page, counts);
    }
    if !is_counted(result) {
        samples(page, report, run, result);
    }
    if let Some(decoded) = &result.decoded {
        loops::decoded(page, result, decoded, report.grain.lines);
    }
    facts(page, result, partner(report, run, result));
}

/// What its samples look like.
fn samples(page: &mut String, report: &Report<'_>, run: usize, result: &BenchmarkResult) {
    let points = result.trace.as_ref().map(crate::record::Trace::points).unwrap_or_default();
    let mut figures = String::new();
    let mut figure = |plot: String, caption: &str| {
        if !plot.is_empty() {
            let _ = write!(figures, "<figure>{plot}<figcaption>{caption}</figcaption></figure>");
        }
    };
    figure(
        plots::distribution(result, &points, report.grain),
        &format!(
            "Longer slices by cost in cycles an operation; the ends hold what is farther out. Of all slices: {}",
            counts(&result.samples)
        ),
    );
    figure(
        plots::timeline(result, &points, report.grain),
        "In order of time: clean cost, gauge over its best, clock; the strip shows what was discarded",
    );
    figure(
        plots::convergence(result, &points, report.grain),
        "Estimate and 95 % interval in cycles by number of samples",
    );
    let (plot, caption) = beside(report, run, result);
    figure(plot, &caption);
    if figures.is_empty() {
        let _ = write!(page, "<p>{}</p>", counts(&result.samples));
        page.push_str("<p class=\"dim\">Its samples were not saved: measure with --samples for plots.</p>");
    } else {
        let _ = write!(page, "<div class=\"plots\">{figures}</div>");
        if points.is_empty() {
            let _ = write!(page, "<p>{}</p>", counts(&result.samples));
        }
    }
}

pub(super) fn swatch(ink: Ink) -> String {
    format!("<i class=\"k{}\"></i>", ink as u8)
}

/// How many samples have which label, in their colours: the legend of the plots.
fn counts(samples: &Samples) -> String {
    let labels = [
        (Ink::Clean, "clean", samples.clean),
        (Ink::Contended, "contended", samples.contended),
        (Ink::Drifted, "drifted", samples.drifted),
        (Ink::Interrupted, "interrupted", samples.interrupted),
        (Ink::Migrated, "migrated", samples.migrated),
    ];
    let parts: Vec<String> = labels
        .into_iter()
        .filter(|(.., count)| *count > 0)
        .map(|(ink, word, count)| format!("{}{count} {word}", swatch(ink)))
        .collect();
    if parts.is_empty() { "no samples".to_owned() } else { parts.join(", ") }
}

/// The plot of a latency and its reciprocal throughput, under the latency; or of one of them alone, where a model says something of it.
/// With its caption.
fn beside(report: &Report<'_>, run: usize, result: &BenchmarkResult) -> (String, String) {
    let other = partner(report, run, result);
    let predicted = |result: &BenchmarkResult| result.prediction.as_ref()?.cycles;
    let bar = |result: &BenchmarkResult| {
        Some(plots::Bar {
            name: match result.kind {
                Kind::Latency => "latency",
                Kind::ReciprocalThroughput => "rthroughput",
                _ => "cost",
            },
            cost: result.cycles.as_ref()?.estimate,
            shown: cost(result),
            floor: result.loop_floor_cycles,
            predicted: predicted(result),
        })
    };
    if other.is_none() && predicted(result).is_none() {
        return (String::new(), String::new());
    }
    let bars: Vec<plots::Bar> = std::iter::once(result).chain(other).filter_map(bar).collect();
    let mut caption = match other {
        Some(_) => "Latency beside reciprocal throughput".to_owned(),
        None => "What was measured".to_owned(),
    };
    let known = |of: fn(&plots::Bar) -> Option<f64>| bars.iter().filter_map(of).any(f64::is_finite);
    let marks = [
        ("loop floor", Ink::Floor, known(|bar| bar.floor)),
        ("what the model predicts", Ink::Prediction, known(|bar| bar.predicted)),
    ];
    for (name, ink, _) in marks.into_iter().filter(|(.., known)| *known) {
        let _ = write!(caption, "; {}{name}", swatch(ink));
    }
    (plots::bars(&bars), caption)
}

/// The reciprocal throughput that belongs to a latency: the id differs in the last part alone.
fn partner<'r>(report: &Report<'r>, run: usize, result: &BenchmarkResult) -> Option<&'r BenchmarkResult> {
    if result.kind != Kind::Latency {
        return None;
    }
    let (stem, _) = result.id.rsplit_once('/')?;
    // They are registered one after the other; a few lines around are enough to look at.
    let results = &report.runs.get(run)?.record.results;
    let at = results.iter().position(|one| std::ptr::eq(one, result))?;
    let near = results.get(at.saturating_sub(4)..(at + 5).min(results.len()))?;
    near.iter().find(|one| {
        one.kind == Kind::ReciprocalThroughput
            && one.id.rsplit_once('/').is_some_and(|(other, _)| other == stem)
    })
}

fn facts(page: &mut String, result: &BenchmarkResult, partner: Option<&BenchmarkResult>) {
    page.push_str("<dl>");
    if is_counted(result) {
        page.push_str("<dt>verdict</dt><dd>counted, not timed</dd></dl>");
        notes(page, result);
        return;
    }
    let mut fact = |name: &str, value: String| {
        let _ = write!(page, "<dt>{name}</dt><dd>{}</dd>", escape::text(&value));
    };
    let mut verdict = result.verdict.to_string();
    if let Some(reason) = &result.verdict_reason {
        verdict.push_str(&format!(": {reason}"));
    }
    fact("verdict", verdict);
    let time = if result.ns.is_some() { format!(", {}", cost_in_ns(result)) } else { String::new() };
    let interval = Cost::of(result).and_then(|cost| cost.interval_with_unit());
    let interval = interval.map_or_else(String::new, |interval| format!(" ({interval})"));
    fact("cost", format!("{}{interval}{time}", cost(result)));
    if let Some(overlap) = partner.and_then(|other| overlap(result, other)) {
        fact("overlap", format!("{overlap} calls in flight"));
    }
    if let Some(floor) = result.loop_floor_cycles.filter(|floor| floor.is_finite()) {
        fact("loop floor", format!("{floor:.2} cyc"));
    }
    if let Some(prediction) = &result.prediction {
        fact("prediction", loops::prediction(prediction));
    }
    if let Some(cycles) = result.cycles.as_ref().filter(|cycles| cycles.spread_pct.is_finite()) {
        fact(
            "spread",
            format!(
                "clean samples lie within {:.1} % of their median from the least to the greatest",
                cycles.spread_pct
            ),
        );
    }
    fact(
        "slices",
        format!("{} and twice as many iterations, on CPU {}", result.slice_iterations, result.core),
    );
    for (name, value) in result.counters.iter() {
        let _ = write!(page, "<dt><bdi>{}</bdi></dt><dd>{value}</dd>", escape::text(name));
    }
    page.push_str("</dl>");
    notes(page, result);
}

fn notes(page: &mut String, result: &BenchmarkResult) {
    if !result.notes.is_empty() {
        page.push_str("<ul>");
        for note in &result.notes {
            let _ = write!(page, "<li>{}</li>", escape::text(note));
        }
        page.push_str("</ul>");
    }
}

/// What differs between the runs besides their results, or why they may not be compared.
pub(super) fn comparisons(page: &mut String, report: &Report<'_>) {
    let Some((first, others)) = report.runs.split_first() else { return };
    for (at, (run, comparison)) in others.iter().zip(&report.compared).enumerate() {
        match comparison {
            Err(reason) => {
                // What differs is listed below; another reason has to be told.
                let why = match comparability(first.record, run.record).is_empty() {
                    true => format!(": {}", escape::text(reason)),
                    false => String::new(),
                };
                let _ = write!(
                    page,
                    "<p class=\"warning\">[{}] is shown beside [1] and not compared{why}.</p>",
                    at + 2
                );
            }
            // Of counts there is nothing to be told that the table does not.
            Ok(_) if report.is_counted() => {}
            Ok(comparison) => {
                let count = |word: &str| {
                    comparison.entries.iter().filter(|entry| entry.movement.as_str() == word).count()
                };
                let _ = write!(
                    page,
                    "<p>[{}] against [1]: {} faster, {} slower, {} no difference, {} cannot be told.</p>",
                    at + 2,
                    count("faster"),
                    count("slower"),
                    count("no_difference"),
                    count("cannot_tell")
                );
            }
        }
        let differences = comparability(first.record, run.record);
        if !differences.is_empty() {
            page.push_str("<ul>");
            for difference in differences {
                let _ = write!(page, "<li class=\"warning\">{}</li>", escape::text(&difference.to_string()));
            }
            page.push_str("</ul>");
        }
    }
}

/// One machine with its calibration and findings.
pub(super) fn machine(page: &mut String, run: &Run<'_>, heading: &str) {
    let record = run.record;
    let (machine, calibration) = (&record.machine, &record.calibration);
    let _ = write!(page, "<section>{heading}<dl>");
    let mut fact = |name: &str, value: String| {
        if !value.is_empty() {
            let _ = write!(page, "<dt>{}</dt><dd>{}</dd>", escape::text(name), escape::text(&value));
        }
    };
    for (name, value) in machine.fingerprint.iter() {
        fact(name, value.clone());
    }
    if machine.fingerprint.is_empty() {
        fact("brand", machine.brand.clone());
        fact("kernel", machine.kernel.clone());
    }
    if calibration.tsc_hz > 0.0 {
        fact(
            "TSC",
            format!("{:.2} MHz, step {:.1} ticks", calibration.tsc_hz / 1e6, calibration.tsc_step_ticks),
        );
        fact("fence pair", format!("{:.0} ticks", calibration.fence_overhead_ticks));
    }
    fact("cycles from", calibration.cycle_source.clone().unwrap_or_else(|| "none: ticks only".to_owned()));
    if let Some(rate) = calibration.ticks_per_cycle.filter(|rate| *rate > 0.0) {
        let clock = calibration.tsc_hz / rate / 1e6;
        fact("clock", format!("{rate:.4} ticks a cycle, {clock:.0} MHz"));
    }
    let build = &record.build;
    let build = [&build.profile, &build.rustc, &build.target].map(String::as_str);
    let build: Vec<&str> = build.into_iter().filter(|part| !part.is_empty()).collect();
    fact("build", build.join(", "));
    page.push_str("</dl>");
    if record.findings.is_empty() {
        page.push_str("<p class=\"dim\">No findings.</p>");
    } else {
        page.push_str("<ul>");
    }
    for finding in &record.findings {
        let mend = finding
            .remedy
            .as_ref()
            .map_or_else(String::new, |mend| format!(" <code>{}</code>", escape::text(mend)));
        let _ = write!(
            page,
            "<li><b class=\"{}\">{} {}</b>: {}. <span class=\"dim\">{}</span>{mend}</li>",
            finding.severity.as_str(),
            finding.severity,
            escape::text(&finding.id),
            escape::text(&finding.value),
            escape::text(&finding.effect)
        );
    }
    if !record.findings.is_empty() {
        page.push_str("</ul>");
    }
    page.push_str("</section>");
}
