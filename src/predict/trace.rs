//! Which instructions does one turn of a loop execute, in their order? Inner loops of a known number of rounds are written out, calls of
//! leaf functions followed; what depends on data is said and not guessed.

#![forbid(unsafe_code)]

use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, OpKind, Register};

use super::constants::Constants;
use super::flow::{Flow, Loop};
use super::own_code::Code;

/// A turn of more instructions than this is not written out.
const MOST_INSTRUCTIONS: usize = 20_000;

/// One turn of a loop.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The instructions in the order in which they run, calls and returns of followed functions included.
    pub instructions: Vec<Instruction>,
    /// The addresses that calls go to, and whether they were followed; 0 where the address is not known.
    pub calls: Vec<(u64, bool)>,
    /// Conditional jumps inside of the turn whose way depends on data; the trace goes on as if they were not taken.
    pub branches: Vec<u64>,
    /// The heads of inner loops whose number of rounds is not in the code; the trace has one round of each.
    pub inner: Vec<u64>,
    /// Why this is not the whole turn, where it is not.
    pub broken: Option<String>,
    /// Where the function begins, so that places in it can be named; 0 names them by their addresses.
    pub base: u64,
    /// By how much the loop's own counter moves in a turn, where that is known: a compiler that unrolled the loop once more moves it by
    /// more than one.
    pub counter_step: Option<i64>,
}

impl Trace {
    /// Whether a static model can be asked: the turn is a straight line that is known to its end.
    pub fn obstacle(&self) -> Option<String> {
        if let Some(broken) = &self.broken {
            return Some(broken.clone());
        }
        if let Some((callee, _)) = self.calls.iter().find(|(_, followed)| !followed) {
            return Some(match callee {
                0 => "it calls a function through a pointer".to_owned(),
                callee => format!("it calls a function that calls others, at {callee:#x}"),
            });
        }
        if !self.inner.is_empty() {
            return Some(self.inner_loops());
        }
        let first = self.place(*self.branches.first()?);
        Some(match self.branches.len() {
            1 => format!("its way at {first} depends on data"),
            count => format!("its way depends on data at {count} jumps, first at {first}"),
        })
    }

    /// The inner loops of unknown rounds, by name.
    fn inner_loops(&self) -> String {
        const NAMED: usize = 4;
        let named: Vec<String> = self.inner.iter().take(NAMED).map(|head| self.place(*head)).collect();
        let named = named.join(", ");
        match self.inner.len() {
            1 => format!("the number of rounds of its inner loop at {named} is not in the code"),
            count if count <= NAMED => {
                format!("the numbers of rounds of its {count} inner loops at {named} are not in the code")
            }
            count => format!(
                "the numbers of rounds of its {count} inner loops at {named} and further on are not in the code"
            ),
        }
    }

    /// An address as messages name it: by its offset in the function where that is known.
    fn place(&self, address: u64) -> String {
        match address.checked_sub(self.base) {
            Some(offset) if self.base > 0 => format!("+{offset:#x}"),
            _ => format!("{address:#x}"),
        }
    }

    /// The instructions that do something: all but calls, returns and unconditional jumps, which a static model does not know.
    pub fn straight(&self) -> Vec<Instruction> {
        self.straight_places().into_iter().filter_map(|at| self.instructions.get(at)).copied().collect()
    }

    /// Where those stand in `instructions`.
    pub(super) fn straight_places(&self) -> Vec<usize> {
        let goes_elsewhere = |instruction: &Instruction| {
            matches!(
                instruction.flow_control(),
                FlowControl::Call
                    | FlowControl::IndirectCall
                    | FlowControl::Return
                    | FlowControl::UnconditionalBranch
            )
        };
        let places = self.instructions.iter().enumerate();
        places.filter(|(_, instruction)| !goes_elsewhere(instruction)).map(|(at, _)| at).collect()
    }
}

/// One turn of `the_loop`, from its head. `callee` gives the code that a call goes to, if it may be followed.
pub fn trace(flow: &Flow, the_loop: &Loop, callee: &dyn Fn(u64) -> Option<Code>) -> Trace {
    let mut trace = Trace::default();
    let mut constants = Constants::default();
    let mut info = InstructionInfoFactory::new();
    let inner = flow.inside(the_loop);
    // The function that was called, and where it returns to.
    let mut inside: Option<(Flow, u64)> = None;
    let mut at = the_loop.head;
    loop {
        let place = inside.as_ref().map_or(flow, |(flow, _)| flow);
        let Some(instruction) = place.instructions.get(&at).copied() else {
            trace.broken = Some(format!("it cannot be followed to {at:#x}"));
            return trace;
        };
        if trace.instructions.len() >= MOST_INSTRUCTIONS {
            trace.broken = Some(format!("a turn has more than {MOST_INSTRUCTIONS} instructions"));
            return trace;
        }
        trace.instructions.push(instruction);
        let next = instruction.next_ip();
        let mut to = next;
        match instruction.flow_control() {
            FlowControl::Next => {}
            FlowControl::UnconditionalBranch => to = instruction.near_branch_target(),
            FlowControl::ConditionalBranch => {
                let target = instruction.near_branch_target();
                let body = inside.is_none().then_some(&the_loop.body);
                let stays = |address: u64| body.is_none_or(|body| body.contains(&address));
                to = match (constants.taken(&instruction), stays(target), stays(next)) {
                    (_, true, false) => target,
                    (_, false, true) => next,
                    (Some(true), ..) => target,
                    (Some(false), ..) => next,
                    (None, ..) if inside.is_none() && target == the_loop.head => target,
                    (None, ..) if inside.is_some() && target <= at => {
                        trace.broken = Some(format!(
                            "the number of rounds of a loop at {target:#x}, in a function that it calls, is not in the code"
                        ));
                        return trace;
                    }
                    (None, ..) if inside.is_some() => {
                        trace.branches.push(at);
                        next
                    }
                    (None, ..) => {
                        let before = trace.branches.contains(&at);
                        match way_out(&inner, at, (target, next), before) {
                            Some((head, out)) => {
                                if !trace.inner.contains(&head) {
                                    trace.inner.push(head);
                                }
                                out
                            }
                            // A guard may be laid out as a jump back: that alone makes no round of it. Who comes here twice in a turn takes
                            // the other way.
                            None => {
                                trace.branches.push(at);
                                if before { target } else { next }
                            }
                        }
                    }
                };
            }
            FlowControl::Call => {
                let target = instruction.near_branch_target();
                let followed = if inside.is_none() { callee(target).and_then(leaf) } else { None };
                trace.calls.push((target, followed.is_some()));
                if let Some(flow) = followed {
                    to = target;
                    inside = Some((flow, next));
                }
            }
            FlowControl::IndirectCall => {
                let target = pointer(&instruction).and_then(super::own_code::pointer_at).unwrap_or(0);
                trace.calls.push((target, false));
            }
            FlowControl::Return => match inside.take() {
                Some((_, back)) => to = back,
                None => {
                    trace.broken = Some(format!("it returns at {at:#x}"));
                    return trace;
                }
            },
            _ => {
                trace.broken = Some(format!("it cannot be followed past {at:#x}"));
                return trace;
            }
        }
        constants.step(&instruction, &mut info);
        if inside.is_none() && to == the_loop.head {
            trace.counter_step = constants.counter_step();
            return trace;
        }
        at = to;
    }
}

/// Where the jump at `at` leaves the innermost of the `inner` loops that it is in, if its other way begins another round or it was met
/// in this turn `before`: the head of that loop, and the way out.
fn way_out(inner: &[Loop], at: u64, (target, next): (u64, u64), before: bool) -> Option<(u64, u64)> {
    // Outer ones stand before those inside of them.
    let around: Vec<&Loop> = inner.iter().filter(|one| one.body.contains(&at)).rev().collect();
    around.iter().find_map(|one| {
        let (stay, out) = match (one.body.contains(&target), one.body.contains(&next)) {
            (true, false) => (target, next),
            (false, true) => (next, target),
            _ => return None,
        };
        (before || stay <= at || stay == one.head).then_some((one.head, out))
    })
}

/// What a function can execute, if it calls no other and ends by returning.
fn leaf(code: Code) -> Option<Flow> {
    let flow = Flow::follow(&code, code.address, |_| false);
    let calls = flow.instructions.values().any(|instruction| {
        matches!(instruction.flow_control(), FlowControl::Call | FlowControl::IndirectCall)
    });
    (!calls && flow.lost.is_empty()).then_some(flow)
}

/// The address that an indirect call loads its target from, where the code says it.
fn pointer(call: &Instruction) -> Option<u64> {
    (call.op_kind(0) == OpKind::Memory && call.memory_base() == Register::RIP)
        .then(|| call.ip_rel_memory_address())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traced(bytes: &[u8]) -> Trace {
        let code = Code { address: 0x1000, bytes: bytes.to_vec(), symbol: None };
        let flow = Flow::follow(&code, 0x1000, |_| false);
        let outer = flow.outermost();
        trace(&flow, &outer[0], &|address| {
            Some(Code { address, bytes: code.from(address).to_vec(), symbol: None })
        })
    }

    #[test]
    fn an_inner_loop_of_constant_rounds_is_written_out() {
        // 1: mov ecx, 16; 2: imul rax, rdx; dec ecx; jnz 2b; dec rsi; jnz 1b; ret
        let trace = traced(&[
            0xb9, 16, 0, 0, 0, 0x48, 0x0f, 0xaf, 0xc2, 0xff, 0xc9, 0x75, 0xf8, 0x48, 0xff, 0xce, 0x75, 0xee,
            0xc3,
        ]);
        assert_eq!(trace.obstacle(), None);
        assert_eq!(trace.instructions.len(), 1 + 16 * 3 + 2);
        assert_eq!(trace.counter_step, Some(-1));
    }

    #[test]
    fn an_inner_loop_of_unknown_rounds_is_refused() {
        // 1: mov ecx, edi; 2: imul rax, rdx; dec ecx; jnz 2b; dec rsi; jnz 1b; ret
        let trace = traced(&[
            0x89, 0xf9, 0x48, 0x0f, 0xaf, 0xc2, 0xff, 0xc9, 0x75, 0xf8, 0x48, 0xff, 0xce, 0x75, 0xf1, 0xc3,
        ]);
        assert!(trace.obstacle().unwrap().contains("inner loop at 0x1002"), "{trace:?}");
    }

    #[test]
    fn a_leaf_is_followed_and_a_jump_by_data_is_named() {
        // 1: call f; dec rsi; jnz 1b; ret; f: imul rax, rax; ret
        let trace =
            traced(&[0xe8, 6, 0, 0, 0, 0x48, 0xff, 0xce, 0x75, 0xf6, 0xc3, 0x48, 0x0f, 0xaf, 0xc0, 0xc3]);
        assert_eq!(trace.obstacle(), None);
        assert_eq!(trace.calls, [(0x100b, true)]);
        assert_eq!((trace.instructions.len(), trace.straight().len()), (5, 3));
        // 1: test rax, rax; jz 2f; inc rax; 2: dec rsi; jnz 1b; ret
        let trace =
            traced(&[0x48, 0x85, 0xc0, 0x74, 3, 0x48, 0xff, 0xc0, 0x48, 0xff, 0xce, 0x75, 0xf3, 0xc3]);
        assert_eq!(trace.branches, [0x1003]);
        assert!(trace.obstacle().unwrap().contains("0x1003"));
    }

    #[test]
    fn a_counter_that_moves_by_more_is_seen() {
        // 1: imul rax, rdx; add rsi, -2; jnz 1b; ret
        let trace = traced(&[0x48, 0x0f, 0xaf, 0xc2, 0x48, 0x83, 0xc6, 0xfe, 0x75, 0xf6, 0xc3]);
        assert_eq!(trace.counter_step, Some(-2));
    }

    #[test]
    fn a_turn_goes_on_behind_inner_loops_of_unknown_rounds_and_names_them() {
        // 1: mov ecx, edi; 2: imul rax, rdx; dec ecx; jnz 2b; 3: add rax, rdx; dec r8d; jnz 3b; dec rsi; jnz 1b; ret
        let trace = traced(&[
            0x89, 0xf9, 0x48, 0x0f, 0xaf, 0xc2, 0xff, 0xc9, 0x75, 0xf8, 0x48, 0x01, 0xd0, 0x41, 0xff, 0xc8,
            0x75, 0xf8, 0x48, 0xff, 0xce, 0x75, 0xe9, 0xc3,
        ]);
        assert_eq!((trace.inner.as_slice(), trace.instructions.len()), (&[0x1002, 0x100a][..], 9));
        let obstacle = trace.obstacle().unwrap();
        assert!(obstacle.contains("2 inner loops at 0x1002, 0x100a"), "{obstacle}");
        let named = Trace { base: 0x1000, ..trace }.obstacle().unwrap();
        assert!(named.contains("at +0x2, +0xa are not"), "{named}");
    }

    #[test]
    fn a_guard_that_jumps_back_over_a_part_of_the_turn_is_taken_to_be_not_taken() {
        // jmp 2f; 1: dec rsi; jz 3f; 2: test rax, rax; jz 1b; imul rax, rdx; jmp 1b; 3: ret
        let trace = traced(&[
            0xeb, 0x05, 0x48, 0xff, 0xce, 0x74, 0x0b, 0x48, 0x85, 0xc0, 0x74, 0xf6, 0x48, 0x0f, 0xaf, 0xc2,
            0xeb, 0xf0, 0xc3,
        ]);
        assert_eq!((trace.branches.as_slice(), trace.instructions.len()), (&[0x100a][..], 6), "{trace:?}");
        assert!(trace.obstacle().unwrap().contains("its way at 0x100a depends on data"));
    }

    #[test]
    fn an_inner_loop_that_is_left_by_a_jump_forward_is_gone_through_once() {
        // 1: imul rax, rdx; dec ecx; jz 2f; jmp 1b (inner); 2: dec rsi; jnz 0b, where 0: mov ecx, edi; ret
        let trace = traced(&[
            0x89, 0xf9, 0x48, 0x0f, 0xaf, 0xc2, 0xff, 0xc9, 0x74, 0x02, 0xeb, 0xf6, 0x48, 0xff, 0xce, 0x75,
            0xef, 0xc3,
        ]);
        assert_eq!((trace.inner.as_slice(), &trace.broken), (&[0x1002][..], &None));
        // A second round shows that it is one: its jump, and the jump back.
        assert_eq!(trace.instructions.len(), 1 + 4 + 3 + 2);
    }
}
