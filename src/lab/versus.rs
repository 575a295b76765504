//! Is one benchmark dearer than another? A paired comparison, and the sentence that it licenses.

use super::{Benchmark, Lab, hardware::Hardware, plan};
use crate::error::{Error, ErrorKind, Result};
use crate::harness::BarrierKind;
use crate::record::{Difference, Kind, Versus};
use crate::sampling::{self, Continue, Plan, Ratio};
use crate::units::Nanos;

/// What one function may differ by from itself, in per cent, as it and its data lie elsewhere in memory: found by comparing
/// functions with themselves in 200 processes (`benches/comparisons.rs`). A chain in registers hardly has a place.
const PLACE_PCT: f64 = 0.6;
const PLACE_OF_CHAIN_PCT: f64 = 0.1;

/// An interval that holds 1 and is no wider than this, in per cent, says that there is no difference.
const NARROW_PCT: f64 = 3.0;

impl Lab {
    /// Compares each of `benchmarks` but the first with the first, in pairs: slices of one iteration count, in blocks of random order
    /// and its mirror image, so that a drifting clock hits all alike; then the median ratio over blocks with an interval that
    /// assumes nothing of their distribution (the sign test's, 99 %), widened by what the same function may differ by as it lies elsewhere
    /// in memory (0.6 %; chains in registers 0.1 %).
    ///
    /// `observe` is told the time gone by now and then, never inside a timed region, and may end the comparison.
    ///
    /// ```no_run
    /// # fn main() -> fencepost::Result<()> {
    /// use fencepost::lab::Benchmark;
    /// use fencepost::sampling::Continue;
    /// let mut lab = fencepost::Lab::new()?;
    /// let mut shift = Benchmark::latency("shift", 42u64, |x| x ^ (x >> 7));
    /// let mut multiply = Benchmark::latency("multiply", 42u64, |x| x.wrapping_mul(0x9e37_79b9));
    /// for one in lab.compare(&mut [&mut shift, &mut multiply], &mut |_| Continue::Yes)? {
    ///     println!("{}", one.sentence); // multiply costs 1.50 times as much as shift (99 %: 1.49 to 1.51).
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `Usage` where there are fewer than two.
    pub fn compare(
        &mut self,
        benchmarks: &mut [&mut Benchmark<'_>],
        observe: &mut dyn FnMut(Nanos) -> Continue,
    ) -> Result<Vec<Versus>> {
        if benchmarks.len() < 2 {
            return Err(Error::new(
                ErrorKind::Usage,
                format!("{} benchmarks were to be compared", benchmarks.len()),
            )
            .because("a comparison has two sides")
            .remedy("give at least two benchmarks"));
        }
        let ids: Vec<(String, u64)> = benchmarks.iter().map(|one| (one.id.clone(), one.ops)).collect();
        let in_registers =
            |one: &&mut Benchmark<'_>| one.kind == Kind::Latency && one.barrier == BarrierKind::Register;
        let place_pct = if benchmarks.iter().all(in_registers) { PLACE_OF_CHAIN_PCT } else { PLACE_PCT };
        let plans: Vec<Plan> = benchmarks.iter().map(|one| plan(one.timed.as_ref())).collect();
        let loops = benchmarks.iter_mut().map(|one| one.timed.as_mut()).collect();
        let (bench, options) = (self.bench(), self.options.clone());
        let mut hardware = Hardware::new(loops, self.source.as_mut(), self.gauge, &self.core, &self.machine);
        let measured = sampling::compare(&mut hardware, &plans, &options, &bench, observe);
        let (to, base_ops) = &ids[0];
        let others = ids[1..].iter().zip(measured.ratios);
        Ok(others
            .map(|((of, ops), ratio)| concluded(of, to, *base_ops as f64 / *ops as f64, place_pct, ratio))
            .collect())
    }
}

/// `ops_ratio` turns a ratio of calls into one of operations.
fn concluded(of: &str, to: &str, ops_ratio: f64, place_pct: f64, ratio: Option<Ratio>) -> Versus {
    let (of, to) = (of.to_owned(), to.to_owned());
    let Some(found) = ratio else {
        let sentence = format!("{of} and {to} were not measured side by side often enough to be compared.");
        let (ratio, lo, hi) = (f64::NAN, f64::NAN, f64::NAN);
        return Versus { of, to, ratio, lo, hi, sentence, ..Versus::default() };
    };
    let place = found.ratio.estimate * place_pct / 100.0;
    let [ratio, lo, hi] =
        [found.ratio.estimate, found.ratio.lo - place, found.ratio.hi + place].map(|one| one * ops_ratio);
    judged(Versus {
        of,
        to,
        ratio,
        lo,
        hi,
        coverage: found.coverage,
        blocks: found.blocks as u64,
        blocks_total: found.of as u64,
        clean: found.clean,
        ..Versus::default()
    })
}

/// With what its interval licenses one to say.
pub(crate) fn judged(mut versus: Versus) -> Versus {
    let Versus { lo, hi, .. } = versus;
    versus.difference = if lo > 1.0 {
        Difference::Slower
    } else if hi < 1.0 {
        Difference::Faster
    } else if (hi - lo) * 100.0 <= NARROW_PCT {
        Difference::None
    } else {
        Difference::Unclear
    };
    versus.sentence = sentence(&versus);
    versus
}

/// What may be said.
fn sentence(versus: &Versus) -> String {
    let Versus { of, to, ratio, lo, hi, .. } = versus;
    // As many digits as the interval leaves certain, at least two.
    let digits = (-(hi - lo).log10()).ceil().clamp(2.0, 4.0) as usize;
    let interval = format!("({:.0} %: {lo:.digits$} to {hi:.digits$})", (versus.coverage * 100.0).floor());
    let mut said = match versus.difference {
        Difference::Slower => format!("{of} costs {ratio:.digits$} times as much as {to} {interval}."),
        Difference::Faster => {
            format!("{of} costs {ratio:.digits$} times what {to} costs {interval}: it is faster.")
        }
        Difference::None => {
            let most = (hi - 1.0).max(1.0 - lo) * 100.0;
            format!("Between {of} and {to} there is no difference of more than {most:.2} %.")
        }
        Difference::Unclear => {
            format!("Whether {of} and {to} differ cannot be told: the ratio is {ratio:.digits$} {interval}.")
        }
    };
    if !versus.clean {
        said.push_str(
            " A neighbour was competing for the core all the time: alone, the ratio may be another.",
        );
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Interval;

    fn versus(estimate: f64, half: f64) -> Versus {
        let ratio = Interval { estimate, lo: estimate - half, hi: estimate + half };
        concluded(
            "b",
            "a",
            1.0,
            0.0,
            Some(Ratio { ratio, coverage: 0.991, blocks: 90, of: 100, clean: true }),
        )
    }

    #[test]
    fn what_is_said_follows_from_the_interval() {
        assert_eq!(versus(1.02, 0.004).difference, Difference::Slower);
        assert_eq!(versus(0.5, 0.01).difference, Difference::Faster);
        assert_eq!(versus(1.001, 0.004).difference, Difference::None);
        assert_eq!(versus(1.001, 0.04).difference, Difference::Unclear);
        assert_eq!(versus(1.02, 0.004).sentence, "b costs 1.020 times as much as a (99 %: 1.016 to 1.024).");
        assert_eq!(
            versus(1.001, 0.004).sentence,
            "Between b and a there is no difference of more than 0.50 %."
        );
        assert!(versus(0.5, 0.01).sentence.ends_with("it is faster."));
        assert!(concluded("b", "a", 1.0, 0.0, None).sentence.contains("not measured side by side"));
    }

    #[test]
    fn calls_of_several_operations_are_compared_by_operation() {
        let ratio = Interval { estimate: 2.0, lo: 1.99, hi: 2.01 };
        let found = Ratio { ratio, coverage: 0.99, blocks: 90, of: 100, clean: false };
        let versus = concluded("b", "a", 0.5, 0.0, Some(found));
        assert_eq!((versus.ratio, versus.difference), (1.0, Difference::None));
        assert!(versus.sentence.contains("competing"));
    }
}
