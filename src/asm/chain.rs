//! Through which operands of a form can a dependence chain be closed, and which program closes it?

use iced_x86::{Mnemonic, OpAccess, Register};

mod helped;
mod kept;

use super::effects::{Place, carried, effects, full};
use super::features::Features;
use super::form::{Form, Value};
use super::kit::{Draft, Operands, Pools, carriers, constant_value, is_division};
use super::operand::{Class, File, Operand};
use super::ports::{Port, Ports};
use super::program::Program;
pub(super) use kept::Kept;

/// A chain through a form, to be timed.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// From which operand to which: `op2->op1`.
    pub label: String,
    /// What is timed; an operation is one instruction of the form with its helpers.
    pub program: Program,
    /// Cycles of an operation that are helpers', by what is known of them for sure.
    pub helper_cycles: f64,
    /// Whether the helpers take exactly that; else what remains is an upper bound.
    pub exact: bool,
    /// What closes the chain, in words.
    pub how: String,
    /// Which instructions of the body are the form's.
    pub(super) targets: Vec<usize>,
    /// The way that the chain goes through the form.
    pub(super) route: Route,
}

/// The way of a chain through an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// In by one port and out by another.
    Through(Port, Port),
    /// In and out by all of them.
    All,
    /// Out to memory, and back by a load.
    StoreAndLoad(usize),
}

/// Registers in a ring: an instruction that also waits for the old value of its destination waits for one so many back.
const RING: usize = 4;
/// The masks are fewer.
const RING_OF_FEW: usize = 3;

/// The chains of a form, the default pair of operands first. `fillers` one-cycle instructions are added to each operation's part
/// of a chain, and counted as helpers: enough of them show a latency that is shorter than the reciprocal throughput.
pub fn chains(form: &Form, features: &Features, operands: Operands, fillers: usize) -> Vec<Chain> {
    let Some(ports) = Ports::of(form) else { return Vec::new() };
    let maker = Maker { form, features, operands, ports: &ports, fillers };
    let mut made: Vec<Chain> =
        routes(form, &ports).into_iter().filter_map(|route| maker.chain(route)).collect();
    // Bounds come after what is exact, the rest stays in its order.
    made.sort_by_key(|chain| !chain.exact);
    made
}

/// The chain through a form all of whose register operands are the same register; `None` where the form has not several of one file,
/// and where nothing is handed on, as with zero idioms.
pub fn chain_of_same_register(form: &Form, features: &Features) -> Option<Chain> {
    let ports = Ports::of(form)?;
    let maker = Maker { form, features, operands: Operands::Any, ports: &ports, fillers: 0 };
    let registers: Vec<(usize, File)> =
        (0..form.operands.len()).filter_map(|at| Some((at, Port::Operand(at).file(form)?))).collect();
    let (_, file) = registers.first().copied()?;
    if registers.len() < 2 || registers.iter().any(|(_, one)| *one != file) || is_division(form) {
        return None;
    }
    let (mut draft, mut pools) = maker.draft();
    let number = pools.of(file).front()?;
    let given: Vec<(usize, usize)> = registers.iter().map(|(at, _)| (*at, number)).collect();
    let values = maker.allot(&mut draft, &mut pools, &given)?;
    maker.cut(&mut draft, &mut pools, &values, Port::Operand(0), &mut Kept::default())?;
    draft.target(&values)?;
    let instructions = draft.instructions();
    let through = carried(&effects(&instructions))?.through;
    let own = values.iter().find_map(|value| match value {
        Value::Register(register) => Some(Place::Register(full(*register))),
        _ => None,
    })?;
    if !through.contains(&own) {
        return None;
    }
    let how = "all operands are the same register, which need not cost what different ones do";
    maker.conclude(draft, Route::All, "same register".to_owned(), Helpers::default(), how)
}

/// The ways worth a chain: for each input, to the first operand that is written, else to the flags; and what is special.
fn routes(form: &Form, ports: &Ports) -> Vec<Route> {
    let mut routes = Vec::new();
    let is_register = |port: &Port| matches!(port, Port::Operand(_) | Port::Implicit(_));
    let outputs: Vec<Port> = ports.outputs.iter().copied().filter(|port| is_register(port)).collect();
    let both = |port: &Port| ports.reads(*port) && ports.writes(*port);
    let explicit_both = (0..form.operands.len()).map(Port::Operand).filter(|port| both(port)).count();
    let implicit_both = ports.fixed.iter().map(|one| Port::Implicit(*one)).filter(|port| both(port)).count();
    if explicit_both > 1 && !form.operands.iter().any(|operand| operand.is_memory()) || implicit_both > 1 {
        routes.push(Route::All);
    }
    if ports.writes(Port::Memory) {
        if ports.reads(Port::Memory) {
            routes.push(Route::Through(Port::Memory, Port::Memory));
        }
        let stores = matches!(form.memory_access(), Some(OpAccess::Write));
        let data = form.operands.iter().position(|operand| matches!(operand, Operand::Register(_)));
        if let Some(data) = data.filter(|at| stores && ports.reads(Port::Operand(*at))) {
            routes.push(Route::StoreAndLoad(data));
        }
    }
    if form.code.mnemonic() == Mnemonic::Xchg {
        // No operand goes to itself, and one way is not to be had without the other.
        return routes;
    }
    let is_gather = form.operands.iter().any(|operand| matches!(operand, Operand::Gather(..)));
    // What a gather leaves of its mask is always nothing.
    let outputs: Vec<Port> =
        outputs.into_iter().filter(|port| !(is_gather && *port == Port::Operand(2))).collect();
    // An operand to itself first: that is what tables mean by the latency of `imul r64, r64`.
    let to_itself =
        outputs.iter().filter(|port| ports.reads(**port)).map(|port| Route::Through(*port, *port));
    routes.extend(to_itself);
    for input in ports.inputs.iter().copied().filter(|port| *port != Port::Memory) {
        let mut from_here: Vec<Port> = outputs.iter().copied().filter(|output| *output != input).collect();
        if !matches!(input, Port::Implicit(_)) {
            // Further outputs of the same instruction come by their own inputs.
            from_here.truncate(1);
        }
        if outputs.contains(&input) && matches!(input, Port::Operand(_)) {
            from_here.clear();
        }
        if from_here.is_empty() && !outputs.contains(&input) && ports.writes(Port::Flags) {
            from_here.push(Port::Flags);
        }
        if input == Port::Flags && ports.writes(Port::Flags) {
            from_here = vec![Port::Flags];
        }
        routes.extend(from_here.into_iter().map(|output| Route::Through(input, output)));
    }
    routes
}

struct Maker<'a> {
    form: &'a Form,
    features: &'a Features,
    operands: Operands,
    ports: &'a Ports,
    fillers: usize,
}

/// What was put into a chain beside the form.
#[derive(Debug, Default)]
struct Helpers {
    cycles: f64,
    is_bound: bool,
    named: Vec<String>,
}

impl Helpers {
    fn exact(&mut self, cycles: f64, name: &str) {
        self.cycles += cycles;
        self.named.push(name.to_owned());
    }

    /// Every instruction that is executed takes a cycle at least.
    fn at_least(&mut self, cycles: f64, name: &str) {
        self.is_bound = true;
        self.exact(cycles, name);
    }
}

impl Maker<'_> {
    fn chain(&self, route: Route) -> Option<Chain> {
        match route {
            Route::All => self.repeated(),
            Route::StoreAndLoad(data) => self.round_trip(data),
            Route::Through(Port::Memory, Port::Memory) => self.through_memory(),
            Route::Through(Port::Operand(from), Port::Operand(to)) => {
                if from == to {
                    self.same_operand(from)
                } else {
                    self.ring(from, to).or_else(|| self.helped(route))
                }
            }
            Route::Through(Port::Flags, Port::Flags) => self.flags_alone(),
            Route::Through(..) => self.helped(route),
        }
    }

    fn draft(&self) -> (Draft<'_>, Pools) {
        let draft = Draft::new(self.form, self.features, self.operands);
        (draft, Pools::new(&self.ports.fixed))
    }

    /// Operand values: those given, constants for the rest, and the constants' registers by operand.
    fn allot(
        &self,
        draft: &mut Draft<'_>,
        pools: &mut Pools,
        given: &[(usize, usize)],
    ) -> Option<Vec<Value>> {
        let mut values = Vec::with_capacity(self.form.operands.len());
        for (at, operand) in self.form.operands.iter().enumerate() {
            let value = match *operand {
                Operand::Register(class) => {
                    let number = match given.iter().find(|(one, _)| *one == at) {
                        Some((_, number)) => *number,
                        None => pools.of(class.file()).back()?,
                    };
                    if self.is_gather() && at == 2 {
                        draft.start_as_ones(number);
                    }
                    Value::Register(class.register(number))
                }
                Operand::Gather(class, _) => {
                    let number = pools.of(File::Vector).back()?;
                    draft.start_as_zero(number);
                    constant_value(*operand, 0, class.register(number))
                }
                Operand::Address(_) => {
                    constant_value(*operand, 0, Class::R64.register(pools.of(File::General).back()?))
                }
                other => constant_value(other, 0, Register::None),
            };
            values.push(value);
        }
        draft.start_operands(&values);
        Some(values)
    }

    fn is_gather(&self) -> bool {
        self.form.operands.iter().any(|operand| matches!(operand, Operand::Gather(..)))
    }

    /// Cuts what would be handed on beside the chain: implicit registers that are read and written, a gather's mask, flags.
    /// `input` is what the chain comes in by.
    fn cut(
        &self,
        draft: &mut Draft<'_>,
        pools: &mut Pools,
        values: &[Value],
        input: Port,
        kept: &mut Kept,
    ) -> Option<()> {
        for register in carriers(self.ports, &[input]) {
            let constant = kept.constant(draft, pools, register)?;
            draft.copy(register, constant)?;
        }
        if self.is_gather()
            && input != Port::Operand(2)
            && let Some(Value::Register(mask)) = values.get(2)
        {
            let constant = kept.constant(draft, pools, *mask)?;
            draft.start_as_ones(constant.number());
            draft.copy(*mask, constant)?;
        }
        let carries = self.ports.flags_read & self.ports.flags_written != 0;
        if carries && input != Port::Flags {
            let constant = kept.general(pools)?;
            draft.reset_flags(constant)?;
        }
        Some(())
    }

    /// The starting values of a division's implicit registers.
    fn start_division(&self, draft: &mut Draft<'_>) {
        if is_division(self.form) {
            let (low, high, _) = draft.division();
            draft.start_with(Register::RAX, low);
            draft.start_with(Register::RDX, high);
        }
    }

    fn conclude(
        &self,
        draft: Draft<'_>,
        route: Route,
        label: String,
        mut helpers: Helpers,
        how: &str,
    ) -> Option<Chain> {
        let operations = draft.targets.len() as u64;
        let targets = draft.targets.clone();
        let label = match self.operands.word() {
            Some(word) => format!("{label}; {word}"),
            None => label,
        };
        let (helper_cycles, exact) = (helpers.cycles, !helpers.is_bound);
        helpers.named.dedup();
        let how = match (helpers.named.is_empty(), exact) {
            (true, _) => how.to_owned(),
            (false, true) => format!(
                "{how}, with {} in the chain, whose {helper_cycles} cycles are taken off",
                helpers.named.join(" and ")
            ),
            (false, false) => format!(
                "{how}, with {} in the chain, of which the {helper_cycles} cycles that they take at least are taken off: \
                 an upper bound",
                helpers.named.join(" and ")
            ),
        };
        Some(Chain { label, program: draft.finish(operations)?, helper_cycles, exact, how, targets, route })
    }

    /// The fillers behind a target, in the chain's register.
    fn fill(
        &self,
        draft: &mut Draft<'_>,
        pools: &mut Pools,
        file: File,
        number: usize,
        kept: &mut Kept,
    ) -> Option<f64> {
        if self.fillers == 0 {
            return Some(0.0);
        }
        match file {
            File::General => {
                let constant = kept.general(pools)?;
                for _ in 0..self.fillers {
                    draft.link_general(number, constant.number())?;
                }
            }
            File::Vector => {
                let constant = kept.vector(pools)?;
                for _ in 0..self.fillers {
                    draft.link_vectors(number, constant)?;
                }
            }
            File::Mmx | File::Mask => return None,
        }
        Some(self.fillers as f64)
    }

    fn add_fillers(&self, helpers: &mut Helpers, cycles: f64, file: File) {
        if cycles > 0.0 {
            let name = format!("{} one-cycle instructions", self.fillers);
            // From a floating-point unit to an integer one there may be a cycle of transport.
            if file == File::General { helpers.exact(cycles, &name) } else { helpers.at_least(cycles, &name) }
        }
    }

    /// An operand that is read and written: the instruction again and again.
    fn same_operand(&self, at: usize) -> Option<Chain> {
        let (mut draft, mut pools) = self.draft();
        let file = Port::Operand(at).file(self.form)?;
        let number = pools.of(file).front()?;
        let values = self.allot(&mut draft, &mut pools, &[(at, number)])?;
        let mut kept = Kept::default();
        let input = Port::Operand(at);
        self.cut(&mut draft, &mut pools, &values, input, &mut kept)?;
        draft.target(&values)?;
        let mut helpers = Helpers::default();
        let filled = self.fill(&mut draft, &mut pools, file, number, &mut kept)?;
        self.add_fillers(&mut helpers, filled, file);
        // Another operand that is read and written may carry a longer chain beside this one.
        helpers.is_bound |= !self.is_gather()
            && (0..self.form.operands.len())
                .map(Port::Operand)
                .any(|port| port != input && self.ports.reads(port) && self.ports.writes(port));
        let label = format!("{0}->{0}", input.name());
        self.conclude(draft, Route::Through(input, input), label, helpers, "the operand is read and written")
    }

    /// From one operand to another of the same file: each instruction's result is the next one's operand, around a ring of registers.
    fn ring(&self, from: usize, to: usize) -> Option<Chain> {
        let (input, output) = (Port::Operand(from), Port::Operand(to));
        let file = input.file(self.form)?;
        // An operand that must keep its value, as a divisor does, is none for a ring.
        if output.file(self.form)? != file || is_division(self.form) {
            return None;
        }
        let (mut draft, mut pools) = self.draft();
        let length = match file {
            File::General | File::Vector => RING,
            File::Mmx | File::Mask => RING_OF_FEW,
        };
        let ring: Vec<usize> = (0..length).map_while(|_| pools.of(file).front()).collect();
        if ring.len() < length {
            return None;
        }
        let constants = pools.clone();
        let mut helpers = Helpers::default();
        let mut kept = Kept::default();
        let mut last = pools.clone();
        for at in 0..length {
            // The same constants for each instruction of the ring.
            let mut pools = constants.clone();
            let given = [(from, ring[at]), (to, ring[(at + 1) % length])];
            let values = self.allot(&mut draft, &mut pools, &given)?;
            kept.take(&mut pools)?;
            self.cut(&mut draft, &mut pools, &values, input, &mut kept)?;
            draft.target(&values)?;
            let filled = self.fill(&mut draft, &mut pools, file, ring[(at + 1) % length], &mut kept)?;
            if at == 0 {
                self.add_fillers(&mut helpers, filled, file);
            }
            last = pools;
        }
        drop(last);
        let others = (0..self.form.operands.len()).filter(|at| {
            *at != to && self.ports.writes(Port::Operand(*at)) && self.ports.reads(Port::Operand(*at))
        });
        helpers.is_bound |= others.count() > 0 && !self.is_gather();
        let label = format!("{}->{}", input.name(), output.name());
        let how = "each result is the next operand, around a ring of registers";
        self.conclude(draft, Route::Through(input, output), label, helpers, how)
    }

    /// All operands that are read and written, at once.
    fn repeated(&self) -> Option<Chain> {
        if self.fillers > 0 {
            return None;
        }
        let (mut draft, mut pools) = self.draft();
        // The dividend that a signed division leaves does not always fit.
        if self.form.code.mnemonic() == Mnemonic::Idiv
            || matches!(self.operands, Operands::Same | Operands::Zero)
        {
            return None;
        }
        let values = self.allot(&mut draft, &mut pools, &[])?;
        self.start_division(&mut draft);
        draft.target(&values)?;
        let both = |port: &Port| self.ports.reads(*port) && self.ports.writes(*port);
        let names: Vec<String> =
            self.ports.inputs.iter().filter(|port| both(port)).map(|port| port.name()).collect();
        let label = format!("{0}->{0}", names.join(","));
        self.conclude(
            draft,
            Route::All,
            label,
            Helpers::default(),
            "the instruction is repeated with the same operands",
        )
    }

    /// Flags to flags: each instruction works on other registers.
    fn flags_alone(&self) -> Option<Chain> {
        if self.fillers > 0 {
            return None;
        }
        let (mut draft, mut pools) = self.draft();
        let written: Vec<usize> =
            (0..self.form.operands.len()).filter(|at| self.ports.writes(Port::Operand(*at))).collect();
        let constants = pools.clone();
        for turn in 0..RING {
            let mut given = Vec::new();
            for at in &written {
                let file = Port::Operand(*at).file(self.form)?;
                // Other registers for each instruction, as far as they go.
                let mut own = constants.clone();
                let number = (0..=turn).map_while(|_| own.of(file).front()).last()?;
                given.push((*at, number));
            }
            let mut pools = constants.clone();
            let values = self.allot(&mut draft, &mut pools, &given)?;
            self.cut(&mut draft, &mut pools, &values, Port::Flags, &mut Kept::default())?;
            draft.target(&values)?;
            if written.is_empty() {
                break;
            }
        }
        let _ = pools.of(File::General);
        let route = Route::Through(Port::Flags, Port::Flags);
        let how = "the flag is read and written; the registers differ from one instruction to the next";
        self.conclude(draft, route, "flags->flags".to_owned(), Helpers::default(), how)
    }

    /// Read and written in memory.
    fn through_memory(&self) -> Option<Chain> {
        if self.fillers > 0 {
            return None;
        }
        let (mut draft, mut pools) = self.draft();
        let values = self.allot(&mut draft, &mut pools, &[])?;
        self.cut(&mut draft, &mut pools, &values, Port::Memory, &mut Kept::default())?;
        draft.target(&values)?;
        let route = Route::Through(Port::Memory, Port::Memory);
        let how = "what was stored is loaded by the next instruction (store forwarding is part of it)";
        self.conclude(draft, route, "memory->memory".to_owned(), Helpers::default(), how)
    }

    /// A store and the load of what was stored.
    fn round_trip(&self, data: usize) -> Option<Chain> {
        if self.fillers > 0 {
            return None;
        }
        let (mut draft, mut pools) = self.draft();
        let Some(Operand::Register(class)) = self.form.operands.get(data).copied() else { return None };
        let bits = self.form.operands.iter().find_map(|operand| match operand {
            Operand::Memory(bits) => Some(*bits),
            _ => None,
        })?;
        // What was stored may be a part of the register.
        let loaded = match (class.file(), bits) {
            (File::General, 8) => Class::R8,
            (File::General, 16) => Class::R16,
            (File::General, 32) => Class::R32,
            (File::Vector, 128) => Class::Xmm,
            (File::Vector, 256) => Class::Ymm,
            (File::Vector, 512) => Class::Zmm,
            (File::General, 64) | (File::Mmx | File::Mask, 64) => class,
            _ => return None,
        };
        let number = pools.of(class.file()).front()?;
        let values = self.allot(&mut draft, &mut pools, &[(data, number)])?;
        draft.target(&values)?;
        draft.reload(loaded, number)?;
        let how = "store and load of the same place, one round trip; neither half has a latency of its own";
        let route = Route::StoreAndLoad(data);
        self.conclude(draft, route, "store->load".to_owned(), Helpers::default(), how)
    }
}
