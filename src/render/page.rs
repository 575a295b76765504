//! Of what does the report consist? Head, summary, the benchmarks one by one, machines and findings, in one file.

use std::collections::BTreeMap;

use super::Run;
use super::counted::is_counted;
use super::escape;
use super::explored::{explored, is_explored};
use super::ladder::ladder;
use super::plots::Grain;
use super::sections::{benchmark, comparisons, machine, row};
use super::versus::versus;
use crate::baseline::{self, Comparison};
use crate::record::BenchmarkResult;

/// A benchmark in every run that has it.
pub(super) struct Line<'r> {
    pub(super) id: &'r str,
    pub(super) results: Vec<Option<&'r BenchmarkResult>>,
}

/// What the report is made of.
pub(super) struct Report<'r> {
    pub(super) runs: &'r [Run<'r>],
    pub(super) lines: Vec<Line<'r>>,
    /// Each further run against the first, or why it may not be compared.
    pub(super) compared: Vec<Result<Comparison, String>>,
    pub(super) grain: Grain,
}

impl Report<'_> {
    /// Whether everything in it was counted and not timed.
    pub(super) fn is_counted(&self) -> bool {
        let mut results = self.lines.iter().flat_map(|line| line.results.iter().flatten()).peekable();
        results.peek().is_some() && results.all(|result| is_counted(result))
    }
}

/// The report of these runs as one HTML file. Of several the first is what the others are compared with.
///
/// ```
/// use fencepost::record::Record;
/// use fencepost::render::{Run, html};
/// let record = Record::default();
/// let page = html(&[Run { name: "<today>".to_owned(), record: &record }]);
/// assert!(page.starts_with("<!doctype html>") && page.contains("&lt;today&gt;"));
/// ```
pub fn html(runs: &[Run<'_>]) -> String {
    let report = Report {
        runs,
        lines: lines(runs),
        compared: runs.split_first().map_or_else(Vec::new, |(first, others)| {
            let options = baseline::Options::default();
            let against = |run: &Run<'_>| baseline::compare(first.record, run.record, &options);
            others.iter().map(|run| against(run).map_err(|error| error.to_string())).collect()
        }),
        grain: Grain::of(runs.iter().map(|run| run.record.results.len()).sum()),
    };
    let mut page = String::from(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'; img-src data:\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><link rel=\"icon\" href=\"data:,\">\
         <title>fencepost report</title><style>",
    );
    page.push_str(include_str!("style.css"));
    page.push_str("</style></head><body><header><h1>fencepost report</h1>");
    page.push_str("<button type=\"button\" id=\"theme\">Theme: auto</button></header><main>");
    head(&mut page, &report);
    // A part: its name, whether there is something in it, and what writes it. A run without results may have a ladder.
    let results = !report.lines.is_empty();
    let compared = runs.iter().any(|run| !run.record.comparisons.is_empty());
    let ladders = runs.iter().any(|run| !run.record.ladder.is_empty());
    let found = runs.iter().any(|run| is_explored(run.record));
    let parts = [
        ("summary", "Summary", results || !ladders),
        ("compared", "Compared in pairs", compared),
        ("benchmarks", "Benchmarks", results),
        ("explored", "Sweeps and factors", found),
        ("ladder", "Memory ladder", ladders),
        ("machine", "Machine and findings", true),
    ];
    // Of one run there is no need to say each time which it is.
    let heading = |run: &Run<'_>| match runs {
        [_] => String::new(),
        _ => format!("<h3><bdi>{}</bdi></h3>", escape::text(&run.name)),
    };
    page.push_str("<nav aria-label=\"Parts of the report\">");
    for (id, name, _) in parts.iter().filter(|(.., shown)| *shown) {
        page.push_str(&format!("<a href=\"#{id}\">{name}</a>"));
    }
    page.push_str("</nav>");
    for (id, name, _) in parts.iter().filter(|(.., shown)| *shown) {
        page.push_str(&format!("<h2 id=\"{id}\">{name}</h2>"));
        match *id {
            "summary" => summary(&mut page, &report),
            "compared" => runs.iter().for_each(|run| versus(&mut page, run, &heading(run))),
            "benchmarks" => {
                page.push_str("<div id=\"list\">");
                for (at, line) in report.lines.iter().enumerate() {
                    benchmark(&mut page, &report, at, line);
                }
                page.push_str("</div>");
            }
            "explored" => runs.iter().for_each(|run| explored(&mut page, run, &heading(run))),
            "ladder" => runs.iter().for_each(|run| ladder(&mut page, run, &heading(run))),
            _ => {
                page.push_str("<div class=\"runs\">");
                runs.iter().for_each(|run| machine(&mut page, run, &heading(run)));
                page.push_str("</div>");
            }
        }
    }
    page.push_str("</main><script>");
    page.push_str(include_str!("script.js"));
    page.push_str("</script></body></html>\n");
    page
}

/// Every benchmark in the order in which it first comes; of an id that a run has twice each has its line.
fn lines<'r>(runs: &'r [Run<'r>]) -> Vec<Line<'r>> {
    let mut lines: Vec<Line<'r>> = Vec::new();
    let mut known: BTreeMap<(&str, usize), usize> = BTreeMap::new();
    for (at, run) in runs.iter().enumerate() {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for result in &run.record.results {
            let count = seen.entry(&result.id).or_insert(0);
            let index = *known.entry((&result.id, *count)).or_insert_with(|| {
                lines.push(Line { id: &result.id, results: vec![None; runs.len()] });
                lines.len() - 1
            });
            *count += 1;
            if let Some(cell) = lines.get_mut(index).and_then(|line| line.results.get_mut(at)) {
                *cell = Some(result);
            }
        }
    }
    lines
}

fn head(page: &mut String, report: &Report<'_>) {
    for (at, run) in report.runs.iter().enumerate() {
        let record = run.record;
        let brand =
            if record.machine.brand.is_empty() { "a machine without a name" } else { &record.machine.brand };
        let design = record.machine.microarchitecture.as_deref().unwrap_or("design not known");
        let extent =
            if record.complete { "" } else { " <b class=\"serious\">cut short: not all was measured</b>" };
        let version = match record.build.fencepost.as_str() {
            "" => String::new(),
            version => format!(", fencepost {}", escape::text(version)),
        };
        page.push_str(&format!(
            "<p><b>[{}]</b> <bdi>{}</bdi> <span class=\"dim\">{}, {}{version}</span>{extent}</p>",
            at + 1,
            escape::text(&run.name),
            escape::text(brand),
            escape::text(design),
        ));
    }
    comparisons(page, report);
}

fn summary(page: &mut String, report: &Report<'_>) {
    page.push_str(
        "<div class=\"bar\"><label>Filter <input id=\"filter\" type=\"search\" placeholder=\"words; press /\"></label>\
         <button type=\"button\" id=\"all\">Open all</button><span id=\"told\" class=\"dim\" role=\"status\"></span></div>\
         <div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Summary table\"><table id=\"sum\"><thead><tr>",
    );
    let several = report.runs.len() > 1;
    let mut heads: Vec<(String, &str)> = vec![("benchmark".into(), ""), ("kind".into(), " class=\"o\"")];
    if several {
        let newest = report.runs.len();
        // On a narrow screen the newest cost and its ratio are what there is room for.
        heads.extend((1..newest).map(|at| (format!("cost [{at}]"), " class=\"o n\"")));
        heads.push((format!("cost [{newest}]"), " class=\"n\""));
        heads.extend((2..=newest).map(|at| (format!("[{at}] / [1]"), "")));
    } else if report.is_counted() {
        heads.push(("instr".into(), " class=\"n\""));
        heads.extend(["L1", "L2", "RAM", "est. cyc"].map(|name| (name.into(), " class=\"o n\"")));
    } else {
        heads.push(("cost".into(), " class=\"n\""));
        heads.push(("interval".into(), " class=\"o\""));
        heads.extend(["time", "clean"].map(|name| (name.into(), " class=\"o n\"")));
    }
    heads.push(("verdict".into(), ""));
    for (name, class) in heads {
        page.push_str(&format!("<th scope=\"col\"{class}><button type=\"button\">{name}</button></th>"));
    }
    page.push_str("</tr></thead><tbody>");
    for (at, line) in report.lines.iter().enumerate() {
        row(page, report, at, line);
    }
    page.push_str("</tbody></table></div>");
    if report.lines.is_empty() {
        page.push_str("<p>There are no results in it.</p>");
    }
}
