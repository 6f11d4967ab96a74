//! `OpenAPI` (sections 12.2 and 12.3). Expectations beyond the requirements are what kube-apiserver 1.36.3 publishes.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use http::{Request, Response};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{DEFINITIONS, Target, definition, schema, things, version};

const THINGS: &str = "/openapi/v3/apis/example.com/v1";
const V2: &str = "/openapi/v2";

/// Sends a request with these headers; the response includes its headers.
fn ask(target: &Target, method: &str, path: &str, headers: &[(&str, &str)]) -> Response<Bytes> {
    let request = headers.iter().fold(Request::builder(), |request, (name, value)| request.header(*name, *value));
    target.0.handle(request.method(method).uri(path).body(Bytes::new()).expect("a well-formed request"))
}

fn header<'r>(response: &'r Response<Bytes>, name: &str) -> &'r str {
    response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// The URL of a group version in the index.
fn listed(target: &Target, path: &str) -> Option<String> {
    let index: Value = serde_json::from_slice(ask(target, "GET", "/openapi/v3", &[]).body()).expect("JSON");
    Some(index["paths"][path]["serverRelativeURL"].as_str()?.to_owned())
}

/// A definition with all subresources and selectable fields.
fn scalable() -> Value {
    let properties = json!({"replicas": {"type": "integer", "default": 1}, "color": {"type": "string"}});
    let mut version = version("v1", true, &schema(&properties));
    version["subresources"] = json!({"status": {}, "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}});
    version["selectableFields"] = json!([{"jsonPath": ".spec.color"}, {"jsonPath": ".spec.replicas"}]);
    definition(&[version])
}

/// Collects every value of `$ref`.
fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|field| references(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

#[test]
fn oapi_001_the_hash_is_the_etag_and_makes_the_document_immutable() {
    let target = Target::with(&things());
    let index = ask(&target, "GET", "/openapi/v3", &[("accept", "application/yaml")]);
    assert_eq!((index.status().as_u16(), header(&index, "content-type")), (200, "text/plain; charset=utf-8"));
    let url = listed(&target, "apis/example.com/v1").expect("an entry");
    let (path, hash) = url.split_once("?hash=").expect("a hash");
    let with_hash = ask(&target, "GET", &url, &[]);
    assert_eq!((path, header(&with_hash, "etag")), (THINGS, format!("\"{hash}\"").as_str()));
    assert_eq!(header(&with_hash, "cache-control"), "public, immutable");
    assert!(header(&with_hash, "expires").ends_with(" GMT"));
    assert_eq!((header(&with_hash, "vary"), header(&with_hash, "content-type")), ("Accept", "application/json"));
    let document: Value = serde_json::from_slice(with_hash.body()).expect("JSON");
    assert_eq!(document["openapi"], "3.0.0");
    let without = ask(&target, "GET", THINGS, &[]);
    assert_eq!((header(&without, "cache-control"), header(&without, "expires")), ("no-cache, private", ""));
    let wrong = ask(&target, "GET", &format!("{THINGS}?hash=0"), &[]);
    assert_eq!((wrong.status().as_u16(), header(&wrong, "location")), (301, url.as_str()));
    assert_eq!((wrong.body().len(), header(&wrong, "etag")), (0, header(&with_hash, "etag")));
    let head = ask(&target, "HEAD", &url, &[]);
    assert_eq!(
        (head.status().as_u16(), header(&head, "etag"), head.body().len()),
        (200, header(&with_hash, "etag"), 0)
    );
}

#[rstest]
#[case::v3(THINGS)]
#[case::v2(V2)]
fn oapi_001_and_009_an_unchanged_document_is_not_sent_again(#[case] path: &str) {
    let target = Target::with(&things());
    let first = ask(&target, "GET", path, &[]);
    let known = ask(&target, "GET", path, &[("if-none-match", header(&first, "etag"))]);
    assert_eq!((known.status().as_u16(), known.body().len()), (304, 0));
    assert_eq!((header(&known, "etag"), header(&known, "content-type")), (header(&first, "etag"), ""));
    assert_eq!(ask(&target, "GET", path, &[("if-none-match", "\"other\"")]).status().as_u16(), 200);
}

#[rstest]
#[case::json(THINGS, "application/json", 200)]
#[case::any(THINGS, "*/*", 200)]
#[case::protobuf_or_json(
    THINGS,
    "application/com.github.proto-openapi.spec.v3@v1.0+protobuf;q=0.5,application/json",
    200
)]
#[case::yaml(THINGS, "application/yaml", 406)]
#[case::v2_json(V2, "application/json", 200)]
#[case::v2_text(V2, "text/html", 406)]
// Unlike upstream, which also supports protobuf.
#[case::protobuf(THINGS, "application/com.github.proto-openapi.spec.v3@v1.0+protobuf", 406)]
#[case::v2_protobuf(V2, "application/com.github.proto-openapi.spec.v2@v1.0+protobuf", 406)]
fn oapi_001_and_009_media_types(#[case] path: &str, #[case] accept: &str, #[case] code: u16) {
    assert_eq!(ask(&Target::with(&things()), "GET", path, &[("accept", accept)]).status().as_u16(), code);
}

#[rstest]
#[case("/openapi/v3/apis/example.com/v2")]
#[case("/openapi/v3/apis/example.com")]
#[case("/openapi/v3/apis/example.com/v1/things")]
#[case("/openapi/v3/apis/other.com/v1")]
#[case("/openapi/v3/")]
#[case("/openapi/v4")]
#[case("/openapi")]
fn oapi_001_unserved_documents_are_not_found(#[case] path: &str) {
    assert_eq!(ask(&Target::with(&things()), "GET", path, &[]).status().as_u16(), 404);
}

#[test]
fn oapi_001_only_served_and_established_versions_are_listed() {
    let plain = schema(&json!({}));
    let mut unserved = version("v2", false, &plain);
    unserved["served"] = false.into();
    let target = Target::with(&definition(&[version("v1", true, &plain), unserved]));
    let mut waiting = definition(&[version("v3", true, &plain)]);
    waiting["metadata"]["name"] = "others.example.com".into();
    waiting["spec"]["names"] = json!({"plural": "others", "kind": "Thing"});
    target.install(&waiting);
    for (path, is_listed) in [
        ("apis/example.com/v1", true),
        ("apis/example.com/v2", false),
        ("apis/example.com/v3", false),
        ("apis/apiextensions.k8s.io/v1", true),
        ("api/v1", true),
    ] {
        assert_eq!(listed(&target, path).is_some(), is_listed, "{path}");
        let code = ask(&target, "GET", &format!("/openapi/v3/{path}"), &[]).status().as_u16();
        assert_eq!(code, if is_listed { 200 } else { 404 }, "{path}");
    }
}

#[test]
fn oapi_002_and_005_models_are_published() {
    let target = Target::with(&scalable());
    let kinds = |kind: &str| json!([{"group": "example.com", "version": "v1", "kind": kind}]);
    let fields = json!([{"fieldPath": "spec.color"}, {"fieldPath": "spec.replicas"}]);
    let v3 = target.get(THINGS).body["components"]["schemas"].clone();
    let v2 = target.get(V2).body["definitions"].clone();
    for models in [&v3, &v2] {
        for (name, kind) in [("com.example.v1.Thing", "Thing"), ("com.example.v1.ThingList", "ThingList")] {
            assert_eq!(models[name]["x-kubernetes-group-version-kind"], kinds(kind));
            assert_eq!(models[name]["x-kubernetes-selectable-fields"], fields);
        }
        assert_eq!(models["com.example.v1.ThingList"]["required"], json!(["items"]));
    }
    let items = |models: &Value| models["com.example.v1.ThingList"]["properties"]["items"]["items"]["$ref"].clone();
    assert_eq!(items(&v3), "#/components/schemas/com.example.v1.Thing");
    assert_eq!(items(&v2), "#/definitions/com.example.v1.Thing");
    let metadata = |models: &Value| models["com.example.v1.Thing"]["properties"]["metadata"].clone();
    let object_meta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
    assert_eq!(metadata(&v3)["allOf"], json!([{"$ref": format!("#/components/schemas/{object_meta}")}]));
    assert_eq!(metadata(&v2)["$ref"], format!("#/definitions/{object_meta}"));
}

/// Upstream publishes the requested list kind, unless it conflicts in the same group version.
#[test]
fn oapi_002_models_have_the_accepted_names() {
    let target = Target::with(&things());
    let mut other = things();
    other["metadata"]["name"] = "others.example.com".into();
    other["spec"]["names"] = json!({"plural": "others", "kind": "Other"});
    target.install(&other);
    let conflict = json!({"spec": {"names": {"listKind": "ThingList"}}});
    assert_eq!(target.merge(&format!("{DEFINITIONS}/others.example.com"), &conflict).code, 200);
    let models = target.get(THINGS).body["components"]["schemas"].clone();
    let kind = |name: &str| models[name]["x-kubernetes-group-version-kind"][0]["kind"].clone();
    let items = |name: &str| models[name]["properties"]["items"]["items"]["$ref"].clone();
    assert_eq!(kind("com.example.v1.OtherList"), "OtherList");
    assert_eq!(items("com.example.v1.ThingList"), "#/components/schemas/com.example.v1.Thing");
}

#[rstest]
#[case::instances(THINGS, "#/components/schemas/", "/components/schemas")]
#[case::definitions("/openapi/v3/apis/apiextensions.k8s.io/v1", "#/components/schemas/", "/components/schemas")]
#[case::namespaces("/openapi/v3/api/v1", "#/components/schemas/", "/components/schemas")]
#[case::v2(V2, "#/definitions/", "/definitions")]
fn oapi_002_every_reference_resolves(#[case] path: &str, #[case] prefix: &str, #[case] models: &str) {
    let document = Target::with(&scalable()).get(path).body;
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    let models = document.pointer(models).and_then(Value::as_object).expect("models");
    let unresolved: Vec<&String> = found
        .iter()
        .filter(|reference| !reference.strip_prefix(prefix).is_some_and(|name| models.contains_key(name)))
        .collect();
    assert!(found.len() > 5 && unresolved.is_empty(), "{unresolved:?}");
}

#[test]
fn oapi_003_models_of_definitions_can_be_traversed() {
    let document = Target::new().get("/openapi/v3/apis/apiextensions.k8s.io/v1").body;
    let mut node = &document["components"]["schemas"]["io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition"];
    for step in ["spec", "versions", "schema", "openAPIV3Schema", "properties", "x-kubernetes-list-type"] {
        node = &node["properties"][step];
        let inner = node.get("items").or_else(|| node.get("additionalProperties")).unwrap_or(node);
        let reference = inner["allOf"][0]["$ref"].as_str();
        node = reference.and_then(|text| document.pointer(text.strip_prefix('#')?)).unwrap_or(node);
    }
    assert_eq!(node["type"], "string");
}

/// `method operationId x-kubernetes-action` of all operations, by path.
fn operations(document: &Value) -> BTreeMap<String, Vec<String>> {
    let text = |operation: &Value, key: &str| operation[key].as_str().unwrap_or_default().to_owned();
    let list = |item: &Value| {
        let operations = item.as_object().into_iter().flatten().filter(|(method, _)| *method != "parameters");
        let lines = operations.map(|(method, operation)| {
            format!("{method} {} {}", text(operation, "operationId"), text(operation, "x-kubernetes-action"))
        });
        lines.collect()
    };
    let paths = document["paths"].as_object().expect("paths");
    paths.iter().map(|(path, item)| (path.clone(), list(item))).collect()
}

#[rstest]
#[case::v3(THINGS)]
#[case::v2(V2)]
fn oapi_006_operations_of_a_namespaced_resource(#[case] path: &str) {
    let document = Target::with(&scalable()).get(path).body;
    let object = "/apis/example.com/v1/namespaces/{namespace}/things/{name}";
    let mut expected = BTreeMap::from([
        ("/apis/example.com/v1/things".to_owned(), vec!["get listExampleComV1ThingForAllNamespaces list".to_owned()]),
        (
            "/apis/example.com/v1/namespaces/{namespace}/things".to_owned(),
            vec![
                "delete deleteExampleComV1CollectionNamespacedThing deletecollection".to_owned(),
                "get listExampleComV1NamespacedThing list".to_owned(),
                "post createExampleComV1NamespacedThing post".to_owned(),
            ],
        ),
        (
            object.to_owned(),
            vec![
                "delete deleteExampleComV1NamespacedThing delete".to_owned(),
                "get readExampleComV1NamespacedThing get".to_owned(),
                "patch patchExampleComV1NamespacedThing patch".to_owned(),
                "put replaceExampleComV1NamespacedThing put".to_owned(),
            ],
        ),
    ]);
    for (part, word) in [("scale", "Scale"), ("status", "Status")] {
        let operations = [("get", "read"), ("patch", "patch"), ("put", "replace")];
        let lines =
            operations.map(|(method, verb)| format!("{method} {verb}ExampleComV1NamespacedThing{word} {method}"));
        expected.insert(format!("{object}/{part}"), lines.into());
    }
    let mut found = operations(&document);
    found.retain(|path, _| path.starts_with("/apis/example.com/"));
    assert_eq!(found, expected);
}

#[test]
fn oapi_006_parameters_bodies_and_responses_of_operations() {
    let document = Target::with(&scalable()).get(THINGS).body;
    let item = &document["paths"]["/apis/example.com/v1/namespaces/{namespace}/things/{name}"];
    let names = |parameters: &Value| -> Vec<String> {
        let parameters = parameters.as_array().into_iter().flatten();
        parameters.filter_map(|parameter| parameter["name"].as_str().map(str::to_owned)).collect()
    };
    let keys = |value: &Value| value.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect::<Vec<_>>();
    assert_eq!(names(&item["parameters"]), ["name", "namespace", "pretty"]);
    let patch = &item["patch"];
    assert_eq!(names(&patch["parameters"]), ["dryRun", "fieldManager", "fieldValidation", "force"]);
    assert_eq!(
        keys(&patch["requestBody"]["content"]),
        ["application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json"]
    );
    assert_eq!(keys(&patch["responses"]), ["200", "401"]);
    assert_eq!(keys(&item["put"]["responses"]), ["200", "201", "401"]);
    assert_eq!(item["delete"]["requestBody"].get("required"), None);
    let thing = json!({"group": "example.com", "version": "v1", "kind": "Thing"});
    let scale = &document["paths"]["/apis/example.com/v1/namespaces/{namespace}/things/{name}/scale"]["put"];
    assert_eq!(scale["x-kubernetes-group-version-kind"], thing);
    let body = &scale["requestBody"]["content"]["application/json"]["schema"]["$ref"];
    assert_eq!(body, "#/components/schemas/io.k8s.api.autoscaling.v1.Scale");
    // The path has one operation, so all its parameters are listed at the path.
    let everywhere = &document["paths"]["/apis/example.com/v1/things"];
    assert!(names(&everywhere["parameters"]).contains(&"watch".to_owned()));
    assert_eq!(everywhere["get"].get("parameters"), None);
}

#[test]
fn oapi_006_operations_of_a_cluster_scoped_resource() {
    let mut cluster = things();
    cluster["spec"]["scope"] = "Cluster".into();
    let document = Target::with(&cluster).get(THINGS).body;
    let paths: Vec<String> = operations(&document).into_keys().collect();
    assert_eq!(paths, ["/apis/example.com/v1/things", "/apis/example.com/v1/things/{name}"]);
    assert_eq!(document["components"]["schemas"].get("io.k8s.api.autoscaling.v1.Scale"), None);
}

#[test]
fn oapi_011_an_opaque_root_is_published_only_in_version_3() {
    let mut schema = schema(&json!({"a": {"type": "string"}}));
    schema["x-kubernetes-preserve-unknown-fields"] = true.into();
    schema["description"] = "published".into();
    let target = Target::with(&definition(&[version("v1", true, &schema)]));
    let v3 = &target.get(THINGS).body["components"]["schemas"]["com.example.v1.Thing"];
    assert_eq!(v3["x-kubernetes-preserve-unknown-fields"], true);
    assert_eq!(v3["properties"]["spec"]["properties"]["a"]["type"], "string");
    let v2 = target.get(V2).body["definitions"].clone();
    let kinds = json!([{"group": "example.com", "version": "v1", "kind": "Thing"}]);
    assert_eq!(v2["com.example.v1.Thing"], json!({"type": "object", "x-kubernetes-group-version-kind": kinds}));
    assert!(v2["com.example.v1.ThingList"]["properties"]["items"].is_object());
}

#[test]
fn oapi_008_hashes_change_with_the_published_content() {
    let target = Target::with(&things());
    let path = format!("{DEFINITIONS}/things.example.com");
    let (url, v2) = (|| listed(&target, "apis/example.com/v1"), || target.get(V2).body);
    let (before, v2_before) = (url(), v2());
    target.merge(&path, &json!({"metadata": {"labels": {"a": "b"}}, "spec": {"names": {"shortNames": ["th"]}}}));
    assert_eq!((url(), v2()), (before.clone(), v2_before.clone()), "OAPI-008/e1");
    let mut versions = things()["spec"]["versions"].clone();
    versions[0]["schema"]["openAPIV3Schema"]["description"] = "changed".into();
    assert_eq!(target.merge(&path, &json!({"spec": {"versions": versions}})).code, 200);
    let changed = url();
    assert!(changed.is_some() && changed != before && v2() != v2_before);
    let model = &target.get(THINGS).body["components"]["schemas"]["com.example.v1.Thing"];
    assert_eq!(model["description"], "changed");
    target.delete(&path);
    assert_eq!((url(), target.get(THINGS).code), (None, 404));
    assert_eq!(v2()["definitions"].get("com.example.v1.Thing"), None);
}

#[test]
fn oapi_008_a_version_that_is_no_longer_served_is_removed() {
    let plain = schema(&json!({}));
    let mut versions = [version("v1", true, &plain), version("v2", false, &plain)];
    let target = Target::with(&definition(&versions));
    assert!(listed(&target, "apis/example.com/v2").is_some());
    versions[1]["served"] = false.into();
    target.merge(&format!("{DEFINITIONS}/things.example.com"), &json!({"spec": {"versions": versions}}));
    assert_eq!(listed(&target, "apis/example.com/v2"), None);
    assert_eq!(target.get("/openapi/v3/apis/example.com/v2").code, 404);
    assert_eq!(target.get(V2).body["definitions"].get("com.example.v2.Thing"), None);
}

#[rstest]
#[case::v3(THINGS)]
#[case::v2(V2)]
fn documents_are_built_once_and_shared(#[case] path: &str) {
    let target = Target::with(&things());
    let first = ask(&target, "GET", path, &[]);
    listed(&target, "apis/example.com/v1");
    let mut elsewhere = things();
    elsewhere["metadata"]["name"] = "things.example.org".into();
    elsewhere["spec"]["group"] = "example.org".into();
    let second = ask(&target, "GET", path, &[]);
    assert_eq!(first.body().as_ptr(), second.body().as_ptr());
    target.install(&elsewhere);
    let third = ask(&target, "GET", path, &[]);
    assert_eq!(first.body().as_ptr() == third.body().as_ptr(), path == THINGS, "only changed documents are rebuilt");
}

#[test]
fn crdval_039_deep_schemas_are_published() {
    let example = format!("{}1{}", "[".repeat(600), "]".repeat(600));
    let definition =
        things().to_string().replacen(r#""type":"string""#, &format!(r#""type":"string","example":{example}"#), 1);
    let target = Target::new();
    let answer = target.send("POST", DEFINITIONS, &[], definition);
    assert_eq!(answer.code, 201);
    for path in [THINGS, V2, "/openapi/v3"] {
        let answer = ask(&target, "GET", path, &[]);
        assert_eq!(answer.status().as_u16(), 200, "{path}");
        assert_eq!(String::from_utf8_lossy(answer.body()).contains(&example), path != "/openapi/v3", "{path}");
    }
}
