//! Which valid name did somebody mean who wrote this one?

/// The candidate that takes the fewest edits, if it is near enough to be what was meant; one that differs in capitals alone always is.
pub(super) fn nearest<'n>(wrong: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let meant = wrong;
    let wrong: Vec<char> = wrong.chars().take(MOST).collect();
    let candidates: Vec<&str> = candidates.into_iter().collect();
    if let Some(same) = candidates.iter().find(|name| name.eq_ignore_ascii_case(meant)) {
        return Some(same);
    }
    candidates
        .into_iter()
        .map(|name| (distance(&wrong, name), name))
        .filter(|(edits, name)| *edits <= wrong.len().max(name.chars().count()) / 3 + 1)
        .filter(|(edits, _)| *edits < wrong.len())
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, name)| name)
}

/// Longer names are compared by their beginnings.
const MOST: usize = 100;

/// Insertions, deletions, replacements, and swaps of neighbours that turn one text into the other.
fn distance(wrong: &[char], name: &str) -> usize {
    let name: Vec<char> = name.chars().take(MOST).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=name.len()).collect();
    for (row, one) in wrong.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in name.iter().enumerate() {
            let replaced = above[column] + usize::from(one != other);
            let mut least = replaced.min(above[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && *one == name[column - 1] && wrong[row - 1] == *other {
                least = least.min(before[column - 1] + 1);
            }
            current.push(least);
        }
        before = std::mem::replace(&mut above, current);
    }
    above.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_found_and_what_is_far_is_not_offered() {
        let names = ["min-secs", "max-secs", "min-samples", "seed", "core"];
        assert_eq!(nearest("max-sec", names), Some("max-secs"));
        assert_eq!(nearest("sede", names), Some("seed"));
        assert_eq!(nearest("min_samples", names), Some("min-samples"));
        assert_eq!(nearest("CORE", names), Some("core"));
        assert_eq!(nearest("bananarama", names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest("x", names), None);
    }

    #[test]
    fn edits_are_counted() {
        let edits = |one: &str, other: &str| distance(&one.chars().collect::<Vec<_>>(), other);
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("ab", "ba"), 1);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("größe", "große"), 1);
    }
}
