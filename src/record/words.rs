//! Which words may a record use? The fixed vocabularies of the schema.

words! {
    /// What a result measures.
    pub enum Kind {
        /// Slope of a dependency chain: cycles from input ready to output ready.
        #[default]
        Latency = "latency",
        /// Cycles per operation when inputs are independent.
        ReciprocalThroughput = "reciprocal_throughput",
        /// One call between one fence pair, kept to show why it misleads.
        SingleShot = "single_shot",
        /// A whole routine, with its setup left out.
        Routine = "routine",
        /// A loop that the user wrote.
        Loop = "loop",
    }
}

words! {
    /// What may be said of a result.
    ///
    /// ```
    /// use fencepost::record::Verdict;
    /// assert_eq!(Verdict::MinimumsUnmet.as_str(), "minimums_unmet");
    /// assert_eq!(Verdict::MinimumsUnmet.to_string(), "minimums unmet");
    /// ```
    pub enum Verdict {
        /// Stable, and as precise as was asked.
        Converged = "converged",
        /// The halves of the samples disagree.
        Unstable = "unstable",
        /// Stable, but its interval is wider than was asked.
        Imprecise = "imprecise",
        /// No quiet moment came: the number is an upper bound.
        Contended = "contended",
        /// Too few samples or too little time to say anything.
        #[default]
        MinimumsUnmet = "minimums_unmet",
        /// Smaller than what this harness can tell from nothing.
        BelowResolution = "below_resolution",
    }
}

words! {
    /// What a prediction and the measurement say of each other.
    pub enum PredictionVerdict {
        /// The model says what was measured, within the interval or 5 %.
        Agrees = "agrees",
        /// It says something else.
        Disagrees = "disagrees",
        /// There is no prediction, or nothing to compare it with.
        #[default]
        NotCompared = "not_compared",
    }
}

words! {
    /// What a comparison of two benchmarks licenses one to say.
    pub enum Difference {
        /// The one costs less than the other.
        Faster = "faster",
        /// The one costs more than the other.
        Slower = "slower",
        /// They cost the same, as closely as the interval says.
        None = "no_difference",
        /// The interval holds 1 and is too wide to say that there is no difference.
        #[default]
        Unclear = "unclear",
    }
}

words! {
    /// How the timed value is kept from the optimizer.
    pub enum Barrier {
        /// In its register, at no cost.
        #[default]
        Register = "register",
        /// By address: the value goes through memory.
        Memory = "memory",
    }
}

words! {
    /// How much a finding matters.
    pub enum Severity {
        /// Good to know; numbers are not affected.
        #[default]
        Note = "note",
        /// Numbers may be affected.
        Warning = "warning",
        /// Numbers are affected, or cannot be had.
        Serious = "serious",
    }
}

words! {
    /// What a cache holds.
    pub enum CacheKind {
        /// Data alone.
        Data = "data",
        /// Instructions alone.
        Instruction = "instruction",
        /// Both.
        #[default]
        Unified = "unified",
    }
}

words! {
    /// The version of the schema. A record of any other version is refused when it is read.
    pub enum Schema {
        /// `fencepost/1`.
        #[default]
        V1 = "fencepost/1",
    }
}
