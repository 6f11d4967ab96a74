//! Deletion at another version, and of definitions (CONV-003, CONV-024, LIFE-015).

use crdible_reference::Options;
use serde_json::json;

use super::hook::{at_v1, converted, eventually, server, server_with, stored_at, with_a};
use crate::support::{THING, THING_V2, THINGS, THINGS_DEFINITION, THINGS_V2, With, condition};

#[test]
fn conv_024_a_deletion_at_another_version_needs_the_webhook() {
    let (target, hook) = with_a();
    hook.break_down();
    assert_eq!(target.delete(THING_V2).code, 500);
    assert_eq!(target.get(THING).code, 200);
    assert_eq!(target.delete(THING).code, 200);
    assert_eq!(target.get(THING).code, 404);
    hook.repair();
    target.post(THINGS, &at_v1("a", "h"));
    assert_eq!(target.delete(THING_V2).code, 200);
    assert_eq!(target.get(THING).code, 404);
}

#[test]
fn conv_003_an_object_with_finalizers_is_returned_converted() {
    let (target, _hook) = server();
    target.post(THINGS, &at_v1("a", "h").with("/metadata/finalizers", json!(["example.com/f"])));
    let deleted = target.delete(THING_V2);
    assert_eq!((deleted.code, &deleted.body["spec"]), (200, &json!({ "hostname": "h" })));
    assert!(!deleted.body["metadata"]["deletionTimestamp"].is_null());
    let released = target.merge(THING_V2, &json!({ "metadata": { "finalizers": null } }));
    assert_eq!((released.code, &released.body["spec"]), (200, &json!({ "hostname": "h" })));
    assert_eq!(target.get(THING).code, 404);
}

#[test]
fn rest_068_a_collection_is_deleted_at_another_version() {
    let (target, hook) = server();
    for name in ["a", "b"] {
        target.post(THINGS, &at_v1(name, "h"));
    }
    let deleted = target.delete(&format!("{THINGS_V2}?fieldSelector=metadata.name%3Da"));
    assert_eq!((deleted.code, deleted.names()), (200, vec!["a"]), "{deleted:?}");
    assert_eq!(deleted.body["items"][0]["spec"], json!({ "hostname": "h" }));
    assert_eq!(target.get(THINGS).names(), ["b"]);
    hook.break_down();
    assert_eq!(target.delete(THINGS_V2).code, 500);
    assert_eq!(target.get(THINGS).names(), ["b"]);
}

#[test]
fn conv_024_a_definition_is_deleted_without_its_webhook() {
    let (target, hook) = with_a();
    hook.break_down();
    assert_eq!(target.delete(THINGS_DEFINITION).code, 200);
    assert_eq!(target.get(THINGS_DEFINITION).code, 404);
}

#[test]
fn conv_024_a_definition_waits_for_its_webhook_if_objects_are_stored_at_another_version() {
    let (target, hook) = with_a();
    hook.break_down();
    assert_eq!(target.merge(THINGS_DEFINITION, &json!({ "spec": stored_at("v2")["spec"].clone() })).code, 200);
    assert_eq!(target.delete(THINGS_DEFINITION).code, 200);
    let terminating = || condition(&target.get(THINGS_DEFINITION).body, "Terminating");
    assert!(eventually(|| terminating().ends_with("InstanceDeletionFailed")));
    hook.repair();
    assert!(eventually(|| target.get(THINGS_DEFINITION).code == 404));
}

#[test]
fn conv_024_a_definition_without_its_webhook_is_deleted_with_strategy_none() {
    let (target, hook) = with_a();
    hook.break_down();
    target.merge(THINGS_DEFINITION, &json!({ "spec": stored_at("v2")["spec"].clone() }));
    target.delete(THINGS_DEFINITION);
    assert_eq!(target.get(THINGS_DEFINITION).code, 200);
    let none = json!({ "spec": { "conversion": { "strategy": "None", "webhook": null } } });
    assert_eq!(target.merge(THINGS_DEFINITION, &none).code, 200);
    assert!(eventually(|| target.get(THINGS_DEFINITION).code == 404));
}

#[test]
fn a_server_ends_its_threads() {
    let (target, hook) = server_with(&converted(), Options::default());
    target.post(THINGS, &at_v1("a", "h"));
    hook.break_down();
    target.post(THINGS, &at_v1("b", "h"));
    assert!(hook.is_called_again());
    drop(target);
    assert!(eventually(|| {
        hook.take_calls();
        std::thread::sleep(std::time::Duration::from_millis(250));
        hook.take_calls().is_empty()
    }));
}
