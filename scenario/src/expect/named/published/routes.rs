//! The paths and operations of a document against those that are expected.
#![expect(clippy::result_large_err, reason = "a mismatch is rare, and moved once")]

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{super::Given, Mismatch, document};
use crate::scenario::RoutePart;

/// The keys of a path that are operations.
const METHODS: [&str; 7] = ["get", "put", "post", "delete", "patch", "options", "head"];

pub(in super::super) fn routes(
    given: &Given<'_>,
    version: &str,
    part: RoutePart,
    expected: &Map<String, Value>,
) -> Result<(), Mismatch> {
    let document = document(given.answer)?;
    let none = Map::new();
    let actual = document.get("paths").and_then(Value::as_object).unwrap_or(&none);
    let prefix = format!("/apis/$group/{version}/");
    if part == RoutePart::Actions {
        let is_unexpected = |path: &&String| path.starts_with(&prefix) && !expected.contains_key(*path);
        if let Some(path) = actual.keys().find(is_unexpected) {
            return Err(differs(path, "", "unexpected-path", Value::Null, json!(path)));
        }
    }
    for (path, item) in expected {
        let Some(found) = actual.get(path) else {
            return Err(differs(path, "", "no-path", json!(path), Value::Null));
        };
        let methods = |item: &Value| -> BTreeSet<String> {
            let keys = item.as_object().into_iter().flat_map(Map::keys);
            keys.filter(|key| METHODS.contains(&key.as_str())).cloned().collect()
        };
        if part == RoutePart::Actions && methods(item) != methods(found) {
            return Err(differs(path, "", "methods", json!(methods(item)), json!(methods(found))));
        }
        for method in methods(item) {
            let (operation, found_operation) = (&item[&method], &found[&method]);
            let check = match part {
                RoutePart::Actions => action(operation, found_operation),
                RoutePart::Bodies => body(operation, found_operation),
                RoutePart::Parameters => parameters(operation, found_operation, item, found),
                RoutePart::Ids => id(operation, found_operation),
            };
            check.map_err(|(reason, expected, actual)| differs(path, &method, reason, expected, actual))?;
        }
    }
    Ok(())
}

type Part = Result<(), (&'static str, Value, Value)>;

fn same(reason: &'static str, expected: &Value, actual: &Value) -> Part {
    if expected == actual { Ok(()) } else { Err((reason, expected.clone(), actual.clone())) }
}

fn action(expected: &Value, actual: &Value) -> Part {
    same("action", &expected["action"], &actual["x-kubernetes-action"])?;
    same("kind", &expected["kind"], &actual["x-kubernetes-group-version-kind"])
}

/// The media types of a body, and the one model of all of them.
fn content(of: &Value) -> (BTreeSet<&str>, BTreeSet<&str>) {
    let content = || of["content"].as_object().into_iter().flatten();
    let models = content().filter_map(|(_, entry)| entry.pointer("/schema/$ref")?.as_str()).collect();
    (content().map(|(kind, _)| kind.as_str()).collect(), models)
}

fn body(expected: &Value, actual: &Value) -> Part {
    let (types, models) = content(&actual["requestBody"]);
    match &expected["body"] {
        Value::Null => same("body", &json!([]), &json!(types))?,
        body => {
            same("body", &json!([body["model"]]), &json!(models))?;
            let wanted = body["types"].as_array().into_iter().flatten().filter_map(Value::as_str);
            if let Some(missing) = { wanted }.find(|kind| !types.contains(kind)) {
                return Err(("media-type", json!(missing), json!(types)));
            }
        }
    }
    let (types, models) = content(&actual["responses"]["200"]);
    same("answer", &json!([expected["answer"]]), &json!(models))?;
    if !types.contains("application/json") {
        return Err(("media-type", json!("application/json"), json!(types)));
    }
    same("unauthorized", &json!(true), &json!(actual["responses"]["401"].is_object()))
}

fn parameters(expected: &Value, actual: &Value, item: &Value, found: &Value) -> Part {
    let names = |list: &Value| -> BTreeSet<String> {
        let list = list.as_array().into_iter().flatten();
        list.filter_map(|parameter| Some(parameter.as_str().or(parameter["name"].as_str())?.to_owned())).collect()
    };
    let (own, shared) = (names(&actual["parameters"]), names(&found["parameters"]));
    let all: BTreeSet<String> = own.union(&shared).cloned().collect();
    if let Some(missing) = names(&expected["parameters"]).difference(&all).next() {
        return Err(("no-parameter", json!(missing), json!(all)));
    }
    match names(&item["parameters"]).difference(&shared).next() {
        Some(missing) => Err(("not-shared", json!(missing), json!(shared))),
        None => Ok(()),
    }
}

fn id(expected: &Value, actual: &Value) -> Part {
    same("operation-id", &expected["id"], &actual["operationId"])?;
    same("tag", &json!([expected["tag"]]), &actual["tags"])
}

fn differs(path: &str, method: &str, reason: &str, expected: Value, actual: Value) -> Mismatch {
    let which = if method.is_empty() { path.to_owned() } else { format!("{} {path}", method.to_uppercase()) };
    let phrase = match reason {
        "unexpected-path" => "is not expected",
        "no-path" => "is missing",
        "methods" => "has other methods",
        "kind" => "is of another kind",
        "body" => "takes another body",
        "answer" => "answers with another model",
        "media-type" => "lacks a media type",
        "unauthorized" => "does not name 401",
        "no-parameter" => "lacks a parameter",
        "not-shared" => "does not list a parameter at the path",
        "operation-id" => "has another ID",
        "tag" => "has other tags",
        _ => "has another action",
    };
    // What is named by the path is not generated, except for the version.
    let last = path.rsplit('/').next().unwrap_or_default();
    Mismatch::new(expected, actual, &format!("openAPIV3Schema.{last} {method}"), reason, format!("{which} {phrase}"))
}
