//! What may a setting be? One JSON scalar, without loss of a 64-bit seed.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::read::{Path, Read};
use crate::error::{Error, ErrorKind, Result};

/// A null, a boolean, a number or a text.
///
/// Whole numbers keep all 64 bits, which a `f64` would not.
///
/// ```
/// use fencepost::record::Scalar;
/// assert_eq!(Scalar::from(u64::MAX).to_string(), "18446744073709551615");
/// assert_eq!(Scalar::from(-1_i64), Scalar::Signed(-1));
/// assert_eq!(Scalar::from(1_i64), Scalar::Unsigned(1), "one form for one number");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Scalar {
    /// Not set.
    #[default]
    Null,
    /// Yes or no.
    Bool(bool),
    /// A whole number, 0 or above.
    Unsigned(u64),
    /// A whole number below 0.
    Signed(i64),
    /// Any other number. NaN and infinity are written as null and read back as [`Scalar::Null`].
    Float(f64),
    /// A text.
    Text(String),
}

impl From<bool> for Scalar {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<u64> for Scalar {
    fn from(value: u64) -> Self {
        Self::Unsigned(value)
    }
}

impl From<i64> for Scalar {
    fn from(value: i64) -> Self {
        u64::try_from(value).map_or(Self::Signed(value), Self::Unsigned)
    }
}

impl From<f64> for Scalar {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<&str> for Scalar {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Scalar {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.pad("none"),
            Self::Bool(value) => fmt::Display::fmt(value, f),
            Self::Unsigned(value) => fmt::Display::fmt(value, f),
            Self::Signed(value) => fmt::Display::fmt(value, f),
            Self::Float(value) => fmt::Display::fmt(value, f),
            Self::Text(value) => f.pad(value),
        }
    }
}

impl Serialize for Scalar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Unsigned(value) => serializer.serialize_u64(*value),
            Self::Signed(value) => serializer.serialize_i64(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Text(value) => serializer.serialize_str(value),
        }
    }
}

impl Read for Scalar {
    const EXPECTED: &'static str = "a boolean, a number, a string or null";

    fn read(value: &Value, at: &Path<'_>) -> Result<Self> {
        let wrong = |found: &str| {
            Error::new(ErrorKind::Input, format!("{at}: expected {}, found {found}", Self::EXPECTED))
        };
        match value {
            Value::Null => Ok(Self::Null),
            Value::Bool(value) => Ok(Self::Bool(*value)),
            Value::Number(number) => number
                .as_u64()
                .map(Self::Unsigned)
                .or_else(|| number.as_i64().map(Self::Signed))
                .or_else(|| number.as_f64().map(Self::Float))
                .ok_or_else(|| wrong("a number out of range")),
            Value::String(text) => Ok(Self::Text(text.clone())),
            Value::Array(_) => Err(wrong("an array")),
            Value::Object(_) => Err(wrong("an object")),
        }
    }
}
