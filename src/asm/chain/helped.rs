//! Which helper instructions close a chain whose way back is not the form's own?

use iced_x86::{Code, Mnemonic, OpAccess};

use super::super::form::{LEA_DISPLACEMENT, Value};
use super::super::kit::{self, BASE, Draft, Pools, SCRATCH};
use super::super::operand::{Class, File, Operand};
use super::super::ports::Port;
use super::kept::Kept;
use super::{Chain, Helpers, Maker, Route};

impl Maker<'_> {
    /// Where the way back is not the form's own: helpers close it.
    pub(super) fn helped(&self, route: Route) -> Option<Chain> {
        let Route::Through(input, output) = route else { return None };
        let (mut draft, mut pools) = self.draft();
        let mut helpers = Helpers::default();
        let mut kept = Kept::default();
        // The result's register, and the operand's.
        let mut given = Vec::new();
        let result = match output {
            Port::Operand(at) => {
                let number = pools.of(output.file(self.form)?).front()?;
                given.push((at, number));
                Some(number)
            }
            Port::Implicit(register) => Some(register.number()),
            _ => None,
        };
        let chases =
            self.form.code == Code::Mov_r64_rm64 && input == Port::Address && output == Port::Operand(0);
        let input_file = match input {
            Port::Flags => None,
            _ => Some(input.file(self.form)?),
        };
        let entry = match input {
            Port::Operand(at) => {
                let number = pools.of(input_file?).front()?;
                given.push((at, number));
                Some(number)
            }
            Port::Implicit(register) => Some(register.number()),
            Port::Address => Some(BASE.number()),
            _ => None,
        };
        let mut values = self.allot(&mut draft, &mut pools, &given)?;
        self.start_division(&mut draft);
        let is_address = matches!(input, Port::Address | Port::Base | Port::Index);
        let computes = is_address && self.form.memory_access() == Some(OpAccess::NoMemAccess);
        if let (true, Some(number)) = (chases || computes, result) {
            // What was loaded or computed is the next address, or that part of it.
            for value in &mut values {
                if let Value::Memory { base, index, displacement, .. } = value {
                    *(if input == Port::Index { index } else { base }) = kit::general(number);
                    if computes && input == Port::Address {
                        *displacement = LEA_DISPLACEMENT;
                    }
                }
            }
            draft.start_with(kit::general(number), SCRATCH);
            if chases {
                draft.memory_points_to_itself();
            }
            draft.target(&values)?;
            let filled = self.fill(&mut draft, &mut pools, File::General, number, &mut kept)?;
            if filled > 0.0 {
                return None;
            }
            let how = if chases {
                "pointer chase: the memory holds its own address"
            } else {
                match input {
                    Port::Base => "the result is the base of the next address",
                    Port::Index => "the result is the index of the next address",
                    _ => "the result is the next address",
                }
            };
            let label = format!("{}->{}", input.name(), output.name());
            return self.conclude(draft, route, label, helpers, how);
        }
        // Out of the form, into a general register where files differ.
        let output_file = if output == Port::Flags { None } else { Some(output.file(self.form)?) };
        draft.target(&values)?;
        let mut at = (output_file, result);
        if output == Port::Flags {
            let (to, constant) = (pools.of(File::General).front()?, kept.general(&mut pools)?);
            let name = draft.move_from_flags(to, constant.number(), self.ports.flags_written)?;
            helpers.at_least(1.0, name);
            at = (Some(File::General), Some(to));
        }
        let (Some(mut file), Some(mut number)) = at else { return None };
        let filled = self.fill(&mut draft, &mut pools, file, number, &mut kept)?;
        self.add_fillers(&mut helpers, filled, file);
        let wanted = input_file.unwrap_or(File::General);
        if file != wanted && file != File::General {
            let to = pools.of(File::General).front()?;
            draft.move_to_general(file, to, number)?;
            helpers.at_least(1.0, "a move to a general register");
            (file, number) = (File::General, to);
        }
        if file != wanted {
            // Straight into the operand, if the form leaves it to us, else to a register beside it.
            let straight = matches!(input, Port::Operand(_)) && !self.ports.writes(input);
            let to = match entry.filter(|_| straight) {
                Some(entry) => entry,
                None => pools.of(wanted).front()?,
            };
            draft.move_from_general(wanted, to, number)?;
            helpers.at_least(1.0, "a move from a general register");
            (file, number) = (wanted, to);
        }
        self.enter(&mut draft, &mut pools, &mut helpers, &mut kept, input, entry, (file, number))?;
        self.cut(&mut draft, &mut pools, &values, input, &mut kept)?;
        if self.ports.writes(input) && input != output && !matches!(input, Port::Implicit(_)) {
            helpers.is_bound = true;
        }
        let narrow = |port: Port| match port {
            Port::Operand(at) => {
                matches!(self.form.operands.get(at), Some(Operand::Register(Class::R8 | Class::R16)))
            }
            _ => false,
        };
        helpers.is_bound |= narrow(output);
        let label = format!("{}->{}", input.name(), output.name());
        self.conclude(draft, route, label, helpers, "helpers close the chain")
    }

    /// Makes the input wait for `from`.
    #[allow(clippy::too_many_arguments, reason = "one step of the construction above, whose parts it needs")]
    fn enter(
        &self,
        draft: &mut Draft<'_>,
        pools: &mut Pools,
        helpers: &mut Helpers,
        kept: &mut Kept,
        input: Port,
        entry: Option<usize>,
        from: (File, usize),
    ) -> Option<()> {
        let (file, number) = from;
        match input {
            Port::Flags => {
                let constant = kept.general(pools)?;
                draft.set_flags_from(number, constant.number())?;
                helpers.at_least(1.0, "cmp");
                Some(())
            }
            Port::Memory | Port::Base | Port::Index => None,
            Port::Operand(_) | Port::Implicit(_) | Port::Address => {
                let entry = entry?;
                if entry == number && !(input == Port::Address && file != File::General) {
                    // What a signed division leaves is not always a dividend that it takes.
                    if let (Port::Implicit(register), Mnemonic::Idiv) = (input, self.form.code.mnemonic()) {
                        let constant = kept.constant(draft, pools, register)?;
                        let zero = kit::general(pools.of(File::General).back()?);
                        draft.start_with(zero, 0);
                        draft.restore(register, zero, constant)?;
                        helpers.exact(2.0, "and and or");
                    }
                    return Some(());
                }
                // What the form overwrites, or another chain went through, gets its value back first.
                if let Port::Implicit(register) = input
                    && self.ports.writes(input)
                {
                    let constant = kept.constant(draft, pools, register)?;
                    draft.copy(register, constant)?;
                }
                match file {
                    File::General => {
                        draft.couple(kit::general(entry), kit::general(number))?;
                        helpers.exact(2.0, "two xor");
                    }
                    File::Vector => {
                        draft.couple_vectors(entry, number)?;
                        helpers.at_least(2.0, "two pxor");
                    }
                    File::Mmx | File::Mask => return None,
                }
                Some(())
            }
        }
    }
}
