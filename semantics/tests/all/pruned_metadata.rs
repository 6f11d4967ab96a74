//! Chapter 3: metadata and embedded objects (PRUNE-016 to PRUNE-019).

use crdible_semantics::Semantics;
use rstest::rstest;
use serde_json::{Value, json};

use crate::common::{object_causes, root, schema, sorted};

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
