//! Definitions: decoding, validation, updates (chapter 1).

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    Answer, DEFINITIONS, THINGS_DEFINITION, Target, With, condition, definition, definition_of, renamed, schema,
    things, unknown, version,
};

/// The response to a dry-run create of `things()` with one part replaced.
fn create_with(pointer: &str, value: Value) -> Answer {
    Target::new().post(&format!("{DEFINITIONS}?dryRun=All"), &things().with(pointer, value))
}

#[rstest]
#[case::crdval_001("/metadata/name", json!("x"), &["metadata.name Invalid"])]
#[case::crdval_001_upper("/metadata/name", json!("X"), &["metadata.name Invalid", "metadata.name Invalid"])]
#[case::crdval_001_none("/metadata/name", json!(null), &["metadata.name Required"])]
#[case::crdval_001_generated("/metadata/generateName", json!("y"), &["metadata.generateName Invalid"])]
#[case::crdval_002_missing("/spec/group", json!(null), &["metadata.name Invalid", "spec.group Required"])]
#[case::crdval_002_no_dot("/spec/group", json!("io"), &["metadata.name Invalid", "spec.group Invalid"])]
#[case::crdval_003_missing("/spec/scope", json!(""), &["spec.scope Required"])]
#[case::crdval_003_case("/spec/scope", json!("namespaced"), &["spec.scope NotSupported"])]
#[case::crdval_004(
    "/spec/names/kind",
    json!(""),
    &["spec.names.kind Required", "spec.names.listKind Required", "spec.names.singular Required"],
)]
#[case::crdval_005(
    "/spec/names/shortNames",
    json!(["a", "", "A"]),
    &["spec.names.shortNames[1] Invalid", "spec.names.shortNames[2] Invalid"],
)]
#[case::crdval_005_derived(
    "/spec/names/kind",
    json!("1Kind"),
    &["spec.names.kind Invalid", "spec.names.listKind Invalid", "spec.names.singular Invalid"],
)]
#[case::crdval_006("/spec/names/listKind", json!("Thing"), &["spec.names.listKind Invalid"])]
#[case::crdval_012("/spec/versions/0/name", json!("V1"), &["spec.version Invalid", "spec.versions[0].name Invalid"])]
#[case::crdval_014_none("/spec/versions", json!([]), &["spec.versions Invalid", "status.storedVersions Invalid"])]
#[case::crdval_014_no_storage("/spec/versions/0/storage", json!(false), &["spec.versions Invalid", "status.storedVersions Invalid"])]
#[case::crdval_016_text("/spec/versions/0/deprecationWarning", json!(""), &["spec.versions[0].deprecationWarning Invalid"])]
#[case::crdval_026("/spec/versions/0/schema", json!(null), &["spec.versions[0].schema.openAPIV3Schema Required"])]
#[case::crdval_027("/spec/versions/0/schema/openAPIV3Schema", json!({}), &["spec.validation.openAPIV3Schema.type Required"])]
#[case::crdval_028(
    "/spec/preserveUnknownFields",
    json!(true),
    &["spec.preserveUnknownFields Invalid", "spec.preserveUnknownFields Invalid"],
)]
#[case::crdval_041(
    "/spec/versions/0/subresources",
    json!({"scale": {"specReplicasPath": "$.spec.a"}}),
    &["spec.subresources.scale.specReplicasPath Invalid", "spec.subresources.scale.statusReplicasPath Required"],
)]
#[case::crdval_042(
    "/spec/versions/0/additionalPrinterColumns",
    json!([{"type": "x"}]),
    &[
        "spec.additionalPrinterColumns[0].JSONPath Required", "spec.additionalPrinterColumns[0].name Required",
        "spec.additionalPrinterColumns[0].type Invalid",
    ],
)]
#[case::crdval_043("/spec/versions/0/selectableFields", json!([{"jsonPath": ".spec.m"}]), &["spec.selectableFields[0].jsonPath Invalid"])]
#[case::crdval_044_empty("/spec/conversion", json!({}), &["spec.conversion.strategy Required"])]
#[case::crdval_044_block(
    "/spec/conversion",
    json!({"strategy": "None", "webhook": {"clientConfig": {}}}),
    &["spec.conversion.webhookClientConfig Forbidden"],
)]
#[case::crdval_045(
    "/spec/conversion",
    json!({"strategy": "Webhook"}),
    &["spec.conversion.conversionReviewVersions Required", "spec.conversion.webhookClientConfig Required"],
)]
fn invalid_definitions_are_refused(#[case] pointer: &str, #[case] value: Value, #[case] expected: &[&str]) {
    let answer = create_with(pointer, value);
    assert_eq!((answer.code, answer.reason()), (422, "Invalid"), "{answer:?}");
    assert_eq!(answer.causes(), expected);
    assert_eq!(answer.body["details"]["kind"], "CustomResourceDefinition");
}

#[rstest]
#[case::crdval_002("/spec/versions/0/name", json!("v1-rc"))]
#[case::crdval_007_null("/spec/names/shortNames", json!(null))]
#[case::crdval_008_null("/spec/conversion", json!(null))]
#[case::crdval_044_empty_block("/spec/conversion", json!({"strategy": "None", "webhook": {}}))]
#[case::crdval_042_dot("/spec/versions/0/additionalPrinterColumns", json!([{"name": "a", "type": "string", "jsonPath": "."}]))]
fn valid_definitions_are_accepted(#[case] pointer: &str, #[case] value: Value) {
    let answer = create_with(pointer, value);
    assert_eq!(answer.code, 201, "{answer:?}");
}

/// The schema of embedded objects, …
fn embedded() -> Value {
    json!({"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true})
}

/// … and one of them.
fn resource(metadata: Value) -> Value {
    json!({"apiVersion": "v1", "kind": "K", "metadata": metadata})
}

/// The expected schemas are those that upstream returns.
#[rstest]
#[case::empty(json!({"type": "object", "id": "", "$schema": "", "definitions": {}, "patternProperties": {}}), json!({"type": "object"}))]
#[case::not_dropped_when_empty(json!({"type": "object", "externalDocs": {}}), json!({"type": "object", "externalDocs": {}}))]
#[case::crdval_052_in_the_default(
    embedded().with("/default", resource(json!({"name": "x", "odd": 1, "labels": {}, "creationTimestamp": "2020-01-01T00:00:00+01:00"}))),
    embedded().with("/default", resource(json!({"name": "x", "creationTimestamp": "2019-12-31T23:00:00Z"}))),
)]
#[case::crdval_052_in_a_parent_default(
    json!({"type": "array", "items": embedded(), "default": [resource(json!(null))]}),
    json!({"type": "array", "items": embedded(), "default": [resource(json!({}))]}),
)]
#[case::crdval_054(
    json!({"type": "object", "additionalProperties": embedded().with("/default", resource(json!({"odd": 1})))}),
    json!({"type": "object", "additionalProperties": embedded().with("/default", resource(json!({"odd": 1})))}),
)]
fn schemas_are_normalised(#[case] given: Value, #[case] expected: Value) {
    let schema = json!({ "type": "object", "properties": { "spec": given } });
    let answer = create_with("/spec/versions/0/schema/openAPIV3Schema", schema);
    assert_eq!(answer.code, 201, "{answer:?}");
    assert_eq!(answer.body["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"], expected);
}

#[rstest]
#[case::kind("/kind", json!("X"))]
#[case::version("/apiVersion", json!("v1"))]
#[case::name("/spec/names/plural", json!(5))]
#[case::versions("/spec/versions", json!({}))]
#[case::served("/spec/versions/0/served", json!("x"))]
#[case::crdval_029("/spec/versions/0/schema/openAPIV3Schema", json!({"type": ["object"]}))]
#[case::labels("/metadata/labels", json!(5))]
fn crdval_058_wrong_json_types_are_refused(#[case] pointer: &str, #[case] value: Value) {
    let answer = create_with(pointer, value);
    assert_eq!((answer.code, answer.reason()), (400, "BadRequest"), "{answer:?}");
}

#[test]
fn crdval_023_causes_name_the_version_if_schemas_differ() {
    let array = json!({"type": "array", "items": {"type": "string"}});
    let answer = Target::new()
        .post(DEFINITIONS, &definition(&[version("v1", true, &schema(&json!({}))), version("v2", false, &array)]));
    assert_eq!(answer.causes(), ["spec.versions[1].schema.openAPIV3Schema.type Invalid"]);
}

#[test]
fn crdval_007_008_018_021_defaults_and_status_are_set() {
    let client = things()
        .with("/status", json!({"storedVersions": ["x"], "conditions": [{"type": "a", "status": "b"}]}))
        .with("/metadata/generation", 7);
    let created = Target::new().post(DEFINITIONS, &client);
    assert_eq!(created.code, 201);
    let names = json!({"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"});
    assert_eq!(created.body["spec"]["names"], names);
    assert_eq!(created.body["spec"]["conversion"], json!({"strategy": "None"}));
    let status = json!({"conditions": null, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": ["v1"]});
    assert_eq!((&created.body["status"], created.generation()), (&status, 1));
}

#[test]
fn crdval_031_and_058_unknown_fields_are_dropped_and_reported() {
    let surplus = things()
        .with("/spec/foo", 1)
        .with("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/a/readOnly", true);
    let target = Target::new();
    let unknown_paths = ["spec.foo", "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.a.readOnly"];
    let answer = target.post(&format!("{DEFINITIONS}?dryRun=All"), &surplus);
    assert_eq!((answer.code, answer.warnings), (201, unknown_paths.map(unknown).to_vec()));
    assert_eq!(target.post(&format!("{DEFINITIONS}?fieldValidation=Strict"), &surplus).code, 400);
    let ignored = target.post(&format!("{DEFINITIONS}?fieldValidation=Ignore"), &surplus);
    assert_eq!((ignored.code, ignored.warnings.len()), (201, 0));
    assert!(!ignored.text.contains("readOnly"));
}

#[test]
fn crdval_036_unknown_formats_cause_one_warning() {
    let target = Target::new();
    let with = |format: &str| definition_of(&schema(&json!({"a": {"type": "string", "format": format}})));
    assert_eq!(target.post(DEFINITIONS, &with("foo")).warnings, ["299 - \"unrecognized format \\\"foo\\\"\""]);
    let change = |format: &str| {
        target.merge(THINGS_DEFINITION, &json!({"spec": {"versions": with(format)["spec"]["versions"]}})).warnings
    };
    assert_eq!(change("foo"), Vec::<String>::new());
    assert_eq!(change("bar"), ["299 - \"unrecognized format \\\"bar\\\"\""]);
    assert_eq!(change("date-time"), Vec::<String>::new());
}

/// kube-apiserver 1.33 to 1.37 would not accept the short names (the defect of LIFE-006).
#[test]
fn life_006_an_own_name_as_a_new_short_name_is_accepted_with_a_warning() {
    let target = Target::with(&things());
    let patch = json!({"spec": {"names": {"shortNames": ["thing", "th"]}}});
    let changed = target.merge(THINGS_DEFINITION, &patch);
    let warning = "299 - \"spec.names.shortNames: \\\"thing\\\" is a name of this definition already: \
                   kube-apiserver 1.33 to 1.37 sets NamesAccepted=False for it, unless the definition is new\"";
    assert_eq!((changed.code, changed.warnings), (200, vec![warning.to_owned()]));
    let stored = target.get(THINGS_DEFINITION).body;
    assert_eq!(stored["status"]["acceptedNames"]["shortNames"], json!(["thing", "th"]));
    assert_eq!(condition(&stored, "NamesAccepted"), "True NoConflicts");
    let label = json!({"metadata": {"labels": {"a": "b"}}});
    assert_eq!(target.merge(THINGS_DEFINITION, &label).warnings, Vec::<String>::new());
    let new = things().with("/metadata/name", "things.example.org").with("/spec/group", "example.org");
    assert_eq!(target.create(DEFINITIONS, &new.with("/spec/names/shortNames", json!(["thing"]))).warnings, [""; 0]);
}

#[rstest]
#[case::crdval_009_group(json!({"spec": {"group": "a.b"}}), &["spec.group"])]
#[case::crdval_009_plural(json!({"spec": {"names": {"plural": "x"}}}), &["spec.names.plural"])]
#[case::crdval_010(json!({"spec": {"scope": "Cluster", "names": {"kind": "X"}}}), &["spec.names.kind", "spec.scope"])]
#[case::crdval_017(json!({"spec": {"versions": [version("v2", true, &schema(&json!({})))]}}), &["status.storedVersions[0]"])]
#[case::crdval_028(json!({"spec": {"preserveUnknownFields": true}}), &["spec.preserveUnknownFields", "spec.preserveUnknownFields"])]
fn invalid_updates_are_refused(#[case] patch: Value, #[case] fields: &[&str]) {
    let target = Target::with(&things());
    let before = target.get(THINGS_DEFINITION);
    let answer = target.merge(THINGS_DEFINITION, &patch);
    assert_eq!(answer.code, 422);
    assert_eq!(answer.fields(), fields);
    assert_eq!(target.get(THINGS_DEFINITION).body, before.body);
}

#[test]
fn crdval_020_to_022_updates_keep_what_they_cannot_change() {
    let target = Target::with(&things());
    let before = target.get(THINGS_DEFINITION);
    assert_eq!(target.put(THINGS_DEFINITION, &before.body).body, before.body, "CRDVAL-060");
    for patch in [
        json!({"status": {"storedVersions": ["x"]}}),
        json!({"spec": {"conversion": null, "preserveUnknownFields": false, "names": {"categories": []}}}),
        json!({"metadata": {"generation": 9}}),
    ] {
        assert_eq!(target.merge(THINGS_DEFINITION, &patch).body, before.body, "{patch}");
    }
    assert_eq!(target.merge(THINGS_DEFINITION, &json!({"metadata": {"labels": {"a": "b"}}})).generation(), 1);
    assert_eq!(target.merge(THINGS_DEFINITION, &json!({"spec": {"names": {"shortNames": ["th"]}}})).generation(), 2);
    assert_eq!(target.put(THINGS_DEFINITION, &things()).causes(), ["metadata.resourceVersion Invalid"]);
    assert_eq!(target.put(THINGS_DEFINITION, &before.body).code, 409);
    assert_eq!(target.get(THINGS_DEFINITION).body["status"]["acceptedNames"]["shortNames"], json!(["th"]), "LIFE-010");
}

#[rstest]
#[case::none(json!({}), Some("Required"))]
#[case::url(json!({"api-approved.kubernetes.io": "https://a/b"}), None)]
#[case::bypassed(json!({"api-approved.kubernetes.io": "unapproved, for a test"}), None)]
#[case::invalid(json!({"api-approved.kubernetes.io": "foo"}), Some("Invalid"))]
fn crdval_055_protected_groups_need_an_approval(#[case] annotations: Value, #[case] reason: Option<&str>) {
    let protected = things()
        .with("/spec/group", "x.k8s.io")
        .with("/metadata", json!({"name": "things.x.k8s.io", "annotations": annotations}));
    let causes = Target::new().post(DEFINITIONS, &protected).causes();
    let field = "metadata.annotations[api-approved.kubernetes.io]";
    assert_eq!(causes, reason.map(|reason| format!("{field} {reason}")).into_iter().collect::<Vec<_>>());
}

#[test]
fn definitions_are_listed_selected_and_deleted_as_a_collection() {
    let target = Target::with(&things());
    target.install(&renamed(things(), "others", "Other").with("/metadata/labels/a", "b"));
    assert_eq!(target.get(&format!("{DEFINITIONS}?labelSelector=a")).names(), ["others.example.com"]);
    let page = target.get(&format!("{DEFINITIONS}?limit=1"));
    assert_eq!(page.body["kind"], "CustomResourceDefinitionList");
    assert_eq!(page.names(), ["others.example.com"]);
    assert_eq!(target.delete(&format!("{DEFINITIONS}?labelSelector=a")).names(), ["others.example.com"]);
    assert_eq!(target.get(DEFINITIONS).names(), ["things.example.com"]);
}

#[test]
fn crdval_031_fields_of_external_documentation_are_reported() {
    let documented = definition_of(&json!({"type": "object", "externalDocs": {"url": "u", "foo": 1}}));
    let warned = Target::new().create(DEFINITIONS, &documented);
    assert_eq!(warned.warnings, [unknown("spec.versions[0].schema.openAPIV3Schema.externalDocs.foo")]);
    assert_eq!(Target::new().post(&format!("{DEFINITIONS}?fieldValidation=Strict"), &documented).code, 400);
}

/// Upstream's words about requests for a built-in type.
#[test]
fn rest_032_fsel_003_definitions_are_refused_in_words_of_their_own() {
    let target = Target::with(&things());
    let patched = target.send_as("text/plain", "PATCH", THINGS_DEFINITION, "{}");
    assert_eq!((patched.code, patched.message()), (415, "415: Unsupported Media Type"));
    assert_eq!(patched.body["details"], json!({}));
    let selected = target.get(&format!("{DEFINITIONS}?fieldSelector=spec.group%3Dx"));
    let message = "\"spec.group\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";
    assert_eq!((selected.code, selected.message()), (400, message));
}

/// Versions have no merge key, so a directive in one is a field like others.
#[test]
fn rest_032_directives_in_versions_are_unknown_fields() {
    let target = Target::with(&things());
    let version = target.get(THINGS_DEFINITION).body["spec"]["versions"][0].clone().with("/$patch", "delete");
    let answer = target.strategic(THINGS_DEFINITION, &json!({"spec": {"versions": [version]}}));
    assert_eq!((answer.code, answer.warnings), (200, vec![unknown("spec.versions[0].$patch")]));
    assert_eq!(target.strategic(THINGS_DEFINITION, &json!({"$patch": "merge"})).code, 500);
}
