//! How far is the run? A live line for whoever watches, interim results for whoever waits, and the end for whoever interrupts;
//! all between slices.

use std::io::{IsTerminal, Write};

use super::arguments::Arguments;
use super::interrupt::Interrupt;
use super::terminal::{Style, line_width};
use crate::record::{Rounding, elide, inert, significant};
use crate::sampling::{Assessment, Continue, Progress};
use crate::units::Nanos;

/// The live line changes no more often than this.
const LIVE_EVERY_SECS: f64 = 0.1;
/// Interim results come this often.
const INTERIM_EVERY_SECS: f64 = 5.0;
/// Interim results name this many; the others are counted.
const NAMED: usize = 10;

/// Watches a run.
pub(super) struct Observer<'i> {
    ids: Vec<String>,
    interrupt: &'i Interrupt,
    live: bool,
    interim: bool,
    color: bool,
    drawn: bool,
    next_live: f64,
    next_interim: f64,
    ended_early: bool,
}

impl<'i> Observer<'i> {
    pub(super) fn new(ids: Vec<String>, arguments: &Arguments, interrupt: &'i Interrupt) -> Self {
        let stream = std::io::stderr();
        Self {
            ids,
            interrupt,
            live: !arguments.quiet && stream.is_terminal(),
            interim: !arguments.quiet,
            color: arguments.color.wanted(&stream),
            drawn: false,
            next_live: 0.0,
            next_interim: INTERIM_EVERY_SECS,
            ended_early: false,
        }
    }

    /// What runs from now on.
    #[cfg(feature = "placements")]
    pub(super) fn watch(&mut self, ids: Vec<String>) {
        self.ids = ids;
    }

    /// Looks at the run, and says whether it shall go on.
    pub(super) fn look(&mut self, progress: &Progress<'_>) -> Continue {
        let elapsed = progress.elapsed.as_secs();
        let done = progress.done.iter().filter(|done| **done).count();
        if done < progress.done.len() && self.interrupt.asked() {
            self.ended_early = true;
            self.clear();
            if self.interim {
                self.write("interrupted: writing what there is\n");
            }
            return Continue::No;
        }
        if self.interim && elapsed >= self.next_interim {
            self.next_interim = elapsed + INTERIM_EVERY_SECS;
            self.clear();
            self.write(&interim(&self.ids, progress, self.color));
        }
        if self.live && self.live_is_due(elapsed) {
            let line = live(&self.ids, progress, line_width().saturating_sub(1));
            self.write(&format!("\r\x1b[K{line}"));
            self.drawn = true;
        }
        Continue::Yes
    }

    /// Looks at a comparison, and says whether it shall go on.
    pub(super) fn comparing(&mut self, name: &str, elapsed: Nanos) -> Continue {
        if self.interrupt.asked() {
            self.ended_early = true;
            self.clear();
            return Continue::No;
        }
        let elapsed = elapsed.as_secs();
        if self.live && self.live_is_due(elapsed) {
            let line = format!("comparing with {}, {elapsed:.1} s", inert(name));
            self.write(&format!("\r\x1b[K{}", elide(&line, line_width().saturating_sub(1))));
            self.drawn = true;
        }
        Continue::Yes
    }

    /// Whether the run was ended before everything was done.
    pub(super) fn ended_early(&self) -> bool {
        self.ended_early
    }

    fn live_is_due(&mut self, elapsed: f64) -> bool {
        // Time starts anew for each comparison and for the run.
        let due = elapsed >= self.next_live || elapsed + LIVE_EVERY_SECS < self.next_live;
        if due {
            self.next_live = elapsed + LIVE_EVERY_SECS;
        }
        due
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            self.write("\r\x1b[K");
        }
    }

    fn write(&self, text: &str) {
        let mut stream = std::io::stderr().lock();
        // Progress that cannot be shown is no reason to stop measuring.
        let _ = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
    }
}

impl Drop for Observer<'_> {
    fn drop(&mut self) {
        self.clear();
    }
}

/// What is not done, and why not.
fn open<'p>(
    ids: &'p [String],
    progress: &'p Progress<'_>,
) -> impl Iterator<Item = (&'p str, &'p str, Option<&'p Assessment>)> {
    let open = ids.iter().zip(progress.done).zip(progress.assessments).filter(|((_, done), _)| !**done);
    open.map(|((id, _), assessment)| {
        let reason = match assessment {
            Some(Assessment { reason: Some(reason), .. }) => reason,
            Some(_) => "its minimums are not yet met",
            None => "not looked at yet",
        };
        (id.as_str(), reason, assessment.as_ref())
    })
}

fn secs(progress: &Progress<'_>) -> String {
    format!("{:.1} s", progress.elapsed.as_secs())
}

fn live(ids: &[String], progress: &Progress<'_>, width: usize) -> String {
    let done = progress.done.iter().filter(|done| **done).count();
    let mut line = format!("{done} of {} done, {}", ids.len(), secs(progress));
    if let Some((id, reason, _)) = open(ids, progress).next() {
        line.push_str(&format!("; {}: {reason}", inert(id)));
    }
    elide(&line, width)
}

fn interim(ids: &[String], progress: &Progress<'_>, color: bool) -> String {
    let open: Vec<_> = open(ids, progress).collect();
    let title = format!("after {}: {} of {} done", secs(progress), ids.len() - open.len(), ids.len());
    let mut text = format!("{}\n", Style::Bold.paint(&title, color));
    for (id, reason, assessment) in open.iter().take(NAMED) {
        let so_far = assessment.and_then(|one| one.cycles).filter(|cycles| cycles.value > 0.0);
        let so_far = so_far.map_or_else(String::new, |cycles| {
            format!("about {} cyc a call so far, ", significant(cycles.value, 2, Rounding::Nearest))
        });
        text.push_str(&format!("  {}: {so_far}not done: {reason}\n", inert(id)));
    }
    if let Some(more) = open.len().checked_sub(NAMED).filter(|more| *more > 0) {
        text.push_str(&format!("  and {more} more\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Verdict;
    use crate::sampling::Counts;
    use crate::units::Nanos;

    fn unstable() -> Option<Assessment> {
        Some(Assessment {
            cycles: None,
            ticks: None,
            counts: Counts::default(),
            verdict: Verdict::Unstable,
            reason: Some("the halves disagree".to_owned()),
            upper_bound: false,
            modes: None,
        })
    }

    #[test]
    fn what_is_not_done_is_named_with_its_reason() {
        let ids = vec!["one".to_owned(), "two\x1b[2J".to_owned(), "three".to_owned()];
        let assessments = [unstable(), unstable(), None];
        let progress =
            Progress { elapsed: Nanos(6.2e9), assessments: &assessments, done: &[true, false, false] };
        let text = interim(&ids, &progress, false);
        assert!(text.starts_with("after 6.2 s: 1 of 3 done\n"), "{text}");
        assert!(text.contains("two\\u{1b}[2J: not done: the halves disagree\n"), "{text}");
        assert!(text.contains("three: not done: not looked at yet"), "{text}");
        assert!(!text.contains("  one"), "{text}");
        let line = live(&ids, &progress, 30);
        assert!(line.chars().count() <= 30 && line.starts_with("1 of 3 done"), "{line}");
    }

    #[test]
    fn a_long_list_is_counted() {
        let ids: Vec<String> = (0..25).map(|n| n.to_string()).collect();
        let (assessments, done) = (vec![None; 25], vec![false; 25]);
        let progress = Progress { elapsed: Nanos(5e9), assessments: &assessments, done: &done };
        assert!(interim(&ids, &progress, false).ends_with("  and 15 more\n"));
    }
}
