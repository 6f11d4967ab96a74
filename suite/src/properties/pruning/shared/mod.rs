//! What the properties of this chapter share.

pub(super) mod copies;
mod declared;
mod examples;
pub(super) mod object_meta;
mod requests;
mod site;

pub(super) use declared::Declared;
pub(super) use examples::{Example, Outcome, examples};
pub(super) use requests::{check_only_item, delete, dry_run, list, post, versions};
pub(super) use site::Site;

use crdible_generators::{choice::Choices, edit, schema::SchemaShape, value};
use crdible_semantics::Schema;
use serde_json::{Value, json};

/// A schema written as JSON.
pub(super) fn parse(schema: &Value) -> Schema {
    Schema::parse(schema).map(|(schema, _)| schema).unwrap_or_default()
}

/// A root schema whose `spec` has these properties.
pub(super) fn spec_of(properties: &Value) -> Schema {
    parse(&json!({ "type": "object", "properties": { "spec": { "type": "object", "properties": properties } } }))
}

/// A node for embedded objects with a property `a`, with xPUF or without.
pub(super) fn embedded(preserves: bool) -> Schema {
    let node = json!({ "type": "object", "x-kubernetes-embedded-resource": true, "properties": { "a": { "type": "integer" } } });
    Schema { preserve_unknown_fields: preserves.then_some(true), ..parse(&node) }
}

/// Schemas with everything that gives structure, and nothing that only judges or fills in values: what is stored is what was
/// sent, but for what this chapter takes away.
pub(super) fn plain_shape(choices: &mut Choices) -> SchemaShape {
    SchemaShape {
        defaults: false,
        topology: false,
        value_keywords: false,
        patterns: false,
        formats: false,
        quantifiers: false,
        ..SchemaShape::swarm(choices)
    }
}

/// The same, in one case of six with names that break paths and pointers that are not escaped: for properties that compare
/// content, since fields in causes and reports are not escaped either.
pub(super) fn with_odd_names(choices: &mut Choices, shape: SchemaShape) -> SchemaShape {
    SchemaShape { odd_names: choices.chance(1, 6), ..shape }
}

/// A valid object, and the same with what pruning takes away again.
#[derive(Debug)]
pub(super) struct Planted {
    /// As it should be stored, defaults aside.
    pub(super) clean: Value,
    /// With undeclared keys.
    pub(super) dirty: Value,
    /// The paths of the undeclared keys as they are reported (PRUNE-028).
    pub(super) unknown: Vec<String>,
}

impl Planted {
    /// Draws one for a root schema or a node.
    pub(super) fn draw(choices: &mut Choices, schema: &Schema) -> Self {
        let clean = value::valid(choices, schema);
        Self::in_value(choices, schema, clean)
    }

    /// Draws one for a node, which may have properties named like meta fields.
    pub(super) fn draw_node(choices: &mut Choices, schema: &Schema) -> Self {
        let clean = value::valid_node(choices, schema);
        Self::in_value(choices, schema, clean)
    }

    fn in_value(choices: &mut Choices, schema: &Schema, clean: Value) -> Self {
        let mut dirty = clean.clone();
        let mut unknown = edit::plant_unknown(choices, schema, &mut dirty);
        // Unknown keys of embedded metadata are reported in a group of their own (PRUNE-028), and below maps in a way that is a
        // quirk (PRUNE-017): they have properties of their own.
        for place in edit::places(schema, &clean).into_iter().filter(|place| place.schema.embedded_resource) {
            let inside = format!("{}.metadata.", place.field);
            unknown.retain(|path| !path.starts_with(&inside));
            if let (Some(metadata), Some(planted)) = (place.value.get("metadata"), dirty.pointer_mut(&place.pointer)) {
                planted["metadata"] = metadata.clone();
            }
        }
        Self { clean, dirty, unknown }
    }
}

/// Keys that no schema of this chapter declares, with any values; at least one.
pub(super) fn undeclared(choices: &mut Choices) -> serde_json::Map<String, Value> {
    const KEYS: [&str; 10] = ["u", "unknown", "U", "u u", "x.y", "a/b", "m~n", "", "é", "__proto__"];
    let mut keys = serde_json::Map::new();
    choices.many_average("undeclared key", 1, 4, 1, |choices, _| {
        let key = *choices.pick(&KEYS);
        let value = value::json(choices, 2);
        keys.insert(key.to_owned(), value);
    });
    keys
}

/// A segment of a JSON pointer.
pub(super) fn segment(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
