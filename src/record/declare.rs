//! How does a struct or a word become JSON and come back, without a derive? Two declarative macros.
//!
//! `serde_derive` would cost every user the build of a procedural macro. The records are flat and few, so a
//! declaration that is read twice, once for writing and once for reading, is all that is needed.

/// Declares a struct whose fields are written in declared order and read back by name.
///
/// A field declared `name: Type = value` reads as `value` where it is missing: that is how a field that
/// came later than the record is filled in. An `Option` reads as `None` where it is missing or null.
/// Any other missing field is an error. Fields that are not declared are ignored.
macro_rules! record {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $( $(#[$field_meta:meta])* pub $field:ident : $type:ty $(= $default:expr)? ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            $( $(#[$field_meta])* pub $field: $type ),*
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeStruct as _;
                let count = [$(stringify!($field)),*].len();
                let mut fields = serializer.serialize_struct(stringify!($name), count)?;
                $( fields.serialize_field(stringify!($field), &self.$field)?; )*
                fields.end()
            }
        }

        impl $crate::record::read::Read for $name {
            const EXPECTED: &'static str = "an object";

            fn read(
                value: &serde_json::Value,
                at: &$crate::record::read::Path<'_>,
            ) -> $crate::error::Result<Self> {
                let object = $crate::record::read::object(value, at)?;
                Ok(Self {
                    $( $field: $crate::record::read::field::<$type>(
                        object,
                        at,
                        stringify!($field),
                        record!(@default $type $(, $default)?),
                    )? ),*
                })
            }
        }
    };
    (@default $type:ty) => { None };
    (@default $type:ty, $default:expr) => { Some((|| $default) as fn() -> $type) };
}

/// Declares an enum that is written as one of a fixed set of words; any other word is an error that names
/// the valid ones.
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $( $(#[$variant_meta:meta])* $variant:ident = $word:literal ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $( $(#[$variant_meta])* $variant ),*
        }

        impl $name {
            /// Every word, in declared order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word as JSON spells it, with underscores.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $( Self::$variant => $word ),*
                }
            }

            /// The value that JSON spells so, if there is one.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == word)
            }
        }

        /// The word as text spells it, with spaces.
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&self.as_str().replace('_', " "))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl $crate::record::read::Read for $name {
            const EXPECTED: &'static str = "a string";

            fn read(
                value: &serde_json::Value,
                at: &$crate::record::read::Path<'_>,
            ) -> $crate::error::Result<Self> {
                let found = $crate::record::read::string(value, at)?;
                Self::from_word(found)
                    .ok_or_else(|| $crate::record::read::unknown_word(at, found, &[$($word),*]))
            }
        }
    };
}
