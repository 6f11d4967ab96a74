//! Nodes that preserve unknown fields, and embedded resources: STRUCT-015..017.

use crdible_semantics::{
    Cause,
    Reason::{Forbidden, Invalid, Required},
};
use serde_json::json;

use super::nodes::{EMBEDDED, PRESERVE, embedded, list, object, resource, string};
use crate::rule::row::{Asserts, Row, Site};

pub(super) fn rows() -> Vec<Row> {
    [preserving(), shape(), resources_in_metadata()].into_iter().flatten().collect()
}

fn preserving() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-015"]);
    let mut rows = vec![
        RULE.accepts("root", json!({ "type": "object", PRESERVE: true })).at(Site::Root),
        RULE.accepts("array", json!({ "type": "array", PRESERVE: true, "items": string() })),
    ];
    for name in ["string", "integer", "number", "boolean", "object"] {
        rows.push(RULE.accepts("with-a-type", json!({ "type": name, PRESERVE: true })));
    }
    rows
}

fn shape() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-016"]);
    const EDGE: Asserts = Asserts(&["STRUCT-016/e1"]);
    let (untyped, mistyped, empty) =
        (Cause::of(".type", Required), Cause::of(".type", Invalid), Cause::of(".properties", Required));
    let kind = || json!({ "kind": string() });
    vec![
        RULE.accepts("preserving", resource()),
        RULE.accepts("one-property", embedded(json!({ "spec": { "type": "integer" } }))),
        EDGE.accepts("only-kind", embedded(kind())),
        EDGE.accepts("only-metadata", embedded(json!({ "metadata": { "type": "object" } }))),
        RULE.refuses("nothing", json!({ "type": "object", EMBEDDED: true }), &[empty]),
        EDGE.refuses("no-properties", embedded(json!({})), &[empty]),
        RULE.refuses("no-type", json!({ EMBEDDED: true, "properties": kind() }), &[untyped]),
        EDGE.refuses("preserving-without-type", json!({ EMBEDDED: true, PRESERVE: true }), &[untyped]),
        RULE.refuses("string", json!({ "type": "string", EMBEDDED: true, PRESERVE: true }), &[mistyped]),
        RULE.refuses("integer", json!({ "type": "integer", EMBEDDED: true, "properties": kind() }), &[mistyped]),
        RULE.refuses(
            "array",
            json!({ "type": "array", "items": string(), EMBEDDED: true, "properties": kind() }),
            &[mistyped],
        ),
        EDGE.refuses("both", json!({ EMBEDDED: true }), &[untyped, empty]),
        EDGE.refuses("both-with-a-type", json!({ "type": "boolean", EMBEDDED: true }), &[mistyped, empty]),
    ]
}

fn resources_in_metadata() -> Vec<Row> {
    const RULE: Asserts = Asserts(&["STRUCT-017"]);
    const EDGE: Asserts = Asserts(&["STRUCT-017/e1"]);
    let in_metadata = |metadata| embedded(json!({ "metadata": metadata }));
    let map = |values| json!({ "type": "object", "additionalProperties": values });
    let deep = object(json!({ "a": object(json!({ "b": object(json!({ "c": resource() })) })) }));
    let kind = &[
        Cause::of(".properties[kind].type", Invalid),
        Cause::of(".properties[kind].x-kubernetes-embedded-resource", Forbidden),
    ];
    vec![
        RULE.refuses(
            "metadata-itself",
            in_metadata(resource()),
            &[Cause::of(".properties[metadata].x-kubernetes-embedded-resource", Forbidden)],
        ),
        EDGE.refuses(
            "by-property",
            in_metadata(object(json!({ "a": resource() }))),
            &[Cause::of(".properties[metadata].properties[a].x-kubernetes-embedded-resource", Forbidden)],
        ),
        EDGE.refuses(
            "by-list",
            in_metadata(object(json!({ "a": list(resource()) }))),
            &[Cause::of(".properties[metadata].properties[a].items.x-kubernetes-embedded-resource", Forbidden)],
        ),
        EDGE.refuses(
            "by-map",
            in_metadata(map(embedded(json!({ "kind": string() })))),
            &[Cause::of(".properties[metadata].additionalProperties.x-kubernetes-embedded-resource", Forbidden)],
        ),
        EDGE.refuses(
            "by-map-and-list",
            in_metadata(map(list(resource()))),
            &[Cause::of(".properties[metadata].additionalProperties.items.x-kubernetes-embedded-resource", Forbidden)],
        ),
        EDGE.refuses(
            "deep",
            in_metadata(deep),
            &[Cause::of(
                ".properties[metadata].properties[a].properties[b].properties[c].x-kubernetes-embedded-resource",
                Forbidden,
            )],
        ),
        EDGE.refuses("kind", embedded(json!({ "kind": resource() })), kind),
        EDGE.refuses("root-kind", object(json!({ "kind": resource() })), kind).at(Site::Root),
        EDGE.refuses(
            "root-api-version",
            object(json!({ "apiVersion": resource() })),
            &[
                Cause::of(".properties[apiVersion].type", Invalid),
                Cause::of(".properties[apiVersion].x-kubernetes-embedded-resource", Forbidden),
            ],
        )
        .at(Site::Root),
        RULE.refuses(
            "root-name",
            object(json!({ "metadata": object(json!({ "name": resource() })) })),
            &[Cause::of(".properties[metadata].properties[name].x-kubernetes-embedded-resource", Forbidden)],
        )
        .at(Site::Root),
        EDGE.accepts("user-metadata", object(json!({ "metadata": resource() }))),
        EDGE.accepts("below-user-metadata", object(json!({ "metadata": object(json!({ "a": resource() })) }))),
        RULE.accepts("in-a-resource", embedded(json!({ "spec": resource(), "metadata": object(json!({})) }))),
    ]
}
