//! What does a report show of a timed loop? Its instructions, with those marked that wait for one another from turn to turn, and what a model says.

use std::fmt::Write as _;

use super::escape;
use crate::record::{BenchmarkResult, Decoded, Prediction};

/// The loop of a benchmark with its remarks, `at_most` lines of it.
pub(super) fn decoded(page: &mut String, result: &BenchmarkResult, decoded: &Decoded, at_most: usize) {
    for finding in &decoded.findings {
        let _ = write!(page, "<p class=\"warning\">{}</p>", escape::text(finding));
    }
    if decoded.listing.is_empty() {
        return;
    }
    let chain: Vec<usize> = decoded.chain.iter().filter_map(|at| usize::try_from(*at).ok()).collect();
    let _ = write!(page, "<figure class=\"loop\"><figcaption>{}", caption(decoded));
    if !chain.is_empty() {
        page.push_str(
            "; <span class=\"on\">marked</span>: the longest chain of instructions that wait for one another from turn to turn",
        );
    }
    page.push_str("</figcaption><pre tabindex=\"0\" role=\"region\" aria-label=\"The timed loop\">");
    for (at, line) in decoded.listing.iter().take(at_most).enumerate() {
        let line = escape::text(line);
        // A block each: where styles are not shown, so is a line break.
        if chain.binary_search(&at).is_ok() {
            let _ = writeln!(page, "<b class=\"on\">{line}</b>");
        } else {
            let _ = writeln!(page, "{line}");
        }
    }
    let turn = (decoded.instructions * decoded.operations as f64 * result.ops.max(1) as f64).round();
    let shown = decoded.listing.len().min(at_most);
    // Casts of what is not finite or too large saturate.
    let more = (turn as u64).max(decoded.listing.len() as u64).saturating_sub(shown as u64);
    if more > 0 {
        let _ = writeln!(page, "... {more} more");
    }
    page.push_str("</pre></figure>");
    if let Some(obstacle) = &decoded.obstacle {
        let _ = write!(page, "<p class=\"dim\">Not a straight line: {}</p>", escape::text(obstacle));
    }
}

fn caption(decoded: &Decoded) -> String {
    let name = decoded.symbol.as_deref().unwrap_or("a function without a symbol");
    let mut text = format!(
        "One turn of the timed loop of <code><bdi>{}</bdi></code>: {} operations, {:.2} instructions each",
        escape::text(name),
        decoded.operations,
        decoded.instructions
    );
    if let Some(ipc) = decoded.ipc.filter(|ipc| ipc.is_finite()) {
        let _ = write!(text, ", {ipc:.2} a cycle");
    }
    let _ = write!(text, "; it starts {} bytes into a line of 64", decoded.placement);
    if !decoded.calls.is_empty() {
        let _ = write!(text, "; it calls {}", escape::text(&decoded.calls.join(", ")));
    }
    text
}

/// What a model says, in a sentence.
pub(super) fn prediction(prediction: &Prediction) -> String {
    let cost = prediction.cycles.filter(|cycles| cycles.is_finite());
    let mut text = cost.map_or_else(|| "none".to_owned(), |cycles| format!("{cycles:.2} cyc"));
    let _ = write!(
        text,
        " by {} {} for {}: {}",
        prediction.model, prediction.version, prediction.cpu, prediction.verdict
    );
    if let Some(reason) = &prediction.reason {
        let _ = write!(text, ", {reason}");
    }
    let figures = [("instructions", prediction.instructions), ("micro-operations", prediction.uops)];
    for (name, value) in figures {
        if let Some(value) = value.filter(|value| value.is_finite()) {
            let _ = write!(text, "; {value:.2} {name}");
        }
    }
    if let Some(bottleneck) = &prediction.bottleneck {
        let _ = write!(text, "; bound by {bottleneck}");
    }
    text
}
