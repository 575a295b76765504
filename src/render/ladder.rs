//! What does a report show of a memory ladder? Latency and bandwidth by working set, with the caches' borders, and the figures.

use std::fmt::Write as _;

use super::Run;
use super::escape;
use super::sections::swatch;
use super::sizes::{Point, Series, Sizes, plot, short};
use super::svg::Ink;
use crate::record::{Record, Rounding, Rung, significant};

/// The ladder of a run, if it has one.
pub(super) fn ladder(page: &mut String, run: &Run<'_>, heading: &str) {
    let record = run.record;
    if record.ladder.is_empty() {
        return;
    }
    let _ = write!(page, "<section>{heading}<div class=\"plots large\">");
    latency(page, record);
    bandwidth(page, record);
    page.push_str("</div>");
    for sentence in record.told_caches.iter().map(|cache| &cache.sentence).chain(&record.notes) {
        let _ = write!(page, "<p>{}</p>", escape::text(sentence));
    }
    table(page, record);
    page.push_str("</section>");
}

fn claims(record: &Record) -> bool {
    record.ladder.iter().any(|rung| rung.cycles.is_some())
}

/// In core cycles, or in ticks where no cycles may be claimed.
fn cost(rung: &Rung, claims: bool) -> Option<f64> {
    if claims { rung.cycles } else { Some(rung.ticks) }
}

/// The caches by CPUID, under names that fit above a plot.
fn told(record: &Record) -> Vec<(u64, String)> {
    let caches = record.told_caches.iter();
    caches.map(|cache| (cache.told_bytes, format!("L{} {}", cache.level, short(cache.told_bytes)))).collect()
}

fn latency(page: &mut String, record: &Record) {
    let claims = claims(record);
    let points = |of: &dyn Fn(&Rung) -> Option<f64>, with_ends: bool| -> Vec<Point> {
        let rungs = record.ladder.iter();
        let ends = |rung: &Rung| rung.cycles_lo.zip(rung.cycles_hi).filter(|_| with_ends && claims);
        rungs
            .filter_map(|rung| Some(Point { bytes: rung.bytes, value: of(rung)?, ends: ends(rung) }))
            .collect()
    };
    let pages = record.pages.as_deref().unwrap_or("unknown");
    let small = points(&|rung| rung.cycles_4k_pages, false);
    let mut legend = format!("{}on {} pages", swatch(Ink::Clock), escape::text(pages));
    if !small.is_empty() {
        let _ = write!(legend, ", {}on 4 KiB pages", swatch(Ink::Contended));
    }
    let svg = plot(&Sizes {
        label: "Load-to-use latency by working set",
        unit: if claims { "cyc" } else { "ticks" },
        series: vec![
            Series { ink: Ink::Contended, points: small },
            Series { ink: Ink::Clock, points: points(&|rung| cost(rung, claims), true) },
        ],
        told: told(record),
        seen: record.borders.iter().map(|border| border.bytes).collect(),
    });
    figure(
        page,
        &svg,
        &format!("Load-to-use latency by working set, both logarithmic; {legend}; {}", borders_legend()),
    );
}

fn borders_legend() -> String {
    format!("dashed: where a cache ends by CPUID; {}where the data show an end", swatch(Ink::Band))
}

/// Traffic and its ink.
const TRAFFIC: [(&str, Ink); 3] = [("read", Ink::Clean), ("write", Ink::Floor), ("copy", Ink::Prediction)];

fn bandwidth(page: &mut String, record: &Record) {
    let claims = record.bandwidth.iter().any(|one| one.bytes_per_cycle.is_some());
    let series = TRAFFIC.map(|(traffic, ink)| {
        let of = record.bandwidth.iter().filter(|one| one.traffic == traffic);
        let value = |one: &crate::record::Bandwidth| {
            if claims { one.bytes_per_cycle } else { one.gigabytes_per_sec }
        };
        let points = of.filter_map(|one| Some(Point { bytes: one.bytes, value: value(one)?, ends: None }));
        Series { ink, points: points.collect() }
    });
    let legend: Vec<String> = TRAFFIC.map(|(traffic, ink)| format!("{}{traffic}", swatch(ink))).to_vec();
    let svg = plot(&Sizes {
        label: "Bandwidth by working set",
        unit: if claims { "B/cyc" } else { "GB/s" },
        series: series.to_vec(),
        told: told(record),
        seen: Vec::new(),
    });
    figure(
        page,
        &svg,
        &format!(
            "Bandwidth of one core by working set, both logarithmic; {}; a byte copied counts once",
            legend.join(", ")
        ),
    );
}

fn figure(page: &mut String, svg: &str, caption: &str) {
    if !svg.is_empty() {
        let _ = write!(page, "<figure>{svg}<figcaption>{caption}</figcaption></figure>");
    }
}

fn table(page: &mut String, record: &Record) {
    let unit = if claims(record) { "cyc" } else { "ticks" };
    let _ = write!(
        page,
        "<details class=\"more\"><summary>The figures</summary><div class=\"wide\" tabindex=\"0\" role=\"region\" \
         aria-label=\"Figures of the ladder\"><table class=\"fit\"><thead><tr><th scope=\"col\">working set</th><th scope=\"col\">level</th>\
         <th scope=\"col\" class=\"n\">{unit}</th><th scope=\"col\" class=\"n\">ns</th><th scope=\"col\" class=\"n\">cyc, 4 KiB pages</th>\
         <th scope=\"col\" class=\"n\">read GB/s</th><th scope=\"col\" class=\"n\">write GB/s</th><th scope=\"col\" class=\"n\">copy GB/s</th>\
         <th scope=\"col\">verdict</th></tr></thead><tbody>"
    );
    let figure = |value: Option<f64>| {
        value
            .filter(|value| value.is_finite())
            .map_or_else(|| "-".to_owned(), |value| significant(value, 3, Rounding::Nearest))
    };
    for rung in &record.ladder {
        let _ = write!(page, "<tr><td>{}</td><td>{}</td>", short(rung.bytes), escape::text(&rung.level));
        let speed = |traffic: &str| {
            let one = record.bandwidth.iter().find(|one| one.bytes == rung.bytes && one.traffic == traffic);
            one.and_then(|one| one.gigabytes_per_sec)
        };
        let values = [cost(rung, claims(record)), rung.ns, rung.cycles_4k_pages];
        for value in values.into_iter().chain(TRAFFIC.map(|(traffic, _)| speed(traffic))) {
            let _ = write!(page, "<td class=\"n\">{}</td>", figure(value));
        }
        let _ = write!(page, "<td class=\"{}\">{}</td></tr>", rung.verdict.as_str(), rung.verdict);
    }
    page.push_str("</tbody></table></div></details>");
}
