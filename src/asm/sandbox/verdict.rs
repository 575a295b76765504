//! What did a program do that ended it? The class of a signal, by the trap, the address and the instruction.

use std::sync::atomic::Ordering;

use iced_x86::{Decoder, DecoderOptions, Formatter, IntelFormatter, OpKind, Register};

use super::blob::{Blob, PAGE, Place};
use super::child::{HIGHEST, LOWEST, MOST_PAGES};
use super::memory::Region;
use crate::asm::program::{Refusal, RefusalClass};

/// The x86 exceptions, by their numbers.
mod trap {
    pub(super) const DIVIDE: u64 = 0;
    pub(super) const DEBUG: u64 = 1;
    pub(super) const STACK: u64 = 12;
    pub(super) const PROTECTION: u64 = 13;
    pub(super) const PAGE: u64 = 14;
    pub(super) const ALIGNMENT: u64 = 17;
}

/// A signal as the child's handler noted it.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    signal: i32,
    trap: u64,
    error: u64,
    address: u64,
    ip: u64,
    registers: [u64; 16],
    pages: u32,
}

impl Fault {
    pub(super) fn of(region: &Region) -> Self {
        let control = region.control();
        Self {
            signal: control.signal.load(Ordering::Relaxed),
            trap: control.trap.load(Ordering::Relaxed),
            error: control.error.load(Ordering::Relaxed),
            address: control.address.load(Ordering::Relaxed),
            ip: control.ip.load(Ordering::Relaxed),
            registers: std::array::from_fn(|at| control.registers[at].load(Ordering::Relaxed)),
            pages: control.pages.load(Ordering::Relaxed),
        }
    }
}

/// The refusal that it amounts to.
pub(super) fn refusal(fault: &Fault, region: &Region, blob: &Blob, body: &[u8]) -> Refusal {
    // A trap is reported behind its instruction, a system call as well.
    let behind = match fault.signal {
        libc::SIGTRAP => 1,
        libc::SIGSYS => 2,
        _ => 0,
    };
    let at = fault.ip.wrapping_sub(region.code()).wrapping_sub(behind);
    let place = if region.is_code(fault.ip) { blob.place(at as usize, body.len()) } else { Place::Elsewhere };
    let offset = match place {
        Place::Body(offset) => Some(offset),
        _ => None,
    };
    let (class, detail) = classed(fault, region, place, offset.and_then(|offset| body.get(offset..)));
    let detail = if place == Place::Setup { format!("{detail} (in its setup)") } else { detail };
    Refusal { class, offset, detail }
}

fn classed(fault: &Fault, region: &Region, place: Place, rest: Option<&[u8]>) -> (RefusalClass, String) {
    const WRITE: u64 = 1 << 1;
    const FETCH: u64 = 1 << 4;
    let Fault { address, ip, .. } = *fault;
    let text = rest.map_or_else(String::new, instruction);
    if fault.signal == libc::SIGSYS && place != Place::Elsewhere {
        return (RefusalClass::SystemCall, format!("{text} asks for system call {:#x}", fault.registers[0]));
    }
    if fault.signal == libc::SIGTRAP && fault.trap == trap::DEBUG {
        return (
            RefusalClass::Trap,
            "single steps were asked for (the trap flag), or a debug trap".to_owned(),
        );
    }
    if place == Place::Elsewhere || (fault.trap == trap::PAGE && fault.error & FETCH != 0) {
        return (RefusalClass::JumpOut, format!("control went to {ip:#x}, outside of the block"));
    }
    match (fault.signal, fault.trap) {
        (libc::SIGFPE, trap::DIVIDE) => {
            (RefusalClass::DivisionFault, format!("{text} divides by zero, or its quotient is too large"))
        }
        (libc::SIGFPE, _) => (RefusalClass::Trap, format!("{text} raised a floating-point exception")),
        (libc::SIGILL, _) => (
            RefusalClass::IllegalInstruction,
            format!("{text} raised #UD: this CPU or kernel does not have it"),
        ),
        (libc::SIGTRAP, _) => (RefusalClass::Trap, format!("{text} raised a trap")),
        (_, trap::STACK) => {
            (RefusalClass::StackAbuse, format!("{text} uses a stack at {:#x}", fault.registers[4]))
        }
        (_, trap::ALIGNMENT) => (RefusalClass::Misaligned, format!("{text} with alignment checks on")),
        (_, trap::PROTECTION) => protection(fault, rest, &text),
        (_, trap::PAGE) if fault.error & WRITE != 0 && region.is_code(address) => {
            (RefusalClass::SelfModifying, format!("{text} writes to code"))
        }
        (_, trap::PAGE) if (address.wrapping_sub(fault.registers[4]) as i64).unsigned_abs() < PAGE as u64 => {
            (RefusalClass::StackAbuse, format!("{text} uses a stack at {address:#x}, where none can be"))
        }
        (_, trap::PAGE) if fault.pages > MOST_PAGES => {
            (RefusalClass::SegmentViolation, format!("{text} touches more than {MOST_PAGES} pages"))
        }
        (_, trap::PAGE) => {
            let why = if address < LOWEST {
                "below the lowest page"
            } else if address >= HIGHEST {
                "in the kernel's half"
            } else {
                "which is not the block's"
            };
            (RefusalClass::SegmentViolation, format!("{text} goes to {address:#x}, {why}"))
        }
        (signal, trap) => (RefusalClass::Trap, format!("{text} raised signal {signal}, trap {trap}")),
    }
}

/// #GP has no address: it is told from the instruction and the registers.
fn protection(fault: &Fault, rest: Option<&[u8]>, text: &str) -> (RefusalClass, String) {
    let Some(instruction) =
        rest.map(|rest| Decoder::with_ip(64, rest, fault.ip, DecoderOptions::NONE).decode())
    else {
        return (RefusalClass::Privileged, format!("{text} raised #GP"));
    };
    let memory: Vec<u32> = (0..instruction.op_count())
        .filter(|at| {
            matches!(
                instruction.op_kind(*at),
                OpKind::Memory
                    | OpKind::MemorySegRSI
                    | OpKind::MemoryESRDI
                    | OpKind::MemorySegRDI
                    | OpKind::MemorySegESI
                    | OpKind::MemoryESEDI
            )
        })
        .collect();
    if memory.is_empty() {
        return (RefusalClass::Privileged, format!("{text} is the kernel's, or asked for what is"));
    }
    let address = memory.into_iter().find_map(|at| {
        instruction.virtual_address(at, 0, |register, _, _| {
            Some(match register {
                Register::CS | Register::DS | Register::ES | Register::SS | Register::FS | Register::GS => 0,
                register if register.is_gpr() => fault.registers.get(register.number()).copied()?,
                _ => return None,
            })
        })
    });
    match address {
        Some(address) if (address as i64) << 16 >> 16 == address as i64 => {
            (RefusalClass::Misaligned, format!("{text} needs an aligned address, not {address:#x}"))
        }
        Some(address) => (
            RefusalClass::SegmentViolation,
            format!("{text} goes to {address:#x}, which is no canonical address"),
        ),
        None => (RefusalClass::SegmentViolation, format!("{text} raised #GP by its memory operand")),
    }
}

/// The first instruction as text.
fn instruction(bytes: &[u8]) -> String {
    let instruction = Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE).decode();
    let mut text = String::new();
    IntelFormatter::new().format(&instruction, &mut text);
    text
}
