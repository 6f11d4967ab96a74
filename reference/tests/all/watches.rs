//! Watches (section 11.7).

use std::time::Duration;

use crdible_reference::Options;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::support::{
    Answer, DEFINITIONS, NAMESPACES, PARTIAL, PARTIAL_LIST, TABLE, THING, THING_V2, THINGS, THINGS_DEFINITION, Target,
    With, YAML, condition, definition, schema, thing, things, version,
};
use crate::watching::{Events, open};

/// Creates a thing; its revision.
fn create(target: &Target, name: &str, spec: &Value) -> u64 {
    revision(&target.create(THINGS, &thing(name, spec)))
}

fn revision(answer: &Answer) -> u64 {
    answer.version().parse().unwrap()
}

#[tokio::test(start_paused = true)]
async fn rest_061_existing_objects_are_followed_by_changes() {
    let target = Target::with(&things());
    let (b, a) = (create(&target, "b", &json!({})), create(&target, "a", &json!({})));
    let mut events = open(&target, &format!("{THINGS}?watch=1"));
    assert_eq!(events.next_summary().await, format!("ADDED a {a}"));
    assert_eq!(events.next_summary().await, format!("ADDED b {b}"));
    assert!(events.is_silent().await);
    let changed = target.merge(THING, &json!({"spec": {"a": "x"}}));
    let c = create(&target, "c", &json!({}));
    target.delete(&format!("{THINGS}/b"));
    assert_eq!(events.next_summary().await, format!("MODIFIED a {}", changed.version()));
    assert_eq!(events.next_summary().await, format!("ADDED c {c}"));
    let (what, removed) = events.next_object().await;
    assert_eq!(what, "DELETED b");
    let gone: u64 = removed["metadata"]["resourceVersion"].as_str().unwrap().parse().unwrap();
    assert!(gone > c, "REST-063: the revision of the removal");
    assert!(events.is_silent().await);
}

#[tokio::test(start_paused = true)]
async fn rest_061_a_watch_starts_after_a_revision() {
    let target = Target::with(&things());
    create(&target, "a", &json!({}));
    let list = target.get(THINGS).version();
    let b = create(&target, "b", &json!({}));
    let mut events = open(&target, &format!("{THINGS}?watch=true&resourceVersion={list}"));
    assert_eq!(events.next_summary().await, format!("ADDED b {b}"));
    let mut future = open(&target, &format!("{THINGS}?watch=true&resourceVersion={}", b + 2));
    create(&target, "c", &json!({}));
    create(&target, "d", &json!({}));
    let e = create(&target, "e", &json!({}));
    assert_eq!(future.next_summary().await, format!("ADDED e {e}"));
}

#[tokio::test(start_paused = true)]
async fn rest_060_objects_in_events_are_as_in_reads() {
    let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let typed = schema(&json!({"a": {"type": "integer"}}));
    let target = Target::with(&definition(&[version("v1", true, &any), version("v2", false, &typed)]));
    let mut events = open(&target, "/apis/example.com/v2/things?watch=1");
    create(&target, "a", &json!({"a": 1, "b": 2}));
    let event = events.next().await.unwrap();
    assert_eq!(event["object"]["apiVersion"], "example.com/v2");
    assert_eq!(event["object"], target.get(THING_V2).body);
}

#[tokio::test(start_paused = true)]
async fn rest_062_objects_start_and_stop_to_match() {
    let target = Target::with(&things());
    let mut events = open(&target, &format!("{THINGS}?watch=1&labelSelector=l%3Dx"));
    create(&target, "a", &json!({"a": "first"}));
    let label = |value: &str| target.merge(THING, &json!({"metadata": {"labels": {"l": value}}}));
    let added = revision(&label("x"));
    let modified = revision(&target.merge(THING, &json!({"spec": {"a": "second"}})));
    let gone =
        json!([{"op": "replace", "path": "/spec/a", "value": "third"}, {"op": "remove", "path": "/metadata/labels"}]);
    let deleted = revision(&target.json_patch(THING, &gone));
    assert_eq!(events.next_summary().await, format!("ADDED a {added}"));
    assert_eq!(events.next_summary().await, format!("MODIFIED a {modified}"));
    let last = events.next().await.unwrap();
    assert_eq!(last["type"], "DELETED");
    assert_eq!(last["object"]["spec"]["a"], "second", "the last state that matched");
    assert_eq!(last["object"]["metadata"]["resourceVersion"], deleted.to_string());
    let mut named = open(&target, &format!("{THINGS}?watch=1&fieldSelector=metadata.name%3Db"));
    assert!(named.is_silent().await);
    let b = create(&target, "b", &json!({}));
    assert_eq!(named.next_summary().await, format!("ADDED b {b}"));
}

#[tokio::test(start_paused = true)]
async fn rest_064_the_end_of_the_initial_events_is_marked() {
    let target = Target::with(&things());
    let a = create(&target, "a", &json!({}));
    for options in ["sendInitialEvents=true&resourceVersionMatch=NotOlderThan", "", "resourceVersion=0"] {
        let mut events = open(&target, &format!("{THINGS}?watch=1&allowWatchBookmarks=true&{options}"));
        assert_eq!(events.next_summary().await, format!("ADDED a {a}"));
        let bookmark = events.next().await.unwrap();
        assert_eq!(bookmark["type"], "BOOKMARK");
        let object = &bookmark["object"];
        assert_eq!(object["metadata"]["annotations"], json!({"k8s.io/initial-events-end": "true"}));
        assert_eq!((&object["kind"], &object["apiVersion"]), (&json!("Thing"), &json!("example.com/v1")));
        assert!(object["metadata"]["resourceVersion"].as_str().unwrap().parse::<u64>().unwrap() >= a);
    }
}

#[tokio::test(start_paused = true)]
async fn rest_065_a_revision_beyond_the_history_is_an_error() {
    let target = Target::with_options(Options { history: 2, ..Options::default() }).having(&things());
    let first = create(&target, "a", &json!({}));
    let mut late = open(&target, &format!("{THINGS}?watch=1&resourceVersion={first}"));
    for name in ["b", "c", "d"] {
        create(&target, name, &json!({}));
    }
    let event = late.next().await.unwrap();
    assert_eq!((&event["type"], &event["object"]["code"]), (&json!("ERROR"), &json!(410)));
    assert_eq!(event["object"]["reason"], "Expired");
    assert_eq!(late.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn rest_066_a_change_of_the_definition_ends_a_watch() {
    let target = Target::with(&things());
    let mut events = open(&target, &format!("{THINGS}?watch=1"));
    let a = create(&target, "a", &json!({}));
    assert_eq!(target.merge(THINGS_DEFINITION, &json!({"metadata": {"labels": {"l": "x"}}})).code, 200);
    assert_eq!(events.next_summary().await, format!("ADDED a {a}"));
    assert!(events.is_silent().await, "labels do not affect how objects are served");
    assert_eq!(target.merge(THINGS_DEFINITION, &json!({"spec": {"names": {"shortNames": ["th"]}}})).code, 200);
    assert_eq!(events.next().await, None);
    let mut again = open(&target, &format!("{THINGS}?watch=1&resourceVersion={a}"));
    assert_eq!(again.next().await.unwrap()["object"]["code"], 410, "REST-065");
}

#[tokio::test(start_paused = true)]
async fn rest_066_a_deletion_is_sent_before_the_end() {
    let target = Target::with(&things());
    create(&target, "a", &json!({}));
    let list = target.get(THINGS).version();
    let mut events = open(&target, &format!("{THINGS}?watch=1&resourceVersion={list}"));
    let mut definitions = open(&target, &format!("{DEFINITIONS}?watch=1"));
    assert_eq!(definitions.next_object().await.0, "ADDED things.example.com");
    target.delete(THINGS_DEFINITION);
    assert_eq!(events.next_object().await.0, "DELETED a");
    assert_eq!(events.next().await, None);
    let (mut last, _) = definitions.next_object().await;
    while last.starts_with("MODIFIED") {
        (last, _) = definitions.next_object().await;
    }
    assert_eq!(last, "DELETED things.example.com");
}

#[rstest]
#[case::of_nothing(&[])]
#[case::of_two_objects(&["a", "b"])]
#[tokio::test(start_paused = true)]
async fn life_014_a_deletion_begins_before_it_is_done(#[case] objects: &[&str]) {
    let target = Target::with(&things());
    for name in objects {
        create(&target, name, &json!({}));
    }
    let mut definitions = open(&target, &format!("{DEFINITIONS}?watch=1"));
    definitions.next_object().await;
    target.delete(THINGS_DEFINITION);
    for (kind, reason) in [("MODIFIED", "Pending"), ("MODIFIED", "InProgress"), ("DELETED", "InProgress")] {
        let (what, definition) = definitions.next_object().await;
        assert_eq!(what, format!("{kind} things.example.com"));
        assert_eq!(condition(&definition, "Terminating"), format!("True InstanceDeletion{reason}"));
        assert_eq!(definition["metadata"]["finalizers"], json!(["customresourcecleanup.apiextensions.k8s.io"]));
    }
    assert!(definitions.is_silent().await);
}

#[tokio::test(start_paused = true)]
async fn rest_066_the_timeout_ends_a_watch() {
    let target = Target::with(&things());
    let mut events = open(&target, &format!("{THINGS}?watch=1&timeoutSeconds=1"));
    let begun = Instant::now();
    let a = create(&target, "a", &json!({}));
    assert_eq!(events.next_summary().await, format!("ADDED a {a}"));
    assert_eq!(events.next().await, None);
    assert_eq!(begun.elapsed().as_secs(), 1);
}

#[tokio::test(start_paused = true)]
async fn rest_064_a_last_bookmark_is_sent_before_the_timeout() {
    let target = Target::with(&things());
    let list = target.get(THINGS).version();
    let options = format!("watch=1&resourceVersion={list}&timeoutSeconds=5&allowWatchBookmarks=true");
    let mut events = open(&target, &format!("{THINGS}?{options}"));
    let begun = Instant::now();
    let a = create(&target, "a", &json!({}));
    assert_eq!(events.next_summary().await, format!("ADDED a {a}"));
    assert_eq!(events.next_summary().await, format!("BOOKMARK {a}"));
    assert_eq!(begun.elapsed().as_secs(), 3);
    assert_eq!(events.next().await, None);
    assert_eq!(begun.elapsed().as_secs(), 5);
}

/// Its reader may have stood still for minutes.
#[tokio::test(start_paused = true)]
async fn rest_066_a_watch_that_is_read_long_after_its_timeout_has_ended() {
    let target = Target::with(&things());
    let list = target.get(THINGS).version();
    let options = format!("watch=1&resourceVersion={list}&timeoutSeconds=5&allowWatchBookmarks=true");
    let mut events = open(&target, &format!("{THINGS}?{options}"));
    let a = create(&target, "a", &json!({}));
    assert_eq!(events.next_summary().await, format!("ADDED a {a}"));
    tokio::time::advance(Duration::from_secs(600)).await;
    assert_eq!(events.next_summary().await, format!("BOOKMARK {a}"));
    assert_eq!(events.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn rest_067_writes_without_a_change_cause_no_events() {
    let target = Target::with(&things());
    create(&target, "a", &json!({"a": "x"}));
    let list = target.get(THINGS).version();
    let mut events = open(&target, &format!("{THINGS}?watch=1&resourceVersion={list}"));
    target.put(THING, &target.get(THING).body);
    target.merge(THING, &json!({"spec": {"a": "x"}}));
    target.merge(&format!("{THING}?dryRun=All"), &json!({"spec": {"a": "y"}}));
    target.merge(THING, &json!({"spec": {"a": 5}}));
    target.delete(&format!("{THING}?dryRun=All"));
    assert!(events.is_silent().await);
}

/// On the real clock, which the writer's thread needs.
#[tokio::test]
async fn rest_063_all_watches_get_many_changes_in_order() {
    const OBJECTS: usize = 500;
    let target = Target::with(&things());
    let mut watches: Vec<Events> = (0..3).map(|_| open(&target, "/apis/example.com/v1/things?watch=1")).collect();
    let server = target.0.clone();
    let writer = std::thread::spawn(move || {
        let target = Target(server);
        (0..OBJECTS).map(|number| create(&target, &format!("o{number}"), &json!({}))).collect::<Vec<u64>>()
    });
    for events in &mut watches {
        let mut revisions = Vec::new();
        while revisions.len() < OBJECTS {
            let (_, object) = events.next_object().await;
            revisions.push(object["metadata"]["resourceVersion"].as_str().unwrap().parse::<u64>().unwrap());
        }
        assert!(revisions.is_sorted_by(|before, after| before < after), "{revisions:?}");
    }
    assert_eq!(writer.join().unwrap().len(), OBJECTS);
}

#[tokio::test(start_paused = true)]
async fn events_of_other_namespaces_are_not_sent() {
    let target = Target::with(&things());
    target.post(NAMESPACES, &json!({"metadata": {"name": "other"}}));
    let mut events = open(&target, "/apis/example.com/v1/namespaces/other/things?watch=1");
    create(&target, "a", &json!({}));
    assert!(events.is_silent().await);
    let mut namespaces = open(&target, "/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3Dother");
    assert_eq!(namespaces.next_object().await.0, "ADDED other");
}

// As kube-apiserver 1.36.3 answers.
#[rstest]
#[case::all("GET", "/apis/example.com/v1/watch/things", &["a", "b"])]
#[case::namespace("GET", "/apis/example.com/v1/watch/namespaces/default/things", &["a", "b"])]
#[case::missing_namespace("GET", "/apis/example.com/v1/watch/namespaces/nowhere/things", &[])]
#[case::watch_parameter_is_ignored("GET", "/apis/example.com/v1/watch/things?watch=false", &["a", "b"])]
#[case::one("GET", "/apis/example.com/v1/watch/namespaces/default/things/a", &["a"])]
#[case::one_in_any_namespace("GET", "/apis/example.com/v1/watch/things/a", &["a"])]
#[case::none("GET", "/apis/example.com/v1/watch/namespaces/default/things/c", &[])]
#[case::selector_with_the_name("GET", "/apis/example.com/v1/watch/things/a?fieldSelector=metadata.name%3Da,metadata.name!%3Db", &["a"])]
#[case::empty_selector("GET", "/apis/example.com/v1/watch/things/a?fieldSelector=", &["a"])]
#[case::labels("GET", "/apis/example.com/v1/watch/things/a?labelSelector=l", &[])]
#[case::post("POST", "/apis/example.com/v1/watch/things", &["a", "b"])]
#[case::delete("DELETE", "/apis/example.com/v1/watch/namespaces/default/things/a", &["a"])]
#[case::definition("GET", "/apis/apiextensions.k8s.io/v1/watch/customresourcedefinitions/things.example.com", &["things.example.com"])]
#[tokio::test(start_paused = true)]
async fn rest_077_a_watch_by_path(#[case] method: &str, #[case] path: &str, #[case] expected: &[&str]) {
    let target = Target::with(&things());
    create(&target, "a", &json!({}));
    create(&target, "b", &json!({}));
    let path = format!("{path}{}timeoutSeconds=1", if path.contains('?') { '&' } else { '?' });
    let mut events = Events::open(&target, method, &path, &[]);
    let mut names = Vec::new();
    while let Some(event) = events.next().await {
        names.push(event["object"]["metadata"]["name"].as_str().unwrap_or_default().to_owned());
    }
    assert_eq!(names, expected);
    assert_eq!(target.get(THING).code, 200, "nothing was written");
}

#[tokio::test(start_paused = true)]
async fn rest_077_a_watch_of_a_namespace_by_path() {
    let target = Target::new();
    let mut events = open(&target, "/api/v1/watch/namespaces/kube-system");
    assert_eq!(events.next_object().await.0, "ADDED kube-system");
    assert!(events.is_silent().await);
}

const OTHER_NAME: &str = "fieldSelector metadata.name doesn't match requested name";
const NO_PROXY: &str = "proxy is not supported on resources of kind \"things.example.com\"";
const NOT_ALLOWED: &str = "the server does not allow this method on the requested resource";
const NOT_FOUND: &str = "the server could not find the requested resource";

// As kube-apiserver 1.36.3 answers.
#[rstest]
#[case::subresource("GET", "/apis/example.com/v1/watch/things/a/status", 404, "things.example.com \"a\" not found")]
#[case::other_name("GET", "/apis/example.com/v1/watch/things/a?fieldSelector=metadata.name%3Db", 400, OTHER_NAME)]
#[case::negated_name("GET", "/apis/example.com/v1/watch/things/a?fieldSelector=metadata.name!%3Db", 400, OTHER_NAME)]
#[case::proxy("GET", "/apis/example.com/v1/proxy/namespaces/default/things", 405, NO_PROXY)]
#[case::definitions_by_post("POST", "/apis/apiextensions.k8s.io/v1/watch/customresourcedefinitions", 405, NOT_ALLOWED)]
#[case::namespace_by_delete("DELETE", "/api/v1/watch/namespaces/default", 405, NOT_ALLOWED)]
#[case::subresource_of_a_namespace("GET", "/api/v1/watch/namespaces/default/status", 404, NOT_FOUND)]
#[case::subresource_of_a_definition(
    "GET",
    "/apis/apiextensions.k8s.io/v1/watch/customresourcedefinitions/a/status",
    404,
    NOT_FOUND
)]
#[case::proxy_of_namespaces("GET", "/api/v1/proxy/namespaces", 404, NOT_FOUND)]
fn rest_077_unsupported_paths_with_verbs_are_refused(
    #[case] method: &str,
    #[case] path: &str,
    #[case] code: u16,
    #[case] message: &str,
) {
    let answer = Target::with(&things()).send(method, path, &[], "");
    assert_eq!((answer.code, answer.message()), (code, message), "{answer:?}");
}

#[rstest]
#[case::unknown_resource("/apis/example.com/v1/watch/nothings", 404, "404 page not found\n")]
#[case::proxy_of_all_namespaces("/apis/example.com/v1/proxy/things", 404, "404 page not found\n")]
#[case::no_resource(
    "/apis/example.com/v1/watch?a=1&b",
    500,
    "Internal Server Error: \"/apis/example.com/v1/watch?a=1&amp;b\": failed to create RequestInfo: \
     unable to determine kind and namespace from url, /apis/example.com/v1/watch?a=1&amp;b\n"
)]
fn rest_077_paths_with_verbs_and_without_a_resource(#[case] path: &str, #[case] code: u16, #[case] text: &str) {
    let answer = Target::with(&things()).get(path);
    assert_eq!((answer.code, answer.text.as_str()), (code, text));
}

// As kube-apiserver 1.36.3 answers.
#[rstest]
#[case("POST", "status", "create")]
#[case("DELETE", "status", "delete")]
#[case("GET", "watch", "watch")]
#[case("OPTIONS", "", "")]
fn rest_003_refusals_name_the_unsupported_verb(#[case] method: &str, #[case] part: &str, #[case] verb: &str) {
    let definition = things().with("/spec/versions/0/subresources", json!({"status": {}}));
    let path = match part {
        "watch" => "/apis/example.com/v1/watch/things/a/status".to_owned(),
        part => format!("{THING}/{part}"),
    };
    let answer = Target::with(&definition).send(method, &path, &[], "");
    let message = format!("{verb} is not supported on resources of kind \"things.example.com\"");
    assert_eq!((answer.code, answer.message()), (405, message.as_str()));
}

#[tokio::test(start_paused = true)]
async fn a_stopping_server_ends_its_watches() {
    let target = Target::with(&things());
    let mut events = open(&target, &format!("{THINGS}?watch=1"));
    assert!(events.is_silent().await);
    target.0.end_watches();
    assert_eq!(events.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn table_008_events_are_tables_of_one_row() {
    let target = Target::with(&things());
    let revision = create(&target, "a", &json!({}));
    let query = "allowWatchBookmarks=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&includeObject=None";
    let path = format!("{THINGS}?watch=1&{query}");
    let mut events = Events::open(&target, "GET", &path, &[("accept", TABLE)]);
    let first = events.next().await.unwrap();
    let table = &first["object"];
    assert_eq!((&first["type"], &table["kind"]), (&json!("ADDED"), &json!("Table")));
    assert_eq!(table["metadata"], json!({"resourceVersion": revision.to_string()}));
    assert_eq!(table["columnDefinitions"].as_array().map(Vec::len), Some(2));
    assert_eq!((&table["rows"][0]["cells"][0], &table["rows"][0]["object"]), (&json!("a"), &Value::Null));
    let bookmark = events.next().await.unwrap();
    assert_eq!((&bookmark["type"], &bookmark["object"]["columnDefinitions"]), (&json!("BOOKMARK"), &Value::Null));
    let row = &bookmark["object"]["rows"][0];
    assert_eq!(row["cells"], json!(["", null]));
    assert_eq!(row["object"]["metadata"]["annotations"], json!({"k8s.io/initial-events-end": "true"}));
    create(&target, "b", &json!({}));
    let second = events.next().await.unwrap();
    assert_eq!(second["object"]["columnDefinitions"], Value::Null);
    assert_eq!(second["object"]["rows"][0]["cells"][0], "b");
}

#[tokio::test(start_paused = true)]
async fn rest_069_events_contain_partial_metadata() {
    let target = Target::with(&things());
    create(&target, "a", &json!({"a": "x"}));
    let mut events = Events::open(&target, "GET", &format!("{THINGS}?watch=1"), &[("accept", PARTIAL)]);
    let (_, object) = events.next_object().await;
    let metadata = target.get(THING).body["metadata"].clone();
    assert_eq!(object, json!({"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": metadata}));
}

#[test]
fn rest_006_yaml_cannot_be_streamed() {
    let target = Target::with(&things());
    for accept in [YAML, PARTIAL_LIST] {
        assert_eq!(target.get_as(&format!("{THINGS}?watch=1"), accept).code, 406, "{accept}");
    }
    assert_eq!(target.get_as(&format!("{THINGS}?watch=1&includeObject=x"), TABLE).code, 400);
}
