//! DEFAULT-015: a stored default stays when the schema changes; one that was never stored follows the schema.

use super::shared::Fields;
use crate::prelude::*;

pub(super) const PROPERTY: Property = Property::new("default-015-changed-default", plan)
    .title("an object that stored a default keeps it when the default is changed or removed")
    .asserts(&["DEFAULT-015"])
    .needs(&[Capability::Storing, Capability::Defaulting]);

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let place = Place::draw(choices, &Places::COPIED);
    let fields = Fields::draw(choices, ["first", "second"]);
    let schema = |default: Option<usize>| place.schema(object_of(fields.properties(default)));
    let content = |value: Option<usize>| place.content(value.map_or_else(|| json!({}), |value| fields.holding(value)));
    let definition = plan.define_schema(schema(None));
    let never_stored = plan.create(definition, content(None));
    plan.install_schema(definition, schema(Some(0)));
    let stored = plan.create(definition, content(None));
    let mut steps = vec![Some(1), None];
    if choices.chance(1, 2) {
        steps.reverse();
    }
    for default in steps {
        plan.install_schema(definition, schema(default));
        let kept = plan.get(stored);
        plan.check("stored-stays", &["DEFAULT-015"], kept, Expectation::Content(content(Some(0))));
        let follows = plan.get(never_stored);
        plan.check("other-follows", &["DEFAULT-015"], follows, Expectation::Content(content(default)));
    }
    fields.count(plan);
}
