//! Shared by the integration tests: an in-process server, requests in one line, and a definition.

use bytes::Bytes;
use crdible_reference::{Options, Server};
use crdible_semantics::{Release, Semantics};
use http::Request;
use serde_json::{Value, json};

/// The path of definitions.
pub(crate) const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/// The path of the objects of `things()`.
pub(crate) const THINGS: &str = "/apis/example.com/v1/namespaces/default/things";

/// An in-process server.
pub(crate) struct Target(pub Server);

/// A response.
#[derive(Debug, PartialEq)]
pub(crate) struct Answer {
    pub code: u16,
    pub warnings: Vec<String>,
    /// The parsed body; null if it is not JSON.
    pub body: Value,
    pub text: String,
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
        let target = Self::new();
        target.install(definition);
        target
    }

    pub(crate) fn install(&self, definition: &Value) {
        let answer = self.post(DEFINITIONS, definition);
        assert_eq!(answer.code, 201, "{answer:?}");
    }

    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<Bytes>) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = self.0.handle(request.body(body.into()).expect("a well-formed request"));
        let warnings = response.headers().get_all("warning").iter();
        Answer {
            code: response.status().as_u16(),
            warnings: warnings.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect(),
            body: serde_json::from_slice(response.body()).unwrap_or_default(),
            text: String::from_utf8_lossy(response.body()).into_owned(),
        }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], "")
    }

    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, &[], "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, &[("content-type", "application/json")], body.to_string())
    }

    pub(crate) fn put(&self, path: &str, body: &Value) -> Answer {
        self.send("PUT", path, &[("content-type", "application/json")], body.to_string())
    }

    /// Sends a merge patch.
    pub(crate) fn merge(&self, path: &str, body: &Value) -> Answer {
        self.send("PATCH", path, &[("content-type", "application/merge-patch+json")], body.to_string())
    }

    /// Sends a JSON patch.
    pub(crate) fn json_patch(&self, path: &str, body: &Value) -> Answer {
        self.send("PATCH", path, &[("content-type", "application/json-patch+json")], body.to_string())
    }
}

impl Answer {
    /// The field and the reason, without `FieldValue`, of all causes, sorted.
    pub(crate) fn causes(&self) -> Vec<(String, String)> {
        let causes = self.body["details"]["causes"].as_array().cloned().unwrap_or_default();
        let text = |cause: &Value, key: &str| cause[key].as_str().unwrap_or_default().replace("FieldValue", "");
        let mut causes: Vec<_> = causes.iter().map(|cause| (text(cause, "field"), text(cause, "reason"))).collect();
        causes.sort();
        causes
    }

    pub(crate) fn reason(&self) -> &str {
        self.body["reason"].as_str().unwrap_or_default()
    }

    pub(crate) fn version(&self) -> String {
        self.body["metadata"]["resourceVersion"].as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn generation(&self) -> i64 {
        self.body["metadata"]["generation"].as_i64().unwrap_or_default()
    }

    /// The names of the items of a list.
    pub(crate) fn names(&self) -> Vec<&str> {
        let items = self.body["items"].as_array().map(Vec::as_slice).unwrap_or_default();
        items.iter().filter_map(|item| item["metadata"]["name"].as_str()).collect()
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

/// A definition with the properties `a` (string), `n` (integer), `d` (with a default) and `m` (preserves unknown
/// fields).
pub(crate) fn things() -> Value {
    definition(&[version(
        "v1",
        true,
        &schema(&json!({
            "a": {"type": "string"},
            "n": {"type": "integer"},
            "d": {"type": "string", "default": "dd"},
            "m": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
        })),
    )])
}

/// An object of `things()`.
pub(crate) fn thing(name: &str, spec: &Value) -> Value {
    json!({"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": name}, "spec": spec})
}
