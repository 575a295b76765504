//! Does a record come back as it was written, refuse what is no record, and show what it may?

use fencepost::error::ErrorKind;
use fencepost::record::{
    Bandwidth, Barrier, BenchmarkResult, Border, Build, Cache, CacheKind, Calibration, Counts, CycleEstimate,
    Decoded, Difference, Estimate, Events, FactorCell, FactorChange, FactorEffect, FactorLevels,
    FactorsOutcome, Finding, FirstCall, Kind, Machine, Modes, Named, PlacedSides, Placement, Placements,
    Prediction, PredictionVerdict, Record, Resources, Ruler, Rung, Samples, Scalar, Schema, Severity,
    SweepOutcome, SweepPoint, ToldCache, Trace, Verdict, Versus, text,
};
use serde_json::Value;

use odd::odd_record;

mod common;
#[path = "record/odd.rs"]
mod odd;
#[path = "record/page.rs"]
mod page;
#[path = "record/saved.rs"]
mod saved;
#[path = "record/schema.rs"]
mod schema;

/// A record with every field filled in and no `..Default`: a field that is added has to be added here.
fn sample() -> Record {
    Record {
        schema: Schema::V1,
        complete: true,
        build: Build {
            fencepost: "0.1.0".into(),
            target: "x86_64-unknown-linux-gnu".into(),
            rustc: "rustc 1.88.0".into(),
            profile: "release".into(),
            opt_level: "3".into(),
            flags: "-C target-cpu=native".into(),
            target_features: "fxsr,sse,sse2".into(),
        },
        machine: Machine {
            vendor: "AuthenticAMD".into(),
            brand: "AMD EPYC Processor".into(),
            family: 25,
            model: 1,
            stepping: 1,
            microarchitecture: Some("Zen 3".into()),
            llvm_cpu: Some("znver3".into()),
            hypervisor: Some("KVM".into()),
            product: Some("Standard PC".into()),
            kernel: "6.1.0".into(),
            cpus: 2,
            caches: vec![Cache {
                level: 1,
                kind: CacheKind::Data,
                size_bytes: 32768,
                line_bytes: 64,
                ways: Some(8),
                shared_by_cpus: Some(2),
            }],
            fingerprint: Named::from([("governor", "performance".into())]),
        },
        calibration: Calibration {
            tsc_hz: 2_445_400_000.0,
            tsc_hz_error_ppm: Some(1.5),
            tsc_hz_source: "monotonic clock".into(),
            tsc_step_ticks: 24.5,
            fence_overhead_ticks: 49.0,
            fence_overhead_median_ticks: 73.5,
            lfence: "timed".into(),
            ticks_per_cycle: Some(0.8225),
            cycle_source: Some("clock ruler".into()),
            ruler: Some(Ruler { add: 1.0, imul: 3.0, agrees: true }),
            gauge_nops_per_cycle: Some(6.0),
            issue_width: Some(6),
            core: 1,
            core_type: Some("P".into()),
        },
        settings: Named::from([
            ("max_secs".to_owned(), Scalar::Null),
            ("seed".to_owned(), Scalar::from(u64::MAX)),
            ("strict".to_owned(), Scalar::from(false)),
            ("target_percentile".to_owned(), Scalar::from(33.3)),
            ("offset".to_owned(), Scalar::from(-3_i64)),
            ("filter".to_owned(), Scalar::from("bit_mix")),
        ]),
        findings: vec![Finding {
            id: "governor".into(),
            severity: Severity::Warning,
            value: "powersave".into(),
            effect: "the clock may change within a run".into(),
            remedy: Some("cpupower frequency-set -g performance".into()),
        }],
        processes: 1,
        resources: Some(Resources {
            max_rss_bytes: 8 << 20,
            minor_faults: 1200,
            major_faults: 3,
            voluntary_switches: 40,
            involuntary_switches: 5,
        }),
        results: vec![sample_result()],
        comparisons: vec![Versus {
            of: "hash/mix".into(),
            to: "hash/fnv".into(),
            ratio: 0.25,
            lo: 0.24,
            hi: 0.26,
            coverage: 0.99,
            blocks: 90,
            blocks_total: 100,
            clean: true,
            placements: Some(PlacedSides { places: 4, of_spread_pct: 1.5, to_spread_pct: 0.25 }),
            difference: Difference::Faster,
            sentence: "hash/mix costs 0.25 times what hash/fnv costs.".into(),
        }],
        sweeps: vec![SweepOutcome {
            name: "sum".into(),
            unit: "cyc".into(),
            per: "element".into(),
            candidates: vec!["plain".into(), "strided".into()],
            points: vec![SweepPoint {
                size: "128".into(),
                elements: Some(128),
                bytes: Some(1024),
                level: Some("L1".into()),
                results: vec!["sum/plain/128".into(), "sum/strided/128".into()],
                costs: vec![cost(1.0), cost(1.5)],
                ratio: Some(cost(1.5)),
            }],
            verdict: Some("instructions".into()),
            reasons: vec!["In L1 strided costs 1.50 times what plain does.".into()],
        }],
        factors: vec![FactorsOutcome {
            name: "walk".into(),
            unit: "cyc".into(),
            factors: vec![FactorLevels {
                name: "order".into(),
                levels: vec!["kept".into(), "shuffled".into()],
            }],
            cells: vec![FactorCell {
                levels: vec!["kept".into()],
                result: "walk/kept".into(),
                cost: cost(4.0),
            }],
            main: vec![effect(vec![change("order", "shuffled")])],
            interactions: vec![effect(vec![change("order", "shuffled"), change("nodes", "many")])],
            warnings: vec!["1 of 2 combinations were measured.".into()],
        }],
        ladder: vec![Rung {
            bytes: 1024,
            cycles: Some(5.0),
            cycles_lo: Some(4.99),
            cycles_hi: Some(5.01),
            ns: Some(1.25),
            ticks: 3.5,
            level: "L1".into(),
            verdict: Verdict::Converged,
            cycles_4k_pages: Some(5.25),
        }],
        bandwidth: vec![Bandwidth {
            bytes: 1024,
            traffic: "read".into(),
            bytes_per_cycle: Some(63.5),
            gigabytes_per_sec: Some(190.5),
            verdict: Verdict::Contended,
        }],
        borders: vec![Border { bytes: 49152, flat_until_bytes: 32768, before: 5.0, after: 16.0 }],
        told_caches: vec![ToldCache {
            level: 1,
            told_bytes: 49152,
            seen_bytes: Some(32768),
            sentence: "L1 ends.".into(),
        }],
        pages: Some("2 MiB".into()),
        notes: vec!["a remark".into()],
    }
}

fn cost(estimate: f64) -> Estimate {
    Estimate { estimate, lo: Some(estimate - 0.25), hi: Some(estimate + 0.25) }
}

fn change(factor: &str, level: &str) -> FactorChange {
    FactorChange { factor: factor.into(), level: level.into() }
}

fn effect(of: Vec<FactorChange>) -> FactorEffect {
    FactorEffect { of, adds: 8.0, lo: 7.5, hi: 8.5, factor: Some(3.0), settings: 1 }
}

fn sample_result() -> BenchmarkResult {
    BenchmarkResult {
        id: "bit_mix/latency".into(),
        kind: Kind::Latency,
        core: 1,
        ops: 1,
        unroll: 8,
        slice_iterations: 1024,
        barrier: Barrier::Register,
        inputs: Some(64),
        cycles: Some(CycleEstimate {
            estimate: 12.004,
            lo: 11.99,
            hi: 12.02,
            min: 11.95,
            median: 12.01,
            spread_pct: 2.5,
        }),
        modes: Some(Modes { lower: 11.99, upper: 12.02, upper_share: 0.25 }),
        ticks: Estimate { estimate: 9.873, lo: Some(9.86), hi: Some(9.89) },
        ns: Some(Estimate { estimate: 4.037, lo: Some(4.03), hi: Some(4.05) }),
        verdict: Verdict::Converged,
        verdict_reason: Some("precise to 0.25 %".into()),
        upper_bound: false,
        below_resolution: false,
        resolution_cycles: Some(0.25),
        loop_floor_cycles: Some(0.2),
        percentile: 50.0,
        samples: Samples { total: 120, clean: 100, contended: 15, drifted: 3, interrupted: 2, migrated: 0 },
        p33_raw_ticks: Some(10.1),
        p33_ungated_cycles: Some(12.1),
        counters: Named::from([("bytes", 8.0)]),
        notes: vec!["The loop is aligned to 64 bytes.".into()],
        decoded: Some(Decoded {
            instructions: 11.5,
            ipc: Some(0.96),
            operations: 8,
            placement: 32,
            symbol: Some("timed".into()),
            calls: vec!["memchr".into()],
            findings: vec!["a call".into()],
            listing: vec!["+0x0040  imulq %rcx, %rax".into()],
            chain: vec![0],
            obstacle: Some("a branch".into()),
        }),
        prediction: Some(Prediction {
            model: "llvm-mca".into(),
            version: "14.0.6".into(),
            cpu: "znver3".into(),
            cycles: Some(12.03),
            instructions: Some(11.5),
            uops: Some(12.5),
            bottleneck: Some("register dependencies".into()),
            verdict: PredictionVerdict::Agrees,
            reason: Some("within 5 %".into()),
        }),
        placements: Some(Placements {
            distinct: 1,
            min: 12.004,
            median: 12.004,
            max: 12.004,
            spread_pct: 0.0,
            each: vec![Placement {
                offset: Some(32),
                estimate: 12.004,
                lo: 11.99,
                hi: 12.02,
                verdict: Verdict::Converged,
            }],
        }),
        counts: Some(Counts {
            tool: "callgrind-3.19.0".into(),
            instructions: 12.5,
            l1: 17.0,
            l2: 1.0,
            ram: 0.5,
            estimated_cycles: 39.5,
            weighted_cycles: Some(80.25),
            branches: Some(2.0),
            mispredictions: Some(0.5),
            operations: 1024,
            in_all: Named::from([("Ir", 12_800)]),
            taken_off: 256,
            first: Some(FirstCall { instructions: 13, l1: 16, l2: 1, ram: 3, estimated_cycles: 126 }),
        }),
        events: Some(Events {
            per_op: Named::from([("cycles", 12.0), ("instructions", 6.0)]),
            ipc: Some(0.5),
            reading: Some("0.50 instructions a cycle: it mostly waits".into()),
            ruler_off_pct: Some(0.25),
            notes: vec!["scaled".into()],
        }),
        elapsed_secs: 0.4,
        trace: Some(Trace {
            every: 1,
            labels: "cb".into(),
            arms: "12".into(),
            cycles: "12310.5 24600.0".into(),
            gauges: "6001 7450".into(),
            rates: "0.8225 0.8226".into(),
        }),
        sentence: "A call that waits for the one before it takes 12.0 core cycles here.".into(),
    }
}

const GOLDEN: &str = concat!(
    r#"{"schema":"fencepost/1","complete":true,"#,
    r#""build":{"fencepost":"0.1.0","target":"x86_64-unknown-linux-gnu","rustc":"rustc 1.88.0","#,
    r#""profile":"release","opt_level":"3","flags":"-C target-cpu=native","target_features":"fxsr,sse,sse2"},"#,
    r#""machine":{"vendor":"AuthenticAMD","brand":"AMD EPYC Processor","family":25,"model":1,"stepping":1,"#,
    r#""microarchitecture":"Zen 3","llvm_cpu":"znver3","hypervisor":"KVM","product":"Standard PC","#,
    r#""kernel":"6.1.0","cpus":2,"caches":[{"level":1,"kind":"data","size_bytes":32768,"line_bytes":64,"#,
    r#""ways":8,"shared_by_cpus":2}],"fingerprint":{"governor":"performance"}},"#,
    r#""calibration":{"tsc_hz":2445400000.0,"tsc_hz_error_ppm":1.5,"tsc_hz_source":"monotonic clock","#,
    r#""tsc_step_ticks":24.5,"fence_overhead_ticks":49.0,"fence_overhead_median_ticks":73.5,"lfence":"timed","#,
    r#""ticks_per_cycle":0.8225,"cycle_source":"clock ruler","ruler":{"add":1.0,"imul":3.0,"agrees":true},"#,
    r#""gauge_nops_per_cycle":6.0,"issue_width":6,"core":1,"core_type":"P"},"#,
    r#""settings":{"filter":"bit_mix","max_secs":null,"offset":-3,"seed":18446744073709551615,"#,
    r#""strict":false,"target_percentile":33.3},"#,
    r#""findings":[{"id":"governor","severity":"warning","value":"powersave","#,
    r#""effect":"the clock may change within a run","remedy":"cpupower frequency-set -g performance"}],"#,
    r#""processes":1,"resources":{"max_rss_bytes":8388608,"minor_faults":1200,"major_faults":3,"#,
    r#""voluntary_switches":40,"involuntary_switches":5},"#,
    r#""results":[{"id":"bit_mix/latency","kind":"latency","core":1,"ops":1,"unroll":8,"slice_iterations":1024,"#,
    r#""barrier":"register","inputs":64,"cycles":{"estimate":12.004,"lo":11.99,"hi":12.02,"min":11.95,"#,
    r#""median":12.01,"spread_pct":2.5},"modes":{"lower":11.99,"upper":12.02,"upper_share":0.25},"ticks":{"estimate":9.873,"lo":9.86,"hi":9.89},"#,
    r#""ns":{"estimate":4.037,"lo":4.03,"hi":4.05},"verdict":"converged","#,
    r#""verdict_reason":"precise to 0.25 %","upper_bound":false,"below_resolution":false,"#,
    r#""resolution_cycles":0.25,"loop_floor_cycles":0.2,"percentile":50.0,"#,
    r#""samples":{"total":120,"clean":100,"contended":15,"drifted":3,"interrupted":2,"migrated":0},"#,
    r#""p33_raw_ticks":10.1,"p33_ungated_cycles":12.1,"counters":{"bytes":8.0},"#,
    r#""notes":["The loop is aligned to 64 bytes."],"#,
    r#""decoded":{"instructions":11.5,"ipc":0.96,"operations":8,"placement":32,"symbol":"timed","calls":["memchr"],"#,
    r#""findings":["a call"],"listing":["+0x0040  imulq %rcx, %rax"],"chain":[0],"obstacle":"a branch"},"#,
    r#""prediction":{"model":"llvm-mca","version":"14.0.6","cpu":"znver3","cycles":12.03,"#,
    r#""instructions":11.5,"uops":12.5,"bottleneck":"register dependencies","verdict":"agrees","#,
    r#""reason":"within 5 %"},"#,
    r#""placements":{"distinct":1,"min":12.004,"median":12.004,"max":12.004,"spread_pct":0.0,"#,
    r#""each":[{"offset":32,"estimate":12.004,"lo":11.99,"hi":12.02,"verdict":"converged"}]},"#,
    r#""counts":{"tool":"callgrind-3.19.0","instructions":12.5,"l1":17.0,"l2":1.0,"ram":0.5,"#,
    r#""estimated_cycles":39.5,"weighted_cycles":80.25,"branches":2.0,"mispredictions":0.5,"#,
    r#""operations":1024,"in_all":{"Ir":12800},"taken_off":256,"first":{"instructions":13,"l1":16,"#,
    r#""l2":1,"ram":3,"estimated_cycles":126}},"#,
    r#""events":{"per_op":{"cycles":12.0,"instructions":6.0},"ipc":0.5,"#,
    r#""reading":"0.50 instructions a cycle: it mostly waits","ruler_off_pct":0.25,"notes":["scaled"]},"#,
    r#""elapsed_secs":0.4,"trace":{"every":1,"labels":"cb","arms":"12","cycles":"12310.5 24600.0","#,
    r#""gauges":"6001 7450","rates":"0.8225 0.8226"},"#,
    r#""sentence":"A call that waits for the one before it takes 12.0 core cycles here."}],"#,
    r#""comparisons":[{"of":"hash/mix","to":"hash/fnv","ratio":0.25,"lo":0.24,"hi":0.26,"coverage":0.99,"#,
    r#""blocks":90,"blocks_total":100,"clean":true,"#,
    r#""placements":{"places":4,"of_spread_pct":1.5,"to_spread_pct":0.25},"difference":"faster","#,
    r#""sentence":"hash/mix costs 0.25 times what hash/fnv costs."}],"#,
    r#""sweeps":[{"name":"sum","unit":"cyc","per":"element","candidates":["plain","strided"],"#,
    r#""points":[{"size":"128","elements":128,"bytes":1024,"level":"L1","#,
    r#""results":["sum/plain/128","sum/strided/128"],"costs":[{"estimate":1.0,"lo":0.75,"hi":1.25},"#,
    r#"{"estimate":1.5,"lo":1.25,"hi":1.75}],"ratio":{"estimate":1.5,"lo":1.25,"hi":1.75}}],"#,
    r#""verdict":"instructions","reasons":["In L1 strided costs 1.50 times what plain does."]}],"#,
    r#""factors":[{"name":"walk","unit":"cyc","factors":[{"name":"order","levels":["kept","shuffled"]}],"#,
    r#""cells":[{"levels":["kept"],"result":"walk/kept","cost":{"estimate":4.0,"lo":3.75,"hi":4.25}}],"#,
    r#""main":[{"of":[{"factor":"order","level":"shuffled"}],"adds":8.0,"lo":7.5,"hi":8.5,"factor":3.0,"#,
    r#""settings":1}],"interactions":[{"of":[{"factor":"order","level":"shuffled"},"#,
    r#"{"factor":"nodes","level":"many"}],"adds":8.0,"lo":7.5,"hi":8.5,"factor":3.0,"settings":1}],"#,
    r#""warnings":["1 of 2 combinations were measured."]}],"#,
    r#""ladder":[{"bytes":1024,"cycles":5.0,"cycles_lo":4.99,"cycles_hi":5.01,"ns":1.25,"ticks":3.5,"level":"L1","#,
    r#""verdict":"converged","cycles_4k_pages":5.25}],"#,
    r#""bandwidth":[{"bytes":1024,"traffic":"read","bytes_per_cycle":63.5,"gigabytes_per_sec":190.5,"verdict":"contended"}],"#,
    r#""borders":[{"bytes":49152,"flat_until_bytes":32768,"before":5.0,"after":16.0}],"#,
    r#""told_caches":[{"level":1,"told_bytes":49152,"seen_bytes":32768,"sentence":"L1 ends."}],"#,
    r#""pages":"2 MiB","notes":["a remark"]}"#,
);

/// The golden record with one part replaced.
fn golden_with(part: &str, other: &str) -> String {
    assert!(GOLDEN.contains(part), "{part} is in the golden record");
    GOLDEN.replacen(part, other, 1)
}

fn message(text: &str) -> String {
    let error = Record::from_json(text).expect_err("not a record");
    assert_eq!(error.kind(), ErrorKind::Input);
    error.to_string()
}

#[test]
fn the_golden_record_is_written_and_read_field_by_field() {
    assert_eq!(sample().to_json(), GOLDEN);
    assert_eq!(Record::from_json(GOLDEN).expect("golden"), sample());
    assert_eq!(Record::from_json(&sample().to_json_pretty()).expect("pretty"), sample());
}

#[test]
fn what_is_absent_stays_absent_and_what_came_later_has_a_default() {
    let bare = Record {
        results: vec![BenchmarkResult { ops: 1, unroll: 1, ..Default::default() }],
        ..Default::default()
    };
    assert_eq!(Record::from_json(&bare.to_json()).expect("bare"), bare);
    for part in [
        r#""inputs":64,"#,
        r#""hypervisor":"KVM","#,
        r#""resolution_cycles":0.25,"#,
        r#""ruler":{"add":1.0,"imul":3.0,"agrees":true},"#,
        r#""counters":{"bytes":8.0},"#,
        r#""notes":["The loop is aligned to 64 bytes."],"#,
        r#""ops":1,"#,
    ] {
        let record =
            Record::from_json(&golden_with(part, "")).unwrap_or_else(|error| panic!("{part}: {error}"));
        assert_eq!(record.results.len(), 1);
    }
}

#[test]
fn fields_of_a_newer_writer_are_ignored() {
    let newer = golden_with(r#""complete":true"#, r#""complete":true,"colour":{"of":["the",1,null]}"#);
    assert_eq!(Record::from_json(&newer).expect("newer"), sample());
}

#[test]
fn numbers_that_are_not_finite_become_null_and_come_back_as_absent() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut record = sample();
        record.calibration.ticks_per_cycle = Some(bad);
        record.calibration.tsc_hz = bad;
        record.settings = Named::from([("precision".to_owned(), Scalar::from(bad))]);
        record.results[0].counters = Named::from([("bytes".to_owned(), bad)]);
        let json = record.to_json();
        serde_json::from_str::<Value>(&json).expect("valid JSON");
        let back = Record::from_json(&json).expect("readable");
        assert_eq!(back.calibration.ticks_per_cycle, None);
        assert!(back.calibration.tsc_hz.is_nan());
        assert_eq!(back.settings["precision"], Scalar::Null);
        assert!(back.results[0].counters["bytes"].is_nan());
        assert_eq!(back.to_json(), json, "writing again changes nothing");
        text::render(&record, 80);
        text::render(&back, 80);
    }
}

#[test]
fn an_error_names_the_path_and_what_was_found() {
    for (part, other, expected) in [
        (r#""lo":11.99"#, r#""lo":"low""#, "results[0].cycles.lo: expected a number, found a string"),
        (r#""lo":11.99,"#, "", "results[0].cycles.lo: expected a number, found no such field"),
        (r#""cpus":2"#, r#""cpus":-2"#, "machine.cpus: expected a whole number, 0 or above, found -2"),
        (r#""cpus":2"#, r#""cpus":2.5"#, "machine.cpus: expected a whole number, 0 or above, found 2.5"),
        (r#""agrees":true"#, r#""agrees":1"#, "calibration.ruler.agrees: expected a boolean, found a number"),
        (
            r#""seed":18446744073709551615"#,
            r#""se ed":[]"#,
            "settings[\"se ed\"]: expected a boolean, a number",
        ),
        (
            r#""notes":["The loop"#,
            r#""notes":[{}, "The loop"#,
            "results[0].notes[0]: expected a string, found an object",
        ),
        (
            r#""kind":"latency""#,
            r#""kind":"latancy""#,
            "results[0].kind: expected one of latency, reciprocal_throughput, single_shot, routine, loop, found \"latancy\"",
        ),
        (
            r#""verdict":"converged""#,
            r#""verdict":"fine\u001b[2J""#,
            "results[0].verdict: expected one of converged, unstable, imprecise, contended, minimums_unmet, \
             below_resolution, found \"fine\\u{1b}[2J\"",
        ),
    ] {
        let said = message(&golden_with(part, other));
        assert!(said.starts_with(expected), "{said}");
    }
    assert!(message("[]").starts_with("the record: expected an object, found an array"));
}

#[test]
fn another_schema_version_is_refused_by_name() {
    let schema = r#""schema":"fencepost/1""#;
    for (other, named) in [
        (r#""schema":"fencepost/2""#, "schema \"fencepost/2\""),
        (r#""schema":"""#, "schema \"\""),
        (r#""schema":"fencepost/1 ""#, "schema \"fencepost/1 \""),
        (r#""schema":7"#, "a schema that is no string"),
        (r#""schema":null"#, "a schema that is no string"),
        (r#""scheme":"fencepost/1""#, "no field \"schema\""),
    ] {
        let said = message(&golden_with(schema, other));
        assert!(said.contains(named) && said.contains("reads \"fencepost/1\" alone"), "{said}");
        assert!(said.contains("measure again"), "{said}");
    }
    // A foreign version is refused as such, whatever else its fields look like.
    assert!(message(r#"{"schema":"fencepost/9","results":7}"#).contains("fencepost/9"));
}

#[test]
fn a_truncated_record_says_where_it_ends() {
    for length in 1..GOLDEN.len() {
        if let Some(start) = GOLDEN.get(..length) {
            let said = message(start);
            assert!(said.starts_with("the record ends early, at line 1, column "), "{length}: {said}");
        }
    }
    let pretty = sample().to_json_pretty();
    let cut = pretty.find("\"machine\"").expect("a machine");
    let line = pretty[..cut].lines().count();
    assert!(
        message(&pretty[..cut + 5]).contains(&format!("line {line}, column 7")),
        "{}",
        message(&pretty[..cut + 5])
    );
    assert!(message("").starts_with("the record is empty"));
    assert!(message(" \n").starts_with("the record is empty"));
    assert!(message("schema: 1").starts_with("the record is no JSON at line 1, column 1: expected value; "));
}

#[test]
fn depth_and_size_do_not_crash() {
    let deep = "[".repeat(1_000_000);
    assert!(message(&deep).contains("recursion limit"), "{}", message(&deep));
    let nested = golden_with(
        r#""complete":true"#,
        &format!(r#""complete":true,"x":{}1{}"#, "[".repeat(5000), "]".repeat(5000)),
    );
    assert!(message(&nested).contains("recursion limit"));
    let long = format!("\"{}\"", "x".repeat(65 << 20));
    assert!(message(&long).contains("is longer than 67108864"));
    let many = Record { results: vec![sample_result(); 2000], ..sample() };
    assert_eq!(Record::from_json(&many.to_json()).expect("many").results.len(), 2000);
    let hostile =
        golden_with(r#""verdict":"converged""#, &format!(r#""verdict":"{}""#, "\\n".repeat(1 << 20)));
    assert!(message(&hostile).len() < 1000, "a message stays short");
}

/// Whether two JSON values agree, numbers within the last bits that a decimal parser may differ in.
fn agrees(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => match (a.as_f64(), b.as_f64()) {
            (Some(x), Some(y)) if a.is_f64() && b.is_f64() => (x - y).abs() <= 4.0 * f64::EPSILON * x.abs(),
            _ => a == b,
        },
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agrees(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| agrees(a, b)))
        }
        _ => a == b,
    }
}

#[test]
fn any_record_comes_back_as_it_was_written() {
    for seed in 0..2000 {
        let record = odd_record(&mut oorandom::Rand64::new(seed));
        let back =
            Record::from_json(&record.to_json()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let (written, again) =
            (serde_json::to_value(&record).expect("a value"), serde_json::to_value(&back).expect("a value"));
        assert!(agrees(&written, &again), "seed {seed}:\n{written}\n{again}");
        let texts = |record: &Record| -> Vec<String> {
            record.results.iter().flat_map(|r| [r.id.clone(), r.sentence.clone(), r.notes.concat()]).collect()
        };
        assert_eq!(texts(&record), texts(&back), "seed {seed}");
    }
}

#[test]
fn damaged_text_is_an_error_or_a_record_but_never_a_crash() {
    for seed in 0..5000 {
        let mut random = oorandom::Rand64::new(seed);
        let mut bytes = GOLDEN.as_bytes().to_vec();
        for _ in 0..random.rand_range(1..4) {
            let at = random.rand_range(0..bytes.len() as u64) as usize;
            bytes[at] = b"0-e\"{}[],:nx\\"[random.rand_range(0..13) as usize];
        }
        if let Ok(record) = Record::from_json(&String::from_utf8_lossy(&bytes)) {
            text::render(&record, 80);
        }
    }
}

#[test]
fn the_build_that_runs_is_known() {
    let build = Build::current();
    assert_eq!(build.fencepost, env!("CARGO_PKG_VERSION"));
    assert!(build.rustc.starts_with("rustc 1."), "{}", build.rustc);
    assert!(["debug", "release"].contains(&build.profile.as_str()), "{}", build.profile);
    assert!(build.target_features.split(',').any(|feature| feature == "sse2"));
}
