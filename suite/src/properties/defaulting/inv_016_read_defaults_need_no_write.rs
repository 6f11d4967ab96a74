//! INV-016: a property that the schema learns with a default shows in objects that were stored without it.

use crdible_generators::{
    choice::Choices,
    edit,
    schema::{self, SchemaShape},
    value,
};
use serde_json::Value;

use super::{
    nodes,
    shared::{Sample, at, unchanged},
};
use crate::{
    properties::{Capability, Property},
    scenario::{Expectation, Plan, Resource, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "inv-016-read-defaults-need-no-write",
    title: "a new property with a default shows at once in what was stored before, which stays as it is",
    asserts: &["INV-016", "DEFAULT-011", "DEFAULT-014"],
    needs: &[Capability::Storing, Capability::Defaulting],
    edges: &[],
    plan,
};

/// A name that no generator gives.
const NEW: &str = "newProperty";

fn plan(choices: &mut Choices) -> Scenario {
    let shape = SchemaShape { defaults: false, ..SchemaShape::default() };
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let body = value::valid(choices, &schema);
    let places = edit::objects_in(&schema, &body);
    let mut patterns: Vec<String> = places
        .iter()
        .filter(|place| place.schema.additional_properties.is_none())
        .map(|place| nodes::pattern_of(&schema, &place.pointer))
        .filter(|pattern| !nodes::is_meta(&schema, pattern))
        .collect();
    patterns.dedup();
    let parent = choices.pick(&patterns).clone();
    let pointers: Vec<String> = places.into_iter().map(|place| place.pointer).filter(|pointer| nodes::pattern_of(&schema, pointer) == parent).collect();
    let sample = Sample::draw(choices, "new");
    let default = sample.value(choices, "default");
    let mut learned = schema.clone();
    if let Some(node) = nodes::node_mut(&mut learned, &parent) {
        let property = crdible_semantics::Schema { default: Some(default.clone()), ..sample.node };
        node.properties.insert(NEW.to_owned(), property);
    }
    let mut expected = body.clone();
    for pointer in pointers {
        if let Some(Value::Object(fields)) = expected.pointer_mut(&pointer) {
            fields.insert(NEW.to_owned(), default.clone());
        }
    }
    let mut plan = Plan::new();
    let definition = plan.definition(&schema);
    let created = plan.create(definition, body);
    plan.install(definition, &learned);
    let read = plan.get(created);
    let asserts = &["INV-016", "DEFAULT-011"];
    unchanged(&mut plan, "read", &["INV-016", "DEFAULT-014"], read, created);
    let list = plan.read(Resource::Objects { definition, version: "v1".to_owned() });
    plan.check("listed", asserts, list, at("/items/0/spec", expected.get("spec")));
    plan.check("read", asserts, read, Expectation::Content(expected));
    plan.count_case();
    plan.finish()
}
