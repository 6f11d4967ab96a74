//! `doctor --probe` says what a server can do, measures what can be measured, and leaves nothing behind. All servers are
//! in process, and the clock is paused: what a probe waits for comes at once, or never.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use crdible::connection::{
    RequestSummary, ResponseFuture, Target, TargetDescription, TargetKind, TargetOptions, Transport, TransportError,
    connect,
};
use crdible::doctor::{Measured, Probe, Problem, Unremoved, probe};
use crdible::properties::Capability;
use crdible::run::{Interrupt, Setup, Support};
use crdible_spec::Catalogue;
use http::{Method, Request, Response};
use rstest::rstest;
use serde_json::{Value, json};

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// How long a request waits for its answer.
const REQUEST: Duration = Duration::from_secs(30);

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
                Does::RejectAsText if sent["spec"]["a"] == "text" || sent["spec"]["c"] == "blue" => {
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
                let mut new = sent;
                // It reads JSON only, and generates no names.
                let Some(name) = new["metadata"]["name"].as_str() else { return status(415) };
                let path = format!("{path}/{name}");
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
                    found["spec"] = sent["spec"].clone();
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

/// Whether a definition has no scope that exists.
fn is_invalid(definition: &Value) -> bool {
    !["Cluster", "Namespaced"].iter().any(|scope| definition["spec"]["scope"] == *scope)
}

/// Whether it is the path of an object by which a capability was tried.
fn is_of_capability(path: &str) -> bool {
    path.contains("/things/x")
}

/// Whether it is the path of an object by which rates are measured.
fn is_kept(path: &str) -> bool {
    path.contains("/things/rate-")
}

impl Transport for Mock {
    fn send(&self, request: Request<Bytes>) -> ResponseFuture<'_> {
        if self.does(&Does::Hang) && request.method() != Method::GET {
            let place = RequestSummary::new("http://mock", request.method(), request.uri());
            return Box::pin(async {
                // As long as a connection waits for an answer.
                tokio::time::sleep(REQUEST).await;
                Err(TransportError::Timeout { place, after: REQUEST })
            });
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
    let target = Target::over(transport, description);
    probe(&target, &setup(&target), Interrupt::never()).await.unwrap()
}

fn setup(target: &Target) -> Setup {
    Setup { patience: Duration::from_secs(5), ..Setup::of(target) }
}

/// The result of a probe of this server, of which nothing may be left, except that a server that keeps objects without
/// their definition also keeps what its dry runs stored, as after a run.
async fn probed(mock: Mock) -> Probe {
    let mock = Arc::new(mock);
    let probe = probe_of(Arc::clone(&mock)).await;
    let mut left = mock.paths();
    if !mock.does(&Does::DryRun) {
        left.retain(|path| !is_of_capability(path));
    }
    assert_eq!(left, [""; 0], "{}", probe.render());
    probe
}

/// What the probe says of a capability.
fn support(probe: &Probe, wanted: Capability) -> &Support {
    let capabilities = probe.capabilities.as_ref().unwrap_or_else(|_| panic!("{}", probe.render()));
    &capabilities.iter().find(|(capability, _)| *capability == wanted).unwrap().1
}

/// What was seen instead of a success of the measurement.
fn failure<'a>(probe: &'a Probe, what: &str) -> &'a str {
    let Some(Measured::Failed(seen)) = probe.measured(what) else { panic!("{what}: {}", probe.render()) };
    seen
}

fn is_measured(probe: &Probe, what: &str) -> bool {
    matches!(probe.measured(what), Some(Measured::Time(_) | Measured::Rate(_)))
}

#[tokio::test(start_paused = true)]
async fn a_mock_lacks_nearly_everything_and_is_measured() {
    let probe = probed(Mock::default()).await;
    let text = probe.render();
    assert!(probe.problem.is_none() && probe.exit_code() == 0, "{text}");
    for capability in [
        Capability::DefinitionDryRun,
        Capability::ObjectDryRun,
        Capability::DefinitionDefaults,
        Capability::DefinitionValidation,
        Capability::Validation,
        Capability::Pruning,
        Capability::Defaulting,
        Capability::FieldValidation,
        Capability::Conditions,
        Capability::StoredVersions,
        Capability::Discovery,
        Capability::Versions,
        Capability::OpenApiV3,
    ] {
        assert!(matches!(support(&probe, capability), Support::Missing(_)), "{capability}: {text}");
    }
    for (capability, basis) in [
        (Capability::UpdateValidation, Capability::Validation),
        (Capability::Causes, Capability::DefinitionValidation),
        (Capability::NameConflicts, Capability::Conditions),
        (Capability::AggregatedDiscovery, Capability::Discovery),
    ] {
        assert_eq!(*support(&probe, capability), Support::Implied(basis), "{capability}: {text}");
    }
    for capability in [Capability::Definitions, Capability::Serving, Capability::Storing] {
        assert_eq!(*support(&probe, capability), Support::Whole, "{capability}: {text}");
    }
    for what in ["definition created until the first object is accepted", "one get", "one list", "one merge patch"] {
        assert!(is_measured(&probe, what), "{what}: {text}");
    }
    assert!(is_measured(&probe, "creates") && is_measured(&probe, "gets"), "{text}");
    assert!(is_measured(&probe, "definition deleted until gone"), "{text}");
    assert!(failure(&probe, "definition created until Established").starts_with("not within "), "{text}");
    assert!(failure(&probe, "definition created until discovery lists it").contains("GET /apis returned 404"));
    assert_eq!(failure(&probe, "one create"), "a created object has no uid and no resourceVersion");
    assert!(failure(&probe, "objects left without their definition").contains("removed them one by one"), "{text}");
    for line in [
        "  no   dry runs of objects (REST-058): a dry run of an object is not accepted, stores it, or does not end like the real request",
        "  no   pruning (PRUNE-001): an undeclared field is not pruned",
        "  ?    causes of rejections: not tried: it needs validation of definitions\n",
        "  yes  storage of objects\n",
        "  schema changed until served: not measured\n",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert!(text.ends_with("nothing is left behind\n"), "{text}");
}

/// A mock that does one thing more has one capability more.
#[rstest]
#[case::establishes(Mock::that(&[Does::Establish]), Capability::Conditions)]
#[case::dry_runs(Mock::that(&[Does::Establish, Does::DryRun]), Capability::ObjectDryRun)]
#[case::dry_runs_of_definitions(Mock::that(&[Does::Establish, Does::DryRun]), Capability::DefinitionDryRun)]
#[case::loses_labels(Mock::that(&[Does::Establish, Does::LoseLabels]), Capability::Serving)]
#[tokio::test(start_paused = true)]
async fn one_capability(#[case] mock: Mock, #[case] capability: Capability) {
    let probe = probed(mock).await;
    assert_eq!(*support(&probe, capability), Support::Whole, "{}", probe.render());
    assert!(probe.problem.is_none(), "{}", probe.render());
}

/// What a request is answered with, if not with a success.
#[rstest]
#[case::identifies(Mock::that(&[Does::Establish, Does::Identify]), "one create", None)]
#[case::deletes(Mock::that(&[Does::Establish]), "one delete", None)]
#[case::deletes_anything(
    Mock::that(&[Does::Establish, Does::DeleteAnything]),
    "one delete",
    Some("a second one is no 404: DELETE ")
)]
#[case::forbidden_patch(Mock::that(&[Does::Establish, Does::AnswerPatches(403)]), "one merge patch", Some("403"))]
#[case::failed_patch(Mock::that(&[Does::Establish, Does::AnswerPatches(500)]), "one merge patch", Some("500"))]
#[case::no_patch(Mock::that(&[Does::Establish, Does::AnswerPatches(405)]), "one merge patch", Some("405"))]
#[case::establishes(Mock::that(&[Does::Establish]), "definition created until Established", None)]
#[tokio::test(start_paused = true)]
async fn one_request(#[case] mock: Mock, #[case] what: &str, #[case] seen: Option<&str>) {
    let forbids = mock.does.iter().any(|does| matches!(does, Does::AnswerPatches(403)));
    let probe = probed(mock).await;
    match seen {
        None => assert!(is_measured(&probe, what), "{}", probe.render()),
        Some(seen) => assert!(failure(&probe, what).contains(seen), "{}", probe.render()),
    }
    assert_eq!(probe.missing_permissions.iter().any(|request| request.starts_with("PATCH /apis/")), forbids);
}

/// Of a capability that a server has in part, what is wrong is said, too.
#[tokio::test(start_paused = true)]
async fn a_capability_in_part_is_said_to_be_so() {
    let probe = probed(Mock::that(&[Does::Establish, Does::AnswerInvalid(422)])).await;
    let text = probe.render();
    assert!(matches!(support(&probe, Capability::DefinitionValidation), Support::Partial(_)), "{text}");
    assert!(text.contains("  some validation of definitions (CRDVAL-"), "{text}");
}

/// The code and the form of a rejection are another promise than the rejection. What is accepted does not have them.
#[tokio::test(start_paused = true)]
async fn a_rejection_as_text_breaks_the_form_only() {
    let probe = probed(Mock::that(&[Does::Establish, Does::RejectAsText])).await;
    assert!(matches!(support(&probe, Capability::Validation), Support::Partial(_)), "{}", probe.render());
    assert!(matches!(support(&probe, Capability::Causes), Support::Missing(_)), "{}", probe.render());
}

#[tokio::test(start_paused = true)]
async fn an_empty_list_is_called_empty() {
    let probe = probe_of(Arc::new(Mock::that(&[Does::Establish, Does::ListNothing]))).await;
    assert_eq!(failure(&probe, "one list"), "the list is empty");
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_listed_may_be_left() {
    let probe = probe_of(Arc::new(Mock::that(&[Does::Establish, Does::HideLists]))).await;
    let text = probe.render();
    assert!(failure(&probe, "objects left without their definition").contains("500"), "{text}");
    assert!(text.contains("\nthe definitions are removed, but objects may be left without them: GET "), "{text}");
    assert_eq!(probe.exit_code(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_rate_of_refusals_is_not_measured() {
    let probe = probed(Mock::that(&[Does::Establish, Does::HideMany])).await;
    assert!(is_measured(&probe, "creates") && failure(&probe, "gets").starts_with("not measured: "));
    assert_eq!(probe.exit_code(), 0, "{}", probe.render());
    assert!(failure(&probe, "objects left without their definition").contains("removed them one by one"));
}

#[tokio::test(start_paused = true)]
async fn objects_that_cannot_be_removed_are_left_and_told() {
    let mock = Arc::new(Mock::that(&[Does::Establish, Does::KeepObjects]));
    let probe = probe_of(Arc::clone(&mock)).await;
    let Err(Unremoved::Objects { count, collection }) = &probe.cleaned else { panic!("{}", probe.render()) };
    assert_eq!(*count, mock.paths().iter().filter(|path| !is_of_capability(path)).count());
    assert!(collection.ends_with("/v1/things"), "{collection}");
    let text = probe.render();
    assert!(text.contains(" were still there (LIFE-015); the probe could remove 1 of them\n"), "{text}");
    assert!(text.ends_with(&format!("see GET {collection}\n")) && !text.contains("--clean"), "{text}");
    assert_eq!(probe.exit_code(), 4);
    assert!(mock.lists.load(Ordering::Relaxed) < 60, "the server is not flooded: {:?}", mock.lists);
}

#[tokio::test(start_paused = true)]
async fn objects_that_are_never_served_end_the_probe_after_what_can_be_tried() {
    let probe = probed(Mock::that(&[Does::ServeNothing])).await;
    let text = probe.render();
    assert!(matches!(&probe.problem, Some(Problem::NotServed { seen, .. }) if seen.contains("404")), "{probe:?}");
    assert_eq!(probe.exit_code(), 3);
    assert!(matches!(support(&probe, Capability::Serving), Support::Missing(_)), "{text}");
    assert!(matches!(support(&probe, Capability::DefinitionDryRun), Support::Missing(_)), "{text}");
    assert!(text.contains("ended early: no object of the definition was accepted"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_write_without_answer_ends_the_probe() {
    let probe = probed(Mock::that(&[Does::Hang])).await;
    assert!(matches!(probe.problem, Some(Problem::Target(_))), "{probe:?}");
    assert_eq!(probe.exit_code(), 3);
}

#[tokio::test(start_paused = true)]
async fn the_embedded_server_has_every_capability() {
    let target = connect(&TargetOptions::default()).await.unwrap();
    let probe = probe(&target, &setup(&target), Interrupt::never()).await.unwrap();
    let text = probe.render();
    let capabilities = probe.capabilities.as_ref().unwrap();
    assert_eq!(capabilities.len(), Capability::all().count(), "{text}");
    assert!(capabilities.iter().all(|(_, support)| *support == Support::Whole), "{text}");
    assert!(probe.measured.iter().all(|measured| !matches!(measured.result, Measured::Failed(_))), "{text}");
    assert!(!text.contains("not measured"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn every_named_requirement_exists() {
    let probe = probed(Mock::that(&[Does::Establish])).await;
    let named = probe.capabilities.iter().flatten().filter_map(|(_, support)| match support {
        Support::Partial(failure) | Support::Missing(failure) => Some(&failure.requirements),
        Support::Whole | Support::Implied(_) | Support::Excused(_) => None,
    });
    for requirements in named {
        assert!(!requirements.is_empty(), "{}", probe.render());
        for requirement in requirements {
            assert!(Catalogue::embedded().iter().any(|known| known.id.to_string() == **requirement), "{requirement}");
        }
    }
}
