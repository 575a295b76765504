//! The lesson: what does `bit_mix` cost? One function, four numbers, and which of them answers which question.
//!
//! `cargo run --release --example bit_mix` tells it with this machine's own numbers; `-- --json` prints the record alone.

use std::fmt::Write;
use std::process::ExitCode;

use fencepost::lab::{Benchmark, Measurement};
use fencepost::record::{self, Verdict};
use fencepost::{Error, ErrorKind, ExitStatus, Lab, Result, output};

const HELP: &str = "\
What does bit_mix cost? A lesson in latency and reciprocal throughput.

usage: cargo run --release --example bit_mix [-- OPTIONS]

  --json      print the record (schema fencepost/1) and nothing else
  --core N    measure on logical CPU N (default: the quietest)
  --help      print this text
";

/// The case study: two multiplications and three shift-xor pairs, each waiting for the one before it.
fn bit_mix(mut x: u64) -> u64 {
    x ^= x >> 33;
    x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^= x >> 33;
    x = x.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

/// Inputs that have nothing to do with one another.
fn inputs() -> Vec<u64> {
    let mut random = oorandom::Rand64::new(2026);
    (0..1024).map(|_| random.rand_u64()).collect()
}

struct Arguments {
    json: bool,
    help: bool,
    core: Option<usize>,
}

fn arguments() -> Result<Arguments> {
    let wrong = |what: String| {
        Error::new(ErrorKind::Usage, what).remedy("see cargo run --release --example bit_mix -- --help")
    };
    let mut parsed = Arguments { json: false, help: false, core: None };
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "--json" => parsed.json = true,
            "--help" | "-h" => parsed.help = true,
            "--core" => {
                let value = given.next().ok_or_else(|| wrong("--core needs a number".to_owned()))?;
                let core = value.parse().map_err(|_| wrong(format!("--core {value:?} is no number")))?;
                parsed.core = Some(core);
            }
            other => return Err(wrong(format!("there is no option {other:?}"))),
        }
    }
    Ok(parsed)
}

fn main() -> ExitCode {
    output::finish(run())
}

fn run() -> Result<ExitStatus> {
    let arguments = arguments()?;
    if arguments.help {
        output::emit(HELP)?;
        return Ok(ExitStatus::Done);
    }
    let mut lab = match arguments.core {
        Some(core) => Lab::builder().core(core).build()?,
        None => Lab::new()?,
    };
    let inputs = inputs();
    // Each call gets the result of the call before the last: two chains side by side, where the harness believes in one.
    let mut before = 1u64;
    let half_dependent = move |last: u64| bit_mix(std::mem::replace(&mut before, last));
    let measured = lab.measure(vec![
        Benchmark::single_shot("bit_mix/single_shot", &inputs, |&x| bit_mix(x))?,
        Benchmark::latency("bit_mix/latency", 42u64, bit_mix),
        Benchmark::throughput("bit_mix/throughput", &inputs, |&x| bit_mix(x))?,
        Benchmark::latency("half-dependent bit_mix", 42u64, half_dependent),
    ])?;
    let record = lab.record(&measured, true);
    if arguments.json {
        output::emit(&(record.to_json_pretty() + "\n"))?;
    } else {
        output::emit(&lesson(&record, &measured))?;
    }
    Ok(ExitStatus::Done)
}

/// The text of the lesson. Numbers are printed as far as their intervals allow.
fn lesson(record: &record::Record, measured: &[Measurement]) -> String {
    let [single, latency, throughput, half] = measured else { return String::new() };
    let (single, latency, throughput, half) =
        (&single.result, &latency.result, &throughput.result, &half.result);
    let calibration = &record.calibration;
    let raw = single.counters.get("raw_median_ticks").copied().unwrap_or(f64::NAN);
    let pair = calibration.fence_overhead_median_ticks;
    // Of the latency's own samples: the clock moves from one moment to the next.
    let rate = latency.cycles.as_ref().map_or(f64::NAN, |cycles| latency.ticks.estimate / cycles.estimate);
    let tsc_ghz = calibration.tsc_hz / 1e9;
    let cost = record::cost;

    let mut text = String::new();
    let mut say = |line: &str| {
        let _ = writeln!(text, "{line}");
    };
    say("What does bit_mix cost?");
    say("");
    say("    x ^= x >> 33;  x *= 0xff51afd7ed558ccd;");
    say("    x ^= x >> 33;  x *= 0xc4ceb9fe1a85ec53;  x ^= x >> 33;");
    say("");
    say("1. Time one call between two reads of the time stamp counter");
    say(&format!("   median of one call              {raw:>8.0} ticks"));
    say(&format!("   the same pair around nothing    {pair:>8.0} ticks"));
    say("   Most of it is the fence pair: it waits until everything before it is");
    say("   done, and the pipeline starts empty. Subtracting one from the other");
    say("   gives a number, but neither latency nor throughput.");
    say("");
    say("2. Latency: let each call wait for the one before it, acc = bit_mix(acc)");
    say(&format!("   by the time stamp counter       {:>8.2} ticks", latency.ticks.estimate));
    say(&format!("   by the wall clock               {:>11}", record::cost_in_ns(latency)));
    say(&format!("   by the core's own clock         {:>12}", cost(latency)));
    if rate.is_finite() {
        say(&format!("   The counter ticks at {tsc_ghz:.2} GHz whatever the core does; the core ran at"));
        say(&format!("   {:.2} GHz, so a cycle took {rate:.3} ticks. Ticks are not cycles.", tsc_ghz / rate));
    }
    say("   Expected: two multiplications of 3 cycles and three shift-xor pairs of");
    say("   1 + 1 cycles, one after the other: 2*3 + 3*2 = 12 cycles.");
    say("");
    say("3. Reciprocal throughput: give it inputs that do not wait for one another");
    say(&format!("   cycles a call                   {:>12}", cost(throughput)));
    if let Some(overlap) = record::overlap(latency, throughput) {
        say(&format!("   overlap: latency / reciprocal throughput = {overlap} calls in flight at once."));
    }
    say("   The core starts the next call long before the last one has ended.");
    say("");
    say("4. A number that means nothing: a chain in which every call gets the");
    say("   result of the call before the last");
    say(&format!("   \"cycles a call\"                 {:>12}", cost(half)));
    say("   Two chains ran side by side, so it is neither of the above. A harness");
    say("   has to be all chain or no chain; between them lies no answer.");
    say("");
    say("Which number answers which question?");
    say(&format!("   {:<17} how long until a result that I wait for is there", cost(latency)));
    say(&format!("   {:<17} how many results a second, when there is enough to do", cost(throughput)));
    let doubtful = [latency, throughput, half].iter().any(|result| result.verdict != Verdict::Converged);
    say("");
    say("How far to trust this");
    text.push('\n');
    let mut page = record.clone();
    page.results.retain(|result| result.kind != record::Kind::SingleShot || doubtful);
    text.push_str(&record::text::render(&page, 80));
    text
}
