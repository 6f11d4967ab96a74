//! Objects of a scenario must not show in the scenarios that use its definitions next, whatever a server answers.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU32, Ordering},
};

use bytes::Bytes;
use crdible::{
    connection::{HttpRequest, Transport, TransportError},
    properties,
};
use http::{Method, Response, StatusCode};
use rstest::rstest;
use serde_json::Value;

use super::{DEFINITIONS, behind_rule, embedded, instead, list, open_patiently, run};

/// What a server does wrong with objects.
#[derive(Clone, Copy, Debug)]
enum Quirk {
    /// The answer to the creation of some objects is unreadable.
    UnreadableAnswers,
    /// Finalizers cannot be removed.
    KeepsFinalizers,
    /// The answer to a deletion does not say that the object has finalizers.
    DeletesInSilence,
    /// An update of an object that does not exist creates it, and is answered like any other.
    CreatesWhatIsUpdated,
}

impl Quirk {
    /// The answer to a request that the server treats wrongly.
    async fn answer(
        self,
        server: &dyn Transport,
        request: &HttpRequest,
    ) -> Result<Option<Response<Bytes>>, TransportError> {
        let (method, body) = (request.method(), request.body().as_ref());
        match self {
            Self::UnreadableAnswers if *method == Method::POST && String::from_utf8_lossy(body).contains("w0:") => {
                let answered = server.send(request.clone()).await?;
                Ok(Some(answered.map(|_| Bytes::from_static(b"m: ["))))
            }
            Self::KeepsFinalizers if body == br#"{"metadata":{"finalizers":null}}"# => {
                Ok(Some(with_status(Response::new(Bytes::from_static(b"{}")), 422)))
            }
            Self::DeletesInSilence if *method == Method::DELETE => {
                let answered = server.send(request.clone()).await?;
                let success = Bytes::from_static(br#"{"kind":"Status","status":"Success"}"#);
                Ok(answered.status().is_success().then(|| answered.map(|_| success)))
            }
            Self::CreatesWhatIsUpdated if *method == Method::PUT => {
                let answered = server.send(request.clone()).await?;
                if answered.status() != 404 {
                    return Ok(Some(answered));
                }
                let (mut head, body) = request.clone().into_parts();
                let collection = head.uri.path().rsplit_once('/').map_or("", |(collection, _)| collection);
                (head.method, head.uri) = (Method::POST, collection.parse().expect("a path is a URI"));
                let created = server.send(HttpRequest::from_parts(head, body)).await?;
                Ok(Some(if created.status() == 201 { with_status(created, 200) } else { created }))
            }
            _ => Ok(None),
        }
    }
}

fn with_status(mut answer: Response<Bytes>, status: u16) -> Response<Bytes> {
    *answer.status_mut() = StatusCode::from_u16(status).expect("a valid code");
    answer
}

#[rstest]
#[case(Quirk::UnreadableAnswers, "rest-011-words")]
#[case(Quirk::KeepsFinalizers, "rest-023-label-selectors")]
#[case(Quirk::DeletesInSilence, "rest-023-label-selectors")]
#[case(Quirk::CreatesWhatIsUpdated, "rest-029-refused-writes")]
#[tokio::test]
async fn nothing_is_left_where_it_would_show(#[case] quirk: Quirk, #[case] property: &str) {
    let server = embedded();
    let (misbehaves, times) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicU32::new(0)));
    let (goes_on, counted) = (Arc::clone(&misbehaves), Arc::clone(&times));
    let session = open_patiently(behind_rule(Arc::clone(&server), move |server, request| {
        if !goes_on.load(Ordering::Relaxed) || request.uri().path().starts_with(DEFINITIONS) {
            return None;
        }
        let (server, request, counted) = (Arc::clone(server), request.clone(), Arc::clone(&counted));
        Some(instead(async move {
            if let Some(answer) = quirk.answer(&*server, &request).await? {
                counted.fetch_add(1, Ordering::Relaxed);
                return Ok(answer);
            }
            server.send(request).await
        }))
    }))
    .await;
    let (summary, _) = run(&session, properties::find(property).expect("a property"), 60).await;
    assert!(summary.cases[property] > 0, "{summary:?}");
    assert!(times.load(Ordering::Relaxed) > 0);
    let collections = collections_in_use(&*server).await;
    assert_ne!(collections, Vec::<String>::new(), "later scenarios may use some");
    for collection in collections {
        assert_eq!(list(&*server, &collection).await, Vec::<Value>::new(), "{collection}");
    }
    misbehaves.store(false, Ordering::Relaxed);
    assert_eq!(session.close().await, []);
}

/// The objects of the definitions that later scenarios may use: those that are not being removed.
async fn collections_in_use(server: &dyn Transport) -> Vec<String> {
    let definitions = list(server, DEFINITIONS).await;
    let of_definition = |definition: &Value| {
        let spec = &definition["spec"];
        let served = spec["versions"].as_array()?.iter().find(|version| version["served"] == true)?;
        let is_going = definition["metadata"].get("deletionTimestamp").is_some();
        let [group, version, plural] =
            [&spec["group"], &served["name"], &spec["names"]["plural"]].map(|name| name.as_str().unwrap_or_default());
        (!is_going).then(|| format!("/apis/{group}/{version}/{plural}"))
    };
    definitions.iter().filter_map(of_definition).collect()
}

/// Whether a request takes the rules from a definition, or installs one without any.
fn is_without_rules(request: &HttpRequest) -> bool {
    let body = String::from_utf8_lossy(request.body());
    matches!(*request.method(), Method::PUT | Method::PATCH)
        && request.uri().path().starts_with(DEFINITIONS)
        && body.contains("openAPIV3Schema")
        && !body.contains("x-kubernetes-validations")
}

#[tokio::test]
async fn objects_that_no_update_may_change_are_removed_at_the_end() {
    let server = embedded();
    let fails = Arc::new(AtomicBool::new(false));
    let goes_on = Arc::clone(&fails);
    let session = open_patiently(behind_rule(Arc::clone(&server), move |_, request| {
        let is_lost = goes_on.load(Ordering::Relaxed) && is_without_rules(request);
        is_lost.then(|| instead(async { Ok(with_status(Response::new(Bytes::new()), 500)) }))
    }))
    .await;
    fails.store(true, Ordering::Relaxed);
    run(&session, properties::find("cel-027-deletions").expect("a property"), 60).await;
    let definitions = list(&*server, DEFINITIONS).await;
    let are_held = definitions.iter().any(|definition| definition["metadata"].get("deletionTimestamp").is_some());
    assert!(are_held, "{definitions:?}");
    fails.store(false, Ordering::Relaxed);
    assert_eq!(session.close().await, []);
}
