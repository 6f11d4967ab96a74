//! `/status` and `/scale` (chapter 10, VALUE-042). Results that the specification leaves open are those of
//! kube-apiserver 1.36.3.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    Answer, THING, THINGS, THINGS_DEFINITION, THINGS_V2, Target, With, definition, definition_of, schema, thing,
    version,
};

/// Things with both subresources at `v1`, and without subresources at `v2`.
fn target() -> Target {
    let spec = json!({"n": {"type": "integer", "maximum": 50}, "x": {"type": "string", "maxLength": 3}});
    let list = json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}});
    let status = json!({
        "r": {"type": "integer"}, "sel": {"type": "string"}, "p": {"type": "string", "maxLength": 3}, "l": list,
    });
    let schema = schema(&spec).with("/properties/status", json!({"type": "object", "properties": status}));
    let scale = json!({
        "specReplicasPath": ".spec.n", "statusReplicasPath": ".status.r", "labelSelectorPath": ".status.sel",
    });
    let v1 = version("v1", true, &schema).with("/subresources", json!({"status": {}, "scale": scale}));
    Target::with(&definition(&[v1, version("v2", false, &schema)]))
}

/// The same with an object `a` with 3 desired and 2 actual replicas, and its content.
fn with_one() -> (Target, Value) {
    let target = target();
    target.create(THINGS, &thing("a", &json!({"n": 3, "x": "abc"})));
    let stored = target.merge(STATUS, &json!({"status": {"r": 2, "sel": "a=b"}}));
    assert_eq!(stored.code, 200);
    (target, stored.body)
}

const STATUS: &str = "/apis/example.com/v1/namespaces/default/things/a/status";
const SCALE: &str = "/apis/example.com/v1/namespaces/default/things/a/scale";
const OTHER_STATUS: &str = "/apis/example.com/v2/namespaces/default/things/a/status";
const OTHER_SCALE: &str = "/apis/example.com/v2/namespaces/default/things/a/scale";

fn revision(object: &Value) -> &str {
    object["metadata"]["resourceVersion"].as_str().unwrap_or_default()
}

/// The object with these members replaced; those of metadata one by one.
fn changed(object: &Value, members: &Value) -> Value {
    let mut object = object.clone();
    for (key, value) in members.as_object().into_iter().flatten() {
        object[key] = match (key.as_str(), value) {
            ("metadata", Value::Object(_)) => changed(&object["metadata"], value),
            _ => value.clone(),
        };
    }
    object
}

/// The code, and the reason of a refusal: `422 Invalid`.
fn outcome(answer: &Answer) -> String {
    format!("{} {}", answer.code, if answer.code < 300 { "" } else { answer.reason() }).trim_end().to_owned()
}

#[test]
fn sub_002_status_shows_the_whole_object() {
    let (target, object) = with_one();
    assert_eq!(target.get(STATUS).body, object);
    assert_eq!(target.get(&format!("{STATUS}?watch=1")).body, object, "SUB-014");
    assert_eq!(target.get(THING).body, object);
}

/// The object without the fields that every write changes: the revision and the managed fields.
fn content(object: &Value) -> Value {
    let mut object = object.clone();
    let metadata = object["metadata"].as_object_mut().expect("metadata");
    metadata.retain(|field, _| !["resourceVersion", "managedFields"].contains(&field.as_str()));
    object
}

#[rstest]
#[case::sub_005_other_fields(
    json!({"spec": {"n": 9}, "metadata": {"labels": {"a": "b"}, "finalizers": ["x.io/y"]}}),
    json!({"r": 2, "sel": "a=b"}),
)]
#[case::sub_005_kind(json!({"kind": "Other", "status": {"r": 5}}), json!({"r": 5}))]
#[case::sub_006_removed(json!({"status": null}), Value::Null)]
#[case::prune(json!({"status": {"r": 7, "zz": 1}}), json!({"r": 7}))]
fn sub_005_a_put_changes_only_the_status(#[case] members: Value, #[case] status: Value) {
    let (target, before) = with_one();
    let answer = target.put(STATUS, &changed(&before, &members));
    assert_eq!(answer.code, 200, "{}", answer.body);
    let mut expected = before.clone();
    match status {
        Value::Null => drop(expected.as_object_mut().expect("an object").remove("status")),
        status => expected["status"] = status,
    }
    assert_eq!(revision(&answer.body) != revision(&before), expected != before, "SUB-008");
    assert_eq!(content(&answer.body), content(&expected));
    assert_eq!(target.get(THING).body, answer.body);
}

#[rstest]
#[case::sub_007_no_revision(json!({"metadata": {"resourceVersion": ""}}), "422 Invalid")]
#[case::sub_007_stale(json!({"metadata": {"resourceVersion": "1"}}), "409 Conflict")]
#[case::uid(json!({"metadata": {"uid": "other"}}), "409 Conflict")]
#[case::name(json!({"metadata": {"name": "b"}}), "400 BadRequest")]
#[case::api_version(json!({"apiVersion": "example.com/v2"}), "400 BadRequest")]
#[case::no_kind(json!({"kind": ""}), "400 BadRequest")]
#[case::sub_012_schema(json!({"status": {"p": "long"}}), "422 Invalid")]
#[case::sub_012_type(json!({"status": 5}), "422 Invalid")]
#[case::sub_012_topology(json!({"status": {"l": [1, 1]}}), "422 Invalid")]
#[case::value_042(json!({"status": {"r": -1}}), "422 Invalid")]
fn invalid_puts_of_status_are_refused(#[case] members: Value, #[case] expected: &str) {
    let (target, before) = with_one();
    assert_eq!(outcome(&target.put(STATUS, &changed(&before, &members))), expected);
    assert_eq!(target.get(THING).body, before);
}

#[test]
fn sub_005_fields_of_another_kind_are_not_checked() {
    let (target, _) = with_one();
    let patch = json!({"kind": "Other", "status": {"r": 5, "zz": 1}});
    let answer = target.merge(&format!("{STATUS}?fieldValidation=Strict"), &patch);
    assert_eq!((answer.code, &answer.body["status"]), (200, &json!({"r": 5, "sel": "a=b"})), "REST-008");
    for (api_version, group) in [("apps/v1", json!("apps")), ("v1", Value::Null)] {
        let patch = json!({"apiVersion": api_version, "kind": "Other", "status": {"r": -1}});
        let details = target.merge(STATUS, &patch).body["details"].clone();
        assert_eq!((&details["kind"], &details["group"]), (&json!("Other"), &group));
    }
}

#[rstest]
#[case::sub_005_kind(json!({"kind": "Other", "status": {"r": 5}}), "200")]
#[case::sub_005_version(json!({"apiVersion": "example.com/v2", "status": {"r": 5}}), "200")]
#[case::uid(json!({"metadata": {"uid": "other"}}), "200")]
#[case::sub_007(json!({"metadata": {"resourceVersion": "1"}}), "409 Conflict")]
#[case::no_kind(json!({"kind": null}), "422 Invalid")]
#[case::name(json!({"metadata": {"name": "b"}}), "400 BadRequest")]
fn patches_of_status(#[case] patch: Value, #[case] expected: &str) {
    let (target, _) = with_one();
    assert_eq!(outcome(&target.merge(STATUS, &patch)), expected);
    let kind = target.get(THING).body;
    assert_eq!((&kind["kind"], &kind["apiVersion"]), (&json!("Thing"), &json!("example.com/v1")));
}

#[test]
fn sub_012_an_invalid_spec_does_not_block_the_status() {
    let (target, before) = with_one();
    // v2 has no subresources. The schema is tightened after the object was stored.
    let definition = [0, 1].into_iter().fold(target.get(THINGS_DEFINITION).body, |definition, version| {
        let x = format!("/spec/versions/{version}/schema/openAPIV3Schema/properties/spec/properties/x");
        definition.with(&format!("{x}/maxLength"), 1)
    });
    assert_eq!(target.put(THINGS_DEFINITION, &definition).code, 200);
    let answer = target.merge(STATUS, &json!({"status": {"r": 1}}));
    assert_eq!((answer.code, &answer.body["spec"]), (200, &before["spec"]));
}

#[rstest]
#[case::post_status("POST", STATUS, 405)]
#[case::delete_status("DELETE", STATUS, 405)]
#[case::post_scale("POST", SCALE, 405)]
#[case::delete_scale("DELETE", SCALE, 405)]
#[case::sub_015_status("GET", OTHER_STATUS, 404)]
#[case::sub_015_status_post("POST", OTHER_STATUS, 404)]
#[case::sub_015_scale("GET", OTHER_SCALE, 404)]
#[case::sub_015_scale_delete("DELETE", OTHER_SCALE, 404)]
#[case::none("GET", "/apis/example.com/v1/namespaces/default/things/a/nope", 404)]
#[case::no_object_status("GET", "/apis/example.com/v1/namespaces/default/things/b/status", 404)]
#[case::no_object_scale("GET", "/apis/example.com/v1/namespaces/default/things/b/scale", 404)]
fn sub_014_and_015_missing_subresources_and_objects(#[case] method: &str, #[case] path: &str, #[case] code: u16) {
    let (target, before) = with_one();
    let expected = if code == 405 { "405 MethodNotAllowed" } else { "404 NotFound" };
    assert_eq!(outcome(&target.send(method, path, &[], "{}")), expected);
    assert_eq!(target.get(THING).body, before);
}

#[test]
fn sub_013_status_and_scale_of_an_object_that_is_being_deleted() {
    let (target, before) = with_one();
    assert_eq!(target.merge(THING, &json!({"metadata": {"finalizers": ["x.io/y"]}})).code, 200);
    assert_eq!(target.delete(THING).code, 200);
    let answer = target.merge(STATUS, &json!({"status": {"r": 1}, "metadata": {"finalizers": null}}));
    assert_eq!((answer.code, &answer.body["metadata"]["finalizers"]), (200, &json!(["x.io/y"])));
    let scaled = target.merge(SCALE, &json!({"spec": {"replicas": 1}}));
    assert_eq!((scaled.code, &scaled.body["spec"]["replicas"]), (200, &json!(1)));
    assert_eq!(target.get(THING).body["metadata"]["uid"], before["metadata"]["uid"]);
}

#[test]
fn sub_021_scale_shows_replicas_and_some_metadata() {
    let (target, object) = with_one();
    assert_eq!(target.merge(THING, &json!({"metadata": {"labels": {"a": "b"}}})).code, 200);
    let scale = target.get(SCALE);
    let metadata = &object["metadata"];
    let expected = json!({
        "apiVersion": "autoscaling/v1", "kind": "Scale", "spec": {"replicas": 3}, "status": {"replicas": 2, "selector": "a=b"},
        "metadata": {
            "name": "a", "namespace": "default", "uid": metadata["uid"], "creationTimestamp": metadata["creationTimestamp"],
            "resourceVersion": target.get(THING).body["metadata"]["resourceVersion"],
        },
    });
    assert_eq!((scale.code, scale.body), (200, expected));
}

fn scale(members: &Value) -> Value {
    let scale = json!({"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "a"}});
    changed(&scale, members)
}

#[rstest]
#[case::sub_023(scale(&json!({"spec": {"replicas": 5}})), json!(5))]
#[case::sub_024_missing(scale(&json!({})), json!(0))]
#[case::sub_024_null(scale(&json!({"spec": {"replicas": null}})), json!(0))]
#[case::sub_023_status_is_ignored(scale(&json!({"spec": {"replicas": 6}, "status": {"replicas": 40}})), json!(6))]
#[case::sub_023_metadata_is_ignored(scale(&json!({"spec": {"replicas": 6}, "metadata": {"labels": {"c": "d"}}})), json!(6))]
#[case::no_kind(json!({"metadata": {"name": "a"}, "spec": {"replicas": 7}}), json!(7))]
fn sub_023_a_put_sets_only_the_replicas(#[case] body: Value, #[case] number: Value) {
    let (target, before) = with_one();
    let answer = target.put(SCALE, &body);
    assert_eq!(answer.code, 200, "{}", answer.body);
    let after = target.get(THING).body;
    let expected = before.with("/spec", json!({"n": number, "x": "abc"})).with("/metadata/generation", 2);
    assert_eq!(content(&after), content(&expected), "SUB-026");
    assert_eq!(target.get(SCALE).body, answer.body, "SUB-027");
}

#[rstest]
#[case::name(scale(&json!({"metadata": {"name": "b"}})), "400 BadRequest")]
#[case::no_name(json!({"spec": {"replicas": 1}}), "400 BadRequest")]
#[case::kind(scale(&json!({"kind": "Thing"})), "400 BadRequest")]
#[case::version(scale(&json!({"apiVersion": "autoscaling/v2"})), "400 BadRequest")]
#[case::text(scale(&json!({"spec": {"replicas": "1"}})), "400 BadRequest")]
#[case::large(scale(&json!({"spec": {"replicas": 2_147_483_648_i64}})), "400 BadRequest")]
#[case::sub_024_sentinel(scale(&json!({"spec": {"replicas": -2_147_483_648_i64}})), "400 BadRequest")]
#[case::value_042(scale(&json!({"spec": {"replicas": -1}})), "422 Invalid")]
#[case::sub_026_schema(scale(&json!({"spec": {"replicas": 51}})), "422 Invalid")]
#[case::sub_023_uid(scale(&json!({"metadata": {"uid": "other"}})), "409 Conflict")]
#[case::sub_025_stale(scale(&json!({"metadata": {"resourceVersion": "1"}})), "409 Conflict")]
#[case::zero(scale(&json!({"metadata": {"resourceVersion": "0"}})), "422 Invalid")]
fn invalid_puts_of_scale_are_refused(#[case] body: Value, #[case] expected: &str) {
    let (target, before) = with_one();
    assert_eq!(outcome(&target.put(SCALE, &body)), expected);
    assert_eq!(target.get(THING).body, before);
}

#[test]
fn value_042_causes_name_the_configured_path() {
    let (target, _) = with_one();
    let causes = |body: &Value| target.merge(SCALE, body).body["details"]["causes"][0]["field"].clone();
    assert_eq!(causes(&json!({"spec": {"replicas": -1}})), ".spec.n");
    assert_eq!(causes(&json!({"spec": {"replicas": 60}})), "spec.n");
}

#[rstest]
#[case::merge(json!({"spec": {"replicas": 8}}), 200, json!(8))]
#[case::removed(json!({"spec": null}), 200, json!(0))]
#[case::status(json!({"status": {"replicas": 9}}), 200, json!(3))]
#[case::other_kind(json!({"kind": "X"}), 422, json!(3))]
#[case::no_kind(json!({"kind": null}), 200, json!(3))]
#[case::stale(json!({"metadata": {"resourceVersion": "1"}}), 409, json!(3))]
#[case::name(json!({"metadata": {"name": "b"}}), 400, json!(3))]
fn sub_029_merge_patches_of_scale(#[case] patch: Value, #[case] code: u16, #[case] number: Value) {
    let (target, _) = with_one();
    assert_eq!(target.merge(SCALE, &patch).code, code);
    assert_eq!(target.get(THING).body["spec"]["n"], number);
}

#[test]
fn sub_022_and_024_objects_without_replicas() {
    let target = target();
    target.create(THINGS, &thing("a", &json!({})));
    assert_eq!(outcome(&target.get(SCALE)), "500 InternalError");
    assert_eq!(outcome(&target.merge(SCALE, &json!({}))), "400 BadRequest");
    assert_eq!(target.merge(SCALE, &json!({"spec": {"replicas": 2}})).code, 200);
    assert_eq!(target.get(THING).body["spec"], json!({"n": 2}));
}

#[test]
fn sub_023_missing_parents_are_created() {
    let target = target();
    target.create(THINGS, &json!({"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}}));
    assert_eq!(target.put(SCALE, &scale(&json!({"spec": {"replicas": 4}}))).code, 200);
    assert_eq!(target.get(THING).body["spec"], json!({"n": 4}));
}

#[test]
fn sub_028_values_from_before_scale_was_enabled() {
    let target = target();
    let object = thing("a", &json!({"n": -4})).with("/apiVersion", "example.com/v2").with("/status", json!({"r": -1}));
    target.create(THINGS_V2, &object);
    let labels = json!({"metadata": {"labels": {"a": "b"}}});
    assert_eq!(target.merge(THING, &labels).fields(), [".spec.n", ".status.r"], "VALUE-042");
    assert_eq!(target.merge(STATUS, &json!({"status": {"p": "x"}})).fields(), [".status.r"], "VALUE-042");
    assert_eq!(target.merge(SCALE, &json!({"spec": {"replicas": 1}})).fields(), [".status.r"], "VALUE-042");
    assert_eq!(target.merge(STATUS, &json!({"status": {"r": 1}})).code, 200);
    assert_eq!(target.merge(SCALE, &json!({"spec": {"replicas": 1}})).code, 200);
}

#[test]
fn sub_026_a_dry_run_does_not_scale() {
    let (target, before) = with_one();
    let answer = target.put(&format!("{SCALE}?dryRun=All"), &scale(&json!({"spec": {"replicas": 30}})));
    assert_eq!((answer.code, &answer.body["spec"]["replicas"]), (200, &json!(30)));
    assert_eq!(target.get(THING).body, before);
}

#[test]
fn sub_020_paths_are_literal() {
    let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let scale = json!({"specReplicasPath": ".spec.a[0].n", "statusReplicasPath": ".status.r"});
    let target = Target::with(
        &definition_of(&json!({"type": "object", "properties": {"spec": any}}))
            .with("/spec/versions/0/subresources/scale", scale),
    );
    target.create(THINGS, &thing("a", &json!({"a": [{"n": 1}], "a[0]": {"n": 2}})));
    assert_eq!(target.get(SCALE).body["spec"], json!({"replicas": 2}));
}
