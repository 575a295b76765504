//! What is a line of a table?

use std::collections::BTreeMap;
use std::path::Path;

use fencepost::asm::{Form, Job, Measured};
use fencepost::error::Result;
use fencepost::record::{BenchmarkResult, Kind};
use serde_json::{Map, Value, json};

use crate::asm::refused;
use crate::kept::{Kept, Layout, Owner, Read, csv_line, read_results};

/// The columns of a line, in both forms of file.
pub(super) const COLUMNS: [&str; 14] = [
    "form",
    "extension",
    "latency_cycles",
    "latency_lo",
    "latency_hi",
    "latency_bound",
    "latency_pair",
    "latency_verdict",
    "rthroughput_cycles",
    "rthroughput_lo",
    "rthroughput_hi",
    "rthroughput_bound",
    "rthroughput_verdict",
    "error",
];

/// What was measured of one form.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) form: String,
    pub(super) extension: String,
    pub(super) results: Vec<BenchmarkResult>,
    /// Why something is missing: the refusal's class, instruction, offset and detail.
    pub(super) error: Option<Value>,
}

impl Row {
    pub(super) fn new(form: &Form, outcomes: Vec<(Job, Measured)>) -> Self {
        let mut row = Self {
            form: form.to_string(),
            extension: form.extensions().join(" ").to_ascii_lowercase(),
            results: Vec::new(),
            error: None,
        };
        for (job, outcome) in outcomes {
            match outcome {
                Ok(result) => row.results.push(result),
                Err(refusal) => {
                    row.error.get_or_insert_with(|| refused::object(&refusal, &job.program.body));
                }
            }
        }
        row
    }

    /// The latency by the default pair of operands.
    pub(super) fn latency(&self) -> Option<&BenchmarkResult> {
        self.results.iter().find(|result| result.kind == Kind::Latency)
    }

    /// The reciprocal throughput of the plain form.
    pub(super) fn rthroughput(&self) -> Option<&BenchmarkResult> {
        self.results.iter().find(|result| result.kind == Kind::ReciprocalThroughput)
    }

    fn fields(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.insert("form".to_owned(), json!(self.form));
        fields.insert("extension".to_owned(), json!(self.extension));
        for (side, result) in [("latency", self.latency()), ("rthroughput", self.rthroughput())] {
            let cycles = result.and_then(|result| result.cycles.as_ref());
            let mut put = |name: &str, value: Value| drop(fields.insert(format!("{side}_{name}"), value));
            put("cycles", json!(cycles.map(|cycles| cycles.estimate)));
            put("lo", json!(cycles.map(|cycles| cycles.lo)));
            put("hi", json!(cycles.map(|cycles| cycles.hi)));
            put("bound", json!(result.map(|result| result.upper_bound)));
            if side == "latency" {
                put("pair", json!(result.and_then(|result| label(&result.id))));
            }
            put("verdict", json!(result.map(|result| result.verdict.as_str())));
        }
        fields.insert("error".to_owned(), json!(self.error));
        fields
    }

    fn json_line(&self) -> String {
        let mut fields = self.fields();
        fields.insert("results".to_owned(), serde_json::to_value(&self.results).unwrap_or_default());
        Value::Object(fields).to_string()
    }

    fn csv_cells(&self) -> Vec<String> {
        let fields = self.fields();
        COLUMNS
            .iter()
            .map(|column| match fields.get(*column) {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(text)) => text.clone(),
                Some(Value::Object(error)) => {
                    error.get("class").and_then(Value::as_str).unwrap_or_default().to_owned()
                }
                Some(other) => other.to_string(),
            })
            .collect()
    }
}

/// What stands in brackets at the end of an id.
pub(super) fn label(id: &str) -> Option<&str> {
    let (_, rest) = id.rsplit_once('/')?;
    rest.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']'))
}

/// The file of a table.
pub(super) struct TableFile {
    kept: Kept,
    /// The forms that it has, with their results where they can be read back.
    pub(super) known: BTreeMap<String, Vec<BenchmarkResult>>,
}

impl TableFile {
    /// # Errors
    ///
    /// As for [`Kept::open`].
    pub(super) fn open(path: &Path) -> Result<Self> {
        let mut known = BTreeMap::new();
        let owner = Owner { name: "table", columns: Some(&COLUMNS) };
        let kept = Kept::open(path, &owner, |line| {
            let (name, results) = match line {
                Read::Json(value) => {
                    // An audit's lines have a form as well, but no such cost.
                    let form = value.get("rthroughput_cycles").and_then(|_| value.get("form")?.as_str());
                    let name = form.ok_or(None)?.to_owned();
                    (name, value.get("results").and_then(read_results).unwrap_or_default())
                }
                Read::Csv(name) => (name, Vec::new()),
            };
            known.insert(name, results);
            Ok(())
        })?;
        Ok(Self { kept, known })
    }

    /// Adds a line; of several of one form the last counts.
    ///
    /// # Errors
    ///
    /// `Io` where it cannot be written.
    pub(super) fn add(&mut self, row: &Row) -> Result<()> {
        let line = match self.kept.layout {
            Layout::JsonLines => format!("{}\n", row.json_line()),
            Layout::Csv => csv_line(row.csv_cells())?,
        };
        self.kept.add(&line)
    }
}
