//! What differs between the releases that a server emulates: the edges of the specification that name one.

use crdible_reference::Content;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    AGGREGATED, Answer, DEFINITIONS, JSON, JSON_PATCH, MERGE, TABLE, THING, THINGS, THINGS_DEFINITION, THINGS_V2,
    Target, With, definition, definition_of, schema, thing, things, version,
};

/// A server of a release with the definition of things and the thing `a`.
fn target(minor: u16) -> Target {
    let target = Target::of_release(minor).having(&things());
    target.create(THINGS, &thing("a", &json!({"a": "x"})));
    target
}

/// The fields of all managers with this name, at whatever version and subresource.
fn fields<'a>(answer: &'a Answer, manager: &str) -> Vec<&'a Value> {
    let managers = answer.body["metadata"]["managedFields"].as_array().map(Vec::as_slice).unwrap_or_default();
    managers.iter().filter(|entry| entry["manager"] == manager).map(|entry| &entry["fieldsV1"]).collect()
}

#[rstest]
fn crdval_022_a_put_of_an_unknown_name_is_absent_or_a_conflict(#[values(33, 34, 37)] minor: u16) {
    let body = definition_of(&schema(&json!({})))
        .with("/metadata/uid", "12345678-1234-1234-1234-123456789012")
        .with("/metadata/resourceVersion", "1");
    let answer = Target::of_release(minor).put(THINGS_DEFINITION, &body);
    assert_eq!(answer.code, if minor < 34 { 409 } else { 404 }, "{answer:?}");
}

#[rstest]
fn rest_064_initial_events_are_refused_or_sent(#[values(33, 34)] minor: u16) {
    let query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    let request = http::Request::get(format!("{THINGS}?{query}")).body(bytes::Bytes::new()).expect("a request");
    let (head, content) = target(minor).0.open(request).into_parts();
    assert_eq!(head.status, if minor < 34 { 422 } else { 200 });
    assert_eq!(matches!(content, Content::Events(_)), minor >= 34);
}

#[rstest]
fn rest_071_creates_under_a_terminating_definition(#[values(33, 34, 36, 37)] minor: u16) {
    let target = target(minor);
    let finalizers = json!({"metadata": {"finalizers": ["a.io/b"]}});
    assert_eq!(target.merge(THING, &finalizers).code, 200);
    assert_eq!(target.delete(THINGS_DEFINITION).code, 200);
    let answer = target.post(THINGS, &thing("b", &json!({})));
    let expected = if minor < 34 { (405, "MethodNotAllowed") } else { (403, "Forbidden") };
    assert_eq!((answer.code, answer.reason()), expected);
    let undecodable = target.send_as(JSON, "POST", THINGS, "x");
    assert_eq!(undecodable.code, if minor < 34 { 405 } else { 400 }, "405 comes before anything else");
}

#[rstest]
fn disc_011_groups_have_a_null_creation_time_or_none(#[values(33, 34)] minor: u16) {
    let answer = target(minor).get_as("/apis", AGGREGATED);
    let metadata = answer.body["items"][0]["metadata"].as_object().expect("the metadata of a group");
    assert_eq!(metadata.get("creationTimestamp"), (minor < 34).then_some(&Value::Null));
}

#[rstest]
#[case::malformed("x")]
#[case::other_kind(r#"{"apiVersion": "v1", "kind": "Pod"}"#)]
#[case::wrong_type(r#"{"gracePeriodSeconds": "x"}"#)]
fn rest_049_undecodable_delete_options(#[case] body: &'static str, #[values(34, 35)] minor: u16) {
    let answer = target(minor).send_as(JSON, "DELETE", THING, body);
    assert_eq!(answer.code, if minor < 35 { 500 } else { 400 }, "{answer:?}");
}

#[rstest]
fn rest_049_deletes_of_unreadable_objects_only(#[values(36, 37)] minor: u16) {
    let target = target(minor);
    let option = "ignoreStoreReadErrorWithClusterBreakingPotential";
    let options = json!({option: true, "propagationPolicy": "Orphan", "dryRun": ["All"]});
    let with_others = target.delete_with(THING, &options);
    let of_all = target.delete(&format!("{THINGS}?{option}=true&dryRun=All"));
    let of_one = target.delete(&format!("{THING}?{option}=true&dryRun=All"));
    if minor < 37 {
        assert_eq!((with_others.code, of_all.code, of_one.code), (200, 200, 200));
    } else {
        for answer in [with_others, of_all] {
            assert_eq!(answer.refusal(), format!("422 {option} Invalid"));
        }
        assert_eq!((of_one.code, of_one.reason()), (409, "Conflict"));
    }
    assert_eq!(target.delete_with(THING, &json!({option: false})).code, 200);
}

#[rstest]
fn rest_006_the_form_is_refused_before_or_after_the_options(#[values(35, 36)] minor: u16) {
    let target = target(minor);
    for (query, code) in [("limit=x", 400), ("resourceVersionMatch=Exact", 422)] {
        let answer = target.get_as(&format!("{THINGS}?{query}"), "text/html");
        assert_eq!(answer.code, if minor < 36 { code } else { 406 }, "{query}: {answer:?}");
    }
}

#[rstest]
#[case(JSON_PATCH)]
#[case(MERGE)]
fn rest_033_malformed_patches_of_unknown_names(#[case] kind: &'static str, #[values(36, 37)] minor: u16) {
    let target = target(minor);
    let answer = |name: &str, body: &'static str| target.send_as(kind, "PATCH", &format!("{THINGS}/{name}"), body).code;
    assert_eq!(answer("a", "{"), 400);
    assert_eq!(answer("none", "{"), if minor < 37 { 404 } else { 400 });
    assert_eq!(answer("none", "[]"), 404);
}

/// Two versions and an object of the first, whose field `a` a manager owns at the second.
fn versioned(minor: u16) -> Target {
    let spec = schema(&json!({"a": {"type": "string"}}));
    let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let schema = spec.with("/properties/status", any);
    let version = |name| version(name, name == "v1", &schema).with("/subresources/status", json!({}));
    let target = Target::of_release(minor).having(&definition(&[version("v1"), version("v2")]));
    let object = thing("a", &json!({"a": "x"})).with("/apiVersion", "example.com/v2");
    let object = object.with("/metadata/labels", json!({"l": "m"}));
    target.create(&format!("{THINGS_V2}?fieldManager=creator"), &object);
    target
}

#[rstest]
fn rest_041_a_status_write_takes_nothing_else(#[values(34, 35)] minor: u16) {
    let patch = json!({"spec": {"a": "y"}, "status": {"s": 1}});
    let answer = versioned(minor).merge(&format!("{THING}/status?fieldManager=s"), &patch);
    assert_eq!(answer.body["spec"]["a"], "x");
    let is_owner = fields(&answer, "creator")[0]["f:spec"].get("f:a").is_some();
    assert_eq!(is_owner, minor >= 35, "the creator wrote at another version: {answer:?}");
}

#[rstest]
fn rest_041_metadata_of_status_writes(#[values(35, 36)] minor: u16) {
    let patch = json!({"metadata": {"annotations": {"x": "y"}}, "status": {"s": 1}});
    let of_object = versioned(minor).merge(&format!("{THING}/status?fieldManager=s"), &patch);
    assert_eq!(fields(&of_object, "s")[0].get("f:metadata").is_some(), minor < 36);
    let patch = json!({"metadata": {"annotations": {"x": "y"}}, "status": {"storedVersions": ["v1", "v2"]}});
    let of_definition = versioned(minor).merge(&format!("{THINGS_DEFINITION}/status?fieldManager=s"), &patch);
    assert_eq!(fields(&of_definition, "s")[0].get("f:metadata").is_some(), minor >= 36);
}

#[rstest]
fn rest_041_writes_that_cannot_be_tracked(#[values(36, 37)] minor: u16) {
    let target = versioned(minor);
    // The entry's version is unknown from now on.
    let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let gone = json!({"spec": {"versions": [version("v1", true, &any)]}});
    assert_eq!(target.merge(THINGS_DEFINITION, &gone).code, 200);
    let answer = target.merge(THING, &json!({"spec": {"a": "y"}}));
    assert_eq!(answer.code, 200);
    assert_eq!(fields(&answer, "creator").len(), usize::from(minor >= 37), "{answer:?}");
}

#[rstest]
fn life_001_observed_generations(#[values(34, 35)] minor: u16) {
    let target = target(minor);
    let condition = json!({"type": "My", "status": "True", "observedGeneration": 2});
    for (status, pointer, value) in [
        (json!({"observedGeneration": 7}), "/status/observedGeneration", 7),
        (json!({"conditions": [condition]}), "/status/conditions/0/observedGeneration", 2),
    ] {
        let patch = json!({"status": status});
        let path = format!("{THINGS_DEFINITION}/status");
        let strict = target.merge(&format!("{path}?fieldValidation=Strict&dryRun=All"), &patch);
        assert_eq!(strict.code, if minor < 35 { 422 } else { 200 }, "{strict:?}");
        let stored = target.merge(&path, &patch);
        assert_eq!(stored.body.pointer(pointer), (minor >= 35).then_some(&json!(value)));
    }
}

#[rstest]
fn value_041_identical_causes(#[values(36, 37)] minor: u16) {
    let target = target(minor);
    for metadata in [json!({"finalizers": ["a b", "a b"]}), json!({"labels": {"a": "c d", "b": "c d"}})] {
        let answer = target.post(THINGS, &thing("b", &json!({})).with("/metadata", metadata.with("/name", "b")));
        let causes = answer.causes();
        assert_eq!((answer.code, causes.len()), (422, if minor < 37 { 2 } else { 1 }), "{answer:?}");
        assert_eq!(causes.first(), causes.last());
    }
}

#[rstest]
#[case(json!([{"apiVersion": "v1", "kind": "", "name": "n", "uid": "u"}]), "kind", "Invalid", "Required")]
#[case(json!([{"apiVersion": "a/b/c", "kind": "K", "name": "n", "uid": "u"}]), "apiVersion", "Invalid", "Invalid")]
fn value_041_owners(
    #[case] owners: Value,
    #[case] part: &str,
    #[case] before: &str,
    #[case] since: &str,
    #[values(36, 37)] minor: u16,
) {
    let answer = target(minor).post(THINGS, &thing("b", &json!({})).with("/metadata/ownerReferences", owners));
    let (index, reason) = if minor < 37 { ("", before) } else { ("[0]", since) };
    assert_eq!(answer.causes(), [format!("metadata.ownerReferences{index}.{part} {reason}")]);
}

#[rstest]
#[case(json!({}), "Required")]
#[case(json!({"operation": "X"}), "NotSupported")]
fn prune_018_operations_of_managers(#[case] manager: Value, #[case] since: &str, #[values(36, 37)] minor: u16) {
    let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let embedded = json!({"type": "object", "properties": {"e": any.with("/x-kubernetes-embedded-resource", true)}});
    let target = Target::of_release(minor).having(&definition_of(&embedded));
    let metadata = json!({"managedFields": [manager]});
    let object = thing("b", &json!({})).with("/e", json!({"apiVersion": "v1", "kind": "K", "metadata": metadata}));
    let answer = target.post(THINGS, &object);
    let reason = if minor < 37 { "Invalid" } else { since };
    let expected = format!("e.metadata.managedFields[0].operation {reason}");
    assert!(answer.causes().contains(&expected), "{answer:?}");
}

#[rstest]
fn table_019_columns_of_definitions(#[values(36, 37)] minor: u16) {
    let answer = target(minor).get_as(THINGS_DEFINITION, TABLE);
    let columns = answer.body["columnDefinitions"].as_array().expect("columns");
    let names: Vec<_> = columns.iter().filter_map(|column| column["name"].as_str()).collect();
    let cells = answer.body["rows"][0]["cells"].as_array().expect("cells");
    assert_eq!(cells.len(), names.len());
    if minor < 37 {
        assert_eq!(names, ["Name", "Created At"]);
    } else {
        assert_eq!(names, ["Name", "Scope", "Versions", "Created At", "Group", "Kind", "ShortNames", "Established"]);
        assert_eq!(cells[2], "v1(storage)");
    }
}

#[rstest]
fn oapi_006_shards(#[values(35, 36)] minor: u16) {
    let target = target(minor);
    let document = target.get("/openapi/v3/apis/example.com/v1").body;
    let parameters = &document["paths"]["/apis/example.com/v1/namespaces/{namespace}/things"]["get"]["parameters"];
    let names: Vec<_> = parameters.as_array().expect("parameters").iter().map(|one| &one["name"]).collect();
    assert_eq!(names.contains(&&json!("shardSelector")), minor >= 36, "{names:?}");
    let meta = &document["components"]["schemas"]["io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta"]["properties"];
    assert_eq!(meta.get("shardInfo").is_some(), minor >= 36);
}

#[test]
fn every_path_of_definitions_exists_in_every_release() {
    for minor in 33..=37 {
        assert_eq!(target(minor).get(DEFINITIONS).names(), ["things.example.com"]);
    }
}
