//! Values that break exactly one keyword at one leaf (INV-034).

use crdible_semantics::schema::Items;
use crdible_semantics::{Format, Pattern, Reason, Schema, validate::strings::enforced_format};
use serde_json::{Value, json};

use super::scalars::{self, length};
use super::{is_meta_field, valid};
use crate::choice::Choices;
use crate::edit::{Place, places};
use crate::{format, pattern};

/// A value that is valid but for one leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenValue {
    /// The value.
    pub value: Value,
    /// The field of the one cause (VALUE head).
    pub field: String,
    /// The reason of the one cause.
    pub reason: Reason,
    /// The requirement whose keyword is broken.
    pub requirement: &'static str,
}

/// One way to break one place.
struct Break {
    pointer: String,
    field: String,
    reason: Reason,
    requirement: &'static str,
    change: Change,
}

enum Change {
    Replace(Value),
    Remove(String),
    /// Repeats the last element of a list, or the value of the last key of a map under new keys, until there are so many.
    Extend(usize),
    /// Leaves so many elements or keys.
    Cut(usize),
    /// Puts a text there that the pattern just misses.
    Miss(Pattern),
    /// Puts a text there that just does not have the format.
    Unformat(Format),
}

/// A valid value in which one leaf is changed so that it breaks one keyword, with the one cause that this has. `None` if
/// the drawn value offers nothing to break.
///
/// Left alone is what would have a second cause or one at `<nil>`: nodes with an enumeration of another kind's values, below
/// quantifiers, keys and elements of map lists, and meta fields of embedded resources.
pub fn broken(c: &mut Choices, schema: &Schema) -> Option<BrokenValue> {
    let mut value = valid(c, schema);
    let breaks = breaks(schema, &value);
    if breaks.is_empty() {
        return None;
    }
    let chosen = c.span("breakage", |c| {
        let index = usize::try_from(c.draw(breaks.len() as u64 - 1)).unwrap_or(0);
        breaks.into_iter().nth(index)
    })?;
    c.reached(chosen.requirement);
    let change = match chosen.change {
        Change::Miss(pattern) => Change::Replace(json!(pattern::near_miss(c, &pattern)?)),
        Change::Unformat(format) => Change::Replace(json!(format::broken(c, format)?)),
        change => change,
    };
    apply(&change, value.pointer_mut(&chosen.pointer)?);
    Some(BrokenValue { value, field: chosen.field, reason: chosen.reason, requirement: chosen.requirement })
}

fn apply(change: &Change, target: &mut Value) {
    match (change, target) {
        (Change::Replace(value), target) => *target = value.clone(),
        (Change::Remove(name), Value::Object(object)) => {
            object.remove(name);
        }
        (Change::Extend(count), Value::Array(elements)) => {
            let last = elements.last().cloned().unwrap_or(Value::Null);
            elements.resize(*count, last);
        }
        (Change::Cut(count), Value::Array(elements)) => elements.truncate(*count),
        (Change::Extend(count), Value::Object(object)) => {
            let last = object.values().next_back().cloned().unwrap_or(Value::Null);
            let mut index = 0;
            while object.len() < *count {
                object.insert(format!("more-{index}"), last.clone());
                index += 1;
            }
        }
        (Change::Cut(count), Value::Object(object)) => {
            while object.len() > *count {
                let Some(key) = object.keys().next_back().cloned() else {
                    return;
                };
                object.remove(&key);
            }
        }
        _ => {}
    }
}

/// Everything that can be broken with exactly one cause.
fn breaks(schema: &Schema, value: &Value) -> Vec<Break> {
    let places = places(schema, value);
    let has_quantifier = |node: &Schema| {
        !node.all_of.is_empty() || !node.any_of.is_empty() || !node.one_of.is_empty() || node.not.is_some()
    };
    // Whatever lies at or below one of these has other causes besides.
    let closed: Vec<String> = places
        .iter()
        .filter(|place| {
            has_quantifier(place.schema) || matches!(place.schema.list_type.as_deref(), Some("set" | "map"))
        })
        .map(|place| place.pointer.clone())
        .collect();
    let is_closed = |pointer: &str| {
        closed.iter().any(|around| {
            pointer.strip_prefix(around.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    let mut found = Vec::new();
    for place in &places {
        if is_closed(&place.pointer) || is_embedded_meta(&places, place) {
            continue;
        }
        if place.pointer.is_empty() {
            // The root is an object always.
            required(place, &mut found);
            continue;
        }
        type_of(place, &mut found);
        match place.value {
            Value::Object(_) => {
                required(place, &mut found);
                property_counts(place, &mut found);
            }
            Value::Array(elements) => item_counts(place, elements, &mut found),
            Value::String(text) => {
                listed(place, json!(format!("no {text}")), &mut found);
                lengths(place, &mut found);
                judged(place, &mut found);
            }
            Value::Number(_) => {
                bounds(place, &mut found);
            }
            _ => {}
        }
    }
    found
}

/// Whether a place is a meta field of an embedded resource, or below its metadata: those fail in coercion (PRUNE-017).
fn is_embedded_meta(places: &[Place<'_, '_>], place: &Place<'_, '_>) -> bool {
    places.iter().filter(|around| around.schema.embedded_resource).any(|around| {
        place
            .pointer
            .strip_prefix(&around.pointer)
            .and_then(|rest| rest.strip_prefix('/'))
            .is_some_and(|rest| is_meta_field(rest.split('/').next().unwrap_or(rest)))
    })
}

fn push(found: &mut Vec<Break>, place: &Place<'_, '_>, reason: Reason, requirement: &'static str, change: Change) {
    found.push(Break { pointer: place.pointer.clone(), field: place.field.clone(), reason, requirement, change });
}

/// Another kind, of which no keyword of the node says anything.
fn type_of(place: &Place<'_, '_>, found: &mut Vec<Break>) {
    let node = place.schema;
    let is_typed = !node.type_name.is_empty() || node.int_or_string;
    if !is_typed || !node.values.enumeration.is_empty() {
        return;
    }
    let other = if node.type_name == "boolean" { json!("true") } else { json!(true) };
    let requirement = if node.int_or_string { "VALUE-006" } else { "VALUE-001" };
    push(found, place, Reason::TypeInvalid, requirement, Change::Replace(other));
    let has_default = node.default.is_some();
    if place.is_element && !node.nullable && !has_default {
        push(found, place, Reason::TypeInvalid, "VALUE-019", Change::Replace(Value::Null));
    }
}

fn listed(place: &Place<'_, '_>, other: Value, found: &mut Vec<Break>) {
    let listed = &place.schema.values.enumeration;
    if !listed.is_empty() && !listed.contains(&other) {
        push(found, place, Reason::NotSupported, "VALUE-018", Change::Replace(other));
    }
}

fn required(place: &Place<'_, '_>, found: &mut Vec<Break>) {
    let values = &place.schema.values;
    let Some(object) = place.value.as_object() else {
        return;
    };
    if object.len() <= length(values.min_properties, 0) {
        return;
    }
    for name in &values.required {
        let has_default = place.schema.properties.get(name).is_none_or(|property| property.default.is_some());
        let is_given = place.pointer.is_empty() || place.schema.embedded_resource;
        if has_default || !object.contains_key(name) || (is_given && is_meta_field(name)) {
            continue;
        }
        found.push(Break {
            pointer: place.pointer.clone(),
            field: if place.field.is_empty() { name.clone() } else { format!("{}.{name}", place.field) },
            reason: Reason::Required,
            requirement: "VALUE-021",
            change: Change::Remove(name.clone()),
        });
    }
}

fn lengths(place: &Place<'_, '_>, found: &mut Vec<Break>) {
    let values = &place.schema.values;
    if !values.enumeration.is_empty() || !values.format.is_empty() || !values.pattern.is_empty() {
        return;
    }
    if let Some(most) = values.max_length {
        let text = "b".repeat(length(Some(most), 0) + 1);
        push(found, place, Reason::TooLong, "VALUE-011", Change::Replace(json!(text)));
    }
    if let Some(least) = values.min_length.filter(|&least| least > 0) {
        let text = "b".repeat(length(Some(least), 1) - 1);
        push(found, place, Reason::Invalid, "VALUE-011", Change::Replace(json!(text)));
    }
}

/// A pattern and a format are missed in many ways, so each counts as several breaks; a wrong type is one for every node.
const WAYS_TO_MISS: usize = 5;

/// Pattern or format, where nothing else looks at the text.
fn judged(place: &Place<'_, '_>, found: &mut Vec<Break>) {
    let values = &place.schema.values;
    if !values.enumeration.is_empty() || values.min_length.is_some() || values.max_length.is_some() {
        return;
    }
    for _ in 0..WAYS_TO_MISS {
        match (values.pattern.compiled(), enforced_format(place.schema)) {
            (Ok(Some(pattern)), None) => {
                push(found, place, Reason::Invalid, "VALUE-012", Change::Miss(pattern.clone()));
            }
            // Every text is a password.
            (Ok(None), Some(format)) if format != Format::Password => {
                push(found, place, Reason::TypeInvalid, "VALUE-014", Change::Unformat(format));
            }
            _ => {}
        }
    }
}

fn bounds(place: &Place<'_, '_>, found: &mut Vec<Break>) {
    let values = &place.schema.values;
    // A number of another kind matches an enumeration of integers upstream (a defect of VALUE-018): another integer does not.
    if let Some(other) = values.enumeration.iter().filter_map(Value::as_i64).max().and_then(|most| most.checked_add(1))
    {
        listed(place, json!(other), found);
        return;
    }
    if values.format == "int32" {
        return;
    }
    if let Some(step) = values.multiple_of.map(scalars::whole).filter(|&step| step > 1) {
        if values.minimum.is_none() && values.maximum.is_none() {
            push(found, place, Reason::Invalid, "VALUE-010", Change::Replace(json!(step + 1)));
        }
        return;
    }
    let (low, high) = scalars::range(place.schema);
    if values.minimum.is_some() {
        push(found, place, Reason::Invalid, "VALUE-007", Change::Replace(json!(low - 1)));
    }
    if values.maximum.is_some() {
        push(found, place, Reason::Invalid, "VALUE-007", Change::Replace(json!(high + 1)));
    }
}

fn item_counts(place: &Place<'_, '_>, elements: &[Value], found: &mut Vec<Break>) {
    let values = &place.schema.values;
    let least = length(values.min_items, 0);
    if least > 0 {
        push(found, place, Reason::Invalid, "VALUE-024", Change::Cut(least - 1));
    }
    let is_single = matches!(place.schema.items, Some(Items::Each(_)));
    if let Some(most) = values.max_items
        && is_single
        && !elements.is_empty()
    {
        push(found, place, Reason::TooMany, "VALUE-024", Change::Extend(length(Some(most), 0) + 1));
    }
}

fn property_counts(place: &Place<'_, '_>, found: &mut Vec<Break>) {
    let values = &place.schema.values;
    // Only maps: the keys of other objects are declared, and defaults bring them back.
    let Some(object) = place.value.as_object().filter(|_| place.schema.value_schema().is_some()) else {
        return;
    };
    let least = length(values.min_properties, 0);
    if least > 0 {
        push(found, place, Reason::Invalid, "VALUE-022", Change::Cut(least - 1));
    }
    if let Some(most) = values.max_properties
        && !object.is_empty()
    {
        push(found, place, Reason::TooMany, "VALUE-022", Change::Extend(length(Some(most), 0) + 1));
    }
}
