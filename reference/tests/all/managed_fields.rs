//! Field managers (REST-040, REST-041, SUB-026, SUB-029, VER-021). The expected results are those of kube-apiserver
//! 1.36.3.

use rstest::rstest;
use serde_json::{Map, Value, json};

use crate::clock::TestClock;
use crate::support::{
    DEFINITIONS, JSON, THING, THING_V2, THINGS, THINGS_DEFINITION, Target, With, definition, schema, thing, version,
};

/// A definition with lists and maps of all types, with `/status` and `/scale`, at two versions.
fn topologies() -> Value {
    let mut schema = schema(&json!({
        "a": {"type": "string"},
        "d": {"type": "string", "default": "dd"},
        "n": {"type": "integer"},
        "any": {"x-kubernetes-preserve-unknown-fields": true},
        "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
        "port": {"x-kubernetes-int-or-string": true},
        "atom": {"type": "array", "items": {"type": "string"}},
        "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
        "numbers": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}},
        "map": {
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name", "port"],
            "items": {"type": "object", "required": ["name", "port"], "properties": {
                "name": {"type": "string"}, "port": {"type": "integer", "default": 80}, "v": {"type": "string"},
            }},
        },
        "one": {"type": "object", "x-kubernetes-map-type": "atomic", "properties": {"p": {"type": "string"}}},
        "words": {"type": "object", "additionalProperties": {"type": "string"}},
        "replicas": {"type": "integer"},
    }));
    let status = json!({"s": {"type": "string"}, "replicas": {"type": "integer"}});
    schema["properties"]["status"] = json!({"type": "object", "properties": status});
    let scale = json!({"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"});
    let subresources = json!({"status": {}, "scale": scale});
    let version = |name| version(name, name == "v1", &schema).with("/subresources", subresources.clone());
    definition(&[version("v1"), version("v2")])
}

/// The fields of each entry, by `manager[/subresource]`.
fn managers(object: &Value) -> Map<String, Value> {
    let entries = object["metadata"]["managedFields"].as_array().cloned().unwrap_or_default();
    let entry = |entry: Value| {
        let text = |field: &str| entry[field].as_str().unwrap_or_default().to_owned();
        assert_eq!([text("operation"), text("fieldsType")], ["Update", "FieldsV1"], "{entry}");
        let part = text("subresource");
        let name = if part.is_empty() { text("manager") } else { format!("{}/{part}", text("manager")) };
        (name, entry["fieldsV1"].clone())
    };
    entries.into_iter().map(entry).collect()
}

/// The same as a JSON value.
fn managed(object: &Value) -> Value {
    Value::Object(managers(object))
}

fn at(name: &str, manager: &str) -> String {
    format!("{THINGS}/{name}?fieldManager={manager}")
}

#[rstest]
#[case::scalars(json!({"a": "x", "n": 1}), json!({"f:a": {}, "f:n": {}}))]
#[case::anything(json!({"any": {"m": [1], "o": {}}}), json!({"f:any": {".": {}, "f:m": {}, "f:o": {}}}))]
#[case::unknown(json!({"free": {"p": {"q": 1}}}), json!({"f:free": {".": {}, "f:p": {".": {}, "f:q": {}}}}))]
#[case::int_or_string(json!({"port": 5}), json!({"f:port": {}}))]
#[case::atomic_list(json!({"atom": ["x"]}), json!({"f:atom": {}}))]
#[case::set(json!({"set": ["b", "a"]}), json!({"f:set": {".": {}, "v:\"a\"": {}, "v:\"b\"": {}}}))]
#[case::numbers(json!({"numbers": [3, 1]}), json!({"f:numbers": {".": {}, "v:1": {}, "v:3": {}}}))]
#[case::map_list(
    json!({"map": [{"name": "a", "v": "1"}]}),
    json!({"f:map": {".": {}, "k:{\"name\":\"a\",\"port\":80}": {".": {}, "f:name": {}, "f:port": {}, "f:v": {}}}}),
)]
#[case::atomic_map(json!({"one": {"p": "x"}}), json!({"f:one": {}}))]
#[case::words(json!({"words": {"a/b": "x"}}), json!({"f:words": {".": {}, "f:a/b": {}}}))]
#[case::empty(json!({"set": [], "words": {}}), json!({"f:set": {}, "f:words": {}}))]
fn rest_041_a_create_owns_all_fields(#[case] spec: Value, #[case] expected: Value) {
    let target = Target::with(&topologies());
    let created = target.create(&format!("{THINGS}?fieldManager=me"), &thing("a", &spec));
    let expected = expected.with("/.", json!({})).with("/f:d", json!({}));
    assert_eq!(managed(&created.body), json!({"me": {"f:spec": expected}}));
    let entry = &created.body["metadata"]["managedFields"][0];
    assert_eq!(entry["apiVersion"], "example.com/v1");
    assert_eq!(entry["time"], created.body["metadata"]["creationTimestamp"]);
}

#[test]
fn rest_041_metadata_is_managed_and_system_fields_are_not() {
    let target = Target::with(&topologies());
    let object = thing("a", &json!({"d": "x"}))
        .with("/metadata/labels", json!({"a": "b"}))
        .with("/metadata/finalizers", json!(["a.io/b"]))
        .with("/metadata/ownerReferences", json!([{"apiVersion": "v1", "kind": "X", "name": "n", "uid": "u"}]));
    let created = target.post(&format!("{THINGS}?fieldManager=me"), &object);
    let expected = json!({"me": {
        "f:metadata": {
            "f:finalizers": {".": {}, "v:\"a.io/b\"": {}},
            "f:labels": {".": {}, "f:a": {}},
            "f:ownerReferences": {".": {}, "k:{\"uid\":\"u\"}": {}},
        },
        "f:spec": {".": {}, "f:d": {}},
    }});
    assert_eq!(managed(&created.body), expected);
    let bare = json!({"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "b"}});
    assert_eq!(target.post(THINGS, &bare).body["metadata"].get("managedFields"), None);
}

#[rstest]
#[case("curl/7.1 (x)", "curl")]
#[case("a b/1", "a b")]
#[case("noslash", "noslash")]
#[case("/x", "unknown")]
#[case("", "unknown")]
fn rest_041_the_default_manager_is_the_user_agent(#[case] agent: &str, #[case] manager: &str) {
    let target = Target::with(&topologies());
    let headers = [("content-type", JSON), ("user-agent", agent)];
    let created = target.send("POST", THINGS, &headers, thing("a", &json!({})).to_string());
    assert_eq!(managers(&created.body).keys().collect::<Vec<_>>(), [manager]);
}

#[test]
fn rest_041_changed_fields_get_the_manager_and_removed_fields_have_none() {
    let target = Target::with(&topologies());
    let spec = json!({"a": "x", "set": ["a", "b"], "words": {"k": "v", "l": "w"}, "d": "x"});
    target.post(&format!("{THINGS}?fieldManager=one"), &thing("a", &spec));
    let patch = json!({"spec": {"a": "y", "set": ["b", "c"], "words": {"k": null}}});
    let changed = target.merge(&at("a", "two"), &patch);
    let expected = json!({
        "one": {"f:spec": {".": {}, "f:d": {}, "f:set": {".": {}, "v:\"b\"": {}}, "f:words": {".": {}, "f:l": {}}}},
        "two": {"f:spec": {"f:a": {}, "f:set": {"v:\"c\"": {}}}},
    });
    assert_eq!(managed(&changed.body), expected);
    let gone = target.merge(&at("a", "three"), &json!({"spec": null}));
    assert_eq!(gone.body["metadata"].get("managedFields"), None);
    assert_eq!(target.get(THING).body, gone.body);
}

#[test]
fn rest_041_clients_can_change_managed_fields() {
    let target = Target::with(&topologies());
    let created = target.post(&format!("{THINGS}?fieldManager=one"), &thing("a", &json!({"a": "x"}))).body;
    let put = |managers: Value| {
        target.put(&at("a", "two"), &target.get(THING).body.with("/metadata/managedFields", managers)).body
    };
    let one = json!({"one": {"f:spec": {".": {}, "f:a": {}, "f:d": {}}}});
    let entry = created["metadata"]["managedFields"][0].clone();
    for (field, wrong) in [("operation", "x"), ("apiVersion", ""), ("fieldsType", "x"), ("fieldsV1", "x")] {
        let invalid = entry.clone().with(&format!("/{field}"), wrong);
        assert_eq!(managed(&put(json!([invalid]))), one, "{field} is ignored");
    }
    assert_eq!(managed(&put(json!([]))), one, "an empty list is ignored");
    assert_eq!(managed(&put(json!([entry.with("/manager", "renamed")])))["renamed"], one["one"]);
    assert_eq!(put(json!([{}]))["metadata"].get("managedFields"), None);
    let later = target.merge(&at("a", "one"), &json!({"spec": {"a": "z"}}));
    assert_eq!(later.body["metadata"].get("managedFields"), None, "nothing is tracked after a reset");
}

#[test]
fn rest_041_the_oldest_updaters_are_merged() {
    let target = Target::with_options(TestClock::ticking().options()).having(&topologies());
    target.post(&format!("{THINGS}?fieldManager=m00"), &thing("a", &json!({"d": "x"})));
    for number in 1..=12 {
        let key = format!("k{number:02}");
        target.merge(&at("a", &format!("m{number:02}")), &json!({"spec": {"words": {key: "v"}}}));
    }
    let managers = managers(&target.get(THING).body);
    let names: Vec<&str> = managers.keys().map(String::as_str).collect();
    assert_eq!(names, ["ancient-changes", "m04", "m05", "m06", "m07", "m08", "m09", "m10", "m11", "m12"]);
    let words = json!({".": {}, "f:k01": {}, "f:k02": {}, "f:k03": {}});
    assert_eq!(managers["ancient-changes"], json!({"f:spec": {".": {}, "f:d": {}, "f:words": words}}));
}

#[test]
fn rest_040_a_write_without_a_change_has_no_manager() {
    let target = Target::with_options(TestClock::ticking().options()).having(&topologies());
    let created = target.post(&format!("{THINGS}?fieldManager=one"), &thing("a", &json!({"a": "x"}))).body;
    assert_eq!(target.merge(&at("a", "one"), &json!({"spec": {"a": "x"}})).body, created);
    assert_eq!(target.put(&at("a", "two"), &created).body, created);
    let changed = target.merge(&at("a", "one"), &json!({"spec": {"a": "y"}})).body;
    let time = |object: &Value| object["metadata"]["managedFields"][0]["time"].clone();
    assert_ne!(time(&changed), time(&created));
}

#[test]
fn rest_040_integers_beyond_float_precision_are_rounded_by_the_first_update() {
    let target = Target::with(&topologies());
    let created = target.post(THINGS, &thing("a", &json!({"numbers": [10_202_829_123_520_905_i64]})));
    let numbers = |object: &Value| object["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"]["f:numbers"].clone();
    assert_eq!(numbers(&created.body), json!({".": {}, "v:10202829123520905": {}}));
    let first = target.merge(THING, &json!({}));
    assert_eq!(numbers(&first.body), json!({".": {}, "v:10202829123520904": {}}));
    assert_ne!(first.version(), created.version());
    assert_eq!(target.merge(THING, &json!({})).version(), first.version());
}

#[test]
fn ver_021_managers_keep_the_version_that_they_wrote_in() {
    let target = Target::with(&topologies());
    target.post(&format!("{THINGS}?fieldManager=one"), &thing("a", &json!({"a": "x", "n": 1})));
    target.merge(&format!("{THING_V2}?fieldManager=two"), &json!({"spec": {"a": "y"}}));
    let object = target.get(THING).body;
    let entries = &object["metadata"]["managedFields"];
    assert_eq!([0, 1].map(|at| &entries[at]["apiVersion"]), ["example.com/v1", "example.com/v2"]);
    assert_eq!(entries.get(2), None);
    assert_eq!(target.get(THING_V2).body["metadata"], object["metadata"]);
    let back = target.merge(&at("a", "one"), &json!({"spec": {"a": "z"}}));
    assert_eq!(managed(&back.body), json!({"one": {"f:spec": {".": {}, "f:a": {}, "f:d": {}, "f:n": {}}}}));
}

#[test]
fn rest_041_an_object_that_cannot_be_typed_has_no_managers() {
    let target = Target::with(&topologies());
    let created = target.post(THINGS, &thing("a", &json!({"a": "x"})).with("/status", "wrong"));
    assert_eq!((created.code, created.body["metadata"].get("managedFields")), (201, None), "SUB-003");
}

#[rstest]
#[case::kind(json!({"kind": "Other"}), false)]
#[case::group(json!({"apiVersion": "other/v1"}), false)]
#[case::unknown_version(json!({"apiVersion": "example.com/v9"}), false)]
#[case::version(json!({"apiVersion": "example.com/v2"}), true)]
fn rest_041_a_status_that_claims_an_unknown_type_has_no_managers(#[case] claim: Value, #[case] is_known: bool) {
    let target = Target::with(&topologies());
    let created = target.post(THINGS, &thing("a", &json!({"a": "x"})));
    let written = target.merge(&format!("{THING}/status"), &claim);
    let expected = if is_known { managers(&created.body) } else { Map::new() };
    assert_eq!((written.code, managers(&written.body)), (200, expected));
    assert_eq!(written.version() == created.version(), is_known, "a write without a change is ignored");
}

#[test]
fn rest_041_the_status_has_its_own_managers() {
    let target = Target::with(&topologies());
    let object = thing("a", &json!({"a": "x"})).with("/status", json!({"s": "ignored"}));
    target.post(&format!("{THINGS}?fieldManager=one"), &object);
    let metadata = json!({"labels": {"a": "b"}, "managedFields": [{}]});
    let patch = json!({"metadata": metadata, "spec": {"a": "y"}, "status": {"s": "t"}});
    let written = target.merge(&format!("{THING}/status?fieldManager=two"), &patch);
    let expected = json!({
        "one": {"f:spec": {".": {}, "f:a": {}, "f:d": {}}},
        "two/status": {"f:status": {".": {}, "f:s": {}}},
    });
    assert_eq!(managed(&written.body), expected);
}

#[test]
fn sub_029_scaling_takes_over_the_replicas() {
    let target = Target::with(&topologies());
    target.post(&format!("{THINGS}?fieldManager=one"), &thing("a", &json!({"replicas": 1})));
    let scale = |number: u32, manager: &str| {
        let path = format!("{THING}/scale?fieldManager={manager}");
        assert_eq!(target.merge(&path, &json!({"spec": {"replicas": number}})).code, 200);
        target.get(THING).body
    };
    let of_one = json!({"f:spec": {".": {}, "f:d": {}}});
    let number = json!({"f:spec": {"f:replicas": {}}});
    let scaled = scale(2, "two");
    assert_eq!(managed(&scaled), json!({"one": of_one, "two/scale": number}));
    assert_eq!(scale(2, "three"), scaled, "SUB-026");
    assert_eq!(managed(&scale(3, "three")), json!({"one": of_one, "three/scale": number}));
    let main = target.merge(&at("a", "four"), &json!({"spec": {"replicas": 5}}));
    assert_eq!(managed(&main.body), json!({"one": of_one, "four": number}));
}

#[test]
fn rest_041_fields_that_became_atomic_are_managed_as_one() {
    let target = Target::with(&topologies());
    target.post(&format!("{THINGS}?fieldManager=one"), &thing("a", &json!({"set": ["a", "b"], "words": {"k": "v"}})));
    let changed = (0..2).fold(target.get(THINGS_DEFINITION).body, |changed, version| {
        let spec = format!("/spec/versions/{version}/schema/openAPIV3Schema/properties/spec/properties");
        let changed = changed.with(&format!("{spec}/set/x-kubernetes-list-type"), "atomic");
        changed.with(&format!("{spec}/words/x-kubernetes-map-type"), "atomic")
    });
    assert_eq!(target.put(THINGS_DEFINITION, &changed).code, 200);
    let changed = target.merge(&at("a", "two"), &json!({"spec": {"a": "x"}}));
    let expected = json!({
        "one": {"f:spec": {".": {}, "f:d": {}, "f:set": {}, "f:words": {}}},
        "two": {"f:spec": {"f:a": {}}},
    });
    assert_eq!(managed(&changed.body), expected);
}

#[test]
fn rest_041_definitions_have_managers() {
    let target = Target::new();
    target.create(&format!("{DEFINITIONS}?fieldManager=me"), &topologies());
    let names = json!({"f:kind": {}, "f:listKind": {}, "f:plural": {}, "f:singular": {}});
    let condition = json!({
        ".": {}, "f:lastTransitionTime": {}, "f:message": {}, "f:reason": {}, "f:status": {}, "f:type": {},
    });
    let spec = json!({
        "f:conversion": {".": {}, "f:strategy": {}}, "f:group": {}, "f:names": names, "f:scope": {}, "f:versions": {},
    });
    let status = json!({
        "f:acceptedNames": names,
        "f:conditions": {"k:{\"type\":\"Established\"}": condition, "k:{\"type\":\"NamesAccepted\"}": condition},
    });
    let stored = target.get(THINGS_DEFINITION).body;
    let expected = json!({"me": {"f:spec": spec}, "kube-apiserver/status": {"f:status": status}});
    assert_eq!(managed(&stored), expected);
}
