//! What a run tells of failures whose investigation it cannot finish.

use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use crdible::{
    connection::{HttpRequest, ResponseFuture, Transport},
    run::{Event, Interrupt, RunOptions, Stop},
    webhook::Registry,
};
use http::{Method, Response};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{embedded, open, sound};

/// How many new definitions a confirmation needs.
const CONFIRMATIONS: usize = 3;

/// A server that adds a key to objects, and stops answering when that has been confirmed.
#[derive(Debug)]
struct Stalls {
    inner: Arc<dyn Transport>,
    /// Whether it does so already.
    has_begun: AtomicBool,
    /// The groups of definitions that were created since a key was added first.
    groups: Mutex<Option<BTreeSet<String>>>,
}

impl Stalls {
    fn groups(&self) -> MutexGuard<'_, Option<BTreeSet<String>>> {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new definition may be one of those on which the failure is confirmed.
    fn note(&self, group: &str) {
        if let Some(groups) = self.groups().as_mut().filter(|groups| groups.len() < CONFIRMATIONS) {
            groups.insert(group.to_owned());
        }
    }

    /// Whether the failure was confirmed, and this request is not part of it.
    fn has_stalled(&self, group: &str) -> bool {
        self.groups().as_ref().is_some_and(|groups| groups.len() == CONFIRMATIONS && !groups.contains(group))
    }

    /// An object to which a key is added.
    fn with_key(&self, answer: Response<Bytes>) -> Response<Bytes> {
        let mut object: Value = serde_json::from_slice(answer.body()).unwrap_or_default();
        object["spec"]["planted"] = json!(1);
        self.groups().get_or_insert_default();
        answer.map(|_| Bytes::from(object.to_string()))
    }
}

impl Transport for Stalls {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        if *request.method() != Method::POST || !self.has_begun.load(Ordering::Relaxed) {
            return self.inner.send(request);
        }
        let sent: Value = serde_json::from_slice(request.body()).unwrap_or_default();
        let path = request.uri().path().to_owned();
        if path.ends_with("/customresourcedefinitions") {
            self.note(sent["spec"]["group"].as_str().unwrap_or_default());
            return self.inner.send(request);
        }
        if self.has_stalled(path.split('/').nth(2).unwrap_or_default()) {
            return Box::pin(std::future::pending());
        }
        Box::pin(async move {
            let answer = self.inner.send(request).await?;
            let has_fields = sent["spec"].as_object().is_some_and(|spec| spec.len() > 1);
            Ok(if has_fields && answer.status().is_success() { self.with_key(answer) } else { answer })
        })
    }

    fn webhooks(&self) -> Option<Arc<Registry>> {
        self.inner.webhooks()
    }
}

#[tokio::test(start_paused = true)]
async fn a_confirmed_failure_is_told_although_the_run_ends_while_it_is_shrunk() {
    let stalls = Arc::new(Stalls { inner: embedded(), has_begun: false.into(), groups: Mutex::default() });
    let session = open(Arc::clone(&stalls) as Arc<dyn Transport>).await;
    stalls.has_begun.store(true, Ordering::Relaxed);
    let options = RunOptions { workers: 1, time: Some(Duration::from_secs(5)), ..RunOptions::new([sound()], 100) };
    let (sender, mut events) = mpsc::unbounded_channel();
    let summary = session.run(options, sender, Interrupt::never()).await;
    assert_eq!(summary.stop, Stop::Time);
    let mut findings = Vec::new();
    while let Ok(event) = events.try_recv() {
        if let Event::Found(finding) = event {
            findings.push(finding);
        }
    }
    let confirmed = findings.iter().find(|finding| finding.reproduced == finding.attempts && finding.attempts > 1);
    let confirmed = confirmed.unwrap_or_else(|| panic!("nothing was confirmed: {findings:?}"));
    assert!(!confirmed.failed.failure.requirements.is_empty());
    assert!(!confirmed.records.is_empty(), "what was sent is shown");
    let shrinking = &confirmed.shrinking;
    assert_eq!((shrinking.stopped_by, shrinking.initial_size), ("ended", shrinking.final_size));
    assert!(shrinking.final_size > 0, "its size is compared with those of other parts of the run");
}
