//! Chapter 6: ratcheting. Each case is named after its requirement.

use crdible_semantics::{Schema, Semantics, with};
use rstest::rstest;
use serde_json::{Value, json};

use crate::common::{causes, root, schema};

/// The causes of an update of `spec`.
fn update(semantics: &Semantics, spec: &Value, old: &Value, new: &Value) -> Vec<String> {
    let object =
        |spec: &Value| json!({"apiVersion": "g.example.com/v1", "kind": "K", "metadata": {"name": "n"}, "spec": spec});
    let schema: Schema = schema(&root(&json!({ "spec": spec })));
    causes(&semantics.object_violations(&object(new), &schema, Some(&object(old))))
}

fn list(list_type: &str) -> Value {
    let mut node = json!({"type": "array", "items": {
        "type": "object", "required": ["k", "z"], "properties": {
            "k": {"type": "string"}, "l": {"type": "integer"}, "v": {"type": "integer", "maximum": 5},
            "z": {"type": "string"}, "s": {"type": "string", "maxLength": 1}}}});
    if list_type == "map" {
        node["x-kubernetes-list-map-keys"] = json!(["k"]);
    }
    if !list_type.is_empty() {
        node["x-kubernetes-list-type"] = json!(list_type);
    }
    node
}

fn object() -> Value {
    json!({"type": "object", "required": ["must"], "maxProperties": 2, "properties": {
        "a": {"type": "integer", "maximum": 5}, "b": {"type": "integer"}, "must": {"type": "string"},
        "o": {"type": "object", "required": ["deep"], "properties": {"deep": {"type": "string"}, "x": {"type": "integer", "maximum": 5}}}},
        "anyOf": [{"properties": {"b": {"minimum": 0}}}]})
}

fn any() -> Value {
    json!({"type": "object", "properties": {"p": {"type": "object", "x-kubernetes-preserve-unknown-fields": true,
        "minProperties": 3, "properties": {"d": {"type": "integer", "maximum": 5}}}, "q": {"type": "integer"}}})
}

#[rstest]
#[case::ratchet_002_unchanged_as_a_whole(object(), json!({"a": 9, "b": -1}), json!({"a": 9, "b": -1}), &[])]
#[case::ratchet_003_parent_enforced(object(), json!({"a": 9, "b": 1}), json!({"a": 9, "b": 2}), &["spec.must Required"])]
#[case::ratchet_003_child_enforced(object(), json!({"a": 9, "must": ""}), json!({"a": 8, "must": ""}), &["spec.a Invalid"])]
#[case::ratchet_003_child_forgiven(object(), json!({"a": 9}), json!({"a": 9, "must": ""}), &[])]
#[case::ratchet_003_branch_about_a_child(
    object(),
    json!({"b": -1, "must": ""}),
    json!({"b": -1, "must": "x"}),
    &["<nil> Invalid", "spec.b Invalid"],
)]
#[case::ratchet_003_nested(object(), json!({"must": "", "o": {"x": 9}}), json!({"must": "y", "o": {"x": 9}}), &[])]
#[case::ratchet_003_nested_changed(
    object(),
    json!({"must": "", "o": {"x": 9}}),
    json!({"must": "", "o": {"x": 8}}),
    &["spec.o.deep Required", "spec.o.x Invalid"],
)]
#[case::ratchet_004_new_key(object(), json!({"must": ""}), json!({"must": "", "a": 9}), &["spec.a Invalid"])]
#[case::ratchet_004_map_value(
    json!({"type": "object", "additionalProperties": {"type": "integer", "maximum": 5}}),
    json!({"a": 9, "b": 8}),
    json!({"a": 9, "c": 8, "b": 7}),
    &["spec.b Invalid", "spec.c Invalid"],
)]
#[case::ratchet_005_other_place(list("map"), json!([{"k": "a", "v": 9}, {"k": "b"}]), json!([{"k": "b"}, {"k": "a", "v": 9}]), &[])]
#[case::ratchet_005_other_field(list("map"), json!([{"k": "a", "v": 9, "z": ""}]), json!([{"k": "a", "v": 9, "z": "y"}]), &[])]
#[case::ratchet_005_own_errors(list("map"), json!([{"k": "a", "v": 9}]), json!([{"k": "a", "v": 9, "s": ""}]), &["spec[0].z Required"])]
#[case::ratchet_005_new_key(
    list("map"),
    json!([{"k": "a", "v": 9, "z": ""}]),
    json!([{"k": "b", "v": 9, "z": ""}]),
    &["spec[0].v Invalid"],
)]
#[case::ratchet_005_removed(list("map"), json!([{"k": "a"}, {"k": "b", "v": 9}]), json!([{"k": "b", "v": 9}]), &[])]
#[case::ratchet_006_unchanged(list("atomic"), json!([{"k": "a"}]), json!([{"k": "a"}]), &[])]
#[case::ratchet_006_grown(list(""), json!([{"k": "a"}]), json!([{"k": "a"}, {"k": "b", "z": ""}]), &["spec[0].z Required"])]
#[case::ratchet_006_reordered(
    list("atomic"),
    json!([{"k": "a"}, {"k": "b"}]),
    json!([{"k": "b"}, {"k": "a"}]),
    &["spec[0].z Required", "spec[1].z Required"],
)]
#[case::ratchet_006_set_reordered(
    json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer", "maximum": 5}}),
    json!([9, 1]),
    json!([1, 9]),
    &["spec[1] Invalid"],
)]
#[case::ratchet_007_permutation_in_a_parent(
    json!({"type": "object", "required": ["r"], "properties": {"l": list("map")}}),
    json!({"l": [{"k": "a"}, {"k": "b"}]}),
    json!({"l": [{"k": "b"}, {"k": "a"}]}),
    &[],
)]
#[case::ratchet_007_as_written(json!({"type": "number", "maximum": 2}), json!(3), json!(3.0), &["spec Invalid"])]
#[case::ratchet_007_key_removed(object(), json!({"b": 1, "a": 9}), json!({"a": 9}), &["spec.must Required"])]
#[case::ratchet_008_undeclared(any(), json!({"p": {"u": 1, "d": 9}}), json!({"p": {"u": 1, "d": 9}}), &["spec.p Invalid"])]
#[case::ratchet_008_all_declared(any(), json!({"p": {"d": 9}}), json!({"p": {"d": 9}}), &[])]
#[case::ratchet_008_empty(any(), json!({"p": {}}), json!({"p": {}, "q": 1}), &[])]
#[case::ratchet_021_back_again(json!({"type": "integer", "maximum": 5}), json!(1), json!(9), &["spec Invalid"])]
#[case::ratchet_012_had_duplicates(json!({"type": "object", "properties": {
        "s": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}},
        "t": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}}}}),
    json!({"s": [1, 1]}), json!({"s": [1, 1, 1], "t": [2, 2]}), &[])]
#[case::ratchet_012_had_no_duplicates(
    json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}}),
    json!([1]),
    json!([1, 1]),
    &["spec[1] Duplicate"],
)]
#[case::ratchet_011_embedded(json!({"type": "object", "properties": {"e": {"type": "object",
        "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}}}),
    json!({"e": {"kind": "K"}}), json!({"e": {"kind": "K"}}), &["spec.e.apiVersion Required"])]
fn updates(#[case] schema: Value, #[case] old: Value, #[case] new: Value, #[case] expected: &[&str]) {
    assert_eq!(update(&Semantics::UPSTREAM, &schema, &old, &new), expected);
}

/// RATCHET-009, RATCHET-010: the root never ratchets as a whole, nor do its `apiVersion` and `kind`. Those of other
/// objects do.
#[test]
fn the_root_does_not_ratchet() {
    let schema = schema(&json!({"type": "object", "required": ["gone"], "properties": {
        "kind": {"type": "string", "maxLength": 1},
        "o": {"type": "object", "properties": {"kind": {"type": "string", "maxLength": 1}}}}}));
    let object =
        json!({"apiVersion": "g.example.com/v1", "kind": "Kind", "metadata": {"name": "n"}, "o": {"kind": "Kind"}});
    assert_eq!(
        causes(&Semantics::UPSTREAM.object_violations(&object, &schema, Some(&object))),
        ["gone Required", "kind TooLong"]
    );
}

/// An update of a value of another type is validated like a create.
#[test]
fn values_of_another_type_are_not_forgiven() {
    for (spec, new) in [(object(), json!({"a": 9})), (list("map"), json!([{"v": 9}])), (list(""), json!([1]))] {
        let created = {
            let schema = schema(&root(&json!({ "spec": spec })));
            causes(&Semantics::UPSTREAM.object_violations(&json!({ "spec": new }), &schema, None))
        };
        assert!(!created.is_empty());
        assert_eq!(update(&Semantics::UPSTREAM, &spec, &json!("other"), &new), created);
    }
}

const BY_POSITION: Semantics =
    with::correlate_map_list(|_, elements, old, _| (0..elements.len()).map(|index| old.get(index)).collect());
const FORGIVES_ALL: Semantics = with::forgives(|_, _, _, _, _| true);

/// Another function changes the result of those that call it.
#[test]
fn overridden_steps_take_effect() {
    let (old, new) = (json!([{"k": "a", "v": 9, "z": ""}]), json!([{"k": "b", "v": 9, "z": ""}]));
    assert_ne!(update(&BY_POSITION, &list("map"), &old, &new), update(&Semantics::UPSTREAM, &list("map"), &old, &new));
    assert!(update(&FORGIVES_ALL, &list("map"), &old, &new).is_empty());
}
