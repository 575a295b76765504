//! What does the `fencepost` command do? It hands each subcommand its arguments and ends with the status that it returns.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use fencepost::error::{ExitStatus, Result};
use fencepost::output;

mod ab;
mod asked;
mod asm;
mod audit;
mod compare;
mod completions;
mod doctor;
mod files;
mod help;
mod kept;
mod ladder;
mod mca;
mod report;
mod table;

/// Measure x86-64 code in core clock cycles, and compare builds and commands.
#[derive(Parser)]
#[command(
    name = "fencepost",
    version,
    after_help = "Exit status: 0 done; 1 wrong use, bad input or something left undone; 2 not converged under --strict; \
                  3 a regression past the limit; 4 this machine cannot measure."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Ab(ab::Args),
    Asm(asm::Args),
    Audit(audit::Args),
    Mca(mca::Args),
    Table(table::Args),
    Compare(compare::Args),
    Completions(completions::Args),
    Doctor(doctor::Args),
    Ladder(ladder::Args),
    Man(completions::ManArgs),
    Report(report::Args),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return output::finish(not_parsed(&error)),
    };
    output::finish(match cli.command {
        Command::Ab(args) => ab::run(args),
        Command::Asm(args) => asm::run(args),
        Command::Audit(args) => audit::run(args),
        Command::Mca(args) => mca::run(args),
        Command::Table(args) => table::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Ladder(args) => ladder::run(args),
        Command::Man(args) => completions::man(args),
        Command::Report(args) => report::run(args),
    })
}

/// Help goes to standard output; wrong use to standard error, with the status that it has everywhere in fencepost.
fn not_parsed(error: &clap::Error) -> Result<ExitStatus> {
    if error.use_stderr() {
        eprint!("{}", error.render());
        Ok(ExitStatus::Usage)
    } else {
        output::emit(&help::wrapped(&error.render().to_string())).map(|()| ExitStatus::Done)
    }
}
