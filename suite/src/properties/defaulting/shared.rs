//! Shared by the properties of chapter 4: nodes with values for their defaults.

use crdible_generators::{
    choice::Choices,
    schema::{self, SchemaShape},
    value,
};
use crdible_semantics::Schema;
use serde_json::{Map, Value};

/// Objects under one schema: another schema is what costs time on a real server.
pub(super) const OBJECTS: usize = 6;

/// Schemas with every feature; in one case of six, with names that break unescaped paths and pointers. For properties
/// that compare content, because the fields of causes are not escaped either.
pub(super) fn any_shape(choices: &mut Choices) -> SchemaShape {
    SchemaShape { odd_names: choices.chance(1, 6), ..SchemaShape::default() }
}

/// A node of any kind that is not nullable, without keywords that count or compare values, and values for it.
pub(super) struct Sample {
    /// The node, without a default.
    pub(super) node: Schema,
}

impl Sample {
    pub(super) fn draw(choices: &mut Choices, key: &str) -> Self {
        choices.keyed(key, |choices| {
            let shape = SchemaShape {
                defaults: false,
                value_keywords: false,
                patterns: false,
                formats: false,
                quantifiers: false,
                topology: false,
                ..SchemaShape::default()
            };
            let mut node = schema::node(choices, &shape, shape.max_depth - 1);
            node.nullable = false;
            Self { node }
        })
    }

    /// The node as JSON.
    pub(super) fn json(&self) -> Value {
        self.node.to_json()
    }

    /// A value for the node, never null.
    pub(super) fn value(&self, choices: &mut Choices, key: &str) -> Value {
        choices.keyed(key, |choices| value::valid_node(choices, &self.node))
    }
}

/// An object with the keys that have a value.
pub(super) fn present<const N: usize>(entries: [(&str, Option<Value>); N]) -> Value {
    let entries = entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Value::Object(entries.collect::<Map<String, Value>>())
}
