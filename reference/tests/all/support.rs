//! Shared by the integration tests: an in-process server, requests in one line, and a definition.

use std::time::Duration;

use bytes::Bytes;
use crdible_reference::{Options, Server};
use crdible_semantics::{Release, Semantics, pointer};
use http::{HeaderMap, Request};
use serde_json::{Value, json};

/// The path of definitions.
pub(crate) const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/// The path of the definition `things()`.
pub(crate) const THINGS_DEFINITION: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com";
/// The path of another definition of the same group.
pub(crate) const OTHERS_DEFINITION: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/others.example.com";
/// The path of the objects of `things()`, …
pub(crate) const THINGS: &str = "/apis/example.com/v1/namespaces/default/things";
/// … and of the one that most tests use.
pub(crate) const THING: &str = "/apis/example.com/v1/namespaces/default/things/a";
/// The same at the version `v2` of definitions that have it.
pub(crate) const THINGS_V2: &str = "/apis/example.com/v2/namespaces/default/things";
pub(crate) const THING_V2: &str = "/apis/example.com/v2/namespaces/default/things/a";
/// The path of namespaces.
pub(crate) const NAMESPACES: &str = "/api/v1/namespaces";

/// Media types of answers, …
pub(crate) const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";
pub(crate) const PARTIAL: &str = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
pub(crate) const PARTIAL_LIST: &str = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
pub(crate) const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
/// … and of bodies.
pub(crate) const JSON: &str = "application/json";
pub(crate) const YAML: &str = "application/yaml";
pub(crate) const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";
pub(crate) const MERGE: &str = "application/merge-patch+json";
pub(crate) const JSON_PATCH: &str = "application/json-patch+json";
pub(crate) const STRATEGIC: &str = "application/strategic-merge-patch+json";

/// Longer than any step of these tests takes, on any machine. With a paused clock it takes no time.
pub(crate) const LONG: Duration = Duration::from_secs(20);

/// An in-process server.
pub(crate) struct Target(pub Server);

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub code: u16,
    pub headers: HeaderMap,
    pub warnings: Vec<String>,
    /// The parsed body; null if it is not JSON.
    pub body: Value,
    pub text: String,
    pub bytes: Bytes,
}

impl Target {
    pub(crate) fn new() -> Self {
        Self(Server::new(Semantics::UPSTREAM))
    }

    pub(crate) fn with_options(options: Options) -> Self {
        Self(Server::with_options(Semantics::UPSTREAM, options))
    }

    /// A server that emulates the release `1.minor`.
    pub(crate) fn of_release(minor: u16) -> Self {
        Self(Server::new(Semantics::at(Release::nearest(minor))))
    }

    /// A server with a definition.
    pub(crate) fn with(definition: &Value) -> Self {
        Self::new().having(definition)
    }

    /// A server with the definition `things()` and the thing `a`.
    pub(crate) fn with_thing(spec: &Value) -> Self {
        let target = Self::with(&things());
        target.create(THINGS, &thing("a", spec));
        target
    }

    /// This server with a definition.
    pub(crate) fn having(self, definition: &Value) -> Self {
        self.install(definition);
        self
    }

    pub(crate) fn install(&self, definition: &Value) {
        self.create(DEFINITIONS, definition);
    }

    /// Sends an object that must be created.
    pub(crate) fn create(&self, path: &str, body: &Value) -> Answer {
        let answer = self.post(path, body);
        assert_eq!(answer.code, 201, "{answer:?}");
        answer
    }

    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<Bytes>) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (head, bytes) = self.0.handle(request.body(body.into()).expect("a well-formed request")).into_parts();
        let warnings = head.headers.get_all("warning").iter();
        Answer {
            code: head.status.as_u16(),
            warnings: warnings.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect(),
            headers: head.headers,
            body: serde_json::from_slice(&bytes).unwrap_or_default(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
            bytes,
        }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], "")
    }

    /// Asks for a media type.
    pub(crate) fn get_as(&self, path: &str, accept: &str) -> Answer {
        self.send("GET", path, &[("accept", accept)], "")
    }

    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, &[], "")
    }

    /// Deletes with options in the body.
    pub(crate) fn delete_with(&self, path: &str, options: &Value) -> Answer {
        self.send_as(JSON, "DELETE", path, options.to_string())
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send_as(JSON, "POST", path, body.to_string())
    }

    pub(crate) fn put(&self, path: &str, body: &Value) -> Answer {
        self.send_as(JSON, "PUT", path, body.to_string())
    }

    /// Sends a merge patch.
    pub(crate) fn merge(&self, path: &str, body: &Value) -> Answer {
        self.send_as(MERGE, "PATCH", path, body.to_string())
    }

    /// Sends a JSON patch.
    pub(crate) fn json_patch(&self, path: &str, body: &Value) -> Answer {
        self.send_as(JSON_PATCH, "PATCH", path, body.to_string())
    }

    /// Sends a strategic merge patch.
    pub(crate) fn strategic(&self, path: &str, body: &Value) -> Answer {
        self.send_as(STRATEGIC, "PATCH", path, body.to_string())
    }

    /// Sends a body of this media type.
    pub(crate) fn send_as(&self, media_type: &str, method: &str, path: &str, body: impl Into<Bytes>) -> Answer {
        self.send(method, path, &[("content-type", media_type)], body)
    }
}

impl Answer {
    /// All causes as `field Reason`, sorted. Reasons are without the prefix `FieldValue`.
    pub(crate) fn causes(&self) -> Vec<String> {
        let causes = self.body["details"]["causes"].as_array().map(Vec::as_slice).unwrap_or_default();
        let cause = |cause: &Value| {
            let [field, reason] = ["field", "reason"].map(|key| cause[key].as_str().unwrap_or_default());
            format!("{field} {}", reason.trim_start_matches("FieldValue"))
        };
        let mut causes: Vec<String> = causes.iter().map(cause).collect();
        causes.sort();
        causes
    }

    /// The code and all causes: `422 spec.a TypeInvalid`.
    pub(crate) fn refusal(&self) -> String {
        format!("{} {}", self.code, self.causes().join(", ")).trim_end().to_owned()
    }

    /// The fields of all causes, sorted.
    pub(crate) fn fields(&self) -> Vec<String> {
        let causes = self.causes();
        causes.iter().filter_map(|cause| Some(cause.rsplit_once(' ')?.0.to_owned())).collect()
    }

    pub(crate) fn reason(&self) -> &str {
        self.body["reason"].as_str().unwrap_or_default()
    }

    pub(crate) fn message(&self) -> &str {
        self.body["message"].as_str().unwrap_or_default()
    }

    pub(crate) fn version(&self) -> String {
        self.body["metadata"]["resourceVersion"].as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn generation(&self) -> i64 {
        self.body["metadata"]["generation"].as_i64().unwrap_or_default()
    }

    /// The token of a list that goes on.
    pub(crate) fn token(&self) -> &str {
        self.body["metadata"]["continue"].as_str().unwrap_or_default()
    }

    /// The names of the items of a list.
    pub(crate) fn names(&self) -> Vec<&str> {
        let items = self.body["items"].as_array().map(Vec::as_slice).unwrap_or_default();
        items.iter().filter_map(|item| item["metadata"]["name"].as_str()).collect()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// The status and the reason of a condition: `True NoConflicts`; empty if there is none.
pub(crate) fn condition(object: &Value, type_name: &str) -> String {
    condition_with(object, type_name, "reason")
}

/// The status and another field of a condition.
pub(crate) fn condition_with(object: &Value, type_name: &str, field: &str) -> String {
    let mut conditions = object["status"]["conditions"].as_array().into_iter().flatten();
    let found = conditions.find(|condition| condition["type"] == type_name).unwrap_or(&Value::Null);
    let text = |field: &str| found[field].as_str().unwrap_or_default();
    format!("{} {}", text("status"), text(field)).trim().to_owned()
}

/// The warning about an unknown field.
pub(crate) fn unknown(path: impl std::fmt::Display) -> String {
    format!("299 - \"unknown field \\\"{path}\\\"\"")
}

/// A document with one part set.
pub(crate) trait With {
    /// Sets the part at a pointer, with the parents that are missing.
    fn with(self, pointer: &str, value: impl Into<Value>) -> Self;
}

impl With for Value {
    fn with(mut self, pointer: &str, value: impl Into<Self>) -> Self {
        let part = pointer::keys(pointer).fold(&mut self, |at, key| match key.parse::<usize>() {
            Ok(index) if at.is_array() => &mut at[index],
            _ => &mut at[key.as_ref()],
        });
        *part = value.into();
        self
    }
}

/// A schema whose `spec` has these properties.
pub(crate) fn schema(properties: &Value) -> Value {
    json!({"type": "object", "properties": {"spec": {"type": "object", "properties": properties}}})
}

/// A version of a definition.
pub(crate) fn version(name: &str, storage: bool, schema: &Value) -> Value {
    json!({"name": name, "served": true, "storage": storage, "schema": {"openAPIV3Schema": schema}})
}

/// The namespaced definition `things.example.com`.
pub(crate) fn definition(versions: &[Value]) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced", "names": {"plural": "things", "kind": "Thing"},
            "versions": versions,
        },
    })
}

/// The same with the version `v1` alone, of this schema.
pub(crate) fn definition_of(schema: &Value) -> Value {
    definition(&[version("v1", true, schema)])
}

/// A definition with the properties `a` (string), `n` (integer), `d` (with a default) and `m` (preserves unknown
/// fields).
pub(crate) fn things() -> Value {
    definition_of(&schema(&json!({
        "a": {"type": "string"},
        "n": {"type": "integer"},
        "d": {"type": "string", "default": "dd"},
        "m": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
    })))
}

/// The same under other names: this plural, and this kind.
pub(crate) fn renamed(definition: Value, plural: &str, kind: &str) -> Value {
    let name = format!("{plural}.{}", definition["spec"]["group"].as_str().unwrap_or_default());
    definition.with("/metadata/name", name).with("/spec/names", json!({"plural": plural, "kind": kind}))
}

/// An object of `things()`.
pub(crate) fn thing(name: &str, spec: &Value) -> Value {
    json!({"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": name}, "spec": spec})
}
