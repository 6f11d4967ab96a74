//! Chapter 3: pruning and coercion. Each case is named after its requirement. Metadata and embedded objects are in
//! `pruned_metadata`.

use crdible_semantics::Semantics;
use rstest::rstest;
use serde_json::{Value, json};

use crate::common::{root, schema};

/// Schema and value are those of `spec`.
#[rstest]
#[case::prune_001(
    json!({"type": "object", "properties": {"a": {"type": "string"}}}),
    json!({"a": "x", "A": 1, "a ": null}),
    json!({"a": "x"}),
    &["spec.A", "spec.a "],
)]
#[case::prune_001_nothing_known(json!({"type": "object"}), json!({"a": {"b": 1}}), json!({}), &["spec.a"])]
#[case::prune_002(
    json!({"type": "object", "required": ["a"], "anyOf": [{"properties": {"b": {}}}], "example": {"c": 1}}),
    json!({"a": 1, "b": 2, "c": 3}),
    json!({}),
    &["spec.a", "spec.b", "spec.c"],
)]
#[case::prune_003(
    json!({
        "type": "array",
        "items": {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}},
    }),
    json!([[{"a": 1, "b": 2}, 3, null], [{"b": 4}]]),
    json!([[{"a": 1}, 3, null], [{}]]),
    &["spec[0][0].b", "spec[1][0].b"],
)]
#[case::prune_003_array_for_object(
    json!({"type": "object", "properties": {"a": {"type": "string"}}}),
    json!([{"a": 1}, [{"b": 2}]]),
    json!([{}, [{}]]),
    &["spec[0].a", "spec[1][0].b"],
)]
#[case::prune_003_object_for_array(json!({"type": "array", "items": {"type": "string"}}), json!({"a": 1}), json!({}), &["spec.a"])]
#[case::prune_004(
    json!({"type": "object", "additionalProperties": {"type": "object", "properties": {"a": {"type": "string"}}}}),
    json!({"k.l": {"a": 1, "b": 2}, "metadata": {"b": 1}, "n": null}),
    json!({"k.l": {"a": 1}, "metadata": {}, "n": null}),
    &["spec.k.l.b", "spec.metadata.b"],
)]
#[case::prune_004_beside_properties(
    json!({"type": "object", "properties": {"a": {"type": "object"}}, "additionalProperties": true}),
    json!({"a": {"x": 1}, "b": {"y": 2}, "c": 3}),
    json!({"a": {}, "b": {}, "c": 3}),
    &["spec.a.x", "spec.b.y"],
)]
#[case::prune_005(
    json!({"type": "object", "additionalProperties": true}),
    json!({"a": {"b": 1, "c": 2}, "d": [[{"e": 1}], 2, null]}),
    json!({"a": {}, "d": [[{}], 2, null]}),
    &["spec.a.b", "spec.a.c", "spec.d[0][0].e"],
)]
#[case::prune_006(
    json!({"type": "object", "additionalProperties": false}),
    json!({"a": {"b": 1}, "c": 2}),
    json!({"a": {}, "c": 2}),
    &["spec.a.b"],
)]
#[case::prune_007(
    json!({"type": "string", "properties": {"a": {"type": "string"}}}),
    json!({"a": 1, "b": 2}),
    json!({"a": 1}),
    &["spec.b"],
)]
#[case::prune_007_scalar(json!({"type": "object"}), json!(5), json!(5), &[])]
#[case::prune_008(
    json!({"x-kubernetes-preserve-unknown-fields": true, "properties": {"a": {"type": "object"}}}),
    json!({"a": {"b": 1}, "c": {"d": null}}),
    json!({"a": {}, "c": {"d": null}}),
    &["spec.a.b"],
)]
#[case::prune_008_map(
    json!({"x-kubernetes-preserve-unknown-fields": true, "additionalProperties": {"type": "object"}}),
    json!({"c": {"d": 1}}),
    json!({"c": {}}),
    &["spec.c.d"],
)]
#[case::prune_008_true(
    json!({"x-kubernetes-preserve-unknown-fields": true, "additionalProperties": true}),
    json!({"c": {"d": 1}, "e": 2}),
    json!({"c": {}, "e": 2}),
    &["spec.c.d"],
)]
#[case::prune_009(
    json!({
        "type": "array", "x-kubernetes-preserve-unknown-fields": true,
        "items": {"type": "object", "properties": {"a": {"type": "object"}}},
    }),
    json!([{"a": {"x": 1}, "b": {"y": 2}}, [{"c": 3}]]),
    json!([{"a": {}, "b": {"y": 2}}, [{"c": 3}]]),
    &["spec[0].a.x"],
)]
#[case::prune_009_map_of_items(
    json!({
        "type": "array", "x-kubernetes-preserve-unknown-fields": true,
        "items": {"type": "object", "additionalProperties": {"type": "object"}},
    }),
    json!([{"a": {"x": 1}}]),
    json!([{"a": {}}]),
    &["spec[0].a.x"],
)]
#[case::prune_009_contrast(
    json!({
        "x-kubernetes-preserve-unknown-fields": true,
        "properties": {"l": {"type": "array", "items": {"type": "object"}}},
    }),
    json!({"l": [{"x": 1}]}),
    json!({"l": [{}]}),
    &["spec.l[0].x"],
)]
#[case::prune_009_items_preserve(
    json!({"type": "array", "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}),
    json!([{"x": 1}]),
    json!([{"x": 1}]),
    &[],
)]
#[case::prune_010(
    json!({"x-kubernetes-preserve-unknown-fields": true}),
    json!({"a": null, "metadata": {"x": null}, "e": {}, "l": [], "n": 9_007_199_254_740_993_i64}),
    json!({"a": null, "metadata": {"x": null}, "e": {}, "l": [], "n": 9_007_199_254_740_993_i64}),
    &[],
)]
#[case::prune_011(
    json!({
        "x-kubernetes-preserve-unknown-fields": true,
        "properties": {"a": {"type": "object", "properties": {"b": {"type": "object"}}}},
    }),
    json!({"a": {"b": {"x": 1}, "y": 2}, "z": 3}),
    json!({"a": {"b": {}}, "z": 3}),
    &["spec.a.b.x", "spec.a.y"],
)]
#[case::prune_014(
    json!({
        "type": "object", "x-kubernetes-embedded-resource": true,
        "properties": {"metadata": {"type": "object", "properties": {"name": {"type": "string"}}}},
    }),
    json!({"apiVersion": "v1", "kind": "K", "metadata": {"labels": {"a": "b"}}, "x": 1}),
    json!({"apiVersion": "v1", "kind": "K", "metadata": {"labels": {"a": "b"}}}),
    &["spec.x"],
)]
#[case::prune_014_in_a_list(
    json!({
        "type": "array",
        "items": {"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"a": {"type": "string"}}},
    }),
    json!([{"kind": "K", "x": 1}]),
    json!([{"kind": "K"}]),
    &["spec[0].x"],
)]
#[case::prune_014_in_a_map(
    json!({
        "type": "object",
        "additionalProperties": {
            "type": "object", "x-kubernetes-embedded-resource": true, "properties": {"a": {"type": "string"}},
        },
    }),
    json!({"k": {"kind": "K", "x": 1}}),
    json!({"k": {"kind": "K"}}),
    &["spec.k.x"],
)]
#[case::prune_014_preserving(
    json!({
        "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
        "properties": {"metadata": {"type": "object"}},
    }),
    json!({"metadata": {"name": "n"}, "x": {"y": 1}}),
    json!({"metadata": {"name": "n"}, "x": {"y": 1}}),
    &[],
)]
#[case::prune_015(
    json!({"type": "object", "properties": {"a": {"type": "string"}}}),
    json!({"apiVersion": "v1", "kind": "K", "metadata": {}}),
    json!({}),
    &["spec.apiVersion", "spec.kind", "spec.metadata"],
)]
#[case::prune_028_text_order(
    json!({"type": "array", "items": {"type": "object"}}),
    Value::Array(vec![json!({"a": 1}); 11]),
    Value::Array(vec![json!({}); 11]),
    &[
        "spec[0].a", "spec[10].a", "spec[1].a", "spec[2].a", "spec[3].a", "spec[4].a", "spec[5].a", "spec[6].a",
        "spec[7].a", "spec[8].a", "spec[9].a",
    ],
)]
fn pruned(#[case] node: Value, #[case] before: Value, #[case] after: Value, #[case] removed: &[&str]) {
    let schema = schema(&root(&json!({ "spec": node })));
    let mut object = json!({ "spec": before });
    assert_eq!(Semantics::UPSTREAM.prune(&mut object, &schema, true), removed);
    assert_eq!(object, json!({ "spec": after }));
}

#[rstest]
#[case::prune_001_root(
    json!({"type": "object"}),
    json!({"apiVersion": "v1", "kind": "K", "metadata": {"x": 1}, "spec": 1}),
    json!({"apiVersion": "v1", "kind": "K", "metadata": {"x": 1}}),
    &["spec"],
)]
#[case::prune_013(
    root(&json!({"metadata": {"type": "object", "properties": {"name": {"type": "string"}}}})),
    json!({"metadata": {"labels": {"a": "b"}}}),
    json!({"metadata": {"labels": {"a": "b"}}}),
    &[],
)]
#[case::prune_008_root(
    json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}),
    json!({"x": {"y": 1}, "metadata": {"z": 1}}),
    json!({"x": {"y": 1}, "metadata": {"z": 1}}),
    &[],
)]
fn pruned_at_the_root(#[case] json: Value, #[case] before: Value, #[case] after: Value, #[case] removed: &[&str]) {
    let mut object = before;
    assert_eq!(Semantics::UPSTREAM.prune(&mut object, &schema(&json), true), removed);
    assert_eq!(object, after);
}

#[test]
fn prune_012_declaring_below_preserved_prunes_more() {
    let value = json!({"a": {"b": 1}});
    let mut kept = value.clone();
    Semantics::UPSTREAM.prune(&mut kept, &schema(&json!({"x-kubernetes-preserve-unknown-fields": true})), false);
    assert_eq!(kept, value);
    let mut pruned = value;
    Semantics::UPSTREAM.prune(
        &mut pruned,
        &schema(&json!({"x-kubernetes-preserve-unknown-fields": true, "properties": {"a": {"type": "object"}}})),
        false,
    );
    assert_eq!(pruned, json!({"a": {}}));
}

#[test]
fn prune_020_order_and_reports() {
    let json = root(&json!({"spec": {"type": "object", "properties": {
        "a": {"type": "string", "default": "d"}, "n": {"type": "string"},
        "t": {"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"kind": {"type": "string"}}}}}}));
    let mut object = json!({"apiVersion": "g/v1", "kind": "K", "metadata": {"name": "x", "b": 1, "a": 1}, "zz": 1,
        "spec": {"n": null, "u": null, "t": {"kind": null, "metadata": {"q": 1}}}});
    let decoded = Semantics::UPSTREAM.decode(&mut object, &schema(&json)).expect("well typed");
    assert_eq!(decoded.unknown_fields, ["metadata.a", "metadata.b", "spec.u", "zz", "spec.t.metadata.q"]);
    assert_eq!(
        object,
        json!({"apiVersion": "g/v1", "kind": "K", "metadata": {"name": "x"}, "spec": {"a": "d", "t": {"metadata": {}}}})
    );
}

#[test]
fn prune_021_022_other_versions() {
    let one = schema(&root(
        &json!({"spec": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string", "default": "one"}}}}),
    ));
    let two = schema(&root(
        &json!({"spec": {"type": "object", "properties": {"b": {"type": "string"}, "c": {"type": "string", "default": "two"}}}}),
    ));
    let mut written = json!({"spec": {"a": "x", "b": "y"}});
    Semantics::UPSTREAM.encode(&mut written, &two);
    assert_eq!(written, json!({"spec": {"b": "y"}}));
    let mut read = json!({"spec": {"a": "x", "c": "lost"}});
    Semantics::UPSTREAM.read(&mut read, &one, &two, false);
    assert_eq!(read, json!({"spec": {"b": "one"}}));
    let mut same = json!({"spec": {"a": "x"}});
    Semantics::UPSTREAM.read(&mut same, &one, &one, true);
    assert_eq!(same, json!({"spec": {"a": "x", "b": "one"}}));
}

#[test]
fn prune_030_dropped_nulls_are_not_unknown() {
    let json = root(&json!({"spec": {"type": "object", "properties": {"a": {"type": "string"}}}}));
    let mut object = json!({"spec": {"a": null, "b": null}});
    let decoded = Semantics::UPSTREAM.decode(&mut object, &schema(&json)).expect("well typed");
    assert_eq!(decoded.unknown_fields, ["spec.b"]);
    assert_eq!(object, json!({"spec": {}}));
}
