//! Chapter 2: the types of lists and maps. Each case is named after its requirement.

use rstest::rstest;
use serde_json::{Value, json};

use crate::common::{node_causes, sorted};

fn map_list(items: &Value, keys: &Value) -> Value {
    json!({"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys, "items": items})
}

fn keyed(key: &Value) -> Value {
    json!({"type": "object", "properties": {"k": key}, "required": ["k"]})
}

#[rstest]
#[case::struct_023_value(
    json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "bag"}),
    &[".x-kubernetes-list-type NotSupported"],
)]
#[case::struct_023_empty(
    json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": ""}),
    &[".x-kubernetes-list-type NotSupported"],
)]
#[case::struct_023_wrong_type(json!({"type": "string", "x-kubernetes-list-type": "atomic"}), &[".type Invalid"])]
#[case::struct_023_required_twice(json!({"x-kubernetes-list-type": "atomic"}), &[".type Required", ".type Required"])]
#[case::struct_023_preserving(
    json!({"x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-list-type": "x"}),
    &[".type Required", ".x-kubernetes-list-type NotSupported"],
)]
#[case::struct_023_set_rule_skipped(
    json!({"type": "string", "items": {"type": "object"}, "x-kubernetes-list-type": "set"}),
    &[".type Invalid"],
)]
#[case::struct_023_nullable_rule_not_skipped(
    json!({"type": "string", "items": {"type": "object", "nullable": true}, "x-kubernetes-list-type": "set"}),
    &[".type Invalid", ".items.nullable Forbidden"],
)]
#[case::struct_024_value(json!({"type": "object", "x-kubernetes-map-type": "x"}), &[".x-kubernetes-map-type NotSupported"])]
#[case::struct_024_empty(json!({"type": "object", "x-kubernetes-map-type": ""}), &[".x-kubernetes-map-type NotSupported"])]
#[case::struct_024_type(json!({"type": "string", "x-kubernetes-map-type": "granular"}), &[".type Invalid"])]
#[case::struct_024_preserving(
    json!({"x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-map-type": "atomic"}),
    &[".type Required"],
)]
#[case::struct_024_map(json!({"type": "object", "additionalProperties": {"type": "string"}, "x-kubernetes-map-type": "granular"}), &[])]
#[case::struct_025_absent(json!({"type": "string", "x-kubernetes-list-map-keys": ["k"]}), &[".x-kubernetes-list-type Required"])]
#[case::struct_025_other(
    json!({
        "type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set",
        "x-kubernetes-list-map-keys": ["k"],
    }),
    &[".x-kubernetes-list-type Invalid"],
)]
#[case::struct_025_unknown(
    json!({
        "type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "x",
        "x-kubernetes-list-map-keys": ["k"],
    }),
    &[".x-kubernetes-list-type Invalid", ".x-kubernetes-list-type NotSupported"],
)]
#[case::struct_025_empty(json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-map-keys": []}), &[])]
#[case::struct_026_array(
    json!({
        "type": "array", "x-kubernetes-list-type": "set",
        "items": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
    }),
    &[".items.x-kubernetes-list-type Invalid"],
)]
#[case::struct_026_array_unset(
    json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "array", "items": {"type": "string"}}}),
    &[],
)]
#[case::struct_026_object(
    json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object"}}),
    &[".items.x-kubernetes-map-type Invalid"],
)]
#[case::struct_026_preserving_object(
    json!({
        "type": "array", "x-kubernetes-list-type": "set",
        "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
    }),
    &[".items.x-kubernetes-map-type Invalid"],
)]
#[case::struct_026_atomic_object(
    json!({
        "type": "array", "x-kubernetes-list-type": "set",
        "items": {"type": "object", "x-kubernetes-map-type": "atomic"},
    }),
    &[],
)]
#[case::struct_026_untyped(json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"x-kubernetes-int-or-string": true}}), &[])]
#[case::struct_027_no_keys(
    json!({"type": "array", "x-kubernetes-list-type": "map", "items": {"type": "object"}}),
    &[".x-kubernetes-list-map-keys Required"],
)]
#[case::struct_027_no_items(
    json!({"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}),
    &[".items Required", ".items Required"],
)]
#[case::struct_027_items_by_position(
    json!({
        "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
        "items": [{"type": "object"}],
    }),
    &[".items Forbidden", ".items Invalid"],
)]
#[case::struct_027_scalar_items(map_list(&json!({"type": "string"}), &json!(["k"])), &[".items.type Invalid"])]
#[case::struct_027_untyped_items(map_list(&json!({}), &json!(["k"])), &[".items.type Invalid", ".items.type Required"])]
#[case::struct_027_preserving_items(
    map_list(&json!({"x-kubernetes-preserve-unknown-fields": true}), &json!(["k"])),
    &[".items.type Invalid"],
)]
#[case::struct_028_undeclared(
    map_list(&json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}), &json!(["k", "l"])),
    &[".x-kubernetes-list-map-keys Invalid", ".x-kubernetes-list-map-keys Invalid"],
)]
#[case::struct_028_array_key(
    map_list(&keyed(&json!({"type": "array", "items": {"type": "string"}})), &json!(["k"])),
    &[".items.properties[k].type Invalid"],
)]
#[case::struct_028_object_key(map_list(&keyed(&json!({"type": "object"})), &json!(["k"])), &[".items.properties[k].type Invalid"])]
#[case::struct_028_repeated(
    map_list(&keyed(&json!({"type": "string"})), &json!(["k", "k", "k"])),
    &[".x-kubernetes-list-map-keys Invalid", ".x-kubernetes-list-map-keys Invalid"],
)]
#[case::struct_028_number_key(map_list(&keyed(&json!({"type": "number"})), &json!(["k"])), &[])]
#[case::struct_028_untyped_key(map_list(&keyed(&json!({"x-kubernetes-int-or-string": true})), &json!(["k"])), &[])]
#[case::struct_029_neither(
    map_list(&json!({"type": "object", "properties": {"k": {"type": "string"}}}), &json!(["k"])),
    &[".items.properties[k].default Required"],
)]
#[case::struct_029_default(
    map_list(&json!({"type": "object", "properties": {"k": {"type": "string", "default": ""}}}), &json!(["k"])),
    &[],
)]
#[case::struct_029_null_default(
    map_list(&json!({"type": "object", "properties": {"k": {"type": "string", "default": null}}}), &json!(["k"])),
    &[".items.properties[k].default Required"],
)]
#[case::struct_029_required_in_a_branch(
    map_list(
        &json!({"type": "object", "properties": {"k": {"type": "string"}}, "allOf": [{"required": ["k"]}]}),
        &json!(["k"]),
    ),
    &[".items.properties[k].default Required"],
)]
#[case::struct_031_set(
    json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string", "nullable": true}}),
    &[".items.nullable Forbidden"],
)]
#[case::struct_031_map(
    map_list(
        &json!({"type": "object", "nullable": true, "properties": {"k": {"type": "string"}}, "required": ["k"]}),
        &json!(["k"]),
    ),
    &[".items.nullable Forbidden"],
)]
#[case::struct_031_atomic(json!({"type": "array", "nullable": true, "items": {"type": "string", "nullable": true}}), &[])]
#[case::struct_032(
    map_list(&keyed(&json!({"type": "string", "nullable": true})), &json!(["k"])),
    &[".items.properties[k].nullable Forbidden"],
)]
#[case::struct_033_in_embedded_metadata(
    json!({"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true, "properties": {"metadata":
        {"type": "object", "properties": {"x": {"type": "string", "x-kubernetes-list-type": "set"}}}}}),
    &[".properties[metadata].properties[x].type Invalid"]
)]
fn topology(#[case] json: Value, #[case] expected: &[&str]) {
    assert_eq!(node_causes(&json), sorted(expected));
}
