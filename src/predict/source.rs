//! Which instructions of an assembly file are to be looked at? Its marked regions; or, where it has none, the innermost loops of its
//! functions, and the straight bodies of functions that have none.

#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Error, ErrorKind, Result};
use crate::record::text::inert;

/// More text than this is not taken.
pub const MOST_BYTES: usize = 16 << 20;
/// More regions than this are not looked at.
pub const MOST_REGIONS: usize = 1000;
/// More instructions than this are no region.
const MOST_INSTRUCTIONS: usize = 10_000;

/// How an instruction is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// `addq %rcx, %rax`: what assemblers expect unless they are told otherwise.
    #[default]
    Att,
    /// `add rax, rcx`: what follows the directive `.intel_syntax noprefix`.
    Intel,
}

impl Syntax {
    /// The directive that goes over to it.
    pub const fn directive(self) -> &'static str {
        match self {
            Self::Att => ".att_syntax prefix",
            Self::Intel => ".intel_syntax noprefix",
        }
    }
}

/// An instruction of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The number of its line, from 1.
    pub number: usize,
    /// The instruction as it stands there, without label and comment.
    pub text: String,
    /// How it is written.
    pub syntax: Syntax,
}

/// Instructions that belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// Its name: the marker's, or the function and the loop's label.
    pub name: String,
    /// The instructions in the order in which a turn runs them, the closing jump of a loop included.
    pub lines: Vec<Line>,
    /// Whether it ends by jumping back to its beginning.
    pub is_loop: bool,
    /// Why it cannot be looked at: control flow whose way is not known, with its line.
    pub refused: Option<String>,
    /// Why it can be predicted only: a call, or a jump out of it that is taken to be not taken.
    pub predicted_only: Option<String>,
}

/// The regions of `text`, in AT&T syntax, and in Intel's from `.intel_syntax` on.
///
/// # Errors
///
/// `Input` for text that is too long, has no instructions or more than [`MOST_REGIONS`] regions, or whose markers are unbalanced, with
/// the line.
///
/// ```
/// use fencepost::predict::source::regions;
/// let found = regions("f:\n.L2:\n imulq %rdi, %rax\n decq %rsi\n jne .L2\n ret\n").unwrap();
/// assert_eq!((found[0].name.as_str(), found[0].lines.len(), found[0].is_loop), ("f:.L2", 3, true));
/// ```
pub fn regions(text: &str) -> Result<Vec<Region>> {
    if text.len() > MOST_BYTES {
        return Err(Error::new(ErrorKind::Input, format!("the file has {} bytes", text.len()))
            .because(format!("more than {MOST_BYTES} are not taken"))
            .remedy("cut out the functions of interest"));
    }
    let text = &without_long_comments(text);
    let statements = statements(text);
    let marked = marked(text, &statements)?;
    let regions = if marked.is_empty() { functions(&statements) } else { marked };
    if regions.iter().all(|region| region.lines.is_empty()) {
        return Err(Error::new(ErrorKind::Input, "the file has no instructions")
            .because("neither a region nor a function in it holds any")
            .remedy("give assembly as a compiler writes it with -S, or mark a region with LLVM-MCA-BEGIN and -END"));
    }
    if regions.len() > MOST_REGIONS {
        return Err(Error::new(ErrorKind::Input, format!("the file has {} regions", regions.len()))
            .because(format!("more than {MOST_REGIONS} are not looked at, for it would take very long"))
            .remedy("mark those of interest with LLVM-MCA-BEGIN and -END, or cut out their functions"));
    }
    Ok(regions)
}

/// A label, an instruction, or a label whose address lies in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Statement<'t> {
    Label(&'t str),
    Instruction(&'t str, Syntax),
    Entry(&'t str),
}

/// `text` with blanks for what stands between `/*` and `*/`, but for its line breaks.
fn without_long_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("/*") {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let (mut is_inside, mut is_quoted, mut rest) = (false, false, text);
    while let Some(one) = rest.chars().next() {
        let mut length = one.len_utf8();
        if is_inside {
            is_inside = !rest.starts_with("*/");
            length += usize::from(!is_inside);
            kept.push(if one == '\n' { one } else { ' ' });
        } else if !is_quoted && rest.starts_with("/*") {
            (is_inside, length) = (true, 2);
            kept.push(' ');
        } else if !is_quoted && one == '#' {
            // What ends a line may hold anything.
            length = rest.find('\n').unwrap_or(rest.len());
            kept.push_str(&rest[..length]);
        } else {
            // A quote does not go on over the end of a line; a backslash takes away what the character behind it means.
            is_quoted = if one == '"' { !is_quoted } else { is_quoted && one != '\n' };
            if is_quoted && one == '\\' {
                length += rest[length..].chars().next().map_or(0, char::len_utf8);
            }
            kept.push_str(&rest[..length]);
        }
        rest = &rest[length..];
    }
    Cow::Owned(kept)
}

/// The labels and instructions of `text`, with the numbers of their lines; comments are passed over, and directives but for tables of
/// addresses.
fn statements(text: &str) -> Vec<(usize, Statement<'_>)> {
    let mut all = Vec::new();
    let mut syntax = Syntax::Att;
    // Debuggers and unwinders read addresses as well; nothing jumps to them.
    let mut is_beside = false;
    for (number, line) in (1..).zip(text.lines()) {
        let code = line.split_once('#').map_or(line, |(code, _)| code);
        for part in code.split(';') {
            let mut part = part.trim();
            while let Some((label, rest)) = part.split_once(':').filter(|(label, _)| is_label(label)) {
                all.push((number, Statement::Label(label.trim_matches('"'))));
                part = rest.trim_start();
            }
            if part.starts_with(".intel_syntax") {
                syntax = Syntax::Intel;
            } else if part.starts_with(".att_syntax") {
                syntax = Syntax::Att;
            }
            // What follows a directive on its line is its operands, whatever they look like.
            if let Some((name, operands)) = directive(part) {
                match name {
                    "section" => is_beside = BESIDE.iter().any(|one| operands.starts_with(one)),
                    "text" | "data" | "bss" => is_beside = false,
                    "long" | "quad" | "int" | "4byte" | "8byte" if !is_beside => {
                        all.extend(entries(operands).map(|label| (number, Statement::Entry(label))));
                    }
                    _ => {}
                }
                break;
            }
            if !part.is_empty() && !part.starts_with("LLVM-MCA-") && !part.contains(" = ") {
                all.push((number, Statement::Instruction(part, syntax)));
            }
        }
    }
    all
}

/// Beginnings of the names of sections that nothing jumps to the addresses of.
const BESIDE: [&str; 4] = [".debug", ".eh_frame", ".gcc_except_table", ".stack_sizes"];

/// A directive's name and operands.
fn directive(part: &str) -> Option<(&str, &str)> {
    let rest = part.strip_prefix('.')?;
    Some(
        rest.split_once(char::is_whitespace)
            .map_or((rest, ""), |(name, operands)| (name, operands.trim_start())),
    )
}

/// The labels in the operands of a table: `.LBB2_5-.LJTI2_0` is a distance to the first of the two.
fn entries(operands: &str) -> impl Iterator<Item = &str> {
    operands
        .split(',')
        .map(|operand| operand.split(['-', '+']).next().unwrap_or_default().trim())
        .filter(|label| is_label(label) && !label.starts_with(|one: char| one.is_ascii_digit()))
}

/// A name as an assembler takes it, possibly in quotes.
fn is_label(text: &str) -> bool {
    let bare = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    !text.is_empty()
        && (bare.is_some()
            || text.chars().all(|one| one.is_alphanumeric() || matches!(one, '_' | '.' | '$' | '@')))
}

/// What `# LLVM-MCA-BEGIN name` and `# LLVM-MCA-END name` enclose. As in llvm-mca, regions may overlap unless they have the same name
/// or none; an end without a name ends the only one that is open.
fn marked(text: &str, statements: &[(usize, Statement<'_>)]) -> Result<Vec<Region>> {
    let unbalanced = |line: usize, what: String, remedy: &str| {
        Error::new(ErrorKind::Input, format!("line {line}: {what}"))
            .because("each region has one begin and one end")
            .remedy(remedy.to_owned())
    };
    let called = |name: &str| {
        if name.is_empty() {
            "a region without a name".to_owned()
        } else {
            format!("region \"{}\"", inert(name))
        }
    };
    let mut open: Vec<(usize, String)> = Vec::new();
    // (line of its begin, of its end, name)
    let mut done: Vec<(usize, usize, String)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let comment = line.split_once(['#', ';']).map_or("", |(_, comment)| comment.trim());
        if let Some(name) = comment.strip_prefix("LLVM-MCA-BEGIN") {
            let name = name.trim();
            if let Some((other, _)) = open.iter().find(|(_, one)| one == name) {
                let what = format!("{} begins inside that of line {other}", called(name));
                return Err(unbalanced(number, what, "end the other one first, or give both names"));
            }
            open.push((number, name.to_owned()));
        } else if let Some(name) = comment.strip_prefix("LLVM-MCA-END") {
            let name = name.trim();
            let at = open.iter().position(|(_, one)| one == name);
            let at = at.or_else(|| (name.is_empty() && open.len() == 1).then_some(0));
            let Some(at) = at else {
                let what = format!("{} ends and has not begun", called(name));
                return Err(unbalanced(number, what, "put a LLVM-MCA-BEGIN before it"));
            };
            let (begin, name) = open.remove(at);
            done.push((begin, number, name));
        }
    }
    if let Some((line, name)) = open.first() {
        let what = format!("{} begins and does not end", called(name));
        return Err(unbalanced(*line, what, "put a LLVM-MCA-END behind it"));
    }
    order_by_begin(&mut done);
    Ok(done
        .into_iter()
        .map(|(begin, end, name)| {
            let from = statements.partition_point(|(number, _)| *number <= begin);
            let to = statements.partition_point(|(number, _)| *number < end);
            // A label directly before the marker is where the region begins, too.
            let before = statements[..from].iter().rev();
            let labels = before.take_while(|(_, one)| matches!(one, Statement::Label(_))).count();
            let mut region = enclosed(&statements[from - labels..to]);
            region.name = if name.is_empty() { format!("line {begin}") } else { name };
            region
        })
        .collect())
}

fn order_by_begin(regions: &mut [(usize, usize, String)]) {
    regions.sort_unstable_by_key(|(begin, ..)| *begin);
}

/// A region as it was marked: whatever its control flow is, its instructions stay in their order.
fn enclosed(statements: &[(usize, Statement<'_>)]) -> Region {
    let body = Body::of(statements);
    let mut region = Region { lines: body.lines.iter().map(Line::from).collect(), ..Region::default() };
    let last = body.lines.len().saturating_sub(1);
    for (at, instruction) in body.lines.iter().enumerate() {
        let (number, line) = (instruction.number, instruction.text);
        match body.control(at) {
            Control::Next => {}
            Control::Call => region
                .only(format!("line {number}: it calls {}, whose cost is in neither", instruction.callee())),
            // The call of a function that ends by returning: its cost is not known without the caller's.
            Control::Return if at == last => {
                region.only(format!("line {number}: it returns to a caller that is not there"))
            }
            Control::Jump(Some(0)) | Control::Branch(Some(0)) if at == last => region.is_loop = true,
            Control::Branch(None) => {
                region.only(format!(
                    "line {number}: it may jump out, which is taken to be not taken: {}",
                    shown(line)
                ));
            }
            _ => {
                region.refused.get_or_insert_with(|| {
                    format!("line {number}: control flow that is no closing jump: {}", shown(line))
                });
            }
        }
    }
    region.limited()
}

/// Where control goes from an instruction; places of the same function only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Control {
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
struct Here<'t> {
    number: usize,
    text: &'t str,
    syntax: Syntax,
}

impl From<&Here<'_>> for Line {
    fn from(here: &Here<'_>) -> Self {
        Self { number: here.number, text: here.text.to_owned(), syntax: here.syntax }
    }
}

impl Here<'_> {
    /// What a jump or call goes to by its `operand`: through a register or memory, or to a label.
    fn goes_through(&self, operand: &str) -> bool {
        match self.syntax {
            Syntax::Att => operand.starts_with('*'),
            Syntax::Intel => operand.contains('[') || is_pointer_register(operand),
        }
    }

    /// What a call goes to.
    fn callee(&self) -> String {
        let to = self.text.split_once(char::is_whitespace).map_or("", |(_, to)| to.trim());
        if self.goes_through(to) {
            format!("through the pointer {}", shown(to.trim_start_matches('*')))
        } else {
            shown(to)
        }
    }
}

/// An instruction in a message.
fn shown(text: &str) -> String {
    inert(&text.replace('\t', " "))
}

/// Whether this is the name of a general register that can hold an address.
fn is_pointer_register(name: &str) -> bool {
    const NAMES: [&str; 16] = [
        "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13",
        "r14", "r15",
    ];
    NAMES.iter().any(|one| one.eq_ignore_ascii_case(name))
}

/// The instructions of a function or region, and what its labels stand for.
struct Body<'t> {
    lines: Vec<Here<'t>>,
    /// Each label with the instruction behind it, in their order: those that are numbers may be there more than once.
    labels: Vec<(&'t str, usize)>,
    /// The place of each other label.
    places: BTreeMap<&'t str, usize>,
    /// Where jumps by a table may go.
    entries: BTreeSet<usize>,
}

impl<'t> Body<'t> {
    fn of(statements: &[(usize, Statement<'t>)]) -> Self {
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

    fn place(&self, label: &str, from: usize) -> Option<usize> {
        let number = label.strip_suffix(['b', 'f']).filter(|one| is_number(one));
        let Some(number) = number else { return self.places.get(label).copied() };
        let mut same = self.labels.iter().filter(|(one, _)| *one == number).map(|(_, at)| *at);
        if label.ends_with('b') { same.rfind(|at| *at <= from) } else { same.find(|at| *at > from) }
    }

    fn control(&self, at: usize) -> Control {
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
    fn successors(&self, at: usize) -> Vec<usize> {
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
    fn loops(&self) -> BTreeMap<usize, BTreeSet<usize>> {
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
    fn turn(&self, head: usize, inside: &BTreeSet<usize>) -> Region {
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

impl Region {
    /// The first `count` instructions, one a line, as an assembler or a model is given them: with a directive before and behind those in
    /// Intel's syntax.
    pub fn source(&self, count: usize) -> Vec<String> {
        let mut all = Vec::new();
        let mut syntax = Syntax::Att;
        for line in self.lines.iter().take(count) {
            if line.syntax != syntax {
                syntax = line.syntax;
                all.push(syntax.directive().to_owned());
            }
            all.push(line.text.clone());
        }
        if syntax != Syntax::Att {
            all.push(Syntax::Att.directive().to_owned());
        }
        all
    }

    /// Keeps the first reason why it is not measured.
    fn only(&mut self, why: String) {
        self.predicted_only.get_or_insert(why);
    }

    fn limited(mut self) -> Self {
        if self.lines.len() > MOST_INSTRUCTIONS {
            self.refused =
                Some(format!("{} instructions are more than {MOST_INSTRUCTIONS}", self.lines.len()));
        }
        self
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Each innermost loop of each function, and the body of each function that has none.
fn functions(statements: &[(usize, Statement<'_>)]) -> Vec<Region> {
    let begins_one = |statement: &Statement<'_>| match statement {
        Statement::Label(label) => !label.starts_with(".L") && !label.starts_with('$') && !is_number(label),
        Statement::Instruction(..) | Statement::Entry(_) => false,
    };
    let mut all = Vec::new();
    let mut rest = statements;
    while !rest.is_empty() {
        let name = match rest[0].1 {
            Statement::Label(label) if begins_one(&rest[0].1) => label,
            _ => "",
        };
        let end = rest.iter().skip(1).position(|(_, one)| begins_one(one)).map_or(rest.len(), |at| at + 1);
        let (function, others) = rest.split_at(end);
        all.extend(of_function(name, function));
        rest = others;
    }
    all
}

fn of_function(name: &str, statements: &[(usize, Statement<'_>)]) -> Vec<Region> {
    let body = Body::of(statements);
    let loops = body.loops();
    if loops.is_empty() {
        let end = statements
            .iter()
            .position(|(_, one)| matches!(one, Statement::Instruction(line, _) if line.starts_with("ret")))
            .unwrap_or(statements.len());
        let is_landing =
            |one: &Statement<'_>| matches!(one, Statement::Instruction(line, _) if line.starts_with("endbr"));
        let straight: Vec<_> =
            statements[..end].iter().filter(|(_, one)| !is_landing(one)).copied().collect();
        let region = Region { name: name.to_owned(), ..enclosed(&straight) };
        return if region.lines.is_empty() { Vec::new() } else { vec![region] };
    }
    loops
        .iter()
        .filter(|(head, _)| {
            !loops.iter().any(|(other, inner)| {
                other != *head && loops[head].contains(other) && inner.is_subset(&loops[head])
            })
        })
        .map(|(head, inside)| {
            let label = body.labels.iter().rfind(|(_, at)| at == head).map(|(label, _)| *label);
            let label = label.filter(|label| *label != name);
            let of = label.map_or_else(|| name.to_owned(), |label| format!("{name}:{label}"));
            Region { name: of, ..body.turn(*head, inside) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_regions_are_taken_in_their_order() {
        let text = "# LLVM-MCA-BEGIN a\nimulq %rcx, %rax\n# LLVM-MCA-BEGIN b\naddq $1, %rax\n# LLVM-MCA-END a\nnop\n# LLVM-MCA-END b\n";
        let found = regions(text).unwrap();
        assert_eq!((found[0].name.as_str(), found[0].lines.len()), ("a", 2));
        assert_eq!((found[1].name.as_str(), found[1].lines.len()), ("b", 2));
        assert_eq!(regions("# LLVM-MCA-BEGIN\nnop\n# LLVM-MCA-END\n").unwrap()[0].name, "line 1");
    }

    #[test]
    fn unbalanced_markers_and_files_without_instructions_are_refused_with_the_line() {
        for (text, word) in [
            ("nop\n# LLVM-MCA-BEGIN a\nnop\n", "line 2"),
            ("nop\n# LLVM-MCA-END\n", "line 2"),
            ("# LLVM-MCA-BEGIN\n# LLVM-MCA-BEGIN\n", "line 2"),
            ("# LLVM-MCA-BEGIN x\n# LLVM-MCA-BEGIN x\n", "line 2"),
            ("# LLVM-MCA-BEGIN a\n# LLVM-MCA-END b\n", "\"b\""),
            ("", "no instructions"),
            ("\t.text\n\t.globl f\n", "no instructions"),
        ] {
            let error = regions(text).unwrap_err().to_string();
            assert!(error.contains(word), "{text:?}: {error}");
        }
        assert!(regions(&"nop\n".repeat(5 << 20)).is_err());
    }

    #[test]
    fn a_closing_jump_is_a_loop_and_other_control_flow_is_refused() {
        let text = "\t.globl f\nf:\n\txorl %eax, %eax\n.L3:\n\taddq (%rdi), %rax\n\taddq $8, %rdi\n\tcmpq %rdi, %rsi\n\tjne .L3\n\tret\n\
                    g:\n\timulq %rdi, %rdi\n\tret\nh:\n.L5:\n\tcall f\n\tdecl %ebx\n\tjne .L5\n\tret\n";
        let found = regions(text).unwrap();
        let names: Vec<&str> = found.iter().map(|region| region.name.as_str()).collect();
        assert_eq!(names, ["f:.L3", "g", "h:.L5"]);
        assert!(found[0].is_loop && found[0].refused.is_none() && found[0].lines.len() == 4);
        assert_eq!(found[0].predicted_only, None);
        assert!(!found[1].is_loop && found[1].lines.len() == 1);
        assert_eq!(found[2].refused, None);
        let why = found[2].predicted_only.as_ref().unwrap();
        assert!(why.contains("line 15") && why.contains("calls f"), "{why}");
    }

    #[test]
    fn a_turn_is_followed_in_the_order_in_which_it_runs() {
        // The loop is entered in its middle, and a part of it lies behind the return.
        let text = "f:\n jmp .L2\n.L1:\n incq %rax\n.L2:\n cmpq %rax, %rdi\n je .L9\n testq %rax, %rsi\n jne .L7\n.L3:\n decq %rcx\n jne .L1\n\
                    .L9:\n ret\n.L7:\n ret\n";
        let found = regions(text).unwrap();
        assert_eq!(found.len(), 1, "{found:?}");
        let lines: Vec<&str> = found[0].lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(lines.len(), 7, "{lines:?}");
        assert!(lines.contains(&"incq %rax") && lines.contains(&"je .L9"), "{lines:?}");
        assert!(found[0].predicted_only.as_ref().unwrap().contains("may leave the loop"), "{:?}", found[0]);
        // Two ways through the loop.
        let text = "f:\n.L1:\n testq %rax, %rsi\n je .L2\n incq %rax\n.L2:\n decq %rcx\n jne .L1\n ret\n";
        let refused = regions(text).unwrap().remove(0).refused.unwrap();
        assert!(refused.contains("line 4"), "{refused}");
        // Numbers as labels.
        let found = regions("f:\n1: imulq %rax, %rcx; decq %rdx\n jnz 1b\n1: ret\n").unwrap();
        assert_eq!((found[0].lines.len(), found[0].is_loop), (3, true));
    }

    #[test]
    fn both_syntaxes_are_read_and_told_apart() {
        let text = "	.intel_syntax noprefix\nf:\n.LBB0_2: # =>This Inner Loop Header: Depth=1\n	mov	eax, dword ptr [rip + table+12]\n\
                    	call	qword ptr [rip + sin@GOTPCREL]\n	call	rax\n	dec	rcx\n	jne	.LBB0_2\n	ret\ng:\n	jmp	rax\nh:\n\
                    .L1:\n	jmp	[QWORD PTR .L4[0+rax*8]]\n	jmp	short .L1\n	.att_syntax\n	ret\n";
        let found = regions(text).unwrap();
        assert_eq!(found[0].name, "f:.LBB0_2");
        assert_eq!(found[0].lines.len(), 5);
        assert!(found[0].lines.iter().all(|line| line.syntax == Syntax::Intel));
        let why = found[0].predicted_only.as_ref().unwrap();
        assert!(why.contains("calls through the pointer qword ptr [rip"), "{why}");
        assert!(found[1].refused.as_ref().unwrap().contains("jmp rax"), "{:?}", found[1]);
        // What an indirect jump goes to is not known: the jump back behind it is a loop of its own, entered by nothing that is seen.
        assert_eq!(found[2].name, "h", "{:?}", found[2]);
        assert!(found[2].refused.is_some());
        // A function in AT&T syntax with a part in Intel's.
        let text = "f:\n.L1:\n	addq	%rcx, %rax\n	.intel_syntax noprefix\n	imul	rax, rcx\n	.att_syntax\n	decq	%rdx\n	jne	.L1\n	ret\n";
        let one = regions(text).unwrap().remove(0);
        let of_it = [
            "addq\t%rcx, %rax",
            ".intel_syntax noprefix",
            "imul\trax, rcx",
            ".att_syntax prefix",
            "decq\t%rdx",
        ];
        assert_eq!(one.source(3), of_it);
        assert_eq!(one.source(2)[1..], of_it[1..4], "it ends as it began");
        assert_eq!(
            one.lines[1],
            Line { number: 5, text: "imul\trax, rcx".to_owned(), syntax: Syntax::Intel }
        );
    }

    #[test]
    fn a_jump_by_a_table_may_go_to_all_of_its_entries() {
        // One way of the loop's goes by the table; debug information is no table.
        let text = "f:\n.LBB2_3:\n	cmpl	$86, %edx\n	ja	.LBB2_6\n	jmpq	*%rdx\n.LBB2_5:\n	xorl	%esi, %esi\n	jmp	.LBB2_7\n\
                    .LBB2_6:\n	incl	%eax\n.LBB2_7:\n	testb	%dl, %dl\n	jne	.LBB2_3\n.Ltmp0:\n	retq\n	.section	.rodata\n.LJTI2_0:\n\
                    	.long	.LBB2_5-.LJTI2_0, .LBB2_6-.LJTI2_0\n	.long	86\n	.section	.debug_loc\n	.quad	.Ltmp0-f\n";
        let found = regions(text).unwrap();
        assert_eq!((found.len(), found[0].name.as_str()), (1, "f:.LBB2_3"), "{found:?}");
        assert_eq!(found[0].refused.as_deref(), Some("line 4: its way depends on data at ja .LBB2_6"));
        let body = Body::of(&statements(text));
        assert_eq!(body.successors(2), [3, 5]);
    }

    #[test]
    fn long_comments_are_passed_over_and_lines_counted_on() {
        let text = "/* a kernel;\n nop */ f: /* begins */\n	imulq /* left */ %rcx, %rax # /* of\n	nop\n	ret\n	.string \"/*\\\"\"\n	nop /* open\n nop";
        let one = regions(text).unwrap().remove(0);
        let lines: Vec<(usize, &str)> =
            one.lines.iter().map(|line| (line.number, line.text.as_str())).collect();
        assert_eq!((one.name.as_str(), lines[0].0, lines[1]), ("f", 3, (4, "nop")));
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(matches!(without_long_comments("a # b"), Cow::Borrowed(_)));
    }

    #[test]
    fn regions_nest_as_in_llvm_mca() {
        let text = "# LLVM-MCA-BEGIN\nnop\n# LLVM-MCA-BEGIN inner\nincq %rax\n# LLVM-MCA-END inner\nnop\n# LLVM-MCA-END\n";
        let found = regions(text).unwrap();
        let names: Vec<(&str, usize)> =
            found.iter().map(|region| (region.name.as_str(), region.lines.len())).collect();
        assert_eq!(names, [("line 1", 3), ("inner", 1)]);
        // The label before the marker is where the closing jump goes.
        let text = ".L3:\n# LLVM-MCA-BEGIN\nimulq %rcx, %rax\ndecq %rdx\njne .L3\n# LLVM-MCA-END\n";
        let found = regions(text).unwrap();
        assert!(
            found[0].is_loop && found[0].refused.is_none() && found[0].predicted_only.is_none(),
            "{found:?}"
        );
    }

    #[test]
    fn a_file_of_very_many_functions_is_refused() {
        let text: String = (0..2000).map(|at| format!("f{at}:\n incq %rax\n ret\n")).collect();
        assert!(regions(&text).unwrap_err().to_string().contains("2000 regions"));
    }
}
