//! `/status` of definitions (CRDVAL-019, CRDVAL-020, CRDVAL-022).

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{MERGE, OTHERS_DEFINITION, STRATEGIC, THINGS_DEFINITION, Target, things};

const STATUS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com/status";

fn target() -> Target {
    Target::with(&things())
}

#[test]
fn crdval_020_the_specification_is_kept() {
    let target = target();
    let before = target.get(THINGS_DEFINITION).body;
    assert_eq!(target.get(STATUS).body, before);
    let answer = target.merge(STATUS, &json!({"spec": {"scope": "Cluster"}, "metadata": {"labels": {"a": "b"}}}));
    assert_eq!((answer.code, &answer.body["spec"]), (200, &before["spec"]));
    assert_eq!(answer.generation(), 1, "CRDVAL-021");
    assert_eq!(answer.body["metadata"]["labels"], json!({"a": "b"}), "CRDVAL-020 [Q]");
    assert_eq!(target.merge(THINGS_DEFINITION, &json!({"status": {"storedVersions": ["v9"]}})).body, answer.body);
}

#[test]
fn crdval_019_stored_versions_are_written_here_and_validated_by_updates() {
    let target = target();
    let label = json!({"metadata": {"labels": {"a": "b"}}});
    let write = |list: Value| target.merge(STATUS, &json!({"status": {"storedVersions": list}}));
    assert_eq!(write(json!(["v0", "v1"])).code, 200);
    assert_eq!(target.merge(THINGS_DEFINITION, &label).refusal(), "422 status.storedVersions[0] Invalid");
    assert_eq!(write(json!([])).body["status"]["storedVersions"], json!(["v1"]));
    assert_eq!(target.merge(THINGS_DEFINITION, &label).code, 200);
}

#[rstest]
fn crdval_019_an_emptied_list_changes_nothing(
    #[values(json!(null), json!([]))] list: Value,
    #[values(MERGE, STRATEGIC)] media_type: &str,
) {
    let target = target();
    let before = target.get(THINGS_DEFINITION).body;
    let patch = json!({"status": {"storedVersions": list}});
    let answer = target.send_as(media_type, "PATCH", STATUS, patch.to_string());
    assert_eq!(answer.body["metadata"]["managedFields"], before["metadata"]["managedFields"]);
    assert_eq!(answer.body["status"], before["status"]);
}

#[rstest]
#[case::plural(json!({"plural": "A_B"}), &["status.acceptedNames.plural"])]
#[case::short(json!({"shortNames": ["a", "!"]}), &["status.acceptedNames.shortNames[1]"])]
#[case::list_kind(json!({"kind": "Same", "listKind": "Same"}), &["status.acceptedNames.listKind"])]
fn crdval_019_accepted_names_must_be_well_formed(#[case] names: Value, #[case] fields: &[&str]) {
    let target = target();
    let answer = target.merge(STATUS, &json!({"status": {"acceptedNames": names}}));
    assert_eq!(answer.code, 422);
    assert_eq!(answer.fields(), fields);
}

#[test]
fn life_002_invented_accepted_names_are_corrected() {
    let target = target();
    let before = target.get(THINGS_DEFINITION).body;
    let names = json!({"status": {"acceptedNames": {"kind": "Banana", "plural": "", "shortNames": ["b"]}}});
    assert_eq!(target.merge(STATUS, &names).code, 200);
    assert_eq!(target.get(THINGS_DEFINITION).body["status"]["acceptedNames"], before["status"]["acceptedNames"]);
}

#[rstest]
#[case::no_revision(json!({"resourceVersion": ""}), 422)]
#[case::stale(json!({"resourceVersion": "1"}), 409)]
#[case::uid(json!({"uid": "other"}), 409)]
#[case::name(json!({"name": "x"}), 400)]
fn crdval_022_a_put_needs_the_current_revision(#[case] metadata: Value, #[case] code: u16) {
    let target = target();
    let mut definition = target.get(THINGS_DEFINITION).body;
    for (key, value) in metadata.as_object().into_iter().flatten() {
        definition["metadata"][key] = value.clone();
    }
    assert_eq!(target.put(STATUS, &definition).code, code);
}

#[test]
fn other_methods_and_subresources_are_refused() {
    let target = target();
    for method in ["POST", "DELETE", "HEAD"] {
        assert_eq!(target.send(method, STATUS, &[], "{}").code, 405, "{method}");
    }
    assert_eq!(target.merge(&format!("{OTHERS_DEFINITION}/status"), &json!({})).code, 404);
    assert_eq!(target.get(&format!("{THINGS_DEFINITION}/scale")).code, 404);
}
