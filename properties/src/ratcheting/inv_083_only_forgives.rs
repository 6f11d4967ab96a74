//! INV-083: any object that could be created can also replace an existing one.

use crate::prelude::*;

const ASSERTS: &[&str] = &["INV-083", "RATCHET-001"];

pub(super) const PROPERTY: Property = Property::new("inv-083-only-forgives", plan)
    .title("an update to content that a create accepts is accepted, with the same result")
    .asserts(ASSERTS)
    .needs(&[Capability::Storing, Capability::Validation]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let shape = SchemaShape::default();
    let mut node = choices.span("schema", |choices| schema::node(choices, &shape, shape.max_depth - 2));
    node.nullable = false;
    let root = root_of(node.to_json());
    let definition = plan.define_schema(root);
    plan.cases(choices, "object", |plan, choices| {
        let mut one = |key: &str| choices.keyed(key, |choices| value::valid_node(choices, &node));
        let (old, new) = (one("old"), one("new"));
        let created = plan.create(definition, json!({ "spec": old }));
        plan.assume(created, Expectation::Accepted);
        let alone = plan.try_create(definition, json!({ "spec": new }));
        plan.assume(alone, Expectation::Accepted);
        let put = plan.try_put_back(created, vec![Edit::Set("/spec".into(), new)]);
        plan.check("like-a-create", ASSERTS, put, Expectation::same_content(alone));
    });
}
