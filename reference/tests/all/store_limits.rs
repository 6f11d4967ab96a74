//! Objects that are too large for the store of a cluster (REST-007), with the exact limits of kube-apiserver with etcd.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Answer, DEFINITIONS, THING, THINGS, Target, With, thing, things};

/// The largest JSON of a new and of a changed object for which the request to etcd, with a key of this length, is not
/// too large.
const NEW: usize = 1_572_864 - 2 * KEY - 41;
const CHANGED: usize = 1_572_864 - 3 * KEY - 48;
const KEY: usize = "/registry/example.com/things/default/a".len();

/// An object whose stored JSON has this size, not counting managed fields.
fn sized(bytes: usize) -> Value {
    let target = Target::with(&things());
    let created = target.post(THINGS, &thing("a", &json!({"a": "x"})));
    let others = stored_size(&created) - 1;
    thing("a", &json!({"a": "x".repeat(bytes - others)}))
}

/// The size of the stored JSON of the object in a response, not counting managed fields.
fn stored_size(answer: &Answer) -> usize {
    let mut object = answer.body.clone();
    for field in ["resourceVersion", "managedFields"] {
        object["metadata"].as_object_mut().expect("metadata").remove(field);
    }
    object.to_string().len()
}

#[rstest]
#[case::small(1_000, 201, true)]
#[case::too_large_with_managed_fields(NEW, 201, false)]
#[case::too_large(NEW + 1, 500, false)]
fn rest_007_new_objects_are_limited(#[case] bytes: usize, #[case] code: u16, #[case] has_managers: bool) {
    let target = Target::with(&things());
    let object = sized(bytes);
    assert_eq!(target.post(&format!("{THINGS}?dryRun=All"), &object).code, 201, "a dry run stores nothing");
    let answer = target.post(THINGS, &object);
    assert_eq!((answer.code, answer.body.get("reason")), (code, None));
    assert_eq!(answer.body["metadata"].get("managedFields").is_some(), has_managers);
    assert_eq!(target.get(THING).code, if code == 201 { 200 } else { 404 });
}

#[rstest]
#[case::largest(CHANGED, 200)]
#[case::too_large(CHANGED + 1, 500)]
fn rest_007_changed_objects_are_limited(#[case] bytes: usize, #[case] code: u16) {
    let target = Target::with_thing(&json!({"a": "x"}));
    let spec = json!({"spec": sized(bytes)["spec"]});
    assert_eq!(target.merge(&format!("{THING}?dryRun=All"), &spec).code, 200, "a dry run stores nothing");
    let before = target.get(THING).text;
    let answer = target.merge(THING, &spec);
    assert_eq!((answer.code, answer.body.get("reason")), (code, None));
    assert_eq!(target.get(THING).text == before, code == 500);
}

#[test]
fn rest_007_definitions_are_limited() {
    let target = Target::new();
    let definition = things().with("/spec/versions/0/schema/openAPIV3Schema/description", "x".repeat(1_600_000));
    let refused = target.post(DEFINITIONS, &definition);
    assert_eq!((refused.code, refused.body.get("reason")), (500, None));
    assert_eq!(target.get(DEFINITIONS).names(), [""; 0]);
}
