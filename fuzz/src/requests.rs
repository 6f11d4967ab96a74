//! The embedded server answers any sequence of requests without a panic, with a status code, and with a body of its
//! content type.

use bytes::Bytes;
use crdible_generators::choice::Choices;
use crdible_generators::json::Json;
use crdible_generators::value;
use crdible_reference::Server;
use crdible_semantics::Semantics;
use http::header::{ACCEPT, CONTENT_TYPE, WARNING};
use http::{HeaderMap, HeaderValue, Method, Request, Response};
use serde_json::{Value, json};

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const OBJECTS: &str = "/apis/fuzz.example.com/v1/namespaces/default/things";

/// The maximum number of requests per input.
const REQUESTS: usize = 8;
/// The maximum size of bodies that are not JSON, in bytes.
const BYTES: usize = 64;

/// Sends the requests that the bytes encode, and finally a plain one.
///
/// # Panics
/// If the server panics, or a response is inconsistent.
pub fn run(data: &[u8]) {
    let server = prepared();
    let mut choices = Choices::bytes(data);
    choices.many("request", 1, REQUESTS, |choices, _| {
        if let Some(request) = any(choices) {
            check(&server.handle(request));
        }
    });
    // No sequence of requests makes the server unavailable.
    let answer = server.handle(plain(Method::GET, "/readyz", Bytes::new()));
    assert_eq!(answer.status(), 200, "the server is no longer ready");
}

/// A server with one definition and one object.
fn prepared() -> Server {
    let server = Server::new(Semantics::UPSTREAM);
    let schema = json!({ "type": "object", "properties": {
        "spec": { "type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {
            "text": { "type": "string", "maxLength": 5, "default": "x" },
            "list": { "type": "array", "x-kubernetes-list-type": "set", "items": { "type": "integer" } },
            "replicas": { "type": "integer" },
        } },
        "status": { "type": "object", "properties": { "replicas": { "type": "integer" } } },
    } });
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "things.fuzz.example.com" },
        "spec": {
            "group": "fuzz.example.com", "scope": "Namespaced", "names": { "plural": "things", "kind": "Thing" },
            "versions": [{
                "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema },
                "subresources": { "status": {}, "scale": { "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas" } },
                "selectableFields": [{ "jsonPath": ".spec.text" }],
                "additionalPrinterColumns": [{ "name": "A", "type": "string", "jsonPath": ".spec..text" }],
            }],
        },
    });
    for (path, body) in [(DEFINITIONS, definition), (OBJECTS, object("a"))] {
        let made = server.handle(plain(Method::POST, path, body.to_string().into()));
        assert_eq!(made.status(), 201, "{:?}", made.body());
    }
    server
}

fn object(name: &str) -> Value {
    json!({ "apiVersion": "fuzz.example.com/v1", "kind": "Thing", "metadata": { "name": name }, "spec": { "list": [1, 2] } })
}

fn plain(method: Method, target: &'static str, body: Bytes) -> Request<Bytes> {
    let mut request = Request::new(body);
    *request.method_mut() = method;
    *request.uri_mut() = http::Uri::from_static(target);
    request
}

/// A request; `None` if the HTTP library does not accept it.
fn any(choices: &mut Choices) -> Option<Request<Bytes>> {
    let method = Method::from_bytes(choices.pick(METHODS).as_bytes()).ok()?;
    let target = target(choices);
    let mut headers = HeaderMap::new();
    for (name, known) in [(CONTENT_TYPE, TYPES), (ACCEPT, ACCEPTED)] {
        if choices.chance(2, 3) {
            let value = if choices.chance(1, 10) { bytes(choices) } else { choices.pick(known).as_bytes().to_vec() };
            headers.insert(name, HeaderValue::from_bytes(&value).ok()?);
        }
    }
    let mut request = Request::new(body(choices));
    *request.method_mut() = method;
    *request.uri_mut() = http::Uri::try_from(target).ok()?;
    *request.headers_mut() = headers;
    Some(request)
}

fn target(choices: &mut Choices) -> Vec<u8> {
    if choices.chance(1, 12) {
        return bytes(choices);
    }
    let mut target = choices.pick(PATHS).as_bytes().to_vec();
    choices.many("parameter", 0, 3, |choices, number| {
        target.push(if number == 0 { b'?' } else { b'&' });
        target.extend(choices.pick(PARAMETERS).as_bytes());
        if choices.chance(1, 8) {
            target.extend(bytes(choices));
        }
    });
    target
}

fn body(choices: &mut Choices) -> Bytes {
    let text = match choices.draw(5) {
        0 => return Bytes::new(),
        1 => return bytes(choices).into(),
        2 => choices.pick(PATCHES).to_string(),
        3 => {
            let mut object = object(choices.pick::<&str>(&["a", "b", ""]));
            let (at, value) = (*choices.pick(&["spec", "status", "metadata", "kind"]), value::json(choices, 3));
            object[at] = value;
            object.to_string()
        }
        4 => {
            let mut definition = json!({ "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition" });
            definition[*choices.pick(&["spec", "metadata", "status"])] = value::json(choices, 4);
            definition.to_string()
        }
        _ => Json::from(value::json(choices, 4)).to_text(),
    };
    let mut text = text.into_bytes();
    if choices.chance(1, 4) {
        // Almost valid JSON gets further into a parser than random bytes.
        let at = choices.up_to(text.len());
        match choices.draw(1) {
            0 => text.truncate(at),
            _ => text.splice(at..at, bytes(choices)).for_each(drop),
        }
    }
    text.into()
}

fn bytes(choices: &mut Choices) -> Vec<u8> {
    choices.many("byte", 0, BYTES, |choices, _| u8::try_from(choices.draw(255)).unwrap_or_default())
}

/// Checks that a body has its content type, that warnings are text, and that there was no internal failure.
fn check(answer: &Response<Bytes>) {
    let text = String::from_utf8_lossy(answer.body());
    assert!(!text.contains("processing a deeply nested value failed"), "{text}");
    let is_json =
        answer.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if is_json && !answer.body().is_empty() {
        match serde_json::from_slice::<Value>(answer.body()) {
            Ok(body) => assert!(body.is_object(), "{text}"),
            // Responses may be nested deeper than this parser supports.
            Err(error) => assert!(error.to_string().contains("recursion limit"), "{error}: {text}"),
        }
    }
    for warning in answer.headers().get_all(WARNING) {
        let text = std::str::from_utf8(warning.as_bytes());
        assert!(text.is_ok_and(|text| text.starts_with("299 - \"")), "{warning:?}");
    }
}

const METHODS: &[&str] = &["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "BREW"];

const PATHS: &[&str] = &[
    OBJECTS,
    "/apis/fuzz.example.com/v1/namespaces/default/things/a",
    "/apis/fuzz.example.com/v1/namespaces/default/things/b",
    "/apis/fuzz.example.com/v1/namespaces/default/things/a/status",
    "/apis/fuzz.example.com/v1/namespaces/default/things/a/scale",
    "/apis/fuzz.example.com/v1/things",
    "/apis/fuzz.example.com/v1",
    "/apis/fuzz.example.com",
    DEFINITIONS,
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.fuzz.example.com",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.fuzz.example.com/status",
    "/api/v1/namespaces",
    "/api/v1/namespaces/default",
    "/api/v1/namespaces/default/status",
    "/api/v1",
    "/apis",
    "/api",
    "/version",
    "/openapi/v2",
    "/openapi/v3",
    "/openapi/v3/apis/fuzz.example.com/v1",
    "/",
    "//",
    "/%zz",
    "*",
];

const PARAMETERS: &[&str] = &[
    "dryRun=All",
    "fieldValidation=Strict",
    "fieldManager=me",
    "limit=1",
    "continue=",
    "resourceVersion=",
    "resourceVersion=0",
    "resourceVersionMatch=Exact",
    "labelSelector=",
    "fieldSelector=",
    "fieldSelector=spec.text%3Dx",
    "watch=true",
    "timeoutSeconds=1",
    "pretty=true",
    "includeObject=Object",
    "propagationPolicy=Foreground",
    "gracePeriodSeconds=",
    "%ff=%00",
];

const TYPES: &[&str] = &[
    "application/json",
    "application/yaml",
    "application/merge-patch+json",
    "application/json-patch+json",
    "application/strategic-merge-patch+json",
    "application/apply-patch+yaml",
    "application/vnd.kubernetes.protobuf",
];

const ACCEPTED: &[&str] = &[
    "application/json",
    "application/yaml",
    "*/*",
    "application/json;as=Table;v=v1;g=meta.k8s.io",
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
    ";;q=,",
];

const PATCHES: &[&str] = &[
    r#"[{"op":"add","path":"/spec/a","value":1}]"#,
    r#"[{"op":"copy","from":"","path":"/spec/a"},{"op":"copy","from":"","path":"/spec/b"}]"#,
    r#"[{"op":"move","from":"/spec","path":"/spec/a"}]"#,
    r#"[{"op":"remove","path":"/metadata"}]"#,
    r#"{"metadata":{"finalizers":["a.example.com/b"]}}"#,
    r#"{"spec":{"list":[1,1]}}"#,
    r#"{"spec":null,"status":{"replicas":1e400}}"#,
    "{\"metadata\":{\"deletionTimestamp\":\"2020-01-01T00:00:00Z\"}}",
    "a: &a [*a]",
    "- - - 1",
];
