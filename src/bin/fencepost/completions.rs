//! How does a shell learn the options, and `man` the page? Both are written from the commands themselves.

use std::io;

use clap::CommandFactory as _;
use clap_complete::Shell;
use fencepost::error::{Error, ErrorKind, ExitStatus, Result};
use fencepost::output;

/// Print the completions of a shell
///
/// Examples:
///
///   fencepost completions bash >> ~/.bash_completion
///
///   fencepost completions zsh > ~/.zfunc/_fencepost
///
///   fencepost completions fish > ~/.config/fish/completions/fencepost.fish
#[derive(clap::Args)]
#[command(verbatim_doc_comment, after_help = "Exit status: 0 done; 1 wrong use.")]
pub(crate) struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Print the manual page
///
/// Example:
///
///   fencepost man | man -l -
#[derive(clap::Args)]
#[command(verbatim_doc_comment, after_help = "Exit status: 0 done; 1 wrong use.")]
pub(crate) struct ManArgs {
    /// The page of one subcommand alone, for example doctor
    #[arg(value_name = "SUBCOMMAND")]
    subcommand: Option<String>,
}

/// Prints the completions.
pub(crate) fn run(args: Args) -> Result<ExitStatus> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "fencepost", &mut text);
    emit(&text)
}

/// Prints the manual page, with a part for each subcommand.
pub(crate) fn man(args: ManArgs) -> Result<ExitStatus> {
    let mut command = crate::Cli::command();
    command.build();
    let mut text = Vec::new();
    match &args.subcommand {
        None => {
            page(command.clone(), &mut text)?;
            for one in command.get_subcommands().filter(|one| one.get_name() != "help") {
                page(one.clone(), &mut text)?;
            }
        }
        Some(name) => {
            let found = command.find_subcommand(name).ok_or_else(|| {
                Error::new(ErrorKind::Usage, format!("there is no subcommand {name:?}"))
                    .remedy("fencepost --help lists them")
            })?;
            page(found.clone(), &mut text)?;
        }
    }
    emit(&text)
}

fn page(command: clap::Command, text: &mut Vec<u8>) -> Result<()> {
    clap_mangen::Man::new(command).render(text).map_err(unwritten)
}

fn unwritten(error: io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("the manual page could not be made: {error}")).caused_by(error)
}

fn emit(text: &[u8]) -> Result<ExitStatus> {
    output::emit(&String::from_utf8_lossy(text)).map(|()| ExitStatus::Done)
}
