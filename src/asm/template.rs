//! Is this text a template (`imul r64, r64`), and which forms does it mean?

use std::collections::BTreeSet;

use iced_x86::Code;

use super::features::Features;
use super::form::{Catalogue, Form};
use super::operand::Operand;
use crate::error::{Error, ErrorKind, Result};
use crate::record::text::inert;

/// A mnemonic and the words of its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    mnemonic: String,
    operands: Vec<Operand>,
}

/// The longest text that can be a template.
const LONGEST: usize = 200;

impl Template {
    /// The template that this text is; `None` where it is none: it names registers, numbers or several instructions, or has no
    /// operands to be allotted.
    ///
    /// ```
    /// use fencepost::asm::Template;
    /// assert!(Template::parse("imul r64, r64").is_some());
    /// assert!(Template::parse("shl r64, cl").is_some());
    /// assert!(Template::parse("imul rax, rbx").is_none());
    /// assert!(Template::parse("lfence").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() > LONGEST || text.contains([';', '\n', '%', '$', '#']) {
            return None;
        }
        let (mnemonic, operands) = text.split_once(char::is_whitespace)?;
        if !is_mnemonic(mnemonic) {
            return None;
        }
        let operands: Vec<Operand> = operands.split(',').map(Operand::parse).collect::<Option<_>>()?;
        operands
            .iter()
            .any(|operand| !matches!(operand, Operand::Fixed(_) | Operand::One))
            .then(|| Self { mnemonic: canonical_mnemonic(mnemonic), operands })
    }

    /// The template of a mnemonic and its operands apart, of which there may be none.
    pub(super) fn parse_operands(mnemonic: &str, operands: &str) -> Option<Self> {
        if operands.trim().is_empty() {
            return is_mnemonic(mnemonic)
                .then(|| Self { mnemonic: canonical_mnemonic(mnemonic), operands: Vec::new() });
        }
        let operands: Vec<Operand> = operands.split(',').map(Operand::parse).collect::<Option<_>>()?;
        is_mnemonic(mnemonic).then(|| Self { mnemonic: canonical_mnemonic(mnemonic), operands })
    }

    /// The form that is meant: the first, where `imm` or `[m]` leave a choice.
    ///
    /// # Errors
    ///
    /// `Usage` where no such mnemonic is known (with the nearest), where it has no such operands (with those that it has), and
    /// where this CPU does not have it (with the feature).
    pub fn form(&self, features: &Features) -> Result<Form> {
        let catalogue = Catalogue::with_stores(features);
        if let Some(form) = self.choose(&catalogue.forms) {
            return Ok(form.clone());
        }
        let of_name: Vec<&Form> =
            catalogue.forms.iter().filter(|form| form.mnemonic() == self.mnemonic).collect();
        let what = format!("no instruction is \"{}\"", inert(&self.to_string()));
        if !of_name.is_empty() {
            // Those with the most operands in common come first.
            let in_common = |form: &Form| {
                form.operands.iter().zip(&self.operands).filter(|(one, other)| one == other).count()
            };
            let known: BTreeSet<(usize, String)> =
                of_name.iter().map(|form| (usize::MAX - in_common(form), form.to_string())).collect();
            let shown: Vec<String> = known.iter().take(12).map(|(_, name)| name.clone()).collect();
            let more = known.len().saturating_sub(shown.len());
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            return Err(Error::new(ErrorKind::Usage, what)
                .because(format!("{} takes other operands", inert(&self.mnemonic)))
                .remedy(format!("it is there as: {}{more}", shown.join("; "))));
        }
        if let Some(code) = Code::values().find(|code| name_of(*code) == self.mnemonic) {
            let why = features.missing(code).map_or_else(
                || "it branches, is the kernel's, or works on the stack or outside of the core".to_owned(),
                |feature| format!("this CPU does not have {feature:?}"),
            );
            return Err(Error::new(
                ErrorKind::Usage,
                format!("\"{}\" cannot be measured here", inert(&self.to_string())),
            )
            .because(why)
            .remedy("fencepost table --list shows what can be"));
        }
        Err(unknown_mnemonic(&self.mnemonic))
    }

    /// The first of `forms` that this template means.
    pub fn choose<'f>(&self, forms: &'f [Form]) -> Option<&'f Form> {
        let rank = |form: &&Form| {
            form.operands
                .iter()
                .map(|operand| match operand {
                    Operand::Immediate(bits) => usize::from(*bits),
                    _ => 0,
                })
                .sum::<usize>()
        };
        forms.iter().filter(|form| self.means(form)).min_by_key(rank)
    }

    /// Whether a form is one of those that are meant.
    pub fn means(&self, form: &Form) -> bool {
        form.mnemonic() == self.mnemonic
            && form.operands.len() == self.operands.len()
            && self.operands.iter().zip(&form.operands).all(|(wanted, there)| match (wanted, there) {
                (Operand::Immediate(0), Operand::Immediate(_)) | (Operand::Memory(0), Operand::Memory(_)) => {
                    true
                }
                (wanted, there) => wanted == there,
            })
    }
}

impl std::fmt::Display for Template {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.mnemonic)?;
        for (at, operand) in self.operands.iter().enumerate() {
            write!(f, "{}{operand}", if at == 0 { " " } else { ", " })?;
        }
        Ok(())
    }
}

/// The error for a mnemonic that no instruction has, with the nearest that there is.
pub(super) fn unknown_mnemonic(name: &str) -> Error {
    let shown = crate::record::text::elide(&inert(name), 40);
    let error = Error::new(ErrorKind::Usage, format!("no instruction is called \"{shown}\""));
    match nearest_mnemonic(name) {
        Some(near) => error.remedy(format!("did you mean {near}?")),
        None => error.remedy("give a mnemonic of Intel's or AMD's manual, for example imul"),
    }
}

/// The known mnemonic that takes the fewest edits, if they are few.
pub fn nearest_mnemonic(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    if name.len() > 24 {
        return None;
    }
    let most = if name.len() <= 4 { 1 } else { 2 };
    Code::values()
        .filter(|code| code.op_code().is_instruction() && code.op_code().mode64())
        .map(name_of)
        .collect::<BTreeSet<String>>()
        .into_iter()
        .map(|known| (edits(&name, &known), known))
        .filter(|(edits, _)| *edits <= most)
        .min()
        .map(|(_, known)| known)
}

fn name_of(code: Code) -> String {
    format!("{:?}", code.mnemonic()).to_ascii_lowercase()
}

/// Insertions, removals, replacements and swaps of neighbours that turn one into the other.
fn edits(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for (at, left) in one.iter().enumerate() {
        let mut row = vec![at + 1];
        for (to, right) in other.iter().enumerate() {
            let replaced = rows[at][to] + usize::from(left != right);
            let mut least = replaced.min(rows[at][to + 1] + 1).min(row[to] + 1);
            if at > 0 && to > 0 && *left == other[to - 1] && one[at - 1] == *right {
                least = least.min(rows[at - 1][to - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

fn is_mnemonic(word: &str) -> bool {
    word.len() <= 24
        && !word.is_empty()
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The name that the decoder gives to an instruction that has several.
pub fn canonical_mnemonic(mnemonic: &str) -> String {
    let name = mnemonic.to_ascii_lowercase();
    for prefix in ["cmov", "set"] {
        if let Some(condition) = name.strip_prefix(prefix) {
            let condition = match condition {
                "z" => "e",
                "nz" => "ne",
                "c" | "nae" => "b",
                "nc" | "nb" => "ae",
                "na" => "be",
                "nbe" => "a",
                "pe" => "p",
                "po" => "np",
                "nge" => "l",
                "nl" => "ge",
                "ng" => "le",
                "nle" => "g",
                other => other,
            };
            return format!("{prefix}{condition}");
        }
    }
    match name.as_str() {
        "sal" => "shl".to_owned(),
        "movabs" => "mov".to_owned(),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::super::features::features;
    use super::*;

    fn form(text: &str) -> String {
        Template::parse(text)
            .expect("a template")
            .form(&features())
            .map_or_else(|error| error.to_string(), |form| form.to_string())
    }

    #[test]
    fn templates_find_their_forms() {
        for (text, expected) in [
            ("imul r64, r64", "imul r64, r64"),
            ("  IMUL R64 , r64 ", "imul r64, r64"),
            ("add r64, imm", "add r64, imm8"),
            ("add r64, imm32", "add r64, imm32"),
            ("cmovnz r64, r64", "cmovne r64, r64"),
            ("sal r64, cl", "shl r64, cl"),
            ("mov r64, m64", "mov r64, [m64]"),
            ("mov [m64], r64", "mov [m64], r64"),
            ("lea r64, [m]", "lea r64, [m]"),
            ("div r32", "div r32"),
            ("shr r64, imm", "shr r64, imm8"),
        ] {
            assert_eq!(form(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_form_is_answered_with_what_is() {
        assert!(form("imull r64, r64").contains("did you mean imul?"), "{}", form("imull r64, r64"));
        assert!(form("imul r64, xmm").contains("imul r64, r64"), "{}", form("imul r64, xmm"));
        assert!(form("tdpbf16ps xmm, xmm, xmm").contains("cannot be measured here"));
        assert!(form("qqqqqqqq r64").contains("for example imul"));
    }

    #[test]
    fn concrete_text_is_no_template() {
        for text in [
            "",
            "imul rax, rbx",
            "add r64, 5",
            "imul r64, r64; add r64, r64",
            "add %r64, %r64",
            "mul 1",
            "€ r64",
        ] {
            assert_eq!(Template::parse(text), None, "{text:?}");
        }
        assert_eq!(Template::parse(&format!("add r64, {}", "r64, ".repeat(100))), None);
    }
}
