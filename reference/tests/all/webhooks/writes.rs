//! Writes at another version than the storage version (CONV-002, CONV-003, CONV-020, CONV-021, VER-014, VER-015).

use crdible_reference::Options;
use rstest::rstest;
use serde_json::{Value, json};

use super::hook::{at_v1, at_v2, converted, eventually, ok, server, server_with, stored_at, with_a, with_a_in_view};
use crate::support::{THING, THING_V2, THINGS, THINGS_DEFINITION, THINGS_V2, Target, With};

#[test]
fn conv_003_updates_and_patches_are_converted() {
    let (target, _hook) = server();
    let created = target.post(THINGS, &at_v1("a", "h"));
    let body = target.get(THING_V2).body.with("/spec/hostname", "i");
    let put = target.put(THING_V2, &body);
    assert_eq!((put.code, &put.body["spec"], put.generation()), (200, &json!({ "hostname": "i" }), 2));
    let merged = target.merge(THING_V2, &json!({ "spec": { "hostname": "j" } }));
    assert_eq!((merged.code, &merged.body["spec"]), (200, &json!({ "hostname": "j" })));
    let patch = json!([{ "op": "replace", "path": "/spec/hostname", "value": "k" }]);
    let patched = target.json_patch(THING_V2, &patch);
    assert_eq!((patched.code, &patched.body["spec"]), (200, &json!({ "hostname": "k" })));
    let stored = target.get(THING).body;
    assert_eq!(stored["spec"], json!({ "host": "k" }));
    assert_eq!(stored["metadata"]["uid"], created.body["metadata"]["uid"]);
}

#[test]
fn ver_020_revisions_count_at_all_versions() {
    let (target, _hook) = with_a();
    let old = target.get(THING_V2).body;
    target.merge(THING, &json!({ "spec": { "host": "i" } }));
    assert_eq!(target.put(THING_V2, &old).code, 409);
}

#[rstest]
#[case::put("PUT")]
#[case::patch("PATCH")]
fn conv_021_errors_of_the_webhook_come_before_conflicts(#[case] method: &str) {
    let (target, hook) = with_a();
    hook.break_down();
    let body = at_v2("a", "i").with("/metadata/resourceVersion", "1");
    let write = if method == "PUT" { Target::put } else { Target::merge };
    assert_eq!(write(&target, THING_V2, &body).code, 500);
    hook.repair();
    assert_eq!(write(&target, THING_V2, &body).code, 409);
}

#[test]
fn conv_021_an_update_is_stored_although_its_answer_cannot_be_converted() {
    let (target, hook) = with_a_in_view();
    hook.break_down_for("v2");
    assert_eq!(target.merge(THING_V2, &json!({ "spec": { "hostname": "i" } })).code, 500);
    assert_eq!(target.get(THING).body["spec"], json!({ "host": "i" }));
}

#[test]
fn conv_021_a_name_that_is_taken_is_found_out_after_the_conversion() {
    let (target, hook) = with_a();
    assert_eq!(target.post(THINGS_V2, &at_v2("a", "h")).code, 409);
    assert_eq!(target.post(&format!("{THINGS_V2}?dryRun=All"), &at_v2("a", "h")).code, 409);
    hook.break_down();
    assert_eq!(target.post(THINGS_V2, &at_v2("a", "h")).code, 500);
}

#[test]
fn conv_002_a_dry_run_converts_and_stores_nothing() {
    let (target, hook) = server();
    let answer = target.post(&format!("{THINGS_V2}?dryRun=All"), &at_v2("a", "h"));
    assert_eq!((answer.code, &answer.body["spec"]), (201, &json!({ "hostname": "h" })));
    assert_eq!(target.get(THING).code, 404);
    hook.break_down();
    assert_eq!(target.post(&format!("{THINGS_V2}?dryRun=All"), &at_v2("a", "h")).code, 500);
}

#[test]
fn ver_015_an_empty_patch_moves_an_object_to_the_storage_version() {
    let (target, hook) = server();
    let created = target.post(THINGS, &at_v1("a", "h"));
    let change = target.merge(THINGS_DEFINITION, &json!({ "spec": stored_at("v2")["spec"].clone() }));
    assert_eq!(change.code, 200, "{change:?}");
    let (first, second) = (target.merge(THING, &json!({})), target.merge(THING, &json!({})));
    assert_eq!((first.code, first.generation()), (200, 1));
    assert_ne!(first.version(), created.version());
    assert_eq!(second.version(), first.version());
    hook.break_down();
    assert_eq!(target.get(THING_V2).body["spec"], json!({ "hostname": "h" }));
    assert_eq!(target.get(THING).code, 500);
}

#[test]
fn conv_020_only_the_version_of_the_request_validates() {
    let host = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/host";
    let definition = converted().with(&format!("{host}/maxLength"), 3);
    let (target, _hook) = server_with(&definition, Options::default());
    assert_eq!(target.post(THINGS_V2, &at_v2("a", "long enough")).code, 201);
    assert_eq!(target.merge(THING, &json!({ "metadata": { "labels": { "l": "x" } } })).code, 200);
    assert_eq!(target.merge(THING, &json!({ "spec": { "host": "also long" } })).code, 422);
}

#[test]
fn conv_003_subresources_are_converted() {
    let status = json!({ "type": "object", "properties": { "phase": { "type": "string" } } });
    let scale = json!({ "specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n" });
    let definition = [0, 1].into_iter().fold(converted(), |definition, version| {
        let version = format!("/spec/versions/{version}");
        let definition = definition.with(&format!("{version}/subresources/scale"), scale.clone());
        let definition = definition.with(&format!("{version}/subresources/status"), json!({}));
        definition.with(&format!("{version}/schema/openAPIV3Schema/properties/status"), status.clone())
    });
    let (target, hook) = server_with(&definition, Options::default());
    target.post(THINGS, &at_v1("a", "h").with("/spec/n", 2));
    let status = target.merge(&format!("{THING_V2}/status"), &json!({ "status": { "phase": "Done" } }));
    assert_eq!((status.code, &status.body["apiVersion"]), (200, &json!("example.com/v2")), "{status:?}");
    assert_eq!(target.get(THING).body["status"], json!({ "phase": "Done" }));
    assert_eq!(target.get(&format!("{THING_V2}/scale")).body["spec"], json!({ "replicas": 2 }));
    let scaled = target.merge(&format!("{THING_V2}/scale"), &json!({ "spec": { "replicas": 5 } }));
    assert_eq!((scaled.code, &scaled.body["spec"]), (200, &json!({ "replicas": 5 })));
    assert_eq!(target.get(THING).body["spec"], json!({ "host": "h", "n": 5 }));
    hook.break_down();
    for path in ["a/status", "a/scale"] {
        assert_eq!(target.get(&format!("{THINGS_V2}/{path}")).code, 500);
        assert_eq!(target.merge(&format!("{THINGS_V2}/{path}"), &json!({})).code, 500);
        assert_eq!(target.get(&format!("{THINGS}/{path}")).code, 200);
    }
}

#[test]
fn an_update_starts_from_what_the_view_has_seen() {
    let (target, hook) = with_a_in_view();
    // What it would be now is not asked again.
    hook.answer(|review, mut right| {
        if review["request"]["desiredAPIVersion"] == "example.com/v2" {
            right["response"]["convertedObjects"][0]["spec"] = json!({ "hostname": "other" });
        }
        ok(&right)
    });
    let patch = json!([{ "op": "test", "path": "/spec/hostname", "value": "h" }]);
    let answer = target.json_patch(THING_V2, &patch);
    // Nothing to write, so the stored object is read again.
    assert_eq!((answer.code, &answer.body["spec"]), (200, &json!({ "hostname": "other" })));
}

#[test]
fn writers_at_two_versions_do_not_lose_each_others_changes() {
    let (target, _hook) = server();
    target.post(THINGS, &at_v1("a", "0"));
    let target = &target;
    std::thread::scope(|scope| {
        for (path, field) in [(THINGS, "host"), (THINGS_V2, "hostname")] {
            scope.spawn(move || {
                for _ in 0..50 {
                    assert!(eventually(|| {
                        let mut body = target.get(&format!("{path}/a")).body;
                        let count: u32 = body["spec"][field].as_str().unwrap().parse().unwrap();
                        body["spec"][field] = Value::from((count + 1).to_string());
                        target.put(&format!("{path}/a"), &body).code == 200
                    }));
                }
            });
        }
    });
    assert_eq!(target.get(THING).body["spec"], json!({ "host": "100" }));
}
