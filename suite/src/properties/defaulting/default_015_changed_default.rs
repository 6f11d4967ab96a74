//! DEFAULT-015: a stored default stays when the schema changes; one that was never stored follows the schema.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

use super::shared::Sample;
use crate::{
    properties::{
        Capability, Property,
        shared::{Place, Places, object_of, with_default},
    },
    scenario::{Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "default-015-changed-default",
    title: "after a default is changed or removed, objects that stored it keep it and all others follow the schema",
    asserts: &["DEFAULT-015"],
    needs: &[Capability::Storing, Capability::Defaulting],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let place = Place::draw(choices, &Places::COPIED);
    let sample = Sample::draw(choices, "value");
    let (first, second) = (sample.value(choices, "first"), sample.value(choices, "second"));
    let schema = |default: Option<&Value>| {
        let node = default.map_or_else(|| sample.json(), |default| with_default(&sample.json(), default));
        place.schema(object_of(json!({ "p": node })))
    };
    let content = |value: Option<&Value>| place.content(value.map_or_else(|| json!({}), |value| json!({ "p": value })));
    let mut plan = Plan::new();
    let definition = plan.define_schema(schema(None));
    let never_stored = plan.create(definition, content(None));
    plan.install_schema(definition, schema(Some(&first)));
    let stored = plan.create(definition, content(None));
    let mut steps: Vec<Option<&Value>> = vec![Some(&second), None];
    if choices.chance(1, 2) {
        steps.reverse();
    }
    for default in steps {
        plan.install_schema(definition, schema(default));
        let kept = plan.get(stored);
        plan.check("stored-stays", &["DEFAULT-015"], kept, Expectation::Content(content(Some(&first))));
        let follows = plan.get(never_stored);
        plan.check("other-follows", &["DEFAULT-015"], follows, Expectation::Content(content(default)));
    }
    plan.count_case();
    plan.finish()
}
