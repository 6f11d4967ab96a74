//! Definitions: decoding, validation, updates (chapter 1).

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Answer, DEFINITIONS, Target, definition, schema, things, version};

const THINGS_DEFINITION: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com";

/// The response to a dry-run create of `things()` with one part replaced.
fn create_with(pointer: &str, value: Value) -> Answer {
    let mut changed = things();
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    let parent = changed.pointer_mut(parent).expect("a parent");
    match parent {
        Value::Array(items) => items[key.parse::<usize>().expect("an index")] = value,
        _ => parent[key] = value,
    }
    Target::new().post(&format!("{DEFINITIONS}?dryRun=All"), &changed)
}

#[rstest]
#[case::crdval_001("/metadata/name", json!("x"), &[("metadata.name", "Invalid")])]
#[case::crdval_001_upper("/metadata/name", json!("X"), &[("metadata.name", "Invalid"), ("metadata.name", "Invalid")])]
#[case::crdval_001_none("/metadata/name", json!(null), &[("metadata.name", "Required")])]
#[case::crdval_001_generated("/metadata/generateName", json!("y"), &[("metadata.generateName", "Invalid")])]
#[case::crdval_002_missing("/spec/group", json!(null), &[("metadata.name", "Invalid"), ("spec.group", "Required")])]
#[case::crdval_002_no_dot("/spec/group", json!("io"), &[("metadata.name", "Invalid"), ("spec.group", "Invalid")])]
#[case::crdval_003_missing("/spec/scope", json!(""), &[("spec.scope", "Required")])]
#[case::crdval_003_case("/spec/scope", json!("namespaced"), &[("spec.scope", "NotSupported")])]
#[case::crdval_004("/spec/names/kind", json!(""), &[("spec.names.kind", "Required"), ("spec.names.listKind", "Required"), ("spec.names.singular", "Required")])]
#[case::crdval_005("/spec/names/shortNames", json!(["a", "", "A"]), &[("spec.names.shortNames[1]", "Invalid"), ("spec.names.shortNames[2]", "Invalid")])]
#[case::crdval_005_derived("/spec/names/kind", json!("1Kind"), &[("spec.names.kind", "Invalid"), ("spec.names.listKind", "Invalid"), ("spec.names.singular", "Invalid")])]
#[case::crdval_006("/spec/names/listKind", json!("Thing"), &[("spec.names.listKind", "Invalid")])]
#[case::crdval_012("/spec/versions/0/name", json!("V1"), &[("spec.version", "Invalid"), ("spec.versions[0].name", "Invalid")])]
#[case::crdval_014_none("/spec/versions", json!([]), &[("spec.versions", "Invalid"), ("status.storedVersions", "Invalid")])]
#[case::crdval_014_no_storage("/spec/versions/0/storage", json!(false), &[("spec.versions", "Invalid"), ("status.storedVersions", "Invalid")])]
#[case::crdval_016_text("/spec/versions/0/deprecationWarning", json!(""), &[("spec.versions[0].deprecationWarning", "Invalid")])]
#[case::crdval_026("/spec/versions/0/schema", json!(null), &[("spec.versions[0].schema.openAPIV3Schema", "Required")])]
#[case::crdval_027("/spec/versions/0/schema/openAPIV3Schema", json!({}), &[("spec.validation.openAPIV3Schema.type", "Required")])]
#[case::crdval_028("/spec/preserveUnknownFields", json!(true), &[("spec.preserveUnknownFields", "Invalid"), ("spec.preserveUnknownFields", "Invalid")])]
#[case::crdval_041("/spec/versions/0/subresources", json!({"scale": {"specReplicasPath": "$.spec.a"}}), &[("spec.subresources.scale.specReplicasPath", "Invalid"), ("spec.subresources.scale.statusReplicasPath", "Required")])]
#[case::crdval_042("/spec/versions/0/additionalPrinterColumns", json!([{"type": "x"}]), &[("spec.additionalPrinterColumns[0].JSONPath", "Required"), ("spec.additionalPrinterColumns[0].name", "Required"), ("spec.additionalPrinterColumns[0].type", "Invalid")])]
#[case::crdval_043("/spec/versions/0/selectableFields", json!([{"jsonPath": ".spec.m"}]), &[("spec.selectableFields[0].jsonPath", "Invalid")])]
#[case::crdval_044_empty("/spec/conversion", json!({}), &[("spec.conversion.strategy", "Required")])]
#[case::crdval_044_block("/spec/conversion", json!({"strategy": "None", "webhook": {"clientConfig": {}}}), &[("spec.conversion.webhookClientConfig", "Forbidden")])]
#[case::crdval_045("/spec/conversion", json!({"strategy": "Webhook"}), &[("spec.conversion.conversionReviewVersions", "Required"), ("spec.conversion.webhookClientConfig", "Required")])]
fn invalid_definitions_are_refused(#[case] pointer: &str, #[case] value: Value, #[case] expected: &[(&str, &str)]) {
    let answer = create_with(pointer, value);
    assert_eq!((answer.code, answer.reason()), (422, "Invalid"), "{answer:?}");
    let expected: Vec<_> = expected.iter().map(|(field, reason)| ((*field).to_owned(), (*reason).to_owned())).collect();
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

/// The expected schemas are those that upstream returns.
#[rstest]
#[case::empty(json!({"type": "object", "id": "", "$schema": "", "definitions": {}, "patternProperties": {}}), json!({"type": "object"}))]
#[case::not_dropped_when_empty(json!({"type": "object", "externalDocs": {}}), json!({"type": "object", "externalDocs": {}}))]
#[case::crdval_052_in_the_default(
    json!({"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true, "default": {
        "apiVersion": "v1", "kind": "K", "metadata": {"name": "x", "odd": 1, "labels": {}, "creationTimestamp": "2020-01-01T00:00:00+01:00"},
    }}),
    json!({"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true, "default": {
        "apiVersion": "v1", "kind": "K", "metadata": {"name": "x", "creationTimestamp": "2019-12-31T23:00:00Z"},
    }}),
)]
#[case::crdval_052_in_a_parent_default(
    json!({"type": "array", "items": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}, "default": [
        {"apiVersion": "v1", "kind": "K", "metadata": null},
    ]}),
    json!({"type": "array", "items": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}, "default": [
        {"apiVersion": "v1", "kind": "K", "metadata": {}},
    ]}),
)]
#[case::crdval_054(
    json!({"type": "object", "additionalProperties": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true, "default": {
        "apiVersion": "v1", "kind": "K", "metadata": {"odd": 1},
    }}}),
    json!({"type": "object", "additionalProperties": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true, "default": {
        "apiVersion": "v1", "kind": "K", "metadata": {"odd": 1},
    }}}),
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
    let field = "spec.versions[1].schema.openAPIV3Schema.type".to_owned();
    assert_eq!(answer.causes(), [(field, "Invalid".to_owned())]);
}

#[test]
fn crdval_007_008_018_021_defaults_and_status_are_set() {
    let mut client = things();
    client["status"] = json!({"storedVersions": ["x"], "conditions": [{"type": "a", "status": "b"}]});
    client["metadata"]["generation"] = 7.into();
    let created = Target::new().post(DEFINITIONS, &client);
    assert_eq!(created.code, 201);
    let names = json!({"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"});
    assert_eq!(
        (&created.body["spec"]["names"], &created.body["spec"]["conversion"]),
        (&names, &json!({"strategy": "None"}))
    );
    let status = json!({"conditions": null, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": ["v1"]});
    assert_eq!((&created.body["status"], created.generation()), (&status, 1));
}

#[test]
fn crdval_031_and_058_unknown_fields_are_dropped_and_reported() {
    let mut unknown = things();
    unknown["spec"]["foo"] = 1.into();
    unknown["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["a"]["readOnly"] =
        true.into();
    let target = Target::new();
    let unknown_paths = ["spec.foo", "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.a.readOnly"];
    let answer = target.post(&format!("{DEFINITIONS}?dryRun=All"), &unknown);
    let warning = |path: &&str| format!("299 - \"unknown field \\\"{path}\\\"\"");
    let expected: Vec<String> = unknown_paths.iter().map(warning).collect();
    assert_eq!((answer.code, &answer.warnings), (201, &expected));
    assert_eq!(target.post(&format!("{DEFINITIONS}?fieldValidation=Strict"), &unknown).code, 400);
    let ignored = target.post(&format!("{DEFINITIONS}?fieldValidation=Ignore"), &unknown);
    assert_eq!((ignored.code, ignored.warnings.len()), (201, 0));
    assert!(!ignored.text.contains("readOnly"));
}

#[test]
fn crdval_036_unknown_formats_cause_one_warning() {
    let target = Target::new();
    let with =
        |format: &str| definition(&[version("v1", true, &schema(&json!({"a": {"type": "string", "format": format}})))]);
    let created = target.post(DEFINITIONS, &with("foo"));
    assert_eq!(created.warnings, ["299 - \"unrecognized format \\\"foo\\\"\""]);
    let change = |format: &str| {
        target.merge(THINGS_DEFINITION, &json!({"spec": {"versions": with(format)["spec"]["versions"]}})).warnings
    };
    assert_eq!(change("foo"), Vec::<String>::new());
    assert_eq!(change("bar"), ["299 - \"unrecognized format \\\"bar\\\"\""]);
    assert_eq!(change("date-time"), Vec::<String>::new());
}

#[test]
fn crdval_059_rules_are_refused_unless_they_are_ignored_by_option() {
    let rules = json!({"a": {"type": "string", "x-kubernetes-validations": [{"rule": "true"}]}});
    let with_rules = definition(&[version("v1", true, &schema(&rules))]);
    let answer = Target::new().post(DEFINITIONS, &with_rules);
    let field = "spec.validation.openAPIV3Schema.properties[spec].properties[a].x-kubernetes-validations";
    assert_eq!(answer.causes(), [(field.to_owned(), "Forbidden".to_owned())]);
    let options = crdible_reference::Options { ignore_rules: true, ..Default::default() };
    assert_eq!(Target::with_options(options).post(DEFINITIONS, &with_rules).code, 201);
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
    assert_eq!(
        (answer.code, answer.causes().iter().map(|(field, _)| field.as_str()).collect::<Vec<_>>()),
        (422, fields.to_vec())
    );
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
    let missing = target.put(THINGS_DEFINITION, &things());
    assert_eq!(missing.causes(), [("metadata.resourceVersion".to_owned(), "Invalid".to_owned())]);
    assert_eq!(target.put(THINGS_DEFINITION, &before.body).code, 409);
    assert_eq!(target.get(THINGS_DEFINITION).body["status"]["acceptedNames"]["shortNames"], json!(["th"]), "LIFE-010");
}

#[rstest]
#[case::none(json!({}), Some("Required"))]
#[case::url(json!({"api-approved.kubernetes.io": "https://a/b"}), None)]
#[case::bypassed(json!({"api-approved.kubernetes.io": "unapproved, for a test"}), None)]
#[case::invalid(json!({"api-approved.kubernetes.io": "foo"}), Some("Invalid"))]
fn crdval_055_protected_groups_need_an_approval(#[case] annotations: Value, #[case] reason: Option<&str>) {
    let mut protected = things();
    protected["spec"]["group"] = "x.k8s.io".into();
    protected["metadata"] = json!({"name": "things.x.k8s.io", "annotations": annotations});
    let causes = Target::new().post(DEFINITIONS, &protected).causes();
    let field = "metadata.annotations[api-approved.kubernetes.io]".to_owned();
    assert_eq!(causes, reason.map(|reason| (field, reason.to_owned())).into_iter().collect::<Vec<_>>());
}

#[test]
fn definitions_are_listed_selected_and_deleted_as_a_collection() {
    let target = Target::with(&things());
    let mut labelled = things();
    labelled["metadata"] = json!({"name": "others.example.com", "labels": {"a": "b"}});
    labelled["spec"]["names"] = json!({"plural": "others", "kind": "Other"});
    target.install(&labelled);
    assert_eq!(target.get(&format!("{DEFINITIONS}?labelSelector=a")).names(), ["others.example.com"]);
    let page = target.get(&format!("{DEFINITIONS}?limit=1"));
    assert_eq!(
        (&page.body["kind"], page.names()),
        (&json!("CustomResourceDefinitionList"), vec!["others.example.com"])
    );
    assert_eq!(target.delete(&format!("{DEFINITIONS}?labelSelector=a")).names(), ["others.example.com"]);
    assert_eq!(target.get(DEFINITIONS).names(), ["things.example.com"]);
}
