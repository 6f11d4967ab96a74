//! How large a counterexample is for a reader.

use crdible::scenario::{Action, AnyScenario, Body, Edit, Method, Version};
use serde_json::Value;

/// The lines that a reader reads, all written as YAML: the schemas of the definitions and of later changes, the bodies
/// of the requests, and a line for each step.
pub(crate) fn lines(scenario: &AnyScenario) -> usize {
    let scenario = scenario.server().expect("faults are those of API servers");
    let definitions: usize =
        scenario.definitions.iter().flat_map(|definition| &definition.versions).map(lines_of_version).sum();
    let steps: usize = scenario.steps.iter().map(|step| 1 + lines_of_action(&step.action)).sum();
    definitions + steps
}

fn lines_of_version(version: &Version) -> usize {
    1 + lines_of(&version.schema)
}

fn lines_of_action(action: &Action) -> usize {
    let request = match action {
        Action::Install { versions, .. } => return versions.iter().map(lines_of_version).sum(),
        Action::Convert { converter, .. } => {
            return serde_json::to_value(&converter.behaviour).as_ref().map_or(0, lines_of);
        }
        Action::Send(request) => request,
    };
    match &request.body {
        Body::None => 0,
        Body::Object { fields, .. } => fields.to_value().as_ref().map_or(0, lines_of),
        Body::Definition { versions, .. } => versions.iter().map(lines_of_version).sum(),
        Body::Answer { edits, .. } => edits.iter().map(lines_of_edit).sum(),
        Body::Text { text, .. } => text.lines().count(),
        // A JSON patch is a list of operations, one to a line.
        Body::Json(patch) => match (request.method, patch.to_value()) {
            (Method::JsonPatch, Some(Value::Array(operations))) => operations.len(),
            (_, Some(patch)) => lines_of(&patch),
            _ => 1,
        },
    }
}

fn lines_of_edit(edit: &Edit) -> usize {
    match edit {
        Edit::Set(_, value) => 1 + lines_of(value),
        Edit::Remove(_) | Edit::Before { .. } => 1,
        Edit::AsNew { .. } => 0,
    }
}

/// A key takes a line, and so does an element; an element that is an object begins on the line of its first key.
fn lines_of(value: &Value) -> usize {
    match value {
        Value::Object(object) => object.values().map(|value| 1 + lines_of(value)).sum(),
        Value::Array(elements) => elements.iter().map(|element| lines_of(element).max(1)).sum(),
        _ => 0,
    }
}
