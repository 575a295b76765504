//! What has to be known to read a ladder? Its pages, its TLB misses, and where CPUID and the data contradict each other.

use super::borders::Border;
use super::ladder::Rung;
use super::ladder_levels::cache_findings;
use super::ladder_options::LadderOptions;
use super::levels::{Levels, bytes_text};
use super::pages::PageSize;
use crate::Lab;
use crate::record::Verdict;

/// Remarks for the reader of these rungs.
pub(super) fn notes(
    lab: &Lab,
    rungs: &[Rung],
    borders: &[Border],
    levels: &Levels,
    pages: PageSize,
    options: &LadderOptions,
) -> Vec<String> {
    let mut notes = contradictions(
        borders,
        levels,
        rungs.last().map_or(0, |rung| rung.bytes),
        lab.machine().hypervisor(),
        rungs.last().and_then(|rung| rung.ns),
    );
    match (pages, options.pages) {
        (PageSize::Huge, _) => notes.push(
            "Pages are 2 MiB (confirmed in /proc/self/smaps), so TLB misses have little part in these latencies; a hypervisor may back \
             them with 4 KiB pages of its own all the same."
                .to_owned(),
        ),
        (PageSize::Small, wanted) => notes.push(format!(
            "Pages are 4 KiB{}: from about 256 KiB on TLB misses are part of these latencies (64 to 96 entries in the first level), and from \
             about 8 MiB on page walks.",
            if wanted == PageSize::Huge { ", since huge ones could not be had" } else { "" }
        )),
    }
    if let Some(tlb) = tlb_note(rungs) {
        notes.push(tlb);
    }
    let contended = rungs.iter().filter(|rung| rung.verdict == Verdict::Contended).count();
    if contended > 0 {
        notes.push(format!(
            "{contended} of {} latencies were measured beside a busy sibling or neighbour: they are upper bounds.",
            rungs.len()
        ));
    }
    notes.push(
        "The gauge does not see neighbours on a shared cache or on the memory bus: what lies beyond L2 is what was left of them."
            .to_owned(),
    );
    notes
}

/// From which size on 4 KiB pages cost more.
fn tlb_note(rungs: &[Rung]) -> Option<String> {
    /// A rise that is more than noise and more than rounding.
    const DEARER: f64 = 1.15;
    let dearer = |rung: &Rung| {
        let (cycles, ..) = rung.cycles?;
        rung.small_pages.map(|small| small / cycles)
    };
    let both: Vec<(&Rung, f64)> = rungs.iter().filter_map(|rung| Some((rung, dearer(rung)?))).collect();
    let last = both.last()?;
    // The first of those from which on all are dearer but one at the most, so that one disturbed size does not decide.
    let from = (0..both.len())
        .find(|at| {
            both[*at].1 > DEARER && both[*at..].iter().filter(|(_, ratio)| *ratio <= DEARER).count() <= 1
        })
        .map(|at| both[at].0.bytes);
    Some(match from {
        Some(bytes) => format!(
            "TLB: on 4 KiB pages a load is dearer from {} on ({:.1} times as dear at {}).",
            bytes_text(bytes),
            last.1,
            bytes_text(last.0.bytes)
        ),
        None => "TLB: 4 KiB pages cost no more than 2 MiB pages at these sizes.".to_owned(),
    })
}

/// What of the told caches the data contradict, and what is not told at all.
fn contradictions(
    borders: &[Border],
    levels: &Levels,
    largest: u64,
    hypervisor: Option<&str>,
    last_ns: Option<f64>,
) -> Vec<String> {
    /// No cache is as far away as this, in nanoseconds.
    const MEMORY_NS: f64 = 80.0;
    let mut notes = Vec::new();
    let guest = hypervisor.map(|name| format!("this guest of {name}"));
    let who = guest.as_deref().unwrap_or("this machine");
    if levels.caches().is_empty() {
        notes.push(format!(
            "CPUID names no cache: {who} hides them; the levels are counted from the data alone."
        ));
        return notes;
    }
    let findings = cache_findings(borders, levels, largest);
    for finding in findings.iter().filter(|finding| finding.seen.is_none() && finding.told < largest) {
        notes.push(format!(
            "The data contradict what CPUID says of L{}: latency shows no end near {}, so {who} reports a cache that it does not have for \
             itself.",
            finding.level,
            bytes_text(finding.told)
        ));
    }
    let unmatched =
        borders.iter().filter(|border| !findings.iter().any(|finding| finding.seen == Some(border.bytes)));
    for border in unmatched {
        notes.push(format!(
            "Latency rises from {:.1} to {:.1} after {}, where CPUID names no cache: a share of a larger one, or one that {who} does not tell of.",
            border.before,
            border.after,
            bytes_text(border.bytes)
        ));
    }
    for border in borders.iter().filter(|border| border.bytes > 2 * border.flat_until) {
        notes.push(format!(
            "The rise after {} is gradual up to {}: memory is spread unevenly over the sets of that cache, or others use it, too.",
            bytes_text(border.flat_until),
            bytes_text(border.bytes)
        ));
    }
    let farthest = levels.caches().last().map_or(0, |(_, bytes)| *bytes);
    if let Some(ns) = last_ns.filter(|ns| *ns > MEMORY_NS && largest <= farthest) {
        notes.push(format!(
            "A set of {} would fit into the {} that CPUID names, yet a load takes {ns:.0} ns, as from main memory: {who} has the use of only a \
             part of that cache.",
            bytes_text(largest),
            bytes_text(farthest)
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::super::ladder_levels::tests::{K, M, border, levels};
    use super::*;

    #[test]
    fn hidden_and_contradicted_caches_are_named() {
        let said = |borders: &[u64], told: &[u64], ns| {
            let borders: Vec<Border> = borders.iter().map(|bytes| border(*bytes)).collect();
            contradictions(&borders, &levels(told), 256 * M, Some("KVM"), ns).join(" ")
        };
        assert!(said(&[32 * K, M], &[], None).contains("this guest of KVM hides them"));
        let share = said(&[48 * K, 2 * M, 24 * M], &[48 * K, 2 * M, 260 * M], Some(120.0));
        assert!(share.contains("after 24 MiB") && share.contains("only a part"), "{share}");
        assert!(said(&[32 * K, 8 * M], &[32 * K, 512 * K, 8 * M], None).contains("what CPUID says of L2"));
        assert_eq!(said(&[32 * K, M, 32 * M], &[32 * K, M, 32 * M], Some(100.0)), "");
    }
}
