//! How many ticks does the counter make in a second, and how well is that known?

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

use super::read::{Stamp, unfenced};
use crate::units::Hertz;

/// The counter's frequency, measured against `CLOCK_MONOTONIC_RAW` (which NTP does not slew).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frequency {
    /// Ticks a second.
    pub hertz: Hertz,
    /// Half the width of the interval that the true value lies in, in parts per million: both clock readings
    /// are bracketed by counter readings, and the brackets' widths over the span between them bound the error.
    pub error_ppm: f64,
}

/// One clock reading between two counter readings.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    before: Stamp,
    after: Stamp,
    clock: Duration,
}

/// Measures the frequency over the span from its making to each look: the longer it lives, the better it knows.
#[derive(Clone, Debug)]
pub struct FrequencyMeter {
    first: Anchor,
}

impl FrequencyMeter {
    /// Takes the first pair of readings.
    pub fn start() -> Self {
        Self { first: anchor() }
    }

    /// The frequency over the span since [`start`](Self::start); `None` while less than a millisecond has passed.
    ///
    /// ```
    /// use std::time::Duration;
    /// let meter = fencepost::tsc::FrequencyMeter::start();
    /// std::thread::sleep(Duration::from_millis(20));
    /// let frequency = meter.read().expect("20 ms have passed");
    /// assert!(frequency.error_ppm < 1000.0, "{frequency:?}");
    /// ```
    pub fn read(&self) -> Option<Frequency> {
        between(&self.first, &anchor())
    }
}

/// The tightest of several brackets: an interrupt inside one widens it and so loses.
fn anchor() -> Anchor {
    const TRIES: usize = 32;
    let mut best = bracket();
    for _ in 1..TRIES {
        let next = bracket();
        if next.after.since(next.before) < best.after.since(best.before) {
            best = next;
        }
    }
    best
}

fn bracket() -> Anchor {
    let before = unfenced();
    let clock = monotonic_raw();
    let after = unfenced();
    Anchor { before, after, clock }
}

fn monotonic_raw() -> Duration {
    // The clock exists since Linux 2.6.28; where a sandbox hides it, 0 makes every span too short to use.
    clock_gettime(ClockId::CLOCK_MONOTONIC_RAW).map_or(Duration::ZERO, Duration::from)
}

fn between(first: &Anchor, last: &Anchor) -> Option<Frequency> {
    let span = last.clock.checked_sub(first.clock)?;
    if span < Duration::from_millis(1) {
        return None;
    }
    let middle = |anchor: &Anchor| anchor.before.0 as f64 + anchor.after.since(anchor.before).get() / 2.0;
    let ticks = middle(last) - middle(first);
    let slack = (first.after.since(first.before).get() + last.after.since(last.before).get()) / 2.0;
    // The clock's own resolution is 1 ns at each end.
    let error = slack / ticks + 2e-9 / span.as_secs_f64();
    Some(Frequency { hertz: Hertz(ticks / span.as_secs_f64()), error_ppm: error * 1e6 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(tick: u64, width: u64, nanos: u64) -> Anchor {
        Anchor {
            before: Stamp(tick - width / 2),
            after: Stamp(tick + width / 2),
            clock: Duration::from_nanos(nanos),
        }
    }

    #[test]
    fn the_error_bound_covers_the_widths_of_both_brackets() {
        // 2.3 GHz over 10 ms, brackets of 200 ticks: 200 in 23 000 000 ticks is 8.7 ppm.
        let frequency = between(&at(1_000_000, 200, 0), &at(24_000_000, 200, 10_000_000)).unwrap();
        assert!((frequency.hertz.get() - 2.3e9).abs() < 1.0, "{frequency:?}");
        assert!((frequency.error_ppm - (200.0 / 23.0 + 0.2)).abs() < 0.01, "{frequency:?}");
    }

    #[test]
    fn too_short_or_backward_spans_give_nothing() {
        assert_eq!(between(&at(1_000, 20, 0), &at(2_000, 20, 999_999)), None);
        assert_eq!(between(&at(1_000, 20, 5_000_000), &at(2_000, 20, 0)), None);
    }
}
