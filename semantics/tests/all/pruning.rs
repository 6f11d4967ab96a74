//! Chapter 3: pruning and coercion. Each case is named after its requirement.

use crdible_semantics::Semantics;
use rstest::rstest;
use serde_json::{Value, json};

use crate::common::{object_causes, root, schema, sorted};

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

#[rstest]
#[case::unknown(json!({"name": "n", "Labels": {}, "zz": 1}), json!({"name": "n"}), &["metadata.Labels", "metadata.zz"])]
#[case::unknown_deep(
    json!({
        "ownerReferences": [{"kind": "K", "name": "n", "uid": "u", "apiVersion": "v1", "zz": 1}],
        "managedFields": [{"manager": "m", "zz": 1, "fieldsV1": {"f:a": {}}}],
    }),
    json!({
        "ownerReferences": [{"kind": "K", "name": "n", "uid": "u", "apiVersion": "v1"}],
        "managedFields": [{"manager": "m", "fieldsV1": {"f:a": {}}}],
    }),
    &["metadata.managedFields[0].zz", "metadata.ownerReferences[0].zz"],
)]
#[case::empty_fields_are_removed(
    json!({
        "name": "", "labels": {}, "annotations": null, "finalizers": [], "generation": 0, "uid": null,
        "creationTimestamp": null, "deletionTimestamp": null,
    }),
    json!({}),
    &[],
)]
#[case::null_label(
    json!({"labels": {"a": null, "b": "c"}, "finalizers": [null]}),
    json!({"labels": {"a": "", "b": "c"}, "finalizers": [""]}),
    &[],
)]
#[case::integral_float(
    json!({"generation": 2.0, "deletionGracePeriodSeconds": 0}),
    json!({"generation": 2, "deletionGracePeriodSeconds": 0}),
    &[],
)]
#[case::null(json!(null), json!({}), &[])]
#[case::times(json!({"creationTimestamp": "2024-01-01T01:00:00.5+01:00"}), json!({"creationTimestamp": "2024-01-01T00:00:00Z"}), &[])]
#[case::zero_time(json!({"creationTimestamp": "0001-01-01T00:00:00Z"}), json!({}), &[])]
#[case::owner_fields_are_written(
    json!({"ownerReferences": [{"controller": false}, null]}),
    json!({
        "ownerReferences": [
            {"apiVersion": "", "kind": "", "name": "", "uid": "", "controller": false},
            {"apiVersion": "", "kind": "", "name": "", "uid": ""},
        ],
    }),
    &[],
)]
fn prune_016_root_metadata(#[case] before: Value, #[case] after: Value, #[case] unknown: &[&str]) {
    let mut object = json!({"apiVersion": "g/v1", "kind": "K", "metadata": before});
    assert_eq!(Semantics::UPSTREAM.coerce_metadata(&mut object).expect("well typed"), unknown);
    assert_eq!(object["metadata"], after);
}

#[rstest]
#[case::text(json!("x"))]
#[case::list(json!([]))]
#[case::label_number(json!({"labels": {"a": 1}}))]
#[case::name_number(json!({"name": 5}))]
#[case::bad_time(json!({"creationTimestamp": "yesterday"}))]
#[case::empty_time(json!({"creationTimestamp": ""}))]
#[case::fraction(json!({"generation": 1.5}))]
#[case::beyond_64_bits(json!({"generation": 1e19}))]
#[case::finalizers(json!({"finalizers": "a"}))]
#[case::owner(json!({"ownerReferences": ["a"]}))]
#[case::owner_flag(json!({"ownerReferences": [{"controller": "yes"}]}))]
fn prune_016_wrong_types(#[case] metadata: Value) {
    let mut object = json!({"apiVersion": "g/v1", "kind": "K", "metadata": metadata});
    let error = Semantics::UPSTREAM.coerce_metadata(&mut object).expect_err("wrongly typed");
    assert!(error.field.starts_with("metadata"), "{error}");
}

#[rstest]
#[case::kind(json!({"kind": 5}))]
#[case::null_kind(json!({"kind": null}))]
#[case::api_version(json!({"apiVersion": {}}))]
#[case::no_object(json!([]))]
fn prune_016_the_object_itself(#[case] mut object: Value) {
    Semantics::UPSTREAM.coerce_metadata(&mut object).expect_err("wrongly typed");
}

fn embedded(more: &Value) -> Value {
    let mut node =
        json!({"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true});
    node.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    node
}

#[rstest]
#[case::direct(
    embedded(&json!({})),
    json!({"metadata": {"name": "n", "foo": 1}}),
    json!({"metadata": {"name": "n"}}),
    &["spec.metadata.foo"],
)]
#[case::in_a_map(
    json!({"type": "object", "additionalProperties": embedded(&json!({}))}),
    json!({"k": {"metadata": {"foo": 1}}}),
    json!({"k": {"metadata": {}}}),
    &["spec[k].metadata.foo"],
)]
#[case::empty_name(
    json!({"type": "object", "properties": {"": embedded(&json!({}))}}),
    json!({"": {"metadata": {"foo": 1}}}),
    json!({"": {"metadata": {}}}),
    &["spec[].metadata.foo"],
)]
#[case::in_a_list(
    json!({"type": "array", "items": embedded(&json!({}))}),
    json!([{"metadata": {"foo": 1}}, 5]),
    json!([{"metadata": {}}, 5]),
    &["spec[0].metadata.foo"],
)]
#[case::null(embedded(&json!({})), json!({"metadata": null}), json!({"metadata": {}}), &[])]
#[case::absent(embedded(&json!({})), json!({"kind": "K"}), json!({"kind": "K"}), &[])]
#[case::rewritten(
    embedded(&json!({})),
    json!({"metadata": {"creationTimestamp": null, "labels": {"a": null}, "finalizers": []}}),
    json!({"metadata": {"labels": {"a": ""}}}),
    &[],
)]
#[case::declared_below(
    embedded(&json!({"properties": {"t": embedded(&json!({}))}})),
    json!({"t": {"metadata": {"x": 1}}, "u": {"metadata": {"x": 1}}}),
    json!({"t": {"metadata": {}}, "u": {"metadata": {"x": 1}}}),
    &["spec.t.metadata.x"],
)]
#[case::verbatim(
    json!({"x-kubernetes-preserve-unknown-fields": true}),
    json!({"metadata": {"x": 1}, "kind": 5}),
    json!({"metadata": {"x": 1}, "kind": 5}),
    &[],
)]
fn prune_017_embedded_metadata(
    #[case] node: Value,
    #[case] before: Value,
    #[case] after: Value,
    #[case] unknown: &[&str],
) {
    let mut object = json!({ "spec": before });
    let schema = schema(&root(&json!({ "spec": node })));
    assert_eq!(Semantics::UPSTREAM.coerce_embedded(&mut object, &schema).expect("well typed"), unknown);
    assert_eq!(object["spec"], after);
}

#[rstest]
#[case::kind(json!({"kind": 5}))]
#[case::null_kind(json!({"kind": null}))]
#[case::null_api_version(json!({"apiVersion": null}))]
#[case::metadata_text(json!({"metadata": "x"}))]
#[case::label(json!({"metadata": {"labels": {"a": 1}}}))]
fn prune_017_wrong_types(#[case] value: Value) {
    let schema = schema(&root(&json!({"spec": embedded(&json!({}))})));
    Semantics::UPSTREAM.coerce_embedded(&mut json!({"spec": value}), &schema).expect_err("wrongly typed");
    // PRUNE-019: reading a stored object never fails, and drops only invalid parts.
    let mut stored = json!({"spec": value});
    stored["spec"]["other"] = json!(1);
    Semantics::UPSTREAM.repair_embedded(&mut stored, &schema);
    assert_eq!(stored["spec"]["other"], json!(1));
    Semantics::UPSTREAM.coerce_embedded(&mut stored, &schema).expect("repaired");
}

#[rstest]
#[case::complete(json!({"apiVersion": "v1", "kind": "Pod", "metadata": {}}), &[])]
#[case::incomplete(json!({}), &["spec.apiVersion Required", "spec.kind Required"])]
#[case::empty(json!({"apiVersion": "", "kind": ""}), &["spec.apiVersion Invalid", "spec.kind Invalid"])]
#[case::slashes(json!({"apiVersion": "a/b/c", "kind": "Pod"}), &["spec.apiVersion Invalid"])]
#[case::odd_but_valid(json!({"apiVersion": "g/", "kind": "P"}), &[])]
#[case::kind_form(json!({"apiVersion": "/", "kind": "1a"}), &["spec.kind Invalid"])]
#[case::any_segment(json!({"apiVersion": "v1", "kind": "P", "metadata": {"name": "A_ b"}}), &[])]
#[case::not_a_segment(json!({"apiVersion": "v1", "kind": "P", "metadata": {"name": ".."}}), &["spec.metadata.name Invalid"])]
#[case::slash_and_per_cent(
    json!({"apiVersion": "v1", "kind": "P", "metadata": {"name": "a/%"}}),
    &["spec.metadata.name Invalid", "spec.metadata.name Invalid"],
)]
#[case::all_other_rules(
    json!({
        "apiVersion": "v1", "kind": "P",
        "metadata": {
            "generateName": "/", "namespace": "A", "labels": {"-": ""}, "annotations": {"a b": ""},
            "finalizers": ["b c"], "generation": -1,
            "ownerReferences": [{"apiVersion": "v1", "kind": "K", "name": "n"}],
        },
    }),
    &[
        "spec.metadata.generateName Invalid", "spec.metadata.namespace Invalid", "spec.metadata.labels Invalid",
        "spec.metadata.annotations Invalid", "spec.metadata.finalizers Invalid", "spec.metadata.generation Invalid",
        "spec.metadata.ownerReferences.uid Invalid",
    ]
)]
fn prune_018_embedded_objects_are_complete(#[case] value: Value, #[case] expected: &[&str]) {
    assert_eq!(
        object_causes(&root(&json!({"spec": embedded(&json!({}))})), &json!({ "spec": value })),
        sorted(expected)
    );
}

#[test]
fn prune_018_map_keys_are_in_brackets() {
    let json = root(&json!({"spec": {"type": "object", "additionalProperties": embedded(&json!({}))}}));
    assert_eq!(object_causes(&json, &json!({"spec": {"k": {"apiVersion": "v1"}}})), ["spec[k].kind Required"]);
}

#[test]
fn prune_019_stored_metadata_is_repaired() {
    let mut stored =
        json!({"apiVersion": "g/v1", "kind": "K", "metadata": {"name": "n", "labels": {"a": 1}, "zz": 1, "uid": 5}});
    let any = schema(&json!({"type": "object"}));
    Semantics::UPSTREAM.read(&mut stored, &any, &any, true);
    assert_eq!(stored["metadata"], json!({"name": "n", "generation": 1}));
    let mut stored = json!({"metadata": "text"});
    Semantics::UPSTREAM.read(&mut stored, &any, &any, true);
    assert_eq!(stored["metadata"], json!({"generation": 1}));
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
