//! Do published values agree with this machine? `table --check`: a summary, and each disagreement after a second measurement.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use fencepost::asm::{
    Aspect, Breadth, Form, Job, Kinship, Meant, Operands, Published, chain_of_same_register, features,
    form_of, jobs, kinship, latency_agrees, measure_form, published, rthroughput_agrees,
};
use fencepost::error::{Error, ErrorKind, ExitStatus, Result};
use fencepost::machine::{Machine, Microarchitecture};
use fencepost::output;
use fencepost::record::text::{elide, inert};
use fencepost::record::{BenchmarkResult, Kind, Verdict, cost};
use fencepost::sampling::Continue;
use serde_json::json;

use super::paragraph;
use crate::asm::lab::{Bench, Measuring, Pace};

/// One published number beside what was measured.
struct Pair {
    row: Published,
    kin: Kinship,
    form: String,
    is_latency: bool,
    value: f64,
    id: String,
    /// Another chain through the form: published tables do not always say which theirs is.
    other: Option<String>,
}

/// What became of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Judgement {
    Agrees,
    /// Not by the default chain, but by one with the same register for all operands.
    AgreesOtherwise,
    Disagrees,
    /// An upper bound that the published value is below.
    WithinBound,
    /// Contended, unstable or too imprecise to say.
    NotJudged,
    /// Nothing was measured.
    Missing,
}

/// What a file says of this core.
struct Paired {
    pairs: Vec<Pair>,
    total: usize,
    other_core: usize,
    no_form: Vec<String>,
    of: Design,
    /// The designs that the file speaks of.
    written: Vec<String>,
}

/// Whose rows are compared.
enum Design {
    /// This core's.
    Here(Microarchitecture),
    /// Those of a name, whatever core this is.
    Told(String),
}

impl Design {
    fn here() -> Result<Self> {
        let machine = Machine::detect();
        machine.microarchitecture().map(Self::Here).ok_or_else(|| {
            let error = format!("this core's design is not known ({})", machine.name());
            Error::new(ErrorKind::CannotMeasure, error).because("published values are for a design").remedy(
                "name the one to compare with by --uarch, or leave --check out to measure without them",
            )
        })
    }

    fn told(name: &str, written: &[String]) -> Result<Self> {
        if written.iter().any(|one| one.eq_ignore_ascii_case(name)) {
            return Ok(Self::Told(name.to_owned()));
        }
        Err(Error::new(ErrorKind::Input, format!("no row of the file is for \"{}\"", inert(name)))
            .because("--uarch names a design as the file writes it")
            .remedy(format!("name one of {}", listed(written))))
    }

    fn kin(&self, uarch: &str) -> Option<Kinship> {
        match self {
            Self::Here(here) => kinship(uarch, here),
            Self::Told(name) => uarch.eq_ignore_ascii_case(name).then_some(Kinship::Same),
        }
    }
}

impl fmt::Display for Design {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Here(here) => write!(f, "this core: {} ({})", here.name, here.product),
            Self::Told(name) => {
                write!(f, "{}, as --uarch says; this core is {}", inert(name), Machine::detect().name())
            }
        }
    }
}

/// A published cost of this core, by the id of the result that it is compared with.
pub(crate) struct Known {
    pub(crate) id: String,
    pub(crate) value: f64,
    is_latency: bool,
}

impl Known {
    /// Whether `measured` cycles are the same.
    pub(crate) fn agrees(&self, measured: f64) -> bool {
        if self.is_latency {
            latency_agrees(self.value, measured)
        } else {
            rthroughput_agrees(self.value, measured)
        }
    }
}

/// What the file at `path` says of `forms` on this core.
///
/// # Errors
///
/// `Io` and `Input` for a file that cannot be used, `CannotMeasure` where this machine is not known.
pub(crate) fn known(path: &Path, forms: &[Form]) -> Result<Vec<Known>> {
    let pairs = paired(path, None, forms)?.pairs.into_iter();
    Ok(pairs.map(|pair| Known { id: pair.id, value: pair.value, is_latency: pair.is_latency }).collect())
}

/// `told` names the design whose rows are wanted, whatever core this is.
fn paired(path: &Path, told: Option<&str>, forms: &[Form]) -> Result<Paired> {
    let shown = elide(&inert(&path.to_string_lossy()), 120);
    let file = File::open(path).map_err(|error| {
        Error::new(ErrorKind::Io, format!("\"{shown}\" cannot be read: {error}"))
            .remedy("check the path and its permissions")
            .caused_by(error)
    })?;
    let rows = published(io::BufReader::new(file))?;
    let written = written_in(&rows);
    let of = told.map_or_else(Design::here, |name| Design::told(name, &written))?;
    let total = rows.len();
    let (mut pairs, mut other_core, mut no_form) = (Vec::new(), 0, Vec::new());
    for row in rows {
        let Some(kin) = of.kin(&row.uarch) else {
            other_core += 1;
            continue;
        };
        let meant = row.meant().and_then(|meant| Some((form_of(&meant, forms)?.clone(), meant)));
        match meant {
            Some((form, meant)) => pairs.extend(pair(row, kin, &form, &meant)),
            None => no_form.push(row.name),
        }
    }
    no_form.sort();
    no_form.dedup();
    Ok(Paired { pairs, total, other_core, no_form, of, written })
}

/// The designs that the rows are of, each once.
fn written_in(rows: &[Published]) -> Vec<String> {
    let mut names: Vec<String> = rows.iter().map(|row| inert(&row.uarch)).collect();
    names.sort();
    names.dedup();
    names
}

fn listed(designs: &[String]) -> String {
    elide(&designs.join(", "), 400)
}

/// Runs `--check`.
///
/// # Errors
///
/// `Io` and `Input` for a file that cannot be used, `CannotMeasure` where this machine is not known or cannot measure.
pub(super) fn run(
    path: &Path,
    told: Option<&str>,
    forms: &[Form],
    measuring: &Measuring,
    as_json: bool,
) -> Result<ExitStatus> {
    let Paired { pairs, total, other_core, no_form, of, written } = paired(path, told, forms)?;
    let mut bench = Bench::new(measuring, Pace::Brisk)?;
    let mut results = BTreeMap::new();
    let wanted: Vec<&Form> =
        forms.iter().filter(|form| pairs.iter().any(|pair| pair.form == form.to_string())).collect();
    for (done, form) in wanted.iter().enumerate() {
        say(&format!("{done} of {} forms", wanted.len()));
        measure(&mut bench, form, &mut results)?;
    }
    // Once more and longer, before anything is said of a disagreement.
    let doubtful: Vec<&Form> = wanted
        .iter()
        .copied()
        .filter(|form| {
            let name = form.to_string();
            pairs.iter().any(|pair| {
                pair.form == name
                    && !matches!(judge(pair, &results), Judgement::Agrees | Judgement::WithinBound)
            })
        })
        .collect();
    let again = doubtful.len();
    if again > 0 {
        drop(bench);
        bench = Bench::new(measuring, Pace::Careful)?;
        for (done, form) in doubtful.iter().enumerate() {
            say(&format!("{done} of {again} forms again"));
            measure(&mut bench, form, &mut results)?;
        }
    }
    say("");
    let judged: Vec<(Judgement, &Pair)> = pairs.iter().map(|pair| (judge(pair, &results), pair)).collect();
    if as_json {
        let all: Vec<BenchmarkResult> = results.into_values().collect();
        let rows: Vec<_> = judged
            .iter()
            .map(|(judgement, pair)| {
                let measured = all.iter().find(|result| result.id == pair.id).and_then(|result| result.cycles.as_ref());
                json!({
                    "form": pair.form, "uarch": pair.row.uarch, "line": pair.row.line, "what": pair.what(),
                    "published": pair.value, "measured": measured.map(|cycles| cycles.estimate), "id": pair.id,
                    "judgement": word(*judgement), "source": pair.row.source,
                })
            })
            .collect();
        let mut record = serde_json::to_value(bench.record(all, true)).unwrap_or_default();
        if let serde_json::Value::Object(fields) = &mut record {
            fields.insert("check".to_owned(), json!(rows));
        }
        return output::emit(&format!("{}\n", serde_json::to_string_pretty(&record).unwrap_or_default()))
            .map(|()| ExitStatus::Done);
    }
    let count = |wanted: Judgement| judged.iter().filter(|(judgement, _)| *judgement == wanted).count();
    let mut text =
        paragraph(&format!("{total} published rows, of which {} are for {of}.", total - other_core), "", "");
    if other_core == total {
        text.push_str(&paragraph(
            &format!("The file is of {}; --uarch compares with one of them.", listed(&written)),
            "",
            "",
        ));
    }
    let kin: BTreeMap<&str, usize> = judged.iter().filter(|(_, pair)| pair.kin == Kinship::Alike).fold(
        BTreeMap::new(),
        |mut counts, (_, pair)| {
            *counts.entry(pair.row.uarch.as_str()).or_default() += 1;
            counts
        },
    );
    if !kin.is_empty() {
        let names: Vec<String> =
            kin.iter().map(|(name, count)| format!("{} ({count} values)", inert(name))).collect();
        text.push_str(&paragraph(
            &format!(
                "Values of its relatives, whose cores cost the same as far as is known: {}.",
                names.join(", ")
            ),
            "",
            "",
        ));
    }
    text.push_str(&format!(
        "\n{:>5} values agree (latency within 0.05 cyc or 1 %,\n      rthroughput within 0.02 cyc or 3 %)\n{:>5} agree by the chain with one register for all operands\n{:>5} disagree\n{:>5} lie within an upper bound\n{:>5} contended or not converged\n",
        count(Judgement::Agrees),
        count(Judgement::AgreesOtherwise),
        count(Judgement::Disagrees),
        count(Judgement::WithinBound),
        count(Judgement::NotJudged),
    ));
    let missing = count(Judgement::Missing);
    if missing > 0 {
        text.push_str(&format!("{missing:>5} have no chain or program here\n"));
    }
    if !no_form.is_empty() {
        text.push_str(&paragraph(
            &format!(
                "not expressed by a template: {}",
                no_form.iter().map(|name| inert(name)).collect::<Vec<_>>().join("; ")
            ),
            "",
            "  ",
        ));
    }
    text.push_str(&format!("{again} forms were measured a second time before they were listed\n"));
    for kind in [
        Judgement::Disagrees,
        Judgement::AgreesOtherwise,
        Judgement::NotJudged,
        Judgement::WithinBound,
        Judgement::Missing,
    ] {
        let listed: Vec<&Pair> =
            judged.iter().filter(|(one, _)| *one == kind).map(|(_, pair)| *pair).collect();
        if listed.is_empty() {
            continue;
        }
        text.push_str(&format!("\n{}\n", heading(kind)));
        for pair in listed {
            let measured = results.get(&pair.id);
            let shown = measured.map_or_else(|| "-".to_owned(), cost);
            let verdict = measured.map_or_else(String::new, |result| format!(", {}", result.verdict));
            text.push_str(&paragraph(
                &format!(
                    "{} {}: published {} cyc ({}, line {}), measured {shown}{verdict}",
                    pair.form,
                    pair.what(),
                    pair.value,
                    inert(&pair.row.uarch),
                    pair.row.line
                ),
                "  ",
                "    ",
            ));
        }
    }
    output::emit(&text).map(|()| ExitStatus::Done)
}

impl Pair {
    fn what(&self) -> String {
        let kind = if self.is_latency { "latency" } else { "rthroughput" };
        match super::rows::label(&self.id) {
            Some(label) => format!("{kind} [{label}]"),
            None => kind.to_owned(),
        }
    }
}

/// The numbers of a row, each with the id of what it is compared with.
fn pair(row: Published, kin: Kinship, form: &Form, meant: &Meant) -> Vec<Pair> {
    let features = features();
    let jobs = check_jobs(form, &features);
    let word = meant.operands.word();
    let of_values = |job: &&Job| match word {
        Some(word) => job.id.contains(word),
        None => true,
    };
    let latency = jobs.iter().filter(|job| job.kind == Kind::Latency).find(|job| match meant.aspect {
        Aspect::RoundTrip => job.id.contains("store->load"),
        Aspect::Plain => {
            of_values(job) && !job.id.contains("store->load") && !job.id.contains("same register")
        }
    });
    let same = jobs.iter().find(|job| {
        job.kind == Kind::Latency && meant.aspect == Aspect::Plain && job.id.contains("same register")
    });
    let rate = jobs
        .iter()
        .filter(|job| job.kind == Kind::ReciprocalThroughput && meant.aspect == Aspect::Plain)
        .find(of_values);
    let mut pairs = Vec::new();
    for (is_latency, value, job) in [(true, row.latency, latency), (false, row.rthroughput, rate)] {
        if meant.aspect == Aspect::RoundTrip && !is_latency {
            continue;
        }
        if let Some(value) = value {
            let id = job.map(|job| job.id.clone()).unwrap_or_default();
            let other = same.filter(|_| is_latency).map(|job| job.id.clone());
            pairs.push(Pair { row: row.clone(), kin, form: form.to_string(), is_latency, value, id, other });
        }
    }
    pairs
}

/// What is measured of a form for comparison: a line, and the other values of a division.
fn check_jobs(form: &Form, features: &fencepost::asm::Features) -> Vec<Job> {
    if Operands::of(form).len() > 1 {
        return jobs(form, features, Breadth::Everything);
    }
    let mut line = jobs(form, features, Breadth::Line);
    line.extend(chain_of_same_register(form, features).map(|chain| Job::latency(form, chain)));
    line
}

fn measure(bench: &mut Bench, form: &Form, results: &mut BTreeMap<String, BenchmarkResult>) -> Result<()> {
    let features = features();
    let (lab, engine) = bench.parts();
    let jobs = check_jobs(form, &features);
    for (_, outcome) in measure_form(lab, engine, form, &features, jobs, &mut |_| Continue::Yes)? {
        if let Ok(result) = outcome {
            results.insert(result.id.clone(), result);
        }
    }
    Ok(())
}

fn judge(pair: &Pair, results: &BTreeMap<String, BenchmarkResult>) -> Judgement {
    let Some(result) = results.get(&pair.id) else { return Judgement::Missing };
    let Some(cycles) = &result.cycles else { return Judgement::Missing };
    let agrees = if pair.is_latency {
        latency_agrees(pair.value, cycles.estimate)
    } else {
        rthroughput_agrees(pair.value, cycles.estimate)
    };
    if agrees {
        return Judgement::Agrees;
    }
    let otherwise = pair.other.as_ref().and_then(|id| results.get(id)).filter(|other| {
        other.verdict == Verdict::Converged
            && other.cycles.as_ref().is_some_and(|cycles| latency_agrees(pair.value, cycles.estimate))
    });
    if otherwise.is_some() {
        return Judgement::AgreesOtherwise;
    }
    match result.verdict {
        Verdict::Converged if result.upper_bound && pair.value <= cycles.estimate => Judgement::WithinBound,
        Verdict::Converged => Judgement::Disagrees,
        // An interval that leaves the published value out says so even where it is wide.
        Verdict::Imprecise if pair.value < cycles.lo || pair.value > cycles.hi => Judgement::Disagrees,
        _ => Judgement::NotJudged,
    }
}

fn word(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Agrees => "agrees",
        Judgement::AgreesOtherwise => "agrees_otherwise",
        Judgement::Disagrees => "disagrees",
        Judgement::WithinBound => "within_bound",
        Judgement::NotJudged => "not_judged",
        Judgement::Missing => "missing",
    }
}

fn heading(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Agrees => "agree",
        Judgement::AgreesOtherwise => "agree by the chain with one register for all operands alone",
        Judgement::Disagrees => "disagree, after a second measurement",
        Judgement::WithinBound => "within an upper bound, which is all that can be said",
        Judgement::NotJudged => "contended or not converged, after a second measurement",
        Judgement::Missing => "without a chain or a program",
    }
}

fn say(text: &str) {
    if io::stderr().is_terminal() {
        let _ = write!(io::stderr().lock(), "\r\x1b[K{text}");
    }
}
