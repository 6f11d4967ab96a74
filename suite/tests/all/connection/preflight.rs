//! Each way in which a target can be unusable gets its own sentence, quickly, and exit code 3.

use std::time::{Duration, Instant};

use crate::support::{Reply, Seen, answer, good, serve, status};
use crdible::connection::{TargetError, TargetOptions, TransportError, connect};
use crdible::doctor::{diagnose, preflight, preflight_within};
use crdible_semantics::release::Version;
use rstest::rstest;
use serde_json::json;

const DISCOVERY: &str = "/apis/apiextensions.k8s.io/v1";

fn at(url: &str) -> TargetOptions {
    TargetOptions { server: Some(url.to_owned()), ..TargetOptions::default() }
}

fn html(_: &Seen) -> Reply {
    answer("200 OK", "text/html", "", "<!DOCTYPE html><html><body>Welcome</body></html>")
}

fn other_json(_: &Seen) -> Reply {
    crate::support::json("200 OK", &json!({"hello": "world"}))
}

fn accepts_everything(_: &Seen) -> Reply {
    crate::support::json("201 Created", &json!({}))
}

fn empty(_: &Seen) -> Reply {
    answer("200 OK", "application/json", "", "")
}

fn unauthorized(_: &Seen) -> Reply {
    status(401, "Unauthorized", "Unauthorized")
}

fn forbidden_list(seen: &Seen) -> Reply {
    if seen.path.contains("customresourcedefinitions") {
        status(403, "Forbidden", "User \"eve\" cannot list resource")
    } else {
        good(seen)
    }
}

fn no_apiextensions(seen: &Seen) -> Reply {
    if seen.path == "/version" { good(seen) } else { answer("404 Not Found", "text/plain", "", "404 page not found") }
}

fn all_unknown(_: &Seen) -> Reply {
    answer("404 Not Found", "text/plain", "", "404 page not found")
}

fn other_resources(seen: &Seen) -> Reply {
    match seen.path.as_str() {
        "/version" => good(seen),
        DISCOVERY => {
            crate::support::json("200 OK", &json!({"kind": "APIResourceList", "resources": [{"name": "widgets"}]}))
        }
        _ => answer("404 Not Found", "text/plain", "", "404 page not found"),
    }
}

fn no_discovery(seen: &Seen) -> Reply {
    if seen.path == DISCOVERY { all_unknown(seen) } else { good(seen) }
}

fn no_discovery_and_no_version(seen: &Seen) -> Reply {
    if seen.path == "/version" { all_unknown(seen) } else { no_discovery(seen) }
}

fn empty_discovery(seen: &Seen) -> Reply {
    match seen.path.as_str() {
        DISCOVERY => crate::support::json("200 OK", &json!({"kind": "APIResourceList"})),
        _ => good(seen),
    }
}

fn an_array(_: &Seen) -> Reply {
    crate::support::json("200 OK", &json!([]))
}

fn plain_text(_: &Seen) -> Reply {
    answer("200 OK", "text/plain", "", "It works!")
}

/// Any API with lists, without a word of Kubernetes.
fn lists_of_nothing(_: &Seen) -> Reply {
    crate::support::json("200 OK", &json!({"items": []}))
}

fn redirects(_: &Seen) -> Reply {
    answer("302 Found", "text/html", "location: https://user:pw@login.example/?secret=1\r\n", "")
}

fn closes(_: &Seen) -> Reply {
    Reply::Close
}

fn closes_midway(_: &Seen) -> Reply {
    Reply::RawThenClose(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"kind\":".to_vec())
}

fn no_http(_: &Seen) -> Reply {
    Reply::RawThenClose(b"220 mail.example ESMTP\r\n".to_vec())
}

fn wants_tls(_: &Seen) -> Reply {
    answer("400 Bad Request", "text/plain", "", "Client sent an HTTP request to an HTTPS server.\n")
}

fn busy(_: &Seen) -> Reply {
    answer("429 Too Many Requests", "text/plain", "retry-after: 30\r\n", "later")
}

fn list_without_items(seen: &Seen) -> Reply {
    if seen.path.contains("customresourcedefinitions") { other_json(seen) } else { good(seen) }
}

#[rstest]
#[case::html(html, "not a Kubernetes API server", "HTML: <!DOCTYPE html>")]
#[case::other_json(other_json, "not a Kubernetes API server", "other JSON: {\"hello\":\"world\"}")]
#[case::accepts_everything(accepts_everything, "not a Kubernetes API server", "201 Created")]
#[case::an_array(an_array, "not a Kubernetes API server", "text: []")]
#[case::plain_text(plain_text, "not a Kubernetes API server", "It works!")]
#[case::lists_of_nothing(lists_of_nothing, "not a Kubernetes API server", "other JSON: {\"items\":[]}")]
#[case::empty(empty, "not a Kubernetes API server", "empty body")]
#[case::unauthorized(unauthorized, "does not accept the credentials", "log in again")]
#[case::forbidden_list(forbidden_list, "forbids GET", "User \"eve\" cannot list resource")]
#[case::no_apiextensions(no_apiextensions, "serves no CustomResourceDefinitions", "404 Not Found")]
#[case::other_resources(other_resources, "serves no CustomResourceDefinitions", "APIResourceList")]
#[case::all_unknown(all_unknown, "not a Kubernetes API server", "404 Not Found")]
#[case::redirects(redirects, "not a Kubernetes API server", "a redirect to https://login.example/;")]
#[case::closes(closes, "closed before the response was complete", "log of the server")]
#[case::closes_midway(closes_midway, "closed before the response was complete", "log of the server")]
#[case::no_http(no_http, "is not HTTP", "check the port")]
#[case::wants_tls(wants_tls, "not a Kubernetes API server", "write https://")]
#[case::busy(busy, "responded with 429", "--qps")]
#[case::list_without_items(list_without_items, "unexpected response", "other JSON")]
#[tokio::test]
async fn unusable(#[case] server: fn(&Seen) -> Reply, #[case] what: &str, #[case] more: &str) {
    let fake = serve(server).await;
    let target = connect(&at(&fake.url())).await.unwrap();
    let begun = Instant::now();
    let error = preflight(&target).await.unwrap_err();
    let text = error.to_string();
    assert!(text.contains(what), "{text}");
    assert!(text.contains(more), "{text}");
    assert!(text.contains(&fake.url()), "{text}");
    assert!(!text.contains("pw") && !text.contains("secret="), "{text}");
    assert_eq!(error.exit_code(), 3, "{text}");
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn the_facts_of_a_good_server() {
    let fake = serve(good).await;
    let target = connect(&at(&fake.url())).await.unwrap();
    let facts = preflight(&target).await.unwrap();
    assert_eq!(facts.version.as_deref(), Some("v1.36.3"));
    assert_eq!(facts.release.and_then(Version::minor), Some(36));
    assert_eq!(facts.unlisted, None);
    assert_eq!(facts.definition_verbs, ["create", "get"]);
    assert!(fake.requests().iter().all(|seen| seen.method == "GET"), "the first look only reads");
}

#[tokio::test]
async fn a_hidden_version_is_no_obstacle() {
    let fake = serve(|seen| if seen.path == "/version" { status(403, "Forbidden", "no") } else { good(seen) }).await;
    let target = connect(&at(&fake.url())).await.unwrap();
    assert_eq!(preflight(&target).await.unwrap().version, None);
}

#[rstest]
#[case::mock(json!({"major": "0", "minor": "0"}), None, None)]
#[case::texts(json!({"major": "1", "minor": "30+"}), Some("1.30+"), Some(30))]
#[case::numbers(json!({"major": 1, "minor": 30}), Some("1.30"), Some(30))]
#[case::many_digits(json!({"major": "1", "minor": "99999999999"}), Some("1.99999999999"), Some(u16::MAX))]
#[case::git_version(json!({"gitVersion": "v1.26.4+k3s1"}), Some("v1.26.4+k3s1"), Some(26))]
#[case::git_version_beside_a_mocks_numbers(json!({"major": "0", "minor": "0", "gitVersion": "1.34.1"}), Some("1.34.1"), Some(34))]
#[case::numbers_beside_another_name(json!({"major": "1", "minor": "34", "gitVersion": "next"}), Some("next"), Some(34))]
#[case::another_major(json!({"major": "2", "minor": "0", "gitVersion": "v2.0.0"}), Some("v2.0.0"), None)]
#[case::other_name(json!({"gitVersion": "next"}), Some("next"), None)]
#[case::empty(json!({}), None, None)]
#[case::list(json!({"kind": "List", "apiVersion": "v1", "items": []}), None, None)]
#[tokio::test]
async fn what_a_version_may_be(
    #[case] body: serde_json::Value,
    #[case] version: Option<&str>,
    #[case] release: Option<u16>,
) {
    let fake = serve(move |seen| match seen.path.as_str() {
        "/version" => crate::support::json("200 OK", &body),
        _ => good(seen),
    })
    .await;
    let target = connect(&at(&fake.url())).await.unwrap();
    let facts = preflight(&target).await.unwrap();
    assert_eq!((facts.version.as_deref(), facts.release.and_then(Version::minor)), (version, release));
}

#[rstest]
#[case::missing(no_discovery, "404 Not Found")]
#[case::without_resources(empty_discovery, "200 OK with an APIResourceList")]
#[case::without_version(no_discovery_and_no_version, "404 Not Found")]
#[tokio::test]
async fn definitions_that_discovery_does_not_list(#[case] server: fn(&Seen) -> Reply, #[case] seen: &str) {
    let fake = serve(server).await;
    let target = connect(&at(&fake.url())).await.unwrap();
    let unlisted = preflight(&target).await.unwrap().unlisted.unwrap();
    assert!(unlisted.contains(seen), "{unlisted}");
    let diagnosis = diagnose(&target).await;
    assert_eq!(diagnosis.exit_code(), 0);
    let text = diagnosis.render();
    assert!(text.contains("no   CustomResourceDefinitions in discovery"), "{text}");
    assert!(text.contains("DISC-004") && text.contains(seen), "{text}");
}

#[tokio::test]
async fn a_silent_server_ends_with_the_time_limit() {
    let fake = serve(|_| Reply::Hang).await;
    let target = connect(&at(&fake.url())).await.unwrap();
    let error = preflight_within(&target, Duration::from_millis(200)).await.unwrap_err();
    assert!(matches!(error, TargetError::Transport(TransportError::Timeout { .. })), "{error}");
}

#[tokio::test]
async fn one_silent_request_ends_with_its_own_limit() {
    let fake = serve(|_| Reply::Hang).await;
    let options = TargetOptions { request_timeout: Some(Duration::from_secs(2)), ..at(&fake.url()) };
    let target = connect(&options).await.unwrap();
    let error = preflight(&target).await.unwrap_err();
    assert!(error.to_string().contains("within 2s"), "{error}");
    assert_eq!(fake.requests().len(), 1, "a request that may have been processed is not repeated");
}

#[tokio::test]
async fn nothing_listens() {
    let target = connect(&at("http://127.0.0.1:1")).await.unwrap();
    let error = preflight(&target).await.unwrap_err();
    assert!(matches!(error, TargetError::Transport(TransportError::Unreachable { .. })), "{error}");
    assert!(error.to_string().contains("connection refused"), "{error}");
}

#[tokio::test]
async fn the_name_is_unknown() {
    let target = connect(&at("http://no-such-host.invalid:1234")).await.unwrap();
    let error = preflight(&target).await.unwrap_err();
    assert!(matches!(error, TargetError::Transport(TransportError::UnknownHost { .. })), "{error}");
    assert!(error.to_string().contains("no-such-host.invalid"), "{error}");
}

#[tokio::test]
async fn https_to_a_plain_server() {
    let fake = serve(good).await;
    let target = connect(&at(&format!("https://{}", fake.address))).await.unwrap();
    let error = preflight(&target).await.unwrap_err();
    assert!(error.to_string().contains("http:// if it uses plain HTTP"), "{error}");
}

#[tokio::test]
async fn a_path_in_the_address_comes_before_every_request() {
    let fake = serve(|seen| {
        let path = seen.path.strip_prefix("/clusters/one").unwrap_or("/elsewhere");
        good(&Seen { path: path.to_owned(), ..seen.clone() })
    })
    .await;
    let target = connect(&at(&format!("{}/clusters/one/", fake.url()))).await.unwrap();
    preflight(&target).await.unwrap();
}

#[rstest]
#[case::no_scheme("localhost:8080")]
#[case::other_scheme("ftp://localhost")]
#[case::user("https://joe:hunter2@localhost")]
#[case::query("https://localhost?token=hunter2")]
#[case::nothing("")]
#[tokio::test]
async fn addresses_that_are_refused(#[case] url: &str) {
    let error = connect(&at(url)).await.unwrap_err();
    assert_eq!(error.exit_code(), 2, "{error}");
    assert!(!error.to_string().contains("hunter2"), "{error}");
}
