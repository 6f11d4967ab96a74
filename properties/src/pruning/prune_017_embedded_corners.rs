//! The edges of PRUNE-017, as exact inputs.

use super::shared::{PLACES, preserving};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("prune-017-embedded-corners", plan)
    .title("embedded metadata is rewritten through ObjectMeta exactly where it is declared embedded")
    .asserts(&["PRUNE-017", "PRUNE-017/e1", "PRUNE-017/e3"])
    .needs(&[Capability::Serving, Capability::Pruning, Capability::Validation])
    .edges(&[Edge { name: "rewriting", plan: rewriting }, Edge { name: "verbatim", plan: verbatim }]);

/// An embedded node that preserves the other keys of the object.
fn node() -> Value {
    json!({ "type": "object", EMBEDDED: true, PRESERVE: true })
}

fn declaring(key: &str, kind: &str) -> Value {
    let mut node = node();
    node["properties"] = json!({ key: { "type": kind } });
    node
}

fn object(metadata: &Value) -> Value {
    json!({ "apiVersion": "v1", "kind": "X", "metadata": metadata })
}

/// Timestamps: `ObjectMeta` keeps seconds, in UTC.
fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &PLACES);
    let definition = plan.define_schema(place.schema(node()));
    plan.cases(choices, "timestamp", |plan, choices| {
        let hour = choices.draw(9) + 10;
        let offset = choices.draw(9);
        let fraction = *choices.pick(&["", ".5", ".999999999"]);
        let sent = json!({ "creationTimestamp": format!("2020-02-29T{hour}:00:59{fraction}+0{offset}:00") });
        let left = json!({ "creationTimestamp": format!("2020-02-29T{:02}:00:59Z", hour - offset) });
        let created = plan.try_create(definition, place.content(object(&sent)));
        plan.check("timestamp", &["PRUNE-017/e1"], created, Expectation::Content(place.content(object(&left))));
    });
}

fn rewriting(plan: &mut Plan) {
    const REWRITTEN: &[&str] = &["PRUNE-017/e1"];
    let bare = || json!({ "apiVersion": "v1", "kind": "X" });
    let with_null = |key: &str| extended(bare(), &json!({ key: null }));
    let named = || object(&json!({ "name": "x" }));
    plan.in_one_schema([
        Row::new(node()).with([
            Example::silent("null-metadata", REWRITTEN, object(&Value::Null), object(&json!({}))),
            Example::silent("empty-metadata", REWRITTEN, object(&json!({})), object(&json!({}))),
            Example::silent("zero", REWRITTEN, object(&json!({ "generation": 0, "name": "x" })), named()),
            Example::silent("no-metadata", REWRITTEN, bare(), bare()),
            Example::silent(
                "null-timestamp",
                &["PRUNE-017"],
                object(&json!({ "creationTimestamp": null, "name": "x" })),
                named(),
            ),
        ]),
        Row::new(declaring("kind", "string")).with([Example::refused(
            "declared-null-kind",
            REWRITTEN,
            with_null("kind"),
            [(".kind", "Required")],
        )]),
        Row::new(declaring("apiVersion", "string")).with([Example::refused(
            "declared-null-apiVersion",
            REWRITTEN,
            with_null("apiVersion"),
            [(".apiVersion", "Required")],
        )]),
        Row::new(declaring("metadata", "object")).with([Example::silent(
            "declared-null-metadata",
            REWRITTEN,
            with_null("metadata"),
            bare(),
        )]),
    ])
}

fn verbatim(plan: &mut Plan) {
    const VERBATIM: &[&str] = &["PRUNE-017/e3"];
    let odd = || json!({ "apiVersion": 5, "kind": null, "metadata": { "u": 1, "labels": { "a": 1 } } });
    let holder = || extended(object(&json!({})), &json!({ "template": odd() }));
    plan.in_one_schema([
        Row::new(preserving()).with([Example::silent("in-a-region", VERBATIM, odd(), odd())]),
        Row::new(node()).with([
            Example::silent("in-another-one", VERBATIM, holder(), holder()),
            Example::refused("no-object", VERBATIM, json!("x"), [("", "TypeInvalid")]),
            Example::refused("a-list", VERBATIM, json!([]), [("", "TypeInvalid")]),
            Example::unknown("reported", VERBATIM, object(&json!({ "foo": 1 })), &[".metadata.foo"]),
        ]),
        Row::new(json!({ "type": "object", EMBEDDED: true, "properties": { "template": node() } })).with([
            Example::unknown(
                "nested-and-declared",
                VERBATIM,
                json!({ "apiVersion": "v1", "kind": "X", "template": object(&json!({ "foo": 1 })) }),
                &[".template.metadata.foo"],
            ),
        ]),
    ])
}
