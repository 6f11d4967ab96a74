//! A server that converts over HTTPS, itself served over HTTPS.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use crdible_reference::{Options, Server};
use crdible_semantics::Semantics;
use http::{Request, Response};
use serde_json::{Value, json};

use super::hook::{Hook, Received, signed};

const THINGS: &str = "/apis/example.com/v1/things";

fn rename(received: &Received) -> Response<Bytes> {
    let review: Value = serde_json::from_slice(&received.body).unwrap();
    let mut object = review["request"]["objects"][0].clone();
    let desired = review["request"]["desiredAPIVersion"].clone();
    let (from, to) = if desired == "example.com/v2" { ("a", "b") } else { ("b", "a") };
    object["spec"] = json!({ to: object["spec"][from] });
    object["apiVersion"] = desired;
    let answer = json!({
        "apiVersion": review["apiVersion"], "kind": review["kind"],
        "response": { "uid": review["request"]["uid"], "result": { "status": "Success" }, "convertedObjects": [object] },
    });
    Response::new(answer.to_string().into())
}

fn definition(hook: &Hook) -> Value {
    let version = |name: &str, field: &str| {
        json!({
            "name": name, "served": true, "storage": name == "v1",
            "schema": { "openAPIV3Schema": { "type": "object", "properties": { "spec": {
                "type": "object", "properties": { field: { "type": "string" } },
            } } } },
        })
    };
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "things.example.com" },
        "spec": {
            "group": "example.com", "scope": "Cluster", "names": { "plural": "things", "kind": "Thing" },
            "versions": [version("v1", "a"), version("v2", "b")],
            "conversion": { "strategy": "Webhook", "webhook": { "conversionReviewVersions": ["v1"], "clientConfig": {
                "url": format!("https://localhost:{}/convert", hook.address.port()), "caBundle": STANDARD.encode(&hook.ca),
            } } },
        },
    })
}

async fn send(server: &Server, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let body = if body.is_null() { Bytes::new() } else { body.to_string().into() };
    let request = Request::builder().method(method).uri(path).header("content-type", "application/json").body(body);
    let answer = server.respond(request.unwrap()).await;
    let code = answer.status().as_u16();
    let crdible_reference::Content::Whole(body) = answer.into_body() else { panic!("no watch") };
    (code, serde_json::from_slice(&body).unwrap_or_default())
}

#[tokio::test]
async fn conv_003_objects_are_converted_over_https() {
    let hook = Hook::serve(signed(&["localhost"]), rename).await;
    let server = Server::with_options(Semantics::UPSTREAM, Options::default());
    let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    assert_eq!(send(&server, "POST", path, &definition(&hook)).await.0, 201);
    let object =
        json!({ "apiVersion": "example.com/v1", "kind": "Thing", "metadata": { "name": "x" }, "spec": { "a": "1" } });
    assert_eq!(send(&server, "POST", THINGS, &object).await.0, 201);
    let (code, read) = send(&server, "GET", "/apis/example.com/v2/things/x", &Value::Null).await;
    assert_eq!((code, &read["spec"]), (200, &json!({ "b": "1" })));
    let (code, list) = send(&server, "GET", "/apis/example.com/v2/things", &Value::Null).await;
    assert_eq!((code, &list["items"][0]["spec"]), (200, &json!({ "b": "1" })));
}
