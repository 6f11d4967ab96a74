//! What the properties of this chapter share: nodes with a value for their default, and places to put a node at.

use crdible_generators::{
    choice::Choices,
    schema::{self, SchemaShape},
    value,
};
use crdible_semantics::Schema;
use serde_json::{Map, Value, json};

pub(super) use crate::properties::frame::Frame;
use crate::scenario::{Definition, Expectation, Plan, Scenario, StepId, Version};

/// Objects under one schema: a schema is what costs time on a real server.
pub(super) const OBJECTS: usize = 6;

/// Schemas with everything, in one case of six with names that break paths and pointers that are not escaped: for properties that
/// compare content, since fields in causes are not escaped either.
pub(super) fn any_shape(choices: &mut Choices) -> SchemaShape {
    SchemaShape { odd_names: choices.chance(1, 6), ..SchemaShape::default() }
}

/// A root schema whose `spec` is this node.
pub(super) fn root_of(spec: &Value) -> Value {
    json!({ "type": "object", "properties": { "spec": spec } })
}

/// An object node with these properties.
pub(super) fn object_of(properties: &Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

/// A node with a default.
pub(super) fn with_default(node: &Value, default: &Value) -> Value {
    let mut node = node.clone();
    node["default"] = default.clone();
    node
}

/// A served version with a schema.
pub(super) fn version(name: &str, storage: bool, schema: Value) -> Version {
    Version { name: name.to_owned(), storage, ..Version::only(schema) }
}

/// Versions `v1`, which is stored, and `v2`, both served, with conversion by strategy None.
pub(super) fn two_versions(stored: Value, other: Value) -> Vec<Version> {
    vec![version("v1", true, stored), version("v2", false, other)]
}

/// A pooled definition with these versions.
pub(super) fn define(plan: &mut Plan, versions: Vec<Version>) -> usize {
    plan.define(Definition { versions, ..Definition::of_schema(json!({})) })
}

/// What must stand at a JSON pointer.
pub(super) fn at(pointer: impl Into<String>, value: Option<&Value>) -> Expectation {
    Expectation::At { pointer: pointer.into(), value: value.cloned() }
}

/// A dry-run create for each body under one schema, and what must come back.
pub(super) fn examples(root: Value, asserts: &[&str], bodies: Vec<(&str, Value, Expectation)>) -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.define(Definition::of_schema(root));
    for (name, body, expected) in bodies {
        let created = plan.try_create(definition, body);
        plan.check(name, asserts, created, expected);
        plan.count_case();
    }
    plan.finish()
}

/// Demands that an object was not written since an earlier answer: the same resourceVersion and generation.
pub(super) fn unchanged(plan: &mut Plan, name: &str, asserts: &[&str], read: StepId, since: StepId) {
    plan.check(&format!("{name}-revision"), asserts, read, Expectation::SameRevision { r#as: since });
    plan.check(&format!("{name}-generation"), asserts, read, Expectation::SameGeneration { r#as: since });
}

/// A node that is not nullable, and values for it: whatever kind it is, without keywords that count or compare values.
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

    /// A value for it, never null.
    pub(super) fn value(&self, choices: &mut Choices, key: &str) -> Value {
        choices.keyed(key, |choices| value::valid_node(choices, &self.node))
    }
}

/// An object from those of its keys that have a value.
pub(super) fn present<const N: usize>(entries: [(&str, Option<Value>); N]) -> Value {
    let entries = entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Value::Object(entries.collect::<Map<String, Value>>())
}
