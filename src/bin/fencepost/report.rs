//! stub
/// stub
#[derive(clap::Args)]
pub(crate) struct Args {}
pub(crate) fn run(_: Args) -> fencepost::error::Result<fencepost::error::ExitStatus> { Ok(fencepost::error::ExitStatus::Done) }
