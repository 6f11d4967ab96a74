//! Chapter 1: whole definitions. Each case violates one rule, and each rule is a step that can be overridden.

use crdible_semantics::{Semantics, definition::Spec, pointer, with};
use rstest::rstest;
use serde_json::{Value, json};

use crate::common::{causes, sorted};

fn version(name: &str, storage: bool) -> Value {
    json!({"name": name, "served": true, "storage": storage,
        "schema": {"openAPIV3Schema": {"type": "object", "properties": {"a": {"type": "string"}}}}})
}

fn definition() -> Value {
    json!({
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced", "conversion": {"strategy": "None"},
            "names": {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
            "versions": [version("v1", true), version("v1beta1", false)],
        },
        "status": {"storedVersions": ["v1"], "conditions": [{"type": "Established", "status": "True"}]},
    })
}

/// The definition with one part replaced.
fn with(pointer: &str, value: Value) -> Value {
    let mut changed = definition();
    assert!(pointer::set(&mut changed, pointer, value), "{pointer}");
    changed
}

#[rstest]
#[case::crdval_001("/metadata/name", json!("x.example.com"), &["metadata.name Invalid"])]
#[case::crdval_002("/spec/group", json!("example"), &["metadata.name Invalid", "spec.group Invalid"])]
#[case::crdval_003("/spec/scope", json!("namespaced"), &["spec.scope NotSupported"])]
#[case::crdval_004("/spec/names/kind", json!(""), &["spec.names.kind Required"])]
#[case::crdval_005("/spec/names/categories", json!(["all", "A"]), &["spec.names.categories[1] Invalid"])]
#[case::crdval_006("/spec/names/listKind", json!("Thing"), &["spec.names.listKind Invalid"])]
#[case::crdval_012("/spec/versions/1", version("v1.0", false), &["spec.versions[1].name Invalid"])]
#[case::crdval_013("/spec/versions/1", version("v1", false), &["spec.versions Invalid"])]
#[case::crdval_014("/spec/versions/1", version("v2", true), &["spec.versions Invalid", "status.storedVersions Invalid"])]
#[case::crdval_017("/status/storedVersions", json!(["v1", "v0"]), &["status.storedVersions[1] Invalid"])]
#[case::crdval_028("/spec/preserveUnknownFields", json!(true), &["spec.preserveUnknownFields Invalid"])]
#[case::crdval_044("/spec/conversion", json!({"strategy": "Other"}), &["spec.conversion.strategy NotSupported"])]
fn violations_of_creates(#[case] pointer: &str, #[case] value: Value, #[case] expected: &[&str]) {
    assert_eq!(causes(&Semantics::UPSTREAM.definition_violations(&with(pointer, value))), sorted(expected));
}

#[rstest]
#[case::crdval_009("/spec/group", json!("other.example.com"), &["spec.group Invalid"])]
#[case::crdval_010("/spec/scope", json!("Cluster"), &["spec.scope Invalid"])]
#[case::crdval_010_kind("/spec/names/kind", json!("Other"), &["spec.names.kind Invalid"])]
#[case::crdval_011("/spec/names/singular", json!("other"), &[])]
fn violations_of_updates(#[case] pointer: &str, #[case] value: Value, #[case] expected: &[&str]) {
    assert_eq!(
        causes(&Semantics::UPSTREAM.definition_update_violations(&with(pointer, value), &definition())),
        sorted(expected)
    );
}

#[rstest]
#[case::missing("a.k8s.io", None, &["metadata.annotations[api-approved.kubernetes.io] Required"])]
#[case::broken("kubernetes.io", Some("maybe"), &["metadata.annotations[api-approved.kubernetes.io] Invalid"])]
#[case::approved("a.k8s.io", Some("https://x.y/z"), &[])]
#[case::bypassed("a.k8s.io", Some("unapproved, for a test"), &[])]
#[case::other_group("example-k8s.io", None, &[])]
fn crdval_055(#[case] group: &str, #[case] annotation: Option<&str>, #[case] expected: &[&str]) {
    let mut definition = with("/spec/group", json!(group));
    definition["metadata"]["name"] = format!("things.{group}").into();
    if let Some(annotation) = annotation {
        definition["metadata"]["annotations"] = json!({"api-approved.kubernetes.io": annotation});
    }
    assert_eq!(causes(&Semantics::UPSTREAM.definition_violations(&definition)), expected);
    assert!(
        Semantics::UPSTREAM.definition_update_violations(&definition, &definition).is_empty(),
        "the approval did not change"
    );
}

#[test]
fn ver_012_deprecation_warning() {
    let mut json = definition();
    json["spec"]["versions"][1]["deprecated"] = true.into();
    let spec = Spec::of(&json);
    let text = Semantics::UPSTREAM.deprecation_warning(&spec, &spec.versions[1]);
    assert_eq!(text.as_deref(), Some("example.com/v1beta1 Thing is deprecated; use example.com/v1 Thing"));
    assert_eq!(Semantics::UPSTREAM.deprecation_warning(&spec, &spec.versions[0]), None);
}

const FORGETS_STORED_VERSIONS: Semantics = with::check_stored_versions(|_, _, _, _| {});
const ALLOWS_ANY_STORAGE: Semantics = with::check_one_storage_version(|_, _, _| {});
const SCOPE_CHANGES: Semantics = with::check_unchanged(|_, _, _, _, _| {});

/// Another function changes the result of those that call it.
#[test]
fn overridden_steps_take_effect() {
    let assert_differs = |faulty: &Semantics, new: &Value| {
        assert_ne!(
            causes(&faulty.definition_update_violations(new, &definition())),
            causes(&Semantics::UPSTREAM.definition_update_violations(new, &definition()))
        );
    };
    assert_differs(&FORGETS_STORED_VERSIONS, &with("/status/storedVersions", json!(["v1", "v0"])));
    assert_differs(&ALLOWS_ANY_STORAGE, &with("/spec/versions/1", version("v2", true)));
    assert_differs(&SCOPE_CHANGES, &with("/spec/scope", json!("Cluster")));
}
