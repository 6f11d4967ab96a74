//! INV-030: a node judges a value alike wherever it stands.

use crdible_generators::{
    choice::Choices,
    schema::{self, SchemaShape},
    value,
};
use serde_json::{Value, json};

use super::shared::{JUDGING, VALUES};
use crate::{
    properties::{
        Property,
        frame::{Container, Frame},
    },
    scenario::{Definition, Expectation, Plan, Scenario},
};

const ASSERTS: &[&str] = &["INV-030"];

pub(super) const PROPERTY: Property = Property {
    id: "inv-030-location-independence",
    title: "the verdict on a value below an object, a list, a map or deeper differs in the beginning of its paths alone",
    asserts: ASSERTS,
    needs: JUDGING,
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    // How the keys of maps show in causes about embedded metadata is a quirk (PRUNE-017).
    let odd_names = choices.chance(1, 3);
    let shape = SchemaShape { embedded: false, max_depth: 3, odd_names, ..SchemaShape::swarm(choices) };
    let node = choices.span("node", |choices| schema::node(choices, &shape, 1));
    let frames = [
        Frame::below(&[Container::Object]),
        Frame::below(&[Container::List]),
        Frame::below(&[Container::Map]),
        Frame::below(&[Container::Preserved]),
        Frame::below(&[Container::Embedded]),
        Frame::below(&[]),
        Frame::below(&[Container::Object, Container::List, Container::Map]),
    ];
    let mut plan = Plan::new();
    let definitions: Vec<usize> =
        frames.iter().map(|frame| plan.define(Definition::of_schema(frame.schema(node.to_json())))).collect();
    choices.many("value", 1, VALUES, |choices, _| {
        let value = match value::arbitrary_node(choices, &node) {
            Value::Null => json!("no null"),
            value => value,
        };
        let first = plan.try_create(definitions[0], frames[0].content(value.clone()));
        for (frame, definition) in frames.iter().zip(&definitions).skip(1) {
            let created = plan.try_create(*definition, frame.content(value.clone()));
            let moved = Expectation::Named {
                check: "moved@1".to_owned(),
                of: Some(first),
                arguments: json!({
                    "from": { "field": frames[0].field(), "pointer": frames[0].pointer() },
                    "to": { "field": frame.field(), "pointer": frame.pointer() },
                }),
            };
            plan.check("moved", ASSERTS, created, moved);
        }
        plan.count_case();
    });
    plan.finish()
}
