//! Through which places can a value enter an instruction, and through which does a result leave it?

use iced_x86::{InstructionInfoFactory, Register};

use super::effects::{FLAGS, Place, access, full};
use super::form::Form;
use super::operand::{Class, File, Operand};

/// A way into or out of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Port {
    /// An operand that is a register of the tool's choice.
    Operand(usize),
    /// A register that the instruction uses whatever its operands are.
    Implicit(Register),
    /// The flags.
    Flags,
    /// The address of its memory operand.
    Address,
    /// The base and the index of an address that is computed.
    Base,
    Index,
    /// Its memory operand.
    Memory,
}

/// The ports of a form.
#[derive(Clone, Debug, Default)]
pub(super) struct Ports {
    pub(super) inputs: Vec<Port>,
    pub(super) outputs: Vec<Port>,
    /// The flags that it reads, and those that it writes with what depends on its inputs.
    pub(super) flags_read: u32,
    pub(super) flags_written: u32,
    /// All registers that it uses whatever its operands are, as their widest forms.
    pub(super) fixed: Vec<Register>,
}

impl Ports {
    pub(super) fn of(form: &Form) -> Option<Self> {
        let sample = form.sample()?;
        let mut ports = Self {
            flags_read: sample.rflags_read(),
            flags_written: sample.rflags_written(),
            ..Self::default()
        };
        let mut factory = InstructionInfoFactory::new();
        let info = factory.info(&sample);
        let mut explicit = Vec::new();
        for (at, operand) in form.operands.iter().enumerate() {
            let index = u32::try_from(at).ok()?;
            let (reads, writes) = access(info.op_access(index));
            match operand {
                Operand::Register(class) => {
                    explicit.push(full(sample.op_register(index)));
                    let merges = writes && matches!(class, Class::R8 | Class::R16);
                    if reads || merges {
                        ports.inputs.push(Port::Operand(at));
                    }
                    if writes {
                        ports.outputs.push(Port::Operand(at));
                    }
                }
                Operand::Memory(_) => {
                    explicit.push(Register::R14);
                    ports.inputs.push(Port::Address);
                    if reads {
                        ports.inputs.push(Port::Memory);
                    }
                    if writes {
                        ports.outputs.push(Port::Memory);
                    }
                }
                Operand::Gather(..) => {
                    explicit.extend([Register::R14, full(sample.memory_index())]);
                    ports.inputs.push(Port::Address);
                    if reads {
                        ports.inputs.push(Port::Memory);
                    }
                    if writes {
                        ports.outputs.push(Port::Memory);
                    }
                }
                Operand::Address(parts) => {
                    if parts.base {
                        explicit.push(full(sample.memory_base()));
                        ports.inputs.push(Port::Base);
                    }
                    explicit.push(full(sample.memory_index()));
                    ports.inputs.push(Port::Index);
                }
                Operand::Fixed(_) | Operand::Immediate(_) | Operand::One => {}
            }
        }
        for used in info.used_registers() {
            let register = full(used.register());
            if explicit.contains(&register) || register.is_segment_register() || register.is_ip() {
                continue;
            }
            let (reads, writes) = access(used.access());
            let merges = writes && used.register().is_gpr() && used.register().size() < 4;
            let port = Port::Implicit(register);
            if (reads || merges) && !ports.inputs.contains(&port) {
                ports.inputs.push(port);
            }
            if writes && !ports.outputs.contains(&port) {
                ports.outputs.push(port);
            }
            if !ports.fixed.contains(&register) {
                ports.fixed.push(register);
            }
        }
        let of_interest = |flags: u32| FLAGS.iter().any(|flag| flags & flag != 0);
        if of_interest(ports.flags_read) {
            ports.inputs.push(Port::Flags);
        }
        if of_interest(ports.flags_written) {
            ports.outputs.push(Port::Flags);
        }
        Some(ports)
    }

    pub(super) fn reads(&self, port: Port) -> bool {
        self.inputs.contains(&port)
    }

    pub(super) fn writes(&self, port: Port) -> bool {
        self.outputs.contains(&port)
    }
}

impl Port {
    /// The register file of what passes through it; `None` for flags and memory.
    pub(super) fn file(self, form: &Form) -> Option<File> {
        match self {
            Self::Operand(at) => match form.operands.get(at) {
                Some(Operand::Register(class)) => Some(class.file()),
                _ => None,
            },
            Self::Implicit(register) => Class::of(register).map(Class::file),
            Self::Address | Self::Base | Self::Index => Some(File::General),
            Self::Flags | Self::Memory => None,
        }
    }

    /// The name in the id of a result.
    pub(super) fn name(self) -> String {
        match self {
            Self::Operand(at) => format!("op{}", at + 1),
            Self::Implicit(register) => Place::Register(register).to_string(),
            Self::Flags => "flags".to_owned(),
            Self::Address => "address".to_owned(),
            Self::Base => "base".to_owned(),
            Self::Index => "index".to_owned(),
            Self::Memory => "memory".to_owned(),
        }
    }
}
