//! Chapter 2: structural schemas. Each case is named after its requirement.

use crdible_semantics::{SchemaContext, Semantics};
use rstest::rstest;
use serde_json::{Value, json};

use crate::common::{causes, node_causes, root, schema, schema_causes, sorted};

#[rstest]
#[case::struct_001_absent(json!({}), &[".type Required"])]
#[case::struct_001_other(json!({"type": "string"}), &[".type Invalid"])]
#[case::struct_001_preserving(json!({"x-kubernetes-preserve-unknown-fields": true}), &[])]
#[case::struct_001_int_or_string(json!({"x-kubernetes-int-or-string": true}), &[])]
#[case::struct_001_embedded(
    json!({"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}),
    &[],
)]
#[case::struct_001_array(json!({"type": "array"}), &[".type Invalid", ".items Required"])]
#[case::struct_001_unknown(json!({"type": "foo"}), &[".type Invalid", ".type NotSupported"])]
#[case::struct_004_schema(json!({"type": "object", "additionalProperties": {"type": "string"}}), &[".additionalProperties Forbidden"])]
#[case::struct_004_true(json!({"type": "object", "additionalProperties": true}), &[".additionalProperties Forbidden"])]
#[case::struct_004_false(json!({"type": "object", "additionalProperties": false}), &[".additionalProperties Forbidden"])]
#[case::struct_004_null(json!({"type": "object", "additionalProperties": null}), &[])]
#[case::struct_004_preserving(
    json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true, "additionalProperties": true}),
    &[".additionalProperties Forbidden"],
)]
#[case::struct_004_twice(
    json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false}),
    &[".additionalProperties Forbidden", ".additionalProperties Forbidden"],
)]
#[case::struct_005_missing(json!({"type": "object", "anyOf": [{"properties": {"a": {"minimum": 1}}}]}), &[".properties[a] Required"])]
#[case::struct_005_nested_quantifier(
    json!({"type": "object", "not": {"allOf": [{"properties": {"a": {}}}]}}),
    &[".properties[a] Required"],
)]
#[case::struct_005_missing_parent(
    json!({"type": "object", "allOf": [{"properties": {"a": {"properties": {"b": {}}}}}]}),
    &[".properties[a] Required"],
)]
#[case::struct_005_two_branches(
    json!({"type": "object", "anyOf": [{"properties": {"a": {}}}, {"properties": {"a": {}}}]}),
    &[".properties[a] Required", ".properties[a] Required"],
)]
#[case::struct_005_preserving_is_not_a_counterpart(
    json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true, "oneOf": [{"properties": {"a": {}}}]}),
    &[".properties[a] Required"],
)]
#[case::struct_005_implicit_kind(
    json!({"type": "object", "oneOf": [{"properties": {"kind": {"enum": ["x"]}}}]}),
    &[".properties[kind] Required"],
)]
#[case::struct_005_items(
    json!({
        "type": "object", "properties": {"a": {"type": "string"}},
        "allOf": [{"properties": {"a": {"items": {"minimum": 1}}}}],
    }),
    &[".properties[a].items Required"],
)]
#[case::struct_005_covered(
    json!({
        "type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}}},
        "allOf": [{"properties": {"a": {"items": {"minimum": 1}}}}],
    }),
    &[],
)]
#[case::struct_006_below_the_root(root(&json!({"spec": {"type": "object", "anyOf": [{"properties": {"a": {}}}]}})), &[])]
#[case::struct_007_required(json!({"type": "object", "anyOf": [{"required": ["x", "metadata"]}]}), &[])]
#[case::struct_010_root_quantifier(
    json!({"type": "object", "not": {"properties": {"metadata": {}}}}),
    &[".not.properties[metadata] Forbidden", ".properties[metadata] Required"],
)]
#[case::struct_011_at_the_root(json!({"type": "object", "anyOf": [{"type": "integer"}, {"type": "string"}]}), &[])]
#[case::struct_018_types(
    root(&json!({"apiVersion": {"type": "integer"}, "kind": {"type": "object"}, "metadata": {"type": "string"}})),
    &[".properties[apiVersion].type Invalid", ".properties[kind].type Invalid", ".properties[metadata].type Invalid"]
)]
#[case::struct_018_untyped(root(&json!({"kind": {}})), &[".properties[kind].type Invalid", ".properties[kind].type Required"])]
#[case::struct_018_excused(root(&json!({"kind": {"x-kubernetes-int-or-string": true}})), &[".properties[kind].type Invalid"])]
#[case::struct_018_restricted(root(&json!({"kind": {"type": "string", "enum": ["A"]}})), &[])]
#[case::struct_019_names(
    root(
        &json!({
            "metadata": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "maxLength": 5}, "generateName": {"type": "integer", "nullable": true},
                },
            },
        }),
    ),
    &[],
)]
#[case::struct_019_empty(
    root(
        &json!({
            "metadata": {
                "type": "object", "properties": {}, "nullable": false, "description": "", "enum": [], "default": null,
            },
        }),
    ),
    &[],
)]
#[case::struct_019_labels(
    root(&json!({"metadata": {"type": "object", "properties": {"labels": {"type": "object"}}}})),
    &[".properties[metadata] Forbidden"],
)]
#[case::struct_019_names_and_more(
    root(
        &json!({
            "metadata": {
                "type": "object", "description": "x", "required": ["name"],
                "properties": {"name": {"type": "string"}, "labels": {"type": "object"}},
            },
        }),
    ),
    &[".properties[metadata] Forbidden"]
)]
#[case::struct_019_additional(
    root(&json!({"metadata": {"type": "object", "additionalProperties": {"type": "string"}}})),
    &[".properties[metadata] Forbidden"],
)]
#[case::struct_019_preserving(
    root(&json!({"metadata": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}})),
    &[".properties[metadata] Forbidden"],
)]
#[case::struct_019_wrong_type(root(&json!({"metadata": {"type": "string"}})), &[".properties[metadata].type Invalid"])]
#[case::struct_019_default(
    root(&json!({"metadata": {"type": "object", "default": {"name": "a"}}})),
    &[".properties[metadata].default Forbidden"],
)]
#[case::struct_022_root(json!({"type": "object", "nullable": true}), &[".nullable Forbidden"])]
#[case::struct_022_root_metadata(root(&json!({"metadata": {"type": "object", "nullable": true}})), &[".properties[metadata] Forbidden"])]
#[case::struct_022_kind(root(&json!({"kind": {"type": "string", "nullable": true}})), &[])]
#[case::struct_024_root(json!({"type": "object", "x-kubernetes-map-type": "atomic"}), &[])]
fn roots(#[case] json: Value, #[case] expected: &[&str]) {
    assert_eq!(schema_causes(&json), sorted(expected));
}

/// The node is `properties[a]` of a root. The causes omit its path.
#[rstest]
#[case::struct_002_empty(json!({}), &[".type Required"])]
#[case::struct_002_null(Value::Null, &[".type Required"])]
#[case::struct_002_only_enum(json!({"enum": ["a"], "nullable": true, "description": "x", "type": ""}), &[".type Required"])]
#[case::struct_002_items(json!({"type": "array", "items": {}}), &[".items.type Required"])]
#[case::struct_002_map_values(json!({"type": "object", "additionalProperties": {}}), &[".additionalProperties.type Required"])]
#[case::struct_002_excused_item(json!({"type": "array", "items": {"x-kubernetes-preserve-unknown-fields": true}}), &[])]
#[case::struct_002_excused_map_value(json!({"type": "object", "additionalProperties": {"x-kubernetes-int-or-string": true}}), &[])]
#[case::struct_003_absent(json!({"type": "array"}), &[".items Required"])]
#[case::struct_003_preserving(json!({"type": "array", "x-kubernetes-preserve-unknown-fields": true}), &[".items Required"])]
#[case::struct_003_int_or_string(json!({"type": "array", "x-kubernetes-int-or-string": true}), &[".items Required"])]
#[case::struct_003_empty_list(json!({"type": "array", "items": []}), &[".items Required"])]
#[case::struct_003_null(json!({"type": "array", "items": null}), &[".items Required"])]
#[case::struct_003_items_elsewhere(json!({"type": "string", "items": {}}), &[".items.type Required"])]
#[case::struct_004_embedded(
    json!({
        "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
        "additionalProperties": true,
    }),
    &[".additionalProperties Forbidden"],
)]
#[case::struct_008_each_keyword(
    json!({"type": "array", "items": {"type": "string"}, "anyOf": [{
        "type": "array", "additionalProperties": true, "default": 1, "title": "t", "description": "d", "nullable": true,
        "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-embedded-resource": true, "x-kubernetes-int-or-string": true,
        "x-kubernetes-validations": [{"rule": "true"}]
    }]}),
    &[
        ".anyOf[0].type Forbidden", ".anyOf[0].additionalProperties Forbidden", ".anyOf[0].default Forbidden",
        ".anyOf[0].title Forbidden", ".anyOf[0].description Forbidden", ".anyOf[0].nullable Forbidden",
        ".anyOf[0].x-kubernetes-preserve-unknown-fields Forbidden", ".anyOf[0].x-kubernetes-embedded-resource Forbidden",
        ".anyOf[0].x-kubernetes-int-or-string Forbidden", ".anyOf[0].x-kubernetes-validations Forbidden"
    ]
)]
#[case::struct_008_list_type(
    json!({"type": "string", "allOf": [{"x-kubernetes-list-type": "atomic"}]}),
    &[".allOf[0].x-kubernetes-list-type Forbidden", ".allOf[0].type Required"],
)]
#[case::struct_008_list_type_with_type(
    json!({"type": "string", "allOf": [{"type": "array", "x-kubernetes-list-type": "atomic"}]}),
    &[".allOf[0].x-kubernetes-list-type Forbidden", ".allOf[0].type Forbidden"],
)]
#[case::struct_008_map_type(
    json!({"type": "string", "not": {"x-kubernetes-map-type": "atomic"}}),
    &[".not.x-kubernetes-map-type Forbidden", ".not.type Required"],
)]
#[case::struct_008_map_keys(
    json!({"type": "string", "oneOf": [{"x-kubernetes-list-map-keys": ["a"]}]}),
    &[".oneOf[0].x-kubernetes-list-map-keys Forbidden", ".oneOf[0].x-kubernetes-list-type Required"],
)]
#[case::struct_008_deep(
    json!({"type": "object", "not": {"properties": {"x": {"items": {"anyOf": [{"nullable": true}]}}}}}),
    &[".not.properties[x].items.anyOf[0].nullable Forbidden"],
)]
#[case::struct_008_false_is_dropped(json!({"type": "object", "not": {"additionalProperties": false}}), &[])]
#[case::struct_008_false_beside_properties(
    json!({"type": "object", "not": {"additionalProperties": false, "properties": {"x": {}}}}),
    &[".not.additionalProperties Forbidden"],
)]
#[case::struct_008_schema(json!({"type": "object", "not": {"additionalProperties": {}}}), &[".not.additionalProperties Forbidden"])]
#[case::struct_008_zero_values(
    json!({
        "type": "string",
        "anyOf": [{
            "nullable": false, "type": "", "description": "", "default": null, "x-kubernetes-embedded-resource": false,
            "x-kubernetes-list-map-keys": [],
        }],
    }),
    &[],
)]
#[case::struct_009_allowed(
    json!({"type": "object", "anyOf": [{
        "format": "x", "maximum": 1, "exclusiveMaximum": true, "minimum": 0, "exclusiveMinimum": true, "maxLength": 1, "minLength": 0,
        "pattern": "a", "maxItems": 1, "minItems": 0, "uniqueItems": false, "multipleOf": 2, "enum": [1], "maxProperties": 1,
        "minProperties": 0, "required": ["a"], "items": {}, "properties": {"a": {}}, "allOf": [{}], "anyOf": [{}], "oneOf": [{}], "not": {},
        "externalDocs": {"url": "u"}, "example": 1
    }]}),
    &[]
)]
#[case::struct_010_deep(
    json!({"type": "object", "anyOf": [{"properties": {"x": {"properties": {"metadata": {}}}}}]}),
    &[".anyOf[0].properties[x].properties[metadata] Forbidden"],
)]
#[case::struct_011_pair(json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]}), &[])]
#[case::struct_011_zero_valued(
    json!({
        "x-kubernetes-int-or-string": true,
        "anyOf": [{"type": "integer", "description": "", "enum": []}, {"type": "string", "nullable": false}],
    }),
    &[],
)]
#[case::struct_011_reversed(
    json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "string"}, {"type": "integer"}]}),
    &[".anyOf[0].type Forbidden", ".anyOf[1].type Forbidden"],
)]
#[case::struct_011_extra_keyword(
    json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]}),
    &[".anyOf[0].type Forbidden", ".anyOf[1].type Forbidden"],
)]
#[case::struct_011_third_branch(
    json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}, {}]}),
    &[".anyOf[0].type Forbidden", ".anyOf[1].type Forbidden"],
)]
#[case::struct_011_missing_branch(
    json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}]}),
    &[".anyOf[0].type Forbidden"],
)]
#[case::struct_011_one_of(
    json!({"x-kubernetes-int-or-string": true, "oneOf": [{"type": "integer"}, {"type": "string"}]}),
    &[".oneOf[0].type Forbidden", ".oneOf[1].type Forbidden"],
)]
#[case::struct_011_inside_a_quantifier(
    json!({"x-kubernetes-int-or-string": true, "not": {"anyOf": [{"type": "integer"}, {"type": "string"}]}}),
    &[".not.anyOf[0].type Forbidden", ".not.anyOf[1].type Forbidden"],
)]
#[case::struct_011_untyped_node(json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}), &[".type Required"])]
#[case::struct_012_form(
    json!({
        "x-kubernetes-int-or-string": true,
        "allOf": [{"anyOf": [{"type": "integer"}, {"type": "string"}], "maxLength": 3}, {"minimum": 1}],
    }),
    &[],
)]
#[case::struct_012_second(
    json!({"x-kubernetes-int-or-string": true, "allOf": [{}, {"anyOf": [{"type": "integer"}, {"type": "string"}]}]}),
    &[".allOf[1].anyOf[0].type Forbidden", ".allOf[1].anyOf[1].type Forbidden"],
)]
#[case::struct_012_deeper(
    json!({"x-kubernetes-int-or-string": true, "allOf": [{"allOf": [{"anyOf": [{"type": "integer"}, {"type": "string"}]}]}]}),
    &[".allOf[0].allOf[0].anyOf[0].type Forbidden", ".allOf[0].allOf[0].anyOf[1].type Forbidden"]
)]
#[case::struct_012_both_forms(
    json!({
        "x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}],
        "allOf": [{"anyOf": [{"type": "integer"}, {"type": "string"}]}],
    }),
    &[],
)]
#[case::struct_013_preserving(
    json!({"x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": true}),
    &[".x-kubernetes-preserve-unknown-fields Invalid"],
)]
#[case::struct_013_all_three(
    json!({"x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-embedded-resource": true}),
    &[".x-kubernetes-preserve-unknown-fields Invalid", ".x-kubernetes-embedded-resource Invalid", ".type Required"]
)]
#[case::struct_014_typed(json!({"x-kubernetes-int-or-string": true, "type": "string"}), &[])]
#[case::struct_015_children_need_types(
    json!({"x-kubernetes-preserve-unknown-fields": true, "properties": {"b": {}}}),
    &[".properties[b].type Required"],
)]
#[case::struct_016_both(json!({"x-kubernetes-embedded-resource": true}), &[".type Required", ".properties Required"])]
#[case::struct_016_wrong_type(
    json!({"type": "string", "x-kubernetes-embedded-resource": true, "properties": {}}),
    &[".type Invalid", ".properties Required"],
)]
#[case::struct_016_preserving_without_type(
    json!({"x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}),
    &[".type Required"],
)]
#[case::struct_016_one_property(
    json!({"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"kind": {"type": "string"}}}),
    &[],
)]
#[case::struct_017_in_embedded_metadata(
    json!({"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"metadata": {"type": "object", "additionalProperties":
        {"type": "array", "items": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}}}}}),
    &[".properties[metadata].additionalProperties.items.x-kubernetes-embedded-resource Forbidden"]
)]
#[case::struct_017_ordinary_metadata(
    json!({
        "type": "object",
        "properties": {
            "metadata": {
                "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
            },
        },
    }),
    &[],
)]
#[case::struct_018_embedded(
    json!({"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"kind": {"type": "integer"}}}),
    &[".properties[kind].type Invalid"],
)]
#[case::struct_020_embedded_metadata(
    json!({"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"metadata": {"type": "object", "description": "d",
        "required": ["labels"], "properties": {"labels": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 3}}}}}}),
    &[]
)]
#[case::struct_021_ordinary_metadata(json!({"type": "object", "properties": {"metadata": {"type": "string", "nullable": true}}}), &[])]
#[case::struct_022_nullable(json!({"type": "string", "nullable": true}), &[])]
fn nodes(#[case] json: Value, #[case] expected: &[&str]) {
    assert_eq!(node_causes(&json), sorted(expected));
}

/// STRUCT-005: the message of a cause names the quantifier.
#[test]
fn struct_005_the_detail_names_the_mention() {
    let json = json!({"type": "object", "anyOf": [{}, {"properties": {"a": {}}}]});
    let found = Semantics::UPSTREAM.schema_violations(&schema(&json), &SchemaContext::default());
    assert_eq!(causes(&found), [".properties[a] Required"]);
    assert!(found[0].detail.contains("openAPIV3Schema.anyOf[1].properties[a]"), "{}", found[0].detail);
    assert_eq!(found[0].requirement, "STRUCT-005");
}

/// STRUCT-034: removals and additions after which a schema is still accepted.
#[test]
fn struct_034_an_accepted_schema_stays_accepted() {
    let full = root(
        &json!({"a": {"type": "integer", "description": "d", "default": 1, "maximum": 3, "anyOf": [{"minimum": 0}]}}),
    );
    assert_eq!(schema_causes(&full), Vec::<String>::new());
    for keyword in ["description", "default", "maximum", "anyOf"] {
        let mut less = full.clone();
        less["properties"]["a"].as_object_mut().expect("an object").remove(keyword);
        assert_eq!(schema_causes(&less), Vec::<String>::new(), "without {keyword}");
    }
    let mut nullable = full;
    nullable["properties"]["a"]["nullable"] = json!(true);
    assert_eq!(schema_causes(&nullable), Vec::<String>::new());
}
