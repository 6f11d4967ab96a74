//! Patches in requests (REST-030..035, REST-055). Applying patches is unit-tested in the crate.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{JSON_PATCH, MERGE, THING, THINGS, Target, unknown};

fn target() -> Target {
    Target::with_thing(&json!({"a": "x"}))
}

#[rstest]
#[case::rest_035_name(json!({"metadata": {"name": "b"}}), 400, &[])]
#[case::rest_035_no_name(json!({"metadata": {"name": null}}), 400, &[])]
#[case::rest_035_namespace(json!({"metadata": {"namespace": "b"}}), 400, &[])]
#[case::rest_035_api_version(json!({"apiVersion": "example.com/v2"}), 422, &["apiVersion"])]
#[case::rest_035_slashes(json!({"apiVersion": "a/b/c", "metadata": {"labels": {"-a": "b"}}}), 422, &["patch"])]
#[case::rest_035_no_api_version(json!({"apiVersion": null}), 422, &["patch"])]
#[case::rest_035_kind(json!({"kind": "X"}), 422, &["kind"])]
#[case::rest_035_kind_and_metadata(
    json!({"kind": "X", "metadata": {"labels": {"-a": "b"}, "uid": "x"}, "spec": {"a": 5}}),
    422,
    &["kind", "metadata.labels", "metadata.labels", "metadata.uid"],
)]
#[case::rest_035_kind_of_wrong_metadata(json!({"kind": "X", "metadata": {"labels": 4}}), 422, &["patch"])]
#[case::rest_035_no_kind(json!({"kind": null}), 422, &["patch"])]
#[case::rest_035_no_version(json!({"metadata": {"resourceVersion": null}}), 422, &["metadata.resourceVersion"])]
#[case::rest_035_stale(json!({"metadata": {"resourceVersion": "1"}}), 409, &[])]
#[case::rest_029_not_a_number(json!({"metadata": {"resourceVersion": "x"}}), 400, &[])]
#[case::rest_030(json!({"metadata": {"uid": "x"}}), 422, &["metadata.uid", "metadata.uid"])]
#[case::rest_031(
    json!({"metadata": {"deletionTimestamp": "2020-01-01T00:00:00Z"}}),
    422,
    &["metadata.deletionTimestamp", "metadata.deletionTimestamp"],
)]
#[case::prune_016(json!({"metadata": {"labels": 4}}), 422, &["patch"])]
#[case::value_001(json!({"spec": {"a": 5}}), 422, &["spec.a"])]
fn invalid_patches_are_refused(#[case] patch: Value, #[case] code: u16, #[case] fields: &[&str]) {
    let target = target();
    let before = target.get(THING);
    let answer = target.merge(THING, &patch);
    assert_eq!(answer.code, code, "{answer:?}");
    assert_eq!(answer.fields(), fields);
    assert_eq!(target.get(THING).body, before.body);
}

#[test]
fn rest_031_fields_that_clients_cannot_set_are_ignored() {
    let target = target();
    let before = target.get(THING);
    let patch = json!({"metadata": {"creationTimestamp": "2020-01-01T00:00:00Z", "generation": 55, "selfLink": "/x"}});
    assert_eq!(target.merge(THING, &patch).body, before.body);
}

#[test]
fn default_021_removed_fields_are_defaulted_again() {
    let target = target();
    assert_eq!(target.merge(THING, &json!({"spec": {"d": "own"}})).body["spec"]["d"], "own");
    let answer = target.merge(THING, &json!({"spec": {"d": null, "a": null}}));
    assert_eq!((answer.generation(), &answer.body["spec"]), (3, &json!({"d": "dd"})));
    let answer = target.json_patch(THING, &json!([{"op": "add", "path": "/spec/d", "value": null}]));
    assert_eq!(answer.body["spec"], json!({"d": "dd"}));
}

#[test]
fn rest_033_all_operations_are_applied_or_none() {
    let target = target();
    let before = target.get(THING);
    let operation = |op: &str, value: &str| json!({"op": op, "path": "/spec/a", "value": value});
    let answer = target.json_patch(THING, &json!([operation("replace", "y"), operation("test", "z")]));
    assert_eq!((answer.refusal().as_str(), answer.reason()), ("422", "Invalid"));
    assert_eq!(target.get(THING).body, before.body);
}

#[test]
fn prune_020_later_operations_see_undeclared_fields_of_earlier_ones() {
    let patch = json!([
        {"op": "add", "path": "/spec/zz", "value": "y"},
        {"op": "copy", "from": "/spec/zz", "path": "/spec/a"},
    ]);
    let answer = target().json_patch(THING, &patch);
    assert_eq!(answer.body["spec"], json!({"a": "y", "d": "dd"}));
    assert_eq!(answer.warnings, [unknown("spec.zz")]);
}

#[rstest]
#[case::merge(MERGE, r#"{"spec":{"zz":1}}"#, "unknown field \\\"spec.zz\\\"")]
#[case::duplicates(MERGE, r#"{"spec":{"a":"x","a":"x"}}"#, "duplicate field \\\"spec.a\\\"")]
#[case::members(
    JSON_PATCH,
    r#"[{"op":"test","path":"/spec/a","value":"x","foo":1}]"#,
    "json patch unknown field \\\"[0].foo\\\""
)]
fn rest_055_findings_in_patches_follow_field_validation(
    #[case] media_type: &str,
    #[case] patch: &'static str,
    #[case] warning: &str,
) {
    let target = target();
    let send = |query: &str| target.send_as(media_type, "PATCH", &format!("{THING}{query}"), patch);
    let warned = send("");
    assert_eq!((warned.code, warned.warnings), (200, vec![format!("299 - \"{warning}\"")]));
    let strict = send("?fieldValidation=Strict");
    assert_eq!(strict.refusal(), "422 patch Invalid");
    assert_eq!((strict.body["details"].get("kind"), strict.body["details"].get("name")), (None, None));
    let ignored = send("?fieldValidation=Ignore");
    assert_eq!((ignored.code, ignored.warnings.len()), (200, 0));
}

#[test]
fn rest_037_force_is_only_for_apply() {
    let answer = target().merge(&format!("{THING}?force=false"), &json!({}));
    assert_eq!(answer.refusal(), "422 force Forbidden");
    assert_eq!(answer.body["details"]["kind"], "PatchOptions");
}

#[test]
fn rest_035_a_missing_object_is_reported_before_an_invalid_patch() {
    assert_eq!(target().send_as(MERGE, "PATCH", &format!("{THINGS}/b"), "[").code, 404);
}

#[rstest]
#[case::validated("Warn", "[]", "400")]
#[case::not_validated("Ignore", "[]", "422 patch Invalid")]
#[case::number("Ignore", "3", "400")]
fn rest_034_an_array_is_not_a_merge_patch(
    #[case] validation: &str,
    #[case] patch: &'static str,
    #[case] refusal: &str,
) {
    let path = format!("{THING}?fieldValidation={validation}");
    assert_eq!(target().send_as(MERGE, "PATCH", &path, patch).refusal(), refusal);
}
