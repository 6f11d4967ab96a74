//! The edges of PRUNE-017, as exact inputs.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{Example, Outcome, Site, examples};
use crate::{
    properties::{Capability, Edge, Property},
    scenario::{Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "prune-017-embedded-corners",
    title: "embedded metadata is rewritten through its type, and only where the schema says that an object is embedded",
    asserts: &["PRUNE-017", "PRUNE-017/e1", "PRUNE-017/e3"],
    needs: &[Capability::Serving, Capability::Pruning, Capability::Validation],
    edges: &[Edge { name: "rewriting", plan: rewriting }, Edge { name: "verbatim", plan: verbatim }],
    plan,
};

/// An embedded node that preserves what stands beside the meta fields.
fn node() -> Value {
    json!({ "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true })
}

fn declaring(key: &str, kind: &str) -> Value {
    let mut node = node();
    node["properties"] = json!({ key: { "type": kind } });
    node
}

fn object(metadata: &Value) -> Value {
    json!({ "apiVersion": "v1", "kind": "X", "metadata": metadata })
}

/// Timestamps: upstream's `ObjectMeta` knows seconds, in UTC.
fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let site = Site::draw(choices);
    let definition = plan.definition(&site.schema(super::shared::parse(&node())));
    choices.many("timestamp", 1, 4, |choices, _| {
        let hour = choices.draw(9) + 10;
        let offset = choices.draw(9);
        let fraction = *choices.pick(&["", ".5", ".999999999"]);
        let sent = json!({ "creationTimestamp": format!("2020-02-29T{hour}:00:59{fraction}+0{offset}:00") });
        let left = json!({ "creationTimestamp": format!("2020-02-29T{:02}:00:59Z", hour - offset) });
        let created = plan.try_create(definition, site.content(&object(&sent)));
        plan.check("timestamp", &["PRUNE-017/e1"], created, Expectation::Content(site.content(&object(&left))));
        plan.count_case();
    });
    plan.finish()
}

fn rewriting() -> Scenario {
    let example = |name, node, sent, outcome| Example { name, asserts: &["PRUNE-017/e1"], node, sent, outcome };
    let bare = || json!({ "apiVersion": "v1", "kind": "X" });
    let without = |key: &str| {
        let mut object = bare();
        object[key] = Value::Null;
        object
    };
    examples(vec![
        example("null-metadata", node(), object(&Value::Null), Outcome::Silent(object(&json!({})))),
        example("empty-metadata", node(), object(&json!({})), Outcome::Silent(object(&json!({})))),
        example(
            "zero",
            node(),
            object(&json!({ "generation": 0, "name": "x" })),
            Outcome::Silent(object(&json!({ "name": "x" }))),
        ),
        example("no-metadata", node(), bare(), Outcome::Silent(bare())),
        Example {
            name: "null-timestamp",
            asserts: &["PRUNE-017"],
            node: node(),
            sent: object(&json!({ "creationTimestamp": null, "name": "x" })),
            outcome: Outcome::Silent(object(&json!({ "name": "x" }))),
        },
        example(
            "declared-null-kind",
            declaring("kind", "string"),
            without("kind"),
            Outcome::Causes(&[(".kind", "Required")]),
        ),
        example(
            "declared-null-apiVersion",
            declaring("apiVersion", "string"),
            without("apiVersion"),
            Outcome::Causes(&[(".apiVersion", "Required")]),
        ),
        example(
            "declared-null-metadata",
            declaring("metadata", "object"),
            without("metadata"),
            Outcome::Silent(bare()),
        ),
    ])
}

fn verbatim() -> Scenario {
    let example = |name, node, sent, outcome| Example { name, asserts: &["PRUNE-017/e3"], node, sent, outcome };
    let odd = || json!({ "apiVersion": 5, "kind": null, "metadata": { "u": 1, "labels": { "a": 1 } } });
    let mut holder = object(&json!({}));
    holder["template"] = odd();
    examples(vec![
        example("in-a-region", json!({ "x-kubernetes-preserve-unknown-fields": true }), odd(), Outcome::Silent(odd())),
        example("in-another-one", node(), holder.clone(), Outcome::Silent(holder)),
        example("no-object", node(), json!("x"), Outcome::Causes(&[("", "TypeInvalid")])),
        example("a-list", node(), json!([]), Outcome::Causes(&[("", "TypeInvalid")])),
        example("reported", node(), object(&json!({ "foo": 1 })), Outcome::Unknown(&[".metadata.foo"])),
        example(
            "nested-and-declared",
            json!({
                "type": "object", "x-kubernetes-embedded-resource": true,
                "properties": { "template": node() },
            }),
            json!({ "apiVersion": "v1", "kind": "X", "template": object(&json!({ "foo": 1 })) }),
            Outcome::Unknown(&[".template.metadata.foo"]),
        ),
    ])
}
