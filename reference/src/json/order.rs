//! In which order a text holds what is told of it.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

/// How much a decoder tells.
const MOST_TOLD: usize = 100;

/// What a decoder meets at a member of an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Met {
    /// A field that it does not know; it does not look into it.
    Unknown(String),
    /// A key that the object had before.
    Repeated(String),
}

/// Brings what is told of a text into the order in which a decoder meets it, which stops telling after a while. What it does not meet
/// comes last, as it was.
pub(crate) fn in_order_of(text: &[u8], told: Vec<Met>) -> Vec<Met> {
    let mut walk = Walk { told: told.iter().cloned().collect(), met: Vec::new() };
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    // A text that cannot be walked to its end tells the order of what it begins with.
    let _ = Below { walk: &mut walk, path: String::new() }.deserialize(&mut deserializer);
    let mut ordered = walk.met;
    for one in told {
        if !ordered.contains(&one) {
            ordered.push(one);
        }
    }
    ordered.truncate(MOST_TOLD);
    ordered
}

struct Walk {
    told: HashSet<Met>,
    met: Vec<Met>,
}

impl Walk {
    /// Notes something if it is to be told; tells whether it is.
    fn meet(&mut self, met: Met) -> bool {
        let is_told = self.told.contains(&met);
        if is_told && !self.met.contains(&met) {
            self.met.push(met);
        }
        is_told
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
            if self.walk.meet(Met::Unknown(path.clone())) {
                members.next_value::<serde::de::IgnoredAny>()?;
                continue;
            }
            if !keys.insert(key) {
                self.walk.meet(Met::Repeated(path.clone()));
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
    fn rest_052_the_order_is_that_of_the_text() {
        let text = br#"{"z": 1, "spec": {"l": [{}, {"y": 1, "b": 1, "b": 2}], "x": {"b": 1, "b": 2}}, "a": 1, "z": 2, "spec": {}}"#;
        let unknown = |path: &str| Met::Unknown(path.to_owned());
        let repeated = |path: &str| Met::Repeated(path.to_owned());
        let told = [unknown("a"), unknown("spec.l[1].y"), unknown("spec.x"), unknown("z"), unknown("gone")];
        let told = told.into_iter().chain([repeated("spec"), repeated("spec.l[1].b")]).collect();
        let ordered = in_order_of(text, told);
        let expected = [unknown("z"), unknown("spec.l[1].y"), repeated("spec.l[1].b"), unknown("spec.x"), unknown("a")];
        assert_eq!(ordered[..5], expected);
        assert_eq!(ordered[5..], [repeated("spec"), unknown("gone")]);
    }
}
