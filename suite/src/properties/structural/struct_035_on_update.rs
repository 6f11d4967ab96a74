//! STRUCT-035: the schema of every version is judged when a definition is updated.

use crdible_generators::choice::Choices;
use serde_json::json;

use super::shared::{broken_pieces, demand_causes, of_json, try_update_versions, versions_with_pieces};
use crate::{
    properties::{Capability, Property},
    scenario::{Plan, Scenario},
};

pub(super) const PROPERTY: Property = Property {
    id: "struct-035-on-update",
    title: "the causes of all versions' schemas come together when a definition is updated",
    asserts: &["STRUCT-035"],
    needs: &[Capability::Serving, Capability::DefinitionDryRun],
    edges: &[],
    plan,
};

fn plan(choices: &mut Choices) -> Scenario {
    let mut plan = Plan::new();
    let all = broken_pieces();
    // The stored version stays: it is in `storedVersions`.
    let definition = of_json(&mut plan, json!({ "type": "object", "properties": { "spec": { "type": "object" } } }));
    choices.many("update", 1, 3, |choices, _| {
        let (versions, causes) = versions_with_pieces(choices, &all);
        let updated = try_update_versions(&mut plan, definition, &versions);
        demand_causes(&mut plan, updated, causes);
    });
    plan.finish()
}
