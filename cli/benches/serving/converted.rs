//! Objects that a webhook converts, over HTTPS on loopback. The webhook runs in this process, too.

use std::time::{Duration, Instant};

use crdible::scenario::Webhook;
use crdible::webhook::{Host, WebhookOptions};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::client::{self, Client};
use crate::{CLIENTS, DEFINITIONS, OBJECTS, TURNS, in_process, milliseconds, object, rate, serve, show};

const OBJECTS_V2: &str = "/apis/bench.example.com/v2/things";
const DEFINITION: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.bench.example.com";

pub(crate) async fn measure() {
    let host = Host::listening(WebhookOptions::default());
    let webhook: Webhook = serde_json::from_value(json!({ "converter": { "chain": {
        "versions": ["v1", "v2"], "steps": [[{ "rename": { "at": "spec", "from": "text", "to": "words" } }]],
    } } }))
    .expect("a webhook");
    let hook = host.registry().add(webhook.converter.clone());
    let conversion = host.conversion(hook, &webhook).expect("a listener").expect("a configuration");

    let (url, server) = serve().await;
    let versions = json!([version("v1", true, "text"), version("v2", false, "words")]);
    let patch = json!({ "spec": { "versions": versions, "conversion": conversion } });
    in_process(&server, Method::PATCH, DEFINITION, patch.to_string());
    in_process(&server, Method::POST, OBJECTS, object("a").to_string());
    let client = Client::new(CLIENTS);
    let read = format!("{url}{OBJECTS_V2}/a");
    let body = client::body(client.send(client::get(&read)).await).await;
    let read_object: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!(read_object["spec"]["words"], "some text", "{read_object}");
    let mut reads = 0.0;
    for _ in 0..TURNS {
        reads += rate(&client, |_| client::get(&read)).await;
        host.registry().take_calls(hook);
    }
    let turns = f64::from(u32::try_from(TURNS).unwrap_or(1));
    show("converted reads over TLS, requests/s", reads / turns, "at least 4,000");

    for number in 0..10_000 {
        in_process(&server, Method::POST, OBJECTS, object(&format!("x{number}")).to_string());
    }
    let list = format!("{url}{OBJECTS_V2}");
    let mut fastest = f64::INFINITY;
    for turn in 0..3 {
        host.registry().take_calls(hook);
        // A changed definition has nothing that is converted already.
        let names = json!({ "spec": { "names": { "shortNames": [format!("t{turn}")] } } });
        in_process(&server, Method::PATCH, DEFINITION, names.to_string());
        fastest = fastest.min(time(&client, &list).await);
    }
    show("list of 10,000 objects, none converted yet, ms", fastest, "under 2,000");
    show("  again, ms", time(&client, &list).await, "");
    in_process(&server, Method::DELETE, &format!("{DEFINITIONS}/things.bench.example.com"), String::new());
}

/// How long a list takes, in milliseconds.
async fn time(client: &Client, list: &str) -> f64 {
    let started = Instant::now();
    loop {
        let answer = client.send(client::get(list)).await;
        let status = answer.status();
        let length = client::body(answer).await.len();
        if status == StatusCode::OK {
            assert!(length > 1_000_000, "{length} bytes are not 10,000 objects");
            return milliseconds(started.elapsed());
        }
        assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn version(name: &str, storage: bool, text: &str) -> Value {
    let schema = json!({ "type": "object", "properties": { "spec": { "type": "object", "properties": {
        text: { "type": "string" }, "number": { "type": "integer" },
        "list": { "type": "array", "items": { "type": "string" } },
    } } } });
    json!({ "name": name, "served": true, "storage": storage, "schema": { "openAPIV3Schema": schema } })
}
