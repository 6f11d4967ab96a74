//! Values that a server takes and leaves as they are, apart from defaults that it adds.

use crdible_semantics::Schema;
use crdible_semantics::schema::{AdditionalProperties, Items};
use serde_json::{Map, Value, json};

use super::{free, is_meta_field, scalars};
use crate::{choice::Choices, names, text};

/// The content of an object for a root schema (without `apiVersion`, `kind` and `metadata`), or a value for a sub-schema.
///
/// It is accepted, and nothing of it is pruned, dropped or rewritten. All keywords that schemas of [`crate::schema`] use are
/// honoured, whether they are made for serving or not, but for quantifiers that do not hold for every value of their node; a
/// case that cannot be made is discarded. Optional meta fields at the top are left out: a root and a sub-schema look alike, see [`valid_node`].
pub fn valid(c: &mut Choices, schema: &Schema) -> Value {
    let filler = Filler { is_complete: false, skips_meta_fields: !schema.embedded_resource };
    c.based(|c| filler.value(c, schema))
}

/// A value for a sub-schema, in which properties named like meta fields are properties like others (STRUCT-021).
pub fn valid_node(c: &mut Choices, schema: &Schema) -> Value {
    c.based(|c| Filler { is_complete: false, skips_meta_fields: false }.value(c, schema))
}

/// A value that is valid as written, without the help of defaults: what a default must be (CRDVAL-053).
pub(crate) fn complete(c: &mut Choices, schema: &Schema) -> Value {
    c.based(|c| Filler { is_complete: true, skips_meta_fields: false }.value(c, schema))
}

/// How deep free JSON goes: two levels show whether the inner one is treated like the outer one.
pub(super) const FREE_DEPTH: usize = 2;

#[derive(Clone, Copy)]
struct Filler {
    /// Required properties are there even if they have a default.
    is_complete: bool,
    /// The properties `apiVersion`, `kind`, `metadata` of this node are left out where they may be.
    skips_meta_fields: bool,
}

impl Filler {
    fn value(self, c: &mut Choices, schema: &Schema) -> Value {
        // One in five: nulls at nullable nodes are rare enough by themselves.
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
        let least = scalars::length(schema.values.min_properties, 0);
        let is_skipped = |name: &str| (schema.embedded_resource || self.skips_meta_fields) && is_meta_field(name);
        let mut left = schema.properties.keys().filter(|name| !object.contains_key(*name)).count();
        for (name, property) in &schema.properties {
            if object.contains_key(name) {
                continue;
            }
            let is_required = schema.values.required.contains(name);
            let is_demanded = is_required && (self.is_complete || property.default.is_none());
            if is_skipped(name) && !is_demanded {
                left -= 1;
                continue;
            }
            // Every key that is left is needed to reach the least number.
            let is_needed = is_demanded || object.len() + left <= least;
            left -= 1;
            // Two of three: objects with many keys, and each key missing often.
            if is_present(c, name, is_needed, 2, 3) {
                let value = c.keyed(name, |c| self.below().value(c, property));
                object.insert(name.clone(), value);
            }
        }
    }

    fn entries(self, c: &mut Choices, schema: &Schema, values: &Schema, object: &mut Map<String, Value>) {
        let least = scalars::length(schema.values.min_properties, 0).saturating_sub(object.len());
        let most = scalars::length(schema.values.max_properties, least.saturating_add(4)).saturating_sub(object.len());
        if most < least {
            c.discard("minProperties above maxProperties");
        }
        c.many_parts("entry", least, most.min(least.saturating_add(4)), |c, _| {
            let name = c.keyed("@name", |c| c.free_name(names::MAP_KEYS, |name| object.contains_key(name)));
            let value = self.below().value(c, values);
            // A null at a key of a map that is not nullable is dropped (DEFAULT-003); `value` makes none.
            if let Some(name) = name {
                object.insert(name.to_owned(), value);
            }
        });
    }

    fn list(self, c: &mut Choices, schema: &Schema) -> Vec<Value> {
        let Some(Items::Each(items)) = &schema.items else {
            return Vec::new();
        };
        let least = scalars::length(schema.values.min_items, 0);
        let most = scalars::length(schema.values.max_items, least.saturating_add(4)).min(least.saturating_add(4));
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

/// Whether a key is there: a stream of its own beside the one of the value, so that a value can take another's place.
pub(super) fn is_present(c: &mut Choices, name: &str, must: bool, numerator: u64, denominator: u64) -> bool {
    c.keyed(&format!("{name}?"), |c| c.present(must, numerator, denominator))
}

/// Whether an element may join the others: in a set no equal one is there (VALUE-033), in a map list none with the same keys
/// (VALUE-034), defaults of keys counted (STRUCT-030).
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

/// The values of an element's keys, defaults filled in.
pub(super) fn list_map_key<'a>(schema: &'a Schema, items: &'a Schema, element: &'a Value) -> Vec<Option<&'a Value>> {
    let value_of = |key: &String| {
        let default = || items.properties.get(key).and_then(|property| property.default.as_ref());
        element.get(key).filter(|value| !value.is_null()).or_else(default)
    };
    schema.list_map_keys.iter().map(value_of).collect()
}

/// Keys that a preserving node keeps though nobody declared them (PRUNE-008), with any value (PRUNE-010).
fn preserved_entries(c: &mut Choices, schema: &Schema, object: &mut Map<String, Value>) {
    let most = schema.values.max_properties.map_or(3, |_| 0);
    c.many_parts("preserved entry", 0, most, |c, _| {
        let is_taken = |name: &str| {
            object.contains_key(name) || schema.properties.contains_key(name) || is_meta_field(name) || name == "items"
        };
        let name = c.free_name(names::FREE_KEYS, is_taken);
        let value = free::json(c, FREE_DEPTH);
        if let Some(name) = name {
            object.insert(name.to_owned(), value);
        }
    });
}

/// `apiVersion`, `kind` and perhaps `metadata` of an embedded resource (PRUNE-018), in the form that coercion leaves as it is
/// (PRUNE-017).
fn embedded_fields(c: &mut Choices, schema: &Schema, object: &mut Map<String, Value>) {
    object.insert("apiVersion".to_owned(), json!(*c.pick(&["v1", "apps/v1", "example.com/v1beta1"])));
    object.insert("kind".to_owned(), json!(*c.pick(&["Pod", "Deployment", "X"])));
    // The metadata of an embedded resource may hold anything of ObjectMeta, declared or not (PRUNE-014).
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
