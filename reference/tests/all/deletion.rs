//! Deleting objects (REST-043..049, REST-068).

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Answer, THINGS, Target, definition, thing, things, version};

fn path() -> String {
    format!("{THINGS}/a")
}

fn target(finalizers: &[&str]) -> Target {
    let target = Target::with(&things());
    let mut object = thing("a", &json!({"a": "x"}));
    if !finalizers.is_empty() {
        object["metadata"]["finalizers"] = json!(finalizers);
    }
    assert_eq!(target.post(THINGS, &object).code, 201);
    target
}

fn delete(target: &Target, options: &Value) -> Answer {
    target.send("DELETE", &path(), &[("content-type", "application/json")], options.to_string())
}

#[test]
fn rest_043_an_object_without_finalizers_is_removed_at_once() {
    let target = target(&[]);
    let uid = target.get(&path()).body["metadata"]["uid"].clone();
    let answer = target.delete(&path());
    assert_eq!((answer.code, &answer.body["status"]), (200, &json!("Success")));
    assert_eq!(answer.body["details"], json!({"name": "a", "group": "example.com", "kind": "things", "uid": uid}));
    assert_eq!((target.get(&path()).code, target.delete(&path()).code), (404, 404));
    let again = target.post(THINGS, &thing("a", &json!({})));
    assert_ne!(again.body["metadata"]["uid"], uid);
}

#[test]
fn rest_044_to_046_finalizers_delay_the_removal() {
    let target = target(&["a.io/b", "a.io/c"]);
    let marked = target.delete(&path());
    assert_eq!((marked.code, marked.generation()), (200, 2));
    assert_eq!(marked.body["metadata"]["deletionGracePeriodSeconds"], 0);
    assert_eq!(target.delete(&path()).body, marked.body);
    let again = target.post(THINGS, &thing("a", &json!({})));
    assert!(again.body["message"].as_str().is_some_and(|text| text.starts_with("object is being deleted")));
    let more = target.merge(&path(), &json!({"metadata": {"finalizers": ["a.io/b", "a.io/d"]}}));
    assert_eq!(more.causes()[0], ("metadata.finalizers".to_owned(), "Forbidden".to_owned()));
    let kept = target.merge(&path(), &json!({"metadata": {"deletionTimestamp": null, "finalizers": ["a.io/c"]}}));
    assert_eq!(kept.body["metadata"]["deletionTimestamp"], marked.body["metadata"]["deletionTimestamp"]);
    let invalid = target.merge(&path(), &json!({"metadata": {"finalizers": null}, "spec": {"a": 5}}));
    assert_eq!((invalid.code, target.get(&path()).code), (422, 200));
    let last = target.merge(&path(), &json!({"metadata": {"finalizers": null}, "spec": {"a": "last"}}));
    assert_eq!((last.code, &last.body["spec"]["a"], target.get(&path()).code), (200, &json!("last"), 404));
}

#[test]
fn rest_046_the_last_update_is_returned_as_requested() {
    let with_field = |field: &str| json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {field: {"type": "string"}}}}});
    let target =
        Target::with(&definition(&[version("v1", true, &with_field("a")), version("v2", false, &with_field("b"))]));
    let mut object = thing("a", &json!({"a": "x"}));
    object["metadata"]["finalizers"] = json!(["a.io/b"]);
    target.post(THINGS, &object);
    let marked = target.delete(&path());
    let at_v2 = path().replace("/v1/", "/v2/");
    let patch = json!({"metadata": {"finalizers": null}, "spec": {"b": "new"}});
    for (query, left) in [("?dryRun=All", 200), ("", 404)] {
        let answer = target.merge(&format!("{at_v2}{query}"), &patch);
        assert_eq!((answer.code, &answer.body["spec"]), (200, &json!({"b": "new"})), "the field is unknown at v1");
        assert_eq!((&answer.body["apiVersion"], answer.version()), (&json!("example.com/v2"), marked.version()));
        assert_eq!(target.get(&path()).code, left);
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
    let target = target(&[]);
    assert_eq!(delete(&target, &options).code, code);
    assert_eq!(target.get(&path()).code, 200);
}

#[rstest]
#[case(json!(null))]
#[case(json!({}))]
#[case(json!({"kind": "DeleteOptions", "apiVersion": "example.com/v1", "foo": 1, "gracePeriodSeconds": -1}))]
fn rest_049_lenient_options_are_accepted(#[case] options: Value) {
    assert_eq!(delete(&target(&[]), &options).code, 200);
}

#[test]
fn rest_049_the_query_is_read_only_without_a_body() {
    let target = target(&[]);
    assert_eq!(target.delete(&format!("{}?dryRun=x", path())).code, 422);
    assert_eq!(target.delete(&format!("{}?gracePeriodSeconds=x", path())).code, 400);
    assert_eq!(target.send("DELETE", &path(), &[("content-type", "text/plain")], "x").code, 415);
    assert_eq!(target.send("DELETE", &format!("{}?dryRun=x", path()), &[], "{}").code, 200);
}

#[test]
fn rest_048_policies_are_finalizers() {
    let target = target(&[]);
    let orphan = target.delete(&format!("{}?propagationPolicy=Orphan", path()));
    assert_eq!(orphan.body["metadata"]["finalizers"], json!(["orphan"]));
    let foreground = target.delete(&format!("{}?propagationPolicy=Foreground", path()));
    assert_eq!(
        (&foreground.body["metadata"]["finalizers"], foreground.generation()),
        (&json!(["foregroundDeletion"]), 2)
    );
    assert_eq!(target.delete(&format!("{}?propagationPolicy=Background", path())).body["status"], "Success");
    assert_eq!(target.get(&path()).code, 404);
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
    let mut object = thing("a", &json!({}));
    object["metadata"]["finalizers"] = finalizers;
    target.post(THINGS, &object);
    target.send("DELETE", &path(), &[], json!({ "orphanDependents": orphans }).to_string());
    assert_eq!(target.get(&path()).body.pointer("/metadata/finalizers").cloned(), left);
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
    let token = deleted.body["metadata"]["continue"].as_str().expect("a token");
    target.delete(&format!("{THINGS}?limit=1&continue={token}"));
    assert_eq!(target.get(THINGS).body["items"], json!([]));
    let both_wrong = target.send("DELETE", &format!("{THINGS}?limit=x"), &[], r#"{"dryRun":["None"]}"#);
    assert_eq!(both_wrong.code, 400, "the query is validated first");
}

#[test]
fn rest_068_collections_are_deleted() {
    let target = Target::with(&things());
    for (name, finalizers) in [("a", json!([])), ("b", json!(["a.io/b"])), ("c", json!([]))] {
        let mut object = thing(name, &json!({}));
        object["metadata"]["finalizers"] = finalizers;
        object["metadata"]["labels"] = json!({"keep": if name == "c" { "yes" } else { "no" }});
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
