//! Where does a scheduling model differ from this CPU? The subcommand `audit`: every form of the table, measured and predicted from the
//! same program.

use std::collections::BTreeMap;
use std::path::PathBuf;

use fencepost::asm::{Breadth, Form, Job, Operands, features, jobs, measure_form};
use fencepost::error::{ExitStatus, Result};
use fencepost::output;
use fencepost::predict::Model;
use fencepost::record::BenchmarkResult;
use fencepost::sampling::Continue;

mod judge;
mod page;
mod questions;

use crate::asked::Asked;
use crate::asm::lab::{Bench, Measuring, Pace};
use crate::table::check::{Known, known};
use crate::table::filter::nothing;
use crate::table::{Bar, Wanted};
use judge::{Claim, Counts, Judgement, judge};
use page::Page;
use questions::Questions;

/// So many forms are measured carefully before they are claimed; of more, each is as quick as the first time.
const FEW: usize = 100;

/// List the latencies and throughputs that a model has differently from this CPU
///
/// Examples:
///
///   fencepost audit --mnemonic imul,add,popcnt
///
///   fencepost audit --extension avx2 --check uops.csv --markdown > report.md
///
///   fencepost audit --csv > claims.csv                      all forms: minutes
///
/// A form's latency chain and its independent instructions run here and in the model as
/// the same machine code. A difference is claimed where both of two measurements
/// converged and are further from the model than 5 % and 0.05 cycles. First comes what
/// differs by the largest factor, for a kernel that is bound by it is mispredicted by
/// that factor; then what differs by more cycles.
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
    #[command(flatten)]
    measuring: Measuring,
}

/// A form with what was measured of it.
struct Audited {
    form: Form,
    outcomes: Vec<(Job, BenchmarkResult)>,
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
    let mut questions = Questions::new(model.as_ref());
    let planned: Vec<(Form, Vec<Job>)> =
        forms.into_iter().map(|form| (form.clone(), jobs(&form, &features, breadth(&form)))).collect();
    // The model comes first: what it does not answer need not be measured.
    questions.ask(planned.iter().flat_map(|(_, jobs)| jobs))?;
    let mut counts = Counts { forms: planned.len(), ..Counts::default() };
    let (planned, silent): (Vec<_>, Vec<_>) =
        planned.into_iter().partition(|(_, jobs)| jobs.iter().any(|job| questions.knows(job)));
    for (form, jobs) in &silent {
        counts.silent(form, jobs.first().and_then(|job| questions.refusal(job)));
    }
    let mut bench = Bench::new(&args.measuring, Pace::Brisk)?;
    let first = measure(&mut bench, &planned.iter().map(|(form, _)| form).collect::<Vec<_>>())?;
    questions.ask(first.iter().flat_map(|one| one.outcomes.iter().map(|(job, _)| job)))?;
    let first_said: Vec<BTreeMap<String, Judgement>> =
        first.iter().map(|one| judge(&one.form, &one.outcomes, &questions)).collect();
    let doubtful: Vec<&Form> = first
        .iter()
        .zip(&first_said)
        .filter(|(_, said)| said.values().any(|one| matches!(one, Judgement::Differs(_))))
        .map(|(one, _)| &one.form)
        .collect();
    let pace = if doubtful.len() > FEW { Pace::Brisk } else { Pace::Careful };
    let again = if doubtful.is_empty() {
        Vec::new()
    } else {
        drop(bench);
        bench = Bench::new(&args.measuring, pace)?;
        measure(&mut bench, &doubtful)?
    };
    questions.ask(again.iter().flat_map(|one| one.outcomes.iter().map(|(job, _)| job)))?;
    let again: BTreeMap<String, (BTreeMap<String, Judgement>, &Audited)> = again
        .iter()
        .map(|one| (one.form.to_string(), (judge(&one.form, &one.outcomes, &questions), one)))
        .collect();
    let mut claims = Vec::new();
    for (one, said) in first.iter().zip(first_said) {
        let second = again.get(&one.form.to_string());
        for (id, judgement) in said {
            let confirmed = match (judgement, second.and_then(|(said, _)| said.get(&id))) {
                (Judgement::Differs(before), Some(Judgement::Differs(after))) => {
                    before.confirmed(after).then(|| after.clone())
                }
                (Judgement::Differs(_), _) => None,
                (other, _) => {
                    counts.add(&one.form, &other);
                    continue;
                }
            };
            match confirmed {
                Some(difference) => claims.extend(claim(&id, &one.form, difference, &published, &mut counts)),
                None => counts.unconfirmed += 1,
            }
        }
    }
    let claims = judge::in_order(claims);
    let lost = counts.not_converged + counts.unconfirmed;
    let page = Page {
        model: model.as_ref(),
        claims: &claims,
        counts: &counts,
        remarks: questions.remarks(),
        checked: args.check.is_some(),
        pace,
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

fn measure(bench: &mut Bench, forms: &[&Form]) -> Result<Vec<Audited>> {
    let features = features();
    let bar = Bar::new(forms.len());
    let mut all = Vec::with_capacity(forms.len());
    for form in forms {
        let (lab, engine) = bench.parts();
        let jobs = jobs(form, &features, breadth(form));
        let outcomes = measure_form(lab, engine, form, &features, jobs, &mut |_| Continue::Yes)?;
        let outcomes = outcomes.into_iter().filter_map(|(job, outcome)| Some((job, outcome.ok()?))).collect();
        all.push(Audited { form: (*form).clone(), outcomes });
        bar.step(&form.to_string());
    }
    bar.finish();
    Ok(all)
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
