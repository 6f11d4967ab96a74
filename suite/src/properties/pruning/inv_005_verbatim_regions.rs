//! INV-005 and PRUNE-010: what a preserving node keeps, it keeps as it is.

use crdible_generators::{choice::Choices, value};
use serde_json::{Value, json};

use super::shared::{Example, Outcome, Site, examples, parse};
use crate::{
    properties::{Capability, Edge, Property},
    scenario::{Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "inv-005-verbatim-regions",
    title: "any JSON at a preserving node without properties is stored and read back unchanged",
    asserts: &["INV-005", "PRUNE-008", "PRUNE-010", "PRUNE-010/e1", "PRUNE-029"],
    needs: &[Capability::Storing],
    edges: &[Edge { name: "exact-regions", plan: exact_regions }],
    plan,
};

const VALUES: usize = 5;

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let site = Site::draw(choices);
    let is_typed = choices.chance(1, 4);
    let mut node = json!({ "x-kubernetes-preserve-unknown-fields": true });
    if is_typed {
        node["type"] = json!("object");
    }
    let definition = plan.definition(&site.schema(parse(&node)));
    choices.many("value", 1, VALUES, |choices, _| {
        let any = value::json(choices, 4);
        // Not null at the top, and an object where one is asked for.
        let any = if is_typed || any.is_null() { json!({ "a": any }) } else { any };
        let content = site.content(&any);
        let created = plan.create(definition, content.clone());
        let read = plan.get(created);
        plan.check("verbatim", &["INV-005", "PRUNE-008", "PRUNE-010"], read, Expectation::Content(content.clone()));
        let strict = plan.try_create_validating(definition, "Strict", content.clone());
        plan.check("not-reported", &["PRUNE-029"], strict, Expectation::Content(content));
        plan.count_case();
    });
    plan.finish()
}

fn exact_regions() -> Scenario {
    let any = || json!({ "x-kubernetes-preserve-unknown-fields": true });
    let with = |key: &str, value: Value| {
        let mut node = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
        node[key] = value;
        node
    };
    let child = |nullable| with("properties", json!({ "c": { "type": "string", "nullable": nullable } }));
    let verbatim = |name, value: Value| Example {
        name,
        asserts: &["PRUNE-010", "INV-005"],
        node: any(),
        sent: value.clone(),
        outcome: Outcome::Silent(value),
    };
    let null = |name, node, sent, outcome| Example { name, asserts: &["PRUNE-010/e1"], node, sent, outcome };
    examples(vec![
        verbatim("nulls-and-empties", json!({ "a": null, "b": {}, "c": [], "d": [null, {}, []], "e": "" })),
        verbatim(
            "meta-fields",
            json!({ "apiVersion": null, "kind": 5, "metadata": { "labels": { "a": 1 }, "u": {} } }),
        ),
        verbatim("integers", json!([i64::MAX, i64::MIN, 0, -1, 9_007_199_254_740_993_i64])),
        verbatim(
            "keys",
            json!({ "": 1, "a.b": 2, "a/b": 3, "~0": 4, "$ref": 5, "__proto__": 6, "é": 7, "\u{2028}": 8 }),
        ),
        null("null", any(), Value::Null, Outcome::Gone),
        null("nullable-null", with("nullable", json!(true)), Value::Null, Outcome::Kept(Value::Null)),
        null("null-of-a-child", child(false), json!({ "c": null, "u": null }), Outcome::Kept(json!({ "u": null }))),
        null("null-of-a-nullable-child", child(true), json!({ "c": null }), Outcome::Kept(json!({ "c": null }))),
    ])
}
