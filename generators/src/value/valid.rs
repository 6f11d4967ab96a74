//! Values that a server accepts and does not change, except for adding defaults.

use crdible_semantics::Schema;
use crdible_semantics::schema::{AdditionalProperties, Items};
use serde_json::{Map, Value, json};

use super::bounds::length;
use super::{free, scalars};
use crate::names::{self, is_meta_field};
use crate::{choice::Choices, text};

/// Draws the content of an object for a root schema (without `apiVersion`, `kind` and `metadata`), or a value for a
/// sub-schema.
///
/// It is accepted, and nothing in it is pruned, dropped or rewritten. It honours all keywords that schemas of
/// [`crate::schema`] use, also with `serving` off, except quantifiers that do not hold for every value of their node.
/// If no valid value is found, the case is discarded. Optional meta fields at the top are left out, because a root
/// schema and a sub-schema look the same; see [`valid_node`].
pub fn valid(c: &mut Choices, schema: &Schema) -> Value {
    let filler = Filler { is_complete: false, skips_meta_fields: !schema.embedded_resource };
    c.based(|c| filler.value(c, schema))
}

/// Draws a value for a sub-schema in which properties named like meta fields are ordinary properties (STRUCT-021).
pub fn valid_node(c: &mut Choices, schema: &Schema) -> Value {
    c.based(|c| Filler { is_complete: false, skips_meta_fields: false }.value(c, schema))
}

/// Draws a value that is valid as written, before defaulting: what a default must be (CRDVAL-053).
pub(crate) fn complete(c: &mut Choices, schema: &Schema) -> Value {
    c.based(|c| Filler { is_complete: true, skips_meta_fields: false }.value(c, schema))
}

/// The depth of free JSON: two levels show whether inner values are treated like outer ones.
pub(super) const FREE_DEPTH: usize = 2;

#[derive(Clone, Copy)]
struct Filler {
    /// Include required properties even if they have a default.
    is_complete: bool,
    /// Leave out the optional properties `apiVersion`, `kind`, `metadata` of this node.
    skips_meta_fields: bool,
}

impl Filler {
    fn value(self, c: &mut Choices, schema: &Schema) -> Value {
        // One in five: nullable nodes are rare enough.
        if schema.nullable && schema.values.enumeration.is_empty() && c.keyed("@null", |c| c.chance(1, 5)) {
            return Value::Null;
        }
        if !schema.values.enumeration.is_empty() {
            return c.pick(&schema.values.enumeration).clone();
        }
        if schema.int_or_string {
            return scalars::int_or_string(c, schema);
        }
        match schema.type_name.as_str() {
            "string" => scalars::string(c, schema),
            "integer" => scalars::integer(c, schema),
            "number" => scalars::number(c, schema),
            "boolean" => scalars::boolean(c),
            "array" => Value::Array(self.list(c, schema)),
            "object" => Value::Object(self.object(c, schema)),
            _ => free::no_null(c, FREE_DEPTH),
        }
    }

    fn below(self) -> Self {
        Self { skips_meta_fields: false, ..self }
    }

    fn object(self, c: &mut Choices, schema: &Schema) -> Map<String, Value> {
        let mut object = Map::new();
        if schema.embedded_resource {
            c.keyed("@meta", |c| embedded_fields(c, schema, &mut object));
        }
        self.properties(c, schema, &mut object);
        match &schema.additional_properties {
            Some(AdditionalProperties::Schema(values)) => {
                self.entries(c, schema, values, &mut object);
            }
            None if schema.is_preserving() => preserved_entries(c, schema, &mut object),
            _ => {}
        }
        object
    }

    fn properties(self, c: &mut Choices, schema: &Schema, object: &mut Map<String, Value>) {
        let least = length(schema.values.min_properties, 0);
        let is_skipped = |name: &str| (schema.embedded_resource || self.skips_meta_fields) && is_meta_field(name);
        let mut left = schema.properties.keys().filter(|name| !object.contains_key(*name)).count();
        for (name, property) in &schema.properties {
            if object.contains_key(name) {
                continue;
            }
            let is_required = schema.values.required.contains(name);
            let must_be_present = is_required && (self.is_complete || property.default.is_none());
            if is_skipped(name) && !must_be_present {
                left -= 1;
                continue;
            }
            // All remaining keys are needed to reach the minimum.
            let is_needed = must_be_present || object.len() + left <= least;
            left -= 1;
            // Two in three: objects have many keys, and each key is often missing.
            if is_present(c, name, is_needed, 2, 3) {
                let value = c.keyed(name, |c| self.below().value(c, property));
                object.insert(name.clone(), value);
            }
        }
    }

    fn entries(self, c: &mut Choices, schema: &Schema, values: &Schema, object: &mut Map<String, Value>) {
        let least = length(schema.values.min_properties, 0).saturating_sub(object.len());
        let most = length(schema.values.max_properties, least.saturating_add(4)).saturating_sub(object.len());
        if most < least {
            c.discard("minProperties above maxProperties");
        }
        c.many_parts("entry", least, most.min(least.saturating_add(4)), |c, _| {
            let name = c.keyed("@name", |c| c.free_name(names::MAP_KEYS, |name| object.contains_key(name)));
            let value = self.below().value(c, values);
            // A null in a map whose values are not nullable is dropped (DEFAULT-003); `value` never draws one.
            object.extend(name.map(|name| (name.to_owned(), value)));
        });
    }

    fn list(self, c: &mut Choices, schema: &Schema) -> Vec<Value> {
        let Some(Items::Each(items)) = &schema.items else {
            return Vec::new();
        };
        let least = length(schema.values.min_items, 0);
        let most = length(schema.values.max_items, least.saturating_add(4)).min(least.saturating_add(4));
        if most < least {
            c.discard("minItems above maxItems");
        }
        let mut elements: Vec<Value> = Vec::new();
        c.many_parts("element", least, most, |c, _| {
            let element = self.below().value(c, items);
            if is_new(schema, items, &elements, &element) {
                elements.push(element);
            }
        });
        if elements.len() < least {
            c.discard("too few different elements");
        }
        elements
    }
}

/// Whether a key is present. Drawn from its own stream, separate from that of the value, so that another part can
/// replace the value.
pub(super) fn is_present(c: &mut Choices, name: &str, must: bool, numerator: u64, denominator: u64) -> bool {
    c.keyed(&format!("{name}?"), |c| c.present(must, numerator, denominator))
}

/// Whether an element may be added: a set has no equal one (VALUE-033), a map list has none with the same keys
/// (VALUE-034), including defaults of keys (STRUCT-030).
fn is_new(schema: &Schema, items: &Schema, elements: &[Value], element: &Value) -> bool {
    match schema.list_type.as_deref() {
        Some("set") => !elements.contains(element),
        Some("map") => {
            let tuple = list_map_key(schema, items, element);
            elements.iter().all(|other| list_map_key(schema, items, other) != tuple)
        }
        _ => true,
    }
}

/// The values of an element's keys, including defaults.
pub(super) fn list_map_key<'a>(schema: &'a Schema, items: &'a Schema, element: &'a Value) -> Vec<Option<&'a Value>> {
    let value_of = |key: &String| {
        let default = || items.properties.get(key).and_then(|property| property.default.as_ref());
        element.get(key).filter(|value| !value.is_null()).or_else(default)
    };
    schema.list_map_keys.iter().map(value_of).collect()
}

/// Draws undeclared keys that a preserving node keeps (PRUNE-008), with any values (PRUNE-010).
fn preserved_entries(c: &mut Choices, schema: &Schema, object: &mut Map<String, Value>) {
    let most = schema.values.max_properties.map_or(3, |_| 0);
    c.many_parts("preserved entry", 0, most, |c, _| {
        let is_taken = |name: &str| {
            object.contains_key(name) || schema.properties.contains_key(name) || is_meta_field(name) || name == "items"
        };
        let name = c.free_name(names::FREE_KEYS, is_taken);
        let value = free::json(c, FREE_DEPTH);
        object.extend(name.map(|name| (name.to_owned(), value)));
    });
}

/// Draws `apiVersion`, `kind` and sometimes `metadata` of an embedded resource (PRUNE-018), in a form that coercion
/// does not change (PRUNE-017).
fn embedded_fields(c: &mut Choices, schema: &Schema, object: &mut Map<String, Value>) {
    object.insert("apiVersion".to_owned(), json!(*c.pick(&["v1", "apps/v1", "example.com/v1beta1"])));
    object.insert("kind".to_owned(), json!(*c.pick(&["Pod", "Deployment", "X"])));
    // The metadata of an embedded resource may have any field of ObjectMeta, declared or not (PRUNE-014).
    if schema.values.required.iter().any(|name| name == "metadata") || c.chance(1, 2) {
        let mut metadata = Map::new();
        if c.chance(1, 2) {
            metadata.insert("name".to_owned(), json!(*c.pick(&["a", "a-b", "a.b"])));
        }
        if c.chance(1, 3) {
            metadata.insert("labels".to_owned(), json!({"l": text::word(c)}));
        }
        if c.chance(1, 6) {
            metadata.insert("annotations".to_owned(), json!({"example.com/a": text::text(c, 0, 8)}));
        }
        object.insert("metadata".to_owned(), Value::Object(metadata));
    }
}
