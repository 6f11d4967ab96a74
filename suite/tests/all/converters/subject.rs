//! Definitions with right converters.

use std::sync::Arc;

use crdible::{reviews::Subject, scenario::Contract};
use crdible_webhooks::{Chain, Converter, Ending, HookAnswer, Place, Reshape, Step};
use serde_json::{Value, json};

/// Three versions that differ in name only.
pub(crate) fn same_shapes() -> (Subject, Chain) {
    let versions = ["v1beta1", "v1", "v2"];
    let schemas = versions.map(|name| (name, schema(&json!({ "host": { "type": "string" } }))));
    (subject(&schemas, "Cluster"), Chain::identity(versions))
}

/// Three versions of different shapes: a field that is renamed and split, a list that becomes a map, a field that only
/// the first has.
pub(crate) fn different_shapes() -> (Subject, Chain) {
    let port = json!({ "type": "integer", "format": "int64" });
    let first = schema(&json!({
        "host": { "type": "string" },
        "seconds": { "type": "integer", "minimum": 0, "maximum": 1000 },
        "firstOnly": { "type": "integer" },
    }));
    let second = schema(&json!({
        "hostname": { "type": "string" },
        "milliseconds": { "type": "integer", "minimum": 0, "maximum": 1_000_000 },
    }));
    let third = schema(&json!({
        "hostname": { "type": "array", "items": { "type": "string" }, "maxItems": 1, "minItems": 1 },
        "milliseconds": { "type": "integer", "minimum": 0, "maximum": 1_000_000 },
        "port": port,
    }));
    let spec = || Place::of(&["spec"]);
    let rename = |from: &str, to: &str| Reshape::Rename { at: spec(), from: from.to_owned(), to: to.to_owned() };
    let to_second = vec![
        Step::of(rename("host", "hostname")),
        Step::of(rename("seconds", "milliseconds")),
        Step::of(Reshape::Scale { at: spec(), property: "milliseconds".into(), factor: 1000 }),
        Step::of(Reshape::Stash {
            at: spec(),
            property: "firstOnly".into(),
            annotation: "example.com/first-only".into(),
        }),
    ];
    let to_third = vec![
        Step::of(Reshape::Wrap { at: spec(), property: "hostname".into() }),
        // The other way round, the last version has a field that the others keep in an annotation.
        Step::reversed(Reshape::Stash { at: spec(), property: "port".into(), annotation: "example.com/port".into() }),
    ];
    let chain = Chain { versions: ["v1", "v2", "v3"].map(str::to_owned).to_vec(), steps: vec![to_second, to_third] };
    // A client may write any multiple of the unit only.
    let exact = |mut schema: Value| {
        schema["properties"]["spec"]["properties"]["milliseconds"]["multipleOf"] = json!(1000);
        schema
    };
    (subject(&[("v1", first), ("v2", exact(second)), ("v3", exact(third))], "Namespaced"), chain)
}

/// A schema with these properties of `spec` beside those that all versions have.
fn schema(own: &Value) -> Value {
    let mut schema = json!({ "type": "object", "properties": {
        "spec": { "type": "object", "properties": {
            "size": { "type": "integer", "format": "int64" },
            "ratio": { "type": "number" },
            "note": { "type": "string", "nullable": true },
            "on": { "type": "boolean" },
            "tags": { "type": "array", "items": { "type": "string" } },
            "labels": { "type": "object", "additionalProperties": { "type": "string" } },
            "mode": { "type": "string", "enum": ["auto", "manual"], "default": "auto" },
            "parts": { "type": "array", "items": { "type": "object", "required": ["name"], "properties": {
                "name": { "type": "string" }, "weight": { "type": "integer" },
            } } },
            "at": { "type": "string", "format": "date-time" },
            "memory": { "x-kubernetes-int-or-string": true, "pattern": "^[0-9]+(m|Mi)?$" },
            "target": { "x-kubernetes-int-or-string": true },
            "sub": { "type": "object", "properties": { "level": { "type": "integer", "default": 1 } } },
            "plain": { "type": "object", "properties": { "level": { "type": "integer" } } },
            "free": { "type": "object", "x-kubernetes-preserve-unknown-fields": true },
        } },
        "status": { "type": "object", "properties": { "ready": { "type": "integer" }, "phase": { "type": "string" } } },
    } });
    for (name, property) in own.as_object().into_iter().flatten() {
        schema["properties"]["spec"]["properties"][name] = property.clone();
    }
    schema
}

fn subject(versions: &[(&str, Value)], scope: &str) -> Subject {
    let versions: Vec<Value> = versions
        .iter()
        .map(|(name, schema)| json!({ "name": name, "schema": { "openAPIV3Schema": schema } }))
        .collect();
    let contract = Contract::of_definition(&json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "spec": {
            "group": "example.com", "scope": scope, "names": { "kind": "Thing" }, "versions": versions,
            "conversion": { "strategy": "Webhook", "webhook": { "conversionReviewVersions": ["v1", "v1beta1"] } },
        },
    }));
    Subject { contract: Arc::new(contract.expect("it is complete")), samples: Vec::new() }
}

/// A converter that is right in everything, and refuses what it does not know.
pub(crate) fn right(subject: &Subject, chain: Chain) -> impl Fn(&[u8]) -> HookAnswer + Send + Sync + Clone + use<> {
    let converter = Converter::right(chain);
    let (kind, group) = (subject.contract.kind.clone(), subject.contract.group.clone());
    move |body: &[u8]| {
        let review: Value = serde_json::from_slice(body).unwrap_or_default();
        let objects = review["request"]["objects"].as_array().cloned().unwrap_or_default();
        let is_ours = |object: &Value| object["kind"] == kind.as_str();
        let desired = review["request"]["desiredAPIVersion"].as_str().unwrap_or_default();
        if review["request"].is_object() && !(objects.iter().all(is_ours) && desired.starts_with(&group)) {
            let message = "only Things of example.com are converted";
            return answer(&review, &json!({ "status": "Failed", "message": message }), &[]);
        }
        converter.answer(body)
    }
}

/// A review with this response.
pub(crate) fn answer(review: &Value, result: &Value, objects: &[Value]) -> HookAnswer {
    let body = json!({
        "kind": review["kind"], "apiVersion": review["apiVersion"],
        "response": { "uid": review["request"]["uid"], "result": result, "convertedObjects": objects },
    });
    plain(200, body.to_string().into_bytes())
}

/// An answer that comes at once and whole.
pub(crate) fn plain(status: u16, body: Vec<u8>) -> HookAnswer {
    HookAnswer { delay: std::time::Duration::ZERO, status, headers: Vec::new(), body, ending: Ending::Whole }
}
