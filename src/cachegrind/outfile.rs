//! What does a file of Cachegrind or Callgrind say? Totals by event, and why it was written.
//!
//! Both formats are lines of text; of each only the head and the last lines are needed. Cachegrind ends with `summary:`, which
//! holds the counts of the whole run. Callgrind has `totals:` at the end; its `summary:` in the head also counts what client
//! requests left out, so it is not used. Callgrind leaves trailing zeros away.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::events::{Event, Events};
use crate::error::{Error, ErrorKind, Result};
use crate::record::brief;

/// Which program wrote a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `cachegrind.out`.
    Cachegrind,
    /// `callgrind.out`.
    Callgrind,
}

/// What a file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutFile {
    /// Who wrote it.
    pub format: Format,
    /// `callgrind-3.19.0`, where the file says so.
    pub creator: Option<String>,
    /// Counts of all that was collected.
    pub totals: Events,
    /// What a client request named the dump, or another reason for it; callgrind alone says so.
    pub trigger: Option<String>,
}

/// No line of such a file is as long.
const LONGEST: u64 = 1 << 20;
/// No file of one benchmark is as long.
const MOST: u64 = 4 << 30;

impl OutFile {
    /// Reads the file at `path`.
    ///
    /// # Errors
    ///
    /// `Io` where it cannot be read, `Input` where it is none, or was cut short; both name the path.
    pub fn read(path: &Path) -> Result<Self> {
        let shown = brief(&path.to_string_lossy());
        let refused = |error: std::io::Error| {
            Error::new(ErrorKind::Io, format!("{shown} could not be read: {error}"))
                .because("it holds the counts")
                .remedy("look whether it is there and may be read, and count again")
                .caused_by(error)
        };
        let file = File::open(path).map_err(refused)?;
        Self::parse(BufReader::new(file.take(MOST))).map_err(|error| match error {
            Bad::Io(error) => refused(error),
            Bad::Content(why) => Error::new(ErrorKind::Input, format!("{shown} holds no counts"))
                .because(why)
                .remedy("count again, and leave the file to Valgrind alone"),
        })
    }

    /// Reads what `text` holds.
    ///
    /// ```
    /// use fencepost::cachegrind::{Event, Format, OutFile};
    /// let file = OutFile::from_text("desc: I1 cache: 32768 B\ncmd: ./a\nevents: Ir Dr\nfn=main\n1 5 2\nsummary: 5 2\n")?;
    /// assert_eq!((file.format, file.totals.get(Event::Ir)), (Format::Cachegrind, 5));
    /// assert!(OutFile::from_text("events: Ir Dr\nfn=main\n1 5 2\n").unwrap_err().to_string().contains("cut short"));
    /// # Ok::<(), fencepost::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Input` where it is no such file, or was cut short.
    pub fn from_text(text: &str) -> Result<Self> {
        Self::parse(text.as_bytes()).map_err(|error| {
            let why = match error {
                Bad::Io(error) => error.to_string(),
                Bad::Content(why) => why,
            };
            Error::new(ErrorKind::Input, "the text holds no counts")
                .because(why)
                .remedy("give what Cachegrind or Callgrind wrote, from the first line to the last")
        })
    }

    fn parse(mut from: impl BufRead) -> std::result::Result<Self, Bad> {
        let mut seen = Seen::default();
        let mut line = Vec::new();
        let mut number = 0u64;
        loop {
            line.clear();
            let read = from.by_ref().take(LONGEST).read_until(b'\n', &mut line).map_err(Bad::Io)?;
            if read == 0 {
                break;
            }
            number += 1;
            let whole = line.last() == Some(&b'\n');
            if read as u64 == LONGEST && !whole {
                return Err(Bad::Content(format!("line {number} is longer than {} MiB", LONGEST >> 20)));
            }
            let text = String::from_utf8_lossy(&line);
            seen.take(text.trim(), whole).map_err(|why| Bad::Content(format!("in line {number}, {why}")))?;
        }
        seen.finish(number).map_err(Bad::Content)
    }
}

enum Bad {
    Io(std::io::Error),
    Content(String),
}

/// What has been read so far.
#[derive(Default)]
struct Seen {
    events: Option<Vec<Option<Event>>>,
    creator: Option<String>,
    has_positions: bool,
    has_costs: bool,
    summary: Option<Events>,
    totals: Option<Events>,
    trigger: Option<String>,
    cut: bool,
}

impl Seen {
    fn take(&mut self, line: &str, whole: bool) -> std::result::Result<(), String> {
        if let Some(names) = line.strip_prefix("events:") {
            self.name_events(names)?;
        } else if let Some(counts) = line.strip_prefix("summary:") {
            self.cut |= !whole;
            self.summary = Some(self.counts(counts)?);
        } else if let Some(counts) = line.strip_prefix("totals:") {
            self.cut |= !whole;
            self.totals = Some(self.counts(counts)?);
        } else if let Some(creator) = line.strip_prefix("creator:") {
            self.creator = Some(creator.trim().to_owned());
        } else if line.starts_with("positions:") {
            self.has_positions = true;
        } else if let Some(trigger) = line.strip_prefix("desc: Trigger:") {
            let trigger = trigger.trim();
            self.trigger = Some(trigger.strip_prefix("Client Request:").unwrap_or(trigger).trim().to_owned());
        } else if line.starts_with("fn=") || line.starts_with("fl=") {
            self.has_costs = true;
        }
        Ok(())
    }

    fn name_events(&mut self, names: &str) -> std::result::Result<(), String> {
        let events: Vec<Option<Event>> = names.split_whitespace().map(Event::from_name).collect();
        let mut known: Vec<Event> = events.iter().copied().flatten().collect();
        let count = known.len();
        known.sort_unstable();
        known.dedup();
        if known.len() != count {
            return Err("an event is named twice".to_owned());
        }
        if !known.contains(&Event::Ir) {
            return Err(format!("\"{}\" names no event Ir", brief(names)));
        }
        if self.events.as_ref().is_some_and(|before| *before != events) {
            return Err("the events are named a second time, and are others".to_owned());
        }
        self.events = Some(events);
        Ok(())
    }

    /// Counts in the order of the events. Missing trailing ones are 0, more than there are events are not.
    fn counts(&self, text: &str) -> std::result::Result<Events, String> {
        let Some(events) = &self.events else {
            return Err("counts stand before the line that names the events".to_owned());
        };
        if text.trim().is_empty() {
            return Err("there are no counts".to_owned());
        }
        let mut found: Events = events.iter().copied().flatten().map(|event| (event, 0)).collect();
        let mut counts = text.split_whitespace();
        for event in events {
            let Some(count) = counts.next() else { break };
            // Hexadecimal is allowed in callgrind's format.
            let number = match count.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16),
                None => count.parse(),
            };
            let number = number.map_err(|_| format!("\"{}\" is no count of up to 64 bits", brief(count)))?;
            if let Some(event) = event {
                found.set(*event, number);
            }
        }
        match counts.next() {
            Some(_) => Err(format!("there are more counts than the {} events", events.len())),
            None => Ok(found),
        }
    }

    fn finish(self, lines: u64) -> std::result::Result<OutFile, String> {
        if lines == 0 {
            return Err("it is empty".to_owned());
        }
        if self.events.is_none() {
            return Err(
                "no line begins with \"events:\", so it is no output of Cachegrind or Callgrind".to_owned()
            );
        }
        let is_callgrind = self.has_positions
            || self.totals.is_some()
            || self.creator.as_ref().is_some_and(|creator| creator.starts_with("callgrind"));
        let (format, totals, missing) = if is_callgrind {
            (Format::Callgrind, self.totals, "totals:")
        } else {
            (Format::Cachegrind, self.summary, "summary:")
        };
        match totals.filter(|_| !self.cut) {
            Some(totals) => Ok(OutFile { format, creator: self.creator, totals, trigger: self.trigger }),
            None if self.has_costs || self.cut => {
                Err(format!("it was cut short: the line \"{missing}\" at its end is missing or not whole"))
            }
            None => Err(format!("it was cut short behind its head: there is no line \"{missing}\"")),
        }
    }
}
