//! Changes of a definition's conversion (CONV-025, CONV-028), and values at its edge.

use crdible_reference::Options;
use serde_json::json;

use super::hook::{at_v1, at_v2, converted, server_with, stored_at, with_a};
use crate::support::{THING_V2, THINGS, THINGS_DEFINITION, THINGS_V2};

#[test]
fn conv_028_strategy_none_keeps_objects_readable() {
    let (target, hook) = with_a();
    hook.break_down();
    let none = json!({ "spec": { "conversion": { "strategy": "None", "webhook": null } } });
    assert_eq!(target.merge(THINGS_DEFINITION, &none).code, 200);
    let read = target.get(THING_V2);
    assert_eq!((read.code, &read.body["spec"]), (200, &json!({})));
    assert_eq!(target.get(THINGS_V2).names(), ["a"]);
}

#[test]
fn conv_025_a_webhook_is_used_at_once() {
    let mut definition = converted();
    let conversion = definition["spec"]["conversion"].take();
    definition["spec"].as_object_mut().unwrap().remove("conversion");
    let (target, _hook) = server_with(&definition, Options::default());
    target.post(THINGS, &at_v1("a", "h"));
    assert_eq!(target.get(THING_V2).body["spec"], json!({}));
    assert_eq!(target.merge(THINGS_DEFINITION, &json!({ "spec": { "conversion": conversion } })).code, 200);
    assert_eq!(target.get(THING_V2).body["spec"], json!({ "hostname": "h" }));
    assert_eq!(target.get(THINGS_V2).body["items"][0]["spec"], json!({ "hostname": "h" }));
}

#[test]
fn ver_018_an_object_in_a_removed_version_cannot_be_read() {
    let (target, _hook) = with_a();
    let mut changed = stored_at("v2")["spec"].clone();
    target.merge(THINGS_DEFINITION, &json!({ "spec": changed.clone() }));
    target.merge(&format!("{THINGS_DEFINITION}/status"), &json!({ "status": { "storedVersions": ["v2"] } }));
    changed["versions"].as_array_mut().unwrap().remove(0);
    assert_eq!(target.merge(THINGS_DEFINITION, &json!({ "spec": changed })).code, 200);
    let read = target.get(THING_V2);
    let expected = "request to convert CR from an invalid group/version: example.com/v1";
    assert_eq!((read.code, &read.body["message"]), (500, &json!(expected)));
    assert_eq!(target.post(THINGS_V2, &at_v2("b", "h")).code, 201);
    assert_eq!(target.get(&format!("{THINGS_V2}/b")).code, 200);
}

#[test]
fn a_panicking_webhook_is_an_error() {
    let (target, hook) = with_a();
    hook.answer(|_, _| panic!("as a test may do"));
    assert_eq!(target.get(THING_V2).code, 500);
    hook.repair();
    assert_eq!(target.get(THING_V2).code, 200);
}
