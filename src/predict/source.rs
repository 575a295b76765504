//! Which instructions of an assembly file are to be looked at? Its marked regions; or, where it has none, the innermost loops of its
//! functions, and the straight bodies of functions that have none.

#![forbid(unsafe_code)]

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Error, ErrorKind, Result};
use crate::record::text::inert;

/// More text than this is not taken.
pub const MOST_BYTES: usize = 16 << 20;
/// More regions than this are not looked at.
pub const MOST_REGIONS: usize = 1000;
/// More instructions than this are no region.
const MOST_INSTRUCTIONS: usize = 10_000;

/// Instructions that belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// Its name: the marker's, or the function and the loop's label.
    pub name: String,
    /// The instructions with the numbers of their lines, in the order in which a turn runs them, the closing jump of a loop included.
    pub lines: Vec<(usize, String)>,
    /// Whether it ends by jumping back to its beginning.
    pub is_loop: bool,
    /// Why it cannot be looked at: control flow whose way is not known, with its line.
    pub refused: Option<String>,
    /// Why it can be predicted only: a call, or a jump out of it that is taken to be not taken.
    pub predicted_only: Option<String>,
}

/// The regions of `text`, which is in AT&T syntax.
///
/// # Errors
///
/// `Input` for text that is too long, has no instructions or more than [`MOST_REGIONS`] regions, is in Intel's syntax, or whose
/// markers are unbalanced, with the line.
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
    let statements = statements(text)?;
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

/// A label or an instruction, with the number of its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Statement<'t> {
    Label(&'t str),
    Instruction(&'t str),
}

/// The labels and instructions of `text`; directives and comments are passed over.
fn statements(text: &str) -> Result<Vec<(usize, Statement<'_>)>> {
    let mut all = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let code = line.split_once('#').map_or(line, |(code, _)| code);
        for part in code.split(';') {
            let mut part = part.trim();
            while let Some((label, rest)) = part.split_once(':').filter(|(label, _)| is_label(label)) {
                all.push((number, Statement::Label(label.trim_matches('"'))));
                part = rest.trim_start();
            }
            if part.starts_with(".intel_syntax") {
                return Err(Error::new(
                    ErrorKind::Input,
                    format!("line {number}: the file is in Intel's syntax"),
                )
                .because("regions are read in AT&T syntax, which compilers write unless told otherwise")
                .remedy("compile it without -masm=intel"));
            }
            // What follows a directive on its line is its operands, whatever they look like.
            if part.starts_with('.') {
                break;
            }
            if !part.is_empty() && !part.starts_with("LLVM-MCA-") && !part.contains(" = ") {
                all.push((number, Statement::Instruction(part)));
            }
        }
    }
    Ok(all)
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
    let mut region = Region {
        lines: body.lines.iter().map(|(number, line)| (*number, (*line).to_owned())).collect(),
        ..Region::default()
    };
    let last = body.lines.len().saturating_sub(1);
    for (at, (number, line)) in body.lines.iter().enumerate() {
        match body.control(at) {
            Control::Next => {}
            Control::Call => {
                region.only(format!("line {number}: it calls {}, whose cost is in neither", callee(line)))
            }
            // The call of a function that ends by returning: its cost is not known without the caller's.
            Control::Return if at == last => {
                region.only(format!("line {number}: it returns to a caller that is not there"))
            }
            Control::Jump(Some(0)) | Control::Branch(Some(0)) if at == last => region.is_loop = true,
            Control::Branch(None) => {
                region.only(format!(
                    "line {number}: it may jump out, which is taken to be not taken: {}",
                    inert(line)
                ));
            }
            _ => {
                region.refused.get_or_insert_with(|| {
                    format!("line {number}: control flow that is no closing jump: {}", inert(line))
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

/// The instructions of a function or region, and what its labels stand for.
struct Body<'t> {
    lines: Vec<(usize, &'t str)>,
    /// Each label with the instruction behind it, in their order: those that are numbers may be there more than once.
    labels: Vec<(&'t str, usize)>,
    /// The place of each other label.
    places: BTreeMap<&'t str, usize>,
}

impl<'t> Body<'t> {
    fn of(statements: &[(usize, Statement<'t>)]) -> Self {
        let mut body = Self { lines: Vec::new(), labels: Vec::new(), places: BTreeMap::new() };
        for (number, statement) in statements {
            match statement {
                Statement::Label(label) => {
                    body.labels.push((label, body.lines.len()));
                    body.places.insert(label, body.lines.len());
                }
                Statement::Instruction(line) => body.lines.push((*number, line)),
            }
        }
        body
    }

    fn place(&self, label: &str, from: usize) -> Option<usize> {
        let number = label.strip_suffix(['b', 'f']).filter(|one| is_number(one));
        let Some(number) = number else { return self.places.get(label).copied() };
        let mut same = self.labels.iter().filter(|(one, _)| *one == number).map(|(_, at)| *at);
        if label.ends_with('b') { same.rfind(|at| *at <= from) } else { same.find(|at| *at > from) }
    }

    fn control(&self, at: usize) -> Control {
        let line = self.lines.get(at).map_or("", |(_, line)| line);
        let line = line.strip_prefix("notrack").unwrap_or(line).trim_start();
        let (mnemonic, operand) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let operand = operand.trim();
        // `bnd` and prediction hints stand before the jump that they belong to.
        if matches!(mnemonic, "bnd" | "rep" | "repz") && operand.starts_with("ret") {
            return Control::Return;
        }
        match mnemonic {
            "jmp" | "jmpq" if operand.starts_with('*') => Control::Indirect,
            "jmp" | "jmpq" => Control::Jump(self.place(operand, at)),
            "ret" | "retq" | "ud2" | "hlt" => Control::Return,
            "call" | "callq" => Control::Call,
            _ if mnemonic.starts_with('j') || mnemonic.starts_with("loop") => {
                Control::Branch(self.place(operand.trim_end_matches(",pn").trim_end_matches(",pt"), at))
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
            Control::Indirect | Control::Return => [None, None],
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
            let (number, line) = self.lines[at];
            region.lines.push((number, line.to_owned()));
            let ways: Vec<usize> = self.successors(at).into_iter().filter(|to| inside.contains(to)).collect();
            let control = self.control(at);
            if control == Control::Call {
                region.only(format!("line {number}: it calls {}, whose cost is in neither", callee(line)));
            }
            let to = match ways[..] {
                [to] => to,
                [to, other] if to == other => to,
                _ => {
                    region.refused =
                        Some(format!("line {number}: its way depends on data at {}", inert(line)));
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
                    inert(line)
                ));
            }
            if matches!(control, Control::Jump(_)) {
                region.only(format!("line {number}: it jumps on within the loop: {}", inert(line)));
            }
            at = to;
        }
    }
}

impl Region {
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

/// What a call goes to.
fn callee(line: &str) -> String {
    let to = line.split_once(char::is_whitespace).map_or("", |(_, to)| to.trim());
    match to.strip_prefix('*') {
        Some(pointer) => format!("through the pointer {}", inert(pointer)),
        None => inert(to),
    }
}

/// Each innermost loop of each function, and the body of each function that has none.
fn functions(statements: &[(usize, Statement<'_>)]) -> Vec<Region> {
    let begins_one = |statement: &Statement<'_>| match statement {
        Statement::Label(label) => !label.starts_with(".L") && !label.starts_with('$') && !is_number(label),
        Statement::Instruction(_) => false,
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
            .position(|(_, one)| matches!(one, Statement::Instruction(line) if line.starts_with("ret")))
            .unwrap_or(statements.len());
        let is_landing =
            |one: &Statement<'_>| matches!(one, Statement::Instruction(line) if line.starts_with("endbr"));
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
            ("f:\n.intel_syntax noprefix\n imul rax, rcx\n", "Intel"),
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
        let lines: Vec<&str> = found[0].lines.iter().map(|(_, line)| line.as_str()).collect();
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
