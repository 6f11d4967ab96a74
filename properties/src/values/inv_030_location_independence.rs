//! INV-030: a node validates a value in the same way at every place.

use crdible_generators::{
    schema::{self, SchemaShape},
    value,
};

use super::shared::JUDGING;
use crate::prelude::*;
use crate::shared::{Container, Place};

const ASSERTS: &[&str] = &["INV-030"];

pub(super) const PROPERTY: Property = Property {
    id: "inv-030-location-independence",
    title: "the verdict on a value is the same below objects, lists and maps, at any depth",
    asserts: ASSERTS,
    needs: JUDGING,
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    // How causes about embedded metadata write map keys is a quirk (PRUNE-017).
    let odd_names = choices.chance(1, 3);
    let shape = SchemaShape { embedded: false, max_depth: 3, odd_names, ..SchemaShape::swarm(choices) };
    let node = choices.span("node", |choices| schema::node(choices, &shape, 1));
    let places = [
        Place::in_spec(&[Container::Object]),
        Place::in_spec(&[Container::List]),
        Place::in_spec(&[Container::Map]),
        Place::in_spec(&[Container::Preserved]),
        Place::in_spec(&[Container::Embedded]),
        Place::in_spec(&[]),
        Place::in_spec(&[Container::Object, Container::List, Container::Map]),
    ];
    let mut plan = Plan::new();
    let definitions: Vec<usize> = places.iter().map(|place| plan.define_schema(place.schema(node.to_json()))).collect();
    choices.cases("value", |choices, _| {
        let value = match value::arbitrary_node(choices, &node) {
            Value::Null => json!("no null"),
            value => value,
        };
        let first = plan.try_create(definitions[0], places[0].content(value.clone()));
        for (place, definition) in places.iter().zip(&definitions).skip(1) {
            let created = plan.try_create(*definition, place.content(value.clone()));
            let [from, to] = [&places[0], place]
                .map(|place| crdible_scenario::Place { field: place.field(), pointer: place.pointer() });
            let moved = NamedCheck::Moved { from, to }.against(first);
            plan.check("moved", ASSERTS, created, moved);
        }
        plan.count_case();
    });
    plan.finish()
}
