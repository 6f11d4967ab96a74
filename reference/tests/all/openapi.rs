//! `OpenAPI` (sections 12.2 and 12.3). Expectations beyond the requirements are what kube-apiserver 1.36.3 publishes.

use std::collections::{BTreeMap, BTreeSet};

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    DEFINITIONS, JSON, JSON_PATCH, MERGE, OTHERS_DEFINITION, THINGS_DEFINITION, Target, With, YAML, definition,
    definition_of, renamed, schema, things, version,
};

const THINGS: &str = "/openapi/v3/apis/example.com/v1";
const V2: &str = "/openapi/v2";

/// The URL of a group version in the index.
fn listed(target: &Target, path: &str) -> Option<String> {
    let index = target.get("/openapi/v3").body;
    Some(index["paths"][path]["serverRelativeURL"].as_str()?.to_owned())
}

/// A definition with all subresources and selectable fields.
fn scalable() -> Value {
    let properties = json!({"replicas": {"type": "integer", "default": 1}, "color": {"type": "string"}});
    let scale = json!({"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"});
    let version = version("v1", true, &schema(&properties))
        .with("/subresources", json!({"status": {}, "scale": scale}))
        .with("/selectableFields", json!([{"jsonPath": ".spec.color"}, {"jsonPath": ".spec.replicas"}]));
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
    let index = target.get_as("/openapi/v3", YAML);
    assert_eq!((index.code, index.header("content-type")), (200, "text/plain; charset=utf-8"));
    let url = listed(&target, "apis/example.com/v1").expect("an entry");
    let (path, hash) = url.split_once("?hash=").expect("a hash");
    let with_hash = target.get(&url);
    let tag = with_hash.header("etag");
    assert_eq!((path, tag), (THINGS, format!("\"{hash}\"").as_str()));
    assert_eq!(with_hash.header("cache-control"), "public, immutable");
    assert!(with_hash.header("expires").ends_with(" GMT"));
    assert_eq!((with_hash.header("vary"), with_hash.header("content-type")), ("Accept", JSON));
    assert_eq!(with_hash.body["openapi"], "3.0.0");
    let without = target.get(THINGS);
    assert_eq!((without.header("cache-control"), without.header("expires")), ("no-cache, private", ""));
    let wrong = target.get(&format!("{THINGS}?hash=0"));
    assert_eq!((wrong.code, wrong.header("location")), (301, url.as_str()));
    assert_eq!((wrong.text.as_str(), wrong.header("etag")), ("", tag));
    let head = target.send("HEAD", &url, &[], "");
    assert_eq!((head.code, head.header("etag"), head.text.as_str()), (200, tag, ""));
}

#[rstest]
#[case::v3(THINGS)]
#[case::v2(V2)]
fn oapi_001_and_009_an_unchanged_document_is_not_sent_again(#[case] path: &str) {
    let target = Target::with(&things());
    let first = target.get(path);
    let known = target.send("GET", path, &[("if-none-match", first.header("etag"))], "");
    assert_eq!((known.code, known.text.as_str()), (304, ""));
    assert_eq!((known.header("etag"), known.header("content-type")), (first.header("etag"), ""));
    assert_eq!(target.send("GET", path, &[("if-none-match", "\"other\"")], "").code, 200);
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
// Unlike upstream, which also supports protobuf of version 3.
#[case::protobuf(THINGS, "application/com.github.proto-openapi.spec.v3@v1.0+protobuf", 406)]
#[case::v2_protobuf(V2, "application/com.github.proto-openapi.spec.v2@v1.0+protobuf", 200)]
fn oapi_001_and_009_media_types(#[case] path: &str, #[case] accept: &str, #[case] code: u16) {
    assert_eq!(Target::with(&things()).get_as(path, accept).code, code);
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
    assert_eq!(Target::with(&things()).get(path).code, 404);
}

#[test]
fn oapi_001_only_served_and_established_versions_are_listed() {
    let plain = schema(&json!({}));
    let unserved = version("v2", false, &plain).with("/served", false);
    let target = Target::with(&definition(&[version("v1", true, &plain), unserved]));
    target.install(&renamed(definition(&[version("v3", true, &plain)]), "others", "Thing"));
    for (path, is_listed) in [
        ("apis/example.com/v1", true),
        ("apis/example.com/v2", false),
        ("apis/example.com/v3", false),
        ("apis/apiextensions.k8s.io/v1", true),
        ("api/v1", true),
    ] {
        assert_eq!(listed(&target, path).is_some(), is_listed, "{path}");
        assert_eq!(target.get(&format!("/openapi/v3/{path}")).code, if is_listed { 200 } else { 404 }, "{path}");
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
    target.install(&renamed(things(), "others", "Other"));
    let conflict = json!({"spec": {"names": {"listKind": "ThingList"}}});
    assert_eq!(target.merge(OTHERS_DEFINITION, &conflict).code, 200);
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
    let resolves = |reference: &str| reference.strip_prefix(prefix).is_some_and(|name| models.contains_key(name));
    let unresolved: Vec<&String> = found.iter().filter(|reference| !resolves(reference)).collect();
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
    let expected = json!({
        "/apis/example.com/v1/namespaces/{namespace}/things": [
            "delete deleteExampleComV1CollectionNamespacedThing deletecollection",
            "get listExampleComV1NamespacedThing list",
            "post createExampleComV1NamespacedThing post",
        ],
        "/apis/example.com/v1/namespaces/{namespace}/things/{name}": [
            "delete deleteExampleComV1NamespacedThing delete",
            "get readExampleComV1NamespacedThing get",
            "patch patchExampleComV1NamespacedThing patch",
            "put replaceExampleComV1NamespacedThing put",
        ],
        "/apis/example.com/v1/namespaces/{namespace}/things/{name}/scale": [
            "get readExampleComV1NamespacedThingScale get",
            "patch patchExampleComV1NamespacedThingScale patch",
            "put replaceExampleComV1NamespacedThingScale put",
        ],
        "/apis/example.com/v1/namespaces/{namespace}/things/{name}/status": [
            "get readExampleComV1NamespacedThingStatus get",
            "patch patchExampleComV1NamespacedThingStatus patch",
            "put replaceExampleComV1NamespacedThingStatus put",
        ],
        "/apis/example.com/v1/things": ["get listExampleComV1ThingForAllNamespaces list"],
    });
    let mut found = operations(&document);
    found.retain(|path, _| path.starts_with("/apis/example.com/"));
    assert_eq!(json!(found), expected);
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
    assert_eq!(keys(&patch["requestBody"]["content"]), ["application/apply-patch+yaml", JSON_PATCH, MERGE]);
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
    let document = Target::with(&things().with("/spec/scope", "Cluster")).get(THINGS).body;
    let paths: Vec<String> = operations(&document).into_keys().collect();
    assert_eq!(paths, ["/apis/example.com/v1/things", "/apis/example.com/v1/things/{name}"]);
    assert_eq!(document["components"]["schemas"].get("io.k8s.api.autoscaling.v1.Scale"), None);
}

#[test]
fn oapi_011_an_opaque_root_is_published_only_in_version_3() {
    let schema = schema(&json!({"a": {"type": "string"}}));
    let schema = schema.with("/x-kubernetes-preserve-unknown-fields", true).with("/description", "published");
    let target = Target::with(&definition_of(&schema));
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
    let path = THINGS_DEFINITION;
    let (url, v2) = (|| listed(&target, "apis/example.com/v1"), || target.get(V2).body);
    let (before, v2_before) = (url(), v2());
    target.merge(path, &json!({"metadata": {"labels": {"a": "b"}}, "spec": {"names": {"shortNames": ["th"]}}}));
    assert_eq!((url(), v2()), (before.clone(), v2_before.clone()), "OAPI-008/e1");
    let versions = things()["spec"]["versions"].clone().with("/0/schema/openAPIV3Schema/description", "changed");
    assert_eq!(target.merge(path, &json!({"spec": {"versions": versions}})).code, 200);
    let changed = url();
    assert!(changed.is_some() && changed != before && v2() != v2_before);
    let model = &target.get(THINGS).body["components"]["schemas"]["com.example.v1.Thing"];
    assert_eq!(model["description"], "changed");
    target.delete(path);
    assert_eq!((url(), target.get(THINGS).code), (None, 404));
    assert_eq!(v2()["definitions"].get("com.example.v1.Thing"), None);
}

#[test]
fn oapi_008_a_version_that_is_no_longer_served_is_removed() {
    let plain = schema(&json!({}));
    let target = Target::with(&definition(&[version("v1", true, &plain), version("v2", false, &plain)]));
    assert!(listed(&target, "apis/example.com/v2").is_some());
    target.json_patch(THINGS_DEFINITION, &json!([{"op": "add", "path": "/spec/versions/1/served", "value": false}]));
    assert_eq!(listed(&target, "apis/example.com/v2"), None);
    assert_eq!(target.get("/openapi/v3/apis/example.com/v2").code, 404);
    assert_eq!(target.get(V2).body["definitions"].get("com.example.v2.Thing"), None);
}

#[rstest]
#[case::v3(THINGS)]
#[case::v2(V2)]
fn documents_are_built_once_and_shared(#[case] path: &str) {
    let target = Target::with(&things());
    let first = target.get(path).bytes;
    listed(&target, "apis/example.com/v1");
    assert_eq!(target.get(path).bytes.as_ptr(), first.as_ptr());
    target.install(&renamed(things().with("/spec/group", "example.org"), "things", "Thing"));
    let is_same = target.get(path).bytes.as_ptr() == first.as_ptr();
    assert_eq!(is_same, path == THINGS, "only changed documents are rebuilt");
}

#[test]
fn crdval_039_deep_schemas_are_published() {
    let example = format!("{}1{}", "[".repeat(600), "]".repeat(600));
    let type_and_example = format!(r#""type":"string","example":{example}"#);
    let definition = things().to_string().replacen(r#""type":"string""#, &type_and_example, 1);
    let target = Target::new();
    assert_eq!(target.send("POST", DEFINITIONS, &[], definition).code, 201);
    for path in [THINGS, V2, "/openapi/v3"] {
        let answer = target.get(path);
        assert_eq!(answer.code, 200, "{path}");
        assert_eq!(answer.text.contains(&example), path != "/openapi/v3", "{path}");
    }
}

#[test]
fn oapi_009_e1_version_2_in_protobuf_has_the_same_models() {
    let target = Target::with(&things());
    let in_protobuf = target.get_as(V2, "application/com.github.proto-openapi.spec.v2@v1.0+protobuf");
    let content_type = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
    assert_eq!(in_protobuf.headers["content-type"], content_type);
    let json = target.get(V2);
    assert_eq!(in_protobuf.headers["etag"], json.headers["etag"]);
    let decoded = crdible_reference::decode_openapi_v2(&in_protobuf.bytes).expect("a document");
    // Zero values are missing in protobuf; this model has none.
    let model = "/definitions/com.example.v1.Thing";
    assert_eq!(decoded.pointer(model), json.body.pointer(model));
    assert!(decoded.pointer(model).is_some(), "{decoded}");
}
