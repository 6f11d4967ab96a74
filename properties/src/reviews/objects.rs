//! Objects that a server could send to a converter.

use crdible_generators::{number::EXACT, value};
use crdible_scenario::{Contract, ContractVersion, reviews};
use crdible_semantics::{Schema, Semantics, pointer::push};
use serde_json::Map;

use super::{
    disguises::{disguise, text},
    nodes::{items_of, values_of},
};
use crate::prelude::*;

/// At most this many contents are tried: quantifiers of users' schemas do not hold for every value.
const ATTEMPTS: usize = 4;

/// Draws an object of a version as it is stored: valid, with defaults, and with all that a server sets in metadata.
/// Objects with different numbers are different ones. If no valid object is found, the case is discarded.
pub(super) fn object(c: &mut Choices, contract: &Contract, version: &ContractVersion, number: usize) -> Value {
    let content = content(c, &version.schema);
    let metadata = c.part("metadata", |c| metadata(c, contract, version, number));
    let head = json!({
        "apiVersion": contract.api_version(&version.name), "kind": contract.kind, "metadata": metadata,
    });
    reviews::with_content(&head, &content)
}

/// Draws the content of a stored object.
pub(super) fn content(c: &mut Choices, schema: &Schema) -> Value {
    for attempt in 0..ATTEMPTS {
        let mut content = c.keyed(&format!("content {attempt}"), |c| value::valid(c, schema));
        if !content.is_object() {
            content = json!({});
        }
        Semantics::UPSTREAM.apply_defaults(&mut content, schema);
        tame(&mut content, schema);
        if !is_valid(&content, schema) {
            continue;
        }
        // Converters that cut off what is long are found by nothing else.
        if c.keyed("@long?", |c| c.chance(1, 5)) {
            c.keyed("@long", |c| lengthen(c, &mut content, schema));
            return content;
        }
        // Zeros, empty values and texts that look like another type are what converters lose, and too rare
        // by themselves.
        if c.keyed("@hollow?", |c| c.chance(1, 2)) {
            let mut hollow = content.clone();
            c.keyed("@hollow", |c| empty_some(c, &mut hollow, schema));
            if is_valid(&hollow, schema) {
                content = hollow;
            }
        }
        // And so are texts that are read or written otherwise than they are.
        if c.keyed("@disguised?", |c| c.chance(1, 2)) {
            let mut disguised = content.clone();
            c.keyed("@disguised", |c| disguise(c, &mut disguised, Some(schema)));
            if is_valid(&disguised, schema) {
                content = disguised;
            }
        }
        return content;
    }
    c.discard("no valid object was found");
    json!({})
}

/// Replaces what a right converter may fail at: numbers that no float64 holds, and times that few libraries read.
pub(super) fn tame(value: &mut Value, schema: &Schema) {
    each(value, schema, &mut |value, schema| {
        round(value, schema);
        retime(value, schema, usual);
    });
}

/// Calls a function with each value below a node that has a schema, and with its schema.
fn each(value: &mut Value, schema: &Schema, change: &mut impl FnMut(&mut Value, &Schema)) {
    change(value, schema);
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                if let Some(schema) = schema.properties.get(key).or(values_of(schema)) {
                    each(value, schema, change);
                }
            }
        }
        Value::Array(elements) => {
            elements
                .iter_mut()
                .filter_map(|element| Some((element, items_of(schema)?)))
                .for_each(|(element, schema)| each(element, schema, change));
        }
        _ => {}
    }
}

/// Replaces an integer at a node of any number that no float64 holds, if that is valid: a converter may use one there.
fn round(value: &mut Value, schema: &Schema) {
    let integer = value.as_i64().filter(|integer| integer.abs_diff(0) > EXACT.unsigned_abs());
    let rounded = integer.filter(|_| schema.type_name == "number").map(|integer| json!(integer % EXACT));
    if let Some(rounded) = rounded.filter(|rounded| Semantics::UPSTREAM.value_violations(rounded, schema).is_empty()) {
        *value = rounded;
    }
}

/// Writes a time in another form, if it is valid then.
fn retime(value: &mut Value, schema: &Schema, form: fn(&str) -> String) {
    let Some(time) = value.as_str().filter(|_| is_time(schema)) else { return };
    let other = json!(form(time));
    if Semantics::UPSTREAM.value_violations(&other, schema).is_empty() {
        *value = other;
    }
}

/// A time as most libraries read it. The format admits others, too (VALUE-045), which is a recommendation of its
/// own (CONV-045).
fn usual(time: &str) -> String {
    let upper = time.to_uppercase();
    // Between these all libraries have a time, and none is their zero.
    let [first, last] = ["1980-01-01T00:00:00Z", "2100-01-01T00:00:00Z"].map(str::parse::<jiff::Timestamp>);
    let is_usual = match (upper.parse::<jiff::Timestamp>(), first, last) {
        (Ok(time), Ok(first), Ok(last)) => (first..last).contains(&time),
        _ => false,
    };
    if is_usual { upper } else { "2001-01-01T00:00:00Z".to_owned() }
}

fn is_time(schema: &Schema) -> bool {
    matches!(schema.values.format.as_str(), "date-time" | "datetime")
}

/// Draws an object whose times are in small letters, which the format admits; none if it has no time.
pub(super) fn object_with_odd_times(c: &mut Choices, contract: &Contract, version: &ContractVersion) -> Value {
    let usual = object(c, contract, version, 0);
    let mut odd = usual.clone();
    each(&mut odd, &version.schema, &mut |value, schema| retime(value, schema, str::to_lowercase));
    if odd == usual {
        c.discard("the object has no time");
    }
    odd
}

/// Whether a schema has a node for times.
pub(super) fn has_times(schema: &Schema) -> bool {
    is_time(schema)
        || schema.properties.values().any(has_times)
        || values_of(schema).is_some_and(has_times)
        || items_of(schema).is_some_and(has_times)
}

fn is_valid(content: &Value, schema: &Schema) -> bool {
    Semantics::UPSTREAM.object_violations(content, schema, None).is_empty()
}

/// Makes some values below a node empty, or texts that look like another type, if they are valid then.
fn empty_some(c: &mut Choices, value: &mut Value, schema: &Schema) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                if let Some(schema) = schema.properties.get(key).or(values_of(schema)) {
                    c.keyed(key, |c| empty_or_below(c, value, schema));
                }
            }
        }
        Value::Array(elements) => {
            for (at, element) in elements.iter_mut().enumerate() {
                if let Some(schema) = items_of(schema) {
                    c.keyed(&at.to_string(), |c| empty_or_below(c, element, schema));
                }
            }
        }
        _ => {}
    }
}

fn empty_or_below(c: &mut Choices, value: &mut Value, schema: &Schema) {
    let empty = match value {
        Value::Null => Value::Null,
        Value::Bool(_) => json!(false),
        Value::Number(_) => json!(0),
        Value::String(_) if c.chance(1, 2) => json!(text(c)),
        Value::String(_) => json!(""),
        Value::Array(_) => json!([]),
        Value::Object(_) => json!({}),
    };
    if c.chance(1, 3) && Semantics::UPSTREAM.value_violations(&empty, schema).is_empty() {
        *value = empty;
    } else {
        empty_some(c, value, schema);
    }
}

/// Makes all texts, all lists or all maps below a node long, or one of these very long, as far as that is valid.
fn lengthen(c: &mut Choices, content: &mut Value, schema: &Schema) {
    let mut places = Vec::new();
    long_places(content, schema, &mut String::new(), &mut places);
    let kind = c.draw(3);
    if kind == 3 && !places.is_empty() {
        places = vec![c.pick(&places).clone()];
    }
    let (characters, count) = if kind == 3 { (70_000, 1000) } else { (360, 60) };
    for place in places {
        let Some(value) = content.pointer_mut(&place) else { continue };
        let before = value.clone();
        match value {
            Value::String(text) if matches!(kind, 0 | 3) => *text = "a long text ".repeat(characters / 12),
            Value::Array(elements) if matches!(kind, 1 | 3) => {
                *elements = elements.iter().cloned().cycle().take(count).collect();
            }
            Value::Object(entries) if matches!(kind, 2 | 3) => {
                if let Some(value) = entries.values().next().cloned() {
                    entries.extend((0..count).map(|number| (format!("key-{number}"), value.clone())));
                }
            }
            _ => continue,
        }
        if !is_valid(content, schema)
            && let Some(value) = content.pointer_mut(&place)
        {
            *value = before;
        }
    }
}

/// The pointers of texts, lists that are not empty, and maps that are not empty.
fn long_places(value: &Value, schema: &Schema, pointer: &mut String, places: &mut Vec<String>) {
    let length = pointer.len();
    match value {
        Value::String(_) if schema.values.format.is_empty() && schema.values.enumeration.is_empty() => {
            places.push(pointer.clone());
        }
        Value::Array(elements) => {
            if !elements.is_empty() && schema.list_type.as_deref().is_none_or(|kind| kind == "atomic") {
                places.push(pointer.clone());
            }
            let keys = &schema.list_map_keys;
            for (at, element) in elements.iter().enumerate() {
                if let Some(schema) = items_of(schema) {
                    push(pointer, &at.to_string());
                    long_places(element, schema, pointer, places);
                    let element = pointer.len();
                    // A key may become that of a map in another version. Parsers limit those, to 50,000 in Java's.
                    for key in keys {
                        push(pointer, key);
                        places.retain(|place| place != pointer);
                        pointer.truncate(element);
                    }
                    pointer.truncate(length);
                }
            }
        }
        Value::Object(fields) => {
            if !fields.is_empty() && values_of(schema).is_some() {
                places.push(pointer.clone());
            }
            for (key, value) in fields {
                if let Some(schema) = schema.properties.get(key).or(values_of(schema)) {
                    push(pointer, key);
                    long_places(value, schema, pointer, places);
                    pointer.truncate(length);
                }
            }
        }
        _ => {}
    }
}

/// The size of one long text in bytes: more than converters expect. A converter may keep it in an annotation, of which
/// a server stores 256 KiB, also as a text in JSON.
const HUGE: (u64, u64) = (100_000, 120_000);

/// An object of at most this many bytes has few data that a converter could keep in an annotation.
const SMALL: usize = 8_000;

/// Gives a small object one such text, if its schema admits one at a place that has a text.
pub(super) fn with_huge_text(c: &mut Choices, object: &mut Value, schema: &Schema) {
    if object.to_string().len() > SMALL {
        return;
    }
    let mut content = reviews::content(object);
    let mut places = Vec::new();
    long_places(&content, schema, &mut String::new(), &mut places);
    places.retain(|place| content.pointer(place).is_some_and(Value::is_string));
    if places.is_empty() {
        return;
    }
    let place = c.pick(&places).clone();
    let length = usize::try_from(HUGE.0 + c.draw(HUGE.1 - HUGE.0)).unwrap_or_default();
    if let Some(text) = content.pointer_mut(&place) {
        *text = json!("a long text ".repeat(length / 12));
    }
    if is_valid(&content, schema) {
        *object = reviews::with_content(object, &content);
    }
}

/// The size of annotations that leave little room: a server allows 256 KiB for all of an object (CONV-016).
const ROOM: (u64, u64) = (200_000, 240_000);

/// Gives a small object annotations of nearly the size that a server allows. Those of the converter still have room.
pub(super) fn with_large_annotations(c: &mut Choices, object: &mut Value) {
    if object.to_string().len() > SMALL {
        return;
    }
    let length = usize::try_from(ROOM.0 + c.draw(ROOM.1 - ROOM.0)).unwrap_or_default();
    object["metadata"]["annotations"]["example.com/large"] = json!("large ".repeat(length / 6));
}

/// An object of a user as a server stores it: pruned, with defaults, without nulls that are not allowed.
///
/// # Errors
/// The first reason for which a server would refuse it.
pub fn as_stored(contract: &Contract, object: &Value) -> Result<Value, String> {
    let Some(schema) = contract.schema_of(object) else { return Err("its version is unknown".to_owned()) };
    let mut stored = object.clone();
    Semantics::UPSTREAM.prune(&mut stored, schema, true);
    Semantics::UPSTREAM.apply_defaults(&mut stored, schema);
    Semantics::UPSTREAM.drop_nulls(&mut stored, schema);
    let violations = Semantics::UPSTREAM.object_violations(&reviews::content(&stored), schema, None);
    match violations.first() {
        Some(violation) => Err(format!("{}: {}", violation.place(), violation.message())),
        None => Ok(stored),
    }
}

/// What a server and its users write into metadata.
fn metadata(c: &mut Choices, contract: &Contract, version: &ContractVersion, number: usize) -> Value {
    let mut metadata = json!({
        "name": format!("object-{number}"),
        "uid": format!("00000000-0000-4000-8000-{number:012}"),
        "resourceVersion": format!("{}", number + 1),
        "generation": 1,
        "creationTimestamp": "2026-01-01T00:00:00Z",
    });
    if contract.namespaced {
        metadata["namespace"] = json!("default");
    }
    if c.chance(1, 2) {
        let keys = with_a_field(c, &["app", "example.com/tier", "team"], version);
        metadata["labels"] = texts(c, &keys, |c| *c.pick(&["web", "", "a.b-c", "1", "true"]));
    }
    if c.chance(1, 2) {
        let values = ["", "text", "{\"a\":1}", "null", "two\nlines", "ünïcode"];
        let keys = with_a_field(c, &["note", "example.com/data", "kubectl.kubernetes.io/x"], version);
        let value = |c: &mut Choices| if c.chance(1, 3) { text(c) } else { *c.pick(&values) };
        metadata["annotations"] = texts(c, &keys, value);
    }
    if c.chance(1, 4) {
        metadata["finalizers"] = json!(["example.com/held"]);
        if c.chance(1, 2) {
            metadata["deletionTimestamp"] = json!("2026-01-02T00:00:00Z");
            metadata["deletionGracePeriodSeconds"] = json!(0);
        }
    }
    if c.chance(1, 4) {
        metadata["ownerReferences"] =
            json!([{ "apiVersion": "apps/v1", "kind": "Deployment", "name": "owner", "uid": "1", "controller": true }]);
    }
    if c.chance(1, 4) {
        metadata["managedFields"] = json!([{
            "manager": "kubectl", "operation": "Update", "apiVersion": contract.api_version(&version.name),
            "time": "2026-01-01T00:00:00Z", "fieldsType": "FieldsV1", "fieldsV1": { "f:spec": {} },
        }]);
    }
    metadata
}

/// Some of these keys, with values that are drawn.
fn texts(c: &mut Choices, keys: &[String], value: impl Fn(&mut Choices) -> &'static str) -> Value {
    let mut map = Map::new();
    for key in keys {
        if c.chance(1, 2) {
            map.insert(key.clone(), json!(value(c)));
        }
    }
    Value::Object(map)
}

/// These keys, and one that is the name of a field: a converter that keeps data under such a name takes it from users.
fn with_a_field(c: &mut Choices, keys: &[&str], version: &ContractVersion) -> Vec<String> {
    let spec = version.schema.properties.get("spec").unwrap_or(&version.schema);
    let is_key = |name: &&String| {
        name.len() <= 63
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && !matches!(name.as_str(), "apiVersion" | "kind" | "metadata")
    };
    let names: Vec<&String> = spec.properties.keys().filter(is_key).collect();
    let name = (!names.is_empty()).then(|| c.keyed("@named", |c| (*c.pick(&names)).clone()));
    keys.iter().map(|key| (*key).to_owned()).chain(name).collect()
}

#[cfg(test)]
mod tests {
    use crdible_generators::choice::Choices;
    use crdible_scenario::{Contract, reviews::content};
    use crdible_semantics::Semantics;
    use serde_json::json;

    use super::object;

    #[test]
    fn objects_are_valid_and_have_defaults() {
        let schema = json!({ "type": "object", "properties": { "spec": {
            "type": "object", "required": ["size"], "default": { "size": 3 },
            "properties": { "size": { "type": "integer", "minimum": 1 }, "mode": { "type": "string", "default": "a" } },
        } } });
        let version = |name: &str| json!({ "name": name, "schema": { "openAPIV3Schema": schema } });
        let contract = Contract::of_definition(&json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "spec": { "group": "g.dev", "scope": "Cluster", "names": { "kind": "Thing" }, "versions": [version("v1"), version("v2")] },
        }));
        let contract = contract.expect("it is complete");
        let version = &contract.versions[0];
        assert!(!crdible_scenario::reviews::has_rules(&version.schema));
        for seed in 0..50 {
            let object = object(&mut Choices::random(seed), &contract, version, 1);
            let content = content(&object);
            assert!(content["spec"].get("mode").is_some(), "{object}");
            let found = Semantics::UPSTREAM.object_violations(&content, &version.schema, None);
            assert_eq!(found, [], "{object}");
        }
    }
}
