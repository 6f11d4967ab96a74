//! What is demanded of the answer.

use serde_json::Value;

use super::{Asked, GROUP, KIND, Unconverted, go_type, meta_text, text};
use crate::Semantics;

pub(crate) fn converted_objects(
    semantics: &Semantics,
    asked: &Asked<'_>,
    mut answer: Value,
) -> Result<Vec<Value>, Unconverted> {
    semantics.check_review(asked, &answer)?;
    let mut response = answer.get_mut("response").map(Value::take).unwrap_or_default();
    semantics.check_result(&response)?;
    let converted = match response.get_mut("convertedObjects").map(Value::take) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(converted)) => converted,
        Some(other) => return Err(wrong_type(&other, "convertedObjects", "a list")),
    };
    semantics.check_count(asked, converted.len())?;
    asked
        .objects
        .iter()
        .zip(converted)
        .map(|(original, converted)| semantics.take_converted(original, converted, asked.desired))
        .collect()
}

pub(crate) fn check_review(asked: &Asked<'_>, answer: &Value) -> Result<(), Unconverted> {
    if !answer.is_object() && !answer.is_null() {
        return Err(Unconverted::Failed(format!(
            "couldn't get version/kind; json parse error: cannot unmarshal {} into an object",
            go_type(answer)
        )));
    }
    for field in ["apiVersion", "kind"] {
        if let Some(value) = answer.get(field).filter(|value| !value.is_string() && !value.is_null()) {
            return Err(wrong_type(value, field, "a string"));
        }
    }
    let own = format!("{GROUP}/{}", asked.review);
    let (api_version, kind) = (text(answer, "apiVersion"), text(answer, "kind"));
    let is_own = (api_version == own || api_version.is_empty()) && (kind == KIND || kind.is_empty());
    if !is_own && (asked.review != "v1" || kind != KIND) {
        return Err(Unconverted::Failed(format!("no kind {kind:?} is registered for version {api_version:?}")));
    }
    if asked.review == "v1" && (api_version, kind) != (own.as_str(), KIND) {
        let got = if api_version.contains('/') { api_version.to_owned() } else { format!("/{api_version}") };
        return Err(Unconverted::Failed(format!(
            "expected webhook response of {own}, Kind={KIND}, got {got}, Kind={kind}"
        )));
    }
    let response = match answer.get("response") {
        None | Some(Value::Null) => return Err(Unconverted::Failed("no response provided".to_owned())),
        Some(response) if response.is_object() => response,
        Some(response) => return Err(wrong_type(response, "response", "an object")),
    };
    let uid = match response.get("uid") {
        None | Some(Value::Null) => "",
        Some(Value::String(uid)) => uid,
        Some(other) => return Err(wrong_type(other, "uid", "a string")),
    };
    if asked.review == "v1" && uid != asked.uid {
        return Err(Unconverted::Failed(format!("expected response.uid={:?}, got {uid:?}", asked.uid)));
    }
    Ok(())
}

pub(crate) fn check_result(response: &Value) -> Result<(), Unconverted> {
    let result = match response.get("result") {
        Some(result) if !result.is_object() && !result.is_null() => {
            return Err(wrong_type(result, "result", "an object"));
        }
        result => result.unwrap_or(&Value::Null),
    };
    for field in ["status", "message", "reason"] {
        if let Some(value) = result.get(field).filter(|value| !value.is_string() && !value.is_null()) {
            return Err(wrong_type(value, field, "a string"));
        }
    }
    match (text(result, "status"), text(result, "message")) {
        ("Success", _) => Ok(()),
        (status, "") => Err(Unconverted::Failed(format!("response.result.status was '{status}', not 'Success'"))),
        (_, message) => Err(Unconverted::Failed(message.to_owned())),
    }
}

pub(crate) fn check_count(asked: &Asked<'_>, count: usize) -> Result<(), Unconverted> {
    if count == asked.objects.len() {
        return Ok(());
    }
    Err(Unconverted::Returned(format!("{count} objects, expected {}", asked.objects.len())))
}

pub(crate) fn take_converted(
    semantics: &Semantics,
    original: &Value,
    mut converted: Value,
    desired: &str,
) -> Result<Value, Unconverted> {
    semantics.check_converted_type(original, &converted, desired)?;
    semantics.check_identity(original, &converted)?;
    semantics.restore_metadata(original, &mut converted)?;
    Ok(converted)
}

pub(crate) fn check_type(original: &Value, converted: &Value, desired: &str) -> Result<(), Unconverted> {
    match converted {
        Value::Object(_) => {}
        Value::Null => return Err(Unconverted::Unreadable("unexpected end of JSON input".to_owned())),
        other => {
            return Err(Unconverted::Unreadable(format!(
                "json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
                go_type(other)
            )));
        }
    }
    let (api_version, kind) = (text(converted, "apiVersion"), text(converted, "kind"));
    if kind.is_empty() {
        return Err(Unconverted::Unreadable(format!("Object 'Kind' is missing in '{converted}'")));
    }
    if api_version != desired {
        return Err(Unconverted::Returned(format!(
            "invalid object at index 0: invalid groupVersion (expected {desired}, received {api_version})"
        )));
    }
    let expected = text(original, "kind");
    if kind != expected {
        return Err(Unconverted::Returned(format!(
            "invalid object at index 0: invalid kind (expected {expected}, received {kind})"
        )));
    }
    Ok(())
}

pub(crate) fn check_identity(original: &Value, converted: &Value) -> Result<(), Unconverted> {
    for (field, shown) in [("name", "name"), ("namespace", "namespace"), ("uid", "UID")] {
        let (before, after) = (meta_text(original, field), meta_text(converted, field));
        if before != after {
            return Err(Unconverted::Returned(format!(
                "invalid object: must have the same {shown}: {before} != {after}"
            )));
        }
    }
    Ok(())
}

fn wrong_type(value: &Value, field: &str, expected: &str) -> Unconverted {
    Unconverted::Failed(format!("json: cannot unmarshal {} into {field}, which is {expected}", go_type(value)))
}
