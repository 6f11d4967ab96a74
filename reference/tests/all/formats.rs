//! YAML and indented JSON (REST-006, REST-011, TABLE-018).

use rstest::rstest;
use serde_json::json;

use crate::support::{DEFINITIONS, JSON, NAMESPACES, PROTOBUF, THING, THINGS, Target, YAML, things};

/// The beginning of the thing `a`.
const START: &str = "apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: a\nspec:\n";

#[test]
fn rest_011_objects_can_be_written_in_yaml() {
    let target = Target::with(&things());
    let body =
        format!("{START}  a: 'yes'\n  \"n\": 010\n  m:\n    on: yes\n    f: 1.0\n    g: 1.5\n    d: 2001-01-01\n");
    let created = target.send_as(YAML, "POST", THINGS, body);
    assert_eq!(created.code, 201, "{created:?}");
    let spec = json!({"a": "yes", "n": 8, "d": "dd", "m": {"true": true, "f": 1, "g": 1.5, "d": "2001-01-01"}});
    assert_eq!(created.body["spec"], spec);
    let answered = target.get_as(THING, YAML).text;
    let put = target.send_as(YAML, "PUT", THING, answered.replace("a: \"yes\"", "a: x"));
    assert_eq!((put.code, &put.body["spec"]["a"]), (200, &json!("x")));
}

#[rstest]
#[case::json_as_yaml(YAML, r#"{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"}}"#, 201)]
#[case::yaml_as_json(JSON, "kind: Thing", 400)]
#[case::not_yaml(YAML, "kind: [", 400)]
#[case::nothing(YAML, "", 400)]
#[case::protobuf(PROTOBUF, "", 415)]
fn rest_006_bodies_in_other_formats(#[case] content_type: &str, #[case] body: &'static str, #[case] code: u16) {
    let target = Target::with(&things());
    assert_eq!(target.send_as(content_type, "POST", THINGS, body).code, code);
}

#[test]
fn rest_006_responses_in_yaml() {
    let target = Target::with_thing(&json!({"m": {"list": [1, {"x": "a: b"}], "e": []}}));
    let object = target.get(THING).body;
    let metadata = |field: &str| object["metadata"][field].as_str().unwrap_or_default().to_owned();
    let expected = format!(
        "apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  creationTimestamp: \"{0}\"\n  generation: 1\n  \
         managedFields:\n  - apiVersion: example.com/v1\n    fieldsType: FieldsV1\n    fieldsV1:\n      f:spec:\n        .: {{}}\n        \
         f:d: {{}}\n        f:m:\n          .: {{}}\n          f:e: {{}}\n          f:list: {{}}\n    manager: unknown\n    \
         operation: Update\n    time: \"{0}\"\n  name: a\n  namespace: default\n  resourceVersion: \"{1}\"\n  uid: {2}\nspec:\n  d: dd\n  m:\n    e: []\n    list:\n    - 1\n    \
         - x: 'a: b'\n",
        metadata("creationTimestamp"),
        metadata("resourceVersion"),
        metadata("uid"),
    );
    let text = target.get_as(THING, YAML).text;
    assert_eq!(text, expected);
    let missing = target.get_as(&format!("{THINGS}/b"), YAML);
    assert!(missing.text.starts_with("apiVersion: v1\ncode: 404\n"), "{missing:?}");
    let table = target.get_as(THINGS, "application/yaml;as=Table;v=v1;g=meta.k8s.io");
    assert!(table.text.contains("kind: Table\n") && table.text.contains("\n- cells:\n  - a\n"), "{table:?}");
}

#[test]
fn rest_006_indented_json() {
    let target = Target::with(&things());
    let text = target.get("/api/v1/namespaces/default?pretty=true").text;
    assert!(
        text.starts_with("{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"Namespace\",\n  \"metadata\": {\n"),
        "{text}"
    );
    let refused = target.get("/api/v1/namespaces/none?pretty=true").text;
    assert!(refused.contains("\n  \"code\": 404,\n"), "{refused}");
}

#[test]
fn rest_051_duplicate_keys_in_yaml() {
    let target = Target::with(&things());
    let body = format!("{START}  a: x\n  \"n\": 1\n  a: z\n");
    let warned = target.send_as(YAML, "POST", THINGS, body.clone());
    assert_eq!((warned.code, &warned.body["spec"]["a"]), (201, &json!("z")));
    assert_eq!(warned.warnings, ["299 - \"line 8: key \\\"a\\\" already set in map\""]);
    let strict = target.send_as(YAML, "POST", &format!("{THINGS}?fieldValidation=Strict"), body);
    assert_eq!((strict.code, strict.reason()), (400, "BadRequest"));
}

#[test]
fn rest_049_delete_options_in_yaml() {
    let target = Target::with_thing(&json!({}));
    let orphan = target.send_as(YAML, "DELETE", THING, "propagationPolicy: Orphan\n");
    assert_eq!((orphan.code, &orphan.body["metadata"]["finalizers"]), (200, &json!(["orphan"])));
    assert_eq!(target.send_as(YAML, "DELETE", THING, "propagationPolicy: [\n").code, 400);
    assert_eq!(target.send_as(YAML, "DELETE", THING, "propagationPolicy: 5\n").code, 400);
}

#[test]
fn definitions_and_namespaces_in_yaml() {
    let target = Target::new();
    let created = target.send_as(YAML, "POST", NAMESPACES, "metadata: {name: a}\n");
    assert_eq!(created.code, 201, "{created:?}");
    let installed = target.send("POST", DEFINITIONS, &[("content-type", YAML), ("accept", YAML)], things().to_string());
    assert_eq!(installed.code, 201, "{installed:?}");
    assert!(installed.text.starts_with("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"));
}

/// Blocks may nest as deep as brackets, and aliases nest deeper than the text.
#[test]
fn rest_007_deep_yaml() {
    let target = Target::with(&things());
    let deep = |levels: usize| format!("{START}  m:\n    x:\n      {}a\n", "- ".repeat(levels));
    for (levels, code) in [(50, 201), (5_000, 201), (20_000, 400)] {
        assert_eq!(target.send_as(YAML, "POST", THINGS, deep(levels)).code, code, "{levels}");
        assert_eq!(target.get_as(THING, YAML).code, if code == 201 { 200 } else { 404 });
        target.delete(THING);
    }
    let mut chain = format!("{START}  m:\n    a0: &a0 []\n");
    for level in 1..2_000 {
        chain.push_str(&format!("    a{level}: &a{level} [*a{}]\n", level - 1));
    }
    let answer = target.send_as(YAML, "POST", THINGS, chain);
    assert!(matches!(answer.code, 201 | 400), "{}", answer.code);
    assert_eq!(target.get(THINGS).code, 200);
}
