//! What did the run take of the machine, and each operation of the allocator? As tables.

use crate::record::{BenchmarkResult, Record, Table, inert};

/// Memory, faults and switches of the run.
pub(super) fn resources(record: &Record) -> Table {
    let rows = record.resources.iter().flat_map(|used| {
        [
            (
                "most memory resident at once",
                format!("{:.1} MiB", used.max_rss_bytes as f64 / (1 << 20) as f64),
            ),
            ("page faults without input or output", used.minor_faults.to_string()),
            ("page faults with", used.major_faults.to_string()),
            ("context switches to wait", used.voluntary_switches.to_string()),
            ("context switches for others", used.involuntary_switches.to_string()),
        ]
    });
    Table {
        head: vec![("resource", ""), ("used", "")],
        rows: rows.map(|(name, used)| vec![name.to_owned(), used]).collect(),
    }
}

/// What one operation of each benchmark asks of the allocator, where that was counted.
pub(super) fn allocations(results: &[BenchmarkResult]) -> Table {
    let figure = |value: f64| if value.fract() == 0.0 { value.to_string() } else { format!("{value:.2}") };
    let rows = results.iter().filter_map(|result| {
        let calls = *result.counters.get("allocations")?;
        let bytes = *result.counters.get("allocated_bytes")?;
        Some(vec![inert(&result.id), figure(calls), format!("{} B", figure(bytes))])
    });
    Table { head: vec![("benchmark", ""), ("allocations", ""), ("bytes", "")], rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_counted_is_shown() {
        let mut counted = BenchmarkResult { id: "counted".to_owned(), ..Default::default() };
        counted.counters.insert("allocations".to_owned(), 1.5);
        counted.counters.insert("allocated_bytes".to_owned(), 96.0);
        let table = allocations(&[BenchmarkResult::default(), counted]);
        assert_eq!(table.rows, [["counted", "1.50", "96 B"]]);
        assert!(resources(&Record::default()).rows.is_empty());
    }
}
