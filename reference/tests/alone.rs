//! The server's memory does not grow: its allocations are measured after some and after many more requests of each
//! kind.
//!
//! The counters are those of the process, so this test has one of its own: nothing else may allocate meanwhile.

#[allow(dead_code, reason = "shared with the binary `all`")]
#[path = "all/support.rs"]
mod support;

use std::alloc::System;

use crdible_reference::Options;
use serde_json::{Value, json};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use support::{DEFINITIONS, THINGS, Target, thing, things};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const NAMESPACES: &str = "/api/v1/namespaces";
/// How many writes a collection remembers in this test; small, so that its history is full soon.
const HISTORY: usize = 20;
/// The number of requests that fills every bounded buffer, …
const SOME: usize = 100;
/// … and the number of further requests that must not need more memory.
const MANY: usize = 250;
/// The tolerance in bytes; a few bytes for each request exceed it.
const SLACK: isize = 750;

/// A repeated action; the number is different each time.
type Action = fn(&Target, usize);

const ACTIONS: &[(&str, Action)] = &[
    ("changes of an object", |target, number| {
        target.merge(&format!("{THINGS}/kept"), &json!({"spec": {"n": number}}));
    }),
    ("objects that are created and deleted", |target, number| {
        target.post(THINGS, &thing(&format!("x{number}"), &json!({"a": "x".repeat(100)})));
        target.delete(&format!("{THINGS}/x{number}"));
    }),
    ("refused objects", |target, number| {
        target.post(THINGS, &thing(&format!("x{number}"), &json!({"a": number})));
        target.post(THINGS, &json!({"metadata": {"name": format!("x{number}")}}));
    }),
    ("objects in a missing namespace", |target, number| {
        target.post(&format!("/apis/example.com/v1/namespaces/n{number}/things"), &thing("a", &json!({})));
    }),
    ("dry runs", |target, number| {
        target.post(&format!("{THINGS}?dryRun=All"), &thing(&format!("x{number}"), &json!({})));
    }),
    ("definitions that are created and deleted", |target, number| {
        target.install(&another(number));
        target.delete(&format!("{DEFINITIONS}/others.g{number}.example.com"));
    }),
    ("definitions that are read in OpenAPI and discovery", |target, number| {
        target.install(&another(number));
        target.get(&format!("/openapi/v3/apis/g{number}.example.com/v1"));
        target.get("/openapi/v2");
        target.get("/apis");
        target.post(&format!("/apis/g{number}.example.com/v1/others"), &other(number));
        target.delete(&format!("{DEFINITIONS}/others.g{number}.example.com"));
    }),
    ("definitions with deep schemas", |target, number| {
        let mut deep = another(number);
        let nested =
            (0..200).fold(json!({"type": "string"}), |inner, _| json!({"type": "object", "properties": {"p": inner}}));
        deep["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["deep"] = nested;
        target.install(&deep);
        target.delete(&format!("{DEFINITIONS}/others.g{number}.example.com"));
    }),
    ("definitions that change", |target, number| {
        let columns = json!([{"name": format!("N{number}"), "type": "string", "jsonPath": ".spec.a"}]);
        let patch = json!([{"op": "add", "path": "/spec/versions/0/additionalPrinterColumns", "value": columns}]);
        target.json_patch(&format!("{DEFINITIONS}/things.example.com"), &patch);
        target.get("/openapi/v3/apis/example.com/v1");
    }),
    ("namespaces that are created and deleted", |target, number| {
        target.post(NAMESPACES, &json!({"metadata": {"name": format!("n{number}")}}));
        target.post(&format!("/apis/example.com/v1/namespaces/n{number}/things"), &thing("a", &json!({})));
        target.delete(&format!("{NAMESPACES}/n{number}"));
    }),
    ("paged lists that are not continued", |target, number| {
        target.get(&format!("{THINGS}?limit=1&labelSelector=a%3Db{number}"));
    }),
    ("watches that are dropped", |target, number| {
        let request = http::Request::get(format!("{THINGS}?watch=true&labelSelector=a%3Db{number}"));
        drop(target.0.open(request.body(bytes::Bytes::new()).expect("a request")));
    }),
    ("paths that do not exist", |target, number| {
        target.get(&format!("/apis/g{number}.example.com/v1/things/x{number}"));
        target.get(&format!("/openapi/v3/apis/g{number}.example.com/v1"));
    }),
];

/// A definition in a different group for each number.
fn another(number: usize) -> Value {
    let mut definition = things();
    definition["metadata"]["name"] = format!("others.g{number}.example.com").into();
    definition["spec"]["group"] = format!("g{number}.example.com").into();
    definition["spec"]["scope"] = "Cluster".into();
    definition["spec"]["names"] = json!({"plural": "others", "kind": "Other"});
    definition
}

fn other(number: usize) -> Value {
    json!({"apiVersion": format!("g{number}.example.com/v1"), "kind": "Other", "metadata": {"name": "a"}})
}

/// The number of bytes that are allocated and not freed.
fn held() -> isize {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated.cast_signed() - stats.bytes_deallocated.cast_signed()
}

#[test]
fn memory_does_not_grow() {
    let mut grown = Vec::new();
    for (name, action) in ACTIONS {
        let target = Target::with_options(Options { history: HISTORY, ..Options::default() });
        target.install(&things());
        target.post(THINGS, &thing("kept", &json!({})));
        // Numbers with the same number of digits.
        (1_000..1_000 + SOME).for_each(|number| action(&target, number));
        let before = held();
        (1_000 + SOME..1_000 + SOME + MANY).for_each(|number| action(&target, number));
        let more = held() - before;
        if more > SLACK {
            grown.push(format!("{name}: {more} bytes more after {MANY} times"));
        }
    }
    assert!(grown.is_empty(), "{grown:#?}");
}
