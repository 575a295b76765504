//! How is an instruction written so that assemblers and llvm-mca read it as the one it is? In AT&T syntax, every memory operand with the
//! displacement that is encoded.

#![forbid(unsafe_code)]

use iced_x86::{FlowControl, Formatter, GasFormatter, Instruction};

/// `instructions` in AT&T syntax, one a line. Jumps go to a label that stands before the first.
pub fn att(instructions: &[Instruction]) -> Vec<String> {
    let mut formatter = GasFormatter::new();
    let options = formatter.options_mut();
    options.set_rip_relative_addresses(true);
    options.set_space_after_operand_separator(true);
    options.set_small_hex_numbers_in_decimal(true);
    options.set_gas_show_mnemonic_size_suffix(true);
    let mut lines = vec![".Lturn:".to_owned()];
    for instruction in instructions {
        let mut line = String::new();
        if instruction.flow_control() == FlowControl::ConditionalBranch {
            formatter.format_mnemonic(instruction, &mut line);
            line.push_str(" .Lturn");
        } else {
            formatter.format(instruction, &mut line);
        }
        lines.push(line);
    }
    lines
}
