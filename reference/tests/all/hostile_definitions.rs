//! Hostile definitions: the server answers as upstream, or rejects them with a message that explains what to do.
//!
//! The codes are those of kube-apiserver 1.36.3 for the same definitions, except for the depth, which it does not limit
//! (CRDVAL-039).

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{DEFINITIONS, THINGS, Target, definition, schema, version};

/// The code, and the fields and reasons of the causes, for a definition with this schema for `spec.p`.
fn answer_to(node: &Value) -> (u16, Vec<(String, String)>) {
    let answer = Target::new().post(DEFINITIONS, &definition(&[version("v1", true, &schema(&json!({ "p": node })))]));
    let causes = answer.body["details"]["causes"].as_array().cloned().unwrap_or_default();
    let text = |cause: &Value, member: &str| cause[member].as_str().unwrap_or_default().to_owned();
    let field = |cause: &Value| text(cause, "field").rsplit("properties[p]").next().unwrap_or_default().to_owned();
    (answer.code, causes.iter().map(|cause| (field(cause), text(cause, "reason"))).collect())
}

/// A schema that is wrapped this many times.
fn nested(times: usize, wrap: impl Fn(Value) -> Value) -> Value {
    (0..times).fold(json!({ "type": "string" }), |node, _| wrap(node))
}

#[rstest]
#[case::properties(|node| json!({ "type": "object", "properties": { "a": node } }))]
#[case::items(|node| json!({ "type": "array", "items": node }))]
#[case::values(|node| json!({ "type": "object", "additionalProperties": node }))]
fn crdval_039_deep_schemas_are_refused(#[case] wrap: fn(Value) -> Value) {
    assert_eq!(answer_to(&nested(290, wrap)), (201, Vec::new()));
    for depth in [310, 1_000] {
        let node = nested(depth, wrap);
        let document = definition(&[version("v1", true, &schema(&json!({ "p": node })))]);
        let answer = Target::new().post(DEFINITIONS, &document);
        assert_eq!((answer.code, answer.reason()), (400, "BadRequest"), "{depth}");
        let message = answer.body["message"].as_str().unwrap_or_default();
        assert!(message.contains("openAPIV3Schema") && message.ends_with("make it flatter"), "{message}");
    }
}

#[rstest]
#[case::properties(json!({ "type": "object", "properties": numbered(|_| json!({ "type": "string", "maxLength": 3 })) }))]
#[case::required(json!({ "type": "object", "required": names(), "properties": numbered(|_| json!({ "type": "string" })) }))]
#[case::enumeration(json!({ "type": "string", "enum": names() }))]
#[case::all_of(json!({ "type": "string", "allOf": vec![json!({ "minLength": 1 }); MANY] }))]
#[case::default_of_a_set(
    json!({ "type": "array", "x-kubernetes-list-type": "set", "items": { "type": "string" }, "default": names() })
)]
fn crdval_039_wide_schemas_are_accepted(#[case] node: Value) {
    assert_eq!(answer_to(&node), (201, Vec::new()));
}

#[test]
fn ten_thousand_invalid_defaults_are_all_reported() {
    let (code, causes) = answer_to(&json!({
        "type": "object",
        "properties": numbered(|number| json!({ "type": "string", "pattern": format!("^a{number}$"), "default": "x" })),
    }));
    assert_eq!((code, causes.len()), (422, MANY));
}

#[rstest]
#[case::nested_stars("(a+)+$", 201)]
#[case::ambiguous("(a|a)*b", 201)]
#[case::long(&"a".repeat(100_000), 201)]
#[case::repeats_of_repeats("((a{1,30}){1,30}){1,30}", 422)]
#[case::too_many_repeats("a{1001}", 422)]
#[case::a_million_repeats("(?:a{1000}){1000}", 422)]
#[case::a_billion_repeats("(((((((((a{10}){10}){10}){10}){10}){10}){10}){10}){10})", 422)]
#[case::look_ahead("(?=a)", 422)]
#[case::back_reference(r"(a)\1", 422)]
#[case::open_brackets(&"[".repeat(1_000), 422)]
#[case::deep_groups(&format!("{}{}", "(".repeat(1_001), ")".repeat(1_001)), 422)]
fn crdval_034_expensive_patterns(#[case] pattern: &str, #[case] code: u16) {
    let causes = if code == 422 { vec![(".pattern".to_owned(), "FieldValueInvalid".to_owned())] } else { Vec::new() };
    assert_eq!(answer_to(&json!({ "type": "string", "pattern": pattern })), (code, causes));
}

#[rstest]
#[case::reference(json!({ "$ref": "#/definitions/a" }), Some(".$ref"))]
#[case::reference_with_a_type(json!({ "type": "string", "$ref": "#" }), Some(".$ref"))]
#[case::definitions(json!({ "type": "object", "definitions": { "a": { "type": "string" } } }), Some(".definitions"))]
#[case::dependencies(json!({ "type": "object", "dependencies": { "a": ["b"] } }), Some(".dependencies"))]
#[case::pattern_properties(
    json!({ "type": "object", "patternProperties": { "a": { "type": "string" } } }),
    Some(".patternProperties")
)]
#[case::id(json!({ "type": "string", "id": "x" }), Some(".id"))]
#[case::tuple(json!({ "type": "array", "items": [{ "type": "string" }] }), Some(".items"))]
#[case::unknown(json!({ "type": "string", "foo": 1 }), None)]
#[case::keywords_of_a_later_draft(json!({ "type": "object", "const": 1, "unevaluatedProperties": false }), None)]
fn crdval_030_unsupported_keywords(#[case] node: Value, #[case] forbidden: Option<&str>) {
    let causes = forbidden.map(|field| (field.to_owned(), "FieldValueForbidden".to_owned()));
    let (code, found) = answer_to(&node);
    assert_eq!(code, if forbidden.is_some() { 422 } else { 201 });
    // A node without a type has further causes.
    assert!(causes.iter().all(|cause| found.contains(cause)), "{found:?}");
}

/// An object of the maximum size, with as many violations as possible.
#[test]
fn a_large_object_is_validated_completely() {
    let target = Target::new();
    target.install(&definition(&[version(
        "v1",
        true,
        &schema(&json!({
            "set": { "type": "array", "x-kubernetes-list-type": "set", "items": { "type": "integer" } },
            "map": {
                "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": { "type": "object", "required": ["k"], "properties": { "k": { "type": "integer" } } },
            },
            "values": { "type": "object", "additionalProperties": { "type": "string", "maxLength": 1 } },
            "text": { "type": "string", "pattern": "^(a+)+$" },
        })),
    )]));
    let thing = |spec: &Value| crate::support::thing("a", spec);
    let numbers: Vec<usize> = (0..100_000).collect();
    let items: Vec<Value> = (0..50_000).map(|number| json!({ "k": number })).collect();
    assert_eq!(target.post(THINGS, &thing(&json!({ "set": numbers, "map": items }))).code, 201);
    let text = format!("{}b", "a".repeat(1_000_000));
    let (set, values) = (vec![1; 50_000], numbered(|_| json!("xx")));
    let answer = target.post(THINGS, &thing(&json!({ "set": set, "values": values, "text": text })));
    assert_eq!(answer.code, 422);
    // A set is checked up to its first duplicate; every value is reported.
    assert_eq!(answer.body["details"]["causes"].as_array().map(Vec::len), Some(MANY + 2));
}

const MANY: usize = 10_000;

fn names() -> Vec<String> {
    (0..MANY).map(|number| format!("p{number}")).collect()
}

fn numbered(value: impl Fn(usize) -> Value) -> Value {
    names().into_iter().enumerate().map(|(number, name)| (name, value(number))).collect()
}
