//! What a killed run left is removed, and nothing else ever.
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use crdible::connection::{ResponseFuture, Target, TargetDescription, TargetError, TargetKind, Transport};
use crdible::created::CreatedObject;
use crdible::doctor::{CleanScope, Problem, clean, diagnose, probe};
use crdible::marks::{ALIVE_FOR, ALIVE_UNTIL, RUN_LABEL, alive_until};
use crdible::run::{Interrupt, Setup};
use http::{Method, Request, Response};
use jiff::Timestamp;
use rstest::rstest;
use serde_json::{Value, json};

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// Definitions in memory, served badly on demand.
#[derive(Debug, Default)]
struct Store {
    definitions: Mutex<BTreeMap<String, Value>>,
    log: Mutex<Vec<String>>,
    /// Lists everything, regardless of the selector.
    ignores_selectors: bool,
    /// Answers 200 to each DELETE, whether there was something or not.
    deletes_anything: bool,
    /// Deleted definitions stay, terminating.
    never_deletes: bool,
    /// Pages of this many items.
    page: Option<usize>,
    /// Knows no `continue`: each page is the first one, of this many items.
    first_page: Option<usize>,
    /// How long a GET of one definition takes.
    slow: Option<Duration>,
    /// Paths that are never answered.
    hangs: &'static [&'static str],
    /// Method that is forbidden.
    forbids: Option<Method>,
    /// The owner extends the time in the annotation just before the first deletion arrives.
    revives: Mutex<bool>,
}

fn definition(name: &str, run: Option<&str>, until: Option<&str>, age: Duration) -> Value {
    let created = Timestamp::now().checked_sub(age).unwrap();
    let mut metadata = json!({
        "name": name, "uid": format!("uid-{name}"), "resourceVersion": "1",
        "creationTimestamp": format!("{created:.0}"), "labels": {}, "annotations": {},
    });
    if let Some(run) = run {
        metadata["labels"][RUN_LABEL] = json!(run);
    }
    if let Some(until) = until {
        metadata["annotations"][ALIVE_UNTIL] = json!(until);
    }
    json!({ "metadata": metadata, "spec": { "group": "a.b", "names": { "plural": name }, "versions": [] } })
}

/// An RFC 3339 time this number of seconds from now.
fn from_now(seconds: i64) -> String {
    format!("{:.0}", Timestamp::now().checked_add(jiff::SignedDuration::from_secs(seconds)).unwrap())
}

const OLD: Duration = Duration::from_secs(3600);

impl Store {
    fn with(definitions: impl IntoIterator<Item = Value>) -> Self {
        let store = Self::default();
        for definition in definitions {
            let name = definition["metadata"]["name"].as_str().unwrap().to_owned();
            store.definitions.lock().unwrap().insert(name, definition);
        }
        store
    }

    fn names(&self) -> Vec<String> {
        self.definitions.lock().unwrap().keys().cloned().collect()
    }

    fn answer(&self, request: &Request<Bytes>) -> (u16, Value) {
        let path = request.uri().path();
        self.log.lock().unwrap().push(format!("{} {}", request.method(), request.uri()));
        let status = |code: u16| (code, json!({ "kind": "Status", "apiVersion": "v1", "message": "no" }));
        if self.forbids.as_ref() == Some(request.method()) {
            return status(403);
        }
        match (request.method(), path) {
            (&Method::GET, "/version") => (200, json!({ "gitVersion": "v1.36.3", "minor": "36" })),
            (&Method::GET, "/apis/apiextensions.k8s.io/v1") => (
                200,
                json!({ "kind": "APIResourceList", "resources": [{ "name": "customresourcedefinitions", "verbs": [] }] }),
            ),
            (&Method::GET, DEFINITIONS) => self.list(request.uri().query().unwrap_or_default()),
            (&Method::POST, DEFINITIONS) => {
                let mut new: Value = serde_json::from_slice(request.body()).unwrap();
                let name = new["metadata"]["name"].as_str().unwrap().to_owned();
                new["metadata"]["uid"] = json!(format!("uid-{name}"));
                self.definitions.lock().unwrap().insert(name, new.clone());
                (201, new)
            }
            (method, path) => match path.strip_prefix(&format!("{DEFINITIONS}/")) {
                None => status(404),
                Some(name) if method == Method::DELETE => self.delete(name, request.body()),
                Some(name) => {
                    self.definitions.lock().unwrap().get(name).map_or_else(|| status(404), |found| (200, found.clone()))
                }
            },
        }
    }

    fn list(&self, query: &str) -> (u16, Value) {
        let parameters: BTreeMap<_, _> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
        let selector = parameters.get("labelSelector").map(|text| text.replace("%2F", "/").replace("%3D", "="));
        let matches = |item: &Value| {
            let Some(selector) = selector.as_deref().filter(|_| !self.ignores_selectors) else {
                return true;
            };
            match selector.split_once('=') {
                Some((key, value)) => item["metadata"]["labels"][key] == value,
                None => item["metadata"]["labels"][selector].is_string(),
            }
        };
        let all: Vec<_> = self.definitions.lock().unwrap().values().filter(|item| matches(item)).cloned().collect();
        let token = parameters.get("continue").filter(|_| self.first_page.is_none());
        let start: usize = token.map_or(0, |token| token.parse().unwrap());
        let end = self.page.or(self.first_page).map_or(all.len(), |page| (start + page).min(all.len()));
        let next = if end < all.len() { json!(end.to_string()) } else { Value::Null };
        (
            200,
            json!({ "kind": "CustomResourceDefinitionList", "metadata": { "continue": next }, "items": all[start..end] }),
        )
    }

    fn delete(&self, name: &str, body: &[u8]) -> (u16, Value) {
        let mut definitions = self.definitions.lock().unwrap();
        let Some(found) = definitions.get_mut(name) else {
            return if self.deletes_anything { (200, json!({ "kind": "Status" })) } else { (404, json!({})) };
        };
        if std::mem::take(&mut *self.revives.lock().unwrap()) {
            found["metadata"]["annotations"][ALIVE_UNTIL] = json!(from_now(100));
            found["metadata"]["resourceVersion"] = json!("2");
        }
        let options: Value = serde_json::from_slice(body).unwrap_or_default();
        for (field, wanted) in options["preconditions"].as_object().into_iter().flatten() {
            if found["metadata"][field] != *wanted {
                return (409, json!({ "kind": "Status", "apiVersion": "v1", "reason": "Conflict" }));
            }
        }
        if self.never_deletes {
            found["metadata"]["deletionTimestamp"] = json!(from_now(0));
            return (200, found.clone());
        }
        (200, definitions.remove(name).unwrap())
    }
}

impl Transport for Store {
    fn send(&self, request: Request<Bytes>) -> ResponseFuture<'_> {
        if self.hangs.contains(&request.uri().path()) {
            return Box::pin(std::future::pending());
        }
        let is_one = request.method() == Method::GET && request.uri().path().starts_with(&format!("{DEFINITIONS}/"));
        let pause = self.slow.filter(|_| is_one).unwrap_or_default();
        let (status, body) = self.answer(&request);
        let response = Response::builder().status(status).header("content-type", "application/json");
        let response = response.body(Bytes::from(body.to_string())).unwrap();
        Box::pin(async move {
            tokio::time::sleep(pause).await;
            Ok(response)
        })
    }
}

fn target(store: Store) -> (Target, Arc<Store>) {
    let store = Arc::new(store);
    let transport: Arc<dyn Transport> = Arc::<Store>::clone(&store);
    let address = Some("http://fake".to_owned());
    (Target::over(transport, TargetDescription { kind: TargetKind::Server, address, version: None }), store)
}

fn run(name: &str) -> CleanScope {
    CleanScope::Run(name.to_owned())
}

const DEADLINE: Duration = Duration::from_secs(5);

fn mixed() -> Vec<Value> {
    vec![
        definition("users", None, None, OLD),
        definition("dead-1", Some("dead"), Some(&from_now(-600)), OLD),
        definition("dead-2", Some("dead"), Some(&from_now(-900)), OLD),
        definition("live-1", Some("live"), Some(&from_now(-600)), OLD),
        definition("live-2", Some("live"), Some(&from_now(60)), OLD),
        definition("late", Some("late"), Some(&from_now(-10)), OLD),
    ]
}

#[rstest]
#[case::selectors(false, None)]
#[case::ignored_selectors(true, None)]
#[case::pages(false, Some(1))]
#[tokio::test]
async fn one_dead_run_and_nothing_else(#[case] ignores_selectors: bool, #[case] page: Option<usize>) {
    let (target, store) = target(Store { ignores_selectors, page, ..Store::with(mixed()) });
    let cleaned = clean(&target, &run("dead"), DEADLINE).await.unwrap();
    assert_eq!(cleaned.removed, ["dead-1", "dead-2"].map(CreatedObject::definition));
    assert_eq!(store.names(), ["late", "live-1", "live-2", "users"]);
}

/// Definitions as a mock keeps them.
fn without_uids(definitions: Vec<Value>) -> Vec<Value> {
    let without = |mut definition: Value| {
        let metadata = definition["metadata"].as_object_mut().unwrap();
        metadata.retain(|key, _| !["uid", "resourceVersion", "creationTimestamp"].contains(&key.as_str()));
        definition
    };
    definitions.into_iter().map(without).collect()
}

#[tokio::test]
async fn definitions_without_uid_are_listed_and_removed() {
    let (target, store) = target(Store::with(without_uids(mixed())));
    let text = diagnose(&target).await.render();
    assert!(text.contains("run dead: 2 definition(s), not alive since"), "{text}");
    let cleaned = clean(&target, &run("dead"), DEADLINE).await.unwrap();
    assert_eq!(cleaned.removed, ["dead-1", "dead-2"].map(CreatedObject::definition));
    assert_eq!(store.names(), ["late", "live-1", "live-2", "users"]);
}

#[tokio::test]
async fn what_is_gone_is_gone_whatever_a_delete_says() {
    let (target, store) = target(Store { deletes_anything: true, ..Store::with(mixed()) });
    let begun = Instant::now();
    assert_eq!(
        clean(&target, &run("dead"), DEADLINE).await.unwrap().removed,
        ["dead-1", "dead-2"].map(CreatedObject::definition)
    );
    assert_eq!(clean(&target, &run("dead"), DEADLINE).await.unwrap().render(), "nothing to remove\n");
    assert_eq!(store.names(), ["late", "live-1", "live-2", "users"]);
    assert!(begun.elapsed() < DEADLINE, "{:?}", begun.elapsed());
}

#[rstest]
#[case::selectors(false)]
#[case::ignored_selectors(true)]
#[tokio::test]
async fn all_old_runs_and_nothing_else(#[case] ignores_selectors: bool) {
    let (target, store) = target(Store { ignores_selectors, ..Store::with(mixed()) });
    let cleaned = clean(&target, &CleanScope::OlderThan(Duration::from_secs(60)), DEADLINE).await.unwrap();
    assert_eq!(cleaned.removed, ["dead-1", "dead-2"].map(CreatedObject::definition));
    assert_eq!(cleaned.spared.len(), 1);
    assert_eq!(cleaned.spared[0].0, "live");
    assert_eq!(store.names(), ["late", "live-1", "live-2", "users"]);
    assert!(cleaned.render().contains("left run live alone"), "{}", cleaned.render());
}

#[tokio::test]
async fn a_live_run_is_left_alone() {
    let (target, store) = target(Store::with(mixed()));
    let error = clean(&target, &run("live"), DEADLINE).await.unwrap_err();
    assert!(matches!(error, TargetError::RunAlive { .. }), "{error}");
    assert_eq!(error.exit_code(), 4);
    assert_eq!(store.names().len(), 6);
    assert!(store.log.lock().unwrap().iter().all(|line| line.starts_with("GET ")));
}

#[rstest]
#[case::young_without_a_time(None, 5, false)]
#[case::old_without_a_time(None, 3600, true)]
#[case::young_with_nonsense(Some("tomorrow"), 5, false)]
#[case::old_with_nonsense(Some("tomorrow"), 3600, true)]
#[case::a_time_too_far_ahead(Some("9999-01-01T00:00:00Z"), 3600, true)]
#[tokio::test]
async fn times_that_cannot_be_used(#[case] until: Option<&str>, #[case] age: u64, #[case] removed: bool) {
    let (target, store) = target(Store::with([definition("x", Some("r"), until, Duration::from_secs(age))]));
    let result = clean(&target, &run("r"), DEADLINE).await;
    assert_eq!(result.is_ok(), removed, "{result:?}");
    assert_eq!(store.names().is_empty(), removed);
}

#[tokio::test]
async fn a_run_that_comes_to_life_under_our_hands_stays() {
    let store = Store::with([definition("x", Some("r"), Some(&from_now(-600)), OLD)]);
    *store.revives.lock().unwrap() = true;
    let (target, store) = target(store);
    let error = clean(&target, &run("r"), DEADLINE).await.unwrap_err();
    assert!(matches!(error, TargetError::RunAlive { .. }), "{error}");
    assert_eq!(store.names(), ["x"]);
}

#[tokio::test]
async fn a_definition_that_does_not_go() {
    let (target, _) = target(Store { never_deletes: true, ..Store::with(mixed()) });
    let error = clean(&target, &run("dead"), Duration::from_millis(100)).await.unwrap_err();
    assert!(matches!(error, TargetError::StillThere { .. }), "{error}");
    assert!(error.to_string().contains("dead-1, dead-2"), "{error}");
    assert_eq!(error.exit_code(), 4);
}

#[tokio::test]
async fn no_permission_to_delete() {
    let (target, _) = target(Store { forbids: Some(Method::DELETE), ..Store::with(mixed()) });
    let error = clean(&target, &run("dead"), DEADLINE).await.unwrap_err();
    assert!(matches!(error, TargetError::Forbidden { .. }), "{error}");
}

#[rstest]
#[case::empty("")]
#[case::two("a,b")]
#[case::expression("a in (b)")]
#[case::query("a&limit=1")]
#[case::dash("-a")]
#[case::long("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")]
#[tokio::test]
async fn identifiers_that_no_run_has(#[case] name: &str) {
    let (target, store) = target(Store::with(mixed()));
    let error = clean(&target, &run(name), DEADLINE).await.unwrap_err();
    assert_eq!(error.exit_code(), 2, "{error}");
    assert!(store.log.lock().unwrap().is_empty());
}

/// Is raised after a moment of the paused clock, when a probe has created something and waits for it.
fn raised_soon() -> Interrupt {
    let (raise, interrupt) = Interrupt::new();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(100)).await;
        raise.send(true).unwrap();
    });
    interrupt
}

#[tokio::test(start_paused = true)]
async fn a_probe_removes_its_own_while_it_lives_and_nothing_else() {
    let (target, store) = target(Store { ignores_selectors: true, ..Store::with(mixed()) });
    let probe = probe(&target, &Setup::of(&target), raised_soon(), &|_| {}).await.unwrap();
    assert!(probe.cleaned.is_ok(), "{}", probe.render());
    assert!(store.log.lock().unwrap().contains(&format!("POST {DEFINITIONS}")));
    assert_eq!(store.names(), ["dead-1", "dead-2", "late", "live-1", "live-2", "users"]);
}

/// A server that does not know `continue` returns the first page again and again.
#[tokio::test]
async fn pages_that_repeat_end() {
    let (target, _) = target(Store { ignores_selectors: true, first_page: Some(5), ..Store::with(mixed()) });
    let cleaned = tokio::time::timeout(DEADLINE, clean(&target, &run("dead"), DEADLINE)).await;
    assert_eq!(cleaned.expect("it ends").unwrap().removed, ["dead-1", "dead-2"].map(CreatedObject::definition));
}

#[tokio::test]
async fn many_slow_answers_do_not_stretch_the_deadline() {
    let many = (0..200).map(|number| definition(&format!("d{number}"), Some("dead"), Some(&from_now(-600)), OLD));
    let slow = Some(Duration::from_millis(100));
    let (target, _) = target(Store { never_deletes: true, slow, ..Store::with(many) });
    let begun = Instant::now();
    let error = clean(&target, &run("dead"), Duration::from_millis(300)).await.unwrap_err();
    assert!(matches!(error, TargetError::StillThere { .. }), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn the_doctor_does_not_wait_for_a_server_that_hangs() {
    let (target, _) = target(Store { hangs: &["/apis", "/openapi/v3"], ..Store::with(mixed()) });
    let begun = tokio::time::Instant::now();
    let text = tokio::time::timeout(Duration::from_secs(10), diagnose(&target)).await.expect("it ends").render();
    assert!(text.contains("no   OpenAPI v3") && text.contains("run dead: 2 definition(s)"), "{text}");
    assert!(begun.elapsed() > Duration::from_secs(5), "it waits as long as for other requests");
}

#[tokio::test]
async fn nothing_to_do() {
    let (target, _) = target(Store::default());
    let cleaned = clean(&target, &run("unknown"), DEADLINE).await.unwrap();
    assert_eq!(cleaned.render(), "nothing to remove\n");
}

#[test]
fn the_time_is_rfc_3339_in_utc() {
    let now: Timestamp = "2026-11-21T12:00:00.75Z".parse().unwrap();
    assert_eq!(alive_until(now), "2026-11-21T12:02:00Z");
    assert_eq!(ALIVE_FOR, Duration::from_secs(120));
}

#[tokio::test]
async fn the_doctor_only_reads_and_lists_what_is_left() {
    let (target, store) = target(Store::with(mixed()));
    let diagnosis = diagnose(&target).await;
    assert!(store.log.lock().unwrap().iter().all(|line| line.starts_with("GET ")));
    assert_eq!(diagnosis.exit_code(), 0);
    let text = diagnosis.render();
    assert!(text.contains("v1.36.3"), "{text}");
    assert!(text.contains("run dead: 2 definition(s), not alive since"), "{text}");
    assert!(text.contains("run live: 2 definition(s), alive until"), "{text}");
    assert!(text.contains("no   OpenAPI v3"), "{text}");
    assert!(!text.contains("users"), "{text}");
}

#[tokio::test]
async fn the_doctor_reports_why_a_target_is_unusable() {
    let (target, _) = target(Store { forbids: Some(Method::GET), ..Store::default() });
    let diagnosis = diagnose(&target).await;
    assert_eq!(diagnosis.exit_code(), 3);
    assert!(diagnosis.render().contains("unusable    http://fake forbids GET"), "{}", diagnosis.render());
}

#[tokio::test(start_paused = true)]
async fn an_interrupted_probe_removes_its_definitions() {
    // This store serves no objects, so the probe waits.
    let (target, store) = target(Store::default());
    let probe = probe(&target, &Setup::of(&target), raised_soon(), &|_| {}).await.unwrap();
    assert!(matches!(probe.problem, Some(Problem::Interrupted)));
    assert_eq!(probe.exit_code(), 130);
    assert!(probe.cleaned.is_ok());
    assert!(store.log.lock().unwrap().contains(&format!("POST {DEFINITIONS}")));
    assert!(store.names().is_empty());
    assert!(probe.render().contains("nothing is left behind"), "{}", probe.render());
}

#[tokio::test(start_paused = true)]
async fn a_probe_without_permissions_names_them() {
    let (target, store) = target(Store { forbids: Some(Method::POST), ..Store::with(mixed()) });
    let probe = probe(&target, &Setup::of(&target), Interrupt::never(), &|_| {}).await.unwrap();
    assert_eq!(probe.exit_code(), 3);
    let missing: Vec<_> = probe.missing_permissions.iter().cloned().collect();
    assert_eq!(missing, [format!("POST {DEFINITIONS}")]);
    assert_eq!(store.names().len(), 6);
}
