//! How does an audit read? As text, as Markdown for a bug report, and as CSV.

use fencepost::error::{Error, ErrorKind, Result};
use fencepost::machine::Machine;
use fencepost::predict::Model;
use fencepost::record::text::{Table, elide, inert};

use super::judge::{Claim, Counts};
use super::name;
use crate::table::paragraph;

/// What is told.
pub(super) struct Page<'a> {
    pub(super) model: &'a dyn Model,
    pub(super) claims: &'a [Claim],
    pub(super) counts: &'a Counts,
    pub(super) remarks: Vec<String>,
    /// Published values were at hand.
    pub(super) checked: bool,
    /// The least of the second measurements, in per cent.
    pub(super) precision_pct: Option<f64>,
}

/// The order of claims, in words.
const ORDER: &str = "Largest factor first, for a kernel that is bound by the instruction is mispredicted by that factor; \
                     then by cycles.";

impl Page<'_> {
    fn how(&self) -> String {
        let again = match self.precision_pct {
            Some(precision) => format!(", the second time to {precision} %"),
            None => String::new(),
        };
        format!(
            "The model and this CPU were given the same machine code: a chain through the operands for a latency, independent \
             instructions for a reciprocal throughput; cycles an instruction. Measured twice{again}; both converged, and \
             further from the model than the interval, 5 % and 0.05 cycles."
        )
    }

    /// What holds for the whole.
    fn remarks(&self) -> Vec<String> {
        let mut all = Vec::new();
        let here = Machine::detect().microarchitecture();
        let is_other = here.as_ref().is_some_and(|here| {
            let cpu = self.model.cpu();
            !cpu.eq_ignore_ascii_case(here.llvm) && here.llvm_older != Some(cpu)
        });
        if let (true, Some(here)) = (is_other, &here) {
            all.push(format!(
                "The model is that of {}, and this core is {} ({}): a difference may be one of the two cores, and no error of the \
                 model.",
                inert(self.model.cpu()),
                here.name,
                here.llvm
            ));
        }
        all.extend(self.remarks.iter().map(|one| inert(one)));
        all
    }

    /// What was not claimed, a line each.
    fn rest(&self) -> Vec<String> {
        let counts = self.counts;
        let mut lines = vec![format!("{} costs of {} forms agree", counts.agree, counts.forms)];
        let mut some = |count: usize, what: &str| {
            if count > 0 {
                lines.push(format!("{count} {what}"));
            }
        };
        some(counts.within_bound, "lie within an upper bound, which is all that was measured");
        some(counts.by_value, "differ for some values of a division's operands and not for others");
        some(counts.helpers, "have helpers in their chain that the model has differently");
        some(counts.not_converged, "did not converge: not judged");
        some(counts.differ_once, "differed, but did not converge the second time: not claimed");
        some(counts.unconfirmed, "differed, but otherwise the second time: not claimed");
        some(counts.not_predicted, "programs had no prediction");
        some(counts.not_run, "forms were refused by the sandbox");
        some(counts.not_modelled.len(), "forms are not modelled");
        some(counts.silent.len(), "forms have no prediction at all");
        some(counts.contradicted.len(), "differences are contradicted by published values: not claimed");
        lines
    }

    fn machine() -> String {
        let machine = Machine::detect();
        match machine.microarchitecture() {
            Some(here) => format!("{}, {} (llvm {})", inert(&machine.name()), here.name, here.llvm),
            None => inert(&machine.name()),
        }
    }

    pub(super) fn text(&self) -> String {
        let head = vec![
            ("form", ""),
            ("what", ""),
            ("model", "cyc"),
            ("here", "cyc"),
            ("factor", ""),
            ("published", "cyc"),
        ];
        let rows = self.claims.iter().map(|claim| {
            vec![
                elide(&claim.form, 30),
                elide(&claim.what(), 21),
                model(claim),
                here(claim),
                format!("{:.2}", claim.difference.factor()),
                claim.published.map_or_else(|| "-".to_owned(), |value| value.to_string()),
            ]
        });
        let mut page = format!("{}\n", name(self.model));
        for remark in self.remarks() {
            page.push_str(&paragraph(&remark, "", "  "));
        }
        page.push('\n');
        if self.claims.is_empty() {
            page.push_str("no difference may be claimed\n");
        } else {
            for line in (Table { head, rows: rows.collect() }).lines(80) {
                page.push_str(&format!("{line}\n"));
            }
            page.push_str(&format!("\n{}", paragraph(ORDER, "", "")));
        }
        page.push('\n');
        for line in self.rest() {
            page.push_str(&paragraph(&line, "", "  "));
        }
        for line in &self.counts.contradicted {
            page.push_str(&paragraph(&inert(line), "  ", "    "));
        }
        if !self.counts.not_modelled.is_empty() {
            page.push_str(&paragraph(
                &format!("not modelled: {}", self.counts.not_modelled.join("; ")),
                "",
                "  ",
            ));
        }
        if let Some(why) = &self.counts.first_refusal {
            page.push_str(&paragraph(&format!("no prediction: {}", inert(why)), "", "  "));
        }
        page
    }

    pub(super) fn markdown(&self) -> String {
        let mut page = format!("# {}: differences from hardware\n\n", name(self.model));
        page.push_str(&format!("Hardware: {}. ", Self::machine()));
        page.push_str(&format!("Measured by fencepost {}. {}\n\n", env!("CARGO_PKG_VERSION"), self.how()));
        for remark in self.remarks() {
            page.push_str(&format!("**{remark}**\n\n"));
        }
        if self.checked {
            page.push_str(
                "Checked against published values: what contradicts one is not listed; where there is one, it stands in the last \
                 column.\n\n",
            );
        }
        page.push_str(&format!("{ORDER}\n\n"));
        page.push_str(
            "| form | what | model | its table | hardware | 95 % interval | factor | published |\n\
             | --- | --- | ---: | ---: | ---: | --- | ---: | ---: |\n",
        );
        for claim in self.claims {
            let difference = &claim.difference;
            let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value}"));
            page.push_str(&format!(
                "| `{}` | {} | {} | {} | {} | {:.3} to {:.3} | {:.2} | {} |\n",
                claim.form,
                claim.what().replace("->", "→"),
                model(claim),
                number(difference.tabled),
                here(claim),
                difference.hardware.lo,
                difference.hardware.hi,
                difference.factor(),
                number(claim.published),
            ));
        }
        page.push_str(
            "\nTo see one again: `fencepost asm 'FORM'`; its program and its chain are told there.\n\n",
        );
        for line in self.rest() {
            page.push_str(&format!("- {line}\n"));
        }
        for line in &self.counts.contradicted {
            page.push_str(&format!("  - {}\n", inert(line)));
        }
        if !self.counts.not_modelled.is_empty() {
            page.push_str(&format!("\nNot modelled: `{}`.\n", self.counts.not_modelled.join("`, `")));
        }
        page
    }

    /// # Errors
    ///
    /// `Io` where it cannot be written.
    pub(super) fn csv(&self) -> Result<String> {
        let failed =
            |error: String| Error::new(ErrorKind::Io, format!("the table could not be written: {error}"));
        let mut writer = csv::Writer::from_writer(Vec::new());
        let head = [
            "form",
            "extension",
            "what",
            "model_cycles",
            "model_table_cycles",
            "hardware_cycles",
            "hardware_lo",
            "hardware_hi",
            "upper_bound",
            "factor",
            "published_cycles",
            "model",
            "version",
            "cpu",
            "how",
            "id",
        ];
        writer.write_record(head).map_err(|error| failed(error.to_string()))?;
        for claim in self.claims {
            let difference = &claim.difference;
            let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
            writer
                .write_record([
                    claim.form.clone(),
                    claim.extension.clone(),
                    claim.what(),
                    difference.model.to_string(),
                    number(difference.tabled),
                    difference.hardware.estimate.to_string(),
                    difference.hardware.lo.to_string(),
                    difference.hardware.hi.to_string(),
                    difference.is_bound.to_string(),
                    format!("{:.4}", difference.factor()),
                    number(claim.published),
                    self.model.name().to_owned(),
                    inert(self.model.version()),
                    inert(self.model.cpu()),
                    difference.how.clone(),
                    claim.id.clone(),
                ])
                .map_err(|error| failed(error.to_string()))?;
        }
        let bytes = writer.into_inner().map_err(|error| failed(error.to_string()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

fn model(claim: &Claim) -> String {
    format!("{:.2}", claim.difference.model)
}

fn here(claim: &Claim) -> String {
    let sign = if claim.difference.is_bound { "<= " } else { "" };
    format!("{sign}{:.2}", claim.difference.hardware.estimate)
}
