//! What differs between the releases that a server emulates: the edges of the specification that name one.

use crdible_reference::Content;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Answer, DEFINITIONS, THINGS, Target, definition, schema, thing, things, version};

const JSON: (&str, &str) = ("content-type", "application/json");
/// A form that servers cannot write.
const HTML: (&str, &str) = ("accept", "text/html");
const THINGS_DEFINITION: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com";

/// A server of a release with the definition of things and the thing `a`.
fn target(minor: u16) -> Target {
    let target = Target::of_release(minor);
    target.install(&things());
    assert_eq!(target.post(THINGS, &thing("a", &json!({"a": "x"}))).code, 201);
    target
}

fn delete(target: &Target, path: &str, options: &Value) -> Answer {
    target.send("DELETE", path, &[JSON], options.to_string())
}

/// The fields of all managers with this name, at whatever version and subresource.
fn fields<'a>(answer: &'a Answer, manager: &str) -> Vec<&'a Value> {
    let managers = answer.body["metadata"]["managedFields"].as_array().map(Vec::as_slice).unwrap_or_default();
    managers.iter().filter(|entry| entry["manager"] == manager).map(|entry| &entry["fieldsV1"]).collect()
}

#[rstest]
fn crdval_022_a_put_of_an_unknown_name_is_absent_or_a_conflict(#[values(33, 34, 37)] minor: u16) {
    let mut body = definition(&[version("v1", true, &schema(&json!({})))]);
    body["metadata"]["uid"] = json!("12345678-1234-1234-1234-123456789012");
    body["metadata"]["resourceVersion"] = json!("1");
    let answer = Target::of_release(minor).put(THINGS_DEFINITION, &body);
    assert_eq!(answer.code, if minor < 34 { 409 } else { 404 }, "{answer:?}");
}

#[rstest]
fn rest_064_initial_events_are_refused_or_sent(#[values(33, 34)] minor: u16) {
    let query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    let request = http::Request::get(format!("{THINGS}?{query}")).body(bytes::Bytes::new()).expect("a request");
    let (head, content) = target(minor).0.open(request).into_parts();
    assert_eq!(
        (head.status.as_u16(), matches!(content, Content::Events(_))),
        if minor < 34 { (422, false) } else { (200, true) }
    );
}

#[rstest]
fn rest_071_creates_under_a_terminating_definition(#[values(33, 34, 36, 37)] minor: u16) {
    let target = target(minor);
    let finalizers = json!({"metadata": {"finalizers": ["a.io/b"]}});
    assert_eq!(target.merge(&format!("{THINGS}/a"), &finalizers).code, 200);
    assert_eq!(target.delete(THINGS_DEFINITION).code, 200);
    let answer = target.post(THINGS, &thing("b", &json!({})));
    let expected = if minor < 34 { (405, "MethodNotAllowed") } else { (403, "Forbidden") };
    assert_eq!((answer.code, answer.reason()), expected);
    let undecodable = target.send("POST", THINGS, &[JSON], "x");
    assert_eq!(undecodable.code, if minor < 34 { 405 } else { 400 }, "405 comes before anything else");
}

#[rstest]
fn disc_011_groups_have_a_null_creation_time_or_none(#[values(33, 34)] minor: u16) {
    let accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    let answer = target(minor).send("GET", "/apis", &[("accept", accept)], "");
    let metadata = answer.body["items"][0]["metadata"].as_object().expect("the metadata of a group");
    assert_eq!(metadata.get("creationTimestamp"), (minor < 34).then_some(&Value::Null));
}

#[rstest]
#[case::malformed("x")]
#[case::other_kind(r#"{"apiVersion": "v1", "kind": "Pod"}"#)]
#[case::wrong_type(r#"{"gracePeriodSeconds": "x"}"#)]
fn rest_049_undecodable_delete_options(#[case] body: &'static str, #[values(34, 35)] minor: u16) {
    let answer = target(minor).send("DELETE", &format!("{THINGS}/a"), &[JSON], body);
    assert_eq!(answer.code, if minor < 35 { 500 } else { 400 }, "{answer:?}");
}

#[rstest]
fn rest_049_deletes_of_unreadable_objects_only(#[values(36, 37)] minor: u16) {
    let target = target(minor);
    let option = "ignoreStoreReadErrorWithClusterBreakingPotential";
    let object = format!("{THINGS}/a");
    let with_others =
        delete(&target, &object, &json!({option: true, "propagationPolicy": "Orphan", "dryRun": ["All"]}));
    let of_all = target.delete(&format!("{THINGS}?{option}=true&dryRun=All"));
    let of_one = target.delete(&format!("{object}?{option}=true&dryRun=All"));
    if minor < 37 {
        assert_eq!((with_others.code, of_all.code, of_one.code), (200, 200, 200));
    } else {
        for answer in [with_others, of_all] {
            assert_eq!((answer.code, answer.causes()), (422, vec![(option.to_owned(), "Invalid".to_owned())]));
        }
        assert_eq!((of_one.code, of_one.reason()), (409, "Conflict"));
    }
    assert_eq!(delete(&target, &object, &json!({option: false})).code, 200);
}

#[rstest]
fn rest_006_the_form_is_refused_before_or_after_the_options(#[values(35, 36)] minor: u16) {
    let target = target(minor);
    for (query, code) in [("limit=x", 400), ("resourceVersionMatch=Exact", 422)] {
        let answer = target.send("GET", &format!("{THINGS}?{query}"), &[HTML], "");
        assert_eq!(answer.code, if minor < 36 { code } else { 406 }, "{query}: {answer:?}");
    }
}

#[rstest]
#[case("application/json-patch+json")]
#[case("application/merge-patch+json")]
fn rest_033_malformed_patches_of_unknown_names(#[case] kind: &'static str, #[values(36, 37)] minor: u16) {
    let target = target(minor);
    let answer = |name: &str, body: &'static str| {
        target.send("PATCH", &format!("{THINGS}/{name}"), &[("content-type", kind)], body).code
    };
    assert_eq!(answer("a", "{"), 400);
    assert_eq!(answer("none", "{"), if minor < 37 { 404 } else { 400 });
    assert_eq!(answer("none", "[]"), 404);
}

/// Two versions and an object of the first, whose field `a` a manager owns at the second.
fn versioned(minor: u16) -> Target {
    let one = |name, is_storage| {
        let properties = json!({"spec": {"type": "object", "properties": {"a": {"type": "string"}}}, "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}});
        let mut one = version(name, is_storage, &json!({"type": "object", "properties": properties}));
        one["subresources"] = json!({"status": {}});
        one
    };
    let target = Target::of_release(minor);
    target.install(&definition(&[one("v1", true), one("v2", false)]));
    let mut object = thing("a", &json!({"a": "x"}));
    object["apiVersion"] = json!("example.com/v2");
    object["metadata"]["labels"] = json!({"l": "m"});
    let path = THINGS.replace("/v1/", "/v2/");
    assert_eq!(target.post(&format!("{path}?fieldManager=creator"), &object).code, 201);
    target
}

#[rstest]
fn rest_041_a_status_write_takes_nothing_else(#[values(34, 35)] minor: u16) {
    let patch = json!({"spec": {"a": "y"}, "status": {"s": 1}});
    let answer = versioned(minor).merge(&format!("{THINGS}/a/status?fieldManager=s"), &patch);
    assert_eq!(answer.body["spec"]["a"], "x");
    let is_owner = fields(&answer, "creator")[0]["f:spec"].get("f:a").is_some();
    assert_eq!(is_owner, minor >= 35, "the creator wrote at another version: {answer:?}");
}

#[rstest]
fn rest_041_metadata_of_status_writes(#[values(35, 36)] minor: u16) {
    let patch = json!({"metadata": {"annotations": {"x": "y"}}, "status": {"s": 1}});
    let of_object = versioned(minor).merge(&format!("{THINGS}/a/status?fieldManager=s"), &patch);
    assert_eq!(fields(&of_object, "s")[0].get("f:metadata").is_some(), minor < 36);
    let patch = json!({"metadata": {"annotations": {"x": "y"}}, "status": {"storedVersions": ["v1", "v2"]}});
    let of_definition = versioned(minor).merge(&format!("{THINGS_DEFINITION}/status?fieldManager=s"), &patch);
    assert_eq!(fields(&of_definition, "s")[0].get("f:metadata").is_some(), minor >= 36);
}

#[rstest]
fn rest_041_writes_that_cannot_be_tracked(#[values(36, 37)] minor: u16) {
    let target = versioned(minor);
    // The entry's version is unknown from now on.
    let gone = json!({"spec": {"versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}});
    assert_eq!(target.merge(THINGS_DEFINITION, &gone).code, 200);
    let answer = target.merge(&format!("{THINGS}/a"), &json!({"spec": {"a": "y"}}));
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
        let mut object = thing("b", &json!({}));
        object["metadata"]["finalizers"] = metadata["finalizers"].clone();
        object["metadata"]["labels"] = metadata["labels"].clone();
        let answer = target.post(THINGS, &object);
        let distinct: std::collections::BTreeSet<_> = answer.causes().into_iter().collect();
        assert_eq!((answer.code, distinct.len()), (422, 1));
        assert_eq!(answer.causes().len(), if minor < 37 { 2 } else { 1 }, "{answer:?}");
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
    let mut object = thing("b", &json!({}));
    object["metadata"]["ownerReferences"] = owners;
    let answer = target(minor).post(THINGS, &object);
    let (index, reason) = if minor < 37 { ("", before) } else { ("[0]", since) };
    assert_eq!(answer.causes(), [(format!("metadata.ownerReferences{index}.{part}"), reason.to_owned())]);
}

#[rstest]
#[case(json!({}), "Required")]
#[case(json!({"operation": "X"}), "NotSupported")]
fn prune_018_operations_of_managers(#[case] manager: Value, #[case] since: &str, #[values(36, 37)] minor: u16) {
    let embedded = json!({"type": "object", "properties": {"e": {
        "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
    }}});
    let target = Target::of_release(minor);
    target.install(&definition(&[version("v1", true, &embedded)]));
    let mut object = thing("b", &json!({}));
    object["e"] = json!({"apiVersion": "v1", "kind": "K", "metadata": {"managedFields": [manager]}});
    let answer = target.post(THINGS, &object);
    let reason = if minor < 37 { "Invalid" } else { since };
    let expected = ("e.metadata.managedFields[0].operation".to_owned(), reason.to_owned());
    assert!(answer.causes().contains(&expected), "{answer:?}");
}

#[rstest]
fn table_019_columns_of_definitions(#[values(36, 37)] minor: u16) {
    let accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    let answer = target(minor).send("GET", THINGS_DEFINITION, &[("accept", accept)], "");
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
