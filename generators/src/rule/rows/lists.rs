//! Types of lists and maps, and the elements of sets: STRUCT-023..026.

use crdible_semantics::{
    Cause,
    Reason::{Forbidden, Invalid, NotSupported, Required},
};
use serde_json::{Value, json};

use super::nodes::{
    INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, PRESERVE, keyed, list, map_list, object, set, string, with,
};
use crate::rule::row::{Asserts, Row, Site};

pub(super) fn rows() -> Vec<Row> {
    [list_types(), map_types(), keys_need_maps(), set_items()].into_iter().flatten().collect()
}

fn list_types() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-023"]);
    const EDGE: Asserts = Asserts(&["STRUCT-023/e1"]);
    let unknown = Cause::of(".x-kubernetes-list-type", NotSupported);
    let (mistyped, untyped) = (Cause::of(".type", Invalid), Cause::of(".type", Required));
    let array = |list_type: &str| with(list(string()), &json!({ LIST_TYPE: list_type }));
    let of = |name: &str, list_type: &str| json!({ "type": name, LIST_TYPE: list_type });
    let object_with = |list_type: &str, keywords: Value| with(of("object", list_type), &keywords);
    vec![
        RULE.accepts("atomic", array("atomic")),
        RULE.accepts("set", array("set")).also(&["STRUCT-026"]),
        EDGE.accepts("absent", with(list(json!({ "type": "object", "nullable": true })), &json!({ LIST_TYPE: null }))),
        RULE.refuses("unknown", array("list"), &[unknown]),
        RULE.refuses("upper-case", array("Set"), &[unknown]),
        EDGE.refuses("empty", array(""), &[unknown]),
        RULE.refuses("object", of("object", "atomic"), &[mistyped]),
        RULE.refuses("object", of("object", "set"), &[mistyped]),
        RULE.refuses("string", of("string", "atomic"), &[mistyped]),
        RULE.refuses("string", of("string", "set"), &[mistyped]),
        EDGE.refuses("value-and-type", of("object", "granular"), &[unknown, mistyped]),
        EDGE.refuses("preserving", json!({ PRESERVE: true, LIST_TYPE: "atomic" }), &[untyped]),
        EDGE.refuses("int-or-string", json!({ INT_OR_STRING: true, LIST_TYPE: "atomic" }), &[untyped]),
        EDGE.refuses("int-or-string", json!({ INT_OR_STRING: true, LIST_TYPE: "set" }), &[untyped]),
        EDGE.refuses("no-type", json!({ LIST_TYPE: "atomic" }), &[untyped, untyped]),
        EDGE.refuses("set-rule-skipped", object_with("set", json!({ "items": { "type": "object" } })), &[mistyped]),
        EDGE.refuses(
            "nullable-elements-not-skipped",
            object_with("set", json!({ "items": { "type": "object", "nullable": true } })),
            &[mistyped, Cause::of(".items.nullable", Forbidden)],
        )
        .apart(),
        EDGE.refuses(
            "map-form-not-skipped",
            of("object", "map"),
            &[mistyped, Cause::of(".items", Required), Cause::of(".x-kubernetes-list-map-keys", Required)],
        )
        .apart(),
        EDGE.refuses(
            "keys-not-skipped",
            with(
                map_list(&["k"], object(json!({ "k": { "type": "string", "nullable": true } }))),
                &json!({ "type": "object" }),
            ),
            &[
                mistyped,
                Cause::of(".items.properties[k].default", Required),
                Cause::of(".items.properties[k].nullable", Forbidden),
            ],
        )
        .apart(),
    ]
}

fn map_types() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-024"]);
    const EDGE: Asserts = Asserts(&["STRUCT-024/e1"]);
    let unknown = Cause::of(".x-kubernetes-map-type", NotSupported);
    let (mistyped, untyped) = (Cause::of(".type", Invalid), Cause::of(".type", Required));
    let of = |map_type: &str| json!({ "type": "object", MAP_TYPE: map_type });
    let declaring = |map_type: &str| with(of(map_type), &json!({ "properties": { "a": string() } }));
    vec![
        RULE.accepts("granular", declaring("granular")),
        RULE.accepts("atomic", declaring("atomic")),
        EDGE.accepts("map", with(of("atomic"), &json!({ "additionalProperties": string() }))),
        EDGE.accepts("nothing-else", of("granular")),
        EDGE.accepts("root", of("atomic")).at(Site::Root),
        RULE.refuses("unknown", of("set"), &[unknown]),
        RULE.refuses("unknown", of("map"), &[unknown]),
        EDGE.refuses("empty", of(""), &[unknown]),
        RULE.refuses("unknown-at-the-root", of("set"), &[unknown]).at(Site::Root),
        RULE.refuses("unknown-at-the-root", of("Atomic"), &[unknown]).at(Site::Root),
        EDGE.refuses("empty-at-the-root", of(""), &[unknown]).at(Site::Root),
        RULE.refuses("array", with(list(string()), &json!({ MAP_TYPE: "atomic" })), &[mistyped]),
        RULE.refuses("string", json!({ "type": "string", MAP_TYPE: "atomic" }), &[mistyped]),
        RULE.refuses("string-and-unknown", json!({ "type": "string", MAP_TYPE: "map" }), &[unknown, mistyped]),
        EDGE.refuses("preserving", json!({ PRESERVE: true, MAP_TYPE: "atomic" }), &[untyped]),
        RULE.refuses("no-type", json!({ MAP_TYPE: "granular" }), &[untyped, untyped]),
    ]
}

fn keys_need_maps() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-025"]);
    const EDGE: Asserts = Asserts(&["STRUCT-025/e1"]);
    let required = Cause::of(".x-kubernetes-list-type", Required);
    let invalid = Cause::of(".x-kubernetes-list-type", Invalid);
    let unknown = Cause::of(".x-kubernetes-list-type", NotSupported);
    let items = || keyed(json!({ "k": string() }));
    let of = |list: Value, keys: &[&str]| with(list, &json!({ LIST_MAP_KEYS: keys }));
    let typed = |list_type: &str, items: Value| with(list(items), &json!({ LIST_TYPE: list_type }));
    vec![
        EDGE.accepts("empty", of(list(items()), &[])),
        EDGE.accepts("empty-in-a-set", of(set(string()), &[])),
        RULE.refuses("no-list-type", of(list(items()), &["k"]), &[required]),
        RULE.refuses("no-list", json!({ "type": "object", LIST_MAP_KEYS: ["k"] }), &[required]),
        RULE.refuses("atomic", of(typed("atomic", items()), &["k"]), &[invalid]),
        RULE.refuses("set", of(set(string()), &["k"]), &[invalid]),
        EDGE.refuses("unexamined", of(set(string()), &["x", "x"]), &[invalid]),
        EDGE.refuses(
            "unexamined-in-an-atomic-list",
            of(typed("atomic", json!({ "type": "object" })), &["k", "k"]),
            &[invalid],
        ),
        EDGE.refuses("unexamined-without-list-type", of(list(string()), &["x", "x"]), &[required]),
        EDGE.refuses("unknown-list-type", of(typed("Map", items()), &["k"]), &[invalid, unknown]),
        EDGE.refuses("unknown-list-type", of(typed("list", string()), &["k"]), &[invalid, unknown]),
    ]
}

fn set_items() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-026"]);
    const EDGE: Asserts = Asserts(&["STRUCT-026/e1"]);
    let of_list = &[Cause::of(".items.x-kubernetes-list-type", Invalid)];
    let of_map = &[Cause::of(".items.x-kubernetes-map-type", Invalid)];
    let atomic = with(object(json!({ "a": string() })), &json!({ MAP_TYPE: "atomic" }));
    let mut rows = vec![
        RULE.accepts("list", set(list(string()))),
        RULE.accepts("atomic-list", set(with(list(string()), &json!({ LIST_TYPE: "atomic" })))),
        RULE.accepts("atomic-object", set(atomic)),
        RULE.accepts("int-or-string", set(json!({ INT_OR_STRING: true }))),
        RULE.accepts("untyped-preserving", set(json!({ PRESERVE: true }))),
        RULE.refuses("set-in-set", set(set(string())), of_list),
        RULE.refuses("map-in-set", set(map_list(&["k"], keyed(json!({ "k": string() })))), of_list),
        RULE.refuses("object", set(object(json!({ "a": string() }))), of_map),
        RULE.refuses("empty-object", set(json!({ "type": "object" })), of_map),
        RULE.refuses("granular-object", set(json!({ "type": "object", MAP_TYPE: "granular" })), of_map),
        RULE.refuses("map", set(json!({ "type": "object", "additionalProperties": string() })), of_map),
        EDGE.refuses("preserving-object", set(json!({ "type": "object", PRESERVE: true })), of_map),
    ];
    for name in ["integer", "number", "boolean"] {
        rows.push(RULE.accepts("scalar", set(json!({ "type": name }))));
    }
    rows
}
