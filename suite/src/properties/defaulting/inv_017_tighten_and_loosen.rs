//! INV-017: a property that the schema forgets is hidden, not lost: it is there again when the schema has it again.

use crdible_generators::{
    choice::Choices,
    edit,
    schema::{self, SchemaShape},
    value,
};
use crdible_semantics::Schema;
use serde_json::Value;

use super::{nodes, shared::unchanged};
use crate::{
    properties::{Capability, Property},
    scenario::{Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "inv-017-tighten-and-loosen",
    title: "what a tighter schema hides from reads comes back with the looser one, as long as nothing is written",
    asserts: &["INV-017", "PRUNE-022", "LIFE-024"],
    needs: &[Capability::Storing, Capability::Pruning],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    // Nothing that names the property elsewhere: quantifiers must not be the only ones to know it (STRUCT-005).
    let shape = SchemaShape { defaults: false, topology: false, quantifiers: false, ..SchemaShape::default() };
    let schema = choices.span("schema", |choices| schema::schema(choices, &shape));
    let body = value::valid(choices, &schema);
    let removable = removable(&schema, &body);
    if removable.is_empty() {
        choices.discard("no property can be removed");
        return Plan::new().finish();
    }
    let (parent, name) = choices.pick(&removable).clone();
    let mut tighter = schema.clone();
    if let Some(node) = nodes::node_mut(&mut tighter, &parent) {
        node.properties.remove(&name);
    }
    let mut hidden = body.clone();
    for pointer in edit::objects_in(&schema, &body).into_iter().map(|place| place.pointer) {
        if nodes::pattern_of(&schema, &pointer) == parent
            && let Some(Value::Object(fields)) = hidden.pointer_mut(&pointer)
        {
            fields.remove(&name);
        }
    }
    let mut plan = Plan::new();
    let definition = plan.definition(&schema);
    let created = plan.create(definition, body.clone());
    plan.install(definition, &tighter);
    let read = plan.get(created);
    plan.check("hidden", &["INV-017", "PRUNE-022"], read, Expectation::Content(hidden));
    unchanged(&mut plan, "hidden", &["INV-017", "LIFE-024"], read, created);
    plan.install(definition, &schema);
    let read = plan.get(created);
    plan.check("back", &["INV-017", "PRUNE-022", "LIFE-024"], read, Expectation::Content(body));
    unchanged(&mut plan, "back", &["INV-017", "LIFE-024"], read, created);
    plan.count_case();
    plan.finish()
}

/// Properties of the body that the schema can do without: pattern of the parent, and name.
fn removable(schema: &Schema, body: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for place in edit::objects_in(schema, body) {
        let parent = nodes::pattern_of(schema, &place.pointer);
        // An embedded resource must keep one property (STRUCT-016); an object that keeps unknown keys hides nothing.
        let is_needed = place.schema.embedded_resource && place.schema.properties.len() == 1;
        if place.is_preserved || place.schema.additional_properties.is_some() || is_needed {
            continue;
        }
        let names = place.schema.properties.keys().filter(|name| place.value.get(*name).is_some());
        for name in names.filter(|name| !place.schema.values.required.contains(name)) {
            let is_meta = nodes::is_meta(schema, &format!("{parent}/{name}"));
            if !is_meta && !found.contains(&(parent.clone(), name.clone())) {
                found.push((parent.clone(), name.clone()));
            }
        }
    }
    found
}
