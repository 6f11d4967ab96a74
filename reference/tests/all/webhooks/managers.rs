//! `managedFields` of several versions (CONV-024, VER-021).

use serde_json::{Value, json};

use super::hook::{at_v1, at_v2, server};
use crate::support::{THING, THING_V2, THINGS, THINGS_V2};

/// The name, the version and the fields of `spec` of each manager, sorted: `one v1 f:host`.
fn managers(object: &Value) -> Vec<String> {
    let text = |entry: &Value, field: &str| entry[field].as_str().unwrap_or_default().replace("example.com/", "");
    let manager = |entry: &Value| {
        let fields = entry["fieldsV1"]["f:spec"].as_object().into_iter().flat_map(serde_json::Map::keys);
        let fields = fields.filter(|field| *field != ".").map(|field| format!(" {field}"));
        format!("{} {}{}", text(entry, "manager"), text(entry, "apiVersion"), fields.collect::<String>())
    };
    let entries = object["metadata"]["managedFields"].as_array().into_iter().flatten();
    let mut managers: Vec<String> = entries.map(manager).collect();
    managers.sort();
    managers
}

#[test]
fn ver_021_entries_keep_their_version() {
    let (target, _hook) = server();
    target.post(&format!("{THINGS}?fieldManager=one"), &at_v1("a", "h"));
    assert_eq!(managers(&target.get(THING_V2).body), ["one v1 f:host"]);
    let n = target.merge(&format!("{THING_V2}?fieldManager=two"), &json!({ "spec": { "n": 1 } }));
    assert_eq!(managers(&n.body), ["one v1 f:host", "two v2 f:n"]);
    let taken = target.merge(&format!("{THING_V2}?fieldManager=two"), &json!({ "spec": { "hostname": "i" } }));
    let expected = ["one v1", "two v2 f:hostname f:n"];
    assert_eq!(managers(&taken.body), expected, "what was `host` is `hostname` now");
}

#[test]
fn conv_024_a_broken_webhook_loses_them_silently() {
    let (target, hook) = server();
    target.post(&format!("{THINGS_V2}?fieldManager=one"), &at_v2("a", "h"));
    hook.break_down();
    let written = target.merge(&format!("{THING}?fieldManager=two"), &json!({ "spec": { "n": 1 } }));
    assert_eq!((written.code, managers(&written.body)), (200, Vec::new()));
    hook.repair();
    assert_eq!(managers(&target.get(THING_V2).body), [""; 0]);
}

#[test]
fn conv_010_these_conversions_have_the_revision() {
    let (target, hook) = server();
    let created = target.post(&format!("{THINGS_V2}?fieldManager=one"), &at_v2("a", "h"));
    hook.take_calls();
    assert_eq!(target.merge(&format!("{THING}?fieldManager=two"), &json!({ "spec": { "n": 1 } })).code, 200);
    let calls = hook.take_calls();
    let revisions = calls.iter().map(|(_, review)| &review["request"]["objects"][0]["metadata"]["resourceVersion"]);
    assert!(revisions.into_iter().any(|revision| *revision == created.version().as_str()), "{calls:?}");
}
