//! Types of nodes, items, maps, and completeness: STRUCT-001..005.

use crdible_semantics::{
    Cause,
    Reason::{Forbidden, Invalid, NotSupported, Required},
};
use serde_json::{Value, json};

use super::nodes::{EMBEDDED, INT_OR_STRING, PRESERVE, list, object, string, with};
use crate::rule::row::{Asserts, Row, Site};

pub(super) fn rows() -> Vec<Row> {
    [root_types(), node_types(), items(), maps(), completeness()].into_iter().flatten().collect()
}

fn root_types() -> Vec<Row> {
    const ROOT_TYPE: Asserts = Asserts(&["STRUCT-001", "CRDVAL-027"]);
    const BESIDES: Asserts = Asserts(&["STRUCT-001/e3"]);
    let rows = [
        ROOT_TYPE.accepts("object", json!({ "type": "object" })),
        ROOT_TYPE.refuses("no-type", json!({ "type": null }), &[Cause::of(".type", Required)]),
        ROOT_TYPE.refuses("empty-type", json!({ "type": "" }), &[Cause::of(".type", Required)]),
        ROOT_TYPE.refuses("string", string(), &[Cause::of(".type", Invalid)]),
        ROOT_TYPE.refuses("integer", json!({ "type": "integer" }), &[Cause::of(".type", Invalid)]),
        ROOT_TYPE.refuses("array-with-items", list(json!({ "type": "object" })), &[Cause::of(".type", Invalid)]),
        BESIDES.refuses(
            "array",
            json!({ "type": "array" }),
            &[Cause::of(".type", Invalid), Cause::of(".items", Required)],
        ),
        BESIDES.refuses(
            "unknown-type",
            json!({ "type": "Object" }),
            &[Cause::of(".type", Invalid), Cause::of(".type", NotSupported)],
        ),
    ];
    rows.into_iter().map(|row| row.at(Site::BareRoot)).collect()
}

fn node_types() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-002"]);
    const TYPE: Asserts = Asserts(&["STRUCT-002", "STRUCT-002/e1"]);
    const PLACES: Asserts = Asserts(&["STRUCT-002", "CRDVAL-024"]);
    let untyped = &[Cause::of(".type", Required)];
    let child = &[Cause::of(".properties[a].type", Required)];
    let item = &[Cause::of(".items.type", Required)];
    let value = &[Cause::of(".additionalProperties.type", Required)];
    let map = |values: Value| json!({ "type": "object", "additionalProperties": values });
    let mut rows = vec![
        PLACES.refuses("as-property", object(json!({ "a": { "maximum": 1 } })), child),
        PLACES.refuses("as-element", list(json!({})), item),
        PLACES.refuses("as-map-value", map(json!({})), value),
        PLACES.refuses(
            "two-properties",
            object(json!({ "b": {}, "c": { "enum": [1] }, "d": string() })),
            &[Cause::of(".properties[b].type", Required), Cause::of(".properties[c].type", Required)],
        ),
        // Null counts as absent, except for a property.
        TYPE.refuses("null", object(json!({ "a": null })), child),
        TYPE.refuses("nothing", json!({}), untyped),
        TYPE.refuses("description", json!({ "description": "x" }), untyped),
        TYPE.refuses("nullable", json!({ "nullable": true }), untyped).also(&["STRUCT-022/e1"]),
        TYPE.refuses("enum", json!({ "enum": ["a", "b"] }), untyped),
        TYPE.refuses("min-length", json!({ "minLength": 1 }), untyped),
        TYPE.refuses("properties", json!({ "properties": { "a": string() } }), untyped),
        TYPE.refuses("empty-text", json!({ "type": "" }), untyped),
        RULE.refuses("child", json!({ PRESERVE: true, "properties": { "a": {} } }), child).also(&["STRUCT-015"]),
        RULE.refuses("map-value", with(map(json!({})), &json!({ PRESERVE: true })), value).also(&["STRUCT-015"]),
        RULE.refuses("element", with(list(json!({})), &json!({ PRESERVE: true })), item).also(&["STRUCT-015"]),
        RULE.refuses("element-of-no-type", json!({ PRESERVE: true, "items": { "nullable": true } }), item)
            .also(&["STRUCT-015"]),
        TYPE.accepts("excused-by-preserving", json!({ PRESERVE: true })).also(&["STRUCT-015"]),
        TYPE.accepts("excused-by-int-or-string", json!({ INT_OR_STRING: true })),
    ];
    for (name, extension) in [("excused-by-preserving", PRESERVE), ("excused-by-int-or-string", INT_OR_STRING)] {
        rows.push(TYPE.accepts(name, list(json!({ extension: true }))));
        rows.push(TYPE.accepts(name, map(json!({ extension: true }))));
    }
    rows
}

fn items() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-003"]);
    const EDGE: Asserts = Asserts(&["STRUCT-003/e1"]);
    let missing = &[Cause::of(".items", Required)];
    let untyped = &[Cause::of(".items.type", Required)];
    let of = |name: &str, items: Value| json!({ "type": name, "items": items });
    vec![
        RULE.refuses("no-items", json!({ "type": "array" }), missing),
        RULE.refuses("no-items-beside-others", json!({ "type": "array", "minItems": 1, "nullable": true }), missing),
        RULE.refuses("no-items-twice", list(json!({ "type": "array" })), &[Cause::of(".items.items", Required)]),
        EDGE.refuses("preserving", json!({ "type": "array", PRESERVE: true }), missing),
        EDGE.refuses("int-or-string", json!({ "type": "array", INT_OR_STRING: true }), missing),
        EDGE.refuses("empty-list", list(json!([])), missing),
        EDGE.refuses("null", list(Value::Null), missing),
        EDGE.accepts("items-of-an-object", of("object", string())),
        EDGE.accepts("items-of-a-string", of("string", string())),
        EDGE.accepts("items-of-the-root", of("object", string())).at(Site::Root),
        EDGE.refuses("untyped-items-of-an-object", of("object", json!({})), untyped),
        EDGE.refuses("untyped-items-of-a-string", of("string", json!({})), untyped),
        EDGE.refuses("untyped-items-with-a-bound", of("string", json!({ "minimum": 1 })), untyped),
        EDGE.refuses("untyped-items-of-the-root", of("object", json!({})), untyped).at(Site::Root),
    ]
}

fn maps() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-004"]);
    const AT_ROOT: Asserts = Asserts(&["STRUCT-004", "CRDVAL-027"]);
    const EDGE: Asserts = Asserts(&["STRUCT-004/e1"]);
    const TWO_RULES: Asserts = Asserts(&["STRUCT-004/e1", "CRDVAL-033"]);
    let once = &[Cause::of(".additionalProperties", Forbidden)];
    let twice = &[Cause::of(".additionalProperties", Forbidden), Cause::of(".additionalProperties", Forbidden)];
    let map = |values: Value| json!({ "type": "object", "additionalProperties": values });
    let preserving = |values: Value| with(map(values), &json!({ PRESERVE: true }));
    let declaring = |values: Value| with(object(json!({ "a": string() })), &json!({ "additionalProperties": values }));
    let of_resource = |node: Value| with(node, &json!({ EMBEDDED: true }));
    vec![
        AT_ROOT.refuses("root-schema", map(string()), once).at(Site::Whole),
        AT_ROOT.refuses("root-false", map(json!(false)), once).at(Site::Whole),
        AT_ROOT.refuses("root-true", map(json!(true)), once).at(Site::Root),
        EDGE.refuses("preserving-root", preserving(string()), once).at(Site::Whole),
        EDGE.refuses("preserving-root-true", preserving(json!(true)), once).at(Site::Root),
        TWO_RULES.refuses("root-schema-twice", declaring(string()), twice).at(Site::Root),
        TWO_RULES.refuses("root-false-twice", declaring(json!(false)), twice).at(Site::Root),
        EDGE.accepts("root-null", map(Value::Null)).at(Site::Root),
        EDGE.refuses("embedded-schema", of_resource(preserving(string())), once),
        EDGE.refuses("embedded-false", of_resource(preserving(json!(false))), once),
        RULE.refuses("embedded-true", of_resource(declaring(json!(true))), once),
        TWO_RULES.refuses("embedded-schema-twice", of_resource(declaring(string())), twice),
        EDGE.accepts("embedded-null", of_resource(declaring(Value::Null))),
        RULE.accepts("elsewhere", map(string())),
    ]
}

fn completeness() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-005"]);
    const EDGE: Asserts = Asserts(&["STRUCT-005/e1"]);
    let mention = || json!({ "properties": { "undeclared": { "minimum": 1 } } });
    let of_kind = |inner: Value| json!({ "properties": { "kind": inner } });
    let root = |keywords: Value| with(json!({ "type": "object" }), &keywords);
    let gap = &[Cause::of(".properties[undeclared]", Required)];
    let twice = &[Cause::of(".properties[undeclared]", Required), Cause::of(".properties[undeclared]", Required)];
    let kind = &[Cause::of(".properties[kind]", Required)];
    let rows = [
        RULE.refuses("all-of", root(json!({ "allOf": [mention()] })), gap),
        RULE.refuses("any-of", root(json!({ "anyOf": [{}, mention()] })), gap),
        RULE.refuses("one-of", root(json!({ "oneOf": [mention()] })), gap),
        RULE.refuses("not", root(json!({ "not": mention() })), gap),
        RULE.refuses("nested", root(json!({ "not": { "anyOf": [{ "allOf": [mention()] }] } })), gap),
        RULE.refuses(
            "items",
            root(json!({ "allOf": [{ "items": { "minimum": 1 } }] })),
            &[Cause::of(".items", Required)],
        ),
        EDGE.refuses("preserving", root(json!({ PRESERVE: true, "oneOf": [mention()] })), gap),
        EDGE.refuses("implicit-kind", root(json!({ "anyOf": [of_kind(json!({ "enum": ["A"] }))] })), kind),
        EDGE.refuses("implicit-kind-in-not", root(json!({ "not": of_kind(json!({ "minLength": 1 })) })), kind),
        EDGE.refuses(
            "implicit-api-version",
            root(json!({ PRESERVE: true, "not": { "properties": { "apiVersion": {} } } })),
            &[Cause::of(".properties[apiVersion]", Required)],
        ),
        EDGE.refuses(
            "only-the-parent",
            root(json!({ "allOf": [{ "properties": { "undeclared": { "properties": { "b": {} } } } }] })),
            gap,
        ),
        EDGE.refuses("twice", root(json!({ "anyOf": [mention(), mention()] })), twice),
        EDGE.refuses(
            "twice-once-empty",
            root(json!({ "anyOf": [{ "properties": { "undeclared": {} } }, mention()] })),
            twice,
        ),
        RULE.accepts(
            "all-declared",
            root(json!({ "properties": { "undeclared": { "type": "integer" } }, "items": { "type": "integer" },
                "allOf": [mention(), { "items": { "minimum": 1 } }] })),
        ),
    ];
    rows.into_iter().map(|row| row.at(Site::BareRoot)).collect()
}
