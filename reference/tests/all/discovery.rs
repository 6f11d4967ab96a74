//! Discovery (section 12.1, VER-002, VER-005, VER-006).

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{DEFINITIONS, Target, definition, schema, things, version};

const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/// The values of `versions[].version` of an `APIGroup`.
fn listed(group: &Value) -> Vec<&str> {
    group["versions"].as_array().into_iter().flatten().filter_map(|version| version["version"].as_str()).collect()
}

fn group_of<'v>(list: &'v Value, name: &str) -> Option<&'v Value> {
    list["groups"].as_array()?.iter().find(|group| group["name"] == name)
}

#[test]
fn ver_002_and_004_versions_are_in_priority_order_for_any_order_in_the_definition() {
    let order = ["v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10"];
    for rotation in 0..order.len() {
        let mut names = order.to_vec();
        names.rotate_left(rotation);
        let plain = schema(&json!({}));
        let versions: Vec<Value> = names.iter().map(|name| version(name, *name == "v1", &plain)).collect();
        let target = Target::with(&definition(&versions));
        let group = target.get("/apis/example.com").body;
        assert_eq!(listed(&group), order);
        assert_eq!(group["preferredVersion"], json!({"groupVersion": "example.com/v10", "version": "v10"}));
        let list = target.get("/apis").body;
        assert_eq!(group_of(&list, "example.com").map(listed), Some(order.to_vec()));
        let aggregated = target.send("GET", "/apis", &[("accept", AGGREGATED)], "").body;
        let item = aggregated["items"]
            .as_array()
            .and_then(|items| items.iter().find(|item| item["metadata"]["name"] == "example.com"));
        assert_eq!(item.map(listed), Some(order.to_vec()));
    }
}

#[test]
fn ver_006_a_group_is_the_union_of_its_established_definitions() {
    let plain = schema(&json!({}));
    let target = Target::with(&definition(&[version("v1", true, &plain)]));
    let mut other = definition(&[version("v1", true, &plain), version("v2", false, &plain)]);
    other["metadata"]["name"] = "others.example.com".into();
    other["spec"]["names"] = json!({"plural": "others", "kind": "Other"});
    target.install(&other);
    let mut refused = definition(&[version("v3", true, &plain)]);
    refused["metadata"]["name"] = "thirds.example.com".into();
    refused["spec"]["names"] = json!({"plural": "thirds", "kind": "Thing"});
    target.install(&refused);
    assert_eq!(listed(&target.get("/apis/example.com").body), ["v2", "v1"]);
    assert_eq!(target.get("/apis/example.com/v3").code, 404);
    let names = |version: &str| -> Vec<String> {
        let body = target.get(&format!("/apis/example.com/{version}")).body;
        body["resources"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry["name"].as_str()?.to_owned()))
            .collect()
    };
    assert_eq!((names("v1"), names("v2")), (vec!["others".into(), "things".into()], vec!["others".into()]));
    target.merge(
        &format!("{DEFINITIONS}/others.example.com"),
        &json!({"spec": {"versions": [
            {"name": "v1", "served": false, "storage": true, "schema": {"openAPIV3Schema": plain}},
        ]}}),
    );
    assert_eq!((listed(&target.get("/apis/example.com").body), names("v1")), (vec!["v1"], vec!["things".into()]));
    assert_eq!(target.get("/apis/example.com/v2").code, 404);
    target.delete(&format!("{DEFINITIONS}/others.example.com"));
    assert_eq!(listed(&target.get("/apis/example.com").body), ["v1"]);
    target.delete(&format!("{DEFINITIONS}/things.example.com"));
    assert_eq!(listed(&target.get("/apis/example.com").body), ["v3"], "LIFE-011: the waiting definition is accepted");
    target.delete(&format!("{DEFINITIONS}/thirds.example.com"));
    let gone = target.get("/apis/example.com");
    assert_eq!((gone.code, gone.text.as_str()), (404, "404 page not found\n"));
    assert_eq!(group_of(&target.get("/apis").body, "example.com"), None);
}

#[test]
fn disc_004_resources_are_listed() {
    let mut named = things();
    named["spec"]["names"]["shortNames"] = json!(["th"]);
    named["spec"]["names"]["categories"] = json!(["all"]);
    let target = Target::with(&named);
    let list = target.get("/apis/example.com/v1").body;
    let entry = &list["resources"][0];
    assert_eq!((&list["kind"], &list["groupVersion"]), (&json!("APIResourceList"), &json!("example.com/v1")));
    assert_eq!(
        *entry,
        json!({
            "name": "things", "singularName": "thing", "namespaced": true, "kind": "Thing", "shortNames": ["th"],
            "categories": ["all"], "storageVersionHash": "MkkTy7bNlnM=",
            "verbs": ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
        })
    );
    let aggregated = target.send("GET", "/apis", &[("accept", AGGREGATED)], "").body;
    let resource = &aggregated["items"][2]["versions"][0]["resources"][0];
    assert_eq!(
        *resource,
        json!({
            "resource": "things", "singularResource": "thing", "scope": "Namespaced", "shortNames": ["th"],
            "categories": ["all"], "responseKind": {"group": "example.com", "version": "v1", "kind": "Thing"},
            "verbs": ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
        })
    );
}

#[test]
fn disc_011_the_content_type_repeats_the_parameters() {
    let request = http::Request::get("/apis").header("accept", AGGREGATED).body(bytes::Bytes::new());
    let response = Target::new().0.handle(request.expect("a well-formed request"));
    assert_eq!(response.headers()["content-type"], AGGREGATED);
    assert_eq!(response.headers()["vary"], "Accept");
}

#[test]
fn disc_006_to_008_subresources_and_hashes_are_listed() {
    let mut things = definition(&[version("v1", true, &schema(&json!({}))), version("v2", false, &schema(&json!({})))]);
    things["spec"]["versions"][0]["subresources"] =
        json!({"status": {}, "scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"}});
    let target = Target::with(&things);
    let verbs = json!(["get", "patch", "update"]);
    let resources = target.get("/apis/example.com/v1").body["resources"].clone();
    assert_eq!(
        resources.as_array().map(|entries| &entries[1..]),
        Some(
            &[
                json!({"name": "things/status", "singularName": "", "namespaced": true, "kind": "Thing", "verbs": verbs}),
                json!({
                    "name": "things/scale", "singularName": "", "namespaced": true, "kind": "Scale", "verbs": verbs,
                    "group": "autoscaling", "version": "v1",
                }),
            ][..]
        )
    );
    let of_v2 = target.get("/apis/example.com/v2").body["resources"].clone();
    assert_eq!(of_v2.as_array().map(Vec::len), Some(1));
    assert_eq!(of_v2[0]["storageVersionHash"], resources[0]["storageVersionHash"], "DISC-008");
    let definitions = target.get("/apis/apiextensions.k8s.io/v1").body["resources"].clone();
    assert_eq!(definitions[0]["storageVersionHash"], "jfWCUB31mvA=", "as in kube-apiserver");

    let answer = target.send("GET", "/apis", &[("accept", AGGREGATED)], "");
    let groups = answer.body["items"].as_array().cloned().unwrap_or_default();
    let group = groups.iter().find(|group| group["metadata"]["name"] == "example.com").expect("the group");
    let parts = |version: usize| group["versions"][version]["resources"][0].get("subresources").cloned();
    assert_eq!(parts(0), None, "v2 comes first");
    assert_eq!(
        parts(1),
        Some(json!([
            {"subresource": "status", "responseKind": {"group": "example.com", "version": "v1", "kind": "Thing"}, "verbs": verbs},
            {"subresource": "scale", "responseKind": {"group": "autoscaling", "version": "v1", "kind": "Scale"}, "verbs": verbs},
        ]))
    );
}

#[test]
fn disc_011_an_unchanged_aggregated_list_is_not_sent_again() {
    let target = Target::with(&things());
    let ask = |path: &str, tag: &str| {
        let request = http::Request::get(path).header("accept", AGGREGATED).header("if-none-match", tag);
        target.0.handle(request.body(bytes::Bytes::new()).expect("a well-formed request"))
    };
    for path in ["/api", "/apis"] {
        let first = ask(path, "\"other\"");
        assert_eq!((first.status().as_u16(), first.headers()["cache-control"].as_bytes()), (200, &b"public"[..]));
        let tag = first.headers()["etag"].to_str().expect("a text");
        let known = ask(path, tag);
        assert_eq!((known.status().as_u16(), known.body().len()), (304, 0));
        assert_eq!(
            (&known.headers()["etag"], &known.headers()["vary"]),
            (&first.headers()["etag"], &first.headers()["vary"])
        );
        target.delete(&format!("{DEFINITIONS}/things.example.com"));
        assert_eq!(ask(path, tag).status().as_u16(), if path == "/api" { 304 } else { 200 });
        target.install(&things());
    }
}

#[test]
fn version_probes_and_core_resources_are_served() {
    let target = Target::new();
    let version = target.get("/version").body;
    let fields = ["minor", "emulationMajor", "emulationMinor", "minCompatibilityMajor", "minCompatibilityMinor"];
    assert_eq!(fields.map(|field| version[field].clone()), ["36", "1", "36", "1", "35"]);
    for path in ["/readyz", "/livez", "/healthz"] {
        assert_eq!((target.get(path).code, target.get(path).text.as_str()), (200, "ok"));
    }
    assert_eq!(target.get("/api").body["versions"], json!(["v1"]));
    assert_eq!(target.get("/api/v1").body["resources"][1]["name"], "namespaces");
    assert_eq!(target.get("/apis/apiextensions.k8s.io/v1").body["resources"][0]["name"], "customresourcedefinitions");
    assert_eq!(target.send("POST", "/version", &[], "").code, 405);
    assert_eq!(target.send("HEAD", "/version", &[], "").code, 405);
    let head = target.send("HEAD", "/readyz", &[], "");
    assert_eq!((head.code, head.text.as_str()), (200, ""));
}

#[test]
fn the_root_lists_paths_that_exist() {
    let target = Target::with(&things());
    let paths = target.get("/");
    assert_eq!((paths.code, target.post("/index.html", &json!({})).text), (200, paths.text.clone()));
    let paths: Vec<&str> = paths.body["paths"].as_array().expect("paths").iter().filter_map(Value::as_str).collect();
    assert!(paths.is_sorted() && paths.contains(&"/apis/example.com/v1"), "{paths:?}");
    for path in paths {
        assert_eq!(target.get(path).code, 200, "{path}");
    }
}

/// Below paths that every server has, 404 is a `Status`, elsewhere plain text, as kube-apiserver 1.36.3 answers.
#[rstest]
#[case::probe("/readyz/x", false)]
#[case::slash_after_a_probe("/readyz/", false)]
#[case::anything("/foo", false)]
#[case::two_slashes("//apis", false)]
#[case::no_group("/apis//v1", false)]
#[case::unknown_group("/apis/other.com/v1/things", false)]
#[case::unknown_version("/apis/example.com/v9/things", false)]
#[case::core_version("/api/v2", true)]
#[case::core_resource("/api/v1//namespaces", true)]
#[case::no_namespace("/api/v1/namespaces//namespaces", true)]
#[case::below_the_version("/version/x", true)]
#[case::own_version("/apis/apiextensions.k8s.io/v1beta1", true)]
fn not_found(#[case] path: &str, #[case] is_status: bool) {
    let answer = Target::with(&things()).get(path);
    assert_eq!((answer.code, answer.reason() == "NotFound"), (404, is_status), "{}", answer.text);
}

#[rstest]
#[case::list_everywhere("GET", "/namespaces//things", 200)]
#[case::object_without_a_namespace("GET", "/namespaces//things/a", 404)]
#[case::status_without_a_name("GET", "/namespaces/default/things//status", 405)]
#[case::write_of_a_status_without_a_name("PUT", "/namespaces/default/things//status", 400)]
#[case::create_of_a_subresource("POST", "/namespaces/default/things//status", 405)]
#[case::dot("GET", "/namespaces/default/things/.", 400)]
#[case::dots("DELETE", "/namespaces/default/things/..", 400)]
#[case::percent("GET", "/namespaces/default/things/a%25", 400)]
fn rest_003_empty_and_invalid_names(#[case] method: &str, #[case] path: &str, #[case] code: u16) {
    let mut definition = things();
    definition["spec"]["versions"][0]["subresources"] = json!({"status": {}});
    let target = Target::with(&definition);
    let headers = [("content-type", "application/json")];
    assert_eq!(target.send(method, &format!("/apis/example.com/v1{path}"), &headers, "{}").code, code);
}

// As kube-apiserver 1.36.3 answers: built-in resources have lists of media types, custom resources have none.
#[rstest]
#[case::core_versions("/api", 406)]
#[case::core_resources("/api/v1", 406)]
#[case::version("/version", 406)]
#[case::own_resources("/apis/apiextensions.k8s.io/v1", 406)]
#[case::definitions("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", 406)]
#[case::definition("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com/status", 406)]
#[case::namespaces("/api/v1/namespaces?watch=1", 406)]
#[case::namespace("/api/v1/namespaces/default", 406)]
#[case::groups("/apis", 200)]
#[case::own_group("/apis/apiextensions.k8s.io", 200)]
#[case::group("/apis/example.com", 200)]
#[case::resources("/apis/example.com/v1", 200)]
#[case::instances("/apis/example.com/v1/things", 200)]
fn rest_006_built_in_resources_do_not_accept_ranges(#[case] path: &str, #[case] code: u16) {
    let target = Target::with(&things());
    let answer = target.send("GET", path, &[("accept", "application/*;q=0.5")], "");
    assert_eq!((answer.code, answer.reason() == "NotAcceptable"), (code, code == 406), "{answer:?}");
    let json = "application/*, application/json";
    let code = target.send("GET", path.trim_end_matches("?watch=1"), &[("accept", json)], "").code;
    assert_eq!(code, 200, "one alternative is enough");
}

#[test]
fn the_version_ignores_forms() {
    let table = [("accept", "application/json;as=Table;v=v1;g=meta.k8s.io")];
    let answer = Target::new().send("GET", "/version", &table, "");
    assert_eq!((answer.code, &answer.body["major"]), (200, &json!("1")));
}
