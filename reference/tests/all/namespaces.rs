//! Namespaces (REST-074). The expected results are those of kube-apiserver 1.36.3 and of the namespace controller.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Answer, Target, thing, things};

const NAMESPACES: &str = "/api/v1/namespaces";
const MINE: &str = "/api/v1/namespaces/mine";
const STRATEGIC: &str = "application/strategic-merge-patch+json";

fn namespace(metadata: Value) -> Value {
    let mut namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": metadata});
    namespace["metadata"]["name"] = "mine".into();
    namespace
}

/// A server with the namespace `mine`.
fn with_mine() -> Target {
    let target = Target::with(&things());
    assert_eq!(target.post(&format!("{NAMESPACES}?fieldManager=me"), &namespace(json!({}))).code, 201);
    target
}

fn strategic(target: &Target, patch: &Value) -> Answer {
    target.send("PATCH", MINE, &[("content-type", STRATEGIC)], patch.to_string())
}

#[test]
fn rest_074_a_new_namespace_has_defaults() {
    let target = Target::new();
    let mut object = namespace(json!({"labels": {"a": "b", "kubernetes.io/metadata.name": "other"}}));
    object["spec"] = json!({"finalizers": ["a.io/b"]});
    object["status"] = json!({"phase": "Terminating"});
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
    let listed: Vec<(&Value, &Value)> = resources
        .as_array()
        .into_iter()
        .flatten()
        .skip(1)
        .map(|resource| (&resource["name"], &resource["verbs"]))
        .collect();
    let expected = [
        (json!("namespaces"), json!(["create", "delete", "get", "list", "patch", "update", "watch"])),
        (json!("namespaces/finalize"), json!(["update"])),
        (json!("namespaces/status"), json!(["get", "patch", "update"])),
    ];
    assert_eq!(listed, expected.iter().map(|(name, verbs)| (name, verbs)).collect::<Vec<_>>());
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
    let mut body = namespace(json!({"labels": {"by": "status"}}));
    body["spec"] = json!({"finalizers": ["a.io/b"]});
    body["status"] = json!({"conditions": [{"type": "A", "status": "True"}]});
    let status = target.put(&format!("{MINE}/status?fieldManager=s"), &body).body;
    assert_eq!(status["spec"], json!({"finalizers": ["kubernetes"]}));
    let condition = json!({"type": "A", "status": "True", "lastTransitionTime": null});
    assert_eq!(status["status"], json!({"phase": "Active", "conditions": [condition]}));
    assert_eq!(status["metadata"]["labels"]["by"], "status");
    let finalize = target.put(&format!("{MINE}/finalize?fieldManager=f"), &body).body;
    assert_eq!(finalize["spec"], json!({"finalizers": ["a.io/b"]}));
    assert_eq!(finalize["status"], status["status"]);
    let parts: Vec<&Value> = finalize["metadata"]["managedFields"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.get("subresource"))
        .collect();
    assert_eq!(parts, ["finalize", "status"]);
}

#[test]
fn rest_074_subresources_validate_their_part() {
    let target = with_mine();
    let phase = target.merge(&format!("{MINE}/status"), &json!({"status": {"phase": "Terminating"}}));
    assert_eq!(phase.causes(), [("status.Phase".into(), "Invalid".into())]);
    let mut body = namespace(json!({}));
    body["spec"] = json!({"finalizers": ["kubernetes", "bad"]});
    let finalizer = target.put(&format!("{MINE}/finalize"), &body);
    assert_eq!(finalizer.causes(), [("spec.finalizers[1]".into(), "Invalid".into())]);
}

#[rstest]
#[case("default")]
#[case("kube-system")]
#[case("kube-public")]
fn rest_074_system_namespaces_cannot_be_deleted(#[case] name: &str) {
    let refused = Target::new().delete(&format!("{NAMESPACES}/{name}"));
    assert_eq!((refused.code, refused.reason()), (403, "Forbidden"));
}

/// The status and message of a condition.
fn condition(namespace: &Value, kind: &str) -> Option<(String, String)> {
    let mut conditions = namespace["status"]["conditions"].as_array()?.iter();
    let found = conditions.find(|condition| condition["type"] == kind)?;
    Some((found["status"].as_str()?.to_owned(), found["message"].as_str()?.to_owned()))
}

#[test]
fn rest_074_objects_with_finalizers_keep_a_namespace() {
    let target = with_mine();
    let path = "/apis/example.com/v1/namespaces/mine/things";
    let mut held = thing("held", &json!({}));
    held["metadata"]["finalizers"] = json!(["a.io/b"]);
    assert_eq!(target.post(path, &held).code, 201);
    assert_eq!(target.post(path, &thing("free", &json!({}))).code, 201);
    assert_eq!(target.delete(MINE).body["status"]["phase"], "Terminating");
    let terminating = target.get(MINE).body;
    assert_eq!(terminating["spec"], json!({"finalizers": ["kubernetes"]}));
    let pair = |status: &str, message: &str| Some((status.to_owned(), message.to_owned()));
    assert_eq!(
        condition(&terminating, "NamespaceContentRemaining"),
        pair("True", "Some resources are remaining: things.example.com has 1 resource instances")
    );
    let finalizers = "Some content in the namespace has finalizers remaining: a.io/b in 1 resource instances";
    assert_eq!(condition(&terminating, "NamespaceFinalizersRemaining"), pair("True", finalizers));
    assert_eq!(
        condition(&terminating, "NamespaceDeletionDiscoveryFailure"),
        pair("False", "All resources successfully discovered")
    );
    assert_eq!(target.get(path).names(), ["held"]);
    target.merge(&format!("{path}/held"), &json!({"metadata": {"finalizers": null}}));
    assert_eq!(target.get(MINE).code, 404);
}

#[test]
fn rest_074_other_finalizers_keep_an_empty_namespace() {
    let target = with_mine();
    let mut body = namespace(json!({}));
    body["spec"] = json!({"finalizers": ["a.io/b", "kubernetes"]});
    target.put(&format!("{MINE}/finalize"), &body);
    target.delete(MINE);
    let terminating = target.get(MINE).body;
    assert_eq!(terminating["spec"], json!({"finalizers": ["a.io/b"]}));
    assert_eq!(target.delete(MINE).body, terminating);
    body["spec"] = json!({"finalizers": []});
    assert_eq!(target.put(&format!("{MINE}/finalize"), &body).code, 200);
    assert_eq!(target.get(MINE).code, 404);
}

#[test]
fn rest_044_an_empty_namespace_is_deleted_as_any_object() {
    let target = Target::with(&things());
    target.post(NAMESPACES, &namespace(json!({"finalizers": ["a.io/b"]})));
    let first = target.delete(MINE);
    assert_eq!(first.body["metadata"]["deletionGracePeriodSeconds"], json!(null));
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
    assert_eq!(strategic(&target, &both).code, 200);
    let merged = strategic(&target, &json!({"metadata": {"labels": {"a": null}, "finalizers": ["a.io/d", "a.io/b"]}}));
    assert_eq!(merged.body["metadata"]["finalizers"], json!(["a.io/d", "a.io/b", "a.io/c"]));
    assert_eq!(merged.body["metadata"]["labels"], json!({"b": "2", "kubernetes.io/metadata.name": "mine"}));
    let gone = json!({"metadata": {
        "$deleteFromPrimitiveList/finalizers": ["a.io/b"], "$setElementOrder/finalizers": ["a.io/c", "a.io/d"],
    }});
    assert_eq!(strategic(&target, &gone).body["metadata"]["finalizers"], json!(["a.io/c", "a.io/d"]));
    let refused =
        target.send("PATCH", "/apis/example.com/v1/namespaces/default/things/a", &[("content-type", STRATEGIC)], "{}");
    assert_eq!(refused.code, 415);
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
    let created = target.send("POST", NAMESPACES, &[("content-type", "application/json")], body);
    let warning = |text: &str| format!("299 - \"{text}\"");
    let expected = [
        r#"unknown field \"zz\""#,
        r#"unknown field \"metadata.qq\""#,
        r#"duplicate field \"metadata.annotations.a\""#,
        r#"unknown field \"spec.x\""#,
        r#"unknown field \"spec.a\""#,
        r#"unknown field \"aa\""#,
    ];
    assert_eq!(created.warnings, expected.map(warning));
    let patched = target.merge(MINE, &json!({"zz": 1, "metadata": {"qq": 1}, "aa": 2, "spec": {"x": 1, "a": 1}}));
    let expected = ["aa", "metadata.qq", "spec.a", "spec.x", "zz"];
    assert_eq!(patched.warnings, expected.map(|path| warning(&format!(r#"unknown field \"{path}\""#))));
}
