//! Which forms does a table have? By mnemonic, instruction set and pattern.

use fencepost::asm::{Catalogue, Features, Form};
use fencepost::error::{Error, ErrorKind, Result};
use fencepost::record::text::{elide, inert};

/// The filters that `table` and `audit` share.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Wanted {
    /// Only these instructions
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    mnemonic: Vec<String>,
    /// Only these instruction sets: avx2, bmi1, sse4_1, avx512f
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    extension: Vec<String>,
    /// Only forms with this in their name; * is anything, ^ and $ its ends
    #[arg(long, value_name = "PATTERN")]
    r#match: Option<String>,
    /// Also forms that write memory
    #[arg(long)]
    stores: bool,
}

impl Wanted {
    /// The forms that there are here, with those that write memory where they are asked for.
    pub(crate) fn catalogue(&self, features: &Features, with_stores: bool) -> Catalogue {
        if self.stores || with_stores { Catalogue::with_stores(features) } else { Catalogue::new(features) }
    }

    /// # Errors
    ///
    /// `Usage` for a mnemonic or an extension that has no form here.
    pub(crate) fn forms(&self, catalogue: &Catalogue) -> Result<Vec<Form>> {
        let filter = Filter::new(&self.mnemonic, &self.extension, self.r#match.as_deref(), &catalogue.forms)?;
        Ok(catalogue.forms.iter().filter(|form| filter.takes(form)).cloned().collect())
    }
}

/// Filters that leave nothing.
pub(crate) fn nothing() -> Error {
    Error::new(ErrorKind::Usage, "no form is asked for by all of these filters")
        .remedy("fencepost table --list shows all of them")
}

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    mnemonics: Vec<String>,
    extensions: Vec<String>,
    pattern: Option<String>,
}

impl Filter {
    /// # Errors
    ///
    /// `Usage` where a mnemonic or an extension has no form at all, with the nearest or all that there are.
    pub(super) fn new(
        mnemonics: &[String],
        extensions: &[String],
        pattern: Option<&str>,
        forms: &[Form],
    ) -> Result<Self> {
        let words = |words: &[String]| -> Vec<String> {
            words
                .iter()
                .map(|word| word.trim().to_ascii_lowercase())
                .filter(|word| !word.is_empty())
                .collect()
        };
        let mnemonics: Vec<String> =
            words(mnemonics).iter().map(|name| fencepost::asm::canonical_mnemonic(name)).collect();
        let extensions: Vec<String> = words(extensions).iter().map(|name| plain(name)).collect();
        for name in &mnemonics {
            if !forms.iter().any(|form| form.mnemonic() == *name) {
                let what = format!("no form of \"{}\" can be measured here", elide(&inert(name), 40));
                let error = Error::new(ErrorKind::Usage, what);
                return Err(match fencepost::asm::nearest_mnemonic(name).filter(|near| near != name) {
                    Some(near) => error.remedy(format!("did you mean {near}?")),
                    None => error.remedy("fencepost table --list shows what can be"),
                });
            }
        }
        for name in &extensions {
            if !forms.iter().any(|form| form.extensions().iter().any(|one| plain(one) == *name)) {
                let mut all: Vec<String> =
                    forms.iter().flat_map(Form::extensions).map(|one| one.to_ascii_lowercase()).collect();
                all.sort();
                all.dedup();
                return Err(Error::new(
                    ErrorKind::Usage,
                    format!("no form of the extension \"{}\" can be measured here", elide(&inert(name), 40)),
                )
                .remedy(format!("this CPU has {}", all.join(", "))));
            }
        }
        Ok(Self { mnemonics, extensions, pattern: pattern.map(str::to_ascii_lowercase) })
    }

    /// Whether a form is asked for.
    pub(super) fn takes(&self, form: &Form) -> bool {
        (self.mnemonics.is_empty() || self.mnemonics.contains(&form.mnemonic()))
            && (self.extensions.is_empty()
                || form.extensions().iter().any(|one| self.extensions.contains(&plain(one))))
            && self.pattern.as_deref().is_none_or(|pattern| matches(pattern, &form.to_string()))
    }
}

/// The name of an extension without case, lines and dots: `avx512-vbmi` is `AVX512_VBMI`.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|one| one.to_ascii_lowercase()).collect()
}

/// A part of the name; `*` stands for anything, `^` and `$` for beginning and end.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, from_start) = pattern.strip_prefix('^').map_or((pattern, false), |rest| (rest, true));
    let (pattern, to_end) = pattern.strip_suffix('$').map_or((pattern, false), |rest| (rest, true));
    let parts: Vec<&str> = pattern.split('*').collect();
    let last = parts.len() - 1;
    let mut rest = name;
    for (at, part) in parts.iter().enumerate() {
        if at == last && to_end {
            return if at == 0 && from_start { rest == *part } else { rest.ends_with(part) };
        }
        if at == 0 && from_start {
            match rest.strip_prefix(part) {
                Some(left) => rest = left,
                None => return false,
            }
        } else {
            match rest.find(part) {
                Some(found) => rest = rest.get(found + part.len()..).unwrap_or_default(),
                None => return false,
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_are_parts_with_anchors_and_stars() {
        let name = "vfmadd231ps ymm, ymm, ymm";
        for pattern in [
            "fmadd",
            "^vfmadd",
            "ymm$",
            "fmadd*ymm, ymm",
            "^v*ps ymm*ymm$",
            "",
            "*",
            "^vfmadd231ps ymm, ymm, ymm$",
        ] {
            assert!(matches(pattern, name), "{pattern}");
        }
        for pattern in ["^fmadd", "xmm", "vfmadd$", "ps*pd", "^vfmadd231ps$"] {
            assert!(!matches(pattern, name), "{pattern}");
        }
    }
}
