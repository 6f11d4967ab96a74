//! How many schema changes per second a server manages: replace the schema of a definition, wait until it is served,
//! and again. Most scenarios need at least one, so this bounds how many of them a run can have per second.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use crdible::connection::Transport;
use http::{Method, Request, header};
use serde_json::{Value, json};

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/// How long the changes are counted.
const TURN: Duration = Duration::from_secs(20);
/// The pause between two probes, as in a run: starts with this, and doubles each time up to a hundred times as much.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// The changes per second of this many definitions, each changed by a task of its own.
pub(crate) async fn measure(transport: Arc<dyn Transport>, definitions: usize) -> f64 {
    let mut tasks = Vec::new();
    for number in 0..definitions {
        let changing = Changing { transport: Arc::clone(&transport), group: format!("bench{number}.example.com") };
        changing.create().await;
        tasks.push(changing);
    }
    let started = Instant::now();
    let tasks: Vec<_> = tasks.into_iter().map(|changing| tokio::spawn(changing.change_until(started + TURN))).collect();
    let mut changes = 0;
    for task in tasks {
        changes += task.await.expect("no task panics");
    }
    super::per_second(changes, started.elapsed())
}

/// A definition, and how to reach it.
struct Changing {
    transport: Arc<dyn Transport>,
    group: String,
}

impl Changing {
    async fn create(&self) {
        let definition = json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": { "name": format!("things.{}", self.group) },
            "spec": {
                "group": self.group,
                "scope": "Namespaced",
                "names": { "plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList" },
                "versions": versions(0),
            },
        });
        assert_eq!(self.send(Method::POST, DEFINITIONS.to_owned(), definition).await, 201, "the definition is created");
        self.wait_for(0).await;
    }

    /// Changes the schema until then; returns how often.
    async fn change_until(self, end: Instant) -> u64 {
        let mut revision = 0;
        while Instant::now() < end {
            revision += 1;
            let path = format!("{DEFINITIONS}/things.{}", self.group);
            let patch = json!({ "spec": { "versions": versions(revision) } });
            assert_eq!(self.send(Method::PATCH, path, patch).await, 200, "the schema is changed");
            self.wait_for(revision).await;
        }
        revision
    }

    /// Waits until objects are validated by the schema of this revision.
    async fn wait_for(&self, revision: u64) {
        let mut pause = FIRST_PAUSE;
        let path = format!("/apis/{}/v1/namespaces/default/things?dryRun=All", self.group);
        let object = json!({
            "apiVersion": format!("{}/v1", self.group),
            "kind": "Thing",
            "metadata": { "name": "probe" },
            "revision": revision,
        });
        while self.send(Method::POST, path.clone(), object.clone()).await != 201 {
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Sends JSON; returns the status code.
    async fn send(&self, method: Method, path: String, body: Value) -> u16 {
        let kind = if method == Method::PATCH { "application/merge-patch+json" } else { "application/json" };
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::CONTENT_TYPE, kind)
            .body(Bytes::from(body.to_string()))
            .expect("a request");
        self.transport.send(request).await.expect("an answer").status().as_u16()
    }
}

/// One version, whose objects have no other revision than this.
fn versions(revision: u64) -> Value {
    let schema = json!({
        "type": "object",
        "properties": { "revision": { "type": "integer", "enum": [revision] } },
    });
    json!([{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } }])
}
