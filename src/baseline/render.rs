//! How does a comparison read? As text for a terminal, as Markdown for a review, as JSON for a program.

use serde_json::{Value, json};

use super::compare::Comparison;
use super::ends::Ends;
use super::entry::{Alone, Movement};
use super::limit::{Rule, Standing};
use super::sentence::{cell, interval, limit};
use crate::record::text::MIN_WIDTH;
use crate::record::{Table, inert, wrap};

const NOTHING: &str = "-";

impl Comparison {
    /// The comparison as text whose lines take at most `width` columns (60 at least): warnings, a table, what each result
    /// licenses one to say, what is on one side alone, and the sum. Text from outside is shown with control characters
    /// escaped.
    pub fn to_text(&self, width: usize) -> String {
        let width = width.max(MIN_WIDTH);
        let mut lines = Vec::new();
        for warning in self.warnings() {
            paragraph(&mut lines, &format!("warning: {warning}"), width, "");
        }
        if !self.entries.is_empty() {
            gap(&mut lines);
            lines.extend(self.table().lines(width));
            gap(&mut lines);
        }
        for entry in &self.entries {
            paragraph(&mut lines, &format!("{}: {}", inert(&entry.id), inert(&entry.sentence)), width, "");
        }
        for (title, side) in self.sides() {
            if !side.is_empty() {
                gap(&mut lines);
                lines.push(title.to_owned());
            }
            for alone in side {
                paragraph(&mut lines, &alone_line(alone), width, "  ");
            }
        }
        gap(&mut lines);
        for line in self.summary() {
            paragraph(&mut lines, &line, width, "");
        }
        lines.join("\n") + "\n"
    }

    /// The comparison as Markdown: the same table, with intervals, and the same remarks.
    pub fn to_markdown(&self) -> String {
        let mut text = String::new();
        for warning in self.warnings() {
            text.push_str(&format!("- **Warning:** {}\n", escaped(&warning)));
        }
        if !self.entries.is_empty() {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str("| benchmark | baseline | now | new / old | 95 % | verdict |\n");
            text.push_str("|---|---:|---:|---:|---:|---|\n");
        }
        for entry in &self.entries {
            let ratio = entry.ratio.as_ref();
            let or_nothing = |cell: Option<String>| cell.unwrap_or_else(|| NOTHING.to_owned());
            let row = [
                inert(&entry.id),
                entry.old.clone(),
                entry.new.clone(),
                or_nothing(ratio.map(cell)),
                or_nothing(ratio.and_then(interval)),
                verdict(entry.movement, entry.standing),
            ];
            text.push_str(&format!("| {} |\n", row.map(|cell| escaped(&cell)).join(" | ")));
        }
        for (title, side) in self.sides() {
            if !side.is_empty() {
                text.push_str(&format!("\n{title}:\n\n"));
            }
            for alone in side {
                text.push_str(&format!("- {}\n", escaped(&alone_line(alone))));
            }
        }
        if !text.is_empty() {
            text.push('\n');
        }
        for line in self.summary() {
            text.push_str(&format!("{}\n", escaped(&line)));
        }
        text
    }

    /// The comparison as one JSON object of schema `fencepost-comparison/1`, on one line. Ends that are not known are null.
    pub fn to_json(&self) -> String {
        let entry = |entry: &super::entry::Entry| {
            json!({
                "id": entry.id,
                "old": entry.old,
                "new": entry.new,
                "ratio": entry.ratio.as_ref().map(ends),
                "difference_cycles": entry.difference_cycles.as_ref().map(ends),
                "verdict": entry.movement.as_str(),
                "reason": entry.reason,
                "limit": entry.standing.as_str(),
                "limit_rules": rules(&entry.rules),
                "sentence": entry.sentence,
            })
        };
        let alone = |alone: &Alone| {
            json!({
                "id": alone.id,
                "cost": alone.cost,
                "limit": alone.standing.as_str(),
                "limit_rules": rules(&alone.rules),
            })
        };
        let differences = self.differences.iter().map(
            |one| json!({"name": one.name, "old": one.old, "new": one.new, "weight": one.weight.as_str()}),
        );
        json!({
            "schema": "fencepost-comparison/1",
            "exit_status": self.exit_status() as u8,
            "regressions": self.regressions(),
            "between_processes_pct": self.between_processes_pct,
            "differences": differences.collect::<Vec<Value>>(),
            "results": self.entries.iter().map(entry).collect::<Vec<Value>>(),
            "only_old": self.only_old.iter().map(alone).collect::<Vec<Value>>(),
            "only_new": self.only_new.iter().map(alone).collect::<Vec<Value>>(),
            "notes": self.notes,
        })
        .to_string()
    }

    fn warnings(&self) -> Vec<String> {
        let differences = self.differences.iter().map(ToString::to_string);
        differences.chain(self.notes.iter().map(|note| inert(note))).collect()
    }

    fn table(&self) -> Table {
        let head = vec![("benchmark", ""), ("baseline", ""), ("now", ""), ("new / old", ""), ("verdict", "")];
        let rows = self.entries.iter().map(|entry| {
            let ratio = entry.ratio.as_ref().map_or_else(|| NOTHING.to_owned(), cell);
            let verdict = verdict(entry.movement, entry.standing);
            vec![inert(&entry.id), entry.old.clone(), entry.new.clone(), ratio, verdict]
        });
        Table { head, rows: rows.collect() }
    }

    fn sides(&self) -> [(&'static str, &[Alone]); 2] {
        [("only in the baseline", &self.only_old), ("only now", &self.only_new)]
    }

    fn summary(&self) -> Vec<String> {
        let count = |movement| self.entries.iter().filter(|entry| entry.movement == movement).count();
        let parts: Vec<String> =
            [Movement::NoDifference, Movement::Faster, Movement::Slower, Movement::CannotTell]
                .into_iter()
                .filter(|movement| count(*movement) > 0)
                .map(|movement| format!("{} {}", count(movement), movement.words()))
                .collect();
        let parts = if parts.is_empty() { "nothing to compare".to_owned() } else { parts.join(", ") };
        let regressions = match self.regressions() {
            0 => String::new(),
            1 => "; 1 regression past its limit".to_owned(),
            more => format!("; {more} regressions past their limits"),
        };
        let mut lines = vec![format!("In sum: {parts}{regressions}.")];
        if self.between_processes_pct > 0.0 && !self.entries.is_empty() {
            lines.push(format!(
                "The intervals allow {} % for what differs from one process to the next.",
                self.between_processes_pct
            ));
        }
        lines
    }
}

fn gap(lines: &mut Vec<String>) {
    if lines.last().is_some_and(|line| !line.is_empty()) {
        lines.push(String::new());
    }
}

/// Wrapped behind `indent`, the lines after the first two columns further in.
fn paragraph(lines: &mut Vec<String>, text: &str, width: usize, indent: &str) {
    let wrapped = wrap(text, width.saturating_sub(indent.len() + 2));
    for (index, line) in wrapped.into_iter().enumerate() {
        let hanging = if index == 0 { "" } else { "  " };
        lines.push(format!("{indent}{hanging}{line}"));
    }
}

fn verdict(movement: Movement, standing: Standing) -> String {
    let limit = match standing {
        Standing::Unlimited | Standing::Within => "",
        Standing::Unchecked => ", limit unchecked",
        Standing::MayBePast => ", maybe past limit",
        Standing::Past => ", REGRESSION",
    };
    format!("{}{limit}", movement.words())
}

fn alone_line(alone: &Alone) -> String {
    // Most limits need two costs; that they could not be checked with one goes without saying.
    let standing = if alone.standing == Standing::Unchecked { Standing::Unlimited } else { alone.standing };
    let limit = limit(standing, &alone.rules).map_or_else(String::new, |limit| format!(". {limit}"));
    format!("{}: {}{limit}", inert(&alone.id), alone.cost)
}

/// Without effect in Markdown, also in a cell of a table. The text is inert already.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '&' => shown.push_str("&amp;"),
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '!' | '~' | '#' | '@' => shown.extend(['\\', c]),
            c => shown.push(c),
        }
    }
    shown
}

/// Infinite numbers become null, which is what JSON has for them.
fn ends(ends: &Ends) -> Value {
    json!({"estimate": ends.estimate, "lo": ends.lo, "hi": ends.hi})
}

fn rules(rules: &[Rule]) -> Vec<String> {
    rules.iter().map(ToString::to_string).collect()
}
