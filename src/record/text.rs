//! How does a record read as plain text? Head, tables, the sentence of each result, findings.

use super::cost::{Cost, Unit};
use super::digits::{Rounding, significant};
use super::model::{
    BenchmarkResult, Calibration, CycleEstimate, Estimate, Finding, Machine, Placement, Record, Versus,
};
use super::words::{Kind, Verdict};
use crate::order;

pub use super::inert::{columns, elide, inert, wrap};
pub use super::table::Table;

/// Narrower than this no table fits; smaller widths are drawn as this one.
pub const MIN_WIDTH: usize = 60;

/// From this width on there is room for nanoseconds beside the cost.
const NANOS_FROM_WIDTH: usize = 76;

/// What stands where there is no number to show.
const NOTHING: &str = "-";

/// The record as text whose lines take at most `width` columns ([`MIN_WIDTH`] at least).
///
/// It begins with the machine and its calibration. A latency and a reciprocal throughput whose ids differ
/// in the last `/` part alone share a row and show their overlap; every other result has a row of its own.
/// Below the tables stands what each result licenses one to say, and what was found about the machine.
///
/// Every number has its unit in its cell or in its column's head, and no digit that its interval does not
/// support. A cost below resolution is shown as `< 0.3 cyc`, an upper bound as `<= 0.31`, and `~` marks an
/// estimate whose interval leaves no digit certain. Text from outside (names, notes) is shown with control
/// characters escaped. The text is a pure function of its arguments, without colour.
///
/// ```
/// use fencepost::record::{Record, text};
/// let shown = text::render(&Record::default(), 80);
/// assert!(shown.starts_with("INCOMPLETE"), "a default record claims nothing");
/// ```
pub fn render(record: &Record, width: usize) -> String {
    let mut page = Page { width: width.max(MIN_WIDTH), text: String::new() };
    if !record.complete {
        page.paragraph("INCOMPLETE: the run was cut short; only the results below were measured.", "", "  ");
        page.gap();
    }
    head(&mut page, &record.machine, &record.calibration);
    let (pairs, singles) = grouped(&record.results);
    for unit in [Unit::Cycles, Unit::Ticks] {
        page.table(pair_table(&pairs, unit));
    }
    page.table(single_table(&singles, page.width >= NANOS_FROM_WIDTH));
    page.table(placement_table(&record.results));
    page.table(versus_table(&record.comparisons));
    page.gap();
    for result in &record.results {
        explanation(&mut page, result);
    }
    for versus in &record.comparisons {
        page.paragraph(&inert(&versus.sentence), "", "  ");
    }
    page.gap();
    findings(&mut page, &record.findings);
    page.text.truncate(page.text.trim_end().len());
    page.text.push('\n');
    page.text
}

/// The text so far, and the width that it keeps.
struct Page {
    width: usize,
    text: String,
}

impl Page {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// One empty line, unless there is one or nothing yet.
    fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Wrapped text; `first` stands before its first line and `rest` before the others.
    fn paragraph(&mut self, text: &str, first: &str, rest: &str) {
        let room = self.width.saturating_sub(columns(first).max(columns(rest)));
        for (index, line) in wrap(text, room).iter().enumerate() {
            self.line(&format!("{}{line}", if index == 0 { first } else { rest }));
        }
    }

    fn table(&mut self, table: Table) {
        if !table.rows.is_empty() {
            self.gap();
            for line in table.lines(self.width) {
                self.line(&line);
            }
        }
    }

    /// A line of the head: `name` in a column of its own, and the parts behind it.
    fn entry(&mut self, name: &str, parts: &[String]) {
        self.paragraph(&parts.join(", "), &format!("{name:<LABEL$}"), &" ".repeat(LABEL));
    }
}

/// Width of the names in the head.
const LABEL: usize = 9;

fn known(value: f64) -> Option<f64> {
    (value.is_finite() && value > 0.0).then_some(value)
}

fn head(page: &mut Page, machine: &Machine, calibration: &Calibration) {
    let brand = if machine.brand.trim().is_empty() { "unknown CPU" } else { machine.brand.trim() };
    let mut parts = vec![inert(brand)];
    parts.extend(machine.microarchitecture.as_deref().map(inert));
    parts.extend(machine.llvm_cpu.as_deref().map(|name| format!("llvm {}", inert(name))));
    parts.extend(machine.hypervisor.as_deref().map(|name| format!("under {}", inert(name))));
    page.entry("machine", &parts);

    let mut parts = vec![calibration.core.to_string()];
    parts.extend(calibration.core_type.as_deref().map(|kind| format!("type {}", inert(kind))));
    page.entry("core", &parts);

    let mut parts = Vec::new();
    match (&calibration.cycle_source, calibration.ticks_per_cycle.and_then(known)) {
        (Some(source), Some(rate)) => {
            parts.push(format!("{}{}", inert(source), ruler(calibration)));
            parts.push(format!("{} ticks per cycle", figure(rate, 4)));
            parts.extend(known(calibration.tsc_hz / rate / 1e9).map(|ghz| format!("{} GHz", figure(ghz, 3))));
        }
        _ => parts.push(format!("none, ticks only{}", ruler(calibration))),
    }
    page.entry("cycles", &parts);

    let mut parts = Vec::new();
    parts.extend(known(calibration.tsc_hz).map(|hz| {
        let error = calibration.tsc_hz_error_ppm.and_then(known);
        let error = error.map_or_else(String::new, |ppm| format!(" +- {} ppm", figure(ppm, 1)));
        format!("{} MHz{error}", figure(hz / 1e6, 5))
    }));
    parts.extend(known(calibration.tsc_step_ticks).map(|step| format!("step {} ticks", figure(step, 3))));
    parts.extend(
        known(calibration.fence_overhead_ticks).map(|cost| format!("fence pair {} ticks", figure(cost, 2))),
    );
    page.entry("TSC", &parts);
}

fn ruler(calibration: &Calibration) -> String {
    let Some((ruler, imul)) = calibration.ruler.as_ref().and_then(|ruler| Some((ruler, known(ruler.imul)?)))
    else {
        return String::new();
    };
    let agreement = if ruler.agrees { "agrees" } else { "DISAGREES with 3" };
    format!(" (imul {} cyc, {agreement})", figure(imul, 3))
}

/// A calibration figure. It comes without an interval, so the digits are what its kind usually supports.
fn figure(value: f64, digits: i32) -> String {
    significant(value, digits, Rounding::Nearest)
}

/// A latency and a reciprocal throughput of the same thing.
struct Pair<'r> {
    stem: &'r str,
    latency: &'r BenchmarkResult,
    throughput: &'r BenchmarkResult,
    unit: Unit,
}

fn stem(result: &BenchmarkResult) -> Option<&str> {
    result.id.rsplit_once('/').map(|(stem, _)| stem).filter(|stem| !stem.is_empty())
}

/// The pairs in the order of their first result, and what is in no pair. Where a stem has two results of
/// one kind there is no saying which belong together, and where the units differ there is no comparing them.
fn grouped(results: &[BenchmarkResult]) -> (Vec<Pair<'_>>, Vec<&BenchmarkResult>) {
    let stem_at = |at: usize| results.get(at).and_then(stem).unwrap_or_default();
    let halves: Vec<usize> = (0..results.len())
        .filter(|at| side(&results[*at]).is_some() && stem(&results[*at]).is_some())
        .collect();
    let order =
        order::indices(halves.len(), &mut |one, other| stem_at(halves[one]).cmp(stem_at(halves[other])));
    // The other half of each result, where there is just one.
    let mut mates = vec![None; results.len()];
    for same in order.chunk_by(|one, other| stem_at(halves[*one]) == stem_at(halves[*other])) {
        if let &[one, other] = same {
            mates[halves[one]] = Some(halves[other]);
            mates[halves[other]] = Some(halves[one]);
        }
    }
    let (mut pairs, mut singles) = (Vec::new(), Vec::new());
    for (at, result) in results.iter().enumerate() {
        match mates[at].and_then(|mate| Some((mate, pair(result, &results[mate])?))) {
            Some((mate, pair)) if at < mate => pairs.push(pair),
            Some(_) => {}
            None => singles.push(result),
        }
    }
    (pairs, singles)
}

/// Which side of a pair a result can be.
fn side(result: &BenchmarkResult) -> Option<usize> {
    match result.kind {
        Kind::Latency => Some(0),
        Kind::ReciprocalThroughput => Some(1),
        _ => None,
    }
}

fn pair<'r>(one: &'r BenchmarkResult, other: &'r BenchmarkResult) -> Option<Pair<'r>> {
    let (latency, throughput) = match (side(one)?, side(other)?) {
        (0, 1) => (one, other),
        (1, 0) => (other, one),
        _ => return None,
    };
    let unit = Cost::of(latency)?.unit();
    (Cost::of(throughput)?.unit() == unit).then_some(Pair { stem: stem(latency)?, latency, throughput, unit })
}

/// What each result costs with its loop started elsewhere, a row each.
fn placement_table(results: &[BenchmarkResult]) -> Table {
    let in_cycles = results.iter().all(|result| result.placements.is_none() || result.cycles.is_some());
    let unit = if in_cycles { Unit::Cycles.name() } else { "" };
    let head = vec![
        ("by place", ""),
        ("offsets", ""),
        ("least", unit),
        ("median", unit),
        ("most", unit),
        ("spread", ""),
    ];
    let rows = results.iter().filter_map(|result| {
        let all = result.placements.as_ref()?;
        // The digits of a number are those that the place which is nearest to it supports.
        let cell = |value: f64| {
            let off = |one: &Placement| (one.estimate - value).abs();
            let nearest = all.each.iter().min_by(|one, other| off(one).total_cmp(&off(other)))?;
            let cost = Cost::of(&placed(result, value, nearest))?;
            Some((if in_cycles { cost.bare() } else { cost.with_unit() }, cost.is_below()))
        };
        let cells = [all.min, all.median, all.max].map(cell);
        let exact = !result.upper_bound && cells.iter().all(|cell| cell.as_ref().is_some_and(|cell| !cell.1));
        let spread = if exact {
            format!("{} %", if all.spread_pct == 0.0 { "0".to_owned() } else { figure(all.spread_pct, 2) })
        } else {
            NOTHING.to_owned()
        };
        let mut row = vec![inert(&result.id), format!("{} of {}", all.distinct, all.each.len())];
        row.extend(cells.map(|cell| cell.map_or_else(|| NOTHING.to_owned(), |(cost, _)| cost)));
        row.push(spread);
        Some(row)
    });
    Table { head, rows: rows.collect() }
}

/// The cost of `value`, known as well as that of the place beside it.
fn placed(result: &BenchmarkResult, value: f64, place: &Placement) -> BenchmarkResult {
    let (lo, hi) = (value + place.lo - place.estimate, value + place.hi - place.estimate);
    let cycles =
        result.cycles.as_ref().map(|_| CycleEstimate { estimate: value, lo, hi, ..Default::default() });
    BenchmarkResult {
        ticks: Estimate { estimate: value, lo: Some(lo), hi: Some(hi) },
        cycles,
        verdict: place.verdict,
        below_resolution: place.verdict == Verdict::BelowResolution,
        upper_bound: place.verdict == Verdict::Contended,
        resolution_cycles: result.resolution_cycles,
        loop_floor_cycles: result.loop_floor_cycles,
        ..BenchmarkResult::default()
    }
}

/// What was compared with what, a row each.
fn versus_table(comparisons: &[Versus]) -> Table {
    let head = vec![("comparison", ""), ("ratio", ""), ("from", ""), ("to", ""), ("against", "")];
    let rows = comparisons.iter().map(|versus| {
        let digits = |value: f64| if value.is_finite() { format!("{value:.3}") } else { NOTHING.to_owned() };
        vec![
            inert(&versus.of),
            digits(versus.ratio),
            digits(versus.lo),
            digits(versus.hi),
            format!("{}: {}", inert(&versus.to), versus.difference),
        ]
    });
    Table { head, rows: rows.collect() }
}

fn pair_table(pairs: &[Pair<'_>], unit: Unit) -> Table {
    let head = vec![
        ("benchmark", ""),
        ("latency", unit.name()),
        ("rthroughput", unit.name()),
        ("overlap", ""),
        ("verdict", ""),
    ];
    let rows = pairs.iter().filter(|pair| pair.unit == unit).map(|pair| {
        let costs = [Cost::of(pair.latency), Cost::of(pair.throughput)];
        let overlap = match &costs {
            [Some(latency), Some(throughput)] => Cost::overlap(latency, throughput),
            _ => None,
        };
        let [latency, throughput] =
            costs.map(|cost| cost.map_or_else(|| NOTHING.to_owned(), |cost| cost.bare()));
        let overlap = overlap.unwrap_or_else(|| NOTHING.to_owned());
        vec![inert(pair.stem), latency, throughput, overlap, pair_verdict(pair)]
    });
    Table { head, rows: rows.collect() }
}

/// One verdict if both sides have it, else those that are not *converged*, each with its side.
fn pair_verdict(pair: &Pair<'_>) -> String {
    let (latency, throughput) = (pair.latency.verdict, pair.throughput.verdict);
    if latency == throughput {
        return latency.to_string();
    }
    let sides = [("latency", latency), ("rthroughput", throughput)];
    let named = sides.iter().filter(|(_, verdict)| *verdict != Verdict::Converged);
    named.map(|(side, verdict)| format!("{side} {verdict}")).collect::<Vec<_>>().join(", ")
}

/// Results that are in no pair.
fn single_table(results: &[&BenchmarkResult], room_for_nanos: bool) -> Table {
    let cell = |cost: Option<String>| cost.unwrap_or_else(|| NOTHING.to_owned());
    let with_nanos = room_for_nanos && results.iter().any(|result| result.ns.is_some());
    let mut head = vec![("benchmark", ""), ("kind", ""), ("cost", ""), ("time", ""), ("verdict", "")];
    if !with_nanos {
        head.retain(|(name, _)| *name != "time");
    }
    let rows = results.iter().map(|result| {
        let kind = match result.kind {
            Kind::ReciprocalThroughput => "rthroughput".to_owned(),
            kind => kind.to_string(),
        };
        let mut row = vec![inert(&result.id), kind, cell(Cost::of(result).map(|cost| cost.with_unit()))];
        if with_nanos {
            row.push(cell(Cost::nanos(result).map(|cost| cost.with_unit())));
        }
        row.push(result.verdict.to_string());
        row
    });
    Table { head, rows: rows.collect() }
}

/// What a result licenses one to say, why no more, and remarks. The full id stands here if a table elided it.
fn explanation(page: &mut Page, result: &BenchmarkResult) {
    if !result.sentence.is_empty() {
        page.paragraph(&format!("{}: {}", inert(&result.id), inert(&result.sentence)), "", "  ");
    } else if result.verdict_reason.is_some() || !result.notes.is_empty() {
        page.paragraph(&format!("{}:", inert(&result.id)), "", "  ");
    }
    if let Some(reason) = &result.verdict_reason {
        page.paragraph(&format!("{}: {}", result.verdict, inert(reason)), "  ", "    ");
    }
    for note in &result.notes {
        page.paragraph(&format!("note: {}", inert(note)), "  ", "    ");
    }
}

fn findings(page: &mut Page, findings: &[Finding]) {
    if !findings.is_empty() {
        page.line("findings");
    }
    for finding in findings {
        let Finding { id, severity, value, effect, remedy } = finding;
        let mut text = format!("{severity}: {} is {}: {}", inert(id), inert(value), inert(effect));
        if let Some(remedy) = remedy {
            text.push_str("; to mend it: ");
            text.push_str(&inert(remedy));
        }
        page.paragraph(&text, "  ", "    ");
    }
}
