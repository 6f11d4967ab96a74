//! STRUCT-019: restrictions of names are enforced on objects, on generated names after generation.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::shared::of_json;
use crate::{
    properties::{Capability, Property},
    scenario::{Cause, Expectation, Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "struct-019-restricted-names",
    title: "value validation of root metadata.name and metadata.generateName is enforced, on a generated name too",
    asserts: &["STRUCT-019/e2"],
    needs: &[Capability::Serving, Capability::Validation],
    edges: &[],
    plan,
};

/// The prefix for generated names; a server puts some characters behind it.
const PREFIX: &str = "made-";

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    // Every name is longer than one character; before generation it is empty.
    let restrictions = [(json!({}), false), (json!({ "minLength": 2 }), false), (json!({ "maxLength": 1 }), true)];
    let (mut name, is_name_refused) = choices.pick(&restrictions).clone();
    let (mut prefix, is_prefix_refused) = choices.pick(&restrictions).clone();
    name["type"] = json!("string");
    prefix["type"] = json!("string");
    let metadata = json!({ "type": "object", "properties": { "name": name, "generateName": prefix } });
    let definition = of_json(&mut plan, json!({ "type": "object", "properties": { "metadata": metadata } }));
    choices.many("object", 1, 4, |choices, _| {
        let is_generated = choices.chance(1, 2);
        let fields =
            if is_generated { json!({ "metadata": { "name": "", "generateName": PREFIX } }) } else { json!({}) };
        let created = plan.try_create(definition, fields);
        plan.count_case();
        let causes = [
            is_name_refused.then(|| Cause::new("metadata.name", "TooLong")),
            (is_prefix_refused && is_generated).then(|| Cause::new("metadata.generateName", "TooLong")),
        ];
        let causes: Vec<Cause> = causes.into_iter().flatten().collect();
        let expect = if causes.is_empty() { Expectation::Accepted } else { Expectation::Causes(causes) };
        plan.check("names", &["STRUCT-019/e2"], created, expect);
    });
    plan.finish()
}
