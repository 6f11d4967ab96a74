//! The expected causes of an update: chapter 6, applied to two values whose violations are known.

use crdible_semantics::{Cause, Reason};
use serde_json::Value;

use super::leaf::summary;
use super::tightened::{Kind, LIST_KEYS, NEEDED, Node, Rule, TightenedSchema, with_fields};

impl TightenedSchema {
    /// The causes for which the tight form rejects `new` as an update of `old`, or as a new
    /// object; empty if it is accepted.
    pub fn causes(&self, new: &Value, old: Option<&Value>) -> Vec<Cause> {
        self.spec.causes(&new["spec"], old.map(|old| &old["spec"]), "spec")
    }

    /// Whether an update changes nothing, except for the order of map lists (RATCHET-007).
    pub fn is_unchanged(&self, new: &Value, old: &Value) -> bool {
        self.spec.sorted(&new["spec"]) == self.spec.sorted(&old["spec"])
    }
}

impl Node {
    fn causes(&self, new: &Value, old: Option<&Value>, path: &str) -> Vec<Cause> {
        // RATCHET-002: errors in an unchanged node are ignored.
        if old.is_some_and(|old| self.sorted(new) == self.sorted(old)) {
            return Vec::new();
        }
        let mut causes = Vec::new();
        match (&self.kind, new) {
            (Kind::Leaf(leaf), _) if leaf.is_invalid(new) => causes.extend(leaf.causes(path)),
            (Kind::Object(fields), _) => causes.extend(field_causes(fields, new, old, path)),
            (Kind::Map(value), Value::Object(map)) => {
                for (key, new) in map {
                    // RATCHET-004.
                    let old = old.and_then(|old| old.get(key));
                    causes.extend(value.causes(new, old, &format!("{path}.{key}")));
                }
            }
            (Kind::MapList { fields, .. }, Value::Array(elements)) => {
                let old_elements = old.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
                for (at, new) in elements.iter().enumerate() {
                    // RATCHET-005.
                    let same_key = |other: &&Value| LIST_KEYS.iter().all(|key| other.get(key) == new.get(key));
                    causes.extend(field_causes(
                        fields,
                        new,
                        old_elements.iter().find(same_key),
                        &format!("{path}[{at}]"),
                    ));
                }
            }
            (Kind::List { items, .. }, Value::Array(elements)) => {
                for (at, new) in elements.iter().enumerate() {
                    // RATCHET-006.
                    causes.extend(items.causes(new, None, &format!("{path}[{at}]")));
                }
            }
            _ => {}
        }
        causes.extend(self.own_causes(new, path));
        causes
    }

    fn own_causes(&self, new: &Value, path: &str) -> Vec<Cause> {
        let missing = || Cause::new(format!("{path}.{NEEDED}"), Reason::Required);
        let is_missing = new.get(NEEDED).is_none();
        match self.rule {
            Some(Rule::Count) => vec![Cause::new(path, Reason::Invalid)],
            Some(Rule::Empty) if !is_empty(new) => vec![Cause::new(path, Reason::TooMany)],
            Some(Rule::Not) => vec![summary()],
            Some(Rule::Required) if is_missing => vec![missing()],
            Some(Rule::AllOf | Rule::AnyOf | Rule::OneOf) if is_missing => vec![missing(), summary()],
            _ => Vec::new(),
        }
    }

    /// Sorts the map lists of a value by their keys: two values are equal if and only if their sorted forms are
    /// (RATCHET-007).
    fn sorted(&self, value: &Value) -> Value {
        let fields_sorted = |fields: &[(&'static str, Self)], value: &Value| {
            with_fields(fields, value, |_, node, field| node.sorted(field))
        };
        match (&self.kind, value) {
            (Kind::Object(fields), _) => fields_sorted(fields, value),
            (Kind::Map(node), Value::Object(map)) => {
                Value::Object(map.iter().map(|(key, value)| (key.clone(), node.sorted(value))).collect())
            }
            (Kind::MapList { fields, .. }, Value::Array(elements)) => {
                let mut sorted: Vec<Value> = elements.iter().map(|element| fields_sorted(fields, element)).collect();
                sorted.sort_by_cached_key(|element| LIST_KEYS.map(|key| element[key].to_string()));
                Value::Array(sorted)
            }
            // Inside other lists every order matters, so they are compared unsorted.
            _ => value.clone(),
        }
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty) || value.as_object().is_some_and(serde_json::Map::is_empty)
}

fn field_causes(fields: &[(&'static str, Node)], new: &Value, old: Option<&Value>, path: &str) -> Vec<Cause> {
    let causes = fields.iter().filter_map(|(name, node)| {
        let old = old.and_then(|old| old.get(*name));
        Some(node.causes(new.get(*name)?, old, &format!("{path}.{name}")))
    });
    causes.flatten().collect()
}
