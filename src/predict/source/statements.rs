//! What does a line of assembly say? Labels, instructions and tables of addresses; comments and other directives are passed over.

#![forbid(unsafe_code)]

use std::borrow::Cow;

use super::Syntax;

/// A label, an instruction, or a label whose address lies in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statement<'t> {
    Label(&'t str),
    Instruction(&'t str, Syntax),
    Entry(&'t str),
}

/// `text` with blanks for what stands between `/*` and `*/`, but for its line breaks.
pub(super) fn without_long_comments(text: &str) -> Cow<'_, str> {
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
pub(super) fn statements(text: &str) -> Vec<(usize, Statement<'_>)> {
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
pub(super) const BESIDE: [&str; 4] = [".debug", ".eh_frame", ".gcc_except_table", ".stack_sizes"];

/// A directive's name and operands.
pub(super) fn directive(part: &str) -> Option<(&str, &str)> {
    let rest = part.strip_prefix('.')?;
    Some(
        rest.split_once(char::is_whitespace)
            .map_or((rest, ""), |(name, operands)| (name, operands.trim_start())),
    )
}

/// The labels in the operands of a table: `.LBB2_5-.LJTI2_0` is a distance to the first of the two.
pub(super) fn entries(operands: &str) -> impl Iterator<Item = &str> {
    operands
        .split(',')
        .map(|operand| operand.split(['-', '+']).next().unwrap_or_default().trim())
        .filter(|label| is_label(label) && !label.starts_with(|one: char| one.is_ascii_digit()))
}

/// A name as an assembler takes it, possibly in quotes.
pub(super) fn is_label(text: &str) -> bool {
    let bare = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    !text.is_empty()
        && (bare.is_some()
            || text.chars().all(|one| one.is_alphanumeric() || matches!(one, '_' | '.' | '$' | '@')))
}

pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
