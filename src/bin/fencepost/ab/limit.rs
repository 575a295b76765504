//! How much slower may it have become? `--limit 5%`, `2cyc` or `3ms`.

use std::fmt;
use std::str::FromStr;

/// The most by which the side after may be slower.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Limit {
    /// In per cent of the median before.
    Percent(f64),
    /// In core cycles.
    Cycles(f64),
    /// In nanoseconds.
    Nanos(f64),
}

type Unit = (&'static str, fn(f64) -> Limit);

const UNITS: [Unit; 6] = [
    ("%", Limit::Percent),
    ("cyc", Limit::Cycles),
    ("ns", Limit::Nanos),
    ("us", |value| Limit::Nanos(value * 1e3)),
    ("ms", |value| Limit::Nanos(value * 1e6)),
    ("s", |value| Limit::Nanos(value * 1e9)),
];

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (number, limit) = UNITS
            .iter()
            .find_map(|(unit, limit)| Some((text.strip_suffix(unit)?, limit)))
            .ok_or("it has no unit: give for example 5%, 2cyc, 300ns, 10us, 3ms or 1s")?;
        match number.trim().parse::<f64>() {
            Ok(value) if value.is_finite() && value >= 0.0 => Ok(limit(value)),
            _ => Err("it needs a number of 0 or more before its unit, for example 5% or 2cyc".to_owned()),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Percent(value) => write!(f, "{value} %"),
            Self::Cycles(value) => write!(f, "{value} cyc"),
            Self::Nanos(value) => write!(f, "{value} ns"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_need_a_unit_and_units_a_number() {
        assert_eq!("5%".parse(), Ok(Limit::Percent(5.0)));
        assert_eq!("2.5 cyc".parse(), Ok(Limit::Cycles(2.5)));
        assert_eq!("3ms".parse(), Ok(Limit::Nanos(3e6)));
        assert_eq!("1s".parse(), Ok(Limit::Nanos(1e9)));
        for wrong in ["5", "%", "-1%", "NaN%", "inf ms", "5 apples", ""] {
            assert!(wrong.parse::<Limit>().is_err(), "{wrong}");
        }
    }
}
