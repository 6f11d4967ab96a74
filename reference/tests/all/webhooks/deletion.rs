//! Deletion at another version, and of definitions (CONV-003, CONV-024, LIFE-015).

use crdible_reference::Options;
use serde_json::json;

use super::hook::{DEFINITION, V1, V2, at_v1, eventually, server, server_with, stored_at};

#[test]
fn conv_024_a_deletion_at_another_version_needs_the_webhook() {
    let (target, hook) = server();
    target.post(V1, &at_v1("a", "h"));
    hook.break_down();
    assert_eq!(target.delete(&format!("{V2}/a")).code, 500);
    assert_eq!(target.get(&format!("{V1}/a")).code, 200);
    assert_eq!(target.delete(&format!("{V1}/a")).code, 200);
    assert_eq!(target.get(&format!("{V1}/a")).code, 404);
    hook.repair();
    target.post(V1, &at_v1("a", "h"));
    assert_eq!(target.delete(&format!("{V2}/a")).code, 200);
    assert_eq!(target.get(&format!("{V1}/a")).code, 404);
}

#[test]
fn conv_003_an_object_with_finalizers_is_returned_converted() {
    let (target, _hook) = server();
    let mut object = at_v1("a", "h");
    object["metadata"]["finalizers"] = json!(["example.com/f"]);
    target.post(V1, &object);
    let deleted = target.delete(&format!("{V2}/a"));
    assert_eq!((deleted.code, &deleted.body["spec"]), (200, &json!({ "hostname": "h" })));
    assert!(!deleted.body["metadata"]["deletionTimestamp"].is_null());
    let released = target.merge(&format!("{V2}/a"), &json!({ "metadata": { "finalizers": null } }));
    assert_eq!((released.code, &released.body["spec"]), (200, &json!({ "hostname": "h" })));
    assert_eq!(target.get(&format!("{V1}/a")).code, 404);
}

#[test]
fn rest_068_a_collection_is_deleted_at_another_version() {
    let (target, hook) = server();
    for name in ["a", "b"] {
        target.post(V1, &at_v1(name, "h"));
    }
    let deleted = target.delete(&format!("{V2}?fieldSelector=metadata.name%3Da"));
    assert_eq!((deleted.code, deleted.names()), (200, vec!["a"]), "{deleted:?}");
    assert_eq!(deleted.body["items"][0]["spec"], json!({ "hostname": "h" }));
    assert_eq!(target.get(V1).names(), ["b"]);
    hook.break_down();
    assert_eq!(target.delete(V2).code, 500);
    assert_eq!(target.get(V1).names(), ["b"]);
}

#[test]
fn conv_024_a_definition_is_deleted_without_its_webhook() {
    let (target, hook) = server();
    target.post(V1, &at_v1("a", "h"));
    hook.break_down();
    assert_eq!(target.delete(DEFINITION).code, 200);
    assert_eq!(target.get(DEFINITION).code, 404);
}

#[test]
fn conv_024_a_definition_waits_for_its_webhook_if_objects_are_stored_at_another_version() {
    let (target, hook) = server();
    target.post(V1, &at_v1("a", "h"));
    hook.break_down();
    assert_eq!(target.merge(DEFINITION, &json!({ "spec": stored_at("v2")["spec"].clone() })).code, 200);
    assert_eq!(target.delete(DEFINITION).code, 200);
    let terminating = |reason: &str| {
        let definition = target.get(DEFINITION).body;
        let conditions = definition["status"]["conditions"].as_array().cloned().unwrap_or_default();
        conditions.iter().any(|condition| condition["type"] == "Terminating" && condition["reason"] == reason)
    };
    assert!(eventually(|| terminating("InstanceDeletionFailed")));
    hook.repair();
    assert!(eventually(|| target.get(DEFINITION).code == 404));
}

#[test]
fn conv_024_a_definition_without_its_webhook_is_deleted_with_strategy_none() {
    let (target, hook) = server();
    target.post(V1, &at_v1("a", "h"));
    hook.break_down();
    target.merge(DEFINITION, &json!({ "spec": stored_at("v2")["spec"].clone() }));
    target.delete(DEFINITION);
    assert_eq!(target.get(DEFINITION).code, 200);
    let none = json!({ "spec": { "conversion": { "strategy": "None", "webhook": null } } });
    assert_eq!(target.merge(DEFINITION, &none).code, 200);
    assert!(eventually(|| target.get(DEFINITION).code == 404));
}

#[test]
fn a_server_ends_its_threads() {
    let (target, hook) = server_with(&super::hook::converted(), Options::default());
    target.post(V1, &at_v1("a", "h"));
    hook.break_down();
    target.post(V1, &at_v1("b", "h"));
    assert!(hook.is_called_again());
    drop(target);
    assert!(eventually(|| {
        hook.take_calls();
        std::thread::sleep(std::time::Duration::from_millis(250));
        hook.take_calls().is_empty()
    }));
}
