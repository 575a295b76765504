//! Do published values agree with what was measured here? Rows of a table, matched to forms and judged.

use std::io::Read;

use super::form::Form;
use super::kit::Operands;
use super::template::Template;
use crate::error::{Error, ErrorKind, Result};
use crate::machine::Microarchitecture;
use crate::record::text::{elide, inert};

/// One published row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Published {
    /// Its line in the file.
    pub line: u64,
    /// The instruction as it is written there, with its operands.
    pub name: String,
    /// The core design or product that it is for.
    pub uarch: String,
    /// Latency in cycles, if given.
    pub latency: Option<f64>,
    /// Reciprocal throughput in cycles, if given.
    pub rthroughput: Option<f64>,
    /// Where it comes from.
    pub source: String,
    instruction: String,
    operands: String,
}

/// Which of the things that are measured of a form a row speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aspect {
    /// Latency by the default chain, and reciprocal throughput.
    Plain,
    /// The round trip of a store and the load of it.
    RoundTrip,
}

/// What a row means here.
#[derive(Clone, Debug, PartialEq)]
pub struct Meant {
    /// The template of the form.
    pub template: Template,
    /// The values of a division.
    pub operands: Operands,
    /// What is compared.
    pub aspect: Aspect,
}

/// Reads rows with the columns `instruction,operands,uarch,latency_cycles,rthroughput_cycles,source`, in any order; further columns
/// are passed over.
///
/// # Errors
///
/// `Input` for a missing column, a row that is no CSV and a value that is no number, with the line.
pub fn published(from: impl Read) -> Result<Vec<Published>> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(from);
    let unreadable = |error: csv::Error| {
        Error::new(ErrorKind::Input, format!("the published values cannot be read: {error}"))
            .remedy("give a CSV file with the columns instruction,operands,uarch,latency_cycles,rthroughput_cycles,source")
            .caused_by(error)
    };
    let headers = reader.headers().map_err(unreadable)?.clone();
    let column = |name: &str| headers.iter().position(|header| header.trim().eq_ignore_ascii_case(name));
    let needed = |name: &str| {
        column(name).ok_or_else(|| {
            Error::new(ErrorKind::Input, format!("the published values have no column \"{name}\""))
                .because(format!(
                    "their first line is \"{}\"",
                    elide(&inert(&headers.iter().collect::<Vec<_>>().join(",")), 80)
                ))
                .remedy(
                    "name the columns instruction,operands,uarch,latency_cycles,rthroughput_cycles,source",
                )
        })
    };
    let (instruction, operands, uarch) = (needed("instruction")?, needed("operands")?, needed("uarch")?);
    let (latency, rthroughput) = (needed("latency_cycles")?, needed("rthroughput_cycles")?);
    let source = column("source");
    let mut rows = Vec::new();
    for row in reader.records() {
        let row = row.map_err(unreadable)?;
        let line = row.position().map_or(0, csv::Position::line);
        let cell = |at: usize| row.get(at).unwrap_or_default().trim().to_owned();
        let number = |at: usize| -> Result<Option<f64>> {
            let text = cell(at);
            if text.is_empty() {
                return Ok(None);
            }
            match text.parse::<f64>() {
                Ok(value) if value.is_finite() && value >= 0.0 => Ok(Some(value)),
                _ => Err(Error::new(
                    ErrorKind::Input,
                    format!(
                        "line {line} of the published values has \"{}\" for cycles",
                        elide(&inert(&text), 40)
                    ),
                )
                .because("a cost is a number of 0 or more")
                .remedy("mend that cell, or leave it empty")),
            }
        };
        let (name, given) = (cell(instruction), cell(operands));
        rows.push(Published {
            line,
            name: if given.is_empty() { name.clone() } else { format!("{name} {given}") },
            uarch: cell(uarch),
            latency: number(latency)?,
            rthroughput: number(rthroughput)?,
            source: source.map(cell).unwrap_or_default(),
            instruction: name,
            operands: given,
        });
    }
    Ok(rows)
}

impl Published {
    /// What the row means as a form; `None` where it speaks of something that no template expresses.
    pub fn meant(&self) -> Option<Meant> {
        if self.instruction.contains("round trip") {
            let template = Template::parse("mov [m64], r64")?;
            return Some(Meant { template, operands: Operands::Any, aspect: Aspect::RoundTrip });
        }
        let mnemonic = self.instruction.split(['(', ' ']).next()?.trim();
        let (plain, remark) = match self.operands.split_once('(') {
            Some((plain, remark)) => (plain.trim(), remark.trim_end_matches(')').trim()),
            None => (self.operands.trim(), ""),
        };
        let template = Template::parse_operands(mnemonic, plain)?;
        let operands = match (mnemonic, remark) {
            ("div" | "idiv", remark) if remark.contains("full") => Operands::Full,
            ("div" | "idiv", remark) if remark.starts_with("0/") => Operands::Zero,
            ("div" | "idiv", remark) if remark.contains('/') => Operands::Same,
            ("div" | "idiv", _) => Operands::Full,
            (_, "") => Operands::Any,
            (_, remark) if remark.contains("different") => Operands::Any,
            // Values of registers that no template can ask for.
            _ => return None,
        };
        Some(Meant { template, operands, aspect: Aspect::Plain })
    }
}

/// Designs whose cores are the same as far as instruction costs are known, by the names that tables give them.
const ALIKE: [&[&str]; 6] = [
    &["golden cove", "raptor cove", "sapphire rapids", "emerald rapids", "alder lake", "raptor lake"],
    &["sunny cove", "ice lake client", "ice lake-sp", "ice lake"],
    &["skylake", "kaby lake", "coffee lake", "comet lake"],
    &["skylake-sp", "cascade lake", "cooper lake"],
    &["zen 3", "zen 3+"],
    &["zen", "zen+"],
];

/// How the design that a row is for stands to this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kinship {
    /// It is this one, by its name or its product line.
    Same,
    /// A relative whose costs are the same as far as is known.
    Alike,
}

/// Whether a row for `uarch` can be compared with this core.
///
/// ```
/// use fencepost::asm::{Kinship, kinship};
/// # let machine = fencepost::machine::Machine::detect();
/// # let Some(here) = machine.microarchitecture() else { return };
/// assert_eq!(kinship(here.name, &here), Some(Kinship::Same));
/// assert_eq!(kinship("Pentium Pro", &here), None);
/// ```
pub fn kinship(uarch: &str, here: &Microarchitecture) -> Option<Kinship> {
    let plain = uarch.split('(').next().unwrap_or_default().trim().to_ascii_lowercase();
    let (name, product) = (here.name.to_ascii_lowercase(), here.product.to_ascii_lowercase());
    // A product that shares a design's name with others is itself alone.
    let server = |word: &str| word.contains("-sp") || word == "cascade lake" || word == "cooper lake";
    if plain == product || plain == name && (!server(&product) || server(&plain)) {
        return Some(Kinship::Same);
    }
    ALIKE
        .iter()
        .any(|group| {
            group.contains(&plain.as_str())
                && (group.contains(&name.as_str()) || group.contains(&product.as_str()))
        })
        .then_some(Kinship::Alike)
}

/// What subtraction of two decimal fractions may be off by.
const ROUNDING: f64 = 1e-9;

/// How near to a published latency a measured one is.
pub fn latency_agrees(published: f64, measured: f64) -> bool {
    let off = (published - measured).abs();
    off <= 0.05 + ROUNDING || off <= 0.01 * published
}

/// The same for a reciprocal throughput.
pub fn rthroughput_agrees(published: f64, measured: f64) -> bool {
    let off = (published - measured).abs();
    off <= 0.02 + ROUNDING || off <= 0.03 * published
}

/// The form that a row means, among `forms`.
pub fn form_of<'f>(meant: &Meant, forms: &'f [Form]) -> Option<&'f Form> {
    meant.template.choose(forms)
}

#[cfg(test)]
mod tests {
    use super::super::features::features;
    use super::super::form::Catalogue;
    use super::*;

    const HEAD: &str = "instruction,operands,uarch,latency_cycles,rthroughput_cycles,source\n";

    fn rows(body: &str) -> Vec<Published> {
        published(format!("{HEAD}{body}").as_bytes()).expect("rows")
    }

    #[test]
    fn rows_find_their_forms() {
        let forms = Catalogue::with_stores(&features()).forms;
        for (row, form, operands, aspect) in [
            ("add,\"r64,imm\",X,1,0.2,s", "add r64, imm8", Operands::Any, Aspect::Plain),
            (
                "mov (L1 load-to-use pointer chase),\"r64,[m64]\",X,5,0.3,s",
                "mov r64, [m64]",
                Operands::Any,
                Aspect::Plain,
            ),
            ("mov (store),\"[m64],r64\",X,,0.5,s", "mov [m64], r64", Operands::Any, Aspect::Plain),
            ("div,\"r64 (128/64b, full)\",X,18,10,s", "div r64", Operands::Full, Aspect::Plain),
            ("div,r64 (0/32b),X,,10,s", "div r64", Operands::Zero, Aspect::Plain),
            ("xchg,\"r64,r64 (different regs)\",X,1,1,s", "xchg r64, r64", Operands::Any, Aspect::Plain),
            ("lfence,,X,12,12,s", "lfence", Operands::Any, Aspect::Plain),
            (
                "mov load+mov store round trip (store forwarding),\"r64,[m64]; [m64],r64\",X,0.5,,s",
                "mov [m64], r64",
                Operands::Any,
                Aspect::RoundTrip,
            ),
        ] {
            let meant = rows(row).remove(0).meant().expect(row);
            assert_eq!(form_of(&meant, &forms).map(ToString::to_string).as_deref(), Some(form), "{row}");
            assert_eq!((meant.operands, meant.aspect), (operands, aspect), "{row}");
        }
        assert_eq!(rows("cpuid,(EAX=0),X,100,100,s").remove(0).meant(), None);
    }

    #[test]
    fn damaged_tables_say_what_is_wrong() {
        let said = |text: &str| published(text.as_bytes()).expect_err(text).to_string();
        assert!(said("a,b\n1,2\n").contains("instruction"));
        assert!(said(&format!("{HEAD}add,r64,X,one,1,s\n")).contains("line 2"));
        assert!(said(&format!("{HEAD}add,r64,X,-1,1,s\n")).contains("-1"));
        assert!(published(HEAD.as_bytes()).expect("no rows").is_empty());
    }

    #[test]
    fn tolerances_are_those_that_are_promised() {
        assert!(latency_agrees(3.0, 3.05) && !latency_agrees(3.0, 3.06));
        assert!(latency_agrees(18.0, 18.17) && !latency_agrees(18.0, 18.2));
        assert!(rthroughput_agrees(0.25, 0.27) && !rthroughput_agrees(0.25, 0.28));
        assert!(rthroughput_agrees(10.0, 10.3) && !rthroughput_agrees(10.0, 10.4));
    }
}
