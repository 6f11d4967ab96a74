//! Malformed and extreme requests: each is answered, and none panics.

use bytes::Bytes;
use http::Request;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{DEFINITIONS, MERGE, THING, THINGS, Target, With, definition_of, schema, thing, things};

#[test]
fn rest_007_large_bodies_are_refused() {
    let target = Target::with(&things());
    let answer = target.send("POST", THINGS, &[], vec![b' '; (3 << 20) + 1]);
    assert_eq!((answer.code, answer.reason()), (413, "RequestEntityTooLarge"));
    assert_eq!(target.send_as(MERGE, "PATCH", THING, vec![b' '; (3 << 20) + 1]).code, 413);
    assert_eq!(target.send("POST", THINGS, &[], vec![b' '; 3 << 20]).code, 400);
}

/// `[[[…]]]`.
fn nested(depth: usize) -> String {
    format!("{}{}", "[".repeat(depth), "]".repeat(depth))
}

fn deep_thing(name: &str, depth: usize) -> String {
    format!(
        r#"{{"apiVersion":"example.com/v1","kind":"Thing","metadata":{{"name":"{name}"}},"spec":{{"m":{{"x":{}}}}}}}"#,
        nested(depth)
    )
}

#[test]
fn rest_007_deep_bodies_are_accepted_up_to_the_limit() {
    let target = Target::with(&things());
    for depth in [50, 200, 5_000, 9_990] {
        let name = format!("d{depth}");
        assert_eq!(target.send("POST", THINGS, &[], deep_thing(&name, depth)).code, 201, "{depth}");
        let path = format!("{THINGS}/{name}");
        assert!(target.get(&path).text.contains(&nested(depth)));
        assert_eq!(target.merge(&path, &json!({"spec": {"a": "x"}})).code, 200);
    }
    assert_eq!(target.send("POST", THINGS, &[], deep_thing("e", 10_000)).code, 400);
    assert_eq!(target.send("POST", THINGS, &[], nested(1_000_000)).code, 400);
    assert_eq!(target.delete(THINGS).code, 200);
}

/// Copying a value to its own deepest position doubles its depth: 14 such operations make 2^14 levels.
#[test]
fn rest_007_a_patch_that_deepens_a_value() {
    let target = Target::with(&things());
    for (doublings, code) in [(6, 200), (13, 200), (14, 422), (17, 422)] {
        let name = format!("a{doublings}");
        target.create(THINGS, &thing(&name, &json!({"m": {"x": {}}})));
        let (mut operations, mut path) = (Vec::new(), "/spec/m/x".to_owned());
        for doubling in 0..doublings {
            operations.push(json!({"op": "copy", "from": "/spec/m/x", "path": "/spec/m/y"}));
            operations.push(json!({"op": "move", "from": "/spec/m/y", "path": format!("{path}/a")}));
            path = format!("/spec/m/x{}", "/a".repeat((2 << doubling) - 1));
        }
        let path = format!("{THINGS}/{name}");
        assert_eq!(target.json_patch(&path, &json!(operations)).code, code, "{doublings}");
        // From now on the large stack is needed.
        assert_eq!(target.get(&path).code, 200);
        assert_eq!(target.delete(&path).code, 200);
    }
}

#[test]
fn rest_033_a_patch_that_copies_too_much() {
    let target = Target::with(&things());
    let text = "x".repeat(1 << 20);
    target.create(THINGS, &thing("a", &json!({"m": {"x": text}})));
    for (copies, code) in [(2, 200), (4, 422)] {
        let patch = vec![json!({"op": "copy", "from": "/spec/m/x", "path": "/spec/m/y"}); copies];
        // A dry run, because two copies are too large for the store.
        assert_eq!(target.json_patch(&format!("{THING}?dryRun=All"), &json!(patch)).code, code);
    }
}

#[test]
fn deep_schemas_are_supported() {
    let mut node = json!({"type": "string"});
    for _ in 0..200 {
        node = json!({"type": "object", "properties": {"p": node}});
    }
    let target = Target::with(&definition_of(&schema(&json!({"p": node}))));
    assert_eq!(target.post(THINGS, &thing("a", &json!({"p": {"p": {"x": 1}}}))).body["spec"], json!({"p": {"p": {}}}));
}

#[test]
fn invalid_utf8_is_repaired() {
    let target = Target::with(&things());
    let body = b"{\"apiVersion\":\"example.com/v1\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"a\":\"x\xffy\"}}";
    assert_eq!(target.send("POST", THINGS, &[], body.to_vec()).body["spec"]["a"], "x\u{fffd}y");
}

#[test]
fn ten_thousand_unknown_keys_are_pruned() {
    let target = Target::with(&things());
    let keys: serde_json::Map<_, _> = (0..10_000).map(|number| (format!("k{number}"), json!(number))).collect();
    let answer = target.post(THINGS, &thing("a", &json!(keys)));
    assert_eq!((answer.code, &answer.body["spec"]), (201, &json!({"d": "dd"})));
    assert!(answer.warnings.len() < 200, "VER-013: warnings are cut");
}

#[test]
fn rest_070_ten_thousand_duplicate_owners_are_removed() {
    let target = Target::with(&things());
    let owner = |number: u32| json!({"apiVersion": "v1", "kind": "X", "name": "o", "uid": format!("u{}", number / 2)});
    let owners: Value = (0..20_000).map(owner).collect();
    let answer = target.post(THINGS, &thing("a", &json!({})).with("/metadata/ownerReferences", owners));
    let left = answer.body["metadata"]["ownerReferences"].as_array().map(Vec::len);
    assert_eq!((answer.code, left, answer.warnings.len()), (201, Some(10_000), 1));
}

const SEGMENTS: &[&str] = &[
    "apis",
    "api",
    "v1",
    "example.com",
    "apiextensions.k8s.io",
    "customresourcedefinitions",
    "namespaces",
    "default",
    "things",
    "things.example.com",
    "a",
    "status",
];

fn paths() -> impl Strategy<Value = String> {
    let segment = prop_oneof![
        12 => proptest::sample::select(SEGMENTS).prop_map(str::to_owned),
        1 => "[a-z%0-9.]{0,6}",
    ];
    let query = prop_oneof![
        Just(String::new()),
        "(limit|continue|labelSelector|fieldSelector|dryRun|fieldValidation|resourceVersion|resourceVersionMatch|watch|force)=[A-Za-z0-9%,!()=.-]{0,8}"
    ];
    (proptest::collection::vec(segment, 0..8), query)
        .prop_map(|(segments, query)| format!("/{}?{query}", segments.join("/")))
}

fn bodies() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..40),
        r#"[\[\]{}:,"a-c0-9. ]{0,40}"#.prop_map(String::into_bytes),
        (r#"(\{"a":\}|null|5|"x"|\[\]|\{\})"#, "(metadata|spec|status|apiVersion|kind|op|path)").prop_map(
            |(value, key)| {
                let value = if value.contains(':') { "{}" } else { value.as_str() };
                format!(r#"{{"apiVersion":"example.com/v1","kind":"Thing","metadata":{{"name":"a"}},"{key}":{value}}}"#)
                    .into_bytes()
            }
        ),
        ("(/spec|/metadata|/metadata/name|/spec/a|/kind|)", r#"(null|5|"x"|\[\]|\{\})"#)
            .prop_map(|(path, value)| { format!(r#"[{{"op":"add","path":"{path}","value":{value}}}]"#).into_bytes() }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_request_is_answered(
        method in "(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|FOO)",
        path in paths(),
        media_type in "(|application/json|application/merge-patch[+]json|application/json-patch[+]json|application/yaml|text/plain;x)",
        accept in "(|application/json|[*]/[*]|application/json;as=Table|[a-z;=,/]{0,10})",
        body in bodies(),
    ) {
        let target = Target::with_thing(&json!({"a": "x"}));
        let mut request = Request::builder().method(method.as_str()).uri(path.as_str());
        if !media_type.is_empty() {
            request = request.header("content-type", media_type);
        }
        if !accept.is_empty() {
            request = request.header("accept", accept);
        }
        // Paths that are not valid in a URI never reach a server.
        if let Ok(request) = request.body(Bytes::from(body)) {
            let response = target.0.handle(request);
            prop_assert!((200..600).contains(&response.status().as_u16()));
            let is_json = response.headers()["content-type"].to_str().is_ok_and(|value| value.starts_with("application/json"));
            prop_assert!(!is_json || method == "HEAD" || serde_json::from_slice::<serde_json::Value>(response.body()).is_ok());
        }
        prop_assert_eq!(target.get("/readyz").code, 200);
        prop_assert_eq!(target.get(DEFINITIONS).code, 200);
    }
}
