//! Reads at another version than the stored one (CONV-002, CONV-003, CONV-024, CONV-026, CONV-027).

use serde_json::{Value, json};

use super::hook::{at_v1, at_v2, ok, server, status, with_a};
use crate::support::{PARTIAL, TABLE, THING, THING_V2, THINGS, THINGS_V2, With};

#[test]
fn conv_003_all_kinds_of_reads_are_converted() {
    let (target, _hook) = with_a();
    target.post(THINGS_V2, &at_v2("b", "i"));
    assert_eq!(target.get(THING_V2).body["spec"], json!({ "hostname": "h" }));
    assert_eq!(target.get(&format!("{THINGS}/b")).body["spec"], json!({ "host": "i" }));
    let list = target.get(THINGS_V2);
    assert_eq!((list.code, &list.body["apiVersion"]), (200, &json!("example.com/v2")));
    let items = list.body["items"].as_array().unwrap();
    let hosts: Vec<&Value> = items.iter().map(|item| &item["spec"]).collect();
    assert_eq!(hosts, [&json!({ "hostname": "h" }), &json!({ "hostname": "i" })]);
    assert!(items.iter().all(|item| item["apiVersion"] == "example.com/v2"));
    assert_eq!(target.get("/apis/example.com/v2/things").body["items"], list.body["items"]);
}

#[test]
fn conv_003_tables_and_partial_metadata() {
    let (target, hook) = with_a();
    hook.edit_object(|object| object["metadata"]["labels"] = json!({ "shown": "yes" }));
    assert_eq!(target.get_as(THING_V2, PARTIAL).body["metadata"]["labels"], json!({ "shown": "yes" }));
    hook.break_down();
    for wanted in [PARTIAL, TABLE] {
        assert_eq!(target.get_as(THING_V2, wanted).code, 500, "{wanted}");
    }
}

#[test]
fn conv_024_a_broken_webhook_fails_reads_of_other_versions_only() {
    let (target, hook) = with_a();
    hook.break_down();
    assert_eq!(target.get(THING_V2).code, 500);
    assert_eq!(target.get(THING).code, 200);
    assert_eq!(target.get(THINGS).names(), ["a"]);
    hook.repair();
    assert_eq!(target.get(THING_V2).code, 200);
}

#[test]
fn conv_026_writing_back_what_was_read_changes_nothing() {
    let (target, _hook) = server();
    let created = target.post(THINGS, &at_v1("a", "h"));
    let read = target.get(THING_V2);
    let written = target.put(THING_V2, &read.body);
    assert_eq!((written.code, written.version(), written.generation()), (200, created.version(), 1));
}

#[test]
fn conv_026_what_is_lost_is_lost() {
    let (target, hook) = with_a();
    hook.answer(|review, mut right| {
        if review["request"]["desiredAPIVersion"] == "example.com/v1" {
            right["response"]["convertedObjects"][0]["spec"] = json!({});
        }
        ok(&right)
    });
    let written = target.merge(THING_V2, &json!({ "metadata": { "labels": { "l": "x" } } }));
    assert_eq!((written.code, written.generation()), (200, 1));
    hook.repair();
    assert_eq!(target.get(THING).body["spec"], json!({}));
}

#[test]
fn numbers_that_were_floats_make_new_generations() {
    let (target, hook) = server();
    hook.answer(|_, right| status(200, &right.to_string().replace(":1000", ":1000.0")));
    target.post(THINGS, &at_v1("a", "h").with("/spec/n", 1000));
    assert_eq!(target.get(THINGS_V2).names(), ["a"]);
    let generations: Vec<i64> = (0..3).map(|_| target.merge(THING_V2, &json!({})).generation()).collect();
    assert_eq!(generations, [2, 3, 4]);
    assert_eq!(target.get(THING).body["spec"]["n"], json!(1000));
}

#[test]
fn rest_019_an_older_state_is_enough_for_some() {
    let (target, hook) = server();
    let created = target.post(THINGS, &at_v1("a", "h"));
    assert_eq!(target.get(THINGS_V2).names(), ["a"]);
    hook.break_down();
    assert_eq!(target.get(THING_V2).code, 500);
    assert_eq!(target.get(&format!("{THING_V2}?resourceVersion=0")).body["spec"], json!({ "hostname": "h" }));
    assert_eq!(target.get(&format!("{THING_V2}?resourceVersion={}", created.version())).code, 200);
    assert_eq!(target.get(&format!("{THINGS_V2}/b?resourceVersion=0")).code, 404);
}
