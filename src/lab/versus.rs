//! Is one benchmark dearer than another? A paired comparison, and the sentence that it licenses.

use super::{Benchmark, Lab, hardware::Hardware, plan};
use crate::error::{Error, ErrorKind, Result};
use crate::harness::{BarrierKind, TimedLoop};
use crate::record::{Difference, Kind, PlacedSides, Versus};
use crate::sampling::{self, Continue, Plan, Ratio};
#[cfg(any(test, feature = "placements"))]
use crate::stats::{self, Interval};
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
        let (sides, place_pct) = sides(benchmarks)?;
        let loops = benchmarks.iter_mut().map(|one| one.timed.as_mut()).collect();
        let measured = self.side_by_side(loops, observe);
        Ok(sides[1..]
            .iter()
            .zip(measured)
            .map(|(side, ratio)| concluded(side, &sides[0], place_pct, ratio, None))
            .collect())
    }

    /// As [`compare`](Self::compare), with the loop of each started at `places` places (at most [`PLACES`](crate::harness::PLACES)), all of them
    /// side by side. The ratio is that of the medians over places, and its interval spans all of them: a difference is called one only where
    /// the dearest place of one side is cheaper than the cheapest of the other.
    ///
    /// # Errors
    ///
    /// As for [`compare`](Self::compare).
    #[cfg(feature = "placements")]
    pub fn compare_at(
        &mut self,
        benchmarks: &mut [&mut Benchmark<'_>],
        places: usize,
        observe: &mut dyn FnMut(Nanos) -> Continue,
    ) -> Result<Vec<Versus>> {
        use super::placed::AtPlace;
        use std::cell::RefCell;

        let (sides, place_pct) = sides(benchmarks)?;
        let places = places.min(crate::harness::PLACES);
        // A loop that knows nothing of places has one.
        let counts: Vec<usize> = benchmarks.iter().map(|one| places.min(one.timed.places()).max(1)).collect();
        let shared: Vec<RefCell<&mut (dyn TimedLoop + '_)>> =
            benchmarks.iter_mut().map(|one| RefCell::new(one.timed.as_mut())).collect();
        let mut arms = Vec::with_capacity(counts.iter().sum());
        for (shared, count) in shared.iter().zip(&counts) {
            let first = usize::from(*count > 1);
            arms.extend((first..first + count).map(|place| AtPlace { shared, place }));
        }
        let loops = arms.iter_mut().map(|arm| arm as &mut dyn TimedLoop).collect();
        let itself = Interval { estimate: 1.0, lo: 1.0, hi: 1.0 };
        let itself = Ratio { ratio: itself, coverage: 1.0, blocks: usize::MAX, of: usize::MAX, clean: true };
        let mut ratios = std::iter::once(Some(itself)).chain(self.side_by_side(loops, observe));
        let of_each: Vec<Option<Vec<Ratio>>> =
            counts.iter().map(|count| ratios.by_ref().take(*count).collect()).collect();
        let to = of_each[0].as_deref();
        let others = sides[1..].iter().zip(&of_each[1..]);
        Ok(others
            .map(|(side, of)| {
                let (ratio, spreads) = of.as_deref().zip(to).and_then(|(of, to)| over_places(of, to)).unzip();
                concluded(side, &sides[0], place_pct, ratio, spreads)
            })
            .collect())
    }

    /// Each loop but the first against the first.
    fn side_by_side(
        &mut self,
        loops: Vec<&mut (dyn TimedLoop + '_)>,
        observe: &mut dyn FnMut(Nanos) -> Continue,
    ) -> Vec<Option<Ratio>> {
        let plans: Vec<Plan> = loops.iter().map(|one| plan(&**one)).collect();
        let (bench, options) = (self.bench(), self.options.clone());
        let mut hardware = Hardware::new(loops, self.source.as_mut(), self.gauge, &self.core, &self.machine);
        sampling::compare(&mut hardware, &plans, &options, &bench, observe).ratios
    }
}

/// What a comparison knows of one side.
struct Side {
    id: String,
    ops: f64,
}

/// The sides of a comparison, and what the place of either may make out, in per cent.
fn sides(benchmarks: &[&mut Benchmark<'_>]) -> Result<(Vec<Side>, f64)> {
    if benchmarks.len() < 2 {
        return Err(Error::new(
            ErrorKind::Usage,
            format!("{} benchmarks were to be compared", benchmarks.len()),
        )
        .because("a comparison has two sides")
        .remedy("give at least two benchmarks"));
    }
    let in_registers =
        |one: &&mut Benchmark<'_>| one.kind == Kind::Latency && one.barrier == BarrierKind::Register;
    let place_pct = if benchmarks.iter().all(in_registers) { PLACE_OF_CHAIN_PCT } else { PLACE_PCT };
    let sides = benchmarks.iter().map(|one| Side { id: one.id.clone(), ops: one.ops as f64 });
    Ok((sides.collect(), place_pct))
}

/// The ratio of two sides that were measured at several places each, all against one and the same loop, and how much the places make out.
#[cfg(any(test, feature = "placements"))]
fn over_places(of: &[Ratio], to: &[Ratio]) -> Option<(Ratio, PlacedSides)> {
    let spread =
        |side: &[Ratio]| stats::spread(&side.iter().map(|one| one.ratio.estimate).collect::<Vec<_>>()).ok();
    let (of_spread, to_spread) = (spread(of)?, spread(to)?);
    let least = |side: &[Ratio]| side.iter().map(|one| one.ratio.lo).fold(f64::INFINITY, f64::min);
    let most = |side: &[Ratio]| side.iter().map(|one| one.ratio.hi).fold(0.0, f64::max);
    let ratio = Interval {
        estimate: of_spread.median / to_spread.median,
        lo: least(of) / most(to),
        hi: most(of) / least(to),
    };
    let all = || of.iter().chain(to);
    let blocks = all().map(|one| one.blocks).min()?;
    let together = Ratio {
        ratio,
        coverage: all().map(|one| one.coverage).fold(1.0, f64::min),
        blocks,
        of: all().map(|one| one.of).min()?,
        clean: all().all(|one| one.clean),
    };
    let spreads = PlacedSides {
        places: of.len().max(to.len()) as u64,
        of_spread_pct: of_spread.spread_pct,
        to_spread_pct: to_spread.spread_pct,
    };
    Some((together, spreads))
}

/// Turns a ratio of calls into one of operations, and says what it licenses.
fn concluded(
    of: &Side,
    to: &Side,
    place_pct: f64,
    ratio: Option<Ratio>,
    placements: Option<PlacedSides>,
) -> Versus {
    let ops_ratio = to.ops / of.ops;
    let (of, to) = (of.id.clone(), to.id.clone());
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
        placements,
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
    if let Some(placed) = &versus.placements {
        said.push_str(&format!(
            " Started at {} places, the loop alone moves the one by {:.2} % and the other by {:.2} %, which the interval \
             spans.",
            placed.places, placed.of_spread_pct, placed.to_spread_pct
        ));
    }
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

    fn side(id: &str, ops: u64) -> Side {
        Side { id: id.to_owned(), ops: ops as f64 }
    }

    fn around(estimate: f64, half: f64) -> Ratio {
        let ratio = Interval { estimate, lo: estimate - half, hi: estimate + half };
        Ratio { ratio, coverage: 0.991, blocks: 90, of: 100, clean: true }
    }

    fn versus(estimate: f64, half: f64) -> Versus {
        concluded(&side("b", 1), &side("a", 1), 0.0, Some(around(estimate, half)), None)
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
        assert!(
            concluded(&side("b", 1), &side("a", 1), 0.0, None, None)
                .sentence
                .contains("not measured side by side")
        );
    }

    #[test]
    fn calls_of_several_operations_are_compared_by_operation() {
        let ratio = Interval { estimate: 2.0, lo: 1.99, hi: 2.01 };
        let found = Ratio { ratio, coverage: 0.99, blocks: 90, of: 100, clean: false };
        let versus = concluded(&side("b", 2), &side("a", 1), 0.0, Some(found), None);
        assert_eq!((versus.ratio, versus.difference), (1.0, Difference::None));
        assert!(versus.sentence.contains("competing"));
    }

    #[test]
    fn a_difference_smaller_than_what_the_place_makes_out_is_not_called_one() {
        let at = |costs: &[f64]| costs.iter().map(|cost| around(*cost, 0.002)).collect::<Vec<_>>();
        let compared = |of: &[f64], to: &[f64]| {
            let (ratio, spreads) = over_places(&at(of), &at(to)).unwrap();
            concluded(&side("b", 1), &side("a", 1), 0.0, Some(ratio), Some(spreads))
        };
        // Two per cent dearer, and the place alone makes out ten.
        let hidden = compared(&[1.02, 1.12, 1.02, 1.02], &[1.0, 1.10, 1.0, 1.0]);
        assert_eq!(hidden.difference, Difference::Unclear, "{hidden:?}");
        assert!((hidden.ratio - 1.02).abs() < 1e-9 && hidden.lo < 0.93 && hidden.hi > 1.12, "{hidden:?}");
        assert!(hidden.sentence.contains("cannot be told"), "{}", hidden.sentence);
        assert!(
            hidden
                .sentence
                .contains("4 places, the loop alone moves the one by 9.80 % and the other by 10.00 %")
        );
        // The same where the place makes out nothing, and where the difference is larger than what it makes out.
        assert_eq!(compared(&[1.02; 4], &[1.0; 4]).difference, Difference::Slower);
        assert_eq!(compared(&[1.2, 1.3], &[1.0, 1.1]).difference, Difference::Slower);
        assert_eq!(compared(&[1.0; 4], &[1.0; 4]).difference, Difference::None);
    }
}
