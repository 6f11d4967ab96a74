//! Writes at another version than the storage version (CONV-002, CONV-003, CONV-020, CONV-021, VER-014, VER-015).

use crdible_reference::Options;
use rstest::rstest;
use serde_json::{Value, json};

use super::hook::{V1, V2, at_v1, at_v2, eventually, server, server_with, stored_at};

#[test]
fn conv_003_updates_and_patches_are_converted() {
    let (target, _hook) = server();
    let created = target.post(V1, &at_v1("a", "h"));
    let mut body = target.get(&format!("{V2}/a")).body;
    body["spec"]["hostname"] = json!("i");
    let put = target.put(&format!("{V2}/a"), &body);
    assert_eq!((put.code, &put.body["spec"], put.generation()), (200, &json!({ "hostname": "i" }), 2));
    let merged = target.merge(&format!("{V2}/a"), &json!({ "spec": { "hostname": "j" } }));
    assert_eq!((merged.code, &merged.body["spec"]), (200, &json!({ "hostname": "j" })));
    let patch = json!([{ "op": "replace", "path": "/spec/hostname", "value": "k" }]);
    let patched = target.json_patch(&format!("{V2}/a"), &patch);
    assert_eq!((patched.code, &patched.body["spec"]), (200, &json!({ "hostname": "k" })));
    let stored = target.get(&format!("{V1}/a")).body;
    assert_eq!(
        (&stored["spec"], &stored["metadata"]["uid"]),
        (&json!({ "host": "k" }), &created.body["metadata"]["uid"])
    );
}

#[test]
fn ver_020_revisions_count_at_all_versions() {
    let (target, _hook) = server();
    target.post(V1, &at_v1("a", "h"));
    let old = target.get(&format!("{V2}/a")).body;
    target.merge(&format!("{V1}/a"), &json!({ "spec": { "host": "i" } }));
    assert_eq!(target.put(&format!("{V2}/a"), &old).code, 409);
}

#[rstest]
#[case::put("PUT")]
#[case::patch("PATCH")]
fn conv_021_errors_of_the_webhook_come_before_conflicts(#[case] method: &str) {
    let (target, hook) = server();
    target.post(V1, &at_v1("a", "h"));
    hook.break_down();
    let mut body = at_v2("a", "i");
    body["metadata"]["resourceVersion"] = json!("1");
    let media_type = if method == "PUT" { "application/json" } else { "application/merge-patch+json" };
    let answer = target.send(method, &format!("{V2}/a"), &[("content-type", media_type)], body.to_string());
    assert_eq!(answer.code, 500);
    hook.repair();
    let answer = target.send(method, &format!("{V2}/a"), &[("content-type", media_type)], body.to_string());
    assert_eq!(answer.code, 409);
}

#[test]
fn conv_021_an_update_is_stored_although_its_answer_cannot_be_converted() {
    let (target, hook) = server();
    target.post(V1, &at_v1("a", "h"));
    assert_eq!(target.get(V2).names(), ["a"], "the view has the object");
    hook.break_down_for("v2");
    let answer = target.merge(&format!("{V2}/a"), &json!({ "spec": { "hostname": "i" } }));
    assert_eq!(answer.code, 500);
    assert_eq!(target.get(&format!("{V1}/a")).body["spec"], json!({ "host": "i" }));
}

#[test]
fn conv_021_a_name_that_is_taken_is_found_out_after_the_conversion() {
    let (target, hook) = server();
    target.post(V1, &at_v1("a", "h"));
    assert_eq!(target.post(V2, &at_v2("a", "h")).code, 409);
    assert_eq!(target.post(&format!("{V2}?dryRun=All"), &at_v2("a", "h")).code, 409);
    hook.break_down();
    assert_eq!(target.post(V2, &at_v2("a", "h")).code, 500);
}

#[test]
fn conv_002_a_dry_run_converts_and_stores_nothing() {
    let (target, hook) = server();
    let answer = target.post(&format!("{V2}?dryRun=All"), &at_v2("a", "h"));
    assert_eq!((answer.code, &answer.body["spec"]), (201, &json!({ "hostname": "h" })));
    assert_eq!(target.get(&format!("{V1}/a")).code, 404);
    hook.break_down();
    assert_eq!(target.post(&format!("{V2}?dryRun=All"), &at_v2("a", "h")).code, 500);
}

#[test]
fn ver_015_an_empty_patch_moves_an_object_to_the_storage_version() {
    let (target, hook) = server();
    let created = target.post(V1, &at_v1("a", "h"));
    let change = target.merge(super::hook::DEFINITION, &json!({ "spec": stored_at("v2")["spec"].clone() }));
    assert_eq!(change.code, 200, "{change:?}");
    let (first, second) = (target.merge(&format!("{V1}/a"), &json!({})), target.merge(&format!("{V1}/a"), &json!({})));
    assert_eq!((first.code, first.generation()), (200, 1));
    assert_ne!(first.version(), created.version());
    assert_eq!(second.version(), first.version());
    hook.break_down();
    assert_eq!(target.get(&format!("{V2}/a")).body["spec"], json!({ "hostname": "h" }));
    assert_eq!(target.get(&format!("{V1}/a")).code, 500);
}

#[test]
fn conv_020_only_the_version_of_the_request_validates() {
    let mut definition = super::hook::converted();
    definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["host"]["maxLength"] =
        json!(3);
    let (target, _hook) = server_with(&definition, Options::default());
    assert_eq!(target.post(V2, &at_v2("a", "long enough")).code, 201);
    let ratcheted = target.merge(&format!("{V1}/a"), &json!({ "metadata": { "labels": { "l": "x" } } }));
    assert_eq!(ratcheted.code, 200);
    assert_eq!(target.merge(&format!("{V1}/a"), &json!({ "spec": { "host": "also long" } })).code, 422);
}

#[test]
fn conv_003_subresources_are_converted() {
    let mut definition = super::hook::converted();
    for version in [0, 1] {
        let version = &mut definition["spec"]["versions"][version];
        let schema = &mut version["schema"]["openAPIV3Schema"]["properties"];
        schema["status"] = json!({ "type": "object", "properties": { "phase": { "type": "string" } } });
        version["subresources"] = json!({
            "status": {}, "scale": { "specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n" },
        });
    }
    let (target, hook) = server_with(&definition, Options::default());
    let mut object = at_v1("a", "h");
    object["spec"]["n"] = json!(2);
    target.post(V1, &object);
    let status = target.merge(&format!("{V2}/a/status"), &json!({ "status": { "phase": "Done" } }));
    assert_eq!((status.code, &status.body["apiVersion"]), (200, &json!("example.com/v2")), "{status:?}");
    assert_eq!(target.get(&format!("{V1}/a")).body["status"], json!({ "phase": "Done" }));
    assert_eq!(target.get(&format!("{V2}/a/scale")).body["spec"], json!({ "replicas": 2 }));
    let scaled = target.merge(&format!("{V2}/a/scale"), &json!({ "spec": { "replicas": 5 } }));
    assert_eq!((scaled.code, &scaled.body["spec"]), (200, &json!({ "replicas": 5 })));
    assert_eq!(target.get(&format!("{V1}/a")).body["spec"], json!({ "host": "h", "n": 5 }));
    hook.break_down();
    for path in ["a/status", "a/scale"] {
        assert_eq!(target.get(&format!("{V2}/{path}")).code, 500);
        assert_eq!(target.merge(&format!("{V2}/{path}"), &json!({})).code, 500);
        assert_eq!(target.get(&format!("{V1}/{path}")).code, 200);
    }
}

#[test]
fn an_update_starts_from_what_the_view_has_seen() {
    let (target, hook) = server();
    target.post(V1, &at_v1("a", "h"));
    assert_eq!(target.get(V2).names(), ["a"]);
    // What it would be now is not asked again.
    hook.answer(|review, mut right| {
        if review["request"]["desiredAPIVersion"] == "example.com/v2" {
            right["response"]["convertedObjects"][0]["spec"] = json!({ "hostname": "other" });
        }
        super::hook::ok(&right)
    });
    let patch = json!([{ "op": "test", "path": "/spec/hostname", "value": "h" }]);
    let answer = target.json_patch(&format!("{V2}/a"), &patch);
    // Nothing to write, so the stored object is read again.
    assert_eq!((answer.code, &answer.body["spec"]), (200, &json!({ "hostname": "other" })));
}

#[test]
fn writers_at_two_versions_do_not_lose_each_others_changes() {
    let (target, _hook) = server();
    target.post(V1, &at_v1("a", "0"));
    let target = &target;
    std::thread::scope(|scope| {
        for (path, field) in [(V1, "host"), (V2, "hostname")] {
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
    assert_eq!(target.get(&format!("{V1}/a")).body["spec"], json!({ "host": "100" }));
}
