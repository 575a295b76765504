//! Which instructions of an assembly file are to be looked at? Its marked regions; or, where it has none, the innermost loops of its
//! functions, and the straight bodies of functions that have none.

#![forbid(unsafe_code)]

mod flow;
mod statements;

use crate::error::{Error, ErrorKind, Result};
use crate::record::text::inert;
use flow::{Body, Control, shown};
use statements::{Statement, is_number, statements, without_long_comments};

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
    use std::borrow::Cow;

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
