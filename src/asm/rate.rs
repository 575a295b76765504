//! Which program shows how many instructions of a form a core finishes when none waits for another?

use iced_x86::{Mnemonic, Register};

use super::chain::Kept;
use super::effects::{Place, carried, effects};
use super::features::Features;
use super::form::{Form, Value};
use super::kit::{Draft, Operands, Pools, carriers, constant_value, in_words, is_division, stride};
use super::operand::{Class, File, Operand};
use super::ports::{Port, Ports};
use super::program::Program;

/// A program of independent instructions, to be timed.
#[derive(Clone, Debug, PartialEq)]
pub struct Rate {
    /// What is special about it, for the id; none for the plain one.
    pub label: Option<String>,
    /// What is timed; an operation is one instruction of the form.
    pub program: Program,
    /// How the instructions are kept from waiting for one another, in words.
    pub how: String,
    /// Links of the longest chain that is carried, an operation: 0 for none. The cost cannot be below its latency times this.
    pub carried: f64,
    pub(super) targets: Vec<usize>,
}

/// The most instructions of the form in one repetition: as many as there are registers, so that chains of slow instructions do not bind.
const MOST: usize = 15;
/// Without registers to rotate, so many.
const PLAIN: usize = 8;

/// How the operands of a throughput program are allotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Allotment {
    /// Destinations rotate, sources are constants.
    Rotating,
    /// All go to one destination that none of them reads: shows a false dependence.
    OneDestination,
    /// All register operands are the same register.
    SameRegister,
}

/// Independent instructions with rotating destinations.
pub fn rate(form: &Form, features: &Features, operands: Operands) -> Option<Rate> {
    make(form, features, operands, Allotment::Rotating)
}

/// All to one destination, for a form that writes it without reading it.
pub fn rate_to_one_destination(form: &Form, features: &Features) -> Option<Rate> {
    let ports = Ports::of(form)?;
    let writes_only =
        ports.outputs.iter().any(|port| matches!(port, Port::Operand(_)) && !ports.reads(*port));
    (writes_only && !is_division(form))
        .then(|| make(form, features, Operands::Any, Allotment::OneDestination))?
}

/// All register operands the same: zero idioms, rotates by `shld`, and what a core makes of them.
pub fn rate_of_same_register(form: &Form, features: &Features) -> Option<Rate> {
    let files: Vec<File> = form
        .operands
        .iter()
        .filter_map(|operand| match operand {
            Operand::Register(class) => Some(class.file()),
            _ => None,
        })
        .collect();
    let alike = files.len() >= 2 && files.windows(2).all(|pair| pair[0] == pair[1]);
    (alike && !is_division(form)).then(|| make(form, features, Operands::Any, Allotment::SameRegister))?
}

/// Forms whose same-register form is an idiom on some core, worth a row of its own in a table.
pub fn has_idiom(form: &Form) -> bool {
    use Mnemonic as M;
    let name = form.mnemonic();
    let stem = name.strip_prefix('v').unwrap_or(&name);
    matches!(form.code.mnemonic(), M::Xor | M::Sub | M::Sbb | M::Shld | M::Shrd | M::Mov | M::Xchg)
        || ["pxor", "xorp", "psub", "pcmpeq", "pcmpgt", "pandn", "andnp"]
            .iter()
            .any(|idiom| stem.starts_with(idiom))
}

fn make(form: &Form, features: &Features, operands: Operands, allotment: Allotment) -> Option<Rate> {
    let ports = Ports::of(form)?;
    let mut draft = Draft::new(form, features, operands);
    let mut pools = Pools::new(&ports.fixed);
    let mut kept = Kept::default();
    let written = |at: usize| ports.writes(Port::Operand(at));
    let is_gather = form.operands.iter().any(|operand| matches!(operand, Operand::Gather(..)));
    // Constants first: whatever rotates gets what is left.
    let mut constants: Vec<Option<Value>> = Vec::new();
    for (at, operand) in form.operands.iter().enumerate() {
        constants.push(match *operand {
            Operand::Register(class) if !written(at) && allotment != Allotment::SameRegister => {
                let number = pools.of(class.file()).back()?;
                Some(Value::Register(class.register(number)))
            }
            Operand::Register(_) => None,
            // A gather's mask is used up by each gather.
            Operand::Gather(class, _) => {
                let number = pools.of(File::Vector).back()?;
                draft.start_as_zero(number);
                Some(constant_value(*operand, 0, class.register(number)))
            }
            Operand::Address(_) => {
                let number = pools.of(File::General).back()?;
                Some(constant_value(*operand, 0, Class::R64.register(number)))
            }
            other => Some(constant_value(other, 0, Register::None)),
        });
    }
    let mut cut = Vec::new();
    let resets = carriers(&ports, &[]);
    for register in &resets {
        kept.constant(&mut draft, &mut pools, *register)?;
        cut.push(Place::Register(*register));
    }
    let resets_flags = ports.flags_read & ports.flags_written != 0;
    if resets_flags {
        kept.general(&mut pools)?;
    }
    let mask_constant = if is_gather {
        let Some(Operand::Register(class)) = form.operands.get(2) else { return None };
        let number = pools.of(File::Vector).back()?;
        draft.start_as_ones(number);
        Some(class.register(number))
    } else {
        None
    };
    if is_division(form) {
        let (low, high, _) = draft.division();
        draft.start_with(Register::RAX, low);
        draft.start_with(Register::RDX, high);
    }
    // How many instructions until a register is used again.
    let mut turns = MOST;
    let rotating: Vec<(usize, File)> = form
        .operands
        .iter()
        .enumerate()
        .filter(|(at, _)| constants[*at].is_none())
        .filter_map(|(at, operand)| match operand {
            Operand::Register(class) => Some((at, class.file())),
            _ => None,
        })
        .collect();
    for file in [File::General, File::Vector, File::Mmx, File::Mask] {
        let wanted = rotating.iter().filter(|(_, one)| *one == file).count();
        let wanted = if allotment == Allotment::SameRegister { wanted.min(1) } else { wanted };
        if let Some(most) = pools.of(file).left().checked_div(wanted) {
            turns = turns.min(most);
        }
    }
    if rotating.is_empty() {
        turns = PLAIN;
    }
    if turns == 0 {
        return None;
    }
    let mut first: Option<Vec<(usize, usize)>> = None;
    let mut displacement = 0;
    for _ in 0..turns {
        let mut numbers: Vec<(usize, usize)> = Vec::new();
        for (at, file) in &rotating {
            let number = match (&first, allotment) {
                (Some(first), Allotment::OneDestination) => first.iter().find(|(one, _)| one == at)?.1,
                (_, Allotment::SameRegister) if !numbers.is_empty() => numbers.first()?.1,
                _ => pools.of(*file).front()?,
            };
            numbers.push((*at, number));
        }
        let values: Option<Vec<Value>> = form
            .operands
            .iter()
            .enumerate()
            .map(|(at, operand)| match (constants[at], *operand) {
                (Some(_), Operand::Memory(_)) => Some(constant_value(*operand, displacement, Register::None)),
                (Some(Value::Memory { index, .. }), Operand::Gather(..)) => {
                    Some(constant_value(*operand, displacement, index))
                }
                (Some(constant), _) => Some(constant),
                (None, Operand::Register(class)) => {
                    let number = numbers.iter().find(|(one, _)| *one == at)?.1;
                    Some(Value::Register(class.register(number)))
                }
                (None, _) => None,
            })
            .collect();
        let values = values?;
        draft.start_operands(&values);
        first.get_or_insert(numbers);
        displacement += stride(form);
        for register in &resets {
            let constant = kept.constant(&mut draft, &mut pools, *register)?;
            draft.copy(*register, constant)?;
        }
        if let (Some(constant), Some(Value::Register(mask))) = (mask_constant, values.get(2)) {
            draft.copy(*mask, constant)?;
        }
        if resets_flags {
            let constant = kept.general(&mut pools)?;
            draft.reset_flags(constant)?;
        }
        draft.target(&values)?;
    }
    let instructions = draft.instructions();
    let operations = draft.targets.len() as u64;
    let carried = carried(&effects(&instructions)).map_or(0.0, |chain| chain.growth / operations as f64);
    let mut how = match allotment {
        Allotment::Rotating if rotating.is_empty() => "independent instructions".to_owned(),
        Allotment::Rotating if carried > 0.0 => {
            format!("{turns} independent chains, one a destination, which each instruction also reads")
        }
        Allotment::Rotating => format!("{turns} destinations by turns"),
        Allotment::OneDestination => "all to one destination, which none of them reads".to_owned(),
        Allotment::SameRegister => format!("all operands the same register, {turns} of them by turns"),
    };
    if !cut.is_empty() {
        how.push_str(&format!("; {} set anew by a move before each", in_words(&cut)));
    }
    if mask_constant.is_some() {
        how.push_str("; the mask set anew by a move before each");
    }
    if resets_flags {
        how.push_str("; the flags set anew by a test before each");
    }
    let targets = draft.targets.clone();
    let word = match allotment {
        Allotment::Rotating => None,
        Allotment::OneDestination => Some("one destination"),
        Allotment::SameRegister => Some("same register"),
    };
    let label = operands.word().or(word).map(str::to_owned);
    Some(Rate { label, program: draft.finish(operations)?, how, carried, targets })
}
