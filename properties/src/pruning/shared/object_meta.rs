//! Values for `metadata`, and their results: the same at the root and in embedded objects.

use crate::prelude::*;

/// A key, and a value for it.
type Field = (&'static str, fn() -> Value);
/// A key, a value for it, and the stored value.
type Rewriting = (&'static str, fn() -> Value, fn() -> Option<Value>);

/// Known fields that are stored as sent; the first ones have no effect.
pub(in super::super) const KEPT: &[Field] = &[
    ("labels", || json!({ "l": "x", "example.com/m": "" })),
    ("annotations", || json!({ "a": "any text\n", "b": "" })),
    ("generateName", || json!("x-")),
    ("finalizers", || json!(["example.com/f", "example.com/g"])),
    ("ownerReferences", || json!([{ "apiVersion": "v1", "kind": "X", "name": "x", "uid": "1", "controller": true }])),
];

/// The number of those without effect.
const HARMLESS: usize = 3;

/// Known fields that disappear silently, or change.
pub(in super::super) const REWRITTEN: &[Rewriting] = &[
    ("labels", || json!({}), || None),
    ("labels", || Value::Null, || None),
    ("labels", || json!({ "l": null }), || Some(json!({ "l": "" }))),
    ("annotations", || json!({}), || None),
    ("annotations", || json!({ "a": null, "b": "x" }), || Some(json!({ "a": "", "b": "x" }))),
    ("finalizers", || json!([]), || None),
    ("ownerReferences", || Value::Null, || None),
    ("generateName", || json!(""), || None),
    ("deletionGracePeriodSeconds", || Value::Null, || None),
    ("selfLink", || json!(""), || None),
];

/// Known fields with a value of the wrong type.
pub(in super::super) const WRONG: &[Field] = &[
    ("labels", || json!({ "a": 1 })),
    ("labels", || json!("x")),
    ("labels", || json!([])),
    ("annotations", || json!({ "a": { "b": "c" } })),
    ("annotations", || json!(true)),
    ("finalizers", || json!("example.com/f")),
    ("finalizers", || json!([1])),
    ("ownerReferences", || json!({})),
    ("ownerReferences", || json!([{ "uid": 5 }])),
    ("generateName", || json!(5)),
    ("generation", || json!("1")),
    ("generation", || json!(1.5)),
    ("creationTimestamp", || json!("yesterday")),
    ("creationTimestamp", || json!(5)),
    ("uid", || json!({})),
    ("managedFields", || json!("x")),
];

/// Keys that are not fields of `ObjectMeta`.
const UNKNOWN: [&str; 7] = ["u", "Labels", "labels ", "clusterName", "spec", "apiVersion", "zz"];

/// At least one unknown key with any value.
pub(in super::super) fn unknown(choices: &mut Choices) -> Map<String, Value> {
    let mut keys = Map::new();
    choices.many_average("unknown key", 1, 3, 1, |choices, _| {
        let key = *choices.pick(&UNKNOWN);
        let value = value::json(choices, 2);
        keys.insert(key.to_owned(), value);
    });
    keys
}

/// Some known fields that are kept.
pub(in super::super) fn kept(choices: &mut Choices) -> Map<String, Value> {
    some_of(choices, KEPT)
}

/// Some known fields that are kept, for an object that is stored: finalizers would block its deletion, and the garbage
/// collector would delete it because its owners do not exist.
pub(in super::super) fn stored(choices: &mut Choices) -> Map<String, Value> {
    some_of(choices, &KEPT[..HARMLESS])
}

fn some_of(choices: &mut Choices, table: &[Field]) -> Map<String, Value> {
    let mut fields = Map::new();
    choices.many("field", 0, table.len(), |choices, _| {
        let (key, value) = choices.pick(table);
        fields.insert((*key).to_owned(), value());
    });
    fields
}
