//! Reads at another version than the stored one (CONV-002, CONV-003, CONV-024, CONV-026, CONV-027).

use serde_json::json;

use super::hook::{V1, V2, at_v1, at_v2, ok, server};

#[test]
fn conv_003_all_kinds_of_reads_are_converted() {
    let (target, _hook) = server();
    target.post(V1, &at_v1("a", "h"));
    target.post(V2, &at_v2("b", "i"));
    assert_eq!(target.get(&format!("{V2}/a")).body["spec"], json!({ "hostname": "h" }));
    assert_eq!(target.get(&format!("{V1}/b")).body["spec"], json!({ "host": "i" }));
    let list = target.get(V2);
    assert_eq!((list.code, &list.body["apiVersion"]), (200, &json!("example.com/v2")));
    let specs: Vec<_> = list.body["items"].as_array().unwrap().iter().map(|item| item["spec"].clone()).collect();
    assert_eq!(specs, [json!({ "hostname": "h" }), json!({ "hostname": "i" })]);
    assert!(list.body["items"].as_array().unwrap().iter().all(|item| item["apiVersion"] == "example.com/v2"));
    let everywhere = target.get("/apis/example.com/v2/things");
    assert_eq!(everywhere.body["items"], list.body["items"]);
}

#[test]
fn conv_003_tables_and_partial_metadata() {
    let (target, hook) = server();
    target.post(V1, &at_v1("a", "h"));
    hook.edit_object(|object| object["metadata"]["labels"] = json!({ "shown": "yes" }));
    let form = |form: &str| format!("application/json;as={form};v=v1;g=meta.k8s.io");
    let accept = form("PartialObjectMetadata");
    let partial = target.send("GET", &format!("{V2}/a"), &[("accept", &accept)], "");
    assert_eq!(partial.body["metadata"]["labels"], json!({ "shown": "yes" }));
    hook.break_down();
    for wanted in ["PartialObjectMetadata", "Table"] {
        assert_eq!(target.send("GET", &format!("{V2}/a"), &[("accept", &form(wanted))], "").code, 500, "{wanted}");
    }
}

#[test]
fn conv_024_a_broken_webhook_fails_reads_of_other_versions_only() {
    let (target, hook) = server();
    target.post(V1, &at_v1("a", "h"));
    hook.break_down();
    assert_eq!(target.get(&format!("{V2}/a")).code, 500);
    assert_eq!(target.get(&format!("{V1}/a")).code, 200);
    assert_eq!(target.get(V1).names(), ["a"]);
    hook.repair();
    assert_eq!(target.get(&format!("{V2}/a")).code, 200);
}

#[test]
fn conv_026_writing_back_what_was_read_changes_nothing() {
    let (target, _hook) = server();
    let created = target.post(V1, &at_v1("a", "h"));
    let read = target.get(&format!("{V2}/a"));
    let written = target.put(&format!("{V2}/a"), &read.body);
    assert_eq!((written.code, written.version(), written.generation()), (200, created.version(), 1));
}

#[test]
fn conv_026_what_is_lost_is_lost() {
    let (target, hook) = server();
    target.post(V1, &at_v1("a", "h"));
    hook.answer(|review, mut right| {
        if review["request"]["desiredAPIVersion"] == "example.com/v1" {
            right["response"]["convertedObjects"][0]["spec"] = json!({});
        }
        ok(&right)
    });
    let written = target.merge(&format!("{V2}/a"), &json!({ "metadata": { "labels": { "l": "x" } } }));
    assert_eq!((written.code, written.generation()), (200, 1));
    hook.repair();
    assert_eq!(target.get(&format!("{V1}/a")).body["spec"], json!({}));
}

#[test]
fn numbers_that_were_floats_make_new_generations() {
    let (target, hook) = server();
    hook.answer(|_, right| super::hook::status(200, &right.to_string().replace(":1000", ":1000.0")));
    let mut object = at_v1("a", "h");
    object["spec"]["n"] = json!(1000);
    target.post(V1, &object);
    assert_eq!(target.get(V2).names(), ["a"]);
    let generations: Vec<i64> = (0..3).map(|_| target.merge(&format!("{V2}/a"), &json!({})).generation()).collect();
    assert_eq!(generations, [2, 3, 4]);
    assert_eq!(target.get(&format!("{V1}/a")).body["spec"]["n"], json!(1000));
}

#[test]
fn rest_019_an_older_state_is_enough_for_some() {
    let (target, hook) = server();
    let created = target.post(V1, &at_v1("a", "h"));
    assert_eq!(target.get(V2).names(), ["a"]);
    hook.break_down();
    assert_eq!(target.get(&format!("{V2}/a")).code, 500);
    assert_eq!(target.get(&format!("{V2}/a?resourceVersion=0")).body["spec"], json!({ "hostname": "h" }));
    assert_eq!(target.get(&format!("{V2}/a?resourceVersion={}", created.version())).code, 200);
    assert_eq!(target.get(&format!("{V2}/b?resourceVersion=0")).code, 404);
}
