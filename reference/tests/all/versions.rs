//! Several versions of one definition (PRUNE-021, PRUNE-022, DEFAULT-011..014, VER-008..019).

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    Answer, DEFINITIONS, MERGE, NAMESPACES, THING, THING_V2, THINGS, THINGS_DEFINITION, THINGS_V2, Target, With,
    condition, definition, definition_of, schema, thing, version,
};
use crate::webhooks::hook::eventually;

fn text() -> Value {
    json!({"type": "string"})
}

fn defaulted(value: &str) -> Value {
    json!({"type": "string", "default": value})
}

fn two(storage: &str, v1: &Value, v2: &Value) -> Value {
    definition(&[version("v1", storage == "v1", &schema(v1)), version("v2", storage == "v2", &schema(v2))])
}

fn at_v2(name: &str, spec: &Value) -> Value {
    thing(name, spec).with("/apiVersion", "example.com/v2")
}

/// Replaces the versions of the definition.
fn change(target: &Target, definition: &Value) {
    let answer = target.merge(THINGS_DEFINITION, &json!({"spec": {"versions": definition["spec"]["versions"]}}));
    assert_eq!(answer.code, 200, "{answer:?}");
}

#[test]
fn prune_021_fields_unknown_to_the_storage_version_are_lost() {
    let target = Target::with(&two("v1", &json!({"a": text()}), &json!({"a": text(), "b": text()})));
    let spec = json!({"a": "x", "b": "y"});
    let strict = target.post(&format!("{THINGS_V2}?fieldValidation=Strict"), &at_v2("o", &spec));
    assert_eq!((strict.code, &strict.body["spec"], strict.warnings.len()), (201, &json!({"a": "x"}), 0));
    assert_eq!(target.post(&format!("{THINGS_V2}?dryRun=All"), &at_v2("p", &spec)).body["spec"], json!({"a": "x"}));
    change(&target, &two("v1", &json!({"a": text(), "b": text()}), &json!({"a": text(), "b": text()})));
    assert_eq!(target.get(&format!("{THINGS}/o")).body["spec"], json!({"a": "x"}));
}

#[test]
fn prune_022_pruned_fields_return_if_nothing_was_written() {
    let lenient = definition_of(&schema(&json!({"a": text(), "b": text()})));
    let strict = definition_of(&schema(&json!({"a": text()})));
    let target = Target::with(&lenient);
    let path = format!("{THINGS}/o");
    let created = target.post(THINGS, &thing("o", &json!({"a": "x", "b": "y"})));
    change(&target, &strict);
    let read = target.get(&path);
    assert_eq!((&read.body["spec"], read.version()), (&json!({"a": "x"}), created.version()));
    change(&target, &lenient);
    assert_eq!(target.get(&path).body, created.body);
    change(&target, &strict);
    let written = target.put(&path, &target.get(&path).body);
    assert_ne!(written.version(), created.version(), "the stored text differs");
    assert_eq!(written.generation(), 1);
    change(&target, &lenient);
    assert_eq!(target.get(&path).body["spec"], json!({"a": "x"}), "the write removed the field");
}

#[test]
fn default_011_to_014_reads_default_only_by_the_stored_version() {
    let plain = two("v1", &json!({"a": text(), "n": text()}), &json!({"a": text(), "n": text()}));
    let target = Target::with(&plain);
    let created = target.post(THINGS, &thing("o", &json!({"a": "x"})));
    change(&target, &two("v1", &json!({"a": text(), "n": text()}), &json!({"a": text(), "n": defaulted("two")})));
    assert_eq!(target.get(&format!("{THINGS_V2}/o")).body["spec"], json!({"a": "x"}), "DEFAULT-012");
    change(&target, &two("v1", &json!({"a": text(), "n": defaulted("one")}), &json!({"a": text(), "n": text()})));
    for path in [THINGS, THINGS_V2] {
        let read = target.get(&format!("{path}/o"));
        assert_eq!((&read.body["spec"]["n"], read.version()), (&json!("one"), created.version()), "DEFAULT-011");
    }
    change(&target, &plain);
    assert_eq!(target.get(&format!("{THINGS}/o")).body, created.body, "DEFAULT-014: nothing was stored");
}

#[test]
fn ver_015_any_write_moves_an_object_to_the_storage_version() {
    let properties = json!({"a": text()});
    let target = Target::with(&two("v1", &properties, &properties));
    let created = target.post(THINGS, &thing("o", &json!({"a": "x"})));
    change(&target, &two("v2", &properties, &properties));
    assert_eq!(target.get(THINGS_DEFINITION).body["status"]["storedVersions"], json!(["v1", "v2"]), "VER-017");
    assert_eq!(target.get(&format!("{THINGS}/o")).version(), created.version(), "VER-016");
    let moved = target.merge(&format!("{THINGS}/o"), &json!({}));
    assert_ne!(moved.version(), created.version());
    assert_eq!((moved.generation(), &moved.body["apiVersion"]), (1, &json!("example.com/v1")));
    assert_eq!(target.merge(&format!("{THINGS}/o"), &json!({})).version(), moved.version());
}

#[test]
fn ver_008_to_010_only_served_versions_are_available() {
    let properties = json!({"a": text()});
    let target = Target::with(&two("v1", &properties, &properties));
    target.post(THINGS, &thing("o", &json!({"a": "x"})));
    let read = target.get(&format!("{THINGS_V2}/o"));
    assert_eq!((read.code, &read.body["apiVersion"]), (200, &json!("example.com/v2")));
    assert_eq!(target.post(THINGS, &at_v2("p", &json!({}))).code, 400);
    change(&target, &two("v1", &properties, &properties).with("/spec/versions/1/served", false));
    assert_eq!(target.get(&format!("{THINGS_V2}/o")).code, 404);
    change(&target, &two("v1", &properties, &properties));
    assert_eq!(target.get(&format!("{THINGS_V2}/o")).body, read.body);
}

#[test]
fn ver_011_and_012_deprecated_versions_warn() {
    let properties = json!({"a": text()});
    let version = |name: &str| version(name, name == "v1", &schema(&properties));
    let beta = version("v1beta1").with("/deprecated", true);
    let alpha = version("v1alpha1").with("/deprecated", true).with("/deprecationWarning", "gone \"soon\"");
    let target = Target::with(&definition(&[version("v1"), beta, alpha]));
    let warnings = |version: &str| target.get(&THING.replace("v1", version)).warnings;
    assert_eq!(warnings("v1"), Vec::<String>::new());
    assert_eq!(warnings("v1beta1"), ["299 - \"example.com/v1beta1 Thing is deprecated; use example.com/v1 Thing\""]);
    assert_eq!(warnings("v1alpha1"), ["299 - \"gone \\\"soon\\\"\""]);
    assert_eq!(target.get(DEFINITIONS).warnings, Vec::<String>::new());
}

/// A server with the object `a`, which is stored at `v1`, that version being gone, and with `b`, stored at `v2`.
fn with_stray() -> Target {
    let properties = json!({"a": text()});
    let target = Target::with(&two("v1", &properties, &properties));
    target.create(THINGS, &thing("a", &json!({"a": "x"})));
    change(&target, &two("v2", &properties, &properties));
    let stored = json!({"status": {"storedVersions": ["v2"]}});
    assert_eq!(target.merge(&format!("{THINGS_DEFINITION}/status"), &stored).code, 200);
    change(&target, &definition(&[version("v2", true, &schema(&properties))]));
    target.create(THINGS_V2, &at_v2("b", &json!({"a": "y"})));
    target
}

/// Why `a` cannot be read.
const STRAY: &str = "request to convert CR from an invalid group/version: example.com/v1";

fn is_500(answer: &Answer) -> bool {
    (answer.code, answer.reason(), answer.message()) == (500, "", STRAY)
}

// As kube-apiserver 1.36.3 answers.
#[rstest]
#[case::get("GET", THING_V2, "")]
#[case::get_of_the_cache("GET", "/apis/example.com/v2/namespaces/default/things/a?resourceVersion=0", "")]
#[case::patch("PATCH", THING_V2, "{}")]
#[case::delete("DELETE", THING_V2, "")]
#[case::delete_all("DELETE", THINGS_V2, "")]
#[case::page("GET", "/apis/example.com/v2/things?limit=1", "")]
fn ver_018_an_object_in_a_removed_version_cannot_be_read(
    #[case] method: &str,
    #[case] path: &str,
    #[case] body: &'static str,
) {
    let target = with_stray();
    let answer = target.send_as(MERGE, method, path, body);
    assert!(is_500(&answer), "{answer:?}");
    assert_eq!(target.get(&format!("{THINGS_V2}/b")).code, 200, "other objects can be read");
}

// As kube-apiserver 1.36.3 answers.
#[rstest]
#[case::list("/apis/example.com/v2/namespaces/default/things")]
#[case::list_at_any_revision("/apis/example.com/v2/namespaces/default/things?resourceVersion=0")]
#[case::list_of_another_namespace("/apis/example.com/v2/namespaces/other/things")]
#[case::selected_page("/apis/example.com/v2/things?limit=1&labelSelector=a")]
#[case::watch("/apis/example.com/v2/namespaces/default/things?watch=1")]
fn ver_018_an_object_in_a_removed_version_blocks_lists_and_watches(#[case] path: &str) {
    let target = with_stray();
    target.post(NAMESPACES, &json!({"metadata": {"name": "other"}}));
    let answer = target.get(path);
    let message = "storage is (re)initializing: failed to list example.com/v2, Kind=Thing: \
                   request to convert CR from an invalid group/version: example.com/v1";
    assert_eq!((answer.code, answer.reason(), answer.message()), (429, "TooManyRequests", message));
    assert_eq!(answer.header("retry-after"), "1");
}

#[test]
fn ver_018_the_version_comes_back() {
    let target = with_stray();
    let properties = json!({"a": text()});
    assert_eq!(target.get(THINGS_V2).code, 429);
    change(&target, &two("v2", &properties, &properties));
    assert_eq!(target.get(THINGS_V2).names(), ["a", "b"]);
    assert_eq!(target.merge(THING_V2, &json!({})).code, 200);
    change(&target, &definition(&[version("v2", true, &schema(&properties))]));
    assert_eq!(target.get(THINGS_V2).code, 200, "no object is stored at the removed version any more");
}

#[test]
fn ver_018_a_definition_with_an_object_in_a_removed_version_is_not_removed() {
    let target = with_stray();
    assert_eq!(target.delete(THINGS_DEFINITION).code, 200);
    let terminating = || condition(&target.get(THINGS_DEFINITION).body, "Terminating");
    assert!(eventually(|| terminating() == "True InstanceDeletionFailed"), "{}", terminating());
    let properties = json!({"a": text()});
    change(&target, &two("v2", &properties, &properties));
    assert!(eventually(|| target.get(THINGS_DEFINITION).code == 404));
}
