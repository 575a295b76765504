//! Which benchmarks are meant? Filters, exact names and skips, as libtest has them.

use super::nearest::nearest;
use crate::error::{Error, ErrorKind, Result};
use crate::record::inert;

/// What was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Selection {
    /// A benchmark is meant if any of these matches it, or if there are none.
    pub(super) filters: Vec<String>,
    /// And if none of these does.
    pub(super) skips: Vec<String>,
    /// Filters and skips are whole names.
    pub(super) exact: bool,
    /// Only the ignored ones, of which there are none.
    pub(super) none: bool,
}

impl Selection {
    /// Whether the benchmark of this name is meant.
    pub(super) fn takes(&self, id: &str) -> bool {
        let matches = |part: &String| if self.exact { id == part } else { id.contains(part.as_str()) };
        let wanted = self.filters.is_empty() || self.filters.iter().any(matches);
        wanted && !self.none && !self.skips.iter().any(matches)
    }

    /// A remark where filters select nothing, of which other bench targets of the same `cargo bench` may have what is meant.
    ///
    /// # Errors
    ///
    /// `Usage` for a whole name that there is not.
    pub(super) fn check<'n>(&self, ids: &[&'n str]) -> Result<Option<String>> {
        let near = |filter: &str| -> Option<&'n str> {
            // A part of a name is near to a part of one: the words between slashes.
            let words = ids.iter().flat_map(|id| std::iter::once(*id).chain(id.split('/')));
            nearest(filter, words)
        };
        if self.exact
            && !self.none
            && let Some(unknown) = self.filters.iter().find(|filter| !ids.contains(&filter.as_str()))
        {
            let error =
                Error::new(ErrorKind::Usage, format!("there is no benchmark named {:?}", inert(unknown)))
                    .because("--exact takes whole names");
            return Err(match nearest(unknown, ids.iter().copied()) {
                Some(meant) => {
                    error.remedy(format!("did you mean {:?}? --list prints all names", inert(meant)))
                }
                None => error.remedy("--list prints all names"),
            });
        }
        if self.filters.is_empty() || self.none || ids.iter().any(|id| self.takes(id)) {
            return Ok(None);
        }
        let meant = self.filters.iter().find_map(|filter| near(filter));
        let hint = meant.map_or_else(String::new, |meant| format!("; did you mean {:?}?", inert(meant)));
        let filters: Vec<String> = self.filters.iter().map(|filter| format!("{:?}", inert(filter))).collect();
        Ok(Some(format!("no benchmark is selected by {}{hint}", filters.join(", "))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(filters: &[&str], skips: &[&str], exact: bool) -> Selection {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Selection { filters: owned(filters), skips: owned(skips), exact, none: false }
    }

    #[test]
    fn any_filter_takes_and_any_skip_leaves_out() {
        assert!(selection(&[], &[], false).takes("a/b"));
        assert!(selection(&["x", "a/"], &[], false).takes("a/b"));
        assert!(!selection(&["a"], &["b"], false).takes("a/b"));
        assert!(!selection(&["a"], &[], true).takes("a/b"));
        assert!(selection(&["a/b"], &["b"], true).takes("a/b"));
        assert!(!Selection { none: true, ..Selection::default() }.takes("a"));
    }

    #[test]
    fn what_selects_nothing_is_said_with_what_was_meant() {
        let ids = ["bit_mix/latency", "sort"];
        let said = selection(&["bitmix"], &[], false).check(&ids).unwrap().unwrap();
        assert!(said.contains("\"bit_mix\""), "{said}");
        assert_eq!(selection(&["sort", "none"], &[], false).check(&ids).unwrap(), None);
        let error = selection(&["bit_mix/latencie"], &[], true).check(&ids).unwrap_err();
        assert!(error.to_string().contains("\"bit_mix/latency\""), "{error}");
    }
}
