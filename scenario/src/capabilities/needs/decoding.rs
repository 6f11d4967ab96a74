//! Whether what a check sends is pruned or defaulted on its way: found from the schemas, by looking at each
//! sent value.

use serde_json::{Map, Value};

use crate::scenario::{Action, Body, Edit, Method, Request, Resource, Scenario, Version};

/// The fields that every object has.
const META: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// What becomes of the objects that are sent, under any schema that their definition has in the scenario. Then another
/// answer is right than on a target that does neither.
#[derive(Debug, Default)]
pub(crate) struct Decoding {
    /// Some of their fields are removed.
    pub(crate) is_pruned: bool,
    /// Some fields are filled in.
    pub(crate) is_defaulted: bool,
}

/// What becomes of the objects that these requests of a scenario send.
pub(super) fn of<'a>(scenario: &Scenario, requests: impl Iterator<Item = &'a Request>) -> Decoding {
    let mut found = Decoding::default();
    for request in requests {
        if matches!(request.method, Method::Get | Method::Delete) {
            continue;
        }
        let definition = match &request.resource {
            Resource::Objects { definition, .. }
            | Resource::Object { definition, .. }
            | Resource::Subresource { definition, .. } => *definition,
            _ => continue,
        };
        let sent = sent(request);
        for version in versions(scenario, definition) {
            for value in &sent.values {
                let value = if drops_status(request, version) { &without_status(value) } else { value };
                look(value, &version.schema, !sent.is_whole, true, &mut found);
            }
            found.is_defaulted |= !sent.is_whole && has_default(&version.schema);
        }
    }
    found
}

/// Whether a request ignores the status that it sends, so that this may get its default (SUB-003, SUB-004).
fn drops_status(request: &Request, version: &Version) -> bool {
    let is_of_subresource = matches!(request.resource, Resource::Subresource { .. });
    !is_of_subresource && version.further.get("subresources").is_some_and(|found| found.get("status").is_some())
}

fn without_status(value: &Value) -> Value {
    let mut value = value.clone();
    if let Some(fields) = value.as_object_mut() {
        fields.remove("status");
    }
    value
}

/// The versions that a definition has at any time.
fn versions(scenario: &Scenario, definition: usize) -> impl Iterator<Item = &Version> {
    let first = scenario.definitions.get(definition).map_or(&[][..], |found| &found.versions);
    let later = scenario.steps.iter().filter_map(move |step| match &step.action {
        Action::Install { definition: of, versions, .. } => (*of == definition).then_some(versions.as_slice()),
        Action::Convert { .. } => None,
        Action::Send(request) => match &request.body {
            Body::Definition { definition: of, versions, .. } => (*of == definition).then_some(versions.as_slice()),
            _ => None,
        },
    });
    std::iter::once(first).chain(later).flatten()
}

/// What a request sends of an object.
struct Sent {
    values: Vec<Value>,
    /// Whether it is a whole object. What is missing in a part may be in the rest.
    is_whole: bool,
}

fn sent(request: &Request) -> Sent {
    match &request.body {
        Body::Object { fields, .. } => Sent { values: fields.to_value().into_iter().collect(), is_whole: true },
        Body::Json(content) => {
            let is_whole = matches!(request.method, Method::Post | Method::Put);
            let values = match content.to_value() {
                Some(Value::Array(operations)) if !is_whole => operations.iter().filter_map(operand).collect(),
                value => value.into_iter().collect(),
            };
            Sent { values, is_whole }
        }
        Body::Answer { edits, .. } => {
            let set = edits.iter().filter_map(|edit| match edit {
                Edit::Set(pointer, value) => Some(within(pointer, value.clone())),
                Edit::Remove(_) | Edit::Before { .. } | Edit::AsNew { .. } => None,
            });
            let is_whole = edits.iter().all(|edit| matches!(edit, Edit::AsNew { .. }));
            Sent { values: set.collect(), is_whole }
        }
        // What a text says is compared with what the same object in JSON does.
        Body::None | Body::Definition { .. } | Body::Text { .. } => Sent { values: Vec::new(), is_whole: true },
    }
}

/// What an operation of a JSON patch adds.
fn operand(operation: &Value) -> Option<Value> {
    Some(within(operation.get("path")?.as_str()?, operation.get("value")?.clone()))
}

/// An object that has only this value, at this pointer.
fn within(pointer: &str, value: Value) -> Value {
    let segments: Vec<_> = crdible_semantics::pointer::keys(pointer).collect();
    segments.iter().rev().fold(value, |value, segment| {
        let is_position = segment == "-" || segment.bytes().all(|byte| byte.is_ascii_digit());
        if is_position { Value::Array(vec![value]) } else { Map::from_iter([(segment.to_string(), value)]).into() }
    })
}

/// Looks for fields that are removed or filled in. `is_part`: what is missing may be elsewhere.
fn look(value: &Value, schema: &Value, is_part: bool, is_root: bool, found: &mut Decoding) {
    match value {
        Value::Object(fields) => {
            let keeps_meta = is_root || schema["x-kubernetes-embedded-resource"] == true;
            let others = schema.get("additionalProperties");
            for (name, value) in fields {
                let declared = schema.pointer("/properties").and_then(|properties| properties.get(name));
                match declared.or(others.filter(|others| others.is_object())) {
                    Some(node) => look_at_child(value, node, is_part, found),
                    None if keeps_meta && META.contains(&name.as_str()) => {}
                    None if schema["x-kubernetes-preserve-unknown-fields"] == true => {}
                    None => {
                        found.is_pruned = true;
                    }
                }
            }
            let declared = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
            if !is_part && { declared }.any(|(name, node)| node.get("default").is_some() && !fields.contains_key(name))
            {
                found.is_defaulted = true;
            }
        }
        Value::Array(elements) => {
            if let Some(items) = schema.get("items") {
                elements.iter().for_each(|element| look_at_child(element, items, is_part, found));
            }
        }
        _ => {}
    }
}

/// A null that is not allowed is removed or replaced.
fn look_at_child(value: &Value, node: &Value, is_part: bool, found: &mut Decoding) {
    if value.is_null() && node["nullable"] != true {
        found.is_defaulted = true;
    }
    look(value, node, is_part, false, found);
}

/// Whether a schema has a default anywhere.
fn has_default(schema: &Value) -> bool {
    let children = |keyword: &str| schema.get(keyword).and_then(Value::as_object).into_iter().flatten();
    schema.get("default").is_some()
        || children("properties").any(|(_, node)| has_default(node))
        || ["items", "additionalProperties"].iter().any(|keyword| schema.get(*keyword).is_some_and(has_default))
}
