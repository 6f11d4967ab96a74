//! One change of an object's shape, and its inverse.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::place::Place;

/// How a part of an object looks different in a later version. Each works both ways. What is missing stays missing, and
/// what does not have the expected form is left as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reshape {
    /// A property has another name.
    Rename {
        /// The objects that have it.
        at: Place,
        /// Its name in the earlier version.
        from: String,
        /// Its name in the later version.
        to: String,
    },
    /// Properties move into an object of their own, which exists only if one of them does.
    Gather {
        /// The objects that have them.
        at: Place,
        /// Their names, the same in both versions.
        properties: Vec<String>,
        /// The name of the object.
        into: String,
    },
    /// A text of two parts becomes an object of two texts: `a:b` becomes `{"one": "a", "two": "b"}`.
    Split {
        /// The objects that have it.
        at: Place,
        /// Its name, the same in both versions.
        property: String,
        /// What separates the parts; neither contains it.
        separator: String,
        /// The names of the two texts.
        into: [String; 2],
    },
    /// A value becomes a list of one element. Null stays null.
    Wrap {
        /// The objects that have it.
        at: Place,
        /// Its name, the same in both versions.
        property: String,
    },
    /// A list of objects becomes a map of the same objects without their key. Back, the list is sorted by key.
    Key {
        /// The objects that have it.
        at: Place,
        /// Its name, the same in both versions.
        property: String,
        /// The property of the elements that becomes the key of the map; a text.
        key: String,
    },
    /// An integer in another unit: `seconds: 2` becomes `milliseconds: 2000`.
    Scale {
        /// The objects that have it.
        at: Place,
        /// Its name, the same in both versions.
        property: String,
        /// What the integer is multiplied by.
        factor: i64,
    },
    /// An integer becomes the text of its decimal digits.
    Print {
        /// The objects that have it.
        at: Place,
        /// Its name, the same in both versions.
        property: String,
    },
    /// Each of some values has another name: `true` becomes `"Enabled"`.
    Recode {
        /// The objects that have it.
        at: Place,
        /// Its name, the same in both versions.
        property: String,
        /// The values in the earlier version, each with the one in the later version. No value occurs twice on a side.
        values: Vec<(Value, Value)>,
    },
    /// Only the earlier version has the property; the later one keeps it as JSON in an annotation.
    Stash {
        /// The object that has it: a place without `*`.
        at: Place,
        /// Its name.
        property: String,
        /// The key of the annotation.
        annotation: String,
    },
    /// Only the earlier version has the property. It is lost.
    Drop {
        /// The objects that have it.
        at: Place,
        /// Its name.
        property: String,
    },
}

/// A change of shape, from the earlier version to the later one or the other way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The change.
    #[serde(flatten)]
    pub reshape: Reshape,
    /// The later version has the form that the change describes as the earlier one: two texts are joined, not split.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reversed: bool,
}

impl Step {
    /// The change as it is.
    pub fn of(reshape: Reshape) -> Self {
        Self { reshape, reversed: false }
    }

    /// The change the other way.
    pub fn reversed(reshape: Reshape) -> Self {
        Self { reshape, reversed: true }
    }

    /// Changes an object of the earlier version into one of the later, or back.
    pub(crate) fn apply(&self, object: &mut Value, back: bool) {
        if back == self.reversed { self.reshape.forward(object) } else { self.reshape.backward(object) }
    }
}

impl Reshape {
    fn forward(&self, object: &mut Value) {
        match self {
            Self::Rename { at, from, to } => at.for_each(object, &mut |map| rename(map, from, to)),
            Self::Gather { at, properties, into } => at.for_each(object, &mut |map| {
                let taken: Map<String, Value> = properties.iter().filter_map(|name| map.remove_entry(name)).collect();
                if !taken.is_empty() {
                    map.insert(into.clone(), Value::Object(taken));
                }
            }),
            Self::Split { at, property, separator, into: [one, two] } => replace(at, object, property, |value| {
                let (first, second) = value.as_str()?.split_once(separator.as_str())?;
                (!second.contains(separator.as_str())).then(|| json!({ one: first, two: second }))
            }),
            Self::Wrap { at, property } => {
                replace(at, object, property, |value| (!value.is_null()).then(|| json!([value])))
            }
            Self::Key { at, property, key } => replace(at, object, property, |value| {
                let mut map = Map::new();
                for element in value.as_array()? {
                    let mut element = element.as_object()?.clone();
                    let Some(Value::String(name)) = element.remove(key) else { return None };
                    map.insert(name, Value::Object(element));
                }
                // With a key that occurs twice, elements would be lost.
                (map.len() == value.as_array()?.len()).then_some(Value::Object(map))
            }),
            Self::Scale { at, property, factor } => {
                replace(at, object, property, |value| value.as_i64()?.checked_mul(*factor).map(Value::from));
            }
            Self::Print { at, property } => {
                replace(at, object, property, |value| value.as_i64().map(|number| Value::from(number.to_string())));
            }
            Self::Recode { at, property, values } => replace(at, object, property, |value| {
                values.iter().find(|(earlier, _)| earlier == value).map(|(_, later)| later.clone())
            }),
            Self::Stash { at, property, annotation } => {
                if let Some(value) = taken(at, object, property)
                    && let Some(annotations) = annotations(object)
                {
                    annotations.insert(annotation.clone(), Value::from(value.to_string()));
                }
            }
            Self::Drop { at, property } => at.for_each(object, &mut |map| {
                map.remove(property);
            }),
        }
    }

    fn backward(&self, object: &mut Value) {
        match self {
            Self::Rename { at, from, to } => at.for_each(object, &mut |map| rename(map, to, from)),
            Self::Gather { at, properties, into } => at.for_each(object, &mut |map| {
                let Some(Value::Object(mut gathered)) = map.remove(into) else { return };
                for name in properties {
                    if let Some(value) = gathered.remove(name) {
                        map.insert(name.clone(), value);
                    }
                }
            }),
            Self::Split { at, property, separator, into: [one, two] } => replace(at, object, property, |value| {
                let (first, second) = (value.get(one)?.as_str()?, value.get(two)?.as_str()?);
                Some(Value::from(format!("{first}{separator}{second}")))
            }),
            Self::Wrap { at, property } => replace(at, object, property, |value| match value.as_array()?.as_slice() {
                [only] => Some(only.clone()),
                _ => None,
            }),
            Self::Key { at, property, key } => replace(at, object, property, |value| {
                let mut entries: Vec<(&String, &Value)> = value.as_object()?.iter().collect();
                entries.sort_by_key(|(name, _)| *name);
                let element = |(name, value): (&String, &Value)| {
                    let mut element = value.as_object()?.clone();
                    element.insert(key.clone(), Value::from(name.as_str()));
                    Some(Value::Object(element))
                };
                entries.into_iter().map(element).collect::<Option<Vec<_>>>().map(Value::Array)
            }),
            Self::Scale { at, property, factor } => replace(at, object, property, |value| {
                let number = value.as_i64()?;
                (number.checked_rem(*factor)? == 0).then(|| Value::from(number / factor))
            }),
            Self::Print { at, property } => replace(at, object, property, |value| {
                let text = value.as_str()?;
                text.parse::<i64>().ok().filter(|number| number.to_string() == text).map(Value::from)
            }),
            Self::Recode { at, property, values } => replace(at, object, property, |value| {
                values.iter().find(|(_, later)| later == value).map(|(earlier, _)| earlier.clone())
            }),
            Self::Stash { at, property, annotation } => {
                let Some(kept) = annotations(object).and_then(|annotations| annotations.remove(annotation)) else {
                    return;
                };
                if let Some(value) = kept.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok()) {
                    at.for_each(object, &mut |map| {
                        map.insert(property.clone(), value.clone());
                    });
                }
                remove_empty_annotations(object);
            }
            Self::Drop { .. } => {}
        }
    }
}

fn rename(map: &mut Map<String, Value>, from: &str, to: &str) {
    if let Some(value) = map.remove(from) {
        map.insert(to.to_owned(), value);
    }
}

/// Replaces a property by the result of `new`; `None` leaves it.
fn replace(at: &Place, object: &mut Value, property: &str, new: impl Fn(&Value) -> Option<Value>) {
    at.for_each(object, &mut |map| {
        if let Some(value) = map.get_mut(property)
            && let Some(new) = new(value)
        {
            *value = new;
        }
    });
}

/// Removes and returns a property.
fn taken(at: &Place, object: &mut Value, property: &str) -> Option<Value> {
    let mut taken = None;
    at.for_each(object, &mut |map| taken = map.remove(property));
    taken
}

/// The annotations, which are added if they are missing. `None` for an object without metadata.
fn annotations(object: &mut Value) -> Option<&mut Map<String, Value>> {
    let metadata = object.get_mut("metadata")?.as_object_mut()?;
    metadata.entry("annotations").or_insert_with(|| json!({})).as_object_mut()
}

/// Removes empty annotations, as if none had ever been added.
fn remove_empty_annotations(object: &mut Value) {
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut)
        && metadata.get("annotations").and_then(Value::as_object).is_some_and(Map::is_empty)
    {
        metadata.remove("annotations");
    }
}
