//! What was measured of each form, and by which programs? Kept in a file, so that a model can be asked about it again.

use std::collections::BTreeMap;
use std::path::Path;

use fencepost::asm::{Form, Job, Measured};
use fencepost::error::Result;
use fencepost::machine::Machine;
use fencepost::record::BenchmarkResult;
use fencepost::record::text::inert;
use serde_json::{Value, json};

use crate::kept::{Kept, Owner, Read, is_settled, read_results};

/// One cost of a form, with the program that it was measured by.
#[derive(Clone, Debug)]
pub(super) struct Measurement {
    /// The machine code of a repetition.
    pub(super) body: Vec<u8>,
    /// Instructions of the form in it.
    pub(super) operations: u64,
    /// Cycles an operation that were taken off for helpers.
    pub(super) taken_off: f64,
    /// How the chain closes, in words.
    pub(super) how: String,
    pub(super) result: BenchmarkResult,
}

/// What was measured of a form.
#[derive(Clone, Debug, Default)]
pub(super) struct Audited {
    pub(super) measurements: Vec<Measurement>,
    /// How precise each was to be, in per cent.
    pub(super) precision_pct: f64,
}

impl Audited {
    pub(super) fn new(outcomes: Vec<(Job, Measured)>, precision_pct: f64) -> Self {
        let measurements = outcomes
            .into_iter()
            .filter_map(|(job, outcome)| {
                Some(Measurement {
                    body: job.program.body,
                    operations: job.program.operations,
                    taken_off: job.taken_off,
                    how: job.notes.into_iter().next().unwrap_or_default(),
                    result: outcome.ok()?,
                })
            })
            .collect();
        Self { measurements, precision_pct }
    }

    /// Whether there is nothing to measure again.
    pub(super) fn is_settled(&self) -> bool {
        self.measurements.iter().all(|one| is_settled(&one.result))
    }

    /// This with what `older` has that converged, where this has not; everything, in the order in which it is asked for.
    pub(super) fn or(mut self, older: Self) -> Self {
        for before in older.measurements {
            match self.measurements.iter_mut().find(|one| one.result.id == before.result.id) {
                Some(now) if !is_settled(&now.result) && is_settled(&before.result) => *now = before,
                Some(_) => {}
                None => self.measurements.push(before),
            }
        }
        self.precision_pct = self.precision_pct.max(older.precision_pct);
        self
    }

    fn json_line(&self, form: &Form, pass: Pass, cpu: &str) -> String {
        let programs: Vec<Value> = self
            .measurements
            .iter()
            .map(|one| {
                json!({
                    "code": one.body.iter().map(|byte| format!("{byte:02x}")).collect::<String>(),
                    "operations": one.operations,
                    "taken_off_cycles": one.taken_off,
                    "how": one.how,
                })
            })
            .collect();
        let results: Vec<&BenchmarkResult> = self.measurements.iter().map(|one| &one.result).collect();
        let line = json!({
            "form": form.to_string(),
            "extension": form.extensions().join(" ").to_ascii_lowercase(),
            "pass": pass as u8,
            "precision_pct": self.precision_pct,
            "cpu": cpu,
            "programs": programs,
            "results": results,
        });
        format!("{line}\n")
    }

    fn read(line: &Value) -> Option<Self> {
        let programs = line.get("programs")?.as_array()?;
        let results = read_results(line.get("results")?)?;
        if programs.len() != results.len() {
            return None;
        }
        let measurements = programs
            .iter()
            .zip(results)
            .map(|(program, result)| {
                Some(Measurement {
                    body: bytes(program.get("code")?.as_str()?)?,
                    operations: program.get("operations")?.as_u64()?,
                    taken_off: program.get("taken_off_cycles")?.as_f64()?,
                    how: program.get("how")?.as_str()?.to_owned(),
                    result,
                })
            })
            .collect::<Option<_>>()?;
        Some(Self { measurements, precision_pct: line.get("precision_pct")?.as_f64()? })
    }
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    if !hex.bytes().all(|one| one.is_ascii_hexdigit()) || !hex.len().is_multiple_of(2) {
        return None;
    }
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok()).collect()
}

/// The first measurement of all forms, or the second of those in doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pass {
    First = 1,
    Second = 2,
}

/// The file of an audit.
pub(super) struct AuditFile {
    kept: Kept,
    /// The CPU that measures.
    cpu: String,
    known: BTreeMap<(String, Pass), Audited>,
}

impl AuditFile {
    /// # Errors
    ///
    /// As for [`Kept::open`]; a line that was measured on another CPU is none of this audit's.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let machine = Machine::detect().name();
        let mut known = BTreeMap::new();
        let owner = Owner { name: "audit", columns: None };
        let kept = Kept::open(path, &owner, |line| {
            let Read::Json(line) = line else { return Err(None) };
            let field = |name: &str| line.get(name).ok_or(None);
            let text = |name: &str| field(name)?.as_str().ok_or(None);
            let pass = match field("pass")?.as_u64() {
                Some(1) => Pass::First,
                Some(2) => Pass::Second,
                _ => return Err(None),
            };
            let cpu = text("cpu")?;
            if cpu != machine {
                return Err(Some(format!("was measured on another CPU, {}", inert(cpu))));
            }
            let mut audited = Audited::read(&line).ok_or(None)?;
            let place = (text("form")?.to_owned(), pass);
            if let Some(older) = known.remove(&place) {
                audited = audited.or(older);
            }
            known.insert(place, audited);
            Ok(())
        })?;
        Ok(Self { kept, cpu: machine, known })
    }

    /// What it has of a form.
    pub(super) fn take(&mut self, form: &str, pass: Pass) -> Option<Audited> {
        self.known.remove(&(form.to_owned(), pass))
    }

    /// # Errors
    ///
    /// `Io` where it cannot be written.
    pub(super) fn add(&mut self, form: &Form, pass: Pass, audited: &Audited) -> Result<()> {
        self.kept.add(&audited.json_line(form, pass, &self.cpu))
    }
}

#[cfg(test)]
mod tests {
    use fencepost::record::{BenchmarkResult, Verdict};

    use super::{Audited, Measurement, bytes};

    fn audited(results: &[(&str, Verdict, f64)]) -> Audited {
        let measurements = results
            .iter()
            .map(|(id, verdict, precision)| Measurement {
                body: Vec::new(),
                operations: 1,
                taken_off: 0.0,
                how: String::new(),
                result: BenchmarkResult {
                    id: (*id).to_owned(),
                    verdict: *verdict,
                    elapsed_secs: *precision,
                    ..BenchmarkResult::default()
                },
            })
            .collect();
        Audited { measurements, precision_pct: 1.0 }
    }

    #[test]
    fn what_converged_once_is_kept_and_the_newest_else() {
        let older = audited(&[
            ("a", Verdict::Converged, 1.0),
            ("b", Verdict::Converged, 1.0),
            ("c", Verdict::Contended, 1.0),
            ("d", Verdict::Contended, 1.0),
        ]);
        let newer = audited(&[
            ("a", Verdict::Contended, 2.0),
            ("b", Verdict::Converged, 2.0),
            ("c", Verdict::Converged, 2.0),
            ("d", Verdict::Imprecise, 2.0),
        ]);
        let both = newer.or(older);
        let kept: Vec<f64> = both.measurements.iter().map(|one| one.result.elapsed_secs).collect();
        assert_eq!(kept, [1.0, 2.0, 2.0, 2.0]);
        assert!(!both.is_settled());
        assert!(
            audited(&[("a", Verdict::Converged, 0.0), ("b", Verdict::BelowResolution, 0.0)]).is_settled()
        );
    }

    #[test]
    fn code_is_read_from_hex_digits_alone() {
        assert_eq!(bytes("480fafc0"), Some(vec![0x48, 0x0f, 0xaf, 0xc0]));
        for text in ["4", "zz", "é0", "+1"] {
            assert_eq!(bytes(text), None, "{text}");
        }
    }
}
