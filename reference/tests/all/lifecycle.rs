//! Names, conditions and deletion of definitions (chapter 15).

use std::sync::Arc;

use crdible_reference::{MemoryStore, Options};
use serde_json::{Value, json};

use crate::support::{
    Answer, DEFINITIONS, OTHERS_DEFINITION, THING, THINGS, THINGS_DEFINITION, Target, With, condition, renamed, thing,
    things,
};

const OTHERS: &str = "/apis/example.com/v1/namespaces/default/others";

fn others(kind: &str) -> Value {
    renamed(things(), "others", kind)
}

#[test]
fn life_002_a_definition_is_established_immediately() {
    let target = Target::with(&things());
    let definition = target.get(THINGS_DEFINITION).body;
    assert_eq!(condition(&definition, "NamesAccepted"), "True NoConflicts");
    assert_eq!(condition(&definition, "Established"), "True InitialNamesAccepted");
    assert_eq!(definition["status"]["acceptedNames"], definition["spec"]["names"]);
    assert_eq!(target.get(THINGS).code, 200);
}

#[test]
fn life_006_to_011_name_conflicts() {
    let target = Target::with(&things());
    target.install(&others("Other").with("/spec/names/shortNames", json!(["things"])));
    let refused = target.get(OTHERS_DEFINITION).body;
    assert_eq!(condition(&refused, "NamesAccepted"), "False ShortNamesConflict");
    assert_eq!(condition(&refused, "Established"), "False NotAccepted");
    assert_eq!(target.get(OTHERS).code, 404);
    target.delete(THINGS_DEFINITION);
    assert_eq!(condition(&target.get(OTHERS_DEFINITION).body, "Established"), "True InitialNamesAccepted", "LIFE-011");
    assert_eq!(target.get(OTHERS).code, 200);
    // An established definition stays established, whatever names are requested later (LIFE-004, LIFE-010).
    target.install(&renamed(things(), "thingies", "Thing").with("/spec/names/singular", "thing"));
    assert_eq!(target.merge(OTHERS_DEFINITION, &json!({"spec": {"names": {"singular": "thing"}}})).code, 200);
    let after = target.get(OTHERS_DEFINITION).body;
    assert_eq!(condition(&after, "NamesAccepted"), "False SingularConflict");
    assert_eq!(condition(&after, "Established"), "True InitialNamesAccepted");
    assert_eq!(after["status"]["acceptedNames"]["singular"], "other");
    target.merge(OTHERS_DEFINITION, &json!({"spec": {"names": {"singular": "other"}}}));
    assert_eq!(condition(&target.get(OTHERS_DEFINITION).body, "NamesAccepted"), "True NoConflicts");
}

#[test]
fn crdval_010_before_established_scope_and_kind_can_change() {
    let target = Target::with(&things());
    target.install(&others("Thing"));
    let change = json!({"spec": {"scope": "Cluster", "names": {"kind": "Other", "listKind": null, "singular": null}}});
    let changed = target.merge(OTHERS_DEFINITION, &change);
    assert_eq!(changed.code, 200, "{changed:?}");
    assert_eq!(condition(&target.get(OTHERS_DEFINITION).body, "Established"), "True InitialNamesAccepted");
    assert_eq!(target.get("/apis/example.com/v1/others").code, 200);
}

#[test]
fn life_005_times_change_only_with_the_status() {
    let target = Target::with(&things());
    let before = target.get(THINGS_DEFINITION).body["status"]["conditions"].clone();
    target.merge(THINGS_DEFINITION, &json!({"spec": {"names": {"shortNames": ["th"]}}}));
    assert_eq!(target.get(THINGS_DEFINITION).body["status"]["conditions"], before);
}

#[test]
fn life_015_and_019_deletion_deletes_the_objects() {
    let target = Target::with_thing(&json!({}));
    let dry = target.delete(&format!("{THINGS_DEFINITION}?dryRun=All"));
    assert_eq!(condition(&dry.body, "Terminating"), "True InstanceDeletionPending", "LIFE-022");
    let deleted = target.delete(THINGS_DEFINITION);
    assert_eq!((deleted.code, deleted.generation()), (200, 1));
    assert_eq!(deleted.body["metadata"]["finalizers"], json!(["customresourcecleanup.apiextensions.k8s.io"]));
    assert_eq!(condition(&deleted.body, "Terminating"), "True InstanceDeletionPending");
    assert_eq!((target.get(THINGS_DEFINITION).code, target.get(THINGS).code), (404, 404));
    target.install(&things());
    assert_eq!(target.get(THINGS).body["items"], json!([]), "LIFE-019");
    assert_ne!(target.get(THINGS_DEFINITION).body["metadata"]["uid"], deleted.body["metadata"]["uid"]);
}

#[test]
fn life_016_and_017_finalizers_of_objects_keep_the_definition() {
    let target = Target::with(&things());
    let held = thing("held", &json!({})).with("/metadata/finalizers", json!(["a.io/b"]));
    target.post(THINGS, &held);
    target.post(THINGS, &thing("free", &json!({})));
    target.delete(THINGS_DEFINITION);
    let terminating = target.get(THINGS_DEFINITION);
    assert_eq!(condition(&terminating.body, "Terminating"), "True InstanceDeletionInProgress");
    assert_eq!(target.get(THINGS).names(), ["held"]);
    let refused = target.post(&format!("{THINGS}?dryRun=All"), &thing("new", &json!({})));
    assert_eq!((refused.code, refused.reason()), (403, "Forbidden"), "REST-071");
    let nowhere = THINGS.replace("default", "nowhere");
    assert_eq!(target.post(&nowhere, &thing("b", &json!({}))).code, 403, "even if the namespace does not exist");
    let again = target.post(DEFINITIONS, &things());
    assert_eq!((again.code, again.reason()), (409, "AlreadyExists"), "LIFE-020");
    let verbs = target.get("/apis/example.com/v1").body["resources"][0]["verbs"].clone();
    assert_eq!(verbs, json!(["delete", "deletecollection", "get", "list", "watch"]), "DISC-005");
    assert_eq!(target.merge(&format!("{THINGS}/held"), &json!({"metadata": {"finalizers": null}})).code, 200);
    assert_eq!((target.get(THINGS_DEFINITION).code, target.get(THINGS).code), (404, 404));
}

#[test]
fn life_015_a_second_deletion_works_as_for_any_object() {
    let target = Target::with(&things().with("/metadata/finalizers", json!(["a.io/b"])));
    let grace = |answer: &Answer| answer.body["metadata"]["deletionGracePeriodSeconds"].clone();
    let first = target.delete(THINGS_DEFINITION);
    assert_eq!((first.code, grace(&first)), (200, json!(null)));
    let dry = target.delete(&format!("{THINGS_DEFINITION}?dryRun=All&propagationPolicy=Foreground"));
    assert_eq!((dry.code, grace(&dry)), (200, json!(0)));
    assert_eq!(dry.body["metadata"]["finalizers"], json!(["a.io/b", "foregroundDeletion"]));
    assert_eq!(grace(&target.get(THINGS_DEFINITION)), json!(null), "it was a dry run");
    let second = target.delete(&format!("{THINGS_DEFINITION}?propagationPolicy=Orphan"));
    assert_eq!((second.code, second.generation(), grace(&second)), (200, 1, json!(0)));
    assert_eq!(second.body["metadata"]["deletionTimestamp"], first.body["metadata"]["deletionTimestamp"]);
    assert_eq!(second.body["metadata"]["finalizers"], json!(["a.io/b", "orphan"]));
    assert_eq!(target.delete(THINGS_DEFINITION).body, second.body, "a third deletion changes nothing");
    target.merge(THINGS_DEFINITION, &json!({"metadata": {"finalizers": null}}));
    assert_eq!(target.get(THINGS_DEFINITION).code, 404);
}

#[test]
fn life_025_deleting_all_definitions_deletes_their_objects() {
    let target = Target::with_thing(&json!({}));
    assert_eq!(target.delete(DEFINITIONS).names(), ["things.example.com"]);
    assert_eq!(target.get(DEFINITIONS).body["items"], json!([]));
    target.install(&things());
    assert_eq!(target.get(THINGS).body["items"], json!([]));
}

#[test]
fn rest_047_single_and_collection_deletions_name_definitions_differently() {
    let target = Target::with(&things());
    let options = json!({"preconditions": {"uid": "x"}});
    for (path, kind) in [(THINGS_DEFINITION, "customresourcedefinitions"), (DEFINITIONS, "CustomResourceDefinition")] {
        let answer = target.delete_with(path, &options);
        assert_eq!((answer.code, &answer.body["details"]["kind"]), (409, &json!(kind)));
    }
}

#[test]
fn life_026_other_finalizers_keep_an_empty_definition() {
    let target = Target::with(&things().with("/metadata/finalizers", json!(["a.io/b"])));
    target.post(THINGS, &thing("a", &json!({})));
    target.delete(THINGS_DEFINITION);
    let emptied = target.get(THINGS_DEFINITION).body;
    assert_eq!(condition(&emptied, "Terminating"), "False InstanceDeletionCompleted");
    assert_eq!(emptied["metadata"]["finalizers"], json!(["a.io/b"]));
    assert_eq!(target.get(THINGS).body["items"], json!([]));
    assert_eq!(target.post(THINGS, &thing("a", &json!({}))).code, 403);
    target.merge(THINGS_DEFINITION, &json!({"metadata": {"finalizers": null}}));
    assert_eq!(target.get(THINGS_DEFINITION).code, 404);
}

#[test]
fn a_server_loads_what_its_store_contains() {
    let options = Options { store: Some(Arc::new(MemoryStore::new(100))), ..Options::default() };
    let before = Target::with_options(options.clone());
    before.install(&things());
    let created = before.post(THINGS, &thing("a", &json!({"a": "x"})));
    let after = Target::with_options(options);
    assert_eq!(after.get(THING).body, created.body);
    assert_eq!(after.get(THINGS_DEFINITION).body, before.get(THINGS_DEFINITION).body);
}

#[test]
fn life_024_a_changed_definition_rewrites_no_objects() {
    let target = Target::with(&things());
    let created = target.post(THINGS, &thing("a", &json!({"a": "x"})));
    target.merge(THINGS_DEFINITION, &json!({"metadata": {"labels": {"a": "b"}}}));
    assert_eq!(target.get(THING).body, created.body);
}

#[test]
fn life_009_a_new_definition_with_an_invalid_ca_bundle_is_not_established() {
    let webhook = |bundle: &str| {
        json!({"spec": {"conversion": {"strategy": "Webhook", "webhook": {
            "clientConfig": {"url": "https://a.example/", "caBundle": bundle}, "conversionReviewVersions": ["v1"],
        }}}})
    };
    let broken = "YnJva2Vu";
    let definition = things().with("/spec/conversion", webhook(broken)["spec"]["conversion"].clone());
    let target = Target::with(&definition);
    let present = target.get(THINGS_DEFINITION).body;
    assert_eq!(condition(&present, "NamesAccepted"), "True NoConflicts");
    assert_eq!(condition(&present, "Established"), "False InvalidCABundle");
    assert_eq!(target.get(THINGS).code, 500);
    assert_eq!(target.get("/apis/example.com/v1").code, 404, "DISC-001");
    assert_eq!(target.merge(THINGS_DEFINITION, &webhook("YW5vdGhlcg==")).code, 200, "CRDVAL-048");
    let fixed = target.merge(THINGS_DEFINITION, &webhook(""));
    assert_eq!(fixed.code, 200, "{fixed:?}");
    assert_eq!(condition(&target.get(THINGS_DEFINITION).body, "Established"), "True InitialNamesAccepted");
    assert_eq!(target.get(THINGS).code, 200);
    assert_eq!(target.merge(THINGS_DEFINITION, &webhook(broken)).code, 422, "CRDVAL-048");
}

#[test]
fn life_013_approvals_in_protected_groups_set_a_condition() {
    let approval = json!({"api-approved.kubernetes.io": "https://example.com/1"});
    let definition = renamed(things().with("/spec/group", "example.k8s.io"), "things", "Thing");
    let target = Target::with(&definition.with("/metadata/annotations", approval));
    let path = format!("{DEFINITIONS}/things.example.k8s.io");
    let conformant = || condition(&target.get(&path).body, "KubernetesAPIApprovalPolicyConformant");
    assert_eq!(conformant(), "True ApprovedAnnotation");
    let patch = json!({"metadata": {"annotations": {"api-approved.kubernetes.io": "unapproved, a test"}}});
    assert_eq!(target.merge(&path, &patch).code, 200);
    assert_eq!(conformant(), "False UnapprovedAnnotation");
    assert_eq!(condition(&target.get(&path).body, "Established"), "True InitialNamesAccepted");

    let status = format!("{path}/status");
    let gone = json!({"metadata": {"annotations": null}});
    assert_eq!(target.merge(&status, &gone).code, 422, "CRDVAL-055");
}
