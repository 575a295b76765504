//! How is a memory ladder saved? Latency and bandwidth by working set, and where the levels end.

use super::words::Verdict;

record! {
    /// What a load costs in a working set of one size.
    pub struct Rung {
        /// The working set, in bytes.
        pub bytes: u64,
        /// Load-to-use latency in core cycles; absent where no cycles may be claimed.
        pub cycles: Option<f64>,
        /// Lower end of its interval; absent like `cycles`.
        pub cycles_lo: Option<f64>,
        /// Upper end of its interval; absent like `cycles`.
        pub cycles_hi: Option<f64>,
        /// The same in nanoseconds; absent where the counter's frequency is not known.
        pub ns: Option<f64>,
        /// The same in ticks.
        pub ticks: f64,
        /// The level that the data place it in: `L1`, `L2`, ..., `RAM`.
        pub level: String,
        /// What may be said of it.
        pub verdict: Verdict,
        /// On 4 KiB pages, in core cycles; absent where the others are such pages, too, or it was not measured.
        pub cycles_4k_pages: Option<f64>,
    }
}

record! {
    /// How fast a working set of one size streams by.
    pub struct Bandwidth {
        /// The working set, in bytes.
        pub bytes: u64,
        /// What is done with it: `read`, `write` or `copy`.
        pub traffic: String,
        /// Bytes a core cycle; absent where no cycles may be claimed.
        pub bytes_per_cycle: Option<f64>,
        /// 10^9 bytes a second; absent where the counter's frequency is not known.
        pub gigabytes_per_sec: Option<f64>,
        /// What may be said of it.
        pub verdict: Verdict,
    }
}

record! {
    /// Where the data show that a level ends.
    pub struct Border {
        /// The largest working set that still costs as much as the smaller ones, in bytes.
        pub bytes: u64,
        /// Up to here the cost is flat, in bytes.
        pub flat_until_bytes: u64,
        /// What a load costs before it, in core cycles, or ticks where no cycles may be claimed.
        pub before: f64,
        /// What a load costs after it, likewise.
        pub after: f64,
    }
}

record! {
    /// A cache that CPUID tells of, beside what the data show.
    pub struct ToldCache {
        /// Its level, 1 being nearest to the core.
        pub level: u64,
        /// Its size by CPUID, in bytes.
        pub told_bytes: u64,
        /// The border that the data show there, in bytes; absent where they show none.
        pub seen_bytes: Option<u64>,
        /// The two, in words.
        pub sentence: String,
    }
}
