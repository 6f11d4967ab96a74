//! Creating, reading and replacing objects (REST-005..031, REST-040, REST-050..059).

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    JSON, MERGE, NAMESPACES, THING, THINGS, THINGS_DEFINITION, Target, With, definition, definition_of, schema, thing,
    things, unknown, version,
};

#[test]
fn rest_008_a_wrong_kind_is_reported_with_invalid_metadata() {
    let target = Target::with_thing(&json!({}));
    let wrong = target.get(THING).body.with("/kind", "X").with("/spec", json!({"a": 5}));
    let labelled = wrong.clone().with("/metadata/labels", json!({"-a": "b"}));
    assert_eq!(target.put(THING, &labelled).fields(), ["kind", "metadata.labels", "metadata.labels"]);
    let new = wrong.with("/metadata", json!({"name": "b", "labels": {"-a": "b"}}));
    assert_eq!(target.post(THINGS, &new).fields(), ["kind"]);
}

#[test]
fn rest_013_create_prunes_defaults_and_fills_in_metadata() {
    let target = Target::with(&things());
    let created = target.post(THINGS, &thing("a", &json!({"a": "x", "zz": 1, "n": null})));
    assert_eq!(created.code, 201);
    assert_eq!(created.body["spec"], json!({"a": "x", "d": "dd"}));
    let metadata = &created.body["metadata"];
    assert_eq!((&metadata["generation"], &metadata["namespace"]), (&json!(1), &json!("default")));
    assert_eq!(metadata["uid"].as_str().map(str::len), Some(36));
    assert!(metadata["creationTimestamp"].as_str().is_some_and(|time| time.ends_with('Z')));
    assert_eq!(created.warnings, [unknown("spec.zz")]);
    assert_eq!(target.get(THING).body, created.body);
}

const BAD_REQUEST: &str = "BadRequest";

#[rstest]
#[case::rest_010_array("[]", 400, BAD_REQUEST)]
#[case::rest_010_null("null", 400, BAD_REQUEST)]
#[case::rest_010_empty("", 400, BAD_REQUEST)]
#[case::rest_010_trailing("{} {}", 400, BAD_REQUEST)]
#[case::rest_008_no_kind("{}", 400, BAD_REQUEST)]
#[case::rest_008_no_version(r#"{"kind":"Thing"}"#, 400, BAD_REQUEST)]
#[case::rest_008_other_version(r#"{"kind":"Thing","apiVersion":"example.com/v2"}"#, 400, BAD_REQUEST)]
#[case::rest_008_other_kind(r#"{"kind":"X","apiVersion":"example.com/v1","metadata":{"name":"a"}}"#, 422, "Invalid")]
#[case::rest_017_no_name(r#"{"kind":"Thing","apiVersion":"example.com/v1"}"#, 422, "Invalid")]
#[case::prune_016_wrong_metadata(
    r#"{"kind":"Thing","apiVersion":"example.com/v1","metadata":{"name":"a","labels":{"a":1}}}"#,
    400,
    BAD_REQUEST
)]
#[case::value_040_namespace(
    r#"{"kind":"Thing","apiVersion":"example.com/v1","metadata":{"name":"a","namespace":"b"}}"#,
    400,
    BAD_REQUEST
)]
#[case::rest_015_version(
    r#"{"kind":"Thing","apiVersion":"example.com/v1","metadata":{"name":"a","resourceVersion":"5"}}"#,
    400,
    BAD_REQUEST
)]
fn invalid_creates_are_refused(#[case] body: &'static str, #[case] code: u16, #[case] reason: &str) {
    let target = Target::with(&things());
    let answer = target.send("POST", THINGS, &[], body);
    assert_eq!((answer.code, answer.reason(), answer.body["code"].as_u64()), (code, reason, Some(u64::from(code))));
    assert_eq!(target.get(THINGS).body["items"], json!([]));
}

#[rstest]
#[case::rest_008(json!({"kind": "X"}), &["kind Invalid"])]
#[case::rest_017(json!({"metadata": {}}), &["metadata.name Required"])]
#[case::value_040(json!({"metadata": {"name": "A"}}), &["metadata.name Invalid"])]
#[case::rest_018(json!({"metadata": {"name": "a", "generateName": "A."}}), &["metadata.generateName Invalid"])]
#[case::value_041(json!({"metadata": {"name": "a", "labels": {"a/b/c": "-"}}}), &["metadata.labels Invalid", "metadata.labels Invalid"])]
#[case::rest_070(json!({"metadata": {"name": "a", "finalizers": ["a b"]}}), &["metadata.finalizers Invalid"])]
#[case::value_001(json!({"spec": {"a": 5}}), &["spec.a TypeInvalid"])]
#[case::default_005(json!({"spec": []}), &["spec TypeInvalid"])]
fn rest_005_violations_are_causes(#[case] change: Value, #[case] expected: &[&str]) {
    let target = Target::with(&things());
    let object = change.as_object().expect("an object").iter();
    let object =
        object.fold(thing("a", &json!({})), |object, (key, value)| object.with(&format!("/{key}"), value.clone()));
    let answer = target.post(THINGS, &object);
    assert_eq!((answer.code, answer.reason()), (422, "Invalid"));
    assert_eq!(answer.causes(), expected);
    assert_eq!(answer.body["details"]["kind"], change["kind"].as_str().unwrap_or("Thing"));
    assert_eq!(answer.body["details"]["group"], "example.com");
}

#[test]
fn rest_070_finalizer_warnings_are_sent_even_if_the_name_is_taken() {
    let target = Target::with(&things());
    let object = thing("a", &json!({})).with("/metadata/finalizers", json!(["bare"]));
    let [created, taken] = [201, 409].map(|code| {
        let answer = target.post(THINGS, &object);
        assert_eq!(answer.code, code);
        answer.warnings
    });
    assert_eq!((created.len(), &created), (1, &taken));
}

#[test]
fn rest_014_system_fields_from_clients_are_ignored() {
    let target = Target::with(&things());
    let metadata = json!({
        "name": "a", "uid": "u", "generation": 7, "creationTimestamp": "2000-01-01T00:00:00Z",
        "deletionTimestamp": "2000-01-01T00:00:00Z", "selfLink": "/x",
    });
    let created = target.post(THINGS, &thing("a", &json!({})).with("/metadata", metadata));
    let metadata = created.body["metadata"].as_object().expect("metadata");
    assert_eq!(metadata["generation"], 1);
    assert!(metadata["uid"] != "u" && metadata["creationTimestamp"] != "2000-01-01T00:00:00Z");
    assert!(!metadata.contains_key("deletionTimestamp") && !metadata.contains_key("selfLink"));
}

#[test]
fn rest_016_and_018_names_are_unique_or_generated() {
    let target = Target::with_thing(&json!({}));
    let again = target.post(THINGS, &thing("a", &json!({})));
    assert_eq!((again.code, again.reason()), (409, "AlreadyExists"));
    assert_eq!(again.body["details"]["kind"], "things");
    assert_eq!(target.post(THINGS, &thing("a", &json!({"a": 1}))).code, 422);
    let generated = thing("", &json!({})).with("/metadata", json!({"generateName": "b-"}));
    let created = target.post(THINGS, &generated);
    let name = created.body["metadata"]["name"].as_str().unwrap_or_default().to_owned();
    assert_eq!((created.code, name.len(), name.starts_with("b-")), (201, 7, true));
    assert_eq!(target.get(&format!("{THINGS}/{name}")).body["metadata"]["generateName"], "b-");
}

#[rstest]
#[case::rest_053("Ignore", 201, &[])]
#[case::rest_051("Warn", 201, &["duplicate field \\\"spec.a\\\"", "unknown field \\\"metadata.zz\\\"", "unknown field \\\"spec.b\\\""])]
#[case::rest_050("", 201, &["duplicate field \\\"spec.a\\\"", "unknown field \\\"metadata.zz\\\"", "unknown field \\\"spec.b\\\""])]
#[case::rest_052("Strict", 400, &[])]
#[case::rest_012("strict", 422, &[])]
fn field_validation_modes(#[case] mode: &str, #[case] code: u16, #[case] warnings: &[&str]) {
    let target = Target::with(&things());
    let body = r#"{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a","zz":1},"spec":{"a":"1","a":"2","b":1}}"#;
    let answer = target.send("POST", &format!("{THINGS}?fieldValidation={mode}"), &[], body);
    assert_eq!(answer.code, code);
    let expected: Vec<String> = warnings.iter().map(|text| format!("299 - \"{text}\"")).collect();
    assert_eq!(answer.warnings, expected);
    if code == 201 {
        assert_eq!(answer.body["spec"]["a"], "2");
    }
    if code == 400 {
        let expected =
            r#"strict decoding error: duplicate field "spec.a", unknown field "metadata.zz", unknown field "spec.b""#;
        assert!(answer.message().ends_with(expected), "{answer:?}");
    }
}

#[test]
fn rest_028_to_031_put_replaces_the_expected_revision() {
    let target = Target::with(&things());
    let created = target.post(THINGS, &thing("a", &json!({"a": "x"})));
    let with = |metadata: Value| thing("a", &json!({"a": "y"})).with("/metadata", metadata);
    let version = created.version();
    for (metadata, refusal) in [
        (json!({"name": "a"}), "422 metadata.resourceVersion Invalid"),
        (json!({"name": "a", "resourceVersion": "0"}), "422 metadata.resourceVersion Invalid"),
        (json!({"name": "a", "resourceVersion": "1"}), "409"),
        (json!({"name": "a", "resourceVersion": "x"}), "400"),
        (json!({"name": "b", "resourceVersion": version}), "400"),
        (json!({"resourceVersion": version}), "400"),
        (json!({"name": "a", "resourceVersion": version, "uid": "u"}), "409"),
    ] {
        assert_eq!(target.put(THING, &with(metadata)).refusal(), refusal);
    }
    assert_eq!(target.get(THING).body, created.body);
    let put = target.put(THING, &with(json!({"name": "a", "resourceVersion": version, "generation": 9})));
    assert_eq!((put.code, put.generation(), &put.body["spec"]["a"]), (200, 2, &json!("y")));
    assert_eq!(put.body["metadata"]["uid"], created.body["metadata"]["uid"]);
    assert_ne!(put.version(), version);
    assert_eq!(target.put(&format!("{THINGS}/b"), &with(json!({"name": "b", "resourceVersion": version}))).code, 404);
}

#[test]
fn rest_040_writes_without_a_change_keep_the_version() {
    let target = Target::with(&things());
    let created = target.post(THINGS, &thing("a", &json!({"a": "x", "n": 1})));
    assert_eq!(target.put(THING, &created.body).body, created.body);
    assert_eq!(target.merge(THING, &json!({"spec": {"zz": 1}})).body, created.body);
    assert_eq!(target.json_patch(THING, &json!([])).body, created.body);
    let labelled = target.merge(THING, &json!({"metadata": {"labels": {"a": "b"}}}));
    assert_ne!(labelled.version(), created.version());
    assert_eq!(labelled.generation(), 1, "SUB-009: metadata does not count");
}

#[test]
fn value_005_numbers_are_stored_as_go_writes_them() {
    let target = Target::with(&things());
    let body = r#"{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"n":1.0,"m":{"x":1e3,"y":-0.0,"z":9223372036854775807,"w":1e18}}}"#;
    let answer = target.send("POST", THINGS, &[], body);
    assert_eq!(answer.code, 201, "{answer:?}");
    let stored = r#""spec":{"d":"dd","m":{"w":1000000000000000000,"x":1000,"y":0,"z":9223372036854775807},"n":1}"#;
    assert!(answer.text.contains(stored), "{}", answer.text);
}

#[test]
fn rest_058_dry_runs_store_nothing() {
    let target = Target::with(&things());
    let created = target.post(&format!("{THINGS}?dryRun=All"), &thing("a", &json!({"zz": 1})));
    assert_eq!((created.code, created.version()), (201, String::new()));
    assert_eq!(created.body["spec"], json!({"d": "dd"}));
    assert_eq!(target.get(THINGS).body["items"], json!([]));
    let real = target.post(THINGS, &thing("a", &json!({"a": "x"})));
    assert_eq!(target.post(&format!("{THINGS}?dryRun=All"), &thing("a", &json!({}))).code, 409);
    let dry = target.merge(&format!("{THING}?dryRun=All"), &json!({"spec": {"a": "y"}}));
    assert_eq!((dry.version(), dry.generation(), &dry.body["spec"]["a"]), (real.version(), 2, &json!("y")));
    assert_eq!(target.delete(&format!("{THING}?dryRun=All")).body["status"], "Success");
    assert_eq!(target.get(THING).body, real.body);
}

#[rstest]
#[case::rest_002_no_namespace("GET", "/apis/example.com/v1/things/a")]
#[case::rest_002_create("POST", "/apis/example.com/v1/things")]
#[case::rest_002_delete_collection("DELETE", "/apis/example.com/v1/things")]
#[case::rest_004_singular("GET", "/apis/example.com/v1/namespaces/default/thing")]
#[case::ver_009_version("GET", "/apis/example.com/v2/namespaces/default/things")]
#[case::unknown("GET", "/foo")]
fn unrouted_paths_are_404(#[case] method: &str, #[case] path: &str) {
    let answer = Target::with(&things()).send(method, path, &[], "");
    assert_eq!((answer.code, answer.text.as_str()), (404, "404 page not found\n"));
}

#[rstest]
#[case::rest_003_unknown_subresource("GET", "/a/foo", &[], 404)]
#[case::rest_003_options("OPTIONS", "", &[], 405)]
#[case::rest_003_put_collection("PUT", "", &[], 400)]
#[case::rest_006_text("POST", "", &[("content-type", "text/plain")], 415)]
#[case::rest_006_accept("GET", "", &[("accept", "text/plain")], 406)]
#[case::watch_without_a_stream("GET", "?watch=1", &[], 406)]
#[case::later_apply("PATCH", "/a", &[("content-type", "application/apply-patch+yaml")], 415)]
#[case::rest_032_strategic("PATCH", "/a", &[("content-type", "application/strategic-merge-patch+json")], 415)]
#[case::rest_019("GET", "/a", &[], 404)]
#[case::rest_019_future("GET", "?resourceVersion=99999", &[], 504)]
fn invalid_requests_are_refused(
    #[case] method: &str,
    #[case] suffix: &str,
    #[case] headers: &[(&str, &str)],
    #[case] code: u16,
) {
    let answer = Target::with(&things()).send(method, &format!("{THINGS}{suffix}"), headers, "");
    assert_eq!((answer.code, &answer.body["kind"], &answer.body["code"]), (code, &json!("Status"), &json!(code)));
}

#[test]
fn rest_074_namespaces_must_exist() {
    let target = Target::with(&things());
    let path = "/apis/example.com/v1/namespaces/mine/things";
    let refused = target.post(path, &thing("a", &json!({"a": 5})));
    assert_eq!((refused.code, &refused.body["details"]["kind"]), (404, &json!("namespaces")));
    assert_eq!(target.get(path).body["items"], json!([]), "REST-022");
    assert_eq!(target.post(NAMESPACES, &json!({"metadata": {"name": "mine"}})).code, 201);
    assert_eq!(target.post(path, &thing("a", &json!({}))).code, 201);
    assert_eq!(target.delete("/api/v1/namespaces/mine").body["status"]["phase"], "Terminating");
    assert_eq!((target.get("/api/v1/namespaces/mine").code, target.get(&format!("{path}/a")).code), (404, 404));
    assert_eq!(target.get(NAMESPACES).names(), ["default", "kube-node-lease", "kube-public", "kube-system"]);
}

#[test]
fn cluster_scope_clears_the_namespace() {
    let target = Target::with(&definition_of(&schema(&json!({}))).with("/spec/scope", "Cluster"));
    let object = thing("a", &json!({})).with("/metadata/namespace", "x");
    let created = target.post("/apis/example.com/v1/things", &object);
    assert_eq!((created.code, created.body["metadata"].get("namespace")), (201, None));
    assert_eq!(target.get("/apis/example.com/v1/things/a").code, 200);
    assert_eq!(target.get("/apis/example.com/v1/namespaces/x/things/a").code, 404);
}

#[test]
fn sub_003_and_004_a_status_subresource_is_written_separately() {
    let with_status = definition_of(&json!({"type": "object", "properties": {"status": {"type": "object", "properties": {"x": {"type": "string"}}}}})).with("/spec/versions/0/subresources", json!({"status": {}}));
    let target = Target::with(&with_status);
    let created = target.post(THINGS, &thing("a", &json!({})).with("/status", json!({"x": "1"})));
    assert_eq!((created.code, created.body.get("status")), (201, None));
    assert_eq!(target.merge(THING, &json!({"status": {"x": "1"}})).body, created.body);
}

#[rstest]
#[case::created("POST", THINGS, JSON, "")]
#[case::replaced("PUT", THING, JSON, "")]
#[case::patched("PATCH", THING, MERGE, " after mutating admission happens")]
fn rest_070_duplicate_owners_are_removed(
    #[case] method: &str,
    #[case] path: &str,
    #[case] content_type: &str,
    #[case] when: &str,
) {
    let target = Target::with(&things());
    let mut object = thing("a", &json!({}));
    if method != "POST" {
        object = object.clone().with("/metadata/resourceVersion", target.create(THINGS, &object).version());
    }
    let owner = |uid: &str, name: &str| json!({"apiVersion": "v1", "kind": "X", "name": name, "uid": uid});
    let owners = json!([owner("1", "o"), owner("1", "p"), owner("2", "o"), owner("1", "o"), owner("2", "o")]);
    let object = object.with("/metadata/ownerReferences", owners);
    let answer = target.send_as(content_type, method, path, object.to_string());
    let kept = json!([owner("1", "o"), owner("1", "p"), owner("2", "o")]);
    assert_eq!(answer.body["metadata"]["ownerReferences"], kept);
    let warning = format!(
        "299 - \".metadata.ownerReferences contains duplicate entries{when}; API server dedups owner references in \
         1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: 1, 2\""
    );
    assert_eq!(answer.warnings, [warning]);
    assert_eq!(target.put(THING, &answer.body.with("/metadata/labels", json!({"a": "b"}))).warnings, [""; 0]);
}

/// For a body of another version or kind, metadata is still checked, and the rest is checked by the schema of its own
/// version if that exists, as kube-apiserver 1.36.3 does.
#[rstest]
#[case::other_kind("example.com/v1", "X", json!({"zz": 1}), 422, &["metadata.zz"])]
#[case::other_version("example.com/v2", "Thing", json!({"zz": 1}), 400, &["metadata.zz", "spec.a"])]
#[case::unknown_version("example.com/v9", "Thing", json!({"zz": 1}), 400, &["metadata.zz", "spec"])]
#[case::other_group("other.com/v1", "Thing", json!({"zz": 1}), 400, &["metadata.zz"])]
#[case::wrong_metadata_of_other_kind("example.com/v1", "X", json!({"generation": "x"}), 400, &[])]
fn rest_008_unknown_fields_in_bodies_of_other_types(
    #[case] api_version: &str,
    #[case] kind: &str,
    #[case] metadata: Value,
    #[case] code: u16,
    #[case] fields: &[&str],
) {
    let other = version("v2", false, &schema(&json!({"b": {"type": "string"}})));
    let target = Target::with(&definition(&[things()["spec"]["versions"][0].clone(), other]));
    let body = json!({"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": {"a": "x"}});
    let answer = target.post(THINGS, &body);
    assert_eq!((answer.code, answer.warnings), (code, fields.iter().map(unknown).collect()));
    let strict = target.post(&format!("{THINGS}?fieldValidation=Strict"), &body);
    assert_eq!((strict.code, strict.warnings.is_empty()), (400, true));
    let is_reported = |path: &&str| strict.text.contains(&format!("unknown field \\\"{path}\\\""));
    assert!(fields.iter().all(is_reported), "{}", strict.text);
}

/// A default is stored like any number, so that of 1.0 is 1 when it is read, and writing it back changes nothing.
#[rstest]
fn default_011_a_default_is_read_as_it_is_stored(#[values(1.0, 1e3, 1.5)] default: f64) {
    let target = Target::with(&definition_of(&json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})));
    target.create(THINGS, &thing("a", &json!({})));
    let schema = schema(&json!({"f": {"type": "number", "default": default}}));
    let changed = target.merge(THINGS_DEFINITION, &json!({"spec": {"versions": [version("v1", true, &schema)]}}));
    assert_eq!(changed.code, 200, "{changed:?}");
    let read = target.get(THING);
    assert_eq!(read.body["spec"]["f"].as_f64(), Some(default));
    assert_eq!(target.put(THING, &read.body).generation(), 1);
    assert_eq!(target.merge(THING, &json!({})).generation(), 1);
}
