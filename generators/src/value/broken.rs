//! Values that violate exactly one keyword at one place (INV-034).

use crdible_semantics::schema::Items;
use crdible_semantics::{Cause, Format, Pattern, Reason, Release, Schema, validate::strings::enforced_format};
use serde_json::{Value, json};

use super::bounds::{length, range, whole};
use super::valid;
use crate::choice::Choices;
use crate::walk::{Place, places};
use crate::{format, names::is_meta_field, pattern};

/// A value that is valid except at one place.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenValue {
    /// The value.
    pub value: Value,
    /// The only cause (VALUE head).
    pub cause: Cause,
    /// The requirement of the violated keyword.
    pub requirement: &'static str,
}

/// A way to make one place invalid.
struct Break {
    pointer: String,
    cause: Cause,
    requirement: &'static str,
    change: Breakage,
}

enum Breakage {
    Replace(Value),
    Remove(String),
    /// Repeats the last element of a list, or the value of the last key of a map under new keys, up to this number.
    Extend(usize),
    /// Truncates to this number of elements or keys.
    Cut(usize),
    /// Replaces the value by a string that just misses the pattern.
    Miss(Pattern),
    /// Replaces the value by a string that just misses the format.
    Unformat(Format),
}

/// Draws a valid value and changes one place so that it violates one keyword. Returns it with its only cause; `None` if
/// the drawn value has no place to change.
///
/// Places that would have a second cause, or one at `<nil>`, are skipped: nodes with an enumeration of another type's
/// values, places below quantifiers, keys and elements of map lists, and meta fields of embedded resources.
pub fn broken(c: &mut Choices, schema: &Schema) -> Option<BrokenValue> {
    let mut value = valid(c, schema);
    let breaks = breaks(c.release(), schema, &value);
    if breaks.is_empty() {
        return None;
    }
    let chosen = c.span("breakage", |c| {
        let index = c.index(breaks.len());
        breaks.into_iter().nth(index)
    })?;
    c.reached(chosen.requirement);
    let change = match chosen.change {
        Breakage::Miss(pattern) => Breakage::Replace(json!(pattern::near_miss(c, &pattern)?)),
        Breakage::Unformat(format) => Breakage::Replace(json!(format::broken(c, format)?)),
        change => change,
    };
    apply(&change, value.pointer_mut(&chosen.pointer)?);
    Some(BrokenValue { value, cause: chosen.cause, requirement: chosen.requirement })
}

fn apply(change: &Breakage, target: &mut Value) {
    match (change, target) {
        (Breakage::Replace(value), target) => *target = value.clone(),
        (Breakage::Remove(name), Value::Object(object)) => {
            object.remove(name);
        }
        (Breakage::Extend(count), Value::Array(elements)) => {
            let last = elements.last().cloned().unwrap_or(Value::Null);
            elements.resize(*count, last);
        }
        (Breakage::Cut(count), Value::Array(elements)) => elements.truncate(*count),
        (Breakage::Extend(count), Value::Object(object)) => {
            let last = object.values().next_back().cloned().unwrap_or(Value::Null);
            let mut index = 0;
            while object.len() < *count {
                object.insert(format!("more-{index}"), last.clone());
                index += 1;
            }
        }
        (Breakage::Cut(count), Value::Object(object)) => {
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

/// All ways to break the value with exactly one cause.
fn breaks(release: Release, schema: &Schema, value: &Value) -> Vec<Break> {
    let places = places(schema, value);
    let has_quantifier = |node: &Schema| {
        !node.all_of.is_empty() || !node.any_of.is_empty() || !node.one_of.is_empty() || node.not.is_some()
    };
    // Places at or below one of these have further causes.
    let excluded: Vec<String> = places
        .iter()
        .filter(|place| {
            has_quantifier(place.schema) || matches!(place.schema.list_type.as_deref(), Some("set" | "map"))
        })
        .map(|place| place.pointer.clone())
        .collect();
    let is_excluded = |pointer: &str| {
        excluded.iter().any(|around| {
            pointer.strip_prefix(around.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    let mut found = Vec::new();
    for place in &places {
        if is_excluded(&place.pointer) || is_embedded_meta(&places, place) {
            continue;
        }
        if place.pointer.is_empty() {
            // The root is always an object.
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
                pattern_and_format(release, place, &mut found);
            }
            Value::Number(_) => {
                bounds(place, &mut found);
            }
            _ => {}
        }
    }
    found
}

/// Whether a place is a meta field of an embedded resource or below its metadata: errors there are errors of coercion
/// (PRUNE-017).
fn is_embedded_meta(places: &[Place<'_, '_>], place: &Place<'_, '_>) -> bool {
    places.iter().filter(|around| around.schema.embedded_resource).any(|around| {
        place
            .pointer
            .strip_prefix(&around.pointer)
            .and_then(|rest| rest.strip_prefix('/'))
            .is_some_and(|rest| is_meta_field(rest.split('/').next().unwrap_or(rest)))
    })
}

fn push(found: &mut Vec<Break>, place: &Place<'_, '_>, reason: Reason, requirement: &'static str, change: Breakage) {
    let cause = Cause::new(place.field.clone(), reason);
    found.push(Break { pointer: place.pointer.clone(), cause, requirement, change });
}

/// A value of another type, to which no other keyword of the node applies.
fn type_of(place: &Place<'_, '_>, found: &mut Vec<Break>) {
    let node = place.schema;
    let is_typed = !node.type_name.is_empty() || node.int_or_string;
    if !is_typed || !node.values.enumeration.is_empty() {
        return;
    }
    let other = if node.type_name == "boolean" { json!("true") } else { json!(true) };
    let requirement = if node.int_or_string { "VALUE-006" } else { "VALUE-001" };
    push(found, place, Reason::TypeInvalid, requirement, Breakage::Replace(other));
    let has_default = node.default.is_some();
    if place.is_element && !node.nullable && !has_default {
        push(found, place, Reason::TypeInvalid, "VALUE-019", Breakage::Replace(Value::Null));
    }
}

fn listed(place: &Place<'_, '_>, other: Value, found: &mut Vec<Break>) {
    let listed = &place.schema.values.enumeration;
    if !listed.is_empty() && !listed.contains(&other) {
        push(found, place, Reason::NotSupported, "VALUE-018", Breakage::Replace(other));
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
        let has_meta_fields = place.pointer.is_empty() || place.schema.embedded_resource;
        if has_default || !object.contains_key(name) || (has_meta_fields && is_meta_field(name)) {
            continue;
        }
        let field = if place.field.is_empty() { name.clone() } else { format!("{}.{name}", place.field) };
        found.push(Break {
            pointer: place.pointer.clone(),
            cause: Cause::new(field, Reason::Required),
            requirement: "VALUE-021",
            change: Breakage::Remove(name.clone()),
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
        push(found, place, Reason::TooLong, "VALUE-011", Breakage::Replace(json!(text)));
    }
    if let Some(least) = values.min_length.filter(|&least| least > 0) {
        let text = "b".repeat(length(Some(least), 1) - 1);
        push(found, place, Reason::Invalid, "VALUE-011", Breakage::Replace(json!(text)));
    }
}

/// The weight of a pattern or a format, because there are many ways to miss it. All other ways weigh one.
const WAYS_TO_MISS: usize = 5;

/// Pattern or format, if no other keyword applies to the string.
fn pattern_and_format(release: Release, place: &Place<'_, '_>, found: &mut Vec<Break>) {
    let values = &place.schema.values;
    if !values.enumeration.is_empty() || values.min_length.is_some() || values.max_length.is_some() {
        return;
    }
    for _ in 0..WAYS_TO_MISS {
        match (values.pattern.compiled(), enforced_format(release, place.schema)) {
            (Ok(Some(pattern)), None) => {
                push(found, place, Reason::Invalid, "VALUE-012", Breakage::Miss(pattern.clone()));
            }
            // Every string is a valid password.
            (Ok(None), Some(format)) if format != Format::Password => {
                push(found, place, Reason::TypeInvalid, "VALUE-014", Breakage::Unformat(format));
            }
            _ => {}
        }
    }
}

fn bounds(place: &Place<'_, '_>, found: &mut Vec<Break>) {
    let values = &place.schema.values;
    // Upstream, a number of another type matches an enumeration of integers (a defect of VALUE-018), so use another
    // integer.
    if let Some(other) = values.enumeration.iter().filter_map(Value::as_i64).max().and_then(|most| most.checked_add(1))
    {
        listed(place, json!(other), found);
        return;
    }
    if values.format == "int32" {
        return;
    }
    if let Some(step) = values.multiple_of.map(whole).filter(|&step| step > 1) {
        if values.minimum.is_none() && values.maximum.is_none() {
            push(found, place, Reason::Invalid, "VALUE-010", Breakage::Replace(json!(step + 1)));
        }
        return;
    }
    let (low, high) = range(place.schema);
    if values.minimum.is_some() {
        push(found, place, Reason::Invalid, "VALUE-007", Breakage::Replace(json!(low - 1)));
    }
    if values.maximum.is_some() {
        push(found, place, Reason::Invalid, "VALUE-007", Breakage::Replace(json!(high + 1)));
    }
}

fn item_counts(place: &Place<'_, '_>, elements: &[Value], found: &mut Vec<Break>) {
    let values = &place.schema.values;
    let least = length(values.min_items, 0);
    if least > 0 {
        push(found, place, Reason::Invalid, "VALUE-024", Breakage::Cut(least - 1));
    }
    let is_single = matches!(place.schema.items, Some(Items::Each(_)));
    if let Some(most) = values.max_items
        && is_single
        && !elements.is_empty()
    {
        push(found, place, Reason::TooMany, "VALUE-024", Breakage::Extend(length(Some(most), 0) + 1));
    }
}

fn property_counts(place: &Place<'_, '_>, found: &mut Vec<Break>) {
    let values = &place.schema.values;
    // Only maps: keys of other objects are declared, and defaults add them again.
    let Some(object) = place.value.as_object().filter(|_| place.schema.value_schema().is_some()) else {
        return;
    };
    let least = length(values.min_properties, 0);
    if least > 0 {
        push(found, place, Reason::Invalid, "VALUE-022", Breakage::Cut(least - 1));
    }
    if let Some(most) = values.max_properties
        && !object.is_empty()
    {
        push(found, place, Reason::TooMany, "VALUE-022", Breakage::Extend(length(Some(most), 0) + 1));
    }
}
