//! Does a record come back as it was written, refuse what is no record, and show what it may?

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use fencepost::error::ErrorKind;
use fencepost::record::{
    Barrier, BenchmarkResult, Build, Cache, CacheKind, Calibration, CycleEstimate, Estimate, Finding, Kind,
    Machine, Record, Ruler, Samples, Scalar, Schema, Severity, Verdict, text,
};
use serde_json::Value;

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
            fingerprint: BTreeMap::from([("governor".into(), "performance".into())]),
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
        settings: BTreeMap::from([
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
        results: vec![sample_result()],
    }
}

fn sample_result() -> BenchmarkResult {
    BenchmarkResult {
        id: "bit_mix/latency".into(),
        kind: Kind::Latency,
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
        counters: BTreeMap::from([("bytes".into(), 8.0)]),
        notes: vec!["The loop is aligned to 64 bytes.".into()],
        elapsed_secs: 0.4,
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
    r#""results":[{"id":"bit_mix/latency","kind":"latency","ops":1,"unroll":8,"slice_iterations":1024,"#,
    r#""barrier":"register","inputs":64,"cycles":{"estimate":12.004,"lo":11.99,"hi":12.02,"min":11.95,"#,
    r#""median":12.01,"spread_pct":2.5},"ticks":{"estimate":9.873,"lo":9.86,"hi":9.89},"#,
    r#""ns":{"estimate":4.037,"lo":4.03,"hi":4.05},"verdict":"converged","#,
    r#""verdict_reason":"precise to 0.25 %","upper_bound":false,"below_resolution":false,"#,
    r#""resolution_cycles":0.25,"loop_floor_cycles":0.2,"percentile":50.0,"#,
    r#""samples":{"total":120,"clean":100,"contended":15,"drifted":3,"interrupted":2,"migrated":0},"#,
    r#""p33_raw_ticks":10.1,"p33_ungated_cycles":12.1,"counters":{"bytes":8.0},"#,
    r#""notes":["The loop is aligned to 64 bytes."],"elapsed_secs":0.4,"#,
    r#""sentence":"A call that waits for the one before it takes 12.0 core cycles here."}]}"#,
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
        record.settings = BTreeMap::from([("precision".to_owned(), Scalar::from(bad))]);
        record.results[0].counters = BTreeMap::from([("bytes".to_owned(), bad)]);
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
    assert!(message("schema: 1").starts_with("the record is no JSON at line 1, column 1"));
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

/// Text that breaks careless writers: escapes, marks, quotes, other planes, lone and long.
fn odd_text(random: &mut oorandom::Rand64) -> String {
    const ODD: &[char] = &[
        '"',
        '\\',
        '/',
        '\0',
        '\n',
        '\r',
        '\t',
        '\u{1b}',
        '\u{7f}',
        '\u{9b}',
        '\u{202e}',
        '\u{2028}',
        '\u{feff}',
        'é',
        '漢',
        '😀',
        '\u{10ffff}',
        '\u{fffd}',
        ' ',
        'a',
        '[',
        '}',
        ',',
        ':',
        '.',
    ];
    (0..random.rand_range(0..12)).map(|_| ODD[random.rand_range(0..ODD.len() as u64) as usize]).collect()
}

/// A finite number of any size, whole ones among them.
fn odd_number(random: &mut oorandom::Rand64) -> f64 {
    let number = match random.rand_range(0..3) {
        0 => f64::from_bits(random.rand_u64()),
        1 => random.rand_range(0..1 << 60) as f64 - (1_u64 << 59) as f64,
        _ => random.rand_float() * 100.0,
    };
    if number.is_finite() { number } else { 0.0 }
}

fn perhaps<T>(random: &mut oorandom::Rand64, make: impl Fn(&mut oorandom::Rand64) -> T) -> Option<T> {
    (random.rand_range(0..2) == 0).then(|| make(random))
}

fn odd_result(random: &mut oorandom::Rand64) -> BenchmarkResult {
    let estimate = |r: &mut _| Estimate {
        estimate: odd_number(r),
        lo: perhaps(r, odd_number),
        hi: perhaps(r, odd_number),
    };
    BenchmarkResult {
        id: format!("{}/{}", odd_text(random), odd_text(random)),
        kind: Kind::ALL[random.rand_range(0..Kind::ALL.len() as u64) as usize],
        verdict: Verdict::ALL[random.rand_range(0..Verdict::ALL.len() as u64) as usize],
        verdict_reason: perhaps(random, odd_text),
        ops: random.rand_u64(),
        inputs: perhaps(random, |r| r.rand_u64()),
        cycles: perhaps(random, |r| CycleEstimate {
            estimate: odd_number(r),
            lo: odd_number(r),
            hi: odd_number(r),
            ..Default::default()
        }),
        ticks: estimate(random),
        ns: perhaps(random, estimate),
        upper_bound: random.rand_range(0..2) == 0,
        below_resolution: random.rand_range(0..2) == 0,
        resolution_cycles: perhaps(random, odd_number),
        loop_floor_cycles: perhaps(random, odd_number),
        counters: (0..random.rand_range(0..4)).map(|_| (odd_text(random), odd_number(random))).collect(),
        notes: (0..random.rand_range(0..3)).map(|_| odd_text(random)).collect(),
        sentence: odd_text(random),
        ..sample_result()
    }
}

fn odd_record(random: &mut oorandom::Rand64) -> Record {
    let mut record = sample();
    record.complete = random.rand_range(0..2) == 0;
    record.machine.brand = odd_text(random);
    record.machine.hypervisor = perhaps(random, odd_text);
    record.machine.fingerprint = (0..3).map(|_| (odd_text(random), odd_text(random))).collect();
    record.calibration.ticks_per_cycle = perhaps(random, odd_number);
    record.calibration.tsc_hz = odd_number(random);
    record.settings = (0..6)
        .map(|index| {
            let scalar = match index {
                0 => Scalar::Null,
                1 => Scalar::from(random.rand_u64()),
                2 => Scalar::from(random.rand_u64() as i64),
                3 => Scalar::from(odd_number(random)),
                4 => Scalar::from(random.rand_range(0..2) == 0),
                _ => Scalar::from(odd_text(random)),
            };
            (format!("{index}{}", odd_text(random)), scalar)
        })
        .collect();
    record.findings[0].remedy = perhaps(random, odd_text);
    record.results = (0..random.rand_range(0..6)).map(|_| odd_result(random)).collect();
    record
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

fn scratch(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("fencepost-record-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("a scratch directory");
    directory
}

#[test]
fn saving_replaces_in_one_step_and_leaves_nothing_behind() {
    let directory = scratch("replace");
    let path = directory.join("run.json");
    fs::write(&path, "old").expect("an old file");
    sample().write_atomically(&path).expect("saved");
    let text = fs::read_to_string(&path).expect("the new file");
    assert!(text.ends_with("}\n"));
    assert_eq!(Record::from_json(&text).expect("readable"), sample());
    assert_eq!(fs::read_dir(&directory).expect("listing").count(), 1);
    fs::remove_dir_all(&directory).expect("clean up");
}

#[test]
fn a_save_that_fails_names_the_path_and_leaves_nothing_behind() {
    let directory = scratch("refuse");
    let missing = directory.join("no/such/run.json");
    let error = sample().write_atomically(&missing).expect_err("no directory");
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(
        error.to_string().contains("run.json") && error.to_string().contains("create the directory"),
        "{error}"
    );

    let taken = directory.join("taken");
    fs::create_dir(&taken).expect("a directory");
    let error = sample().write_atomically(&taken).expect_err("a directory is in the way");
    assert!(error.to_string().contains("taken"), "{error}");
    assert_eq!(fs::read_dir(&directory).expect("listing").count(), 1, "the temporary file is gone");

    let error = sample().write_atomically("/").expect_err("no file name");
    assert_eq!(error.kind(), ErrorKind::Usage);
    fs::remove_dir_all(&directory).expect("clean up");
}

#[test]
fn writers_at_the_same_time_leave_one_whole_record() {
    let directory = scratch("race");
    let path = directory.join("run.json");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..5 {
                    sample().write_atomically(&path).expect("saved");
                    Record::from_json(&fs::read_to_string(&path).expect("there")).expect("whole");
                }
            });
        }
    });
    assert_eq!(fs::read_dir(&directory).expect("listing").count(), 1);
    fs::remove_dir_all(&directory).expect("clean up");
}

/// Every path to a field, maps with keys of the user's choice as `*`, elements of arrays as `[]`.
fn paths(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    const MAPS: [&str; 3] = ["settings", "machine.fingerprint", "results[].counters"];
    match value {
        Value::Object(fields) => {
            for (key, field) in fields {
                let key = if MAPS.contains(&at) { "*" } else { key };
                let path = if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") };
                paths(field, &path, found);
                found.insert(path);
            }
        }
        Value::Array(elements) => {
            elements.iter().for_each(|element| paths(element, &format!("{at}[]"), found))
        }
        _ => {}
    }
}

#[test]
fn the_schema_document_and_the_record_have_the_same_fields() {
    let mut written = BTreeSet::new();
    paths(&serde_json::to_value(sample()).expect("a value"), "", &mut written);
    let document =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/schema.md")).expect("the document");
    let mut documented = BTreeSet::new();
    for row in document.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [path, _type, _unit, meaning, since] = cells[..] else { panic!("five columns in {row}") };
        assert!(!meaning.is_empty() && since.ends_with('1'), "{row}");
        assert!(documented.insert(path.trim_matches('`').to_owned()), "twice: {path}");
    }
    let missing: Vec<_> = written.difference(&documented).collect();
    let surplus: Vec<_> = documented.difference(&written).collect();
    assert!(
        missing.is_empty() && surplus.is_empty(),
        "not documented: {missing:?}; not written: {surplus:?}"
    );
    for words in [
        Kind::ALL.iter().map(|word| word.as_str()).collect::<Vec<_>>(),
        Verdict::ALL.iter().map(|word| word.as_str()).collect(),
        Barrier::ALL.iter().map(|word| word.as_str()).collect(),
        Severity::ALL.iter().map(|word| word.as_str()).collect(),
        CacheKind::ALL.iter().map(|word| word.as_str()).collect(),
    ] {
        for word in words {
            assert!(document.contains(&format!("`{word}`")), "the word {word} is documented");
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

fn result(id: &str, kind: Kind, verdict: Verdict, (estimate, lo, hi): (f64, f64, f64)) -> BenchmarkResult {
    BenchmarkResult {
        id: id.into(),
        kind,
        verdict,
        cycles: Some(CycleEstimate { estimate, lo, hi, ..Default::default() }),
        ticks: Estimate { estimate: estimate * 0.82, lo: None, hi: None },
        ns: Some(Estimate { estimate: estimate / 2.97, lo: None, hi: None }),
        ..Default::default()
    }
}

/// A record with each sort of row that the text has.
fn shown() -> Record {
    let mut record = sample();
    record.results[0].verdict_reason = None;
    let throughput = Kind::ReciprocalThroughput;
    record.results.extend([
        BenchmarkResult {
            sentence:
                "Calls that do not wait for each other take 3.0 core cycles each, so about 4 of them are in \
                       flight at once."
                    .into(),
            ..result("bit_mix/throughput", throughput, Verdict::Converged, (3.01, 3.005, 3.013))
        },
        result("add/latency", Kind::Latency, Verdict::Converged, (1.0, 0.9996, 1.0004)),
        BenchmarkResult {
            upper_bound: true,
            verdict_reason: Some("no quiet moment came in 1.5 s".into()),
            ..result("add/throughput", throughput, Verdict::Contended, (0.303, 0.300, 0.3051))
        },
        result("identity/latency", Kind::Latency, Verdict::Imprecise, (1.31, 0.4, 2.9)),
        BenchmarkResult {
            below_resolution: true,
            resolution_cycles: Some(0.26),
            ..result("identity/throughput", throughput, Verdict::BelowResolution, (0.004, -0.1, 0.1))
        },
        result(
            "sort of a thousand shuffled numbers",
            Kind::Routine,
            Verdict::Converged,
            (41234.0, 41100.0, 41390.0),
        ),
        BenchmarkResult {
            cycles: None,
            ns: None,
            ticks: Estimate { estimate: 73.5, lo: Some(49.0), hi: Some(98.0) },
            ..result("bit_mix/once", Kind::SingleShot, Verdict::MinimumsUnmet, (0.0, 0.0, 0.0))
        },
    ]);
    record
}

#[test]
fn a_page_of_80_columns() {
    assert_eq!(format!("\n{}", text::render(&shown(), 80)), "80");
}

#[test]
fn a_page_of_60_columns() {
    assert_eq!(format!("\n{}", text::render(&shown(), 60)), "60");
}

/// As a terminal counts, for the characters that these tests use.
fn columns(line: &str) -> usize {
    line.chars().map(|c| if matches!(c, '漢' | '😀') { 2 } else { 1 }).sum()
}

#[test]
fn hostile_text_stays_inert_and_within_the_width() {
    let hostile = "\u{1b}]0;owned\u{7}\u{1b}[2J\r\n\u{202e}evil\u{2066}\u{200b}\u{9b}31m\0";
    let mut record = sample();
    record.machine.brand = hostile.into();
    record.machine.microarchitecture = Some(hostile.into());
    record.machine.hypervisor = Some(hostile.into());
    record.calibration.cycle_source = Some(hostile.into());
    record.calibration.core_type = Some(hostile.into());
    record.findings[0] = Finding {
        id: hostile.into(),
        severity: Severity::Serious,
        value: hostile.into(),
        effect: hostile.into(),
        remedy: Some(hostile.into()),
    };
    record.results[0].id = format!("{}/{hostile}", hostile.repeat(20));
    record.results[0].sentence = hostile.into();
    record.results[0].verdict_reason = Some(hostile.into());
    record.results[0].notes = vec![hostile.into()];
    for width in [0, 60, 80, 133] {
        let page = text::render(&record, width);
        for line in page.lines() {
            assert!(line.len() <= width.max(text::MIN_WIDTH), "{width}: {line}");
        }
        let bad: Vec<char> = page.chars().filter(|c| *c != '\n' && !(' '..='~').contains(c)).collect();
        assert!(bad.is_empty(), "{bad:?}");
        assert!(page.contains("\\u{1b}]0;owned"), "shown, not dropped");
    }
}

#[test]
fn no_record_breaks_the_width_or_prints_a_control_character() {
    for seed in 0..2000 {
        let record = odd_record(&mut oorandom::Rand64::new(seed));
        for width in [60, 80, 200] {
            let page = text::render(&record, width);
            for line in page.lines() {
                assert!(columns(line) <= width, "seed {seed}, width {width}:\n{line}\n{page}");
                assert!(!line.chars().any(char::is_control), "seed {seed}: {line:?}");
            }
        }
    }
}

#[test]
fn every_elided_name_is_shown_in_full_with_its_sentence() {
    let id = format!("{}/latency", "a_module::with_a_long_path::".repeat(4));
    let mut record = sample();
    record.results[0].id = id.clone();
    let page = text::render(&record, 80);
    assert!(page.contains("..."), "{page}");
    let joined: String = page.lines().map(str::trim).collect();
    assert!(joined.contains(&id), "{page}");
}

#[test]
fn results_that_do_not_pair_have_a_row_each() {
    let latency = |id: &str| result(id, Kind::Latency, Verdict::Converged, (4.0, 3.99, 4.01));
    let throughput =
        |id: &str| result(id, Kind::ReciprocalThroughput, Verdict::Converged, (1.0, 0.999, 1.001));
    let rows = |results: Vec<BenchmarkResult>| text::render(&Record { results, ..sample() }, 80);
    let page = rows(vec![latency("a/latency"), throughput("b/throughput")]);
    assert!(!page.contains("overlap") && page.contains("rthroughput"), "{page}");
    let page = rows(vec![latency("a/x"), latency("a/y"), throughput("a/z")]);
    assert!(!page.contains("overlap"), "two latencies of one stem are not guessed about: {page}");
    let ticks_only = BenchmarkResult { cycles: None, ..throughput("a/throughput") };
    let page = rows(vec![latency("a/latency"), ticks_only.clone()]);
    assert!(!page.contains("overlap"), "ticks and cycles have no ratio: {page}");
    let page = rows(vec![BenchmarkResult { cycles: None, ..latency("a/latency") }, ticks_only]);
    assert!(page.contains("latency ticks") && page.contains("rthroughput ticks"), "{page}");
}
