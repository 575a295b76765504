//! How are results kept line by line, so that a run that was cut short goes on where it stopped?

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use fencepost::error::{Error, ErrorKind, Result};
use fencepost::record::text::{elide, inert};
use fencepost::record::{BenchmarkResult, Verdict};
use serde_json::Value;

/// How a file of lines is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    JsonLines,
    Csv,
}

/// Whose file it is.
pub(crate) struct Owner {
    /// `table`: the subcommand, and what a file of its is called.
    pub(crate) name: &'static str,
    /// The columns of its lines in CSV, the first of which names the line; none where it has no such file.
    pub(crate) columns: Option<&'static [&'static str]>,
}

/// What is read of a line.
pub(crate) enum Read {
    /// An object of a file of JSON lines.
    Json(Value),
    /// The first cell of a line of CSV.
    Csv(String),
}

/// A file that grows line by line.
#[derive(Debug)]
pub(crate) struct Kept {
    path: PathBuf,
    file: File,
    pub(crate) layout: Layout,
}

impl Kept {
    /// Opens `path`, or makes it, and gives each line that it has to `take`. A last line that is cut off is taken away.
    ///
    /// # Errors
    ///
    /// `Usage` for a name that does not end as the owner's files do, `Input` for a file that is none of these or with a line that `take`
    /// does not take, by the reason that it gives; `Io` where the system refuses.
    pub(crate) fn open(
        path: &Path,
        owner: &Owner,
        mut take: impl FnMut(Read) -> std::result::Result<(), Option<String>>,
    ) -> Result<Self> {
        let shown = shown(path);
        let name = owner.name;
        let layout = match (path.extension().and_then(|end| end.to_str()), owner.columns) {
            (Some("jsonl" | "ndjson"), _) => Layout::JsonLines,
            (Some("csv"), Some(_)) => Layout::Csv,
            (_, Some(_)) => {
                return Err(Error::new(
                    ErrorKind::Usage,
                    format!("--out \"{shown}\" ends neither in .jsonl nor in .csv"),
                )
                .because("the name decides how lines are written")
                .remedy(format!("call it {name}.jsonl or {name}.csv")));
            }
            (_, None) => {
                return Err(Error::new(
                    ErrorKind::Usage,
                    format!("--out \"{shown}\" does not end in .jsonl"),
                )
                .because("its lines are JSON")
                .remedy(format!("call it {name}.jsonl")));
            }
        };
        let refused = |error: io::Error| {
            Error::new(ErrorKind::Io, format!("\"{shown}\" cannot be used: {error}"))
                .remedy("give a path in a directory that you may write to")
                .caused_by(error)
        };
        let foreign = |line: usize, why: Option<String>| {
            let what = why.unwrap_or_else(|| format!("is no line of fencepost {name}"));
            Error::new(ErrorKind::Input, format!("line {line} of \"{shown}\" {what}"))
                .because(format!("fencepost {name} goes on where its file ends, and this is another one"))
                .remedy(format!("give the name of a new file, or of one that fencepost {name} wrote here"))
        };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(refused)?;
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
            let read = match (layout, owner.columns) {
                (Layout::Csv, Some(columns)) => {
                    let cells = cells(&text).ok_or_else(|| foreign(number, None))?;
                    let is_ours = if number == 1 {
                        cells.iter().eq(columns.iter().copied())
                    } else {
                        cells.len() == columns.len()
                    };
                    if !is_ours {
                        return Err(foreign(number, None));
                    }
                    if number == 1 {
                        continue;
                    }
                    Read::Csv(cells.get(0).unwrap_or_default().to_owned())
                }
                _ => Read::Json(serde_json::from_str(text.trim()).map_err(|_| foreign(number, None))?),
            };
            take(read).map_err(|why| foreign(number, why))?;
        }
        drop(reader);
        file.set_len(whole).and_then(|()| file.seek(SeekFrom::End(0)).map(drop)).map_err(refused)?;
        let mut kept = Self { path: path.to_owned(), file, layout };
        if let (Layout::Csv, Some(columns), 0) = (layout, owner.columns, whole) {
            kept.add(&csv_line(columns)?)?;
        }
        Ok(kept)
    }

    /// Adds a line, which ends in a line break: one write, so that a run that is cut short leaves whole lines.
    ///
    /// # Errors
    ///
    /// `Io` where it cannot be written.
    pub(crate) fn add(&mut self, line: &str) -> Result<()> {
        self.file.write_all(line.as_bytes()).map_err(|error| {
            Error::new(ErrorKind::Io, format!("\"{}\" cannot be written: {error}", shown(&self.path)))
                .remedy("make room, and run again: it goes on where it stopped")
                .caused_by(error)
        })
    }
}

fn shown(path: &Path) -> String {
    elide(&inert(&path.to_string_lossy()), 120)
}

fn cells(line: &str) -> Option<csv::StringRecord> {
    csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes()).records().next()?.ok()
}

/// A line of CSV.
///
/// # Errors
///
/// `Io` where it cannot be written.
pub(crate) fn csv_line(cells: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = writer.write_record(cells).map_err(io::Error::other).and_then(|()| writer.flush());
    let bytes = writer.into_inner().unwrap_or_default();
    written.map_err(|error| {
        Error::new(ErrorKind::Io, format!("a line cannot be written: {error}")).caused_by(error)
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether a result need not be measured again.
pub(crate) fn is_settled(result: &BenchmarkResult) -> bool {
    matches!(result.verdict, Verdict::Converged | Verdict::BelowResolution)
}

/// `newer` results with what converged before, where they have not.
pub(crate) fn or_older(newer: &mut [BenchmarkResult], older: Vec<BenchmarkResult>) {
    for before in older.into_iter().filter(is_settled) {
        if let Some(now) = newer.iter_mut().find(|one| one.id == before.id && !is_settled(one)) {
            *now = before;
        }
    }
}

/// The results of a line, by way of a record that has nothing else; `None` for what this version does not read.
pub(crate) fn read_results(results: &Value) -> Option<Vec<BenchmarkResult>> {
    let mut record = serde_json::to_value(fencepost::record::Record::default()).unwrap_or_default();
    if let Value::Object(fields) = &mut record {
        fields.insert("results".to_owned(), results.clone());
    }
    fencepost::record::Record::from_json(&record.to_string()).map(|record| record.results).ok()
}
