//! Where does a scheduling model differ from this CPU? The subcommand `audit`: every form of the table, measured and predicted from the
//! same program.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::Instant;

use fencepost::asm::{Breadth, Features, Form, Job, Operands, features, jobs, measure_form};
use fencepost::error::{ExitStatus, Result};
use fencepost::output;
use fencepost::predict::Model;
use fencepost::sampling::Continue;

mod judge;
mod measured;
mod page;
mod questions;

use crate::asked::Asked;
use crate::asm::lab::{Bench, Measuring, Pace};
use crate::table::check::{Known, known};
use crate::table::filter::nothing;
use crate::table::{Bar, Wanted};
use judge::{Claim, Counts, Judgement, judge};
use measured::{AuditFile, Audited, Pass};
use page::Page;
use questions::Questions;

/// So many forms are measured carefully before they are claimed; of more, each is as quick as the first time.
const FEW: usize = 100;
/// The model is asked about so many forms at once, before they are measured.
const MANY: usize = 200;

/// List the latencies and throughputs that a model has differently from this CPU
///
/// Examples:
///
///   fencepost audit --mnemonic imul,add,popcnt
///
///   fencepost audit --extension avx2 --check uops.csv --markdown > report.md
///
///   fencepost audit --out all.jsonl --csv > claims.csv       all forms: minutes
///
/// A form's latency chain and its independent instructions run here and in the model as
/// the same machine code. A difference is claimed where both of two measurements
/// converged and are further from the model than 5 % and 0.05 cycles. First comes what
/// differs by the largest factor, for a kernel that is bound by it is mispredicted by
/// that factor; then what differs by more cycles.
///
/// What --out keeps is measured once: another --model, --mcpu or --check is answered
/// from the file.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "Exit status: 0 done; 1 wrong use, bad input or no model; 2 not converged under --strict;\n4 cannot measure here."
)]
pub(crate) struct Args {
    #[command(flatten)]
    wanted: Wanted,
    #[command(flatten)]
    asked: Asked,
    /// Claim nothing that published values contradict (a CSV file, see docs/asm.md)
    #[arg(long, value_name = "CSV")]
    check: Option<PathBuf>,
    /// Print Markdown, for a bug report on the model
    #[arg(long, conflicts_with = "csv")]
    markdown: bool,
    /// Print CSV
    #[arg(long)]
    csv: bool,
    /// Write what is measured to .jsonl, and go on where it stopped
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Measure again what --out has, but not converged
    #[arg(long, requires = "out")]
    retry: bool,
    #[command(flatten)]
    measuring: Measuring,
}

/// Runs the subcommand.
///
/// # Errors
///
/// `Usage` and `Input` for filters and files that cannot be used, `Io` where the model is not installed, `CannotMeasure` where this
/// machine cannot.
pub(crate) fn run(args: Args) -> Result<ExitStatus> {
    let features = features();
    let forms = args.wanted.forms(&args.wanted.catalogue(&features, false))?;
    if forms.is_empty() {
        return Err(nothing());
    }
    let published = match &args.check {
        Some(path) => known(path, &forms)?,
        None => Vec::new(),
    };
    let model = args.asked.find()?;
    let file = args.out.as_deref().map(AuditFile::open).transpose()?;
    // Before anything is measured.
    let mut questions = Questions::new(model.as_ref())?;
    let mut counts = Counts { forms: forms.len(), ..Counts::default() };
    let mut run = Run { args: &args, file, features, measured: 0, found: 0, start: Instant::now() };
    let (planned, first) = run.first_pass(forms, &mut questions, &mut counts)?;
    if planned.is_empty()
        && let Some(error) = questions.failed()
    {
        return Err(error);
    }
    questions.ask(programs(&first));
    let first_said: Vec<BTreeMap<String, Judgement>> =
        planned.iter().zip(&first).map(|(form, one)| judge(form, &one.measurements, &questions)).collect();
    let doubtful: Vec<Form> = planned
        .iter()
        .zip(&first_said)
        .filter(|(_, said)| said.values().any(|one| matches!(one, Judgement::Differs(_))))
        .map(|(form, _)| form.clone())
        .collect();
    let pace = if doubtful.len() > FEW { Pace::Brisk } else { Pace::Careful };
    let again = run.second_pass(pace, &doubtful)?;
    run.say();
    questions.ask(programs(&again));
    let precision_pct = again.iter().map(|one| one.precision_pct).reduce(f64::max);
    let again: BTreeMap<String, BTreeMap<String, Judgement>> = doubtful
        .iter()
        .zip(&again)
        .map(|(form, one)| (form.to_string(), judge(form, &one.measurements, &questions)))
        .collect();
    let mut claims = Vec::new();
    for ((form, one), said) in planned.iter().zip(&first).zip(first_said) {
        counts.not_run += usize::from(one.measurements.is_empty());
        let second = again.get(&form.to_string());
        for (id, judgement) in said {
            let confirmed = match (judgement, second.and_then(|said| said.get(&id))) {
                (Judgement::Differs(before), Some(Judgement::Differs(after))) => {
                    before.confirmed(after).then(|| after.clone())
                }
                (Judgement::Differs(_), None | Some(Judgement::NotConverged)) => {
                    counts.differ_once += 1;
                    continue;
                }
                (Judgement::Differs(_), _) => None,
                (other, _) => {
                    counts.add(form, &other);
                    continue;
                }
            };
            match confirmed {
                Some(difference) => claims.extend(claim(&id, form, difference, &published, &mut counts)),
                None => counts.unconfirmed += 1,
            }
        }
    }
    let claims = judge::in_order(claims);
    let lost = counts.not_converged + counts.differ_once + counts.unconfirmed;
    let page = Page {
        model: model.as_ref(),
        claims: &claims,
        counts: &counts,
        remarks: questions.remarks(),
        checked: args.check.is_some(),
        precision_pct,
    };
    output::emit(&if args.csv {
        page.csv()?
    } else if args.markdown {
        page.markdown()
    } else {
        page.text()
    })?;
    Ok(if args.measuring.strict && lost > 0 { ExitStatus::NotConverged } else { ExitStatus::Done })
}

/// Divisions are asked about with all of their values, for a model has but one answer for them.
fn breadth(form: &Form) -> Breadth {
    if Operands::of(form).len() > 1 { Breadth::Everything } else { Breadth::Line }
}

/// The programs that were measured, each with the name of its result.
fn programs(all: &[Audited]) -> impl Iterator<Item = (&str, &[u8])> {
    all.iter().flat_map(|one| &one.measurements).map(|one| (one.result.id.as_str(), one.body.as_slice()))
}

/// What is measured, and what is there already.
struct Run<'a> {
    args: &'a Args,
    file: Option<AuditFile>,
    features: Features,
    measured: usize,
    found: usize,
    start: Instant,
}

/// What a file has of a form.
struct Found {
    /// What need not be measured again.
    settled: Option<Audited>,
    /// What is to be.
    older: Option<Audited>,
}

impl Run<'_> {
    /// Measures those of `forms` that the model predicts, and gives them with what was measured of each.
    fn first_pass(
        &mut self,
        forms: Vec<Form>,
        questions: &mut Questions<'_>,
        counts: &mut Counts,
    ) -> Result<(Vec<Form>, Vec<Audited>)> {
        let mut bench = None;
        let bar = Bar::new(forms.len());
        let (mut planned, mut all) = (Vec::with_capacity(forms.len()), Vec::with_capacity(forms.len()));
        for some in forms.chunks(MANY) {
            let some: Vec<(&Form, Found, Vec<Job>)> = some
                .iter()
                .map(|form| (form, self.found(form, Pass::First), jobs(form, &self.features, breadth(form))))
                .collect();
            // The model comes first: what it does not answer need not be measured. What was measured is asked about later.
            let unknown =
                some.iter().filter(|(_, found, _)| found.settled.is_none()).flat_map(|(.., jobs)| jobs);
            questions.ask(unknown.map(|job| (job.id.as_str(), job.program.body.as_slice())));
            for (form, found, jobs) in some {
                bar.step(&form.to_string());
                let audited = match found.settled {
                    Some(found) => found,
                    None if jobs.iter().any(|job| questions.knows(&job.program.body)) => {
                        self.measure(&mut bench, Pass::First, Pace::Brisk, form, jobs, found.older)?
                    }
                    None => {
                        counts
                            .silent(form, jobs.first().and_then(|job| questions.refusal(&job.program.body)));
                        continue;
                    }
                };
                planned.push(form.clone());
                all.push(audited);
            }
        }
        bar.finish();
        Ok((planned, all))
    }

    /// Measures `forms` once more.
    fn second_pass(&mut self, pace: Pace, forms: &[Form]) -> Result<Vec<Audited>> {
        let mut bench = None;
        let bar = Bar::new(forms.len());
        let mut all = Vec::with_capacity(forms.len());
        for form in forms {
            bar.step(&form.to_string());
            let found = self.found(form, Pass::Second);
            all.push(match found.settled {
                Some(found) => found,
                None => {
                    let jobs = jobs(form, &self.features, breadth(form));
                    self.measure(&mut bench, Pass::Second, pace, form, jobs, found.older)?
                }
            });
        }
        bar.finish();
        Ok(all)
    }

    /// What the file has of a form.
    fn found(&mut self, form: &Form, pass: Pass) -> Found {
        match self.file.as_mut().and_then(|file| file.take(&form.to_string(), pass)) {
            Some(found) if self.args.retry && !found.is_settled() => {
                Found { settled: None, older: Some(found) }
            }
            found => {
                self.found += usize::from(found.is_some());
                Found { settled: found, older: None }
            }
        }
    }

    /// Measures a form, by a bench that is set up when it is first needed, and keeps what came of it beside what converged before.
    fn measure(
        &mut self,
        bench: &mut Option<Bench>,
        pass: Pass,
        pace: Pace,
        form: &Form,
        jobs: Vec<Job>,
        older: Option<Audited>,
    ) -> Result<Audited> {
        let bench = match bench {
            Some(bench) => bench,
            None => bench.insert(Bench::new(&self.args.measuring, pace)?),
        };
        let (lab, engine) = bench.parts();
        let outcomes = measure_form(lab, engine, form, &self.features, jobs, &mut |_| Continue::Yes)?;
        let audited = Audited::new(outcomes, self.args.measuring.precision_pct(pace));
        if let Some(file) = &mut self.file {
            file.add(form, pass, &audited)?;
        }
        self.measured += 1;
        Ok(match older {
            Some(older) => audited.or(older),
            None => audited,
        })
    }

    /// How long it took, beside the page.
    fn say(&self) {
        let secs = self.start.elapsed().as_secs_f64();
        let found = if self.found > 0 { format!("; {} were there", self.found) } else { String::new() };
        let _ =
            writeln!(io::stderr().lock(), "{} measurements of forms in {secs:.1} s{found}", self.measured);
    }
}

/// The claim, unless a published value contradicts it.
fn claim(
    id: &str,
    form: &Form,
    difference: judge::Difference,
    published: &[Known],
    counts: &mut Counts,
) -> Option<Claim> {
    let of_this: Vec<&Known> = published.iter().filter(|one| one.id == id).collect();
    if let Some(other) = of_this.iter().find(|one| !one.agrees(difference.hardware.estimate)) {
        counts.contradicted.push(format!(
            "{id}: published {} cyc, measured {:.2}, the model {:.2}",
            other.value, difference.hardware.estimate, difference.model
        ));
        return None;
    }
    Some(Claim {
        form: form.to_string(),
        extension: form.extensions().join(" ").to_ascii_lowercase(),
        published: of_this.first().map(|one| one.value),
        id: id.to_owned(),
        difference,
    })
}

/// What a model is called with its version and CPU.
fn name(model: &dyn Model) -> String {
    use fencepost::record::text::inert;
    format!("{} {}, {}", model.name(), inert(model.version()), inert(model.cpu()))
}
