//! Values that are valid under the loose form.

use serde_json::{Map, Value, json};

use super::{
    leaf::Leaf,
    tightened::{Kind, LIST_KEYS, Node, TightenedSchema},
};
use crate::choice::Choices;

/// The keys of maps.
pub(super) const MAP_KEYS: &[&str] = &["k", "l", "m-n", "o"];
/// The values of the first key of a map list.
pub(super) const ELEMENT_KEYS: &[&str] = &["p", "q", "r", "s", "t"];

impl TightenedSchema {
    /// Draws the content of an old object: most of its leaves violate the tight form.
    pub fn object(&self, c: &mut Choices) -> Value {
        json!({ "spec": c.span("old object", |c| c.based(|c| self.spec.value(c))) })
    }
}

impl Node {
    pub(super) fn value(&self, c: &mut Choices) -> Value {
        match &self.kind {
            Kind::Leaf(leaf) => leaf_value(c, leaf),
            Kind::Object(fields) => Value::Object(field_values(c, fields, 7)),
            Kind::Map(value) => {
                let mut map = Map::new();
                c.many_average("key", 0, 3, 2, |c, _| {
                    if let Some(key) = c.free_name(MAP_KEYS, |key| map.contains_key(key)) {
                        map.insert(key.to_owned(), c.keyed(key, |c| value.value(c)));
                    }
                });
                Value::Object(map)
            }
            Kind::MapList { .. } => {
                let mut elements: Vec<Value> = Vec::new();
                c.many_average("element", 0, 4, 2, |c, _| elements.extend(self.new_element(c, &elements)));
                Value::Array(elements)
            }
            Kind::List { list_type, items } => {
                let mut elements = c.many_average("element", 0, 3, 2, |c, _| c.keyed("*", |c| items.value(c)));
                if *list_type == Some("set") {
                    distinct(&mut elements);
                }
                Value::Array(elements)
            }
        }
    }

    /// Draws an element of a map list with a key that none of the others has; `None` if all keys are used.
    pub(super) fn new_element(&self, c: &mut Choices, others: &[Value]) -> Option<Value> {
        let Kind::MapList { fields, two_keys } = &self.kind else { return None };
        let number = if c.flag(*two_keys, 1, 2) { 2 } else { 1 };
        let is_taken = |key: &str| {
            others.iter().any(|other| other[LIST_KEYS[0]] == key && (!two_keys || other[LIST_KEYS[1]] == number))
        };
        let key = c.free_name(ELEMENT_KEYS, is_taken)?;
        let mut element = c.keyed("*", |c| field_values(c, fields, 5));
        element.insert(LIST_KEYS[0].to_owned(), json!(key));
        if *two_keys {
            element.insert(LIST_KEYS[1].to_owned(), json!(number));
        }
        Some(Value::Object(element))
    }
}

/// Draws each field with a probability of `share` in eight.
fn field_values(c: &mut Choices, fields: &[(&'static str, Node)], share: u64) -> Map<String, Value> {
    let mut object = Map::new();
    for (name, node) in fields {
        c.keyed(name, |c| {
            // The simplest object has all fields: a missing one cannot be updated.
            if !c.chance(8 - share, 8) {
                object.insert((*name).to_owned(), node.value(c));
            }
        });
    }
    object
}

/// Three in four violate the tight form.
pub(super) fn leaf_value(c: &mut Choices, leaf: &Leaf) -> Value {
    if c.chance(1, 4) { leaf.valid(c) } else { leaf.invalid(c) }
}

/// Removes all but the first of equal elements.
pub(super) fn distinct(elements: &mut Vec<Value>) {
    let mut kept: Vec<Value> = Vec::new();
    for element in elements.drain(..) {
        if !kept.contains(&element) {
            kept.push(element);
        }
    }
    *elements = kept;
}
