#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};

use super::Schema;

fn violations(schema: &Value, value: &Value) -> Vec<String> {
    let found = Schema::parse(schema).unwrap().violations(value);
    found
        .into_iter()
        .map(|violation| format!("{} {}: {}", violation.place, violation.keyword, violation.what))
        .collect()
}

#[rstest]
#[case::types(json!({ "type": "string" }), json!(1), r#" type: 1 is not of type "string""#)]
#[case::several(json!({ "type": ["string", "null"] }), json!(1), r#" type: 1 is not of types "string", "null""#)]
#[case::a_property(json!({ "properties": { "a/b": { "type": "null" } } }), json!({ "a/b": 1 }), r#"/a~1b type: 1 is not of type "null""#)]
#[case::required(json!({ "required": ["k"] }), json!({}), r#" required: "k" is a required property"#)]
#[case::others(json!({ "additionalProperties": false }), json!({ "k": 1 }), r#" additionalProperties: the property "k" is not allowed"#)]
#[case::one_of_few(json!({ "enum": [1, "a"] }), json!(2), r#" enum: 2 is not one of 1, "a""#)]
#[case::minimum(json!({ "minimum": 0 }), json!(-1), " minimum: -1 is less than the minimum of 0")]
#[case::no_items(json!({ "items": false }), json!([1]), "/0 false: false schema does not allow 1")]
#[case::condition(json!({ "if": { "required": ["a"] }, "then": { "required": ["b"] } }), json!({ "a": 1 }), r#" required: "b" is a required property"#)]
#[case::long(json!({ "type": "null" }), json!("x".repeat(300)), r#" type: value is not of type "null""#)]
fn what_is_wrong_is_said_in_place(#[case] schema: Value, #[case] value: Value, #[case] expected: &str) {
    assert_eq!(violations(&schema, &value), [expected]);
}

#[rstest]
#[case::beyond_floats(json!({ "maximum": 9_007_199_254_740_992_i64 }), json!(9_007_199_254_740_993_i64), false)]
#[case::a_float_as_a_limit(json!({ "maximum": 1.5 }), json!(2), false)]
#[case::a_half_below(json!({ "minimum": -0.5 }), json!(-1), false)]
#[case::a_half_above(json!({ "minimum": -0.5 }), json!(0), true)]
#[case::huge(json!({ "exclusiveMaximum": 1e300 }), json!(u64::MAX), true)]
#[case::integral(json!({ "type": "integer" }), json!(1.0), true)]
#[case::equal_by_value(json!({ "enum": [1] }), json!(1.0), true)]
#[case::equal_below(json!({ "uniqueItems": true }), json!([{ "a": [1] }, { "a": [1.0] }]), false)]
#[case::characters(json!({ "maxLength": 1 }), json!("ä"), true)]
#[case::unanchored(json!({ "pattern": "b" }), json!("abc"), true)]
fn numbers_and_texts_count_by_value(#[case] schema: Value, #[case] value: Value, #[case] is_valid: bool) {
    assert_eq!(violations(&schema, &value).is_empty(), is_valid);
}

#[rstest]
#[case::keyword(json!({ "properties": { "a": { "patternProperties": {} } } }), "patternProperties")]
#[case::form(json!({ "minimum": "1" }), "minimum")]
#[case::reference(json!({ "$ref": "#/$defs/a" }), "#/$defs/a")]
#[case::pattern(json!({ "pattern": "(" }), "the pattern")]
#[case::no_schema(json!(1), "a schema is an object or a boolean")]
fn what_is_unknown_is_an_error(#[case] schema: Value, #[case] expected: &str) {
    let error = Schema::parse(&schema).unwrap_err();
    assert!(error.contains(expected), "{error}");
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-3_i64..4).prop_map(Value::from),
        prop_oneof![Just(-2.0), Just(0.0), Just(0.5), Just(1.0), Just(1.5), Just(2.5)].prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number(),
        "[abä]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[ab]", inner, 0..3).prop_map(|fields| json!(fields)),
        ]
    })
}

const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];

fn type_name() -> impl Strategy<Value = Value> {
    prop_oneof![
        prop::sample::select(&TYPES[..]).prop_map(Value::from),
        prop::sample::subsequence(TYPES.to_vec(), 1..4).prop_map(|names| json!(names)),
    ]
}

/// Schemas of all keywords. A factor is an integer, since of which fractions a float is a multiple is a matter
/// of rounding.
fn schema() -> impl Strategy<Value = Value> {
    let keyword = prop_oneof![
        type_name().prop_map(|name| ("type", name)),
        prop::collection::vec(value(), 1..4).prop_map(|values| ("enum", json!(values))),
        value().prop_map(|value| ("const", value)),
        (prop::sample::select(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"][..]), number()),
        (1_u64..4).prop_map(|factor| ("multipleOf", json!(factor))),
        (
            prop::sample::select(
                &["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"][..]
            ),
            (0_u64..4).prop_map(Value::from)
        ),
        any::<bool>().prop_map(|unique| ("uniqueItems", json!(unique))),
        prop::sample::select(&["^a", "b$", "ä", "^[ab]*$"][..]).prop_map(|pattern| ("pattern", json!(pattern))),
        prop::sample::subsequence(vec!["a", "b"], 1..3).prop_map(|names| ("required", json!(names))),
    ];
    let leaf = prop_oneof![
        9 => prop::collection::vec(keyword.clone(), 0..3).prop_map(|keywords| json!(std::collections::BTreeMap::from_iter(keywords))),
        1 => any::<bool>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 3, move |inner| {
        let branches = prop::collection::vec(inner.clone(), 1..4);
        let below = prop_oneof![
            (prop::sample::select(&["items", "additionalProperties", "not"][..]), inner.clone()),
            (prop::sample::select(&["allOf", "anyOf", "oneOf", "prefixItems"][..]), branches.prop_map(|all| json!(all))),
            prop::collection::btree_map("[ab]", inner.clone(), 1..3).prop_map(|nodes| ("properties", json!(nodes))),
        ];
        let condition = (inner.clone(), inner).prop_map(|(a, b)| json!({ "if": a, "then": b }));
        let all = prop::collection::vec(prop_oneof![1 => keyword.clone(), 2 => below], 1..4);
        prop_oneof![4 => all.prop_map(|keywords| json!(std::collections::BTreeMap::from_iter(keywords))), 1 => condition]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// The library knows all of JSON Schema.
    #[test]
    fn values_are_valid_where_another_library_says_so(schema in schema(), value in value()) {
        let other = jsonschema::validator_for(&schema).unwrap();
        let found = violations(&schema, &value);
        prop_assert_eq!(found.is_empty(), other.is_valid(&value), "{} {}: {:?}", schema, value, found);
    }
}
