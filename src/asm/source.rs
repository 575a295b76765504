//! Where does machine code come from? Text by way of an assembler, and hex digits.

use super::assembler::{Syntax, assemble as run_assembler};
use super::object_file::text_section;
use crate::error::{Error, ErrorKind, Result};
use crate::record::text::{elide, inert};

/// The longest text that is assembled, in bytes.
pub const MOST_TEXT: usize = 1024 * 1024;

/// Directives that only place bytes, or that compilers leave beside code.
const HARMLESS: [&str; 31] = [
    "byte",
    "word",
    "short",
    "value",
    "2byte",
    "4byte",
    "8byte",
    "long",
    "int",
    "quad",
    "octa",
    "align",
    "p2align",
    "balign",
    "nops",
    "text",
    "globl",
    "global",
    "type",
    "size",
    "file",
    "loc",
    "ident",
    "cfi_startproc",
    "cfi_endproc",
    "cfi_def_cfa_offset",
    "cfi_offset",
    "cfi_def_cfa_register",
    "cfi_def_cfa",
    "intel_syntax",
    "att_syntax",
];

/// The machine code of `text`, which is in `syntax` or, where that is `None`, in the one that it looks like. Instructions are separated
/// by `;` or by lines.
///
/// # Errors
///
/// `Input` for text that is too long, has a NUL, directives other than those that place bytes, definitions of symbols, or refers to
/// what it does not define, and for what the assembler refuses, with its line; `CannotMeasure` where no assembler is installed.
pub fn assemble(text: &str, syntax: Option<Syntax>) -> Result<Vec<u8>> {
    check(text)?;
    let object = run_assembler(text, syntax.unwrap_or_else(|| Syntax::detect(text)))?;
    text_section(&object)
}

/// The text in these bytes.
///
/// # Errors
///
/// `Input` for bytes that are not UTF-8, with the first of them.
pub fn utf8(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let byte = error.as_bytes().get(at).copied().unwrap_or_default();
        Error::new(ErrorKind::Input, format!("byte {at} of the text is {byte:#04x}, which is not UTF-8"))
            .because("assembly text is text")
            .remedy("save it as UTF-8; machine code is given with --hex or --object")
    })
}

/// Whether this text may be given to an assembler.
fn check(text: &str) -> Result<()> {
    if text.len() > MOST_TEXT {
        return Err(Error::new(ErrorKind::Input, format!("the text has {} bytes", text.len()))
            .because(format!("more than {MOST_TEXT} are not assembled"))
            .remedy("give the part that matters"));
    }
    if let Some(at) = text.find('\0') {
        return Err(Error::new(ErrorKind::Input, format!("byte {at} of the text is NUL"))
            .because("assembly text is text")
            .remedy("machine code is given with --hex or --object"));
    }
    if statements(text).iter().all(|(_, statement)| statement.is_empty()) {
        return Err(Error::new(ErrorKind::Input, "there is no instruction in the text")
            .because("it is empty, or nothing but comments and white space")
            .remedy("give an instruction, for example imul rax, rbx"));
    }
    for (line, statement) in statements(text) {
        let statement = past_labels(statement);
        if let Some(directive) = statement.strip_prefix('.') {
            let name: String =
                directive.chars().take_while(|one| one.is_ascii_alphanumeric() || *one == '_').collect();
            if !HARMLESS.contains(&name.to_ascii_lowercase().as_str()) {
                return Err(Error::new(
                    ErrorKind::Input,
                    format!("line {line} has the directive .{}", elide(&inert(&name), 40)),
                )
                .because("a block consists of instructions; directives could read files, define symbols or repeat without end")
                .remedy("write the instructions out; .byte, .long and .quad place bytes"));
            }
        }
        if defines(statement) {
            return Err(Error::new(
                ErrorKind::Input,
                format!("line {line} defines a symbol: \"{}\"", elide(&inert(statement), 60)),
            )
            .because("a block consists of instructions")
            .remedy("write the value where it is used"));
        }
    }
    Ok(())
}

/// Statements with the number of their line, without comments.
fn statements(text: &str) -> Vec<(usize, &str)> {
    text.lines()
        .enumerate()
        .flat_map(|(at, line)| {
            let code = line.split('#').next().unwrap_or_default();
            let code = code.split("//").next().unwrap_or_default();
            code.split(';').map(move |statement| (at + 1, statement.trim()))
        })
        .collect()
}

/// The statement behind the labels that it begins with.
fn past_labels(mut statement: &str) -> &str {
    while let Some((label, rest)) = statement.split_once(':') {
        let is_label = !label.is_empty()
            && label.chars().all(|one| one.is_alphanumeric() || matches!(one, '_' | '.' | '$'));
        if !is_label {
            break;
        }
        statement = rest.trim_start();
    }
    statement
}

/// `name = value`, in any of the ways that GNU as takes it.
fn defines(statement: &str) -> bool {
    let mut depth = 0i32;
    let mut quoted = false;
    statement.chars().any(|one| {
        match one {
            '"' => quoted = !quoted,
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ => {}
        }
        one == '=' && depth == 0 && !quoted
    }) || statement.split_whitespace().nth(1).is_some_and(|word| word.eq_ignore_ascii_case("equ"))
}

/// The bytes that hex digits stand for; white space, commas, `0x` and `\x` between them are passed over.
///
/// # Errors
///
/// `Input` for any other character, with its place, and for an odd number of digits.
///
/// ```
/// use fencepost::asm::hex;
/// assert_eq!(hex("0x48 01,d8").unwrap(), [0x48, 0x01, 0xd8]);
/// assert!(hex("480").unwrap_err().to_string().contains("odd"));
/// ```
pub fn hex(text: &str) -> Result<Vec<u8>> {
    let mut digits: Vec<u8> = Vec::new();
    let mut characters = text.char_indices().peekable();
    while let Some((at, one)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        match (one, next) {
            // Between bytes alone: `4 0x8` is no byte.
            ('0', Some('x' | 'X')) | ('\\', Some('x' | 'X')) if digits.len().is_multiple_of(2) => {
                characters.next();
            }
            (one, _) if one.is_whitespace() || matches!(one, ',' | '_' | '\'' | '"') => {}
            (one, _) => match one.to_digit(16) {
                Some(digit) => digits.push(u8::try_from(digit).unwrap_or(0)),
                None => {
                    return Err(Error::new(
                        ErrorKind::Input,
                        format!(
                            "character {} is \"{}\", which is no hex digit",
                            at + 1,
                            inert(&one.to_string())
                        ),
                    )
                    .because("machine code is given as digits 0 to 9 and a to f, two a byte")
                    .remedy("for example 4801d8 or 48 01 d8"));
                }
            },
        }
    }
    if !digits.len().is_multiple_of(2) {
        return Err(Error::new(
            ErrorKind::Input,
            format!("there are {} hex digits, an odd number", digits.len()),
        )
        .because("a byte has two")
        .remedy("add the digit that is missing"));
    }
    Ok(digits.chunks_exact(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_assembler() -> bool {
        let found = ["as", "llvm-mc"].iter().any(|name| {
            std::env::var_os("PATH")
                .is_some_and(|path| std::env::split_paths(&path).any(|one| one.join(name).exists()))
        });
        if !found {
            assert!(std::env::var_os("FENCEPOST_REQUIRE_TOOLS").is_none(), "no assembler is installed");
            eprintln!("SKIPPED: no assembler is installed");
        }
        found
    }

    #[test]
    fn both_syntaxes_make_the_same_code() {
        if !has_assembler() {
            return;
        }
        let intel = assemble("imul rax, rbx; add rax, 5", None).expect("Intel");
        assert_eq!(intel, [0x48, 0x0f, 0xaf, 0xc3, 0x48, 0x83, 0xc0, 0x05]);
        assert_eq!(assemble("imul %rbx, %rax\naddq $5, %rax", None).expect("AT&T"), intel);
        assert_eq!(
            assemble("1: dec rax; jnz 1b # back", Some(Syntax::Intel)).expect("a loop"),
            [0x48, 0xff, 0xc8, 0x75, 0xfb]
        );
    }

    #[test]
    fn what_is_not_a_block_is_refused_in_a_sentence() {
        for (text, part) in [
            ("", "no instruction"),
            (" \n # nothing\n;;", "no instruction"),
            (".incbin \"/etc/passwd\"", ".incbin"),
            ("nop\n .include \"x\"", "line 2"),
            ("x: .rept 1000000000; nop; .endr", ".rept"),
            ("a = 5; mov rax, a", "defines a symbol"),
            ("a equ 5", "defines a symbol"),
            ("nop\0", "NUL"),
            (".macro x", ".macro"),
        ] {
            let said = assemble(text, None).expect_err(text).to_string();
            assert!(said.contains(part), "{text:?}: {said}");
        }
        assert!(
            assemble(&"nop\n".repeat(MOST_TEXT), None).expect_err("long").to_string().contains("more than")
        );
        assert!(utf8(vec![b'n', 0xff]).expect_err("bytes").to_string().contains("byte 1"));
    }

    #[test]
    fn errors_of_the_assembler_name_the_line_and_the_symbol() {
        if !has_assembler() {
            return;
        }
        let said = assemble("nop\nimull rax, rbx", None).expect_err("no instruction").to_string();
        assert!(said.contains("line 2") && said.contains("did you mean imul?"), "{said}");
        let said = assemble("call memcpy", None).expect_err("undefined").to_string();
        assert!(said.contains("memcpy"), "{said}");
        let said = assemble("mov rax, rxx", None).expect_err("undefined").to_string();
        assert!(said.contains("rxx"), "{said}");
    }

    #[test]
    fn hex_is_read_in_the_forms_that_people_paste() {
        let code = vec![0x48, 0x01, 0xd8];
        for text in ["4801d8", "48 01 d8", "0x48, 0x01, 0xd8", "\\x48\\x01\\xd8", "0x4801d8", " 48\n01\td8 "]
        {
            assert_eq!(hex(text).expect(text), code, "{text}");
        }
        assert_eq!(hex("").expect("nothing"), Vec::<u8>::new());
        for text in ["48z1", "4", "48 0x", "€", "-1"] {
            assert!(hex(text).is_err() || text == "48 0x", "{text}");
        }
    }
}
