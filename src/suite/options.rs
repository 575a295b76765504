//! Which options are there? One table, from which arguments are read and `--help` is written.

use crate::record::{columns, wrap};
use crate::sampling::Options;

/// How a benchmark is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Adaptive,
    BestOf,
    Once,
    #[cfg(feature = "cachegrind")]
    Cachegrind,
}

impl Mode {
    pub(super) const ALL: &'static [Mode] = &[
        Mode::Adaptive,
        Mode::BestOf,
        Mode::Once,
        #[cfg(feature = "cachegrind")]
        Mode::Cachegrind,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Mode::Adaptive => "adaptive",
            Mode::BestOf => "best-of",
            Mode::Once => "once",
            #[cfg(feature = "cachegrind")]
            Mode::Cachegrind => "cachegrind",
        }
    }
}

/// Where an option stands in the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Selection,
    Measuring,
    Baselines,
    #[cfg(feature = "cachegrind")]
    Counting,
    Output,
    Other,
    /// Accepted because test runners pass it, and not shown.
    Ignored,
}

/// What stands behind an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    None,
    /// One value, named so in the help.
    One(&'static str),
    /// Two values, named so in the help.
    #[cfg(feature = "cachegrind")]
    Two(&'static str),
    /// A value may be attached with `=`.
    Attached,
}

/// One option.
pub(super) struct Spec {
    pub(super) long: &'static str,
    pub(super) short: Option<char>,
    pub(super) value: Value,
    pub(super) section: Section,
    /// The modes that it says something in.
    pub(super) modes: &'static [Mode],
    pub(super) help: &'static str,
    /// Its default, if it has one to state.
    pub(super) default: Option<fn(&Options) -> String>,
}

const ANY: &[Mode] = Mode::ALL;
const MEASURING: &[Mode] = &[Mode::Adaptive, Mode::BestOf];
const ADAPTIVE: &[Mode] = &[Mode::Adaptive];
/// Those whose results can be saved and compared.
const COMPARED: &[Mode] = &[
    Mode::Adaptive,
    Mode::BestOf,
    #[cfg(feature = "cachegrind")]
    Mode::Cachegrind,
];

const fn flag(long: &'static str, section: Section, help: &'static str) -> Spec {
    Spec { long, short: None, value: Value::None, section, modes: ANY, help, default: None }
}

const fn value(long: &'static str, name: &'static str, section: Section, help: &'static str) -> Spec {
    Spec { value: Value::One(name), ..flag(long, section, help) }
}

const fn limit(
    long: &'static str,
    name: &'static str,
    modes: &'static [Mode],
    help: &'static str,
    default: fn(&Options) -> String,
) -> Spec {
    Spec { modes, default: Some(default), ..value(long, name, Section::Measuring, help) }
}

#[cfg(feature = "cachegrind")]
const fn counting(long: &'static str, help: &'static str) -> Spec {
    Spec { modes: &[Mode::Cachegrind], ..flag(long, Section::Counting, help) }
}

#[cfg(feature = "cachegrind")]
const fn counting_value(
    long: &'static str,
    name: &'static str,
    help: &'static str,
    default: Option<fn(&Options) -> String>,
) -> Spec {
    Spec { value: Value::One(name), default, ..counting(long, help) }
}

const fn ignored(long: &'static str) -> Spec {
    flag(long, Section::Ignored, "")
}

const fn ignored_value(long: &'static str) -> Spec {
    value(long, "", Section::Ignored, "")
}

const OPTIONS: &[Spec] = &[
    flag("exact", Section::Selection, "a FILTER or --skip is a whole name, no part of one"),
    value(
        "skip",
        "PART",
        Section::Selection,
        "leave out benchmarks whose name contains PART; may be repeated",
    ),
    flag("list", Section::Selection, "print the names that are selected and measure nothing"),
    Spec {
        default: Some(|_| "adaptive with --bench, which cargo bench passes; else once".to_owned()),
        ..value(
            "mode",
            "MODE",
            Section::Measuring,
            "adaptive: until each result is stable and precise; best-of: the least sample after the minimums; once: run \
             each once to see that it works, and measure nothing; cachegrind: count instructions and accesses under Valgrind \
             (feature cachegrind)",
        )
    },
    limit(
        "target-percentile",
        "P",
        ADAPTIVE,
        "report this percentile of the clean samples, 0 to 100",
        |options| options.target_percentile.to_string(),
    ),
    limit(
        "target-precision",
        "PCT",
        ADAPTIVE,
        "done when the 95 % interval is no wider than PCT per cent of the result",
        |options| format!("{} %", options.target_precision_pct),
    ),
    limit("min-secs", "S", MEASURING, "measure each benchmark for S seconds at least", |options| {
        format!("{} s, or --max-secs if that is less", options.min_secs)
    }),
    limit("max-secs", "S", MEASURING, "give a benchmark up after S seconds", |options| {
        format!("{} s, or twice a greater --min-secs", options.max_secs)
    }),
    limit(
        "min-samples",
        "N",
        MEASURING,
        "fewer clean samples of each slice length are never enough",
        |options| options.min_samples.to_string(),
    ),
    limit("slice-usec", "US", MEASURING, "time slices of US microseconds", |options| {
        format!("{} us", options.slice_usec)
    }),
    limit("seed", "N", MEASURING, "decides the random order of the slices", |options| {
        options.seed.to_string()
    }),
    limit(
        "processes",
        "N",
        MEASURING,
        "measure in N processes, one after the other; intervals span what differs between them",
        |_| "1".to_owned(),
    ),
    limit(
        "placements",
        "N",
        MEASURING,
        "start each timed loop at N offsets modulo 64, up to 8; intervals span what it costs at them (feature placements)",
        |_| "1: where the compiler put it".to_owned(),
    ),
    limit("core", "N", MEASURING, "measure on logical CPU N, or auto: on the quietest", |_| {
        "auto".to_owned()
    }),
    Spec {
        modes: MEASURING,
        ..flag(
            "strict",
            Section::Measuring,
            "exit with 2 if a result did not converge or the run was cut short",
        )
    },
    Spec {
        modes: COMPARED,
        ..value(
            "save-baseline",
            "NAME",
            Section::Baselines,
            "save the run under NAME in the target directory",
        )
    },
    Spec {
        modes: COMPARED,
        ..value("baseline", "NAME", Section::Baselines, "compare with the run that was saved under NAME")
    },
    flag("list-baselines", Section::Baselines, "print the names of the saved runs and measure nothing"),
    Spec {
        modes: COMPARED,
        ..value(
            "limit",
            "LIMIT",
            Section::Baselines,
            "exit with 3 if a benchmark is dearer than in the baseline by more than LIMIT: 5%, 2cyc, 0.5ns, several with \
             commas; or dearer than <=120cyc, which needs no baseline; of counts instructions=1%,estimated=2%",
        )
    },
    #[cfg(feature = "cachegrind")]
    counting_value(
        "jobs",
        "N",
        "count N benchmarks at a time; counts do not depend on it",
        Some(|_| "as many as there are CPUs".to_owned()),
    ),
    #[cfg(feature = "cachegrind")]
    counting_value(
        "cache",
        "SIZES",
        "simulate these caches: I1=, D1= and LL=, each with size in bytes, ways and line size, separated by spaces; or host: \
         those of this machine",
        Some(|_| "I1=32768,8,64 D1=32768,8,64 LL=8388608,16,64".to_owned()),
    ),
    #[cfg(feature = "cachegrind")]
    counting("branch-sim", "simulate the prediction of branches, too"),
    #[cfg(feature = "cachegrind")]
    counting_value(
        "weights",
        "W",
        "what an access to L1, L2 and RAM costs, beside 1, 5 and 35: three numbers with commas, or host: measured here",
        None,
    ),
    #[cfg(feature = "cachegrind")]
    Spec {
        value: Value::Two("A B"),
        ..counting(
            "explain",
            "count only A and B, and say why one costs more: instructions, memory or branches",
        )
    },
    #[cfg(feature = "cachegrind")]
    counting("annotate", "show the ten hottest lines of each benchmark"),
    #[cfg(feature = "cachegrind")]
    counting("calibrate", "count whole processes with Cachegrind, and take off what one without work counts"),
    #[cfg(feature = "cachegrind")]
    counting("allow-aslr", "leave the randomization of addresses on"),
    #[cfg(feature = "cachegrind")]
    counting_value("time-limit", "S", "give a benchmark up after S seconds", Some(|_| "300 s".to_owned())),
    #[cfg(feature = "cachegrind")]
    ignored_value("count-one"),
    #[cfg(feature = "cachegrind")]
    ignored_value("count-task"),
    Spec {
        default: Some(|_| "text".to_owned()),
        ..value(
            "format",
            "FORMAT",
            Section::Output,
            "what to print: text; terse, a line a result; json, the record of schema fencepost/1; csv, a row a result",
        )
    },
    value("json", "FILE", Section::Output, "also write the record to FILE"),
    Spec { modes: COMPARED, ..value("csv", "FILE", Section::Output, "also write a row a result to FILE") },
    Spec {
        modes: COMPARED,
        ..value(
            "bmf",
            "FILE",
            Section::Output,
            "also write the Bencher metric format to FILE: latency in ns, and cycles",
        )
    },
    Spec {
        modes: MEASURING,
        ..value(
            "html",
            "DIR",
            Section::Output,
            "also write a report with plots to DIR/index.html (feature plots)",
        )
    },
    Spec {
        modes: MEASURING,
        ..flag(
            "samples",
            Section::Output,
            "keep up to 1000 samples of each benchmark in the record, for plots",
        )
    },
    #[cfg(feature = "predict")]
    Spec {
        modes: MEASURING,
        ..flag(
            "mca",
            Section::Output,
            "set what a model says of the timed loop beside each latency and throughput",
        )
    },
    #[cfg(feature = "predict")]
    Spec {
        modes: MEASURING,
        ..value("mcpu", "NAME", Section::Output, "the CPU that is modelled [default: this one]")
    },
    #[cfg(feature = "predict")]
    Spec {
        modes: MEASURING,
        ..value("llvm-mca", "PATH", Section::Output, "the llvm-mca to ask [default: the newest on PATH]")
    },
    #[cfg(feature = "predict")]
    Spec {
        modes: MEASURING,
        ..value("model", "NAME", Section::Output, "the model to ask: llvm-mca or osaca [default: llvm-mca]")
    },
    #[cfg(feature = "predict")]
    Spec {
        modes: MEASURING,
        ..value("osaca", "PATH", Section::Output, "the OSACA to ask [default: on PATH]")
    },
    #[cfg(feature = "predict")]
    Spec {
        modes: MEASURING,
        ..flag("show-loop", Section::Output, "print the instructions of each timed loop on standard error")
    },
    flag("verbose", Section::Output, "add how each result came about, and the settings"),
    Spec {
        short: Some('q'),
        ..flag("quiet", Section::Output, "no progress and no interim results on standard error")
    },
    Spec {
        default: Some(|_| "auto: on a terminal, unless NO_COLOR is set".to_owned()),
        ..value("color", "WHEN", Section::Output, "auto, always or never")
    },
    Spec { short: Some('h'), ..flag("help", Section::Other, "print this text") },
    Spec { short: Some('V'), ..flag("version", Section::Other, "print the version") },
    flag("bench", Section::Other, "measure; cargo bench passes it"),
    flag("test", Section::Other, "as --mode once"),
    flag("ignored", Section::Ignored, ""),
    // What `--processes` starts itself with.
    ignored_value("worker"),
    ignored("include-ignored"),
    ignored("nocapture"),
    ignored("no-capture"),
    ignored("show-output"),
    ignored("exclude-should-panic"),
    ignored("force-run-in-process"),
    ignored("fail-fast"),
    ignored("shuffle"),
    ignored_value("shuffle-seed"),
    ignored_value("test-threads"),
    ignored_value("logfile"),
    Spec { value: Value::Attached, ..ignored("report-time") },
    Spec { value: Value::Attached, ..ignored("ensure-time") },
    Spec { short: Some('Z'), ..ignored_value("unstable-options") },
];

/// All options.
pub(super) fn all() -> impl Iterator<Item = &'static Spec> {
    OPTIONS.iter()
}

const INTRO: &str = "\
Measures benchmarks in core clock cycles.

usage: cargo bench [--bench NAME] -- [FILTER]... [OPTION]...

A FILTER selects the benchmarks whose names contain it; several select what any
of them does; none selects all.
";

const EXIT: &str = "
exit status
  0 done; 1 wrong use, bad input, or a write that failed; 2 a result did not
  converge, or the run was interrupted, and --strict was given; 3 a benchmark
  is past its limit; 4 this machine cannot measure. Ctrl-C ends a run with what
  there is, marked incomplete; a second one ends it at once.
";

/// The text of `--help`.
pub(super) fn help() -> String {
    const WIDTH: usize = 80;
    const COLUMN: usize = 28;
    let defaults = Options::default();
    let mut text = INTRO.to_owned();
    let sections = [
        (Section::Selection, "selection"),
        (Section::Measuring, "measuring"),
        (Section::Baselines, "baselines"),
        #[cfg(feature = "cachegrind")]
        (Section::Counting, "counting"),
        (Section::Output, "output"),
        (Section::Other, "other"),
    ];
    for (section, title) in sections {
        let mut options = all().filter(|spec| spec.section == section).peekable();
        if options.peek().is_some() {
            text.push_str(&format!("\n{title}\n"));
        }
        for spec in options {
            let short = spec.short.map_or_else(String::new, |short| format!("-{short}, "));
            let value = match spec.value {
                Value::One(name) => format!(" {name}"),
                #[cfg(feature = "cachegrind")]
                Value::Two(names) => format!(" {names}"),
                Value::None | Value::Attached => String::new(),
            };
            let name = format!("  {short}--{}{value}", spec.long);
            let mut said = spec.help.to_owned();
            if spec.modes.len() == 1 {
                said.push_str(&format!(" ({} only)", spec.modes[0].name()));
            }
            if let Some(default) = spec.default {
                said.push_str(&format!(" [default: {}]", default(&defaults)));
            }
            let mut lines = wrap(&said, WIDTH - COLUMN).into_iter();
            let padding = " ".repeat(COLUMN.saturating_sub(columns(&name)));
            text.push_str(&format!("{name}{padding}{}\n", lines.next().unwrap_or_default()));
            for line in lines {
                text.push_str(&format!("{}{line}\n", " ".repeat(COLUMN)));
            }
        }
    }
    text.push_str(EXIT);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_those_that_are_shown_are_explained() {
        let mut longs: Vec<&str> = all().map(|spec| spec.long).collect();
        let mut shorts: Vec<char> = all().filter_map(|spec| spec.short).collect();
        let (options, letters) = (longs.len(), shorts.len());
        longs.sort_unstable();
        longs.dedup();
        shorts.sort_unstable();
        shorts.dedup();
        assert_eq!((longs.len(), shorts.len()), (options, letters));
        assert!(all().all(|spec| (spec.section == Section::Ignored) == spec.help.is_empty()));
    }

    #[test]
    fn help_states_each_option_its_default_and_its_unit_in_80_columns() {
        let help = help();
        assert!(help.lines().all(|line| columns(line) <= 80), "{help}");
        for spec in all().filter(|spec| spec.section != Section::Ignored) {
            assert!(help.contains(&format!("--{}", spec.long)), "{}", spec.long);
        }
        for default in
            ["[default: 0.4 %]", "[default: 0.1 s,", "[default: 1 s,", "[default: 10 us]", "[default: 20]"]
        {
            assert!(help.contains(default), "{default}\n{help}");
        }
    }
}
