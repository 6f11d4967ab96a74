//! `managedFields` of several versions (CONV-024, VER-021).

use serde_json::{Value, json};

use super::hook::{V1, V2, at_v1, at_v2, server};

/// The version and the fields of `spec` of each manager, by name.
fn managers(object: &Value) -> Vec<(String, String, Vec<String>)> {
    let text = |entry: &Value, field: &str| entry[field].as_str().unwrap_or_default().to_owned();
    let fields = |entry: &Value| {
        let fields = entry["fieldsV1"]["f:spec"].as_object().map(|fields| fields.keys().cloned().collect());
        let mut fields: Vec<String> = fields.unwrap_or_default();
        fields.retain(|field| field != ".");
        fields
    };
    let entries = object["metadata"]["managedFields"].as_array().cloned().unwrap_or_default();
    let mut managers: Vec<_> =
        entries.iter().map(|entry| (text(entry, "manager"), text(entry, "apiVersion"), fields(entry))).collect();
    managers.sort();
    managers
}

fn manager(name: &str, version: &str, field: &str) -> (String, String, Vec<String>) {
    (name.to_owned(), format!("example.com/{version}"), vec![field.to_owned()])
}

#[test]
fn ver_021_entries_keep_their_version() {
    let (target, _hook) = server();
    target.post(&format!("{V1}?fieldManager=one"), &at_v1("a", "h"));
    assert_eq!(managers(&target.get(&format!("{V2}/a")).body), [manager("one", "v1", "f:host")]);
    let n = target.merge(&format!("{V2}/a?fieldManager=two"), &json!({ "spec": { "n": 1 } }));
    assert_eq!(managers(&n.body), [manager("one", "v1", "f:host"), manager("two", "v2", "f:n")]);
    let taken = target.merge(&format!("{V2}/a?fieldManager=two"), &json!({ "spec": { "hostname": "i" } }));
    let mut both = manager("two", "v2", "f:hostname");
    both.2.push("f:n".to_owned());
    let mut none = manager("one", "v1", "");
    none.2.clear();
    assert_eq!(managers(&taken.body), [none, both], "what was `host` is `hostname` now");
}

#[test]
fn conv_024_a_broken_webhook_loses_them_silently() {
    let (target, hook) = server();
    target.post(&format!("{V2}?fieldManager=one"), &at_v2("a", "h"));
    hook.break_down();
    let written = target.merge(&format!("{V1}/a?fieldManager=two"), &json!({ "spec": { "n": 1 } }));
    assert_eq!((written.code, managers(&written.body)), (200, vec![]));
    hook.repair();
    assert_eq!(managers(&target.get(&format!("{V2}/a")).body), []);
}

#[test]
fn conv_010_these_conversions_have_the_revision() {
    let (target, hook) = server();
    let created = target.post(&format!("{V2}?fieldManager=one"), &at_v2("a", "h"));
    hook.take_calls();
    assert_eq!(target.merge(&format!("{V1}/a?fieldManager=two"), &json!({ "spec": { "n": 1 } })).code, 200);
    let calls = hook.take_calls();
    let revisions = calls.iter().map(|(_, review)| &review["request"]["objects"][0]["metadata"]["resourceVersion"]);
    assert!(revisions.into_iter().any(|revision| *revision == created.version().as_str()), "{calls:?}");
}
