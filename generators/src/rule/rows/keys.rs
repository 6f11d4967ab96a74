//! Map lists and their keys: STRUCT-027..029, STRUCT-031, STRUCT-032.

use crdible_semantics::{
    Cause,
    Reason::{Forbidden, Invalid, Required},
};
use serde_json::{Value, json};

use super::nodes::{
    INT_OR_STRING, LIST_TYPE, MAP_TYPE, PRESERVE, keyed, list, map_list, nullable, object, set, string, with,
};
use crate::rule::row::{Asserts, Row};

pub(super) fn rows() -> Vec<Row> {
    [form(), names(), presence(), nullable_items(), nullable_keys()].into_iter().flatten().collect()
}

fn form() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-027"]);
    const EDGE: Asserts = Asserts(&["STRUCT-027/e1"]);
    const BY_POSITION: Asserts = Asserts(&["STRUCT-027", "STRUCT-027/e1", "CRDVAL-030"]);
    let keys = Cause::of(".x-kubernetes-list-map-keys", Required);
    let items = Cause::of(".items", Required);
    let mistyped = Cause::of(".items.type", Invalid);
    let untyped = Cause::of(".items.type", Required);
    let of = |items: Value| map_list(&["k"], items);
    let items_with =
        |keywords: Value| of(with(json!({ "required": ["k"], "properties": { "k": string() } }), &keywords));
    let object = || keyed(json!({ "k": string() }));
    let without_keys = |items: Value| with(list(items), &json!({ LIST_TYPE: "map" }));
    vec![
        RULE.accepts("form", of(object())).also(&["STRUCT-025"]).also(&["STRUCT-029"]),
        RULE.refuses("no-keys", without_keys(object()), &[keys]),
        RULE.refuses("no-keys-of-any-object", without_keys(json!({ "type": "object" })), &[keys]),
        RULE.refuses("empty-keys", map_list(&[], object()), &[keys]),
        RULE.refuses("strings", of(string()), &[mistyped]),
        RULE.refuses("typed-strings-with-keys", items_with(string()), &[mistyped]),
        EDGE.refuses("no-items", of(Value::Null), &[items, items]),
        EDGE.refuses("nothing", json!({ "type": "array", LIST_TYPE: "map" }), &[items, items, keys]),
        BY_POSITION
            .refuses(
                "items-by-position",
                of(json!([object()])),
                &[Cause::of(".items", Invalid), Cause::of(".items", Forbidden)],
            )
            .hiding(),
        EDGE.refuses("untyped", items_with(json!({ "description": "x" })), &[mistyped, untyped]),
        EDGE.refuses("untyped-preserving", items_with(json!({ PRESERVE: true })), &[mistyped]),
        EDGE.refuses("untyped-int-or-string", items_with(json!({ INT_OR_STRING: true })), &[mistyped]),
    ]
}

fn names() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-028"]);
    const EDGE: Asserts = Asserts(&["STRUCT-028/e1"]);
    let invalid = Cause::of(".x-kubernetes-list-map-keys", Invalid);
    let mistyped = Cause::of(".items.properties[k].type", Invalid);
    let of = |keys: &[&str], properties: Value| {
        let names: Vec<&String> = properties.as_object().into_iter().flat_map(|properties| properties.keys()).collect();
        map_list(keys, json!({ "type": "object", "required": names, "properties": properties }))
    };
    let one = || json!({ "a": string() });
    let key = |key: Value| of(&["k"], json!({ "k": key }));
    let nested = json!({ "a": object(json!({ "b": string() })) });
    let covered = |keywords: Value| map_list(&["k"], with(json!({ "type": "object", "required": ["k"] }), &keywords));
    let mut rows = vec![
        RULE.accepts("two-keys", of(&["b", "a"], json!({ "a": string(), "b": string(), "c": string() }))),
        RULE.refuses("undeclared", of(&["x"], one()), &[invalid]),
        RULE.refuses("two-undeclared", of(&["x", "a", "y"], one()), &[invalid, invalid]),
        RULE.refuses("only-undeclared", of(&["x", "y"], one()), &[invalid, invalid]),
        RULE.refuses("repeated", of(&["a", "a"], one()), &[invalid]),
        RULE.refuses(
            "repeated-twice",
            of(&["a", "b", "a", "a"], json!({ "a": string(), "b": string() })),
            &[invalid, invalid],
        ),
        RULE.refuses("undeclared-and-repeated", of(&["x", "x"], one()), &[invalid, invalid, invalid]),
        RULE.refuses("object", key(json!({ "type": "object" })), &[mistyped]),
        RULE.refuses("list", key(list(string())), &[mistyped]),
        RULE.refuses(
            "object-and-list",
            of(&["a", "b"], json!({ "a": { "type": "object" }, "b": list(string()) })),
            &[Cause::of(".items.properties[a].type", Invalid), Cause::of(".items.properties[b].type", Invalid)],
        ),
        EDGE.refuses("path", of(&["a.b"], nested), &[invalid]),
        EDGE.refuses("covered-by-map", covered(json!({ "additionalProperties": string() })), &[invalid]),
        EDGE.refuses("covered-by-preserving", covered(json!({ PRESERVE: true })), &[invalid]),
        EDGE.accepts("scalar-key", key(json!({ INT_OR_STRING: true }))),
        EDGE.accepts("scalar-key", key(json!({ PRESERVE: true }))),
    ];
    for name in ["integer", "number", "boolean"] {
        rows.push(EDGE.accepts("scalar-key", key(json!({ "type": name }))));
    }
    rows
}

fn presence() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-029"]);
    const EDGE: Asserts = Asserts(&["STRUCT-029/e1"]);
    let missing = &[Cause::of(".items.properties[k].default", Required)];
    let of = |items: Value| map_list(&["k"], items);
    let plain = || object(json!({ "k": string() }));
    let defaulted = |default: Value| json!({ "k": { "type": "string", "default": default } });
    let requiring = |name: &str, properties: Value| with(object(properties), &json!({ "required": [name] }));
    vec![
        RULE.accepts("default", of(object(defaulted(json!("x"))))),
        EDGE.accepts("both", of(keyed(defaulted(json!("x"))))),
        EDGE.accepts("empty-default", of(object(defaulted(json!(""))))),
        RULE.refuses("neither", of(plain()), missing),
        RULE.refuses("another-required", of(requiring("v", json!({ "k": string(), "v": string() }))), missing),
        EDGE.refuses("null-default", of(object(defaulted(Value::Null))), missing),
        EDGE.refuses(
            "required-in-a-quantifier",
            of(with(plain(), &json!({ "allOf": [{ "required": ["k"] }] }))),
            missing,
        ),
        EDGE.refuses("default-of-the-list", with(of(plain()), &json!({ "default": [{ "k": "x" }] })), missing),
        EDGE.refuses("empty-default-of-the-list", with(of(plain()), &json!({ "default": [] })), missing),
        RULE.refuses(
            "one-of-two",
            map_list(&["k", "l"], requiring("l", json!({ "k": string(), "l": string() }))),
            missing,
        ),
        RULE.refuses(
            "one-of-two-with-both",
            map_list(
                &["l", "k"],
                requiring("l", json!({ "k": { "type": "boolean" }, "l": { "type": "string", "default": "" } })),
            ),
            missing,
        ),
    ]
}

fn nullable_items() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-031"]);
    let forbidden = &[Cause::of(".items.nullable", Forbidden)];
    let with_null = |node: Value| with(node, &json!({ "nullable": true }));
    let objects = || set(with_null(json!({ "type": "object", MAP_TYPE: "atomic" })));
    vec![
        RULE.refuses("set", set(nullable()), forbidden).also(&["STRUCT-022"]),
        RULE.refuses("set-of-int-or-string", set(with_null(json!({ INT_OR_STRING: true }))), forbidden),
        RULE.refuses("set-of-objects", objects(), forbidden),
        RULE.refuses("nullable-set-of-objects", with_null(objects()), forbidden),
        RULE.refuses("map", map_list(&["k"], with_null(keyed(json!({ "k": string() })))), forbidden),
        RULE.accepts("no-list-type", list(json!({ "type": "object", "nullable": true }))),
        RULE.accepts("not-nullable", set(json!({ "type": "string", "nullable": false }))),
    ]
}

fn nullable_keys() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-032"]);
    let forbidden = Cause::of(".items.properties[k].nullable", Forbidden);
    let of = |keys: &[&str], properties: Value| {
        map_list(keys, json!({ "type": "object", "required": keys, "properties": properties }))
    };
    let key = |key: Value| of(&["k"], json!({ "k": key }));
    vec![
        RULE.refuses("key", key(nullable()), &[forbidden]).also(&["STRUCT-022"]),
        RULE.refuses("one-of-two", of(&["l", "k"], json!({ "k": nullable(), "l": string() })), &[forbidden]),
        RULE.refuses(
            "both",
            of(&["k", "l"], json!({ "k": nullable(), "l": nullable() })),
            &[forbidden, Cause::of(".items.properties[l].nullable", Forbidden)],
        ),
        RULE.refuses("int-or-string", key(json!({ INT_OR_STRING: true, "nullable": true })), &[forbidden]),
        RULE.refuses("with-default", key(with(nullable(), &json!({ "default": "x" }))), &[forbidden]),
        RULE.refuses(
            "only-with-default",
            map_list(&["k"], object(json!({ "k": { "type": "integer", "nullable": true, "default": 1 } }))),
            &[forbidden],
        ),
        RULE.accepts("another-property", of(&["k"], json!({ "k": string(), "v": nullable() }))),
    ]
}
