//! CRDVAL-051..053: where defaults are allowed, and which values are valid.

use super::shared::JUDGING;
use crate::prelude::*;
use crate::shared::{PIECES, accepted, alone, refused};

pub(super) const PROPERTY: Property = Property::new("crdval-051-defaults", plan)
    .title("a default must be at an allowed position, valid, and unchanged by pruning")
    .asserts(&[
        "CRDVAL-051",
        "CRDVAL-051/e1",
        "CRDVAL-052",
        "CRDVAL-052/e1",
        "CRDVAL-053",
        "CRDVAL-053/e1",
        "CRDVAL-053/e2",
    ])
    .needs(JUDGING)
    .edges(&[
        Edge { name: "nodes", plan: |plan| alone(plan, &nodes()) },
        Edge { name: "roots", plan: |plan| alone(plan, &roots()) },
    ]);

/// Defaults below properties and items; defaults below `additionalProperties` are not checked (a quirk, CRDVAL-054).
const JUDGED: Places = Places { containers: &[Container::Object, Container::List, Container::Untyped], ..Places::ANY };

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let (nodes, roots) = (nodes(), roots());
    choices.many("schema", 1, PIECES, |choices, _| {
        if choices.chance(1, 8) {
            let root = choices.pick(&roots);
            return root.try_at(plan, &Place::root());
        }
        let place = Place::draw(choices, &JUDGED);
        choices.pick(&nodes).try_at(plan, &place);
    });
}

const PLACE: &[&str] = &["CRDVAL-051"];
const META: &[&str] = &["CRDVAL-051/e1"];
const PRUNED: &[&str] = &["CRDVAL-052"];
const VALID: &[&str] = &["CRDVAL-053"];
const WRITTEN: &[&str] = &["CRDVAL-053/e1"];
const NULLS: &[&str] = &["CRDVAL-053/e2"];
const UNPRUNED: &[(&str, &str)] = &[(".default", "Invalid")];
/// The cause of a branch, and that of its quantifier (VALUE-027, VALUE-028).
const BRANCH_AND_SUMMARY: &[(&str, &str)] = &[(".default", "Invalid"), (".default", "Invalid")];
const WRONG_TYPE: &[(&str, &str)] = &[(".default", "TypeInvalid")];

fn of_object(default: Value) -> Value {
    json!({ "type": "object", "default": default, "properties": {
        "a": { "type": "string" }, "n": { "type": "string", "nullable": true },
        "m": { "type": "object", "additionalProperties": { "type": "integer" } },
    } })
}

fn embedded(properties: Value) -> Value {
    json!({ "type": "object", EMBEDDED: true, PRESERVE: true, "properties": properties })
}

fn nodes() -> Vec<Piece> {
    vec![
        refused(
            "in-a-branch",
            PLACE,
            json!({ "type": "string", "anyOf": [{ "default": "x" }] }),
            &[(".anyOf[0].default", "Forbidden")],
        ),
        refused(
            "in-nested-branches",
            PLACE,
            json!({ "type": "object", "properties": { "a": { "type": "string" } }, "not": { "allOf": [{ "properties": { "a": { "default": "x" } } }] } }),
            &[(".not.allOf[0].properties[a].default", "Forbidden")],
        ),
        refused(
            "in-a-map-of-embedded-metadata",
            PLACE,
            embedded(
                json!({ "metadata": { "type": "object", "properties": { "labels": { "type": "object", "additionalProperties": { "type": "string", "default": "a" } } } } }),
            ),
            &[(".properties[metadata].properties[labels].additionalProperties.default", "Forbidden")],
        ),
        refused(
            "against-format",
            VALID,
            json!({ "type": "string", "format": "date-time", "default": "tomorrow" }),
            WRONG_TYPE,
        ),
        accepted(
            "with-format",
            VALID,
            json!({ "type": "string", "format": "date-time", "default": "2020-01-01T00:00:00Z" }),
        ),
        refused(
            "against-any-of",
            VALID,
            json!({ "type": "integer", "anyOf": [{ "minimum": 5 }, { "maximum": 1 }], "default": 3 }),
            BRANCH_AND_SUMMARY,
        ),
        accepted(
            "with-any-of",
            VALID,
            json!({ "type": "integer", "anyOf": [{ "minimum": 5 }, { "maximum": 1 }], "default": 6 }),
        ),
        refused(
            "against-one-of",
            VALID,
            json!({ "type": "integer", "oneOf": [{ "minimum": 1 }, { "maximum": 5 }], "default": 3 }),
            UNPRUNED,
        ),
        refused("against-not", VALID, json!({ "type": "string", "not": { "enum": ["x"] }, "default": "x" }), UNPRUNED),
        accepted(
            "embedded-version",
            META,
            embedded(json!({ "apiVersion": { "type": "string", "default": "a.b/v1" } })),
        ),
        accepted(
            "embedded-name",
            META,
            embedded(
                json!({ "metadata": { "type": "object", "properties": { "name": { "type": "string", "default": "a-b" } } } }),
            ),
        ),
        refused(
            "embedded-name-that-does-not-fit",
            META,
            embedded(
                json!({ "metadata": { "type": "object", "properties": { "name": { "type": "string", "default": "a/b" } } } }),
            ),
            &[(".properties[metadata].properties[name].default", "Invalid")],
        ),
        refused(
            "embedded-version-that-does-not-fit",
            META,
            embedded(json!({ "apiVersion": { "type": "string", "default": "a/b/c" } })),
            &[(".properties[apiVersion].default", "Invalid")],
        ),
        refused(
            "embedded-label-that-does-not-fit",
            META,
            embedded(json!({ "metadata": { "type": "object", "properties": { "labels": {
                "type": "object", "additionalProperties": { "type": "string" }, "default": { "a": "b c" },
            } } } })),
            &[(".properties[metadata].properties[labels].default", "Invalid")],
        ),
        accepted("embedded-kind", META, embedded(json!({ "kind": { "type": "string", "default": "Pod" } }))),
        refused(
            "embedded-kind-that-does-not-fit",
            META,
            embedded(json!({ "kind": { "type": "string", "default": "p d" } })),
            &[(".properties[kind].default", "Invalid")],
        ),
        refused("unknown-key", PRUNED, of_object(json!({ "z": 1 })), UNPRUNED),
        refused("two-unknown-keys", PRUNED, of_object(json!({ "z": 1, "y": { "x": 2 } })), UNPRUNED),
        accepted("known-keys", PRUNED, of_object(json!({ "a": "x", "m": { "any": 1 } }))),
        refused(
            "unknown-key-in-an-element",
            PRUNED,
            json!({ "type": "array", "default": [{ "a": "x" }, { "b": 1 }], "items": { "type": "object", "properties": { "a": { "type": "string" } } } }),
            UNPRUNED,
        ),
        accepted(
            "unknown-key-where-it-is-preserved",
            PRUNED,
            json!({ "type": "object", PRESERVE: true, "default": { "z": 1 } }),
        ),
        accepted(
            "unknown-key-of-embedded-metadata",
            &["CRDVAL-052/e1"],
            json!({ "type": "object", EMBEDDED: true, PRESERVE: true, "default": { "apiVersion": "v1", "kind": "K", "metadata": { "unknown": 1 } } }),
        ),
        refused("wrong-type", VALID, json!({ "type": "string", "default": 1 }), WRONG_TYPE),
        refused("boolean-for-integer", VALID, json!({ "type": "integer", "default": true }), WRONG_TYPE),
        refused(
            "not-in-enum",
            VALID,
            json!({ "type": "string", "enum": ["a", "b"], "default": "c" }),
            &[(".default", "NotSupported")],
        ),
        refused(
            "too-long",
            VALID,
            json!({ "type": "string", "maxLength": 2, "default": "абв" }),
            &[(".default", "TooLong")],
        ),
        accepted("as-long-as-may-be", VALID, json!({ "type": "string", "maxLength": 3, "default": "абв" })),
        refused("below-minimum", VALID, json!({ "type": "integer", "minimum": 3, "default": 2 }), UNPRUNED),
        accepted("minimum", VALID, json!({ "type": "integer", "minimum": 3, "default": 3 })),
        refused("against-pattern", VALID, json!({ "type": "string", "pattern": "^a$", "default": "b" }), UNPRUNED),
        refused("wrong-below", VALID, of_object(json!({ "m": { "k": "x" } })), &[(".default.m.k", "TypeInvalid")]),
        refused(
            "empty-list",
            VALID,
            json!({ "type": "array", "minItems": 1, "items": { "type": "string" }, "default": [] }),
            UNPRUNED,
        ),
        // The branch fails, and with it `allOf` (VALUE-027).
        refused(
            "against-a-branch",
            VALID,
            json!({ "type": "integer", "allOf": [{ "minimum": 5 }], "default": 4 }),
            BRANCH_AND_SUMMARY,
        ),
        accepted("int-or-string", VALID, json!({ INT_OR_STRING: true, "default": "50%" })),
        refused(
            "required-by-itself",
            WRITTEN,
            json!({ "type": "object", "default": {}, "required": ["a"], "properties": { "a": { "type": "string", "default": "x" } } }),
            &[(".default.a", "Required")],
        ),
        accepted(
            "required-and-written",
            WRITTEN,
            json!({ "type": "object", "default": { "a": "y" }, "required": ["a"], "properties": { "a": { "type": "string", "default": "x" } } }),
        ),
        accepted("null-for-nullable", NULLS, of_object(json!({ "n": null }))),
        refused("null-for-another", NULLS, of_object(json!({ "a": null })), &[(".default.a", "TypeInvalid")]),
        accepted("no-default", NULLS, json!({ "type": "string", "default": null })),
    ]
}

fn roots() -> Vec<Piece> {
    let mut pieces = Vec::new();
    for field in ["apiVersion", "kind"] {
        let path: &'static [(&'static str, &'static str)] = match field {
            "kind" => &[(".properties[kind].default", "Forbidden")],
            _ => &[(".properties[apiVersion].default", "Forbidden")],
        };
        let schema = json!({ "type": "object", "properties": { field: { "type": "string", "default": "x" } } });
        pieces.push(refused("root-meta-field", PLACE, schema, path).at_root());
    }
    pieces.push(
        refused(
            "root",
            META,
            json!({ "type": "object", "default": {} }),
            &[(".default.apiVersion", "Required"), (".default.kind", "Required")],
        )
        .whole(),
    );
    pieces.push(
        accepted("whole-root", META, json!({ "type": "object", "default": { "apiVersion": "a/v1", "kind": "K" } }))
            .whole(),
    );
    pieces
}
