//! `doctor --probe` judges what can be judged, says what is lacking, and leaves nothing behind. All servers are in
//! process, and the clock is paused: what a probe waits for comes at once, or never.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use crdible::connection::{ResponseFuture, Target, TargetDescription, TargetKind, TargetOptions, Transport, connect};
use crdible::doctor::{Feature, Probe, Problem, Support, Unremoved, probe};
use crdible_spec::Catalogue;
use http::{Method, Request, Response};
use rstest::rstest;
use serde_json::{Value, json};
use tokio::time::Instant;

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// Stores whatever is written, at its path, and checks nothing.
#[derive(Debug, Default)]
struct Mock {
    stored: Mutex<BTreeMap<String, Value>>,
    does: &'static [Does],
    /// How often objects were listed.
    lists: AtomicUsize,
}

/// What a mock may do besides.
#[derive(Debug, PartialEq, Eq)]
enum Does {
    /// Definitions get the condition Established.
    Establish,
    /// Answers 404 to whatever is not about definitions.
    ServeNothing,
    /// Stores nothing on dry run.
    DryRun,
    /// Answers 200 to each DELETE.
    DeleteAnything,
    /// Loses the labels of definitions.
    LoseLabels,
    /// Objects get a uid and a resourceVersion.
    Identify,
    /// Never answers to a write.
    Hang,
    /// Answers this to a PATCH of an object.
    AnswerPatches(u16),
    /// Answers this to definitions that are invalid.
    AnswerInvalid(u16),
    /// Rejects objects with 400 and a text.
    RejectAsText,
    /// Keeps its objects whatever is deleted, apart from those that are only tried.
    KeepObjects,
    /// Answers 404 to a GET of the objects by which rates are measured.
    HideMany,
    /// Lists no objects.
    ListNothing,
    /// Answers 500 to lists of objects.
    HideLists,
}

impl Mock {
    fn that(does: &'static [Does]) -> Self {
        Self { does, ..Self::default() }
    }

    fn does(&self, what: &Does) -> bool {
        self.does.contains(what)
    }

    /// The paths of what is stored.
    fn paths(&self) -> Vec<String> {
        self.stored.lock().unwrap().keys().cloned().collect()
    }

    fn answer(&self, request: &Request<Bytes>) -> (u16, Value) {
        let (path, query) = (request.uri().path(), request.uri().query().unwrap_or_default());
        let status = |code| (code, json!({ "kind": "Status", "apiVersion": "v1", "message": "not found" }));
        let absent = || status(404);
        if path == "/version" {
            return absent();
        }
        if self.does(&Does::ServeNothing) && !path.starts_with(DEFINITIONS) {
            return absent();
        }
        let sent: Value = serde_json::from_slice(request.body()).unwrap_or_default();
        for what in self.does {
            match what {
                Does::AnswerPatches(code) if request.method() == Method::PATCH && !path.starts_with(DEFINITIONS) => {
                    return status(*code);
                }
                Does::AnswerInvalid(code) if !sent.is_null() && path == DEFINITIONS && is_invalid(&sent) => {
                    return status(*code);
                }
                Does::RejectAsText if sent["spec"]["size"] == "large" || sent["spec"]["colour"] == "blue" => {
                    return (400, json!("no"));
                }
                Does::KeepObjects if request.method() == Method::DELETE && is_kept(path) => return status(200),
                Does::HideLists if request.method() == Method::GET && path.ends_with("/things") => return status(500),
                Does::HideMany if request.method() == Method::GET && path.contains("/rate-") => return absent(),
                _ => {}
            }
        }
        let mut stored = self.stored.lock().unwrap();
        match *request.method() {
            Method::POST => {
                let mut new: Value = serde_json::from_slice(request.body()).unwrap();
                let path = format!("{path}/{}", new["metadata"]["name"].as_str().unwrap());
                if stored.contains_key(&path) {
                    return (409, json!({ "kind": "Status", "apiVersion": "v1", "message": "exists" }));
                }
                if self.does(&Does::Establish) {
                    new["status"]["conditions"] = json!([{ "type": "Established", "status": "True" }]);
                }
                if self.does(&Does::Identify) {
                    new["metadata"]["uid"] = json!(path);
                    new["metadata"]["resourceVersion"] = json!("1");
                }
                if self.does(&Does::LoseLabels) {
                    new["metadata"]["labels"].take();
                }
                if !(self.does(&Does::DryRun) && query.contains("dryRun=All")) {
                    stored.insert(path, new.clone());
                }
                (201, new)
            }
            Method::DELETE => match stored.remove(path) {
                None if !self.does(&Does::DeleteAnything) => absent(),
                _ => (200, json!({ "kind": "Status", "apiVersion": "v1", "status": "Success" })),
            },
            Method::PATCH => match stored.get_mut(path) {
                None => absent(),
                Some(found) => {
                    let patch: Value = serde_json::from_slice(request.body()).unwrap();
                    found["spec"] = patch["spec"].clone();
                    (200, found.clone())
                }
            },
            _ if path.ends_with("definitions") || path.ends_with("/things") => {
                self.lists.fetch_add(usize::from(path.ends_with("/things")), Ordering::Relaxed);
                if self.does(&Does::ListNothing) && path.ends_with("/things") {
                    return (200, json!({ "kind": "List", "apiVersion": "v1", "items": [] }));
                }
                let prefix = format!("{path}/");
                let items: Vec<_> = stored.iter().filter(|(path, _)| path.starts_with(&prefix)).collect();
                let items: Vec<_> = items.into_iter().map(|(_, item)| item).collect();
                (200, json!({ "kind": "List", "apiVersion": "v1", "items": items }))
            }
            _ => stored.get(path).map_or_else(absent, |found| (200, found.clone())),
        }
    }
}

/// Whether a definition breaks one of the rules that the probe tries.
fn is_invalid(definition: &Value) -> bool {
    let spec = &definition["spec"];
    let name = format!("{}.{}", spec["names"]["plural"].as_str().unwrap(), spec["group"].as_str().unwrap());
    let size = &spec["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["size"];
    spec["scope"].is_null()
        || definition["metadata"]["name"] != name
        || spec["versions"][0]["storage"] == false
        || size["type"].is_null()
}

/// Whether it is the path of an object by which rates are measured.
fn is_kept(path: &str) -> bool {
    path.contains("/things/rate-")
}

impl Transport for Mock {
    fn send(&self, request: Request<Bytes>) -> ResponseFuture<'_> {
        if self.does(&Does::Hang) && request.method() != Method::GET {
            return Box::pin(std::future::pending());
        }
        let (status, body) = self.answer(&request);
        let response = Response::builder().status(status).header("content-type", "application/json");
        Box::pin(std::future::ready(Ok(response.body(Bytes::from(body.to_string())).unwrap())))
    }
}

/// The result of a probe of this server.
async fn probe_of(mock: Arc<Mock>) -> Probe {
    let transport: Arc<dyn Transport> = mock;
    let description = TargetDescription { kind: TargetKind::Server, address: None, version: None };
    probe(&Target::over(transport, description), Arc::default(), std::future::pending()).await.unwrap()
}

/// The result of a probe of this server, which must be quick, and of which nothing may be left.
async fn probed(mock: Mock) -> Probe {
    let mock = Arc::new(mock);
    let begun = Instant::now();
    let probe = probe_of(Arc::clone(&mock)).await;
    assert!(begun.elapsed() < Duration::from_secs(18), "{:?}", begun.elapsed());
    assert_eq!(mock.paths(), [""; 0], "{}", probe.render());
    probe
}

/// Whether the server has a feature whose name contains `what`, and what was seen.
fn feature<'a>(probe: &'a Probe, what: &str) -> (bool, &'a str) {
    let feature = probe.features.iter().find(|feature| feature.what.contains(what));
    let feature = feature.unwrap_or_else(|| panic!("{what}: {}", probe.render()));
    (feature.works(), &feature.detail)
}

/// What became of the feature whose name contains `what`.
fn support(probe: &Probe, what: &str) -> Support {
    probe.features.iter().find(|feature| feature.what.contains(what)).unwrap().support
}

#[tokio::test(start_paused = true)]
async fn a_mock_lacks_nearly_everything_and_is_measured() {
    let probe = probed(Mock::default()).await;
    assert!(probe.problem.is_none() && probe.exit_code() == 0, "{}", probe.render());
    for what in [
        "condition Established",
        "dry run of definitions",
        "validation of definitions",
        "discovery of groups",
        "discovery of a group",
        "discovery of resources",
        "uid and resourceVersion",
        "written at v1 is read at v2",
        "dry run of objects",
        "pruning",
        "defaulting",
        "enum",
        "wrong type",
        "causes",
        "validation of updates",
        "warnings",
        "strict",
        "removed with their definition",
        "conversion webhooks",
    ] {
        assert!(!feature(&probe, what).0, "{what}: {}", probe.render());
    }
    for what in ["create", "get", "list", "merge patch", "delete", "delete of an absent"] {
        assert!(feature(&probe, what).0, "{what}: {}", probe.render());
    }
    assert!(probe.costs.established.is_none() && probe.costs.served.is_some());
    assert!(probe.costs.creates.is_some() && probe.costs.gets.is_some() && probe.costs.removed.is_some());
    let text = probe.render();
    assert!(text.contains("no   dry run of objects (REST-058): the object is stored\n"), "{text}");
    assert!(
        text.contains(
            "(CRDVAL-003, CRDVAL-001, CRDVAL-014, STRUCT-002): not rejected with 400 or 422: without scope (201"
        ),
        "{text}"
    );
    for reason in [
        "pruning of unknown fields (PRUNE-001): spec.unknown was kept\n",
        "defaulting (DEFAULT-001): spec.revision is missing\n",
        "outside an enum (VALUE-018): it was accepted with 201 Created\n",
        "  ?    causes of rejections: not tried: nothing was rejected\n",
    ] {
        assert!(text.contains(reason), "{reason} in {text}");
    }
    assert!(text.contains("no uid and no resourceVersion"), "{text}");
    assert!(text.ends_with("nothing is left behind\n"), "{text}");
}

/// A mock that does one thing more has one feature more.
#[rstest]
#[case::establishes(Mock::that(&[Does::Establish]), "condition Established", true)]
#[case::dry_runs(Mock::that(&[Does::Establish, Does::DryRun]), "dry run of objects", true)]
#[case::dry_runs_of_definitions(
    Mock::that(&[Does::Establish, Does::DryRun]),
    "dry run of definitions",
    true
)]
#[case::identifies(Mock::that(&[Does::Establish, Does::Identify]), "uid and resourceVersion", true)]
#[case::deletes_anything(
    Mock::that(&[Does::Establish, Does::DeleteAnything]),
    "delete of an absent object",
    false
)]
#[case::loses_labels(Mock::that(&[Does::Establish, Does::LoseLabels]), "create", true)]
#[tokio::test(start_paused = true)]
async fn one_feature(#[case] mock: Mock, #[case] what: &str, #[case] works: bool) {
    let probe = probed(mock).await;
    assert_eq!(feature(&probe, what).0, works, "{}", probe.render());
    assert!(probe.problem.is_none(), "{}", probe.render());
}

/// A refused or failed request says nothing about the feature; no requirement is blamed.
#[rstest]
#[case::forbidden_patch(Mock::that(&[Does::Establish, Does::AnswerPatches(403)]), "merge patch", Support::NotTried)]
#[case::failed_patch(Mock::that(&[Does::Establish, Does::AnswerPatches(500)]), "merge patch", Support::NotTried)]
#[case::patch_not_implemented(
    Mock::that(&[Does::Establish, Does::AnswerPatches(501)]),
    "merge patch",
    Support::Missing
)]
#[case::no_patch(Mock::that(&[Does::Establish, Does::AnswerPatches(405)]), "merge patch", Support::Missing)]
#[case::forbidden_definitions(
    Mock::that(&[Does::Establish, Does::AnswerInvalid(403)]),
    "validation of definitions",
    Support::NotTried
)]
#[case::failed_definitions(
    Mock::that(&[Does::Establish, Does::AnswerInvalid(500)]),
    "validation of definitions",
    Support::NotTried
)]
#[case::odd_definitions(
    Mock::that(&[Does::Establish, Does::AnswerInvalid(409)]),
    "validation of definitions",
    Support::Missing
)]
#[case::rejected_definitions(
    Mock::that(&[Does::Establish, Does::AnswerInvalid(422)]),
    "validation of definitions",
    Support::Works
)]
#[tokio::test(start_paused = true)]
async fn what_an_answer_says_of_a_feature(#[case] mock: Mock, #[case] what: &str, #[case] expected: Support) {
    let forbids = mock.does.iter().any(|does| matches!(does, Does::AnswerPatches(403) | Does::AnswerInvalid(403)));
    let probe = probed(mock).await;
    let text = probe.render();
    assert_eq!(support(&probe, what), expected, "{text}");
    assert_eq!(probe.missing_permissions.is_empty(), !forbids, "{text}");
    assert_eq!(text.contains(&format!("  ?    {what}: not tried: ")), expected == Support::NotTried, "{text}");
}

/// The code and the form of a rejection are another promise than the rejection.
#[tokio::test(start_paused = true)]
async fn a_rejection_as_text_breaks_the_form_only() {
    let probe = probed(Mock::that(&[Does::Establish, Does::RejectAsText])).await;
    for what in ["outside an enum", "wrong type", "validation of updates"] {
        assert!(feature(&probe, what).0, "{what}: {}", probe.render());
    }
    assert_eq!(feature(&probe, "causes of rejections"), (false, "rejected with 400 and no Status"));
}

#[tokio::test(start_paused = true)]
async fn an_empty_list_is_called_empty() {
    let probe = probe_of(Arc::new(Mock::that(&[Does::Establish, Does::ListNothing]))).await;
    assert_eq!(feature(&probe, "list"), (false, "the list is empty"));
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_listed_may_be_left() {
    let probe = probe_of(Arc::new(Mock::that(&[Does::Establish, Does::HideLists]))).await;
    assert_eq!(support(&probe, "removed with their definition"), Support::NotTried, "{}", probe.render());
    let text = probe.render();
    assert!(text.contains("\nthe definitions are removed, but objects may be left without them: GET "), "{text}");
    assert_eq!(probe.exit_code(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_rate_of_refusals_is_not_measured() {
    let probe = probed(Mock::that(&[Does::Establish, Does::HideMany])).await;
    assert!(probe.costs.creates.is_some() && probe.costs.gets.is_none(), "{}", probe.render());
    assert_eq!(probe.exit_code(), 0, "{}", probe.render());
    assert!(feature(&probe, "removed with their definition").1.contains("removed them one by one"));
}

#[tokio::test(start_paused = true)]
async fn objects_that_cannot_be_removed_are_left_and_told() {
    let mock = Arc::new(Mock::that(&[Does::Establish, Does::KeepObjects]));
    let probe = probe_of(Arc::clone(&mock)).await;
    let Err(Unremoved::Objects { count, collection }) = &probe.cleaned else { panic!("{}", probe.render()) };
    assert_eq!(*count, mock.paths().len());
    assert!(collection.ends_with("/v1/things"), "{collection}");
    let text = probe.render();
    assert!(text.contains(" were still there; the probe could remove 0 of them\n"), "{text}");
    assert!(text.ends_with(&format!("see GET {collection}\n")) && !text.contains("--clean"), "{text}");
    assert_eq!(probe.exit_code(), 4);
    assert!(mock.lists.load(Ordering::Relaxed) < 40, "the server is not flooded: {:?}", mock.lists);
}

#[tokio::test(start_paused = true)]
async fn objects_that_are_never_served_end_the_probe_after_what_can_be_tried() {
    let probe = probed(Mock::that(&[Does::ServeNothing])).await;
    assert!(matches!(&probe.problem, Some(Problem::NotServed { seen, .. }) if seen.contains("404")), "{probe:?}");
    assert_eq!(probe.exit_code(), 3);
    assert!(!feature(&probe, "dry run of definitions").0);
    let text = probe.render();
    assert!(text.contains("ended early: no object of the definition was accepted"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_write_without_answer_ends_the_probe() {
    let probe = probed(Mock::that(&[Does::Hang])).await;
    assert!(matches!(probe.problem, Some(Problem::Target(_))), "{probe:?}");
    assert_eq!(probe.exit_code(), 3);
}

#[tokio::test(start_paused = true)]
async fn the_embedded_server_has_every_feature() {
    let target = connect(&TargetOptions::default()).await.unwrap();
    let probe = probe(&target, Arc::default(), std::future::pending()).await.unwrap();
    assert!(probe.features.len() >= 25, "{}", probe.render());
    assert!(probe.features.iter().all(Feature::works), "{}", probe.render());
    assert!(probe.costs.established.is_some() && probe.costs.schema_change.is_some(), "{}", probe.render());
}

#[tokio::test(start_paused = true)]
async fn every_named_requirement_exists() {
    let probe = probed(Mock::that(&[Does::Establish])).await;
    for feature in &probe.features {
        assert!(!feature.requirements.is_empty(), "{feature:?}");
        for requirement in &feature.requirements {
            assert!(Catalogue::embedded().iter().any(|known| known.id.to_string() == **requirement), "{feature:?}");
        }
    }
}
