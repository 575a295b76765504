//! How does a ladder read as JSON? A record of the run, with the ladder beside its results.

use super::ladder::Ladder;
use crate::Lab;
use crate::record::{self, Record};

impl Ladder {
    /// The record of `lab` with `ladder`, `bandwidth`, `borders`, `told_caches`, `pages` and `notes` filled in (`docs/schema.md`).
    pub fn to_record(&self, lab: &Lab) -> Record {
        self.add_to(lab.record(&[], true))
    }

    /// The same as JSON.
    pub fn to_json(&self, lab: &Lab) -> String {
        format!("{}\n", self.to_record(lab).to_json_pretty())
    }

    fn add_to(&self, record: Record) -> Record {
        let rungs = self.rungs.iter().map(|rung| record::Rung {
            bytes: rung.bytes,
            cycles: rung.cycles.map(|(cycles, ..)| cycles),
            cycles_lo: rung.cycles.map(|(_, lo, _)| lo),
            cycles_hi: rung.cycles.map(|(.., hi)| hi),
            ns: rung.ns,
            ticks: rung.ticks,
            level: rung.level.to_string(),
            verdict: rung.verdict,
            cycles_4k_pages: rung.small_pages,
        });
        let bandwidth = self.bandwidth.iter().map(|one| record::Bandwidth {
            bytes: one.bytes,
            traffic: one.traffic.to_string(),
            bytes_per_cycle: one.per_cycle,
            gigabytes_per_sec: one.gigabytes_per_sec,
            verdict: one.verdict,
        });
        let borders = self.borders.iter().map(|border| record::Border {
            bytes: border.bytes,
            flat_until_bytes: border.flat_until,
            before: border.before,
            after: border.after,
        });
        let told = self.caches.iter().map(|cache| record::ToldCache {
            level: u64::from(cache.level),
            told_bytes: cache.told,
            seen_bytes: cache.seen,
            sentence: cache.sentence.clone(),
        });
        Record {
            ladder: rungs.collect(),
            bandwidth: bandwidth.collect(),
            borders: borders.collect(),
            told_caches: told.collect(),
            pages: Some(self.pages.to_string()),
            notes: self.notes.clone(),
            ..record
        }
    }
}
