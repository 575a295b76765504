//! Do the values that go through a harness keep the unit under test doing ordinary work? A chain that sits at 0, at
//! infinity or in a short cycle may run faster or slower than the same code on ordinary operands.

use std::any::TypeId;
use std::fmt;

/// Something about the values that limits what the measured cost stands for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ChainFault {
    /// Each value is the same as the last: `f(x) == x`.
    Stuck {
        /// The value that repeats.
        value: String,
    },
    /// The values repeat with a short period.
    ShortCycle {
        /// The period, in operations.
        length: usize,
    },
    /// A floating-point value that units treat apart.
    Special {
        /// Which kind.
        kind: Special,
        /// How many values were of it.
        count: usize,
        /// Of how many that were looked at.
        of: usize,
    },
}

/// Floating-point values that units treat apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Special {
    /// Not a number.
    Nan,
    /// Plus or minus infinity.
    Infinite,
    /// Below the smallest normal number: many cores take a hundred cycles longer.
    Subnormal,
    /// Plus or minus zero.
    Zero,
}

impl fmt::Display for Special {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Special::Nan => "NaN",
            Special::Infinite => "infinite",
            Special::Subnormal => "subnormal",
            Special::Zero => "zero",
        })
    }
}

impl fmt::Display for ChainFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChainFault::Stuck { value } => write!(
                f,
                "the chain is stuck at {value}: each operation gets the value that the last one gave, and the unit may \
                 be faster or slower on it than on others"
            ),
            ChainFault::ShortCycle { length } => write!(
                f,
                "the chain repeats the same {length} values: predictors learn them, and the cost holds for them only"
            ),
            ChainFault::Special { kind, count, of } => write!(
                f,
                "{count} of {of} values are {kind}: the unit may be faster or slower on them than on ordinary numbers"
            ),
        }
    }
}

/// The bits of a number, as far as its type is one that can be looked into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Integer(u64),
    Single(f32),
    Double(f64),
}

impl Number {
    /// `None` for types that are not plain numbers.
    pub(super) fn of<T>(value: &T) -> Option<Self> {
        macro_rules! plain {
            ($($as:ty => $make:expr),* $(,)?) => {
                $(if typeid::of::<T>() == TypeId::of::<$as>() {
                    // SAFETY: T is this very type.
                    let plain = unsafe { *(&raw const *value).cast::<$as>() };
                    return Some($make(plain));
                })*
            };
        }
        plain! {
            u64 => Number::Integer, usize => |v| Number::Integer(v as u64), u32 => |v| Number::Integer(u64::from(v)),
            u16 => |v| Number::Integer(u64::from(v)), u8 => |v| Number::Integer(u64::from(v)),
            i64 => |v| Number::Integer(v as u64), isize => |v| Number::Integer(v as u64),
            i32 => |v| Number::Integer(v as u64), i16 => |v| Number::Integer(v as u64),
            i8 => |v| Number::Integer(v as u64),
            f32 => Number::Single, f64 => Number::Double,
        }
        None
    }

    fn bits(self) -> u64 {
        match self {
            Number::Integer(value) => value,
            Number::Single(value) => u64::from(value.to_bits()),
            Number::Double(value) => value.to_bits(),
        }
    }

    fn special(self) -> Option<Special> {
        use std::num::FpCategory;
        let category = match self {
            Number::Integer(_) => return None,
            Number::Single(value) => value.classify(),
            Number::Double(value) => value.classify(),
        };
        match category {
            FpCategory::Nan => Some(Special::Nan),
            FpCategory::Infinite => Some(Special::Infinite),
            FpCategory::Subnormal => Some(Special::Subnormal),
            FpCategory::Zero => Some(Special::Zero),
            FpCategory::Normal => None,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Integer(value) => write!(f, "{value}"),
            Number::Single(value) => write!(f, "{value:?}"),
            Number::Double(value) => write!(f, "{value:?}"),
        }
    }
}

/// Looks at successive values of a chain.
pub(super) fn chain_faults(values: &[Number]) -> Vec<ChainFault> {
    /// Longer periods than this are no worse than the inputs of a throughput loop.
    const LONGEST: usize = 32;
    let mut faults = special_faults(values, false);
    // Only the tail counts: a chain may take some steps until it is caught.
    let tail = values.len().saturating_sub(2 * LONGEST + 1);
    let tail: Vec<u64> = values[tail..].iter().map(|value| value.bits()).collect();
    let period = (1..=LONGEST.min(tail.len() / 2))
        .find(|period| tail.iter().zip(&tail[*period..]).all(|(earlier, later)| earlier == later));
    match (period, values.last()) {
        (Some(1), Some(value)) => faults.push(ChainFault::Stuck { value: value.to_string() }),
        (Some(length), _) => faults.push(ChainFault::ShortCycle { length }),
        _ => {}
    }
    faults
}

/// Looks at independent inputs, or at a chain's values, for special floating-point values. A few zeros among inputs are
/// ordinary; a chain at zero is not.
pub(super) fn special_faults(values: &[Number], inputs: bool) -> Vec<ChainFault> {
    [Special::Nan, Special::Infinite, Special::Subnormal, Special::Zero]
        .into_iter()
        .filter(|kind| !(inputs && *kind == Special::Zero))
        .filter_map(|kind| {
            let count = values.iter().filter(|value| value.special() == Some(kind)).count();
            (count > 0).then_some(ChainFault::Special { kind, count, of: values.len() })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain<T: Copy>(seed: T, step: impl Fn(T) -> T) -> Vec<ChainFault> {
        let mut value = seed;
        let values: Vec<Number> = (0..500)
            .filter_map(|_| {
                value = step(value);
                Number::of(&value)
            })
            .collect();
        chain_faults(&values)
    }

    #[test]
    fn a_square_root_that_has_reached_one_is_stuck() {
        let faults = chain(2.0f64, f64::sqrt);
        assert_eq!(faults, [ChainFault::Stuck { value: "1.0".into() }]);
    }

    #[test]
    fn a_product_at_zero_is_stuck_and_a_product_at_infinity_too() {
        assert!(chain(4u64, |x| x.wrapping_mul(2)).contains(&ChainFault::Stuck { value: "0".into() }));
        let faults = chain(2.0f32, |x| x * 2.0);
        assert!(faults.contains(&ChainFault::Stuck { value: "inf".into() }), "{faults:?}");
        assert!(
            faults.iter().any(|fault| matches!(fault, ChainFault::Special { kind: Special::Infinite, .. }))
        );
    }

    #[test]
    fn nan_and_subnormal_chains_are_named() {
        let faults = chain(1.0f64, |x| x * f64::NAN);
        assert!(faults.iter().any(|fault| matches!(fault, ChainFault::Special { kind: Special::Nan, .. })));
        let faults = chain(1e-310f64, |x| x * 0.999);
        assert!(
            faults.iter().any(|fault| matches!(fault, ChainFault::Special { kind: Special::Subnormal, .. }))
        );
    }

    #[test]
    fn negation_is_a_cycle_of_two() {
        assert_eq!(chain(3i32, |x| -x), [ChainFault::ShortCycle { length: 2 }]);
    }

    #[test]
    fn a_chain_that_mixes_is_healthy() {
        assert_eq!(chain(42u64, |x| x.wrapping_mul(0xff51_afd7_ed55_8ccd) ^ (x >> 33)), []);
        assert_eq!(chain(1.5f64, |x| if x > 2.0 { x - 0.9 } else { x + 0.37 }).len(), 0);
    }

    #[test]
    fn types_that_are_no_numbers_are_not_judged() {
        assert_eq!(Number::of(&"text"), None);
        assert_eq!(Number::of(&(1u64, 2u64)), None);
    }
}
