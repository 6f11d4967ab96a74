//! Changes of a definition's conversion (CONV-025, CONV-028), and values at its edge.

use crdible_reference::Options;
use serde_json::json;

use super::hook::{DEFINITION, V1, V2, at_v1, at_v2, converted, server, server_with};

#[test]
fn conv_028_strategy_none_keeps_objects_readable() {
    let (target, hook) = server();
    target.post(V1, &at_v1("a", "h"));
    hook.break_down();
    let none = json!({ "spec": { "conversion": { "strategy": "None", "webhook": null } } });
    assert_eq!(target.merge(DEFINITION, &none).code, 200);
    let read = target.get(&format!("{V2}/a"));
    assert_eq!((read.code, &read.body["spec"]), (200, &json!({})));
    assert_eq!(target.get(V2).names(), ["a"]);
}

#[test]
fn conv_025_a_webhook_is_used_at_once() {
    let mut definition = converted();
    let conversion = definition["spec"]["conversion"].take();
    definition["spec"].as_object_mut().unwrap().remove("conversion");
    let (target, _hook) = server_with(&definition, Options::default());
    target.post(V1, &at_v1("a", "h"));
    assert_eq!(target.get(&format!("{V2}/a")).body["spec"], json!({}));
    assert_eq!(target.merge(DEFINITION, &json!({ "spec": { "conversion": conversion } })).code, 200);
    assert_eq!(target.get(&format!("{V2}/a")).body["spec"], json!({ "hostname": "h" }));
    assert_eq!(target.get(V2).body["items"][0]["spec"], json!({ "hostname": "h" }));
}

#[test]
fn ver_018_an_object_in_a_removed_version_cannot_be_read() {
    let (target, _hook) = server();
    target.post(V1, &at_v1("a", "h"));
    let mut changed = super::hook::stored_at("v2")["spec"].clone();
    target.merge(DEFINITION, &json!({ "spec": changed.clone() }));
    target.merge(&format!("{DEFINITION}/status"), &json!({ "status": { "storedVersions": ["v2"] } }));
    changed["versions"].as_array_mut().unwrap().remove(0);
    assert_eq!(target.merge(DEFINITION, &json!({ "spec": changed })).code, 200);
    let read = target.get(&format!("{V2}/a"));
    let expected = "request to convert CR from an invalid group/version: example.com/v1";
    assert_eq!((read.code, &read.body["message"]), (500, &json!(expected)));
    assert_eq!(target.post(V2, &at_v2("b", "h")).code, 201);
    assert_eq!(target.get(&format!("{V2}/b")).code, 200);
}

#[test]
fn a_panicking_webhook_is_an_error() {
    let (target, hook) = server();
    target.post(V1, &at_v1("a", "h"));
    hook.answer(|_, _| panic!("as a test may do"));
    assert_eq!(target.get(&format!("{V2}/a")).code, 500);
    hook.repair();
    assert_eq!(target.get(&format!("{V2}/a")).code, 200);
}
