//! The order of strict decoding errors.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

/// The maximum number of errors that a decoder reports.
const MAX_ERRORS: usize = 100;

/// An error of strict decoding, with the path of the field.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum StrictError {
    /// The field is unknown; the decoder ignores its value.
    Unknown(String),
    /// The object has this key more than once.
    Repeated(String),
}

/// Sorts errors about a text into the order in which a decoder finds them, up to the number that it reports. Errors
/// that it does not find come last, in their given order.
pub(crate) fn in_text_order(text: &[u8], errors: Vec<StrictError>) -> Vec<StrictError> {
    let mut walk = Walk { wanted: errors.iter().cloned().collect(), found: Vec::new() };
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    // If the text is invalid, the order up to that position is used.
    let _ = Below { walk: &mut walk, path: String::new() }.deserialize(&mut deserializer);
    let mut ordered = walk.found;
    for error in errors {
        if !ordered.contains(&error) {
            ordered.push(error);
        }
    }
    ordered.truncate(MAX_ERRORS);
    ordered
}

struct Walk {
    wanted: HashSet<StrictError>,
    /// Those of `wanted` that were found so far, in text order.
    found: Vec<StrictError>,
}

impl Walk {
    /// Records an error if it is wanted. Returns whether it is.
    fn find(&mut self, error: StrictError) -> bool {
        let is_wanted = self.wanted.contains(&error);
        if is_wanted && !self.found.contains(&error) {
            self.found.push(error);
        }
        is_wanted
    }
}

/// The walk through a value.
struct Below<'w> {
    walk: &'w mut Walk,
    path: String,
}

impl<'de> DeserializeSeed<'de> for Below<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Below<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut keys = HashSet::new();
        while let Some(key) = members.next_key::<String>()? {
            let path = if self.path.is_empty() { key.clone() } else { format!("{}.{key}", self.path) };
            if self.walk.find(StrictError::Unknown(path.clone())) {
                members.next_value::<serde::de::IgnoredAny>()?;
                continue;
            }
            if !keys.insert(key) {
                self.walk.find(StrictError::Repeated(path.clone()));
            }
            members.next_value_seed(Below { walk: &mut *self.walk, path })?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let mut index = 0;
        loop {
            let path = format!("{}[{index}]", self.path);
            if items.next_element_seed(Below { walk: &mut *self.walk, path })?.is_none() {
                return Ok(());
            }
            index += 1;
        }
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rest_052_errors_are_in_text_order() {
        let text = br#"{"z": 1, "spec": {"l": [{}, {"y": 1, "b": 1, "b": 2}], "x": {"b": 1, "b": 2}}, "a": 1, "z": 2, "spec": {}}"#;
        let unknown = |path: &str| StrictError::Unknown(path.to_owned());
        let repeated = |path: &str| StrictError::Repeated(path.to_owned());
        let errors = [unknown("a"), unknown("spec.l[1].y"), unknown("spec.x"), unknown("z"), unknown("gone")];
        let errors = errors.into_iter().chain([repeated("spec"), repeated("spec.l[1].b")]).collect();
        let ordered = in_text_order(text, errors);
        let expected = [unknown("z"), unknown("spec.l[1].y"), repeated("spec.l[1].b"), unknown("spec.x"), unknown("a")];
        assert_eq!(ordered[..5], expected);
        assert_eq!(ordered[5..], [repeated("spec"), unknown("gone")]);
    }
}
