//! How many a second is that, and how does it relate to another? Figures for tables of relative benchmarks.

use crate::record::{Named, Record};
use crate::units::{Hertz, Nanos};

/// How many operations of this cost fit into a second, one after the other; infinite for a cost of 0.
///
/// ```
/// use fencepost::baseline::per_second;
/// use fencepost::units::Nanos;
/// assert_eq!(per_second(Nanos(4.0)).get(), 250e6);
/// ```
pub fn per_second(cost: Nanos) -> Hertz {
    Hertz(1e9 / cost.get())
}

/// How fast something of this cost is in per cent of `baseline`: 200 is twice as fast. `None` where there is no saying,
/// since either cost is not above 0.
pub fn relative_pct(baseline: Nanos, cost: Nanos) -> Option<f64> {
    let pct = baseline / cost * 100.0;
    (baseline.get() > 0.0 && cost.get() > 0.0 && pct.is_finite()).then_some(pct)
}

/// Prefixes of the international system, by power of a thousand.
const PREFIXES: [&str; 12] = ["f", "p", "n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
/// The power of the first prefix, and of the last.
const POWERS: (i32, i32) = (-5, 6);

/// A quantity with two decimals and the prefix that leaves one to three digits before them: `283.29 MHz`. `u` stands for
/// micro.
///
/// ```
/// use fencepost::baseline::scaled;
/// assert_eq!(scaled(3.53e-9, "s"), "3.53 ns");
/// assert_eq!(scaled(1e9, "Hz"), "1.00 GHz");
/// assert_eq!(scaled(0.0, "s"), "0.00 s");
/// assert_eq!(scaled(f64::INFINITY, "Hz"), "infinite");
/// ```
pub fn scaled(value: f64, unit: &str) -> String {
    if value.is_nan() {
        return "unknown".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "infinite" } else { "-infinite" }.to_owned();
    }
    let (first, last) = POWERS;
    let mut power = if value == 0.0 { 0 } else { (value.abs().log10() / 3.0).floor() as i32 };
    power = power.clamp(first, last);
    let in_prefix = |power: i32| {
        // Negative powers of ten are not exact, positive ones are.
        if power < 0 { value * 1000f64.powi(-power) } else { value / 1000f64.powi(power) }
    };
    // Rounding to two decimals may reach the next prefix.
    if power < last && (in_prefix(power).abs() * 100.0).round() >= 100_000.0 {
        power += 1;
    }
    let prefix = usize::try_from(power - first).ok().and_then(|at| PREFIXES.get(at)).copied().unwrap_or("");
    format!("{:.2} {prefix}{unit}", in_prefix(power))
}

/// The cost of every result in picoseconds by its id, sorted: the figures that Folly's benchmarks write with `--json`. Results
/// without a time are left out.
pub fn picoseconds(record: &Record) -> Named<f64> {
    let timed = record.results.iter().filter_map(|result| {
        let nanos = result.ns.as_ref().map(|ns| ns.estimate).filter(|nanos| nanos.is_finite())?;
        Some((result.id.clone(), nanos * 1000.0))
    });
    timed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_is_the_one_that_the_rounded_number_needs() {
        assert_eq!(scaled(999.996, "Hz"), "1.00 kHz");
        assert_eq!(scaled(999.994, "Hz"), "999.99 Hz");
        assert_eq!(scaled(0.66667, "Hz"), "666.67 mHz");
        assert_eq!(scaled(-1.5e-6, "s"), "-1.50 us");
        assert_eq!(scaled(1e-18, "s"), "0.00 fs");
        assert_eq!(scaled(1e30, "Hz"), "1000000000000.00 EHz");
        assert_eq!(scaled(f64::NAN, "Hz"), "unknown");
    }

    #[test]
    fn what_cannot_be_related_is_not() {
        assert_eq!(relative_pct(Nanos(10.0), Nanos(5.0)), Some(200.0));
        assert_eq!(relative_pct(Nanos(10.0), Nanos(0.0)), None);
        assert_eq!(relative_pct(Nanos(f64::NAN), Nanos(1.0)), None);
        assert_eq!(per_second(Nanos(0.0)).get(), f64::INFINITY);
    }
}
