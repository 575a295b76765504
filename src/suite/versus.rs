//! Which comparisons can be made? Candidates that disagree are taken out, and those that are left are compared in pairs.

use super::compare::Check;
use super::progress::Observer;
use super::registry::{Entry, Made};
use super::run::{guarded, say};
use crate::Lab;
use crate::error::Result;
use crate::lab::Benchmark;
use crate::record::Versus;

/// Runs the checks of those comparisons of which something is left, and takes the candidates out whose results disagree; their
/// names come back.
pub(super) fn check<'a>(entries: &mut Vec<Entry<'a>>, checks: Vec<Check<'a>>) -> Vec<String> {
    let mut failed = Vec::new();
    for Check { group, check } in checks {
        let concerned = |entry: &Entry<'_>| entry.compared_in == Some(group);
        if !entries.iter().any(concerned) {
            continue;
        }
        if let Err(error) = guarded("a comparison's check", check) {
            say(&format!("error: {error}"));
            failed.extend(entries.iter().filter(|entry| concerned(entry)).map(|entry| entry.id.clone()));
            entries.retain(|entry| !concerned(entry));
        }
    }
    failed
}

/// Compares the candidates of each comparison of which at least two are there, with their loops at so many places.
pub(super) fn compare(
    lab: &mut Lab,
    made: &mut [Made<'_>],
    places: usize,
    observer: &mut Observer<'_>,
) -> Result<Vec<Versus>> {
    let mut found = Vec::new();
    let mut last = None;
    for at in 0..made.len() {
        let group = made[at].compared_in;
        // The candidates of one comparison stand together.
        if group.is_none() || group == last {
            continue;
        }
        last = group;
        let members = made.iter_mut().filter(|one| one.compared_in == group);
        let mut members: Vec<&mut Benchmark<'_>> = members.map(|one| &mut one.benchmark).collect();
        if members.len() < 2 || observer.ended_early() {
            continue;
        }
        let name = members[0].id().to_owned();
        let mut observe = |elapsed| observer.comparing(&name, elapsed);
        found.extend(match places {
            #[cfg(feature = "placements")]
            2.. => lab.compare_at(&mut members, places, &mut observe)?,
            _ => lab.compare(&mut members, &mut observe)?,
        });
    }
    Ok(found)
}
