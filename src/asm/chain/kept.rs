//! Which constants does a program keep beside its operands?

use iced_x86::Register;

use super::super::kit::{self, Draft, Pools, is_division};
use super::super::operand::{Class, File};

/// Constants that a program keeps beside its operands, each taken from the pools when it is first needed.
#[derive(Clone, Debug, Default)]
pub(in crate::asm) struct Kept {
    general: Option<usize>,
    vector: Option<usize>,
    copies: Vec<(Register, Register)>,
}

impl Kept {
    /// Takes what is kept out of fresh pools.
    pub(super) fn take(&mut self, pools: &mut Pools) -> Option<()> {
        let taken = self.copies.iter().map(|(_, constant)| *constant);
        for constant in taken {
            let file = Class::of(constant)?.file();
            pools.of(file).remove(constant.number());
        }
        if let Some(general) = self.general {
            pools.of(File::General).remove(general);
        }
        if let Some(vector) = self.vector {
            pools.of(File::Vector).remove(vector);
        }
        Some(())
    }

    pub(in crate::asm) fn general(&mut self, pools: &mut Pools) -> Option<Register> {
        if self.general.is_none() {
            self.general = Some(pools.of(File::General).back()?);
        }
        self.general.map(kit::general)
    }

    pub(super) fn vector(&mut self, pools: &mut Pools) -> Option<usize> {
        if self.vector.is_none() {
            self.vector = Some(pools.of(File::Vector).back()?);
        }
        self.vector
    }

    /// The constant that `register` is given anew from.
    pub(in crate::asm) fn constant(
        &mut self,
        draft: &mut Draft<'_>,
        pools: &mut Pools,
        register: Register,
    ) -> Option<Register> {
        if let Some((_, constant)) = self.copies.iter().find(|(one, _)| *one == register) {
            return Some(*constant);
        }
        let class = Class::of(register)?;
        let number = pools.of(class.file()).back()?;
        let constant = class.register(number);
        if is_division(draft.form) {
            let (low, high, _) = draft.division();
            match register {
                Register::RAX => draft.start_with(constant, low),
                Register::RDX => draft.start_with(constant, high),
                _ => {}
            }
        }
        self.copies.push((register, constant));
        Some(constant)
    }
}
