//! What went wrong, why it matters and what to do now: one error type for the whole crate.

use std::fmt;
use std::process::ExitCode;

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The kind of a failure, for programs that decide by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An argument or option has a value that cannot be used.
    Usage,
    /// Input that was read (a record, a baseline, a recorded machine) is damaged or of another version.
    Input,
    /// The operating system refused a read or a write.
    Io,
    /// This machine, or what this process is permitted on it, cannot measure what was asked.
    CannotMeasure,
}

/// How a fencepost program ends; the same everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ExitStatus {
    /// Everything asked for was done.
    Done = 0,
    /// Wrong use or bad input.
    Usage = 1,
    /// A result did not converge and `--strict` was given.
    NotConverged = 2,
    /// A regression past the limit.
    Regression = 3,
    /// This machine cannot measure.
    CannotMeasure = 4,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        ExitCode::from(status as u8)
    }
}

/// What failed (with its value), why that matters, and what to do now.
///
/// ```
/// use fencepost::error::{Error, ErrorKind, ExitStatus};
/// let error = Error::new(ErrorKind::Usage, "target precision is 0 %")
///     .because("an interval of width 0 is never reached")
///     .remedy("give a precision above 0, for example 0.4");
/// assert_eq!(
///     error.to_string(),
///     "target precision is 0 %: an interval of width 0 is never reached; \
///      give a precision above 0, for example 0.4"
/// );
/// assert_eq!(error.exit_status(), ExitStatus::Usage);
/// ```
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    what: String,
    why: Option<String>,
    remedy: Option<String>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error that says what failed; name the value that was at fault.
    pub fn new(kind: ErrorKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), why: None, remedy: None, source: None }
    }

    /// Why it matters.
    #[must_use]
    pub fn because(mut self, why: impl Into<String>) -> Self {
        self.why = Some(why.into());
        self
    }

    /// What to do now.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// The error that this one was made from; its text is not repeated in the message.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The kind of failure.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What failed, without the reason and what to do.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The exit status that a program should end with.
    pub fn exit_status(&self) -> ExitStatus {
        match self.kind {
            ErrorKind::CannotMeasure => ExitStatus::CannotMeasure,
            ErrorKind::Usage | ErrorKind::Input | ErrorKind::Io => ExitStatus::Usage,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        if let Some(why) = &self.why {
            write!(f, ": {why}")?;
        }
        if let Some(remedy) = &self.remedy {
            write!(f, "; {remedy}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
