//! How does a ladder read as JSON? A record of the run, with the ladder beside its results.

use serde_json::{Value, json};

use super::ladder::Ladder;
use crate::Lab;

impl Ladder {
    /// The record of `lab` (schema `fencepost/1`) with `ladder`, `bandwidth`, `borders`, `told_caches`, `pages` and `notes` added; readers of records
    /// that know nothing of ladders ignore them.
    pub fn to_json(&self, lab: &Lab) -> String {
        let mut record = serde_json::from_str(&lab.record(&[], true).to_json()).unwrap_or_else(|_| json!({}));
        if let Value::Object(fields) = &mut record {
            fields.extend(self.fields());
        }
        format!("{record:#}\n")
    }

    /// What is added to the record.
    fn fields(&self) -> Vec<(String, Value)> {
        let rungs = self.rungs.iter().map(|rung| {
            json!({
                "bytes": rung.bytes,
                "cycles": rung.cycles.map(|(cycles, ..)| cycles),
                "cycles_lo": rung.cycles.map(|(_, lo, _)| lo),
                "cycles_hi": rung.cycles.map(|(.., hi)| hi),
                "ns": rung.ns,
                "ticks": rung.ticks,
                "level": rung.level.to_string(),
                "verdict": rung.verdict.as_str(),
                "cycles_4k_pages": rung.small_pages,
            })
        });
        let bandwidth = self.bandwidth.iter().map(|one| {
            json!({
                "bytes": one.bytes,
                "traffic": one.traffic.to_string(),
                "bytes_per_cycle": one.per_cycle,
                "gigabytes_per_sec": one.gigabytes_per_sec,
                "verdict": one.verdict.as_str(),
            })
        });
        let borders = self.borders.iter().map(|border| {
            json!({
                "bytes": border.bytes,
                "flat_until_bytes": border.flat_until,
                "before": border.before,
                "after": border.after,
            })
        });
        let caches = self.caches.iter().map(|cache| {
            json!({
                "level": cache.level,
                "told_bytes": cache.told,
                "seen_bytes": cache.seen,
                "sentence": cache.sentence,
            })
        });
        vec![
            ("ladder".to_owned(), rungs.collect()),
            ("bandwidth".to_owned(), bandwidth.collect()),
            ("borders".to_owned(), borders.collect()),
            ("told_caches".to_owned(), caches.collect()),
            ("pages".to_owned(), json!(self.pages.to_string())),
            ("notes".to_owned(), json!(self.notes)),
        ]
    }
}
