//! The differences between two objects, each of a kind and at a place.

use crdible_semantics::{
    Schema,
    schema::{AdditionalProperties, Items},
};
use serde_json::Value;

use super::forms;
use crate::{
    expect::equal,
    scenario::{Change, Loss},
};

/// One difference between what went on its way and what came back.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Difference {
    /// The keys and indices on the way to it.
    pub(super) way: Vec<String>,
    /// Its kind.
    pub(super) change: Change,
    /// What happened, as a word for signatures.
    pub(super) word: &'static str,
    /// What was there; none if nothing was.
    pub(super) before: Option<Value>,
    /// What is there now.
    pub(super) after: Option<Value>,
}

impl Difference {
    /// What happened, as part of a sentence that begins with the field.
    pub(super) fn phrase(&self) -> String {
        let short = |value: &Option<Value>| match value {
            None => "absent".to_owned(),
            Some(value) => {
                let text = value.to_string();
                if text.chars().count() <= 40 {
                    text
                } else {
                    format!("{}…", text.chars().take(40).collect::<String>())
                }
            }
        };
        match self.word {
            "lost" => format!("is lost (it was {})", short(&self.before)),
            "added" => format!("is there now and was not ({})", short(&self.after)),
            "shortened" | "lengthened" => {
                let count = |value: &Option<Value>| value.as_ref().and_then(Value::as_array).map_or(0, Vec::len);
                format!("has {} elements now, and had {}", count(&self.after), count(&self.before))
            }
            _ => format!("was {}, and is {} now", short(&self.before), short(&self.after)),
        }
    }

    /// Its kind, where this schema says what is at the place: some values have several forms.
    pub(super) fn change_under(&self, schema: &Schema) -> Change {
        let node = node(schema, &self.way);
        let is_hollow = |value: &Option<Value>| value.as_ref().is_none_or(is_hollow);
        match (&self.before, &self.after) {
            (Some(_), None) | (None, Some(_)) if is_hollow(&self.before) && is_hollow(&self.after) => {
                // In a map nothing is declared that could be absent: there it is content.
                let is_harmless = node.is_some_and(|node| !node.properties.is_empty() && !has_default(node));
                if is_harmless { Change::Hollow } else { Change::Emptiness }
            }
            (Some(before), Some(after)) if node.is_some_and(|node| forms::same(node, before, after)) => Change::Form,
            _ => self.change,
        }
    }

    /// Its JSON pointer.
    pub(super) fn pointer(&self) -> String {
        let mut pointer = String::new();
        self.way.iter().for_each(|key| crdible_semantics::pointer::push(&mut pointer, key));
        pointer
    }

    /// Its place in the schema: `.spec.ports[*].name`, the same for all elements of a list and all keys of a map.
    pub(super) fn place(&self, schema: &Schema) -> String {
        place(&self.way, schema)
    }
}

/// The node of a schema that a value at this place has.
fn node<'s>(schema: &'s Schema, way: &[String]) -> Option<&'s Schema> {
    way.iter().try_fold(schema, |node, key| {
        match (node.properties.get(key), &node.items, &node.additional_properties) {
            (Some(property), ..) => Some(property),
            (None, Some(Items::Each(items)), _) => Some(&**items),
            (None, _, Some(AdditionalProperties::Schema(values))) => Some(&**values),
            _ => None,
        }
    })
}

/// Whether a node or one below it has a default.
fn has_default(node: &Schema) -> bool {
    let items = if let Some(Items::Each(items)) = &node.items { Some(items) } else { None };
    let values =
        if let Some(AdditionalProperties::Schema(values)) = &node.additional_properties { Some(values) } else { None };
    node.default.is_some()
        || node.properties.values().any(has_default)
        || items.is_some_and(|items| has_default(items))
        || values.is_some_and(|values| has_default(values))
}

/// Whether a value is an object with nothing but such objects in it.
fn is_hollow(value: &Value) -> bool {
    value.as_object().is_some_and(|fields| fields.values().all(is_hollow))
}

/// The place of a field in a schema; undeclared keys, and those of maps, are `.*`.
pub(super) fn place(way: &[String], schema: &Schema) -> String {
    let mut place = String::new();
    let mut node = Some(schema);
    for key in way {
        let property = node.and_then(|node| node.properties.get(key));
        let items = node.and_then(|node| node.items.as_ref());
        let values = node.and_then(|node| node.additional_properties.as_ref());
        node = match (property, items, values) {
            (Some(property), ..) => {
                place.push_str(&format!(".{key}"));
                Some(property)
            }
            (None, Some(items), _) => {
                place.push_str("[*]");
                if let Items::Each(items) = items { Some(items) } else { None }
            }
            (None, None, values) => {
                let is_meta = place.is_empty() || place.starts_with(".metadata");
                place.push_str(&if is_meta { format!(".{key}") } else { ".*".to_owned() });
                if let Some(AdditionalProperties::Schema(values)) = values { Some(values) } else { None }
            }
        };
    }
    place
}

/// All differences of two values, in the order of keys and indices.
pub(super) fn differences(before: &Value, after: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    walk(before, after, &mut Vec::new(), &mut found);
    found
}

/// Whether one of these losses covers a difference of an object of this version.
pub(super) fn is_declared(lossy: &[Loss], version: &str, difference: &Difference) -> bool {
    lossy.iter().any(|loss| loss.version == version && loss.covers(&difference.way))
}

fn walk(before: &Value, after: &Value, way: &mut Vec<String>, found: &mut Vec<Difference>) {
    match (before, after) {
        (Value::Object(was), Value::Object(is)) => {
            for (key, value) in was {
                way.push(key.clone());
                match is.get(key) {
                    Some(other) => walk(value, other, way, found),
                    None => found.push(at(way, "lost", Some(value), None)),
                }
                way.pop();
            }
            for (key, value) in is.iter().filter(|(key, _)| !was.contains_key(*key)) {
                way.push(key.clone());
                found.push(at(way, "added", None, Some(value)));
                way.pop();
            }
        }
        (Value::Array(was), Value::Array(is)) if was.len() == is.len() => {
            for (index, (value, other)) in was.iter().zip(is).enumerate() {
                way.push(index.to_string());
                walk(value, other, way, found);
                way.pop();
            }
        }
        (Value::Array(was), Value::Array(is)) => {
            let word = if is.len() < was.len() { "shortened" } else { "lengthened" };
            let mut difference = at(way, word, Some(before), Some(after));
            // Only elements that look like nothing are gone.
            let (long, short) = if is.len() < was.len() { (was, is) } else { (is, was) };
            let left: Vec<&Value> = long.iter().filter(|element| !is_empty(element)).collect();
            if !short.is_empty() && left.len() == short.len() && left.iter().zip(short).all(|(a, b)| equal(a, b)) {
                difference.change = Change::Emptiness;
            }
            found.push(difference);
        }
        (before, after) if equal(before, after) => {}
        (before, after) => found.push(at(way, "changed", Some(before), Some(after))),
    }
}

fn at(way: &[String], word: &'static str, before: Option<&Value>, after: Option<&Value>) -> Difference {
    let change = match (before, after) {
        (Some(value), None) | (None, Some(value)) if is_empty(value) => Change::Emptiness,
        (Some(before), Some(after)) if is_scalar(before) && same_type(before, after) => Change::Scalars,
        (Some(before), Some(after)) if is_empty(before) && is_empty(after) => Change::Emptiness,
        _ => Change::Fields,
    };
    Difference { way: way.to_vec(), change, word, before: before.cloned(), after: after.cloned() }
}

/// Whether careless programs take a value for an absent one.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Bool(true) => false,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        Value::Object(fields) => fields.values().all(is_empty),
    }
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Array(_) | Value::Object(_) | Value::Null)
}

fn same_type(a: &Value, b: &Value) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}

#[cfg(test)]
mod tests {
    use crdible_semantics::Schema;
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::{differences, place};
    use crate::scenario::Change;

    #[rstest]
    #[case::lost(json!({ "a": 1 }), json!({}), "/a", "lost", Change::Fields)]
    #[case::zero_lost(json!({ "a": 0 }), json!({}), "/a", "lost", Change::Emptiness)]
    #[case::empty_list_lost(json!({ "a": [] }), json!({}), "/a", "lost", Change::Emptiness)]
    #[case::empty_object_lost(json!({ "a": { "b": "" } }), json!({}), "/a", "lost", Change::Emptiness)]
    #[case::null_added(json!({}), json!({ "a": null }), "/a", "added", Change::Emptiness)]
    #[case::added(json!({}), json!({ "a": 1 }), "/a", "added", Change::Fields)]
    #[case::null_for_empty(json!({ "a": [] }), json!({ "a": null }), "/a", "changed", Change::Emptiness)]
    #[case::rounded(json!([9_007_199_254_740_993_i64]), json!([9_007_199_254_740_992_i64]), "/0", "changed", Change::Scalars)]
    #[case::other_type(json!({ "a": "1" }), json!({ "a": 1 }), "/a", "changed", Change::Fields)]
    #[case::shortened(json!([1, 2]), json!([1]), "", "shortened", Change::Fields)]
    #[case::lost_an_empty_element(json!([1, ""]), json!([1]), "", "shortened", Change::Emptiness)]
    #[case::emptied(json!([1]), json!([]), "", "shortened", Change::Fields)]
    fn kinds(
        #[case] before: Value,
        #[case] after: Value,
        #[case] pointer: &str,
        #[case] word: &str,
        #[case] change: Change,
    ) {
        let found = differences(&before, &after);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].pointer().as_str(), found[0].word, found[0].change), (pointer, word, change));
    }

    #[test]
    fn numbers_are_compared_by_value() {
        assert_eq!(differences(&json!({ "a": 1 }), &json!({ "a": 1.0 })), []);
    }

    #[test]
    fn places_have_no_indices_and_no_keys_of_maps() {
        let schema = json!({ "type": "object", "properties": { "spec": { "type": "object", "properties": {
            "ports": { "type": "array", "items": { "type": "object", "properties": { "name": { "type": "string" } } } },
            "map": { "type": "object", "additionalProperties": { "type": "string" } },
        } } } });
        let (schema, _) = Schema::parse(&schema).expect("a schema");
        let of = |way: &[&str]| place(&way.iter().map(ToString::to_string).collect::<Vec<_>>(), &schema);
        assert_eq!(of(&["spec", "ports", "3", "name"]), ".spec.ports[*].name");
        assert_eq!(of(&["spec", "map", "x"]), ".spec.map.*");
        assert_eq!(of(&["metadata", "labels"]), ".metadata.labels");
    }
}
