//! Selecting, listing and discovering events.

use rstest::rstest;
use serde_json::{Value, json};

use super::{CORE, EVENTS, core, event, with};
use crate::clock::{NEW_YEAR, TestClock};
use crate::support::{TABLE, Target};

#[rstest]
#[case("involvedObject.name=th", Some("a b"), None)]
#[case("involvedObject.uid=u", Some("a"), None)]
#[case("involvedObject.fieldPath!=spec.x,involvedObject.kind=Thing", Some("b"), None)]
#[case("regarding.name=th", None, Some("a b"))]
#[case("reason=Why", Some("a b"), Some("a b"))]
#[case("type=Warning", Some(""), Some(""))]
#[case("source=comp", Some("a"), None)]
#[case("source=example.com/ctl", Some("b"), None)]
#[case("reportingComponent=example.com/ctl", Some("b"), None)]
#[case("reportingController=example.com/ctl", None, Some("b"))]
#[case("metadata.name=a", Some("a"), Some("a"))]
#[case("metadata.namespace=default", Some("a b"), Some("a b"))]
#[case("involvedObject=x", None, None)]
#[case("message=x", None, None)]
#[case("action=Act", None, None)]
fn rest_078_selectable_fields(#[case] selector: &str, #[case] in_core: Option<&str>, #[case] in_events: Option<&str>) {
    let target = Target::new();
    target.create(CORE, &core("a"));
    target.create(EVENTS, &event("b"));
    for (path, expected) in [(CORE, in_core), ("/api/v1/events", in_core), (EVENTS, in_events)] {
        let list = target.get(&format!("{path}?fieldSelector={selector}"));
        assert_eq!(list.code, if expected.is_some() { 200 } else { 400 });
        assert_eq!(list.names().join(" "), expected.unwrap_or_default());
    }
}

#[rstest]
#[case::core(CORE, core("a"), json!(["10s", "Normal", "Why", "thing/th", "spec.x", "comp, h", "hello", "11s", 1, "a"]))]
#[case::events_group(EVENTS, event("a"), json!(["11s", "Normal", "Why", "thing/th", "", "example.com/ctl, pod-1", "hello", "11s", 1, "a"]))]
#[case::minimal(CORE, json!({"metadata": {"name": "a"}}), json!(["<unknown>", "", "", "", "", "", "", "<unknown>", 1, "a"]))]
#[case::series(
    CORE,
    with(core("a"), &json!({"series": {"count": 7, "lastObservedTime": "2026-01-01T00:00:09.000000Z"}})),
    json!(["2s", "Normal", "Why", "thing/th", "spec.x", "comp, h", "hello", "11s", 7, "a"]),
)]
#[case::unnamed(
    CORE,
    with(core("a"), &json!({"involvedObject": {"kind": "Thing", "namespace": "default"}, "count": -1, "source": {"component": "c"}})),
    json!(["10s", "Normal", "Why", "thing", "", "c", "hello", "11s", -1, "a"])
)]
fn rest_078_events_are_shown_as_tables(#[case] path: &str, #[case] event: Value, #[case] cells: Value) {
    let target = Target::with_options(TestClock::at(NEW_YEAR + 11).options());
    target.create(path, &event);
    for path in [CORE, EVENTS] {
        let table = target.get_as(&format!("{path}/a"), TABLE).body;
        let columns = table["columnDefinitions"].as_array().expect("columns");
        let found: Vec<String> = columns
            .iter()
            .map(|column| format!("{} {}", column["name"], column["priority"]).replace('"', ""))
            .collect();
        assert_eq!(
            found.join(", "),
            "Last Seen 0, Type 0, Reason 0, Object 0, Subobject 1, Source 1, Message 0, First Seen 1, Count 1, Name 1"
        );
        assert_eq!(table["rows"][0]["cells"], cells);
    }
}

#[rstest]
#[case("POST", "/api/v1/events", 405)]
#[case("DELETE", "/api/v1/events", 405)]
#[case("GET", "/api/v1/events/a", 404)]
#[case("HEAD", CORE, 405)]
#[case("GET", "/api/v1/namespaces/default/events/a%25b", 400)]
#[case("DELETE", "/api/v1/namespaces/%2E", 400)]
#[case("PUT", "/api/v1/namespaces/default/events/%2E%2E", 400)]
#[case("GET", "/api/v1/namespaces/default/events/a/status", 404)]
#[case("GET", "/apis/events.k8s.io/v1", 200)]
#[case("PUT", "/apis/events.k8s.io/v1", 405)]
#[case("GET", "/apis/events.k8s.io/v2", 404)]
#[case("GET", "/apis/events.k8s.io/v1beta1/events", 404)]
#[case("GET", "/apis/events.k8s.io/v1/namespaces/default/things", 404)]
fn rest_003_unsupported_methods_and_paths_are_refused(#[case] method: &str, #[case] path: &str, #[case] code: u16) {
    assert_eq!(Target::new().send(method, path, &[], "").code, code);
}

#[test]
fn disc_005_events_are_listed_in_discovery() {
    let target = Target::new();
    let verbs = json!(["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]);
    let expected = json!({
        "name": "events", "singularName": "event", "namespaced": true, "kind": "Event", "verbs": verbs, "shortNames": ["ev"],
        "storageVersionHash": "r2yiGXH7wu8=",
    });
    assert_eq!(target.get("/api/v1").body["resources"][0], expected);
    assert_eq!(target.get("/apis/events.k8s.io/v1").body["resources"], json!([expected]));
    let groups = target.get("/apis").body["groups"].clone();
    assert_eq!((&groups[0]["name"], &groups[1]["name"]), (&json!("events.k8s.io"), &json!("apiextensions.k8s.io")));
}
