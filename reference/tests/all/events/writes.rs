//! Validation of new and changed events.

use rstest::rstest;
use serde_json::{Value, json};

use super::{CORE, EVENTS, core, event, involved, with};
use crate::support::Target;

#[rstest]
#[case::minimal(json!({"involvedObject": {}, "reason": null, "message": null, "type": null, "source": null}), &[])]
#[case::any_type(json!({"type": "Odd"}), &[])]
#[case::negative_count(json!({"count": -1}), &[])]
#[case::other_namespace(involved("kube-system"), &["involvedObject.namespace Invalid"])]
#[case::series(json!({"series": {"count": 1}}), &[])]
#[case::with_time(
    json!({"eventTime": "2026-01-01T00:00:00.000000Z", "reason": null}),
    &["action Required", "reason Required", "reportingComponent Invalid", "reportingComponent Invalid",
      "reportingComponent Required", "reportingInstance Required"]
)]
#[case::long(
    json!({"eventTime": "2026-01-01T00:00:00.000000Z", "reason": "r".repeat(129), "action": "a".repeat(129), "message": "m".repeat(1025),
      "reportingComponent": "a".repeat(64), "reportingInstance": "i".repeat(129)}),
    &["action Invalid", "message Invalid", "reason Invalid", "reportingComponent Invalid", "reportingInstance Invalid"]
)]
#[case::not_too_long(
    json!({"eventTime": "2026-01-01T00:00:00.000000Z", "reason": "r".repeat(128), "action": "a".repeat(128), "message": "m".repeat(1024),
      "reportingComponent": "a".repeat(63), "reportingInstance": "i".repeat(128)}),
    &[]
)]
#[case::name_that_is_not_a_subdomain(json!({"metadata": {"name": "A b_c"}}), &[])]
#[case::name_that_is_not_a_path_segment(json!({"metadata": {"name": "a/b"}}), &["metadata.name Invalid"])]
#[case::metadata(
    json!({"metadata": {"name": "a", "labels": {"a b": "c"}, "finalizers": ["x y"]}}),
    &["metadata.finalizers Invalid", "metadata.labels Invalid"],
)]
#[case::metadata_is_validated_last(
    json!({"metadata": {"name": "a", "labels": {"a b": "c"}}, "involvedObject": {"namespace": "x"}}),
    &["involvedObject.namespace Invalid"],
)]
fn rest_078_new_events_of_the_core_group(#[case] fields: Value, #[case] causes: &[&str]) {
    let answer = Target::new().post(CORE, &with(core("a"), &fields));
    assert_eq!(answer.causes(), causes, "{answer:?}");
    assert_eq!(answer.code, if causes.is_empty() { 201 } else { 422 });
}

#[rstest]
#[case::complete(json!({}), &[])]
#[case::other_namespace(json!({"regarding": {"namespace": "x", "name": "y"}}), &[])]
#[case::no_object(json!({"regarding": null}), &[])]
#[case::no_time(json!({"eventTime": null}), &["eventTime Required"])]
#[case::no_type(json!({"type": null}), &["type Invalid"])]
#[case::odd_type(json!({"type": "Odd"}), &["type Invalid"])]
#[case::no_reporter(
    json!({"reportingController": null}),
    &["reportingController Invalid", "reportingController Invalid", "reportingController Required"],
)]
#[case::deprecated(
    json!({"deprecatedCount": 1, "deprecatedSource": {"host": "h"}, "deprecatedFirstTimestamp": "2026-01-01T00:00:00Z",
      "deprecatedLastTimestamp": "2026-01-01T00:00:00Z"}),
    &["count Invalid", "firstTimestamp Invalid", "lastTimestamp Invalid", "source Invalid"]
)]
#[case::series(json!({"series": {"count": 1}}), &["series.count Invalid", "series.lastObservedTime Required"])]
#[case::long_note(json!({"note": "n".repeat(1025)}), &["message Invalid"])]
#[case::metadata(
    json!({"metadata": {"name": "A", "finalizers": ["x y"]}, "type": "Odd"}),
    &["metadata.finalizers Invalid", "metadata.finalizers[0] Invalid", "metadata.name Invalid", "type Invalid"],
)]
fn rest_078_new_events_of_the_events_group(#[case] fields: Value, #[case] causes: &[&str]) {
    let answer = Target::new().post(EVENTS, &with(event("a"), &fields));
    assert_eq!(answer.causes(), causes, "{answer:?}");
    assert_eq!(answer.code, if causes.is_empty() { 201 } else { 422 });
    if !causes.is_empty() {
        let message = answer.message();
        assert!(message.starts_with("Event \""), "{message}");
        assert_eq!(answer.body["details"].get("group"), None);
    }
}

#[rstest]
#[case::series(json!({"series": {"count": 2, "lastObservedTime": "2026-01-01T00:00:05.000000Z"}}), &[])]
#[case::bad_series(json!({"series": {"count": 1}}), &["series.count", "series.lastObservedTime"])]
#[case::texts(json!({"note": "x", "reason": "Other", "type": "Warning"}), &["message", "reason", "reason", "type"])]
#[case::time(json!({"eventTime": "2026-01-01T00:00:00.000001Z"}), &["eventTime"])]
#[case::reporter(json!({"reportingController": "b/c", "reportingInstance": "q"}), &["reportingController", "reportingInstance"])]
#[case::objects(json!({"regarding": {"namespace": "default"}, "related": {"name": "x"}}), &["involvedObject", "related"])]
#[case::deprecated(json!({"deprecatedCount": 4, "deprecatedSource": {"host": "h"}}), &["count", "source"])]
#[case::metadata(
    json!({"metadata": {"name": "a", "labels": {"a b": "x"}, "finalizers": ["x y"]}}),
    &["metadata.finalizers", "metadata.finalizers[0]", "metadata.labels", "metadata.labels", "metadata.labels"],
)]
fn rest_078_updates_in_the_events_group_may_change_only_the_series(#[case] fields: Value, #[case] causes: &[&str]) {
    let target = Target::new();
    target.create(EVENTS, &event("a"));
    let put = target.put(&format!("{EVENTS}/a"), &with(event("a"), &fields));
    assert_eq!(put.fields(), causes, "{put:?}");
    assert_eq!(put.code, if causes.is_empty() { 200 } else { 422 });
}

#[test]
fn rest_078_updates_in_the_core_group_may_change_everything() {
    let target = Target::new();
    target.create(EVENTS, &event("a"));
    let put = target.put(&format!("{CORE}/a"), &with(core("a"), &json!({"type": "Odd"})));
    assert_eq!((put.code, &put.body["type"], &put.body["eventTime"]), (200, &json!("Odd"), &Value::Null));
    let labels = with(core("a"), &json!({"metadata": {"name": "a", "labels": {"a b": "c"}}}));
    assert_eq!(target.put(&format!("{CORE}/a"), &labels).causes().len(), 2);
    assert_eq!(target.put(&format!("{CORE}/a"), &with(core("a"), &involved("x"))).code, 422);
}

#[test]
fn rest_078_a_put_of_a_missing_event_creates_it() {
    let target = Target::new();
    let path = format!("{CORE}/a");
    let named = |metadata: Value| with(core("a"), &json!({ "metadata": metadata }));
    assert_eq!(target.put(&format!("{path}?dryRun=All"), &core("a")).code, 201);
    assert_eq!(target.put(&path, &named(json!({"name": "a", "uid": "x"}))).code, 409);
    assert_eq!(target.put(&path, &named(json!({"name": "b"}))).code, 400);
    assert_eq!(target.put(&path, &with(core("a"), &involved("x"))).code, 422);
    assert_eq!(target.get(&path).code, 404);
    let elsewhere = with(core("a"), &involved("none"));
    assert_eq!(target.put("/api/v1/namespaces/none/events/a", &elsewhere).code, 404);
    let put = target.put(&format!("{path}?fieldManager=me"), &named(json!({"name": "a", "resourceVersion": "7"})));
    assert_eq!((put.code, &put.body["metadata"]["managedFields"][0]["manager"]), (201, &json!("me")));
    assert_eq!(target.put(&path, &core("a")).code, 200);
    assert_eq!(target.put(&path, &named(json!({"name": "a", "resourceVersion": "1"}))).code, 409);
    assert_eq!(target.merge(&format!("{CORE}/none"), &json!({"count": 2})).code, 404);
}

#[test]
fn rest_078_event_recorders_patch_counts() {
    let target = Target::new();
    target.create(&format!("{CORE}?fieldManager=me"), &core("a"));
    let patch = json!({"count": 2, "lastTimestamp": "2026-01-01T00:00:09Z", "source": {"host": null}, "message": null});
    let patched = target.strategic(&format!("{CORE}/a"), &patch);
    assert_eq!((patched.code, &patched.body["count"], patched.body.get("message")), (200, &json!(2), None));
    assert_eq!(patched.body["source"], json!({"component": "comp"}));
    let wrong = target.strategic(&format!("{CORE}/a"), &json!({"count":"x"}));
    assert_eq!(wrong.refusal(), "422 patch Invalid");
    let kind = target.strategic(&format!("{CORE}/a"), &json!({"kind":"X","apiVersion":"x"}));
    assert_eq!((kind.code, &kind.body["kind"]), (200, &json!("Event")));
    for wrong in [json!({"kind":5}), json!({"apiVersion":5})] {
        let patched = target.strategic(&format!("{CORE}/a"), &wrong);
        assert_eq!(patched.code, 422, "{wrong}");
    }
    target.create(EVENTS, &event("b"));
    let series = json!({"series": {"count": 2, "lastObservedTime": "2026-01-01T00:00:05.000000Z"}});
    let patched = target.strategic(&format!("{EVENTS}/b"), &series);
    assert_eq!((patched.code, &patched.body["series"]), (200, &series["series"]));
}
