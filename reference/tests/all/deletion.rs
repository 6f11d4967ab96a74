//! Deleting objects (REST-043..049, REST-068).

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    JSON, THING, THING_V2, THINGS, THINGS_DEFINITION, Target, With, definition, schema, thing, things, version,
};

/// A server with the thing `a`, …
fn target() -> Target {
    Target::with_thing(&json!({"a": "x"}))
}

/// … which has these finalizers.
fn held(finalizers: &[&str]) -> Target {
    let target = Target::with(&things());
    target.create(THINGS, &thing("a", &json!({"a": "x"})).with("/metadata/finalizers", finalizers));
    target
}

#[test]
fn rest_043_an_object_without_finalizers_is_removed_at_once() {
    let target = target();
    let uid = target.get(THING).body["metadata"]["uid"].clone();
    let answer = target.delete(THING);
    assert_eq!((answer.code, &answer.body["status"]), (200, &json!("Success")));
    assert_eq!(answer.body["details"], json!({"name": "a", "group": "example.com", "kind": "things", "uid": uid}));
    assert_eq!((target.get(THING).code, target.delete(THING).code), (404, 404));
    let again = target.post(THINGS, &thing("a", &json!({})));
    assert_ne!(again.body["metadata"]["uid"], uid);
}

#[test]
fn rest_044_to_046_finalizers_delay_the_removal() {
    let target = held(&["a.io/b", "a.io/c"]);
    let marked = target.delete(THING);
    assert_eq!((marked.code, marked.generation()), (200, 2));
    assert_eq!(marked.body["metadata"]["deletionGracePeriodSeconds"], 0);
    assert_eq!(target.delete(THING).body, marked.body);
    let again = target.post(THINGS, &thing("a", &json!({})));
    assert!(again.message().starts_with("object is being deleted"));
    let more = target.merge(THING, &json!({"metadata": {"finalizers": ["a.io/b", "a.io/d"]}}));
    assert_eq!(more.causes()[0], "metadata.finalizers Forbidden");
    let kept = target.merge(THING, &json!({"metadata": {"deletionTimestamp": null, "finalizers": ["a.io/c"]}}));
    assert_eq!(kept.body["metadata"]["deletionTimestamp"], marked.body["metadata"]["deletionTimestamp"]);
    let invalid = target.merge(THING, &json!({"metadata": {"finalizers": null}, "spec": {"a": 5}}));
    assert_eq!((invalid.code, target.get(THING).code), (422, 200));
    let last = target.merge(THING, &json!({"metadata": {"finalizers": null}, "spec": {"a": "last"}}));
    assert_eq!((last.code, &last.body["spec"]["a"], target.get(THING).code), (200, &json!("last"), 404));
}

#[test]
fn rest_046_the_last_update_is_returned_as_requested() {
    let with_field = |field: &str| schema(&json!({field: {"type": "string"}}));
    let target =
        Target::with(&definition(&[version("v1", true, &with_field("a")), version("v2", false, &with_field("b"))]));
    target.post(THINGS, &thing("a", &json!({"a": "x"})).with("/metadata/finalizers", json!(["a.io/b"])));
    let marked = target.delete(THING);
    let patch = json!({"metadata": {"finalizers": null}, "spec": {"b": "new"}});
    for (query, left) in [("?dryRun=All", 200), ("", 404)] {
        let answer = target.merge(&format!("{THING_V2}{query}"), &patch);
        assert_eq!((answer.code, &answer.body["spec"]), (200, &json!({"b": "new"})), "the field is unknown at v1");
        assert_eq!((&answer.body["apiVersion"], answer.version()), (&json!("example.com/v2"), marked.version()));
        assert_eq!(target.get(THING).code, left);
    }
}

#[rstest]
#[case::rest_047_uid(json!({"preconditions": {"uid": "x"}}), 409)]
#[case::rest_047_version(json!({"preconditions": {"resourceVersion": "1"}}), 409)]
#[case::rest_048_unknown(json!({"propagationPolicy": "x"}), 422)]
#[case::rest_048_empty(json!({"propagationPolicy": ""}), 422)]
#[case::rest_048_both(json!({"propagationPolicy": "Orphan", "orphanDependents": true}), 422)]
#[case::rest_012_dry_run(json!({"dryRun": ["x"]}), 422)]
#[case::rest_049_kind(json!({"kind": "Foo", "apiVersion": "v1"}), 400)]
#[case::rest_049_array(json!([]), 400)]
#[case::rest_049_type(json!({"gracePeriodSeconds": "a"}), 400)]
fn invalid_options_are_refused(#[case] options: Value, #[case] code: u16) {
    let target = target();
    assert_eq!(target.delete_with(THING, &options).code, code);
    assert_eq!(target.get(THING).code, 200);
}

#[rstest]
#[case(json!(null))]
#[case(json!({}))]
#[case(json!({"kind": "DeleteOptions", "apiVersion": "example.com/v1", "foo": 1, "gracePeriodSeconds": -1}))]
fn rest_049_lenient_options_are_accepted(#[case] options: Value) {
    assert_eq!(target().delete_with(THING, &options).code, 200);
}

#[test]
fn rest_049_the_query_is_read_only_without_a_body() {
    let target = target();
    assert_eq!(target.delete(&format!("{THING}?dryRun=x")).code, 422);
    assert_eq!(target.delete(&format!("{THING}?gracePeriodSeconds=x")).code, 400);
    assert_eq!(target.send("DELETE", THING, &[("content-type", "text/plain")], "x").code, 415);
    assert_eq!(target.send("DELETE", &format!("{THING}?dryRun=x"), &[], "{}").code, 200);
}

#[rstest]
#[case::uid("uid=x", "the UID in the precondition (x) does not match the UID in record (")]
#[case::version("resourceVersion=1", "the ResourceVersion in the precondition (1) does not match")]
#[case::version_zero("resourceVersion=0", "the ResourceVersion in the precondition (0) does not match")]
#[case::no_version("resourceVersion=x", "the ResourceVersion in the precondition (x) does not match")]
#[case::both("resourceVersion=1&uid=x", "the UID in the precondition (x) does not match")]
#[case::dry_run("uid=x&dryRun=All", "the UID in the precondition (x) does not match")]
fn rest_047_preconditions_may_be_in_the_query(#[case] query: &str, #[case] message: &str) {
    let target = target();
    let refused = target.delete(&format!("{THING}?{query}"));
    assert_eq!((refused.code, refused.message().contains(message)), (409, true), "{refused:?}");
    assert_eq!(target.get(THING).code, 200);
    let whole = target.delete(&format!("{THINGS_DEFINITION}?{query}"));
    assert_eq!((whole.code, whole.message().contains("Precondition failed: ")), (409, true), "{whole:?}");
    let with_a_body = target.send_as(JSON, "DELETE", &format!("{THING}?{query}&dryRun=All"), "{}");
    assert_eq!(with_a_body.code, 200, "only the body counts");
}

#[test]
fn rest_047_preconditions_in_the_query_that_hold_or_are_empty() {
    let target = target();
    assert_eq!(target.delete(&format!("{THING}?uid=&resourceVersion=&dryRun=All")).code, 200);
    let object = target.get(THING).body;
    let [uid, version] = ["uid", "resourceVersion"].map(|field| object["metadata"][field].as_str().unwrap());
    assert_eq!(target.delete(&format!("{THING}?uid={uid}&resourceVersion={version}")).code, 200);
    assert_eq!(target.get(THING).code, 404);
}

// As kube-apiserver 1.36.3 answers. It deletes collections in pages, so a revision alone means exactly this one.
#[rstest]
#[case("uid=x", 409, 1)]
#[case("resourceVersion=0", 409, 1)]
#[case("resourceVersion=1&resourceVersionMatch=NotOlderThan", 409, 1)]
#[case("resourceVersion=1", 200, 1)]
#[case("resourceVersion=x", 400, 1)]
#[case("uid=x&labelSelector=nothing", 200, 1)]
#[case("fieldSelector=metadata.name%3Da&resourceVersion=1", 409, 1)]
#[case("uid=", 200, 0)]
fn rest_047_preconditions_of_collections(#[case] query: &str, #[case] code: u16, #[case] left: usize) {
    let target = target();
    assert_eq!(target.delete(&format!("{THINGS}?{query}")).code, code);
    assert_eq!(target.get(THINGS).names().len(), left);
}

#[test]
fn rest_048_policies_are_finalizers() {
    let target = target();
    let orphan = target.delete(&format!("{THING}?propagationPolicy=Orphan"));
    assert_eq!(orphan.body["metadata"]["finalizers"], json!(["orphan"]));
    let foreground = target.delete(&format!("{THING}?propagationPolicy=Foreground"));
    assert_eq!(foreground.body["metadata"]["finalizers"], json!(["foregroundDeletion"]));
    assert_eq!(foreground.generation(), 2);
    assert_eq!(target.delete(&format!("{THING}?propagationPolicy=Background")).body["status"], "Success");
    assert_eq!(target.get(THING).code, 404);
}

#[rstest]
#[case::orphans(true, json!([]), Some(json!(["orphan"])))]
#[case::none(false, json!(["orphan"]), None)]
fn rest_048_orphan_dependents_sets_the_policy(
    #[case] orphans: bool,
    #[case] finalizers: Value,
    #[case] left: Option<Value>,
) {
    let target = Target::with(&things());
    target.post(THINGS, &thing("a", &json!({})).with("/metadata/finalizers", finalizers));
    target.delete_with(THING, &json!({"orphanDependents": orphans}));
    assert_eq!(target.get(THING).body.pointer("/metadata/finalizers").cloned(), left);
}

#[test]
fn rest_068_a_limit_deletes_one_page() {
    let target = Target::with(&things());
    for name in ["a", "b"] {
        target.post(THINGS, &thing(name, &json!({})));
    }
    let deleted = target.delete(&format!("{THINGS}?limit=1"));
    assert_eq!(deleted.body["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(deleted.body["metadata"]["remainingItemCount"], 1);
    target.delete(&format!("{THINGS}?limit=1&continue={}", deleted.token()));
    assert_eq!(target.get(THINGS).body["items"], json!([]));
    let both_wrong = target.send("DELETE", &format!("{THINGS}?limit=x"), &[], r#"{"dryRun":["None"]}"#);
    assert_eq!(both_wrong.code, 400, "the query is validated first");
}

#[test]
fn rest_068_collections_are_deleted() {
    let target = Target::with(&things());
    for (name, finalizers) in [("a", json!([])), ("b", json!(["a.io/b"])), ("c", json!([]))] {
        let object = thing(name, &json!({})).with("/metadata/finalizers", finalizers);
        let object = object.with("/metadata/labels/keep", if name == "c" { "yes" } else { "no" });
        target.post(THINGS, &object);
    }
    let dry = target.delete(&format!("{THINGS}?dryRun=All&labelSelector=keep%3Dno"));
    assert_eq!((dry.names(), target.get(THINGS).names()), (vec!["a", "b"], vec!["a", "b", "c"]));
    let answer = target.delete(&format!("{THINGS}?labelSelector=keep%3Dno"));
    assert_eq!((answer.code, &answer.body["kind"], answer.names()), (200, &json!("ThingList"), vec!["a", "b"]));
    assert_eq!(answer.body["items"][1]["metadata"].get("deletionTimestamp"), None, "as before the deletion");
    assert_eq!(target.get(THINGS).names(), ["b", "c"]);
    assert_eq!(target.delete(&format!("{THINGS}?labelSelector=%2F")).code, 400);
    assert_eq!(target.send("DELETE", THINGS, &[], "[").code, 400);
}
