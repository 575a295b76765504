//! `fencepost ladder`: how long does a load take and how many bytes a second go by, by the size of what is worked on?

use std::io::{IsTerminal, Write as _};

use clap::{Args as ClapArgs, ValueEnum};
use fencepost::Lab;
use fencepost::error::{Error, ErrorKind, ExitStatus, Result};
use fencepost::explore::{self, LadderOptions, PageSize, bytes_text};
use fencepost::output;

/// Load-to-use latency and bandwidth by working set: where the caches of this machine end, beside what CPUID says of them
///
/// Examples:
///
///   fencepost ladder
///
///   fencepost ladder --quick --max-bytes 16M
///
///   fencepost ladder --json > ladder.json
///
/// Takes some 20 seconds; sizes are in bytes, or with K, M or G behind them.
#[derive(ClapArgs)]
#[command(
    verbatim_doc_comment,
    after_help = "Exit status: 0 done; 1 wrong use; 4 this machine cannot measure."
)]
pub(crate) struct Args {
    /// Print the record as JSON, with `ladder`: [{bytes, cycles, ns, level}], smallest first
    #[arg(long)]
    json: bool,
    /// The largest working set, for example 16M; 256M or a quarter of the available memory unless given
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_bytes: Option<u64>,
    /// The smallest working set
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "1K")]
    min_bytes: u64,
    /// Powers of two only, up to 64M unless --max-bytes says more, and no second ladder on 4 KiB pages
    #[arg(long)]
    quick: bool,
    /// The pages to lie in: huge where they can be had, or small
    #[arg(long, value_enum, default_value_t = Wanted::Huge)]
    pages: Wanted,
    /// Latency alone
    #[arg(long)]
    no_bandwidth: bool,
    /// Measure on this logical CPU instead of the quietest
    #[arg(long, value_name = "CPU")]
    core: Option<usize>,
    /// Decides the order of the nodes
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum Wanted {
    Huge,
    Small,
}

/// A size in bytes, with K, M or G (binary) behind it where wanted.
fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is no size; give bytes, or for example 48K, 2M, 1G");
    let lower = text.trim().to_ascii_lowercase();
    let lower = lower.strip_suffix("ib").or_else(|| lower.strip_suffix('b')).unwrap_or(&lower);
    let (digits, shift) = match lower.strip_suffix(['k', 'm', 'g']) {
        Some(digits) if lower.ends_with('k') => (digits, 10),
        Some(digits) if lower.ends_with('m') => (digits, 20),
        Some(digits) => (digits, 30),
        None => (lower, 0),
    };
    digits.trim().parse::<u64>().ok().and_then(|count| count.checked_mul(1 << shift)).ok_or_else(wrong)
}

/// What `ladder` asks for where nothing is said.
const MOST: u64 = 256 << 20;
const MOST_QUICKLY: u64 = 64 << 20;

pub(crate) fn run(args: Args) -> Result<ExitStatus> {
    let available = explore::available_memory();
    let usual = if args.quick { MOST_QUICKLY } else { MOST };
    let max_bytes = match (args.max_bytes, available) {
        (Some(asked), Some(available)) if asked > available => {
            return Err(Error::new(
                ErrorKind::Usage,
                format!(
                    "--max-bytes asks for {} and {} are available",
                    bytes_text(asked),
                    bytes_text(available)
                ),
            )
            .because("a working set that is swapped out measures the disk")
            .remedy(format!("ask for at most {}", bytes_text(available))));
        }
        (Some(asked), _) => asked,
        (None, Some(available)) => {
            let quarter = (available / 4).max(1 << 20);
            if quarter < usual {
                note(&format!(
                    "the largest working set is {}, a quarter of the memory that is available",
                    bytes_text(quarter)
                ));
            }
            usual.min(quarter)
        }
        (None, None) => usual,
    };
    let options = LadderOptions {
        min_bytes: args.min_bytes,
        max_bytes,
        quick: args.quick,
        pages: match args.pages {
            Wanted::Huge => PageSize::Huge,
            Wanted::Small => PageSize::Small,
        },
        bandwidth: !args.no_bandwidth,
        seed: args.seed,
    };
    options.sizes()?;
    let mut builder = Lab::builder().options(options.sampling());
    if let Some(core) = args.core {
        builder = builder.core(core);
    }
    let mut lab = builder.build()?;
    let shows = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let ladder = explore::ladder(&mut lab, &options, &mut |share| {
        if shows {
            let _ = write!(std::io::stderr().lock(), "\rladder {:3.0} %", 100.0 * share);
        }
    });
    if shows {
        let _ = write!(std::io::stderr().lock(), "\r            \r");
    }
    let ladder = ladder?;
    let text = if args.json {
        ladder.to_json(&lab)
    } else {
        let machine = lab.machine();
        let head = format!(
            "{} on core {}, {}\n\n",
            machine.name(),
            lab.core(),
            lab.cycle_source().map_or_else(
                || "no core cycles can be claimed".to_owned(),
                |source| format!("cycles by {source}")
            )
        );
        head + &ladder.to_text()
    };
    output::emit(&text).map(|()| ExitStatus::Done)
}

/// A line on standard error. Where that is gone, so is whom it was for.
fn note(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "note: {line}");
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_are_read_with_and_without_units() {
        for (text, bytes) in
            [("4096", 4096), ("48K", 48 << 10), ("2m", 2 << 20), ("1GiB", 1 << 30), ("8 kb", 8192)]
        {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "K", "-1", "1.5M", "99999999999G", "many"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
