//! Do the programs of all forms do what they claim? Their machine code is decoded again: latency chains must close through the
//! operands that they name, throughput programs must carry no chain but the declared one.

use std::collections::BTreeMap;

use iced_x86::{Instruction, InstructionInfoFactory, OpKind, Register};

use super::chain::{Chain, Route, chain_of_same_register, chains};
use super::effects::{Edge, FLAGS, Place, access, carried, cut_flags, decode, effect, effects, full};
use super::features::features;
use super::form::{Catalogue, Form};
use super::kit::Operands;
use super::ports::{Port, Ports};
use super::program::Program;
use super::rate::{rate, rate_of_same_register, rate_to_one_destination};

/// More than all helpers of a chain together.
const HEAVY: u32 = 1000;

fn places(port: Port, instruction: &Instruction, ports: &Ports, of_input: bool) -> Vec<Place> {
    let flags = if of_input { ports.flags_read } else { ports.flags_written };
    match port {
        Port::Operand(at) => vec![Place::Register(full(instruction.op_register(at as u32)))],
        Port::Implicit(register) => vec![Place::Register(register)],
        Port::Flags => {
            FLAGS.iter().filter(|flag| flags & **flag != 0).map(|flag| Place::Flag(*flag)).collect()
        }
        Port::Address | Port::Base => vec![Place::Register(full(instruction.memory_base()))],
        Port::Index => vec![Place::Register(full(instruction.memory_index()))],
        Port::Memory => {
            let mut factory = InstructionInfoFactory::new();
            let used = factory.info(instruction).used_memory();
            used.iter()
                .filter(|one| if of_input { access(one.access()).0 } else { access(one.access()).1 })
                .map(|one| Place::Memory(one.base(), one.index(), one.displacement()))
                .collect()
        }
    }
}

/// The body as steps in which the form's instructions have no way but the chain's own.
fn steps(chain: &Chain, ports: &Ports) -> Vec<Vec<Edge>> {
    let mut factory = InstructionInfoFactory::new();
    let body = decode(&chain.program.body);
    body.iter()
        .enumerate()
        .map(|(at, instruction)| {
            let everything = effect(instruction, &mut factory);
            if !chain.targets.contains(&at) {
                return vec![cut_flags(instruction), everything];
            }
            let (input, output) = match chain.route {
                Route::Through(input, output) => (input, output),
                Route::StoreAndLoad(data) => (Port::Operand(data), Port::Memory),
                Route::All => {
                    return vec![cut_flags(instruction), Edge { weight: HEAVY, ..everything }];
                }
            };
            let through = Edge {
                reads: places(input, instruction, ports, true),
                writes: places(output, instruction, ports, false),
                weight: HEAVY,
            };
            let others =
                everything.writes.into_iter().filter(|place| !through.writes.contains(place)).collect();
            vec![Edge { reads: Vec::new(), writes: others, weight: 0 }, cut_flags(instruction), through]
        })
        .collect()
}

fn assert_sane(program: &Program, what: &str) {
    let body = decode(&program.body);
    assert_eq!(
        body.iter().map(Instruction::len).sum::<usize>(),
        program.body.len(),
        "{what}: all of it decodes"
    );
    assert_eq!(body.len(), program.instructions, "{what}");
    let setup = decode(&program.setup);
    assert_eq!(
        setup.iter().map(Instruction::len).sum::<usize>(),
        program.setup.len(),
        "{what}: setup decodes"
    );
    let mut factory = InstructionInfoFactory::new();
    for instruction in setup.iter().chain(&body) {
        for used in factory.info(instruction).used_registers() {
            let register = full(used.register());
            assert!(register != Register::R15 && register != Register::RSP, "{what}: {instruction}");
        }
    }
}

#[test]
fn every_latency_is_of_a_chain_that_closes_through_the_operands_it_names() {
    let features = features();
    let (mut count, mut forms, mut without) = (0, 0, BTreeMap::<String, usize>::new());
    for form in Catalogue::with_stores(&features).forms {
        let ports = Ports::of(&form).expect("it has a sample");
        forms += 1;
        let mut any = false;
        for operands in Operands::of(&form) {
            for fillers in [0, 5] {
                for chain in chains(&form, &features, *operands, fillers) {
                    let what = format!("{form} [{}] with {fillers} fillers: {}", chain.label, chain.how);
                    assert_sane(&chain.program, &what);
                    let operations = chain.program.operations as f64;
                    let growth = carried(&steps(&chain, &ports)).map_or(0.0, |chain| chain.growth);
                    let links = (growth / f64::from(HEAVY)).floor();
                    assert_eq!(
                        links,
                        operations,
                        "{what}: a repetition adds {growth}\n{:?}",
                        super::listing(&chain.program.body)
                    );
                    let helpers = growth - links * f64::from(HEAVY);
                    let own = if matches!(chain.route, Route::StoreAndLoad(_)) { 1.0 } else { 0.0 };
                    assert_eq!(
                        helpers,
                        chain.helper_cycles * operations + own,
                        "{what}: as many helpers on the chain as are taken off\n{:?}",
                        super::listing(&chain.program.body)
                    );
                    any = true;
                    count += 1;
                }
            }
        }
        if !any {
            *without.entry(form.mnemonic()).or_default() += 1;
        }
    }
    assert!(forms > 1000 && count > 2000, "{forms} forms, {count} chains");
    println!("{forms} forms, {count} chains; none for {without:?}");
}

#[test]
fn chains_of_one_register_close_or_are_not_there() {
    let features = features();
    let mut without = Vec::new();
    for form in Catalogue::with_stores(&features).forms {
        let ports = Ports::of(&form).expect("it has a sample");
        match chain_of_same_register(&form, &features) {
            Some(chain) => {
                assert_sane(&chain.program, &form.to_string());
                let growth = carried(&steps(&chain, &ports)).map_or(0.0, |chain| chain.growth);
                assert_eq!((growth / f64::from(HEAVY)).floor(), 1.0, "{form}");
            }
            None => without.push(form.to_string()),
        }
    }
    for idiom in [
        "xor r64, r64",
        "pxor xmm, xmm",
        "vpxor ymm, ymm, ymm",
        "pcmpeqd xmm, xmm",
        "sub r32, r32",
        "vpcmpeqb xmm, xmm, xmm",
    ] {
        assert!(without.iter().any(|one| one == idiom), "{idiom}");
    }
    for other in ["shld r64, r64, imm8", "imul r64, r64", "popcnt r64, r64", "vaddps ymm, ymm, ymm"] {
        assert!(without.iter().all(|one| one != other), "{other}");
    }
}

#[test]
fn flags_and_memory_alone_have_no_latency_without_a_way_back() {
    let features = features();
    for form in Catalogue::with_stores(&features).forms {
        let ports = Ports::of(&form).expect("it has a sample");
        for chain in chains(&form, &features, Operands::of(&form)[0], 0) {
            let what = format!("{form} [{}]", chain.label);
            match chain.route {
                Route::Through(Port::Flags, Port::Flags) => assert!(ports.reads(Port::Flags), "{what}"),
                Route::Through(_, Port::Flags) => {
                    assert!(!chain.exact && chain.helper_cycles >= 1.0, "{what}")
                }
                Route::Through(Port::Memory, Port::Memory) => assert!(ports.reads(Port::Memory), "{what}"),
                Route::StoreAndLoad(_) => assert!(chain.how.contains("round trip"), "{what}"),
                _ => {}
            }
        }
    }
}

#[test]
fn throughput_programs_carry_no_chain_but_the_declared_one() {
    let features = features();
    for form in Catalogue::with_stores(&features).forms {
        let ports = Ports::of(&form).expect("it has a sample");
        let explicit_both = (0..form.operands.len())
            .any(|at| ports.reads(Port::Operand(at)) && ports.writes(Port::Operand(at)));
        let rates = Operands::of(&form).iter().filter_map(|operands| rate(&form, &features, *operands));
        let mut any = false;
        for rate in rates {
            any = true;
            let what = format!("{form}: {}", rate.how);
            assert_sane(&rate.program, &what);
            let found = carried(&effects(&decode(&rate.program.body))).map_or(0.0, |chain| chain.growth);
            let operations = rate.program.operations as f64;
            assert!((found / operations - rate.carried).abs() < 1e-9, "{what}");
            // Memory that is read and written is a chain of its own at each of the places that are used by turns.
            let in_memory = ports.reads(Port::Memory) && ports.writes(Port::Memory);
            if (explicit_both || in_memory) && !super::kit::is_division(&form) {
                assert!(found <= 2.0, "{what}: {found}\n{:?}", super::listing(&rate.program.body));
            } else {
                assert!(found == 0.0, "{what}: {found}\n{:?}", super::listing(&rate.program.body));
            }
        }
        assert!(any, "{form} has a throughput");
        for rate in [rate_of_same_register(&form, &features), rate_to_one_destination(&form, &features)]
            .into_iter()
            .flatten()
        {
            assert_sane(&rate.program, &format!("{form}: {}", rate.how));
        }
    }
}

fn labels(name: &str) -> Vec<(String, bool)> {
    let features = features();
    let form: Form = Catalogue::with_stores(&features)
        .forms
        .into_iter()
        .find(|form| form.to_string() == name)
        .expect("a form");
    chains(&form, &features, Operands::of(&form)[0], 0)
        .into_iter()
        .map(|chain| (chain.label, chain.exact))
        .collect()
}

#[test]
fn chains_are_those_that_a_reader_of_tables_expects() {
    let exact = |name: &str| {
        labels(name).into_iter().filter(|(_, exact)| *exact).map(|(label, _)| label).collect::<Vec<_>>()
    };
    assert_eq!(exact("imul r64, r64"), ["op1->op1", "op2->op1"]);
    assert_eq!(exact("vfmadd231sd xmm, xmm, xmm"), ["op1->op1", "op2->op1", "op3->op1"]);
    assert_eq!(exact("movsx r64, r8"), ["op2->op1"]);
    assert_eq!(exact("mov r64, [m64]"), ["address->op1"]);
    assert_eq!(exact("add r64, [m64]"), ["op1->op1", "address->op1"]);
    assert_eq!(exact("mov [m64], r64"), ["store->load"]);
    assert_eq!(exact("shld r64, r64, imm8"), ["op1->op1", "op2->op1"]);
    assert_eq!(exact("div r64")[0], "rax,rdx->rax,rdx; full");
    assert_eq!(exact("lea r64, [m]"), ["address->op1"]);
    assert_eq!(exact("lea r64, [base+index*8]"), ["base->op1", "index->op1"]);
    assert_eq!(exact("lea r32, [index*2]"), ["index->op1"]);
    assert!(exact("cmp r64, r64").is_empty());
    assert!(labels("cmp r64, r64").iter().any(|(label, _)| label == "op1->flags"));
    assert!(labels("nop").is_empty() && labels("lfence").is_empty() && labels("rdtsc").is_empty());
    assert!(labels("movq xmm, r64").iter().all(|(_, exact)| !exact));
    assert_eq!(exact("adc r64, r64")[..2], ["op1->op1", "op2->op1"]);
}

/// What the tests above rely on: an operand that is a register says so.
#[test]
fn operand_numbers_are_those_of_the_decoder() {
    let body = decode(&[0x48, 0x0f, 0xaf, 0xc3]);
    assert_eq!(body[0].op_kind(1), OpKind::Register);
    assert_eq!(body[0].op_register(1), Register::RBX);
}
