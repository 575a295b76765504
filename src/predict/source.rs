//! Which instructions of an assembly file are to be looked at? Its marked regions; or, where it has none, the loops and the straight bodies of
//! its functions.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;

use crate::error::{Error, ErrorKind, Result};
use crate::record::text::inert;

/// More text than this is not taken.
pub const MOST_BYTES: usize = 16 << 20;
/// More instructions than this are no region.
const MOST_INSTRUCTIONS: usize = 10_000;

/// Instructions that belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// Its name: the marker's, or the function and the loop's label.
    pub name: String,
    /// The instructions with the numbers of their lines, the closing jump of a loop included.
    pub lines: Vec<(usize, String)>,
    /// Whether it ends by jumping back to its beginning.
    pub is_loop: bool,
    /// Why it cannot be looked at: control flow that is no closing jump, with its line.
    pub refused: Option<String>,
}

/// The regions of `text`.
///
/// # Errors
///
/// `Input` for text that is too long, has no instructions, or whose markers are unbalanced, with the line.
pub fn regions(text: &str) -> Result<Vec<Region>> {
    if text.len() > MOST_BYTES {
        return Err(Error::new(ErrorKind::Input, format!("the file has {} bytes", text.len()))
            .because(format!("more than {MOST_BYTES} are not taken"))
            .remedy("cut out the functions of interest"));
    }
    let marked = marked(text)?;
    let regions = if marked.is_empty() { functions(text) } else { marked };
    if regions.iter().all(|region| region.lines.is_empty()) {
        return Err(Error::new(ErrorKind::Input, "the file has no instructions")
            .because("neither a region nor a function in it holds any")
            .remedy("give assembly as a compiler writes it with -S, or mark a region with LLVM-MCA-BEGIN and -END"));
    }
    Ok(regions.into_iter().map(judged).collect())
}

/// What `# LLVM-MCA-BEGIN name` and `# LLVM-MCA-END name` enclose. Named regions may overlap; one without a name stands alone.
fn marked(text: &str) -> Result<Vec<Region>> {
    let unbalanced = |line: usize, what: String, remedy: &str| {
        Error::new(ErrorKind::Input, format!("line {line}: {what}"))
            .because("each region has one begin and one end")
            .remedy(remedy.to_owned())
    };
    let mut open: Vec<(usize, Region)> = Vec::new();
    let mut done: Vec<(usize, Region)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let comment = line.split_once(['#', ';']).map_or("", |(_, comment)| comment.trim());
        if let Some(name) = comment.strip_prefix("LLVM-MCA-BEGIN") {
            let name = name.trim();
            if let Some((other, _)) =
                open.iter().find(|(_, region)| region.name == name || region.name.is_empty())
            {
                let what = format!("region \"{}\" begins inside that of line {other}", inert(name));
                return Err(unbalanced(number, what, "end the other one first, or give both names"));
            }
            open.push((number, Region { name: name.to_owned(), ..Region::default() }));
        } else if let Some(name) = comment.strip_prefix("LLVM-MCA-END") {
            let name = name.trim();
            let at = open.iter().position(|(_, region)| region.name == name);
            // An end without a name ends the one that is open.
            let at = at.or_else(|| (name.is_empty() && open.len() == 1).then_some(0));
            let Some(at) = at else {
                let what = format!("region \"{}\" ends and has not begun", inert(name));
                return Err(unbalanced(number, what, "put a LLVM-MCA-BEGIN before it"));
            };
            done.push(open.remove(at));
        } else if let Some(instruction) = code(line) {
            for (_, region) in &mut open {
                region.lines.push((number, instruction.to_owned()));
            }
        }
    }
    if let Some((line, region)) = open.first() {
        let what = format!("region \"{}\" begins and does not end", inert(&region.name));
        return Err(unbalanced(*line, what, "put a LLVM-MCA-END behind it"));
    }
    done.sort_by_key(|(line, _)| *line);
    Ok(done
        .into_iter()
        .map(|(line, mut region)| {
            if region.name.is_empty() {
                region.name = format!("line {line}");
            }
            region
        })
        .collect())
}

/// Each innermost loop of each function, and the body of each function that has none.
fn functions(text: &str) -> Vec<Region> {
    let mut all = Vec::new();
    let mut name = String::new();
    let mut body: Vec<(usize, String)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some(code) = code(line) else { continue };
        let label =
            code.strip_suffix(':').filter(|label| !label.starts_with(".L") && !label.starts_with('"'));
        if let Some(label) = label.filter(|label| !label.bytes().all(|byte| byte.is_ascii_digit())) {
            all.extend(of_function(&name, &body));
            (name, body) = (label.to_owned(), Vec::new());
        } else {
            body.push((number, code.to_owned()));
        }
    }
    all.extend(of_function(&name, &body));
    all
}

fn of_function(name: &str, body: &[(usize, String)]) -> Vec<Region> {
    let labels: BTreeMap<&str, usize> =
        body.iter().enumerate().filter_map(|(at, (_, line))| Some((line.strip_suffix(':')?, at))).collect();
    let mut loops: Vec<(usize, usize)> = body
        .iter()
        .enumerate()
        .filter_map(|(at, (_, line))| Some((*labels.get(target(line)?)?, at)))
        .filter(|(head, closing)| head <= closing)
        .collect();
    // The innermost only.
    let whole = loops.clone();
    loops.retain(|one| !whole.iter().any(|other| other != one && one.0 <= other.0 && other.1 <= one.1));
    if loops.is_empty() {
        let end = body.iter().position(|(_, line)| line.starts_with("ret")).unwrap_or(body.len());
        let lines: Vec<_> = body[..end].to_vec();
        let lines: Vec<_> = lines.into_iter().filter(|(_, line)| !line.starts_with("endbr")).collect();
        let is_empty = lines.iter().all(|(_, line)| line.ends_with(':'));
        return if is_empty {
            Vec::new()
        } else {
            vec![Region { name: name.to_owned(), lines, ..Region::default() }]
        };
    }
    loops
        .into_iter()
        .map(|(head, closing)| Region {
            name: format!("{name}:{}", body[head].1.trim_end_matches(':')),
            lines: body[head..=closing].to_vec(),
            ..Region::default()
        })
        .collect()
}

/// Takes the labels out, and says whether it is a loop and whether it can be looked at.
fn judged(mut region: Region) -> Region {
    let head = region.lines.first().and_then(|(_, line)| Some(line.strip_suffix(':')?.to_owned()));
    let labels: Vec<String> =
        region.lines.iter().filter_map(|(_, line)| Some(line.strip_suffix(':')?.to_owned())).collect();
    region.lines.retain(|(_, line)| !line.ends_with(':'));
    let last = region.lines.len().saturating_sub(1);
    for (at, (number, line)) in region.lines.iter().enumerate() {
        let closes = at == last
            && target(line).is_some_and(|target| {
                head.as_deref() == Some(target) || !labels.iter().any(|one| one == target)
            });
        let mnemonic = line.split_whitespace().next().unwrap_or_default();
        if at == last && line.starts_with('j') && closes && head.as_deref() == target(line) {
            region.is_loop = true;
        } else if mnemonic.starts_with('j')
            || mnemonic.starts_with("call")
            || mnemonic.starts_with("ret")
            || mnemonic.starts_with("loop")
        {
            region.refused =
                Some(format!("line {number}: control flow that is no closing jump: {}", inert(line)));
            break;
        }
    }
    if region.lines.len() > MOST_INSTRUCTIONS {
        region.refused =
            Some(format!("{} instructions are more than {MOST_INSTRUCTIONS}", region.lines.len()));
    }
    region
}

/// Where a jump to a label goes.
fn target(line: &str) -> Option<&str> {
    let (mnemonic, label) = line.split_once(char::is_whitespace)?;
    mnemonic.starts_with('j').then(|| label.trim()).filter(|label| !label.starts_with('*'))
}

/// The label or instruction of a line, without comment and directive.
fn code(line: &str) -> Option<&str> {
    let line = line.split_once('#').map_or(line, |(code, _)| code).trim();
    let is_label = line.ends_with(':');
    (!line.is_empty() && (is_label || !line.starts_with('.'))).then_some(line)
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
        assert!(!found[1].is_loop && found[1].lines.len() == 1);
        assert!(found[2].refused.as_ref().unwrap().contains("line 15"), "{:?}", found[2]);
    }
}
