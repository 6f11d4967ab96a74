//! Hostile definitions: the server answers as upstream, or rejects them with a message that explains what to do.
//!
//! The codes are those of kube-apiserver 1.36.3 for the same definitions, except for the depth, which it does not limit
//! (CRDVAL-039).

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Answer, DEFINITIONS, THINGS, Target, definition_of, schema, thing};

/// The answer to a definition with this schema for `spec.p`.
fn answer_to(node: &Value) -> Answer {
    Target::new().post(DEFINITIONS, &definition_of(&schema(&json!({ "p": node }))))
}

/// The causes, with fields below `spec.p`.
fn causes_below(answer: &Answer) -> Vec<String> {
    let below = |cause: &String| cause.rsplit("properties[p]").next().unwrap_or_default().to_owned();
    answer.causes().iter().map(below).collect()
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
    assert_eq!(answer_to(&nested(290, wrap)).refusal(), "201");
    for depth in [310, 1_000] {
        let answer = answer_to(&nested(depth, wrap));
        assert_eq!((answer.code, answer.reason()), (400, "BadRequest"), "{depth}");
        let message = answer.message();
        assert!(message.contains("openAPIV3Schema") && message.ends_with("make it flatter"), "{message}");
    }
}

#[rstest]
#[case::properties(json!({ "type": "object", "properties": numbered(|_| json!({ "type": "string", "maxLength": 3 })) }))]
#[case::required(json!({ "type": "object", "required": names(), "properties": numbered(|_| json!({ "type": "string" })) }))]
#[case::enumeration(json!({ "type": "string", "enum": names() }))]
#[case::all_of(json!({ "type": "string", "allOf": vec![json!({ "minLength": 1 }); MANY] }))]
#[case::default_of_a_set(json!({ "type": "array", "x-kubernetes-list-type": "set", "items": { "type": "string" }, "default": names() }))]
fn crdval_039_wide_schemas_are_accepted(#[case] node: Value) {
    assert_eq!(answer_to(&node).refusal(), "201");
}

#[test]
fn ten_thousand_invalid_defaults_are_all_reported() {
    let answer = answer_to(&json!({
        "type": "object",
        "properties": numbered(|number| json!({ "type": "string", "pattern": format!("^a{number}$"), "default": "x" })),
    }));
    assert_eq!((answer.code, answer.causes().len()), (422, MANY));
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
    let answer = answer_to(&json!({ "type": "string", "pattern": pattern }));
    let causes = if code == 422 { ".pattern Invalid" } else { "" };
    assert_eq!((answer.code, causes_below(&answer).join(", ").as_str()), (code, causes));
}

#[rstest]
#[case::reference(json!({ "$ref": "#/definitions/a" }), Some(".$ref"))]
#[case::reference_with_a_type(json!({ "type": "string", "$ref": "#" }), Some(".$ref"))]
#[case::definitions(json!({ "type": "object", "definitions": { "a": { "type": "string" } } }), Some(".definitions"))]
#[case::dependencies(json!({ "type": "object", "dependencies": { "a": ["b"] } }), Some(".dependencies"))]
#[case::pattern_properties(json!({ "type": "object", "patternProperties": { "a": { "type": "string" } } }), Some(".patternProperties"))]
#[case::id(json!({ "type": "string", "id": "x" }), Some(".id"))]
#[case::tuple(json!({ "type": "array", "items": [{ "type": "string" }] }), Some(".items"))]
#[case::unknown(json!({ "type": "string", "foo": 1 }), None)]
#[case::keywords_of_a_later_draft(json!({ "type": "object", "const": 1, "unevaluatedProperties": false }), None)]
fn crdval_030_unsupported_keywords(#[case] node: Value, #[case] forbidden: Option<&str>) {
    let cause = forbidden.map(|field| format!("{field} Forbidden"));
    let answer = answer_to(&node);
    let found = causes_below(&answer);
    assert_eq!(answer.code, if forbidden.is_some() { 422 } else { 201 });
    // A node without a type has further causes.
    assert!(cause.iter().all(|cause| found.contains(cause)), "{found:?}");
}

/// An object of the maximum size, with as many violations as possible.
#[test]
fn a_large_object_is_validated_completely() {
    let target = Target::with(&definition_of(&schema(&json!({
        "set": { "type": "array", "x-kubernetes-list-type": "set", "items": { "type": "integer" } },
        "map": {
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
            "items": { "type": "object", "required": ["k"], "properties": { "k": { "type": "integer" } } },
        },
        "values": { "type": "object", "additionalProperties": { "type": "string", "maxLength": 1 } },
        "text": { "type": "string", "pattern": "^(a+)+$" },
    }))));
    let numbers: Vec<usize> = (0..100_000).collect();
    let items: Vec<Value> = (0..50_000).map(|number| json!({ "k": number })).collect();
    assert_eq!(target.post(THINGS, &thing("a", &json!({ "set": numbers, "map": items }))).code, 201);
    let text = format!("{}b", "a".repeat(1_000_000));
    let (set, values) = (vec![1; 50_000], numbered(|_| json!("xx")));
    let answer = target.post(THINGS, &thing("a", &json!({ "set": set, "values": values, "text": text })));
    assert_eq!(answer.code, 422);
    // A set is checked up to its first duplicate; every value is reported.
    assert_eq!(answer.causes().len(), MANY + 2);
}

const MANY: usize = 10_000;

fn names() -> Vec<String> {
    (0..MANY).map(|number| format!("p{number}")).collect()
}

fn numbered(value: impl Fn(usize) -> Value) -> Value {
    names().into_iter().enumerate().map(|(number, name)| (name, value(number))).collect()
}
