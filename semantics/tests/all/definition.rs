//! The rules of chapter 1 that chapter 2 relies on: keywords and defaults.

use crdible_semantics::{Schema, SchemaContext, Semantics};
use rstest::rstest;
use serde_json::{Value, json};

use crate::common::{causes, root, schema, schema_causes, sorted};

#[rstest]
#[case::crdval_025_structural_hides_defaults(
    root(&json!({"a": {}, "b": {"type": "string", "default": 1}})),
    &[".properties[a].type Required"],
)]
#[case::crdval_025_unbuildable_alone(json!({"type": "object", "$schema": "x"}), &[" Invalid"])]
#[case::crdval_025_unbuildable_beside_another(json!({"type": "object", "$schema": "x", "uniqueItems": true}), &[".uniqueItems Forbidden"])]
#[case::crdval_029_unknown(root(&json!({"a": {"type": "foo"}})), &[".properties[a].type NotSupported"])]
#[case::crdval_029_null(root(&json!({"a": {"type": "null"}})), &[".properties[a].type NotSupported", ".properties[a].type Forbidden"])]
#[case::crdval_029_in_a_quantifier(
    root(&json!({"a": {"type": "string", "anyOf": [{"type": "foo"}]}})),
    &[".properties[a].anyOf[0].type NotSupported", ".properties[a].anyOf[0].type Forbidden"],
)]
#[case::crdval_030_each(
    root(
        &json!({
            "a": {
                "id": "x", "additionalItems": false, "patternProperties": {"a": {}}, "definitions": {"d": {}},
                "dependencies": {}, "$ref": "", "items": [{}],
            },
        }),
    ),
    &[
        ".properties[a].id Forbidden", ".properties[a].additionalItems Forbidden", ".properties[a].patternProperties Forbidden",
        ".properties[a].definitions Forbidden", ".properties[a].dependencies Forbidden", ".properties[a].$ref Forbidden",
        ".properties[a].items Forbidden"
    ]
)]
#[case::crdval_030_empty_reference_hides_nothing(
    root(&json!({"a": {"$ref": ""}})),
    &[".properties[a].$ref Forbidden", ".properties[a].type Required"],
)]
#[case::crdval_030_empty(
    json!({
        "type": "object", "id": "", "patternProperties": {}, "definitions": {}, "$ref": null, "additionalItems": null,
        "dependencies": null,
    }),
    &[],
)]
#[case::crdval_030_in_a_quantifier(json!({"type": "object", "not": {"id": "x"}}), &[".not.id Forbidden"])]
#[case::crdval_030_schemas_inside(
    json!({"type": "object", "definitions": {"d": {"uniqueItems": true}}, "dependencies": {"e": {"uniqueItems": true}, "f": ["g"]}}),
    &[
        ".definitions Forbidden", ".definitions[d].uniqueItems Forbidden", ".dependencies Forbidden",
        ".dependencies[e].uniqueItems Forbidden",
    ]
)]
#[case::crdval_032(json!({"type": "object", "uniqueItems": false, "anyOf": [{"uniqueItems": true}]}), &[".anyOf[0].uniqueItems Forbidden"])]
#[case::crdval_033_false(
    root(&json!({"a": {"type": "object", "properties": {"b": {"type": "string"}}, "additionalProperties": false}})),
    &[".properties[a].additionalProperties Forbidden"],
)]
#[case::crdval_033_true(
    root(&json!({"a": {"type": "object", "properties": {"b": {"type": "string"}}, "additionalProperties": true}})),
    &[],
)]
#[case::crdval_033_alone(root(&json!({"a": {"type": "object", "properties": {}, "additionalProperties": false}})), &[])]
#[case::crdval_034(root(&json!({"a": {"type": "string", "pattern": "a(?=b)"}})), &[".properties[a].pattern Invalid"])]
#[case::crdval_034_compiles(root(&json!({"a": {"type": "string", "pattern": r"^\Qx\E{,2}[\d-a]$"}})), &[])]
#[case::crdval_034_any_type(root(&json!({"a": {"type": "integer", "pattern": "("}})), &[".properties[a].pattern Invalid"])]
#[case::crdval_034_empty(root(&json!({"a": {"type": "string", "pattern": ""}})), &[])]
#[case::crdval_034_branches(
    root(&json!({"a": {"type": "array", "items": {"type": "string", "pattern": "a{1001}"}, "anyOf": [{"items": {"pattern": "["}}],
        "oneOf": [{"not": {"pattern": r"\1"}}]}})),
    &[
        ".properties[a].items.pattern Invalid", ".properties[a].anyOf[0].items.pattern Invalid",
        ".properties[a].oneOf[0].not.pattern Invalid",
    ]
)]
#[case::crdval_034_hides_defaults(
    root(&json!({"a": {"type": "string", "pattern": "("}, "b": {"type": "string", "default": 1}})),
    &[".properties[a].pattern Invalid"],
)]
#[case::crdval_034_hidden(
    root(&json!({"a": {"type": "string", "pattern": "("}, "b": {"type": "object", "x-kubernetes-preserve-unknown-fields": false}})),
    &[".properties[b].x-kubernetes-preserve-unknown-fields Invalid"]
)]
#[case::crdval_053_pattern(root(&json!({"a": {"type": "string", "pattern": "^a$", "default": "b"}})), &[".properties[a].default Invalid"])]
#[case::crdval_053_format(
    root(&json!({"a": {"type": "string", "format": "date", "default": "b"}})),
    &[".properties[a].default TypeInvalid"],
)]
#[case::crdval_035_hides_structural_causes(
    root(&json!({"a": {"x-kubernetes-preserve-unknown-fields": false}, "b": {}})),
    &[".properties[a].x-kubernetes-preserve-unknown-fields Invalid"],
)]
#[case::crdval_051_root_metadata(
    root(
        &json!({
            "metadata": {"type": "object", "properties": {"name": {"type": "string", "default": "a"}}},
            "kind": {"type": "string", "default": "K"},
        }),
    ),
    &[".properties[metadata].properties[name].default Forbidden", ".properties[kind].default Forbidden"]
)]
#[case::crdval_051_map_in_embedded_metadata(
    root(&json!({"a": {"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"metadata": {"type": "object", "properties":
        {"labels": {"type": "object", "additionalProperties": {"type": "string", "default": "a"}}}}}}})),
    &[".properties[a].properties[metadata].properties[labels].additionalProperties.default Forbidden"]
)]
#[case::crdval_051_embedded_kind(
    root(
        &json!({
            "a": {
                "type": "object", "x-kubernetes-embedded-resource": true,
                "properties": {"kind": {"type": "string", "default": "Pod"}},
            },
        }),
    ),
    &[],
)]
#[case::crdval_051_embedded_kind_must_be_valid(
    root(
        &json!({
            "a": {
                "type": "object", "x-kubernetes-embedded-resource": true,
                "properties": {"kind": {"type": "string", "default": "p d"}},
            },
        }),
    ),
    &[".properties[a].properties[kind].default Invalid"]
)]
#[case::crdval_051_embedded_label_must_be_valid(
    root(&json!({"a": {"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"metadata": {"type": "object", "properties":
        {"labels": {"type": "object", "properties": {"l": {"type": "string", "default": "-"}}}}}}}})),
    &[".properties[a].properties[metadata].properties[labels].properties[l].default Invalid"]
)]
#[case::crdval_051_root_default(
    json!({"type": "object", "default": {"spec": 1}, "properties": {"spec": {"type": "integer"}}}),
    &[".default.apiVersion Required", ".default.kind Required"],
)]
#[case::crdval_051_whole_root_default(json!({"type": "object", "default": {"apiVersion": "a/v1", "kind": "K"}}), &[])]
#[case::crdval_052_once(root(&json!({"a": {"type": "object", "default": {"x": 1, "y": 2}}})), &[".properties[a].default Invalid"])]
#[case::crdval_052_embedded_metadata(
    root(&json!({"a": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
        "default": {"apiVersion": "v1", "kind": "K", "metadata": {"unknown": 1}}}})),
    &[]
)]
#[case::crdval_053_type(root(&json!({"a": {"type": "string", "default": 1}})), &[".properties[a].default TypeInvalid"])]
#[case::crdval_053_below(
    root(
        &json!({
            "a": {
                "type": "object", "properties": {"b": {"type": "array", "items": {"type": "integer", "maximum": 1}}},
                "default": {"b": [1, 2]},
            },
        }),
    ),
    &[".properties[a].default.b[1] Invalid"],
)]
#[case::crdval_053_element(
    root(&json!({"a": {"type": "array", "items": {"type": "integer"}, "default": ["x"]}})),
    &[".properties[a].default.[0] TypeInvalid"],
)]
#[case::crdval_053_quantifier(
    root(&json!({"a": {"type": "integer", "default": 1, "not": {"minimum": 1}}})),
    &[".properties[a].default Invalid"],
)]
#[case::crdval_053_not_completed_by_other_defaults(
    root(&json!({"a": {"type": "object", "properties": {"b": {"type": "string", "default": "x"}}, "required": ["b"], "default": {}}})),
    &[".properties[a].default.b Required"]
)]
#[case::crdval_053_nulls(
    root(
        &json!({
            "a": {
                "type": "object", "properties": {"b": {"type": "string", "nullable": true}, "c": {"type": "string"}},
                "default": {"b": null, "c": null},
            },
        }),
    ),
    &[".properties[a].default.c TypeInvalid"]
)]
#[case::crdval_053_null_is_not_a_default(root(&json!({"a": {"type": "string", "default": null}})), &[])]
#[case::crdval_053_set(
    root(
        &json!({
            "a": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}, "default": [1, 1]},
        }),
    ),
    &[".properties[a].default[1] Duplicate"],
)]
#[case::crdval_053_int_or_string(
    root(&json!({"a": {"x-kubernetes-int-or-string": true, "default": true}})),
    &[".properties[a].default TypeInvalid"],
)]
#[case::crdval_054_below_a_map(root(&json!({"a": {"type": "object", "additionalProperties": {"type": "string", "default": 1}}})), &[])]
#[case::default_018_incomplete(
    root(
        &json!({
            "a": {
                "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
                "default": {},
            },
        }),
    ),
    &[".properties[a].default.apiVersion Required", ".properties[a].default.kind Required"]
)]
#[case::default_018_metadata(
    root(&json!({"a": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
        "default": {"apiVersion": "v1", "kind": "K", "metadata": {"name": "A_", "labels": {"-": "a"}}}}})),
    &[".properties[a].default.metadata.labels Invalid"]
)]
#[case::default_018_metadata_type(
    root(&json!({"a": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
        "default": {"apiVersion": "v1", "kind": "K", "metadata": {"labels": {"a": 1}}}}})),
    &[".properties[a].default.metadata Invalid"]
)]
fn definitions(#[case] json: Value, #[case] expected: &[&str]) {
    assert_eq!(schema_causes(&json), sorted(expected));
}

#[rstest]
#[case::crdval_040_allowed(
    json!({"type": "object", "description": "d", "title": "t", "format": "f", "required": ["spec"], "properties": {"spec": {"type": "object"}},
        "maxLength": 1, "multipleOf": 2, "x-kubernetes-preserve-unknown-fields": true, "example": 1, "externalDocs": {"url": "u"}}),
    &[]
)]
#[case::crdval_040_all_of(json!({"type": "object", "allOf": [{}]}), &[" Invalid"])]
#[case::crdval_040_enum(json!({"type": "object", "enum": [{}]}), &[" Invalid"])]
#[case::crdval_040_min_properties(json!({"type": "object", "minProperties": 0}), &[" Invalid"])]
#[case::crdval_040_map_type(json!({"type": "object", "x-kubernetes-map-type": "atomic"}), &[" Invalid"])]
#[case::crdval_040_only_the_first(json!({"type": "object", "not": {}, "minProperties": 1, "oneOf": [{}]}), &[" Invalid"])]
#[case::crdval_040_nullable(json!({"type": "object", "nullable": true}), &[" Invalid", ".nullable Forbidden"])]
#[case::crdval_040_type_hides_others(json!({"type": "string", "minProperties": 1}), &[".type Invalid", ".type Invalid"])]
#[case::crdval_040_no_type(json!({"x-kubernetes-preserve-unknown-fields": true}), &[])]
#[case::struct_006_missing_nodes_too(
    json!({"type": "object", "allOf": [{"properties": {"a": {}}}]}),
    &[" Invalid", ".properties[a] Required"],
)]
fn roots_under_status(#[case] json: Value, #[case] expected: &[&str]) {
    let context = SchemaContext { status_subresource: true };
    assert_eq!(causes(&Semantics::UPSTREAM.schema_violations(&schema(&json), &context)), sorted(expected));
}

#[rstest]
#[case::crdval_031(
    json!({
        "type": "object", "const": 1, "readOnly": null,
        "properties": {"a": {"type": "string", "x-foo": 1, "anyOf": [{"if": {}}]}},
        "x-kubernetes-validations": [{"rule": "true", "why": 1}],
    }),
    &["const", "properties.a.anyOf[0].if", "properties.a.x-foo", "readOnly", "x-kubernetes-validations[0].why"]
)]
#[case::known_nulls(json!({"type": null, "items": null, "x-kubernetes-list-type": null, "$ref": null}), &[])]
fn unknown_keywords(#[case] json: Value, #[case] expected: &[&str]) {
    let (_, mut unknown) = Schema::parse(&json).expect("readable");
    unknown.sort();
    assert_eq!(unknown, expected);
}

#[rstest]
#[case::empty(
    json!([null, {}, {"rule": "", "message": "", "messageExpression": "", "fieldPath": "", "reason": null, "optionalOldSelf": null}]),
    json!([{"rule": ""}, {"rule": ""}, {"rule": ""}])
)]
#[case::unknown(json!([{"rule": "true", "why": 1, "message": " "}]), json!([{"rule": "true", "message": " "}]))]
#[case::set(
    json!([{"rule": " a", "reason": "", "optionalOldSelf": false, "fieldPath": ".a", "messageExpression": "b"}]),
    json!([{"rule": " a", "reason": "", "optionalOldSelf": false, "fieldPath": ".a", "messageExpression": "b"}])
)]
fn rules_are_stored_without_what_is_empty(#[case] rules: Value, #[case] expected: Value) {
    let stored = schema(&json!({ "x-kubernetes-validations": rules })).to_json();
    assert_eq!(stored, json!({ "x-kubernetes-validations": expected }));
}

#[rstest]
#[case::some(json!({"url": "", "description": "d", "more": 1}), json!({"description": "d"}))]
#[case::none(json!({"url": null}), json!({}))]
fn documentation_is_stored_without_what_is_empty(#[case] docs: Value, #[case] expected: Value) {
    let stored = schema(&json!({ "externalDocs": docs })).to_json();
    assert_eq!(stored, json!({ "externalDocs": expected }));
}

#[rstest]
#[case::crdval_029_list_of_types(json!({"type": ["string"]}), &["type"])]
#[case::number(json!({"maximum": "1"}), &["maximum"])]
#[case::integral_float(json!({"maxLength": 1.0}), &["maxLength"])]
#[case::all_of_them(
    json!({"properties": {"a": {"nullable": 1}, "b": 2}, "required": ["x", 3], "allOf": {}, "additionalProperties": [], "enum": {}}),
    &["additionalProperties", "allOf", "enum", "properties.a.nullable", "properties.b", "required[1]"]
)]
#[case::rule(json!({"x-kubernetes-validations": [1, {"rule": 2}]}), &["x-kubernetes-validations[0]", "x-kubernetes-validations[1].rule"])]
#[case::unsupported(
    json!({"definitions": {"a": {"type": 1}}, "dependencies": {"b": [1]}, "$ref": 1}),
    &["$ref", "definitions.a.type", "dependencies.b[0]"],
)]
#[case::no_object(json!([]), &[""])]
fn unreadable_keywords(#[case] json: Value, #[case] expected: &[&str]) {
    let errors = Schema::parse(&json).expect_err("a keyword is unreadable");
    let mut paths: Vec<String> = errors.into_iter().map(|error| error.path).collect();
    paths.sort();
    assert_eq!(paths, expected);
}
