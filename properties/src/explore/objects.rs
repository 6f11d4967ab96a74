//! Objects, and changes to them.

use crate::prelude::*;

/// An object without type and name; in some cases, with an invalid field.
pub(super) fn fields(choices: &mut Choices) -> Value {
    let mut object = json!({ "spec": spec(choices) });
    if choices.chance(1, 2) {
        object["metadata"] = metadata(choices);
    }
    if choices.chance(1, 4) {
        object["status"] = status(choices);
    }
    if choices.chance(1, 12) {
        object["unknown"] = json!({ "a": 1 });
    }
    object
}

/// Labels, annotations, finalizers, owners, and fields that a client cannot set.
fn metadata(choices: &mut Choices) -> Value {
    let mut metadata = json!({});
    if choices.chance(2, 3) {
        metadata["labels"] = labels(choices);
    }
    if choices.chance(1, 6) {
        metadata["annotations"] = json!({ "a": *choices.pick(&["1", ""]), "b/c": "x" });
    }
    if choices.chance(1, 8) {
        metadata["finalizers"] = choices
            .pick(&[json!(["crdible.dev/a"]), json!(["crdible.dev/a", "crdible.dev/b"]), json!(["bogus"]), json!([])])
            .clone();
    }
    if choices.chance(1, 12) {
        metadata["ownerReferences"] = choices
            .pick(&[
                json!([{ "apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": "u" }]),
                json!([{ "apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": "u", "controller": true, "blockOwnerDeletion": true }]),
                json!([{ "apiVersion": "v1", "kind": "ConfigMap", "name": "", "uid": "" }]),
            ])
            .clone();
    }
    if choices.chance(1, 12) {
        let (field, value) = choices
            .pick(&[
                ("uid", json!("mine")),
                ("generation", json!(7)),
                ("creationTimestamp", json!("2020-01-01T00:00:00Z")),
                ("deletionTimestamp", json!("2020-01-01T00:00:00Z")),
                ("deletionGracePeriodSeconds", json!(5)),
                ("selfLink", json!("/a")),
                ("namespace", json!("elsewhere")),
                ("unknown", json!(1)),
            ])
            .clone();
        metadata[field] = value;
    }
    metadata
}

fn labels(choices: &mut Choices) -> Value {
    let mut labels = Map::new();
    for (key, values) in [("tier", ["a", "b", ""]), ("app", ["x", "y", "x"])] {
        if choices.chance(2, 3) {
            labels.insert(key.to_owned(), json!(*choices.pick(&values)));
        }
    }
    if choices.chance(1, 20) {
        labels.insert("-bad".to_owned(), json!("no"));
    }
    Value::Object(labels)
}

/// The fields of a valid object.
pub(super) fn valid_fields(choices: &mut Choices) -> Value {
    let mut labels = Map::new();
    for (key, values) in [("tier", ["a", "b"]), ("app", ["x", "y"])] {
        if choices.chance(1, 2) {
            labels.insert(key.to_owned(), json!(*choices.pick(&values)));
        }
    }
    json!({ "metadata": { "labels": labels }, "spec": valid_spec(choices) })
}

/// A `spec`; in some cases, with an invalid field.
pub(super) fn spec(choices: &mut Choices) -> Value {
    let mut spec = valid_spec(choices);
    if choices.chance(1, 10) {
        let (key, value) = choices
            .pick(&[
                ("text", json!("much too long for it")),
                ("text", json!(5)),
                ("number", json!(5000)),
                ("number", json!("1")),
                ("words", json!(["a", "a"])),
                ("entries", json!([{ "value": 1 }])),
                ("flag", Value::Null),
                ("unknown", json!("u")),
            ])
            .clone();
        spec[key] = value;
    }
    spec
}

/// A `spec` with few different values, so that two are often equal.
fn valid_spec(choices: &mut Choices) -> Value {
    let mut spec = Map::new();
    let few: &[(&str, &[Value])] = &[
        ("text", &[json!("a"), json!("b"), json!(""), json!("Ünï")]),
        ("number", &[json!(1), json!(2), json!(0), json!(-3), json!(3.0)]),
        ("float", &[json!(1.5), json!(1), json!(1e21), json!(-0.25)]),
        ("flag", &[json!(true), json!(false)]),
        ("moment", &[json!("2020-01-01T00:00:00Z"), json!("never"), json!("")]),
        ("nothing", &[Value::Null, json!("n")]),
        ("selector", &[json!("a=b"), json!("bogus in"), json!("")]),
        ("replicas", &[json!(1), json!(0), json!(3), json!(-1)]),
        ("words", &[json!(["a", "b"]), json!([]), json!(["a"])]),
        ("entries", &[json!([{ "name": "a", "value": 1 }, { "name": "b" }]), json!([])]),
        ("map", &[json!({ "k": "v", "a.b/c": "w" }), json!({})]),
        ("free", &[json!({ "x": [1, { "y": null }], "z": "<&>" }), json!({})]),
    ];
    for (key, values) in few {
        if choices.chance(1, 3) {
            spec.insert((*key).to_owned(), choices.pick(values).clone());
        }
    }
    Value::Object(spec)
}

/// A status.
pub(super) fn status(choices: &mut Choices) -> Value {
    choices
        .pick(&[
            json!({ "phase": "New" }),
            json!({ "phase": "Done", "replicas": 2, "selector": "a=b", "observed": 4 }),
            json!({ "replicas": 0 }),
            json!({}),
            json!({ "phase": "Bogus" }),
            json!({ "unknown": 1, "observed": 1 }),
            json!("text"),
            Value::Null,
        ])
        .clone()
}

/// A merge patch of an object.
pub(super) fn merge_patch(choices: &mut Choices) -> Value {
    match choices.draw(8) {
        0 => json!({ "spec": spec(choices) }),
        1 => json!({ "metadata": metadata(choices) }),
        2 => json!({ "status": status(choices) }),
        3 => json!({ "spec": null }),
        4 => json!({ "metadata": { "labels": null, "annotations": { "a": null } } }),
        5 => json!({ "metadata": { "finalizers": null } }),
        6 => json!({}),
        7 => choices
            .pick(&[
                json!({ "kind": "Other" }),
                json!({ "apiVersion": "other/v1" }),
                json!({ "metadata": { "name": "other" } }),
                json!({ "metadata": null }),
                json!({ "metadata": { "resourceVersion": "1" } }),
                json!([]),
                json!("text"),
                Value::Null,
            ])
            .clone(),
        _ => json!({ "spec": { "filled": null, "map": { "k": null, "n": "new" } } }),
    }
}

/// A JSON patch of an object; in some cases, an invalid one.
pub(super) fn json_patch(choices: &mut Choices) -> Content {
    let operations = [
        json!({ "op": "add", "path": "/spec/text", "value": "p" }),
        json!({ "op": "replace", "path": "/spec/number", "value": 9 }),
        json!({ "op": "remove", "path": "/spec/filled" }),
        json!({ "op": "test", "path": "/spec/text", "value": "a" }),
        json!({ "op": "test", "path": "/metadata/generation", "value": 1 }),
        json!({ "op": "copy", "from": "/spec/text", "path": "/spec/moment" }),
        json!({ "op": "move", "from": "/spec/words", "path": "/spec/free" }),
        json!({ "op": "add", "path": "/spec/words/-", "value": "z" }),
        json!({ "op": "add", "path": "/metadata/labels", "value": { "tier": "p" } }),
        json!({ "op": "add", "path": "/metadata/annotations/a~1b", "value": "1" }),
        json!({ "op": "remove", "path": "/metadata/finalizers" }),
        json!({ "op": "replace", "path": "/status", "value": { "phase": "Done" } }),
        json!({ "op": "bogus", "path": "/spec" }),
        json!({ "op": "add", "path": "spec", "value": 1 }),
        json!({ "op": "remove", "path": "" }),
    ];
    if choices.chance(1, 16) {
        return json!({ "spec": {} }).into();
    }
    let mut patch = Vec::new();
    choices.many("operation", 1, 3, |choices, _| patch.push(choices.pick(&operations).clone()));
    Value::Array(patch).into()
}

/// Changes to an earlier answer before it is sent back.
pub(super) fn edits(choices: &mut Choices) -> Vec<Edit> {
    let mut edits = Vec::new();
    choices.many("edit", 0, 3, |choices, _| {
        let set = |pointer: &str, value: Value| Edit::Set(pointer.to_owned(), value);
        edits.push(match choices.draw(9) {
            0 => set("/spec", spec(choices)),
            1 => set("/status", status(choices)),
            2 => set("/metadata/labels", labels(choices)),
            3 => set(
                "/metadata/finalizers",
                choices.pick(&[json!(["crdible.dev/a"]), json!([]), json!(["crdible.dev/c"])]).clone(),
            ),
            4 => Edit::Remove("/metadata/resourceVersion".into()),
            5 => Edit::Remove(
                (*choices.pick(&[
                    "/metadata/uid",
                    "/spec",
                    "/status",
                    "/metadata/labels",
                    "/metadata/creationTimestamp",
                    "/metadata/generation",
                ]))
                .to_owned(),
            ),
            6 => set("/metadata/resourceVersion", json!(*choices.pick(&["1", "0", ""]))),
            7 => set("/metadata/uid", json!("00000000-0000-0000-0000-000000000000")),
            8 => {
                let (pointer, value) = choices
                    .pick(&[
                        ("/metadata/generation", json!(9)),
                        ("/metadata/creationTimestamp", json!("2020-01-01T00:00:00Z")),
                        ("/metadata/deletionTimestamp", json!("2020-01-01T00:00:00Z")),
                        ("/metadata/name", json!("other")),
                        ("/metadata/namespace", json!("other")),
                        ("/kind", json!("Other")),
                        ("/apiVersion", json!("other.example.com/v1")),
                        ("/metadata/generateName", json!("gen-")),
                    ])
                    .clone();
                set(pointer, value)
            }
            _ => set("/unknown", json!(1)),
        });
    });
    edits
}
