//! What is a line of a table, and how is it kept so that a table that was cut short goes on where it stopped?

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use fencepost::asm::{Form, Job, Measured};
use fencepost::error::{Error, ErrorKind, Result};
use fencepost::record::text::{elide, inert};
use fencepost::record::{BenchmarkResult, Kind};
use serde_json::{Map, Value, json};

use crate::asm::refused;

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

/// How a file of lines is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    JsonLines,
    Csv,
}

/// A file that grows line by line.
#[derive(Debug)]
pub(super) struct Kept {
    path: PathBuf,
    file: File,
    form: Layout,
    /// The forms that it has, with their results where they can be read back.
    pub(super) known: BTreeMap<String, Vec<BenchmarkResult>>,
}

impl Kept {
    /// Opens `path`, or makes it, and finds out which forms it has. A last line that is cut off is taken away.
    ///
    /// # Errors
    ///
    /// `Usage` for a name that ends neither in `.jsonl` nor in `.csv`, `Input` for a file that is none of ours, `Io` where the system
    /// refuses.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let shown = elide(&inert(&path.to_string_lossy()), 120);
        let form = match path.extension().and_then(|end| end.to_str()) {
            Some("jsonl" | "ndjson") => Layout::JsonLines,
            Some("csv") => Layout::Csv,
            _ => {
                return Err(Error::new(
                    ErrorKind::Usage,
                    format!("--out \"{shown}\" ends neither in .jsonl nor in .csv"),
                )
                .because("the name decides how lines are written")
                .remedy("call it table.jsonl or table.csv"));
            }
        };
        let refused = |error: io::Error| {
            Error::new(ErrorKind::Io, format!("\"{shown}\" cannot be used: {error}"))
                .remedy("give a path in a directory that you may write to")
                .caused_by(error)
        };
        let foreign = |line: usize| {
            Error::new(ErrorKind::Input, format!("line {line} of \"{shown}\" is no line of a table"))
                .because("a table goes on where its file ends, and this is another file")
                .remedy("give the name of a new file, or of one that fencepost table wrote")
        };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(refused)?;
        let mut known = BTreeMap::new();
        let mut reader = BufReader::new(&mut file);
        let (mut line, mut number, mut whole) = (Vec::new(), 0, 0u64);
        loop {
            line.clear();
            let read = reader.read_until(b'\n', &mut line).map_err(refused)?;
            if read == 0 || line.last() != Some(&b'\n') {
                break;
            }
            number += 1;
            whole += read as u64;
            let text = String::from_utf8_lossy(&line);
            match form {
                Layout::JsonLines => {
                    let value: Value = serde_json::from_str(text.trim()).map_err(|_| foreign(number))?;
                    let name = value.get("form").and_then(Value::as_str).ok_or_else(|| foreign(number))?;
                    let results = value.get("results").map(read_results).unwrap_or_default();
                    known.insert(name.to_owned(), results);
                }
                Layout::Csv => {
                    let mut cells = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
                    let cells = cells
                        .records()
                        .next()
                        .and_then(std::result::Result::ok)
                        .ok_or_else(|| foreign(number))?;
                    if number == 1 {
                        if cells.iter().ne(COLUMNS) {
                            return Err(foreign(number));
                        }
                    } else if cells.len() != COLUMNS.len() {
                        return Err(foreign(number));
                    } else if let Some(name) = cells.get(0) {
                        known.insert(name.to_owned(), Vec::new());
                    }
                }
            }
        }
        drop(reader);
        file.set_len(whole).and_then(|()| file.seek(SeekFrom::End(0)).map(drop)).map_err(refused)?;
        let mut kept = Self { path: path.to_owned(), file, form, known };
        if form == Layout::Csv && whole == 0 {
            kept.write(&csv_line(COLUMNS.iter().copied())?)?;
        }
        Ok(kept)
    }

    /// Adds a line.
    ///
    /// # Errors
    ///
    /// `Io` where it cannot be written.
    pub(super) fn add(&mut self, row: &Row) -> Result<()> {
        let line = match self.form {
            Layout::JsonLines => format!("{}\n", row.json_line()),
            Layout::Csv => csv_line(row.csv_cells())?,
        };
        self.write(&line)
    }

    /// One write for a line, so that a run that is cut short leaves whole lines.
    fn write(&mut self, line: &str) -> Result<()> {
        self.file.write_all(line.as_bytes()).map_err(|error| {
            let shown = elide(&inert(&self.path.to_string_lossy()), 120);
            Error::new(ErrorKind::Io, format!("\"{shown}\" cannot be written: {error}"))
                .remedy("make room, and run again: it goes on where it stopped")
                .caused_by(error)
        })
    }
}

fn csv_line(cells: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = writer.write_record(cells).map_err(io::Error::other).and_then(|()| writer.flush());
    let bytes = writer.into_inner().unwrap_or_default();
    written.map_err(|error| {
        Error::new(ErrorKind::Io, format!("a line cannot be written: {error}")).caused_by(error)
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The results of a line, by way of a record that has nothing else.
fn read_results(results: &Value) -> Vec<BenchmarkResult> {
    let mut record = serde_json::to_value(fencepost::record::Record::default()).unwrap_or_default();
    if let Value::Object(fields) = &mut record {
        fields.insert("results".to_owned(), results.clone());
    }
    fencepost::record::Record::from_json(&record.to_string()).map(|record| record.results).unwrap_or_default()
}
