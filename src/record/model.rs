//! Of what does a record consist? The structs of schema `fencepost/1`, field by field.
//!
//! Fields are public and every struct has a `Default`: fill in what is known and take the rest from
//! `..Default::default()`, so that a field added later does not break the construction. A default claims
//! nothing (its verdict is *minimums unmet*). In a required number NaN means that it is not known.

use super::explored::{Events, FactorsOutcome, SweepOutcome};
use super::ladder::{Bandwidth, Border, Rung, ToldCache};
use super::named::Named;
use super::scalar::Scalar;
use super::trace::Trace;
use super::words::{Barrier, CacheKind, Difference, Kind, PredictionVerdict, Schema, Severity, Verdict};

record! {
    /// One run: what was built, on which machine, how it was calibrated and what came out.
    ///
    /// ```
    /// use fencepost::record::{BenchmarkResult, Record, Verdict};
    /// let result = BenchmarkResult { id: "bit_mix/latency".into(), ..Default::default() };
    /// let record = Record { complete: true, results: vec![result], ..Default::default() };
    /// let back = Record::from_json(&record.to_json())?;
    /// assert_eq!(back.results[0].verdict, Verdict::MinimumsUnmet);
    /// # Ok::<(), fencepost::error::Error>(())
    /// ```
    pub struct Record {
        /// The version of the schema.
        pub schema: Schema,
        /// Whether everything that was asked for is in it; false if the run was cut short.
        pub complete: bool,
        /// How the measuring program was built.
        pub build: Build,
        /// The computer.
        pub machine: Machine,
        /// What was learned about counter and clock before and during the run.
        pub calibration: Calibration,
        /// The settings in force, by name (seed, target_percentile, ...).
        pub settings: Named<Scalar>,
        /// What about the machine or the build affects the numbers.
        pub findings: Vec<Finding>,
        /// How many processes measured, one after the other; from 2 on, intervals span what differs between them.
        pub processes: u64 = 1,
        /// What the run took of the machine; absent if not known.
        pub resources: Option<Resources>,
        /// One entry a benchmark and kind, in the order of registration.
        pub results: Vec<BenchmarkResult>,
        /// Comparisons of results of this run with one another, measured in pairs; absent in records before there were any.
        pub comparisons: Vec<Versus> = Vec::new(),
        /// Sweeps over sizes, by results of this run.
        pub sweeps: Vec<SweepOutcome> = Vec::new(),
        /// Factor experiments, by results of this run.
        pub factors: Vec<FactorsOutcome> = Vec::new(),
        /// The memory ladder, smallest working set first; empty where none was measured.
        pub ladder: Vec<Rung> = Vec::new(),
        /// Bandwidths beside it, smallest working set first.
        pub bandwidth: Vec<Bandwidth> = Vec::new(),
        /// Where the ladder shows that a level ends.
        pub borders: Vec<Border> = Vec::new(),
        /// What CPUID tells of caches beside what the ladder shows, nearest first.
        pub told_caches: Vec<ToldCache> = Vec::new(),
        /// The pages that the ladder's working sets lay in; absent without a ladder.
        pub pages: Option<String>,
        /// Remarks on the ladder.
        pub notes: Vec<String> = Vec::new(),
    }
}

record! {
    /// Two benchmarks of one run, measured in pairs.
    pub struct Versus {
        /// The benchmark that is compared.
        pub of: String,
        /// The benchmark that it is compared with.
        pub to: String,
        /// Cost of the first over that of the second.
        pub ratio: f64,
        /// Lower end of its interval.
        pub lo: f64,
        /// Upper end of its interval.
        pub hi: f64,
        /// How often such an interval holds the true ratio at least, 0 to 1.
        pub coverage: f64,
        /// Blocks of slices that it rests on.
        pub blocks: u64,
        /// Blocks of slices that were measured.
        pub blocks_total: u64,
        /// Whether all of those that it rests on are clean.
        pub clean: bool,
        /// How much the place of the loops moves either side, which the interval spans; absent unless several were asked for.
        pub placements: Option<PlacedSides>,
        /// What may be said.
        pub difference: Difference,
        /// That, as a sentence.
        pub sentence: String,
    }
}

record! {
    /// What a run took of the machine, by the kernel's account of the process (getrusage(2)); of several processes the most
    /// memory and the sum of the others.
    pub struct Resources {
        /// The most memory that was resident at once, in bytes.
        pub max_rss_bytes: u64,
        /// Page faults that were served without input or output: a first touch of fresh memory is one.
        pub minor_faults: u64,
        /// Page faults that waited for input or output.
        pub major_faults: u64,
        /// Context switches because the process waited for something.
        pub voluntary_switches: u64,
        /// Context switches because another one was to run.
        pub involuntary_switches: u64,
    }
}

record! {
    /// How the measuring program was built.
    pub struct Build {
        /// Version of fencepost.
        pub fencepost: String,
        /// Target triple.
        pub target: String,
        /// What `rustc --version` says.
        pub rustc: String,
        /// Cargo's base profile: `debug` or `release` (`bench` builds on `release`).
        pub profile: String,
        /// `opt-level`: 0, 1, 2, 3, s or z.
        pub opt_level: String,
        /// `RUSTFLAGS`, separated by spaces.
        pub flags: String,
        /// Target features that were enabled, separated by commas.
        pub target_features: String,
    }
}

record! {
    /// The computer.
    pub struct Machine {
        /// CPUID vendor, for example `AuthenticAMD`.
        pub vendor: String,
        /// CPUID brand string.
        pub brand: String,
        /// CPUID family, extended family included.
        pub family: u64,
        /// CPUID model, extended model included.
        pub model: u64,
        /// CPUID stepping.
        pub stepping: u64,
        /// The core's design, for example `Zen 3`; absent if not known.
        pub microarchitecture: Option<String>,
        /// What LLVM calls this CPU, for example `znver3`; absent if not known.
        pub llvm_cpu: Option<String>,
        /// The hypervisor, for example `KVM`; absent on bare metal.
        pub hypervisor: Option<String>,
        /// The product line of the CPU, for example `Sapphire Rapids`; absent if not known.
        pub product: Option<String>,
        /// Release of the running kernel.
        pub kernel: String,
        /// Logical CPUs online.
        pub cpus: u64,
        /// The caches that the measuring core uses, nearest first.
        pub caches: Vec<Cache>,
        /// What has to agree for two records to be comparable, by name.
        pub fingerprint: Named<String>,
    }
}

record! {
    /// One cache.
    pub struct Cache {
        /// 1 is nearest to the core.
        pub level: u64,
        /// What it holds.
        pub kind: CacheKind,
        /// Size in bytes.
        pub size_bytes: u64,
        /// Line size in bytes.
        pub line_bytes: u64,
        /// Associativity; absent if not known.
        pub ways: Option<u64>,
        /// Logical CPUs that share it; absent if not known.
        pub shared_by_cpus: Option<u64>,
    }
}

record! {
    /// What was learned about counter and clock.
    pub struct Calibration {
        /// Frequency of the time stamp counter in hertz.
        pub tsc_hz: f64,
        /// How far off `tsc_hz` may be, in parts per million; absent if not known.
        pub tsc_hz_error_ppm: Option<f64>,
        /// Where `tsc_hz` comes from.
        pub tsc_hz_source: String,
        /// Smallest increment in which the counter advances, in ticks.
        pub tsc_step_ticks: f64,
        /// What a fence pair costs around nothing at least, in ticks.
        pub fence_overhead_ticks: f64,
        /// The same in the median, in ticks.
        pub fence_overhead_median_ticks: f64,
        /// How LFENCE is known to wait for earlier instructions.
        pub lfence: String,
        /// Ticks that pass in one core cycle (median over the run); absent if core cycles cannot be claimed.
        pub ticks_per_cycle: Option<f64>,
        /// What turns ticks into core cycles, for example `clock ruler`; absent like `ticks_per_cycle`.
        pub cycle_source: Option<String>,
        /// The two chains of the clock ruler; absent if it was not used.
        pub ruler: Option<Ruler>,
        /// NOPs that the contention gauge retires in one core cycle when it is quiet; absent if not known.
        pub gauge_nops_per_cycle: Option<f64>,
        /// Instructions that a core of this design issues in one cycle, where nothing fuses two of them, as published; absent if not known.
        pub issue_width: Option<u64>,
        /// Logical CPU that was measured on.
        pub core: u64,
        /// Type of that core where there are several, for example `P` or `E`; absent where all are alike.
        pub core_type: Option<String>,
    }
}

record! {
    /// The two chains of the clock ruler, in core cycles a link.
    pub struct Ruler {
        /// Dependent additions: 1 by definition.
        pub add: f64,
        /// Dependent multiplications, measured by the additions: 3 if the ruler holds.
        pub imul: f64,
        /// Whether the two agree within tolerance.
        pub agrees: bool,
    }
}

record! {
    /// Something about machine or build that affects the numbers.
    pub struct Finding {
        /// Stable name, for example `governor`.
        pub id: String,
        /// How much it matters.
        pub severity: Severity,
        /// What was seen.
        pub value: String,
        /// What it does to the numbers.
        pub effect: String,
        /// The command or change that mends it; absent if nothing does.
        pub remedy: Option<String>,
    }
}

record! {
    /// What was measured of one benchmark in one way.
    pub struct BenchmarkResult {
        /// Unique name. Results that differ in the last `/` part alone belong together.
        pub id: String,
        /// What is measured.
        pub kind: Kind,
        /// Logical CPU that it was measured on.
        pub core: u64 = 0,
        /// Operations in one call of the kernel; costs are per operation.
        pub ops: u64 = 1,
        /// Calls in one iteration of the timed loop.
        pub unroll: u64 = 1,
        /// Iterations in one slice.
        pub slice_iterations: u64,
        /// How the value is kept from the optimizer.
        pub barrier: Barrier,
        /// How many independent inputs were fed; absent for a chain.
        pub inputs: Option<u64>,
        /// Cost in core cycles an operation; absent where only ticks may be claimed.
        pub cycles: Option<CycleEstimate>,
        /// The two costs between which whole slices change, absent where there is one; the estimate is then their average by
        /// share and its interval spans both.
        pub modes: Option<Modes>,
        /// Cost in ticks an operation.
        pub ticks: Estimate,
        /// Cost in nanoseconds an operation; absent where the frequency is not known.
        pub ns: Option<Estimate>,
        /// What may be said of the result.
        pub verdict: Verdict,
        /// Why the verdict is not *converged*, in words.
        pub verdict_reason: Option<String>,
        /// The cost is this or less: contention could not be excluded.
        pub upper_bound: bool,
        /// The cost is too small to be told from nothing.
        pub below_resolution: bool,
        /// The smallest cost that could have been told from nothing, in core cycles; absent if not known.
        pub resolution_cycles: Option<f64>,
        /// Reciprocal throughput of the same harness around the identity, in core cycles; absent if not
        /// measured.
        pub loop_floor_cycles: Option<f64>,
        /// Percentile of the clean samples that the estimate is.
        pub percentile: f64,
        /// How many samples there were, by trust label.
        pub samples: Samples,
        /// What the 33.3th percentile of raw ticks, without gate or slope, would have said; absent if
        /// not computed.
        pub p33_raw_ticks: Option<f64>,
        /// The same percentile of slopes in core cycles without the contention gate; absent if not computed.
        pub p33_ungated_cycles: Option<f64>,
        /// The user's own counters, by name.
        pub counters: Named<f64> = Named::default(),
        /// Remarks for the reader.
        pub notes: Vec<String> = Vec::new(),
        /// What was found in the timed loop itself; absent if it was not decoded.
        pub decoded: Option<Decoded>,
        /// What a static model says of the same instructions; absent if none was asked.
        pub prediction: Option<Prediction>,
        /// The same with the timed loop started elsewhere; absent unless it was asked for.
        pub placements: Option<Placements>,
        /// What was counted under Valgrind; absent if it was not.
        pub counts: Option<Counts>,
        /// Events that the PMU or the kernel counted; absent unless they were asked for.
        pub events: Option<Events>,
        /// Time that measuring took, in seconds.
        pub elapsed_secs: f64,
        /// Its samples, for plots; absent unless they were asked for.
        pub trace: Option<Trace>,
        /// What this result licenses one to say.
        pub sentence: String,
    }
}

record! {
    /// A cost in core cycles.
    pub struct CycleEstimate {
        /// The estimate.
        pub estimate: f64,
        /// Lower end of its interval.
        pub lo: f64,
        /// Upper end of its interval.
        pub hi: f64,
        /// The smallest sample.
        pub min: f64,
        /// The median sample.
        pub median: f64,
        /// (max - min) / median of the samples, in percent.
        pub spread_pct: f64,
    }
}

record! {
    /// The timed loop as it was decoded from memory.
    pub struct Decoded {
        /// Instructions an operation, loop control included.
        pub instructions: f64,
        /// Instructions a core cycle, by the measured cost; absent where either is not known.
        pub ipc: Option<f64>,
        /// Calls of the kernel in one turn of the loop.
        pub operations: u64,
        /// Where the loop starts, modulo 64 bytes.
        pub placement: u64,
        /// The timed function's name; absent where the program has no symbols.
        pub symbol: Option<String>,
        /// Functions that the loop calls: what was not inlined.
        pub calls: Vec<String> = Vec::new(),
        /// What is wrong with the loop, in words.
        pub findings: Vec<String> = Vec::new(),
        /// One turn of the loop, an instruction a line behind its offset in the function, at most 200 lines.
        pub listing: Vec<String> = Vec::new(),
        /// Those that wait for one another from turn to turn, by their place in `listing`: the longest such chain.
        pub chain: Vec<u64> = Vec::new(),
        /// Why a turn is no straight line; absent where it is one.
        pub obstacle: Option<String>,
    }
}

record! {
    /// What a benchmark costs with its timed loop started at several places, in core cycles an operation, or in ticks where only those may
    /// be claimed.
    pub struct Placements {
        /// Different offsets modulo 64 among those places.
        pub distinct: u64,
        /// The least cost.
        pub min: f64,
        /// The median cost.
        pub median: f64,
        /// The greatest cost.
        pub max: f64,
        /// (max - min) / median, in percent.
        pub spread_pct: f64,
        /// Each place, in the order of their numbers.
        pub each: Vec<Placement>,
    }
}

record! {
    /// What a benchmark costs with its timed loop started at one place.
    pub struct Placement {
        /// Where the loop starts, modulo 64 bytes; absent where it was not found.
        pub offset: Option<u64>,
        /// The cost.
        pub estimate: f64,
        /// Lower end of its interval.
        pub lo: f64,
        /// Upper end of its interval.
        pub hi: f64,
        /// What may be said of it.
        pub verdict: Verdict,
    }
}

record! {
    /// How much the place of the timed loop moves either side of a comparison.
    pub struct PlacedSides {
        /// At how many places each side was measured.
        pub places: u64,
        /// (max - min) / median of what is compared, in percent.
        pub of_spread_pct: f64,
        /// The same of what it is compared with.
        pub to_spread_pct: f64,
    }
}

record! {
    /// What a static model says of the timed loop, counted as the result is.
    pub struct Prediction {
        /// The model: `llvm-mca`.
        pub model: String,
        /// Its version.
        pub version: String,
        /// The CPU that it models, as it calls it.
        pub cpu: String,
        /// Core cycles an operation; absent if it was not asked.
        pub cycles: Option<f64>,
        /// Instructions an operation; absent if it was not asked.
        pub instructions: Option<f64>,
        /// Micro-operations an operation; absent if the model does not say.
        pub uops: Option<f64>,
        /// What bounds the loop in the model; absent if it does not say.
        pub bottleneck: Option<String>,
        /// What it and the measurement say of each other.
        pub verdict: PredictionVerdict,
        /// Why they differ, or what must be known of the prediction.
        pub reason: Option<String>,
    }
}

record! {
    /// What Valgrind counted, per operation unless said otherwise: after warming, and without the loop and the call.
    pub struct Counts {
        /// What counted: `callgrind-3.19.0`.
        pub tool: String,
        /// Instructions.
        pub instructions: f64,
        /// Accesses that hit the first level; each instruction is one.
        pub l1: f64,
        /// Accesses that missed the first level and hit the last one.
        pub l2: f64,
        /// Accesses that went to memory.
        pub ram: f64,
        /// L1 + 5 L2 + 35 RAM.
        pub estimated_cycles: f64,
        /// The same by other weights; absent unless they were asked for.
        pub weighted_cycles: Option<f64>,
        /// Branches; absent unless they were simulated.
        pub branches: Option<f64>,
        /// Branches that the simulated predictors got wrong; absent unless they were simulated.
        pub mispredictions: Option<f64>,
        /// Operations that were counted.
        pub operations: u64,
        /// Each event of all those operations together, as Valgrind names it.
        pub in_all: Named<u64>,
        /// Instructions of loop and call that were taken off, of all those operations together.
        pub taken_off: u64,
        /// The first call in the process, caches and predictors cold, all of it; absent where it was not counted by itself.
        pub first: Option<FirstCall>,
    }
}

record! {
    /// What was counted of the first call in a process.
    pub struct FirstCall {
        /// Instructions.
        pub instructions: u64,
        /// Accesses that hit the first level; each instruction is one.
        pub l1: u64,
        /// Accesses that missed the first level and hit the last one.
        pub l2: u64,
        /// Accesses that went to memory.
        pub ram: u64,
        /// L1 + 5 L2 + 35 RAM.
        pub estimated_cycles: u64,
    }
}

record! {
    /// Two costs in core cycles an operation.
    pub struct Modes {
        /// The cheaper one.
        pub lower: f64,
        /// The dearer one.
        pub upper: f64,
        /// Share of the slices in the dearer one, 0 to 1.
        pub upper_share: f64,
    }
}

record! {
    /// A cost in ticks or nanoseconds, as the field that holds it says.
    pub struct Estimate {
        /// The estimate.
        pub estimate: f64,
        /// Lower end of its interval; absent if not computed.
        pub lo: Option<f64>,
        /// Upper end of its interval; absent if not computed.
        pub hi: Option<f64>,
    }
}

record! {
    /// How many samples there were, by trust label.
    pub struct Samples {
        /// All.
        pub total: u64,
        /// Trusted: the gauge beside it was quiet and the clock steady.
        pub clean: u64,
        /// A sibling hyperthread was competing.
        pub contended: u64,
        /// The clock moved between the rulers before and after.
        pub drifted: u64,
        /// An interrupt fell into it.
        pub interrupted: u64,
        /// The thread was moved to another core.
        pub migrated: u64,
    }
}
