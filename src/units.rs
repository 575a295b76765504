//! What is a number counted in? Ticks, core cycles, nanoseconds and hertz as types that cannot be mixed up.
//!
//! A tick is one increment of the time stamp counter and is never called a cycle; a core cycle is one
//! cycle of the core's own clock. Going from one to the other takes a measured rate, and says so in
//! the signature.

use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

macro_rules! unit {
    ($(#[$doc:meta])* $name:ident, $suffix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
        pub struct $name(pub f64);

        impl $name {
            /// The bare number, for arithmetic that has left the unit behind.
            #[inline]
            pub const fn get(self) -> f64 {
                self.0
            }

            /// The smaller of two, by [`f64::min`].
            #[inline]
            pub fn min(self, other: Self) -> Self {
                Self(self.0.min(other.0))
            }

            /// The larger of two, by [`f64::max`].
            #[inline]
            pub fn max(self, other: Self) -> Self {
                Self(self.0.max(other.0))
            }

            /// Neither infinite nor NaN.
            #[inline]
            pub const fn is_finite(self) -> bool {
                self.0.is_finite()
            }
        }

        impl Add for $name {
            type Output = Self;
            #[inline]
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }

        impl AddAssign for $name {
            #[inline]
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }

        impl Sub for $name {
            type Output = Self;
            #[inline]
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }

        impl Mul<f64> for $name {
            type Output = Self;
            #[inline]
            fn mul(self, factor: f64) -> Self {
                Self(self.0 * factor)
            }
        }

        impl Div<f64> for $name {
            type Output = Self;
            #[inline]
            fn div(self, divisor: f64) -> Self {
                Self(self.0 / divisor)
            }
        }

        impl Div for $name {
            type Output = f64;
            #[inline]
            fn div(self, other: Self) -> f64 {
                self.0 / other.0
            }
        }

        /// The number (two decimals unless a precision is given) and its unit.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let digits = f.precision().unwrap_or(2);
                write!(f, "{:.digits$} {}", self.0, $suffix)
            }
        }
    };
}

unit! {
    /// Increments of the time stamp counter.
    Ticks, "ticks"
}

unit! {
    /// Cycles of the core's own clock.
    Cycles, "cyc"
}

unit! {
    /// Nanoseconds of wall-clock time.
    Nanos, "ns"
}

unit! {
    /// A frequency: ticks or cycles a second.
    Hertz, "Hz"
}

/// Ticks that pass in one core cycle: below 1 where the core runs faster than its time stamp counter.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct TicksPerCycle(pub f64);

impl Ticks {
    /// The time these ticks take on a counter of frequency `tsc`.
    ///
    /// ```
    /// use fencepost::units::{Hertz, Ticks};
    /// assert_eq!(Ticks(2300.0).to_nanos(Hertz(2.3e9)).get(), 1000.0);
    /// ```
    #[inline]
    pub fn to_nanos(self, tsc: Hertz) -> Nanos {
        Nanos(self.0 * 1e9 / tsc.0)
    }

    /// The core cycles in these ticks while the core runs at `rate`.
    ///
    /// ```
    /// use fencepost::units::{Ticks, TicksPerCycle};
    /// assert_eq!(Ticks(9.0).to_cycles(TicksPerCycle(0.75)).get(), 12.0);
    /// ```
    #[inline]
    pub fn to_cycles(self, rate: TicksPerCycle) -> Cycles {
        Cycles(self.0 / rate.0)
    }
}

impl Nanos {
    /// The same span in seconds.
    #[inline]
    pub fn as_secs(self) -> f64 {
        self.0 / 1e9
    }

    /// A span given in seconds.
    #[inline]
    pub const fn from_secs(secs: f64) -> Self {
        Self(secs * 1e9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_print_with_their_name_and_the_digits_asked_for() {
        assert_eq!(Cycles(12.004).to_string(), "12.00 cyc");
        assert_eq!(format!("{:.1}", Ticks(49.26)), "49.3 ticks");
    }

    #[test]
    fn a_ratio_of_like_units_is_a_bare_number() {
        assert_eq!(Ticks(6.0) / Ticks(3.0), 2.0);
        assert_eq!((Cycles(1.0) + Cycles(2.0)) * 2.0, Cycles(6.0));
        assert_eq!(Nanos::from_secs(0.1).as_secs(), 0.1);
    }
}
