//! Places in an object: objects at a path, through all elements of lists and all values of maps.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Map, Value};

/// Where in an object something happens: the objects at a path from the root. A segment is the name of a property, or
/// `*` for each element of a list and each value of a map. In a file it is written `spec/list/*`; the root is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(Vec<String>);

/// The segment for each element of a list and each value of a map.
const EACH: &str = "*";

impl Place {
    /// The root of the object.
    pub fn root() -> Self {
        Self::default()
    }

    /// The place with these segments.
    pub fn of(segments: &[&str]) -> Self {
        Self(segments.iter().map(|&segment| segment.to_owned()).collect())
    }

    /// The place below this one with one segment more.
    #[must_use]
    pub fn join(&self, segment: &str) -> Self {
        let mut segments = self.0.clone();
        segments.push(segment.to_owned());
        Self(segments)
    }

    /// The place of each element or value of this one.
    #[must_use]
    pub fn each(&self) -> Self {
        self.join(EACH)
    }

    /// The segments, `*` for each.
    pub fn segments(&self) -> &[String] {
        &self.0
    }

    /// Calls `change` with every object at this place, in their order. What is missing, or is not an object, is
    /// left alone.
    pub fn for_each(&self, root: &mut Value, change: &mut dyn FnMut(&mut Map<String, Value>)) {
        for_each(&self.0, root, change);
    }
}

fn for_each(segments: &[String], value: &mut Value, change: &mut dyn FnMut(&mut Map<String, Value>)) {
    match (segments.split_first(), value) {
        (None, Value::Object(object)) => change(object),
        (Some((first, rest)), Value::Object(object)) if first == EACH => {
            object.values_mut().for_each(|value| for_each(rest, value, change));
        }
        (Some((first, rest)), Value::Array(elements)) if first == EACH => {
            elements.iter_mut().for_each(|element| for_each(rest, element, change));
        }
        (Some((first, rest)), Value::Object(object)) => {
            if let Some(value) = object.get_mut(first) {
                for_each(rest, value, change);
            }
        }
        _ => {}
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.join("/"))
    }
}

impl FromStr for Place {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.is_empty() {
            return Ok(Self::root());
        }
        let segments: Vec<String> = text.split('/').map(str::to_owned).collect();
        if segments.iter().any(String::is_empty) { Err("a segment is empty") } else { Ok(Self(segments)) }
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|problem| D::Error::custom(format!("the place `{text}` is invalid: {problem}")))
    }
}
