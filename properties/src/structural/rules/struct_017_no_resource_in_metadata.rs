//! STRUCT-017: no embedded resource inside the meta fields of another.

use super::super::shared::{JUDGING, try_rule};
use crate::prelude::*;
use crate::shared::{EMBEDDED, PRESERVE, Piece, accepted, alone, refused};

pub(in super::super) const PROPERTY: Property = Property {
    id: "struct-017-no-resource-in-metadata",
    title: "an embedded resource is forbidden at or below apiVersion, kind and metadata of another",
    asserts: &["STRUCT-017", "STRUCT-017/e1"],
    needs: JUDGING,
    edges: &[Edge { name: "examples", plan: || alone(&pieces()) }],
    plan: |choices| try_rule(choices, "STRUCT-017", &pieces()),
};

fn resource() -> Value {
    json!({ "type": "object", EMBEDDED: true, PRESERVE: true })
}

pub(super) fn pieces() -> Vec<Piece> {
    const RULE: &[&str] = &["STRUCT-017"];
    const EDGE: &[&str] = &["STRUCT-017/e1"];
    let embedding = |properties: Value| json!({ "type": "object", EMBEDDED: true, "properties": properties });
    let object = |properties: Value| json!({ "type": "object", "properties": properties });
    vec![
        refused(
            "metadata-itself",
            RULE,
            embedding(json!({ "metadata": resource() })),
            &[(".properties[metadata].x-kubernetes-embedded-resource", "Forbidden")],
        ),
        refused(
            "by-property",
            EDGE,
            embedding(json!({ "metadata": object(json!({ "a": resource() })) })),
            &[(".properties[metadata].properties[a].x-kubernetes-embedded-resource", "Forbidden")],
        ),
        refused(
            "by-map-and-list",
            EDGE,
            embedding(
                json!({ "metadata": { "type": "object", "additionalProperties": { "type": "array", "items": resource() } } }),
            ),
            &[(".properties[metadata].additionalProperties.items.x-kubernetes-embedded-resource", "Forbidden")],
        ),
        refused(
            "deep",
            EDGE,
            embedding(
                json!({ "metadata": object(json!({ "a": object(json!({ "b": object(json!({ "c": resource() })) })) })) }),
            ),
            &[(
                ".properties[metadata].properties[a].properties[b].properties[c].x-kubernetes-embedded-resource",
                "Forbidden",
            )],
        ),
        refused(
            "kind",
            EDGE,
            embedding(json!({ "kind": resource() })),
            &[(".properties[kind].type", "Invalid"), (".properties[kind].x-kubernetes-embedded-resource", "Forbidden")],
        ),
        refused(
            "root-kind",
            EDGE,
            object(json!({ "kind": resource() })),
            &[(".properties[kind].type", "Invalid"), (".properties[kind].x-kubernetes-embedded-resource", "Forbidden")],
        )
        .at_root(),
        refused(
            "root-api-version",
            EDGE,
            object(json!({ "apiVersion": resource() })),
            &[
                (".properties[apiVersion].type", "Invalid"),
                (".properties[apiVersion].x-kubernetes-embedded-resource", "Forbidden"),
            ],
        )
        .at_root(),
        refused(
            "root-name",
            RULE,
            object(json!({ "metadata": object(json!({ "name": resource() })) })),
            &[(".properties[metadata].properties[name].x-kubernetes-embedded-resource", "Forbidden")],
        )
        .at_root(),
        accepted("user-metadata", EDGE, object(json!({ "metadata": resource() }))),
        accepted("below-user-metadata", EDGE, object(json!({ "metadata": object(json!({ "a": resource() })) }))),
        accepted("in-a-resource", RULE, embedding(json!({ "spec": resource(), "metadata": object(json!({})) }))),
    ]
}
