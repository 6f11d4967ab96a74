//! Planted defaults: the complete object is drawn first, then keys are removed from it.
//!
//! So the result of defaulting is known without running it: each default in the schema is a part of a complete object,
//! and a key that a body lacks has that part in the complete object.

use super::{nodes, shared::any_shape};
use crate::prelude::*;

/// A schema with defaults, and the value that each default results in.
pub(super) struct Planted {
    /// The schema with the defaults.
    pub(super) schema: Schema,
    /// The same schema without defaults.
    pub(super) bare: Schema,
    defaults: Vec<PlantedDefault>,
}

struct PlantedDefault {
    pattern: String,
    /// As the schema writes it; keys with defaults of their own may be missing.
    written: Value,
    /// The same with those keys filled in.
    complete: Value,
}

/// How a body omits a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// The key is absent.
    Absent,
    /// The key is absent, and is also optional under the schema without defaults.
    Optional,
    /// The key, the element or the map value is null.
    Null,
}

/// A body, and the complete object that results from it.
pub(super) struct Gapped {
    /// The body that is sent.
    pub(super) body: Value,
    /// The object that must be stored.
    pub(super) complete: Value,
}

impl Planted {
    /// Draws a schema, with a default at one node in four.
    pub(super) fn draw(choices: &mut Choices) -> Self {
        // No sets or map lists, because equal defaults make equal elements; no quantifiers, which may reject planted
        // values.
        let shape = SchemaShape { defaults: false, topology: false, quantifiers: false, ..any_shape(choices) };
        let bare = choices.span("schema", |choices| schema::schema(choices, &shape));
        let patterns = nodes::ordinary(&bare);
        let mut planted = Self { schema: bare.clone(), bare, defaults: Vec::new() };
        // Inner nodes first, so that an outer default can omit what an inner one fills in. Each node has its own draws,
        // so removing a node from the schema moves no default to another node.
        for pattern in patterns.iter().rev() {
            choices.keyed(&format!("default {pattern}"), |choices| {
                if choices.chance(1, 4) {
                    planted.plant(choices, pattern);
                }
            });
        }
        if let (true, Some(first)) = (planted.defaults.is_empty(), patterns.first()) {
            choices.keyed("only default", |choices| planted.plant(choices, first));
        }
        planted
    }

    fn plant(&mut self, choices: &mut Choices, pattern: &str) {
        let Some(node) = nodes::node(&self.bare, pattern) else {
            return;
        };
        let full = value::valid_node(choices, node);
        // `default: null` is not a default (DEFAULT-001).
        if full.is_null() {
            return;
        }
        // A default is validated as written (CRDVAL-053), so it may omit only optional keys.
        let filler = Filler { defaults: &self.defaults, gap: Gap::Optional };
        let (written, complete) = filler.fill(choices, pattern, node, &full);
        if let Some(node) = nodes::node_mut(&mut self.schema, pattern) {
            node.default = Some(written.clone());
        }
        self.defaults.push(PlantedDefault { pattern: pattern.to_owned(), written, complete });
    }

    /// Draws a complete object, and removes some of the keys that have a default.
    pub(super) fn object(&self, choices: &mut Choices, gap: Gap) -> Gapped {
        let full = value::valid(choices, &self.bare);
        let filler = Filler { defaults: &self.defaults, gap };
        let (body, complete) = choices.keyed("gaps", |choices| filler.fill(choices, "", &self.bare, &full));
        Gapped { body, complete }
    }

    /// The patterns of the nodes with defaults, and the defaults as written.
    pub(super) fn written(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.defaults.iter().map(|default| (default.pattern.as_str(), &default.written))
    }
}

struct Filler<'a> {
    defaults: &'a [PlantedDefault],
    gap: Gap,
}

impl Filler<'_> {
    /// The value to send, and the value that must be stored.
    fn fill(&self, choices: &mut Choices, pattern: &str, node: &Schema, full: &Value) -> (Value, Value) {
        match full {
            Value::Object(fields) => self.object(choices, pattern, node, fields),
            Value::Array(elements) => {
                let Some(items) = node.item_schema() else {
                    return (full.clone(), full.clone());
                };
                let pattern = format!("{pattern}/*");
                let pairs = elements.iter().map(|element| {
                    if self.may_be_null(items)
                        && let Some(complete) = self.removed_default(choices, &pattern)
                    {
                        return (Value::Null, complete);
                    }
                    self.fill(choices, &pattern, items, element)
                });
                let (body, complete): (Vec<Value>, Vec<Value>) = pairs.unzip();
                (Value::Array(body), Value::Array(complete))
            }
            scalar => (scalar.clone(), scalar.clone()),
        }
    }

    fn object(
        &self,
        choices: &mut Choices,
        pattern: &str,
        node: &Schema,
        fields: &Map<String, Value>,
    ) -> (Value, Value) {
        let (mut body, mut complete) = (Map::new(), Map::new());
        for (key, value) in fields {
            let declared = node.properties.get(key);
            let Some(below) = declared.or_else(|| node.value_schema()) else {
                body.insert(key.clone(), value.clone());
                complete.insert(key.clone(), value.clone());
                continue;
            };
            let step = declared.map_or_else(|| format!("{pattern}/*"), |_| nodes::below(pattern, key));
            let can_be_gap = match self.gap {
                Gap::Absent => declared.is_some(),
                Gap::Optional => {
                    declared.is_some() && !node.values.required.contains(key) && node.values.min_properties.is_none()
                }
                Gap::Null => self.may_be_null(below),
            };
            if can_be_gap && let Some(default) = self.removed_default(choices, &step) {
                complete.insert(key.clone(), default);
                if self.gap == Gap::Null {
                    body.insert(key.clone(), Value::Null);
                }
                continue;
            }
            let (given, whole) = self.fill(choices, &step, below, value);
            body.insert(key.clone(), given);
            complete.insert(key.clone(), whole);
        }
        for key in node.properties.keys().filter(|key| !fields.contains_key(*key)) {
            if let Some(default) = self.default_at(&nodes::below(pattern, key)) {
                complete.insert(key.clone(), default);
            }
        }
        (Value::Object(body), Value::Object(complete))
    }

    /// Whether a null means the default at this node.
    fn may_be_null(&self, node: &Schema) -> bool {
        self.gap == Gap::Null && !node.nullable
    }

    /// The complete default of a pattern, if it has one that was drawn for removal.
    fn removed_default(&self, choices: &mut Choices, pattern: &str) -> Option<Value> {
        let default = self.default_at(pattern)?;
        // Half of them, so that values in the request are as frequent as defaults.
        choices.chance(1, 2).then_some(default)
    }

    fn default_at(&self, pattern: &str) -> Option<Value> {
        self.defaults.iter().find(|default| default.pattern == pattern).map(|default| default.complete.clone())
    }
}
