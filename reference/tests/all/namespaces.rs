//! Namespaces (REST-074). The expected results are those of kube-apiserver 1.36.3 and of the namespace controller.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{JSON, NAMESPACES, THING, Target, With, condition_with, thing, things, unknown};

const MINE: &str = "/api/v1/namespaces/mine";

fn namespace(metadata: Value) -> Value {
    json!({"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}).with("/metadata/name", "mine")
}

/// A server with the namespace `mine`.
fn with_mine() -> Target {
    let target = Target::with(&things());
    target.create(&format!("{NAMESPACES}?fieldManager=me"), &namespace(json!({})));
    target
}

#[test]
fn rest_074_a_new_namespace_has_defaults() {
    let target = Target::new();
    let object = namespace(json!({"labels": {"a": "b", "kubernetes.io/metadata.name": "other"}}))
        .with("/spec", json!({"finalizers": ["a.io/b"]}))
        .with("/status", json!({"phase": "Terminating"}));
    let created = target.post(&format!("{NAMESPACES}?fieldManager=me"), &object).body;
    assert_eq!(created["spec"], json!({"finalizers": ["a.io/b", "kubernetes"]}));
    assert_eq!(created["status"], json!({"phase": "Active"}));
    assert_eq!(created["metadata"]["labels"], json!({"a": "b", "kubernetes.io/metadata.name": "mine"}));
    let fields = &created["metadata"]["managedFields"][0]["fieldsV1"];
    let labels = json!({".": {}, "f:a": {}, "f:kubernetes.io/metadata.name": {}});
    assert_eq!(fields["f:metadata"], json!({"f:labels": labels}));
    let generated = target.post(NAMESPACES, &json!({"metadata": {"generateName": "g-"}})).body;
    assert_eq!(generated["metadata"]["labels"]["kubernetes.io/metadata.name"], generated["metadata"]["name"]);
    assert_eq!(generated["metadata"].get("generation"), None);
}

#[rstest]
#[case("DELETE", "", 405)]
#[case("HEAD", "", 405)]
#[case("POST", "/mine", 405)]
#[case("POST", "/mine/status", 405)]
#[case("DELETE", "/mine/status", 405)]
#[case("GET", "/mine/finalize", 405)]
#[case("PATCH", "/mine/finalize", 405)]
#[case("GET", "/mine/other", 404)]
#[case("GET", "/mine/status", 200)]
fn rest_003_unsupported_methods_and_paths_are_refused(#[case] method: &str, #[case] path: &str, #[case] code: u16) {
    let target = with_mine();
    assert_eq!(target.send(method, &format!("{NAMESPACES}{path}"), &[], "").code, code);
}

#[test]
fn disc_006_subresources_are_listed() {
    let resources = Target::new().get("/api/v1").body["resources"].clone();
    let resources = resources.as_array().into_iter().flatten().skip(1);
    let listed: Vec<_> = resources.map(|resource| json!([resource["name"], resource["verbs"]])).collect();
    let expected = json!([
        ["namespaces", ["create", "delete", "get", "list", "patch", "update", "watch"]],
        ["namespaces/finalize", ["update"]],
        ["namespaces/status", ["get", "patch", "update"]],
    ]);
    assert_eq!(json!(listed), expected);
}

#[test]
fn rest_028_an_update_needs_no_revision() {
    let target = with_mine();
    let put = target.put(MINE, &namespace(json!({"labels": {"a": "b"}})));
    assert_eq!((put.code, &put.body["metadata"]["labels"]["a"]), (200, &json!("b")));
    assert_eq!(put.body["spec"], json!({"finalizers": ["kubernetes"]}));
    let stale = target.put(MINE, &namespace(json!({"resourceVersion": "1"})));
    assert_eq!((stale.code, stale.reason()), (409, "Conflict"));
}

#[test]
fn rest_074_subresources_change_only_their_part() {
    let target = with_mine();
    let body = namespace(json!({"labels": {"by": "status"}}))
        .with("/spec", json!({"finalizers": ["a.io/b"]}))
        .with("/status", json!({"conditions": [{"type": "A", "status": "True"}]}));
    let status = target.put(&format!("{MINE}/status?fieldManager=s"), &body).body;
    assert_eq!(status["spec"], json!({"finalizers": ["kubernetes"]}));
    let condition = json!({"type": "A", "status": "True", "lastTransitionTime": null});
    assert_eq!(status["status"], json!({"phase": "Active", "conditions": [condition]}));
    assert_eq!(status["metadata"]["labels"]["by"], "status");
    let finalize = target.put(&format!("{MINE}/finalize?fieldManager=f"), &body).body;
    assert_eq!(finalize["spec"], json!({"finalizers": ["a.io/b"]}));
    assert_eq!(finalize["status"], status["status"]);
    let managers = finalize["metadata"]["managedFields"].as_array().into_iter().flatten();
    let parts: Vec<_> = managers.filter_map(|entry| entry.get("subresource")).collect();
    assert_eq!(parts, ["finalize", "status"]);
}

#[test]
fn rest_074_subresources_validate_their_part() {
    let target = with_mine();
    let phase = target.merge(&format!("{MINE}/status"), &json!({"status": {"phase": "Terminating"}}));
    assert_eq!(phase.causes(), ["status.Phase Invalid"]);
    let body = namespace(json!({})).with("/spec", json!({"finalizers": ["kubernetes", "bad"]}));
    assert_eq!(target.put(&format!("{MINE}/finalize"), &body).causes(), ["spec.finalizers[1] Invalid"]);
}

#[rstest]
#[case("default")]
#[case("kube-system")]
#[case("kube-public")]
fn rest_074_system_namespaces_cannot_be_deleted(#[case] name: &str) {
    let refused = Target::new().delete(&format!("{NAMESPACES}/{name}"));
    assert_eq!((refused.code, refused.reason()), (403, "Forbidden"));
}

#[test]
fn rest_074_objects_with_finalizers_keep_a_namespace() {
    let target = with_mine();
    let path = "/apis/example.com/v1/namespaces/mine/things";
    let held = thing("held", &json!({})).with("/metadata/finalizers", json!(["a.io/b"]));
    target.create(path, &held);
    target.create(path, &thing("free", &json!({})));
    assert_eq!(target.delete(MINE).body["status"]["phase"], "Terminating");
    let terminating = target.get(MINE).body;
    assert_eq!(terminating["spec"], json!({"finalizers": ["kubernetes"]}));
    for (name, expected) in [
        ("NamespaceContentRemaining", "True Some resources are remaining: things.example.com has 1 resource instances"),
        (
            "NamespaceFinalizersRemaining",
            "True Some content in the namespace has finalizers remaining: a.io/b in 1 resource instances",
        ),
        ("NamespaceDeletionDiscoveryFailure", "False All resources successfully discovered"),
    ] {
        assert_eq!(condition_with(&terminating, name, "message"), expected);
    }
    assert_eq!(target.get(path).names(), ["held"]);
    target.merge(&format!("{path}/held"), &json!({"metadata": {"finalizers": null}}));
    assert_eq!(target.get(MINE).code, 404);
}

#[test]
fn rest_074_other_finalizers_keep_an_empty_namespace() {
    let target = with_mine();
    let finalize = |finalizers: Value| {
        target.put(&format!("{MINE}/finalize"), &namespace(json!({})).with("/spec/finalizers", finalizers))
    };
    finalize(json!(["a.io/b", "kubernetes"]));
    target.delete(MINE);
    let terminating = target.get(MINE).body;
    assert_eq!(terminating["spec"], json!({"finalizers": ["a.io/b"]}));
    assert_eq!(target.delete(MINE).body, terminating);
    assert_eq!(finalize(json!([])).code, 200);
    assert_eq!(target.get(MINE).code, 404);
}

#[test]
fn rest_044_an_empty_namespace_is_deleted_as_any_object() {
    let target = Target::with(&things());
    target.post(NAMESPACES, &namespace(json!({"finalizers": ["a.io/b"]})));
    assert_eq!(target.delete(MINE).body["metadata"]["deletionGracePeriodSeconds"], json!(null));
    let second = target.delete(&format!("{MINE}?propagationPolicy=Foreground")).body;
    assert_eq!(second["metadata"]["deletionGracePeriodSeconds"], 0);
    assert_eq!(second["metadata"]["finalizers"], json!(["a.io/b", "foregroundDeletion"]));
    assert_eq!(target.delete(MINE).body, second);
    target.merge(MINE, &json!({"metadata": {"finalizers": null}}));
    assert_eq!(target.get(MINE).code, 404);
}

#[test]
fn rest_032_strategic_merge_patches_are_applied() {
    let target = with_mine();
    let both = json!({"metadata": {"labels": {"a": "1", "b": "2"}, "finalizers": ["a.io/b", "a.io/c"]}});
    assert_eq!(target.strategic(MINE, &both).code, 200);
    let merged =
        target.strategic(MINE, &json!({"metadata": {"labels": {"a": null}, "finalizers": ["a.io/d", "a.io/b"]}}));
    assert_eq!(merged.body["metadata"]["finalizers"], json!(["a.io/d", "a.io/b", "a.io/c"]));
    assert_eq!(merged.body["metadata"]["labels"], json!({"b": "2", "kubernetes.io/metadata.name": "mine"}));
    let gone = json!({"metadata": {
        "$deleteFromPrimitiveList/finalizers": ["a.io/b"], "$setElementOrder/finalizers": ["a.io/c", "a.io/d"],
    }});
    assert_eq!(target.strategic(MINE, &gone).body["metadata"]["finalizers"], json!(["a.io/c", "a.io/d"]));
    assert_eq!(target.strategic(THING, &json!({})).code, 415);
}

#[test]
fn rest_041_an_empty_list_resets_the_managers_of_a_typed_object() {
    let target = with_mine();
    let reset = target.merge(MINE, &json!({"metadata": {"managedFields": []}}));
    assert_eq!(reset.body["metadata"].get("managedFields"), None);
}

#[test]
fn rest_052_unknown_fields_are_reported_in_the_order_of_the_text() {
    let target = Target::new();
    let body = r#"{"zz":1,"metadata":{"name":"mine","qq":1,"annotations":{"a":"1","a":"1"}},"spec":{"x":1,"a":2},"aa":1,"zz":2}"#;
    let created = target.send_as(JSON, "POST", NAMESPACES, body);
    let expected = [
        r#"299 - "unknown field \"zz\"""#,
        r#"299 - "unknown field \"metadata.qq\"""#,
        r#"299 - "duplicate field \"metadata.annotations.a\"""#,
        r#"299 - "unknown field \"spec.x\"""#,
        r#"299 - "unknown field \"spec.a\"""#,
        r#"299 - "unknown field \"aa\"""#,
    ];
    assert_eq!(created.warnings, expected);
    let patched = target.merge(MINE, &json!({"zz": 1, "metadata": {"qq": 1}, "aa": 2, "spec": {"x": 1, "a": 1}}));
    assert_eq!(patched.warnings, ["aa", "metadata.qq", "spec.a", "spec.x", "zz"].map(unknown));
}
