//! New values made from old ones.

use serde_json::{Map, Value, json};

use super::{
    tightened::{Kind, LIST_KEYS, NEEDED, Node, TightenedSchema, with_fields},
    values::{ELEMENT_KEYS, MAP_KEYS, distinct},
};
use crate::choice::Choices;

impl TightenedSchema {
    /// Draws the content of an update of `old`: parts of it are kept, changed, made valid or invalid, added, removed,
    /// or reordered.
    pub fn edited(&self, c: &mut Choices, old: &Value) -> Value {
        let spec = &old["spec"];
        json!({ "spec": c.span("update", |c| c.based(|c| self.spec.edited(c, spec))) })
    }

    /// Draws the same content with the elements of its map lists in another order, which counts as unchanged
    /// (RATCHET-007). The simplest choices reverse each list.
    pub fn permuted(&self, c: &mut Choices, old: &Value) -> Value {
        let spec = &old["spec"];
        json!({ "spec": c.span("permutation", |c| c.based(|c| self.spec.permuted(c, spec))) })
    }
}

impl Node {
    /// An edit of a value, or the same value.
    fn edited(&self, c: &mut Choices, old: &Value) -> Value {
        match (&self.kind, old) {
            (Kind::Leaf(leaf), _) => match c.weighted(&[1, 3, 3]) {
                0 => old.clone(),
                1 => {
                    c.reached("to an invalid value");
                    leaf.invalid(c)
                }
                _ => {
                    c.reached("to a valid value");
                    leaf.valid(c)
                }
            },
            (Kind::Object(fields), Value::Object(old)) => Value::Object(self.edited_fields(c, fields, old)),
            (Kind::Map(value), Value::Object(old)) => {
                let mut map = Map::new();
                for (key, old) in old {
                    c.keyed(key, |c| map.extend(kept(c, value, old).map(|new| (key.clone(), new))));
                }
                if c.chance(1, 3)
                    && let Some(key) = c.free_name(MAP_KEYS, |key| map.contains_key(key) || old.contains_key(key))
                {
                    c.reached("added");
                    map.insert(key.to_owned(), c.keyed(key, |c| value.value(c)));
                }
                Value::Object(map)
            }
            (Kind::MapList { fields, two_keys }, Value::Array(old)) => {
                let mut elements = Vec::new();
                c.many("kept element", old.len(), old.len(), |c, at| {
                    let element = &old[at];
                    match (c.weighted(&[4, 3, 1, 2]), element.as_object()) {
                        (0, _) | (_, None) => elements.push(element.clone()),
                        (1, Some(element)) => {
                            elements.push(c.keyed("*", |c| Value::Object(self.edited_fields(c, fields, element))));
                        }
                        (2, Some(_)) => c.reached("removed"),
                        (_, Some(element)) => {
                            let mut element = element.clone();
                            let others: Vec<&Value> = old.iter().chain(&elements).collect();
                            if c.flag(*two_keys, 1, 2) {
                                let [first, second] = LIST_KEYS;
                                let other_number = json!(if element[second] == 1 { 2 } else { 1 });
                                let is_same =
                                    |other: &&Value| other[first] == element[first] && other[second] == other_number;
                                if !others.iter().any(is_same) {
                                    c.reached("another second key");
                                    element.insert(second.to_owned(), other_number);
                                }
                            } else {
                                let is_taken = |key: &str| others.iter().any(|other| other[LIST_KEYS[0]] == key);
                                if let Some(key) = c.free_name(ELEMENT_KEYS, is_taken) {
                                    c.reached("another key");
                                    element.insert(LIST_KEYS[0].to_owned(), json!(key));
                                }
                            }
                            elements.push(Value::Object(element));
                        }
                    }
                });
                if c.chance(1, 4) {
                    let others: Vec<Value> = old.iter().chain(&elements).cloned().collect();
                    let added = self.new_element(c, &others);
                    c.reached("added");
                    elements.extend(added);
                }
                reordered(c, &mut elements, false);
                Value::Array(elements)
            }
            (Kind::List { list_type, items }, Value::Array(old)) => {
                let mut elements = Vec::new();
                c.many("kept element", old.len(), old.len(), |c, at| elements.extend(kept(c, items, &old[at])));
                if c.chance(1, 4) {
                    c.reached("added");
                    elements.push(c.keyed("*", |c| items.value(c)));
                }
                reordered(c, &mut elements, false);
                if *list_type == Some("set") {
                    distinct(&mut elements);
                }
                Value::Array(elements)
            }
            _ => old.clone(),
        }
    }

    fn edited_fields(
        &self,
        c: &mut Choices,
        fields: &[(&'static str, Self)],
        old: &Map<String, Value>,
    ) -> Map<String, Value> {
        let mut object = old.clone();
        for (name, node) in fields {
            c.keyed(name, |c| match old.get(*name) {
                Some(old) => match kept(c, node, old) {
                    Some(new) => _ = object.insert((*name).to_owned(), new),
                    None => _ = object.remove(*name),
                },
                None if c.chance(1, 3) => {
                    c.reached("added");
                    object.insert((*name).to_owned(), node.value(c));
                }
                None => {}
            });
        }
        if self.requires_needed() && c.chance(1, 5) {
            c.reached("a rule satisfied");
            object.insert(NEEDED.to_owned(), json!("here"));
        }
        object
    }

    fn permuted(&self, c: &mut Choices, value: &Value) -> Value {
        let fields_permuted = |c: &mut Choices, fields: &[(&'static str, Self)], value: &Value| {
            with_fields(fields, value, |name, node, field| c.keyed(name, |c| node.permuted(c, field)))
        };
        match (&self.kind, value) {
            (Kind::Object(fields), _) => fields_permuted(c, fields, value),
            (Kind::Map(node), Value::Object(map)) => {
                let permuted =
                    |(key, value): (&String, &Value)| (key.clone(), c.keyed(key, |c| node.permuted(c, value)));
                Value::Object(map.iter().map(permuted).collect())
            }
            (Kind::MapList { fields, .. }, Value::Array(elements)) => {
                let mut permuted: Vec<Value> =
                    elements.iter().map(|element| c.keyed("*", |c| fields_permuted(c, fields, element))).collect();
                reordered(c, &mut permuted, true);
                Value::Array(permuted)
            }
            _ => value.clone(),
        }
    }
}

/// Keeps, edits or removes a value.
fn kept(c: &mut Choices, node: &Node, old: &Value) -> Option<Value> {
    match c.weighted(&[3, 5, 1]) {
        0 => Some(old.clone()),
        1 => Some(node.edited(c, old)),
        _ => {
            c.reached("removed");
            None
        }
    }
}

/// Reorders elements if `must`, otherwise one time in four: picks one of the remaining elements each time, by the
/// simplest choice the last one.
fn reordered(c: &mut Choices, elements: &mut Vec<Value>, must: bool) {
    if elements.len() < 2 || !(must || c.chance(1, 4)) {
        return;
    }
    c.reached("reordered");
    let mut left = std::mem::take(elements);
    while !left.is_empty() {
        let from_end = c.index(left.len());
        elements.push(left.remove(left.len() - 1 - from_end));
    }
}
