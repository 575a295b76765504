//! How do text and exit status get out of a program? Quietly into a pipe that closes, and with a sentence where it fails.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::error::{Error, ErrorKind, ExitStatus, Result};

/// Writes `text` to standard output. A reader that has gone (`| head -1`) is no error: what it wanted, it has.
///
/// # Errors
///
/// `Io` when standard output cannot be written for another reason, a full disk for instance.
pub fn emit(text: &str) -> Result<()> {
    emit_to(&mut io::stdout().lock(), text)
}

fn emit_to(out: &mut dyn Write, text: &str) -> Result<()> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::new(ErrorKind::Io, format!("standard output could not be written: {error}"))
                .because("the results are not all there")
                .remedy("make room or choose another place, and run again")
                .caused_by(error))
        }
        _ => Ok(()),
    }
}

/// The exit code for what a program did: its status, or its error's, whose sentence goes to standard error.
///
/// ```no_run
/// use fencepost::output;
/// fn main() -> std::process::ExitCode {
///     output::finish(output::emit("done\n").map(|()| fencepost::ExitStatus::Done))
/// }
/// ```
pub fn finish(outcome: Result<ExitStatus>) -> ExitCode {
    match outcome {
        Ok(status) => status.into(),
        Err(error) => {
            // Where standard error is gone too, the exit status alone has to tell.
            let _ = writeln!(io::stderr().lock(), "error: {error}");
            error.exit_status().into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fails(io::ErrorKind);

    impl Write for Fails {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_closed_pipe_is_quiet_and_a_full_disk_is_not() {
        assert!(emit_to(&mut Fails(io::ErrorKind::BrokenPipe), "text").is_ok());
        let error = emit_to(&mut Fails(io::ErrorKind::StorageFull), "text").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.to_string().contains("make room"), "{error}");
    }
}
