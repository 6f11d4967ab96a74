//! Chapter 4: nulls and defaults. Each case is named after its requirement.

use crdible_semantics::Semantics;
use rstest::rstest;
use serde_json::{Value, json};

use crate::common::{object_causes, root, schema};

/// Schema and value are those of `spec`. Nulls are dropped, then defaults are set.
#[rstest]
#[case::default_001_false(
    json!({"type": "object", "properties": {"a": {"type": "boolean", "default": false}}}),
    json!({}),
    json!({"a": false}),
)]
#[case::default_001_empty(
    json!({
        "type": "object",
        "properties": {
            "a": {"type": "array", "items": {"type": "string"}, "default": []}, "b": {"type": "object", "default": {}},
            "c": {"type": "string", "default": ""}, "d": {"type": "integer", "default": 0},
        },
    }),
    json!({}),
    json!({"a": [], "b": {}, "c": "", "d": 0}),
)]
#[case::default_001_null_is_not_a_default(
    json!({"type": "object", "properties": {"a": {"type": "string", "default": null}}}),
    json!({}),
    json!({}),
)]
#[case::default_001_read_back_exactly(
    json!({
        "type": "object",
        "properties": {
            "a": {"x-kubernetes-preserve-unknown-fields": true, "default": {"n": null, "i": 9_007_199_254_740_993_i64}},
        },
    }),
    json!({}),
    json!({"a": {"n": null, "i": 9_007_199_254_740_993_i64}}),
)]
#[case::default_001_present_value_is_kept(
    json!({"type": "object", "properties": {"a": {"type": "string", "default": "d"}}}),
    json!({"a": ""}),
    json!({"a": ""}),
)]
#[case::default_002_null(
    json!({"type": "object", "properties": {"a": {"type": "string", "default": "d"}}}),
    json!({"a": null}),
    json!({"a": "d"}),
)]
#[case::default_002_nullable(
    json!({"type": "object", "properties": {"a": {"type": "string", "nullable": true, "default": "d"}}}),
    json!({"a": null}),
    json!({"a": null}),
)]
#[case::default_002_untyped(
    json!({
        "type": "object",
        "properties": {
            "a": {"x-kubernetes-preserve-unknown-fields": true, "default": 1},
            "b": {"x-kubernetes-int-or-string": true, "default": "x"},
        },
    }),
    json!({"a": null, "b": null}),
    json!({"a": 1, "b": "x"}),
)]
#[case::default_003_property(
    json!({
        "type": "object", "properties": {"a": {"type": "string"}, "b": {"x-kubernetes-preserve-unknown-fields": true}},
    }),
    json!({"a": null, "b": null}),
    json!({}),
)]
#[case::default_003_nullable(
    json!({"type": "object", "properties": {"a": {"type": "string", "nullable": true}}}),
    json!({"a": null}),
    json!({"a": null}),
)]
#[case::default_003_map_value(
    json!({"type": "object", "additionalProperties": {"type": "object", "additionalProperties": {"type": "string"}}}),
    json!({"k": {"l": null, "m": "x"}, "n": null}),
    json!({"k": {"m": "x"}}),
)]
#[case::default_003_elements_are_kept(
    json!({"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}}),
    json!([null, {"a": null}]),
    json!([null, {}]),
)]
#[case::default_003_verbatim(
    json!({"x-kubernetes-preserve-unknown-fields": true, "properties": {"a": {"type": "string"}}}),
    json!({"a": null, "b": null, "c": {"d": null}}),
    json!({"b": null, "c": {"d": null}}),
)]
#[case::default_003_additional_true(json!({"type": "object", "additionalProperties": true}), json!({"a": null}), json!({"a": null}))]
#[case::default_004_nested(
    json!({
        "type": "object",
        "properties": {
            "a": {
                "type": "object", "default": {},
                "properties": {
                    "b": {
                        "type": "object", "default": {"c": 1},
                        "properties": {"c": {"type": "integer", "default": 9}, "d": {"type": "integer", "default": 2}},
                    },
                },
            },
        },
    }),
    json!({}),
    json!({"a": {"b": {"c": 1, "d": 2}}}),
)]
#[case::default_004_no_parent(
    json!({
        "type": "object",
        "properties": {"a": {"type": "object", "properties": {"b": {"type": "integer", "default": 1}}}},
    }),
    json!({}),
    json!({}),
)]
#[case::default_004_never_merged(
    json!({
        "type": "object",
        "properties": {
            "a": {
                "type": "object", "default": {"x": 1, "y": 1},
                "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}},
            },
        },
    }),
    json!({"a": {"x": 2}}),
    json!({"a": {"x": 2}}),
)]
#[case::default_004_empty_parent_is_kept(
    json!({
        "type": "object",
        "properties": {"a": {"type": "object", "default": {"x": 1}, "properties": {"x": {"type": "integer"}}}},
    }),
    json!({"a": {}}),
    json!({"a": {}}),
)]
#[case::default_004_below_preserved(
    json!({"x-kubernetes-preserve-unknown-fields": true, "properties": {"a": {"type": "integer", "default": 1}}}),
    json!({"z": {}}),
    json!({"a": 1, "z": {}}),
)]
#[case::default_005_elements(
    json!({"type": "array", "items": {"type": "object", "properties": {"a": {"type": "integer", "default": 1}}}}),
    json!([{}, {"a": 2}, {"a": null}]),
    json!([{"a": 1}, {"a": 2}, {"a": 1}]),
)]
#[case::default_005_null_element(
    json!({"type": "array", "items": {"type": "string", "default": "d"}}),
    json!([null, "x"]),
    json!(["d", "x"]),
)]
#[case::default_005_nullable_element(
    json!({"type": "array", "items": {"type": "string", "nullable": true, "default": "d"}}),
    json!([null]),
    json!([null]),
)]
#[case::default_005_no_default(json!({"type": "array", "items": {"type": "string"}}), json!([null]), json!([null]))]
#[case::default_005_none_added(json!({"type": "array", "items": {"type": "string", "default": "d"}}), json!([]), json!([]))]
#[case::default_006_map(
    json!({
        "type": "object",
        "additionalProperties": {
            "type": "object", "default": {"a": 5}, "properties": {"a": {"type": "integer", "default": 1}},
        },
    }),
    json!({"k": {}, "l": null}),
    json!({"k": {"a": 1}, "l": {"a": 5}}),
)]
#[case::default_006_nullable(
    json!({"type": "object", "additionalProperties": {"type": "string", "nullable": true, "default": "d"}}),
    json!({"k": null}),
    json!({"k": null}),
)]
#[case::default_007_mismatch(
    json!({
        "type": "object",
        "properties": {
            "a": {"type": "object", "default": {"b": 1}, "properties": {"b": {"type": "integer", "default": 1}}},
        },
    }),
    json!({"a": "text"}),
    json!({"a": "text"}),
)]
#[case::default_007_array_for_object(
    json!({"type": "object", "properties": {"a": {"type": "integer", "default": 1}}}),
    json!([{}]),
    json!([{}]),
)]
#[case::default_008_quantifiers(
    json!({
        "type": "object", "properties": {"a": {"type": "integer"}}, "anyOf": [{"properties": {"a": {"default": 1}}}],
    }),
    json!({}),
    json!({}),
)]
#[case::default_018_embedded(
    json!({
        "type": "object", "x-kubernetes-embedded-resource": true,
        "properties": {
            "kind": {"type": "string", "default": "K"},
            "metadata": {"type": "object", "default": {"name": "n"}, "properties": {"name": {"type": "string"}}},
        },
    }),
    json!({}),
    json!({"kind": "K", "metadata": {"name": "n"}}),
)]
fn defaulted(#[case] node: Value, #[case] before: Value, #[case] after: Value) {
    let schema = schema(&root(&json!({ "spec": node })));
    let mut object = json!({ "spec": before });
    Semantics::UPSTREAM.drop_nulls(&mut object, &schema);
    Semantics::UPSTREAM.apply_defaults(&mut object, &schema);
    assert_eq!(object, json!({ "spec": after }));
}

#[test]
fn default_001_at_the_root() {
    let schema = schema(&root(
        &json!({"spec": {"type": "object", "default": {}, "properties": {"a": {"type": "integer", "default": 1}}}}),
    ));
    let mut object = json!({});
    Semantics::UPSTREAM.apply_defaults(&mut object, &schema);
    assert_eq!(object, json!({"spec": {"a": 1}}));
    let mut object = json!({"spec": null});
    Semantics::UPSTREAM.apply_defaults(&mut object, &schema);
    assert_eq!(object, json!({"spec": {"a": 1}}));
}

#[test]
fn default_009_017_required_sees_the_decoded_object() {
    let json = root(&json!({"spec": {"type": "object", "required": ["a", "b", "c"], "properties": {
        "a": {"type": "string", "default": "x"}, "b": {"type": "string"}, "c": {"type": "string", "nullable": true}}}}));
    let mut object = json!({"apiVersion": "g/v1", "kind": "K", "spec": {"b": null, "c": null}});
    Semantics::UPSTREAM.decode(&mut object, &schema(&json)).expect("well typed");
    assert_eq!(object_causes(&json, &object), ["spec.b Required"]);
}

#[test]
fn default_019_copies_are_independent() {
    let schema = schema(
        &json!({"type": "array", "items": {"type": "object", "properties": {"a": {"type": "object", "default": {"x": 1}, "x-kubernetes-preserve-unknown-fields": true}}}}),
    );
    let mut list = json!([{}, {}]);
    Semantics::UPSTREAM.apply_defaults(&mut list, &schema);
    list[0]["a"]["x"] = json!(2);
    assert_eq!(list, json!([{"a": {"x": 2}}, {"a": {"x": 1}}]));
    assert_eq!(schema.item_schema().expect("items").properties["a"].default, Some(json!({"x": 1})));
}
