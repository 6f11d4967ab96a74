//! Chapter 5: the violations of an object. Each case is named after its requirement.

use crdible_semantics::json::{normalise_numbers, store_form};
use rstest::rstest;
use serde_json::{Value, json};

use crate::common::{object_causes, root, sorted};

/// Schema and value are those of `spec`.
#[rstest]
#[case::value_001_object(json!({"type": "object"}), json!([]), &["spec TypeInvalid"])]
#[case::value_001_array(json!({"type": "array", "items": {"type": "string"}}), json!({}), &["spec TypeInvalid"])]
#[case::value_001_boolean(json!({"type": "boolean"}), json!("true"), &["spec TypeInvalid"])]
#[case::value_001_keywords_of_the_value(json!({"type": "string", "minimum": 10}), json!(1), &["spec TypeInvalid", "spec Invalid"])]
#[case::value_001_map_keys(
    json!({"type": "object", "additionalProperties": {"type": "string"}}),
    json!({"a.b": 1, "": 2}),
    &["spec.a.b TypeInvalid", "spec. TypeInvalid"],
)]
#[case::value_002(json!({"x-kubernetes-preserve-unknown-fields": true, "minLength": 2}), json!("a"), &["spec Invalid"])]
#[case::value_002_any(json!({"x-kubernetes-preserve-unknown-fields": true, "minLength": 2}), json!(5), &[])]
#[case::value_003_float(json!({"type": "integer"}), json!(1e3), &[])]
#[case::value_003_too_large_a_float(json!({"type": "integer"}), json!(9_007_199_254_740_992.0), &["spec TypeInvalid"])]
#[case::value_003_literal(json!({"type": "integer"}), json!(9_007_199_254_740_993_i64), &[])]
#[case::value_003_fraction(json!({"type": "integer"}), json!(1.5), &["spec TypeInvalid", "<nil> Invalid"])]
#[case::value_003_beyond(json!({"type": "integer"}), json!(1e19), &["spec TypeInvalid", "<nil> Invalid"])]
#[case::value_003_lowest(json!({"type": "integer"}), json!(-9_223_372_036_854_775_808.0), &["spec TypeInvalid", "<nil> Invalid"])]
#[case::value_003_large(json!({"type": "integer"}), json!(1e18), &["spec TypeInvalid"])]
#[case::value_003_almost(json!({"type": "integer"}), json!(1.000_000_000_1), &["<nil> Invalid"])]
#[case::value_004(json!({"type": "number"}), json!(1), &[])]
#[case::value_006(json!({"x-kubernetes-int-or-string": true}), json!(1.0), &[])]
#[case::value_006_boolean(json!({"x-kubernetes-int-or-string": true}), json!(true), &["spec TypeInvalid"])]
#[case::value_006_fraction(json!({"x-kubernetes-int-or-string": true}), json!(1.5), &["spec TypeInvalid"])]
#[case::value_006_any_of(
    json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]}),
    json!(true),
    &["spec TypeInvalid", "spec TypeInvalid", "<nil> Invalid"],
)]
#[case::value_007_inclusive(json!({"type": "integer", "minimum": 1, "maximum": 1}), json!(1), &[])]
#[case::value_007_exclusive(json!({"type": "integer", "minimum": 1, "exclusiveMinimum": true}), json!(1), &["spec Invalid"])]
#[case::value_007_exclusive_maximum(json!({"type": "number", "maximum": 1, "exclusiveMaximum": true}), json!(1.0), &["spec Invalid"])]
#[case::value_007_flag_alone(json!({"type": "integer", "exclusiveMinimum": true}), json!(1), &[])]
#[case::value_008_int32(json!({"type": "integer", "format": "int32"}), json!(2_147_483_648_i64), &["<nil> Invalid"])]
#[case::value_008_float(json!({"type": "number", "format": "float"}), json!(1e39), &["<nil> Invalid"])]
#[case::value_008_small_float(json!({"type": "number", "format": "float"}), json!(1e-60), &[])]
#[case::value_008_other_type(json!({"type": "number", "format": "int32"}), json!(1e12), &[])]
#[case::value_009_fractional_bound(json!({"type": "integer", "maximum": 1.5}), json!(1), &[])]
#[case::value_009_bound_beyond_int32(json!({"type": "integer", "format": "int32", "maximum": 4_294_967_295_i64}), json!(5), &[])]
#[case::value_010(json!({"type": "integer", "multipleOf": 3}), json!(7), &["spec Invalid"])]
#[case::value_010_not_positive(json!({"type": "integer", "multipleOf": 0}), json!(0), &["spec Invalid"])]
#[case::value_010_tolerance(json!({"type": "number", "multipleOf": 0.1}), json!(0.3), &[])]
#[case::value_010_no_tolerance_below(json!({"type": "number", "multipleOf": 0.01}), json!(19.99), &["spec Invalid"])]
#[case::value_010_large_quotient(json!({"type": "number", "multipleOf": 0.25}), json!(1e20), &["spec Invalid"])]
#[case::value_011_code_points(json!({"type": "string", "maxLength": 2, "minLength": 2}), json!("é😀"), &[])]
#[case::value_011_long(json!({"type": "string", "maxLength": 1}), json!("ab"), &["spec TooLong"])]
#[case::value_011_short(json!({"type": "string", "minLength": 1}), json!(""), &["spec Invalid"])]
#[case::value_012(json!({"type": "string", "pattern": "^a+$"}), json!("ab"), &["spec Invalid"])]
#[case::value_012_matches(json!({"type": "string", "pattern": "a+"}), json!("bab"), &[])]
#[case::value_012_not_a_string(json!({"type": "integer", "pattern": "a"}), json!(1), &[])]
#[case::value_012_any_type(json!({"x-kubernetes-preserve-unknown-fields": true, "pattern": "a"}), json!("b"), &["spec Invalid"])]
#[case::value_012_empty(json!({"type": "string", "pattern": ""}), json!("b"), &[])]
#[case::value_013_length_before_pattern(json!({"type": "string", "minLength": 3, "pattern": "a"}), json!("b"), &["spec Invalid"])]
#[case::value_013_too_long_before_pattern(json!({"type": "string", "maxLength": 1, "pattern": "a"}), json!("bb"), &["spec TooLong"])]
#[case::value_013_with_other_keywords(
    json!({"type": "string", "pattern": "a", "format": "date", "enum": ["c"], "not": {}}),
    json!("b"),
    &["spec Invalid", "spec TypeInvalid", "spec NotSupported", "<nil> Invalid"],
)]
#[case::value_014(json!({"type": "string", "format": "d-a-t-e"}), json!("2020"), &["spec TypeInvalid"])]
#[case::value_014_in_a_branch(
    json!({"type": "string", "allOf": [{"format": "date"}]}),
    json!("2020"),
    &["spec TypeInvalid", "<nil> Invalid"],
)]
#[case::value_014_int_or_string(json!({"x-kubernetes-int-or-string": true, "format": "ipv4"}), json!("x"), &["spec TypeInvalid"])]
#[case::value_016_unknown(json!({"type": "string", "format": "Date"}), json!("x"), &[])]
#[case::value_016_other_type(json!({"type": "object", "format": "date"}), json!({}), &[])]
#[case::value_016_integer(json!({"type": "integer", "format": "date"}), json!(1), &[])]
#[case::value_017(json!({"type": "string", "format": "date"}), json!(["2020"]), &["spec TypeInvalid"])]
#[case::value_046(json!({"x-kubernetes-preserve-unknown-fields": true, "format": "date"}), json!("x"), &["spec TypeInvalid"])]
#[case::value_046_number(json!({"x-kubernetes-preserve-unknown-fields": true, "format": "date"}), json!(1), &["spec TypeInvalid"])]
#[case::value_046_array(json!({"x-kubernetes-preserve-unknown-fields": true, "format": "date"}), json!([1]), &[])]
#[case::value_046_int_or_string(json!({"x-kubernetes-int-or-string": true, "format": "date"}), json!(1), &[])]
#[case::value_046_branch(json!({"type": "integer", "allOf": [{"format": "date"}]}), json!(1), &["spec TypeInvalid", "<nil> Invalid"])]
#[case::value_014_reported_once(
    json!({"type": "string", "format": "date", "allOf": [{"format": "date"}]}),
    json!("x"),
    &["spec TypeInvalid", "<nil> Invalid"],
)]
#[case::value_014_two_spellings_of_one_format(
    json!({"type": "string", "format": "date", "allOf": [{"format": "d-ate"}]}),
    json!("x"),
    &["spec TypeInvalid", "spec TypeInvalid", "<nil> Invalid"],
)]
#[case::value_046_reported_once(
    json!({"type": "string", "format": "date", "allOf": [{"format": "date"}]}),
    json!(true),
    &["spec TypeInvalid", "<nil> Invalid"],
)]
#[case::value_046_two_formats(
    json!({"x-kubernetes-preserve-unknown-fields": true, "format": "date", "allOf": [{"format": "uri"}]}),
    json!(1),
    &["spec TypeInvalid", "spec TypeInvalid", "<nil> Invalid"],
)]
#[case::value_013_first_only(json!({"type": "string", "maxLength": 1, "minLength": 3}), json!("ab"), &["spec TooLong"])]
#[case::value_018(json!({"type": "string", "enum": ["a"]}), json!("b"), &["spec NotSupported"])]
#[case::value_018_by_value(json!({"type": "integer", "enum": [1]}), json!(1.0), &[])]
#[case::value_018_exact(
    json!({"type": "integer", "enum": [9_007_199_254_740_993_i64]}),
    json!(9_007_199_254_740_992_i64),
    &["spec NotSupported"],
)]
#[case::value_018_fraction(json!({"type": "number", "enum": [1]}), json!(1.9), &["spec NotSupported"])]
#[case::value_018_other_kind(json!({"x-kubernetes-int-or-string": true, "enum": ["A"]}), json!(65), &["spec NotSupported"])]
#[case::value_018_deep(
    json!({"type": "object", "additionalProperties": {"type": "integer"}, "enum": [{"b": 1, "a": 2}]}),
    json!({"a": 2, "b": 1}),
    &[],
)]
#[case::value_019_element(json!({"type": "array", "items": {"type": "string"}}), json!([null]), &["spec[0] TypeInvalid"])]
#[case::value_019_nullable(json!({"type": "array", "items": {"type": "string", "nullable": true}}), json!([null]), &[])]
#[case::value_020_skips(
    json!({"type": "array", "items": {"type": "string", "nullable": true, "minLength": 1, "not": {}}}),
    json!([null]),
    &[],
)]
#[case::value_020_enum(
    json!({"type": "array", "items": {"type": "string", "nullable": true, "enum": ["a", null]}}),
    json!([null]),
    &["spec[0] NotSupported"],
)]
#[case::value_021(json!({"type": "object", "required": ["a", "b", "a"]}), json!({"b": null}), &["spec.a Required"])]
#[case::value_021_no_object(json!({"type": "string", "required": ["a"]}), json!("x"), &[])]
#[case::value_022(json!({"type": "object", "minProperties": 3}), json!({"a": 1}), &["spec Invalid"])]
#[case::value_022_many(json!({"type": "object", "maxProperties": 0}), json!({"a": null}), &["spec TooMany"])]
#[case::value_023(json!({"type": "object", "additionalProperties": true}), json!({"a": 1}), &[])]
#[case::value_024(json!({"type": "array", "items": {"type": "integer"}, "minItems": 2}), json!([1]), &["spec Invalid"])]
#[case::value_024_many(json!({"type": "array", "items": {"type": "integer"}, "maxItems": 0}), json!([1]), &["spec TooMany"])]
#[case::value_025(
    json!({"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}),
    json!([[1, "a"]]),
    &["spec[0][1] TypeInvalid"],
)]
#[case::value_027(
    json!({"type": "integer", "allOf": [{"minimum": 2}, {"maximum": 0}]}),
    json!(1),
    &["spec Invalid", "spec Invalid", "<nil> Invalid"],
)]
#[case::value_027_reported_once(
    json!({"type": "integer", "minimum": 2, "allOf": [{"minimum": 2}]}),
    json!(1),
    &["spec Invalid", "<nil> Invalid"],
)]
#[case::value_028(json!({"type": "integer", "anyOf": [{"minimum": 2}, {"maximum": 1}]}), json!(1), &[])]
#[case::value_028_first_of_equals(
    json!({
        "type": "object", "x-kubernetes-preserve-unknown-fields": true,
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    }),
    json!({}),
    &["spec.a Required", "<nil> Invalid"],
)]
#[case::value_028_best(
    json!({
        "type": "object", "properties": {"x": {"type": "object", "properties": {"y": {"type": "integer"}}}},
        "anyOf": [{"required": ["a"]}, {"required": ["b"], "properties": {"x": {"properties": {"y": {}}}}}],
    }),
    json!({"x": {"y": 1}}),
    &["spec.b Required", "<nil> Invalid"],
)]
#[case::value_029_none(json!({"type": "integer", "oneOf": [{"minimum": 2}, {"minimum": 3}]}), json!(1), &["spec Invalid", "<nil> Invalid"])]
#[case::value_029_several(json!({"type": "integer", "oneOf": [{}, {}]}), json!(1), &["<nil> Invalid"])]
#[case::value_029_one(json!({"type": "integer", "oneOf": [{"minimum": 2}, {}]}), json!(1), &[])]
#[case::value_030(json!({"type": "integer", "not": {}}), json!(1), &["<nil> Invalid"])]
#[case::value_030_nested(
    json!({"type": "integer", "anyOf": [{"not": {"not": {"minimum": 2}}}]}),
    json!(1),
    &["<nil> Invalid", "<nil> Invalid"],
)]
#[case::value_032(json!({"type": "object", "additionalProperties": false}), json!({"a": 1, "b": null}), &["spec Invalid", "spec Invalid"])]
#[case::value_033(
    json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}}),
    json!([1, 2, 1, 1, 2]),
    &["spec[2] Duplicate", "spec[4] Duplicate"],
)]
#[case::value_033_kinds(
    json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"x-kubernetes-int-or-string": true}}),
    json!([1, "1"]),
    &[],
)]
#[case::value_033_zero(
    json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "number"}}),
    json!([0.0, -0.0]),
    &["spec[1] Duplicate"],
)]
#[case::value_033_nulls(
    json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"x-kubernetes-preserve-unknown-fields": true}}),
    json!([null, null]),
    &["spec[1] Duplicate"],
)]
#[case::value_033_compounds(
    json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"x-kubernetes-preserve-unknown-fields": true}}),
    json!([{"a": 1, "b": [2]}, {"b": [2.0], "a": 1}]),
    &["spec[1] Duplicate"],
)]
#[case::value_047(
    json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "number"}}),
    json!([1, 1.0]),
    &["spec[1] Duplicate"],
)]
#[case::value_047_not_rounded(
    json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}}),
    json!([9_007_199_254_740_992_i64, 9_007_199_254_740_993_i64]),
    &[],
)]
fn values(#[case] node: Value, #[case] value: Value, #[case] expected: &[&str]) {
    assert_eq!(object_causes(&root(&json!({ "spec": node })), &json!({ "spec": value })), sorted(expected));
}

fn map_list(keys: &[&str]) -> Value {
    json!({"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys, "items": {"type": "object",
        "x-kubernetes-preserve-unknown-fields": true, "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}})
}

#[rstest]
#[case::value_034(map_list(&["a"]), json!([{"a": 1, "x": 1}, {"a": 1, "x": 2}]), &["spec[1] Duplicate"])]
#[case::value_034_two_keys(map_list(&["a", "b"]), json!([{"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 1, "b": 1}]), &["spec[2] Duplicate"])]
#[case::value_034_absent_keys(map_list(&["a"]), json!([{}, {}]), &["spec[1] Duplicate"])]
#[case::value_034_null_is_all_absent(map_list(&["a"]), json!([null, {}]), &["spec[0] TypeInvalid", "spec[1] Duplicate"])]
#[case::value_034_no_object(
    map_list(&["a"]),
    json!([{"a": 1}, {"a": 1}, 5, 6]),
    &["spec[2] Invalid", "spec[2] TypeInvalid", "spec[3] TypeInvalid"],
)]
#[case::value_034_wrong_key_types(
    map_list(&["a"]),
    json!([{"a": "x"}, {"a": "x"}]),
    &["spec[0].a TypeInvalid", "spec[1].a TypeInvalid", "spec[1] Duplicate"],
)]
#[case::value_035_in_a_map(
    json!({
        "type": "object",
        "additionalProperties": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
    }),
    json!({"k": ["a", "a"]}),
    &["spec[k][1] Duplicate"],
)]
#[case::value_035_verbatim(json!({"x-kubernetes-preserve-unknown-fields": true}), json!({"k": ["a", "a"]}), &[])]
#[case::struct_030(map_list(&["a"]), json!([{"a": 1.0}, {"a": 1}]), &["spec[1] Duplicate"])]
fn map_lists(#[case] node: Value, #[case] value: Value, #[case] expected: &[&str]) {
    assert_eq!(object_causes(&root(&json!({ "spec": node })), &json!({ "spec": value })), sorted(expected));
}

#[rstest]
#[case::required(json!({"type": "object", "required": ["spec"]}), &["spec Required"])]
#[case::count(json!({"type": "object", "maxProperties": 0}), &["<nil> TooMany"])]
#[case::quantifier(json!({"type": "object", "not": {}}), &["<nil> Invalid"])]
#[case::kind(json!({"type": "object", "properties": {"kind": {"type": "string", "enum": ["A"]}}}), &["kind NotSupported"])]
fn causes_at_the_root(#[case] json: Value, #[case] expected: &[&str]) {
    assert_eq!(object_causes(&json, &json!({"kind": "K"})), sorted(expected));
}

#[rstest]
#[case::beyond_64_bits("9223372036854775808", json!(9_223_372_036_854_775_808.0), json!(9_223_372_036_854_775_808.0))]
#[case::largest("9223372036854775807", json!(i64::MAX), json!(i64::MAX))]
#[case::smallest("-9223372036854775808", json!(i64::MIN), json!(i64::MIN))]
#[case::negative_zero("-0.0", json!(0), json!(0))]
#[case::whole_float("[1.0, {\"a\": 1e3}]", json!([1.0, {"a": 1000.0}]), json!([1, {"a": 1000}]))]
#[case::fraction("1.5", json!(1.5), json!(1.5))]
fn value_005_numbers(#[case] text: &str, #[case] decoded: Value, #[case] stored: Value) {
    let mut value: Value = serde_json::from_str(text).unwrap_or_default();
    normalise_numbers(&mut value);
    assert_eq!(value, decoded);
    store_form(&mut value);
    assert_eq!(value, stored);
}
