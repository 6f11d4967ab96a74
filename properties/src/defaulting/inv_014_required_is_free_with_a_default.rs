//! INV-014: requiring a property that has a default changes nothing.

use super::nodes;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("inv-014-required-is-free-with-a-default", plan)
    .title("requiring properties that have defaults changes no verdict and no content")
    .asserts(&["INV-014", "DEFAULT-009", "DEFAULT-017"])
    .needs(&[Capability::Serving, Capability::Defaulting]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let schema = choices.span("schema", |choices| schema::schema(choices, &SchemaShape::default()));
    let mut stricter = schema.clone();
    let required = require(&mut stricter, &schema);
    let (free, strict) = (plan.definition(&schema), plan.definition(&stricter));
    if required == 0 {
        choices.reached("no property to require");
    }
    plan.cases(choices, "object", |plan, choices| {
        let body = value::arbitrary(choices, &schema);
        let expected = plan.try_create(free, body.clone());
        let actual = plan.try_create(strict, body);
        plan.check(
            "same-outcome",
            &["INV-014", "DEFAULT-009", "DEFAULT-017"],
            actual,
            Expectation::same_outcome(expected),
        );
    });
}

/// Requires every property that has a default and is not below another default, because a default is validated without
/// the defaults below it (INV-014/e1). Returns the number of such properties.
fn require(stricter: &mut Schema, schema: &Schema) -> usize {
    let mut count = 0;
    for pattern in nodes::ordinary(schema) {
        let Some((parent, name)) = nodes::split(&pattern) else {
            continue;
        };
        let has_default = nodes::node(schema, &pattern).is_some_and(|node| node.default.is_some());
        let is_property = nodes::node(schema, parent).is_some_and(|node| node.properties.contains_key(&name));
        if !has_default || !is_property || is_below_default(schema, parent) {
            continue;
        }
        if let Some(node) = nodes::node_mut(stricter, parent)
            && !node.values.required.contains(&name)
        {
            node.values.required.push(name);
            count += 1;
        }
    }
    count
}

fn is_below_default(schema: &Schema, pattern: &str) -> bool {
    let ends = pattern.match_indices('/').map(|(at, _)| at).skip(1).chain([pattern.len()]);
    ends.into_iter().any(|end| nodes::node(schema, &pattern[..end]).is_some_and(|node| node.default.is_some()))
}
