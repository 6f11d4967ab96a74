//! Shared by the properties of chapter 3.

pub(super) mod copies;
mod declared;
pub(super) mod object_meta;
mod requests;

pub(super) use declared::Declared;
pub(super) use requests::{check_only_item, delete};

use crdible_generators::{edit, walk};

use crate::prelude::*;

/// Places in objects, lists and maps. Preserving nodes and embedded resources have their own properties.
pub(super) const PLACES: Places =
    Places { containers: &[Container::Object, Container::List, Container::Map], most: 4, ..Places::COPIED };

/// The same, never below a map: how reports of embedded metadata write map keys is a quirk (PRUNE-017).
pub(super) const OUTSIDE_MAPS: Places = Places { containers: &[Container::Object, Container::List], ..PLACES };

/// A node that keeps everything.
pub(super) fn preserving() -> Value {
    json!({ PRESERVE: true })
}

/// A node for embedded objects with a property `a`, which may preserve unknown fields.
pub(super) fn embedded(is_preserving: bool) -> Value {
    let node = json!({ "type": "object", EMBEDDED: true, "properties": { "a": { "type": "integer" } } });
    if is_preserving { extended(node, &preserving()) } else { node }
}

/// Schemas that only define structure, without keywords that validate or fill in values: what is stored is what was
/// sent, minus what pruning removes.
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

/// The same; in one case of six, with names that break unescaped paths and pointers. For properties that compare
/// content, because the fields of causes and reports are not escaped either.
pub(super) fn with_odd_names(choices: &mut Choices, shape: SchemaShape) -> SchemaShape {
    SchemaShape { odd_names: choices.chance(1, 6), ..shape }
}

/// A valid object, and the same object with keys that are pruned.
#[derive(Debug)]
pub(super) struct Planted {
    /// The object that should be stored, except for defaults.
    pub(super) clean: Value,
    /// The same with undeclared keys.
    pub(super) dirty: Value,
    /// The paths of the undeclared keys as they are reported (PRUNE-028).
    pub(super) unknown: Vec<String>,
}

impl Planted {
    /// Draws one for a root schema.
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
        // Unknown keys of embedded metadata are reported in a separate group (PRUNE-028), and their paths below maps
        // are a quirk (PRUNE-017); separate properties cover them.
        for place in walk::places(schema, &clean).into_iter().filter(|place| place.schema.embedded_resource) {
            let inside = format!("{}.metadata.", place.field);
            unknown.retain(|path| !path.starts_with(&inside));
            if let (Some(metadata), Some(planted)) = (place.value.get("metadata"), dirty.pointer_mut(&place.pointer)) {
                planted["metadata"] = metadata.clone();
            }
        }
        Self { clean, dirty, unknown }
    }
}

/// At least one key that no schema of this chapter declares, with any value.
pub(super) fn undeclared(choices: &mut Choices) -> Map<String, Value> {
    const KEYS: [&str; 10] = ["u", "unknown", "U", "u u", "x.y", "a/b", "m~n", "", "é", "__proto__"];
    let mut keys = Map::new();
    choices.many_average("undeclared key", 1, 4, 1, |choices, _| {
        let key = *choices.pick(&KEYS);
        let value = value::json(choices, 2);
        keys.insert(key.to_owned(), value);
    });
    keys
}
