//! The representations of an event in its two groups.

use rstest::rstest;
use serde_json::{Value, json};

use super::{CORE, EVENTS, core, event, with, without_metadata};
use crate::support::{Target, unknown};

#[test]
fn rest_078_both_groups_show_the_same_events() {
    let target = Target::new();
    target.create(CORE, &core("a"));
    target.create(EVENTS, &event("b"));
    let involved = json!({"kind": "Thing", "namespace": "default", "name": "th", "uid": "u", "fieldPath": "spec.x"});
    let expected = json!({
        "kind": "Event", "apiVersion": "v1", "involvedObject": involved, "reason": "Why", "message": " hello ",
        "source": {"component": "comp", "host": "h"}, "firstTimestamp": "2026-01-01T00:00:00Z",
        "lastTimestamp": "2026-01-01T00:00:01Z", "count": 1, "type": "Normal", "eventTime": null,
        "reportingComponent": "", "reportingInstance": "",
    });
    assert_eq!(without_metadata(&target.get(&format!("{CORE}/a"))), expected);
    let expected = json!({
        "kind": "Event", "apiVersion": "events.k8s.io/v1", "eventTime": null, "reason": "Why", "regarding": involved,
        "note": " hello ", "type": "Normal", "deprecatedSource": {"component": "comp", "host": "h"},
        "deprecatedFirstTimestamp": "2026-01-01T00:00:00Z", "deprecatedLastTimestamp": "2026-01-01T00:00:01Z",
        "deprecatedCount": 1,
    });
    assert_eq!(without_metadata(&target.get(&format!("{EVENTS}/a"))), expected);
    let expected = json!({
        "kind": "Event", "apiVersion": "v1", "reason": "Why", "message": "hello", "source": {},
        "involvedObject": {"kind": "Thing", "namespace": "default", "name": "th"},
        "firstTimestamp": null, "lastTimestamp": null, "type": "Normal", "eventTime": "2026-01-01T00:00:00.000000Z",
        "action": "Act", "reportingComponent": "example.com/ctl", "reportingInstance": "pod-1",
    });
    assert_eq!(without_metadata(&target.get(&format!("{CORE}/b"))), expected);
    for (path, version) in [("/api/v1/events", "v1"), ("/apis/events.k8s.io/v1/events", "events.k8s.io/v1")] {
        let list = target.get(path);
        assert_eq!((list.names(), &list.body["kind"]), (vec!["a", "b"], &json!("EventList")));
        assert_eq!(list.body["apiVersion"], version);
    }
}

#[test]
fn rest_078_fields_of_the_other_group_are_unknown() {
    let target = Target::new();
    let warned = target.create(CORE, &with(core("a"), &json!({"note": "x", "series": {"state": "Ongoing"}})));
    assert_eq!(warned.warnings, [unknown("note"), unknown("series.state")]);
    assert_eq!(warned.body["series"], json!({"lastObservedTime": null}));
    let strict = target.post(&format!("{EVENTS}?fieldValidation=Strict"), &with(event("b"), &json!({"message": "x"})));
    assert_eq!(strict.code, 400);
}

#[rstest]
#[case(json!("2026-01-01T02:00:00.123456+02:00"), Some(json!("2026-01-01T00:00:00.123456Z")))]
#[case(json!("2026-01-01T00:00:00,000001Z"), Some(json!("2026-01-01T00:00:00.000001Z")))]
#[case(json!("1969-12-31T23:59:59.999999Z"), Some(json!("1969-12-31T23:59:59.999999Z")))]
#[case(json!("1600-02-29T00:00:00.000001Z"), Some(json!("1600-02-29T00:00:00.000001Z")))]
#[case(json!("0001-01-01T00:00:00.000000Z"), Some(json!(null)))]
#[case(json!("2026-01-01T00:00:00Z"), None)]
#[case(json!("2026-01-01T00:00:00.12345Z"), None)]
#[case(json!("2026-01-01T00:00:00.1234567Z"), None)]
#[case(json!(""), None)]
#[case(json!(5), None)]
fn rest_078_times_have_microseconds(#[case] time: Value, #[case] expected: Option<Value>) {
    let fields = json!({"eventTime": time, "reportingComponent": "a/b", "reportingInstance": "i", "action": "A"});
    let answer = Target::new().post(CORE, &with(core("a"), &fields));
    assert_eq!(answer.code, if expected.is_some() { 201 } else { 400 });
    assert_eq!(answer.body.get("eventTime"), expected.as_ref());
}

#[test]
fn rest_041_a_write_in_one_group_drops_the_managers_of_the_other() {
    let target = Target::new();
    let first = target.create(&format!("{EVENTS}?fieldManager=new"), &event("a")).body;
    let managed = &first["metadata"]["managedFields"];
    let fields = json!({
        "f:action": {}, "f:eventTime": {}, "f:note": {}, "f:reason": {}, "f:regarding": {}, "f:reportingController": {},
        "f:reportingInstance": {}, "f:type": {},
    });
    assert_eq!((&managed[0]["apiVersion"], &managed[0]["fieldsV1"]), (&json!("events.k8s.io/v1"), &fields));
    let patched = target.merge(&format!("{CORE}/a?fieldManager=core"), &json!({"message": "m", "count": 3})).body;
    let managed = &patched["metadata"]["managedFields"];
    assert_eq!(managed[0]["fieldsV1"], json!({"f:count": {}, "f:message": {}}));
    assert_eq!(managed.as_array().map(Vec::len), Some(1), "{managed}");
}
