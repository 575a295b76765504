//! How does a run relate to saved ones? The place where options about saved runs are named and obeyed.

use super::options::Spec;
use crate::error::{ExitStatus, Result};
use crate::record::Record;

/// The options of this place, all of [`Section::Saved`](super::options::Section::Saved).
pub(super) const OPTIONS: &[Spec] = &[];

/// The options of this place that were given, in order: long name and value.
pub(super) type Wanted = Vec<(&'static str, Option<String>)>;

/// What to add to a run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Conclusion {
    /// Shown below the results in text output.
    pub(super) text: String,
    /// The run ends with this, if nothing worse has happened.
    pub(super) status: Option<ExitStatus>,
}

/// What `wanted` asks of saved runs before anything is measured: whether they can be read at all, or a list of them, with which
/// the program is done.
pub(super) fn before(_wanted: &Wanted) -> Result<Option<String>> {
    Ok(None)
}

/// What `wanted` asks to do with the finished `record`.
pub(super) fn after(_record: &Record, _wanted: &Wanted) -> Result<Conclusion> {
    Ok(Conclusion::default())
}
