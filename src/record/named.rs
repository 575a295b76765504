//! What has a name each? A small map from names to values, in the order of the names.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;

use super::read::{Path, Read, object};
use crate::error::Result;

/// Values by name, in the order of the names; each name once. For tens of entries, which is what records hold: it
/// compiles to a fraction of a `BTreeMap`.
///
/// ```
/// use fencepost::record::Named;
/// let mut counts = Named::from([("misses", 3.0), ("hits", 5.0)]);
/// counts.insert("hits", 6.0);
/// assert_eq!(counts.get("hits"), Some(&6.0));
/// assert_eq!(counts.iter().collect::<Vec<_>>(), [("hits", &6.0), ("misses", &3.0)]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Named<T>(Vec<(Cow<'static, str>, T)>);

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Named<T> {
    /// Puts `value` there under `name`; what was there comes back.
    pub fn insert(&mut self, name: impl Into<Cow<'static, str>>, value: T) -> Option<T> {
        self.put(name.into(), value)
    }

    fn put(&mut self, name: Cow<'static, str>, value: T) -> Option<T> {
        match self.place(&name) {
            Ok(at) => Some(std::mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                self.0.insert(at, (name, value));
                None
            }
        }
    }

    fn place(&self, name: &str) -> std::result::Result<usize, usize> {
        let at = self.0.iter().position(|(own, _)| own.as_ref() >= name).unwrap_or(self.0.len());
        if self.0.get(at).is_some_and(|(own, _)| own == name) { Ok(at) } else { Err(at) }
    }

    /// The value under `name`.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.place(name).ok().map(|at| &self.0[at].1)
    }

    /// Whether there is one under `name`.
    pub fn contains_key(&self, name: &str) -> bool {
        self.place(name).is_ok()
    }

    /// Takes the value under `name` out.
    pub fn remove(&mut self, name: &str) -> Option<T> {
        self.place(name).ok().map(|at| self.0.remove(at).1)
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), value))
    }

    /// The names.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_ref())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> std::ops::Index<&str> for Named<T> {
    type Output = T;

    /// # Panics
    /// If there is none of that name.
    fn index(&self, name: &str) -> &T {
        match self.get(name) {
            Some(value) => value,
            None => panic!("there is no {name:?}"),
        }
    }
}

impl<N: Into<Cow<'static, str>>, T> Extend<(N, T)> for Named<T> {
    fn extend<I: IntoIterator<Item = (N, T)>>(&mut self, entries: I) {
        for (name, value) in entries {
            self.put(name.into(), value);
        }
    }
}

impl<N: Into<Cow<'static, str>>, T> FromIterator<(N, T)> for Named<T> {
    fn from_iter<I: IntoIterator<Item = (N, T)>>(entries: I) -> Self {
        let mut named = Self::default();
        named.extend(entries);
        named
    }
}

impl<N: Into<Cow<'static, str>>, T, const COUNT: usize> From<[(N, T); COUNT]> for Named<T> {
    fn from(entries: [(N, T); COUNT]) -> Self {
        entries.into_iter().collect()
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name.as_ref(), value)?;
        }
        map.end()
    }
}

impl<T: Read> Read for Named<T> {
    const EXPECTED: &'static str = "an object";

    fn read(value: &Value, at: &Path<'_>) -> Result<Self> {
        let mut named = Self::default();
        for (key, entry) in object(value, at)? {
            named.put(Cow::Owned(key.clone()), T::read(entry, &Path::Key(at, key))?);
        }
        Ok(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_there_once_and_in_its_place() {
        let mut named = Named::from([("b", 1), ("a", 2), ("c", 3), ("b", 4)]);
        assert_eq!(named.keys().collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!((named["b"], named.get("d"), named.len()), (4, None, 3));
        assert_eq!(named.remove("a"), Some(2));
        assert!(!named.contains_key("a") && named.contains_key("c"));
        assert_eq!(serde_json::to_string(&named).unwrap(), r#"{"b":4,"c":3}"#);
    }
}
