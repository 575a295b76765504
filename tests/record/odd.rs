//! Which records would break a careless writer or reader? Random ones from a seed.

use fencepost::record::{BenchmarkResult, CycleEstimate, Estimate, Kind, Record, Scalar, Verdict};

use super::{sample, sample_result};

/// Text that breaks careless writers: escapes, marks, quotes, other planes, lone and long.
pub(crate) fn odd_text(random: &mut oorandom::Rand64) -> String {
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
        core: 3,
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

pub(crate) fn odd_record(random: &mut oorandom::Rand64) -> Record {
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
