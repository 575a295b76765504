//! What was asked for on the command line? Read by the table of options, each wrong use with what to do instead.

use std::ffi::OsString;
use std::path::PathBuf;

use super::baselines::needs_baseline;
use super::options::{Mode, Section, Spec, Value, all};
use super::placements;
use super::select::Selection;
use super::terminal::Color;
use crate::baseline::Limit;
use crate::error::{Error, ErrorKind, Result};
use crate::record::inert;
use crate::sampling::Options;

mod unknown;
mod values;

use unknown::{needs, no_option};
use values::{no_word, number, one_of, path, text, value_of};

/// What to print on standard output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Format {
    #[default]
    Text,
    Terse,
    Json,
    Csv,
}

/// The command line, read.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    pub(super) selection: Selection,
    pub(super) list: bool,
    pub(super) options: Options,
    pub(super) core: Option<usize>,
    /// How many processes measure, if it was said.
    pub(super) processes: Option<usize>,
    /// At how many places each loop is started, if it was said.
    pub(super) placements: Option<usize>,
    /// This is one of several processes, and has this seed.
    worker: Option<u64>,
    pub(super) strict: bool,
    pub(super) format: Format,
    pub(super) json: Option<PathBuf>,
    pub(super) csv: Option<PathBuf>,
    pub(super) bmf: Option<PathBuf>,
    pub(super) html: Option<PathBuf>,
    pub(super) samples: bool,
    pub(super) save_baseline: Option<String>,
    pub(super) baseline: Option<String>,
    pub(super) list_baselines: bool,
    pub(super) limit: Option<Limit>,
    #[cfg(feature = "counters")]
    pub(super) counters: bool,
    #[cfg(feature = "predict")]
    pub(super) mca: bool,
    #[cfg(feature = "predict")]
    pub(super) mcpu: Option<String>,
    #[cfg(feature = "predict")]
    pub(super) llvm_mca: Option<PathBuf>,
    #[cfg(feature = "predict")]
    pub(super) osaca: Option<PathBuf>,
    #[cfg(feature = "predict")]
    pub(super) model: Option<String>,
    #[cfg(feature = "predict")]
    pub(super) show_loop: bool,
    #[cfg(feature = "cachegrind")]
    pub(super) counting: super::counting_arguments::CountingArguments,
    pub(super) verbose: bool,
    pub(super) quiet: bool,
    pub(super) color: Color,
    pub(super) help: bool,
    pub(super) version: bool,
    mode: Option<Mode>,
    bench: bool,
    test: bool,
}

const SEE_HELP: &str = "see --help";

fn wrong(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::Usage, what)
}

impl Arguments {
    /// Reads what stands behind the program's name.
    ///
    /// # Errors
    ///
    /// `Usage` for an option that is not known, a value that is missing or cannot be used, options that contradict each
    /// other, and an option of another mode.
    pub(super) fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Self> {
        let mut parser = lexopt::Parser::from_args(arguments);
        let mut read = Self::default();
        let mut given: Vec<&'static Spec> = Vec::new();
        while let Some(argument) = parser.next().map_err(|error| wrong(error.to_string()).remedy(SEE_HELP))? {
            let spec = match argument {
                lexopt::Arg::Value(filter) => {
                    read.selection.filters.push(text("a filter", filter)?);
                    continue;
                }
                lexopt::Arg::Long(name) => {
                    all().find(|spec| spec.long == name).ok_or_else(|| no_option(name))?
                }
                lexopt::Arg::Short(name) => all().find(|spec| spec.short == Some(name)).ok_or_else(|| {
                    let long = all().filter(|spec| spec.section != Section::Ignored && spec.short.is_none());
                    let long: Vec<String> = long
                        .filter(|spec| spec.long.starts_with(name))
                        .map(|spec| format!("--{}", spec.long))
                        .collect();
                    wrong(format!("there is no option \"-{}\"", inert(&name.to_string()))).remedy(
                        if long.is_empty() {
                            SEE_HELP.to_owned()
                        } else {
                            format!("did you mean {}? {SEE_HELP}", long.join(" or "))
                        },
                    )
                })?,
            };
            let value = match spec.value {
                Value::None => None,
                Value::Attached => parser.optional_value(),
                Value::One(name) => Some(value_of(&mut parser, spec, name)?),
                #[cfg(feature = "cachegrind")]
                Value::Two(names) => {
                    let first = value_of(&mut parser, spec, names)?;
                    read.counting.explain_first(text(spec.long, first)?);
                    Some(value_of(&mut parser, spec, names)?)
                }
            };
            read.take(spec, value.unwrap_or_default())?;
            given.push(spec);
        }
        if !read.help && !read.version {
            read.check(&given)?;
        }
        Ok(read)
    }

    /// How benchmarks are run.
    pub(super) fn mode(&self) -> Mode {
        self.mode.unwrap_or(if self.bench && !self.test { Mode::Adaptive } else { Mode::Once })
    }

    fn take(&mut self, spec: &Spec, value: OsString) -> Result<()> {
        let options = &mut self.options;
        match spec.long {
            "exact" => self.selection.exact = true,
            "skip" => self.selection.skips.push(text(spec.long, value)?),
            "ignored" => self.selection.none = true,
            "list" => self.list = true,
            "mode" => {
                let name = text(spec.long, value)?;
                let names: Vec<&str> = Mode::ALL.iter().map(|mode| mode.name()).collect();
                let found = Mode::ALL.iter().copied().find(|mode| mode.name() == name);
                if found.is_none() && name == "cachegrind" {
                    return Err(needs("--mode cachegrind", "cachegrind"));
                }
                self.mode = Some(found.ok_or_else(|| no_word(spec, &name, &names))?);
            }
            "target-percentile" => options.target_percentile = number(spec, value)?,
            "target-precision" => options.target_precision_pct = number(spec, value)?,
            "min-secs" => options.min_secs = number(spec, value)?,
            "max-secs" => options.max_secs = number(spec, value)?,
            "slice-usec" => options.slice_usec = number(spec, value)?,
            "min-samples" => options.min_samples = number(spec, value)?,
            "seed" => options.seed = number(spec, value)?,
            "core" if value == "auto" => self.core = None,
            "core" => self.core = Some(number(spec, value)?),
            "processes" => self.processes = Some(number(spec, value)?),
            "placements" => self.placements = Some(number(spec, value)?),
            "worker" => self.worker = Some(number(spec, value)?),
            "strict" => self.strict = true,
            "format" => self.format = one_of(spec, value, FORMATS)?,
            "json" => self.json = Some(path(spec, value)?),
            "csv" => self.csv = Some(path(spec, value)?),
            "bmf" => self.bmf = Some(path(spec, value)?),
            "html" => self.html = Some(path(spec, value)?),
            "samples" => self.samples = true,
            "save-baseline" => self.save_baseline = Some(text(spec.long, value)?),
            "baseline" => self.baseline = Some(text(spec.long, value)?),
            "list-baselines" => self.list_baselines = true,
            #[cfg(feature = "cachegrind")]
            "limit" if self.counting.is_limit(&value) => {
                self.counting.take(spec.long, text(spec.long, value)?)?;
            }
            "limit" => self.limit = Some(text(spec.long, value)?.parse()?),
            #[cfg(feature = "counters")]
            "counters" => self.counters = true,
            #[cfg(feature = "predict")]
            "mca" => self.mca = true,
            // Whoever names a CPU or a program wants it asked.
            #[cfg(feature = "predict")]
            "mcpu" => (self.mca, self.mcpu) = (true, Some(text(spec.long, value)?)),
            #[cfg(feature = "predict")]
            "llvm-mca" => (self.mca, self.llvm_mca) = (true, Some(path(spec, value)?)),
            #[cfg(feature = "predict")]
            "osaca" => (self.mca, self.osaca) = (true, Some(path(spec, value)?)),
            #[cfg(feature = "predict")]
            "model" => (self.mca, self.model) = (true, Some(text(spec.long, value)?)),
            #[cfg(feature = "predict")]
            "show-loop" => self.show_loop = true,
            "verbose" => self.verbose = true,
            "quiet" => self.quiet = true,
            "color" => self.color = one_of(spec, value, COLORS)?,
            "help" => self.help = true,
            "version" => self.version = true,
            "bench" => self.bench = true,
            "test" => self.test = true,
            #[cfg(feature = "cachegrind")]
            name if self.counting.knows(name) => self.counting.take(name, text(name, value)?)?,
            // What is left are the options of test runners.
            _ => {}
        }
        Ok(())
    }

    /// One of several processes: it measures what it is told, and gives the record to the one that started it and nothing to others.
    /// Whether this is one of several processes that measure the same.
    pub(super) fn is_worker(&self) -> bool {
        self.worker.is_some()
    }

    fn become_worker(&mut self) {
        let given = std::mem::take(self);
        *self = Self {
            options: Options { seed: given.worker.unwrap_or(given.options.seed), ..given.options },
            selection: given.selection,
            core: given.core,
            placements: given.placements,
            mode: given.mode,
            bench: given.bench,
            test: given.test,
            worker: given.worker,
            #[cfg(feature = "counters")]
            counters: given.counters,
            format: Format::Json,
            quiet: true,
            ..Self::default()
        };
    }

    /// What no option can tell alone.
    fn check(&mut self, given: &[&'static Spec]) -> Result<()> {
        let mode = self.mode();
        self.options.best_of = mode == Mode::BestOf;
        if let Some(spec) = given.iter().find(|spec| !spec.modes.contains(&mode)) {
            let modes: Vec<&str> = spec.modes.iter().map(|mode| mode.name()).collect();
            let modes = modes.join(" or ");
            let reason = match self.mode {
                Some(_) => format!("and the mode is {}", mode.name()),
                None if self.test => format!("and with --test the mode is {}", mode.name()),
                None => format!("and without --bench the mode is {}", mode.name()),
            };
            return Err(wrong(format!("--{} says nothing here", spec.long))
                .because(format!("it belongs to mode {modes}, {reason}"))
                .remedy(format!("leave it out, or give --mode {}", spec.modes[0].name())));
        }
        if self.worker.is_some() {
            self.become_worker();
        }
        #[cfg(feature = "cachegrind")]
        self.counting.check(mode, self.limit.is_some())?;
        if self.processes == Some(0) {
            return Err(wrong("--processes is 0")
                .because("somebody has to measure")
                .remedy("give the number of processes, at least 1"));
        }
        placements::check(self)?;
        if self.verbose && self.quiet {
            return Err(wrong("--verbose and --quiet were both given")
                .because("one asks for more and the other for less")
                .remedy("give one of them"));
        }
        if self.html.is_some() && !cfg!(feature = "plots") {
            return Err(wrong("--html needs the feature plots")
                .because("this bench binary was built without it")
                .remedy(
                    "add features = [\"plots\"] to fencepost in Cargo.toml, or give --samples --json FILE and run \
                     fencepost report FILE",
                ));
        }
        let files: Vec<&PathBuf> =
            [&self.json, &self.csv, &self.bmf, &self.html].into_iter().flatten().collect();
        let places: Vec<PathBuf> = files.iter().map(|file| place_of(file)).collect();
        let twice = (0..files.len()).find(|at| places[..*at].contains(&places[*at]));
        if let Some(twice) = twice.map(|at| (at, files[at])) {
            return Err(wrong(format!("two outputs were to be written to {:?}", twice.1))
                .because("the second would replace the first")
                .remedy("give each its own file"));
        }
        if let (true, Some(file)) = (self.list, files.first()) {
            return Err(wrong(format!("nothing can be written to {file:?}"))
                .because("--list measures nothing")
                .remedy("give --list or the file, not both"));
        }
        if self.list || self.list_baselines {
            let what = if self.list { "--list" } else { "--list-baselines" };
            let baselines = [(&self.save_baseline, "save-baseline"), (&self.baseline, "baseline")];
            if let Some((name, option)) =
                baselines.iter().find_map(|(name, option)| Some((name.as_ref()?, option)))
            {
                return Err(wrong(format!("--{option} {} says nothing here", inert(name)))
                    .because(format!("{what} measures nothing"))
                    .remedy(format!("give {what} or the baseline, not both")));
            }
        }
        let changes = self.limit.as_ref().filter(|limit| needs_baseline(limit.rules()));
        if let (Some(limit), None) = (changes, &self.baseline) {
            return Err(wrong(format!("--limit {limit} has nothing to go by"))
                .because("it limits a change, and no --baseline is given")
                .remedy("add --baseline NAME, or give a cost that is not to be passed, such as <=120cyc"));
        }
        // A default yields to what was given; what was given twice over contradicts itself.
        let has = |long: &str| given.iter().any(|spec| spec.long == long);
        let options = &mut self.options;
        if options.min_secs > options.max_secs && options.max_secs > 0.0 && options.min_secs.is_finite() {
            match (has("min-secs"), has("max-secs")) {
                (true, false) => options.max_secs = 2.0 * options.min_secs,
                (false, true) => options.min_secs = options.max_secs,
                _ => {}
            }
        }
        self.options.validate()
    }
}

/// The file that a path leads to, however it is spelled.
fn place_of(path: &std::path::Path) -> PathBuf {
    // Of one that is yet to be written, the directory that it will stand in.
    path.canonicalize().ok().unwrap_or_else(|| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let directory = path.parent().and_then(|directory| directory.canonicalize().ok());
        directory.zip(path.file_name()).map_or_else(|| path.clone(), |(directory, name)| directory.join(name))
    })
}

const FORMATS: &[(&str, Format)] = &[
    ("text", Format::Text),
    ("terse", Format::Terse),
    ("json", Format::Json),
    ("csv", Format::Csv),
    // What libtest calls it.
    ("pretty", Format::Text),
];

const COLORS: &[(&str, Color)] = &[("auto", Color::Auto), ("always", Color::Always), ("never", Color::Never)];

#[cfg(test)]
mod tests {
    use super::unknown::{ELSEWHERE, OF_FEATURES};
    use super::*;

    fn read(line: &str) -> Result<Arguments> {
        Arguments::read(line.split_whitespace().map(OsString::from))
    }

    fn refused(line: &str, words: &[&str]) {
        let error = read(line).expect_err(line);
        assert_eq!(error.kind(), ErrorKind::Usage);
        for word in words {
            assert!(error.to_string().contains(word), "{line}: {error} lacks {word:?}");
        }
    }

    #[test]
    fn the_mode_follows_cargo_unless_it_is_given() {
        assert_eq!(read("").unwrap().mode(), Mode::Once);
        assert_eq!(read("--bench").unwrap().mode(), Mode::Adaptive);
        assert_eq!(read("--bench --test").unwrap().mode(), Mode::Once);
        assert_eq!(read("--mode best-of").unwrap().mode(), Mode::BestOf);
        assert!(read("--mode best-of").unwrap().options.best_of);
        assert_eq!(read("--bench --mode once").unwrap().mode(), Mode::Once);
    }

    #[test]
    fn what_test_runners_pass_is_taken() {
        let lines = [
            "--list --format terse",
            "--list --format terse --ignored",
            "bit_mix/latency --nocapture --exact",
            "--include-ignored --show-output --no-capture -Z unstable-options --report-time=plain --report-time",
            "--test-threads 4 --test-threads=1 --logfile log --quiet -q --color never --format pretty",
            "-Zunstable-options --ensure-time --shuffle --shuffle-seed 3 --exclude-should-panic --fail-fast",
        ];
        for line in lines {
            read(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
        assert!(read("--ignored").unwrap().selection.none);
    }

    #[test]
    fn every_option_is_read() {
        let read = read(
            "one two --skip three --exact --bench --target-percentile 40 --target-precision 2% --min-secs 0.5 \
             --max-secs=3 --min-samples 7 --slice-usec 20 --seed 9 --core 1 --strict --format json --json a --csv b \
             --bmf c --verbose --color always --processes 3 --placements 1",
        )
        .unwrap();
        assert_eq!((read.processes, read.placements), (Some(3), Some(1)));
        assert_eq!(read.selection.filters, ["one", "two"]);
        assert_eq!(read.selection.skips, ["three"]);
        let options = Options {
            target_percentile: 40.0,
            target_precision_pct: 2.0,
            min_secs: 0.5,
            max_secs: 3.0,
            min_samples: 7,
            slice_usec: 20.0,
            seed: 9,
            best_of: false,
        };
        assert_eq!(read.options, options);
        assert_eq!((read.core, read.strict, read.format), (Some(1), true, Format::Json));
        assert!(read.verbose && read.selection.exact);
        assert_eq!(read.bmf, Some(PathBuf::from("c")));
    }

    #[test]
    fn wrong_use_is_named_with_what_was_meant() {
        refused("--max-sec 3 --bench", &["\"--max-sec\"", "--max-secs"]);
        refused("--Format json", &["--format"]);
        refused("-x", &["\"-x\""]);
        refused("-v", &["\"-v\"", "did you mean --verbose?"]);
        refused("--format JSON", &["did you mean json?"]);
        refused("--bench --processes -1", &["--processes is \"-1\"", "a whole number, 1 or more"]);
        refused("--json", &["--json has no value", "FILE"]);
        refused("--json --csv a", &["--json has no value"]);
        refused("--list=3", &["--list"]);
        refused("--mode addaptive", &["adaptive, best-of, once", "did you mean adaptive?"]);
        refused("--format jsn", &["did you mean json?"]);
        refused("--bench --seed -1", &["--seed is \"-1\"", "whole number"]);
        refused("--bench --core two", &["auto"]);
        refused("--bench --min-secs soon", &["--min-secs is \"soon\"", "a number"]);
        refused("--bench --json=", &["names no file"]);
        refused("--bench --measurement-time 3", &["another harness's", "--max-secs"]);
        refused("--bench --limits 3%", &["did you mean --limit?"]);
    }

    #[test]
    fn a_time_that_is_given_moves_the_default_of_the_other() {
        let secs = |line: &str| {
            let options = read(line).unwrap().options;
            (options.min_secs, options.max_secs)
        };
        assert_eq!(secs("--bench --max-secs 0.05"), (0.05, 0.05));
        assert_eq!(secs("--bench --min-secs 2"), (2.0, 4.0));
        assert_eq!(secs("--bench --min-secs 0.5"), (0.5, 1.0));
        refused("--bench --max-secs 0", &["maximum time is 0 s"]);
        refused("--bench --min-secs inf", &["minimum time is inf s"]);
    }

    #[test]
    fn what_needs_a_feature_says_which() {
        for (feature, options) in OF_FEATURES {
            for option in *options {
                // With the feature it is there, else this table is out of date.
                let there = all().any(|spec| spec.long == *option);
                let built = match *feature {
                    "predict" => cfg!(feature = "predict"),
                    "cachegrind" => cfg!(feature = "cachegrind"),
                    other => panic!("which is the feature {other}?"),
                };
                assert_eq!(there, built, "--{option}");
                if !built {
                    refused(&format!("--bench --{option}"), &["needs the feature", feature, "features = ["]);
                }
            }
        }
        assert!(ELSEWHERE.iter().all(|(_, here)| all().any(|spec| spec.long == *here)));
        if !cfg!(feature = "cachegrind") {
            refused("--mode cachegrind", &["needs the feature cachegrind"]);
        }
        if !cfg!(feature = "plots") {
            refused("--bench --html out", &["--html needs the feature plots", "fencepost report"]);
        }
        if cfg!(feature = "placements") {
            assert_eq!(read("--bench --placements 8").unwrap().placements, Some(8));
        } else {
            refused("--bench --placements 4", &["needs the feature placements"]);
        }
        refused("--bench --placements 9", &["--placements is 9", "1 to 8"]);
        refused("--bench --placements 0", &["--placements is 0"]);
    }

    #[test]
    fn one_of_several_processes_gives_its_record_and_nothing_else() {
        let read = read("one --bench --json a --csv b --verbose --strict --processes 5 --seed 3 --worker=9")
            .unwrap();
        assert_eq!((read.options.seed, read.format, read.quiet), (9, Format::Json, true));
        assert_eq!(
            (read.processes, read.json, read.csv, read.strict, read.verbose),
            (None, None, None, false, false)
        );
        assert_eq!((read.selection.filters, read.bench), (vec!["one".to_owned()], true));
    }

    #[test]
    fn what_contradicts_is_refused() {
        refused("--seed 3", &["--seed says nothing", "without --bench the mode is once", "--mode adaptive"]);
        refused("--bench --mode once --core 1", &["--core", "adaptive or best-of"]);
        refused(
            "--mode best-of --target-precision 1",
            &["--target-precision", "adaptive", "the mode is best-of"],
        );
        refused("--bench --min-secs 3 --max-secs 2", &["minimum time is 3 s and maximum time is 2 s"]);
        refused("--bench --target-percentile 101", &["101"]);
        refused("--verbose --quiet", &["both"]);
        refused("--bench --csv a --json a", &["\"a\""]);
        refused("--bench --csv ./a --json a", &["\"./a\"", "two outputs"]);
        refused("--bench --csv src/../a --json ./a", &["two outputs"]);
        refused("--bench --test --seed 3", &["with --test the mode is once"]);
        refused("--bench --list-baselines --baseline a", &["--list-baselines measures nothing"]);
        refused("--list --json a", &["--list measures nothing"]);
        refused("--bench --list --save-baseline a", &["--save-baseline a", "--list measures nothing"]);
        refused("--bench --list --baseline a", &["--baseline a", "--list measures nothing"]);
        assert!(read("--help --min-secs 3 --mode once").unwrap().help, "help comes first");
    }
}
