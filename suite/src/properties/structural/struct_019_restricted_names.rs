//! STRUCT-019: restrictions of names are enforced on objects, on generated names after generation.

use crdible_generators::choice::Choices;
use serde_json::{Value, json};

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
    let short = |choices: &mut Choices| choices.chance(1, 2).then_some(1);
    let (name_bound, prefix_bound, is_prefix_asked) = (short(choices), short(choices), choices.chance(1, 2));
    let mut schema = json!({ "type": "object", "properties": { "metadata": { "type": "object" } } });
    let mut restrict = |field: &str, keyword: &str, value: Value| {
        let node = &mut schema["properties"]["metadata"]["properties"][field];
        node["type"] = json!("string");
        node[keyword] = value;
    };
    if let Some(bound) = name_bound {
        restrict("name", "maxLength", json!(bound));
    }
    if let Some(bound) = prefix_bound {
        restrict("generateName", "maxLength", json!(bound));
    }
    if is_prefix_asked {
        // Only the name as it is after generation begins so.
        restrict("name", "pattern", json!(format!("^{PREFIX}.")));
    }
    let definition = of_json(&mut plan, schema);
    choices.many("object", 1, 4, |choices, _| {
        let is_generated = choices.chance(1, 2);
        let fields = if is_generated { json!({ "metadata": { "name": "", "generateName": PREFIX } }) } else { json!({}) };
        let created = plan.try_create(definition, fields);
        plan.count_case();
        let causes = [
            name_bound.map(|_| Cause::new("metadata.name", "TooLong")),
            (is_prefix_asked && !is_generated).then(|| Cause::new("metadata.name", "Invalid")),
            prefix_bound.filter(|_| is_generated).map(|_| Cause::new("metadata.generateName", "TooLong")),
        ];
        let causes: Vec<Cause> = causes.into_iter().flatten().collect();
        let expect = if causes.is_empty() { Expectation::Accepted } else { Expectation::Causes(causes) };
        plan.check("names", &["STRUCT-019/e2"], created, expect);
    });
    plan.finish()
}
