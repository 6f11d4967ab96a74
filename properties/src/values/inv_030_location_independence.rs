//! INV-030: a node validates a value in the same way at every place.

use super::shared::JUDGING;
use crate::prelude::*;

const ASSERTS: &[&str] = &["INV-030"];

pub(super) const PROPERTY: Property = Property::new("inv-030-location-independence", plan)
    .title("the verdict on a value is the same below objects, lists and maps, at any depth")
    .asserts(ASSERTS)
    .needs(JUDGING);

fn plan(plan: &mut Plan, choices: &mut Choices) {
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
    let definitions: Vec<usize> = places.iter().map(|place| plan.define_schema(place.schema(node.to_json()))).collect();
    plan.cases(choices, "value", |plan, choices| {
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
    });
}
