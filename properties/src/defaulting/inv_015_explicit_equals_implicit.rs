//! INV-015: writing out a default has the same result as omitting the key.

use crdible_generators::walk;

use super::{
    nodes,
    planted::{Gap, Planted},
};
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-015-explicit-equals-implicit", plan)
    .title("an object with a default written out is stored like one that omits the key")
    .asserts(&["INV-015", "DEFAULT-001", "DEFAULT-004"])
    .needs(&[Capability::Serving, Capability::Defaulting]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let planted = Planted::draw(choices);
    let definition = plan.definition(&planted.schema);
    plan.cases(choices, "object", |plan, choices| {
        let object = planted.object(choices, Gap::Absent);
        let implicit = plan.try_create(definition, object.body.clone());
        let explicit = plan.try_create(definition, with_defaults(&planted, object.body));
        plan.check("same", &["INV-015", "DEFAULT-001", "DEFAULT-004"], explicit, Expectation::same_outcome(implicit));
    });
}

/// The body with every default written out where its parent exists and the key is absent.
fn with_defaults(planted: &Planted, mut body: Value) -> Value {
    for (pattern, default) in planted.written() {
        let Some((parent, name)) = nodes::split(pattern) else {
            continue;
        };
        let is_property = nodes::node(&planted.bare, parent).is_some_and(|node| node.properties.contains_key(&name));
        let parents = walk::objects_in(&planted.bare, &body).into_iter().map(|place| place.pointer);
        let pointers: Vec<String> =
            parents.filter(|pointer| is_property && nodes::pattern_of(&planted.bare, pointer) == parent).collect();
        for pointer in pointers {
            if let Some(Value::Object(fields)) = body.pointer_mut(&pointer) {
                fields.entry(name.clone()).or_insert_with(|| default.clone());
            }
        }
    }
    body
}
