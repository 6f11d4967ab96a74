//! Patches: JSON patch (REST-033), merge patch (REST-034), and strategic merge patch for built-in types.

mod growth;
mod loose;
mod repeated;
mod strategic;

use json_patch::PatchOperation;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use growth::Growth;
use loose::Effect;

use crate::base::status::Failure;
use crate::messages::request::{FieldValidation, without_type};
use crate::wire::json::{self, Repeated};

/// The media types that a 415 lists.
pub(crate) const ACCEPTED: &str =
    "accepted media types include: application/json-patch+json, application/merge-patch+json";

/// The media type of a JSON patch.
pub(crate) const JSON: &str = "application/json-patch+json";

/// How deep Go's JSON may nest.
const MAX_DEPTH: usize = 10_000;

/// The limit of operations in a JSON patch.
const MAX_OPERATIONS: usize = 10_000;

/// The patch types of Kubernetes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatchType {
    Json,
    Merge,
    Apply,
    Strategic,
}

impl PatchType {
    pub(crate) fn from_media_type(media_type: &str) -> Option<Self> {
        match media_type {
            JSON => Some(Self::Json),
            "application/merge-patch+json" => Some(Self::Merge),
            "application/apply-patch+yaml" => Some(Self::Apply),
            "application/strategic-merge-patch+json" => Some(Self::Strategic),
            _ => None,
        }
    }
}

/// Refuses what is not JSON at all with 400, whatever the type of the patch (REST-033).
pub(crate) fn refuse_ill_formed(body: &[u8]) -> Result<(), Failure> {
    if json::nesting(body) <= MAX_DEPTH && serde_json::from_slice::<IgnoredAny>(body).is_ok() {
        return Ok(());
    }
    Err(Failure::bad_request("invalid JSON patch"))
}

/// A decoded patch.
#[derive(Debug)]
pub(crate) struct Patch {
    content: Content,
    duplicates: Vec<Repeated>,
    /// What is reported of repeated and unknown keys of the patch itself.
    messages: Vec<String>,
}

#[derive(Debug)]
enum Content {
    /// The operations; `None` for one that can never be applied, such as one with an unknown `op`.
    Json(Vec<Option<PatchOperation>>),
    Merge(Map<String, Value>),
    /// The patch and the model of its type.
    Strategic(Map<String, Value>, &'static Value),
}

impl Patch {
    /// Decodes a JSON patch, a merge patch, or a strategic merge patch for a type with this model. A malformed patch is
    /// refused with 400; without field validation, an array as a merge patch is refused with `422(patch,Invalid)`
    /// (REST-034 `[Q]`).
    pub(crate) fn parse(
        patch_type: PatchType,
        body: &[u8],
        model: Option<&'static Value>,
        validation: FieldValidation,
    ) -> Result<Self, Failure> {
        // Without validation upstream decodes other types, and a strategic merge patch always by itself.
        let is_checked = validation != FieldValidation::Ignore;
        let malformed = |error: &str| match patch_type {
            PatchType::Merge if !is_checked => Failure::bad_request("Invalid JSON Patch"),
            PatchType::Json | PatchType::Merge | PatchType::Apply if is_checked => malformed(error),
            _ => Failure::bad_request(error),
        };
        let parsed = json::parse(body).map_err(|error| malformed(&error.to_string()))?;
        let mut unknown = Vec::new();
        let content = if matches!(patch_type, PatchType::Merge | PatchType::Strategic) {
            match (parsed.value, model) {
                (Value::Object(members), Some(model)) if patch_type == PatchType::Strategic => {
                    Content::Strategic(members, model)
                }
                (Value::Object(members), _) => Content::Merge(members),
                (Value::Null, Some(model)) if patch_type == PatchType::Strategic => {
                    Content::Strategic(Map::new(), model)
                }
                (Value::Null, _) => return Err(Failure::bad_request("Invalid JSON Patch")),
                // Without validation the patch itself is not checked; only its result is, which is not an object.
                (value @ Value::Array(_), _) if patch_type == PatchType::Merge && !is_checked => {
                    return Err(Failure::of_patch(&value, &without_type(&json::no_object(&value))));
                }
                (other, _) => {
                    return Err(malformed(&json::no_value_of("map[string]interface {}", &other)));
                }
            }
        } else if let (false, Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_)) =
            (is_checked, &parsed.value)
        {
            return Err(malformed(&json::no_value_of("jsonpatch.Patch", &parsed.value)));
        } else {
            Content::Json(operations(parsed.value, &mut unknown)?)
        };
        let messages = match content {
            Content::Json(_) => repeated::messages(body, &parsed.duplicates, unknown),
            Content::Merge(_) | Content::Strategic(..) => parsed.duplicates.iter().map(Repeated::to_string).collect(),
        };
        Ok(Self { content, duplicates: parsed.duplicates, messages })
    }

    /// What is reported of repeated keys in the patch, and of unknown members of operations.
    pub(crate) fn messages(&self) -> &[String] {
        &self.messages
    }

    /// The keys that the result of the patch repeats.
    pub(crate) fn repeated_in(&self, result: &Value) -> Vec<Repeated> {
        match &self.content {
            Content::Json(operations) => repeated::in_result(&self.duplicates, operations, result),
            Content::Merge(_) | Content::Strategic(..) => Vec::new(),
        }
    }

    /// Applies the patch. If it fails, the target is in an undefined state.
    pub(crate) fn apply(&self, target: &mut Value) -> Result<(), Failure> {
        match &self.content {
            Content::Merge(members) => merge(target, members),
            Content::Strategic(members, model) => {
                let names = ["apiVersion", "kind"].map(|name| (name, target.get(name).cloned()));
                strategic::merge(target, members, model)?;
                keep_names(target, names);
            }
            Content::Json(operations) => {
                let mut growth = Growth::of(target);
                for operation in operations {
                    let effect = operation.as_ref().and_then(|operation| loose::effect(operation, target));
                    let Effect::Do(operation) = effect.ok_or_else(inapplicable)? else { continue };
                    if !growth.allows(&operation, target) {
                        return Err(inapplicable());
                    }
                    json_patch::patch(target, std::slice::from_ref(&operation)).map_err(|_| inapplicable())?;
                    if !growth.accepts_result_of(&operation, target) {
                        return Err(inapplicable());
                    }
                }
            }
        }
        Ok(())
    }
}

/// Decodes the operations of a JSON patch; null is an empty list (REST-033).
fn operations(value: Value, unknown: &mut Vec<String>) -> Result<Vec<Option<PatchOperation>>, Failure> {
    let operations = match value {
        Value::Null => Vec::new(),
        Value::Array(operations) => operations,
        other => {
            return Err(malformed(&json::no_value_of("[]handlers.jsonPatchOp", &other)));
        }
    };
    if operations.len() > MAX_OPERATIONS {
        return Err(Failure::too_large(format!(
            "The allowed maximum operations in a JSON patch is {MAX_OPERATIONS}, got {}",
            operations.len()
        )));
    }
    operations.into_iter().enumerate().map(|(index, operation)| read_operation(index, operation, unknown)).collect()
}

fn read_operation(
    index: usize,
    operation: Value,
    unknown: &mut Vec<String>,
) -> Result<Option<PatchOperation>, Failure> {
    let mut members = match operation {
        Value::Object(members) => members,
        other => return Err(malformed(&json::no_value_of("handlers.jsonPatchOp", &other))),
    };
    for (member, value) in &members {
        match member.as_str() {
            "op" | "path" | "from" if !(value.is_string() || value.is_null()) => {
                return Err(malformed(&json::no_field_of("string", &format!("jsonPatchOp.{member}"), value)));
            }
            "op" | "path" | "from" | "value" => {}
            other => unknown.push(format!("[{index}].{other}")),
        }
    }
    for name in ["path", "from"] {
        if let Some(Value::String(text)) = members.get_mut(name) {
            match loose::path(text) {
                Some(path) => *text = path,
                None => return Ok(None),
            }
        }
    }
    members.entry("value").or_insert(Value::Null);
    Ok(serde_json::from_value(Value::Object(members)).ok())
}

/// Restores `apiVersion` and `kind`: a strategic merge patch never changes the type, whatever type it names.
fn keep_names(target: &mut Value, names: [(&str, Option<Value>); 2]) {
    let Some(members) = target.as_object_mut() else { return };
    for (name, value) in names {
        if let (Some(value), None | Some(Value::String(_) | Value::Null)) = (value, members.get(name)) {
            members.insert(name.to_owned(), value);
        }
    }
}

/// RFC 7386, except for null members of objects in arrays: kube-apiserver drops them, unless the array replaces an
/// object (REST-034).
fn merge(target: &mut Value, patch: &Map<String, Value>) {
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(target) = target else {
        return;
    };
    for (key, value) in patch {
        match value {
            Value::Null => {
                target.remove(key);
            }
            Value::Object(members) => {
                merge(target.entry(key.as_str()).or_insert(Value::Null), members);
            }
            other => {
                let mut other = other.clone();
                if !target.get(key).is_some_and(Value::is_object) {
                    drop_null_members(&mut other);
                }
                target.insert(key.clone(), other);
            }
        }
    }
}

fn drop_null_members(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(drop_null_members);
        }
        Value::Array(elements) => elements.iter_mut().for_each(drop_null_members),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn malformed(error: &str) -> Failure {
    Failure::bad_request(format!("error decoding patch: {error}"))
}

fn inapplicable() -> Failure {
    Failure::unprocessable("the server rejected our request due to an error in our request")
}

#[allow(clippy::unwrap_used)]
#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn outcome(patch_type: PatchType, patch: &str) -> Result<Value, u16> {
        let mut target = json!({"a": {"b": 1, "l": [1, 2]}, "c~/d": 1});
        let patch =
            Patch::parse(patch_type, patch.as_bytes(), None, FieldValidation::Warn).map_err(|failure| failure.code)?;
        patch.apply(&mut target).map_err(|failure| failure.code)?;
        Ok(target)
    }

    #[rstest]
    #[case::empty("[]", Ok(json!({"a": {"b": 1, "l": [1, 2]}, "c~/d": 1})))]
    #[case::null("null", Ok(json!({"a": {"b": 1, "l": [1, 2]}, "c~/d": 1})))]
    #[case::add(r#"[{"op":"add","path":"/a/l/-","value":3}]"#, Ok(json!({"a": {"b": 1, "l": [1, 2, 3]}, "c~/d": 1})))]
    #[case::remove(r#"[{"op":"remove","path":"/a"}]"#, Ok(json!({"c~/d": 1})))]
    #[case::escapes(r#"[{"op":"replace","path":"/c~0~1d","value":2}]"#, Ok(json!({"a": {"b": 1, "l": [1, 2]}, "c~/d": 2})))]
    #[case::copy_and_test(
        r#"[{"op":"copy","from":"/a/b","path":"/x"},{"op":"test","path":"/x","value":1},{"op":"move","from":"/x","path":"/y"}]"#,
        Ok(json!({"a": {"b": 1, "l": [1, 2]}, "c~/d": 1, "y": 1}))
    )]
    #[case::missing_parent(r#"[{"op":"add","path":"/x/y","value":1}]"#, Err(422))]
    #[case::missing_target(r#"[{"op":"remove","path":"/x"}]"#, Err(422))]
    #[case::failed_test(r#"[{"op":"test","path":"/a/b","value":2}]"#, Err(422))]
    #[case::unknown_op(r#"[{"op":"zz","path":"/a"}]"#, Err(422))]
    #[case::no_op(r#"[{"path":"/a"}]"#, Err(422))]
    #[case::no_path(r#"[{"op":"add","value":1}]"#, Err(422))]
    #[case::path_of_wrong_type(r#"[{"op":"add","path":5}]"#, Err(400))]
    #[case::operation_that_is_not_an_object("[5]", Err(400))]
    #[case::not_an_array("{}", Err(400))]
    #[case::not_json("[", Err(400))]
    fn rest_033_operations_are_applied(#[case] patch: &str, #[case] expected: Result<Value, u16>) {
        assert_eq!(outcome(PatchType::Json, patch), expected);
    }

    /// More lenient than the RFC; all results observed on kube-apiserver 1.36.3.
    #[rstest]
    #[case::replace_missing(
        r#"[{"op":"replace","path":"/zz","value":5}]"#,
        Ok(json!({"a": 1, "l": [1, 2, 3], "o": {"p": null, "q": 2}, "zz": 5})),
    )]
    #[case::replace_past_the_end(r#"[{"op":"replace","path":"/l/9","value":5}]"#, Err(422))]
    #[case::replace_below_missing(r#"[{"op":"replace","path":"/no/zz","value":5}]"#, Err(422))]
    #[case::replace_last(r#"[{"op":"replace","path":"/l/-1","value":5}]"#, Ok(json!({"a": 1, "l": [1, 2, 5], "o": {"p": null, "q": 2}})))]
    #[case::remove_last(r#"[{"op":"remove","path":"/l/-1"}]"#, Ok(json!({"a": 1, "l": [1, 2], "o": {"p": null, "q": 2}})))]
    #[case::add_at_the_end(r#"[{"op":"add","path":"/l/-1","value":7}]"#, Ok(json!({"a": 1, "l": [1, 2, 3, 7], "o": {"p": null, "q": 2}})))]
    #[case::add_before_the_first(r#"[{"op":"add","path":"/l/-9","value":7}]"#, Err(422))]
    #[case::add_past_the_end(r#"[{"op":"add","path":"/l/4","value":7}]"#, Err(422))]
    #[case::leading_zeros(r#"[{"op":"add","path":"/l/01","value":9}]"#, Ok(json!({"a": 1, "l": [1, 9, 2, 3], "o": {"p": null, "q": 2}})))]
    #[case::test_last(r#"[{"op":"test","path":"/l/-1","value":3}]"#, Ok(json!({"a": 1, "l": [1, 2, 3], "o": {"p": null, "q": 2}})))]
    #[case::copy_missing(
        r#"[{"op":"copy","path":"/cp","from":"/nope"}]"#,
        Ok(json!({"a": 1, "l": [1, 2, 3], "o": {"p": null, "q": 2}, "cp": null})),
    )]
    #[case::copy_past_the_end(r#"[{"op":"copy","path":"/cp","from":"/l/9"}]"#, Err(422))]
    #[case::copy_last(
        r#"[{"op":"copy","path":"/cp","from":"/l/-1"}]"#,
        Ok(json!({"a": 1, "l": [1, 2, 3], "o": {"p": null, "q": 2}, "cp": 3})),
    )]
    #[case::move_missing(r#"[{"op":"move","path":"/cp","from":"/nope"}]"#, Err(422))]
    #[case::test_missing(r#"[{"op":"test","path":"/nope","value":null}]"#, Ok(json!({"a": 1, "l": [1, 2, 3], "o": {"p": null, "q": 2}})))]
    #[case::test_missing_against_a_value(r#"[{"op":"test","path":"/nope","value":1}]"#, Err(422))]
    #[case::test_below_missing(r#"[{"op":"test","path":"/nope/x","value":null}]"#, Err(422))]
    #[case::text_before_the_slash(
        r#"[{"op":"replace","path":"x/a","value":9}]"#,
        Ok(json!({"a": 9, "l": [1, 2, 3], "o": {"p": null, "q": 2}})),
    )]
    #[case::no_slash(r#"[{"op":"replace","path":"a","value":9}]"#, Err(422))]
    #[case::whole_document(r#"[{"op":"add","path":"","value":{}}]"#, Err(422))]
    #[case::replace_at_dash(r#"[{"op":"replace","path":"/l/-","value":9}]"#, Err(422))]
    #[case::float_instead_of_integer(r#"[{"op":"test","path":"/a","value":1.0}]"#, Err(422))]
    fn rest_033_leniency_matches_upstream(#[case] patch: &str, #[case] expected: Result<Value, u16>) {
        let mut target = json!({"a": 1, "l": [1, 2, 3], "o": {"p": null, "q": 2}});
        let patch = Patch::parse(PatchType::Json, patch.as_bytes(), None, FieldValidation::Warn).unwrap();
        assert_eq!(patch.apply(&mut target).map(|()| target).map_err(|failure| failure.code), expected);
    }

    #[rstest]
    #[case::delete(r#"{"a":null}"#, Ok(json!({"c~/d": 1})))]
    #[case::nested(r#"{"a":{"b":null,"n":{"x":null,"y":1}}}"#, Ok(json!({"a": {"l": [1, 2], "n": {"y": 1}}, "c~/d": 1})))]
    #[case::replace_list(r#"{"a":{"l":[null]}}"#, Ok(json!({"a": {"b": 1, "l": [null]}, "c~/d": 1})))]
    #[case::nulls_in_a_list(
        r#"{"a":{"l":[null,{"x":null,"y":[{"z":null}]}]}}"#,
        Ok(json!({"a": {"b": 1, "l": [null, {"y": [{}]}]}, "c~/d": 1}))
    )]
    #[case::nulls_in_a_new_list(r#"{"c~/d":{"l":[{"x":null}]}}"#, Ok(json!({"a": {"b": 1, "l": [1, 2]}, "c~/d": {"l": [{}]}})))]
    #[case::nulls_in_a_list_for_an_object(r#"{"a":[{"x":null}]}"#, Ok(json!({"a": [{"x": null}], "c~/d": 1})))]
    #[case::not_an_object("[]", Err(400))]
    #[case::null("null", Err(400))]
    #[case::number("3", Err(400))]
    fn rest_034_merge_patches_are_applied(#[case] patch: &str, #[case] expected: Result<Value, u16>) {
        assert_eq!(outcome(PatchType::Merge, patch), expected);
    }

    #[test]
    fn rest_033_too_many_operations_are_refused() {
        let patch = format!("[{}]", vec![r#"{"op":"test","path":"/a/b","value":1}"#; 10_001].join(","));
        assert_eq!(outcome(PatchType::Json, &patch), Err(413));
    }

    #[test]
    fn rest_055_unknown_members_are_reported() {
        let patch =
            Patch::parse(PatchType::Json, br#"[{"op":"remove","path":"/a","foo":1}]"#, None, FieldValidation::Warn)
                .unwrap();
        assert_eq!(patch.messages(), ["json patch unknown field \"[0].foo\""]);
    }
}
