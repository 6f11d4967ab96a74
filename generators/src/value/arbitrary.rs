//! JSON biased towards a schema: usually accepted, with everything that decoding has to handle.

use crdible_semantics::Schema;
use crdible_semantics::schema::{AdditionalProperties, Items};
use serde_json::{Map, Value, json};

use super::bounds::length;
use super::valid::{FREE_DEPTH, is_present, list_map_key, valid_node};
use super::{boundary, free};
use crate::choice::Choices;
use crate::names::{self, is_meta_field};

/// How often a value is invalid: once in this many places.
#[derive(Debug)]
struct Rates {
    /// A value of any type.
    wrong_kind: u64,
    /// A null. At a declared property it is dropped or replaced by a default (DEFAULT-002, DEFAULT-003), so it may be
    /// frequent.
    null: u64,
    /// A null element: most lists reject it (VALUE-019).
    null_element: u64,
    /// A missing required property.
    missing: u64,
    /// A repeated element of a set or map list.
    repeated: u64,
    /// A scalar at a boundary of its node, valid or not; a list with one element too many or too few.
    boundary: u64,
}

/// Rates of most objects: with about ten nodes each, most of them are still accepted.
const TAME: Rates = Rates { wrong_kind: 90, null: 12, null_element: 80, missing: 60, repeated: 40, boundary: 16 };
/// Rates of objects with many errors. So every keyword gets invalid values, and still few objects are rejected.
const WILD: Rates = Rates { wrong_kind: 7, null: 5, null_element: 6, missing: 4, repeated: 3, boundary: 3 };
/// One object in this many is wild.
const WILD_OBJECTS: u64 = 5;

/// One list or object in this many is empty, even if its node requires more: empty values are where defaulting often
/// has bugs (DEFAULT-001).
const EMPTY: u64 = 16;
/// A meta field of an embedded resource is missing once in this many times; then the whole request fails (PRUNE-017).
const MISSING_META: u64 = 60;
/// One object in this many has unknown keys.
const UNKNOWN_KEYS: u64 = 3;

/// Draws JSON for a root schema (without `apiVersion`, `kind` and `metadata`) or a sub-schema, biased towards the
/// schema's keys and types. Most values are accepted; they have unknown keys, nulls, empty values, and sometimes a
/// wrong type, a missing key or a repeated element.
///
/// Never drawn: values for which upstream's behaviour is an accident (nulls at an `enum`, VALUE-020) or a defect
/// (values of other types at an `enum`, VALUE-018; keys named `items` at the top, REST-013), and integral numbers
/// written as floats.
pub fn arbitrary(c: &mut Choices, schema: &Schema) -> Value {
    let place = Surroundings { is_top: !schema.embedded_resource, ..Surroundings::drawn(c) };
    if schema.type_name == "object" && !schema.nullable {
        // A root is always an object: other JSON is rejected before the schema matters.
        return Value::Object(c.based(|c| object(c, schema, place)));
    }
    c.based(|c| value(c, schema, place))
}

/// Like [`arbitrary`](fn@arbitrary) for a sub-schema in which properties named like meta fields are ordinary
/// properties.
pub fn arbitrary_node(c: &mut Choices, schema: &Schema) -> Value {
    let place = Surroundings::drawn(c);
    c.based(|c| value(c, schema, place))
}

/// What determines the value at a place, apart from its schema.
#[derive(Clone, Copy)]
struct Surroundings {
    rates: &'static Rates,
    is_top: bool,
    is_element: bool,
    is_below_map: bool,
}

impl Surroundings {
    /// The place of a whole value; draws whether it is tame or wild.
    fn drawn(c: &mut Choices) -> Self {
        let rates = if c.chance(1, WILD_OBJECTS) { &WILD } else { &TAME };
        Self { rates, is_top: false, is_element: false, is_below_map: false }
    }
}

fn value(c: &mut Choices, schema: &Schema, place: Surroundings) -> Value {
    let is_listed = !schema.values.enumeration.is_empty();
    if !is_listed {
        let rates = place.rates;
        let rate = if place.is_element { rates.null_element } else { rates.null };
        if c.keyed("@null", |c| c.chance(1, rate)) {
            return Value::Null;
        }
        let at_boundary =
            |c: &mut Choices| if c.chance(1, rates.boundary) { boundary::scalar(c, schema) } else { None };
        if let Some(value) = c.keyed("@beside", at_boundary) {
            return value;
        }
        if c.keyed("@kind", |c| c.chance(1, rates.wrong_kind)) {
            // An object would be coerced as a resource, and a wrong meta field fails the whole request; a list at a
            // format is a defect (VALUE-017).
            let is_shallow = schema.embedded_resource || !schema.values.format.is_empty();
            return free::json(c, if is_shallow { 0 } else { FREE_DEPTH });
        }
    }
    match schema.type_name.as_str() {
        "object" => Value::Object(object(c, schema, place)),
        "array" => Value::Array(list(c, schema, place)),
        _ => valid_node(c, schema),
    }
}

fn object(c: &mut Choices, schema: &Schema, place: Surroundings) -> Map<String, Value> {
    let mut object = Map::new();
    if !place.is_top && !schema.embedded_resource && c.keyed("@empty", |c| c.chance(1, EMPTY)) {
        return object;
    }
    let below = Surroundings { is_top: false, is_element: false, ..place };
    if schema.embedded_resource {
        c.keyed("@meta", |c| embedded_fields(c, schema, place, &mut object));
    }
    for (name, property) in &schema.properties {
        if (place.is_top || schema.embedded_resource) && is_meta_field(name) {
            continue;
        }
        let is_required = schema.values.required.contains(name) && property.default.is_none();
        let is_included = if is_required {
            is_present(c, name, false, place.rates.missing - 1, place.rates.missing)
        } else {
            is_present(c, name, false, 2, 3)
        };
        if is_included {
            let value = c.keyed(name, |c| value(c, property, below));
            object.insert(name.clone(), value);
        }
    }
    if let Some(AdditionalProperties::Schema(values)) = &schema.additional_properties {
        let below = Surroundings { is_below_map: true, ..below };
        c.many_parts("entry", 0, 4, |c, _| {
            let name = c.keyed("@name", |c| {
                let table = if c.chance(1, 3) { names::ODD_MAP_KEYS } else { names::MAP_KEYS };
                c.free_name(table, |name| object.contains_key(name))
            });
            let value = value(c, values, below);
            object.extend(name.map(|name| (name.to_owned(), value)));
        });
    } else {
        c.keyed("@unknown", |c| unknown_keys(c, schema, place, &mut object));
    }
    object
}

fn unknown_keys(c: &mut Choices, schema: &Schema, place: Surroundings, object: &mut Map<String, Value>) {
    if !c.chance(1, UNKNOWN_KEYS) {
        return;
    }
    let has_meta_fields = place.is_top || schema.embedded_resource;
    c.many_parts("unknown key", 1, 3, |c, _| {
        let is_taken = |name: &str| {
            schema.properties.contains_key(name)
                || object.contains_key(name)
                || (has_meta_fields && is_meta_field(name))
                || (place.is_top && name == "items")
        };
        let table = if c.chance(1, 3) { names::ODD_UNKNOWN_KEYS } else { names::UNKNOWN_KEYS };
        let name = c.free_name(table, is_taken);
        let value = free::json(c, FREE_DEPTH);
        object.extend(name.map(|name| (name.to_owned(), value)));
    });
}

fn list(c: &mut Choices, schema: &Schema, place: Surroundings) -> Vec<Value> {
    let Some(Items::Each(items)) = &schema.items else {
        return Vec::new();
    };
    let below = Surroundings { is_top: false, is_element: true, ..place };
    let is_keyed = matches!(schema.list_type.as_deref(), Some("set" | "map"));
    let mut least = length(schema.values.min_items, 0);
    let mut most = length(schema.values.max_items, 4).min(least.saturating_add(4));
    if c.keyed("@beside", |c| c.chance(1, place.rates.boundary)) {
        (least, most) = (least.saturating_sub(1), most.saturating_add(1));
    }
    if c.keyed("@empty", |c| c.chance(1, EMPTY)) {
        return Vec::new();
    }
    let mut elements: Vec<Value> = Vec::new();
    c.many_parts("element", least, most, |c, _| {
        let element = value(c, items, below);
        let is_repeated = match schema.list_type.as_deref() {
            Some("map") => {
                let tuple = list_map_key(schema, items, &element);
                elements.iter().any(|other| list_map_key(schema, items, other) == tuple)
            }
            _ => elements.contains(&element),
        };
        if !is_keyed || !is_repeated || c.chance(1, place.rates.repeated) {
            elements.push(element);
        }
    });
    elements
}

/// Draws the meta fields of an embedded resource: usually valid, because a wrong type fails the whole request
/// (PRUNE-017).
fn embedded_fields(c: &mut Choices, schema: &Schema, place: Surroundings, object: &mut Map<String, Value>) {
    if !c.chance(1, MISSING_META) {
        object.insert("apiVersion".to_owned(), json!(*c.pick(&["v1", "apps/v1"])));
    }
    if !c.chance(1, MISSING_META) {
        object.insert("kind".to_owned(), json!(*c.pick(&["Pod", "X"])));
    }
    let declares_metadata = schema.properties.contains_key("metadata");
    if c.chance(1, 2) {
        let mut metadata = Map::new();
        if c.chance(1, 2) {
            metadata.insert("name".to_owned(), json!("a"));
        }
        // Empty and null fields of ObjectMeta are dropped.
        if c.chance(1, 4) {
            metadata.insert("labels".to_owned(), c.pick(&[json!({"l": "x"}), json!({}), Value::Null]).clone());
        }
        // How a map's key is reported in this case is a quirk (PRUNE-017).
        if !place.is_below_map && !declares_metadata && c.chance(1, 6) {
            metadata.insert("unknown".to_owned(), free::json(c, 1));
        }
        object.insert("metadata".to_owned(), Value::Object(metadata));
    }
}
