//! Where does control go in a function, which of its loops are innermost, and what does a turn of one run?

#![forbid(unsafe_code)]

use std::collections::{BTreeMap, BTreeSet};

use super::statements::{Statement, is_number};
use super::{Line, Region, Syntax};
use crate::record::text::inert;

/// Where control goes from an instruction; places of the same function only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Control {
    Next,
    Call,
    Jump(Option<usize>),
    Branch(Option<usize>),
    /// Through a pointer.
    Indirect,
    Return,
}

/// An instruction where it stands.
#[derive(Clone, Copy)]
pub(super) struct Here<'t> {
    pub(super) number: usize,
    pub(super) text: &'t str,
    pub(super) syntax: Syntax,
}

impl From<&Here<'_>> for Line {
    fn from(here: &Here<'_>) -> Self {
        Self { number: here.number, text: here.text.to_owned(), syntax: here.syntax }
    }
}

impl Here<'_> {
    /// What a jump or call goes to by its `operand`: through a register or memory, or to a label.
    pub(super) fn goes_through(&self, operand: &str) -> bool {
        match self.syntax {
            Syntax::Att => operand.starts_with('*'),
            Syntax::Intel => operand.contains('[') || is_pointer_register(operand),
        }
    }

    /// What a call goes to.
    pub(super) fn callee(&self) -> String {
        let to = self.text.split_once(char::is_whitespace).map_or("", |(_, to)| to.trim());
        if self.goes_through(to) {
            format!("through the pointer {}", shown(to.trim_start_matches('*')))
        } else {
            shown(to)
        }
    }
}

/// An instruction in a message.
pub(super) fn shown(text: &str) -> String {
    inert(&text.replace('\t', " "))
}

/// Whether this is the name of a general register that can hold an address.
pub(super) fn is_pointer_register(name: &str) -> bool {
    const NAMES: [&str; 16] = [
        "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13",
        "r14", "r15",
    ];
    NAMES.iter().any(|one| one.eq_ignore_ascii_case(name))
}

/// The instructions of a function or region, and what its labels stand for.
pub(super) struct Body<'t> {
    pub(super) lines: Vec<Here<'t>>,
    /// Each label with the instruction behind it, in their order: those that are numbers may be there more than once.
    pub(super) labels: Vec<(&'t str, usize)>,
    /// The place of each other label.
    places: BTreeMap<&'t str, usize>,
    /// Where jumps by a table may go.
    entries: BTreeSet<usize>,
}

impl<'t> Body<'t> {
    pub(super) fn of(statements: &[(usize, Statement<'t>)]) -> Self {
        let mut body =
            Self { lines: Vec::new(), labels: Vec::new(), places: BTreeMap::new(), entries: BTreeSet::new() };
        let mut tabled = Vec::new();
        for (number, statement) in statements {
            match statement {
                Statement::Label(label) => {
                    body.labels.push((label, body.lines.len()));
                    body.places.insert(label, body.lines.len());
                }
                Statement::Instruction(text, syntax) => {
                    body.lines.push(Here { number: *number, text, syntax: *syntax });
                }
                Statement::Entry(label) => tabled.push(label),
            }
        }
        body.entries = tabled.iter().filter_map(|label| body.places.get(*label).copied()).collect();
        body
    }

    pub(super) fn place(&self, label: &str, from: usize) -> Option<usize> {
        let number = label.strip_suffix(['b', 'f']).filter(|one| is_number(one));
        let Some(number) = number else { return self.places.get(label).copied() };
        let mut same = self.labels.iter().filter(|(one, _)| *one == number).map(|(_, at)| *at);
        if label.ends_with('b') { same.rfind(|at| *at <= from) } else { same.find(|at| *at > from) }
    }

    pub(super) fn control(&self, at: usize) -> Control {
        let Some(here) = self.lines.get(at) else { return Control::Next };
        let line = here.text.strip_prefix("notrack").unwrap_or(here.text).trim_start();
        let (mnemonic, operand) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let operand = operand.trim();
        // `bnd` and prediction hints stand before the jump that they belong to.
        if matches!(mnemonic, "bnd" | "rep" | "repz") && operand.starts_with("ret") {
            return Control::Return;
        }
        match mnemonic {
            "jmp" | "jmpq" if here.goes_through(operand) => Control::Indirect,
            "jmp" | "jmpq" => Control::Jump(self.place(operand.trim_start_matches("short ").trim(), at)),
            "ret" | "retq" | "ud2" | "hlt" => Control::Return,
            "call" | "callq" => Control::Call,
            _ if mnemonic.starts_with('j') || mnemonic.starts_with("loop") => {
                let to = operand.trim_end_matches(",pn").trim_end_matches(",pt");
                Control::Branch(self.place(to.trim_start_matches("short ").trim(), at))
            }
            _ => Control::Next,
        }
    }

    /// Where control may go from here, the likelier way first.
    pub(super) fn successors(&self, at: usize) -> Vec<usize> {
        let next = (at + 1 < self.lines.len()).then_some(at + 1);
        let all = match self.control(at) {
            Control::Next | Control::Call => [next, None],
            Control::Jump(to) => [to, None],
            Control::Branch(to) => [next, to],
            Control::Return => [None, None],
            Control::Indirect => {
                return self.entries.iter().copied().filter(|to| *to < self.lines.len()).collect();
            }
        };
        all.into_iter().flatten().filter(|to| *to < self.lines.len()).collect()
    }

    /// The natural loops, by their heads.
    pub(super) fn loops(&self) -> BTreeMap<usize, BTreeSet<usize>> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.lines.len()];
        for at in 0..self.lines.len() {
            for to in self.successors(at) {
                before[to].push(at);
            }
        }
        let mut loops: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (from, head) in self.back_edges() {
            let body = loops.entry(head).or_insert_with(|| BTreeSet::from([head]));
            let mut open = vec![from];
            while let Some(at) = open.pop() {
                if body.insert(at) {
                    open.extend(&before[at]);
                }
            }
        }
        loops
    }

    /// Edges to an instruction on the path to their origin, depth first.
    fn back_edges(&self) -> Vec<(usize, usize)> {
        let mut edges = Vec::new();
        let (mut seen, mut on_path) = (vec![false; self.lines.len()], vec![false; self.lines.len()]);
        // Handlers and jump tables are reached by nothing that is seen here: they are begun with when all else is done.
        for start in 0..self.lines.len() {
            if seen[start] {
                continue;
            }
            let mut open = vec![(start, self.successors(start))];
            (seen[start], on_path[start]) = (true, true);
            while let Some((at, left)) = open.last_mut() {
                let at = *at;
                // In the order in which they are given.
                if left.is_empty() {
                    on_path[at] = false;
                    open.pop();
                    continue;
                }
                let to = left.remove(0);
                if on_path[to] {
                    edges.push((at, to));
                } else if !seen[to] {
                    (seen[to], on_path[to]) = (true, true);
                    open.push((to, self.successors(to)));
                }
            }
        }
        edges
    }

    /// What a turn of the loop at `head` runs, if there is one way only.
    pub(super) fn turn(&self, head: usize, inside: &BTreeSet<usize>) -> Region {
        let mut region = Region { is_loop: true, ..Region::default() };
        let mut at = head;
        loop {
            let here = self.lines[at];
            let (number, line) = (here.number, here.text);
            region.lines.push(Line::from(&here));
            let ways: Vec<usize> = self.successors(at).into_iter().filter(|to| inside.contains(to)).collect();
            let control = self.control(at);
            if control == Control::Call {
                region.only(format!("line {number}: it calls {}, whose cost is in neither", here.callee()));
            }
            let to = match ways[..] {
                [to] => to,
                [to, other] if to == other => to,
                _ => {
                    region.refused =
                        Some(format!("line {number}: its way depends on data at {}", shown(line)));
                    return region;
                }
            };
            if to == head {
                return region.limited();
            }
            if matches!(control, Control::Branch(_)) {
                let taken = if to == at + 1 { "not taken" } else { "taken" };
                region.only(format!(
                    "line {number}: it may leave the loop, which is {taken} here: {}",
                    shown(line)
                ));
            }
            if matches!(control, Control::Jump(_)) {
                region.only(format!("line {number}: it jumps on within the loop: {}", shown(line)));
            }
            at = to;
        }
    }
}
