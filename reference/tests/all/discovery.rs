//! Discovery (section 12.1, VER-002, VER-005, VER-006).

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    AGGREGATED, DEFINITIONS, JSON, OTHERS_DEFINITION, TABLE, THINGS_DEFINITION, Target, With, definition,
    definition_of, renamed, schema, things, version,
};

/// The values of `versions[].version` of an `APIGroup`.
fn listed(group: &Value) -> Vec<&str> {
    group["versions"].as_array().into_iter().flatten().filter_map(|version| version["version"].as_str()).collect()
}

fn group_of<'v>(list: &'v Value, name: &str) -> Option<&'v Value> {
    list["groups"].as_array()?.iter().find(|group| group["name"] == name)
}

/// The group `example.com` in the aggregated list.
fn aggregated(target: &Target) -> Option<Value> {
    let list = target.get_as("/apis", AGGREGATED).body;
    list["items"].as_array()?.iter().find(|item| item["metadata"]["name"] == "example.com").cloned()
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
        assert_eq!(aggregated(&target).map(|group| listed(&group).join(" ")), Some(order.join(" ")));
    }
}

#[test]
fn ver_006_a_group_is_the_union_of_its_established_definitions() {
    let plain = schema(&json!({}));
    let target = Target::with(&definition_of(&plain));
    let other = definition(&[version("v1", true, &plain), version("v2", false, &plain)]);
    target.install(&renamed(other, "others", "Other"));
    let refused = definition(&[version("v3", true, &plain)]);
    target.install(&renamed(refused, "thirds", "Thing"));
    assert_eq!(listed(&target.get("/apis/example.com").body), ["v2", "v1"]);
    assert_eq!(target.get("/apis/example.com/v3").code, 404);
    let names = |version: &str| {
        let resources = target.get(&format!("/apis/example.com/{version}")).body["resources"].clone();
        let names = resources.as_array().into_iter().flatten().filter_map(|entry| entry["name"].as_str());
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(["v1", "v2"].map(names), ["others things", "others"]);
    let unserved = version("v1", true, &plain).with("/served", false);
    target.merge(OTHERS_DEFINITION, &json!({"spec": {"versions": [unserved]}}));
    assert_eq!(listed(&target.get("/apis/example.com").body), ["v1"]);
    assert_eq!(names("v1"), "things");
    assert_eq!(target.get("/apis/example.com/v2").code, 404);
    target.delete(OTHERS_DEFINITION);
    assert_eq!(listed(&target.get("/apis/example.com").body), ["v1"]);
    target.delete(THINGS_DEFINITION);
    assert_eq!(listed(&target.get("/apis/example.com").body), ["v3"], "LIFE-011: the waiting definition is accepted");
    target.delete(&format!("{DEFINITIONS}/thirds.example.com"));
    let gone = target.get("/apis/example.com");
    assert_eq!((gone.code, gone.text.as_str()), (404, "404 page not found\n"));
    assert_eq!(group_of(&target.get("/apis").body, "example.com"), None);
}

#[test]
fn disc_004_resources_are_listed() {
    let named = things().with("/spec/names/shortNames", json!(["th"])).with("/spec/names/categories", json!(["all"]));
    let target = Target::with(&named);
    let list = target.get("/apis/example.com/v1").body;
    let entry = &list["resources"][0];
    assert_eq!((&list["kind"], &list["groupVersion"]), (&json!("APIResourceList"), &json!("example.com/v1")));
    let verbs = json!(["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"]);
    let expected = json!({
        "name": "things", "singularName": "thing", "namespaced": true, "kind": "Thing", "shortNames": ["th"],
        "categories": ["all"], "storageVersionHash": "MkkTy7bNlnM=", "verbs": verbs,
    });
    assert_eq!(*entry, expected);
    let list = target.get_as("/apis", AGGREGATED).body;
    let expected = json!({
        "resource": "things", "singularResource": "thing", "scope": "Namespaced", "shortNames": ["th"],
        "categories": ["all"], "responseKind": {"group": "example.com", "version": "v1", "kind": "Thing"},
        "verbs": verbs,
    });
    assert_eq!(list["items"][2]["versions"][0]["resources"][0], expected);
}

#[test]
fn disc_011_the_content_type_repeats_the_parameters() {
    let answer = Target::new().get_as("/apis", AGGREGATED);
    assert_eq!((answer.header("content-type"), answer.header("vary")), (AGGREGATED, "Accept"));
}

#[test]
fn disc_006_to_008_subresources_and_hashes_are_listed() {
    let plain = schema(&json!({}));
    let scale = json!({"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"});
    let v1 = version("v1", true, &plain).with("/subresources", json!({"status": {}, "scale": scale}));
    let target = Target::with(&definition(&[v1, version("v2", false, &plain)]));
    let verbs = json!(["get", "patch", "update"]);
    let resources = target.get("/apis/example.com/v1").body["resources"].clone();
    let part = |part: &str, kind: &str| {
        let name = format!("things/{part}");
        json!({"name": name, "singularName": "", "namespaced": true, "kind": kind, "verbs": verbs})
    };
    let scale = part("scale", "Scale").with("/group", "autoscaling").with("/version", "v1");
    assert_eq!(resources.as_array().map(|entries| &entries[1..]), Some(&[part("status", "Thing"), scale][..]));
    let of_v2 = target.get("/apis/example.com/v2").body["resources"].clone();
    assert_eq!(of_v2.as_array().map(Vec::len), Some(1));
    assert_eq!(of_v2[0]["storageVersionHash"], resources[0]["storageVersionHash"], "DISC-008");
    let definitions = target.get("/apis/apiextensions.k8s.io/v1").body["resources"].clone();
    assert_eq!(definitions[0]["storageVersionHash"], "jfWCUB31mvA=", "as in kube-apiserver");

    let group = aggregated(&target).expect("the group");
    let parts = |version: usize| group["versions"][version]["resources"][0].get("subresources").cloned();
    assert_eq!(parts(0), None, "v2 comes first");
    let part = |name: &str, group: &str, kind: &str| {
        let kind = json!({"group": group, "version": "v1", "kind": kind});
        json!({"subresource": name, "responseKind": kind, "verbs": verbs})
    };
    let expected = json!([part("status", "example.com", "Thing"), part("scale", "autoscaling", "Scale")]);
    assert_eq!(parts(1), Some(expected));
}

#[test]
fn disc_011_an_unchanged_aggregated_list_is_not_sent_again() {
    let target = Target::with(&things());
    let ask = |path: &str, tag: &str| target.send("GET", path, &[("accept", AGGREGATED), ("if-none-match", tag)], "");
    for path in ["/api", "/apis"] {
        let first = ask(path, "\"other\"");
        assert_eq!((first.code, first.header("cache-control")), (200, "public"));
        let tag = first.header("etag");
        assert!(tag.len() > 2 && tag.starts_with('"') && tag.ends_with('"'), "{tag}");
        assert_eq!(first.header("vary"), "Accept");
        let known = ask(path, tag);
        assert_eq!((known.code, known.text.as_str()), (304, ""));
        assert_eq!((known.header("etag"), known.header("vary")), (tag, "Accept"));
        target.delete(THINGS_DEFINITION);
        assert_eq!(ask(path, tag).code, if path == "/api" { 304 } else { 200 });
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
    let target = Target::with(&things().with("/spec/versions/0/subresources", json!({"status": {}})));
    assert_eq!(target.send_as(JSON, method, &format!("/apis/example.com/v1{path}"), "{}").code, code);
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
    let answer = target.get_as(path, "application/*;q=0.5");
    assert_eq!((answer.code, answer.reason() == "NotAcceptable"), (code, code == 406), "{answer:?}");
    let either = target.get_as(path.trim_end_matches("?watch=1"), "application/*, application/json");
    assert_eq!(either.code, 200, "one alternative is enough");
}

#[test]
fn the_version_ignores_forms() {
    let answer = Target::new().get_as("/version", TABLE);
    assert_eq!((answer.code, &answer.body["major"]), (200, &json!("1")));
}
