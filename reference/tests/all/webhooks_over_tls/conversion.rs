//! A server that converts over HTTPS, itself served over HTTPS.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{Request, Response};
use serde_json::{Value, json};

use super::hook::{Hook, signed};
use crate::support::{DEFINITIONS, JSON, THING_V2, THINGS, THINGS_V2, Target, With};
use crate::webhooks::hook::{at_v1, converted, right};

/// Sends a request, and waits for the answer on the runtime that also serves the webhook. Null stands for no body.
async fn send(target: &Target, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let body = if body.is_null() { Bytes::new() } else { body.to_string().into() };
    let request = Request::builder().method(method).uri(path).header("content-type", JSON);
    let answer = target.0.respond(request.body(body).unwrap()).await;
    let code = answer.status().as_u16();
    let crdible_reference::Content::Whole(body) = answer.into_body() else { panic!("no watch") };
    (code, serde_json::from_slice(&body).unwrap_or_default())
}

#[tokio::test]
async fn conv_003_objects_are_converted_over_https() {
    let hook = Hook::serve(signed(&["localhost"]), |received| {
        let review: Value = serde_json::from_slice(&received.body).unwrap();
        Response::new(Bytes::from(right(&review).to_string()))
    })
    .await;
    let target = Target::new();
    let url = format!("https://localhost:{}/convert", hook.address.port());
    let config = json!({ "url": url, "caBundle": STANDARD.encode(&hook.ca) });
    let definition = converted().with("/spec/conversion/webhook/clientConfig", config);
    assert_eq!(send(&target, "POST", DEFINITIONS, &definition).await.0, 201);
    assert_eq!(send(&target, "POST", THINGS, &at_v1("a", "1")).await.0, 201);
    let (code, read) = send(&target, "GET", THING_V2, &Value::Null).await;
    assert_eq!((code, &read["spec"]), (200, &json!({ "hostname": "1" })));
    let (code, list) = send(&target, "GET", THINGS_V2, &Value::Null).await;
    assert_eq!((code, &list["items"][0]["spec"]), (200, &json!({ "hostname": "1" })));
}
