//! DEFAULT-015: a stored default stays when the schema changes; one that was never stored follows the schema.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::{Frame, Sample, object_of, with_default};
use crate::{
    properties::{Capability, Property},
    scenario::{Definition, Expectation, Plan, Scenario, Version},
};

pub(super) const PROPERTY: Property = Property {
    id: "default-015-changed-default",
    title: "after a default is changed or removed, objects that stored it keep it and the others follow the schema",
    asserts: &["DEFAULT-015"],
    needs: &[Capability::Storing, Capability::Defaulting],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let frame = Frame::draw(choices);
    let sample = Sample::draw(choices, "value");
    let (first, second) = (sample.value(choices, "first"), sample.value(choices, "second"));
    let schema = |default: Option<&Value>| {
        let node = default.map_or_else(|| sample.json(), |default| with_default(&sample.json(), default));
        vec![Version::only(frame.schema(object_of(&json!({ "p": node }))))]
    };
    let content = |value: Option<&Value>| frame.content(value.map_or_else(|| json!({}), |value| json!({ "p": value })));
    let mut plan = Plan::new();
    let definition = plan.define(Definition { versions: schema(None), ..Definition::of_schema(json!({})) });
    let never_stored = plan.create(definition, content(None));
    plan.install_versions(definition, schema(Some(&first)));
    let stored = plan.create(definition, content(None));
    let mut steps: Vec<Option<&Value>> = vec![Some(&second), None];
    if choices.chance(1, 2) {
        steps.reverse();
    }
    for default in steps {
        plan.install_versions(definition, schema(default));
        let kept = plan.get(stored);
        plan.check("stored-stays", &["DEFAULT-015"], kept, Expectation::Content(content(Some(&first))));
        let follows = plan.get(never_stored);
        plan.check("other-follows", &["DEFAULT-015"], follows, Expectation::Content(content(default)));
    }
    plan.count_case();
    plan.finish()
}
