//! INV-006: pruning starts again at what is declared below a preserving node.

use crdible_generators::{choice::Choices, schema};
use crdible_semantics::Schema;
use serde_json::{Value, json};

use super::shared::{Example, Outcome, Planted, Site, examples, parse, plain_shape, segment, undeclared};
use crate::{
    properties::{Capability, Edge, Property},
    scenario::{Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "inv-006-restart-below-preserved",
    title: "a declared child of a preserving node is pruned as elsewhere, and all beside it is kept",
    asserts: &["INV-006", "PRUNE-008", "PRUNE-008/e1", "PRUNE-011", "PRUNE-029"],
    needs: &[Capability::Serving, Capability::Pruning],
    edges: &[Edge { name: "exact-restarts", plan: exact_restarts }, Edge { name: "root", plan: root }],
    plan,
};

const VALUES: usize = 5;

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let site = Site::draw(choices);
    let shape = plain_shape(choices);
    let child = choices.span("schema", |choices| schema::node(choices, &shape, 2));
    let parent = Schema {
        type_name: "object".to_owned(),
        properties: [("c".to_owned(), child.clone())].into(),
        ..Schema::default()
    };
    let preserving = Schema { preserve_unknown_fields: Some(true), ..parent.clone() };
    let definition = plan.definition(&site.schema(preserving));
    let ordinary = plan.definition(&site.schema(parent));
    choices.many("value", 1, VALUES, |choices, _| {
        let inside = choices.keyed("c", |choices| Planted::draw_node(choices, &child).dirty);
        let mut outside = undeclared(choices);
        // Nulls further down, where a whole value is compared.
        outside.values_mut().filter(|value| value.is_null()).for_each(|value| *value = json!([null]));
        let alone = plan.try_create(ordinary, site.content(&json!({ "c": inside })));
        plan.assume(alone, Expectation::Accepted);
        let mut both = outside.clone();
        both.insert("c".to_owned(), inside);
        let together = plan.try_create(definition, site.content(&Value::Object(both)));
        let pointer = format!("{}/c", site.pointer());
        let same = Expectation::SameAt { pointer: pointer.clone(), r#as: alone, other: pointer };
        plan.check("child", &["INV-006", "PRUNE-008", "PRUNE-011"], together, same);
        for (key, value) in outside {
            let pointer = format!("{}/{}", site.pointer(), segment(&key));
            plan.check("beside", &["INV-006", "PRUNE-008"], together, Expectation::At { pointer, value: Some(value) });
        }
        plan.count_case();
    });
    plan.finish()
}

fn exact_restarts() -> Scenario {
    let declared = || json!({ "type": "object", "properties": { "a": { "type": "integer" } } });
    let preserving = |more: Value| {
        let mut node = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
        node.as_object_mut().into_iter().for_each(|node| node.extend(more.as_object().cloned().unwrap_or_default()));
        node
    };
    let nested =
        || preserving(json!({ "properties": { "c": { "type": "object", "properties": { "d": declared() } } } }));
    let example = |name, asserts, node, sent, outcome| Example { name, asserts, node, sent, outcome };
    examples(vec![
        example(
            "whole-subtree",
            &["PRUNE-008", "PRUNE-011"],
            nested(),
            json!({ "u": { "v": 1 }, "c": { "u": 1, "d": { "a": 1, "u": {} } } }),
            Outcome::Kept(json!({ "u": { "v": 1 }, "c": { "d": { "a": 1 } } })),
        ),
        example(
            "reported",
            &["PRUNE-011", "PRUNE-029"],
            nested(),
            json!({ "u": 1, "c": { "u": 1 } }),
            Outcome::Unknown(&[".c.u"]),
        ),
        example(
            "map-values",
            &["PRUNE-008"],
            preserving(json!({ "additionalProperties": declared() })),
            json!({ "k": { "a": 1, "u": 2 } }),
            Outcome::Kept(json!({ "k": { "a": 1 } })),
        ),
        example(
            "true-empties-objects",
            &["PRUNE-008/e1"],
            preserving(json!({ "properties": { "c": declared() }, "additionalProperties": true })),
            json!({ "c": { "a": 1, "u": 2 }, "o": { "a": 1 }, "l": [{ "a": 1 }, 2], "s": "x" }),
            Outcome::Kept(json!({ "c": { "a": 1 }, "o": {}, "l": [{}, 2], "s": "x" })),
        ),
        example(
            "true-reports-what-it-takes",
            &["PRUNE-008/e1", "PRUNE-029"],
            preserving(json!({ "additionalProperties": true })),
            json!({ "o": { "a": { "b": 1 }, "c": 1 }, "s": "x" }),
            Outcome::Unknown(&[".o.a", ".o.c"]),
        ),
    ])
}

/// The root preserves like any node.
fn root() -> Scenario {
    let mut plan = Plan::new();
    let definition = plan.definition(&parse(&json!({
        "type": "object",
        "x-kubernetes-preserve-unknown-fields": true,
        "properties": { "spec": { "type": "object", "properties": { "a": { "type": "integer" } } } },
    })));
    let kept = plan.try_create(definition, json!({ "spec": { "a": 1, "u": 2 }, "more": { "u": null } }));
    let expect = Expectation::Content(json!({ "spec": { "a": 1 }, "more": { "u": null } }));
    plan.check("root", &["PRUNE-008", "PRUNE-011"], kept, expect);
    plan.finish()
}
