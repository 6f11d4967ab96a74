//! A watch in process that is read event by event.

use std::time::Duration;

use crdible_reference::{Content, Watch};
use http::Request;
use serde_json::Value;
use tokio::time::timeout;

use crate::support::{LONG, Target};

/// An open watch that is read event by event.
pub(crate) struct Events {
    watch: Watch,
    lines: Vec<Value>,
}

/// Opens a watch.
pub(crate) fn open(target: &Target, path: &str) -> Events {
    Events::open(target, "GET", path, &[])
}

impl Events {
    /// Opens a watch with another method, or with headers.
    pub(crate) fn open(target: &Target, method: &str, path: &str, headers: &[(&str, &str)]) -> Self {
        let request = Request::builder().method(method).uri(path);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let (head, content) = target.0.open(request.body(bytes::Bytes::new()).unwrap()).into_parts();
        assert_eq!(head.status, 200, "{content:?}");
        let Content::Events(watch) = content else { panic!("a watch is a stream: {content:?}") };
        Self { watch: *watch, lines: Vec::new() }
    }

    /// The next event; `None` at the end of the stream.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        if self.lines.is_empty() {
            let events = timeout(LONG, self.watch.next()).await.expect("an event in time")?;
            self.lines = serde_json::Deserializer::from_slice(&events).into_iter().map(Result::unwrap).collect();
            assert!(events.ends_with(b"\n"), "each event is a line");
        }
        Some(self.lines.remove(0))
    }

    /// The type and the name of the next event, and its object: `ADDED a`.
    pub(crate) async fn next_object(&mut self) -> (String, Value) {
        let event = self.next().await.expect("the watch continues");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let name = text(&event["object"]["metadata"]["name"]);
        (format!("{} {name}", text(&event["type"])).trim().to_owned(), event["object"].clone())
    }

    /// The type, the name and the revision of the next event: `ADDED a 7`.
    pub(crate) async fn next_summary(&mut self) -> String {
        let (what, object) = self.next_object().await;
        format!("{what} {}", object["metadata"]["resourceVersion"].as_str().unwrap_or_default())
    }

    /// Whether nothing comes for this time.
    pub(crate) async fn is_silent_for(&mut self, time: Duration) -> bool {
        self.lines.is_empty() && timeout(time, self.watch.next()).await.is_err()
    }

    pub(crate) async fn is_silent(&mut self) -> bool {
        self.is_silent_for(LONG).await
    }
}
