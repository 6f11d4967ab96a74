//! Doctor, probe and clean-up against real servers: the embedded one, and that of `CRDIBLE_KUBECONFIG` or
//! `CRDIBLE_SERVER`.
use std::time::Duration;

use bytes::Bytes;
use crdible::connection::{BackoffOptions, HttpRequest, Target, TargetError, TargetOptions, Transport, connect};
use crdible::created::CreatedObject;
use crdible::doctor::{CleanScope, clean, diagnose, preflight, probe};
use crdible::marks::{ALIVE_UNTIL, RUN_LABEL, alive_until};
use crdible::run::{Interrupt, Setup, Support};
use crdible_semantics::release::Version;
use http::{Method, Request, Response, StatusCode};
use jiff::Timestamp;
use rstest::rstest;
use serde_json::{Value, json};

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const DEADLINE: Duration = Duration::from_secs(60);

/// Which server a test runs on.
#[derive(Debug, Clone, Copy)]
enum Where {
    Embedded,
    Named,
}

/// The target.
///
/// # Panics
/// If it is to be named by a variable, and none is set.
async fn target(at: Where) -> Target {
    let options = TargetOptions {
        kubeconfig: std::env::var_os("CRDIBLE_KUBECONFIG").map(Into::into),
        server: std::env::var("CRDIBLE_SERVER").ok(),
        ..TargetOptions::default()
    };
    match at {
        Where::Embedded => Target::embedded(crdible_semantics::Semantics::UPSTREAM),
        Where::Named => {
            assert!(!options.is_embedded(), "CRDIBLE_KUBECONFIG or CRDIBLE_SERVER must name a server");
            connect(&options).await.unwrap()
        }
    }
}

/// The answer, once there is one: kube-apiserver answers 503 with `Retry-After` if it has closed a definition's storage
/// since it took the request (LIFE-003/e2).
async fn deliver(target: &Target, request: HttpRequest) -> Response<Bytes> {
    target.with_backoff(BackoffOptions::default()).send(request).await.unwrap()
}

async fn send(target: &Target, method: Method, path: &str, body: &Value) -> (StatusCode, Value) {
    let bytes = if body.is_null() { Bytes::new() } else { Bytes::from(body.to_string()) };
    let request =
        Request::builder().method(method).uri(path).header("content-type", "application/json").body(bytes).unwrap();
    let answer = deliver(target, request).await;
    (answer.status(), serde_json::from_slice(answer.body()).unwrap_or_default())
}

/// An identifier for this test's run, unlike any other.
fn identifier(name: &str) -> String {
    format!("{name}-{}-{}", std::process::id(), Timestamp::now().as_nanosecond())
}

/// Creates a definition of `run` that is alive until `until`, and waits until it is served.
async fn define(target: &Target, run: &str, plural: &str, until: &str) -> (String, String) {
    let group = format!("{run}.test.crdible.dev");
    let name = format!("{plural}.{group}");
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": name, "labels": { RUN_LABEL: run }, "annotations": { ALIVE_UNTIL: until } },
        "spec": {
            "group": group, "scope": "Namespaced",
            "names": { "plural": plural, "singular": plural, "kind": plural.to_uppercase(), "listKind": format!("{}List", plural.to_uppercase()) },
            "versions": [{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": { "type": "object" } } }],
        },
    });
    let (status, body) = send(target, Method::POST, DEFINITIONS, &definition).await;
    assert_eq!(status, StatusCode::CREATED, "{body}");
    (name, format!("/apis/{group}/v1/namespaces/default/{plural}"))
}

async fn create(target: &Target, collection: &str, metadata: Value) {
    let plural = collection.rsplit('/').next().unwrap();
    let group = collection.split('/').nth(2).unwrap();
    let object = json!({ "apiVersion": format!("{group}/v1"), "kind": plural.to_uppercase(), "metadata": metadata });
    for _ in 0..500 {
        let (status, body) = send(target, Method::POST, collection, &object).await;
        if status == StatusCode::CREATED {
            return;
        }
        assert_eq!(status, StatusCode::NOT_FOUND, "{body}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{collection} is never served");
}

async fn is_there(target: &Target, name: &str) -> bool {
    send(target, Method::GET, &format!("{DEFINITIONS}/{name}"), &Value::Null).await.0 == StatusCode::OK
}

fn past() -> String {
    "2001-01-01T00:00:00Z".to_owned()
}

#[rstest]
#[case::embedded(Where::Embedded)]
#[case::named(Where::Named)]
#[ignore = "needs a server: set CRDIBLE_KUBECONFIG or CRDIBLE_SERVER"]
#[tokio::test]
async fn the_first_look_is_good(#[case] at: Where) {
    let target = target(at).await;
    let facts = preflight(&target).await.unwrap();
    assert_eq!(facts.release.and_then(Version::minor), Some(36));
    assert!(facts.definition_verbs.iter().any(|verb| verb == "create"), "{facts:?}");
    let diagnosis = diagnose(&target).await;
    assert_eq!(diagnosis.exit_code(), 0, "{}", diagnosis.render());
}

#[rstest]
#[case::embedded(Where::Embedded)]
#[case::named(Where::Named)]
#[ignore = "needs a server: set CRDIBLE_KUBECONFIG or CRDIBLE_SERVER"]
#[tokio::test]
async fn a_probe_measures_everything_and_leaves_nothing(#[case] at: Where) {
    let target = target(at).await;
    let probe = probe(&target, &Setup::of(&target), Interrupt::never(), &|_| {}).await.unwrap();
    let text = probe.render();
    assert_eq!(probe.exit_code(), 0, "{text}");
    let capabilities = &probe.capabilities;
    assert!(!capabilities.is_empty() && capabilities.iter().all(|(_, support)| *support == Support::Whole), "{text}");
    assert!(probe.missing_permissions.is_empty(), "{text}");
    assert!(!text.contains("not measured"), "{text}");
    assert!(!is_there(&target, &format!("things.{}.crdible.dev", probe.run)).await);
}

#[rstest]
#[case::embedded(Where::Embedded)]
#[case::named(Where::Named)]
#[ignore = "needs a server: set CRDIBLE_KUBECONFIG or CRDIBLE_SERVER"]
#[tokio::test]
async fn a_dead_run_goes_with_its_objects_and_a_live_one_stays(#[case] at: Where) {
    let target = target(at).await;
    let (dead, live) = (identifier("dead"), identifier("live"));
    let (first, collection) = define(&target, &dead, "firsts", &past()).await;
    let (second, _) = define(&target, &dead, "seconds", &past()).await;
    let (other, _) = define(&target, &live, "others", &alive_until(Timestamp::now())).await;
    create(&target, &collection, json!({ "name": "plain" })).await;

    // A new definition counts by its annotation, not by its age.
    let cleaned = clean(&target, &CleanScope::Run(dead.clone()), DEADLINE).await.unwrap();
    assert_eq!(cleaned.removed, [&first, &second].map(CreatedObject::definition));
    assert!(!is_there(&target, &first).await && !is_there(&target, &second).await);

    let error = clean(&target, &CleanScope::Run(live.clone()), DEADLINE).await.unwrap_err();
    assert!(matches!(error, TargetError::RunAlive { .. }), "{error}");
    assert!(is_there(&target, &other).await);
    let delete = Request::builder().method(Method::DELETE).uri(format!("{DEFINITIONS}/{other}"));
    let answer = deliver(&target, delete.body(Bytes::new()).unwrap()).await;
    assert!(answer.status().is_success(), "{answer:?}");
}

#[rstest]
#[case::embedded(Where::Embedded)]
#[case::named(Where::Named)]
#[ignore = "needs a server: set CRDIBLE_KUBECONFIG or CRDIBLE_SERVER"]
#[tokio::test]
async fn finalizers_of_a_dead_run_hold_nothing_back(#[case] at: Where) {
    let target = target(at).await;
    let run = identifier("held");
    let (name, collection) = define(&target, &run, "helds", &past()).await;
    create(&target, &collection, json!({ "name": "held", "finalizers": ["crdible.dev/hold"] })).await;
    let patch = json!({ "metadata": { "finalizers": ["crdible.dev/hold"] } });
    let request = Request::builder()
        .method(Method::PATCH)
        .uri(format!("{DEFINITIONS}/{name}"))
        .header("content-type", "application/merge-patch+json")
        .body(Bytes::from(patch.to_string()))
        .unwrap();
    assert_eq!(deliver(&target, request).await.status(), StatusCode::OK);
    clean(&target, &CleanScope::Run(run), DEADLINE).await.unwrap();
    assert!(!is_there(&target, &name).await);
}

#[rstest]
#[case::embedded_broken(Where::Embedded, json!([{ "rule": "false" }]), true)]
#[case::named_broken(Where::Named, json!([{ "rule": "false" }]), true)]
#[case::embedded_unserved(Where::Embedded, Value::Null, false)]
#[case::named_unserved(Where::Named, Value::Null, false)]
#[ignore = "needs a server: set CRDIBLE_KUBECONFIG or CRDIBLE_SERVER"]
#[tokio::test]
async fn definitions_that_forbid_each_update_hold_nothing_back(
    #[case] at: Where,
    #[case] rules: Value,
    #[case] served: bool,
) {
    let target = target(at).await;
    let run = identifier("strict");
    let (name, collection) = define(&target, &run, "stricts", &past()).await;
    create(&target, &collection, json!({ "name": "held", "finalizers": ["crdible.dev/hold"] })).await;
    let path = format!("{DEFINITIONS}/{name}");
    let (_, mut definition) = send(&target, Method::GET, &path, &Value::Null).await;
    let version = &mut definition["spec"]["versions"][0];
    version["served"] = json!(served);
    version["schema"]["openAPIV3Schema"]["x-kubernetes-validations"] = rules;
    let (status, body) = send(&target, Method::PUT, &path, &definition).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    clean(&target, &CleanScope::Run(run), DEADLINE).await.unwrap();
    assert!(!is_there(&target, &name).await);
}
