//! Where in an object file is a function's machine code?

use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionKind, SymbolKind};

use crate::error::{Error, ErrorKind, Result};
use crate::record::text::{elide, inert};

/// The machine code of the one section that an assembler filled.
///
/// # Errors
///
/// `Input` for what is no object, and for code that refers to something outside of it.
pub(super) fn text_section(object: &[u8]) -> Result<Vec<u8>> {
    let file = parse(object, "what the assembler wrote")?;
    let Some(section) = file.section_by_name(".text") else { return Ok(Vec::new()) };
    let data = section.data().map_err(|error| damaged("what the assembler wrote", &error))?.to_vec();
    if let Some((offset, relocation)) = section.relocations().next() {
        let name = target(&file, &relocation);
        return Err(Error::new(
            ErrorKind::Input,
            format!("the text refers to \"{name}\", which it does not define (offset {offset:#x})"),
        )
        .because("a block is measured by itself, and there is nothing to link it with")
        .remedy(
            "use a register, a number or a label of the block; if it was meant as one, check its spelling",
        ));
    }
    Ok(data)
}

/// The machine code of the function `symbol` in the object `bytes`, without a final `ret`.
///
/// # Errors
///
/// `Input` for what is no x86-64 object, for a symbol that it does not have (with those that it has) or has several of, and
/// for a function that refers to something outside of it.
pub fn function(bytes: &[u8], symbol: &str) -> Result<Vec<u8>> {
    let file = parse(bytes, "the object file")?;
    if file.architecture() != object::Architecture::X86_64 {
        return Err(Error::new(
            ErrorKind::Input,
            format!("the object file is for {:?}", file.architecture()),
        )
        .because("only x86-64 code can be measured")
        .remedy("compile for x86_64-unknown-linux-gnu"));
    }
    let functions: Vec<_> = file
        .symbols()
        .chain(file.dynamic_symbols())
        .filter(|one| one.is_definition() && matches!(one.kind(), SymbolKind::Text | SymbolKind::Unknown))
        .filter(|one| {
            one.section_index()
                .and_then(|index| file.section_by_index(index).ok())
                .is_some_and(|section| section.kind() == SectionKind::Text)
        })
        .filter_map(|one| one.name().ok().filter(|name| !name.is_empty()).map(|name| (name.to_owned(), one)))
        .collect();
    let exact = functions.iter().find(|(name, _)| name == symbol);
    let mut partly: Vec<_> =
        functions.iter().filter(|(name, _)| !symbol.is_empty() && name.contains(symbol)).collect();
    partly.dedup_by_key(|(_, one)| one.address());
    let (name, found) = match (exact, partly.as_slice()) {
        (Some(found), _) => found,
        (None, [only]) => *only,
        (None, several) => {
            let shown = elide(&inert(symbol), 80);
            let list = |names: Vec<&str>| {
                let mut shown: Vec<String> =
                    names.iter().take(8).map(|name| elide(&inert(name), 60)).collect();
                if names.len() > 8 {
                    shown.push(format!("{} more", names.len() - 8));
                }
                shown.join(", ")
            };
            let error = |what: String| Error::new(ErrorKind::Input, what);
            return Err(if several.is_empty() {
                let all = functions.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
                let error = error(format!("the object file has no function \"{shown}\""));
                if all.is_empty() {
                    error.because("it has no functions at all, or was stripped of their names")
                } else {
                    error.remedy(format!("it has {}", list(all)))
                }
            } else {
                error(format!("\"{shown}\" is part of the names of {} functions", several.len())).remedy(
                    format!("give one of {}", list(several.iter().map(|(name, _)| name.as_str()).collect())),
                )
            });
        }
    };
    let (index, start) = (found.section_index(), found.address());
    let section = index
        .and_then(|index| file.section_by_index(index).ok())
        .ok_or_else(|| Error::new(ErrorKind::Input, format!("\"{}\" is in no section", inert(name))))?;
    let data = section.data().map_err(|error| damaged("the object file", &error))?;
    let begin = usize::try_from(start.wrapping_sub(section.address())).unwrap_or(usize::MAX);
    let size = match found.size() {
        // A symbol without a size, as hand-written assembly has them, ends where the next one begins.
        0 => functions
            .iter()
            .filter(|(_, one)| one.section_index() == index && one.address() > start)
            .map(|(_, one)| one.address() - start)
            .min()
            .and_then(|size| usize::try_from(size).ok())
            .unwrap_or_else(|| data.len().saturating_sub(begin)),
        size => usize::try_from(size).unwrap_or(usize::MAX),
    };
    let code = begin.checked_add(size).and_then(|end| data.get(begin..end)).ok_or_else(|| {
        Error::new(ErrorKind::Input, format!("\"{}\" lies outside of its section", inert(name)))
            .because("the object file is damaged")
            .remedy("build it again")
    })?;
    let range = begin as u64..(begin + size) as u64;
    let outside = section.relocations().find(|(offset, _)| {
        range.contains(&offset.wrapping_sub(if file.kind() == object::ObjectKind::Relocatable {
            0
        } else {
            section.address()
        }))
    });
    if let Some((offset, relocation)) = outside {
        return Err(Error::new(
            ErrorKind::Input,
            format!(
                "\"{}\" refers to \"{}\" (offset {:#x})",
                elide(&inert(name), 60),
                target(&file, &relocation),
                offset.wrapping_sub(begin as u64)
            ),
        )
        .because("a function is measured by itself, and there is nothing to link it with")
        .remedy("give a function without calls and constants of its own, or the part that matters as text or with --hex"));
    }
    Ok(without_return(code).to_vec())
}

/// The code without the `ret` at its end, and without the padding behind that.
fn without_return(code: &[u8]) -> &[u8] {
    let instructions = super::effects::decode(code);
    let last = instructions.iter().rposition(|one| one.mnemonic() != iced_x86::Mnemonic::Nop);
    let end = match last.and_then(|at| instructions.get(at)) {
        Some(one) if one.flow_control() == iced_x86::FlowControl::Return => usize::try_from(one.ip()).ok(),
        _ => None,
    };
    // What does not decode to its end is left for the decoder to complain about.
    let whole = instructions.iter().map(iced_x86::Instruction::len).sum::<usize>() == code.len();
    end.filter(|_| whole).and_then(|end| code.get(..end)).unwrap_or(code)
}

fn parse<'b>(bytes: &'b [u8], what: &str) -> Result<object::File<'b>> {
    object::File::parse(bytes).map_err(|error| {
        let hint = if bytes.starts_with(b"!<arch>\n") {
            "it is an archive: take the member that you want out of it with ar x"
        } else {
            "give an ELF file: an object (.o), a library (.so) or a program"
        };
        Error::new(ErrorKind::Input, format!("{what} cannot be read as an object: {error}"))
            .remedy(hint)
            .caused_by(error)
    })
}

fn damaged(what: &str, error: &object::Error) -> Error {
    Error::new(ErrorKind::Input, format!("{what} is damaged: {error}")).remedy("build it again")
}

fn target(file: &object::File<'_>, relocation: &object::Relocation) -> String {
    let name = match relocation.target() {
        RelocationTarget::Symbol(index) => {
            file.symbol_by_index(index).ok().and_then(|one| one.name().ok().map(str::to_owned))
        }
        RelocationTarget::Section(index) => {
            file.section_by_index(index).ok().and_then(|one| one.name().ok().map(str::to_owned))
        }
        _ => None,
    };
    elide(&inert(name.as_deref().filter(|name| !name.is_empty()).unwrap_or("another section")), 60)
}
